// One function: parameters, walks until the types are stable, locals.
//
// In:   an Instance with its argument types.  Out: its ir::Function, result type, diagnostics.
// A walk is final when nothing that flowed back (loops, recursion) had another type than the walk
// assumed. Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include <algorithm>
#include <map>
#include <optional>

#include "typeinfer/infer/infer.h"
#include "typeinfer/infer/stencil.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::infer {

namespace {

constexpr int kMaxWalks = 100;  // a walk carries a type from one variable to the next

}  // namespace

// The parts of one walk.
struct Infer::Walk {
  Walk(Unit& unit, Instance& instance, const scope::Versions& versions, Rounds& rounds)
      : context(unit, instance, rounds.lists),
        names(emitter, versions, rounds.growth),
        joins(emitter, names, rounds),
        expressions(emitter, names, joins, early, rounds.growth) {}

  Context context;
  Emitter emitter{context};
  Names names;
  Joins joins;
  Early early{context, names, joins};
  Expressions expressions;
  Results results{emitter, joins};
  Statements statements{expressions, results};
};

Infer::Infer(Unit& unit, Instance& instance)
    : unit_(unit),
      instance_(instance),
      function_(*instance.function),
      versions_(unit.versions(*instance.definition)) {
  rounds_.fed_back.resize(versions_.all.size());
}

void Infer::run() {
  bool settled = false, runaway = false;
  std::optional<Walk> last;
  for (int count = 0; count < kMaxWalks && !settled; ++count) {
    reset();
    last.emplace(unit_, instance_, versions_, rounds_);
    walk(*last);
    const Type* result = instance_.declared ? instance_.declared : last->results.type();
    const bool same_result = result == instance_.result;
    if (result) instance_.result = result;
    const bool changed = last->context.is_changed(), pending = last->context.is_pending();
    settled = !changed && !pending && (same_result || !instance_.recursive);
    if (pending && !changed && same_result) {
      runaway = instance_.recursive && !instance_.result;
      break;
    }
  }
  if (!settled) report_unsettled(last->context, runaway);
  last->results.finish(instance_.result);
  if (instance_.diags.has_errors()) return;
  drop_kept_blocks(function_.body);
  finish_locals();
  for (const ir::Local* local : function_.locals) last->context.has_form(local->type, local->span);
  ir::analyse(function_);
}

void Infer::report_unsettled(Context& context, bool runaway) {
  const bool explained = instance_.diags.has_errors() ||
                         std::any_of(instance_.callees.begin(), instance_.callees.end(),
                                     [](const Instance* i) { return i->state == State::kFailed; });
  const bool waits_for_caller = instance_.lowest < instance_.depth;
  if (explained || waits_for_caller) return;
  const std::string_view name = function_.name.str();
  if (runaway) {
    context.report(function_.span, diag::RunawayRecursion, name);
  } else if (context.is_pending()) {
    context.report_type_not_known();
  } else {
    context.report(function_.span, diag::TypesUnstable, name);
  }
}

// ---- one walk ----------------------------------------------------------------------------------

void Infer::reset() {
  instance_.diags.truncate(0);
  instance_.callees.clear();
  instance_.point.clear();
  instance_.reach.clear();
  instance_.from_point.clear();
  function_.params.clear();
  function_.locals.clear();
  function_.body.clear();
  function_.is_analysed = false;
}

void Infer::walk(Walk& walk) {
  rounds_.growth.begin_walk();
  const decorators::Definition& definition = *instance_.definition;
  if (definition.stencil) {
    walk.results.add(stencil(walk.names, walk.emitter), function_.span, function_.span);
    return walk.results.end();
  }
  if (definition.arguments().kwarg) decorators::report_keyword_rest(definition, instance_.diags);
  bind_params(walk.names);
  walk.names.make_flags();
  if (definition.def) {
    walk.statements.walk(definition.def->body);
  } else {
    const ast::Expr& body = *definition.lambda->body;
    walk.results.add(walk.expressions.operand(body), body.span, body.span);
  }
  walk.results.end();
}

void Infer::bind_params(Names& names) {
  const ast::Arguments& args = instance_.definition->arguments();
  size_t next = 0;
  const auto bind_one = [&](const ast::Arg* arg) {
    if (next >= instance_.args.size()) return;
    names.bind_param(versions_.stores.at(arg->id), arg->arg, instance_.args[next++], arg->span);
  };
  for (const ast::Arg* arg : args.posonlyargs) bind_one(arg);
  for (const ast::Arg* arg : args.args) bind_one(arg);
  if (args.vararg) bind_one(args.vararg);
  for (const ast::Arg* arg : args.kwonlyargs) bind_one(arg);
  for (const scope::VersionId version : versions_.capture_params) {
    if (next >= instance_.args.size()) break;
    names.bind_param(version, versions_.all[version].name, instance_.args[next++], function_.span);
  }
  if (instance_.definition->point_of)
    bind_point(names, std::span(instance_.args).subspan(next), function_.span);
}

// ---- locals ------------------------------------------------------------------------------------

// Parameters, then the user's names, then temps; what nothing mentions is dropped; versions are
// counted per name.
void Infer::finish_locals() {
  ir::LocalSet mentioned;
  for (const ir::Stmt* s : function_.body)
    ir::for_each_local_in(s, [&](const ir::Local* local, ir::Access) { mentioned.insert(local); });
  std::vector<ir::Local*> kept;
  for (const ir::Param& param : function_.params) kept.push_back(param.local);
  for (ir::Local* local : function_.locals)
    if (!local->is_param && mentioned.contains(local)) kept.push_back(local);
  const auto first_local = kept.begin() + int64_t(function_.params.size());
  std::stable_partition(first_local, kept.end(), [](const ir::Local* l) { return !l->is_temp; });
  function_.locals = kept;
  std::map<Symbol, int, decltype([](Symbol a, Symbol b) { return a.str() < b.str(); })> counts;
  std::map<std::pair<const void*, const Type*>, int> versions;
  const auto number = [&](bool temps) {
    for (ir::Local* local : kept) {
      if (local->is_temp != temps) continue;
      int own = 0;
      int& version = temps ? own : versions[{local->name.key(), local->type}];
      if (!version) version = ++counts[local->name];
      local->version = version;
    }
  };
  number(false);
  number(true);
}

}  // namespace pyk2cu::infer
