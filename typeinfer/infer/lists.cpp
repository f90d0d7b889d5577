// Items, methods and functions of lists: see lists.h; what makes lists is in list_makers.cpp.
// Tested by tests/run/test_lists.py.
#include "typeinfer/infer/lists.h"

#include <algorithm>
#include <array>

#include "typeinfer/infer/list_parts.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::infer {

using builtins::Id;
using ir::ExprKind;
using types::CompareOp;

// ---- what all of them use ----------------------------------------------------------------------

ir::Expr* list_builtin(Emitter& in, Id id, const Type* type, std::vector<ir::Expr*> args, Span span,
                       const Type* type_arg) {
  return in.make(ir::Builtin{{ExprKind::kBuiltin, type, span},
                             &builtins::row(id),
                             in.list(std::move(args)),
                             type_arg ? in.list(std::vector{type_arg}) : ir::List<const Type*>{}});
}

// if (not f(list, …)) raise MemoryError
void list_grow(Emitter& in, Id id, std::vector<ir::Expr*> args, Span span) {
  ir::Expr* done = list_builtin(in, id, types::boolean(), std::move(args), span);
  in.raise_if(negate(in, done), "MemoryError", "", span);
}

ListSite site_of(const ast::Expr& e) {
  if (const auto* name = ast::as<ast::Name>(e)) return {name->id.key(), 0};
  const auto* call = ast::as<ast::Call>(e);  // d.setdefault(key, [])
  const auto* method = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  if (method && (method->attr == "setdefault" || method->attr == "get" || method->attr == "pop"))
    return site_of(*method->value).inside();
  const auto* item = ast::as<ast::Subscript>(e);
  return item && !ast::is<ast::Slice>(item->slice) ? site_of(*item->value).inside() : ListSite{};
}

// A variable, or the list at a place in one that stays: reading it again takes no copy.
static bool is_repeatable(const ir::Expr* e) {
  if (e->kind == ExprKind::kConst || e->kind == ExprKind::kLoad) return true;
  const auto* item = ir::try_as<ir::Builtin>(e);
  return item && item->row->id == Id::pyk_list_item && is_repeatable(item->args[0]) &&
         is_repeatable(item->args[1]);
}

ir::Expr* list_named(Emitter& in, ir::Expr* list) {
  return is_repeatable(list) ? list : in.once(list, "items");
}

bool is_empty_so_far(const ir::Expr* list) { return list->type->lacks_items(); }

ir::Expr* list_fitted(Emitter& in, ir::Expr* list, ir::Expr* item, ListSite site, Span span) {
  if (is_error(item)) return nullptr;
  const Type* elem = list->type->elem;
  if (!can_stand_in_list(in, item->type, span)) return nullptr;
  ListTypes& known = in.context().lists();
  if (elem != item->type && known.grow(site, item->type, in.dialect())) in.context().change();
  if (is_empty_so_far(list)) return nullptr;
  const bool exact = types::unify(elem, item->type, in.dialect()) == elem;
  if (!exact && !is_stored_as(item->type, elem)) {
    in.report(span, diag::CannotConvert, types::print(item->type), types::print(elem))
        .help("all items of a list have one type");
    return nullptr;
  }
  return convert(in, item, elem, span);
}

namespace {

// Lists that the caller gave may outlive what a view of another argument shows.
bool gives_arrays(const ir::Function& f) {
  return std::ranges::any_of(f.params, [](const ir::Param& p) {
    return types::holds_container(p.local->type) && types::holds_view(p.local->type);
  });
}

}  // namespace

bool is_stored_as(const Type* from, const Type* to) {
  if (from->is_complex()) return to->is_complex();
  if (from->is_float()) return to->is_float() || to->is_complex();
  return from->is_int() && (to->is_int() || to->is_float() || to->is_complex());
}

bool can_stand_in_list(Emitter& in, const Type* type, Span span) {
  if (type->lacks_items()) return true;
  if (type->is_none() || type->kind == types::Kind::kVoid || types::part_without_form(type) ||
      type->is_str()) {
    const std::string what = type->is_str()    ? "a text"
                             : type->is_none() ? "None"
                                               : types::print(type);
    in.not_supported(span, what + " in a list or dict",
                     "they hold numbers, tuples, arrays, lists, sets and dicts");
    return false;
  }
  if (types::holds_view(type) && gives_arrays(in.context().function())) {
    in.not_supported(span, "adding arrays to lists or dicts in a function that was given such ones",
                     "return the arrays, and add them where the list was made");
    return false;
  }
  return true;
}

