// Flow of values: see flow.h.
//
// A loop's body may run never or many times: what it exposes is exposed, what it assigns is not
// sure. Tested by tests/golden/functions and tests/golden/openmp.
#include "emit/lower/flow.h"

#include <algorithm>

namespace pyk2cu::emit {

using ir::Block;
using ir::Local;
using ir::LocalSet;
using ir::Stmt;
using ir::StmtKind;

namespace {

// `then` runs after `flow`.
void append(Flow& flow, const Flow& then) {
  flow.touched.insert(then.touched);
  flow.written.insert(then.written);
  if (flow.ends) return;
  for (const Local* local : then.exposed)
    if (!flow.assigned.contains(local)) flow.exposed.insert(local);
  flow.assigned.insert(then.assigned);
  flow.ends = then.ends;
}

Flow either(const Flow& a, const Flow& b) {
  Flow out;
  for (const Flow* side : {&a, &b}) {
    out.exposed.insert(side->exposed);
    out.touched.insert(side->touched);
    out.written.insert(side->written);
  }
  out.ends = a.ends && b.ends;
  if (a.ends != b.ends) out.assigned = a.ends ? b.assigned : a.assigned;
  if (!a.ends && !b.ends)
    for (const Local* local : a.assigned)
      if (b.assigned.contains(local)) out.assigned.insert(local);
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
    LocalSet indices;  // the loop's own
    ir::for_each_local(s, [&](const Local* local, ir::Access access) {
      if (access == ir::Access::kWrite) indices.insert(local);
    });
    ir::for_each_block(s, [&](const Block& body) {  // may run never, or many times
      const Flow inside = block(body);
      for (const Local* local : inside.exposed)
        if (!indices.contains(local)) flow.exposed.insert(local);
      flow.touched.insert(inside.touched);
      flow.written.insert(inside.written);
    });
    return flow;
  }

 private:
  // Of the statement itself, its blocks aside.
  static Flow own(const Stmt* s) {
    Flow flow;
    ir::for_each_expr(s, [&](const ir::Expr* e) {
      ir::for_each_subexpr(e, [&](const ir::Expr* part) {
        ir::for_each_local(part, [&](const Local* local, ir::Access access) {
          flow.exposed.insert(local);
          flow.touched.insert(local);
          if (access != ir::Access::kRead) flow.written.insert(local);
        });
      });
    });
    const bool loop = ir::is_loop(s);
    ir::for_each_local(s, [&](const Local* local, ir::Access access) {
      flow.touched.insert(local);
      const bool reads = access == ir::Access::kRead || access == ir::Access::kReadWrite;
      if (reads) flow.exposed.insert(local);
      if (access == ir::Access::kRead) return;
      flow.written.insert(local);
      if (!loop) flow.assigned.insert(local);
    });
    flow.ends = ir::is_jump(s);
    return flow;
  }

  std::unordered_map<const Stmt*, Flow>* kept_;
};

}  // namespace

Flow flow_of(const Stmt* s) { return Walker(nullptr).of(s); }

Flow flow_of(const Block& block) { return Walker(nullptr).block(block); }

Flows::Flows(const Block& body) { Walker(&flows_).block(body); }

namespace {

// The loop that the statement leaves, or goes on with; null: it is no jump inside a function.
const Stmt* target_of(const Stmt* s) {
  if (const auto* jump = ir::try_as<ir::Break>(s)) return jump->loop;
  if (const auto* jump = ir::try_as<ir::Continue>(s)) return jump->loop;
  return nullptr;
}

}  // namespace

// ---- what is read behind loops -----------------------------------------------------------------

ReadBehind::ReadBehind(const ir::Function& f) {
  if (note(f.body).loop) walk(f.body, {}, Flows(f.body));
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
    inside.loop = s->kind == StmtKind::kFor;
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
  if (s->kind == StmtKind::kFor) {
    LocalSet& read = read_[s];
    for (const Local* local : flow.written)
      if (live.contains(local)) read.insert(local);
  }
  const auto found = holds_.find(s);
  if (ir::is_loop(s) && found != holds_.end()) {
    LocalSet next_turn = live;
    next_turn.insert(flow.exposed);
    ends_[s] = {live, std::move(next_turn)};
  }
  if (found != holds_.end() && found->second.loop)
    ir::for_each_block(s, [&](const Block& inner) {
      walk(inner, ir::is_loop(s) ? ends_.at(s).next_turn : live, flows);
    });
  if (flow.ends) live.clear();
  for (const Local* local : flow.assigned) live.erase(local);
  live.insert(flow.exposed);
  if (found == holds_.end()) return;
  for (const Stmt* target : found->second.targets) {  // on the way to a jump nothing is sure
    const Ends& ends = ends_.at(target);
    live.insert(ends.behind);
    live.insert(ends.next_turn);
  }
}

}  // namespace pyk2cu::emit
