// Borders of loops: see borders.h.
//
// Integers of the body are said as sums of the loop's variable, of those of loops inside, and of
// what the loop does not change. What has to hold for a clip or a guard to be decided is a sum that
// is not negative; without the variables of loops inside, whose ends are known, it is a limit of
// the loop's variable. Only limits count that lie by the loop's own ends: elsewhere what is no
// middle is no border either. Tested by tests/golden/gangs and tests/run/test_borders.py.
#include "emit/lower/lanes/borders.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "emit/lower/iterations.h"
#include "emit/lower/lanes/clamps.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::BinaryOp;
using ir::Block;
using ir::CompareOp;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int64_t kFewBeside = 64;  // iterations of a border, beside what is not constant of them
constexpr int64_t kShort = 64;      // a loop that surely has fewer has no middle worth it

// What is asked of the loop's variable in the middle.
class Ends {
 public:
  enum class Kind : uint8_t { kClip, kGuard };

  Ends(Sums& sums, const ir::Builder& b, ir::Program& program, Linear lo, Linear hi)
      : sums_(sums), b_(b), program_(program), lo_(std::move(lo)), hi_(std::move(hi)) {}

  // The loop's own comes first. -1: no more are told apart.
  int add_variable(Local* local, const Linear& lo, const Linear& hi) {
    const int term = sums_.add_variable(local);
    if (term >= 0) ranges_[term] = {lo, hi};
    if (index_ < 0) index_ = term;
    return term;
  }

  int index() const { return index_; }  // the loop's own
  bool has_met_index(const Linear& value) const { return value.met >> index_ & 1; }

  // Is value >= 0 in the middle? Then it is a limit of it from now on.
  bool want(const Linear& value, Kind kind) {
    const auto all = least(value);
    if (!all) return false;
    const int64_t times = all->factor(index_);
    if (times == 0 && all->factors.empty() && all->constant >= 0) {
      use(value);
      return true;
    }
    if (times != 1 && times != -1) return false;
    Linear limit = *all;  // index >= -limit, or index <= limit
    limit.factors.erase(index_);
    if (times == 1)
      limit = *Linear{}.minus(limit);
    else
      limit.constant += 1;  // index < limit
    if (is_implied(limit, times == 1)) {
      use(value);
      return true;
    }
    const auto beside = limit.plus(times == 1 ? lo_ : hi_, -1);
    if (!beside || !is_beside(*beside)) return false;
    if (kind == Kind::kGuard && !beside->factors.empty() && !mentions_loops(value)) return false;
    is_open_ = is_open_ || !beside->factors.empty();
    add(times == 1 ? lower_ : upper_, limit, times == 1);
    use(value);
    return true;
  }

  void use(const Linear& value) {
    for (int k = 0; k < sums_.size(); ++k) {
      if (!(value.met >> k & 1) || !used_.insert(k).second) continue;
      const auto range = ranges_.find(k);
      if (range == ranges_.end()) continue;
      use(range->second.lo);
      use(range->second.hi);
    }
  }

  bool mentions_loops(const Linear& value) const {
    return std::ranges::any_of(value.factors, [&](const auto& one) {
      return one.first != index_ && ranges_.contains(one.first);
    });
  }

  // What the limits were, to give some up again.
  using Taken = std::pair<std::vector<Linear>, std::vector<Linear>>;
  Taken taken() const { return {lower_, upper_}; }
  void restore(const Taken& taken) { std::tie(lower_, upper_) = taken; }

  bool decided() const { return !used_.empty(); }  // anything, with limits or without
  bool empty() const { return lower_.empty() && upper_.empty(); }
  bool is_open() const { return is_open_; }  // is the size of a border no constant?

  // Where it begins and ends.
  void fill_ends(Middle& made) const {
    made.first = narrowest(lo_, lower_, true);
    made.last = narrowest(hi_, upper_, false);
    if (!lower_.empty()) made.first = smaller(made.first, text(hi_));
    made.last = larger(made.last, b_.load(made.begin));
  }

