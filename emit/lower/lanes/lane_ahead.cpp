// What lanes compute ahead of a statement: what has no form inside of it; angles, divisions and
// powers of all lanes at once. Tested by tests/golden/gangs.
#include <algorithm>

#include "emit/lower/interval.h"
#include "emit/lower/lanes/forms.h"
#include "emit/lower/lanes/lane_code.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

// What has no form becomes a local that is computed lane by lane.
void LaneCode::extract(Expr*& e, Local* mask, bool sure) {
  if (!shape_.varies(e)) {
    if (runs_.made(e))
      ir::for_each_operand(e, [&](Expr*& operand) { extract(operand, mask, false); });
    else
      take_uniform(e, mask, sure);
    return;
  }
  if (take_index(e)) return;
  if (!has_form(e)) {
    const ir::Builder b{program_, e->span};
    f_.locals.push_back(b.temp("value", e->type));
    Local* value = f_.locals.back();
    Stmt* s = b.assign(value, e);
    const bool guarded = is_guarded(e), counted = is_counted(e, mask);
    auto* made = ir::as<ir::Assign>(s);
    adapt(made->value, (!mask && !guarded) || !sure);
    if (mask) made->value = b.expr<ir::Select>(e->type, b.load(mask), made->value, b.zero(e->type));
    runs_.add(s, Run::kScalar, counted);
    e = b.load(value);
    return;
  }
  auto* call = ir::try_as<ir::Builtin>(e);
  if (call && !gang_.forms.libm && is_of_angle(*call) && (sure || !is_guarded(call->args[0])))
    return extract_angle(*call, e, mask, sure);
  auto* binary = ir::try_as<ir::Binary>(e);
  if (binary && (divides_all(*binary, gang_.forms) || raises_all(*binary)) &&
      (sure || (!is_guarded(binary->left) && !is_guarded(binary->right))))
    return extract_division(*binary, e, mask, sure);
  // Of these the first operand alone is evaluated whatever its value is.
  const bool chooses = e->kind == ExprKind::kSelect || e->kind == ExprKind::kLogical;
  bool first = true;
  ir::for_each_operand(e, [&](Expr*& operand) {
    extract(operand, mask, sure && (first || !chooses));
    first = false;
  });
}

// e becomes a local of lanes, of dead ones too.
Local* LaneCode::keep(Expr*& e, std::string_view name, Local* mask, bool sure) {
  const ir::Builder b{program_, e->span};
  Local* known = ir::loaded(e);
  if (known && known != gang_.index && (shape_.varies(e) || runs_.made(e))) return known;
  f_.locals.push_back(b.temp(name, e->type));
  Local* kept = f_.locals.back();
  const bool guarded = is_guarded(e), counted = is_counted(e, mask);
  adapt(e, (!mask && !guarded) || !sure);
  if (mask) e = b.expr<ir::Select>(e->type, b.load(mask), e, b.zero(e->type));
  runs_.add(b.assign(kept, e), Run::kVector, counted);
  e = b.load(kept);
  return kept;
}

Local* Ahead::find(const Expr* e) const {
  const auto known =
      std::ranges::find_if(all_, [&](const auto& one) { return ir::equal(one.first, e); });
  return known == all_.end() ? nullptr : known->second;
}

// The expression for all lanes at once.
Local* LaneCode::put_ahead(const Expr* source, Expr* e, std::string_view name) {
  const ir::Builder b{program_, e->span};
  f_.locals.push_back(b.temp(name, e->type));
  Local* value = f_.locals.back();
  runs_.put(b.stmt<ir::Each>(value, e));
  ahead_.add(source, value);
  return value;
}

// a // b   ->   value[k] = a, other[k] = b, in a run;  floordiv(value, other, quotient), of all
// lanes;  quotient[k]; a % b and a ** b likewise
void LaneCode::extract_division(ir::Binary& division, Expr*& e, Local* mask, bool sure) {
  const ir::Builder b{program_, e->span};
  Local* value = ahead_.find(e);
  if (!value) {
    const Expr* source = ir::Cloner(program_).expr(e);
    for (Expr** operand : {&division.left, &division.right}) {
      extract(*operand, mask, sure);
      const bool alike = !shape_.varies(*operand) && !runs_.made(*operand);
      if (!alike || is_guarded(*operand)) keep(*operand, "value", mask, sure);
      if (alike && !sure) anywhere(*operand);
    }
    division.natural = division.plain = false;
    value = put_ahead(source, e,
                      division.op == BinaryOp::kPow        ? "power"
                      : division.op == BinaryOp::kFloorDiv ? "quotient"
                                                           : "rest");
  }
  e = b.load(value);
}

// sin(e)   ->   angle[k] = e, in a run;  sin(angle, value), of all lanes;  value[k]
void LaneCode::extract_angle(ir::Builtin& call, Expr*& e, Local* mask, bool sure) {
  const ir::Builder b{program_, e->span};
  Local* value = ahead_.find(e);
  if (!value) {
    const Expr* source = ir::Cloner(program_).expr(e);
    Expr*& angle = call.args[0];
    Local* kept = ahead_.find(angle);
    if (!kept) {
      const Expr* of = ir::Cloner(program_).expr(angle);
      extract(angle, mask, sure);  // which may hold others
      kept = keep(angle, "angle", mask, sure);
      ahead_.add(of, kept);
    }
    angle = b.load(kept);
    using builtins::Id;
    const Id id = call.row->lanes;
    value = put_ahead(source, e,
                      id == Id::lanes_sin   ? "sine"
                      : id == Id::lanes_cos ? "cosine"
                                            : "tangent");
  }
  e = b.load(value);
}

}  // namespace pyk2cu::emit
