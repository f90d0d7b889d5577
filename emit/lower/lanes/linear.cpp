// Sums of integers: see linear.h.
//
// Sums are exact, as are those of the program where all terms are small that were added up. That a
// sum is not negative is shown by taking away others that are not, until a constant is left.
#include "emit/lower/lanes/linear.h"

#include <algorithm>

#include "emit/lower/interval.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::BinaryOp;
using ir::Expr;
using ir::Local;
using ir::Stmt;

std::optional<Linear> Linear::plus(const Linear& other, int64_t by) const {
  Linear sum = *this;
  if (std::abs(by) > kMostFactor || std::abs(other.constant) > kFar) return std::nullopt;
  sum.constant += other.constant * by;
  sum.met |= other.met;
  for (const auto& [term, times] : other.factors)
    if ((sum.factors[term] += times * by) == 0) sum.factors.erase(term);
  bool fits = std::abs(sum.constant) <= kFar && sum.factors.size() <= kMostTerms;
  for (const auto& [term, times] : sum.factors) fits = fits && std::abs(times) <= kMostFactor;
  return fits ? std::optional(sum) : std::nullopt;
}

Extents::Extents(const ir::Function& f) {
  const auto times = ir::count_assignments(f.body);
  const auto has_none = [&](const Local* local) { return !times.contains(local); };
  ir::for_each_stmt(f.body, [&](const Stmt* s) {
    const auto* a = ir::try_as<ir::Assign>(s);
    auto* query = a ? ir::try_as<ir::Query>(a->value) : nullptr;
    const Local* array = query ? ir::loaded(query->operand) : nullptr;
    if (!array || !array->is_param || !has_none(array)) return;
    const bool is_shared = std::ranges::find(f.shared, a->local) != f.shared.end();
    if (!a->local->is_param && !is_shared && times.at(a->local) == 1) extents_[a->local] = query;
  });
}

// ---- terms -------------------------------------------------------------------------------------

int Sums::add_variable(Local* local) {
  if (terms_.size() == kMost) return -1;
  terms_.push_back({.local = local});
  scope_.push_back(size() - 1);
  return size() - 1;
}

std::optional<int> Sums::find(const Local* variable) const {
  for (const int k : scope_)
    if (term(k).local == variable) return k;
  return std::nullopt;
}

namespace {

// A variable, or an extent of an array that one is.
bool is_name(const Expr* e) {
  const auto* wider = ir::try_as<ir::Convert>(e);  // int64 of an int32
  const Expr* named = wider && wider->op == ir::ConvertOp::kExact ? wider->operand : e;
  const auto* query = ir::try_as<ir::Query>(named);
  const Local* local = ir::loaded(named);
  if (query && query->operand->type->is_array()) local = ir::loaded(query->operand);
  return local && !local->maybe_unbound && e->type == types::int64();
}

bool is_of_names(const Expr* e);

// m // 2, (n - 1) % 8: no sums of others, and nothing that raises.
bool is_quotient(const Expr* e) {
  const auto* binary = ir::try_as<ir::Binary>(e);
  const ir::Const* by = binary ? ir::constant(binary->right) : nullptr;
  const bool divides = by && (binary->op == BinaryOp::kFloorDiv || binary->op == BinaryOp::kMod) &&
                       by->value.integer > 0;
  return divides && e->type == types::int64() && by->type == types::int64() &&
         is_of_names(binary->left);
}

bool is_of_names(const Expr* e) {
  const auto* binary = ir::try_as<ir::Binary>(e);
  if (!binary || binary->op > BinaryOp::kMul || e->type != types::int64())
    return is_name(e) || is_quotient(e) || (ir::constant(e) && e->type == types::int64());
  return is_of_names(binary->left) && is_of_names(binary->right);
}

}  // namespace

