// Who shares memory with whom: names, and what changes them; see sharing.h. Tested by
// tests/run/test_sharing.py.
#include "typeinfer/decorators/sharing.h"

#include <algorithm>
#include <climits>

#include "typeinfer/builtins/registry.h"
#include "typeinfer/decorators/sharing_parts.h"
#include "typeinfer/scope/bound.h"

namespace pyk2cu::decorators {

using namespace sharing;

Sharing::Sharing(const ast::Module& file, Paths paths) : paths_(std::move(paths)) {
  std::vector<Symbol> names;
  for (const ast::Stmt* stmt : file.body) scope::bound_names(*stmt, names);
  module_names_.insert(names.begin(), names.end());
  for (const ast::Stmt* stmt : file.body) scopes(*stmt, nullptr, nullptr);
  for (const ast::Stmt* stmt : file.body) edges(*stmt, nullptr, stmt->span.end);
  find_changers();
}

namespace {

// Of how many arguments a function of all elements computes.
size_t arity(const builtins::Row& row) {
  const std::string_view params = row.signature.substr(0, row.signature.find(')'));
  return row.signature.empty() ? 2 : size_t(std::ranges::count(params, ',')) + 1;
}

}  // namespace

// ---- names -------------------------------------------------------------------------------------

void Sharing::scopes(const ast::Node& node, Scope around, const ast::FunctionDef* def) {
  const auto* made = ast::as<ast::FunctionDef>(node);
  const auto* assign = ast::as<ast::Assign>(node);
  if (made && !around) known_.functions[made->name].push_back(made);
  if (made && around) known_.nested[{around, made->name}] = made;
  const auto* target = assign ? ast::as<ast::Name>(*assign->targets[0]) : nullptr;
  if (target && !around && ast::is<ast::Lambda>(*assign->value))
    known_.functions[target->id].push_back(assign->value);
  if (target && around && ast::is<ast::Lambda>(*assign->value))
    known_.nested[{around, target->id}] = assign->value;
  if (target && is_slice(*assign->value)) known_.slices.insert(target->id);
  if (const auto* from = ast::as<ast::ImportFrom>(node))
    for (const ast::Alias* one : from->names)
      known_.imported.insert(one->asname ? one->asname : one->name);
  if (const auto* type = ast::as<ast::ClassDef>(node)) {
    known_.classes[type->name] = {type, nullptr};
    for (const ast::Stmt* s : type->body)
      if (const auto* method = ast::as<ast::FunctionDef>(*s)) {
        known_.methods[method->name].push_back(method);
        if (method->name == "__init__") known_.classes[type->name].second = method;
      }
  }
  Scope inside = around;
  if (is_scope(node)) {
    inside = &node;
    if (made && !def) def = made;
    const bool is_method = around && ast::is<ast::ClassDef>(*around) && is_function(node);
    Inner inner{.outer = is_method ? inner_.at(around).outer : around,
                .def = def,
                .type = is_method ? around : nullptr};
    find_names(node, inner);
    for (const auto& [name, ends] : inner.rebound)  // inner functions see any of them
      for (const uint32_t end : ends) link({&node, name, 0}, {{{{&node, name, end}, kOwn}, 0}}, 0);
    inner_.emplace(&node, std::move(inner));
  }
  ast::for_each_child(node, [&](const ast::Node& part) { scopes(part, inside, def); });
}

void Sharing::find_names(const ast::Node& node, Inner& inner) {
  std::vector<Symbol> names;
  std::unordered_set<Symbol> others, params;
  const auto declared = [&](auto&& self, const ast::Node& part) -> void {
    if (const auto* global = ast::as<ast::Global>(part))
      others.insert(global->names.begin(), global->names.end());
    if (const auto* outer = ast::as<ast::Nonlocal>(part))
      others.insert(outer->names.begin(), outer->names.end());
    if (!is_scope(part)) ast::for_each_child(part, [&](const ast::Node& c) { self(self, c); });
  };
  if (const ast::Arguments* args = arguments_of(node))
    for_each_arg(*args, [&](Symbol name) { params.insert(name); });
  ast::for_each_child(node, [&](const ast::Node& part) {
    if (part.kind == ast::Kind::kArguments) return;
    scope::bound_names(part, names);
    declared(declared, part);
    const auto* assign = ast::as<ast::Assign>(part);
    const auto* name =
        assign && assign->targets.size() == 1 ? ast::as<ast::Name>(*assign->targets[0]) : nullptr;
    if (name && is_function(node) && !others.contains(name->id))
      inner.rebound[name->id].push_back(part.span.end);
  });
  for (const Symbol name : names)
    if (!others.contains(name)) inner.own.insert(name);
  inner.own.insert(params.begin(), params.end());
}

// `at`: where it is read.
Sharing::Name Sharing::meant(Symbol name, Scope scope, uint32_t at) const {
  const Scope from = scope;
  for (; scope; scope = inner_.at(scope).outer)
    if (inner_.at(scope).own.contains(name)) break;
  if (!scope) return {nullptr, name};
  const Inner& inner = inner_.at(scope);
  if (inner.type && name == self_name()) return {inner.type, name};
  uint32_t version = 0;
  const auto found = inner.rebound.find(name);
  if (found != inner.rebound.end())
    for (const uint32_t end : found->second)
      if (scope == from && end <= at) version = end;
  return {scope, name, version};
}

// ---- changes -----------------------------------------------------------------------------------

// x of x[i] = …, x.T of x.T[i] = …, x of x.shape = …, and other.TABLE
void Sharing::store(const ast::Expr& target, Scope scope, Shown& out) const {
  if (const auto* item = ast::as<ast::Subscript>(target)) {
    add(out, shown(*item->value, scope));
    const Shown named = shown_by_item(*item, scope);  // globals()["x"] = …
    if (named.size() == 1 && shown(*item->value, scope).empty()) add(out, named);
  } else if (const auto* path = ast::as<ast::Attribute>(target)) {
    const auto* module = ast::as<ast::Name>(*path->value);
    const bool is_module = module && paths_.is_module(module->id);
    add(out, is_module ? shown(target, scope) : shown(*path->value, scope));
  } else if (!ast::is<ast::Name>(target)) {
    ast::for_each_child(target, [&](const ast::Node& part) {
      if (const auto* one = as_expr(part)) store(*one, scope, out);
    });
  }
}

void Sharing::changes(const ast::Node& node, Scope scope, Shown& out) const {
  if (is_function(node)) return;
  if (ast::is<ast::ClassDef>(node)) scope = &node;
  if (const auto* s = ast::as<ast::Assign>(node))
    for (const ast::Expr* target : s->targets) store(*target, scope, out);
  if (const auto* s = ast::as<ast::AnnAssign>(node); s && s->value) store(*s->target, scope, out);
  if (const auto* s = ast::as<ast::Delete>(node))
    for (const ast::Expr* target : s->targets) store(*target, scope, out);
  if (const auto* s = ast::as<ast::For>(node)) store(*s->target, scope, out);
  if (const auto* s = ast::as<ast::Comprehension>(node)) store(*s->target, scope, out);
  if (const auto* s = ast::as<ast::WithItem>(node); s && s->optional_vars)
    store(*s->optional_vars, scope, out);
  if (const auto* s = ast::as<ast::AugAssign>(node)) {
    add(out, shown(*s->target, scope));
    store(*s->target, scope, out);
  }
  if (const auto* call = ast::as<ast::Call>(node)) changes_of_call(*call, scope, out);
  if (const auto* method = ast::as<ast::Attribute>(node)) {
    const std::string_view name = method->attr.str();
    const bool is_own = name.starts_with("__") && name.ends_with("__");
    if ((is_own || kChanging.contains(name)) && paths_.dotted(*method).empty())
      add(out, shown(*method->value, scope));
  }
  for_each_part(node, [&](const ast::Node& part) { changes(part, scope, out); });
}

void Sharing::changes_of_call(const ast::Call& call, Scope scope, Shown& out) const {
  const auto* method = ast::as<ast::Attribute>(*call.func);
  const auto* name = ast::as<ast::Name>(*call.func);
  const std::string path = paths_.dotted(*call.func);
  const std::string_view last = method ? method->attr.str() : name ? name->id.str() : "";
  const std::string_view function = path.empty() ? last : last_of(path);
  const bool first = kChangers.contains(function) || is_in_place(path) ||
                     (is_numpys(path) && function == "at") ||
                     (path.starts_with("numpy.ndarray.") && kChanging.contains(function)) ||
                     (function == "nan_to_num" && !call.keywords.empty());
  if (first && !call.args.empty()) add(out, shown(*call.args[0], scope));
  // np.multiply(a, 2, a); square(a, a) of one argument
  const std::vector<Scope> callees = callees_of(call, scope);
  const auto out_from = [&](size_t first_out) {
    for (size_t k = first_out; k < call.args.size(); ++k) add(out, shown(*call.args[k], scope));
  };
  for (const Scope callee : callees)
    if (const ast::Arguments* args = arguments_of(*callee); args && !args->vararg)
      out_from(positional(*args).size());
  const auto* row = !callees.empty() || path.empty() ? nullptr : builtins::find(path);
  const auto at = kOutAt.find(function);
  if (row && row->is_ufunc())
    out_from(arity(*row));
  else if (at != kOutAt.end() && is_numpys(path))
    out_from(at->second);
  else if (at != kOutAt.end() && path.empty() && method && callees.empty())
    out_from(at->second - 1);
  if (first)  // copyto(dst=a)
    for (const ast::Keyword* keyword : call.keywords) add(out, shown(*keyword->value, scope));
  if (is_unknown(call, scope)) {
    out_from(0);
    for (const ast::Keyword* keyword : call.keywords) add(out, shown(*keyword->value, scope));
  }
  // partial(np.copyto, a), f(np.ndarray.fill)
  const bool passes = std::ranges::any_of(call.args, [&](const ast::Expr* arg) {
    return kChangers.contains(last_of(paths_.dotted(*arg)));
  });
  if (passes)
    for (const ast::Expr* arg : call.args) add(out, shown(*arg, scope));
  for (const ast::Keyword* keyword : call.keywords)
    if (keyword->arg == "out" || (!keyword->arg && is_numpys(path))) {
      add(out, shown(*keyword->value, scope));
      add(out, item_of(shown(*keyword->value, scope), 0));
    }
}

void Sharing::find_changers() {
  for (const auto& [scope, inner] : inner_) {
    if (!is_function(*scope)) continue;
    Shown all, globals, locals;
    ast::for_each_child(*scope, [&](const ast::Node& part) { changes(part, scope, all); });
    for (const auto& [part, items] : all) (part.first.scope ? locals : globals)[part] = items;
    for (const Affected& one : closure(globals, UINT32_MAX))
      changers_[one.name].push_back({inner.def, one.items, one.holds});
    for (const Affected& one : closure(locals, UINT32_MAX))
      changers_[one.name].push_back({nullptr, one.items, one.holds});
  }
}

const std::vector<sharing::Changer>& Sharing::changers(Symbol name) const {
  static const std::vector<Changer> none;
  const auto found = changers_.find(name);
  return found == changers_.end() ? none : found->second;
}

std::vector<sharing::Affected> Sharing::changed_by(const ast::Node& node) const {
  Shown all;
  changes(node, nullptr, all);
  return closure(all, node.span.end);
}

std::vector<sharing::Affected> Sharing::with(Symbol name, uint32_t at) const {
  return closure({{{{nullptr, name}, kOwn}, 0}}, at);
}

// The memory that changes: what the names are, and what they hold where that is said. Then all that
// is this memory, or holds it.
std::vector<sharing::Affected> Sharing::closure(const Shown& first, uint32_t at) const {
  Shown changed;
  std::vector<std::pair<std::pair<Name, Kind>, int>> left;
  const auto reach = [&](const Name& name, Kind kind, int items) {
    const auto [known, is_new] = changed.try_emplace({name, kind}, items);
    if (!is_new && known->second <= items) return;
    known->second = items;
    left.push_back({{name, kind}, items});
  };
  for (const auto& [part, items] : first)
    if (part.second == kOwn || part.second == kHeld) reach(part.first, part.second, items);
  const auto each = [&](const std::map<Name, std::vector<Edge>>& edges, const Name& of,
                        const auto& f) {
    const auto found = edges.find(of);
    if (found != edges.end())
      for (const Edge& edge : found->second)
        if (edge.at <= at) f(edge);
  };
  while (!left.empty()) {
    const auto [part, items] = left.back();
    left.pop_back();
    const bool held = part.second == kHeld;
    each(shows_, part.first, [&](const Edge& edge) {
      const bool holds = edge.kind == kHolder || edge.kind == kHoldsHeld;
      if (holds && !held) return;
      const Kind kind = edge.kind == kHolder ? kOwn : edge.kind == kOwn ? part.second : kHeld;
      reach(edge.to, kind, items + edge.items);
    });
    if (held)
      each(shown_by_, part.first, [&](const Edge& edge) {
        if (edge.kind == kOwn) reach(edge.to, kHeld, items);
      });
  }
  std::map<Name, Affected> all;
  std::vector<Name> back;
  const auto affect = [&](const Name& name, int items, bool holds) {
    const auto [known, is_new] = all.try_emplace(name, Affected{name.name, items, holds});
    if (is_new) back.push_back(name);
    known->second.items = std::min(known->second.items, items);
    known->second.holds = known->second.holds && holds;
  };
  for (const auto& [part, items] : changed)
    if (part.second == kOwn) affect(part.first, items, false);
  while (!back.empty()) {
    const Name one = back.back();
    back.pop_back();
    const Affected from = all.at(one);
    const int rank = one.scope ? INT_MAX : paths_.rank(one.name);
    each(shown_by_, one, [&](const Edge& edge) {
      if (edge.items < rank)  // a number that was taken out of it is none of it
        affect(edge.to, 0, from.holds || edge.kind != kOwn);
    });
  }
  std::vector<Affected> names;
  for (const auto& [name, affected] : all)
    if (!name.scope) names.push_back(affected);
  return names;
}

void sharing::bound_beside(const ast::Node& node, std::vector<Symbol>& out) {
  if (is_function(node)) return;
  if (const auto* named = ast::as<ast::NamedExpr>(node))
    if (const auto* name = ast::as<ast::Name>(*named->target)) out.push_back(name->id);
  if (const auto* handler = ast::as<ast::ExceptHandler>(node); handler && handler->name)
    out.push_back(handler->name);
  if (const auto* match = ast::as<ast::MatchCase>(node)) scope::bound_names(*match->pattern, out);
  if (const auto* global = ast::as<ast::Global>(node))  // of a class
    out.insert(out.end(), global->names.begin(), global->names.end());
  ast::for_each_child(node, [&](const ast::Node& part) { bound_beside(part, out); });
}

}  // namespace pyk2cu::decorators
