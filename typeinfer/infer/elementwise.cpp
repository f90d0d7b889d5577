// Array expressions: see elementwise.h.
#include "typeinfer/infer/elementwise.h"

#include <algorithm>

#include "typeinfer/ir/walk.h"

namespace pyk2cu::infer {

using builtins::Id;
using types::BinaryOp;
using types::CompareOp;
using types::Layout;

namespace {

using Leaf = Nest::Leaf;

constexpr std::string_view kNoSlice =
    "could not broadcast the array that is assigned into the shape of the slice";
constexpr std::string_view kMismatch =
    "operands could not be broadcast together: their shapes do not fit";

bool is_array(const ir::Expr* e) { return e->type->is_array(); }

bool is_one_array(const Leaf& one, const Leaf& other) {
  const ir::Local* local = ir::loaded(one.array);
  return local && local == ir::loaded(other.array);
}

// The variable whose memory the array is, as far as its expression tells.
const ir::Local* root_of(const ir::Expr* array) {
  while (const auto* view = ir::try_as<ir::View>(array)) array = view->array;
  return ir::loaded(array);
}

// What the loops compute: arrays of which they read, statements, a value.
class Elements {
 public:
  Elements(Emitter& in, Span span) : in_(in), span_(span) {}
  Elements(Emitter& in, const Nest& nest, Span span)
      : in_(in), span_(span), leaves_(nest.leaves), body_(nest.body), value_(nest.value) {}

  // The operands become elements, those of the nests that end the block taken over.
  bool take(std::vector<ir::Expr*>& operands, const OfElements& f) {
    std::vector<ir::Expr*> elements(operands.size());
    std::vector<std::optional<Nest>> nests(operands.size());
    for (size_t k = operands.size(); k-- > 0;)
      if (stands_once(operands, k)) nests[k] = in_.nests().take(in_, operands[k]);
    for (ir::Expr*& operand : operands)
      if (is_array(operand) && operand->type->rank == 0) operand = number_in(operand);
    for (size_t k = 0; k < operands.size(); ++k)
      if (!is_array(operands[k])) operands[k] = in_.nests().once_ahead(in_, operands[k], "value");
    for (size_t k = 0; k < operands.size(); ++k)
      if (is_array(operands[k]) && !nests[k])
        operands[k] = in_.nests().once_ahead(in_, operands[k], "operand");
    in_.in_block(body_, [&] {
      for (size_t k = 0; k < operands.size(); ++k)
        elements[k] = !is_array(operands[k]) ? operands[k]
                      : nests[k]             ? taken(*nests[k])
                                             : element_of(operands[k]);
      value_ = f(elements);
    });
    return !is_error(value_);
  }

  // How many axes the result has.
  int rank() const {
    int most = 0;
    for (const Leaf& leaf : leaves_) most = std::max<int>(most, leaf.array->type->rank);
    return most;
  }
  Layout layout() const {
    const bool fortran = std::ranges::all_of(leaves_, [&](const Leaf& leaf) {
      return leaf.array->type->rank == rank() && leaf.array->type->layout == Layout::kF;
    });
    return fortran && rank() > 1 ? Layout::kF : Layout::kC;
  }

  // Of every axis of the result: the extent of the arrays that have it, where it is not 1.
  std::vector<ir::Expr*> shape() {
    std::vector<ir::Expr*> all(size_t(rank()), nullptr);
    for (const Leaf& leaf : leaves_) {
      const size_t missing = all.size() - size_t(leaf.array->type->rank);
      for (size_t k = missing; k < all.size(); ++k) {
        ir::Expr* own = query(in_, ir::QueryOp::kShape, leaf.array, int(k - missing), span_);
        all[k] = all[k] ? call(Id::pyk_extent_of_both, types::int64(), {all[k], own}) : own;
      }
    }
    for (ir::Expr*& extent : all) extent = in_.once(extent, "n");
    return all;
  }

