// The syntax tree: CPython 3.13's `ast`, node for node and field for field (nodes.def is the list).
//
// Nodes are trivially destructible structs in the arena of their Module; strings are views into it.
// `ast.Expr` (an expression as a statement) is ExprStmt here, because Expr is the base of
// expressions.
//   visit(node, handler)          calls handler(const BinOp&) etc.; a missing overload does not
//   compile as<T>(node), is<T>(node)      checked cast (null when of another kind), test
//   for_each_child(node, f)       f(const Node&) for each direct child, in source order of the
//   fields dump(module, indent)          the text of ast.dump(ast.parse(source))
// Tested by tests/unit/frontend/parse_*_test.cpp, dump_test.cpp and tests/run/test_dump_ast.py.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "frontend/base/arena.h"
#include "frontend/base/source_map.h"
#include "frontend/base/span.h"
#include "frontend/base/symbol.h"

namespace pyk2cu::ast {

enum class Kind : uint8_t {
#define PYK_NODE(kind, group, ...) k##kind,
#define PYK_PRODUCT(kind, py_name, ...) k##kind,
#include "frontend/ast/nodes.def"
#undef PYK_NODE
#undef PYK_PRODUCT
};

using NodeId = uint32_t;  // dense, from 0 to Module::node_count - 1

// No tree is higher than this (the parser refuses, PK1005), so that passes may recurse.
inline constexpr int kMaxHeight = 1500;

struct Node {
  Kind kind;
  uint16_t height;  // levels of nodes from here down, this one included
  Span span;
  NodeId id;
};

struct Stmt : Node {};
struct Expr : Node {};
struct Pattern : Node {};
struct TypeParam : Node {};

enum class Context : uint8_t { kLoad, kStore, kDel };
enum class BoolOperator : uint8_t { kAnd, kOr };
enum class UnaryOperator : uint8_t { kInvert, kNot, kUAdd, kUSub };
enum class Operator : uint8_t {
  kAdd,
  kSub,
  kMult,
  kMatMult,
  kDiv,
  kMod,
  kPow,
  kLShift,
  kRShift,
  kBitOr,
  kBitXor,
  kBitAnd,
  kFloorDiv
};
enum class CompareOperator : uint8_t {
  kEq,
  kNotEq,
  kLt,
  kLtE,
  kGt,
  kGtE,
  kIs,
  kIsNot,
  kIn,
  kNotIn
};

// CPython's names: "Add", "NotIn", "UAdd"…
std::string_view name_of(Operator op);
std::string_view name_of(CompareOperator op);
std::string_view name_of(UnaryOperator op);
std::string_view name_of(BoolOperator op);
std::string_view name_of(Context ctx);
// CPython's class name: "BinOp", "arguments", "Expr" for ExprStmt.
std::string_view name_of(Kind kind);

// What a literal holds.
struct ConstantValue {
  enum Tag : uint8_t { kNone, kBool, kInt, kBigInt, kFloat, kImaginary, kStr, kBytes, kEllipsis };
  Tag tag = kNone;
  bool boolean = false;
  uint64_t integer = 0;  // kInt; literals have no sign
  double number = 0;     // kFloat, kImaginary; also the nearest double of kInt and kBigInt
  // kStr: UTF-8 (lone surrogates as three bytes); kBytes: the bytes; kBigInt: decimal digits.
  std::string_view text{};
};

#define PYK_NODE(kind, group, ...) struct kind;
#define PYK_PRODUCT(kind, py_name, ...) struct kind;
#include "frontend/ast/nodes.def"
#undef PYK_NODE
#undef PYK_PRODUCT

using Stmts = std::span<Stmt*>;
using Exprs = std::span<Expr*>;
using OptExprs = std::span<Expr*>;  // elements may be null
using Patterns = std::span<Pattern*>;
using TypeParams = std::span<TypeParam*>;
using Keywords = std::span<Keyword*>;
using WithItems = std::span<WithItem*>;
using MatchCases = std::span<MatchCase*>;
using ExceptHandlers = std::span<ExceptHandler*>;
using Aliases = std::span<Alias*>;
using Args = std::span<Arg*>;
using Comprehensions = std::span<Comprehension*>;
using CompareOperators = std::span<CompareOperator>;
using Symbols = std::span<Symbol>;

#define F(type, name) type name;
#define O(type, name) type name;
#define PYK_NODE(kind, group, ...)               \
  struct kind : group {                          \
    using Base = group;                          \
    static constexpr Kind kKind = Kind::k##kind; \
    __VA_ARGS__                                  \
  };
#define PYK_PRODUCT(kind, py_name, ...)          \
  struct kind : Node {                           \
    using Base = Node;                           \
    static constexpr Kind kKind = Kind::k##kind; \
    __VA_ARGS__                                  \
  };
#include "frontend/ast/nodes.def"
#undef PYK_NODE
#undef PYK_PRODUCT
#undef F
#undef O

#define PYK_NODE(kind, group, ...) static_assert(std::is_trivially_destructible_v<kind>);
#define PYK_PRODUCT(kind, py_name, ...) static_assert(std::is_trivially_destructible_v<kind>);
#include "frontend/ast/nodes.def"
#undef PYK_NODE
#undef PYK_PRODUCT

template <class T>
bool is(const Node* node) {
  return node && node->kind == T::kKind;
}
template <class T>
bool is(const Node& node) {
  return node.kind == T::kKind;
}

template <class T>
const T* as(const Node* node) {
  return is<T>(node) ? static_cast<const T*>(node) : nullptr;
}
template <class T>
const T* as(const Node& node) {
  return as<T>(&node);
}
template <class T>
T* as(Node* node) {
  return is<T>(node) ? static_cast<T*>(node) : nullptr;
}

// visit(node, handler), one function per group, so that a handler needs that group's overloads
// only.
#define PYK_PRODUCT(kind, py_name, ...)
#define PYK_NODE(kind, group, ...) PYK_CASE_##group(kind)
#define PYK_CASE(kind) \
  case Kind::k##kind:  \
    return handler(static_cast<const kind&>(node));
#define PYK_CASE_Stmt(kind)
#define PYK_CASE_Expr(kind)
#define PYK_CASE_Pattern(kind)
#define PYK_CASE_TypeParam(kind)

#undef PYK_CASE_Stmt
#define PYK_CASE_Stmt(kind) PYK_CASE(kind)
template <class Handler>
decltype(auto) visit(const Stmt& node, Handler&& handler) {
  switch (node.kind) {
#include "frontend/ast/nodes.def"
    default:
      std::abort();  // a kind of another group
  }
}
#undef PYK_CASE_Stmt
#define PYK_CASE_Stmt(kind)

#undef PYK_CASE_Expr
#define PYK_CASE_Expr(kind) PYK_CASE(kind)
template <class Handler>
decltype(auto) visit(const Expr& node, Handler&& handler) {
  switch (node.kind) {
#include "frontend/ast/nodes.def"
    default:
      std::abort();
  }
}
#undef PYK_CASE_Expr
#define PYK_CASE_Expr(kind)

#undef PYK_CASE_Pattern
#define PYK_CASE_Pattern(kind) PYK_CASE(kind)
template <class Handler>
decltype(auto) visit(const Pattern& node, Handler&& handler) {
  switch (node.kind) {
#include "frontend/ast/nodes.def"
    default:
      std::abort();
  }
}
#undef PYK_CASE_Pattern
#define PYK_CASE_Pattern(kind)

#undef PYK_CASE_TypeParam
#define PYK_CASE_TypeParam(kind) PYK_CASE(kind)
template <class Handler>
decltype(auto) visit(const TypeParam& node, Handler&& handler) {
  switch (node.kind) {
#include "frontend/ast/nodes.def"
    default:
      std::abort();
  }
}
#undef PYK_NODE
#undef PYK_PRODUCT
#undef PYK_CASE
#undef PYK_CASE_Stmt
#undef PYK_CASE_Expr
#undef PYK_CASE_Pattern
#undef PYK_CASE_TypeParam

// Several lambdas as one handler: visit(node, overloaded{[](const Name& n) {…}, …}).
template <class... Fs>
struct overloaded : Fs... {
  using Fs::operator()...;
};
template <class... F>
overloaded(F...) -> overloaded<F...>;  // Clang before 17 asks for it

namespace detail {
template <class Fn, class T>
void child(Fn& fn, T* field) {
  if (field) fn(static_cast<const Node&>(*field));
}
template <class Fn, class T>
void child(Fn& fn, std::span<T*> field) {
  for (const T* item : field)
    if (item) fn(static_cast<const Node&>(*item));
}
template <class Fn, class T>
void child(Fn&, const T&) {}  // not a node: a name, an operator, a number
}  // namespace detail

// fn(const Node&) for each direct child that is there, in order of the fields.
template <class Fn>
void for_each_child(const Node& node, Fn&& fn) {
  switch (node.kind) {
#define F(type, name) detail::child(fn, self.name);
#define O(type, name) detail::child(fn, self.name);
#define PYK_NODE(kind, group, ...)                                      \
  case Kind::k##kind: {                                                 \
    [[maybe_unused]] const kind& self = static_cast<const kind&>(node); \
    __VA_ARGS__ break;                                                  \
  }
#define PYK_PRODUCT(kind, py_name, ...) PYK_NODE(kind, Node, __VA_ARGS__)
#include "frontend/ast/nodes.def"
#undef PYK_NODE
#undef PYK_PRODUCT
#undef F
#undef O
  }
}

// A parsed file. Owns its nodes; movable.
struct Module {
  // Which file an import of this one means: `from ..a import b` asks for a and a.b at level 2.
  struct Import {
    Symbol name;  // "pkg.util"; may be empty when level > 0
    int level = 0;
    const Module* module = nullptr;
  };

  Arena arena;
  Stmts body;
  const SourceFile* file = nullptr;
  uint32_t node_count = 0;
  std::vector<Span> comments;     // each from its `#` to the end of the line, in order
  std::vector<Import> imports{};  // those of files that were loaded; by load()
  // Of an imported file that CPython refuses: why, and where. Nobody else has been told.
  std::string fault{};
  Span fault_at{};
};

// What `ast.dump(ast.parse(source), indent=indent)` prints in CPython 3.13; -1 is indent=None.
std::string dump(const Module& module, int indent = -1);
std::string dump(const Node& node, int indent = -1);

}  // namespace pyk2cu::ast
