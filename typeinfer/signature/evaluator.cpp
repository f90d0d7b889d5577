// Walks an expression and says what value it has in the world of types.
//
// In:   an expression.  Out: its value; after a diagnostic, an error value that absorbs the rest.
// Tested by tests/unit/typeinfer/signature_test.cpp.
#include "typeinfer/signature/evaluator.h"

#include <fmt/format.h>

#include <cctype>

#include "frontend/parse/parser.h"

namespace pyk2cu::signature {

using Kind = Value::Kind;

namespace {

constexpr int kMaxSteps = 100000;    // names can double what they stand for, line by line
constexpr size_t kMaxItems = 10000;  // of a sequence

// Arrays hold scalars.
std::string_view not_an_element(const types::Type* type) {
  return type->is_tuple()      ? "an array of tuples"
         : type->is_optional() ? "an array of optionals"
                               : "an array of nothing";
}

bool is_sequence(const Value& value) { return value.is(Kind::kTuple) || value.is(Kind::kList); }

}  // namespace

Value Evaluator::evaluate(const ast::Expr& expr) {
  const Span span = expr.span;
  if (++steps_ > kMaxSteps) {
    if (steps_ == kMaxSteps + 1) report(span, diag::NotConstantType, spell(span));
    return error(span);
  }
  switch (expr.kind) {
    case ast::Kind::kName:
      return name(*ast::as<ast::Name>(expr));
    case ast::Kind::kAttribute:
      return attribute(*ast::as<ast::Attribute>(expr));
    case ast::Kind::kConstant:
      return constant(*ast::as<ast::Constant>(expr));
    case ast::Kind::kCall:
      return call(*ast::as<ast::Call>(expr));
    case ast::Kind::kSubscript:
      return subscript(*ast::as<ast::Subscript>(expr));
    case ast::Kind::kTuple:
      return sequence(ast::as<ast::Tuple>(expr)->elts, span, Kind::kTuple);
    case ast::Kind::kList:
      return sequence(ast::as<ast::List>(expr)->elts, span, Kind::kList);
    case ast::Kind::kBinOp:
      return binary(*ast::as<ast::BinOp>(expr));
    case ast::Kind::kListComp: {
      const auto& e = *ast::as<ast::ListComp>(expr);
      return comprehension(*e.elt, e.generators, span);
    }
    case ast::Kind::kGeneratorExp: {
      const auto& e = *ast::as<ast::GeneratorExp>(expr);
      return comprehension(*e.elt, e.generators, span);
    }
    case ast::Kind::kJoinedStr:
      return format(*ast::as<ast::JoinedStr>(expr));
    case ast::Kind::kNamedExpr:
      return evaluate(*ast::as<ast::NamedExpr>(expr)->value);
    case ast::Kind::kUnaryOp: {
      const auto& e = *ast::as<ast::UnaryOp>(expr);
      Value value = evaluate(*e.operand);
      if (value.is(Kind::kInt) && e.op == ast::UnaryOperator::kUAdd) return value;
      if (value.is(Kind::kInt) && e.op == ast::UnaryOperator::kUSub) {
        value.integer = static_cast<long long>(-static_cast<unsigned long long>(value.integer));
        value.span = span;
        return value;
      }
      if (value.is_error() || value.is(Kind::kFloat) || value.is(Kind::kComplex)) return value;
      break;
    }
    default:
      break;
  }
  report(span, diag::NotConstantType, spell(span));
  return error(span);
}

Value Evaluator::constant(const ast::Constant& e) {
  Value value{.kind = Kind::kNone, .span = e.span, .literal = &e};
  switch (e.value.tag) {
    case ast::ConstantValue::kNone:
      return value;
    case ast::ConstantValue::kBool:
      value.kind = Kind::kBool;
      value.integer = e.value.boolean;
      return value;
    case ast::ConstantValue::kInt:
      value.kind = Kind::kInt;
      value.integer = static_cast<long long>(e.value.integer);
      return value;
    case ast::ConstantValue::kStr:
      value.kind = Kind::kStr;
      value.text = e.value.text;
      return value;
    case ast::ConstantValue::kFloat:
      value.kind = Kind::kFloat;
      return value;
    case ast::ConstantValue::kImaginary:
      value.kind = Kind::kComplex;
      return value;
    default:
      break;
  }
  report(e.span, diag::NotAType, spell(e.span), "a constant");
  return error(e.span);
}

// What a text says of a part: of strings, numbers and scalar types.
std::optional<std::string> Evaluator::shown(const Value& value) {
  if (value.is(Kind::kType) && value.type->is_scalar()) return types::print(value.type);
  if (value.is(Kind::kInt)) return std::to_string(value.integer);
  if (value.is(Kind::kStr)) return value.text;
  return std::nullopt;
}

// f"void({name}[:])"
Value Evaluator::format(const ast::JoinedStr& e) {
  Value whole{.kind = Kind::kStr, .span = e.span};
  for (const ast::Expr* part : e.values) {
    const auto* field = ast::as<ast::FormattedValue>(part);
    const Value value = evaluate(field ? *field->value : *part);
    if (value.is_error()) return error(e.span);
    const bool plain = !field || (!field->format_spec && field->conversion < 0);
    const auto text = plain ? shown(value) : std::nullopt;
    if (!text || whole.text.size() + text->size() > kMaxItems) {
      report(part->span, diag::NotConstantType, spell(part->span));
      return error(e.span);
    }
    whole.text += *text;
  }
  return whole;
}

// "void({}[:], {0})".format(name): of fields without a format; "void(%s[:])" % name: of %s and %d.
Value Evaluator::format(const std::string& pattern, const std::vector<Value>& given, bool percent,
                        Span span) {
  Value whole{.kind = Kind::kStr, .span = span};
  size_t next = 0;
  bool fits = true;
  for (size_t k = 0; k < pattern.size() && fits; ++k) {
    const char c = pattern[k];
    const bool opens = percent ? c == '%' : c == '{';
    const char behind = k + 1 < pattern.size() ? pattern[k + 1] : '\0';
    if (c == behind && (opens || (!percent && c == '}'))) ++k;  // %%, {{, }}
    if (!opens || c == behind) {
      fits = c == behind || percent || c != '}';
      whole.text += c;
      continue;
    }
    size_t which = next;
    if (percent) {
      fits = behind == 's' || behind == 'd' || behind == 'i';
      ++k;
    } else {
      const size_t close = pattern.find('}', k);
      const std::string name = pattern.substr(k + 1, close - k - 1);
      fits = close != pattern.npos && name.size() <= 1 &&
             (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])));
      if (fits && !name.empty()) which = size_t(name[0] - '0');
      k = close;
    }
    const auto text = fits && which < given.size() ? shown(given[which]) : std::nullopt;
    fits = text && whole.text.size() + text->size() < kMaxItems;
    if (fits) whole.text += *text;
    ++next;
  }
  if (fits && (!percent || next == given.size())) return whole;
  report(span, diag::NotConstantType, spell(span));
  return error(span);
}

