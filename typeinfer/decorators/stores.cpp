// Statements of a module that change its constants: tables that loops fill.
//
//   LUT = np.full(256, 255, dtype=np.uint8)
//   for i, b in enumerate(b"ACGT"):               LUT is a constant: what it holds in the end
//       LUT[b] = i                          ->
//   W /= W.sum()
//
// In:   a statement that runs once, when the module is imported; constants.  Out: the constants as
// they are behind it; or nothing, where not all of it folds or an array has another name by now,
// and nobody knows from the text what it does. Tested by tests/run/test_module_tables.py.
#include <algorithm>
#include <unordered_map>

#include "typeinfer/decorators/collector.h"
#include "typeinfer/fold/parts.h"
#include "typeinfer/scope/bound.h"

namespace pyk2cu::decorators {

namespace {

using fold::Value;
using Kind = Value::Kind;

constexpr int kMostSteps = 1 << 18;

bool holds_array(const Value& v) {
  return v.kind == Kind::kArray || std::ranges::any_of(v.items, holds_array);
}

// Is the array that the expression folds to a new one, or may it be, or show, one that has a name?
bool makes_array(const ast::Expr& e) {
  const auto* call = ast::as<ast::Call>(e);
  if (!call) return ast::is<ast::BinOp>(e) || ast::is<ast::UnaryOp>(e);
  const auto* path = ast::as<ast::Attribute>(call->func);
  const auto* name = ast::as<ast::Name>(call->func);
  const std::string_view function = path   ? path->attr.str()
                                    : name ? name->id.str()
                                           : std::string_view();
  constexpr std::string_view kViews[] = {"asarray", "ascontiguousarray", "reshape", "ravel", ""};
  return std::ranges::find(kViews, function) == std::end(kViews);
}

class Stores : public fold::Scope {
 public:
  explicit Stores(const ModuleInfo& info) : module_(info), around_(info) {}

  bool run(const ast::Stmt& stmt) {
    if (++steps_ > kMostSteps) return false;
    if (const auto* s = ast::as<ast::Assign>(stmt)) {
      const auto value = fold::fold(*s->value, *this);
      const auto* name = ast::as<ast::Name>(*s->targets[0]);
      if (!value || s->targets.size() != 1) return false;
      if (!name || value->kind != Kind::kArray) return assign(*s->targets[0], *value);
      if (!makes_array(*s->value)) return false;
      values_[name->id] = *value;
      return true;
    }
    if (const auto* s = ast::as<ast::AugAssign>(stmt)) return update(*s);
    if (const auto* s = ast::as<ast::For>(stmt)) return loop(*s);
    if (const auto* s = ast::as<ast::If>(stmt)) {
      const auto test = fold::fold(*s->test, *this);
      const auto known = test ? fold::truth(*test) : std::nullopt;
      return known && all(*known ? s->body : s->orelse);
    }
    const auto* e = ast::as<ast::ExprStmt>(stmt);
    const auto* call = e ? ast::as<ast::Call>(e->value) : nullptr;
    return ast::is<ast::Pass>(stmt) || (call && append(*call)) ||
           (e && ast::is<ast::Constant>(*e->value));
  }

  // The names that it gives values, and those of arrays that it changes; lists that it appends to.
  std::unordered_map<Symbol, Value>& values() { return values_; }
  std::unordered_map<Symbol, Value>& lists() { return lists_; }
  const std::vector<Symbol>& changed() const { return changed_; }

  const Value* find(Symbol name) const override {
    const auto own = values_.find(name);
    return own == values_.end() ? around_.find(name) : &own->second;
  }
  std::string qualified(Symbol name) const override {
    return values_.contains(name) ? "." : around_.qualified(name);
  }
  const Value* list(Symbol name) const override {
    const auto own = lists_.find(name);
    if (own != lists_.end()) return &own->second;
    return values_.contains(name) ? nullptr : around_.list(name);
  }
  std::optional<fold::Member> member(const ast::Attribute& path) const override {
    return around_.member(path);
  }
  std::optional<fold::Fields> fields(const ast::Expr& path) const override {
    return around_.fields(path);
  }

