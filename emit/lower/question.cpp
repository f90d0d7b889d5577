// What turns ask: see question.h.
#include "emit/lower/question.h"

#include <algorithm>

#include "emit/lower/flow.h"
#include "emit/lower/interval.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lanes.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::CompareOp;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int kMuch = 48;          // operations of a question that may be asked in vain
constexpr int64_t kFar = 1 << 30;  // of a neighbour

bool continues(const Stmt* s) { return s->kind == StmtKind::kContinue; }

bool leaves(const Stmt* s) {
  return s->kind == StmtKind::kBreak || s->kind == StmtKind::kReturn || s->kind == StmtKind::kRaise;
}

// Of which nothing but its value is noticed, wherever it is computed; elements aside.
bool is_quiet(const Expr* e) {
  bool quiet = !ir::has_effect(e);
  ir::for_each_subexpr(e, [&](const Expr* part) {
    const auto* b = ir::try_as<ir::Binary>(part);
    const auto* call = ir::try_as<ir::Call>(part);
    const bool divides =
        b && part->type->is_int() && (b->op == BinaryOp::kFloorDiv || b->op == BinaryOp::kMod);
    const ir::Const* by = divides ? ir::constant(b->right) : nullptr;
    quiet = quiet && !(divides && (!by || by->value.integer == 0 || by->value.integer == -1)) &&
            !(call && !call->shared.empty());
  });
  return quiet;
}

bool calls(const Expr* e) {
  bool found = false;
  ir::for_each_subexpr(e,
                       [&](const Expr* part) { found = found || part->kind == ExprKind::kCall; });
  return found;
}

// Elements of what is asked ahead: are they there?
class Elements {
 public:
  Elements(ir::Program& program, const ir::For& loop, Inside& inside, Question& question,
           bool leaves)
      : program_(program),
        loop_(loop),
        inside_(inside),
        question_(question),
        changed_(ir::assigned_in(*loop.body)),
        leaves_(leaves),
        build_{program, loop.span} {}

  // A statement of the question that gives own variables values. `always`: every turn comes to it.
  bool add_own(Stmt* s, bool always) {
    const bool fits = prepare(s, always);
    own_.insert(ir::assigned_in(s));
    return fits;
  }
  // What follows stands behind a branch that may do something.
  void ask() { asked_ = true; }

  // What holds where a block may be asked is as it was when the expression cannot be.
  struct Mark {
    size_t there, fixed;
    bool is_of_data;
  };
  Mark mark() const { return {question_.there.size(), question_.fixed.size(), is_of_data_}; }
  void restore(const Mark& mark) {
    question_.there.resize(mark.there);
    question_.fixed.resize(mark.fixed);
    is_of_data_ = mark.is_of_data;
  }

  // May the turns of a block be asked it ahead? What was known of it only where it stood is
  // forgotten. `always`: every turn comes to it.
  bool ask_ahead(Expr*& e, bool always) {
    // Functions are left with what they know.
    if (calls(e) && (!always || leaves_ || asked_)) return false;
    e = anywhere(e);
    return prepare(e, always);
  }

  bool reads_arrays() const { return is_of_data_; }  // by the turn's index
  int operations() const { return operations_; }

 private:
  bool prepare(Expr*& e, bool always) {
    ++operations_;
    if (e->kind == ExprKind::kElement) return element(e, always);
    const bool chooses = e->kind == ExprKind::kLogical || e->kind == ExprKind::kSelect;
    bool fits = true, first = true;
    ir::for_each_operand(e, [&](Expr*& o) {
      fits = fits && prepare(o, always && (first || !chooses));
      first = false;
    });
    return fits;
  }

  bool prepare(Stmt* s, bool always) {
    bool fits = true;
    ir::for_each_expr(s, [&](Expr*& e) { fits = fits && ask_ahead(e, always); });
    ir::for_each_block(s, [&](Block& inner) {
      for (Stmt* one : inner) fits = fits && prepare(one, false);
    });
    return fits;
  }

