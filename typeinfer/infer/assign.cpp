// Assignments: see assign.h. Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include "typeinfer/infer/assign.h"

#include <algorithm>

#include "typeinfer/infer/elementwise.h"
#include "typeinfer/infer/lists.h"
#include "typeinfer/infer/tables.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::infer {

using ir::ExprKind;
using ir::StmtKind;

namespace {

bool is_display(const ast::Expr* e) { return ast::is<ast::Tuple>(e) || ast::is<ast::List>(e); }

ast::Exprs elements(const ast::Expr& e) {
  if (const auto* tuple = ast::as<ast::Tuple>(e)) return tuple->elts;
  return ast::as<ast::List>(e)->elts;
}

bool has_starred(ast::Exprs items) {
  return std::any_of(items.begin(), items.end(),
                     [](const ast::Expr* item) { return ast::is<ast::Starred>(item); });
}

// Would assigning these names, or elements where `memory` says so, change what `e` computes?
bool depends(const ir::Expr* e, const std::vector<Symbol>& names, bool memory) {
  bool found = ir::has_effect(e) || (memory && ir::reads_memory(e));
  ir::for_each_subexpr(e, [&](const ir::Expr* part) {
    const ir::Local* local = ir::loaded(part);
    found = found || (local && std::find(names.begin(), names.end(), local->name) != names.end());
  });
  return found;
}

void collect_names(const ast::Expr& target, std::vector<Symbol>& names, bool& memory) {
  if (const auto* name = ast::as<ast::Name>(target)) {
    names.push_back(name->id);
  } else if (is_display(&target)) {
    for (const ast::Expr* item : elements(target)) collect_names(*item, names, memory);
  } else {
    memory = true;
  }
}

// ---- stores ------------------------------------------------------------------------------------

// a[i] = x, y, z
void store_items(Emitter& in, ir::Expr* view, ir::Expr* tuple, Span span) {
  view = in.once(view, "row");
  if (tuple->kind != ExprKind::kTuple) tuple = in.once(tuple, "items");
  const size_t count = tuple->type->items.size();
  ir::Expr* n = query(in, ir::QueryOp::kShape, view, 0, span);
  ir::Expr* differs = make_compare(in, ir::CompareOp::kNe, n, in.const_int(int64_t(count)), span);
  in.raise_if(differs, "ValueError",
              fmt::format("cannot assign {} values to a row of another length", count), span);
  std::vector<ir::Expr*> items;
  for (size_t k = 0; k < count; ++k) {
    items.push_back(convert(in, tuple_item(in, tuple, int(k), span), view->type->elem, span));
    if (is_error(items.back())) return;
    if (count > 1 && ir::reads_memory(items.back())) items.back() = in.spill(items.back(), "item");
  }
  for (size_t k = 0; k < count; ++k) {
    const std::vector<ir::Index> at{{in.const_int(int64_t(k)), false, false}};
    in.emit(in.make(ir::Store{{StmtKind::kStore, span}, {nullptr, view, in.list(at)}, items[k]}));
  }
}

}  // namespace

