// What makes sets and dicts: displays, comprehensions, set(), dict(); and update(), which puts in
// what they would hold.
//
// In, out: see tables.h. A comprehension is the loops that it says, around what puts one entry in.
// Tested by tests/run/test_tables.py.
#include <algorithm>

#include "typeinfer/infer/table_parts.h"

namespace pyk2cu::infer {

using builtins::Id;

namespace {

const Type* a_set() { return types::set(types::void_()); }
const Type* a_dict() { return types::dict(types::void_()); }

bool refused(Expressions& in, const char* what, Span span) {
  if (!in.emitter().on_cuda()) return false;
  in.emitter().not_supported(span, what, "use arrays");
  return true;
}

bool can_stand_in_table(Emitter& in, const Type* table, const Type* entry, Span span) {
  const Type* key = table->is_set() ? entry : entry->items[0];
  if (!types::is_key(key)) {
    in.not_supported(
        span, key->is_str() ? "a text as a key" : "a key of type `" + types::print(key) + "`",
        "keys are integers, floats, bools and tuples of them");
    return false;
  }
  return table->is_set() || can_stand_in_list(in, entry->items[1], span);
}

void put(Emitter& in, ir::Expr* table, ir::Expr* entry, Span span) {
  if (table->type->is_set()) return list_grow(in, Id::pyk_table_add, {table, entry}, span);
  if (entry->kind != ir::ExprKind::kTuple) entry = in.once(entry, "entry");
  const auto part = [&](int k) { return tuple_item(in, entry, k, span); };
  list_grow(in, Id::pyk_table_put, {table, part(0), part(1)}, span);
}

// One entry after the other, evaluated already.
Operand made_of(Expressions& in, const Type* like, const std::vector<ir::Expr*>& entries,
                const ast::Expr& e, ListSite site) {
  Emitter& out = in.emitter();
  for (const ir::Expr* entry : entries)
    if (is_error(entry) || !can_stand_in_table(out, like, entry->type, entry->span)) return error();
  const Type* elem = common_type(out, entries, site);
  if (elem && elem->is_error()) return error();
  ir::Expr* table = empty_table(out, like, elem, e.span);
  for (ir::Expr* entry : entries) put(out, table, convert(out, entry, elem, entry->span), e.span);
  return to_operand(table);
}

}  // namespace

namespace {

// Is an entry of the type stored in a table whose types are declared? Of keys only integers are
// another type there: a rounded one would not be found again.
bool is_entry_stored_as(const Type* table, const Type* entry) {
  const Type* key = table->is_set() ? entry : entry->items[0];
  const bool fits =
      key == types::key_of(table) || (key->is_int() && types::key_of(table)->is_int());
  if (!fits || table->is_set()) return fits;
  const Type *value = entry->items[1], *to = types::value_of(table);
  return value == to || is_stored_as(value, to);
}

// OverflowError for an integer that its type has no room for.
ir::Expr* stored_key(Emitter& in, ir::Expr* key, const Type* type, Span span) {
  if (!key->type->is_int() || !type->is_int() ||
      types::unify(type, key->type, in.dialect()) == type)
    return convert(in, key, type, span);
  key = in.once(key, "key");
  ir::Expr* stored = in.once(cast(in, key, type), "stored");
  const auto zero = [&](const Type* t) { return in.const_int(0, t, span); };
  ir::Expr* differs = make_compare(in, ir::CompareOp::kNe, cast(in, stored, key->type), key, span);
  ir::Expr* turns = make_compare(
      in, ir::CompareOp::kNe, make_compare(in, ir::CompareOp::kLt, stored, zero(type), span),
      make_compare(in, ir::CompareOp::kLt, key, zero(key->type), span), span);
  in.raise_if(logical(in, false, differs, turns, span), "OverflowError",
              "the key is out of bounds for " + types::print(type), span);
  return stored;
}

}  // namespace

ir::Expr* empty_table(Emitter& in, const Type* like, const Type* elem, Span span) {
  if (!elem) {
    in.context().wait_for_items(span);
    elem = types::void_();
  }
  const Type* type = types::around(like, elem);
  // Until its entries are known, it is not made.
  return in.spill(list_builtin(in, Id::pyk_table_new, type, {}, span, type), "entries");
}

ir::Expr* table_fitted(Emitter& in, ir::Expr* table, ir::Expr* entry, ListSite site, Span span) {
  if (is_error(entry)) return nullptr;
  if (!can_stand_in_table(in, table->type, entry->type, span)) return nullptr;
  const Type* elem = table->type->elem;
  ListTypes& known = in.context().lists();
  if (elem != entry->type && known.grow(site, entry->type, in.dialect())) in.context().change();
  if (table->type->lacks_items()) return nullptr;
  const bool is_exact = types::unify(elem, entry->type, in.dialect()) == elem;
  if (!is_exact && !is_entry_stored_as(table->type, entry->type)) {
    in.report(span, diag::CannotConvert, types::print(entry->type), types::print(elem))
        .help(table->type->is_set() ? "all keys of a set have one type"
                                    : "all keys of a dict have one type, and so have its values");
    return nullptr;
  }
  if (is_exact || table->type->is_set()) return stored_key(in, entry, elem, span);
  const auto part = [&](int k) { return tuple_item(in, entry, k, span); };
  return in.make_tuple(
      {stored_key(in, part(0), elem->items[0], span), cast(in, part(1), elem->items[1])}, span);
}

ir::Expr* value_fitted(Emitter& in, ir::Expr* dict, ir::Expr* value, ListSite site, Span span) {
  if (is_error(value) || !can_stand_in_list(in, value->type, span)) return nullptr;
  const Type *key = types::key_of(dict->type), *to = types::value_of(dict->type);
  ListTypes& known = in.context().lists();
  if (to != value->type && known.grow(site, types::tuple({key, value->type}), in.dialect()))
    in.context().change();
  if (types::unify(to, value->type, in.dialect()) == to) return convert(in, value, to, span);
  if (is_stored_as(value->type, to)) return cast(in, value, to);
  in.report(span, diag::CannotConvert, types::print(value->type), types::print(to))
      .help("all values of a dict have one type");
  return nullptr;
}

// ---- displays, comprehensions ------------------------------------------------------------------

Operand set_display(Expressions& in, const ast::Set& e, ListSite site) {
  if (refused(in, "a set", e.span)) return error();
  std::vector<const ast::Expr*> exprs;
  for (const ast::Expr* item : e.elts) {
    if (ast::is<ast::Starred>(item)) {
      in.emitter().not_supported(item->span, "`*` in a set", "write `a | b`");
      return error();
    }
    exprs.push_back(item);
  }
  std::vector<ir::Expr*> keys;
  const std::vector<Operand> given = operands(in, exprs);
  for (size_t k = 0; k < given.size(); ++k)
    keys.push_back(value_of(in.emitter(), given[k], exprs[k]->span));
  return made_of(in, a_set(), keys, e, site);
}

Operand dict_display(Expressions& in, const ast::Dict& e, ListSite site) {
  Emitter& out = in.emitter();
  if (refused(in, "a dict", e.span)) return error();
  std::vector<const ast::Expr*> exprs;
  for (size_t k = 0; k < e.values.size(); ++k) {
    if (!e.keys[k]) {
      out.not_supported(e.values[k]->span, "`**` in a dict", "call `update`");
      return error();
    }
    exprs.push_back(e.keys[k]);
    exprs.push_back(e.values[k]);
  }
  const std::vector<Operand> given = operands(in, exprs, site.inside());
  std::vector<ir::Expr*> entries;
  for (size_t k = 0; k < exprs.size(); k += 2) {
    ir::Expr* key = value_of(out, given[k], exprs[k]->span);
    ir::Expr* value = value_of(out, given[k + 1], exprs[k + 1]->span);
    if (is_error(key) || is_error(value)) return error();
    entries.push_back(out.make_tuple({unwrap(out, key, e.span), value}, exprs[k]->span));
  }
  return made_of(in, a_dict(), entries, e, site);
}

Operand set_comprehension(Expressions& in, const ast::SetComp& e, ListSite site) {
  Emitter& out = in.emitter();
  if (refused(in, "a set", e.span)) return error();
  const ListSite own{&e, 0};
  const auto start = [&](ir::Expr*) {
    return empty_table(out, a_set(), known_type(out, own, site), e.span);
  };
  const auto add = [&](ir::Expr* set) {
    ir::Expr* key = in.value(*e.elt);
    if (is_error(key) || !can_stand_in_table(out, set->type, key->type, e.elt->span)) return false;
    if (ir::Expr* fitted = table_fitted(out, set, key, own, e.elt->span))
      put(out, set, fitted, e.elt->span);
    return true;
  };
  return comprehension(in, {e, e.generators, start, add});
}

Operand dict_comprehension(Expressions& in, const ast::DictComp& e, ListSite site) {
  Emitter& out = in.emitter();
  if (refused(in, "a dict", e.span)) return error();
  const ListSite own{&e, 0};
  const auto start = [&](ir::Expr*) {
    return empty_table(out, a_dict(), known_type(out, own, site), e.span);
  };
  const auto add = [&](ir::Expr* dict) {
    ir::Expr* key = out.once(unwrap(out, in.value(*e.key), e.key->span), "key");
    in.expect_list(site.inside());
    ir::Expr* value = in.value(*e.value);
    if (is_error(key) || is_error(value)) return false;
    ir::Expr* entry = out.make_tuple({key, value}, e.key->span);
    if (!can_stand_in_table(out, dict->type, entry->type, e.key->span)) return false;
    if (ir::Expr* fitted = table_fitted(out, dict, entry, own, e.key->span))
      put(out, dict, fitted, e.key->span);
    return true;
  };
  return comprehension(in, {e, e.generators, start, add});
}

// ---- set(…), dict(…), update -------------------------------------------------------------------

void table_extend(Expressions& in, ir::Expr* table, const Operand& more, const ast::Expr* at,
                  ListSite site, bool is_new, Span span) {
  Emitter& out = in.emitter();
  if (more.is_error()) return;
  if (more.type() == table->type && !table->type->lacks_items())
    return list_grow(out, Id::pyk_table_update, {table, more.value()}, span);
  Operand from = more;
  if (table->type->is_dict() && more.type() && more.type()->is_dict()) {
    if (more.type()->lacks_items()) return;
    from = {Entries{Value(out.once(more.value(), "more")), Entries::Part::kItems}, span};
  }
  const auto sequence = at ? sequence_of(in, from, *at) : std::nullopt;
  if (!sequence) return;
  const auto put_one = [&](ir::Expr* index) {
    ir::Expr* entry = value_of(out, sequence->item(index), span);
    const bool is_pair = entry->type->is_tuple() && entry->type->items.size() == 2;
    if (table->type->is_dict() && !is_pair && !is_error(entry))
      return out.not_supported(span, "a dict of `" + types::print(entry->type) + "`",
                               "it is made of tuples of key and value");
    if (ir::Expr* fitted = table_fitted(out, table, entry, site, span))
      put(out, table, fitted, span);
  };
  // d.update(zip(d.values(), d.keys())) changes what it goes through.
  if (sequence->generator || (sequence->check && !is_new))
    return in_turn(out, *sequence, span, [&](ir::Stmt*, ir::Expr* index) { put_one(index); });
  count_to(
      out, sequence->count, span, [&](ir::Local* index) { put_one(out.load(index, span)); }, "k");
}

std::optional<Operand> table_made(Expressions& in, const Arguments& args, std::string_view path) {
  Emitter& out = in.emitter();
  const bool is_empty = path == "numba.typed.Dict.empty";
  const bool is_dict = is_empty || path == "builtins.dict" || path == "numba.typed.Dict" ||
                       path == "numba.typed.typeddict.Dict";
  if (!is_dict && path != "builtins.set") return std::nullopt;
  if (refused(in, is_dict ? "a dict" : "a set", args.span)) return error();
  const Type* like = is_dict ? a_dict() : a_set();
  if (is_empty) {
    const auto bound = by_name(out, args, {"key_type", "value_type"}, 2);
    if (!bound) return error();
    const Type *key = named_type((*bound)[0]), *value = named_type((*bound)[1]);
    if (!key || !value) return bad_arguments(out, args);
    const Type* entry = types::tuple({key, value});
    if (!can_stand_in_table(out, like, entry, args.span)) return error();
    return to_operand(empty_table(out, like, entry, args.span));
  }
  if (args.args.size() > 1 || !args.keywords.empty() || (!args.args.empty() && !args.call))
    return bad_arguments(out, args);
  const ListSite own{args.call, 0};
  ir::Expr* table = empty_table(out, like, known_type(out, own, args.list), args.span);
  if (!args.args.empty())
    table_extend(in, table, args.args[0], args.call->args[0], own, true, args.span);
  return to_operand(table);
}

}  // namespace pyk2cu::infer
