// Arrays that functions make: np.empty, zeros, ones, full and their _like forms, copy, astype,
// array, eye; and the indices of arrays: np.ndindex, ndenumerate.
//
// In:   shape, fill value, dtype; an array to imitate; items.  Out: an array held by a temporary
// that an ir::NewArray sets (ir.h, invariant 1); copies are loops over its elements.
// A negative dimension raises ValueError. Kernels cannot allocate.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp and tests/run/test_displays.py.
#include "typeinfer/infer/expr.h"
#include "typeinfer/infer/lists.h"

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
    if (type->is_record()) return type;
    return in.context().has_form(type, o.span.valid() ? o.span : args.span) ? type : nullptr;
  }
  bad_arguments(in, args);
  return nullptr;
}

ir::Expr* new_array(Emitter& in, Fill fill, const Type* type, std::vector<ir::Expr*> shape,
                    ir::Expr* value, Span span) {
  if (type->elem->is_record() && (fill == Fill::kOne || fill == Fill::kValue)) {
    in.not_supported(span, "an array of records other than of zeros", "store into np.zeros(…)");
    return in.error(span);
  }
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

std::string axis_name(size_t axis) { return {"ijkl"[std::min<size_t>(axis, 3)]}; }

ir::For* emit_count(Emitter& in, ir::Local* index, int64_t first, ir::Expr* n, ir::Block* body,
                    Span span) {
  ir::For* loop = in.make(ir::For{{ir::StmtKind::kFor, span},
                                  index,
                                  in.const_int(first, types::int64(), span),
                                  n,
                                  in.const_int(1, types::int64(), span),
                                  ir::LoopKind::kSerial,
                                  body});
  in.emit(loop);
  return loop;
}

ir::For* count_to(Emitter& in, ir::Expr* n, Span span, const std::function<void(ir::Local*)>& body,
                  std::string_view stem) {
  ir::Local* index = in.temp(stem, types::int64(), span);
  return emit_count(in, index, 0, n, in.into_block([&] { body(index); }), span);
}

namespace {

ir::List<ir::Index> indices_at(Emitter& in, const std::vector<ir::Local*>& at, Span span) {
  std::vector<ir::Index> indices;
  for (ir::Local* i : at) indices.push_back({in.load(i, span), false, false});
  return in.list(indices);
}

}  // namespace

ir::Expr* element_at(Emitter& in, ir::Expr* array, const std::vector<ir::Local*>& at, Span span) {
  return in.make(ir::Element{
      {ir::ExprKind::kElement, array->type->elem, span}, array, indices_at(in, at, span)});
}

void store_at(Emitter& in, ir::Expr* array, const std::vector<ir::Local*>& at, ir::Expr* value,
              Span span) {
  in.emit(in.make(
      ir::Store{{ir::StmtKind::kStore, span}, {nullptr, array, indices_at(in, at, span)}, value}));
}

void copy_elements(Emitter& in, ir::Expr* to, ir::Expr* from, std::vector<ir::Local*> at,
                   Span span) {
  const auto axis = int(at.size());
  if (axis == to->type->rank) {
    ir::Expr* element = convert(in, element_at(in, from, at, span), to->type->elem, span);
    return store_at(in, to, at, element, span);
  }
  count_to(in, query(in, ir::QueryOp::kShape, to, axis, span), span, [&](ir::Local* index) {
    std::vector<ir::Local*> inside = at;
    inside.push_back(index);
    copy_elements(in, to, from, std::move(inside), span);
  });
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

Operand dtype_(Emitter& in, const Arguments& args) {
  if (args.args.size() == 1 && args.keywords.empty()) {
    if (const Type* type = named_type(args.args[0])) return {DType{type}, args.span};
  }
  return bad_arguments(in, args);
}

// np.iinfo(np.int32), np.finfo(a.dtype), np.finfo(a), np.finfo(0.5)
Operand limits(Emitter& in, const Arguments& args) {
  const bool one = args.args.size() == 1 && args.keywords.empty();
  const Type* type = one ? named_type(args.args[0]) : nullptr;
  if (one && !type && args.args[0].is_value()) {
    type = args.args[0].type();
    if (type->is_array()) type = type->elem;
  }
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

// ---- arrays of what is written out ----

// The items of a tuple of tuples, and how many there are along each axis. False: they are no block.
bool collect(Emitter& in, ir::Expr* tuple, size_t axis, std::vector<int64_t>& shape,
             std::vector<ir::Expr*>& items, Span span) {
  if (tuple->kind != ir::ExprKind::kTuple) tuple = in.once(tuple);
  const auto count = int64_t(tuple->type->items.size());
  if (axis == shape.size()) {
    if (!items.empty() || count == 0) return false;
    shape.push_back(count);
  }
  if (shape[axis] != count) return false;
  for (int64_t k = 0; k < count; ++k) {
    ir::Expr* item = unwrap(in, tuple_item(in, tuple, int(k), span), span);
    if (item->type->is_tuple() ? !collect(in, item, axis + 1, shape, items, span)
                               : !item->type->is_scalar() || axis + 1 != shape.size())
      return false;
    if (!item->type->is_tuple()) items.push_back(item);
  }
  return true;
}

// Of an array: a copy, or the array itself where the function need not copy it. `made`: just now.
Operand array_again(Emitter& in, ir::Expr* array, bool made, const Operand& dtype,
                    const Arguments& args) {
  const Type* from = array->type;
  const Type* elem = dtype_argument(in, dtype, from->elem, args);
  if (!elem) return error();
  if (from->elem->is_complex() && !elem->is_complex()) return bad_arguments(in, args);
  const bool whole = args.path == "np.ascontiguousarray";
  const bool stays =
      made || args.path == "np.asarray" || (whole && from->layout == types::Layout::kC);
  if (stays && elem == from->elem) return to_operand(array);
  const types::Layout layout =
      from->layout == types::Layout::kF && !whole ? types::Layout::kF : types::Layout::kC;
  return to_operand(copy_as(in, array, types::array(elem, from->rank, layout), args.span));
}

// np.array([[a, b], [c, d]]), np.array((a, b)), np.array(x); np.asarray of an array is the array,
// np.ascontiguousarray of one in C order.
Operand array_(Emitter& in, const Arguments& args) {
  if (!on_host(in, args)) return error();
  const auto bound = by_name(in, args, {"object", "dtype"}, 1);
  if (!bound) return error();
  const Operand& given = (*bound)[0];
  if (!given.is_value()) return bad_arguments(in, args);
  ir::Expr* object = unwrap(in, given.value(), args.span);
  const bool is_list = object->type->is_list();
  if (is_list) object = array_of_list(in, object, args.span);
  if (is_error(object)) return error();
  if (object->type->is_array()) return array_again(in, object, is_list, (*bound)[1], args);
  std::vector<int64_t> shape;
  std::vector<ir::Expr*> items;
  if (object->type->is_scalar()) {
    items.push_back(object);
  } else if (!object->type->is_tuple() || !collect(in, object, 0, shape, items, args.span)) {
    in.report(args.span, diag::BadArguments, args.path, "such items")
        .help(
            "they are numbers, or rows of numbers that are as long as one another; of others make "
            "an array with `np.empty` and assign its elements");
    return error();
  }
  const Type* common = nullptr;
  for (const ir::Expr* item : items) {
    const Type* type = item->type;
    common = common ? types::numpy_promote(common, type) : type;
  }
  const Type* elem = dtype_argument(in, (*bound)[1], common, args);
  if (!elem) return error();
  std::vector<ir::Expr*> extents;
  for (const int64_t n : shape) extents.push_back(in.const_int(n, types::int64(), args.span));
  for (ir::Expr*& item : items) {
    if (item->type->is_complex() && !elem->is_complex()) return bad_arguments(in, args);
    item = in.once(convert(in, item, elem, args.span), "item");
  }
  const Type* type = types::array(elem, int(shape.size()), types::Layout::kC);
  if (shape.empty()) return to_operand(new_array(in, Fill::kValue, type, {}, items[0], args.span));
  ir::Expr* made =
      new_array(in, Fill::kUninitialized, type, std::move(extents), nullptr, args.span);
  for (size_t k = 0; k < items.size(); ++k) {
    std::vector<ir::Index> at(shape.size());
    auto rest = int64_t(k);
    for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
      at[axis] = {in.const_int(rest % shape[axis], types::int64(), args.span), false, false};
    in.emit(in.make(
        ir::Store{{ir::StmtKind::kStore, args.span}, {nullptr, made, in.list(at)}, items[k]}));
  }
  return to_operand(made);
}

// np.eye(n, m), np.identity(n)
Operand eye(Emitter& in, const Arguments& args) {
  if (!on_host(in, args)) return error();
  const bool square = args.path == "np.identity";
  const auto bound = square ? by_name(in, args, {"n", "dtype"}, 1)
                            : by_name(in, args, {"N", "M", "k", "dtype"}, 1);
  if (!bound) return error();
  if (!square && !(*bound)[2].is_error()) return bad_arguments(in, args);
  const Type* elem = dtype_argument(in, bound->back(), types::float64(), args);
  std::vector<ir::Expr*> shape;
  if (!elem || !add_dimension(in, (*bound)[0], shape, args)) return error();
  shape[0] = in.once(shape[0], "rows");
  const bool has_columns = !square && !(*bound)[1].is_error() && !(*bound)[1].is<None>();
  if (!has_columns)
    shape.push_back(shape[0]);
  else if (!add_dimension(in, (*bound)[1], shape, args))
    return error();
  shape[1] = in.once(shape[1], "columns");
  const Type* type = types::array(elem, 2, types::Layout::kC);
  ir::Expr* made = new_array(in, Fill::kZero, type, shape, nullptr, args.span);
  ir::Expr* count =
      has_columns ? in.make(ir::Select{
                        {ir::ExprKind::kSelect, types::int64(), args.span},
                        make_compare(in, types::CompareOp::kLt, shape[1], shape[0], args.span),
                        shape[1],
                        shape[0]})
                  : shape[0];
  ir::Local* index = in.temp("i", types::int64(), args.span);
  ir::Expr* one = convert(in, in.const_int(1, types::int64(), args.span), elem, args.span);
  ir::Block* body = in.into_block([&] {
    const ir::Index at{in.load(index, args.span), false, false};
    in.emit(in.make(ir::Store{{ir::StmtKind::kStore, args.span},
                              {nullptr, made, in.list(std::vector<ir::Index>{at, at})},
                              one}));
  });
  in.emit(in.make(ir::For{{ir::StmtKind::kFor, args.span},
                          index,
                          in.const_int(0, types::int64(), args.span),
                          count,
                          in.const_int(1, types::int64(), args.span),
                          ir::LoopKind::kSerial,
                          body}));
  return to_operand(made);
}

// np.ndindex(shape), np.ndindex(n, m), np.ndenumerate(a)
Operand grid(Emitter& in, const Arguments& args) {
  if (!args.keywords.empty() || args.args.empty()) return bad_arguments(in, args);
  Grid made;
  if (args.path == "np.ndenumerate") {
    made.array = args.args.size() == 1 ? array_of(in, args.args[0], args.span) : nullptr;
    if (!made.array) return bad_arguments(in, args);
    made.array = in.once(made.array, "items");
    made.extents = extents(in, made.array, args.span);
  } else if (args.args.size() == 1) {
    if (!shape_argument(in, args.args[0], made.extents, args)) return error();
  } else {
    for (const Operand& o : args.args)
      if (!add_dimension(in, o, made.extents, args)) return error();
  }
  return {std::move(made), args.span};
}

constexpr HandlerRow kHandlers[] = {
    {"numpy.array", array_},
    {"numpy.asarray", array_},
    {"numpy.ascontiguousarray", array_},
    {"numpy.copy", copy_},
    {"numpy.eye", eye},
    {"numpy.identity", eye},
    {"numpy.ndenumerate", grid},
    {"numpy.ndindex", grid},
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

bool takes_lists(std::string_view path) {
  return path == "numpy.array" || path == "numpy.asarray" || path == "numpy.ascontiguousarray" ||
         path == "numpy.select";  // of arrays
}

std::span<const HandlerRow> array_handlers() { return kHandlers; }

}  // namespace pyk2cu::infer
