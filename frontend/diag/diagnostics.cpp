// The table of all diagnostics, and forgetting what a speculative step reported.
//
// In: diagnostics.def.  Out: DiagInfo rows in order of their codes.
// Tested by tests/unit/frontend/diag_test.cpp.
#include "frontend/diag/diagnostics.h"

#include <algorithm>

namespace pyk2cu {

namespace {

#define PYK_DIAG(code, severity, name, format, ...) {code, Severity::k##severity, #name, format},
#define PYK_LABEL(name, ...)
constexpr DiagInfo kUnsorted[] = {
#include "frontend/diag/diagnostics.def"
};
#undef PYK_DIAG
#undef PYK_LABEL

}  // namespace

std::span<const DiagInfo> all_diag_infos() {
  static const std::vector<DiagInfo> sorted = [] {
    std::vector<DiagInfo> rows(std::begin(kUnsorted), std::end(kUnsorted));
    std::stable_sort(rows.begin(), rows.end(),
                     [](const DiagInfo& a, const DiagInfo& b) { return a.code < b.code; });
    return rows;
  }();
  return sorted;
}

const DiagInfo* find_diag_info(int code) {
  for (const DiagInfo& info : all_diag_infos())
    if (info.code == code) return &info;
  return nullptr;
}

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      break;
  }
  return "note";
}

std::string code_name(int code) { return fmt::format("PK{:04}", code); }

bool Diagnostics::has_warnings() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](const Diagnostic& d) { return d.severity != Severity::kNote; });
}

void Diagnostics::truncate(size_t count) {
  while (all_.size() > count) {
    if (all_.back().severity == Severity::kError) --errors_;
    all_.pop_back();
  }
}

namespace {

// x = y  # pyk2cu: ignore[PK7010]
bool is_ignored(const Diagnostic& diagnostic, const SourceMap& sources) {
  if (diagnostic.severity == Severity::kError || !diagnostic.span.valid()) return false;
  const std::string_view line = sources.line_text(diagnostic.span.begin);
  constexpr std::string_view kMark = "# pyk2cu: ignore";
  const size_t at = line.find(kMark);
  if (at == line.npos) return false;
  std::string_view codes = line.substr(at + kMark.size());
  if (!codes.starts_with('[')) return codes.empty() || codes[0] == ' ' || codes[0] == '\r';
  codes = codes.substr(0, codes.find(']'));
  return codes.find(code_name(diagnostic.code)) != codes.npos;
}

}  // namespace

void Diagnostics::drop_ignored(const SourceMap& sources) {
  std::erase_if(all_, [&](const Diagnostic& d) { return is_ignored(d, sources); });
}

}  // namespace pyk2cu
