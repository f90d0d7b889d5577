// Diagnostics for editors and CI: one JSON object per line.
//
//   {"code":"PK3007","severity":"error","slug":"RankMismatch","message":"…","file":"saxpy.py",
//    "line":14,"column":9,"end_line":14,"end_column":18,"function":"f","while_compiling":"g",
//    "notes":[…],"fixes":[…],"help":[…]}
//
// Without a place, file is null and the numbers are 0. Tested by tests/unit/frontend/diag_test.cpp.
#include <string>
#include <vector>

#include "frontend/base/utf8.h"
#include "frontend/diag/render.h"

namespace pyk2cu {

namespace {

std::string place(Span span, const SourceMap& sources) {
  const Location begin = sources.locate(span.begin);
  const Location end = begin.line ? sources.locate(span.end) : begin;
  return fmt::format(R"("file":{},"line":{},"column":{},"end_line":{},"end_column":{})",
                     begin.line ? json_quote(begin.path) : "null", begin.line, begin.column,
                     end.line, end.column);
}

template <class T, class F>
std::string list(const std::vector<T>& items, F&& spell) {
  std::string out = "[";
  for (const T& item : items) {
    if (out.size() > 1) out += ",";
    out += spell(item);
  }
  return out + "]";
}

std::string object(const Diagnostic& d, const SourceMap& sources) {
  const auto note = [&](const Label& label) {
    return fmt::format(R"({{"message":{},{}}})", json_quote(label.message),
                       place(label.span, sources));
  };
  const auto fix = [&](const Fix& f) {
    return fmt::format(R"({{"replacement":{},"applicability":"{}",{}}})", json_quote(f.replacement),
                       f.applicability == Applicability::kAlways ? "always" : "maybe",
                       place(f.span, sources));
  };
  const auto name = [](const std::string& text) {
    return text.empty() ? std::string("null") : json_quote(text);
  };
  return fmt::format(R"({{"code":"{}","severity":"{}","slug":"{}","message":{},{},)"
                     R"("function":{},"while_compiling":{},)"
                     R"("notes":{},"fixes":{},"help":{}}})",
                     code_name(d.code), severity_name(d.severity), d.slug, json_quote(d.message),
                     place(d.span, sources), name(d.function), name(d.caller), list(d.notes, note),
                     list(d.fixes, fix), list(d.hints, json_quote));
}

}  // namespace

std::string json_quote(std::string_view text) {
  std::string out = "\"";
  for (size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c < 0x20 || c == 0x7F) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      append_utf8(out, c);
    }
  }
  return out + "\"";
}

std::string render_json(const Diagnostics& diags, const SourceMap& sources) {
  std::string out;
  for (const Diagnostic* d : sorted(diags)) out += object(*d, sources) + "\n";
  return out;
}

}  // namespace pyk2cu
