// Expressions: the entry points, literals, names, conditions, tuples.
//
// In:   ast::Expr.  Out: Operand or ir::Expr*, statements emitted into the current block before it.
// Literal expressions are folded as CPython's compiler does before anything is typed (S3), so that
// 2 ** -1 is 0.5. `and`, `or` and conditional expressions become Select or Logical when nothing has
// to be emitted for their operands, else an If that sets a temporary.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#include "typeinfer/infer/expr.h"

#include "typeinfer/fold/value.h"

namespace pyk2cu::infer {

namespace {

struct NoNames : fold::Scope {
  const fold::Value* find(Symbol) const override { return nullptr; }
  std::string qualified(Symbol) const override { return {}; }
};

// Made of literals and operators only: what CPython's compiler folds.
bool is_literal(const ast::Expr& e) {
  if (const auto* c = ast::as<ast::Constant>(e)) {
    return c->value.tag != ast::ConstantValue::kNone &&
           c->value.tag != ast::ConstantValue::kEllipsis &&
           c->value.tag != ast::ConstantValue::kBytes;
  }
  if (const auto* u = ast::as<ast::UnaryOp>(e)) return is_literal(*u->operand);
  if (const auto* b = ast::as<ast::BinOp>(e)) return is_literal(*b->left) && is_literal(*b->right);
  return false;
}

std::optional<Operand> folded(Infer& in, const ast::Expr& e) {
  if (!is_literal(e)) return std::nullopt;
  const auto value = fold::fold(e, NoNames{});
  if (!value) return std::nullopt;
  if (value->kind != fold::Value::Kind::kStr && !fold::type_of(*value)) return std::nullopt;
  return in.constant(*value, Symbol(), e.span);
}

Operand literal(Infer& in, const ast::Constant& c) {
  using Tag = ast::ConstantValue;
  const ast::ConstantValue& v = c.value;
  switch (v.tag) {
    case Tag::kNone:
      return {None{}, c.span};
    case Tag::kEllipsis:
      return {Ellipsis{}, c.span};
    case Tag::kBool:
      return to_operand(in.const_bool(v.boolean, c.span));
    case Tag::kInt: {
      const bool fits = v.integer <= uint64_t(INT64_MAX);
      return to_operand(
          in.const_int(int64_t(v.integer), fits ? types::int64() : types::uint64(), c.span));
    }
    case Tag::kBigInt:
      in.report(c.span, diag::IntegerTooLarge).help("the largest is 18446744073709551615");
      return error();
    case Tag::kFloat:
      return to_operand(in.const_float(v.number, types::float64(), c.span));
    case Tag::kImaginary: {
      ir::Value z;
      z.kind = ir::Value::Kind::kComplex;
      z.number = {0, v.number};
      return to_operand(in.make(ir::Const{{ir::ExprKind::kConst, types::complex128(), c.span}, z}));
    }
    case Tag::kStr:
      return {Str{in.unit().program().keep(std::string(v.text))}, c.span};
    case Tag::kBytes:
      in.not_supported(c.span, "a bytes literal");
      return error();
  }
  return error();
}

Operand slice(Infer& in, const ast::Slice& s) {
  std::vector<const ast::Expr*> exprs;
  for (const ast::Expr* part : {s.lower, s.upper, s.step}) {
    if (part) exprs.push_back(part);
  }
  std::vector<Operand> present = operands(in, exprs);
  Slice made;
  size_t next = 0;
  for (const ast::Expr* part : {s.lower, s.upper, s.step}) {
    made.parts.push_back(part ? std::move(present[next++]) : Operand{None{}, s.span});
  }
  return {std::move(made), s.span};
}

Operand tuple(Infer& in, const ast::Tuple& t) {
  std::vector<const ast::Expr*> exprs;
  for (const ast::Expr* item : t.elts) {
    const auto* star = ast::as<ast::Starred>(item);
    exprs.push_back(star ? star->value : item);
  }
  const std::vector<Operand> items = operands(in, exprs);
  Pack pack;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].is_error()) return error();
    if (!ast::is<ast::Starred>(t.elts[i])) {
      pack.parts.push_back(items[i]);
    } else if (items[i].is<Pack>()) {
      for (const Operand& part : items[i].parts()) pack.parts.push_back(part);
    } else if (items[i].is_value() && items[i].type()->is_tuple()) {
      ir::Expr* whole = in.once(items[i].value());
      for (size_t k = 0; k < items[i].type()->items.size(); ++k) {
        pack.parts.push_back(to_operand(in.tuple_item(whole, int(k), t.span)));
      }
    } else {
      in.not_supported(t.elts[i]->span, "`*` before something other than a tuple");
      return error();
    }
  }
  std::vector<ir::Expr*> values;
  for (const Operand& part : pack.parts) {
    if (!part.is_value()) return {std::move(pack), t.span};
    values.push_back(part.value());
  }
  return to_operand(in.make_tuple(std::move(values), t.span));
}

