// Functions of lists: sum, min and max, also of arrays of one dimension, as loops in order, as
// CPython has them; heapq; NumPy's functions of lists of numbers.
//
// In, out: see lists.h. Sums are of Numba's types: 0 is an int64. NaN is what comparisons make of
// it. Tested by tests/run/test_lists.py.
#include "typeinfer/infer/list_parts.h"
#include "typeinfer/infer/tables.h"

namespace pyk2cu::infer {

using builtins::Id;
using ir::ExprKind;
using ir::StmtKind;

namespace {

struct Items {
  ir::Expr* count;
  std::function<ir::Expr*(ir::Expr*)> at;
};

Items items_of(Emitter& in, ir::Expr* of, Span span) {
  of = in.once(of, "items");
  if (of->type->is_list())
    return {list_length(in, of, span),
            [&in, of, span](ir::Expr* k) { return list_item_at(in, of, k, span); }};
  return {query(in, ir::QueryOp::kLen, of, 0, span),
          [&in, of, span](ir::Expr* k) { return row(in, of, k, false, span); }};
}

// for k in range(first, count): …
void loop(Emitter& in, int64_t first, const Items& items, Span span,
          const std::function<void(ir::Expr* item)>& one) {
  ir::Local* index = in.temp("k", types::int64(), span);
  ir::Block* body = in.into_block([&] { one(items.at(in.load(index, span))); });
  emit_count(in, index, first, items.count, body, span);
}

}  // namespace

ir::Expr* line_of(Emitter& in, const Operand& o, Span span) {
  if (o.is<Entries>()) return list_of_entries(in, o.as<Entries>(), span);
  if (o.is<Generated>() && !in.on_cuda()) return list_of_generated(in, o.as<Generated>(), span);
  const Type* type = o.type();
  if (type && type->is_table())
    return list_of_entries(in, {Value(o.value()), Entries::Part::kKeys}, span);
  if (!type || in.on_cuda()) return nullptr;
  if (type->is_optional() && type->elem->is_list()) return unwrap(in, o.value(), span);
  return type->is_list() || (type->is_array() && type->rank == 1) ? o.value() : nullptr;
}

Operand list_size(Emitter& in, ir::Expr* list, Span span) {
  return is_empty_so_far(list) ? some_length(in, span) : to_operand(list_length(in, list, span));
}

Operand some_length(Emitter& in, Span span) {
  return to_operand(in.load(in.temp("count", types::int64(), span), span));
}

Operand sum_of(Emitter& in, ir::Expr* of, ir::Expr* start, Span span) {
  if (is_error(of)) return error();
  const Type* elem = of->type->elem;
  if (elem->kind == types::Kind::kVoid || is_error(start)) return error();
  const Type* type = types::binary(types::BinaryOp::kAdd, start->type, elem, in.dialect()).result;
  if (!type || !elem->is_scalar()) {
    in.not_supported(span, "the sum of a `" + types::print(of->type) + "`");
    return error();
  }
  const Items items = items_of(in, of, span);
  ir::Local* total = in.temp("total", type, span);
  in.emit_assign(total, cast(in, start, type), span);
  loop(in, 0, items, span, [&](ir::Expr* item) {
    ir::Expr* next = binary(in, ast::Operator::kAdd, in.load(total, span), item, span);
    in.emit_assign(total, cast(in, next, type), span);
  });
  return to_operand(in.load(total, span));
}

Operand extreme_of(Emitter& in, bool greatest, ir::Expr* of, Span span) {
  if (is_error(of)) return error();
  const Type* elem = of->type->elem;
  if (elem->kind == types::Kind::kVoid) return error();
  if (!is_ordered(elem)) {
    in.not_supported(span, "the order of the items of a `" + types::print(of->type) + "`");
    return error();
  }
  const Items items = items_of(in, of, span);
  ir::Expr* count = in.once(items.count, "count");
  in.raise_if(make_compare(in, types::CompareOp::kEq, count, in.const_int(0), span), "ValueError",
              greatest ? "max() arg is an empty sequence" : "min() arg is an empty sequence", span);
  ir::Local* best = in.temp("best", elem, span);
  in.emit_assign(best, items.at(in.const_int(0, types::int64(), span)), span);
  bool fits = true;
  loop(in, 1, {count, items.at}, span, [&](ir::Expr* item) {
    item = in.once(item, "item");
    const auto op = greatest ? ast::CompareOperator::kGt : ast::CompareOperator::kLt;
    ir::Expr* better = compare(in, op, to_operand(item), to_operand(in.load(best, span)), span);
    fits = !is_error(better);
    if (!fits) return;
    ir::Expr* chosen =
        in.make(ir::Select{{ExprKind::kSelect, elem, span}, better, item, in.load(best, span)});
    in.emit_assign(best, chosen, span);
  });
  return fits ? to_operand(in.load(best, span)) : error();
}

// ---- arrays of lists ---------------------------------------------------------------------------

namespace {

// What the rows of an array have in common that are tuples or lists of numbers; null: they are not.
const Type* number_in_rows(const Type* row) {
  if (row->is_list()) return row->elem->is_scalar() ? row->elem : nullptr;
  if (!row->is_tuple() || row->items.empty()) return nullptr;
  const Type* common = nullptr;
  for (const Type* item : row->items) {
    if (!item->is_scalar()) return nullptr;
    common = common ? types::numpy_promote(common, item) : item;
  }
  return common;
}

// One row for each tuple or list, which are all as long as the first one.
ir::Expr* array_of_rows(Emitter& in, ir::Expr* list, const Type* elem, Span span) {
  list = in.once(list, "items");
  const Type* row = list->type->elem;
  ir::Expr* count = in.once(list_length(in, list, span), "count");
  ir::Expr* width = in.const_int(row->is_tuple() ? int64_t(row->items.size()) : 0);
  if (row->is_list()) {
    ir::Local* first = in.temp("width", types::int64(), span);
    in.emit_assign(first, width, span);
    ir::Block* some = in.into_block([&] {
      ir::Expr* top = list_item_at(in, list, in.const_int(0), span);
      in.emit_assign(first, list_length(in, top, span), span);
    });
    ir::Expr* has_some = make_compare(in, types::CompareOp::kGt, count, in.const_int(0), span);
    in.emit(in.make(ir::If{{StmtKind::kIf, span}, has_some, some, in.make(ir::Block{})}));
    width = in.load(first, span);
  }
  ir::Expr* made = new_array(in, ir::Fill::kUninitialized, types::array(elem, 2, types::Layout::kC),
                             {count, width}, nullptr, span);
  const auto put = [&](ir::Expr* k, ir::Expr* m, ir::Expr* value) {
    const std::vector<ir::Index> at{{k, false, false}, {m, false, false}};
    in.emit(in.make(
        ir::Store{{StmtKind::kStore, span}, {nullptr, made, in.list(at)}, cast(in, value, elem)}));
  };
  count_to(in, count, span, [&](ir::Local* index) {
    ir::Expr* k = in.load(index, span);
    ir::Expr* one = in.once(list_item_at(in, list, k, span), "row");
    if (row->is_tuple()) {
      for (size_t m = 0; m < row->items.size(); ++m)
        put(k, in.const_int(int64_t(m)), tuple_item(in, one, int(m), span));
      return;
    }
    in.raise_if(make_compare(in, types::CompareOp::kNe, list_length(in, one, span), width, span),
                "ValueError", "the rows of the array are not as long as one another", span);
    count_to(in, width, span, [&](ir::Local* inner) {
      ir::Expr* m = in.load(inner, span);
      put(k, m, list_item_at(in, one, m, span));
    });
  });
  return made;
}

}  // namespace

ir::Expr* array_of_list(Emitter& in, ir::Expr* list, Span span) {
  const Type* elem = list->type->elem;
  const bool is_known = elem->kind != types::Kind::kVoid &&
                        !(elem->is_list() && elem->elem->kind == types::Kind::kVoid);
  if (!is_known) return in.error(span);
  if (const Type* number = number_in_rows(elem)) return array_of_rows(in, list, number, span);
  if (!elem->is_scalar()) {
    in.not_supported(span, "an array of a `" + types::print(list->type) + "`",
                     "make the array with `np.empty` and assign its elements");
    return in.error(span);
  }
  const Type* type = types::array(elem, 1, types::Layout::kC);
  return in.spill(list_builtin(in, Id::pyk_list_array, type, {list}, span), "items");
}

bool lists_as_arrays(Emitter& in, Arguments& args, std::string_view path) {
  if (!path.starts_with("numpy.") || takes_lists(path)) return true;
  for (Operand& arg : args.args) {
    if (!arg.is_value() || !types::holds_container(arg.type())) continue;
    const Type* type = arg.type()->is_optional() ? arg.type()->elem : arg.type();
    if (!type->is_list()) continue;
    if (path.starts_with("numpy.random.")) {  // which may write it
      in.not_supported(args.span, "`" + args.path + "()` of a list",
                       "make it an array: `np.array(a)`");
      return false;
    }
    ir::Expr* array = array_of_list(in, unwrap(in, arg.value(), args.span), args.span);
    if (is_error(array)) return false;
    arg.set_value(array);
  }
  return true;
}

// ---- heapq -------------------------------------------------------------------------------------

namespace {

// The heap, with items that have an order. Null: not in this walk, or reported.
ir::Expr* heap_of(Emitter& in, const Arguments& args, const Operand& o) {
  ir::Expr* heap = o.is_value() ? unwrap(in, o.value(), args.span) : nullptr;
  if (!heap || !heap->type->is_list()) {
    bad_arguments(in, args);
    return nullptr;
  }
  if (!is_empty_so_far(heap) && !is_ordered(heap->type->elem)) {
    in.not_supported(args.span, "a heap of `" + types::print(heap->type->elem) + "`");
    return nullptr;
  }
  return list_named(in, heap);
}

Operand heappush(Emitter& in, const Arguments& args) {
  const auto bound = by_name(in, args, {"heap", "item"}, 2);
  ir::Expr* heap = bound ? heap_of(in, args, (*bound)[0]) : nullptr;
  if (!heap) return error();
  const ListSite site =
      args.call && !args.call->args.empty() ? site_of(*args.call->args[0]) : ListSite{};
  ir::Expr* item = list_fitted(in, heap, value_of(in, (*bound)[1], args.span), site, args.span);
  if (item) list_grow(in, Id::pyk_heap_push, {heap, item}, args.span);
  return {None{}, args.span};
}

Operand heappop(Emitter& in, const Arguments& args) {
  const auto bound = by_name(in, args, {"heap"}, 1);
  ir::Expr* heap = bound ? heap_of(in, args, (*bound)[0]) : nullptr;
  if (!heap || is_empty_so_far(heap)) return error();
  list_not_empty(in, heap, "index out of range", args.span);
  return to_operand(
      in.spill(list_builtin(in, Id::pyk_heap_pop, heap->type->elem, {heap}, args.span), "item"));
}

Operand heapify(Emitter& in, const Arguments& args) {
  const auto bound = by_name(in, args, {"x"}, 1);
  ir::Expr* heap = bound ? heap_of(in, args, (*bound)[0]) : nullptr;
  if (!heap || is_empty_so_far(heap)) return error();
  in.emit_eval(list_builtin(in, Id::pyk_heapify, types::void_(), {heap}, args.span));
  return {None{}, args.span};
}

constexpr HandlerRow kHandlers[] = {
    {"heapq.heapify", heapify}, {"heapq.heappop", heappop}, {"heapq.heappush", heappush}};

}  // namespace

std::span<const HandlerRow> list_handlers() { return kHandlers; }

}  // namespace pyk2cu::infer
