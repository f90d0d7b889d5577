// Branches of straight code as choices: see chosen_values.h.
#include "emit/lower/lanes/chosen_values.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "emit/lower/blends.h"
#include "emit/lower/evaluated.h"
#include "emit/lower/flow.h"
#include "emit/lower/interval.h"
#include "emit/lower/lanes/inline.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

namespace {

constexpr int kFew = 2;         // branches from which on compilers make ways of them
constexpr int kMost = 12;       // operations of a side that is computed for nothing
constexpr int kOfDivision = 4;  // of floats, in operations

using Mentions = std::unordered_map<const Local*, int>;

void count(Mentions& all, const Stmt* s) {
  ir::for_each_local_in(s, [&](const Local* local, ir::Access) { ++all[local]; });
}

// Operations of what may be computed whatever the condition is; kMost and more: it may not.
int cost(const Expr* e, const Expr* condition) {
  if (e->kind == ExprKind::kElement) return is_evaluated_in(condition, e) ? 1 : kMost;
  const auto* b = ir::try_as<ir::Binary>(e);
  const bool fits = e->kind == ExprKind::kConst || e->kind == ExprKind::kLoad ||
                    e->kind == ExprKind::kConvert || e->kind == ExprKind::kUnary ||
                    e->kind == ExprKind::kCompare || e->kind == ExprKind::kSelect ||
                    e->kind == ExprKind::kLogical ||
                    (b && (b->op <= ir::BinaryOp::kMul || b->op >= ir::BinaryOp::kAnd));
  const bool divides = b && b->op == ir::BinaryOp::kDiv && b->type->is_float();
  int operations = divides                                        ? kOfDivision
                   : !fits                                        ? kMost
                   : e->kind == ExprKind::kConst || ir::loaded(e) ? 0
                                                                  : 1;
  ir::for_each_operand(e, [&](const Expr* part) { operations += cost(part, condition); });
  return operations;
}

class ChosenValues {
 public:
  ChosenValues(ir::Program& program, ir::Function& f, const ir::LocalSet& left)
      : program_(program), f_(f), left_(left) {}

  void run(ir::For& loop) {
    take_in(loop);
    int branches = 0, loops = 0;
    ir::for_each_stmt(*loop.body, [&](const Stmt* s) {
      branches += s->kind == ir::StmtKind::kIf;
      loops += ir::is_loop(s);
    });
    if (branches < kFew || loops > 0) return;
    for (const Stmt* s : *loop.body) count(mentions_, s);
    block(*loop.body, {});
  }

 private:
  // What a side gives variables, in the order of the source.
  struct Side {
    std::vector<std::pair<Local*, Expr*>> values{};
    std::unordered_map<const Local*, Expr*> last{};  // of those that others read
  };

  // Helpers that go several ways, in place of their calls, unless one of them leaves a loop.
  void take_in(ir::For& loop) {
    const auto parts = [](const ir::Call& call, int) {
      int branches = 0, returns = 0;
      ir::for_each_stmt(call.callee->body, [&](const Stmt* s) {
        branches += s->kind == ir::StmtKind::kIf;
        returns += s->kind == ir::StmtKind::kReturn;
      });
      return branches >= kFew || (branches > 0 && returns > 1);
    };
    bool asks = false;
    ir::for_each_expr_in(*loop.body, [&](const Expr* e) {
      const auto* call = ir::try_as<ir::Call>(e);
      asks = asks || (call && parts(*call, 0));
    });
    if (!asks) return;
    const size_t locals = f_.locals.size();
    auto* copy = ir::as<ir::For>(ir::Cloner(program_).stmt(&loop));
    if (inline_calls(program_, f_, *copy->body, parts) ||
        ir::any_stmt(*copy->body, [](const Stmt* s) { return ir::is_loop(s); }))
      return f_.locals.resize(locals);
    loop.body = copy->body;
  }

