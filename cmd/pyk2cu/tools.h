// Where the compilers and the Python to build for are.
//
// In:   environment, options.  Out: Tools, or PK601x with what to install.
// Tested by tests/run/test_toolchain.py.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/diag/diagnostics.h"

namespace pyk2cu::cmd {

struct Python {
  std::string program;
  std::string version;  // "3.13.0"
  std::string include;  // holds Python.h
  std::string numpy_include;
  std::string suffix;         // of extension modules: ".abi3.so"
  std::string install_numpy;  // the command
};

// $CXX, g++, clang++, c++. Empty: none, reported.
std::vector<std::string> find_compiler(Diagnostics& diags);

// Whether that compiler, whatever its name, is Clang.
bool is_clang(const std::vector<std::string>& compiler);

// `wanted` (--python), else that of the environment (activated, or this program's own), and no
// other where there is one; else of python3 and python on PATH the first that has NumPy.
std::optional<Python> find_python(const std::string& wanted, Diagnostics& diags);

// nvcc on PATH, in $CUDA_HOME or /usr/local/cuda, or among the packages of that Python. Empty:
// none.
std::string find_nvcc(const Python& python);

}  // namespace pyk2cu::cmd
