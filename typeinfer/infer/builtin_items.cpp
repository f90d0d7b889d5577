// Functions of tuples and of arrays of one dimension: math.dist, fsum, prod, sumprod, and the
// methods index and count of tuples.
//
// In:   arguments already evaluated.  Out: an operand.
// Values are CPython 3.13's (Numba has none of math's four). Tuples are converted to what the
// runtime's pyk/sums.h computes in; t.index(x) and t.count(x) compare item by item.
// Tested by tests/run/test_parts.py.
#include <algorithm>

#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

namespace {

// A tuple of numbers or an array of one dimension.
struct Items {
  ir::Expr* value = nullptr;  // null: neither
  std::vector<const Type*> types{};

  bool is_array() const { return value->type->is_array(); }
  template <class F>
  bool all(F&& f) const {
    return std::all_of(types.begin(), types.end(), f);
  }
};

bool is_whole(const Type* type) { return type->is_int() || type->is_bool(); }
bool is_real(const Type* type) { return type->is_real(); }

Items items_of(Emitter& in, const Operand& o, Span span) {
  if (!o.is_value()) return {};
  ir::Expr* e = unwrap(in, o.value(), span);
  if (e->type->is_array() && e->type->rank == 1) return {e, {e->type->elem}};
  const auto scalar = [](const Type* item) { return item->is_scalar(); };
  if (!e->type->is_tuple()) return {};
  Items items{e, {e->type->items.begin(), e->type->items.end()}};
  return items.all(scalar) ? items : Items{};
}

// A tuple with every item of this type; arrays stay as they are.
ir::Expr* uniform(Emitter& in, const Items& items, const Type* type, Span span) {
  if (items.is_array() || items.all([&](const Type* t) { return t == type; })) return items.value;
  ir::Expr* tuple = items.value->kind == ir::ExprKind::kTuple ? items.value : in.once(items.value);
  std::vector<ir::Expr*> values;
  for (size_t k = 0; k < items.types.size(); ++k) {
    values.push_back(cast(in, tuple_item(in, tuple, int(k), span), type));
  }
  return in.make_tuple(std::move(values), span);
}

// `typed`: the result type is the C++ template argument.
Operand call_of(Emitter& in, const builtins::Row& row, std::vector<ir::Expr*> values,
                const Type* type, bool typed, Span span) {
  return to_operand(
      in.make(ir::Builtin{{ir::ExprKind::kBuiltin, type, span},
                          &row,
                          in.list(std::move(values)),
                          typed ? in.list(std::vector{type}) : ir::List<const Type*>{}}));
}

const Type* whole_type(const std::vector<const Type*>& types) {
  const bool wide = std::any_of(types.begin(), types.end(), [](const Type* t) {
    return t->is_int() && !t->is_signed && t->bits == 64;
  });
  return wide ? types::uint64() : types::int64();
}

ir::Expr* length(Emitter& in, const Items& items, Span span) {
  if (items.is_array()) return query(in, ir::QueryOp::kLen, items.value, 0, span);
  return in.const_int(int64_t(items.types.size()), types::int64(), span);
}

// Two sequences of one length, the arrays among them named.
bool both_of(Emitter& in, const Arguments& args, Items& p, Items& q, const char* message) {
  const auto bound = by_name(in, args, {"p", "q"}, 2);
  if (!bound) return false;
  p = items_of(in, (*bound)[0], args.span);
  q = items_of(in, (*bound)[1], args.span);
  if (!p.value || !q.value || !p.all(is_real) || !q.all(is_real)) {
    bad_arguments(in, args);
    return false;
  }
  for (Items* items : {&p, &q}) {
    if (items->value->kind != ir::ExprKind::kTuple) items->value = in.once(items->value, "items");
  }
  ir::Expr *m = length(in, p, args.span), *n = length(in, q, args.span);
  if (!p.is_array() && !q.is_array()) {
    in.raise_if(in.const_bool(p.types.size() != q.types.size()), "ValueError", message, args.span);
  } else {
    in.raise_if(make_compare(in, types::CompareOp::kNe, m, n, args.span), "ValueError", message,
                args.span);
  }
  return true;
}

Operand dist(Emitter& in, const Arguments& args) {
  Items p, q;
  if (!both_of(in, args, p, q, "both points must have the same number of dimensions")) {
    return error();
  }
  const Type* f64 = types::float64();
  return call_of(in, builtins::row(builtins::Id::math_dist),
                 {uniform(in, p, f64, args.span), uniform(in, q, f64, args.span)}, f64, false,
                 args.span);
}

Operand fsum(Emitter& in, const Arguments& args) {
  const auto bound = by_name(in, args, {"seq"}, 1);
  if (!bound) return error();
  const Items items = items_of(in, (*bound)[0], args.span);
  if (!items.value || !items.all(is_real)) return bad_arguments(in, args);
  const Type* f64 = types::float64();
  return call_of(in, builtins::row(builtins::Id::math_fsum), {uniform(in, items, f64, args.span)},
                 f64, false, args.span);
}

// The type that a product of numbers of this type has: no narrower than Python's own.
const Type* widened(const Type* type) {
  if (is_whole(type)) return whole_type({type});
  return type->is_complex() ? types::complex128() : types::float64();
}

// math.prod(t): a * b * c; of an array a function of the runtime.
Operand prod(Emitter& in, const Arguments& args) {
  const auto bound = by_name(in, args, {"iterable", "start"}, 1);
  if (!bound) return error();
  const Items items = items_of(in, (*bound)[0], args.span);
  const bool started = !(*bound)[1].is_error();
  ir::Expr* start = started ? value_of(in, (*bound)[1], args.span) : nullptr;
  if (!items.value || (start && !start->type->is_scalar())) return bad_arguments(in, args);
  if (items.is_array()) {
    const Type* type = widened(items.types[0]);
    if (start) type = types::binary(types::BinaryOp::kMul, start->type, type, in.dialect()).result;
    std::vector<ir::Expr*> values{items.value};
    if (start) values.push_back(cast(in, start, type));
    return call_of(in, builtins::row(builtins::Id::math_prod), std::move(values), type, true,
                   args.span);
  }
  ir::Expr* tuple = items.value->kind == ir::ExprKind::kTuple ? items.value : in.once(items.value);
  ir::Expr* product = start;
  for (size_t k = 0; k < items.types.size(); ++k) {
    ir::Expr* item = tuple_item(in, tuple, int(k), args.span);
    product = product ? binary(in, ast::Operator::kMult, product, item, args.span)
                      : cast(in, item, widened(item->type));
  }
  return to_operand(product ? product : in.const_int(1, types::int64(), args.span));
}

// Which way CPython sums: exact integers first, then floats with their rounding errors, and plainly
// from the first pair on that has no float.
Operand sumprod_of_tuples(Emitter& in, const builtins::Row& row, Items p, Items q, Span span) {
  const size_t n = p.types.size();
  const auto whole = [&](size_t k) { return is_whole(p.types[k]) && is_whole(q.types[k]); };
  const auto part = [&](const Items& items, size_t from, size_t to, const Type* type) {
    std::vector<ir::Expr*> values;
    for (size_t k = from; k < to; ++k) {
      values.push_back(cast(in, tuple_item(in, items.value, int(k), span), type));
    }
    return in.make_tuple(std::move(values), span);
  };
  size_t first = 0;
  while (first < n && whole(first)) ++first;
  size_t last = first;
  while (last < n && !whole(last)) ++last;
  ir::Expr* total = nullptr;
  const auto add = [&](ir::Expr* e) {
    total = total ? binary(in, ast::Operator::kAdd, total, e, span) : e;
  };
  const auto run = [&](size_t from, size_t to, const Type* type) {
    if (from == to) return;
    const bool all = from == 0 && to == n;
    ir::Expr* a = all ? uniform(in, p, type, span) : part(p, from, to, type);
    ir::Expr* b = all ? uniform(in, q, type, span) : part(q, from, to, type);
    add(call_of(in, row, {a, b}, type, type->is_int(), span).value());
  };
  std::vector<const Type*> whole_types(p.types.begin(), p.types.begin() + long(first));
  whole_types.insert(whole_types.end(), q.types.begin(), q.types.begin() + long(first));
  run(0, first, whole_type(whole_types));
  run(first, last, types::float64());
  for (size_t k = last; k < n; ++k) {
    add(binary(in, ast::Operator::kMult, tuple_item(in, p.value, int(k), span),
               tuple_item(in, q.value, int(k), span), span));
  }
  return to_operand(total ? total : in.const_int(0, types::int64(), span));
}

Operand sumprod(Emitter& in, const Arguments& args) {
  Items p, q;
  if (!both_of(in, args, p, q, "Inputs are not the same length")) return error();
  if (!p.is_array() && !q.is_array()) {
    if (p.types.size() != q.types.size()) return to_operand(in.const_float(0));
    return sumprod_of_tuples(in, builtins::row(builtins::Id::math_sumprod), p, q, args.span);
  }
  const auto is_float = [](const Type* type) { return type->is_float(); };
  const bool whole = p.all(is_whole) && q.all(is_whole);
  if (!whole && !p.all(is_float) && !q.all(is_float)) return bad_arguments(in, args);
  const Type* type = types::float64();
  if (whole) {
    std::vector<const Type*> types = p.types;
    types.insert(types.end(), q.types.begin(), q.types.end());
    type = whole_type(types);
  }
  return call_of(in, builtins::row(builtins::Id::math_sumprod),
                 {uniform(in, p, type, args.span), uniform(in, q, type, args.span)}, type, whole,
                 args.span);
}

// numba.literal_unroll(items): loops over tuples are written out anyhow.
Operand literal_unroll(Emitter& in, const Arguments& args) {
  if (args.args.size() != 1 || !args.keywords.empty()) return bad_arguments(in, args);
  return args.args[0];
}

constexpr HandlerRow kHandlers[] = {{"numba.literal_unroll", literal_unroll},
                                    {"math.dist", dist},
                                    {"math.fsum", fsum},
                                    {"math.prod", prod},
                                    {"math.sumprod", sumprod}};

// Whether each item equals the argument x.
std::optional<std::vector<ir::Expr*>> equalities(Emitter& in, ir::Expr* tuple,
                                                 const Arguments& args) {
  const auto bound = by_name(in, args, {"value"}, 1);
  if (!bound) return std::nullopt;
  Operand x = (*bound)[0];
  if (x.is_value()) x.set_value(in.once(x.value(), "value"));
  if (tuple->kind != ir::ExprKind::kTuple) tuple = in.once(tuple, "items");
  std::vector<ir::Expr*> equal;
  for (size_t k = 0; k < tuple->type->items.size(); ++k) {
    const Operand item = to_operand(tuple_item(in, tuple, int(k), args.span));
    equal.push_back(compare(in, ast::CompareOperator::kEq, item, x, args.span));
    if (is_error(equal.back())) return std::nullopt;
  }
  return equal;
}

}  // namespace