Value Evaluator::attribute(const ast::Attribute& e) {
  Value value = evaluate(*e.value);
  if (value.is_error()) return value;
  if (value.is(Kind::kPath)) return resolve(value.text + "." + std::string(e.attr.str()), e.span);
  if (value.is(Kind::kType) && value.type->is_array() && e.attr == "dtype")
    return typed(value.type->elem, e.span);
  report(e.span, diag::NotConstantType, spell(e.span));
  return error(e.span);
}

void Evaluator::append(const ast::Expr& elt, std::vector<Value>& items) {
  const auto* starred = ast::as<ast::Starred>(elt);
  if (!starred) return items.push_back(evaluate(elt));
  Value many = evaluate(*starred->value);
  if (is_sequence(many)) {
    for (Value& item : many.items) items.push_back(std::move(item));
  } else {
    if (!many.is_error()) report(elt.span, diag::NotConstantType, spell(elt.span));
    items.push_back(error(elt.span));
  }
}

Value Evaluator::sequence(ast::Exprs elts, Span span, Kind kind) {
  Value value{.kind = kind, .span = span};
  for (const ast::Expr* elt : elts) append(*elt, value.items);
  return value;
}

// float64[:, ::1]     sigs[0]     tuple[int, float]
Value Evaluator::subscript(const ast::Subscript& e) {
  Value value = evaluate(*e.value);
  if (value.is_error()) return value;
  if (value.is(Kind::kPath)) {
    const types::Type* python = annotation_ ? python_class(value.text) : nullptr;
    if (python) return array_of(python, e);
    return generic(value.text, e);
  }
  if (value.is(Kind::kType) && value.type->is_tuple() && ast::is<ast::Constant>(*e.slice)) {
    const Value index = evaluate(*e.slice);  // UniTuple(f8, 2)[0] is f8
    const auto i = static_cast<unsigned long long>(index.integer);
    if (index.is(Kind::kInt) && i < value.type->items.size())
      return typed(value.type->items[i], e.span);
  }
  if (value.is(Kind::kType)) return array_of(value.type, e);
  if (is_sequence(value)) {
    const Value index = evaluate(*e.slice);
    const long long size = static_cast<long long>(value.items.size());
    const long long i = index.integer < 0 ? index.integer + size : index.integer;
    if (index.is(Kind::kInt) && i >= 0 && i < size) return value.items[static_cast<size_t>(i)];
    if (index.is_error()) return index;
  }
  report(e.span, diag::NotConstantType, spell(e.span));
  return error(e.span);
}

