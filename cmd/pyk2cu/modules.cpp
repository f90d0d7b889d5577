// Names modules after their files: see modules.h.
//
// In:   Options.  Out: modules. Tested by tests/run/test_names.py and test_directory.py.
#include "cmd/pyk2cu/modules.h"

#include <filesystem>
#include <set>

#include "frontend/parse/module_name.h"

namespace pyk2cu::cmd {
namespace {

// What cannot be resolved (absent, say) is itself.
std::string identity(const std::string& path) {
  std::error_code error;
  const std::filesystem::path canonical = std::filesystem::canonical(path, error);
  return error ? path : canonical.string();
}

std::vector<std::string> distinct(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const std::string& path : paths)
    if (seen.insert(identity(path)).second) out.push_back(path);
  return out;
}

}  // namespace

std::vector<Module> plan_modules(const Options& options, Diagnostics& diags) {
  const std::vector<std::string> paths = distinct(options.files);
  if (!options.module_name.empty()) {
    const frontend::ModuleName name = frontend::importable(options.module_name);
    if (name.is_exact) return {{name.text, paths}};
    diags.report({}, diag::BadModuleName, options.module_name)
        .help("`" + name.text + "` is one; to put it into a package, say `-o` with its folder");
    return {};
  }
  std::vector<Module> modules;
  for (const std::string& path : paths) {
    const frontend::ModuleName name = frontend::importable(frontend::module_name(path));
    if (!name.is_exact && !options.out_dir.empty())
      diags.report({}, diag::NotImportable, path, name.text)
          .help("rename the file, or choose the module's name with --module NAME");
    modules.push_back({name.text, {path}});
  }
  return modules;
}

}  // namespace pyk2cu::cmd
