// Arrays as subscripts: the elements, or rows, that a mask or a list of indices names.
//
//   a[mask]       a new array of a[i] where mask[i]; IndexError where the mask has another length
//   a[indices]    a new array of a[indices[k]]; indices below 0 count from the end
//   a[mask] = v   v is a number, or has an element for each that is named, else ValueError
//
// In:   an array, a subscript of one dimension of bools or of integers; a mask of all axes too.
// Out:  a new array, or stores, in loops. Tested by tests/run/test_array_expressions.py.
#include "typeinfer/infer/elementwise.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::infer {

using types::CompareOp;
using types::Layout;

namespace {

class Picked {
 public:
  Picked(Emitter& in, ir::Expr* array, ir::Expr* index, Span span)
      : in_(in), array_(in.once(array, "items")), index_(in.once(index, "index")), span_(span) {
    for (int k = 0; is_mask() && k < index_->type->rank; ++k)
      in_.raise_if(make_compare(in_, CompareOp::kNe, extent(index_, k), extent(array_, k), span_),
                   "IndexError", "boolean index did not match the array that it is an index of",
                   span_);
  }

  ir::Expr* read() {
    std::vector<ir::Expr*> shape = extents(in_, array_, span_);
    shape.erase(shape.begin() + 1, shape.begin() + index_->type->rank);
    shape[0] = count();
    const Type* type = types::array(array_->type->elem, rank(), Layout::kC);
    ir::Expr* made = new_array(in_, ir::Fill::kUninitialized, type, shape, nullptr, span_);
    each([&](const Operand& at, ir::Expr* k) {
      const Operand from = subscript_of(in_, to_operand(array_), at, span_);
      put(place_of(made, k), from.value());
    });
    return made;
  }

  void store(ir::Expr* value) {
    const bool whole = value->type->is_array() && value->type->rank == rank();
    value = in_.once(value, "value");
    if (whole) value = apart(value);
    index_ = apart(index_);
    if (whole)
      in_.raise_if(make_compare(in_, CompareOp::kNe, extent(value, 0), count(), span_),
                   "ValueError",
                   "cannot assign as many values as these to the elements of the index", span_);
    each([&](const Operand& at, ir::Expr* k) {
      ir::Expr* one = whole ? row(in_, value, k, false, span_) : value;
      put(place_in(in_, array_, at, span_), one);
    });
  }

 private:
  bool is_mask() const { return index_->type->elem->is_bool(); }
  int rank() const { return array_->type->rank - index_->type->rank + 1; }  // of what is picked

  ir::Expr* extent(ir::Expr* a, int k) { return query(in_, ir::QueryOp::kShape, a, k, span_); }

  // As it is before elements are stored.
  ir::Expr* apart(ir::Expr* a) {
    const Type* type = types::array(a->type->elem, a->type->rank, a->type->layout);
    return in_.spill(in_.make(ir::Builtin{{ir::ExprKind::kBuiltin, type, span_},
                                          &builtins::row(builtins::Id::pyk_apart),
                                          in_.list(std::vector<ir::Expr*>{a, array_})}),
                     "apart");
  }

  ir::Expr* count() {
    if (!is_mask()) return extent(index_, 0);
    if (!count_)
      count_ = in_.spill(in_.make(ir::Builtin{{ir::ExprKind::kBuiltin, types::int64(), span_},
                                              &builtins::row(builtins::Id::numpy_count_nonzero),
                                              in_.list(std::vector<ir::Expr*>{index_})}),
                         "count");
    return count_;
  }

  // The k-th of a new array.
  Place place_of(ir::Expr* made, ir::Expr* k) {
    Place place = place_in(in_, made, to_operand(k), span_);
    for (ir::Index& i : place.indices) i = {i.value, false, false};
    return place;
  }

  using Body = std::function<void(const Operand& at, ir::Expr* k)>;

  // body(subscript into the array, how many came before) for every one that is named
  void each(const Body& body) {
    if (is_mask()) {
      ir::Local* k = in_.temp("k", types::int64(), span_);
      in_.emit_assign(k, in_.const_int(0), span_);
      return masked({}, k, body);
    }
    count_to(in_, extent(index_, 0), span_, [&](ir::Local* i) {
      ir::Expr* at = cast(in_, element_at(in_, index_, {i}, span_), types::int64());
      body(to_operand(in_.spill(at, "at")), in_.load(i, span_));
    });
  }

  // The loop over the next axis of the mask.
  void masked(const std::vector<ir::Local*>& at, ir::Local* k, const Body& body) {
    if (int(at.size()) < index_->type->rank)
      return count_to(in_, extent(index_, int(at.size())), span_, [&](ir::Local* i) {
        std::vector<ir::Local*> inside = at;
        inside.push_back(i);
        masked(inside, k, body);
      });
    ir::Block* named = in_.into_block([&] {
      std::vector<ir::Expr*> subscript;
      for (ir::Local* i : at) subscript.push_back(in_.load(i, span_));
      body(to_operand(at.size() == 1 ? subscript[0] : in_.make_tuple(std::move(subscript), span_)),
           in_.load(k, span_));
      in_.emit_assign(k,
                      make_binary(in_, types::BinaryOp::kAdd, in_.load(k, span_), in_.const_int(1),
                                  types::int64(), span_),
                      span_);
    });
    in_.emit(in_.make(ir::If{{ir::StmtKind::kIf, span_},
                             element_at(in_, index_, at, span_),
                             named,
                             in_.make(ir::Block{})}));
  }

  // An element, or a row of a number or of a row.
  void put(const Place& to, ir::Expr* value) {
    if (to.kind == Place::Kind::kElement) {
      in_.emit(in_.make(ir::Store{{ir::StmtKind::kStore, span_},
                                  {nullptr, to.array, in_.list(to.indices)},
                                  convert(in_, value, to.type, span_)}));
      return;
    }
    if (value->type->is_array())
      return copy_into(in_, to.view, value, "could not broadcast the rows that are assigned",
                       span_);
    fill(in_, to.view, value, span_);
  }

  Emitter& in_;
  ir::Expr *array_, *index_, *count_ = nullptr;
  const Span span_;
};

}  // namespace

bool picks(const ir::Expr* array, const Operand& index) {
  const Type* type = index.is_value() ? index.type() : nullptr;
  if (!type || !type->is_array() || array->type->rank == 0) return false;
  if (type->elem->is_int()) return type->rank == 1;
  return type->elem->is_bool() && (type->rank == 1 || type->rank == array->type->rank);
}

ir::Expr* picked(Emitter& in, ir::Expr* array, ir::Expr* index, Span span) {
  if (in.on_cuda()) return array_expression(in, span, "an array as index");
  return Picked(in, array, index, span).read();
}

void store_picked(Emitter& in, ir::Expr* array, ir::Expr* index, ir::Expr* value, Span span) {
  if (in.on_cuda()) {
    array_expression(in, span, "an array as index");
    return;
  }
  Picked(in, array, index, span).store(value);
}

}  // namespace pyk2cu::infer