// a and (b and c), from operand k on: what stands behind is evaluated where what stands before
// says.
ir::Expr* bool_value(Infer& in, const ast::BoolOp& e, size_t k) {
  const ast::Expr& first = *e.values[k];
  if (k + 1 == e.values.size()) return in.value(first);
  Operand left = in.operand(first);
  ir::Expr* value = in.value_of(left, first.span);
  if (!value->type->is_bool()) value = in.once(value);
  if (left.is_value()) left.set_value(value);
  ir::Expr* condition = in.condition_of(first, left, Infer::As::kValue);
  const auto evaluate = [&] { return bool_value(in, e, k + 1); };
  const auto keep = [value] { return value; };
  const ast::Expr& next = *e.values[k + 1];
  return e.op == ast::BoolOperator::kAnd
             ? choose(in, {next, condition, evaluate, keep, e.span})
             : choose(in, {next, condition, keep, evaluate, e.span, 1, 0});
}

ir::Expr* bool_condition(Infer& in, const ast::BoolOp& e, size_t k) {
  ir::Expr* left = in.condition(*e.values[k]);
  if (k + 1 == e.values.size()) return left;
  const bool is_and = e.op == ast::BoolOperator::kAnd;
  const auto evaluate = [&] { return bool_condition(in, e, k + 1); };
  const auto keep = [&] { return in.const_bool(!is_and, e.span); };
  const ast::Expr& next = *e.values[k + 1];
  return is_and ? choose(in, {next, left, evaluate, keep, e.span})
                : choose(in, {next, left, keep, evaluate, e.span, 1, 0});
}

// A condition as a value: known is known, whenever.
ir::Expr* settled(Infer& in, ir::Expr* condition) {
  const std::optional<bool> is_true = decided(condition);
  return is_true ? in.const_bool(*is_true, condition->span) : condition;
}

Operand conditional(Infer& in, const ast::IfExp& e) {
  ir::Expr* condition = in.condition(*e.test);
  if (const bool* is_true = known(condition)) {  // keeps functions and the like
    Operand o = in.operand(*is_true ? *e.body : *e.orelse);
    if (in.has_join(e)) {
      in.edge(scope::edge_key(e, *is_true ? 0 : 1));
      in.join(e);
    }
    return o;
  }
  return to_operand(settled(in, choose(in, {e, condition, [&] { return in.value(*e.body); },
                                            [&] { return in.value(*e.orelse); }, e.span})));
}

Operand walrus(Infer& in, const ast::NamedExpr& e) {
  in.assign(*e.target, in.operand(*e.value), e.span);
  return in.stored(*e.target, e.span);
}

Operand binary_op(Infer& in, const ast::BinOp& e) {
  if (auto value = folded(in, e)) return *value;
  const std::vector<Operand> sides = operands(in, {e.left, e.right});
  return binary_operands(in, e.op, sides[0], sides[1], e.span);
}

Operand unary_op(Infer& in, const ast::UnaryOp& e) {
  if (auto value = folded(in, e)) return *value;
  if (e.op == ast::UnaryOperator::kNot) {
    return to_operand(settled(in, in.negate(in.condition(*e.operand))));
  }
  return to_operand(unary(in, e.op, in.value(*e.operand), e.span));
}

Operand comparison(Infer& in, const ast::Compare& e) {
  return to_operand(settled(in, compare_chain(in, e)));
}

