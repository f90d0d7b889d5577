// pyk::list: Python's list of items of one type; host only.
//
//   const pyk::list<double> a = pyk::list_new<double>(8);    if (!a.is_valid()) …no memory
//   if (!pyk::list_append(a, x)) …no memory                  pyk::list_item(a, i), -1 is the last
//
// A list is shared: a copy is another name for it, the last one frees its items. Arrays in it keep
// their memory alive. Whoever asks for an item has made sure that it is there: list_lacks().
// What takes memory says whether there was some: false, or a list or array that is not is_valid().
// Tested by tests/run/test_lists.py.
#pragma once

#include <algorithm>
#include <memory>
#include <new>

#include "pyk/memory.h"
#include "pyk/tuple.h"

namespace pyk {

template <class T>
struct list {
  struct body {
    int64_t count;  // of owners
    int64_t size, room;
    T* items;
  };
  body* at = nullptr;

  list() = default;
  explicit list(body* made) : at(made) {}
  list(const list& other) : at(other.at) {
    if (at) __atomic_fetch_add(&at->count, 1, __ATOMIC_RELAXED);
  }
  list(list&& other) noexcept : at(other.at) { other.at = nullptr; }
  list& operator=(list other) noexcept {
    std::swap(at, other.at);
    return *this;
  }
  ~list() {
    if (!at || __atomic_sub_fetch(&at->count, 1, __ATOMIC_ACQ_REL) != 0) return;
    std::destroy_n(at->items, at->size);
    free(at->items);
    free(at);
  }

  bool is_valid() const { return PYK_LIKELY(at != nullptr); }
  T* begin() const { return at->items; }
  T* end() const { return at->items + at->size; }
};

namespace detail {

// The type of a parameter that takes no part in deduction.
template <class T>
struct same {
  using type = T;
};
template <class T>
using same_t = typename same<T>::type;

template <class T>
bool list_room(const list<T>& l, int64_t room) {
  auto& at = *l.at;
  if (room <= at.room) return true;
  if (room > (int64_t{1} << 58) / int64_t(sizeof(T))) return false;
  if constexpr (std::is_trivially_copyable<T>::value) {
    void* const items = realloc(static_cast<void*>(at.items), size_t(room) * sizeof(T));
    if (!items) return false;
    at.items = static_cast<T*>(items);
  } else {
    T* const items = static_cast<T*>(malloc(size_t(room) * sizeof(T)));
    if (!items) return false;
    for (int64_t i = 0; i < at.size; ++i) {
      new (static_cast<void*>(items + i)) T(std::move(at.items[i]));
      at.items[i].~T();
    }
    free(at.items);
    at.items = items;
  }
  at.room = room;
  return true;
}
// Room for `more` items, and for others to come.
template <class T>
PYK_NOINLINE bool list_grow(const list<T>& l, int64_t more) {
  const int64_t size = l.at->size;
  return list_room(l, std::max(size + more, size + size / 2 + 4));
}

// As Python's sort has them, NaN behind all others: an order of all values, as std::stable_sort
// needs one.
struct before {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    if constexpr (std::is_floating_point<T>::value)
      return a < b || (b != b && a == a);
    else
      return a < b;
  }
  bool operator()(const tuple<>&, const tuple<>&) const { return false; }
  template <class Head, class... Tail>
  bool operator()(const tuple<Head, Tail...>& a, const tuple<Head, Tail...>& b) const {
    if ((*this)(a.head, b.head)) return true;
    return !(*this)(b.head, a.head) && (*this)(a.tail, b.tail);
  }
};

}  // namespace detail

// Empty, with room for so many items.
template <class T>
list<T> list_new(int64_t room = 0) {
  using body = typename list<T>::body;
  body* const made = static_cast<body*>(malloc(sizeof(body)));
  if (!made) return {};
  *made = {1, 0, 0, nullptr};
  list<T> l(made);
  return detail::list_room(l, room) ? l : list<T>();
}
template <class T>
list<T> list_full(int64_t count, const T& value) {
  list<T> l = list_new<T>(std::max<int64_t>(count, 0));
  if (!l.is_valid() || count <= 0) return l;
  std::uninitialized_fill_n(l.at->items, count, value);
  l.at->size = count;
  return l;
}

