// Counts what was compiled and lists the rest: see summary.h.
//
// In:   programs, messages.  Out: PK6006. Tested by tests/run/test_keep_going.py.
#include "cmd/pyk2cu/summary.h"

#include <map>
#include <set>
#include <unordered_set>

#include "frontend/base/counted.h"
#include "frontend/diag/render.h"

namespace pyk2cu::cmd {
namespace {

class Summary {
 public:
  Summary(const std::vector<Made>& all, const FunctionPlaces& places) : places_(places) {
    for (const Made& made : all) {
      for (const ir::Entry& entry : made.program.entries) compiled_.insert(key(entry.span));
      for (const ir::LeftOut& one : made.program.left_out) callees_.insert(one.callee);
    }
    for (const Made& made : all) {
      for (const ir::LeftOut& one : made.program.left_out) {
        const std::string callee(one.callee.str());
        add(one.span, one.name.str(),
            one.callee ? "it calls `" + callee + "`, which has errors" : "it has no signature");
      }
    }
  }

  // The first error of each function says why.
  void add(const Diagnostic& error) {
    const FunctionPlace* place = places_.find(error.span);
    if (error.severity != Severity::kError || !place || error.code == diag::NoTypes.code) return;
    const bool helper = !place->is_decorated && callees_.contains(place->plain_name);
    if (!helper) add(place->def, place->name, error.message + " [" + code_name(error.code) + "]");
  }

  Diagnostics report() const {
    Diagnostics diags;
    if (left_out_.empty()) return diags;
    auto said = diags.report({}, diag::KeptGoing, counted(compiled_.size(), "function"),
                             Int(left_out_.size()));
    for (const auto& [begin, one] : left_out_)
      said.item(one.span, diag::LeftOutOne, one.name, one.reason);
    return diags;
  }

 private:
  struct One {
    Span span;
    std::string name, reason;
  };

  // A function by its place, whichever part of it is pointed at.
  uint32_t key(Span span) const {
    const FunctionPlace* place = places_.find({span.begin, span.begin + 1});
    return place ? place->span.begin : span.begin;
  }

  void add(Span span, std::string_view name, std::string reason) {
    const uint32_t at = key(span);
    if (!compiled_.contains(at))
      left_out_.try_emplace(at, One{span, std::string(name), std::move(reason)});
  }

  const FunctionPlaces& places_;
  std::set<uint32_t> compiled_{};
  std::unordered_set<Symbol> callees_{};
  std::map<uint32_t, One> left_out_{};
};

}  // namespace

Diagnostics summarize(const std::vector<Made>& all, const FunctionPlaces& places,
                      const Diagnostics& said) {
  Summary summary(all, places);
  for (const Diagnostic* one : sorted(said)) summary.add(*one);
  return summary.report();
}

}  // namespace pyk2cu::cmd
