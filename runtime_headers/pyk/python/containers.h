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

// The object holds what `made` does from now on. Those of other classes, which may have an order or
// more of their own, by their methods. 0, or -1 with an exception.
PYK_COLD inline int replace_by_methods(PyObject* o, PyObject* made) {
  PyObject* cleared = PyObject_CallMethod(o, "clear", nullptr);
  PyObject* updated = cleared ? PyObject_CallMethod(o, "update", "(O)", made) : nullptr;
  Py_XDECREF(cleared);
  Py_XDECREF(updated);
  return updated ? 0 : -1;
}
inline int replace_set(PyObject* o, PyObject* made) {
  const int same = PyObject_RichCompareBool(o, made, Py_EQ);
  if (same != 0) return same > 0 ? 0 : -1;
  if (!has_type(o, &PySet_Type)) return replace_by_methods(o, made);
  PyObject* items = PySet_Clear(o) == 0 ? PySequence_Tuple(made) : nullptr;
  int failed = items ? 0 : -1;
  for (Py_ssize_t k = 0; failed == 0 && k < PyTuple_Size(items); ++k)
    failed = PySet_Add(o, PyTuple_GetItem(items, k));
  Py_XDECREF(items);
  return failed;
}
// Have both dicts the same keys in the same order? -1 with an exception.
inline int have_same_keys(PyObject* a, PyObject* b) {
  PyObject *first = PySequence_Tuple(a), *second = first ? PySequence_Tuple(b) : nullptr;
  const int same = second ? PyObject_RichCompareBool(first, second, Py_EQ) : -1;
  Py_XDECREF(first);
  Py_XDECREF(second);
  return same;
}
// A dict whose keys stay is not emptied: a loop may be going over it.
inline int replace_dict(PyObject* o, PyObject* made) {
  const int stays = have_same_keys(o, made);
  if (stays < 0) return -1;
  const bool is_plain = has_type(o, &PyDict_Type);
  if (stays > 0) {
    PyObject *key, *value;
    int failed = 0;
    for (Py_ssize_t at = 0; failed == 0 && PyDict_Next(made, &at, &key, &value);)
      failed = is_plain ? PyDict_SetItem(o, key, value) : PyObject_SetItem(o, key, value);
    return failed;
  }
  if (!is_plain) return replace_by_methods(o, made);
  PyDict_Clear(o);
  return PyDict_Update(o, made);
}

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
  static int replace(PyObject* o, PyObject* made) { return replace_set(o, made); }
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
  static int replace(PyObject* o, PyObject* made) { return replace_dict(o, made); }
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

template <class T>
struct ContainerSlot {
  using Of = Container<T>;
  T value;
  PyObject* object = nullptr;  // borrowed: what the caller gave; not of what stands in another
  PyObject* taken = nullptr;   // a tuple of what is in it
  PyObject* inside = nullptr;  // a list of what is in those that are in it

