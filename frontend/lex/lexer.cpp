// Lines, indentation, names and punctuation. Strings and numbers are in files of their own.
//
// In:   the text of a file.  Out: TokenStream.
// Tested by tests/unit/frontend/lex_test.cpp, tests/run/test_dump_ast.py.
#include "frontend/lex/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "frontend/lex/unicode.h"

namespace pyk2cu::frontend {
namespace {

bool is_name_start(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 128;
}
bool is_name_char(unsigned char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

struct Keyword {
  std::string_view text;
  Tok kind;
};
constexpr Keyword kKeywords[] = {
#define PYK_OP(name, text)
#define PYK_KEYWORD(name, text) {text, Tok::k##name},
#include "frontend/lex/tokens.def"
#undef PYK_OP
#undef PYK_KEYWORD
};

// Keywords by first letter, so that a name is compared with few of them.
struct KeywordIndex {
  uint8_t first[128] = {}, count[128] = {};
  Keyword sorted[std::size(kKeywords)] = {};
  constexpr KeywordIndex() {
    size_t n = 0;
    for (int c = 0; c < 128; ++c) {
      first[c] = static_cast<uint8_t>(n);
      for (const Keyword& k : kKeywords)
        if (k.text[0] == c) sorted[n++] = k;
      count[c] = static_cast<uint8_t>(n - first[c]);
    }
  }
};
constexpr KeywordIndex kIndex;

Tok name_kind(const char* begin, const char* end) {
  const std::string_view text(begin, static_cast<size_t>(end - begin));
  if (text.size() < 2 || text.size() > 8) return Tok::kName;
  const auto c = static_cast<unsigned char>(*begin);
  if (c >= 128) return Tok::kName;
  for (int i = kIndex.first[c], n = i + kIndex.count[c]; i < n; ++i)
    if (kIndex.sorted[i].text == text) return kIndex.sorted[i].kind;
  return Tok::kName;
}

}  // namespace

std::string_view text_of(Tok kind) {
  switch (kind) {
#define PYK_OP(name, text) \
  case Tok::k##name:       \
    return text;
#define PYK_KEYWORD(name, text) PYK_OP(name, text)
#include "frontend/lex/tokens.def"
#undef PYK_OP
#undef PYK_KEYWORD
    default:
      return {};
  }
}

TokenStream lex(const SourceFile& file) { return Lexer(file).run(); }

Lexer::Lexer(const SourceFile& file)
    : file_(file), text_(file.text.data()), end_(text_ + file.text.size()), p_(text_) {}

TokenStream Lexer::run() {
  const char* text_end = end_;
  if (const void* nul = std::memchr(text_, 0, file_.text.size()))
    end_ = static_cast<const char*>(nul);
  out_.tokens.reserve(file_.text.size() / 4 + 16);
  for (;;) {
    while (!at_end()) {
      if (!fstrings_.empty() && fstrings_.back().in_text) {
        fstring_text();
      } else if (line_begins_) {
        line_start();
      } else {
        token();
      }
    }
    if (!fstrings_.empty() && !stopped_) {
      unterminated_fstring();
      continue;
    }
    if (brackets_.empty() || stopped_) break;
    unclosed();
  }
  if (end_ != text_end && !stopped_)
    error(Mistake::kNul, end_, end_ + 1, "source code cannot contain null bytes");
  end_of_file();
  return std::move(out_);
}

void Lexer::add(Tok kind, const char* begin, const char* end) {
  out_.tokens.push_back(
      {kind, false, static_cast<uint16_t>(brackets_.size()), offset(begin), offset(end)});
}

void Lexer::error(Mistake mistake, const char* begin, const char* end, std::string message,
                  bool goes_on) {
  if (stopped_) return;
  const auto index = static_cast<uint32_t>(out_.errors.size());
  out_.tokens.push_back({Tok::kError, false, 0, offset(begin), index});
  out_.errors.push_back({mistake, goes_on, offset(begin), offset(end), std::move(message)});
  if (index >= kMaxErrors) give_up();
}

int Lexer::line_of(const char* at) const {
  int line = 1;
  for (const char* q = text_; q < at; ++q)
    if (*q == '\n' || (*q == '\r' && q[1] != '\n')) ++line;
  return line;
}

void Lexer::end_of_file() {
  const Token last = out_.tokens.empty() ? Token{Tok::kNewline} : out_.tokens.back();
  brackets_.clear();
  const char* at = end_;  // on the last line, even if that is terminated
  if (at > text_ && at[-1] == '\n') --at;
  if (at > text_ && at < end_ && at[-1] == '\r') --at;
  if (last.kind != Tok::kNewline && last.kind != Tok::kDedent) add(Tok::kNewline, at, at);
  for (size_t i = 1; i < indents_.size(); ++i) add(Tok::kDedent, at, at);
  for (int i = 0; i < 4; ++i) add(Tok::kEnd, at, at);
}

// A bracket was open at the end of the text. What stands behind the outermost open bracket is read
// again, and now a line that looks like a statement ends the brackets.
void Lexer::unclosed() {
  if (recovering_ || restarts_ >= kMaxRestarts) {
    if (!recovering_) error(Mistake::kBracket, brackets_.back().at, brackets_.back().at + 1, "");
    if (!recovering_) unclosed_error_ = out_.errors.size() - 1;
    return end_unclosed();
  }
  ++restarts_;
  recovering_ = true;
  const Bracket open = brackets_.back();
  LexError mistake{Mistake::kBracket, false, offset(open.at), offset(open.at) + 1,
                   fmt::format("'{}' was never closed", open.opening)};
  const bool earlier = out_.errors.size() > outermost_.errors;
  if (earlier) mistake = out_.errors[outermost_.errors];
  out_.tokens.resize(outermost_.tokens);
  out_.errors.resize(outermost_.errors);
  out_.comments.resize(outermost_.comments);
  brackets_.resize(1);
  p_ = outermost_.at;
  line_begins_ = false;
  unclosed_error_ = earlier ? kNoError : out_.errors.size();
  error(mistake.mistake, text_ + mistake.begin, text_ + mistake.end, mistake.message);
}

// Where brackets that are never closed end: the innermost one is to blame.
void Lexer::end_unclosed() {
  if (unclosed_error_ != kNoError && unclosed_error_ < out_.errors.size() && !brackets_.empty()) {
    LexError& e = out_.errors[unclosed_error_];
    e.begin = offset(brackets_.back().at), e.end = e.begin + 1;
    e.message = fmt::format("'{}' was never closed", brackets_.back().opening);
  }
  unclosed_error_ = kNoError;
  brackets_.clear();
  recovering_ = false;
}

bool Lexer::statement_keyword_here() const {
  const char* q = p_;
  while (q < end_ && is_name_char(static_cast<unsigned char>(*q))) ++q;
  switch (name_kind(p_, q)) {
    case Tok::kAssert:
    case Tok::kBreak:
    case Tok::kClass:
    case Tok::kContinue:
    case Tok::kDef:
    case Tok::kDel:
    case Tok::kExcept:
    case Tok::kFinally:
    case Tok::kGlobal:
    case Tok::kImport:
    case Tok::kNonlocal:
    case Tok::kPass:
    case Tok::kRaise:
    case Tok::kReturn:
    case Tok::kTry:
    case Tok::kWhile:
    case Tok::kWith:
      return true;
    default:
      return false;
  }
}

// Reads the white space of a line and, unless the line is blank or within brackets, sets the
// indentation.
void Lexer::line_start() {
  line_begins_ = false;
  int column = 0, alt_column = 0, continued_column = 0;
  for (; !at_end(); ++p_) {
    if (*p_ == ' ') {
      ++column, ++alt_column;
    } else if (*p_ == '\t') {
      column = (column / 8 + 1) * 8, ++alt_column;
    } else if (*p_ == '\f') {
      column = alt_column = 0;
    } else if (*p_ == '\\') {
      if (continued_column == 0) continued_column = column;
      if (!continuation()) return;
      --p_;
    } else {
      break;
    }
  }
  if (at_end() || *p_ == '#' || *p_ == '\n' || *p_ == '\r') {
    if (!at_end() && *p_ == '#') comment();
    if (!at_end() && (*p_ == '\n' || *p_ == '\r')) {
      p_ += *p_ == '\r' && p_[1] == '\n' ? 2 : 1;
      line_begins_ = true;
    }
    return;
  }
  if (!brackets_.empty()) {
    const bool outside =
        column <= indents_.back().first && is_name_start(static_cast<unsigned char>(*p_));
    if (!recovering_ || !fstrings_.empty() || !(outside || statement_keyword_here())) return;
    end_unclosed();
    add(Tok::kNewline, p_);
  }
  if (continued_column) column = alt_column = continued_column;
  set_indentation(column, alt_column);
}

void Lexer::set_indentation(int column, int alt_column) {
  auto inconsistent = [&] {
    error(Mistake::kIndentation, p_, p_, "inconsistent use of tabs and spaces in indentation",
          true);
  };
  if (column == indents_.back().first) {
    if (alt_column != indents_.back().second) inconsistent();
  } else if (column > indents_.back().first) {
    if (indents_.size() >= kMaxIndent) {
      error(Mistake::kNesting, p_, p_, "too many levels of indentation");
      return give_up();
    }
    if (alt_column <= indents_.back().second) inconsistent();
    indents_.push_back({column, alt_column});
    add(Tok::kIndent, p_);
  } else {
    while (indents_.size() > 1 && column <= indents_[indents_.size() - 2].first) {
      indents_.pop_back();
      add(Tok::kDedent, p_);
    }
    if (column != indents_.back().first) {
      error(Mistake::kIndentation, p_, p_, "unindent does not match any outer indentation level",
            true);
      indents_.back() = {column, alt_column};
    } else if (alt_column != indents_.back().second) {
      inconsistent();
    }
  }
}

void Lexer::comment() {
  const char* start = p_;
  while (!at_end() && *p_ != '\n' && *p_ != '\r') ++p_;
  out_.comments.push_back({file_.base + offset(start), file_.base + offset(p_)});
}

void Lexer::newline() {
  const char* start = p_;
  p_ += *p_ == '\r' && p_[1] == '\n' ? 2 : 1;
  line_begins_ = true;
  if (brackets_.empty()) add(Tok::kNewline, start);
}

// At a backslash: goes to the beginning of the next line.
bool Lexer::continuation() {
  const char* start = p_++;
  if (!at_end() && (*p_ == '\n' || *p_ == '\r')) {
    p_ += *p_ == '\r' && p_[1] == '\n' ? 2 : 1;
    if (!at_end()) return true;
    error(Mistake::kSyntax, start, start + 1, "unexpected EOF while parsing");
    return false;
  }
  if (at_end()) {
    error(Mistake::kSyntax, start, start + 1, "unexpected EOF while parsing");
    return false;
  }
  error(Mistake::kSyntax, p_, p_ + 1, "unexpected character after line continuation character");
  while (!at_end() && *p_ != '\n' && *p_ != '\r') ++p_;
  return false;
}

void Lexer::token() {
  while (*p_ == ' ' || *p_ == '\t' || *p_ == '\f') ++p_;
  if (at_end()) return;
  const auto c = static_cast<unsigned char>(*p_);
  if (is_name_start(c)) {
    if (!string_prefix()) name();
  } else if (c >= '0' && c <= '9') {
    number();
  } else if (c == '\n' || c == '\r') {
    newline();
  } else if (c == '#') {
    comment();
  } else if (c == '\'' || c == '"') {
    string(p_);
  } else if (c == '.' && p_[1] >= '0' && p_[1] <= '9') {
    number();
  } else if (c == '\\') {
    continuation();
  } else {
    punctuation();
  }
}

void Lexer::name() {
  const char* start = p_;
  bool nonascii = false;
  for (; is_name_char(static_cast<unsigned char>(*p_)) && !at_end(); ++p_)
    nonascii |= static_cast<unsigned char>(*p_) >= 128;
  if (nonascii) return nonascii_name(start);
  add(name_kind(start, p_), start);
}

void Lexer::nonascii_name(const char* start) {
  const char* end = p_;
  for (const char* q = start; q < end;) {
    const char* here = q;
    const uint32_t c = unicode::decode(q, end);
    if (here == start ? unicode::is_xid_start(c) || c == '_' : unicode::is_xid_continue(c))
      continue;
    if (here > start) add(Tok::kName, start, here);
    p_ = q;
    const std::string_view shown(here, static_cast<size_t>(q - here));
    return error(Mistake::kSyntax, here, q,
                 unicode::is_printable(c)
                     ? fmt::format("invalid character '{}' (U+{:04X})", shown, c)
                     : fmt::format("invalid non-printable character U+{:04X}", c));
  }
  add(Tok::kName, start);
  out_.tokens.back().nonascii = true;
}

void Lexer::punctuation() {
  const char c = *p_;
  if (in_field()) {
    FString& f = fstrings_.back();
    if (c == ':' && f.depth - 1 == f.field) {
      ++p_;
      add(Tok::kColon, p_ - 1);
      f.in_text = f.in_format_spec = true;
      return;
    }
  }
  switch (c) {
    case '(':
    case '[':
    case '{':
      return open_bracket(c);
    case ')':
    case ']':
    case '}':
      return close_bracket(c);
    default:
      return operator_token();
  }
}

void Lexer::operator_token() {
  const char* start = p_;
  const char c = p_[0], c2 = c ? p_[1] : '\0', c3 = c2 ? p_[2] : '\0';
  auto one = [&](Tok kind) { p_ += 1, add(kind, start); };
  auto two = [&](Tok kind) { p_ += 2, add(kind, start); };
  auto three = [&](Tok kind) { p_ += 3, add(kind, start); };
  auto with_equal = [&](Tok plain, Tok equal) { c2 == '=' ? two(equal) : one(plain); };
  auto doubled = [&](Tok plain, Tok equal, Tok twice, Tok twice_equal) {
    if (c2 == c) return c3 == '=' ? three(twice_equal) : two(twice);
    with_equal(plain, equal);
  };
  switch (c) {
    case ':':
      return with_equal(Tok::kColon, Tok::kColonEqual);
    case ',':
      return one(Tok::kComma);
    case ';':
      return one(Tok::kSemicolon);
    case '.':
      return c2 == '.' && c3 == '.' ? three(Tok::kEllipsis) : one(Tok::kDot);
    case '=':
      return with_equal(Tok::kEqual, Tok::kEqEqual);
    case '!':
      return with_equal(Tok::kExclamation, Tok::kNotEqual);
    case '+':
      return with_equal(Tok::kPlus, Tok::kPlusEqual);
    case '-':
      return c2 == '>' ? two(Tok::kArrow) : with_equal(Tok::kMinus, Tok::kMinusEqual);
    case '*':
      return doubled(Tok::kStar, Tok::kStarEqual, Tok::kDoubleStar, Tok::kDoubleStarEqual);
    case '/':
      return doubled(Tok::kSlash, Tok::kSlashEqual, Tok::kDoubleSlash, Tok::kDoubleSlashEqual);
    case '%':
      return with_equal(Tok::kPercent, Tok::kPercentEqual);
    case '@':
      return with_equal(Tok::kAt, Tok::kAtEqual);
    case '|':
      return with_equal(Tok::kVBar, Tok::kVBarEqual);
    case '&':
      return with_equal(Tok::kAmper, Tok::kAmperEqual);
    case '^':
      return with_equal(Tok::kCircumflex, Tok::kCircumflexEqual);
    case '~':
      return one(Tok::kTilde);
    case '<':
      if (c2 == '>') return two(Tok::kLessGreater);
      return doubled(Tok::kLess, Tok::kLessEqual, Tok::kLeftShift, Tok::kLeftShiftEqual);
    case '>':
      return doubled(Tok::kGreater, Tok::kGreaterEqual, Tok::kRightShift, Tok::kRightShiftEqual);
    default:
      break;
  }
  if (c > ' ' && c < 127) return one(Tok::kUnknown);
  ++p_;
  error(Mistake::kSyntax, start, p_,
        fmt::format("invalid non-printable character U+{:04X}", static_cast<unsigned char>(c)));
}

void Lexer::open_bracket(char c) {
  const char* start = p_++;
  if (brackets_.size() >= kMaxLevel) {
    error(Mistake::kNesting, start, p_, "too many nested parentheses");
    return give_up();
  }
  brackets_.push_back({c, start});
  if (!fstrings_.empty()) ++fstrings_.back().depth;
  add(c == '(' ? Tok::kLParen : c == '[' ? Tok::kLBracket : Tok::kLBrace, start);
  if (brackets_.size() == 1)
    outermost_ = {p_, out_.tokens.size(), out_.errors.size(), out_.comments.size()};
}

// A closing bracket that does not match the innermost one ends the one that it matches, or just the
// innermost.
void Lexer::close_outer_bracket(char c) {
  const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
  size_t n = brackets_.size();
  while (n > 0 && brackets_[n - 1].opening != opening) --n;
  brackets_.resize(n > 0 ? n - 1 : brackets_.size() - 1);
}

void Lexer::close_bracket(char c) {
  const char* start = p_++;
  auto fstring_error = [&](std::string message) {
    error(Mistake::kBracket, start, p_, std::move(message));
    leave_fstrings();
  };
  FString* f = fstrings_.empty() ? nullptr : &fstrings_.back();
  if (f && f->depth == 0 && c == '}') return fstring_error("f-string: single '}' is not allowed");
  if (brackets_.empty())
    return error(Mistake::kBracket, start, p_, fmt::format("unmatched '{}'", c));
  const Bracket open = brackets_.back();
  const char expected = open.opening == '(' ? ')' : open.opening == '[' ? ']' : '}';
  if (c != expected) {
    if (f && open.opening == '{' && f->depth - 1 == f->field)
      return fstring_error(fmt::format("f-string: unmatched '{}'", c));
    const int line = line_of(open.at);
    std::string message = fmt::format(
        "closing parenthesis '{}' does not match opening parenthesis '{}'", c, open.opening);
    if (line != line_of(start)) message += fmt::format(" on line {}", line);
    if (f) return fstring_error(std::move(message));
    close_outer_bracket(c);
    return error(Mistake::kBracket, start, p_, std::move(message));
  }
  brackets_.pop_back();
  if (f) {
    if (f->depth == 0) return fstring_error(fmt::format("f-string: unmatched '{}'", c));
    --f->depth;
    if (c == '}' && f->depth == f->field) {
      --f->field;
      f->in_text = true;
      f->in_format_spec = f->field >= 0;
    }
  }
  add(c == ')' ? Tok::kRParen : c == ']' ? Tok::kRBracket : Tok::kRBrace, start);
}

}  // namespace pyk2cu::frontend
