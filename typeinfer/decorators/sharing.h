// Which names of a file share memory, and which statements and functions change it.
//
//   V = A.view(); L.append(A); for q in (A, B): …   V, L, q show A: what changes them changes A
//   def fill(t): t[0] = 7                           … and so do calls of what changes its argument
//
// Every name, of the module and of each function, is a node; an edge says that one may show what
// another one is. Edges of functions hold at any time, those of the module's statements from there
// on. What is not known of other modules: their functions are taken to give new things and to
// change nothing, but for those of NumPy that give views, or change what they are given.
// In:   a parsed file, what its paths mean.  Out: names of the module. Tested by
// tests/run/test_sharing.py.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/ast/ast.h"

namespace pyk2cu::decorators {

class Sharing {
 public:
  struct Paths {
    std::function<std::string(const ast::Expr&)> dotted;  // "numpy.asarray"; "": nothing imported
    std::function<bool(Symbol)> is_module;                // of a file beside this one
    std::function<bool(const ast::If&, bool)> runs;       // its body, its `else`: may they run?
  };
  Sharing(const ast::Module& file, Paths paths);

  // Names of the module ("other.TABLE" of one beside it) that a statement of it, or an expression,
  // changes; not by the statements inside functions.
  std::vector<Symbol> changed_by(const ast::Node& node) const;
  // The name and all that may share memory with it, as the module is behind offset `at`.
  std::vector<Symbol> with(Symbol name, uint32_t at) const;
  // Does the value of the expression, at module level, show nothing that has a name?
  bool is_new(const ast::Expr& value) const;
  // The functions that change it, or what shares memory with it: as the global that it is, or,
  // null, under a name of theirs.
  const std::vector<const ast::FunctionDef*>& changers(Symbol name) const;

 private:
  using Scope = const ast::Node*;  // a function, a lambda; null: the module
  struct Name {
    Scope scope;
    Symbol name;
    bool operator==(const Name&) const = default;
    bool operator<(const Name& other) const {
      return scope != other.scope ? std::less<>()(scope, other.scope)
                                  : std::less<>()(name.key(), other.name.key());
    }
  };
  using Names = std::set<Name>;
  struct Edge {
    Name to;
    uint32_t at;  // 0: at any time
  };
  struct Inner {  // a scope
    Scope outer = nullptr;
    const ast::FunctionDef* def = nullptr;  // it, or the one around it
    const ast::Arguments* args = nullptr;
    std::unordered_set<Symbol> own{};
  };

  void scopes(const ast::Node& node, Scope around, const ast::FunctionDef* def);
  void edges(const ast::Node& node, Scope scope, uint32_t at);
  void edges_of_call(const ast::Call& call, Scope scope, uint32_t at);
  void link_arguments(Scope callee, const ast::Arguments& args, const ast::Call& call, Scope scope,
                      uint32_t at);
  void bind(const ast::Expr& target, const Names& shown, Scope scope, uint32_t at);
  void link(const Name& from, const Names& to, uint32_t at);
  void changes(const ast::Node& node, Scope scope, Names& out) const;
  void changes_of_call(const ast::Call& call, Scope scope, Names& out) const;
  void base_of(const ast::Expr& target, Scope scope, Names& out) const;
  void find_changers();

  Name meant(Symbol name, Scope scope) const;
  Names shown(const ast::Expr& e, Scope scope) const;
  Names shown_by_item(const ast::Subscript& item, Scope scope) const;
  Names shown_by_call(const ast::Call& call, Scope scope) const;
  const ast::FunctionDef* callee_of(const ast::Call& call, Scope scope) const;
  template <class F>
  void for_each_part(const ast::Node& node, F&& f) const;
  std::vector<Symbol> closure(const Names& first, uint32_t at) const;

  Paths paths_;
  std::unordered_set<Symbol> module_names_{};
  std::unordered_map<Scope, Inner> inner_{};
  std::unordered_map<Symbol, const ast::FunctionDef*> functions_{}, methods_{};
  std::map<Name, std::vector<Edge>> shows_{}, shown_by_{};
  std::unordered_map<Symbol, std::vector<const ast::FunctionDef*>> changers_{};
};

}  // namespace pyk2cu::decorators
