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
#include <set>

#include "cmd/pyk2cu/explain.h"
#include "cmd/pyk2cu/headers.h"
#include "cmd/pyk2cu/modules.h"
#include "cmd/pyk2cu/outputs.h"
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

bool wants_color(const Options& options) {
  if (options.color != "auto") return options.color == "always";
  return std::getenv("NO_COLOR") == nullptr && isatty(STDERR_FILENO) != 0;
}

void print(const Diagnostics& diags, const SourceMap& sources, const Options& options) {
  if (options.diagnostics == "json") {
    fmt::print(stderr, "{}", render_json(diags, sources));
    return;
  }
  fmt::print(stderr, "{}", render_text(diags, sources, {.color = wants_color(options)}));
}

// Drops what the source ignores. Then: do the messages so far end the compilation?
bool stops(Diagnostics& diags, const SourceMap& sources, const Options& options) {
  diags.drop_ignored(sources);
  return (diags.has_errors() && !options.keep_going) || (options.werror && diags.has_warnings());
}

emit::Options emit_options(const Options& options) {
  emit::Options how;
  how.line_directives = options.debug;
  how.strict_fp = options.fp == "strict";
  how.march = options.march;
  how.arch = options.arch;
  how.dump_after = options.dump_after;
  how.verify = options.verify_ir;
  return how;
}

// The texts of --sig, and which of them named a function of some module.
struct Signatures {
  std::vector<const SourceFile*> given{};
  std::set<const SourceFile*> used{};
};

void report_unused(const Signatures& signatures, Diagnostics& diags) {
  for (const SourceFile* file : signatures.given) {
    if (signatures.used.contains(file)) continue;
    const std::string_view name =
        std::string_view(file->text).substr(0, file->text.find_first_of("(= "));
    diags.report({file->base, file->base + static_cast<uint32_t>(name.size())},
                 diag::UnknownFunction, name);
  }
}

// One module, all of whose files are roots, to a bundle.
emit::Bundle compile(const Module& module, const Options& options, Signatures& signatures,
                     SourceMap& sources, Diagnostics& diags) {
  const size_t before = diags.all().size();
  const frontend::Loaded loaded =
      frontend::load(module.paths, options.include_dirs, sources, diags);
  if (stops(diags, sources, options)) return {};
  decorators::Settings settings;
  settings.signature_files = signatures.given;
  settings.shared_signatures = options.files.size() > 1 && options.module_name.empty();
  settings.signature_files.insert(settings.signature_files.end(), loaded.signature_files.begin(),
                                  loaded.signature_files.end());
  settings.boundscheck = options.boundscheck;
  settings.semantics = options.semantics;
  const decorators::Sources found =
      decorators::collect(loaded.pointers(), loaded.roots, settings, diags);
  signatures.used.insert(found.used_signature_files.begin(), found.used_signature_files.end());
  ir::Program program = typeinfer::infer(found, diags);
  program.sources = &sources;
  program.module_name = module.name;
  if (program.entries.empty() && diags.all().size() == before)
    diags.report({}, diag::NothingToCompile, module.paths.front())
        .help(
            "put `@njit(\"float64(float64)\")`, `@cuda.jit` or the like on one, or write "
            "`# pyk2cu: sig f(float64)` above it");
  if (options.dump_ir) fmt::print("{}", ir::dump(program));
  if (stops(diags, sources, options) || options.out_dir.empty()) return {};
  emit::Bundle bundle = emit::emit(std::move(program), emit_options(options), diags);
  fmt::print("{}", bundle.dumped);
  add_runtime_headers(bundle);
  return bundle;
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

// Writes everything, then builds it: an error in one file leaves the others' results alone.
int finish(const std::vector<Made>& all, const Options& options, Diagnostics& diags) {
  if (all.empty()) return kOk;
  if (!check_collisions(all, options.out_dir, diags)) return kToolchain;
  {
    const DirectoryLock lock(options.out_dir);
    const std::vector<emit::OutputFile> files = collect_outputs(all, options.out_dir);
    if (!write_files(files, options.out_dir, diags)) return kToolchain;
  }
  if (!options.build) return kOk;
  BuildOptions how;
  how.emit = emit_options(options);
  how.python = options.python;
  how.jobs = options.jobs;
  how.debug = options.debug;
  how.verbose = options.verbose;
  how.quiet = options.quiet;
  int worst = kOk;
  for (const Made& made : all)
    worst = std::max(worst, build(made.bundle, options.out_dir, how, diags));
  return worst;
}

}  // namespace

int run(const Options& options) {
  if (!options.explain.empty()) return explain(options.explain);
  if (options.list_builtins) return list_builtins();
  SourceMap sources;
  Diagnostics diags;
  if (options.dump_ast) return dump_ast(options, sources, diags);
  Signatures signatures;
  for (const std::string& text : options.signatures) {
    signatures.given.push_back(&sources.add("--sig", text));
  }
  const std::vector<Module> modules = plan_modules(options, diags);
  std::vector<Made> all;
  for (const Module& module : modules) {
    emit::Bundle bundle = compile(module, options, signatures, sources, diags);
    if (!bundle.files.empty()) all.push_back({std::move(bundle), module.paths.front()});
  }
  if (modules.size() > 1) report_unused(signatures, diags);
  const bool refused = stops(diags, sources, options);
  const int code = refused ? kOk : finish(all, options, diags);
  print(diags, sources, options);
  if (code != kOk) return code;
  return diags.has_errors() || refused ? kUserError : kOk;
}

}  // namespace pyk2cu::cmd
