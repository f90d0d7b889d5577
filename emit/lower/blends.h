// Both sides of a branch at once.
//
//   if m != 0: run += 1                    taken = m != 0
//   else:      run = 0               ->    run = run + 1 if taken else 0
//
//   if v == v:                             taken = v == v
//     mean = a * v + b * mean        ->    mean = mean * (b if taken else 1.0)
//                                               + (a * v if taken else -0.0)
//
// What a value is computed with is chosen, not the value, where both sides compute it alike: what
// comes next waits for no choice then.
// In:   a branch whose sides compute numbers and truths from variables and from elements that may
// be read on both; which variables are those of one block alone. Out: statements in place of it,
// Choice::kBits. Used by choices.cpp. Tested by tests/golden/passes/choices.py
// and tests/run/test_registers.py.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

// Of integers: if value > local: local = value; local = max(local, value)
struct Extreme {
  ir::Local* local = nullptr;  // null: it is something else
  ir::Expr* value = nullptr;
  bool is_max = false;
};
Extreme extreme_of(ir::Stmt* s);
// if value > local: local = value, and what comes with it: seldom taken, whatever the data.
bool keeps_extreme(const ir::If& branch);

// One operation on what hangs on a variable.
struct Step {
  ir::BinaryOp op{};
  ir::Expr* before = nullptr;  // null: it is none
  ir::Expr* by = nullptr;
  bool rounds = false;  // a product, before it is added to
};
Step step_of(const ir::Local* local, const ir::Expr* value);

// What a statement gives a variable; null: it does something else.
std::pair<ir::Local*, ir::Expr*> assigned(ir::Program& program, ir::Stmt* s);

// Numbers that are chosen by bits.
inline bool is_number(const types::Type* type) {
  return type->is_int() || (type->is_float() && type->bits >= 32);
}
inline bool is_whole(const ir::Local* local) {
  return local && local->type->is_int() && local->type->bits >= 32 && local->lanes == 0;
}

// Of each block of a branch what may have any value where the block is not taken.
using Own = std::unordered_map<const ir::Block*, ir::LocalSet>;

class Blends {
 public:
  Blends(ir::Program& program, ir::Function& f, const Own& own)
      : program_(program), f_(f), own_(own) {}

  // The statements in place of the branch, whose nodes they take over.
  std::vector<ir::Stmt*> both_sides(ir::If& s);

 private:
  std::vector<ir::Stmt*>::iterator counterpart(const ir::Local* local,
                                               std::vector<ir::Stmt*>& all) const;
  bool is_plain(ir::Stmt* s) const;
  ir::Local* named(ir::Expr* condition);
  void unname(ir::Local* taken);
  void assign(ir::Local* local, ir::Expr* value);
  ir::Expr* blend(ir::Local* taken, ir::Expr* yes, ir::Expr* no) const;
  void choose(ir::Local* local, ir::Local* taken, ir::Expr* yes, ir::Expr* no);
  ir::Expr* joined(ir::Local* local, ir::Local* taken, ir::Expr* yes, ir::Expr* no) const;
  ir::Expr* restarted(const ir::Local* local, ir::Local* taken, ir::Expr* yes, ir::Expr* no) const;
  ir::Expr* operand(const Step& step, ir::BinaryOp op, const types::Type* type) const;
  void one_side(ir::Stmt* s, const ir::Block& side, ir::Local* taken, bool is_yes);
  void extreme(const Extreme& e, ir::Local* taken, bool is_yes);

  ir::Program& program_;
  ir::Function& f_;
  const Own& own_;
  std::vector<ir::Stmt*> all_{};
};

}  // namespace pyk2cu::emit
