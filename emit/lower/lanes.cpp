// Innermost loops for the lanes of vector registers: vector math, checks asked in front, strips of
// checked iterations.
//
//   math.exp(x)   ->   its form for lanes;  a call of cnd(x)   ->   its instance for lanes
//
//   for i …: if s == 0: raise …; …     ->     plain = disjoint(…) and not s == 0
//                                             if plain: for i …: … in lanes
//                                             else: the loop
//
// g++ vectorises what is left when nothing in a loop is a call, a branch out or a table. No vector
// math with --fp=strict, which wants libm, nor with fastmath, which would reassociate pyk/lanes.h.
// In: a program.  Out: loops changed, functions added. Tested by tests/golden/lanes.
#include "emit/lower/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "emit/lower/common_checks.h"
#include "emit/lower/flow.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lanes/extremes.h"
#include "emit/lower/lanes/forms.h"
#include "emit/lower/lower.h"
#include "emit/lower/reductions.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;
using types::Type;

namespace {

constexpr Forms kAllForms{};         // loops with others too are left to the C++ compiler
constexpr int kMaxDepth = 4;         // of helpers that call helpers
constexpr int kFewOperations = 16;   // of a condition that is asked as a whole
constexpr int64_t kFewTurns = 64;    // a loop that surely has fewer is left alone
constexpr int64_t kFewestLanes = 4;  // of functions: fewer are for libm

class Rules {
 public:
  // `loop`: null in a helper, which sees scalars only.
  explicit Rules(const ir::For* loop, const Iterations* iterations, int depth = 0)
      : loop_(loop), iterations_(iterations), depth_(depth) {}

  bool block(const Block& body, bool top) const {
    return std::all_of(body.begin(), body.end(), [&](const Stmt* s) { return stmt(s, top); });
  }

 private:
  bool stmt(const Stmt* s, bool top) const {
    bool fits = false;
    switch (s->kind) {
      case StmtKind::kAssign:
        fits = ir::as<ir::Assign>(s)->local->type->is_real();
        break;
      case StmtKind::kStore:
        return top && stored(ir::as<ir::Store>(s)->place) && expr(ir::as<ir::Store>(s)->value);
      case StmtKind::kUpdate: {
        const auto& update = *ir::as<ir::Update>(s);
        const bool place =
            update.place.local ? update.place.local->type->is_real() : top && stored(update.place);
        return place && has_vector_form(update, kAllForms) && expr(update.value);
      }
      case StmtKind::kIf: {
        const auto& branch = *ir::as<ir::If>(s);
        if (loop_ && top && is_check(s)) return expr(branch.condition);
        fits = block(*branch.body, false) && block(*branch.orelse, false);
        break;
      }
      case StmtKind::kReturn:
        fits = !loop_ && ir::as<ir::Return>(s)->value;
        break;
      default:
        return false;
    }
    ir::for_each_expr(s, [&](const Expr* e) { fits = fits && expr(e); });
    return fits;
  }

  bool expr(const Expr* e) const {
    bool fits = false;
    switch (e->kind) {
      case ExprKind::kConst:
      case ExprKind::kLoad:
        return e->type->is_real();
      case ExprKind::kQuery:
        return loop_ && iterations_->is_known(e);
      case ExprKind::kElement:
        return loop_ && e->type->is_real() &&
               side_by_side(ir::as<ir::Element>(e)->array, ir::as<ir::Element>(e)->indices, true);
      case ExprKind::kUnary:
      case ExprKind::kCompare:
      case ExprKind::kLogical:
      case ExprKind::kSelect:
        fits = true;
        break;
      case ExprKind::kBinary:
        fits = has_vector_form(*ir::as<ir::Binary>(e), kAllForms);
        break;
      case ExprKind::kConvert:
        fits = has_vector_form(*ir::as<ir::Convert>(e), kAllForms) &&
               !is_of_index(*ir::as<ir::Convert>(e));
        break;
      case ExprKind::kBuiltin:
        fits = has_vector_form(*ir::as<ir::Builtin>(e), kAllForms);
        break;
      case ExprKind::kCall:
        fits = helper(*ir::as<ir::Call>(e));
        break;
      default:
        return false;
    }
    fits = fits && e->type->is_real();
    ir::for_each_operand(e, [&](const Expr* operand) { fits = fits && expr(operand); });
    return fits;
  }

  // float64(i): gangs count in floats.
  bool is_of_index(const ir::Convert& e) const {
    return loop_ && e.operand->type == types::int64() && ir::reads(e.operand, loop_->index) &&
           !ir::reads_memory(e.operand);
  }

