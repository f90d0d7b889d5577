// Flow of values: see flow.h.
//
// A loop's body may run never or many times: what it exposes is exposed, what it assigns is not
// sure. Tested by tests/golden/functions and tests/golden/openmp.
#include "emit/lower/flow.h"

#include <algorithm>

#include "typeinfer/ir/clone.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Local;
using ir::LocalSet;
using ir::Stmt;
using ir::StmtKind;

namespace {

bool is_endless(const Stmt* s) {
  const auto* loop = ir::try_as<ir::While>(s);
  const ir::Const* always = loop ? ir::constant(loop->condition) : nullptr;
  return always && always->value.integer;
}

// One more way out of the loop, before which `assigned` are assigned.
void leave(Flow& flow, const Stmt* loop, LocalSet assigned) {
  for (auto& [target, sure] : flow.leaves) {
    if (target != loop) continue;
    LocalSet both;
    for (const Local* local : sure)
      if (assigned.contains(local)) both.insert(local);
    sure = std::move(both);
    return;
  }
  flow.leaves.emplace_back(loop, std::move(assigned));
}

// `then` runs after `flow`.
void append(Flow& flow, const Flow& then) {
  if (!flow.ends)
    for (const auto& [loop, sure] : then.leaves) {
      LocalSet assigned = sure;
      flow.for_each([&](const Local* local, int uses) {
        if (uses & Flow::kAssigned) assigned.insert(local);
      });
      leave(flow, loop, std::move(assigned));
    }
  then.for_each([&](const Local* local, int uses) {
    int here = uses & Flow::kWritten;
    if (!flow.ends) here |= uses & Flow::kAssigned;
    if (!flow.ends && !flow.assigns(local)) here |= uses & Flow::kExposed;
    flow.add(local, here);
  });
  flow.ends = flow.ends || then.ends;
}

Flow either(const Flow& a, const Flow& b) {
  Flow out;
  out.ends = a.ends && b.ends;
  const auto add = [&](const Flow& side, const Flow& other) {
    const bool assigns = !side.ends;  // else nothing is known to be so: the end is not reached
    side.for_each([&](const Local* local, int uses) {
      const bool both = assigns && (other.ends || other.assigns(local));
      out.add(local, both ? uses : uses & ~Flow::kAssigned);
    });
  };
  add(a, b);
  add(b, a);
  for (const Flow* side : {&a, &b})
    for (const auto& [loop, sure] : side->leaves) leave(out, loop, sure);
  return out;
}

// Flows of statements; those of nested ones are kept where somebody wants them.
class Walker {
 public:
  explicit Walker(std::unordered_map<const Stmt*, Flow>* kept) : kept_(kept) {}

  Flow block(const Block& b) {
    Flow flow;
    for (const Stmt* s : b) {
      Flow inside = of(s);
      append(flow, kept_ ? kept_->emplace(s, std::move(inside)).first->second : inside);
    }
    return flow;
  }

  Flow of(const Stmt* s) {
    Flow flow = own(s);
    if (const auto* branch = ir::try_as<ir::If>(s)) {
      const Flow yes = block(*branch->body);
      append(flow, either(yes, block(*branch->orelse)));
      return flow;
    }
    if (const auto* lanes = ir::try_as<ir::Lanes>(s)) {
      append(flow, of_lanes(*lanes));
      return flow;
    }
    if (const auto* given = ir::try_as<ir::Given>(s)) {
      append(flow, of_given(*given));
      return flow;
    }
    LocalSet indices;  // the loop's own
    ir::for_each_local(s, [&](const Local* local, ir::Access access) {
      if (access == ir::Access::kWrite) indices.insert(local);
    });
    bool left = false;
    ir::for_each_block(s, [&](const Block& body) {  // may run never, or many times
      const Flow turn = block(body);
      turn.for_each([&](const Local* local, int uses) {
        uses &= ~Flow::kAssigned;
        flow.add(local, indices.contains(local) ? uses & ~Flow::kExposed : uses);
      });
      for (const auto& [loop, sure] : turn.leaves) {
        if (loop != s) leave(flow, loop, sure);
        if (loop == s)
          for (const Local* local : sure) flow.add(local, Flow::kAssigned);
        left = left || loop == s;
      }
    });
    if (is_endless(s) && !left) flow.ends = true;
    return flow;
  }

 private:
  // Every lane runs the body once; only some of them where `count` says so.
  Flow of_lanes(const ir::Lanes& s) {
    Flow flow;
    block(*s.body).for_each([&](const Local* local, int uses) {
      if (local == s.index) uses &= ~Flow::kExposed;
      if (s.count && local->lanes && !local->counted) uses &= ~Flow::kAssigned;
      flow.add(local, uses);
    });
    return flow;
  }

  // It runs the body once, either way.
  Flow of_given(const ir::Given& s) {
    Flow flow;
    block(*s.body).for_each([&](const Local* local, int uses) {
      flow.add(local, local == s.known ? uses & ~Flow::kExposed : uses);
    });
    return flow;
  }

