// Tokens: what the lexer makes of a file and the parser reads.
//
// The whole file is lexed before it is parsed, so that the parser may look ahead freely. A mistake
// is an kError token at its place in the stream; the parser reports it when it gets there. Tested
// by tests/unit/frontend/lex_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/base/source_map.h"
#include "frontend/base/span.h"

namespace pyk2cu::frontend {

enum class Tok : uint8_t {
  kEnd,
  kNewline,
  kIndent,
  kDedent,
  kName,
  kNumber,
  kString,         // prefix and quotes included
  kFStringStart,   // f"
  kFStringMiddle,  // literal text, escapes not yet read
  kFStringEnd,
  kUnknown,  // a character that begins no token: $ ? `
  kError,    // `end` is the index of the error in TokenStream::errors
  kPanic,    // never in a stream: what the parser sees after a mistake
#define PYK_OP(name, text) k##name,
#define PYK_KEYWORD(name, text) k##name,
#include "frontend/lex/tokens.def"
#undef PYK_OP
#undef PYK_KEYWORD
};

struct Token {
  Tok kind = Tok::kEnd;
  bool nonascii = false;  // a name to be normalised
  uint16_t level = 0;     // how many brackets are open after it
  uint32_t begin = 0;     // offsets within the file
  uint32_t end = 0;
};

// Which row of diagnostics.def a mistake belongs to.
enum class Mistake : uint8_t {
  kSyntax,
  kEncoding,
  kNul,
  kNesting,
  kUnterminated,
  kIndentation,
  kPython2,
  kBracket,
  kTarget,
  kLiteral,
};

struct LexError {
  Mistake mistake = Mistake::kSyntax;
  bool goes_on = false;  // the statement is readable in spite of it (indentation)
  uint32_t begin = 0, end = 0;
  std::string message;
};

struct TokenStream {
  std::vector<Token> tokens;  // ends with several kEnd
  std::vector<LexError> errors;
  std::vector<Span> comments;
};

TokenStream lex(const SourceFile& file);

// How a token is written: "(", "for"; empty for names, literals and the like.
std::string_view text_of(Tok kind);

}  // namespace pyk2cu::frontend
