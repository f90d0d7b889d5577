// NumPy's functions that put arrays together, turn them round and take parts of them.
//
// In:   folded arguments.  Out: NumPy's value, in C order, or nothing: where its bits hang on how
//       NumPy adds up, or ties are broken.
// Tested by tests/unit/typeinfer/fold_test.cpp and tests/run/test_module_tables.py.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "typeinfer/fold/parts.h"

namespace pyk2cu::fold {

using ast::Operator;
using types::Type;

namespace {

bool is_array(const Value& v) { return v.kind == Kind::kArray; }
bool is_plain(const Type* elem) { return elem->is_bool() || elem->is_int() || elem->is_float(); }

// Elements of the array, in another shape.
Value gathered(const Value& array, std::vector<int64_t> shape, std::span<const size_t> from) {
  const auto item = size_t(types::item_size(array.type->elem));
  Value made = array;
  made.bytes.clear();
  made.bytes.reserve(from.size() * item);
  for (const size_t k : from) made.bytes.append(array.bytes, k * item, item);
  made.type = types::with_rank(array.type, int(shape.size()));
  made.shape = std::move(shape);
  return made;
}

std::vector<size_t> strides_of(const std::vector<int64_t>& shape) {
  std::vector<size_t> strides(shape.size(), 1);
  for (size_t k = shape.size(); k-- > 1;) strides[k - 1] = strides[k] * size_t(shape[k]);
  return strides;
}

// The items of a value, one of a scalar.
std::vector<Value> items_of(const Value& v) {
  if (!is_array(v)) return {v};
  std::vector<Value> items;
  for (size_t k = 0; k < array_size(v); ++k) items.push_back(array_item(v, k));
  return items;
}

Result as_array(const Value& v) { return call_numpy("array", {.positional = {v}}); }

// The axis of an argument, counted from the front; nothing: there is no such one.
std::optional<size_t> axis_of(const Value& v, size_t rank) {
  const auto given = to_int64(v);
  if (!given || *given < -int64_t(rank) || *given >= int64_t(rank)) return std::nullopt;
  return size_t(*given < 0 ? *given + int64_t(rank) : *given);
}

Result permuted(const Value& a, const std::vector<size_t>& axes) {
  const std::vector<size_t> strides = strides_of(a.shape);
  std::vector<int64_t> shape;
  for (const size_t axis : axes) shape.push_back(a.shape[axis]);
  std::vector<size_t> from{0};
  for (size_t k = 0; k < axes.size(); ++k) {
    std::vector<size_t> next;
    for (const size_t base : from)
      for (int64_t i = 0; i < shape[k]; ++i) next.push_back(base + size_t(i) * strides[axes[k]]);
    from = std::move(next);
  }
  return gathered(a, std::move(shape), from);
}

Result transposed(const Value& a, const Value* given) {
  const size_t rank = a.shape.size();
  std::vector<size_t> axes(rank);
  for (size_t k = 0; k < rank; ++k) axes[k] = rank - 1 - k;
  if (!given || given->kind == Kind::kNone) return permuted(a, axes);
  if (given->kind != Kind::kTuple || given->items.size() != rank) return std::nullopt;
  for (size_t k = 0; k < rank; ++k) {
    const auto axis = axis_of(given->items[k], rank);
    if (!axis || std::find(axes.begin(), axes.begin() + std::ptrdiff_t(k), *axis) !=
                     axes.begin() + std::ptrdiff_t(k))
      return std::nullopt;
    axes[k] = *axis;
  }
  return permuted(a, axes);
}

Result flipped(const Value& a, std::optional<size_t> axis) {
  std::vector<Picked> along(a.shape.size());
  for (size_t k = 0; k < a.shape.size(); ++k) {
    along[k].at.resize(size_t(a.shape[k]));
    std::iota(along[k].at.begin(), along[k].at.end(), 0);
    if (!axis || *axis == k) std::ranges::reverse(along[k].at);
  }
  return array_picked(a, along);
}

Result rolled(const Value& a, const Value& by) {
  const auto shift = to_int64(by);
  const auto n = int64_t(array_size(a));
  if (!shift || n == 0) return std::nullopt;
  std::vector<size_t> from;
  for (int64_t k = 0; k < n; ++k) from.push_back(size_t(((k - *shift % n) % n + n) % n));
  return gathered(a, a.shape, from);
}

// Arrays one behind the other along an axis.
Result joined(const std::vector<Value>& arrays, size_t axis) {
  if (arrays.empty() || axis >= arrays[0].shape.size()) return std::nullopt;
  std::vector<int64_t> shape = arrays[0].shape;
  shape[axis] = 0;
  const Type* type = nullptr;
  for (const Value& a : arrays) {
    if (a.shape.size() != shape.size() || array_size(a) == 0) return std::nullopt;
    for (size_t k = 0; k < shape.size(); ++k)
      if (k != axis && a.shape[k] != shape[k]) return std::nullopt;
    shape[axis] += a.shape[axis];
    Value so_far = array_item(a, 0);
    so_far.type = type;
    type = type ? numpy_type(so_far, array_item(a, 0)) : a.type->elem;
    if (!type) return std::nullopt;
  }
  size_t outer = 1;
  for (size_t k = 0; k < axis; ++k) outer *= size_t(shape[k]);
  std::vector<Value> items;
  for (size_t i = 0; i < outer; ++i)
    for (const Value& a : arrays) {
      const size_t run = array_size(a) / outer;
      for (size_t k = 0; k < run; ++k) items.push_back(array_item(a, i * run + k));
    }
  return make_array(type, std::move(shape), items);
}

Result joined_by(std::string_view name, const Arguments& args) {
  const Value* given = args.get(0, name == "column_stack" ? "tup" : "arrays");
  if (!given || given->kind != Kind::kTuple || !args.only(2, {"axis"})) return std::nullopt;
  std::vector<Value> arrays;
  for (const Value& one : given->items) {
    const Result array = is_array(one) ? Result(one) : as_array(one);
    if (!array || array->shape.empty()) return std::nullopt;
    arrays.push_back(*array);
  }
  const Value* axis = args.get(1, "axis");
  if (arrays.empty() || (axis && name != "concatenate" && name != "stack")) return std::nullopt;
  const size_t rank = arrays[0].shape.size();
  const bool layers =
      name == "stack" ||
      (rank == 1 && (name == "vstack" || name == "row_stack" || name == "column_stack"));
  const auto along = axis ? axis_of(*axis, rank + (layers ? 1 : 0)) : std::optional<size_t>(0);
  if (!along) return std::nullopt;
  const bool columns = name == "column_stack" || (name == "hstack" && rank > 1);
  const size_t at = columns ? 1 : *along;
  if (layers)
    for (Value& a : arrays) {
      std::vector<int64_t> shape = a.shape;
      if (shape.size() != rank) return std::nullopt;
      shape.insert(shape.begin() + std::ptrdiff_t(at), 1);
      a = *reshape(a, std::move(shape));
    }
  return joined(arrays, at);
}

// np.maximum, np.minimum; not of a NaN.
Result extremes(const Value& a, const Value& b, bool most) {
  return array_binary(a, b, [&](const Value& x, const Value& y) -> Result {
    const Type* type = numpy_type(x, y);
    if (!type || !is_plain(type)) return std::nullopt;
    const double left = to_double(x), right = to_double(y);
    if (std::isnan(left) || std::isnan(right)) return std::nullopt;
    const bool whole = is_integral(x) && is_integral(y);
    const bool less = whole ? x.integer < y.integer : left < right;
    return cast(less == most ? y : x, type);
  });
}

// np.cumsum, np.cumprod: one after the other.
Result running(const Value& a, Operator op) {
  const Type* elem = a.type->elem;
  if (!is_plain(elem) || elem->bits == 16 || array_size(a) == 0) return std::nullopt;
  const Type* type = elem->is_float()                     ? elem
                     : elem->is_bool() || elem->is_signed ? types::int64()
                                                          : types::uint64();
  std::vector<Value> items;
  for (const Value& one : items_of(a)) {
    Result next = cast(one, type);
    if (next && !items.empty()) next = binary(op, items.back(), *next);
    if (!next) return std::nullopt;
    items.push_back(std::move(*next));
  }
  return make_array(type, {int64_t(items.size())}, items);
}

Result differences(const Value& a) {
  if (a.shape.size() != 1 || a.shape[0] < 2 || a.type->elem->is_bool()) return std::nullopt;
  std::vector<Value> items;
  for (size_t k = 1; k < array_size(a); ++k) {
    const auto one = binary(Operator::kSub, array_item(a, k), array_item(a, k - 1));
    if (!one) return std::nullopt;
    items.push_back(*one);
  }
  return make_array(a.type->elem, {int64_t(items.size())}, items);
}

Result outer(const Value& a, const Value& b) {
  const auto left = reshape(a, {-1, 1}), right = reshape(b, {1, -1});
  return left && right ? binary(Operator::kMult, *left, *right) : Result();
}

// np.where(c, x, y), of one shape but for scalars.
Result chosen(const Value& c, const Value& x, const Value& y) {
  if (!is_array(c)) return std::nullopt;
  for (const Value* side : {&x, &y})
    if (is_array(*side) ? side->shape != c.shape : !is_number(*side)) return std::nullopt;
  std::vector<Value> items;
  const Type* type = nullptr;
  for (size_t k = 0; k < array_size(c); ++k) {
    const Value yes = is_array(x) ? array_item(x, k) : x, no = is_array(y) ? array_item(y, k) : y;
    type = numpy_type(yes, no);
    const auto one = cast(*truth(array_item(c, k)) ? yes : no, type);
    if (!one) return std::nullopt;
    items.push_back(*one);
  }
  return make_array(type, c.shape, items);
}

// Of different numbers: NumPy may order equal ones in any way.
Result sorted_by(const Value& a, bool indices) {
  if (a.shape.size() != 1 || !is_plain(a.type->elem)) return std::nullopt;
  const std::vector<Value> items = items_of(a);
  const bool whole = !a.type->elem->is_float();
  const auto less = [&](size_t i, size_t j) {
    return whole ? items[i].integer < items[j].integer : to_double(items[i]) < to_double(items[j]);
  };
  for (const Value& one : items)
    if (std::isnan(to_double(one))) return std::nullopt;
  std::vector<size_t> order(items.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, less);
  if (!indices) return gathered(a, a.shape, order);
  std::vector<Value> found;
  for (size_t k = 0; k < order.size(); ++k) {
    if (k > 0 && !less(order[k - 1], order[k])) return std::nullopt;
    found.push_back(make_int(Int128(order[k])));
  }
  return make_array(types::int64(), a.shape, found);
}

Result repeated(const Value& a, const Value& times, bool each) {
  const auto n = to_int64(times);
  if (!n || *n < 0 || (!each && a.shape.size() != 1)) return std::nullopt;
  const size_t size = array_size(a);
  if (size > 0 && size_t(*n) > kMostItems / size) return std::nullopt;
  std::vector<size_t> from;
  for (size_t k = 0; k < size * size_t(*n); ++k) from.push_back(each ? k / size_t(*n) : k % size);
  return gathered(a, {int64_t(from.size())}, from);
}

// np.meshgrid(x, y)
Result grids(const Value& x, const Value& y) {
  if (x.shape.size() != 1 || y.shape.size() != 1) return std::nullopt;
  const size_t m = array_size(y), n = array_size(x);
  if (n > 0 && m > kMostItems / n) return std::nullopt;
  std::vector<size_t> columns, rows;
  for (size_t i = 0; i < m; ++i)
    for (size_t j = 0; j < n; ++j) columns.push_back(j), rows.push_back(i);
  const std::vector<int64_t> shape{int64_t(m), int64_t(n)};
  return make_tuple({gathered(x, shape, columns), gathered(y, shape, rows)});
}

// np.triu, np.tril
Result triangle(const Value& a, const Value* offset, bool upper) {
  const auto k = offset ? to_int64(*offset) : std::optional<int64_t>(0);
  if (!k || a.shape.size() != 2) return std::nullopt;
  Value made = a;
  const auto item = size_t(types::item_size(a.type->elem));
  for (int64_t i = 0; i < a.shape[0]; ++i)
    for (int64_t j = 0; j < a.shape[1]; ++j)
      if (upper ? j - i < *k : j - i > *k)
        made.bytes.replace(size_t(i * a.shape[1] + j) * item, item, item, '\0');
  return made;
}

Result diagonal(const Value& a) {
  const auto n = size_t(a.shape[0]);
  if (a.shape.size() == 2) {
    std::vector<size_t> from;
    for (size_t k = 0; k < std::min(n, size_t(a.shape[1])); ++k)
      from.push_back(k * size_t(a.shape[1]) + k);
    return gathered(a, {int64_t(from.size())}, from);
  }
  if (a.shape.size() != 1 || n > 1024) return std::nullopt;
  std::vector<Value> items(n * n, make_int(0));
  for (size_t k = 0; k < n; ++k) items[k * n + k] = array_item(a, k);
  return make_array(a.type->elem, {int64_t(n), int64_t(n)}, items);
}

Result like(std::string_view name, const Arguments& args) {
  const bool fills = name == "full_like";
  const Value& a = args.positional[0];
  if (!args.only(fills ? 2 : 1, {"dtype"}) || (fills && args.positional.size() < 2))
    return std::nullopt;
  const Value* dtype = args.get(SIZE_MAX, "dtype");
  const Type* type = dtype ? to_dtype(*dtype) : a.type->elem;
  const Value value = fills ? args.positional[1] : make_int(name == "ones_like");
  return is_number(value) ? make_array(type, a.shape, {&value, 1}) : Result();
}

// np.sum(a, axis=0), a.max(axis=1): along the last axis as of a whole array, along others one row
// after the other.
Result reduced_along(std::string_view name, const Value& a, const Value& given) {
  const auto axis = axis_of(given, a.shape.size());
  if (!axis || a.shape.size() < 2 || array_size(a) == 0) return std::nullopt;
  std::vector<size_t> order;
  for (size_t k = 0; k < a.shape.size(); ++k)
    if (k != *axis) order.push_back(k);
  order.push_back(*axis);
  const Value turned = *permuted(a, order);
  const auto n = size_t(a.shape[*axis]);
  const bool last = *axis + 1 == a.shape.size();
  const bool in_order = name == "sum" && !last && a.type->elem->is_float();
  std::vector<Value> items;
  for (size_t k = 0; k < array_size(a) / n; ++k) {
    Value run = turned;
    const auto item = size_t(types::item_size(a.type->elem));
    run.bytes = turned.bytes.substr(k * n * item, n * item);
    run.shape = {int64_t(n)};
    run.type = types::with_rank(a.type, 1);
    Result one;
    if (in_order) {
      const auto sums = running(run, Operator::kAdd);
      one = sums ? Result(array_item(*sums, n - 1)) : Result();
    } else if (name != "mean" || last || !a.type->elem->is_float()) {
      one = array_reduce(name, run);
    }
    if (!one) return std::nullopt;
    items.push_back(std::move(*one));
  }
  std::vector<int64_t> shape = turned.shape;
  shape.pop_back();
  return make_array(items[0].type, std::move(shape), items);
}

Result clipped(const Value& a, const Value& low, const Value& high) {
  const auto above = low.kind == Kind::kNone ? Result(a) : extremes(a, low, true);
  if (!above || high.kind == Kind::kNone) return above;
  return extremes(*above, high, false);
}

// Sums of products are the same in every order where all are whole and small.
bool adds_exactly(const Value& a) {
  if (!a.type->elem->is_float()) return a.type->elem->is_int();
  constexpr double kMost = 1 << 10;
  for (const Value& one : items_of(a)) {
    const double x = to_double(one);
    if (x != std::floor(x) || std::fabs(x) > kMost) return false;
  }
  return true;
}

}  // namespace

// Which of each axis.
Result array_picked(const Value& array, std::span<const Picked> along) {
  const std::vector<size_t> strides = strides_of(array.shape);
  std::vector<size_t> from{0};
  std::vector<int64_t> shape;
  for (size_t axis = 0; axis < array.shape.size(); ++axis) {
    std::vector<size_t> next;
    const size_t count = axis < along.size() ? along[axis].at.size() : size_t(array.shape[axis]);
    if (count > 0 && from.size() > kMostItems / count) return std::nullopt;
    for (const size_t base : from)
      for (size_t k = 0; k < count; ++k) {
        const size_t at = axis < along.size() ? size_t(along[axis].at[k]) : k;
        next.push_back(base + at * strides[axis]);
      }
    from = std::move(next);
    if (axis >= along.size() || !along[axis].is_one) shape.push_back(int64_t(count));
  }
  if (shape.empty()) return array_item(array, from[0]);
  return gathered(array, std::move(shape), from);
}

Result array_transposed(const Value& array) { return transposed(array, nullptr); }

Result matrix_product(const Value& a, const Value& b) {
  const size_t rank = a.shape.size();
  if (!is_array(a) || !is_array(b) || rank == 0 || rank > 2 || b.shape.empty() ||
      b.shape.size() > 2 || !adds_exactly(a) || !adds_exactly(b))
    return std::nullopt;
  const auto n = size_t(a.shape[rank - 1]), rows = rank == 2 ? size_t(a.shape[0]) : size_t{1};
  const size_t columns = b.shape.size() == 2 ? size_t(b.shape[1]) : size_t{1};
  if (size_t(b.shape[0]) != n || n == 0 || rows * columns == 0) return std::nullopt;
  if (n > 1024 || rows * columns > kMostItems / n) return std::nullopt;
  std::vector<Value> items;
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < columns; ++j) {
      Result sum;
      for (size_t k = 0; k < n; ++k) {
        const auto product =
            binary(Operator::kMult, array_item(a, i * n + k), array_item(b, k * columns + j));
        sum = product && sum ? binary(Operator::kAdd, *sum, *product) : product;
        if (!sum) return std::nullopt;
      }
      items.push_back(std::move(*sum));
    }
  std::vector<int64_t> shape;
  if (rank == 2) shape.push_back(int64_t(rows));
  if (b.shape.size() == 2) shape.push_back(int64_t(columns));
  if (shape.empty()) return items[0];
  return make_array(items[0].type, std::move(shape), items);
}

