// Uniform or varying: see shape.h.
//
// A fixed point that only grows: a local varies when something that varies flows into it, or when
// it is assigned where only some lanes are and others can tell. Tested by tests/golden/gangs.
#include "emit/lower/lanes/shape.h"

#include <algorithm>

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

const Flow& flow_in(std::unordered_map<const Block*, Flow>& flows, const Block& block) {
  const auto [it, is_new] = flows.try_emplace(&block);
  if (is_new) it->second = flow_of(block);
  return it->second;
}

void count(std::unordered_map<const Local*, int>& mentions, const Block& block) {
  for (const Stmt* s : block)
    ir::for_each_local_in(s, [&](const Local* local, ir::Access) { ++mentions[local]; });
}

}  // namespace

Shape::Shape(const Block& body, const ir::LocalSet& own, const ir::LocalSet& shared,
             const Stmt* abandoned)
    : body_(body), shared_(shared), abandoned_(abandoned), behind_(body) {
  count(mentions_, body);
  varying_.insert(own);
  do {
    changed_ = false;
    walk(body_);
  } while (changed_);
}

bool Shape::varies(const Expr* e) const { return ir::reads_any(e, varying_); }

const Shape::Turns& Shape::turns(const Stmt* loop) const {
  static const Turns kAlike;
  const auto it = turns_.find(loop);
  return it == turns_.end() ? kAlike : it->second;
}

// ---- who can tell ------------------------------------------------------------------------------

bool Shape::is_confined(const Block& block, const Local* local) const {
  const auto [it, is_new] = inside_.try_emplace(&block);
  if (is_new) count(it->second, block);
  const auto here = it->second.find(local);
  const int inside = here == it->second.end() ? 0 : here->second;
  return inside == mentions_.at(local) && !flow_in(flows_, block).exposes(local);
}

bool Shape::waits(const Stmt* loop) const {
  const Turns& known = turns(loop);
  if (known.varying || known.left || known.continues) return true;
  std::unordered_set<const Stmt*> inside;
  bool found = false;
  ir::for_each_block(loop, [&](const Block& b) {
    ir::for_each_stmt(b, [&](const Stmt* s) {
      if (ir::is_loop(s)) inside.insert(s);
      const auto* jump = ir::try_as<ir::Break>(s);
      found =
          found || (jump && jump->loop != abandoned_ && !inside.contains(jump->loop) && parts(s));
    });
  });
  return found;
}

bool Shape::escapes_block(const Block& block, const Local* local) const {
  return mentions_.contains(local) && !is_confined(block, local);
}

bool Shape::escapes_loop(const Stmt* loop, const Local* local) const {
  return loop != abandoned_ && behind_.of(loop).contains(local);
}

bool Shape::escapes_turn(const Stmt* loop, const Local* local) const {
  bool exposed = false;
  ir::for_each_block(
      loop, [&](const Block& body) { exposed = exposed || flow_in(flows_, body).exposes(local); });
  return exposed || escapes_loop(loop, local);
}

// ---- the fixed point ---------------------------------------------------------------------------

void Shape::walk(const Block& block) {
  for (const Stmt* s : block) visit(s);
}

void Shape::visit(const Stmt* s) {
  const auto flag = [&](bool& known) {
    if (!std::exchange(known, true)) changed_ = true;
  };
  if (const auto* a = ir::try_as<ir::Assign>(s)) assign(a->local, a->value);
  if (const auto* each = ir::try_as<ir::Each>(s)) vary(each->local);
  if (const auto* u = ir::try_as<ir::Update>(s); u && u->place.local)
    assign(u->place.local, u->value);
  if (const auto* loop = ir::try_as<ir::For>(s)) {
    if (varies(loop->hi) || varies(loop->lo) || varies(loop->step)) flag(turns_[s].varying);
    if (varies(loop->lo) || varies(loop->step)) vary(loop->index);
  }
  if (const auto* loop = ir::try_as<ir::ForEach>(s); loop && varies(loop->array)) {
    flag(turns_[s].varying);
    vary(loop->item);
  }
  if (const auto* loop = ir::try_as<ir::While>(s); loop && varies(loop->condition))
    flag(turns_[s].varying);
  if (const auto* jump = ir::try_as<ir::Break>(s)) leave(s, jump->loop, false);
  if (const auto* jump = ir::try_as<ir::Continue>(s)) leave(s, jump->loop, true);
  ir::for_each_block(s, [&](const Block& inner) {
    frames_.push_back({s, &inner});
    walk(inner);
    frames_.pop_back();
  });
}

void Shape::leave(const Stmt* jump, const Stmt* target, bool turn_only) {
  // Where lanes turn differently often, the loop has something to do at the end of every turn.
  bool some = turn_only ? turns(target).varying : turns(target).continues;
  size_t k = frames_.size();
  while (k > 0 && frames_[--k].stmt != target) {
    const Stmt* around = frames_[k].stmt;
    const auto* branch = ir::try_as<ir::If>(around);
    some = some || (branch ? varies(branch->condition) : turns(around).part());
  }
  if (!some) return;
  if (parting_.insert(jump).second) changed_ = true;
  for (; k < frames_.size(); ++k) {  // the lanes leave every loop on the way
    if (!ir::is_loop(frames_[k].stmt)) continue;
    Turns& known = turns_[frames_[k].stmt];
    const bool ends_turn = turn_only && frames_[k].stmt == target;
    if (!std::exchange(ends_turn ? known.continues : known.breaks, true)) changed_ = true;
    if (!turn_only && frames_[k].stmt == target) known.left = true;
  }
}

void Shape::assign(const Local* local, const Expr* value) {
  bool differs = varies(value);
  for (const Frame& frame : frames_) {
    if (const auto* branch = ir::try_as<ir::If>(frame.stmt)) {
      differs = differs || (varies(branch->condition) && escapes_block(*frame.block, local));
      continue;
    }
    const Turns& known = turns(frame.stmt);
    differs = differs || ((known.varying || known.breaks) && escapes_loop(frame.stmt, local)) ||
              (known.continues && escapes_turn(frame.stmt, local));
  }
  if (differs) vary(local);
}

void Shape::vary(const Local* local) {
  if (shared_.contains(local)) return;
  if (varying_.insert(local).second) changed_ = true;
}

}  // namespace pyk2cu::emit
