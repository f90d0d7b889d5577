// Views of arrays: a pointer, extents and, for layout A, strides in bytes. Copying one copies no
// elements.
//
//   pyk::array<const double, 2, pyk::C> a;   a(i, j)   a.shape(0)   const auto [m, n] = a.shape();
//   pyk::view<pyk::A>(a, i, pyk::slice(1, n))      a[i, 1:n]
//
// C and F are contiguous, row-major and column-major; A has any strides, also negative and zero.
// Indices must be in range; wrap(i, n) makes a negative one count from the end.
// Tested by tests/unit/emit/array_test.cpp.
#pragma once

#include "pyk/tuple.h"

namespace pyk {

struct C {};
struct F {};
struct A {};

// Makes the template function for contiguous arrays and for those of any strides.
#define PYK_LAYOUTS(function)                           \
  template decltype(function<pyk::C>) function<pyk::C>; \
  template decltype(function<pyk::A>) function<pyk::A>

// What all layouts share. Index is the type that offsets are computed in.
template <class T, int N, class Index>
struct extents_of {
  T* data;
  Index extents[N > 0 ? N : 1];

  PYK_HD Index shape(int k) const { return extents[k]; }
  PYK_HD auto shape() const { return shape(std::make_index_sequence<N>()); }
  PYK_HD int64_t size() const {
    int64_t product = 1;
    for (int k = 0; k < N; ++k) product *= extents[k];
    return product;
  }
  PYK_HD int64_t nbytes() const { return size() * int64_t(sizeof(T)); }

 private:
  template <size_t... K>
  PYK_HD auto shape(std::index_sequence<K...>) const {
    return tuple<decltype(int64_t(K))...>(int64_t(extents[K])...);
  }
};

template <class T, int N, class Layout, class Index = int64_t>
struct array;

// What an array gives for an element: itself; of truths that are only read a value, true for every
// byte but 0, as NumPy has it: masks of 0 and 255 are viewed as bool.
template <class T>
struct element_of {
  using type = T&;
  PYK_HD static type at(T* p) { return *p; }
};
template <>
struct element_of<const bool> {
  using type = bool;
  PYK_HD static type at(const bool* p) { return *reinterpret_cast<const unsigned char*>(p) != 0; }
};
template <class T>
using element = typename element_of<T>::type;

// Elements of type To, const where those of type From are.
template <class To, class From>
using const_like = typename std::conditional<std::is_const<From>::value, const To, To>::type;

// A view of elements of type To is one of elements of type From, or of constant ones.
template <class To, class From>
using may_be = std::enable_if_t<std::is_const<To>::value || !std::is_const<From>::value>;

// The same elements under another static type: readonly, or with its strides spelled out.
template <class U, class L, class T, int N, class From, class Index>
PYK_FN array<const_like<U, T>, N, L, Index> as(const array<T, N, From, Index>& a) {
  array<const_like<U, T>, N, L, Index> to{};
  to.data = a.data;
  for (int k = 0; k < N; ++k) to.extents[k] = a.extents[k];
  if constexpr (std::is_same<L, A>::value)
    for (int k = 0; k < N; ++k) to.strides[k] = a.stride(k);
  return to;
}

template <class T>
using byte_of = const_like<char, T>;

// Counts down: with strides of 0 all elements have one address.
template <class T, class Index>
struct strided_iterator {
  byte_of<T>* at;
  Index stride, left;

  PYK_HD element<T> operator*() const { return element_of<T>::at(reinterpret_cast<T*>(at)); }
  PYK_HD strided_iterator& operator++() {
    at += stride;
    --left;
    return *this;
  }
  PYK_HD bool operator!=(const strided_iterator& end) const { return left != end.left; }
};

// for (const double x : a), of one dimension
template <class T, int N, class Index>
struct array<T, N, C, Index> : extents_of<T, N, Index> {
  PYK_HD auto begin() const {
    static_assert(N == 1, "elements of one dimension");
    if constexpr (std::is_reference<element<T>>::value)
      return this->data;
    else
      return strided_iterator<T, Index>{reinterpret_cast<byte_of<T>*>(this->data), sizeof(T),
                                        this->extents[0]};
  }
  PYK_HD auto end() const {
    if constexpr (std::is_reference<element<T>>::value)
      return begin() + this->extents[0];
    else
      return strided_iterator<T, Index>{nullptr, 0, 0};
  }
  template <class... I>
  PYK_HD element<T> operator()(I... i) const {
    static_assert(sizeof...(I) == N, "one index per dimension");
    Index offset = 0;
    [[maybe_unused]] int k = 0;
    ((offset = offset * this->extents[k++] + Index(i)), ...);
    return element_of<T>::at(this->data + offset);
  }
  PYK_HD Index stride(int k) const {
    Index s = sizeof(T);
    for (int m = N - 1; m > k; --m) s *= this->extents[m];
    return s;
  }
  template <class U, class L, class = may_be<U, T>>
  PYK_HD operator array<U, N, L, Index>() const {
    return as<U, L>(*this);
  }
};

template <class T, int N, class Index>
struct array<T, N, F, Index> : extents_of<T, N, Index> {
  template <class... I>
  PYK_HD element<T> operator()(I... i) const {
    static_assert(sizeof...(I) == N, "one index per dimension");
    Index offset = 0, step = 1;
    int k = 0;
    ((offset += Index(i) * step, step *= this->extents[k++]), ...);
    return element_of<T>::at(this->data + offset);
  }
  PYK_HD Index stride(int k) const {
    Index s = sizeof(T);
    for (int m = 0; m < k; ++m) s *= this->extents[m];
    return s;
  }
  template <class U, class L, class = may_be<U, T>>
  PYK_HD operator array<U, N, L, Index>() const {
    return as<U, L>(*this);
  }
};

template <class T, int N, class Index>
struct array<T, N, A, Index> : extents_of<T, N, Index> {
  Index strides[N > 0 ? N : 1];  // in bytes

