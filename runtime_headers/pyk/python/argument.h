// Arguments on the fast path: does a Python object have exactly a parameter's type, and its value.
//
// In:   PyObject* (borrowed).  Out: Slot<T>, whose load() takes over the value when the type is
//       exact and whose get<V>() gives it to the compiled function; V may be the contiguous view of
//       T.
// What is not exact goes through convert.h and comes back exact. load() never leaves an exception.
// Tested by tests/run/test_module.py.
#pragma once

#include "pyk/python/describe.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

template <bool numbers, bool at_once>
struct Loading {
  // Python numbers of the same kind too: of a function with one signature.
  static constexpr bool kNumbers = numbers;
  // Only what nearly all calls pass: with that, no call stands between the arguments and the
  // function, and no register is saved for one.
  static constexpr bool kAtOnce = at_once;
};

inline bool has_type(PyObject* o, PyTypeObject* type) { return Py_TYPE(o) == type; }

// ---- numbers -----------------------------------------------------------------------------------
template <class T>
struct Slot;

template <class T>
struct NumberSlot {
  T value;

  template <class V>
  V get() const {
    return value;
  }
  bool contiguous() const { return true; }
  int64_t size() const { return 0; }

 protected:
  bool load_scalar(PyObject* o, const NumPy& numpy) {
    if (!has_type(o, Number<T>::scalar_type(numpy.PyArray_API))) return false;
    numpy.read_scalar(o, &value);
    return true;
  }
};

template <>
struct Slot<bool> : NumberSlot<bool> {
  template <class How>
  bool load(PyObject* o, const NumPy& numpy) {
    value = o == Py_True;
    return value || o == Py_False || (!How::kAtOnce && load_scalar(o, numpy));
  }
};

template <class T>
struct IntSlot : NumberSlot<T> {
  template <class How>
  bool load(PyObject* o, const NumPy& numpy) {
    if ((How::kNumbers || sizeof(T) == 8) && PYK_LIKELY(has_type(o, &PyLong_Type))) {
      int overflow = 0;
      const long long v = PyLong_AsLongLongAndOverflow(o, &overflow);
      this->value = static_cast<T>(v);
      if constexpr (How::kNumbers || std::is_same_v<T, int64_t>)
        return overflow == 0 && static_cast<long long>(this->value) == v &&
               (std::is_signed_v<T> || v >= 0);
      return overflow > 0 && load_large(o);
    }
    return !How::kAtOnce && this->load_scalar(o, numpy);
  }

 private:
  PYK_COLD bool load_large(PyObject* o) {  // 2**63 and up is uint64
    this->value = static_cast<T>(PyLong_AsUnsignedLongLong(o));
    if (!PyErr_Occurred()) return true;
    PyErr_Clear();
    return false;
  }
};
template <>
struct Slot<int8_t> : IntSlot<int8_t> {};
template <>
struct Slot<int16_t> : IntSlot<int16_t> {};
template <>
struct Slot<int32_t> : IntSlot<int32_t> {};
template <>
struct Slot<int64_t> : IntSlot<int64_t> {};
template <>
struct Slot<uint8_t> : IntSlot<uint8_t> {};
template <>
struct Slot<uint16_t> : IntSlot<uint16_t> {};
template <>
struct Slot<uint32_t> : IntSlot<uint32_t> {};
template <>
struct Slot<uint64_t> : IntSlot<uint64_t> {};

template <class T>
struct FloatSlot : NumberSlot<T> {
  template <class How>
  bool load(PyObject* o, const NumPy& numpy) {
    if ((How::kNumbers || sizeof(T) == 8) && PYK_LIKELY(has_type(o, &PyFloat_Type))) {
      if (How::kAtOnce && !numpy.floats_in_place) return false;
      this->value = static_cast<T>(numpy.read_float(o));
      return true;
    }
    return !How::kAtOnce && load_other<How>(o, numpy);
  }

 private:
  template <class How>
  PYK_COLD bool load_other(PyObject* o, const NumPy& numpy) {
    if (this->load_scalar(o, numpy)) return true;
    if (!How::kNumbers || !has_type(o, &PyLong_Type)) return false;
    int overflow = 0;
    this->value = static_cast<T>(PyLong_AsLongLongAndOverflow(o, &overflow));
    return overflow == 0;
  }
};
template <>
struct Slot<float> : FloatSlot<float> {};
template <>
struct Slot<double> : FloatSlot<double> {};

template <class F>
struct Slot<pyk::complex<F>> : NumberSlot<pyk::complex<F>> {
  template <class How>
  bool load(PyObject* o, const NumPy& numpy) {
    if ((How::kNumbers || sizeof(F) == 8) && has_type(o, &PyComplex_Type)) {
      this->value.re = static_cast<F>(PyComplex_RealAsDouble(o));
      this->value.im = static_cast<F>(PyComplex_ImagAsDouble(o));
      return true;
    }
    return !How::kAtOnce && this->load_scalar(o, numpy);
  }
};

