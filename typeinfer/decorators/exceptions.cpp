// Exception classes: those that are imported when they are raised, and those of a compiled file,
// which the extension module defines anew from their text.
//
// In:   a class statement.  Out: what its name means; of the latter ExceptionClass, with what keeps
// it from being defined alone: a decorator, or a name of the file that its body reads.
// Tested by tests/run/test_exceptions.py.
#include <algorithm>
#include <unordered_set>

#include "typeinfer/decorators/collector.h"
#include "typeinfer/scope/bound.h"
#include "typeinfer/scope/versions.h"

namespace pyk2cu::decorators {

namespace {

// The names that defining a class reads, and those that its methods read when they run.
struct Reads {
  std::vector<Symbol> at_once{}, later{};

  void visit(const ast::Node& node) {
    if (const auto* name = ast::as<ast::Name>(node)) {
      if (name->ctx == ast::Context::kLoad) at_once.push_back(name->id);
      return;
    }
    if (!ast::is<ast::FunctionDef>(node) && !ast::is<ast::Lambda>(node))
      return ast::for_each_child(node, [&](const ast::Node& child) { visit(child); });
    const std::vector<Symbol> free = scope::free_names(node);
    later.insert(later.end(), free.begin(), free.end());
    const auto* def = ast::as<ast::FunctionDef>(node);
    visit(def ? *def->args : *ast::as<ast::Lambda>(node)->args);
    if (!def) return;
    for (const ast::Expr* decorator : def->decorator_list) visit(*decorator);
    if (def->returns) visit(*def->returns);
  }
};

// Each once: those of the file, not of the class.
std::vector<Symbol> names_around(const ast::ClassDef& def) {
  Reads reads;
  std::vector<Symbol> own;
  for (const ast::Expr* base : def.bases) reads.visit(*base);
  for (const ast::Keyword* keyword : def.keywords) reads.visit(*keyword);
  for (const ast::Stmt* s : def.body) {
    scope::bound_names(*s, own);
    reads.visit(*s);
  }
  const std::unordered_set<Symbol> bound(own.begin(), own.end());
  std::vector<Symbol> names;
  std::unordered_set<Symbol> seen;
  const auto add = [&](Symbol name) {
    if (seen.insert(name).second) names.push_back(name);
  };
  for (const Symbol name : reads.at_once)
    if (!bound.contains(name)) add(name);
  for (const Symbol name : reads.later) add(name);
  return names;
}

}  // namespace

// "pkg.errors:Failed" of an exception class that can be imported from its file when it is raised,
// ":Failed" of one in a file that is compiled; "" of other classes.
std::string Collector::exception_name(const Unit& unit, const ast::ClassDef& def) {
  const auto is_exception = [&](const ast::Expr* base) {
    const Binding* known = unit.info->meaning(*base);
    if (known && known->kind == Binding::Kind::kHost) return !known->qualified.empty();
    const auto* name = ast::as<ast::Name>(base);
    const std::string_view text = name ? name->id.str() : std::string_view();
    return known && known->kind == Binding::Kind::kUnknown &&
           (text.ends_with("Error") || text.ends_with("Exception") || text.ends_with("Warning"));
  };
  if (unit.nested || !std::any_of(def.bases.begin(), def.bases.end(), is_exception)) return "";
  std::string module = unit.root ? "" : unit.file->name;
  if (module.starts_with("..")) module.clear();
  if (module.ends_with(".py")) module.resize(module.size() - 3);
  if (module.ends_with("/__init__")) module.resize(module.size() - 9);
  for (char& c : module) c = c == '/' ? '.' : c;
  return module + ":" + std::string(def.name.str());
}

// Null of classes that are no exceptions of a compiled file.
const ExceptionClass* Collector::exception_class(const Unit& unit, const ast::ClassDef& def) {
  if (!exception_name(unit, def).starts_with(':')) return nullptr;
  const auto text = [&](Span span) {
    return unit.file->text.substr(span.begin - unit.file->base, span.end - span.begin);
  };
  ExceptionClass made{def.name, text(def.span) + "\n", {}, &def, unit.info, {}};
  for (const ast::Expr* base : def.bases)
    made.bases += (made.bases.empty() ? "" : ", ") + text(base->span);
  sources_.exceptions.push_back(std::make_unique<ExceptionClass>(std::move(made)));
  return sources_.exceptions.back().get();
}

// When all names are known: a method may read one that is bound after its class.
void Collector::find_obstacles() {
  std::unordered_set<Symbol> names;
  for (const std::unique_ptr<ExceptionClass>& one : sources_.exceptions) {
    const auto is_known = [&](Symbol name) {
      const Binding& binding = one->module->find(name);
      return binding.kind == Binding::Kind::kUnknown ||
             (binding.exception && binding.exception->obstacle.empty());
    };
    const std::vector<Symbol> around = names_around(*one->def);
    const auto unknown = std::ranges::find_if_not(around, is_known);
    const std::string& text = one->module->ast->file->text;
    const uint32_t begin = one->def->span.begin - one->module->ast->file->base;
    if (!one->def->decorator_list.empty())
      one->obstacle = "has a decorator";
    else if (begin > 0 && text[begin - 1] != '\n' && text[begin - 1] != '\r')
      one->obstacle = "stands inside another statement";
    else if (one->module->find(one->name).exception != one.get())
      one->obstacle = "shares its name with something else";
    else if (unknown != around.end())
      one->obstacle = "uses `" + std::string(unknown->str()) + "`";
    else if (!names.insert(one->name).second)
      one->obstacle = "has the name of another one in this module";
  }
}

}  // namespace pyk2cu::decorators
