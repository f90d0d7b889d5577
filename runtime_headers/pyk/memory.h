// Arrays that own their memory: a view plus a counted block; host only.
//
//   auto counts = pyk::zeros<int64_t, pyk::C>(bins);     if (!counts.is_valid()) …no memory
//   pyk::owned<double, 1, pyk::C> row = …a view…;         block null: borrowed, nothing to free
//   pyk::share(view, owner)                               a view that keeps its owner's block alive
//   pyk::keep(f(a, b), a, b)                              what f returns may be a view of either
//   auto row = pyk::zeros_at<double, pyk::C>(room, 3);    in the frame of the function
//   pyk::stack_array<double, 1, pyk::C, 64> row{room};    a variable that offers room for a result
//   auto row = pyk::zeros_in<double, pyk::C>(result, n);  takes it, if the caller of f offers it
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
  constexpr size_t kSmall = 1024;  // malloc has such at hand; calloc asks for the heap
  void* raw = zero && bytes > kSmall ? calloc(total, 1) : malloc(total);
  if (!raw) return nullptr;
  const uintptr_t at = (reinterpret_cast<uintptr_t>(raw) + kAlignment - 1) & ~(kAlignment - 1);
  if (zero && bytes <= kSmall) memset(reinterpret_cast<char*>(at) + kAlignment, 0, bytes);
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
// The one owner that is left need not count.
[[maybe_unused]] static inline void release_block(memory* block) {
  if (__atomic_load_n(&block->count, __ATOMIC_ACQUIRE) == 1 ||
      __atomic_sub_fetch(&block->count, 1, __ATOMIC_ACQ_REL) == 0)
    free(block->allocated);
}
PYK_INLINE void release(memory* block) {
  if (block) release_block(block);
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
  template <class U, class M>
  owned(owned<U, N, M>&& other) noexcept
      : array<T, N, L>(detail::writable<T, L, U, N, M>(other)), block(other.take()) {}
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

// `room`: for as many bytes, or null. Fills with zeros, or leaves what is there.
template <class T, int N, class L>
PYK_INLINE void make_sized(T* room, int64_t bytes, int64_t size, bool zero, owned<T, N, L>& a) {
  if (room && size <= bytes / int64_t(sizeof(T))) {
    a.data = room;
    if (zero) memset(static_cast<void*>(room), 0, size_t(size) * sizeof(T));
    return;
  }
  a.block = allocate(size_t(size) * sizeof(T), zero);
  if (a.block) a.data = static_cast<T*>(elements(a.block));
}

template <class T, int N, class L, class... Shape>
PYK_INLINE void make_in(T* room, int64_t bytes, bool zero, owned<T, N, L>& a, Shape... shape) {
  int64_t size = 1;
  bool fits = true;
  int k = 0;
  ((a.extents[k++] = int64_t(shape)), ...);
  for (int64_t extent : {int64_t(1), int64_t(shape)...})
    fits = !__builtin_mul_overflow(size, extent, &size) && extent >= 0 && fits;
  if (fits && size <= (int64_t{1} << 58)) make_sized(room, bytes, size, zero, a);
}

template <class T, class L, class... Shape>
owned<T, sizeof...(Shape), L> make(bool zero, Shape... shape) {
  owned<T, sizeof...(Shape), L> a;
  make_in(static_cast<T*>(nullptr), 0, zero, a, shape...);
  return a;
}

template <class T, int N, class L>
void fill_with(const owned<T, N, L>& a, T value) {
  if (a.is_valid())
    for (int64_t i = 0, n = a.size(); i < n; ++i) a.data[i] = value;
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
  detail::fill_with(a, value);
  return a;
}
template <class T, class L, class... Shape>
owned<T, sizeof...(Shape), L> ones(Shape... shape) {
  return full<T, L>(T(1), shape...);
}

// ---- on the stack ------------------------------------------------------------------------------

// The room is no member of who shows it: C++ compilers would read the address again behind every
// store.

// New arrays in the room, if they fit in; else as `empty`, …: not is_valid() when there is no
// memory for one.
template <class T, class L, size_t kElements, class... Shape>
owned<T, sizeof...(Shape), L> empty_at(T (&room)[kElements], Shape... shape) {
  owned<T, sizeof...(Shape), L> a;
  detail::make_in(&room[0], int64_t(sizeof(room)), false, a, shape...);
  return a;
}
template <class T, class L, size_t kElements, class... Shape>
owned<T, sizeof...(Shape), L> zeros_at(T (&room)[kElements], Shape... shape) {
  owned<T, sizeof...(Shape), L> a;
  detail::make_in(&room[0], int64_t(sizeof(room)), true, a, shape...);
  return a;
}
template <class T, class L, size_t kElements, class... Shape>
owned<T, sizeof...(Shape), L> full_at(T (&room)[kElements], T value, Shape... shape) {
  const auto a = empty_at<T, L>(room, shape...);
  detail::fill_with(a, value);
  return a;
}
template <class T, class L, size_t kElements, class... Shape>
owned<T, sizeof...(Shape), L> ones_at(T (&room)[kElements], Shape... shape) {
  return full_at<T, L>(room, T(1), shape...);
}

// A variable with room for so many elements. By itself it is no array yet, and offers the room to
// the function that it is handed to as the result: the first extent is how many bytes there are,
// below zero. A function that does not take it gives another array.
template <class T, int N, class L, int64_t kElements>
struct stack_array : owned<T, N, L> {
  T* const room;

  explicit stack_array(T (&place)[kElements]) : room(place) {
    this->data = room;
    this->extents[0] = -kBytes;
  }
  stack_array(const stack_array&) = delete;

  // One array after another, all with their elements side by side: those in the frame of another
  // are copied. What does not fit has a block, or stays where it is while the program runs.
  stack_array& operator=(owned<T, N, L> other) {
    static_assert(!std::is_same<L, A>::value, "elements lie side by side");
    const int64_t bytes = other.nbytes();
    if (!other.block && other.data && other.data != room && bytes <= kBytes) {
      memmove(static_cast<void*>(room), other.data, size_t(bytes));
      other.data = room;
    }
    owned<T, N, L>::operator=(std::move(other));
    return *this;
  }
  stack_array& operator=(stack_array&& other) {
    return *this = owned<T, N, L>(static_cast<owned<T, N, L>&&>(other));
  }
  // An argument is not copied: who writes to one writes to both.
  template <class U, class M>
  stack_array& operator=(const array<U, N, M>& argument) {
    owned<T, N, L>::operator=(owned<T, N, L>(argument));
    return *this;
  }
  template <class U, class M>
  stack_array& operator=(const owned<U, N, M>&) = delete;  // would be taken for an argument

 private:
  static constexpr int64_t kBytes = kElements * int64_t(sizeof(T));
};

// A result may be a view of an argument all the same.
template <class T, int N, class L, int64_t kElements, class... Owners>
void keep_in(stack_array<T, N, L, kElements>& a, const Owners&... owners) {
  keep_in(static_cast<owned<T, N, L>&>(a), owners...);
}

// Where the caller wants the result, if it offers room and the array fits in: else as `empty`, ….
namespace detail {

// Bytes of the room that is offered.
template <class U, int M, class K>
int64_t room_of(const owned<U, M, K>& result) {
  return result.extents[0] < 0 ? -result.extents[0] : 0;
}

template <class T, class L, class U, int M, class K, class... Shape>
owned<T, sizeof...(Shape), L> make_for(const owned<U, M, K>& result, bool zero, Shape... shape) {
  owned<T, sizeof...(Shape), L> a;
  const int64_t room = room_of(result);
  make_in(room > 0 ? result.data : nullptr, room, zero, a, shape...);
  return a;
}

}  // namespace detail

// A variable's array as a result, which outlives the frame: false when there is no memory for it.
template <class T, int N, class L, int64_t kElements, class M>
bool copy_out(stack_array<T, N, L, kElements>& from, owned<T, N, M>& result) {
  if (!from.block && from.data == from.room) {
    owned<T, N, L> made;
    const int64_t room = detail::room_of(result);
    detail::make_sized(room > 0 ? result.data : nullptr, room, from.size(), false, made);
    if (!made.is_valid()) return false;
    for (int k = 0; k < N; ++k) made.extents[k] = from.extents[k];
    memcpy(static_cast<void*>(made.data), from.room, size_t(from.nbytes()));
    result = std::move(made);
  } else {
    result = std::move(static_cast<owned<T, N, L>&>(from));
  }
  return true;
}

// What the caller offers, for another function's result; or nothing.
template <class T, int N, class L, class U, int M, class K>
owned<T, N, L> offered(const owned<U, M, K>& result) {
  owned<T, N, L> a;
  if (detail::room_of(result) > 0) {
    a.data = result.data;
    a.extents[0] = result.extents[0];
  }
  return a;
}

template <class T, class L, class Result, class... Shape>
owned<T, sizeof...(Shape), L> empty_in(const Result& result, Shape... shape) {
  return detail::make_for<T, L>(result, false, shape...);
}
template <class T, class L, class Result, class... Shape>
owned<T, sizeof...(Shape), L> zeros_in(const Result& result, Shape... shape) {
  return detail::make_for<T, L>(result, true, shape...);
}
template <class T, class L, class Result, class... Shape>
owned<T, sizeof...(Shape), L> full_in(const Result& result, T value, Shape... shape) {
  const auto a = detail::make_for<T, L>(result, false, shape...);
  detail::fill_with(a, value);
  return a;
}
template <class T, class L, class Result, class... Shape>
owned<T, sizeof...(Shape), L> ones_in(const Result& result, Shape... shape) {
  return full_in<T, L>(result, T(1), shape...);
}

}  // namespace pyk
