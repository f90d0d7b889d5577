// Runs: see runs.h.
#include "emit/lower/lanes/runs.h"

#include <algorithm>

#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

constexpr size_t kMostCompared = 32;  // values in front of a run

// f(Place) for every element that the statement, or one in it, writes.
template <class F>
void for_each_store(const Stmt* s, F&& f) {
  const auto element = [&](const ir::Place& place) {
    if (!place.local) f(place);
  };
  ir::for_each_place(s, element);
  ir::for_each_block(s, [&](const Block& b) {
    ir::for_each_stmt(b, [&](const Stmt* inner) { ir::for_each_place(inner, element); });
  });
}

bool loads(const Stmt* s) {
  bool found = false;
  ir::for_each_expr(s, [&](const Expr* e) { found = found || ir::reads_memory(e); });
  ir::for_each_block(s, [&](const Block& b) {
    for (const Stmt* inner : b) found = found || loads(inner);
  });
  return found;
}

bool stores(const Stmt* s) {
  bool found = false;
  for_each_store(s, [&](const ir::Place&) { found = true; });
  return found;
}

}  // namespace

void add_given(const Stmt* s, ir::LocalSet& given) {
  const auto* assign = ir::try_as<ir::Assign>(s);
  const auto* call = assign ? ir::try_as<ir::Builtin>(assign->value) : nullptr;
  if (call && call->form == ir::Form::kLanes) given.insert(assign->local);
}

bool asks_any(const Stmt* s, const ir::LocalSet& given) {
  const auto* condition = ir::try_as<ir::Assign>(s);
  return condition && condition->value->type->is_bool() && ir::reads_any(condition->value, given);
}

Runs::Runs(ir::Program& program, const Gang& gang) : program_(program), gang_(gang) {
  made_.insert(gang.lane);
  for (const Gathered& g : gang.gathered) made_.insert(g.reduction.local);  // lane after lane
}

void Runs::flush() {
  same_.clear();
  if (!run_) return;
  const ir::Builder b{program_, run_->body->front()->span};
  if (!counted_.empty() && gang_.count) {
    if (Block* free = take_free(); !free->empty())
      out_->push_back(b.stmt<ir::Lanes>(gang_.lane, gang_.width, nullptr, run_->simd,
                                        ir::List<ir::Reduction>{}, free));
    run_->count = b.load(gang_.count);
  }
  if (!run_->body->empty()) out_->push_back(run_);
  run_ = nullptr;
  counted_.clear();
  assigned_ = named_ = given_ = {};
  stores_ = false;
}

// Of a run for the lanes that have an iteration: what may as well run before it, for all lanes.
Block* Runs::take_free() {
  Block* free = program_.make<Block>();
  Block rest;
  ir::LocalSet touched, assigned;  // by the rest
  bool reads = false, writes = false;
  for (Stmt* s : *run_->body) {
    bool meets = counted_.contains(s) || !run_->reductions.empty();
    meets = meets || (writes && (loads(s) || stores(s))) || (reads && stores(s));
    for (const Local* local : ir::assigned_in(s)) meets = meets || touched.contains(local);
    ir::for_each_local_in(
        s, [&](const Local* local, ir::Access) { meets = meets || assigned.contains(local); });
    if (!meets) {
      free->push_back(s);
      continue;
    }
    rest.push_back(s);
    reads = reads || loads(s);
    writes = writes || stores(s);
    assigned.insert(ir::assigned_in(s));
    ir::for_each_local_in(s, [&](const Local* local, ir::Access) { touched.insert(local); });
  }
  *run_->body = std::move(rest);
  return free;
}

void Runs::put(Stmt* s) {
  flush();
  if (const auto* each = ir::try_as<ir::Each>(s)) made_.insert(each->local);
  out_->push_back(s);
}

void Runs::replace(const Stmt* last, const Block& by) {
  flush();
  const auto at = std::find(out_->begin(), out_->end(), last);
  out_->insert(out_->erase(at), by.begin(), by.end());
}

void Runs::add(Stmt* s, Run run, bool counted) {
  if (run_ && (run_->simd != (run == Run::kVector) || asks_any(s, given_))) flush();
  if (!run_) {
    run_ = ir::Builder{program_, s->span}.stmt<ir::Lanes>(gang_.lane, gang_.width);
    run_->body = program_.make<Block>();
    run_->simd = run == Run::kVector;
  }
  if (counted) counted_.insert(s);
  const ir::LocalSet assigned = ir::assigned_in(s);
  made_.insert(assigned);
  assigned_.insert(assigned);
  ir::for_each_local_in(s, [&](const Local* local, ir::Access) { named_.insert(local); });
  add_given(s, given_);
  stores_ = stores_ || stores(s);
  run_->body->push_back(s);
}

// Does it matter whether the statement comes before the run?
bool Runs::meets(const Stmt* s) const {
  if (!run_) return false;
  bool meets = stores(s) || (stores_ && loads(s));
  for (const Local* local : ir::assigned_in(s)) meets = meets || named_.contains(local);
  ir::for_each_local_of(
      s, [&](const Local* local, ir::Access) { meets = meets || assigned_.contains(local); });
  return meets;
}

void Runs::uniform(Stmt* s) {
  if (meets(s)) flush();
  same_.clear();
  out_->push_back(s);
}

const ir::Assign* Runs::same(ir::Assign* s) {
  if (meets(s)) flush();
  const auto is = [&](const ir::Assign* other) { return ir::equal(other->value, s->value); };
  const auto known = std::ranges::find_if(same_, is);
  if (known != same_.end()) return *known;
  if (same_.size() < kMostCompared) same_.push_back(s);
  out_->push_back(s);
  return s;
}

}  // namespace pyk2cu::emit
