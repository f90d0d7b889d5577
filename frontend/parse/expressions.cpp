// Expressions from the loosest operator to the tightest: conditional, lambda, or, and, not,
// comparisons, binary operators by precedence, unary ones, power, await, and what follows a
// primary.
//
// In:   tokens.  Out: expression nodes.
// Tested by tests/unit/frontend/parse_expression_test.cpp, tests/run/test_dump_ast.py.
#include "frontend/parse/parser_impl.h"

namespace pyk2cu::frontend {
namespace {

struct Binary {
  int precedence = -1;
  Operator op = Operator::kAdd;
};

Binary binary_operator(Tok k) {
  switch (k) {
    case Tok::kVBar:
      return {0, Operator::kBitOr};
    case Tok::kCircumflex:
      return {1, Operator::kBitXor};
    case Tok::kAmper:
      return {2, Operator::kBitAnd};
    case Tok::kLeftShift:
      return {3, Operator::kLShift};
    case Tok::kRightShift:
      return {3, Operator::kRShift};
    case Tok::kPlus:
      return {4, Operator::kAdd};
    case Tok::kMinus:
      return {4, Operator::kSub};
    case Tok::kStar:
      return {5, Operator::kMult};
    case Tok::kSlash:
      return {5, Operator::kDiv};
    case Tok::kDoubleSlash:
      return {5, Operator::kFloorDiv};
    case Tok::kPercent:
      return {5, Operator::kMod};
    case Tok::kAt:
      return {5, Operator::kMatMult};
    default:
      return {};
  }
}

}  // namespace

bool Parser::begins_expression(Tok k) {
  switch (k) {
    case Tok::kName:
    case Tok::kNumber:
    case Tok::kString:
    case Tok::kFStringStart:
    case Tok::kNone:
    case Tok::kTrue:
    case Tok::kFalse:
    case Tok::kLParen:
    case Tok::kLBracket:
    case Tok::kLBrace:
    case Tok::kMinus:
    case Tok::kPlus:
    case Tok::kTilde:
    case Tok::kNot:
    case Tok::kLambda:
    case Tok::kAwait:
    case Tok::kEllipsis:
      return true;
    default:
      return false;
  }
}

// star_expressions: ','.star_expression+ [','].   A list with a comma is a Tuple without
// parentheses.
Expr* Parser::star_expressions(bool* is_bare_tuple) {
  const uint32_t first = begin();
  Expr* head = star_expression();
  if (!at(Tok::kComma)) return head;
  std::vector<Expr*> elements{head};
  while (accept(Tok::kComma)) {
    if (!begins_expression(kind()) && !at(Tok::kStar)) break;
    elements.push_back(star_expression());
  }
  if (is_bare_tuple) *is_bare_tuple = true;
  return make<Tuple>(from(first), list(elements), Context::kLoad);
}

Expr* Parser::star_expression() {
  const uint32_t first = begin();
  if (!accept(Tok::kStar)) return expression();
  Expr* value = bitwise_or();
  return make<Starred>(from(first), value, Context::kLoad);
}

Expr* Parser::star_named_expression() {
  return at(Tok::kStar) ? star_expression() : named_expression();
}

// named_expression: NAME ':=' expression | expression
Expr* Parser::named_expression() {
  const Token* first = tok_;
  if (at(Tok::kName) && ahead() == Tok::kColonEqual) {
    const uint32_t start = begin();
    const Symbol id = name();
    Expr* target = make<Name>(from(start), id, Context::kStore);
    next();
    Expr* value = expression();
    return make<NamedExpr>(from(start), target, value);
  }
  Expr* e = expression();
  if (at(Tok::kColonEqual)) {
    fail(e, fmt::format("cannot use assignment expressions with {}", describe(e)),
         Mistake::kTarget);
  } else if (at(Tok::kEqual)) {
    misplaced_equal(e, first);
  }
  return e;
}

// At '=' where only `==` or `:=` could stand.
void Parser::misplaced_equal(Expr* left, const Token* first) {
  const auto rest = [&] {
    next();
    bitwise_or();
    if (at(Tok::kEqual) || at(Tok::kColonEqual)) fail();
  };
  const bool of_bitwise_level = !is<BoolOp>(left) && !is<Compare>(left) && !is<IfExp>(left) &&
                                !is<Lambda>(left) && first->kind != Tok::kNot;
  if (!of_bitwise_level || !would_parse(rest)) return;
  if (first->kind == Tok::kName && tok_ == first + 1)
    return fail(left, "invalid syntax. Maybe you meant '==' or ':=' instead of '='?");
  const auto* c = as<Constant>(left);
  const bool keyword =
      c && (c->value.tag == ConstantValue::kBool || c->value.tag == ConstantValue::kNone);
  if (keyword || is<List>(left) || is<Tuple>(left) || is<GeneratorExp>(left)) return;
  fail(
      left,
      fmt::format("cannot assign to {} here. Maybe you meant '==' instead of '='?", describe(left)),
      Mistake::kTarget);
}

// expression: disjunction ['if' disjunction 'else' expression] | lambdef
Expr* Parser::expression() {
  const Depth depth(*this);
  if (panic_) return nothing();
  if (at(Tok::kLambda)) return lambda();
  const Token* first = tok_;
  Expr* e = disjunction();
  if (at(Tok::kIf)) return conditional(first->begin, e);
  if (begins_expression(kind())) after_expression(e, first);
  return e;
}

Expr* Parser::conditional(uint32_t first, Expr* body) {
  next();
  Expr* test = disjunction();
  if (!at(Tok::kElse)) {
    if (at(Tok::kColon)) {
      fail();
    } else if (!panic_) {
      if (at(Tok::kError)) fail();
      fail(from(first), "expected 'else' after 'if' expression");
    }
    return body;
  }
  next();
  Expr* orelse = expression();
  return make<IfExp>(from(first), test, body, orelse);
}

// An expression begins right behind another one, which no rule allows.
void Parser::after_expression(Expr* left, const Token* first) {
  if (silent_) return fail();
  const auto* called = as<Name>(left);
  const bool legacy = called && (called->id == "print" || called->id == "exec");
  if (legacy && !at(Tok::kLParen) && tok_ == first + 1) {
    return fail(left,
                fmt::format("Missing parentheses in call to '{0}'. Did you mean {0}(...)?",
                            called->id.str()),
                Mistake::kPython2);
  }
  const bool soft = first->kind == Tok::kName && (text(*first) == "_" || text(*first) == "match" ||
                                                  text(*first) == "case" || text(*first) == "type");
  if (legacy || soft || (first->kind == Tok::kName && first[1].kind == Tok::kString)) return fail();
  uint16_t level = 0;
  const auto second = [&] {
    if (at(Tok::kLambda)) {
      lambda();
    } else {
      Expr* e = disjunction();
      if (at(Tok::kIf)) conditional(begin(), e);
    }
    if (!panic_) level = tok_[-1].level;
  };
  const auto beginning = [&] {  // what follows need not be right to its end
    atom();
    if (!panic_) level = tok_[-1].level;
  };
  if ((would_parse(second) || would_parse(beginning)) && level > 0)
    return fail(left, "invalid syntax. Perhaps you forgot a comma?");
  fail();
}

// 'lambda' [params] ':' expression
Expr* Parser::lambda() {
  const uint32_t first = begin();
  next();
  Arguments* args = parameters(true);
  if (at(Tok::kColon) && ahead() == Tok::kFStringMiddle)
    fail(from(first), "f-string: lambda expressions are not allowed without parentheses");
  expect_forced(Tok::kColon);
  Expr* body = expression();
  return make<Lambda>(from(first), args, body);
}

Expr* Parser::disjunction() {
  const uint32_t first = begin();
  Expr* head = conjunction();
  if (!at(Tok::kOr)) return head;
  std::vector<Expr*> values{head};
  while (accept(Tok::kOr)) values.push_back(conjunction());
  return make<BoolOp>(from(first), BoolOperator::kOr, list(values));
}

Expr* Parser::conjunction() {
  const uint32_t first = begin();
  Expr* head = inversion();
  if (!at(Tok::kAnd)) return head;
  std::vector<Expr*> values{head};
  while (accept(Tok::kAnd)) values.push_back(inversion());
  return make<BoolOp>(from(first), BoolOperator::kAnd, list(values));
}

Expr* Parser::inversion() {
  const Depth depth(*this);
  const uint32_t first = begin();
  if (!accept(Tok::kNot)) return comparison();
  Expr* operand = inversion();
  return make<UnaryOp>(from(first), UnaryOperator::kNot, operand);
}

Expr* Parser::comparison() {
  const uint32_t first = begin();
  Expr* left = bitwise_or();
  CompareOperator op;
  if (!compare_operator(op)) return left;
  std::vector<CompareOperator> ops;
  std::vector<Expr*> rest;
  do {
    ops.push_back(op);
    rest.push_back(bitwise_or());
  } while (compare_operator(op));
  return make<Compare>(from(first), left, list(ops), list(rest));
}

bool Parser::compare_operator(CompareOperator& op) {
  switch (kind()) {
    case Tok::kEqEqual:
      op = CompareOperator::kEq;
      break;
    case Tok::kNotEqual:
      if (flufl_) return false;
      op = CompareOperator::kNotEq;
      break;
    case Tok::kLessGreater:
      if (!flufl_) return false;
      op = CompareOperator::kNotEq;
      break;
    case Tok::kLess:
      op = CompareOperator::kLt;
      break;
    case Tok::kLessEqual:
      op = CompareOperator::kLtE;
      break;
    case Tok::kGreater:
      op = CompareOperator::kGt;
      break;
    case Tok::kGreaterEqual:
      op = CompareOperator::kGtE;
      break;
    case Tok::kIn:
      op = CompareOperator::kIn;
      break;
    case Tok::kNot:
      if (ahead() != Tok::kIn) return false;
      next();
      op = CompareOperator::kNotIn;
      break;
    case Tok::kIs:
      op = CompareOperator::kIs;
      if (ahead() == Tok::kNot) next(), op = CompareOperator::kIsNot;
      break;
    default:
      return false;
  }
  next();
  return true;
}

// Left-associative operators | ^ & << >> + - * / // % @ of at least this precedence.
Expr* Parser::binary(int min_precedence) {
  const uint32_t first = begin();
  Expr* left = factor();
  for (;;) {
    const Binary b = binary_operator(kind());
    if (b.precedence < min_precedence) return left;
    next();
    Expr* right = binary(b.precedence + 1);
    left = make<BinOp>(from(first), left, b.op, right);
  }
}

Expr* Parser::factor() {
  const uint32_t first = begin();
  UnaryOperator op;
  switch (kind()) {
    case Tok::kPlus:
      op = UnaryOperator::kUAdd;
      break;
    case Tok::kMinus:
      op = UnaryOperator::kUSub;
      break;
    case Tok::kTilde:
      op = UnaryOperator::kInvert;
      break;
    default:
      return power();
  }
  const Depth depth(*this);
  next();
  Expr* operand = factor();
  return make<UnaryOp>(from(first), op, operand);
}

Expr* Parser::power() {
  const uint32_t first = begin();
  Expr* base = await_primary();
  if (!accept(Tok::kDoubleStar)) return base;
  const Depth depth(*this);
  Expr* exponent = factor();
  return make<BinOp>(from(first), base, Operator::kPow, exponent);
}

Expr* Parser::await_primary() {
  const uint32_t first = begin();
  if (!accept(Tok::kAwait)) return primary();
  Expr* value = primary();
  return make<Await>(from(first), value);
}

Expr* Parser::primary() {
  const uint32_t first = begin();
  Expr* e = atom();
  for (;;) {
    switch (kind()) {
      case Tok::kDot: {
        next();
        const Symbol attr = name();
        e = make<Attribute>(from(first), e, attr, Context::kLoad);
        break;
      }
      case Tok::kLParen: {
        next();
        Exprs args;
        Keywords keywords;
        call_arguments(args, keywords);
        expect(Tok::kRParen);
        e = make<Call>(from(first), e, args, keywords);
        break;
      }
      case Tok::kLBracket: {
        next();
        Expr* index = slices();
        expect(Tok::kRBracket);
        e = make<Subscript>(from(first), e, index, Context::kLoad);
        break;
      }
      default:
        return e;
    }
  }
}

Expr* Parser::slices() {
  const uint32_t first = begin();
  Expr* head = slice();
  if (!at(Tok::kComma) && !is<Starred>(head)) return head;
  std::vector<Expr*> elements{head};
  while (accept(Tok::kComma)) {
    if (at(Tok::kRBracket)) break;
    elements.push_back(slice());
  }
  return make<Tuple>(from(first), list(elements), Context::kLoad);
}

// [expression] ':' [expression] [':' [expression]] | named_expression | '*' expression
Expr* Parser::slice() {
  const uint32_t first = begin();
  if (accept(Tok::kStar)) {
    Expr* value = expression();
    return make<Starred>(from(first), value, Context::kLoad);
  }
  Expr *lower = nullptr, *upper = nullptr, *step = nullptr;
  if (!at(Tok::kColon)) {
    lower = named_expression();
    if (!at(Tok::kColon)) return lower;
    if (is<NamedExpr>(lower) && file_.text[first] != '(') fail();
  }
  const auto ends = [&] { return at(Tok::kColon) || at(Tok::kComma) || at(Tok::kRBracket); };
  next();
  if (!ends()) upper = expression();
  if (accept(Tok::kColon) && !ends()) step = expression();
  return make<Slice>(from(first), lower, upper, step);
}

// 'yield' 'from' expression | 'yield' [star_expressions]
Expr* Parser::yield_expression() {
  const uint32_t first = begin();
  next();
  if (accept(Tok::kFrom)) {
    Expr* value = expression();
    return make<YieldFrom>(from(first), value);
  }
  Expr* value = begins_expression(kind()) || at(Tok::kStar) ? star_expressions() : nullptr;
  return make<Yield>(from(first), value);
}

}  // namespace pyk2cu::frontend
