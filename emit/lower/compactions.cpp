// Elements that are picked one behind the other, without a branch.
//
//   out = np.empty(n); k = 0               for i in range(n):
//   for i in range(n):                       if k < len(out):
//     if x[i] > t:                     ->      out[k] = x[i]
//       out[k] = x[i]                        k += x[i] > t
//       k += 1
//
// No processor foresees what data say, and a missed branch takes longer than a store that the next
// one overwrites. Nothing has looked at the place behind the last element that was picked: the
// array is new, and all that happens to it up to the end of the outermost loop is such stores. Of
// one that was filled with a constant that place gets it back.
// In:   functions in their final form.  Out: such stores in any case; what is stored takes a few
// operations without a division, from variables and from elements that arrays surely have.
// Tested by tests/golden/passes/compactions.py and tests/run/test_compactions.py.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "emit/lower/costs.h"
#include "emit/lower/inside.h"
#include "emit/lower/interval.h"
#include "emit/lower/lower.h"
#include "emit/lower/sides.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

namespace {

constexpr int kFew = 4;            // operations of both sides that a missed branch is worth
constexpr size_t kMostStores = 4;  // of both sides
constexpr int64_t kMostStart = int64_t{1} << 62;

// A side of a branch: out[k] = x; ids[k] = i; k += 1
struct Side {
  std::vector<ir::Store*> stores{};
  std::vector<Local*> counts{};
};

Local* array_of(const ir::Store& s) { return ir::loaded(s.place.array); }
Local* counter_of(const ir::Store& s) { return ir::loaded(s.place.indices[0].value); }

bool is_next_place(const ir::Place& to) {
  return !to.local && ir::loaded(to.array) && to.indices.size() == 1 &&
         ir::loaded(to.indices[0].value) && !to.indices[0].check;
}

// The variable that the statement counts on by one; null: it does something else.
Local* counted_on(const Stmt* s) {
  const auto* u = ir::try_as<ir::Update>(s);
  const auto* a = ir::try_as<ir::Assign>(s);
  const auto* sum = a ? ir::try_as<ir::Binary>(a->value) : nullptr;
  const bool adds = (u && u->op == BinaryOp::kAdd && !u->atomic) ||
                    (sum && sum->op == BinaryOp::kAdd && ir::loaded(sum->left) == a->local);
  if (!adds) return nullptr;
  Local* k = u ? u->place.local : a->local;
  const Expr* by = u ? u->value : sum->right;
  const bool is_int64 = k && k->lanes == 0 && k->type == types::int64() && by->type == k->type;
  return is_int64 && ir::is_int_const(by, 1) ? k : nullptr;
}

// Nothing: it does something else.
std::optional<Side> side_of(const Block& b) {
  Side side;
  std::unordered_map<const Local*, int> times;  // that it is counted on
  for (Stmt* s : b) {
    auto* store = ir::try_as<ir::Store>(s);
    Local* count = counted_on(s);
    if (store && is_next_place(store->place) && side.counts.empty()) {
      side.stores.push_back(store);
    } else if (count) {
      side.counts.push_back(count);
      ++times[count];
    } else {
      return std::nullopt;
    }
  }
  for (const ir::Store* s : side.stores) times[counter_of(*s)] += 0;
  const bool is_each_once =
      std::ranges::all_of(times, [](const auto& one) { return one.second == 1; });
  return is_each_once ? std::optional(side) : std::nullopt;
}

// A branch both of whose sides do that, or one of them nothing.
struct Branch {
  Block* block;
  size_t at;  // in the block
  Side yes{}, no{};

  ir::If& stmt() const { return *ir::as<ir::If>((*block)[at]); }
  template <class F>
  void for_each_store(F&& f) const {
    for (const Side* side : {&yes, &no})
      for (ir::Store* s : side->stores) f(*s);
  }
};

class Compactions {
 public:
  Compactions(ir::Program& program, ir::Function& f)
      : program_(program), f_(f), assigned_(ir::count_assignments(f.body)), inside_(program, f) {}

  void block(Block& b) {
    New made;
    Starts starts;
    for (size_t k = 0; k < b.size(); ++k) {
      Stmt* s = b[k];
      const bool turns = s->kind == ir::StmtKind::kFor || s->kind == ir::StmtKind::kWhile ||
                         s->kind == ir::StmtKind::kForEach;
      const std::vector<Stmt*> behind =
          turns && !made.empty() ? compacted(s, made, starts) : std::vector<Stmt*>{};
      forget_mentioned(s, made, starts);
      note(s, made, starts);
      if (!is_in_lanes(s)) {
        auto* loop = ir::try_as<ir::For>(s);
        if (loop) inside_.enter(loop);
        ir::for_each_block(s, [&](Block& inner) { block(inner); });
        if (loop) inside_.leave();
      }
      b.insert(b.begin() + ptrdiff_t(k) + 1, behind.begin(), behind.end());
      k += behind.size();
    }
  }

 private:
  // Arrays that are new, and whose elements nothing has mentioned so far.
  using New = std::unordered_map<const Local*, const ir::NewArray*>;
  // Counters that begin at 0 or more, and so that no loop counts them over the end.
  using Starts = ir::LocalSet;