// What does not change: a name, or a quotient of such by a constant.
std::optional<Linear> Sums::fixed(Expr* e) {
  if ((!is_name(e) && !is_quotient(e)) || ir::reads_any(e, assigned_)) return std::nullopt;
  Expr* meant = meaning(e);
  for (int k = 0; k < size(); ++k)
    if (term(k).value && ir::equal(term(k).meant, meant)) return of(k);
  if (terms_.size() == kMost) return std::nullopt;
  Known nothing;
  Observer nobody;
  const Interval range = evaluate(meant, nothing, nobody);
  terms_.push_back({.value = e,
                    .meant = meant,
                    .is_small = range.lo >= -kFar && range.hi <= kFar,
                    .is_positive = range.lo >= 0});
  return of(size() - 1);
}

// width   ->   shape1(image), where that is what it is all through the function
Expr* Sums::meaning(Expr* e) {
  if (ir::try_as<ir::Binary>(e)) {
    e = ir::Cloner(program_).expr(e);
    ir::for_each_operand(e, [&](Expr*& operand) { operand = meaning(operand); });
    return e;
  }
  if (ir::Query* extent = extents_.find(ir::loaded(e))) e = extent;
  auto* query = ir::try_as<ir::Query>(e);
  const bool is_extent =
      query && (query->op == ir::QueryOp::kLen ||
                (query->op == ir::QueryOp::kSize && query->operand->type->rank == 1));
  if (is_extent && query->operand->type->is_array())
    return ir::Builder{program_, e->span}.extent(query->operand, 0);
  return e;
}

std::optional<Linear> Sums::of(Expr* e) {
  if (e->type != types::int64()) return std::nullopt;
  if (const ir::Const* c = ir::constant(e)) {
    const bool fits = c->value.integer >= -kFar && c->value.integer <= kFar;
    return fits ? std::optional(Linear{{}, c->value.integer}) : std::nullopt;
  }
  if (const Local* local = ir::loaded(e)) {
    if (const auto variable = find(local)) return of(*variable);
    if (const Name* name = find_name(local)) return name->value;
  }
  if (auto value = fixed(e)) return value;
  if (auto* unary = ir::try_as<ir::Unary>(e); unary && unary->op == types::UnaryOp::kNeg) {
    const auto operand = of(unary->operand);
    return operand ? Linear{}.minus(*operand) : std::nullopt;
  }
  auto* binary = ir::try_as<ir::Binary>(e);
  if (!binary || binary->op > BinaryOp::kMul) return std::nullopt;
  const auto left = of(binary->left), right = left ? of(binary->right) : std::nullopt;
  if (!left || !right) return std::nullopt;
  if (binary->op == BinaryOp::kAdd) return left->plus(*right);
  if (binary->op == BinaryOp::kSub) return left->minus(*right);
  if (left->factors.empty()) return Linear{}.plus(*right, left->constant);
  if (right->factors.empty()) return Linear{}.plus(*left, right->constant);
  return std::nullopt;
}

void Sums::call_small(Expr* value) {
  const auto sum = of(value);
  if (!sum || sum->factors.size() != 1) return;
  terms_[size_t(sum->factors.begin()->first)].is_small = true;
}

Expr* Sums::text(const Linear& value, const ir::Builder& b) const {
  Expr* all = nullptr;
  const auto add = [&](Expr* one, bool more) {
    if (!all && more)
      all = one;
    else
      all = b.plain(more ? BinaryOp::kAdd : BinaryOp::kSub, all ? all : b.integer(0), one);
  };
  const auto add_terms = [&](bool more) {
    for (const auto& [k, times] : value.factors) {
      if ((times > 0) != more) continue;
      Expr* one = term(k).local ? b.load(term(k).local) : ir::Cloner(program_).expr(term(k).value);
      const int64_t by = std::abs(times);
      add(by == 1 ? one : b.plain(BinaryOp::kMul, b.integer(by), one), more);
    }
  };
  add_terms(true);
  if (value.constant > 0) add(b.integer(value.constant), true);
  add_terms(false);
  if (value.constant < 0) add(b.integer(-value.constant), false);
  return all ? all : b.integer(0);
}

// ---- scopes ------------------------------------------------------------------------------------

void Sums::close(const Scope& scope) {
  names_.resize(scope.names);
  facts_.resize(scope.facts);
  scope_.resize(scope.variables);
}

