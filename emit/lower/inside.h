// Elements that arrays surely have, whatever the turns of the loops around.
//
// In:   the loops around, outside in; elements.  Out: yes or no, no where it is not known.
// Tested by tests/golden/passes/choices.py and tests/run/test_decays.py.
#pragma once

#include <vector>

#include "emit/lower/iterations.h"
#include "emit/lower/lanes/linear.h"

namespace pyk2cu::emit {

class Inside {
 public:
  Inside(ir::Program& program, const ir::Function& f) : program_(program), extents_(f) {}

  void enter(const ir::For* loop) { around_.push_back(loop); }
  void leave() { around_.pop_back(); }

  bool operator()(const ir::Element& element) const {
    if (around_.empty()) return false;
    Sums sums(program_, extents_, ir::assigned_in(*around_.front()->body));
    for (const ir::For* loop : around_)
      if (const int term = counts_by_one(*loop) ? sums.add_variable(loop->index) : -1; term >= 0)
        sums.know_range(term, loop->lo, loop->hi);
    return sums.is_inside(element);
  }

 private:
  ir::Program& program_;
  const Extents extents_;
  std::vector<const ir::For*> around_{};
};

}  // namespace pyk2cu::emit
