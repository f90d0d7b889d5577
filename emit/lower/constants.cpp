// Integers known when a program is compiled: see constants.h.
#include "emit/lower/constants.h"

#include <algorithm>
#include <cmath>

#include "emit/lower/iterations.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/items.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Expr;
using ir::ExprKind;
using ir::Local;

namespace {

constexpr Wide kExactInFloat32 = Wide{1} << 24;

bool is_whole(const types::Type* type) { return type->is_int() || type->is_bool(); }

bool holds(ir::CompareOp op, Wide left, Wide right) {
  switch (op) {
    case ir::CompareOp::kLt:
      return left < right;
    case ir::CompareOp::kLe:
      return left <= right;
    case ir::CompareOp::kGt:
      return left > right;
    case ir::CompareOp::kGe:
      return left >= right;
    case ir::CompareOp::kEq:
      return left == right;
    case ir::CompareOp::kNe:
      break;
  }
  return left != right;
}

}  // namespace

bool is_constant(const Expr* e) {
  const auto* tuple = ir::try_as<ir::Tuple>(e);
  return tuple ? std::ranges::all_of(tuple->items, is_constant) : ir::constant(e) != nullptr;
}

const ir::Tuple* Constants::tuple_of(const Expr* e) const {
  if (const auto* tuple = ir::try_as<ir::Tuple>(e)) return tuple;
  if (const auto named = tuples_.find(ir::loaded(e)); named != tuples_.end()) return named->second;
  const auto* item = ir::try_as<ir::Item>(e);
  const ir::Tuple* whole = item ? tuple_of(item->tuple) : nullptr;
  return whole ? ir::try_as<ir::Tuple>(whole->items[size_t(item->index)]) : nullptr;
}

void Constants::name_all(const ir::Function& f) {
  const auto times = ir::count_assignments(f.body);
  ir::for_each_stmt(f.body, [&](const ir::Stmt* s) {
    const auto* assign = ir::try_as<ir::Assign>(s);
    if (!assign || times.at(assign->local) != 1 || assign->local->maybe_unbound ||
        assign->local->is_param || std::ranges::find(f.shared, assign->local) != f.shared.end())
      return;
    Expr* value = assign->value;  // of tuples: nothing to fold
    if (const auto* tuple = ir::try_as<ir::Tuple>(value)) return name(assign->local, tuple);
    if (!assign->local->type->is_int() || ir::reads_memory(value) || ir::has_effect(value)) return;
    Observer nobody;
    const Interval all = evaluate(value, known_, nobody);
    if (all.lo == all.hi) known_.set(assign->local, all);
  });
}

void Constants::fold(Expr*& e) {
  ir::for_each_operand(e, [&](Expr*& operand) { fold(operand); });
  e = folded(e);
}

Expr* Constants::folded(Expr* e) {
  const ir::Builder b{program_, e->span};
  if (const auto* at = ir::try_as<ir::ItemAt>(e)) {
    const ir::Const* k = ir::constant(at->index.value);
    return k ? item(at->tuple, k->value.integer, e) : e;
  }
  if (const auto* at = ir::try_as<ir::Item>(e)) return item(at->tuple, at->index, e);
  if (const auto* element = ir::try_as<ir::Element>(e)) return frozen(*element, e);
  if (const auto* query = ir::try_as<ir::Query>(e)) return extent(*query, e);
  if (const auto* convert = ir::try_as<ir::Convert>(e); convert && e->type->is_float()) {
    const ir::Const* c = ir::constant(convert->operand);
    if (!c || !convert->operand->type->is_int()) return e;
    const Wide value = interval_of(*c).lo;
    const bool exact = -kExactInFloat32 <= value && value <= kExactInFloat32;
    return exact ? b.floating(double(value), e->type) : e;
  }
  if (const auto* both = ir::try_as<ir::Logical>(e))
    return b.logical(both->is_and, both->left, both->right);
  auto* binary = ir::try_as<ir::Binary>(e);
  if (!is_whole(e->type) || ir::constant(e)) return e;
  bool all_known = true;
  ir::for_each_operand(e, [&](const Expr* part) { all_known = all_known && ir::constant(part); });
  if (!all_known) return binary ? sum(*binary) : e;
  if (ir::has_effect(e) || ir::reads_itself(e)) return e;
  if (const auto* compare = ir::try_as<ir::Compare>(e)) {
    const ir::Const &left = *ir::constant(compare->left), &right = *ir::constant(compare->right);
    const bool whole = left.type->is_int() && right.type->is_int();
    return whole ? b.boolean(holds(compare->op, interval_of(left).lo, interval_of(right).lo)) : e;
  }
  if (e->type->is_bool()) {
    const auto known = truth(e, known_);
    return known ? b.boolean(*known) : e;
  }
  Observer nobody;
  const Interval all = evaluate(e, known_, nobody);
  return all.lo == all.hi ? b.integer(int64_t(uint64_t(all.lo)), e->type) : e;
}

