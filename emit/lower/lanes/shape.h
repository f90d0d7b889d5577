// What is the same for all lanes of a gang, and where lanes part.
//
// In:   the body of a loop, calls inlined, one lane per iteration.  Out: for locals and expressions
// whether lanes differ, for jumps and loops whether only some lanes make them. A local that is the
// same for all lanes that see it stays one value: it is `uniform`. Tested by tests/golden/gangs.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "emit/lower/flow.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

class Shape {
 public:
  // `own`: what differs from the start, the loop's index and all that numbers the lanes. `shared`:
  // locals that iterations share. `abandoned`: nobody goes on behind that loop; its lanes leave it
  // where an iteration raises.
  Shape(const ir::Block& body, const ir::LocalSet& own, const ir::LocalSet& shared,
        const ir::Stmt* abandoned);

  bool varies(const ir::Local* local) const { return varying_.contains(local); }
  bool varies(const ir::Expr* e) const;

  // Of a loop: do its lanes take different numbers of turns, by its condition or bounds, by breaks,
  // by `continue`?
  struct Turns {
    bool varying = false;    // its condition, or its end
    bool breaks = false;     // some lanes leave it from inside, or something around it
    bool left = false;       // some lanes go on behind it while others turn
    bool continues = false;  // some lanes end a turn early
    bool part() const { return varying || breaks || continues; }
  };
  const Turns& turns(const ir::Stmt* loop) const;
  // Do lanes leave the loop while others turn, but for those that raise?
  bool waits(const ir::Stmt* loop) const;
  // Do only some of the lanes that are in its target make the jump?
  bool parts(const ir::Stmt* jump) const { return parting_.contains(jump); }

  // Does what lanes that do not run the block, or have left the loop, see of the local hang on
  // whether it is assigned there?
  bool escapes_block(const ir::Block& block, const ir::Local* local) const;
  bool escapes_loop(const ir::Stmt* loop, const ir::Local* local) const;
  bool escapes_turn(const ir::Stmt* loop, const ir::Local* local) const;

 private:
  struct Frame {
    const ir::Stmt* stmt;    // an If or a loop
    const ir::Block* block;  // of it
  };
  void walk(const ir::Block& block);
  void visit(const ir::Stmt* s);
  void leave(const ir::Stmt* jump, const ir::Stmt* target, bool turn_only);
  void assign(const ir::Local* local, const ir::Expr* value);
  void vary(const ir::Local* local);
  bool is_confined(const ir::Block& block, const ir::Local* local) const;

  const ir::Block& body_;
  const ir::LocalSet& shared_;
  const ir::Stmt* abandoned_;
  const ReadBehind behind_;
  std::unordered_map<const ir::Local*, int> mentions_{};
  mutable std::unordered_map<const ir::Block*, std::unordered_map<const ir::Local*, int>> inside_{};
  mutable std::unordered_map<const ir::Block*, Flow> flows_{};
  ir::LocalSet varying_{};
  std::unordered_map<const ir::Stmt*, Turns> turns_{};
  std::unordered_set<const ir::Stmt*> parting_{};
  std::vector<Frame> frames_{};
  bool changed_ = false;
};

}  // namespace pyk2cu::emit