  // What must hold, and what is known of the index then.
  void fill_limits(Middle& made) const {
    made.condition = all_are_small(made.limits.small);
    made.limits.from.push_back(text(lo_));
    made.limits.below.push_back(text(hi_));
    for (const Linear& limit : lower_) made.limits.from.push_back(text(limit));
    for (const Linear& limit : upper_) made.limits.below.push_back(text(limit));
  }

  Expr* text(const Linear& value) const { return sums_.text(value, b_); }

 private:
  struct Range {  // of a variable: [lo, hi)
    Linear lo{}, hi{};
  };

  // The least that a sum is in one iteration: without the variables of loops inside.
  std::optional<Linear> least(Linear value) const {
    for (auto at = ranges_.rbegin(); at != ranges_.rend() && at->first != index_; ++at) {
      const int64_t times = value.factor(at->first);
      if (times == 0) continue;
      value.factors.erase(at->first);
      const auto without = value.plus(times > 0 ? at->second.lo : at->second.hi, times);
      if (!without) return std::nullopt;
      value = *without;
      if (times < 0) value.constant -= times;  // hi - 1
    }
    return value;
  }

  // Has the sum nothing to do with where the loop ends? Else what lies beside is no border.
  bool is_beside(const Linear& value) const {
    for (const auto& [term, times] : value.factors)
      if (term == index_ || hi_.factor(term) != 0 || lo_.factor(term) != 0) return false;
    return std::abs(value.constant) <= kFewBeside;
  }

  bool is_implied(const Linear& limit, bool is_lower) const {
    const auto narrower = [&](const Linear& known) {
      const auto more = is_lower ? known.minus(limit) : limit.minus(known);
      return more && more->factors.empty() && more->constant >= 0;
    };
    return narrower(is_lower ? lo_ : hi_) || is_implied_by_turning(limit, is_lower) ||
           std::ranges::any_of(is_lower ? lower_ : upper_, narrower);
  }

  // Some iteration there is, so that lo <= hi - 1: `n + i` of range(n) does not count from the end.
  bool is_implied_by_turning(const Linear& limit, bool is_lower) const {
    const auto turns = hi_.plus(lo_, -1);  // >= 1
    if (!turns) return false;
    auto known = is_lower ? lo_.plus(*turns, -1) : hi_.plus(*turns, 1);
    if (!known) return false;
    known->constant += is_lower ? 1 : -1;
    const auto more = is_lower ? known->minus(limit) : limit.minus(*known);
    return more && more->factors.empty() && more->constant >= 0;
  }

  // Of limits that differ by a constant the narrower one.
  void add(std::vector<Linear>& limits, const Linear& limit, bool is_lower) {
    for (Linear& other : limits)
      if (other.factors == limit.factors) {
        other.constant = is_lower ? std::max(other.constant, limit.constant)
                                  : std::min(other.constant, limit.constant);
        return;
      }
    limits.push_back(limit);
  }

  Expr* smaller(Expr* a, Expr* b) const {
    return b_.builtin(Id::builtins_min, types::int64(), {a, b});
  }
  Expr* larger(Expr* a, Expr* b) const {
    return b_.builtin(Id::builtins_max, types::int64(), {a, b});
  }

  Expr* all_are_small(std::vector<Expr*>& small) const {
    Expr* all = nullptr;
    for (const int k : used_) {
      const Sums::Term& term = sums_.term(k);
      if (term.local || term.is_small) continue;  // variables are between others
      small.push_back(ir::Cloner(program_).expr(term.value));
      for (const bool below : {false, true}) {
        Expr* value = ir::Cloner(program_).expr(term.value);
        Expr* one = b_.compare(below ? CompareOp::kLe : CompareOp::kGe, value,
                               b_.integer(below ? kFar : -kFar));
        all = all ? b_.logical(true, all, one) : one;
      }
    }
    return all;
  }

