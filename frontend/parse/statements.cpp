// Simple statements: assignments, imports, del, raise and the like.
//
// In:   tokens.  Out: statement nodes.
// Tested by tests/unit/frontend/parse_statement_test.cpp, tests/run/test_dump_ast.py.
#include "frontend/parse/parser_impl.h"

namespace pyk2cu::frontend {
namespace {

bool augmented_operator(Tok k, Operator& op) {
  switch (k) {
    case Tok::kPlusEqual:
      op = Operator::kAdd;
      return true;
    case Tok::kMinusEqual:
      op = Operator::kSub;
      return true;
    case Tok::kStarEqual:
      op = Operator::kMult;
      return true;
    case Tok::kAtEqual:
      op = Operator::kMatMult;
      return true;
    case Tok::kSlashEqual:
      op = Operator::kDiv;
      return true;
    case Tok::kPercentEqual:
      op = Operator::kMod;
      return true;
    case Tok::kAmperEqual:
      op = Operator::kBitAnd;
      return true;
    case Tok::kVBarEqual:
      op = Operator::kBitOr;
      return true;
    case Tok::kCircumflexEqual:
      op = Operator::kBitXor;
      return true;
    case Tok::kLeftShiftEqual:
      op = Operator::kLShift;
      return true;
    case Tok::kRightShiftEqual:
      op = Operator::kRShift;
      return true;
    case Tok::kDoubleStarEqual:
      op = Operator::kPow;
      return true;
    case Tok::kDoubleSlashEqual:
      op = Operator::kFloorDiv;
      return true;
    default:
      return false;
  }
}

}  // namespace

// statements: statement*, up to a dedent or the end
void Parser::statements(std::vector<Stmt*>& out) {
  int extra_indents = 0;
  for (;;) {
    skip_soft_errors();
    switch (kind()) {
      case Tok::kEnd:
      case Tok::kPanic:
        return;
      case Tok::kDedent:
        if (extra_indents-- == 0) return;
        ++tok_;
        break;
      case Tok::kIndent:
        report(Mistake::kIndentation, span(*tok_), "unexpected indent");
        ++extra_indents, ++tok_;
        break;
      case Tok::kNewline:
        ++tok_;
        break;
      default:
        statement(out);
    }
  }
}

void Parser::statement(std::vector<Stmt*>& out) {
  const Token* start = tok_;
  const Depth depth(*this);
  if (Stmt* compound = compound_statement()) {
    if (!panic_) out.push_back(compound);
  } else if (!panic_) {
    simple_statements(out);
  }
  if (panic_) recover(start);
}

// simple_stmts: ';'.simple_stmt+ [';'] NEWLINE
void Parser::simple_statements(std::vector<Stmt*>& out) {
  do {
    Stmt* s = simple_statement();
    if (panic_) return;
    out.push_back(s);
  } while (accept(Tok::kSemicolon) && !at(Tok::kNewline));
  if (accept(Tok::kNewline)) return;
  fail();
  if (!out.empty()) out.pop_back();
}

Stmt* Parser::simple_statement() {
  const uint32_t first = begin();
  switch (kind()) {
    case Tok::kPass:
      next();
      return make<Pass>(from(first));
    case Tok::kBreak:
      next();
      return make<Break>(from(first));
    case Tok::kContinue:
      next();
      return make<Continue>(from(first));
    case Tok::kReturn: {
      next();
      const bool bare = at(Tok::kNewline) || at(Tok::kSemicolon);
      Expr* value = bare ? nullptr : star_expressions();
      return make<Return>(from(first), value);
    }
    case Tok::kGlobal: {
      next();
      const Symbols names = name_list();
      return make<Global>(from(first), names);
    }
    case Tok::kNonlocal: {
      next();
      const Symbols names = name_list();
      return make<Nonlocal>(from(first), names);
    }
    case Tok::kDel:
      return del_statement();
    case Tok::kRaise:
      return raise_statement();
    case Tok::kAssert:
      return assert_statement();
    case Tok::kImport:
      return import_name();
    case Tok::kFrom:
      return import_from();
    case Tok::kName:
      if (ahead() == Tok::kName && at_name("type")) return type_alias();
      return expression_statement();
    default:
      return expression_statement();
  }
}

Symbols Parser::name_list() {
  std::vector<Symbol> names;
  do names.push_back(name());
  while (accept(Tok::kComma));
  return list(names);
}

// annotated_rhs: yield_expr | star_expressions
Expr* Parser::annotated_rhs() { return at(Tok::kYield) ? yield_expression() : star_expressions(); }

// star_expressions, or an assignment that begins with it
Stmt* Parser::expression_statement() {
  const uint32_t first = begin();
  const bool parenthesised = at(Tok::kLParen);
  Expr* value = annotated_rhs();
  Operator op;
  if (at(Tok::kEqual)) return assignment(first, value);
  if (at(Tok::kColon) && !is<Yield>(value))
    return annotated_assignment(first, value, parenthesised);
  if (at(Tok::kColonEqual) && begins_expression(ahead()) && !is<Name>(value) && !is<Tuple>(value)) {
    fail(value, fmt::format("cannot use assignment expressions with {}", describe(value)),
         Mistake::kTarget);
  }
  if (augmented_operator(kind(), op)) return augmented_assignment(first, value, op);
  return make<ExprStmt>(from(first), value);
}

// (star_targets '=')+ annotated_rhs
Stmt* Parser::assignment(uint32_t first, Expr* target) {
  std::vector<Expr*> targets;
  Expr* value = target;
  while (at(Tok::kEqual)) {
    if (!check_target(value, TargetKind::kStar, targets.empty())) return nullptr;
    set_context(value, Context::kStore);
    targets.push_back(value);
    next();
    value = annotated_rhs();
  }
  return make<Assign>(from(first), list(targets), value);
}

// single_target ':' expression ['=' annotated_rhs]
Stmt* Parser::annotated_assignment(uint32_t first, Expr* target, bool parenthesised) {
  if (!is_single_target(target)) {
    if (!begins_expression(ahead())) {
      fail();
    } else if (is<List>(target) || is<Tuple>(target)) {
      fail(target, fmt::format("only single target (not {}) can be annotated", describe(target)),
           Mistake::kTarget);
    } else {
      fail(target, "illegal target for annotation", Mistake::kTarget);
    }
    return nullptr;
  }
  next();
  set_context(target, Context::kStore);
  Expr* annotation = expression();
  Expr* value = accept(Tok::kEqual) ? annotated_rhs() : nullptr;
  const int simple = is<Name>(target) && !parenthesised;
  return make<AnnAssign>(from(first), target, annotation, value, simple);
}

Stmt* Parser::augmented_assignment(uint32_t first, Expr* target, Operator op) {
  if (!is_single_target(target)) {
    fail(target,
         fmt::format("'{}' is an illegal expression for augmented assignment", describe(target)),
         Mistake::kTarget);
    return nullptr;
  }
  next();
  set_context(target, Context::kStore);
  Expr* value = annotated_rhs();
  return make<AugAssign>(from(first), target, op, value);
}

Stmt* Parser::del_statement() {
  const uint32_t first = begin();
  next();
  bool bare_tuple = false;
  Expr* e = star_expressions(&bare_tuple);
  if (panic_) return nullptr;
  if (!check_target(e, TargetKind::kDelete)) return nullptr;
  Exprs targets;
  if (bare_tuple) {
    targets = as<Tuple>(e)->elts;
  } else {
    targets = list(std::vector<Expr*>{e});
  }
  for (Expr* target : targets) set_context(target, Context::kDel);
  if (!at(Tok::kSemicolon) && !at(Tok::kNewline)) fail();
  return make<Delete>(from(first), targets);
}

Stmt* Parser::raise_statement() {
  const uint32_t first = begin();
  next();
  Expr *exc = nullptr, *cause = nullptr;
  if (!at(Tok::kNewline) && !at(Tok::kSemicolon)) {
    exc = expression();
    if (accept(Tok::kFrom)) cause = expression();
  }
  return make<Raise>(from(first), exc, cause);
}

Stmt* Parser::assert_statement() {
  const uint32_t first = begin();
  next();
  Expr* test = expression();
  Expr* message = accept(Tok::kComma) ? expression() : nullptr;
  return make<Assert>(from(first), test, message);
}

// "type" NAME [type_params] '=' expression
Stmt* Parser::type_alias() {
  const uint32_t first = begin();
  next();
  const uint32_t name_first = begin();
  const Symbol id = name();
  Expr* target = make<Name>(from(name_first), id, Context::kStore);
  const TypeParams params = type_params();
  expect(Tok::kEqual);
  Expr* value = expression();
  return make<TypeAlias>(from(first), target, params, value);
}

Symbol Parser::dotted_name() {
  const Symbol whole = name();
  if (panic_ || !at(Tok::kDot)) return whole;
  std::string joined(whole.str());
  while (accept(Tok::kDot)) {
    joined += '.';
    joined += name().str();
  }
  return Symbol(joined);
}

Alias* Parser::import_alias(bool dotted) {
  const uint32_t first = begin();
  const Symbol what = dotted ? dotted_name() : name();
  Symbol as_name;
  if (accept(Tok::kAs)) as_name = name();
  return make<Alias>(from(first), what, as_name);
}

// 'import' ','.dotted_as_name+
Stmt* Parser::import_name() {
  const uint32_t first = begin();
  next();
  std::vector<Alias*> names;
  if (at(Tok::kNewline)) fail(span(*tok_), "Expected one or more names after 'import'");
  do names.push_back(import_alias(true));
  while (accept(Tok::kComma));
  if (at(Tok::kFrom)) {
    const auto rest = [&] { next(), dotted_name(); };
    if (would_parse(rest)) fail(from(first), "Did you mean to use 'from ... import ...' instead?");
  }
  return make<Import>(from(first), list(names));
}

// 'from' ('.' | '...')* [dotted_name] 'import' ('*' | names | '(' names [','] ')')
Stmt* Parser::import_from() {
  const uint32_t first = begin();
  next();
  int level = 0;
  for (; at(Tok::kDot) || at(Tok::kEllipsis); next()) level += at(Tok::kDot) ? 1 : 3;
  Symbol module;
  if (level == 0 || !at(Tok::kImport)) module = dotted_name();
  expect(Tok::kImport);
  std::vector<Alias*> names;
  const uint32_t star = begin();
  if (at(Tok::kNewline)) fail(span(*tok_), "Expected one or more names after 'import'");
  if (accept(Tok::kStar)) {
    names.push_back(make<Alias>(from(star), Symbol("*"), Symbol{}));
  } else {
    const bool parenthesised = accept(Tok::kLParen);
    do {
      if (parenthesised && at(Tok::kRParen) && !names.empty()) break;
      if (!parenthesised && at(Tok::kNewline) && !names.empty()) {
        fail(span(*tok_), "trailing comma not allowed without surrounding parentheses");
        break;
      }
      names.push_back(import_alias(false));
    } while (accept(Tok::kComma));
    if (parenthesised) expect(Tok::kRParen);
  }
  if (module == "__future__" && level == 0 && !panic_)
    for (const Alias* a : names) flufl_ |= a->name == "barry_as_FLUFL";
  return make<ImportFrom>(from(first), module, list(names), level);
}

}  // namespace pyk2cu::frontend