void store(Emitter& in, const Place& where, ir::Expr* v, Span span) {
  if (where.kind == Place::Kind::kError || is_error(v)) return;
  if (where.kind == Place::Kind::kItem) return list_store(in, where.array, where.picks, v, span);
  if (where.kind == Place::Kind::kKey) return dict_store(in, where, v, span);
  const bool element = where.kind == Place::Kind::kElement;
  const Type* array = where.array ? where.array->type : where.view->type;
  if (array->is_array() && array->readonly) {
    in.report(span, diag::StoreToReadonly, types::print(array))
        .help("store into a copy of it: `b = a.copy()`");
    return;
  }
  if (v->type->is_list() && !element) v = array_of_list(in, v, span);
  if (is_error(v)) return;
  if (where.kind == Place::Kind::kPicked) {
    const Type* from = v->type->is_array() ? v->type->elem : v->type;
    if (types::conversion(from, array->elem) == types::Conversion::kNone) {
      in.report(span, diag::CannotConvert, types::print(v->type), types::print(array));
      return;
    }
    return store_picked(in, {where.array, where.picks, where.axis}, v, span);
  }
  if (element) {
    if (v->type->is_array() && v->type->rank == 0 && v->type->elem->is_scalar())
      v = element_at(in, in.once(v, "operand"), {}, span);
    v = convert(in, v, where.type, span);
    if (is_error(v)) return;
    in.emit(in.make(
        ir::Store{{StmtKind::kStore, span}, {nullptr, where.array, in.list(where.indices)}, v}));
    return;
  }
  if (holds_records(array)) return store_record(in, where.view, v, span);
  if (v->type->is_tuple() && array->rank == 1 && !in.on_cuda())
    return store_items(in, where.view, v, span);
  if (!v->type->is_array()) return fill(in, where.view, v, span);
  if (types::conversion(v->type->elem, array->elem) == types::Conversion::kNone) {
    in.report(span, diag::CannotConvert, types::print(v->type), types::print(array));
    return;
  }
  if (in.on_cuda()) {
    in.report(span, diag::ArrayExpression, "a[i:j] = b").help("write a loop over the elements");
    return;
  }
  store_array(in, where.view, v, span);
}

namespace {

// Raises ValueError where there are not `count` of n values.
void check_count(Emitter& in, ir::Expr* n, size_t count, Span span) {
  const auto check = [&](ir::CompareOp op, size_t bound, const std::string& message) {
    ir::Expr* c = in.make(ir::Compare{
        {ExprKind::kCompare, types::boolean(), span}, op, n, in.const_int(int64_t(bound))});
    in.raise_if(c, "ValueError", message, span);
  };
  if (!in.on_cuda()) {
    check(ir::CompareOp::kGt, count, fmt::format("too many values to unpack (expected {})", count));
    for (size_t got = 0; got < count && got < 8; ++got)
      check(ir::CompareOp::kEq, got,
            fmt::format("not enough values to unpack (expected {}, got {})", count, got));
  }
}

// The items of an array along its first axis, after checking how many there are.
std::vector<Operand> array_items(Emitter& in, ir::Expr* array, size_t count, Span span) {
  array = in.once(array, "items");
  check_count(in, query(in, ir::QueryOp::kLen, array, 0, span), count, span);
  std::vector<Operand> items;
  for (size_t k = 0; k < count; ++k)
    items.push_back(to_operand(row(in, array, in.const_int(int64_t(k)), false, span)));
  return items;
}

std::vector<Operand> list_items(Emitter& in, ir::Expr* list, size_t count, Span span) {
  if (list->type->elem->kind == types::Kind::kVoid) return std::vector<Operand>(count, error());
  list = in.once(list, "items");
  check_count(in, in.once(list_length(in, list, span), "n"), count, span);
  std::vector<Operand> items;
  for (size_t k = 0; k < count; ++k)
    items.push_back(to_operand(list_item_at(in, list, in.const_int(int64_t(k)), span)));
  return items;
}

// ---- targets -----------------------------------------------------------------------------------

// Each item to its target, in order; items that earlier targets would change are saved first.
void assign_items(Expressions& in, ast::Exprs targets, std::vector<Operand> items, Span span) {
  Emitter& out = in.emitter();
  std::vector<Symbol> names;
  bool memory = false;
  for (size_t k = 0; k < items.size(); ++k) {
    if (items[k].is_value() && k > 0) {
      if (depends(items[k].value(), names, memory))
        items[k].set_value(out.spill(items[k].value(), "old"));
    }
    if (!in.names().is_index(*targets[k])) collect_names(*targets[k], names, memory);
  }
  out.reclaim_only_if(items.size() == 1, [&] {
    for (size_t k = 0; k < items.size(); ++k) assign(in, *targets[k], items[k], span);
  });
}

// x, y = e, f: no tuple is made.
void assign_display(Expressions& in, ast::Exprs targets, ast::Exprs values, Span span) {
  Emitter& out = in.emitter();
  std::vector<Operand> items;
  for (size_t k = 0; k < values.size(); ++k) {
    const ast::Expr* e = values[k];
    in.expect_list(site_of(*targets[k]));
    const Emitter::Mark m = out.mark();
    Operand item = in.operand(*e);
    for (Operand& earlier : items)
      if (earlier.is_value()) earlier.set_value(out.settle(earlier.value(), m));
    items.push_back(std::move(item));
  }
  assign_items(in, targets, std::move(items), span);
}

void unpack(Expressions& in, ast::Exprs targets, const Operand& given, Span span) {
  Emitter& out = in.emitter();
  Operand what = given;
  const Type* type = what.is_value() ? what.type() : nullptr;
  if (type && type->is_optional() && !type->elem->is_scalar())  // None: TypeError
    what.set_value(unwrap(out, what.value(), span));
  if (has_starred(targets))
    return out.not_supported(span, "a starred target",
                             "unpack by index: `first, rest = t[0], t[1:]`");
  std::vector<Operand> items;
  if (what.is<Pack>()) {
    items = what.as<Pack>().parts;
  } else if (what.is_value() && what.type()->is_tuple()) {
    ir::Expr* tuple =
        what.value()->kind == ExprKind::kTuple ? what.value() : out.once(what.value(), "items");
    for (size_t k = 0; k < what.type()->items.size(); ++k)
      items.push_back(to_operand(tuple->kind == ExprKind::kTuple
                                     ? ir::as<ir::Tuple>(tuple)->items[k]
                                     : tuple_item(out, tuple, int(k), span)));
  } else if (what.is_value() && what.type()->is_list()) {
    items = list_items(out, what.value(), targets.size(), span);
  } else if (what.is_value() && what.type()->is_array()) {
    items = array_items(out, what.value(), targets.size(), span);
  } else if (what.is_error()) {
    items.assign(targets.size(), error());
  } else {
    out.report(
        span, diag::NotUnpackable,
        what.is_value() ? "a value of type `" + types::print(what.type()) + "`" : describe(what));
    items.assign(targets.size(), error());
  }
  if (items.size() != targets.size()) {
    auto builder = out.report(span, diag::UnpackCount, Int(items.size()), Int(targets.size()));
    const ir::Local* shaped = what.is_value() ? array_of_shape(what.value()) : nullptr;
    if (shaped) name_rank(out, builder, shaped, Int(targets.size()));
    items.assign(targets.size(), error());
  }
  assign_items(in, targets, std::move(items), span);
}

}  // namespace

