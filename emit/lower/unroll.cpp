// Loops over a window, written out.
//
//   for j …:                            for j …:
//     for di in range(-1, 2):             s += a[i - 1, j - 1]
//       for dj in range(-1, 2):    ->     s += a[i - 1, j]
//         s += a[i + di, j + dj]          …
//
// The loop around them becomes straight code over neighbours, which vector registers hold; of every
// turn it is known which one it is: conditions on it are gone, counters and sums have small bounds.
// C++ compilers write such loops out too late to vectorise what is around them. Of elements that do
// not lie side by side there is nothing to gain: those loops stay as they are.
//
// And loops over the items of tuples, wherever they are, whose items are variables then:
//
//   for dx, w in ((0, 1.0 - f), (1, f)):    ->    s[i] += 1.0 - f; s[i + 1] += f
//     s[i + dx] += w
//
// A branch that leaves such a loop has the turns behind it in its other side.
// In: a program before ranges.  Out: loops of constant turns replaced by their turns, in order.
// Tested by tests/golden/passes/unroll and tests/run/test_unroll.py.
#include <fmt/format.h>

#include <algorithm>

#include "emit/lower/constants.h"
#include "emit/lower/flow.h"
#include "emit/lower/invariants.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lanes/tuples.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int kMostStatements = 100;  // of all turns together: a window of 7 x 7, chosen from
constexpr int kMostOperations = 1024;
constexpr int64_t kMostTurns = 256;
constexpr int64_t kFewTurns = 16;   // of the loop around: it is short itself
constexpr int64_t kMostApart = 2;   // neighbours that vectors take in one load, and part
constexpr int64_t kMostItems = 16;  // of a tuple
constexpr int kMostSteps = 6;       // from an index to what it is computed from

// The locals of each loop that are mentioned nowhere else, and have no value before a turn.
class Privates {
 public:
  explicit Privates(const Block& body) {
    count(body, all_);
    ir::for_each_stmt(body, [&](const Stmt* s) {
      const auto* loop = ir::try_as<ir::For>(s);
      if (!loop) return;
      std::unordered_map<const Local*, int> inside;
      count(*loop->body, inside);
      const Flow flow = flow_of(*loop->body);
      for (const Local* local : ir::assigned_in(*loop->body))
        if (inside.at(local) == all_.at(local) && !flow.exposes(local)) of_[loop].insert(local);
    });
  }
  const ir::LocalSet& of(const ir::For* loop) { return of_[loop]; }

 private:
  static void count(const Block& body, std::unordered_map<const Local*, int>& out) {
    ir::for_each_stmt(body, [&](const Stmt* s) {
      ir::for_each_local_of(s, [&](const Local* local, ir::Access) { ++out[local]; });
    });
  }

  std::unordered_map<const Local*, int> all_{};
  std::unordered_map<const ir::For*, ir::LocalSet> of_{};
};

// What the statement gives a tuple of which no item is computed; null: it does something else.
const Local* constant_tuple(const Stmt* s) {
  const auto* a = ir::try_as<ir::Assign>(s);
  const auto* tuple = a ? ir::try_as<ir::Tuple>(a->value) : nullptr;
  return tuple && is_constant(tuple) ? a->local : nullptr;
}

// One loop's body with the loops inside written out.
class Copy {
 public:
  // `may_end`: loops that a branch leaves too; of windows lanes make masks.
  Copy(ir::Program& program, ir::Function& f, Constants& constants, Privates& privates,
       bool may_end)
      : program_(program), f_(f), constants_(constants), privates_(privates), may_end_(may_end) {}

  // Null: something inside turns as often as nobody knows, or there is too much of it.
  Block* of(const Block& body) {
    ir::Cloner cloner(program_);
    Block* copy = cloned(cloner, body);
    continues_in_lanes(program_, *copy);
    Block* out = expanded(*copy);
    return fits_ ? out : nullptr;
  }
  // What is assigned once in the copy, and read nowhere else.
  const ir::LocalSet& own() const { return own_; }
  // The loops that are gone, as they stand in the source, and how often the longest turned.
  const std::vector<std::pair<const ir::For*, int64_t>>& loops() const { return loops_; }

