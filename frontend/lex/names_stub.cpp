#include "frontend/lex/unicode.h"
namespace pyk2cu::unicode {
bool append_named(std::string&, std::string_view) { return false; }
}  // namespace pyk2cu::unicode
