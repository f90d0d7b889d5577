// Before types: see early.h. Tested by tests/run/test_pruning.py.
#include "typeinfer/infer/early.h"

#include <algorithm>

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

std::optional<fold::Value> Early::size(const ast::Expr& e) const {
  const ast::Expr* whole = nullptr;
  const auto* attribute = ast::as<ast::Attribute>(e);
  const auto* call = ast::as<ast::Call>(e);
  if (attribute && attribute->attr.str() == "ndim") whole = attribute->value;
  if (call && call->args.size() == 1) {
    const auto* function = ast::as<ast::Name>(call->func);
    if (function && function->id.str() == "len") whole = call->args[0];
  }
  if (!whole) return std::nullopt;
  const scope::VersionId argument = known_of(*whole).argument;
  if (argument == scope::kNoVersion) return std::nullopt;
  const Operand& what = names_.held(argument).what;
  if (!what.is_value()) return std::nullopt;
  const bool has_rank = what.type()->is_array() || what.type()->is_scalar();
  if (attribute ? !has_rank : !what.type()->is_tuple()) return std::nullopt;
  fold::Value count;
  count.kind = fold::Value::Kind::kInt;
  count.integer = attribute ? what.type()->rank : int64_t(what.type()->items.size());
  return count;
}

Early::Known Early::known_version(scope::VersionId version) const {
  const scope::Version& v = names_.versions().all[version];
  if (v.kind == scope::Version::Kind::kParam) {
    Known known{{}, version, names_.versions().rebound.contains(v.name)};
    if (names_.held(version).what.is<None>()) known.constant = fold::Value{};
    return known;
  }
  const bool by_version = names_.versions().rebound.contains(v.name);
  if (const auto value = names_.versions().values.find(version);
      value != names_.versions().values.end()) {
    Known known = known_of(*value->second);
    known.by_version |= by_version;
    return known;
  }
  // A phi all of whose other ways were dropped before there were phis.
  const scope::VersionId way = joins_.only_way(version);
  if (way == scope::kNoVersion) return {};
  Known known = known_version(way);
  known.by_version = true;
  return known;
}

// What an operand of a condition is: nothing where it is an operation.
Early::Known Early::known_of(const ast::Expr& e) const {
  if (const auto* walrus = ast::as<ast::NamedExpr>(e)) return known_of(*walrus->value);
  if (is_literal(e)) return {fold::fold(e, NoNames{})};
  if (const auto* choice = ast::as<ast::IfExp>(e)) {
    const std::optional<Truth> test = truth(*choice->test, As::kJump);
    if (!test || test->by_version) return {};  // a phi by then
    return known_of(test->is_true ? *choice->body : *choice->orelse);
  }
  if (const auto asked = instance_checks_.find(e.id); asked != instance_checks_.end()) {
    fold::Value outcome;
    outcome.kind = fold::Value::Kind::kBool;
    outcome.integer = asked->second;
    return {outcome};
  }
  const auto* name = ast::as<ast::Name>(e);
  if (!name) return {size(e)};
  const auto read_at = names_.versions().reads.find(name->Node::id);
  if (read_at != names_.versions().reads.end()) return known_version(read_at->second);
  if (names_.versions().locals.contains(name->id)) return {};
  return {fold::fold(e, decorators::ModuleScope(context_.module()))};
}

std::optional<Early::Truth> Early::compare(ast::CompareOperator op, const ast::Expr& left,
                                           const ast::Expr& right) const {
  using Op = ast::CompareOperator;
  if (!context_.by_numba()) return std::nullopt;
  const Known a = known_of(left), b = known_of(right);
  if (!a.constant || !b.constant || op == Op::kNotIn) return std::nullopt;
  const bool by_version = a.by_version || b.by_version;
  const bool identity = op == Op::kIs || op == Op::kIsNot;
  if (!identity && !is_none(*a.constant) && !is_none(*b.constant)) {
    const std::optional<bool> holds = fold::compare(op, *a.constant, *b.constant);
    return holds ? std::optional(Truth{*holds, by_version}) : std::nullopt;
  }
  if (!identity && op != Op::kEq && op != Op::kNotEq) return std::nullopt;
  const std::optional<bool> same = identical(*a.constant, *b.constant);
  if (!same) return std::nullopt;
  return Truth{op == Op::kIs || op == Op::kEq ? *same : !*same, by_version};
}

