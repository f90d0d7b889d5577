// Arrays that functions make: np.empty, zeros, ones, full and their _like forms, copy, astype.
//
// In:   shape, fill value, dtype; an array to imitate.  Out: an array held by a temporary that an
// ir::NewArray sets (ir.h, invariant 1); copies are loops over its elements.
// A negative dimension raises ValueError. Kernels cannot allocate.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

using ir::Fill;

namespace {

bool never_negative(const ir::Expr* e) {
  if (e->kind == ir::ExprKind::kQuery || e->kind == ir::ExprKind::kLane) return true;
  if (e->kind != ir::ExprKind::kConst) return e->type->is_int() && !e->type->is_signed;
  return ir::as<ir::Const>(e)->value.integer >= 0 || !e->type->is_signed;
}

}  // namespace

bool on_host(Emitter& in, const Arguments& args) {
  if (!in.on_cuda()) return true;
  in.report(args.span, diag::NotOnCuda, args.path);
  return false;
}

bool add_dimension(Emitter& in, const Operand& o, std::vector<ir::Expr*>& shape,
                   const Arguments& args) {
  ir::Expr* e = o.is_value() ? unwrap(in, o.value(), args.span) : nullptr;
  if (!e || !(e->type->is_int() || e->type->is_bool())) {
    bad_arguments(in, args);
    return false;
  }
  ir::Expr* extent = cast(in, e, types::int64());
  if (!never_negative(e)) {
    extent = in.once(extent, "extent");
    in.raise_if(make_compare(in, types::CompareOp::kLt, extent, in.const_int(0), args.span),
                "ValueError", "negative dimensions not allowed", args.span);
  }
  shape.push_back(extent);
  return true;
}

const Type* dtype_argument(Emitter& in, const Operand& o, const Type* missing,
                           const Arguments& args) {
  if (o.is_error() || o.is<None>()) return missing;
  if (const Type* type = named_type(o)) {
    return in.context().has_form(type, o.span.valid() ? o.span : args.span) ? type : nullptr;
  }
  bad_arguments(in, args);
  return nullptr;
}

ir::Expr* new_array(Emitter& in, Fill fill, const Type* type, std::vector<ir::Expr*> shape,
                    ir::Expr* value, Span span) {
  return in.spill(
      in.make(ir::NewArray{
          {ir::ExprKind::kNewArray, type, span}, fill, in.list(std::move(shape)), value}),
      "array");
}

std::vector<ir::Expr*> extents(Emitter& in, ir::Expr* array, Span span) {
  std::vector<ir::Expr*> shape;
  for (int k = 0; k < array->type->rank; ++k) {
    shape.push_back(query(in, ir::QueryOp::kShape, array, k, span));
  }
  return shape;
}

void copy_elements(Emitter& in, ir::Expr* to, ir::Expr* from, std::vector<ir::Expr*> at,
                   Span span) {
  const auto axis = int(at.size());
  if (axis < to->type->rank) {
    ir::Local* index = in.temp("i", types::int64(), span);
    at.push_back(in.load(index, span));
    ir::Block* body = in.into_block([&] { copy_elements(in, to, from, std::move(at), span); });
    in.emit(in.make(ir::For{{ir::StmtKind::kFor, span},
                            index,
                            in.const_int(0, types::int64(), span),
                            query(in, ir::QueryOp::kShape, to, axis, span),
                            in.const_int(1, types::int64(), span),
                            ir::LoopKind::kSerial,
                            body}));
    return;
  }
  std::vector<ir::Index> indices;
  for (ir::Expr* i : at) indices.push_back({i, false, false});
  ir::Expr* element = in.make(
      ir::Element{{ir::ExprKind::kElement, from->type->elem, span}, from, in.list(indices)});
  in.emit(in.make(ir::Store{{ir::StmtKind::kStore, span},
                            {nullptr, to, in.list(indices)},
                            convert(in, element, to->type->elem, span)}));
}

ir::Expr* copy_as(Emitter& in, ir::Expr* array, const Type* type, Span span) {
  array = in.once(array);
  ir::Expr* copy =
      new_array(in, Fill::kUninitialized, type, extents(in, array, span), nullptr, span);
  copy_elements(in, copy, array, {}, span);
  return copy;
}