// `:` or `::1`; anything else is a mistake.
bool Evaluator::check_dimension(const ast::Expr& dim, bool& contiguous) {
  contiguous = false;
  const auto* slice = ast::as<ast::Slice>(dim);
  if (slice && !slice->lower && !slice->upper) {
    if (!slice->step) return true;
    const Value step = evaluate(*slice->step);
    if (step.is_error()) return false;
    contiguous = step.is(Kind::kInt) && step.integer == 1;
    if (contiguous) return true;
    if (step.is(Kind::kInt)) {
      report(dim.span, diag::IdleContiguity, spell(dim.span), "says no more than `:` in a type");
      return true;
    }
  }
  auto said = report(dim.span, diag::BadDimension, spell(dim.span));
  if (!can_fix()) return false;
  if (!ast::is<ast::Constant>(dim) ||
      ast::as<ast::Constant>(dim)->value.tag != ast::ConstantValue::kEllipsis)
    said.fix(dim.span, ":");
  return false;
}

Value Evaluator::array_of(const types::Type* elem, const ast::Subscript& e) {
  std::vector<const ast::Expr*> dims{e.slice};
  if (const auto* tuple = ast::as<ast::Tuple>(*e.slice))
    dims.assign(tuple->elts.begin(), tuple->elts.end());
  std::vector<bool> inner(dims.size());
  bool fine = !dims.empty() && dims.size() <= 64;
  if (!fine) report(e.slice->span, diag::BadDimension, spell(e.slice->span));
  for (size_t i = 0; i < dims.size(); ++i) {
    bool contiguous = false;
    fine = check_dimension(*dims[i], contiguous) && fine;
    inner[i] = contiguous;
  }
  if (!fine) return error(e.span);
  if (elem->is_array()) {
    auto said = report(e.span, diag::ArrayOfArrays, types::print(elem));
    const auto* base = ast::as<ast::Subscript>(*e.value);
    if (base && can_fix()) {
      const int rank = elem->rank + static_cast<int>(dims.size());
      said.fix({base->value->span.end, e.span.end},
               types::print(types::array(types::float64(), rank, types::Layout::kA)).substr(7));
    }
    return error(e.span);
  }
  if (!elem->is_element()) {
    report(e.span, diag::NotAType, spell(e.span), not_an_element(elem));
    return error(e.span);
  }
  // As Numba reads it: the first `::1` is Fortran order, the last C, one in between says nothing.
  types::Layout layout = types::Layout::kA;
  if (inner.front() && dims.size() > 1) {
    layout = types::Layout::kF;
  } else if (inner.back()) {
    layout = types::Layout::kC;
  }
  for (size_t i = 1; i < dims.size(); ++i) {
    if (!inner[i] || (i + 1 == dims.size() && layout == types::Layout::kC)) continue;
    report(dims[i]->span, diag::IdleContiguity, spell(dims[i]->span),
           layout == types::Layout::kF ? "is ignored: the first dimension is contiguous already"
                                       : "is ignored: only the first or the last dimension can be "
                                         "contiguous");
  }
  return typed(types::array(elem, static_cast<int>(dims.size()), layout), e.span);
}

