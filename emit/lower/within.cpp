// What holds in front of loops: see within.h.
//
// Shown are differences that are not negative: by what bounds the loops (linear.h), or, with each
// loop's variable at the end where the difference is the least, by a question about what stays.
#include "emit/lower/within.h"

#include <algorithm>

#include "typeinfer/ir/clone.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::BinaryOp;
using ir::CompareOp;
using ir::Expr;
using ir::Local;

namespace {

constexpr int kMostDepth = 4;  // of choices in choices

bool is_choice(const ir::Builtin* call) {
  return call && (call->row->id == Id::builtins_max || call->row->id == Id::builtins_min) &&
         call->type == types::int64();
}

}  // namespace

void Within::close(const Scope& scope) {
  sums_.close(scope.sums);
  known_.resize(scope.known);
  choices_.resize(scope.choices);
}

void Within::ask_only(const Asked& before) {
  asked_.resize(before.asked);
  used_ = before.used;
}

bool Within::enter(const ir::For& loop) {
  if (!ir::is_int_const(loop.step, 1) || loop.index->type != types::int64()) return false;
  Known known{.lo = sums_.of(loop.lo), .hi = sums_.of(loop.hi)};
  assume(loop.lo, known.is_said_by);
  assume(loop.hi, known.is_said_by);
  known.term = sums_.add_variable(loop.index);
  if (known.term < 0) return false;
  sums_.know_range(known.term, loop.lo, loop.hi);
  known_.push_back(std::move(known));
  return true;
}

void Within::hold(Expr* condition, bool holds) {
  if (auto* both = ir::try_as<ir::Logical>(condition); both && both->is_and == holds) {
    hold(both->left, holds);
    return hold(both->right, holds);
  }
  if (!holds) {
    const auto* compare = ir::try_as<ir::Compare>(condition);
    if (!compare || !compare->left->type->is_int()) return;
    condition = b_.compare(ir::opposite(compare->op), compare->left, compare->right);
  }
  Known known;
  const auto sides = [&](const auto& again, Expr* e) -> void {
    if (const auto* both = ir::try_as<ir::Logical>(e)) {
      again(again, both->left);
      again(again, both->right);
    } else if (const auto* compare = ir::try_as<ir::Compare>(e)) {
      assume(compare->left, known.is_said_by);
      assume(compare->right, known.is_said_by);
    }
  };
  sides(sides, condition);
  sums_.know_condition(condition);
  known_.push_back(std::move(known));
}

// All sums that the expression is a choice of.
void Within::assume(Expr* e, std::vector<Linear>& out) {
  if (const ir::Builtin* call = choice(e)) {
    for (Expr* arg : call->args) assume(arg, out);
  } else if (const auto value = sums_.of(e)) {
    assume(*value);
    out.push_back(*value);
  }
}

// Sums of small terms do not overflow.
void Within::assume(const Linear& value) {
  for (int k = 0; k < sums_.size(); ++k) {
    Sums::Term& term = sums_.term(k);
    if (!(value.met >> k & 1) || term.is_small || term.local) continue;
    term.is_small = true;
    assumed_.insert(k);
  }
}

void Within::use(const Linear& value) {
  for (int k = 0; k < sums_.size(); ++k) {
    if (!(value.met >> k & 1)) continue;
    if (assumed_.contains(k)) used_.insert(k);
    for (const Known& known : known_)
      if (known.term == k)
        for (const Linear& end : known.is_said_by) use(end);
  }
}

void Within::assign(const ir::Assign& a) {
  if (const auto* made = ir::try_as<ir::NewArray>(a.value)) {
    for (size_t axis = 0; axis < made->shape.size(); ++axis) {
      const auto extent = sums_.of(b_.extent(b_.load(a.local), int(axis)));
      const auto given = extent ? sums_.of(made->shape[axis]) : std::nullopt;
      if (!given) continue;
      sums_.know(extent->minus(*given));
      sums_.know(given->minus(*extent));
    }
    return;
  }
  if (a.local->type != types::int64()) return;
  if (const auto value = sums_.of(a.value)) return sums_.name(a.local, *value, a.value);
  const auto* call = ir::try_as<ir::Builtin>(a.value);
  if (is_choice(call)) choices_.emplace_back(a.local, call);
}

const ir::Builtin* Within::choice(Expr* e) const {
  const Local* local = ir::loaded(e);
  const auto at =
      std::ranges::find(choices_, local, &std::pair<const Local*, const ir::Builtin*>::first);
  const auto* call = local && at != choices_.end() ? at->second : ir::try_as<ir::Builtin>(e);
  return is_choice(call) ? call : nullptr;
}

