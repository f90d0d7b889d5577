// Operands of array expressions whose extent along an axis is surely 1, without copies.
//
//   x = fitted(a[:, newaxis], n, m)          x = fitted(a[:, newaxis], n, 1)
//   for i, j: r[i, j] = x[i, j] + y[i, j]    for i, j: r[i, j] = x[i, 0] + y[i, j]
//
// An operand of another shape than the result is copied into one of that shape (pyk/broadcast.h),
// so that all loops go over arrays of one shape. Where the text says that an extent is 1, by
// np.newaxis, reshape(-1, 1) or the like, the loops read the one element that there is instead, and
// the operand is copied only for what its other axes need.
// In:   functions as they are inferred, every element with its subscripts.  Out: the same values.
// Tested by tests/golden/passes and tests/run/test_broadcasts.py.
#include <algorithm>
#include <unordered_map>

#include "emit/lower/lower.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

class Broadcasts {
 public:
  Broadcasts(ir::Program& program, ir::Function& f) : program_(program) {
    const auto times = ir::count_assignments(f.body);
    ir::for_each_stmt(f.body, [&](Stmt* s) {
      auto* a = ir::try_as<ir::Assign>(s);
      if (a && !a->local->is_param && times.at(a->local) == 1) values_[a->local] = a;
    });
    if (std::ranges::none_of(values_, [](const auto& one) { return is_fitted(one.second); }))
      return;
    ir::for_each_stmt(f.body, [&](Stmt* s) { note(s); });
    ir::for_each_stmt(f.body, [&](Stmt* s) {
      auto* a = ir::try_as<ir::Assign>(s);
      if (a && is_fitted(a) && values_.contains(a->local)) fit(*a);
    });
  }

 private:
  static bool is_fitted(const ir::Assign* a) {
    const auto* call = ir::try_as<ir::Builtin>(a->value);
    return call && (call->row->id == Id::pyk_fitted || call->row->id == Id::pyk_fitted_to);
  }

  // Which elements of each array are read, and what is mentioned in any other way.
  void note(Stmt* s) {
    ir::for_each_place(s, [&](ir::Place& place) {
      if (const Local* local = place.local ? place.local : ir::loaded(place.array))
        mentioned_.insert(local);
    });
    ir::for_each_expr(s, [&](Expr* top) { expr(top); });
  }
  void expr(Expr* e) {
    auto* element = ir::try_as<ir::Element>(e);
    if (element && ir::loaded(element->array)) {
      read_[ir::loaded(element->array)].push_back(element);
      for (ir::Index& index : element->indices) expr(index.value);
      return;
    }
    if (const Local* local = ir::loaded(e)) mentioned_.insert(local);
    ir::for_each_operand(e, [&](Expr* operand) { expr(operand); });
  }

  // Is the extent of the array along the axis surely 1?
  bool is_one(const Expr* array, int axis) const {
    if (const Local* local = ir::loaded(array)) {
      const auto value = values_.find(local);
      return value != values_.end() && is_one(value->second->value, axis);
    }
    if (const auto* view = ir::try_as<ir::View>(array)) return is_one_of_view(*view, axis);
    if (const auto* made = ir::try_as<ir::NewArray>(array))
      return is_number_one(made->shape[size_t(axis)]);
    const auto* same = ir::try_as<ir::Convert>(array);
    if (same && same->op == ir::ConvertOp::kLayout) return is_one(same->operand, axis);
    const auto* call = ir::try_as<ir::Builtin>(array);
    if (call && call->row->id == Id::pyk_reshaped)
      return is_number_one(call->args[size_t(axis) + 1]);
    if (call && call->row->id == Id::pyk_transpose)
      return is_one(call->args[0], int(call->type->rank) - 1 - axis);
    return false;
  }
  // Is the number surely 1? Extents of arrays are.
  bool is_number_one(const Expr* number) const {
    if (ir::is_int_const(number, 1)) return true;
    if (const Local* local = ir::loaded(number)) {
      const auto value = values_.find(local);
      return value != values_.end() && is_number_one(value->second->value);
    }
    if (const auto* query = ir::try_as<ir::Query>(number))
      return query->op == ir::QueryOp::kShape && query->operand->type->is_array() &&
             is_one(query->operand, query->axis);
    const auto* both = ir::try_as<ir::Builtin>(number);
    return both && both->row->id == Id::pyk_extent_of_both && is_number_one(both->args[0]) &&
           is_number_one(both->args[1]);
  }

  bool is_one_of_view(const ir::View& view, int axis) const {
    using Kind = ir::Subscript::Kind;
    int from = 0, to = 0;  // axes of the array, of the view
    for (const ir::Subscript& s : view.subscripts) {
      if (s.kind == Kind::kIndex) {
        ++from;
        continue;
      }
      const bool is_all = s.kind == Kind::kSlice && !s.lo && !s.hi && !s.step;
      if (to == axis) return s.kind == Kind::kNewAxis || (is_all && is_one(view.array, from));
      from += s.kind == Kind::kSlice;
      ++to;
    }
    return is_one(view.array, from + axis - to);
  }

  void fit(ir::Assign& a) {
    auto& call = *ir::as<ir::Builtin>(a.value);
    const ir::Builder build{program_, call.span};
    const int rank = call.type->rank;
    std::vector<bool> one(size_t(rank), false);
    for (int k = 0; k < rank; ++k) one[size_t(k)] = is_one(call.args[0], k);
    if (std::ranges::none_of(one, [](bool b) { return b; }) || mentioned_.contains(a.local)) return;
    const bool has_target = call.row->id == Id::pyk_fitted_to;
    std::vector<Expr*> args{call.args[0]};
    if (has_target) args.push_back(call.args[1]);
    const int all = has_target ? call.args[1]->type->rank : int(call.args.size()) - 1;
    for (int k = 0; k < rank; ++k) {
      const int axis = all - rank + k;
      args.push_back(one[size_t(k)] ? build.integer(1)
                     : has_target   ? build.extent(call.args[1], axis)
                                    : call.args[size_t(axis) + 1]);
    }
    a.value = build.builtin(has_target ? Id::pyk_fitted_apart : Id::pyk_fitted, call.type, args);
    for (ir::Element* element : read_[a.local])
      for (size_t k = 0; k < one.size(); ++k)
        if (one[k]) element->indices[k] = {build.integer(0), false, false};
  }

  ir::Program& program_;
  std::unordered_map<const Local*, ir::Assign*> values_{};  // of what is assigned once
  std::unordered_map<const Local*, std::vector<ir::Element*>> read_{};
  ir::LocalSet mentioned_{};
};

}  // namespace

void broadcasts(ir::Program& program, ir::Function& f) { Broadcasts(program, f); }

}  // namespace pyk2cu::emit