  bool helper(const ir::Call& e) const {
    const ir::Function& callee = *e.callee;
    if (ir::is_observable(e) || callee.kind != ir::FunctionKind::kHost || callee.is_relaxed())
      return false;
    return depth_ < kMaxDepth && Rules(nullptr, nullptr, depth_ + 1).block(callee.body, true);
  }

  bool stored(const ir::Place& place) const {
    return loop_ && side_by_side(place.array, place.indices, false);
  }

  // a[k, i + 1]: neighbours of one row, or, when it is only read, one element.
  bool side_by_side(const Expr* array, const ir::List<ir::Index>& indices, bool read) const {
    const Local* local = ir::loaded(array);
    if (!local || iterations_->assigned().contains(local)) return false;
    if (array->type->layout != types::Layout::kC || indices.empty()) return false;
    const auto fixed = [&](const ir::Index& i) { return iterations_->is_known(i.value); };
    if (!std::all_of(indices.begin(), indices.end() - 1, fixed)) return false;
    const ir::Index& last = indices.back();
    if (last.wrap) return false;
    return is_shifted(last.value) || (read && (fixed(last) || is_shifted_by_known(last.value)));
  }

  bool is_shifted(const Expr* e) const {
    if (ir::loaded(e) == loop_->index) return true;
    const auto* b = ir::try_as<ir::Binary>(e);
    return b && (b->op == BinaryOp::kAdd || b->op == BinaryOp::kSub) &&
           ir::loaded(b->left) == loop_->index && ir::constant(b->right);
  }

  // n + i, i - n + 1, where that does not overflow.
  bool is_shifted_by_known(const Expr* e) const {
    if (ir::loaded(e) == loop_->index) return true;
    const auto* b = ir::try_as<ir::Binary>(e);
    if (!b || !b->plain || (b->op != BinaryOp::kAdd && b->op != BinaryOp::kSub)) return false;
    if (iterations_->is_known(b->right)) return is_shifted_by_known(b->left);
    return b->op == BinaryOp::kAdd && iterations_->is_known(b->left) &&
           is_shifted_by_known(b->right);
  }

  const ir::For* loop_;
  const Iterations* iterations_;
  int depth_;
};

// Is there anything in it, or in what it calls, that has another form in lanes? `functions`: one of
// the C library. Functions that call themselves or each other are asked once.
bool differs(const Block& body, std::set<const ir::Function*>& asked, bool functions) {
  bool found = false;
  ir::for_each_expr_in(body, [&](const Expr* e) {
    const auto* builtin = ir::try_as<ir::Builtin>(e);
    const auto* convert = ir::try_as<ir::Convert>(e);
    const auto* call = ir::try_as<ir::Call>(e);
    const auto* binary = ir::try_as<ir::Binary>(e);
    found = found ||
            (builtin && has_own_form(*builtin) &&
             !(functions && builtin->row->module() == "builtins")) ||
            (binary && has_own_form(*binary) && !(functions && binary->op != BinaryOp::kPow)) ||
            (convert && has_own_form(*convert) && !functions) ||
            (call && asked.insert(call->callee).second &&
             differs(call->callee->body, asked, functions));
  });
  return found;
}

class Lanes {
 public:
  explicit Lanes(Lowering& lowering)
      : program_(lowering.program), options_(lowering.options), notes_(lowering.notes) {}

  void run() {
    for (ir::Function* f : std::vector<ir::Function*>(program_.functions)) {
      if (f->kind != ir::FunctionKind::kHost) continue;
      const ir::EffectAnalysis effects(*f);
      function_ = f;
      effects_ = &effects;
      behind_.reset();
      around_.clear();
      block(f->body);
      if (const auto steps = steps_.find(f); steps != steps_.end()) {
        temps(program_, *f);
        for (ir::Function* step : steps->second) temps(program_, *step);
      }
    }
    add_made();
  }

 private:
  void block(Block& b) {
    for (size_t k = 0; k < b.size(); ++k) {
      Stmt* s = b[k];
      auto* loop = ir::try_as<ir::For>(s);
      const Stmt* stands = s;
      if (loop && fills_lanes(*loop, *effects_) && !(is_fast() && has_checks(*loop)))
        stands = in_lanes(b, *loop);
      else
        nested(b, s);
      // What loops need to know is put in front.
      k = static_cast<size_t>(std::find(b.begin() + long(k), b.end(), stands) - b.begin());
    }
  }