template <class T>
int64_t list_size(const list<T>& l) {
  return l.at->size;
}
// Is there no item i, counted from the end where it is negative?
template <class T>
bool list_lacks(const list<T>& l, int64_t i) {
  return uint64_t(i < 0 ? i + l.at->size : i) >= uint64_t(l.at->size);
}
template <class T>
const T& list_item(const list<T>& l, int64_t i) {
  return l.at->items[i < 0 ? i + l.at->size : i];
}
template <class T>
void list_set(const list<T>& l, int64_t i, const detail::same_t<T>& value) {
  l.at->items[i < 0 ? i + l.at->size : i] = value;
}

template <class T>
bool list_append(const list<T>& l, detail::same_t<T> value) {
  auto& at = *l.at;
  if (at.size == at.room && !detail::list_grow(l, 1)) return false;
  new (static_cast<void*>(at.items + at.size)) T(std::move(value));
  ++at.size;
  return true;
}
template <class T, class... Items>
list<T> list_of(Items... items) {
  list<T> l = list_new<T>(sizeof...(Items));
  if (l.is_valid()) (list_append(l, T(items)), ...);
  return l;
}

// Before item i; beyond an end: there.
template <class T>
bool list_insert(const list<T>& l, int64_t i, detail::same_t<T> value) {
  const int64_t n = l.at->size;
  i = std::min(std::max<int64_t>(i < 0 ? i + n : i, 0), n);
  if (!list_append(l, std::move(value))) return false;
  std::rotate(l.begin() + i, l.end() - 1, l.end());
  return true;
}
template <class T>
T list_pop(const list<T>& l, int64_t i) {
  auto& at = *l.at;
  if (i < 0) i += at.size;
  T item = std::move(at.items[i]);
  std::move(at.items + i + 1, at.items + at.size, at.items + i);
  at.items[--at.size].~T();
  return item;
}
template <class T>
void list_clear(const list<T>& l) {
  std::destroy_n(l.at->items, l.at->size);
  l.at->size = 0;
}
template <class T>
bool list_extend(const list<T>& l, const list<T>& more) {
  const int64_t n = more.at->size;  // which may be the list itself
  if (l.at->size + n > l.at->room && !detail::list_grow(l, n)) return false;
  std::uninitialized_copy_n(more.at->items, n, l.end());
  l.at->size += n;
  return true;
}
// l *= times
template <class T>
bool list_times(const list<T>& l, int64_t times) {
  const int64_t n = l.at->size;
  if (times <= 0) return list_clear(l), true;
  int64_t room = 0;
  if (__builtin_mul_overflow(n, times, &room) || !detail::list_room(l, room)) return false;
  for (int64_t k = 1; k < times && n > 0; ++k) {
    std::uninitialized_copy_n(l.at->items, n, l.end());
    l.at->size += n;
  }
  return true;
}
template <class T>
list<T> list_slice(const list<T>& l, int64_t lo, int64_t hi, int64_t step) {
  const int64_t n = l.at->size;
  const auto clamp = [&](int64_t bound) {
    if (bound < 0) bound += n;
    return step > 0 ? std::min(std::max<int64_t>(bound, 0), n)
                    : std::min(std::max<int64_t>(bound, -1), n - 1);
  };
  lo = clamp(lo), hi = clamp(hi);
  // No sum of these overflows: a step from an item to beyond the end is none.
  const int64_t far = step > 0 ? hi - lo : lo - hi;
  const uint64_t stride = step > 0 ? uint64_t(step) : uint64_t(0) - uint64_t(step);
  const int64_t count = far > 0 ? int64_t((uint64_t(far) - 1) / stride + 1) : 0;
  list<T> made = list_new<T>(count);
  if (!made.is_valid()) return made;
  for (int64_t k = 0; k < count; ++k)
    new (static_cast<void*>(made.at->items + k)) T(l.at->items[lo + (k ? k * step : 0)]);
  made.at->size = count;
  return made;
}
template <class T>
list<T> list_concat(const list<T>& a, const list<T>& b) {
  list<T> made = list_new<T>(a.at->size + b.at->size);
  if (made.is_valid()) list_extend(made, a), list_extend(made, b);
  return made;
}
template <class T>
list<T> list_repeat(const list<T>& l, int64_t times) {
  int64_t room = 0;
  if (times < 0) times = 0;
  if (__builtin_mul_overflow(times, l.at->size, &room)) return {};
  list<T> made = list_new<T>(room);
  for (int64_t k = 0; made.is_valid() && k < times && l.at->size > 0; ++k) list_extend(made, l);
  return made;
}
template <class T>
void list_reverse(const list<T>& l) {
  std::reverse(l.begin(), l.end());
}
// Stable, as Python's.
template <class T>
void list_sort(const list<T>& l, bool reverse) {
  if (reverse) std::reverse(l.begin(), l.end());
  std::stable_sort(l.begin(), l.end(), detail::before());
  if (reverse) std::reverse(l.begin(), l.end());
}
// The first item equal to the value; -1: none.
template <class T, class V>
int64_t list_find(const list<T>& l, const V& value) {
  for (int64_t i = 0; i < l.at->size; ++i)
    if (l.at->items[i] == value) return i;
  return -1;
}
template <class T, class V>
int64_t list_count(const list<T>& l, const V& value) {
  int64_t count = 0;
  for (const T& item : l) count += item == value;
  return count;
}
template <class T>
bool list_equal(const list<T>& a, const list<T>& b) {
  return a.at->size == b.at->size && std::equal(a.begin(), a.end(), b.begin());
}

