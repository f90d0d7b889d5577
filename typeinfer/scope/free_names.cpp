// The free names of a function: what it reads and does not bind.
//
// In:   a FunctionDef or Lambda.  Out: names in order of first use, those of inner functions
// included. Tested by tests/unit/typeinfer/versions_test.cpp.
#include <unordered_set>

#include "typeinfer/scope/bound.h"
#include "typeinfer/scope/versions.h"

namespace pyk2cu::scope {

namespace {

struct Finder {
  std::vector<Symbol> read{};

  void visit(const ast::Node& node) {
    if (const auto* name = ast::as<ast::Name>(node)) {
      if (name->ctx == ast::Context::kLoad) read.push_back(name->id);
      return;
    }
    if (ast::is<ast::FunctionDef>(node) || ast::is<ast::Lambda>(node)) {
      for (const ast::Expr* fallback : defaults_of(node)) visit(*fallback);
      const auto inner = free_names(node);
      read.insert(read.end(), inner.begin(), inner.end());
      return;
    }
    if (const auto* ann = ast::as<ast::AnnAssign>(node)) {
      if (ann->value) visit(*ann->value);
      visit(*ann->target);
      return;
    }
    ast::for_each_child(node, [&](const ast::Node& child) { visit(child); });
  }
};

void parameter_names(const ast::Arguments& args, std::vector<Symbol>& out) {
  for (auto group : {args.posonlyargs, args.args, args.kwonlyargs})
    for (const ast::Arg* arg : group) out.push_back(arg->arg);
  if (args.vararg) out.push_back(args.vararg->arg);
  if (args.kwarg) out.push_back(args.kwarg->arg);
}

}  // namespace

std::vector<const ast::Expr*> defaults_of(const ast::Node& function) {
  const auto* def = ast::as<ast::FunctionDef>(function);
  const ast::Arguments& args = def ? *def->args : *ast::as<ast::Lambda>(function)->args;
  std::vector<const ast::Expr*> defaults(args.defaults.begin(), args.defaults.end());
  for (const ast::Expr* fallback : args.kw_defaults)
    if (fallback) defaults.push_back(fallback);
  return defaults;
}

std::vector<Symbol> free_names(const ast::Node& function) {
  Finder finder;
  std::vector<Symbol> bound;
  if (const auto* def = ast::as<ast::FunctionDef>(function)) {
    parameter_names(*def->args, bound);
    for (const ast::Stmt* s : def->body) {
      bound_names(*s, bound);
      finder.visit(*s);
    }
  } else if (const auto* lambda = ast::as<ast::Lambda>(function)) {
    parameter_names(*lambda->args, bound);
    bound_names(*lambda->body, bound);
    finder.visit(*lambda->body);
  }
  std::vector<Symbol> names;
  std::unordered_set<Symbol> seen(bound.begin(), bound.end());
  for (Symbol name : finder.read)
    if (seen.insert(name).second) names.push_back(name);
  return names;
}

}  // namespace pyk2cu::scope
