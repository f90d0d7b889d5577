// NumPy on constants: dtypes, scalar constructors, array constructors, attributes and methods.
//
// In:   a name below `numpy` and folded arguments.  Out: NumPy's value, or nothing.
// Tested by tests/unit/typeinfer/fold_test.cpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include "typeinfer/builtins/registry.h"
#include "typeinfer/fold/parts.h"

namespace pyk2cu::fold {

using ast::Operator;
using types::Type;

const Type* to_dtype(const Value& v) {
  if (v.kind == Kind::kType) return v.type && v.type->is_scalar() ? v.type : nullptr;
  return v.kind == Kind::kStr ? types::find_dtype(v.text) : nullptr;
}

namespace {

struct NumberRow {
  std::string_view path;
  double value;
};

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr NumberRow kNumbers[] = {
    {"math.pi", M_PI},
    {"math.e", M_E},
    {"math.tau", 2 * M_PI},
    {"math.inf", kInf},
    {"math.nan", NAN},
    {"cmath.pi", M_PI},
    {"cmath.e", M_E},
    {"cmath.tau", 2 * M_PI},
    {"cmath.inf", kInf},
    {"cmath.nan", NAN},
    {"numpy.pi", M_PI},
    {"numpy.e", M_E},
    {"numpy.inf", kInf},
    {"numpy.nan", NAN},
    {"numpy.Inf", kInf},
    {"numpy.NaN", NAN},
    {"numpy.infty", kInf},
    {"numpy.euler_gamma", 0.5772156649015329},
    {"scipy.pi", M_PI},
    {"scipy.constants.pi", M_PI},
    // Exact since 2019: no release of SciPy has others.
    {"scipy.constants.c", 299792458.0},
    {"scipy.constants.speed_of_light", 299792458.0},
    {"scipy.constants.h", 6.62607015e-34},
    {"scipy.constants.Planck", 6.62607015e-34},
    {"scipy.constants.hbar", 6.62607015e-34 / (2 * M_PI)},
    {"scipy.constants.e", 1.602176634e-19},
    {"scipy.constants.elementary_charge", 1.602176634e-19},
    {"scipy.constants.eV", 1.602176634e-19},
    {"scipy.constants.electron_volt", 1.602176634e-19},
    {"scipy.constants.k", 1.380649e-23},
    {"scipy.constants.Boltzmann", 1.380649e-23},
    {"scipy.constants.N_A", 6.02214076e23},
    {"scipy.constants.Avogadro", 6.02214076e23},
    {"scipy.constants.g", 9.80665},
    {"scipy.constants.atm", 101325.0},
    {"scipy.constants.year", 31536000.0},
    {"scipy.constants.day", 86400.0},
    {"scipy.constants.hour", 3600.0},
    {"scipy.constants.minute", 60.0},
    {"scipy.constants.degree", M_PI / 180},
    {"scipy.constants.angstrom", 1e-10},
    {"scipy.constants.kilo", 1e3},
    {"scipy.constants.mega", 1e6},
    {"scipy.constants.giga", 1e9},
    {"scipy.constants.milli", 1e-3},
    {"scipy.constants.micro", 1e-6},
    {"scipy.constants.nano", 1e-9},
    {"scipy.constants.pico", 1e-12},
    {"scipy.constants.femto", 1e-15},
    {"numpy.NINF", -kInf},
    {"numpy.PINF", kInf},
    {"sys.float_info.epsilon", 0x1p-52},
    {"sys.float_info.max", 0x1.fffffffffffffp1023},
    {"sys.float_info.min", 0x1p-1022},
};

}  // namespace

Result constant(std::string_view path) {
  for (const NumberRow& row : kNumbers) {
    if (row.path == path) return make_float(row.value);
  }
  if (path == "sys.maxsize") return make_int(INT64_MAX);
#ifdef __APPLE__
  if (path == "sys.platform") return make_str("darwin");
#else
  if (path == "sys.platform") return make_str("linux");  // modules run where they are built
#endif
  if (path == "sys.byteorder") return make_str("little");
  if (path == "os.name") return make_str("posix");
  if (path == "numpy.newaxis") return make_none();
  if (path == "numpy.True_") return cast(make_bool(true), types::boolean());
  if (path == "numpy.False_") return cast(make_bool(false), types::boolean());
  const Type* type = nullptr;
  if (path.starts_with("numpy.")) type = types::find_numpy_scalar(path.substr(6));
  if (path.starts_with("numba.types.")) {
    type = types::find_scalar(path.substr(12));
  } else if (path.starts_with("numba.")) {
    type = types::find_scalar(path.substr(6));
  }
  // the Python classes, as dtypes: int, float, …
  if (path == "builtins.int") type = types::int64();
  if (path == "builtins.float") type = types::float64();
  if (path == "builtins.bool") type = types::boolean();
  if (path == "builtins.complex") type = types::complex128();
  return type && type->is_scalar() ? make_type(type) : Result();
}

// np.finfo(t).eps, np.iinfo(t).max
Result type_info(std::string_view function, const Type* type, std::string_view name) {
  if (function == "numpy.iinfo" && type->is_int()) {
    const int value_bits = type->bits - (type->is_signed ? 1 : 0);
    const Int128 top = Int128(1) << value_bits;
    if (name == "bits") return make_int(type->bits);
    if (name == "max") return make_int(top - 1);
    if (name == "min") return make_int(type->is_signed ? -top : 0);
    return std::nullopt;
  }
  if (function != "numpy.finfo") return std::nullopt;
  if (type->is_complex()) type = types::component(type);
  if (!type->is_float()) return std::nullopt;
  const int digits = type->bits == 16 ? 11 : type->bits == 32 ? 24 : 53;
  const int top = type->bits == 16 ? 16 : type->bits == 32 ? 128 : 1024;
  const double largest = std::ldexp(1 - std::ldexp(1.0, -digits), top);
  if (name == "bits") return make_int(type->bits);
  if (name == "eps" || name == "resolution_") {
    return cast(make_float(std::ldexp(1.0, 1 - digits)), type);
  }
  if (name == "epsneg") return cast(make_float(std::ldexp(1.0, -digits)), type);
  if (name == "max") return cast(make_float(largest), type);
  if (name == "min") return cast(make_float(-largest), type);
  if (name == "tiny" || name == "smallest_normal") {
    return cast(make_float(std::ldexp(1.0, 3 - top - 1)), type);
  }
  return std::nullopt;
}

namespace {

std::optional<std::vector<int64_t>> to_shape(const Value& v) {
  if (const auto one = to_int64(v)) return std::vector<int64_t>{*one};
  if (v.kind != Kind::kTuple) return std::nullopt;
  std::vector<int64_t> shape;
  for (const Value& item : v.items) {
    const auto extent = to_int64(item);
    if (!extent) return std::nullopt;
    shape.push_back(*extent);
  }
  return shape;
}

// The dtype= argument; null when it is given and no dtype. `otherwise` when it is not given.
const Type* dtype_argument(const Arguments& args, size_t position, const Type* otherwise) {
  const Value* given = args.get(position, "dtype");
  if (!given || given->kind == Kind::kNone) return otherwise;
  return to_dtype(*given);
}

// Nested tuples to one list of scalars, their shape and their common type.
bool flatten(const Value& v, size_t depth, std::vector<int64_t>& shape, std::vector<Value>& items) {
  if (v.kind == Kind::kArray) {
    for (size_t k = 0; k < v.shape.size(); ++k) {
      if (shape.size() <= depth + k) shape.push_back(v.shape[k]);
      if (shape[depth + k] != v.shape[k]) return false;
    }
    if (shape.size() != depth + v.shape.size()) return false;
    for (size_t i = 0; i < array_size(v); ++i) items.push_back(array_item(v, i));
    return items.size() <= kMostItems;
  }
  if (v.kind != Kind::kTuple) {
    items.push_back(v);
    return is_number(v) && depth == shape.size() && items.size() <= kMostItems;
  }
  const auto extent = static_cast<int64_t>(v.items.size());
  if (shape.size() == depth) {
    if (!items.empty() || depth >= 8) return false;
    shape.push_back(extent);
  }
  if (shape[depth] != extent) return false;
  return std::all_of(v.items.begin(), v.items.end(),
                     [&](const Value& item) { return flatten(item, depth + 1, shape, items); });
}

Result array_of(const Arguments& args) {
  const Value* source = args.get(0, "object");
  if (!source || !args.only(2, {"dtype", "copy", "order", "object"})) return std::nullopt;
  std::vector<int64_t> shape;
  std::vector<Value> items;
  if (!flatten(*source, 0, shape, items)) return std::nullopt;
  const Type* type = dtype_argument(args, 1, nullptr);
  if (!type && args.get(1, "dtype") && args.get(1, "dtype")->kind != Kind::kNone) {
    return std::nullopt;
  }
  if (!type) {
    // no NEP 50 here: Python's numbers count as their natural types
    type = items.empty() ? types::float64() : nullptr;
    for (const Value& item : items) {
      Value typed = item;
      if (!typed.type) typed.type = natural_type(item);
      if (!typed.type) return std::nullopt;
      Value so_far = typed;
      so_far.type = type;
      type = type ? numpy_type(so_far, typed) : typed.type;
    }
  }
  for (const Value& item : items) {
    // numpy refuses what does not fit, and a complex for a real
    if (!item.type && type && type->is_int() && is_integral(item)) {
      const auto same = cast(item, type);
      if (!same || same->integer != item.integer) return std::nullopt;
    }
  }
  return make_array(type, shape, items);
}

// np.frombuffer(b"ACGT", dtype=np.uint8): of the numbers of the bytes
Result of_buffer(const Arguments& args) {
  const Value* bytes = args.get(0, "");
  const Type* type = dtype_argument(args, 1, nullptr);
  if (!bytes || bytes->kind != Kind::kTuple || !type || !args.only(2, {"dtype"}) ||
      !type->is_int() || type->bits != 8)
    return std::nullopt;
  return make_array(type, {int64_t(bytes->items.size())}, bytes->items);
}

Result filled(const Arguments& args, double fill) {
  const Value* shape = args.get(0, "shape");
  const auto extents = shape ? to_shape(*shape) : std::nullopt;
  const Type* type = dtype_argument(args, 1, types::float64());
  if (!extents || !args.only(2, {"shape", "dtype", "order"})) return std::nullopt;
  const Value value = make_float(fill);
  return make_array(type, *extents, {&value, 1});
}

Result full(const Arguments& args) {
  const Value* shape = args.get(0, "shape");
  const Value* value = args.get(1, "fill_value");
  const auto extents = shape ? to_shape(*shape) : std::nullopt;
  if (!extents || !value || !args.only(3, {"shape", "fill_value", "dtype"})) return std::nullopt;
  if (!is_number(*value)) return std::nullopt;
  const Type* type = dtype_argument(args, 2, value->type ? value->type : natural_type(*value));
  return make_array(type, *extents, {value, 1});
}

Result eye(const Arguments& args) {
  const Value* rows = args.get(0, "N");
  const auto n = rows ? to_int64(*rows) : std::nullopt;
  if (!n || *n < 0 || *n > 1024 || args.positional.size() > 1) return std::nullopt;
  if (!args.only(1, {"N", "dtype"})) return std::nullopt;
  const Type* type = dtype_argument(args, 3, types::float64());
  std::vector<Value> items;
  for (int64_t i = 0; i < *n * *n; ++i) items.push_back(make_int(i % (*n + 1) == 0));
  return make_array(type, {*n, *n}, items);
}

Result arange(const Arguments& args) {
  auto p = args.positional;
  if (p.empty() || p.size() > 4 || !args.only(4, {"dtype"})) return std::nullopt;
  if (!std::all_of(p.begin(), p.begin() + std::min<std::ptrdiff_t>(3, std::ssize(p)), is_real)) {
    return std::nullopt;
  }
  const Value step = p.size() > 2 ? p[2] : make_int(1);
  const Value start = p.size() > 1 ? p[0] : make_int(0);
  const Value stop = p.size() > 1 ? p[1] : p[0];
  if (start.type || stop.type || step.type || !*truth(step)) return std::nullopt;
  const bool integral = is_integral(start) && is_integral(stop) && is_integral(step);
  const Type* type = dtype_argument(args, 3, integral ? types::int64() : types::float64());
  if (!type) return std::nullopt;
  const double first = to_double(start), delta = to_double(step);
  const double length = std::ceil((to_double(stop) - first) / delta);
  if (!(length < static_cast<double>(kMostItems))) return std::nullopt;
  std::vector<Value> items;
  // NumPy's fill: the second value minus the first is the step
  const double second = first + delta;
  for (int64_t i = 0; static_cast<double>(i) < length; ++i) {
    if (integral) {
      items.push_back(make_int(start.integer + i * step.integer));
    } else if (type == types::float64()) {
      items.push_back(
          make_float(i == 1 ? second : first + static_cast<double>(i) * (second - first)));
    } else {
      return std::nullopt;
    }
  }
  const auto count = static_cast<int64_t>(items.size());
  return make_array(type, {count}, items);
}

Result linspace(const Arguments& args) {
  const Value* start = args.get(0, "start");
  const Value* stop = args.get(1, "stop");
  const Value* number = args.get(2, "num");
  const Value* end = args.get(3, "endpoint");
  if (!start || !stop || !is_real(*start) || !is_real(*stop)) return std::nullopt;
  if (!args.only(4, {"start", "stop", "num", "endpoint"})) return std::nullopt;
  const auto count = number ? to_int64(*number) : std::optional<int64_t>(50);
  const bool endpoint = !end || truth(*end).value_or(true);
  if (!count || *count < 0 || *count > static_cast<int64_t>(kMostItems)) return std::nullopt;
  const double a = to_double(*start), b = to_double(*stop), delta = b - a;
  const auto parts = static_cast<double>(endpoint ? *count - 1 : *count);
  const double step = parts > 0 ? delta / parts : NAN;
  std::vector<Value> items;
  for (int64_t i = 0; i < *count; ++i) {
    const auto x = static_cast<double>(i);
    double y = parts <= 0 ? x * delta : step == 0 ? x / parts * delta : x * step;
    y += a;
    if (endpoint && *count > 1 && i == *count - 1) y = b;
    items.push_back(make_float(y));
  }
  return make_array(types::float64(), {*count}, items);
}

Result ufunc(const builtins::Row& row, const Value& v) {
  if (v.kind == Kind::kArray) {
    return array_unary(v, [&row](const Value& item) { return ufunc(row, item); });
  }
  if (!is_real(v)) return std::nullopt;
  const Type* type = v.type ? v.type : natural_type(v);
  if (!type) return std::nullopt;
  using builtins::Id;
  const bool rounds =
      row.id == Id::numpy_floor || row.id == Id::numpy_ceil || row.id == Id::numpy_trunc;
  if (rounds && type->is_int()) return cast(v, type);
  if (type->is_bool() || (type->is_int() && type->bits < 32)) return std::nullopt;
  if (type->is_int()) type = types::float64();
  if (type != types::float64() && !(row.folds.exact && type == types::float32()))
    return std::nullopt;
  const double value = row.folds.function(to_double(v));
  if (!std::isfinite(value)) return std::nullopt;
  return cast(make_float(value), type);
}

Result scalar_or_array(const Value& v, const Type* type) {
  if (v.kind == Kind::kArray)
    return array_unary(v, [type](const Value& x) { return cast(x, type); });
  if (v.kind == Kind::kInt && !v.type && type->is_int()) {
    const auto made = cast(v, type);  // np.int8(300) raises OverflowError
    return made && made->integer == v.integer ? made : Result();
  }
  return cast(v, type);
}

}  // namespace

Result call_numpy(std::string_view name, const Arguments& args) {
  const auto& p = args.positional;
  if (const Type* type = types::find_numpy_scalar(name)) {
    if (!args.named.empty() || p.size() > 1) return std::nullopt;
    return scalar_or_array(p.empty() ? make_int(0) : p[0], type);
  }
  if (name == "array" || name == "asarray" || name == "ascontiguousarray") return array_of(args);
  if (name == "frombuffer") return of_buffer(args);
  if (name == "zeros" || name == "empty") return filled(args, 0);
  if (name == "ones") return filled(args, 1);
  if (name == "full") return full(args);
  if (name == "eye" || name == "identity") return eye(args);
  if (name == "arange") return arange(args);
  if (name == "linspace") return linspace(args);
  if (name == "dtype") return call_dtype(args);
  if (auto made = call_numpy_on_arrays(name, args)) return made;
  if (p.size() != 1 || !args.named.empty()) return std::nullopt;
  const bool foldable = is_number(p[0]) || p[0].kind == Kind::kArray;
  if (!foldable) return std::nullopt;
  if (p[0].kind == Kind::kArray)
    if (const auto reduced = array_reduce(name, p[0])) return reduced;
  Value number = p[0];
  if (is_number(number) && !number.type) number.type = natural_type(number);
  if (name == "abs" || name == "absolute") return call_builtin("abs", {.positional = {number}});
  if (name == "square") return binary(Operator::kMult, number, number);
  if (name == "negative") return unary(ast::UnaryOperator::kUSub, number);
  if (name == "deg2rad" || name == "radians") {
    return binary(Operator::kMult, number, make_float(M_PI / 180.0));
  }
  if (name == "rad2deg" || name == "degrees") {
    return binary(Operator::kMult, number, make_float(180.0 / M_PI));
  }
  const builtins::Row* row = builtins::find("numpy." + std::string(name));
  return row && row->folds.function ? ufunc(*row, number) : Result();
}

Result call_numba(std::string_view name, const Arguments& args) {
  for (const std::string_view prefix : {"core.", "types.", "np.numpy_support."})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  if (name == "from_dtype") return call_dtype(args);
  if (name == "NestedArray") return call_nested(args);
  if (name == "Record.make_c_struct" && args.positional.size() == 1) {
    const Type* made = record_of(args.positional[0], true);
    return made ? make_type(made) : Result();
  }
  const Type* type = types::find_scalar(name);
  const bool one = args.positional.size() == 1 && args.named.empty();
  if (!type || !type->is_scalar() || !one || !is_number(args.positional[0])) return std::nullopt;
  return scalar_or_array(args.positional[0], type);
}

Result attribute(const Value& self, std::string_view name) {
  if (self.class_name) return object_attribute(self, name);
  if (self.kind == Kind::kArray) {
    const auto size = static_cast<Int128>(array_size(self));
    if (name == "T") return array_transposed(self);
    if (name == "ndim") return make_int(static_cast<Int128>(self.shape.size()));
    if (name == "size") return make_int(size);
    if (name == "dtype") return make_type(self.type->elem);
    if (name == "itemsize") return make_int(types::item_size(self.type->elem));
    if (name == "nbytes") return make_int(size * types::item_size(self.type->elem));
    if (name != "shape") return std::nullopt;
    std::vector<Value> extents;
    for (int64_t extent : self.shape) extents.push_back(make_int(extent));
    return make_tuple(std::move(extents));
  }
  if (self.kind == Kind::kType && self.type->is_scalar() && name == "itemsize") {
    return make_int(types::item_size(self.type));
  }
  if (!is_number(self)) return std::nullopt;
  if (name == "dtype") return self.type ? make_type(self.type) : Result();
  if (self.kind == Kind::kComplex) {
    const Type* part = self.type ? types::component(self.type) : nullptr;
    if (name != "real" && name != "imag") return std::nullopt;
    Value v = make_float(name == "real" ? self.number.real() : self.number.imag());
    v.type = part;
    return v;
  }
  if (name == "real") return self.kind == Kind::kBool ? make_int(self.integer) : self;
  if (name != "imag") return std::nullopt;
  if (self.type) return cast(make_int(0), self.type);
  return self.kind == Kind::kFloat ? make_float(0.0) : make_int(0);
}

Result call_method(const Value& self, std::string_view name, const Arguments& args) {
  const auto& p = args.positional;
  if (self.kind == Kind::kStr || self.kind == Kind::kDict) return object_method(self, name, args);
  if (self.kind == Kind::kArray) {
    if (name == "reshape" && args.named.empty() && !p.empty()) {
      const auto shape = to_shape(p.size() == 1 ? p[0] : make_tuple(p));
      return shape ? reshape(self, *shape) : Result();
    }
    if (name == "astype" && p.size() == 1) {
      const Type* type = to_dtype(p[0]);
      if (type && array_size(self) == 0) return make_array(type, self.shape, {});
      return type ? array_unary(self, [type](const Value& x) { return cast(x, type); }) : Result();
    }
    if (name == "copy") return self;
    if (name == "transpose" && p.size() != 1 && args.named.empty())
      return call_numpy_on_arrays(name, p.empty() ? Arguments{.positional = {self}}
                                                  : Arguments{.positional = {self, make_tuple(p)}});
    const bool along = !p.empty() || !args.named.empty();
    const bool reduces = name == "sum" || name == "max" || name == "min" || name == "mean";
    if (name == "repeat" || name == "cumsum" || name == "cumprod" || name == "dot" ||
        name == "clip" || (reduces && along)) {
      Arguments all = args;
      all.positional.insert(all.positional.begin(), self);
      return call_numpy_on_arrays(name, all);
    }
    if (name == "ravel" || name == "flatten") return reshape(self, {-1});
    return p.empty() && args.named.empty() ? array_reduce(name, self) : Result();
  }
  if (!is_number(self) || !args.named.empty()) return std::nullopt;
  if (name == "item" && self.type && p.empty()) {
    Value plain = self;
    plain.type = nullptr;
    return plain;
  }
  if (name == "astype" && self.type && p.size() == 1) return cast(self, to_dtype(p[0]));
  if (name == "conjugate" && p.empty() && !self.type) {
    return self.kind == Kind::kComplex ? make_complex(std::conj(self.number)) : self;
  }
  if (name == "bit_length" && p.empty() && is_integral(self) && !self.type) {
    Int128 rest = self.integer < 0 ? -self.integer : self.integer;
    int bits = 0;
    for (; rest != 0; rest >>= 1) ++bits;
    return make_int(bits);
  }
  return std::nullopt;
}

}  // namespace pyk2cu::fold
