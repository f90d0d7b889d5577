// What @stencil is given: see stencil.h.
#include "typeinfer/decorators/stencil.h"

#include <algorithm>

#include "typeinfer/decorators/defaults.h"

namespace pyk2cu::decorators {

namespace {

using Kind = fold::Value::Kind;

class Reader {
 public:
  Reader(Definition& definition, bool root, Diagnostics& diags)
      : definition_(definition), stencil_(*definition.stencil), root_(root), diags_(diags) {}

  void mode(const ast::Expr& expr, const ModuleInfo& module) {
    const auto value = fold::fold(expr, UnitScope(module));
    const bool known = value && value->kind == Kind::kStr && value->text == "constant";
    if (!known) refuse(expr.span, "func_or_mode", "the mode is 'constant', the only one there is");
  }

  void option(const Maker::Option& option) {
    const std::string_view name = option.name.str();
    const Span at = option.value->span;
    const auto value = fold::fold(*option.value, UnitScope(*option.module));
    if (name == "func_or_mode") return mode(*option.value, *option.module);
    if (name == "neighborhood" && !(value && neighborhood(*value)))
      refuse(at, name, "it holds the least and the greatest index per axis: ((-1, 1), (-2, 0))");
    if (name == "cval") {
      if (value && is_number(*value))
        stencil_.cval = *value;
      else
        refuse(at, name, "it is a number that is known from the text of the file");
    }
    if (name == "standard_indexing" && !(value && standard(*value)))
      refuse(at, name, "it holds names of parameters, and not the first: (\"weights\",)");
  }

  bool is_fine() const { return fine_; }

 private:
  void refuse(Span at, std::string_view option, std::string_view why) {
    fine_ = false;
    definition_.misread = Misread{at, std::string(option), std::string(why), root_};
    if (root_) diags_.report(at, diag::BadOptionValue, option, why);
  }

  static bool is_number(const fold::Value& v) {
    return v.kind == Kind::kBool || v.kind == Kind::kInt || v.kind == Kind::kFloat ||
           v.kind == Kind::kComplex;
  }

  bool neighborhood(const fold::Value& value) {
    if (value.kind == Kind::kNone) return true;
    for (const fold::Value& axis : value.items) {
      const auto& ends = axis.items;
      const auto is_int = [](const fold::Value& end) { return end.kind == Kind::kInt; };
      if (ends.size() != 2 || !std::ranges::all_of(ends, is_int)) return false;
      stencil_.neighborhood.emplace_back(int64_t(ends[0].integer), int64_t(ends[1].integer));
    }
    return value.kind == Kind::kTuple && !value.items.empty();
  }

  bool standard(const fold::Value& value) {
    const std::vector<Symbol> names = parameter_names(definition_);
    const std::vector<fold::Value> one{value};
    for (const fold::Value& name : value.kind == Kind::kStr ? one : value.items) {
      const auto known = std::ranges::find(names, std::string_view(name.text), &Symbol::str);
      if (name.kind != Kind::kStr || known == names.end() || known == names.begin()) return false;
      stencil_.standard.push_back(*known);
    }
    return value.kind == Kind::kStr || value.kind == Kind::kTuple;
  }

  Definition& definition_;
  Stencil& stencil_;
  const bool root_;
  Diagnostics& diags_;
  bool fine_ = true;
};

// The parameters of the text and `*, out=None`.
const ast::Arguments* with_out(const ast::Arguments& args, Span at, Arena& arena) {
  const Symbol name("out");
  auto* out = arena.make<ast::Arg>();
  out->kind = ast::Arg::kKind;
  out->span = at;
  out->arg = name;
  auto* none = arena.make<ast::Constant>();
  static_cast<ast::Node*>(none)->kind = ast::Constant::kKind;
  none->span = at;
  std::vector<ast::Arg*> names(args.kwonlyargs.begin(), args.kwonlyargs.end());
  std::vector<ast::Expr*> defaults(args.kw_defaults.begin(), args.kw_defaults.end());
  names.push_back(out);
  defaults.push_back(none);
  auto* made = arena.make<ast::Arguments>(args);
  made->kwonlyargs = arena.copy(names);
  made->kw_defaults = arena.copy(defaults);
  return made;
}

}  // namespace

bool make_stencil(Definition& definition, Maker& maker, bool root, Sources& sources,
                  Diagnostics& diags) {
  Stencil& stencil = definition.stencil.emplace();
  Reader reader(definition, root, diags);
  for (const Maker::Argument& argument : maker.signatures)
    reader.mode(*argument.expr, *argument.module);
  maker.signatures.clear();
  for (const Maker::Option& option : maker.options) reader.option(option);
  auto point = std::make_unique<Definition>(definition);
  point->kind = DefinitionKind::kPlain;
  point->stencil.reset();
  point->point_of = &stencil;
  point->exported = false;
  stencil.point = sources.points.emplace_back(std::move(point)).get();
  const Span at = definition.def ? definition.def->span : definition.lambda->span;
  const auto names = parameter_names(definition);
  if (std::ranges::find(names, std::string_view("out"), &Symbol::str) == names.end())
    definition.parameters = with_out(definition.arguments(), at, sources.arena);
  return reader.is_fine();
}

}  // namespace pyk2cu::decorators