namespace {

// A target that is no name: an element, a slice, a field.
Place place_of(Expressions& in, const ast::Expr& target, bool updated) {
  const auto* subscript = ast::as<ast::Subscript>(target);
  return subscript ? place(in, *subscript, updated) : place(in, *ast::as<ast::Attribute>(target));
}

}  // namespace

// best = []; …; best = other: says what was put into the first one.
static void note_items(Emitter& in, const ast::Name& name, const Operand& what) {
  const Type* type = what.type();
  if (!in.context().waits_for_items() || !type || !type->is_container() || type->lacks_items())
    return;
  ListTypes& known = in.context().lists();
  const ListSite site = site_of(name);
  if (!known.items(site) && known.grow(site, type->elem, in.dialect())) in.context().change();
}

void assign(Expressions& in, const ast::Expr& target, const Operand& what, Span span) {
  Emitter& out = in.emitter();
  if (const auto* name = ast::as<ast::Name>(target)) {
    note_items(out, *name, what);
    return in.names().bind(*name, name->id, what, span);
  }
  if (is_display(&target)) return unpack(in, elements(target), what, span);
  if (ast::is<ast::Starred>(target)) return out.not_supported(target.span, "a starred target");
  ir::Expr* v = value_of(out, what, span);
  const Emitter::Mark m = out.mark();
  const Place where = place_of(in, target, false);
  store(out, where, out.settle(v, m), span);
}

// ---- statements --------------------------------------------------------------------------------

