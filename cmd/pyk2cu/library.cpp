// The library's file: see library.h.
#include "cmd/pyk2cu/library.h"

#include "cmd/pyk2cu/embedded.h"
#include "frontend/parse/parser.h"

namespace pyk2cu::cmd {

const ast::Module* add_library(frontend::Loaded& loaded, SourceMap& sources, Diagnostics& diags) {
  const EmbeddedFile& file = library().front();
  const SourceFile& text =
      sources.add("pyk2cu's " + std::string(file.path), std::string(file.text));
  loaded.modules.push_back(std::make_unique<ast::Module>(frontend::parse(text, diags)));
  return loaded.modules.back().get();
}

}  // namespace pyk2cu::cmd
