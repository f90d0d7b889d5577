// Reads what --sig gives. In, out: signatures.h.
#include "cmd/pyk2cu/signatures.h"

#include "cmd/pyk2cu/write.h"

namespace pyk2cu::cmd {

std::vector<const SourceFile*> read_signatures(const std::vector<std::string>& texts,
                                               SourceMap& sources, Diagnostics& diags) {
  std::vector<const SourceFile*> given;
  for (const std::string& text : texts) {
    if (!text.ends_with(".sig")) {
      given.push_back(&sources.add("--sig '" + text + "'", text));
    } else if (auto sidecar = read_file(text)) {  // wherever it lies
      given.push_back(&sources.add(text, std::move(*sidecar)));
    } else {
      diags.report({}, diag::UnreadableFile, text, "no such file, or not readable");
    }
  }
  return given;
}

}  // namespace pyk2cu::cmd
