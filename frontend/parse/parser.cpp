// The parser's ground: tokens, mistakes, recovery; and the entry parse().
//
// In:   a file.  Out: its module, its mistakes in diags (codes PK1001…PK1012).
// Rule: one mistake, one diagnostic. A mistake of the lexer in the same logical line comes before
// the
//       parser's, as in CPython.
// Tested by tests/unit/frontend/parse_error_test.cpp, tests/run/test_dump_ast.py.
#include "frontend/parse/parser.h"

#include <fmt/format.h>

#include "frontend/lex/unicode.h"
#include "frontend/parse/parser_impl.h"

namespace pyk2cu::frontend {
namespace {

constexpr Token kPanicToken{Tok::kPanic};

}  // namespace

Module parse(const SourceFile& file, Diagnostics& diags) {
  if (const size_t bad = unicode::first_invalid(file.text); bad != std::string_view::npos) {
    const auto at = file.base + static_cast<uint32_t>(bad);
    diags.report({at, at + 1}, diag::BadEncoding,
                 fmt::format("invalid UTF-8: byte 0x{:02x} begins no character",
                             static_cast<unsigned char>(file.text[bad])));
    Module module;
    module.file = &file;
    return module;
  }
  return Parser(file, diags).run();
}

Parser::Parser(const SourceFile& file, Diagnostics& diags)
    : file_(file), diags_(diags), stream_(lex(file)), tok_(stream_.tokens.data()) {}

Module Parser::run() {
  std::vector<Stmt*> body;
  do statements(body);
  while (accept(Tok::kDedent));  // one too many after a mistake
  Module module;
  module.body = list(body);
  module.file = &file_;
  module.node_count = nodes_;
  module.comments = std::move(stream_.comments);
  module.arena = std::move(arena_);
  return module;
}

uint32_t Parser::last_end() const {
  const Token* t = panic_ ? failed_at_ : tok_;
  while (t > stream_.tokens.data()) {
    --t;
    const bool layout = t->kind <= Tok::kDedent || t->kind == Tok::kError;
    if (!layout) return t->end;
  }
  return 0;
}

int Parser::line(uint32_t offset) const {
  int n = 1;
  for (uint32_t i = 0; i < offset; ++i) {
    const char c = file_.text[i];
    if (c == '\n' || (c == '\r' && file_.text[i + 1] != '\n')) ++n;
  }
  return n;
}

void Parser::expect_forced(Tok k) {
  if (accept(k)) return;
  if (at(Tok::kError)) return fail();
  if (!panic_) fail(span(*tok_), fmt::format("expected '{}'", text_of(k)));
}

void Parser::report(Mistake mistake, Span where, const std::string& message) {
  switch (mistake) {
    case Mistake::kSyntax:
      diags_.report(where, diag::SyntaxError, message);
      return;
    case Mistake::kEncoding:
      diags_.report(where, diag::BadEncoding, message);
      return;
    case Mistake::kNul:
      diags_.report(where, diag::NulByte, message);
      return;
    case Mistake::kNesting:
      diags_.report(where, diag::NestedTooDeep, message);
      return;
    case Mistake::kUnterminated:
      diags_.report(where, diag::UnterminatedString, message);
      return;
    case Mistake::kIndentation:
      diags_.report(where, diag::BadIndentation, message);
      return;
    case Mistake::kPython2:
      diags_.report(where, diag::Python2Syntax, message)
          .help("this is Python 2; pyk2cu reads Python 3");
      return;
    case Mistake::kBracket:
      diags_.report(where, diag::UnbalancedBracket, message);
      return;
    case Mistake::kTarget:
      diags_.report(where, diag::BadTarget, message);
      return;
    case Mistake::kLiteral:
      diags_.report(where, diag::BadLiteral, message);
      return;
  }
}

void Parser::report(const LexError& e) { report(e.mistake, span(e.begin, e.end), e.message); }

void Parser::panic() {
  failed_at_ = tok_;
  tok_ = &kPanicToken;
  panic_ = true;
}

void Parser::fail() {
  if (panic_) return;
  const Token& t = *tok_;
  if (t.kind == Tok::kIndent) return fail(span(t), "unexpected indent", Mistake::kIndentation);
  if (t.kind == Tok::kDedent) return fail(span(t), "unexpected unindent", Mistake::kIndentation);
  if (t.kind == Tok::kLessGreater) return fail(span(t), "invalid syntax", Mistake::kPython2);
  fail(t.kind == Tok::kError ? Span{} : span(t), "invalid syntax");
}

void Parser::fail(Span where, std::string message, Mistake mistake) {
  if (panic_) return;
  if (!silent_) {
    if (const LexError* first = error_in_line()) {
      report(*first);
    } else {
      report(mistake, where, message);
    }
  }
  panic();
}

void Parser::too_deep() {
  if (panic_) return;
  fail(span(tok_->begin, tok_->begin), "nested too deeply", Mistake::kNesting);
}

const LexError* Parser::error_in_line() const {
  if (at(Tok::kError)) return &stream_.errors[tok_->end];
  for (const Token* t = tok_; t->kind != Tok::kNewline && t->kind != Tok::kEnd; ++t)
    if (t->kind == Tok::kError && !stream_.errors[t->end].goes_on) return &stream_.errors[t->end];
  return nullptr;
}

void Parser::skip_soft_errors() {
  while (at(Tok::kError) && stream_.errors[tok_->end].goes_on) {
    if (!silent_) report(stream_.errors[tok_->end]);
    ++tok_;
  }
}

// Goes behind the statement that failed: its line, its block, and the clauses that belong to it.
void Parser::recover(const Token* start) {
  const Token* t = failed_at_;
  panic_ = false;
  int depth = 0;
  for (bool more = true; more; ++t) {
    switch (t->kind) {
      case Tok::kEnd:
        more = false, --t;
        break;
      case Tok::kIndent:
        ++depth;
        break;
      case Tok::kDedent:
        if (depth == 0) {
          more = false, --t;
        } else {
          --depth;
        }
        break;
      default:
        break;
    }
    const bool line_ended = t->kind == Tok::kNewline || (t->kind == Tok::kDedent && more);
    if (!line_ended || depth > 0) continue;
    const Tok after = t[1].kind;
    more = after == Tok::kIndent || after == Tok::kElse || after == Tok::kElif ||
           after == Tok::kExcept || after == Tok::kFinally;
  }
  tok_ = t;
  if (tok_ <= start && !at(Tok::kDedent) && !at(Tok::kEnd)) tok_ = start + 1;
}

void Parser::rewind(Mark m) {
  tok_ = m.tok;
  nodes_ = m.nodes;
  panic_ = false;
}

Symbol Parser::symbol(const Token& t) const {
  return t.nonascii ? Symbol(unicode::nfkc(text(t))) : Symbol(text(t));
}

Symbol Parser::name() {
  if (!at(Tok::kName)) {
    fail();
    return {};
  }
  return symbol(*tok_++);
}

Expr* Parser::nothing() { return make<Constant>(Span{}, ConstantValue{}, Symbol{}); }

}  // namespace pyk2cu::frontend
