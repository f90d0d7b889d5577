// The whole compiler on one page: every arrow is a value, nothing flows back.
//
// In: Options.  Out: the exit code; files in the output directory, messages on stderr, dumps on
// stdout. Tested by tests/run/test_cli.py and everything else in tests/run.
#include "cmd/pyk2cu/driver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

#include "cmd/pyk2cu/check.h"
#include "cmd/pyk2cu/explain.h"
#include "cmd/pyk2cu/functions.h"
#include "cmd/pyk2cu/headers.h"
#include "cmd/pyk2cu/library.h"
#include "cmd/pyk2cu/loops.h"
#include "cmd/pyk2cu/modules.h"
#include "cmd/pyk2cu/outputs.h"
#include "cmd/pyk2cu/package.h"
#include "cmd/pyk2cu/signatures.h"
#include "cmd/pyk2cu/summary.h"
#include "cmd/pyk2cu/terminal.h"
#include "cmd/pyk2cu/toolchain.h"
#include "cmd/pyk2cu/write.h"
#include "emit/emit.h"
#include "frontend/ast/ast.h"
#include "frontend/diag/render.h"
#include "frontend/parse/load.h"
#include "frontend/parse/parser.h"
#include "typeinfer/decorators/roots.h"
#include "typeinfer/ir/dump.h"
#include "typeinfer/typeinfer.h"

