// match statements: value, singleton, or-, capture, wildcard and fixed-length sequence patterns
// become a chain of ifs.
//
//   match x: case 1: A; case 2 | 3: B; case _: C   ->   if (x == 1) A else if (x == 2 or x == 3) B
//   else C
// In, out: infer.h. Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include <algorithm>

#include "typeinfer/infer/infer.h"

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

}  // namespace

std::vector<Operand> Infer::sequence_items(const Operand& subject, Span span) {
  if (subject.is<Pack>()) return subject.as<Pack>().parts;
  std::vector<Operand> items;
  if (!subject.is_value()) return items;
  for (size_t k = 0; k < subject.type()->items.size(); ++k)
    items.push_back(to_operand(tuple_item(subject.value(), int(k), span)));
  return items;
}

// Does the subject match? Bindings are made by bind_pattern, once it does.
ir::Expr* Infer::matches(const ast::Pattern& pattern, const Operand& subject) {
  if (const auto* value = ast::as<ast::MatchValue>(pattern))
    return compare(ast::CompareOperator::kEq, subject, operand(*value->value), pattern.span);
  if (const auto* single = ast::as<ast::MatchSingleton>(pattern)) {
    Operand literal{None{}};
    if (single->value.tag == ast::ConstantValue::kBool)
      literal = to_operand(const_bool(single->value.boolean, pattern.span));
    return compare(ast::CompareOperator::kIs, subject, literal, pattern.span);
  }
  if (const auto* as = ast::as<ast::MatchAs>(pattern))
    return as->pattern ? matches(*as->pattern, subject) : const_bool(true, pattern.span);
  if (const auto* either = ast::as<ast::MatchOr>(pattern)) {
    ir::Expr* any = const_bool(false, pattern.span);
    for (const ast::Pattern* p : either->patterns)
      any = logical(false, any, matches(*p, subject), pattern.span);
    return any;
  }
  const auto* sequence = ast::as<ast::MatchSequence>(pattern);
  const bool tuple = subject.is<Pack>() || (subject.is_value() && subject.type()->is_tuple());
  const bool star =
      sequence && std::any_of(sequence->patterns.begin(), sequence->patterns.end(),
                              [](const ast::Pattern* p) { return ast::is<ast::MatchStar>(p); });
  if (!sequence || star || !tuple) {
    not_supported(pattern.span, "this pattern",
                  "supported are literals, names, `_`, `|` and tuples of them");
    return error(pattern.span);
  }
  const std::vector<Operand> items = sequence_items(subject, pattern.span);
  if (items.size() != sequence->patterns.size()) return const_bool(false, pattern.span);
  ir::Expr* all = const_bool(true, pattern.span);
  for (size_t k = 0; k < items.size(); ++k)
    all = logical(true, all, matches(*sequence->patterns[k], items[k]), pattern.span);
  return all;
}

void Infer::bind_pattern(const ast::Pattern& pattern, const Operand& subject) {
  if (const auto* as = ast::as<ast::MatchAs>(pattern)) {
    if (as->pattern) bind_pattern(*as->pattern, subject);
    if (as->name) bind(*as, as->name, subject, pattern.span);
    return;
  }
  const auto* sequence = ast::as<ast::MatchSequence>(pattern);
  if (!sequence || subject.is_error()) return;
  const std::vector<Operand> items = sequence_items(subject, pattern.span);
  for (size_t k = 0; k < items.size() && k < sequence->patterns.size(); ++k)
    bind_pattern(*sequence->patterns[k], items[k]);
}

void Infer::match_case(const ast::Match& s, size_t k, const Operand& subject) {
  if (k == s.cases.size()) return edge(scope::edge_key(s, scope::kNoCase));
  const ast::MatchCase& c = *s.cases[k];
  ir::Expr* test = matches(*c.pattern, subject);
  const bool sure = test->kind == ExprKind::kConst && !is_error(test);
  if (sure && !ir::as<ir::Const>(test)->value.integer) return match_case(s, k + 1, subject);
  const bool bound_early = sure && c.guard;
  if (c.guard) {
    if (bound_early) bind_pattern(*c.pattern, subject);
    if (!bound_early && binds(*c.pattern))
      return not_supported(c.guard->span, "a guard on this pattern", "test inside of the case");
    const Mark m = mark();
    ir::Expr* guard = condition(*c.guard);
    if (!sure && emitted_since(m))
      return not_supported(c.guard->span, "a call in a guard", "test inside of the case");
    test = logical(true, test, guard, c.guard->span);
  }
  ir::Block* body = into_block([&] {
    if (!bound_early) bind_pattern(*c.pattern, subject);
    stmts(c.body);
    edge(scope::edge_key(s, int(std::min<size_t>(k, scope::kNoCase - 1))));
  });
  if (test->kind == ExprKind::kConst && !is_error(test) && ir::as<ir::Const>(test)->value.integer) {
    block_->insert(block_->end(), body->begin(), body->end());
    return;
  }
  const bool body_ends = std::exchange(reachable_, true);
  ir::Block* orelse = into_block([&] { match_case(s, k + 1, subject); });
  reachable_ = reachable_ || body_ends;
  emit(make(ir::If{{StmtKind::kIf, c.pattern->span}, test, body, orelse}));
}

void Infer::match(const ast::Match& s) {
  Operand subject = operand(*s.subject);
  if (subject.is_value() && subject.value()->kind != ExprKind::kTuple)
    subject.set_value(once(subject.value(), "subject"));
  match_case(s, 0, subject);
  join(s);
}

}  // namespace pyk2cu::infer
