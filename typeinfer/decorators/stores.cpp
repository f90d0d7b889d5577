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
#include <climits>
#include <functional>
#include <unordered_map>

#include "typeinfer/decorators/collector.h"
#include "typeinfer/fold/parts.h"
#include "typeinfer/scope/bound.h"

namespace pyk2cu::decorators {

namespace {

using fold::Value;
using Kind = Value::Kind;

constexpr int64_t kMostSteps = 1 << 18;
constexpr int64_t kMostElements = 1 << 21;  // of arrays that are read and written, in a module

class Stores : public fold::Scope {
 public:
  // `is_new`: does an expression show nothing that has a name? `elements`: of arrays, that stores
  // of the module have read and written.
  Stores(const ModuleInfo& info, std::function<bool(const ast::Expr&)> is_new, int64_t& elements)
      : module_(info), around_(info), is_new_(std::move(is_new)), elements_(elements) {}

  bool run(const ast::Stmt& stmt) {
    const bool is_simple = !ast::is<ast::For>(stmt) && !ast::is<ast::If>(stmt);
    if (is_simple) elements_ += mentioned(stmt);
    if (++steps_ > kMostSteps || elements_ > kMostElements) return false;
    if (const auto* s = ast::as<ast::Assign>(stmt)) {
      const auto value = fold::fold(*s->value, *this);
      const auto* name = ast::as<ast::Name>(*s->targets[0]);
      if (!value || s->targets.size() != 1) return false;
      if (!name || value->kind != Kind::kArray) return assign(*s->targets[0], *value);
      if (!is_new_(*s->value)) return false;
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
  // Elements of the arrays and lists that the statement mentions whole.
  int64_t mentioned(const ast::Node& node) const {
    int64_t count = 0;
    if (const auto* name = ast::as<ast::Name>(node)) {
      const Value* array = find(name->id);
      const Value* items = array ? nullptr : list(name->id);
      if (array && array->kind == Kind::kArray) count += int64_t(fold::array_size(*array));
      if (items) count += std::ssize(items->items) / 4;
    }
    const auto* item = ast::as<ast::Subscript>(node);
    ast::for_each_child(node, [&](const ast::Node& part) {
      if (!item || &part != item->value) count += mentioned(part);
    });
    return count;
  }

  bool all(ast::Stmts body) {
    return std::ranges::all_of(body, [&](const ast::Stmt* s) { return run(*s); });
  }

  bool assign(const ast::Expr& target, const Value& value) {
    if (const auto* name = ast::as<ast::Name>(target)) {
      // A second name of an array, or of what holds one, is not followed.
      if (value.kind == Kind::kType || may_change(value)) return false;
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
    if (may_change(*value) && (extends || !is_new_(*call.args[0]))) return false;
    auto [own, is_new] = lists_.try_emplace(name->id);
    if (is_new) own->second = *known;
    std::vector<Value>& items = own->second.items;
    if (std::ssize(items) > kMostSteps) return false;
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
  const std::function<bool(const ast::Expr&)> is_new_;
  std::unordered_map<Symbol, Value> values_{}, lists_{};
  std::vector<Symbol> changed_{};
  int64_t& elements_;
  int64_t steps_ = 0;
};

// table[i] = x, (a[i], a[j]) = …
bool stores_items(const ast::Expr& target) {
  const auto* several = ast::as<ast::Tuple>(target);
  return ast::is<ast::Subscript>(target) ||
         (several && std::ranges::any_of(several->elts, [](const ast::Expr* one) {
            return ast::is<ast::Subscript>(*one);
          }));
}

// Statements that change something, and are no more than that.
bool may_store(const ast::Stmt& stmt) {
  const auto* assign = ast::as<ast::Assign>(stmt);
  return (assign && stores_items(*assign->targets[0])) || ast::is<ast::AugAssign>(stmt) ||
         ast::is<ast::For>(stmt) || ast::is<ast::ExprStmt>(stmt);
}

// What a statement does itself, of one whose statements are asked one by one.
std::vector<const ast::Node*> own_parts(const ast::Stmt& stmt) {
  if (const auto* s = ast::as<ast::If>(stmt)) return {s->test};
  if (const auto* s = ast::as<ast::Match>(stmt)) return {s->subject};
  if (const auto* s = ast::as<ast::With>(stmt)) return {s->items.begin(), s->items.end()};
  const bool has_none =
      ast::is<ast::Try>(stmt) || ast::is<ast::TryStar>(stmt) || ast::is<ast::FunctionDef>(stmt);
  return has_none ? std::vector<const ast::Node*>{} : std::vector<const ast::Node*>{&stmt};
}

}  // namespace

bool may_change(const Value& v) {
  return v.kind == Kind::kArray || v.kind == Kind::kDict ||
         std::ranges::any_of(v.items, may_change);
}

const Sharing& Collector::sharing(Unit& unit) {
  if (unit.sharing) return *unit.sharing;
  const auto dotted_path = [this, &unit](const ast::Expr& path) { return dotted(unit, path); };
  const auto is_module = [&unit](Symbol name) {
    return unit.info->find(name).kind == Binding::Kind::kModule;
  };
  const auto runs = [&unit](const ast::If& branch, bool body) {
    const auto value = fold::fold(*branch.test, UnitScope(*unit.info));
    const auto known = value ? fold::truth(*value) : std::nullopt;
    return !known || *known == body;
  };
  const auto rank = [&unit](Symbol name) {
    const Value* value = unit.info->find(name).value;
    return value && value->kind == Kind::kArray ? int(value->shape.size()) : INT_MAX;
  };
  const Sharing::Paths paths{dotted_path, is_module, runs, rank};
  unit.sharing = std::make_unique<Sharing>(*unit.info->ast, paths);
  return *unit.sharing;
}

// Of an array: what stands behind so many subscripts is a number, and it holds nothing else.
static bool is_number(const Value* value, int items, bool holds) {
  return value && value->kind == Kind::kArray && (holds || items >= int(value->shape.size()));
}

// Does a function change it? Compiled ones cannot, they are told so.
bool Collector::is_changed_later(Unit& unit, Symbol name, const Value* value) {
  if (unit.nested || unit.called) return false;
  return std::ranges::any_of(sharing(unit).changers(name), [&](const sharing::Changer& one) {
    if (is_number(value, one.items, one.holds)) return false;
    return !one.def ||
           std::ranges::none_of(one.def->decorator_list, [&](const ast::Expr* decorator) {
             return mentions_maker(unit, *decorator) || may_compile(unit, *decorator);
           });
  });
}

// Has the array or list another name, behind offset `at`?
bool Collector::shares(Unit& unit, Symbol name, uint32_t at) {
  const Binding& own = unit.info->find(name);
  const bool is_list = own.kind != Binding::Kind::kConstant;
  for (const sharing::Affected& other : sharing(unit).with(name, at)) {
    const Binding& known = unit.info->find(other.name);
    const bool is_value = known.kind == Binding::Kind::kConstant && !may_change(*known.value);
    const bool is_copy =
        is_list ? known.kind == Binding::Kind::kConstant : known.value && !may_change(*known.value);
    if (other.name != name && known.kind != Binding::Kind::kUnknown && !is_value && !is_copy &&
        !is_number(known.value, other.items, other.holds))
      return true;
  }
  return std::ranges::any_of(units_, [&](const auto& one) {
    return one->info != unit.info &&
           std::ranges::any_of(one->info->bindings, [&](const auto& entry) {
             return own.value && entry.second.value == own.value;
           });
  });
}

// Nobody knows any more what the name holds, in whichever file.
void Collector::forget_value(ModuleInfo& info, Symbol name) {
  const Binding known = info.find(name);
  const bool is_list = known.kind == Binding::Kind::kHost;
  const bool changes = known.kind == Binding::Kind::kConstant && may_change(*known.value);
  if (!known.value || !(is_list || changes)) return;
  for (const auto& unit : units_)
    for (auto& [other, binding] : unit->info->bindings) {
      if (binding.value != known.value) continue;
      if (changes) unit->info->assigned.erase(other);
      binding = is_list ? binding : Binding{.kind = Binding::Kind::kHost, .span = binding.span};
      binding.value = nullptr;
    }
}

// The statement changes what it changes in a way that is not known.
void Collector::forget_changes(Unit& unit, const ast::Stmt& stmt) {
  if (unit.nested || unit.called) return;
  std::vector<Symbol> bound;
  sharing::bound_beside(stmt, bound);
  for (const Symbol name : bound)
    if (unit.info->find(name).kind == Binding::Kind::kConstant)
      unit.info->bindings[name] = Binding{.kind = Binding::Kind::kHost, .span = stmt.span};
  if (!unit.holds_values) return;
  for (const ast::Node* part : own_parts(stmt)) forget_changes_of(unit, *part);
}

void Collector::forget_changes_of(Unit& unit, const ast::Node& part) {
  for (const sharing::Affected& changed : sharing(unit).changed_by(part)) {
    const std::string_view path = changed.name.str();
    const size_t dot = path.find('.');
    if (dot == path.npos) {
      if (!is_number(unit.info->find(changed.name).value, changed.items, changed.holds))
        forget_value(*unit.info, changed.name);
      continue;
    }
    const Binding& module = unit.info->find(Symbol(path.substr(0, dot)));
    for (const auto& other : units_)
      if (module.kind == Binding::Kind::kModule && other->info == module.module)
        forget_value(*other->info, Symbol(path.substr(dot + 1)));
  }
}

// False: what the statement does cannot be told.
bool Collector::run_stores(Unit& unit, const ast::Stmt& stmt) {
  if (unit.nested || unit.called || unit.conditional > 0 || !may_store(stmt)) return false;
  Stores stores(
      *unit.info, [&](const ast::Expr& value) { return sharing(unit).is_new(value); },
      unit.stored_elements);
  if (!stores.run(stmt)) return false;
  for (const Symbol changed : stores.changed())
    if (shares(unit, changed, stmt.span.end)) return false;
  for (const auto& [list, items] : stores.lists())
    if (shares(unit, list, stmt.span.end)) return false;
  for (auto& [name, value] : stores.values()) {
    const Span span = unit.info->bindings.contains(name) ? unit.info->find(name).span : stmt.span;
    sources_.values.push_back(std::make_unique<Value>(std::move(value)));
    bind(
        unit, name,
        Binding{
            .kind = Binding::Kind::kConstant, .value = sources_.values.back().get(), .span = span});
  }
  for (auto& [name, value] : stores.lists()) {  // which has no other name: in its place
    const Value*& known = unit.info->bindings[name].value;
    const auto own = std::find_if(sources_.values.rbegin(), sources_.values.rend(),
                                  [&](const auto& one) { return one.get() == known; });
    if (own != sources_.values.rend()) {
      **own = std::move(value);
      continue;
    }
    sources_.values.push_back(std::make_unique<Value>(std::move(value)));
    known = sources_.values.back().get();
  }
  return true;
}

}  // namespace pyk2cu::decorators
