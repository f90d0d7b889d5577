// Copies of pieces of a program: of expressions, statements, functions, or all of it.
//
// In:   nodes.  Out: new nodes in the program given, with what renew() and map() name replaced:
// locals by new ones, calls of functions by calls of their copies. A jump out of a copied loop
// leaves the copy. Generated from nodes.def. Tested by tests/unit/typeinfer/ir_test.cpp.
#pragma once

#include <functional>
#include <unordered_map>

#include "typeinfer/ir/walk.h"

namespace pyk2cu::ir {

class Cloner {
 public:
  explicit Cloner(Program& program) : program_(program) {}

  // From here on `old` is a new local of `function` in all copies.
  Local* renew(const Local* old, Function& function);
  // Likewise for all that the block assigns.
  void renew_assigned(const Block& block, Function& function);
  void map(const Local* from, Local* to) { locals_[from] = to; }
  void map(const Function* from, Function* to) { functions_[from] = to; }

  Expr* expr(const Expr* from);  // null: null
  Stmt* stmt(const Stmt* from);
  Block* block(const Block& from);

  Local* mapped(Local* local) const {
    const auto it = locals_.find(local);
    return it == locals_.end() ? local : it->second;
  }

 private:
  struct Fields;

  Program& program_;
  std::unordered_map<const Local*, Local*> locals_{};
  std::unordered_map<const Function*, Function*> functions_{};
  std::unordered_map<const Stmt*, Stmt*> loops_{};
};

// A function like `from`, with locals of its own; added nowhere.
Function* clone(const Function& from, Program& program);
// The entries wanted and all that they call, with nodes of their own. Frozen arrays, names and
// texts are shared: `from` has to live as long.
Program clone(const Program& from, const std::function<bool(const Entry&)>& wanted);

}  // namespace pyk2cu::ir
