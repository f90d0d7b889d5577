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
//
// So is one whose loops call functions without fastmath that compute with floats, which have to
// stay as they are written; of others, which only move them, it calls a copy under fastmath. And
// what those without it call in loops has a copy that is compiled with them:
//
//   @njit(fastmath=True)                        h, and a copy of it for the other file
//   def h(x): …
//   @njit
//   def f(a): for i in …: s += h(a[i])     ->   for i in …: s += h_plain(a[i])
//
// In: a program.  Out: Function::own_math, copies. Tested by tests/run/test_fast_math.py.
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emit/lower/lanes/forms.h"
#include "emit/lower/lower.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Function;

namespace {

// Does the function, or one that it calls, compute with floats, in an order that is the source's?
// `known`: of functions asked before.
bool computes(const Function& f, std::unordered_map<const Function*, bool>& known) {
  const auto [it, is_new] = known.try_emplace(&f, false);  // of recursion: what else there is
  if (!is_new) return it->second;
  const auto is_float = [](const types::Type* type) {
    return type->is_float() || type->is_complex();
  };
  bool found = false;
  ir::for_each_stmt(f.body, [&](const ir::Stmt* s) {
    const auto* update = ir::try_as<ir::Update>(s);
    found = found || (update && is_float(update->value->type));
  });
  ir::for_each_expr_in(f.body, [&](const ir::Expr* e) {
    const auto* builtin = ir::try_as<ir::Builtin>(e);
    const bool moves = builtin && (builtin->row->range == builtins::Range::kLeast ||
                                   builtin->row->range == builtins::Range::kGreatest ||
                                   builtin->row->range == builtins::Range::kMagnitude);
    found = found || (e->kind == ir::ExprKind::kBinary && is_float(e->type)) ||
            (builtin && !moves && is_float(e->type));
    if (const auto* call = ir::try_as<ir::Call>(e)) found = found || computes(*call->callee, known);
  });
  return known[&f] = found;
}

class Math {
 public:
  explicit Math(ir::Program& program) {
    for (Function* f : program.functions)
      if (f->kind == ir::FunctionKind::kHost && f->options.fastmath) functions_.push_back(f);
    for (Function* f : functions_) f->own_math = is_asked_in_loops(f->body);
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

  bool is_asked_in_loops(const ir::Block& body) {
    return ir::any_stmt(body, [&](const ir::Stmt* s) {
      if (!ir::is_loop(s)) return false;
      bool found = false;
      ir::for_each_block(s, [&](const ir::Block& inner) { found = found || needs_order(inner); });
      return found;
    });
  }

  // Vector math, or a function without fastmath.
  bool needs_order(const ir::Block& body) {
    bool found = false;
    ir::for_each_expr_in(body, [&](const ir::Expr* e) {
      const auto* builtin = ir::try_as<ir::Builtin>(e);
      const auto* call = ir::try_as<ir::Call>(e);
      found = found || (builtin && has_own_form(*builtin)) || (call && needs_order(*call->callee));
    });
    return found;
  }

  bool needs_order(const Function& f) {
    if (f.kind == ir::FunctionKind::kHost && !f.options.fastmath) return computes(f, known_floats_);
    const auto [it, is_new] = known_.try_emplace(&f, false);  // of recursion: what else there is
    if (is_new && needs_order(f.body)) known_[&f] = true;
    return known_[&f];
  }

  std::vector<Function*> functions_{};
  std::unordered_map<const Function*, bool> known_{}, known_floats_{};
};

// What functions under fastmath call that has no order to keep is compiled with them.
class Moved {
 public:
  explicit Moved(ir::Program& program) : program_(program) {
    for (Function* f : std::vector<Function*>(program.functions))
      if (f->kind == ir::FunctionKind::kHost && f->is_relaxed()) caller(*f);
    std::vector<Function*> all;
    for (Function* f : program.functions) {
      all.push_back(f);
      if (const auto copy = copies_.find(f); copy != copies_.end()) all.push_back(copy->second);
    }
    program.functions = std::move(all);
  }

