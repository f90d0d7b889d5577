// The statements of one iteration as all lanes of a gang make them, in runs.
//
// In:   statements and expressions of one iteration, masks.  Out: Lanes in a block, uniform
// statements between them. Tested by tests/golden/gangs.
#pragma once

#include "emit/lower/lanes/runs.h"
#include "emit/lower/lanes/scopes.h"

namespace pyk2cu::emit {

// What has been computed ahead of a statement: as the source has it, and where it is.
class Ahead {
 public:
  ir::Local* find(const ir::Expr* e) const;  // null: it has not been
  void add(const ir::Expr* source, ir::Local* value) { all_.emplace_back(source, value); }
  void clear() { all_.clear(); }

 private:
  std::vector<std::pair<const ir::Expr*, ir::Local*>> all_{};
};

class LaneCode {
 public:
  // `scopes`: where control is.
  LaneCode(ir::Program& program, ir::Function& f, const Gang& gang, const Shape& shape,
           const Scopes& scopes);

  // False once something came that lanes cannot do.
  bool fits() const { return fits_; }
  void fail() { fits_ = false; }

  Runs& runs() { return runs_; }

  // Which lane it is, int32.
  ir::Expr* lane() const;
  // Must it be left alone where no lane needs its value: memory that may not be there, traps?
  bool is_guarded(const ir::Expr* e) const;
  bool is_counted(const ir::Expr* e, const ir::Local* mask) const;

  // mask: null: all lanes. seen: lanes outside of the mask keep what they had.
  void assign(ir::Assign& s, ir::Local* mask, bool seen);
  void plain_assign(ir::Local* local, ir::Expr* value);
  void ahead(ir::Expr*& e, ir::Local* mask);
  void varying_assign(ir::Local* local, ir::Expr* value, ir::Local* mask);
  // local = running and condition; running null: whatever lanes without an iteration get. Out: what
  // is false for those that run and are not among them; with `splits` the condition by itself.
  ir::Local* condition(ir::Local* local, ir::Expr* running, ir::Expr* condition, bool splits);
  void memory(ir::Stmt* s, ir::Local* mask);  // a Store, or an Update of an element
  void gather(ir::Stmt* s, ir::Local* mask, const Gathered& gathered);

 private:
  void loads_ahead(ir::Expr*& e, ir::Local* running);
  bool gather_wrapping(ir::Stmt* s, ir::Local* mask, const Gathered& gathered);
  bool node_has_form(const ir::Expr* e) const;
  bool has_form(const ir::Expr* e) const { return node_has_form(e) && !hides(e); }
  bool hides(const ir::Expr* e) const;
  void adapt(ir::Expr*& e, bool dead);
  void forget(ir::Expr* e);
  bool take_index(ir::Expr*& e);
  void take_uniform(ir::Expr*& e, ir::Local* mask, bool sure);
  void extract(ir::Expr*& e, ir::Local* mask, bool sure = true);
  ir::Local* keep(ir::Expr*& e, std::string_view name, ir::Local* mask, bool sure);
  ir::Local* put_ahead(const ir::Expr* source, ir::Expr* e, std::string_view name);
  void extract_angle(ir::Builtin& call, ir::Expr*& e, ir::Local* mask, bool sure);
  void extract_division(ir::Binary& division, ir::Expr*& e, ir::Local* mask, bool sure);
  void adapt_all(ir::Stmt* s, ir::Local* mask, bool dead = false);
  bool is_for_all(const ir::Stmt* s, const ir::Local* mask) const;
  bool is_chosen_by_bits(const ir::Local* local, const ir::Local* mask) const;

  ir::Program& program_;
  ir::Function& f_;
  const Gang& gang_;
  const Shape& shape_;
  const Scopes& scopes_;
  Ahead ahead_{};
  ir::LocalSet compared_{};  // masks that are nothing but a comparison
  Runs runs_;
  bool fits_ = true;
};

// lane_sums.cpp
// What an assignment adds to a sum that every lane has for its own, or takes from it; null: it does
// something else.
ir::Expr** added_to(const Gang& gang, ir::Assign& s);
// s = s + e, behind a mask   ->   s = s + (mask ? e : 0), of sums in any order: one instruction
// chooses between a number and 0. A float32 is chosen before it becomes a float64.
void add_chosen(ir::Program& program, ir::Expr*& added, ir::Local* mask);

}  // namespace pyk2cu::emit
