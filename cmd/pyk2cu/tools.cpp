// Finds tools by asking them: a Python is one that can tell where its headers and NumPy's are.
//
// In: PATH, CXX, VIRTUAL_ENV, CONDA_PREFIX, CUDA_HOME.  Out: Tools. Tested by
// tests/run/test_toolchain.py.
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

// One answer per line; an empty numpy line when there is none. The last is the command that gets
// NumPy: a system's Python that its distribution manages does not take packages from pip.
constexpr const char* kAsk = R"(
import sys
sys.path = [path for path in sys.path if path]  # not the current folder, which may hold a numpy.py
import importlib.util, os, shlex, sysconfig
def numpy():  # without importing it, which takes ten times longer
    spec = importlib.util.find_spec("numpy")
    root = os.path.dirname(spec.origin) if spec and spec.origin else ""
    for part in ("_core", "core"):
        path = os.path.join(root, part, "include")
        if root and os.path.exists(os.path.join(path, "numpy", "arrayobject.h")):
            return path
    return ""
def install():
    python, prefix = shlex.quote(sys.executable), shlex.quote(sys.prefix)
    managed = os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
    if os.path.isdir(os.path.join(sys.prefix, "conda-meta")):
        return "conda install -p %s numpy" % prefix
    if sys.prefix == sys.base_prefix and os.path.exists(managed):
        return "%s -m venv .venv && .venv/bin/python3 -m pip install numpy" % python
    if not importlib.util.find_spec("pip"):
        return "uv pip install --python %s numpy" % python
    return "%s -m pip install -U numpy" % python
free = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
print("%d.%d.%d" % sys.version_info[:3])
print(sysconfig.get_path("include") or "")
print(numpy())
print(sysconfig.get_config_var("EXT_SUFFIX") if free else ".abi3.so")
print(install())
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
  if (answer.exit_code != 0 || lines.size() < 5) return std::nullopt;
  const std::string* last = &lines.back();
  return Python{program, last[-4], last[-3], last[-2], last[-1], last[0]};
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
        .help("install it with `" + python.install_numpy + "`, or name another with --python");
  } else if (!has_numpy_2(python)) {
    diags.report({}, diag::OldNumPy, python.program)
        .help("modules built with NumPy 2 run with 1.26 and newer: `" + python.install_numpy + "`");
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

namespace {

// The Python of an environment that somebody has activated, or that this program is installed in;
// empty where there is none.
std::string environment_python() {
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const std::string found = env(name).empty() ? "" : find_program(env(name) + "/bin/python3");
    if (!found.empty()) return found;
  }
  std::error_code error;
  const fs::path bin = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path prefix = bin.parent_path();
  if (error || (!fs::exists(prefix / "pyvenv.cfg") && !fs::exists(prefix / "conda-meta")))
    return "";
  return find_program((bin / "python3").string());
}

}  // namespace

std::optional<Python> find_python(const std::string& wanted, Diagnostics& diags) {
  const std::string given = wanted.empty() ? environment_python() : wanted;
  std::vector<std::string> candidates{given};
  if (given.empty()) candidates = {"python3", "python"};
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
    diags.report({}, diag::NoPython, given.empty() ? std::string("python3") : given)
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
