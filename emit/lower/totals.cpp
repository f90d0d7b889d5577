// Sums of floats that have no order of their own, several at a time.
//
//   s = 0.0                        s = 0.0; done = 0
//   for i in range(n):        ->   if n >= 64:
//     x = a[i] * b[i]                parts = 0.0, 0.0, … (16 lanes)
//     s += x                         for first in range(0, n - 15, 16):
//                                      for k in range(16): i = first + k; x = …; parts[k] += x
//                                    s += total(parts); done = n - n % 16
//                                  for i in range(done, n): …
//
// The lanes fill four vector registers of 32 bytes: a sum waits for the one before it, and four of
// them do that side by side. As many on every processor: so the sum is the same on all of them, and
// the same as that of added() in pyk/reduce.h. Two sums share the registers: they are the parts of
// one of complex numbers (halves.cpp).
// In: functions behind lanes.  Out: For::adds_freely is none any more of loops that add one number,
// or two, and do nothing else. Tested by tests/golden/passes/totals.py and
// tests/run/test_totals.py.
#include "emit/lower/totals.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "emit/lower/flow.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

using Sums = std::vector<Local*>;

constexpr int kRegisters = 4 * 32;  // bytes of the sums that are made side by side
constexpr int kTurns = 4;           // of all lanes that are worth it

int lanes_of(const Sums& sums) {
  return kRegisters * 8 / (int(sums[0]->type->bits) * int(sums.size()));
}

class Totals {
 public:
  Totals(ir::Program& program, ir::Function& f) : program_(program), f_(f) {}

  void block(Block& b) {
    Block all;
    for (Stmt* s : b) {
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      auto* loop = ir::try_as<ir::For>(s);
      const Sums sums = loop ? summed_freely(*loop) : Sums{};
      if (!sums.empty()) side_by_side(all, *loop, sums);
      all.push_back(s);
    }
    b = std::move(all);
  }

 private:
  Local* temp(std::string_view stem, const ir::Type* type) {
    f_.locals.push_back(ir::Builder{program_}.temp(stem, type));
    return f_.locals.back();
  }

  // Puts in front of the loop what adds the first ones.
  void side_by_side(Block& before, ir::For& loop, const Sums& sums) {
    const ir::Builder b{program_, loop.span};
    const int width = lanes_of(sums);
    ir::Cloner cloner(program_);
    const auto end = [&] { return cloner.expr(loop.hi); };
    Local* done = temp("done", types::int64());
    Local* first = temp("first", types::int64());
    const auto each_lane = [&](Block* body, Local* k) {
      return b.stmt<ir::Lanes>(k, width, nullptr, true, ir::List<ir::Reduction>{}, body);
    };
    Local *none = temp("k", types::int32()), *k = temp("k", types::int32());
    const Block& turn = *loop.body;
    cloner.renew_assigned(turn, f_);
    std::unordered_map<const Local*, Local*> parts;
    for (Local* sum : sums) {
      cloner.map(sum, sum);
      parts[sum] = temp("parts", sum->type);
      parts[sum]->lanes = width;
    }
    Local* index = cloner.renew(loop.index, f_);
    Block* lanes = b.block({b.assign(
        index, b.plain(BinaryOp::kAdd, b.load(first),
                       b.expr<ir::Convert>(types::int64(), ir::ConvertOp::kExact, b.load(k))))});
    for (const Stmt* s : turn) {
      Stmt* copy = cloner.stmt(s);
      if (auto* u = ir::try_as<ir::Update>(copy)) u->place.local = parts.at(u->place.local);
      lanes->push_back(copy);
    }
    auto* many =
        b.stmt<ir::For>(first, b.integer(0), b.plain(BinaryOp::kSub, end(), b.integer(width - 1)),
                        b.integer(width), ir::LoopKind::kSerial, b.block({each_lane(lanes, k)}));
    Block* zeros = b.block();
    for (Local* sum : sums) zeros->push_back(b.assign(parts.at(sum), b.zero(sum->type)));
    Block* fills = b.block({each_lane(zeros, none), many});
    for (Local* sum : sums)
      fills->push_back(b.stmt<ir::Update>(ir::Place{sum}, BinaryOp::kAdd,
                                          b.expr<ir::Total>(sum->type, parts.at(sum))));
    fills->push_back(b.assign(
        done, b.plain(BinaryOp::kSub, end(), b.plain(BinaryOp::kMod, end(), b.integer(width)))));
    before.push_back(b.assign(done, b.integer(0)));
    before.push_back(
        b.if_(b.compare(ir::CompareOp::kGe, end(), b.integer(enough_turns(sums))), fills));
    loop.lo = b.load(done);
    loop.adds_freely = false;
  }

  ir::Program& program_;
  ir::Function& f_;
};

}  // namespace

Sums summed_freely(const ir::For& loop) {
  const bool counts = loop.adds_freely && loop.loop == ir::LoopKind::kSerial && !loop.simd &&
                      counts_by_one(loop) && ir::is_int_const(loop.lo, 0) &&
                      loop.reductions.empty() && !ir::has_effect(loop.hi) &&
                      !ir::reads_memory(loop.hi);
  if (!counts) return {};
  Sums sums;
  for (const Stmt* s : *loop.body)
    if (const auto* u = ir::try_as<ir::Update>(s)) {
      const Local* local = u->place.local;
      const bool adds = u->op == BinaryOp::kAdd && local && local->lanes == 0 &&
                        local->type->is_float() && u->value->type == local->type &&
                        std::ranges::find(sums, local) == sums.end() &&
                        (sums.empty() || sums[0]->type == local->type);
      if (!adds) return {};
      sums.push_back(u->place.local);
    }
  if (sums.empty() || sums.size() > 2 || ir::reads_any(loop.hi, ir::assigned_in(*loop.body)))
    return {};
  bool only = true;
  for (const Stmt* s : *loop.body) {
    const auto* a = ir::try_as<ir::Assign>(s);
    only = only && (s->kind == ir::StmtKind::kUpdate ||
                    (a && a->local->type->is_scalar() && a->local->lanes == 0));
    ir::for_each_expr(s, [&](const Expr* e) {
      only = only && !ir::has_effect(e);
      for (const Local* sum : sums) only = only && !ir::reads(e, sum);
    });
  }
  if (!only) return {};
  const Flow flow = flow_of(*loop.body);
  for (const Stmt* s : *loop.body)
    if (const auto* a = ir::try_as<ir::Assign>(s); a && flow.exposes(a->local)) return {};
  return sums;
}

int64_t enough_turns(const Sums& sums) { return kTurns * lanes_of(sums); }

void totals(ir::Program& program, ir::Function& f) { Totals(program, f).block(f.body); }

}  // namespace pyk2cu::emit
