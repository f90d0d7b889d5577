// What the files of fold/ share: making Values, Python's numbers, NumPy's scalars and arrays.
//
// In:   Values.  Out: the Value that CPython 3.13 or NumPy 2 would compute, or nothing: when they
//       would raise, when integers leave 128 bits, when the result is too large for a constant.
// Tested by tests/unit/typeinfer/fold_test.cpp.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "typeinfer/fold/value.h"

namespace pyk2cu::fold {

using Kind = Value::Kind;
using Result = std::optional<Value>;
using Int128 = __int128;
using Complex = std::complex<double>;

constexpr size_t kMostItems = 1 << 20;  // of tuples, strings, arrays

// What a tuple or dict may hold in all: `t = (t, t)` doubles it with every line.
class Budget {
 public:
  bool take(const Value& value);  // false: too much

 private:
  size_t left_ = 1 << 18;
};
bool is_small(const Value& value);

// ---- number.cpp ----
Value make_none();
Value make_bool(bool value);
Value make_int(Int128 value);
Value make_float(double value);
Value make_complex(Complex value);
Value make_str(std::string text);
Value make_tuple(std::vector<Value> items);
Value make_type(const types::Type* type);

bool is_number(const Value& v);        // bool, int, float, complex; NumPy's too
bool is_real(const Value& v);          // not complex
bool is_integral(const Value& v);      // bool, int
bool is_numpy_scalar(const Value& v);  // has a dtype
double to_double(const Value& real);
Complex to_complex(const Value& number);
std::optional<int64_t> to_int64(const Value& v);  // of an int or bool that fits

Result unary(ast::UnaryOperator op, const Value& v);
// Python numbers only: neither has a dtype.
Result python_binary(ast::Operator op, const Value& a, const Value& b);
// As an expression's value: NumPy scalars and arrays compare to NumPy's bools.
Result compare_value(ast::CompareOperator op, const Value& a, const Value& b);

// ---- numpy.cpp ----
// The scalar type that holds both; a value without a dtype is weak (NEP 50). Null: none.
const types::Type* numpy_type(const Value& a, const Value& b);
const types::Type* natural_type(const Value& v);            // bool, int64, float64, complex128
Result cast(const Value& number, const types::Type* type);  // as astype does
Result numpy_binary(ast::Operator op, const Value& a, const Value& b);
Result array_binary(const Value& a, const Value& b,
                    const std::function<Result(const Value&, const Value&)>& op);
Result array_unary(const Value& a, const std::function<Result(const Value&)>& op);
size_t array_size(const Value& array);
Value array_item(const Value& array, size_t index);  // in C order
Result make_array(const types::Type* elem, std::vector<int64_t> shape,
                  std::span<const Value> items);
Result array_subscript(const Value& array, std::span<const Value> indices);
Result reshape(const Value& array, std::vector<int64_t> shape);
Result array_reduce(std::string_view name, const Value& array);

// ---- calls.cpp, numpy_calls.cpp, objects.cpp ----
struct Arguments {
  std::vector<Value> positional{};
  std::vector<std::pair<std::string_view, Value>> named{};

  // The argument at a position or by its name; null when it is not given.
  const Value* get(size_t position, std::string_view name) const;
  bool only(size_t most, std::initializer_list<std::string_view> names) const;
};
Result call_builtin(std::string_view name, const Arguments& args);
Result call_math(std::string_view name, const Arguments& args);
Result call_numpy(std::string_view name, const Arguments& args);
// numba.uint64(5): a number of that type; of types it is a signature.
Result call_numba(std::string_view name, const Arguments& args);
Result call_method(const Value& self, std::string_view name, const Arguments& args);
Result attribute(const Value& self, std::string_view name);
Result constant(std::string_view path);  // "math.pi", "numpy.float32"
Result dict_item(const Value& dict, const Value& key);
Result construct(const Fields& made, const Arguments& args);  // Point(1, y=2)
Result object_method(const Value& self, std::string_view name, const Arguments& args);
Result object_attribute(const Value& self, std::string_view name);
Result digits(Int128 value, std::string_view function);
Result type_info(std::string_view function, const types::Type* type, std::string_view name);
const types::Type* to_dtype(const Value& v);  // np.float32, "f4", the Python classes; null: none

// ---- numpy_arrays.cpp ----
// Which elements a subscript takes along an axis; one: the axis is gone.
struct Picked {
  std::vector<int64_t> at{};
  bool is_one = false;
};
Result array_picked(const Value& array, std::span<const Picked> along);
Result array_transposed(const Value& array);
Result matrix_product(const Value& a, const Value& b);
Result call_numpy_on_arrays(std::string_view name, const Arguments& args);

// ---- records.cpp ----
// What np.dtype makes of lists and dicts of fields, and of "f8, i4"; null: no structured dtype.
const types::Type* record_of(const Value& spec, bool c_struct);
Result call_dtype(const Arguments& args);
Result call_nested(const Arguments& args);

}  // namespace pyk2cu::fold