bool Within::at_most(Expr* a, Expr* b) {
  return at_most(a, b, false, kMostDepth) || at_most(a, b, true, kMostDepth);
}

bool Within::at_most(Expr* a, Expr* b, bool may_ask, int depth) {
  if (depth == 0) return false;
  const Asked before = asked_so_far();
  const ir::Builtin *left = choice(a), *right = choice(b);
  const auto is = [](const ir::Builtin* call, Id id) { return call && call->row->id == id; };
  // What all of must hold goes first: it says more.
  const bool of_left = left && (is(left, Id::builtins_max) || !is(right, Id::builtins_min));
  const ir::Builtin* call = of_left ? left : right;
  const auto holds_of = [&](Expr* arg) {
    return at_most(of_left ? arg : a, of_left ? b : arg, may_ask, depth - 1);
  };
  const bool holds = !call ? is_at_most(a, b, may_ask)
                     : is(call, Id::builtins_max) == of_left
                         ? std::ranges::all_of(call->args, holds_of)
                         : std::ranges::any_of(call->args, holds_of);
  if (!holds) ask_only(before);
  return holds;
}

bool Within::is_at_most(Expr* a, Expr* b, bool may_ask) {
  const auto from = sums_.of(a), to = from ? sums_.of(b) : std::nullopt;
  const auto more = to ? to->minus(*from) : std::nullopt;
  if (!more) return false;
  assume(*more);
  if (!sums_.is_never_negative(*more) && !(may_ask && ask(*more))) return false;
  use(*more);
  for (const Known& known : known_)
    if (known.term < 0)
      for (const Linear& value : known.is_said_by) use(value);
  return true;
}

// In the iteration where it is the least.
bool Within::ask(Linear value) {
  for (int k = 0; k < sums_.size(); ++k)
    if ((value.met >> k & 1) && !sums_.term(k).is_small) return false;
  for (size_t k = known_.size(); k-- > 0;) {
    const Known& loop = known_[k];
    const int64_t times = loop.term < 0 ? 0 : value.factor(loop.term);
    if (times == 0) continue;
    value.factors.erase(loop.term);
    const auto& end = times > 0 ? loop.lo : loop.hi;
    const auto without = end ? value.plus(*end, times) : std::nullopt;
    if (!without) return false;
    value = *without;
    if (times < 0) value.constant -= times;  // hi - 1
  }
  if (value.factors.empty()) return value.constant >= 0;
  for (const auto& [term, times] : value.factors)
    if (sums_.term(term).local) return false;
  if (!sums_.is_never_negative(value)) asked_.push_back(value);
  return true;
}

bool Within::are_equal(Expr* a, Expr* b) {
  const auto from = sums_.of(a), to = from ? sums_.of(b) : std::nullopt;
  const auto apart = to ? to->minus(*from) : std::nullopt;
  if (!apart || !apart->factors.empty() || apart->constant != 0) return false;
  assume(*apart);
  use(*apart);
  return true;
}

Expr* Within::sum(Expr* e, bool unchanged) {
  const auto value = sums_.of(e);
  if (!value) return nullptr;
  for (const auto& [term, times] : value->factors)
    if (unchanged && sums_.term(term).local) return nullptr;
  assume(*value);
  use(*value);
  return sums_.text(*value, b_);
}

Expr* Within::condition() {
  Expr* all = nullptr;
  const auto add = [&](CompareOp op, Expr* value, int64_t limit) {
    Expr* one = b_.compare(op, value, b_.integer(limit));
    all = all ? b_.logical(true, all, one) : one;
  };
  const auto is_not_negative = [&](int k) {
    return std::ranges::any_of(asked_, [&](const Linear& value) {
      return value.constant <= 0 && value.factors == std::map<int, int64_t>{{k, 1}};
    });
  };
  for (const int k : used_)
    for (const bool below : {true, false})
      if (below || !is_not_negative(k))
        add(below ? CompareOp::kLe : CompareOp::kGe,
            ir::Cloner(b_.program).expr(sums_.term(k).value), below ? kFar : -kFar);
  std::vector<Linear> said;
  for (const Linear& value : asked_) {
    const auto is_same = [&](const Linear& other) {
      return other.factors == value.factors && other.constant <= value.constant;
    };
    if (std::ranges::any_of(said, is_same)) continue;
    said.push_back(value);
    add(CompareOp::kGe, sums_.text(value, b_), 0);
  }
  return all;
}

}  // namespace pyk2cu::emit
