// What is known of values at one point of a function: intervals of numbers, integers beside the
// extents of arrays, pairs of variables that are not equal.
//
// In:   assignments and conditions in program order.  Out: what holds of a local now; of an
// expression that a condition asked about (`if b[i] != 0`), which a local of no program stands for.
// Every change is on a trail, so that a branch costs what it changes: mark(), walk the one side,
// take() its changes back, walk the other, join(). Ranges follows whole functions with it; who asks
// of one expression begins with nothing known. Tested by tests/golden/ranges.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "typeinfer/ir/ir.h"
#include "typeinfer/ir/local_set.h"

namespace pyk2cu::emit {

__extension__ typedef __int128 Wide;

struct Interval {  // a float may be NaN whatever its interval says
  Wide lo = 0, hi = 0;
  bool nonzero = false;  // beyond what lo and hi say

  bool is_empty() const { return lo > hi || (nonzero && lo == 0 && hi == 0); }
  bool excludes_zero() const { return nonzero || lo > 0 || hi < 0; }
  bool within(const Interval& other) const { return lo >= other.lo && hi <= other.hi; }
  bool operator==(const Interval&) const = default;
};
Interval join(const Interval& a, const Interval& b);
Interval full(const types::Type* type);  // all values of an integer type or bool; else unlimited

// No array has more elements along an axis, no counter gets further.
constexpr Wide kMaxExtent = Wide{1} << 47;
constexpr Wide kMaxCount = Wide{1} << 62;
constexpr Wide kUnlimited = Wide{1} << 100;

// The extent of an array along an axis, plus an offset.
struct Extent {
  const ir::Local* array = nullptr;
  int axis = 0;
  int64_t offset = 0;

  bool is_of_same(const Extent& other) const { return array == other.array && axis == other.axis; }
  bool operator==(const Extent&) const = default;
};

class Known {
 public:
  bool reachable = true;

  Interval of(const ir::Local* local) const;  // all of its type where nothing is known
  bool has_value(const ir::Local* local) const;
  std::optional<Extent> extent(const ir::Local* local) const;      // local == extent
  const std::vector<Extent>& upper(const ir::Local* local) const;  // local <= each of them
  bool are_unequal(const ir::Local* a, const ir::Local* b) const;

  void set(const ir::Local* local, const Interval& value);
  void set_extent(const ir::Local* local, const Extent& extent);
  void add_upper(const ir::Local* local, const Extent& extent);  // the least one of an axis counts
  void set_unequal(const ir::Local* a, const ir::Local* b);
  // `local` is assigned: nothing is known of it, nor of what is said in terms of it.
  void forget(const ir::Local* local);

  // What stands for the value of the expression; null: nothing does.
  const ir::Local* stand_in(const ir::Expr* e) const;
  // It, made where there is none; null: evaluated again it may be another, or do something.
  const ir::Local* make_stand_in(const ir::Expr* e);
  // Elements of arrays may be others now.
  void forget_memory();

  struct Fact {
    std::optional<Interval> value{};
    std::optional<Extent> extent{};
    std::vector<Extent> upper{};
    std::vector<const ir::Local*> unequal{};
  };
  // What changed on one side of a branch, and whether its end is reached.
  struct Changes {
    std::unordered_map<const ir::Local*, Fact> facts{};
    bool reachable = true;
  };
  struct Mark {
    size_t size;
    bool reachable;
  };
  Mark mark() const { return {trail_.size(), reachable}; }
  Changes take(Mark mark);  // the changes since then, which are undone
  void undo(Mark mark);
  void keep() { trail_.clear(); }  // no mark is open: nothing will be undone
  // Behind both sides: this one, which has changed since the mark, and the other.
  void join(Mark mark, const Changes& other);

 private:
  struct StandIn {
    const ir::Expr* expr = nullptr;
    const ir::Local* local = nullptr;  // null: nothing yet
    ir::LocalSet reads{};
    bool reads_memory = false;
  };

  Fact& change(const ir::Local* local);  // to be changed; the old one goes on the trail
  const Fact* find(const ir::Local* local) const;
  void forget_where(const ir::Local* read);  // null: memory

  std::unordered_map<const ir::Local*, Fact> facts_{};
  std::vector<std::pair<const ir::Local*, Fact>> trail_{};
  std::unordered_map<const ir::Local*, std::unordered_set<const ir::Local*>> users_{};  // by array
  std::array<StandIn, 16> stand_ins_{};  // the last ones that were made
  size_t made_ = 0;
  std::deque<ir::Local> locals_{};  // all that ever stood for something: the trail may know them
};

}  // namespace pyk2cu::emit