Result call_numpy_on_arrays(std::string_view name, const Arguments& args) {
  if (name == "concatenate" || name == "stack" || name == "vstack" || name == "row_stack" ||
      name == "hstack" || name == "column_stack")
    return joined_by(name, args);
  const std::vector<Value>& p = args.positional;
  if ((name == "maximum" || name == "minimum") && p.size() == 2 && args.named.empty())
    return is_array(p[0]) || is_array(p[1]) ? extremes(p[0], p[1], name == "maximum") : Result();
  if (p.empty() || !is_array(p[0])) return std::nullopt;
  const Value& a = p[0];
  const size_t rank = a.shape.size();
  if (name.ends_with("_like")) return like(name, args);
  if (name == "transpose" && args.only(2, {"axes"})) return transposed(a, args.get(1, "axes"));
  if (name == "flip" && args.only(2, {"axis"})) {
    const Value* given = args.get(1, "axis");
    const auto axis = given ? axis_of(*given, rank) : std::nullopt;
    return given && !axis ? Result() : flipped(a, axis);
  }
  if ((name == "sum" || name == "max" || name == "min" || name == "mean" || name == "amax" ||
       name == "amin") &&
      args.only(2, {"axis"}))
    if (const Value* axis = args.get(1, "axis"); axis && axis->kind != Kind::kNone)
      return reduced_along(name.starts_with("am") ? name.substr(1) : name, a, *axis);
  if (!args.named.empty()) return std::nullopt;
  if (name == "clip" && p.size() == 3) return clipped(a, p[1], p[2]);
  if (name == "power" && p.size() == 2) return binary(Operator::kPow, a, p[1]);
  if (name == "where" && p.size() == 3) return chosen(a, p[1], p[2]);
  if ((name == "triu" || name == "tril") && p.size() <= 2)
    return triangle(a, p.size() == 2 ? &p[1] : nullptr, name == "triu");
  if (p.size() == 2) {
    if (name == "roll") return rolled(a, p[1]);
    if (name == "repeat" || name == "tile") return repeated(a, p[1], name == "repeat");
    if (!is_array(p[1])) return std::nullopt;
    if (name == "outer") return outer(a, p[1]);
    if (name == "meshgrid") return grids(a, p[1]);
    if (name == "dot" || name == "matmul") return matrix_product(a, p[1]);
    return std::nullopt;
  }
  if (p.size() != 1) return std::nullopt;
  if (name == "fliplr" && rank >= 2) return flipped(a, 1);
  if (name == "flipud" && rank >= 1) return flipped(a, 0);
  if (name == "cumsum") return running(a, Operator::kAdd);
  if (name == "cumprod") return running(a, Operator::kMult);
  if (name == "diff") return differences(a);
  if (name == "sort" || name == "argsort") return sorted_by(a, name == "argsort");
  if (name == "diag" && rank > 0) return diagonal(a);
  if (name == "ravel") return reshape(a, {-1});
  if (name == "copy") return a;
  return std::nullopt;
}

}  // namespace pyk2cu::fold