 private:
  // It is known of the loops inside what they are copies of.
  Block* cloned(ir::Cloner& cloner, const Block& body) {
    Block* copy = cloner.block(body);
    std::vector<const ir::For*> from, to;
    const auto collect = [](const Block& block, std::vector<const ir::For*>& out) {
      ir::for_each_stmt(block, [&](const Stmt* s) {
        if (const auto* loop = ir::try_as<ir::For>(s)) out.push_back(loop);
      });
    };
    collect(body, from);
    collect(*copy, to);
    for (size_t k = 0; k < from.size(); ++k) origins_[to[k]] = origin(from[k]);
    return copy;
  }
  const ir::For* origin(const ir::For* loop) const {
    const auto at = origins_.find(loop);
    return at == origins_.end() ? loop : at->second;
  }

  Block* expanded(Block& from) {
    Block* out = program_.make<Block>();
    for (Stmt* s : from) {
      if (!fits_) break;
      stmt(s, *out);
    }
    return out;
  }

  void stmt(Stmt* s, Block& out) {
    ir::for_each_expr(s, [&](Expr*& e) { constants_.fold(e); });
    if (const auto* loop = ir::try_as<ir::For>(s)) return turns(*loop, out);
    if (ir::is_loop(s)) return give_up();
    if (auto* branch = ir::try_as<ir::If>(s)) {
      if (const ir::Const* c = ir::constant(branch->condition)) {
        const Block& taken = *expanded(c->value.integer ? *branch->body : *branch->orelse);
        out.insert(out.end(), taken.begin(), taken.end());
        return;
      }
      branch->body = expanded(*branch->body);
      branch->orelse = expanded(*branch->orelse);
    }
    if (const auto* a = ir::try_as<ir::Assign>(s); a && own_.contains(a->local)) {
      const ir::Const* c = ir::constant(a->value);
      if (c && a->local->type->is_int()) return constants_.name(a->local, *c);
      if (const ir::Tuple* tuple = constants_.tuple_of(a->value)) constants_.name(a->local, tuple);
    }
    if (const auto* a = ir::try_as<ir::Assign>(s); a && ir::loaded(a->value) == a->local)
      return;  // k += 0
    if (!constant_tuple(s)) count(s);
    out.push_back(s);
  }

  void turns(const ir::For& loop, Block& out) {
    const auto turns = constant_turns(loop);
    const bool plain = turns && *turns <= kMostStatements && loop.loop == ir::LoopKind::kSerial &&
                       loop.reductions.empty() && !continues(loop) &&
                       (!ir::has_exit(*loop.body, &loop) || (may_end_ && only_ends(loop)));
    turns_ += turns.value_or(0);  // those too of which nothing is left
    if (!plain || turns_ > kMostTurns) return give_up();
    const ir::For* source = origin(&loop);
    const auto gone = std::ranges::find(loops_, source, &std::pair<const ir::For*, int64_t>::first);
    if (gone == loops_.end())
      loops_.emplace_back(source, *turns);
    else
      gone->second = std::max(gone->second, *turns);
    const int64_t lo = ir::constant(loop.lo)->value.integer;
    const int64_t step = ir::constant(loop.step)->value.integer;
    const auto times = ir::count_assignments(*loop.body);
    Block* to = &out;
    for (int64_t turn = 0; turn < *turns && fits_ && to; ++turn) {
      ir::Cloner cloner(program_);
      const ir::Builder build{program_, loop.span};
      const Expr* value = build.integer(lo + turn * step, loop.index->type);
      constants_.name(renewed(cloner, loop.index, false), *ir::constant(value));
      for (const Local* local : ir::assigned_in(*loop.body))
        if (privates_.of(source).contains(source_of(local)))
          renewed(cloner, local, times.at(local) == 1);
      to = one_turn(loop, *cloned(cloner, *loop.body), *to);
    }
  }

  // Where the next turn goes: into the side of a branch whose other side ends the loop. Null: there
  // is no next one.
  Block* one_turn(const ir::For& loop, Block& body, Block& out) {
    Block* to = &out;
    for (Stmt* s : body) {
      if (!fits_) break;
      auto* branch = ir::try_as<ir::If>(s);
      const bool yes = branch && ends(loop, *branch->body);
      const bool no = branch && ends(loop, *branch->orelse);
      if (!yes && !no) {
        stmt(s, *to);
        continue;
      }
      if (yes) branch->body->pop_back();
      if (no) branch->orelse->pop_back();
      stmt(branch, *to);
      if (to->empty() || to->back() != branch) {  // it is known which one
        const ir::Const* c = ir::constant(branch->condition);
        if (c && (c->value.integer ? yes : no)) return nullptr;
        continue;
      }
      if (yes && no) return nullptr;
      to = yes ? branch->orelse : branch->body;
    }
    return to;
  }

