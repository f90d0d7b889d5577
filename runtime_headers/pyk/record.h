// Records: elements of structured arrays, and views of their fields.
//
//   pyk::array<pyk::record<12, 4, 0x1b2c3d4e>, 1, pyk::A> particles;
//   const auto x = pyk::field<float>(particles, 8);    x(i)    particles[i].x
//
// A record is so many bytes at a multiple of so many; the key tells records of equal size apart.
// Fields are views with the strides of the records, and further extents where a field is an array.
// One that lies at any address has elements pyk::packed<T>, whose `value` is read and written.
// Tested by tests/run/test_records.py.
#pragma once

#include "pyk/array.h"

namespace pyk {

template <int kSize, int kAlignment, unsigned kKey>
struct record {
  alignas(kAlignment) unsigned char bytes[kSize];
};

template <class T>
struct [[gnu::packed]] packed {
  T value;
};

// a[...] = value
template <class T, int N, class L, class Index>
PYK_FN void fill(const array<packed<T>, N, L, Index>& a, T value) {
  fill(a, packed<T>{value});
}

namespace detail {
template <class Part, class T, int N, class L, class Index, class... Extents>
PYK_FN auto field(const array<T, N, L, Index>& a, int64_t offset, Extents... extents) {
  using Layout = typename std::conditional<N == 0, C, A>::type;
  using Elem = typename std::conditional<std::is_const<T>::value, const Part, Part>::type;
  constexpr int kOwn = sizeof...(Extents);
  array<Elem, N + kOwn, Layout, Index> to{};
  to.data = reinterpret_cast<Elem*>(reinterpret_cast<byte_of<T>*>(a.data) + offset);
  for (int k = 0; k < N; ++k) to.extents[k] = a.extents[k];
  [[maybe_unused]] int own = N;
  ((to.extents[own++] = Index(extents)), ...);
  if constexpr (N > 0) {
    for (int k = 0; k < N; ++k) to.strides[k] = a.stride(k);
    Index stride = sizeof(Part);
    for (int k = N + kOwn - 1; k >= N; --k) {
      to.strides[k] = stride;
      stride *= to.extents[k];
    }
  }
  return to;
}
}  // namespace detail

// Field `offset` bytes into each record, as an array of the records' shape and then the field's.
template <class Part, class T, int N, class L, class Index, class... Extents>
PYK_FN auto field(const array<T, N, L, Index>& a, int64_t offset, Extents... extents) {
  return detail::field<Part>(a, offset, extents...);
}
template <class Part, class T, int N, class L, class Index, class... Extents>
PYK_FN auto packed_field(const array<T, N, L, Index>& a, int64_t offset, Extents... extents) {
  return detail::field<packed<Part>>(a, offset, extents...);
}

// a[i] = b[j]: both may be the same.
template <class T, class U, class L, class From, class Index>
PYK_FN void copy_record(const array<T, 0, L, Index>& to, const array<U, 0, From, Index>& from) {
  static_assert(sizeof(T) == sizeof(U), "records of one type");
  const T value = *from.data;
  *to.data = value;
}

}  // namespace pyk
