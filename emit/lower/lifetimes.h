// How long arrays are shown, and by what: who may be where the elements are gone with a block.
//
// In:   a function with declarations, owners and moves.  Out: the arrays that it makes, those that
// calls give it, the variables that hold one array after another, and whether what shows one of
// them outlives it. Tested by tests/golden/passes/stack.py and tests/run/test_stack.py.
#pragma once

#include <unordered_map>
#include <vector>

#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

class Lifetimes {
 public:
  explicit Lifetimes(const ir::Function& f);

  struct Held {
    ir::Assign* by = nullptr;
    int block = 0;
    bool in_loop = false;
  };
  struct Arrays {
    // New arrays, each held by a local that holds nothing else and is declared with it.
    std::vector<Held> made{};
    // Likewise results of calls, by locals that are declared in the block of the call.
    std::vector<Held> given{};
    // Locals that hold new arrays, results of calls, what was moved to them and arguments, one
    // after another. They may have elements of their own, side by side, to which others are copied:
    // nothing shows what they held when they hold something else. By local: its assignments.
    std::vector<std::vector<Held>> variables{};
    // Calls whose results are the function's.
    std::vector<const ir::Call*> handed_on{};
  };
  const Arrays& arrays() const { return arrays_; }

  // Does nothing show it that outlives it? Results aside, and variables that it is moved to.
  bool stays(const ir::Local* local) const;
  bool is_returned(const ir::Local* local) const;
  bool is_shown_in(const ir::Local* local, const ir::Expr* e) const;
  // The variable that it, or what it was moved to before, is moved to; null: none.
  const ir::Local* moved_to(const ir::Local* local) const;

 private:
  struct Shown {
    const ir::Local* by = nullptr;
    bool moves = false;
  };
  struct Open {  // a statement that we are in
    int block = 0;
    ir::LocalSet mentioned{};  // of what is declared in the block
  };

  ir::LocalSet names_of(const ir::Local* local) const;
  bool is_inside(const ir::Local* local, const ir::Local* other) const;
  bool is_variable(const ir::Local* local) const;
  bool is_fresh(const ir::Local* local) const;
  bool is_gone_before(const ir::Local* name, const ir::Local* variable) const;

  void sort(const ir::Local* local);
  void block(const ir::Block& b, bool in_loop);
  void stmt(ir::Stmt* s, bool in_loop);
  void mention(const ir::Local* local);
  void declares(ir::Stmt* s, bool in_loop);
  void gives(ir::Stmt* s);
  void show(const ir::Expr* value, const ir::Local* by, bool moves);
  void keep(const ir::Expr* value);
  void leave(const ir::Return& leaves);
  void expr(const ir::Expr* e);

  Arrays arrays_{};
  ir::LocalSet held_{};                               // by variables
  std::vector<int> around_{};                         // by block: the one that it is in
  std::unordered_map<const ir::Local*, int> home_{};  // the block of the declaration
  // In the order of the text: where the statement ends that mentions it last.
  std::unordered_map<const ir::Local*, int> until_{};
  std::unordered_map<const ir::Local*, std::vector<Held>> assigned_{};
  std::unordered_map<const ir::Local*, std::vector<int>> changed_{};  // assigned at
  std::unordered_map<const ir::Local*, std::vector<Shown>> shown_by_{};
  // Shown by what outlives the function; by its result; given away as that.
  ir::LocalSet kept_{}, returned_{}, moved_out_{};
  std::vector<Open> open_{};
  int now_ = 0, current_ = -1;
};

}  // namespace pyk2cu::emit
