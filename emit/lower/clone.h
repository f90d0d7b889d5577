// Copies of pieces of a program, with locals of their own.
//
// In:   a block and what Facts say of it.  Out: the same block with new nodes; a local that the
// block assigns, and every loop index in it, is a new local of the same name. Tested by
// tests/golden/lanes.
#pragma once

#include <unordered_map>

#include "emit/lower/facts.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

class Cloner {
 public:
  Cloner(ir::Program& program, ir::Function& into, Facts& facts)
      : program_(program), into_(into), facts_(facts) {}

  // A new local like `old`, which stands for it in the copy.
  ir::Local* renew(const ir::Local* old);

  // Likewise for all that the block assigns.
  void renew_assigned(ir::Block& from);

  ir::Block* block(ir::Block& from);
  ir::Stmt* stmt(ir::Stmt* from);
  ir::Expr* expr(ir::Expr* from);

 private:
  ir::Program& program_;
  ir::Function& into_;
  Facts& facts_;
  std::unordered_map<const ir::Local*, ir::Local*> locals_{};
  std::unordered_map<const ir::Expr*, ir::Expr*> exprs_{};
};

}  // namespace pyk2cu::emit
