// Results: values of compiled functions as new Python objects.
//
// In:   the C++ value, and the call's arguments, of which a returned array may be a view.
// Out:  a new reference, or null with an exception.
// Rule: an array that owns memory becomes an ndarray that keeps the memory alive; a borrowed one is
//       the argument itself when it is the same view, else a view whose .base is the argument it
//       lies in. Named tuples are instances of the module's classes.
// Tested by tests/run/test_module.py and tests/run/test_named_tuples.py.
#pragma once

#include "pyk/list.h"
#include "pyk/python/argument.h"
#include "pyk/python/state.h"
#include "pyk/table.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

// The arguments of the call, for what borrows from them, and the module.
struct Owners {
  Args args;
  Py_ssize_t count;
  const State& state;
};

constexpr int kMaxRank = 32;

struct ArrayValue {
  int num = 0;      // NumPy's type number
  int record = -1;  // of records: which one of the module's
  int item_size = 0;
  int rank = 0;
  void* data = nullptr;
  npy_intp dims[kMaxRank]{};
  npy_intp strides[kMaxRank]{};
  pyk::memory* block = nullptr;  // null: borrowed
};

inline bool is_same_view(const NumPy& numpy, PyArrayObject* a, const ArrayValue& v) {
  if (v.record >= 0 && !numpy.is_record(PyArray_DESCR(a), v.record)) return false;
  if (PyArray_DATA(a) != v.data || PyArray_NDIM(a) != v.rank || PyArray_DESCR(a)->type_num != v.num)
    return false;
  bool is_empty = false, same_strides = true;
  for (int k = 0; k < v.rank; ++k) {
    if (PyArray_DIMS(a)[k] != v.dims[k]) return false;
    is_empty = is_empty || v.dims[k] == 0;
    same_strides = same_strides && (v.dims[k] <= 1 || PyArray_STRIDES(a)[k] == v.strides[k]);
  }
  return same_strides || is_empty;
}

// Does the memory that `a` shows hold `data`? One past the end counts for empty views.
inline bool holds(const NumPy& numpy, PyArrayObject* a, const void* data) {
  const npy_intp item = numpy.item_size(PyArray_DESCR(a));
  const char* lo = PyArray_BYTES(a);
  const char* hi = lo;
  for (int k = 0; k < PyArray_NDIM(a); ++k) {
    if (PyArray_DIMS(a)[k] == 0) return data == lo;
    const npy_intp reach = (PyArray_DIMS(a)[k] - 1) * PyArray_STRIDES(a)[k];
    (reach < 0 ? lo : hi) += reach;
  }
  return data >= lo && data <= hi + item;
}

// The ndarray among the arguments (also inside tuples, lists and dicts) for which `matches` holds;
// borrowed or null.
template <class Matches>
PyObject* find_array(const NumPy& numpy, Args args, Py_ssize_t count, const Matches& matches) {
  for (Py_ssize_t k = 0; k < count; ++k) {
    if (numpy.is_array(args[k])) {
      if (matches(reinterpret_cast<PyArrayObject*>(args[k]))) return args[k];
    } else if (PyTuple_Check(args[k])) {
      for (Py_ssize_t i = 0, n = PyTuple_Size(args[k]); i < n; ++i) {
        PyObject* item = PyTuple_GetItem(args[k], i);
        if (PyObject* found = find_array(numpy, &item, 1, matches)) return found;
      }
    } else if (PyList_Check(args[k])) {
      for (Py_ssize_t i = 0; i < PyList_Size(args[k]); ++i) {
        PyObject* item = PyList_GetItem(args[k], i);
        if (PyObject* found = find_array(numpy, &item, 1, matches)) return found;
      }
    } else if (PyDict_Check(args[k])) {
      PyObject *key, *value;
      for (Py_ssize_t at = 0; PyDict_Next(args[k], &at, &key, &value);)
        if (PyObject* found = find_array(numpy, &value, 1, matches)) return found;
    }
  }
  return nullptr;
}

// An ndarray over v's memory with `base` as its owner (stolen; null: static memory).
inline PyObject* array_over(const NumPy& numpy, const ArrayValue& v, PyObject* base,
                            bool writeable) {
  PyArray_Descr* dtype = v.record >= 0 ? numpy.records[v.record] : numpy.dtypes[v.num];
  PyObject* a = numpy.make_array(dtype, v.rank, v.dims, v.strides, v.data, writeable);
  if (!a) {
    Py_XDECREF(base);
    return nullptr;
  }
  if (base && !numpy.set_base(a, base)) {
    Py_DECREF(a);
    return nullptr;
  }
  return a;
}

