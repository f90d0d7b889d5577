// Reductions as loops: see folds.h.
//
// As runtime_headers/pyk/reduce.h computes them: a mean is a sum in the type of the mean, divided
// as float64; a variance adds squares of distances to it as float64. Where an operand of a
// condition asks for one it stays: it may not be asked for.
#include "emit/lower/folds.h"

#include <unordered_map>

#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;
using types::Type;

namespace {

constexpr unsigned kMostAxes = 2;

class Folds {
 public:
  Folds(ir::Program& program, ir::Function& f, ir::For& loop, bool keeps_order)
      : program_(program), f_(f), keeps_order_(keeps_order) {
    const auto times = ir::count_assignments(*loop.body);
    ir::for_each_stmt(*loop.body, [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      if (a && slice_of(a->value) && times.at(a->local) == 1) slices_.insert(a->local);
    });
    block(*loop.body);
  }

 private:
  void block(Block& b) {
    Block out;
    for (Stmt* s : b) {
      if (!ir::try_as<ir::While>(s)) ir::for_each_expr(s, [&](Expr*& e) { expr(e, out); });
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      out.push_back(s);
    }
    b = std::move(out);
  }

  void expr(Expr*& e, Block& out) {
    if (e->kind == ir::ExprKind::kLogical || e->kind == ir::ExprKind::kSelect) return;
    ir::for_each_operand(e, [&](Expr*& operand) { expr(operand, out); });
    const auto* call = ir::try_as<ir::Builtin>(e);
    if (!call || call->args.size() != 1) return;
    const Type* type = call->args[0]->type;
    const bool is_plain =
        type->is_array() && type->elem->is_real() && type->rank >= 1 && type->rank <= kMostAxes;
    if (!is_plain || !is_slice(call->args[0])) return;
    const ir::Builder b{program_, e->span};
    const Id id = call->row->id;
    if (id == Id::numpy_sum)
      e = b.load(sum(b, array(b, call->args[0], out), e->type, out));
    else if (id == Id::numpy_mean)
      e = mean(b, array(b, call->args[0], out), e->type, out);
    else if (id == Id::numpy_var)
      e = variance(b, array(b, call->args[0], out), call->type_args[0], out);
    else if ((id == Id::numpy_max || id == Id::numpy_min) && type->rank == 1 &&
             !type->elem->is_bool())
      e = extreme(b, id, array(b, call->args[0], out), out);
  }

  bool is_slice(const Expr* e) const {
    const Local* local = ir::loaded(e);
    return slice_of(e) || (local && slices_.contains(local));
  }

  Local* temp(const ir::Builder& b, std::string_view stem, const Type* type) {
    f_.locals.push_back(b.temp(stem, type));
    return f_.locals.back();
  }

  Local* array(const ir::Builder& b, Expr* e, Block& out) {
    if (Local* local = ir::loaded(e)) return local;
    Local* items = temp(b, "items", e->type);
    out.push_back(b.assign(items, e));
    return items;
  }

  static Expr* as(const ir::Builder& b, Expr* e, const Type* type) {
    return e->type == type ? e : b.expr<ir::Convert>(type, ir::conversion(e->type, type), e);
  }

  // total = 0; for i…: for j…: total = total + term(element)
  template <class Term>
  Local* total(const ir::Builder& b, Local* array, const Type* type, Block& out, Term&& term) {
    Local* total = temp(b, "total", type);
    out.push_back(b.assign(total, b.zero(type)));
    std::vector<ir::Index> at;
    Block* inner = &out;
    for (unsigned axis = 0; axis < array->type->rank; ++axis) {
      Local* index = temp(b, axis == 0 ? "i" : "j", types::int64());
      Block* body = b.block();
      const bool is_last = axis + 1 == array->type->rank;
      auto* loop = b.stmt<ir::For>(index, b.integer(0), b.extent(b.load(array), int(axis)),
                                   b.integer(1), ir::LoopKind::kSerial, body);
      loop->adds_freely = is_last && type->is_inexact() && !keeps_order_;
      inner->push_back(loop);
      inner = body;
      at.push_back({.value = b.load(index), .wrap = false});
    }
    Expr* element = b.expr<ir::Element>(array->type->elem, b.load(array), program_.list(at));
    Expr* value = term(*inner, element);
    inner->push_back(
        b.assign(total, b.expr<ir::Binary>(type, BinaryOp::kAdd, b.load(total), value)));
    return total;
  }