  void nested(Block& b, Stmt* s) {
    const bool is_loop = ir::is_loop(s);
    if (is_loop) around_.push_back({&b, s});
    auto* branch = ir::try_as<ir::If>(s);
    if (branch && branch->versions) {
      block(*branch->body);
      notes_.of_slower([&] { block(*branch->orelse); });
    } else {
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
    }
    if (is_loop) around_.pop_back();
  }

  bool is_fast() const { return function_->is_relaxed(); }
  static bool has_checks(const ir::For& loop) { return std::ranges::any_of(*loop.body, is_check); }

  // What stands now where the loop stood.
  const Stmt* in_lanes(Block& b, ir::For& s, bool are_many = false) {
    if (!has_checks(s)) {
      if (const Stmt* stands = are_many ? nullptr : where_many(b, s)) return stands;
      use_forms(*s.body);
      const bool shares = s.loop == ir::LoopKind::kParallel && !s.reductions.empty() &&
                          s.schedule == ir::Schedule::kEven && !options_.strict_fp;
      if (shares && Iterations(s, *effects_).are_independent(false)) s.simd = true;
      if (s.simd || !meets_many(*s.body)) return &s;
      if (s.loop == ir::LoopKind::kParallel && s.reductions.empty()) s.simd = true;
      if (!behind_) behind_.emplace(function_->body);
      const Stmt* stands = s.simd ? nullptr : asked_once(b, s);
      return stands ? stands : &s;
    }
    if (!behind_) behind_.emplace(function_->body);
    if (const Stmt* stands = asked_once(b, s)) return stands;
    around_.push_back({&b, &s});
    const Strips found = strips(program_, *function_, s, around_, *effects_, *behind_);
    around_.pop_back();
    notes_.add(*function_, &s,
               found.step ? Verdict{"vectors", "what may raise is checked for 256 iterations ahead"}
                          : Verdict{.why = "what may be raised is not known before it runs"});
    if (!found.step) return &s;
    use_forms(*found.checks);
    use_forms(found.step->body);
    steps_[function_].push_back(found.step);
    return &s;
  }

  // A loop in another one with forms for lanes where it turns often enough to fill some, beside the
  // loop with those of libm; null: it needs no such forms, or surely fills lanes.
  const Stmt* where_many(Block& b, ir::For& s) {
    // The loop over both sides of a middle turns twice.
    const auto turns = [](const Around& at) {
      const auto* loop = ir::try_as<ir::For>(at.loop);
      return !(loop && turns_less(*loop, 3));
    };
    if (std::ranges::none_of(around_, turns) || s.loop == ir::LoopKind::kParallel || is_fast() ||
        forms_of(options_, *function_).libm || !calls_functions(*s.body) || meets_many(*s.body))
      return nullptr;
    const ir::Builder build{program_, s.span};
    Expr* many = turns_at_least(build, s, kFewestLanes);
    if (!many) return nullptr;
    if (!behind_) behind_.emplace(function_->body);
    const size_t locals = function_->locals.size();
    ir::For* filled = own_copy(s);
    if (!filled) {
      function_->locals.resize(locals);
      return nullptr;
    }
    Block* lanes = build.block({filled});
    notes_.also(*function_, &s, fmt::format("where there are {} iterations or more", kFewestLanes));
    Stmt* stands = build.versions(many, lanes, build.block({&s}));
    *std::ranges::find(b, &s) = stands;
    use_forms(*filled->body);
    return stands;
  }

  static bool calls_functions(const Block& body) {
    std::set<const ir::Function*> asked;
    return differs(body, asked, true);
  }

  // More pairs of arrays, one of which is written, than g++ asks whether they share memory.
  static bool meets_many(const Block& body) {
    constexpr size_t kMostPairs = 10;
    const TouchedArrays arrays = touched_by(body);
    return arrays.known && arrays.stored.size() * (arrays.all.size() - 1) > kMostPairs;
  }

  // The loop without checks where they hold in none of its iterations, beside the loop itself;
  // null: not all checks are the same in all iterations.
  const Stmt* asked_once(Block& b, ir::For& s) {
    const size_t locals = function_->locals.size();
    ir::For* plain = own_copy(s);
    Expr* condition = plain ? raises_nothing(*plain) : nullptr;
    if (!condition) {
      function_->locals.resize(locals);
      return nullptr;
    }
    plain->simd = plain->loop == ir::LoopKind::kSerial;
    plain->keeps_error = false;
    use_forms(*s.body);
    in_lanes(b, *plain, true);  // nothing is asked of a copy a second time
    notes_.add(*function_, &s, {"vectors", "what may raise is asked once, in front of it"});
    const ir::Builder build{program_, s.span};
    around_.push_back({&b, &s});
    Local* known = ask(program_, *function_, "plain", condition, around_);
    around_.pop_back();
    Stmt* stands = build.versions(build.load(known), build.block({plain}), build.block({&s}));
    *std::ranges::find(b, &s) = stands;
    return stands;
  }