Operand unsupported(Infer& in, const ast::Expr& e) {
  struct Refusal {
    ast::Kind kind;
    const char* what;
    const char* help;
  };
  static constexpr const char* kLoop = "write a loop that stores into an array or adds up";
  static constexpr const char* kYield = "return an array, or call the function once per item";
  static constexpr const char* kText = "make the text in the caller";
  static constexpr Refusal kRefusals[] = {
      {ast::Kind::kDict, "a dict", "use arrays: sorted keys and their values, say"},
      {ast::Kind::kSet, "a set", "use a boolean array, or a sorted one"},
      {ast::Kind::kList, "a list", "write a tuple or an array"},
      {ast::Kind::kListComp, "a list comprehension", kLoop},
      {ast::Kind::kSetComp, "a set comprehension", kLoop},
      {ast::Kind::kDictComp, "a dict comprehension", kLoop},
      {ast::Kind::kGeneratorExp, "a generator expression", kLoop},
      {ast::Kind::kAwait, "`await`", "await in the caller"},
      {ast::Kind::kYield, "`yield`", kYield},
      {ast::Kind::kYieldFrom, "`yield from`", kYield},
      {ast::Kind::kFormattedValue, "an f-string", kText},
      {ast::Kind::kJoinedStr, "an f-string", kText},
      {ast::Kind::kStarred, "`*` outside a call or tuple", ""},
  };
  for (const Refusal& refusal : kRefusals) {
    if (refusal.kind == e.kind) {
      in.not_supported(e.span, refusal.what, refusal.help);
      return error();
    }
  }
  in.not_supported(e.span, "this expression");
  return error();
}

ir::Expr* known_choice(Infer& in, const Choice& c, bool is_true) {
  ir::Expr* value = is_true ? c.yes() : c.no();
  if (in.has_join(c.at)) {
    in.edge(scope::edge_key(c.at, is_true ? c.yes_slot : c.no_slot));
    in.join(c.at);
  }
  return value;
}

// The choice as an expression, when nothing had to be emitted for its sides.
ir::Expr* plain_choice(Infer& in, const Choice& c, const Type* type, ir::Expr* yes, ir::Expr* no) {
  if (const std::optional<bool> is_true = decided(c.condition)) {
    ir::Expr* taken = in.convert(*is_true ? yes : no, type, c.span);
    return type->is_bool() ? in.folded_late(taken) : taken;
  }
  if (type->is_bool()) {
    if (const bool* n = known(no); n && !*n) return in.logical(true, c.condition, yes, c.span);
    if (const bool* y = known(yes); y && *y) return in.logical(false, c.condition, no, c.span);
    if (no == c.condition) return in.logical(true, c.condition, yes, c.span);
    if (yes == c.condition) return in.logical(false, c.condition, no, c.span);
  }
  return in.make(ir::Select{{ir::ExprKind::kSelect, type, c.span},
                            c.condition,
                            in.convert(yes, type, c.span),
                            in.convert(no, type, c.span)});
}

}  // namespace

const bool* known(const ir::Expr* condition) {
  static constexpr bool kValues[] = {false, true};
  if (condition->kind != ir::ExprKind::kConst || !condition->type->is_bool()) return nullptr;
  return &kValues[ir::as<ir::Const>(condition)->value.integer != 0];
}

ir::Expr* choose(Infer& in, const Choice& c) {
  if (Infer::is_error(c.condition)) {
    c.yes();
    c.no();
    if (in.has_join(c.at)) {
      in.edge(scope::edge_key(c.at, c.yes_slot));
      in.edge(scope::edge_key(c.at, c.no_slot));
      in.join(c.at);
    }
    return in.error(c.span);
  }
  if (const bool* is_true = known(c.condition)) return known_choice(in, c, *is_true);
  ir::Expr *yes = nullptr, *no = nullptr;
  ir::Block* body = in.into_block([&] { yes = c.yes(); });
  ir::Block* orelse = in.into_block([&] { no = c.no(); });
  const bool pending = Infer::is_error(yes) || Infer::is_error(no);
  const Type* type = pending ? nullptr : types::unify(yes->type, no->type, in.dialect());
  if (!pending && !type) {
    in.report(c.span, diag::ChoiceTypes, types::print(yes->type), types::print(no->type));
    return in.error(c.span);
  }
  const bool joins = in.has_join(c.at);
  if (!pending && body->empty() && orelse->empty() && !joins && !type->is_array()) {
    return plain_choice(in, c, type, yes, no);
  }
  ir::Local* result = pending ? nullptr : in.temp("t", type, c.span);
  const auto finish = [&](ir::Block* block, ir::Expr* side, int slot) {
    in.in_block(block, [&] {
      if (result) in.emit_assign(result, in.convert(side, type, c.span), c.span);
      if (joins) in.edge(scope::edge_key(c.at, slot));
    });
  };
  finish(body, yes, c.yes_slot);
  finish(orelse, no, c.no_slot);
  if (const std::optional<bool> is_true = decided(c.condition)) {
    for (ir::Stmt* s : *is_true ? *body : *orelse) in.emit(s);
  } else {
    in.emit(in.make(ir::If{{ir::StmtKind::kIf, c.span}, c.condition, body, orelse}));
  }
  if (joins) in.join(c.at);
  if (pending) return Infer::is_error(yes) ? no : yes;
  return in.load(result, c.span);
}

