// Diagnostics as text for people and as JSON lines for tools.
//
//   saxpy.py:14:9: error[PK3007]: `out` has rank 1 but is indexed with 2 subscripts
//      14 |         out[i, j] = a * x[i]
//         |         ^^^^^^^^^
//
// In:   the collected diagnostics and the source map of their spans.
// Out:  text in order of file and position, exact duplicates dropped.
// Tested by tests/unit/frontend/diag_test.cpp and every tests/diag/*.expected.txt.
#pragma once

#include <string>

#include "frontend/base/source_map.h"
#include "frontend/diag/diagnostics.h"

namespace pyk2cu {

struct RenderOptions {
  bool color = false;  // ANSI colours
  int width = 100;     // columns of a source line before it is clipped
};

// In order of file and position, without exact duplicates; pointers into `diags`.
std::vector<const Diagnostic*> sorted(const Diagnostics& diags);

std::string render_text(const Diagnostics& diags, const SourceMap& sources,
                        const RenderOptions& options = {});
std::string render_text(const Diagnostic& diagnostic, const SourceMap& sources,
                        const RenderOptions& options = {});

// One JSON object per line.
std::string render_json(const Diagnostics& diags, const SourceMap& sources);

// `text` as a JSON string with its quotes; bytes that are no UTF-8 become U+FFFD.
std::string json_quote(std::string_view text);

}  // namespace pyk2cu