  // With variables of its own; null: some are read behind the loop.
  ir::For* own_copy(const ir::For& s) {
    const ir::LocalSet& behind = behind_->of(&s);
    const auto sums = [&](const Local* local) {
      return std::ranges::any_of(s.reductions, [&](const auto& r) { return r.local == local; });
    };
    for (const Local* local : ir::assigned_in(*s.body))
      if (!sums(local) && (local->maybe_unbound || behind.contains(local))) return nullptr;
    if (!s.last_private.empty()) return nullptr;
    ir::Cloner cloner(program_);
    for (const ir::Reduction& r : s.reductions) cloner.map(r.local, r.local);
    auto* copy = program_.make<ir::For>(s);
    copy->index = cloner.renew(s.index, *function_);
    copy->lo = cloner.expr(s.lo);
    copy->hi = cloner.expr(s.hi);
    copy->step = cloner.expr(s.step);
    cloner.renew_assigned(*s.body, *function_);
    copy->body = cloner.block(*s.body);
    return copy;
  }

  // Takes the checks out of the loop: in front of it, that none of them holds and that what it
  // stores is apart from what it loads. Null: that cannot be asked there.
  Expr* raises_nothing(ir::For& loop) {
    const std::vector<Expr*> checks = take_common_checks(program_, *loop.body, loop.index);
    const Iterations iterations(loop, *effects_);
    const TouchedArrays arrays = touched_by(*loop.body);
    const bool known =
        loop.loop == ir::LoopKind::kParallel || (arrays.known && iterations.are_independent(true));
    if (std::ranges::any_of(*loop.body, is_check) || !known) return nullptr;
    const ir::Builder build{program_, loop.span};
    Expr* all = loop.loop == ir::LoopKind::kParallel ? nullptr : apart(build, arrays, *effects_);
    for (Expr* check : checks) {
      Expr* passes = build.negated(check);
      all = all ? build.logical(true, all, passes) : passes;
    }
    return all;
  }

  // ---- forms -----------------------------------------------------------------------------------
  void use_forms(Block& body) {
    ir::for_each_expr_in(body, [&](Expr* e) { use_form(e); });
    ask_all(body);
  }

  // a > b and b > 0   ->   (a > b) & (b > 0)     of numbers alone: of chains of branches C++
  // compilers make no vectors.
  void ask_all(Block& body) {
    ir::for_each_stmt(body, [&](Stmt* s) {
      if (!is_check(s)) ir::for_each_expr(s, [&](Expr*& e) { ask_all(e); });
    });
  }

  void ask_all(Expr*& e) {
    ir::for_each_operand(e, [&](Expr*& operand) { ask_all(operand); });
    const auto* logical = ir::try_as<ir::Logical>(e);
    if (!logical || !is_easy(e)) return;
    const ir::Builder build{program_, e->span};
    e = build.expr<ir::Binary>(e->type, logical->is_and ? BinaryOp::kAnd : BinaryOp::kOr,
                               logical->left, logical->right);
  }

  // A few operations that nobody minds.
  static bool is_easy(const Expr* e) {
    int count = 0;
    bool easy = true;
    ir::for_each_subexpr(e, [&](const Expr* part) {
      const auto* b = ir::try_as<ir::Binary>(part);
      const bool computes = b && (b->op <= BinaryOp::kMul || b->op >= BinaryOp::kAnd);
      easy = easy && part->type->is_real() &&
             (computes || part->kind == ExprKind::kConst || part->kind == ExprKind::kLoad ||
              part->kind == ExprKind::kCompare || part->kind == ExprKind::kLogical ||
              part->kind == ExprKind::kUnary || part->kind == ExprKind::kConvert);
      count += part->kind != ExprKind::kConst && part->kind != ExprKind::kLoad;
    });
    return easy && count <= kFewOperations;
  }

