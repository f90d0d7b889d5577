// The body of a loop for W iterations side by side: a gang of lanes in lockstep.
//
// In:   the body of one iteration, calls inlined, with its Shape.  Out: statements for a gang:
// uniform ones as they are, Lanes for the others, masks where lanes part. Nothing where the body
// holds what gangs cannot do. Tested by tests/golden/gangs and tests/run/test_gangs.py.
#pragma once

#include <algorithm>
#include <optional>

#include "emit/lower/lanes/forms.h"
#include "emit/lower/lanes/shape.h"
#include "typeinfer/ir/builder.h"

namespace pyk2cu::emit {

// What the iterations of a loop give to one variable.
struct Gathered {
  ir::Reduction reduction;
  bool any_order = false;  // of the iterations; else theirs
};

// The least or the largest of all iterations, or a sum in any order: every lane finds its own.
struct Extreme {
  ir::ReduceOp op{};
  ir::Local* own = nullptr;   // of the source
  ir::Local* lane = nullptr;  // in the body of one iteration
  bool one_zero = true;       // else which zero it is, 0.0 or -0.0, hangs on the order
};

// An array whose last axis is so many elements, of which subscripts name one: see interleaved.h.
struct Interleaved {
  ir::Local* array = nullptr;
  int64_t extent = 0;
};

struct Gang {
  ir::Local* index = nullptr;  // of the loop, in the body of one iteration
  ir::Local* first = nullptr;  // the first lane's
  ir::Local* lane = nullptr;   // int32: of its lanes, 0 to width - 1
  ir::Local* count = nullptr;  // int32: lanes that have an iteration; null: all have
  int width = 0;
  std::optional<int64_t> turns{};  // of the loop, where they are known
  int mask_bits = 64;              // of the integers that keep masks
  double vector_bits = 128;        // of the processor that is compiled for
  Forms forms{};
  bool is_dense = false;     // elements of all lanes lie side by side, and no iteration raises
  bool is_far = false;       // iterations would meet if there were more of them
  bool is_apart = false;     // no array that is stored to shares memory with another
  bool is_natural = false;   // the loop starts at a constant that is not below 0
  bool asks_ahead = false;   // what iterations may raise is asked in front of the loop
  bool small_start = false;  // the loop starts at a constant below 2**51
  // Where iterations may raise: the lanes that did, the statement of the body before which nothing
  // is stored and behind which nothing raises, and what runs in place of those behind it.
  ir::Local* failed = nullptr;
  size_t commits = 0;
  ir::Block* redo = nullptr;
  std::vector<Gathered> gathered{};
  std::vector<Extreme> extremes{};
  std::vector<Interleaved> interleaved{};
  bool rows_twice = false;  // the lanes are there twice: with rows of those extents, and without

  bool is_extreme(const ir::Local* local) const {
    return std::any_of(extremes.begin(), extremes.end(),
                       [&](const Extreme& e) { return e.lane == local; });
  }
  bool is_sum(const ir::Local* local) const {
    return std::any_of(extremes.begin(), extremes.end(), [&](const Extreme& e) {
      return e.lane == local && e.op == ir::ReduceOp::kAdd;
    });
  }
  // Of the source, which iterations that run again read.
  bool is_found(const ir::Local* local) const {
    return std::any_of(extremes.begin(), extremes.end(),
                       [&](const Extreme& e) { return e.own == local; });
  }
  const Gathered* find_gathered(const ir::Local* local) const {
    const auto same = [&](const Gathered& g) { return g.reduction.local == local; };
    const auto found = std::find_if(gathered.begin(), gathered.end(), same);
    return found == gathered.end() ? nullptr : &*found;
  }
  // The loop's index, plus or minus what is the same for all lanes.
  bool moves_by_one(const ir::Expr* e, const Shape& shape) const;
  // Does the statement itself write one?
  bool gathers(const ir::Stmt* s) const {
    bool found = false;
    ir::for_each_local(s, [&](const ir::Local* local, ir::Access access) {
      found = found || (access != ir::Access::kRead && find_gathered(local));
    });
    return found;
  }
};

// Of an array with an element for each lane (own_arrays.h), at a place that all have in common.
bool is_of_all(const Gang& gang, const Shape& shape, const ir::List<ir::Index>& indices);

// Null: the body cannot be done so, for what stands at `blocker`.
ir::Block* gang_of(ir::Program& program, ir::Function& f, const Gang& gang, const Shape& shape,
                   const ir::Block& body, Span& blocker);

// Locals that runs hand on to one another become arrays, one value for each lane.
void store_lanes(ir::Program& program, ir::Block& body, const Gang& gang);
// The loop over gangs: vectors, and what they add up, are its body's, but for what threads share.
inline ir::For without_lanes(ir::For loop) {
  if (loop.loop != ir::LoopKind::kSerial) return loop;
  loop.simd = false;
  loop.reductions = {};
  return loop;
}

}  // namespace pyk2cu::emit
