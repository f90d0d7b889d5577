// Comparisons of constants: exact between int and float, element by element for tuples.
//
// In:   two Values.  Out: what CPython or NumPy answers; nothing when they would raise.
// Tested by tests/unit/typeinfer/fold_test.cpp.
#include <cmath>

#include "typeinfer/fold/parts.h"

namespace pyk2cu::fold {

using ast::CompareOperator;

namespace {

// -1, 0, 1; nothing when a NaN is involved.
std::optional<int> order(Int128 a, double b) {
  if (std::isnan(b)) return std::nullopt;
  if (b >= 0x1p127) return -1;
  if (b < -0x1p127) return 1;
  const double whole = std::floor(b);
  const auto integer = static_cast<Int128>(whole);
  if (a != integer) return a < integer ? -1 : 1;
  return whole < b ? -1 : 0;
}

std::optional<int> order(const Value& a, const Value& b) {
  const bool a_float = a.kind == Kind::kFloat, b_float = b.kind == Kind::kFloat;
  if (a_float && b_float) {
    const double x = a.number.real(), y = b.number.real();
    if (std::isnan(x) || std::isnan(y)) return std::nullopt;
    return x < y ? -1 : x > y ? 1 : 0;
  }
  if (b_float) return order(a.integer, b.number.real());
  if (a_float) {
    const auto swapped = order(b.integer, a.number.real());
    return swapped ? std::optional<int>(-*swapped) : std::nullopt;
  }
  return a.integer < b.integer ? -1 : a.integer > b.integer ? 1 : 0;
}

bool holds(CompareOperator op, std::optional<int> sign) {
  if (!sign) return op == CompareOperator::kNotEq;
  switch (op) {
    case CompareOperator::kEq:
      return *sign == 0;
    case CompareOperator::kNotEq:
      return *sign != 0;
    case CompareOperator::kLt:
      return *sign < 0;
    case CompareOperator::kLtE:
      return *sign <= 0;
    case CompareOperator::kGt:
      return *sign > 0;
    case CompareOperator::kGtE:
      return *sign >= 0;
    default:
      return false;
  }
}

bool is_equality(CompareOperator op) {
  return op == CompareOperator::kEq || op == CompareOperator::kNotEq;
}

std::optional<bool> compare_complex(CompareOperator op, const Value& a, const Value& b) {
  if (!is_equality(op)) return std::nullopt;
  const auto equal = [](const Value& complex, const Value& other) {
    if (other.kind == Kind::kComplex) return complex.number == other.number;
    return complex.number.imag() == 0.0 &&
           order(make_float(complex.number.real()), other) == std::optional<int>(0);
  };
  const bool same = a.kind == Kind::kComplex ? equal(a, b) : equal(b, a);
  return same == (op == CompareOperator::kEq);
}

std::optional<bool> compare_tuples(CompareOperator op, const Value& a, const Value& b) {
  const size_t common = std::min(a.items.size(), b.items.size());
  for (size_t i = 0; i < common; ++i) {
    const auto equal = compare(CompareOperator::kEq, a.items[i], b.items[i]);
    if (!equal) return std::nullopt;
    if (*equal) continue;
    if (is_equality(op)) return op == CompareOperator::kNotEq;
    return compare(op, a.items[i], b.items[i]);
  }
  const int sign = a.items.size() < b.items.size() ? -1 : a.items.size() > b.items.size() ? 1 : 0;
  return holds(op, sign);
}

std::optional<bool> identical(const Value& a, const Value& b) {
  const auto is_singleton = [](const Value& v) {
    return (v.kind == Kind::kNone || v.kind == Kind::kBool || v.kind == Kind::kEllipsis) && !v.type;
  };
  if (!is_singleton(a) && !is_singleton(b)) return std::nullopt;
  return a.kind == b.kind && a.type == b.type && a.integer == b.integer;
}

std::optional<bool> contains(const Value& item, const Value& container) {
  if (container.kind == Kind::kStr && item.kind == Kind::kStr) {
    return container.text.find(item.text) != std::string::npos;
  }
  if (container.kind != Kind::kTuple && container.kind != Kind::kDict) return std::nullopt;
  const size_t step = container.kind == Kind::kDict ? 2 : 1;
  for (size_t i = 0; i < container.items.size(); i += step) {
    const auto equal = compare(CompareOperator::kEq, item, container.items[i]);
    if (!equal) return std::nullopt;
    if (*equal) return true;
  }
  return false;
}

}  // namespace

std::optional<bool> compare(CompareOperator op, const Value& a, const Value& b) {
  switch (op) {
    case CompareOperator::kIs:
      return identical(a, b);
    case CompareOperator::kIsNot: {
      const auto same = identical(a, b);
      return same ? std::optional<bool>(!*same) : std::nullopt;
    }
    case CompareOperator::kIn:
      return contains(a, b);
    case CompareOperator::kNotIn: {
      const auto found = contains(a, b);
      return found ? std::optional<bool>(!*found) : std::nullopt;
    }
    default:
      break;
  }
  if (is_number(a) && is_number(b)) {
    const bool complex = a.kind == Kind::kComplex || b.kind == Kind::kComplex;
    return complex ? compare_complex(op, a, b) : holds(op, order(a, b));
  }
  if (a.kind == Kind::kArray || b.kind == Kind::kArray) return std::nullopt;
  if (a.kind == Kind::kStr && b.kind == Kind::kStr) {
    return holds(op, a.text < b.text ? -1 : a.text > b.text ? 1 : 0);
  }
  if (a.kind == Kind::kTuple && b.kind == Kind::kTuple) return compare_tuples(op, a, b);
  if (!is_equality(op)) return std::nullopt;
  if (a.kind == Kind::kType && b.kind == Kind::kType) {
    return (a.type == b.type) == (op == CompareOperator::kEq);
  }
  if (a.kind == Kind::kType || b.kind == Kind::kType) return std::nullopt;
  if (a.kind == Kind::kDict && b.kind == Kind::kDict) return std::nullopt;
  if (a.kind == Kind::kFunction && b.kind == Kind::kFunction)
    return (a.function == b.function) == (op == CompareOperator::kEq);
  const bool same = a.kind == b.kind;  // None == None, else values of different classes
  return same == (op == CompareOperator::kEq);
}

Result compare_value(CompareOperator op, const Value& a, const Value& b) {
  const auto numpy_compare = [op](const Value& x, const Value& y) -> Result {
    const types::Type* type = numpy_type(x, y);  // float32(0.2) is no more than 0.2
    const bool rounds = type && type->is_float();
    const Result left = rounds ? cast(x, type) : Result(x), right = rounds ? cast(y, type) : y;
    const auto known = left && right ? compare(op, *left, *right) : std::nullopt;
    return known ? cast(make_bool(*known), types::boolean()) : Result();
  };
  const bool numbers = is_number(a) && is_number(b);
  const bool identity = op >= CompareOperator::kIs;
  if (!identity && (a.kind == Kind::kArray || b.kind == Kind::kArray)) {
    return array_binary(a, b, numpy_compare);
  }
  if (!identity && numbers && (a.type || b.type)) return numpy_compare(a, b);
  const auto known = compare(op, a, b);
  return known ? make_bool(*known) : Result();
}

}  // namespace pyk2cu::fold