 private:
  void caller(Function& f) {
    ir::for_each_expr_in(f.body, [&](ir::Expr* e) {
      auto* call = ir::try_as<ir::Call>(e);
      if (call && call->callee->kind == ir::FunctionKind::kHost &&
          !call->callee->options.fastmath && !computes(*call->callee, known_))
        call->callee = copy_of(call->callee);
    });
  }

  Function* copy_of(Function* f) {
    if (const auto known = copies_.find(f); known != copies_.end()) return known->second;
    Function* copy = ir::clone(*f, program_);
    copy->symbol = unique_symbol(program_, f->symbol + "_fast");
    copy->is_root = false;
    copy->options.fastmath = true;
    copies_[f] = copy;
    caller(*copy);
    return copy;
  }

  ir::Program& program_;
  std::unordered_map<Function*, Function*> copies_{};
  std::unordered_map<const Function*, bool> known_{};
};

// What functions without fastmath call in loops, or has no loops itself: calls of another file are
// neither made part of a loop nor vectors. A function that nobody else calls is changed in place.
class Copies {
 public:
  explicit Copies(ir::Program& program) : program_(program) {
    for (const Function* f : program.functions)
      if (f->is_relaxed())
        callees(f->body, [&](const Function& callee) { called_.insert(&callee); });
    for (Function* f : std::vector<Function*>(program.functions))
      if (f->kind == ir::FunctionKind::kHost && !f->is_relaxed()) caller(f->body, false);
    std::vector<Function*> all;
    for (Function* f : program.functions) {
      all.push_back(f);
      if (const auto copy = copies_.find(f); copy != copies_.end() && copy->second != f)
        all.push_back(copy->second);
    }
    program.functions = std::move(all);
  }

 private:
  template <class F>
  static void callees(const ir::Block& body, const F& f) {
    ir::for_each_expr_in(body, [&](const ir::Expr* e) {
      if (const auto* call = ir::try_as<ir::Call>(e)) f(*call->callee);
    });
  }

  void caller(ir::Block& body, bool in_loop) {
    for (ir::Stmt* s : body) {
      const bool inside = in_loop || ir::is_loop(s);
      ir::for_each_expr(s, [&](ir::Expr* e) {
        ir::for_each_subexpr(e, [&](ir::Expr* part) {
          auto* call = ir::try_as<ir::Call>(part);
          if (call && is_other(*call->callee) && (inside || !has_loops(*call->callee)))
            call->callee = copy_of(call->callee);
        });
      });
      ir::for_each_block(s, [&](ir::Block& inner) { caller(inner, inside); });
    }
  }

  static bool is_other(const Function& f) {
    return f.kind == ir::FunctionKind::kHost && f.is_relaxed();
  }

  Function* copy_of(Function* f) {
    if (const auto known = copies_.find(f); known != copies_.end()) return known->second;
    Function* copy = f;
    if (f->is_root || called_.contains(f)) {
      copy = ir::clone(*f, program_);
      copy->symbol = unique_symbol(program_, f->symbol + "_plain");
      copy->is_root = false;
    }
    copies_[f] = copy;
    copy->own_math = true;
    caller(copy->body, true);
    return copy;
  }

  // It or what it calls.
  bool has_loops(const Function& f) {
    const auto [it, is_new] = loops_.try_emplace(&f, false);
    if (is_new) {
      bool found = ir::any_stmt(f.body, [](const ir::Stmt* s) { return ir::is_loop(s); });
      callees(f.body, [&](const Function& callee) { found = found || has_loops(callee); });
      loops_[&f] = found;
    }
    return loops_[&f];
  }

  ir::Program& program_;
  std::unordered_set<const Function*> called_{};  // by functions under fastmath
  std::unordered_map<Function*, Function*> copies_{};
  std::unordered_map<const Function*, bool> loops_{};
};

}  // namespace

void choose_math(ir::Program& program, const Options& options) {
  if (!options.lanes || options.strict_fp) return;
  Math{program};
  Moved{program};
  Copies{program};
}

}  // namespace pyk2cu::emit
