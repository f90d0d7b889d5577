// Where each local is declared: at its first assignment, in the narrowest scope that serves.
//
// In:   a function.  Out: Declarations; a local whose value stays inside one nested block is
// declared in there (again in each such block), so that iterations of a parallel loop have their
// own. Tested by tests/golden/functions.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emit/lower/facts.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

struct Declarations {
  std::unordered_map<const ir::Stmt*, std::vector<ir::Local*>> before{};  // without a value
  std::unordered_set<const ir::Stmt*> at{};         // Assigns that declare their local
  std::unordered_set<const ir::Stmt*> constants{};  // those whose local never changes afterwards
  std::unordered_set<const ir::Local*> cleared{};   // may be read before any assignment
};

Declarations place_declarations(ir::Function& f);

// Does the block read a value that `local` had before it? And does it assign it on every path?
struct Flow {
  bool exposed = false;
  bool assigned = false;
};
Flow flow_of(ir::Block& block, const ir::Local* local);
Flow flow_of(ir::Stmt* s, const ir::Local* local);

// Whether an Assign can carry the declaration: its value is an expression, not a call that reports
// a status.
bool is_plain_assign(const ir::Stmt* s);

}  // namespace pyk2cu::emit