  bool element(Expr*& e, bool always) {
    auto& it = *ir::as<ir::Element>(e);
    const Local* array = ir::loaded(it.array);
    if (!array || array->maybe_unbound || changed_.contains(array) || it.indices.empty())
      return false;
    bool moves = false, steady = true;
    for (const ir::Index& i : it.indices) {
      if (i.check || ir::reads_memory(i.value) || !is_quiet(i.value) || calls(i.value) ||
          ir::reads_any(i.value, own_))
        return false;
      moves = moves || ir::reads(i.value, loop_.index);
      steady = steady && !ir::reads_any(i.value, changed_);
    }
    if (moves) return steady && neighbour(it, always && !leaves_);
    // What turns do may be why those behind them get there.
    const bool loaded = always && (!asked_ || (steady && !leaves_));
    if (!loaded && !inside_(it) && !is_inside_now(it)) return false;
    e = in_front(it);
    return true;
  }

  // best[u], of a `u` that is -1 until there is one: asked where it lies inside.
  bool is_inside_now(ir::Element& e) {
    for (size_t axis = 0; axis < e.indices.size(); ++axis)
      if (!is_row(e, axis)) return false;
    return true;
  }

  // a[k, i + 1]; `loaded`: by every turn.
  bool neighbour(ir::Element& e, bool loaded) {
    ir::Index& last = e.indices.back();
    const Sum sum = sum_of(last.value);
    if (ir::loaded(sum.base) != loop_.index || sum.offset > kFar || sum.offset < -kFar)
      return false;
    for (size_t axis = 0; axis + 1 < e.indices.size(); ++axis)
      if (ir::reads(e.indices[axis].value, loop_.index)) return false;
    const auto is_it = [&](const Expr* other) { return ir::equal(other, &e); };
    const bool sure = loaded || std::ranges::any_of(loaded_, is_it) || inside_(e);
    if (loaded) loaded_.push_back(ir::Cloner(program_).expr(&e));
    const ir::Const* from = ir::constant(loop_.lo);
    const bool counts = from && from->value.integer >= std::max<int64_t>(0, -sum.offset);
    if ((!sure || last.wrap) && !counts)
      require(compare(CompareOp::kGe, build_.integer(-sum.offset)));
    last = {.value = shifted(build_, loop_.index, sum.offset), .wrap = false};
    is_of_data_ = true;
    return sure || is_there(e, sum.offset);
  }

  // Of a block of turns: the rows, and the last of the elements in them.
  bool is_there(ir::Element& e, int64_t offset) {
    ir::Cloner cloner(program_);
    for (size_t axis = 0; axis < e.indices.size(); ++axis) {
      Expr* extent = build_.extent(cloner.expr(e.array), int(axis));
      ir::Index& row = e.indices[axis];
      if (&row == &e.indices.back()) {
        Expr* most = build_.plain(BinaryOp::kSub, extent, build_.integer(kAsked + offset));
        require(compare(CompareOp::kLe, most));
        break;
      }
      if (!is_row(e, axis)) return false;
    }
    return true;
  }

  // The subscript as a number of the axis.
  bool is_row(ir::Element& e, size_t axis) {
    ir::Cloner cloner(program_);
    ir::Index& row = e.indices[axis];
    const ir::Const* fixed = ir::constant(row.value);
    if (fixed && fixed->value.integer < 0) return false;
    if (!fixed) require(build_.compare(CompareOp::kGe, cloner.expr(row.value), build_.integer(0)));
    require(build_.compare(CompareOp::kLt, cloner.expr(row.value),
                           build_.extent(cloner.expr(e.array), int(axis))));
    row.wrap = false;
    return true;
  }

  void require(Expr* condition) {
    const auto is_it = [&](const Expr* other) { return ir::equal(other, condition); };
    if (std::ranges::none_of(question_.there, is_it)) question_.there.push_back(condition);
  }

  Expr* in_front(ir::Element& e) {
    auto at = std::ranges::find_if(question_.fixed,
                                   [&](const auto& one) { return ir::equal(one.first, &e); });
    if (at == question_.fixed.end())
      at =
          question_.fixed.insert(at, {ir::Cloner(program_).expr(&e), build_.temp("fixed", e.type)});
    return build_.load(at->second);
  }

  // Of the block's first turn.
  Expr* compare(CompareOp op, Expr* with) const {
    return build_.compare(op, build_.load(question_.first), with);
  }

  ir::Program& program_;
  const ir::For& loop_;
  Inside& inside_;
  Question& question_;
  const ir::LocalSet changed_;
  const bool leaves_;
  const ir::Builder build_;
  ir::LocalSet own_{};                 // variables of the turn
  std::vector<const Expr*> loaded_{};  // elements that every turn loads
  int operations_ = 0;
  bool asked_ = false, is_of_data_ = false;
};