std::vector<Operand> operands(Infer& in, const std::vector<const ast::Expr*>& exprs) {
  std::vector<Operand> result;
  std::vector<Infer::Mark> marks;
  for (const ast::Expr* e : exprs) {
    result.push_back(in.operand(*e));
    if (!result.back().span.valid()) result.back().span = e->span;
    marks.push_back(in.mark());
  }
  for (size_t i = result.size(); i-- > 0;) {  // backward: spilling moves what comes after
    if (!result[i].is_value()) continue;
    result[i].set_value(in.settle(result[i].value(), marks[i]));
  }
  return result;
}

namespace {

std::string quoted(std::string_view before, std::string_view name) {
  return std::string(before) + " `" + std::string(name) + "`";
}

struct Describe {
  std::string operator()(const Error&) const { return "this"; }
  std::string operator()(const Value&) const { return "this"; }
  std::string operator()(const Function& o) const {
    if (o.definition->lambda) return "a lambda";
    const Symbol name = o.definition->name;
    return name ? quoted("the function", name.str()) : "a function";
  }
  std::string operator()(const Qualified& o) const {
    return quoted(is_module_path(o.path) ? "the module" : "the function", user_path(o.path));
  }
  std::string operator()(const Method& o) const { return quoted("the method", o.name.str()); }
  std::string operator()(const DType& o) const { return quoted("the type", types::print(o.type)); }
  std::string operator()(const FieldClass& o) const {
    return quoted("the class", o.fields->name.str());
  }
  std::string operator()(const Module&) const { return "a module"; }
  std::string operator()(const Range&) const { return "a range"; }
  std::string operator()(const Enumerate&) const { return "an enumerate object"; }
  std::string operator()(const Zip&) const { return "a zip object"; }
  std::string operator()(const Reversed&) const { return "a reversed object"; }
  std::string operator()(const Flat&) const { return "the `.flat` of an array"; }
  std::string operator()(const Slice&) const { return "a slice"; }
  std::string operator()(const Str&) const { return "a string"; }
  std::string operator()(const None&) const { return "`None`"; }
  std::string operator()(const Ellipsis&) const { return "`...`"; }
  std::string operator()(const Pack&) const { return "this tuple"; }
};

}  // namespace

std::string describe(const Operand& o) { return std::visit(Describe{}, o.meaning); }

std::string type_name(const Operand& o) {
  if (o.is_value()) return types::print(o.type());
  if (o.is<None>()) return "none";
  if (o.is<Str>()) return "str";
  if (o.is<Function>() || o.is<Qualified>() || o.is<Method>()) return "function";
  if (o.is<DType>()) return "dtype(" + types::print(o.as<DType>().type) + ")";
  return o.is<Pack>() ? "tuple" : describe(o);
}

ir::Expr* array_expression(Infer& in, Span span, std::string_view what) {
  in.report(span, diag::ArrayExpression, what).help("write a loop over the elements");
  return in.error(span);
}

// ---- Infer's entry points ----------------------------------------------------------------------

Operand Infer::operand(const ast::Expr& e) {
  Operand o = meaning(e);
  if (o.is_value() && !o.constant() && !ast::is<ast::Name>(e))
    o.set_value(grown(grown_expressions_[e.id], o.value()));
  return o;
}