  ContainerSlot() = default;
  ContainerSlot(const ContainerSlot&) = delete;
  ~ContainerSlot() {
    Py_XDECREF(taken);
    Py_XDECREF(inside);
  }

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
      if constexpr (!std::is_void_v<typename ContainerOf<typename Of::Item>::Type>)
        fits = fits && hold(item.taken);
    }
    return fits;
  }
  bool hold(PyObject* items) {
    if (!inside) inside = PyList_New(0);
    const bool held = inside && PyList_Append(inside, items) == 0;
    if (!held) PyErr_Clear();
    return held;
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

template <class... P>
constexpr bool has_containers = (!std::is_void_v<typename ContainerOf<P>::Type> || ...);

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
template <class P>
void give_object([[maybe_unused]] Slot<P>& slot, [[maybe_unused]] PyObject* given) {
  if constexpr (!std::is_void_v<typename ContainerOf<P>::Type>) slot.object = given;
}
// `given`: the arguments as the caller gave them.
template <size_t... I, class... P>
void share_all([[maybe_unused]] SlotsOf<std::index_sequence<I...>, P...>& slots,
               [[maybe_unused]] Args given) {
  if constexpr (has_containers<P...>) {
    (give_object<P>(static_cast<SlotAt<I, P>&>(slots), given[I]), ...);
    (share_with<I, P>(slots, slots), ...);
  }
}

// The arguments and what was taken out of them, where a result may lie.
template <class P>
void add_taken([[maybe_unused]] const Slot<P>& slot, [[maybe_unused]] PyObject** all,
               [[maybe_unused]] Py_ssize_t& count) {
  if constexpr (!std::is_void_v<typename ContainerOf<P>::Type>) {
    all[count++] = slot.taken;
    if (slot.inside) all[count++] = slot.inside;
  }
}
template <class Slots>
struct Places;
template <size_t... I, class... P>
struct Places<SlotsOf<std::index_sequence<I...>, P...>> {
  static constexpr bool kAny = has_containers<P...>;
  PyObject* copies[kAny ? 3 * sizeof...(P) : 1];
  Args all;
  Py_ssize_t count = sizeof...(P);

  Places([[maybe_unused]] const SlotsOf<std::index_sequence<I...>, P...>& slots, Args args)
      : all(args) {
    if constexpr (kAny) {
      all = copies;
      ((copies[I] = args[I]), ...);
      (add_taken<P>(static_cast<const SlotAt<I, P>&>(slots), copies, count), ...);
    }
  }
  Places(const Places&) = delete;
};

// The object that the container came from, or null.
template <class Value, class P>
PyObject* object_if([[maybe_unused]] const Value& value, [[maybe_unused]] const Slot<P>& slot) {
  if constexpr (std::is_same_v<Value, typename ContainerOf<P>::Type>)
    return value.at == slot.value.at ? slot.object : nullptr;
  else
    return nullptr;
}
template <class Value, size_t... I, class... P>
PyObject* object_of_container([[maybe_unused]] const Value& value,
                              const SlotsOf<std::index_sequence<I...>, P...>& slots) {
  PyObject* found = nullptr;
  ((found = found ? found : object_if<Value, P>(value, static_cast<const SlotAt<I, P>&>(slots))),
   ...);
  return found;
}

// An item as it is now; what stands there still is the object that it was.
template <class T>
bool is_still(const T& item, PyObject* before, const NumPy& numpy) {
  if constexpr (std::is_arithmetic_v<T>) {
    Slot<T> slot;
    return slot.template load<Loading<true, false>>(before, numpy) && slot.value == item;
  } else {
    return false;
  }
}
template <class T, int N, class L>
bool is_still(const pyk::owned<T, N, L>& item, PyObject* before, const NumPy& numpy) {
  const pyk::array<T, N, L>& view = item;
  return !item.block && numpy.is_array(before) &&
         is_same_view(numpy, reinterpret_cast<PyArrayObject*>(before), value_of(view));
}

template <class T>
PyObject* all_back(const ContainerSlot<T>& slot, Owners owners) {
  if constexpr (ContainerSlot<T>::Of::kind != Kind::kList) {
    return Result<T>::make(slot.value, owners);
  } else {
    Py_ssize_t k = 0;
    PyObject* before = PyList_AsTuple(slot.object);
    const Py_ssize_t count = before ? PyTuple_Size(before) : 0;
    PyObject* made =
        before ? make_list(slot.value,
                           [&](const auto& item) {
                             PyObject* old = k < count ? PyTuple_GetItem(before, k) : nullptr;
                             ++k;
                             const bool stays = old && is_still(item, old, owners.state.numpy);
                             return stays ? Py_NewRef(old)
                                          : Result<typename ContainerSlot<T>::Of::Item>::make(
                                                item, owners);
                           })
               : nullptr;
    Py_XDECREF(before);
    return made;
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
