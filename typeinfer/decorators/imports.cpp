// Imports as text: which file or library name does an imported name mean?
//
// In:   import statements, the loaded files.
// Out:  bindings; a file that is imported is read first.
// Rule: a loaded file is found beside the importing one, or else by the end of its path; all else
//       is a qualified name ("numpy", "math.sqrt"). Cycles see what is bound so far.
// Tested by tests/unit/typeinfer/roots_test.cpp.
#include <filesystem>

#include "typeinfer/decorators/collector.h"
#include "typeinfer/decorators/paths.h"

namespace pyk2cu::decorators {

namespace {

std::string normal(const std::filesystem::path& path) {
  return path.lexically_normal().generic_string();
}

Binding qualified_binding(std::string_view path, Span span) {
  return Binding{.kind = Binding::Kind::kQualified, .qualified = canonical(path), .span = span};
}

}  // namespace

// The unit of `dotted` as imported from `from`, or null. Level: number of leading dots.
Unit* Collector::find_sibling(const Unit& from, std::string_view name, int level) {
  std::string relative(name);
  for (char& c : relative) c = c == '.' ? '/' : c;
  std::filesystem::path directory = std::filesystem::path(from.file->path).parent_path();
  for (int i = 1; i < level; ++i) directory = directory.empty() ? ".." : directory / "..";
  std::vector<std::string> tails;
  if (!relative.empty()) tails.push_back(relative + ".py");
  tails.push_back(relative.empty() ? "__init__.py" : relative + "/__init__.py");
  for (const std::string& tail : tails) {
    const std::string wanted = normal(directory / tail);
    for (size_t i = 0; i < modules_.size(); ++i) {
      if (units_[i]->path == wanted) return units_[i].get();
    }
  }
  if (level > 0) return nullptr;
  for (const std::string& tail : tails) {
    const std::string ending = "/" + tail;
    for (size_t i = 0; i < modules_.size(); ++i) {
      if (units_[i]->path.ends_with(ending)) return units_[i].get();
    }
  }
  return nullptr;
}

Unit* Collector::unit_of(const ModuleInfo* info) {
  for (const auto& unit : units_) {
    if (unit->info == info) return unit.get();
  }
  return nullptr;
}

void Collector::import(Unit& unit, const ast::Import& stmt) {
  for (const ast::Alias* alias : stmt.names) {
    const std::string_view path = alias->name.str();
    const std::string_view first = path.substr(0, path.find('.'));
    Unit* sibling = find_sibling(unit, path, 0);
    if (sibling == &unit) sibling = nullptr;
    const Symbol name = alias->asname ? alias->asname : Symbol(first);
    if (sibling) {
      read(*sibling);
      // `import pkg.util` binds pkg; its attribute path is resolved by the end of the file's path.
      if (alias->asname || first == path) {
        bind(unit, name,
             Binding{.kind = Binding::Kind::kModule, .module = sibling->info, .span = alias->span});
        continue;
      }
    }
    bind(unit, name, qualified_binding(alias->asname ? path : first, alias->span));
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
        const ast::Expr* expr = sibling->info->find_assigned(alias->name);
        if (expr) unit.info->assigned[name] = expr;
        continue;
      }
    }
    Unit* submodule = find_sibling(unit, inner, stmt.level);  // from pkg import util
    if (submodule && submodule != &unit) {
      read(*submodule);
      bind(unit, name,
           Binding{.kind = Binding::Kind::kModule, .module = submodule->info, .span = alias->span});
    } else if (sibling || stmt.level > 0) {
      bind(unit, name, Binding{.kind = Binding::Kind::kHost, .span = alias->span});
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
      const ast::Expr* expr = sibling->info->find_assigned(name);
      if (expr) unit.info->assigned[name] = expr;
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
  if (const auto* base = ast::as<ast::Name>(attribute->value)) {
    const Binding& binding = unit.info->find(base->id);
    if (binding.kind == Binding::Kind::kModule) {
      const Binding& inner = binding.module->find(attribute->attr);
      return inner.kind == Binding::Kind::kQualified ? canonical(inner.qualified) : "";
    }
  }
  const std::string base = dotted(unit, *attribute->value);
  if (base.empty()) return "";
  return canonical(base + "." + std::string(attribute->attr.str()));
}

}  // namespace pyk2cu::decorators
