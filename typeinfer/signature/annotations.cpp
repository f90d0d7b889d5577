// Python's own spellings of types, which annotations use: int, T | None, tuple[int, float].
//
// In:   classes and generics.  Out: types: int is int64, float float64, complex complex128.
// Rule: only where annotations stand; in a signature Python's classes are mistakes, as in Numba.
// Tested by tests/unit/typeinfer/signature_test.cpp.
#include "typeinfer/signature/evaluator.h"

namespace pyk2cu::signature {

using Kind = Value::Kind;

const types::Type* Evaluator::python_class(std::string_view name) const {
  if (name == "int") return types::int64();
  if (name == "float") return types::float64();
  if (name == "complex") return types::complex128();
  if (name == "bool") return types::boolean();
  return nullptr;
}

// T | None
Value Evaluator::optional_of(Value a, Value b, Span span) {
  if (a.is(Kind::kNone)) std::swap(a, b);
  const types::Type* type = to_type(a);
  if (!type) return error(span);
  if (b.is(Kind::kNone)) return typed(types::optional(type), span);
  const types::Type* other = to_type(b);
  if (other) report(span, diag::UnsupportedType, spell(span));
  return error(span);
}

// tuple[int, float]     tuple[()]     Optional[float]     Union[float, None]     Final[int]
Value Evaluator::generic(const std::string& path, const ast::Subscript& e) {
  std::vector<const ast::Expr*> args{e.slice};
  if (const auto* tuple = ast::as<ast::Tuple>(*e.slice))
    args.assign(tuple->elts.begin(), tuple->elts.end());
  const bool final = path == "typing.Final" || path == "typing.Annotated";
  const bool known = path == "tuple" || path == "typing.Tuple" || path == "typing.Optional" ||
                     path == "typing.Union" || final;
  if (!known || (!annotation_ && path == "tuple")) {
    to_type({.kind = Kind::kPath, .span = e.value->span, .text = path});
    return error(e.span);
  }
  std::vector<Value> values;
  for (const ast::Expr* arg : args) {
    values.push_back(evaluate(*arg));
    if (values.back().is_error()) return error(e.span);
    if (final) break;
  }
  if (path == "typing.Union" && values.size() == 2)
    return optional_of(values[0], values[1], e.span);
  if (path == "typing.Union" || (values.size() != 1 && path == "typing.Optional")) {
    report(e.span, diag::UnsupportedType, spell(e.span));
    return error(e.span);
  }
  std::vector<const types::Type*> items;
  for (const Value& value : values) {
    items.push_back(to_type(value));
    if (!items.back()) return error(e.span);
  }
  if (final) return typed(items[0], e.span);
  if (path == "typing.Optional") return typed(types::optional(items[0]), e.span);
  return typed(types::tuple(std::move(items)), e.span);
}

}  // namespace pyk2cu::signature
