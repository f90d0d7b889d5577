// Nodes, temporaries, order of evaluation: see emitter.h.
//
// Tested by tests/unit/typeinfer/{infer_stmt,infer_expr}_test.cpp.
#include "typeinfer/infer/emitter.h"

#include <algorithm>

#include "typeinfer/ir/effects.h"

namespace pyk2cu::infer {

using ir::ExprKind;
using ir::StmtKind;

// ---- nodes -------------------------------------------------------------------------------------

ir::Expr* Emitter::const_int(int64_t v, const Type* type, Span span) {
  return ir::Builder{context_.program(), span}.integer(v, type);
}

ir::Expr* Emitter::const_bool(bool v, Span span) {
  return ir::Builder{context_.program(), span}.boolean(v);
}

ir::Expr* Emitter::const_float(double v, const Type* type, Span span) {
  return ir::Builder{context_.program(), span}.floating(v, type);
}

ir::Expr* Emitter::const_str(std::string_view text, Span span) {
  return ir::Builder{context_.program(), span}.text(text);
}

ir::Expr* Emitter::load(ir::Local* local, Span span) {
  return make(ir::Load{{ExprKind::kLoad, local->type, span}, local});
}

ir::Expr* Emitter::make_tuple(std::vector<ir::Expr*> items, Span span) {
  std::vector<const Type*> item_types;
  for (const ir::Expr* item : items) {
    if (is_error(item)) return error(span);
    item_types.push_back(item->type);
  }
  const Type* type = types::tuple(item_types);
  if (!fits(type->leaves, span)) return error(span);
  return make(ir::Tuple{{ExprKind::kTuple, type, span}, list(std::move(items))});
}

bool Emitter::fits(size_t leaves, Span span) {
  const bool fits = leaves <= types::kMostLeaves;
  if (!fits)
    report(span, diag::TooLarge, "tuple", int(types::kMostLeaves),
           "values, those of the tuples inside included");
  return fits;
}

ir::Expr* Emitter::error(Span span) {
  return make(ir::Const{{ExprKind::kConst, types::error(), span}, {}});
}

// ---- statements and temporaries ----------------------------------------------------------------

ir::Local* Emitter::variable(Symbol name, const Type* type, Span span) {
  ir::Local* local = make(ir::Local{name, ++versions_made_[name], type, span});
  context_.function().locals.push_back(local);
  return local;
}

ir::Local* Emitter::temp(std::string_view stem, const Type* type, Span span) {
  ir::Local* local = variable(Symbol(stem), type, span);
  local->is_temp = true;
  return local;
}

ir::Expr* Emitter::spill(ir::Expr* e, std::string_view stem) {
  if (is_error(e)) return e;
  ir::Local* local = temp(stem, e->type, e->span);
  emit_assign(local, e, e->span);
  return load(local, e->span);
}

ir::Expr* Emitter::once(ir::Expr* e, std::string_view stem) {
  if (is_error(e) || e->kind == ExprKind::kConst || e->kind == ExprKind::kLoad ||
      e->kind == ExprKind::kGlobal || e->kind == ExprKind::kLane)
    return e;
  return spill(e, stem);
}

void Emitter::emit_all(const ir::Block& stmts) {
  block_->insert(block_->end(), stmts.begin(), stmts.end());
}

void Emitter::emit_assign(ir::Local* local, ir::Expr* value, Span span) {
  emit(make(ir::Assign{{StmtKind::kAssign, span}, local, value}));
}

void Emitter::emit_eval(ir::Expr* e) { emit(make(ir::Eval{{StmtKind::kEval, e->span}, e})); }

ir::Expr* Emitter::reclaim(ir::Expr* e) {
  if (!reclaiming_ || e->kind != ExprKind::kLoad || block_->empty()) return e;
  ir::Local* local = ir::as<ir::Load>(e)->local;
  ir::Stmt* last = block_->back();
  if (!local->is_temp || last->kind != StmtKind::kAssign) return e;
  auto* assign = ir::as<ir::Assign>(last);
  const ExprKind kind = assign->value->kind;
  if (assign->local != local ||
      (kind != ExprKind::kCall && kind != ExprKind::kBuiltin && kind != ExprKind::kNewArray))
    return e;
  block_->pop_back();
  std::erase(context_.function().locals, local);
  return assign->value;
}

void Emitter::raise_if(ir::Expr* condition, std::string_view exception, std::string_view message,
                       Span span) {
  if (is_error(condition)) return;
  if (condition->kind == ExprKind::kConst && !ir::as<ir::Const>(condition)->value.integer) return;
  std::vector<ir::Expr*> args;
  if (!message.empty()) args.push_back(const_str(message, span));
  ir::Block* body = into_block([&] {
    emit(make(ir::Raise{{StmtKind::kRaise, span}, Symbol(exception), list(std::move(args))}));
  });
  emit(make(ir::If{{StmtKind::kIf, span}, condition, body, make(ir::Block{})}));
}

// ---- order of evaluation -----------------------------------------------------------------------

namespace {

// Does the statement only check something? Then values computed before it stay what they are.
bool only_checks(const ir::Stmt& s) {
  if (s.kind != StmtKind::kIf) return false;
  const auto& check = *ir::as<ir::If>(&s);
  return check.orelse->empty() && check.body->size() == 1 &&
         check.body->front()->kind == StmtKind::kRaise;
}

// Temps set to something without effects, here or where it is chosen.
bool only_computes(const ir::Stmt& s) {
  if (const auto* choice = ir::try_as<ir::If>(&s)) {
    const auto is_it = [](const ir::Stmt* one) { return only_checks(*one) || only_computes(*one); };
    return std::ranges::all_of(*choice->body, is_it) && std::ranges::all_of(*choice->orelse, is_it);
  }
  const auto* assign = ir::try_as<ir::Assign>(&s);
  return assign && assign->local->is_temp && assign->value->kind != ExprKind::kCall &&
         !ir::has_effect(assign->value);
}

}  // namespace

ir::Expr* Emitter::settle(ir::Expr* e, Mark m) {
  if (is_error(e) || e->kind == ExprKind::kConst || e->kind == ExprKind::kLane || block_ != m.block)
    return e;
  bool effects = false, rebound = false;
  size_t behind = block_->size();
  while (behind > 0 && (*block_)[behind - 1] != m.last) --behind;
  for (size_t i = behind; i < block_->size(); ++i) {
    const ir::Stmt& s = *(*block_)[i];
    if (only_checks(s) || only_computes(s)) continue;
    effects = true;
    if (s.kind == StmtKind::kAssign && e->kind == ExprKind::kLoad)
      rebound |= ir::as<ir::Assign>(&s)->local == ir::as<ir::Load>(e)->local;
    if (s.kind == StmtKind::kIf) rebound = true;
  }
  if (!effects || (e->kind == ExprKind::kLoad && !rebound)) return e;
  ir::Local* local = temp("t", e->type, e->span);
  block_->insert(block_->begin() + int64_t(behind),
                 make(ir::Assign{{StmtKind::kAssign, e->span}, local, e}));
  return load(local, e->span);
}

ir::Stmt* keep_block(Emitter& in, ir::Block* block, Span span) {
  return in.make(
      ir::If{{StmtKind::kIf, span}, in.const_bool(true, span), block, in.make(ir::Block{})});
}

void drop_kept_blocks(ir::Block& body) {
  ir::replace_stmts(body, [](ir::Stmt* s, ir::Block& out) {
    const auto* branch = ir::try_as<ir::If>(s);
    const ir::Const* always = branch ? ir::constant(branch->condition) : nullptr;
    if (!always || !always->value.integer) return false;
    out.insert(out.end(), branch->body->begin(), branch->body->end());
    return true;
  });
}

void insert_before(ir::Block& block, const ir::Stmt* at, const ir::Block& stmts) {
  block.insert(std::find(block.begin(), block.end(), at), stmts.begin(), stmts.end());
}

}  // namespace pyk2cu::infer
