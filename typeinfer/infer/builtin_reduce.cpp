// One number of a whole array: np.sum, prod, mean, var, std, min, max, any, all, argmin, argmax,
// count_nonzero, linalg.norm; as functions and as methods of arrays. np.searchsorted and np.interp.
//
// In:   arguments already evaluated.  Out: an operand.
// Types are Numba's: sums and products of integers are 64 bits wide, the mean of integers is
// float64. An axis, which is a constant, gives an array. Empty arrays have no extreme: ValueError.
// Kernels have none of these. The loops are the runtime's (pyk/reduce.h). Tested by
// tests/run/test_reductions.py and tests/run/test_displays.py.
#include <algorithm>

#include "typeinfer/infer/elementwise.h"

namespace pyk2cu::infer {

using builtins::Id;

const Type* accumulator(const Type* elem) {
  if (!elem->is_int() && !elem->is_bool()) return elem;
  return elem->is_int() && !elem->is_signed ? types::uint64() : types::int64();
}

ir::Expr* array_of(Emitter& in, const Operand& o, Span span) {
  ir::Expr* e = o.is_value() ? unwrap(in, o.value(), span) : nullptr;
  return e && e->type->is_array() && e->type->elem->is_scalar() ? e : nullptr;
}

Operand refuse_arrays(Emitter& in, const Arguments& args) {
  const bool is_method = args.path.find('.') == std::string::npos;
  return to_operand(array_expression(in, args.span, (is_method ? "." : "") + args.path + "()"));
}

std::optional<std::vector<Operand>> of_array(Emitter& in, const Arguments& args,
                                             const std::vector<std::string_view>& names,
                                             size_t required) {
  const auto is_known = [&](const auto& keyword) {
    return std::ranges::find(names, keyword.first.str()) != names.end();
  };
  if (args.args.size() <= names.size() && std::ranges::all_of(args.keywords, is_known))
    return by_name(in, args, names, required);
  refuse_arrays(in, args);
  return std::nullopt;
}

namespace {

const Type* mean_type(const Type* elem) {
  return elem->is_int() || elem->is_bool() ? types::float64() : elem;
}
const Type* same(const Type* elem) { return elem; }
const Type* index(const Type*) { return types::int64(); }
const Type* boolean(const Type*) { return types::boolean(); }

struct Reduction {
  std::string_view name;
  Id id;
  const Type* (*result)(const Type* elem);
  bool typed;              // the result type is the C++ template argument
  std::string_view empty;  // what ValueError says of an empty array; none: it has a value
  bool takes_complex;
};

constexpr Reduction kReductions[] = {
    {"sum", Id::numpy_sum, accumulator, true, "", true},
    {"prod", Id::numpy_prod, accumulator, true, "", true},
    {"mean", Id::numpy_mean, mean_type, true, "", true},
    {"min", Id::numpy_min, same, false,
     "zero-size array to reduction operation minimum which has no identity", true},
    {"max", Id::numpy_max, same, false,
     "zero-size array to reduction operation maximum which has no identity", true},
    {"any", Id::numpy_any, boolean, false, "", true},
    {"count_nonzero", Id::numpy_count_nonzero, index, false, "", true},
    {"all", Id::numpy_all, boolean, false, "", true},
    {"argmin", Id::numpy_argmin, index, false, "attempt to get argmin of an empty sequence", false},
    {"argmax", Id::numpy_argmax, index, false, "attempt to get argmax of an empty sequence", false},
};

// "sum" of `np.sum` and of `a.sum()`; np.amin is np.min.
std::string_view plain_name(std::string_view path) {
  std::string_view name = path.substr(path.rfind('.') + 1);
  if (name == "amin" || name == "amax") name.remove_prefix(1);
  return name;
}

// `template_argument`: of the C++ function, or null.
ir::Expr* call_of(Emitter& in, Id id, std::vector<ir::Expr*> values, const Type* type,
                  const Type* template_argument, Span span) {
  return in.make(ir::Builtin{
      {ir::ExprKind::kBuiltin, type, span},
      &builtins::row(id),
      in.list(std::move(values)),
      template_argument ? in.list(std::vector{template_argument}) : ir::List<const Type*>{}});
}

// The mean of the elements, by threads or of an expression; else null.
ir::Expr* mean_by_loops(Emitter& in, ir::Expr* array, const Type* type, Span span) {
  ir::Expr* count = nullptr;
  ir::Expr* total = total_of(in, array, types::BinaryOp::kAdd, type, span, &count);
  if (!total || is_error(total)) return total;
  return in.make(ir::Binary{
      {ir::ExprKind::kBinary, type, span}, types::BinaryOp::kDiv, total, cast(in, count, type)});
}

// The mean of the squared distances to the mean: two loops.
ir::Expr* shared_variance(Emitter& in, ir::Expr* array, Span span) {
  array = in.spill(array, "items");  // read twice: stays an array
  ir::Expr* mean = mean_by_loops(in, array, mean_type(array->type->elem), span);
  if (is_error(mean)) return mean;
  mean = in.spill(mean, "mean");
  const auto plain = [&](types::BinaryOp op, ir::Expr* a, ir::Expr* b) {
    return in.make(ir::Binary{{ir::ExprKind::kBinary, mean->type, span}, op, a, b});
  };
  ir::Expr* squares = elementwise(
      in, {array, mean},
      [&](const std::vector<ir::Expr*>& at) {
        ir::Expr* apart =
            in.spill(plain(types::BinaryOp::kSub, cast(in, at[0], mean->type), at[1]), "apart");
        return plain(types::BinaryOp::kMul, apart, apart);
      },
      span);
  return is_error(squares) ? squares : mean_by_loops(in, squares, types::float64(), span);
}

// np.sum(a, axis=0): for i…: for j…: result[j] = result[j] + a[i, j]
// np.sum(a, axis=1): for i…: total = 0; for j…, in any order: total = total + a[i, j]
//                            result[i] = total
class Along {
 public:
  Along(Emitter& in, const Reduction& row, ir::Expr* array, int axis, Span span)
      : in_(in), row_(row), array_(in.once(array, "items")), axis_(axis), span_(span) {}

