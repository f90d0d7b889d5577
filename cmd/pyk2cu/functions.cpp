// Functions by their places: see functions.h.
//
// In:   parsed modules, diagnostics.  Out: names. Tested by tests/run/test_check.py and
// test_keep_going.py.
#include "cmd/pyk2cu/functions.h"

namespace pyk2cu::cmd {

void FunctionPlaces::add(const ast::Module& module) {
  for (const ast::Stmt* stmt : module.body) add(*stmt, "");
}

void FunctionPlaces::add(const ast::Node& node, const std::string& prefix) {
  std::string inner = prefix;
  if (const auto* def = ast::as<ast::FunctionDef>(node)) {
    const uint32_t begin =
        def->decorator_list.empty() ? def->span.begin : def->decorator_list.front()->span.begin;
    const std::string name = prefix + std::string(def->name.str());
    places_.push_back(
        {{begin, def->span.end}, def->span, name, def->name, !def->decorator_list.empty()});
    inner = name + ".";
  } else if (const auto* type = ast::as<ast::ClassDef>(node)) {
    inner = prefix + std::string(type->name.str()) + ".";
  } else if (node.kind > ast::Kind::kContinue && !ast::is<ast::ExceptHandler>(node) &&
             !ast::is<ast::MatchCase>(node)) {
    return;  // expressions hold no definitions
  }
  ast::for_each_child(node, [&](const ast::Node& child) { add(child, inner); });
}

const FunctionPlace* FunctionPlaces::find(Span span) const {
  const FunctionPlace* found = nullptr;
  for (const FunctionPlace& place : places_) {
    const bool inside = place.span.begin <= span.begin && span.begin < place.span.end;
    if (span.valid() && inside && (!found || found->span.begin <= place.span.begin)) found = &place;
  }
  return found;
}

void FunctionPlaces::name_functions(Diagnostics& diags) const {
  for (size_t k = 0; k < diags.all().size(); ++k)
    if (const FunctionPlace* place = find(diags.all()[k].span)) diags.name_function(k, place->name);
}

}  // namespace pyk2cu::cmd
