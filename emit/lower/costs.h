// How much work a piece of a program is: what decides about threads and about the GIL.
//
// In:   loops, functions.  Out: the number of innermost iterations as an expression, and what one
// of them costs; of a whole function, whether an array's size bounds its loops; of a
// ufunc's loop, whether its floating-point flags mean anything. Tested by
// tests/golden/openmp and tests/unit/emit/pyext_test.cpp.
#pragma once

#include <unordered_map>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

struct LoopCost {
  std::vector<std::pair<const ir::Expr*, const ir::Expr*>> ranges{};  // lo, hi of nested loops
  int64_t weight = 1;    // operations of one innermost iteration
  bool uneven = false;   // iterations of the outermost loop differ in cost
  bool is_open = false;  // nobody knows how much one of them is: it loops as data or calls say
};
// Of loops of step 1 whose bounds are known before the outermost one.
LoopCost cost_of(const ir::For& loop);

// Statements, nested ones included.
size_t count_stmts(const ir::Block& block);

// Operations of one turn of a loop.
int64_t cost_of_turn(const ir::Block& body);

// Operations that the loop of a ufunc takes for one element, or, with cores, for each item of them.
int64_t cost_of_element(const ir::Function& loop, bool with_cores);

// Do floating-point flags say what the loop's elements did? Not where it computes no floats, since
// vectors divide integers as such, nor where it chooses, since vectors may compute both sides.
bool has_flags(const ir::Function& loop);

// Does a processor foresee which side it takes? Where it asks for what is hardly ever there: x is
// NaN, k is the number that says that there is none. 0 is none of those: half of a mask is 0.
bool is_foreseen(const ir::If& branch);

// Do both sides do nothing but give variables values, computed from variables?
bool is_choice(const ir::If& branch);

// May lanes, masked, choose the lesser or the greater of two small integers? Whatever function of
// two, and whatever comparison, it is.
bool has_small_extremes(const ir::Function& f);

// The work of a call, seen from outside.
struct Work {
  int depth = 0;         // of nested loops whose bounds arrays give
  bool is_long = false;  // loops of a length that no array tells, or deeper than arrays have axes
  bool is_parallel = false;
  bool asks_threads = false;  // how many there are, or which one it is on
  bool needs_openmp() const { return is_parallel || asks_threads; }
};
class WorkEstimates {
 public:
  Work of(const ir::Function& function);

 private:
  friend class Estimate;
  std::unordered_map<const ir::Function*, Work> known_{};
};

}  // namespace pyk2cu::emit