 private:
  bool all(ast::Stmts body) {
    return std::ranges::all_of(body, [&](const ast::Stmt* s) { return run(*s); });
  }

  bool assign(const ast::Expr& target, const Value& value) {
    if (const auto* name = ast::as<ast::Name>(target)) {
      // A second name of an array, or of what holds one, is not followed.
      if (value.kind == Kind::kDict || value.kind == Kind::kType || holds_array(value))
        return false;
      values_[name->id] = value;
      return true;
    }
    if (const auto* item = ast::as<ast::Subscript>(target)) return store(*item, value);
    const auto* several = ast::as<ast::Tuple>(target);
    if (!several || value.kind != Kind::kTuple || value.items.size() != several->elts.size())
      return false;
    for (size_t k = 0; k < several->elts.size(); ++k)
      if (!assign(*several->elts[k], value.items[k])) return false;
    return true;
  }

  // names.append(x), names.extend(x)
  bool append(const ast::Call& call) {
    const auto* method = ast::as<ast::Attribute>(*call.func);
    const auto* name = method ? ast::as<ast::Name>(*method->value) : nullptr;
    const bool is_one = name && (method->attr == "append" || method->attr == "extend") &&
                        call.args.size() == 1 && call.keywords.empty();
    const Value* known = is_one ? list(name->id) : nullptr;
    if (!known || known->kind != Kind::kTuple) return false;
    const bool extends = method->attr == "extend";
    auto value = fold::fold_list(*call.args[0], *this);
    if (!value || (extends && value->kind != Kind::kTuple)) return false;
    if (holds_array(*value) && (extends || !makes_array(*call.args[0]))) return false;
    auto [own, is_new] = lists_.try_emplace(name->id);
    if (is_new) own->second = *known;
    std::vector<Value>& items = own->second.items;
    if (items.size() > size_t(kMostSteps)) return false;
    if (extends)
      items.insert(items.end(), value->items.begin(), value->items.end());
    else
      items.push_back(std::move(*value));
    return true;
  }

  // table[i] = value, table[i, j] = value, table[lo:hi] = value
  bool store(const ast::Subscript& target, const Value& value) {
    Value* array = changing(target);
    const auto places = array ? places_of(*array, *target.slice) : std::nullopt;
    const bool is_array = value.kind == Kind::kArray;
    if (!places || (is_array && fold::array_size(value) != places->size())) return false;
    for (size_t k = 0; k < places->size(); ++k)
      if (!put(*array, (*places)[k], is_array ? fold::array_item(value, k) : value)) return false;
    return true;
  }

  // The array of the subscript, as one that changes; null: it is none.
  Value* changing(const ast::Subscript& target) {
    const auto* name = ast::as<ast::Name>(target.value);
    const Value* known = name ? find(name->id) : nullptr;
    if (!known || known->kind != Kind::kArray) return nullptr;
    note_change(name->id);
    return &values_.try_emplace(name->id, *known).first->second;
  }

  void note_change(Symbol name) {
    if (std::ranges::find(changed_, name) == changed_.end()) changed_.push_back(name);
  }

  static bool put(Value& array, size_t place, const Value& item) {
    const types::Type* elem = array.type->elem;
    const bool fits = fold::is_number(item) &&
                      (elem->is_complex() || (fold::is_real(item) && is_in_range(item, elem)));
    const auto one = fits ? fold::cast(item, elem) : std::nullopt;
    const auto made = one ? fold::make_array(elem, {1}, {&*one, 1}) : std::nullopt;
    const size_t size = types::item_size(elem);
    if (!made || made->bytes.size() != size) return false;
    array.bytes.replace(place * size, size, made->bytes);
    return true;
  }

  // Python's integers that a type does not hold are an OverflowError.
  static bool is_in_range(const Value& item, const types::Type* elem) {
    if (!elem->is_int() || !fold::is_integral(item) || fold::is_numpy_scalar(item)) return true;
    const auto one = fold::cast(item, elem);
    return one && one->integer == item.integer;
  }

