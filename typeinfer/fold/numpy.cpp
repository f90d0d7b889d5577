// NumPy's scalars and arrays: promotion by NEP 50, casts, operators element by element.
//
// In:   Values of which some have a dtype.  Out: a Value with NumPy's dtype, or nothing.
// Tested by tests/unit/typeinfer/fold_test.cpp.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "typeinfer/fold/parts.h"

namespace pyk2cu::fold {

using ast::Operator;
using types::Type;

namespace {

// The nearest float16 value: 11 bits, exponents from -24 (subnormal) to 15.
double round_to_half(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  std::frexp(x, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent, -13) - 11);
  const double rounded = std::nearbyint(x / unit) * unit;
  return std::fabs(rounded) > 65504.0 ? std::copysign(INFINITY, x) : rounded;
}

double round_to(double x, int bits) {
  return bits == 16 ? round_to_half(x) : bits == 32 ? static_cast<float>(x) : x;
}

uint16_t half_bits(double x) {
  const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  x = std::fabs(x);
  if (std::isnan(x)) return 0x7e00;
  if (std::isinf(x)) return sign | 0x7c00;
  if (x < 0x1p-14) return sign | static_cast<uint16_t>(x * 0x1p24);
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);  // 0.5 <= fraction < 1
  const auto mantissa = static_cast<uint16_t>((fraction * 2 - 1) * 1024);
  return static_cast<uint16_t>(sign | ((exponent + 14) << 10) | mantissa);
}

double half_value(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const double mantissa = bits & 1023;
  double value = exponent == 0    ? std::ldexp(mantissa, -24)
                 : exponent == 31 ? (mantissa != 0 ? std::nan("") : INFINITY)
                                  : std::ldexp(1024 + mantissa, exponent - 25);
  return bits & 0x8000 ? -value : value;
}

Int128 wrap(Int128 value, const Type* type) {
  const auto low = static_cast<uint64_t>(static_cast<unsigned __int128>(value));
  const int drop = 64 - type->bits;
  if (type->is_signed) return static_cast<int64_t>(low << drop) >> drop;
  return static_cast<Int128>((low << drop) >> drop);
}

bool fits(Int128 value, const Type* type) { return wrap(value, type) == value; }

int component_bits(const Type* t) { return t->is_complex() ? t->bits / 2 : t->bits; }

// Bits of the float that holds an integer type in a mix with floats.
int float_bits_for(const Type* t) {
  if (t->is_float() || t->is_complex()) return component_bits(t);
  if (t->is_bool() || t->bits == 8) return 16;
  return t->bits == 16 ? 32 : 64;
}

const Type* strong_type(const Type* a, const Type* b) {
  if (a == b) return a;
  if (a->is_bool()) return b;
  if (b->is_bool()) return a;
  if (a->is_int() && b->is_int()) {
    if (a->is_signed == b->is_signed) return a->bits > b->bits ? a : b;
    const Type* s = a->is_signed ? a : b;
    const Type* u = a->is_signed ? b : a;
    if (s->bits > u->bits) return s;
    return u->bits == 64 ? types::float64() : types::integer(u->bits * 2, true);
  }
  const int bits = std::max(float_bits_for(a), float_bits_for(b));
  if (a->is_complex() || b->is_complex()) return types::complex(bits <= 32 ? 64 : 128);
  return types::floating(bits);
}

}  // namespace

const Type* natural_type(const Value& v) {
  switch (v.kind) {
    case Kind::kBool:
      return types::boolean();
    case Kind::kInt:
      return fits(v.integer, types::int64())    ? types::int64()
             : fits(v.integer, types::uint64()) ? types::uint64()
                                                : nullptr;
    case Kind::kFloat:
      return types::float64();
    case Kind::kComplex:
      return types::complex128();
    default:
      return nullptr;
  }
}

const Type* numpy_type(const Value& a, const Value& b) {
  if (!is_number(a) || !is_number(b)) return nullptr;
  if (a.type && b.type) return strong_type(a.type, b.type);
  if (!a.type && !b.type) {
    const Type* left = natural_type(a);
    const Type* right = natural_type(b);
    return left && right ? strong_type(left, right) : nullptr;
  }
  const Type* strong = a.type ? a.type : b.type;
  const Value& weak = a.type ? b : a;
  switch (weak.kind) {
    case Kind::kBool:
      return strong;
    case Kind::kInt:
      if (strong->is_bool()) return types::int64();
      return !strong->is_int() || fits(weak.integer, strong) ? strong : nullptr;
    case Kind::kFloat:
      return strong->is_bool() || strong->is_int() ? types::float64() : strong;
    default:
      if (strong->is_complex()) return strong;
      if (strong->is_float()) return types::complex(strong->bits <= 32 ? 64 : 128);
      return types::complex128();
  }
}

