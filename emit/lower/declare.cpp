// Where each local is declared: at its first assignment, in the narrowest scope that serves.
//
//   x = e        ->   const double x = e;      where that is its only assignment
//   if c: x = 1  ->   int64_t x;               in front, where x is read behind the if
//
// A local belongs to the block that holds all its uses or, when no value passes between the
// statements of that block, to blocks further inside (declared again in each). What iterations of a
// parallel loop assign for themselves is another local than that of the same name around it.
// In: functions.  Out: Assign::declares, Declare; Function::loads_apart, how C++ declares the
// function itself. Tested by tests/golden/functions and tests/run/test_ways.py.
#include <algorithm>
#include <unordered_map>

#include "emit/lower/costs.h"
#include "emit/lower/flow.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

// Whether an Assign can carry the declaration: its value is an expression, not a call that reports
// a status.
bool is_plain(const ir::Assign& a) {
  const auto* call = ir::try_as<ir::Call>(a.value);
  return !call || !ir::may_raise(*call);
}

// Parallel loops whose iterations have a value of their own of what is assigned outside as well.
class OwnValues {
 public:
  OwnValues(ir::Program& program, ir::Function& f)
      : program_(program), f_(f), behind_(f.body), flows_(f.body) {
    count(f.body, mentions_);
    block(f.body);
  }

 private:
  using Counts = std::unordered_map<const Local*, int>;

  static void count(const Block& b, Counts& counts) {
    for (const Stmt* s : b)
      ir::for_each_local_in(s, [&](const Local* local, ir::Access) { ++counts[local]; });
  }

  void block(Block& b) {
    for (Stmt*& s : b) {
      const auto* loop = ir::try_as<ir::For>(s);
      if (loop && loop->loop == ir::LoopKind::kParallel)
        renew(s, *loop->body);
      else
        ir::for_each_block(s, [&](Block& inner) { block(inner); });
    }
  }

  void renew(Stmt*& loop, const Block& body) {
    Counts inside;
    count({loop}, inside);
    ir::Cloner cloner(program_);
    bool any = false;
    for (const Local* local : ir::assigned_in(body)) {
      if (inside.at(local) == mentions_.at(local) || flows_.of(loop).exposes(local) ||
          behind_.of(loop).contains(local))
        continue;
      cloner.renew(local, f_);
      any = true;
    }
    if (any) loop = cloner.stmt(loop);
  }

  ir::Program& program_;
  ir::Function& f_;
  const ReadBehind behind_;
  const Flows flows_;
  Counts mentions_{};
};

class Declarations {
 public:
  Declarations(ir::Program& program, ir::Function& f) : program_(program), flows_(f.body) {
    ir::LocalSet indices;
    std::vector<Local*> locals;  // in order of the text
    ir::LocalSet seen;
    ir::for_each_stmt(f.body, [&](Stmt* s) {
      ir::for_each_local_of(s, [&](Local* local, ir::Access access) {
        if (access == ir::Access::kRead) return;
        if (ir::is_loop(s) && access == ir::Access::kWrite) indices.insert(local);
        if (seen.insert(local).second) locals.push_back(local);
      });
    });
    index(f.body);
    for (Local* local : locals)
      if (!local->is_param && !indices.contains(local)) place(local, f.body);
    if (!before_.empty()) insert(f.body);
    f.is_declared = true;
  }

 private:
  // Which statements of each block mention a local.
  void index(Block& b) {
    auto& touching = touching_[&b];
    for (Stmt* s : b) {
      for (const Local* local : flows_.of(s).touched()) touching[local].push_back(s);
      ir::for_each_block(s, [&](Block& inner) { index(inner); });
    }
  }

  void place(Local* local, Block& b) {
    const auto found = touching_[&b].find(local);
    if (found == touching_[&b].end()) return;
    const std::vector<Stmt*>& here = found->second;
    // live[k]: a value is handed on to statements behind the k-th.
    std::vector<bool> live(here.size(), false);
    for (size_t k = here.size() - 1; k-- > 0;) {
      const Flow& next = flows_.of(here[k + 1]);
      live[k] = next.exposes(local) || (!next.assigns(local) && live[k + 1]);
    }
    std::vector<Stmt*> ours;
    for (size_t k = 0; k < here.size(); ++k) {
      Stmt* s = here[k];
      const bool isolated = has_blocks(s) && !flows_.of(s).exposes(local) && !live[k];
      if (isolated && (here.size() == 1 || ours.empty()))
        ir::for_each_block(s, [&](Block& inner) { place(local, inner); });
      else
        ours.push_back(s);
    }
    if (!ours.empty()) declare(local, ours);
  }

  static bool has_blocks(const Stmt* s) {
    bool found = false;
    ir::for_each_block(s, [&](const Block&) { found = true; });
    return found;
  }

  // `ours`: the statements that mention the local in its scope.
  void declare(Local* local, const std::vector<Stmt*>& ours) {
    auto* first = ir::try_as<ir::Assign>(ours.front());
    const bool clear = flows_.of(ours.front()).exposes(local);
    if (first && first->local == local && is_plain(*first) && !clear && !local->lanes) {
      const bool changes = std::any_of(ours.begin() + 1, ours.end(),
                                       [&](const Stmt* s) { return flows_.of(s).writes(local); });
      // GCC 12 looks through constants, and takes `zero - x` for `-x`: see pyk::zero_minus.
      const ir::Const* value = ir::constant(first->value);
      const bool zero = value && local->type->is_float() && value->value.number.real() == 0;
      first->declares = changes || zero ? ir::Declares::kVariable : ir::Declares::kConstant;
      return;
    }
    before_[ours.front()].push_back({local, clear});
  }

  // Declare statements stand in front of those that need them; one for each type.
  void insert(Block& b) {
    Block all;
    for (Stmt* s : b) {
      const auto it = before_.find(s);
      if (it != before_.end()) {
        std::vector<std::pair<Local*, bool>> left = it->second;
        while (!left.empty()) {
          const auto [first, clear] = left.front();
          std::vector<Local*> alike;
          std::erase_if(left, [&, one = first, zeroed = clear](const auto& other) {
            const bool same =
                other.first->type == one->type && other.second == zeroed &&
                other.first->owned == one->owned && other.first->written == one->written &&
                other.first->lanes == one->lanes && other.first->lane_bits == one->lane_bits;
            if (same) alike.push_back(other.first);
            return same;
          });
          const ir::Builder build{program_, s->span};
          all.push_back(build.stmt<ir::Declare>(program_.list(alike), clear));
        }
      }
      ir::for_each_block(s, [&](Block& inner) { insert(inner); });
      all.push_back(s);
    }
    b = std::move(all);
  }

  ir::Program& program_;
  const Flows flows_;
  std::unordered_map<const Block*, std::unordered_map<const Local*, std::vector<Stmt*>>>
      touching_{};
  std::unordered_map<const Stmt*, std::vector<std::pair<Local*, bool>>> before_{};
};

}  // namespace

void declare(ir::Program& program) {
  for (ir::Function* f : program.functions) {
    OwnValues(program, *f);
    Declarations(program, *f);
    f->loads_apart = has_small_extremes(*f);
  }
}

}  // namespace pyk2cu::emit
