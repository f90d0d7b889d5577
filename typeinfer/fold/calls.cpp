// Python's builtins and the math module on constants.
//
// In:   the function's name and folded arguments.  Out: CPython's value; nothing when CPython would
//       raise, or when its algorithm is its own (hypot, gamma, fsum).
// Tested by tests/unit/typeinfer/fold_test.cpp.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "typeinfer/builtins/registry.h"
#include "typeinfer/fold/parts.h"

namespace pyk2cu::fold {

using ast::CompareOperator;
using ast::Operator;

const Value* Arguments::get(size_t position, std::string_view name) const {
  if (position < positional.size()) return &positional[position];
  for (const auto& [key, value] : named) {
    if (!name.empty() && key == name) return &value;
  }
  return nullptr;
}

bool Arguments::only(size_t most, std::initializer_list<std::string_view> names) const {
  if (positional.size() > most) return false;
  return std::all_of(named.begin(), named.end(), [&](const auto& argument) {
    return std::find(names.begin(), names.end(), argument.first) != names.end();
  });
}

namespace {

// What raises in CPython (a NaN or infinity out of something finite) is nothing here.
Result checked(double value, double argument) {
  if (std::isnan(value) && !std::isnan(argument)) return std::nullopt;
  if (std::isinf(value) && std::isfinite(argument)) return std::nullopt;
  return make_float(value);
}

Result rounded(const Value& v, double (*how)(double)) {
  if (is_integral(v)) return make_int(v.integer);
  if (v.kind != Kind::kFloat) return std::nullopt;
  const double x = how(v.number.real());
  if (!(std::fabs(x) < 0x1p126)) return std::nullopt;
  return make_int(static_cast<Int128>(x));
}

Result gcd(const std::vector<Value>& items, bool least_multiple) {
  Int128 result = least_multiple ? 1 : 0;
  for (const Value& item : items) {
    if (!is_integral(item)) return std::nullopt;
    Int128 a = result, b = item.integer < 0 ? -item.integer : item.integer;
    while (b != 0) {
      const Int128 rest = a % b;
      a = b;
      b = rest;
    }
    if (!least_multiple) {
      result = a;
    } else {
      const Int128 size = item.integer < 0 ? -item.integer : item.integer;
      if (a == 0 || size == 0) return make_int(0);
      if (__builtin_mul_overflow(result / a, size, &result)) return std::nullopt;
    }
  }
  return make_int(result);
}

// n! / (n - k)!, divided by k! when `choose`.
Result falling(Int128 n, Int128 k, bool choose) {
  if (n < 0 || k < 0) return std::nullopt;
  if (k > n) return make_int(0);
  if (choose && k > n - k) k = n - k;
  if (k > 200) return std::nullopt;
  Int128 result = 1;
  for (Int128 i = 0; i < k; ++i) {
    if (__builtin_mul_overflow(result, n - i, &result)) return std::nullopt;
    if (choose) result /= i + 1;
  }
  return make_int(result);
}

Result integer_math(std::string_view name, const std::vector<Value>& args) {
  if (name == "gcd" || name == "lcm") return gcd(args, name == "lcm");
  for (const Value& arg : args) {
    if (!is_integral(arg)) return std::nullopt;
  }
  if (name == "factorial" && args.size() == 1) {
    return falling(args[0].integer, args[0].integer, false);
  }
  if (name == "comb" && args.size() == 2) return falling(args[0].integer, args[1].integer, true);
  if (name == "perm" && args.size() == 2) return falling(args[0].integer, args[1].integer, false);
  if (name == "isqrt" && args.size() == 1 && args[0].integer >= 0) {
    auto root = static_cast<Int128>(std::sqrt(static_cast<long double>(args[0].integer)));
    while (root * root > args[0].integer) --root;
    while ((root + 1) * (root + 1) <= args[0].integer) ++root;
    return make_int(root);
  }
  return std::nullopt;
}

Result logarithm(const std::vector<Value>& args) {
  const auto log = [](const Value& v) -> Result {
    const double x = to_double(v);
    if (x <= 0) return std::nullopt;
    return make_float(std::log(x));
  };
  const auto top = log(args[0]);
  if (!top || args.size() == 1) return top;
  const auto base = log(args[1]);
  return base ? python_binary(Operator::kDiv, *top, *base) : Result();
}

Result math2(std::string_view name, const Value& a, const Value& b) {
  const double x = to_double(a), y = to_double(b);
  if (name == "atan2") return make_float(std::atan2(x, y));
  if (name == "copysign") return make_float(std::copysign(x, y));
  if (name == "fmod" || name == "remainder") {
    const double r = name == "fmod" ? std::fmod(x, y) : std::remainder(x, y);
    if (std::isnan(r) && !std::isnan(x) && !std::isnan(y)) return std::nullopt;
    return make_float(r);
  }
  if (name == "pow") {
    const double r = std::pow(x, y);
    const bool finite = std::isfinite(x) && std::isfinite(y);
    if (!std::isfinite(r) && finite) return std::nullopt;
    return make_float(r);
  }
  if (name == "ldexp" && is_integral(b)) {
    const auto by = static_cast<int>(std::clamp<Int128>(b.integer, -5000, 5000));
    return checked(std::ldexp(x, by), x);
  }
  if (name == "nextafter") return make_float(std::nextafter(x, y));
  return std::nullopt;
}

}  // namespace

Result call_math(std::string_view name, const Arguments& arguments) {
  const auto& args = arguments.positional;
  if (!arguments.named.empty()) return std::nullopt;
  for (std::string_view known : {"gcd", "lcm", "factorial", "comb", "perm", "isqrt"}) {
    if (name == known) return integer_math(name, args);
  }
  if (args.empty() || !std::all_of(args.begin(), args.end(), is_real)) return std::nullopt;
  if (name == "log" && args.size() <= 2) return logarithm(args);
  if (args.size() == 2) return math2(name, args[0], args[1]);
  if (args.size() != 1) return std::nullopt;
  if (name == "floor") return rounded(args[0], std::floor);
  if (name == "ceil") return rounded(args[0], std::ceil);
  if (name == "trunc") return rounded(args[0], std::trunc);
  const double x = to_double(args[0]);
  if (name == "degrees") return make_float(x * (180.0 / M_PI));
  if (name == "radians") return make_float(x * (M_PI / 180.0));
  if (name == "isnan") return make_bool(std::isnan(x));
  if (name == "isinf") return make_bool(std::isinf(x));
  if (name == "isfinite") return make_bool(std::isfinite(x));
  if (name == "modf" && std::isfinite(x)) {
    double whole = 0;
    const double part = std::modf(x, &whole);
    return make_tuple({make_float(part), make_float(whole)});
  }
  const builtins::Row* row = builtins::find("math." + std::string(name));
  return row && row->folds.function ? checked(row->folds.function(x), x) : Result();
}

namespace {

Result extreme(const Arguments& args, CompareOperator better) {
  if (!args.named.empty() || args.positional.empty()) return std::nullopt;
  const bool one = args.positional.size() == 1;
  if (one && args.positional[0].kind != Kind::kTuple) return std::nullopt;
  const auto& items = one ? args.positional[0].items : args.positional;
  if (items.empty()) return std::nullopt;
  const Value* best = &items[0];
  for (const Value& item : items) {
    const auto wins = compare(better, item, *best);
    if (!wins) return std::nullopt;
    if (*wins) best = &item;
  }
  return *best;
}

// sum(): integers exactly, floats with CPython's compensation (3.12 and newer).
Result sum(const Arguments& args) {
  const Value* items = args.get(0, "");
  if (!items || items->kind != Kind::kTuple || !args.only(2, {"start"})) return std::nullopt;
  const Value* start = args.get(1, "start");
  Value total = start ? *start : make_int(0);
  size_t i = 0;
  const auto& all = items->items;
  const auto plain = [](const Value& v) { return v.type == nullptr; };
  if (!plain(total) || !std::all_of(all.begin(), all.end(), plain)) return std::nullopt;
  for (; i < all.size() && total.kind != Kind::kFloat; ++i) {
    auto next = binary(Operator::kAdd, total, all[i]);
    if (!next) return std::nullopt;
    total = std::move(*next);
  }
  if (total.kind != Kind::kFloat) return total;
  double high = total.number.real(), low = 0;
  for (; i < all.size(); ++i) {
    if (!is_real(all[i])) return std::nullopt;
    const double x = to_double(all[i]);
    if (is_integral(all[i])) {
      high += x;
      continue;
    }
    const double t = high + x;
    low += std::fabs(high) >= std::fabs(x) ? (high - t) + x : (x - t) + high;
    high = t;
  }
  return make_float(low != 0 && std::isfinite(low) ? high + low : high);
}

Result absolute(const Value& v) {
  if (v.kind == Kind::kArray) return array_unary(v, absolute);
  if (v.kind == Kind::kBool) return v.type ? Result(v) : make_int(v.integer);
  if (v.kind == Kind::kInt) return v.integer < 0 ? unary(ast::UnaryOperator::kUSub, v) : Result(v);
  if (v.kind == Kind::kFloat) {
    Value result = v;
    result.number = std::fabs(v.number.real());
    return result;
  }
  if (v.kind != Kind::kComplex || v.type) return std::nullopt;
  const double size = std::hypot(v.number.real(), v.number.imag());
  if (std::isinf(size)) return std::nullopt;
  return make_float(size);
}

// A finite x >= 0, exactly, to a multiple of 10**-n, ties to even, and from there to a double.
double round_decimal(double x, int64_t n) {
  char text[1400];  // the longest has 309 digits before the point; 1074 behind it say all
  std::snprintf(text, sizeof text, "%.1074f", x);
  std::string digits = text;
  const size_t point = digits.find('.');
  digits.erase(point, 1);
  if (n < -int64_t(point)) return 0.0;
  if (n > 1074) return x;
  const size_t kept = size_t(int64_t(point) + n);
  const std::string rest = digits.substr(kept);
  digits.resize(kept);
  const bool odd = kept > 0 && (digits[kept - 1] - '0') % 2 != 0;
  const bool half = !rest.empty() && rest[0] == '5' && rest.find_first_not_of('0', 1) == rest.npos;
  if (!rest.empty() && (half ? odd : rest[0] >= '5')) {
    size_t at = kept;
    while (at > 0 && digits[at - 1] == '9') digits[--at] = '0';
    if (at > 0) ++digits[at - 1];
    if (at == 0) digits.insert(0, 1, '1');
  }
  return std::strtod((digits.empty() ? "0" : digits + "e" + std::to_string(-n)).c_str(), nullptr);
}

// Like it, of an integer.
Result round_integer(Int128 x, int64_t n) {
  if (n >= 0) return make_int(x);
  Int128 unit = 1;
  for (int64_t k = n; k < 0; ++k)
    if (__builtin_mul_overflow(unit, Int128(10), &unit)) return std::nullopt;
  Int128 low = x / unit * unit;
  if (low > x) low -= unit;
  const Int128 rest = x - low, other = unit - rest;
  const bool up = rest > other || (rest == other && low / unit % 2 != 0);
  return make_int(up ? low + unit : low);
}

// round(x): ties to even; round(x, n): CPython's value.
Result round_value(const Value& v, const Value* digits) {
  if (v.type) return std::nullopt;
  if (!digits || digits->kind == Kind::kNone) return rounded(v, std::nearbyint);
  const auto n = to_int64(*digits);
  if (!n) return std::nullopt;
  if (is_integral(v)) return round_integer(v.integer, *n);
  if (v.kind != Kind::kFloat) return std::nullopt;
  const double x = v.number.real();
  if (!std::isfinite(x)) return v;
  const double result = round_decimal(std::fabs(x), *n);
  if (std::isinf(result)) return std::nullopt;  // CPython raises OverflowError
  return make_float(std::copysign(result, x));
}

Result integer_from_text(std::string_view text, int base) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.size() > 2 && text[0] == '0') {
    const char letter = static_cast<char>(text[1] | 0x20);
    const int meant = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
    if (meant != 0 && (base == meant || base == 0)) {
      base = meant;
      text.remove_prefix(2);
    }
  }
  if (base == 0 && text.size() > 1 && text[0] == '0') return std::nullopt;
  if (base == 0) base = 10;
  if (text.empty() || base < 2 || base > 36) return std::nullopt;
  Int128 value = 0;
  for (char c : text) {
    const int digit = c >= '0' && c <= '9'                     ? c - '0'
                      : (c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? (c | 0x20) - 'a' + 10
                                                               : 99;
    if (digit >= base || __builtin_mul_overflow(value, Int128(base), &value) ||
        __builtin_add_overflow(value, Int128(digit), &value)) {
      return std::nullopt;
    }
  }
  return make_int(negative ? -value : value);
}

Result to_integer(const Arguments& args) {
  const Value* v = args.get(0, "");
  const Value* base = args.get(1, "base");
  if (!args.only(2, {"base"})) return std::nullopt;
  if (!v) return make_int(0);
  if (v->kind == Kind::kStr) {
    const auto number = base ? to_int64(*base) : std::optional<int64_t>(10);
    return number ? integer_from_text(v->text, static_cast<int>(*number)) : Result();
  }
  return base ? Result() : rounded(*v, std::trunc);
}

Result float_from_text(const std::string& text) {
  for (char c : text) {
    if ((c < '0' || c > '9') && std::string_view("+-.eE").find(c) == std::string_view::npos) {
      std::string lower;
      for (char l : text) lower += static_cast<char>(l | 0x20);
      const bool negative = text[0] == '-';
      const std::string bare = lower[0] == ('+' | 0x20) || negative ? lower.substr(1) : lower;
      if (bare == "inf" || bare == "infinity") return make_float(negative ? -INFINITY : INFINITY);
      if (bare == "nan") return make_float(std::nan(""));
      return std::nullopt;
    }
  }
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end ? Result() : make_float(value);
}

Result to_number(std::string_view name, const Arguments& args) {
  if (!args.named.empty()) return std::nullopt;
  const auto& p = args.positional;
  if (name == "float") {
    if (p.empty()) return make_float(0.0);
    if (p.size() != 1) return std::nullopt;
    if (p[0].kind == Kind::kStr) return float_from_text(p[0].text);
    return is_real(p[0]) ? make_float(to_double(p[0])) : Result();
  }
  if (p.size() > 2 || !std::all_of(p.begin(), p.end(), is_number)) return std::nullopt;
  if (p.empty()) return make_complex(0.0);
  const Complex a = to_complex(p[0]);
  if (p.size() == 1) return make_complex(a);
  const Complex b = to_complex(p[1]);
  const double imag = p[0].kind == Kind::kComplex ? a.imag() + b.real() : b.real();
  return make_complex({p[1].kind == Kind::kComplex ? a.real() - b.imag() : a.real(), imag});
}

Result range_items(const Arguments& args) {
  const auto& p = args.positional;
  if (!args.named.empty() || p.empty() || p.size() > 3) return std::nullopt;
  int64_t bounds[3] = {0, 0, 1};
  for (size_t i = 0; i < p.size(); ++i) {
    const auto value = to_int64(p[i]);
    if (!value) return std::nullopt;
    bounds[p.size() == 1 ? 1 : i] = *value;
  }
  const auto [start, stop, step] = bounds;
  if (step == 0) return std::nullopt;
  std::vector<Value> items;
  for (Int128 i = start; step > 0 ? i < stop : i > stop; i += step) {
    if (items.size() >= kMostItems / 16) return std::nullopt;
    items.push_back(make_int(i));
  }
  return make_tuple(std::move(items));
}

// sorted(items): of numbers, or of texts; all are compared with one.
Result sorted(const Arguments& args) {
  if (!args.named.empty() || args.positional.size() != 1 || args.positional[0].kind != Kind::kTuple)
    return std::nullopt;
  std::vector<Value> items = args.positional[0].items;
  bool known = true;
  for (const Value& item : items)
    known = known && !std::isnan(item.number.real()) &&
            compare(CompareOperator::kLt, items.front(), item);
  if (!known) return std::nullopt;  // no numbers, or no order
  std::ranges::stable_sort(items, [](const Value& a, const Value& b) {
    return compare(CompareOperator::kLt, a, b).value_or(false);
  });
  return make_tuple(std::move(items));
}

Result length(const Value& v) {
  switch (v.kind) {
    case Kind::kTuple:
      return make_int(static_cast<Int128>(v.items.size()));
    case Kind::kStr: {
      Int128 count = 0;
      for (char c : v.text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
      return make_int(count);
    }
    case Kind::kDict:
      return make_int(static_cast<Int128>(v.items.size() / 2));
    case Kind::kArray:
      return v.shape.empty() ? Result() : make_int(v.shape[0]);
    default:
      return std::nullopt;
  }
}

Result any_all(const Value& v, bool any) {
  if (v.kind != Kind::kTuple) return std::nullopt;
  for (const Value& item : v.items) {
    const auto known = truth(item);
    if (!known) return std::nullopt;
    if (*known == any) return make_bool(any);
  }
  return make_bool(!any);
}

// chr(65), as UTF-8
Result character(const Value& v) {
  const auto code = is_integral(v) ? to_int64(v) : std::nullopt;
  if (!code || *code < 0 || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
    return std::nullopt;
  const auto n = static_cast<uint32_t>(*code);
  std::string text;
  const auto rest = [&](int shift) { text += static_cast<char>(0x80 | ((n >> shift) & 0x3f)); };
  if (n < 0x80) {
    text += static_cast<char>(n);
  } else if (n < 0x800) {
    text += static_cast<char>(0xc0 | (n >> 6));
  } else if (n < 0x10000) {
    text += static_cast<char>(0xe0 | (n >> 12));
    rest(6);
  } else {
    text += static_cast<char>(0xf0 | (n >> 18));
    rest(12);
    rest(6);
  }
  if (n >= 0x80) rest(0);
  return make_str(std::move(text));
}

// dict(cache=True), dict(options, cache=True)
Result make_dict(const Arguments& args) {
  const auto& p = args.positional;
  if (p.size() > 1 || (p.size() == 1 && p[0].kind != Kind::kDict)) return std::nullopt;
  Value made = p.empty() ? Value{.kind = Kind::kDict} : p[0];
  for (const auto& [name, value] : args.named) {
    const Value key = make_str(std::string(name));
    size_t at = 0;
    while (at < made.items.size() && compare(CompareOperator::kEq, made.items[at], key) != true)
      at += 2;
    if (at == made.items.size()) made.items.insert(made.items.end(), {key, value});
    made.items[at + 1] = value;
  }
  return is_small(made) ? Result(made) : std::nullopt;
}

}  // namespace

Result call_builtin(std::string_view name, const Arguments& args) {
  const auto& p = args.positional;
  if (name == "min") return extreme(args, CompareOperator::kLt);
  if (name == "max") return extreme(args, CompareOperator::kGt);
  if (name == "sum") return sum(args);
  if (name == "range") return range_items(args);
  if (name == "sorted") return sorted(args);
  if (name == "int") return to_integer(args);
  if (name == "float" || name == "complex") return to_number(name, args);
  if (name == "round" && !p.empty() && args.only(2, {"ndigits"})) {
    return round_value(p[0], args.get(1, "ndigits"));
  }
  if (name == "dict") return make_dict(args);
  if (!args.named.empty()) return std::nullopt;
  if (name == "bool") {
    if (p.empty()) return make_bool(false);
    const auto known = p.size() == 1 ? truth(p[0]) : std::nullopt;
    return known ? make_bool(*known) : Result();
  }
  if (p.size() == 2) {
    if (name == "pow") return binary(Operator::kPow, p[0], p[1]);
    if (name != "divmod") return std::nullopt;
    auto quotient = binary(Operator::kFloorDiv, p[0], p[1]);
    auto rest = binary(Operator::kMod, p[0], p[1]);
    if (!quotient || !rest) return std::nullopt;
    return make_tuple({std::move(*quotient), std::move(*rest)});
  }
  if (name == "tuple" && p.empty()) return make_tuple({});
  if (p.size() != 1) return std::nullopt;
  if (name == "len") return length(p[0]);
  const bool is_digits = name == "bin" || name == "hex" || name == "oct";
  if (is_digits) return is_integral(p[0]) && !p[0].type ? digits(p[0].integer, name) : Result();
  if (name == "callable")
    return make_bool(p[0].kind == Kind::kFunction || p[0].kind == Kind::kType);
  if (name == "abs") return absolute(p[0]);
  if (name == "any" || name == "all") return any_all(p[0], name == "any");
  if (name == "str" && p[0].kind == Kind::kStr) return p[0];
  if (name == "tuple" && p[0].kind == Kind::kTuple) return p[0];
  if (name == "chr") return character(p[0]);
  if (name == "ord" && p[0].kind == Kind::kStr && p[0].text.size() == 1 && p[0].text[0] > 0) {
    return make_int(p[0].text[0]);
  }
  return std::nullopt;
}

}  // namespace pyk2cu::fold