Result cast(const Value& v, const Type* type) {
  if (!is_number(v) || !type || !type->is_scalar()) return std::nullopt;
  Value result;
  result.type = type;
  if (type->is_bool()) {
    result.kind = Kind::kBool;
    result.integer = *truth(v);
    return result;
  }
  if (type->is_int()) {
    if (v.kind == Kind::kComplex) return std::nullopt;
    if (v.kind == Kind::kFloat) {
      const double x = std::trunc(v.number.real());
      if (!(x > -0x1p63 && x < 0x1p63)) return std::nullopt;
      result.integer = static_cast<Int128>(x);
      if (!fits(result.integer, type)) return std::nullopt;  // undefined in NumPy
    } else {
      result.integer = wrap(v.integer, type);
    }
    result.kind = Kind::kInt;
    return result;
  }
  const int bits = component_bits(type);
  if (type->is_float()) {
    if (v.kind == Kind::kComplex) return std::nullopt;
    result.kind = Kind::kFloat;
    result.number = round_to(to_double(v), bits);
    return result;
  }
  const Complex z = to_complex(v);
  result.kind = Kind::kComplex;
  result.number = {round_to(z.real(), bits), round_to(z.imag(), bits)};
  return result;
}

Result numpy_binary(Operator op, const Value& a, const Value& b) {
  const Type* type = numpy_type(a, b);
  if (!type || type->is_bool()) {
    const bool bits = op == Operator::kBitAnd || op == Operator::kBitOr || op == Operator::kBitXor;
    if (!type || !bits) return std::nullopt;
  }
  const Type* result_type = type;
  if (op == Operator::kDiv && (type->is_int() || type->is_bool())) {
    type = result_type = types::float64();
  }
  const bool exact = op == Operator::kAdd || op == Operator::kSub;
  if (type->is_complex() && type->bits == 64 && !exact) return std::nullopt;
  if (op == Operator::kPow && type->is_float() && type->bits != 64) return std::nullopt;
  auto left = cast(a, type), right = cast(b, type);
  if (!left || !right) return std::nullopt;
  left->type = right->type = nullptr;
  if (op == Operator::kPow && type->is_int()) {
    // wraps modulo 2**bits
    if (right->integer < 0) return std::nullopt;
    Int128 result = 1, base = left->integer;
    for (Int128 n = right->integer; n > 0; n >>= 1) {
      if (n & 1) result = wrap(result * base, type);
      base = wrap(base * base, type);
    }
    return cast(make_int(result), type);
  }
  if (type->is_int() && (op == Operator::kLShift || op == Operator::kRShift)) {
    if (right->integer < 0 || right->integer >= type->bits) return std::nullopt;
  }
  if (op == Operator::kPow && type->is_float() && left->number.real() < 0 &&
      right->number.real() != std::floor(right->number.real())) {
    return std::nullopt;
  }
  const auto result = python_binary(op, *left, *right);
  return result ? cast(*result, result_type) : Result();
}

size_t array_size(const Value& array) {
  size_t size = 1;
  for (int64_t extent : array.shape) size *= static_cast<size_t>(extent);
  return size;
}

namespace {

template <class T>
T load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

double load_float(const char* at, int bits) {
  if (bits == 16) return half_value(load<uint16_t>(at));
  return bits == 32 ? load<float>(at) : load<double>(at);
}

void append_float(std::string& bytes, double x, int bits) {
  if (bits == 16) {
    append(bytes, half_bits(x));
  } else if (bits == 32) {
    append(bytes, static_cast<float>(x));
  } else {
    append(bytes, x);
  }
}

}  // namespace

Value array_item(const Value& array, size_t index) {
  const Type* elem = array.type->elem;
  const int size = types::item_size(elem);
  const char* at = array.bytes.data() + index * static_cast<size_t>(size);
  Value v;
  v.type = elem;
  if (elem->is_bool() || elem->is_int()) {
    v.kind = elem->is_bool() ? Kind::kBool : Kind::kInt;
    uint64_t raw = 0;
    std::memcpy(&raw, at, static_cast<size_t>(size));
    v.integer = elem->is_bool() ? raw != 0 : wrap(static_cast<Int128>(raw), elem);
    return v;
  }
  const int bits = component_bits(elem);
  v.kind = elem->is_float() ? Kind::kFloat : Kind::kComplex;
  v.number = load_float(at, bits);
  if (elem->is_complex()) v.number = {v.number.real(), load_float(at + size / 2, bits)};
  return v;
}

