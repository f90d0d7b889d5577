// Walking the IR: the operands of an expression, the expressions, blocks and locals of a statement.
//
// Callbacks get references to the slots, so that passes can replace what stands there. Generated
// from nodes.def: no walker names a kind of node. Tested by tests/unit/typeinfer/ir_test.cpp.
#pragma once

#include <unordered_map>

#include "typeinfer/ir/fields.h"
#include "typeinfer/ir/local_set.h"

namespace pyk2cu::ir {

// How a node touches a local.
enum class Access : uint8_t { kRead, kWrite, kReadWrite, kDeclare };

namespace detail {

// Calls the callback of the form; the others do nothing.
struct NoFields {
  void operand(auto&, const char*) {}
  void maybe(auto&, const char*) {}
  void operands(auto&, const char*) {}
  void types(auto&, const char*) {}
  void index(auto&, const char*) {}
  void indices(auto&, const char*) {}
  void subscripts(auto&, const char*) {}
  void place(auto&, const char*) {}
  void uses(auto&, const char*) {}
  void sets(auto&, const char*) {}
  void reads(auto&, const char*) {}
  void shares(auto&, const char*) {}
  void declares(auto&, const char*) {}
  void reductions(auto&, const char*) {}
  void block(auto&, const char*) {}
  void jump(auto&, const char*) {}
  void data(auto&, const char*) {}
};

template <class F>
struct Operands : NoFields {
  F& f;
  explicit Operands(F& callback) : f(callback) {}

  void operand(auto& e, const char*) { f(e); }
  void maybe(auto& e, const char*) {
    if (e) f(e);
  }
  void operands(auto& list, const char*) {
    for (auto& e : list) f(e);
  }
  void index(auto& i, const char*) { f(i.value); }
  void indices(auto& list, const char* name) {
    for (auto& i : list) index(i, name);
  }
  void subscripts(auto& list, const char* name) {
    for (auto& s : list)
      for (Expr** part : {&s.index.value, &s.lo, &s.hi, &s.step}) maybe(*part, name);
  }
  void place(auto& p, const char* name) {
    if (p.local) return;
    f(p.array);
    indices(p.indices, name);
  }
};

template <class F>
struct Places : NoFields {
  F& f;
  explicit Places(F& callback) : f(callback) {}

  void place(auto& p, const char*) { f(p); }
};

template <class F>
struct Locals : NoFields {
  F& f;
  explicit Locals(F& callback) : f(callback) {}

  void uses(auto& local, const char*) { f(local, Access::kRead); }
  void sets(auto& local, const char*) { f(local, Access::kWrite); }
  void place(auto& p, const char*) {
    if (p.local) f(p.local, Access::kReadWrite);
  }
  void reads(auto& list, const char*) {
    for (auto& local : list) f(local, Access::kRead);
  }
  void shares(auto& list, const char*) {
    for (auto& local : list) f(local, Access::kReadWrite);
  }
  void declares(auto& list, const char*) {
    for (auto& local : list) f(local, Access::kDeclare);
  }
  void reductions(auto& list, const char*) {
    for (auto& r : list) f(r.local, Access::kReadWrite);
  }
};

template <class F>
struct Blocks : NoFields {
  F& f;
  explicit Blocks(F& callback) : f(callback) {}

