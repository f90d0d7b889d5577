// Questions about loops that several passes ask: see iterations.h.
//
// In:   a loop and the function around it.  Out: yes or no, no where it is not known.
// Tested by tests/golden/openmp and tests/golden/lanes.
#include "emit/lower/iterations.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int kMaxDepth = 16;              // of names given to one another
constexpr int64_t kMaxFactor = 1LL << 30;  // products of two of them do not overflow
constexpr int64_t kMaxCut = 1 << 8;        // strides of what is cut to 32 bits
constexpr size_t kMostTerms = 4;           // of a sum that does not change
constexpr size_t kMaxAsked = 4;            // distances that are worth a question

// f(Place, reads) for every place that the block writes.
template <class F>
void for_each_place(const ir::Block& block, F&& f) {
  ir::for_each_stmt(block, [&](const Stmt* s) {
    if (const auto* store = ir::try_as<ir::Store>(s)) f(store->place);
    if (const auto* update = ir::try_as<ir::Update>(s))
      if (!update->place.local) f(update->place);
  });
}

}  // namespace

bool is_check(const Stmt* s) {
  const auto* branch = ir::try_as<ir::If>(s);
  return branch && branch->body->size() == 1 && branch->body->front()->kind == StmtKind::kRaise &&
         branch->orelse->empty();
}

bool counts_by_one(const ir::For& loop) {
  return ir::is_int_const(loop.step, 1) && loop.form == ir::LoopForm::kUp &&
         loop.index->type == types::int64();
}

std::optional<int64_t> constant_turns(const ir::For& loop) {
  const ir::Const *lo = ir::constant(loop.lo), *hi = ir::constant(loop.hi),
                  *by = ir::constant(loop.step);
  if (!lo || !hi || !by || by->value.integer == 0 || !loop.index->type->is_signed)
    return std::nullopt;
  const bool up = by->value.integer > 0;
  const uint64_t from = uint64_t((up ? lo : hi)->value.integer);
  const uint64_t to = uint64_t((up ? hi : lo)->value.integer);
  if (int64_t(from) >= int64_t(to)) return 0;
  const uint64_t step = up ? uint64_t(by->value.integer) : -uint64_t(by->value.integer);
  const uint64_t turns = (to - from - 1) / step + 1;
  return int64_t(std::min<uint64_t>(turns, std::numeric_limits<int64_t>::max()));
}

bool turns_less(const ir::For& loop, int64_t times) {
  const auto turns = constant_turns(loop);
  return turns && *turns < times;
}

Sum sum_of(const Expr* e) {
  if (const ir::Const* c = ir::constant(e)) return {nullptr, c->value.integer};
  const auto* b = ir::try_as<ir::Binary>(e);
  const ir::Const* by = b ? ir::constant(b->right) : nullptr;
  if (by && b->op == BinaryOp::kAdd) return {b->left, by->value.integer};
  if (by && b->op == BinaryOp::kSub && by->value.integer != INT64_MIN)
    return {b->left, -by->value.integer};
  return {e, 0};
}

Iterations::Iterations(const ir::For& loop, const ir::EffectAnalysis& effects, ir::LocalSet own)
    : loop_(loop), effects_(effects), assigned_(ir::assigned_in(*loop.body)), own_(std::move(own)) {
  ir::for_each_stmt(std::as_const(*loop.body), [&](const Stmt* s) {
    const auto* a = ir::try_as<ir::Assign>(s);
    if (a) values_[a->local].push_back(a->value);
    ir::for_each_local_of(s, [&](const Local* local, ir::Access access) {
      if (access != ir::Access::kRead && !(a && a->local == local)) changed_.insert(local);
    });
  });
  note_reaches();
}

