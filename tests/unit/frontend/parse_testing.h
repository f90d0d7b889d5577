// Helpers of the parser's tests: parse a piece of text, look at the tree or at the first mistake.
#pragma once

#include <string>

#include "frontend/parse/parser.h"

namespace pyk2cu {

// The dump of what `source` parses to, without "Module(body=[" and "])"; or "PKnnnn line: message"
// of the first mistake.
inline std::string parsed(std::string_view source) {
  SourceMap map;
  Diagnostics diags;
  const SourceFile& file = map.add("test.py", std::string(source));
  const ast::Module module = frontend::parse(file, diags);
  if (!diags.all().empty()) {
    const Diagnostic& d = diags.all().front();
    return "PK" + std::to_string(d.code) + " " + std::to_string(map.locate(d.span.begin).line) +
           ": " + d.message;
  }
  const std::string text = ast::dump(module);
  constexpr std::string_view kHead = "Module(body=[", kTail = "])";
  if (!text.starts_with(kHead)) return text;
  return text.substr(kHead.size(), text.size() - kHead.size() - kTail.size());
}

// The same for one expression: without "Expr(value=" and ")".
inline std::string expression(std::string_view source) {
  const std::string text = parsed(source);
  constexpr std::string_view kHead = "Expr(value=";
  return text.starts_with(kHead) ? text.substr(kHead.size(), text.size() - kHead.size() - 1) : text;
}

}  // namespace pyk2cu