PYK_COLD inline PyObject* borrowed_array(const ArrayValue& v, Owners owners) {
  const NumPy& numpy = owners.state.numpy;
  const auto find = [&](const auto& matches) {
    return find_array(numpy, owners.args, owners.count, matches);
  };
  PyObject* owner = find([&](PyArrayObject* a) { return is_same_view(numpy, a, v); });
  if (owner) return Py_NewRef(owner);
  owner = find([&](PyArrayObject* a) { return holds(numpy, a, v.data); });
  if (!owner) return array_over(numpy, v, nullptr, false);
  const bool writeable =
      PyArray_FLAGS(reinterpret_cast<PyArrayObject*>(owner)) & NPY_ARRAY_WRITEABLE;
  return array_over(numpy, v, Py_NewRef(owner), writeable);
}

constexpr const char* kMemory = "pyk.memory";
inline void release_capsule(PyObject* capsule) {
  pyk::release(static_cast<pyk::memory*>(PyCapsule_GetPointer(capsule, kMemory)));
}

// Takes over the reference to v.block.
inline PyObject* owned_array(const NumPy& numpy, const ArrayValue& v) {
  PyObject* capsule = PyCapsule_New(v.block, kMemory, release_capsule);
  if (!capsule) {
    pyk::release(v.block);
    return nullptr;
  }
  return array_over(numpy, v, capsule, true);
}

template <class T, int N, class L>
ArrayValue value_of(const pyk::array<T, N, L>& view) {
  using Elem = std::remove_const_t<T>;
  ArrayValue v;
  v.num = Number<Elem>::num;
  v.record = RecordOf<Elem>::index;
  v.item_size = sizeof(Elem);
  v.rank = N;
  v.data = const_cast<Elem*>(view.data);
  npy_intp stride = sizeof(Elem);
  for (int i = 0; i < N; ++i) {
    const int k = kLayoutLetter<L> == 'F' ? i : N - 1 - i;
    v.dims[k] = view.extents[k];
    v.strides[k] = stride;
    if constexpr (kLayoutLetter<L> == 'A') v.strides[k] = view.strides[k];
    stride *= view.extents[k] > 0 ? view.extents[k] : 1;
  }
  return v;
}

// One record is what NumPy gives for an element.
template <class T, int N>
PyObject* item_of_record(PyObject* array, Owners owners) {
  const bool is_one = N == 0 && RecordOf<std::remove_const_t<T>>::index >= 0;
  return is_one ? owners.state.numpy.item_of(array) : array;
}

// ---- one struct per kind of result -------------------------------------------------------------
template <class T>
struct Result {  // numbers
  static PyObject* make(T value, Owners) {
    if constexpr (Number<T>::kind == Kind::kBool)
      return PyBool_FromLong(value);
    else if constexpr (Number<T>::kind == Kind::kInt)
      return PyLong_FromLongLong(value);
    else if constexpr (Number<T>::kind == Kind::kUInt)
      return PyLong_FromUnsignedLongLong(value);
    else if constexpr (Number<T>::kind == Kind::kFloat)
      return PyFloat_FromDouble(value);
    else
      return PyComplex_FromDoubles(value.re, value.im);
  }
};

struct Nothing {};  // void
template <>
struct Result<Nothing> {
  static PyObject* make(Nothing, Owners) { return none(); }
};

template <class T, int N, class L>
struct Result<pyk::array<T, N, L>> {
  static PyObject* make(const pyk::array<T, N, L>& view, Owners owners) {
    return item_of_record<T, N>(borrowed_array(value_of(view), owners), owners);
  }
};

template <class T, int N, class L>
struct Result<pyk::owned<T, N, L>> {
  static PyObject* make(const pyk::owned<T, N, L>& owned, Owners owners) {
    const pyk::array<T, N, L>& view = owned;
    ArrayValue v = value_of(view);
    if (!owned.block) return item_of_record<T, N>(borrowed_array(v, owners), owners);
    pyk::retain(v.block = owned.block);
    return item_of_record<T, N>(owned_array(owners.state.numpy, v), owners);
  }
};

template <class T>
struct Result<pyk::optional<T>> {
  static PyObject* make(const pyk::optional<T>& value, Owners owners) {
    return value.has ? Result<T>::make(value.value, owners) : none();
  }
};

template <class T, class Make>
PyObject* make_list(const pyk::list<T>& value, const Make& make) {
  const int64_t size = pyk::list_size(value);
  PyObject* list = PyList_New(size);
  for (int64_t i = 0; list && i < size; ++i) {
    PyObject* item = make(pyk::list_item(value, i));
    if (!item || PyList_SetItem(list, i, item) != 0) Py_CLEAR(list);
  }
  return list;
}
template <class T>
struct Result<pyk::list<T>> {
  static PyObject* make(const pyk::list<T>& value, Owners owners) {
    return make_list(value, [&](const T& item) { return Result<T>::make(item, owners); });
  }
};

