// Intervals of expressions: see interval.h.
//
// Arithmetic whose exact result fits its type is plain; any other yields the whole type.
// Tested by tests/golden/ranges.
#include "emit/lower/interval.h"

#include <algorithm>
#include <cmath>

#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::constant;
using ir::Expr;
using ir::ExprKind;
using ir::loaded;
using ir::Local;

namespace {

Interval exactly(Wide value) { return {value, value, value != 0}; }

Interval lane(const ir::Lane& e) {
  constexpr Wide kBlocks = (Wide{1} << 31) - 1;
  switch (e.op) {
    case ir::LaneOp::kThread:
      return {0, 1023};
    case ir::LaneOp::kBlock:
      return {0, kBlocks};
    case ir::LaneOp::kBlockDim:
      return {1, 1024};
    case ir::LaneOp::kGridDim:
      return {1, kBlocks};
    case ir::LaneOp::kGrid:
      return {0, kBlocks * 1024};
    case ir::LaneOp::kGridSize:
      return {1, kBlocks * 1024};
    case ir::LaneOp::kLaneId:
      return {0, 31};
    case ir::LaneOp::kBlocks:
      return {0, kMaxCount};
    case ir::LaneOp::kThreads:
      return {1, 1024};
  }
  return {};
}

Wide floor_div(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

Interval product(const Interval& a, const Interval& b) {
  Wide all[4];
  const bool big =
      __builtin_mul_overflow(a.lo, b.lo, &all[0]) || __builtin_mul_overflow(a.lo, b.hi, &all[1]) ||
      __builtin_mul_overflow(a.hi, b.lo, &all[2]) || __builtin_mul_overflow(a.hi, b.hi, &all[3]);
  if (big) return {-kUnlimited, kUnlimited};
  return {*std::min_element(all, all + 4), *std::max_element(all, all + 4)};
}

// The exact result, and whether C++'s own operator computes it.
struct Result {
  Interval exact;
  bool plain = false;
};

Result shift(const ir::Binary& e, const Interval& l, const Interval& r) {
  const bool counts = r.lo >= 0 && r.hi < e.type->bits;
  // By as much as the width or more: nothing but the sign is left.
  if (e.op == BinaryOp::kShr) {
    const int least = counts ? int(r.lo) : 0;
    return {{l.lo >= 0 ? 0 : l.lo >> least, l.hi >= 0 ? l.hi >> least : Wide{-1}}, counts};
  }
  if (!counts || l.lo < 0) return {full(e.type)};
  const Interval exact{l.lo << int(r.lo),
                       r.hi < 62 && l.hi < (Wide{1} << 62) ? l.hi << int(r.hi) : kUnlimited};
  return {exact, exact.within(full(e.type))};
}

// Where a divisor may be 0, the result is 0.
Result division(const ir::Binary& e, const Interval& l, Interval r) {
  if (l.is_empty() || r.is_empty()) return {full(e.type)};
  if (r.lo == 0 && r.excludes_zero()) r.lo = 1;
  const bool plain = l.lo >= 0 && r.lo > 0;
  if (e.op == BinaryOp::kMod) {
    if (r.lo > 0) return {{0, plain ? std::min(l.hi, r.hi - 1) : r.hi - 1}, plain};
    return {{std::min(r.lo + 1, Wide{0}), std::max(r.hi - 1, Wide{0})}};
  }
  if (r.lo <= 0) {  // -1 // 5 is -1
    const Wide most = std::max({-l.lo, l.hi, Wide{1}});
    return {{l.lo >= 0 && r.lo == 0 ? Wide{0} : -most, most}};
  }
  const Wide all[4] = {floor_div(l.lo, r.lo), floor_div(l.lo, r.hi), floor_div(l.hi, r.lo),
                       floor_div(l.hi, r.hi)};
  return {{*std::min_element(all, all + 4), *std::max_element(all, all + 4)}, plain};
}

Interval bits(const ir::Binary& e, const Interval& l, const Interval& r) {
  const bool both = l.lo >= 0 && r.lo >= 0;
  if (e.op == BinaryOp::kAnd && (l.lo >= 0 || r.lo >= 0))
    return {0, both ? std::min(l.hi, r.hi) : l.lo >= 0 ? l.hi : r.hi};
  if (e.op == BinaryOp::kAnd || !both) return full(e.type);
  Wide top = 1;
  while (top <= l.hi || top <= r.hi) top *= 2;
  return {0, top - 1};
}

Result binary(const ir::Binary& e, const Interval& l, const Interval& r) {
  switch (e.op) {
    case BinaryOp::kAdd:
      return {{l.lo + r.lo, l.hi + r.hi}, true};
    case BinaryOp::kSub:
      return {{l.lo - r.hi, l.hi - r.lo}, true};
    case BinaryOp::kMul:
      return {product(l, r), true};
    case BinaryOp::kFloorDiv:
    case BinaryOp::kMod:
      return division(e, l, r);
    case BinaryOp::kShl:
    case BinaryOp::kShr:
      return shift(e, l, r);
    case BinaryOp::kAnd:
    case BinaryOp::kOr:
    case BinaryOp::kXor:
      return {bits(e, l, r), true};
    default:
      return {full(e.type)};
  }
}

// min and max of floats: of a NaN and another number the result may be the other one, so that only
// what is no NaN is a bound.
Interval of_extreme(const ir::Builtin& e, const std::vector<Interval>& args) {
  Interval out = args[0];
  for (const Interval& a : args) out = join(out, a);
  for (size_t k = 0; k < args.size(); ++k) {
    const ir::Const* c = constant(e.args[k]);
    if (!c || (c->value.kind == ir::Value::Kind::kFloat && std::isnan(c->value.number.real())))
      continue;
    if (e.row->range == builtins::Range::kLeast)
      out.hi = std::min(out.hi, args[k].hi);
    else
      out.lo = std::max(out.lo, args[k].lo);
  }
  return {out.lo, out.hi};
}

// What the registry says of the result.
Interval builtin(const ir::Builtin& e, const std::vector<Interval>& args) {
  using builtins::Range;
  const Interval all = full(e.type);
  const Range range = args.empty() ? Range::kAny : e.row->range;
  const bool whole = e.type->is_int();
  switch (range) {
    case Range::kAny:
      return all;
    case Range::kNonNegative:
      return whole ? all : Interval{0, kUnlimited};
    case Range::kRoot:
      return whole ? all : Interval{0, kUnlimited, args[0].excludes_zero()};
    case Range::kBits:
      return {0, e.args[0]->type->bits};
    case Range::kUnit:
      return whole ? all : Interval{-1, 1};
    case Range::kMagnitude: {
      const Interval& x = args[0];
      if (!whole) return {0, kUnlimited, x.excludes_zero()};
      if (x.lo <= all.lo && all.lo < 0) return all;  // -INT64_MIN wraps
      return {x.lo > 0 ? x.lo : x.hi < 0 ? -x.hi : Wide{0}, std::max(x.hi, -x.lo)};
    }
    case Range::kLeast:
    case Range::kGreatest: {
      if (!whole) return of_extreme(e, args);
      Interval out = args[0];
      for (const Interval& a : args) {
        out.lo = range == Range::kLeast ? std::min(out.lo, a.lo) : std::max(out.lo, a.lo);
        out.hi = range == Range::kLeast ? std::min(out.hi, a.hi) : std::max(out.hi, a.hi);
      }
      return {out.lo, out.hi};
    }
  }
  return all;
}

}  // namespace

namespace {

// A bound whose sums are whole numbers that every float type holds.
bool is_small(Wide bound) { return -(1 << 22) < bound && bound < 1 << 22; }

// No product with it rounds to 0.
bool is_one_or_more(const Interval& i) { return i.lo >= 1 || i.hi <= -1; }

Interval converted(const ir::Convert& c, const Interval& from) {
  Interval to = full(c.type);
  if (!c.type->is_int() && !c.type->is_bool()) {
    const bool narrows = c.operand->type->is_float() && c.operand->type->bits > c.type->bits;
    to.nonzero = from.excludes_zero() && !narrows;  // a small number may round to 0
    if (c.type->is_float() && is_small(from.lo)) to.lo = from.lo;
    if (c.type->is_float() && is_small(from.hi)) to.hi = from.hi;
    return to;
  }
  const bool whole = c.operand->type->is_int() || c.operand->type->is_bool();
  if (c.op == ir::ConvertOp::kTrunc)  // of NaN: 0
    return join({std::clamp(from.lo, to.lo, to.hi), std::clamp(from.hi, to.lo, to.hi)}, exactly(0));
  if (c.op == ir::ConvertOp::kTruth) return whole && from.excludes_zero() ? Interval{1, 1} : to;
  return whole && from.within(to) ? from : to;
}

// Sums, products and quotients keep their order when they are rounded; a product may round to 0.
Interval of_floats(const ir::Binary& e, const Interval& l, const Interval& r, const Known& known) {
  Interval out = full(e.type);
  if (!e.type->is_float()) return out;
  const Local *a = loaded(e.left), *b = loaded(e.right);
  const bool same = a && a == b;
  switch (e.op) {
    case BinaryOp::kAdd:
      if (is_small(l.lo) && is_small(r.lo)) out.lo = l.lo + r.lo;
      if (is_small(l.hi) && is_small(r.hi)) out.hi = l.hi + r.hi;
      out.nonzero = l.lo >= 0 && r.lo >= 0 && (l.excludes_zero() || r.excludes_zero());
      break;
    case BinaryOp::kSub:
      if (is_small(l.lo) && is_small(r.hi)) out.lo = l.lo - r.hi;
      if (is_small(l.hi) && is_small(r.lo)) out.hi = l.hi - r.lo;
      out.nonzero = a && b && known.are_unequal(a, b);
      break;
    case BinaryOp::kMul:
      if (same || (l.lo >= 0 && r.lo >= 0)) out.lo = 0;
      out.nonzero =
          (is_one_or_more(l) && r.excludes_zero()) || (is_one_or_more(r) && l.excludes_zero());
      break;
    case BinaryOp::kDiv:
      if (l.lo >= 0 && r.lo >= 0) out.lo = 0;
      break;
    default:
      break;
  }
  return out;
}

Interval arithmetic(ir::Binary& e, Known& known, Observer& observer) {
  Interval l = evaluate(e.left, known, observer), r = evaluate(e.right, known, observer);
  if (e.natural) {
    l.lo = std::max(l.lo, Wide{0});
    r.lo = std::max(r.lo, Wide{1});
  }
  if (!e.type->is_int()) return of_floats(e, l, r, known);
  const Result result = binary(e, l, r);
  const bool fits = result.exact.within(full(e.type));
  observer.arithmetic(&e, result.plain && fits && e.type->bits >= 32);
  return fits ? result.exact : full(e.type);
}

Interval negation(ir::Unary& e, const Interval& operand, Observer& observer) {
  if (e.op == ir::UnaryOp::kPos) return operand;
  if (e.op == ir::UnaryOp::kInvert && e.type->is_int()) {
    const Wide sum = full(e.type).lo + full(e.type).hi;  // of a number and its complement
    return {sum - operand.hi, sum - operand.lo};
  }
  if (e.op != ir::UnaryOp::kNeg || !e.type->is_int()) {
    Interval out = full(e.type);
    out.nonzero = e.op == ir::UnaryOp::kNeg && operand.excludes_zero();
    return out;
  }
  const Interval exact{-operand.hi, -operand.lo, operand.nonzero};
  const bool fits = exact.within(full(e.type));
  observer.arithmetic(&e, fits && e.type->bits >= 32);
  return fits ? exact : full(e.type);
}

Interval query(const ir::Query& e) {
  switch (e.op) {
    case ir::QueryOp::kLen:
    case ir::QueryOp::kShape:
      return {0, kMaxExtent};
    case ir::QueryOp::kSize:
    case ir::QueryOp::kNBytes:
      return {0, kMaxCount};
    default:
      return full(e.type);
  }
}

}  // namespace

namespace {

// One side of a branch inside an expression.
Interval side(Expr* e, Expr* condition, bool holds, Known& known, Observer& observer) {
  const Known::Mark mark = known.mark();
  assume(condition, holds, known);
  if (ir::has_effect(e)) known.forget_memory();
  const Interval value = evaluate(e, known, observer);
  known.undo(mark);
  return value;
}

Interval select(ir::Select& s, Known& known, Observer& observer) {
  evaluate(s.condition, known, observer);
  return join(side(s.yes, s.condition, true, known, observer),
              side(s.no, s.condition, false, known, observer));
}

// a and b and c: every one where those in front of it hold, which is known of them when it is done.
void links(ir::Logical& l, Known& known, Observer& observer) {
  auto* chain = ir::try_as<ir::Logical>(l.left);
  if (chain && chain->is_and == l.is_and)
    links(*chain, known, observer);
  else
    evaluate(l.left, known, observer);
  assume(chain && chain->is_and == l.is_and ? chain->right : l.left, l.is_and, known);
  if (ir::has_effect(l.right)) known.forget_memory();
  evaluate(l.right, known, observer);
}

Interval logical(ir::Logical& l, Known& known, Observer& observer) {
  const Known::Mark mark = known.mark();
  links(l, known, observer);
  known.undo(mark);
  return full(l.type);
}

Interval element(ir::Element& e, Known& known, Observer& observer) {
  evaluate(e.array, known, observer);
  int axis = 0;
  for (ir::Index& i : e.indices)
    observer.index(i, evaluate(i.value, known, observer), e.array, axis++, known);
  return full(e.type);
}

Interval view(ir::View& e, Known& known, Observer& observer) {
  evaluate(e.array, known, observer);
  int axis = 0;
  for (ir::Subscript& s : e.subscripts) {
    if (s.kind == ir::Subscript::Kind::kIndex)
      observer.index(s.index, evaluate(s.index.value, known, observer), e.array, axis, known);
    for (Expr* part : {s.lo, s.hi, s.step})
      if (part) evaluate(part, known, observer);
    axis += s.kind != ir::Subscript::Kind::kNewAxis;
  }
  return {};
}

Interval item(ir::Item& e, Known& known, Observer& observer) {
  evaluate(e.tuple, known, observer);
  if (e.tuple->kind == ExprKind::kQuery && e.type->is_int())
    return query(*ir::as<ir::Query>(e.tuple));
  return full(e.type);
}

Interval item_at(ir::ItemAt& e, Known& known, Observer& observer) {
  const Interval i = evaluate(e.index.value, known, observer);
  observer.index(e.index, i, nullptr, 0, known);
  return full(e.type);
}

Interval builtin_call(ir::Builtin& e, Known& known, Observer& observer) {
  std::vector<Interval> args;
  for (Expr* arg : e.args) args.push_back(evaluate(arg, known, observer));
  return builtin(e, args);
}

}  // namespace

namespace {

Interval node(Expr* e, Known& known, Observer& observer) {
  const auto part = [&](Expr* operand) { return evaluate(operand, known, observer); };
  switch (e->kind) {
    case ExprKind::kConst:
      return interval_of(*ir::as<ir::Const>(e));
    case ExprKind::kLoad:
      return known.of(loaded(e));
    case ExprKind::kLane:
      return lane(*ir::as<ir::Lane>(e));
    case ExprKind::kBinary:
      return arithmetic(*ir::as<ir::Binary>(e), known, observer);
    case ExprKind::kUnary:
      return negation(*ir::as<ir::Unary>(e), part(ir::as<ir::Unary>(e)->operand), observer);
    case ExprKind::kConvert:
      return converted(*ir::as<ir::Convert>(e), part(ir::as<ir::Convert>(e)->operand));
    case ExprKind::kSelect:
      return select(*ir::as<ir::Select>(e), known, observer);
    case ExprKind::kLogical:
      return logical(*ir::as<ir::Logical>(e), known, observer);
    case ExprKind::kElement:
      return element(*ir::as<ir::Element>(e), known, observer);
    case ExprKind::kView:
      return view(*ir::as<ir::View>(e), known, observer);
    case ExprKind::kItem:
      return item(*ir::as<ir::Item>(e), known, observer);
    case ExprKind::kItemAt:
      return item_at(*ir::as<ir::ItemAt>(e), known, observer);
    case ExprKind::kBuiltin:
      return builtin_call(*ir::as<ir::Builtin>(e), known, observer);
    case ExprKind::kQuery:
      part(ir::as<ir::Query>(e)->operand);
      return query(*ir::as<ir::Query>(e));
    default:
      ir::for_each_operand(e, [&](Expr* operand) { part(operand); });
      return full(e->type);
  }
}

}  // namespace

Interval interval_of(const ir::Const& c) {
  if (c.value.kind == ir::Value::Kind::kFloat) {
    const double value = c.value.number.real();
    if (!(std::fabs(value) < 1 << 20)) return {-kUnlimited, kUnlimited, value != 0};
    return {Wide(std::floor(value)), Wide(std::ceil(value)), value != 0};
  }
  if (c.value.kind != ir::Value::Kind::kInt && c.value.kind != ir::Value::Kind::kBool)
    return full(c.type);
  if (c.type->is_float()) {
    Interval all = full(c.type);
    all.nonzero = c.value.integer != 0;
    return all;
  }
  if (c.type->is_int() && !c.type->is_signed)
    return exactly(Wide{static_cast<uint64_t>(c.value.integer)} & full(c.type).hi);
  return exactly(c.value.integer);
}

Interval evaluate(Expr* e, Known& known, Observer& observer) {
  Interval value = node(e, known, observer);
  if (const Local* local = known.stand_in(e)) {
    const Interval said = known.of(local);
    const Interval both{std::max(value.lo, said.lo), std::min(value.hi, said.hi),
                        value.excludes_zero() || said.excludes_zero()};
    if (!both.is_empty()) value = both;  // else nobody comes here
  }
  if (e->type->is_int() && e->type->bits == 64) observer.whole(e, value);
  return value;
}

void MarkPlain::arithmetic(Expr* e, bool plain) {
  if (auto* binary = ir::try_as<ir::Binary>(e)) binary->plain = plain;
  if (auto* unary = ir::try_as<ir::Unary>(e)) unary->plain = plain;
}

Expr* anywhere(Expr* e) {
  ir::for_each_subexpr(e, [](Expr* part) {
    if (auto* binary = ir::try_as<ir::Binary>(part)) binary->natural = binary->plain = false;
    if (auto* unary = ir::try_as<ir::Unary>(part)) unary->plain = false;
  });
  MarkPlain observer;
  Known nothing;
  evaluate(e, nothing, observer);
  return e;
}

}  // namespace pyk2cu::emit
