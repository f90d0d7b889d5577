// Elements that arrays surely have, whatever the turns of the loops around.
//
// In:   the loops around, outside in; elements.  Out: yes or no, no where it is not known.
// Tested by tests/golden/passes/choices.py and tests/run/test_decays.py.
#pragma once

#include <optional>
#include <vector>

#include "emit/lower/iterations.h"
#include "emit/lower/lanes/linear.h"

namespace pyk2cu::emit {

class Inside {
 public:
  Inside(ir::Program& program, const ir::Function& f) : program_(program), extents_(f) {}

  void enter(const ir::For* loop) {
    around_.push_back(loop);
    sums_.reset();
  }
  void leave() {
    around_.pop_back();
    sums_.reset();
    if (around_.empty()) assigned_.reset();
  }

  bool operator()(const ir::Element& element) {
    if (element.is_there) return true;
    if (around_.empty()) return false;
    if (!sums_) know();
    return sums_->is_inside(element);
  }

 private:
  void know() {
    if (!assigned_) assigned_ = ir::assigned_in(*around_.front()->body);
    sums_.emplace(program_, extents_, *assigned_);
    for (const ir::For* loop : around_)
      if (const int term = counts_by_one(*loop) ? sums_->add_variable(loop->index) : -1; term >= 0)
        sums_->know_range(term, loop->lo, loop->hi);
  }

  ir::Program& program_;
  const Extents extents_;
  std::vector<const ir::For*> around_{};
  std::optional<ir::LocalSet> assigned_{};  // by the outermost of them
  std::optional<Sums> sums_{};  // of the loops around, once somebody asks
};

}  // namespace pyk2cu::emit
