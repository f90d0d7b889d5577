// Subscripts: elements and views of arrays, items and slices of tuples, places to store to.
//
// In:   a base operand and an index operand, evaluated in that order.
// Out:  Element when every axis has an integer, else View of docs/typing.md#layouts;
//       Item for a constant tuple index, ItemAt with an IndexError check for another one.
// Signed indices may wrap, unsigned ones never do. With --boundscheck every index is checked
// by a statement first. `a[i][j]` becomes one Element.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#include "typeinfer/infer/constants.h"
#include "typeinfer/infer/lists.h"
#include "typeinfer/infer/stencil.h"
#include "typeinfer/infer/tables.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::infer {

using ir::Subscript;
using SubKind = ir::Subscript::Kind;
using types::Layout;

namespace {

constexpr int64_t kMostAxes = 8;  // of an array type that a message recommends

const ir::Const* int_const(const ir::Expr* e) {
  return e->kind == ir::ExprKind::kConst && e->type->is_int() ? ir::as<ir::Const>(e) : nullptr;
}

bool is_negative_const(const ir::Expr* e) {
  const ir::Const* c = int_const(e);
  return c && e->type->is_signed && c->value.integer < 0;
}

ir::Index make_index(ir::Expr* value) {
  const bool known_positive = int_const(value) && !is_negative_const(value);
  return {value, value->type->is_signed && !known_positive, false};
}

std::string quoted(const Type* type) { return "`" + types::print(type) + "`"; }

std::string named(const Operand& o) { return o.is_value() ? quoted(o.type()) : describe(o); }

// ---- tuples ------------------------------------------------------------------------------------

Operand range_error(Emitter& in, int64_t index, size_t size, Span span,
                    const ir::Expr* tuple = nullptr) {
  auto builder = in.report(span, diag::TupleIndexRange, index, Int(size));
  const ir::Local* shaped = tuple && index >= 0 ? array_of_shape(tuple) : nullptr;
  if (shaped) name_rank(in, builder, shaped, index + 1);
  return error();
}

// What a constant slice takes of `size` items: Python's slice.indices. Nothing when not constant.
std::optional<std::vector<int>> slice_items(const Operand& slice, size_t size) {
  int64_t bounds[3] = {INT64_MIN, INT64_MIN, 1};
  for (int i = 0; i < 3; ++i) {
    const Operand& part = slice.parts()[size_t(i)];
    if (part.is<None>()) continue;
    const ir::Const* c = part.is_value() ? int_const(part.value()) : nullptr;
    if (!c) return std::nullopt;
    bounds[i] = c->value.integer;
  }
  const int64_t n = int64_t(size), step = bounds[2];
  std::vector<int> items;
  if (step == 0) return std::nullopt;
  const auto clamp = [&](int64_t bound, int64_t missing) {
    if (bound == INT64_MIN) return missing;
    if (bound < 0) bound += n;
    return std::min(std::max<int64_t>(bound, step > 0 ? 0 : -1), step > 0 ? n : n - 1);
  };
  const int64_t lo = clamp(bounds[0], step > 0 ? 0 : n - 1);
  const int64_t hi = clamp(bounds[1], step > 0 ? n : -1);
  for (int64_t i = lo; step > 0 ? i < hi : i > hi; i += step) items.push_back(int(i));
  return items;
}

Operand dynamic_item(Emitter& in, ir::Expr* tuple, ir::Expr* index, Span span) {
  const Type* type = tuple->type;
  const auto n = int64_t(type->items.size());
  if (!type->is_uniform_tuple()) {
    in.report(span, diag::TupleConstantIndex, quoted(type));
    return error();
  }
  if (tuple->kind != ir::ExprKind::kLoad) tuple = in.spill(tuple, "items");
  index = in.once(index, "index");
  if (!in.on_cuda()) {
    ir::Expr* high =
        make_compare(in, types::CompareOp::kGe, index,
                     cast(in, in.const_int(n, types::int64(), span), index->type), span);
    ir::Expr* bad = high;
    if (index->type->is_signed) {
      ir::Expr* least = cast(in, in.const_int(-n, types::int64(), span), index->type);
      bad = logical(in, false, make_compare(in, types::CompareOp::kLt, index, least, span), high,
                    span);
    }
    in.raise_if(bad, "IndexError", "tuple index out of range", span);
  }
  return to_operand(
      in.make(ir::ItemAt{{ir::ExprKind::kItemAt, type->items[0], span}, tuple, make_index(index)}));
}

Operand tuple_subscript(Emitter& in, ir::Expr* tuple, const Operand& index, Span span) {
  const size_t size = tuple->type->items.size();
  if (index.is<Slice>()) {
    const auto picked = slice_items(index, size);
    if (!picked) {
      in.report(span, diag::TupleConstantIndex, quoted(tuple->type));
      return error();
    }
    if (tuple->kind != ir::ExprKind::kTuple) tuple = in.once(tuple);
    std::vector<ir::Expr*> items;
    for (const int i : *picked) items.push_back(tuple_item(in, tuple, i, span));
    return to_operand(in.make_tuple(std::move(items), span));
  }
  ir::Expr* value = unwrap(in, value_of(in, index, index.span), span);
  if (is_error(value)) return error();
  if (value->type->is_bool()) value = cast(in, value, types::int64());
  if (!value->type->is_int()) {
    in.report(index.span.valid() ? index.span : span, diag::BadIndex, named(index));
    return error();
  }
  if (const ir::Const* c = int_const(value)) {
    int64_t i = c->value.integer;
    if (i < 0) i += int64_t(size);
    if (i < 0 || i >= int64_t(size)) return range_error(in, c->value.integer, size, span, tuple);
    return to_operand(tuple_item(in, tuple, int(i), span));
  }
  return dynamic_item(in, tuple, value, span);
}

Operand pack_subscript(Emitter& in, const Operand& pack, const Operand& index, Span span) {
  const ir::Const* c = index.is_value() ? int_const(index.value()) : nullptr;
  if (!c) {
    in.report(span, diag::TupleConstantIndex, "this tuple");
    return error();
  }
  const auto size = int64_t(pack.parts().size());
  int64_t i = c->value.integer;
  if (i < 0) i += size;
  if (i < 0 || i >= size) return range_error(in, c->value.integer, pack.parts().size(), span);
  return pack.parts()[size_t(i)];
}

// ---- arrays ------------------------------------------------------------------------------------

// The subscripts of one access, before they are fitted to the axes.
struct Axes {
  std::vector<Subscript> left{}, right{};  // before and after the ellipsis
  bool ellipsis = false;
  int consumed = 0, added = 0, integers = 0;

