// Canonical qualified names and the tables of star imports.
//
// In:   a dotted name, or a module.  Out: the name the compiler knows, or the module's public
// names. Tested by tests/unit/typeinfer/roots_test.cpp.
#include "typeinfer/decorators/paths.h"

namespace pyk2cu::decorators {

namespace {

// What `from m import *` binds, as of Numba 0.68, NumPy 2.5 and CPython 3.13.
constexpr std::string_view kNumba =
    "jit njit vectorize guvectorize stencil cfunc generated_jit prange typeof from_dtype objmode "
    "literal_unroll optional get_num_threads set_num_threads experimental cuda types jitclass "
    "autojit export exportmany int8 int16 int32 int64 uint8 uint16 uint32 uint64 intp uintp intc "
    "uintc ssize_t size_t boolean float32 float64 complex64 complex128 bool_ byte char uchar "
    "short ushort int_ uint long_ ulong longlong ulonglong double void none b1 i1 i2 i4 i8 u1 u2 "
    "u4 u8 f4 f8 c8 c16";
constexpr std::string_view kMath =
    "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf "
    "erfc exp exp2 expm1 fabs factorial floor fma fmod frexp fsum gamma gcd hypot inf isclose "
    "isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nan nextafter perm pi "
    "pow prod radians remainder sin sinh sqrt sumprod tan tanh tau trunc ulp";
constexpr std::string_view kCmath =
    "acos acosh asin asinh atan atanh cos cosh e exp inf infj isclose isfinite isinf isnan log "
    "log10 nan nanj phase pi polar rect sin sinh sqrt tan tanh tau";
constexpr std::string_view kNumpy =
    "abs absolute acos acosh add all allclose amax amin angle any append apply_along_axis "
    "apply_over_axes arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin "
    "argpartition argsort argwhere around array array2string array_equal array_equiv array_repr "
    "array_split array_str asanyarray asarray asarray_chkfinite ascontiguousarray asfortranarray "
    "asin asinh asmatrix astype atan atan2 atanh atleast_1d atleast_2d atleast_3d average "
    "bartlett base_repr binary_repr bincount bitwise_and bitwise_count bitwise_invert "
    "bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor blackman block "
    "bmat bool bool_ broadcast broadcast_arrays broadcast_shapes broadcast_to busday_count "
    "busday_offset busdaycalendar byte bytes_ can_cast cbrt cdouble ceil character choose clip "
    "clongdouble column_stack common_type complex128 complex256 complex64 complexfloating "
    "compress concat concatenate conj conjugate convolve copy copysign copyto corrcoef correlate "
    "cos cosh count_nonzero cov cross csingle cumprod cumsum cumulative_prod cumulative_sum "
    "datetime64 datetime_as_string datetime_data deg2rad degrees delete diag diag_indices "
    "diag_indices_from diagflat diagonal diff digitize divide divmod dot double dsplit dstack "
    "dtype e ediff1d einsum einsum_path empty empty_like equal errstate euler_gamma exp exp2 "
    "expand_dims expm1 extract eye fabs fill_diagonal finfo fix flatiter flatnonzero flexible "
    "flip fliplr flipud float128 float16 float32 float64 float_power floating floor floor_divide "
    "fmax fmin fmod format_float_positional format_float_scientific frexp from_dlpack frombuffer "
    "fromfile fromfunction fromiter frompyfunc fromregex fromstring full full_like gcd generic "
    "genfromtxt geomspace get_include get_printoptions getbufsize geterr geterrcall gradient "
    "greater greater_equal half hamming hanning heaviside histogram histogram2d "
    "histogram_bin_edges histogramdd hsplit hstack hypot i0 identity iinfo imag indices inexact "
    "inf info inner insert int16 int32 int64 int8 int_ intc integer interp intersect1d intp "
    "invert is_busday isclose iscomplex iscomplexobj isdtype isfinite isfortran isin isinf isnan "
    "isnat isneginf isposinf isreal isrealobj isscalar issubdtype iterable ix_ kaiser kron lcm "
    "ldexp left_shift less less_equal lexsort linspace load loadtxt log log10 log1p log2 "
    "logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logspace long longdouble "
    "longlong mask_indices matmul matrix matrix_transpose matvec max maximum may_share_memory "
    "mean median memmap meshgrid min min_scalar_type minimum mintypecode mod modf moveaxis "
    "multiply nan nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian "
    "nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar ndarray ndenumerate ndim "
    "ndindex nditer negative nested_iters newaxis nextafter nonzero not_equal number object_ ones "
    "ones_like outer packbits pad partition percentile permute_dims pi piecewise place poly "
    "poly1d polyadd polyder polydiv polyfit polyint polymul polysub polyval positive pow power "
    "printoptions prod promote_types ptp put put_along_axis putmask quantile rad2deg radians "
    "ravel ravel_multi_index real real_if_close recarray reciprocal record remainder repeat "
    "require reshape resize result_type right_shift rint roll rollaxis roots rot90 round save "
    "savetxt savez savez_compressed searchsorted select set_printoptions setbufsize setdiff1d "
    "seterr seterrcall setxor1d shape shares_memory short show_config show_runtime sign signbit "
    "signedinteger sin sinc single sinh size sort sort_complex spacing split sqrt square squeeze "
    "stack std str_ subtract sum swapaxes take take_along_axis tan tanh tensordot test tile "
    "timedelta64 trace transpose trapezoid tri tril tril_indices tril_indices_from trim_zeros "
    "triu triu_indices triu_indices_from true_divide trunc typename ubyte ufunc uint uint16 "
    "uint32 uint64 uint8 uintc uintp ulong ulonglong union1d unique unique_all unique_counts "
    "unique_inverse unique_values unpackbits unravel_index unsignedinteger unstack unwrap ushort "
    "vander var vdot vecdot vecmat vectorize void vsplit vstack where zeros zeros_like";
constexpr std::string_view kCuda =
    "jit grid gridsize threadIdx blockIdx blockDim gridDim laneid warpsize syncthreads atomic "
    "shared local const to_device device_array device_array_like synchronize stream event "
    "declare_device reduce Reduce";

struct Rename {
  std::string_view from, to;
};

// Longest first: the first prefix that fits is replaced.
constexpr Rename kRenames[] = {
    {"numba.cuda.cudadrv.devicearray", "numba.cuda"},
    {"numba.cuda.decorators", "numba.cuda"},
    {"numba.cuda.simulator", "numba.cuda"},
    {"numba.cuda.extending", "numba.extending"},
    {"numba.cuda.types", "numba.types"},
    {"numba_cuda.numba.cuda", "numba.cuda"},
    {"numba.pycc.cc", "numba.pycc"},
    {"numba.np.ufunc.decorators", "numba"},
    {"numba.np.ufunc.parallel", "numba"},
    {"numba.np.ufunc", "numba"},
    {"numba.core.decorators", "numba"},
    {"numba.core.types", "numba.types"},
    {"numba.core.config", "numba.config"},
    {"numba.core.extending", "numba.extending"},
    {"numba.core.typing.typeof", "numba"},
    {"numba.experimental.jitclass", "numba.jitclass"},
    {"numba.misc.special", "numba"},
    {"numba.decorators", "numba"},
    {"numba.special", "numba"},
    {"numba.parallel", "numba"},
    {"numbapro.parallel", "numba"},
    {"numbapro.vectorizers", "numba"},
    {"numbapro", "numba"},
    {"accelerate.cuda", "numba.cuda"},
};

}  // namespace

std::string canonical(std::string_view dotted) {
  for (const Rename& rename : kRenames) {
    if (!dotted.starts_with(rename.from)) continue;
    const std::string_view rest = dotted.substr(rename.from.size());
    if (!rest.empty() && rest[0] != '.') continue;
    return std::string(rename.to) + std::string(rest);
  }
  return std::string(dotted);
}

std::vector<std::string_view> star_names(std::string_view module) {
  std::string_view names;
  if (module == "numba" || module == "numba.types") names = kNumba;
  if (module == "math") names = kMath;
  if (module == "cmath") names = kCmath;
  if (module == "numpy") names = kNumpy;
  if (module == "numba.cuda") names = kCuda;
  std::vector<std::string_view> result;
  while (!names.empty()) {
    const size_t end = names.find(' ');
    result.push_back(names.substr(0, end));
    names = end == std::string_view::npos ? std::string_view() : names.substr(end + 1);
  }
  return result;
}

}  // namespace pyk2cu::decorators
