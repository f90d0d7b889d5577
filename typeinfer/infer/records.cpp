// Records: elements of structured arrays, and their fields.
//
// In:   arrays whose elements are records, names of fields.  Out: views.
// A record by itself is a view of rank 0, as `r = a[i]` shows the array's memory in Numba. A field
// of an array is a view of all its elements' fields, `a[i].x` an element of that view: what knows
// arrays and views knows records. Tested by tests/run/test_records.py.
#include "typeinfer/types/records.h"

#include "frontend/base/suggest.h"
#include "typeinfer/infer/assign.h"
#include "typeinfer/infer/constants.h"
#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

namespace {

// The indices of a view of one element; nothing of another.
std::optional<std::vector<ir::Index>> indices_of_element(const ir::Expr* e) {
  const auto* view = ir::try_as<ir::View>(e);
  if (!view || view->type->rank != 0) return std::nullopt;
  std::vector<ir::Index> indices;
  for (const ir::Subscript& s : view->subscripts) indices.push_back(s.index);
  return indices;
}

ir::Expr* view_of_field(Emitter& in, ir::Expr* array, size_t k, Span span) {
  const Type* record = array->type->elem;
  const Type* field = record->items[k];
  const Type* type = types::field_view(array->type, k);
  std::vector<ir::Expr*> args{array, in.const_int(record->numbers[k], types::int32(), span)};
  if (field->kind == types::Kind::kNested)
    for (const int64_t extent : field->numbers)
      args.push_back(in.const_int(extent, types::int32(), span));
  using builtins::Id;
  const auto id = type->aligned ? Id::pyk_field : Id::pyk_packed_field;
  return in.make(ir::Builtin{{ir::ExprKind::kBuiltin, type, span},
                             &builtins::row(id),
                             in.list(std::move(args)),
                             in.list(std::vector<const Type*>{type->elem})});
}

}  // namespace

ir::Expr* field_of(Emitter& in, ir::Expr* array, size_t k, Span span) {
  const Type* field = array->type->elem->items[k];
  if (field->kind == types::Kind::kOpaque) {
    in.report(span, diag::NotYet, fmt::format("a field of dtype {}", field->name.str()))
        .help("the other fields of the record are there");
    return in.error(span);
  }
  const bool is_one = array->type->rank == 0;
  const auto indices = is_one ? indices_of_element(array) : std::nullopt;
  ir::Expr* whole = indices ? ir::as<ir::View>(array)->array : array;
  ir::Expr* view = view_of_field(in, whole, k, span);
  if (!is_one) return view;
  if (field->is_scalar())
    return in.make(ir::Element{{ir::ExprKind::kElement, field, span},
                               view,
                               indices ? in.list(*indices) : ir::List<ir::Index>()});
  if (!indices) return view;
  std::vector<ir::Subscript> row(view->type->rank);
  for (size_t axis = 0; axis < row.size(); ++axis) {
    row[axis].kind = ir::Subscript::Kind::kSlice;
    if (axis < indices->size())
      row[axis] = {ir::Subscript::Kind::kIndex, (*indices)[axis], nullptr, nullptr, nullptr};
  }
  const int rank = view->type->rank - int(indices->size());
  return in.make(ir::View{{ir::ExprKind::kView, types::with_rank(view->type, rank), span},
                          view,
                          in.list(std::move(row))});
}

std::optional<size_t> find_field(Emitter& in, const Type* array, std::string_view name, Span span) {
  const Type* record = array->elem;
  const auto found = types::find_field(record, Symbol(name));
  if (found) return found;
  std::vector<std::string_view> names;
  for (const Symbol one : record->names) names.push_back(one.str());
  auto builder = in.report(span, diag::NoField, std::string(name),
                           fmt::format("{}", fmt::join(names, "`, `")));
  if (const auto near = closest(name, names); !near.empty())
    builder.help("did you mean `" + std::string(near) + "`?");
  return std::nullopt;
}

