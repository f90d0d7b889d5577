// Lists, sets and dicts as arguments: what a call reads from them, and what it gives back.
//
// In:   list, set, dict (borrowed).  Out: Slot<T> of pyk::list, set, dict, and of arrays in them;
//       give_back(), which puts what the function has made of one that it changes into the object.
// Rule: what is in them is taken as arguments of its type are. Nothing that is taken is freed while
//       the call lasts, whatever other threads do to the object. One object that is passed twice is
//       one container in the function as well. What has changed is seen when the call ends, by an
//       exception too.
// Tested by tests/run/test_containers.py.
#pragma once

#include "pyk/python/result.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

// A parameter whose container the function changes.
template <class T>
struct Changing {};

// What an item is taken as where nothing is written to it: arrays are only read.
template <class T>
struct ReadOnly {
  using Type = T;
};
template <class T, int N, class L>
struct ReadOnly<pyk::owned<T, N, L>> {
  using Type = pyk::array<const T, N, L>;
};
template <class... T>
struct ReadOnly<pyk::tuple<T...>> {
  using Type = pyk::tuple<typename ReadOnly<T>::Type...>;
};
template <class T, bool written>
using Taken = std::conditional_t<written, T, typename ReadOnly<T>::Type>;

template <class T>
struct Container;
template <class T>
struct Container<pyk::list<T>> {
  using Item = T;
  static constexpr Kind kind = Kind::kList;
  static pyk::list<T> make(Py_ssize_t count) { return pyk::list_new<T>(count); }
  static bool put(const pyk::list<T>& list, const T& item) { return list_append(list, item); }
  static int64_t size(const pyk::list<T>& list) { return list_size(list); }
  static int replace(PyObject* o, PyObject* made) {
    return PyList_SetSlice(o, 0, PY_SSIZE_T_MAX, made);
  }
};
template <class Entry, class Key>
struct Container<pyk::table<Entry, Key>> {
  using Item = Entry;
  using Table = pyk::table<Entry, Key>;
  static constexpr Kind kind = Kind::kSet;
  static Table make(Py_ssize_t) { return pyk::table_new<Table>(); }
  static bool put(const Table& set, const Key& key) { return table_add(set, key); }
  static int64_t size(const Table& set) { return table_size(set); }
  static int replace(PyObject* o, PyObject* made) {
    PyObject* done = PySet_Clear(o) == 0 ? PyObject_CallMethod(o, "update", "O", made) : nullptr;
    Py_XDECREF(done);
    return done ? 0 : -1;
  }
};
template <class Key, class Value>
struct Container<pyk::table<pyk::tuple<Key, Value>, Key>> {
  using Item = pyk::tuple<Key, Value>;
  using Table = pyk::table<Item, Key>;
  static constexpr Kind kind = Kind::kDict;
  static Table make(Py_ssize_t) { return pyk::table_new<Table>(); }
  static bool put(const Table& dict, const Item& entry) {
    return table_put(dict, entry.head, entry.tail.head);
  }
  static int64_t size(const Table& dict) { return table_size(dict); }
  static int replace(PyObject* o, PyObject* made) {
    PyDict_Clear(o);
    return PyDict_Update(o, made);
  }
};

template <class Item>
struct One {
  static constexpr const Param* all[1] = {&Describe<Item>::value};
};
template <class Entry>
struct Both {};
template <class Key, class Value>
struct Both<pyk::tuple<Key, Value>> {
  static constexpr const Param* all[2] = {&Describe<Key>::value, &Describe<Value>::value};
};
template <class T, bool written>
struct DescribeContainer {
  using Item = Taken<typename Container<T>::Item, written>;
  static constexpr Kind kKind = Container<T>::kind;
  using Parts = std::conditional_t<kKind == Kind::kDict, Both<Item>, One<Item>>;
  static constexpr Param value{
      kKind, 0, Kind::kBool, 0, 'A', written, kKind == Kind::kDict ? 2 : 1, Parts::all};
};
template <class T>
struct Describe<pyk::list<T>> : DescribeContainer<pyk::list<T>, false> {};
template <class Entry, class Key>
struct Describe<pyk::table<Entry, Key>> : DescribeContainer<pyk::table<Entry, Key>, false> {};
template <class T>
struct Describe<Changing<T>> : DescribeContainer<T, true> {};

// An array in a container does not own its memory: the object does.
template <class T, int N, class L>
struct ArrayTraits<pyk::owned<T, N, L>> : ArrayTraits<pyk::array<T, N, L>> {};
template <class T, int N, class L>
struct Slot<pyk::owned<T, N, L>> : Slot<pyk::array<T, N, L>> {};

template <class T>
struct ContainerSlot {
  using Of = Container<T>;
  T value;
  PyObject* object = nullptr;  // borrowed
  PyObject* taken = nullptr;   // a tuple of what is in it

  ContainerSlot() = default;
  ContainerSlot(const ContainerSlot&) = delete;
  ~ContainerSlot() { Py_XDECREF(taken); }

