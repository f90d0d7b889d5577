// A piece of C++ with the precedence of its outermost operator, so that parentheses appear where
// they are needed and nowhere else, and with the places where its line may be broken.
//
// In:   Code of operands.  Out: Code of the whole; at(code, prec) is its text, parenthesised if it
// binds less tightly than prec. The text holds marks: a group, whose continuations line up with its
// beginning, and breaks in it. Writer lays them out; they never reach a file.
// Tested by tests/unit/emit/text_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace pyk2cu::emit {

// C++'s precedence, tighter is greater.
enum class Prec : unsigned char {
  kComma,
  kAssign,
  kTernary,
  kOr,
  kAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEquality,
  kRelational,
  kShift,
  kAdditive,
  kMultiplicative,
  kUnary,
  kPostfix,
  kPrimary,
};

namespace mark {
constexpr char kOpen = '\1', kClose = '\2';  // a group
constexpr char kBreak = '\3';                // a space, or the end of the line
constexpr char kCut = '\4';                  // nothing, or the end of the line
constexpr bool is_mark(char c) { return c >= kOpen && c <= kCut; }
}  // namespace mark

struct Code {
  std::string text;
  Prec prec = Prec::kPrimary;
};

inline Prec tighter(Prec prec) { return static_cast<Prec>(static_cast<int>(prec) + 1); }

// The text as a group, where it has breaks at all.
std::string group(std::string_view text);
// As an operand of something that binds with `prec`: operands of the same precedence, a + b in
// a + b + c, are one group with it.
inline std::string at(const Code& code, Prec prec) {
  if (code.prec < prec) return "(" + group(code.text) + ")";
  return code.prec == prec ? code.text : group(code.text);
}

// The text without its marks, on one line.
std::string plain(std::string_view text);
// The first character that is printed; 0: none.
char first_of(const Code& code);

// "a, b, c", which may be broken behind every comma.
class ListText {
 public:
  void add(std::string_view item);
  bool empty() const { return text_.empty(); }
  // f(a, b, c), head(a, b, c): the list in parentheses, as a group.
  std::string in(std::string_view open, std::string_view close = ")") const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace pyk2cu::emit