  // Which one is surely the narrower: all others need not be asked.
  Expr* narrowest(const Linear& end, const std::vector<Linear>& limits, bool is_lower) const {
    std::vector<Linear> all = limits;
    const auto over = [&](const Linear& limit) {
      const auto more = is_lower ? limit.plus(end, -1) : end.plus(limit, -1);
      return more && more->factors.empty() && more->constant >= 0;
    };
    if (std::ranges::none_of(all, over)) all.insert(all.begin(), end);
    Expr* value = text(all.front());
    for (size_t k = 1; k < all.size(); ++k)
      value = is_lower ? larger(value, text(all[k])) : smaller(value, text(all[k]));
    return value;
  }

  Sums& sums_;
  const ir::Builder b_;
  ir::Program& program_;
  int index_ = -1;  // the term of the loop's variable
  const Linear lo_, hi_;
  std::map<int, Range> ranges_{};  // of the variables of the loop and those inside, by their terms
  std::set<int> used_{};           // terms that limits and plain operations hang on
  std::vector<Linear> lower_{}, upper_{};  // index >= lower, index < upper
  bool is_open_ = false;
};

class Borders {
 public:
  Borders(ir::Program& program, ir::Function& f, const ir::For& loop, const Extents& extents,
          const ir::LocalSet& read_behind)
      : program_(program),
        f_(f),
        loop_(loop),
        extents_(extents),
        read_behind_(read_behind),
        b_{program, loop.span} {}

  std::optional<Middle> run() {
    if (!counts_by_one(loop_) || turns_less(loop_, kShort) || !loop_.last_private.empty())
      return std::nullopt;
    ir::Cloner cloner(program_);
    Local* index = cloner.renew(loop_.index, f_);
    ir::for_each_stmt(*loop_.body, [&](const Stmt* s) {
      if (const auto* inner = ir::try_as<ir::For>(s)) cloner.renew(inner->index, f_);
    });
    auto& copy = *ir::as<ir::For>(cloner.stmt(&loop_));
    clamps(program_, *copy.body);
    sums_.emplace(program_, extents_, ir::assigned_in(&copy));
    const auto first = sums_->of(copy.lo), last = sums_->of(copy.hi);
    if (!first || !last) return std::nullopt;
    ends_.emplace(*sums_, b_, program_, *first, *last);
    ends_->add_variable(index, *first, *last);
    times_ = ir::count_assignments(*copy.body);
    block(*copy.body);
    if (!ends_->decided()) return std::nullopt;
    block(*copy.body);  // what the limits say of guards in front of what they come from
    drop_names(*copy.body);
    if (reads_what_ends_assign(*copy.body)) return std::nullopt;
    return middle(copy);
  }

 private:
  // The operations of a sum do not overflow.
  void make_plain(Expr* e) {
    if (auto* unary = ir::try_as<ir::Unary>(e)) {
      unary->plain = true;
      return make_plain(unary->operand);
    }
    auto* binary = ir::try_as<ir::Binary>(e);
    if (!binary || binary->op > BinaryOp::kMul) return;
    binary->plain = true;
    make_plain(binary->left);
    make_plain(binary->right);
  }

  // ---- expressions -----------------------------------------------------------------------------
  void expr(Expr*& e) {
    if (const Sums::Name* name = sums_->find_name(ir::loaded(e))) {
      e = ir::Cloner(program_).expr(name->text);
      return;
    }
    ir::for_each_operand(e, [&](Expr*& operand) { expr(operand); });
    if (auto* element = ir::try_as<ir::Element>(e)) return subscripts(element->indices);
    if (auto* call = ir::try_as<ir::Builtin>(e)) return clip(e, *call);
    if (auto* both = ir::try_as<ir::Logical>(e)) return logical(e, *both);
    if (auto* compare = ir::try_as<ir::Compare>(e)) return guard(e, *compare);
    auto* binary = ir::try_as<ir::Binary>(e);
    if (binary && binary->op == BinaryOp::kMod) return rest(e, *binary);
    const auto* u = ir::try_as<ir::Unary>(e);
    const ir::Const* turned = u && u->op == ir::UnaryOp::kNot ? ir::constant(u->operand) : nullptr;
    if (turned) e = b_.boolean(turned->value.integer == 0);
    auto* select = ir::try_as<ir::Select>(e);
    if (select) window_end(*select);
    const ir::Const* known = select ? ir::constant(select->condition) : nullptr;
    if (known) e = known->value.integer ? select->yes : select->no;
  }

