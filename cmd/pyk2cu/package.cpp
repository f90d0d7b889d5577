// Walks a directory: see package.h.
//
// In:   a directory.  Out: files. Tested by tests/run/test_check.py and test_projects.py.
#include "cmd/pyk2cu/package.h"

#include <algorithm>
#include <filesystem>

namespace pyk2cu::cmd {
namespace {

namespace fs = std::filesystem;

bool is_skipped_folder(const fs::path& folder) {
  static constexpr std::string_view kNames[] = {"tests",         "test",         "testing",
                                                "build",         "dist",         "docs",
                                                "site-packages", "node_modules", "__pycache__"};
  const std::string name = folder.filename().string();
  std::error_code error;
  return name.starts_with('.') || name.ends_with(".egg-info") ||
         std::ranges::find(kNames, name) != std::end(kNames) ||
         fs::exists(folder / "pyvenv.cfg", error);
}

bool is_skipped_file(const fs::path& file) {
  const std::string name = file.filename().string();
  return file.extension() != ".py" || name.starts_with('.') || name.starts_with("test_") ||
         name.ends_with("_test.py") || name == "conftest.py" || name == "setup.py";
}

void walk(const fs::path& directory, const fs::path& below, std::vector<PackageFile>& out) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error))
    entries.push_back(at->path());
  std::ranges::sort(entries);
  for (const fs::path& entry : entries) {
    if (fs::is_regular_file(entry, error) && !is_skipped_file(entry))
      out.push_back({entry.generic_string(), below.generic_string()});
    const bool is_link = fs::is_symlink(entry, error);  // may lead back up
    if (!is_link && fs::is_directory(entry, error) && !is_skipped_folder(entry))
      walk(entry, below / entry.filename(), out);
  }
}

}  // namespace

bool is_directory(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

std::vector<PackageFile> find_python_files(const std::string& directory) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(directory, error);
  std::vector<PackageFile> out;
  walk(fs::path(directory).lexically_normal(), error ? fs::path() : real.filename(), out);
  return out;
}

}  // namespace pyk2cu::cmd
