// Arrays as subscripts: the elements, or rows, that a mask or a list of indices names.
//
//   a[mask]       a new array of a[i] where mask[i]; IndexError where the mask has another length
//   a[indices]    a new array of a[indices[k]]; indices below 0 count from the end
//   a[mask] = v   v is a number, or has an element for each that is named, else ValueError
//   a[:, indices], a[i, mask], a[1:3, indices, ::2]: the same of one axis of a view
//
// In:   an array, a subscript of one dimension of bools or of integers, alone or among integers and
// slices; a mask of all axes too. As in NumPy integers are such subscripts as well: those beside it
// belong to its axis, those that slices part from it would move that to the front, and are refused.
// Out:  a new array, or stores, in loops. Tested by tests/run/test_array_expressions.py and
// tests/run/test_picked.py.
#include "typeinfer/infer/elementwise.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::infer {

using types::CompareOp;
using types::Layout;

namespace {

class Picked {
 public:
  Picked(Emitter& in, const Picks& of, Span span)
      : in_(in),
        array_(in.once(of.array, "items")),
        index_(in.once(of.index, "index")),
        axis_(of.axis),
        span_(span) {
    for (int k = 0; is_mask() && k < index_->type->rank; ++k)
      in_.raise_if(
          make_compare(in_, CompareOp::kNe, extent(index_, k), extent(array_, axis_ + k), span_),
          "IndexError", "boolean index did not match the array that it is an index of", span_);
  }

  ir::Expr* read() {
    const std::vector<ir::Expr*> shape = shape_of_picked();
    const Type* type = types::array(array_->type->elem, rank(), Layout::kC);
    ir::Expr* made = new_array(in_, ir::Fill::kUninitialized, type, shape, nullptr, span_);
    outer({}, [&](const Locals& around) {
      each(true, [&](const Operand& at, ir::Expr* k) {
        const Operand from = subscript_of(in_, to_operand(array_), inside(around, at), span_);
        auto* element = ir::try_as<ir::Element>(from.value());
        if (element && is_mask()) element->is_there = true;  // masks have the extents of arrays
        put(place_of(made, inside(around, to_operand(k))), from.value());
      });
    });
    return made;
  }

  void store(ir::Expr* value) {
    const int missing = rank() - (value->type->is_array() ? value->type->rank : 0);
    if (missing < 0) {
      in_.report(span_, diag::CannotConvert,
                 fmt::format("an array of {} dimensions", value->type->rank),
                 fmt::format("elements of {} dimensions", rank()));
      return;
    }
    const bool each_own = missing <= axis_;  // has the value an item for each that is named?
    value = in_.once(value, "value");
    if (value->type->is_array()) value = apart(value);
    index_ = apart(index_);
    if (each_own) value = fitted(value, missing);
    outer({}, [&](const Locals& around) {
      each(each_own, [&](const Operand& at, ir::Expr* k) {
        put(place_in(in_, array_, inside(around, at), span_),
            each_own ? item_of(value, around, k, missing) : value);
      });
    });
  }

 private:
  bool is_mask() const { return index_->type->elem->is_bool(); }
  int rank() const { return array_->type->rank - index_->type->rank + 1; }  // of what is picked

  std::vector<ir::Expr*> shape_of_picked() {
    std::vector<ir::Expr*> shape = extents(in_, array_, span_);
    shape.erase(shape.begin() + axis_ + 1, shape.begin() + axis_ + index_->type->rank);
    shape[size_t(axis_)] = count();
    return shape;
  }

  using Locals = std::vector<ir::Local*>;

  // Loops over the axes in front of the one that is picked of.
  void outer(const Locals& around, const std::function<void(const Locals&)>& body) {
    const int k = int(around.size());
    if (k == axis_) return body(around);
    count_to(
        in_, extent(array_, k), span_,
        [&](ir::Local* i) {
          Locals all = around;
          all.push_back(i);
          outer(all, body);
        },
        "i");
  }

  // The subscript of an axis behind those around it.
  Operand inside(const Locals& around, const Operand& at) {
    if (around.empty()) return at;
    std::vector<ir::Expr*> all;
    for (ir::Local* i : around) all.push_back(in_.load(i, span_));
    all.push_back(at.value());
    return to_operand(in_.make_tuple(std::move(all), span_));
  }

  // The value as an array of the shape of what is named, but for the first axes, `missing` ones.
  ir::Expr* fitted(ir::Expr* value, int missing) {
    const std::vector<ir::Expr*> shape = shape_of_picked();
    std::vector<ir::Expr*> args{value};
    args.insert(args.end(), shape.begin() + missing, shape.end());
    const auto call = [&](builtins::Id id, const Type* type) {
      return in_.make(
          ir::Builtin{{ir::ExprKind::kBuiltin, type, span_}, &builtins::row(id), in_.list(args)});
    };
    in_.raise_if(negate(in_, call(builtins::Id::pyk_broadcasts, types::boolean())), "ValueError",
                 "cannot assign as many values as these to the elements of the index", span_);
    const Type* type = types::array(value->type->elem, value->type->rank, value->type->layout);
    return in_.spill(call(builtins::Id::pyk_fitted, type), "fitted");
  }

  // What of the value goes to the k-th; it has not the first axes, `missing` ones.
  ir::Expr* item_of(ir::Expr* value, const Locals& around, ir::Expr* k, int missing) {
    if (axis_ == missing) return row(in_, value, k, false, span_);
    const Locals own(around.begin() + missing, around.end());
    return subscript_of(in_, to_operand(value), inside(own, to_operand(k)), span_).value();
  }

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

  // One of a new array.
  Place place_of(ir::Expr* made, const Operand& at) {
    Place place = place_in(in_, made, at, span_);
    for (ir::Index& i : place.indices) i = {i.value, false, false};
    return place;
  }

