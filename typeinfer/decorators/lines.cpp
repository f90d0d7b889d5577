// Splitting signature lines by hand: brackets are counted, nothing is evaluated.
//
// In:   text.  Out: views into it.
// Tested by tests/unit/typeinfer/roots_test.cpp.
#include "typeinfer/decorators/lines.h"

#include <cctype>

namespace pyk2cu::decorators {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; }

bool is_identifier(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  for (char c : text) {
    if (!is_word(c) && static_cast<unsigned char>(c) < 128) return false;
  }
  return true;
}

// `f`, `Class.method`, `12`: what can stand in front of the types.
bool is_name(std::string_view text) {
  if (!text.empty() && text.find_first_not_of("0123456789") == text.npos) return true;
  for (;;) {
    const size_t dot = text.find('.');
    if (!is_identifier(text.substr(0, dot))) return false;
    if (dot == text.npos) return true;
    text.remove_prefix(dot + 1);
  }
}

// The first `c` outside brackets and quotes, or npos.
size_t find_outside(std::string_view text, char wanted) {
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote) {
      if (c == quote) quote = 0;
      continue;
    }
    if (depth == 0 && c == wanted) return i;
    if (c == '\'' || c == '"') quote = c;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
  }
  return std::string_view::npos;
}

std::string_view last_word(std::string_view text) {
  size_t begin = text.size();
  const auto belongs = [](char c) {
    return is_word(c) || c == '.' || static_cast<unsigned char>(c) > 127;
  };
  while (begin > 0 && belongs(text[begin - 1])) --begin;
  return text.substr(begin);
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view strip_comment(std::string_view line) {
  size_t hash = find_outside(line, '#');
  // `a#b.py:` is a path
  while (hash != line.npos && hash > 0 && !is_blank(line[hash - 1]) &&
         std::string_view(")]:").find(line[hash - 1]) == std::string_view::npos) {
    const size_t next = find_outside(line.substr(hash + 1), '#');
    hash = next == line.npos ? next : hash + 1 + next;
  }
  return trim(line.substr(0, hash));
}

std::string_view sig_comment(std::string_view comment) {
  const auto eat = [&](std::string_view word) {
    comment = trim(comment);
    if (!comment.starts_with(word)) return false;
    comment.remove_prefix(word.size());
    return true;
  };
  if (!eat("#") || !eat("pyk2cu") || !eat(":") || !eat("sig")) return "";
  if (comment.empty() || is_word(comment[0])) return "";
  return trim(comment);
}

FileLine split_file(std::string_view line) {
  if (line.starts_with(':')) return {.file = line.substr(0, 0), .rest = trim(line.substr(1))};
  for (const std::string_view ending : {".py:", ".ipynb:"}) {
    if (line.size() > ending.size() && line.ends_with(ending))  // a section: all of it is a path
      return {.file = line.substr(0, line.size() - 1), .rest = line.substr(line.size())};
    const size_t at = line.find(ending);
    if (at == line.npos || at == 0) continue;
    const size_t end = at + ending.size();
    if (line.substr(0, end).find_first_of("()[]='\"") != line.npos) continue;
    return {.file = line.substr(0, end - 1), .rest = trim(line.substr(end))};
  }
  return {.rest = line};
}

SigLine split_sig(std::string_view line) {
  const size_t equals = find_outside(line, '=');
  if (equals != std::string_view::npos) {
    const std::string_view name = trim(line.substr(0, equals));
    if (is_name(name)) return {.name = name};
  }
  // The parentheses of the arguments are the last ones outside others.
  size_t open = std::string_view::npos;
  for (size_t at = 0;;) {
    const size_t found = find_outside(line.substr(at), '(');
    if (found == std::string_view::npos) break;
    open = at + found;
    const size_t close = find_outside(line.substr(open + 1), ')');
    if (close == std::string_view::npos) break;
    at = open + 1 + close + 1;
    if (trim(line.substr(at)).starts_with("->")) break;
  }
  if (open == std::string_view::npos) return {};
  const std::string_view head = trim(line.substr(0, open));
  if (is_name(head)) return {.name = head, .may_be_type = true};
  const std::string_view word = last_word(head);
  const std::string_view before = head.substr(0, head.size() - word.size());
  if (!is_name(word) || before.empty() || !is_blank(before.back())) return {};
  return {.name = word, .result = trim(before)};
}

std::string_view single_item(std::string_view text) {
  if (text.size() < 3 || text.front() != '(') return "";
  if (find_outside(text.substr(1), ')') != text.size() - 2) return "";
  const std::string_view inner = trim(text.substr(1, text.size() - 2));
  return find_outside(inner, ',') == std::string_view::npos ? inner : "";
}

bool stands_alone(std::string_view text, uint32_t offset) {
  while (offset > 0 && text[offset - 1] != '\n') {
    if (!is_blank(text[--offset])) return false;
  }
  return true;
}

uint32_t next_code(std::string_view text, uint32_t offset) {
  while (offset < text.size()) {
    if (text[offset] == '#') {
      while (offset < text.size() && text[offset] != '\n') ++offset;
    } else if (is_blank(text[offset])) {
      ++offset;
    } else {
      break;
    }
  }
  return offset;
}

}  // namespace pyk2cu::decorators