  void subscripts(ir::List<ir::Index>& indices) {
    for (ir::Index& i : indices) {
      const auto value = sums_->of(i.value);
      if (!value || !ends_->has_met_index(*value)) continue;
      const bool moves = value->factor(ends_->index()) != 0;
      if (i.wrap && ends_->want(*value, Ends::Kind::kClip)) {
        i.wrap = false;
        make_plain(i.value);
      }
      if (moves) continue;
      ends_->use(*value);
      i.value = ends_->text(*value);
    }
  }

  // max(x - r, 0)   ->   x - r;   min(taps, x + 1)   ->   taps, in a middle behind the first ones
  void clip(Expr*& e, ir::Builtin& call) {
    const Id id = call.row->id;
    const bool is_max = id == Id::builtins_max;
    if ((!is_max && id != Id::builtins_min) || call.args.size() != 2) return;
    const auto a = sums_->of(call.args[0]), b = sums_->of(call.args[1]);
    if (!a || !b) return;
    const bool first = a->factor(ends_->index()) != 0;
    if (first == (b->factor(ends_->index()) != 0)) return;
    const auto more = first ? a->minus(*b) : b->minus(*a);
    if (!more) return;
    const auto less = Linear{}.minus(*more);
    if (!less) return;
    for (const bool moves : {true, false}) {
      if (!ends_->want(is_max == moves ? *more : *less, Ends::Kind::kClip)) continue;
      e = call.args[first == moves ? 0 : 1];
      return make_plain(e);
    }
  }

  // (x + 1) % n   ->   x + 1;   (x - 1 + n) % n   ->   x - 1
  void rest(Expr*& e, ir::Binary& binary) {
    const auto a = sums_->of(binary.left), b = sums_->of(binary.right);
    if (!a || !b || a->factor(ends_->index()) != 1 || b->factor(ends_->index()) != 0) return;
    const auto above = a->minus(*b);
    const bool once = above && above->factors.size() < a->factors.size();
    const auto from = once ? above : a;
    const auto left = b->minus(*from);
    if (!left) return;
    const Ends::Taken before = ends_->taken();
    const auto most = left->minus({{}, 1});
    if (most && ends_->want(*from, Ends::Kind::kGuard) && ends_->want(*most, Ends::Kind::kGuard)) {
      Expr* rest = once ? without(binary.left, binary.right) : binary.left;
      e = rest ? rest : b_.plain(BinaryOp::kSub, binary.left, binary.right);
      return make_plain(e);
    }
    ends_->restore(before);
  }

  // n + x, x + n - 1   ->   x, x - 1;   null: n is no part of the sum.
  Expr* without(Expr* sum, const Expr* part) const {
    auto* b = ir::try_as<ir::Binary>(sum);
    if (!b || (b->op != BinaryOp::kAdd && b->op != BinaryOp::kSub)) return nullptr;
    const bool adds = b->op == BinaryOp::kAdd;
    if (adds && ir::equal(b->right, part)) return b->left;
    if (adds && ir::equal(b->left, part)) return b->right;
    if (Expr* left = without(b->left, part)) return b_.plain(b->op, left, b->right);
    Expr* right = adds ? without(b->right, part) : nullptr;
    return right ? b_.plain(b->op, b->left, right) : nullptr;
  }

  // 0 if x < r else x - r
  void window_end(ir::Select& select) {
    auto* compare = ir::try_as<ir::Compare>(select.condition);
    if (compare && sums_->of(select.yes) && sums_->of(select.no))
      guard(select.condition, *compare, Ends::Kind::kClip);
  }

