// Array expressions in one loop.
//
//   c = a + b        for i: t = a[i] + b[i]
//   d = a - b   ->            u = a[i] - b[i]
//   e = c * d                 e[i] = t * u
//
// Loops over arrays of one shape, each of which fills an array that the next ones read element by
// element, are one loop; arrays of which nothing else reads an element are variables of it. What
// such a loop computes nobody sees before the next one, so that it may stand behind what allocates
// and asks in between. So is a loop that adds up elements, where only it reads them: no array
// stays.
//
//   d = x - y; total += d * d   ->   for i: t = x[i] - y[i]; total += t * t
//
// In:   functions as they are inferred, every element with its subscripts.  Out: the same values.
// Tested by tests/golden/passes/fused.py and tests/run/test_fused.py.
#include <algorithm>
#include <unordered_map>
#include <vector>

#include "emit/lower/flow.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lower.h"
#include "emit/lower/shapes.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::LocalSet;
using ir::Stmt;
using ir::StmtKind;
using types::Type;

namespace {

constexpr int kMostStores = 12;  // arrays that one loop fills: of more, processors lose track

// Loops inside each other from 0 on, with nothing beside, and what the innermost one does.
struct Nest {
  ir::For* outer = nullptr;  // null: it is none
  std::vector<ir::For*> loops{};
  Block* body = nullptr;
  std::vector<ir::Store*> stores{};  // to the elements of the turn
  Flow flow{};                       // of all of it
  bool adds = false;                 // leaves one turn something to the next one?
};

bool is_plain(const ir::For& loop) {
  return ir::is_int_const(loop.lo, 0) && ir::is_int_const(loop.step, 1) && !loop.simd &&
         loop.reductions.empty() && loop.last_private.empty() && loop.copies.empty() &&
         !loop.keeps_error;
}

class Fused {
 public:
  Fused(ir::Program& program, ir::Function& f, Block& body)
      : program_(program), f_(f), body_(body), times_(ir::count_assignments(body)) {
    ir::for_each_stmt(body, [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      if (a && a->local->is_temp && a->value->kind == ir::ExprKind::kNewArray &&
          times_.at(a->local) == 1)
        made_.insert(a->local);
    });
  }

  // Is any loop part of another now?
  bool run() {
    shapes(body_);
    drop_names();
    for (const Stmt* s : body_)
      ir::for_each_local_in(s, [&](const Local* local, ir::Access) { ++mentions_[local]; });
    blocks(body_);
    if (!merges_) return false;
    for (const auto& [array, name] : names_) array->name = name;
    ir::for_each_stmt(body_, [&](Stmt* s) {
      auto* loop = ir::try_as<ir::For>(s);
      if (const Nest nest = loop ? nest_of(*loop) : Nest{}; nest.outer) shrink(nest);
    });
    drop_arrays();
    return true;
  }

 private:
  void shapes(Block& b) {
    name_shapes(b, times_);
    for (Stmt* s : b) ir::for_each_block(s, [&](Block& inner) { shapes(inner); });
  }

  void blocks(Block& b) {
    Block left;
    for (Stmt* s : b) {
      ir::for_each_block(s, [&](Block& inner) { blocks(inner); });
      left.push_back(s);
      auto* loop = ir::try_as<ir::For>(s);
      const Nest nest = loop ? nest_of(*loop) : Nest{};
      if (nest.outer) take_earlier(left, nest);
    }
    b = std::move(left);
  }

