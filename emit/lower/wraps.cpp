// Wrapping subscripts: see wraps.h.
//
// A subscript that moves with the loop's index by a constant is least or greatest in the first and
// the last iteration: not negative there, it is so nowhere.
#include "emit/lower/wraps.h"

#include <algorithm>

#include "emit/lower/interval.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::ExprKind;

namespace {

constexpr size_t kMost = 4;  // subscripts that are asked

// Sums, differences and products of the index and of what the loop does not change.
bool is_simple(const Expr* e, const ir::For& loop, const Iterations& iterations) {
  if (e->type != types::int64()) return false;
  if (ir::constant(e) || ir::loaded(e) == loop.index) return true;
  const ir::Local* local = ir::loaded(e);
  if (local || e->kind == ExprKind::kQuery) return iterations.is_known(e);
  const auto* b = ir::try_as<ir::Binary>(e);
  return b && b->op <= ir::BinaryOp::kMul && is_simple(b->left, loop, iterations) &&
         is_simple(b->right, loop, iterations);
}

// The expression with `value` in place of the index.
Expr* at(ir::Cloner& cloner, Expr* e, const ir::Local* index, const Expr* value) {
  if (ir::loaded(e) == index) return cloner.expr(value);
  ir::for_each_operand(e, [&](Expr*& operand) { operand = at(cloner, operand, index, value); });
  return e;
}

class Inside {
 public:
  Inside(const ir::Builder& build, const ir::For& loop, const ir::Local* index,
         const ir::Block& block)
      : build_(build), loop_(loop), index_(index), block_(block), cloner_(build.program) {
    assigned_ = ir::assigned_in(*loop.body);
    for (const ir::Local* local : ir::assigned_in(block)) assigned_.insert(local);
  }

  // x[idx[i]]   ->   x[idx[i]] if 0 <= idx[i] and idx[i] < len(x) else 0; and of what is read under
  // a condition, not `sure`ly, all that linear() does not ask.
  void ask_there(Expr*& e, bool sure, const std::function<bool(const Expr*)>& varies) {
    const auto* logical = ir::try_as<ir::Logical>(e);
    const auto* select = ir::try_as<ir::Select>(e);
    const Expr* first = logical ? logical->left : select ? select->condition : nullptr;
    ir::for_each_operand(e, [&](Expr*& operand) {
      ask_there(operand, sure && (!first || operand == first), varies);
    });
    const auto* element = ir::try_as<ir::Element>(e);
    if (!element || element->is_safe || !e->type->is_real()) return;
    Expr* there = nullptr;
    for (size_t axis = 0; axis < element->indices.size(); ++axis) {
      const ir::Index& i = element->indices[axis];
      const bool asked =
          degree(i.value) < 2 && (sure || ir::loaded(i.value) == index_ || multiplies(i.value));
      if (i.check || asked || !varies(i.value)) continue;
      Expr* extent = build_.extent(cloner_.expr(element->array), int(axis));
      Expr* least =
          i.wrap ? build_.plain(ir::BinaryOp::kSub, build_.integer(0), extent) : build_.integer(0);
      Expr* value = cloner_.expr(i.value);
      if (value->type != types::int64())
        value = build_.expr<ir::Convert>(types::int64(),
                                         ir::conversion(value->type, types::int64()), value);
      const auto both = [&](Expr* one) {
        there =
            there ? build_.expr<ir::Binary>(types::boolean(), ir::BinaryOp::kAnd, there, one) : one;
      };
      both(build_.compare(ir::CompareOp::kLe, least, value));
      both(build_.compare(ir::CompareOp::kLt, cloner_.expr(value), cloner_.expr(extent)));
    }
    if (there) e = build_.expr<ir::Select>(e->type, there, e, build_.zero(e->type));
  }

  // Asks that the element is there in every iteration; false: nobody can say it.
  bool ask(const ir::Element& element) {
    for (size_t axis = 0; axis < element.indices.size(); ++axis) {
      const ir::Index& i = element.indices[axis];
      if (i.check || degree(i.value) == 2 || !extent_of(element.array, axis)) return false;
    }
    for (size_t axis = 0; axis < element.indices.size(); ++axis) {
      if (ir::loaded(element.indices[axis].value) != index_) {
        ask_ends(element, axis);
        continue;
      }
      ask_all(element, axis);
      require(build_.compare(ir::CompareOp::kLe, build_.integer(0), cloner_.expr(loop_.lo)));
    }
    return true;
  }
  const std::vector<Expr*>& asked() const { return asked_; }

