// Names: what a version of a local holds, phis at joins, and what module-level names mean.
//
// Each version has a type of its own; versions of one name and type live in one ir::Local, so that
// an edge needs code only where the type changes: before -> `x = 0` .. loop .. `x += 0.5`,
// after -> `x_2 = Convert(x)` in front of the loop.
// In, out: infer.h, scope/versions.h. Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include <algorithm>

#include "frontend/base/suggest.h"
#include "typeinfer/infer/infer.h"

namespace pyk2cu::infer {

using ir::StmtKind;

// ---- locals ------------------------------------------------------------------------------------

ir::Local* Infer::new_version(Symbol name, const Type* type, Span span) {
  ir::Local* local = make(ir::Local{name, ++versions_made_[name], type, span});
  local->maybe_unbound = versions_->guarded.contains(name);
  function_->locals.push_back(local);
  return local;
}

ir::Local* Infer::local_for(Symbol name, const Type* type, Span span) {
  ir::Local*& local = locals_[{name.key(), type}];
  if (!local) local = new_version(name, type, span);
  return local;
}

// Parts of a compile-time thing (the bounds of a range) in a form that later statements cannot
// change.
void Infer::stabilize(Operand& what) {
  for_each_value(what, [&](Value& value) {
    const auto* load = ir::try_as<ir::Load>(value.expr);
    const bool fixed = value.expr->kind == ir::ExprKind::kConst || (load && load->local->is_temp);
    if (!fixed) value = Value(spill(value.expr));
  });
}

// Numba unifies the type of a name, and of every subexpression, with what earlier rounds of its
// inference gave it:
//   c = uint8(0); for …: c += c; c = c % 7      c += c: uint64, then int64: float64
ir::Expr* Infer::grown(Growth& growth, ir::Expr* value) {
  growth.several = growth.several || growth.walk == walks_;
  growth.walk = walks_;
  const auto grows = [](const Type* type) { return type->is_scalar() || type->is_tuple(); };
  const bool numbers = growth.type && grows(growth.type) && grows(value->type);
  if (numbers && !growth.several && dialect().rules == types::Rules::kNumba) {
    if (const Type* both = types::unify(growth.type, value->type, dialect()))
      value = cast(value, both);
  }
  growth.type = value->type;
  return value;
}

void Infer::hold(scope::VersionId version, Operand what, Span span) {
  Held& held = held_[version];
  held.span = span;
  const std::span<const Operand> parts = what.parts();
  if (what.is<Pack>() && std::all_of(parts.begin(), parts.end(),
                                     [](const Operand& part) { return part.is_value(); })) {
    std::vector<ir::Expr*> items;
    for (const Operand& part : parts) items.push_back(part.value());
    what = to_operand(make_tuple(std::move(items), span));
  }
  if (what.is_value()) {
    ir::Expr* value = grown(grown_[version], what.value());
    held.local = local_for(versions_->all[version].name, value->type, span);
    emit_assign(held.local, reclaim(value), span);
    held.what = {Value(held.local->type), what.span};
  } else {
    held.local = nullptr;
    if (!what.is<Function>()) stabilize(what);
    held.what = std::move(what);
  }
}

void Infer::set_flag(Symbol name, Span span) {
  if (const auto flag = flags_.find(name); flag != flags_.end())
    emit_assign(flag->second, const_bool(true, span), span);
}

void Infer::bind(const ast::Node& at, Symbol name, Operand what, Span span) {
  const auto stored = versions_->stores.find(at.id);
  if (stored == versions_->stores.end()) return;
  if (const auto index = indices_.find(at.id); index != indices_.end()) {
    Held& held = held_[stored->second];
    held.what = {Value(index->second->type), span};
    held.local = index->second;
    held.span = span;
    return;
  }
  hold(stored->second, std::move(what), span);
  set_flag(name, span);
}

// ---- reading -----------------------------------------------------------------------------------

void Infer::check_bound(const scope::Version& version, Span span) {
  if (version.kind != scope::Version::Kind::kPhi || !version.maybe_undefined) return;
  if (on_cuda()) {
    report(span, diag::MaybeUnassigned, version.name.str());
    return;
  }
  const auto flag = flags_.find(version.name);
  if (flag == flags_.end()) return;
  raise_if(negate(load(flag->second, span)), "UnboundLocalError",
           fmt::format("cannot access local variable '{}' where it is not associated with a value",
                       version.name.str()),
           span);
}

// A function value takes along what its captures hold where it is read.
Operand Infer::read_captures(Operand function, uint32_t reader, Span span) {
  const auto* closure = static_cast<const Closure*>(function.as<Function>().definition);
  const std::span<Operand> parts = function.parts();
  for (size_t k = closure->captures.size(); k < parts.size(); ++k) renew(parts[k]);
  for (size_t k = 0; k < closure->captures.size(); ++k) {
    const auto at = versions_->captures.find({reader, closure->captures[k].key()});
    if (at == versions_->captures.end()) continue;
    if (versions_->all[at->second].kind == scope::Version::Kind::kUndefined) continue;
    parts[k] = read(at->second, reader, span);
  }
  return function;
}

Operand Infer::read(scope::VersionId id, uint32_t reader, Span span) {
  const scope::Version& version = versions_->all[id];
  if (version.kind == scope::Version::Kind::kUndefined) {
    report(span, diag::ReadBeforeAssignment, version.name.str());
    return error();
  }
  const Held& held = held_[id];
  if (!held.known()) {
    if (!waiting_at_.valid()) {
      waiting_for_ = version.name;
      waiting_at_ = span;
    }
    pending();
    return error();
  }
  check_bound(version, span);
  Operand what = held.what;
  what.span = span;
  if (what.is_value()) what.set_value(load(held.local, span));
  if (!what.is<Function>() || what.parts().empty()) return what;
  // The values of its defaults are those of the last time that it was defined.
  if (version.kind == scope::Version::Kind::kPhi && has_values(defaults_of(what))) {
    not_supported(span, "a function that was not surely defined here, with defaults that vary",
                  "call it where it is defined, or pass the values as arguments");
    return error();
  }
  return read_captures(what, reader, span);
}

Operand Infer::stored(const ast::Node& at, Span span) {
  const auto version = versions_->stores.find(at.id);
  if (version == versions_->stores.end()) return error();
  const Held& held = held_[version->second];
  Operand what = held.what;
  what.span = span;
  if (what.is_value()) what.set_value(load(held.local, span));
  return what;
}

Operand Infer::name(const ast::Name& e) {
  const auto read_at = versions_->reads.find(e.Node::id);
  if (read_at != versions_->reads.end()) return read(read_at->second, e.Node::id, e.span);
  if (versions_->locals.contains(e.id)) {  // in code that no way leads to
    pending();
    return error();
  }
  return global(module(), e.id, e.span);
}

// ---- edges and joins ---------------------------------------------------------------------------

namespace {

// Do two operands of one kind, no values, mean the same? Not where values stand inside.
struct Same {
  const Operand& other;

