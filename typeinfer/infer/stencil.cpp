// Stencils: see stencil.h.
#include "typeinfer/infer/stencil.h"

#include <algorithm>

#include "frontend/base/counted.h"
#include "typeinfer/decorators/defaults.h"
#include "typeinfer/infer/elementwise.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::infer {

using types::CompareOp;

namespace {

constexpr std::string_view kSmaller =
    "Secondary stencil array has some dimension smaller the same dimension in the first stencil "
    "input.";
constexpr std::string_view kSmallOut =
    "the array that is given as `out` has some dimension smaller than that of the first one";

using Reach = std::vector<std::pair<int64_t, int64_t>>;

// The function of whole arrays.
class Maker {
 public:
  Maker(Names& names, Emitter& in)
      : names_(names),
        in_(in),
        stencil_(*in.context().definition().stencil),
        name_(in.context().definition().name.str()),
        span_(in.context().function().span) {}

  Operand run() {
    bind();
    if (in_.on_cuda()) return to_operand(array_expression(in_, span_, "a stencil"));
    if (args_.empty() || !args_[0].is_value() || !args_[0].type()->is_array())
      return said("its first argument is the array whose points it is called for");
    rank_ = args_[0].type()->rank;
    if (rank_ == 0) return said("an array without dimensions has no neighbours");
    const Instance* point = find_point();
    if (!point) return error();
    const Reach& reach = stencil_.neighborhood.empty() ? point->reach : stencil_.neighborhood;
    if (int(reach.size()) != rank_)
      return said(fmt::format("`neighborhood` has {}, but the array {}",
                              counted(reach.size(), "pair"), counted(size_t(rank_), "dimension")));
    shape_ = extents(in_, array(0), span_);
    if (!check_others(*point)) return error();
    ir::Expr* out = result(*point, reach);
    if (!out) return error();
    loops(*point, out, reach);
    return to_operand(out);
  }

 private:
  Operand said(std::string_view why) {
    in_.report(span_, diag::BadStencil, name_, why);
    return error();
  }

  void bind() {
    const Instance& instance = in_.context().instance();
    const std::vector<Symbol> names = decorators::parameter_names(*instance.definition);
    const bool has_out = instance.definition->parameters != nullptr;
    for (size_t k = 0; k < instance.args.size(); ++k)
      args_.push_back(names_.make_param(names[k], instance.args[k], span_));
    if (!has_out) return;
    out_ = args_.back();
    args_.pop_back();
  }

  ir::Expr* array(size_t k) const { return args_[k].value(); }

  // The function of one point for these arguments; null: it has failed, or waits.
  Instance* find_point() {
    std::vector<Operand> args = args_;
    for (int k = 0; k < rank_; ++k) args.push_back(Operand{Value(types::int64()), span_});
    ir::Options options = in_.options();
    options.parallel = false;
    Instance* point = in_.context().unit().instantiate(*stencil_.point, args, options, nullptr);
    in_.context().add_callee(point);
    if (point->state == State::kFailed) return nullptr;
    if (!point->result) in_.context().wait_for(stencil_.point->name, span_);
    if (!point->result || point->result->is_error()) return nullptr;
    if (point->result->is_scalar()) return point;
    said(fmt::format("a point gets a number, not `{}`", types::print(point->result)));
    return nullptr;
  }

  // Arrays whose subscripts count from the point are as large as the first one.
  bool check_others(const Instance& point) {
    const std::vector<Symbol> names = decorators::parameter_names(*stencil_.point);
    ir::Expr* smaller = nullptr;
    for (size_t k = 1; k < args_.size(); ++k) {
      if (std::ranges::find(point.from_point, names[k]) == point.from_point.end()) continue;
      if (array(k)->type->rank != rank_) {
        said(fmt::format("`{}` has {}, but the first array {}", names[k].str(),
                         counted(size_t(array(k)->type->rank), "dimension"), rank_));
        return false;
      }
      smaller = any_smaller(smaller, array(k));
    }
    if (smaller) in_.raise_if(smaller, "ValueError", kSmaller, span_);
    return true;
  }

  // … or is an extent of `other` less than that of the first array?
  ir::Expr* any_smaller(ir::Expr* condition, ir::Expr* other) {
    for (int axis = 0; axis < rank_; ++axis) {
      ir::Expr* less =
          make_compare(in_, CompareOp::kLt, query(in_, ir::QueryOp::kShape, other, axis, span_),
                       shape_[size_t(axis)], span_);
      condition = condition ? logical(in_, false, condition, less, span_) : less;
    }
    return condition;
  }