  // Which elements a subscript asks for, in C order.
  std::optional<std::vector<size_t>> places_of(const Value& array, const ast::Expr& subscript) {
    const auto* several = ast::as<ast::Tuple>(subscript);
    std::vector<const ast::Expr*> parts{&subscript};
    if (several) parts.assign(several->elts.begin(), several->elts.end());
    if (parts.size() > array.shape.size()) return std::nullopt;
    std::vector<size_t> places{0};
    for (size_t axis = 0; axis < array.shape.size(); ++axis) {
      const auto n = size_t(array.shape[axis]);
      std::vector<size_t> along;
      if (axis >= parts.size())
        for (size_t k = 0; k < n; ++k) along.push_back(k);
      else if (!places_along(*parts[axis], int64_t(n), along))
        return std::nullopt;
      std::vector<size_t> all;
      for (const size_t place : places)
        for (const size_t k : along) all.push_back(place * n + k);
      places = std::move(all);
    }
    return places;
  }

  bool places_along(const ast::Expr& e, int64_t n, std::vector<size_t>& out) {
    if (const auto* slice = ast::as<ast::Slice>(e)) {
      const auto bound = [&](const ast::Expr* one, int64_t otherwise) -> std::optional<int64_t> {
        const auto value = one ? fold::fold(*one, *this) : fold::make_int(otherwise);
        const auto at = value ? fold::to_int64(*value) : std::nullopt;
        if (!at) return std::nullopt;
        return std::clamp(*at < 0 ? *at + n : *at, int64_t{0}, n);
      };
      const auto lo = bound(slice->lower, 0), hi = bound(slice->upper, n);
      const auto by = slice->step ? fold::fold(*slice->step, *this) : fold::make_int(1);
      const int64_t step = by ? fold::to_int64(*by).value_or(0) : 0;
      if (!lo || !hi || step < 1) return false;
      for (int64_t k = *lo; k < *hi; k += step) out.push_back(size_t(k));
      return true;
    }
    const auto value = fold::fold(e, *this);
    const auto given = value ? fold::to_int64(*value) : std::nullopt;
    if (!given || value->kind == Kind::kBool) return false;
    const int64_t at = *given < 0 ? *given + n : *given;
    if (at < 0 || at >= n) return false;
    out.push_back(size_t(at));
    return true;
  }

  bool update(const ast::AugAssign& s) {
    const auto by = fold::fold(*s.value, *this);
    if (!by) return false;
    if (const auto* item = ast::as<ast::Subscript>(*s.target))
      return update_items(*item, s.op, *by);
    const auto* name = ast::as<ast::Name>(*s.target);
    const Value* before = name ? find(name->id) : nullptr;
    auto after = before ? fold::binary(s.op, *before, *by) : std::nullopt;
    if (!after || before->kind != Kind::kArray) return after && assign(*s.target, *after);
    // In place: the array keeps its type.
    if (after->kind != Kind::kArray || after->type != before->type || after->shape != before->shape)
      return false;
    values_[name->id] = std::move(*after);
    note_change(name->id);
    return true;
  }

  bool update_items(const ast::Subscript& target, ast::Operator op, const Value& by) {
    Value* array = changing(target);
    const auto places = array ? places_of(*array, *target.slice) : std::nullopt;
    if (!places || (by.kind == Kind::kArray && fold::array_size(by) != places->size()))
      return false;
    for (size_t k = 0; k < places->size(); ++k) {
      const Value one = by.kind == Kind::kArray ? fold::array_item(by, k) : by;
      const auto after = fold::binary(op, fold::array_item(*array, (*places)[k]), one);
      // NumPy casts nothing back but floats to other floats.
      const types::Type* elem = array->type->elem;
      const bool fits = after && after->type &&
                        (after->type == elem || (after->type->is_float() && elem->is_float()));
      if (!fits || !put(*array, (*places)[k], *after)) return false;
    }
    return true;
  }

