// Which names of a file share memory, and which statements and functions change it.
//
//   V = A.view(); L.append(A); for q in (A, B): …   V and q are A, L holds it
//   V[0] = 7; q += 1; L[0][0] = 7                   … so that these change A; L.pop() does not
//   def fill(t): t[0] = 7                           … and so do calls of what changes its argument
//   m = A[0]; m += 1                                … but an item of one dimension is a number
//
// Every name, of the module, of each class and of each function, is a node; edges say what one may
// be, or a part of, or hold. Edges of functions hold at any time, those of the module's statements
// from there on. What is not known of other modules: their functions are taken to give new things
// and to change nothing, but for those of NumPy that give views, or change what they are given.
// In:   a parsed file, what its paths mean.  Out: names of the module. Tested by
// tests/run/test_sharing.py.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/ast/ast.h"

namespace pyk2cu::decorators {

namespace sharing {

using Scope = const ast::Node*;  // a function, lambda, class; null: the module
struct Name {
  Scope scope;
  Symbol name;
  uint32_t version = 0;  // of what a statement of the function's body binds: where it ends
  bool operator==(const Name&) const = default;
  bool operator<(const Name& other) const;
};
// What a value may be of a name: it or a view of it; what it holds; something that holds it, or
// holds what it holds.
enum Kind : uint8_t { kOwn, kHeld, kHolder, kHoldsHeld };
using Shown = std::map<std::pair<Name, Kind>, int>;  // the least number of subscripts
struct Edge {
  Name to;
  Kind kind;
  int items;
  uint32_t at;  // 0: at any time
};
struct Inner {  // a scope
  Scope outer = nullptr;
  const ast::FunctionDef* def = nullptr;  // it, or the one around it
  Scope type = nullptr;                   // the class whose method it is
  std::unordered_set<Symbol> own{};
  std::unordered_map<Symbol, std::vector<uint32_t>> rebound{};
};

inline bool Name::operator<(const Name& other) const {
  if (scope != other.scope) return std::less<>()(scope, other.scope);
  if (name != other.name) return std::less<>()(name.key(), other.name.key());
  return version < other.version;
}

struct Nested {
  bool operator()(const std::pair<Scope, Symbol>& a, const std::pair<Scope, Symbol>& b) const {
    if (a.first != b.first) return std::less<>()(a.first, b.first);
    return std::less<>()(a.second.key(), b.second.key());
  }
};

// What names of the file are known to be.
struct Known {
  std::unordered_map<Symbol, std::vector<Scope>> functions{}, methods{};
  std::map<std::pair<Scope, Symbol>, Scope, Nested> nested{};     // functions, by the one around
  std::unordered_map<Symbol, std::pair<Scope, Scope>> classes{};  // the class, its __init__
  std::unordered_set<Symbol> slices{};                            // or None, somewhere
  std::unordered_set<Symbol> imported{};                          // by `from … import`
};

// A name of the module ("other.TABLE" of one beside it) that shares memory.
struct Affected {
  Symbol name;
  int items;   // subscripts by numbers in between: as many as it has dimensions, a number
  bool holds;  // not the memory itself, but it holds what has it
};
// Changes it; as the global that it is, or, null, under a name of its own.
struct Changer {
  const ast::FunctionDef* def;
  int items;
  bool holds;
};

// Names that statements of the module bind in expressions, patterns and handlers.
void bound_beside(const ast::Node& node, std::vector<Symbol>& out);

}  // namespace sharing

class Sharing {
 public:
  struct Paths {
    std::function<std::string(const ast::Expr&)> dotted;  // "numpy.asarray"; "": nothing imported
    std::function<bool(Symbol)> is_module;                // of a file beside this one
    std::function<bool(const ast::If&, bool)> runs;       // its body, its `else`: may they run?
    std::function<int(Symbol)> rank;                      // of an array of the module that is known
  };
  Sharing(const ast::Module& file, Paths paths);

  // What a statement of the module, or an expression, changes; not the statements inside functions.
  std::vector<sharing::Affected> changed_by(const ast::Node& node) const;
  // What may share memory with the name, as the module is behind offset `at`; itself among it.
  std::vector<sharing::Affected> with(Symbol name, uint32_t at) const;
  // Does the value of the expression, at module level, show nothing that has a name?
  bool is_new(const ast::Expr& value) const;
  const std::vector<sharing::Changer>& changers(Symbol name) const;

 private:
  using Scope = sharing::Scope;
  using Name = sharing::Name;
  using Shown = sharing::Shown;
  void scopes(const ast::Node& node, Scope around, const ast::FunctionDef* def);
  void find_names(const ast::Node& node, sharing::Inner& inner);
  void edges(const ast::Node& node, Scope scope, uint32_t at);
  void bind_items(const ast::Expr& target, const ast::Expr& iter, Scope scope, uint32_t at);
  void edges_of_function(const ast::Node& node, Scope scope);
  void edges_of_assign(const ast::Assign& s, Scope scope, uint32_t at);
  void edges_of_class(const ast::ClassDef& type, uint32_t at);
  void edges_of_call(const ast::Call& call, Scope scope, uint32_t at);
  void link_arguments(Scope callee, const ast::Call& call, Scope scope, uint32_t at);
  void bind(const ast::Expr& target, const Shown& shown, Scope scope, uint32_t at);
  void link(const Name& from, const Shown& to, uint32_t at);
  void changes(const ast::Node& node, Scope scope, Shown& out) const;
  void changes_of_call(const ast::Call& call, Scope scope, Shown& out) const;
  void store(const ast::Expr& target, Scope scope, Shown& out) const;
  void find_changers();

  Name meant(Symbol name, Scope scope, uint32_t at) const;
  bool is_global(Symbol name, Scope scope) const { return !meant(name, scope, 0).scope; }
  Shown shown(const ast::Expr& e, Scope scope) const;
  Shown shown_by_item(const ast::Subscript& item, Scope scope) const;
  Shown shown_by_call(const ast::Call& call, Scope scope) const;
  std::vector<Scope> callees_of(const ast::Call& call, Scope scope) const;
  bool is_unknown(const ast::Call& call, Scope scope) const;
  template <class F>
  void for_each_part(const ast::Node& node, F&& f) const;
  std::vector<sharing::Affected> closure(const Shown& first, uint32_t at) const;

  Paths paths_;
  std::unordered_set<Symbol> module_names_{};
  std::unordered_map<Scope, sharing::Inner> inner_{};
  sharing::Known known_{};
  std::map<Name, std::vector<sharing::Edge>> shows_{}, shown_by_{};
  std::unordered_map<Symbol, std::vector<sharing::Changer>> changers_{};
};

// Statements that cannot run, as `if __name__ == "__main__"` of a module that is imported, are no
// parts.
template <class F>
void Sharing::for_each_part(const ast::Node& node, F&& f) const {
  const auto* branch = ast::as<ast::If>(node);
  if (!branch) return ast::for_each_child(node, f);
  f(static_cast<const ast::Node&>(*branch->test));
  if (paths_.runs(*branch, true))
    for (const ast::Stmt* s : branch->body) f(static_cast<const ast::Node&>(*s));
  if (paths_.runs(*branch, false))
    for (const ast::Stmt* s : branch->orelse) f(static_cast<const ast::Node&>(*s));
}

}  // namespace pyk2cu::decorators
