// What ranges.cpp finds out about integers of 64 bits, for narrow.cpp and bytes.cpp.
//
// In:   a function behind ranges().  Out: which of its expressions and variables fit 32 bits, and
// what those can be that fit 16; what ranges() writes is written again, the same.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "emit/lower/known.h"

namespace pyk2cu::emit {

struct Fits {
  std::unordered_set<const ir::Expr*> exprs{};            // that are in int32 wherever evaluated
  std::unordered_set<const ir::Local*> too_wide{};        // to which an Assign gives more
  std::unordered_map<const ir::Expr*, Interval> small{};  // wherever evaluated: int16, or uint16
};
Fits fits_of(ir::Function& f);

}  // namespace pyk2cu::emit
