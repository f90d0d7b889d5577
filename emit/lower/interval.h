// What is known of values at one point of a function: intervals of integers, numbers that are not
// zero, pairs of variables that are not equal.
//
// In:   assignments and conditions in program order.  Out: Interval of an expression, truth of a
// condition. Used by ranges.cpp alone. Tested by tests/golden/ranges.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
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

  bool is_of_same(const Extent& other) const { return array == other.array && axis == other.axis; }
};

// No array has more elements along an axis, no counter gets further.
constexpr Wide kMaxExtent = Wide{1} << 47;
constexpr Wide kMaxCount = Wide{1} << 62;

// A map that is copied at every branch: sorted, in one piece of memory.
template <class Value>
class LocalMap {
 public:
  using Item = std::pair<const ir::Local*, Value>;

  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  auto find(const ir::Local* local) const {
    const auto it = place(items_, local);
    return it != items_.end() && it->first == local ? it : items_.end();
  }
  size_t count(const ir::Local* local) const { return find(local) != end(); }
  Value& operator[](const ir::Local* local) {
    auto it = place(items_, local);
    if (it == items_.end() || it->first != local) it = items_.insert(it, Item{local, Value{}});
    return it->second;
  }
  void erase(const ir::Local* local) {
    const auto it = place(items_, local);
    if (it != items_.end() && it->first == local) items_.erase(it);
  }

 private:
  template <class Items>
  static auto place(Items& items, const ir::Local* local) {
    const auto before = [](const Item& item, const ir::Local* key) {
      return std::less<>()(item.first, key);
    };
    return std::lower_bound(items.begin(), items.end(), local, before);
  }

  std::vector<Item> items_{};
};

// local <= the extent (extent.cpp)
struct UpperBound {
  const ir::Local* local = nullptr;
  Extent extent{};
};

struct Known {
  LocalMap<Interval> values{};
  LocalMap<Extent> extents{};
  std::vector<UpperBound> upper{};
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
std::vector<Extent> upper_bounds(const ir::Expr* e, const Known& known);
// local <= every one of `bounds` + offset
void bound(const ir::Local* local, const std::vector<Extent>& bounds, int64_t offset, Known& known);
// Surely a < b (or <=), because b is an extent.
bool is_below(const ir::Expr* a, const ir::Expr* b, bool or_equal, const Known& known);
std::optional<bool> truth(ir::Expr* condition, const Known& known);
void assume(ir::Expr* condition, bool holds, Known& known);

}  // namespace pyk2cu::emit