  // Arrays of other shapes are copied ahead of the loops, and those that share memory with
  // `target`.
  void fit(const std::vector<ir::Expr*>& shape, ir::Expr* target) {
    if (leaves_.size() == 1 && !target) return;
    const auto stays = [&](const Leaf& leaf) {
      return target && ir::loaded(leaf.array) == ir::loaded(target);
    };
    ir::Expr* all_fit = nullptr;
    for (const Leaf& leaf : leaves_) {
      if (stays(leaf)) continue;
      std::vector<ir::Expr*> args{leaf.array};
      args.insert(args.end(), shape.begin(), shape.end());
      ir::Expr* fits = call(Id::pyk_broadcasts, types::boolean(), std::move(args));
      all_fit = all_fit ? logical(in_, true, all_fit, fits, span_) : fits;
    }
    if (all_fit) in_.raise_if(negate(in_, all_fit), "ValueError", kMismatch, span_);
    for (Leaf& leaf : leaves_) {
      if (stays(leaf)) continue;
      const Type* type = leaf.array->type;
      std::vector<ir::Expr*> args{leaf.array};
      if (target)
        args.push_back(target);
      else
        args.insert(args.end(), shape.begin(), shape.end());
      leaf.array =
          in_.spill(call(target ? Id::pyk_fitted_to : Id::pyk_fitted,
                         types::array(type->elem, type->rank, type->layout), std::move(args)),
                    stem(leaf.array));
    }
  }

  // for i…: for j…: x = a[i, j]; …; target[i, j] = value
  void loops(ir::Expr* target, const std::vector<ir::Expr*>& shape) {
    loops(shape, target->type->layout, [&] {
      store_at(in_, target, indices_, convert(in_, value_, target->type->elem, span_), span_);
    });
  }

  // The number of elements.
  ir::Expr* size() {
    ir::Expr* all = nullptr;
    for (ir::Expr* extent : shape())
      all = all ? make_binary(in_, BinaryOp::kMul, all, extent, types::int64(), span_) : extent;
    return in_.once(all, "size");
  }

  // …; total = total op value
  ir::Expr* total(BinaryOp op, const Type* type, ir::Expr* start) {
    const std::vector<ir::Expr*> extents = shape();
    fit(extents, nullptr);
    ir::Local* all = in_.temp("total", type, span_);
    in_.emit_assign(all, start, span_);
    adds_freely_ = op == BinaryOp::kAdd && type->is_inexact();
    loops(extents, layout(), [&] {
      ir::Expr* next =
          make_binary(in_, op, in_.load(all, span_), cast(in_, value_, type), type, span_);
      in_.emit_assign(all, next, span_);
    });
    return in_.load(all, span_);
  }

  // Of scalars alone.
  ir::Expr* single() {
    for (const Leaf& leaf : leaves_) read(leaf);
    in_.emit_all(*body_);
    return value_;
  }

  // A new array of all elements, whose loops may be taken back.
  ir::Expr* array() {
    const size_t begin = in_.block().size();
    const size_t locals = in_.context().function().locals.size();
    const std::vector<ir::Expr*> extents = shape();
    Elements fitted = *this;
    fitted.fit(extents, nullptr);
    const Type* type = types::array(value_->type, rank(), layout());
    ir::Expr* made = new_array(in_, ir::Fill::kUninitialized, type, extents, nullptr, span_);
    fitted.loops(made, extents);
    in_.nests().add(in_, {ir::loaded(made), leaves_, body_, value_}, begin, locals);
    return made;
  }

 private:
  static bool stands_once(const std::vector<ir::Expr*>& operands, size_t k) {
    const ir::Local* local = ir::loaded(operands[k]);
    return local && std::ranges::count_if(
                        operands, [&](const ir::Expr* e) { return ir::loaded(e) == local; }) == 1;
  }

  // Of an array without dimensions.
  ir::Expr* number_in(ir::Expr* array) {
    return element_at(in_, in_.once(array, "operand"), {}, span_);
  }

  ir::Expr* call(Id id, const Type* type, std::vector<ir::Expr*> args) {
    return in_.make(ir::Builtin{
        {ir::ExprKind::kBuiltin, type, span_}, &builtins::row(id), in_.list(std::move(args))});
  }

  // The array's name, or what it stands for.
  static std::string stem(const ir::Expr* array) {
    const ir::Local* local = ir::loaded(array);
    return local && !local->is_temp ? std::string(local->name.str()) : "operand";
  }

  ir::Expr* element_of(ir::Expr* array) {
    for (const Leaf& leaf : leaves_)
      if (is_one_array(leaf, {nullptr, array})) return in_.load(leaf.element, span_);
    leaves_.push_back({in_.temp("x", array->type->elem, span_), array});
    return in_.load(leaves_.back().element, span_);
  }

