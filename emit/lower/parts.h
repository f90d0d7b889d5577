// Pieces of a function that become functions of their own.
//
// In:   statements and the locals that they share with what is around them.  Out: a function whose
// parameters those are, and the arguments of its call. Tested by tests/golden/lanes and
// tests/golden/openmp.
#pragma once

#include "typeinfer/ir/clone.h"

namespace pyk2cu::emit {

struct Part {
  ir::Function* function = nullptr;
  std::vector<ir::Local*> args{};    // the caller's locals, one per parameter
  std::vector<ir::Local*> shared{};  // that the part reads and writes itself
};

struct PartName {
  std::string_view stem;  // of the function's symbol: `f_STEM`
  std::string_view what;  // "one iteration", for readers
  Span of{};              // the loop
  const ir::Stmt* loop = nullptr;  // whose body it is: its `continue` ends the part
};

// A function with a copy of `body`. Locals that the body alone uses are its own; those in
// `shared` are passed by reference, all others that it reads by value: `first` ones first.
Part make_part(ir::Program& program, const ir::Function& f, const PartName& name,
               const ir::Block& body, const std::vector<ir::Local*>& first,
               const std::vector<ir::Local*>& shared);

}  // namespace pyk2cu::emit
