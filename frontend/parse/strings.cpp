// String literals: escapes, f-strings with their fields, and the joining of adjacent literals.
//
// In:   string and f-string tokens.  Out: a Constant (str or bytes) or a JoinedStr, as CPython 3.13
// makes them. Tested by tests/unit/frontend/parse_literal_test.cpp, tests/run/test_dump_ast.py.
#include "frontend/lex/unicode.h"
#include "frontend/parse/parser_impl.h"

namespace pyk2cu::frontend {
namespace {

bool is_hex(char c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f'); }

const ConstantValue* text_constant(const Expr* e) {
  const auto* c = as<Constant>(e);
  return c && c->value.tag == ConstantValue::kStr ? &c->value : nullptr;
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// The value of up to three digits; moves `at` behind them.
uint32_t octal_escape(std::string_view source, size_t& at) {
  uint32_t value = 0;
  for (int n = 0; n < 3 && at < source.size() && is_octal(source[at]); ++n, ++at)
    value = value * 8 + static_cast<uint32_t>(source[at] - '0');
  return value;
}

}  // namespace

// strings: (STRING | fstring)+
Expr* Parser::strings() {
  const Depth depth(*this);
  const uint32_t first = begin();
  std::vector<Expr*> pieces;
  bool is_fstring = false, any_bytes = false, any_text = false;
  while (at(Tok::kString) || at(Tok::kFStringStart)) {
    if (at(Tok::kFStringStart)) {
      fstring(pieces);
      is_fstring = any_text = true;
    } else {
      Expr* piece = plain_string();
      if (panic_) return nothing();
      pieces.push_back(piece);
      (text_constant(piece) ? any_text : any_bytes) = true;
    }
  }
  if (panic_) return nothing();
  if (any_bytes && any_text) {
    fail(at(Tok::kError) ? span(first, first + 1) : span(*tok_),
         "cannot mix bytes and nonbytes literals", Mistake::kLiteral);
    return nothing();
  }
  if (pieces.size() == 1 && !is_fstring) return pieces[0];
  if (any_bytes) {
    std::string all;
    for (const Expr* e : pieces) all += as<Constant>(e)->value.text;
    return constant(from(first),
                    {.tag = ConstantValue::kBytes, .text = arena_.copy(std::string_view(all))});
  }
  return join_pieces(from(first), pieces, is_fstring);
}

// Neighbouring constants become one, which has the prefix of the first; within an f-string empty
// ones go.
Expr* Parser::join_pieces(Span where, const std::vector<Expr*>& pieces, bool is_fstring) {
  std::vector<Expr*> out;
  for (size_t i = 0; i < pieces.size();) {
    if (!text_constant(pieces[i])) {
      out.push_back(pieces[i++]);
      continue;
    }
    size_t end = i + 1;
    while (end < pieces.size() && text_constant(pieces[end])) ++end;
    Expr* joined = pieces[i];
    if (end > i + 1) {
      std::string all;
      for (size_t k = i; k < end; ++k) all += text_constant(pieces[k])->text;
      joined = constant(is_fstring ? join(pieces[i]->span, pieces[end - 1]->span) : where,
                        {.tag = ConstantValue::kStr, .text = arena_.copy(std::string_view(all))},
                        as<Constant>(pieces[i])->kind);
    }
    if (!is_fstring || !text_constant(joined)->text.empty()) out.push_back(joined);
    i = end;
  }
  if (!is_fstring) return out[0];
  return make<JoinedStr>(where, list(out));
}

// One STRING token.
Expr* Parser::plain_string() {
  const Token& token = *tok_;
  std::string_view source = text(token);
  bool raw = false, bytes = false;
  const bool u_prefix = source[0] == 'u';
  while (source[0] != '\'' && source[0] != '"') {
    raw |= (source[0] | 32) == 'r';
    bytes |= (source[0] | 32) == 'b';
    source.remove_prefix(1);
  }
  const size_t quotes =
      source.size() >= 6 && source[1] == source[0] && source[2] == source[0] ? 3 : 1;
  source = source.substr(quotes, source.size() - 2 * quotes);
  const Span where = span(token);
  if (bytes) {
    for (const char c : source) {
      if (static_cast<unsigned char>(c) < 128) continue;
      fail(where, "bytes can only contain ASCII literal characters", Mistake::kLiteral);
      return nothing();
    }
  }
  std::string value;
  if (!decode_text(source, raw, bytes, where, value)) return nothing();
  next();
  return constant(where,
                  {.tag = bytes ? ConstantValue::kBytes : ConstantValue::kStr,
                   .text = arena_.copy(std::string_view(value))},
                  u_prefix ? Symbol("u") : Symbol{});
}

// Text of an f-string between fields.
Expr* Parser::string_piece(Span where, std::string_view source, bool raw) {
  std::string value;
  if (!decode_text(source, raw, false, where, value)) return nothing();
  return constant(where,
                  {.tag = ConstantValue::kStr, .text = arena_.copy(std::string_view(value))});
}

// FSTRING_START (FSTRING_MIDDLE | field)* FSTRING_END
void Parser::fstring(std::vector<Expr*>& pieces) {
  const std::string_view prefix = text(*tok_).substr(0, 2);
  const bool raw = prefix.find_first_of("rR") != std::string_view::npos;
  next();
  for (;;) {
    if (at(Tok::kFStringMiddle)) {
      Expr* piece = string_piece(span(*tok_), text(*tok_), raw);
      if (panic_) return;
      next();
      if (!text_constant(piece)->text.empty()) pieces.push_back(piece);
    } else if (at(Tok::kLBrace)) {
      replacement_field(raw, pieces);
    } else {
      return expect(Tok::kFStringEnd);
    }
    if (panic_) return;
  }
}

// '{' annotated_rhs ['='] ['!' NAME] [':' spec] '}'.   With '=', the text of the field comes before
// it.
void Parser::replacement_field(bool raw, std::vector<Expr*>& pieces) {
  const uint32_t first = begin();
  next();
  const uint32_t text_first = last_end();
  switch (kind()) {
    case Tok::kEqual:
    case Tok::kExclamation:
    case Tok::kColon:
    case Tok::kRBrace:
      return fail(span(*tok_),
                  fmt::format("f-string: valid expression required before '{}'", text_of(kind())));
    default:
      break;
  }
  if (!begins_expression(kind()) && !at(Tok::kYield) && !at(Tok::kStar) && !at(Tok::kError))
    return fail(span(*tok_), "f-string: expecting a valid expression after '{'");
  Expr* value = annotated_rhs();
  if (!at(Tok::kEqual) && !at(Tok::kExclamation) && !at(Tok::kColon))
    if (!at(Tok::kRBrace)) return field_text_expected("'=', or '!', or ':', or '}'");
  const bool debug = accept(Tok::kEqual);
  if (debug && !at(Tok::kExclamation) && !at(Tok::kColon) && !at(Tok::kRBrace))
    return field_text_expected("'!', or ':', or '}'");
  const uint32_t text_last = begin();
  int how = at(Tok::kExclamation) ? conversion() : -1;
  if (how >= 0 && !at(Tok::kColon) && !at(Tok::kRBrace)) return field_text_expected("':' or '}'");
  Expr* spec = accept(Tok::kColon) ? format_spec(raw) : nullptr;
  if (debug && how < 0 && !spec) how = 'r';
  if (!at(Tok::kRBrace)) return field_text_expected(spec ? "'}', or format specs" : "'}'");
  next();
  if (debug) {
    const std::string shown = debug_text(text_first, text_last);
    pieces.push_back(
        constant(span(text_first, text_last),
                 {.tag = ConstantValue::kStr, .text = arena_.copy(std::string_view(shown))}));
  }
  pieces.push_back(make<FormattedValue>(from(first), value, how, spec));
}

void Parser::field_text_expected(const char* expected) {
  if (at(Tok::kError)) return fail();
  if (!panic_) fail(span(*tok_), fmt::format("f-string: expecting {}", expected));
}

// '!' NAME, at the '!'
int Parser::conversion() {
  const Token* mark = tok_;
  next();
  if (at(Tok::kColon) || at(Tok::kRBrace)) {
    fail(span(*tok_), "f-string: missing conversion character");
  } else if (!at(Tok::kName)) {
    fail(span(*tok_), "f-string: invalid conversion character");
  } else if (tok_->begin != mark->end) {
    fail(span(*tok_), "f-string: conversion type must come right after the exclamation mark");
  }
  if (panic_) return -1;
  const std::string_view name = text(*tok_);
  if (name != "s" && name != "r" && name != "a") {
    fail(span(*tok_),
         fmt::format("f-string: invalid conversion character '{}': expected 's', 'r', or 'a'",
                     name));
    return -1;
  }
  next();
  return name[0];
}

// (FSTRING_MIDDLE | field)*, behind the ':'
Expr* Parser::format_spec(bool raw) {
  const Depth depth(*this);
  const uint32_t first = begin();
  std::vector<Expr*> pieces;
  while (!panic_ && (at(Tok::kFStringMiddle) || at(Tok::kLBrace))) {
    if (at(Tok::kLBrace)) {
      replacement_field(raw, pieces);
    } else {
      Expr* piece = string_piece(span(*tok_), text(*tok_), raw);
      next();
      if (!panic_ && !text_constant(piece)->text.empty()) pieces.push_back(piece);
    }
  }
  if (panic_) return nothing();
  return join_pieces(from(first), pieces, true);
}

// The source of a `{x = }` field, without comments.
std::string Parser::debug_text(uint32_t first, uint32_t last) const {
  const std::string_view source = std::string_view(file_.text).substr(first, last - first);
  std::string out;
  bool comment = false;
  for (size_t i = 0; i < source.size(); ++i) {
    char c = source[i];
    if (c == '\r') {
      if (i + 1 < source.size() && source[i + 1] == '\n') continue;
      c = '\n';
    }
    if (c == '#') comment = true;
    if (c == '\n') comment = false;
    if (!comment) out += c;
  }
  return out;
}

// The value of what stands between quotes: line breaks become \n, escapes what they mean.
bool Parser::decode_text(std::string_view source, bool raw, bool bytes, Span where,
                         std::string& out) {
  out.reserve(source.size());
  for (size_t i = 0; i < source.size();) {
    const char c = source[i];
    if (c == '\r') {
      out += '\n';
      i += i + 1 < source.size() && source[i + 1] == '\n' ? 2 : 1;
    } else if (c != '\\' || raw || i + 1 >= source.size()) {
      out += c;
      ++i;
    } else if (!decode_escape(source, i, bytes, where, out)) {
      return false;
    }
  }
  return true;
}

// At a backslash; moves `at` behind the escape.
bool Parser::decode_escape(std::string_view source, size_t& at, bool bytes, Span where,
                           std::string& out) {
  const char c = source[at + 1];
  at += 2;
  switch (c) {
    case '\r':
      if (at < source.size() && source[at] == '\n') ++at;
      return true;
    case '\n':
      return true;
    case '\\':
    case '\'':
    case '"':
      out += c;
      return true;
    case 'a':
      out += '\a';
      return true;
    case 'b':
      out += '\b';
      return true;
    case 'f':
      out += '\f';
      return true;
    case 'n':
      out += '\n';
      return true;
    case 'r':
      out += '\r';
      return true;
    case 't':
      out += '\t';
      return true;
    case 'v':
      out += '\v';
      return true;
    case 'x':
      return decode_hex(source, at, 2, bytes, where, out);
    case 'u':
      if (!bytes) return decode_hex(source, at, 4, bytes, where, out);
      break;
    case 'U':
      if (!bytes) return decode_hex(source, at, 8, bytes, where, out);
      break;
    case 'N':
      if (!bytes) return named_character(source, at, where, out);
      break;
    default:
      break;
  }
  if (is_octal(c)) {
    const uint32_t value = octal_escape(source, --at);
    bytes ? void(out += static_cast<char>(value)) : unicode::append(out, value);
    return true;
  }
  out += '\\';  // unknown: stays as it is
  --at;
  return true;
}

// The digits of \xXX, \uXXXX or \UXXXXXXXX.
bool Parser::decode_hex(std::string_view source, size_t& at, size_t count, bool bytes, Span where,
                        std::string& out) {
  const size_t start = at - 2;
  uint32_t value = 0;
  size_t n = 0;
  for (; n < count && at < source.size() && is_hex(source[at]); ++n, ++at)
    value = value * 16 + static_cast<uint32_t>(source[at] <= '9' ? source[at] - '0'
                                                                 : (source[at] | 32) - 'a' + 10);
  if (n == count && value <= 0x10FFFF) {
    bytes ? void(out += static_cast<char>(value)) : unicode::append(out, value);
    return true;
  }
  if (bytes) {
    fail(where, fmt::format("(value error) invalid \\x escape at position {}", start),
         Mistake::kLiteral);
    return false;
  }
  const std::string why = n == count ? "illegal Unicode character"
                                     : fmt::format("truncated \\{}{} escape", source[start + 1],
                                                   std::string(count, 'X'));
  fail(where,
       fmt::format("(unicode error) 'unicodeescape' codec can't decode bytes in position {}-{}: {}",
                   start, at - 1, why),
       Mistake::kLiteral);
  return false;
}

// \N{NAME}, at the '{'
bool Parser::named_character(std::string_view source, size_t& at, Span where, std::string& out) {
  const size_t start = at - 2;
  const size_t close =
      at < source.size() && source[at] == '{' ? source.find('}', at) : std::string_view::npos;
  const bool malformed = close == std::string_view::npos || close == at + 1;
  if (!malformed && unicode::append_named(out, source.substr(at + 1, close - at - 1))) {
    at = close + 1;
    return true;
  }
  fail(where,
       fmt::format("(unicode error) 'unicodeescape' codec can't decode bytes in position {}-{}: {}",
                   start, malformed ? std::min(at, source.size() - 1) : close,
                   malformed ? "malformed \\N character escape" : "unknown Unicode character name"),
       Mistake::kLiteral);
  return false;
}

}  // namespace pyk2cu::frontend