  void use_form(Expr* e) {
    if (!is_fast()) use_own_form(e, forms_of(options_, *function_));
    if (auto* call = ir::try_as<ir::Call>(e)) {
      if (!is_fast() && differs_in_lanes(call->callee->body)) call->callee = form_of(call->callee);
      call->callee->is_inline = true;
      if (asked_.insert(call->callee).second) ask_all(call->callee->body);
    }
  }

  // The helper as lanes call it.
  ir::Function* form_of(ir::Function* f) {
    const auto [it, is_new] = forms_.try_emplace(f, nullptr);
    if (!is_new) return it->second;
    ir::Function* form = ir::clone(*f, program_);
    form->symbol = unique_symbol(program_, f->symbol + "_lanes");
    form->is_root = false;
    use_forms(form->body);
    return forms_[f] = form;
  }

  // New functions stand where their callers find them: a helper's form behind it, a step before the
  // function whose loop it was.
  void add_made() {
    std::vector<ir::Function*> all;
    for (ir::Function* f : program_.functions) {
      if (const auto steps = steps_.find(f); steps != steps_.end())
        all.insert(all.end(), steps->second.begin(), steps->second.end());
      all.push_back(f);
      if (const auto form = forms_.find(f); form != forms_.end()) all.push_back(form->second);
    }
    program_.functions = std::move(all);
  }

  ir::Program& program_;
  const Options& options_;
  LoopNotes& notes_;
  ir::Function* function_ = nullptr;
  const ir::EffectAnalysis* effects_ = nullptr;
  std::optional<ReadBehind> behind_{};  // before any loop was changed, once it is asked for
  std::vector<Around> around_{};
  std::unordered_map<const ir::Function*, std::vector<ir::Function*>> steps_{};
  std::unordered_map<const ir::Function*, ir::Function*> forms_{};
  std::unordered_set<const ir::Function*> asked_{};
};

// The last of three axes of bytes: three or four of them, too few for vectors.
bool is_of_channels(const ir::For& loop) {
  bool found = false;
  ir::for_each_expr_in(std::as_const(*loop.body), [&](const Expr* e) {
    const auto* element = ir::try_as<ir::Element>(e);
    found = found || (element && element->type->bits == 8 && element->indices.size() >= 3 &&
                      ir::loaded(element->indices.back().value) == loop.index);
  });
  return found;
}

// Straight code, whose iterations hand on nothing but what is a sum.
template <class IsSum>
bool is_straight(const ir::For& loop, const ir::EffectAnalysis& effects, const IsSum& is_sum) {
  if (!ir::is_int_const(loop.step, 1) || loop.index->type != types::int64()) return false;
  if (is_of_channels(loop)) return false;
  if (turns_less(loop, kFewTurns)) return false;
  const Iterations iterations(loop, effects);
  if (!Rules(&loop, &iterations).block(*loop.body, true)) return false;
  const Flow flow = flow_of(*loop.body);
  return std::ranges::all_of(iterations.assigned(), [&](const Local* local) {
    return !flow.exposes(local) || is_sum(local);
  });
}

}  // namespace

bool differs_in_lanes(const Block& body) {
  std::set<const ir::Function*> asked;
  return differs(body, asked, false);
}

bool fills_lanes(const ir::For& loop, const ir::EffectAnalysis& effects) {
  return is_straight(loop, effects, [&](const Local* local) {
    const auto reduces = [&](const ir::Reduction& r) { return r.local == local; };
    return std::ranges::any_of(loop.reductions, reduces);
  });
}

bool counts(const ir::For& loop, const ir::EffectAnalysis& effects) {
  if (std::ranges::any_of(*loop.body, is_check) || differs_in_lanes(*loop.body)) return false;
  bool found = false;
  return is_straight(loop, effects,
                     [&](const Local* local) {
                       const auto reduced = reduction_of(*loop.body, local);
                       found =
                           local->type->is_int() && reduced && reduced->op == ir::ReduceOp::kAdd;
                       return found;
                     }) &&
         found;
}

void lanes(Lowering& lowering) { Lanes(lowering).run(); }

bool has_ways(const Block& body) {
  bool found = false;
  ir::for_each_stmt(body, [&](const Stmt* s) {
    const auto* branch = ir::try_as<ir::If>(s);
    found = found || (branch && !is_check(s) &&
                      (differs_in_lanes(*branch->body) || differs_in_lanes(*branch->orelse)));
  });
  ir::for_each_expr_in(body, [&](const Expr* e) {
    const auto* call = ir::try_as<ir::Call>(e);
    found = found || (call && has_ways(call->callee->body));
  });
  return found;
}

}  // namespace pyk2cu::emit
