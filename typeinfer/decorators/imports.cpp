// Imports as text: which file or library name does an imported name mean?
//
// In:   import statements, the loaded files and what load() found their imports to mean.
// Out:  bindings; a file that is imported is read first.
// Rule: what no loaded file stands for is a qualified name ("numpy", "math.sqrt"). A file becomes
//       an attribute of its package when it is read. Cycles see what is bound so far. What a file
//       with errors would give is a value of the host program, with the file that is to blame.
// Tested by tests/unit/typeinfer/roots_test.cpp and tests/run/test_packages.py.
#include "typeinfer/decorators/collector.h"
#include "typeinfer/decorators/paths.h"

namespace pyk2cu::decorators {

namespace {

Binding qualified_binding(std::string_view path, Span span) {
  return Binding{.kind = Binding::Kind::kQualified, .qualified = canonical(path), .span = span};
}

Binding module_binding(const ModuleInfo& module, Span span) {
  return Binding{.kind = Binding::Kind::kModule, .module = &module, .span = span};
}

}  // namespace

// The unit of `name` as imported from `from`, or null. Level: number of leading dots.
Unit* Collector::find_sibling(const Unit& from, std::string_view name, int level) {
  for (const ast::Module::Import& import : from.info->ast->imports) {
    if (import.level != level || import.name != name) continue;
    for (size_t i = 0; i < modules_.size(); ++i)
      if (modules_[i] == import.module) return units_[i].get();
  }
  return nullptr;
}

Unit* Collector::unit_of(const ModuleInfo* info) {
  for (const auto& unit : units_) {
    if (unit->info == info) return unit.get();
  }
  return nullptr;
}

// What `package.name` is after `import package.name`: a file, or a folder of files.
ModuleInfo* Collector::submodule(Unit& unit, ModuleInfo* package, Symbol name, Unit* file,
                                 Span span) {
  const Binding& known = (package ? package : unit.info)->find(name);
  const bool is_module = known.kind == Binding::Kind::kModule;
  ModuleInfo* info = file ? file->info : nullptr;
  for (const auto& one : sources_.modules)
    if (!info && is_module && known.module == one.get()) info = one.get();
  if (!info) {
    auto folder = std::make_unique<ModuleInfo>();
    folder->ast = unit.info->ast;
    folder->name = name.str();
    info = sources_.modules.emplace_back(std::move(folder)).get();
  }
  if (!package) {
    bind(unit, name, module_binding(*info, span));
  } else if (known.kind == Binding::Kind::kUnknown) {
    package->bindings[name] = module_binding(*info, span);
  }
  return info;
}

void Collector::import(Unit& unit, const ast::Import& stmt) {
  for (const ast::Alias* alias : stmt.names) {
    const std::string_view path = alias->name.str();
    const std::string_view first = path.substr(0, path.find('.'));
    Unit* sibling = find_sibling(unit, path, 0);
    if (alias->asname || (!sibling && !find_sibling(unit, first, 0))) {
      if (sibling) read(*sibling);
      bind(unit, alias->asname ? alias->asname : Symbol(first),
           sibling ? module_binding(*sibling->info, alias->span)
                   : qualified_binding(alias->asname ? path : first, alias->span));
      continue;
    }
    ModuleInfo* package = nullptr;
    for (size_t begin = 0; begin < path.size();) {
      const size_t end = std::min(path.find('.', begin), path.size());
      Unit* file = find_sibling(unit, path.substr(0, end), 0);
      if (file) read(*file);
      const Symbol name(path.substr(begin, end - begin));
      package = submodule(unit, package, name, file, alias->span);
      begin = end + 1;
    }
  }
}

void Collector::import_from(Unit& unit, const ast::ImportFrom& stmt) {
  const std::string_view module = stmt.module.str();
  Unit* sibling = find_sibling(unit, module, stmt.level);
  if (sibling == &unit) sibling = nullptr;
  if (sibling) read(*sibling);
  for (const ast::Alias* alias : stmt.names) {
    if (alias->name == "*") {
      import_star(unit, module, sibling);
      continue;
    }
    const Symbol name = alias->asname ? alias->asname : alias->name;
    std::string inner(module);
    if (!inner.empty()) inner += '.';
    inner += alias->name.str();
    if (sibling) {
      const Binding& known = sibling->info->find(alias->name);
      if (known.kind != Binding::Kind::kUnknown) {
        bind(unit, name, known);
        const auto maker = sibling->makers.find(alias->name);
        if (maker != sibling->makers.end()) unit.makers[name] = maker->second;
        if (const auto* options = sibling->keyword_rest_of(alias->name))
          unit.keyword_rest[name] = *options;
        const Assigned expr = sibling->info->assigned_to(alias->name);
        if (expr.expr) unit.info->assigned[name] = expr;
        continue;
      }
    }
    Unit* submodule = find_sibling(unit, inner, stmt.level);  // from pkg import util
    if (submodule && submodule != &unit) {
      read(*submodule);
      bind(unit, name, module_binding(*submodule->info, alias->span));
    } else if (sibling || stmt.level > 0) {
      const bool broken = sibling && !sibling->info->ast->fault.empty();
      bind(unit, name,
           Binding{.kind = Binding::Kind::kHost,
                   .module = broken ? sibling->info : nullptr,
                   .span = alias->span});
    } else {
      bind(unit, name, qualified_binding(inner, alias->span));
    }
  }
}

void Collector::import_star(Unit& unit, std::string_view path, Unit* sibling) {
  if (sibling) {
    const auto bindings = sibling->info->bindings;
    for (const auto& [name, binding] : bindings) {
      if (name.str().starts_with('_')) continue;
      bind(unit, name, binding);
      const auto maker = sibling->makers.find(name);
      if (maker != sibling->makers.end()) unit.makers[name] = maker->second;
      if (const auto* options = sibling->keyword_rest_of(name)) unit.keyword_rest[name] = *options;
      const Assigned expr = sibling->info->assigned_to(name);
      if (expr.expr) unit.info->assigned[name] = expr;
    }
    return;
  }
  const std::string module = canonical(path);
  for (std::string_view name : star_names(module)) {
    bind(unit, Symbol(name), qualified_binding(module + "." + std::string(name), {}));
  }
}

// "numba.cuda.jit" for a chain of attributes over an imported name; "" for anything else.
std::string Collector::dotted(const Unit& unit, const ast::Expr& expr) const {
  if (const auto* name = ast::as<ast::Name>(expr)) {
    const Binding& binding = unit.info->find(name->id);
    if (binding.kind == Binding::Kind::kQualified) return canonical(binding.qualified);
    if (binding.kind != Binding::Kind::kUnknown) return "";
    return name->id == "staticmethod" || name->id == "classmethod" ? std::string(name->id.str())
                                                                   : std::string();
  }
  const auto* attribute = ast::as<ast::Attribute>(expr);
  if (!attribute) return "";
  if (const Binding* member = unit.info->member(*attribute))
    return member->kind == Binding::Kind::kQualified ? canonical(member->qualified) : "";
  const std::string base = dotted(unit, *attribute->value);
  if (base.empty()) return "";
  return canonical(base + "." + std::string(attribute->attr.str()));
}

}  // namespace pyk2cu::decorators
