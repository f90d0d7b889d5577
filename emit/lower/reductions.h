// Is a variable of a parallel loop only accumulated into?
//
// In:   a loop's body and a local whose value passes from iteration to iteration.
// Out:  the one kind of all its updates, or nothing.
// Tested by tests/golden/openmp.
#pragma once

#include <optional>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

struct Reduced {
  ir::ReduceOp op{};
  bool keeps = false;  // min, max: what the variable holds stays where a comparison is false
  // min, max: the same whatever the order of the updates is, but for the sign of a zero; and that
  // too, since there is no -0.0.
  bool any_order = false, one_zero = false;
};
std::optional<Reduced> reduction_of(const ir::Block& body, const ir::Local* local);

// Once in an iteration, in no loop of it that turns?
bool adds_once(const ir::Block& body, const ir::Local* sum);

}  // namespace pyk2cu::emit
