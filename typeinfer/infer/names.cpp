// Binding and reading names: see names.h. Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include "typeinfer/infer/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "typeinfer/infer/conditions.h"
#include "typeinfer/infer/conversions.h"
#include "typeinfer/infer/expr.h"
#include "typeinfer/ir/clone.h"

namespace pyk2cu::infer {

// ---- what two ways bring -----------------------------------------------------------------------

namespace {

// Do two operands of one kind, no values, mean the same? Not where values stand inside.
struct Same {
  const Operand& other;

  bool operator()(const auto& one) const {
    if constexpr (requires { one.parts; }) return one.parts.empty() && other.parts().empty();
    return true;
  }
  bool operator()(const Function& one) const {
    const auto& two = other.as<Function>();
    return one.definition == two.definition && one.parts.size() == two.parts.size() &&
           (one.parts.empty() || (one.is_own && two.is_own));
  }
  bool operator()(const Qualified& one) const { return one.path == other.as<Qualified>().path; }
  bool operator()(const Method&) const { return false; }
  bool operator()(const DType& one) const { return one.type == other.as<DType>().type; }
  bool operator()(const TypeInfo& one) const { return one.type == other.as<TypeInfo>().type; }
  bool operator()(const Module& one) const { return one.info == other.as<Module>().info; }
  bool operator()(const Flat&) const { return false; }
  bool operator()(const Generated&) const { return false; }
  bool operator()(const Entries&) const { return false; }
  bool operator()(const Str& one) const { return one.text == other.as<Str>().text; }
  bool operator()(const FieldClass& one) const {
    return one.fields == other.as<FieldClass>().fields;
  }
};

// Its types alone.
Range typed(Range range) {
  for (Value* bound : {&range.lo, &range.hi, &range.step}) *bound = Value(bound->type);
  return range;
}

void mark_named(Operand& o) {
  if (auto* made = std::get_if<Generated>(&o.meaning)) made->is_named = true;
  for (Operand& part : o.parts()) mark_named(part);
}

}  // namespace

bool merge(Operand& into, const Operand& other, const types::Dialect& dialect) {
  if (other.is_error()) return true;
  if (into.is_error()) {
    into = other;
    if (into.is_value()) into.meaning = Value(other.type());
    if (const auto* range = std::get_if<Range>(&other.meaning)) into.meaning = typed(*range);
    return true;
  }
  if (into.is<Range>() && other.is<Range>()) {
    const Range &a = into.as<Range>(), &b = other.as<Range>();
    const Type* type = types::unify(a.type(), b.type(), dialect);
    if (!type || !type->is_int() || a.parallel != b.parallel) return false;
    into.meaning = typed({Value(type), Value(type), Value(type), a.parallel});
    return true;
  }
  const bool values = into.is_value() || other.is_value();
  const bool nones = into.is<None>() || other.is<None>();
  const bool alike = into.meaning.index() == other.meaning.index();
  if (values && (nones || alike)) {
    const auto type_of = [](const Operand& o) { return o.is<None>() ? types::none() : o.type(); };
    const Type* type = types::unify(type_of(into), type_of(other), dialect);
    if (!type) return false;
    into.meaning = Value(type);
    return true;
  }
  return alike && std::visit(Same{other}, into.meaning);
}

// ---- locals ------------------------------------------------------------------------------------

ir::Local* Names::new_local(Symbol name, const Type* type, Span span) {
  ir::Local* local = in_.variable(name, type, span);
  local->maybe_unbound = versions_.guarded.contains(name);
  return local;
}

ir::Local* Names::local_for(scope::VersionId version, const Type* type, Span span) {
  const Symbol name = versions_.all[version].name;
  ir::Local*& local = locals_[{name.key(), type}];
  if (!local) local = new_local(name, type, span);
  return local;
}

void Names::make_locals(scope::VersionId phi, Held& held) {
  if (held.what.is_value()) held.local = local_for(phi, held.what.type(), held.span);
  auto* range = std::get_if<Range>(&held.what.meaning);
  if (!range) return;
  constexpr std::string_view kNames[] = {"start", "stop", "step"};
  Value* const values[] = {&range->lo, &range->hi, &range->step};
  for (size_t k = 0; k < held.bounds.size(); ++k) {
    const std::string name = fmt::format("{}_{}", versions_.all[phi].name.str(), kNames[k]);
    held.bounds[k] = in_.variable(Symbol(name), range->type(), held.span);
    *values[k] = Value(in_.load(held.bounds[k], held.span));
  }
}

void Names::make_flags() {
  if (in_.on_cuda()) return;
  const Span span = in_.context().function().span;
  std::vector<Symbol> names(versions_.guarded.begin(), versions_.guarded.end());
  std::sort(names.begin(), names.end(), [](Symbol a, Symbol b) { return a.str() < b.str(); });
  for (Symbol name : names) {
    ir::Local* flag = in_.temp(std::string(name.str()) + "_is_set", types::boolean(), span);
    flags_[name] = flag;
    in_.emit_assign(flag, in_.const_bool(false, span), span);
  }
}

ir::Local* Names::show_index(const ast::Name& target, const Type* type) {
  return indices_[target.Node::id] = new_local(target.id, type, target.span);
}

// ---- binding -----------------------------------------------------------------------------------

namespace {

// Parts of a compile-time thing (the bounds of a range) in a form that later statements cannot
// change.
void stabilize(Emitter& in, Operand& what) {
  for_each_value(what, [&](Value& value) {
    const auto* load = ir::try_as<ir::Load>(value.expr);
    const bool fixed = value.expr->kind == ir::ExprKind::kConst || (load && load->local->is_temp);
    if (!fixed) value = Value(in.spill(value.expr));
  });
}

// A tuple of values, if it is one, as a value.
Operand packed(Emitter& in, Operand what, Span span) {
  const std::span<const Operand> parts = what.parts();
  if (!what.is<Pack>() ||
      !std::all_of(parts.begin(), parts.end(), [](const Operand& part) { return part.is_value(); }))
    return what;
  std::vector<ir::Expr*> items;
  for (const Operand& part : parts) items.push_back(part.value());
  return to_operand(in.make_tuple(std::move(items), span));
}

}  // namespace

const Type* Names::declared(Symbol name) const {
  const auto& types = in_.context().declared_locals();
  const auto found = types.find(name);
  return found == types.end() ? nullptr : found->second;
}

void Names::hold(scope::VersionId version, Operand what, Span span) {
  Held& held = held_[version];
  held.span = span;
  what = packed(in_, std::move(what), span);
  const Type* type = declared(versions_.all[version].name);
  if (type && !what.is_error())
    what = to_operand(convert(in_, value_of(in_, what, span), type, span));
  if (what.is_value()) {
    ir::Expr* value = type ? what.value() : growth_.of_version(in_, version, what.value());
    held.local = local_for(version, value->type, span);
    if (ir::loaded(value) != held.local) in_.emit_assign(held.local, in_.reclaim(value), span);
    held.what = {Value(held.local->type), what.span};
  } else {
    held.local = nullptr;
    held.bounds = {};
    if (!what.is<Function>()) stabilize(in_, what);
    mark_named(what);
    held.what = std::move(what);
  }
}

void Names::bind(const ast::Node& at, Symbol name, Operand what, Span span) {
  const auto stored = versions_.stores.find(at.id);
  if (stored == versions_.stores.end()) return;
  if (const auto index = indices_.find(at.id); index != indices_.end()) {
    held_[stored->second] = {{Value(index->second->type), span}, index->second, span};
    return;
  }
  hold(stored->second, std::move(what), span);
  if (const auto flag = flags_.find(name); flag != flags_.end())
    in_.emit_assign(flag->second, in_.const_bool(true, span), span);
}

void Names::bind_param(scope::VersionId version, Symbol name, const Operand& arg, Span span) {
  std::vector<ir::Param>& params = in_.context().function().params;
  Held& held = held_[version];
  held.span = span;
  held.what = arg;
  if (arg.is_value()) {
    ir::Local* local = local_for(version, arg.type(), span);
    local->is_param = true;
    params.push_back({local});
    held.local = local;
    const Type* type = declared(name);
    if (type && type != arg.type()) hold(version, to_operand(in_.load(local, span)), span);
    return;
  }
  held.what = make_param(name, std::move(held.what), span);
}

Operand Names::make_param(Symbol name, Operand arg, Span span) {
  const bool is_named = arg.is_value();
  for_each_value(arg, name, [&](Value& value, Symbol stem) {
    ir::Local* local = new_local(stem, value.type, span);
    local->is_param = true;
    local->is_temp = !is_named;
    in_.context().function().params.push_back({local});
    value = Value(in_.load(local, span));
  });
  return arg;
}

// ---- reading -----------------------------------------------------------------------------------

void Names::check_bound(const scope::Version& version, Span span) {
  if (version.kind != scope::Version::Kind::kPhi || !version.maybe_undefined) return;
  if (in_.on_cuda()) {
    in_.report(span, diag::MaybeUnassigned, version.name.str());
    return;
  }
  const auto flag = flags_.find(version.name);
  if (flag == flags_.end()) return;
  in_.raise_if(
      negate(in_, in_.load(flag->second, span)), "UnboundLocalError",
      fmt::format("cannot access local variable '{}' where it is not associated with a value",
                  version.name.str()),
      span);
}

Operand Names::read_captures(Operand function, uint32_t reader, Span span) {
  const auto* closure = static_cast<const Closure*>(function.as<Function>().definition);
  const std::span<Operand> parts = function.parts();
  const bool is_own = function.as<Function>().is_own;
  // Its defaults, and all of a function that was passed, are read anew.
  for (size_t k = is_own ? closure->captures.size() : 0; k < parts.size(); ++k)
    for_each_value(parts[k], [&](Value& value) {
      value = Value(ir::Cloner(in_.context().program()).expr(value.expr));
    });
  if (!is_own) return function;
  for (size_t k = 0; k < closure->captures.size(); ++k) {
    const auto at = versions_.captures.find({reader, closure->captures[k].key()});
    if (at == versions_.captures.end()) continue;
    if (versions_.all[at->second].kind == scope::Version::Kind::kUndefined) continue;
    parts[k] = read_version(at->second, reader, span);
  }
  return function;
}

Operand Names::read_version(scope::VersionId id, uint32_t reader, Span span) {
  const scope::Version& version = versions_.all[id];
  if (version.kind == scope::Version::Kind::kUndefined) {
    in_.report(span, diag::ReadBeforeAssignment, version.name.str());
    return error();
  }
  const Held& held = held_[id];
  if (!held.known()) {
    in_.context().wait_for(version.name, span);
    return error();
  }
  check_bound(version, span);
  Operand what = held.what;
  what.span = span;
  if (what.is_value()) what.set_value(in_.load(held.local, span));
  if (!what.is<Function>() || what.parts().empty()) return what;
  // The values of its defaults are those of the last time that it was defined.
  if (version.kind == scope::Version::Kind::kPhi && has_values(defaults_of(what))) {
    in_.not_supported(span, "a function that was not surely defined here, with defaults that vary",
                      "call it where it is defined, or pass the values as arguments");
    return error();
  }
  return read_captures(what, reader, span);
}

Operand Names::stored(const ast::Node& at, Span span) {
  const auto version = versions_.stores.find(at.id);
  if (version == versions_.stores.end()) return error();
  const Held& held = held_[version->second];
  Operand what = held.what;
  what.span = span;
  if (what.is_value()) what.set_value(in_.load(held.local, span));
  return what;
}

std::optional<Operand> Names::read(const ast::Name& e) {
  const auto read_at = versions_.reads.find(e.Node::id);
  if (read_at != versions_.reads.end()) return read_version(read_at->second, e.Node::id, e.span);
  if (!versions_.locals.contains(e.id)) return std::nullopt;
  in_.context().pending();  // in code that no way leads to
  return error();
}

}  // namespace pyk2cu::infer