// `and`, `or` and chains: each operand decides by itself, as CPython's compiler makes jumps of
// them.
std::optional<Early::Truth> Early::jumps(const ast::Expr& e, As as) const {
  const auto* op = ast::as<ast::BoolOp>(e);
  const auto* chain = ast::as<ast::Compare>(e);
  const bool decides = op && op->op == ast::BoolOperator::kOr;
  const size_t count = op ? op->values.size() : chain->ops.size();
  bool all = true, by_version = false;
  std::optional<Truth> decided;
  for (size_t k = 0; k < count; ++k) {
    const std::optional<Truth> one =
        op ? truth(*op->values[k], as)
           : compare(chain->ops[k], k == 0 ? *chain->left : *chain->comparators[k - 1],
                     *chain->comparators[k]);
    if (one && one->is_true == decides && (!decided || decided->by_version)) decided = one;
    if (!one && !decided && chain && as == As::kValue) return std::nullopt;
    all = all && one;
    by_version |= one && one->by_version;
  }
  if (decided) return decided;
  return all ? std::optional(Truth{!decides, by_version}) : std::nullopt;
}

// `not x in y` is `x not in y` to CPython's compiler; both ways round.
std::optional<Early::Truth> Early::negated(const ast::Expr& operand) const {
  using Op = ast::CompareOperator;
  const auto* comparison = ast::as<ast::Compare>(operand);
  const bool one = comparison && comparison->ops.size() == 1;
  if (one && (comparison->ops[0] == Op::kIn || comparison->ops[0] == Op::kNotIn))
    return compare(comparison->ops[0] == Op::kIn ? Op::kNotIn : Op::kIn, *comparison->left,
                   *comparison->comparators[0]);
  const std::optional<Truth> outcome = truth(operand, As::kJump);
  return outcome ? std::optional(Truth{!outcome->is_true, outcome->by_version}) : std::nullopt;
}

// The operation or comparison that a name stands for: `k = n > 2`.
const ast::Expr* Early::operation(const ast::Expr& name) const {
  const auto* of = ast::as<ast::Name>(name);
  if (!of) return nullptr;
  const scope::Versions& versions = names_.versions();
  const auto read_at = versions.reads.find(of->Node::id);
  if (read_at == versions.reads.end()) return nullptr;
  const auto value = versions.values.find(read_at->second);
  if (value == versions.values.end()) return nullptr;
  const ast::Expr* e = value->second;
  return ast::is<ast::Compare>(e) || (ast::is<ast::BinOp>(e) && !is_literal(*e)) ? e : nullptr;
}

std::optional<Early::Truth> Early::truth(const ast::Expr& e, As as) const {
  if (!context_.by_numba()) return std::nullopt;
  if (ast::is<ast::BoolOp>(e) || ast::is<ast::Compare>(e)) return jumps(e, as);
  if (const ast::Expr* assigned = operation(e)) {
    std::optional<Truth> found = truth(*assigned, As::kValue);
    if (found) found->by_version |= names_.versions().rebound.contains(ast::as<ast::Name>(e)->id);
    return found;
  }
  const auto* unary = ast::as<ast::UnaryOp>(e);
  if (unary && unary->op == ast::UnaryOperator::kNot && as == As::kJump && !is_literal(e))
    return negated(*unary->operand);
  if (is_literal_tuple(e)) return Truth{!ast::as<ast::Tuple>(e)->elts.empty(), false};
  Known known = known_of(e);
  if (const auto* operation = ast::as<ast::BinOp>(e); operation && !is_literal(e)) {
    const Known a = known_of(*operation->left), b = known_of(*operation->right);
    if (!a.constant || !b.constant) return std::nullopt;
    known.constant = fold::binary(operation->op, *a.constant, *b.constant);
    known.by_version = a.by_version || b.by_version;
  }
  if (!known.constant || known.argument != scope::kNoVersion) return std::nullopt;
  const std::optional<bool> is_true = fold::truth(*known.constant);
  return is_true ? std::optional(Truth{*is_true, known.by_version}) : std::nullopt;
}

}  // namespace pyk2cu::infer
