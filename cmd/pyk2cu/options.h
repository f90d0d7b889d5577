// The command line as a value.
//
// In: argc, argv.  Out: Options, or an exit code when there is nothing more to do. CLI11 is used
// here only.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pyk2cu::cmd {

enum ExitCode { kOk = 0, kUserError = 1, kUsage = 2, kToolchain = 3, kInternal = 70 };

// pyk2cu record
struct RecordOptions {
  bool wanted = false, quiet = false;
  std::string sidecar = "kernels.sig";
  std::string project{};  // "": the folder of the sidecar
  std::vector<std::string> command{};
};

struct Options {
  std::vector<std::string> files{};
  std::string out_dir{};
  std::string module_name{};              // --module: all files become one module
  std::vector<std::string> signatures{};  // --sig 'f=float64(float64)'
  std::vector<std::string> include_dirs{};
  std::string semantics{};
  std::string march{};
  std::vector<std::string> arch{};
  std::string fp{};
  std::string diagnostics = "text";
  std::string color = "auto";
  std::string python{};
  std::string dump_after{};
  bool verify_ir = false;  // check the IR after every pass; also by PYK2CU_VERIFY_IR=1
  std::string explain{};
  RecordOptions record{};
  bool check = false;            // `pyk2cu check`
  bool loops = false;            // `pyk2cu explain`
  std::string function{};        // whose loops; "": of all
  std::string format = "table";  // of its report
  int indent = -1;
  int jobs = 0;
  bool c_api = false;
  bool build = false, boundscheck = false, keep_going = false, werror = false, debug = false,
       no_lanes = false;
  int gang = 0;
  bool dump_ast = false, dump_ir = false, list_builtins = false, quiet = false, verbose = false;
};

// Returns the options, or sets `exit_code` after --help, --version or a usage error.
std::optional<Options> parse_options(int argc, char** argv, int& exit_code);

}  // namespace pyk2cu::cmd
