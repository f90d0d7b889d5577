// Which arrays of array expressions have the same shape: see shapes.h.
#include "emit/lower/shapes.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "emit/lower/iterations.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

// An extent of what a variable held after so many assignments; without one: a number. -1: of no
// axis, but the variable itself.
using Atom = std::tuple<const Local*, int, int, int64_t>;
using Extent = std::set<Atom>;
using Shape = std::vector<Extent>;
using Times = std::unordered_map<const Local*, int>;

const ir::Builtin* call_of(const Expr* e, Id id) {
  const auto* call = ir::try_as<ir::Builtin>(e);
  return call && call->row->id == id ? call : nullptr;
}

class Shapes {
 public:
  explicit Shapes(const Times& times) : times_(times) {}

  void run(Block& b) {
    Block left;
    for (Stmt* s : b) {
      auto* a = ir::try_as<ir::Assign>(s);
      if (!a) forget(s);
      mention(s);
      if (a ? keeps(*a) : !is_answered(s)) left.push_back(s);
    }
    b = std::move(left);
  }

 private:
  bool is_single(const Local* local) const {
    const auto known = times_.find(local);
    return known == times_.end() || known->second == (local->is_param ? 0 : 1);
  }

  // ---- names -----------------------------------------------------------------------------------
  // What the statement assigns, in blocks of its own too, is not what it was.
  void forget(const Stmt* s) {
    for (const Local* local : ir::assigned_in(s)) forget(local);
  }
  void forget(const Local* local) {
    ++version_[local];
    same_.erase(local);
    ints_.erase(local);
    shapes_.erase(local);
  }

  void mention(Stmt* s) {
    Block one{s};
    ir::for_each_expr_in(one, [&](Expr* e) {
      auto* load = ir::try_as<ir::Load>(e);
      const auto known = load ? same_.find(load->local) : same_.end();
      if (known != same_.end()) load->local = known->second;
    });
  }

  // ---- extents ---------------------------------------------------------------------------------
  std::optional<Extent> extent_of(const Expr* e) const {
    if (const auto* number = ir::constant(e); number && e->type->is_int())
      return Extent{{nullptr, 0, 0, number->value.integer}};
    if (const Local* local = ir::loaded(e); local && e->type == types::int64()) {
      const auto known = ints_.find(local);
      return known != ints_.end() ? known->second : Extent{{local, version(local), -1, 0}};
    }
    const auto* query = ir::try_as<ir::Query>(e);
    if (query && query->op == ir::QueryOp::kShape && ir::loaded(query->operand) &&
        query->operand->type->is_array())
      return extent_of(ir::loaded(query->operand), query->axis);
    const auto* both = call_of(e, Id::pyk_extent_of_both);
    auto left = both ? extent_of(both->args[0]) : std::nullopt;
    const auto right = both ? extent_of(both->args[1]) : std::nullopt;
    if (!left || !right) return std::nullopt;
    left->insert(right->begin(), right->end());
    return left;
  }
  Extent extent_of(const Local* array, int axis) const {
    const auto known = shapes_.find(array);
    if (known != shapes_.end()) return known->second[size_t(axis)];
    return {{array, version(array), axis, 0}};
  }
  int version(const Local* local) const {
    const auto known = version_.find(local);
    return known == version_.end() ? 0 : known->second;
  }

  // Are all that it is computed from equal, but for those that are 1?
  bool is_asked(const Extent& e) const {
    return e.size() == 1 || std::ranges::find(asked_, e) != asked_.end();
  }

  // ---- statements ------------------------------------------------------------------------------
  // Is the assignment of something that has no name yet?
  bool keeps(ir::Assign& a) {
    Local* local = a.local;
    Local* other = is_single(local) ? known_as(a) : nullptr;
    forget(local);
    if (other) {
      same_[local] = other;
      return !local->is_temp;  // others than temporaries may be read in other blocks
    }
    if (Local* array = ir::loaded(a.value); array && array->type->is_array() &&
                                            array->type == local->type && array->is_temp &&
                                            is_single(array))
      same_[local] = array;
    if (is_single(local)) note(a);
    return true;
  }

  // What holds the value already; null: nothing does.
  Local* known_as(const ir::Assign& a) const {
    if (a.local->type == types::int64()) {
      const auto extent = extent_of(a.value);
      const auto is_it = [&](const auto& one) { return one.first == extent; };
      const auto known =
          extent && is_asked(*extent) ? std::ranges::find_if(named_, is_it) : named_.end();
      return known == named_.end() ? nullptr : known->second;
    }
    const auto* fitted = call_of(a.value, Id::pyk_fitted);
    Local* array = fitted ? ir::loaded(fitted->args[0]) : nullptr;
    if (!array || array->type != a.local->type) return nullptr;
    const auto shape = shape_of(*fitted);
    if (!shape) return nullptr;
    if (is_single(array) && has_shape(array, *shape)) return array;
    for (const Fit& fit : fits_)
      if (fit.array == array && fit.version == version(array) && fit.shape == *shape)
        return fit.fitted;
    return nullptr;
  }

