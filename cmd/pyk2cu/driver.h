// The whole compiler as one call.
//
// In: Options.  Out: the exit code; messages on stderr, dumps on stdout.
#pragma once

#include "cmd/pyk2cu/options.h"

namespace pyk2cu::cmd {

int run(const Options& options);

}  // namespace pyk2cu::cmd
