// What the turns of a loop ask before they do anything.
//
//   for i …:                        x = a[i]
//     x = a[i]                 ->   found |= x > most          of a block of turns, in lanes
//     if x > most: most = x
//
// A turn that is asked ahead may have been none, behind one that leaves the loop; or it may not
// have got as far as to load an element. Of such elements is said where they are there.
//
// In:   a loop.  Out: a question that vectors can ask; where nobody can, or only of what no array
// holds, none. Tested by tests/golden/passes/skips.py and tests/run/test_skips.py.
#pragma once

#include <optional>
#include <vector>

#include "emit/lower/inside.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

constexpr int64_t kAsked = 32;  // turns of a block: a few vectors of any type

// Its locals are in no function yet.
struct Question {
  ir::Local* first = nullptr;  // turn of the block
  ir::Local* found = nullptr;  // not 0: some turn may do something; as wide as what is asked
  ir::Block body{};            // one turn of the loop that asks; with what others read behind it
  std::vector<ir::Expr*> there{};  // what holds where the block may be asked
  // Elements that the block loads once, and what they are called.
  std::vector<std::pair<ir::Expr*, ir::Local*>> fixed{};

  // Does `found` hang on the k-th statement of the body?
  bool needs(size_t k) const;
  // for index in range(first, first + 32): …body…
  ir::For* loop(ir::Program& program, ir::Local* index, ir::Block* turn) const;
};

// `read_behind`: variables, when the loop is over. `inside`: within the loop.
std::optional<Question> question_of(ir::Program& program, const ir::For& loop,
                                    const ir::EffectAnalysis& effects,
                                    const ir::LocalSet& read_behind, Inside& inside);

// local + by
ir::Expr* shifted(const ir::Builder& build, ir::Local* local, int64_t by);

}  // namespace pyk2cu::emit
