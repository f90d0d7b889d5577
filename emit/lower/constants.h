// Integers that are known when a program is compiled, in place of what computes them.
//
// In:   names with one value each, expressions.  Out: -1 + i -> i - 1, di != 0 -> true, offsets[1]
// of a tuple of constants, of tuples of them, or of a module's array. What may be noticed stays.
// Tested by tests/golden/passes/unroll.
#pragma once

#include <unordered_map>

#include "emit/lower/interval.h"
#include "typeinfer/ir/builder.h"

namespace pyk2cu::emit {

// A number, or a tuple of which no item is computed, however deep.
bool is_constant(const ir::Expr* e);

class Constants {
 public:
  explicit Constants(ir::Program& program) : program_(program) {}

  // Wherever the local is read it holds this number, or this tuple, whose constant items are known.
  void name(const ir::Local* local, const ir::Const& value) {
    known_.set(local, interval_of(value));
  }
  void name(const ir::Local* local, const ir::Tuple* value) { tuples_[local] = value; }
  // The tuple that an expression is, by names or as an item of others; null: that is not known.
  const ir::Tuple* tuple_of(const ir::Expr* e) const;
  // Likewise for all that a function assigns once, and from constants.
  void name_all(const ir::Function& f);

  void fold(ir::Expr*& e);

 private:
  ir::Expr* folded(ir::Expr* e);
  ir::Expr* item(ir::Expr* tuple, int64_t k, ir::Expr* e) const;
  ir::Expr* extent(const ir::Query& query, ir::Expr* e) const;
  ir::Expr* frozen(const ir::Element& element, ir::Expr* e) const;
  ir::Expr* sum(ir::Binary& e) const;

  ir::Program& program_;
  Known known_{};
  std::unordered_map<const ir::Local*, const ir::Tuple*> tuples_{};
};

}  // namespace pyk2cu::emit