  static bool is_in_lanes(const Stmt* s) {
    return s->kind == ir::StmtKind::kLanes || s->kind == ir::StmtKind::kGang ||
           s->kind == ir::StmtKind::kGiven;
  }

  bool is_shared(const Local* local) const {
    return local->is_param || local->lanes != 0 || local->maybe_unbound ||
           std::ranges::find(f_.shared, local) != f_.shared.end();
  }

  void note(const Stmt* s, New& made, Starts& starts) const {
    const auto* a = ir::try_as<ir::Assign>(s);
    if (!a || is_shared(a->local)) return;
    const auto* array = ir::try_as<ir::NewArray>(a->value);
    if (array && array->type->rank == 1 &&
        (array->fill != ir::Fill::kValue || !array->value || ir::constant(array->value)))
      made[a->local] = array;
    const ir::Const* c = a->local->type == types::int64() ? ir::constant(a->value) : nullptr;
    if (c && c->value.integer >= 0 && c->value.integer < kMostStart) starts.insert(a->local);
  }

  // But for how many elements they have.
  template <class F>
  static void for_each_mention(const Stmt* s, F&& f) {
    const auto in = [&](const auto& again, const Expr* e) -> void {
      if (const auto* query = ir::try_as<ir::Query>(e); query && ir::loaded(query->operand)) return;
      ir::for_each_local(e, f);
      ir::for_each_operand(e, [&](const Expr* part) { again(again, part); });
    };
    ir::for_each_local(s, f);
    ir::for_each_expr(s, [&](const Expr* e) { in(in, e); });
    ir::for_each_block(s, [&](const Block& inner) {
      for (const Stmt* one : inner) for_each_mention(one, f);
    });
  }

  static void forget_mentioned(const Stmt* s, New& made, Starts& starts) {
    if (made.empty() && starts.empty()) return;
    for_each_mention(s, [&](const Local* local, ir::Access access) {
      made.erase(local);
      if (access != ir::Access::kRead) starts.erase(local);
    });
  }

  // Changes the branches of a loop that fill such arrays. What has to stand behind it.
  std::vector<Stmt*> compacted(Stmt* loop, const New& made, const Starts& starts) {
    std::vector<Branch> branches;
    find(loop, nullptr, branches);
    if (branches.empty()) return {};
    std::unordered_map<const Local*, int> mentions, writes;
    for_each_mention(loop, [&](const Local* local, ir::Access access) {
      ++mentions[local];
      if (access != ir::Access::kRead) ++writes[local];
    });
    // Nothing else has to do with the array, nor counts on.
    const auto counts = [&](const Local* k) { return writes[k] == 1 && starts.contains(k); };
    const auto fills = [&](const Side& side) {
      return std::ranges::all_of(side.counts, counts) &&
             std::ranges::all_of(side.stores, [&](const ir::Store* s) {
               const Local* array = array_of(*s);
               const auto times = std::ranges::count(
                   side.stores, array, [](const ir::Store* one) { return array_of(*one); });
               const auto found = made.find(array);
               return found != made.end() && mentions[array] == times &&
                      (found->second->fill == ir::Fill::kUninitialized || !leaves(loop));
             });
    };
    std::vector<Stmt*> behind;
    for (auto branch = branches.rbegin(); branch != branches.rend(); ++branch) {
      if (!fills(branch->yes) || !fills(branch->no)) continue;
      branch->for_each_store([&](const ir::Store& s) {
        const ir::NewArray& of = *made.at(array_of(s));
        if (of.fill != ir::Fill::kUninitialized)
          behind.push_back(where_there(s, filled(of, s.span)));
      });
      take_out(*branch, made);
    }
    return behind;
  }

  // Branches of innermost loops that are worth it.
  void find(Stmt* s, const Stmt* loop, std::vector<Branch>& out) {
    auto* counted = ir::try_as<ir::For>(s);
    const bool is_parallel = counted && (counted->loop == ir::LoopKind::kParallel || counted->simd);
    if (is_parallel || is_in_lanes(s)) return;
    if (counted) inside_.enter(counted);
    if (ir::is_loop(s)) loop = s;
    ir::for_each_block(s, [&](Block& inner) {
      const bool is_innermost =
          !ir::any_stmt(inner, [](const Stmt* one) { return ir::is_loop(one); });
      for (size_t k = 0; k < inner.size(); ++k) {
        const auto* branch = ir::try_as<ir::If>(inner[k]);
        const size_t before = out.size();
        if (branch && is_innermost) add(*branch, {&inner, k}, *loop, out);
        if (out.size() == before) find(inner[k], loop, out);
      }
    });
    if (counted) inside_.leave();
  }