  void block(auto& b, const char*) { f(*b); }
};

template <class Visitor, class Node>
void run(Node* node, Visitor visitor) {
  visit(*node, [&](auto& n) { visit_fields(n, visitor); });
}

}  // namespace detail

// f(Expr*&) for every direct operand of an expression, and for every expression that a statement
// itself evaluates, in order of evaluation; not those of nested statements.
template <class F>
void for_each_operand(Expr* e, F&& f) {
  detail::run(e, detail::Operands<F>(f));
}
template <class F>
void for_each_operand(const Expr* e, F&& f) {
  detail::run(e, detail::Operands<F>(f));
}
template <class F>
void for_each_expr(Stmt* s, F&& f) {
  detail::run(s, detail::Operands<F>(f));
}
template <class F>
void for_each_expr(const Stmt* s, F&& f) {
  detail::run(s, detail::Operands<F>(f));
}

// f(Place&) for where the statement itself writes.
template <class F>
void for_each_place(Stmt* s, F&& f) {
  detail::run(s, detail::Places<F>(f));
}
template <class F>
void for_each_place(const Stmt* s, F&& f) {
  detail::run(s, detail::Places<F>(f));
}

// f(Local*&, Access) for the locals that the node itself names.
template <class Node, class F>
void for_each_local(Node* node, F&& f) {
  detail::run(node, detail::Locals<F>(f));
}

// f(Block&) for the blocks nested in the statement.
template <class F>
void for_each_block(Stmt* s, F&& f) {
  detail::run(s, detail::Blocks<F>(f));
}
template <class F>
void for_each_block(const Stmt* s, F&& f) {
  const auto constant = [&](const Block& b) { f(b); };
  detail::run(s, detail::Blocks<decltype(constant)>(constant));
}

// f(Expr*) for the expression and everything in it, outside in.
template <class F>
void for_each_subexpr(Expr* e, F&& f) {
  f(e);
  for_each_operand(e, [&](Expr* operand) { for_each_subexpr(operand, f); });
}
template <class F>
void for_each_subexpr(const Expr* e, F&& f) {
  f(e);
  for_each_operand(e, [&](const Expr* operand) { for_each_subexpr(operand, f); });
}

// Is p(const Stmt*) true of a statement of the block, nested ones included?
template <class P>
bool any_stmt(const Block& block, P&& p) {
  for (const Stmt* s : block) {
    bool found = p(s);
    for_each_block(s, [&](const Block& inner) { found = found || any_stmt(inner, p); });
    if (found) return true;
  }
  return false;
}

// f(Stmt*) for every statement of the block, nested ones included, outside in.
template <class F>
void for_each_stmt(Block& block, F&& f) {
  for (Stmt* s : block) {
    f(s);
    for_each_block(s, [&](Block& inner) { for_each_stmt(inner, f); });
  }
}
template <class F>
void for_each_stmt(const Block& block, F&& f) {
  for (const Stmt* s : block) {
    f(s);
    for_each_block(s, [&](const Block& inner) { for_each_stmt(inner, f); });
  }
}

// Every statement of the block, nested ones first, for which f(Stmt*, out) puts others into `out`
// and says true gives way to them.
template <class F>
void replace_stmts(Block& block, F&& f) {
  Block all;
  for (Stmt* s : block) {
    for_each_block(s, [&](Block& inner) { replace_stmts(inner, f); });
    if (!f(s, all)) all.push_back(s);
  }
  block = std::move(all);
}

// f(Expr*) for everything evaluated anywhere in the block.
template <class F>
void for_each_expr_in(Block& block, F&& f) {
  for_each_stmt(block,
                [&](Stmt* s) { for_each_expr(s, [&](Expr* e) { for_each_subexpr(e, f); }); });
}
template <class F>
void for_each_expr_in(const Block& block, F&& f) {
  for_each_stmt(block, [&](const Stmt* s) {
    for_each_expr(s, [&](const Expr* e) { for_each_subexpr(e, f); });
  });
}

// f(Local*, Access) for every mention of a local by the statement and its expressions; and by those
// of its blocks.
template <class F>
void for_each_local_of(const Stmt* s, F&& f) {
  const auto own = [&](Local* local, Access access) { f(local, access); };
  for_each_local(s, own);
  for_each_expr(s, [&](const Expr* e) {
    for_each_subexpr(e, [&](const Expr* part) { for_each_local(part, own); });
  });
}
template <class F>
void for_each_local_in(const Stmt* s, F&& f) {
  for_each_local_of(s, f);
  for_each_block(s, [&](const Block& block) {
    for (const Stmt* inner : block) for_each_local_in(inner, f);
  });
}

// ---- questions ----------------------------------------------------------------------------------

inline Local* loaded(const Expr* e) {  // null: not a Load
  const Load* load = try_as<Load>(e);
  return load ? load->local : nullptr;
}
// Does it run its blocks any number of times?
inline bool is_loop(const Stmt* s) {
  return s->kind == StmtKind::kFor || s->kind == StmtKind::kForEach ||
         s->kind == StmtKind::kWhile || s->kind == StmtKind::kLanes || s->kind == StmtKind::kGang ||
         s->kind == StmtKind::kGiven || s->kind == StmtKind::kGenerate;
}
// Does control leave the block here?
inline bool is_jump(const Stmt* s) {
  return s->kind == StmtKind::kReturn || s->kind == StmtKind::kRaise ||
         s->kind == StmtKind::kBreak || s->kind == StmtKind::kContinue;
}
inline const Const* constant(const Expr* e) { return try_as<Const>(e); }  // null: not a Const
inline bool is_int_const(const Expr* e, int64_t value) {
  const Const* c = constant(e);
  return c && c->value.kind == Value::Kind::kInt && c->value.integer == value;
}

// The locals that run-time code in the block assigns; loop indices too.
LocalSet assigned_in(const Block& block);
LocalSet assigned_in(const Stmt* s);
// How many statements of the block assign each; none: not in it.
std::unordered_map<const Local*, int> count_assignments(const Block& block);
// A builtin whose array is new memory, not a view of what it was given.
bool makes_memory(const Expr* e);
// Does the text say how many elements it has?
inline bool has_known_shape(const NewArray& array) {
  return std::ranges::all_of(array.shape, [](const Expr* extent) { return constant(extent); });
}
// The local whose array it is, whatever the layout is taken for; null: none.
inline Local* array_of(const Expr* e) {
  while (const auto* convert = try_as<Convert>(e)) e = convert->operand;
  return e->type->is_array() ? loaded(e) : nullptr;
}
// What stands in a list, and is there as long as it does: an array, a list, what holds such.
bool is_list_item(const Expr* e);
// A new array, for which there may be no memory: MemoryError.
bool may_lack_memory(const Expr* e);

// f(Local*) for the locals whose memory the array, or what holds arrays, may show.
template <class F>
void for_each_shown(const Expr* e, F&& f) {
  if (!types::holds_array(e->type) || makes_memory(e)) return;
  if (Local* local = loaded(e)) return f(local);
  const auto* call = try_as<Call>(e);
  for (size_t k = 0; call && k < call->args.size(); ++k)
    if (call->callee->params[k].returned) for_each_shown(call->args[k], f);
  if (!call) for_each_operand(e, [&](const Expr* operand) { for_each_shown(operand, f); });
}
bool reads(const Expr* e, const Local* local);
bool reads_any(const Expr* e, const LocalSet& locals);
bool ends(const Block& block);  // its last statement leaves: return, raise, break or continue
// Does anything inside the body leave the function, or the loop itself, other than by raising?
bool has_exit(const Block& body, const Stmt* loop);

}  // namespace pyk2cu::ir
