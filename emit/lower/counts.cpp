// What a chain of branches counts, without the branches.
//
//   if p > 0: c += 1                          is = p > 0
//   elif p < 0: d += 1                 ->     is_2 = !is & (p < 0)
//   elif x == y and u != v: t += 1            is_3 = !is & !is_2 & (x == y) & (u != v)
//                                             c += 1 if is else 0; d += 1 if is_2 else 0; …
//
// In innermost loops of straight code: of ways that part several times C++ compilers make no
// vectors, and nothing foresees them. Of one branch they do.
// In:   functions in their final form.  Out: the same sums. Conditions are of comparisons that may
// be evaluated whatever comes out before them. Tested by tests/golden/passes/counts.py and
// tests/run/test_counts.py.
#include <algorithm>

#include "emit/lower/evaluated.h"
#include "emit/lower/inside.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

namespace {

constexpr size_t kMostArms = 8;

// A sum that one arm makes: local = local + step
struct Count {
  Stmt* stmt;
  Local* local;
  Expr** step;
};

// Nothing: the statement does something else.
std::optional<Count> count_of(Stmt* s) {
  const auto fits = [](const Local* local, const Expr* step) {
    return local && local->type->is_int() && local->lanes == 0 && ir::constant(step) &&
           step->type == local->type;
  };
  if (auto* u = ir::try_as<ir::Update>(s)) {
    const bool adds = u->op == BinaryOp::kAdd || u->op == BinaryOp::kSub;
    if (adds && !u->atomic && fits(u->place.local, u->value))
      return Count{s, u->place.local, &u->value};
  }
  auto* a = ir::try_as<ir::Assign>(s);
  auto* sum = a ? ir::try_as<ir::Binary>(a->value) : nullptr;
  const bool adds = sum && (sum->op == BinaryOp::kAdd || sum->op == BinaryOp::kSub) &&
                    ir::loaded(sum->left) == a->local && sum->type == a->local->type;
  if (adds && fits(a->local, sum->right)) return Count{s, a->local, &sum->right};
  return std::nullopt;
}

struct Arm {
  Expr* condition;  // null: of the last `else`
  std::vector<Count> counts;
};

class Counts {
 public:
  Counts(ir::Program& program, ir::Function& f) : program_(program), f_(f), inside_(program, f) {}

  void block(Block& b) {
    for (Stmt* s : b) {
      auto* loop = ir::try_as<ir::For>(s);
      if (loop) inside_.enter(loop);
      if (loop && is_straight(*loop->body)) chains(*loop->body);
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      if (loop) inside_.leave();
    }
  }

 private:
  static bool is_straight(const Block& body) {
    return !ir::any_stmt(body, [](const Stmt* s) { return ir::is_loop(s) || ir::is_jump(s); });
  }

  void chains(Block& body) {
    body_ = &body;
    Block all;
    for (Stmt* s : body) {
      auto* branch = ir::try_as<ir::If>(s);
      std::vector<Arm> arms;
      if (branch && collect(*branch, arms) && arms.size() > 1)
        write(arms, all);
      else
        all.push_back(s);
    }
    body = std::move(all);
  }

  bool collect(ir::If& branch, std::vector<Arm>& arms) {
    if (arms.size() >= kMostArms || !is_free(branch.condition)) return false;
    if (!add_arm(branch.condition, *branch.body, arms)) return false;
    if (branch.orelse->empty()) return true;
    auto* next = branch.orelse->size() == 1 ? ir::try_as<ir::If>((*branch.orelse)[0]) : nullptr;
    return next ? collect(*next, arms) : add_arm(nullptr, *branch.orelse, arms);
  }

  // What is asked hangs on no sum of its own: turns would wait for each other.
  static bool add_arm(Expr* condition, Block& body, std::vector<Arm>& arms) {
    Arm& arm = arms.emplace_back(Arm{condition, {}});
    ir::LocalSet counted;
    for (Stmt* s : body) {
      const auto count = count_of(s);
      if (!count) return false;
      arm.counts.push_back(*count);
      counted.insert(count->local);
    }
    return !condition || !ir::reads_any(condition, counted);
  }

  // May it be evaluated in every turn?
  bool is_free(const Expr* e) {
    bool free = false;
    switch (e->kind) {
      case ExprKind::kConst:
      case ExprKind::kLoad:
      case ExprKind::kQuery:
        return true;
      case ExprKind::kCompare:
      case ExprKind::kLogical:
      case ExprKind::kUnary:
        free = true;
        break;
      case ExprKind::kConvert:
        free = e->type->is_scalar();
        break;
      case ExprKind::kBinary: {
        const auto op = ir::as<ir::Binary>(e)->op;
        free = op == BinaryOp::kAdd || op == BinaryOp::kSub || op == BinaryOp::kMul ||
               op == BinaryOp::kAnd || op == BinaryOp::kOr || op == BinaryOp::kXor;
        break;
      }
      case ExprKind::kElement:
        free = inside_(*ir::as<ir::Element>(e)) || is_read(e);
        break;
      default:
        break;
    }
    ir::for_each_operand(
        e, [&](const Expr* part) { free = free && (part->type->is_array() || is_free(part)); });
    return free;
  }

  // Does the turn read it, whatever comes out?
  bool is_read(const Expr* element) const {
    return std::ranges::any_of(*body_, [&](const Stmt* s) {
      bool found = false;
      ir::for_each_expr(s, [&](const Expr* e) { found = found || is_evaluated_in(e, element); });
      return found;
    });
  }

  // `and`, `or` by bits.
  Expr* by_bits(Expr* e) {
    if (auto* l = ir::try_as<ir::Logical>(e))
      return ir::Builder{program_, e->span}.plain(l->is_and ? BinaryOp::kAnd : BinaryOp::kOr,
                                                  by_bits(l->left), by_bits(l->right));
    return e;
  }

  void write(const std::vector<Arm>& arms, Block& out) {
    std::vector<Local*> before;
    std::vector<std::pair<Local*, const Arm*>> asked;
    for (const Arm& arm : arms) {
      const ir::Builder b{program_, (arm.condition ? arm.condition->span : Span{})};
      Expr* truth = nullptr;
      for (Local* one : before) {
        Expr* other = b.negated(b.load(one));
        truth = truth ? b.plain(BinaryOp::kAnd, truth, other) : other;
      }
      if (arm.condition) {
        Expr* own = by_bits(arm.condition);
        truth = truth ? b.plain(BinaryOp::kAnd, truth, own) : own;
      }
      Local* is = b.temp("is", types::boolean());
      f_.locals.push_back(is);
      out.push_back(b.assign(is, truth));
      before.push_back(is);
      asked.emplace_back(is, &arm);
    }
    for (const auto& [is, arm] : asked)
      for (const Count& count : arm->counts) {
        const ir::Builder b{program_, count.stmt->span};
        *count.step = b.expr<ir::Select>(count.local->type, b.load(is), *count.step,
                                         b.zero(count.local->type), ir::Choice{});
        out.push_back(count.stmt);
      }
  }

  ir::Program& program_;
  ir::Function& f_;
  Inside inside_;
  const Block* body_ = nullptr;
};

}  // namespace

void counts(ir::Program& program, ir::Function& f) { Counts(program, f).block(f.body); }

}  // namespace pyk2cu::emit