  using Body = std::function<void(const Operand& at, ir::Expr* k)>;

  // body(subscript into the array, how many came before) for every one that is named; of a mask
  // they are counted where the body asks.
  void each(bool counts, const Body& body) {
    if (is_mask()) {
      ir::Local* k = counts ? in_.temp("k", types::int64(), span_) : nullptr;
      if (k) in_.emit_assign(k, in_.const_int(0), span_);
      return masked({}, k, body);
    }
    count_to(in_, extent(index_, 0), span_, [&](ir::Local* i) {
      ir::Expr* at = cast(in_, element_at(in_, index_, {i}, span_), types::int64());
      body(to_operand(in_.spill(at, "at")), in_.load(i, span_));
    });
  }

  // The loop over the next axis of the mask. k: counts; null: nobody asks.
  void masked(const std::vector<ir::Local*>& at, ir::Local* k, const Body& body) {
    if (int(at.size()) < index_->type->rank) {
      count_to(in_, extent(index_, int(at.size())), span_, [&](ir::Local* i) {
        std::vector<ir::Local*> inside = at;
        inside.push_back(i);
        masked(inside, k, body);
      });
      return;
    }
    ir::Block* named = in_.into_block([&] {
      std::vector<ir::Expr*> subscript;
      for (ir::Local* i : at) subscript.push_back(in_.load(i, span_));
      body(to_operand(at.size() == 1 ? subscript[0] : in_.make_tuple(std::move(subscript), span_)),
           k ? in_.load(k, span_) : nullptr);
      if (!k) return;
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
  const int axis_;  // of the array, the first one that the index is of
  const Span span_;
};

}  // namespace

namespace {

bool is_index_array(const Type* type) {
  return type && type->is_array() && (type->elem->is_int() || type->elem->is_bool());
}

// The subscripts of a tuple, or the one that there is.
std::vector<Operand> subscripts_of(Emitter& in, const Operand& index, Span span) {
  if (index.is<Pack>()) return {index.parts().begin(), index.parts().end()};
  const Type* type = index.type();
  if (!type || !type->is_tuple()) return {index};
  std::vector<Operand> all;
  ir::Expr* tuple = index.value();
  if (tuple->kind != ir::ExprKind::kTuple) tuple = in.once(tuple);
  for (size_t k = 0; k < type->items.size(); ++k)
    all.push_back(to_operand(tuple_item(in, tuple, int(k), span)));
  return all;
}

// Where among them is the only array, of one dimension? -1: nowhere, or the rest is not integers
// and slices, or slices part an integer from it.
int place_of_array(const std::vector<Operand>& subscripts) {
  int place = -1;
  for (size_t k = 0; k < subscripts.size(); ++k) {
    const Operand& o = subscripts[k];
    if (is_index_array(o.type())) {
      if (place >= 0 || o.type()->rank != 1) return -1;
      place = int(k);
    } else if (!o.is<Slice>() && !(o.type() && o.type()->is_int())) {
      return -1;
    }
  }
  if (place < 0) return -1;
  for (const int step : {-1, 1}) {
    bool parted = false;
    for (int k = place + step; k >= 0 && k < int(subscripts.size()); k += step) {
      const bool is_slice = subscripts[size_t(k)].is<Slice>();
      if (parted && !is_slice) return -1;
      parted = parted || is_slice;
    }
  }
  return place;
}

// a[:]
bool is_whole(const Operand& o) {
  return o.is<Slice>() &&
         std::ranges::all_of(o.parts(), [](const Operand& part) { return part.is<None>(); });
}

bool may_pick(const Operand& index) {
  const auto any = [](const auto& types) { return std::ranges::any_of(types, is_index_array); };
  if (index.is<Pack>())
    return std::ranges::any_of(index.parts(),
                               [](const Operand& o) { return is_index_array(o.type()); });
  const Type* type = index.type();
  return is_index_array(type) || (type && type->is_tuple() && any(type->items));
}

}  // namespace

std::optional<Picks> picks(Emitter& in, ir::Expr* array, const Operand& index, Span span) {
  if (!may_pick(index) || array->type->rank == 0) return std::nullopt;
  std::vector<Operand> all = subscripts_of(in, index, span);
  if (all.size() == 1) {
    ir::Expr* only = all[0].value();
    const int rank = only->type->rank;
    const bool fits = rank == 1 || (only->type->elem->is_bool() && rank == array->type->rank);
    return fits ? std::optional(Picks{array, only}) : std::nullopt;
  }
  const int place = place_of_array(all);
  if (place < 0 || int(all.size()) > array->type->rank || in.on_cuda()) return std::nullopt;
  Picks found{array, in.once(all[size_t(place)].value(), "index"),
              int(std::count_if(all.begin(), all.begin() + place,
                                [](const Operand& o) { return o.is<Slice>(); }))};
  const Operand none{None{}, span};
  all[size_t(place)] = {Slice{{none, none, none}}, span};
  if (!std::ranges::all_of(all, is_whole))
    found.array = subscript_of(in, to_operand(array), {Pack{std::move(all)}, span}, span).value();
  return found.array ? std::optional(found) : std::nullopt;
}

ir::Expr* picked(Emitter& in, const Picks& of, Span span) {
  if (in.on_cuda()) return array_expression(in, span, "an array as index");
  return Picked(in, of, span).read();
}

void store_picked(Emitter& in, const Picks& of, ir::Expr* value, Span span) {
  if (in.on_cuda()) {
    array_expression(in, span, "an array as index");
    return;
  }
  Picked(in, of, span).store(value);
}

}  // namespace pyk2cu::infer
