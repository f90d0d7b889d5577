// Statements of a file, read in the order in which Python would run them.
//
// In:   a Unit and a body.  Out: bindings of its names, definitions under decorators.
// Rule: an `if` whose test folds takes its branch; of `try`, the body wins and handlers fill in
//       what is missing; what runs under any other condition or in a loop binds functions and
//       imports that are not there yet, and turns constants into objects of the host program.
// Tested by tests/unit/typeinfer/roots_test.cpp.
#include <algorithm>
#include <unordered_set>

#include "frontend/ast/ast.h"
#include "typeinfer/builtins/python.h"
#include "typeinfer/decorators/collector.h"
#include "typeinfer/decorators/paths.h"

namespace pyk2cu::decorators {

namespace {

// Collects names that `global` declares and the same function assigns, in all functions below.
void find_written_globals(const ast::Node& node, std::unordered_set<Symbol>* declared,
                          std::unordered_set<Symbol>* stored, std::unordered_set<Symbol>& out) {
  std::unordered_set<Symbol> own_declared, own_stored;
  const bool is_function = ast::is<ast::FunctionDef>(node) || ast::is<ast::AsyncFunctionDef>(node);
  if (is_function) {
    declared = &own_declared;
    stored = &own_stored;
  }
  if (declared) {
    if (const auto* arg = ast::as<ast::Arg>(node)) stored->insert(arg->arg);
    if (const auto* global = ast::as<ast::Global>(node)) {
      declared->insert(global->names.begin(), global->names.end());
    }
    const auto* name = ast::as<ast::Name>(node);
    if (name && name->ctx != ast::Context::kLoad) stored->insert(name->id);
  }
  ast::for_each_child(
      node, [&](const ast::Node& child) { find_written_globals(child, declared, stored, out); });
  if (!is_function) return;
  for (Symbol name : own_declared) {
    if (own_stored.contains(name)) out.insert(name);
  }
}

bool mentions(const ast::Node& node, Symbol name) {
  const auto* own = ast::as<ast::Name>(node);
  bool found = own && own->id == name;
  ast::for_each_child(node,
                      [&](const ast::Node& child) { found = found || mentions(child, name); });
  return found;
}

// Nothing but imports of what every compiled file has, and constants?
bool surely_succeeds(std::span<ast::Stmt* const> body) {
  const auto is_there = [](Symbol module) {
    const std::string_view path = module.str(), first = path.substr(0, path.find('.'));
    return first == "numba" || first == "numpy" || first == "math" || first == "cmath";
  };
  return std::all_of(body.begin(), body.end(), [&](const ast::Stmt* stmt) {
    if (const auto* from = ast::as<ast::ImportFrom>(stmt))
      return from->level == 0 && is_there(from->module);
    if (const auto* assign = ast::as<ast::Assign>(stmt))
      return ast::is<ast::Constant>(*assign->value);
    const auto* import = ast::as<ast::Import>(stmt);
    return import && std::all_of(import->names.begin(), import->names.end(),
                                 [&](const ast::Alias* alias) { return is_there(alias->name); });
  });
}

}  // namespace

void Collector::read(Unit& unit) {
  if (unit.state != Unit::State::kNew) return;
  unit.state = unit.info->ast->fault.empty() ? Unit::State::kReading : Unit::State::kDone;
  if (unit.state == Unit::State::kDone) return;
  for (const ast::Stmt* stmt : unit.info->ast->body) {
    find_written_globals(*stmt, nullptr, nullptr, unit.written_globals);
  }
  walk(unit, unit.info->ast->body);
  read_factories(unit);
  unit.state = Unit::State::kDone;
}

// What calls of it with known values made says more than its text without them.
void Collector::read_factories(Unit& unit) {
  for (size_t i = 0; i < unit.factories.size(); ++i)
    if (!evaluated_.contains(unit.factories[i])) read_factory(unit, *unit.factories[i]);
}

// A host function whose body holds functions: a scope of its own, over the names of the file.
void Collector::read_factory(Unit& parent, const ast::FunctionDef& def) {
  auto info = std::make_unique<ModuleInfo>();
  info->ast = parent.info->ast;
  info->name = parent.info->name;
  info->outer = parent.info;
  auto unit = std::make_unique<Unit>();
  unit->info = info.get();
  unit->file = parent.file;
  unit->outer = &parent;
  unit->root = parent.root;
  unit->nested = true;
  unit->state = Unit::State::kReading;
  sources_.modules.push_back(std::move(info));
  const auto host = [&](const ast::Arg* arg) {
    if (!arg) return;
    unit->info->bindings[arg->arg] = Binding{.kind = Binding::Kind::kHost, .span = arg->span};
  };
  for (const ast::Arg* arg : def.args->posonlyargs) host(arg);
  for (const ast::Arg* arg : def.args->args) host(arg);
  for (const ast::Arg* arg : def.args->kwonlyargs) host(arg);
  host(def.args->vararg);
  host(def.args->kwarg);
  Unit& nested = *unit;
  units_.push_back(std::move(unit));
  walk(nested, def.body);
  read_factories(nested);
  nested.state = Unit::State::kDone;
}

void Collector::walk(Unit& unit, std::span<ast::Stmt*> body) {
  for (const ast::Stmt* stmt : body) {
    if (unit.finished) return;
    statement(unit, *stmt);
  }
}

void Collector::maybe(Unit& unit, std::span<ast::Stmt*> body) {
  ++unit.conditional;
  walk(unit, body);
  --unit.conditional;
}

void Collector::statement(Unit& unit, const ast::Stmt& stmt) {
  using ast::Kind;
  if (run_stores(unit, stmt)) return;
  forget_changes(unit, stmt);
  switch (stmt.kind) {
    case Kind::kFunctionDef:
      return function(unit, *ast::as<ast::FunctionDef>(stmt));
    case Kind::kClassDef:
      return class_body(unit, *ast::as<ast::ClassDef>(stmt));
    case Kind::kImport:
      return import(unit, *ast::as<ast::Import>(stmt));
    case Kind::kImportFrom:
      return import_from(unit, *ast::as<ast::ImportFrom>(stmt));
    case Kind::kIf:
      return if_stmt(unit, *ast::as<ast::If>(stmt));
    case Kind::kTry: {
      const auto& s = *ast::as<ast::Try>(stmt);
      return try_body(unit, s.body, s.handlers, s.orelse, s.finalbody);
    }
    case Kind::kTryStar: {
      const auto& s = *ast::as<ast::TryStar>(stmt);
      return try_body(unit, s.body, s.handlers, s.orelse, s.finalbody);
    }
    case Kind::kWith: {
      const auto& s = *ast::as<ast::With>(stmt);
      for (const ast::WithItem* item : s.items) {
        if (item->optional_vars) forget(unit, *item->optional_vars);
      }
      return walk(unit, s.body);
    }
    case Kind::kFor: {
      const auto& s = *ast::as<ast::For>(stmt);
      forget(unit, *s.target);
      maybe(unit, s.body);
      return maybe(unit, s.orelse);
    }
    case Kind::kWhile:
      maybe(unit, ast::as<ast::While>(stmt)->body);
      return maybe(unit, ast::as<ast::While>(stmt)->orelse);
    case Kind::kMatch:
      for (const ast::MatchCase* arm : ast::as<ast::Match>(stmt)->cases) maybe(unit, arm->body);
      return;
    default:
      return simple_statement(unit, stmt);
  }
}

void Collector::simple_statement(Unit& unit, const ast::Stmt& stmt) {
  using ast::Kind;
  switch (stmt.kind) {
    case Kind::kAssign: {
      const auto& s = *ast::as<ast::Assign>(stmt);
      if (change_options(unit, *s.targets[0], s.value))
        return forget_changed(unit, *s.targets[0], /*keeps_options=*/true);
      return assign_all(unit, s.targets, *s.value);
    }
    case Kind::kAnnAssign: {
      const auto& s = *ast::as<ast::AnnAssign>(stmt);
      if (s.value) assign(unit, *s.target, *s.value);
      return;
    }
    case Kind::kAugAssign: {
      const ast::Expr& target = *ast::as<ast::AugAssign>(stmt)->target;
      forget(unit, target);
      return forget_changed(unit, target);
    }
    case Kind::kDelete:
      for (const ast::Expr* target : ast::as<ast::Delete>(stmt)->targets) {
        forget(unit, *target);
        forget_changed(unit, *target);
      }
      return;
    case Kind::kAsyncFunctionDef:
      return bind(unit, ast::as<ast::AsyncFunctionDef>(stmt)->name,
                  Binding{.kind = Binding::Kind::kHost, .span = stmt.span});
    case Kind::kReturn: {
      // return njit(inner): a definition without a name of its own takes the function's
      const auto& s = *ast::as<ast::Return>(stmt);
      if (unit.called) return finish(unit, s.value);
      if (!unit.nested || !s.value) return;
      const auto applied = find_applied(unit, *s.value);
      if (applied && applied->target.def) {
        define(unit, applied->target.def->name, applied->target, applied->maker);
      }
      return;
    }
    case Kind::kRaise:
      unit.finished = unit.called;
      return;
    case Kind::kExprStmt:
      return expression_statement(unit, *ast::as<ast::ExprStmt>(stmt));
    default:
      return;
  }
}

// What is called for what it does: cc.export(…)(f), opts.update(…), TABLE.sort()
void Collector::expression_statement(Unit& unit, const ast::ExprStmt& stmt) {
  const ast::Expr& value = *stmt.value;
  const auto applied = find_applied(unit, value);
  if (applied && applied->maker.kind == MakerKind::kExport)
    return export_as(unit, applied->target, applied->maker);
  const bool known = change_options(unit, value, nullptr);
  const auto* call = ast::as<ast::Call>(value);
  const auto* method = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  const auto* name = method ? ast::as<ast::Name>(method->value) : nullptr;
  for (const ast::Expr* given : call ? std::span<ast::Expr*>(call->args) : std::span<ast::Expr*>())
    if (const auto* list = ast::as<ast::Name>(given)) forget_list(unit, list->id);
  if (!name) return;
  forget_list(unit, name->id);
  auto options = unit.keyword_rest.extract(name->id);
  unit.info->assigned.erase(name->id);  // SIGNATURES.append(…): called for what it does
  const bool is_constant = unit.info->find(name->id).kind == Binding::Kind::kConstant;
  if (is_constant && (unit.nested || unit.called)) forget(unit, *name);
  if (known || unit.conditional > 0) unit.keyword_rest.insert(std::move(options));
}

// a = b = njit(f): one definition under its first name, and another name for it
void Collector::assign_all(Unit& unit, std::span<ast::Expr*> targets, const ast::Expr& value) {
  assign(unit, *targets[0], value);
  const auto* first = ast::as<ast::Name>(targets[0]);
  for (const ast::Expr* target : targets.subspan(1)) {
    const auto* name = ast::as<ast::Name>(target);
    const Binding known = first ? unit.info->find(first->id) : Binding{};
    if (name && known.kind == Binding::Kind::kDefinition) {
      bind(unit, name->id, known);
    } else {
      assign(unit, *target, value);
    }
  }
}

void Collector::if_stmt(Unit& unit, const ast::If& stmt) {
  const auto value = fold::fold(*stmt.test, UnitScope(*unit.info));
  const auto taken = value ? fold::truth(*value) : std::nullopt;
  if (!taken) {
    const Span outer = std::exchange(unit.condition, stmt.test->span);
    maybe(unit, stmt.body);
    maybe(unit, stmt.orelse);
    unit.condition = outer;
    return;
  }
  walk(unit, *taken ? stmt.body : stmt.orelse);
}

void Collector::try_body(Unit& unit, std::span<ast::Stmt*> body,
                         std::span<ast::ExceptHandler*> handlers, std::span<ast::Stmt*> orelse,
                         std::span<ast::Stmt*> finalbody) {
  walk(unit, body);
  walk(unit, orelse);
  const bool sure = surely_succeeds(body);
  for (const ast::ExceptHandler* handler : handlers) {
    // The handler stands for a machine that lacks something: it gives only what is not there.
    const auto bindings = unit.info->bindings;
    const auto makers = unit.makers;
    const auto assigned = unit.info->assigned;
    const auto options = unit.keyword_rest;
    maybe(unit, handler->body);
    for (const auto& [name, binding] : bindings) {
      Binding& now = unit.info->bindings[name];
      const bool differs = binding.kind == Binding::Kind::kConstant && now.kind != binding.kind;
      if (sure || !differs) now = binding;  // else a value that nobody knows
    }
    for (const auto& [name, maker] : makers) unit.makers[name] = maker;
    for (const auto& [name, expr] : assigned) unit.info->assigned[name] = expr;
    for (const auto& [name, rest] : options) unit.keyword_rest[name] = rest;
  }
  walk(unit, finalbody);
}

void Collector::function(Unit& unit, const ast::FunctionDef& def, bool bind_name) {
  std::optional<Maker> maker;
  std::vector<Maker> exports;
  const ast::Expr* beneath = nullptr;  // an unknown decorator nearer to the function
  Definition* plain = nullptr;         // the function by itself, once something has asked for it
  for (size_t i = def.decorator_list.size(); i-- > 0;) {
    const ast::Expr& decorator = *def.decorator_list[i];
    if (auto found = find_maker(unit, decorator)) {
      if (found->kind == MakerKind::kExport) {
        exports.push_back(std::move(*found));
        continue;
      }
      maker = std::move(found);
      maker->span = decorator.span;
      continue;
    }
    const std::string path = dotted(unit, decorator);
    if (path == "staticmethod" || path == "builtins.staticmethod") continue;
    if (Decorated made = decorate(unit, decorator, def); made.known) {
      if (made.maker) maker = std::move(made.maker), maker->span = decorator.span;
      if (made.plain) plain = made.plain;
      continue;
    }
    if ((maker || may_compile(unit, decorator)) && unit.root) {
      diags_.report(decorator.span, diag::UnknownDecorator, def.name.str(),
                    "it is not one of Numba's");
    }
    if (!maker) beneath = &decorator;
  }
  if (maker && beneath) {
    if (unit.root) {
      diags_.report(beneath->span, diag::DecoratorBeneath, def.name.str(), maker->name());
    }
    maker.reset();
  }
  const Target target{.def = &def, .module = unit.info};
  for (Maker& one : exports) export_as(unit, target, std::move(one));
  if (maker) {
    Definition* made = define(unit, def.name, target, *maker);
    Binding binding{.kind = Binding::Kind::kHost, .span = def.span};
    if (made) binding = Binding{.kind = Binding::Kind::kDefinition, .definition = made};
    if (bind_name) bind(unit, def.name, binding);
    return;
  }
  unit.factories.push_back(&def);
  if (!bind_name) return;
  if (beneath) {
    bind(unit, def.name, Binding{.kind = Binding::Kind::kHost, .span = def.span});
    return;
  }
  if (!plain) plain = define_plain(unit, def);
  bind(unit, def.name, Binding{.kind = Binding::Kind::kDefinition, .definition = plain});
}

// Methods are read as functions of the file; the class itself belongs to the host program.
void Collector::class_body(Unit& unit, const ast::ClassDef& def) {
  for (const ast::Expr* decorator : def.decorator_list) {
    const auto maker = find_maker(unit, *decorator);
    if (maker) warn_unsupported(unit, def.name, *maker, decorator->span);
  }
  for (const ast::Stmt* stmt : def.body) {
    if (const auto* method = ast::as<ast::FunctionDef>(stmt)) {
      const size_t before = sources_.definitions.size();
      function(unit, *method, /*bind_name=*/false);
      for (size_t i = before; i < sources_.definitions.size(); ++i) {
        if (sources_.definitions[i]->signatures.empty()) sources_.definitions[i]->exported = false;
      }
    } else if (const auto* inner = ast::as<ast::ClassDef>(stmt)) {
      class_body(unit, *inner);
    }
  }
  if (const ModuleInfo* members = enumeration(unit, def)) {
    bind(unit, def.name,
         Binding{.kind = Binding::Kind::kModule, .module = members, .span = def.span});
    return;
  }
  bind(unit, def.name,
       Binding{.kind = Binding::Kind::kHost,
               .qualified = exception_name(unit, def),
               .fields = field_class(unit, def),
               .exception = exception_class(unit, def),
               .span = def.span});
}

void Collector::assign(Unit& unit, const ast::Expr& target, const ast::Expr& value) {
  if (const auto* name = ast::as<ast::Name>(target)) return assign_name(unit, *name, value);
  if (const auto* tuple = ast::as<ast::Tuple>(target)) {
    return assign_items(unit, tuple->elts, value);
  }
  if (const auto* list = ast::as<ast::List>(target)) return assign_items(unit, list->elts, value);
  if (const auto* attribute = ast::as<ast::Attribute>(target))
    return set_attribute(unit, *attribute);
  forget_changed(unit, target);
}

// names.append(x), change(names): nobody knows what it holds from here on.
void Collector::forget_list(Unit& unit, Symbol name) {
  const auto known = unit.info->bindings.find(name);
  if (known != unit.info->bindings.end() && known->second.kind == Binding::Kind::kHost)
    known->second.value = nullptr;
}

// table[0] = x, table.update(x): it is no constant any more.
void Collector::forget_changed(Unit& unit, const ast::Expr& target, bool keeps_options) {
  const ast::Expr* whole = &target;
  while (const auto* item = ast::as<ast::Subscript>(whole)) whole = item->value;
  const auto* name = ast::as<ast::Name>(whole);
  if (whole == &target || !name) return;
  if (!keeps_options && unit.conditional == 0) unit.keyword_rest.erase(name->id);
  unit.info->assigned.erase(name->id);
  forget_list(unit, name->id);
  const Binding known = unit.info->find(name->id);
  if (known.kind != Binding::Kind::kConstant) return;
  unit.info->bindings[name->id] = Binding{.kind = Binding::Kind::kHost, .span = known.span};
}

void Collector::assign_items(Unit& unit, std::span<ast::Expr*> targets, const ast::Expr& value) {
  std::span<ast::Expr*> items;
  if (const auto* tuple = ast::as<ast::Tuple>(value)) items = tuple->elts;
  if (const auto* list = ast::as<ast::List>(value)) items = list->elts;
  const auto starred = [](const ast::Expr* e) { return ast::is<ast::Starred>(e); };
  const bool plain = std::none_of(targets.begin(), targets.end(), starred) &&
                     std::none_of(items.begin(), items.end(), starred);
  if (plain && items.size() == targets.size()) {
    for (size_t i = 0; i < items.size(); ++i) assign(unit, *targets[i], *items[i]);
    return;
  }
  const auto folded = fold::fold_list(value, UnitScope(*unit.info));  // A, B = range(2)
  const bool fits = plain && folded && folded->kind == fold::Value::Kind::kTuple &&
                    folded->items.size() == targets.size();
  for (size_t i = 0; i < targets.size(); ++i) {
    const auto* name = ast::as<ast::Name>(targets[i]);
    forget(unit, *targets[i]);
    if (!fits || !name) continue;
    sources_.values.push_back(std::make_unique<fold::Value>(folded->items[i]));
    bind(unit, name->id,
         Binding{.kind = Binding::Kind::kConstant,
                 .value = sources_.values.back().get(),
                 .span = targets[i]->span});
  }
}

void Collector::assign_name(Unit& unit, const ast::Name& target, const ast::Expr& value) {
  const Symbol name = target.id;
  const bool fallback = unit.conditional > 0;
  std::optional<Made> applied = applied_by(unit, name, value);
  forget_applied(unit, name);
  if (auto maker = find_maker(unit, value)) {
    if (fallback && unit.info->bindings.contains(name)) return;
    bind(unit, name, Binding{.kind = Binding::Kind::kHost, .span = target.span});
    unit.makers[name] = std::move(*maker);
    unit.info->assigned[name] = {&value, unit.info};
    return;
  }
  Binding binding = binding_of(unit, name, value);
  binding.span = target.span;
  const bool had = unit.info->bindings.contains(name);
  Passed options;  // opts = dict(opts, cache=True): of the old one
  const bool is_dict = !ast::is<ast::Name>(value) && read_options(unit, value, options) &&
                       !is_changed_later(unit, name, nullptr);
  bind(unit, name, binding);
  if (fallback && had) return;
  unit.info->assigned[name] = {&value, unit.info};
  if (is_dict) unit.keyword_rest[name] = std::move(options.options);
  if (applied) unit.applied[name] = std::move(*applied);
}

// made = njit(func), in a function that is called; another = made
std::optional<Made> Collector::applied_by(Unit& unit, Symbol name, const ast::Expr& value) {
  if (!unit.called || unit.conditional > 0 || unit.written_globals.contains(name))
    return std::nullopt;
  const auto* source = ast::as<ast::Name>(value);
  const auto known = unit.applied.find(source ? source->id : Symbol());
  if (known != unit.applied.end()) return known->second;
  const auto found = find_applied(unit, value);
  return found ? std::optional(Made{.maker = found->maker, .target = found->target}) : std::nullopt;
}

// The name has another value now: what it stood for, and what has it among its options.
void Collector::forget_applied(Unit& unit, Symbol name) {
  const auto reads = [&](const Maker::Option& option) {
    return option.module == unit.info && mentions(*option.value, name);
  };
  std::erase_if(unit.applied, [&](const auto& one) {
    return one.first == name || std::ranges::any_of(one.second.maker->options, reads);
  });
}

Binding Collector::binding_of(Unit& unit, Symbol name, const ast::Expr& value) {
  if (const auto applied = find_applied(unit, value)) {
    Definition* made = define(unit, name, applied->target, applied->maker);
    if (made) return Binding{.kind = Binding::Kind::kDefinition, .definition = made};
    return Binding{.kind = Binding::Kind::kHost};
  }
  if (const auto made = host_call(unit, value); made && !made->maker) {
    if (made->binding.kind != Binding::Kind::kDefinition || !name) return made->binding;
    return Binding{.kind = Binding::Kind::kDefinition,
                   .definition = rename(unit, name, *made->binding.definition)};
  }
  if (const auto* source = ast::as<ast::Name>(value)) {
    forget_list(unit, source->id);  // it has two names
    const Binding& known = unit.info->find(source->id);
    if (known.kind != Binding::Kind::kUnknown) return known;
  }
  auto folded = fold::fold(value, UnitScope(*unit.info));
  if (folded && folded->kind != fold::Value::Kind::kType) {
    sources_.values.push_back(std::make_unique<fold::Value>(std::move(*folded)));
    return Binding{.kind = Binding::Kind::kConstant, .value = sources_.values.back().get()};
  }
  const bool is_path = ast::is<ast::Attribute>(value) || ast::is<ast::Name>(value);
  std::string path = is_path ? dotted(unit, value) : "";
  const auto* builtin = ast::as<ast::Name>(value);  // xrange = range
  if (builtin && !folded && builtins::is_python_function(builtin->id.str()))
    path = "builtins." + std::string(builtin->id.str());
  if (!path.empty()) return Binding{.kind = Binding::Kind::kQualified, .qualified = path};
  if (folded) {
    sources_.values.push_back(std::make_unique<fold::Value>(std::move(*folded)));
    return Binding{.kind = Binding::Kind::kConstant, .value = sources_.values.back().get()};
  }
  const bool makes_list = ast::is<ast::List>(value) || ast::is<ast::ListComp>(value) ||
                          ast::is<ast::BinOp>(value) || ast::is<ast::Call>(value);
  auto list = makes_list ? fold::fold_list(value, UnitScope(*unit.info)) : std::nullopt;
  const fold::Value* holds = nullptr;
  if (list) {
    sources_.values.push_back(std::make_unique<fold::Value>(std::move(*list)));
    holds = sources_.values.back().get();
  }
  return Binding{.kind = Binding::Kind::kHost, .value = holds, .fields = field_class(unit, value)};
}

void Collector::forget(Unit& unit, const ast::Expr& target) {
  if (const auto* name = ast::as<ast::Name>(target)) {
    unit.makers.erase(name->id);
    unit.keyword_rest.erase(name->id);
    forget_applied(unit, name->id);
    unit.info->assigned.erase(name->id);
    unit.info->bindings[name->id] = Binding{.kind = Binding::Kind::kHost, .span = target.span};
  } else if (const auto* starred = ast::as<ast::Starred>(target)) {
    forget(unit, *starred->value);
  } else if (const auto* tuple = ast::as<ast::Tuple>(target)) {
    for (const ast::Expr* item : tuple->elts) forget(unit, *item);
  } else if (const auto* list = ast::as<ast::List>(target)) {
    for (const ast::Expr* item : list->elts) forget(unit, *item);
  }
}

// The one place where a name gets its meaning.
void Collector::bind(Unit& unit, Symbol name, Binding binding) {
  forget_applied(unit, name);
  const bool constant = binding.kind == Binding::Kind::kConstant;
  const bool known = unit.info->bindings.contains(name);
  if (unit.conditional > 0) forget_list(unit, name);
  if (!constant && binding.value &&
      (unit.conditional > 0 || unit.written_globals.contains(name) ||
       is_changed_later(unit, name, nullptr)))
    binding.value = nullptr;
  if (unit.conditional > 0 && known && !constant) {
    const bool was_constant = unit.info->bindings[name].kind == Binding::Kind::kConstant;
    if (binding.kind != Binding::Kind::kHost || !was_constant) return;
  }
  const bool changed =
      constant && may_change(*binding.value) && is_changed_later(unit, name, binding.value);
  if (changed || (constant && (unit.conditional > 0 ||
                               (!unit.nested && unit.written_globals.contains(name))))) {
    binding =
        Binding{.kind = Binding::Kind::kHost, .span = binding.span, .condition = unit.condition};
  }
  unit.makers.erase(name);
  unit.keyword_rest.erase(name);
  unit.info->assigned.erase(name);
  const bool is_constant = binding.kind == Binding::Kind::kConstant;
  unit.holds_values |= binding.kind == Binding::Kind::kModule ||
                       (binding.value && (!is_constant || may_change(*binding.value)));
  unit.info->bindings[name] = std::move(binding);
}

}  // namespace pyk2cu::decorators
