// Crossings: see crossing.h.
//
// All that the loop writes are elements of one array, along one axis those of the iteration; what
// it reads of that array are those, or elements that do not change in the loop but in the one
// iteration that they are of, of one number for all of them. They are read where an iteration reads
// them in any case, so that they are there. Whether arrays of other names are the same memory is
// asked by C++ compilers, as for any straight loop.
#include "emit/lower/lanes/crossing.h"

#include <algorithm>

#include "emit/lower/iterations.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

class Find {
 public:
  Find(ir::Program& program, ir::Function& f, const ir::For& loop)
      : program_(program), f_(f), loop_(loop), assigned_(ir::assigned_in(*loop.body)) {}

  std::optional<Crossing> run() {
    const bool counts = counts_by_one(loop_) && loop_.loop == ir::LoopKind::kSerial;
    if (!counts || !is_straight(*loop_.body) || !find_axis() || !find_fixed()) return std::nullopt;
    return make();
  }

 private:
  static bool is_straight(const Block& body) {
    bool straight = true;
    ir::for_each_stmt(body, [&](const Stmt* s) {
      straight = straight && (s->kind == StmtKind::kAssign || s->kind == StmtKind::kStore ||
                              s->kind == StmtKind::kUpdate || s->kind == StmtKind::kIf);
      ir::for_each_expr(s, [&](const Expr* e) {
        ir::for_each_subexpr(e, [&](const Expr* part) {
          straight = straight && part->kind != ExprKind::kCall && !ir::has_effect(part);
        });
      });
    });
    return straight;
  }

  bool is_index(const ir::Index& i) const {
    return ir::loaded(i.value) == loop_.index && !i.wrap && !i.check;
  }

  // Of the array that is written, along which every iteration writes its own.
  bool find_axis() {
    std::vector<const ir::Place*> places;
    ir::for_each_stmt(std::as_const(*loop_.body), [&](const Stmt* s) {
      ir::for_each_place(s, [&](const ir::Place& place) {
        if (!place.local) places.push_back(&place);
      });
    });
    array_ = places.empty() ? nullptr : ir::loaded(places.front()->array);
    if (!array_ || assigned_.contains(array_) || array_->maybe_unbound) return false;
    for (const ir::Place* place : places)
      if (ir::loaded(place->array) != array_) return false;
    const size_t rank = places.front()->indices.size();
    for (axis_ = 0; axis_ < rank; ++axis_)
      if (std::ranges::all_of(places, [&](const ir::Place* p) {
            return p->indices.size() == rank && is_index(p->indices[axis_]);
          }))
        return true;
    return false;
  }

  // The elements that do not move.
  bool find_fixed() {
    bool fits = true;
    std::vector<const ir::Element*> sure;
    const auto look = [&](auto&& self, const Expr* e, bool surely) -> void {
      const auto* element = ir::try_as<ir::Element>(e);
      if (element && ir::loaded(element->array) == array_) {
        const auto known = [&](const ir::Index& i) { return is_known(i); };
        if (element->indices.size() <= axis_) {
          fits = false;
        } else if (!is_index(element->indices[axis_])) {
          fits = fits && element->type->is_real() && std::ranges::all_of(element->indices, known);
          if (fits) fixed_.push_back(element);
          if (fits && surely) sure.push_back(element);
        }
        for (const ir::Index& i : element->indices) self(self, i.value, surely);
        return;
      }
      if (e->kind == ExprKind::kQuery) return;
      fits = fits && ir::loaded(e) != array_;
      const bool chooses = e->kind == ExprKind::kSelect || e->kind == ExprKind::kLogical;
      bool first = true;
      ir::for_each_operand(e, [&](const Expr* operand) {
        self(self, operand, surely && (first || !chooses));
        first = false;
      });
    };
    const auto block = [&](auto&& self, const Block& b, bool surely) -> void {
      for (const Stmt* s : b) {
        ir::for_each_place(s, [&](const ir::Place& place) {
          for (const ir::Index& i : place.indices) look(look, i.value, surely);
        });
        ir::for_each_expr(s, [&](const Expr* e) {
          if (!e->type->is_array()) look(look, e, surely);
        });
        ir::for_each_block(s, [&](const Block& inner) { self(self, inner, false); });
      }
    };
    block(block, *loop_.body, true);
    if (!fits || sure.empty()) return false;
    return std::ranges::all_of(fixed_, [&](const ir::Element* e) {
      return ir::equal(at(*e).value, at(*sure.front()).value) &&
             at(*e).wrap == at(*sure.front()).wrap &&
             std::ranges::any_of(sure, [&](const ir::Element* s) { return ir::equal(s, e); });
    });
  }

  const ir::Index& at(const ir::Element& e) const { return e.indices[axis_]; }

  // Does the loop start behind it, or end before it?
  bool is_outside(const ir::Index& at) const {
    const auto* from = ir::try_as<ir::Binary>(loop_.lo);
    const ir::Const* by = from ? ir::constant(from->right) : nullptr;
    const bool behind = by && from->op == ir::BinaryOp::kAdd && by->value.integer > 0 &&
                        ir::equal(from->left, at.value);
    return !at.wrap && (behind || ir::equal(loop_.hi, at.value));
  }

  // Which iteration it is.
  Expr* number(const ir::Builder& b, const ir::Index& at) const {
    ir::Cloner cloner(program_);
    Expr* value = cloner.expr(at.value);
    if (!at.wrap) return value;
    Expr* extent = b.extent(b.load(array_), int(axis_));
    return b.expr<ir::Select>(types::int64(), b.compare(ir::CompareOp::kLt, value, b.integer(0)),
                              b.plain(ir::BinaryOp::kAdd, cloner.expr(value), extent),
                              cloner.expr(value));
  }

