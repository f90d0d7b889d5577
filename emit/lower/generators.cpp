// Loops over generators, as the statements of the generators with the loops' bodies in them.
//
//   def pairs(n):                            for i in range(n):
//     for i in range(n):                       for j in range(i):
//       for j in range(i):                       item = (i, j)
//         yield i, j                    ->       total += item[0] * item[1]
//   for i, j in pairs(n): total += i * j
//
// A `continue` goes on with the generator's loop around the yield, where nothing of the generator
// stands between the two; else a loop that runs once, which it leaves, is around the body. A
// `break`, and the generator's own `return`, leave the generator's loop where that is all of it, or
// one that runs once around all. The body stands at each of the yields.
// In:   functions as they are inferred, callees first.  Out: no Generate and no Yield, no break but
// of the innermost loop; generators, whom nothing calls any more, are gone. Tested by
// tests/golden/passes and tests/run/test_generators.py.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "emit/lower/costs.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

bool is_yield(const Stmt* s) { return s->kind == StmtKind::kYield; }
bool is_way_out(const Stmt* s) { return is_yield(s) || s->kind == StmtKind::kReturn; }

constexpr size_t kMostStatements = 4000;  // of all loops of a function: they are copied

const Block& body_of(const ir::Generate& loop) {
  return ir::as<ir::Call>(loop.generator)->callee->body;
}
size_t count_yields(const ir::Generate& loop) {
  size_t count = 0;
  ir::for_each_stmt(body_of(loop), [&](const Stmt* s) { count += is_yield(s); });
  return count;
}
// The statements that it becomes.
size_t size_of(const ir::Generate& loop) {
  return count_stmts(body_of(loop)) + count_yields(loop) * count_stmts(*loop.body);
}

bool turns(const Stmt* s) { return s->kind == StmtKind::kFor || s->kind == StmtKind::kWhile; }

class Expander {
 public:
  Expander(ir::Program& program, ir::Function& f, ir::Generate& loop)
      : program_(program), f_(f), loop_(loop), build_{program, loop.span} {}

  void run(Block& out) {
    const auto& call = *ir::as<ir::Call>(loop_.generator);
    // What the generator adds up in order stays so.
    f_.options.fastmath = f_.options.fastmath && call.callee->options.fastmath;
    Block* body = bind(call, out);
    Stmt* last = body->empty() ? nullptr : body->back();
    const bool is_all = last && turns(last) && leaves_nowhere_else(*body);
    auto* once = build_.stmt<ir::While>(build_.boolean(true), body);
    end_ = is_all ? last : once;
    place(*body, nullptr, false);
    if (is_all) return void(out.insert(out.end(), body->begin(), body->end()));
    if (!ir::ends(*body)) body->push_back(build_.stmt<ir::Break>(once));
    add_once(*once, out);
  }

 private:
  // The generator's statements, its parameters and locals as new locals of the function: the loop
  // may assign what it gives.
  Block* bind(const ir::Call& call, Block& out) {
    const ir::Function& callee = *call.callee;
    ir::Cloner cloner(program_);
    const ir::LocalSet assigned = ir::assigned_in(callee.body);
    const ir::LocalSet changed = ir::assigned_in(*loop_.body);
    for (size_t k = 0; k < call.shared.size(); ++k) cloner.map(callee.shared[k], call.shared[k]);
    for (const Local* local : callee.locals) {
      if (std::ranges::find(callee.shared, local) != callee.shared.end()) continue;
      const auto param = std::ranges::find(callee.params, local, &ir::Param::local);
      if (param == callee.params.end()) {
        cloner.renew(local, f_);
        continue;
      }
      Expr* given = call.args[size_t(param - callee.params.begin())];
      Local* name = ir::loaded(given);
      if (name && !assigned.contains(local) && !changed.contains(name))
        cloner.map(local, name);
      else
        out.push_back(build_.assign(cloner.renew(local, f_), given));
    }
    return cloner.block(callee.body);
  }

  // Do all yields and returns stand in the last statement?
  static bool leaves_nowhere_else(const Block& body) {
    return std::none_of(body.begin(), body.end() - 1, [](const Stmt* s) {
      return is_way_out(s) || ir::any_stmt(Block{const_cast<Stmt*>(s)}, is_way_out);
    });
  }

