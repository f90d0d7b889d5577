// What the passes found out about a program beyond the IR itself: side tables keyed by node.
//
// In:   filled by the passes of lower.cpp, each its own part.  Out: read by later passes and the
// printers, which decide nothing themselves.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

// `target = target op value` that may be written `target op= value`.
struct Update {
  ir::BinaryOp op{};
  ir::Expr* value = nullptr;
  bool wraps = false;  // may overflow: pyk::add_to(target, value)
};

struct LoopFacts {
  bool parallel = false;          // over cores
  bool dynamic = false;           // iterations differ in cost: hand them out in small portions
  bool may_raise = false;         // some iteration may leave by a status
  bool simd = false;              // iterations are independent: lanes of a vector
  bool strips = false;            // over strips of iterations: checks first, then without checks
  int step_sign = 0;              // of a step that is no constant; 0: not known
  bool steps_over = false;        // index += step may overflow behind the last iteration
  std::vector<ir::Expr*> work{};  // factors of the number of innermost iterations
  int64_t weight = 1;             // operations of one innermost iteration
  std::vector<ir::Reduction> simd_reductions{};
  std::vector<const ir::Local*> views{};  // arrays of which every thread gets a view of its own
};

struct Facts {
  // Arithmetic that prints as C++'s own operator: + - * that cannot overflow, // and % of
  // non-negative operands, shifts by less than the width.
  std::unordered_set<const ir::Expr*> plain{};
  std::unordered_map<const ir::Stmt*, Update> updates{};  // Assign and Store
  std::unordered_set<const ir::Stmt*> atomic{};           // updates that several threads may make
  std::unordered_map<const ir::Stmt*, LoopFacts> loops{};
  // Array locals through which, or through views of which, elements are stored.
  std::unordered_set<const ir::Local*> written{};

  const LoopFacts* loop(const ir::Stmt* s) const {  // null: nothing special
    const auto it = loops.find(s);
    return it == loops.end() ? nullptr : &it->second;
  }
};

}  // namespace pyk2cu::emit
