// Functions that are decorated but have no types: which of them lack a signature, which are simply
// not needed.
//
// In:   the definitions, and which of them were compiled.  Out: two lists, in source order.
// A function that the text of compiled code mentions stands in a branch that was dropped: it is
// left out, and so is a helper that nobody mentions. What is left are entry points whose types
// nobody gave; what only they call gets its types with theirs and is in neither list.
// Tested by tests/run/test_left_out.py.
#pragma once

#include <set>
#include <vector>

#include "typeinfer/decorators/roots.h"

namespace pyk2cu::infer {

struct Uncompiled {
  std::vector<const decorators::Definition*> without_types{};
  std::vector<const decorators::Definition*> left_out{};
};

Uncompiled sort_uncompiled(const decorators::Sources& sources,
                           const std::set<const decorators::Definition*>& compiled);

}  // namespace pyk2cu::infer
