// What an expression means: a run-time value, or a thing that exists only while compiling.
//
// In:   made by inference, one kind of meaning per struct, each with what it needs and no more.
// Out:  Operand, a variant of them, with the place in the text where it stands.
// A default Operand is an Error: reported already, or not known yet; it absorbs what follows.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "typeinfer/decorators/roots.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::infer {

using types::Type;

struct Operand;

// Reported already, or pending.
struct Error {};

// A run-time value; a literal or folded constant is an ir::Const. Of an argument, and of what a
// version of a name holds, only the type is known: `expr` is null.
struct Value {
  explicit Value(ir::Expr* e) : expr(e), type(e->type) {}
  explicit Value(const Type* t) : type(t) {}

  ir::Expr* expr = nullptr;
  const Type* type;
};

// A module-level function, nested def or lambda.
struct Function {
  const decorators::Definition* definition;
  std::vector<Operand> parts{};  // of a Closure: what it captures, then its defaults
  bool is_own = false;  // made by the function in work: reading it reads its captures as they are
};

// An imported name or attribute path: "numpy", "math.sqrt", "builtins.len".
struct Qualified {
  std::string path;
};

// A function of an object: a.copy, z.conjugate.
struct Method {
  Symbol name;
  Value object;
};

// A scalar type: np.float32, numba.int64, a.dtype.
struct DType {
  const Type* type;
};

// np.iinfo(t), np.finfo(t)
struct TypeInfo {
  const Type* type;
};

// A sibling file.
struct Module {
  const decorators::ModuleInfo* info;
};

struct Range {
  Value lo, hi, step;  // of one integer type
  bool parallel;       // prange

  const Type* type() const { return lo.type; }
};

struct Enumerate {
  std::vector<Operand> parts;  // the iterable, the start
};

struct Zip {
  std::vector<Operand> parts;  // the iterables
};

struct Reversed {
  std::vector<Operand> parts;  // the iterable
};

// A call of a generator function, f(n), whose body runs where a loop goes over it.
struct Generated {
  ir::Function* function;
  std::vector<Operand> parts;      // the arguments
  Span at;                         // where the call stands
  std::vector<Symbol> captures{};  // variables around that it reads
  bool is_named = false;           // it was in a variable: another loop may have gone over it
};

// The elements of an array in C order, a.flat.
struct Flat {
  Value array;
  Span at;  // where `.flat` stands
};

// The entries of a set or a dict: d.items(), d.keys(), d.values(), or what a loop over it sees.
struct Entries {
  enum class Part : uint8_t { kKeys, kValues, kItems };
  Value table;
  Part part;
};

struct Slice {
  std::vector<Operand> parts;  // lower, upper, step; None where omitted
};

struct Str {
  std::string_view text;  // lives as long as the program
};

struct None {};

struct Ellipsis {};

// A tuple display of which some item is no run-time value.
struct Pack {
  std::vector<Operand> parts{};
};

// np.ndindex(shape), np.ndenumerate(array).
struct Grid {
  std::vector<ir::Expr*> extents{};
  ir::Expr* array = nullptr;  // whose elements come with the indices; null: none
};

// A named tuple class.
struct FieldClass {
  const decorators::FieldClass* fields;
};

struct Operand {
  std::variant<Error, Value, Function, Qualified, Method, DType, Module, Range, Enumerate, Zip,
               Reversed, Flat, Entries, Slice, Str, None, Ellipsis, Pack, Grid, FieldClass,
               TypeInfo, Generated>
      meaning{};
  Span span{};

  template <class T>
  bool is() const {
    return std::holds_alternative<T>(meaning);
  }
  template <class T>
  const T& as() const {  // must be one
    return *std::get_if<T>(&meaning);
  }
  bool is_value() const { return is<Value>(); }
  bool is_error() const { return is<Error>(); }

  // Of a Value, else null.
  ir::Expr* value() const { return is_value() ? as<Value>().expr : nullptr; }
  const Type* type() const { return is_value() ? as<Value>().type : nullptr; }
  void set_value(ir::Expr* e) { meaning = Value(e); }

  // What stands inside: of functions, sequences, slices and packs; else empty.
  std::span<const Operand> parts() const;
  std::span<Operand> parts();

  // The constant that the operand is, or null: `o.constant()->integer`.
  const ir::Const* constant() const {
    return is_value() ? ir::try_as<ir::Const>(value()) : nullptr;
  }
};

inline Operand error() { return {}; }

// A nested def or lambda: a Definition that knows which names it takes from the function around it.
struct Closure : decorators::Definition {
  std::vector<Symbol> captures{};
  std::vector<const ast::Expr*> defaults{};  // evaluated where the function is defined
};

// The type of an argument: its own, none, that of a string; null for what exists only while
// compiling.
const Type* argument_type(const Operand& o);

// Is it, or is there in it, a call of a generator?
bool holds_generated(const Operand& o);

// The value as an operand: None and constant strings are operands of their own.
Operand to_operand(ir::Expr* value);

// The parts of a function value that are defaults.
std::span<const Operand> defaults_of(const Operand& function);
// Is there anything among them that is computed when the program runs?
bool has_values(std::span<const Operand> operands);
size_t count_leaves(const Operand& o);  // values inside, in all
// Is the operand, or anything that it is made of, an error?
bool has_error(const Operand& o);

// Calls handler(Value&, Symbol) for each run-time value that the operand is made of, in the order
// in which parameters are made for them. The symbol is the variable that a function took the value
// from, and `name` of other values.
template <class Handler>
void for_each_value(Operand& o, Symbol name, const Handler& handler) {
  if (auto* value = std::get_if<Value>(&o.meaning)) return handler(*value, name);
  if (auto* method = std::get_if<Method>(&o.meaning)) return handler(method->object, name);
  if (auto* flat = std::get_if<Flat>(&o.meaning)) return handler(flat->array, name);
  if (auto* range = std::get_if<Range>(&o.meaning)) {
    for (Value* bound : {&range->lo, &range->hi, &range->step}) handler(*bound, name);
    return;
  }
  const std::span<Operand> parts = o.parts();
  const auto* captures = o.is<Function>() && !parts.empty()
                             ? &static_cast<const Closure*>(o.as<Function>().definition)->captures
                             : nullptr;
  for (size_t k = 0; k < parts.size(); ++k)
    for_each_value(parts[k], captures && k < captures->size() ? (*captures)[k] : name, handler);
}
template <class Handler>
void for_each_value(Operand& o, const Handler& handler) {
  for_each_value(o, Symbol(), [&](Value& value, Symbol) { handler(value); });
}

}  // namespace pyk2cu::infer
