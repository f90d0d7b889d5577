// Writes files to disk: all of them or none, and never over a file that is not ours.
//
// In: emit::OutputFile, a directory.  Out: files; errors as PK60xx. Unchanged files keep their time
// stamp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "emit/bundle.h"
#include "frontend/diag/diagnostics.h"

namespace pyk2cu::cmd {

// Keeps other runs of pyk2cu out of a directory while it lives. Makes the directory.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::string& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;

 private:
  int file_ = -1;
};

// Returns false, with a diagnostic, when nothing was written.
bool write_files(const std::vector<emit::OutputFile>& files, const std::string& directory,
                 Diagnostics& diags);

// Nothing where it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

}  // namespace pyk2cu::cmd