  ir::Expr* make() {
    const int rank = array_->type->rank;
    ir::Expr* n = in_.once(query(in_, ir::QueryOp::kShape, array_, axis_, span_), "n");
    const bool compares = !row_.empty.empty();
    if (compares)
      in_.raise_if(make_compare(in_, types::CompareOp::kEq, n, in_.const_int(0), span_),
                   "ValueError", row_.empty, span_);
    std::vector<ir::Expr*> shape = extents(in_, array_, span_);
    shape.erase(shape.begin() + axis_);
    type_ = row_.result(array_->type->elem);
    const bool sums_rows = axis_ == rank - 1 && type_->is_inexact() && !compares &&
                           row_.id != Id::numpy_prod && array_->type->layout != types::Layout::kF;
    const ir::Fill fill = compares || sums_rows       ? ir::Fill::kUninitialized
                          : row_.id == Id::numpy_prod ? ir::Fill::kOne
                                                      : ir::Fill::kZero;
    result_ = new_array(in_, fill, types::array(type_, rank - 1, types::Layout::kC), shape, nullptr,
                        span_);
    if (compares) loops(0, {}, [&](const Locals& at) { store(at, element(at)); }, true);
    if (sums_rows)
      rows(0, {});
    else
      loops(0, {}, [&](const Locals& at) { store(at, next(at)); }, false);
    if (row_.id == Id::numpy_mean) {
      ir::Expr* count = cast(in_, n, types::float64());
      array_update(in_, ast::Operator::kDiv, result_, count, span_);
    }
    return result_;
  }

 private:
  using Locals = std::vector<ir::Local*>;

  // For all elements; `first`: only those that are the first along the axis.
  template <class Body>
  void loops(int axis, Locals at, const Body& body, bool first) {
    if (axis == array_->type->rank) return body(at);
    ir::Expr* n = first && axis == axis_ ? in_.const_int(1)
                                         : query(in_, ir::QueryOp::kShape, array_, axis, span_);
    count_to(in_, n, span_, [&](ir::Local* index) {
      Locals inside = at;
      inside.push_back(index);
      loops(axis + 1, inside, body, first);
    });
  }