void assign(Expressions& in, const ast::Assign& s) {
  Emitter& out = in.emitter();
  if (s.targets.size() == 1 && is_display(s.targets[0]) && is_display(s.value) &&
      !has_starred(elements(*s.value)) && !has_starred(elements(*s.targets[0])) &&
      elements(*s.targets[0]).size() == elements(*s.value).size()) {
    return assign_display(in, elements(*s.targets[0]), elements(*s.value), s.span);
  }
  in.expect_list(site_of(*s.targets[0]));
  Operand what = in.operand(*s.value);
  if (s.targets.size() > 1 && what.is_value()) what.set_value(out.once(what.value(), "value"));
  out.reclaim_only_if(s.targets.size() == 1, [&] {
    for (const ast::Expr* target : s.targets) assign(in, *target, what, s.span);
  });
}

void assign(Expressions& in, const ast::AnnAssign& s) {
  if (!s.value) return;
  in.expect_list(site_of(*s.target));
  assign(in, *s.target, in.operand(*s.value), s.span);
}

void assign(Expressions& in, const ast::AugAssign& s) {
  Emitter& out = in.emitter();
  if (const auto* target = ast::as<ast::Name>(s.target)) {
    ir::Expr* left = value_of(out, in.name(*target), target->span);
    const Emitter::Mark m = out.mark();
    const Operand what = in.operand(*s.value);
    if (left->type->is_list() || (left->type->is_optional() && left->type->elem->is_list())) {
      left = unwrap(out, out.settle(left, m), s.span);
      if (list_update(in, s, left, what))
        return in.names().bind(*target, target->id, to_operand(left), s.span);  // the same list
    }
    ir::Expr* right = value_of(out, what, s.value->span);
    if (left->type->is_set()) {
      left = out.settle(left, m);
      if (is_error(right) || set_update(out, s.op, left, unwrap(out, right, s.span), s.span))
        return in.names().bind(*target, target->id, to_operand(left), s.span);  // the same set
    }
    if (left->type->is_array()) {
      left = out.settle(left, m);
      array_update(out, s.op, left, right, s.span);
      return in.names().bind(*target, target->id, to_operand(left), s.span);  // the same array
    }
    ir::Expr* result = binary(out, s.op, out.settle(left, m), right, s.span);
    return in.names().bind(*target, target->id, to_operand(result), s.span);
  }
  const ast::Expr* target = s.target;
  Place where = place_of(in, *target, true);
  if (where.kind == Place::Kind::kError) {
    in.value(*s.value);
    return;
  }
  ir::Expr* left = load(out, where, target->span);
  const Emitter::Mark m = out.mark();
  const Operand what = in.operand(*s.value);
  left = out.settle(left, m);
  // a[i] += (i := 1): the element that was read
  for (ir::Index& index : where.indices) index.value = out.settle(index.value, m);
  if (where.array) where.array = out.settle(where.array, m);
  // What changes itself is stored all the same: what came in between may have taken its key out.
  const bool moved = out.mark() != m;
  const auto put_back = [&] {
    if (where.kind != Place::Kind::kKey || !moved) return;
    where.at = nullptr;
    store(out, where, left, s.span);
  };
  if (left->type->is_list() && list_update(in, s, left, what)) return put_back();
  ir::Expr* right = value_of(out, what, s.value->span);
  if (left->type->is_set() && set_update(out, s.op, left, right, s.span)) return put_back();
  if (where.kind == Place::Kind::kKey && left->type->is_array()) {
    array_update(out, s.op, left, right, s.span);
    return put_back();
  }
  if (where.kind == Place::Kind::kKey && out.mark() != m) where.at = nullptr;  // it may have moved
  if (where.kind == Place::Kind::kItem) {
    if (left->type->is_array()) return array_update(out, s.op, left, right, s.span);
    if (out.mark() != m) list_check(out, where.array, where.picks, s.span);
  }
  if (where.kind == Place::Kind::kView) return array_update(out, s.op, left, right, s.span);
  store(out, where, binary(out, s.op, left, right, s.span), s.span);
}

}  // namespace pyk2cu::infer
