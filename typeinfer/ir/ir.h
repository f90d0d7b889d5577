// The typed program: what inference makes and every later stage reads.
//
// Every expression is typed and has a span; every conversion is explicit; calls are resolved; order
// of evaluation is explicit: whatever may raise or must run once stands in a statement of its own
// (see the invariants). Verified by verify.h, printed by dump.h, walked by walk.h.
//
// Invariants
//   1. A Call whose callee may raise, and a NewArray, is the whole value of an Assign, Return or
//      Eval, or what a Generate goes through. Other expressions never raise: division and the like
//      are preceded by an If with a Raise.
//   2. What a statement evaluates has at most one effect (effects.h); it is surely evaluated, and
//      nothing beside it reads memory, unless C++ orders the two (is_in_order).
//   3. Binary, Compare and Select operands already have the types that the operation computes in
//      (exceptions: shifts and ** keep an exponent or count of another type); Convert says how.
//   4. An index is an integer of any width. `wrap` means that it may be negative and then counts
//      from the end; passes clear it where the index is proven non-negative.
//   5. Array parameters are views. An array local holds a view; `owned` ones also keep memory
//      alive.
//   6. Every local that is read is a parameter, an index of a loop around, or assigned somewhere.
//   7. No operand, block or list is null but where nodes.def says MAYBE.
#pragma once

#include <algorithm>
#include <bit>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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
#define PYK_EXPR(kind, text, fields) k##kind,
#include "typeinfer/ir/nodes.def"
};
enum class StmtKind : uint8_t {
#define PYK_STMT(kind, text, fields) k##kind,
#include "typeinfer/ir/nodes.def"
};

struct Function;
struct Expr;
struct Stmt;
using Block = std::vector<Stmt*>;

// A list in the program's arena: of fixed length, its items may be replaced.
template <class T>
using List = std::span<T>;

// A constant. Integers are kept as two's complement bits; the node's type says how to read them.
struct Value {
  enum class Kind : uint8_t {
    kNone,
    kBool,
    kInt,
    kFloat,
    kComplex,
    kStr,
    kFormat
  } kind = Kind::kNone;
  int64_t integer = 0;              // kBool, kInt; kFormat: how many expressions after it fill it
  std::complex<double> number = 0;  // kFloat (real part), kComplex
  std::string_view text{};          // kStr, kFormat (as str.format has it); in the program's arena

  // The same bits: 0.0 is not -0.0, and a NaN is itself.
  bool operator==(const Value& other) const {
    const auto bits = [](double x) { return std::bit_cast<uint64_t>(x); };
    return kind == other.kind && integer == other.integer && text == other.text &&
           bits(number.real()) == bits(other.number.real()) &&
           bits(number.imag()) == bits(other.number.imag());
  }
};

// A variable. Versions of one source name that have one type are one Local; another type makes a
// Local of the same name with the next version, printed `name_2`.
struct Local {
  Symbol name;
  int version = 1;
  const Type* type = nullptr;
  Span span{};  // where it is first assigned
  bool is_param = false;
  bool is_temp = false;        // made by the compiler; `name` is a readable stem
  bool maybe_unbound = false;  // some read may come before any assignment: has a `name_is_set` flag
  // Set by emit/lower, of arrays and what holds them:
  bool owned = false;    // may hold memory allocated here
  bool written = false;  // elements may be stored through it
  // One value for each of so many lanes of a gang; 0: one value. Booleans are masks of lane_bits,
  // as wide as what they stand beside.
  int lanes = 0, lane_bits = 0;
  bool counted = false;  // of lanes: those without an iteration never touch it
  // Of the field of all records of an array: the array, whose axes are its first ones. Both are
  // assigned once.
  Local* records = nullptr;

  // The array whose extent along the axis it has: its records', or its own.
  Local* shaped_as(int axis) { return records && axis < records->type->rank ? records : this; }
  const Local* shaped_as(int axis) const { return const_cast<Local*>(this)->shaped_as(axis); }
};

// ---- parts of nodes ----------------------------------------------------------------------------
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
// Where a Store or an Update writes: a local, or an element of an array.
struct Place {
  Local* local = nullptr;  // null: an element
  Expr* array = nullptr;
  List<Index> indices{};