// t.index(x): t[0] == x ? 0 : t[1] == x ? 1 : -1, and ValueError for -1.
Operand tuple_index(Emitter& in, ir::Expr* tuple, const Arguments& args) {
  const auto equal = equalities(in, tuple, args);
  if (!equal) return error();
  ir::Expr* index = in.const_int(-1, types::int64(), args.span);
  for (size_t k = equal->size(); k-- > 0;) {
    ir::Expr* found = in.const_int(int64_t(k), types::int64(), args.span);
    index = in.make(
        ir::Select{{ir::ExprKind::kSelect, types::int64(), args.span}, (*equal)[k], found, index});
  }
  index = in.once(index, "index");
  in.raise_if(make_compare(in, types::CompareOp::kLt, index, in.const_int(0), args.span),
              "ValueError", "tuple.index(x): x not in tuple", args.span);
  return to_operand(index);
}

Operand tuple_count(Emitter& in, ir::Expr* tuple, const Arguments& args) {
  const auto equal = equalities(in, tuple, args);
  if (!equal) return error();
  ir::Expr* count = nullptr;
  for (ir::Expr* e : *equal) {
    ir::Expr* one = cast(in, e, types::int64());
    count = count ? binary(in, ast::Operator::kAdd, count, one, args.span) : one;
  }
  return to_operand(count ? count : in.const_int(0, types::int64(), args.span));
}

std::span<const HandlerRow> items_handlers() { return kHandlers; }

}  // namespace pyk2cu::infer