// What the statements of a turn ask, one behind the other.
class Asked {
 public:
  Asked(ir::Program& program, const ir::For& loop, const ir::EffectAnalysis& effects,
        const ir::LocalSet& read_behind, Inside& inside)
      : program_(program),
        loop_(loop),
        effects_(effects),
        read_behind_(read_behind),
        flow_(flow_of(*loop.body)),
        leaves_(ir::any_stmt(*loop.body, leaves) || effects.of(*loop.body).raises),
        build_{program, loop.span},
        copier_(program),
        elements_(program, loop, inside, question_, leaves_) {
    question_.first = build_.temp("first", types::int64());
    question_.found = build_.temp("found", types::int64());
  }

  std::optional<Question> make() {
    for (const Stmt* s : *loop_.body)
      if (!add(s)) return std::nullopt;
    if (updates_.empty() || !elements_.reads_arrays()) return std::nullopt;
    const types::Type* type = question_.found->type = type_of_found();
    for (ir::Update* update : updates_)
      update->value = build_.expr<ir::Select>(type, update->value, build_.integer(-1, type),
                                              build_.integer(0, type));
    const ir::For* asks = question_.loop(program_, loop_.index, &question_.body);
    if (!fills_lanes(*asks, effects_) || differs_in_lanes(question_.body)) return std::nullopt;
    return std::move(question_);
  }

 private:
  // ---- statements ------------------------------------------------------------------------------
  bool add(const Stmt* s) {
    if (elements_.operations() > kMuch) return false;
    if (is_own(s, true)) {
      const auto* a = ir::try_as<ir::Assign>(s);
      const bool names = a && ir::loaded(a->value) == loop_.index && is_assigned_once(a->local);
      Stmt* own = names ? build_.assign(a->local, build_.load(loop_.index)) : copier_.stmt(s);
      question_.body.push_back(own);
      if (names) copier_.map(a->local, loop_.index);
      return names || elements_.add_own(own, reached_);
    }
    const auto* branch = ir::try_as<ir::If>(s);
    Expr* condition = branch ? does(*branch, reached_) : nullptr;
    if (!condition) return false;
    elements_.ask();
    reached_ = reached_ && !ir::any_stmt(*branch->body, continues) &&
               !ir::any_stmt(*branch->orelse, continues);
    const ir::Builder build{program_, s->span};
    ir::Place found;
    found.local = question_.found;
    updates_.push_back(build.stmt<ir::Update>(found, BinaryOp::kOr, condition));
    question_.body.push_back(updates_.back());
    return true;
  }

  bool is_assigned_once(const Local* local) const {
    int times = 0;
    ir::for_each_stmt(std::as_const(*loop_.body), [&](const Stmt* s) {
      ir::for_each_local_of(s, [&](const Local* other, ir::Access access) {
        times += other == local && access != ir::Access::kRead;
      });
    });
    return times == 1;
  }

  // Gives the turn's own variables values, nothing else; under a condition such that nobody sees
  // when the loop is over.
  bool is_own(const Stmt* s, bool always) const {
    if (const auto* a = ir::try_as<ir::Assign>(s))
      return a->local->type->is_real() && is_quiet(a->value) && !flow_.exposes(a->local) &&
             (always || !read_behind_.contains(a->local));
    const auto* branch = ir::try_as<ir::If>(s);
    const auto inside = [&](const Stmt* inner) { return is_own(inner, false); };
    return branch && is_quiet(branch->condition) && std::ranges::all_of(*branch->body, inside) &&
           std::ranges::all_of(*branch->orelse, inside);
  }

  // When the branch does anything, or more often than that; null: that cannot be asked. `always`:
  // every turn gets there.
  Expr* does(const ir::If& s, bool always) {
    const Elements::Mark mark = elements_.mark();
    Expr* made = whole(s.condition, always);
    const bool is_quiet = !ir::has_effect(s.condition);
    if (made && is_quiet && is_one(*s.body))
      made = joined(true, made, does(*ir::as<ir::If>(s.body->front()), false));
    if (made && !s.orelse->empty())
      made = joined(false, made,
                    is_quiet && is_one(*s.orelse) ? does(*ir::as<ir::If>(s.orelse->front()), false)
                                                  : nullptr);
    if (!made) elements_.restore(mark);
    return made;
  }
  static bool is_one(const Block& b) { return b.size() == 1 && b.front()->kind == StmtKind::kIf; }

