// Expressions: the entry points, literals, names, conditions, tuples.
//
// In:   ast::Expr.  Out: Operand or ir::Expr*, statements emitted into the current block before it.
// Literal expressions are folded as CPython's compiler does before anything is typed, so that
// 2 ** -1 is 0.5. `and`, `or` and conditional expressions become Select or Logical when nothing has
// to be emitted for their operands, else an If that sets a temporary.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#include "typeinfer/infer/expr.h"

#include "typeinfer/fold/value.h"
#include "typeinfer/infer/lists.h"
#include "typeinfer/infer/tables.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/walk.h"

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

std::optional<Operand> folded(Emitter& in, const ast::Expr& e) {
  if (!is_literal(e)) return std::nullopt;
  const auto value = fold::fold(e, NoNames{});
  if (!value) return std::nullopt;
  if (value->kind != fold::Value::Kind::kStr && !fold::type_of(*value)) return std::nullopt;
  return constant(in, *value, Symbol(), e.span);
}

Operand slice(Expressions& in, const ast::Slice& s) {
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

}  // namespace

Operand items_of(Expressions& in, std::span<ast::Expr* const> elts, Span span) {
  Emitter& out = in.emitter();
  std::vector<const ast::Expr*> exprs;
  for (const ast::Expr* item : elts) {
    const auto* star = ast::as<ast::Starred>(item);
    exprs.push_back(star ? star->value : item);
  }
  const std::vector<Operand> items = operands(in, exprs);
  Pack pack;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].is_error()) return error();
    if (!ast::is<ast::Starred>(elts[i])) {
      pack.parts.push_back(items[i]);
    } else if (items[i].is<Pack>()) {
      for (const Operand& part : items[i].parts()) pack.parts.push_back(part);
    } else if (items[i].is_value() && items[i].type()->is_tuple()) {
      ir::Expr* whole = out.once(items[i].value());
      for (size_t k = 0; k < items[i].type()->items.size(); ++k) {
        pack.parts.push_back(to_operand(tuple_item(out, whole, int(k), span)));
      }
    } else {
      out.not_supported(elts[i]->span, "`*` before something other than a tuple");
      return error();
    }
  }
  std::vector<ir::Expr*> values;
  for (const Operand& part : pack.parts) {
    if (part.is_value()) values.push_back(part.value());
  }
  if (values.size() < pack.parts.size()) {
    Operand made{std::move(pack), span};
    return out.fits(count_leaves(made), span) ? std::move(made) : error();
  }
  return to_operand(out.make_tuple(std::move(values), span));
}

namespace {

// a and (b and c), from operand k on: what stands behind is evaluated where what stands before
// says.
ir::Expr* bool_value(Expressions& in, const ast::BoolOp& e, size_t k) {
  Emitter& out = in.emitter();
  const ast::Expr& first = *e.values[k];
  if (k + 1 == e.values.size()) return in.value(first);
  Operand left = in.operand(first);
  ir::Expr* value = value_of(out, left, first.span);
  if (!value->type->is_bool()) value = out.once(value);
  if (left.is_value()) left.set_value(value);
  ir::Expr* condition = in.condition_of(first, left, Early::As::kValue);
  const auto evaluate = [&] { return bool_value(in, e, k + 1); };
  const auto keep = [value] { return value; };
  const ast::Expr& next = *e.values[k + 1];
  return e.op == ast::BoolOperator::kAnd
             ? choose(in, {next, condition, evaluate, keep, e.span})
             : choose(in, {next, condition, keep, evaluate, e.span, 1, 0});
}

ir::Expr* bool_condition(Expressions& in, const ast::BoolOp& e, size_t k) {
  Emitter& out = in.emitter();
  ir::Expr* left = in.condition(*e.values[k]);
  if (k + 1 == e.values.size()) return left;
  const bool is_and = e.op == ast::BoolOperator::kAnd;
  ir::Expr* right = nullptr;
  const auto evaluate = [&] { return right = bool_condition(in, e, k + 1); };
  const auto keep = [&] { return out.const_bool(!is_and, e.span); };
  const ast::Expr& next = *e.values[k + 1];
  ir::Expr* both = is_and ? choose(in, {next, left, evaluate, keep, e.span})
                          : choose(in, {next, left, keep, evaluate, e.span, 1, 0});
  // Not the constant of the other side: what no walk knows yet decides nothing.
  return is_error(left) || (right && is_error(right)) ? out.error(e.span) : both;
}

// A condition as a value: known is known, whenever.
ir::Expr* settled(Emitter& in, ir::Expr* condition) {
  const std::optional<bool> is_true = decided(condition);
  return is_true ? in.const_bool(*is_true, condition->span) : condition;
}

// range(n) if c else range(2, m): a choice between the bounds that differ.
class Sides {
 public:
  explicit Sides(Expressions& in) : in_(in), out_(in.emitter()) {}

