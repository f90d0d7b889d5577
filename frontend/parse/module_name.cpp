// Names of modules: see module_name.h.
//
// In:   paths and names.  Out: names. Tested by tests/unit/frontend/load_test.cpp.
#include "frontend/parse/module_name.h"

#include <algorithm>
#include <filesystem>

#include "frontend/lex/unicode.h"

namespace pyk2cu::frontend {

namespace {

bool is_keyword(std::string_view name) {
  static constexpr std::string_view kKeywords[] = {
#define PYK_OP(name, text)
#define PYK_KEYWORD(name, text) text,
#include "frontend/lex/tokens.def"
#undef PYK_OP
#undef PYK_KEYWORD
  };
  for (const std::string_view keyword : kKeywords)
    if (keyword == name) return true;
  return false;
}

}  // namespace

std::string module_name(const std::string& path) {
  const std::filesystem::path file(path);
  const std::string stem = file.stem().string();
  if (stem != "__init__") return stem;
  return std::filesystem::absolute(file).parent_path().filename().string();
}

ModuleName importable(std::string_view name) {
  std::string text;
  const size_t valid = std::min(unicode::first_invalid(name), name.size());
  const char* at = name.data();
  while (at < name.data() + valid) {
    const uint32_t c = unicode::decode(at, name.data() + valid);
    const bool first = text.empty();
    if (first && c != '_' && !unicode::is_xid_start(c)) text = "_";
    if (c == '_' || unicode::is_xid_continue(c))
      unicode::append(text, c);
    else if (!first)
      text += '_';
  }
  if (valid < name.size() || text.empty()) text += '_';  // bytes that are no text
  bool is_exact = text == name;
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 128; };
  if (!std::ranges::all_of(text, is_ascii)) text = unicode::nfkc(text);
  if (is_keyword(text)) text += '_', is_exact = false;
  return {text, is_exact};
}

}  // namespace pyk2cu::frontend
