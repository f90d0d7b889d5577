// Decorators as values: which expression is one, what was it given, what is it applied to?
//
//   njit   nb.njit(sig, cache=True)   functools.partial(jit, nopython=True)   fast (= njit(...))
//   njit(sig)(f)   cuda.jit(f, device=True)   jit("f8(f8)")(lambda x: x * x)
//
// In:   an expression at module level.  Out: a Maker, or a Maker with its function.
// Tested by tests/unit/typeinfer/roots_test.cpp.
#include "typeinfer/decorators/collector.h"
#include "typeinfer/decorators/paths.h"

namespace pyk2cu::decorators {

namespace {

struct MakerRow {
  std::string_view path;
  MakerKind kind;
};

constexpr MakerRow kMakers[] = {
#define MAKER(path, kind) {path, MakerKind::kind},
#include "typeinfer/decorators/makers.def"
#undef MAKER
};

std::optional<Maker> maker_at(std::string path, Span span) {
  for (const MakerRow& row : kMakers) {
    if (row.path != path) continue;
    Maker maker{.kind = row.kind, .path = std::move(path), .span = span};
    maker.numpy_rules = maker.path.starts_with("pyk2cu.");
    return maker;
  }
  return std::nullopt;
}

bool is_function_name(Symbol name) {
  return name == "signature_or_function" || name == "func_or_sig" || name == "func" ||
         name == "pyfunc" || name == "function" || name == "func_or_mode";
}

bool is_function_keyword(const ast::Keyword& keyword) { return is_function_name(keyword.arg); }

}  // namespace

std::string_view Maker::name() const {
  const std::string_view whole = path;
  const std::string_view rest = whole.substr(whole.find('.') + 1);
  return rest.starts_with("extending.") ? rest.substr(10) : rest;
}

std::optional<Maker> Collector::find_maker(Unit& unit, const ast::Expr& expr) {
  if (const auto* name = ast::as<ast::Name>(expr)) {
    if (const Maker* known = unit.maker_of(name->id)) return *known;
  }
  if (const auto* attribute = ast::as<ast::Attribute>(expr)) {
    if (attribute->attr == "export") {
      auto owner = find_maker(unit, *attribute->value);
      if (owner && owner->kind == MakerKind::kPycc) {
        owner->kind = MakerKind::kExport;
        return owner;
      }
    }
    if (const ModuleInfo* module = unit.info->module_of(*attribute->value)) {
      const Unit* other = unit_of(module);
      if (!other) return std::nullopt;
      const auto known = other->makers.find(attribute->attr);
      if (known != other->makers.end()) return known->second;
    }
  }
  if (const auto* call = ast::as<ast::Call>(expr)) return call_maker(unit, *call);
  if (const auto* choice = ast::as<ast::IfExp>(expr)) {
    auto first = find_maker(unit, *choice->body);
    return first ? first : find_maker(unit, *choice->orelse);
  }
  std::string path = dotted(unit, expr);
  return path.empty() ? std::nullopt : maker_at(std::move(path), expr.span);
}

// njit(…), partial(njit, …), fast(…); nothing when the call is applied to a function.
std::optional<Maker> Collector::call_maker(Unit& unit, const ast::Call& call) {
  if (dotted(unit, *call.func) == "functools.partial" && !call.args.empty()) {
    auto maker = find_maker(unit, *call.args[0]);
    if (maker) add_arguments(unit, *maker, call.args, call.keywords, 1);
    return maker;
  }
  auto maker = find_maker(unit, *call.func);
  if (!maker) {
    const auto made = host_call(unit, call);
    return made && !made->target ? made->maker : std::nullopt;
  }
  const bool names_it = maker->path.starts_with("numba.extending.overload");  // @overload(np.sin)
  if (!names_it && function_argument(unit, call)) return std::nullopt;
  maker->called = true;
  maker->span = call.span;
  add_arguments(unit, *maker, call.args, call.keywords, 0);
  if (maker->kind == MakerKind::kPycc) name_extension(unit, *maker);
  return maker;
}

void Collector::add_arguments(Unit& unit, Maker& maker, std::span<ast::Expr*> args,
                              std::span<ast::Keyword*> keywords, size_t skip) {
  Passed passed;
  if (!read_arguments(unit, args, keywords, passed)) maker.lost = true;
  for (size_t i = skip; i < passed.positional.size(); ++i) {
    const Maker::Argument& one = passed.positional[i];
    const auto* constant = ast::as<ast::Constant>(one.expr);
    const bool none = constant && constant->value.tag == ast::ConstantValue::kNone;
    if (!none && one.expr) maker.signatures.push_back(one);
  }
  maker.options.insert(maker.options.end(), passed.options.begin(), passed.options.end());
}

Target Collector::find_target(Unit& unit, const ast::Expr& expr) {
  if (const auto* lambda = ast::as<ast::Lambda>(expr)) {
    return {.lambda = lambda, .module = unit.info};
  }
  const Binding* binding = nullptr;
  if (const auto* name = ast::as<ast::Name>(expr)) binding = &unit.info->find(name->id);
  if (const auto* attribute = ast::as<ast::Attribute>(expr)) {
    if (attribute->attr == "py_func") return find_target(unit, *attribute->value);
    if (const Binding* member = unit.info->member(*attribute)) binding = member;
  }
  const Definition* found = nullptr;
  if (binding && binding->kind == Binding::Kind::kDefinition) found = binding->definition;
  if (!found) {
    if (const auto applied = find_applied(unit, expr)) return applied->target;
    const auto made = host_call(unit, expr);
    if (made && !made->maker && made->binding.kind == Binding::Kind::kDefinition)
      found = made->binding.definition;
    const bool item = ast::is<ast::Subscript>(expr);  // args[0]
    const auto value = item ? fold::fold(expr, UnitScope(*unit.info)) : std::nullopt;
    if (value) found = static_cast<const Definition*>(value->function);
  }
  if (!found) return {};
  const Definition& definition = *found;
  return {.def = definition.def, .lambda = definition.lambda, .module = definition.module};
}

// The function among a decorator call's arguments: the first one, or `func=`.
Target Collector::function_argument(Unit& unit, const ast::Call& call) {
  if (!call.args.empty()) {
    Passed passed;
    read_arguments(unit, call.args.first(1), {}, passed);
    if (passed.positional.empty()) return {};
    const Maker::Argument& first = passed.positional[0];
    Unit* home = unit_of(first.module);
    if (first.expr) return home ? find_target(*home, *first.expr) : Target{};
    return {.def = first.function->def, .module = first.function->module};
  }
  for (const ast::Keyword* keyword : call.keywords) {
    if (is_function_keyword(*keyword)) return find_target(unit, *keyword->value);
  }
  return {};
}

std::optional<Collector::Applied> Collector::find_applied(Unit& unit, const ast::Expr& expr) {
  const auto* call = ast::as<ast::Call>(expr);
  if (!call) return std::nullopt;
  auto maker = find_maker(unit, *call->func);
  if (!maker) {
    auto made = host_call(unit, expr);
    if (!made || !made->maker || !made->target) return std::nullopt;
    return Applied{.maker = std::move(*made->maker), .target = made->target};
  }
  const Target target = function_argument(unit, *call);
  if (!target) return std::nullopt;
  maker->span = call->span;
  add_arguments(unit, *maker, call->args, call->keywords, call->args.empty() ? 0 : 1);
  std::erase_if(maker->options, [&](const Maker::Option& option) {
    return call->args.empty() && is_function_name(option.name);
  });
  return Applied{.maker = std::move(*maker), .target = target};
}

}  // namespace pyk2cu::decorators
