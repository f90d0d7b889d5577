// Universal functions: the layout of @guvectorize and the options that NumPy is told.
//
//   "(m,n),(n)->(m)"   identity=0   target="parallel"   writable_args=(0, "y")
//
// In:   what the decorator was given.  Out: ir::Ufunc of a Definition; diagnostics.
// Tested by tests/unit/typeinfer/roots_test.cpp and tests/run/test_ufunc.py.
#pragma once

#include "typeinfer/decorators/collector.h"

namespace pyk2cu::decorators {

// Fills in `ufunc` from what the decorator was given, and takes the layout, which stands last,
// out of `maker`. False after a diagnostic.
bool make_ufunc(Definition& definition, Maker& maker, bool root, Diagnostics& diags);

}  // namespace pyk2cu::decorators
