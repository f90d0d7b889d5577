// match statements and their patterns. `match` and `case` are names unless they stand in such a
// statement.
//
// In:   tokens.  Out: Match and pattern nodes.
// Tested by tests/unit/frontend/parse_statement_test.cpp, tests/run/test_dump_ast.py.
#include "frontend/parse/parser_impl.h"

namespace pyk2cu::frontend {

// At a name: does a match statement begin? Where the next token could also continue an expression
// (`match (x)`, `match [x]`, `match -x`, `match *x`), the colon at the end of the line and the
// block tell.
bool Parser::match_begins() const {
  if (!at_name("match")) return false;
  switch (ahead()) {
    case Tok::kLParen:
    case Tok::kLBracket:
    case Tok::kMinus:
    case Tok::kPlus:
    case Tok::kStar:
      break;
    case Tok::kNot:
      if (ahead(2) == Tok::kIn) return false;
      return true;
    default:
      return begins_expression(ahead());
  }
  const Token* t = tok_ + 1;
  while (t->kind != Tok::kNewline && t->kind != Tok::kEnd) ++t;
  return t[-1].kind == Tok::kColon && t[0].kind == Tok::kNewline &&
         (t[1].kind == Tok::kIndent || t[1].kind == Tok::kError);
}

// "match" subject_expr ':' NEWLINE INDENT case_block+ DEDENT
Stmt* Parser::match_statement() {
  const uint32_t first = begin();
  next();
  const uint32_t subject_first = begin();
  Expr* subject = at(Tok::kStar) ? star_named_expression() : named_expression();
  if (at(Tok::kComma)) {
    std::vector<Expr*> elements{subject};
    while (accept(Tok::kComma)) {
      if (!begins_expression(kind()) && !at(Tok::kStar)) break;
      elements.push_back(star_named_expression());
    }
    subject = make<Tuple>(from(subject_first), list(elements), Context::kLoad);
  } else if (is<Starred>(subject)) {
    fail();
  }
  expect_colon();
  expect(Tok::kNewline);
  skip_soft_errors();
  std::vector<MatchCase*> cases;
  if (at(Tok::kError)) fail();
  if (!panic_ && !at(Tok::kIndent)) {
    report(
        Mistake::kIndentation, span(*tok_),
        fmt::format("expected an indented block after 'match' statement on line {}", line(first)));
    return make<Match>(from(first), subject, list(cases));
  }
  if (panic_) return nullptr;
  for (next(); !at(Tok::kDedent) && !at(Tok::kEnd);) {
    skip_soft_errors();
    const Token* start = tok_;
    if (!at_name("case")) fail();
    MatchCase* c = case_block();
    if (panic_) {
      recover(start);
    } else {
      cases.push_back(c);
    }
  }
  accept(Tok::kDedent);
  return make<Match>(from(first), subject, list(cases));
}

// "case" patterns ['if' named_expression] ':' block
MatchCase* Parser::case_block() {
  const uint32_t first = begin();
  next();
  Pattern* what = patterns();
  Expr* guard = accept(Tok::kIf) ? named_expression() : nullptr;
  expect_colon();
  const Stmts body = block("'case' statement", first);
  return make<MatchCase>(from(first), what, guard, body);
}

bool Parser::pattern_begins() const {
  switch (kind()) {
    case Tok::kName:
    case Tok::kNumber:
    case Tok::kString:
    case Tok::kFStringStart:
    case Tok::kMinus:
    case Tok::kPlus:
    case Tok::kNone:
    case Tok::kTrue:
    case Tok::kFalse:
    case Tok::kLParen:
    case Tok::kLBracket:
    case Tok::kLBrace:
    case Tok::kStar:
      return true;
    default:
      return false;
  }
}

// An open sequence `a, *b` or one pattern.
Pattern* Parser::patterns() {
  const uint32_t first = begin();
  Pattern* head = at(Tok::kStar) ? star_pattern() : pattern();
  if (!at(Tok::kComma)) {
    if (is<MatchStar>(head)) fail();
    return head;
  }
  std::vector<Pattern*> items{head};
  while (accept(Tok::kComma)) {
    if (!pattern_begins()) break;
    items.push_back(at(Tok::kStar) ? star_pattern() : pattern());
  }
  return make<MatchSequence>(from(first), list(items));
}

// or_pattern ['as' NAME]
Pattern* Parser::pattern() {
  const Depth depth(*this);
  const uint32_t first = begin();
  Pattern* p = or_pattern();
  if (!accept(Tok::kAs)) return p;
  if (at_name("_")) {
    fail(span(*tok_), "cannot use '_' as a target", Mistake::kTarget);
    return p;
  }
  const Tok after = ahead();
  if (!at(Tok::kName) || after == Tok::kDot || after == Tok::kLParen || after == Tok::kEqual) {
    const uint32_t at_first = begin();
    if (begins_expression(kind()) && !at(Tok::kName)) {
      fail(span(at_first, at_first + 1), "invalid pattern target", Mistake::kTarget);
    } else {
      next();
      fail();
    }
    return p;
  }
  const Symbol id = name();
  return make<MatchAs>(from(first), p, id);
}

Pattern* Parser::or_pattern() {
  const uint32_t first = begin();
  Pattern* head = closed_pattern();
  if (!at(Tok::kVBar)) return head;
  std::vector<Pattern*> items{head};
  while (accept(Tok::kVBar)) items.push_back(closed_pattern());
  return make<MatchOr>(from(first), list(items));
}

Pattern* Parser::closed_pattern() {
  const uint32_t first = begin();
  auto singleton = [&](ConstantValue value) -> Pattern* {
    next();
    return make<MatchSingleton>(from(first), value);
  };
  switch (kind()) {
    case Tok::kNone:
      return singleton({});
    case Tok::kTrue:
      return singleton({ConstantValue::kBool, true});
    case Tok::kFalse:
      return singleton({ConstantValue::kBool, false});
    case Tok::kNumber:
    case Tok::kMinus:
    case Tok::kPlus:
    case Tok::kString:
    case Tok::kFStringStart: {
      Expr* value = literal(true);
      return make<MatchValue>(from(first), value);
    }
    case Tok::kName:
      return name_pattern();
    case Tok::kLParen:
      return group_or_sequence();
    case Tok::kLBracket:
      return sequence_in_brackets();
    case Tok::kLBrace:
      return mapping_pattern();
    default:
      fail();
      return make<MatchAs>(from(first), static_cast<Pattern*>(nullptr), Symbol{});
  }
}

Symbol Parser::capture_name() {
  const Tok after = ahead();
  if (at(Tok::kName) && (after == Tok::kDot || after == Tok::kLParen || after == Tok::kEqual))
    next(), fail();
  return name();
}

// A capture, a wildcard, a dotted value or a class.
Pattern* Parser::name_pattern() {
  const uint32_t first = begin();
  const Tok after = ahead();
  if (after != Tok::kDot && after != Tok::kLParen) {
    if (after == Tok::kEqual) next(), fail();
    const bool wildcard = at_name("_");
    const Symbol id = name();
    return make<MatchAs>(from(first), static_cast<Pattern*>(nullptr), wildcard ? Symbol{} : id);
  }
  Expr* value = name_or_attribute();
  if (at(Tok::kLParen)) return class_pattern(value);
  if (at(Tok::kEqual)) fail();
  return make<MatchValue>(from(first), value);
}

Expr* Parser::name_or_attribute() {
  const uint32_t first = begin();
  const Symbol id = name();
  Expr* e = make<Name>(from(first), id, Context::kLoad);
  while (accept(Tok::kDot)) {
    const Symbol attr = name();
    e = make<Attribute>(from(first), e, attr, Context::kLoad);
  }
  return e;
}

Pattern* Parser::star_pattern() {
  const uint32_t first = begin();
  next();
  const bool wildcard = at_name("_");
  const Symbol id = capture_name();
  return make<MatchStar>(from(first), wildcard ? Symbol{} : id);
}

Pattern* Parser::group_or_sequence() {
  const uint32_t first = begin();
  next();
  std::vector<Pattern*> items;
  bool comma = false;
  while (!at(Tok::kRParen) && !panic_) {
    items.push_back(at(Tok::kStar) ? star_pattern() : pattern());
    comma = accept(Tok::kComma);
    if (!comma) break;
  }
  expect(Tok::kRParen);
  if (items.size() == 1 && !comma) {
    if (is<MatchStar>(items[0])) fail(items[0], "invalid syntax");
    return items[0];
  }
  return make<MatchSequence>(from(first), list(items));
}

Pattern* Parser::sequence_in_brackets() {
  const uint32_t first = begin();
  next();
  std::vector<Pattern*> items;
  while (!at(Tok::kRBracket) && !panic_) {
    items.push_back(at(Tok::kStar) ? star_pattern() : pattern());
    if (!accept(Tok::kComma)) break;
  }
  expect(Tok::kRBracket);
  return make<MatchSequence>(from(first), list(items));
}

// '{' ','.(key ':' pattern)* ['**' NAME] [','] '}'
Pattern* Parser::mapping_pattern() {
  const uint32_t first = begin();
  next();
  std::vector<Expr*> keys;
  std::vector<Pattern*> values;
  Symbol rest;
  while (!at(Tok::kRBrace) && !panic_) {
    if (accept(Tok::kDoubleStar)) {
      if (at_name("_")) fail();
      rest = capture_name();
      accept(Tok::kComma);
      break;
    }
    if (at(Tok::kName)) {
      Expr* key = name_or_attribute();
      if (is<Name>(key)) fail();
      keys.push_back(key);
    } else {
      keys.push_back(literal(true));
    }
    expect(Tok::kColon);
    values.push_back(pattern());
    if (!accept(Tok::kComma)) break;
  }
  expect(Tok::kRBrace);
  return make<MatchMapping>(from(first), list(keys), list(values), rest);
}

// name_or_attr '(' positional and keyword patterns ')', at the '('
Pattern* Parser::class_pattern(Expr* cls) {
  const uint32_t first = cls->span.begin - file_.base;
  next();
  std::vector<Pattern*> positional, values;
  std::vector<Symbol> names;
  Pattern* late = nullptr;
  while (!at(Tok::kRParen) && !panic_) {
    if (at(Tok::kName) && ahead() == Tok::kEqual) {
      names.push_back(name());
      next();
      values.push_back(pattern());
    } else {
      positional.push_back(pattern());
      if (!names.empty() && !late) late = positional.back();
    }
    if (!accept(Tok::kComma)) break;
  }
  expect(Tok::kRParen);
  if (late && !panic_) fail(late, "positional patterns follow keyword patterns");
  return make<MatchClass>(from(first), cls, list(positional), list(names), list(values));
}

// A number with sign, a complex number, a string, None, True or False.
Expr* Parser::literal(bool complex) {
  const uint32_t first = begin();
  switch (kind()) {
    case Tok::kString:
    case Tok::kFStringStart:
      return strings();
    case Tok::kNone:
    case Tok::kTrue:
    case Tok::kFalse:
      return atom();
    default:
      break;
  }
  const bool minus = at(Tok::kMinus);
  if (!minus) accept(Tok::kPlus);
  if (minus) next();
  if (!at(Tok::kNumber)) {
    fail();
    return nothing();
  }
  const auto is_imaginary = [](const Expr* e) {
    const auto* c = as<Constant>(e);
    return c && c->value.tag == ConstantValue::kImaginary;
  };
  Expr* value = number();
  const bool imaginary = is_imaginary(value);
  if (minus) value = make<UnaryOp>(from(first), UnaryOperator::kUSub, value);
  if (!complex || (!at(Tok::kPlus) && !at(Tok::kMinus))) return value;
  const Operator op = at(Tok::kPlus) ? Operator::kAdd : Operator::kSub;
  if (imaginary) fail(value, "real number required in complex literal");
  next();
  if (!at(Tok::kNumber)) {
    fail();
    return nothing();
  }
  Expr* right = number();
  if (!is_imaginary(right)) fail(right, "imaginary number required in complex literal");
  return make<BinOp>(from(first), value, op, right);
}

}  // namespace pyk2cu::frontend