  const Type* type() const;  // of what stands there
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
enum class LaneOp : uint8_t {
  kThread,
  kBlock,
  kBlockDim,
  kGridDim,
  kGrid,      // of the thread in the grid
  kGridSize,  // threads of the grid
  kLaneId,    // of the thread in its warp
  // in host functions that launch threads (Function::launches):
  kBlocks,   // of the whole grid
  kThreads,  // of a block
};
enum class Fill : uint8_t { kUninitialized, kZero, kOne, kValue };
// Where the elements of a new array are: in memory of its own; in the frame of the function if they
// are few; where the caller wants the result, if it offers room for as many.
enum class Room : uint8_t { kHeap, kStack, kResult };
constexpr int64_t kRoom = 512;  // bytes, for an array in the frame that is not known to be smaller

// Which form of a function of libm, or of a conversion: the one that vectorises, or, in a function
// whose one text serves both, that of the instance.
enum class Form : uint8_t { kScalar, kLanes, kEither };
// Of a function whose one text serves several layouts or forms (Function::any_layout, any_form).
struct Instance {
  types::Layout layout = types::Layout::kAny;
  Form form = Form::kEither;
  bool operator==(const Instance&) const = default;
};

enum class LoopKind : uint8_t { kSerial, kParallel };  // kParallel: the source says prange
// How a counted loop is spelled: index < hi, index > hi, or over a range object where the sign of
// the step is not known or the last step may overflow.
enum class LoopForm : uint8_t { kUp, kDown, kRange };
// Portions that a core takes at a time; kLaunch: as many blocks as the launch says.
enum class Schedule : uint8_t { kEven, kSmall, kOneByOne, kLaunch };
enum class PrintForm : uint8_t {
  kLine,    // as Python prints: items apart by spaces, end of the line
  kFormat,  // as Numba prints on the GPU: numbers by C's %lld and %f, all else is in the text
};
// Of two values: the one that is taken is computed; both are; both are where C++ compilers would
// make a branch of that nevertheless; both are elements, of which the places are, and one is read.
enum class Choice : uint8_t { kBranch, kBoth, kBits, kPlace };
enum class Declares : uint8_t { kNothing, kVariable, kConstant };

enum class ReduceOp : uint8_t { kAdd, kMul, kMin, kMax, kAnd, kOr, kXor, kLogicalAnd, kLogicalOr };
struct Reduction {
  ReduceOp op;
  Local* local;
};

struct GlobalArray {  // a module-level NumPy array, frozen when the program is compiled
  Symbol name;
  const Type* type = nullptr;  // array type, layout C
  std::vector<int64_t> shape{};
  std::string bytes{};   // shape product * item size, native byte order
  std::string symbol{};  // C++ name, unique in the program; set by emission
};

// Where an exception is raised: what tracebacks and the emitted table of sites say of a Raise.
struct Site {
  Symbol exception, function;
  Span span{};
  List<Expr*> args{};  // constants; others are known at run time only
};

// ---- nodes -------------------------------------------------------------------------------------
struct Expr {
  ExprKind kind;
  const Type* type = nullptr;
  Span span{};
};
struct Stmt {
  StmtKind kind;
  Span span{};
};

// struct Binary : Expr { static constexpr ExprKind kKind = ExprKind::kBinary; BinaryOp op{}; … };
#define PYK_EXPR(name, text, fields)                     \
  struct name : Expr {                                   \
    static constexpr ExprKind kKind = ExprKind::k##name; \
    fields                                               \
  };
#define PYK_STMT(name, text, fields)                     \
  struct name : Stmt {                                   \
    static constexpr StmtKind kKind = StmtKind::k##name; \
    fields                                               \
  };
#define EXPR(f) Expr* f{};
#define MAYBE(f) Expr* f{};
#define EXPRS(f) List<Expr*> f{};
#define TYPES(f) List<const Type*> f{};
#define INDEX(f) Index f{};
#define INDICES(f) List<Index> f{};
#define SUBSCRIPTS(f) List<Subscript> f{};
#define PLACE(f) Place f{};
#define USES(f) Local* f{};
#define SETS(f) Local* f{};
#define READS(f) List<Local*> f{};
#define SHARES(f) List<Local*> f{};
#define DECLARES(f) List<Local*> f{};
#define REDUCTIONS(f) List<Reduction> f{};
#define BLOCK(f) Block* f{};
#define JUMP(f) Stmt* f{};
#define DATA(type, f) type f{};
#include "typeinfer/ir/nodes.def"

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
  bool constant = false;  // a bool that every call gives as a constant: a template parameter
  // What the function does with the elements of an array, here or in what it calls; effects.h.
  bool read = false, written = false;
  bool returned = false;  // the result may show its memory
};

