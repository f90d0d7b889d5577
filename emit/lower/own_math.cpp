// Which functions under fastmath have vector math of their own.
//
//   @njit(fastmath=True)
//   def f(x, out):
//       for i in range(len(x)): out[i] = math.exp(-x[i])   ->   f.own_math
//
// Vector math takes a fifth of the time that the C library's functions take, and has to be computed
// as it is written: a C++ compiler that takes sums in any order makes nonsense of it. So such a
// function is compiled with the flags of all others; sums in any order, and reciprocals, it has
// from the passes. What calls one another is compiled together.
// In: a program.  Out: Function::own_math. Tested by tests/run/test_fast_math.py.
#include <unordered_map>
#include <vector>

#include "emit/lower/lanes/forms.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Function;

namespace {

class Math {
 public:
  explicit Math(ir::Program& program) {
    for (Function* f : program.functions)
      if (f->kind == ir::FunctionKind::kHost && f->options.fastmath) functions_.push_back(f);
    for (Function* f : functions_) f->own_math = in_loops(f->body);
    for (bool grown = true; grown;) {
      grown = false;
      for (Function* f : functions_)
        for (Function* callee : callees_of(*f))
          if (f->own_math != callee->own_math) grown = f->own_math = callee->own_math = true;
    }
  }

 private:
  static std::vector<Function*> callees_of(const Function& f) {
    std::vector<Function*> all;
    ir::for_each_expr_in(f.body, [&](const ir::Expr* e) {
      const auto* call = ir::try_as<ir::Call>(e);
      if (call && call->callee->options.fastmath && call->callee->kind == ir::FunctionKind::kHost)
        all.push_back(call->callee);
    });
    return all;
  }

  bool in_loops(const ir::Block& body) {
    return ir::any_stmt(body, [&](const ir::Stmt* s) {
      if (!ir::is_loop(s)) return false;
      bool found = false;
      ir::for_each_block(s, [&](const ir::Block& inner) { found = found || has_math(inner); });
      return found;
    });
  }

  bool has_math(const ir::Block& body) {
    bool found = false;
    ir::for_each_expr_in(body, [&](const ir::Expr* e) {
      const auto* builtin = ir::try_as<ir::Builtin>(e);
      const auto* call = ir::try_as<ir::Call>(e);
      found = found || (builtin && has_own_form(*builtin)) || (call && has_math(*call->callee));
    });
    return found;
  }

  bool has_math(const Function& f) {
    const auto [it, is_new] = known_.try_emplace(&f, false);  // of recursion: what else there is
    if (is_new && has_math(f.body)) known_[&f] = true;
    return known_[&f];
  }

  std::vector<Function*> functions_{};
  std::unordered_map<const Function*, bool> known_{};
};

}  // namespace

void choose_math(ir::Program& program, const Options& options) {
  if (options.lanes && !options.strict_fp) Math{program};
}

}  // namespace pyk2cu::emit