// Where another loop has the index too, or nobody gave it a value yet, it is something else.
void Iterations::note_reaches() {
  std::vector<const ir::For*> loops;
  ir::for_each_stmt(std::as_const(*loop_.body), [&](const Stmt* s) {
    const auto* inner = ir::try_as<ir::For>(s);
    const auto turns = inner ? constant_turns(*inner) : std::nullopt;
    if (turns && *turns > 0 && *turns <= kMaxFactor) loops.push_back(inner);
  });
  if (loops.empty()) return;
  std::unordered_map<const Local*, int> mentions;
  for (const Stmt* s : *loop_.body)
    ir::for_each_local_in(s, [&](const Local* local, ir::Access) { ++mentions[local]; });
  for (const ir::For* inner : loops) {
    const int64_t lo = ir::constant(inner->lo)->value.integer;
    const int64_t step = ir::constant(inner->step)->value.integer;
    int inside = 0;
    ir::for_each_local_in(inner,
                          [&](const Local* local, ir::Access) { inside += local == inner->index; });
    if (inside != mentions[inner->index] || std::abs(lo) > kMaxFactor ||
        std::abs(step) > kMaxFactor)
      continue;
    const int64_t way = (*constant_turns(*inner) - 1) * std::abs(step);
    reaches_[inner->index] = {step > 0 ? lo : lo - way, way};
  }
}

// index * stride + base + offset, of numbers so small that sums and products do not overflow
std::optional<Iterations::Affine> Iterations::affine(const Expr* e, int depth) const {
  if (depth > kMaxDepth || !e->type->is_int()) return std::nullopt;
  const auto small = [](int64_t x) { return -kMaxFactor <= x && x <= kMaxFactor; };
  if (const ir::Const* c = ir::constant(e); c && small(c->value.integer))
    return Affine{0, c->value.integer};
  if (const Local* local = ir::loaded(e)) {
    if (local == loop_.index) return Affine{1, 0};
    if (const auto reach = reaches_.find(local); reach != reaches_.end())
      return Affine{0, reach->second.first, {}, reach->second.second};
    // a name for such a value, given once per iteration
    const auto it = values_.find(local);
    if (it != values_.end() && it->second.size() == 1 && !changed_.contains(local))
      return affine(it->second[0], depth + 1);
  }
  const auto* b = ir::try_as<ir::Binary>(e);
  const bool adds =
      b && e->type == types::int64() &&
      (b->op == BinaryOp::kAdd || (b->op == BinaryOp::kSub && ir::constant(b->right)));
  if (is_known(e) && !adds) return Affine{0, 0, {e}};
  if (const auto* c = ir::try_as<ir::Convert>(e)) {
    const types::Type* from = c->operand->type;
    if (!from->is_int() || e->type->bits < std::min<int>(from->bits, 32)) return std::nullopt;
    // uint8(i) comes back to the same values, and so does uint32(i * 2**32)
    auto of = affine(c->operand, depth + 1);
    const bool cut = from->bits > e->type->bits;
    if (of) of->is_cut = of->is_cut || cut;
    const bool keeps = of && (of->reach == 0 || !cut) &&
                       (!cut || (-kMaxCut <= of->stride && of->stride <= kMaxCut));
    return keeps ? of : std::nullopt;
  }
  if (!b) return std::nullopt;
  const auto left = affine(b->left, depth + 1), right = affine(b->right, depth + 1);
  std::optional<Affine> out = left && right ? sum(*b, *left, *right) : std::nullopt;
  if (out) out->is_cut = left->is_cut || right->is_cut || e->type->bits < 64;
  if (out && small(out->stride) && small(out->offset) && small(out->reach)) return out;
  return is_known(e) ? std::optional(Affine{0, 0, {e}}) : std::nullopt;
}

