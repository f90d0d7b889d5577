// Pixels: see interleaved.h.
#include "emit/lower/lanes/interleaved.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "emit/lower/iterations.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

constexpr int64_t kMostStatements = 128;  // of an unrolled loop
constexpr int64_t kMost = 4;              // elements of a row, and ends of loops that are unrolled

bool is_of_rows(const Expr* array) {
  const types::Type* type = array->type;
  return type->rank >= 2 && type->layout == types::Layout::kC && type->elem->is_real() &&
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
    const auto turns = constant_turns(loop);
    const bool counts = turns && ir::is_int_const(loop.step, 1) &&
                        loop.loop == ir::LoopKind::kSerial && loop.reductions.empty();
    if (!counts || ir::constant(loop.lo)->value.integer < 0 ||
        ir::constant(loop.hi)->value.integer > kMost)
      return false;
    bool plain = true, found = false;
    int64_t statements = 0;
    ir::for_each_stmt(*loop.body, [&](const Stmt* s) {
      plain = plain && !ir::is_jump(s) && !ir::is_loop(s);
      ++statements;
    });
    for_each_element(*loop.body, [&](const Expr* array, const ir::List<ir::Index>& indices) {
      found = found || (is_of_rows(array) && ir::loaded(indices.back().value) == loop.index);
    });
    return found && plain && statements * *turns <= kMostStatements;
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
    bool fits = is_of_rows(array) && at && at->value.integer >= 0 && at->value.integer < kMost &&
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

bool are_bytes(const std::vector<Interleaved>& all) {
  return std::ranges::all_of(
      all, [](const Interleaved& rows) { return rows.array->type->elem->bits == 8; });
}

Expr* have_extents(const ir::Builder& build, const std::vector<Interleaved>& all) {
  Expr* both = nullptr;
  for (const Interleaved& rows : all) {
    Expr* extent = build.extent(build.load(rows.array), rows.array->type->rank - 1);
    Expr* has = build.compare(ir::CompareOp::kEq, extent, build.integer(rows.extent));
    both = both ? build.logical(true, both, has) : has;
  }
  return both;
}

std::string rows_in_words(const std::vector<Interleaved>& all) {
  std::vector<std::string> words;
  for (const Interleaved& rows : all)
    words.push_back(
        fmt::format("a row of `{}` is {} elements", rows.array->name.str(), rows.extent));
  return fmt::format("{}", fmt::join(words, ", "));
}

Block* knowing_rows(ir::Program& program, ir::Function& f, const Gang& gang, Block* lanes) {
  const ir::Builder build{program};
  Expr* known = have_extents(build, gang.interleaved);
  Local* given = nullptr;
  if (gang.rows_twice) {
    f.locals.push_back(build.temp("known", types::boolean()));
    given = f.locals.back();
    known = build.logical(false, build.negated(build.load(given)), known);
  }
  Expr* assume = build.builtin(builtins::Id::lanes_assume, types::void_(), {known});
  lanes->insert(lanes->begin(), build.stmt<ir::Eval>(assume));
  if (!given) return lanes;
  Expr* condition = have_extents(build, gang.interleaved);
  return build.block({build.stmt<ir::Given>(given, condition, lanes)});
}

}  // namespace pyk2cu::emit
