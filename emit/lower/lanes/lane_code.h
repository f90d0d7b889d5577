// Statements for all lanes of a gang, collected into runs: loops over the lanes without control
// flow in them.
//
// In:   statements and expressions of one iteration, masks.  Out: Lanes in a block, uniform
// statements between them. Tested by tests/golden/gangs.
#pragma once

#include <unordered_set>

#include "emit/lower/lanes/gang.h"
#include "emit/lower/lanes/scopes.h"

namespace pyk2cu::emit {

class LaneCode {
 public:
  // `scopes`: where control is.
  LaneCode(ir::Program& program, ir::Function& f, const Gang& gang, const Shape& shape,
           const Scopes& scopes);

  // False once something came that lanes cannot do.
  bool fits() const { return fits_; }
  void fail() { fits_ = false; }

  // From here on statements go into the block; returns the one before. Nothing may be pending.
  ir::Block* begin(ir::Block* block) { return std::exchange(out_, block); }
  void flush();           // ends the run
  void put(ir::Stmt* s);  // behind the run
  // The last statement that was put makes room for these.
  void replace(const ir::Stmt* last, const ir::Block& by);

  // Which lane it is, int32.
  ir::Expr* lane() const;
  // Must it be left alone where no lane needs its value: memory that may not be there, traps?
  bool is_guarded(const ir::Expr* e) const;

  void uniform(ir::Stmt* s);  // before the run where that makes no difference
  // mask: null: all lanes. seen: lanes outside of the mask keep what they had.
  void assign(ir::Assign& s, ir::Local* mask, bool seen);
  void plain_assign(ir::Local* local, ir::Expr* value);
  void varying_assign(ir::Local* local, ir::Expr* value, ir::Local* mask);
  // local = running and condition; running null: whatever lanes without an iteration get.
  void condition(ir::Local* local, ir::Expr* running, ir::Expr* condition);
  void memory(ir::Stmt* s, ir::Local* mask);  // a Store, or an Update of an element
  void gather(ir::Stmt* s, ir::Local* mask, const Gathered& gathered);

 private:
  enum class Run : uint8_t { kVector, kScalar };  // kScalar: one lane after the other

  ir::Block* take_free();
  void add(ir::Stmt* s, Run run, bool counted);
  bool meets(const ir::Stmt* s) const;
  bool has_form(const ir::Expr* e) const;
  void adapt(ir::Expr*& e, bool dead);
  bool take_index(ir::Expr*& e);
  void take_uniform(ir::Expr*& e, bool sure);
  bool is_of_lanes(const ir::Expr* e) const;
  void extract(ir::Expr*& e, ir::Local* mask, bool sure = true);
  void adapt_all(ir::Stmt* s, ir::Local* mask);

  ir::Program& program_;
  ir::Function& f_;
  const Gang& gang_;
  const Shape& shape_;
  const Scopes& scopes_;
  ir::Block* out_ = nullptr;
  ir::Lanes* run_ = nullptr;
  ir::LocalSet made_{};  // that runs assign
  // Of the run: statements that are not for lanes without an iteration; what it assigns and names;
  // whether it stores.
  std::unordered_set<const ir::Stmt*> counted_{};
  ir::LocalSet assigned_{}, named_{};
  bool stores_ = false;
  bool fits_ = true;
};

}  // namespace pyk2cu::emit
