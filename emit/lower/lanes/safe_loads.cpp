// Safe loads: see safe_loads.h.
//
// A subscript is looked at as a sum of the index, of variables of loops that all lanes turn alike,
// and of what does not change; conditions count where lanes have them in common. Tested by
// tests/golden/gangs and tests/run/test_borders.py.
#include "emit/lower/lanes/safe_loads.h"

#include <algorithm>

#include "emit/lower/iterations.h"
#include "emit/lower/wraps.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

class SafeLoads {
 public:
  SafeLoads(ir::Program& program, const Extents& extents, const Block& body, const Gang& gang,
            const Shape& shape)
      : program_(program),
        gang_(gang),
        shape_(shape),
        sums_(program, extents, ir::assigned_in(body)),
        times_(ir::count_assignments(body)) {}

  bool run(Block& body, const ir::For& loop, const Outside& outside) {
    const Limits& limits = outside.limits;
    for (Expr* e : limits.small) sums_.call_small(e);
    for (ir::For* around : outside.around) range(around->index, *around);
    const int term = range(gang_.index, loop);
    if (term < 0) return false;
    bool from = sums_.term(term).is_small, below = from;
    for (Expr* limit : limits.from) from = sums_.know_limit(term, limit, true) || from;
    for (Expr* limit : limits.below) below = sums_.know_limit(term, limit, false) || below;
    sums_.term(term).is_small = from && below;
    block(body);
    return has_copied_;
  }

 private:
  int range(Local* index, const ir::For& loop) {
    const bool down = loop.form == ir::LoopForm::kDown && ir::is_int_const(loop.step, -1) &&
                      index->type == types::int64();
    const int term = down || counts_by_one(loop) ? sums_.add_variable(index) : -1;
    if (term >= 0 && down)
      sums_.know_range(term, one_more(loop.hi), one_more(loop.lo));
    else if (term >= 0)
      sums_.know_range(term, loop.lo, loop.hi);
    return term;
  }

  Expr* one_more(Expr* e) const {
    const ir::Builder b{program_, e->span};
    const ir::Const* c = ir::constant(e);
    return c ? b.integer(c->value.integer + 1) : b.plain(ir::BinaryOp::kAdd, e, b.integer(1));
  }

  void block(Block& b) {
    const Sums::Scope scope = sums_.open();
    for (Stmt* s : b) stmt(s);
    sums_.close(scope);
    join(b);
  }

  // Branches that all lanes take alike, by one condition.
  void join(Block& b) const {
    Block out;
    for (Stmt* s : b) {
      auto* branch = ir::try_as<ir::If>(s);
      auto* last = out.empty() ? nullptr : ir::try_as<ir::If>(out.back());
      const bool again = branch && last && !shape_.varies(branch->condition) &&
                         !ir::reads_memory(branch->condition) &&
                         !ir::has_effect(branch->condition) &&
                         ir::equal(branch->condition, last->condition) &&
                         !ir::reads_any(branch->condition, ir::assigned_in(*last->body)) &&
                         !ir::reads_any(branch->condition, ir::assigned_in(*last->orelse));
      if (!again) {
        out.push_back(s);
        continue;
      }
      add(*last->body, *branch->body);
      add(*last->orelse, *branch->orelse);
    }
    b = std::move(out);
  }
  // But what would only be said again.
  static void add(Block& to, const Block& from) {
    for (Stmt* s : from) {
      const auto* a = ir::try_as<ir::Assign>(s);
      const auto* last = to.empty() ? nullptr : ir::try_as<ir::Assign>(to.back());
      const bool again = a && last && a->local == last->local && ir::constant(a->value) &&
                         ir::equal(a->value, last->value);
      if (!again) to.push_back(s);
    }
  }

  void stmt(Stmt* s) {
    if (auto* branch = ir::try_as<ir::If>(s)) return this->branch(*branch);
    ir::for_each_expr(s,
                      [&](Expr* e) { ir::for_each_subexpr(e, [&](Expr* part) { load(part); }); });
    if (parted_ == 0 && !ir::is_loop(s)) ir::for_each_expr(s, [&](Expr* e) { load_of_all(e); });
    if (const auto* a = ir::try_as<ir::Assign>(s); a && parted_ == 0 && times_.at(a->local) == 1)
      if (const auto value = sums_.of(a->value)) sums_.name(a->local, *value, a->value);
    const bool parts = shape_.turns(s).varying;
    const Sums::Scope scope = sums_.open();
    if (auto* loop = ir::try_as<ir::For>(s); loop && !parts) range(loop->index, *loop);
    parted_ += ir::is_loop(s) && shape_.turns(s).part();
    ir::for_each_block(s, [&](Block& inner) { block(inner); });
    parted_ -= ir::is_loop(s) && shape_.turns(s).part();
    sums_.close(scope);
  }

