// Flow of values: see flow.h.
//
// A loop's body may run never or many times: what it exposes is exposed, what it assigns is not
// sure. Tested by tests/golden/functions and tests/golden/openmp.
#include "emit/lower/flow.h"

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

// ---- what is read behind loops -----------------------------------------------------------------

ReadBehind::ReadBehind(const ir::Function& f) {
  if (note(f.body).loop) walk(f.body, {}, Flows(f.body));
}

ReadBehind::Holds ReadBehind::note(const Block& block) {
  Holds all;
  for (const Stmt* s : block) {
    Holds inside = of_stmt(s);
    bool has_blocks = false;
    ir::for_each_block(s, [&](const Block& inner) {
      const Holds in = note(inner);
      inside = {inside.loop || in.loop, inside.jump || in.jump};
      has_blocks = true;
    });
    if (has_blocks) holds_[s] = inside;
    all = {all.loop || inside.loop, all.jump || inside.jump};
  }
  return all;
}

ReadBehind::Holds ReadBehind::of_stmt(const Stmt* s) const {
  if (const auto it = holds_.find(s); it != holds_.end()) return it->second;
  return {s->kind == StmtKind::kFor, s->kind == StmtKind::kBreak || s->kind == StmtKind::kContinue};
}

// Backwards. `after`: what is read behind the block.
void ReadBehind::walk(const Block& block, const LocalSet& after, const Flows& flows) {
  LocalSet live = after;
  bool jumps = false;  // some way from here leaves the block without its end
  for (size_t k = block.size(); k-- > 0;) {
    const Stmt* s = block[k];
    const Flow& flow = flows.of(s);
    const Holds holds = of_stmt(s);
    if (s->kind == StmtKind::kFor)
      for (const Local* local : flow.written)
        if (live.contains(local)) read_[s].insert(local);
    if (s->kind == StmtKind::kFor) read_.try_emplace(s);
    if (holds.loop)
      ir::for_each_block(s, [&](const Block& inner) {
        LocalSet behind = live;
        if (s->kind != StmtKind::kIf) behind.insert(flow.exposed);  // the next iteration
        walk(inner, behind, flows);
      });
    jumps = jumps || holds.jump;
    if (flow.ends) live.clear();
    for (const Local* local : flow.assigned) live.erase(local);
    live.insert(flow.exposed);
    if (jumps) live.insert(after);
  }
}

}  // namespace pyk2cu::emit
