// Calls in a signature: a type called with types is a signature; Tuple, Array and the like make
// types.
//
// In:   a call.  Out: its value, or a diagnostic that says how the maker is called.
// Tested by tests/unit/typeinfer/signature_test.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "typeinfer/signature/evaluator.h"
#include "typeinfer/types/records.h"

namespace pyk2cu::signature {

using Kind = Value::Kind;

Value Evaluator::bad_arguments(const Call& call, std::string_view why) {
  report(call.span, diag::BadTypeArguments, call.name, why);
  return error(call.span);
}

namespace {

// What folds to a dtype, of fields too.
bool makes_dtype(std::string_view path) {
  return path == "numpy.dtype" || path.ends_with(".from_dtype") ||
         path == "numba.types.Record.make_c_struct" || path == "numba.Record.make_c_struct";
}

}  // namespace

Value Evaluator::call(const ast::Call& e) {
  const auto* method = ast::as<ast::Attribute>(e.func);
  if (method && method->attr == "format" && e.keywords.empty()) {
    const Value text = evaluate(*method->value);
    std::vector<Value> given;
    for (const ast::Expr* arg : e.args) append(*arg, given);
    const bool wrong = text.is_error() || std::ranges::any_of(given, &Value::is_error);
    if (wrong) return error(e.span);
    if (text.is(Kind::kStr)) return format(std::string(text.text), given, false, e.span);
  }
  const Value callee = evaluate(*e.func);
  if (callee.is(Kind::kPath) && makes_dtype(callee.text) && !in_text_) {
    const types::Type* type = names_->type_of_value(e);  // np.dtype([("x", "f8")])
    if (type && type->kind == types::Kind::kDType) return typed(type->elem, e.span);
  }
  if (callee.is(Kind::kPath) && callee.text == "numba.typeof" && e.args.size() == 1)
    if (const types::Type* type = in_text_ ? nullptr : names_->type_of_value(*e.args[0]))
      return typed(type, e.span);
  Call call{.name = spell(e.func->span), .span = e.span, .args = {}, .keywords = {}};
  for (const ast::Expr* arg : e.args) append(*arg, call.args);
  for (const ast::Keyword* keyword : e.keywords)
    call.keywords.push_back({keyword->arg, evaluate(*keyword->value), keyword->span});
  if (callee.is_error()) return error(e.span);
  for (const Value& arg : call.args)
    if (arg.is_error()) return error(e.span);
  for (const Keyword& keyword : call.keywords)
    if (keyword.value.is_error()) return error(e.span);
  if (callee.is(Kind::kType)) return make_signature(callee.type, callee.span, call, 0);
  if (callee.is(Kind::kPath)) return make(callee.text, call);
  if (callee.is(Kind::kNone)) {
    auto said = report(e.func->span, diag::NotAType, "None", "a value");
    if (can_fix()) said.fix(e.func->span, "void");
    return error(e.span);
  }
  report(e.func->span, diag::NotAType, spell(e.func->span), describe(callee));
  return error(e.span);
}

Value Evaluator::make(const std::string& path, Call& call) {
  if (path == "numba.Tuple") return make_tuple(call);
  if (path == "numba.UniTuple") return make_uniform_tuple(call, false);
  if (path == "numba.NamedUniTuple") return make_uniform_tuple(call, true);
  if (path == "numba.NamedTuple") return make_named_tuple(call);
  if (path == "numba.Array") return make_array(call);
  if (path == "numba.optional" || path == "numba.Optional") return make_optional(call);
  if (path == "numba.List" || path == "numba.ListType") return make_list(call);
  if (path == "numba.Set") return make_set(call);
  if (path == "numba.DictType") return make_dict(call);
  if (path == "numba.literal") return make_literal(call);
  if (path == "numba.Record") return make_record(call);
  if (path == "numba.NestedArray") return make_nested(call);
  if (path == "collections.namedtuple") return make_field_class(call);
  if (path == "numpy.dtype" || path == "numba.from_dtype" || path == "numba.as_numba_type")
    return make_dtype(call);
  if (path == "numba.typeof" && call.args.size() == 1) return type_of(call.args[0]);
  if (path == "numba.signature" && !call.args.empty()) {
    const types::Type* result = to_type(call.args[0]);
    return result ? make_signature(result, call.args[0].span, call, 1) : error(call.span);
  }
  Value callee{.kind = Kind::kPath, .span = {call.span.begin, call.span.begin}, .text = path};
  callee.span.end += static_cast<uint32_t>(call.name.size());
  to_type(callee);
  return error(call.span);
}

// float64(float64, int32[:])
Value Evaluator::make_signature(const types::Type* result, Span result_span, Call& call,
                                size_t first) {
  Value value{.kind = Kind::kSignature, .span = call.span};
  value.signature = {.result = result->is_none() ? types::void_() : types::as_value(result),
                     .result_span = at(result_span),
                     .span = at(call.span)};
  bool fine = call.keywords.empty();
  if (!fine) report(call.keywords[0].span, diag::SignatureSyntax, "a keyword argument");
  for (size_t i = first; i < call.args.size(); ++i) {
    const types::Type* type = to_value_type(call.args[i]);
    fine = fine && type;
    value.signature.params.push_back(type);
    value.signature.param_spans.push_back(at(call.args[i].span));
  }
  return fine ? value : error(call.span);
}

// Puts keywords behind the positional arguments, in the order of `parameters`.
bool Evaluator::take_keywords(Call& call, std::span<const std::string_view> parameters,
                              size_t least) {
  const size_t given = call.args.size();
  if (given > parameters.size()) {
    bad_arguments(call, fmt::format("takes at most {} arguments", parameters.size()));
    return false;
  }
  call.args.resize(parameters.size());
  std::vector<bool> filled(parameters.size());
  for (size_t i = 0; i < given; ++i) filled[i] = true;
  for (Keyword& keyword : call.keywords) {
    const auto at_name = std::ranges::find(parameters, keyword.name.str());
    const auto index = static_cast<size_t>(at_name - parameters.begin());
    if (at_name == parameters.end() || filled[index]) {
      report(keyword.span, diag::BadTypeArguments, call.name,
             fmt::format("takes no {} `{}`", at_name == parameters.end() ? "keyword" : "second",
                         keyword.name.str()));
      return false;
    }
    filled[index] = true;
    call.args[index] = std::move(keyword.value);
  }
  for (size_t i = 0; i < least; ++i) {
    if (filled[i]) continue;
    bad_arguments(call, fmt::format("needs its argument `{}`", parameters[i]));
    return false;
  }
  return true;
}

// Tuple((int64, float64))
Value Evaluator::make_tuple(Call& call) {
  const bool one = call.args.size() == 1 && call.keywords.empty() &&
                   (call.args[0].is(Kind::kTuple) || call.args[0].is(Kind::kList));
  if (!one) {
    Value value = bad_arguments(call, "takes one tuple of types: `Tuple((int64, float64))`");
    return value;
  }
  std::vector<const types::Type*> items;
  for (const Value& item : call.args[0].items) items.push_back(to_value_type(item));
  if (std::ranges::find(items, nullptr) != items.end()) return error(call.span);
  return typed(types::tuple(std::move(items)), call.span);
}

// UniTuple(int64, 3)     NamedUniTuple(int64, 2, Point)
Value Evaluator::make_uniform_tuple(Call& call, bool named) {
  static constexpr std::string_view kParameters[] = {"dtype", "count", "cls"};
  if (!take_keywords(call, std::span(kParameters).first(named ? 3 : 2), named ? 3 : 2))
    return error(call.span);
  const types::Type* item = to_value_type(call.args[0]);
  const Value& count = call.args[1];
  if (!item) return error(call.span);
  if (!count.is(Kind::kInt) || count.integer < 0 || count.integer > 1000) {
    report(count.span, diag::BadTypeArguments, call.name,
           "takes a type and a number: `UniTuple(float64, 3)`");
    return error(call.span);
  }
  std::vector<const types::Type*> items(static_cast<size_t>(count.integer), item);
  if (item->leaves * items.size() > types::kMostLeaves) {
    report(call.span, diag::TooLarge, "tuple", int(types::kMostLeaves),
           "values, those of the tuples inside included");
    return error(call.span);
  }
  if (!named) return typed(types::tuple(std::move(items)), call.span);
  const Value& cls = call.args[2];
  if (!cls.is(Kind::kFieldClass) || cls.fields.size() != items.size())
    return bad_arguments(call, "needs a namedtuple class with as many fields");
  return typed(types::named_tuple(cls.name, cls.fields, std::move(items)), call.span);
}

// NamedTuple((int64, float64), Point)
Value Evaluator::make_named_tuple(Call& call) {
  static constexpr std::string_view kParameters[] = {"types", "cls"};
  if (!take_keywords(call, kParameters, 2)) return error(call.span);
  const Value &list = call.args[0], &cls = call.args[1];
  const bool sequence = list.is(Kind::kTuple) || list.is(Kind::kList);
  if (!sequence || !cls.is(Kind::kFieldClass) || cls.fields.size() != list.items.size())
    return bad_arguments(call, "takes a tuple of types and a namedtuple class with as many fields");
  std::vector<const types::Type*> items;
  for (const Value& item : list.items) items.push_back(to_value_type(item));
  if (std::ranges::find(items, nullptr) != items.end()) return error(call.span);
  return typed(types::named_tuple(cls.name, cls.fields, std::move(items)), call.span);
}

// namedtuple("Point", "x y")     namedtuple("Point", ["x", "y"])
Value Evaluator::make_field_class(Call& call) {
  if (call.args.size() < 2 || !call.args[0].is(Kind::kStr))
    return bad_arguments(call, "takes a name and its fields");
  Value value{.kind = Kind::kFieldClass, .span = call.span, .name = Symbol(call.args[0].text)};
  for (const Value& item : call.args[1].items)
    if (item.is(Kind::kStr)) value.fields.emplace_back(item.text);
  std::string word;
  for (const char c : call.args[1].text + " ") {
    if (c != ' ' && c != ',' && c != '\n' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      value.fields.emplace_back(word);
      word.clear();
    }
  }
  return value;
}

Value Evaluator::make_optional(Call& call) {
  if (call.args.size() != 1 || !call.keywords.empty())
    return bad_arguments(call, "takes one type: `optional(float64)`");
  const types::Type* of = to_value_type(call.args[0]);
  return of ? typed(types::optional(of), call.span) : error(call.span);
}

// List(float64)     List(float64, reflected=True)     ListType(float64)
Value Evaluator::make_list(Call& call) {
  static constexpr std::string_view kParameters[] = {"dtype", "reflected"};
  if (!take_keywords(call, kParameters, 1)) return error(call.span);
  const types::Type* of = to_value_type(call.args[0]);
  return of ? typed(types::list(of), call.span) : error(call.span);
}

// What sets and dicts look up.
const types::Type* Evaluator::to_key_type(const Value& value) {
  const types::Type* type = to_value_type(value);
  if (!type || types::is_key(type)) return type;
  if (signature::has_form(type, value.span, diags_))
    report(value.span, diag::UnsupportedType, types::print(type))
        .help("keys are integers, floats, bools and tuples of them");
  return nullptr;
}

// Set(int64)
Value Evaluator::make_set(Call& call) {
  static constexpr std::string_view kParameters[] = {"dtype", "reflected"};
  if (!take_keywords(call, kParameters, 1)) return error(call.span);
  const types::Type* of = to_key_type(call.args[0]);
  return of ? typed(types::set(of), call.span) : error(call.span);
}

// DictType(int64, float64)
Value Evaluator::make_dict(Call& call) {
  static constexpr std::string_view kParameters[] = {"keyty", "valty"};
  if (!take_keywords(call, kParameters, 2)) return error(call.span);
  const types::Type *key = to_key_type(call.args[0]), *value = to_value_type(call.args[1]);
  return key && value ? typed(types::dict(types::tuple({key, value})), call.span)
                      : error(call.span);
}

// literal('sum')     literal(None)
Value Evaluator::make_literal(Call& call) {
  const bool one = call.args.size() == 1 && call.keywords.empty();
  if (one && call.args[0].is(Kind::kNone)) return typed(types::none(), call.span);
  const bool is_text = one && call.args[0].is(Kind::kStr);
  if (!is_text || call.args[0].text.find('\0') != std::string::npos)
    return bad_arguments(call, "takes one string: `literal('sum')`");
  return typed(types::literal(Symbol(call.args[0].text)), call.span);
}

// Array(float64, 2, 'C', readonly=True)
Value Evaluator::make_array(Call& call) {
  static constexpr std::string_view kParameters[] = {"dtype",    "ndim", "layout",
                                                     "readonly", "name", "aligned"};
  if (!take_keywords(call, kParameters, 3)) return error(call.span);
  const types::Type* elem = to_type(call.args[0]);
  const Value &rank = call.args[1], &layout = call.args[2];
  if (!elem) return error(call.span);
  if (elem->is_array()) {
    report(call.args[0].span, diag::ArrayOfArrays, types::print(elem));
    return error(call.span);
  }
  if (!elem->is_element()) {
    report(call.args[0].span, diag::BadTypeArguments, call.name, "takes the type of a scalar");
    return error(call.span);
  }
  if (!rank.is(Kind::kInt) || rank.integer < 0 || rank.integer > 64) {
    report(rank.span, diag::BadTypeArguments, call.name, "takes a rank of 0 to 64");
    return error(call.span);
  }
  const bool known = layout.text == "C" || layout.text == "F" || layout.text == "A";
  if (!layout.is(Kind::kStr) || !known) {
    report(layout.span, diag::BadTypeArguments, call.name,
           "takes one of the layouts 'C', 'F', 'A'");
    return error(call.span);
  }
  const auto flag = [](const Value& value, bool otherwise) {
    return value.is_error() ? otherwise : value.integer != 0;
  };
  const auto order = layout.text == "C"   ? types::Layout::kC
                     : layout.text == "F" ? types::Layout::kF
                                          : types::Layout::kA;
  return typed(types::array(elem, static_cast<int>(rank.integer), order, flag(call.args[3], false),
                            flag(call.args[5], true)),
               call.span);
}

// NestedArray(float64, (3,))
Value Evaluator::make_nested(Call& call) {
  static constexpr std::string_view kParameters[] = {"dtype", "shape"};
  if (!take_keywords(call, kParameters, 2)) return error(call.span);
  const types::Type* elem = to_type(call.args[0]);
  std::vector<int64_t> extents;
  bool fits = call.args[1].is(Kind::kTuple);
  for (const Value& item : call.args[1].items) {
    fits = fits && item.is(Kind::kInt) && item.integer >= 0;
    extents.push_back(item.integer);
  }
  if (!elem) return error(call.span);
  const types::Type* type = fits ? types::nested(elem, extents) : nullptr;
  return type ? typed(type, call.span)
              : bad_arguments(call, "takes the type of a number and a shape");
}

// Record([('x', float64, 0), ('name', 'U5', 8)], 28), as types are printed: places are given.
// True: laid out as a C struct.
Value Evaluator::make_record(Call& call) {
  constexpr std::string_view kHelp =
      "takes a list of (name, type, offset) and the size: `Record([('x', float64, 0)], 8)`";
  std::vector<types::Field> fields;
  const bool whole = (call.args.size() == 2 || call.args.size() == 3) && call.keywords.empty() &&
                     call.args[0].is(Kind::kList) && call.args[1].is(Kind::kInt);
  if (!whole) return bad_arguments(call, kHelp);
  for (const Value& item : call.args[0].items) {
    const bool fits = item.is(Kind::kTuple) && item.items.size() == 3 &&
                      item.items[0].is(Kind::kStr) && item.items[2].is(Kind::kInt) &&
                      item.items[2].integer >= 0;
    if (!fits) return bad_arguments(call, kHelp);
    const Value& of = item.items[1];
    const types::Type* type = of.is(Kind::kStr) ? types::opaque(of.text) : to_type(of);
    if (!type && !of.is(Kind::kStr)) return error(call.span);
    if (!type) return bad_arguments(call, kHelp);
    fields.push_back({Symbol(item.items[0].text), type, item.items[2].integer});
  }
  const bool c_struct = call.args.size() == 3 && call.args[2].integer != 0;
  const types::Type* type = types::record(fields, call.args[1].integer, c_struct);
  return type ? typed(type, call.span) : bad_arguments(call, kHelp);
}

// np.dtype("f4")     from_dtype(np.float32)     as_numba_type(int)
Value Evaluator::make_dtype(Call& call) {
  if (call.args.size() != 1) return bad_arguments(call, "takes one argument");
  const Value& of = call.args[0];
  if (of.is(Kind::kStr)) {
    if (const types::Type* type = types::find_dtype(of.text)) return typed(type, call.span);
    report(of.span, diag::UnknownType, of.text);
    return error(call.span);
  }
  const types::Type* python = of.is(Kind::kPath) ? python_class(of.text) : nullptr;
  const types::Type* type = python ? python : to_type(of);
  return type ? typed(type, call.span) : error(call.span);
}

// typeof(1.0)
Value Evaluator::type_of(const Value& value) {
  switch (value.kind) {
    case Kind::kBool:
      return typed(types::boolean(), value.span);
    case Kind::kInt:
      return typed(types::int64(), value.span);
    case Kind::kFloat:
      return typed(types::float64(), value.span);
    case Kind::kComplex:
      return typed(types::complex128(), value.span);
    case Kind::kNone:
      return typed(types::none(), value.span);
    case Kind::kTuple: {
      std::vector<const types::Type*> items;
      for (const Value& item : value.items) {
        const Value one = type_of(item);
        if (one.is_error()) return one;
        items.push_back(one.type);
      }
      return typed(types::tuple(std::move(items)), value.span);
    }
    default:
      break;
  }
  report(value.span, diag::NotConstantType, spell(value.span));
  return error(value.span);
}

}  // namespace pyk2cu::signature
