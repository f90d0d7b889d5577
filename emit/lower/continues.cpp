// What follows the early end of a turn is the other side of its branch.
//
//   for …:                         for …:
//     if c: …; continue      ->      if c: …
//     rest                           else: rest
//
// C++ compilers and lanes choose between two sides without a branch; of a turn that ends early they
// ask all along who is left. In: functions.  Out: innermost loops of a few operations without the
// continues that stand where nothing but the rest of the turn follows. Loops of many continues stay
// as they are written, and those that ask which turn it is, whose middle is taken apart. Inside of
// what lanes run, which pay for every early end with masks, loops of every size are taken.
// Tested by tests/golden/passes/continues.py and tests/run/test_continues.py.
#include "emit/lower/costs.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Stmt;

namespace {

constexpr int kDeep = 4;         // sides within sides that are still read easily
constexpr int kManyReturns = 8;  // of a helper
constexpr int64_t kFew = 40;     // operations of a turn of which both sides may be computed

class Continues {
 public:
  explicit Continues(ir::Program& program) : program_(program) {}

  void loops(Block& b) const {
    for (Stmt* s : b) {
      const bool turns = ir::is_loop(s);
      ir::for_each_block(s, [&](Block& body) {
        if (turns && fits(s, body))
          turn(body, s);
        else
          loops(body);
      });
    }
  }

  // Of a loop that runs once its breaks end the turn. Is none left?
  bool once(ir::While& loop) {
    once_ = &loop;
    Block& body = *loop.body;
    if (breaks_of(loop) > kManyReturns) return false;
    turn(body, &loop);
    if (breaks_of(loop) == 0) return true;
    body.push_back(ir::Builder{program_, loop.span}.stmt<ir::Break>(&loop));
    return false;
  }

  // All that stand in the block.
  void every_loop(Block& b) const {
    for (Stmt* s : b) {
      ir::for_each_block(s, [&](Block& body) {
        every_loop(body);
        if (ir::is_loop(s) && continues_of(s, body) <= kDeep) turn(body, s);
      });
    }
  }

 private:
  static int continues_of(const Stmt* loop, const Block& body) {
    int count = 0;
    ir::for_each_stmt(body, [&](const Stmt* s) {
      const auto* jump = ir::try_as<ir::Continue>(s);
      count += jump && jump->loop == loop;
    });
    return count;
  }

  static int breaks_of(const ir::While& loop) {
    int count = 0;
    ir::for_each_stmt(*loop.body, [&](const Stmt* s) {
      const auto* jump = ir::try_as<ir::Break>(s);
      count += jump && jump->loop == &loop;
    });
    return count;
  }

  bool fits(const Stmt* loop, const Block& body) const {
    const auto* counted = ir::try_as<ir::For>(loop);
    const bool refused = ir::any_stmt(body, [&](const Stmt* s) {
      const auto* branch = ir::try_as<ir::If>(s);
      const bool at_ends = branch && counted && ir::reads(branch->condition, counted->index) &&
                           (ends_early(*branch->body, loop) || ends_early(*branch->orelse, loop));
      return ir::is_loop(s) || (at_ends && !ir::reads_memory(branch->condition));
    });
    const int continues = continues_of(loop, body);
    return !refused && 0 < continues && continues <= kDeep && cost_of_turn(body) <= kFew;
  }

  bool ends_early(const Block& b, const Stmt* loop) const {
    if (b.empty()) return false;
    const auto* jump = ir::try_as<ir::Continue>(b.back());
    const auto* left = ir::try_as<ir::Break>(b.back());
    return (jump && jump->loop == loop) || (left && left->loop == loop && loop == once_);
  }

  // A block that ends where the turn of the loop does.
  void turn(Block& b, const Stmt* loop) const {
    if (ends_early(b, loop)) b.pop_back();
    for (size_t k = 0; k < b.size(); ++k) {
      auto* s = ir::try_as<ir::If>(b[k]);
      if (!s || !(ends_early(*s->body, loop) || ends_early(*s->orelse, loop))) continue;
      Block& side = ends_early(*s->body, loop) ? *s->orelse : *s->body;
      if (!ends_early(side, loop)) side.insert(side.end(), b.begin() + ptrdiff_t(k) + 1, b.end());
      b.resize(k + 1);
    }
    auto* last = b.empty() ? nullptr : ir::try_as<ir::If>(b.back());
    if (!last) return;
    turn(*last->body, loop);
    turn(*last->orelse, loop);
    if (!last->body->empty()) return;
    const ir::Builder build{program_, last->span};
    if (last->orelse->empty()) {
      b.pop_back();
      if (ir::has_effect(last->condition)) b.push_back(build.stmt<ir::Eval>(last->condition));
      return;
    }
    std::swap(last->body, last->orelse);
    last->condition = build.negated(last->condition);
  }

  ir::Program& program_;
  const Stmt* once_ = nullptr;  // a loop that runs once
};

}  // namespace

void continues(ir::Program& program, ir::Function& f) { Continues(program).loops(f.body); }

void continues_in_lanes(ir::Program& program, Block& body) { Continues(program).every_loop(body); }

bool breaks_at_ends(ir::Program& program, ir::While& once) { return Continues(program).once(once); }

}  // namespace pyk2cu::emit
