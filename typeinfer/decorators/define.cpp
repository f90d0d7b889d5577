// Definitions: a decorator applied to a function, with its options and signatures.
//
// In:   a Maker (maker.cpp) and its Target.
// Out:  a Definition in Sources, or null after a diagnostic.
// Rule: options that mean nothing ahead of time are accepted silently; what would change results
//       is acted upon or diagnosed; an unknown option is an error, as in Numba.
// Tested by tests/unit/typeinfer/roots_test.cpp and tests/diag/PK204*.
#include <algorithm>

#include "frontend/base/suggest.h"
#include "typeinfer/decorators/collector.h"
#include "typeinfer/decorators/stencil.h"
#include "typeinfer/decorators/ufunc.h"

namespace pyk2cu::decorators {

namespace {

enum class Action : uint8_t {
  kIgnore,
  kParallel,
  kFastmath,
  kErrorModel,
  kBoundscheck,
  kForceObject,
  kLocals,
  kTarget,
  kArgTypes,
  kResult,
  kSignature,
  kDevice,
  kStencil,
  kLater,
};

struct OptionRow {
  std::string_view name;
  char decorators;
  Action action;
};

constexpr OptionRow kOptions[] = {
#define OPTION(name, decorators, action) {name, #decorators[0], Action::action},
#include "typeinfer/decorators/options.def"
#undef OPTION
};

bool applies(const OptionRow& row, MakerKind kind) {
  switch (kind) {
    case MakerKind::kCuda:
      return row.decorators == 'C' || row.decorators == 'B' || row.decorators == 'U';
    case MakerKind::kJit:
    case MakerKind::kHelper:
      return row.decorators != 'V' && row.decorators != 'S';  // NumbaPro: @jit(target='gpu')
    case MakerKind::kStencil:
      return row.decorators == 'S';
    default:
      return row.decorators != 'S';
  }
}

const OptionRow* find_option(Symbol name, MakerKind kind) {
  for (const OptionRow& row : kOptions) {
    if (name == row.name && applies(row, kind)) return &row;
  }
  return nullptr;
}

DefinitionKind kind_of(MakerKind kind) {
  switch (kind) {
    case MakerKind::kCuda:
      return DefinitionKind::kKernel;
    case MakerKind::kHelper:
      return DefinitionKind::kPlain;
    case MakerKind::kVectorize:
      return DefinitionKind::kVectorize;
    case MakerKind::kGuvectorize:
      return DefinitionKind::kGuvectorize;
    case MakerKind::kStencil:
      return DefinitionKind::kStencil;
    default:
      return DefinitionKind::kJit;
  }
}

bool is_text(const ast::Expr& expr, std::string_view text) {
  const auto* constant = ast::as<ast::Constant>(expr);
  return constant && constant->value.tag == ast::ConstantValue::kStr &&
         constant->value.text == text;
}

}  // namespace

Definition* Collector::define_plain(Unit& unit, const ast::FunctionDef& def) {
  auto definition = std::make_unique<Definition>();
  definition->name = def.name;
  definition->def = &def;
  definition->module = unit.info;
  definition->exported = false;
  definition->options.dialect.rules =
      settings_.semantics == "numba" ? types::Rules::kNumba : types::Rules::kNumpy;
  definition->options.boundscheck = settings_.boundscheck;
  Definition* made = definition.get();
  sources_.definitions.push_back(std::move(definition));
  home_[made] = &unit;
  return made;
}

// cube = power(3): what a host function made, as a function of the module.
const Definition* Collector::rename(Unit& unit, Symbol name, const Definition& made) {
  if (made.kind == DefinitionKind::kPlain || unit.nested) return &made;
  auto copy = std::make_unique<Definition>(made);
  copy->name = name;
  copy->exported = unit.root && is_entry(made.kind);
  home_[copy.get()] = &unit;
  return sources_.definitions.emplace_back(std::move(copy)).get();
}

Definition* Collector::define(Unit& unit, Symbol name, const Target& target, const Maker& maker) {
  if (maker.kind == MakerKind::kUnsupported || maker.kind == MakerKind::kPycc) {
    warn_unsupported(unit, name, maker, maker.span);
    return nullptr;
  }
  for (const Maker::Option& option : maker.options) {
    const bool object_mode = option.name == "forceobj" && flag(option).value_or(true);
    if (!object_mode) continue;
    if (unit.root) diags_.report(option.span, diag::ObjectMode, name.str());
    return nullptr;
  }
  if (maker.lost && unit.root)
    diags_.report(maker.span, diag::UnknownDecorator, name.str(),
                  "not all that it is given is known from the text of the file");
  auto owned = std::make_unique<Definition>();
  Definition& definition = *owned;
  definition.name = name;
  definition.def = target.def;
  definition.lambda = target.lambda;
  definition.module = target.module;
  definition.decorator = maker.span;
  definition.kind = kind_of(maker.kind);
  const bool numpy_rules =
      settings_.semantics.empty() ? maker.numpy_rules : settings_.semantics == "numpy";
  definition.options.dialect.rules = numpy_rules ? types::Rules::kNumpy : types::Rules::kNumba;
  definition.options.boundscheck = settings_.boundscheck;
  Maker typed = maker;
  if (is_ufunc(definition.kind) && !make_ufunc(definition, typed, unit.root, diags_))
    broken_.insert(&definition);
  if (definition.kind == DefinitionKind::kStencil &&
      !make_stencil(definition, typed, unit.root, sources_, diags_))
    broken_.insert(&definition);
  for (const Maker::Option& option : maker.options) apply_option(unit, definition, maker, option);
  const bool cuda =
      definition.kind == DefinitionKind::kKernel || definition.kind == DefinitionKind::kDevice;
  if (cuda) {
    definition.options.dialect.target = types::Target::kCuda;
    definition.options.error_model = ir::ErrorModel::kNumpy;
  }
  add_signatures(definition, typed);
  const bool nested_and_lazy = unit.nested && definition.signatures.empty();
  definition.exported = unit.root && !unit.called && maker.kind != MakerKind::kHelper &&
                        definition.kind != DefinitionKind::kDevice && !nested_and_lazy;
  definition.helper =
      unit.root && (maker.kind == MakerKind::kHelper || definition.kind == DefinitionKind::kDevice);
  sources_.definitions.push_back(std::move(owned));
  home_[&definition] = &unit;
  return &definition;
}

void Collector::warn_unsupported(Unit& unit, Symbol name, const Maker& maker, Span span) {
  if (!unit.root) return;
  auto said = diags_.report(span, diag::DecoratorLater, maker.name(), name.str());
  if (maker.name().starts_with("overload"))
    said.help("call the implementation by its own name, under `@njit`");
  if (maker.name() == "generated_jit")
    said.help("write one `@njit` function: branches on types are taken when it is compiled");
  if (maker.name() == "intrinsic") said.help("write it in Python, under `@njit`");
}

std::optional<bool> Collector::flag(const Maker::Option& option) {
  const auto value = fold::fold(*option.value, UnitScope(*option.module));
  if (!value) return std::nullopt;
  switch (value->kind) {
    case fold::Value::Kind::kNone:
      return false;
    case fold::Value::Kind::kBool:
    case fold::Value::Kind::kInt:
      return value->integer != 0;
    default:
      return std::nullopt;
  }
}

namespace {

// What stands for an option: its value, or what the name that it is was assigned.
Assigned written_value(const Maker::Option& option) {
  const auto* name = ast::as<ast::Name>(option.value);
  const Assigned assigned = name ? option.module->assigned_to(name->id) : Assigned{};
  if (!assigned.expr) return {option.value, option.module};
  return {assigned.expr, assigned.module ? assigned.module : option.module};
}

}  // namespace

// fastmath=True, or a set of LLVM's flags that allows all that `fastmath` does here.
bool Collector::fast(const Maker::Option& option) {
  const ast::Expr* value = written_value(option).expr;
  if (const auto* set = ast::as<ast::Set>(value)) {
    const auto has = [&](std::string_view flag_name) {
      return std::any_of(set->elts.begin(), set->elts.end(),
                         [&](const ast::Expr* e) { return is_text(*e, flag_name); });
    };
    return has("fast") || (has("reassoc") && has("nsz") && has("arcp") && has("contract"));
  }
  return flag(option).value_or(false);
}

void Collector::misread(const Unit& unit, Definition& definition, Span span,
                        std::string_view option, std::string_view why) {
  definition.misread = Misread{span, std::string(option), std::string(why), unit.root};
  if (unit.root) diags_.report(span, diag::BadOptionValue, option, why);
}

void Collector::error_model(Unit& unit, Definition& definition, const Maker::Option& option) {
  const auto value = fold::fold(*option.value, UnitScope(*option.module));
  const std::string text = value && value->kind == fold::Value::Kind::kStr ? value->text : "";
  if (text == "python") {
    definition.options.error_model = ir::ErrorModel::kPython;
  } else if (text == "numpy") {
    definition.options.error_model = ir::ErrorModel::kNumpy;
  } else {
    misread(unit, definition, option.value->span, "error_model", "it is 'python' or 'numpy'");
  }
}

// locals={'total': float32}, dict(total=float32), or a name of one.
void Collector::types_of_locals(const Unit& unit, Definition& definition,
                                const Maker::Option& option) {
  const auto [value, module] = written_value(option);
  const auto fail = [&](Span span, std::string_view why) {
    misread(unit, definition, span, "locals", why);
  };
  const auto declare = [&](Symbol name, const ast::Expr& expr) {
    const types::Type* type = signature::evaluate_type(expr, *module, *module->ast->file, diags_);
    if (type)
      definition.locals[name] = type;
    else
      definition.misread = Misread{};
  };
  if (const auto* dict = ast::as<ast::Dict>(value)) {
    for (size_t k = 0; k < dict->keys.size(); ++k) {
      const auto key =
          dict->keys[k] ? fold::fold(*dict->keys[k], UnitScope(*module)) : std::nullopt;
      if (!key || key->kind != fold::Value::Kind::kStr)
        return fail((dict->keys[k] ? dict->keys[k] : dict->values[k])->span,
                    "its keys are names of variables, written as strings");
      declare(Symbol(key->text), *dict->values[k]);
    }
    return;
  }
  const auto* call = ast::as<ast::Call>(value);
  const auto* callee = call ? ast::as<ast::Name>(call->func) : nullptr;
  if (!callee || callee->id != "dict" || !call->args.empty())
    return fail(option.value->span, "it must be known from the text of the file: a dict of types");
  for (const ast::Keyword* keyword : call->keywords) {
    if (!keyword->arg) return fail(keyword->span, "`**` is not understood here");
    declare(keyword->arg, *keyword->value);
  }
}

void Collector::apply_option(Unit& unit, Definition& definition, const Maker& maker,
                             const Maker::Option& option) {
  const OptionRow* row = find_option(option.name, maker.kind);
  if (!row) {
    if (unit.root) definition.misread = Misread{};
    return report_option(unit, maker, option);
  }
  const auto wants_flag = [&](bool& to) {
    if (const auto value = flag(option)) {
      to = *value;
    } else {
      misread(unit, definition, option.value->span, option.name.str(),
              "it must be known from the text of the file");
    }
  };
  switch (row->action) {
    case Action::kParallel: {
      // parallel={'fusion': False} switches parts of it off
      definition.options.parallel = ast::is<ast::Dict>(option.value);
      if (!definition.options.parallel) wants_flag(definition.options.parallel);
      break;
    }
    case Action::kFastmath:
      definition.options.fastmath = fast(option);
      break;
    case Action::kErrorModel:
      error_model(unit, definition, option);
      break;
    case Action::kBoundscheck: {
      bool wanted = false;
      wants_flag(wanted);
      definition.options.boundscheck |= wanted;
      break;
    }
    case Action::kDevice: {
      bool device = false;
      wants_flag(device);
      if (device) definition.kind = DefinitionKind::kDevice;
      break;
    }
    case Action::kTarget: {
      const bool gpu = is_text(*option.value, "gpu") || is_text(*option.value, "cuda");
      if (gpu && definition.kind == DefinitionKind::kJit) definition.kind = DefinitionKind::kKernel;
      break;
    }
    case Action::kLocals:
      types_of_locals(unit, definition, option);
      break;
    case Action::kLater:
      if (unit.root) diags_.report(option.span, diag::OptionLater, option.name.str());
      break;
    case Action::kIgnore:
    case Action::kForceObject:
    case Action::kArgTypes:
    case Action::kResult:
    case Action::kSignature:
    case Action::kStencil:
      break;  // read elsewhere, or nothing to do
  }
}

void Collector::report_option(Unit& unit, const Maker& maker, const Maker::Option& option) {
  if (!unit.root) return;
  std::vector<std::string_view> names;
  for (const OptionRow& row : kOptions) {
    if (applies(row, maker.kind)) names.push_back(row.name);
  }
  auto report = diags_.report(option.span, diag::UnknownOption, maker.name(), option.name.str());
  const std::string_view near = closest(option.name.str(), names);
  if (near.empty()) return;
  const auto length = static_cast<uint32_t>(option.name.str().size());
  const Span name_span{option.span.begin, option.span.begin + length};
  report.fix(name_span, std::string(near));
}

// Positional signatures, signature=, and NumbaPro's argtypes= and restype=.
void Collector::add_signatures(Definition& definition, const Maker& maker) {
  const auto add = [&](const ast::Expr& expr, const ModuleInfo& module) {
    auto found = signature::evaluate(expr, module, *module.ast->file, diags_);
    for (auto& one : found) definition.signatures.push_back(std::move(one));
    return !found.empty();
  };
  const Maker::Option* argument_types = nullptr;
  const Maker::Option* result = nullptr;
  bool given = false, failed = false;
  for (const Maker::Argument& argument : maker.signatures) {
    given = true;
    failed |= !add(*argument.expr, *argument.module);
  }
  for (const Maker::Option& option : maker.options) {
    const OptionRow* row = find_option(option.name, maker.kind);
    if (!row) continue;
    const auto* constant = ast::as<ast::Constant>(option.value);
    if (constant && constant->value.tag == ast::ConstantValue::kNone &&
        row->action != Action::kResult) {
      continue;
    }
    if (row->action == Action::kSignature) {
      given = true;
      failed |= !add(*option.value, *option.module);
    }
    if (row->action == Action::kArgTypes) argument_types = &option;
    if (row->action == Action::kResult) result = &option;
  }
  if (argument_types) {
    given = true;
    failed |= !add_argtypes(definition, *argument_types, result);
  }
  if (given && failed && definition.signatures.empty()) broken_.insert(&definition);
}

// argtypes=[f4[:], i4], restype=void
bool Collector::add_argtypes(Definition& definition, const Maker::Option& types,
                             const Maker::Option* result) {
  const ModuleInfo& module = *types.module;
  const ast::Expr* value = types.value;
  if (const auto* name = ast::as<ast::Name>(value)) {
    if (const ast::Expr* assigned = module.find_assigned(name->id)) value = assigned;
  }
  std::span<ast::Expr*> items;
  if (const auto* list = ast::as<ast::List>(value)) items = list->elts;
  if (const auto* tuple = ast::as<ast::Tuple>(value)) items = tuple->elts;
  signature::Signature made;
  made.span = types.value->span;
  for (const ast::Expr* item : items) {
    const types::Type* type = signature::evaluate_type(*item, module, *module.ast->file, diags_);
    if (!type) return false;
    made.params.push_back(type);
    made.param_spans.push_back(item->span);
  }
  if (result) {
    made.result = signature::evaluate_type(*result->value, module, *module.ast->file, diags_);
    made.result_span = result->value->span;
    if (!made.result) return false;
    if (made.result->is_none()) made.result = types::void_();
  }
  definition.signatures.push_back(std::move(made));
  return true;
}

}  // namespace pyk2cu::decorators