  bool loop(const ast::For& s) {
    const auto items = items_of(*s.iter);
    if (!items) return false;
    for (const Value& item : *items)
      if (!assign(*s.target, item) || !all(s.body)) return false;
    return all(s.orelse);
  }

  std::optional<std::vector<Value>> items_of(const ast::Expr& e) {
    if (const auto* c = ast::as<ast::Constant>(e);
        c && c->value.tag == ast::ConstantValue::kBytes) {
      std::vector<Value> all;
      for (const char byte : c->value.text) all.push_back(fold::make_int(uint8_t(byte)));
      return all;
    }
    if (const auto* call = ast::as<ast::Call>(e)) {
      const auto* name = ast::as<ast::Name>(call->func);
      const bool is_builtin = name && !find(name->id) && call->keywords.empty() &&
                              module_.find(name->id).kind == Binding::Kind::kUnknown;
      if (is_builtin && (name->id == "enumerate" || name->id == "zip")) return several(*call);
    }
    const auto value = fold::fold_list(e, *this);
    if (!value) return std::nullopt;
    if (value->kind == Kind::kTuple) return value->items;
    std::vector<Value> all;
    if (value->kind == Kind::kStr)
      for (const char c : value->text) {
        if (static_cast<unsigned char>(c) > 127) return std::nullopt;
        all.push_back(fold::make_str(std::string(1, c)));
      }
    else if (value->kind == Kind::kArray && value->shape.size() == 1)
      for (size_t k = 0; k < fold::array_size(*value); ++k)
        all.push_back(fold::array_item(*value, k));
    else
      return std::nullopt;
    return all;
  }

  // enumerate(a), enumerate(a, 1), zip(a, b)
  std::optional<std::vector<Value>> several(const ast::Call& call) {
    const bool counts = ast::as<ast::Name>(call.func)->id == "enumerate";
    std::vector<std::vector<Value>> parts;
    int64_t start = 0;
    if (counts && call.args.size() == 2) {
      const auto given = fold::fold(*call.args[1], *this);
      const auto number = given ? fold::to_int64(*given) : std::nullopt;
      if (!number) return std::nullopt;
      start = *number;
    } else if (counts && call.args.size() != 1) {
      return std::nullopt;
    }
    for (size_t k = 0; k < (counts ? 1 : call.args.size()); ++k) {
      auto items = items_of(*call.args[k]);
      if (!items) return std::nullopt;
      parts.push_back(std::move(*items));
    }
    if (parts.empty()) return std::nullopt;
    size_t count = parts[0].size();
    for (const std::vector<Value>& part : parts) count = std::min(count, part.size());
    std::vector<Value> all;
    for (size_t k = 0; k < count; ++k) {
      std::vector<Value> item;
      if (counts) item.push_back(fold::make_int(start + int64_t(k)));
      for (const std::vector<Value>& part : parts) item.push_back(part[k]);
      all.push_back(fold::make_tuple(std::move(item)));
    }
    return all;
  }

