// Types proposed for functions that have none, from the text of their bodies.
//
// In:   the definitions of a module.
// Out:  a type per parameter: subscripts, slices, len() and shapes give ranks; indices, ranges,
//       comparisons, defaults and names of variables give numbers; a parameter that is passed on
//       is what the callee takes, and one that nothing is known of is what callers pass.
// Rule: a proposal is shown to the user, or tried by `pyk2cu check`; nothing is compiled by it
//       unasked. It may be wrong: a function is often good for several types.
// Tested by tests/run/test_check.py.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "typeinfer/decorators/roots.h"

namespace pyk2cu::propose {

using Types = std::vector<const types::Type*>;

// Of one function.
struct Proposal {
  Types params{};  // the last ones may be missing: they keep their defaults
  Symbol stuck{};  // a parameter that no type can be proposed for; none: `params` are complete
  std::string_view why{};  // what it is: "a function", "text", "an object"
};

class Proposer {
 public:
  explicit Proposer(const decorators::Sources& sources);
  ~Proposer();

  const Proposal& of(const decorators::Definition& definition);

  // `f(float64[:], int64)`, as a sidecar takes it; unknown types are `?`.
  std::string text(const decorators::Definition& definition);
  std::string types_text(const decorators::Definition& definition);  // without the name

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pyk2cu::propose
