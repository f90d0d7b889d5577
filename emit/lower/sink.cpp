// Stores that both sides of a branch end with become one behind it.
//
//   if c: …; a[i] = x      ->   if c: …; value = x
//   else: …; a[i] = y           else: …; value = y
//                               a[i] = value
//
// Inside loops: a store that every iteration makes needs no mask, and what may raise in one of the
// sides stands before all stores. Behind temps, which would fold `value` back. In: a program.
// Out: the same stores in the same order. Tested by tests/golden/passes/sink and
// tests/run/test_sink.py.
#include <algorithm>

#include "emit/lower/lower.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

class Sink {
 public:
  Sink(ir::Program& program, ir::Function& f) : program_(program), f_(f) {}

  void block(Block& b, bool in_loop) {
    Block all;
    for (Stmt* s : b) {
      const bool inside = in_loop || ir::is_loop(s);
      ir::for_each_block(s, [&](Block& inner) { block(inner, inside); });
      all.push_back(s);
      auto* branch = inside ? ir::try_as<ir::If>(s) : nullptr;
      if (!branch) continue;
      Block sunk;  // the last one first
      while (Stmt* store = take(*branch, sunk)) sunk.push_back(store);
      all.insert(all.end(), sunk.rbegin(), sunk.rend());
    }
    b = std::move(all);
  }

 private:
  // The store that both sides end with, taken out of them; null: there is none. `later`: those that
  // will stand behind it, whose values are computed in front of it then.
  Stmt* take(ir::If& s, const Block& later) {
    ir::Store *left = last(*s.body, later.size()), *right = last(*s.orelse, later.size());
    if (!left || !right || !is_same(left->place, right->place)) return nullptr;
    if (!left->place.type()->is_real() || !stays(left->place, s)) return nullptr;
    const ir::Builder b{program_, left->span};
    f_.locals.push_back(b.temp("value", left->place.type()));
    Local* value = f_.locals.back();
    for (auto [block, store] : {std::pair{s.body, left}, std::pair{s.orelse, right}})
      *std::ranges::find(*block, store) =
          ir::Builder{program_, store->span}.assign(value, store->value);
    return b.stmt<ir::Store>(left->place, b.load(value));
  }

  // The last statement but so many, which are values now that nothing hangs on.
  static ir::Store* last(const Block& b, size_t behind) {
    if (b.size() <= behind) return nullptr;
    const size_t at = b.size() - 1 - behind;
    for (size_t k = at + 1; k < b.size(); ++k)
      if (!is_free(ir::as<ir::Assign>(b[k])->value)) return nullptr;
    return ir::try_as<ir::Store>(b[at]);
  }

  // Neither memory nor what calls do.
  static bool is_free(const Expr* e) {
    bool calls = false;
    ir::for_each_subexpr(e, [&](const Expr* part) {
      const auto* builtin = ir::try_as<ir::Builtin>(part);
      calls = calls || part->kind == ir::ExprKind::kCall || (builtin && !builtin->row->is_pure());
    });
    return !calls && !ir::reads_memory(e);
  }

  static bool is_same(const ir::Place& a, const ir::Place& b) {
    if (!ir::equal(a.array, b.array) || a.indices.size() != b.indices.size()) return false;
    for (size_t k = 0; k < a.indices.size(); ++k)
      if (!ir::equal(a.indices[k].value, b.indices[k].value) ||
          a.indices[k].wrap != b.indices[k].wrap)
        return false;
    return true;
  }

  // Is it the same place behind the branch?
  static bool stays(const ir::Place& place, const ir::If& s) {
    ir::LocalSet assigned = ir::assigned_in(*s.body);
    assigned.insert(ir::assigned_in(*s.orelse));
    if (!ir::loaded(place.array) || assigned.contains(ir::loaded(place.array))) return false;
    return std::ranges::none_of(place.indices, [&](const ir::Index& i) {
      return ir::reads_memory(i.value) || ir::reads_any(i.value, assigned);
    });
  }

  ir::Program& program_;
  ir::Function& f_;
};

}  // namespace

void sink(ir::Program& program, ir::Function& f) { Sink(program, f).block(f.body, false); }

}  // namespace pyk2cu::emit
