// The diagnostics engine: every message is a row of diagnostics.def, reported with typed arguments.
//
//   diags.report(span, diag::RankMismatch, name, rank, count)
//        .note(other, diag::DeclaredAs, name, type)
//        .fix(other, "float32[:,:]", Applicability::kMaybe);
//
// Nothing is printed here: render.h turns the collected diagnostics into text or JSON, in source
// order. Tested by tests/unit/frontend/diag_test.cpp and every file of tests/diag.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "frontend/base/source_map.h"
#include "frontend/base/span.h"

namespace pyk2cu {

// Parameter kinds of a message. A row names them, and report() checks its arguments against them.
using Name = std::string_view;     // something the user wrote, shown in backticks by the row
using Text = std::string_view;     // a phrase
using TypeRef = std::string_view;  // a type in the user's spelling
using Int = long long;

enum class Severity { kError, kWarning, kNote };
enum class Applicability { kAlways, kMaybe };

template <class... P>
struct DiagRow {
  int code;  // 0 for labels
  Severity severity;
  std::string_view slug;
  fmt::format_string<P...> format;
};

namespace diag {
#define PYK_DIAG(code, severity, name, ...) PYK_DIAG_ROW_(code, severity, name, __VA_ARGS__)
#define PYK_LABEL(name, ...) PYK_DIAG_ROW_(0, Note, name, __VA_ARGS__)
#define PYK_DIAG_ROW_(code, severity, name, format, ...)                         \
  inline constexpr DiagRow<__VA_ARGS__> name{code, Severity::k##severity, #name, \
                                             fmt::format_string<__VA_ARGS__>(format)};
#include "frontend/diag/diagnostics.def"
#undef PYK_DIAG
#undef PYK_LABEL
#undef PYK_DIAG_ROW_
}  // namespace diag

// What --explain and the house test know of a row.
struct DiagInfo {
  int code;
  Severity severity;
  std::string_view slug;
  std::string_view format;
};
std::span<const DiagInfo> all_diag_infos();  // by code
const DiagInfo* find_diag_info(int code);    // null: no such code

std::string_view severity_name(Severity severity);  // "error", "warning", "note"
std::string code_name(int code);                    // "PK3007"

struct Label {
  Span span;  // may be invalid: a note without a place
  std::string message;
  bool is_item = false;  // one of a list: its line is not shown
};

struct Fix {
  Span span;
  std::string replacement;
  Applicability applicability = Applicability::kMaybe;
};

struct Diagnostic {
  int code = 0;
  Severity severity = Severity::kError;
  std::string_view slug;
  Span span;
  std::string message;
  std::vector<Label> notes{};
  std::vector<Fix> fixes{};
  std::vector<std::string> hints{};  // "= help: …" lines
  std::string function{};            // that the place lies in, if any
  std::string caller{};              // another one, that was being compiled
};

class Diagnostics {
 public:
  class Builder {
   public:
    explicit Builder(Diagnostic& diagnostic) : diagnostic_(diagnostic) {}
    template <class... P>
    Builder& note(Span span, const DiagRow<P...>& row, std::type_identity_t<P>... args) {
      diagnostic_.notes.push_back({span, format(row, args...)});
      return *this;
    }
    // One line of a list.
    template <class... P>
    Builder& item(Span span, const DiagRow<P...>& row, std::type_identity_t<P>... args) {
      diagnostic_.notes.push_back({span, format(row, args...), true});
      return *this;
    }
    Builder& fix(Span span, std::string replacement, Applicability how = Applicability::kMaybe) {
      diagnostic_.fixes.push_back({span, std::move(replacement), how});
      return *this;
    }
    Builder& help(std::string line) {
      diagnostic_.hints.push_back(std::move(line));
      return *this;
    }

   private:
    Diagnostic& diagnostic_;
  };

  template <class... P>
  Builder report(Span span, const DiagRow<P...>& row, std::type_identity_t<P>... args) {
    all_.push_back({row.code, row.severity, row.slug, span, format(row, args...)});
    if (row.severity == Severity::kError) ++errors_;
    return Builder(all_.back());
  }

  bool has_errors() const { return errors_ > 0; }
  bool has_warnings() const;  // or errors: notes alone are nothing to act upon
  int error_count() const { return errors_; }
  const std::deque<Diagnostic>& all() const { return all_; }
  // Forgets everything after the first `count`: what a speculative step reported.
  void truncate(size_t count);
  // Forgets warnings and notes on lines that end with `# pyk2cu: ignore` or
  // `# pyk2cu: ignore[PK7010, …]`.
  void drop_ignored(const SourceMap& sources);
  void name_function(size_t number, const std::string& name) { all_[number].function = name; }
  void append(const Diagnostic& one, std::string_view caller = {}) {
    all_.push_back(one);
    if (!caller.empty()) all_.back().caller = caller;
    errors_ += one.severity == Severity::kError;
  }

 private:
  template <class... P>
  static std::string format(const DiagRow<P...>& row, const P&... args) {
    return fmt::vformat(fmt::string_view(row.format), fmt::make_format_args(args...));
  }

  std::deque<Diagnostic> all_;
  int errors_ = 0;
};

}  // namespace pyk2cu