  std::optional<Expr*> run() {
    ir::for_each_expr_in(block_, [&](const Expr* e) {
      const auto* element = ir::try_as<ir::Element>(e);
      if (!element) return;
      for (size_t axis = 0; axis < element->indices.size(); ++axis)
        if (ir::loaded(element->indices[axis].value) == index_) ask_all(*element, axis);
    });
    for (const ir::Stmt* s : block_) {
      ir::for_each_expr(s, [&](const Expr* e) { linear(e, true); });
      ir::for_each_block(s, [&](const ir::Block& inner) {
        ir::for_each_expr_in(inner, [&](const Expr* e) { linear(e, false); });
      });
    }
    return known_ ? std::optional(all_) : std::nullopt;
  }

 private:
  // Null: the array is not there before the loop.
  Expr* extent_of(const Expr* array, size_t axis) const {
    if (const auto* frozen = ir::try_as<ir::Global>(array))
      return build_.integer(frozen->array->shape[axis]);
    ir::Local* local = ir::loaded(const_cast<Expr*>(array));
    const bool there = local && !assigned_.contains(local);
    return there ? build_.extent(build_.load(local), int(axis)) : nullptr;
  }

  void ask_all(const ir::Element& element, size_t axis) {
    Expr* extent = extent_of(element.array, axis);
    known_ = known_ && extent;
    if (known_ && !is_below(cloner_.expr(loop_.hi), extent, true, nothing_))
      require(build_.compare(ir::CompareOp::kLe, cloner_.expr(loop_.hi), extent));
  }

  // Sums and products of the index are least and greatest at the ends. Of what is read under a
  // condition, products alone: conditions keep inside what is next to the iteration's own.
  void linear(const Expr* e, bool sure) {
    const auto* logical = ir::try_as<ir::Logical>(e);
    const auto* select = ir::try_as<ir::Select>(e);
    ir::for_each_operand(e, [&](const Expr* operand) {
      const bool first =
          (!logical || operand == logical->left) && (!select || operand == select->condition);
      linear(operand, sure && first);
    });
    const auto* element = ir::try_as<ir::Element>(e);
    if (!element) return;
    for (size_t axis = 0; axis < element->indices.size(); ++axis) {
      const Expr* value = element->indices[axis].value;
      if (ir::loaded(value) == index_ || degree(value) != 1) continue;
      if (!sure && !multiplies(value)) continue;
      ask_ends(*element, axis);
    }
  }

  void ask_ends(const ir::Element& element, size_t axis) {
    const Expr* value = element.indices[axis].value;
    Expr* extent = extent_of(element.array, axis);
    known_ = known_ && extent;
    if (!known_) return;
    const Expr* last = build_.plain(ir::BinaryOp::kSub, cloner_.expr(loop_.hi), build_.integer(1));
    for (const Expr* end : {static_cast<const Expr*>(loop_.lo), last}) {
      Expr* there = at(cloner_, cloner_.expr(value), index_, end);
      require(build_.compare(ir::CompareOp::kLe, build_.integer(0), there));
      require(build_.compare(ir::CompareOp::kLt, cloner_.expr(there), extent));
    }
  }

  static bool multiplies(const Expr* e) {
    bool found = false;
    ir::for_each_subexpr(e, [&](const Expr* part) {
      const auto* b = ir::try_as<ir::Binary>(part);
      found = found || (b && b->op == ir::BinaryOp::kMul);
    });
    return found;
  }

  // How often the index is a factor; 2: that, or nobody knows in front of the loop.
  int degree(const Expr* e) const {
    if (e->type != types::int64()) return 2;
    const ir::Local* local = ir::loaded(e);
    if (local == index_) return 1;
    if (ir::constant(e)) return 0;
    if (local) return assigned_.contains(local) ? 2 : 0;
    const auto* b = ir::try_as<ir::Binary>(e);
    if (!b || b->op > ir::BinaryOp::kMul) return 2;
    const int l = degree(b->left), r = degree(b->right);
    return std::min(b->op == ir::BinaryOp::kMul ? l + r : std::max(l, r), 2);
  }