  // Of all rows, which lie along the last axis.
  void rows(int axis, const Locals& at) {
    ir::Expr* n = query(in_, ir::QueryOp::kShape, array_, axis, span_);
    const auto inside = [&](ir::Local* index) {
      Locals all = at;
      all.push_back(index);
      return all;
    };
    if (axis < axis_) {
      count_to(in_, n, span_, [&](ir::Local* index) { rows(axis + 1, inside(index)); });
      return;
    }
    ir::Local* total = in_.temp("total", type_, span_);
    in_.emit_assign(total, zero(in_, type_, span_), span_);
    ir::For* loop = count_to(in_, n, span_, [&](ir::Local* index) {
      in_.emit_assign(total,
                      make_binary(in_, types::BinaryOp::kAdd, in_.load(total, span_),
                                  element(inside(index)), type_, span_),
                      span_);
    });
    loop->adds_freely = true;
    store_at(in_, result_, at, in_.load(total, span_), span_);
  }

  Locals others(Locals at) const {
    at.erase(at.begin() + axis_);
    return at;
  }

  ir::Expr* element(const Locals& at) {
    return cast(in_, element_at(in_, array_, at, span_), type_);
  }

  ir::Expr* next(const Locals& at) {
    ir::Expr* so_far = element_at(in_, result_, others(at), span_);
    if (row_.id == Id::numpy_min || row_.id == Id::numpy_max)
      return ufunc_of(in_, row_.id == Id::numpy_min ? "numpy.minimum" : "numpy.maximum",
                      {so_far, element(at)}, span_);
    const auto op = row_.id == Id::numpy_prod ? types::BinaryOp::kMul : types::BinaryOp::kAdd;
    return make_binary(in_, op, so_far, element(at), type_, span_);
  }

  void store(const Locals& at, ir::Expr* value) {
    store_at(in_, result_, others(at), value, span_);
  }

