// Sums of complex numbers in two halves: of their real and of their imaginary parts.
//
//   s = 0j                          s = 0j; s_re = s.real; s_im = s.imag
//   for i in range(n):        ->    for i in range(n): s_re += …; s_im += …
//     s += conj(a[i]) * b[i]        s = complex(s_re, s_im)
//
// Each is a sum as all others: lanes add to it, totals makes several at a time of it. Of innermost
// serial loops without jumps that hand on no other complex number, whose terms are made of what
// complexes.h takes apart; not of what a parallel loop around them adds up. Of those whose order is
// free, or whose terms have functions that lanes are quicker at: all others wait for the sum
// before, and are in lanes with the loops around them.
// In:   functions behind temps.  Out: the same values.
// Tested by tests/golden/passes/halves.py and tests/run/test_totals.py.
#include <algorithm>
#include <unordered_map>
#include <vector>

#include "emit/lower/flow.h"
#include "emit/lower/lanes.h"
#include "emit/lower/lanes/complexes.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

using Mentions = std::unordered_map<const Local*, int>;

void count_mentions(const Stmt* s, Mentions& mentions) {
  ir::for_each_local_in(s, [&](const Local* local, ir::Access) { ++mentions[local]; });
}

class Halves {
 public:
  Halves(ir::Program& program, ir::Function& f) : program_(program), f_(f) {
    for (const Stmt* s : f.body) count_mentions(s, mentions_);
  }

  void block(Block& b) {
    Block all;
    for (Stmt* s : b) {
      auto* loop = ir::try_as<ir::For>(s);
      const bool shares = loop && loop->loop == ir::LoopKind::kParallel;
      if (shares) parallel_.push_back(flow_of(*loop->body));
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      if (shares) parallel_.pop_back();
      Local* sum = loop && is_wanted(*loop) ? sum_of(*loop) : nullptr;
      if (!sum || !in_parts(all, *loop, sum)) all.push_back(s);
    }
    b = std::move(all);
  }

 private:
  static bool is_wanted(const ir::For& loop) {
    return loop.adds_freely || differs_in_lanes(*loop.body) || has_functions_of_parts(*loop.body);
  }

  // The only complex number that one turn hands to the next one, if all they do is to add to it.
  Local* sum_of(const ir::For& loop) const {
    const bool fits =
        loop.loop == ir::LoopKind::kSerial && loop.reductions.empty() &&
        !ir::any_stmt(*loop.body, [](const Stmt* s) { return ir::is_loop(s) || ir::is_jump(s); });
    if (!fits) return nullptr;
    const Flow flow = flow_of(*loop.body);
    Mentions inside;
    count_mentions(&loop, inside);
    Local* sum = nullptr;
    for (const Local* local : ir::assigned_in(*loop.body)) {
      if (!local->type->is_complex()) continue;
      if (!flow.exposes(local)) {
        if (inside.at(local) != mentions_.at(local)) return nullptr;
        continue;
      }
      if (sum || local->maybe_unbound) return nullptr;
      sum = const_cast<Local*>(local);
    }
    const auto shares = [&](const Flow& around) { return around.exposes(sum); };
    return sum && only_adds(*loop.body, sum) && std::ranges::none_of(parallel_, shares) ? sum
                                                                                        : nullptr;
  }

  static bool only_adds(const Block& body, const Local* sum) {
    bool only = true;
    ir::for_each_stmt(body, [&](const Stmt* s) {
      const auto* u = ir::try_as<ir::Update>(s);
      const bool adds = u && u->place.local == sum &&
                        (u->op == BinaryOp::kAdd || u->op == BinaryOp::kSub) &&
                        u->value->type == sum->type;
      ir::for_each_expr(s, [&](const Expr* e) { only = only && !ir::reads(e, sum); });
      ir::for_each_local(
          s, [&](const Local* local, ir::Access) { only = only && (local != sum || adds); });
    });
    return only;
  }

  // Puts the loop there, and what is around it.
  bool in_parts(Block& all, ir::For& loop, Local* sum) {
    const ir::Builder b{program_, loop.span};
    Local* z = b.temp(sum->name.str(), sum->type);
    const auto rename = [&](const Local* from, Local* to) {
      ir::for_each_stmt(*loop.body, [&](Stmt* s) {
        auto* u = ir::try_as<ir::Update>(s);
        if (u && u->place.local == from) u->place.local = to;
      });
    };
    rename(sum, z);
    Block* around = b.block({b.assign(z, b.load(sum)), &loop, b.assign(sum, b.load(z))});
    ir::LocalSet whole;
    whole.insert(sum);
    if (!split_complexes(program_, f_, *around, whole)) {
      rename(z, sum);
      return false;
    }
    all.insert(all.end(), around->begin(), around->end());
    return true;
  }

  ir::Program& program_;
  ir::Function& f_;
  Mentions mentions_{};
  std::vector<Flow> parallel_{};  // loops around
};

}  // namespace

void halves(ir::Program& program, ir::Function& f) { Halves(program, f).block(f.body); }

}  // namespace pyk2cu::emit
