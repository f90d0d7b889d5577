// What must hold in front of a loop for slices inside it to lie inside their arrays.
//
// In:   a loop's body, walked in order: its loops, what integers are sums of.  Out: whether one
// integer is at most another one, for all iterations, and the condition for that; null: nothing has
// to be asked. Used by slices.cpp. Tested by tests/run/test_sliding.py.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "emit/lower/lanes/linear.h"

namespace pyk2cu::emit {

class Within {
 public:
  // assigned: what the outermost loop changes.
  Within(ir::Program& program, const Extents& extents, ir::LocalSet assigned, Span span)
      : b_{program, span}, sums_(program, extents, std::move(assigned)) {}

  struct Scope {
    Sums::Scope sums;
    size_t known, choices;
  };
  Scope open() const { return {sums_.open(), known_.size(), choices_.size()}; }
  void close(const Scope& scope);
  // False: nothing is known of its index.
  bool enter(const ir::For& loop);
  // Of a local that has no other value in the scope; of an array, its extents.
  void assign(const ir::Assign& a);
  void hold(ir::Expr* condition, bool holds);

  // a <= b, wherever it is evaluated. False: nothing is asked for it then.
  bool at_most(ir::Expr* a, ir::Expr* b);
  // What is asked up to here, to ask no more than that after all.
  struct Asked {
    size_t asked;
    std::set<int> used;
  };
  Asked asked_so_far() const { return {asked_.size(), used_}; }
  void ask_only(const Asked& before);
  // Surely the same number?
  bool are_equal(ir::Expr* a, ir::Expr* b);
  // A local that the outermost loop is made to change.
  void add_assigned(const ir::Local* local) { sums_.add_assigned(local); }
  bool is_variable(const ir::Local* local) const { return sums_.find(local).has_value(); }
  // What it is in variables of loops and what the outermost loop does not change; null: there is
  // more in it, or, `unchanged`, a variable.
  ir::Expr* sum(ir::Expr* e, bool unchanged);
  ir::Expr* condition();
  size_t count_asked() const { return asked_.size() + used_.size(); }

 private:
  struct Known {  // a loop around, or a condition that holds
    int term = -1;
    std::optional<Linear> lo{}, hi{};  // of a loop, where they are sums
    std::vector<Linear> is_said_by{};  // all that bounds it
  };
  bool at_most(ir::Expr* a, ir::Expr* b, bool may_ask, int depth);
  bool is_at_most(ir::Expr* a, ir::Expr* b, bool may_ask);
  void assume(ir::Expr* e, std::vector<Linear>& out);
  void assume(const Linear& value);
  void use(const Linear& value);
  bool ask(Linear value);
  // min(…), max(…) that the expression is, or that a local is.
  const ir::Builtin* choice(ir::Expr* e) const;

  ir::Builder b_;
  Sums sums_;
  std::vector<Known> known_{};  // where we are, outermost first
  std::vector<std::pair<const ir::Local*, const ir::Builtin*>> choices_{};  // until the block ends
  std::vector<Linear> asked_{};  // that are not to be negative
  // Terms that are taken to be small: of what is known, and of what is shown by it.
  std::set<int> assumed_{}, used_{};
};

}  // namespace pyk2cu::emit
