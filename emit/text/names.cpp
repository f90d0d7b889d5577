// The words that generated code must not use as names: see names.h.
//
// Keywords of C++20 and CUDA, types and macros of the headers that generated code includes, and the
// names that the printer itself writes. Tested by tests/unit/emit/text_test.cpp.
#include "emit/text/names.h"

#include <fmt/format.h>

#include "frontend/base/utf8.h"

namespace pyk2cu::emit {

namespace {

const std::unordered_set<std::string_view>& reserved() {
  static const std::unordered_set<std::string_view> words{
      // keywords
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
      "case", "catch", "char", "char8_t", "char16_t", "char32_t", "class", "co_await", "co_return",
      "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit",
      "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
      "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline",
      "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
      "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
      "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast",
      "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef",
      "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t",
      "while", "xor", "xor_eq", "restrict", "typeof",
      // types, macros and objects of the headers
      "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
      "size_t", "intptr_t", "uintptr_t", "ptrdiff_t", "INT8_MIN", "INT16_MIN", "INT32_MIN",
      "INT64_MIN", "INT8_MAX", "INT16_MAX", "INT32_MAX", "INT64_MAX", "UINT8_MAX", "UINT16_MAX",
      "UINT32_MAX", "UINT64_MAX", "SIZE_MAX", "NULL", "NAN", "INFINITY", "HUGE_VAL", "EOF",
      "BUFSIZ", "RAND_MAX", "CLOCKS_PER_SEC", "errno", "assert", "stdin", "stdout", "stderr",
      "linux", "unix", "i386", "M_PI", "M_E", "M_LN2", "M_LN10", "M_LOG2E", "M_LOG10E", "M_PI_2",
      "M_PI_4", "M_1_PI", "M_2_PI", "M_SQRT2", "M_SQRT1_2", "M_2_SQRTPI", "DOMAIN", "OVERFLOW",
      "UNDERFLOW", "SING", "PLOSS", "TLOSS", "FP_NAN", "FP_INFINITE", "FP_ZERO", "FP_NORMAL",
      "FP_SUBNORMAL", "isnan", "isinf", "isfinite", "signbit", "isnormal", "fpclassify", "I",
      "complex", "imaginary", "near", "far", "major", "minor", "makedev", "signgam", "main",
      "MADV_HUGEPAGE", "PROT_READ", "PROT_WRITE", "MAP_SHARED", "MAP_PRIVATE",
      // CUDA
      "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "dim3", "half", "__global__",
      "__device__", "__host__", "__shared__", "__constant__",
      // what the printer writes itself
      "std", "pyk"};
  return words;
}

}  // namespace

std::string namespace_name(std::string_view module) {
  static const std::unordered_set<std::string_view> functions{
#include "emit/text/c_names.inc"
  };
  std::string name = cpp_identifier(module);
  if (functions.count(name) != 0) name += '_';
  return name;
}

bool is_reserved(std::string_view name) { return reserved().count(name) != 0; }

std::string cpp_identifier(std::string_view python) {
  std::string out;
  for (size_t i = 0; i < python.size();) {
    const auto byte = static_cast<unsigned char>(python[i]);
    if (byte < 128) {
      const bool word =
          byte == '_' || (byte >= '0' && byte <= '9') || ((byte | 32) >= 'a' && (byte | 32) <= 'z');
      out += word ? python[i] : '_';
      ++i;
    } else {
      out += fmt::format("u{:04x}", static_cast<uint32_t>(next_code_point(python, i)));
    }
  }
  if (out.empty() || (out[0] >= '0' && out[0] <= '9')) out.insert(0, "_");
  const bool system =
      out.size() > 1 && out[0] == '_' && (out[1] == '_' || (out[1] >= 'A' && out[1] <= 'Z'));
  if (system) out.insert(0, "py");
  if (is_reserved(out)) out += '_';
  return out;
}

std::string NameScope::unique(std::string_view wanted) {
  std::string name(wanted);
  for (int n = 2; !taken_.insert(name).second; ++n) name = fmt::format("{}_{}", wanted, n);
  return name;
}

}  // namespace pyk2cu::emit
