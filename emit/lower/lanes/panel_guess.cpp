// Guesses of panels: see panel_guess.h.
#include "emit/lower/lanes/panel_guess.h"

#include "emit/lower/iterations.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Stmt;

PanelGuess::PanelGuess(const Gang& gang, const Shape& shape, const Block& body)
    : gang_(gang), shape_(shape), assigned_(ir::assigned_in(body)) {
  see_stores(body, false);
  ir::for_each_stmt(body, [&](const Stmt* s) {
    if (const auto* loop = ir::try_as<ir::For>(s)) turning_.insert(loop->index);
  });
}

bool PanelGuess::has(const Expr* array, const ir::List<ir::Index>& indices, const ir::For* rows,
                     const ir::For* along) const {
  const ir::Local* local = ir::loaded(array);
  if (!rows || !along || !local || stored_.contains(local)) return false;
  if (stores_in_loops_ && !gang_.is_apart) return false;
  if (!counts_by_one(*rows) || ir::loaded(indices.back().value) != along->index) return false;
  const ir::Const* lo = ir::constant(along->lo);
  if (!lo || lo->value.integer < 0 || ir::reads_any(along->hi, assigned_)) return false;
  int varying = 0;
  for (const ir::Index& i : indices) {
    if (i.wrap || i.check) return false;
    if (!shape_.varies(i.value)) continue;
    if (&i == &indices.back() || !gang_.moves_by_one(i.value, shape_) ||
        ir::reads_any(i.value, turning_))
      return false;
    ++varying;
  }
  return varying == 1;
}

void PanelGuess::see_stores(const Block& b, bool in_loop) {
  for (const Stmt* s : b) {
    ir::for_each_place(s, [&](const ir::Place& place) {
      if (place.local) return;
      stored_.insert(ir::loaded(place.array));
      stores_in_loops_ = stores_in_loops_ || in_loop;
    });
    const bool inside = in_loop || ir::is_loop(s);
    ir::for_each_block(s, [&](const Block& inner) { see_stores(inner, inside); });
  }
}

}  // namespace pyk2cu::emit
