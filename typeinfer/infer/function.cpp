// One function: parameters, walks until the types are stable, results, locals.
//
// In:   an Instance with its argument types.  Out: its ir::Function, result type, diagnostics.
// A walk is final when nothing that flowed back (loops, recursion) had another type than the walk
// assumed. Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include <algorithm>
#include <map>

#include "typeinfer/infer/expr.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::infer {

using ir::ExprKind;
using ir::StmtKind;

namespace {

constexpr int kMaxWalks = 100;  // a walk carries a type from one variable to the next

}  // namespace

Infer::Infer(Unit& unit, Instance& instance)
    : unit_(unit), instance_(instance), function_(instance.function) {
  versions_ = &unit.versions(*instance.definition);
  fed_back_.resize(versions_->all.size());
  grown_.resize(versions_->all.size());
}

void Infer::run() {
  bool settled = false, runaway = false;
  for (int count = 0; count < kMaxWalks && !settled; ++count) {
    reset();
    walk();
    const Type* result = result_type();
    const bool same_result = result == instance_.result;
    if (result) instance_.result = result;
    settled = !changed_ && !pending_ && (same_result || !instance_.recursive);
    if (pending_ && !changed_ && same_result) {
      runaway = instance_.recursive && !instance_.result;
      break;
    }
  }
  if (!settled) report_unsettled(runaway);
  finish_returns();
  if (instance_.diags.has_errors()) return;
  finish_locals();
  for (const ir::Local* local : function_->locals) has_form(local->type, local->span);
  ir::analyse(*function_);
}

void Infer::report_unsettled(bool runaway) {
  const bool explained = diags().has_errors() ||
                         std::any_of(instance_.callees.begin(), instance_.callees.end(),
                                     [](const Instance* i) { return i->state == State::kFailed; });
  const bool waits_for_caller = instance_.lowest < instance_.depth;
  if (explained || waits_for_caller) return;
  const std::string_view name = function_->name.str();
  if (runaway) {
    report(function_->span, diag::RunawayRecursion, name);
  } else if (pending_) {
    report(waiting_at_.valid() ? waiting_at_ : function_->span, diag::TypeNotKnown,
           waiting_for_ ? waiting_for_.str() : name)
        .help("assign a value of its type before it is read");
  } else {
    report(function_->span, diag::TypesUnstable, name);
  }
}

// ---- one walk ----------------------------------------------------------------------------------

void Infer::reset() {
  diags().truncate(0);
  function_->params.clear();
  function_->locals.clear();
  function_->body.clear();
  function_->is_analysed = false;
  instance_.callees.clear();
  exhausted_.clear();
  block_ = &function_->body;
  reachable_ = true;
  pending_ = changed_ = false;
  waiting_for_ = {};
  waiting_at_ = {};
  held_.assign(versions_->all.size(), {});
  only_way_.clear();
  instance_checks_.clear();
  dropped_by_version_.clear();
  copies_.clear();
  loops_.clear();
  returns_.clear();
  locals_.clear();
  versions_made_.clear();
  flags_.clear();
  indices_.clear();
}

void Infer::walk() {
  ++walks_;
  bind_params();
  make_flags();
  if (instance_.definition->def) {
    stmts(instance_.definition->def->body);
  } else {
    const ast::Expr& body = *instance_.definition->lambda->body;
    Operand what = operand(body);
    if (what.is<Pack>() || what.is<Str>()) what = to_operand(value_of(what, body.span));
    what.span = body.span;
    if (what.is_value()) what.set_value(reclaim(what.value()));
    auto* node = make(ir::Return{{StmtKind::kReturn, body.span}, what.value()});
    emit(node);
    returns_.push_back({block_, node, what});
    reachable_ = false;
  }
  unwound_ = reachable_;
}

// A value becomes a parameter; a compile-time thing passes its run-time parts as parameters.
void Infer::bind_param(scope::VersionId version, Symbol name, Operand& arg, Span span) {
  Held& held = held_[version];
  held.span = span;
  held.what = arg;
  if (arg.is_value()) {
    ir::Local* local = local_for(name, arg.type(), span);
    local->is_param = true;
    function_->params.push_back({local});
    held.local = local;
    return;
  }
  for_each_value(held.what, name, [&](Value& value, Symbol stem) {
    ir::Local* local = new_version(stem, value.type, span);
    local->is_param = local->is_temp = true;
    function_->params.push_back({local});
    value = Value(load(local, span));
  });
}

Span Infer::declared_at(const ir::Local* local) const {
  const std::vector<ir::Param>& params = function_->params;
  if (params.size() > instance_.args.size()) return {};  // some argument is several parameters
  for (size_t k = 0; k < params.size(); ++k)
    if (params[k].local == local) return instance_.args[k].span;
  return {};
}

