// A small build: one step per source, skipped when command and texts are as they were, then the
// link.
//
// In: emit::Bundle on disk.  Out: the module; compiler messages on the Python lines they are about.
// Tested by tests/run/test_toolchain.py.
#include "cmd/pyk2cu/toolchain.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cmd/pyk2cu/options.h"
#include "cmd/pyk2cu/process.h"
#include "cmd/pyk2cu/tools.h"
#include "emit/project/project.h"

namespace pyk2cu::cmd {
namespace {

namespace fs = std::filesystem;
using Command = std::vector<std::string>;

struct Step {
  const emit::OutputFile* source = nullptr;  // null: the link
  Command command{};
  fs::path product{};  // renamed to from `product`.new
  fs::path key_file{};
  std::string key{};  // of command and texts
};

void append(Command& command, const std::vector<std::string>& more) {
  command.insert(command.end(), more.begin(), more.end());
}

fs::path with(fs::path path, const char* suffix) { return path += suffix; }

uint64_t hash(std::string_view text, uint64_t seed) {
  for (unsigned char c : text) seed = (seed ^ c) * 0x100000001b3u;  // FNV-1a
  return seed;
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_done(const Step& step) {
  return fs::exists(step.product) && read(step.key_file) == step.key;
}

bool finish(const Step& step) {
  std::error_code error;
  fs::rename(with(step.product, ".new"), step.product, error);
  if (!error) std::ofstream(step.key_file, std::ios::binary) << step.key;
  return !error;
}

// One line on a terminal: [2/4] kernels.cpp
class Progress {
 public:
  Progress(size_t total, bool on) : total_(total), on_(on && isatty(2) && total > 0) {}
  ~Progress() { clear(); }
  void show(std::string_view what) {
    if (on_) fmt::print(stderr, "\r\033[K[{}/{}] {}", done_, total_, what);
    if (on_) std::fflush(stderr);
  }
  void advance(std::string_view what) {
    ++done_;
    show(what);
  }
  void clear() {
    if (on_) fmt::print(stderr, "\r\033[K");
  }

 private:
  size_t total_, done_ = 0;
  bool on_;
};

class Build {
 public:
  Build(const emit::Bundle& bundle, fs::path out_dir, const BuildOptions& options,
        Diagnostics& diags)
      : bundle_(bundle),
        out_(std::move(out_dir)),
        work_(out_ / ".pyk2cu"),
        options_(options),
        diags_(diags) {}

  int run() {
    compiler_ = find_compiler(diags_);
    if (compiler_.empty()) return kToolchain;
    is_clang_ = is_clang(compiler_);
    const auto python = find_python(options_.python, diags_);
    if (!python) return kToolchain;
    python_ = *python;
    std::error_code error;
    fs::create_directories(work_, error);
    if (error) {
      diags_.report({}, diag::CannotWrite, work_.string(), error.message());
      return kToolchain;
    }
    headers_ = hash_headers();
    std::vector<Step> steps = compile_steps();
    const std::vector<fs::path> objects = objects_of(steps);
    if (const int failed = run_steps(std::move(steps))) return failed;
    return run_steps({link_step(objects)});
  }

  fs::path product() const { return out_ / (bundle_.module_name + python_.suffix); }

 private:
  uint64_t hash_headers() const {
    uint64_t seed = 0xcbf29ce484222325u;
    for (const emit::OutputFile& file : bundle_.files)
      if (file.kind == emit::FileKind::kHeader) seed = hash(file.path, hash(file.text, seed));
    return hash(python_.version, seed);
  }

  // Of a command without the paths of what it reads and writes: the same everywhere.
  std::string key(const Command& command, std::string_view text) const {
    return fmt::format("{:016x}", hash(shell_text(command), hash(text, headers_)));
  }

  // c++ -O3 … -c out/kernels.cpp -o out/.pyk2cu/kernels.cpp.o.new
  Step cpu_step(const emit::OutputFile& file) const {
    Command c = compiler_;
    append(c, project::cpu_flags(options_.emit));
    if (!is_clang_) append(c, project::gcc_flags(options_.emit));
    append(c, project::file_flags(file));
#if defined(__x86_64__)  // what is built is for this machine
    append(c, project::x86_64_flags(file, options_.emit));
#endif
    if (options_.debug) c.push_back("-g");
    c.push_back("-fPIC");
    if (file.kind == emit::FileKind::kModuleSource)
      append(c, {"-isystem", python_.include, "-isystem", python_.numpy_include});
    return make_step(file, std::move(c), work_ / (fs::path(file.path).filename().string() + ".o"));
  }

  Step cuda_step(const emit::OutputFile& file, const std::string& nvcc) const {
    Command c{nvcc, "-fatbin", "-O3", "-std=c++17"};
    append(c, project::cuda_flags(options_.emit));
    if (options_.debug) c.push_back("-lineinfo");
    return make_step(file, std::move(c), out_ / (bundle_.module_name + ".fatbin"));
  }

  fs::path key_file_of(const fs::path& product) const {
    return work_ / (product.filename().string() + ".key");
  }

  Step make_step(const emit::OutputFile& file, Command c, fs::path product) const {
    std::string id = key(c, file.path + "\n" + file.text);
    if (file.kind != emit::FileKind::kCudaSource) c.push_back("-c");
    append(c, {(out_ / file.path).string(), "-o", with(product, ".new").string()});
    fs::path key_file = key_file_of(product);
    return {&file, std::move(c), std::move(product), std::move(key_file), std::move(id)};
  }

  std::vector<Step> compile_steps() {
    std::vector<Step> steps;
    for (const emit::OutputFile& file : bundle_.files) {
      using emit::FileKind;
      if (file.kind == FileKind::kCpuSource || file.kind == FileKind::kModuleSource)
        steps.push_back(cpu_step(file));
      if (file.kind != FileKind::kCudaSource) continue;
      const std::string nvcc = find_nvcc(python_);
      if (nvcc.empty())
        diags_.report({}, diag::NoNvcc, file.path)
            .help("install the CUDA toolkit and put nvcc on PATH");
      else
        steps.insert(steps.begin(), cuda_step(file, nvcc));  // the slowest first
    }
    return steps;
  }

  static std::vector<fs::path> objects_of(const std::vector<Step>& steps) {
    std::vector<fs::path> objects;
    for (const Step& step : steps)
      if (step.source->kind != emit::FileKind::kCudaSource) objects.push_back(step.product);
    return objects;
  }

  Step link_step(const std::vector<fs::path>& objects) const {
    Step step;
    step.product = product();
    step.command = compiler_;
    append(step.command, {"-shared", "-fopenmp"});
    std::string texts;
    for (const fs::path& object : objects)
      texts += object.filename().string() + " " + read(key_file_of(object)) + "\n";
    step.key = key(step.command, texts);
    for (const fs::path& object : objects) step.command.push_back(object.string());
    append(step.command, {"-o", with(step.product, ".new").string()});
    step.key_file = key_file_of(step.product);
    return step;
  }

  int run_steps(std::vector<Step> steps) {
    std::erase_if(steps, is_done);
    std::vector<Command> commands;
    for (const Step& step : steps) {
      commands.push_back(step.command);
      if (options_.verbose) fmt::print(stderr, "{}\n", shell_text(step.command));
    }
    Progress progress(steps.size(), !options_.quiet && !options_.verbose);
    const auto name = [&](size_t i) {
      return steps[i].source ? steps[i].source->path : steps[i].product.filename().string();
    };
    if (!steps.empty()) progress.show(name(0));
    const std::vector<Finished> results =
        run_processes(commands, options_.jobs, [&](size_t i) { progress.advance(name(i)); });
    int worst = kOk;
    for (size_t i = 0; i < steps.size(); ++i) worst = std::max(worst, judge(steps[i], results[i]));
    return worst;
  }

  int judge(const Step& step, const Finished& result) {
    if (result.exit_code == 0) {
      if (options_.verbose && !result.output.empty()) fmt::print(stderr, "{}", result.output);
      if (finish(step)) return kOk;
      diags_.report({}, diag::CannotWrite, step.product.string(), "it could not be renamed");
      return kToolchain;
    }
    std::error_code ignored;
    fs::remove(with(step.product, ".new"), ignored);
    const bool no_openmp = lacks_openmp(result.output);
    if (step.source && !no_openmp && report_rejected(result.output)) return kInternal;
    const std::string why = result.exit_code > 128
                                ? fmt::format("signal {}", result.exit_code - 128)
                                : first_error(result.output);
    auto said =
        diags_.report({}, diag::CompilerFailed, fs::path(step.command[0]).filename().string(), why);
    if (no_openmp) said.help("install OpenMP's headers: apt install libomp-dev");
    said.help("the command was: " + shell_text(step.command));
    return kToolchain;
  }

  // "fatal error: 'omp.h' file not found", "ld: cannot find -lomp: No such file or directory"
  static bool lacks_openmp(std::string_view output) {
    const size_t header = output.find("omp.h");
    const size_t line = output.rfind('\n', header) + 1;  // 0 on the first
    if (header != output.npos && output.substr(line, header - line).find("error") != output.npos)
      return true;
    return output.find("-lomp") != output.npos || output.find("libomp") != output.npos;
  }

  static std::string first_error(const std::string& output) {
    std::string first;
    size_t at = 0;
    while (at < output.size()) {
      const size_t end = std::min(output.find('\n', at), output.size());
      const std::string line = output.substr(at, end - at);
      if (line.find("error") != line.npos) return line;
      if (first.empty()) first = line;
      at = end + 1;
    }
    return first.empty() ? "no message" : first;
  }

  // "…/kernels.cpp:12:5: error: text" and nvcc's "…/kernels.cu(12): error: text" become PK9002 on
  // the Python line. False when the output has no such line.
  bool report_rejected(const std::string& output) {
    bool reported = false;
    size_t at = 0;
    while (at < output.size() && !reported) {
      const size_t end = std::min(output.find('\n', at), output.size());
      const std::string_view line(output.data() + at, end - at);
      at = end + 1;
      const size_t error = line.find("error: ");
      const emit::OutputFile* file = error == line.npos ? nullptr : file_of(line);
      if (!file) continue;
      const int number = std::atoi(line.data() + (out_ / file->path).string().size() + 1);
      diags_
          .report(find_span(*file, number), diag::Rejected,
                  fmt::format("{}:{}", file->path, number), line.substr(error + 7))
          .help("this is a bug of pyk2cu; please report it with the source");
      reported = true;
    }
    return reported;
  }

  // The emitted file, source or text that one includes, whose line the message is about.
  const emit::OutputFile* file_of(std::string_view line) const {
    for (const emit::OutputFile& file : bundle_.files) {
      const std::string path = (out_ / file.path).string();
      if (!file.line_map.empty() && line.starts_with(path) && line.size() > path.size() &&
          (line[path.size()] == ':' || line[path.size()] == '('))
        return &file;
    }
    return nullptr;
  }

  static Span find_span(const emit::OutputFile& file, int line) {
    Span span{};
    for (const emit::LineMapEntry& entry : file.line_map)
      if (entry.line <= line) span = entry.span;
    return span;
  }

  const emit::Bundle& bundle_;
  fs::path out_, work_;
  const BuildOptions& options_;
  Diagnostics& diags_;
  Command compiler_{};
  bool is_clang_ = false;
  Python python_{};
  uint64_t headers_ = 0;
};

}  // namespace

int build(const emit::Bundle& bundle, const std::string& out_dir, const BuildOptions& options,
          Diagnostics& diags) {
  const auto start = std::chrono::steady_clock::now();
  Build all(bundle, out_dir.empty() ? "." : out_dir, options, diags);
  const int exit_code = all.run();
  if (exit_code == kOk && !options.quiet) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    fmt::print(stderr, "built {} in {:.1f} s\n", all.product().string(), seconds.count());
  }
  return exit_code;
}

}  // namespace pyk2cu::cmd