  const ModuleInfo& module_;
  const UnitScope around_;
  std::unordered_map<Symbol, Value> values_{}, lists_{};
  std::vector<Symbol> changed_{};
  int steps_ = 0;
};

bool mentions(const ast::Node& node, Symbol name) {
  if (const auto* one = ast::as<ast::Name>(node)) return one->id == name;
  bool found = false;
  ast::for_each_child(node,
                      [&](const ast::Node& child) { found = found || mentions(child, name); });
  return found;
}

// x[i] = …, x += …, x[i] += … anywhere inside
bool changes_items(const ast::Node& node, Symbol name) {
  const auto* item = ast::as<ast::Subscript>(node);
  const auto* update = ast::as<ast::AugAssign>(node);
  const auto is = [&](const ast::Expr* e) {
    const auto* one = ast::as<ast::Name>(e);
    return one && one->id == name;
  };
  if (item && item->ctx != ast::Context::kLoad && is(item->value)) return true;
  if (update && is(update->target)) return true;
  bool found = false;
  ast::for_each_child(node,
                      [&](const ast::Node& child) { found = found || changes_items(child, name); });
  return found;
}

}  // namespace

// The other names that are the same array, or a view of it, as far as assignments say.
std::vector<Symbol> Collector::sharing(const Unit& unit, Symbol array) const {
  const auto may_show = [&](Symbol name, const Assigned& assigned) {
    const Binding& known = unit.info->find(name);
    return assigned.expr && (!known.value || holds_array(*known.value)) &&
           !makes_array(*assigned.expr);
  };
  std::vector<Symbol> all;
  const auto own = unit.info->assigned.find(array);
  const bool is_view = own != unit.info->assigned.end() && may_show(array, own->second);
  for (const auto& [name, binding] : unit.info->bindings)
    if (is_view && name != array && mentions(*own->second.expr, name)) all.push_back(name);
  for (const auto& [name, assigned] : unit.info->assigned)
    if (name != array && may_show(name, assigned) && mentions(*assigned.expr, array))
      all.push_back(name);
  return all;
}

// Something changes the array, and nobody knows how: neither it nor what shares it is a constant
// any more.
void Collector::forget_array(Unit& unit, Symbol array) {
  std::vector<Symbol> all{array};
  for (size_t k = 0; k < all.size(); ++k)
    for (const Symbol other : sharing(unit, all[k]))
      if (std::ranges::find(all, other) == all.end()) all.push_back(other);
  for (const Symbol name : all) {
    const Binding known = unit.info->find(name);
    if (known.kind != Binding::Kind::kConstant || !holds_array(*known.value)) continue;
    unit.info->assigned.erase(name);
    unit.info->bindings[name] = Binding{.kind = Binding::Kind::kHost, .span = known.span};
  }
}

// for a in (T, U): a[0] = x
void Collector::forget_items(Unit& unit, const ast::For& loop) {
  std::vector<Symbol> targets, arrays;
  scope::bound_names(*loop.target, targets);
  const bool changes = std::ranges::any_of(loop.body, [&](const ast::Stmt* s) {
    return std::ranges::any_of(targets, [&](Symbol name) { return changes_items(*s, name); });
  });
  for (const auto& [name, binding] : unit.info->bindings)
    if (changes && mentions(*loop.iter, name)) arrays.push_back(name);
  for (const Symbol name : arrays) forget_array(unit, name);
}

// False: what the statement does cannot be told.
bool Collector::run_stores(Unit& unit, const ast::Stmt& stmt) {
  if (unit.nested || unit.called || unit.conditional > 0) return false;
  Stores stores(*unit.info);
  if (!stores.run(stmt)) return false;
  for (const Symbol changed : stores.changed()) {
    const auto own = unit.info->assigned.find(changed);
    const bool is_other = own != unit.info->assigned.end()
                              ? own->second.module != unit.info
                              : unit.info->find(changed).kind != Binding::Kind::kUnknown &&
                                    !unit.own_arrays.contains(changed);  // imported
    if (is_other || !sharing(unit, changed).empty()) return false;
  }
  for (const auto& [list, items] : stores.lists())  // but in a copy, as np.array makes one
    for (const auto& [name, assigned] : unit.info->assigned)
      if (name != list && assigned.expr && !ast::is<ast::Call>(*assigned.expr) &&
          mentions(*assigned.expr, list))
        return false;
  for (auto& [name, value] : stores.values()) {
    const Span span = unit.info->bindings.contains(name) ? unit.info->find(name).span : stmt.span;
    sources_.values.push_back(std::make_unique<Value>(std::move(value)));
    bind(
        unit, name,
        Binding{
            .kind = Binding::Kind::kConstant, .value = sources_.values.back().get(), .span = span});
    unit.own_arrays.insert(name);
  }
  for (auto& [name, value] : stores.lists()) {
    sources_.values.push_back(std::make_unique<Value>(std::move(value)));
    unit.info->bindings[name].value = sources_.values.back().get();
  }
  return true;
}

}  // namespace pyk2cu::decorators