void list_not_empty(Emitter& in, ir::Expr* list, std::string_view message, Span span) {
  ir::Expr* none = make_compare(in, CompareOp::kEq, list_length(in, list, span),
                                in.const_int(0, types::int64(), span), span);
  in.raise_if(none, "IndexError", message, span);
}

ir::Expr* list_length(Emitter& in, ir::Expr* list, Span span) {
  return list_builtin(in, Id::pyk_list_size, types::int64(), {list}, span);
}

ir::Expr* list_item_at(Emitter& in, ir::Expr* list, ir::Expr* index, Span span) {
  return list_builtin(in, Id::pyk_list_item, list->type->elem, {list, index}, span);
}

ir::Expr* list_index(Emitter& in, ir::Expr* list, const Operand& index, std::string_view message,
                     Span span) {
  ir::Expr* at = unwrap(in, value_of(in, index, index.span), span);
  if (is_error(at)) return nullptr;
  if (!at->type->is_int() && !at->type->is_bool()) {
    in.report(index.span.valid() ? index.span : span, diag::BadIndex,
              "`" + types::print(at->type) + "`");
    return nullptr;
  }
  if (at->type == types::uint64()) {
    at = in.once(at, "at");
    in.raise_if(
        make_compare(in, CompareOp::kGt, at, in.const_int(INT64_MAX, types::uint64()), span),
        "IndexError", message, span);
  }
  at = in.once(cast(in, at, types::int64()), "at");
  in.raise_if(list_builtin(in, Id::pyk_list_lacks, types::boolean(), {list, at}, span),
              "IndexError", message, span);
  return at;
}

void list_check(Emitter& in, ir::Expr* list, ir::Expr* at, Span span) {
  in.raise_if(list_builtin(in, Id::pyk_list_lacks, types::boolean(), {list, at}, span),
              "IndexError", "list assignment index out of range", span);
}

bool list_update(Expressions& in, const ast::AugAssign& s, ir::Expr* list, const Operand& right) {
  Emitter& out = in.emitter();
  if (right.is_error()) return true;
  if (s.op == ast::Operator::kAdd) {
    list_extend(in, list, right, s.value, site_of(*s.target), s.span);
    return true;
  }
  const bool times = right.is_value() && (right.type()->is_int() || right.type()->is_bool());
  if (s.op != ast::Operator::kMult || !times) return false;
  if (!is_empty_so_far(list))
    list_grow(out, Id::pyk_list_times, {list, cast(out, right.value(), types::int64())}, s.span);
  return true;
}

void list_store(Emitter& in, ir::Expr* list, ir::Expr* index, ir::Expr* value, Span span) {
  value = convert(in, value, list->type->elem, span);
  if (is_error(value) || !can_stand_in_list(in, value->type, span)) return;
  in.emit_eval(list_builtin(in, Id::pyk_list_set, types::void_(), {list, index, value}, span));
}

void list_delete(Emitter& in, ir::Expr* list, const Operand& index, Span span) {
  if (is_empty_so_far(list) || index.is_error()) return;
  list = list_named(in, list);
  if (index.is<Slice>())
    return in.not_supported(span, "`del` of a slice", "assign the items that stay: `a = a[:2]`");
  if (ir::Expr* at = list_index(in, list, index, "list assignment index out of range", span))
    in.emit_eval(list_builtin(in, Id::pyk_list_pop, list->type->elem, {list, at}, span));
}

