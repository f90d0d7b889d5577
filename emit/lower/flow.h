// Which values of locals pass from where to where.
//
// In:   statements, a function.  Out: the locals whose value from before a piece reads, those that
// it assigns on every way through, those that are read behind it. Tested by tests/golden/functions
// and tests/golden/openmp.
#pragma once

#include <unordered_map>

#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

class Flow {
 public:
  enum Use : uint8_t {
    kExposed = 1,   // may be read before the piece assigns it
    kAssigned = 2,  // surely assigned where the piece is left at its end
    kWritten = 4,   // assigned somewhere in it
  };
  bool ends = false;  // its end is not reached: nothing behind it runs
  // Of breaks inside that leave a `while true` around it: what is surely assigned before them.
  std::vector<std::pair<const ir::Stmt*, ir::LocalSet>> leaves{};

  bool exposes(const ir::Local* local) const { return is(local, kExposed); }
  bool assigns(const ir::Local* local) const { return is(local, kAssigned); }
  bool writes(const ir::Local* local) const { return is(local, kWritten); }
  // All that it mentions.
  const ir::LocalSet& touched() const { return touched_; }

  void add(const ir::Local* local, int uses) {
    const auto [place, is_new] = touched_.insert(local);
    if (is_new)
      uses_.push_back(uint8_t(uses));
    else
      uses_[place] = uint8_t(uses_[place] | uses);
  }
  // f(local, its uses)
  template <class F>
  void for_each(F&& f) const {
    size_t k = 0;
    for (const ir::Local* local : touched_) f(local, uses_[k++]);
  }

 private:
  bool is(const ir::Local* local, Use use) const {
    const size_t place = touched_.place_of(local);
    return place != ir::LocalSet::kNowhere && (uses_[place] & use);
  }

  ir::LocalSet touched_{};
  std::vector<uint8_t> uses_{};  // by place in touched_
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
  explicit ReadBehind(const ir::Block& body);  // of a function, or all that sees what it assigns
  const ir::LocalSet& of(const ir::Stmt* loop) const { return read_.at(loop); }
  bool knows(const ir::Stmt* loop) const { return read_.contains(loop); }  // it was there

 private:
  struct Holds {
    bool loop = false;
    // The loops around it that jumps inside leave or go on with.
    std::vector<const ir::Stmt*> targets{};
  };
  struct Ends {  // what is read where a break leads to; a continue: that, and more
    ir::LocalSet behind{}, next_turn{};
  };
  Holds note(const ir::Block& block);
  void walk(const ir::Block& block, ir::LocalSet live, const Flows& flows);
  void cross(const ir::Stmt* s, ir::LocalSet& live, const Flows& flows);

  std::unordered_map<const ir::Stmt*, Holds> holds_{};  // of statements with blocks
  std::unordered_map<const ir::Stmt*, Ends> ends_{};    // of the loops around
  std::unordered_map<const ir::Stmt*, ir::LocalSet> read_{};
};

// A copy of the loop with variables of its own, but for those that others see.
ir::For* copy_with_own(ir::Program& program, ir::Function& f, const ir::For& loop,
                       const ir::LocalSet& read_behind);

}  // namespace pyk2cu::emit