  // ---- loops -----------------------------------------------------------------------------------
  Nest nest_of(ir::For& loop) const {
    Nest nest;
    ir::For* inner = &loop;
    while (inner) {
      if (!is_plain(*inner)) return {};
      nest.loops.push_back(inner);
      nest.body = inner->body;
      inner = nest.body->size() == 1 ? ir::try_as<ir::For>(nest.body->front()) : nullptr;
    }
    for (Stmt* s : *nest.body) {
      auto* store = ir::try_as<ir::Store>(s);
      if (!store && s->kind != StmtKind::kAssign) return {};
      bool fits = true;
      ir::for_each_expr(s, [&](const Expr* e) { fits = fits && !ir::has_effect(e) && !calls(e); });
      if (!fits) return {};
      if (!store) continue;
      if (!made_.contains(ir::loaded(store->place.array)) || !at_turn(store->place.indices, nest))
        return {};
      nest.stores.push_back(store);
    }
    nest.flow = flow_of(&loop);
    const Flow turn = flow_of(*nest.body);
    for (const Local* local : turn.touched()) {
      if (!turn.writes(local) || !turn.exposes(local)) continue;
      if (!local->is_temp) return {};  // in loops of the user's own it may be anything
      nest.adds = true;
    }
    if ((nest.adds || !nest.stores.empty()) && reads_at_turn(nest, stored_by(nest)))
      nest.outer = &loop;
    return nest;
  }

  static bool calls(const Expr* e) {
    bool found = false;
    ir::for_each_subexpr(
        e, [&](const Expr* part) { found = found || part->kind == ir::ExprKind::kCall; });
    return found;
  }

  static bool at_turn(const ir::List<ir::Index>& indices, const Nest& nest) {
    if (indices.size() != nest.loops.size()) return false;
    for (size_t k = 0; k < indices.size(); ++k)
      if (indices[k].wrap || ir::loaded(indices[k].value) != nest.loops[k]->index) return false;
    return true;
  }

  static bool turns_alike(const Nest& a, const Nest& b) {
    if (a.loops.size() != b.loops.size()) return false;
    for (size_t k = 0; k < a.loops.size(); ++k)
      if (a.loops[k]->loop != b.loops[k]->loop || !ir::equal(a.loops[k]->hi, b.loops[k]->hi))
        return false;
    return true;
  }

  // The loops in front of the last statement that it can take become part of it.
  void take_earlier(Block& b, Nest nest) {
    for (size_t k = b.size() - 1; k-- > 0;) {
      auto* loop = ir::try_as<ir::For>(b[k]);
      if (!loop) {
        if (!is_between(b[k])) break;
        continue;
      }
      const Nest earlier = nest_of(*loop);
      if (!earlier.outer || !turns_alike(earlier, nest) || !fits(earlier, nest) ||
          !passes(earlier, b, k))
        break;
      merge(earlier, nest);
      b.erase(b.begin() + ptrdiff_t(k));
    }
  }

  // Allocates, asks or names, and nothing else: it writes no element.
  static bool is_between(const Stmt* s) {
    if (const auto* a = ir::try_as<ir::Assign>(s)) {
      bool fits = !calls(a->value);
      ir::for_each_subexpr(a->value, [&](const Expr* e) {
        const auto* call = ir::try_as<ir::Builtin>(e);
        fits = fits && (!call || call->row->is_pure()) && e->kind != ir::ExprKind::kElement;
      });
      return fits;
    }
    return is_check(s) && !ir::has_effect(ir::as<ir::If>(s)->condition);
  }

  // May each turn of the later one follow that of the earlier one at once? It reads what that
  // stores in the same turn alone, and neither stores or assigns what the other one touches
  // otherwise. A loop that adds up stores nothing, and has one sum, of which totals.cpp makes
  // several side by side, or those of two parts.
  bool fits(const Nest& earlier, const Nest& later) const {
    if (earlier.stores.size() + later.stores.size() > size_t(kMostStores)) return false;
    if (earlier.adds) return false;
    if (later.adds && !only_these_read(earlier, later)) return false;
    const auto hands = [](const Nest& from, const Nest& to) {
      return std::ranges::any_of(from.flow.touched(), [&](const Local* local) {
        return from.flow.writes(local) && to.flow.exposes(local);
      });
    };
    return !hands(earlier, later) && !hands(later, earlier) &&
           reads_at_turn(later, stored_by(earlier)) && reads_at_turn(earlier, stored_by(later)) &&
           std::ranges::none_of(later.stores, [&](const ir::Store* s) {
             return stored_by(earlier).contains(ir::loaded(s->place.array));
           });
  }