  ir::Expr* evaluate(const ast::Expr& e) {
    sides_.push_back(in_.operand(e));
    sides_.back().span = e.span;
    if (sides_.back().is<Range>()) return out_.const_int(0);  // until the other one is known
    return value_of(out_, sides_.back(), e.span);
  }
  void meet(ir::Expr*& yes, ir::Expr*& no) {
    if (!sides_[0].is<Range>() && !sides_[1].is<Range>()) return;
    type_ = nullptr;
    if (sides_[0].is<Range>() && sides_[1].is<Range>()) {
      const Range &a = sides_[0].as<Range>(), &b = sides_[1].as<Range>();
      Operand both = sides_[0];
      if (merge(both, sides_[1], out_.dialect())) {
        type_ = both.as<Range>().type();
      } else if (a.parallel == b.parallel) {  // uint64 and int64
        out_.report(sides_[1].span, diag::CannotUnify, "range", types::print(a.type()),
                    types::print(b.type()));
        yes = no = out_.error(sides_[0].span);
        return;
      }
    }
    yes = bounds(sides_[0], yes);
    no = bounds(sides_[1], no);
    if (!type_) yes = no = out_.error(sides_[0].span);
  }
  // The choice as an operand.
  Operand result(ir::Expr* chosen) {
    if (!type_ || is_error(chosen)) return to_operand(chosen);
    Range range = sides_[0].as<Range>();
    ir::Expr* tuple = differing_.size() > 1 ? out_.once(chosen, "bounds") : nullptr;
    for (Value Range::* bound : {&Range::lo, &Range::hi, &Range::step})
      range.*bound = Value(cast(out_, (range.*bound).expr, type_));
    for (size_t k = 0; k < differing_.size(); ++k)
      range.*differing_[k] =
          Value(tuple ? tuple_item(out_, tuple, int(k), chosen->span) : out_.once(chosen, "bound"));
    return {range, chosen->span};
  }

 private:
  static bool is_same(const ir::Expr* a, const ir::Expr* b) {
    return a->kind == ir::ExprKind::kConst && b->kind == ir::ExprKind::kConst &&
           ir::as<ir::Const>(a)->value.integer == ir::as<ir::Const>(b)->value.integer;
  }
  // The bounds of a side that differ from those of the other: one value, or a tuple.
  ir::Expr* bounds(const Operand& side, ir::Expr* value) {
    if (!side.is<Range>()) return value;
    if (!type_) return value_of(out_, side, side.span);  // a range and something else
    const Range &a = sides_[0].as<Range>(), &b = sides_[1].as<Range>();
    differing_.clear();
    for (Value Range::* bound : {&Range::lo, &Range::hi, &Range::step})
      if (!is_same((a.*bound).expr, (b.*bound).expr)) differing_.push_back(bound);
    std::vector<ir::Expr*> items;
    for (Value Range::* bound : differing_)
      items.push_back(cast(out_, (side.as<Range>().*bound).expr, type_));
    if (items.empty()) return value;
    return items.size() == 1 ? items[0] : out_.make_tuple(std::move(items), side.span);
  }