  // `around`: the generator's loop around the block; is_end: its turn ends with the block.
  void place(Block& block, Stmt* around, bool is_end) {
    Block all;
    for (Stmt* s : block) {
      const bool ends_turn = is_end && s == block.back();
      if (auto* yields = ir::try_as<ir::Yield>(s)) {
        add_turn(*yields, ends_turn ? around : nullptr, all);
      } else if (s->kind == StmtKind::kReturn) {
        all.push_back(ir::Builder{program_, s->span}.stmt<ir::Break>(end_));
      } else {
        const bool is_loop = ir::is_loop(s);
        ir::for_each_block(s, [&](Block& inner) {
          place(inner, is_loop ? s : around, is_loop ? turns(s) : ends_turn);
        });
        all.push_back(s);
      }
    }
    block = std::move(all);
  }

  // item = what is yielded; the body. `next`: the loop whose next turn goes on with the generator;
  // null: what stands behind the yield does.
  void add_turn(const ir::Yield& yields, Stmt* next, Block& out) {
    Block* body = copy_of_body();
    hand_over(yields, *body, out);
    auto* once = build_.stmt<ir::While>(build_.boolean(true), body);
    bool skips = false;
    ir::replace_stmts(*body, [&](Stmt* s, Block& jumps) {
      const auto* leaves = ir::try_as<ir::Break>(s);
      const auto* goes_on = ir::try_as<ir::Continue>(s);
      const ir::Builder build{program_, s->span};
      if (leaves && leaves->loop == &loop_)
        jumps.push_back(build.stmt<ir::Break>(end_));
      else if (goes_on && goes_on->loop == &loop_ && next)
        jumps.push_back(build.stmt<ir::Continue>(next));
      else if (goes_on && goes_on->loop == &loop_)
        jumps.push_back(build.stmt<ir::Break>(once)), skips = true;
      else
        return false;
      return true;
    });
    if (!skips) return void(out.insert(out.end(), body->begin(), body->end()));
    if (!ir::ends(*body)) body->push_back(build_.stmt<ir::Break>(once));
    add_once(*once, out);
  }

  // item = what is yielded. Of `for x in …` and `for i, j in …` the variables take it, or its
  // parts, themselves: they are the first that the body assigns, and nothing else is the item for.
  void hand_over(const ir::Yield& yields, Block& body, Block& out) const {
    const ir::Builder build{program_, yields.span};
    const auto* parts = ir::try_as<ir::Tuple>(yields.value);
    const bool splits = parts && !ir::has_effect(yields.value);
    const auto given = [&](const Stmt* s) -> Expr* {
      const auto* a = ir::try_as<ir::Assign>(s);
      if (!a) return nullptr;
      if (ir::loaded(a->value) == loop_.item) return yields.value;
      const auto* part = ir::try_as<ir::Item>(a->value);
      const bool is_part = splits && part && ir::loaded(part->tuple) == loop_.item;
      return is_part ? parts->items[size_t(part->index)] : nullptr;
    };
    const auto first = std::ranges::find_if_not(body, given);
    const bool are_parts =
        first - body.begin() == 1 ||
        std::all_of(body.begin(), first, [&](Stmt* s) { return given(s) != yields.value; });
    const bool is_whole = std::any_of(first, body.end(), [&](const Stmt* s) {
      bool reads = false;
      ir::for_each_local_in(s, [&](const Local* l, ir::Access) { reads |= l == loop_.item; });
      return reads;
    });
    if (is_whole || !are_parts || first == body.begin())
      return out.push_back(build.assign(loop_.item, yields.value));
    for (auto s = body.begin(); s != first; ++s)
      out.push_back(build.assign(ir::as<ir::Assign>(*s)->local, given(*s)));
    body.erase(body.begin(), first);
  }

  // Each but the first with indices of loops of its own.
  Block* copy_of_body() {
    ir::Cloner cloner(program_);
    if (is_placed_)
      ir::for_each_stmt(*loop_.body, [&](const Stmt* s) {
        if (const auto* inner = ir::try_as<ir::For>(s)) cloner.renew(inner->index, f_);
      });
    is_placed_ = true;
    return cloner.block(*loop_.body);
  }

