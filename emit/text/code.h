// A piece of C++ with the precedence of its outermost operator, so that parentheses appear where
// they are needed and nowhere else.
//
// In:   Code of operands.  Out: Code of the whole; at(code, prec) is its text, parenthesised if it
// binds less tightly than prec. Tested by tests/unit/emit/text_test.cpp.
#pragma once

#include <string>
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

struct Code {
  std::string text;
  Prec prec = Prec::kPrimary;
};

inline Prec tighter(Prec prec) { return static_cast<Prec>(static_cast<int>(prec) + 1); }

inline std::string at(const Code& code, Prec prec) {
  return code.prec < prec ? "(" + code.text + ")" : code.text;
}

}  // namespace pyk2cu::emit
