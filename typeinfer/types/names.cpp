// The names of scalar types, Numba's, NumPy's and dtype strings: docs/typing.md#names-of-types.
//
// In:   a name as a signature, a module attribute or a dtype argument says it.
// Out:  the type, or null.  `byte` differs: Numba's is unsigned, NumPy's signed.
// Tested by tests/unit/typeinfer/types_test.cpp against Numba's and NumPy's own tables.
#include <algorithm>

#include "typeinfer/types/types.h"

namespace pyk2cu::types {

namespace {

// One code per type: its letter and bytes, as mangle() has it.
struct Row {
  std::string_view name, code;
};

const Type* decode(std::string_view code) {
  const int bytes = code.size() == 3 ? 16 : code[1] - '0';
  switch (code[0]) {
    case 'b':
      return boolean();
    case 'f':
      return floating(bytes * 8);
    case 'c':
      return complex(bytes * 8);
    default:
      return integer(bytes * 8, code[0] == 'i');
  }
}

template <size_t N>
const Type* look_up(const Row (&rows)[N], std::string_view name) {
  const auto row = std::ranges::find(rows, name, &Row::name);
  return row == std::end(rows) ? nullptr : decode(row->code);
}

// Numba's names. `float_` is float32 there (an alias that only old releases have).
constexpr Row kNumba[] = {
    {"float64", "f8"},     {"float32", "f4"},      {"int64", "i8"},
    {"int32", "i4"},       {"uint8", "u1"},        {"uint16", "u2"},
    {"uint32", "u4"},      {"uint64", "u8"},       {"int8", "i1"},
    {"int16", "i2"},       {"boolean", "b1"},      {"bool_", "b1"},
    {"bool", "b1"},        {"complex64", "c8"},    {"complex128", "c16"},
    {"float16", "f2"},     {"b1", "b1"},           {"i1", "i1"},
    {"i2", "i2"},          {"i4", "i4"},           {"i8", "i8"},
    {"u1", "u1"},          {"u2", "u2"},           {"u4", "u4"},
    {"u8", "u8"},          {"f2", "f2"},           {"f4", "f4"},
    {"f8", "f8"},          {"c8", "c8"},           {"c16", "c16"},
    {"char", "i1"},        {"short", "i2"},        {"intc", "i4"},
    {"intp", "i8"},        {"int_", "i8"},         {"long_", "i8"},
    {"longlong", "i8"},    {"ssize_t", "i8"},      {"byte", "u1"},
    {"uchar", "u1"},       {"ushort", "u2"},       {"uintc", "u4"},
    {"uintp", "u8"},       {"uint", "u8"},         {"ulong", "u8"},
    {"ulonglong", "u8"},   {"size_t", "u8"},       {"float_", "f4"},
    {"double", "f8"},      {"py_bool", "b1"},      {"py_int", "i8"},
    {"py_float", "f8"},    {"py_complex", "c16"},  {"np_bool_", "b1"},
    {"np_int8", "i1"},     {"np_int16", "i2"},     {"np_int32", "i4"},
    {"np_int64", "i8"},    {"np_uint8", "u1"},     {"np_uint16", "u2"},
    {"np_uint32", "u4"},   {"np_uint64", "u8"},    {"np_float16", "f2"},
    {"np_float32", "f4"},  {"np_float64", "f8"},   {"np_float_", "f4"},
    {"np_double", "f8"},   {"np_complex64", "c8"}, {"np_complex128", "c16"},
    {"np_char", "i1"},     {"np_short", "i2"},     {"np_intc", "i4"},
    {"np_int_", "i8"},     {"np_intp", "i8"},      {"np_long", "i8"},
    {"np_longlong", "i8"}, {"np_uchar", "u1"},     {"np_ushort", "u2"},
    {"np_uintc", "u4"},    {"np_uint", "u8"},      {"np_uintp", "u8"},
    {"np_ulong", "u8"},    {"np_ulonglong", "u8"}, {"c_bool", "b1"},
    {"c_int8", "i1"},      {"c_int16", "i2"},      {"c_int32", "i4"},
    {"c_int64", "i8"},     {"c_intp", "i8"},       {"c_uint8", "u1"},
    {"c_uint16", "u2"},    {"c_uint32", "u4"},     {"c_uint64", "u8"},
    {"c_uintp", "u8"},     {"c_float16", "f2"},    {"c_float32", "f4"},
    {"c_float64", "f8"},
};

// Attributes of the numpy module (64-bit Linux; float_ and complex_ are gone in NumPy 2).
constexpr Row kNumpy[] = {
    {"bool", "b1"},      {"bool_", "b1"},     {"int8", "i1"},        {"int16", "i2"},
    {"int32", "i4"},     {"int64", "i8"},     {"uint8", "u1"},       {"uint16", "u2"},
    {"uint32", "u4"},    {"uint64", "u8"},    {"float16", "f2"},     {"float32", "f4"},
    {"float64", "f8"},   {"complex64", "c8"}, {"complex128", "c16"}, {"byte", "i1"},
    {"short", "i2"},     {"intc", "i4"},      {"int_", "i8"},        {"intp", "i8"},
    {"long", "i8"},      {"longlong", "i8"},  {"ubyte", "u1"},       {"ushort", "u2"},
    {"uintc", "u4"},     {"uint", "u8"},      {"uintp", "u8"},       {"ulong", "u8"},
    {"ulonglong", "u8"}, {"half", "f2"},      {"single", "f4"},      {"double", "f8"},
    {"float_", "f8"},    {"csingle", "c8"},   {"cdouble", "c16"},    {"complex_", "c16"},
};

// What np.dtype("…") understands beside the names above, byte order stripped.
constexpr Row kCodes[] = {
    {"?", "b1"},  {"b", "i1"},    {"B", "u1"},   {"h", "i2"},     {"H", "u2"},        {"i", "i4"},
    {"I", "u4"},  {"l", "i8"},    {"L", "u8"},   {"q", "i8"},     {"Q", "u8"},        {"p", "i8"},
    {"P", "u8"},  {"e", "f2"},    {"f", "f4"},   {"d", "f8"},     {"F", "c8"},        {"D", "c16"},
    {"b1", "b1"}, {"i1", "i1"},   {"i2", "i2"},  {"i4", "i4"},    {"i8", "i8"},       {"u1", "u1"},
    {"u2", "u2"}, {"u4", "u4"},   {"u8", "u8"},  {"f2", "f2"},    {"f4", "f4"},       {"f8", "f8"},
    {"c8", "c8"}, {"c16", "c16"}, {"int", "i8"}, {"float", "f8"}, {"complex", "c16"},
};

}  // namespace

const Type* find_scalar(std::string_view name) { return look_up(kNumba, name); }

const Type* find_numpy_scalar(std::string_view name) { return look_up(kNumpy, name); }

const Type* find_dtype(std::string_view text) {
  if (const Type* type = look_up(kNumpy, text)) return type;
  const bool native = text.starts_with('<') || text.starts_with('=') || text.starts_with('|');
  return look_up(kCodes, native ? text.substr(1) : text);
}

std::span<const std::string_view> scalar_names() {
  static const auto names = [] {
    std::vector<std::string_view> all;
    for (const Row& row : kNumba) all.push_back(row.name);
    return all;
  }();
  return names;
}

}  // namespace pyk2cu::types
