// Names modules after their files: see modules.h.
//
// In:   Options.  Out: modules. Tested by tests/run/test_names.py and test_directory.py.
#include "cmd/pyk2cu/modules.h"

#include <filesystem>
#include <set>

#include "cmd/pyk2cu/package.h"
#include "frontend/parse/module_name.h"

namespace pyk2cu::cmd {
namespace {

// What cannot be resolved (absent, say) is itself.
std::string identity(const std::string& path) {
  std::error_code error;
  const std::filesystem::path canonical = std::filesystem::canonical(path, error);
  return error ? path : canonical.string();
}

struct Given : PackageFile {
  bool is_found = false;
};

// Directories as their files; each file once.
std::vector<Given> expand(const std::vector<std::string>& paths) {
  std::vector<Given> out;
  std::set<std::string> seen;
  const auto add = [&](const PackageFile& file, bool is_found) {
    if (seen.insert(identity(file.path)).second) out.push_back({file, is_found});
  };
  for (const std::string& path : paths) {
    if (!is_directory(path)) {
      add({path, ""}, false);
      continue;
    }
    for (const PackageFile& file : find_python_files(path)) add(file, true);
  }
  return out;
}

}  // namespace

std::vector<Module> plan_modules(const Options& options, Diagnostics& diags) {
  const std::vector<Given> files = expand(options.files);
  if (!options.module_name.empty()) {
    const frontend::ModuleName name = frontend::importable(options.module_name);
    if (name.is_exact) {
      Module all{name.text};
      for (const Given& file : files) all.paths.push_back(file.path);
      if (all.paths.empty()) return {};
      return {all};
    }
    diags.report({}, diag::BadModuleName, options.module_name)
        .help("`" + name.text + "` is one; to put it into a package, say `-o` with its folder");
    return {};
  }
  std::vector<Module> modules;
  for (const Given& file : files) {
    const frontend::ModuleName name = frontend::importable(frontend::module_name(file.path));
    if (!name.is_exact && !options.out_dir.empty() && !file.is_found)
      diags.report({}, diag::NotImportable, file.path, name.text)
          .help("rename the file, or choose the module's name with --module NAME");
    modules.push_back({name.text, {file.path}, file.folder, file.is_found});
  }
  return modules;
}

}  // namespace pyk2cu::cmd
