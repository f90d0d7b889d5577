// The fields of a node, one by one, for what treats all kinds alike: walk.h, clone.h, equal.h,
// dump.
//
//   visit_fields(node, f)      calls f.operand(node.left, "left"), f.data(node.op, "op"), …
//   visit_fields(a, b, f)      calls f.operand(a.left, b.left), …: both of one kind
//
// A visitor has a method for every form of field in nodes.def, so that a new form does not compile
// before everybody knows it; a new kind or field needs nothing at all.
// Tested by tests/unit/typeinfer/ir_test.cpp.
#pragma once

#include <concepts>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::ir {

#define PYK_EXPR(kind, text, list)                      \
  template <class N, class F>                           \
    requires std::same_as<std::remove_const_t<N>, kind> \
  void visit_fields([[maybe_unused]] N& n, F& f) {      \
    list                                                \
  }
#define PYK_STMT(kind, text, list) PYK_EXPR(kind, text, list)
#define EXPR(x) f.operand(n.x, #x);
#define MAYBE(x) f.maybe(n.x, #x);
#define EXPRS(x) f.operands(n.x, #x);
#define TYPES(x) f.types(n.x, #x);
#define INDEX(x) f.index(n.x, #x);
#define INDICES(x) f.indices(n.x, #x);
#define SUBSCRIPTS(x) f.subscripts(n.x, #x);
#define PLACE(x) f.place(n.x, #x);
#define USES(x) f.uses(n.x, #x);
#define SETS(x) f.sets(n.x, #x);
#define READS(x) f.reads(n.x, #x);
#define SHARES(x) f.shares(n.x, #x);
#define DECLARES(x) f.declares(n.x, #x);
#define REDUCTIONS(x) f.reductions(n.x, #x);
#define BLOCK(x) f.block(n.x, #x);
#define JUMP(x) f.jump(n.x, #x);
#define DATA(type, x) f.data(n.x, #x);
#include "typeinfer/ir/nodes.def"

#define PYK_EXPR(kind, text, list)                        \
  template <class F>                                      \
  void visit_fields(const kind& a, const kind& b, F& f) { \
    list                                                  \
  }
#define PYK_STMT(kind, text, list) PYK_EXPR(kind, text, list)
#define EXPR(x) f.operand(a.x, b.x);
#define MAYBE(x) f.maybe(a.x, b.x);
#define EXPRS(x) f.operands(a.x, b.x);
#define TYPES(x) f.types(a.x, b.x);
#define INDEX(x) f.index(a.x, b.x);
#define INDICES(x) f.indices(a.x, b.x);
#define SUBSCRIPTS(x) f.subscripts(a.x, b.x);
#define PLACE(x) f.place(a.x, b.x);
#define USES(x) f.uses(a.x, b.x);
#define SETS(x) f.sets(a.x, b.x);
#define READS(x) f.reads(a.x, b.x);
#define SHARES(x) f.shares(a.x, b.x);
#define DECLARES(x) f.declares(a.x, b.x);
#define REDUCTIONS(x) f.reductions(a.x, b.x);
#define BLOCK(x) f.block(a.x, b.x);
#define JUMP(x) f.jump(a.x, b.x);
#define DATA(type, x) f.data(a.x, b.x);
#include "typeinfer/ir/nodes.def"

}  // namespace pyk2cu::ir