  // What the arguments behind the first say.
  std::optional<Shape> shape_of(const ir::Builtin& call) const {
    Shape shape;
    for (size_t k = 1; k < call.args.size(); ++k) {
      auto extent = extent_of(call.args[k]);
      if (!extent || !is_asked(*extent)) return std::nullopt;
      shape.push_back(std::move(*extent));
    }
    return shape;
  }
  bool has_shape(const Local* array, const Shape& shape) const {
    if (array->type->rank != shape.size()) return false;
    for (size_t k = 0; k < shape.size(); ++k)
      if (extent_of(array, int(k)) != shape[k]) return false;
    return true;
  }

  void note(const ir::Assign& a) {
    if (a.local->type == types::int64()) {
      if (auto extent = extent_of(a.value)) {
        named_.emplace_back(*extent, a.local);
        ints_[a.local] = std::move(*extent);
      }
      return;
    }
    if (const auto* made = ir::try_as<ir::NewArray>(a.value)) {
      Shape shape;
      for (const Expr* e : made->shape) {
        auto extent = extent_of(e);
        if (!extent) return;
        shape.push_back(std::move(*extent));
      }
      shapes_[a.local] = std::move(shape);
    } else if (const auto* fitted = call_of(a.value, Id::pyk_fitted)) {
      Local* array = ir::loaded(fitted->args[0]);
      auto shape = array ? shape_of(*fitted) : std::nullopt;
      if (!shape || shape->size() != a.local->type->rank) return;
      fits_.push_back({array, version(array), *shape, a.local});
      shapes_[a.local] = std::move(*shape);
    }
  }

  // Is it a question whose answer is known? What it asks is known behind it.
  bool is_answered(const Stmt* s) {
    if (const auto* differ = is_check(s) ? ir::try_as<ir::Compare>(ir::as<ir::If>(s)->condition)
                                         : nullptr) {
      const auto extent = extent_of(differ->left);
      return differ->op == ir::CompareOp::kNe && extent && is_asked(*extent) &&
             extent == extent_of(differ->right);
    }
    const auto* negation =
        is_check(s) ? ir::try_as<ir::Unary>(ir::as<ir::If>(s)->condition) : nullptr;
    if (!negation || negation->op != ir::UnaryOp::kNot) return false;
    std::vector<const ir::Builtin*> asked;
    if (!take(negation->operand, asked)) return false;
    if (std::ranges::all_of(asked, [&](const ir::Builtin* call) { return fits(*call); }))
      return true;
    ask(asked);
    return false;
  }

  static bool take(const Expr* e, std::vector<const ir::Builtin*>& asked) {
    if (const auto* both = ir::try_as<ir::Logical>(e))
      return both->is_and && take(both->left, asked) && take(both->right, asked);
    const auto* call = call_of(e, Id::pyk_broadcasts);
    if (!call || !ir::loaded(call->args[0])) return false;
    asked.push_back(call);
    return true;
  }

  // Is each extent of the array surely that of the shape, or 1?
  bool fits(const ir::Builtin& call) const {
    const Local* array = ir::loaded(call.args[0]);
    const size_t rank = array->type->rank, missing = call.args.size() - 1 - rank;
    for (size_t k = 0; k < rank; ++k) {
      const Extent own = extent_of(array, int(k));
      const auto extent = extent_of(call.args[1 + missing + k]);
      if (!extent || !is_asked(*extent) || !is_asked(own) || !std::ranges::includes(*extent, own))
        return false;
    }
    return true;
  }

  // Behind the question: an extent of just those that are asked for it.
  void ask(const std::vector<const ir::Builtin*>& asked) {
    const size_t rank = asked.front()->args.size() - 1;
    for (size_t axis = 0; axis < rank; ++axis) {
      Extent all;
      for (const ir::Builtin* call : asked) {
        const Local* array = ir::loaded(call->args[0]);
        const size_t missing = rank - array->type->rank;
        if (axis < missing) continue;
        const Extent own = extent_of(array, int(axis - missing));
        if (!is_asked(own)) return;
        all.insert(own.begin(), own.end());
      }
      const auto extent = extent_of(asked.front()->args[1 + axis]);
      if (extent == all) asked_.push_back(std::move(all));
    }
  }

  // An operand in the shape of a result.
  struct Fit {
    const Local* array;
    int version;
    Shape shape;
    Local* fitted;
  };

  const Times& times_;
  std::unordered_map<const Local*, int> version_{};  // how often this block has assigned each
  std::unordered_map<const Local*, Local*> same_{};  // what holds the same
  std::unordered_map<const Local*, Extent> ints_{};
  std::unordered_map<const Local*, Shape> shapes_{};  // of arrays that are made here
  std::vector<std::pair<Extent, Local*>> named_{};
  std::vector<Extent> asked_{};
  std::vector<Fit> fits_{};
};

}  // namespace

void name_shapes(Block& block, const Times& times) { Shapes(times).run(block); }

}  // namespace pyk2cu::emit
