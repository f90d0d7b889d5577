// Which names statements bind to what, and what calls are given: see sharing.h. Tested by
// tests/run/test_sharing.py.
#include <algorithm>

#include "typeinfer/decorators/sharing.h"
#include "typeinfer/decorators/sharing_parts.h"
#include "typeinfer/scope/bound.h"

namespace pyk2cu::decorators {

using namespace sharing;

void Sharing::link(const Name& from, const Shown& to, uint32_t at) {
  for (const auto& [part, items] : to) {
    const auto& [name, kind] = part;
    if (name == from) continue;
    shows_[from].push_back({name, kind, items, at});
    shown_by_[name].push_back({from, kind, items, at});
  }
}

void Sharing::bind(const ast::Expr& target, const Shown& value, Scope scope, uint32_t at) {
  if (value.empty()) return;
  if (const auto* name = ast::as<ast::Name>(target))
    return link(meant(name->id, scope, at == 0 ? UINT32_MAX : at), value, at);
  const auto* item = ast::as<ast::Subscript>(target);
  const auto* path = ast::as<ast::Attribute>(target);
  if (item || path) {  // of what is deeper inside it is not said that the name holds it
    const ast::Expr& base = item ? *item->value : *path->value;
    if (!ast::is<ast::Name>(base)) return;
    for (const auto& [part, items] : shown(base, scope)) link(part.first, holder_of(value), at);
    return;
  }
  const Shown one_of = item_of(value, 1);
  ast::for_each_child(target, [&](const ast::Node& part) {
    const auto* one = as_expr(part);
    if (!one) return;
    const bool is_rest = ast::is<ast::Starred>(target);
    bind(*one,
         is_rest                       ? holder_of(value)
         : ast::is<ast::Starred>(*one) ? value
                                       : one_of,
         scope, at);
  });
}

// for a, b in zip(x, y): items of x and y, not of what zip gives.
void Sharing::bind_items(const ast::Expr& target, const ast::Expr& iter, Scope scope, uint32_t at) {
  const auto* call = ast::as<ast::Call>(iter);
  const auto* name = call ? ast::as<ast::Name>(*call->func) : nullptr;
  const auto* method = call ? ast::as<ast::Attribute>(*call->func) : nullptr;
  const auto* several = ast::as<ast::Tuple>(target);
  const bool gives_pairs = (name && (name->id == "zip" || name->id == "enumerate")) ||
                           (method && method->attr == "items");
  if (!several || !gives_pairs) return bind(target, item_of(shown(iter, scope), 1), scope, at);
  Shown given = method ? shown(*method->value, scope) : Shown();
  for (const ast::Expr* arg : call->args) add(given, shown(*arg, scope));
  for (const ast::Expr* one : several->elts) bind(*one, item_of(given, 1), scope, at);
}

void Sharing::edges_of_function(const ast::Node& node, Scope scope) {
  const ast::Arguments& args = *arguments_of(node);
  const auto all = positional(args);
  const size_t first = all.size() - args.defaults.size();
  for (size_t k = 0; k < args.defaults.size(); ++k)
    link(meant(all[first + k]->arg, &node, 0), shown(*args.defaults[k], scope), 0);
  for (size_t k = 0; k < args.kwonlyargs.size(); ++k)
    if (args.kw_defaults[k])
      link(meant(args.kwonlyargs[k]->arg, &node, 0), shown(*args.kw_defaults[k], scope), 0);
  if (const auto* lambda = ast::as<ast::Lambda>(node))
    link({&node, result_name()}, shown(*lambda->body, &node), 0);
}

void Sharing::edges_of_assign(const ast::Assign& s, Scope scope, uint32_t at) {
  const Shown value = shown(*s.value, scope);
  for (const ast::Expr* target : s.targets) {
    const auto* name = ast::as<ast::Name>(*target);
    const auto *names = ast::as<ast::Tuple>(*target), *values = ast::as<ast::Tuple>(*s.value);
    if (name && scope && is_function(*scope))
      link(meant(name->id, scope, s.span.end), value, at);
    else if (names && values && names->elts.size() == values->elts.size())
      for (size_t k = 0; k < names->elts.size(); ++k)
        bind(*names->elts[k], shown(*values->elts[k], scope), scope, at);
    else
      bind(*target, value, scope, at);
  }
  for (const ast::Expr* target : s.targets.subspan(1)) {  // a = b = …
    bind(*target, shown(*s.targets[0], scope), scope, at);
    bind(*s.targets[0], shown(*target, scope), scope, at);
  }
}

void Sharing::edges(const ast::Node& node, Scope scope, uint32_t at) {
  if (is_function(node)) {
    edges_of_function(node, scope);
    at = 0;
  }
  if (is_scope(node)) scope = &node;
  if (const auto* s = ast::as<ast::Assign>(node)) edges_of_assign(*s, scope, at);
  if (const auto* s = ast::as<ast::AugAssign>(node))  // names += [x]
    for (const auto& [part, items] : shown(*s->target, scope))
      if (const Shown more = shown(*s->value, scope); !ast::is<ast::Name>(*s->value))
        link(part.first, more, at);
  if (const auto* s = ast::as<ast::AnnAssign>(node); s && s->value)
    bind(*s->target, shown(*s->value, scope), scope, at);
  if (const auto* s = ast::as<ast::NamedExpr>(node))
    bind(*s->target, shown(*s->value, scope), scope, at);
  if (const auto* s = ast::as<ast::For>(node)) bind_items(*s->target, *s->iter, scope, at);
  if (const auto* s = ast::as<ast::Comprehension>(node))
    bind_items(*s->target, *s->iter, scope, at);
  if (const auto* s = ast::as<ast::WithItem>(node); s && s->optional_vars) {
    bind(*s->optional_vars, shown(*s->context_expr, scope), scope, at);
    if (const auto* made = ast::as<ast::Call>(*s->context_expr))
      for (const ast::Expr* arg : made->args)
        bind(*s->optional_vars, shown(*arg, scope), scope, at);
  }
  const Name result{scope, result_name()};
  if (const auto* s = ast::as<ast::Return>(node); s && s->value)
    link(result, shown(*s->value, scope), at);
  if (const auto* s = ast::as<ast::Yield>(node); s && s->value)
    link(result, holder_of(shown(*s->value, scope)), at);
  if (const auto* call = ast::as<ast::Call>(node)) edges_of_call(*call, scope, at);
  if (const auto* s = ast::as<ast::Match>(node)) {
    std::vector<Symbol> names;
    for (const ast::MatchCase* one : s->cases) scope::bound_names(*one->pattern, names);
    for (const Symbol name : names) {
      link(meant(name, scope, at), shown(*s->subject, scope), at);
      link(meant(name, scope, at), item_of(shown(*s->subject, scope), 1), at);
    }
  }
  if (const auto* type = ast::as<ast::ClassDef>(node)) edges_of_class(*type, at);
  for_each_part(node, [&](const ast::Node& part) {
    const bool is_statement = at != 0 && part.kind < ast::Kind::kBoolOp;
    edges(part, scope, is_statement ? std::max(at, part.span.end) : at);
  });
}

void Sharing::edges_of_class(const ast::ClassDef& type, uint32_t at) {
  for (const ast::Expr* base : type.bases) {  // what is the one's is the other's
    const auto* name = ast::as<ast::Name>(*base);
    const auto found = name ? known_.classes.find(name->id) : known_.classes.end();
    if (found == known_.classes.end()) continue;
    link({&type, self_name()}, {{{{found->second.first, self_name()}, kOwn}, 0}}, at);
    link({found->second.first, self_name()}, {{{{&type, self_name()}, kOwn}, 0}}, at);
  }
  for (const Symbol name : inner_.at(&type).own) {  // C.t, self.t
    const Shown field{{{{&type, name}, kHolder}, 0}};
    link(meant(type.name, inner_.at(&type).outer, at), field, at);
    link({&type, self_name()}, field, at);
  }
}

void Sharing::edges_of_call(const ast::Call& call, Scope scope, uint32_t at) {
  for (Scope callee : callees_of(call, scope)) {
    if (const auto* type = ast::as<ast::ClassDef>(*callee)) {
      callee = known_.classes.at(type->name).second;
      if (!callee) {  // of a dataclass
        for (const ast::Expr* arg : call.args)
          link({type, self_name()}, holder_of(shown(*arg, scope)), at);
        for (const ast::Keyword* keyword : call.keywords)
          link({type, self_name()}, holder_of(shown(*keyword->value, scope)), at);
      }
    }
    if (callee) link_arguments(callee, call, scope, at);
  }
  // Thread(target=fill, args=(a,)), map(fill, rows): a function of the file that is given others.
  const auto given = [&](const ast::Expr* arg) {
    if (ast::is<ast::Lambda>(*arg)) {
      Shown all;
      for (const ast::Expr* one : call.args) add(all, shown(*one, scope));
      add(all, item_of(all, 1));
      return for_each_arg(*arguments_of(*arg),
                          [&](Symbol param) { link(meant(param, arg, 0), all, at); });
    }
    const auto* name = ast::as<ast::Name>(*arg);
    const auto found = name ? known_.functions.find(name->id) : known_.functions.end();
    if (found == known_.functions.end() || !is_global(name->id, scope)) return;
    Shown all;
    for (const ast::Expr* one : call.args) add(all, shown(*one, scope));
    for (const ast::Keyword* keyword : call.keywords) add(all, shown(*keyword->value, scope));
    add(all, item_of(all, 1));
    for (const Scope one : found->second)
      for_each_arg(*arguments_of(*one), [&](Symbol param) { link(meant(param, one, 0), all, at); });
  };
  for (const ast::Expr* arg : call.args) given(arg);
  for (const ast::Keyword* keyword : call.keywords) given(keyword->value);
  // setattr(C, "a", A)
  const auto* function = ast::as<ast::Name>(*call.func);
  if (function && function->id == "setattr" && call.args.size() == 3)
    for (const auto& [part, items] : shown(*call.args[0], scope))
      link(part.first, holder_of(shown(*call.args[2], scope)), at);
  // L.append(A)
  const auto* method = ast::as<ast::Attribute>(*call.func);
  if (!method || !kChanging.contains(method->attr.str())) return;
  for (const auto& [part, items] : shown(*method->value, scope)) {
    for (const ast::Expr* arg : call.args) link(part.first, holder_of(shown(*arg, scope)), at);
    for (const ast::Keyword* keyword : call.keywords)
      link(part.first, holder_of(shown(*keyword->value, scope)), at);
  }
}

void Sharing::link_arguments(Scope callee, const ast::Call& call, Scope scope, uint32_t at) {
  const ast::Arguments& args = *arguments_of(*callee);
  auto all = positional(args);
  if (inner_.at(callee).type && !all.empty() && all[0]->arg == self_name()) all.erase(all.begin());
  const auto give = [&](Symbol name, const Shown& given) {
    link(meant(name, callee, 0), given, at);
  };
  for (size_t k = 0; k < call.args.size(); ++k) {
    const Shown given = shown(*call.args[k], scope);
    if (ast::is<ast::Starred>(*call.args[k]))
      for (const ast::Arg* arg : all) give(arg->arg, item_of(given, 1));
    else if (k < all.size())
      give(all[k]->arg, given);
    else if (args.vararg)
      give(args.vararg->arg, holder_of(given));
  }
  for (const ast::Keyword* keyword : call.keywords) {
    const Shown given = shown(*keyword->value, scope);
    for_each_arg(args, [&](Symbol name) {
      if (args.kwarg && name == args.kwarg->arg)
        give(name, holder_of(given));
      else if (!keyword->arg || keyword->arg == name)
        give(name, keyword->arg ? given : item_of(given, 0));
    });
  }
}

}  // namespace pyk2cu::decorators