std::optional<Iterations::Affine> Iterations::sum(const ir::Binary& e, const Affine& left,
                                                  const Affine& right) const {
  switch (e.op) {
    case BinaryOp::kAdd: {
      std::vector<const Expr*> base = left.base;
      base.insert(base.end(), right.base.begin(), right.base.end());
      if (base.size() > kMostTerms) return std::nullopt;
      return Affine{left.stride + right.stride, left.offset + right.offset, base,
                    left.reach + right.reach};
    }
    case BinaryOp::kSub: {
      if (!left.base.empty() && !right.base.empty()) return std::nullopt;
      // The base of what is taken away stands for another value: `lo` and `hi` have it both.
      std::vector<const Expr*> base = left.base;
      if (!right.base.empty()) base = {&e};
      return Affine{left.stride - right.stride, left.offset - right.offset - right.reach, base,
                    left.reach + right.reach};
    }
    case BinaryOp::kMul: {
      const auto is_number = [](const Affine& a) { return a.stride == 0 && a.reach == 0; };
      if (!left.base.empty() || !right.base.empty() || !(is_number(left) || is_number(right)))
        return std::nullopt;
      const Affine& moved = is_number(left) ? right : left;
      const int64_t factor = (is_number(left) ? left : right).offset;
      const int64_t first = moved.offset + (factor < 0 ? moved.reach : 0);
      return Affine{moved.stride * factor, first * factor, {}, moved.reach * std::abs(factor)};
    }
    default:
      return std::nullopt;
  }
}

// Without what both have.
Distance Iterations::distance(const Affine& a, const Affine& b) {
  Distance out{{}, b.base, a.offset - b.offset};
  for (const Expr* e : a.base) {
    const auto same =
        std::ranges::find_if(out.to, [&](const Expr* other) { return ir::equal(e, other); });
    if (same == out.to.end())
      out.from.push_back(e);
    else
      out.to.erase(same);
  }
  return out;
}

bool Iterations::is_less_than_turn(const Affine& at, int64_t reach) const {
  if (at.stride == 0 || reach == 0) return at.stride != 0;
  const ir::Const* step = ir::constant(loop_.step);
  return step && std::abs(step->value.integer) <= kMaxFactor &&
         reach < std::abs(at.stride * step->value.integer);
}

bool Iterations::moves(const Expr* e) const {
  const std::optional<Affine> at = affine(e, 0);
  return at && is_less_than_turn(*at, at->reach);
}

bool Iterations::move_apart(const Expr* a, const Expr* b) const {
  if (ir::equal(a, b)) return moves(a);
  const std::optional<Affine> x = affine(a, 0), y = affine(b, 0);
  if (!x || !y || x->stride != y->stride) return false;
  const Distance between = distance(*x, *y);
  if (!between.from.empty() || !between.to.empty()) return false;
  const int64_t first = std::min(x->offset, y->offset);
  const int64_t last = std::max(x->offset + x->reach, y->offset + y->reach);
  return is_less_than_turn(*x, last - first);
}

// u[t, …], u[t - 1, …] of a t that the loop does not change; a[2 * i], a[2 * i + 3].
bool Iterations::are_never_equal(const Expr* a, const Expr* b) const {
  const std::optional<Affine> x = affine(a, 0), y = affine(b, 0);
  if (!x || !y || x->stride != y->stride) return false;
  const Distance between = distance(*x, *y);
  if (!between.from.empty() || !between.to.empty()) return false;
  if (x->stride == 0) return x->offset + x->reach < y->offset || y->offset + y->reach < x->offset;
  return !x->is_cut && !y->is_cut && x->reach == 0 && y->reach == 0 &&
         between.offset % x->stride != 0;
}

// a[i : i + 1], a[i * 4 : (i + 1) * 4]: the slices of two iterations do not meet.
bool Iterations::moves_apart(const ir::Subscript& s) const {
  const ir::Const* by = s.step ? ir::constant(s.step) : nullptr;
  if (!s.lo || !s.hi || (s.step && (!by || by->value.integer <= 0))) return false;
  const std::optional<Affine> lo = affine(s.lo, 0), hi = affine(s.hi, 0);
  const ir::Const* turn = ir::constant(loop_.step);
  if (!lo || !hi || !turn || lo->stride == 0 || lo->stride != hi->stride) return false;
  if (lo->reach != 0 || hi->reach != 0) return false;
  const Distance between = distance(*lo, *hi);
  const bool same_base = between.from.empty() && between.to.empty();
  const int64_t by_turn = turn->value.integer;
  if (!same_base || by_turn > kMaxFactor || by_turn < -kMaxFactor) return false;
  return hi->offset - lo->offset <= std::abs(lo->stride * by_turn);
}