  std::vector<Subscript>& side() { return ellipsis ? right : left; }
};

bool is_full(const Subscript& s) { return s.kind == SubKind::kSlice && !s.lo && !s.hi && !s.step; }

Subscript full_slice() {
  Subscript s;
  s.kind = SubKind::kSlice;
  return s;
}

bool add_slice(Emitter& in, Axes& axes, const Operand& o, Span span) {
  Subscript s = full_slice();
  ir::Expr** slots[] = {&s.lo, &s.hi, &s.step};
  for (size_t i = 0; i < 3; ++i) {
    const Operand& part = o.parts()[i];
    if (part.is<None>()) continue;
    ir::Expr* e = unwrap(in, value_of(in, part, part.span), span);
    if (is_error(e)) return false;
    if (!e->type->is_int() && !e->type->is_bool()) {
      in.report(part.span.valid() ? part.span : span, diag::BadIndex, named(part));
      return false;
    }
    *slots[i] = cast(in, e, types::int64());
  }
  if (s.step && !in.on_cuda()) {
    const ir::Const* c = int_const(s.step);
    if (!c || c->value.integer == 0) {
      s.step = in.once(s.step, "step");
      in.raise_if(make_compare(in, types::CompareOp::kEq, s.step, in.const_int(0), span),
                  "ValueError", "slice step cannot be zero", span);
    }
  }
  axes.side().push_back(s);
  ++axes.consumed;
  return true;
}

bool add_subscript(Emitter& in, Axes& axes, const Operand& o, Span span);

bool add_value(Emitter& in, Axes& axes, const Operand& o, Span span) {
  ir::Expr* e = unwrap(in, o.value(), span);
  if (e->type->is_tuple()) {  // a[t]
    if (e->kind != ir::ExprKind::kTuple) e = in.once(e);
    for (size_t i = 0; i < e->type->items.size(); ++i) {
      Operand item = to_operand(tuple_item(in, e, int(i), span));
      item.span = o.span;
      if (!add_subscript(in, axes, item, span)) return false;
    }
    return true;
  }
  if (!e->type->is_int()) {
    const bool names = e->type->is_array() && (e->type->elem->is_int() || e->type->elem->is_bool());
    if (names) {
      in.report(span, diag::ArrayExpression, "an array as index")
          .help(
              "one array of one dimension is understood, among integers and slices none of which "
              "parts an integer from it; else write a loop over the elements");
    } else {
      auto builder = in.report(o.span.valid() ? o.span : span, diag::BadIndex, quoted(e->type));
      if (e->type->is_float()) builder.help("`//` divides to an integer, `int(x)` makes one");
      if (e->type->is_array()) builder.help("indices are integers, masks are bools");
    }
    return false;
  }
  Subscript s;
  s.index = make_index(e);
  axes.side().push_back(s);
  ++axes.consumed;
  ++axes.integers;
  return true;
}

bool add_subscript(Emitter& in, Axes& axes, const Operand& o, Span span) {
  if (o.is_error()) return false;
  if (o.is_value() && !o.type()->is_none()) return add_value(in, axes, o, span);
  if (o.is_value() || o.is<None>()) {
    Subscript s;
    s.kind = SubKind::kNewAxis;
    axes.side().push_back(s);
    ++axes.added;
    return true;
  }
  if (o.is<Slice>()) return add_slice(in, axes, o, span);
  if (o.is<Ellipsis>() && axes.ellipsis) {
    in.report(span, diag::BadIndex, "a second `...`");
    return false;
  }
  if (o.is<Ellipsis>()) {
    axes.ellipsis = true;
    return true;
  }
  if (o.is<Pack>())
    return std::all_of(o.parts().begin(), o.parts().end(),
                       [&](const Operand& part) { return add_subscript(in, axes, part, span); });
  in.report(o.span.valid() ? o.span : span, diag::BadIndex, describe(o));
  return false;
}

bool keeps_contiguity(const Subscript& s, bool innermost) {
  return s.kind != SubKind::kSlice || (innermost && !s.step);
}

// `outer`: the subscripts from the outermost axis of the memory order inwards.
bool stays_contiguous(const std::vector<Subscript>& outer) {
  for (size_t i = 0; i < outer.size(); ++i) {
    bool innermost = true;
    for (size_t k = i + 1; k < outer.size(); ++k) {
      innermost = innermost && outer[k].kind == SubKind::kNewAxis;
    }
    if (!keeps_contiguity(outer[i], innermost)) return false;
  }
  return true;
}

// Numba's get_array_index_type, quirks included: what is not provably contiguous is A.
Layout view_layout(const Type* array, const Axes& axes) {
  std::vector<Subscript> left = axes.left, right = axes.right;
  const bool all = axes.consumed == array->rank;
  if (array->layout == Layout::kC) {
    if (all) {
      left.insert(left.end(), right.begin(), right.end());
      right.clear();
    }
    return right.empty() && stays_contiguous(left) ? Layout::kC : Layout::kA;
  }
  if (array->layout == Layout::kF) {
    if (all) {
      right.insert(right.begin(), left.begin(), left.end());
      left.clear();
    }
    return left.empty() && stays_contiguous({right.rbegin(), right.rend()}) ? Layout::kF
                                                                            : Layout::kA;
  }
  return Layout::kA;
}

void check_bounds(Emitter& in, ir::Expr* array, std::vector<Subscript>& subs, Span span) {
  int axis = 0;
  for (Subscript& s : subs) {
    if (s.kind == SubKind::kIndex) {
      ir::Expr* i = s.index.value = in.once(s.index.value, "index");
      ir::Expr* size = cast(in, query(in, ir::QueryOp::kShape, array, axis, span),
                            i->type->is_signed ? types::int64() : types::uint64());
      i = cast(in, i, size->type);
      ir::Expr* bad = make_compare(in, types::CompareOp::kGe, i, size, span);
      if (s.index.wrap) {
        ir::Expr* least = in.make(
            ir::Unary{{ir::ExprKind::kUnary, size->type, span}, types::UnaryOp::kNeg, size});
        bad =
            logical(in, false, make_compare(in, types::CompareOp::kLt, i, least, span), bad, span);
      }
      in.raise_if(bad, "IndexError", "index is out of bounds", span);
      s.index.check = true;
    }
    axis += s.kind != SubKind::kNewAxis;
  }
}

// One access of an array: the subscripts fitted to its axes.
struct Access {
  ir::Expr* array = nullptr;  // null: reported already
  std::vector<Subscript> subs{};
  Layout layout = Layout::kA;
  int rank = 0;  // of the result
  bool element = false;
};

// a[i][j]: if `array` is a view that only fixes leading axes, its array and indices.
void merge_view(Access& access) {
  if (access.array->kind != ir::ExprKind::kView) return;
  const auto* view = ir::as<ir::View>(access.array);
  std::vector<Subscript> indices;
  bool rest = false;
  for (const Subscript& s : view->subscripts) {
    if (s.kind == SubKind::kIndex && !rest) {
      indices.push_back(s);
    } else if (is_full(s)) {
      rest = true;
    } else {
      return;
    }
  }
  access.subs.insert(access.subs.begin(), indices.begin(), indices.end());
  access.array = view->array;
}

void report_rank(Emitter& in, const ir::Expr* array, int count, Span span) {
  const ir::Local* local = ir::loaded(array);
  const std::string name = local ? fmt::format("`{}`", local->name.str()) : "this array";
  auto builder = in.report(span, diag::RankMismatch, name, array->type->rank, count);
  if (local) name_rank(in, builder, local, count);
}

Access fit(Emitter& in, ir::Expr* array, const Operand& index, Span span) {
  Access access;
  Axes axes;
  if (!add_subscript(in, axes, index, span)) return access;
  const int rank = array->type->rank;
  if (axes.consumed > rank) {
    report_rank(in, array, axes.consumed, span);
    return access;
  }
  access.array = array;
  access.rank = rank - axes.integers + axes.added;
  access.element = access.rank == 0 && !holds_records(array->type);
  access.layout = view_layout(array->type, axes);
  access.subs = axes.left;
  for (int k = axes.consumed; k < rank; ++k) access.subs.push_back(full_slice());
  access.subs.insert(access.subs.end(), axes.right.begin(), axes.right.end());
  if (in.options().boundscheck && axes.integers > 0) {
    access.array = in.once(access.array);
    check_bounds(in, access.array, access.subs, span);
  } else if (access.element) {
    merge_view(access);
  }
  return access;
}

std::vector<ir::Index> indices_of(const Access& access) {
  std::vector<ir::Index> indices;
  for (const Subscript& s : access.subs) indices.push_back(s.index);
  return indices;
}

ir::Expr* make_view(Emitter& in, const Access& access, Span span) {
  const Type* from = access.array->type;
  const Type* type =
      types::array(from->elem, access.rank, access.layout, from->readonly, from->aligned);
  bool whole = type == from;
  for (const Subscript& s : access.subs) whole = whole && is_full(s);
  if (whole && access.array->kind == ir::ExprKind::kLoad) return access.array;
  return in.make(ir::View{{ir::ExprKind::kView, type, span}, access.array, in.list(access.subs)});
}

ir::Expr* make_access(Emitter& in, const Access& access, Span span) {
  if (!access.array) return in.error(span);
  if (!access.element) return make_view(in, access, span);
  const auto element = [&](ir::Expr* array) {
    return in.make(ir::Element{
        {ir::ExprKind::kElement, array->type->elem, span}, array, in.list(indices_of(access))});
  };
  if (access.array->kind != ir::ExprKind::kBuiltin) return element(access.array);
  const ir::Builtin& view = *ir::as<ir::Builtin>(access.array);  // z.imag[i] -> imag(z[i])
  using builtins::Id;
  if (view.row->id != Id::pyk_real && view.row->id != Id::pyk_imag) return element(access.array);
  ir::Expr* z = element(view.args[0]);
  return in.make(ir::Builtin{{ir::ExprKind::kBuiltin, access.array->type->elem, span},
                             view.row,
                             in.list(std::vector<ir::Expr*>{z})});
}

// Arithmetic on locals: may be written twice, `a[i + 1] += x`.
bool repeatable(const ir::Expr* e) {
  switch (e->kind) {
    case ir::ExprKind::kConst:
    case ir::ExprKind::kLoad:
    case ir::ExprKind::kLane:
    case ir::ExprKind::kQuery:
      return true;
    case ir::ExprKind::kItem:
      return repeatable(ir::as<ir::Item>(e)->tuple);
    case ir::ExprKind::kConvert:
      return repeatable(ir::as<ir::Convert>(e)->operand);
    case ir::ExprKind::kUnary:
      return repeatable(ir::as<ir::Unary>(e)->operand);
    case ir::ExprKind::kBinary:
      return repeatable(ir::as<ir::Binary>(e)->left) && repeatable(ir::as<ir::Binary>(e)->right);
    default:
      return false;
  }
}

}  // namespace

