// What the iterations of a counted loop have to themselves, and other questions about loops.
//
// In:   a loop and the function around it.  Out: yes or no, no where it is not known.
// Tested by tests/golden/openmp and tests/golden/lanes.
#pragma once

#include <optional>
#include <unordered_map>

#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

// `if (divisor == 0.0) raise`: nothing but a condition and a Raise.
bool is_check(const ir::Stmt* s);

// for i in range(lo, hi), of int64
bool counts_by_one(const ir::For& loop);

// How often it turns, from a constant to a constant by a constant; nothing: that is not known.
std::optional<int64_t> constant_turns(const ir::For& loop);
bool turns_less(const ir::For& loop, int64_t times);  // no where it is not known

// x + 2 and x - 2   ->   x, 2 and x, -2;   7   ->   null, 7
struct Sum {
  const ir::Expr* base;
  int64_t offset;
};
Sum sum_of(const ir::Expr* e);

// The sum of `from` - the sum of `to` + offset
struct Distance {
  std::vector<const ir::Expr*> from, to;
  int64_t offset;
};

class Iterations {
 public:
  // `own`: locals that hold nothing but arrays which an iteration makes.
  Iterations(const ir::For& loop, const ir::EffectAnalysis& effects, ir::LocalSet own = {});

  const ir::LocalSet& assigned() const { return assigned_; }  // by the body
  // index * c + something that the loop does not change: every iteration has its own value. Or, of
  // loops inside from one constant to another, values: i * 8 + j of j below 8.
  bool moves(const ir::Expr* e) const;
  // Computed from what is known before the loop, without reading memory.
  bool is_known(const ir::Expr* e) const;
  // The array is made inside, or a view that is apart from those of other iterations.
  bool has_own(const ir::Expr* array) const {
    ir::LocalSet asked;
    return has_own(array, asked);
  }
  // The place belongs to the iteration: some index moves, or the array is its own.
  bool has_own(const ir::Place& place) const;
  // Does one iteration surely come to element `b` where another one comes to `a`: a[i], a[i - 1]?
  bool meet(const ir::List<ir::Index>& a, const ir::List<ir::Index>& b) const;
  // The items of lists that a container may be, by the names that the loop gives them.
  std::vector<const ir::Builtin*> items_shown(const ir::Expr* container) const;
  // Nor is anything that stands in it another one's.
  bool has_own_items(const ir::Expr* array) const;

  // Every iteration stores elements of its own only, and loads no others of memory that is stored
  // to. `distinct`: arrays of different names share no memory.
  bool are_independent(bool distinct) const;
  // Likewise, of arrays that share no memory, where each of the distances is as large as the loop
  // turns often, up or down: those of a[i] and a[i + n]. Null: however large they are.
  std::optional<std::vector<Distance>> independent_where() const;
  // Independent; and nothing in the body but assignments, stores and branches, without effects.
  bool are_straight() const;

 private:
  // index * stride + the sum of `base` + offset, to which loops inside add as much as `reach`.
  struct Affine {
    int64_t stride = 0, offset = 0;
    std::vector<const ir::Expr*> base{};  // what does not change in the loop
    int64_t reach = 0;
    bool is_cut = false;  // to fewer bits, which distances do not survive
  };
  void note_reaches();
  std::optional<Affine> affine(const ir::Expr* e, int depth) const;
  std::optional<Affine> sum(const ir::Binary& e, const Affine& left, const Affine& right) const;
  static Distance distance(const Affine& a, const Affine& b);
  // Less than from one iteration to the next?
  bool is_less_than_turn(const Affine& at, int64_t reach) const;
  // Do both move alike, and do all that one iteration has of both stand clear of those of others?
  bool move_apart(const ir::Expr* a, const ir::Expr* b) const;
  // Whichever two iterations ask?
  bool are_never_equal(const ir::Expr* a, const ir::Expr* b) const;
  bool moves_apart(const ir::Subscript& slice) const;
  // `asked`: variables that are being looked at, which are the iteration's own if all else is.
  bool has_own(const ir::Expr* array, ir::LocalSet& asked) const;
  bool are_items_own(const types::Type* list, ir::LocalSet& asked) const;
  bool are_apart(const ir::List<ir::Index>& a, const ir::List<ir::Index>& b) const;
  bool ask_distance(const ir::Expr* a, const ir::Expr* b) const;
  bool passes(const ir::Expr* moved, const ir::Expr* fixed) const;
  bool is_alone(const ir::Place& place, bool distinct) const;

  const ir::For& loop_;
  const ir::EffectAnalysis& effects_;
  ir::LocalSet assigned_, own_;
  std::unordered_map<const ir::Local*, std::vector<const ir::Expr*>> values_{};  // of Assigns
  ir::LocalSet changed_{};                  // otherwise than by an Assign
  std::vector<Distance>* asked_ = nullptr;  // where it is only asked when they are apart
  // Of loops inside: the first value of the index, and how far it gets from there.
  std::unordered_map<const ir::Local*, std::pair<int64_t, int64_t>> reaches_{};
};

// What an iteration loads, or computes from which one it is.
ir::LocalSet own_of(const ir::For& loop);

}  // namespace pyk2cu::emit