namespace pyk2cu::cmd {
namespace {

void print(const Diagnostics& diags, const SourceMap& sources, const Options& options) {
  if (options.diagnostics == "json") {
    fmt::print(stderr, "{}", render_json(diags, sources));
    return;
  }
  fmt::print(stderr, "{}",
             render_text(diags, sources, {.color = wants_color(STDERR_FILENO, options.color)}));
}

// Drops what the source ignores. Then: do the messages so far end the compilation?
bool stops(Diagnostics& diags, const SourceMap& sources, const Options& options) {
  diags.drop_ignored(sources);
  return (diags.has_errors() && !options.keep_going) || (options.werror && diags.has_warnings());
}

emit::Options emit_options(const Options& options) {
  emit::Options how;
  how.line_directives = options.debug;
  how.c_api = options.c_api;
  how.strict_fp = options.fp == "strict";
  how.lanes = !options.no_lanes;
  how.gang = options.gang;
  how.march = options.march;
  how.arch = options.arch;
  how.dump_after = options.dump_after;
  how.verify = options.verify_ir;
  how.keep_going = options.keep_going;
  return how;
}

// The texts of --sig, and which of them named a function of some module.
struct Signatures {
  bool one_module = true;
  std::vector<const SourceFile*> given{};
  std::set<const SourceFile*> used{};
};

void report_unused(const Signatures& signatures, Diagnostics& diags) {
  for (const SourceFile* file : signatures.given) {
    if (signatures.used.contains(file)) continue;
    if (file->path.ends_with(".sig")) continue;  // speaks of files
    const std::string_view name =
        std::string_view(file->text).substr(0, file->text.find_first_of("(= "));
    diags.report({file->base, file->base + static_cast<uint32_t>(name.size())},
                 diag::UnknownFunction, name);
  }
}

// A typed program to a bundle.
emit::Bundle emit_bundle(ir::Program& program, const Options& options, Diagnostics& diags) {
  emit::Bundle bundle = emit::emit(program, emit_options(options), diags);
  add_runtime_headers(bundle);
  return bundle;
}

// Of several files those with a function to compile make the module. The others are what these
// import: their names stay where Python finds them.
void keep_roots(frontend::Loaded& loaded, const decorators::Settings& settings,
                const SourceMap& sources) {
  Diagnostics said;
  const decorators::Sources found =
      decorators::collect(loaded.pointers(), loaded.roots, settings, said);
  std::set<const SourceFile*> kept;
  for (const auto& d : found.definitions) {
    if (d->decorator.valid())
      kept.insert(sources.find(d->decorator.begin));  // which may stand in another file
    else if (!d->signatures.empty())
      kept.insert(d->module->ast->file);
  }
  for (const Diagnostic& one : said.all())
    if (one.span.valid()) kept.insert(sources.find(one.span.begin));
  const auto roots = loaded.modules.begin() + std::ptrdiff_t(loaded.roots);
  const auto rest = std::stable_partition(loaded.modules.begin(), roots, [&](const auto& module) {
    return kept.contains(module->file);
  });
  if (rest != loaded.modules.begin()) loaded.roots = size_t(rest - loaded.modules.begin());
}

// One module. No files: nothing is to be written.
Made compile(const Module& module, const Options& options, Signatures& signatures,
             FunctionPlaces& places, SourceMap& sources, Diagnostics& diags) {
  const size_t before = diags.all().size();
  frontend::Loaded loaded = frontend::load(module.paths, options.include_dirs, sources, diags);
  for (const auto& one : loaded.modules) places.add(*one);
  if (stops(diags, sources, options)) return {};
  decorators::Settings settings;
  settings.signature_files = signatures.given;
  settings.shared_signatures = !signatures.one_module;
  settings.signature_files.insert(settings.signature_files.end(), loaded.signature_files.begin(),
                                  loaded.signature_files.end());
  settings.boundscheck = options.boundscheck;
  settings.semantics = options.semantics;
  if (loaded.roots > 1) keep_roots(loaded, settings, sources);
  settings.library = add_library(loaded, sources, diags);
  const decorators::Sources found =
      decorators::collect(loaded.pointers(), loaded.roots, settings, diags);
  signatures.used.insert(found.used_signature_files.begin(), found.used_signature_files.end());
  ir::Program program = typeinfer::infer(found, diags);
  program.sources = &sources;
  const bool is_named = options.module_name.empty() && !found.module_name.empty();
  program.module_name = is_named ? found.module_name : module.name;
  if (program.entries.empty() && diags.all().size() == before && !module.is_found)
    diags.report({}, diag::NothingToCompile, module.paths.front())
        .help(
            "put `@njit(\"float64(float64)\")`, `@cuda.jit` or the like on one, or write "
            "`# pyk2cu: sig f(float64)` above it");
  if (options.dump_ir) fmt::print("{}", ir::dump(program));
  Made made{{}, module.paths.front(), std::move(program), module.folder};
  const bool idle = module.is_found && made.program.entries.empty();
  if (stops(diags, sources, options) || (options.out_dir.empty() && !options.loops) || idle)
    return made;
  made.bundle = emit_bundle(made.program, options, diags);
  fmt::print("{}", made.bundle.dumped);
  return made;
}

int dump_ast(const Options& options, SourceMap& sources, Diagnostics& diags) {
  for (const std::string& path : options.files) {
    const frontend::Loaded loaded = frontend::load({path}, {}, sources, diags);
    if (loaded.modules.empty() || diags.has_errors()) continue;
    fmt::print("{}\n", ast::dump(*loaded.modules.front(), options.indent));
  }
  print(diags, sources, options);
  return diags.has_errors() ? kUserError : kOk;
}

bool write(const std::vector<Made>& all, const Options& options, Diagnostics& diags) {
  const DirectoryLock lock(options.out_dir);
  return write_files(collect_outputs(all, options.out_dir), options.out_dir, diags);
}

// The functions whose C++ the compiler rejected, as messages from number `first` on say.
std::set<uint32_t> rejected(const ir::Program& program, const Diagnostics& diags, size_t first) {
  std::set<uint32_t> functions;
  for (size_t k = first; k < diags.all().size(); ++k) {
    const Diagnostic& said = diags.all()[k];
    if (said.code != diag::Rejected.code || !said.span.valid()) continue;
    for (const ir::Function* f : program.functions)
      if (f->body_span.begin <= said.span.begin && said.span.begin < f->body_span.end)
        functions.insert(f->span.begin);
  }
  return functions;
}

// Under --keep-going a module is built again without what the compiler rejected.
int build_module(std::vector<Made>& all, Made& made, const Options& options, Diagnostics& diags) {
  BuildOptions how;
  how.emit = emit_options(options);
  how.python = options.python;
  how.jobs = options.jobs;
  how.debug = options.debug;
  how.verbose = options.verbose;
  how.quiet = options.quiet;
  int worst = kOk;
  for (;;) {
    const size_t before = diags.all().size();
    const int code = build(made.bundle, options.out_dir, how, diags);
    worst = std::max(worst, code);
    if (code != kInternal || !options.keep_going) return worst;
    if (!emit::leave_out(made.program, rejected(made.program, diags, before))) return worst;
    made.bundle = emit_bundle(made.program, options, diags);
    if (made.bundle.files.empty() || !write(all, options, diags)) return worst;
  }
}

// Writes everything, then builds it: an error in one file leaves the others' results alone.
int finish(std::vector<Made>& all, const Options& options, Diagnostics& diags) {
  if (all.empty()) return kOk;
  if (!check_collisions(all, options.out_dir, diags)) return kToolchain;
  if (!write(all, options, diags)) return kToolchain;
  int worst = kOk;
  if (options.build)
    for (Made& made : all) worst = std::max(worst, build_module(all, made, options, diags));
  return worst;
}

// A directory without kernels: no file of it is to blame.
void report_empty_directories(const Options& options, const std::vector<Made>& idle,
                              const std::vector<Made>& all, Diagnostics& diags) {
  const bool none =
      std::ranges::all_of(idle, [](const Made& m) { return m.program.left_out.empty(); });
  if (!all.empty() || !none || diags.has_errors() || options.dump_ir) return;
  for (const std::string& path : options.files)
    if (is_directory(path)) diags.report({}, diag::NothingToCompile, path);
}

// The modules of one folder of a package go into one folder of the output.
int finish_folders(std::vector<Made>& all, const Options& options, Diagnostics& diags) {
  std::map<std::string, std::vector<Made>> folders;
  for (Made& made : all) folders[made.folder].push_back(std::move(made));
  all.clear();
  int worst = kOk;
  for (auto& [folder, modules] : folders) {
    Options here = options;
    here.out_dir = (std::filesystem::path(options.out_dir) / folder).generic_string();
    worst = std::max(worst, finish(modules, here, diags));
    std::ranges::move(modules, std::back_inserter(all));
  }
  return worst;
}

}  // namespace

namespace {

// The modules' loops; messages first.
int explain_loops(const std::vector<Made>& all, const Options& options, const SourceMap& sources,
                  const Diagnostics& diags) {
  print(diags, sources, options);
  if (diags.has_errors()) return kUserError;
  if (print_loops(all, options.function, sources, wants_color(STDOUT_FILENO, options.color)))
    return kOk;
  if (options.function.empty())
    fmt::print("no loop in a function that is compiled\n");
  else
    fmt::print(stderr, "pyk2cu: no function `{}` with a loop is compiled\n", options.function);
  return options.function.empty() ? kOk : kUserError;
}

}  // namespace

int run(const Options& options) {
  if (!options.explain.empty()) return explain(options.explain);
  if (options.list_builtins) return list_builtins();
  if (options.check) return check(options);
  SourceMap sources;
  Diagnostics diags;
  if (options.dump_ast) return dump_ast(options, sources, diags);
  Signatures signatures;
  signatures.given = read_signatures(options.signatures, sources, diags);
  const std::vector<Module> modules = plan_modules(options, diags);
  signatures.one_module = modules.size() < 2;
  std::vector<Made> all, idle;
  FunctionPlaces places;
  for (const Module& module : modules) {
    Made made = compile(module, options, signatures, places, sources, diags);
    (made.bundle.files.empty() ? idle : all).push_back(std::move(made));
  }
  if (options.loops) return explain_loops(all, options, sources, diags);
  if (modules.size() > 1) report_unused(signatures, diags);
  report_empty_directories(options, idle, all, diags);
  const bool refused = stops(diags, sources, options);
  const int code = refused ? kOk : finish_folders(all, options, diags);
  places.name_functions(diags);
  print(diags, sources, options);
  if (options.keep_going) {
    std::ranges::move(idle, std::back_inserter(all));
    print(summarize(all, places, diags), sources, options);
  }
  if (code != kOk) return code;
  return diags.has_errors() || refused ? kUserError : kOk;
}

}  // namespace pyk2cu::cmd
