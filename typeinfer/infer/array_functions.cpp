// Functions that make arrays of arrays: np.where, clip, concatenate, dot and `@`, reshape,
// swapaxes.
//
// In:   arguments already evaluated.  Out: an operand; loops are emitted ahead of it.
// Types are Numba's. Tested by tests/run/test_array_expressions.py.
#include <algorithm>

#include "typeinfer/infer/elementwise.h"
#include "typeinfer/infer/library.h"

namespace pyk2cu::infer {

using types::BinaryOp;
using types::Layout;

namespace {

// The arguments as values, unwrapped; nothing after a report.
std::optional<std::vector<ir::Expr*>> values_of(Emitter& in, std::span<const Operand> operands,
                                                const Arguments& args) {
  std::vector<ir::Expr*> values;
  for (const Operand& o : operands) {
    ir::Expr* e = o.is_value() ? unwrap(in, o.value(), args.span) : nullptr;
    if (!e || !(e->type->is_scalar() || (e->type->is_array() && e->type->elem->is_scalar()))) {
      bad_arguments(in, args);
      return std::nullopt;
    }
    values.push_back(e);
  }
  return values;
}

// np.where(c, a, b): of numbers alone an array of no dimension.
Operand where(Emitter& in, const Arguments& args) {
  if (args.args.size() + args.keywords.size() == 1) return refuse_arrays(in, args);
  if (!on_host(in, args)) return error();
  const auto bound = by_name(in, args, {"condition", "x", "y"}, 3);
  if (!bound) return error();
  const auto values = values_of(in, *bound, args);
  if (!values) return error();
  const auto choose = [&](const std::vector<ir::Expr*>& elements) -> ir::Expr* {
    ir::Expr *yes = elements[1], *no = elements[2];
    settle_literals(in, yes, no);
    const Type* elem = types::numpy_promote(yes->type, no->type);
    return in.make(ir::Select{{ir::ExprKind::kSelect, elem, args.span},
                              truth(in, elements[0], args.span),
                              cast(in, yes, elem),
                              cast(in, no, elem)});
  };
  ir::Expr* made = elementwise(in, *values, choose, args.span);
  if (is_error(made) || made->type->is_array()) return to_operand(made);
  const Type* type = types::array(made->type, 0, Layout::kC);
  return to_operand(new_array(in, ir::Fill::kValue, type, {}, made, args.span));
}

// np.clip(a, lo, hi), one of which may be None; a.clip(lo, hi). Of a's type, as Numba has it.
Operand clip(Emitter& in, const Arguments& args) {
  if (!on_host(in, args)) return error();
  const auto bound = by_name(in, args, {"a", "a_min", "a_max"}, 2);
  if (!bound) return error();
  std::vector<Operand> given{(*bound)[0]};
  const auto is_there = [](const Operand& o) { return !o.is_error() && !o.is<None>(); };
  const bool least = is_there((*bound)[1]), greatest = is_there((*bound)[2]);
  if (!least && !greatest) return bad_arguments(in, args);
  if (least) given.push_back((*bound)[1]);
  if (greatest) given.push_back((*bound)[2]);
  const auto values = values_of(in, given, args);
  if (!values) return error();
  for (const ir::Expr* v : *values) {
    const Type* type = v->type->is_array() ? v->type->elem : v->type;
    if (!type->is_real()) return bad_arguments(in, args);
  }
  const Type* kept = (*values)[0]->type->is_array() ? (*values)[0]->type->elem : nullptr;
  const auto extreme = [&](builtins::Id id, ir::Expr* x, ir::Expr* limit) {
    if (!kept) settle_literals(in, x, limit);
    const Type* type = types::unify(x->type, limit->type, in.dialect());
    return in.make(
        ir::Builtin{{ir::ExprKind::kBuiltin, type, args.span},
                    &builtins::row(id),
                    in.list(std::vector<ir::Expr*>{cast(in, x, type), cast(in, limit, type)})});
  };
  return to_operand(elementwise(
      in, *values,
      [&](const std::vector<ir::Expr*>& elements) -> ir::Expr* {
        ir::Expr* x = elements[0];
        if (least) x = extreme(builtins::Id::builtins_max, x, elements[1]);
        if (greatest) x = extreme(builtins::Id::builtins_min, x, elements.back());
        return kept ? cast(in, x, kept) : x;
      },
      args.span));
}

// ---- products of vectors and matrices ----

// left @ right; a vector has no index but that of the sum.
class Product {
 public:
  Product(Emitter& in, ir::Expr* left, ir::Expr* right, Span span)
      : in_(in),
        left_(in.once(left, "left")),
        right_(in.once(right, "right")),
        type_(left->type->elem),
        span_(span) {}

