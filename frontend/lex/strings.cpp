// String and f-string tokens. An f-string is a sequence: start, then text and replacement fields in
// turn, then end; a field's braces and expression are ordinary tokens.
//
// In:   the lexer at a quote or prefix.  Out: tokens; contents are decoded by parse/literals.cpp.
// Tested by tests/unit/frontend/lex_test.cpp, tests/run/test_dump_ast.py.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/lex/lexer.h"

namespace pyk2cu::frontend {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

// At a letter: reads a string if the letters are a prefix of one.
bool Lexer::string_prefix() {
  bool b = false, r = false, u = false, f = false;
  for (const char* q = p_;; ++q) {
    const char c = lower(*q);
    if ((c == '\'' || c == '"') && q > p_) {
      const char* start = p_;
      p_ = q;
      f ? fstring(start) : string(start);
      return true;
    }
    if (c == 'b' && !(b || u || f)) {
      b = true;
    } else if (c == 'u' && !(b || u || r || f)) {
      u = true;
    } else if (c == 'r' && !(r || u)) {
      r = true;
    } else if (c == 'f' && !(f || b || u)) {
      f = true;
    } else {
      return false;
    }
  }
}

// At the opening quote.
void Lexer::string(const char* start) {
  const char quote = *p_;
  const int size = p_[1] == quote && p_[2] == quote ? 3 : 1;
  p_ += size;
  bool escaped_quote = false;
  for (int run = 0; run != size;) {
    if (at_end() || (size == 1 && (*p_ == '\n' || *p_ == '\r')))
      return unterminated(start, quote, size, escaped_quote);
    if (*p_ == quote) {
      ++run;
    } else {
      run = 0;
      if (*p_ == '\\' && p_ + 1 < end_) {
        ++p_;
        escaped_quote |= *p_ == quote;
        if (*p_ == '\r' && p_[1] == '\n') ++p_;
      }
    }
    ++p_;
  }
  add(Tok::kString, start);
}

void Lexer::unterminated(const char* start, char quote, int size, bool escaped_quote) {
  const char* quotes = start;
  while (*quotes != quote) ++quotes;
  if (!fstrings_.empty() && fstrings_.back().quote == quote &&
      fstrings_.back().quote_size == size) {
    error(Mistake::kUnterminated, start, quotes + size, "f-string: expecting '}'");
  } else if (size == 3) {
    error(Mistake::kUnterminated, start, quotes + size,
          fmt::format("unterminated triple-quoted string literal (detected at line {})",
                      line_of(p_ > text_ && p_[-1] == '\n' ? p_ - 1 : p_)));
  } else {
    error(Mistake::kUnterminated, start, quotes + size,
          fmt::format("unterminated string literal (detected at line {}){}", line_of(p_),
                      escaped_quote ? "; perhaps you escaped the end quote?" : ""));
  }
  if (!fstrings_.empty()) {
    brackets_.resize(fstrings_.front().level);
    fstrings_.clear();
  }
}

void Lexer::fstring(const char* start) {
  if (fstrings_.size() + 1 >= kMaxFStrings) {
    error(Mistake::kNesting, start, p_ + 1, "too many nested f-strings");
    return give_up();
  }
  FString f;
  f.start = start;
  f.quote = *p_;
  f.quote_size = p_[1] == f.quote && p_[2] == f.quote ? 3 : 1;
  f.raw = lower(start[0]) == 'r' || lower(start[1]) == 'r';
  f.level = brackets_.size();
  f.tokens = out_.tokens.size(), f.errors = out_.errors.size(), f.comments = out_.comments.size();
  p_ += f.quote_size;
  fstrings_.push_back(f);
  add(Tok::kFStringStart, start);
}

// Text up to the next field, the end of a format specification, or the end of the string.
void Lexer::fstring_text() {
  FString& f = fstrings_.back();
  const char* start = p_;
  bool in_unicode_name = false;  // within \N{…}
  for (;;) {
    if (at_end() || (f.quote_size == 1 && (*p_ == '\n' || *p_ == '\r'))) {
      if (!at_end() && f.in_format_spec && f.field >= 0) {
        f.in_text = f.in_format_spec = false;
        return add(Tok::kFStringMiddle, start);
      }
      return unterminated_fstring();
    }
    const char c = *p_;
    if (c == f.quote && (f.quote_size == 1 || (p_[1] == c && p_[2] == c))) {
      if (p_ > start) add(Tok::kFStringMiddle, start);
      const char* quotes = p_;
      p_ += f.quote_size;
      fstrings_.pop_back();
      if (brackets_.size() > f.level) {  // only within a format specification
        const char* at = brackets_.back().at;
        brackets_.resize(f.level);
        return error(Mistake::kUnterminated, at, at + 1, "f-string: expecting '}'");
      }
      return add(Tok::kFStringEnd, quotes);
    }
    if (c == '}' && in_unicode_name) {
      in_unicode_name = false;
    } else if (c == '{' || c == '}') {
      if (fstring_text_brace(start, c)) return;
      continue;
    } else if (c == '\\' && p_ + 1 < end_) {
      if (p_[1] == '{' || p_[1] == '}') {
        ++p_;
        continue;
      }
      ++p_;
      if (*p_ == '\r' && p_[1] == '\n') ++p_;
      if (*p_ == 'N' && p_[1] == '{' && !f.raw) ++p_, in_unicode_name = true;
    }
    ++p_;
  }
}

// At a brace in text. True: the token is complete and added.
bool Lexer::fstring_text_brace(const char* start, char c) {
  FString& f = fstrings_.back();
  const bool in_spec = f.in_format_spec && f.field >= 0;
  if (p_[1] == c && !in_spec) {
    add(Tok::kFStringMiddle, start, p_ + 1);  // a doubled brace is one
    p_ += 2;
    return true;
  }
  if (p_ > start) add(Tok::kFStringMiddle, start);
  if (c == '{' && ++f.field >= kMaxFieldNesting) {
    const char* at = p_++;
    error(Mistake::kNesting, at, p_, "f-string: expressions nested too deeply");
    leave_fstrings();
    return true;
  }
  f.in_text = false;
  if (c == '}') {
    close_bracket(c);
  } else {
    open_bracket(c);
  }
  return true;
}

// A field that is open at the end of the text. If its f-string was to end in its line, all behind
// that line is read again.
void Lexer::unclosed_field() {
  const FString f = fstrings_.front();
  const Bracket open = brackets_.back();
  LexError mistake{Mistake::kBracket, false, offset(open.at), offset(open.at) + 1,
                   fmt::format("'{}' was never closed", open.opening)};
  brackets_.resize(std::min(brackets_.size(), f.level));
  fstrings_.clear();
  if (f.quote_size == 1 && restarts_ < kMaxRestarts) {
    ++restarts_;
    if (out_.errors.size() > f.errors) mistake = out_.errors[f.errors];
    out_.tokens.resize(f.tokens);
    out_.errors.resize(f.errors);
    out_.comments.resize(f.comments);
    p_ = f.start;
    while (!at_end() && *p_ != '\n' && *p_ != '\r') ++p_;
  }
  error(mistake.mistake, text_ + mistake.begin, text_ + mistake.end, mistake.message);
}

void Lexer::unterminated_fstring() {
  const FString f = fstrings_.back();
  if (!f.in_text && !brackets_.empty()) return unclosed_field();
  const char* quotes = f.start;
  while (*quotes != f.quote) ++quotes;
  error(Mistake::kUnterminated, f.start, quotes + f.quote_size,
        fmt::format("unterminated {}f-string literal (detected at line {})",
                    f.quote_size == 3 ? "triple-quoted " : "",
                    line_of(at_end() && p_ > text_ && p_[-1] == '\n' ? p_ - 1 : p_)));
  brackets_.resize(std::min(brackets_.size(), fstrings_.front().level));
  fstrings_.clear();
}

// After a mistake within f-strings: goes on behind the outermost one.
void Lexer::leave_fstrings() {
  if (fstrings_.empty()) return;
  const FString f = fstrings_.front();
  brackets_.resize(std::min(brackets_.size(), f.level));
  fstrings_.clear();
  for (; !at_end(); ++p_) {
    if (f.quote_size == 1 && (*p_ == '\n' || *p_ == '\r')) return;
    if (*p_ == f.quote && (f.quote_size == 1 || (p_[1] == f.quote && p_[2] == f.quote))) {
      p_ += f.quote_size;
      return;
    }
    if (*p_ == '\\' && p_ + 1 < end_) ++p_;
  }
}

}  // namespace pyk2cu::frontend