struct Function {
  Symbol name;              // as in the source
  std::string symbol;       // C++ name, unique in the program; set by emission
  std::string_view part{};  // "one iteration", of what body_span is; empty: all of the function
  Span span{};              // of the `def` line (name and parameters)
  Span body_span{};         // of the whole `def`, or of the loop that the part is of
  const SourceFile* file = nullptr;
  FunctionKind kind = FunctionKind::kHost;
  Options options{};
  std::vector<Param> params{};
  std::vector<Local*> shared{};  // reference parameters: the caller's own variables (Call::shared)
  const Type* result = nullptr;  // void when it returns nothing
  bool is_root = false;          // an entry point, or a variant of one
  bool is_generator = false;     // yields values of the result's type; called by a Generate alone
  bool shares_name = false;      // with another function: dumps add the types
  bool launches = false;         // a kernel on the CPU: is given the launch before its parameters
  bool per_isa = false;          // a root of which each instruction set has a body of its own
  bool gathers = false;          // loops read, side by side, elements from anywhere
  bool loads_apart = false;      // its loads are no operands of other instructions: pyk/config.h
  bool is_inline = false;        // called from lanes, which vectorise only what they see
  bool own_math =
      false;  // under fastmath, with vector math of its own: which has to keep its order
  // Made by emit/lower: types of layout kAny, and forms kEither, are those of the instance.
  bool any_layout = false, any_form = false;
  bool is_declared = false;      // emit/lower has placed the declarations of locals
  std::vector<Local*> locals{};  // parameters first, then shared ones
  Block body{};
  // Its effects (effects.h), once it is analysed:
  bool is_analysed = false;
  bool may_raise = false;  // by a Raise, an allocation that fails, or what it calls
  bool has_state = false;  // prints, draws random numbers, meets other threads

  // May the C++ compiler take floats in any order?
  bool is_relaxed() const { return options.fastmath && !own_math; }
};

// What must hold of the arguments of a call for a variant to be chosen.
struct Guard {
  enum class Kind : uint8_t {
    kContiguous,  // the array parameter is C contiguous
    kInnerUnit,   // its last axis has elements side by side
    kDisjoint,    // no written array parameter shares memory with another one
    kFits32,      // all offsets fit 32 bits
    kFixed,       // of a ufunc: the operand is the same for all elements
  } kind = Kind::kContiguous;
  int param = -1;  // kContiguous, kInnerUnit, kFixed
};

struct Variant {
  std::vector<Guard> guards{};  // all of them; none: for any arguments of the signature
  Function* function = nullptr;
  Instance instance{};
};

struct Overload {
  std::vector<const Type*> params{};  // as the signature says
  const Type* result = nullptr;       // of one element where it is a loop of a ufunc
  std::vector<Span> param_spans{};    // inside the signature, may be empty
  std::vector<Variant> variants{};    // best first; the last one has no guards

  Function* general() const { return variants.back().function; }
  // The parameter of the functions that parameter k is; -1 where it has one value only.
  int place_of(size_t k) const;
};

struct Default {
  bool present = false;
  Value value{};
  const Type* type = nullptr;    // of a tuple: what its items are
  bool is_numpy = false;         // a NumPy scalar of that type
  std::vector<Default> items{};  // of a tuple
  const GlobalArray* array = nullptr;
};