std::optional<Operand> field_at(Emitter& in, ir::Expr* array, const Operand& index, Span span) {
  if (!holds_records(array->type)) return std::nullopt;
  std::optional<size_t> k;
  if (index.is<Str>()) {
    k = find_field(in, array->type, index.as<Str>().text, index.span.valid() ? index.span : span);
    if (!k) return error();
  } else if (array->type->rank == 0 && index.is_value()) {
    const auto* c = ir::try_as<ir::Const>(index.value());
    if (c && c->type->is_int() && c->value.integer >= 0 &&
        size_t(c->value.integer) < array->type->elem->items.size())
      k = size_t(c->value.integer);
  }
  if (!k) return std::nullopt;
  return to_operand(field_of(in, array, *k, span));
}

Place place_of_field(ir::Expr* field, Span span) {
  Place where;
  where.span = span;
  if (is_error(field)) return where;
  where.type = field->type;
  if (auto* element = ir::try_as<ir::Element>(field)) {
    where.kind = Place::Kind::kElement;
    where.array = element->array;
    where.indices.assign(element->indices.begin(), element->indices.end());
  } else {
    where.kind = Place::Kind::kView;
    where.view = field;
  }
  return where;
}

Place place(Expressions& expressions, const ast::Attribute& target) {
  Emitter& in = expressions.emitter();
  const Operand base = expressions.operand(*target.value);
  Place where;
  where.span = target.span;
  if (base.is_error()) return where;
  ir::Expr* array = base.is_value() ? unwrap(in, base.value(), target.span) : nullptr;
  if (!array || !holds_records(array->type)) {
    in.not_supported(target.span, "assigning to an attribute");
    return where;
  }
  const auto k = find_field(in, array->type, target.attr.str(), target.span);
  return k ? place_of_field(field_of(in, array, *k, target.span), target.span) : where;
}

void store_record(Emitter& in, ir::Expr* to, ir::Expr* from, Span span) {
  if (from->type->is_tuple() && from->type->items.size() == to->type->elem->items.size()) {
    from = in.once(from, "items");
    for (size_t k = 0; k < from->type->items.size(); ++k) {
      ir::Expr* field = field_of(in, to, k, span);
      store(in, place_of_field(field, span), tuple_item(in, from, int(k), span), span);
    }
    return;
  }
  const bool same = from->type->is_array() && from->type->elem == to->type->elem;
  if (same && (to->type->rank > 0 || from->type->rank > 0))
    return in.not_supported(span, "a store of several records",
                            "store one record at a time: `a[i] = b[i]`");
  if (!same) {
    in.report(span, diag::CannotConvert, types::print(from->type), types::print(to->type));
    return;
  }
  in.emit(in.make(ir::Eval{{ir::StmtKind::kEval, span},
                           in.make(ir::Builtin{{ir::ExprKind::kBuiltin, types::void_(), span},
                                               &builtins::row(builtins::Id::pyk_copy_record),
                                               in.list(std::vector<ir::Expr*>{to, from})})}));
}

void settle_packed(Emitter& in, ir::Builtin& call) {
  const auto is_packed = [](const ir::Expr* arg) {
    return arg->type->is_array() && !arg->type->aligned;
  };
  if (call.row->takes_packed() || std::ranges::none_of(call.args, is_packed)) return;
  const bool shows = types::holds_array(call.type) && !call.row->makes_memory();
  if (call.row->writes() || shows || in.on_cuda()) {
    in.report(call.span, diag::NotYet, "a packed field as an array of this function")
        .help("`np.dtype(…, align=True)` puts fields where arrays may be; or write a loop");
    return;
  }
  std::vector<ir::Expr*> args(call.args.begin(), call.args.end());
  for (ir::Expr*& arg : args)
    if (is_packed(arg))
      arg = copy_as(in, arg, types::array(arg->type->elem, arg->type->rank, types::Layout::kC),
                    call.span);
  call.args = in.list(args);
}

}  // namespace pyk2cu::infer
