// Functions that loops call for places of their own are taken into them.
//
//   def at(a, i, j): …a[i - 1, j]…
//
//   for i in range(1, n - 1):                  for i in range(1, n - 1):
//     for j in range(1, m - 1):         ->       for j in range(1, m - 1):
//       b[i, j] = at(a, i, j)                      b[i, j] = …a[i - 1, j]…
//
// Of the function alone nobody knows which subscripts count from the end: the loops around know it,
// and lanes then load neighbours in one piece. Only short functions, whose subscripts hang on what
// the innermost loop around the call makes of its index, or which take slices that move with it.
// In: a program before unroll.  Out: such calls replaced by what they do. Tested by
// tests/golden/passes/neighbourhoods and tests/run/test_neighbourhoods.py.
#include <unordered_set>

#include "emit/lower/costs.h"
#include "emit/lower/folds.h"
#include "emit/lower/lanes/inline.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

constexpr size_t kMostTaken = 40;  // statements of a function
constexpr size_t kMostAll = 240;   // of all calls in a loop together

bool can_be_place(const Local* local) { return local->type->is_int() || local->type->is_tuple(); }

// Which parameters the places of elements hang on: of arrays, where they are slices.
class Places {
 public:
  const std::vector<bool>& of(const ir::Function& f) {
    const auto [at, is_new] = known_.try_emplace(&f);
    if (is_new) at->second = found(f);
    return at->second;
  }

 private:
  static std::vector<bool> found(const ir::Function& f) {
    std::vector<bool> all(f.params.size());
    const bool fits = count_stmts(f.body) <= kMostTaken && !ir::any_stmt(f.body, [](const Stmt* s) {
                        const auto* loop = ir::try_as<ir::For>(s);
                        return ir::is_loop(s) &&
                               !(loop && loop->loop == ir::LoopKind::kSerial && !returns(*loop));
                      });
    if (!fits) return all;
    for (size_t k = 0; k < all.size(); ++k) {
      const Local* param = f.params[k].local;
      all[k] = param->type->is_array() || (can_be_place(param) && is_place(f.body, param));
    }
    return all;
  }

  static bool returns(const ir::For& loop) {
    return ir::any_stmt(*loop.body, [](const Stmt* s) { return s->kind == ir::StmtKind::kReturn; });
  }

  static bool is_place(const Block& body, const Local* param) {
    ir::LocalSet hanging;
    hanging.insert(param);
    for (size_t before = 0; before != hanging.size();) {
      before = hanging.size();
      ir::for_each_stmt(body, [&](const Stmt* s) {
        const auto* a = ir::try_as<ir::Assign>(s);
        if (a && can_be_place(a->local) && ir::reads_any(a->value, hanging))
          hanging.insert(a->local);
        const auto* loop = ir::try_as<ir::For>(s);
        if (loop && (ir::reads_any(loop->lo, hanging) || ir::reads_any(loop->hi, hanging)))
          hanging.insert(loop->index);
      });
    }
    bool found = false;
    const auto look = [&](const ir::List<ir::Index>& indices) {
      for (const ir::Index& i : indices) found = found || ir::reads_any(i.value, hanging);
    };
    ir::for_each_stmt(body, [&](const Stmt* s) {
      ir::for_each_place(s, [&](const ir::Place& place) {
        if (!place.local) look(place.indices);
      });
    });
    ir::for_each_expr_in(body, [&](const Expr* e) {
      if (const auto* element = ir::try_as<ir::Element>(e)) look(element->indices);
    });
    return found;
  }

  std::unordered_map<const ir::Function*, std::vector<bool>> known_{};
};

class Neighbourhoods {
 public:
  Neighbourhoods(ir::Program& program, Places& places, ir::Function& f)
      : program_(program), places_(places), f_(f) {}

  void block(Block& b) {
    for (Stmt* s : b) {
      if (auto* loop = ir::try_as<ir::For>(s)) take(*loop);
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
    }
  }

 private:
  // Into the loop, not into those inside.
  void take(ir::For& loop) {
    ir::LocalSet own = ir::assigned_in(*loop.body);
    own.insert(loop.index);
    size_t size = 0;
    Calls calls;
    calls_of(*loop.body, own, calls, size);
    if (calls.empty() || size > kMostAll) return;
    const size_t locals = f_.locals.size();
    ir::Cloner cloner(program_);
    Block* body = cloner.block(*loop.body);
    Calls copies;
    size = 0;
    calls_of(*body, own, copies, size);
    const Taken are_taken = [&](const ir::Call& call, int depth) {
      return depth > 0 ? is_wanted(call, nullptr) : copies.contains(&call);
    };
    // A way out of loops inside, which the caller has no statement for, keeps the calls.
    const auto count = [](const Block& b) {
      size_t once = 0;
      ir::for_each_stmt(b, [&](const Stmt* s) { once += runs_once(s); });
      return once;
    };
    const bool fits =
        !inline_calls(program_, f_, *body, are_taken) && count(*body) == count(*loop.body);
    if (fits)
      loop.body = body;
    else
      f_.locals.resize(locals);
  }

  using Calls = std::unordered_set<const ir::Call*>;
  void calls_of(const Block& b, const ir::LocalSet& own, Calls& out, size_t& size) {
    for (const Stmt* s : b) {
      if (ir::is_loop(s)) continue;
      ir::for_each_expr(s, [&](const Expr* e) {
        ir::for_each_subexpr(e, [&](const Expr* part) {
          const auto* call = ir::try_as<ir::Call>(part);
          if (!call || !is_wanted(*call, &own)) return;
          out.insert(call);
          size += count_stmts(call->callee->body);
        });
      });
      ir::for_each_block(s, [&](const Block& inner) { calls_of(inner, own, out, size); });
    }
  }

  // `own`: what is another in each turn of the loop around; null: all is.
  bool is_wanted(const ir::Call& call, const ir::LocalSet* own) {
    if (call.callee == &f_ || !may_inline(f_, *call.callee)) return false;
    const std::vector<bool>& places = places_.of(*call.callee);
    for (size_t k = 0; k < places.size(); ++k) {
      const Expr* given = call.args[k];
      const bool moves = !own || ir::reads_any(given, *own);
      if (places[k] && moves && (!given->type->is_array() || slice_of(given))) return true;
    }
    return false;
  }

  ir::Program& program_;
  Places& places_;
  ir::Function& f_;
};

}  // namespace

void neighbourhoods(ir::Program& program) {
  Places places;
  for (ir::Function* f : program.functions) Neighbourhoods(program, places, *f).block(f->body);
}

}  // namespace pyk2cu::emit