Operand Infer::meaning(const ast::Expr& e) {
  return ast::visit(e, ast::overloaded{
                           [&](const ast::Constant& n) { return literal(*this, n); },
                           [&](const ast::Name& n) { return name(n); },
                           [&](const ast::BinOp& n) { return binary_op(*this, n); },
                           [&](const ast::UnaryOp& n) { return unary_op(*this, n); },
                           [&](const ast::BoolOp& n) {
                             return to_operand(settled(*this, bool_value(*this, n, 0)));
                           },
                           [&](const ast::Compare& n) { return comparison(*this, n); },
                           [&](const ast::IfExp& n) { return conditional(*this, n); },
                           [&](const ast::NamedExpr& n) { return walrus(*this, n); },
                           [&](const ast::Call& n) { return call(n); },
                           [&](const ast::Attribute& n) { return attribute(*this, n); },
                           [&](const ast::Subscript& n) { return subscript(*this, n); },
                           [&](const ast::Tuple& n) { return tuple(*this, n); },
                           [&](const ast::Slice& n) { return slice(*this, n); },
                           [&](const ast::Lambda& n) { return make_closure(n); },
                           [&](const auto& n) { return unsupported(*this, n); },
                       });
}

ir::Expr* Infer::value(const ast::Expr& e) { return value_of(operand(e), e.span); }

ir::Expr* Infer::value_of(const Operand& o, Span span) {
  if (o.is_error()) return error(span);
  if (o.is_value()) return o.value();
  if (o.is<None>())
    return make(ir::Const{{ir::ExprKind::kConst, types::none(), span}, ir::Value{}});
  if (o.is<Str>()) return const_str(o.as<Str>().text, span);
  if (!o.is<Pack>()) {
    report(span, diag::NotAValue, describe(o));
    return error(span);
  }
  std::vector<ir::Expr*> items;
  for (const Operand& part : o.parts()) {
    items.push_back(value_of(part, part.span.valid() ? part.span : span));
    if (is_error(items.back())) return error(span);
  }
  return make_tuple(std::move(items), span);
}

ir::Expr* Infer::condition(const ast::Expr& e) {
  const auto* jumps = ast::as<ast::BoolOp>(e);
  const auto* chain = ast::as<ast::Compare>(e);
  const auto* u = ast::as<ast::UnaryOp>(e);
  const bool negates = u && u->op == ast::UnaryOperator::kNot;
  if (!jumps && !chain && !negates) return condition_of(e, operand(e), As::kJump);
  ir::Expr* c = jumps   ? bool_condition(*this, *jumps, 0)
                : chain ? compare_chain(*this, *chain)
                        : folded_late(negate(condition(*u->operand)));
  const std::optional<EarlyTruth> early = early_truth(e, As::kJump);
  return early && !is_error(c) ? const_bool(early->is_true, e.span) : c;
}

ir::Expr* Infer::condition_of(const ast::Expr& e, const Operand& o, As as) {
  if (o.is_error()) return error(e.span);
  if (const auto early = early_truth(e, as)) return const_bool(early->is_true, e.span);
  if (o.is<None>()) return folded_late(const_bool(false, e.span));
  if (o.is<Str>()) return folded_late(const_bool(!o.as<Str>().text.empty(), e.span));
  if (o.is<Pack>()) return folded_late(const_bool(!o.parts().empty(), e.span));
  if (o.is<Function>()) return const_bool(true, e.span);
  return folded_late(truth(value_of(o, e.span), e.span));
}

ir::Expr* Infer::truth(ir::Expr* e, Span span) {
  const Type* type = e->type;
  if (is_error(e) || type->is_bool()) return e;
  if (type->is_none()) return const_bool(false, span);
  if (type->is_tuple()) return const_bool(!type->items.empty(), span);
  if (type->is_number()) return cast(e, types::boolean());
  if (type->is_optional()) {
    e = once(e);
    ir::Expr* has = make(ir::HasValue{{ir::ExprKind::kHasValue, types::boolean(), span}, e});
    ir::Expr* inside = make(ir::Unwrap{{ir::ExprKind::kUnwrap, type->elem, span}, e});
    return logical(true, has, truth(inside, span), span);
  }
  if (e->kind == ir::ExprKind::kConst && type->kind == types::Kind::kStr) {
    return const_bool(!ir::as<ir::Const>(e)->value.text.empty(), span);
  }
  auto builder = report(span, diag::NoTruth, types::print(type));
  if (type->is_array()) builder.help("ask for its length, `len(a) > 0`, or for an element");
  return error(span);
}

}  // namespace pyk2cu::infer