  static bool ends(const ir::For& loop, const Block& side) {
    const auto* jump = side.empty() ? nullptr : ir::try_as<ir::Break>(side.back());
    return jump && jump->loop == &loop;
  }

  // Is a side of a branch of its own all that leaves it early?
  static bool only_ends(const ir::For& loop) {
    size_t plain = 0, all = 0;
    bool other = false;
    for (const Stmt* s : *loop.body)
      if (const auto* branch = ir::try_as<ir::If>(s))
        plain += size_t(ends(loop, *branch->body)) + size_t(ends(loop, *branch->orelse));
    ir::for_each_stmt(*loop.body, [&](const Stmt* s) {
      const auto* jump = ir::try_as<ir::Break>(s);
      all += jump && jump->loop == &loop;
      other = other || s->kind == StmtKind::kReturn;
    });
    return plain == all && !other;
  }

  const Local* renewed(ir::Cloner& cloner, const Local* local, bool is_once) {
    const Local* source = source_of(local);
    const Local* own = cloner.renew(local, f_);
    sources_[own] = source;
    if (is_once) own_.insert(own);
    return own;
  }
  const Local* source_of(const Local* local) const {
    const auto at = sources_.find(local);
    return at == sources_.end() ? local : at->second;
  }

  static bool continues(const ir::For& loop) {
    return ir::any_stmt(*loop.body, [&](const Stmt* s) {
      const auto* jump = ir::try_as<ir::Continue>(s);
      return jump && jump->loop == &loop;
    });
  }

  void count(const Stmt* s) {
    ++statements_;
    ir::for_each_expr(
        s, [&](const Expr* e) { ir::for_each_subexpr(e, [&](const Expr*) { ++operations_; }); });
    if (statements_ > kMostStatements || operations_ > kMostOperations) give_up();
  }
  void give_up() { fits_ = false; }

  ir::Program& program_;
  ir::Function& f_;
  Constants& constants_;
  Privates& privates_;
  const bool may_end_;
  ir::LocalSet own_{};  // of one turn, assigned once in it
  std::unordered_map<const Local*, const Local*> sources_{};
  std::unordered_map<const ir::For*, const ir::For*> origins_{};
  std::vector<std::pair<const ir::For*, int64_t>> loops_{};
  int statements_ = 0, operations_ = 0;
  int64_t turns_ = 0;
  bool fits_ = true;
};

// Arrays whose elements are touched by loops inside.
ir::LocalSet arrays_of_loops(const Block& body) {
  ir::LocalSet all;
  ir::for_each_stmt(body, [&](const Stmt* s) {
    if (!ir::is_loop(s)) return;
    ir::for_each_local_in(s, [&](const Local* local, ir::Access) {
      if (local->type->is_array()) all.insert(local);
    });
  });
  return all;
}

// Which elements the iterations of a loop touch: neighbours, or the same one. What is looked up
// once, in arrays that the windows are not of, may lie anywhere.
class Neighbours {
 public:
  Neighbours(const Local* index, const Block& body, ir::LocalSet windows)
      : index_(index),
        assigned_(ir::assigned_in(body)),
        windows_(std::move(windows)),
        times_(ir::count_assignments(body)) {
    ir::for_each_stmt(body, [&](const Stmt* s) {
      if (const auto* a = ir::try_as<ir::Assign>(s)) values_[a->local] = a->value;
      ir::for_each_place(s, [&](const ir::Place& place) {
        if (!place.local) element(place.array, place.indices);
      });
    });
    ir::for_each_expr_in(body, [&](const Expr* e) {
      if (const auto* from = ir::try_as<ir::Element>(e)) element(from->array, from->indices);
      all_ = all_ && e->kind != ir::ExprKind::kView;
    });
  }
  bool are_all() const { return all_ && found_; }

 private:
  void element(const Expr* array, const ir::List<ir::Index>& indices) {
    const bool columns = array->type->layout == types::Layout::kF;
    const size_t along = columns ? 0 : indices.size() - 1;
    for (size_t k = 0; k < indices.size(); ++k) {
      const auto by = stride(indices[k].value, kMostSteps);
      const Local* named = ir::loaded(array);
      const bool is_table =
          named ? !windows_.contains(named) : array->kind == ir::ExprKind::kGlobal;
      if (!by && is_table) return;
      all_ = all_ && by && (*by == 0 || (k == along && 1 <= *by && *by <= kMostApart));
      found_ = found_ || (k == along && by && *by != 0);
    }
  }

