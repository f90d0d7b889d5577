// Elements that later iterations read: see handed_on.h. Tested by tests/golden/passes/choices.py
// and tests/run/test_diffusion.py.
#include "emit/lower/handed_on.h"

#include "emit/lower/iterations.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::Stmt;

namespace {

// How many iterations later is an element of `read` the one of `stored`? 0: never, or not known.
int64_t iterations_between(const ir::For& loop, const ir::List<ir::Index>& stored,
                           const ir::List<ir::Index>& read) {
  const ir::Const* step = ir::constant(loop.step);
  if (!step || step->value.integer == 0 || stored.size() != read.size()) return 0;
  int64_t found = 0;
  for (size_t axis = 0; axis < stored.size(); ++axis) {
    const Expr *first = stored[axis].value, *second = read[axis].value;
    if (ir::equal(first, second) && !ir::reads(first, loop.index)) continue;
    const Sum from = sum_of(first), to = sum_of(second);
    if (!from.base || !to.base || ir::loaded(from.base) != loop.index ||
        ir::loaded(to.base) != loop.index)
      return 0;
    const int64_t apart = from.offset - to.offset, between = apart / step->value.integer;
    if (between <= 0 || apart % step->value.integer != 0 || (found != 0 && found != between))
      return 0;
    found = between;
  }
  return found;
}

}  // namespace

bool hands_on(const ir::For& loop, const ir::LocalSet& locals) {
  bool found = false;
  const auto see = [&](const ir::Place& place) {
    const auto is_later = [&](const Expr* array, const ir::List<ir::Index>& indices) {
      return ir::equal(array, place.array) && iterations_between(loop, place.indices, indices) > 0;
    };
    ir::for_each_expr_in(std::as_const(*loop.body), [&](const Expr* e) {
      const auto* element = ir::try_as<ir::Element>(e);
      found = found || (element && is_later(element->array, element->indices));
    });
  };
  ir::for_each_stmt(std::as_const(*loop.body), [&](const Stmt* s) {
    const auto* store = ir::try_as<ir::Store>(s);
    const auto* update = ir::try_as<ir::Update>(s);
    const Expr* value = store ? store->value : update ? update->value : nullptr;
    if (found || !value || !ir::reads_any(value, locals)) return;
    ir::for_each_place(s, [&](const ir::Place& place) {
      if (!place.local) see(place);
    });
  });
  return found;
}

}  // namespace pyk2cu::emit