  // most = a[0]; for i…: if a[i] > most or it is NaN: most = a[i]. Of equal ones the first; a NaN
  // stays.
  Expr* extreme(const ir::Builder& b, Id id, Local* array, Block& out) {
    const Type* type = array->type->elem;
    const bool is_max = id == Id::numpy_max;
    Local* most = temp(b, is_max ? "greatest" : "least", type);
    Local* index = temp(b, "i", types::int64());
    const auto element = [&](Expr* at) {
      return b.expr<ir::Element>(
          type, b.load(array), program_.list(std::vector<ir::Index>{{.value = at, .wrap = false}}));
    };
    Local* x = temp(b, "x", type);
    Expr* is_more =
        b.compare(is_max ? ir::CompareOp::kGt : ir::CompareOp::kLt, b.load(x), b.load(most));
    if (type->is_float())
      is_more = b.logical(false, is_more, b.compare(ir::CompareOp::kNe, b.load(x), b.load(x)));
    Expr* more = b.expr<ir::Select>(type, is_more, b.load(x), b.load(most));
    Block* body = b.block({b.assign(x, element(b.load(index))), b.assign(most, more)});
    out.push_back(b.assign(most, element(b.integer(0))));
    out.push_back(b.stmt<ir::For>(index, b.integer(1), b.extent(b.load(array), 0), b.integer(1),
                                  ir::LoopKind::kSerial, body));
    return b.load(most);
  }

  Local* sum(const ir::Builder& b, Local* array, const Type* type, Block& out) {
    return total(b, array, type, out, [&](Block&, Expr* element) { return as(b, element, type); });
  }

  Expr* size(const ir::Builder& b, Local* array) {
    Expr* all = b.extent(b.load(array), 0);
    for (unsigned axis = 1; axis < array->type->rank; ++axis)
      all = b.plain(BinaryOp::kMul, all, b.extent(b.load(array), int(axis)));
    return as(b, all, types::float64());
  }

  Expr* mean(const ir::Builder& b, Local* array, const Type* type, Block& out) {
    Expr* all = as(b, b.load(sum(b, array, type, out)), types::float64());
    Expr* quotient = b.expr<ir::Binary>(types::float64(), BinaryOp::kDiv, all, size(b, array));
    return as(b, quotient, type);
  }

  Expr* variance(const ir::Builder& b, Local* array, const Type* type, Block& out) {
    Local* middle = temp(b, "mean", type);
    out.push_back(b.assign(middle, mean(b, array, type, out)));
    Local* squares = total(b, array, types::float64(), out, [&](Block& body, Expr* element) {
      Local* apart = temp(b, "apart", type);
      Expr* distance =
          b.expr<ir::Binary>(type, BinaryOp::kSub, as(b, element, type), b.load(middle));
      body.push_back(b.assign(apart, distance));
      return as(b, b.expr<ir::Binary>(type, BinaryOp::kMul, b.load(apart), b.load(apart)),
                types::float64());
    });
    return b.expr<ir::Binary>(types::float64(), BinaryOp::kDiv, b.load(squares), size(b, array));
  }

  ir::Program& program_;
  ir::Function& f_;
  const bool keeps_order_;
  ir::LocalSet slices_{};
};

}  // namespace

const ir::View* slice_of(const Expr* e) {
  const auto* view = ir::try_as<ir::View>(e);
  const auto has_end = [](const ir::Subscript& part) { return part.lo || part.hi; };
  return view && std::ranges::any_of(view->subscripts, has_end) ? view : nullptr;
}

void fold_slices(ir::Program& program, ir::Function& f, ir::For& loop, bool keeps_order) {
  Folds(program, f, loop, keeps_order);
}

}  // namespace pyk2cu::emit
