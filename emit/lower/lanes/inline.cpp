// Helpers into their callers: see inline.h.
//
// What a call stands in is taken apart as far as the call is evaluated under a condition:
// `a and f(x)` becomes an If. Other operands have no effects (invariant 2 of ir.h), so that the
// body may run before them. Functions that call themselves stay calls. Tested by
// tests/golden/gangs, tests/run/test_gangs.py and tests/run/test_recursion.py.
#include "emit/lower/lanes/inline.h"

#include <algorithm>

#include "emit/lower/costs.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int kMaxDepth = 6;         // of helpers that call helpers
constexpr size_t kMaxStmts = 2'000;  // of all bodies together

// Is the last statement the only one that returns?
bool returns_at_end_only(const Block& body) {
  int returns = 0;
  ir::for_each_stmt(body, [&](const Stmt* s) { returns += s->kind == StmtKind::kReturn; });
  return returns == 0 || (returns == 1 && body.back()->kind == StmtKind::kReturn);
}

class Inliner {
 public:
  Inliner(ir::Program& program, ir::Function& f, const Taken& are_taken)
      : program_(program), f_(f), are_taken_(are_taken), inside_{&f} {}

  const ir::Call* blocker() const { return blocker_; }

  bool block(Block& b, int depth) {
    Block all;
    for (Stmt* s : b)
      if (!stmt(s, all, depth)) return false;
    b = std::move(all);
    return true;
  }

 private:
  // Puts the statement, and what must run before it, at the end of `out`.
  bool stmt(Stmt* s, Block& out, int depth) {
    bool fits = true;
    auto* loop = ir::try_as<ir::While>(s);
    if (loop && has_call(loop->condition, depth)) ask_inside(*loop);
    const auto* alone = ir::try_as<ir::Eval>(s);
    if (alone) unread_ = ir::try_as<ir::Call>(alone->value);
    ir::for_each_expr(s, [&](Expr*& e) { fits = fits && expr(e, out, depth); });
    ir::for_each_block(s, [&](Block& inner) { fits = fits && block(inner, depth); });
    if (!alone || !ir::constant(alone->value)) out.push_back(s);
    return fits;
  }

  // while f(x): …   ->   while true: if not f(x): break …
  void ask_inside(ir::While& loop) {
    const ir::Builder build{program_, loop.span};
    Stmt* leave =
        build.if_(build.negated(loop.condition), build.block({build.stmt<ir::Break>(&loop)}));
    loop.body->insert(loop.body->begin(), leave);
    loop.condition = build.boolean(true);
  }

  // One to be taken.
  bool has_call(const Expr* e, int depth) const {
    bool found = false;
    ir::for_each_subexpr(e, [&](const Expr* part) {
      const auto* call = ir::try_as<ir::Call>(part);
      found = found || (call && (!are_taken_ || are_taken_(*call, depth)));
    });
    return found;
  }

  bool expr(Expr*& e, Block& out, int depth) {
    if (!has_call(e, depth)) return true;
    if (auto* logical = ir::try_as<ir::Logical>(e); logical && has_call(logical->right, depth))
      return side(e, logical->left, logical->is_and, logical->right, out, depth);
    if (auto* select = ir::try_as<ir::Select>(e))
      if (has_call(select->yes, depth) || has_call(select->no, depth))
        return choice(e, *select, out, depth);
    bool fits = true;
    ir::for_each_operand(e, [&](Expr*& operand) { fits = fits && expr(operand, out, depth); });
    auto* call = ir::try_as<ir::Call>(e);
    if (!fits || !call || (are_taken_ && !are_taken_(*call, depth))) return fits;
    if (!body_of(e, *call, out, depth)) {
      if (!blocker_) blocker_ = call;
      return false;
    }
    return true;
  }

