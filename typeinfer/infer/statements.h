// Statements: the walk over the body of a function.
//
// In:   ast::Stmt.  Out: statements of the IR, names bound. What Numba and we do not compile is
// refused with PK5001, naming a way out.
// Assignments are in assign.h, loops in loops.h, `match` in match.cpp.
// Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#pragma once

#include "typeinfer/infer/loops.h"

namespace pyk2cu::infer {

class Statements {
 public:
  Statements(Expressions& expressions, Results& results)
      : in_(expressions),
        out_(expressions.emitter()),
        results_(results),
        loops_(in_, results, *this) {}

  void walk(ast::Stmts body);  // as far as it can be reached
  Expressions& expressions() { return in_; }

 private:
  void stmt(const ast::Stmt& s);
  void if_(const ast::If& s);
  void return_(const ast::Return& s);
  void global_(const ast::Global& s);
  std::string exception_class(const ast::Expr& made);
  void raise_(const ast::Raise& s);
  void assert_(const ast::Assert& s);
  void remove(const ast::Delete& s);
  void expression(const ast::ExprStmt& s);
  void yield_all(const ast::YieldFrom& e);
  void nested_def(const ast::FunctionDef& s);

  Expressions& in_;
  Emitter& out_;
  Results& results_;
  Loops loops_;
};

void match(Statements& statements, const ast::Match& s);  // match.cpp

}  // namespace pyk2cu::infer