  Emitter& in_;
  const Reduction& row_;
  ir::Expr *array_, *result_ = nullptr;
  const Type* type_ = nullptr;
  const int axis_;
  const Span span_;
};

// np.sum(x) of a number x: of an array without axes.
ir::Expr* items_of(Emitter& in, const Operand& o, Span span) {
  if (ir::Expr* array = array_of(in, o, span)) return array;
  ir::Expr* number = o.is_value() ? unwrap(in, o.value(), span) : nullptr;
  if (!number || !number->type->is_scalar() || in.on_cuda()) return nullptr;
  const Type* type = types::array(number->type, 0, types::Layout::kC);
  return new_array(in, ir::Fill::kValue, type, {}, number, span);
}

// The axis where a reduction along it makes an array.
std::optional<int> axis_of(const Reduction& row, const Operand& axis, const ir::Expr* array) {
  const bool can = row.id == Id::numpy_sum || row.id == Id::numpy_prod ||
                   row.id == Id::numpy_mean || row.id == Id::numpy_min || row.id == Id::numpy_max;
  const ir::Const* known = axis.constant();
  const int rank = array->type->rank;
  const bool compares = !row.empty.empty();
  if (!can || !known || !known->type->is_int() || rank < 2 ||
      (compares && array->type->elem->is_complex()))
    return std::nullopt;
  const int64_t k = known->value.integer < 0 ? known->value.integer + rank : known->value.integer;
  return k >= 0 && k < rank ? std::optional(int(k)) : std::nullopt;
}

Operand reduce(Emitter& in, const Arguments& args) {
  const Reduction* row = std::ranges::find(kReductions, plain_name(args.path), &Reduction::name);
  const auto bound = of_array(in, args, {"a", "axis"});
  if (!bound) return error();
  const Operand &given = (*bound)[0], &axis = (*bound)[1];
  ir::Expr* array = items_of(in, given, args.span);
  const ir::Const* known = axis.constant();
  const bool is_only = array && array->type->rank == 1 && known && known->type->is_int() &&
                       (known->value.integer == 0 || known->value.integer == -1);
  const bool whole = axis.is_error() || axis.is<None>() || is_only;
  if (array && !whole && !in.on_cuda())
    if (const auto along = axis_of(*row, axis, array))
      return to_operand(Along(in, *row, array, *along, args.span).make());
  if (!array || !whole) return refuse_arrays(in, args);
  const Type* elem = array->type->elem;
  if (elem->is_complex() && !row->takes_complex) return refuse_arrays(in, args);
  if (!on_host(in, args)) return error();
  if (!row->empty.empty()) {
    array = in.once(array, "items");
    ir::Expr* size = query(in, ir::QueryOp::kSize, array, 0, args.span);
    in.raise_if(make_compare(in, types::CompareOp::kEq, size, in.const_int(0), args.span),
                "ValueError", row->empty, args.span);
  }
  const Type* type = row->result(elem);
  if (row->id == Id::numpy_sum || row->id == Id::numpy_prod) {
    const bool adds = row->id == Id::numpy_sum;
    const auto op = adds ? types::BinaryOp::kAdd : types::BinaryOp::kMul;
    if (ir::Expr* total = total_of(in, array, op, type, args.span)) return to_operand(total);
  }
  if (row->id == Id::numpy_mean && array->type->rank > 0 && elem->is_real())
    if (ir::Expr* mean = mean_by_loops(in, array, type, args.span))
      return is_error(mean) ? error() : to_operand(mean);
  return to_operand(call_of(in, row->id, {array}, type, row->typed ? type : nullptr, args.span));
}

// np.var(a), np.std(a): float64.
Operand variance(Emitter& in, const Arguments& args) {
  const auto bound = of_array(in, args, {"a", "axis"}, 1);
  if (!bound) return error();
  ir::Expr* array = items_of(in, (*bound)[0], args.span);
  const bool whole = (*bound)[1].is_error() || (*bound)[1].is<None>();
  if (!array || !whole) return refuse_arrays(in, args);
  if (!on_host(in, args)) return error();
  const Type* mean = mean_type(array->type->elem);
  const Type* type = types::float64();
  const bool shared =
      in.options().parallel && array->type->elem->is_real() && array->type->rank > 0;
  ir::Expr* of = shared ? shared_variance(in, array, args.span)
                        : call_of(in, Id::numpy_var, {array}, type, mean, args.span);
  if (plain_name(args.path) == "std")
    of = call_of(in, Id::numpy_sqrt, {of}, type, nullptr, args.span);
  return to_operand(of);
}

// np.linalg.norm(a): of a vector its length, of a matrix that of all its elements.
Operand norm(Emitter& in, const Arguments& args) {
  ir::Expr* array = args.args.size() == 1 && args.keywords.empty()
                        ? array_of(in, args.args[0], args.span)
                        : nullptr;
  const Type* elem = array ? array->type->elem : nullptr;
  if (!elem || array->type->rank > 2 || array->type->rank == 0 ||
      !(elem->is_float() || elem->is_complex()))
    return refuse_arrays(in, args);
  if (!on_host(in, args)) return error();
  const Type* type = elem->is_complex() ? types::component(elem) : elem;
  return to_operand(call_of(in, Id::numpy_norm, {array}, type, type, args.span));
}

// np.interp(x, xp, fp): a number for a number, an array of x's shape for an array.
Operand interp(Emitter& in, const Arguments& args) {
  const auto bound = of_array(in, args, {"x", "xp", "fp"}, 3);
  if (!bound) return error();
  ir::Expr *xp = array_of(in, (*bound)[1], args.span), *fp = array_of(in, (*bound)[2], args.span);
  ir::Expr* x = (*bound)[0].is_value() ? unwrap(in, (*bound)[0].value(), args.span) : nullptr;
  const auto is_line = [](const ir::Expr* a) {
    return a && a->type->rank == 1 && a->type->elem->is_real();
  };
  const Type* asked = x && x->type->is_array() ? x->type->elem : x ? x->type : nullptr;
  if (!is_line(xp) || !is_line(fp) || !asked || !asked->is_real()) return refuse_arrays(in, args);
  if (!on_host(in, args)) return error();
  x = in.once(x, "x");
  xp = in.once(xp, "points");
  fp = in.once(fp, "values");
  const auto size = [&](ir::Expr* a) { return query(in, ir::QueryOp::kSize, a, 0, args.span); };
  in.raise_if(make_compare(in, types::CompareOp::kNe, size(xp), size(fp), args.span), "ValueError",
              "fp and xp are not of the same size.", args.span);
  in.raise_if(make_compare(in, types::CompareOp::kEq, size(xp), in.const_int(0), args.span),
              "ValueError", "array of sample points is empty", args.span);
  if (!x->type->is_array())
    return to_operand(call_of(in, Id::numpy_interp, {cast(in, x, types::float64()), xp, fp},
                              types::float64(), nullptr, args.span));
  ir::Expr* made = new_array(in, ir::Fill::kUninitialized,
                             types::array(types::float64(), x->type->rank, types::Layout::kC),
                             extents(in, x, args.span), nullptr, args.span);
  in.emit_eval(
      call_of(in, Id::numpy_interp_all, {made, x, xp, fp}, types::void_(), nullptr, args.span));
  return to_operand(made);
}

// Whether `side` is "right"; nothing after a report.
std::optional<bool> is_right(Emitter& in, const Operand& side, const Arguments& args) {
  if (side.is_error()) return false;
  const std::string_view text = side.is<Str>() ? side.as<Str>().text : "";
  if (text == "left" || text == "right") return text == "right";
  bad_arguments(in, args);
  return std::nullopt;
}

// np.searchsorted(a, v): a number for a number, an array of v's shape for an array.
Operand searchsorted(Emitter& in, const Arguments& args) {
  const auto bound = of_array(in, args, {"a", "v", "side"}, 2);
  if (!bound) return error();
  const auto right = is_right(in, (*bound)[2], args);
  if (!right) return error();
  for (const Operand& o : {(*bound)[0], (*bound)[1]})
    if (!o.is_value()) return refuse_arrays(in, args);
  ir::Expr* array = unwrap(in, (*bound)[0].value(), args.span);
  ir::Expr* value = unwrap(in, (*bound)[1].value(), args.span);
  const bool many = value->type->is_array();
  const Type* sought = many ? value->type->elem : value->type;
  if (!array->type->is_array() || array->type->rank != 1) return refuse_arrays(in, args);
  if (!sought->is_real() || !array->type->elem->is_real()) return refuse_arrays(in, args);
  const Type* common = types::numpy_promote(array->type->elem, sought);
  if (!on_host(in, args)) return error();
  ir::Expr* side = in.const_bool(*right);
  if (!many)
    return to_operand(call_of(in, Id::numpy_searchsorted, {array, cast(in, value, common), side},
                              types::int64(), common, args.span));
  value = in.once(value, "values");
  ir::Expr* made = new_array(in, ir::Fill::kUninitialized,
                             types::array(types::int64(), value->type->rank, types::Layout::kC),
                             extents(in, value, args.span), nullptr, args.span);
  in.emit_eval(call_of(in, Id::numpy_searchsorted_all, {made, array, value, side}, types::void_(),
                       common, args.span));
  return to_operand(made);
}

constexpr HandlerRow kHandlers[] = {
    {"numpy.sum", reduce},           {"numpy.prod", reduce},   {"numpy.mean", reduce},
    {"numpy.min", reduce},           {"numpy.max", reduce},    {"numpy.amin", reduce},
    {"numpy.amax", reduce},          {"numpy.any", reduce},    {"numpy.all", reduce},
    {"numpy.argmin", reduce},        {"numpy.argmax", reduce}, {"numpy.searchsorted", searchsorted},
    {"numpy.count_nonzero", reduce}, {"numpy.var", variance},  {"numpy.std", variance},
    {"numpy.linalg.norm", norm},     {"numpy.interp", interp},
};

}  // namespace

ir::Expr* contains(Emitter& in, ir::Expr* array, ir::Expr* value, Span span) {
  const Type* common = types::numpy_promote(array->type->elem, value->type);
  return call_of(in, Id::numpy_contains, {array, cast(in, value, common)}, types::boolean(), common,
                 span);
}

std::span<const HandlerRow> reduce_handlers() { return kHandlers; }

}  // namespace pyk2cu::infer
