// What names mean in a signature: numba.types, NumPy's scalars, Python's classes, the user's own.
//
// In:   a name, or the path that an import gives it.  Out: its value.
// Rule: a string is evaluated over numba.types alone, as Numba does; elsewhere the file's names
//       come first.
// Tested by tests/unit/typeinfer/signature_test.cpp.
#include <algorithm>
#include <utility>

#include "frontend/base/suggest.h"
#include "typeinfer/signature/evaluator.h"

namespace pyk2cu::signature {

using Kind = Value::Kind;

namespace {

constexpr std::string_view kMakers[] = {
    "Array",    "Tuple",    "UniTuple",   "NamedTuple",    "NamedUniTuple", "Optional",
    "optional", "typeof",   "from_dtype", "as_numba_type", "signature",     "literal",
    "List",     "ListType", "Record",     "NestedArray",
};

// Types of Numba that have no counterpart here yet.
constexpr std::string_view kUnsupported[] = {
    "Any",
    "ArrayCTypes",
    "ArrayFlags",
    "ArrayIterator",
    "BoundFunction",
    "Buffer",
    "ByteArray",
    "Bytes",
    "CPointer",
    "CharSeq",
    "ClassInstanceType",
    "ClassType",
    "DType",
    "DeferredType",
    "DictType",
    "Dispatcher",
    "EnumClass",
    "EnumMember",
    "EphemeralArray",
    "EphemeralPointer",
    "ExceptionClass",
    "ExternalFunctionPointer",
    "Function",
    "FunctionType",
    "Generator",
    "IntEnumClass",
    "IntEnumMember",
    "IntegerLiteral",
    "Literal",
    "LiteralList",
    "LiteralStrKeyDict",
    "MemInfoPointer",
    "MemoryView",
    "Module",
    "NPDatetime",
    "NPTimedelta",
    "NumberClass",
    "Object",
    "Omitted",
    "Opaque",
    "Poison",
    "PyArray",
    "PyObject",
    "RangeType",
    "RawPointer",
    "Set",
    "SetType",
    "SliceType",
    "StarArgTuple",
    "StarArgUniTuple",
    "StringLiteral",
    "StructRef",
    "TypeRef",
    "UndefVar",
    "Undefined",
    "UnicodeCharSeq",
    "UnicodeType",
    "UnionType",
    "VarArg",
    "code_type",
    "deferred_type",
    "ellipsis",
    "ffi",
    "ffi_forced_object",
    "npy_bitgen",
    "npy_rng",
    "py2_string_type",
    "pyfunc_type",
    "pyobject",
    "slice2_type",
    "slice3_type",
    "string",
    "undefined",
    "unicode_type",
    "unknown",
    "voidptr",
};

constexpr std::string_view kModules[] = {"types", "core", "cuda", "extending", "typing", "np"};

// Modules below numba whose attributes are types.
constexpr std::string_view kPrefixes[] = {
    "numba.core.types.",
    "numba.core.typing.",
    "numba.core.typing.templates.",
    "numba.cuda.types.",
    "numba.extending.",
    "numba.types.",
    "numba.typing.",
    "numba.core.",
    "numba.cuda.",
    "numba.",
};

template <size_t N>
bool contains(const std::string_view (&names)[N], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

constexpr std::string_view kClasses[] = {"int",   "float", "complex", "str", "bool",  "object",
                                         "bytes", "list",  "dict",    "set", "tuple", "type"};

// Names that other places have for types that exist here, or the widest there is.
std::string_view replacement(std::string_view name) {
  if (name == "long") return "int64";
  if (name == "float128" || name == "longdouble") return "float64";
  if (name == "complex256" || name == "clongdouble") return "complex128";
  return "";
}

}  // namespace

NumbaName classify_numba_name(std::string_view name) {
  if (types::find_scalar(name)) return NumbaName::kScalar;
  if (name == "void" || name == "none") return NumbaName::kNone;
  if (contains(kMakers, name)) return NumbaName::kMaker;
  if (contains(kUnsupported, name)) return NumbaName::kUnsupported;
  if (contains(kModules, name)) return NumbaName::kModule;
  return NumbaName::kUnknown;
}

std::span<const std::string_view> type_names() {
  static const std::vector<std::string_view> all = [] {
    const auto scalars = types::scalar_names();
    std::vector<std::string_view> names(scalars.begin(), scalars.end());
    names.insert(names.end(), {"void", "none"});
    names.insert(names.end(), std::begin(kMakers), std::end(kMakers));
    return names;
  }();
  return all;
}

std::string_view numba_name_of_class(std::string_view python_class) {
  if (python_class == "int") return "int64";
  if (python_class == "float") return "float64";
  if (python_class == "complex") return "complex128";
  if (python_class == "bool") return "boolean";
  return "";
}

std::string_view help_on_container(std::string_view name) {
  if (name == "list" || name == "List" || name == "ListType") return "write `List(int64)`";
  if (name == "set" || name == "Set") return "write `Set(int64)`";
  if (name == "dict" || name == "Dict" || name == "DictType")
    return "write `DictType(int64, float64)`";
  if (name == "tuple" || name == "Tuple") return "write `Tuple((int64, float64))`";
  return "";
}

Value Evaluator::name(const ast::Name& e) {
  const std::string_view text = e.id.str();
  for (size_t i = bound_.size(); i-- > 0;) {
    if (bound_[i].first != e.id) continue;
    Value value = bound_[i].second;
    value.span = e.span;
    return value;
  }
  if (in_text_) {
    if (text == "np") return resolve("numpy", e.span);
    const bool own_class = annotation_ && contains(kClasses, text);
    if (!own_class && classify_numba_name(text) != NumbaName::kUnknown)
      return resolve_numba(text, e.span);
  }
  const FieldClass* fields = in_text_ ? names_->find_in_text(e.id) : names_->find_fields(e.id);
  if (fields) {
    Value value{.kind = Kind::kFieldClass, .span = e.span, .name = fields->name};
    value.fields = fields->fields;
    return value;
  }
  const ast::Expr* expr =
      in_text_ ? names_->find_assigned_in_text(e.id) : names_->find_assigned(e.id);
  if (expr) return assigned(*expr, e.id, e.span);
  const std::string path = names_->qualified(e.id);
  if (!path.empty()) return resolve(path, e.span);
  if (contains(kClasses, text))
    return {.kind = Kind::kPath, .span = e.span, .text = std::string(text)};
  return unknown(text, e.span);
}

// sig = "void(f8[:])" ... @jit(sig)
Value Evaluator::assigned(const ast::Expr& expr, Symbol name, Span span) {
  if (std::ranges::find(resolving_, name) != resolving_.end()) {
    report(span, diag::NotConstantType, name.str());
    return error(span);
  }
  const Names* const names = names_;
  const SourceFile* const file = file_;
  if (const Names* home = names_->home_of(name); home && home->file())
    file_ = home->file(), names_ = home;
  const bool was_in_text = std::exchange(in_text_, false);
  resolving_.push_back(name);
  Value value = evaluate(expr);
  resolving_.pop_back();
  in_text_ = was_in_text;
  names_ = names, file_ = file;
  if (value.is(Kind::kType) || value.is(Kind::kPath)) value.span = span;
  return value;
}

// "numba.types.float32", "numpy.float64", "typing.Optional", "collections.namedtuple"
Value Evaluator::resolve(std::string path, Span span) {
  const std::string_view view = path;
  for (const std::string_view prefix : kPrefixes) {
    if (!view.starts_with(prefix)) continue;
    const std::string_view name = view.substr(prefix.size());
    if (name.find('.') != name.npos) break;
    return resolve_numba(name, span);
  }
  if (view.starts_with("numpy.")) {
    const std::string_view name = view.substr(6);
    if (const types::Type* type = types::find_numpy_scalar(name)) return typed(type, span);
  }
  if (view.starts_with("builtins.")) path = std::string(view.substr(9));
  return {.kind = Kind::kPath, .span = span, .text = std::move(path)};
}

Value Evaluator::resolve_numba(std::string_view name, Span span) {
  switch (classify_numba_name(name)) {
    case NumbaName::kScalar:
      return typed(types::find_scalar(name), span);
    case NumbaName::kNone:
      return typed(types::none(), span);
    case NumbaName::kMaker:
    case NumbaName::kUnsupported:
    case NumbaName::kModule:
      if (name == "np") return resolve("numpy", span);
      return {.kind = Kind::kPath, .span = span, .text = "numba." + std::string(name)};
    case NumbaName::kUnknown:
      break;
  }
  return unknown(name, span);
}

Value Evaluator::unknown(std::string_view name, Span span) {
  const Symbol symbol(name);
  if (!in_text_ && names_->is_host_value(symbol)) {
    report(span, diag::NotConstantType, name);
    return error(span);
  }
  auto said = report(span, diag::UnknownType, name);
  const auto size = static_cast<uint32_t>(name.size());
  const Span tail{span.size() < size ? span.begin : span.end - size, span.end};  // nb.`name`
  if (names_->is_function(symbol)) {
    said.help(std::string(kFunctionHelp));
  } else if (in_text_ && names_->find_assigned(symbol)) {
    said.help("a signature string sees the names of numba.types only: write it without quotes");
  } else if (classify_numba_name(name) != NumbaName::kUnknown) {
    said.help("from numba import " + std::string(name));
  } else if (const std::string_view help = help_on_container(name); !help.empty()) {
    said.help(std::string(help));
  } else if (const std::string_view known = replacement(name); !known.empty()) {
    if (can_fix()) said.fix(tail, std::string(known));
  } else if (const std::string_view near = closest(name, type_names()); !near.empty()) {
    if (can_fix()) said.fix(tail, std::string(near));
  }
  return error(span);
}

}  // namespace pyk2cu::signature
