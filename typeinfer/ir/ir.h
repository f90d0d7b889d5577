// The typed program: what inference makes and every later stage reads.
//
// Every expression is typed and has a span; every conversion is explicit; calls are resolved; order
// of evaluation is explicit: whatever may raise or must run once stands in a statement of its own
// (see the invariants). Verified by verify.h, printed by dump.h.
//
// Invariants
//   1. A Call whose callee may raise, and a NewArray, is the whole value of an Assign, Return or
//   Eval.
//      Other expressions never raise: division and the like are preceded by an If with a Raise.
//   2. Operands are free of side effects except calls of Builtins flagged Effect, which obey rule 1
//   too.
//   3. Binary, Compare and Select operands already have the types that the operation computes in
//      (exceptions: shifts and ** keep an exponent or count of another type); Convert says how.
//   4. An Element or Store index is an integer of any width. `wrap` means that it may be negative
//   and
//      then counts from the end; passes clear it where the index is proven non-negative.
//   5. Array parameters are views. An array local holds a view; `owned` ones also keep memory
//   alive.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "frontend/base/arena.h"
#include "frontend/base/source_map.h"
#include "frontend/base/span.h"
#include "frontend/base/symbol.h"
#include "typeinfer/types/promote.h"
#include "typeinfer/types/types.h"

namespace pyk2cu::builtins {
struct Row;  // typeinfer/builtins/registry.h
}

