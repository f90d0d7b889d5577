// What a function returns, or a generator yields: the type that all of that has, and every value in
// that type.
//
// In:   return statements and yields as the walk meets them.  Out: ir::Return, ir::Yield; the
// result type when the body is walked; conversions at the returns when the type is settled.
// Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#pragma once

#include <vector>

#include "typeinfer/infer/joins.h"

namespace pyk2cu::infer {

class Results {
 public:
  Results(Emitter& emitter, Joins& joins) : in_(emitter), joins_(joins) {}

  // return what. `statement`: the span of the node; `value`: that of what stands in it.
  void add(Operand what, Span statement, Span value);
  void add_yield(Operand what, Span statement, Span value);  // yield what
  // How often the walk has left the function: by a return, or by a yield for a while.
  size_t count() const { return left_; }
  // The body is walked: does it end without return on some path?
  void end() {
    walked_ = true;
    unwound_ = joins_.reachable();
  }

  // The type of the result as the returns typed so far say; null when none does. A body that ends
  // in errors alone returns nothing.
  const Type* type();
  // Every returned value in the function's result type.
  void finish(const Type* result);

 private:
  struct Returned {
    ir::Block* block;
    ir::Stmt* stmt;
    ir::Expr** value;
    Operand what;
  };

  bool is_generator() const { return in_.context().function().is_generator; }
  void leave_generator(const Operand& what, Span statement, Span value);
  bool can_return(const Operand& what);
  void finish_one(Returned& returned, const Type* result);
  void refuse_value(const Returned& returned);

  Emitter& in_;
  Joins& joins_;
  std::vector<Returned> returned_{};
  size_t left_ = 0;
  bool walked_ = false, unwound_ = false;
};

}  // namespace pyk2cu::infer