  // By how much it grows from one iteration to the next; nothing: that is not known.
  std::optional<int64_t> stride(const Expr* e, int steps) const {
    if (steps == 0) return std::nullopt;
    if (const Local* local = ir::loaded(e)) {
      if (local == index_) return 1;
      if (!assigned_.contains(local)) return 0;
      const auto value = values_.find(local);
      const bool once = value != values_.end() && times_.at(local) == 1;
      return once ? stride(value->second, steps - 1) : std::nullopt;
    }
    if (const auto* c = ir::try_as<ir::Convert>(e); c && c->operand->type->is_int())
      return stride(c->operand, steps - 1);
    const auto* b = ir::try_as<ir::Binary>(e);
    if (b && (b->op == BinaryOp::kAdd || b->op == BinaryOp::kSub)) {
      const auto left = stride(b->left, steps - 1), right = stride(b->right, steps - 1);
      if (!left || !right) return std::nullopt;
      return b->op == BinaryOp::kAdd ? *left + *right : *left - *right;
    }
    if (b && b->op == BinaryOp::kMul) {
      const ir::Const *left = ir::constant(b->left), *right = ir::constant(b->right);
      const ir::Const* times = left ? left : right;
      const auto by = times ? stride(left ? b->right : b->left, steps - 1) : std::nullopt;
      if (by && std::abs(times->value.integer) <= kMostApart) return *by * times->value.integer;
    }
    // Cut at the ends, or round them: in the middle, which lanes take apart, it grows as what is
    // cut.
    if (const auto* cut = ir::try_as<ir::Builtin>(e); cut && is_cut(*cut)) {
      const auto left = stride(cut->args[0], steps - 1), right = stride(cut->args[1], steps - 1);
      if (left && right && (*left == 0 || *right == 0)) return *left + *right;
    }
    if (b && b->op == BinaryOp::kMod && stride(b->right, steps - 1) == 0)
      return stride(b->left, steps - 1);
    bool same = true;
    ir::for_each_operand(e, [&](const Expr* operand) {
      const auto by = stride(operand, steps - 1);
      same = same && by && *by == 0;
    });
    return same ? std::optional<int64_t>(0) : std::nullopt;
  }

  const Local* index_;
  const ir::LocalSet assigned_, windows_;
  const std::unordered_map<const Local*, int> times_;
  std::unordered_map<const Local*, const Expr*> values_{};
  bool all_ = true, found_ = false;
};

// Elements whose places hang on the loops inside and on something else, as those of neighbours do:
// a[i + di, x], x = j + dj. Of rows and columns alone, a[i, k] * b[k, j], nests make tiles.
class Windows {
 public:
  explicit Windows(const Block& body) {
    ir::for_each_stmt(body, [&](const Stmt* s) {
      if (const auto* loop = ir::try_as<ir::For>(s)) inner_.insert(loop->index);
    });
    for (size_t before = 0; before != inner_.size() + both_.size();) {
      before = inner_.size() + both_.size();
      ir::for_each_stmt(body, [&](const Stmt* s) {
        const auto* a = ir::try_as<ir::Assign>(s);
        if (!a || !(a->local->type->is_int() || a->local->type->is_tuple())) return;
        if (a->local->type->is_int() && hangs_on_both(a->value)) both_.insert(a->local);
        if (ir::reads_any(a->value, inner_)) inner_.insert(a->local);
      });
    }
    const auto look = [&](const ir::List<ir::Index>& indices) {
      for (const ir::Index& i : indices) found_ = found_ || hangs_on_both(i.value);
    };
    ir::for_each_stmt(body, [&](const Stmt* s) {
      ir::for_each_place(s, [&](const ir::Place& place) {
        if (!place.local) look(place.indices);
      });
    });
    ir::for_each_expr_in(body, [&](const Expr* e) {
      if (const auto* element = ir::try_as<ir::Element>(e)) look(element->indices);
    });
  }
  bool found() const { return found_; }

 private:
  bool hangs_on_both(const Expr* e) const {
    if (ir::reads_any(e, both_)) return true;
    bool other = false;
    ir::for_each_subexpr(e, [&](const Expr* part) {
      const Local* local = ir::loaded(part);
      other = other || (local && local->type->is_int() && !inner_.contains(local));
    });
    return other && ir::reads_any(e, inner_);
  }

  ir::LocalSet inner_{}, both_{};
  bool found_ = false;
};