  bool operator()(const auto& one) const {
    if constexpr (requires { one.parts; }) return one.parts.empty() && other.parts().empty();
    return true;
  }
  bool operator()(const Function& one) const {
    return one.definition == other.as<Function>().definition &&
           one.parts.size() == other.parts().size();
  }
  bool operator()(const Qualified& one) const { return one.path == other.as<Qualified>().path; }
  bool operator()(const Method&) const { return false; }
  bool operator()(const DType& one) const { return one.type == other.as<DType>().type; }
  bool operator()(const Module& one) const { return one.info == other.as<Module>().info; }
  bool operator()(const Range&) const { return false; }
  bool operator()(const Flat&) const { return false; }
  bool operator()(const Str& one) const { return one.text == other.as<Str>().text; }
  bool operator()(const FieldClass& one) const {
    return one.fields == other.as<FieldClass>().fields;
  }
};

}  // namespace

// Makes `into` hold what both hold; false when no type does.
bool Infer::merge(Operand& into, const Operand& other) {
  if (other.is_error()) return true;
  if (into.is_error()) {
    into = other;
    if (into.is_value()) into.meaning = Value(other.type());
    return true;
  }
  const bool values = into.is_value() || other.is_value();
  const bool nones = into.is<None>() || other.is<None>();
  const bool alike = into.meaning.index() == other.meaning.index();
  if (values && (nones || alike)) {
    const auto type_of = [](const Operand& o) { return o.is<None>() ? types::none() : o.type(); };
    const Type* type = types::unify(type_of(into), type_of(other), dialect());
    if (!type) return false;
    into.meaning = Value(type);
    return true;
  }
  return alike && std::visit(Same{other}, into.meaning);
}

void Infer::report_cannot_unify(scope::VersionId phi, const Held& a, const Held& b) {
  const auto type_name = [](const Operand& o) {
    return o.is_value() ? types::print(o.type()) : o.is<None>() ? "None" : "a compile-time value";
  };
  const std::string_view name = versions_->all[phi].name.str();
  report(b.span, diag::CannotUnify, name, type_name(a.what), type_name(b.what))
      .note(a.span, diag::AssignedHere, name, type_name(a.what));
}

// phi = from, in the current block, unless both are one local.
void Infer::copy_into(const Held& phi, const Held& from, Span span) {
  if (!phi.local || !phi.known() || phi.local == from.local) return;
  ir::Expr* value = nullptr;
  if (from.local) {
    value = cast(load(from.local, span), phi.local->type);
  } else if (from.what.is<None>()) {
    value = zero(phi.local->type, span);
  }
  if (value) emit_assign(phi.local, value, span);
}

// Along a way into a loop header, whose types are those of earlier walks.
void Infer::feed_back(scope::VersionId phi, const Held& from, Span span) {
  if (!from.known()) return;
  Held& fed = fed_back_[phi];
  Operand before = fed.what;
  if (!merge(fed.what, from.what)) {
    report_cannot_unify(phi, fed, from);
    return;
  }
  if (!fed.span.valid() || before.is_error()) fed.span = from.span;
  if (before.meaning.index() != fed.what.meaning.index() || before.type() != fed.what.type())
    changed_ = true;
  if (held_[phi].local && held_[phi].local->type == fed.what.type())
    copy_into(held_[phi], from, span);
}

void Infer::edge(uint64_t key, ir::Stmt* before) {
  if (!reachable_) return;
  const auto flows = versions_->edges.find(key);
  if (flows == versions_->edges.end()) return;
  for (const scope::Flow& flow : flows->second) {
    const Held& from = held_[flow.from];
    if (versions_->all[flow.phi].header) {
      feed_back(flow.phi, from, from.span);
    } else {
      copies_.push_back({flow.phi, flow.from, from, block_, before});
    }
  }
}

// A literal that the body assigns has its type before anything else: Numba's first round knows it.
void Infer::expect_literals(scope::VersionId phi, Held& fed) {
  for (const scope::VersionId from : versions_->all[phi].incoming) {
    const auto literal = versions_->values.find(from);
    if (literal == versions_->values.end() || !ast::is<ast::Constant>(literal->second)) continue;
    const Operand what = operand(*literal->second);
    if (what.is_value() && fed.what.is_value()) merge(fed.what, what);
  }
}

void Infer::enter_loop(const ast::Node& loop) {
  const auto flows = versions_->edges.find(scope::edge_key(loop, 0));
  if (flows == versions_->edges.end()) return;
  for (const scope::Flow& flow : flows->second) {
    if (!versions_->all[flow.phi].header) continue;
    const Held from = held_[flow.from];
    Held& fed = fed_back_[flow.phi];
    if (!merge(fed.what, from.what)) report_cannot_unify(flow.phi, fed, from);
    if (!fed.span.valid()) fed.span = from.span;
    if (walks_ == 1) expect_literals(flow.phi, fed);
    Held& held = held_[flow.phi];
    held = fed;
    if (!held.known()) continue;
    if (!held.what.is_value()) {
      if (from.known()) held.what = from.what;
      continue;
    }
    held.local = local_for(versions_->all[flow.phi].name, held.what.type(), held.span);
    if (from.known()) {
      copy_into(held, from, from.span);
    } else if (ir::Expr* value = zero(held.what.type(), held.span)) {
      emit_assign(held.local, value, held.span);
    }
  }
}

// CPython tests a while loop at its end: behind it, the types are those that came back this time.
// Of a for loop they are those of the header. When they differ this walk is thrown away anyway.
void Infer::leave_while(const ast::While& loop) {
  const auto flows = versions_->edges.find(scope::edge_key(loop, 0));
  if (flows == versions_->edges.end()) return;
  for (const scope::Flow& flow : flows->second) {
    Held& held = held_[flow.phi];
    const Held& fed = fed_back_[flow.phi];
    if (!versions_->all[flow.phi].header || !fed.what.is_value() ||
        held.what.type() == fed.what.type())
      continue;
    held.what = fed.what;
    held.local = local_for(versions_->all[flow.phi].name, fed.what.type(), fed.span);
  }
}

void Infer::place_copies(scope::VersionId phi) {
  const Held& held = held_[phi];
  for (const PendingCopy& copy : copies_) {
    if (copy.phi != phi || copy.held.local == held.local) continue;
    ir::Block* code = into_block([&] {
      if (copy.held.known()) {
        copy_into(held, copy.held, copy.held.span);
      } else if (ir::Expr* value = zero(held.what.type(), held.span)) {
        emit_assign(held.local, value, held.span);
      }
    });
    const auto at = copy.before ? std::find(copy.block->begin(), copy.block->end(), copy.before)
                                : copy.block->end();
    copy.block->insert(at, code->begin(), code->end());
  }
}

bool Infer::has_join(const ast::Node& at) const { return versions_->joins.contains(at.id); }

void Infer::join(const ast::Node& at) {
  const auto phis = versions_->joins.find(at.id);
  if (phis == versions_->joins.end()) return;
  for (const scope::VersionId phi : phis->second) {
    Held held;
    bool unified = true;
    std::optional<scope::VersionId> only;  // that all ways bring
    for (const PendingCopy& copy : copies_) {
      if (copy.phi != phi) continue;
      const auto behind = only_way_.find(copy.from);
      const scope::VersionId from = behind == only_way_.end() ? copy.from : behind->second;
      only = !only || *only == from ? from : scope::kNoVersion;
      if (!copy.held.known() || !unified) continue;
      const Held before = held;
      unified = merge(held.what, copy.held.what);
      if (!unified) report_cannot_unify(phi, before, copy.held);
      if (!before.known()) held.span = copy.held.span;
    }
    only_way_.erase(phi);
    if (only && *only != scope::kNoVersion && !dropped_by_version_.contains(at.id))
      only_way_[phi] = *only;
    if (!unified) held.what = error();
    if (held.what.is_value())
      held.local = local_for(versions_->all[phi].name, held.what.type(), held.span);
    held_[phi] = held;
    if (held.local) place_copies(phi);
    std::erase_if(copies_, [&](const PendingCopy& copy) { return copy.phi == phi; });
  }
}

// ---- module-level names ------------------------------------------------------------------------

namespace {

constexpr std::string_view kPythonBuiltins[] = {
    "abs",      "all",    "any",      "ascii",   "bin",    "bool",      "bytearray",  "bytes",
    "callable", "chr",    "complex",  "delattr", "dict",   "dir",       "divmod",     "enumerate",
    "eval",     "exec",   "filter",   "float",   "format", "frozenset", "getattr",    "globals",
    "hasattr",  "hash",   "hex",      "id",      "input",  "int",       "isinstance", "issubclass",
    "iter",     "len",    "list",     "locals",  "map",    "max",       "memoryview", "min",
    "next",     "object", "oct",      "open",    "ord",    "pow",       "print",      "property",
    "range",    "repr",   "reversed", "round",   "set",    "setattr",   "slice",      "sorted",
    "str",      "sum",    "super",    "tuple",   "type",   "vars",      "zip"};

bool is_python_builtin(std::string_view name) {
  return std::find(std::begin(kPythonBuiltins), std::end(kPythonBuiltins), name) !=
         std::end(kPythonBuiltins);
}

}  // namespace

Operand Infer::global(const decorators::ModuleInfo& where, Symbol name, Span span) {
  const decorators::Binding& binding = where.find(name);
  switch (binding.kind) {
    case decorators::Binding::Kind::kDefinition:
      return {Function{binding.definition}, span};
    case decorators::Binding::Kind::kConstant:
      return constant(*binding.value, name, span);
    case decorators::Binding::Kind::kQualified:
      return qualified(binding.qualified, span);
    case decorators::Binding::Kind::kModule:
      return {Module{binding.module}, span};
    case decorators::Binding::Kind::kHost:
      if (binding.fields) return {FieldClass{binding.fields}, span};
      report(span, diag::HostValue, name.str())
          .note(binding.span, diag::DefinedHere, name.str())
          .help("pass it as an argument, or write a literal value at module level");
      return error();
    case decorators::Binding::Kind::kUnknown:
      break;
  }
  if (versions_->imports_all) return error();  // said already
  if (is_python_builtin(name.str())) return qualified("builtins." + std::string(name.str()), span);
  std::vector<Symbol> symbols = where.all_names();
  symbols.insert(symbols.end(), versions_->locals.begin(), versions_->locals.end());
  std::vector<std::string_view> candidates(std::begin(kPythonBuiltins), std::end(kPythonBuiltins));
  for (Symbol symbol : symbols) candidates.push_back(symbol.str());
  std::sort(candidates.begin(), candidates.end());
  auto builder = report(span, diag::UnknownName, name.str());
  if (const auto near = closest(name.str(), candidates); !near.empty())
    builder.fix(span, std::string(near));
  return error();
}

Operand Infer::constant(const fold::Value& v, Symbol name, Span span) {
  using FoldKind = fold::Value::Kind;
  const Type* type = v.type && v.type->is_scalar() ? v.type : fold::type_of(v);
  if (v.kind != FoldKind::kType && v.type && !has_form(v.type, span)) return error();
  switch (v.kind) {
    case FoldKind::kNone:
      return {None{}, span};
    case FoldKind::kEllipsis:
      return {Ellipsis{}, span};
    case FoldKind::kStr:
      return {Str{unit_.program().keep(v.text)}, span};
    case FoldKind::kType:
      return {DType{v.type}, span};
    case FoldKind::kBool:
      return to_operand(const_bool(v.integer != 0, span));
    case FoldKind::kInt:
      if (!type) break;
      return to_operand(const_int(int64_t(v.integer), type, span));
    case FoldKind::kFloat:
    case FoldKind::kComplex: {
      if (!type) break;
      ir::Expr* e = const_float(v.number.real(), type, span);
      ir::as<ir::Const>(e)->value.number = v.number;
      return to_operand(e);
    }
    case FoldKind::kArray: {
      const ir::GlobalArray* array = unit_.global_array(name, v);
      const Type* array_type =
          types::array(array->type->elem, array->type->rank, types::Layout::kC, true);
      return to_operand(make(ir::Global{{ir::ExprKind::kGlobal, array_type, span}, array}));
    }
    case FoldKind::kTuple: {
      Pack pack;
      std::vector<ir::Expr*> values;
      for (const fold::Value& item : v.items) {
        pack.parts.push_back(constant(item, name, span));
        if (pack.parts.back().is_value()) values.push_back(pack.parts.back().value());
      }
      if (values.size() == pack.parts.size())
        return to_operand(make_tuple(std::move(values), span));
      return {std::move(pack), span};
    }
  }
  report(span, diag::HostValue, name.str());
  return error();
}

}  // namespace pyk2cu::infer