namespace pyk2cu::ir {

using types::BinaryOp;
using types::CompareOp;
using types::Type;
using types::UnaryOp;

enum class ExprKind : uint8_t {
#define PYK_EXPR(kind) k##kind,
#define PYK_STMT(kind)
#include "typeinfer/ir/nodes.def"
#undef PYK_EXPR
#undef PYK_STMT
};
enum class StmtKind : uint8_t {
#define PYK_EXPR(kind)
#define PYK_STMT(kind) k##kind,
#include "typeinfer/ir/nodes.def"
#undef PYK_EXPR
#undef PYK_STMT
};

struct Function;
struct Expr;
struct Stmt;
using Block = std::vector<Stmt*>;

// A constant. Integers are kept as two's complement bits; the node's type says how to read them.
struct Value {
  enum class Kind : uint8_t { kNone, kBool, kInt, kFloat, kComplex, kStr } kind = Kind::kNone;
  int64_t integer = 0;              // kBool, kInt
  std::complex<double> number = 0;  // kFloat (real part), kComplex
  std::string_view text{};          // kStr; in the program's arena
};

// A variable. Versions of one source name that have one type are one Local; another type makes a
// Local of the same name with the next version, printed `name_2`.
struct Local {
  Symbol name;
  int version = 1;
  const Type* type = nullptr;
  Span span{};  // where it is first assigned
  bool is_param = false;
  bool is_temp = false;  // made by the compiler; `name` is a readable stem
  bool maybe_unbound =
      false;           // some read may come before any assignment: needs a `name_is_set` flag
  bool owned = false;  // array: may hold memory allocated here (set by emit/lower)
};

// ---- expressions -------------------------------------------------------------------------------
struct Expr {
  ExprKind kind;
  const Type* type = nullptr;
  Span span{};
};

struct Index {
  Expr* value = nullptr;
  bool wrap = true;    // may be negative: counts from the end
  bool check = false;  // --boundscheck: a raise precedes; set by inference, cleared where proven
};
struct Subscript {
  enum class Kind : uint8_t { kIndex, kSlice, kNewAxis } kind = Kind::kIndex;
  Index index{};                                       // kIndex
  Expr *lo = nullptr, *hi = nullptr, *step = nullptr;  // kSlice: int64 or null where omitted
};

enum class QueryOp : uint8_t { kLen, kShape, kStride, kSize, kItemSize, kNBytes };
enum class ConvertOp : uint8_t {
  kExact,   // every value survives: int32 -> int64, float32 -> float64, real -> complex
  kRound,   // nearest: int64 -> float64, float64 -> float32
  kWrap,    // integer to narrower or other-signed integer: modulo 2**bits
  kTrunc,   // float -> integer: toward zero, saturating, NaN gives 0
  kTruth,   // any number -> bool: value != 0
  kLayout,  // array -> same array with a weaker layout (C or F -> A) or readonly
  kTuple,   // item by item
};
enum class LaneOp : uint8_t { kThread, kBlock, kBlockDim, kGridDim, kGrid, kGridSize, kLaneId };
enum class Fill : uint8_t { kUninitialized, kZero, kOne, kValue };

struct Const : Expr {
  Value value;
};
struct Load : Expr {
  Local* local;
};
struct GlobalArray {  // a module-level NumPy array, frozen when the program is compiled
  Symbol name;
  const Type* type = nullptr;  // array type, layout C
  std::vector<int64_t> shape{};
  std::string bytes{};   // shape product * item size, native byte order
  std::string symbol{};  // C++ name, unique in the program; set by emission
};
struct Global : Expr {
  const GlobalArray* array;
};
struct Element : Expr {
  Expr* array;
  std::vector<Index>* indices;
};
struct View : Expr {
  Expr* array;
  std::vector<Subscript>* subscripts;
};
struct Query : Expr {
  QueryOp op;
  Expr* operand;
  int axis;
};  // kLen: array or tuple; int64 result
struct NewArray : Expr {
  Fill fill;
  std::vector<Expr*>* shape;
  Expr* value;
};
struct Unary : Expr {
  UnaryOp op;
  Expr* operand;
};
struct Binary : Expr {
  BinaryOp op;
  Expr* left;
  Expr* right;
  bool natural = false;  // // and %: left >= 0 and right > 0 wherever this is evaluated
};
struct Compare : Expr {
  CompareOp op;
  Expr* left;
  Expr* right;
};
struct Logical : Expr {
  bool is_and;
  Expr* left;
  Expr* right;
};
struct Select : Expr {
  Expr* condition;
  Expr* yes;
  Expr* no;
};
struct Convert : Expr {
  ConvertOp op;
  Expr* operand;
};
struct Call : Expr {
  Function* callee;
  std::vector<Expr*>* args;
};
// type_args: extra C++ template arguments (e.g. the dtype of a constructor-like function).
struct Builtin : Expr {
  const builtins::Row* row;
  std::vector<Expr*>* args;
  std::vector<const Type*>* type_args;  // may be null
};
struct Tuple : Expr {
  std::vector<Expr*>* items;
};
struct Item : Expr {
  Expr* tuple;
  int index;
};
struct ItemAt : Expr {
  Expr* tuple;
  Index index;
};
struct Wrap : Expr {
  Expr* operand;
};  // null: None
struct Unwrap : Expr {
  Expr* operand;
};
struct HasValue : Expr {
  Expr* operand;
};
struct Lane : Expr {
  LaneOp op;
  int axis;
};  // axis 0 is x

// ---- statements --------------------------------------------------------------------------------
struct Stmt {
  StmtKind kind;
  Span span{};
};

enum class LoopKind : uint8_t { kSerial, kParallel };
enum class ReduceOp : uint8_t { kAdd, kMul, kMin, kMax, kAnd, kOr, kXor, kLogicalAnd, kLogicalOr };
struct Reduction {
  ReduceOp op;
  Local* local;
};

struct Assign : Stmt {
  Local* local;
  Expr* value;
};
struct Store : Stmt {
  Expr* array;
  std::vector<Index>* indices;
  Expr* value;
};
struct If : Stmt {
  Expr* condition;
  Block* body;
  Block* orelse;
};  // orelse may be empty
// for index = lo; index < hi (or > for negative step); index += step. lo, hi, step are evaluated
// once. `index` belongs to the loop: nothing else assigns it, nothing reads it afterwards.
struct For : Stmt {
  Local* index;
  Expr *lo, *hi, *step;
  LoopKind loop;
  Block* body;
  // filled by emit/lower for kParallel:
  std::vector<Reduction>* reductions;
  std::vector<Local*>* last_private;
};
struct While : Stmt {
  Expr* condition;
  Block* body;
};
struct Break : Stmt {
  Stmt* loop;
};
struct Continue : Stmt {
  Stmt* loop;
};
struct Return : Stmt {
  Expr* value;
};  // null: no value
struct Raise : Stmt {
  Symbol exception;
  std::vector<Expr*>* args;
};  // args: constants or scalars
struct Eval : Stmt {
  Expr* value;
};
struct Print : Stmt {
  std::vector<Expr*>* items;
};  // Str constants, scalars, tuples

// ---- functions and the program -----------------------------------------------------------------
enum class ErrorModel : uint8_t { kPython, kNumpy };
enum class FunctionKind : uint8_t { kHost, kKernel, kDevice };

struct Options {
  types::Dialect dialect{};
  ErrorModel error_model = ErrorModel::kPython;
  bool parallel = false;  // prange means something
  bool fastmath = false;
  bool boundscheck = false;
  bool operator==(const Options&) const = default;
};

struct Param {
  Local* local = nullptr;
  bool written = false;  // array: some element may be stored through it (here or in a callee)
};

struct Function {
  Symbol name;         // as in the source
  std::string symbol;  // C++ name, unique in the program; set by emission
  Span span{};         // of the `def` line (name and parameters)
  Span body_span{};
  const SourceFile* file = nullptr;
  FunctionKind kind = FunctionKind::kHost;
  Options options{};
  std::vector<Param> params{};
  const Type* result = nullptr;  // void when it returns nothing
  bool may_raise = false;
  bool is_root = false;          // an entry point, or a contiguous variant of one
  bool shares_name = false;      // with another function: dumps add the types
  std::vector<Local*> locals{};  // parameters first
  Block body{};
};

struct Overload {
  std::vector<const Type*> params{};  // as the signature says
  std::vector<Span> param_spans{};    // inside the signature, may be empty
  Function* function = nullptr;       // compiled for exactly these
  // The same source compiled with every `A` array parameter as C contiguous, or null. Chosen at the
  // call when all those arguments are.
  Function* contiguous = nullptr;
};

struct Default {
  bool present = false;
  Value value{};
};

// What Python sees under one name.
struct Entry {
  Symbol name;
  FunctionKind kind = FunctionKind::kHost;
  Span span{};
  std::vector<Symbol> param_names{};
  std::vector<Default> defaults{};  // as long as param_names
  std::string_view doc{};           // docstring, may be empty
  std::vector<Overload> overloads{};
};

struct Program {
  Program() = default;
  Program(Program&&) = default;
  Program& operator=(Program&&) = default;

