// The loops of array expressions, as long as an expression around them may take them over.
//
//   t = empty(n); for i…: t[i] = a[i] * b[i]          t + 1 takes the loop back, and makes its own
//
// In:   a nest that has just been emitted.  Out: what it computes, its statements gone, where
// nothing has been emitted behind it. See elementwise.h. Tested by
// tests/run/test_array_expressions.py.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::infer {

class Emitter;

struct Nest {
  struct Leaf {
    ir::Local* element;  // of the array, in the loops
    ir::Expr* array;
  };
  const ir::Local* result;
  std::vector<Leaf> leaves;
  ir::Block* body;  // from the elements to the value
  ir::Expr* value;
};

class Nests {
 public:
  // The statements of the block from `begin` on, one or more, and the function's locals from
  // `locals` on, are there for the nest alone.
  void add(Emitter& in, Nest nest, size_t begin, size_t locals);
  // The nest whose result `e` reads, if it ends the block: its statements are taken back.
  std::optional<Nest> take(Emitter& in, const ir::Expr* e);
  // Emitter::once(), ahead of the nests that end the block where nothing of them is in `e`.
  ir::Expr* once_ahead(Emitter& in, ir::Expr* e, std::string_view stem) const;
  // So many operands with effects more, or fewer, are evaluated and not settled yet: what reads
  // memory is not put ahead of them.
  void expect_effects(int by) { effects_ += by; }

 private:
  struct Made {
    Nest nest;
    const ir::Stmt *first, *last;
    std::vector<const ir::Local*> locals;
  };
  std::unordered_map<const ir::Local*, Made> made_{};  // by result
  std::unordered_map<const ir::Stmt*, const ir::Local*> ends_{};
  int effects_ = 0;
};

}  // namespace pyk2cu::infer