  // Does nothing else mention what the earlier one stores? Then no array is left: see shrink.
  bool only_these_read(const Nest& earlier, const Nest& later) const {
    std::unordered_map<const Local*, int> read;
    for (const Block* body : {earlier.body, later.body})
      ir::for_each_expr_in(*body, [&](const Expr* e) {
        if (const auto* element = ir::try_as<ir::Element>(e)) ++read[ir::loaded(element->array)];
      });
    return std::ranges::all_of(earlier.stores, [&](const ir::Store* s) {
      const Local* array = ir::loaded(s->place.array);
      const Type* elem = array->type->elem;
      return elem->is_scalar() && s->value->type == elem && mentions_.at(array) == read[array] + 2;
    });
  }

  static LocalSet stored_by(const Nest& nest) {
    LocalSet all;
    for (const ir::Store* s : nest.stores) all.insert(ir::loaded(s->place.array));
    return all;
  }

  // Does it mention the arrays only as elements of the turn, and places?
  static bool reads_at_turn(const Nest& nest, const LocalSet& arrays) {
    bool fits = true;
    const auto expr = [&](const auto& again, const Expr* e) -> void {
      const auto* element = ir::try_as<ir::Element>(e);
      if (element && arrays.contains(ir::loaded(element->array))) {
        fits = fits && at_turn(element->indices, nest);
        return;
      }
      if (const Local* local = ir::loaded(e)) fits = fits && !arrays.contains(local);
      ir::for_each_operand(e, [&](const Expr* part) { again(again, part); });
    };
    for (const Stmt* s : *nest.body) {
      const auto* store = ir::try_as<ir::Store>(s);
      ir::for_each_expr(s, [&](const Expr* e) {
        if (!store || e != store->place.array) expr(expr, e);
      });
    }
    for (const ir::For* loop : nest.loops) expr(expr, loop->hi);
    return fits;
  }

  // May the loop stand behind what follows it? That reads none of its elements and of what it
  // assigns, and gives nothing that it reads another value.
  bool passes(const Nest& nest, const Block& b, size_t at) const {
    const LocalSet stored = stored_by(nest);
    const LocalSet assigned = ir::assigned_in(nest.outer);
    LocalSet read;
    ir::for_each_local_in(nest.outer, [&](const Local* local, ir::Access) { read.insert(local); });
    for (size_t k = at + 1; k + 1 < b.size(); ++k) {
      for (const Local* local : ir::assigned_in(b[k]))
        if (read.contains(local)) return false;
      bool mentions = false;
      ir::for_each_local_in(b[k], [&](const Local* local, ir::Access) {
        mentions = mentions || assigned.contains(local);
      });
      if (mentions) return false;
      const auto* a = ir::try_as<ir::Assign>(b[k]);
      bool fits = true;
      ir::for_each_expr(b[k], [&](const Expr* e) {
        if (a && e == a->value && ir::loaded(e)) return;  // another name
        fits = fits && !shows(e, stored);
      });
      ir::for_each_block(b[k], [&](const Block& inner) {
        ir::for_each_expr_in(inner, [&](const Expr* e) { fits = fits && !shows(e, stored); });
      });
      if (!fits) return false;
    }
    return true;
  }

  // Does it mention one of the arrays, other than its extents?
  static bool shows(const Expr* e, const LocalSet& arrays) {
    if (e->kind == ir::ExprKind::kQuery) return false;
    if (const auto* call = ir::try_as<ir::Builtin>(e); call && call->row->id == Id::pyk_broadcasts)
      return false;
    bool found = arrays.contains(ir::loaded(e));
    ir::for_each_operand(e, [&](const Expr* part) { found = found || shows(part, arrays); });
    return found;
  }

  void merge(const Nest& earlier, Nest& later) {
    merges_ = true;
    std::unordered_map<const Local*, Local*> indices;
    for (size_t k = 0; k < earlier.loops.size(); ++k)
      indices[earlier.loops[k]->index] = later.loops[k]->index;
    ir::for_each_expr_in(*earlier.body, [&](Expr* e) {
      auto* load = ir::try_as<ir::Load>(e);
      const auto known = load ? indices.find(load->local) : indices.end();
      if (known != indices.end()) load->local = known->second;
    });
    later.body->insert(later.body->begin(), earlier.body->begin(), earlier.body->end());
    later.stores.insert(later.stores.begin(), earlier.stores.begin(), earlier.stores.end());
    later.flow = flow_of(later.outer);
  }