  std::string module_name;
  const SourceMap* sources = nullptr;
  std::vector<Function*> functions{};  // callees before callers
  std::vector<Entry> entries{};
  std::vector<GlobalArray*> globals{};

  // Makes a node or anything else that lives as long as the program.
  template <class T, class... Args>
  T* make(Args&&... args) {
    if constexpr (std::is_trivially_destructible_v<T>)
      return arena_.make<T>(std::forward<Args>(args)...);
    auto owner = std::make_shared<T>(T{std::forward<Args>(args)...});
    owned_.push_back(owner);
    return owner.get();
  }
  std::string_view keep(std::string text) { return *make<std::string>(std::move(text)); }

 private:
  Arena arena_{};
  std::vector<std::shared_ptr<void>> owned_{};  // what has a destructor
};

template <class T>
T* as(Expr* node) {
  return static_cast<T*>(node);
}
template <class T>
const T* as(const Expr* node) {
  return static_cast<const T*>(node);
}
template <class T>
T* as(Stmt* node) {
  return static_cast<T*>(node);
}
template <class T>
const T* as(const Stmt* node) {
  return static_cast<const T*>(node);
}

// Calls handler(const Kind&) for the node's own kind; a handler without an overload does not
// compile.
template <class Handler>
decltype(auto) visit(const Expr& node, Handler&& handler) {
  switch (node.kind) {
#define PYK_EXPR(kind)    \
  case ExprKind::k##kind: \
    return handler(static_cast<const kind&>(node));
#define PYK_STMT(kind)
#include "typeinfer/ir/nodes.def"
#undef PYK_EXPR
#undef PYK_STMT
  }
  __builtin_unreachable();
}
template <class Handler>
decltype(auto) visit(const Stmt& node, Handler&& handler) {
  switch (node.kind) {
#define PYK_EXPR(kind)
#define PYK_STMT(kind)    \
  case StmtKind::k##kind: \
    return handler(static_cast<const kind&>(node));
#include "typeinfer/ir/nodes.def"
#undef PYK_EXPR
#undef PYK_STMT
  }
  __builtin_unreachable();
}

}  // namespace pyk2cu::ir
