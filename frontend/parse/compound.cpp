// Compound statements but match: if, while, for, with, try, def, class.
//
// In:   tokens.  Out: statement nodes.
// Tested by tests/unit/frontend/parse_statement_test.cpp, tests/run/test_dump_ast.py.
#include "frontend/parse/parser_impl.h"

namespace pyk2cu::frontend {

Stmt* Parser::compound_statement() {
  switch (kind()) {
    case Tok::kIf:
      return if_statement();
    case Tok::kWhile:
      return while_statement();
    case Tok::kFor:
      return for_statement(begin(), false);
    case Tok::kWith:
      return with_statement(begin(), false);
    case Tok::kTry:
      return try_statement();
    case Tok::kDef:
      return function(begin(), {}, false);
    case Tok::kClass:
      return class_statement(begin(), {});
    case Tok::kAt:
      return decorated();
    case Tok::kAsync:
      return async_statement();
    case Tok::kName:
      return match_begins() ? match_statement() : nullptr;
    default:
      return nullptr;
  }
}

void Parser::expect_colon() {
  if (accept(Tok::kColon)) return;
  if (at(Tok::kNewline)) return fail(span(*tok_), "expected ':'");
  fail();
}

// block: NEWLINE INDENT statements DEDENT | simple_stmts.   head: where the statement with the
// block begins
Stmts Parser::block(std::string_view what, uint32_t head) {
  std::vector<Stmt*> out;
  if (panic_) return {};
  if (!accept(Tok::kNewline)) {
    simple_statements(out);
    return list(out);
  }
  skip_soft_errors();
  if (accept(Tok::kIndent)) {
    statements(out);
    accept(Tok::kDedent);
  } else if (at(Tok::kError)) {
    fail();
  } else if (!silent_) {
    report(Mistake::kIndentation, span(*tok_),
           fmt::format("expected an indented block after {} on line {}", what, line(head)));
  }
  return list(out);
}

Stmts Parser::else_block() {
  const uint32_t head = begin();
  if (!accept(Tok::kElse)) return {};
  expect_forced(Tok::kColon);
  return block("'else' statement", head);
}

// A chain of elif is read in a loop and nested afterwards.
Stmt* Parser::if_statement() {
  struct Arm {
    uint32_t first;
    Expr* test;
    Stmts body;
  };
  std::vector<Arm> arms;
  do {
    const bool first_arm = arms.empty();
    Arm arm{begin(), nullptr, {}};
    next();
    arm.test = named_expression();
    expect_colon();
    arm.body = block(first_arm ? "'if' statement" : "'elif' statement", arm.first);
    arms.push_back(arm);
  } while (at(Tok::kElif));
  Stmts orelse = else_block();
  Stmt* whole = nullptr;
  for (size_t i = arms.size(); i-- > 0;) {
    whole = make<If>(from(arms[i].first), arms[i].test, arms[i].body, orelse);
    orelse = list(std::vector<Stmt*>{whole});
  }
  return whole;
}

Stmt* Parser::while_statement() {
  const uint32_t first = begin();
  next();
  Expr* test = named_expression();
  expect_colon();
  const Stmts body = block("'while' statement", first);
  const Stmts orelse = else_block();
  return make<While>(from(first), test, body, orelse);
}

// 'for' star_targets 'in' star_expressions ':' block [else_block]
Stmt* Parser::for_statement(uint32_t first, bool is_async) {
  const uint32_t head = begin();
  next();
  Expr* target = target_list();
  if (check_target(target, TargetKind::kFor)) set_context(target, Context::kStore);
  expect(Tok::kIn);
  Expr* iter = star_expressions();
  expect_colon();
  const Stmts body = block("'for' statement", head);
  const Stmts orelse = else_block();
  if (is_async) return make<AsyncFor>(from(first), target, iter, body, orelse);
  return make<For>(from(first), target, iter, body, orelse);
}

// 'with' ( '(' ','.with_item+ [','] ')' | ','.with_item+ ) ':' block
Stmt* Parser::with_statement(uint32_t first, bool is_async) {
  const uint32_t head = begin();
  next();
  std::vector<WithItem*> items;
  if (!with_items_in_parentheses(items)) {
    do items.push_back(with_item());
    while (accept(Tok::kComma));
  }
  expect_colon();
  const Stmts body = block("'with' statement", head);
  if (is_async) return make<AsyncWith>(from(first), list(items), body);
  return make<With>(from(first), list(items), body);
}

// Tried first, as the grammar does; what is not of this form may still be an expression in
// parentheses.
bool Parser::with_items_in_parentheses(std::vector<WithItem*>& items) {
  if (!at(Tok::kLParen)) return false;
  const auto rule = [&] {
    next();
    do {
      if (at(Tok::kRParen) && !items.empty()) break;
      items.push_back(with_item());
    } while (accept(Tok::kComma));
    expect(Tok::kRParen);
    if (!at(Tok::kColon)) fail();
  };
  const bool ok = would_parse(rule);
  items.clear();
  if (ok) rule();
  return ok;
}

// expression ['as' star_target]
WithItem* Parser::with_item() {
  const uint32_t first = begin();
  Expr* context = expression();
  Expr* target = nullptr;
  if (accept(Tok::kAs)) {
    target = target_element();
    if (check_target(target, TargetKind::kStar)) set_context(target, Context::kStore);
    if (!at(Tok::kComma) && !at(Tok::kRParen) && !at(Tok::kColon)) fail();
  }
  return make<WithItem>(from(first), context, target);
}

Stmt* Parser::try_statement() {
  const uint32_t first = begin();
  next();
  expect_forced(Tok::kColon);
  const Stmts body = block("'try' statement", first);
  std::vector<ExceptHandler*> handlers;
  bool any_star = false;
  while (at(Tok::kExcept)) {
    const Token* except = tok_;
    bool star = false;
    handlers.push_back(except_handler(star));
    if (handlers.size() > 1 && star != any_star && !panic_)
      fail(span(*except), "cannot have both 'except' and 'except*' on the same 'try'");
    any_star |= star;
  }
  const Stmts orelse = handlers.empty() ? Stmts{} : else_block();
  Stmts finalbody;
  const uint32_t finally = begin();
  const bool has_finally = accept(Tok::kFinally);
  if (has_finally) {
    expect_forced(Tok::kColon);
    finalbody = block("'finally' statement", finally);
  }
  if (handlers.empty() && !has_finally && !panic_) {
    if (at(Tok::kElse) || at(Tok::kElif)) {
      fail(span(*tok_), "expected 'except' or 'finally' block");
    } else if (!silent_) {
      report(Mistake::kSyntax, span(*tok_), "expected 'except' or 'finally' block");
    }
  }
  if (any_star) return make<TryStar>(from(first), body, list(handlers), orelse, finalbody);
  return make<Try>(from(first), body, list(handlers), orelse, finalbody);
}

// 'except' ['*'] [expression ['as' NAME]] ':' block
ExceptHandler* Parser::except_handler(bool& star) {
  const uint32_t first = begin();
  next();
  star = accept(Tok::kStar);
  Expr* type = nullptr;
  Symbol bound;
  if (star && (at(Tok::kColon) || at(Tok::kNewline)))
    fail(span(*tok_), "expected one or more exception types");
  if (!at(Tok::kColon) && !at(Tok::kNewline)) {
    type = expression();
    if (at(Tok::kComma)) fail(type, "multiple exception types must be parenthesized");
    if (accept(Tok::kAs)) bound = name();
  }
  expect_colon();
  const Stmts body = block(star ? "'except*' statement" : "'except' statement", first);
  return make<ExceptHandler>(from(first), type, bound, body);
}

// ('@' named_expression NEWLINE)+ (class | def | async def)
Stmt* Parser::decorated() {
  std::vector<Expr*> decorators;
  while (accept(Tok::kAt)) {
    decorators.push_back(named_expression());
    expect(Tok::kNewline);
    skip_soft_errors();
  }
  const uint32_t first = begin();
  if (at(Tok::kClass)) return class_statement(first, list(decorators));
  if (at(Tok::kDef)) return function(first, list(decorators), false);
  if (at(Tok::kAsync) && ahead() == Tok::kDef) {
    next();
    return function(first, list(decorators), true);
  }
  fail();
  return nullptr;
}

Stmt* Parser::async_statement() {
  const uint32_t first = begin();
  next();
  if (at(Tok::kDef)) return function(first, {}, true);
  if (at(Tok::kFor)) return for_statement(first, true);
  if (at(Tok::kWith)) return with_statement(first, true);
  fail();
  return nullptr;
}

// 'def' NAME [type_params] '(' [params] ')' ['->' expression] ':' block
Stmt* Parser::function(uint32_t first, Exprs decorators, bool is_async) {
  const uint32_t head = begin();
  next();
  const Symbol id = name();
  const TypeParams types = type_params();
  expect_forced(Tok::kLParen);
  Arguments* args = parameters(false);
  expect(Tok::kRParen);
  Expr* returns = accept(Tok::kArrow) ? expression() : nullptr;
  expect_forced(Tok::kColon);
  const Stmts body = block("function definition", head);
  if (is_async)
    return make<AsyncFunctionDef>(from(first), id, args, body, decorators, returns, types);
  return make<FunctionDef>(from(first), id, args, body, decorators, returns, types);
}

// 'class' NAME [type_params] ['(' [arguments] ')'] ':' block
Stmt* Parser::class_statement(uint32_t first, Exprs decorators) {
  const uint32_t head = begin();
  next();
  const Symbol id = name();
  const TypeParams types = type_params();
  Exprs bases;
  Keywords keywords;
  const uint32_t bracket = begin();
  if (accept(Tok::kLParen)) {
    call_arguments(bases, keywords);
    expect(Tok::kRParen);
    const auto* only = bases.size() == 1 ? as<GeneratorExp>(bases[0]) : nullptr;
    if (only && only->span.begin == file_.base + bracket)
      fail(only->generators[0], "invalid syntax");
  }
  expect_colon();
  const Stmts body = block("class definition", head);
  return make<ClassDef>(from(first), id, bases, keywords, body, decorators, types);
}

}  // namespace pyk2cu::frontend
