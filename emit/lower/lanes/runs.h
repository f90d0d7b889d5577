// Runs of statements that the lanes of a gang make, and statements between them.
//
// In:   statements of lanes, one after the other; statements of the gang.  Out: Lanes, as few as
// the order allows, with the statements between them in a block. Tested by tests/golden/gangs.
#pragma once

#include <unordered_set>

#include "emit/lower/lanes/gang.h"

namespace pyk2cu::emit {

// A condition on what a function has given: g++ 12 draws it into the choices at the end of the
// function and vectorises neither, so that it begins a run of its own.
void add_given(const ir::Stmt* s, ir::LocalSet& given);  // the locals that a function gives in `s`
bool asks_any(const ir::Stmt* s, const ir::LocalSet& given);

enum class Run : uint8_t { kVector, kScalar };  // kScalar: one lane after the other

class Runs {
 public:
  Runs(ir::Program& program, const Gang& gang);

  // From here on statements go into the block; returns the one before. Nothing may be pending.
  ir::Block* begin(ir::Block* block) {
    same_.clear();
    return std::exchange(out_, block);
  }
  void flush();           // ends the run
  void put(ir::Stmt* s);  // behind the run
  // The last statement that was put makes room for these.
  void replace(const ir::Stmt* last, const ir::Block& by);
  void uniform(ir::Stmt* s);  // before the run where that makes no difference
  // Likewise of a variable of its own. Returns what assigns the value: `s`, or what does already.
  const ir::Assign* same(ir::Assign* s);
  // counted: not for lanes without an iteration.
  void add(ir::Stmt* s, Run run, bool counted);
  void adds_to(const ir::Reduction& reduction) {  // the run that stands
    run_->reductions = program_.list(std::vector{reduction});
  }

  // Does it read what some run computes?
  bool made(const ir::Expr* e) const { return ir::reads_any(e, made_); }

 private:
  ir::Block* take_free();
  bool meets(const ir::Stmt* s) const;

  ir::Program& program_;
  const Gang& gang_;
  ir::Block* out_ = nullptr;
  ir::Lanes* run_ = nullptr;
  ir::LocalSet made_{};  // that runs assign
  // Of the run: statements that are not for lanes without an iteration; what it assigns and names;
  // whether it stores.
  std::unordered_set<const ir::Stmt*> counted_{};
  ir::LocalSet assigned_{}, named_{}, given_{};
  bool stores_ = false;
  std::vector<const ir::Assign*> same_{};  // in front of it, nothing in between
};

}  // namespace pyk2cu::emit