bool Iterations::is_known(const Expr* e) const {
  bool known = !ir::has_effect(e) && !ir::reads_memory(e);
  ir::for_each_subexpr(e, [&](const Expr* part) {
    const Local* local = ir::loaded(part);
    known = known && (!local || (local != loop_.index && !assigned_.contains(local)));
  });
  return known;
}

bool Iterations::has_own(const Expr* array, ir::LocalSet& asked) const {
  if (const auto* view = ir::try_as<ir::View>(array)) {
    for (const ir::Subscript& s : view->subscripts) {
      using Kind = ir::Subscript::Kind;
      if (s.kind == Kind::kIndex && moves(s.index.value)) return true;
      if (s.kind == Kind::kSlice && moves_apart(s)) return true;
    }
    return has_own(view->array, asked);
  }
  if (array->kind == ExprKind::kNewArray || ir::makes_memory(array)) return true;
  if (const auto* builtin = ir::try_as<ir::Builtin>(array)) {  // a.T, z.real, lists[i]
    if (builtin->row->id == builtins::Id::pyk_list_item && moves(builtin->args[1])) return true;
    return types::holds_array(array->type) && has_own(builtin->args[0], asked) &&
           (!ir::is_list_item(builtin) || are_items_own(builtin->args[0]->type, asked));
  }
  if (const auto* call = ir::try_as<ir::Call>(array)) {  // fresh, or of what it was given
    for (size_t k = 0; k < call->args.size(); ++k)
      if (call->callee->params[k].returned && !has_own(call->args[k], asked)) return false;
    return true;
  }
  const Local* local = ir::loaded(array);
  const auto it = values_.find(local);
  if (it == values_.end()) return false;
  if (!asked.insert(local).second) return true;
  return std::all_of(it->second.begin(), it->second.end(),
                     [&](const Expr* value) { return has_own(value, asked); });
}

std::vector<const ir::Builtin*> Iterations::items_shown(const Expr* container) const {
  std::vector<const ir::Builtin*> items;
  std::vector<const Expr*> to_do{container};
  ir::LocalSet asked;
  while (!to_do.empty()) {
    const Expr* e = to_do.back();
    to_do.pop_back();
    const auto* builtin = ir::try_as<ir::Builtin>(e);
    if (builtin && builtin->row->id == builtins::Id::pyk_list_item) items.push_back(builtin);
    const Local* local = ir::loaded(e);
    const auto found = values_.find(local);
    if (found == values_.end() || !asked.insert(local).second) continue;
    to_do.insert(to_do.end(), found->second.begin(), found->second.end());
  }
  return items;
}

// Is all that the body puts into lists of this type its own, and nothing taken from others?
bool Iterations::are_items_own(const types::Type* list, ir::LocalSet& asked) const {
  bool own = true;
  ir::for_each_expr_in(std::as_const(*loop_.body), [&](const Expr* e) {
    const auto* builtin = ir::try_as<ir::Builtin>(e);
    const bool is_about = builtin && (builtin->type == list ||
                                      (!builtin->args.empty() && builtin->args[0]->type == list));
    if (!is_about) return;
    for (const Expr* arg : builtin->args)
      own = own && (!types::holds_array(arg->type) || has_own(arg, asked));
  });
  return own;
}

bool Iterations::has_own_items(const Expr* array) const {
  ir::LocalSet asked;
  return has_own(array) &&
         (!array->type->is_container() || !types::holds_array(array->type->elem) ||
          are_items_own(array->type, asked));
}