  // `known`: what has a value in this turn.
  void block(Block& b, ir::LocalSet known) {
    Block all;
    for (Stmt* s : b) {
      const size_t first = all.size();
      auto* branch = ir::try_as<ir::If>(s);
      const ir::LocalSet own = branch ? own_of(*branch) : ir::LocalSet{};
      if (branch)
        for (Block* side : {branch->body, branch->orelse}) block(*side, known);
      if (!branch || !choose(*branch, own, known, all)) all.push_back(s);
      for (size_t k = first; k < all.size(); ++k) {
        const Flow flow = flow_of(all[k]);
        for (const Local* local : flow.touched())
          if (flow.assigns(local)) known.insert(local);
      }
    }
    b = std::move(all);
  }

  // Statements in place of the branch; none: it stays.
  bool choose(ir::If& branch, const ir::LocalSet& own, const ir::LocalSet& known, Block& all) {
    if (ir::has_effect(branch.condition)) return false;
    Side yes, no;
    if (!takes(*branch.body, branch, yes) || !takes(*branch.orelse, branch, no)) return false;
    std::vector<Local*> given;  // to others
    for (const Side* side : {&yes, &no})
      for (const auto& [local, value] : side->values)
        if (!is_own(local, own) && std::ranges::find(given, local) == given.end())
          given.push_back(local);
    for (const Local* local : given) {
      const bool by_both = gives(yes, local) && gives(no, local);
      if (!by_both && !known.contains(local)) return false;
    }
    if (given.empty() || is_truth_or_count(branch)) return false;
    const ir::Builder b{program_, branch.span};
    Expr* condition = branch.condition;
    Local* taken = nullptr;
    if (given.size() > 1) {
      taken = temp(b, "taken", types::boolean());
      all.push_back(b.assign(taken, condition));
    }
    times_.clear();
    for (const Side* side : {&yes, &no})
      for (const auto& one : side->values) ++times_[one.first];
    for (Side* side : {&yes, &no}) compute(*side, own, given, all);
    for (Local* local : given) {
      const auto value = [&](const Side& side) {
        const auto found = side.last.find(local);
        return found == side.last.end() ? b.load(local) : found->second;
      };
      if (given.size() > 1) condition = b.load(taken);
      all.push_back(b.assign(local, chosen(b, condition, value(yes), value(no))));
    }
    return true;
  }

  // Of `if c: flag = False` choices.cpp makes `flag & !c`; of `if c: n += 1` a sum, which C++
  // compilers know as well.
  static bool is_truth_or_count(const ir::If& branch) {
    if (branch.body->size() != 1 || !branch.orelse->empty()) return false;
    const auto* a = ir::try_as<ir::Assign>(branch.body->front());
    const auto* u = ir::try_as<ir::Update>(branch.body->front());
    return (a && a->local->type->is_bool() && ir::constant(a->value)) ||
           (u && u->place.local && u->place.local->type->is_int() && ir::constant(u->value));
  }

  // Of truths, one of which is known, `&` and `|`: of chains of branches C++ compilers make ways.
  static Expr* chosen(const ir::Builder& b, Expr* condition, Expr* yes, Expr* no) {
    if (!yes->type->is_bool() || !(ir::constant(yes) || ir::constant(no)))
      return b.expr<ir::Select>(yes->type, condition, yes, no);
    const bool by_yes = ir::constant(yes) != nullptr;
    const bool known = ir::constant(by_yes ? yes : no)->value.integer != 0;
    Expr* asked = by_bits(b, known == by_yes ? condition : b.negated(condition));
    Expr* other = by_yes ? no : yes;
    if (const ir::Const* all = ir::constant(other))
      return (all->value.integer != 0) == known ? other : asked;
    return b.plain(known ? ir::BinaryOp::kOr : ir::BinaryOp::kAnd, asked, other);
  }

