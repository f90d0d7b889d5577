// Calls: functions of the program, and what NumPy, math, cuda and Python make of their arguments.
//
// In, out: reader.h.
#include <array>

#include "typeinfer/decorators/defaults.h"
#include "typeinfer/propose/propose.h"
#include "typeinfer/propose/reader.h"

namespace pyk2cu::propose {

namespace {

// What becomes of the first argument.
enum class Role : uint8_t {
  kSame,     // an array in, one of its rank out
  kScalar,   // an array in, a number out
  kIndex,    // an array in, an integer out
  kIndices,  // an array in, integers of its rank out
  kFlat,     // an array in, one of rank 1 out
};

struct Row {
  std::string_view name;
  Role role;
};

// Functions of NumPy and methods of arrays alike.
constexpr Row kRows[] = {
    {"copy", Role::kSame},
    {"astype", Role::kSame},
    {"zeros_like", Role::kSame},
    {"empty_like", Role::kSame},
    {"ones_like", Role::kSame},
    {"full_like", Role::kSame},
    {"sort", Role::kSame},
    {"cumsum", Role::kSame},
    {"cumprod", Role::kSame},
    {"asarray", Role::kSame},
    {"ascontiguousarray", Role::kSame},
    {"fill", Role::kSame},
    {"flip", Role::kSame},
    {"roll", Role::kSame},
    {"diff", Role::kSame},
    {"fft", Role::kSame},
    {"argsort", Role::kIndices},
    {"ravel", Role::kFlat},
    {"flatten", Role::kFlat},
    {"unique", Role::kFlat},
    {"sum", Role::kScalar},
    {"mean", Role::kScalar},
    {"prod", Role::kScalar},
    {"max", Role::kScalar},
    {"min", Role::kScalar},
    {"std", Role::kScalar},
    {"var", Role::kScalar},
    {"median", Role::kScalar},
    {"nanmean", Role::kScalar},
    {"nansum", Role::kScalar},
    {"nanmax", Role::kScalar},
    {"nanmin", Role::kScalar},
    {"nanstd", Role::kScalar},
    {"nanvar", Role::kScalar},
    {"nanmedian", Role::kScalar},
    {"amax", Role::kScalar},
    {"amin", Role::kScalar},
    {"ptp", Role::kScalar},
    {"any", Role::kScalar},
    {"all", Role::kScalar},
    {"norm", Role::kScalar},
    {"trace", Role::kScalar},
    {"percentile", Role::kScalar},
    {"quantile", Role::kScalar},
    {"argmax", Role::kIndex},
    {"argmin", Role::kIndex},
    {"count_nonzero", Role::kIndex},
    {"searchsorted", Role::kIndex},
    {"shuffle", Role::kSame},
    {"item", Role::kScalar},
};

const Row* find_row(std::string_view name) {
  const Row* row = std::ranges::find(kRows, name, &Row::name);
  return row == std::end(kRows) ? nullptr : row;
}

bool is_constructor(std::string_view name) {
  return name == "zeros" || name == "ones" || name == "empty" || name == "full";
}

}  // namespace

const decorators::Definition* Reader::callee_of(const ast::Expr& e) const {
  using Kind = decorators::Binding::Kind;
  if (const auto* name = ast::as<ast::Name>(e))
    return names_.contains(name->id) ? nullptr : definition_.module->find(name->id).definition;
  const auto* attribute = ast::as<ast::Attribute>(e);
  const auto* base = attribute ? ast::as<ast::Name>(attribute->value) : nullptr;
  if (!base || names_.contains(base->id)) return nullptr;
  const decorators::Binding& binding = definition_.module->find(base->id);
  return binding.kind == Kind::kModule ? binding.module->find(attribute->attr).definition : nullptr;
}

Id Reader::call(const ast::Call& e) {
  if (const decorators::Definition* callee = callee_of(*e.func)) return program_call(e, *callee);
  const std::string path = path_of(*e.func);
  const std::string_view last = std::string_view(path).substr(path.rfind('.') + 1);
  if (path.starts_with("numpy.") && is_constructor(last)) return constructor(e, last);
  if (const auto* attribute = ast::as<ast::Attribute>(e.func); attribute && path.empty())
    return method(e, *attribute);
  if (const auto* name = ast::as<ast::Name>(e.func); name && path.empty()) {
    if (names_.contains(name->id)) out_.guesses.say(names_[name->id], Form::kFunction);
  }
  std::vector<Id> args;
  for (const ast::Expr* arg : e.args) args.push_back(read(*arg));
  for (const ast::Keyword* keyword : e.keywords)
    if (keyword->arg != "dtype") read(*keyword->value);
  return library_call(e, path, args);
}

// Parameters are what the callee takes; what nobody knows of them, callers may tell.
Id Reader::program_call(const ast::Call& e, const decorators::Definition& callee) {
  CallSite site{&callee, {}};
  const std::vector<Symbol> names = parameter_names(callee);
  site.args.assign(names.size(), -1);
  for (size_t k = 0; k < e.args.size(); ++k) {
    const Id value = read(*e.args[k]);
    if (k < names.size()) site.args[k] = value;
  }
  for (const ast::Keyword* keyword : e.keywords) {
    const Id value = read(*keyword->value);
    for (size_t k = 0; k < names.size(); ++k)
      if (keyword->arg == names[k]) site.args[k] = value;
  }
  const Known& known = callees_(callee);
  for (size_t k = 0; k < std::min(known.params.size(), site.args.size()); ++k)
    if (site.args[k] >= 0) out_.guesses.say(site.args[k], known.params[k]);
  out_.calls.push_back(std::move(site));
  const Id made = out_.guesses.fresh();
  out_.guesses.say(made, known.result);
  return made;
}

// np.zeros(n)   np.empty((m, n), dtype=np.int64)   np.ones(a.shape)
Id Reader::constructor(const ast::Call& e, std::string_view) {
  const Id made = out_.guesses.fresh();
  int rank = 1;
  if (!e.args.empty()) {
    const auto* tuple = ast::as<ast::Tuple>(e.args[0]);
    if (const ast::Name* array = shape_of(*e.args[0])) {
      out_.guesses.elementwise(made, name(*array));
    } else if (tuple) {
      rank = int(tuple->elts.size());
      for (const ast::Expr* extent : tuple->elts) index_value(*extent);
    } else {
      index_value(*e.args[0]);
    }
  }
  out_.guesses.at_least(made, rank);
  element_type(e, made);
  return made;
}

// The `dtype` argument, where it names a type.
void Reader::element_type(const ast::Call& e, Id result) {
  const auto tell = [&](const ast::Expr& value) {
    const std::string path = path_of(value);
    if (path.starts_with("numpy."))
      out_.guesses.dtype(result, types::find_numpy_scalar(std::string_view(path).substr(6)));
  };
  for (size_t k = 1; k < e.args.size(); ++k) tell(*e.args[k]);
  for (const ast::Keyword* keyword : e.keywords)
    if (keyword->arg == "dtype") tell(*keyword->value);
}

Id Reader::method(const ast::Call& e, const ast::Attribute& function) {
  std::vector<Id> args{read(*function.value)};
  for (const ast::Expr* arg : e.args) args.push_back(read(*arg));
  const std::string_view name = function.attr.str();
  if (find_row(name)) return library_call(e, name, args);
  const Id made = out_.guesses.fresh();
  if (name == "reshape") {
    out_.guesses.at_least(args[0], 1);
    const auto* tuple = e.args.size() == 1 ? ast::as<ast::Tuple>(e.args[0]) : nullptr;
    out_.guesses.at_least(made, int(tuple ? tuple->elts.size() : e.args.size()));
    out_.guesses.join(out_.guesses.element(made), out_.guesses.element(args[0]));
  } else if (name == "dot") {
    out_.guesses.at_least(args[0], 1);
  } else if (ast::is<ast::Name>(function.value)) {
    out_.guesses.say(args[0], Form::kObject);
  }
  return made;
}

Id Reader::library_call(const ast::Call& e, std::string_view path, const std::vector<Id>& args) {
  const std::string_view last = path.substr(path.rfind('.') + 1);
  const Id made = out_.guesses.fresh();
  const bool plain = path.find('.') == path.npos;  // a builtin of Python, or a method
  const bool is_method = !ast::is<ast::Name>(e.func) && plain;
  if (args.empty()) {
    if (last == "grid" || last == "gridsize") return integer();
    return made;
  }
  if (path == "len") {
    if (out_.guesses.form(args[0]) == Form::kOpen) out_.guesses.at_least(args[0], 1);
    return integer();
  }
  if (path == "int" || path == "range") return integer();
  if (path == "float" || path.starts_with("math.")) {
    out_.guesses.say(made, Number::kFloat);
    return made;
  }
  if (const bool is_numpy = path.starts_with("numpy."); is_numpy && args.size() == 1)
    if (const types::Type* scalar = types::find_numpy_scalar(path.substr(6))) {
      out_.guesses.dtype(made, scalar);
      return made;
    }
  if (path == "numpy.arange") {
    for (const ast::Expr* arg : e.args)
      if (path_of(*arg).empty()) index_value(*arg);
    out_.guesses.at_least(made, 1);
    out_.guesses.say(made, Number::kInt);
    return made;
  }
  if (path.starts_with("numba.cuda.grid")) return grid(e);
  if (path == "numpy.dot") {
    for (const Id arg : args) out_.guesses.at_least(arg, 1);
    return made;
  }
  if ((path.starts_with("numpy.") || is_method) && find_row(last))
    return array_function(e, last, args);
  const bool is_choice = path == "min" || path == "max" || path == "abs";
  for (const Id arg : args) {
    out_.guesses.elementwise(made, arg);
    if (is_choice) out_.guesses.arithmetic(made, arg);
  }
  return made;
}

// cuda.grid(1)   cuda.grid(2)
Id Reader::grid(const ast::Call& e) {
  const ast::Constant* count = ast::as<ast::Constant>(e.args[0]);
  if (!count || count->value.integer < 2 || count->value.integer > 3) return integer();
  const Id made = out_.guesses.fresh();
  out_.guesses.say(made, Form::kTuple);
  for (uint64_t k = 0; k < count->value.integer; ++k) {
    const Id item = integer();
    out_.guesses.items(made).push_back(item);
  }
  return made;
}

// A function of NumPy or a method that has a row.
Id Reader::array_function(const ast::Call& e, std::string_view name, const std::vector<Id>& args) {
  const Role role = find_row(name)->role;
  const Id made = out_.guesses.fresh();
  out_.guesses.at_least(args[0], 1);
  const bool whole = e.keywords.empty() && args.size() == 1;  // no axis
  if (role == Role::kSame) {
    out_.guesses.elementwise(made, args[0]);
    out_.guesses.elementwise(args[0], made);
    element_type(e, made);
  }
  if (role == Role::kFlat || role == Role::kIndices) out_.guesses.at_least(made, 1);
  if (role == Role::kIndices) out_.guesses.say(made, Number::kInt);
  return role == Role::kIndex && whole ? integer() : made;
}

}  // namespace pyk2cu::propose
