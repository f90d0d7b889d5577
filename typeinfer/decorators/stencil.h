// Stencils: what @stencil is given.
//
//   @stencil   @stencil('constant', cval=1.0)   stencil(f, neighborhood=((-2, 2),))
//
// In:   what the decorator was given.  Out: Stencil of a Definition; diagnostics.
// Rule: Python calls a stencil with the arguments of its function and, if it likes, `out=`.
// Tested by tests/run/test_stencil.py and tests/diag/PK2044_stencil.py.
#pragma once

#include "typeinfer/decorators/collector.h"

namespace pyk2cu::decorators {

// Fills in `stencil` and takes the mode out of `maker`. False after a diagnostic.
bool make_stencil(Definition& definition, Maker& maker, bool root, Sources& sources,
                  Diagnostics& diags);

}  // namespace pyk2cu::decorators