  // What may be computed whatever comes out.
  static Expr* by_bits(const ir::Builder& b, Expr* condition) {
    const auto* no = ir::try_as<ir::Unary>(condition);
    if (no && no->op == ir::UnaryOp::kNot) return b.negated(by_bits(b, no->operand));
    const auto* both = ir::try_as<ir::Logical>(condition);
    if (!both || cost(condition, condition) >= kMost) return condition;
    return b.plain(both->is_and ? ir::BinaryOp::kAnd : ir::BinaryOp::kOr, by_bits(b, both->left),
                   by_bits(b, both->right));
  }

  static bool gives(const Side& side, const Local* local) {
    return std::ranges::any_of(side.values, [&](const auto& one) { return one.first == local; });
  }

  bool takes(const Block& b, const ir::If& branch, Side& side) const {
    int operations = 0;
    for (Stmt* s : b) {
      const auto [local, value] = assigned(program_, s);
      if (!local || local->lanes != 0 || local->maybe_unbound || !value ||
          value->type != local->type || !(local->type->is_real() || local->type->is_bool()))
        return false;
      operations += cost(value, branch.condition);
      side.values.emplace_back(local, value);
    }
    return operations < kMost;
  }

  // What nothing outside the branch mentions, nor the branch reads before it has a value.
  ir::LocalSet own_of(const ir::If& branch) const {
    ir::LocalSet own;
    const Flow flow = flow_of(&branch);
    Mentions inside;
    count(inside, &branch);
    for (const auto& [local, times] : inside)
      if (times == mentions_.at(local) && !flow.exposes(local) && !is_left(local))
        own.insert(local);
    return own;
  }
  bool is_left(const Local* local) const {
    return left_.contains(local) || std::ranges::find(f_.shared, local) != f_.shared.end();
  }
  bool is_own(const Local* local, const ir::LocalSet& own) const {
    return own.contains(local) || made_.contains(local);
  }

  // The values of a side, whichever side is taken. `given`: what is chosen after that, in order.
  void compute(Side& side, const ir::LocalSet& own, const std::vector<Local*>& given, Block& all) {
    ir::Cloner cloner(program_);
    for (size_t k = 0; k < side.values.size(); ++k) {
      const auto [local, value] = side.values[k];
      const ir::Builder b{program_, value->span};
      Expr* computed = anywhere(cloner.expr(value));
      const bool hidden = is_own(local, own);
      if (hidden && times_[local] == 1) {
        all.push_back(b.assign(local, computed));
        continue;
      }
      ir::LocalSet earlier;
      for (auto one = given.begin(); one != std::ranges::find(given, local); ++one)
        earlier.insert(*one);
      // Of choices inside each other C++ compilers make ways.
      const bool chooses = computed->kind == ExprKind::kSelect;
      if (hidden || chooses || is_read_behind(side, k) || ir::reads_any(computed, earlier)) {
        Local* name = temp(b, local->name.str(), local->type);
        all.push_back(b.assign(name, computed));
        cloner.map(local, name);
        computed = b.load(name);
      }
      if (!hidden) side.last[local] = computed;
    }
  }

  static bool is_read_behind(const Side& side, size_t k) {
    const Local* local = side.values[k].first;
    return std::any_of(side.values.begin() + ptrdiff_t(k) + 1, side.values.end(),
                       [&](const auto& one) { return ir::reads(one.second, local); });
  }

  Local* temp(const ir::Builder& b, std::string_view stem, const types::Type* type) {
    Local* local = b.temp(stem, type);
    f_.locals.push_back(local);
    made_.insert(local);
    return local;
  }

  ir::Program& program_;
  ir::Function& f_;
  const ir::LocalSet& left_;
  Mentions mentions_{};  // in the loop, before
  Mentions times_{};     // how often the branch at hand assigns each
  ir::LocalSet made_{};
};

}  // namespace

void choose_values(ir::Program& program, ir::Function& f, ir::For& loop, const ir::LocalSet& left) {
  ChosenValues(program, f, left).run(loop);
}

}  // namespace pyk2cu::emit
