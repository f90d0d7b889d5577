// Arrays that own their memory: a view plus a counted block; host only.
//
//   auto counts = pyk::zeros<int64_t, pyk::C>(bins);     if (!counts.is_valid()) …no memory
//   pyk::owned<double, 1, pyk::C> row = …a view…;         block null: borrowed, nothing to free
//   pyk::share(view, owner)                               a view that keeps its owner's block alive
//   pyk::keep(f(a, b), a, b)                              what f returns may be a view of either
//
// Blocks are aligned to 64 bytes; the last owner frees. A result's block goes to its ndarray.
// Tested by tests/unit/emit/array_test.cpp and tests/run/test_views_of_own.py.
#pragma once

#include <stdlib.h>
#include <string.h>

#include <utility>

#include "pyk/array.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace pyk {

// The head of a block; the elements begin 64 bytes behind it.
struct memory {
  int64_t count;  // of owners
  void* allocated;
  size_t size;  // of the elements, in bytes
};

constexpr size_t kAlignment = 64;

// Null when there is no memory for it.
[[maybe_unused]] static inline memory* allocate(size_t bytes, bool zero) {
  if (bytes > size_t{1} << 62) return nullptr;
  const size_t total = bytes + 2 * kAlignment;
  void* raw = zero ? calloc(total, 1) : malloc(total);
  if (!raw) return nullptr;
  const uintptr_t at = (reinterpret_cast<uintptr_t>(raw) + kAlignment - 1) & ~(kAlignment - 1);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr size_t kHuge = size_t{2} << 20;
  if (bytes >= 2 * kHuge) {
    const uintptr_t first = (at + kHuge - 1) & ~(kHuge - 1);
    madvise(reinterpret_cast<void*>(first), (at + bytes - first) & ~(kHuge - 1), MADV_HUGEPAGE);
  }
#endif
  memory* block = reinterpret_cast<memory*>(at);
  block->count = 1;
  block->allocated = raw;
  block->size = bytes;
  return block;
}
[[maybe_unused]] static inline void* elements(memory* block) {
  return reinterpret_cast<char*>(block) + kAlignment;
}
[[maybe_unused]] static inline void retain(memory* block) {
  if (block) __atomic_fetch_add(&block->count, 1, __ATOMIC_RELAXED);
}
[[maybe_unused]] static inline void release(memory* block) {
  if (block && __atomic_sub_fetch(&block->count, 1, __ATOMIC_ACQ_REL) == 0) free(block->allocated);
}

namespace detail {
// Who owns may write: whether the elements are read-only is for Python to know.
template <class T, class L, class U, int N, class M>
array<T, N, L> writable(array<U, N, M> view) {
  array<T, N, M> to{};
  static_cast<extents_of<T, N, int64_t>&>(to) = {const_cast<T*>(view.data), {}};
  for (int k = 0; k < N; ++k) to.extents[k] = view.extents[k];
  if constexpr (std::is_same<M, A>::value)
    for (int k = 0; k < N; ++k) to.strides[k] = view.strides[k];
  return as<T, L>(to);
}
}  // namespace detail

template <class T, int N, class L>
struct owned : array<T, N, L> {
  memory* block = nullptr;

  owned() : array<T, N, L>{} {}
  owned(const array<T, N, L>& view) : array<T, N, L>(view) {}
  owned(const array<T, N, L>& view, memory* kept) : array<T, N, L>(view), block(kept) {
    retain(block);
  }
  template <class U, class M>
  owned(const array<U, N, M>& view) : array<T, N, L>(detail::writable<T, L>(view)) {}
  owned(const owned& other) : array<T, N, L>(other), block(other.block) { retain(block); }
  template <class U, class M>
  owned(const owned<U, N, M>& other)
      : array<T, N, L>(detail::writable<T, L, U, N, M>(other)), block(other.block) {
    retain(block);
  }
  owned(owned&& other) noexcept : array<T, N, L>(other), block(other.block) {
    other.block = nullptr;
  }
  owned& operator=(owned other) noexcept {
    memory* const old = block;
    static_cast<array<T, N, L>&>(*this) = other;
    block = other.block;
    other.block = old;
    return *this;
  }
  ~owned() { release(block); }

  bool is_valid() const { return PYK_LIKELY(this->data != nullptr); }
  memory* take() {  // the caller becomes the owner
    memory* const mine = block;
    block = nullptr;
    return mine;
  }
};

