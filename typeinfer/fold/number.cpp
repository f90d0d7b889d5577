// Python's numbers, strings and tuples under operators, with CPython 3.13's exact results.
//
// In:   Values.  Out: a Value, or nothing when CPython would raise or leave 128 bits.
// Tested by tests/unit/typeinfer/fold_test.cpp.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "typeinfer/fold/parts.h"

namespace pyk2cu::fold {

using ast::CompareOperator;
using ast::Operator;
using ast::UnaryOperator;

Value make_none() { return {}; }

Value make_bool(bool value) {
  Value v;
  v.kind = Kind::kBool;
  v.integer = value;
  return v;
}

Value make_int(Int128 value) {
  Value v;
  v.kind = Kind::kInt;
  v.integer = value;
  return v;
}

Value make_float(double value) {
  Value v;
  v.kind = Kind::kFloat;
  v.number = value;
  return v;
}

Value make_complex(Complex value) {
  Value v;
  v.kind = Kind::kComplex;
  v.number = value;
  return v;
}

Value make_str(std::string text) {
  Value v;
  v.kind = Kind::kStr;
  v.text = std::move(text);
  return v;
}

Value make_tuple(std::vector<Value> items) {
  Value v;
  v.kind = Kind::kTuple;
  v.items = std::move(items);
  return v;
}

bool Budget::take(const Value& value) {
  const size_t size = 1 + (value.text.size() + value.bytes.size()) / sizeof(Value);
  if (size > left_) return false;
  left_ -= size;
  return std::all_of(value.items.begin(), value.items.end(),
                     [&](const Value& item) { return take(item); });
}

bool is_small(const Value& value) { return Budget().take(value); }

Value make_type(const types::Type* type) {
  Value v;
  v.kind = Kind::kType;
  v.type = type;
  return v;
}

bool is_integral(const Value& v) { return v.kind == Kind::kBool || v.kind == Kind::kInt; }
bool is_real(const Value& v) { return is_integral(v) || v.kind == Kind::kFloat; }
bool is_number(const Value& v) { return is_real(v) || v.kind == Kind::kComplex; }
bool is_numpy_scalar(const Value& v) { return is_number(v) && v.type != nullptr; }

double to_double(const Value& v) {
  return is_integral(v) ? static_cast<double>(v.integer) : v.number.real();
}

Complex to_complex(const Value& v) {
  return v.kind == Kind::kComplex ? v.number : Complex(to_double(v), 0.0);
}

std::optional<int64_t> to_int64(const Value& v) {
  if (!is_integral(v) || v.integer != static_cast<int64_t>(v.integer)) return std::nullopt;
  return static_cast<int64_t>(v.integer);
}

std::optional<bool> truth(const Value& v) {
  switch (v.kind) {
    case Kind::kNone:
      return false;
    case Kind::kBool:
    case Kind::kInt:
      return v.integer != 0;
    case Kind::kFloat:
    case Kind::kComplex:
      return v.number != 0.0;
    case Kind::kStr:
      return !v.text.empty();
    case Kind::kTuple:
      return !v.items.empty();
    case Kind::kArray:
      if (array_size(v) == 1) return truth(array_item(v, 0));
      return std::nullopt;
    case Kind::kDict:
      return !v.items.empty();
    case Kind::kType:
    case Kind::kEllipsis:
    case Kind::kFunction:
      return true;
    case Kind::kOpaque:
      return std::nullopt;
  }
  return std::nullopt;
}

namespace {

using Unsigned = unsigned __int128;

// a / b rounded once, for integers beyond 2**53: 64 bits of quotient, the last one sticky.
Result true_divide(Int128 a, Int128 b) {
  if (b == 0) return std::nullopt;
  constexpr Int128 kExact = Int128(1) << 53;
  if (a >= -kExact && a <= kExact && b >= -kExact && b <= kExact) {
    return make_float(static_cast<double>(a) / static_cast<double>(b));
  }
  const bool negative = (a < 0) != (b < 0);
  const Unsigned n = a < 0 ? -static_cast<Unsigned>(a) : static_cast<Unsigned>(a);
  const Unsigned d = b < 0 ? -static_cast<Unsigned>(b) : static_cast<Unsigned>(b);
  Unsigned quotient = n / d, rest = n % d;
  int exponent = 0;
  while (quotient < (Unsigned(1) << 62) && (rest != 0 || quotient != 0) && exponent > -400) {
    // one more bit; `rest` stays below d, which is below 2**127
    rest <<= 1;
    quotient <<= 1;
    if (rest >= d) {
      rest -= d;
      quotient |= 1;
    }
    --exponent;
  }
  if (rest != 0) quotient |= 1;
  const double value = std::ldexp(static_cast<double>(quotient), exponent);
  return make_float(negative ? -value : value);
}

Result integer_power(Int128 base, Int128 exponent) {
  if (exponent < 0) {
    if (base == 0) return std::nullopt;
    return python_binary(Operator::kPow, make_float(static_cast<double>(base)),
                         make_float(static_cast<double>(exponent)));
  }
  Int128 result = 1;
  while (true) {
    if ((exponent & 1) && __builtin_mul_overflow(result, base, &result)) return std::nullopt;
    exponent >>= 1;
    if (exponent == 0) return make_int(result);
    if (__builtin_mul_overflow(base, base, &base)) {
      return std::nullopt;
    }
  }
}

Result shift(Operator op, Int128 a, Int128 count) {
  if (count < 0) return std::nullopt;
  if (op == Operator::kRShift) {
    const int by = count > 127 ? 127 : static_cast<int>(count);
    return make_int(a >> by);
  }
  if (a == 0) return make_int(0);
  if (count > 126) return std::nullopt;
  const Int128 shifted = static_cast<Int128>(static_cast<Unsigned>(a) << static_cast<int>(count));
  if (shifted >> static_cast<int>(count) != a) return std::nullopt;
  return make_int(shifted);
}

Result integer_binary(Operator op, Int128 a, Int128 b) {
  Int128 r = 0;
  switch (op) {
    case Operator::kAdd:
      return __builtin_add_overflow(a, b, &r) ? Result() : make_int(r);
    case Operator::kSub:
      return __builtin_sub_overflow(a, b, &r) ? Result() : make_int(r);
    case Operator::kMult:
      return __builtin_mul_overflow(a, b, &r) ? Result() : make_int(r);
    case Operator::kDiv:
      return true_divide(a, b);
    case Operator::kFloorDiv:
    case Operator::kMod: {
      constexpr Int128 kLeast = Int128(1) << 126;
      if (b == 0 || (b == -1 && a <= -kLeast)) return std::nullopt;
      const Int128 rest = a % b;
      const bool adjust = rest != 0 && (rest < 0) != (b < 0);
      if (op == Operator::kMod) return make_int(adjust ? rest + b : rest);
      return make_int(adjust ? a / b - 1 : a / b);
    }
    case Operator::kPow:
      return integer_power(a, b);
    case Operator::kLShift:
    case Operator::kRShift:
      return shift(op, a, b);
    case Operator::kBitAnd:
      return make_int(a & b);
    case Operator::kBitOr:
      return make_int(a | b);
    case Operator::kBitXor:
      return make_int(a ^ b);
    case Operator::kMatMult:
      return std::nullopt;
  }
  return std::nullopt;
}

// float_floor_div and float_rem of CPython.
void float_divmod(double a, double b, double& quotient, double& rest) {
  rest = std::fmod(a, b);
  double div = (a - rest) / b;
  if (rest != 0) {
    if ((b < 0) != (rest < 0)) {
      rest += b;
      div -= 1.0;
    }
  } else {
    rest = std::copysign(0.0, b);
  }
  if (div != 0) {
    quotient = std::floor(div);
    if (div - quotient > 0.5) quotient += 1.0;
  } else {
    quotient = std::copysign(0.0, a / b);
  }
}

Result complex_binary(Operator op, Complex a, Complex b);

Result float_power(double a, double b) {
  if (b == 0) return make_float(1.0);
  if (a == 0 && b < 0) return std::nullopt;
  if (a < 0 && std::isfinite(a) && std::isfinite(b) && b != std::floor(b)) {
    return complex_binary(Operator::kPow, a, b);
  }
  const double value = std::pow(a, b);
  if (std::isinf(value) && std::isfinite(a) && std::isfinite(b)) return std::nullopt;
  return make_float(value);
}

Result float_binary(Operator op, double a, double b) {
  switch (op) {
    case Operator::kAdd:
      return make_float(a + b);
    case Operator::kSub:
      return make_float(a - b);
    case Operator::kMult:
      return make_float(a * b);
    case Operator::kDiv:
      return b == 0 ? Result() : make_float(a / b);
    case Operator::kFloorDiv:
    case Operator::kMod: {
      if (b == 0) return std::nullopt;
      double quotient = 0, rest = 0;
      float_divmod(a, b, quotient, rest);
      return make_float(op == Operator::kMod ? rest : quotient);
    }
    case Operator::kPow:
      return float_power(a, b);
    default:
      return std::nullopt;
  }
}

Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// _Py_c_quot
Complex quotient(Complex a, Complex b) {
  if (std::fabs(b.real()) >= std::fabs(b.imag())) {
    const double ratio = b.imag() / b.real(), denominator = b.real() + b.imag() * ratio;
    return {(a.real() + a.imag() * ratio) / denominator,
            (a.imag() - a.real() * ratio) / denominator};
  }
  if (std::fabs(b.imag()) >= std::fabs(b.real())) {
    const double ratio = b.real() / b.imag(), denominator = b.real() * ratio + b.imag();
    return {(a.real() * ratio + a.imag()) / denominator,
            (a.imag() * ratio - a.real()) / denominator};
  }
  return {std::nan(""), std::nan("")};
}

// complex_pow: repeated squaring for small integers, else polar.
Result complex_power(Complex a, Complex b) {
  Complex r;
  if (b.imag() == 0.0 && b.real() == std::floor(b.real()) && std::fabs(b.real()) <= 100.0) {
    const long n = static_cast<long>(b.real());
    const unsigned long count = n < 0 ? -n : n;
    Complex power = a;
    r = {1.0, 0.0};
    for (unsigned long mask = 1; mask <= count; mask <<= 1) {
      if (count & mask) r = product(r, power);
      power = product(power, power);
    }
    if (n <= 0) {
      if (r == Complex(0.0, 0.0)) return std::nullopt;
      r = quotient({1.0, 0.0}, r);
    }
  } else if (b == Complex(0.0, 0.0)) {
    r = {1.0, 0.0};
  } else if (a == Complex(0.0, 0.0)) {
    if (b.imag() != 0.0 || b.real() < 0.0) return std::nullopt;
    r = {0.0, 0.0};
  } else {
    const double size = std::hypot(a.real(), a.imag());
    double length = std::pow(size, b.real());
    const double angle = std::atan2(a.imag(), a.real());
    double phase = angle * b.real();
    if (b.imag() != 0.0) {
      length *= std::exp(-angle * b.imag());
      phase += b.imag() * std::log(size);
    }
    r = {length * std::cos(phase), length * std::sin(phase)};
  }
  if (std::isinf(r.real()) || std::isinf(r.imag())) return std::nullopt;
  return make_complex(r);
}

Result complex_binary(Operator op, Complex a, Complex b) {
  switch (op) {
    case Operator::kAdd:
      return make_complex({a.real() + b.real(), a.imag() + b.imag()});
    case Operator::kSub:
      return make_complex({a.real() - b.real(), a.imag() - b.imag()});
    case Operator::kMult:
      return make_complex(product(a, b));
    case Operator::kDiv:
      if (b == Complex(0.0, 0.0)) return std::nullopt;
      return make_complex(quotient(a, b));
    case Operator::kPow:
      return complex_power(a, b);
    default:
      return std::nullopt;
  }
}

Result repeat(const Value& sequence, const Value& count) {
  const auto n = to_int64(count);
  if (!n) return std::nullopt;
  const size_t times = *n < 0 ? 0 : static_cast<size_t>(*n);
  const size_t size = sequence.kind == Kind::kStr ? sequence.text.size() : sequence.items.size();
  if (size != 0 && times > kMostItems / size) return std::nullopt;
  Value result = sequence.kind == Kind::kStr ? make_str("") : make_tuple({});
  Budget budget;
  for (size_t i = 0; i < times && size != 0; ++i) {
    if (sequence.kind == Kind::kTuple && !budget.take(sequence)) return std::nullopt;
    result.text += sequence.text;
    result.items.insert(result.items.end(), sequence.items.begin(), sequence.items.end());
  }
  return result;
}

}  // namespace

Result python_binary(Operator op, const Value& a, const Value& b) {
  if (a.kind == Kind::kComplex || b.kind == Kind::kComplex) {
    return complex_binary(op, to_complex(a), to_complex(b));
  }
  if (a.kind == Kind::kFloat || b.kind == Kind::kFloat) {
    return float_binary(op, to_double(a), to_double(b));
  }
  const bool bits = op == Operator::kBitAnd || op == Operator::kBitOr || op == Operator::kBitXor;
  auto result = integer_binary(op, a.integer, b.integer);
  if (result && bits && a.kind == Kind::kBool && b.kind == Kind::kBool) result->kind = Kind::kBool;
  return result;
}

Result binary(Operator op, const Value& a, const Value& b) {
  if (a.kind == Kind::kArray || b.kind == Kind::kArray) {
    if (op == Operator::kMatMult) return matrix_product(a, b);
    return array_binary(a, b,
                        [op](const Value& x, const Value& y) { return numpy_binary(op, x, y); });
  }
  if (is_number(a) && is_number(b)) {
    return a.type || b.type ? numpy_binary(op, a, b) : python_binary(op, a, b);
  }
  const bool sequence = a.kind == Kind::kStr || a.kind == Kind::kTuple;
  if (op == Operator::kAdd && sequence && a.kind == b.kind) {
    Value result = a;
    result.text += b.text;
    result.items.insert(result.items.end(), b.items.begin(), b.items.end());
    if (result.text.size() > kMostItems || !is_small(result)) return std::nullopt;
    return result;
  }
  if (op == Operator::kMult && sequence && is_integral(b)) return repeat(a, b);
  const bool other = b.kind == Kind::kStr || b.kind == Kind::kTuple;
  if (op == Operator::kMult && other && is_integral(a)) return repeat(b, a);
  return std::nullopt;
}

Result unary(UnaryOperator op, const Value& v) {
  if (op == UnaryOperator::kNot) {
    const auto known = truth(v);
    return known ? make_bool(!*known) : Result();
  }
  if (v.kind == Kind::kArray) {
    return array_unary(v, [op](const Value& x) { return unary(op, x); });
  }
  if (!is_number(v)) return std::nullopt;
  if (v.type) {  // a NumPy scalar keeps its dtype
    if (v.kind == Kind::kBool) {
      if (op != UnaryOperator::kInvert) return std::nullopt;
      return cast(make_bool(v.integer == 0), v.type);
    }
    Value plain = v;
    plain.type = nullptr;
    const auto result = unary(op, plain);
    return result ? cast(*result, v.type) : Result();
  }
  switch (op) {
    case UnaryOperator::kUAdd:
      if (is_integral(v)) return make_int(v.integer);
      return v;
    case UnaryOperator::kUSub:
      if (is_integral(v)) return integer_binary(Operator::kSub, 0, v.integer);
      if (v.kind == Kind::kFloat) return make_float(-v.number.real());
      return make_complex({-v.number.real(), -v.number.imag()});
    case UnaryOperator::kInvert:
      return is_integral(v) ? make_int(~v.integer) : Result();
    case UnaryOperator::kNot:
      break;
  }
  return std::nullopt;
}

}  // namespace pyk2cu::fold