namespace {

// a[lo:hi:step]: a list of its own. What is left out is beyond the end where the step leads.
Operand slice_of(Emitter& in, ir::Expr* list, const Slice& slice, Span span) {
  std::array<ir::Expr*, 3> bounds{};
  for (size_t k = 0; k < 3; ++k) {
    const Operand& part = slice.parts[k];
    if (part.is<None>()) continue;
    ir::Expr* bound = unwrap(in, value_of(in, part, span), span);
    if (is_error(bound)) return error();
    if (!bound->type->is_int() && !bound->type->is_bool()) {
      in.report(span, diag::BadIndex, "`" + types::print(bound->type) + "`");
      return error();
    }
    bounds[k] = in.once(cast(in, bound, types::int64()), "bound");
  }
  auto& [lo, hi, step] = bounds;
  if (!step) step = in.const_int(1, types::int64(), span);
  const auto* known = ir::try_as<ir::Const>(step);
  if (!known || known->value.integer == 0)
    in.raise_if(make_compare(in, CompareOp::kEq, step, in.const_int(0), span), "ValueError",
                "slice step cannot be zero", span);
  const auto end = [&](int64_t up, int64_t down) -> ir::Expr* {
    if (known) return in.const_int(known->value.integer > 0 ? up : down, types::int64(), span);
    return in.make(ir::Select{{ExprKind::kSelect, types::int64(), span},
                              make_compare(in, CompareOp::kGt, step, in.const_int(0), span),
                              in.const_int(up, types::int64(), span),
                              in.const_int(down, types::int64(), span)});
  };
  if (!lo) lo = end(0, INT64_MAX);
  if (!hi) hi = end(INT64_MAX, INT64_MIN);
  return to_operand(in.spill(
      list_builtin(in, Id::pyk_list_slice, list->type, {list, lo, hi, step}, span), "items"));
}

}  // namespace

Operand list_item(Emitter& in, ir::Expr* list, const Operand& index, Span span) {
  if (is_empty_so_far(list)) return error();
  list = list_named(in, list);
  if (index.is<Slice>()) return slice_of(in, list, index.as<Slice>(), span);
  ir::Expr* at = list_index(in, list, index, "list index out of range", span);
  return at ? to_operand(list_item_at(in, list, at, span)) : error();
}

Place list_place(Emitter& in, ir::Expr* list, const Operand& index, bool updated, Span span) {
  Place where;
  where.span = span;
  if (list->type->elem->kind == types::Kind::kVoid) return where;
  if (index.is<Slice>()) {
    in.not_supported(span, "a store to a slice of a list", "write a loop over the items");
    return where;
  }
  where.array = list_named(in, list);
  where.type = list->type->elem;
  where.picks =
      list_index(in, where.array, index,
                 updated ? "list index out of range" : "list assignment index out of range", span);
  if (where.picks) where.kind = Place::Kind::kItem;
  return where;
}

// ---- searching and comparing -------------------------------------------------------------------

namespace {

// The value as list_find and list_count compare it, or null: it can equal no item.
ir::Expr* sought(Emitter& in, ir::Expr* list, ir::Expr* item, Span span) {
  const Type* elem = list->type->elem;
  if (item->type == elem && !types::holds_array(elem)) return item;
  const bool numbers = elem->is_scalar() && item->type->is_scalar();
  const Type* both = numbers ? types::unify(elem, item->type, in.dialect()) : nullptr;
  if (both == elem) return cast(in, item, elem);
  // Integers as a type that has both, int64 and uint64 as Numba compares them: as float64.
  const bool keeps =
      both && types::is_safe_cast(elem, both) && types::is_safe_cast(item->type, both);
  if (both && (keeps || !(elem->is_int() && item->type->is_int()))) return cast(in, item, both);
  in.not_supported(
      span, "looking for `" + types::print(item->type) + "` among `" + types::print(elem) + "`",
      "convert what is looked for to the type of the items");
  return nullptr;
}

}  // namespace

ir::Expr* list_contains(Emitter& in, ir::Expr* list, ir::Expr* item, Span span) {
  if (is_empty_so_far(list) || is_error(item)) return in.error(span);
  ir::Expr* value = sought(in, list, item, span);
  if (!value) return in.error(span);
  ir::Expr* at = list_builtin(in, Id::pyk_list_find, types::int64(), {list, value}, span);
  return make_compare(in, CompareOp::kGe, at, in.const_int(0, types::int64(), span), span);
}

ir::Expr* list_equal(Emitter& in, ir::Expr* left, ir::Expr* right, Span span) {
  if (is_empty_so_far(left) || is_empty_so_far(right)) return in.error(span);
  if (left->type != right->type || types::holds_array(left->type->elem)) {
    in.not_supported(span, "comparing `" + types::print(left->type) + "` to `" +
                               types::print(right->type) + "`");
    return in.error(span);
  }
  return list_builtin(in, Id::pyk_list_equal, types::boolean(), {left, right}, span);
}