Result make_array(const Type* elem, std::vector<int64_t> shape, std::span<const Value> items) {
  if (!elem || !elem->is_scalar() || shape.size() > 8) return std::nullopt;
  size_t size = 1;
  for (int64_t extent : shape) {
    if (extent < 0 || (extent > 0 && size > kMostItems / static_cast<size_t>(extent))) {
      return std::nullopt;
    }
    size *= static_cast<size_t>(extent);
  }
  if (items.size() != size && items.size() != 1) return std::nullopt;
  Value array;
  array.kind = Kind::kArray;
  array.type = types::array(elem, static_cast<int>(shape.size()), types::Layout::kC, true);
  array.shape = std::move(shape);
  array.bytes.reserve(size * static_cast<size_t>(types::item_size(elem)));
  for (size_t i = 0; i < size; ++i) {
    const auto item = cast(items[items.size() == 1 ? 0 : i], elem);
    if (!item) return std::nullopt;
    if (elem->is_bool() || elem->is_int()) {
      const auto raw = static_cast<uint64_t>(item->integer);
      array.bytes.append(reinterpret_cast<const char*>(&raw),
                         static_cast<size_t>(types::item_size(elem)));
      continue;
    }
    append_float(array.bytes, item->number.real(), component_bits(elem));
    if (elem->is_complex()) append_float(array.bytes, item->number.imag(), component_bits(elem));
  }
  return array;
}

Result array_unary(const Value& a, const std::function<Result(const Value&)>& op) {
  std::vector<Value> items;
  for (size_t i = 0; i < array_size(a); ++i) {
    auto item = op(array_item(a, i));
    if (!item) return std::nullopt;
    items.push_back(std::move(*item));
  }
  if (items.empty()) return a;
  return make_array(items[0].type, a.shape, items);
}

Result array_binary(const Value& a, const Value& b,
                    const std::function<Result(const Value&, const Value&)>& op) {
  const auto shape_of = [](const Value& v) {
    return v.kind == Kind::kArray ? v.shape : std::vector<int64_t>{};
  };
  const auto left = shape_of(a), right = shape_of(b);
  std::vector<int64_t> shape(std::max(left.size(), right.size()), 1);
  const auto extent = [&](const std::vector<int64_t>& of, size_t axis) {
    const size_t missing = shape.size() - of.size();
    return axis < missing ? int64_t{1} : of[axis - missing];
  };
  size_t size = 1;
  for (size_t k = 0; k < shape.size(); ++k) {
    const int64_t m = extent(left, k), n = extent(right, k);
    if (m != n && m != 1 && n != 1) return std::nullopt;
    shape[k] = m == 1 ? n : m;
    size *= static_cast<size_t>(shape[k]);
    if (size > kMostItems) return std::nullopt;
  }
  if (size == 0) return std::nullopt;
  const auto item = [&](const Value& v, const std::vector<int64_t>& of, size_t flat) -> Value {
    if (v.kind != Kind::kArray) return v;
    size_t index = 0, stride = 1;
    for (size_t k = shape.size(); k-- > 0;) {
      const size_t at = flat % static_cast<size_t>(shape[k]);
      flat /= static_cast<size_t>(shape[k]);
      const auto own = static_cast<size_t>(extent(of, k));
      if (own != 1) index += at * stride;
      stride *= own;
    }
    return array_item(v, index);
  };
  std::vector<Value> items;
  for (size_t i = 0; i < size; ++i) {
    auto result = op(item(a, left, i), item(b, right, i));
    if (!result) return std::nullopt;
    items.push_back(std::move(*result));
  }
  return make_array(items[0].type, shape, items);
}

