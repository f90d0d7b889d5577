// Which of the runtime headers inside the executable a bundle needs.
//
// In: emitted text.  Out: files "pyk/…" to put beside it. Their texts come from embedded.h.
#pragma once

#include "emit/bundle.h"

namespace pyk2cu::cmd {

// Adds every runtime header that the bundle's files include, directly or through one another.
void add_runtime_headers(emit::Bundle& bundle);

}  // namespace pyk2cu::cmd