ir::Expr* list_binary(Emitter& in, ast::Operator op, ir::Expr* left, ir::Expr* right, Span span) {
  const bool two = left->type->is_list() && right->type->is_list();
  if (op == ast::Operator::kAdd && two) {
    if (is_empty_so_far(left)) return right;  // in this walk
    if (is_empty_so_far(right)) return left;
    if (left->type != right->type) return nullptr;
    return in.spill(list_builtin(in, Id::pyk_list_concat, left->type, {left, right}, span),
                    "items");
  }
  if (op != ast::Operator::kMult || two) return nullptr;
  if (!left->type->is_list()) std::swap(left, right);
  if (!right->type->is_int() && !right->type->is_bool()) return nullptr;
  if (is_empty_so_far(left)) return in.error(span);
  return in.spill(list_builtin(in, Id::pyk_list_repeat, left->type,
                               {left, cast(in, right, types::int64())}, span),
                  "items");
}

// Has it an order that Python's sort knows?
bool is_ordered(const Type* type) {
  if (!type->is_tuple()) return type->is_real();
  return std::ranges::all_of(type->items, is_ordered);
}

bool list_sort(Emitter& in, ir::Expr* list, const Operand& reverse, Span span) {
  if (is_empty_so_far(list)) return true;
  ir::Expr* down = reverse.is_error() ? in.const_bool(false, span)
                                      : truth(in, value_of(in, reverse, span), span);
  if (!is_ordered(list->type->elem)) {
    in.not_supported(span, "sorting a `" + types::print(list->type) + "`");
    return false;
  }
  in.emit_eval(list_builtin(in, Id::pyk_list_sort, types::void_(), {list, down}, span));
  return true;
}

// ---- methods -----------------------------------------------------------------------------------

namespace {

// A call of a method of a list: arguments by the names of its parameters, kError where absent.
struct MethodCall {
  Expressions& expressions;
  Emitter& in;
  ir::Expr* list;
  const std::vector<Operand>& args;
  ListSite site;
  const ast::Call* call;  // null: there is none in the text
  Span span;

