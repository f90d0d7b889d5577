// The command line: one row per flag.
//
// In: argc, argv.  Out: Options.  Usage errors are exit code 2. Tested by tests/run/test_cli.py.
#include "cmd/pyk2cu/options.h"

#include <CLI/CLI.hpp>
#include <filesystem>

#include "emit/emit.h"

namespace pyk2cu::cmd {

namespace {

void add_compilation(CLI::App& app, Options& o) {
  app.add_option("files", o.files, "Python files (or notebooks) to compile");
  app.add_option("-o,--out", o.out_dir, "directory for what is generated")->type_name("DIR");
  app.add_flag("--build", o.build, "also run the compilers: leaves an importable module in DIR");
  app.add_option("--sig", o.signatures,
                 "types: 'f=float64(float64[:])', 'mod.py:12(int64)', or a file of them")
      ->allow_extra_args(false)
      ->type_name("NAME=SIG");
  app.add_option("--module", o.module_name, "put all files into one module of this name")
      ->type_name("NAME");
  app.add_option("-I", o.include_dirs, "where imported Python files are looked for")
      ->allow_extra_args(false)
      ->type_name("DIR");
  app.add_option("--march", o.march,
                 "compile the CPU code for one instruction set: native, x86-64-v3, …")
      ->type_name("ISA");
  app.add_option("--arch", o.arch, "GPU architectures: sm_80,sm_90")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST");
  app.add_flag("--boundscheck", o.boundscheck, "raise IndexError for indices out of range");
  app.add_flag("--c-api", o.c_api, "also a header of the functions for C, C++ and ctypes");
  app.add_option("--semantics", o.semantics, "promotion rules for every function")
      ->check(CLI::IsMember({"numba", "numpy"}));
  app.add_option("--fp", o.fp, "strict: no reassociation, no contraction, libm's functions only")
      ->check(CLI::IsMember({"strict"}));
  app.add_flag("--no-lanes", o.no_lanes, "loops as the source has them, not for vector registers");
  app.add_option("--gang", o.gang, "iterations of a loop that run side by side, where several do")
      ->check(CLI::IsMember({4, 8, 16, 32, 64}));
}

void add_reporting(CLI::App& app, Options& o) {
  app.add_flag("--keep-going", o.keep_going, "leave out functions with errors, compile the rest");
  app.add_flag("-g", o.debug, "#line directives with whole paths, and debug information");
  app.add_option("--diagnostics", o.diagnostics, "form of the messages")
      ->check(CLI::IsMember({"text", "json"}));
  app.add_option("--color", o.color, "colour in messages")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_flag("--werror", o.werror, "warnings are errors");
  app.add_option("--explain", o.explain, "what a diagnostic code means")->type_name("PKnnnn");
  app.add_flag("--list-builtins", o.list_builtins, "every supported function, with its types");
  app.add_flag("--dump-ast", o.dump_ast, "print the syntax tree as CPython's ast.dump does");
  app.add_option("--indent", o.indent, "indentation of --dump-ast")->type_name("N");
  app.add_flag("--dump-ir", o.dump_ir, "print the typed program");
  app.add_option("--dump-after", o.dump_after, "print the program after a lowering pass")
      ->check(CLI::IsMember(emit::pass_names()))
      ->type_name("PASS");
  app.add_flag("--verify-ir", o.verify_ir)->envname("PYK2CU_VERIFY_IR")->group("");
  app.add_option("--python", o.python, "the Python to build for (3.11 or newer, with NumPy)")
      ->type_name("PATH");
  app.add_option("-j", o.jobs, "compilers at a time; 0: one per core")->type_name("N");
  app.add_flag("-q,--quiet", o.quiet, "print errors only");
  app.add_flag("-v,--verbose", o.verbose, "print the commands that --build runs");
}

void add_record(CLI::App& app, RecordOptions& o) {
  CLI::App* record = app.add_subcommand(
      "record", "run a program under Numba and note the types of functions without signatures");
  record->add_option("-o,--out", o.sidecar, "the sidecar that takes the types")
      ->type_name("FILE.sig")
      ->capture_default_str();
  record->add_option("--project", o.project, "whose functions: default is the sidecar's folder")
      ->type_name("DIR");
  record->add_flag("-q,--quiet", o.quiet, "no summary");
  record->add_option("command", o.command, "behind `--`: python app.py, python -m pytest, …")
      ->required();
  record->callback([&o] { o.wanted = true; });
}

// pyk2cu check FILES...
CLI::App* add_check(CLI::App& app, Options& o) {
  CLI::App* check = app.add_subcommand("check", "say of each function whether it compiles");
  check->add_option("files", o.files, "Python files, or directories of them")->required();
  check->add_option("--format", o.format, "form of the report")
      ->check(CLI::IsMember({"table", "json"}));
  check->add_option("--sig", o.signatures, "types of a function: 'f=float64(float64[:])'")
      ->allow_extra_args(false)
      ->type_name("NAME=SIG");
  check->add_option("-I", o.include_dirs, "where imported Python files are looked for")
      ->allow_extra_args(false)
      ->type_name("DIR");
  check->add_option("--color", o.color, "colour in the table")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  return check;
}

CLI::App* add_explain(CLI::App& app, Options& o) {
  CLI::App* loops = app.add_subcommand(
      "explain", "say of each loop whether it fills vector registers, and what keeps it from that");
  loops->add_option("file", o.files, "a Python file, or kernels.py:f for one function")
      ->required()
      ->expected(1);
  loops->add_option("--march", o.march, "compile for one instruction set: native, x86-64-v3, …")
      ->type_name("ISA");
  loops->add_option("--fp", o.fp, "strict: no reassociation, libm's functions")
      ->check(CLI::IsMember({"strict"}));
  loops->add_option("--gang", o.gang, "lanes of every gang, gain or not")
      ->check(CLI::IsMember({4, 8, 16, 32, 64}));
  loops->add_flag("--boundscheck", o.boundscheck, "as the option of the compilation");
  loops->add_option("--sig", o.signatures, "types of a function: 'f=float64(float64[:])'")
      ->allow_extra_args(false)
      ->type_name("NAME=SIG");
  loops->add_option("-I", o.include_dirs, "where imported Python files are looked for")
      ->allow_extra_args(false)
      ->type_name("DIR");
  loops->add_option("--color", o.color, "colour in the report")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  return loops;
}

// kernels.py:f   ->   kernels.py, f
void split_function(Options& o) {
  std::string& path = o.files.front();
  const size_t colon = path.rfind(':');
  if (colon == path.npos || std::filesystem::exists(path)) return;
  o.function = path.substr(colon + 1);
  path.resize(colon);
}

}  // namespace

std::optional<Options> parse_options(int argc, char** argv, int& exit_code) {
  Options o;
  CLI::App app{"Compiles annotated Python kernels to C++ and CUDA, and to an extension module."};
  app.name("pyk2cu");
  app.set_version_flag("--version", "pyk2cu " PYK2CU_VERSION);
  app.get_formatter()->column_width(34);
  add_compilation(app, o);
  add_reporting(app, o);
  add_record(app, o.record);
  const CLI::App* check = add_check(app, o);
  const CLI::App* loops = add_explain(app, o);
  try {
    app.parse(argc, argv);
    if (o.record.wanted) return o;
    o.check = check->parsed();
    o.loops = loops->parsed();
    if (o.loops) split_function(o);
    const bool informs = o.check || o.loops || o.list_builtins || !o.explain.empty();
    if (o.files.empty() && !informs) throw CLI::RequiredError("files");
    if (o.out_dir.empty() && !informs && !o.dump_ast && !o.dump_ir) {
      throw CLI::RequiredError("-o DIR (or --dump-ast, --dump-ir)");
    }
  } catch (const CLI::Success& success) {
    exit_code = app.exit(success);
    return std::nullopt;
  } catch (const CLI::Error& error) {
    app.exit(error);
    exit_code = kUsage;
    return std::nullopt;
  }
  return o;
}

}  // namespace pyk2cu::cmd
