// Loops: while; for over ranges, arrays, tuples, enumerate, zip and reversed; their orelse.
//
//   for i in range(n): B         -> For i = 0; i < n; i += 1 { B }
//   ... where B assigns i, or i is read later -> For i_at = ... { i = i_at; B }
//   for x in a: B                -> For k = 0; k < len(a) { x = a[k]; B }
//   for x in (1, 2.5): B         -> B twice
//   for x in f(n): B             -> Generate x in f(n) { B }, of a generator function
//   while c: B                   -> While c { B }, or While true { S; if (!c) Break; B } when
//                                   evaluating c takes statements S
//   orelse with break            -> broke = false; loop { .. broke = true; Break .. }; if (!broke)
//   orelse
// In:   loop statements.  Out: loops of the IR; what stands in them is walked by Statements.
// Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#pragma once

#include <utility>
#include <vector>

#include "typeinfer/infer/results.h"
#include "typeinfer/infer/sequence.h"

namespace pyk2cu::infer {

class Statements;

class Loops {
 public:
  Loops(Expressions& expressions, Results& results, Statements& statements)
      : in_(expressions), out_(expressions.emitter()), results_(results), statements_(statements) {}

  void walk_while(const ast::While& s);
  void walk_for(const ast::For& s);
  void leave(const ast::Stmt& s);  // break or continue

 private:
  struct Loop {
    ir::Stmt* stmt = nullptr;  // null: a loop that was unrolled
    std::vector<std::pair<ir::Block*, ir::Stmt*>> breaks{};
  };

  void for_range(const ast::For& s, const Range& range);
  void over_turns(const ast::For& s, const Sequence& sequence);
  void over_axes(const ast::For& s, const Sequence& sequence);
  void for_tuple(const ast::For& s, ir::Expr* tuple);
  void counted(const ast::For& s, ir::Expr* lo, ir::Expr* hi, ir::Expr* step,
               const Sequence& sequence, bool parallel);
  // The loop does not run: only its orelse does.
  void skip(const ast::For& s);
  bool may_iterate(Span at);
  // `ends`: the loop can end by itself, not only by break. Then the orelse runs.
  void finish(const ast::Node& s, ast::Stmts orelse, bool ends, const Loop& loop);

  Expressions& in_;
  Emitter& out_;
  Results& results_;
  Statements& statements_;
  std::vector<Loop> loops_{};
};

}  // namespace pyk2cu::infer