  // The loop that runs once; its statements alone, where its breaks are sides of branches.
  void add_once(ir::While& once, Block& out) {
    if (breaks_at_ends(program_, once))
      out.insert(out.end(), once.body->begin(), once.body->end());
    else
      out.push_back(&once);
  }

  ir::Program& program_;
  ir::Function& f_;
  ir::Generate& loop_;
  ir::Builder build_;
  Stmt* end_ = nullptr;  // a break of it ends the loop
  bool is_placed_ = false;
};

// Breaks of loops further out, which nothing else makes and no other pass knows, as breaks of the
// innermost loop.
//
//   while true:                          left = False
//     for j …:                           while true:
//       if c: break of while     ->        for j …:
//                                            if c:
//                                              left = True
//                                              break
//                                          if left: break
class Leaving {
 public:
  Leaving(ir::Program& program, ir::Function& f) : program_(program), f_(f) { block(f.body); }

 private:
  void block(Block& b) {
    Block all;
    for (Stmt* s : b) {
      const ir::Builder build{program_, s->span};
      auto* jump = ir::try_as<ir::Break>(s);
      if (jump && jump->loop != around_.back()) {
        all.push_back(build.assign(flag_of(jump->loop), build.boolean(true)));
        through_[around_.back()].push_back(jump->loop);
        jump->loop = around_.back();
      }
      if (ir::is_loop(s)) around_.push_back(s);
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      if (ir::is_loop(s)) around_.pop_back();
      if (flags_.contains(s)) all.push_back(build.assign(flags_.at(s), build.boolean(false)));
      all.push_back(s);
      for (Stmt* target : targets_through(s)) {
        all.push_back(build.if_(build.load(flag_of(target)),
                                build.block({build.stmt<ir::Break>(around_.back())})));
        if (target != around_.back()) through_[around_.back()].push_back(target);
      }
    }
    b = std::move(all);
  }

  // The loops that jumps out of this one leave, each once.
  std::vector<Stmt*> targets_through(const Stmt* s) const {
    const auto found = through_.find(s);
    std::vector<Stmt*> all;
    if (found == through_.end()) return all;
    for (Stmt* target : found->second)
      if (std::ranges::find(all, target) == all.end()) all.push_back(target);
    return all;
  }

  Local* flag_of(const Stmt* loop) {
    Local*& flag = flags_[loop];
    if (!flag) {
      flag = ir::Builder{program_, loop->span}.temp("left", types::boolean());
      f_.locals.push_back(flag);
    }
    return flag;
  }

  ir::Program& program_;
  ir::Function& f_;
  std::vector<Stmt*> around_{};
  std::unordered_map<const Stmt*, Local*> flags_{};                // of the loops that are left
  std::unordered_map<const Stmt*, std::vector<Stmt*>> through_{};  // of the loops inside those
};

}  // namespace

void generators(Lowering& lowering) {
  ir::Program& program = lowering.program;
  const auto is_generator = [](const ir::Function* f) { return f->is_generator; };
  if (std::ranges::none_of(program.functions, is_generator)) return;
  for (ir::Function* f : program.functions) {
    bool has_loop = false;
    size_t size = 0;
    ir::replace_stmts(f->body, [&](Stmt* s, Block& out) {
      auto* loop = ir::try_as<ir::Generate>(s);
      if (!loop) return false;
      has_loop = true;
      size += size_of(*loop);
      if (size <= kMostStatements)
        Expander(program, *f, *loop).run(out);
      else if (lowering.is_new(s->span, diag::NotSupported.code))
        lowering
            .report(*f, s->span, diag::NotSupported,
                    fmt::format("a loop whose body would stand {} times in the generators that "
                                "it goes over,",
                                count_yields(*loop)))
            .help("make a list first, `for x in list(…)`, or a function of the body");
      return true;
    });
    if (has_loop) Leaving(program, *f);
  }
  std::erase_if(program.functions, is_generator);
  ir::analyse(program);
}

}  // namespace pyk2cu::emit