  ir::Expr* make() {
    const int rows = left_->type->rank - 1, columns = right_->type->rank - 1;
    n_ = in_.once(extent(left_, rows), "n");
    in_.raise_if(make_compare(in_, types::CompareOp::kNe, n_, extent(right_, 0), span_),
                 "ValueError", "incompatible array sizes for np.dot(a, b)", span_);
    if (rows == 0 && columns == 0) return sum();
    std::vector<ir::Expr*> shape;
    if (rows) shape.push_back(in_.once(extent(left_, 0), "rows"));
    if (columns) shape.push_back(in_.once(extent(right_, 1), "columns"));
    ir::Expr* matrix = rows ? left_ : in_.once(transposed(in_, right_, span_), "turned");
    ir::Expr* other = rows ? right_ : left_;
    const bool by_columns = other->type->rank == 1 && matrix->type->layout == Layout::kF;
    result_ = new_array(in_, by_columns ? ir::Fill::kZero : ir::Fill::kUninitialized,
                        types::array(type_, int(shape.size()), Layout::kC), shape, nullptr, span_);
    if (by_columns)
      add_columns(matrix, other, shape[0]);
    else
      in_.emit_eval(
          in_.make(ir::Builtin{{ir::ExprKind::kBuiltin, types::void_(), span_},
                               &builtins::row(builtins::Id::lanes_product),
                               in_.list(std::vector<ir::Expr*>{result_, matrix, other})}));
    return result_;
  }

 private:
  ir::Expr* extent(ir::Expr* a, int k) { return query(in_, ir::QueryOp::kShape, a, k, span_); }

  ir::Expr* added(ir::Expr* to, ir::Expr* x, ir::Expr* y) {
    ir::Expr* product = make_binary(in_, BinaryOp::kMul, x, y, type_, span_);
    return make_binary(in_, BinaryOp::kAdd, to, product, type_, span_);
  }

  // Of two vectors.
  ir::Expr* sum() {
    ir::Local* total = in_.temp("total", type_, span_);
    in_.emit_assign(total, zero(in_, type_, span_), span_);
    ir::For* loop = count_to(in_, n_, span_, [&](ir::Local* k) {
      in_.emit_assign(total,
                      added(in_.load(total, span_), element_at(in_, left_, {k}, span_),
                            element_at(in_, right_, {k}, span_)),
                      span_);
    });
    loop->adds_freely = type_->is_inexact();
    return in_.load(total, span_);
  }

  // Of a matrix whose columns lie in memory as the result does, and a vector.
  void add_columns(ir::Expr* matrix, ir::Expr* vector, ir::Expr* rows) {
    count_to(in_, n_, span_, [&](ir::Local* k) {
      count_to(in_, rows, span_, [&](ir::Local* i) {
        ir::Expr* to = element_at(in_, result_, {i}, span_);
        store_at(
            in_, result_, {i},
            added(to, element_at(in_, matrix, {i, k}, span_), element_at(in_, vector, {k}, span_)),
            span_);
      });
    });
  }

