// Numbering versions: one structured walk over the body with the current version of every name.
//
// In, out: versions.h; joins are in phis.cpp. Tested by tests/unit/typeinfer/versions_test.cpp.
#include <algorithm>

#include "typeinfer/scope/bound.h"
#include "typeinfer/scope/entered.h"
#include "typeinfer/scope/numbering.h"

namespace pyk2cu::scope {

// ---- statements --------------------------------------------------------------------------------

void Numbering::params(const ast::Arguments& args) {
  for (auto group : {args.posonlyargs, args.args, args.kwonlyargs})
    for (const ast::Arg* arg : group) {
      declare(arg->arg);
      bind(arg->arg, *arg, Version::Kind::kParam);
    }
  for (const ast::Arg* arg : {args.vararg, args.kwarg})
    if (arg) {
      declare(arg->arg);
      bind(arg->arg, *arg, Version::Kind::kParam);
    }
}

void Numbering::stmt(const ast::Stmt& s) {
  using namespace ast;
  switch (s.kind) {
    case Kind::kIf:
      return if_(static_cast<const If&>(s));
    case Kind::kFor:
      return for_(static_cast<const For&>(s));
    case Kind::kWhile:
      return while_(static_cast<const While&>(s));
    case Kind::kMatch:
      return match(static_cast<const Match&>(s));
    case Kind::kBreak:
      return leave(s, &Loop::breaks);
    case Kind::kContinue:
      return leave(s, &Loop::continues);
    case Kind::kReturn:
    case Kind::kRaise:
      children(s);
      reachable_ = false;
      return;
    case Kind::kAssign: {
      const auto& assign = static_cast<const Assign&>(s);
      expr(assign.value);
      for (const Expr* t : assign.targets) assign_to(*t, *assign.value);
      return;
    }
    case Kind::kAnnAssign: {
      const auto& assign = static_cast<const AnnAssign&>(s);
      if (!assign.value) return;
      expr(assign.value);
      return assign_to(*assign.target, *assign.value);
    }
    case Kind::kAugAssign: {
      const auto& assign = static_cast<const AugAssign&>(s);
      if (const auto* name = as<Name>(assign.target)) {
        read(*name);
      } else {
        children(*assign.target);
      }
      expr(assign.value);
      if (const auto* name = as<Name>(assign.target)) bind(name->id, *name);
      return;
    }
    case Kind::kFunctionDef: {
      const auto& def = static_cast<const FunctionDef&>(s);
      for (const Expr* e : defaults_of(def)) expr(e);
      take_along(def, def, index_);
      return bind(def.name, def);
    }
    case Kind::kDelete:
      return delete_(static_cast<const Delete&>(s));
    case Kind::kExprStmt:
    case Kind::kAssert:
    case Kind::kPass:
      return children(s);
    default:
      return opaque(s);
  }
}

// What is not compiled: nothing is known of it but the names that it binds.
void Numbering::opaque(const ast::Node& node) {
  std::vector<Symbol> bound;
  bound_names(node, bound);
  for (Symbol name : bound) set(name, add(Version::Kind::kAssign, name, &node));
  const auto* import = ast::as<ast::ImportFrom>(node);
  if (!import) return;
  for (const ast::Alias* alias : import->names) out_.imports_all |= alias->name == "*";
}

void Numbering::delete_(const ast::Delete& s) {
  const bool items = std::ranges::all_of(
      s.targets, [](const ast::Expr* e) { return ast::is<ast::Subscript>(*e); });
  return items ? children(s) : opaque(s);
}

void Numbering::leave(const ast::Stmt& s, std::vector<Way> Loop::* ways) {
  if (!loops_.empty()) (loops_.back().*ways).push_back({edge_key(s, 0), env_});
  reachable_ = false;
}

void Numbering::if_(const ast::If& s) {
  expr(s.test);
  const Env before = env_;
  std::vector<Way> ways;
  block(s.body);
  if (reachable_) ways.push_back({edge_key(s, 0), env_});
  env_ = before;
  reachable_ = true;
  block(s.orelse);
  if (reachable_) ways.push_back({edge_key(s, 1), env_});
  join(s, ways);
}

std::vector<Numbering::HeaderPhi> Numbering::open_loop(const ast::Node& loop,
                                                       const std::vector<Symbol>& rebound) {
  std::vector<HeaderPhi> header;
  for (Symbol name : rebound) {
    const uint32_t at = index_.at(name);
    const VersionId before = current(at);
    if (out_.all[before].kind == Version::Kind::kPhi && out_.all[before].at == &loop) continue;
    const VersionId phi = add(Version::Kind::kPhi, name, &loop);
    out_.all[phi].header = true;
    flow(phi, edge_key(loop, 0), before);
    phi_places_.push_back({&loop, phi});
    env_ = environments_.set(env_, at, phi);
    header.push_back({at, phi});
  }
  std::ranges::sort(header, {}, &HeaderPhi::name);
  return header;
}

// The ways back to the header: the end of the body, if reached, and every continue.
void Numbering::close_loop(const ast::Node& loop, const std::vector<HeaderPhi>& header,
                           Loop& ways) {
  if (reachable_) ways.continues.push_back({edge_key(loop, 1), env_});
  for (const Way& way : ways.continues)
    for (const auto& [name, phi] : header) flow(phi, way.key, environments_.get(way.env, name));
}

void Numbering::finish_loop(const ast::Node& loop, ast::Stmts orelse, bool ends, Env end,
                            Loop& ways) {
  std::vector<Way> out = std::move(ways.breaks);
  if (ends) {
    env_ = end;
    reachable_ = true;
    block(orelse);
    if (reachable_) out.push_back({edge_key(loop, 2), env_});
  }
  join(loop, out);
}

void Numbering::for_(const ast::For& s) {
  expr(s.iter);
  for_loops_.push_back(&s);
  std::vector<Symbol> rebound;
  bound_names(*s.target, rebound);
  for (const ast::Stmt* inner : s.body) bound_names(*inner, rebound);
  const Env before = env_;
  const std::vector<HeaderPhi> phis = open_loop(s, rebound);
  Env end = env_;
  const Env header = env_;
  loops_.emplace_back();
  target(*s.target);
  block(s.body);
  Loop ways = std::move(loops_.back());
  loops_.pop_back();
  const bool once = surely_iterates(s.iter) && ways.continues.empty() && reachable_;
  if (once)  // bound by then: no flag needed
    environments_.for_each_difference(header, env_, [&](uint32_t name, VersionId, VersionId bound) {
      if (out_.all[environments_.get(before, name)].kind == Version::Kind::kUndefined)
        end = environments_.set(end, name, bound);
    });
  close_loop(s, phis, ways);
  finish_loop(s, s.orelse, true, end, ways);
}

std::optional<double> Numbering::number(const ast::Expr* e) const {
  const auto* name = ast::as<ast::Name>(e);
  if (!name) return literal_number(e);
  const auto local = index_.find(name->id);
  if (local == index_.end()) return {};
  const auto found = out_.values.find(current(local->second));
  return found == out_.values.end() ? std::nullopt : literal_number(found->second);
}

// `i = 0; while i < 10`: the body runs at least once.
bool Numbering::surely_enters(const ast::While& s) const {
  const auto* test = ast::as<ast::Compare>(s.test);
  if (!test || test->ops.size() != 1) return false;
  const auto left = number(test->left), right = number(test->comparators[0]);
  if (!left || !right) return false;
  return literals_compare(test->ops[0], *left, *right);
}

void Numbering::while_(const ast::While& s) {
  const bool enters = surely_enters(s);
  std::vector<Symbol> rebound;
  bound_names(*s.test, rebound);
  for (const ast::Stmt* inner : s.body) bound_names(*inner, rebound);
  const std::vector<HeaderPhi> phis = open_loop(s, rebound);
  expr(s.test);
  Env end = env_;
  loops_.emplace_back();
  block(s.body);
  Loop ways = std::move(loops_.back());
  loops_.pop_back();
  // Numba drops the way around the body before it types anything.
  if (enters && ways.continues.empty() && reachable_) end = env_;
  close_loop(s, phis, ways);
  finish_loop(s, s.orelse, !is_true(s.test), end, ways);
}

void Numbering::bind_pattern(const ast::Node& pattern) {
  if (const auto* as = ast::as<ast::MatchAs>(pattern); as && as->name) bind(as->name, *as);
  if (const auto* star = ast::as<ast::MatchStar>(pattern); star && star->name)
    bind(star->name, *star);
  if (const auto* map = ast::as<ast::MatchMapping>(pattern); map && map->rest)
    bind(map->rest, *map);
  if (const auto* name = ast::as<ast::Name>(pattern)) read(*name);
  ast::for_each_child(pattern, [&](const ast::Node& child) { bind_pattern(child); });
}

void Numbering::match(const ast::Match& s) {
  expr(s.subject);
  std::vector<Way> ways;
  const Env before = env_;
  bool falls_through = true;
  for (size_t k = 0; k < s.cases.size() && falls_through; ++k) {
    const ast::MatchCase& c = *s.cases[k];
    env_ = before;
    reachable_ = true;
    bind_pattern(*c.pattern);
    expr(c.guard);
    block(c.body);
    if (reachable_) ways.push_back({edge_key(s, int(std::min<size_t>(k, kNoCase - 1))), env_});
    const auto* capture = ast::as<ast::MatchAs>(c.pattern);
    if (capture && !capture->pattern && !c.guard) falls_through = false;
  }
  if (falls_through) ways.push_back({edge_key(s, kNoCase), before});
  join(s, ways);
}

void Numbering::assign_to(const ast::Expr& e, const ast::Expr& value) {
  target(e);
  if (const auto* name = ast::as<ast::Name>(e))
    out_.values[out_.stores.at(name->Node::id)] = &value;
}

void Numbering::target(const ast::Expr& e) {
  if (const auto* name = ast::as<ast::Name>(e)) return bind(name->id, *name);
  if (ast::is<ast::Tuple>(e) || ast::is<ast::List>(e) || ast::is<ast::Starred>(e)) {
    ast::for_each_child(
        e, [&](const ast::Node& child) { target(static_cast<const ast::Expr&>(child)); });
    return;
  }
  children(e);
}

// A lambda or def takes along the names of this function that it uses, as they are here, and what
// the functions among them take along.
void Numbering::take_along(const ast::Node& function, const ast::Node& at, const Index& index) {
  for (Symbol name : free_names(function)) {
    const auto it = index.find(name);
    if (it == index.end()) continue;
    const VersionId version = current(it->second);
    if (!out_.captures.insert({{at.id, name.key()}, version}).second) continue;
    reads_.push_back({version, at.span});
    if (const auto functions = functions_of_.find(name); functions != functions_of_.end())
      for (const ast::Node* inner : functions->second) take_along(*inner, at, index);
  }
}

// ---- expressions -------------------------------------------------------------------------------

void Numbering::children(const ast::Node& e) {
  ast::for_each_child(e, [&](const ast::Node& child) {
    if (const auto* keyword = ast::as<ast::Keyword>(child)) return expr(keyword->value);
    if (ast::is<ast::Arguments>(child)) return;
    switch (child.kind) {
#define PYK_PRODUCT(kind, py_name, ...)
#define PYK_NODE(kind, group, ...)                       \
  case ast::Kind::k##kind:                               \
    if constexpr (std::is_same_v<ast::group, ast::Stmt>) \
      stmt(static_cast<const ast::Stmt&>(child));        \
    if constexpr (std::is_same_v<ast::group, ast::Expr>) \
      expr(static_cast<const ast::Expr*>(&child));       \
    break;
#include "frontend/ast/nodes.def"
#undef PYK_NODE
#undef PYK_PRODUCT
      default:
        break;
    }
  });
}

void Numbering::read(const ast::Name& name) {
  const auto it = index_.find(name.id);
  if (it == index_.end()) return;
  const VersionId version = current(it->second);
  out_.reads[name.Node::id] = version;
  reads_.push_back({version, name.span});
  const auto functions = functions_of_.find(name.id);
  if (functions == functions_of_.end()) return;
  // They were made outside of comprehensions.
  const auto& index = outside_ ? *outside_ : index_;
  for (const ast::Node* function : functions->second) take_along(*function, name, index);
}

static std::optional<Collected> collected_by(const ast::Node& node) {
  if (const auto* e = ast::as<ast::ListComp>(node)) return Collected{e->generators, {e->elt}};
  if (const auto* e = ast::as<ast::SetComp>(node)) return Collected{e->generators, {e->elt}};
  if (const auto* e = ast::as<ast::DictComp>(node))
    return Collected{e->generators, {e->key, e->value}};
  return std::nullopt;
}

void Numbering::expr(const ast::Expr* e) {
  using namespace ast;
  if (!e) return;
  if (const auto* name = as<Name>(e)) return read(*name);
  if (const auto* walrus = as<NamedExpr>(e)) {
    expr(walrus->value);
    return assign_to(*walrus->target, *walrus->value);
  }
  if (const auto* op = as<BoolOp>(e)) {
    expr(op->values[0]);
    // a and (b and c): what follows is evaluated only when what stands before was
    std::vector<Env> skipped;
    for (size_t k = 1; k < op->values.size(); ++k) {
      skipped.push_back(env_);
      expr(op->values[k]);
    }
    for (size_t k = op->values.size() - 1; k >= 1; --k)
      join(*op->values[k],
           {{edge_key(*op->values[k], 0), env_}, {edge_key(*op->values[k], 1), skipped[k - 1]}});
    return;
  }
  if (const auto* chain = as<Compare>(e)) {
    expr(chain->left);
    expr(chain->comparators[0]);
    std::vector<Env> skipped;
    for (size_t k = 1; k < chain->comparators.size(); ++k) {
      skipped.push_back(env_);
      expr(chain->comparators[k]);
    }
    for (size_t k = chain->comparators.size() - 1; k >= 1; --k)
      join(*chain->comparators[k], {{edge_key(*chain->comparators[k], 0), env_},
                                    {edge_key(*chain->comparators[k], 1), skipped[k - 1]}});
    return;
  }
  if (const auto* select = as<IfExp>(e)) return if_exp(*select);
  if (const auto parts = collected_by(*e)) return comprehension(*e, *parts);
  if (is<GeneratorExp>(*e)) return opaque(*e);
  if (is<Lambda>(e)) {
    for (const Expr* d : defaults_of(*e)) expr(d);
    return take_along(*e, *e, index_);
  }
  children(*e);
}

void Numbering::if_exp(const ast::IfExp& e) {
  expr(e.test);
  const Env before = env_;
  expr(e.body);
  const Env yes = std::exchange(env_, before);
  expr(e.orelse);
  join(e, {{edge_key(e, 0), yes}, {edge_key(e, 1), env_}});
}

// Every comprehension has variables of its own: they get names that the function has not.
void Numbering::declare_own(const ast::Node& node) {
  if (ast::is<ast::Lambda>(node) || ast::is<ast::FunctionDef>(node)) {
    for (const ast::Expr* fallback : defaults_of(node)) declare_own(*fallback);
    return;
  }
  if (const auto parts = collected_by(node)) {
    const auto* e = static_cast<const ast::Expr*>(&node);
    std::vector<Symbol> bound;
    own_names_[e];
    for (const ast::Comprehension* part : parts->generators) bound_names(*part->target, bound);
    for (const Symbol name : bound) {
      Symbol own = name;
      while (index_.contains(own)) own = Symbol(std::string(own.str()) + "_");
      const auto slot = uint32_t(names_.size());
      names_.push_back(own);
      env_ = environments_.append(env_, add(Version::Kind::kUndefined, own, nullptr));
      own_names_[e].emplace_back(name, slot);
    }
  }
  ast::for_each_child(node, [&](const ast::Node& child) { declare_own(child); });
}

void Numbering::comprehension(const ast::Expr& e, const Collected& parts) {
  std::vector<Symbol> bound;
  bound_names(e, bound);
  if (!bound.empty()) return opaque(e);  // by `:=`: not compiled
  expr(parts.generators[0]->iter);
  const Env before = env_;
  const bool is_outermost = !outside_;
  if (is_outermost) outside_ = index_;
  std::vector<std::pair<Symbol, std::optional<uint32_t>>> hidden;
  for (const auto& [name, slot] : own_names_.at(&e)) {
    const auto outer = index_.find(name);
    hidden.emplace_back(name, outer == index_.end() ? std::nullopt : std::optional(outer->second));
    index_[name] = slot;
  }
  for (size_t k = 0; k < parts.generators.size(); ++k) {
    const ast::Comprehension& part = *parts.generators[k];
    if (k > 0) expr(part.iter);
    target(*part.target);
    for (const ast::Expr* condition : part.ifs) expr(condition);
  }
  for (const ast::Expr* value : parts.values) expr(value);
  for (size_t k = hidden.size(); k-- > 0;) {
    if (hidden[k].second)
      index_[hidden[k].first] = *hidden[k].second;
    else
      index_.erase(hidden[k].first);
  }
  env_ = before;
  if (is_outermost) outside_.reset();
}

Versions Numbering::run(const ast::Node& function, const std::vector<Symbol>& captures) {
  const auto* def = ast::as<ast::FunctionDef>(function);
  const auto* lambda = ast::as<ast::Lambda>(function);
  params(def ? *def->args : *lambda->args);
  for (Symbol name : captures) {
    declare(name);
    out_.capture_params.push_back(add(Version::Kind::kParam, name, &function));
    set(name, out_.capture_params.back());
  }
  std::vector<Symbol> bound;
  if (def) {
    for (const ast::Stmt* s : def->body) {
      bound_names(*s, bound);
      bound_functions(*s, functions_of_);
    }
  } else {
    bound_names(*lambda->body, bound);
  }
  for (Symbol name : bound) declare(name);
  if (def)
    for (const ast::Stmt* s : def->body) declare_own(*s);
  else
    declare_own(*lambda->body);
  if (def) {
    block(def->body);
  } else {
    expr(lambda->body);
  }
  finish();
  return std::move(out_);
}

Versions number_versions(const ast::Node& function, const std::vector<Symbol>& captures) {
  return Numbering().run(function, captures);
}

}  // namespace pyk2cu::scope
