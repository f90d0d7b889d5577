// C++ spellings of constants: shortest text that reads back as the same value.
//
// In:   numbers, text.  Out: 0.5, 2.0f, INT64_MIN, pyk::infinity<double>, "…" with escapes.
// Tested by tests/unit/emit/text_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "emit/text/code.h"
#include "typeinfer/types/types.h"

namespace pyk2cu::emit {

Code int_literal(int64_t bits, const types::Type* type);  // two's complement bits of that type
Code float_literal(double value, int bits);               // 32 or 64
std::string string_literal(std::string_view utf8);        // with quotes

}  // namespace pyk2cu::emit
