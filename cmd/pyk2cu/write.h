// Writes a bundle to disk: all of it or nothing, and never over a file that is not ours.
//
// In: emit::Bundle, a directory.  Out: files; errors as PK60xx. Unchanged files keep their time
// stamp.
#pragma once

#include <string>

#include "emit/bundle.h"
#include "frontend/diag/diagnostics.h"

namespace pyk2cu::cmd {

// Returns false, with a diagnostic, when nothing was written.
bool write_bundle(const emit::Bundle& bundle, const std::string& directory, Diagnostics& diags);

}  // namespace pyk2cu::cmd