const ir::Local* array_of_shape(const ir::Expr* tuple) {
  if (tuple->kind != ir::ExprKind::kTuple) return nullptr;
  const ir::Local* local = nullptr;
  for (const ir::Expr* item : ir::as<ir::Tuple>(tuple)->items) {
    const auto* query = ir::try_as<ir::Query>(item);
    if (!query || query->op != ir::QueryOp::kShape) return nullptr;
    const ir::Local* asked = ir::loaded(query->operand);
    if (!asked || (local && local != asked)) return nullptr;
    local = asked;
  }
  return local;
}

void name_rank(Emitter& in, Diagnostics::Builder& builder, const ir::Local* array, int64_t rank) {
  const Span declared = in.context().declared_at(array);
  if (!declared.valid() || rank > kMostAxes) return;
  const std::string type = types::print(array->type);
  if (!in.context().has_signature()) {
    builder.note(declared, diag::AssignedHere, array->name.str(), type);
    return;
  }
  builder.note(declared, diag::DeclaredAs, array->name.str(), type)
      .fix(declared, types::print(types::array(array->type->elem, int(rank), Layout::kA)));
}

Operand subscript_of(Emitter& in, const Operand& base, const Operand& index, Span span) {
  if (base.is_error() || index.is_error()) return error();
  if (base.is<Pack>()) return pack_subscript(in, base, index, span);
  if (base.is<Flat>()) return flat_item(in, base.as<Flat>(), index, span);
  if (base.is<Range>()) return range_item(in, base.as<Range>(), index, span);
  if (base.is<Str>() && index.is_value() && int_const(index.value())) {
    int64_t i = int_const(index.value())->value.integer;
    if (i < 0) i += int64_t(base.as<Str>().text.size());
    if (i < 0 || i >= int64_t(base.as<Str>().text.size())) {
      return range_error(in, i, base.as<Str>().text.size(), span);
    }
    return {Str{base.as<Str>().text.substr(size_t(i), 1)}, base.span};
  }
  ir::Expr* whole = unwrap(in, value_of(in, base, base.span), span);
  if (is_error(whole)) return error();
  if (whole->type->is_tuple()) return tuple_subscript(in, whole, index, span);
  if (whole->type->is_list()) return list_item(in, whole, index, span);
  if (whole->type->is_dict()) return dict_item(in, whole, index, span);
  if (whole->type->is_array()) {
    if (auto field = field_at(in, whole, index, span)) return *field;
    if (const auto of = picks(in, whole, index, span)) return to_operand(picked(in, *of, span));
    return to_operand(make_access(in, fit(in, whole, index, span), span));
  }
  in.report(span, diag::NotSubscriptable, types::print(whole->type));
  return error();
}

