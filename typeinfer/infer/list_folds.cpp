// sum, min and max of lists and of arrays of one dimension: loops, in order, as CPython has them.
//
// In, out: see lists.h. Sums are of Numba's types: 0 is an int64. NaN is what comparisons make of
// it. Tested by tests/run/test_lists.py.
#include "typeinfer/infer/list_parts.h"

namespace pyk2cu::infer {

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
  in.emit(in.make(ir::For{{StmtKind::kFor, span},
                          index,
                          in.const_int(first, types::int64(), span),
                          items.count,
                          in.const_int(1, types::int64(), span),
                          ir::LoopKind::kSerial,
                          body}));
}

}  // namespace

Operand sum_of(Emitter& in, ir::Expr* of, ir::Expr* start, Span span) {
  const Type* elem = of->type->elem;
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
  const Type* elem = of->type->elem;
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

}  // namespace pyk2cu::infer