  // ---- conditions ------------------------------------------------------------------------------
  // True wherever the condition is, and wherever what it asks does something; null: that cannot be
  // asked.
  Expr* whole(const Expr* e, bool always) {
    const Elements::Mark mark = elements_.mark();
    Expr* made = asked(e, always);
    if (!made) elements_.restore(mark);
    return made;
  }
  Expr* asked(const Expr* e, bool always) {
    const auto* one = ir::try_as<ir::Logical>(e);
    const auto* both = ir::try_as<ir::Binary>(e);
    if (one) {
      if (ir::has_effect(one->left)) return nullptr;
      Expr* left = whole(one->left, always);
      if (ir::has_effect(one->right)) return one->is_and ? left : nullptr;
      return joined(one->is_and, left, whole(one->right, false));
    }
    if (ir::has_effect(e)) return nullptr;
    if (both && e->type->is_bool() && (both->op == BinaryOp::kAnd || both->op == BinaryOp::kOr)) {
      Expr* left = whole(both->left, always);
      return joined(both->op == BinaryOp::kAnd, left, whole(both->right, always));
    }
    Expr* copy = is_quiet(e) ? copier_.expr(e) : nullptr;
    return copy && elements_.ask_ahead(copy, always) ? copy : nullptr;
  }
  Expr* joined(bool is_and, Expr* left, Expr* right) const {
    if (left && right) return build_.plain(is_and ? BinaryOp::kAnd : BinaryOp::kOr, left, right);
    if (!is_and) return nullptr;
    return left ? left : right;
  }

  // As wide as the widest of what is asked: as many to a vector.
  const types::Type* type_of_found() const {
    int bits = 8;
    for (size_t k = 0; k < question_.body.size(); ++k)
      if (question_.needs(k))
        ir::for_each_stmt(Block{question_.body[k]}, [&](const Stmt* s) {
          ir::for_each_expr(s, [&](const Expr* e) { bits = std::max(bits, bits_of(e)); });
        });
    return types::integer(bits, true);
  }
  static int bits_of(const Expr* e) {
    if (e->kind == ExprKind::kElement || e->kind == ExprKind::kLoad) return e->type->bits;
    int bits = e->type->is_float() && !ir::constant(e) ? e->type->bits : 0;
    ir::for_each_operand(e, [&](const Expr* o) { bits = std::max(bits, bits_of(o)); });
    return bits;
  }

  ir::Program& program_;
  const ir::For& loop_;
  const ir::EffectAnalysis& effects_;
  const ir::LocalSet& read_behind_;
  const Flow flow_;
  const bool leaves_;  // turns may not come to pass
  const ir::Builder build_;
  ir::Cloner copier_;  // of what is asked: other names of the index are it
  Question question_{};
  Elements elements_;
  std::vector<ir::Update*> updates_{};  // of what is found
  bool reached_ = true;                 // does every turn come to what follows?
};

}  // namespace

Expr* shifted(const ir::Builder& build, Local* local, int64_t by) {
  Expr* load = build.load(local);
  return by == 0  ? load
         : by > 0 ? build.plain(BinaryOp::kAdd, load, build.integer(by))
                  : build.plain(BinaryOp::kSub, load, build.integer(-by));
}

bool Question::needs(size_t k) const {
  if (body[k]->kind == StmtKind::kUpdate) return true;
  const ir::LocalSet own = ir::assigned_in(body[k]);
  return std::any_of(body.begin() + ptrdiff_t(k) + 1, body.end(), [&](const Stmt* s) {
    bool read = false;
    ir::for_each_local_in(s, [&](const Local* local, ir::Access) { read |= own.contains(local); });
    return read;
  });
}

ir::For* Question::loop(ir::Program& program, Local* index, Block* turn) const {
  const ir::Builder build{program, turn->front()->span};
  auto* asks = build.stmt<ir::For>(index, build.load(first), shifted(build, first, kAsked),
                                   build.integer(1), ir::LoopKind::kSerial, turn);
  asks->simd = true;
  asks->reductions = program.list(std::vector{ir::Reduction{ir::ReduceOp::kOr, found}});
  return asks;
}

std::optional<Question> question_of(ir::Program& program, const ir::For& loop,
                                    const ir::EffectAnalysis& effects,
                                    const ir::LocalSet& read_behind, Inside& inside) {
  return Asked(program, loop, effects, read_behind, inside).make();
}

}  // namespace pyk2cu::emit