  // The array that is filled, its border done; null after a report.
  ir::Expr* result(const Instance& point, const Reach& reach) {
    if (out_.is_error() || out_.is<None>()) {
      const Type* type = types::array(point.result, rank_, types::Layout::kC);
      ir::Expr* out = new_array(in_, ir::Fill::kUninitialized, type, shape_, nullptr, span_);
      for (int axis = 0; axis < rank_; ++axis) {
        const auto [least, most] = reach[size_t(axis)];
        if (least < 0) border(out, axis, nullptr, in_.const_int(-least));
        if (most > 0) border(out, axis, in_.const_int(-most), nullptr);
      }
      return out;
    }
    if (!out_.is_value() || !out_.type()->is_array() || out_.type()->rank != rank_) {
      said(fmt::format("`out` is an array of {}", counted(size_t(rank_), "dimension")));
      return nullptr;
    }
    ir::Expr* out = out_.value();
    in_.raise_if(any_smaller(nullptr, out), "ValueError", kSmallOut, span_);
    if (stencil_.cval) fill(in_, out, border_value(out->type->elem), span_);
    return out;
  }

  ir::Expr* border_value(const Type* type) {
    if (!stencil_.cval) return zero(in_, type, span_);
    const Operand value = constant(in_, *stencil_.cval, Symbol("cval"), span_);
    return convert(in_, value_of(in_, value, span_), type, span_);
  }

  // out[…, lo:hi, …] = cval
  void border(ir::Expr* out, int axis, ir::Expr* lo, ir::Expr* hi) {
    ir::Subscript full;
    full.kind = ir::Subscript::Kind::kSlice;
    std::vector<ir::Subscript> subscripts(size_t(rank_), full);
    subscripts[size_t(axis)].lo = lo;
    subscripts[size_t(axis)].hi = hi;
    const Type* type =
        types::array(out->type->elem, rank_, axis == 0 ? types::Layout::kC : types::Layout::kA);
    fill(in_, in_.make(ir::View{{ir::ExprKind::kView, type, span_}, out, in_.list(subscripts)}),
         border_value(out->type->elem), span_);
  }

  void loops(const Instance& point, ir::Expr* out, const Reach& reach) {
    axis(point, out, reach);
    auto* outermost = ir::try_as<ir::For>(in_.block().back());
    if (outermost && in_.options().parallel) outermost->loop = ir::LoopKind::kParallel;
  }

  // for i in range(-min(0, least), n - max(0, most))
  void axis(const Instance& point, ir::Expr* out, const Reach& reach) {
    const size_t k = indices_.size();
    if (k == size_t(rank_)) return one(point, out);
    const auto [least, most] = reach[k];
    ir::Local* index = in_.temp(axis_name(k), types::int64(), span_);
    ir::Expr* end = shape_[k];
    if (most > 0)
      end =
          make_binary(in_, types::BinaryOp::kSub, end, in_.const_int(most), types::int64(), span_);
    indices_.push_back(index);
    ir::Block* body = in_.into_block([&] { axis(point, out, reach); });
    emit_count(in_, index, least < 0 ? -least : 0, end, body, span_);
  }

  void one(const Instance& point, ir::Expr* out) {
    std::vector<ir::Expr*> values;
    for (Operand& arg : args_)
      for_each_value(arg, [&](const Value& value) { values.push_back(value.expr); });
    for (ir::Local* index : indices_) values.push_back(in_.load(index, span_));
    auto* call = in_.make(ir::Call{
        {ir::ExprKind::kCall, point.result, span_}, point.function, in_.list(std::move(values))});
    ir::Expr* value = ir::has_effect(call) ? in_.spill(call, "value") : call;
    value = convert(in_, value, out->type->elem, span_);
    if (!is_error(value)) store_at(in_, out, indices_, value, span_);
  }

  Names& names_;
  Emitter& in_;
  const decorators::Stencil& stencil_;
  const std::string_view name_;
  const Span span_;
  std::vector<Operand> args_{};
  Operand out_{};
  int rank_ = 0;
  std::vector<ir::Expr*> shape_{};
  std::vector<ir::Local*> indices_{};
};

// ---- in the function of one point --------------------------------------------------------------

// Is it a parameter, as it was passed?
bool is_param(Expressions& in, const ast::Expr& e) {
  const auto* name = ast::as<ast::Name>(e);
  if (!name) return false;
  const scope::Versions& versions = in.names().versions();
  const auto read = versions.reads.find(name->Node::id);
  return read != versions.reads.end() &&
         versions.all[read->second].kind == scope::Version::Kind::kParam;
}

Operand refuse(Emitter& in, Span span, std::string_view why) {
  in.report(span, diag::BadStencil, in.context().definition().name.str(), why);
  return error();
}

// What an index that counts from the point is for the array.
class Shift {
 public:
  Shift(Emitter& in, size_t axis, Span span)
      : in_(in),
        axis_(axis),
        span_(span),
        is_free_(!in.context().definition().point_of->neighborhood.empty()) {}

