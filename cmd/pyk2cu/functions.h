// Which function a place in the source lies in.
//
// In:   parsed modules.  Out: qualified names: `scale`, `Model.fit`, `make.inner`.
// Tested by tests/run/test_check.py and test_keep_going.py.
#pragma once

#include <string>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/diag/diagnostics.h"

namespace pyk2cu::cmd {

struct FunctionPlace {
  Span span{};  // with its decorators
  Span def{};   // without
  std::string name{};
  Symbol plain_name{};
  bool is_decorated = false;
};

class FunctionPlaces {
 public:
  void add(const ast::Module& module);
  const FunctionPlace* find(Span span) const;  // the innermost one; null: at module level

  size_t count(std::string_view name) const;  // of functions called so

  // Says in each message which function it speaks of.
  void name_functions(Diagnostics& diags) const;

 private:
  std::vector<FunctionPlace> places_{};  // an inner function behind the one around it
};

}  // namespace pyk2cu::cmd
