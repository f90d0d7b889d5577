// Python's own functions: int float bool complex abs len min max pow round divmod sum range
// enumerate zip reversed tuple isinstance print.
//
// In:   arguments already evaluated.  Out: an operand.
// Types: docs/typing.md#conversions, docs/typing.md#functions-of-one-and-several-scalars.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#include <algorithm>

#include "typeinfer/infer/expr.h"
#include "typeinfer/infer/lists.h"
#include "typeinfer/infer/sequence.h"
#include "typeinfer/infer/tables.h"

namespace pyk2cu::infer {

namespace {

bool positional(const Arguments& args, size_t least, size_t most) {
  return args.keywords.empty() && args.args.size() >= least && args.args.size() <= most;
}

// The scalar argument k, unwrapped; null when it is none.
ir::Expr* scalar(Emitter& in, const Arguments& args, size_t k) {
  if (!args.args[k].is_value()) return nullptr;
  ir::Expr* e = unwrap(in, args.args[k].value(), args.span);
  return e->type->is_scalar() ? e : nullptr;
}

bool array_argument(Emitter& in, const Arguments& args) {
  if (!has_array(args)) return false;
  array_expression(in, args.span, args.path + "()");
  return true;
}

Operand int_(Emitter& in, const Arguments& args) {
  if (args.args.empty()) return cast_call(in, types::int64(), args);
  ir::Expr* x = positional(args, 1, 1) ? scalar(in, args, 0) : nullptr;
  if (!x) return cast_call(in, types::int64(), args);
  return cast_call(in, x->type->is_int() ? x->type : types::int64(), args);
}

Operand float_(Emitter& in, const Arguments& args) {
  if (!positional(args, 0, 1)) return bad_arguments(in, args);
  if (args.args.size() == 1 && args.args[0].is<Str>()) {  // float("inf")
    const std::string_view text = args.args[0].as<Str>().text;
    const bool minus = text.starts_with('-');
    const std::string_view name = minus || text.starts_with('+') ? text.substr(1) : text;
    const double sign = minus ? -1 : 1;
    const double inf = std::numeric_limits<double>::infinity();
    if (name == "inf" || name == "infinity" || name == "Infinity") {
      return to_operand(in.const_float(sign * inf));
    }
    if (name == "nan") {
      return to_operand(in.const_float(std::numeric_limits<double>::quiet_NaN()));
    }
    return bad_arguments(in, args);
  }
  ir::Expr* x = args.args.empty() ? nullptr : scalar(in, args, 0);
  return cast_call(in, x && x->type->is_float() ? x->type : types::float64(), args);
}

Operand bool_(Emitter& in, const Arguments& args) {
  if (!positional(args, 0, 1)) return bad_arguments(in, args);
  if (args.args.empty()) return to_operand(in.const_bool(false));
  if (args.args[0].is_value()) return to_operand(truth(in, args.args[0].value(), args.span));
  return to_operand(truth(in, value_of(in, args.args[0], args.span), args.span));
}

Operand complex_(Emitter& in, const Arguments& args) {
  const auto bound = by_name(in, args, {"real", "imag"}, 0);
  if (!bound) return error();
  Arguments plain = args;
  plain.keywords.clear();
  plain.args.clear();
  if (!(*bound)[0].is_error()) plain.args.push_back((*bound)[0]);
  const bool both = !(*bound)[1].is_error();
  if (both && plain.args.empty()) plain.args.push_back(to_operand(in.const_float(0)));
  if (both) plain.args.push_back((*bound)[1]);
  if (plain.args.empty()) return cast_call(in, types::complex128(), plain);
  ir::Expr* re = scalar(in, plain, 0);
  ir::Expr* im = both ? scalar(in, plain, 1) : nullptr;
  if (!re || (both && (!im || !im->type->is_real() || !re->type->is_real()))) {
    return bad_arguments(in, args);
  }
  const bool narrow = re->type->is_float() && re->type->bits <= 32 &&
                      (!both || (im->type->is_float() && im->type->bits <= 32));
  const Type* type = narrow ? types::complex64() : types::complex128();
  if (!both) return cast_call(in, type, plain);
  const Type* part = types::component(type);
  std::vector<ir::Expr*> parts{cast(in, re, part), cast(in, im, part)};
  return to_operand(in.make(ir::Builtin{{ir::ExprKind::kBuiltin, type, args.span},
                                        &builtins::row(builtins::Id::pyk_complex),
                                        in.list(std::move(parts)),
                                        in.list(std::vector<const Type*>{part})}));
}

Operand len_(Emitter& in, const Arguments& args) {
  if (!positional(args, 1, 1)) return bad_arguments(in, args);
  const Operand& o = args.args[0];
  const auto constant = [&](size_t n) {
    return to_operand(in.const_int(int64_t(n), types::int64(), args.span));
  };
  if (o.is<Str>()) {
    const std::string_view text = o.as<Str>().text;  // UTF-8: code points, not bytes
    return constant(size_t(std::count_if(text.begin(), text.end(),
                                         [](char c) { return (uint8_t(c) & 0xC0) != 0x80; })));
  }
  if (o.is<Range>()) return to_operand(range_length(in, o.as<Range>(), args.span));
  if (o.is<Pack>()) return constant(o.parts().size());
  if (o.is<Entries>()) {
    ir::Expr* table = o.as<Entries>().table.expr;
    return to_operand(table_length(in, table, args.span));
  }
  if (o.is<Flat>()) {
    return to_operand(query(in, ir::QueryOp::kSize, o.as<Flat>().array.expr, 0, args.span));
  }
  if (!o.is_value()) return bad_arguments(in, args);
  ir::Expr* e = unwrap(in, o.value(), args.span);
  if (e->type->is_tuple()) return constant(e->type->items.size());
  if (e->type->is_list()) return list_size(in, e, args.span);
  if (e->type->is_table())
    return e->type->lacks_items() ? some_length(in, args.span)
                                  : to_operand(table_length(in, e, args.span));
  if (!e->type->is_array() || e->type->rank == 0) return bad_arguments(in, args);
  if (e->kind == ir::ExprKind::kGlobal) {
    return to_operand(query(in, ir::QueryOp::kShape, e, 0, args.span));
  }
  return to_operand(query(in, ir::QueryOp::kLen, e, 0, args.span));
}

// min(a, b, c), max((a, b)): folded from the left as compare-select.
Operand extreme(Emitter& in, const Arguments& args, std::string_view name) {
  if (!args.keywords.empty() || args.args.empty()) return bad_arguments(in, args);
  ir::Expr* items = args.args.size() == 1 ? line_of(in, args.args[0], args.span) : nullptr;
  if (items) return extreme_of(in, name == "max", items, args.span);
  std::vector<ir::Expr*> values;
  const bool whole =
      args.args.size() == 1 && args.args[0].is_value() && args.args[0].type()->is_tuple();
  if (whole) {
    ir::Expr* tuple = args.args[0].value();
    if (tuple->kind != ir::ExprKind::kTuple) tuple = in.once(tuple);
    for (size_t i = 0; i < tuple->type->items.size(); ++i) {
      values.push_back(tuple_item(in, tuple, int(i), args.span));
    }
  } else {
    if (array_argument(in, args)) return error();
    for (size_t i = 0; i < args.args.size(); ++i) {
      if (!args.args[i].is_value()) return bad_arguments(in, args);
      values.push_back(unwrap(in, args.args[i].value(), args.span));
    }
  }
  if (values.empty()) return bad_arguments(in, args);
  const Type* type = values[0]->type;
  for (ir::Expr* v : values) {
    if (type) type = v->type->is_real() ? types::unify(type, v->type, in.dialect()) : nullptr;
  }
  if (!type || !type->is_real()) return bad_arguments(in, args);
  // Two floats on the GPU: fmin and fmax, which ignore nan; not of a float and an integer.
  const auto is_float = [](const ir::Expr* v) { return v->type->is_float(); };
  const bool ignores_nan =
      in.on_cuda() && values.size() == 2 && std::ranges::all_of(values, is_float);
  const std::string path =
      ignores_nan ? "numpy.f" + std::string(name) : "builtins." + std::string(name);
  const builtins::Row* row = builtins::find(path);
  for (ir::Expr*& v : values) v = cast(in, v, type);
  if (values.size() == 1) return to_operand(values[0]);
  return to_operand(in.make(
      ir::Builtin{{ir::ExprKind::kBuiltin, type, args.span}, row, in.list(std::move(values))}));
}
Operand min_(Emitter& in, const Arguments& args) { return extreme(in, args, "min"); }
Operand max_(Emitter& in, const Arguments& args) { return extreme(in, args, "max"); }

Operand pow_(Emitter& in, const Arguments& args) {
  const auto bound = by_name(in, args, {"base", "exp", "mod"}, 2);
  if (!bound) return error();
  if (!(*bound)[2].is_error()) {
    in.not_supported(args.span, "pow() with a modulus");
    return error();
  }
  return binary_operands(in, ast::Operator::kPow, (*bound)[0], (*bound)[1], args.span);
}

Operand divmod_(Emitter& in, const Arguments& args) {
  if (!positional(args, 2, 2)) return bad_arguments(in, args);
  if (array_argument(in, args)) return error();
  ir::Expr *l = scalar(in, args, 0), *r = scalar(in, args, 1);
  if (!l || !r) return bad_arguments(in, args);
  return to_operand(divmod(in, l, r, args.span));
}

Operand round_(Emitter& in, const Arguments& args) {
  const auto bound = by_name(in, args, {"number", "ndigits"}, 1);
  if (!bound) return error();
  if (array_argument(in, args)) return error();
  Arguments plain = args;
  plain.keywords.clear();
  plain.args = {(*bound)[0]};
  const bool digits = !(*bound)[1].is_error() && !(*bound)[1].is<None>();
  ir::Expr* x = scalar(in, plain, 0);
  if (!x || !x->type->is_real()) return bad_arguments(in, args);
  const bool whole = !x->type->is_float();
  if (whole && !digits) return to_operand(cast(in, x, types::int64()));
  const bool numba = in.context().by_numba();
  if (whole && numba) {  // round(int, n) is a float there
    const bool small = x->type->bits <= 8 || (x->type->bits == 16 && x->type->is_signed);
    x = cast(in, x, small ? types::float32() : types::float64());
  }
  plain.args = {to_operand(x)};
  if (digits) plain.args.push_back((*bound)[1]);
  return registry_call(in, plain, *builtins::find("builtins.round"));
}

Operand sum_(Emitter& in, const Arguments& args) {
  const auto bound = by_name(in, args, {"iterable", "start"}, 1);
  if (!bound) return error();
  const bool started = !(*bound)[1].is_error();
  ir::Expr* total = started ? value_of(in, (*bound)[1], args.span) : in.const_int(0);
  const Operand& items = (*bound)[0];
  if (ir::Expr* line = line_of(in, items, args.span))
    return total->type->is_scalar() ? sum_of(in, line, total, args.span) : bad_arguments(in, args);
  if (array_argument(in, args)) return error();
  if (!items.is_value() || !items.type()->is_tuple()) return bad_arguments(in, args);
  ir::Expr* tuple = items.value();
  if (tuple->kind != ir::ExprKind::kTuple) tuple = in.once(tuple);
  for (size_t i = 0; i < tuple->type->items.size(); ++i) {
    ir::Expr* item = tuple_item(in, tuple, int(i), args.span);
    if (i == 0 && !started && item->type == types::int64()) {
      total = item;
      continue;
    }
    total = binary(in, ast::Operator::kAdd, total, item, args.span);
  }
  return to_operand(total);
}

// The type of a range's items: docs/typing.md#ranges. Numba takes floats as if they were int32.
const Type* range_type(const std::vector<ir::Expr*>& values) {
  bool all_small = true, all_unsigned = true, some_unsigned = false;
  bool wide_unsigned = values.size() == 3;  // range(uint64, uint64, 1)
  bool some_float = false;
  for (size_t i = 0; i < values.size(); ++i) {
    const Type* t = values[i]->type;
    const bool is_unsigned = t->is_int() && !t->is_signed;
    some_unsigned |= is_unsigned;
    all_unsigned &= is_unsigned || t->is_bool();
    some_float |= t->is_float();
    all_small &= t->is_bool() || t->is_float() || (t->bits <= 32 && t->is_signed) || t->bits <= 16;
    if (i < 2) wide_unsigned &= is_unsigned;
  }
  wide_unsigned = wide_unsigned && (values[0]->type->bits == 64 || values[1]->type->bits == 64);
  if (some_float) return all_small && !some_unsigned ? types::int32() : types::int64();
  if ((all_unsigned && some_unsigned) || wide_unsigned) return types::uint64();
  return all_small ? types::int32() : types::int64();
}

Operand range_(Emitter& in, const Arguments& args) {
  if (!positional(args, 1, 3)) return bad_arguments(in, args);
  std::vector<ir::Expr*> values;
  for (size_t i = 0; i < args.args.size(); ++i) {
    ir::Expr* e = scalar(in, args, i);
    if (!e) return bad_arguments(in, args);
    const bool cut = e->type->is_float() && in.context().by_numba();
    if (!cut && !e->type->is_int() && !e->type->is_bool()) return bad_arguments(in, args);
    if (cut) {
      in.report(e->span, diag::RangeOfFloat, types::print(e->type))
          .help("convert it yourself: `range(int(n))`");
    }
    values.push_back(e);
  }
  const Type* type = range_type(values);
  const auto bound = [&](ir::Expr* e) { return Value(cast(in, e, type)); };
  ir::Expr* lo = values.size() == 1 ? in.const_int(0) : values[0];
  ir::Expr* hi = values.size() == 1 ? values[0] : values[1];
  ir::Expr* step = values.size() == 3 ? values[2] : in.const_int(1);
  const bool parallel = args.path == "numba.prange";
  return {Range{bound(lo), bound(hi), bound(step), parallel}, args.span};
}

Operand enumerate_(Emitter& in, const Arguments& args) {
  auto bound = by_name(in, args, {"iterable", "start"}, 1);
  if (!bound) return error();
  if ((*bound)[1].is_error()) (*bound)[1] = to_operand(in.const_int(0));
  return {Enumerate{std::move(*bound)}, args.span};
}

Operand zip_(Emitter& in, const Arguments& args) {
  if (!args.keywords.empty()) {
    in.not_supported(args.span, "zip() with keywords");
    return error();
  }
  return {Zip{args.args}, args.span};
}

Operand reversed_(Emitter& in, const Arguments& args) {
  if (!positional(args, 1, 1)) return bad_arguments(in, args);
  return {Reversed{args.args}, args.span};
}

Operand slice_(Emitter& in, const Arguments& args) {
  if (!positional(args, 1, 3)) return bad_arguments(in, args);
  Slice slice{std::vector<Operand>(3, {None{}, args.span})};
  if (args.args.size() == 1) slice.parts[1] = args.args[0];
  for (size_t i = 0; args.args.size() > 1 && i < args.args.size(); ++i) {
    slice.parts[i] = args.args[i];
  }
  return {std::move(slice), args.span};
}

Operand tuple_(Emitter& in, const Arguments& args) {
  if (!positional(args, 0, 1)) return bad_arguments(in, args);
  if (args.args.empty()) return to_operand(in.make_tuple({}, args.span));
  const Operand& o = args.args[0];
  if (o.is<Pack>() || (o.is_value() && o.type()->is_tuple())) return o;
  return bad_arguments(in, args);
}

// What isinstance() may name: Python's classes as Numba reads them, or scalar types.
bool is_instance(const Operand& value, const Operand& of, bool& known) {
  known = true;
  if (of.is<Pack>()) {
    bool found = false;
    for (const Operand& part : of.parts()) {
      bool part_known = true;
      found |= is_instance(value, part, part_known);
      known &= part_known;
    }
    return found;
  }
  const Type* type = value.type();
  const std::string_view path = of.is<Qualified>() ? of.as<Qualified>().path : "";
  if (path == "builtins.int") return type == types::int64() || (type && type->is_bool());
  if (path == "builtins.tuple") return value.is<Pack>() || (type && type->is_tuple());
  if (path == "builtins.str") return value.is<Str>();
  if (path == "numpy.ndarray") return type && type->is_array();
  if (const Type* named = of.is<Str>() ? nullptr : named_type(of)) return type == named;
  known = false;
  return false;
}

Operand isinstance_(Emitter& in, const Arguments& args) {
  if (!positional(args, 2, 2)) return bad_arguments(in, args);
  bool known = true;
  const bool is = is_instance(args.args[0], args.args[1], known);
  if (!known) return bad_arguments(in, args);
  return to_operand(in.const_bool(is, args.span));
}

// type(x)(1): as x.dtype
Operand type_(Emitter& in, const Arguments& args) {
  const bool one = positional(args, 1, 1) && args.args[0].is_value();
  const Type* type = one ? args.args[0].type() : nullptr;
  if (!one || !type->is_scalar()) return bad_arguments(in, args);
  return {DType{type}, args.span};
}

// all((a, b)), any((a, b))
Operand quantifier(Emitter& in, const Arguments& args, bool all) {
  if (!positional(args, 1, 1)) return bad_arguments(in, args);
  if (array_argument(in, args)) return error();
  if (!args.args[0].is_value() || !args.args[0].type()->is_tuple()) return bad_arguments(in, args);
  ir::Expr* tuple = args.args[0].value();
  if (tuple->kind != ir::ExprKind::kTuple) tuple = in.once(tuple);
  ir::Expr* result = in.const_bool(all, args.span);
  for (size_t i = tuple->type->items.size(); i-- > 0;) {
    ir::Expr* item = truth(in, tuple_item(in, tuple, int(i), args.span), args.span);
    result = logical(in, all, item, result, args.span);
  }
  return to_operand(result);
}
Operand all_(Emitter& in, const Arguments& args) { return quantifier(in, args, true); }
Operand any_(Emitter& in, const Arguments& args) { return quantifier(in, args, false); }

// The pieces of a formatted line: tuples item by item, punctuation as text.
class Formatted {
 public:
  Formatted(Emitter& in, Span span) : in_(in), span_(span) {}

