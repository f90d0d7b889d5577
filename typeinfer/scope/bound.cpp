// What a piece of the tree binds. In, out: bound.h.
//
// Inner functions, classes and comprehensions bind names of their own, which do not count here.
// Statements that are not compiled bind what they bind in Python: what reads it is no mistake.
#include "typeinfer/scope/bound.h"

#include <optional>

namespace pyk2cu::scope {

namespace {

// `import a.b` binds a, `import a.b as c` c, `from a import *` nobody knows what.
Symbol imported_name(const ast::Alias& alias) {
  if (alias.asname) return alias.asname;
  const std::string_view name = alias.name.str();
  return name == "*" ? Symbol() : Symbol(name.substr(0, name.find('.')));
}

// The name that a node which has names of its own binds in the scope around it.
std::optional<Symbol> name_of_scope(const ast::Node& node) {
  if (const auto* def = ast::as<ast::FunctionDef>(node)) return def->name;
  if (const auto* def = ast::as<ast::AsyncFunctionDef>(node)) return def->name;
  if (const auto* made = ast::as<ast::ClassDef>(node)) return made->name;
  return ast::is<ast::Lambda>(node) ? std::optional(Symbol()) : std::nullopt;
}

// The name that the node holds as text, not as a Name below it.
Symbol name_in(const ast::Node& node) {
  if (const auto* pattern = ast::as<ast::MatchAs>(node)) return pattern->name;
  if (const auto* pattern = ast::as<ast::MatchStar>(node)) return pattern->name;
  if (const auto* pattern = ast::as<ast::MatchMapping>(node)) return pattern->rest;
  if (const auto* handler = ast::as<ast::ExceptHandler>(node)) return handler->name;
  if (const auto* alias = ast::as<ast::Alias>(node)) return imported_name(*alias);
  return {};
}

}  // namespace

void bound_names(const ast::Node& node, std::vector<Symbol>& out) {
  if (const auto* name = ast::as<ast::Name>(node)) {
    if (name->ctx != ast::Context::kLoad) out.push_back(name->id);
    return;
  }
  if (const std::optional<Symbol> own = name_of_scope(node)) {
    if (*own) out.push_back(*own);
    return;
  }
  if (const auto* part = ast::as<ast::Comprehension>(node)) {  // its target is its own
    bound_names(*part->iter, out);
    for (const ast::Expr* condition : part->ifs) bound_names(*condition, out);
    return;
  }
  if (const auto* nonlocal = ast::as<ast::Nonlocal>(node))
    out.insert(out.end(), nonlocal->names.begin(), nonlocal->names.end());
  if (const Symbol name = name_in(node)) out.push_back(name);
  ast::for_each_child(node, [&](const ast::Node& child) { bound_names(child, out); });
}

void bound_functions(const ast::Node& node,
                     std::unordered_map<Symbol, std::vector<const ast::Node*>>& out) {
  if (const auto* def = ast::as<ast::FunctionDef>(node)) {
    out[def->name].push_back(def);
    return;
  }
  if (const auto* assign = ast::as<ast::Assign>(node);
      assign && ast::is<ast::Lambda>(assign->value))
    for (const ast::Expr* target : assign->targets)
      if (const auto* name = ast::as<ast::Name>(target)) out[name->id].push_back(assign->value);
  if (ast::is<ast::Lambda>(node)) return;
  ast::for_each_child(node, [&](const ast::Node& child) { bound_functions(child, out); });
}

}  // namespace pyk2cu::scope
