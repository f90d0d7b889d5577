// Entries, methods and operators of sets and dicts: see tables.h; what makes them is in
// table_makers.cpp.
// Tested by tests/run/test_tables.py.
#include "typeinfer/infer/tables.h"

#include <algorithm>

#include "typeinfer/infer/table_parts.h"

namespace pyk2cu::infer {

using builtins::Id;
using ir::StmtKind;
using types::CompareOp;

// ---- what all of them use ----------------------------------------------------------------------

namespace {

ir::Expr* is_there(Emitter& in, ir::Expr* place, Span span) {
  return make_compare(in, CompareOp::kGe, place, in.const_int(0, types::int64(), span), span);
}

// May keys of the one type be equal to such of the other?
bool may_be_equal(const Type* a, const Type* b) {
  if (a->is_tuple() && b->is_tuple()) return std::ranges::equal(a->items, b->items, may_be_equal);
  return !a->is_tuple() && !b->is_tuple();
}

// The place of the key in a variable, -1 where it is not there; null: not in this walk.
ir::Expr* place_of(Emitter& in, ir::Expr* table, ir::Expr* key, Span span) {
  if (table->type->lacks_items()) return nullptr;
  key = unwrap(in, key, span);
  if (is_error(key)) return nullptr;
  if (!types::is_key(key->type) || !may_be_equal(types::key_of(table->type), key->type)) {
    in.not_supported(
        span,
        "a key of type `" + types::print(key->type) + "` in a `" + types::print(table->type) + "`",
        "convert it to the type of the keys");
    return nullptr;
  }
  return in.spill(list_builtin(in, Id::pyk_table_find, types::int64(), {table, key}, span), "at");
}

// Likewise, where it must be there: KeyError.
ir::Expr* known_place_of(Emitter& in, ir::Expr* table, ir::Expr* key, Span span) {
  ir::Expr* at = place_of(in, table, key, span);
  if (at) in.raise_if(negate(in, is_there(in, at, span)), "KeyError", "", span);
  return at;
}

ir::Expr* value_at(Emitter& in, ir::Expr* dict, ir::Expr* at, Span span) {
  return list_builtin(in, Id::pyk_table_value, types::value_of(dict->type), {dict, at}, span);
}

void drop(Emitter& in, ir::Expr* table, ir::Expr* at, Span span) {
  list_grow(in, Id::pyk_table_drop, {table, at}, span);
}

// if (holds) { then() } else { otherwise() }
void branch(Emitter& in, ir::Expr* holds, Span span, const std::function<void()>& then,
            const std::function<void()>& otherwise = {}) {
  ir::Block* first = in.into_block(then);
  ir::Block* second = otherwise ? in.into_block(otherwise) : in.make(ir::Block{});
  in.emit(in.make(ir::If{{StmtKind::kIf, span}, holds, first, second}));
}

}  // namespace

ir::Expr* table_length(Emitter& in, ir::Expr* table, Span span) {
  return list_builtin(in, Id::pyk_table_size, types::int64(), {table}, span);
}

ir::Expr* table_contains(Emitter& in, ir::Expr* table, ir::Expr* key, Span span) {
  table = list_named(in, table);
  ir::Expr* at = place_of(in, table, key, span);
  return at ? is_there(in, at, span) : in.error(span);
}

ir::Expr* table_next(Emitter& in, ir::Expr* table, ir::Expr* place, Span span) {
  return list_builtin(in, Id::pyk_table_next, types::int64(), {table, place}, span);
}

Operand entry_at(Emitter& in, ir::Expr* table, ir::Expr* place, Entries::Part part, Span span) {
  using Part = Entries::Part;
  const Type* type = table->type;
  if (type->is_dict() && part == Part::kItems)
    return to_operand(list_builtin(in, Id::pyk_table_entry, type->elem, {table, place}, span));
  if (part == Part::kValues) return to_operand(value_at(in, table, place, span));
  return to_operand(list_builtin(in, Id::pyk_table_key, types::key_of(type), {table, place}, span));
}

ir::Expr* list_of_entries(Emitter& in, const Entries& entries, Span span) {
  ir::Expr* table = entries.table.expr;
  if (table->type->lacks_items()) return in.error(span);
  using Part = Entries::Part;
  const Id id = entries.part == Part::kItems    ? Id::pyk_table_items
                : entries.part == Part::kValues ? Id::pyk_table_values
                                                : Id::pyk_table_keys;
  const Type* elem = entries.part == Part::kItems    ? table->type->elem
                     : entries.part == Part::kValues ? types::value_of(table->type)
                                                     : types::key_of(table->type);
  return in.spill(list_builtin(in, id, types::list(elem), {table}, span), "entries");
}

ir::Expr* table_moves(Emitter& in, ir::Expr* table, Span span) {
  return list_builtin(in, Id::pyk_table_moves, types::int64(), {table}, span);
}

void check_unchanged(Emitter& in, ir::Expr* table, ir::Expr* count, ir::Expr* moves, Span span) {
  const bool is_set = table->type->is_set();
  in.raise_if(
      make_compare(in, CompareOp::kNe, table_length(in, table, span), count, span), "RuntimeError",
      is_set ? "Set changed size during iteration" : "dictionary changed size during iteration",
      span);
  if (!moves) return;
  in.raise_if(
      make_compare(in, CompareOp::kNe, table_moves(in, table, span), moves, span), "RuntimeError",
      is_set ? "Set changed during iteration" : "dictionary keys changed during iteration", span);
}

// ---- entries of dicts --------------------------------------------------------------------------

Operand dict_item(Emitter& in, ir::Expr* dict, const Operand& key, Span span) {
  dict = list_named(in, dict);
  ir::Expr* at = known_place_of(in, dict, value_of(in, key, span), span);
  return at ? to_operand(value_at(in, dict, at, span)) : error();
}

Place dict_place(Emitter& in, ir::Expr* dict, const Operand& key, bool updated, ListSite site,
                 Span span) {
  Place where;
  where.span = span;
  where.array = list_named(in, dict);
  where.picks = in.once(unwrap(in, value_of(in, key, span), span), "key");
  where.site = site;
  if (is_error(where.picks)) return where;
  if (updated) {
    where.at = known_place_of(in, where.array, where.picks, span);
    if (!where.at) return where;
  }
  if (!dict->type->lacks_items()) where.type = types::value_of(dict->type);
  where.kind = Place::Kind::kKey;
  return where;
}

ir::Expr* dict_load(Emitter& in, const Place& place, Span span) {
  return value_at(in, place.array, place.at, span);
}

void dict_store(Emitter& in, const Place& place, ir::Expr* value, Span span) {
  if (place.at) {
    value = value_fitted(in, place.array, value, place.site, span);
    if (value)
      in.emit_eval(list_builtin(in, Id::pyk_table_set, types::void_(),
                                {place.array, place.at, value}, span));
    return;
  }
  ir::Expr* entry = in.make_tuple({place.picks, value}, span);
  entry = table_fitted(in, place.array, entry, place.site, span);
  if (!entry) return;
  const auto part = [&](int k) { return tuple_item(in, entry, k, span); };
  list_grow(in, Id::pyk_table_put, {place.array, part(0), part(1)}, span);
}

void dict_delete(Emitter& in, ir::Expr* dict, const Operand& key, Span span) {
  dict = list_named(in, dict);
  if (ir::Expr* at = known_place_of(in, dict, value_of(in, key, span), span))
    drop(in, dict, at, span);
}

// ---- operators ---------------------------------------------------------------------------------

namespace {

// Two of one type; null: the types are not known yet, or differ, which is reported.
bool fit_together(Emitter& in, ir::Expr* left, ir::Expr* right, Span span) {
  if (left->type->lacks_items() || right->type->lacks_items()) return false;
  if (left->type == right->type) return true;
  in.not_supported(
      span, "`" + types::print(left->type) + "` together with `" + types::print(right->type) + "`",
      "give both keys of one type");
  return false;
}

std::optional<Id> set_operator(ast::Operator op) {
  switch (op) {
    case ast::Operator::kBitOr:
      return Id::pyk_table_or;
    case ast::Operator::kBitAnd:
      return Id::pyk_table_and;
    case ast::Operator::kSub:
      return Id::pyk_table_minus;
    case ast::Operator::kBitXor:
      return Id::pyk_table_xor;
    default:
      return std::nullopt;
  }
}

}  // namespace

ir::Expr* table_equal(Emitter& in, ir::Expr* left, ir::Expr* right, Span span) {
  if (!fit_together(in, left, right, span)) return in.error(span);
  if (types::holds_array(left->type->elem)) {
    in.not_supported(span, "comparing `" + types::print(left->type) + "`");
    return in.error(span);
  }
  return list_builtin(in, Id::pyk_table_equal, types::boolean(), {left, right}, span);
}

ir::Expr* set_within(Emitter& in, ir::Expr* left, ir::Expr* right, bool less, Span span) {
  left = list_named(in, left);
  right = list_named(in, right);
  if (!fit_together(in, left, right, span)) return in.error(span);
  ir::Expr* within = list_builtin(in, Id::pyk_table_within, types::boolean(), {left, right}, span);
  if (!less) return within;
  ir::Expr* fewer = make_compare(in, CompareOp::kLt, table_length(in, left, span),
                                 table_length(in, right, span), span);
  return logical(in, true, fewer, within, span);
}

ir::Expr* set_binary(Emitter& in, ast::Operator op, ir::Expr* left, ir::Expr* right, Span span) {
  const std::optional<Id> id = set_operator(op);
  if (!id || !left->type->is_set() || !right->type->is_set()) return nullptr;
  if (left->type->lacks_items()) return right;  // in this walk
  if (right->type->lacks_items()) return left;
  if (!fit_together(in, left, right, span)) return in.error(span);
  return in.spill(list_builtin(in, *id, left->type, {left, right}, span), "keys");
}

bool set_update(Emitter& in, ast::Operator op, ir::Expr* set, ir::Expr* right, Span span) {
  if (!set_operator(op) || !set->type->is_set() || !right->type->is_set()) return false;
  if (!fit_together(in, set, right, span)) return true;
  if (op == ast::Operator::kBitOr)
    list_grow(in, Id::pyk_table_update, {set, right}, span);
  else if (op != ast::Operator::kBitAnd)
    list_grow(in, op == ast::Operator::kSub ? Id::pyk_table_take : Id::pyk_table_flip, {set, right},
              span);
  else
    in.emit_eval(list_builtin(in, Id::pyk_table_become, types::void_(),
                              {set, set_binary(in, op, set, right, span)}, span));
  return true;
}

// ---- methods -----------------------------------------------------------------------------------

namespace {

// A call of a method: arguments by the names of its parameters, kError where absent.
struct MethodCall {
  Expressions& expressions;
  Emitter& in;
  ir::Expr* table;
  const std::vector<Operand>& args;
  ListSite site;
  const ast::Call* call;  // null: there is none in the text
  Span span;

