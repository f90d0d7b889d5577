// Draws: see draws.h.
#include "emit/lower/lanes/draws.h"

#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::Block;
using ir::Expr;
using ir::Stmt;

namespace {

// random.random(), np.random.random(), np.random.rand()
bool is_drawn(const Expr* e) {
  const auto* call = ir::try_as<ir::Builtin>(e);
  if (!call || !call->args.empty()) return false;
  const Id id = call->row->id;
  return id == Id::random_random || id == Id::numpy_random_random || id == Id::numpy_random_rand;
}

class Draws {
 public:
  Draws(ir::Program& program, ir::Function& f) : program_(program), f_(f) {}

  void block(Block& b) {
    Block all;
    for (Stmt* s : b) {
      // The condition of a loop is evaluated in every turn.
      if (!ir::is_loop(s)) ir::for_each_expr(s, [&](Expr*& e) { take(e, all); });
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      all.push_back(s);
    }
    b = std::move(all);
  }
  bool any() const { return any_; }

 private:
  void take(Expr*& e, Block& before) {
    if (!is_drawn(e)) return ir::for_each_operand(e, [&](Expr*& o) { take(o, before); });
    const ir::Builder b{program_, e->span};
    f_.locals.push_back(b.temp("drawn", e->type));
    before.push_back(b.stmt<ir::Each>(f_.locals.back(), e));
    e = b.load(f_.locals.back());
    any_ = true;
  }

  ir::Program& program_;
  ir::Function& f_;
  bool any_ = false;
};

}  // namespace

bool draws(const Block& body) {
  bool found = false;
  ir::for_each_expr_in(body, [&](const Expr* e) { found = found || is_drawn(e); });
  return found;
}

bool seeds_nothing(const ir::Function& f) {
  bool nothing = true;
  ir::for_each_expr_in(f.body, [&](const Expr* e) {
    const auto* call = ir::try_as<ir::Call>(e);
    const auto* builtin = ir::try_as<ir::Builtin>(e);
    const Id id = builtin ? builtin->row->id : Id::none;
    nothing = nothing && !(call && call->callee->has_state) && id != Id::random_seed &&
              id != Id::numpy_random_seed;
  });
  return nothing;
}

bool draw_ahead(ir::Program& program, ir::Function& f, Block& body) {
  Draws draws(program, f);
  draws.block(body);
  return draws.any();
}

}  // namespace pyk2cu::emit