  Expressions& in_;
  Emitter& out_;
  std::vector<Operand> sides_{};
  const Type* type_ = nullptr;  // of the bounds; null: these are no two ranges
  std::vector<Value Range::*> differing_{};
};

Operand conditional(Expressions& in, const ast::IfExp& e) {
  Emitter& out = in.emitter();
  ir::Expr* condition = in.condition(*e.test);
  if (const bool* is_true = known(condition)) {  // keeps functions and the like
    Operand o = in.operand(*is_true ? *e.body : *e.orelse);
    if (in.joins().has_join(e)) {
      in.joins().edge(scope::edge_key(e, *is_true ? 0 : 1));
      in.joins().join(e);
    }
    return o;
  }
  Sides sides(in);
  Choice choice{e, condition, [&] { return sides.evaluate(*e.body); },
                [&] { return sides.evaluate(*e.orelse); }, e.span};
  choice.meet = [&](ir::Expr*& yes, ir::Expr*& no) { sides.meet(yes, no); };
  return sides.result(settled(out, choose(in, choice)));
}

Operand walrus(Expressions& in, const ast::NamedExpr& e) {
  const auto& target = *ast::as<ast::Name>(e.target);
  in.names().bind(target, target.id, in.operand(*e.value), e.span);
  return in.names().stored(target, e.span);
}

Operand binary_op(Expressions& in, const ast::BinOp& e, ListSite site) {
  Emitter& out = in.emitter();
  if (auto value = folded(out, e)) return *value;
  for (const ast::Expr* side : {e.left, e.right}) {
    const auto* list = ast::as<ast::List>(side);
    const bool one = list && list->elts.size() == 1 && !ast::is<ast::Starred>(list->elts[0]);
    if (one && e.op == ast::Operator::kMult) return list_repeated(in, e, *list, site);
  }
  const std::vector<Operand> sides = operands(in, {e.left, e.right});
  return binary_operands(out, e.op, sides[0], sides[1], e.span);
}

Operand unary_op(Expressions& in, const ast::UnaryOp& e) {
  Emitter& out = in.emitter();
  if (auto value = folded(out, e)) return *value;
  if (e.op == ast::UnaryOperator::kNot) {
    return to_operand(settled(out, negate(out, in.condition(*e.operand))));
  }
  return to_operand(unary(out, e.op, in.value(*e.operand), e.span));
}

Operand comparison(Expressions& in, const ast::Compare& e) {
  Emitter& out = in.emitter();
  return to_operand(settled(out, compare_chain(in, e)));
}

Operand unsupported(Emitter& in, const ast::Expr& e) {
  struct Refusal {
    ast::Kind kind;
    const char* what;
    const char* help;
  };
  static constexpr const char* kLoop = "write a loop that stores into an array or adds up";
  static constexpr const char* kYield = "return an array, or call the function once per item";
  static constexpr const char* kText = "make the text in the caller";
  static constexpr Refusal kRefusals[] = {
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

// f"text" without anything to fill in.
Operand constant_text(Emitter& in, const ast::JoinedStr& e) {
  if (e.values.empty()) return {Str{""}, e.span};
  const auto* only = ast::as<ast::Constant>(e.values[0]);
  return only && e.values.size() == 1 ? literal(in, *only) : unsupported(in, e);
}

ir::Expr* known_choice(Expressions& in, const Choice& c, bool is_true) {
  ir::Expr* value = is_true ? c.yes() : c.no();
  if (in.joins().has_join(c.at)) {
    in.joins().edge(scope::edge_key(c.at, is_true ? c.yes_slot : c.no_slot));
    in.joins().join(c.at);
  }
  return value;
}

// The choice as an expression, when nothing had to be emitted for its sides.
ir::Expr* plain_choice(Emitter& in, const Choice& c, const Type* type, ir::Expr* yes,
                       ir::Expr* no) {
  if (const std::optional<bool> is_true = decided(c.condition)) {
    ir::Expr* taken = convert(in, *is_true ? yes : no, type, c.span);
    return type->is_bool() ? folded_late(in, taken) : taken;
  }
  if (type->is_bool()) {
    if (const bool* n = known(no); n && !*n) return logical(in, true, c.condition, yes, c.span);
    if (const bool* y = known(yes); y && *y) return logical(in, false, c.condition, no, c.span);
    if (no == c.condition) return logical(in, true, c.condition, yes, c.span);
    if (yes == c.condition) return logical(in, false, c.condition, no, c.span);
  }
  return in.make(ir::Select{{ir::ExprKind::kSelect, type, c.span},
                            c.condition,
                            convert(in, yes, type, c.span),
                            convert(in, no, type, c.span)});
}

}  // namespace

ir::Expr* choose(Expressions& in, const Choice& c) {
  Emitter& out = in.emitter();
  if (is_error(c.condition)) {
    ir::Expr *yes = c.yes(), *no = c.no();
    if (in.joins().has_join(c.at)) {
      in.joins().edge(scope::edge_key(c.at, c.yes_slot));
      in.joins().edge(scope::edge_key(c.at, c.no_slot));
      in.joins().join(c.at);
    }
    if (!out.context().is_pending()) return out.error(c.span);
    return is_error(yes) ? no : yes;  // x in d, of a dict whose keys no walk knows yet
  }
  if (const bool* is_true = known(c.condition)) return known_choice(in, c, *is_true);
  ir::Expr *yes = nullptr, *no = nullptr;
  ir::Block* body = out.into_block([&] { yes = c.yes(); });
  ir::Block* orelse = out.into_block([&] { no = c.no(); });
  if (c.meet) c.meet(yes, no);
  const bool pending = is_error(yes) || is_error(no);
  const Type* type = pending ? nullptr : types::unify(yes->type, no->type, out.dialect());
  if (!pending && !type) {
    out.report(c.span, diag::ChoiceTypes, types::print(yes->type), types::print(no->type));
    return out.error(c.span);
  }
  const bool joins = in.joins().has_join(c.at);
  if (!pending && body->empty() && orelse->empty() && !joins && !type->is_array()) {
    return plain_choice(out, c, type, yes, no);
  }
  ir::Local* result = pending ? nullptr : out.temp("t", type, c.span);
  const auto finish = [&](ir::Block* block, ir::Expr* side, int slot) {
    out.in_block(block, [&] {
      if (result) out.emit_assign(result, convert(out, side, type, c.span), c.span);
      if (joins) in.joins().edge(scope::edge_key(c.at, slot));
    });
  };
  finish(body, yes, c.yes_slot);
  finish(orelse, no, c.no_slot);
  if (joins) in.joins().join(c.at);  // before the blocks are taken apart: it puts copies there
  if (const std::optional<bool> is_true = decided(c.condition)) {
    for (ir::Stmt* s : *is_true ? *body : *orelse) out.emit(s);
  } else {
    out.emit(out.make(ir::If{{ir::StmtKind::kIf, c.span}, c.condition, body, orelse}));
  }
  if (pending) return is_error(yes) ? no : yes;
  return out.load(result, c.span);
}

std::vector<Operand> operands(Expressions& in, const std::vector<const ast::Expr*>& exprs,
                              ListSite site) {
  std::vector<Operand> result;
  std::vector<Emitter::Mark> marks;
  int effects = 0;
  for (const ast::Expr* e : exprs) {
    in.expect_list(site);
    result.push_back(in.operand(*e));
    if (!result.back().span.valid()) result.back().span = e->span;
    marks.push_back(in.emitter().mark());
    if (!result.back().is_value() || !ir::has_effect(result.back().value())) continue;
    in.emitter().nests().expect_effects(1);
    ++effects;
  }
  in.emitter().nests().expect_effects(-effects);
  for (size_t i = result.size(); i-- > 0;) {  // backward: spilling moves what comes after
    if (!result[i].is_value()) continue;
    result[i].set_value(in.emitter().settle(result[i].value(), marks[i]));
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
  std::string operator()(const TypeInfo& o) const {
    return quoted("the limits of", types::print(o.type));
  }
  std::string operator()(const Module&) const { return "a module"; }
  std::string operator()(const Range&) const { return "a range"; }
  std::string operator()(const Enumerate&) const { return "an enumerate object"; }
  std::string operator()(const Zip&) const { return "a zip object"; }
  std::string operator()(const Reversed&) const { return "a reversed object"; }
  std::string operator()(const Entries&) const { return "the entries of a dict"; }
  std::string operator()(const Generated& o) const {
    return quoted("the generator", o.function->name.str());
  }
  std::string operator()(const Flat&) const { return "the `.flat` of an array"; }
  std::string operator()(const Grid&) const { return "the indices of an array"; }
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

ir::Expr* array_expression(Emitter& in, Span span, std::string_view what,
                           std::initializer_list<const ir::Expr*> operands) {
  auto builder = in.report(span, diag::ArrayExpression, what);
  builder.help("write a loop over the elements");
  for (const ir::Expr* operand : operands) {
    const auto* row = ir::try_as<ir::View>(operand);
    const ir::Local* array = row ? ir::loaded(row->array) : nullptr;
    if (!array || row->subscripts.front().kind != ir::Subscript::Kind::kIndex) continue;
    builder.help(
        fmt::format("`{}` is `{}`: with one subscript for each of its axes it gives a number",
                    array->name.str(), types::print(array->type)));
    break;
  }
  return in.error(span);
}

ir::Expr* value_of(Emitter& in, const Operand& o, Span span) {
  if (o.is_error()) return in.error(span);
  if (o.is_value()) return o.value();
  if (o.is<None>())
    return in.make(ir::Const{{ir::ExprKind::kConst, types::none(), span}, ir::Value{}});
  if (o.is<Str>()) return in.const_str(o.as<Str>().text, span);
  if (o.is<Entries>()) return list_of_entries(in, o.as<Entries>(), span);
  if (!o.is<Pack>()) {
    in.report(span, diag::NotAValue, describe(o));
    return in.error(span);
  }
  std::vector<ir::Expr*> items;
  for (const Operand& part : o.parts()) {
    items.push_back(value_of(in, part, part.span.valid() ? part.span : span));
    if (is_error(items.back())) return in.error(span);
  }
  return in.make_tuple(std::move(items), span);
}

// ---- the class -----------------------------------------------------------------------

Operand Expressions::operand(const ast::Expr& e) {
  const bool lists =
      take_lists(takes_lists_ && (ast::is<ast::List>(&e) || ast::is<ast::Tuple>(&e)));
  Operand o = meaning(e, std::exchange(list_site_, {}));
  take_lists(lists);
  if (o.is_value() && !o.constant() && !ast::is<ast::Name>(e))
    o.set_value(growth_.of_expression(in_, e, o.value()));
  return o;
}

Operand Expressions::meaning(const ast::Expr& e, ListSite site) {
  return ast::visit(
      e,
      ast::overloaded{
          [&](const ast::Constant& n) { return literal(in_, n); },
          [&](const ast::Name& n) { return name(n); },
          [&](const ast::BinOp& n) { return binary_op(*this, n, site); },
          [&](const ast::UnaryOp& n) { return unary_op(*this, n); },
          [&](const ast::BoolOp& n) { return to_operand(settled(in_, bool_value(*this, n, 0))); },
          [&](const ast::Compare& n) { return comparison(*this, n); },
          [&](const ast::IfExp& n) { return conditional(*this, n); },
          [&](const ast::NamedExpr& n) { return walrus(*this, n); },
          [&](const ast::Call& n) { return infer::call(*this, n, site); },
          [&](const ast::Attribute& n) { return attribute(*this, n); },
          [&](const ast::Subscript& n) { return subscript(*this, n); },
          [&](const ast::Tuple& n) { return items_of(*this, n.elts, n.span); },
          [&](const ast::List& n) {
            return takes_lists_ ? items_of(*this, n.elts, n.span) : list_display(*this, n, site);
          },
          [&](const ast::ListComp& n) { return list_comprehension(*this, n, site); },
          [&](const ast::Set& n) { return set_display(*this, n, site); },
          [&](const ast::SetComp& n) { return set_comprehension(*this, n, site); },
          [&](const ast::Dict& n) { return dict_display(*this, n, site); },
          [&](const ast::DictComp& n) { return dict_comprehension(*this, n, site); },
          [&](const ast::Slice& n) { return slice(*this, n); },
          [&](const ast::JoinedStr& n) { return constant_text(in_, n); },
          [&](const ast::Lambda& n) { return make_function(*this, n, Symbol("lambda_")); },
          [&](const auto& n) { return unsupported(in_, n); },
      });
}

Operand Expressions::name(const ast::Name& e) {
  std::optional<Operand> local = names_.read(e);
  return local ? std::move(*local) : global(*this, context().module(), e.id, e.span);
}

ir::Expr* Expressions::value(const ast::Expr& e) { return value_of(in_, operand(e), e.span); }

ir::Expr* Expressions::condition(const ast::Expr& e) {
  const auto* jumps = ast::as<ast::BoolOp>(e);
  const auto* chain = ast::as<ast::Compare>(e);
  const auto* u = ast::as<ast::UnaryOp>(e);
  const bool negates = u && u->op == ast::UnaryOperator::kNot;
  if (!jumps && !chain && !negates) return condition_of(e, operand(e), Early::As::kJump);
  ir::Expr* c = jumps   ? bool_condition(*this, *jumps, 0)
                : chain ? truth(in_, compare_chain(*this, *chain), e.span)
                        : folded_late(in_, negate(in_, condition(*u->operand)));
  const std::optional<Early::Truth> early = early_.truth(e, Early::As::kJump);
  return early && !is_error(c) ? in_.const_bool(early->is_true, e.span) : c;
}

ir::Expr* Expressions::condition_of(const ast::Expr& e, const Operand& o, Early::As as) {
  if (o.is_error()) return in_.error(e.span);
  if (const auto early = early_.truth(e, as)) return in_.const_bool(early->is_true, e.span);
  if (o.is<None>()) return folded_late(in_, in_.const_bool(false, e.span));
  if (o.is<Str>()) return folded_late(in_, in_.const_bool(!o.as<Str>().text.empty(), e.span));
  if (o.is<Pack>()) return folded_late(in_, in_.const_bool(!o.parts().empty(), e.span));
  if (o.is<Function>()) return in_.const_bool(true, e.span);
  return folded_late(in_, truth(in_, value_of(in_, o, e.span), e.span));
}

}  // namespace pyk2cu::infer
