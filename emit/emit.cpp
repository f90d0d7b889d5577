// Emission on one page: lower, print each target, add the module and the build files.
//
// In:   ir::Program.  Out: Bundle; empty when a pass reported an error.
// Tested by tests/golden and tests/run.
#include "emit/emit.h"

#include "emit/lower/lower.h"
#include "emit/project/project.h"
#include "emit/pyext/module.h"
#include "emit/target/source_file.h"

namespace pyk2cu::emit {

namespace {

using Wanted = std::function<bool(const ir::Function&)>;

class Emitter {
 public:
  Emitter(const ir::Program& program, const Facts& facts, const Options& options, Bundle& bundle)
      : program_(program), facts_(facts), options_(options), bundle_(bundle) {}

  void sources() {
    const std::string& name = program_.module_name;
    header(name + ".h");
    const auto host = [](const ir::Function& f) {
      return f.kind == ir::FunctionKind::kHost && !f.options.fastmath;
    };
    const auto fast = [](const ir::Function& f) {
      return f.kind == ir::FunctionKind::kHost && f.options.fastmath;
    };
    const auto kernel = [](const ir::Function& f) { return f.kind != ir::FunctionKind::kHost; };
    // A dot, because no module's name has one: the files of two modules never share a name.
    fastmath(name + ".fast.cpp", fast);
    twin(name + ".twin.cpp", kernel);
    cuda(name + ".cu", kernel);
    cpu(name + ".cpp", host);
  }

 private:
  FileContext context(Target target) { return {program_, facts_, options_, target, sites_}; }

  void header(const std::string& path) {
    FileContext file = context(Target::kOpenMP);
    print_header(file);
    std::vector<std::string> includes{"#pragma once", ""};
    bool owns = false, optional = false, complex = false, kernels = false;
    for (const ir::Function* f : program_.functions) {
      if (!f->is_root) continue;
      owns = owns || holds_array(f->result);
      kernels = kernels || f->kind == ir::FunctionKind::kKernel;
    }
    const std::string& text = file.out.text();
    optional = text.find("pyk::optional") != std::string::npos;
    complex = text.find("pyk::complex") != std::string::npos;
    includes.push_back(owns ? "pyk/memory.h" : "pyk/array.h");
    if (complex) includes.push_back("pyk/complex.h");
    if (kernels) includes.push_back("pyk/cuda.h");
    if (optional) includes.push_back("pyk/optional.h");
    includes.push_back("pyk/status.h");
    bundle_.files.push_back(finish(file, path, FileKind::kHeader,
                                   "what the module `" + program_.module_name + "` offers",
                                   includes));
  }

  void fastmath(const std::string& path, const Wanted& wanted) {
    FileContext file = context(Target::kOpenMP);
    const auto functions = functions_of(program_, wanted);
    if (functions.empty()) return;
    print_openmp(file, functions);
    file.headers.insert("pyk/core.h");
    add(file, path, FileKind::kCpuSource, "functions under fastmath=True");
    bundle_.files.back().fastmath = true;
  }

  // The file that holds the table of sites comes last and exists when there is anything to hold.
  void cpu(const std::string& path, const Wanted& wanted) {
    FileContext file = context(Target::kOpenMP);
    const auto functions = functions_of(program_, wanted);
    if (functions.empty() && sites_.all().empty()) return;
    print_openmp(file, functions);
    print_sites(file);
    file.headers.insert("pyk/core.h");
    add(file, path, FileKind::kCpuSource, "functions for the CPU");
  }

  void twin(const std::string& path, const Wanted& wanted) {
    FileContext file = context(Target::kTwin);
    const auto functions = functions_of(program_, wanted);
    if (functions.empty()) return;
    print_twin(file, functions);
    file.headers.insert("pyk/core.h");
    add(file, path, FileKind::kCpuSource, "kernels as they run on the CPU");
  }

  void cuda(const std::string& path, const Wanted& wanted) {
    FileContext file = context(Target::kCuda);
    const auto functions = functions_of(program_, wanted);
    if (functions.empty()) return;
    print_cuda(file, functions);
    file.headers.insert({"pyk/array.h", "pyk/core.h", "pyk/cuda.h"});
    if (file.out.text().find("pyk::complex") != std::string::npos)
      file.headers.insert("pyk/complex.h");
    if (file.out.text().find("pyk::status") != std::string::npos)
      file.headers.insert("pyk/status.h");
    bundle_.files.push_back(finish(file, path, FileKind::kCudaSource, "kernels for the GPU", {}));
  }

  void add(FileContext& file, const std::string& path, FileKind kind, const std::string& what) {
    const std::string& text = file.out.text();
    if (text.find("pyk::complex") != std::string::npos) file.headers.insert("pyk/complex.h");
    if (text.find("pyk::owned") != std::string::npos) file.headers.insert("pyk/memory.h");
    bundle_.files.push_back(finish(file, path, kind, what, {program_.module_name + ".h", ""}));
  }

  const ir::Program& program_;
  const Facts& facts_;
  const Options& options_;
  Bundle& bundle_;
  Sites sites_{};
};

}  // namespace

Bundle emit(ir::Program program, const Options& options, Diagnostics& diags) {
  Bundle bundle{program.module_name, {}};
  const int before = diags.error_count();  // of functions that were left out already
  const Facts facts = lower(program, options, diags, bundle.dumped);
  if (diags.error_count() > before) return bundle;
  Emitter(program, facts, options, bundle).sources();
  for (OutputFile& file : pyext::make_module(program, options))
    bundle.files.push_back(std::move(file));
  for (OutputFile& file : project::make_descriptions(program, options, bundle.files))
    bundle.files.push_back(std::move(file));
  return bundle;
}

}  // namespace pyk2cu::emit
