// What Python needs to know about Unicode: identifiers, NFKC of identifiers, printable characters.
//
// In:   code points and UTF-8.  Out: CPython 3.13's answers (Unicode 15.1).
// Tables are generated (make_unicode_tables.py) and unpacked at first use, so ASCII files never
// pay. Tested by tests/unit/frontend/lex_unicode_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pyk2cu::unicode {

// Reads one code point of valid UTF-8 (lone surrogates allowed) and moves behind it.
uint32_t decode(const char*& at, const char* end);
// Appends a code point, surrogates included, as UTF-8.
void append(std::string& to, uint32_t code_point);
// Where the first byte is that cannot be UTF-8; npos if there is none. Surrogates are not UTF-8.
size_t first_invalid(std::string_view text);

bool is_xid_start(uint32_t c);
bool is_xid_continue(uint32_t c);
bool is_printable(uint32_t c);  // str.isprintable()

// NFKC of a valid identifier.
std::string nfkc(std::string_view identifier);

// Appends the character that \N{name} means; false if there is none.
bool append_named(std::string& to, std::string_view name);

}  // namespace pyk2cu::unicode
