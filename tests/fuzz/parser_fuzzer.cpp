// libFuzzer on the lexer, the parser and dump: no input may crash, hang or leak.
//
// In:   any bytes; they are decoded by add_source() as a file would be, and parsed as they are too.
// Out:  nothing; the sanitizers judge.  Build with -DPYK2CU_FUZZERS=ON and clang++, run by `cmd/dev
// soak`.
#include <cstddef>
#include <cstdint>
#include <string>

#include "frontend/parse/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pyk2cu;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  SourceMap map;
  Diagnostics diags;
  const SourceFile& decoded = frontend::add_source(map, "fuzz.py", bytes, diags);
  const ast::Module module = frontend::parse(decoded, diags);
  ast::dump(module, 2);
  const SourceFile& plain = map.add("plain.py", std::string(bytes));
  frontend::parse(plain, diags);
  return 0;
}