// a[i], a[i, j]: integers only; fewer than the rank leave a smaller array.
Result array_subscript(const Value& array, std::span<const Value> indices) {
  if (indices.empty() || indices.size() > array.shape.size()) return std::nullopt;
  size_t first = 0, count = array_size(array);
  for (size_t k = 0; k < indices.size(); ++k) {
    const auto index = to_int64(indices[k]);
    const int64_t extent = array.shape[k];
    if (!index || indices[k].kind == Kind::kBool) return std::nullopt;
    const int64_t at = *index < 0 ? *index + extent : *index;
    if (at < 0 || at >= extent) return std::nullopt;
    count /= static_cast<size_t>(extent);
    first += static_cast<size_t>(at) * count;
  }
  if (indices.size() == array.shape.size()) return array_item(array, first);
  Value result = array;
  result.shape.erase(result.shape.begin(),
                     result.shape.begin() + static_cast<std::ptrdiff_t>(indices.size()));
  result.type = types::with_rank(array.type, static_cast<int>(result.shape.size()));
  const auto item = static_cast<size_t>(types::item_size(array.type->elem));
  result.bytes = array.bytes.substr(first * item, count * item);
  return result;
}

Result reshape(const Value& array, std::vector<int64_t> shape) {
  const auto size = static_cast<int64_t>(array_size(array));
  int64_t known = 1, open = -1;
  for (size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] == -1 && open < 0) {
      open = static_cast<int64_t>(k);
    } else if (shape[k] < 0 || (shape[k] > 0 && known > size / shape[k] + 1)) {
      return std::nullopt;
    } else {
      known *= shape[k];
    }
  }
  if (open >= 0) {
    if (known == 0 || size % known != 0) return std::nullopt;
    shape[static_cast<size_t>(open)] = size / known;
    known = size;
  }
  if (known != size || shape.size() > 8) return std::nullopt;
  Value result = array;
  result.type = types::with_rank(array.type, static_cast<int>(shape.size()));
  result.shape = std::move(shape);
  return result;
}

// NumPy adds floats in pairs, as they lie in memory: eight sums side by side, of 128 elements at
// most. Arrays that fold lie in C order, one element behind the other.
template <class T>
static T pairwise_sum(std::span<const T> a) {
  if (a.size() < 8) {
    T total = a.empty() ? T(0) : a[0];
    for (size_t k = 1; k < a.size(); ++k) total += a[k];
    return total;
  }
  if (a.size() > 128) {
    const size_t half = a.size() / 2 - a.size() / 2 % 8;
    return pairwise_sum(a.first(half)) + pairwise_sum(a.subspan(half));
  }
  T r[8];
  std::copy_n(a.begin(), 8, r);
  size_t k = 8;
  for (; k + 8 <= a.size(); k += 8)
    for (size_t m = 0; m < 8; ++m) r[m] += a[k + m];
  T total = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  for (; k < a.size(); ++k) total += a[k];
  return total;
}

// The sum or mean of numbers, as a NumPy scalar of type T.
template <class T>
static Value float_total(std::string_view name, const std::vector<double>& numbers) {
  const std::vector<T> all(numbers.begin(), numbers.end());
  const T sum = pairwise_sum(std::span<const T>(all));
  Value made = make_float(name == "mean" ? sum / T(all.size()) : sum);
  made.type = sizeof(T) == 8 ? types::float64() : types::float32();
  return made;
}

// a.sum(), a.mean(), a.min(), a.max(), of integers, float32 and float64; of floats without a NaN.
Result array_reduce(std::string_view name, const Value& array) {
  const Type* elem = array.type->elem;
  const size_t n = array_size(array);
  const bool whole = elem->is_int() || elem->is_bool(), adds = name == "sum" || name == "mean";
  if (!(whole || (elem->is_float() && elem->bits >= 32)) || n == 0) return std::nullopt;
  if (!adds && name != "min" && name != "max") return std::nullopt;
  std::vector<double> numbers;
  Int128 total = 0;
  Value best = array_item(array, 0);
  for (size_t k = 0; k < n; ++k) {
    const Value item = array_item(array, k);
    const double x = to_double(item);
    if (std::isnan(x)) return std::nullopt;
    numbers.push_back(x);
    if (whole) total += item.integer;
    const bool less = whole ? item.integer < best.integer : x < to_double(best);
    const bool more = whole ? item.integer > best.integer : x > to_double(best);
    if (name == "min" ? less : more) best = item;
  }
  if (!adds) return best;
  const bool is_sum = name == "sum";
  if (whole && is_sum)
    return cast(make_int(total),
                elem->is_bool() || elem->is_signed ? types::int64() : types::uint64());
  return elem == types::float32() ? float_total<float>(name, numbers)
                                  : float_total<double>(name, numbers);
}

}  // namespace pyk2cu::fold
