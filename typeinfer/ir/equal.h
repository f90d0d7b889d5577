// Do two pieces of IR say the same?
//
// In:   two expressions, statements or blocks, and what counts as the same local, type, function.
// Out:  yes or no. Spans do not count. Generated from nodes.def.
// Tested by tests/unit/typeinfer/ir_test.cpp.
#pragma once

#include <algorithm>

#include "typeinfer/ir/fields.h"

namespace pyk2cu::ir {

// The names that appear in the pieces mean what they mean. A class with the same members may say
// otherwise: equal(a, b, pairing).
struct Identity {
  bool same_types(const Expr* a, const Expr* b) { return a->type == b->type; }
  bool same_local(const Local* a, const Local* b) { return a == b; }
  bool same_function(const Function* a, const Function* b) { return a == b; }
  bool same_loop(const Stmt* a, const Stmt* b) { return a == b; }
  bool same_form(const Form& a, const Form& b) { return a == b; }
  bool same_instance(const Instance& a, const Instance& b) { return a == b; }
  void enter(const Stmt*, const Stmt*) {}  // two statements that are about to be compared
};

template <class Same>
bool equal(const Expr* a, const Expr* b, Same& same);
template <class Same>
bool equal(const Stmt* a, const Stmt* b, Same& same);
template <class Same>
bool equal(const Block& a, const Block& b, Same& same);

// The same expression, effects aside.
inline bool equal(const Expr* a, const Expr* b) {
  Identity identity;
  return equal(a, b, identity);
}

namespace detail {

template <class Same>
struct Comparison {
  Same& same;
  bool holds = true;

  void operand(const Expr* a, const Expr* b) { holds = holds && equal(a, b, same); }
  void maybe(const Expr* a, const Expr* b) {
    holds = holds && !a == !b && (!a || equal(a, b, same));
  }
  void index(const Index& a, const Index& b) {
    holds = holds && a.wrap == b.wrap && a.check == b.check;
    operand(a.value, b.value);
  }
  void subscript(const Subscript& a, const Subscript& b) {
    holds = holds && a.kind == b.kind;
    if (holds && a.kind == Subscript::Kind::kIndex) index(a.index, b.index);
    maybe(a.lo, b.lo), maybe(a.hi, b.hi), maybe(a.step, b.step);
  }
  void local(const Local* a, const Local* b) { holds = holds && same.same_local(a, b); }
  void reduction(const Reduction& a, const Reduction& b) {
    holds = holds && a.op == b.op;
    local(a.local, b.local);
  }
  void place(const Place& a, const Place& b) {
    holds = holds && !a.local == !b.local;
    if (!holds) return;
    if (a.local) return local(a.local, b.local);
    operand(a.array, b.array);
    indices(a.indices, b.indices);
  }
  template <class List, class F>
  void each(const List& a, const List& b, F&& f) {
    holds = holds && a.size() == b.size();
    for (size_t k = 0; holds && k < a.size(); ++k) f(a[k], b[k]);
  }
  void operands(const List<Expr*>& a, const List<Expr*>& b) {
    each(a, b, [&](auto& x, auto& y) { operand(x, y); });
  }
  void types(const List<const Type*>& a, const List<const Type*>& b) {
    each(a, b, [&](auto* x, auto* y) { holds = holds && x == y; });
  }
  void indices(const List<Index>& a, const List<Index>& b) {
    each(a, b, [&](auto& x, auto& y) { index(x, y); });
  }
  void subscripts(const List<Subscript>& a, const List<Subscript>& b) {
    each(a, b, [&](auto& x, auto& y) { subscript(x, y); });
  }
  void locals(const List<Local*>& a, const List<Local*>& b) {
    each(a, b, [&](auto* x, auto* y) { local(x, y); });
  }
  void uses(const Local* a, const Local* b) { local(a, b); }
  void sets(const Local* a, const Local* b) { local(a, b); }
  void reads(const List<Local*>& a, const List<Local*>& b) { locals(a, b); }
  void shares(const List<Local*>& a, const List<Local*>& b) { locals(a, b); }
  void declares(const List<Local*>& a, const List<Local*>& b) { locals(a, b); }
  void reductions(const List<Reduction>& a, const List<Reduction>& b) {
    each(a, b, [&](auto& x, auto& y) { reduction(x, y); });
  }
  void block(const Block* a, const Block* b) { holds = holds && equal(*a, *b, same); }
  void jump(const Stmt* a, const Stmt* b) { holds = holds && same.same_loop(a, b); }
  void data(Function* const& a, Function* const& b) { holds = holds && same.same_function(a, b); }
  void data(const Form& a, const Form& b) { holds = holds && same.same_form(a, b); }
  void data(const Instance& a, const Instance& b) { holds = holds && same.same_instance(a, b); }
  template <class T>
  void data(const T& a, const T& b) {
    holds = holds && a == b;
  }
};

template <class Node, class Same>
bool compare(const Node& a, const Node& b, Same& same) {
  Comparison<Same> comparison{same};
  visit_fields(a, b, comparison);
  return comparison.holds;
}

}  // namespace detail

template <class Same>
bool equal(const Expr* a, const Expr* b, Same& same) {
  if (a->kind != b->kind || !same.same_types(a, b)) return false;
  return visit(*a, [&](const auto& node) {
    return detail::compare(node, static_cast<decltype(node)>(*b), same);
  });
}

template <class Same>
bool equal(const Stmt* a, const Stmt* b, Same& same) {
  if (a->kind != b->kind) return false;
  same.enter(a, b);
  return visit(*a, [&](const auto& node) {
    return detail::compare(node, static_cast<decltype(node)>(*b), same);
  });
}

template <class Same>
bool equal(const Block& a, const Block& b, Same& same) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const Stmt* x, const Stmt* y) { return equal(x, y, same); });
}

}  // namespace pyk2cu::ir