namespace {

bool shape_argument(Emitter& in, const Operand& o, std::vector<ir::Expr*>& shape,
                    const Arguments& args) {
  if (!o.is_value() || !o.type()->is_tuple()) return add_dimension(in, o, shape, args);
  ir::Expr* tuple = o.value();
  if (tuple->kind != ir::ExprKind::kTuple) tuple = in.once(tuple);
  for (size_t i = 0; i < tuple->type->items.size(); ++i) {
    const Operand item = to_operand(tuple_item(in, tuple, int(i), args.span));
    if (!add_dimension(in, item, shape, args)) return false;
  }
  return true;
}

bool order_argument(Emitter& in, const Operand& o, types::Layout& layout, const Arguments& args) {
  if (o.is_error() || o.is<None>()) return true;
  const std::string_view order = o.is<Str>() ? o.as<Str>().text : "";
  if (order == "C" || order == "K" || order == "A") return true;
  if (order == "F") {
    layout = types::Layout::kF;
    return true;
  }
  bad_arguments(in, args);
  return false;
}

// np.zeros(shape, dtype)
Operand filled(Emitter& in, const Arguments& args, Fill fill) {
  if (!on_host(in, args)) return error();
  const auto bound = by_name(in, args, {"shape", "dtype", "order"}, 1);
  if (!bound) return error();
  types::Layout layout = types::Layout::kC;
  std::vector<ir::Expr*> shape;
  const Type* elem = dtype_argument(in, (*bound)[1], types::float64(), args);
  if (!elem || !order_argument(in, (*bound)[2], layout, args)) return error();
  if (!shape_argument(in, (*bound)[0], shape, args)) return error();
  const Type* type = types::array(elem, int(shape.size()), layout);
  return to_operand(new_array(in, fill, type, std::move(shape), nullptr, args.span));
}

Operand empty(Emitter& in, const Arguments& args) { return filled(in, args, Fill::kUninitialized); }
Operand zeros(Emitter& in, const Arguments& args) { return filled(in, args, Fill::kZero); }
Operand ones(Emitter& in, const Arguments& args) { return filled(in, args, Fill::kOne); }

ir::Expr* fill_value(Emitter& in, const Operand& o, const Arguments& args) {
  ir::Expr* value = o.is_value() ? unwrap(in, o.value(), args.span) : nullptr;
  if (value && value->type->is_scalar()) return value;
  bad_arguments(in, args);
  return nullptr;
}

Operand full(Emitter& in, const Arguments& args) {
  if (!on_host(in, args)) return error();
  const auto bound = by_name(in, args, {"shape", "fill_value", "dtype"}, 2);
  if (!bound) return error();
  ir::Expr* value = fill_value(in, (*bound)[1], args);
  if (!value) return error();
  const Type* elem = dtype_argument(in, (*bound)[2], value->type, args);
  std::vector<ir::Expr*> shape;
  if (!elem || !shape_argument(in, (*bound)[0], shape, args)) return error();
  const Type* type = types::array(elem, int(shape.size()), types::Layout::kC);
  value = convert(in, value, elem, args.span);
  return to_operand(new_array(in, Fill::kValue, type, std::move(shape), value, args.span));
}

// np.zeros_like(a, dtype): of a scalar a 0-d array; F stays F, everything else becomes C.
Operand like(Emitter& in, const Arguments& args, Fill fill) {
  if (!on_host(in, args)) return error();
  const bool with_value = fill == Fill::kValue;
  const auto bound =
      with_value
          ? by_name(in, args, {"a", "fill_value", "dtype"}, 2)
          : by_name(in, args, {fill == Fill::kUninitialized ? "prototype" : "a", "dtype"}, 1);
  if (!bound) return error();
  const Operand& model = (*bound)[0];
  if (!model.is_value()) return bad_arguments(in, args);
  const bool is_array = model.type()->is_array();
  if (!is_array && !model.type()->is_scalar()) return bad_arguments(in, args);
  const Type* elem =
      dtype_argument(in, bound->back(), is_array ? model.type()->elem : model.type(), args);
  if (!elem) return error();
  ir::Expr* value = nullptr;
  if (with_value) {
    value = fill_value(in, (*bound)[1], args);
    if (!value) return error();
    value = convert(in, value, elem, args.span);
  }
  if (!is_array) {
    return to_operand(
        new_array(in, fill, types::array(elem, 0, types::Layout::kC), {}, value, args.span));
  }
  ir::Expr* array = in.once(model.value());
  const bool f = array->type->layout == types::Layout::kF;
  const Type* type =
      types::array(elem, array->type->rank, f ? types::Layout::kF : types::Layout::kC);
  return to_operand(new_array(in, fill, type, extents(in, array, args.span), value, args.span));
}

Operand empty_like(Emitter& in, const Arguments& args) {
  return like(in, args, Fill::kUninitialized);
}
Operand zeros_like(Emitter& in, const Arguments& args) { return like(in, args, Fill::kZero); }
Operand ones_like(Emitter& in, const Arguments& args) { return like(in, args, Fill::kOne); }
Operand full_like(Emitter& in, const Arguments& args) { return like(in, args, Fill::kValue); }

// np.where(c, a, b) of three numbers: an array of no dimension.
Operand where(Emitter& in, const Arguments& args) {
  if (has_array(args)) return to_operand(array_expression(in, args.span, args.path + "()"));
  if (!on_host(in, args)) return error();
  const auto bound = by_name(in, args, {"condition", "x", "y"}, 3);
  if (!bound) return error();
  for (const Operand& o : *bound) {
    if (!o.is_value() || !o.type()->is_scalar()) return bad_arguments(in, args);
  }
  ir::Expr *yes = (*bound)[1].value(), *no = (*bound)[2].value();
  settle_literals(in, yes, no);
  const Type* elem = types::numpy_promote(yes->type, no->type);
  ir::Expr* value = in.make(ir::Select{{ir::ExprKind::kSelect, elem, args.span},
                                       truth(in, (*bound)[0].value(), args.span),
                                       cast(in, yes, elem),
                                       cast(in, no, elem)});
  const Type* type = types::array(elem, 0, types::Layout::kC);
  return to_operand(new_array(in, Fill::kValue, type, {}, value, args.span));
}

Operand dtype_(Emitter& in, const Arguments& args) {
  if (args.args.size() == 1 && args.keywords.empty()) {
    if (const Type* type = named_type(args.args[0])) return {DType{type}, args.span};
  }
  return bad_arguments(in, args);
}

// np.iinfo(np.int32), np.finfo(a.dtype)
Operand limits(Emitter& in, const Arguments& args) {
  const bool one = args.args.size() == 1 && args.keywords.empty();
  const Type* type = one ? named_type(args.args[0]) : nullptr;
  if (type && type->is_complex()) type = types::component(type);
  const bool fits = type && (args.path == "np.iinfo" ? type->is_int() : type->is_float());
  return fits ? Operand{TypeInfo{type}, args.span} : bad_arguments(in, args);
}

// np.copy(a) as a.copy()
Operand copy_(Emitter& in, const Arguments& args) {
  if (args.args.size() != 1 || !args.keywords.empty() || !args.args[0].is_value() ||
      !args.args[0].type()->is_array())
    return bad_arguments(in, args);
  Arguments none{.path = "copy", .span = args.span};
  return copy_array(in, args.args[0].value(), none);
}

constexpr HandlerRow kHandlers[] = {
    {"numpy.copy", copy_},
    {"numpy.finfo", limits},
    {"numpy.iinfo", limits},
    {"numpy.dtype", dtype_},
    {"numpy.empty", empty},
    {"numpy.empty_like", empty_like},
    {"numpy.full", full},
    {"numpy.full_like", full_like},
    {"numpy.ones", ones},
    {"numpy.ones_like", ones_like},
    {"numpy.zeros", zeros},
    {"numpy.where", where},
    {"numpy.zeros_like", zeros_like},
};

}  // namespace

Operand copy_array(Emitter& in, ir::Expr* array, const Arguments& args) {
  if (!on_host(in, args)) return error();
  const bool cast = args.path == "astype";
  const auto bound = by_name(in, args, {cast ? "dtype" : "order"}, cast ? 1 : 0);
  if (!bound) return error();
  const Type* elem = array->type->elem;
  if (cast) elem = dtype_argument(in, (*bound)[0], nullptr, args);
  if (!elem) return error();
  if (array->type->elem->is_complex() && !elem->is_complex()) return bad_arguments(in, args);
  const types::Layout layout =
      cast && array->type->layout == types::Layout::kF ? types::Layout::kF : types::Layout::kC;
  const Type* type = types::array(elem, array->type->rank, layout);
  return to_operand(copy_as(in, array, type, args.span));
}

std::span<const HandlerRow> array_handlers() { return kHandlers; }

}  // namespace pyk2cu::infer
