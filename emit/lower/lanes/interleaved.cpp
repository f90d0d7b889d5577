// Pixels: see interleaved.h.
#include "emit/lower/lanes/interleaved.h"

#include <algorithm>

#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

constexpr int64_t kMost = 4;  // bytes of a row, and ends of loops that are unrolled

bool is_of_bytes(const Expr* array) {
  const types::Type* type = array->type;
  return type->rank >= 2 && type->layout == types::Layout::kC && type->elem->bits == 8 &&
         !type->elem->is_bool();
}

// f(array, indices) for every element that is read or written.
template <class F>
void for_each_element(const Block& body, F&& f) {
  ir::for_each_expr_in(body, [&](const Expr* e) {
    if (const auto* element = ir::try_as<ir::Element>(e)) f(element->array, element->indices);
  });
  ir::for_each_stmt(body, [&](const Stmt* s) {
    ir::for_each_place(s, [&](const ir::Place& place) {
      if (!place.local) f(place.array, place.indices);
    });
  });
}

class Unroll {
 public:
  explicit Unroll(ir::Program& program) : program_(program) {}

  void block(Block& body) {
    ir::replace_stmts(body, [&](Stmt* s, Block& out) {
      const auto* loop = ir::try_as<ir::For>(s);
      if (!loop || !is_short(*loop)) return false;
      const int64_t lo = ir::constant(loop->lo)->value.integer;
      const int64_t hi = ir::constant(loop->hi)->value.integer;
      for (int64_t turn = lo; turn < hi; ++turn) {
        Block* copy = ir::Cloner(program_).block(*loop->body);
        ir::for_each_stmt(*copy, [&](Stmt* inner) {
          ir::for_each_expr(inner, [&](Expr*& e) { replace(e, *loop, turn); });
        });
        out.insert(out.end(), copy->begin(), copy->end());
      }
      return true;
    });
  }

 private:
  void replace(Expr*& e, const ir::For& loop, int64_t turn) const {
    if (ir::loaded(e) == loop.index)
      e = ir::Builder{program_, e->span}.integer(turn, loop.index->type);
    else
      ir::for_each_operand(e, [&](Expr*& operand) { replace(operand, loop, turn); });
  }

  static bool is_short(const ir::For& loop) {
    const ir::Const *lo = ir::constant(loop.lo), *hi = ir::constant(loop.hi);
    const bool counts = lo && hi && ir::is_int_const(loop.step, 1) &&
                        loop.loop == ir::LoopKind::kSerial && loop.reductions.empty();
    if (!counts || lo->value.integer < 0 || hi->value.integer > kMost) return false;
    bool jumps = false, found = false;
    ir::for_each_stmt(*loop.body, [&](const Stmt* s) { jumps = jumps || ir::is_jump(s); });
    for_each_element(*loop.body, [&](const Expr* array, const ir::List<ir::Index>& indices) {
      found = found || (is_of_bytes(array) && ir::loaded(indices.back().value) == loop.index);
    });
    return found && !jumps;
  }

  ir::Program& program_;
};

}  // namespace

void unroll_pixels(ir::Program& program, Block& body) { Unroll(program).block(body); }

std::vector<Interleaved> interleaved(const Block& body, const Gang& gang, const Shape& shape) {
  std::vector<Interleaved> all;
  ir::LocalSet others = ir::assigned_in(body);
  for_each_element(body, [&](const Expr* array, const ir::List<ir::Index>& indices) {
    Local* local = ir::loaded(array);
    if (!local || others.contains(local)) return;
    const size_t last = indices.size() - 1;
    const ir::Const* at = ir::constant(indices[last].value);
    bool fits = is_of_bytes(array) && at && at->value.integer >= 0 && at->value.integer < kMost &&
                !indices[last - 1].wrap && gang.moves_by_one(indices[last - 1].value, shape);
    for (size_t k = 0; fits && k + 1 < last; ++k) fits = !shape.varies(indices[k].value);
    if (!fits) return (void)others.insert(local);
    const auto known = std::ranges::find(all, local, &Interleaved::array);
    if (known == all.end())
      all.push_back({local, at->value.integer + 1});
    else
      known->extent = std::max(known->extent, at->value.integer + 1);
  });
  std::erase_if(
      all, [&](const Interleaved& rows) { return rows.extent < 2 || others.contains(rows.array); });
  return all;
}

Expr* has_extent(const ir::Builder& build, const Interleaved& rows) {
  Expr* extent = build.extent(build.load(rows.array), rows.array->type->rank - 1);
  return build.compare(ir::CompareOp::kEq, extent, build.integer(rows.extent));
}

}  // namespace pyk2cu::emit