namespace {

// An item of a dict of the module: D["A"], flags.D["A"]. Nothing where the base is none.
std::optional<Operand> dict_subscript(Expressions& in, const ast::Subscript& e) {
  const ast::Expr* root = e.value;
  while (const auto* path = ast::as<ast::Attribute>(root)) root = path->value;
  const auto* name = ast::as<ast::Name>(root);
  if (!name || in.names().versions().locals.contains(name->id)) return std::nullopt;
  const decorators::ModuleInfo& module = in.emitter().context().module();
  const decorators::Binding* base = module.meaning(*e.value);
  const bool is_dict = base && base->kind == decorators::Binding::Kind::kConstant &&
                       base->value->kind == fold::Value::Kind::kDict;
  if (!is_dict) return std::nullopt;
  const auto value = fold::fold(e, decorators::ModuleScope(module));
  if (!value) return std::nullopt;
  return constant(in.emitter(), *value, name->id, e.span);
}

}  // namespace

Operand subscript(Expressions& in, const ast::Subscript& e) {
  if (const auto item = dict_subscript(in, e)) return *item;
  const std::vector<Operand> parts = operands(in, {e.value, e.slice});
  return subscript_of(in.emitter(), parts[0], from_point(in, e, parts[1]), e.span);
}

Place place(Expressions& expressions, const ast::Subscript& target, bool updated) {
  Emitter& in = expressions.emitter();
  Place where;
  where.span = target.span;
  const std::vector<Operand> parts = operands(expressions, {target.value, target.slice});
  if (refuses_store(expressions, target)) return where;
  if (parts[0].is<Flat>()) return flat_place(in, parts[0].as<Flat>(), parts[1], target.span);
  ir::Expr* array = unwrap(in, value_of(in, parts[0], target.value->span), target.span);
  if (is_error(array) || parts[1].is_error()) return where;
  if (array->type->is_list()) return list_place(in, array, parts[1], updated, target.span);
  if (array->type->is_dict())
    return dict_place(in, array, parts[1], updated, site_of(*target.value), target.span);
  if (!array->type->is_array()) {
    if (array->type->is_tuple()) {
      in.report(target.span, diag::TupleStore);
    } else {
      in.report(target.span, diag::NotSubscriptable, types::print(array->type));
    }
    return where;
  }
  if (const auto field = field_at(in, array, parts[1], target.span))
    return place_of_field(value_of(in, *field, target.span), target.span);
  return place_in(in, array, parts[1], target.span);
}