// A set, or a dict: `make` makes the key, or the tuple of key and value.
template <class Entry, class Key, class Make>
PyObject* make_table(const pyk::table<Entry, Key>& value, const Make& make) {
  constexpr bool kIsSet = std::is_same<Entry, Key>::value;
  PyObject* made = kIsSet ? PySet_New(nullptr) : PyDict_New();
  for (int64_t i = pyk::table_next(value, -1); made && i >= 0; i = pyk::table_next(value, i)) {
    PyObject* entry = make(pyk::table_entry(value, i));
    int failed = !entry;
    if (!failed)
      failed = kIsSet ? PySet_Add(made, entry)
                      : PyDict_SetItem(made, PyTuple_GetItem(entry, 0), PyTuple_GetItem(entry, 1));
    Py_XDECREF(entry);
    if (failed) Py_CLEAR(made);
  }
  return made;
}
template <class Entry, class Key>
struct Result<pyk::table<Entry, Key>> {
  static PyObject* make(const pyk::table<Entry, Key>& value, Owners owners) {
    return make_table(value,
                      [&](const Entry& entry) { return Result<Entry>::make(entry, owners); });
  }
};

// ---- tuples ------------------------------------------------------------------------------------
// Which tuples of a result are named. Plain: none. Items: a tuple with named ones inside.
// Named<k>: an instance of the module's k-th class. An optional and a list have the shape of what
// they hold.
struct Plain {};
template <class... S>
struct Items {};
template <int k, class... S>
struct Named {};

template <class Shape, class T>
PyObject* make_as(const T& value, Owners owners);

inline bool set_item(PyObject* tuple, size_t k, PyObject* item) {
  return item && PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(k), item) == 0;
}

template <class... S, class... T, size_t... I>
PyObject* make_items(Items<S...>, [[maybe_unused]] const pyk::tuple<T...>& value,
                     [[maybe_unused]] Owners owners, std::index_sequence<I...>) {
  PyObject* tuple = PyTuple_New(sizeof...(T));
  if (!tuple) return nullptr;
  const bool ok = (set_item(tuple, I, make_as<S>(pyk::get<I>(value), owners)) && ...);
  if (ok) return tuple;
  Py_DECREF(tuple);
  return nullptr;
}

// tuple.__new__(type, items); takes over `items`, which may be null. A module that the garbage
// collector has cleared has no classes any more: then the tuple itself.
inline PyObject* make_instance(PyObject* type, PyObject* items) {
  if (!items || !type) return items;
  PyObject* args = PyTuple_New(1);
  if (!args || PyTuple_SetItem(args, 0, items) != 0) {
    if (!args) Py_DECREF(items);
    Py_XDECREF(args);
    return nullptr;
  }
  const auto make = reinterpret_cast<newfunc>(PyType_GetSlot(&PyTuple_Type, Py_tp_new));
  PyObject* made = make(reinterpret_cast<PyTypeObject*>(type), args, nullptr);
  Py_DECREF(args);
  return made;
}

template <class... T>
struct Result<pyk::tuple<T...>> {
  static PyObject* make(const pyk::tuple<T...>& value, Owners owners) {
    using All = Items<std::conditional_t<true, Plain, T>...>;
    return make_items(All(), value, owners, std::index_sequence_for<T...>());
  }
};

template <class Shape>
struct Shaped;
template <class... S>
struct Shaped<Items<S...>> {
  template <class... T>
  static PyObject* make(const pyk::tuple<T...>& value, Owners owners) {
    return make_items(Items<S...>(), value, owners, std::index_sequence_for<T...>());
  }
  template <class T>
  static PyObject* make(const pyk::optional<T>& value, Owners owners) {
    return value.has ? make(value.value, owners) : none();
  }
  template <class T>
  static PyObject* make(const pyk::list<T>& value, Owners owners) {
    return make_list(value, [&](const T& item) { return make(item, owners); });
  }
  template <class Entry, class Key>
  static PyObject* make(const pyk::table<Entry, Key>& value, Owners owners) {
    return make_table(value, [&](const Entry& entry) { return make(entry, owners); });
  }
};
template <int k, class... S>
struct Shaped<Named<k, S...>> {
  template <class T>
  static PyObject* make(const T& value, Owners owners) {
    return make_instance(owners.state.classes[k], Shaped<Items<S...>>::make(value, owners));
  }
  template <class T>
  static PyObject* make(const pyk::optional<T>& value, Owners owners) {
    return value.has ? make(value.value, owners) : none();
  }
  template <class T>
  static PyObject* make(const pyk::list<T>& value, Owners owners) {
    return make_list(value, [&](const T& item) { return make(item, owners); });
  }
  template <class Entry, class Key>
  static PyObject* make(const pyk::table<Entry, Key>& value, Owners owners) {
    return make_table(value, [&](const Entry& entry) { return make(entry, owners); });
  }
};

template <class Shape, class T>
PyObject* make_as(const T& value, Owners owners) {
  if constexpr (std::is_same_v<Shape, Plain>)
    return Result<T>::make(value, owners);
  else
    return Shaped<Shape>::make(value, owners);
}

}  // namespace python
}  // namespace pyk
