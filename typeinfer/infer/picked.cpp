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
    if (is_mask() && index_->type->rank > 1) {  // of all axes
      array_ = in_.once(flat(array_), "items");
      index_ = in_.once(flat(index_), "index");
    }
    n_ = in_.once(extent(index_, 0), "n");
    if (is_mask())
      in_.raise_if(make_compare(in_, CompareOp::kNe, n_, extent(array_, 0), span_), "IndexError",
                   "boolean index did not match the array that it is an index of", span_);
  }

  ir::Expr* read() {
    std::vector<ir::Expr*> shape = extents(in_, array_, span_);
    shape[0] = is_mask() ? count() : n_;
    const Type* type = types::array(array_->type->elem, array_->type->rank, Layout::kC);
    ir::Expr* made = new_array(in_, ir::Fill::kUninitialized, type, shape, nullptr, span_);
    each(
        [&](ir::Expr* at, ir::Expr* k) { put(made, k, false, row(in_, array_, at, true, span_)); });
    return made;
  }

  void store(ir::Expr* value) {
    const bool whole = value->type->is_array() && value->type->rank == array_->type->rank;
    value = in_.once(value, "value");
    if (whole) value = apart(value);
    index_ = apart(index_);
    if (whole) {
      ir::Expr* wanted = is_mask() ? count() : n_;
      in_.raise_if(make_compare(in_, CompareOp::kNe, extent(value, 0), wanted, span_), "ValueError",
                   "cannot assign as many values as these to the elements of the index", span_);
    }
    each([&](ir::Expr* at, ir::Expr* k) {
      put(array_, at, true, whole ? row(in_, value, k, false, span_) : value);
    });
  }

 private:
  bool is_mask() const { return index_->type->elem->is_bool(); }

  ir::Expr* extent(ir::Expr* a, int k) { return query(in_, ir::QueryOp::kShape, a, k, span_); }

  // Elements in C's order under one index.
  ir::Expr* flat(ir::Expr* a) {
    if (ir::Expr* view = flat_view(in_, a, span_)) return view;
    in_.report(span_, diag::ArrayExpression, "a mask of all axes of an array not in C's order")
        .help("write a loop over the elements");
    return in_.error(span_);
  }

  // As it is before elements are stored.
  ir::Expr* apart(ir::Expr* a) {
    const Type* type = types::array(a->type->elem, a->type->rank, a->type->layout);
    return in_.spill(in_.make(ir::Builtin{{ir::ExprKind::kBuiltin, type, span_},
                                          &builtins::row(builtins::Id::pyk_apart),
                                          in_.list(std::vector<ir::Expr*>{a, array_})}),
                     "apart");
  }

  ir::Expr* count() {
    if (!count_)
      count_ = in_.spill(in_.make(ir::Builtin{{ir::ExprKind::kBuiltin, types::int64(), span_},
                                              &builtins::row(builtins::Id::numpy_count_nonzero),
                                              in_.list(std::vector<ir::Expr*>{index_})}),
                         "count");
    return count_;
  }

  // body(index into the array, how many came before) for every one that is named
  template <class Body>
  void each(const Body& body) {
    ir::Local* i = in_.temp("i", types::int64(), span_);
    ir::Local* k = is_mask() ? in_.temp("k", types::int64(), span_) : i;
    if (is_mask()) in_.emit_assign(k, in_.const_int(0), span_);
    ir::Block* block = in_.into_block([&] {
      ir::Expr* at = in_.make(
          ir::Element{{ir::ExprKind::kElement, index_->type->elem, span_},
                      index_,
                      in_.list(std::vector<ir::Index>{{in_.load(i, span_), false, false}})});
      if (!is_mask())
        return body(in_.spill(cast(in_, at, types::int64()), "at"), in_.load(i, span_));
      ir::Block* named = in_.into_block([&] {
        body(in_.load(i, span_), in_.load(k, span_));
        in_.emit_assign(k,
                        make_binary(in_, types::BinaryOp::kAdd, in_.load(k, span_),
                                    in_.const_int(1), types::int64(), span_),
                        span_);
      });
      in_.emit(in_.make(ir::If{{ir::StmtKind::kIf, span_}, at, named, in_.make(ir::Block{})}));
    });
    in_.emit(in_.make(ir::For{{ir::StmtKind::kFor, span_},
                              i,
                              in_.const_int(0, types::int64(), span_),
                              n_,
                              in_.const_int(1, types::int64(), span_),
                              ir::LoopKind::kSerial,
                              block}));
  }

  // to[at] = value: an element, or a row of a number or of a row
  void put(ir::Expr* to, ir::Expr* at, bool wrap, ir::Expr* value) {
    if (to->type->rank == 1) {
      std::vector<ir::Index> indices{{at, false, false}};
      if (wrap && !is_mask()) indices = place_in(in_, to, to_operand(at), span_).indices;
      in_.emit(in_.make(ir::Store{{ir::StmtKind::kStore, span_},
                                  {nullptr, to, in_.list(indices)},
                                  convert(in_, value, to->type->elem, span_)}));
      return;
    }
    ir::Expr* view = row(in_, to, at, wrap && !is_mask(), span_);
    if (value->type->is_array())
      return copy_into(in_, view, value, "could not broadcast the rows that are assigned", span_);
    in_.emit_eval(in_.make(ir::Builtin{
        {ir::ExprKind::kBuiltin, types::void_(), span_},
        &builtins::row(builtins::Id::pyk_fill),
        in_.list(std::vector<ir::Expr*>{view, convert(in_, value, to->type->elem, span_)})}));
  }

  Emitter& in_;
  ir::Expr *array_, *index_, *n_ = nullptr, *count_ = nullptr;
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