  Emitter& in_;
  ir::Expr *left_, *right_, *n_ = nullptr, *result_ = nullptr;
  const Type* type_;
  const Span span_;
};

Operand dot(Emitter& in, const Arguments& args) {
  if (!on_host(in, args)) return error();
  auto bound = by_name(in, args, {"a", "b", "out"}, 2);
  if (!bound) return error();
  const Operand out = bound->back();
  bound->pop_back();
  const auto values = values_of(in, *bound, args);
  if (!values) return error();
  ir::Expr* made = matrix_product(in, args.path + "()", (*values)[0], (*values)[1], args.span);
  if (is_error(made) || out.is_error() || out.is<None>()) return to_operand(made);
  ir::Expr* to = array_of(in, out, args.span);
  if (!to || !made->type->is_array() || to->type->elem != made->type->elem ||
      to->type->rank != made->type->rank)
    return bad_arguments(in, args);
  to = in.once(to, "out");
  for (int k = 0; k < to->type->rank; ++k)
    in.raise_if(
        make_compare(in, types::CompareOp::kNe, query(in, ir::QueryOp::kShape, to, k, args.span),
                     query(in, ir::QueryOp::kShape, made, k, args.span), args.span),
        "ValueError", "incompatible output array size for np.dot(a, b, out)", args.span);
  copy_elements(in, to, made, {}, args.span);
  return to_operand(to);
}

// np.concatenate((a, b, …)) along the first axis.
Operand concatenate(Emitter& in, const Arguments& args) {
  if (!on_host(in, args)) return error();
  const auto bound = by_name(in, args, {"arrays", "axis"}, 1);
  if (!bound) return error();
  const Operand &given = (*bound)[0], &axis = (*bound)[1];
  const bool first = axis.is_error() || (axis.constant() && axis.constant()->value.integer == 0);
  ir::Expr* tuple = given.is_value() && given.type()->is_tuple() ? given.value() : nullptr;
  if (!first || !tuple || tuple->type->items.empty()) return refuse_arrays(in, args);
  if (tuple->kind != ir::ExprKind::kTuple) tuple = in.once(tuple, "arrays");
  std::vector<ir::Expr*> arrays;
  const Type* elem = nullptr;
  for (size_t k = 0; k < tuple->type->items.size(); ++k) {
    ir::Expr* a = array_of(in, to_operand(tuple_item(in, tuple, int(k), args.span)), args.span);
    if (!a || a->type->rank == 0 || (k > 0 && a->type->rank != arrays[0]->type->rank))
      return refuse_arrays(in, args);
    arrays.push_back(in.once(a, "part"));
    elem = elem ? types::numpy_promote(elem, a->type->elem) : a->type->elem;
  }
  std::vector<ir::Expr*> shape = extents(in, arrays[0], args.span);
  for (size_t k = 1; k < arrays.size(); ++k) {
    const auto extent = [&](int axis_of) {
      return query(in, ir::QueryOp::kShape, arrays[k], axis_of, args.span);
    };
    shape[0] = make_binary(in, BinaryOp::kAdd, shape[0], extent(0), types::int64(), args.span);
    for (size_t m = 1; m < shape.size(); ++m)
      in.raise_if(make_compare(in, types::CompareOp::kNe, shape[m], extent(int(m)), args.span),
                  "ValueError", "np.concatenate(): input sizes over dimension do not match",
                  args.span);
  }
  shape[0] = in.once(shape[0], "n");
  const Type* type = types::array(elem, arrays[0]->type->rank, Layout::kC);
  ir::Expr* made = new_array(in, ir::Fill::kUninitialized, type, shape, nullptr, args.span);
  ir::Local* at = in.temp("at", types::int64(), args.span);
  in.emit_assign(at, in.const_int(0), args.span);
  for (ir::Expr* a : arrays)
    count_to(in, query(in, ir::QueryOp::kShape, a, 0, args.span), args.span, [&](ir::Local* i) {
      ir::Expr* from = row(in, a, in.load(i, args.span), false, args.span);
      if (type->rank == 1) {
        store_at(in, made, {at}, cast(in, from, elem), args.span);
      } else {
        copy_elements(in, row(in, made, in.load(at, args.span), false, args.span), from, {},
                      args.span);
      }
      in.emit_assign(at,
                     make_binary(in, BinaryOp::kAdd, in.load(at, args.span), in.const_int(1),
                                 types::int64(), args.span),
                     args.span);
    });
  return to_operand(made);
}

// a.reshape(n, m), np.reshape(a, (n, m)): a view; one extent may be -1.
Operand reshape(Emitter& in, const Arguments& args) {
  if (!on_host(in, args)) return error();
  if (!args.keywords.empty() || args.args.size() < 2) return refuse_arrays(in, args);
  ir::Expr* array = array_of(in, args.args[0], args.span);
  if (!array) return refuse_arrays(in, args);
  if (array->type->layout != types::Layout::kC && array->type->rank != 0) {
    in.report(args.span, diag::ArrayExpression, "a reshape of other arrays than those in C's order")
        .help(fmt::format(
            "`{}` may lie otherwise: declare it as `{}`, or take `a.copy()`",
            types::print(array->type),
            types::print(types::array(array->type->elem, array->type->rank, types::Layout::kC))));
    return error();
  }
  std::vector<ir::Expr*> extents;
  for (size_t k = 1; k < args.args.size(); ++k) {
    ir::Expr* e = args.args[k].is_value() ? unwrap(in, args.args[k].value(), args.span) : nullptr;
    if (e && e->type->is_tuple() && args.args.size() == 2) {
      if (e->kind != ir::ExprKind::kTuple) e = in.once(e);
      for (size_t i = 0; i < e->type->items.size(); ++i)
        extents.push_back(tuple_item(in, e, int(i), args.span));
    } else {
      extents.push_back(e);
    }
  }
  for (ir::Expr*& e : extents) {
    if (!e || !(e->type->is_int() || e->type->is_bool())) return bad_arguments(in, args);
    e = cast(in, e, types::int64());
  }
  return to_operand(reshaped(in, array, std::move(extents), args.span));
}

// np.swapaxes(a, 0, 2), a.swapaxes(0, 2): a view.
Operand swapaxes(Emitter& in, const Arguments& args) {
  if (!on_host(in, args)) return error();
  const auto bound = by_name(in, args, {"a", "axis1", "axis2"}, 3);
  if (!bound) return error();
  ir::Expr* array = array_of(in, (*bound)[0], args.span);
  if (!array || array->type->rank == 0) return refuse_arrays(in, args);
  std::vector<ir::Expr*> values{in.once(array, "items")};
  const int rank = array->type->rank;
  for (size_t k = 1; k < 3; ++k) {
    ir::Expr* axis = (*bound)[k].is_value() ? unwrap(in, (*bound)[k].value(), args.span) : nullptr;
    if (!axis || !axis->type->is_int()) return bad_arguments(in, args);
    axis = in.once(cast(in, axis, types::int64()), "axis");
    const auto check = [&](types::CompareOp op, int limit) {
      in.raise_if(make_compare(in, op, axis, in.const_int(limit), args.span), "ValueError",
                  "np.swapaxes: Argument axis" + std::to_string(k) + " out of bounds", args.span);
    };
    check(types::CompareOp::kLt, -rank);
    check(types::CompareOp::kGe, rank);
    values.push_back(axis);
  }
  const Type* type = types::with_layout(array->type, Layout::kA);
  return to_operand(in.make(ir::Builtin{{ir::ExprKind::kBuiltin, type, args.span},
                                        &builtins::row(builtins::Id::pyk_swap_axes),
                                        in.list(std::move(values))}));
}

constexpr HandlerRow kHandlers[] = {
    {"numpy.concatenate", concatenate},
    {"numpy.where", where},
    {"numpy.clip", clip},
    {"numpy.dot", dot},
    {"numpy.matmul", dot},
    {"numpy.reshape", reshape},
    {"numpy.swapaxes", swapaxes},
};

}  // namespace

ir::Expr* matrix_product(Emitter& in, std::string_view what, ir::Expr* left, ir::Expr* right,
                         Span span) {
  const auto is_matrix = [](const ir::Expr* e) {
    return e->type->is_array() && (e->type->rank == 1 || e->type->rank == 2) &&
           (e->type->elem->is_float() || e->type->elem->is_complex());
  };
  if (in.on_cuda()) return array_expression(in, span, what, {left, right});
  if (!is_matrix(left) || !is_matrix(right) || left->type->elem != right->type->elem) {
    in.report(span, diag::BadOperands, what, types::print(left->type), types::print(right->type))
        .help("vectors and matrices of one type of floats or complex numbers have a product");
    return in.error(span);
  }
  return Product(in, left, right, span).make();
}

std::span<const HandlerRow> function_handlers() { return kHandlers; }

}  // namespace pyk2cu::infer