  // ---- arrays ----------------------------------------------------------------------------------
  // Names that nobody reads any more; the arrays are called so.
  void drop_names() {
    LocalSet read;
    for (const Local* local : f_.shared) read.insert(local);
    for (const ir::Param& p : f_.params) read.insert(p.local);
    ir::for_each_stmt(body_, [&](const Stmt* s) {
      ir::for_each_local_of(s, [&](const Local* local, ir::Access access) {
        if (access != ir::Access::kWrite || s->kind != StmtKind::kAssign) read.insert(local);
      });
    });
    ir::replace_stmts(body_, [&](Stmt* s, Block&) {
      const auto* a = ir::try_as<ir::Assign>(s);
      Local* array = a ? ir::loaded(a->value) : nullptr;
      if (!made_.contains(array) || read.contains(a->local) || a->local->maybe_unbound)
        return false;
      names_.emplace_back(array, a->local->name);
      return true;
    });
  }

  // Arrays of which only the loop reads elements, as variables.
  void shrink(const Nest& nest) {
    for (ir::Store* store : nest.stores) {
      Local* array = ir::loaded(store->place.array);
      const Type* elem = array->type->elem;
      const auto at = std::ranges::find(*nest.body, static_cast<Stmt*>(store));
      int read = 0;
      ir::for_each_expr_in(Block(at + 1, nest.body->end()), [&](const Expr* e) {
        const auto* element = ir::try_as<ir::Element>(e);
        read += element && ir::loaded(element->array) == array;
      });
      // It is made, filled and read behind that.
      if (store->value->type != elem || !elem->is_scalar() || mentions_.at(array) != read + 2)
        continue;
      const ir::Builder b{program_, store->span};
      Local* value = b.temp(array->name.str(), elem);
      f_.locals.push_back(value);
      *at = b.assign(value, store->value);
      replace_elements(*nest.body, array, value);
      dropped_.insert(array);
    }
  }

  void replace_elements(Block& body, const Local* array, Local* value) const {
    const auto replace = [&](const auto& again, Expr*& e) -> void {
      const auto* element = ir::try_as<ir::Element>(e);
      if (element && ir::loaded(element->array) == array)
        e = ir::Builder{program_, e->span}.load(value);
      else
        ir::for_each_operand(e, [&](Expr*& part) { again(again, part); });
    };
    for (Stmt* s : body) ir::for_each_expr(s, [&](Expr*& e) { replace(replace, e); });
  }

  void drop_arrays() {
    ir::replace_stmts(body_, [&](Stmt* s, Block&) {
      const auto* a = ir::try_as<ir::Assign>(s);
      return a && dropped_.contains(a->local);
    });
  }

  ir::Program& program_;
  ir::Function& f_;
  Block& body_;
  std::unordered_map<const Local*, int> times_;
  LocalSet made_{};  // arrays that hold the results of expressions
  bool merges_ = false;
  std::vector<std::pair<Local*, Symbol>> names_{};  // what arrays are called
  std::unordered_map<const Local*, int> mentions_{};
  LocalSet dropped_{};
};

}  // namespace

void fused(ir::Program& program, ir::Function& f) {
  int made = 0;
  ir::for_each_stmt(f.body, [&](const Stmt* s) {
    const auto* a = ir::try_as<ir::Assign>(s);
    made += a && a->value->kind == ir::ExprKind::kNewArray;
  });
  if (made < 1) return;
  const size_t locals = f.locals.size();
  Block* copy = ir::Cloner(program).block(f.body);
  if (Fused(program, f, *copy).run())
    f.body = std::move(*copy);
  else
    f.locals.resize(locals);
}

}  // namespace pyk2cu::emit