class Unroll {
 public:
  Unroll(Lowering& lowering, ir::Function& f)
      : program_(lowering.program),
        notes_(lowering.notes),
        f_(f),
        constants_(lowering.program),
        privates_(f.body) {
    constants_.name_all(f);
  }

  void run() {
    block(f_.body);
    if (wrote_items_) split_tuples(program_, f_, f_.body);
  }

 private:
  void block(Block& b) {
    Block all;
    for (Stmt* s : b) {
      auto* loop = ir::try_as<ir::For>(s);
      if (loop && write_items(*loop, all)) continue;
      if (!loop || !write_out(*loop, all))
        ir::for_each_block(s, [&](Block& inner) { block(inner); });
      all.push_back(s);
    }
    b = std::move(all);
  }

  // In place of a loop that asks for the items of tuples one after the other.
  bool write_items(ir::For& loop, Block& out) {
    const auto turns = constant_turns(loop);
    if (!turns || *turns > kMostItems || !numbers_items(loop)) return false;
    const size_t locals = f_.locals.size();
    Copy copy(program_, f_, constants_, privates_, true);
    const Block* body = copy.of(Block{&loop});
    if (!body) {
      f_.locals.resize(locals);
      return false;
    }
    out.insert(out.end(), body->begin(), body->end());
    wrote_items_ = true;
    for (const auto& [gone, times] : copy.loops())
      notes_.add(f_, gone,
                 {.what = fmt::format("{} turns written out", times),
                  .why = "the items of tuples are variables"});
    return true;
  }

  // t[k], t[k + 1] of the loop's index, of a tuple that the function makes: no copy of it is left.
  static bool numbers_items(const ir::For& loop) {
    ir::LocalSet numbers;
    numbers.insert(loop.index);
    ir::for_each_stmt(*loop.body, [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      if (a && a->local->type->is_int() && ir::reads_any(a->value, numbers))
        numbers.insert(a->local);
    });
    bool found = false;
    ir::for_each_expr_in(std::as_const(*loop.body), [&](const Expr* e) {
      const auto* at = ir::try_as<ir::ItemAt>(e);
      const Local* made = at ? ir::loaded(at->tuple) : nullptr;
      found = found || (made && !made->is_param && ir::reads_any(at->index.value, numbers));
    });
    return found;
  }

  // `front`: what stands in front of the loop.
  bool write_out(ir::For& around, Block& front) {
    const bool has_loops = ir::any_stmt(*around.body, [](const Stmt* s) { return ir::is_loop(s); });
    if (!has_loops || !ir::is_int_const(around.step, 1) || turns_less(around, kFewTurns + 1) ||
        !Windows(*around.body).found())
      return false;
    const size_t locals = f_.locals.size();
    Copy copy(program_, f_, constants_, privates_, false);
    Block* body = copy.of(*around.body);
    if (!body || !Neighbours(around.index, *body, arrays_of_loops(*around.body)).are_all()) {
      f_.locals.resize(locals);
      return false;
    }
    drop_unread_tuples(*body, copy.own(), privates_.of(&around));
    around.body = body;
    const auto all = take_invariants(program_, f_, *body, around.index, copy.own());
    front.insert(front.end(), all.begin(), all.end());
    for (const auto& [gone, turns] : copy.loops())
      notes_.add(f_, gone,
                 {.what = fmt::format("{} turns written out", turns),
                  .why = "what is around it becomes straight code"});
    return true;
  }

  static void drop_unread_tuples(Block& body, const ir::LocalSet& own, const ir::LocalSet& others) {
    ir::LocalSet read;
    ir::for_each_expr_in(std::as_const(body), [&](const Expr* e) {
      if (const Local* local = ir::loaded(e)) read.insert(local);
    });
    const auto drop = [&](const auto& again, Block& b) -> void {
      std::erase_if(b, [&](const Stmt* s) {
        const Local* local = constant_tuple(s);
        return local && !read.contains(local) && (own.contains(local) || others.contains(local));
      });
      for (Stmt* s : b) ir::for_each_block(s, [&](Block& inner) { again(again, inner); });
    };
    drop(drop, body);
  }

  ir::Program& program_;
  LoopNotes& notes_;
  ir::Function& f_;
  Constants constants_;
  Privates privates_;
  bool wrote_items_ = false;
};

}  // namespace

void unroll(Lowering& lowering) {
  for (ir::Function* f : lowering.program.functions) Unroll(lowering, *f).run();
}

}  // namespace pyk2cu::emit
