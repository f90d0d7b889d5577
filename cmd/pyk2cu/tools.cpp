// Finds tools by asking them: a Python is one that can tell where its headers and NumPy's are.
//
// In: PATH, CXX, VIRTUAL_ENV, CUDA_HOME.  Out: Tools. Tested by tests/run/test_toolchain.py.
#include "cmd/pyk2cu/tools.h"

#include <cstdlib>
#include <filesystem>

#include "cmd/pyk2cu/process.h"

namespace pyk2cu::cmd {
namespace {

namespace fs = std::filesystem;

std::string env(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// One answer per line; an empty numpy line when there is none.
constexpr const char* kAsk = R"(
import sys
sys.path = [path for path in sys.path if path]  # not the current folder, which may hold a numpy.py
import importlib.util, os, sysconfig
def numpy():  # without importing it, which takes ten times longer
    spec = importlib.util.find_spec("numpy")
    root = os.path.dirname(spec.origin) if spec and spec.origin else ""
    for part in ("_core", "core"):
        path = os.path.join(root, part, "include")
        if root and os.path.exists(os.path.join(path, "numpy", "arrayobject.h")):
            return path
    return ""
free = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
print("%d.%d.%d" % sys.version_info[:3])
print(sysconfig.get_path("include") or "")
print(numpy())
print(sysconfig.get_config_var("EXT_SUFFIX") if free else ".abi3.so")
)";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Nothing when the program cannot be run or is no Python.
std::optional<Python> ask(const std::string& program) {
  const Finished answer = run_process({program, "-c", kAsk});
  const std::vector<std::string> lines = lines_of(answer.output);
  if (answer.exit_code != 0 || lines.size() < 4) return std::nullopt;
  const size_t n = lines.size();
  return Python{program, lines[n - 4], lines[n - 3], lines[n - 2], lines[n - 1]};
}

bool is_old(const Python& python) {
  return python.version.starts_with("2.") ||
         (python.version.starts_with("3.") && std::atoi(python.version.c_str() + 2) < 11);
}

// Headers of NumPy 1 make modules that NumPy 2 does not load.
bool has_numpy_2(const Python& python) {
  return fs::exists(fs::path(python.numpy_include) / "numpy" / "npy_2_compat.h");
}

bool check(const Python& python, Diagnostics& diags) {
  if (is_old(python)) {
    diags.report({}, diag::OldPython, python.program, python.version);
  } else if (python.numpy_include.empty()) {
    diags.report({}, diag::NoNumPy, python.program)
        .help("install it with `" + python.program +
              " -m pip install numpy`, or name another with --python");
  } else if (!has_numpy_2(python)) {
    diags.report({}, diag::OldNumPy, python.program)
        .help("modules built with NumPy 2 run with 1.26 and newer");
  } else if (!fs::exists(fs::path(python.include) / "Python.h")) {
    diags.report({}, diag::NoPythonHeaders, python.program, python.include)
        .help("on Debian and Ubuntu: apt install python3-dev");
  } else {
    return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> find_compiler(Diagnostics& diags) {
  std::vector<std::string> wanted = split_command(env("CXX"));
  if (!wanted.empty()) {
    if (!find_program(wanted[0]).empty()) return wanted;
    diags.report({}, diag::NoCompiler, "`" + wanted[0] + "`, which CXX names,");
    return {};
  }
  for (const char* name : {"g++", "clang++", "c++"})
    if (!find_program(name).empty()) return {name};
  diags.report({}, diag::NoCompiler, "g++ or clang++")
      .help("on Debian and Ubuntu: apt install g++; or set CXX");
  return {};
}

bool is_clang(const std::vector<std::string>& compiler) {
  std::vector<std::string> command = compiler;
  command.push_back("--version");
  return run_process(command).output.find("clang") != std::string::npos;
}

std::optional<Python> find_python(const std::string& wanted, Diagnostics& diags) {
  std::vector<std::string> candidates;
  if (!wanted.empty()) {
    candidates = {wanted};
  } else {
    const std::string venv = env("VIRTUAL_ENV");
    if (!venv.empty()) candidates.push_back(venv + "/bin/python3");
    candidates.insert(candidates.end(), {"python3", "python"});
  }
  std::optional<Python> first;
  for (const std::string& name : candidates) {
    const std::string program = find_program(name);
    std::optional<Python> python = program.empty() ? std::nullopt : ask(program);
    if (!python) continue;
    if (!is_old(*python) && has_numpy_2(*python) &&
        fs::exists(fs::path(python->include) / "Python.h"))
      return python;
    if (!first) first = python;
  }
  if (first)
    check(*first, diags);
  else
    diags.report({}, diag::NoPython, wanted.empty() ? std::string("python3") : wanted)
        .help(
            "on Debian and Ubuntu: apt install python3-dev python3-numpy; or name one with "
            "--python");
  return std::nullopt;
}

std::string find_nvcc(const Python& python) {
  std::string found = find_program("nvcc");
  if (!found.empty()) return found;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (!env(name).empty() && !(found = find_program(env(name) + "/bin/nvcc")).empty())
      return found;
  if (!(found = find_program("/usr/local/cuda/bin/nvcc")).empty()) return found;
  // …/site-packages/numpy/_core/include -> …/site-packages/nvidia/*/bin/nvcc
  const fs::path packages =
      fs::path(python.numpy_include).parent_path().parent_path().parent_path();
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(packages / "nvidia", error))
    if (!(found = find_program((entry.path() / "bin/nvcc").string())).empty()) return found;
  return "";
}

}  // namespace pyk2cu::cmd
