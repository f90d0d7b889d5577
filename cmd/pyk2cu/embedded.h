// Files that travel inside the executable, so that the compiler is one file.
//
// In: nothing.  Out: each file with its path. Made at build time by cmd/cmake/embed_files.cmake.
// Tested by tests/run (every module is built from its output directory alone) and test_explain.py,
// test_record.py.
#pragma once

#include <span>
#include <string_view>

namespace pyk2cu::cmd {

struct EmbeddedFile {
  std::string_view path;  // "pyk/array.h", "PK3007.md"
  std::string_view text;
};

std::span<const EmbeddedFile> runtime_headers();  // runtime_headers/pyk/, by path
std::span<const EmbeddedFile> explain_pages();    // docs/diagnostics/, by code
std::span<const EmbeddedFile> library();          // typeinfer/library/
std::span<const EmbeddedFile> recorder();         // cmd/recorder/, what `record` puts on PYTHONPATH

}  // namespace pyk2cu::cmd