// A view into what `owner` holds.
template <class T, int N, class L, class U, int M, class K>
[[maybe_unused]] static inline owned<T, N, L> share(array<T, N, L> view,
                                                    const owned<U, M, K>& owner) {
  return {view, owner.block};
}

template <class... Items>
struct tuple;
template <class T>
struct optional;
template <class T>
struct list;

namespace detail {

template <class T>
memory* block_at(const list<T>& owner, const void* at);
template <class T>
memory* block_at(const optional<T>& owner, const void* at);
template <class Head, class... Tail>
memory* block_at(const tuple<Head, Tail...>& owner, const void* at);

// The block of the owner that the address lies in, or behind; null: none of its.
template <class Other>
memory* block_at(const Other&, const void*) {
  return nullptr;
}
template <class T, int N, class L>
memory* block_at(const owned<T, N, L>& owner, const void* at) {
  if (!owner.block) return nullptr;
  const char* const first = static_cast<const char*>(elements(owner.block));
  const char* const place = static_cast<const char*>(at);
  return first <= place && place <= first + owner.block->size ? owner.block : nullptr;
}
template <class T>
memory* block_at(const optional<T>& owner, const void* at) {
  return owner.has ? block_at(owner.value, at) : nullptr;
}
template <class Head, class... Tail>
memory* block_at(const tuple<Head, Tail...>& owner, const void* at) {
  memory* const block = block_at(owner.head, at);
  return block ? block : block_at(owner.tail, at);
}

}  // namespace detail

// An array that owns nothing owns the block, if it lies in one of these: of tuples each item.
template <class Other, class... Owners>
void keep_in(Other&, const Owners&...) {}
template <class T, int N, class L, class... Owners>
void keep_in(owned<T, N, L>& a, const Owners&... owners) {
  if (a.block) return;
  memory* block = nullptr;
  ((block = block ? block : detail::block_at(owners, a.data)), ...);
  a.block = block;
  retain(block);
}
template <class T, class... Owners>
void keep_in(optional<T>& a, const Owners&... owners) {
  if (a.has) keep_in(a.value, owners...);
}
template <class Head, class... Tail, class... Owners>
void keep_in(tuple<Head, Tail...>& a, const Owners&... owners) {
  keep_in(a.head, owners...);
  keep_in(a.tail, owners...);
}

// The value, whose arrays keep the memory of the owners alive that they show.
template <class Value, class... Owners>
Value keep(Value value, const Owners&... owners) {
  keep_in(value, owners...);
  return value;
}
template <class T, int N, class L, class... Owners>
owned<typename std::remove_const<T>::type, N, L> keep(array<T, N, L> view,
                                                      const Owners&... owners) {
  return keep(owned<typename std::remove_const<T>::type, N, L>(view), owners...);
}

namespace detail {

template <class T, class L, class... Shape>
owned<T, sizeof...(Shape), L> make(bool zero, Shape... shape) {
  owned<T, sizeof...(Shape), L> a;
  int64_t size = 1;
  bool fits = true;
  int k = 0;
  ((a.extents[k++] = int64_t(shape)), ...);
  for (int64_t extent : {int64_t(1), int64_t(shape)...})
    fits = !__builtin_mul_overflow(size, extent, &size) && extent >= 0 && fits;
  if (!fits || size > (int64_t{1} << 58)) return a;
  a.block = allocate(size_t(size) * sizeof(T), zero);
  if (a.block) a.data = static_cast<T*>(elements(a.block));
  return a;
}

}  // namespace detail

// New arrays of layout L; not is_valid() when there is no memory for one.
template <class T, class L, class... Shape>
owned<T, sizeof...(Shape), L> empty(Shape... shape) {
  return detail::make<T, L>(false, shape...);
}
template <class T, class L, class... Shape>
owned<T, sizeof...(Shape), L> zeros(Shape... shape) {
  return detail::make<T, L>(true, shape...);
}
template <class T, class L, class... Shape>
owned<T, sizeof...(Shape), L> full(T value, Shape... shape) {
  auto a = detail::make<T, L>(false, shape...);
  if (a.is_valid())
    for (int64_t i = 0, n = a.size(); i < n; ++i) a.data[i] = value;
  return a;
}
template <class T, class L, class... Shape>
owned<T, sizeof...(Shape), L> ones(Shape... shape) {
  return full<T, L>(T(1), shape...);
}

}  // namespace pyk
