// Which values of locals pass from where to where.
//
// In:   statements, a function.  Out: the locals whose value from before a piece reads, those that
// it assigns on every way through, those that are read behind it. Tested by tests/golden/functions
// and tests/golden/openmp.
#pragma once

#include <unordered_map>

#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

struct Flow {
  ir::LocalSet exposed{};   // may be read before the piece assigns it
  ir::LocalSet assigned{};  // surely assigned where the piece is left at its end
  ir::LocalSet written{};   // assigned somewhere in it
  ir::LocalSet touched{};   // mentioned somewhere in it
  bool ends = false;        // its end is not reached: nothing behind it runs
};
Flow flow_of(const ir::Stmt* s);
Flow flow_of(const ir::Block& block);

// The flows of all statements of a function.
class Flows {
 public:
  explicit Flows(const ir::Block& body);
  const Flow& of(const ir::Stmt* s) const { return flows_.at(s); }

 private:
  std::unordered_map<const ir::Stmt*, Flow> flows_{};
};

// Which of the locals that a loop assigns somebody reads when it is over: behind it, or, where
// another loop is around it, in that one's next iteration.
class ReadBehind {
 public:
  explicit ReadBehind(const ir::Function& f);
  const ir::LocalSet& of(const ir::Stmt* loop) const { return read_.at(loop); }

 private:
  struct Holds {
    bool loop = false, jump = false;  // a counted loop; a break or continue
  };
  Holds note(const ir::Block& block);
  Holds of_stmt(const ir::Stmt* s) const;
  void walk(const ir::Block& block, const ir::LocalSet& after, const Flows& flows);

  std::unordered_map<const ir::Stmt*, Holds> holds_{};  // of statements with blocks
  std::unordered_map<const ir::Stmt*, ir::LocalSet> read_{};
};

}  // namespace pyk2cu::emit