const Sums::Name* Sums::find_name(const Local* local) const {
  const auto is = [&](const Name& name) { return name.local == local; };
  const auto at = std::find_if(names_.rbegin(), names_.rend(), is);
  return at == names_.rend() ? nullptr : &*at;
}

bool Sums::know_limit(int term, Expr* limit, bool is_lower) {
  const auto* call = ir::try_as<ir::Builtin>(limit);
  if (call && call->row->id == (is_lower ? Id::builtins_max : Id::builtins_min)) {
    bool bounds = false;
    for (Expr* arg : call->args) bounds = know_limit(term, arg, is_lower) || bounds;
    return bounds;
  }
  const auto value = of(limit);
  if (!value) return false;
  if (is_lower)
    know(of(term).minus(*value));
  else if (const auto below = value->minus(of(term)))
    know(below->plus({{}, -1}));
  return is_small(*value);
}

void Sums::know_range(int term, Expr* lo, Expr* hi) {
  const bool from = know_limit(term, lo, true), to = know_limit(term, hi, false);
  terms_[size_t(term)].is_small = from && to;
}

bool Sums::is_small(const Linear& value) const {
  for (int k = 0; k < size(); ++k)
    if ((value.met >> k & 1) && !term(k).is_small) return false;
  return true;
}

void Sums::know_condition(Expr* condition) {
  if (const auto* both = ir::try_as<ir::Logical>(condition); both && both->is_and) {
    know_condition(both->left);
    return know_condition(both->right);
  }
  const auto* compare = ir::try_as<ir::Compare>(condition);
  const auto a = compare ? of(compare->left) : std::nullopt;
  const auto b = a ? of(compare->right) : std::nullopt;
  if (!b) return;
  const auto more = a->minus(*b), less = b->minus(*a);
  if (!more || !less) return;
  using types::CompareOp;
  const CompareOp op = compare->op;
  if (op == CompareOp::kGe || op == CompareOp::kEq) know(more);
  if (op == CompareOp::kLe || op == CompareOp::kEq) know(less);
  if (op == CompareOp::kGt) know(more->plus({{}, -1}));
  if (op == CompareOp::kLt) know(less->plus({{}, -1}));
}

// ---- proofs ------------------------------------------------------------------------------------

bool Sums::is_inside(const ir::Element& element) {
  Local* array = ir::loaded(element.array);
  if (!array || assigned_.contains(array) || array->maybe_unbound) return false;
  const ir::Builder b{program_, element.span};
  for (size_t axis = 0; axis < element.indices.size(); ++axis) {
    const ir::Index& i = element.indices[axis];
    const auto at = i.wrap ? std::nullopt : of(i.value);
    const auto extent = at ? of(b.extent(b.load(array), int(axis))) : std::nullopt;
    const auto left = extent ? extent->minus(*at) : std::nullopt;
    const auto behind = left ? left->plus({{}, -1}) : std::nullopt;
    if (!behind || !is_never_negative(*at) || !is_never_negative(*behind)) return false;
  }
  return true;
}

bool Sums::is_never_negative(const Linear& value, int depth) const {
  if (!is_small(value)) return false;
  bool positive = value.constant >= 0;
  for (const auto& [k, times] : value.factors)
    positive = positive && times > 0 && term(k).is_positive;
  if (positive) return true;
  if (depth == 0 || value.factors.empty()) return false;
  // The variable of the innermost loop goes first: what bounds it is said by those around.
  int pivot = -1;
  for (const auto& [k, times] : value.factors)
    if (term(k).local || pivot < 0) pivot = k;
  const int64_t wanted = value.factor(pivot);
  return std::ranges::any_of(facts_, [&](const Linear& fact) {
    const int64_t times = fact.factor(pivot);
    if (times == 0 || wanted % times != 0 || wanted / times < 0) return false;
    const auto rest = value.plus(fact, -(wanted / times));
    return rest && is_never_negative(*rest, depth - 1);
  });
}

}  // namespace pyk2cu::emit