  ir::Expr* taken(const Nest& nest) {
    for (const Leaf& leaf : nest.leaves) {
      const auto same =
          std::ranges::find_if(leaves_, [&](const Leaf& own) { return is_one_array(own, leaf); });
      if (same == leaves_.end())
        leaves_.push_back(leaf);
      else
        in_.emit_assign(leaf.element, in_.load(same->element, span_), span_);
    }
    in_.emit_all(*nest.body);
    return nest.value;
  }

  void read(const Leaf& leaf) {
    const std::vector<ir::Local*> at(indices_.end() - leaf.array->type->rank, indices_.end());
    in_.emit_assign(leaf.element, element_at(in_, leaf.array, at, span_), span_);
  }

  void loops(const std::vector<ir::Expr*>& shape, Layout order, const std::function<void()>& one) {
    indices_.assign(shape.size(), nullptr);
    axis(0, shape, order, one);
    // Numba shares the loops of array expressions among threads, as it does those over prange.
    auto* outermost = shape.empty() ? nullptr : ir::try_as<ir::For>(in_.block().back());
    if (outermost && in_.options().parallel) outermost->loop = ir::LoopKind::kParallel;
  }

  // The loop over the next axis, outermost first.
  void axis(size_t depth, const std::vector<ir::Expr*>& shape, Layout order,
            const std::function<void()>& one) {
    if (depth == shape.size()) {
      for (const Leaf& leaf : leaves_) read(leaf);
      in_.emit_all(*body_);
      return one();
    }
    const size_t k = order == Layout::kF ? shape.size() - 1 - depth : depth;
    const auto inside = [&](ir::Local* index) {
      indices_[k] = index;
      axis(depth + 1, shape, order, one);
    };
    ir::For* loop = count_to(in_, shape[k], span_, inside, axis_name(depth));
    loop->adds_freely = adds_freely_ && depth + 1 == shape.size();
  }