  // False: reported.
  bool add(ir::Expr* e) {
    if (!e->type->is_tuple()) {
      const bool known = e->type->is_real() || e->type->is_str();
      if (!known)
        in_.not_supported(span_,
                          fmt::format("print() of {} in code for the GPU", types::print(e->type)),
                          "print its parts, or store it in an array and print that afterwards");
      items_.push_back(e);
      return known;
    }
    ir::Expr* tuple = in_.once(e, "items");
    const size_t count = tuple->type->items.size();
    text("(");
    for (size_t k = 0; k < count; ++k) {
      if (k > 0) text(", ");
      if (!add(in_.make(ir::Item{
              {ir::ExprKind::kItem, tuple->type->items[k], span_}, tuple, static_cast<int>(k)})))
        return false;
    }
    text(count == 1 ? ",)" : ")");
    return true;
  }
  void text(std::string_view text) { items_.push_back(in_.const_str(text, span_)); }
  std::vector<ir::Expr*> take() { return std::move(items_); }

 private:
  Emitter& in_;
  Span span_;
  std::vector<ir::Expr*> items_{};
};

bool has_none(const types::Type* type) {
  return type->is_none() || std::ranges::any_of(type->items, has_none);
}

Operand print_(Emitter& in, const Arguments& args) {
  if (!args.keywords.empty()) {
    in.not_supported(args.span, "print() with keywords");
    return error();
  }
  std::vector<ir::Expr*> items;
  for (const Operand& o : args.args) {
    ir::Expr* e = o.is<None>() ? in.const_str("None", args.span) : value_of(in, o, o.span);
    if (is_error(e)) return error();
    if (e->type->is_array()) return to_operand(array_expression(in, args.span, "print()"));
    if (types::holds_container(e->type)) {
      in.not_supported(o.span, "print() of a list, set or dict", "print its items one by one");
      return error();
    }
    const auto* text = ir::try_as<ir::Const>(e);
    if (text && e->type->is_str() && text->value.text.find('\0') != std::string_view::npos) {
      in.not_supported(o.span, "print() of text that holds a zero character");
      return error();
    }
    if (has_none(e->type)) {
      in.not_supported(o.span, "print() of a tuple that holds None", "print its items one by one");
      return error();
    }
    items.push_back(e);
  }
  if (in.on_cuda()) {
    Formatted formatted(in, args.span);
    for (size_t k = 0; k < items.size(); ++k) {
      if (k > 0) formatted.text(" ");
      if (!formatted.add(items[k])) return error();
    }
    formatted.text("\n");
    items = formatted.take();
  }
  const auto form = in.on_cuda() ? ir::PrintForm::kFormat : ir::PrintForm::kLine;
  in.emit(in.make(ir::Print{{ir::StmtKind::kPrint, args.span}, in.list(std::move(items)), form}));
  return {None{}, args.span};
}

}  // namespace

ir::Expr* most_threads(Emitter& in, Span span) {
  ir::Expr* asked = in.make(ir::Builtin{{ir::ExprKind::kBuiltin, types::int64(), span},
                                        &builtins::row(builtins::Id::pyk_most_threads),
                                        {},
                                        {}});
  return in.spill(asked, "most");
}

namespace {

Operand set_num_threads(Emitter& in, const Arguments& args) {
  const auto bound = by_name(in, args, {"n"}, 1);
  if (!bound) return error();
  ir::Expr* count = value_of(in, (*bound)[0], args.span);
  if (is_error(count)) return error();
  if (!count->type->is_int()) return bad_arguments(in, args);
  Arguments checked = args;
  checked.keywords.clear();
  count = in.once(cast(in, count, types::int64()), "count");
  checked.args = {to_operand(count)};
  const auto raise_if = [&](types::CompareOp op, ir::Expr* limit) {
    in.raise_if(make_compare(in, op, count, limit, args.span), "ValueError",
                "The number of threads must be between 1 and NUMBA_NUM_THREADS", args.span);
  };
  raise_if(types::CompareOp::kLt, in.const_int(1));
  raise_if(types::CompareOp::kGt, most_threads(in, args.span));
  return registry_call(in, checked, builtins::row(builtins::Id::numba_set_num_threads));
}

constexpr HandlerRow kHandlers[] = {
    {"builtins.all", all_},
    {"builtins.any", any_},
    {"builtins.bool", bool_},
    {"builtins.complex", complex_},
    {"builtins.divmod", divmod_},
    {"builtins.enumerate", enumerate_},
    {"builtins.float", float_},
    {"builtins.int", int_},
    {"builtins.isinstance", isinstance_},
    {"builtins.len", len_},
    {"builtins.max", max_},
    {"builtins.min", min_},
    {"builtins.pow", pow_},
    {"builtins.print", print_},
    {"builtins.range", range_},
    {"builtins.reversed", reversed_},
    {"builtins.round", round_},
    {"builtins.slice", slice_},
    {"builtins.sum", sum_},
    {"builtins.tuple", tuple_},
    {"builtins.type", type_},
    {"builtins.zip", zip_},
    {"numba.prange", range_},
    {"numba.set_num_threads", set_num_threads},
};

}  // namespace

std::span<const HandlerRow> scalar_handlers() { return kHandlers; }

}  // namespace pyk2cu::infer
