// The collector from end to end: files in order, types from beside them, what is exported.
//
// In:   parsed modules, settings.  Out: Sources.
// Tested by tests/unit/typeinfer/roots_test.cpp.
#include <algorithm>

#include "frontend/parse/module_name.h"
#include "typeinfer/decorators/collector.h"

namespace pyk2cu::decorators {

namespace {

const Binding kNoBinding{};

}  // namespace

const Binding& ModuleInfo::find(Symbol wanted) const {
  for (const ModuleInfo* scope = this; scope; scope = scope->outer) {
    const auto found = scope->bindings.find(wanted);
    if (found != scope->bindings.end()) return found->second;
  }
  return kNoBinding;
}

const Binding* ModuleInfo::meaning(const ast::Expr& path) const {
  if (const auto* plain = ast::as<ast::Name>(path)) return &find(plain->id);
  const auto* attribute = ast::as<ast::Attribute>(path);
  return attribute ? member(*attribute) : nullptr;
}

const ModuleInfo* ModuleInfo::module_of(const ast::Expr& path) const {
  const Binding* known = meaning(path);
  return known && known->kind == Binding::Kind::kModule ? known->module : nullptr;
}

const Binding* ModuleInfo::member(const ast::Attribute& path) const {
  const ModuleInfo* module = module_of(*path.value);
  return module ? &module->find(path.attr) : nullptr;
}

Assigned ModuleInfo::assigned_to(Symbol wanted) const {
  for (const ModuleInfo* scope = this; scope; scope = scope->outer) {
    const auto found = scope->assigned.find(wanted);
    if (found != scope->assigned.end()) return found->second;
    if (scope->bindings.contains(wanted)) break;
  }
  return {};
}

const types::Type* ModuleInfo::type_of_value(const ast::Expr& expr) const {
  const auto value = fold::fold(expr, ModuleScope(*this));
  return value ? fold::type_of(*value) : nullptr;
}

std::string ModuleInfo::qualified(Symbol wanted) const {
  const Binding& binding = find(wanted);
  return binding.kind == Binding::Kind::kQualified ? binding.qualified : std::string();
}

bool ModuleInfo::is_function(Symbol wanted) const {
  return find(wanted).kind == Binding::Kind::kDefinition;
}

const signature::FieldClass* ModuleInfo::find_fields(Symbol wanted) const {
  return find(wanted).fields;
}

namespace {

std::optional<fold::Member> member_of(const ModuleInfo& module, const ast::Attribute& path) {
  const Binding* binding = module.member(path);
  if (!binding) return std::nullopt;
  if (binding->kind == Binding::Kind::kConstant) return fold::Member{binding->value};
  const bool known = binding->kind == Binding::Kind::kQualified;
  return fold::Member{nullptr, known ? binding->qualified : ""};
}

std::optional<fold::Fields> fields_of(const ModuleInfo& module, const ast::Expr& path) {
  const Binding* binding = module.meaning(path);
  if (!binding || !binding->fields) return std::nullopt;
  return fold::Fields{binding->fields->name, binding->fields->fields, binding->fields->defaults};
}

}  // namespace

std::optional<fold::Fields> ModuleScope::fields(const ast::Expr& path) const {
  return fields_of(module, path);
}

std::optional<fold::Fields> UnitScope::fields(const ast::Expr& path) const {
  return fields_of(info_, path);
}

std::optional<fold::Member> ModuleScope::member(const ast::Attribute& path) const {
  return member_of(module, path);
}

std::optional<fold::Member> UnitScope::member(const ast::Attribute& path) const {
  return member_of(info_, path);
}

const fold::Value* ModuleScope::find(Symbol name) const {
  const Binding& binding = module.find(name);
  return binding.kind == Binding::Kind::kConstant ? binding.value : nullptr;
}

std::vector<Symbol> ModuleInfo::all_names() const {
  std::vector<Symbol> names;
  for (const ModuleInfo* scope = this; scope; scope = scope->outer)
    for (const auto& entry : scope->bindings) names.push_back(entry.first);
  std::sort(names.begin(), names.end(), [](Symbol a, Symbol b) { return a.str() < b.str(); });
  return names;
}

UnitScope::UnitScope(const ModuleInfo& info) : info_(info) {
  module_name_.kind = fold::Value::Kind::kStr;
  module_name_.text = info.name;
  false_.kind = fold::Value::Kind::kBool;
}

const fold::Value* UnitScope::find(Symbol name) const {
  const Binding& binding = info_.find(name);
  if (binding.kind == Binding::Kind::kConstant) return binding.value;
  if (binding.kind == Binding::Kind::kDefinition) {
    function_ = fold::of_function(binding.definition);
    return &function_;
  }
  if (binding.kind == Binding::Kind::kQualified) {
    return binding.qualified == "typing.TYPE_CHECKING" ? &false_ : nullptr;
  }
  if (binding.kind == Binding::Kind::kUnknown && name == "__name__") return &module_name_;
  return nullptr;
}

const fold::Value* UnitScope::list(Symbol name) const {
  const Binding& binding = info_.find(name);
  return binding.kind == Binding::Kind::kHost ? binding.value : nullptr;
}

std::string UnitScope::qualified(Symbol name) const {
  const Binding& binding = info_.find(name);
  if (binding.kind == Binding::Kind::kQualified) return binding.qualified;
  return binding.kind == Binding::Kind::kUnknown ? "" : ".";  // "." : not the builtin of this name
}

const Maker* Unit::maker_of(Symbol name) const {
  for (const Unit* unit = this; unit; unit = unit->outer) {
    const auto found = unit->makers.find(name);
    if (found != unit->makers.end()) return &found->second;
    if (unit->info->bindings.contains(name)) break;
  }
  return nullptr;
}

const std::vector<Maker::Argument>* Unit::rest_of(Symbol name) const {
  for (const Unit* unit = this; unit; unit = unit->outer) {
    const auto found = unit->rest.find(name);
    if (found != unit->rest.end()) return &found->second;
    if (unit->info->bindings.contains(name)) break;
  }
  return nullptr;
}

const std::vector<Maker::Option>* Unit::keyword_rest_of(Symbol name) const {
  for (const Unit* unit = this; unit; unit = unit->outer) {
    const auto found = unit->keyword_rest.find(name);
    if (found != unit->keyword_rest.end()) return &found->second;
    if (unit->info->bindings.contains(name)) break;
  }
  return nullptr;
}

Collector::Collector(const std::vector<const ast::Module*>& modules, size_t roots,
                     const Settings& settings, Diagnostics& diags)
    : modules_(modules), roots_(roots), settings_(settings), diags_(diags) {
  for (size_t i = 0; i < modules.size(); ++i) {
    auto info = std::make_unique<ModuleInfo>();
    info->ast = modules[i];
    info->name = frontend::module_name(modules[i]->file->path);
    auto unit = std::make_unique<Unit>();
    unit->info = info.get();
    unit->file = modules[i]->file;
    unit->root = i < roots;
    if (std::ranges::find(settings.library, modules[i]) != settings.library.end())
      sources_.library.push_back(info.get());
    sources_.modules.push_back(std::move(info));
    units_.push_back(std::move(unit));
  }
}

Sources Collector::run() {
  for (size_t i = 0; i < modules_.size(); ++i) read(*units_[i]);
  give_types();
  keep_exports_alone();
  finish_exports();
  const auto order = [](const std::unique_ptr<Definition>& d) {
    const uint32_t at = d->def ? d->def->span.begin : d->lambda->span.begin;
    return d->decorator.valid() ? std::max(at, d->decorator.begin) : at;
  };
  std::stable_sort(sources_.definitions.begin(), sources_.definitions.end(),
                   [&](const auto& a, const auto& b) { return order(a) < order(b); });
  refuse_equal_parameters();
  find_obstacles();
  return std::move(sources_);
}

// One name of the module is one object: the last definition at module level, else the last one
// inside a function. Others stay callable from compiled functions.
void Collector::finish_exports() {
  std::map<std::pair<const SourceFile*, std::string_view>, Definition*> last;
  const auto outranks = [&](const Definition& a, const Definition& b) {
    return !home_.at(&a)->nested || home_.at(&b)->nested;
  };
  for (const auto& definition : sources_.definitions) {
    if (broken_.contains(definition.get())) definition->exported = false;
    const bool is_bound =
        home_.at(definition.get())->info->find(definition->name).definition == definition.get();
    const bool hides = definition->exported || (is_bound && sources_.module_name.empty());
    if (!hides) continue;
    Definition*& winner = last[{home_.at(definition.get())->file, definition->name.str()}];
    Definition* loser = definition.get();
    if (!winner || outranks(*definition, *winner)) std::swap(winner, loser);
    if (!loser || !loser->exported) continue;
    loser->exported = false;
    if (loser->signatures.empty()) continue;
    const auto place = [](const Definition& d) { return d.def ? d.def->span : d.lambda->span; };
    diags_.report(loser->decorator, diag::Shadowed, loser->name.str())
        .note(winner->decorator.valid() ? winner->decorator : place(*winner), diag::ShadowedBy);
  }
  std::map<std::string_view, Definition*> in_module;  // of several files, the last one's
  for (const auto& definition : sources_.definitions) {
    if (!definition->exported) continue;
    Definition*& known = in_module[definition->name.str()];
    if (Definition* loser = std::exchange(known, definition.get())) {
      loser->exported = false;
      diags_.report(loser->decorator, diag::Shadowed, loser->name.str())
          .note(known->decorator, diag::ShadowedBy);
    }
  }
}

// CPython's parser lets them pass; its compiler does not.
void Collector::refuse_equal_parameters() {
  for (const auto& definition : sources_.definitions) {
    const ast::Arguments& args = definition->arguments();
    std::unordered_set<Symbol> seen;
    const auto check = [&](const ast::Arg* arg) {
      if (arg && !seen.insert(arg->arg).second)
        diags_.report(
            arg->span, diag::SyntaxError,
            fmt::format("duplicate argument '{}' in function definition", arg->arg.str()));
    };
    for (auto group : {args.posonlyargs, args.args, args.kwonlyargs})
      for (const ast::Arg* arg : group) check(arg);
    check(args.vararg);
    check(args.kwarg);
  }
}

Sources collect(const std::vector<const ast::Module*>& modules, size_t roots,
                const Settings& settings, Diagnostics& diags) {
  return Collector(modules, roots, settings, diags).run();
}

}  // namespace pyk2cu::decorators
