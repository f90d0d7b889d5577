// What an expression means: the walk over a syntax tree of expressions.
//
// In:   ast::Expr.  Out: Operand or ir::Expr*. Parts that may raise or have effects are emitted as
// statements into the current block, in Python's order of evaluation (see Emitter::settle).
// One file per kind of expression, see expr.h; this class is what they share.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#pragma once

#include <unordered_set>
#include <utility>

#include "typeinfer/infer/early.h"

namespace pyk2cu::infer {

class Expressions {
 public:
  Expressions(Emitter& emitter, Names& names, Joins& joins, Early& early, Growth& growth)
      : in_(emitter), names_(names), joins_(joins), early_(early), growth_(growth) {}

  Operand operand(const ast::Expr& e);
  ir::Expr* value(const ast::Expr& e);  // an rvalue; reports when it has none
  // A bool: the truth of e. A Const when the other branch is not even typed; what merely folds is a
  // comparison of constants: see decided().
  ir::Expr* condition(const ast::Expr& e);
  ir::Expr* condition_of(const ast::Expr& e, const Operand& o, Early::As as);  // `o`: what e means
  Operand name(const ast::Name& e);  // reads the version that `e` sees

  // Are displays of lists tuples in what is evaluated next, as np.array takes them? Said before.
  bool take_lists(bool takes) { return std::exchange(takes_lists_, takes); }

  // Where what is evaluated next goes, should it be a list.
  void expect_list(ListSite site) { list_site_ = site; }

  Emitter& emitter() { return in_; }
  Context& context() { return in_.context(); }
  Names& names() { return names_; }
  Joins& joins() { return joins_; }
  Early& early() { return early_; }

 private:
  Operand meaning(const ast::Expr& e, ListSite site);

  Emitter& in_;
  Names& names_;
  Joins& joins_;
  Early& early_;
  Growth& growth_;
  bool takes_lists_ = false;
  ListSite list_site_{};
};

}  // namespace pyk2cu::infer
