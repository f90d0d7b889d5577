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
      for (const ir::Entry& entry : made.program.entries)
        compiled_[key(entry.span)].insert(entry.name);
      for (const ir::LeftOut& one : made.program.left_out) callees_.insert(one.callee);
    }
    for (const Made& made : all) {
      for (const ir::LeftOut& one : made.program.left_out) {
        const std::string callee(one.callee.str());
        if (one.why == ir::LeftOut::Why::kOwnErrors)
          failed_[key(one.span)].insert(one.name);
        else
          add(one.span, one.name,
              one.callee ? "it calls `" + callee + "`, which has errors" : "it has no signature");
      }
    }
  }

  // The first error of each function says why.
  void add(const Diagnostic& error) {
    const FunctionPlace* place = places_.find(error.span);
    if (error.severity != Severity::kError || !place || error.code == diag::NoTypes.code) return;
    const bool helper = !place->is_decorated && callees_.contains(place->plain_name);
    const std::string reason = error.message + " [" + code_name(error.code) + "]";
    const auto products = failed_.find(place->span.begin);
    if (products != failed_.end())
      for (const Symbol name : products->second) add(place->def, name, reason);
    else if (!helper && !compiled_.contains(place->span.begin))
      add(place->def, place->plain_name, reason);
  }

  Diagnostics report() const {
    Diagnostics diags;
    if (left_out_.empty()) return diags;
    auto said = diags.report({}, diag::KeptGoing, counted(compiled_.size(), "function"),
                             Int(left_out_.size()));
    for (const auto& [key, one] : left_out_)
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

  // A function has the name of the text; what a factory makes, that which Python calls it.
  void add(Span span, Symbol name, std::string reason) {
    const FunctionPlace* place = places_.find({span.begin, span.begin + 1});
    const uint32_t at = place ? place->span.begin : span.begin;
    if (const auto known = compiled_.find(at); known != compiled_.end())
      if (known->second.contains(name)) return;
    const bool is_own = place && place->plain_name == name;
    left_out_.try_emplace({at, std::string(name.str())},
                          One{span, is_own ? place->name : std::string(name.str()), reason});
  }

  const FunctionPlaces& places_;
  std::map<uint32_t, std::unordered_set<Symbol>> compiled_{};  // by places
  std::map<uint32_t, std::unordered_set<Symbol>> failed_{};    // with errors of their own
  std::unordered_set<Symbol> callees_{};
  std::map<std::pair<uint32_t, std::string>, One> left_out_{};
};

}  // namespace

Diagnostics summarize(const std::vector<Made>& all, const FunctionPlaces& places,
                      const Diagnostics& said) {
  Summary summary(all, places);
  for (const Diagnostic* one : sorted(said)) summary.add(*one);
  return summary.report();
}

}  // namespace pyk2cu::cmd