  void guard(Expr*& e, ir::Compare& compare, Ends::Kind kind = Ends::Kind::kGuard) {
    const auto a = sums_->of(compare.left), b = sums_->of(compare.right);
    const auto more = a && b ? a->minus(*b) : std::nullopt;
    if (!more || more->factor(ends_->index()) == 0) return;
    const auto less = Linear{}.minus(*more);
    const Linear one{{}, 1};
    const auto above = more->minus(one), below = less->minus(one);
    if (!less || !above || !below) return;
    const auto is = [&](const Linear& holds, const Linear& fails) {
      const bool yes = ends_->want(holds, kind), no = !yes && ends_->want(fails, kind);
      if (!yes && !no) return;
      e = b_.boolean(yes);
    };
    switch (compare.op) {
      case CompareOp::kLt:
        return is(*below, *more);
      case CompareOp::kLe:
        return is(*less, *above);
      case CompareOp::kGt:
        return is(*above, *less);
      case CompareOp::kGe:
        return is(*more, *below);
      default:
        if (compare.op != CompareOp::kEq && compare.op != CompareOp::kNe) return;
        if (ends_->mentions_loops(*more) ||
            (!ends_->want(*above, kind) && !ends_->want(*below, kind)))
          return;
        e = b_.boolean(compare.op == CompareOp::kNe);
    }
  }

  void logical(Expr*& e, ir::Logical& both) {
    const ir::Const *left = ir::constant(both.left), *right = ir::constant(both.right);
    if (left)
      e = (left->value.integer != 0) == both.is_and ? both.right : both.left;
    else if (right && (right->value.integer != 0) == both.is_and)
      e = both.left;
  }

  // ---- statements ------------------------------------------------------------------------------
  void block(Block& b) {
    const Sums::Scope scope = sums_->open();
    Block out;
    stmts(b, out);
    b = std::move(out);
    sums_->close(scope);
  }

  void stmts(const Block& b, Block& out) {
    for (Stmt* s : b)
      if (!ir::ends(out)) stmt(s, out);
  }

  void stmt(Stmt* s, Block& out) {
    if (auto* counted = ir::try_as<ir::For>(s)) return inner_loop(*counted, out);
    auto* assigned = ir::try_as<ir::Assign>(s);
    const bool was_sum = assigned && sums_->of(assigned->value);
    ir::for_each_expr(s, [&](Expr*& e) { expr(e); });
    ir::for_each_place(s, [&](ir::Place& place) {
      if (!place.local) subscripts(place.indices);
    });
    if (assigned) name(*assigned, !was_sum);
    auto* branch = ir::try_as<ir::If>(s);
    const ir::Const* known = branch ? ir::constant(branch->condition) : nullptr;
    if (known) {
      stmts(known->value.integer ? *branch->body : *branch->orelse, out);
      return;
    }
    const auto* loop = ir::try_as<ir::While>(s);
    const ir::Const* turns = loop ? ir::constant(loop->condition) : nullptr;
    if (turns && !turns->value.integer) return;
    ir::for_each_block(s, [&](Block& inner) { block(inner); });
    out.push_back(s);
  }

  // is_clipped: it is a sum, if it is one, because the limits say so.
  void name(ir::Assign& a, bool is_clipped) {
    if (a.local->type != types::int64() || times_.at(a.local) != 1 ||
        read_behind_.contains(a.local))
      return;
    const auto value = sums_->of(a.value);
    if (!value || (!is_clipped && !ends_->has_met_index(*value))) return;
    const bool moves = value->factor(ends_->index()) != 0;
    if (!moves) ends_->use(*value);
    sums_->name(a.local, *value, moves ? a.value : ends_->text(*value));
  }

  // for xx in range(x - r, x + r)   ->   for t in range(r + r): …x - r + t…
  void inner_loop(ir::For& loop, Block& out) {
    expr(loop.lo);
    expr(loop.hi);
    expr(loop.step);
    out.push_back(&loop);
    const bool counts = counts_by_one(loop) && loop.loop == ir::LoopKind::kSerial;
    const auto lo = sums_->of(loop.lo), hi = sums_->of(loop.hi);
    const bool moves = lo && lo->factor(ends_->index()) != 0;
    const auto length = lo && hi ? moves ? hi->minus(*lo) : hi : std::nullopt;
    if (!counts || !length || length->factor(ends_->index()) != 0) return block(*loop.body);
    const Sums::Scope scope = sums_->open();
    if (moves) start_at_zero(loop, *lo, *length);
    ends_->add_variable(loop.index, moves ? Linear{} : *lo, *length);
    block(*loop.body);
    sums_->close(scope);
  }

