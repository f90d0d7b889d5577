// Ways of walks: see ways.h.
#include "emit/lower/ways.h"

#include <optional>
#include <vector>

#include "emit/lower/interval.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Expr;

namespace {

// Does the variable say where it lies, and is that known without reading an element, by what may be
// computed on either way?
bool is_place(const Expr* e, const ir::Local* local) {
  const auto* element = ir::try_as<ir::Element>(e);
  if (!element || !e->type->is_int()) return false;
  bool known = true;
  ir::for_each_operand(e, [&](const Expr* operand) {
    ir::for_each_subexpr(operand, [&](const Expr* part) {
      const auto* b = ir::try_as<ir::Binary>(part);
      const bool is_sum = !b || b->op <= ir::BinaryOp::kMul ||
                          (b->op >= ir::BinaryOp::kAnd && b->op <= ir::BinaryOp::kXor);
      known = known && is_sum && part->kind != ir::ExprKind::kElement &&
              part->kind != ir::ExprKind::kCall;
    });
    known = known && !ir::has_effect(operand);
  });
  for (const ir::Index& i : element->indices) known = known && !i.check;
  return known && ir::reads(e, local);
}

// Are they the same in memory?
bool are_alike(const Expr* yes, const Expr* no) {
  const types::Type *left = ir::as<ir::Element>(yes)->array->type,
                    *right = ir::as<ir::Element>(no)->array->type;
  return left->elem == right->elem && left->aligned == right->aligned;
}

std::vector<const Expr*> operands(const Expr* e) {
  std::vector<const Expr*> all;
  ir::for_each_operand(e, [&](const Expr* operand) { all.push_back(operand); });
  return all;
}
Expr*& operand(Expr* e, size_t which) {
  std::vector<Expr**> all;
  ir::for_each_operand(e, [&](Expr*& one) { all.push_back(&one); });
  return *all[which];
}

// The one operand in which they differ, of a conversion or the view of a record; none: they differ
// in more, or in what they do with it.
std::optional<size_t> differing(const Expr* yes, const Expr* no) {
  if (yes->kind != no->kind || yes->type != no->type) return std::nullopt;
  const auto *left = ir::try_as<ir::Convert>(yes), *right = ir::try_as<ir::Convert>(no);
  const bool is_alike = left ? left->op == right->op : yes->kind == ir::ExprKind::kView;
  const auto ours = operands(yes), theirs = operands(no);
  if (!is_alike || ours.size() != theirs.size()) return std::nullopt;
  std::optional<size_t> found;
  for (size_t k = 0; k < ours.size(); ++k) {
    if (ir::equal(ours[k], theirs[k])) continue;
    if (found) return std::nullopt;
    found = k;
  }
  return found;
}

// Are they the same but for which place an element is read from, where the variable says?
bool differ_by_place(const Expr* yes, const Expr* no, const ir::Local* local) {
  if (is_place(yes, local) && is_place(no, local)) return are_alike(yes, no);
  const auto which = differing(yes, no);
  return which && differ_by_place(operands(yes)[*which], operands(no)[*which], local);
}

// Two ways on.
struct Ways {
  ir::Local* local;  // where the walk is
  const Expr *condition, *yes, *no;
};

// Of such; null: they differ in what they do with it.
Expr* merged(ir::Program& program, const Ways& ways, const Expr* yes, const Expr* no) {
  ir::Cloner cloner(program);
  if (is_place(yes, ways.local) && is_place(no, ways.local))
    return ir::Builder{program, yes->span}.expr<ir::Select>(
        yes->type, cloner.expr(ways.condition), anywhere(cloner.expr(yes)),
        anywhere(cloner.expr(no)), ir::Choice::kPlace);
  Expr *out = cloner.expr(yes), *other = cloner.expr(no);
  const size_t which = *differing(yes, no);
  Expr* value = merged(program, ways, operand(out, which), operand(other, which));
  operand(out, which) = operand(other, which) = value;
  return value && ir::equal(out, other) ? out : nullptr;
}

// if c: k = left[k]
// else: k = right[k]    or   k = left[k] if c else right[k];   none: it does something else
std::optional<Ways> ways_of(const ir::Stmt& s) {
  if (const auto* a = ir::try_as<ir::Assign>(&s)) {
    const auto* select = ir::try_as<ir::Select>(a->value);
    if (!select || select->choice != ir::Choice::kBranch) return std::nullopt;
    return Ways{a->local, select->condition, select->yes, select->no};
  }
  const auto* branch = ir::try_as<ir::If>(&s);
  if (!branch || branch->body->size() != 1 || branch->orelse->size() != 1) return std::nullopt;
  const auto* yes = ir::try_as<ir::Assign>(branch->body->front());
  const auto* no = ir::try_as<ir::Assign>(branch->orelse->front());
  if (!yes || !no || yes->local != no->local) return std::nullopt;
  return Ways{yes->local, branch->condition, yes->value, no->value};
}

// Of a walk: what lies where it is decides. Where it is itself, or how often it turned, is
// foreseen.
bool is_walk(const Ways& ways) {
  if (ways.local->lanes != 0 || ir::has_effect(ways.condition)) return false;
  bool asks = false;
  ir::for_each_subexpr(ways.condition, [&](const Expr* part) {
    asks = asks || (part->kind == ir::ExprKind::kElement && ir::reads(part, ways.local));
  });
  return asks && differ_by_place(ways.yes, ways.no, ways.local);
}

}  // namespace

bool is_way(const ir::Stmt& s) {
  const auto ways = ways_of(s);
  return ways && is_walk(*ways);
}

ir::Stmt* one_way(ir::Program& program, const ir::Stmt& s) {
  const auto ways = ways_of(s);
  if (!ways || !is_walk(*ways)) return nullptr;
  Expr* value = merged(program, *ways, ways->yes, ways->no);
  return value ? ir::Builder{program, s.span}.assign(ways->local, value) : nullptr;
}

}  // namespace pyk2cu::emit
