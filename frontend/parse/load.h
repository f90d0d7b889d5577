// Loading: the files of the command line and the Python files they import, parsed.
//
// In:   paths, directories to look for imports in.
// Out:  a parsed module per file, those of the command line first; types beside them: kernels.sig
//       beside kernels.py, and those called kernels.sig in its folder and above.
// Rule: as Python: `from .util import f` is a file of the same package, `import util` one below the
//       folder above the outermost package (a script's own folder), then below -I directories;
//       everything else belongs to the host program and is ignored. What is wrong with an imported
//       file is its Module's `fault`. Code cells of a notebook (.ipynb) are one file, in order.
// Tested by tests/unit/frontend/load_test.cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/base/source_map.h"
#include "frontend/diag/diagnostics.h"

namespace pyk2cu::frontend {

struct Loaded {
  std::vector<std::unique_ptr<ast::Module>> modules{};
  size_t roots = 0;  // the first so many are those of the command line
  std::vector<const SourceFile*> signature_files{};  // sidecars, each once

  std::vector<const ast::Module*> pointers() const;
};

// A file that cannot be read is PK1002; the others are loaded all the same.
// Absolute, without `.` and `..`; links are kept.
std::filesystem::path whole_path(const std::filesystem::path& path);

Loaded load(const std::vector<std::string>& paths, const std::vector<std::string>& include_dirs,
            SourceMap& sources, Diagnostics& diags);

// The imports of a module, without what they mean.
std::vector<ast::Module::Import> find_imports(const ast::Module& module);

using IsFile = std::function<bool(const std::string& path)>;
// The file that an import of the file `importer` means, or "".
std::string find_module(const std::string& importer, const ast::Module::Import& import,
                        const std::vector<std::string>& include_dirs, const IsFile& is_file);

// The text of a notebook's code cells, magics left out, each cell under a `# cell n` line. Nothing
// when it is no notebook; then `error` says why.
bool notebook_text(std::string_view json, std::string& text, std::string& error);

}  // namespace pyk2cu::frontend
