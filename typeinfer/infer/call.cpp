// Calls: arguments in order, functions of the program, casts, methods.
//
// In:   ast::Call.  Out: an operand; what has effects or may raise stands in a statement before.
// Arguments of functions are put in the order of the parameters, with *tuples spread, keywords
// placed and defaults folded from the text; closure.cpp compiles and calls. Names of modules go to
// builtin_call.cpp.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#include "frontend/base/suggest.h"
#include "typeinfer/infer/lists.h"
#include "typeinfer/infer/tables.h"

namespace pyk2cu::infer {

namespace {

// The parameters of a definition in the order of its ir::Function.
struct Parameters {
  struct One {
    Symbol name{};
    const ast::Expr* fallback = nullptr;  // the default
    bool positional = true, keyword = true, rest = false;
  };
  std::vector<One> all{};
  size_t positional = 0;  // how many take positional arguments, *args not counted
};

Parameters parameters_of(const decorators::Definition& definition) {
  const ast::Arguments& a = definition.arguments();
  Parameters p;
  for (const ast::Arg* arg : a.posonlyargs) p.all.push_back({arg->arg, nullptr, true, false});
  for (const ast::Arg* arg : a.args) p.all.push_back({arg->arg});
  p.positional = p.all.size();
  for (size_t i = 0; i < a.defaults.size(); ++i) {
    p.all[p.positional - a.defaults.size() + i].fallback = a.defaults[i];
  }
  if (a.vararg) p.all.push_back({a.vararg->arg, nullptr, false, false, true});
  for (size_t i = 0; i < a.kwonlyargs.size(); ++i) {
    p.all.push_back({a.kwonlyargs[i]->arg, a.kw_defaults[i], false});
  }
  return p;
}

// What Python passes as *args: a tuple.
Operand rest_of(Emitter& in, const Arguments& args, size_t from, Span span) {
  Pack pack;
  std::vector<ir::Expr*> values;
  for (size_t i = from; i < args.args.size(); ++i) {
    pack.parts.push_back(args.args[i]);
    if (pack.parts.back().is_value()) values.push_back(pack.parts.back().value());
  }
  if (values.size() < pack.parts.size()) return {std::move(pack), span};
  return to_operand(in.make_tuple(std::move(values), span));
}

Operand default_of(Emitter& in, const Operand& function, const Parameters::One& p) {
  const decorators::Definition& definition = *function.as<Function>().definition;
  const auto evaluated = defaults_of(function);
  for (size_t k = 0; k < evaluated.size(); ++k)
    if (static_cast<const Closure&>(definition).defaults[k] == p.fallback) return evaluated[k];
  if (const auto value = fold::fold(*p.fallback, decorators::ModuleScope(*definition.module))) {
    return constant(in, *value, p.name, p.fallback->span);
  }
  in.report(p.fallback->span, diag::DefaultNotConstant, p.name.str())
      .help("write a literal, or pass the argument in every call");
  return error();
}

void report_keyword(Emitter& in, const Arguments& args, Symbol name,
                    const std::vector<std::string_view>& known) {
  const Span span = args.name_span(name);
  auto builder = in.report(span, diag::UnknownKeyword, args.path, name.str());
  const std::string_view near = closest(name.str(), known);
  if (!near.empty()) builder.fix(span, std::string(near));
}

}  // namespace

Operand call_function(Expressions& in, const Operand& function, const Arguments& args) {
  Emitter& out = in.emitter();
  const decorators::Definition& definition = *function.as<Function>().definition;
  const Parameters p = parameters_of(definition);
  std::vector<Operand> bound(p.all.size());
  std::vector<bool> given(p.all.size(), false);
  bool has_rest = false;
  for (size_t i = 0; i < p.all.size(); ++i) {
    if (!p.all[i].rest) continue;
    has_rest = given[i] = true;
    bound[i] = rest_of(out, args, p.positional, args.span);
  }
  if (args.args.size() > p.positional && !has_rest) {
    out.report(args.span, diag::TooManyArguments, args.path, Int(p.positional),
               Int(args.args.size()));
    return error();
  }
  for (size_t i = 0; i < std::min(p.positional, args.args.size()); ++i) {
    bound[i] = args.args[i];
    given[i] = true;
  }
  for (const auto& [name, value] : args.keywords) {
    size_t i = 0;
    while (i < p.all.size() && !(p.all[i].keyword && p.all[i].name == name)) ++i;
    if (i == p.all.size()) {
      std::vector<std::string_view> names;
      for (const Parameters::One& one : p.all) names.push_back(one.name.str());
      report_keyword(out, args, name, names);
      return error();
    }
    if (given[i]) {
      out.report(args.name_span(name), diag::TwiceGiven, args.path, name.str());
      return error();
    }
    bound[i] = value;
    given[i] = true;
  }
  for (size_t i = 0; i < p.all.size(); ++i) {
    if (given[i]) continue;
    if (!p.all[i].fallback) {
      out.report(args.span, diag::MissingArgument, args.path, p.all[i].name.str());
      return error();
    }
    bound[i] = default_of(out, function, p.all[i]);
    if (bound[i].is_error()) return error();
  }
  return invoke(out, function, std::move(bound), args.span);
}

namespace {

// f(*t): the items of t as arguments.
bool spread(Emitter& in, const Operand& tuple, std::vector<Operand>& args, Span span) {
  if (tuple.is<Pack>()) {
    args.insert(args.end(), tuple.parts().begin(), tuple.parts().end());
    return true;
  }
  if (!tuple.is_value() || !tuple.type()->is_tuple()) {
    if (!tuple.is_error()) in.not_supported(span, "`*` before something other than a tuple");
    return false;
  }
  ir::Expr* whole = tuple.value();
  if (whole->kind != ir::ExprKind::kTuple) whole = in.once(whole);
  for (size_t i = 0; i < tuple.type()->items.size(); ++i) {
    args.push_back(to_operand(tuple_item(in, whole, int(i), span)));
  }
  return true;
}

// Where a list goes that a method is given: a.append([]), d.setdefault(key, []).
ListSite site_of_arguments(const ast::Call& e) {
  static constexpr std::string_view kTakes[] = {"append", "insert", "setdefault", "get", "pop"};
  const auto* method = ast::as<ast::Attribute>(e.func);
  const bool takes = method && std::ranges::find(kTakes, method->attr.str()) != std::end(kTakes);
  return takes ? site_of(*method->value).inside() : ListSite{};
}

std::optional<Arguments> evaluate(Expressions& in, const ast::Call& e) {
  Emitter& out = in.emitter();
  std::vector<const ast::Expr*> exprs;
  for (const ast::Expr* arg : e.args) {
    const auto* star = ast::as<ast::Starred>(arg);
    exprs.push_back(star ? star->value : arg);
  }
  for (const ast::Keyword* keyword : e.keywords) {
    if (!keyword->arg) {
      out.not_supported(keyword->span, "`**` in a call");
      return std::nullopt;
    }
    exprs.push_back(keyword->value);
  }
  std::vector<Operand> values = operands(in, exprs, site_of_arguments(e));
  Arguments args;
  args.span = e.span;
  args.call = &e;
  for (size_t i = 0; i < e.args.size(); ++i) {
    if (!ast::is<ast::Starred>(e.args[i])) {
      args.args.push_back(std::move(values[i]));
    } else if (!spread(out, values[i], args.args, e.args[i]->span)) {
      return std::nullopt;
    }
  }
  for (size_t i = 0; i < e.keywords.size(); ++i) {
    args.keywords.emplace_back(e.keywords[i]->arg, std::move(values[e.args.size() + i]));
  }
  return args;
}

bool takes_types(std::string_view path) {
  return path == "numba.typed.Dict.empty" || path == "numba.typed.List.empty_list";
}

// The arguments of Dict.empty(types.int64, float_array).
Arguments spelled_types(Expressions& in, const ast::Call& e) {
  const auto type = [&](const ast::Expr& arg) -> Operand {
    const auto* name = ast::as<ast::Name>(arg);
    if (name && in.names().versions().locals.contains(name->id)) return in.operand(arg);
    const Type* spelled = in.emitter().context().spelled_type(arg);
    return spelled ? Operand{DType{spelled}, arg.span} : error();
  };
  Arguments args;
  args.span = e.span;
  args.call = &e;
  for (const ast::Expr* arg : e.args) args.args.push_back(type(*arg));
  for (const ast::Keyword* keyword : e.keywords)
    args.keywords.emplace_back(keyword->arg, type(*keyword->value));
  return args;
}

Operand conjugate(Emitter& in, ir::Expr* z, Span span) {
  if (!z->type->is_complex()) return to_operand(z);
  return to_operand(in.make(ir::Builtin{{ir::ExprKind::kBuiltin, z->type, span},
                                        &builtins::row(builtins::Id::pyk_conj),
                                        in.list(std::vector<ir::Expr*>{z})}));
}

// Point(x, y=0.0)
Operand make_fields(Emitter& in, const decorators::FieldClass& made, const Arguments& args) {
  std::vector<std::string_view> names;
  size_t required = 0;
  for (size_t i = 0; i < made.fields.size(); ++i) {
    names.push_back(made.fields[i].str());
    if (!made.defaults[i]) required = i + 1;
  }
  auto bound = by_name(in, args, names, required);
  if (!bound) return error();
  std::vector<ir::Expr*> items;
  for (size_t i = 0; i < bound->size(); ++i) {
    Operand& item = (*bound)[i];
    if (item.is_error()) item = constant(in, *made.defaults[i], made.fields[i], args.span);
    if (item.is<Pack>()) item = to_operand(value_of(in, item, args.span));
    if (item.is_error()) return error();
    if (!item.is_value()) return bad_arguments(in, args);
    items.push_back(item.value());
  }
  ir::Expr* tuple = in.make_tuple(std::move(items), args.span);
  if (tuple->type->is_error()) return error();
  const auto types = tuple->type->items;
  return to_operand(
      cast(in, tuple, types::named_tuple(made.name, made.fields, {types.begin(), types.end()})));
}

bool no_arguments(Emitter& in, const Arguments& args) {
  if (args.args.empty() && args.keywords.empty()) return true;
  bad_arguments(in, args);
  return false;
}

}  // namespace

const Operand* Arguments::keyword(std::string_view name) const {
  for (const auto& [key, value] : keywords) {
    if (key == name) return &value;
  }
  return nullptr;
}

Span Arguments::name_span(Symbol name) const {
  if (!call) return span;
  for (const ast::Keyword* k : call->keywords)
    if (k->arg == name) return {k->span.begin, k->span.begin + uint32_t(name.str().size())};
  return span;
}

bool any_error(const Arguments& args) {
  for (const Operand& o : args.args) {
    if (o.is_error()) return true;
  }
  for (const auto& [name, o] : args.keywords) {
    if (o.is_error()) return true;
  }
  return false;
}

bool has_array(const Arguments& args) {
  for (const Operand& o : args.args) {
    if (o.is_value() && o.type()->is_array()) return true;
  }
  return false;
}

Operand bad_arguments(Emitter& in, const Arguments& args) {
  std::string list;
  for (const Operand& o : args.args) list += (list.empty() ? "" : ", ") + type_name(o);
  for (const auto& [name, o] : args.keywords) {
    list += (list.empty() ? "" : ", ") + std::string(name.str()) + "=" + type_name(o);
  }
  auto builder = in.report(args.span, diag::BadArguments, args.path, list);
  const std::string path = args.path.starts_with("np.") ? "numpy" + args.path.substr(2)
                           : args.path.find('.') == std::string::npos ? "builtins." + args.path
                                                                      : args.path;
  const builtins::Row* row = builtins::find(path);
  if (row && !row->signature.empty())
    builder.help("there is `" + std::string(row->signature) +
                 "` (F: any float, I: any integer, C: complex, T: any number)");
  return error();
}

std::string user_path(std::string_view path) {
  if (path.starts_with("builtins.")) return std::string(path.substr(9));
  if (path.starts_with("numba.cuda")) return std::string(path.substr(6));
  if (path == "numpy" || path.starts_with("numpy.")) return "np" + std::string(path.substr(5));
  return std::string(path);
}

std::optional<std::vector<Operand>> by_name(Emitter& in, const Arguments& args,
                                            const std::vector<std::string_view>& names,
                                            size_t required) {
  std::vector<Operand> bound(names.size());
  std::vector<bool> given(names.size(), false);
  if (args.args.size() > names.size()) {
    in.report(args.span, diag::TooManyArguments, args.path, Int(names.size()),
              Int(args.args.size()));
    return std::nullopt;
  }
  for (size_t i = 0; i < args.args.size(); ++i) {
    bound[i] = args.args[i];
    given[i] = true;
  }
  for (const auto& [key, value] : args.keywords) {
    size_t i = 0;
    while (i < names.size() && names[i] != key.str()) ++i;
    if (i == names.size()) {
      report_keyword(in, args, key, names);
      return std::nullopt;
    }
    if (given[i]) {
      in.report(args.name_span(key), diag::TwiceGiven, args.path, key.str());
      return std::nullopt;
    }
    bound[i] = value;
    given[i] = true;
  }
  for (size_t i = 0; i < required; ++i) {
    if (given[i]) continue;
    in.report(args.span, diag::MissingArgument, args.path, names[i]);
    return std::nullopt;
  }
  return bound;
}

Operand cast_call(Emitter& in, const Type* to, const Arguments& args) {
  if (!in.context().has_form(to, args.span)) return error();
  if (args.args.empty() && args.keywords.empty()) return to_operand(zero(in, to, args.span));
  if (args.args.size() != 1 || !args.keywords.empty()) return bad_arguments(in, args);
  if (!args.args[0].is_value()) return bad_arguments(in, args);
  ir::Expr* x = unwrap(in, args.args[0].value(), args.span);
  if (x->type->is_array()) return to_operand(array_expression(in, args.span, args.path + "()"));
  if (!x->type->is_scalar()) return bad_arguments(in, args);
  if (to->is_bool()) return to_operand(truth(in, x, args.span));
  if (x->type->is_complex() && !to->is_complex()) return bad_arguments(in, args);
  return to_operand(cast(in, x, to));
}

Operand method_call(Expressions& expressions, const Operand& method, Arguments args) {
  Emitter& in = expressions.emitter();
  ir::Expr* self = method.as<Method>().object.expr;
  const std::string_view name = method.as<Method>().name.str();
  args.path = name;
  if (self->type->is_array()) {
    if (name == "copy" || name == "astype") return copy_array(in, self, args);
    if (name == "fill") return fill_array(in, self, args);
    if (name == "sort") return sort_array(in, self, args);
    if (name == "view") return view_as(in, self, args);
    if (name == "transpose" && args.args.empty() && args.keywords.empty()) {
      return to_operand(transposed(in, self, args.span));
    }
    // Of others Numba makes a copy.
    const bool plain = args.args.empty() && args.keywords.empty();
    if (plain && name == "ravel" && self->type->layout == types::Layout::kC)
      return to_operand(flat_view(in, self, args.span));
    if (plain && (name == "flatten" || name == "ravel"))
      return on_host(in, args) ? to_operand(flattened(in, self, args.span)) : error();
    return array_method(expressions, self, std::move(args));
  }
  if (self->type->is_list()) return list_method(expressions, self, args);
  if (self->type->is_table()) return table_method(expressions, self, args);
  if (self->type->is_tuple()) {
    return name == "index" ? tuple_index(in, self, args) : tuple_count(in, self, args);
  }
  if (name == "conjugate" || name == "conj") {
    return no_arguments(in, args) ? conjugate(in, self, args.span) : error();
  }
  if (name == "view") return view_as(in, self, args);
  if (name == "item") return no_arguments(in, args) ? to_operand(self) : error();
  in.report(args.span, diag::NotYet, "." + std::string(name) + "()");
  return error();
}

Operand call(Expressions& in, const ast::Call& e, ListSite site) {
  Emitter& out = in.emitter();
  Operand function = in.operand(*e.func);
  const Emitter::Mark before = out.mark();
  if (function.is_error()) {
    for (const ast::Expr* arg : e.args) {
      if (!ast::is<ast::Starred>(arg)) in.operand(*arg);
    }
    return error();
  }
  const auto* named = std::get_if<Qualified>(&function.meaning);
  const bool lists = in.take_lists(named && takes_lists(named->path));
  std::optional<Arguments> args =
      named && takes_types(named->path) ? spelled_types(in, e) : evaluate(in, e);
  in.take_lists(lists);
  if (!args) return error();
  args->list = site;
  if (named) return builtin_call(in, std::move(*args), named->path);
  const bool callable = function.is<Function>() || function.is<FieldClass>() ||
                        function.is<DType>() || function.is<Method>();
  if (!callable) {
    out.report(e.func->span, diag::NotCallable,
               function.is_value() ? "a value of type `" + types::print(function.type()) + "`"
                                   : describe(function));
    return error();
  }
  if (any_error(*args)) return error();
  if (auto* method = std::get_if<Method>(&function.meaning))
    method->object = Value(out.settle(method->object.expr, before));
  if (function.is<Method>()) return method_call(in, function, std::move(*args));
  if (const auto* made = std::get_if<FieldClass>(&function.meaning)) {
    args->path = made->fields->name.str();
    return make_fields(out, *made->fields, *args);
  }
  if (const auto* dtype = std::get_if<DType>(&function.meaning)) {
    args->path = types::print(dtype->type);
    return cast_call(out, dtype->type, *args);
  }
  const Symbol name = function.as<Function>().definition->name;
  args->path = name ? name.str() : "lambda";
  return call_function(in, function, *args);
}

}  // namespace pyk2cu::infer
