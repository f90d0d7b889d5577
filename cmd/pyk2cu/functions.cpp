// Functions by their places: see functions.h.
//
// In:   parsed modules, diagnostics.  Out: names. Tested by tests/run/test_check.py and
// test_keep_going.py.
#include "cmd/pyk2cu/functions.h"

#include <algorithm>

#include "typeinfer/decorators/functions.h"

namespace pyk2cu::cmd {

void FunctionPlaces::add(const ast::Module& module) {
  for (const decorators::FunctionPlace& one : decorators::functions_of(module)) {
    if (!one.def) continue;
    const auto& above = one.def->decorator_list;
    const uint32_t begin = (above.empty() ? one.def->span : above.front()->span).begin;
    places_.push_back(
        {{begin, one.def->span.end}, one.def->span, one.name, one.def->name, !above.empty()});
  }
}

const FunctionPlace* FunctionPlaces::find(Span span) const {
  const FunctionPlace* found = nullptr;
  for (const FunctionPlace& place : places_) {
    const bool inside = place.span.begin <= span.begin && span.begin < place.span.end;
    if (span.valid() && inside && (!found || found->span.begin <= place.span.begin)) found = &place;
  }
  return found;
}

size_t FunctionPlaces::count(std::string_view name) const {
  return size_t(std::ranges::count(places_, name, &FunctionPlace::name));
}

void FunctionPlaces::name_functions(Diagnostics& diags) const {
  for (size_t k = 0; k < diags.all().size(); ++k)
    if (const FunctionPlace* place = find(diags.all()[k].span)) diags.name_function(k, place->name);
}

}  // namespace pyk2cu::cmd
