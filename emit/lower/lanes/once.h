// What variables are that a body assigns once, before it reads them: said in terms of others. What
// an earlier turn, or what stands in front of the body, has left in them is nowhere read.
//
// In:   a body; an expression.  Out: the expression without them. Tested by
// tests/run/test_lane_integers.py.
#pragma once

#include <unordered_map>

#include "emit/lower/flow.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

// What variables are that a body assigns once.
class Once {
 public:
  explicit Once(const ir::Block& body) {
    const auto times = ir::count_assignments(body);
    ir::for_each_stmt(body, [&](const ir::Stmt* s) {
      if (const auto* a = ir::try_as<ir::Assign>(s)) values_[a->local] = a->value;
    });
    const Flow flow = flow_of(body);
    std::erase_if(values_, [&](const auto& one) {
      return times.at(one.first) != 1 || flow.exposes(one.first);
    });
  }

  void replace(ir::Program& program, ir::Expr*& e, int depth = 0) const {
    const auto at = values_.find(ir::loaded(e));
    if (at != values_.end() && depth < kDepth) {
      e = ir::Cloner(program).expr(at->second);
      return replace(program, e, depth + 1);
    }
    ir::for_each_operand(e, [&](ir::Expr*& operand) { replace(program, operand, depth); });
  }

 private:
  static constexpr int kDepth = 3;
  std::unordered_map<const ir::Local*, const ir::Expr*> values_{};
};

}  // namespace pyk2cu::emit
