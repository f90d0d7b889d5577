// The walk that numbers versions, and what it does afterwards: private to versions.cpp, phis.cpp.
//
// In, out: versions.h.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "typeinfer/scope/environments.h"
#include "typeinfer/scope/versions.h"

namespace pyk2cu::scope {

struct Way {  // one way into a join
  uint64_t key;
  Env env = 0;
};

struct Loop {
  std::vector<Way> breaks{}, continues{};
};

// What a comprehension evaluates, in the innermost of its loops.
struct Collected {
  ast::Comprehensions generators;
  std::vector<const ast::Expr*> values;
};

class Numbering {
 public:
  Versions run(const ast::Node& function, const std::vector<Symbol>& captures);

 private:
  struct Read {
    VersionId version;
    Span span;
  };

  struct HeaderPhi {
    uint32_t name;
    VersionId phi;
  };

  // ---- versions and names ----
  VersionId add(Version::Kind kind, Symbol name, const ast::Node* at) {
    out_.all.push_back({kind, name, at});
    return VersionId(out_.all.size() - 1);
  }
  void declare(Symbol name) {
    if (!index_.try_emplace(name, uint32_t(names_.size())).second) return;
    names_.push_back(name);
    out_.locals.insert(name);
    env_ = environments_.append(env_, add(Version::Kind::kUndefined, name, nullptr));
  }
  void bind(Symbol name, const ast::Node& at, Version::Kind kind = Version::Kind::kAssign) {
    const VersionId version = add(kind, names_[index_.at(name)], &at);
    out_.stores[at.id] = version;
    set(name, version);
  }
  VersionId current(uint32_t name) const { return environments_.get(env_, name); }
  void set(Symbol name, VersionId version) {
    env_ = environments_.set(env_, index_.at(name), version);
  }
  void params(const ast::Arguments& args);

  // ---- statements ----
  void block(ast::Stmts body) {
    for (const ast::Stmt* s : body) {
      if (!reachable_) return;
      stmt(*s);
    }
  }
  void stmt(const ast::Stmt& s);
  void opaque(const ast::Node& node);
  void leave(const ast::Stmt& s, std::vector<Way> Loop::* ways);
  void delete_(const ast::Delete& s);
  void if_(const ast::If& s);
  void for_(const ast::For& s);
  void while_(const ast::While& s);
  bool surely_enters(const ast::While& s) const;
  std::optional<double> number(const ast::Expr* e) const;
  void match(const ast::Match& s);
  void bind_pattern(const ast::Node& pattern);
  void assign_to(const ast::Expr& target, const ast::Expr& value);
  void target(const ast::Expr& e);
  using Index = std::unordered_map<Symbol, uint32_t>;
  void take_along(const ast::Node& function, const ast::Node& at, const Index& index);
  std::vector<HeaderPhi> open_loop(const ast::Node& loop, const std::vector<Symbol>& rebound);
  void close_loop(const ast::Node& loop, const std::vector<HeaderPhi>& header, Loop& ways);
  void finish_loop(const ast::Node& loop, ast::Stmts orelse, bool ends, Env end, Loop& ways);

  // ---- expressions ----
  void expr(const ast::Expr* e);
  void children(const ast::Node& e);
  void read(const ast::Name& name);
  void conditional(const ast::Expr& operand);
  void if_exp(const ast::IfExp& e);
  void declare_own(const ast::Node& node);
  void comprehension(const ast::Expr& e, const Collected& parts);

  // ---- joins ----
  void join(const ast::Node& at, const std::vector<Way>& ways);
  void flow(VersionId phi, uint64_t key, VersionId from) {
    out_.all[phi].incoming.push_back(from);
    flows_.push_back({key, {phi, from}});
  }

  // ---- afterwards ----
  VersionId resolve(VersionId v) {
    while (same_as_[v] != v) v = same_as_[v] = same_as_[same_as_[v]];
    return v;
  }
  void replace_trivial();
  void mark_live();
  void mark_undefined();
  void find_plain_indices();
  void finish();

  Versions out_;
  Environments environments_;
  std::unordered_map<Symbol, uint32_t> index_;
  std::vector<Symbol> names_;
  Env env_ = 0;
  bool reachable_ = true;
  std::vector<Loop> loops_;
  std::vector<std::pair<uint64_t, Flow>> flows_;
  std::vector<Read> reads_;
  std::vector<VersionId> same_as_;
  std::vector<std::pair<const ast::Node*, VersionId>> phi_places_;
  std::unordered_map<Symbol, std::vector<const ast::Node*>> functions_of_;
  std::vector<const ast::For*> for_loops_;
  // The variables of comprehensions, which nothing else sees: apart from those of the function.
  std::unordered_map<const ast::Node*, std::vector<std::pair<Symbol, uint32_t>>> own_names_;
  std::optional<Index> outside_;  // in a comprehension: the names around the outermost one
};

}  // namespace pyk2cu::scope
