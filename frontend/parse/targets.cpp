// Targets: expressions that something is assigned to. They are parsed as expressions, then judged.
//
// In:   an expression.  Out: its contexts set to Store or Del, or CPython's complaint.
// Tested by tests/unit/frontend/parse_error_test.cpp.
#include "frontend/parse/parser_impl.h"

namespace pyk2cu::frontend {

// star_targets before 'in': elements are of bitwise_or level, so that `in` is left alone
Expr* Parser::target_list() {
  const uint32_t first = begin();
  Expr* head = target_element();
  if (!at(Tok::kComma)) return head;
  std::vector<Expr*> elements{head};
  while (accept(Tok::kComma)) {
    if (!begins_expression(kind()) && !at(Tok::kStar)) break;
    elements.push_back(target_element());
  }
  return make<Tuple>(from(first), list(elements), Context::kLoad);
}

Expr* Parser::target_element() {
  const Depth depth(*this);
  const uint32_t first = begin();
  if (!accept(Tok::kStar)) return bitwise_or();
  Expr* value = at(Tok::kStar) ? (fail(), nothing()) : bitwise_or();
  return make<Starred>(from(first), value, Context::kLoad);
}

const Expr* Parser::invalid_target(const Expr* e, TargetKind kind) const {
  auto first_invalid = [&](Exprs elements) -> const Expr* {
    for (const Expr* x : elements)
      if (const Expr* bad = invalid_target(x, kind)) return bad;
    return nullptr;
  };
  switch (e->kind) {
    case Kind::kName:
    case Kind::kAttribute:
    case Kind::kSubscript:
      return nullptr;
    case Kind::kList:
      return first_invalid(as<List>(e)->elts);
    case Kind::kTuple:
      return first_invalid(as<Tuple>(e)->elts);
    case Kind::kStarred:
      return kind == TargetKind::kDelete ? e : invalid_target(as<Starred>(e)->value, kind);
    default:
      return e;
  }
}

// False, and a complaint, if it cannot be assigned to. single_equal: an '=' comes, and `==` may be
// meant.
bool Parser::check_target(const Expr* target, TargetKind kind, bool single_equal) {
  if (panic_) return false;
  const Expr* bad = invalid_target(target, kind);
  if (!bad) return true;
  const bool yields = is<Yield>(bad) || is<YieldFrom>(bad);
  const bool touches = bad->span.end == file_.base + last_end();
  if (yields && bad == target && touches && at(Tok::kEqual)) {
    fail(bad, "assignment to yield expression not possible", Mistake::kTarget);
    return false;
  }
  const char* verb = kind == TargetKind::kDelete ? "delete" : "assign to";
  std::string message = fmt::format("cannot {} {}", verb, describe(bad));
  const bool in_parentheses = bad == target && !touches;
  if (single_equal && (touches || in_parentheses) && equal_may_be_meant(bad, in_parentheses))
    message += " here. Maybe you meant '==' instead of '='?";
  fail(bad, std::move(message), Mistake::kTarget);
  return false;
}

// Whether CPython would ask for `==` when this stands before an '='.
bool Parser::equal_may_be_meant(const Expr* e, bool in_parentheses) {
  if (is<GeneratorExp>(e) || is<Starred>(e)) return false;
  if (const auto* c = as<Constant>(e))
    return c->value.tag != ConstantValue::kBool && c->value.tag != ConstantValue::kNone;
  if (in_parentheses) return true;
  const auto* u = as<UnaryOp>(e);
  return !is<BoolOp>(e) && !is<Compare>(e) && !is<IfExp>(e) && !is<Lambda>(e) &&
         !is<NamedExpr>(e) && !(u && u->op == UnaryOperator::kNot);
}

// What an annotation or `+=` may have on its left.
bool Parser::is_single_target(const Expr* e) {
  return is<Name>(e) || is<Attribute>(e) || is<Subscript>(e);
}

void Parser::set_context(Expr* target, Context ctx) {
  if (auto* name = as<Name>(target)) {
    name->ctx = ctx;
  } else if (auto* attribute = as<Attribute>(target)) {
    attribute->ctx = ctx;
  } else if (auto* subscript = as<Subscript>(target)) {
    subscript->ctx = ctx;
  } else if (auto* starred = as<Starred>(target)) {
    starred->ctx = ctx;
    set_context(starred->value, ctx);
  } else if (auto* items = as<List>(target)) {
    items->ctx = ctx;
    for (Expr* x : items->elts) set_context(x, ctx);
  } else if (auto* tuple = as<Tuple>(target)) {
    tuple->ctx = ctx;
    for (Expr* x : tuple->elts) set_context(x, ctx);
  }
}

// CPython's name for a kind of expression, for messages.
std::string_view Parser::describe(const Expr* e) {
  switch (e->kind) {
    case Kind::kAttribute:
      return "attribute";
    case Kind::kSubscript:
      return "subscript";
    case Kind::kStarred:
      return "starred";
    case Kind::kName:
      return "name";
    case Kind::kList:
      return "list";
    case Kind::kTuple:
      return "tuple";
    case Kind::kLambda:
      return "lambda";
    case Kind::kCall:
      return "function call";
    case Kind::kGeneratorExp:
      return "generator expression";
    case Kind::kYield:
    case Kind::kYieldFrom:
      return "yield expression";
    case Kind::kAwait:
      return "await expression";
    case Kind::kListComp:
      return "list comprehension";
    case Kind::kSetComp:
      return "set comprehension";
    case Kind::kDictComp:
      return "dict comprehension";
    case Kind::kDict:
      return "dict literal";
    case Kind::kSet:
      return "set display";
    case Kind::kJoinedStr:
    case Kind::kFormattedValue:
      return "f-string expression";
    case Kind::kCompare:
      return "comparison";
    case Kind::kIfExp:
      return "conditional expression";
    case Kind::kNamedExpr:
      return "named expression";
    case Kind::kConstant:
      break;
    default:
      return "expression";
  }
  switch (const ConstantValue& v = static_cast<const Constant*>(e)->value; v.tag) {
    case ConstantValue::kNone:
      return "None";
    case ConstantValue::kBool:
      return v.boolean ? "True" : "False";
    case ConstantValue::kEllipsis:
      return "ellipsis";
    default:
      return "literal";
  }
}

}  // namespace pyk2cu::frontend
