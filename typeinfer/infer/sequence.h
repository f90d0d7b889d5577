// What a for loop runs over, as a count of items and the item at an index.
//
// In:   an iterable operand: a range, array, tuple, a.flat, zip, enumerate, reversed.  Out:
// Sequence; what cannot be iterated is reported. Tested by
// tests/unit/typeinfer/infer_stmt_test.cpp.
#pragma once

#include <functional>

#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

struct Sequence {
  ir::Expr* count = nullptr;
  std::function<Operand(ir::Expr*)> item{};
  const ast::Name* index_name = nullptr;  // the target that is the index itself
  bool is_index = false;                  // the item is the index, an int64
  // Of several axes, where it is: their extents, and the item at an index for each.
  std::vector<ir::Expr*> extents{};
  std::function<Operand(std::vector<ir::Expr*>)> at{};
  // Of lists, which the body may change: is there an item at the index? Else nothing.
  std::function<ir::Expr*(ir::Expr*)> goes_on{};
  // Of a generator, which says itself when it ends: the call, what it yields; else null. `counts`:
  // the item is asked for by its index.
  ir::Expr* generator = nullptr;
  ir::Local* yielded = nullptr;
  bool counts = false;
  std::function<void()> check{};  // of what the body must not change: in front of each turn
};

// What a loop binds.
struct LoopNames {
  const scope::Versions& versions;
  const ast::Expr& target;
  ast::Stmts body;  // none: of a comprehension, which has names of its own

  bool rebinds(Symbol name) const;
};
// In a form that the loop does not change while it turns.
ir::Expr* held(Emitter& in, const LoopNames& names, ir::Expr* e, std::string_view stem);

class SequenceMaker {
 public:
  // `may_iterate`: no loop ran over the `.flat`, or the generator, that stands there yet.
  SequenceMaker(Expressions& expressions, const ast::Expr& iter, const ast::Expr& target,
                ast::Stmts body, std::function<bool(Span)> may_iterate)
      : in_(expressions.emitter()),
        names_{expressions.names().versions(), target, body},
        iter_(iter),
        may_iterate_(std::move(may_iterate)) {}

  // False after a report, and where the items of a list are not known yet.
  bool make(const Operand& iterable, Sequence& out);

 private:
  bool of_value(const Operand& iterable, Sequence& out);
  bool of_list(ir::Expr* list, Sequence& out);
  bool of_entries(ir::Expr* table, Entries::Part part, Sequence& out);
  bool of_listed_entries(const Operand& iterable, Sequence& out);
  bool of_flat(const Flat& flat, Sequence& out);
  bool of_generated(const Generated& made, Sequence& out);
  bool of_grid(const Grid& grid, Sequence& out);
  bool of_zip(const Operand& iterable, Sequence& out);
  ir::Expr* fewer(ir::Expr* a, ir::Expr* b);
  bool of_enumerate(const Operand& iterable, Sequence& out);
  bool of_range(const Range& range, Sequence& out);
  bool of_reversed(const Operand& iterable, Sequence& out);
  ir::Expr* held(ir::Expr* e, std::string_view stem);

  Emitter& in_;
  const LoopNames names_;
  const ast::Expr& iter_;
  std::function<bool(Span)> may_iterate_;
};

// next = 0; while sequence.goes_on(next): at = next; next = at + 1; body(loop, at)
// Of a generator: for what it yields: at = next; next = at + 1, where it counts.
// With a check: while True: at = next; next = at + 1; check(); if not goes_on(at): break; …
void in_turn(Emitter& in, const Sequence& sequence, Span span,
             const std::function<void(ir::Stmt* loop, ir::Expr* at)>& body);
// What the call yields.
Sequence generated(Emitter& in, const Generated& made, Span target);
// The target of a loop, if it is a name that may be the index of the loop itself, or null.
const ast::Name* plain_index(const scope::Versions& versions, const ast::Expr* target);
// len(range(…))
ir::Expr* range_length(Emitter& in, const Range& range, Span span);
// Raises ValueError for a step of zero.
void check_step(Emitter& in, ir::Expr* step, Span span);
ir::Expr* ordered(Emitter& in, ir::CompareOp op, ir::Expr* left, ir::Expr* right);

}  // namespace pyk2cu::infer