  // a and b   ->   t = a; if t: t = b
  bool side(Expr*& e, Expr* left, bool is_and, Expr* right, Block& out, int depth) {
    const ir::Builder build{program_, e->span};
    if (!expr(left, out, depth)) return false;
    Local* t = temp(build, "holds", e->type);
    out.push_back(build.assign(t, left));
    Block* asked = build.block();
    if (!expr(right, *asked, depth)) return false;
    asked->push_back(build.assign(t, right));
    out.push_back(build.if_(is_and ? build.load(t) : build.negated(build.load(t)), asked));
    e = build.load(t);
    return true;
  }

  // a if c else b   ->   if c: t = a  else: t = b
  bool choice(Expr*& e, ir::Select& select, Block& out, int depth) {
    const ir::Builder build{program_, e->span};
    if (!expr(select.condition, out, depth)) return false;
    Local* t = temp(build, "chosen", e->type);
    Block *yes = build.block(), *no = build.block();
    if (!expr(select.yes, *yes, depth) || !expr(select.no, *no, depth)) return false;
    yes->push_back(build.assign(t, select.yes));
    no->push_back(build.assign(t, select.no));
    out.push_back(build.if_(select.condition, yes, no));
    e = build.load(t);
    return true;
  }

  bool body_of(Expr*& e, const ir::Call& call, Block& out, int depth) {
    const ir::Function& callee = *call.callee;
    if (std::ranges::find(inside_, &callee) != inside_.end()) return false;  // it calls itself
    inside_.push_back(&callee);
    const bool fits = body_of_other(e, call, out, depth);
    inside_.pop_back();
    return fits;
  }

  bool body_of_other(Expr*& e, const ir::Call& call, Block& out, int depth) {
    const ir::Function& callee = *call.callee;
    size_ += count_stmts(callee.body);
    if (depth >= kMaxDepth || size_ > kMaxStmts || !may_inline(f_, callee)) return false;
    const ir::Builder build{program_, call.span};
    ir::Cloner cloner(program_);
    bind(call, cloner, build, out);
    Local* result = nullptr;
    if (callee.result != types::void_() && &call != unread_)
      result = temp(build, callee.name.str(), callee.result);
    Block* body = cloner.block(callee.body);
    if (f_.options.fastmath && !callee.options.fastmath && !keep_divisions(*body)) return false;
    if (returns_at_end_only(callee.body)) {
      if (!body->empty() && body->back()->kind == StmtKind::kReturn) {
        Expr* value = ir::as<ir::Return>(body->back())->value;
        body->pop_back();
        if (value) give_back(build, result, value, *body);
      }
      if (!block(*body, depth + 1)) return false;
      out.insert(out.end(), body->begin(), body->end());
    } else {
      auto* once = build.stmt<ir::While>(build.boolean(true), body);
      leave_once(*body, once, result);
      if (!ir::ends(*body) || !ir::try_as<ir::Break>(body->back()))
        body->push_back(build.stmt<ir::Break>(once));
      const bool only_sides = breaks_at_ends(program_, *once);
      if (!block(*body, depth + 1)) return false;
      if (only_sides)
        out.insert(out.end(), body->begin(), body->end());
      else
        out.push_back(once);
    }
    e = result ? build.load(result) : build.boolean(true);
    return true;
  }

  // Those of a function without fastmath stay divisions in one with it. False: some cannot.
  bool keep_divisions(Block& body) {
    bool kept = true;
    const auto is_one = [](ir::BinaryOp op, const types::Type* type) {
      return op == ir::BinaryOp::kDiv && type->is_float();
    };
    ir::replace_stmts(body, [&](Stmt* s, Block& out) {
      const auto* update = ir::try_as<ir::Update>(s);
      if (!update || !is_one(update->op, update->value->type)) return false;
      const ir::Builder build{program_, s->span};
      Expr* quotient = build.updated(*update);
      kept = kept && quotient;
      if (quotient) out.push_back(build.assign(update->place.local, quotient));
      return quotient != nullptr;
    });
    ir::for_each_expr_in(body, [&](Expr* e) {
      if (auto* b = ir::try_as<ir::Binary>(e); b && is_one(b->op, b->type)) b->rounds = true;
    });
    return kept;
  }

