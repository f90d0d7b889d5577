// What code does besides computing a value: the one analysis that everybody asks.
//
// In:   a function, its callees analysed.  Out: for a function, which parameters' elements it
// reads, writes and returns, whether it may raise, whether it has hidden state (output, random
// numbers, barriers); for a statement or an expression, likewise, by the memory that arrays may
// show. A callee that is not analysed yet (recursion) is taken to do everything. Tested by
// tests/unit/typeinfer/effects_test.cpp.
#pragma once

#include <set>
#include <unordered_map>

#include "typeinfer/ir/walk.h"

namespace pyk2cu::ir {

// Where elements lie: those of a parameter (Local*), a frozen array (GlobalArray*), an allocation
// (NewArray*), what a call returns (Call*); kAnywhere when it is not known.
using Root = const void*;
extern const Root kAnywhere;
extern const Root kAnyList;  // the items of lists that are in lists

struct Effects {
  std::set<Root> reads{}, writes{};  // of array elements
  bool raises = false;               // may end the function by an exception
  bool has_state = false;            // prints, draws random numbers, meets other threads

  // Would leaving it out, or running it at another time, be noticed?
  bool is_observable() const { return raises || has_state || !writes.empty(); }
  void operator|=(const Effects& other);
};

// The memory that each array of a function may show, and the effects of its parts. Locals made
// after the analysis may show anything.
class EffectAnalysis {
 public:
  explicit EffectAnalysis(const Function& f);

  // What an array expression may show; empty of what holds no array.
  std::set<Root> memory(const Expr* array) const;

  // What the function's results may show.
  std::set<Root> returned() const;

  Effects of(const Expr* e) const;  // with all its operands
  Effects of(const Stmt* s) const;  // with all its blocks
  Effects of(const Block& block) const;

  // May one write what the other reads or writes?
  bool interfere(const Effects& a, const Effects& b) const;
  bool may_overlap(const std::set<Root>& a, const std::set<Root>& b) const;
  // Likewise, of two arrays. The fields of one array's records lie beside each other: of records
  // that overlap there are no arrays (pyk/python/argument.h).
  bool may_overlap(const Expr* a, const Expr* b) const;

 private:
  struct See;
  template <class F>
  void for_each_root(const Expr* array, F&& f) const;
  void add_stmt(const Stmt* s, Effects& out) const;

  const Function& function_;
  std::unordered_map<const Local*, std::set<Root>> shown_{};
  std::unordered_map<const Local*, const Builtin*> fields_{};  // Local::records
};

// Fills in Param::read, written, returned and Function::may_raise, has_state: of one function, or
// of all functions of a program, recursion included.
void analyse(Function& f);
void analyse(Program& program);

// The arrays whose elements the expression itself, operands aside, writes; the statement itself.
std::vector<const Expr*> written_by(const Expr* e);
std::vector<const Expr*> written_by(const Stmt* s);

// May the call end the function that makes it? As far as its function is analysed.
bool may_raise(const Call& call);
// Would leaving out the call be noticed? As far as its function is analysed.
bool is_observable(const Call& call);
// A call, a builtin or an allocation with observable effects anywhere inside; as far as analysed.
bool has_effect(const Expr* e);
// Does its value hang on elements of arrays, or on hidden state?
bool reads_memory(const Expr* e);
bool reads_itself(const Expr* e);  // likewise, operands aside

// Invariants 1 and 2 of ir.h: is what the statement evaluates free of effects, but for one call
// that C++ surely runs before, or after, all that it could change?
bool is_in_order(const Stmt* s);

}  // namespace pyk2cu::ir
