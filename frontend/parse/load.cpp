// Files to modules: reads, parses, follows imports breadth first.
//
// In:   paths.  Out: Loaded (load.h).
// Tested by tests/unit/frontend/load_test.cpp.
#include "frontend/parse/load.h"

#include <deque>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "frontend/parse/parser.h"

namespace pyk2cu::frontend {

namespace fs = std::filesystem;

namespace {

struct Import {
  std::string name;  // "pkg.util"; may be empty when level > 0
  int level = 0;
};

// Modules that are libraries whatever lies beside the file.
constexpr std::string_view kLibraries[] = {
    "numba",      "numpy",       "math",        "cmath",      "sys",      "os",
    "time",       "functools",   "random",      "operator",   "numbapro", "typing",
    "scipy",      "cupy",        "torch",       "pycuda",     "pyk2cu",   "itertools",
    "__future__", "collections", "dataclasses", "matplotlib", "pandas",
};

bool is_library(std::string_view name) {
  const std::string_view first = name.substr(0, name.find('.'));
  for (std::string_view library : kLibraries) {
    if (library == first) return true;
  }
  return false;
}

// Every import statement of a body and of the bodies in it.
void find_imports(const ast::Node& node, std::vector<Import>& out) {
  if (const auto* import = ast::as<ast::Import>(node)) {
    for (const ast::Alias* alias : import->names)
      out.push_back({std::string(alias->name.str()), 0});
    return;
  }
  if (const auto* from = ast::as<ast::ImportFrom>(node)) {
    const std::string module(from->module.str());
    out.push_back({module, from->level});
    for (const ast::Alias* alias : from->names) {
      if (alias->name == "*") continue;
      const std::string prefix = module.empty() ? "" : module + ".";
      out.push_back({prefix + std::string(alias->name.str()), from->level});
    }
    return;
  }
  ast::for_each_child(node, [&](const ast::Node& child) {
    // statements only: expressions hold no imports
    const bool may_hold = child.kind <= ast::Kind::kContinue ||
                          ast::is<ast::ExceptHandler>(child) || ast::is<ast::MatchCase>(child);
    if (may_hold) find_imports(child, out);
  });
}

std::optional<std::string> read_file(const fs::path& path, std::string& error) {
  std::error_code code;
  if (fs::is_directory(path, code)) {
    error = "it is a directory";
    return std::nullopt;
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    error = fs::exists(path, code) ? "permission denied" : "no such file";
    return std::nullopt;
  }
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

bool is_file(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code);
}

// The file that an import means, or "".
std::string find_module(const fs::path& importer, const Import& import,
                        const std::vector<std::string>& include_dirs) {
  if (import.level == 0 && is_library(import.name)) return "";
  std::string tail = import.name;
  for (char& c : tail) c = c == '.' ? '/' : c;
  fs::path directory = importer.parent_path();
  std::vector<fs::path> roots;
  if (import.level > 0) {
    for (int i = 1; i < import.level; ++i) directory = directory.empty() ? ".." : directory / "..";
    roots.push_back(directory);
  } else {
    roots.push_back(directory);
    // the directory above the outermost package that holds the importing file
    for (int depth = 0; depth < 32 && is_file(directory / "__init__.py"); ++depth) {
      directory = directory.empty() ? ".." : directory / "..";
      roots.push_back(directory);
    }
    roots.insert(roots.end(), include_dirs.begin(), include_dirs.end());
  }
  for (const fs::path& root : roots) {
    std::vector<fs::path> candidates;
    if (!tail.empty()) candidates.push_back(root / (tail + ".py"));
    candidates.push_back(tail.empty() ? root / "__init__.py" : root / tail / "__init__.py");
    for (const fs::path& candidate : candidates) {
      if (is_file(candidate)) return candidate.lexically_normal().generic_string();
    }
  }
  return "";
}

fs::path whole_path(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

// The folder from which Python imports a file: the one above its outermost package.
fs::path import_root(const std::string& path) {
  fs::path folder = whole_path(path).parent_path();
  while (is_file(folder / "__init__.py") && folder.has_relative_path())
    folder = folder.parent_path();
  return folder;
}

// What generated files call the sources of one module: relative to the folder that all files of the
// command line are imported from, or to the -I folder that holds the file, else with `..`.
class OutputNames {
 public:
  OutputNames(const std::vector<std::string>& paths, const std::vector<std::string>& include_dirs) {
    fs::path common;
    for (const std::string& path : paths)
      common = common.empty() ? import_root(path) : shared(common, import_root(path));
    roots_.push_back(common);
    for (const std::string& folder : include_dirs)
      roots_.push_back(whole_path(fs::path(folder) / ""));
  }

  std::string of(const std::string& path) const {
    const fs::path whole = whole_path(path);
    for (const fs::path& root : roots_) {
      const fs::path name = whole.lexically_relative(root);
      if (!name.empty() && *name.begin() != "..") return name.generic_string();
    }
    return whole.lexically_relative(roots_.front()).generic_string();
  }

 private:
  static fs::path shared(const fs::path& a, const fs::path& b) {
    fs::path out;
    for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end() && *i == *j; ++i, ++j)
      out /= *i;
    return out;
  }

  std::vector<fs::path> roots_{};
};

std::string identity(const std::string& path) {
  std::error_code code;
  const fs::path canonical = fs::weakly_canonical(path, code);
  return code ? path : canonical.generic_string();
}

}  // namespace

std::vector<const ast::Module*> Loaded::pointers() const {
  std::vector<const ast::Module*> result;
  for (const auto& module : modules) result.push_back(module.get());
  return result;
}

Loaded load(const std::vector<std::string>& paths, const std::vector<std::string>& include_dirs,
            SourceMap& sources, Diagnostics& diags) {
  Loaded loaded;
  std::set<std::string> seen;
  const OutputNames names(paths, include_dirs);
  const auto add = [&](const std::string& path) {
    if (!seen.insert(identity(path)).second) return;
    std::string error;
    auto bytes = read_file(path, error);
    if (bytes && path.ends_with(".ipynb")) {
      std::string text;
      if (notebook_text(*bytes, text, error)) {
        bytes = std::move(text);
      } else {
        bytes.reset();
      }
    }
    if (!bytes) {
      diags.report({}, diag::UnreadableFile, path, error);
      return;
    }
    const SourceFile& file = add_source(sources, path, *bytes, diags, names.of(path));
    loaded.modules.push_back(std::make_unique<ast::Module>(parse(file, diags)));
  };
  const auto add_sidecar = [&](const std::string& path) {
    const fs::path sidecar = fs::path(path).replace_extension(".sig");
    std::string error;
    if (!is_file(sidecar)) return;
    if (auto text = read_file(sidecar, error)) {
      loaded.signature_files.push_back(&sources.add(sidecar.generic_string(), std::move(*text)));
    }
  };
  for (const std::string& path : paths) add(path);
  loaded.roots = loaded.modules.size();
  for (size_t i = 0; i < loaded.roots; ++i) add_sidecar(loaded.modules[i]->file->path);
  for (size_t i = 0; i < loaded.modules.size(); ++i) {
    std::vector<Import> imports;
    for (const ast::Stmt* stmt : loaded.modules[i]->body) find_imports(*stmt, imports);
    const fs::path importer = loaded.modules[i]->file->path;
    for (const Import& import : imports) {
      const std::string path = find_module(importer, import, include_dirs);
      if (!path.empty()) add(path);
    }
  }
  return loaded;
}

}  // namespace pyk2cu::frontend