  bool is_known(const ir::Index& i) const {
    return !i.check && i.value->type == types::int64() && !ir::reads_any(i.value, assigned_) &&
           !ir::reads(i.value, loop_.index) && !ir::reads_memory(i.value) &&
           !ir::has_effect(i.value);
  }

  Crossing make() {
    const ir::Builder b{program_, loop_.span};
    ir::Cloner cloner(program_);
    Crossing made;
    const auto temp = [&](const char* name, const types::Type* type) {
      f_.locals.push_back(b.temp(name, type));
      return f_.locals.back();
    };
    made.begin = temp("begin", types::int64());
    made.end = temp("end", types::int64());
    const ir::Index& one = at(*fixed_.front());
    if (!is_outside(one)) made.at = number(b, one);
    Local* index = cloner.renew(loop_.index, f_);
    cloner.renew_assigned(*loop_.body, f_);
    std::vector<std::pair<const Expr*, Local*>> kept;
    for (const ir::Element* e : fixed_) {
      const auto same = [&](const auto& known) { return ir::equal(known.first, e); };
      if (std::ranges::any_of(kept, same)) continue;
      kept.emplace_back(e, temp("kept", e->type));
      made.loads.push_back(b.assign(kept.back().second, cloner.expr(e)));
    }
    Block* body = cloner.block(*loop_.body);
    const auto replace = [&](auto&& self, Expr*& e) -> void {
      for (const auto& [element, local] : kept)
        if (ir::equal(element, e)) {
          e = b.load(local);
          return;
        }
      ir::for_each_operand(e, [&](Expr*& operand) { self(self, operand); });
    };
    ir::for_each_stmt(
        *body, [&](Stmt* s) { ir::for_each_expr(s, [&](Expr*& e) { replace(replace, e); }); });
    made.part = b.stmt<ir::For>(index, b.load(made.begin), b.load(made.end), b.integer(1),
                                ir::LoopKind::kSerial, body);
    made.part->form = loop_.form;
    return made;
  }

  ir::Program& program_;
  ir::Function& f_;
  const ir::For& loop_;
  const ir::LocalSet assigned_;
  Local* array_ = nullptr;
  size_t axis_ = 0;
  std::vector<const ir::Element*> fixed_{};
};

}  // namespace

std::optional<Crossing> crossing_of(ir::Program& program, ir::Function& f, const ir::For& loop) {
  return Find(program, f, loop).run();
}

Block* in_parts(ir::Program& program, ir::Function& f, ir::For& loop, const Crossing& crossing) {
  const ir::Builder build{program, loop.span};
  ir::Cloner cloner(program);
  Block* all = program.make<Block>();
  const auto keep = [&](const char* name, Expr* value) {
    f.locals.push_back(build.temp(name, types::int64()));
    all->push_back(build.assign(f.locals.back(), value));
    return f.locals.back();
  };
  const auto choose = [&](Expr* test, Expr* yes, Expr* no) {
    return build.expr<ir::Select>(types::int64(), test, yes, no);
  };
  const auto clip = [&](builtins::Id id, Expr* x, Expr* y) {
    return build.builtin(id, types::int64(), {x, y});
  };
  Block* once = program.make<Block>(crossing.loads.begin(), crossing.loads.end());
  once->push_back(crossing.part);
  Stmt* part = build.if_(
      build.compare(ir::CompareOp::kLt, build.load(crossing.begin), build.load(crossing.end)),
      once);
  if (!crossing.at) {
    all->insert(all->end(), {build.assign(crossing.begin, cloner.expr(loop.lo)),
                             build.assign(crossing.end, cloner.expr(loop.hi)), part});
    return all;
  }
  // The ends are those that the loop begins with.
  const ir::LocalSet assigned = ir::assigned_in(*loop.body);
  for (Expr** end : {&loop.lo, &loop.hi})
    if (ir::reads_memory(*end) || ir::reads_any(*end, assigned))
      *end = build.load(keep("stop", *end));
  Expr* least = clip(builtins::Id::builtins_min, crossing.at, cloner.expr(loop.hi));
  Local* at = keep("at", clip(builtins::Id::builtins_max, cloner.expr(loop.lo), least));
  Expr* is_there = build.logical(
      true, build.compare(ir::CompareOp::kEq, build.load(at), cloner.expr(crossing.at)),
      build.compare(ir::CompareOp::kLt, build.load(at), cloner.expr(loop.hi)));
  Expr* behind = build.plain(ir::BinaryOp::kAdd, build.load(at), build.integer(1));
  Local* next = keep("next", choose(is_there, behind, build.load(at)));
  f.locals.push_back(build.temp("side", types::int64()));
  Local* side = f.locals.back();
  const auto first = [&] {
    return build.compare(ir::CompareOp::kEq, build.load(side), build.integer(0));
  };
  Stmt* begin =
      build.assign(crossing.begin, choose(first(), cloner.expr(loop.lo), build.load(next)));
  Stmt* end = build.assign(crossing.end, choose(first(), build.load(at), cloner.expr(loop.hi)));
  loop.lo = build.load(at);
  loop.hi = choose(first(), build.load(next), build.load(at));
  all->push_back(build.stmt<ir::For>(side, build.integer(0), build.integer(2), build.integer(1),
                                     ir::LoopKind::kSerial,
                                     build.block({begin, end, part, &loop})));
  return all;
}

}  // namespace pyk2cu::emit