  // Parameters become the locals that they are given, or locals that keep what they are given.
  void bind(const ir::Call& call, ir::Cloner& cloner, const ir::Builder& build, Block& out) {
    const ir::Function& callee = *call.callee;
    const ir::LocalSet assigned = ir::assigned_in(callee.body);
    for (size_t k = 0; k < call.shared.size(); ++k) cloner.map(callee.shared[k], call.shared[k]);
    for (const Local* local : callee.locals) {
      if (std::ranges::find(callee.shared, local) != callee.shared.end()) continue;
      const auto place = std::ranges::find(callee.params, local, &ir::Param::local);
      if (place == callee.params.end()) {
        cloner.renew(local, f_);
        continue;
      }
      Expr* arg = call.args[size_t(place - callee.params.begin())];
      Local* given = ir::loaded(arg);
      if (given && !assigned.contains(local))
        cloner.map(local, given);
      else
        out.push_back(build.assign(cloner.renew(local, f_), arg));
    }
  }

  // return v   ->   result = v; break
  void leave_once(Block& b, ir::While* once, Local* result) {
    ir::replace_stmts(b, [&](Stmt* s, Block& out) {
      const auto* leaves = ir::try_as<ir::Return>(s);
      if (!leaves) return false;
      const ir::Builder build{program_, s->span};
      if (leaves->value) give_back(build, result, leaves->value, out);
      out.push_back(build.stmt<ir::Break>(once));
      return true;
    });
  }

  // Of a value that nobody asks for, what it does.
  static void give_back(const ir::Builder& build, Local* result, Expr* value, Block& out) {
    if (result) return out.push_back(build.assign(result, value));
    bool calls = false;
    ir::for_each_subexpr(value, [&](const Expr* part) {
      calls = calls || part->kind == ExprKind::kCall || part->kind == ExprKind::kBuiltin;
    });
    if (calls) out.push_back(build.stmt<ir::Eval>(value));
  }

  Local* temp(const ir::Builder& build, std::string_view name, const types::Type* type) {
    f_.locals.push_back(build.temp(name, type));
    return f_.locals.back();
  }

  ir::Program& program_;
  ir::Function& f_;
  const Taken& are_taken_;
  std::vector<const ir::Function*> inside_;  // whose bodies are being taken, one in another
  size_t size_ = 0;
  const ir::Call* blocker_ = nullptr;
  const ir::Call* unread_ = nullptr;  // the last whose value nobody asks for
};

}  // namespace

bool may_inline(const ir::Function& f, const ir::Function& callee) {
  return !callee.has_state && callee.is_analysed && callee.kind == ir::FunctionKind::kHost &&
         callee.is_relaxed() == f.is_relaxed() &&
         std::ranges::none_of(callee.locals, &Local::maybe_unbound);
}

const ir::Call* inline_calls(ir::Program& program, ir::Function& f, Block& block,
                             const Taken& are_taken) {
  Inliner inliner(program, f, are_taken);
  return inliner.block(block, 0) ? nullptr : inliner.blocker();
}

bool runs_once(const Stmt* s) {
  const auto* loop = ir::try_as<ir::While>(s);
  if (!loop || loop->body->empty()) return false;
  const ir::Const* always = ir::constant(loop->condition);
  const auto* last = ir::try_as<ir::Break>(loop->body->back());
  bool turns = false;
  ir::for_each_stmt(*loop->body, [&](const Stmt* inner) {
    const auto* jump = ir::try_as<ir::Continue>(inner);
    turns = turns || (jump && jump->loop == s);
  });
  return always && always->value.integer && last && last->loop == s && !turns;
}

}  // namespace pyk2cu::emit