// ---- arrays ------------------------------------------------------------------------------------
inline Kind kind_of(PyArray_Descr* dtype) {
  switch (dtype->kind) {
    case 'b':
      return Kind::kBool;
    case 'i':
      return Kind::kInt;
    case 'u':
      return Kind::kUInt;
    case 'f':
      return Kind::kFloat;
    case 'c':
      return Kind::kComplex;
    default:
      return Kind::kTuple;  // no number
  }
}

// Another dtype object of the same meaning: `q` for `l`, one with metadata.
PYK_COLD inline bool is_dtype(const NumPy& numpy, PyArray_Descr* dtype, Kind kind, int size) {
  return kind_of(dtype) == kind && numpy.item_size(dtype) == size &&
         PyArray_ISNBO(dtype->byteorder);
}

PYK_COLD inline bool is_masked(PyObject* o) {
  const bool masked = PyObject_HasAttrString(o, "_mask") && PyObject_HasAttrString(o, "filled");
  PyErr_Clear();
  return masked;
}

PYK_COLD inline bool is_other_array(PyObject* o, const NumPy& numpy) {
  return numpy.is_array(o) && !is_masked(o);
}

template <class View>
struct ArrayTraits;
template <class T, int N, class L>
struct ArrayTraits<pyk::array<T, N, L>> {
  using Elem = T;
  static constexpr int kRank = N;
  static constexpr bool kStrided = std::is_same_v<L, pyk::A>;
};

// The view of an ndarray that has been checked to fit.
template <class View>
View view_of(PyArrayObject* a) {
  using Traits = ArrayTraits<View>;
  View view{};
  view.data = static_cast<typename Traits::Elem*>(PyArray_DATA(a));
  for (int k = 0; k < Traits::kRank; ++k) {
    view.extents[k] = PyArray_DIMS(a)[k];
    if constexpr (Traits::kStrided) view.strides[k] = PyArray_STRIDES(a)[k];
  }
  return view;
}

// Do the elements lie at multiples of so many bytes?
inline bool lies_at(PyArrayObject* a, int alignment) {
  npy_uintp bits = reinterpret_cast<npy_uintp>(PyArray_DATA(a));
  for (int k = 0; k < PyArray_NDIM(a); ++k) bits |= static_cast<npy_uintp>(PyArray_STRIDES(a)[k]);
  return bits % static_cast<unsigned>(alignment) == 0;
}

// Does an element lie in part where another one does? In views that as_strided makes.
inline bool have_common_bytes(PyArrayObject* a, npy_intp size) {
  bool found = false;
  for (int k = 0; k < PyArray_NDIM(a); ++k) {
    const npy_intp stride = PyArray_STRIDES(a)[k];
    found = found || (PyArray_DIMS(a)[k] > 1 && (stride < 0 ? -stride : stride) < size);
  }
  return found;
}

// Has an array elements of the type, where they may lie? Fields of records that are written to are
// taken to lie beside each other.
template <class Elem>
struct Elements {
  static bool meet(PyArrayObject*) { return false; }
  template <class How>
  static bool are_in(PyArrayObject* a, const NumPy& numpy) {
    return PYK_LIKELY(PyArray_DESCR(a) == numpy.dtypes[Number<Elem>::num]) ||
           (!How::kAtOnce && is_dtype(numpy, PyArray_DESCR(a), Number<Elem>::kind, sizeof(Elem)));
  }
};
template <int kSize, int kAlignment, unsigned kKey>
struct Elements<pyk::record<kSize, kAlignment, kKey>> {
  static bool meet(PyArrayObject* a) { return have_common_bytes(a, kSize); }
  template <class How>
  static bool are_in(PyArrayObject* a, const NumPy& numpy) {
    constexpr int kRecord = RecordOf<pyk::record<kSize, kAlignment, kKey>>::index;
    return numpy.is_record(PyArray_DESCR(a), kRecord) && lies_at(a, kAlignment);
  }
};

template <class T, int N, class L>
struct Slot<pyk::array<T, N, L>> {
  using Elem = std::remove_const_t<T>;
  static constexpr int kFlags = (alignof(Elem) > 1 ? NPY_ARRAY_ALIGNED : 0) |
                                (std::is_const_v<T> ? 0 : NPY_ARRAY_WRITEABLE) |
                                (kLayoutLetter<L> == 'C'   ? NPY_ARRAY_C_CONTIGUOUS
                                 : kLayoutLetter<L> == 'F' ? NPY_ARRAY_F_CONTIGUOUS
                                                           : 0);
  PyArrayObject* array;

  template <class How>
  bool load(PyObject* o, const NumPy& numpy) {
    if (!PYK_LIKELY(numpy.is_plain_array(o)) && (How::kAtOnce || !is_other_array(o, numpy)))
      return false;
    array = reinterpret_cast<PyArrayObject*>(o);
    return PyArray_NDIM(array) == N && (PyArray_FLAGS(array) & kFlags) == kFlags &&
           Elements<Elem>::template are_in<How>(array, numpy) &&
           (std::is_const_v<T> || !Elements<Elem>::meet(array));
  }
  template <class V>
  V get() const {
    return view_of<V>(array);
  }
  bool contiguous() const { return PyArray_FLAGS(array) & NPY_ARRAY_C_CONTIGUOUS; }
  int64_t size() const {
    int64_t product = 1;
    for (int k = 0; k < N; ++k) product *= PyArray_DIMS(array)[k];
    return product;
  }
};

