// Files to modules: reads, parses, follows imports breadth first.
//
// In:   paths.  Out: Loaded (load.h).
// Tested by tests/unit/frontend/load_test.cpp.
#include "frontend/parse/load.h"

#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "frontend/diag/render.h"
#include "frontend/parse/parser.h"

namespace pyk2cu::frontend {

namespace fs = std::filesystem;

namespace {

using Import = ast::Module::Import;

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

// `import a.b` imports a, too.
void add_import(std::string_view name, std::vector<Import>& out) {
  for (size_t end = name.find('.'); end != name.npos; end = name.find('.', end + 1))
    out.push_back({Symbol(name.substr(0, end))});
  out.push_back({Symbol(name)});
}

// Every import statement of a body and of the bodies in it.
void find_imports(const ast::Node& node, std::vector<Import>& out) {
  if (const auto* import = ast::as<ast::Import>(node)) {
    for (const ast::Alias* alias : import->names) add_import(alias->name.str(), out);
    return;
  }
  if (const auto* from = ast::as<ast::ImportFrom>(node)) {
    const std::string module(from->module.str());
    out.push_back({Symbol(module), from->level});
    for (const ast::Alias* alias : from->names) {
      if (alias->name == "*") continue;
      const std::string prefix = module.empty() ? "" : module + ".";
      out.push_back({Symbol(prefix + std::string(alias->name.str())), from->level});
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

// As import_root(), in the spelling of the path: "" is the current folder.
fs::path search_root(const fs::path& path, const IsFile& exists) {
  fs::path folder = path.parent_path();
  for (int depth = 0; depth < 32; ++depth) {
    if (!exists((folder / "__init__.py").lexically_normal().generic_string())) break;
    folder = folder.empty() ? ".." : folder / "..";
  }
  return folder;
}

std::string identity(const std::string& path) {
  std::error_code code;
  const fs::path canonical = fs::weakly_canonical(path, code);
  return code ? path : canonical.generic_string();
}

// mod.sig beside mod.py; kernels.sig in its folder and in those above, which may name the file.
std::vector<fs::path> sidecars(const fs::path& path) {
  std::vector<fs::path> all{fs::path(path).replace_extension(".sig")};
  fs::path folder = path.parent_path();
  const fs::path whole = whole_path(path).parent_path();
  for (auto part = whole.begin(); part != whole.end(); ++part) {
    all.push_back((folder / "kernels.sig").lexically_normal());
    folder = folder.empty() ? ".." : folder / "..";
  }
  return all;
}

}  // namespace

std::vector<Import> find_imports(const ast::Module& module) {
  std::vector<Import> out;
  for (const ast::Stmt* stmt : module.body) find_imports(*stmt, out);
  return out;
}

std::string find_module(const std::string& importer, const Import& import,
                        const std::vector<std::string>& include_dirs, const IsFile& exists) {
  const std::string_view name = import.name.str();
  if (import.level == 0 && is_library(name)) return "";
  std::string tail(name);
  for (char& c : tail) c = c == '.' ? '/' : c;
  std::vector<fs::path> roots;
  if (import.level > 0) {
    fs::path folder = fs::path(importer).parent_path();
    for (int i = 1; i < import.level; ++i) folder = folder.empty() ? ".." : folder / "..";
    roots.push_back(folder);
  } else {
    roots.push_back(search_root(importer, exists));
    roots.insert(roots.end(), include_dirs.begin(), include_dirs.end());
  }
  for (const fs::path& root : roots) {
    std::vector<fs::path> candidates;
    candidates.push_back(tail.empty() ? root / "__init__.py" : root / tail / "__init__.py");
    if (!tail.empty()) candidates.push_back(root / (tail + ".py"));
    for (const fs::path& candidate : candidates) {
      const std::string path = candidate.lexically_normal().generic_string();
      if (exists(path)) return path;
    }
  }
  return "";
}

std::vector<const ast::Module*> Loaded::pointers() const {
  std::vector<const ast::Module*> result;
  for (const auto& module : modules) result.push_back(module.get());
  return result;
}

fs::path whole_path(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

Loaded load(const std::vector<std::string>& paths, const std::vector<std::string>& include_dirs,
            SourceMap& sources, Diagnostics& diags) {
  Loaded loaded;
  std::map<std::string, ast::Module*> seen;  // null: unreadable
  const OutputNames names(paths, include_dirs);
  const auto add = [&](const std::string& path, bool imported) -> ast::Module* {
    const auto [known, is_new] = seen.emplace(identity(path), nullptr);
    if (!is_new) return known->second;
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
    if (!bytes && !imported) {
      diags.report({}, diag::UnreadableFile, path, error);
      return nullptr;
    }
    Diagnostics own;
    const SourceFile& file =
        add_source(sources, path, bytes.value_or(""), imported ? own : diags, names.of(path));
    auto module = std::make_unique<ast::Module>(parse(file, imported ? own : diags));
    if (!bytes) module->fault = error;
    for (const Diagnostic* first : sorted(own)) {
      if (first->severity != Severity::kError) continue;
      module->fault = first->message;
      module->fault_at = first->span;
      break;
    }
    known->second = module.get();
    loaded.modules.push_back(std::move(module));
    return known->second;
  };
  const auto add_sidecar = [&](const fs::path& sidecar) {
    std::string error;
    if (!is_file(sidecar) || !seen.emplace(identity(sidecar.string()), nullptr).second) return;
    if (auto text = read_file(sidecar, error)) {
      loaded.signature_files.push_back(&sources.add(sidecar.generic_string(), std::move(*text)));
    }
  };
  for (const std::string& path : paths) add(path, /*imported=*/false);
  loaded.roots = loaded.modules.size();
  for (size_t i = 0; i < loaded.roots; ++i)
    for (const fs::path& sidecar : sidecars(loaded.modules[i]->file->path)) add_sidecar(sidecar);
  for (size_t i = 0; i < loaded.modules.size(); ++i) {
    ast::Module& module = *loaded.modules[i];
    for (Import& import : find_imports(module)) {
      const std::string path = find_module(module.file->path, import, include_dirs, is_file);
      if (path.empty()) continue;
      import.module = add(path, /*imported=*/true);
      module.imports.push_back(import);
    }
  }
  return loaded;
}

}  // namespace pyk2cu::frontend