bool Iterations::has_own(const ir::Place& place) const {
  return std::any_of(place.indices.begin(), place.indices.end(),
                     [&](const ir::Index& i) { return moves(i.value); }) ||
         has_own(place.array);
}

// Have both, of one array, an axis along which they move alike, so that those of two iterations
// differ, or along which the loop does not get as far? A subscript that may be negative comes back
// to the same places.
bool Iterations::are_apart(const ir::List<ir::Index>& a, const ir::List<ir::Index>& b) const {
  bool found = false;
  for (size_t k = 0; k < a.size() && a.size() == b.size(); ++k) {
    if (found || a[k].wrap || b[k].wrap) continue;
    const Expr *x = a[k].value, *y = b[k].value;
    found = move_apart(x, y) || are_never_equal(x, y) || passes(x, y) || passes(y, x);
  }
  for (size_t k = 0; k < a.size() && a.size() == b.size() && asked_; ++k)
    found = found || (!a[k].wrap && !b[k].wrap && ask_distance(a[k].value, b[k].value));
  return found;
}

bool Iterations::meet(const ir::List<ir::Index>& a, const ir::List<ir::Index>& b) const {
  const ir::Const* turn = ir::constant(loop_.step);
  if (!turn || a.size() != b.size() || std::abs(turn->value.integer) > kMaxFactor) return false;
  int64_t apart = 0;  // in iterations
  for (size_t k = 0; k < a.size(); ++k) {
    const std::optional<Affine> x = affine(a[k].value, 0), y = affine(b[k].value, 0);
    if (!x || !y || x->stride != y->stride || x->reach || y->reach || x->is_cut || y->is_cut)
      return false;
    const Distance between = distance(*x, *y);
    const int64_t by_turn = x->stride * turn->value.integer;
    const bool fits = by_turn == 0 ? between.offset == 0 : between.offset % by_turn == 0;
    if (!between.from.empty() || !between.to.empty() || !fits) return false;
    if (by_turn == 0) continue;
    const int64_t turns = between.offset / by_turn;
    if (turns == 0 || (apart != 0 && apart != turns)) return false;
    apart = turns;
  }
  return apart != 0 && !turns_less(loop_, std::abs(apart) + 1);
}

// Both move by one from one iteration to the next.
bool Iterations::ask_distance(const Expr* a, const Expr* b) const {
  const std::optional<Affine> x = affine(a, 0), y = affine(b, 0);
  if (!x || !y || x->stride != y->stride || std::abs(x->stride) != 1 || x->reach || y->reach ||
      x->is_cut || y->is_cut)
    return false;
  const Distance between = distance(*x, *y);
  const auto may_ask = [&](const Expr* e) { return e->type == types::int64() && is_known(e); };
  if ((between.from.empty() && between.to.empty()) || !std::ranges::all_of(between.from, may_ask) ||
      !std::ranges::all_of(between.to, may_ask))
    return false;
  const auto equal = [](const std::vector<const Expr*>& one,
                        const std::vector<const Expr*>& other) {
    return std::ranges::equal(one, other, [](auto* p, auto* q) { return ir::equal(p, q); });
  };
  const auto is_asked = [&](const Distance& d) {
    return (equal(d.from, between.from) && equal(d.to, between.to) && d.offset == between.offset) ||
           (equal(d.to, between.from) && equal(d.from, between.to) && d.offset == -between.offset);
  };
  if (std::ranges::none_of(*asked_, is_asked)) asked_->push_back(between);
  return asked_->size() <= kMaxAsked;
}

