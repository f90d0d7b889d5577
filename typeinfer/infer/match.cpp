// match statements: value, singleton, or-, capture, wildcard and fixed-length sequence patterns
// become a chain of ifs.
//
//   match x: case 1: A; case 2 | 3: B; case _: C   ->   if (x == 1) A else if (x == 2 or x == 3) B
//   else C
// In, out: statements.h. Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include <algorithm>

#include "typeinfer/infer/statements.h"

namespace pyk2cu::infer {

using ir::ExprKind;
using ir::StmtKind;

namespace {

bool binds(const ast::Node& pattern) {
  if (const auto* as = ast::as<ast::MatchAs>(pattern); as && as->name) return true;
  bool any = false;
  ast::for_each_child(pattern, [&](const ast::Node& child) { any = any || binds(child); });
  return any;
}

std::vector<Operand> sequence_items(Emitter& in, const Operand& subject, Span span) {
  if (subject.is<Pack>()) return subject.as<Pack>().parts;
  std::vector<Operand> items;
  if (!subject.is_value()) return items;
  for (size_t k = 0; k < subject.type()->items.size(); ++k)
    items.push_back(to_operand(tuple_item(in, subject.value(), int(k), span)));
  return items;
}

// Does the subject match? Bindings are made by bind_pattern, once it does.
ir::Expr* matches(Expressions& expressions, const ast::Pattern& pattern, const Operand& subject) {
  Emitter& in = expressions.emitter();
  if (const auto* value = ast::as<ast::MatchValue>(pattern))
    return compare(in, ast::CompareOperator::kEq, subject, expressions.operand(*value->value),
                   pattern.span);
  if (const auto* single = ast::as<ast::MatchSingleton>(pattern)) {
    Operand literal{None{}};
    if (single->value.tag == ast::ConstantValue::kBool)
      literal = to_operand(in.const_bool(single->value.boolean, pattern.span));
    return compare(in, ast::CompareOperator::kIs, subject, literal, pattern.span);
  }
  if (const auto* as = ast::as<ast::MatchAs>(pattern))
    return as->pattern ? matches(expressions, *as->pattern, subject)
                       : in.const_bool(true, pattern.span);
  if (const auto* either = ast::as<ast::MatchOr>(pattern)) {
    ir::Expr* any = in.const_bool(false, pattern.span);
    for (const ast::Pattern* p : either->patterns)
      any = logical(in, false, any, matches(expressions, *p, subject), pattern.span);
    return any;
  }
  const auto* sequence = ast::as<ast::MatchSequence>(pattern);
  const bool tuple = subject.is<Pack>() || (subject.is_value() && subject.type()->is_tuple());
  const bool star =
      sequence && std::any_of(sequence->patterns.begin(), sequence->patterns.end(),
                              [](const ast::Pattern* p) { return ast::is<ast::MatchStar>(p); });
  if (!sequence || star || !tuple) {
    in.not_supported(pattern.span, "this pattern",
                     "supported are literals, names, `_`, `|` and tuples of them");
    return in.error(pattern.span);
  }
  const std::vector<Operand> items = sequence_items(in, subject, pattern.span);
  if (items.size() != sequence->patterns.size()) return in.const_bool(false, pattern.span);
  ir::Expr* all = in.const_bool(true, pattern.span);
  for (size_t k = 0; k < items.size(); ++k)
    all = logical(in, true, all, matches(expressions, *sequence->patterns[k], items[k]),
                  pattern.span);
  return all;
}

void bind_pattern(Expressions& expressions, const ast::Pattern& pattern, const Operand& subject) {
  if (const auto* as = ast::as<ast::MatchAs>(pattern)) {
    if (as->pattern) bind_pattern(expressions, *as->pattern, subject);
    if (as->name) expressions.names().bind(*as, as->name, subject, pattern.span);
    return;
  }
  const auto* sequence = ast::as<ast::MatchSequence>(pattern);
  if (!sequence || subject.is_error()) return;
  const std::vector<Operand> items = sequence_items(expressions.emitter(), subject, pattern.span);
  for (size_t k = 0; k < items.size() && k < sequence->patterns.size(); ++k)
    bind_pattern(expressions, *sequence->patterns[k], items[k]);
}

void match_case(Statements& statements, const ast::Match& s, size_t k, const Operand& subject) {
  Expressions& in = statements.expressions();
  Emitter& out = in.emitter();
  if (k == s.cases.size()) return in.joins().edge(scope::edge_key(s, scope::kNoCase));
  const ast::MatchCase& c = *s.cases[k];
  ir::Expr* test = matches(in, *c.pattern, subject);
  const bool sure = test->kind == ExprKind::kConst && !is_error(test);
  if (sure && !ir::as<ir::Const>(test)->value.integer)
    return match_case(statements, s, k + 1, subject);
  const bool bound_early = sure && c.guard;
  if (c.guard) {
    if (bound_early) bind_pattern(in, *c.pattern, subject);
    if (!bound_early && binds(*c.pattern))
      return out.not_supported(c.guard->span, "a guard on this pattern", "test inside of the case");
    const Emitter::Mark m = out.mark();
    ir::Expr* guard = in.condition(*c.guard);
    if (!sure && out.mark() != m)
      return out.not_supported(c.guard->span, "a call in a guard", "test inside of the case");
    test = logical(out, true, test, guard, c.guard->span);
  }
  const auto chosen = [&] {
    if (!bound_early) bind_pattern(in, *c.pattern, subject);
    statements.walk(c.body);
    in.joins().edge(scope::edge_key(s, int(std::min<size_t>(k, scope::kNoCase - 1))));
  };
  // In place: the edge's copies go to the block that it ends.
  if (test->kind == ExprKind::kConst && !is_error(test) && ir::as<ir::Const>(test)->value.integer)
    return chosen();
  ir::Block* body = out.into_block(chosen);
  const bool body_ends = in.joins().set_reachable(true);
  ir::Block* orelse = out.into_block([&] { match_case(statements, s, k + 1, subject); });
  if (body_ends) in.joins().set_reachable(true);
  out.emit(out.make(ir::If{{StmtKind::kIf, c.pattern->span}, test, body, orelse}));
}

}  // namespace

void match(Statements& statements, const ast::Match& s) {
  Expressions& in = statements.expressions();
  Operand subject = in.operand(*s.subject);
  if (subject.is_value() && subject.value()->kind != ExprKind::kTuple)
    subject.set_value(in.emitter().once(subject.value(), "subject"));
  match_case(statements, s, 0, subject);
  in.joins().join(s);
}

}  // namespace pyk2cu::infer
