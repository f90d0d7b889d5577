// `pyk2cu explain`: what every loop has become, and what stands in its way.
//
// In: compiled modules.  Out: text on stdout. Tested by tests/run/test_loop_report.py.
#pragma once

#include <string>
#include <vector>

#include "cmd/pyk2cu/outputs.h"
#include "frontend/base/source_map.h"

namespace pyk2cu::cmd {

// Of the functions called `function`, or of all where it is empty. False: there is none.
bool print_loops(const std::vector<Made>& all, const std::string& function,
                 const SourceMap& sources, bool color);

}  // namespace pyk2cu::cmd