// ---- containers ---------------------------------------------------------------------------------
inline bool is_container(PyObject* o, Kind kind) {
  return kind == Kind::kList   ? PyList_Check(o)
         : kind == Kind::kSet  ? PySet_Check(o)
         : kind == Kind::kDict ? PyDict_Check(o)
                               : false;
}
// A new tuple of what is in a list or set, of (key, value) of a dict; null with an exception.
inline PyObject* items_of_container(PyObject* o) {
  if (PyList_Check(o)) return PyList_AsTuple(o);
  PyObject* items = has_type(o, &PyDict_Type) ? PyDict_Items(o)
                    : PyDict_Check(o)         ? PyMapping_Items(o)  // which may have an order
                                              : Py_NewRef(o);
  PyObject* tuple = items ? PySequence_Tuple(items) : nullptr;
  Py_XDECREF(items);
  return tuple;
}

// ---- one value ---------------------------------------------------------------------------------
inline bool is_text(PyObject* o, const char* text) {
  if (!PyUnicode_Check(o)) return false;
  Py_ssize_t size = 0;
  const char* given = PyUnicode_AsUTF8AndSize(o, &size);
  if (!given) PyErr_Clear();
  return given && static_cast<size_t>(size) == strlen(text) && strcmp(given, text) == 0;
}

// np.float32, float, np.dtype("float32"): types of numbers stand for their names.
PYK_COLD inline bool is_type_of(const NumPy& numpy, PyObject* o, const char* name) {
  PyArray_Descr* dtype = numpy.dtype_of_numbers(o);
  if (!dtype) return false;
  PyObject* text = PyObject_GetAttrString(reinterpret_cast<PyObject*>(dtype), "name");
  if (!text) PyErr_Clear();
  const bool same = text && is_text(text, name);
  Py_XDECREF(text);
  return same;
}

template <const char* kText>
struct Slot<Only<kText>> {
  template <class How>
  bool load(PyObject* o, const NumPy& numpy) {
    if constexpr (!kText)
      return o == Py_None;
    else
      return is_text(o, kText) || (!How::kAtOnce && is_type_of(numpy, o, kText));
  }
  bool contiguous() const { return true; }
  int64_t size() const { return 0; }
};

// ---- several ------------------------------------------------------------------------------------
template <size_t I, class T>
struct SlotAt : Slot<T> {};

template <class Indices, class... T>
struct SlotsOf;
template <size_t... I, class... T>
struct SlotsOf<std::index_sequence<I...>, T...> : SlotAt<I, T>... {
  template <class How>
  bool load([[maybe_unused]] Args a, [[maybe_unused]] const NumPy& numpy) {
    return (SlotAt<I, T>::template load<How>(a[I], numpy) && ...);
  }
  bool contiguous() const { return (SlotAt<I, T>::contiguous() && ...); }
  int64_t size() const { return (int64_t{0} + ... + SlotAt<I, T>::size()); }
};
template <class... T>
using Slots = SlotsOf<std::index_sequence_for<T...>, T...>;

template <class... T>
struct Slot<pyk::tuple<T...>> {
  Slots<T...> items;

  template <class How>
  bool load(PyObject* o, const NumPy& numpy) {
    PyObject* objects[sizeof...(T) + 1];
    if (!PyTuple_Check(o) || PyTuple_Size(o) != sizeof...(T)) return false;
    for (size_t k = 0; k < sizeof...(T); ++k)
      objects[k] = PyTuple_GetItem(o, static_cast<Py_ssize_t>(k));
    return items.template load<How>(objects, numpy);
  }
  template <class V>
  V get() const {
    return make(static_cast<V*>(nullptr), std::index_sequence_for<T...>());
  }
  bool contiguous() const { return items.contiguous(); }
  int64_t size() const { return items.size(); }

 private:
  template <class... V, size_t... I>
  pyk::tuple<V...> make(pyk::tuple<V...>*, std::index_sequence<I...>) const {
    return {static_cast<const SlotAt<I, T>&>(items).template get<V>()...};
  }
};

template <class T>
struct Slot<pyk::optional<T>> {
  Slot<T> of;
  bool has;

  template <class How>
  bool load(PyObject* o, const NumPy& numpy) {
    has = o != Py_None;
    return !has || of.template load<How>(o, numpy);
  }
  template <class V>
  V get() const {
    V v{};
    v.has = has;
    if (has) v.value = of.template get<decltype(v.value)>();
    return v;
  }
  bool contiguous() const { return !has || of.contiguous(); }
  int64_t size() const { return has ? of.size() : 0; }
};

}  // namespace python
}  // namespace pyk
