// Texts: a signature string is parsed where it stands in the user's file, so that carets point
// into it.
//
// In:   a string literal, or a text of a file.  Out: the value of the expression in it.
// Rule: what a literal holds must be what stands in the file; a literal with escapes, one made of
//       parts, and a computed string are parsed apart, and all their carets show the whole literal.
// Tested by tests/unit/typeinfer/signature_test.cpp and tests/fuzz/signature_fuzzer.cpp.
#include "frontend/parse/parser.h"
#include "typeinfer/signature/evaluator.h"

namespace pyk2cu::signature {

using Kind = Value::Kind;

namespace {

constexpr int kMaxDepth = 8;  // strings within strings

// The inside of a string literal as it is written; empty view at null when it is no single literal.
std::string_view inside(std::string_view raw) {
  size_t at = 0;
  while (at < raw.size() && raw[at] != '"' && raw[at] != '\'') ++at;
  if (at >= raw.size() || at > 2) return {};
  const size_t quotes =
      raw.substr(at, 3) == std::string(3, raw[at]) && raw.size() >= at + 6 ? 3 : 1;
  if (raw.size() < at + 2 * quotes) return {};
  return raw.substr(at + quotes, raw.size() - at - 2 * quotes);
}

void place(Value& value, Span span) {
  value.span = span;
  value.literal = nullptr;
  for (Value& item : value.items) place(item, span);
}

SourceFile window(const std::string& path, std::string_view text, uint32_t base) {
  SourceFile file{path, std::string(text), base};
  file.lines.push_back(0);
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') file.lines.push_back(static_cast<uint32_t>(i + 1));
  return file;
}

}  // namespace

// The one expression that the text holds, or null after a diagnostic.
const ast::Expr* Evaluator::parse_window(const SourceFile& text) {
  const auto whole = Span{text.base, text.base + static_cast<uint32_t>(text.text.size())};
  Diagnostics found;
  modules_.push_back(frontend::parse(text, found));
  const ast::Module& module = modules_.back();
  const size_t arrow = text.text.find("->");
  if (found.has_errors() && arrow != std::string::npos) {
    const uint32_t begin = text.base + static_cast<uint32_t>(arrow);
    report({begin, begin + 2}, diag::SignatureSyntax, "`->`")
        .help("the result stands before the arguments: `float64(int64)`");
    return nullptr;
  }
  if (found.has_errors()) {
    const Diagnostic* first = &found.all().front();
    for (const Diagnostic& d : found.all())
      if (d.severity == Severity::kError && d.span.begin < first->span.begin) first = &d;
    report(first->span.valid() ? first->span : whole, diag::SignatureSyntax, first->message);
    return nullptr;
  }
  if (module.body.empty()) {
    report(whole, diag::SignatureSyntax, "no types");
    return nullptr;
  }
  const auto* only = ast::as<ast::ExprStmt>(module.body.front());
  if (!only || module.body.size() > 1) {
    const ast::Stmt& odd = only ? *module.body[1] : *module.body[0];
    report(odd.span, diag::SignatureSyntax, "a statement");
    return nullptr;
  }
  const size_t rest = only->span.end - text.base;
  const size_t semicolon = text.text.find_first_not_of(" \t)", std::min(rest, text.text.size()));
  if (semicolon != std::string::npos && text.text[semicolon] == ';') {
    const uint32_t begin = text.base + static_cast<uint32_t>(semicolon);
    report({begin, begin + 1}, diag::SignatureSyntax, "`;`");
    return nullptr;
  }
  return only->value;
}

Value Evaluator::evaluate_text(std::string_view text, uint32_t base) {
  const size_t skip = std::min(text.find_first_not_of(" \t\r\n\f"), text.size());
  const size_t last = text.find_last_not_of(" \t\r\n\f");
  const std::string_view trimmed = text.substr(skip, skip < text.size() ? last + 1 - skip : 0);
  const SourceFile* outside = file_;
  const bool was_in_text = in_text_;
  const SourceFile& here = windows_.emplace_back(
      window(outside->path, trimmed, base + static_cast<uint32_t>(skip < text.size() ? skip : 0)));
  file_ = &here;
  in_text_ = true;
  ++depth_;
  const ast::Expr* expr = parse_window(here);
  Value value = expr ? evaluate(*expr) : error({base, base});
  --depth_;
  in_text_ = was_in_text;
  file_ = outside;
  return value;
}

Value Evaluator::evaluate_string(const Value& string) {
  if (depth_ >= kMaxDepth) {
    report(string.span, diag::NotConstantType, spell(string.span));
    return error(string.span);
  }
  if (string.literal) {
    const Span span = string.literal->span;
    const size_t begin = span.begin - file_->base;
    const bool here = span.begin >= file_->base && begin + span.size() <= file_->text.size();
    const std::string_view raw =
        here ? std::string_view(file_->text).substr(begin, span.size()) : std::string_view();
    const std::string_view written = inside(raw);
    if (written.data() && written == string.text)
      return evaluate_text(written,
                           span.begin + static_cast<uint32_t>(written.data() - raw.data()));
  }
  const Span was = outer_;
  if (!outer_.valid()) outer_ = string.span;
  Value value = evaluate_text(string.text, 1);
  place(value, outer_);
  outer_ = was;
  return value;
}

}  // namespace pyk2cu::signature