  Emitter& in_;
  const Span span_;
  std::vector<Leaf> leaves_{};
  ir::Block* body_ = in_.make(ir::Block{});
  ir::Expr* value_ = nullptr;
  std::vector<ir::Local*> indices_{};
  bool adds_freely_ = false;
};

}  // namespace

void fill(Emitter& in, ir::Expr* view, ir::Expr* number, Span span) {
  number = convert(in, number, view->type->elem, span);
  if (is_error(number)) return;
  in.emit_eval(in.make(ir::Builtin{{ir::ExprKind::kBuiltin, types::void_(), span},
                                   &builtins::row(Id::pyk_fill),
                                   in.list(std::vector<ir::Expr*>{view, number})}));
}

void copy_into(Emitter& in, ir::Expr* view, ir::Expr* from, std::string_view message, Span span) {
  ir::Expr* copied = in.spill(in.make(ir::Builtin{{ir::ExprKind::kBuiltin, types::int32(), span},
                                                  &builtins::row(Id::pyk_copy),
                                                  in.list(std::vector<ir::Expr*>{view, from})}),
                              "copied");  // pyk/copy.h
  const auto failed = [&](int64_t how) {
    return make_compare(in, CompareOp::kEq, copied, in.const_int(how, types::int32()), span);
  };
  in.raise_if(failed(1), "ValueError", message, span);
  in.raise_if(failed(2), "MemoryError", "", span);
}

ir::Expr* elementwise(Emitter& in, std::vector<ir::Expr*> operands, const OfElements& f,
                      Span span) {
  Elements elements(in, span);
  if (!elements.take(operands, f)) return in.error(span);
  return elements.rank() == 0 ? elements.single() : elements.array();
}

void elementwise_into(Emitter& in, ir::Expr* target, std::vector<ir::Expr*> operands,
                      const OfElements& f, Span span) {
  Elements elements(in, span);
  if (!elements.take(operands, f)) return;
  const std::vector<ir::Expr*> shape = extents(in, target, span);
  if (elements.rank() > target->type->rank) {
    in.report(span, diag::CannotConvert, fmt::format("an array of {} dimensions", elements.rank()),
              types::print(target->type));
    return;
  }
  elements.fit(shape, target);
  elements.loops(target, shape);
}

void store_array(Emitter& in, ir::Expr* view, ir::Expr* array, Span span) {
  const ir::Local* stored = root_of(view);
  const std::optional<Nest> nest = in.nests().take(in, array);
  if (!nest) return copy_into(in, view, array, kNoSlice, span);
  const bool apart = stored && std::ranges::none_of(nest->leaves, [&](const Leaf& leaf) {
                       return root_of(leaf.array) == stored;
                     });
  Elements elements(in, *nest, span);
  if (!apart || elements.rank() > view->type->rank)
    return copy_into(in, view, elements.array(), kNoSlice, span);
  ir::Expr* target = in.once(view, stored->name.str());
  const std::vector<ir::Expr*> shape = extents(in, target, span);
  elements.fit(shape, target);
  elements.loops(target, shape);
}

ir::Expr* total_of(Emitter& in, ir::Expr* array, types::BinaryOp op, const Type* type, Span span,
                   ir::Expr** count) {
  const std::optional<Nest> nest = in.nests().take(in, array);
  if (!nest && (!in.options().parallel || array->type->rank == 0)) return nullptr;
  ir::Expr* start = op == BinaryOp::kAdd ? zero(in, type, span)
                                         : cast(in, in.const_int(1, types::int64(), span), type);
  Elements elements = nest ? Elements(in, *nest, span) : Elements(in, span);
  std::vector<ir::Expr*> operands{array};
  const bool fits = nest || elements.take(operands, [](const auto& all) { return all[0]; });
  if (!fits) return in.error(span);
  if (count) *count = elements.size();
  return elements.total(op, type, start);
}

// ---- operations --------------------------------------------------------------------------------

namespace {

struct OperatorName {
  ast::Operator op;
  std::string_view name;
};
constexpr OperatorName kOperators[] = {{ast::Operator::kAdd, "numpy.add"},
                                       {ast::Operator::kSub, "numpy.subtract"},
                                       {ast::Operator::kMult, "numpy.multiply"},
                                       {ast::Operator::kDiv, "numpy.divide"},
                                       {ast::Operator::kMod, "numpy.remainder"},
                                       {ast::Operator::kPow, "numpy.power"},
                                       {ast::Operator::kLShift, "numpy.left_shift"},
                                       {ast::Operator::kRShift, "numpy.right_shift"},
                                       {ast::Operator::kBitOr, "numpy.bitwise_or"},
                                       {ast::Operator::kBitXor, "numpy.bitwise_xor"},
                                       {ast::Operator::kBitAnd, "numpy.bitwise_and"},
                                       {ast::Operator::kFloorDiv, "numpy.floor_divide"}};

std::string_view ufunc_name(ast::Operator op) {
  const auto* found = std::ranges::find(kOperators, op, &OperatorName::op);
  return found == std::end(kOperators) ? std::string_view() : found->name;
}

// What C++ writes as an operator too: exact, and what loops in lanes know best.
std::optional<BinaryOp> plain_operator(Id id, const Type* type) {
  const bool number = type->is_float() || type->is_complex();
  const bool wide = type->is_int() && type->bits >= 32;
  const bool bits = wide || type->is_bool();
  switch (id) {
    case Id::numpy_add:
      return number || wide ? std::optional(BinaryOp::kAdd) : std::nullopt;
    case Id::numpy_subtract:
      return number || wide ? std::optional(BinaryOp::kSub) : std::nullopt;
    case Id::numpy_multiply:
      return number || wide ? std::optional(BinaryOp::kMul) : std::nullopt;
    case Id::numpy_divide:
      return type->is_float() ? std::optional(BinaryOp::kDiv) : std::nullopt;
    case Id::numpy_bitwise_and:
      return bits ? std::optional(BinaryOp::kAnd) : std::nullopt;
    case Id::numpy_bitwise_or:
      return bits ? std::optional(BinaryOp::kOr) : std::nullopt;
    case Id::numpy_bitwise_xor:
      return bits ? std::optional(BinaryOp::kXor) : std::nullopt;
    default:
      return std::nullopt;
  }
}

struct Comparison {
  CompareOp op;
  Id id;
};
constexpr Comparison kComparisons[] = {
    {CompareOp::kEq, Id::numpy_equal},   {CompareOp::kNe, Id::numpy_not_equal},
    {CompareOp::kLt, Id::numpy_less},    {CompareOp::kLe, Id::numpy_less_equal},
    {CompareOp::kGt, Id::numpy_greater}, {CompareOp::kGe, Id::numpy_greater_equal}};

std::optional<CompareOp> plain_comparison(Id id, const Type* type) {
  const auto* found = std::ranges::find(kComparisons, id, &Comparison::id);
  const bool plain = type->is_real() && !type->is_bool() && found != std::end(kComparisons);
  return plain ? std::optional(found->op) : std::nullopt;
}

// The most factors of a power that the function `power` makes products of: their roundings stay
// within those that its own may have. The operator multiplies like that of scalars does.
constexpr int64_t kMostFactors = 4;

// x ** n with a constant whole n, as products; null: it is computed in another way. `values`:
// before they have the type in which the function computes.
ir::Expr* as_products(Emitter& in, const builtins::Row& row, bool is_operator,
                      const std::vector<ir::Expr*>& values, const Type* type, Span span) {
  const ir::Const* power = row.id == Id::numpy_power ? ir::constant(values[1]) : nullptr;
  if (!power || values[1]->type->is_bool()) return nullptr;
  if (!plain_operator(Id::numpy_multiply, type)) return nullptr;
  const bool whole = values[1]->type->is_int();
  const int64_t n = whole ? power->value.integer : power->value.number == 2.0 ? 2 : 0;
  if (!whole && n != 2) return nullptr;
  if (type->is_complex() && n != 2) return nullptr;
  if (!is_operator && (n > kMostFactors || n < 0)) return nullptr;
  return product_power(in, cast(in, values[0], type), n, span);
}

// What float32 does not hold, beside a float32: Numba gives the result that type, and computes in
// float64.
const Type* wide_beside(const std::vector<const Type*>& given, const builtins::Match& match) {
  const Type* computed = match.params.front();
  const bool narrow = computed == types::float32() || computed == types::complex64();
  const bool wide =
      std::ranges::any_of(given, [](const Type* t) { return t->is_int() && t->bits >= 32; });
  if (!narrow || !wide) return nullptr;
  return computed->is_complex() ? types::complex128() : types::float64();
}

// The function of scalars; null: there is no loop for these types.
ir::Expr* of_scalars(Emitter& in, const builtins::Row& row, bool is_operator,
                     std::vector<ir::Expr*> values, Span span) {
  if (values.size() == 2) settle_literals(in, values[0], values[1]);
  std::vector<const Type*> given;
  for (const ir::Expr* v : values) given.push_back(v->type);
  const auto match = builtins::resolve(row, given, in.dialect());
  if (!match) return nullptr;
  if (ir::Expr* e = as_products(in, row, is_operator, values, match->result, span)) return e;
  const Type* wide = wide_beside(given, *match);
  // The operator is that of scalars, in Numba: by squaring.
  const bool squares = is_operator && row.id == Id::numpy_power && given[1]->is_int() &&
                       match->result->is_float() && in.dialect().rules == types::Rules::kNumba;
  if (squares) {
    const Type* computed = wide ? wide : match->result;
    ir::Expr* base = cast(in, values[0], computed);
    return cast(in, make_binary(in, BinaryOp::kPow, base, values[1], computed, span),
                match->result);
  }
  if (wide) {
    for (ir::Expr*& v : values) v = cast(in, v, wide);
    ir::Expr* e = of_scalars(in, row, is_operator, std::move(values), span);
    return e ? cast(in, e, match->result) : nullptr;
  }
  for (size_t k = 0; k < values.size(); ++k) values[k] = cast(in, values[k], match->params[k]);
  if (row.id == Id::numpy_conjugate && !match->result->is_complex()) return values[0];
  const bool alike = values.size() == 2 && values[0]->type == values[1]->type;
  const auto op = alike ? plain_operator(row.id, values[0]->type) : std::nullopt;
  if (op && match->result == values[0]->type)
    return make_binary(in, *op, values[0], values[1], match->result, span);
  if (const auto compares = alike ? plain_comparison(row.id, values[0]->type) : std::nullopt)
    return make_compare(in, *compares, values[0], values[1], span);
  return in.make(ir::Builtin{{ir::ExprKind::kBuiltin, match->result, span},
                             &row,
                             in.list(std::move(values)),
                             in.list(match->type_args)});
}

ir::Expr* refuse_operands(Emitter& in, std::string_view what, const std::vector<ir::Expr*>& values,
                          Span span) {
  if (values.size() == 2)
    in.report(span, diag::BadOperands, what, types::print(values[0]->type),
              types::print(values[1]->type));
  else
    in.report(span, diag::BadOperand, what, types::print(values[0]->type));
  return in.error(span);
}

// `what`: as messages call it.
ir::Expr* apply(Emitter& in, std::string_view name, std::string_view what,
                std::vector<ir::Expr*> operands, Span span, bool is_operator = false) {
  const builtins::Row* row = builtins::find(name);
  for (ir::Expr*& operand : operands) {
    operand = unwrap(in, operand, span);
    const Type* type = is_array(operand) ? operand->type->elem : operand->type;
    if (!type->is_scalar()) return refuse_operands(in, what, operands, span);
  }
  if (in.on_cuda()) return array_expression(in, span, what);
  const std::vector<ir::Expr*> given = operands;
  return elementwise(
      in, std::move(operands),
      [&](const std::vector<ir::Expr*>& elements) {
        ir::Expr* e = of_scalars(in, *row, is_operator, elements, span);
        return e ? e : refuse_operands(in, what, given, span);
      },
      span);
}

}  // namespace

ir::Expr* ufunc_of(Emitter& in, std::string_view name, std::vector<ir::Expr*> operands, Span span) {
  return apply(in, name, user_path(name) + "()", std::move(operands), span);
}

ir::Expr* array_binary(Emitter& in, ast::Operator op, ir::Expr* left, ir::Expr* right, Span span) {
  if (op == ast::Operator::kMatMult) return matrix_product(in, "@", left, right, span);
  const std::string_view name = ufunc_name(op);
  return apply(in, name, spelling(op), {left, right}, span, true);
}

ir::Expr* array_unary(Emitter& in, ast::UnaryOperator op, ir::Expr* operand, Span span) {
  if (op == ast::UnaryOperator::kUAdd) return apply(in, "numpy.positive", "+", {operand}, span);
  const bool inverts = op == ast::UnaryOperator::kInvert;
  return apply(in, inverts ? "numpy.invert" : "numpy.negative", inverts ? "~" : "-", {operand},
               span);
}

ir::Expr* array_compare(Emitter& in, CompareOp op, std::string_view text, ir::Expr* left,
                        ir::Expr* right, Span span) {
  const builtins::Row& row =
      builtins::row(std::ranges::find(kComparisons, op, &Comparison::op)->id);
  return apply(in, "numpy." + std::string(row.name), text, {left, right}, span);
}

void array_update(Emitter& in, ast::Operator op, ir::Expr* target, ir::Expr* value, Span span) {
  const std::string what = std::string(spelling(op)) + "=";
  const std::string_view name = ufunc_name(op);
  if (is_error(target) || is_error(value)) return;
  value = unwrap(in, value, span);
  if (name.empty() || in.on_cuda()) {
    array_expression(in, span, what, {target, value});
    return;
  }
  const builtins::Row* row = builtins::find(name);
  const Type* elem = target->type->elem;
  if (target->type->readonly) {
    in.report(span, diag::StoreToReadonly, types::print(target->type))
        .help("store into a copy of it: `b = a.copy()`");
    return;
  }
  const auto* view = ir::try_as<ir::View>(target);
  const ir::Local* named = view ? ir::loaded(view->array) : nullptr;
  target = in.once(target, named ? named->name.str() : "target");
  const auto of_elements = [&](const std::vector<ir::Expr*>& elements) -> ir::Expr* {
    ir::Expr* e = of_scalars(in, *row, true, elements, span);
    if (!e) return refuse_operands(in, what, {target, value}, span);
    const bool drops = (e->type->is_complex() && !elem->is_complex()) ||
                       (e->type->is_float() && !elem->is_float() && !elem->is_complex()) ||
                       (elem->is_bool() && !e->type->is_bool());
    if (!drops) return e;
    in.report(span, diag::CannotConvert, types::print(e->type), types::print(elem))
        .help(fmt::format("as NumPy does: `{}` of such arrays is not stored into one of `{}`", what,
                          types::print(elem)));
    return in.error(span);
  };
  elementwise_into(in, target, {target, value}, of_elements, span);
}

}  // namespace pyk2cu::infer
