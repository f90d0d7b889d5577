// Intervals of expressions, and what conditions say about variables and expressions.
//
// In:   expressions, Known.  Out: Interval of an expression, truth of a condition, Known after it.
// Tested by tests/golden/ranges.
#pragma once

#include "emit/lower/known.h"

namespace pyk2cu::emit {

// Sees every expression with its interval, inside out.
struct Observer {
  virtual ~Observer() = default;
  // An operation whose exact result fits, and whether the machine's own operator computes it.
  virtual void arithmetic(ir::Expr*, bool /*plain*/) {}
  // An integer of 64 bits, and what it can be.
  virtual void whole(const ir::Expr*, const Interval&) {}
  virtual void index(ir::Index&, const Interval&, const ir::Expr* /*array*/, int /*axis*/,
                     const Known&) {}
};

// Says of operations that they are plain, or that they are not.
struct MarkPlain : Observer {
  void arithmetic(ir::Expr* e, bool plain) override;
};

// The number that it is; a float lies between whole ones.
Interval interval_of(const ir::Const& c);
// Known is as before when it is done.
Interval evaluate(ir::Expr* e, Known& known, Observer& observer);
// The expression as it may be evaluated elsewhere: what was known only where it stood is forgotten.
// No machine's division, which traps, where nothing says that it may be made.
ir::Expr* anywhere(ir::Expr* e);

// ---- conditions.cpp ----------------------------------------------------------------------------
std::optional<bool> truth(ir::Expr* condition, Known& known);
void assume(ir::Expr* condition, bool holds, Known& known);

// ---- extent.cpp --------------------------------------------------------------------------------
std::optional<Extent> extent_of(const ir::Expr* e, const Known& known);
std::vector<Extent> upper_bounds(ir::Expr* e, Known& known);
// local <= every one of `bounds` + offset
void bound(const ir::Local* local, const std::vector<Extent>& bounds, int64_t offset, Known& known);
// Surely a < b (or <=), because b is an extent.
bool is_below(ir::Expr* a, const ir::Expr* b, bool or_equal, Known& known);

}  // namespace pyk2cu::emit