  Operand run(const Operand& index) {
    if (index.is_error()) return error();
    if (index.is<Slice>()) return slice(index);
    ir::Expr* value = unwrap(in_, value_of(in_, index, span_), span_);
    if (is_error(value)) return error();
    if (!value->type->is_int() && !value->type->is_bool())
      return refuse(in_, span_, "an index from the point is an integer or a slice of two");
    return shifted(value, 0);
  }

 private:
  Operand slice(const Operand& index) {
    const std::span<const Operand> parts = index.parts();
    if (parts[0].is<None>() || parts[1].is<None>() || !parts[2].is<None>())
      return refuse(in_, span_, "a slice from the point has both ends and no step");
    Slice made;
    made.parts = {shifted(value_of(in_, parts[0], span_), 0),
                  shifted(value_of(in_, parts[1], span_), 1), parts[2]};
    if (made.parts[0].is_error() || made.parts[1].is_error()) return error();
    return {std::move(made), index.span};
  }

  // `behind`: of the end of a slice, how far behind the last element it is.
  Operand shifted(ir::Expr* value, int64_t behind) {
    if (is_error(value)) return error();
    value = cast(in_, value, types::int64());
    const auto* c = ir::try_as<ir::Const>(value);
    if (c) reach(c->value.integer - behind);
    if (!c && !is_free_)
      return refuse(in_, span_,
                    "an index is not constant: the decorator has to say `neighborhood=`");
    ir::Expr* at = in_.load(in_.context().instance().point[axis_], span_);
    if (c && c->value.integer == 0) return to_operand(at);
    const bool back = c && c->value.integer < 0 && c->value.integer != INT64_MIN;
    if (back) value = in_.const_int(-c->value.integer);
    return to_operand(make_binary(in_, back ? types::BinaryOp::kSub : types::BinaryOp::kAdd, at,
                                  value, types::int64(), span_));
  }

  void reach(int64_t index) {
    auto& [least, most] = in_.context().instance().reach[axis_];
    least = std::min(least, index);
    most = std::max(most, index);
  }

  Emitter& in_;
  const size_t axis_;
  const Span span_;
  const bool is_free_;
};

}  // namespace

Operand stencil(Names& names, Emitter& in) { return Maker(names, in).run(); }

void bind_point(Names& names, std::span<const Operand> args, Span span) {
  std::vector<ir::Local*>& point = names.context().instance().point;
  for (size_t k = 0; k < args.size(); ++k) {
    const Symbol name(axis_name(k));
    const Operand held = names.make_param(name, args[k], span);
    point.push_back(ir::as<ir::Load>(held.value())->local);
  }
  names.context().instance().reach.assign(args.size(), {0, 0});
}

Operand from_point(Expressions& in, const ast::Subscript& e, const Operand& index) {
  Emitter& out = in.emitter();
  const decorators::Stencil* stencil = out.context().definition().point_of;
  if (!stencil || !is_param(in, *e.value) || index.is_error()) return index;
  const Symbol name = ast::as<ast::Name>(e.value)->id;
  if (std::ranges::find(stencil->standard, name) != stencil->standard.end()) return index;
  std::vector<Operand> items{index};
  if (index.is<Pack>()) {
    items.assign(index.parts().begin(), index.parts().end());
  } else if (index.is_value() && index.type()->is_tuple()) {
    ir::Expr* tuple = index.value();
    if (tuple->kind != ir::ExprKind::kTuple) tuple = out.once(tuple, "index");
    items.clear();
    for (size_t k = 0; k < index.type()->items.size(); ++k)
      items.push_back(to_operand(tuple_item(out, tuple, int(k), e.span)));
  }
  const size_t rank = out.context().instance().point.size();
  if (items.size() != rank)
    return refuse(out, e.span,
                  fmt::format("`{}` has {} here, but the first array {}", name.str(),
                              counted(items.size(), "subscript"), counted(rank, "dimension")));
  auto& seen = out.context().instance().from_point;
  if (std::ranges::find(seen, name) == seen.end()) seen.push_back(name);
  for (size_t k = 0; k < rank; ++k) items[k] = Shift(out, k, e.span).run(items[k]);
  if (std::ranges::any_of(items, has_error)) return error();
  return rank == 1 ? items[0] : Operand{Pack{std::move(items)}, index.span};
}

bool refuses_store(Expressions& in, const ast::Subscript& target) {
  const bool refused = in.context().definition().point_of && is_param(in, *target.value);
  if (refused)
    refuse(in.emitter(), target.span, "arrays that are passed to a stencil cannot be assigned to");
  return refused;
}

}  // namespace pyk2cu::infer
