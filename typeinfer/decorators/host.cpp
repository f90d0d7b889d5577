// Functions of the host program, read as far as the text tells what a call of them gives.
//
//   def _jit(n): return njit([...] * n)      @_jit(2)      cube = power(3)      @checked
//
// In:   a call of a function that is not compiled, or such a function as a decorator.
// Out:  Made: a decorator, a decorator with its function, or what a name means; nothing where a
//       condition, a loop or a value on the way does not fold.
// Rule: the body is walked as a file is (walk.cpp), in a scope of its own in which the parameters
//       mean what was passed. `*args` and `**kwargs` are handed on as they came.
// Tested by tests/unit/typeinfer/roots_test.cpp and tests/run/test_packages.py.
#include <algorithm>

#include "typeinfer/decorators/collector.h"

namespace pyk2cu::decorators {

namespace {

constexpr int kMostDepth = 16;
constexpr int kMostCalls = 4000;

const std::string_view* text_of(const ast::Expr& expr) {
  const auto* constant = ast::as<ast::Constant>(expr);
  return constant && constant->value.tag == ast::ConstantValue::kStr ? &constant->value.text
                                                                     : nullptr;
}

// A list or tuple of signatures: whatever it holds, it is there, and no function.
bool is_sequence(const Maker::Argument& argument) {
  const ast::Expr* expr = argument.expr;
  if (const auto* name = ast::as<ast::Name>(expr))
    expr = argument.module->assigned_to(name->id).expr;
  return ast::is<ast::List>(expr) || ast::is<ast::Tuple>(expr) || ast::is<ast::ListComp>(expr);
}

// Names that inner functions (`nonlocal`) and expressions (`:=`) give a value.
void find_hidden_stores(const ast::Node& node, std::unordered_set<Symbol>& out) {
  if (const auto* nonlocal = ast::as<ast::Nonlocal>(node))
    out.insert(nonlocal->names.begin(), nonlocal->names.end());
  const auto* named = ast::as<ast::NamedExpr>(node);
  if (const auto* name = named ? ast::as<ast::Name>(*named->target) : nullptr) out.insert(name->id);
  ast::for_each_child(node, [&](const ast::Node& child) { find_hidden_stores(child, out); });
}

// What a call passes: positional, by name.
using Argument = Maker::Argument;
using Option = Maker::Option;

}  // namespace

// ---- what a call passes ------------------------------------------------------------------------

// f(a, *rest, key=b, **options); false where something is passed that the text does not tell.
bool Collector::read_arguments(Unit& unit, std::span<ast::Expr*> args,
                               std::span<ast::Keyword*> keywords, Passed& passed) {
  bool whole = true;
  for (const ast::Expr* arg : args) {
    const auto* starred = ast::as<ast::Starred>(arg);
    if (!starred) {
      passed.positional.push_back({arg, unit.info});
      continue;
    }
    const auto* name = ast::as<ast::Name>(starred->value);
    const std::vector<Argument>* rest = name ? unit.rest_of(name->id) : nullptr;
    const Assigned known = name ? unit.info->assigned_to(name->id) : Assigned{};
    const ast::Expr& items = known.expr ? *known.expr : *starred->value;
    const ModuleInfo* home = known.expr ? known.module : unit.info;
    if (rest) {
      passed.positional.insert(passed.positional.end(), rest->begin(), rest->end());
    } else if (const auto* tuple = ast::as<ast::Tuple>(items)) {
      for (const ast::Expr* item : tuple->elts) passed.positional.push_back({item, home});
    } else if (const auto* list = ast::as<ast::List>(items)) {
      for (const ast::Expr* item : list->elts) passed.positional.push_back({item, home});
    } else {
      whole = false;
    }
  }
  for (const ast::Keyword* keyword : keywords) {
    if (keyword->arg) {
      passed.set({keyword->arg, keyword->value, keyword->span, unit.info});
    } else {
      whole = read_options(unit, *keyword->value, passed) && whole;
    }
  }
  return whole;
}

// **options, where options = dict(nopython=True) or {"nopython": True}
bool Collector::read_options(Unit& unit, const ast::Expr& value, Passed& passed) {
  if (const auto* name = ast::as<ast::Name>(value)) {
    const std::vector<Option>* rest = unit.keyword_rest_of(name->id);
    if (!rest) return false;
    for (const Option& option : *rest) passed.set(option);
    return true;
  }
  if (const auto* call = ast::as<ast::Call>(value)) {
    const auto* func = ast::as<ast::Name>(call->func);
    bool whole = func && func->id == "dict" && call->args.size() <= 1;
    if (whole && !call->args.empty()) whole = read_options(unit, *call->args[0], passed);
    for (const ast::Keyword* keyword : call->keywords) {
      if (!whole) break;
      if (keyword->arg)
        passed.set({keyword->arg, keyword->value, keyword->span, unit.info});
      else
        whole = read_options(unit, *keyword->value, passed);
    }
    return whole;
  }
  const auto* dict = ast::as<ast::Dict>(value);
  if (!dict) return false;
  bool whole = true;
  for (size_t i = 0; i < dict->keys.size(); ++i) {
    const std::string_view* key = dict->keys[i] ? text_of(*dict->keys[i]) : nullptr;
    if (key) {
      passed.set({Symbol(*key), dict->values[i], dict->values[i]->span, unit.info});
    } else {
      whole = !dict->keys[i] && read_options(unit, *dict->values[i], passed) && whole;
    }
  }
  return whole;
}

void Collector::Passed::set(const Maker::Option& option) {
  for (Option& one : options) {
    if (one.name != option.name) continue;
    one = option;
    return;
  }
  options.push_back(option);
}

// options["cache"] = True, options.setdefault("cache", True), options.update(cache=True)
bool Collector::change_options(Unit& unit, const ast::Expr& target, const ast::Expr* value) {
  if (const auto* item = ast::as<ast::Subscript>(target)) {
    const auto* name = ast::as<ast::Name>(item->value);
    const auto rest = name ? unit.keyword_rest.find(name->id) : unit.keyword_rest.end();
    const std::string_view* key = text_of(*item->slice);
    if (rest == unit.keyword_rest.end() || unit.conditional > 0 || !key || !value) return false;
    Passed all{.positional = {}, .options = rest->second};
    all.set({Symbol(*key), value, value->span, unit.info});
    rest->second = all.options;
    return true;
  }
  const auto* call = ast::as<ast::Call>(target);
  const auto* method = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  const auto* name = method ? ast::as<ast::Name>(method->value) : nullptr;
  const auto rest = name ? unit.keyword_rest.find(name->id) : unit.keyword_rest.end();
  if (rest == unit.keyword_rest.end() || unit.conditional > 0) return false;
  Passed all{.positional = {}, .options = rest->second};
  bool known = false;
  if (method->attr == "setdefault" && call->args.size() == 2) {
    const std::string_view* key = text_of(*call->args[0]);
    known = key != nullptr;
    const bool there = known && std::any_of(all.options.begin(), all.options.end(),
                                            [&](const Option& o) { return o.name == *key; });
    if (known && !there) all.set({Symbol(*key), call->args[1], call->args[1]->span, unit.info});
  } else if (method->attr == "update") {
    Passed more;
    known = call->args.size() <= 1 && read_arguments(unit, {}, call->keywords, more);
    if (known && !call->args.empty()) known = read_options(unit, *call->args[0], all);
    for (const Option& option : more.options) all.set(option);
  }
  if (!known) return false;
  rest->second = all.options;
  return true;
}

// ---- calls -------------------------------------------------------------------------------------

// The function of the host program that an expression names, or null.
const Definition* Collector::find_host(const Unit& unit, const ast::Expr& expr) {
  const Binding* binding = unit.info->meaning(expr);
  if (!binding || binding->kind != Binding::Kind::kDefinition) return nullptr;
  const Definition* found = binding->definition;
  return found->kind == DefinitionKind::kPlain && !found->helper ? found : nullptr;
}

void Collector::pass(Unit& to, Symbol name, const Maker::Argument& argument) {
  Unit* from = unit_of(argument.module);
  if (!from) return;
  if (argument.function) {
    to.info->bindings[name] =
        Binding{.kind = Binding::Kind::kDefinition, .definition = argument.function};
    return;
  }
  to.info->assigned[name] = {argument.expr, argument.module};
  if (auto maker = find_maker(*from, *argument.expr)) {
    to.makers[name] = std::move(*maker);
    to.info->bindings[name] = Binding{.kind = Binding::Kind::kHost, .span = argument.expr->span};
    return;
  }
  Binding binding = binding_of(*from, name, *argument.expr);
  binding.span = argument.expr->span;
  to.info->bindings[name] = std::move(binding);
}

// Gives each parameter its meaning; false where Python raises TypeError.
bool Collector::pass_all(Unit& callee, const ast::Arguments& params, const ModuleInfo& home,
                         Passed passed) {
  std::vector<const ast::Arg*> positional(params.posonlyargs.begin(), params.posonlyargs.end());
  positional.insert(positional.end(), params.args.begin(), params.args.end());
  const auto named = [&](const ast::Arg& arg) -> std::optional<Argument> {
    for (size_t i = 0; i < passed.options.size(); ++i) {
      const Option option = passed.options[i];
      if (option.name != arg.arg) continue;
      passed.options.erase(passed.options.begin() + long(i));
      return Argument{option.value, option.module};
    }
    return std::nullopt;
  };
  const size_t count = passed.positional.size();
  if (count > positional.size() && !params.vararg) return false;
  for (size_t i = 0; i < positional.size(); ++i) {
    std::optional<Argument> given = named(*positional[i]);
    if (i < count) given = passed.positional[i];
    const size_t first = positional.size() - params.defaults.size();
    if (!given && i >= first) given = Argument{params.defaults[i - first], &home};
    if (!given) return false;
    pass(callee, positional[i]->arg, *given);
  }
  for (size_t i = 0; i < params.kwonlyargs.size(); ++i) {
    std::optional<Argument> given = named(*params.kwonlyargs[i]);
    if (!given && params.kw_defaults[i]) given = Argument{params.kw_defaults[i], &home};
    if (!given) return false;
    pass(callee, params.kwonlyargs[i]->arg, *given);
  }
  if (!passed.options.empty() && !params.kwarg) return false;
  if (params.vararg) {
    auto& rest = callee.rest[params.vararg->arg];
    for (size_t i = positional.size(); i < count; ++i) rest.push_back(passed.positional[i]);
    bind_rest(callee, params.vararg->arg, rest);
  }
  if (params.kwarg) {
    callee.keyword_rest[params.kwarg->arg] = passed.options;
    callee.info->bindings[params.kwarg->arg] =
        Binding{.kind = Binding::Kind::kHost, .span = params.kwarg->span};
  }
  return true;
}

// `args` as a value: the tuple of what was passed, if all of that folds.
void Collector::bind_rest(Unit& callee, Symbol name, const std::vector<Maker::Argument>& rest) {
  fold::Value tuple{.kind = fold::Value::Kind::kTuple};
  Binding binding{.kind = Binding::Kind::kHost};
  for (const Argument& one : rest) {
    auto value = one.function ? fold::of_function(one.function)
                              : fold::fold(*one.expr, UnitScope(*one.module));
    if (!value && is_sequence(one)) value = fold::Value{.kind = fold::Value::Kind::kEllipsis};
    if (value) tuple.items.push_back(std::move(*value));
  }
  if (tuple.items.size() == rest.size()) {
    sources_.values.push_back(std::make_unique<fold::Value>(std::move(tuple)));
    binding.kind = Binding::Kind::kConstant;
    binding.value = sources_.values.back().get();
  }
  callee.info->bindings[name] = std::move(binding);
}

std::optional<Made> Collector::call_host(const Definition& function, Passed passed) {
  if (!function.def || depth_ >= kMostDepth || ++calls_ > kMostCalls) return std::nullopt;
  if (!function.def->decorator_list.empty()) return std::nullopt;
  Unit& home = *home_.at(&function);
  auto info = std::make_unique<ModuleInfo>();
  info->ast = home.info->ast;
  info->name = home.info->name;
  info->outer = home.info;
  auto owned = std::make_unique<Unit>();
  Unit& unit = *owned;
  unit.info = info.get();
  unit.file = home.file;
  unit.outer = &home;
  unit.root = home.root;
  unit.nested = unit.called = true;
  unit.state = Unit::State::kReading;
  sources_.modules.push_back(std::move(info));
  units_.push_back(std::move(owned));
  ++depth_;
  std::optional<Made> made;
  find_hidden_stores(*function.def, unit.written_globals);
  if (pass_all(unit, function.arguments(), *home.info, std::move(passed))) {
    walk(unit, function.def->body);
    if (unit.finished) made = unit.made;
  }
  --depth_;
  unit.state = Unit::State::kDone;
  if (made && (made->maker || made->binding.kind != Binding::Kind::kHost)) {
    evaluated_.insert(function.def);
    return made;
  }
  return std::nullopt;
}

// `return value` of a function that is being called.
void Collector::finish(Unit& unit, const ast::Expr* value) {
  unit.finished = true;
  if (unit.conditional > 0) return;
  Made made;
  const auto* name = value ? ast::as<ast::Name>(*value) : nullptr;
  const auto known = unit.applied.find(name ? name->id : Symbol());
  if (!value) {
    made.binding.kind = Binding::Kind::kHost;
  } else if (known != unit.applied.end()) {
    made = known->second;
  } else if (auto applied = find_applied(unit, *value)) {
    made.maker = std::move(applied->maker);
    made.target = applied->target;
  } else if (auto maker = find_maker(unit, *value)) {
    made.maker = std::move(*maker);
  } else {
    made.binding = binding_of(unit, Symbol(), *value);
  }
  unit.made = std::move(made);
}

// Evaluated once: an expression is looked at as a decorator, as an application and as a value.
std::optional<Made> Collector::host_call(Unit& unit, const ast::Expr& expr) {
  const auto* call = ast::as<ast::Call>(expr);
  const Definition* function = call ? find_host(unit, *call->func) : nullptr;
  if (call && !function) {  // fast(inline="always")(f), where fast makes a decorator of the text
    const auto maker = host_call(unit, *call->func);
    const bool known = maker && maker->binding.kind == Binding::Kind::kDefinition;
    if (known && maker->binding.definition->kind == DefinitionKind::kPlain)
      function = maker->binding.definition;
  }
  if (!function) return std::nullopt;
  const std::pair<const Unit*, const ast::Expr*> key(&unit, &expr);
  if (const auto known = host_calls_.find(key); known != host_calls_.end()) return known->second;
  Passed passed;
  std::optional<Made> made;
  if (read_arguments(unit, call->args, call->keywords, passed))
    made = call_host(*function, std::move(passed));
  return host_calls_[key] = std::move(made);
}

// ---- decorators --------------------------------------------------------------------------------

// @checked, @checked(level=2): what becomes of `def`.
Collector::Decorated Collector::decorate(Unit& unit, const ast::Expr& decorator,
                                         const ast::FunctionDef& def) {
  const Definition* function = find_host(unit, decorator);
  if (!function) {
    const auto made = host_call(unit, decorator);
    if (made && made->maker && !made->target) return {.maker = made->maker, .known = true};
    if (made && made->binding.kind == Binding::Kind::kDefinition)
      function = made->binding.definition;
  }
  if (!function) return {};
  Definition* plain = define_plain(unit, def);
  Passed passed;
  passed.positional.push_back({nullptr, unit.info, plain});
  const auto made = call_host(*function, std::move(passed));
  if (made && made->maker && made->target.def == &def) return {.maker = made->maker, .known = true};
  const bool same = made && made->binding.kind == Binding::Kind::kDefinition &&
                    made->binding.definition->kind == DefinitionKind::kPlain &&
                    made->binding.definition->def == &def;
  return {.maker = std::nullopt, .known = same, .plain = same ? plain : nullptr};
}

// Does a decorator of the host program make kernels? Then it must not be passed over in silence.
bool Collector::mentions_maker(Unit& unit, const ast::Node& node) {
  if (const auto* name = ast::as<ast::Name>(node); name && find_maker(unit, *name)) return true;
  const auto* path = ast::as<ast::Attribute>(node);
  if (path && find_maker(unit, *path)) return true;
  bool found = false;
  ast::for_each_child(
      node, [&](const ast::Node& child) { found = found || mentions_maker(unit, child); });
  return found;
}

bool Collector::may_compile(Unit& unit, const ast::Expr& decorator) {
  const auto* call = ast::as<ast::Call>(decorator);
  const Definition* function = find_host(unit, call ? *call->func : decorator);
  return function && function->def && mentions_maker(*home_.at(function), *function->def);
}

}  // namespace pyk2cu::decorators
