// The lexer's own class; others call lex() of token.h.
//
// In:   text without NUL bytes (the first one ends it).  Out: tokens, mistakes, comments.
// Follows CPython's tokenizer: bracket levels, columns of tabs, f-strings as nested token
// sequences. Where CPython stops at a mistake, this goes on behind it, so that later statements can
// be read. Tested by tests/unit/frontend/lex_test.cpp.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "frontend/lex/token.h"

namespace pyk2cu::frontend {

class Lexer {
 public:
  explicit Lexer(const SourceFile& file);
  TokenStream run();

 private:
  static constexpr int kMaxLevel = 200, kMaxIndent = 100, kMaxFStrings = 150;
  static constexpr size_t kNoError = static_cast<size_t>(-1);
  static constexpr int kMaxFieldNesting = 3, kMaxErrors = 1000, kMaxRestarts = 20;

  struct Bracket {
    char opening;
    const char* at;
  };
  struct FString {        // one f-string that is open
    bool in_text = true;  // reading text, not an expression
    bool raw = false;
    bool in_format_spec = false;
    char quote = 0;
    int quote_size = 1;
    const char* start = nullptr;
    size_t tokens = 0, errors = 0, comments = 0;  // how many there were before it
    size_t level = 0;                             // brackets that were open before it
    int depth = 0;                                // brackets open within it
    int field = -1;  // depth at which the innermost replacement field was opened
  };

  // lexer.cpp: lines, names, punctuation
  void line_start();
  int indentation();
  void set_indentation(int column, int alt_column);
  void token();
  void comment();
  void newline();
  void name();
  void nonascii_name(const char* start);
  bool continuation();
  void punctuation();
  void operator_token();
  void open_bracket(char c);
  void close_bracket(char c);
  void close_outer_bracket(char c);
  void end_of_file();
  void unclosed();
  void end_unclosed();
  bool statement_keyword_here() const;

  // strings.cpp
  bool string_prefix();
  void string(const char* start);
  void unterminated(const char* start, char quote, int size, bool escaped_quote);
  void fstring(const char* start);
  void fstring_text();
  bool fstring_text_brace(const char* start, char c);
  void unterminated_fstring();
  void unclosed_field();
  void leave_fstrings();

  // numbers.cpp
  void number();
  bool radix_number(int base, const char* kind);
  bool decimal_tail();
  bool number_ends(const char* kind);
  bool exponent();

  void add(Tok kind, const char* begin) { add(kind, begin, p_); }
  void add(Tok kind, const char* begin, const char* end);
  void error(Mistake mistake, const char* begin, const char* end, std::string message,
             bool goes_on = false);
  void give_up() { p_ = end_, stopped_ = true; }
  bool at_end() const { return p_ >= end_; }
  bool in_field() const { return !fstrings_.empty() && fstrings_.back().field >= 0; }
  uint32_t offset(const char* at) const { return static_cast<uint32_t>(at - text_); }
  int line_of(const char* at) const;

  const SourceFile& file_;
  const char* text_;
  const char* end_;
  const char* p_;
  TokenStream out_;
  bool line_begins_ = true;
  bool stopped_ = false;
  bool recovering_ = false;  // a line that begins with a statement's keyword ends all brackets
  int restarts_ = 0;
  size_t unclosed_error_ = kNoError;  // to be told which bracket
  struct {
    const char* at = nullptr;
    size_t tokens = 0, errors = 0, comments = 0;
  } outermost_;  // state at the bracket that was opened at level 0
  std::vector<std::pair<int, int>> indents_{{0, 0}};
  std::vector<Bracket> brackets_;
  std::vector<FString> fstrings_;
};

}  // namespace pyk2cu::frontend
