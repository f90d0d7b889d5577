// --explain and --list-builtins: tables of the compiler, printed for people.
//
// In: the diagnostics table, the builtin registry.  Out: text on stdout.
// Tested by tests/run/test_diag.py and tests/run/test_cli.py.
#include "cmd/pyk2cu/explain.h"

#include <fmt/format.h>

#include <cstdio>

#include "cmd/pyk2cu/options.h"
#include "frontend/diag/diagnostics.h"
#include "typeinfer/builtins/registry.h"

namespace pyk2cu::cmd {

int explain(const std::string& code) {
  for (const DiagInfo& row : all_diag_infos()) {
    if (fmt::format("PK{:04}", row.code) != code) continue;
    fmt::print("PK{:04} {}\n\n    {}\n", row.code, row.slug, row.format);
    return kOk;
  }
  fmt::print(stderr, "pyk2cu: there is no diagnostic `{}`; codes look like PK3001\n", code);
  return kUsage;
}

int list_builtins() {
  for (const builtins::Row& row : builtins::all()) {
    fmt::print("{}.{:<24} {}\n", row.module, row.name,
               row.signature.empty() ? "by the types of its arguments" : row.signature);
  }
  return kOk;
}

}  // namespace pyk2cu::cmd
