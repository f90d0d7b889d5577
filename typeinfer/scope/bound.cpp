// What a piece of the tree binds. In, out: bound.h.
//
// Inner functions and classes bind names of their own, which do not count here.
#include "typeinfer/scope/bound.h"

namespace pyk2cu::scope {

void bound_names(const ast::Node& node, std::vector<Symbol>& out) {
  if (const auto* name = ast::as<ast::Name>(node)) {
    if (name->ctx != ast::Context::kLoad) out.push_back(name->id);
    return;
  }
  if (const auto* def = ast::as<ast::FunctionDef>(node)) {
    out.push_back(def->name);
    return;
  }
  if (ast::is<ast::Lambda>(node) || ast::is<ast::ClassDef>(node)) return;
  if (const auto* pattern = ast::as<ast::MatchAs>(node); pattern && pattern->name)
    out.push_back(pattern->name);
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