// for j in range(i + 1, n): a[j], a[i]   the subscript never is what the loop does not change. As
// subscripts neither is so large that a sum overflows.
bool Iterations::passes(const Expr* moved, const Expr* fixed) const {
  const ir::Const* step = ir::constant(loop_.step);
  const Sum at = sum_of(moved), other = sum_of(fixed);
  if (!step || step->value.integer <= 0 || !at.base || ir::loaded(at.base) != loop_.index ||
      !is_known(fixed))
    return false;
  // What the subscript is at the bound, taken from what is fixed; null: it is not known.
  const auto distance = [&](const Expr* bound) -> std::optional<int64_t> {
    const Sum end = sum_of(bound);
    const bool same = !end.base == !other.base && (!end.base || ir::equal(end.base, other.base));
    for (const int64_t offset : {end.offset, at.offset, other.offset})
      if (offset > kMaxFactor || offset < -kMaxFactor) return std::nullopt;
    if (!same || !is_known(bound)) return std::nullopt;
    return end.offset + at.offset - other.offset;
  };
  const auto first = distance(loop_.lo), end = distance(loop_.hi);
  return (first && *first > 0) || (end && *end <= 0);
}

// Nothing else in the body meets in another iteration what is written there.
bool Iterations::is_alone(const ir::Place& place, bool distinct) const {
  bool alone = true;
  const auto meets = [&](const Expr* array, const ir::List<ir::Index>& indices) {
    if (own_.contains(ir::loaded(array))) return false;
    if (ir::equal(array, place.array)) return !are_apart(indices, place.indices);
    return !distinct && effects_.may_overlap(array, place.array);
  };
  ir::for_each_expr_in(std::as_const(*loop_.body), [&](const Expr* e) {
    if (const auto* element = ir::try_as<ir::Element>(e)) {
      alone = alone && !meets(element->array, element->indices);
      return;
    }
    // Whatever else reads or writes elements, a call of a helper say, does so anywhere.
    const auto* builtin = ir::try_as<ir::Builtin>(e);
    if (e->kind != ExprKind::kCall && !(builtin && builtin->row->reads_elements())) return;
    ir::for_each_operand(e, [&](const Expr* arg) {
      alone = alone && !(types::holds_array(arg->type) &&
                         effects_.may_overlap(effects_.memory(arg), effects_.memory(place.array)));
    });
  });
  for_each_place(*loop_.body, [&](const ir::Place& other) {
    alone = alone && !meets(other.array, other.indices);
  });
  return alone;
}

bool Iterations::are_independent(bool distinct) const {
  bool own = true;
  for_each_place(*loop_.body, [&](const ir::Place& place) {
    if (own_.contains(ir::loaded(place.array))) return;
    own = own && are_apart(place.indices, place.indices) && is_alone(place, distinct);
  });
  return own;
}

std::optional<std::vector<Distance>> Iterations::independent_where() const {
  std::vector<Distance> distances;
  Iterations asking = *this;
  asking.asked_ = &distances;
  if (!ir::is_int_const(loop_.step, 1) || !asking.are_independent(true)) return std::nullopt;
  return distances;
}

bool Iterations::are_straight() const {
  bool straight = are_independent(false);
  ir::for_each_stmt(std::as_const(*loop_.body), [&](const Stmt* s) {
    straight = straight && (s->kind == StmtKind::kAssign || s->kind == StmtKind::kStore ||
                            s->kind == StmtKind::kUpdate || s->kind == StmtKind::kIf);
    ir::for_each_expr(s, [&](const Expr* e) { straight = straight && !ir::has_effect(e); });
  });
  return straight;
}

ir::LocalSet own_of(const ir::For& loop) {
  ir::LocalSet own;
  own.insert(loop.index);
  for (size_t before = 0; before != own.size();) {
    before = own.size();
    ir::for_each_stmt(std::as_const(*loop.body), [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      const bool computes = a && !ir::reads_memory(a->value) && !ir::reads_any(a->value, own);
      if (computes) return;
      ir::for_each_local_of(s, [&](const Local* local, ir::Access access) {
        if (access != ir::Access::kRead) own.insert(local);
      });
    });
  }
  return own;
}

}  // namespace pyk2cu::emit
