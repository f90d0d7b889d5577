// The process: options in, exit code out.
//
// In: argc, argv.  Out: 0 done, 1 errors in the input, 2 usage, 3 toolchain, 70 internal; of
// `record` the program's own.
// Tested by tests/run/test_cli.py.
#include <cstdio>
#include <exception>

#include "cmd/pyk2cu/driver.h"
#include "cmd/pyk2cu/options.h"
#include "cmd/pyk2cu/record.h"

int main(int argc, char** argv) {
  using namespace pyk2cu::cmd;
  try {
    int exit_code = kOk;
    const auto options = parse_options(argc, argv, exit_code);
    if (!options) return exit_code;
    return options->record.wanted ? record(options->record) : run(*options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pyk2cu: internal error: %s\n", error.what());  // does not throw
    return kInternal;
  }
}
