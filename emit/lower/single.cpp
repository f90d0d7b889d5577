// Elements of arrays without dimensions, as elements of one.
//
//   a[()]   ->   flat(a)[0]
//
// What follows finds a last subscript in every element.
// In:   functions as they are inferred.  Out: no Element and no Place without a subscript.
// Tested by tests/run/test_array_expressions.py.
#include "emit/lower/lower.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Expr;

namespace {

void name_first(ir::Program& program, Expr*& array, ir::List<ir::Index>& indices) {
  const ir::Builder b{program, array->span};
  const types::Type* from = array->type;
  const types::Type* type =
      types::array(from->elem, 1, types::Layout::kC, from->readonly, from->aligned);
  array =
      b.expr<ir::Builtin>(type, &builtins::row(builtins::Id::pyk_flat),
                          program.list(std::vector<Expr*>{array}), ir::List<const types::Type*>{});
  indices = program.list(std::vector<ir::Index>{{b.integer(0), false, false}});
}

}  // namespace

void single(ir::Program& program, ir::Function& f) {
  ir::for_each_stmt(f.body, [&](ir::Stmt* s) {
    ir::for_each_place(s, [&](ir::Place& place) {
      if (!place.local && place.indices.empty()) name_first(program, place.array, place.indices);
    });
    ir::for_each_expr(s, [&](Expr* e) {
      ir::for_each_subexpr(e, [&](Expr* part) {
        auto* element = ir::try_as<ir::Element>(part);
        if (element && element->indices.empty())
          name_first(program, element->array, element->indices);
      });
    });
  });
}

}  // namespace pyk2cu::emit