// The items of a list of numbers, until it is changed, none of a variable that has none yet; and as
// an array of their own.
template <class T>
array<T, 1, C> list_view(const list<T>& l) {
  array<T, 1, C> view{};
  if (!l.at) return view;
  view.data = l.at->items;
  view.extents[0] = l.at->size;
  return view;
}
// Of a list in a list; nothing where it lacks that one.
template <class T>
array<T, 1, C> list_row(const list<list<T>>& l, int64_t i) {
  return !l.at || list_lacks(l, i) ? array<T, 1, C>{} : list_view(list_item(l, i));
}
template <class T>
owned<T, 1, C> list_array(const list<T>& l) {
  owned<T, 1, C> a = empty<T, C>(l.at->size);
  if (a.is_valid()) std::copy_n(l.at->items, l.at->size, a.data);
  return a;
}

// ---- heapq, item by item as CPython moves them --------------------------------------------------
namespace detail {

// The item rises towards `top` while it is less than what is above it.
template <class T>
void heap_rise(T* items, int64_t top, int64_t at) {
  T item = std::move(items[at]);
  while (at > top && item < items[(at - 1) / 2]) {
    items[at] = std::move(items[(at - 1) / 2]);
    at = (at - 1) / 2;
  }
  items[at] = std::move(item);
}
// The lesser items below rise until there is none, then the item from there.
template <class T>
void heap_sink(T* items, int64_t size, int64_t top) {
  T item = std::move(items[top]);
  int64_t at = top;
  for (int64_t below = 2 * at + 1; below < size; below = 2 * at + 1) {
    if (below + 1 < size && !(items[below] < items[below + 1])) ++below;
    items[at] = std::move(items[below]);
    at = below;
  }
  items[at] = std::move(item);
  heap_rise(items, top, at);
}

}  // namespace detail

template <class T>
bool heap_push(const list<T>& l, detail::same_t<T> value) {
  if (!list_append(l, std::move(value))) return false;
  detail::heap_rise(l.at->items, 0, l.at->size - 1);
  return true;
}
template <class T>
T heap_pop(const list<T>& l) {
  T item = list_pop(l, -1);
  if (l.at->size == 0) return item;
  std::swap(item, l.at->items[0]);
  detail::heap_sink(l.at->items, l.at->size, 0);
  return item;
}
template <class T>
void heapify(const list<T>& l) {
  for (int64_t i = l.at->size / 2; i-- > 0;) detail::heap_sink(l.at->items, l.at->size, i);
}

namespace detail {

template <class T>
memory* block_at(const list<T>& owner, const void* at) {
  constexpr bool holds_none = std::is_trivially_copyable<T>::value;
  for (int64_t i = 0; !holds_none && owner.at && i < owner.at->size; ++i)
    if (memory* const block = block_at(owner.at->items[i], at)) return block;
  return nullptr;
}

}  // namespace detail

// What a list keeps alive, a list that it came from kept alive as well: only arrays are asked.
namespace detail {
struct nobody {};
template <class Owner>
const Owner& but_no_list(const Owner& owner) {
  return owner;
}
template <class T>
nobody but_no_list(const list<T>&) {
  return {};
}
}  // namespace detail

template <class T, class... Owners>
void keep_in(list<T>& l, const Owners&... owners) {
  constexpr bool holds_none = std::is_trivially_copyable<T>::value;
  for (int64_t i = 0; !holds_none && l.at && i < l.at->size; ++i)
    keep_in(l.at->items[i], detail::but_no_list(owners)...);
}

}  // namespace pyk