// `e`, which is item k of a tuple, counted from the end where it is negative: the item where that
// is constant, and no item of a tuple made there is computed, which may be noticed; else by its
// number.
Expr* Constants::item(Expr* from, int64_t k, Expr* e) const {
  const auto size = int64_t(from->type->items.size());
  if (k < 0) k += size;
  if (k < 0 || k >= size) return e;
  const ir::Tuple* tuple = tuple_of(from);
  const bool made_here = from->kind == ExprKind::kTuple;
  if (tuple && is_constant(made_here ? tuple : tuple->items[size_t(k)]))
    return ir::Cloner(program_).expr(tuple->items[size_t(k)]);
  if (e->kind == ExprKind::kItem) return e;
  const ir::Builder b{program_, e->span};
  return b.expr<ir::Item>(e->type, from, int(k));
}

// Of a module's array.
Expr* Constants::extent(const ir::Query& query, Expr* e) const {
  const auto* global = ir::try_as<ir::Global>(query.operand);
  const bool is_length = query.op == ir::QueryOp::kLen;
  if (!global || !(is_length || query.op == ir::QueryOp::kShape)) return e;
  const size_t axis = is_length ? 0 : size_t(query.axis);
  if (axis >= global->array->shape.size()) return e;
  return ir::Builder{program_, e->span}.integer(global->array->shape[axis], e->type);
}

// An element of a module's array, which nothing changes; the expression itself where it is no
// number, or where nobody knows which one.
Expr* Constants::frozen(const ir::Element& element, Expr* e) const {
  const auto* global = ir::try_as<ir::Global>(element.array);
  const bool whole = e->type->is_int() && e->type->bits <= 64;
  if (!global || !(whole || e->type == types::float64() || e->type == types::float32())) return e;
  const std::vector<int64_t>& shape = global->array->shape;
  uint64_t place = 0;
  for (size_t axis = 0; axis < element.indices.size(); ++axis) {
    const ir::Index& index = element.indices[axis];
    const ir::Const* at = ir::constant(index.value);
    if (!at || axis >= shape.size()) return e;
    const int64_t k = at->value.integer + (at->value.integer < 0 && index.wrap ? shape[axis] : 0);
    if (k < 0 || k >= shape[axis]) return e;
    place = place * uint64_t(shape[axis]) + uint64_t(k);
  }
  const size_t size = size_t(e->type->bits) / 8;
  if (element.indices.size() != shape.size() || (place + 1) * size > global->array->bytes.size())
    return e;
  const std::string& bytes = global->array->bytes;
  const ir::Builder b{program_, e->span};
  if (whole) return b.integer(ir::read_integer(bytes, place, e->type), e->type);
  const double number = e->type == types::float64() ? ir::read_item<double>(bytes, place)
                                                    : ir::read_item<float>(bytes, place);
  return std::isfinite(number) ? b.floating(number, e->type) : e;
}

// -1 + i, (i + 2) - 3   ->   i - 1.  Modulo 2^64 as the parts.
Expr* Constants::sum(ir::Binary& e) const {
  const bool adds = e.op == BinaryOp::kAdd || e.op == BinaryOp::kSub;
  if (!adds || e.type != types::int64() || e.left->type != e.type || e.right->type != e.type)
    return &e;
  if (e.op == BinaryOp::kAdd && ir::constant(e.left)) std::swap(e.left, e.right);
  const Sum outer = sum_of(&e);
  if (!outer.base || outer.base == &e) return &e;
  const Sum inner = sum_of(outer.base);
  int64_t offset = 0;
  if (!inner.base || __builtin_add_overflow(inner.offset, outer.offset, &offset) ||
      offset == INT64_MIN)
    return &e;
  if (offset == 0) return const_cast<Expr*>(inner.base);
  const ir::Builder b{program_, e.span};
  e.op = offset > 0 ? BinaryOp::kAdd : BinaryOp::kSub;
  e.left = const_cast<Expr*>(inner.base);
  e.right = b.integer(std::abs(offset));
  return &e;
}

}  // namespace pyk2cu::emit
