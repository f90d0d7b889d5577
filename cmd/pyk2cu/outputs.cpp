// Collects the files of a run: see outputs.h.
//
// In:   bundles, a directory.  Out: files. Tested by tests/run/test_directory.py.
#include "cmd/pyk2cu/outputs.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "cmd/pyk2cu/write.h"
#include "emit/project/project.h"
#include "frontend/base/utf8.h"

namespace pyk2cu::cmd {
namespace {

namespace fs = std::filesystem;

// Small letters for capital ones, as file systems do that do not tell them apart; the alphabets
// that have them in regular rows.
char32_t small_letter(char32_t c) {
  const auto in = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  if (in(U'A', U'Z') || (in(0xC0, 0xDE) && c != 0xD7) || in(0x391, 0x3A9) || in(0x410, 0x42F))
    return c + 32;
  if (in(0x400, 0x40F)) return c + 80;
  const bool pairs = in(0x100, 0x137) || in(0x14A, 0x177) || in(0x460, 0x481) || in(0x1E00, 0x1EFF);
  if (pairs) return c | 1;
  return c;
}

std::string folded(std::string_view path) {
  std::string out;
  for (size_t at = 0; at < path.size();) append_utf8(out, small_letter(next_code_point(path, at)));
  return out;
}

// The manifests that lie in the directory, with the recipes in them.
std::vector<project::Recipe> find_recipes(const std::string& directory) {
  std::vector<project::Recipe> recipes;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() != ".json") continue;
    const auto text = read_file(entry.path());
    auto recipe = text ? project::read_recipe(*text) : std::nullopt;
    if (recipe && recipe->module == entry.path().stem()) recipes.push_back(std::move(*recipe));
  }
  return recipes;
}

bool has_sources(const project::Recipe& recipe, const fs::path& directory) {
  const auto exists = [&](const std::string& path) {
    return fs::is_regular_file(directory / path);
  };
  return std::ranges::all_of(recipe.cuda, exists) &&
         std::ranges::all_of(recipe.sources,
                             [&](const auto& source) { return exists(source.path); });
}

// Which module writes what, by folded path.
class Claims {
 public:
  explicit Claims(Diagnostics& diags) : diags_(diags) {}

  void claim(const Made& made) {
    const std::string& name = made.bundle.module_name;
    const auto [it, is_new] = modules_.try_emplace(folded(name), made.source);
    if (!is_new) report(it->second, made.source, name + ".json");
    for (const emit::OutputFile& file : made.bundle.files) claim(file, made.source);
  }

  void report(const std::string& one, const std::string& other, const std::string& path) {
    if (!reported_.insert({one, other}).second) return;
    diags_.report({}, diag::OutputCollision, one, other, path)
        .help("compile one of them into another folder, or give it another name with --module");
  }

  bool is_clear() const { return reported_.empty(); }

 private:
  struct Claim {
    const emit::OutputFile* file;
    std::string source;
  };

  // Modules share the runtime's headers, which are the same for all.
  void claim(const emit::OutputFile& file, const std::string& source) {
    const auto [it, is_new] = files_.try_emplace(folded(file.path), Claim{&file, source});
    const Claim& first = it->second;
    const bool same = first.file->path == file.path && first.file->text == file.text;
    if (!is_new && !same) report(first.source, source, file.path);
  }

  Diagnostics& diags_;
  std::map<std::string, std::string> modules_{};
  std::map<std::string, Claim> files_{};
  std::set<std::pair<std::string, std::string>> reported_{};
};

}  // namespace

bool check_collisions(const std::vector<Made>& all, const std::string& directory,
                      Diagnostics& diags) {
  Claims claims(diags);
  for (const Made& made : all) claims.claim(made);
  for (const project::Recipe& old : find_recipes(directory)) {
    for (const Made& made : all) {
      const std::string& name = made.bundle.module_name;
      if (name != old.module && folded(name) == folded(old.module))
        claims.report((fs::path(directory) / (old.module + ".json")).string(), made.source,
                      name + ".json");
    }
  }
  return claims.is_clear();
}

std::vector<emit::OutputFile> collect_outputs(const std::vector<Made>& all,
                                              const std::string& directory) {
  std::vector<emit::OutputFile> files;
  std::vector<project::Recipe> recipes;
  std::set<std::string> paths, modules;
  for (const Made& made : all) {
    modules.insert(made.bundle.module_name);
    for (const emit::OutputFile& file : made.bundle.files) {
      if (paths.insert(file.path).second) files.push_back(file);
      if (file.kind == emit::FileKind::kManifest)
        if (auto recipe = project::read_recipe(file.text)) recipes.push_back(std::move(*recipe));
    }
  }
  for (project::Recipe& old : find_recipes(directory))
    if (!modules.contains(old.module) && has_sources(old, directory))
      recipes.push_back(std::move(old));
  for (emit::OutputFile& file : project::make_build_files(std::move(recipes)))
    files.push_back(std::move(file));
  return files;
}

}  // namespace pyk2cu::cmd
