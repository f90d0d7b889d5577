// Variants of kernels: which assumptions about the arguments of a launch get code of their own.
//
//   offsets that fit 32 bits, arrays that share no memory   each halves the work of index
//   arithmetic, or lets loads use the read-only cache; layouts are variants already
//
// In:   entries of kernels.  Out: their variants, best first, the last one without guards.
// Tested by tests/golden/cuda.
#include <algorithm>

#include "emit/lower/lower.h"

namespace pyk2cu::emit {

namespace {

using ir::Guard;

bool has_arrays(const ir::Function& f) {
  return std::any_of(f.params.begin(), f.params.end(),
                     [](const ir::Param& p) { return types::holds_array(p.local->type); });
}

// May two arrays of which one is written share memory?
bool may_overlap(const ir::Function& f) {
  int arrays = 0, written = 0;
  for (const ir::Param& p : f.params) {
    arrays += types::holds_array(p.local->type);
    written += p.local->written;
  }
  return arrays > 1 && written > 0;
}

void expand(ir::Overload& overload) {
  std::vector<ir::Variant> all;
  for (const ir::Variant& variant : overload.variants) {
    if (!has_arrays(*variant.function)) {
      all.push_back(variant);
      continue;
    }
    const bool general = variant.guards.empty();
    const bool overlaps = may_overlap(*variant.function);
    const auto add = [&](bool disjoint, bool fits32) {
      ir::Variant one = variant;
      if (disjoint && overlaps) one.guards.push_back({Guard::Kind::kDisjoint});
      if (fits32) one.guards.push_back({Guard::Kind::kFits32});
      all.push_back(one);
    };
    add(true, true);
    if (overlaps || !general) add(true, false);
    if (overlaps) add(false, true);
    if (general) add(false, false);
  }
  overload.variants = std::move(all);
}

}  // namespace

void kernels(ir::Program& program) {
  for (ir::Entry& entry : program.entries)
    for (ir::Overload& overload : entry.overloads) expand(overload);
}

}  // namespace pyk2cu::emit
