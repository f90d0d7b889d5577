// Functions of a file by name and line: one walk over its tree.
//
// In:   ast::Module.  Out: FunctionPlaces (functions.h).
// Tested by tests/unit/typeinfer/roots_test.cpp and tests/run/test_record.py.
#include "typeinfer/decorators/functions.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace pyk2cu::decorators {

namespace {

int line_of(const SourceFile& file, uint32_t offset) {
  const uint32_t local = offset - file.base;
  return static_cast<int>(std::ranges::upper_bound(file.lines, local) - file.lines.begin());
}

// `scope`: "" at module level, else the qualified name of what is around and a dot.
void find(const ast::Node& node, const SourceFile& file, const std::string& scope,
          std::vector<FunctionPlace>& out) {
  std::string inner = scope;
  const int line = line_of(file, node.span.begin);
  if (const auto* def = ast::as<ast::FunctionDef>(node)) {
    const auto& above = def->decorator_list;
    const int first = above.empty() ? line : line_of(file, above[0]->span.begin);
    inner += def->name.str();
    out.push_back({.def = def, .name = inner, .first_line = first, .line = line});
    inner += '.';
  } else if (const auto* coroutine = ast::as<ast::AsyncFunctionDef>(node)) {
    inner += std::string(coroutine->name.str()) + ".";
  } else if (const auto* type = ast::as<ast::ClassDef>(node)) {
    inner += std::string(type->name.str()) + ".";
  } else if (const auto* lambda = ast::as<ast::Lambda>(node)) {
    out.push_back({.lambda = lambda, .first_line = line, .line = line});
  }
  ast::for_each_child(node, [&](const ast::Node& child) { find(child, file, inner, out); });
}

}  // namespace

std::vector<FunctionPlace> functions_of(const ast::Module& module) {
  std::vector<FunctionPlace> places;
  for (const ast::Stmt* stmt : module.body) find(*stmt, *module.file, "", places);
  return places;
}

std::vector<const FunctionPlace*> find_functions(const std::vector<FunctionPlace>& places,
                                                 std::string_view name) {
  int line = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), line);
  const bool is_line = read.ec == std::errc() && read.ptr == name.data() + name.size();
  std::vector<const FunctionPlace*> found;
  for (const FunctionPlace& place : places) {
    const bool means =
        is_line ? place.first_line <= line && line <= place.line : place.name == name;
    if (means && (is_line || place.def)) found.push_back(&place);
  }
  return found;
}

}  // namespace pyk2cu::decorators