  PYK_HD strided_iterator<T, Index> begin() const {
    static_assert(N == 1, "elements of one dimension");
    return {reinterpret_cast<byte_of<T>*>(this->data), strides[0], this->extents[0]};
  }
  PYK_HD strided_iterator<T, Index> end() const { return {nullptr, 0, 0}; }
  template <class... I>
  PYK_HD element<T> operator()(I... i) const {
    static_assert(sizeof...(I) == N, "one index per dimension");
    Index offset = 0;
    [[maybe_unused]] int k = 0;
    ((offset += Index(i) * strides[k++]), ...);
    auto* bytes = reinterpret_cast<byte_of<T>*>(this->data) + offset;
    return element_of<T>::at(reinterpret_cast<T*>(bytes));
  }
  PYK_HD Index stride(int k) const { return strides[k]; }
  template <class U, class L, class = may_be<U, T>>
  PYK_HD operator array<U, N, L, Index>() const {
    return as<U, L>(*this);
  }
};

// A negative index counts from the end.
template <class I>
PYK_FN constexpr int64_t wrap(I i, int64_t n) {
  return i < 0 ? int64_t(i) + n : int64_t(i);
}

// ---- slices ------------------------------------------------------------------------------------

// lo:hi:step, any part omitted; step is not 0. Python's clamping happens in bounds().
struct slice_of {
  int64_t lo, hi, step;
  bool has_lo, has_hi;

  struct range {
    int64_t first, count;
  };
  PYK_HD range bounds(int64_t n) const {
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
    const int64_t begin = has_lo ? clamp(lo, n, low, high) : step > 0 ? low : high;
    const int64_t end = has_hi ? clamp(hi, n, low, high) : step > 0 ? high : low;
    const int64_t span = step > 0 ? end - begin : begin - end;
    if (span <= 0) return {begin < 0 || begin >= n ? 0 : begin, 0};
    const uint64_t stride = step > 0 ? uint64_t(step) : uint64_t(0) - uint64_t(step);
    return {begin, int64_t((uint64_t(span) - 1) / stride) + 1};
  }

 private:
  PYK_HD static int64_t clamp(int64_t i, int64_t n, int64_t low, int64_t high) {
    if (i < 0) i += n;
    return i < low ? low : i > high ? high : i;
  }
};
PYK_FN constexpr slice_of slice(int64_t lo, int64_t hi, int64_t step = 1) {
  return {lo, hi, step, true, true};
}
PYK_FN constexpr slice_of from(int64_t lo, int64_t step = 1) { return {lo, 0, step, true, false}; }
PYK_FN constexpr slice_of until(int64_t hi, int64_t step = 1) { return {0, hi, step, false, true}; }
PYK_FN constexpr slice_of every(int64_t step) { return {0, 0, step, false, false}; }
struct all_of {};
constexpr all_of all{};
struct newaxis_of {};
constexpr newaxis_of newaxis{};

namespace detail {

template <class S>
constexpr int rank_of = std::is_integral<S>::value ? 0 : 1;

// One subscript after the other moves the offset and appends a dimension.
template <class To, class From, bool kStrided>
struct viewer {
  To to{};
  const From& a;
  int from_axis = 0, to_axis = 0;
  int64_t offset = 0;

