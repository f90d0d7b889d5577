// The door to the evaluator: from values to types and signatures.
//
// In:   expressions or texts.  Out: signatures; nothing after a diagnostic.
// Tested by tests/unit/typeinfer/signature_test.cpp.
#include "typeinfer/signature/signature.h"

#include <fmt/format.h>

#include <algorithm>

#include "typeinfer/signature/evaluator.h"
#include "typeinfer/types/records.h"

namespace pyk2cu::signature {

using Kind = Value::Kind;

std::string_view Evaluator::describe(const Value& value) const {
  switch (value.kind) {
    case Kind::kType:
      return "a type";
    case Kind::kSignature:
      return "a signature";
    case Kind::kTuple:
      return "a tuple";
    case Kind::kList:
      return "a list";
    case Kind::kInt:
    case Kind::kFloat:
    case Kind::kComplex:
      return "a number";
    case Kind::kBool:
      return "a truth value";
    case Kind::kStr:
      return "a string";
    case Kind::kFieldClass:
      return "a namedtuple class";
    default:
      break;
  }
  return "a value";
}

namespace {

constexpr std::string_view kStringHelp =
    "a function is compiled for each string that it takes: write the value, `literal('sum')`";

// What to write where a type is of no use here.
std::string_view instead_of(std::string_view type) {
  constexpr std::string_view kStrings[] = {"unicode_type", "UnicodeType", "string", "StringLiteral",
                                           "py2_string_type"};
  constexpr std::string_view kFunctions[] = {"Function", "FunctionType", "Dispatcher",
                                             "BoundFunction", "pyfunc_type"};
  if (std::ranges::find(kStrings, type) != std::end(kStrings)) return kStringHelp;
  return std::ranges::find(kFunctions, type) == std::end(kFunctions) ? "" : kFunctionHelp;
}

}  // namespace

const types::Type* Evaluator::path_type(const Value& value) {
  const std::string_view path = value.text;
  if (const types::Type* type = python_class(path)) {
    if (annotation_) return type;
    auto said = report(value.span, diag::PythonClass, path);
    if (can_fix()) said.fix(value.span, std::string(numba_name_of_class(path)));
    return nullptr;
  }
  if (path.find('.') == path.npos) {
    if (annotation_) {
      report(value.span, diag::UnsupportedType, path);
    } else {
      auto said = report(value.span, diag::PythonClass, path);
      const std::string_view help = help_on_container(path);
      if (!help.empty()) said.help(std::string(help));
    }
    return nullptr;
  }
  const std::string_view name = path.substr(path.rfind('.') + 1);
  const NumbaName what =
      path.starts_with("numba.") ? classify_numba_name(name) : NumbaName::kUnknown;
  if (what == NumbaName::kUnsupported) {
    auto said = report(value.span, diag::UnsupportedType, name);
    if (const std::string_view help = instead_of(name); !help.empty()) said.help(std::string(help));
  } else if (what == NumbaName::kMaker) {
    auto said = report(value.span, diag::NotAType, spell(value.span), "what makes types");
    const std::string_view help = help_on_container(name);
    if (!help.empty()) said.help(std::string(help));
  } else if (what == NumbaName::kModule) {
    report(value.span, diag::NotAType, spell(value.span), "a module");
  } else {
    auto said = report(value.span, diag::NotConstantType, spell(value.span));
    if (name == "ndarray" || name == "NDArray" || name == "ArrayLike")
      said.help("an array type names its elements and dimensions: `float64[:,:]`");
  }
  return nullptr;
}

const types::Type* Evaluator::to_type(const Value& value) {
  switch (value.kind) {
    case Kind::kType:
      return value.type;
    case Kind::kError:
      return nullptr;
    case Kind::kPath:
      return path_type(value);
    case Kind::kNone: {
      if (annotation_) return types::none();
      auto said = report(value.span, diag::NotAType, "None", "a value");
      if (can_fix()) said.fix(value.span, "none");
      return nullptr;
    }
    case Kind::kStr:
      if (!annotation_) break;
      if (const types::Type* type = types::find_dtype(value.text)) return type;
      return to_type(evaluate_string(value));
    default:
      break;
  }
  const std::string text = spell(value.span);
  auto said = report(value.span, diag::NotAType, text, describe(value));
  const bool whole = can_fix() && text.size() < 55;
  if (value.is(Kind::kTuple) && whole) said.fix(value.span, fmt::format("Tuple({})", text));
  if (value.is(Kind::kStr) && whole) said.fix(value.span, value.text);
  if (value.is(Kind::kSignature)) said.help(std::string(kFunctionHelp));
  return nullptr;
}

const types::Type* Evaluator::to_value_type(const Value& value) {
  const types::Type* type = to_type(value);
  return type ? types::as_value(type) : nullptr;
}

void Evaluator::to_signatures(const Value& value, std::vector<Signature>& out) {
  switch (value.kind) {
    case Kind::kError:
    case Kind::kNone:
      return;
    case Kind::kSignature:
      return out.push_back(value.signature);
    case Kind::kStr:
      return to_signatures(evaluate_string(value), out);
    case Kind::kTuple: {
      const bool several = !value.items.empty() && std::ranges::all_of(value.items, [](auto& item) {
        return item.is(Kind::kStr) || item.is(Kind::kSignature) || item.is(Kind::kTuple);
      });
      if (several) break;
      Signature signature{.span = value.span};
      for (const Value& item : value.items) {
        signature.params.push_back(to_value_type(item));
        signature.param_spans.push_back(item.span);
      }
      if (std::ranges::find(signature.params, nullptr) == signature.params.end())
        out.push_back(std::move(signature));
      return;
    }
    case Kind::kList:
      break;
    default: {
      if (value.is(Kind::kPath) && !path_type(value)) return;
      const std::string text = spell(value.span);
      auto said = report(value.span, diag::NotASignature, text, describe(value));
      if (value.is(Kind::kType) && can_fix()) said.fix(value.span, fmt::format("({},)", text));
      return;
    }
  }
  for (const Value& item : value.items) {
    if (item.is(Kind::kList)) {
      report(item.span, diag::NotASignature, spell(item.span), "a list");
    } else {
      to_signatures(item, out);
    }
  }
}

namespace {

// Of the names around a text: its named tuple classes, and which are functions.
struct TextNames : NoNames {
  explicit TextNames(const Names* names) : around(names) {}
  bool is_function(Symbol name) const override { return around && around->is_function(name); }
  const FieldClass* find_in_text(Symbol name) const override {
    return around ? around->find_fields(name) : nullptr;
  }
  const ast::Expr* find_assigned_in_text(Symbol name) const override {
    return around ? around->find_assigned(name) : nullptr;
  }
  const Names* home_of(Symbol name) const override {
    const Names* home = around ? around->home_of(name) : nullptr;
    return home ? home : around;
  }
  const Names* around;
};

// `all`, unless a mistake was reported since there were `before` errors.
std::vector<Signature> checked(std::vector<Signature> all, int before, const Diagnostics& diags) {
  if (diags.error_count() > before) all.clear();
  return all;
}

// Where `text` begins in the space of offsets.
uint32_t base_of(std::string_view text, const SourceFile& file) {
  const std::less<const char*> less;
  const char *begin = file.text.data(), *end = begin + file.text.size();
  const bool inside = !less(text.data(), begin) && !less(end, text.data());
  return file.base + (inside ? static_cast<uint32_t>(text.data() - begin) : 0);
}

bool is_name_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::vector<Signature> evaluate(const ast::Expr& expr, const Names& names, const SourceFile& file,
                                Diagnostics& diags) {
  const int before = diags.error_count();
  Evaluator evaluator(names, file, diags, false);
  std::vector<Signature> all;
  evaluator.to_signatures(evaluator.evaluate(expr), all);
  return checked(std::move(all), before, diags);
}

const types::Type* evaluate_type(const ast::Expr& expr, const Names& names, const SourceFile& file,
                                 Diagnostics& diags) {
  Evaluator evaluator(names, file, diags, true);
  return evaluator.to_type(evaluator.evaluate(expr));
}

std::vector<Signature> parse(std::string_view text, const SourceFile& file, Diagnostics& diags,
                             const Names* around) {
  const int before = diags.error_count();
  const TextNames names(around);
  Evaluator evaluator(names, file, diags, false);
  std::vector<Signature> all;
  evaluator.to_signatures(evaluator.evaluate_text(text, base_of(text, file)), all);
  return checked(std::move(all), before, diags);
}

const types::Type* parse_type(std::string_view text, const SourceFile& file, Diagnostics& diags,
                              const Names* around) {
  const TextNames names(around);
  Evaluator evaluator(names, file, diags, false);
  return evaluator.to_type(evaluator.evaluate_text(text, base_of(text, file)));
}

Named parse_named(std::string_view text, const SourceFile& file, Diagnostics& diags,
                  const Names* around) {
  const uint32_t base = base_of(text, file);
  const auto place = [&](size_t at) { return base + static_cast<uint32_t>(at); };
  const int before = diags.error_count();
  const size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  size_t end = begin;
  while (end < text.size() && (is_name_char(text[end]) || text[end] == '.')) ++end;
  const size_t next = std::min(text.find_first_not_of(" \t", end), text.size());
  const char what = next < text.size() ? text[next] : ' ';
  Named named{.name = {}, .name_span = {place(begin), place(end)}};
  if (begin == end || (what != '(' && what != '=')) {
    diags.report({place(begin), place(text.size())}, diag::SignatureSyntax, "no function's name")
        .help("write `f(float32[:], int64)` or `f = void(float32[:], int64)`");
    return named;
  }
  const TextNames names(around);
  Evaluator evaluator(names, file, diags, false);
  if (what == '=') {
    const Value value = evaluator.evaluate_text(text.substr(next + 1), place(next + 1));
    evaluator.to_signatures(value, named.signatures);
  } else {
    const size_t arrow = text.find("->", next);
    const size_t stop = std::min(arrow, text.size());
    Value value = evaluator.evaluate_text(text.substr(next, stop - next), place(next));
    // (float64) is one type in parentheses, and here means one parameter.
    if (value.is(Kind::kType) || value.is(Kind::kPath))
      value = {.kind = Kind::kTuple, .span = value.span, .items = {value}};
    evaluator.to_signatures(value, named.signatures);
    if (arrow != text.npos && !named.signatures.empty()) {
      const Value result = evaluator.evaluate_text(text.substr(arrow + 2), place(arrow + 2));
      const types::Type* type = evaluator.to_value_type(result);
      named.signatures[0].result = type && type->is_none() ? types::void_() : type;
      named.signatures[0].result_span = result.span;
    }
  }
  if (diags.error_count() > before) return {.name = {}, .name_span = named.name_span};
  named.name = Symbol(text.substr(begin, end - begin));
  return named;
}

bool names_type(std::string_view name) {
  const NumbaName meant = classify_numba_name(name);
  return meant == NumbaName::kScalar || meant == NumbaName::kNone ||
         meant == NumbaName::kUnsupported;
}

bool has_form(const types::Type* type, Span span, Diagnostics& diags) {
  const types::Type* part = types::part_without_form(type);
  if (!part) return true;
  auto said = diags.report(span, diag::UnsupportedType, types::print(part));
  if (part->is_str() && part == type) {
    said.help(std::string(kStringHelp));
  } else if (part->is_float()) {
    said.help("use float32: `a.astype(np.float32)` makes such an array in the caller");
  } else if (part->is_tuple()) {
    said.help("leave out what is None or a string");
  } else {
    said.help("such values exist only while compiling");
  }
  return false;
}

std::string print(const Signature& signature) {
  std::string params;
  for (const types::Type* param : signature.params)
    params += (params.empty() ? "" : ", ") + types::print(param);
  if (!signature.result && signature.params.size() == 1) params += ",";
  return fmt::format("{}({})", signature.result ? types::print(signature.result) : "", params);
}

}  // namespace pyk2cu::signature