  template <class V>
  const T& get() const {
    return value;
  }
  bool contiguous() const { return true; }
  int64_t size() const { return Of::size(value); }

 protected:
  template <class How, bool written>
  bool take(PyObject* o, const NumPy& numpy) {
    if (How::kAtOnce || !is_container(o, Of::kind)) return false;
    object = o;
    taken = items_of_container(o);
    if (!taken) PyErr_Clear();
    return taken && take_items<How, Taken<typename Of::Item, written>>(numpy);
  }

 private:
  template <class How, class Item>
  bool take_items(const NumPy& numpy) {
    const Py_ssize_t count = PyTuple_Size(taken);
    value = Of::make(count);
    bool fits = value.is_valid();
    for (Py_ssize_t k = 0; fits && k < count; ++k) {
      Slot<Item> item;
      fits = item.template load<How>(PyTuple_GetItem(taken, k), numpy) &&
             Of::put(value, item.template get<typename Of::Item>());
    }
    return fits;
  }
};
template <class T, bool written>
struct LoadedContainer : ContainerSlot<T> {
  template <class How>
  bool load(PyObject* o, const NumPy& numpy) {
    return this->template take<How, written>(o, numpy);
  }
};
template <class T>
struct Slot<pyk::list<T>> : LoadedContainer<pyk::list<T>, false> {};
template <class Entry, class Key>
struct Slot<pyk::table<Entry, Key>> : LoadedContainer<pyk::table<Entry, Key>, false> {};
template <class T>
struct Slot<Changing<T>> : LoadedContainer<T, true> {};

// The container of a parameter; void: it is none.
template <class P>
struct ContainerOf {
  using Type = void;
};
template <class T>
struct ContainerOf<pyk::list<T>> {
  using Type = pyk::list<T>;
};
template <class Entry, class Key>
struct ContainerOf<pyk::table<Entry, Key>> {
  using Type = pyk::table<Entry, Key>;
};
template <class T>
struct ContainerOf<Changing<T>> {
  using Type = T;
};

// What is passed twice is one.
template <class A, class B>
void share([[maybe_unused]] const Slot<A>& a, [[maybe_unused]] Slot<B>& b) {
  using Of = typename ContainerOf<A>::Type;
  if constexpr (!std::is_void_v<Of> && std::is_same_v<Of, typename ContainerOf<B>::Type>)
    if (a.object == b.object) b.value = a.value;
}
template <size_t J, class B, size_t... I, class... P>
void share_with(SlotAt<J, B>& slot, const SlotsOf<std::index_sequence<I...>, P...>& slots) {
  (void(I < J ? share(static_cast<const Slot<P>&>(static_cast<const SlotAt<I, P>&>(slots)),
                      static_cast<Slot<B>&>(slot))
              : void()),
   ...);
}
template <size_t... I, class... P>
void share_all([[maybe_unused]] SlotsOf<std::index_sequence<I...>, P...>& slots) {
  if constexpr ((!std::is_void_v<typename ContainerOf<P>::Type> || ...))
    (share_with<I, P>(slots, slots), ...);
}

// An item as it is now: an array that was there is the object that it was.
template <class T>
PyObject* item_back(const T& item, PyObject*, Owners owners) {
  return Result<T>::make(item, owners);
}
template <class T, int N, class L>
PyObject* item_back(const pyk::owned<T, N, L>& item, PyObject* before, Owners owners) {
  const NumPy& numpy = owners.state.numpy;
  const bool stays = before && !item.block &&
                     is_same_view(numpy, reinterpret_cast<PyArrayObject*>(before),
                                  value_of(static_cast<const pyk::array<T, N, L>&>(item)));
  return stays ? Py_NewRef(before) : Result<pyk::owned<T, N, L>>::make(item, owners);
}

template <class T>
PyObject* all_back(const ContainerSlot<T>& slot, Owners owners) {
  if constexpr (ContainerSlot<T>::Of::kind != Kind::kList) {
    return Result<T>::make(slot.value, owners);
  } else {
    Py_ssize_t k = 0;
    return make_list(slot.value, [&](const auto& item) {
      PyObject* before = k < PyTuple_Size(slot.taken) ? PyTuple_GetItem(slot.taken, k) : nullptr;
      ++k;
      return item_back(item, before, owners);
    });
  }
}

template <class P>
struct GiveBack {
  static bool run(const Slot<P>&, Owners) { return true; }
};
template <class T>
struct GiveBack<Changing<T>> {
  static bool run(const Slot<Changing<T>>& slot, Owners owners) {
    PyObject* made = all_back<T>(slot, owners);
    const bool done = made && Container<T>::replace(slot.object, made) == 0;
    Py_XDECREF(made);
    return done;
  }
};
// False with an exception.
template <size_t... I, class... P>
bool give_back([[maybe_unused]] const SlotsOf<std::index_sequence<I...>, P...>& slots,
               [[maybe_unused]] Owners owners) {
  return (GiveBack<P>::run(static_cast<const SlotAt<I, P>&>(slots), owners) && ...);
}

}  // namespace python
}  // namespace pyk
