// Imports as text: which file or library name does an imported name mean?
//
// In:   import statements, the loaded files and what load() found their imports to mean.
// Out:  bindings; a file that is imported is read first.
// Rule: what no loaded file stands for is a qualified name ("numpy", "math.sqrt"). A file becomes
//       an attribute of its package when it is read. Cycles see what is bound so far. What a file
//       with errors would give is a value of the host program, with the file that is to blame.
// Tested by tests/unit/typeinfer/roots_test.cpp and tests/run/test_packages.py.
#include <fmt/format.h>

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

namespace {

// ['f', 'g'] + ['h']; false where that is not known from the text.
bool listed(const ast::Expr& expr, const ModuleInfo& module, std::vector<std::string>& names) {
  const auto* sum = ast::as<ast::BinOp>(expr);
  if (sum && sum->op == ast::Operator::kAdd)
    return listed(*sum->left, module, names) && listed(*sum->right, module, names);
  const auto value = fold::fold_list(expr, ModuleScope(module));
  if (!value || value->kind != fold::Value::Kind::kTuple) return false;
  for (const fold::Value& item : value->items) names.push_back(item.text);
  return true;
}

// "pkg.util"
std::string below(std::string_view package, std::string_view name) {
  return package.empty() ? std::string(name) : fmt::format("{}.{}", package, name);
}

}  // namespace

void Collector::import_from(Unit& unit, const ast::ImportFrom& stmt) {
  const std::string_view module = stmt.module.str();
  Unit* sibling = find_sibling(unit, module, stmt.level);
  if (sibling == &unit) sibling = nullptr;
  if (sibling) read(*sibling);
  for (const ast::Alias* alias : stmt.names) {
    if (alias->name == "*") {
      import_star(unit, stmt, sibling, alias->span);
      continue;
    }
    const Symbol name = alias->asname ? alias->asname : alias->name;
    const std::string inner = below(module, alias->name.str());
    if (sibling && import_name(unit, name, *sibling, alias->name)) continue;
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

// `name` is what `of` is in the other file; false where that has no such name.
bool Collector::import_name(Unit& unit, Symbol name, const Unit& other, Symbol of) {
  const Binding known = other.info->find(of);
  if (known.kind == Binding::Kind::kUnknown) return false;
  bind(unit, name, known);
  const auto maker = other.makers.find(of);
  if (maker != other.makers.end()) unit.makers[name] = maker->second;
  if (const auto* options = other.keyword_rest_of(of)) unit.keyword_rest[name] = *options;
  const Assigned expr = other.info->assigned_to(of);
  if (expr.expr) unit.info->assigned[name] = expr;
  return true;
}

// All names without an underscore, or those of __all__. Where that is not known from the text, a
// name that the file had before may be either.
void Collector::import_star(Unit& unit, const ast::ImportFrom& stmt, Unit* sibling, Span span) {
  const std::string_view path = stmt.module.str();
  if (!sibling) {
    const std::string module = canonical(path);
    for (std::string_view name : star_names(module))
      bind(unit, Symbol(name), qualified_binding(module + "." + std::string(name), {}));
    return;
  }
  const Symbol all("__all__");
  const Assigned list = sibling->info->assigned_to(all);
  if (std::vector<std::string> names; list.expr && listed(*list.expr, *list.module, names)) {
    for (const std::string& text : names) {
      const Symbol name(text);
      if (import_name(unit, name, *sibling, name)) continue;
      Unit* submodule = find_sibling(unit, below(path, text), stmt.level);
      if (submodule && submodule != &unit) {
        read(*submodule);
        bind(unit, name, module_binding(*submodule->info, span));
      }
    }
    return;
  }
  const bool known = sibling->info->find(all).kind == Binding::Kind::kUnknown;
  const auto bindings = sibling->info->bindings;
  for (const auto& [name, binding] : bindings) {
    if (name.str().starts_with('_')) continue;
    if (!known && unit.info->bindings.contains(name))
      bind(unit, name, Binding{.kind = Binding::Kind::kHost, .span = span});
    else
      import_name(unit, name, *sibling, name);
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