// (f8,) * 3     [a] + [b]     "void(" + "f8)"     int | None
Value Evaluator::binary(const ast::BinOp& e) {
  Value left = evaluate(*e.left);
  Value right = evaluate(*e.right);
  if (left.is_error() || right.is_error()) return error(e.span);
  if (e.op == ast::Operator::kBitOr && annotation_) return optional_of(left, right, e.span);
  if (e.op == ast::Operator::kMod && left.is(Kind::kStr))
    return format(left.text, right.is(Kind::kTuple) ? right.items : std::vector<Value>{right}, true,
                  e.span);
  if (e.op == ast::Operator::kAdd && left.kind == right.kind) {
    if (left.is(Kind::kStr) && left.text.size() + right.text.size() < kMaxItems) {
      return {.kind = Kind::kStr, .span = e.span, .text = left.text + right.text};
    }
    if (is_sequence(left) && left.items.size() + right.items.size() < kMaxItems) {
      left.items.insert(left.items.end(), right.items.begin(), right.items.end());
      left.span = e.span;
      return left;
    }
  }
  if (left.is(Kind::kInt) && right.is(Kind::kInt)) {
    const auto a = static_cast<unsigned long long>(left.integer);
    const auto b = static_cast<unsigned long long>(right.integer);
    const bool known =
        e.op == ast::Operator::kAdd || e.op == ast::Operator::kSub || e.op == ast::Operator::kMult;
    left.integer = static_cast<long long>(e.op == ast::Operator::kAdd   ? a + b
                                          : e.op == ast::Operator::kSub ? a - b
                                                                        : a * b);
    left.span = e.span;
    if (known) return left;
  }
  if (right.kind != Kind::kInt) std::swap(left, right);
  if (e.op == ast::Operator::kMult && is_sequence(left) && right.is(Kind::kInt) &&
      right.integer <= 100 && left.items.size() <= 100) {
    Value many{.kind = left.kind, .span = e.span};
    for (long long i = 0; i < right.integer; ++i)
      many.items.insert(many.items.end(), left.items.begin(), left.items.end());
    return many;
  }
  report(e.span, diag::NotConstantType, spell(e.span));
  return error(e.span);
}

bool Evaluator::bind(const ast::Expr& target, const Value& value) {
  if (const auto* simple = ast::as<ast::Name>(target)) {
    bound_.emplace_back(simple->id, value);
    return true;
  }
  const auto* tuple = ast::as<ast::Tuple>(target);
  if (!tuple || tuple->elts.size() != value.items.size()) return false;
  for (size_t i = 0; i < tuple->elts.size(); ++i)
    if (!bind(*tuple->elts[i], value.items[i])) return false;
  return true;
}

// [f(t, t) for t in (f4, f8)]: one generator, no condition.
Value Evaluator::comprehension(const ast::Expr& elt, std::span<ast::Comprehension*> generators,
                               Span span) {
  Value result{.kind = Kind::kList, .span = span};
  if (generators.empty()) return result;
  const ast::Comprehension& first = *generators.front();
  const Value domain = evaluate(*first.iter);
  if (domain.is_error()) return domain;
  const bool known = is_sequence(domain) && first.ifs.empty() && domain.items.size() <= 200 &&
                     generators.size() <= 3;
  const size_t mark = bound_.size();
  for (size_t i = 0; known && i < domain.items.size(); ++i) {
    if (!bind(*first.target, domain.items[i])) break;
    if (generators.size() == 1) {
      result.items.push_back(evaluate(elt));
    } else {
      Value inner = comprehension(elt, generators.subspan(1), span);
      result.items.insert(result.items.end(), inner.items.begin(), inner.items.end());
    }
    bound_.erase(bound_.begin() + static_cast<long>(mark), bound_.end());
    if (result.items.size() > kMaxItems) return error(span);
    if (!result.items.empty() && result.items.back().is_error()) return error(span);
  }
  if (known && bound_.size() == mark) return result;
  bound_.erase(bound_.begin() + static_cast<long>(mark), bound_.end());
  report(span, diag::NotConstantType, spell(span));
  return error(span);
}

std::string Evaluator::spell(Span span) const {
  if (span.begin < file_->base || span.end < span.begin) return {};
  const size_t begin = span.begin - file_->base;
  if (begin > file_->text.size()) return {};
  std::string text = file_->text.substr(begin, span.size());
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

}  // namespace pyk2cu::signature