  // Of the statement itself, its blocks aside.
  static Flow own(const Stmt* s) {
    Flow flow;
    ir::for_each_expr(s, [&](const ir::Expr* e) {
      ir::for_each_subexpr(e, [&](const ir::Expr* part) {
        ir::for_each_local(part, [&](const Local* local, ir::Access access) {
          flow.add(local,
                   access == ir::Access::kRead ? Flow::kExposed : Flow::kExposed | Flow::kWritten);
        });
      });
    });
    const bool loop = ir::is_loop(s);
    ir::for_each_local(s, [&](const Local* local, ir::Access access) {
      int uses = 0;
      if (access == ir::Access::kRead || access == ir::Access::kReadWrite) uses |= Flow::kExposed;
      if (access != ir::Access::kRead) uses |= Flow::kWritten;
      if (access != ir::Access::kRead && !loop) uses |= Flow::kAssigned;
      flow.add(local, uses);
    });
    flow.ends = ir::is_jump(s);
    const auto* jump = ir::try_as<ir::Break>(s);
    if (jump && is_endless(jump->loop)) flow.leaves.emplace_back(jump->loop, LocalSet{});
    return flow;
  }

  std::unordered_map<const Stmt*, Flow>* kept_;
};

}  // namespace

Flow flow_of(const Stmt* s) { return Walker(nullptr).of(s); }

Flow flow_of(const Block& block) { return Walker(nullptr).block(block); }

Flows::Flows(const Block& body) { Walker(&flows_).block(body); }

namespace {

void add_exposed(LocalSet& to, const Flow& flow) {
  flow.for_each([&](const Local* local, int uses) {
    if (uses & Flow::kExposed) to.insert(local);
  });
}

// The loop that the statement leaves, or goes on with; null: it is no jump inside a function.
const Stmt* target_of(const Stmt* s) {
  if (const auto* jump = ir::try_as<ir::Break>(s)) return jump->loop;
  if (const auto* jump = ir::try_as<ir::Continue>(s)) return jump->loop;
  return nullptr;
}

}  // namespace

// ---- what is read behind loops -----------------------------------------------------------------

ReadBehind::ReadBehind(const Block& body) {
  if (note(body).loop) walk(body, {}, Flows(body));
}

ReadBehind::Holds ReadBehind::note(const Block& block) {
  Holds all;
  const auto take = [](Holds& to, const Holds& from, const Stmt* except) {
    to.loop = to.loop || from.loop;
    for (const Stmt* target : from.targets)
      if (target != except && std::ranges::find(to.targets, target) == to.targets.end())
        to.targets.push_back(target);
  };
  for (const Stmt* s : block) {
    Holds inside;
    inside.loop = ir::is_loop(s);
    ir::for_each_block(s, [&](const Block& inner) { take(inside, note(inner), s); });
    take(all, inside, nullptr);
    if (const Stmt* target = target_of(s)) take(all, {false, {target}}, nullptr);
    if (inside.loop || !inside.targets.empty()) holds_[s] = std::move(inside);
  }
  return all;
}

// Backwards. `live`: what is read behind the block.
void ReadBehind::walk(const Block& block, LocalSet live, const Flows& flows) {
  for (size_t k = block.size(); k-- > 0;) cross(block[k], live, flows);
}

// From what is read behind the statement to what is read from it on.
void ReadBehind::cross(const Stmt* s, LocalSet& live, const Flows& flows) {
  const Flow& flow = flows.of(s);
  if (const Stmt* target = target_of(s)) {
    const Ends& ends = ends_.at(target);
    live = s->kind == StmtKind::kBreak ? ends.behind : ends.next_turn;
    return;
  }
  if (ir::is_loop(s)) {
    LocalSet& read = read_[s];
    flow.for_each([&](const Local* local, int uses) {
      if ((uses & Flow::kWritten) && live.contains(local)) read.insert(local);
    });
  }
  const auto found = holds_.find(s);
  if (ir::is_loop(s) && found != holds_.end()) {
    LocalSet next_turn = live;
    add_exposed(next_turn, flow);
    ends_[s] = {live, std::move(next_turn)};
  }
  if (found != holds_.end() && found->second.loop)
    ir::for_each_block(s, [&](const Block& inner) {
      walk(inner, ir::is_loop(s) ? ends_.at(s).next_turn : live, flows);
    });
  if (flow.ends) live.clear();
  flow.for_each([&](const Local* local, int uses) {
    if (uses & Flow::kAssigned) live.erase(local);
  });
  add_exposed(live, flow);
  if (found == holds_.end()) return;
  for (const Stmt* target : found->second.targets)  // on the way to a jump nothing is sure
    live.insert(ends_.at(target).next_turn);
}

ir::For* copy_with_own(ir::Program& program, ir::Function& f, const ir::For& loop,
                       const LocalSet& read_behind) {
  ir::Cloner cloner(program);
  const Flow flow = flow_of(*loop.body);
  cloner.renew(loop.index, f);
  for (const Local* local : ir::assigned_in(*loop.body))
    if (!local->maybe_unbound && !read_behind.contains(local) && !flow.exposes(local))
      cloner.renew(local, f);
  return ir::as<ir::For>(cloner.stmt(&loop));
}

}  // namespace pyk2cu::emit
