// Compile-time values: what module-level constants, defaults and literal expressions fold to.
//
// Integers are Python's (here: exact in 128 bits, else unfoldable); a NumPy scalar keeps its dtype.
// Tested by tests/unit/typeinfer/fold_test.cpp.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/ast/ast.h"
#include "typeinfer/types/types.h"

namespace pyk2cu::fold {

struct Value {
  enum class Kind : uint8_t {
    kNone,
    kBool,
    kInt,
    kFloat,
    kComplex,
    kStr,
    kTuple,
    kArray,
    kType,
    kEllipsis,
    kDict,
    kFunction,
    kOpaque,  // what does not fold, as an item of a dict whose other items do
  } kind = Kind::kNone;
  __int128 integer = 0;             // kBool, kInt
  std::complex<double> number = 0;  // kFloat, kComplex
  std::string text{};               // kStr
  std::vector<Value> items{};       // kTuple; kDict: key, value, key, value…
  std::vector<Symbol> names{};      // kTuple: the fields of a named tuple
  Symbol class_name{};              // and its class; of a member of an enumeration its own name
  bool is_member = false;           // of an enumeration whose members are no numbers
  const void* function = nullptr;   // kFunction: the decorators::Definition
  const types::Type* type =
      nullptr;  // kType; or the dtype of a NumPy scalar (np.float32(2)), else null
  // kArray: C order
  std::vector<int64_t> shape{};
  std::string bytes{};  // elements of `type`'s elem; `type` is the array type
};

bool is_partial(const Value& v);  // a dict of which some values do not fold

// A function of the program: it is true, and nothing else.
Value of_function(const void* definition);

// What an attribute of a sibling file means: a constant, a qualified name, or neither.
struct Member {
  const Value* value = nullptr;
  std::string qualified{};
};

// A named tuple class; null defaults where a value must be given.
struct Fields {
  Symbol name{};
  std::vector<Symbol> fields{};
  std::vector<const Value*> defaults{};
};

// Resolves names while folding; returns null for what is not a constant.
struct Scope {
  virtual const Value* find(Symbol name) const = 0;
  virtual std::string qualified(Symbol name) const = 0;  // "numpy", "math", "math.pi", ""
  // What a list of the host program holds now, which is no constant; null: none.
  virtual const Value* list(Symbol) const { return nullptr; }
  // Of `util.name` where `util` is a sibling file.
  virtual std::optional<Member> member(const ast::Attribute&) const { return std::nullopt; }
  // The named tuple class that a name or an attribute of a sibling file is.
  virtual std::optional<Fields> fields(const ast::Expr&) const { return std::nullopt; }
  virtual ~Scope() = default;
};

// The value that CPython and NumPy would compute, or nothing when it does not fold from the text.
std::optional<Value> fold(const ast::Expr& expr, const Scope& scope);

// The same of a list or a comprehension, as a tuple of what it holds now.
std::optional<Value> fold_list(const ast::Expr& expr, const Scope& scope);

// The innermost part for which an expression does not fold.
const ast::Expr& unfolded(const ast::Expr& expr, const Scope& scope);

// Single operations on values, nothing where Python would raise.
std::optional<Value> binary(ast::Operator op, const Value& a, const Value& b);
std::optional<bool> compare(ast::CompareOperator op, const Value& a, const Value& b);
std::optional<bool> truth(const Value& v);

// The type that Numba gives such a value when a kernel captures or writes it: int64 (uint64 from
// 2**63), float64, bool, complex128, tuples of these, arrays; null when it has none.
const types::Type* type_of(const Value& value);

}  // namespace pyk2cu::fold
