// Unroll and jam: see jam.h. Tested by tests/golden/gangs/tiles.py.
#include "emit/lower/lanes/jam.h"

#include <limits>

#include "emit/lower/interval.h"
#include "typeinfer/ir/clone.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

class Jam {
 public:
  Jam(ir::Program& program, ir::Function& f, ir::For& loop, size_t joined)
      : program_(program),
        f_(f),
        loop_(loop),
        front_(loop.body->begin(), loop.body->begin() + long(joined)),
        build_{program, loop.span} {}

  Block* run(int rows, Local* rest) {
    std::vector<Block*> all, behind;
    for (int row = 1; row < rows; ++row) all.push_back(copy(row));
    ir::For* left = rest_of(rest);
    all.insert(all.begin(), loop_.body);
    for (Block* row : all) {
      const auto end = row->begin() + long(front_.size());
      behind.push_back(program_.make<Block>(Block(end, row->end())));
      row->erase(end, row->end());
    }
    loop_.body = merged(all);
    for (const Block* row : behind) loop_.body->insert(loop_.body->end(), row->begin(), row->end());
    loop_.hi = build_.load(rest);
    loop_.step = build_.integer(rows);
    return build_.block({&loop_, left});
  }

 private:
  // Has the statement one text for all rows? Their blocks then are joined.
  static bool is_common(const Stmt* s) { return s->kind == ir::StmtKind::kFor; }

  static void keep_indices(const Block& block, ir::Cloner& cloner) {
    for (const Stmt* s : block) {
      const auto* loop = ir::try_as<ir::For>(s);
      if (!loop) continue;
      cloner.map(loop->index, loop->index);
      keep_indices(*loop->body, cloner);
    }
  }

  // Variables of its own for an iteration. What follows the joined statements keeps its names.
  void renew(ir::Cloner& cloner) {
    cloner.renew_assigned(front_, f_);
    for (size_t k = front_.size(); k < loop_.body->size(); ++k)
      ir::for_each_stmt(Block{(*loop_.body)[k]}, [&](const Stmt* s) {
        if (const auto* loop = ir::try_as<ir::For>(s)) cloner.renew(loop->index, f_);
      });
  }

  // The body of the iteration `row` behind that of the loop's index.
  Block* copy(int row) {
    ir::Cloner cloner(program_);
    renew(cloner);
    keep_indices(front_, cloner);
    Block* block = cloner.block(*loop_.body);
    ir::for_each_stmt(*block,
                      [&](Stmt* s) { ir::for_each_expr(s, [&](Expr*& e) { shift(e, row); }); });
    return block;
  }

  void shift(Expr*& e, int row) {
    if (ir::loaded(e) == loop_.index)
      e = build_.plain(ir::BinaryOp::kAdd, e, build_.integer(row));
    else
      ir::for_each_operand(e, [&](Expr*& operand) { shift(operand, row); });
  }

  Block* merged(const std::vector<Block*>& rows) {
    Block* all = build_.block();
    for (size_t k = 0; k < rows.front()->size(); ++k) {
      Stmt* first = (*rows.front())[k];
      if (!is_common(first)) {
        for (Block* row : rows) all->push_back((*row)[k]);
        continue;
      }
      std::vector<Block*> bodies;
      for (Block* row : rows) bodies.push_back(ir::as<ir::For>((*row)[k])->body);
      ir::as<ir::For>(first)->body = merged(bodies);
      all->push_back(first);
    }
    return all;
  }

  ir::For* rest_of(Local* rest) {
    ir::Cloner cloner(program_);
    cloner.renew(loop_.index, f_);
    renew(cloner);
    auto* left = ir::as<ir::For>(cloner.stmt(&loop_));
    left->lo = build_.load(rest);
    return left;
  }

  ir::Program& program_;
  ir::Function& f_;
  ir::For& loop_;
  const Block front_;  // statements that are joined
  const ir::Builder build_;
};

}  // namespace

Expr* whole_groups(const ir::Builder& build, const Expr* lo, const Expr* hi, int size, bool turns) {
  ir::Cloner cloner(build.program);
  Expr* all = cloner.expr(hi);
  const bool from_zero = ir::is_int_const(lo, 0);
  if (!from_zero) all = build.plain(ir::BinaryOp::kSub, all, cloner.expr(lo));
  Expr* rest = build.plain(ir::BinaryOp::kMod, all, build.integer(size));
  Expr* whole = build.plain(ir::BinaryOp::kSub, cloner.expr(hi), rest);
  Known nothing;
  Observer nobody;
  // Where hi is next to the least of all numbers the difference has none.
  if (turns || from_zero || evaluate(all, nothing, nobody).lo > std::numeric_limits<int64_t>::min())
    return whole;
  Expr* is_some = build.compare(ir::CompareOp::kLt, cloner.expr(lo), cloner.expr(hi));
  return build.expr<ir::Select>(types::int64(), is_some, whole, cloner.expr(lo));
}

Expr* turns_of(const ir::Builder& build, const ir::For& loop) {
  ir::Cloner cloner(build.program);
  Expr* hi = cloner.expr(loop.hi);
  if (ir::is_int_const(loop.lo, 0)) return hi;
  return build.expr<ir::Binary>(types::int64(), ir::BinaryOp::kSub, hi, cloner.expr(loop.lo));
}

Block* jam(ir::Program& program, ir::Function& f, ir::For& loop, int rows, Local* rest,
           size_t joined) {
  return Jam(program, f, loop, joined).run(rows, rest);
}

}  // namespace pyk2cu::emit