  void start_at_zero(ir::For& loop, const Linear& lo, const Linear& length) {
    Expr* first = loop.lo;
    make_plain(first);
    ends_->use(lo);
    ends_->use(length);
    Local* own = loop.index;
    f_.locals.push_back(b_.temp(std::string(own->name.str()) + "_step", types::int64()));
    Local* step = f_.locals.back();
    loop.index = step;
    loop.lo = b_.integer(0);
    loop.hi = ends_->text(length);
    loop.body->insert(loop.body->begin(),
                      b_.assign(own, b_.plain(BinaryOp::kAdd, first, b_.load(step))));
  }

  // Assignments of variables that nothing reads any more.
  void drop_names(Block& body) {
    std::unordered_map<const Local*, int> reads;
    ir::for_each_stmt(body, [&](const Stmt* s) {
      ir::for_each_local_of(s, [&](const Local* local, ir::Access access) {
        if (access != ir::Access::kWrite) ++reads[local];
      });
    });
    ir::replace_stmts(body, [&](Stmt* s, Block&) {
      const auto* a = ir::try_as<ir::Assign>(s);
      return a && a->local->type == types::int64() && times_.at(a->local) == 1 &&
             !read_behind_.contains(a->local) && reads[a->local] == 0 && !ir::has_effect(a->value);
    });
  }

  // What is assigned in a branch that is taken at the ends only has the value that these gave it.
  bool reads_what_ends_assign(const Block& body) const {
    ir::LocalSet left = ir::assigned_in(*loop_.body);
    const ir::LocalSet kept = ir::assigned_in(body);
    for (const Local* local : kept) left.erase(local);
    bool found = false;
    ir::for_each_stmt(body, [&](const Stmt* s) {
      ir::for_each_local_of(s, [&](const Local* local, ir::Access access) {
        found = found || (access != ir::Access::kWrite && left.contains(local));
      });
    });
    return found;
  }

  // ---- the middle ------------------------------------------------------------------------------
  Local* local(const char* name) {
    f_.locals.push_back(b_.temp(name, types::int64()));
    return f_.locals.back();
  }

  Middle middle(ir::For& copy) {
    Middle made{.loop = &copy};
    ends_->fill_limits(made);
    if (ends_->empty()) return made;
    made.is_open = ends_->is_open();
    made.begin = local("begin");
    made.end = local("end");
    ends_->fill_ends(made);
    copy.lo = b_.load(made.begin);
    copy.hi = b_.load(made.end);
    return made;
  }

  ir::Program& program_;
  ir::Function& f_;
  const ir::For& loop_;
  const Extents& extents_;
  const ir::LocalSet& read_behind_;
  const ir::Builder b_;
  std::optional<Sums> sums_{};
  std::optional<Ends> ends_{};
  std::unordered_map<const Local*, int> times_{};  // that the body assigns it
};

}  // namespace

bool is_window(const ir::For& inner, const ir::For& around) {
  const ir::LocalSet moves = ir::assigned_in(&around);
  return ir::reads_any(inner.lo, moves) && ir::reads_any(inner.hi, moves);
}

std::optional<Middle> middle_of(ir::Program& program, ir::Function& f, const ir::For& loop,
                                const Extents& extents, const ir::LocalSet& read_behind) {
  // Who leaves a part would go on with the next one.
  const bool is_left = ir::any_stmt(*loop.body, [&](const Stmt* s) {
    const auto* jump = ir::try_as<ir::Break>(s);
    return jump && jump->loop == &loop;
  });
  if (is_left) return std::nullopt;
  return Borders(program, f, loop, extents, read_behind).run();
}

}  // namespace pyk2cu::emit