  void add(const ir::If& s, Branch branch, const Stmt& loop, std::vector<Branch>& out) {
    if (s.versions || is_foreseen(s) || ir::has_effect(s.condition)) return;
    if (!hangs_on_data(s.condition, loop)) return;
    const auto yes = side_of(*s.body), no = side_of(*s.orelse);
    if (!yes || !no) return;
    branch.yes = *yes;
    branch.no = *no;
    Sides sides{s.condition, [&](const ir::Element& e) { return inside_(e); }};
    size_t stores = 0;
    bool cheap = true;
    branch.for_each_store([&](const ir::Store& one) {
      ++stores;
      cheap = cheap && sides.cheap(one.value) && !reads_unbound(one.value);
    });
    if (cheap && stores > 0 && stores <= kMostStores && sides.operations <= kFew)
      out.push_back(branch);
  }

  static bool reads_unbound(const Expr* e) {
    bool found = false;
    ir::for_each_subexpr(e, [&](const Expr* part) {
      const Local* local = ir::loaded(part);
      found = found || (local && local->maybe_unbound);
    });
    return found;
  }

  // Are there ways out of a loop that lead past what follows it?
  static bool leaves(const Stmt* loop) {
    bool found = false;
    std::vector<const Stmt*> loops{loop};
    ir::for_each_block(loop, [&](const Block& body) {
      ir::for_each_stmt(body, [&](const Stmt* s) {
        if (ir::is_loop(s)) loops.push_back(s);
      });
    });
    const auto outside = [&](const Stmt* target) {
      return std::ranges::find(loops, target) == loops.end();
    };
    ir::for_each_block(loop, [&](const Block& body) {
      ir::for_each_stmt(body, [&](const Stmt* s) {
        const auto* left = ir::try_as<ir::Break>(s);
        const auto* next = ir::try_as<ir::Continue>(s);
        found = found || (left && outside(left->loop)) || (next && outside(next->loop));
      });
    });
    return found;
  }

  Expr* filled(const ir::NewArray& of, Span span) const {
    const ir::Builder b{program_, span};
    const types::Type* type = of.type->elem;
    if (of.fill == ir::Fill::kValue && of.value) return of.value;
    const int64_t number = of.fill == ir::Fill::kOne ? 1 : 0;
    return type->is_float() ? b.floating(double(number), type) : b.integer(number, type);
  }

  // out[k] = value
  Stmt* next(const ir::Store& s, Expr* value) const {
    const ir::Builder b{program_, s.span};
    const std::vector<ir::Index> at{{b.load(counter_of(s)), false, false}};
    return b.stmt<ir::Store>(ir::Place{nullptr, b.load(array_of(s)), program_.list(at)}, value);
  }
  // ... where there is such an element
  Stmt* where_there(const ir::Store& s, Expr* value) const {
    const ir::Builder b{program_, s.span};
    return b.if_(
        b.compare(ir::CompareOp::kLt, b.load(counter_of(s)), b.extent(b.load(array_of(s)), 0)),
        b.block({next(s, value)}));
  }

  // Elements of the same number of arrays that have as many?
  bool are_together(const ir::Store& a, const ir::Store& b, const New& made) const {
    const Expr *one = made.at(array_of(a))->shape[0], *other = made.at(array_of(b))->shape[0];
    const Local* extent = ir::loaded(one);
    const auto times = extent ? assigned_.find(extent) : assigned_.end();
    const bool stays = ir::constant(one) || (extent && !is_shared(extent) &&
                                             times != assigned_.end() && times->second == 1);
    return stays && counter_of(a) == counter_of(b) && ir::equal(one, other);
  }

  // The stores, and then as many as the condition says.
  void take_out(const Branch& branch, const New& made) {
    const ir::If& s = branch.stmt();
    const ir::Builder b{program_, s.span};
    std::vector<Stmt*> all;
    const bool twice = branch.yes.counts.size() + branch.no.counts.size() > 1;
    Local* taken = nullptr;
    if (twice || !branch.no.counts.empty()) {
      taken = f_.locals.emplace_back(b.temp("taken", types::boolean()));
      all.push_back(b.assign(taken, s.condition));
    }
    for (const Side* side : {&branch.yes, &branch.no}) {
      const ir::Store* before = nullptr;
      for (ir::Store* one : side->stores) {
        one->value = anywhere(one->value);
        if (before && are_together(*before, *one, made))
          ir::as<ir::If>(all.back())->body->push_back(next(*one, one->value));
        else
          all.push_back(where_there(*one, one->value));
        before = one;
      }
    }
    for (const Side* side : {&branch.yes, &branch.no})
      for (Local* k : side->counts) {
        Expr* is = taken ? b.load(taken) : s.condition;
        if (side == &branch.no) is = b.negated(is);
        Expr* one = b.expr<ir::Convert>(k->type, ir::conversion(types::boolean(), k->type), is);
        all.push_back(b.stmt<ir::Update>(ir::Place{k, nullptr, {}}, BinaryOp::kAdd, one));
      }
    branch.block->erase(branch.block->begin() + ptrdiff_t(branch.at));
    branch.block->insert(branch.block->begin() + ptrdiff_t(branch.at), all.begin(), all.end());
  }

  ir::Program& program_;
  ir::Function& f_;
  const std::unordered_map<const Local*, int> assigned_;  // how often
  Inside inside_;
};

}  // namespace

void compactions(ir::Program& program, ir::Function& f) { Compactions(program, f).block(f.body); }

}  // namespace pyk2cu::emit
