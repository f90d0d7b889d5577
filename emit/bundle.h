// What emission produces: files in memory. Writing them is the business of cmd.
//
// In: ir::Program.  Out: emit::Bundle.  Tested through the goldens.
#pragma once

#include <string>
#include <vector>

#include "frontend/base/span.h"

namespace pyk2cu::emit {

enum class FileKind { kCpuSource, kCudaSource, kHeader, kModuleSource, kBuild, kStub, kManifest };

struct LineMapEntry {
  int line = 0;  // of the emitted file, from 1
  Span span{};   // of the Python source
};

struct OutputFile {
  std::string path;  // relative to the output directory
  FileKind kind = FileKind::kCpuSource;
  std::string text;
  std::vector<LineMapEntry> line_map{};  // sorted by line; empty for files without source
  bool fastmath = false;                 // to be compiled with the flags of fastmath=True
  std::string isa{};                     // "x86-64-v3": what it is compiled for, on x86-64
  bool gathers = false;                  // reads elements from anywhere, in vectors
};

// What a loop has become.
struct LoopNote {
  Span function{};        // of its `def` line
  std::string name;       // f
  std::string signature;  // f(float64[:], int64)
  Span loop{};
  std::string what;    // "32 iterations side by side"
  std::string why{};   // a sentence, or nothing
  Span at{};           // what it is about
  std::string help{};  // how to change it
};

struct Bundle {
  std::string module_name;
  std::vector<OutputFile> files{};
  std::vector<LoopNote> loops{};
  std::string dumped{};  // the program after Options::dump_after
};

}  // namespace pyk2cu::emit
