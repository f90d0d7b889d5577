// Calls of names that modules offer: math.sqrt, np.zeros, len, cuda.grid.
//
// In:   the qualified name and the arguments.  Out: an operand.
// What needs more than a signature has a handler here or in builtin_scalar.cpp, builtin_array.cpp,
// builtin_cuda.cpp; everything else is typed by the registry and becomes an ir::Builtin.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "frontend/base/suggest.h"
#include "typeinfer/infer/elementwise.h"
#include "typeinfer/infer/library.h"
#include "typeinfer/infer/lists.h"
#include "typeinfer/infer/tables.h"

namespace pyk2cu::infer {

namespace {

constexpr std::string_view kModules[] = {"builtins",
                                         "math",
                                         "cmath",
                                         "numpy",
                                         "numpy.random",
                                         "numba",
                                         "numba.config",
                                         "numba.types",
                                         "numba.typed",
                                         "numba.typed.List",
                                         "numba.typed.Dict",
                                         "numba.cuda",
                                         "numba.cuda.random",
                                         "operator",
                                         "random",
                                         "numba.core.types",
                                         "numba.core",
                                         "numpy.linalg",
                                         "numpy.lib",
                                         "numpy.lib.stride_tricks",
                                         "numba.cuda.atomic",
                                         "numba.cuda.shared",
                                         "numba.cuda.local",
                                         "numba.cuda.const",
                                         "numba.cuda.threadIdx",
                                         "numba.cuda.blockIdx",
                                         "numba.cuda.blockDim",
                                         "numba.cuda.gridDim"};

// Functions of NumPy on whole arrays: known, and refused with their own message.
constexpr std::string_view kArrayFunctions[] = {
    "all",         "allclose",      "amax",        "amin",         "any",
    "append",      "arange",        "argmax",      "argmin",       "argsort",
    "array",       "asarray",       "atleast_1d",  "average",      "broadcast_to",
    "clip",        "column_stack",  "concatenate", "convolve",     "copy",
    "corrcoef",    "count_nonzero", "cross",       "cumprod",      "cumsum",
    "diag",        "diff",          "dot",         "dstack",       "ediff1d",
    "expand_dims", "eye",           "flip",        "fliplr",       "flipud",
    "histogram",   "hstack",        "identity",    "inner",        "interp",
    "isclose",     "kron",          "linspace",    "logspace",     "matmul",
    "max",         "mean",          "median",      "meshgrid",     "min",
    "nanmax",      "nanmean",       "nanmin",      "nansum",       "ndenumerate",
    "ndindex",     "nonzero",       "outer",       "percentile",   "polyval",
    "prod",        "ptp",           "quantile",    "ravel",        "repeat",
    "reshape",     "roll",          "rot90",       "searchsorted", "sort",
    "split",       "stack",         "std",         "sum",          "take",
    "tensordot",   "tile",          "trace",       "transpose",    "trapz",
    "tri",         "tril",          "triu",        "unique",       "vander",
    "var",         "vdot",          "vstack",      "where",        "swapaxes",
    "squeeze",     "shape",         "size",        "ndim",         "ascontiguousarray",
    "frombuffer",  "fromiter",      "gradient"};

using Table = std::unordered_map<std::string_view, Handler>;

const Table& table() {
  static const Table handlers = [] {
    Table t;
    for (const auto rows :
         {scalar_handlers(), array_handlers(), cuda_handlers(), items_handlers(), reduce_handlers(),
          series_handlers(), function_handlers(), strided_handlers(), list_handlers()}) {
      for (const HandlerRow& row : rows) t.emplace(row.path, row.handler);
    }
    return t;
  }();
  return handlers;
}

bool is_array_function(std::string_view path) {
  if (!path.starts_with("numpy.")) return false;
  return std::find(std::begin(kArrayFunctions), std::end(kArrayFunctions), path.substr(6)) !=
             std::end(kArrayFunctions) ||
         path.starts_with("numpy.linalg.");
}

// Checks that the target has the function.
bool on_target(Emitter& in, const Arguments& args, const builtins::Row& row) {
  if ((row.flags & builtins::kCudaOnly) && !in.on_cuda()) {
    in.report(args.span, diag::CudaOnly, args.path);
    return false;
  }
  if ((row.flags & builtins::kCpuOnly) && in.on_cuda()) {
    in.report(args.span, diag::NotOnCuda, args.path);
    return false;
  }
  return true;
}

// The operators that Python's `operator` module spells as functions.
struct OperatorRow {
  std::string_view name;
  ast::Operator op;
};
constexpr OperatorRow kBinary[] = {
    {"add", ast::Operator::kAdd},           {"sub", ast::Operator::kSub},
    {"mul", ast::Operator::kMult},          {"truediv", ast::Operator::kDiv},
    {"floordiv", ast::Operator::kFloorDiv}, {"mod", ast::Operator::kMod},
    {"pow", ast::Operator::kPow},           {"lshift", ast::Operator::kLShift},
    {"rshift", ast::Operator::kRShift},     {"and_", ast::Operator::kBitAnd},
    {"or_", ast::Operator::kBitOr},         {"xor", ast::Operator::kBitXor},
    {"matmul", ast::Operator::kMatMult}};
struct CompareRow {
  std::string_view name;
  ast::CompareOperator op;
};
constexpr CompareRow kCompare[] = {
    {"eq", ast::CompareOperator::kEq},  {"ne", ast::CompareOperator::kNotEq},
    {"lt", ast::CompareOperator::kLt},  {"le", ast::CompareOperator::kLtE},
    {"gt", ast::CompareOperator::kGt},  {"ge", ast::CompareOperator::kGtE},
    {"is_", ast::CompareOperator::kIs}, {"is_not", ast::CompareOperator::kIsNot}};
struct UnaryRow {
  std::string_view name;
  ast::UnaryOperator op;
};
constexpr UnaryRow kUnary[] = {{"neg", ast::UnaryOperator::kUSub},
                               {"pos", ast::UnaryOperator::kUAdd},
                               {"invert", ast::UnaryOperator::kInvert},
                               {"inv", ast::UnaryOperator::kInvert}};

std::optional<Operand> operator_call(Emitter& in, const Arguments& args, std::string_view name) {
  const size_t n = args.args.size();
  std::string_view plain = name;  // iadd is add
  if (plain.size() > 3 && plain[0] == 'i' && !plain.starts_with("is_") && plain != "invert" &&
      plain != "inv") {
    plain.remove_prefix(1);
  }
  for (const OperatorRow& row : kBinary) {
    if (n == 2 && (row.name == plain || row.name == std::string(plain) + "_")) {
      return binary_operands(in, row.op, args.args[0], args.args[1], args.span);
    }
  }
  for (const CompareRow& row : kCompare) {
    if (n != 2 || row.name != name) continue;
    return to_operand(compare(in, row.op, args.args[0], args.args[1], args.span));
  }
  for (const UnaryRow& row : kUnary) {
    if (n != 1 || row.name != name) continue;
    return to_operand(unary(in, row.op, value_of(in, args.args[0], args.span), args.span));
  }
  if (name == "contains" && n == 2) {
    return to_operand(
        compare(in, ast::CompareOperator::kIn, args.args[1], args.args[0], args.span));
  }
  if (name == "getitem" && n == 2) {
    return subscript_of(in, args.args[0], args.args[1], args.span);
  }
  if ((name == "not_" || name == "truth") && n == 1) {
    ir::Expr* is_true = truth(in, value_of(in, args.args[0], args.span), args.span);
    return to_operand(name == "truth" ? is_true : negate(in, is_true));
  }
  return std::nullopt;
}

Operand unknown(Emitter& in, const Arguments& args, const std::string& path) {
  if (path.starts_with("numba.cuda")) {
    in.report(args.span, diag::NotYet, args.path);
    return error();
  }
  if (is_array_function(path)) {
    return to_operand(array_expression(in, args.span, args.path + "()"));
  }
  if (is_module_path(path)) {
    in.report(args.span, diag::NotCallable, "the module `" + args.path + "`");
    return error();
  }
  const size_t dot = path.rfind('.');
  const std::string module = dot == std::string::npos ? "builtins" : path.substr(0, dot);
  if (module == "builtins") {
    in.report(args.span, diag::NotYet, args.path + "()");
    return error();
  }
  auto builder = in.report(args.call ? args.call->func->span : args.span, diag::UnknownMember,
                           user_path(module), path.substr(dot + 1));
  if (const std::string near = nearest_builtin(path); !near.empty()) {
    builder.help("did you mean `" + user_path(module) + "." + near + "`?");
  }
  return error();
}

// np.add(a, b), np.add(a, b, out)
Operand ufunc_of_arrays(Emitter& in, const Arguments& args, const builtins::Row& row,
                        std::vector<ir::Expr*> values) {
  if (!on_host(in, args)) return error();
  const auto elems_of = [](std::span<ir::Expr* const> of) {
    std::vector<const Type*> elems;
    for (const ir::Expr* e : of) elems.push_back(e->type->is_array() ? e->type->elem : e->type);
    return elems;
  };
  const auto takes = [&](size_t count) {
    return builtins::resolve(row, elems_of(std::span(values).first(count)), in.dialect())
        .has_value();
  };
  ir::Expr* out = nullptr;
  if (values.size() > 1 && values.back()->type->is_array() && !takes(values.size()) &&
      takes(values.size() - 1)) {
    out = in.once(values.back(), "out");
    values.pop_back();
  }
  const auto match = builtins::resolve(row, elems_of(values), in.dialect());
  if (match && !match->result->is_scalar()) return refuse_arrays(in, args);
  const std::string name = std::string(row.module()) + "." + std::string(row.name);
  if (!out) return to_operand(ufunc_of(in, name, std::move(values), args.span));
  ir::Expr* made = ufunc_of(in, name, std::move(values), args.span);
  if (is_error(made) || !made->type->is_array()) return error();
  if (types::conversion(made->type->elem, out->type->elem) == types::Conversion::kNone ||
      out->type->readonly) {
    in.report(args.span, diag::CannotConvert, types::print(made->type), types::print(out->type));
    return error();
  }
  copy_into(in, out, made, "non-broadcastable output operand", args.span);
  return to_operand(out);
}

}  // namespace

bool is_module_path(std::string_view path) {
  return std::find(std::begin(kModules), std::end(kModules), path) != std::end(kModules);
}

bool is_builtin(std::string_view path) {
  if (table().contains(path) || is_array_function(path)) return true;
  if (path.starts_with("operator.")) {
    return path == "operator.contains" || path == "operator.getitem" || path == "operator.is_" ||
           path == "operator.is_not" || path == "operator.matmul" || builtins::find(path);
  }
  // cuda.shared.array and the like: known, refused when called.
  return path.starts_with("numba.cuda.") || path.starts_with("numba.core.") ||
         path == "numba.jit" || path == "numba.njit" || path == "numba.literal_unroll" ||
         path == "numba.typed.List.empty_list" || path == "numba.typed.Dict.empty" ||
         path == "numba.objmode" || path == "numba.cuda" || path == "numpy.ndarray";
}

std::string nearest_builtin(std::string_view path) {
  const size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view module = path.substr(0, dot);
  std::vector<std::string_view> names;
  for (const builtins::Row& row : builtins::all()) {
    if (row.module() == module) names.push_back(row.name);
  }
  for (const auto& [known_path, handler] : table()) {
    if (known_path.starts_with(module) && known_path.rfind('.') == dot) {
      names.push_back(known_path.substr(dot + 1));
    }
  }
  if (module == "numpy") {
    names.insert(names.end(), std::begin(kArrayFunctions), std::end(kArrayFunctions));
  }
  std::sort(names.begin(), names.end());
  return std::string(closest(path.substr(dot + 1), names));
}

namespace {

// Random integers of an empty range: ValueError, in front of the call.
void check_range(Emitter& in, const builtins::Row& row, std::vector<ir::Expr*>& values, Span span) {
  using builtins::Id;
  using types::CompareOp;
  const bool closed = row.id == Id::random_randint;  // its last one counts
  if (!closed && row.id != Id::random_randrange && row.id != Id::numpy_random_randint) return;
  for (ir::Expr*& value : values) value = in.once(value, "bound");
  const auto number = [&](int64_t n) { return in.const_int(n, types::int64(), span); };
  const auto is = [&](CompareOp op, ir::Expr* left, ir::Expr* right) {
    return make_compare(in, op, left, right, span);
  };
  ir::Expr* first = values.size() > 1 ? values[0] : number(0);
  ir::Expr* last = values.size() > 1 ? values[1] : values[0];
  ir::Expr* is_empty = is(closed ? CompareOp::kGt : CompareOp::kGe, first, last);
  if (values.size() == 3) {
    ir::Expr* step = values[2];
    in.raise_if(is(CompareOp::kEq, step, number(0)), "ValueError", "zero step for randrange()",
                span);
    is_empty = in.make(ir::Select{{ir::ExprKind::kSelect, types::boolean(), span},
                                  is(CompareOp::kLt, step, number(0)),
                                  is(CompareOp::kLe, first, last),
                                  is_empty});
  }
  in.raise_if(is_empty, "ValueError", "empty range for randrange()", span);
}

}  // namespace

Operand registry_call(Emitter& in, const Arguments& args, const builtins::Row& row) {
  if (const Operand* out = args.keyword("out");
      out && row.is_ufunc() && args.keywords.size() == 1) {
    Arguments plain = args;
    plain.keywords.clear();
    plain.args.push_back(*out);
    return registry_call(in, plain, row);
  }
  if (!args.keywords.empty()) return bad_arguments(in, args);
  if (!on_target(in, args, row)) return error();
  std::vector<ir::Expr*> values;
  std::vector<const Type*> arg_types;
  for (const Operand& o : args.args) {
    if (!o.is_value()) return bad_arguments(in, args);
    values.push_back(unwrap(in, o.value(), args.span));
    arg_types.push_back(values.back()->type);
  }
  if (row.id == builtins::Id::builtins_abs && values.size() == 1 && values[0]->type->is_array())
    return to_operand(ufunc_of(in, "numpy.absolute", std::move(values), args.span));
  if (row.is_ufunc() && has_array(args)) return ufunc_of_arrays(in, args, row, std::move(values));
  const auto match = builtins::resolve(row, arg_types, in.dialect());
  if (!match) {
    if (has_array(args)) {
      return to_operand(array_expression(in, args.span, args.path + "()"));
    }
    bad_arguments(in, args);
    return error();
  }
  for (size_t i = 0; i < values.size(); ++i) values[i] = cast(in, values[i], match->params[i]);
  check_range(in, row, values, args.span);
  if (row.id == builtins::Id::numpy_conjugate && !match->result->is_complex())
    return to_operand(values[0]);
  ir::Expr* e = in.make(ir::Builtin{{ir::ExprKind::kBuiltin, match->result, args.span},
                                    &row,
                                    in.list(std::move(values)),
                                    in.list(match->type_args)});
  if (match->result->kind == types::Kind::kVoid) {
    in.emit_eval(e);
    return {None{}, args.span};
  }
  return to_operand(row.is_pure() ? e : in.spill(e, row.name));
}

const decorators::Definition* find_in_library(Emitter& in, const std::string& name) {
  if (in.on_cuda()) return nullptr;
  for (const decorators::ModuleInfo* file : in.context().unit().sources().library) {
    const decorators::Binding& binding = file->find(Symbol(name));
    if (binding.kind == decorators::Binding::Kind::kDefinition) return binding.definition;
  }
  return nullptr;
}

namespace {

// numpy.random.normal: random_normal; random.shuffle, of the standard library: python_shuffle;
// nothing: no name of theirs.
std::string library_name(std::string_view path) {
  if (path.starts_with("random.")) return fmt::format("python_{}", path.substr(7));
  if (!path.starts_with("numpy.")) return {};
  std::string name(path.substr(6));
  std::ranges::replace(name, '.', '_');
  return name;
}

// By a keyword or the number of arguments where there are several forms (where_1, random_normal_3),
// else by its name.
const decorators::Definition* library_function(Emitter& in, std::string_view path,
                                               const Arguments& args) {
  const std::string name = library_name(path);
  if (name.empty()) return nullptr;
  for (const auto& [keyword, value] : args.keywords)
    if (const auto* form = find_in_library(in, fmt::format("{}_{}", name, keyword.str())))
      return form;
  const size_t count = args.args.size() + args.keywords.size();
  const auto* form = find_in_library(in, fmt::format("{}_{}", name, count));
  return form ? form : find_in_library(in, name);
}

}  // namespace

namespace {

// What the body does not take is refused here: users have not written it.
Operand call_library(Expressions& expressions, const decorators::Definition& definition,
                     const Arguments& args) {
  Context& context = expressions.context();
  const size_t before = context.reports();
  Operand result = call_function(expressions, {Function{&definition}, args.span}, args);
  if (result.is_error() && context.reports() == before && !context.is_pending())
    return bad_arguments(expressions.emitter(), args);
  return result;
}

}  // namespace

bool is_in_library(Emitter& in, std::string_view path) {
  const std::string name = library_name(path);
  return !name.empty() && find_in_library(in, name);
}

Operand array_method(Expressions& expressions, ir::Expr* array, Arguments args) {
  Emitter& in = expressions.emitter();
  const std::string path = "numpy." + args.path;
  const auto found = table().find(path);
  args.args.insert(args.args.begin(), to_operand(array));
  if (const auto* definition = library_function(in, path, args))
    return call_library(expressions, *definition, args);
  if (found != table().end()) return found->second(in, args);
  const bool of_each = args.path == "conj" || args.path == "conjugate" || args.path == "round";
  if (of_each) return registry_call(in, args, *builtins::find(path));
  args.args.erase(args.args.begin());
  return refuse_arrays(in, args);
}

Operand builtin_call(Expressions& expressions, Arguments args, const std::string& path) {
  Emitter& in = expressions.emitter();
  args.path = user_path(path);
  if (any_error(args)) return error();
  if (auto made = list_made(expressions, args, path)) return *made;
  if (auto made = table_made(expressions, args, path)) return *made;
  if (!lists_as_arrays(in, args, path)) return error();
  if (const auto* definition = library_function(in, path, args))
    return call_library(expressions, *definition, args);
  if (const auto found = table().find(path); found != table().end()) {
    Operand result = found->second(in, args);
    const ir::Const* outcome = path == "builtins.isinstance" ? result.constant() : nullptr;
    if (outcome && args.call)
      expressions.early().note_instance_check(*args.call, outcome->value.integer != 0);
    return result;
  }
  if (path.starts_with("operator.") && args.keywords.empty()) {
    if (auto o = operator_call(in, args, std::string_view(path).substr(9))) return *o;
  }
  const builtins::Row* row = builtins::find(path);
  if (!row) return unknown(in, args, path);
  if (row->is_constant()) {
    in.report(args.span, diag::NotCallable, "the constant `" + args.path + "`");
    return error();
  }
  if (row->module() == "cuda" && !row->is_pure() && in.on_cuda()) {
    in.report(args.span, diag::NotYet, args.path);  // barriers: the CPU twin runs threads in turn
    return error();
  }
  return registry_call(in, args, *row);
}

}  // namespace pyk2cu::infer