Place place_in(Emitter& in, ir::Expr* array, const Operand& index, Span span) {
  Place place;
  place.span = span;
  if (const auto of = picks(in, array, index, span)) {
    place.kind = Place::Kind::kPicked;
    place.array = in.once(of->array, "items");
    place.picks = in.once(of->index, "index");
    place.axis = of->axis;
    place.type = place.array->type;
    return place;
  }
  const Access access = fit(in, array, index, span);
  if (!access.array) return place;
  if (!access.element) {
    place.kind = Place::Kind::kView;
    place.view = make_view(in, access, span);
    place.type = place.view->type;
    return place;
  }
  place.kind = Place::Kind::kElement;
  place.array = access.array;
  place.indices = indices_of(access);
  place.type = access.array->type->elem;
  return place;
}

ir::Expr* load(Emitter& in, Place& place, Span span) {
  switch (place.kind) {
    case Place::Kind::kElement:
      for (ir::Index& index : place.indices) {
        if (!repeatable(index.value)) index.value = in.once(index.value, "index");
      }
      return in.make(ir::Element{
          {ir::ExprKind::kElement, place.type, span}, place.array, in.list(place.indices)});
    case Place::Kind::kView:
      return place.view;
    case Place::Kind::kPicked:
      return picked(in, {place.array, place.picks, place.axis}, span);
    case Place::Kind::kItem:
      return list_item_at(in, place.array, place.picks, span);
    case Place::Kind::kKey:
      return place.at ? dict_load(in, place, span) : in.error(span);
    case Place::Kind::kError:
      break;
  }
  return in.error(span);
}

ir::Expr* row(Emitter& in, ir::Expr* array, ir::Expr* index, bool wrap, Span span) {
  Access access = fit(in, array, to_operand(index), span);
  if (!access.array) return in.error(span);
  for (Subscript& s : access.subs) {
    if (s.kind == SubKind::kIndex && s.index.value == index) s.index.wrap = s.index.wrap && wrap;
  }
  return make_access(in, access, span);
}

}  // namespace pyk2cu::infer
