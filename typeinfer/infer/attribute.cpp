// Attributes: of modules, of arrays (shape, T, dtype…), of numbers (real, imag), and methods.
//
// In:   an operand and a name.  Out: a value, a dtype, a qualified name, or a kMethod to be called.
// qualified() is where an imported name becomes what it stands for: np.float32 a dtype, math.pi a
// constant, cuda.threadIdx.x a Lane; unknown members are reported with the nearest known name.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp and tests/run/test_limits.py.
#include <algorithm>

#include "frontend/base/suggest.h"
#include "typeinfer/decorators/paths.h"
#include "typeinfer/fold/parts.h"
#include "typeinfer/infer/constants.h"
#include "typeinfer/infer/lists.h"
#include "typeinfer/infer/tables.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::infer {

namespace {

constexpr std::string_view kArrayAttributes[] = {"shape", "ndim",   "size",   "strides", "T",
                                                 "dtype", "nbytes", "real",   "imag",    "itemsize",
                                                 "flat",  "copy",   "astype", "fill",    "sum"};
constexpr std::string_view kArrayMethods[] = {
    "all",  "any",       "argmax",   "argmin",  "argsort",     "astype",   "clip",
    "conj", "conjugate", "copy",     "cumprod", "cumsum",      "diagonal", "dot",
    "fill", "flatten",   "item",     "max",     "mean",        "min",      "nonzero",
    "prod", "ptp",       "ravel",    "repeat",  "reshape",     "round",    "sort",
    "std",  "sum",       "take",     "tobytes", "tolist",      "trace",    "transpose",
    "var",  "view",      "swapaxes", "squeeze", "searchsorted"};
constexpr std::string_view kArrayNotYet[] = {"base", "data", "flags", "ctypes"};
constexpr std::string_view kScalarMethods[] = {"conjugate",  "conj",      "item", "is_integer",
                                               "bit_length", "bit_count", "view"};

template <size_t N>
bool contains(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

Operand method(ir::Expr* object, Symbol name, Span span) {
  return {Method{name, Value(object)}, span};
}

Operand dtype(const Type* type, Span span) { return {DType{type}, span}; }

Operand no_attribute(Emitter& in, const Type* type, Symbol name, Span span,
                     std::span<const std::string_view> known = {}) {
  auto builder = in.report(span, diag::NoAttribute, types::print(type), name.str());
  if (const auto near = closest(name.str(), known); !near.empty()) {
    builder.help("did you mean `" + std::string(near) + "`?");
  }
  return error();
}

// pyk::real and the like: not functions of the language, so not in the registry.
Operand component(Emitter& in, std::string_view which, ir::Expr* z, const Type* type, Span span) {
  return to_operand(in.make(ir::Builtin{{ir::ExprKind::kBuiltin, type, span},
                                        which == "real" ? &builtins::row(builtins::Id::pyk_real)
                                                        : &builtins::row(builtins::Id::pyk_imag),
                                        in.list(std::vector<ir::Expr*>{z})}));
}

// The type of z.real and z.imag: views of every other number.
const Type* components(const Type* type) {
  return types::array(types::component(type->elem), type->rank, types::Layout::kA, type->readonly,
                      type->aligned);
}

// r.x, a.x
Operand field(Emitter& in, ir::Expr* array, Symbol name, Span span) {
  const auto k = find_field(in, array->type, name.str(), span);
  return k ? to_operand(field_of(in, array, *k, span)) : error();
}

Operand array_attribute(Emitter& in, ir::Expr* array, Symbol attr, Span span) {
  const std::string_view name = attr.str();
  const Type* type = array->type;
  if (name == "shape") return to_operand(shape_of(in, array, span));
  if (name == "ndim") return to_operand(in.const_int(type->rank, types::int64(), span));
  if (name == "size") return to_operand(query(in, ir::QueryOp::kSize, array, 0, span));
  if (name == "nbytes") return to_operand(query(in, ir::QueryOp::kNBytes, array, 0, span));
  if (name == "dtype") return dtype(type->elem, span);
  if (name == "itemsize") {
    return to_operand(in.const_int(types::item_size(type->elem), types::int64(), span));
  }
  if (name == "strides") {
    array = in.once(array);
    std::vector<ir::Expr*> items;
    for (int k = 0; k < type->rank; ++k) {
      items.push_back(query(in, ir::QueryOp::kStride, array, k, span));
    }
    return to_operand(in.make_tuple(std::move(items), span));
  }
  if (name == "T") return to_operand(transposed(in, array, span));
  if (name == "flat") return {Flat{Value(array), span}, span};
  if (name == "real" && !type->elem->is_complex()) return to_operand(array);
  if ((name == "real" || name == "imag") && type->elem->is_complex())
    return component(in, name, array, components(type), span);
  if (name == "imag" || contains(kArrayNotYet, name)) {
    in.report(span, diag::NotYet, "." + std::string(name));
    return error();
  }
  if (contains(kArrayMethods, name)) return method(array, attr, span);
  if (holds_records(type)) return field(in, array, attr, span);
  return no_attribute(in, type, attr, span, kArrayAttributes);
}

Operand scalar_attribute(Emitter& in, ir::Expr* x, Symbol attr, Span span) {
  const std::string_view name = attr.str();
  const Type* type = x->type;
  if (name == "real" || name == "imag") {
    if (type->is_complex()) return component(in, name, x, types::component(type), span);
    return to_operand(name == "real" ? x : cast(in, in.const_int(0), type));
  }
  if (name == "dtype") return dtype(type, span);
  if (name == "ndim") return to_operand(in.const_int(0));
  if (contains(kScalarMethods, name)) return method(x, attr, span);
  return no_attribute(in, type, attr, span);
}

Operand value_attribute(Emitter& in, ir::Expr* value, Symbol attr, Span span) {
  value = unwrap(in, value, span);
  const Type* type = value->type;
  if (holds_records(type) && type->rank == 0) return field(in, value, attr, span);
  if (type->is_array()) return array_attribute(in, value, attr, span);
  if (type->is_scalar()) return scalar_attribute(in, value, attr, span);
  if (type->is_list() && is_list_method(attr.str())) return method(value, attr, span);
  if (type->is_table() && is_table_method(type, attr.str())) return method(value, attr, span);
  if (type->is_tuple()) {
    for (size_t i = 0; i < type->names.size(); ++i) {
      if (type->names[i] == attr) return to_operand(tuple_item(in, value, int(i), span));
    }
    if (attr == "count" || attr == "index") return method(value, attr, span);
  }
  return no_attribute(in, type, attr, span);
}

Operand dtype_attribute(Emitter& in, const Operand& o, Symbol attr, Span span) {
  const Type* type = o.as<DType>().type;
  if (attr == "type" || attr == "dtype") return o;
  if (attr == "itemsize") {
    return to_operand(in.const_int(types::item_size(type), types::int64(), span));
  }
  if (!type->is_scalar()) return no_attribute(in, type, attr, span);
  const std::string code = types::dtype_name(type);  // f8; ? of truths
  const std::string size = type->is_bool() ? "1" : code.substr(1);
  const auto text = [&](const std::string& said) {
    return Operand{Str{in.context().program().keep(said)}, span};
  };
  if (attr == "kind") return text(type->is_bool() ? "b" : code.substr(0, 1));
  if (attr == "name") return text(type->is_bool() ? "bool" : types::print(type));
  if (attr == "str") return text(type->is_bool() ? "|b1" : (size == "1" ? "|" : "<") + code);
  return no_attribute(in, type, attr, span);
}

// np.iinfo(t).max: Numba has Python's integers and floats of the type.
Operand limit(Emitter& in, const Type* type, Symbol attr, Span span) {
  const char* function = type->is_int() ? "numpy.iinfo" : "numpy.finfo";
  const auto value = fold::type_info(function, type, attr.str());
  if (value) return constant(in, *value, attr, span);
  in.report(span, diag::UnknownMember, user_path(function), attr.str());
  return error();
}

bool names_types(std::string_view module) {
  static constexpr std::string_view kModules[] = {"numpy", "numba", "numba.types",
                                                  "numba.core.types"};
  return contains(kModules, module);
}

Operand registry_constant(Emitter& in, const builtins::Row& row, Span span) {
  const Type* type = types::find_scalar(row.signature);
  if (!type) type = types::float64();
  if (type->is_bool()) return to_operand(in.const_bool(row.constant != 0, span));
  if (type->is_int()) return to_operand(in.const_int(int64_t(row.constant), type, span));
  ir::Expr* e = in.const_float(row.constant, type, span);
  if (row.module() == "cmath" && (row.name == "infj" || row.name == "nanj")) {
    ir::as<ir::Const>(e)->value.number = {0, row.constant};
  }
  return to_operand(e);
}

}  // namespace

const Type* named_type(const Operand& o) {
  if (o.is<DType>()) return o.as<DType>().type;
  if (o.is<Str>()) {
    const std::string_view text = o.as<Str>().text;
    const Type* type = types::find_scalar(text);
    return type ? type : types::find_dtype(text);
  }
  const auto* name = std::get_if<Qualified>(&o.meaning);
  if (!name) return nullptr;
  if (name->path == "builtins.int") return types::int64();
  if (name->path == "builtins.float") return types::float64();
  if (name->path == "builtins.bool") return types::boolean();
  if (name->path == "builtins.complex") return types::complex128();
  return nullptr;
}

ir::Expr* query(Emitter& in, ir::QueryOp op, ir::Expr* array, int axis, Span span) {
  if (array->kind == ir::ExprKind::kGlobal && op == ir::QueryOp::kShape) {
    return in.const_int(ir::as<ir::Global>(array)->array->shape[size_t(axis)], types::int64(),
                        span);
  }
  return in.make(ir::Query{{ir::ExprKind::kQuery, types::int64(), span}, op, array, axis});
}

ir::Expr* shape_of(Emitter& in, ir::Expr* array, Span span) {
  array = in.once(array);
  std::vector<ir::Expr*> items;
  for (int k = 0; k < array->type->rank; ++k) {
    items.push_back(query(in, ir::QueryOp::kShape, array, k, span));
  }
  return in.make_tuple(std::move(items), span);
}

ir::Expr* transposed(Emitter& in, ir::Expr* array, Span span) {
  const Type* type = array->type;
  if (type->rank < 2) return array;
  const types::Layout layout = type->layout == types::Layout::kC   ? types::Layout::kF
                               : type->layout == types::Layout::kF ? types::Layout::kC
                                                                   : types::Layout::kA;
  return in.make(ir::Builtin{{ir::ExprKind::kBuiltin, types::with_layout(type, layout), span},
                             &builtins::row(builtins::Id::pyk_transpose),
                             in.list(std::vector<ir::Expr*>{array})});
}

namespace {

// Color.RED.value: nothing unless it begins with a class or file of the module.
std::optional<Operand> member_value(Expressions& in, const ast::Attribute& e) {
  const ast::Expr* root = e.value;
  while (const auto* inner = ast::as<ast::Attribute>(root)) root = inner->value;
  const auto* name = ast::as<ast::Name>(root);
  const decorators::ModuleInfo& module = in.emitter().context().module();
  const auto* base = ast::as<ast::Attribute>(e.value);
  if (!name || !base || !module.module_of(*base->value)) return std::nullopt;
  if (in.names().versions().locals.contains(name->id)) return std::nullopt;
  const auto value = fold::fold(e, decorators::ModuleScope(module));
  if (!value) return std::nullopt;
  return constant(in.emitter(), *value, e.attr, e.span);
}

// Of np.empty(0, dtype=a.dtype).dtype the type alone is asked: the last statements of the block
// that only make values, from `begin` on, go again; loops that fill arrays stay.
void drop_values(Emitter& in, size_t begin) {
  ir::Block& block = in.block();
  const auto makes_value = [](const ir::Stmt* s) {
    const auto* a = ir::try_as<ir::Assign>(s);
    return a && a->local->is_temp &&
           (a->value->kind == ir::ExprKind::kNewArray || !ir::has_effect(a->value));
  };
  while (block.size() > begin && makes_value(block.back())) {
    std::erase(in.context().function().locals, ir::as<ir::Assign>(block.back())->local);
    block.pop_back();
  }
}

}  // namespace

Operand attribute(Expressions& in, const ast::Attribute& e) {
  Emitter& out = in.emitter();
  if (const auto known = member_value(in, e)) return *known;
  const size_t begin = out.block().size();
  const Operand base = in.operand(*e.value);
  if (base.is_error()) return error();
  if (const auto* name = std::get_if<Qualified>(&base.meaning))
    return qualified(out, name->path + "." + std::string(e.attr.str()), e.span);
  if (base.is<Module>()) return module_member(out, *base.as<Module>().info, e.attr, e.span);
  if (base.is<DType>()) return dtype_attribute(out, base, e.attr, e.span);
  if (base.is<TypeInfo>()) return limit(out, base.as<TypeInfo>().type, e.attr, e.span);
  if (!base.is_value() && !base.is<Pack>()) {
    out.report(e.span, diag::NotAValue, describe(base));
    return error();
  }
  Operand found = value_attribute(out, value_of(out, base, e.span), e.attr, e.span);
  if (found.is<DType>()) drop_values(out, begin);
  if (found.is<Flat>()) in.context().renew(e.span);
  return found;
}

Operand qualified(Emitter& in, const std::string& given, Span span) {
  const std::string path = decorators::canonical(given);
  const size_t dot = path.rfind('.');
  const std::string module(path, 0, dot == std::string::npos ? 0 : dot);
  const std::string last(path, dot == std::string::npos ? 0 : dot + 1);
  const Operand o{Qualified{path}, span};
  if (is_module_path(path)) return o;
  if (const auto lane = cuda_name(in, path, span)) return *lane;
  if (names_types(module)) {
    if (const Type* type = types::find_scalar(last)) return dtype(type, span);
  }
  if (path == "numpy.newaxis") return {None{}, span};
  if (path == "numba.config.NUMBA_NUM_THREADS") return to_operand(most_threads(in, span));
  if (path == "numpy.True_" || path == "numpy.False_") {
    return to_operand(in.const_bool(path == "numpy.True_", span));
  }
  if (const builtins::Row* row = builtins::find(path)) {
    return row->is_constant() ? registry_constant(in, *row, span) : o;
  }
  if (is_builtin(path) || module.empty() || is_in_library(in, path)) return o;
  // Numbers that hosts may have given a name.
  if (module == "scipy.constants" || path.starts_with("sys.") || path == "os.name")
    if (const auto value = fold::constant(path)) return constant(in, *value, Symbol(last), span);
  if (!is_module_path(module)) return o;
  if (module == "builtins") return o;  // one of Python's that is not here: calls say so
  auto builder = in.report(span, diag::UnknownMember, user_path(module), last);
  if (const std::string near = nearest_builtin(path); !near.empty()) {
    builder.help("did you mean `" + user_path(module) + "." + near + "`?");
  }
  return error();
}

}  // namespace pyk2cu::infer
