// The library's files: see library.h.
#include "cmd/pyk2cu/library.h"

#include "cmd/pyk2cu/embedded.h"
#include "frontend/parse/parser.h"

namespace pyk2cu::cmd {

std::vector<const ast::Module*> add_library(frontend::Loaded& loaded, SourceMap& sources,
                                            Diagnostics& diags) {
  std::vector<const ast::Module*> added;
  for (const EmbeddedFile& file : library()) {
    const SourceFile& text =
        sources.add("pyk2cu's " + std::string(file.path), std::string(file.text));
    loaded.modules.push_back(std::make_unique<ast::Module>(frontend::parse(text, diags)));
    added.push_back(loaded.modules.back().get());
  }
  return added;
}

}  // namespace pyk2cu::cmd
