// What is known of values at one point of a function: intervals of integers, numbers that are not
// zero, pairs of variables that are not equal.
//
// In:   assignments and conditions in program order.  Out: Interval of an expression, truth of a
// condition. Used by ranges.cpp alone. Tested by tests/golden/ranges.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

__extension__ typedef __int128 Wide;

struct Interval {  // a float may be NaN whatever its interval says
  Wide lo = 0, hi = 0;
  bool nonzero = false;  // beyond what lo and hi say

  bool excludes_zero() const { return nonzero || lo > 0 || hi < 0; }
  bool within(const Interval& other) const { return lo >= other.lo && hi <= other.hi; }
  bool operator==(const Interval&) const = default;
};
Interval join(const Interval& a, const Interval& b);
Interval full(const types::Type* type);  // all values of an integer type or bool; else unlimited

// The extent of an array along an axis, plus an offset.
struct Extent {
  const ir::Local* array = nullptr;
  int axis = 0;
  int64_t offset = 0;
};

// No array has more elements along an axis, no counter gets further.
constexpr Wide kMaxExtent = Wide{1} << 47;
constexpr Wide kMaxCount = Wide{1} << 62;

struct Known {
  std::unordered_map<const ir::Local*, Interval> values{};
  std::unordered_map<const ir::Local*, Extent> extents{};
  std::vector<std::pair<const ir::Local*, const ir::Local*>> unequal{};
  bool reachable = true;

  Interval of(const ir::Local* local) const;
  void forget(const ir::Local* local);
  bool are_unequal(const ir::Local* a, const ir::Local* b) const;
};
Known join(const Known& a, const Known& b);

// Sees every expression with its interval, inside out.
struct Observer {
  virtual ~Observer() = default;
  virtual void arithmetic(const ir::Expr*, bool /*plain*/) {}
  virtual void index(ir::Index&, const Interval&, const ir::Expr* /*array*/, int /*axis*/,
                     const Known&) {}
};

Interval evaluate(ir::Expr* e, const Known& known, Observer& observer);
std::optional<Extent> extent_of(const ir::Expr* e, const Known& known);
std::optional<bool> truth(ir::Expr* condition, const Known& known);
void assume(ir::Expr* condition, bool holds, Known& known);

}  // namespace pyk2cu::emit
