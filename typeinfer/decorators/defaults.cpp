// Defaults of parameters: see defaults.h.
#include "typeinfer/decorators/defaults.h"

#include "typeinfer/fold/parts.h"

namespace pyk2cu::decorators {

std::vector<Symbol> parameter_names(const Definition& definition) {
  const ast::Arguments& args = definition.arguments();
  std::vector<Symbol> names;
  for (const ast::Arg* arg : args.posonlyargs) names.push_back(arg->arg);
  for (const ast::Arg* arg : args.args) names.push_back(arg->arg);
  if (args.vararg) names.push_back(args.vararg->arg);
  for (const ast::Arg* arg : args.kwonlyargs) names.push_back(arg->arg);
  return names;
}

int rest_of(const Definition& definition) {
  const ast::Arguments& args = definition.arguments();
  return args.vararg ? int(args.posonlyargs.size() + args.args.size()) : -1;
}

const ast::Expr* default_of(const Definition& definition, size_t k) {
  const ast::Arguments& args = definition.arguments();
  const size_t positional = args.posonlyargs.size() + args.args.size();
  const size_t first = positional - args.defaults.size();
  if (k < positional) return k < first ? nullptr : args.defaults[k - first];
  const size_t keyword = positional + (args.vararg ? 1 : 0);
  return k < keyword ? nullptr : args.kw_defaults[k - keyword];
}

std::optional<fold::Value> default_value(const Definition& definition, const ast::Expr& fallback) {
  const ModuleScope scope(*definition.module);
  const auto* name = ast::as<ast::Name>(fallback);
  const bool is_builtin = name && scope.qualified(name->id).empty() && !scope.find(name->id);
  auto value = is_builtin ? fold::constant("builtins." + std::string(name->id.str()))
                          : fold::fold(fallback, scope);
  // dtype=np.float32, dtype=float: types of numbers for what the function hands them to. So are
  // their names.
  if (value && value->kind == fold::Value::Kind::kType && value->type && value->type->is_scalar())
    return fold::Value{.kind = fold::Value::Kind::kStr, .text = types::print(value->type)};
  return value;
}

const types::Type* type_of_default(const fold::Value& value) {
  using Kind = fold::Value::Kind;
  // C strings, which defaults become, end at a NUL.
  if (value.kind == Kind::kStr && value.text.find('\0') == std::string::npos)
    return types::literal(Symbol(value.text));
  const types::Type* type = value.is_member ? nullptr : fold::type_of(value);
  if (!type || types::part_without_form(type)) return nullptr;
  if (type->is_array() && type->rank > 0)
    return types::array(type->elem, type->rank, types::Layout::kC, true);
  return type->is_scalar() || type->is_tuple() || type->is_none() ? type : nullptr;
}

bool add_defaults(const Definition& definition, signature::Signature& one, Diagnostics& diags) {
  const std::vector<Symbol> names = parameter_names(definition);
  for (size_t k = one.params.size(); k < names.size(); ++k) {
    const ast::Expr& fallback = *default_of(definition, k);
    const std::optional<fold::Value> value = default_value(definition, fallback);
    const types::Type* type = value ? type_of_default(*value) : nullptr;
    if (!type) {
      const std::string_view name = names[k].str();
      diags.report(fallback.span, diag::DefaultNotConstant, name)
          .note(one.span, diag::NoTypeFor, name)
          .help("give its type in the signature");
      return false;
    }
    one.params.push_back(type);
  }
  return true;
}

}  // namespace pyk2cu::decorators