  ir::Expr* argument(size_t k) const { return value_of(in, args[k], span); }
  bool has(size_t k) const { return !args[k].is_error(); }
  Operand nothing() const { return {None{}, span}; }
};

Operand add(const MethodCall& c) {
  ir::Expr* key = table_fitted(c.in, c.table, c.argument(0), c.site, c.span);
  if (key) list_grow(c.in, Id::pyk_table_add, {c.table, key}, c.span);
  return c.nothing();
}

Operand remove(const MethodCall& c) {
  if (ir::Expr* at = known_place_of(c.in, c.table, c.argument(0), c.span))
    drop(c.in, c.table, at, c.span);
  return c.nothing();
}

Operand discard(const MethodCall& c) {
  ir::Expr* at = place_of(c.in, c.table, c.argument(0), c.span);
  if (at)
    branch(c.in, is_there(c.in, at, c.span), c.span, [&] { drop(c.in, c.table, at, c.span); });
  return c.nothing();
}

// What came last, out of the table.
ir::Expr* popped(const MethodCall& c, std::string_view message) {
  if (c.table->type->lacks_items()) return nullptr;
  ir::Expr* at =
      c.in.spill(list_builtin(c.in, Id::pyk_table_last, types::int64(), {c.table}, c.span), "at");
  c.in.raise_if(negate(c.in, is_there(c.in, at, c.span)), "KeyError", message, c.span);
  ir::Expr* entry = c.in.spill(
      list_builtin(c.in, Id::pyk_table_entry, c.table->type->elem, {c.table, at}, c.span), "entry");
  drop(c.in, c.table, at, c.span);
  return entry;
}

Operand pop_key(const MethodCall& c) {
  ir::Expr* key = popped(c, "pop from an empty set");
  return key ? to_operand(key) : error();
}

Operand popitem(const MethodCall& c) {
  ir::Expr* entry = popped(c, "popitem(): dictionary is empty");
  return entry ? to_operand(entry) : error();
}

// In walks that do not know the values, the default says what they may be.
Operand default_alone(const MethodCall& c) {
  return c.has(1) && !c.args[1].is<None>() ? c.args[1] : error();
}

// The value of the key, which may be taken out, or where there is none the default, or None.
Operand value_or_default(const MethodCall& c, bool taken_out) {
  if (c.table->type->lacks_items()) return default_alone(c);
  ir::Expr* at = place_of(c.in, c.table, c.argument(0), c.span);
  if (!at) return error();
  const Type* of = types::value_of(c.table->type);
  const bool may_lack = !c.has(1) || c.args[1].is<None>();
  const Type* type = may_lack ? types::optional(of) : of;
  ir::Expr* otherwise = c.has(1) ? c.argument(1) : value_of(c.in, {None{}, c.span}, c.span);
  if (const Type* both = types::unify(type, otherwise->type, c.in.dialect())) type = both;
  otherwise = convert(c.in, otherwise, type, c.span);
  if (is_error(otherwise)) return error();
  ir::Local* value = c.in.temp("value", type, c.span);
  c.in.emit_assign(value, otherwise, c.span);
  branch(c.in, is_there(c.in, at, c.span), c.span, [&] {
    ir::Expr* found = value_at(c.in, c.table, at, c.span);
    c.in.emit_assign(value, convert(c.in, found, type, c.span), c.span);
    if (taken_out) drop(c.in, c.table, at, c.span);
  });
  return to_operand(c.in.load(value, c.span));
}

// d.get(key): it, or None. d.get(key, default)
Operand get(const MethodCall& c) { return value_or_default(c, false); }

// d.pop(key), d.pop(key, default)
Operand pop_value(const MethodCall& c) {
  if (c.has(1) || c.table->type->lacks_items()) return value_or_default(c, true);
  ir::Expr* at = known_place_of(c.in, c.table, c.argument(0), c.span);
  if (!at) return error();
  ir::Expr* value = c.in.spill(value_at(c.in, c.table, at, c.span), "value");
  drop(c.in, c.table, at, c.span);
  return to_operand(value);
}

Operand setdefault(const MethodCall& c) {
  ir::Expr* key = c.in.once(unwrap(c.in, c.argument(0), c.span), "key");
  ir::Expr* entry = c.in.make_tuple({key, c.argument(1)}, c.span);
  entry = table_fitted(c.in, c.table, entry, c.site, c.span);
  if (!entry) return error();
  const Type* type = types::value_of(c.table->type);
  ir::Local* value = c.in.temp("value", type, c.span);
  c.in.emit_assign(value, tuple_item(c.in, entry, 1, c.span), c.span);
  ir::Expr* at = place_of(c.in, c.table, key, c.span);
  if (!at) return error();
  branch(
      c.in, is_there(c.in, at, c.span), c.span,
      [&] { c.in.emit_assign(value, value_at(c.in, c.table, at, c.span), c.span); },
      [&] {
        list_grow(c.in, Id::pyk_table_put,
                  {c.table, tuple_item(c.in, entry, 0, c.span), c.in.load(value, c.span)}, c.span);
      });
  return to_operand(c.in.load(value, c.span));
}

Operand clear(const MethodCall& c) {
  if (!c.table->type->lacks_items())
    c.in.emit_eval(list_builtin(c.in, Id::pyk_table_clear, types::void_(), {c.table}, c.span));
  return c.nothing();
}

Operand copy(const MethodCall& c) {
  if (c.table->type->lacks_items()) return error();
  return to_operand(c.in.spill(
      list_builtin(c.in, Id::pyk_table_copy, c.table->type, {c.table}, c.span), "copied"));
}

Operand entries(const MethodCall& c, Entries::Part part) {
  if (c.table->type->lacks_items()) return error();
  return {Entries{Value(c.table), part}, c.span};
}
Operand keys(const MethodCall& c) { return entries(c, Entries::Part::kKeys); }
Operand values(const MethodCall& c) { return entries(c, Entries::Part::kValues); }
Operand items(const MethodCall& c) { return entries(c, Entries::Part::kItems); }

Operand update(const MethodCall& c) {
  if (c.args[0].is_error()) return error();
  table_extend(c.expressions, c.table, c.args[0], c.call ? c.call->args[0] : nullptr, c.site, false,
               c.span);
  return c.nothing();
}

// a.union(b) and the others, of a set or what a set is made of.
ir::Expr* other_set(const MethodCall& c) {
  if (c.args[0].type() && c.args[0].type()->is_set()) return c.args[0].value();
  if (c.table->type->lacks_items()) return nullptr;
  ir::Expr* made = empty_table(c.in, c.table->type, c.table->type->elem, c.span);
  table_extend(c.expressions, made, c.args[0], c.call ? c.call->args[0] : nullptr, {}, true,
               c.span);
  return made;
}
Operand combined(const MethodCall& c, ast::Operator op) {
  ir::Expr* other = other_set(c);
  ir::Expr* made = other ? set_binary(c.in, op, c.table, other, c.span) : nullptr;
  return made ? to_operand(made) : error();
}
Operand union_(const MethodCall& c) { return combined(c, ast::Operator::kBitOr); }
Operand intersection(const MethodCall& c) { return combined(c, ast::Operator::kBitAnd); }
Operand difference(const MethodCall& c) { return combined(c, ast::Operator::kSub); }
Operand symmetric_difference(const MethodCall& c) { return combined(c, ast::Operator::kBitXor); }

Operand updated(const MethodCall& c, ast::Operator op) {
  if (ir::Expr* other = other_set(c)) set_update(c.in, op, c.table, other, c.span);
  return c.nothing();
}
Operand intersection_update(const MethodCall& c) { return updated(c, ast::Operator::kBitAnd); }
Operand difference_update(const MethodCall& c) { return updated(c, ast::Operator::kSub); }
Operand symmetric_difference_update(const MethodCall& c) {
  return updated(c, ast::Operator::kBitXor);
}

Operand issubset(const MethodCall& c) {
  ir::Expr* other = other_set(c);
  return other ? to_operand(set_within(c.in, c.table, other, false, c.span)) : error();
}
Operand issuperset(const MethodCall& c) {
  ir::Expr* other = other_set(c);
  return other ? to_operand(set_within(c.in, other, c.table, false, c.span)) : error();
}
Operand isdisjoint(const MethodCall& c) {
  ir::Expr* other = other_set(c);
  if (!other || !fit_together(c.in, c.table, other, c.span)) return error();
  return to_operand(
      list_builtin(c.in, Id::pyk_table_disjoint, types::boolean(), {c.table, other}, c.span));
}

struct MethodRow {
  std::string_view name;
  std::vector<std::string_view> params;
  size_t required;
  Operand (*method)(const MethodCall& call);
};

const std::vector<MethodRow>& methods(const Type* table) {
  static const std::vector<MethodRow> of_sets = {
      {"add", {"elem"}, 1, add},
      {"clear", {}, 0, clear},
      {"copy", {}, 0, copy},
      {"difference", {"other"}, 1, difference},
      {"difference_update", {"other"}, 1, difference_update},
      {"discard", {"elem"}, 1, discard},
      {"intersection", {"other"}, 1, intersection},
      {"intersection_update", {"other"}, 1, intersection_update},
      {"isdisjoint", {"other"}, 1, isdisjoint},
      {"issubset", {"other"}, 1, issubset},
      {"issuperset", {"other"}, 1, issuperset},
      {"pop", {}, 0, pop_key},
      {"remove", {"elem"}, 1, remove},
      {"symmetric_difference", {"other"}, 1, symmetric_difference},
      {"symmetric_difference_update", {"other"}, 1, symmetric_difference_update},
      {"union", {"other"}, 1, union_},
      {"update", {"other"}, 1, update}};
  static const std::vector<MethodRow> of_dicts = {{"clear", {}, 0, clear},
                                                  {"copy", {}, 0, copy},
                                                  {"get", {"key", "default"}, 1, get},
                                                  {"items", {}, 0, items},
                                                  {"keys", {}, 0, keys},
                                                  {"pop", {"key", "default"}, 1, pop_value},
                                                  {"popitem", {}, 0, popitem},
                                                  {"setdefault", {"key", "default"}, 2, setdefault},
                                                  {"update", {"other"}, 1, update},
                                                  {"values", {}, 0, values}};
  return table->is_set() ? of_sets : of_dicts;
}

}  // namespace

bool is_table_method(const Type* table, std::string_view name) {
  return std::ranges::find(methods(table), name, &MethodRow::name) != methods(table).end();
}

Operand table_method(Expressions& in, ir::Expr* table, const Arguments& args) {
  Emitter& out = in.emitter();
  const auto row = std::ranges::find(methods(table->type), args.path, &MethodRow::name);
  if (!args.keywords.empty()) return bad_arguments(out, args);  // CPython takes none
  const auto bound = by_name(out, args, row->params, row->required);
  if (!bound) return error();
  const auto* method = args.call ? ast::as<ast::Attribute>(args.call->func) : nullptr;
  const ListSite site = method ? site_of(*method->value) : ListSite{};
  return row->method({in, out, list_named(out, table), *bound, site, args.call, args.span});
}

}  // namespace pyk2cu::infer
