// What --sig gives, as files of the source map.
//
//   --sig 'f=float64(float64)'   --sig types.sig
//
// In:   the texts.  Out: a file each; a diagnostic for a sidecar that cannot be read.
// Tested by tests/run/test_cli.py, test_record.py and test_check.py.
#pragma once

#include <string>
#include <vector>

#include "frontend/base/source_map.h"
#include "frontend/diag/diagnostics.h"

namespace pyk2cu::cmd {

std::vector<const SourceFile*> read_signatures(const std::vector<std::string>& texts,
                                               SourceMap& sources, Diagnostics& diags);

}  // namespace pyk2cu::cmd