  void require(Expr* condition) {
    const auto is_same = [&](const Expr* e) { return ir::equal(e, condition); };
    if (std::ranges::any_of(asked_, is_same) || truth(condition, nothing_) == true) return;
    asked_.push_back(condition);
    all_ = all_ ? build_.logical(true, all_, condition) : condition;
  }

  const ir::Builder build_;
  const ir::For& loop_;
  const ir::Local* index_;
  const ir::Block& block_;
  ir::Cloner cloner_;
  Known nothing_{};
  ir::LocalSet assigned_{};
  std::vector<Expr*> asked_{};
  Expr* all_ = nullptr;
  bool known_ = true;
};

}  // namespace

Expr* take_wraps(const ir::Builder& build, ir::For& loop, const Iterations& iterations) {
  if (!is_simple(loop.lo, loop, iterations) || !is_simple(loop.hi, loop, iterations))
    return nullptr;
  ir::Cloner cloner(build.program);
  Known nothing;
  Observer nobody;
  std::vector<ir::Index*> wrapped;
  const auto look = [&](ir::Index& i) {
    if (!i.wrap || !iterations.moves(i.value) || !is_simple(i.value, loop, iterations)) return;
    Expr* first = at(cloner, cloner.expr(i.value), loop.index, loop.lo);
    if (evaluate(first, nothing, nobody).hi >= 0) wrapped.push_back(&i);
  };
  ir::for_each_stmt(*loop.body, [&](ir::Stmt* s) {
    ir::for_each_place(s, [&](ir::Place& place) {
      for (ir::Index& i : place.indices) look(i);
    });
  });
  ir::for_each_expr_in(*loop.body, [&](Expr* e) {
    if (auto* element = ir::try_as<ir::Element>(e))
      for (ir::Index& i : element->indices) look(i);
  });
  std::vector<const Expr*> asked;
  Expr* all = nullptr;
  for (ir::Index* i : wrapped) {
    const auto is_same = [&](const Expr* e) { return ir::equal(e, i->value); };
    if (std::ranges::none_of(asked, is_same)) {
      if (asked.size() == kMost) continue;
      asked.push_back(i->value);
      const Expr* last = build.plain(ir::BinaryOp::kSub, cloner.expr(loop.hi), build.integer(1));
      for (const Expr* end : {static_cast<const Expr*>(loop.lo), last}) {
        Expr* value = at(cloner, cloner.expr(i->value), loop.index, end);
        Expr* is_ahead = build.compare(ir::CompareOp::kGe, value, build.integer(0));
        all = all ? build.logical(true, all, is_ahead) : is_ahead;
      }
    }
    i->wrap = false;
  }
  return all;
}

std::optional<Expr*> is_inside(const ir::Builder& build, const ir::For& loop,
                               const ir::Local* index, const ir::Block& block) {
  return Inside(build, loop, index, block).run();
}

std::vector<Expr*> are_there(const ir::Builder& build, const ir::For& loop, const ir::Local* index,
                             const ir::Block& block, std::vector<ir::Element*>& elements) {
  Inside inside(build, loop, index, block);
  std::erase_if(elements, [&](const ir::Element* e) { return !inside.ask(*e); });
  return inside.asked();
}

void ask_there(const ir::Builder& build, const ir::For& loop, const ir::Local* index,
               ir::Block& block, const std::function<bool(const Expr*)>& varies) {
  Inside inside(build, loop, index, block);
  for (ir::Stmt* s : block) {
    ir::for_each_expr(s, [&](Expr*& e) { inside.ask_there(e, true, varies); });
    ir::for_each_block(s, [&](ir::Block& inner) {
      ir::for_each_stmt(inner, [&](ir::Stmt* one) {
        ir::for_each_expr(one, [&](Expr*& e) { inside.ask_there(e, false, varies); });
      });
    });
  }
}

}  // namespace pyk2cu::emit
