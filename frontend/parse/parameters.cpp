// Parameters of functions and lambdas, and type parameters.
//
// In:   tokens up to the ')' or ':' that ends the list.  Out: Arguments, TypeParams.
// Tested by tests/unit/frontend/parse_statement_test.cpp, tests/run/test_dump_ast.py.
#include "frontend/parse/parser_impl.h"

namespace pyk2cu::frontend {

struct ParameterLists {
  std::vector<Arg*> positional_only, positional, keyword_only;
  std::vector<Expr*> defaults, keyword_defaults;
  Arg *vararg = nullptr, *kwarg = nullptr;
  bool slash = false, star = false;
};

Arguments* Parser::parameters(bool lambda) {
  const uint32_t first = begin();
  const Tok close = lambda ? Tok::kColon : Tok::kRParen;
  ParameterLists lists;
  while (!at(close) && !panic_) {
    if (at(Tok::kStar)) {
      star_parameter(lists, lambda);
    } else if (at(Tok::kDoubleStar)) {
      keyword_parameter(lists, lambda);
      break;
    } else if (at(Tok::kSlash)) {
      parameter_order_error(lists, lambda);
      next();
      lists.slash = true;
      lists.positional_only = std::move(lists.positional);
      lists.positional.clear();
      if (at(Tok::kStar)) fail(span(*tok_), "expected comma between / and *");
    } else if (at(Tok::kLParen)) {
      parameter_order_error(lists, lambda);
    } else {
      Arg* p = parameter(lambda, false);
      Expr* value = nullptr;
      if (at(Tok::kEqual)) {
        if (ahead() == close || ahead() == Tok::kComma)
          fail(span(*tok_), "expected default value expression");
        next();
        value = expression();
      }
      if (lists.star) {
        lists.keyword_only.push_back(p);
        lists.keyword_defaults.push_back(value);
      } else {
        lists.positional.push_back(p);
        if (value) {
          lists.defaults.push_back(value);
        } else if (!lists.defaults.empty()) {
          fail(p, "parameter without a default follows parameter with a default");
        }
      }
    }
    if (!accept(Tok::kComma)) break;
  }
  return make<Arguments>(first == begin() ? span(first, first) : from(first),
                         list(lists.positional_only), list(lists.positional), lists.vararg,
                         list(lists.keyword_only), list(lists.keyword_defaults), lists.kwarg,
                         list(lists.defaults));
}

// NAME [annotation]
Arg* Parser::parameter(bool lambda, bool star) {
  const uint32_t first = begin();
  const Symbol id = name();
  Expr* annotation = nullptr;
  if (!lambda && accept(Tok::kColon)) annotation = star ? star_expression() : expression();
  return make<Arg>(from(first), id, annotation);
}

// '*' [param], at the star
void Parser::star_parameter(ParameterLists& lists, bool lambda) {
  const Token* star = tok_;
  if (lists.star) return fail(span(*star), "* argument may appear only once");
  next();
  lists.star = true;
  const Tok close = lambda ? Tok::kColon : Tok::kRParen;
  if (at(Tok::kName)) {
    lists.vararg = parameter(lambda, true);
    if (at(Tok::kEqual)) fail(span(*tok_), "var-positional argument cannot have default value");
    return;
  }
  const bool nothing_named =
      at(close) || (at(Tok::kComma) && (ahead() == close || ahead() == Tok::kDoubleStar));
  if (nothing_named) return fail(span(*star), "named arguments must follow bare *");
  if (!at(Tok::kComma)) fail();
}

// '**' param [','], at the stars; nothing may follow
void Parser::keyword_parameter(ParameterLists& lists, bool lambda) {
  next();
  lists.kwarg = parameter(lambda, false);
  if (at(Tok::kEqual)) fail(span(*tok_), "var-keyword argument cannot have default value");
  if (!accept(Tok::kComma)) return;
  if (at(Tok::kName) || at(Tok::kStar) || at(Tok::kDoubleStar) || at(Tok::kSlash))
    fail(span(*tok_), "arguments cannot follow var-keyword argument");
}

// At '/' or '(' within a list: complains unless a '/' may stand here.
void Parser::parameter_order_error(const ParameterLists& lists, bool lambda) {
  if (at(Tok::kLParen)) {
    const auto names_in_parentheses = [&] {
      next();
      do {
        if (at(Tok::kRParen)) break;
        parameter(lambda, false);
      } while (accept(Tok::kComma));
      expect(Tok::kRParen);
    };
    if (!lists.star && lists.defaults.empty() && !lists.slash && ahead() == Tok::kName &&
        would_parse(names_in_parentheses))
      return fail(span(*tok_), lambda ? "Lambda expression parameters cannot be parenthesized"
                                      : "Function parameters cannot be parenthesized");
    return fail();
  }
  if (lists.star) return fail(span(*tok_), "/ must be ahead of *");
  if (lists.slash) return fail(span(*tok_), "/ may appear only once");
  if (lists.positional.empty()) return fail(span(*tok_), "at least one argument must precede /");
}

// ['[' ','.type_param+ [','] ']']
TypeParams Parser::type_params() {
  if (!accept(Tok::kLBracket)) return {};
  if (at(Tok::kRBracket)) fail(span(*tok_), "Type parameter list cannot be empty");
  std::vector<TypeParam*> params;
  do {
    if (at(Tok::kRBracket)) break;
    params.push_back(type_param());
  } while (accept(Tok::kComma));
  expect(Tok::kRBracket);
  return list(params);
}

// NAME [':' expression] ['=' expression] | '*' NAME ['=' star_expression] | '**' NAME ['='
// expression]
TypeParam* Parser::type_param() {
  const uint32_t first = begin();
  const bool tuple = accept(Tok::kStar);
  const bool spec = !tuple && accept(Tok::kDoubleStar);
  const Symbol id = name();
  Expr* bound = nullptr;
  if (at(Tok::kColon)) {
    const Token* colon = tok_;
    next();
    bound = expression();
    if ((tuple || spec) && !panic_)
      fail(span(*colon),
           fmt::format("cannot use {} with {}", is<Tuple>(bound) ? "constraints" : "bound",
                       tuple ? "TypeVarTuple" : "ParamSpec"));
  }
  Expr* value = nullptr;
  if (accept(Tok::kEqual)) value = tuple ? star_expression() : expression();
  if (tuple) return make<TypeVarTuple>(from(first), id, value);
  if (spec) return make<ParamSpec>(from(first), id, value);
  return make<TypeVar>(from(first), id, bound, value);
}

}  // namespace pyk2cu::frontend
