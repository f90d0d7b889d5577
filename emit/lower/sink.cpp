// Stores and updates that both sides of a branch end with, but for values that nothing hangs on,
// become one behind it.
//
//   if c: …; a[i] = x      ->   if c: …; value = x        if c: s += x   ->   if c: value = x
//   else: …; a[i] = y           else: …; value = y        else: s += y        else: value = y
//                               a[i] = value                                  s += value
//
//   if c: if d: a[i] = x   ->   if (d if c else e): a[i] = x
//   else: if e: a[i] = x
//   if c: a[i] = x         ->   if c or d: a[i] = x
//   elif d: a[i] = x
//
// Inside loops: a store that every iteration makes needs no mask, a sum no branch, what may raise
// in one of the sides stands before all stores, and of one store behind a condition C++ compilers
// make vectors, of several ways to it none. Behind temps, which would fold `value` back.
//
// In: a program. Out: the same stores in the same order. Tested by tests/golden/passes/sink and
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
      join(*branch);
      Block sunk;  // the last one first
      while (Stmt* written = take(*branch)) sunk.push_back(written);
      all.insert(all.end(), sunk.rbegin(), sunk.rend());
    }
    b = std::move(all);
  }

 private:
  // A side that stores once, where its condition holds; null: it always does.
  struct Way {
    Expr* condition = nullptr;
    ir::Store* store = nullptr;  // null: it is no such side
  };
  static Way way_of(const Block& side) {
    if (side.size() != 1) return {};
    if (auto* store = ir::try_as<ir::Store>(side.front())) return {nullptr, store};
    const auto* inner = ir::try_as<ir::If>(side.front());
    if (!inner || !inner->orelse->empty() || inner->body->size() != 1) return {};
    return {inner->condition, ir::try_as<ir::Store>(inner->body->front())};
  }

  // Both sides store the same.
  void join(ir::If& s) {
    const Way left = way_of(*s.body), right = way_of(*s.orelse);
    if (!left.store || !right.store || !(left.condition || right.condition)) return;
    if (!is_same(left.store->place, right.store->place) ||
        !ir::equal(left.store->value, right.store->value))
      return;
    const ir::Builder b{program_, s.span};
    if (left.condition && right.condition)
      s.condition =
          b.expr<ir::Select>(types::boolean(), s.condition, left.condition, right.condition);
    else if (right.condition)
      s.condition = b.logical(false, s.condition, right.condition);
    else
      s.condition = b.logical(false, b.negated(s.condition), left.condition);
    *s.body = {left.store};
    s.orelse->clear();
  }

  // The store or update that both sides end with, taken out of them; null: there is none. Of those
  // that were taken before it, which stand behind it, the values are computed in front of it then.
  Stmt* take(ir::If& s) {
    Stmt *left = last(*s.body), *right = last(*s.orelse);
    if (!left || !right || left->kind != right->kind) return nullptr;
    auto* store = ir::try_as<ir::Store>(left);
    auto* update = ir::try_as<ir::Update>(left);
    const ir::Place& place = store ? store->place : update->place;
    Expr *&x = store ? store->value : update->value, *&y = value_of(right);
    if (!place.type()->is_real() || x->type != y->type || !stays(place, s)) return nullptr;
    if (store && !is_same(place, ir::as<ir::Store>(right)->place)) return nullptr;
    if (update && !is_same(*update, *ir::as<ir::Update>(right))) return nullptr;
    f_.locals.push_back(ir::Builder{program_, left->span}.temp("value", x->type));
    Local* value = f_.locals.back();
    *std::ranges::find(*s.body, left) = ir::Builder{program_, left->span}.assign(value, x);
    *std::ranges::find(*s.orelse, right) = ir::Builder{program_, right->span}.assign(value, y);
    x = ir::Builder{program_, left->span}.load(value);
    return left;
  }

  static Expr*& value_of(Stmt* s) {
    auto* store = ir::try_as<ir::Store>(s);
    return store ? store->value : ir::as<ir::Update>(s)->value;
  }

  // The last store or update; null: something behind it hangs on it, or may not be done before it.
  static Stmt* last(const Block& b) {
    for (size_t k = b.size(); k-- > 0;) {
      const auto* update = ir::try_as<ir::Update>(b[k]);
      const auto* value = ir::try_as<ir::Assign>(b[k]);
      if (!update && b[k]->kind != ir::StmtKind::kStore) {
        if (!value || !is_free(value->value)) return nullptr;
        continue;
      }
      const Local* changed = update ? update->place.local : nullptr;
      const bool is_used =
          changed && std::any_of(b.begin() + ptrdiff_t(k) + 1, b.end(), [&](Stmt* s) {
            const auto* a = ir::as<ir::Assign>(s);
            return a->local == changed || ir::reads(a->value, changed);
          });
      return is_used ? nullptr : b[k];
    }
    return nullptr;
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

  static bool is_same(const ir::Update& a, const ir::Update& b) {
    return a.op == b.op && a.wraps == b.wraps && a.atomic == b.atomic && is_same(a.place, b.place);
  }

  static bool is_same(const ir::Place& a, const ir::Place& b) {
    if (a.local || b.local) return a.local == b.local;
    if (!ir::equal(a.array, b.array) || a.indices.size() != b.indices.size()) return false;
    for (size_t k = 0; k < a.indices.size(); ++k)
      if (!ir::equal(a.indices[k].value, b.indices[k].value) ||
          a.indices[k].wrap != b.indices[k].wrap)
        return false;
    return true;
  }

  // Is it the same place behind the branch?
  static bool stays(const ir::Place& place, const ir::If& s) {
    if (place.local) return true;
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
