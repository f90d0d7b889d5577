// The free names of a function: what it reads and does not bind.
//
// In:   a FunctionDef or Lambda.  Out: names in order of first use, those of inner functions
// included. Tested by tests/unit/typeinfer/versions_test.cpp.
#include "typeinfer/scope/versions.h"

namespace pyk2cu::scope {

namespace {

struct Finder {
  std::unordered_set<Symbol> bound{};
  std::vector<Symbol> read{};

  void bind_args(const ast::Arguments& args) {
    for (auto group : {args.posonlyargs, args.args, args.kwonlyargs})
      for (const ast::Arg* arg : group) bound.insert(arg->arg);
    if (args.vararg) bound.insert(args.vararg->arg);
    if (args.kwarg) bound.insert(args.kwarg->arg);
  }

  void visit(const ast::Node& node) {
    if (const auto* name = ast::as<ast::Name>(node)) {
      if (name->ctx == ast::Context::kLoad) {
        read.push_back(name->id);
      } else {
        bound.insert(name->id);
      }
      return;
    }
    if (const auto* def = ast::as<ast::FunctionDef>(node)) bound.insert(def->name);
    if (ast::is<ast::FunctionDef>(node) || ast::is<ast::Lambda>(node)) {
      const auto inner = free_names(node);
      read.insert(read.end(), inner.begin(), inner.end());
      return;
    }
    if (const auto* pattern = ast::as<ast::MatchAs>(node); pattern && pattern->name)
      bound.insert(pattern->name);
    if (const auto* ann = ast::as<ast::AnnAssign>(node)) {
      if (ann->value) visit(*ann->value);
      visit(*ann->target);
      return;
    }
    ast::for_each_child(node, [&](const ast::Node& child) { visit(child); });
  }
};

}  // namespace

std::vector<Symbol> free_names(const ast::Node& function) {
  Finder finder;
  if (const auto* def = ast::as<ast::FunctionDef>(function)) {
    finder.bind_args(*def->args);
    for (const ast::Stmt* s : def->body) finder.visit(*s);
  } else if (const auto* lambda = ast::as<ast::Lambda>(function)) {
    finder.bind_args(*lambda->args);
    finder.visit(*lambda->body);
  }
  std::vector<Symbol> names;
  std::unordered_set<Symbol> seen;
  for (Symbol name : finder.read)
    if (!finder.bound.contains(name) && seen.insert(name).second) names.push_back(name);
  return names;
}

}  // namespace pyk2cu::scope
