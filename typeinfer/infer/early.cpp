// What Numba knows of a condition before it infers types: it drops branches by that, and types the
// others, also those that merely fold.
//
//   n = 3; if n > 2:        dropped: both sides are a literal, a constant of the module, or a name
//                           that one was assigned to; `if FLAGS & 4:`, `if DEBUG:` likewise
//   if n + 1 > 2:           typed: a side is an operation
//   def f(x=None): if x is None:       dropped when x has the type of None, else typed
//   if a.ndim == 2:         dropped: the rank of an argument, and len() of a tuple, are constants
//   if isinstance(x, int):  dropped: Numba infers as far as that first
//
// In:   conditions as they stand in the text, the versions that names see.  Out: truths, or
// nothing. Other rules than Numba's drop whatever folds. Tested by tests/run/test_pruning.py.
#include <algorithm>

#include "typeinfer/infer/infer.h"

namespace pyk2cu::infer {

namespace {

struct NoNames : fold::Scope {
  const fold::Value* find(Symbol) const override { return nullptr; }
  std::string qualified(Symbol) const override { return {}; }
};

// Made of literals and operators only: one constant for CPython's compiler.
bool is_literal(const ast::Expr& e) {
  if (ast::is<ast::Constant>(e)) return true;
  if (const auto* u = ast::as<ast::UnaryOp>(e)) return is_literal(*u->operand);
  const auto* b = ast::as<ast::BinOp>(e);
  return b && is_literal(*b->left) && is_literal(*b->right);
}

// `if (1, 2):` CPython decides; elsewhere Numba makes a tuple of it.
bool is_literal_tuple(const ast::Expr& e) {
  const auto* tuple = ast::as<ast::Tuple>(e);
  return tuple && std::all_of(tuple->elts.begin(), tuple->elts.end(), [](const ast::Expr* item) {
           return is_literal(*item) || is_literal_tuple(*item);
         });
}

bool is_none(const fold::Value& v) { return v.kind == fold::Value::Kind::kNone; }

// `3 is 3`: small integers and the like are one object.
std::optional<bool> identical(const fold::Value& a, const fold::Value& b) {
  using Kind = fold::Value::Kind;
  if (is_none(a) || is_none(b)) return is_none(a) && is_none(b);
  const auto whole = [](const fold::Value& v) {
    return (v.kind == Kind::kInt || v.kind == Kind::kBool) && !v.type;
  };
  if (!whole(a) || !whole(b)) return std::nullopt;
  if (a.kind != b.kind || a.integer != b.integer) return false;
  return a.integer >= -5 && a.integer <= 256 ? std::optional(true) : std::nullopt;
}

}  // namespace

std::optional<fold::Value> Infer::early_size(const ast::Expr& e) const {
  const ast::Expr* whole = nullptr;
  const auto* attribute = ast::as<ast::Attribute>(e);
  const auto* call = ast::as<ast::Call>(e);
  if (attribute && attribute->attr.str() == "ndim") whole = attribute->value;
  if (call && call->args.size() == 1) {
    const auto* function = ast::as<ast::Name>(call->func);
    if (function && function->id.str() == "len") whole = call->args[0];
  }
  if (!whole) return std::nullopt;
  const scope::VersionId argument = early(*whole).argument;
  if (argument == scope::kNoVersion) return std::nullopt;
  const Operand& what = held_[argument].what;
  if (!what.is_value()) return std::nullopt;
  if (attribute ? !what.type()->is_array() : !what.type()->is_tuple()) return std::nullopt;
  fold::Value size;
  size.kind = fold::Value::Kind::kInt;
  size.integer = attribute ? what.type()->rank : int64_t(what.type()->items.size());
  return size;
}

Infer::Early Infer::early_version(scope::VersionId version) const {
  const scope::Version& v = versions_->all[version];
  if (v.kind == scope::Version::Kind::kParam) {
    Early known{{}, version, versions_->rebound.contains(v.name)};
    if (held_[version].what.is<None>()) known.constant = fold::Value{};
    return known;
  }
  const bool by_version = versions_->rebound.contains(v.name);
  if (const auto value = versions_->values.find(version); value != versions_->values.end()) {
    Early known = early(*value->second);
    known.by_version |= by_version;
    return known;
  }
  // A phi all of whose other ways were dropped before there were phis.
  const auto way = only_way_.find(version);
  if (way == only_way_.end()) return {};
  Early known = early_version(way->second);
  known.by_version = true;
  return known;
}

// What an operand of a condition is: nothing where it is an operation.
Infer::Early Infer::early(const ast::Expr& e) const {
  if (const auto* walrus = ast::as<ast::NamedExpr>(e)) return early(*walrus->value);
  if (is_literal(e)) return {fold::fold(e, NoNames{})};
  if (const auto* choice = ast::as<ast::IfExp>(e)) {
    const std::optional<EarlyTruth> test = early_truth(*choice->test, As::kJump);
    if (!test || test->by_version) return {};  // a phi by then
    return early(test->is_true ? *choice->body : *choice->orelse);
  }
  if (const auto asked = instance_checks_.find(e.id); asked != instance_checks_.end()) {
    fold::Value outcome;
    outcome.kind = fold::Value::Kind::kBool;
    outcome.integer = asked->second;
    return {outcome};
  }
  const auto* name = ast::as<ast::Name>(e);
  if (!name) return {early_size(e)};
  const auto read_at = versions_->reads.find(name->Node::id);
  if (read_at != versions_->reads.end()) return early_version(read_at->second);
  if (versions_->locals.contains(name->id)) return {};
  return {fold::fold(e, decorators::ModuleScope(module()))};
}

std::optional<Infer::EarlyTruth> Infer::early_compare(ast::CompareOperator op,
                                                      const ast::Expr& left,
                                                      const ast::Expr& right) const {
  using Op = ast::CompareOperator;
  if (dialect().rules != types::Rules::kNumba) return std::nullopt;
  const Early a = early(left), b = early(right);
  if (!a.constant || !b.constant || op == Op::kNotIn) return std::nullopt;
  const bool by_version = a.by_version || b.by_version;
  const bool identity = op == Op::kIs || op == Op::kIsNot;
  if (!identity && !is_none(*a.constant) && !is_none(*b.constant)) {
    const std::optional<bool> holds = fold::compare(op, *a.constant, *b.constant);
    return holds ? std::optional(EarlyTruth{*holds, by_version}) : std::nullopt;
  }
  if (!identity && op != Op::kEq && op != Op::kNotEq) return std::nullopt;
  const std::optional<bool> same = identical(*a.constant, *b.constant);
  if (!same) return std::nullopt;
  return EarlyTruth{op == Op::kIs || op == Op::kEq ? *same : !*same, by_version};
}

// `and`, `or` and chains: each operand decides by itself, as CPython's compiler makes jumps of
// them.
std::optional<Infer::EarlyTruth> Infer::early_jumps(const ast::Expr& e, As as) const {
  const auto* op = ast::as<ast::BoolOp>(e);
  const auto* chain = ast::as<ast::Compare>(e);
  const bool decides = op && op->op == ast::BoolOperator::kOr;
  const size_t count = op ? op->values.size() : chain->ops.size();
  bool all = true, by_version = false;
  std::optional<EarlyTruth> decided;
  for (size_t k = 0; k < count; ++k) {
    const std::optional<EarlyTruth> one =
        op ? early_truth(*op->values[k], as)
           : early_compare(chain->ops[k], k == 0 ? *chain->left : *chain->comparators[k - 1],
                           *chain->comparators[k]);
    if (one && one->is_true == decides && (!decided || decided->by_version)) decided = one;
    if (!one && !decided && chain && as == As::kValue) return std::nullopt;
    all = all && one;
    by_version |= one && one->by_version;
  }
  if (decided) return decided;
  return all ? std::optional(EarlyTruth{!decides, by_version}) : std::nullopt;
}

// `not x in y` is `x not in y` to CPython's compiler; both ways round.
std::optional<Infer::EarlyTruth> Infer::early_not(const ast::Expr& operand) const {
  using Op = ast::CompareOperator;
  const auto* compare = ast::as<ast::Compare>(operand);
  const bool one = compare && compare->ops.size() == 1;
  if (one && (compare->ops[0] == Op::kIn || compare->ops[0] == Op::kNotIn))
    return early_compare(compare->ops[0] == Op::kIn ? Op::kNotIn : Op::kIn, *compare->left,
                         *compare->comparators[0]);
  const std::optional<EarlyTruth> truth = early_truth(operand, As::kJump);
  return truth ? std::optional(EarlyTruth{!truth->is_true, truth->by_version}) : std::nullopt;
}

std::optional<Infer::EarlyTruth> Infer::early_truth(const ast::Expr& e, As as) const {
  if (dialect().rules != types::Rules::kNumba) return std::nullopt;
  if (ast::is<ast::BoolOp>(e) || ast::is<ast::Compare>(e)) return early_jumps(e, as);
  const auto* unary = ast::as<ast::UnaryOp>(e);
  if (unary && unary->op == ast::UnaryOperator::kNot && as == As::kJump && !is_literal(e))
    return early_not(*unary->operand);
  if (is_literal_tuple(e)) return EarlyTruth{!ast::as<ast::Tuple>(e)->elts.empty(), false};
  Early known = early(e);
  if (const auto* operation = ast::as<ast::BinOp>(e); operation && !is_literal(e)) {
    const Early a = early(*operation->left), b = early(*operation->right);
    if (!a.constant || !b.constant) return std::nullopt;
    known.constant = fold::binary(operation->op, *a.constant, *b.constant);
    known.by_version = a.by_version || b.by_version;
  }
  if (!known.constant || known.argument != scope::kNoVersion) return std::nullopt;
  const std::optional<bool> truth = fold::truth(*known.constant);
  return truth ? std::optional(EarlyTruth{*truth, known.by_version}) : std::nullopt;
}

ir::Expr* Infer::folded_late(ir::Expr* condition) {
  if (dialect().rules != types::Rules::kNumba || is_error(condition) ||
      condition->kind != ir::ExprKind::kConst)
    return condition;
  ir::Expr* value =
      const_int(ir::as<ir::Const>(condition)->value.integer != 0, types::int64(), condition->span);
  return make(ir::Compare{{ir::ExprKind::kCompare, types::boolean(), condition->span},
                          types::CompareOp::kNe,
                          value,
                          const_int(0, types::int64(), condition->span)});
}

}  // namespace pyk2cu::infer
