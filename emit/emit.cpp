// Emission on one page: lower for each target, print, add the module and the build files.
//
// In:   ir::Program.  Out: Bundle; empty when a pass reported an error.
// Tested by tests/golden and tests/run.
#include "emit/emit.h"

#include <functional>

#include "emit/lower/lower.h"
#include "emit/project/project.h"
#include "emit/pyext/c_api.h"
#include "emit/pyext/module.h"
#include "emit/target/source_file.h"
#include "typeinfer/ir/verify.h"

namespace pyk2cu::emit {

namespace {

using Wanted = std::function<bool(const ir::Function&)>;

class Emitter {
 public:
  Emitter(const Lowered& lowered, const Options& options, Bundle& bundle)
      : lowered_(lowered), options_(options), bundle_(bundle), sites_(lowered.cpu.sources) {}

  void sources() {
    const std::string& name = lowered_.cpu.module_name;
    const auto host = [](const ir::Function& f) { return !f.options.fastmath; };
    const auto fast = [](const ir::Function& f) { return f.options.fastmath; };
    const auto all = [](const ir::Function&) { return true; };
    // A dot, because no module's name has one: the files of two modules never share a name.
    cpu(lowered_.cpu, name + ".fast.cpp", fast, "functions under fastmath=True", true);
    cpu(lowered_.twin, name + ".twin.cpp", all, "kernels as they run on the CPU");
    cuda(name + ".cu", all);
    last(name + ".cpp", host);
    header(name + ".h");
  }
  bool has_sites() const { return !sites_.all().empty(); }

 private:
  void cpu(const ir::Program& program, const std::string& path, const Wanted& wanted,
           const std::string& what, bool fastmath = false) {
    const Functions functions = functions_of(program, wanted);
    if (functions.empty()) return;
    FileContext file{program, options_, Target::kHost, sites_};
    print_host(file, functions);
    add(file, path, FileKind::kCpuSource, what);
    bundle_.files.back().fastmath = fastmath;
  }

  void cuda(const std::string& path, const Wanted& wanted) {
    const Functions functions = functions_of(lowered_.cuda, wanted);
    if (functions.empty()) return;
    FileContext file{lowered_.cuda, options_, Target::kCuda, sites_};
    print_cuda(file, functions);
    std::vector<std::string> includes;
    if (file.names_sites) includes = {lowered_.cpu.module_name + ".h", ""};
    bundle_.files.push_back(
        finish(file, path, FileKind::kCudaSource, "kernels for the GPU", includes));
  }

  // The file that holds the table of sites exists when there is anything to hold.
  void last(const std::string& path, const Wanted& wanted) {
    FileContext file{lowered_.cpu, options_, Target::kHost, sites_};
    const Functions functions = functions_of(lowered_.cpu, wanted);
    if (!functions.empty()) print_host(file, functions);
    print_sites(file);
    if (functions.empty() && !has_sites()) return;
    add(file, path, FileKind::kCpuSource, "functions for the CPU");
  }

  void header(const std::string& path) {
    FileContext file{lowered_.cpu, options_, Target::kHost, sites_};
    print_site_names(file);
    file.out.line("");
    print_roots(file);
    FileContext twin{lowered_.twin,          options_, Target::kHost, sites_, std::move(file.out),
                     std::move(file.headers)};
    print_roots(twin);
    bundle_.files.push_back(finish(twin, path, FileKind::kHeader,
                                   "what the module `" + lowered_.cpu.module_name + "` offers",
                                   {"#pragma once", ""}));
  }

  void add(FileContext& file, const std::string& path, FileKind kind, const std::string& what) {
    bundle_.files.push_back(finish(file, path, kind, what, {lowered_.cpu.module_name + ".h", ""}));
  }

  const Lowered& lowered_;
  const Options& options_;
  Bundle& bundle_;
  Sites sites_;
};

}  // namespace

Bundle emit(ir::Program& program, const Options& options, Diagnostics& diags) {
  Bundle bundle{program.module_name, {}};
  if (options.verify) ir::verify(program, "inference", diags);
  sites(program);
  symbols(program);
  Lowered lowered;
  for (bool again = true; again;) {
    Diagnostics said;
    bundle.dumped.clear();
    lowered = lower(program, options, said, bundle.dumped);
    again = options.keep_going && leave_out(program, lowered.failed);
    for (const Diagnostic& one : said.all())  // warnings are said of what is compiled in the end
      if (!again || one.severity == Severity::kError) diags.append(one);
    if (!again && said.has_errors()) return bundle;
  }
  Emitter emitter(lowered, options, bundle);
  emitter.sources();
  bundle.files.push_back(pyext::make_module(program, lowered, emitter.has_sites()));
  if (options.c_api)
    for (OutputFile& file : pyext::make_c_api(program, lowered, emitter.has_sites()))
      bundle.files.push_back(std::move(file));
  for (OutputFile& file : project::make_descriptions(program, lowered, options, bundle.files))
    bundle.files.push_back(std::move(file));
  return bundle;
}

}  // namespace pyk2cu::emit
