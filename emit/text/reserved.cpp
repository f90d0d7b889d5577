// The names that generated code must not use for the user's things: the one list of them.
//
// Words, and shapes of words: macros are written in capitals with underscores, families of the
// headers begin or end alike, so that what other versions of a header add is covered too.
// In:   a name and its use.  Out: is it claimed?
// Tested by tests/run/test_names.py, which asks the headers themselves.
#include <algorithm>
#include <unordered_set>

#include "emit/text/names.h"

namespace pyk2cu::emit {

namespace {

using Words = std::unordered_set<std::string_view>;

const Words& claimed_everywhere() {
  static const Words words{
      // keywords of C++20, alternative operators, extensions of compilers
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
      "case", "catch", "char", "char8_t", "char16_t", "char32_t", "class", "co_await", "co_return",
      "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit",
      "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
      "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline",
      "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
      "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
      "requires", "restrict", "return", "short", "signed", "sizeof", "static", "static_assert",
      "static_cast", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try",
      "typedef", "typeid", "typename", "typeof", "union", "unsigned", "using", "virtual", "void",
      "volatile", "wchar_t", "while", "xor", "xor_eq",
      // macros of the C and C++ headers that are not in capitals with an underscore
      "ACCESSPERMS", "ALLPERMS", "BUFSIZ", "CSIGNAL", "DEFFILEMODE", "DOMAIN", "EOF", "I",
      "INFINITY", "MAXFLOAT", "NAN", "NFDBITS", "NULL", "NZERO", "OVERFLOW", "PLOSS", "SING",
      "SNAN", "SNANF", "SNANL", "TLOSS", "UNDERFLOW", "WCONTINUED", "WEOF", "WEXITED",
      "WEXITSTATUS", "WIFCONTINUED", "WIFEXITED", "WIFSIGNALED", "WIFSTOPPED", "WNOHANG", "WNOWAIT",
      "WSTOPPED", "WSTOPSIG", "WTERMSIG", "WUNTRACED", "CUDARTAPI", "L_ctermid", "L_cuserid",
      "L_tmpnam", "P_tmpdir", "alloca", "assert", "assert_perror", "be16toh", "be32toh", "be64toh",
      "complex", "errno", "far", "fpclassify", "htobe16", "htobe32", "htobe64", "htole16",
      "htole32", "htole64", "i386", "imaginary", "isascii", "isfinite", "isinf", "isnan",
      "isnormal", "issubnormal", "le16toh", "le32toh", "le64toh", "linux", "major", "makedev",
      "math_errhandling", "minor", "near", "offsetof", "sched_priority", "signbit", "signgam",
      "stderr", "stdin", "stdout", "strdupa", "strndupa", "toascii", "unix",
      // types and variables that generated code names without a namespace
      "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
      "size_t", "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "std", "pyk"};
  return words;
}

// On top where the name stands in the module's namespace: macros of Python's headers, and what
// generated code itself declares there or inside functions.
const Words& claimed_by_modules() {
  static const Words words{"DEPRECATE",    "READONLY",  "RESTRICTED", "RETSIGTYPE", "constchar",
                           "longdouble_t", "st_atime",  "NPY_CAT_",   "NPY_CAT__",  "st_ctime",
                           "st_mtime",     "timeradd",  "timerclear", "timercmp",   "timerisset",
                           "timersub",     "va_arg",    "va_copy",    "va_end",     "va_start",  //
                           "main",         "sites",     "Index",      "block",      "error",
                           "lane",         "launch",    "site",       "L",          "M",
                           "kCheck",       "kDisjoint", "baseline",   "x86_64_v3",  "x86_64_v4"};
  return words;
}

// On top in the global namespace: the functions, types and variables of C, POSIX, CUDA and Python.
const Words& claimed_by_c() {
  // clang-format off: it has a line for every word beside a directive
  static const Words words{
#include "emit/text/c_names.inc"
      "FILE", "daylight", "destructor", "dim3", "environ", "fd_mask", "fd_set", "getter",
      "inquiry", "iovec", "itimerspec", "itimerval", "lconv", "obstack", "optarg", "opterr",
      "optind", "optopt", "random_data", "setter", "sigevent", "statx_timestamp", "timespec",
      "timeval", "timex", "timezone", "tm", "tuple_element", "tuple_size", "tzname", "uint",
      "ulong", "ushort", "va_list", "libraryPropertyType", "half", "drand48_data", "getdate_err",
      "u_char", "u_long", "u_quad_t", "u_short",
      // of glibc 2.38 to 2.42
      "strlcat", "strlcpy", "wcslcat", "wcslcpy", "uabs", "ulabs", "ullabs", "uimaxabs",
      "exp2m1", "exp2m1f", "exp2m1l", "exp10m1", "exp10m1f", "exp10m1l", "log2p1", "log2p1f",
      "log2p1l", "log10p1", "log10p1f", "log10p1l", "logp1", "logp1f", "logp1l", "acospi",
      "acospif", "acospil", "asinpi", "asinpif", "asinpil", "atanpi", "atanpif", "atanpil",
      "atan2pi", "atan2pif", "atan2pil", "cospi", "cospif", "cospil", "sinpi", "sinpif",
      "sinpil", "tanpi", "tanpif", "tanpil", "rsqrt", "rsqrtf", "rsqrtl", "rootn", "rootnf",
      "rootnl", "pown", "pownf", "pownl", "powr", "powrf", "powrl", "compoundn", "compoundnf",
      "compoundnl"};
  // clang-format on
  return words;
}

// The functions of namespace pyk.
const Words& claimed_by_runtime() {
  // clang-format off: it has a line for every word
  static const Words words{
      "abs", "add", "add_to", "allocate", "and_", "any", "apart", "argument_count", "at_run_time",
      "atomic_add", "atomic_sub", "bit_count", "bit_length", "bits_as", "blend", "body", "branched",
      "broadcasts", "choose", "choose_processor", "compared", "conj", "constant", "convert", "copy",
      "copy_out", "copy_record", "divmod", "either", "elements", "empty", "empty_at", "empty_in",
      "eq", "every", "extent_left", "extent_of_both", "field", "fill", "fitted", "fitted_apart",
      "fitted_to", "flat", "floordiv", "fmod", "format", "full", "full_at", "full_in", "ge", "get",
      "get_num_threads", "get_thread_id", "grid", "gridsize", "gt", "has_shape", "heap_pop",
      "heap_push", "heapify", "imag", "in_order", "infinity", "invert", "is_misaligned",
      "join_in_pairs", "keep", "keep_in", "lacks_bools", "lane_id", "le", "list_append",
      "list_array", "list_clear", "list_concat", "list_count", "list_equal", "list_extend",
      "list_find", "list_full", "list_insert", "list_item", "list_lacks", "list_new", "list_of",
      "list_pop", "list_repeat", "list_reverse", "list_row", "list_set", "list_size", "list_slice",
      "list_sort", "list_times", "list_view", "lowest", "lshift", "lt", "max", "meets", "min",
      "mod", "most_threads", "mul", "mul_by", "ne", "neg", "none_arg", "not_", "number", "offered",
      "ones", "ones_at", "ones_in", "or_", "overlaps", "packed_field", "portion", "pos", "pow",
      "print", "print_format", "quiet_NaN", "range", "real", "release", "release_block", "reshaped",
      "retain", "round", "rounded", "rshift", "set_num_threads", "share", "shl", "shr", "slice",
      "small_portion", "stack_array", "strided", "sub", "sub_from", "surely", "swap_axes",
      "table_add", "table_and", "table_become", "table_chosen", "table_clear", "table_copy",
      "table_disjoint", "table_drop", "table_entry", "table_equal", "table_find", "table_flip",
      "table_items", "table_key", "table_keys", "table_last", "table_minus", "table_moves",
      "table_new", "table_next", "table_or", "table_put", "table_set", "table_size", "table_take",
      "table_update", "table_value", "table_values", "table_within", "table_xor", "text", "threads",
      "tile_rows", "total", "transpose", "truediv", "truth", "tuple", "until", "view", "view_of",
      "viewed", "wanted_threads", "wrap", "xor_", "zero_minus", "zeros", "zeros_at", "zeros_in"};
  // clang-format on
  return words;
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// INT64_MAX, MADV_HUGEPAGE, M_PIf32: how C writes a macro.
bool looks_like_macro(std::string_view name) {
  const auto is_capital = [](char c) { return c == '_' || is_digit(c) || is_upper(c); };
  if (std::ranges::all_of(name, is_capital) && std::ranges::any_of(name, is_upper) &&
      name.find('_', 1) != name.npos)
    return true;
  for (const std::string_view family : {"M_", "HUGE_VAL", "SNANF", "cuda", "pthread_cleanup_"})
    if (name.starts_with(family) && name.size() > family.size() &&
        (family != "M_" || is_capital(name[2])) && (family != "cuda" || is_upper(name[4])))
      return true;
  return name.ends_with("_l") && name.starts_with("is");
}

bool looks_like_python(std::string_view name) {
  for (const std::string_view family : {"Py", "PY", "Npy", "npy_", "NPY", "MyPy", "PRI", "SCN"})
    if (name.starts_with(family)) return true;
  return false;
}

// float4, ulonglong2, double4_16a: vectors of CUDA.
bool looks_like_vector(std::string_view name) {
  if (name.starts_with("u")) name.remove_prefix(1);
  for (const std::string_view type :
       {"char", "short", "int", "longlong", "long", "float", "double"})
    if (name.starts_with(type) && name.size() > type.size() && name[type.size()] >= '1' &&
        name[type.size()] <= '4')
      return true;
  return false;
}

// cosf, cosl, lgammaf32x_r, strtod_l, getc_unlocked: variants of what C has.
bool is_variant(std::string_view name) {
  for (const std::string_view ending :
       {"f", "l", "32", "64", "32x", "64x", "128", "_r", "_l", "_unlocked"}) {
    if (!name.ends_with(ending)) continue;
    const std::string_view stem = name.substr(0, name.size() - ending.size());
    if (claimed_by_c().count(stem) != 0 || is_variant(stem)) return true;
  }
  return false;
}

bool looks_like_c(std::string_view name) {
  for (const std::string_view family :
       {"omp_", "ompc_", "kmp_", "llvm_", "pthread_", "sched_", "posix_", "pkey_", "process_",
        "make_", "wcs", "u_int", "shm_", "CU", "tagPy", "totalorder", "f32", "f64", "cookie_"})
    if (name.starts_with(family)) return true;
  for (const std::string_view ending : {"_t", "func", "proc"})
    if (name.ends_with(ending)) return true;
  return is_variant(name);
}

bool is_word(std::string_view name, NameFor use) {
  if (claimed_everywhere().count(name) != 0) return true;
  if (use >= NameFor::kFunction && claimed_by_modules().count(name) != 0) return true;
  return use >= NameFor::kNamespace && claimed_by_c().count(name) != 0;
}

}  // namespace

bool is_reserved(std::string_view name, NameFor use) {
  if (is_word(name, use) || looks_like_macro(name)) return true;
  if (use >= NameFor::kFunction && looks_like_python(name)) return true;
  return use >= NameFor::kNamespace && (looks_like_vector(name) || looks_like_c(name));
}

bool is_in_runtime(std::string_view name) { return claimed_by_runtime().count(name) != 0; }

std::string unreserved(std::string name, NameFor use) {
  if (!is_reserved(name, use)) return name;
  do name += '_';
  while (is_word(name, use));
  return name;
}

}  // namespace pyk2cu::emit
