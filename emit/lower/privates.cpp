// Variables of one iteration of a prange that some way through it may not have assigned.
//
//   for i in prange(n):               for i in prange(n):
//     for k in range(m):                idx = 0; idx_is_set = false
//       if t[k] > a[i]:                 for k in range(m):
//         idx = k             ->          if t[k] > a[i]: idx = k; idx_is_set = true; break
//         break                         if not idx_is_set: raise UnboundLocalError(…)
//     out[i] = idx                      out[i] = idx
//
// In Python the variable would hold what an iteration before left there; here each has its own.
// In:   a program before sites.  Out: such variables are assigned in every iteration, and what
// reads them asks. Not those that are mentioned outside of the loop, or read before anything is
// assigned: these pass from one iteration to the next. Tested by tests/run/test_privates.py.
#include <fmt/format.h>

#include <algorithm>

#include "emit/lower/evaluated.h"
#include "emit/lower/flow.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

// How often the block mentions the local; `zeros`: assignments of 0 and False too.
size_t count_mentions(const Block& b, const Local* local, bool zeros) {
  size_t count = 0;
  ir::for_each_stmt(b, [&](const Stmt* s) {
    const auto* a = ir::try_as<ir::Assign>(s);
    const ir::Const* c = a ? ir::constant(a->value) : nullptr;
    if (!zeros && c && c->value.integer == 0 && c->value.number == 0.0) return;
    ir::for_each_local_of(s, [&](const Local* one, ir::Access) { count += one == local; });
  });
  return count;
}

// Of the loop alone; zeros that inference has put in front of it aside.
bool is_own(const ir::Function& f, const ir::For& loop, const Local* local, bool has_flag) {
  return count_mentions(*loop.body, local, !has_flag) == count_mentions(f.body, local, !has_flag);
}

// A truth that inference made: has a variable been assigned? Of the variable it says so itself.
bool is_flag(const Local* local) { return local->is_temp && local->type->is_bool(); }

// One variable of one loop.
class Private {
 public:
  Private(ir::Program& program, Local* local, Local* flag)
      : program_(program), local_(local), flag_(flag) {}

  // Is every read evaluated wherever its statement is, behind something that assigns?
  bool is_plain(const Block& body) {
    bool seen = false, plain = true;
    ir::for_each_stmt(body, [&](const Stmt* s) {
      ir::for_each_local(s, [&](const Local* local, ir::Access access) {
        if (local == local_) plain = plain && access == ir::Access::kWrite && !ir::is_loop(s);
      });
      if (reads(s)) plain = plain && seen && is_sure(s) && s->kind != ir::StmtKind::kWhile;
      const auto* a = ir::try_as<ir::Assign>(s);
      seen = seen || (a && a->local == local_);
    });
    return plain && seen;
  }

  void run(Block& body) {
    block(body, false);
    const ir::Builder b{program_, body.empty() ? local_->span : body[0]->span};
    body.insert(body.begin(),
                {b.assign(local_, b.zero(local_->type)), b.assign(flag_, b.boolean(false))});
  }

 private:
  bool reads(const Stmt* s) const {
    bool found = false;
    ir::for_each_expr(s, [&](const Expr* e) {
      ir::for_each_subexpr(e,
                           [&](const Expr* part) { found = found || ir::loaded(part) == local_; });
    });
    return found;
  }
  // Not only in the second operand of `and`, nor in one of two choices.
  bool is_sure(const Stmt* s) const {
    bool sure = false;
    ir::for_each_expr(s, [&](const Expr* e) {
      sure = sure || any_evaluated(e, [&](const Expr* part) { return ir::loaded(part) == local_; });
    });
    return sure;
  }

  void block(Block& b, bool known) {
    Block all;
    for (Stmt* s : b) {
      const ir::Builder build{program_, s->span};
      if (!known && reads(s)) {
        Expr* text = build.text(
            fmt::format("cannot access local variable '{}' where it is not associated with a value",
                        local_->name.str()));
        Stmt* raise = build.stmt<ir::Raise>(Symbol("UnboundLocalError"),
                                            program_.list(std::vector<Expr*>{text}), nullptr);
        all.push_back(build.if_(build.negated(build.load(flag_)), build.block({raise})));
        known = true;
      }
      ir::for_each_block(s, [&](Block& inner) { block(inner, known); });
      all.push_back(s);
      const auto* a = ir::try_as<ir::Assign>(s);
      if (!a || a->local != local_) continue;
      all.push_back(build.assign(flag_, build.boolean(true)));
      known = true;
    }
    b = std::move(all);
  }

  ir::Program& program_;
  Local* const local_;
  Local* const flag_;
};

void privates_of(ir::Program& program, ir::Function& f, ir::For& loop) {
  if (!ir::constant(loop.step) || ir::has_exit(*loop.body, &loop)) return;
  const Flow flow = flow_of(*loop.body);
  std::vector<Local*> asked, unasked;  // does what reads them ask already?
  bool are_known = true;               // has nothing in front of the loop set a flag?
  ir::for_each_stmt(*loop.body, [&](Stmt* s) {
    auto* a = ir::try_as<ir::Assign>(s);
    Local* local = a ? a->local : nullptr;
    if (!local || !flow.exposes(local) || !local->type->is_scalar()) return;
    const bool asks = local->maybe_unbound || is_flag(local);
    const bool own = is_own(f, loop, local, asks);
    are_known = are_known && (own || !is_flag(local));
    std::vector<Local*>& found = asks ? asked : unasked;
    if (own && std::ranges::find(found, local) == found.end()) found.push_back(local);
  });
  if (!are_known) asked.clear();
  const ir::Builder b{program, loop.span};
  for (Local* local : unasked) {
    Local* flag = b.temp(fmt::format("{}_is_set", local->name.str()), types::boolean());
    Private one(program, local, flag);
    if (!one.is_plain(*loop.body)) continue;
    f.locals.push_back(flag);
    one.run(*loop.body);
  }
  for (Local* local : asked)
    loop.body->insert(loop.body->begin(), b.assign(local, b.zero(local->type)));
}

void outermost(ir::Program& program, ir::Function& f, Block& b) {
  for (Stmt* s : b) {
    auto* loop = ir::try_as<ir::For>(s);
    if (loop && loop->loop == ir::LoopKind::kParallel)
      privates_of(program, f, *loop);
    else
      ir::for_each_block(s, [&](Block& inner) { outermost(program, f, inner); });
  }
}

}  // namespace

void privates(ir::Program& program) {
  for (ir::Function* f : program.functions)
    if (f->kind == ir::FunctionKind::kHost) outermost(program, *f, f->body);
  ir::analyse(program);
}

}  // namespace pyk2cu::emit