  const Type* elem() const { return list->type->elem; }
  bool is_empty() const { return is_empty_so_far(list); }
  ir::Expr* argument(size_t k) const { return value_of(in, args[k], span); }
  ir::Expr* builtin(Id id, const Type* type, std::vector<ir::Expr*> rest = {}) const {
    rest.insert(rest.begin(), list);
    return list_builtin(in, id, type, std::move(rest), span);
  }
  Operand nothing() const { return {None{}, span}; }
};

Operand append(const MethodCall& c) {
  ir::Expr* item = list_fitted(c.in, c.list, c.argument(0), c.site, c.span);
  if (item) list_grow(c.in, Id::pyk_list_append, {c.list, item}, c.span);
  return c.nothing();
}

Operand insert(const MethodCall& c) {
  ir::Expr* at = c.argument(0);
  ir::Expr* item = list_fitted(c.in, c.list, c.argument(1), c.site, c.span);
  if (!item || is_error(at)) return c.nothing();
  if (!at->type->is_int()) {
    c.in.report(c.span, diag::BadIndex, "`" + types::print(at->type) + "`");
    return error();
  }
  list_grow(c.in, Id::pyk_list_insert, {c.list, cast(c.in, at, types::int64()), item}, c.span);
  return c.nothing();
}

Operand extend(const MethodCall& c) {
  list_extend(c.expressions, c.list, c.args[0], c.call ? c.call->args[0] : nullptr, c.site, c.span);
  return c.nothing();
}

Operand pop(const MethodCall& c) {
  if (c.is_empty()) return error();
  ir::Expr* at = c.in.const_int(-1, types::int64(), c.span);
  list_not_empty(c.in, c.list, "pop from empty list", c.span);
  if (!c.args[0].is_error())
    at = list_index(c.in, c.list, c.args[0], "pop index out of range", c.span);
  return at ? to_operand(c.in.spill(c.builtin(Id::pyk_list_pop, c.elem(), {at}), "item")) : error();
}

Operand clear(const MethodCall& c) {
  if (!c.is_empty()) c.in.emit_eval(c.builtin(Id::pyk_list_clear, types::void_()));
  return c.nothing();
}

Operand reverse(const MethodCall& c) {
  if (!c.is_empty()) c.in.emit_eval(c.builtin(Id::pyk_list_reverse, types::void_()));
  return c.nothing();
}

Operand copy(const MethodCall& c) {
  const Operand none{None{}, c.span};
  return c.is_empty() ? error() : slice_of(c.in, c.list, Slice{{none, none, none}}, c.span);
}

Operand sort(const MethodCall& c) {
  return list_sort(c.in, c.list, c.args[0], c.span) ? c.nothing() : error();
}

// What list_find and list_count say of the argument; null: not in this walk, or reported.
ir::Expr* searched(const MethodCall& c, Id id) {
  ir::Expr* item = c.argument(0);
  if (c.is_empty() || is_error(item)) return nullptr;
  ir::Expr* value = sought(c.in, c.list, item, c.span);
  return value ? c.builtin(id, types::int64(), {value}) : nullptr;
}

// The place of the argument, which is there.
ir::Expr* place_of(const MethodCall& c, std::string_view message) {
  ir::Expr* at = searched(c, Id::pyk_list_find);
  if (!at) return nullptr;
  at = c.in.spill(at, "at");
  c.in.raise_if(make_compare(c.in, CompareOp::kLt, at, c.in.const_int(0), c.span), "ValueError",
                message, c.span);
  return at;
}

Operand index(const MethodCall& c) {
  ir::Expr* at = place_of(c, "value not in list");
  return at ? to_operand(at) : error();
}

Operand remove(const MethodCall& c) {
  ir::Expr* at = place_of(c, "list.remove(x): x not in list");
  if (at) c.in.emit_eval(c.builtin(Id::pyk_list_pop, c.elem(), {at}));
  return c.nothing();
}

Operand count(const MethodCall& c) {
  ir::Expr* number = searched(c, Id::pyk_list_count);
  return number ? to_operand(number) : error();
}

struct MethodRow {
  std::string_view name;
  std::vector<std::string_view> params;
  size_t required;
  Operand (*method)(const MethodCall& call);
};

const std::vector<MethodRow>& methods() {
  static const std::vector<MethodRow> all = {{"append", {"item"}, 1, append},
                                             {"clear", {}, 0, clear},
                                             {"copy", {}, 0, copy},
                                             {"count", {"value"}, 1, count},
                                             {"extend", {"iterable"}, 1, extend},
                                             {"index", {"value"}, 1, index},
                                             {"insert", {"index", "item"}, 2, insert},
                                             {"pop", {"index"}, 0, pop},
                                             {"remove", {"value"}, 1, remove},
                                             {"reverse", {}, 0, reverse},
                                             {"sort", {"reverse"}, 0, sort}};
  return all;
}

}  // namespace

bool is_list_method(std::string_view name) {
  return std::ranges::find(methods(), name, &MethodRow::name) != methods().end();
}

Operand list_method(Expressions& in, ir::Expr* list, const Arguments& args) {
  Emitter& out = in.emitter();
  const auto row = std::ranges::find(methods(), args.path, &MethodRow::name);
  // By position, as CPython's lists take them; `sort(reverse=…)` alone by name.
  const bool sorts = args.path == "sort";
  if (sorts ? !args.args.empty() : !args.keywords.empty()) return bad_arguments(out, args);
  const auto bound = by_name(out, args, row->params, row->required);
  if (!bound) return error();
  const auto* method = args.call ? ast::as<ast::Attribute>(args.call->func) : nullptr;
  const ListSite site = method ? site_of(*method->value) : ListSite{};
  return row->method({in, out, list_named(out, list), *bound, site, args.call, args.span});
}

bool changes_lists(const ir::Block& block, const ir::Local* but) {
  // What a loop over the generator does.
  bool found =
      ir::any_stmt(block, [](const ir::Stmt* s) { return s->kind == ir::StmtKind::kYield; });
  ir::for_each_expr_in(block, [&](const ir::Expr* e) {
    if (const auto* call = ir::try_as<ir::Call>(e))
      for (const ir::Expr* arg : call->args) found = found || types::holds_container(arg->type);
    const auto* builtin = ir::try_as<ir::Builtin>(e);
    if (!builtin || builtin->args.empty() || !builtin->args[0]->type->is_container()) return;
    const bool is_but = but && ir::loaded(builtin->args[0]) == but;
    found = found || (builtin->row->changes_length() && !is_but);
  });
  return found;
}

}  // namespace pyk2cu::infer