// What NumPy is told of a universal function, generalized or not. Operands are the inputs, then the
// outputs.
struct Ufunc {
  enum class Identity : uint8_t { kNone, kZero, kOne, kReorderable } identity = Identity::kNone;
  int inputs = 0, outputs = 0;
  std::string layout{};                   // "(n),(n)->()"; empty: element by element
  std::vector<std::vector<int>> cores{};  // of each operand: its core dimensions, by number
  std::vector<int> writable{};            // inputs that are written to
  bool parallel = false;                  // elements are shared among cores

  bool operator==(const Ufunc&) const = default;
};

// What Python sees under one name.
struct Entry {
  Symbol name;
  FunctionKind kind = FunctionKind::kHost;
  Span span{};
  std::vector<Symbol> param_names{};
  std::vector<Default> defaults{};  // as long as param_names
  int rest = -1;                    // the place of `*args` among them
  std::string_view doc{};           // docstring, may be empty
  std::vector<Overload> overloads{};
  std::optional<Ufunc> ufunc{};  // the functions of its overloads are loops over elements
};

// An entry point that is not compiled. `name` is what Python would call it: several may be made of
// one function of the text.
struct LeftOut {
  enum class Why : uint8_t { kNoTypes, kCallee, kOwnErrors };
  Symbol name;
  Span span;  // of its name, or of its `def` line
  Why why;
  Symbol callee{};  // that has errors, of kCallee
};

// What the extension module defines and raises: its text, and its bases as the text has them.
struct ExceptionClass {
  Symbol name;
  std::string text{}, bases{};
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
  std::vector<ExceptionClass> exceptions{};  // bases before what derives from them
  std::vector<LeftOut> left_out{};
  // Symbols of functions and arrays: how often each was wanted. Set by emission.
  std::unordered_map<std::string, int> symbols{};

  // Makes a node or anything else that lives as long as the program.
  template <class T, class... Args>
  T* make(Args&&... args) {
    if constexpr (std::is_trivially_destructible_v<T>)
      return arena_.make<T>(std::forward<Args>(args)...);
    auto owner = std::make_shared<T>(T{std::forward<Args>(args)...});
    owned_.push_back(owner);
    return owner.get();
  }
  template <class T>
  List<T> list(const std::vector<T>& items) {
    return arena_.copy(items);
  }
  std::string_view keep(std::string_view text) { return arena_.copy(text); }

 private:
  Arena arena_{};
  std::vector<std::shared_ptr<void>> owned_{};  // what has a destructor
};

inline int Overload::place_of(size_t k) const {
  if (params[k]->has_one_value()) return -1;
  const auto before = std::span(params).first(k);
  return int(k - size_t(std::ranges::count_if(before, &Type::has_one_value)));
}

inline const Type* Place::type() const { return local ? local->type : array->type->elem; }

// ---- access by kind ----------------------------------------------------------------------------
template <class T, class Node>
auto* as(Node* node) {
  return static_cast<std::conditional_t<std::is_const_v<Node>, const T, T>*>(node);
}
template <class T, class Node>
auto* try_as(Node* node) {  // null: of another kind, or null itself
  return node && node->kind == T::kKind ? as<T>(node) : nullptr;
}

// Calls handler(Kind&) for the node's own kind; a handler without an overload does not compile.
template <class Handler>
decltype(auto) visit(const Expr& node, Handler&& handler) {
  switch (node.kind) {
#define PYK_EXPR(kind, text, fields) \
  case ExprKind::k##kind:            \
    return handler(static_cast<const kind&>(node));
#include "typeinfer/ir/nodes.def"
  }
  __builtin_unreachable();
}
template <class Handler>
decltype(auto) visit(const Stmt& node, Handler&& handler) {
  switch (node.kind) {
#define PYK_STMT(kind, text, fields) \
  case StmtKind::k##kind:            \
    return handler(static_cast<const kind&>(node));
#include "typeinfer/ir/nodes.def"
  }
  __builtin_unreachable();
}
// Likewise with a Kind& that may be changed.
template <class Node, class Handler>
  requires(!std::is_const_v<Node>)
decltype(auto) visit(Node& node, Handler&& handler) {
  return visit(std::as_const(node), [&](const auto& one) -> decltype(auto) {
    return handler(const_cast<std::remove_cvref_t<decltype(one)>&>(one));
  });
}

}  // namespace pyk2cu::ir
