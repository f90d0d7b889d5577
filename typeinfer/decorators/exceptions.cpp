// Exception classes: those that are imported when they are raised, and those of a compiled file,
// which the extension module defines anew from their text.
//
// In:   a class statement.  Out: what its name means; of the latter ExceptionClass, with what keeps
// it from being defined alone: a decorator, or a name of the file that its body reads.
// Tested by tests/run/test_exceptions.py.
#include <algorithm>
#include <unordered_set>

#include "typeinfer/builtins/python.h"
#include "typeinfer/decorators/collector.h"
#include "typeinfer/scope/bound.h"
#include "typeinfer/scope/versions.h"

namespace pyk2cu::decorators {

namespace {

// `from __future__ import annotations`
bool postpones_annotations(const ast::Module& file) {
  return std::ranges::any_of(file.body, [](const ast::Stmt* s) {
    const auto* import = ast::as<ast::ImportFrom>(*s);
    return import && import->module == "__future__" &&
           std::ranges::any_of(import->names,
                               [](const auto& one) { return one->name == "annotations"; });
  });
}

// The names that defining a class reads, and those that its methods read when they run.
struct Reads {
  bool annotations;  // are they evaluated?
  std::vector<Symbol> at_once{}, later{};

  void visit(const ast::Node& node) {
    if (const auto* arg = ast::as<ast::Arg>(node); arg && !annotations) return;
    if (const auto* s = ast::as<ast::AnnAssign>(node); s && !annotations) {
      if (s->value) visit(*s->value);
      return;
    }
    if (const auto* name = ast::as<ast::Name>(node)) {
      if (name->ctx == ast::Context::kLoad) at_once.push_back(name->id);
      return;
    }
    if (ast::is<ast::ListComp>(node) || ast::is<ast::SetComp>(node) ||
        ast::is<ast::DictComp>(node) || ast::is<ast::GeneratorExp>(node))
      return comprehension(node);
    if (!ast::is<ast::FunctionDef>(node) && !ast::is<ast::Lambda>(node))
      return ast::for_each_child(node, [&](const ast::Node& child) { visit(child); });
    const std::vector<Symbol> free = scope::free_names(node);
    later.insert(later.end(), free.begin(), free.end());
    const auto* def = ast::as<ast::FunctionDef>(node);
    visit(def ? *def->args : *ast::as<ast::Lambda>(node)->args);
    if (!def) return;
    for (const ast::Expr* decorator : def->decorator_list) visit(*decorator);
    if (def->returns && annotations) visit(*def->returns);
  }

 private:
  // Its targets are its own.
  void comprehension(const ast::Node& node) {
    Reads inner{annotations};
    std::vector<Symbol> own;
    ast::for_each_child(node, [&](const ast::Node& child) {
      inner.visit(child);
      if (const auto* part = ast::as<ast::Comprehension>(child))
        scope::bound_names(*part->target, own);
    });
    const auto add = [&](const std::vector<Symbol>& read, std::vector<Symbol>& to) {
      for (const Symbol name : read)
        if (std::ranges::find(own, name) == own.end()) to.push_back(name);
    };
    add(inner.at_once, at_once);
    add(inner.later, later);
  }
};

// Each once: those of the file, not of the class. What stands in front of the body, and methods,
// read no names of the class; a name of its own is the class's behind the statement that binds it,
// or from the beginning of a statement that holds others.
std::vector<Symbol> names_around(const ast::ClassDef& def, bool annotations) {
  std::vector<Symbol> names, own;
  const auto add = [&](const std::vector<Symbol>& read, bool in_class) {
    for (const Symbol name : read)
      if (!in_class || std::ranges::find(own, name) == own.end()) names.push_back(name);
  };
  Reads front{annotations};
  for (const ast::Expr* base : def.bases) front.visit(*base);
  for (const ast::Keyword* keyword : def.keywords) front.visit(*keyword);
  add(front.at_once, false);
  add(front.later, false);
  for (const ast::Stmt* s : def.body) {
    Reads reads{annotations};
    reads.visit(*s);
    const bool is_one =
        ast::is<ast::Assign>(*s) || ast::is<ast::AugAssign>(*s) || ast::is<ast::AnnAssign>(*s);
    if (!is_one) scope::bound_names(*s, own);
    add(reads.at_once, true);
    if (is_one) scope::bound_names(*s, own);
    add(reads.later, false);
  }
  std::ranges::sort(names, {}, [](Symbol name) { return name.str(); });
  names.erase(std::unique(names.begin(), names.end()), names.end());
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
    if (known && known->kind == Binding::Kind::kUnknown)
      return name && builtins::is_python_exception(name->id.str());
    // Of another package: nobody looks what it is.
    const auto* member = ast::as<ast::Attribute>(base);
    const std::string_view path = known    ? known->qualified
                                  : member ? member->attr.str()
                                           : std::string_view();
    return builtins::sounds_like_exception(path);
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
  const std::string future =
      postpones_annotations(*unit.info->ast) ? "from __future__ import annotations\n" : "";
  ExceptionClass made{def.name, future + text(def.span) + "\n", {}, &def, unit.info, {}};
  for (const ast::Expr* base : def.bases)
    made.bases += (made.bases.empty() ? "" : ", ") + text(base->span);
  sources_.exceptions.push_back(std::make_unique<ExceptionClass>(std::move(made)));
  return sources_.exceptions.back().get();
}

// When all names are known: a method may read one that is bound after its class. What reads a class
// that cannot be defined cannot be either.
void Collector::find_obstacles() {
  std::unordered_set<std::string_view> taken;
  for (const std::unique_ptr<Definition>& one : sources_.definitions) taken.insert(one->name.str());
  for (const std::unique_ptr<ExceptionClass>& one : sources_.exceptions) {
    const std::string& text = one->module->ast->file->text;
    const uint32_t begin = one->def->span.begin - one->module->ast->file->base;
    if (!one->def->decorator_list.empty())
      one->obstacle = "has a decorator";
    else if (begin > 0 && text[begin - 1] != '\n' && text[begin - 1] != '\r')
      one->obstacle = "stands inside another statement";
    else if (one->module->find(one->name).exception != one.get())
      one->obstacle = "shares its name with something else";
    else if (!taken.insert(one->name.str()).second)
      one->obstacle = "has the name of something else in this module";
  }
  const auto find_names = [&](ExceptionClass& one) {
    const auto is_known = [&](Symbol name) {
      const Binding& binding = one.module->find(name);
      const ExceptionClass* other = binding.exception;
      return binding.kind == Binding::Kind::kUnknown ? builtins::is_python_name(name.str())
                                                     : other && other->obstacle.empty();
    };
    const std::vector<Symbol> around =
        names_around(*one.def, !postpones_annotations(*one.module->ast));
    const auto unknown = std::ranges::find_if_not(around, is_known);
    if (unknown == around.end()) return false;
    one.obstacle = "uses `" + std::string(unknown->str()) + "`";
    return true;
  };
  for (bool found = true; found;) {
    found = false;
    for (const std::unique_ptr<ExceptionClass>& one : sources_.exceptions)
      if (one->obstacle.empty() && find_names(*one)) found = true;
  }
}

}  // namespace pyk2cu::decorators