  PYK_HD explicit viewer(const From& array) : a(array) {}
  PYK_HD void dimension(int64_t extent, [[maybe_unused]] int64_t stride) {
    to.extents[to_axis] = extent;
    if constexpr (kStrided) to.strides[to_axis] = stride;
    ++to_axis;
  }
  template <class I>
  PYK_HD void add(I i) {
    offset += int64_t(i) * a.stride(from_axis++);
  }
  PYK_HD void add(all_of) {
    dimension(a.extents[from_axis], a.stride(from_axis));
    ++from_axis;
  }
  PYK_HD void add(newaxis_of) { dimension(1, 0); }
  PYK_HD void add(slice_of s) {
    const auto r = s.bounds(a.extents[from_axis]);
    offset += r.first * a.stride(from_axis);
    dimension(r.count, s.step * a.stride(from_axis));
    ++from_axis;
  }
};

}  // namespace detail

// a[subscripts...], of layout L: indices are in range and not negative.
template <class L, class T, int N, class From, class Index, class... S>
PYK_FN auto view(const array<T, N, From, Index>& a, S... subscripts) {
  using To = array<T, (0 + ... + detail::rank_of<S>), L, Index>;
  detail::viewer<To, array<T, N, From, Index>, std::is_same<L, A>::value> v(a);
  (v.add(subscripts), ...);
  v.to.data = reinterpret_cast<T*>(reinterpret_cast<byte_of<T>*>(a.data) + v.offset);
  return v.to;
}

namespace detail {
template <class L>
struct flipped_of {
  using type = A;
};
template <>
struct flipped_of<C> {
  using type = F;
};
template <>
struct flipped_of<F> {
  using type = C;
};
}  // namespace detail

// a.T: the axes in reverse order.
template <class T, int N, class L, class Index>
PYK_FN auto transpose(const array<T, N, L, Index>& a) {
  using Flipped = typename detail::flipped_of<L>::type;
  array<T, N, Flipped, Index> to{};
  to.data = a.data;
  for (int k = 0; k < N; ++k) to.extents[k] = a.extents[N - 1 - k];
  if constexpr (std::is_same<Flipped, A>::value)
    for (int k = 0; k < N; ++k) to.strides[k] = a.stride(N - 1 - k);
  return to;
}

// a.swapaxes(first, second): counted from the end where they are negative.
template <class T, int N, class L, class Index>
PYK_FN auto swap_axes(const array<T, N, L, Index>& a, int64_t first, int64_t second) {
  array<T, N, A, Index> to{};
  to.data = a.data;
  const int one = int(first < 0 ? first + N : first);
  const int other = int(second < 0 ? second + N : second);
  for (int k = 0; k < N; ++k) {
    const int from = k == one ? other : k == other ? one : k;
    to.extents[k] = a.extents[from];
    to.strides[k] = a.stride(from);
  }
  return to;
}

// Elements that lie where extents and strides, in bytes, say; some may lie in several places.
template <class T, int M, class L, class Index, class... Numbers>
PYK_FN auto strided(const array<T, M, L, Index>& a, Numbers... numbers) {
  constexpr int N = int(sizeof...(Numbers)) / 2;
  const int64_t given[] = {int64_t(numbers)...};
  array<T, N, A, Index> to{};
  to.data = a.data;
  for (int k = 0; k < N; ++k) {
    to.extents[k] = Index(given[k]);
    to.strides[k] = Index(given[N + k]);
  }
  return to;
}

// z.real and z.imag of an array of complex numbers: views of every other component.
namespace detail {
template <class U, int N, class T, class L, class Index>
PYK_FN auto components(const array<T, N, L, Index>& z, int at) {
  using Part = typename std::conditional<std::is_const<T>::value, const U, U>::type;
  array<Part, N, A, Index> to{};
  to.data = reinterpret_cast<Part*>(z.data) + at;
  for (int k = 0; k < N; ++k) to.extents[k] = z.extents[k];
  for (int k = 0; k < N; ++k) to.strides[k] = z.stride(k);
  return to;
}
}  // namespace detail
template <class T, int N, class L, class Index>
PYK_FN auto real(const array<T, N, L, Index>& z) {
  return detail::components<decltype(T::re), N>(z, 0);
}
template <class T, int N, class L, class Index>
PYK_FN auto imag(const array<T, N, L, Index>& z) {
  return detail::components<decltype(T::im), N>(z, 1);
}

// a.flat where the elements lie in C order: the same memory in one dimension.
template <class T, int N, class L, class Index>
PYK_FN array<T, 1, C, Index> flat(const array<T, N, L, Index>& a) {
  static_assert(std::is_same<L, C>::value || N == 0, "elements in C order");
  array<T, 1, C, Index> to{};
  to.data = a.data;
  to.extents[0] = Index(a.size());
  return to;
}

// Has the shape as many elements? None of its extents is below 0.
template <class A, class... Shape>
PYK_FN bool has_shape(const A& a, Shape... shape) {
  int64_t size = 1;
  bool fits = true, is_empty = false;
  for (const int64_t extent : {int64_t(1), int64_t(shape)...}) {
    fits = fits && extent >= 0;
    is_empty = is_empty || extent == 0;
    if (fits && !is_empty) fits = !__builtin_mul_overflow(size, extent, &size);
  }
  return fits && (is_empty ? 0 : size) == a.size();
}
// The extent that makes a shape of these, or -1.
template <class A, class... Shape>
PYK_FN int64_t extent_left(const A& a, Shape... shape) {
  int64_t left = a.size();
  for (const int64_t extent : {int64_t(1), int64_t(shape)...}) {
    if (extent <= 0 || left % extent != 0) return -1;
    left /= extent;
  }
  return left;
}
// The same elements under another shape, which has as many.
template <class T, int N, class Index, class... Shape>
PYK_FN array<T, sizeof...(Shape), C, Index> reshaped(const array<T, N, C, Index>& a,
                                                     Shape... shape) {
  array<T, sizeof...(Shape), C, Index> to{};
  to.data = a.data;
  int k = 0;
  ((to.extents[k++] = Index(shape)), ...);
  return to;
}

// Would elements of this type in its place lie at addresses that C++ does not take them from?
template <class To, class T, int N, class L, class Index>
PYK_FN bool is_misaligned(const array<T, N, L, Index>& a) {
  if (a.size() == 0) return false;
  bool found = reinterpret_cast<uintptr_t>(a.data) % alignof(To) != 0;
  if constexpr (std::is_same<L, A>::value) {
    constexpr int kStays = sizeof(To) == sizeof(T) ? N : N - 1;  // of the others the last is anew
    for (int k = 0; k < kStays; ++k)
      found = found || (a.extents[k] != 1 && uint64_t(a.stride(k)) % alignof(To) != 0);
  }
  return found;
}
// Is a byte of it no bool, neither 0 nor 1?
template <class T, int N, class L, class Index, class... I>
PYK_FN bool lacks_bools(const array<T, N, L, Index>& a, I... outer) {
  if constexpr (sizeof...(I) == N) {
    unsigned char bytes[sizeof(T)];
    __builtin_memcpy(bytes, &a(outer...), sizeof bytes);
    bool found = false;
    for (const unsigned char byte : bytes) found |= byte > 1;
    return found;
  } else {
    bool found = false;
    for (Index i = 0; i < a.shape(sizeof...(I)); ++i) found |= lacks_bools(a, outer..., i);
    return found;
  }
}
// The same bytes as elements of another type. Where that has another size, the last axis is divided
// anew: its elements lie side by side, and their bytes are a whole number of the new ones.
template <class To, class T, int N, class L, class Index>
PYK_FN auto viewed(const array<T, N, L, Index>& a) {
  array<const_like<To, T>, N, L, Index> to{};
  to.data = reinterpret_cast<const_like<To, T>*>(a.data);
  for (int k = 0; k < N; ++k) to.extents[k] = a.extents[k];
  if constexpr (sizeof(To) != sizeof(T))
    to.extents[N - 1] = a.extents[N - 1] * Index(sizeof(T)) / Index(sizeof(To));
  if constexpr (std::is_same<L, A>::value) {
    for (int k = 0; k < N; ++k) to.strides[k] = a.stride(k);
    if constexpr (sizeof(To) != sizeof(T)) to.strides[N - 1] = sizeof(To);
  }
  return to;
}

// a[...] = value
template <class T, int N, class L, class Index, class... I>
PYK_FN void fill(const array<T, N, L, Index>& a, T value, I... outer) {
  if constexpr (sizeof...(I) == N) {
    a(outer...) = value;
  } else {
    for (Index i = 0; i < a.shape(sizeof...(I)); ++i) fill(a, value, outer..., i);
  }
}

// ---- counting ----------------------------------------------------------------------------------

// for (const int64_t i : pyk::range(lo, hi, step)): any step but 0, no overflow at the end.
template <class I>
struct range_of {
  struct iterator {
    I value;
    uint64_t left;
    I step;
    PYK_HD I operator*() const { return value; }
    PYK_HD iterator& operator++() {
      value = I(uint64_t(value) + uint64_t(step));
      --left;
      return *this;
    }
    PYK_HD bool operator!=(const iterator& end) const { return left != end.left; }
  };
  I lo, hi, step;

  PYK_HD uint64_t size() const {
    if (step > 0) return lo < hi ? (uint64_t(hi) - uint64_t(lo) - 1) / uint64_t(step) + 1 : 0;
    return lo > hi ? (uint64_t(lo) - uint64_t(hi) - 1) / (uint64_t(0) - uint64_t(step)) + 1 : 0;
  }
  PYK_HD iterator begin() const { return {lo, size(), step}; }
  PYK_HD iterator end() const { return {hi, 0, step}; }
};
template <class I>
PYK_FN constexpr range_of<I> range(I lo, I hi, I step) {
  return {lo, hi, step};
}

}  // namespace pyk