  void branch(ir::If& s) {
    const ir::Builder b{program_, s.span};
    const auto* both = ir::try_as<ir::Logical>(s.condition);
    if (both && both->is_and && s.orelse->empty() && !shape_.varies(both->left)) {
      s.body = b.block({b.if_(both->right, s.body)});
      s.condition = both->left;
    }
    if (both && !both->is_and && is_short(*s.body) && !shape_.varies(both->left) &&
        needs_guard(both->right)) {
      has_copied_ = true;
      s.orelse = b.block({b.if_(both->right, ir::Cloner(program_).block(*s.body), s.orelse)});
      s.condition = both->left;
    }
    ir::for_each_subexpr(s.condition, [&](Expr* part) { load(part); });
    if (parted_ == 0) load_of_all(s.condition);
    const bool parts = shape_.varies(s.condition);
    parted_ += parts;
    const Sums::Scope scope = sums_.open();
    if (!parts) sums_.know_condition(s.condition);
    block(*s.body);
    sums_.close(scope);
    block(*s.orelse);
    parted_ -= parts;
  }

  // Loads that lanes must not do, side by side: C++ compilers make no vectors of such a condition.
  bool needs_guard(const Expr* e) {
    bool found = false;
    ir::for_each_subexpr(e, [&](const Expr* part) {
      const auto* element = ir::try_as<ir::Element>(part);
      found = found || (element && shape_.varies(element) && !sums_.is_inside(*element));
    });
    return found;
  }

  // So that it may stand there twice.
  static bool is_short(const Block& b) {
    return b.size() <= 2 && std::ranges::all_of(b, [](const Stmt* s) {
             return s->kind == ir::StmtKind::kAssign || s->kind == ir::StmtKind::kUpdate ||
                    s->kind == ir::StmtKind::kStore;
           });
  }

  void load(Expr* e) {
    auto* element = ir::try_as<ir::Element>(e);
    if (element && sums_.is_inside(*element)) element->is_safe = true;
  }

  // What the statement evaluates in any case: not one side of a choice.
  void load_of_all(Expr* e) {
    auto* element = ir::try_as<ir::Element>(e);
    if (element && is_of_all(gang_, shape_, element->indices)) element->is_safe = true;
    const bool chooses = e->kind == ir::ExprKind::kSelect || e->kind == ir::ExprKind::kLogical;
    bool first = true;
    ir::for_each_operand(e, [&](Expr* operand) {
      if (first || !chooses) load_of_all(operand);
      first = false;
    });
  }

  ir::Program& program_;
  const Gang& gang_;
  const Shape& shape_;
  Sums sums_;
  const std::unordered_map<const Local*, int> times_;  // that the body assigns it
  bool has_copied_ = false;
  int parted_ = 0;  // branches and loops around that lanes part at
};

constexpr size_t kMostAsked = 3;  // conditions

// Elements under conditions that part the lanes.
class Asked {
 public:
  Asked(ir::Program& program, const Block& body, const Gang& gang, const ir::For& loop,
        const Shape& shape)
      : build_{program, loop.span}, body_(body), gang_(gang), loop_(loop), shape_(shape) {}

  Expr* run(Block& body) {
    block(body, false);
    if (safe_.empty()) return nullptr;
    const std::vector<Expr*> asked = are_there(build_, loop_, gang_.index, body_, safe_);
    if (asked.size() > kMostAsked) return nullptr;
    for (ir::Element* element : safe_) element->is_safe = true;
    Expr* all = nullptr;
    for (Expr* e : asked) all = all ? build_.logical(true, all, e) : e;
    return all;
  }

 private:
  void block(Block& b, bool parted) {
    for (Stmt* s : b) {
      ir::for_each_expr(s, [&](Expr* e) { expr(e, parted); });
      const auto* branch = ir::try_as<ir::If>(s);
      const bool parts = branch && shape_.varies(branch->condition);
      if (!ir::is_loop(s))
        ir::for_each_block(s, [&](Block& inner) { block(inner, parted || parts); });
    }
  }

  void expr(Expr* e, bool parted) {
    auto* element = ir::try_as<ir::Element>(e);
    if (element && parted && !element->is_safe) safe_.push_back(element);
    const bool chooses = e->kind == ir::ExprKind::kSelect || e->kind == ir::ExprKind::kLogical;
    bool first = true;
    ir::for_each_operand(e, [&](Expr* operand) {
      expr(operand, parted || (chooses && !first));
      first = false;
    });
  }

  const ir::Builder build_;
  const Block& body_;
  const Gang& gang_;
  const ir::For& loop_;
  const Shape& shape_;
  std::vector<ir::Element*> safe_{};
};

}  // namespace

bool mark_safe_loads(ir::Program& program, Block& body, const Gang& gang, const ir::For& loop,
                     const Outside& outside, const Shape& shape) {
  return outside.extents &&
         SafeLoads(program, *outside.extents, body, gang, shape).run(body, loop, outside);
}

Expr* ask_safe_loads(ir::Program& program, Block& body, const Gang& gang, const ir::For& loop,
                     const Shape& shape) {
  return Asked(program, body, gang, loop, shape).run(body);
}

}  // namespace pyk2cu::emit
