// Which elements the iterations of a parallel loop meet at, as far as subscripts say.
//
//   for i in prange(n):
//       a[0] = a[0] / 2 + f[i]          all meet
//       a[w[i]] = a[w[i]] / 2 + f[i]    those may that find the same in w
//       parts[get_thread_id()] += f[i]  those of a thread do, one after the other
//
// In:   a loop and the effects of its function, which must outlive it.  Out: answers; nothing is
// changed. Tested by tests/run/test_updates.py and tests/run/test_threads.py.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/ir.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

class Meetings {
 public:
  Meetings(const ir::For& loop, const ir::EffectAnalysis& effects);

  // May the place be another one in each iteration? No: all that come to `at` come to one element,
  // whatever the arrays hold.
  bool may_differ(const ir::Place& place, const ir::Stmt& at) const;
  bool is_chosen(const ir::Stmt& at) const { return chosen_.contains(&at); }  // by some iterations
  // Nobody but the thread comes to it, which does one iteration after the other.
  bool is_of_thread(const ir::Place& place) const;
  bool is_of_thread(const ir::Expr* array) const;
  // Is what the place may show read by the value, or was it for the locals in it? Not by helpers:
  // they are not looked into.
  bool reads(const ir::Expr* value, const ir::Place& place) const;

 private:
  void note(const ir::Block& block, bool chosen);
  bool may_vary(const ir::Expr* e, ir::LocalSet& asked) const;
  bool may_vary(const ir::Expr* e) const {
    ir::LocalSet asked;
    return may_vary(e, asked);
  }
  // The elements of an array that the loop does not assign, at the thread along an axis.
  struct Spot {
    const ir::Local* array;
    size_t axis;
    bool operator==(const Spot&) const = default;
  };
  bool is_thread(const ir::Expr* e) const;
  std::optional<Spot> spot_of(const ir::Expr* array) const;
  std::optional<Spot> spot_of(const ir::Place& place) const;
  bool is_shared(const ir::Expr* array) const;
  void find_shared();
  bool reads(const ir::Expr* value, const std::set<ir::Root>& memory, ir::LocalSet& asked) const;

  const ir::For& loop_;
  const ir::EffectAnalysis& effects_;
  std::unordered_map<const ir::Local*, std::vector<const ir::Expr*>> values_{};  // in the loop
  ir::LocalSet inner_{};                          // indices of loops inside
  std::set<ir::Root> shared_{};                   // written elsewhere than at one spot as well
  std::unordered_set<const ir::Stmt*> chosen_{};  // not every iteration does them
};

}  // namespace pyk2cu::emit