void Infer::bind_params() {
  const decorators::Definition& definition = *instance_.definition;
  const ast::Arguments& args = definition.arguments();
  if (args.kwarg) decorators::report_keyword_rest(definition, diags());
  size_t next = 0;
  const auto bind_one = [&](const ast::Arg* arg) {
    if (next >= instance_.args.size()) return;
    bind_param(versions_->stores.at(arg->id), arg->arg, instance_.args[next++], arg->span);
  };
  for (const ast::Arg* arg : args.posonlyargs) bind_one(arg);
  for (const ast::Arg* arg : args.args) bind_one(arg);
  if (args.vararg) bind_one(args.vararg);
  for (const ast::Arg* arg : args.kwonlyargs) bind_one(arg);
  for (const scope::VersionId version : versions_->capture_params) {
    if (next >= instance_.args.size()) break;
    bind_param(version, versions_->all[version].name, instance_.args[next++], function_->span);
  }
}

// A flag per name that some path reads before it is assigned.
void Infer::make_flags() {
  if (on_cuda()) return;
  std::vector<Symbol> names(versions_->guarded.begin(), versions_->guarded.end());
  std::sort(names.begin(), names.end(), [](Symbol a, Symbol b) { return a.str() < b.str(); });
  for (Symbol name : names) {
    ir::Local* flag = temp(std::string(name.str()) + "_is_set", types::boolean(), function_->span);
    flags_[name] = flag;
    emit_assign(flag, const_bool(false, function_->span), function_->span);
  }
}

// ---- results -----------------------------------------------------------------------------------

// The type of the result as the returns typed so far say; null when none does.
const Type* Infer::result_type() {
  if (instance_.declared) return instance_.declared;
  Operand result = error();
  Span where{};
  bool unknown = false;
  for (const Returned& returned : returns_) {
    if (returned.what.is_error()) {
      unknown = true;
      continue;
    }
    if (returned.what.is<Function>() || returned.what.is<DType>() ||
        returned.what.is<FieldClass>()) {
      not_supported(returned.what.span, "returning a function or a type", "return its result");
      continue;
    }
    if (!returned.what.is_value() && !returned.what.is<None>()) {
      report(returned.what.span, diag::NotAValue, describe(returned.what));
      continue;
    }
    const Operand before = result;
    if (!merge(result, returned.what)) {
      const auto type_name = [](const Operand& o) {
        return o.is_value() ? types::print(o.type()) : std::string("None");
      };
      report(returned.what.span, diag::CannotUnifyResult, function_->name.str(), type_name(before),
             type_name(returned.what))
          .note(where, diag::ReturnedHere, type_name(before));
      return types::error();
    }
    if (before.is_error()) where = returned.what.span;
  }
  if (result.is_error())
    return unknown || (returns_.empty() && !unwound_) ? nullptr : types::void_();
  if (unwound_ && result.is_value()) {
    merge(result, {None{}});
  }
  return result.is_value() ? result.type() : types::void_();
}

// Every returned value in the function's result type.
void Infer::finish_returns() {
  const Type* result = instance_.result;
  function_->result = result ? result : types::void_();
  if (!result || result->is_error()) return;
  if (!has_form(result, returns_.empty() ? function_->span : returns_.front().what.span)) return;
  for (Returned& returned : returns_) {
    if (returned.what.is_error()) continue;
    block_ = returned.block;
    ir::Expr* value = returned.stmt->value;
    if (result == types::void_() || function_->kind == ir::FunctionKind::kKernel) {
      if (!value) continue;
      if (function_->kind == ir::FunctionKind::kKernel) {
        report(returned.what.span, diag::KernelReturnsValue, function_->name.str())
            .help("store it into an array that the caller passes");
      } else {
        report(returned.what.span, diag::CannotConvert, types::print(value->type), "none")
            .help("the signature says that nothing is returned");
      }
      continue;
    }
    if (!value) {
      if (!result->is_optional()) {
        if (returned.what.is<None>())
          report(returned.what.span, diag::CannotConvert, "None", types::print(result));
        else
          report(returned.what.span, diag::NotAValue, describe(returned.what));
        continue;
      }
      returned.stmt->value = zero(result, returned.stmt->span);
      continue;
    }
    ir::Block* moved = into_block([&] {
      const bool alone = value->kind == ExprKind::kCall || value->kind == ExprKind::kNewArray ||
                         value->kind == ExprKind::kBuiltin;
      if (value->type != result)
        value = convert(alone ? spill(value, "result") : value, result, returned.what.span);
      returned.stmt->value = value;
    });
    block_->insert(std::find(block_->begin(), block_->end(), returned.stmt), moved->begin(),
                   moved->end());
  }
  block_ = &function_->body;
  if (unwound_ && result->is_optional())
    emit(make(ir::Return{{StmtKind::kReturn, function_->span}, zero(result, function_->span)}));
}

// ---- locals ------------------------------------------------------------------------------------

// Parameters, then the user's names, then temps; what nothing mentions is dropped; versions are
// counted per name.
void Infer::finish_locals() {
  ir::LocalSet mentioned;
  for (const ir::Stmt* s : function_->body)
    ir::for_each_local_in(s, [&](const ir::Local* local, ir::Access) { mentioned.insert(local); });
  std::vector<ir::Local*> kept;
  for (const ir::Param& param : function_->params) kept.push_back(param.local);
  for (ir::Local* local : function_->locals)
    if (!local->is_param && mentioned.contains(local)) kept.push_back(local);
  const auto first_local = kept.begin() + int64_t(function_->params.size());
  std::stable_partition(first_local, kept.end(), [](const ir::Local* l) { return !l->is_temp; });
  function_->locals = kept;
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
