// Arrays that share memory: see apart.h. Tested by tests/golden/lanes and tests/run/test_lanes.py.
#include "emit/lower/apart.h"

#include <algorithm>

#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::Expr;
using ir::Local;
using ir::Stmt;

TouchedArrays touched_by(const ir::Block& body) {
  TouchedArrays out;
  const auto add = [&](std::vector<Local*>& list, const Expr* array) {
    if (array->kind == ir::ExprKind::kGlobal) return;  // frozen
    Local* local = ir::loaded(array);
    out.known = out.known && local && !local->maybe_unbound;
    if (local && std::find(list.begin(), list.end(), local) == list.end()) list.push_back(local);
  };
  ir::for_each_stmt(body, [&](const Stmt* s) {
    ir::for_each_place(s, [&](const ir::Place& place) {
      if (!place.local) add(out.stored, place.array), add(out.all, place.array);
    });
  });
  ir::for_each_expr_in(body, [&](const Expr* e) {
    if (const auto* element = ir::try_as<ir::Element>(e)) add(out.all, element->array);
  });
  return out;
}

Expr* apart(const ir::Builder& build, const TouchedArrays& arrays,
            const ir::EffectAnalysis& effects) {
  Expr* all = nullptr;
  for (size_t k = 0; k < arrays.stored.size(); ++k) {
    Expr* stored = build.load(arrays.stored[k]);
    std::vector<Expr*> args{stored};
    for (Local* other : arrays.all) {
      const auto later = arrays.stored.begin() + static_cast<long>(k) + 1;
      const bool done = std::find(arrays.stored.begin(), later, other) != later;
      const bool may = effects.may_overlap(stored, build.load(other));
      if (!done && may) args.push_back(build.load(other));
    }
    if (args.size() == 1 && stored->type->layout == types::Layout::kC) continue;
    Expr* disjoint = build.builtin(Id::lanes_disjoint, types::boolean(), args);
    all = all ? build.logical(true, all, disjoint) : disjoint;
  }
  return all;
}

namespace {

// A sum modulo 2^64, without what falls out of it.
class Terms {
 public:
  void add(const Expr* e, bool takes_away) {
    const auto* b = ir::try_as<ir::Binary>(e);
    const bool is_sum = b && e->type == types::int64() &&
                        (b->op == ir::BinaryOp::kAdd || b->op == ir::BinaryOp::kSub);
    if (is_sum) {
      add(b->left, takes_away);
      return add(b->right, takes_away != (b->op == ir::BinaryOp::kSub));
    }
    if (const ir::Const* c = ir::constant(e)) return add(c->value.integer, takes_away);
    std::vector<const Expr*>& others = takes_away ? plus_ : minus_;
    const auto same =
        std::ranges::find_if(others, [&](const Expr* other) { return ir::equal(e, other); });
    if (same != others.end())
      others.erase(same);
    else
      (takes_away ? minus_ : plus_).push_back(e);
  }
  void add(int64_t number, bool takes_away) {
    offset_ += takes_away ? -uint64_t(number) : uint64_t(number);
  }
  bool is_zero() const { return plus_.empty() && minus_.empty() && offset_ == 0; }

  Expr* written(const ir::Builder& build) const {
    ir::Cloner cloner(build.program);
    Expr* all = nullptr;
    const auto put = [&](ir::BinaryOp op, Expr* e) {
      all = all ? build.expr<ir::Binary>(types::int64(), op, all, e) : e;
    };
    for (const Expr* e : plus_) put(ir::BinaryOp::kAdd, cloner.expr(e));
    if (!all || offset_ != 0) put(ir::BinaryOp::kAdd, build.integer(int64_t(offset_)));
    for (const Expr* e : minus_) put(ir::BinaryOp::kSub, cloner.expr(e));
    return all;
  }

 private:
  std::vector<const Expr*> plus_{}, minus_{};
  uint64_t offset_ = 0;
};

}  // namespace

// A distance that does not fit 64 bits is larger than any number of turns, whatever is left of it.
Expr* far_apart(const ir::Builder& build, const ir::For& loop,
                const std::vector<Distance>& distances) {
  Expr* all = nullptr;
  for (const Distance& d : distances) {
    bool always = false;
    const auto reaches = [&](bool down) {
      Terms distance, turns, more;
      for (Terms* sum : {&distance, &more}) {
        for (const Expr* e : d.from) sum->add(e, down);
        for (const Expr* e : d.to) sum->add(e, !down);
        sum->add(d.offset, down);
      }
      turns.add(loop.hi, false);
      turns.add(loop.lo, true);
      more.add(loop.hi, true);
      more.add(loop.lo, false);
      always = always || more.is_zero();
      return build.compare(ir::CompareOp::kGe, distance.written(build), turns.written(build));
    };
    Expr* up = reaches(false);
    Expr* far = build.logical(false, up, reaches(true));
    if (!always) all = all ? build.logical(true, all, far) : far;
  }
  return all;
}

namespace {

constexpr int kNear = 32;  // statements in front of a loop, where the same may have been asked

// Has it a value wherever its locals have one? What stands under a condition may not.
bool always_has_value(const Expr* e) {
  bool safe = !ir::reads_memory(e);
  ir::for_each_subexpr(e, [&](const Expr* part) {
    const auto* b = ir::try_as<ir::Binary>(part);
    safe = safe && !(b && b->op > ir::BinaryOp::kMul);
  });
  return safe;
}

}  // namespace

Local* ask(ir::Program& program, ir::Function& f, std::string_view name, Expr* condition,
           const std::vector<Around>& around) {
  const bool safe = always_has_value(condition);
  const auto is_known = [&](const Around& at) {
    return &at == &around.back() || (safe && !ir::reads_any(condition, ir::assigned_in(at.loop)));
  };
  const Around& at = *std::ranges::find_if(around, is_known);
  const auto place = std::ranges::find(*at.block, at.loop);
  auto before = place;
  ir::LocalSet changed = ir::assigned_in(at.loop);  // between there and here, or in the loop
  for (int k = 0; k < kNear && safe && before != at.block->begin(); ++k) {
    const Stmt* s = *--before;
    const auto* a = ir::try_as<ir::Assign>(s);
    const bool holds = a && a->local->is_temp && !changed.contains(a->local);
    if (holds && ir::equal(a->value, condition)) return a->local;
    const ir::LocalSet assigned = ir::assigned_in(s);
    if (ir::reads_any(condition, assigned)) break;
    changed.insert(assigned);
  }
  const ir::Builder build{program, at.loop->span};
  Local* known = f.locals.emplace_back(build.temp(name, types::boolean()));
  at.block->insert(place, build.assign(known, condition));
  return known;
}

}  // namespace pyk2cu::emit
