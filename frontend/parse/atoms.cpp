// Atoms: names, literals, parentheses, lists, sets, dicts, comprehensions; and the arguments of
// calls.
//
// In:   tokens.  Out: expression nodes.
// Tested by tests/unit/frontend/parse_expression_test.cpp, tests/run/test_dump_ast.py.
#include "frontend/parse/parser_impl.h"

namespace pyk2cu::frontend {

struct CallArguments {
  uint32_t first = 0;    // of the first argument
  uint32_t bracket = 0;  // of the '('
  std::vector<Expr*> args;
  std::vector<Keyword*> keywords;
  bool unpacks_mapping = false;
  bool late_positional = false;
};

Expr* Parser::atom() {
  const uint32_t first = begin();
  auto simple = [&](ConstantValue value) {
    next();
    return constant(from(first), value);
  };
  switch (kind()) {
    case Tok::kName: {
      const Symbol id = symbol(*tok_);
      next();
      return make<Name>(from(first), id, Context::kLoad);
    }
    case Tok::kNumber:
      return number();
    case Tok::kString:
    case Tok::kFStringStart:
      return strings();
    case Tok::kNone:
      return simple({});
    case Tok::kTrue:
      return simple({ConstantValue::kBool, true});
    case Tok::kFalse:
      return simple({ConstantValue::kBool, false});
    case Tok::kEllipsis:
      return simple({ConstantValue::kEllipsis});
    case Tok::kLParen:
      return parenthesised();
    case Tok::kLBracket:
      return bracketed();
    case Tok::kLBrace:
      return braced();
    default:
      fail();
      return nothing();
  }
}

bool Parser::at_comprehension() const {
  return at(Tok::kFor) || (at(Tok::kAsync) && ahead() == Tok::kFor);
}

// '(' ')' | '(' yield_expr ')' | '(' named_expression ')' | tuple | generator expression
Expr* Parser::parenthesised() {
  const Depth depth(*this);
  const uint32_t first = begin();
  next();
  if (accept(Tok::kRParen)) return make<Tuple>(from(first), Exprs{}, Context::kLoad);
  if (at(Tok::kYield)) {
    Expr* value = yield_expression();
    expect(Tok::kRParen);
    return value;
  }
  if (at(Tok::kDoubleStar)) {
    const Token* stars = tok_;
    const auto rest = [&] { next(), expression(), expect(Tok::kRParen); };
    if (would_parse(rest)) {
      fail(span(*stars), "cannot use double starred expression here");
    } else {
      fail();
    }
    return nothing();
  }
  Expr* head = star_named_expression();
  if (at_comprehension()) {
    if (is<Starred>(head)) fail(head, "iterable unpacking cannot be used in comprehension");
    const Comprehensions clauses = comprehension_clauses();
    expect(Tok::kRParen);
    return make<GeneratorExp>(from(first), head, clauses);
  }
  if (at(Tok::kComma)) {
    std::vector<Expr*> elements{head};
    while (accept(Tok::kComma)) {
      if (at(Tok::kRParen)) break;
      elements.push_back(star_named_expression());
    }
    expect(Tok::kRParen);
    return make<Tuple>(from(first), list(elements), Context::kLoad);
  }
  if (is<Starred>(head) && at(Tok::kRParen)) fail(head, "cannot use starred expression here");
  expect(Tok::kRParen);
  return head;
}

Expr* Parser::bracketed() {
  const Depth depth(*this);
  const uint32_t first = begin();
  next();
  std::vector<Expr*> elements;
  while (!at(Tok::kRBracket)) {
    elements.push_back(star_named_expression());
    if (at_comprehension()) {
      if (is<Starred>(elements[0]))
        fail(elements[0], "iterable unpacking cannot be used in comprehension");
      if (elements.size() > 1)
        fail(elements[0], "did you forget parentheses around the comprehension target?");
      const Comprehensions clauses = comprehension_clauses();
      expect(Tok::kRBracket);
      return make<ListComp>(from(first), elements[0], clauses);
    }
    if (!accept(Tok::kComma)) break;
    if (at_comprehension())
      fail(elements[0], "did you forget parentheses around the comprehension target?");
  }
  expect(Tok::kRBracket);
  return make<List>(from(first), list(elements), Context::kLoad);
}

// A dict or a set: the first element tells which.
Expr* Parser::braced() {
  const Depth depth(*this);
  const uint32_t first = begin();
  next();
  if (at(Tok::kRBrace) || at(Tok::kDoubleStar)) return dict_rest(first);
  const Token* start = tok_;
  const uint32_t nodes = nodes_;
  Expr* head = star_named_expression();
  if (!at(Tok::kColon)) return set_rest(first, head);
  if (is<NamedExpr>(head) && start->kind != Tok::kLParen) fail();
  if (panic_ || is<Starred>(head)) {
    fail();
    return nothing();
  }
  next();
  if (at(Tok::kRBrace) || at(Tok::kComma))
    fail(span(tok_[-1]), "expression expected after dictionary key and ':'");
  if (at(Tok::kStar)) fail(span(*tok_), "cannot use a starred expression in a dictionary value");
  Expr* value = expression();
  if (at_comprehension()) {
    const Comprehensions clauses = comprehension_clauses();
    expect(Tok::kRBrace);
    return make<DictComp>(from(first), head, value, clauses);
  }
  if (panic_) return nothing();
  rewind({start, nodes});
  return dict_rest(first);
}

// Pairs up to '}'.
Expr* Parser::dict_rest(uint32_t first) {
  std::vector<Expr*> keys, values;
  while (!at(Tok::kRBrace) && dict_item(keys, values) && accept(Tok::kComma)) continue;
  expect(Tok::kRBrace);
  return make<Dict>(from(first), list(keys), list(values));
}

// '**' bitwise_or | expression ':' expression
bool Parser::dict_item(std::vector<Expr*>& keys, std::vector<Expr*>& values) {
  if (at(Tok::kDoubleStar)) {
    const Token* stars = tok_;
    next();
    keys.push_back(nullptr);
    values.push_back(bitwise_or());
    if (at_comprehension())
      fail(span(*stars), "dict unpacking cannot be used in dict comprehension");
    return !panic_;
  }
  Expr* key = expression();
  if (panic_) return false;
  if (!at(Tok::kColon)) {
    if (at(Tok::kError) || (!at(Tok::kComma) && !at(Tok::kRBrace) && keys.empty())) {
      fail();
    } else {
      fail(key, "':' expected after dictionary key");
    }
    return false;
  }
  next();
  if (at(Tok::kRBrace) || at(Tok::kComma))
    fail(span(tok_[-1]), "expression expected after dictionary key and ':'");
  if (at(Tok::kStar)) fail(span(*tok_), "cannot use a starred expression in a dictionary value");
  keys.push_back(key);
  values.push_back(expression());
  return !panic_;
}

Expr* Parser::set_rest(uint32_t first, Expr* head) {
  if (at_comprehension()) {
    if (is<Starred>(head)) fail(head, "iterable unpacking cannot be used in comprehension");
    const Comprehensions clauses = comprehension_clauses();
    expect(Tok::kRBrace);
    return make<SetComp>(from(first), head, clauses);
  }
  std::vector<Expr*> elements{head};
  while (accept(Tok::kComma)) {
    if (at(Tok::kRBrace)) break;
    if (at_comprehension()) break;
    elements.push_back(star_named_expression());
  }
  if (at_comprehension()) fail(head, "did you forget parentheses around the comprehension target?");
  expect(Tok::kRBrace);
  return make<Set>(from(first), list(elements));
}

Comprehensions Parser::comprehension_clauses() {
  std::vector<Comprehension*> clauses;
  while (at_comprehension()) clauses.push_back(comprehension_clause());
  return list(clauses);
}

// ['async'] 'for' star_targets 'in' disjunction ('if' disjunction)*
Comprehension* Parser::comprehension_clause() {
  const uint32_t first = begin();
  const int is_async = accept(Tok::kAsync);
  next();
  Expr* target = target_list();
  if (check_target(target, TargetKind::kFor)) set_context(target, Context::kStore);
  expect(Tok::kIn);
  Expr* iter = disjunction();
  std::vector<Expr*> ifs;
  while (accept(Tok::kIf)) ifs.push_back(disjunction());
  return make<Comprehension>(from(first), target, iter, list(ifs), is_async);
}

// What stands between the parentheses of a call; the '(' is read.
void Parser::call_arguments(Exprs& args, Keywords& keywords) {
  const Depth depth(*this);
  CallArguments out;
  out.first = begin();
  out.bracket = panic_ ? 0 : tok_[-1].begin;
  while (!at(Tok::kRParen) && call_argument(out) && accept(Tok::kComma)) continue;
  if (out.late_positional && !panic_ && !at(Tok::kError))
    fail(span(*tok_), fmt::format("positional argument follows keyword argument{}",
                                  out.unpacks_mapping ? " unpacking" : ""));
  args = list(out.args);
  keywords = list(out.keywords);
}

bool Parser::call_argument(CallArguments& out) {
  const uint32_t first = begin();
  if (accept(Tok::kStar)) {
    if (out.unpacks_mapping)
      fail(span(out.first, out.first + 1),
           "iterable argument unpacking follows keyword argument unpacking");
    Expr* value = expression();
    out.args.push_back(make<Starred>(from(first), value, Context::kLoad));
  } else if (accept(Tok::kDoubleStar)) {
    Expr* value = expression();
    out.keywords.push_back(make<Keyword>(from(first), Symbol{}, value));
    out.unpacks_mapping = true;
  } else if (ahead() == Tok::kEqual && begins_expression(kind()) && kind() != Tok::kNumber &&
             !text(*tok_).empty()) {
    keyword_argument(out);
  } else {
    Expr* value;
    if (at(Tok::kName) && ahead() == Tok::kColonEqual) {
      value = named_expression();
    } else {
      value = expression();
      if (at(Tok::kEqual) && begins_expression(ahead()))
        fail(value, "expression cannot contain assignment, perhaps you meant \"==\"?");
    }
    if (at_comprehension()) {
      misplaced_generator(value, out);
      const Comprehensions clauses = comprehension_clauses();
      const bool alone = out.args.empty() && out.keywords.empty() && at(Tok::kRParen);
      if (!alone && !panic_) fail(value, "Generator expression must be parenthesized");
      const uint32_t end = at(Tok::kRParen) ? tok_->end : first;
      value = make<GeneratorExp>(span(out.bracket, end), value, clauses);
    }
    if (!out.keywords.empty()) out.late_positional = true;
    out.args.push_back(value);
  }
  return !panic_;
}

// NAME '=' expression
void Parser::keyword_argument(CallArguments& out) {
  const uint32_t first = begin();
  if (!at(Tok::kName)) {
    const bool keyword = at(Tok::kTrue) || at(Tok::kFalse) || at(Tok::kNone);
    if (keyword)
      return fail(span(*tok_), fmt::format("cannot assign to {}", text(*tok_)), Mistake::kTarget);
    return fail(span(*tok_), "expression cannot contain assignment, perhaps you meant \"==\"?");
  }
  const Symbol id = name();
  const Token* equal = tok_;
  next();
  if (at(Tok::kComma) || at(Tok::kRParen))
    return fail(span(first, equal->end), "expected argument value expression");
  Expr* value = expression();
  if (at_comprehension())
    fail(span(first, equal->end), "invalid syntax. Maybe you meant '==' or ':=' instead of '='?");
  out.keywords.push_back(make<Keyword>(from(first), id, value));
}

// At the `for` of a generator that is not the first argument.
void Parser::misplaced_generator(Expr* element, const CallArguments& out) {
  if (out.args.empty() && out.keywords.empty()) return;
  const auto clauses = [&] { comprehension_clauses(); };
  if (would_parse(clauses)) fail(element, "Generator expression must be parenthesized");
}

}  // namespace pyk2cu::frontend
