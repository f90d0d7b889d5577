// Arguments off the fast path: how well does an object fit a parameter, why not, and the exact
// object that stands for it.
//
// In:   PyObject* (borrowed) and Param.  Out: Fit, a reason as text, or a new reference to an
//       object that Slot::load takes: np.float32(2.5) for a float32 parameter given 2.5.
// Rule: kinds only rise (bool < int < float < complex); safe casts win over narrowing ones;
//       integers out of range are overflows. An array that is only read is copied to the type and
//       layout that the parameter wants where its dtype casts safely; a written one fits as it is
//       or not at all.
// Tested by tests/run/test_module.py and tests/run/test_arguments.py.
#pragma once

#include "pyk/python/argument.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

enum class Fit : uint8_t { kExact, kSafe, kNarrows, kOverflow, kNever };

// What a number object is: kind and bytes; kArray when it is none. Python numbers count as 8 bytes.
struct Source {
  Kind kind = Kind::kArray;
  int size = 8;
};

PYK_COLD inline Source source_of(const NumPy& numpy, PyObject* o) {
  if (PyBool_Check(o)) return {Kind::kBool, 1};
  PyArray_Descr* dtype = nullptr;
  if (numpy.is_scalar(o))
    dtype = numpy.dtype_of_scalar(o);
  else if (numpy.is_array(o) && PyArray_NDIM(reinterpret_cast<PyArrayObject*>(o)) == 0)
    dtype = reinterpret_cast<PyArray_Descr*>(
        Py_NewRef(reinterpret_cast<PyObject*>(PyArray_DESCR(reinterpret_cast<PyArrayObject*>(o)))));
  if (dtype) {
    Source s{kind_of(dtype), static_cast<int>(numpy.item_size(dtype))};
    if (s.kind == Kind::kTuple) s.kind = Kind::kArray;
    Py_DECREF(reinterpret_cast<PyObject*>(dtype));
    return s;
  }
  PyErr_Clear();
  if (PyLong_Check(o)) return {Kind::kInt, 8};
  if (PyFloat_Check(o)) return {Kind::kFloat, 8};
  if (PyComplex_Check(o)) return {Kind::kComplex, 16};
  if (PyIndex_Check(o) && !numpy.is_array(o)) return {Kind::kInt, 8};
  return {};
}

inline int rank_of(Kind kind) {
  switch (kind) {
    case Kind::kBool:
      return 0;
    case Kind::kInt:
    case Kind::kUInt:
      return 1;
    case Kind::kFloat:
      return 2;
    case Kind::kComplex:
      return 3;
    default:
      return 9;
  }
}

// np.can_cast(from, to, "safe")
inline bool is_safe(Source from, Kind to, int size) {
  if (rank_of(from.kind) > rank_of(to)) return false;
  if (from.kind == Kind::kBool) return true;
  if (from.kind == to) return from.size <= size;
  if (from.kind == Kind::kFloat) return 2 * from.size <= size;
  if (to == Kind::kInt) return from.kind == Kind::kUInt && from.size < size;
  if (to == Kind::kUInt) return false;
  const int real = to == Kind::kComplex ? size / 2 : size;
  return from.size < real || real >= 8;
}

// The integer that an object stands for, as `to` of `size` bytes. 0: done; 1: out of range; -1: an
// exception is set.
PYK_COLD inline int integer_of(const NumPy& numpy, PyObject* o, Kind to, int size, int64_t* value) {
  PyObject* number =
      numpy.is_bool_scalar(o) ? PyLong_FromLong(PyObject_IsTrue(o)) : PyNumber_Index(o);
  if (!number) return -1;
  int overflow = 0;
  *value = PyLong_AsLongLongAndOverflow(number, &overflow);
  bool fits = overflow == 0;
  if (to == Kind::kUInt && size == 8) {
    if (overflow > 0) {
      *value = static_cast<int64_t>(PyLong_AsUnsignedLongLong(number));
      fits = !PyErr_Occurred();
      PyErr_Clear();
    } else {
      fits = fits && *value >= 0;
    }
  } else if (to == Kind::kUInt) {
    fits = fits && *value >= 0 && *value >> (8 * size) == 0;
  } else if (size < 8) {
    const int64_t limit = int64_t{1} << (8 * size - 1);
    fits = fits && *value >= -limit && *value < limit;
  }
  Py_DECREF(number);
  return fits ? 0 : 1;
}

PYK_COLD inline void add_given(const NumPy& numpy, Text* why, PyObject* o) {
  if (o == Py_None) return why->add("None");
  if (numpy.is_array(o)) {
    PyArrayObject* a = reinterpret_cast<PyArrayObject*>(o);
    if (is_masked(o)) why->add("masked ");
    why->add_str(reinterpret_cast<PyObject*>(PyArray_DESCR(a)));
    return why->add(" array of rank %d", PyArray_NDIM(a));
  }
  PyArray_Descr* dtype = numpy.is_scalar(o) ? numpy.dtype_of_scalar(o) : nullptr;
  if (!dtype || kind_of(dtype) != Kind::kTuple) {
    why->add_type_name(o);
  } else {
    why->add_str(reinterpret_cast<PyObject*>(dtype));
    why->add(" record");
  }
  Py_XDECREF(reinterpret_cast<PyObject*>(dtype));
  PyErr_Clear();
}

inline Fit fit(const NumPy& numpy, PyObject* o, const Param& p, Text* why);
inline PyObject* exact(const NumPy& numpy, PyObject* o, const Param& p);

PYK_COLD inline void add_expected(Text* why, const Param& p) {
  add_type(*why, p);
  why->add(" expected");
}

PYK_COLD inline Fit mismatch(const NumPy& numpy, PyObject* o, const Param& p, Text* why) {
  if (!why) return Fit::kNever;
  add_given(numpy, why, o);
  why->add(" given, ");
  add_expected(why, p);
  return Fit::kNever;
}

PYK_COLD inline Fit fit_scalar(const NumPy& numpy, PyObject* o, const Param& p, Text* why) {
  const Source from = source_of(numpy, o);
  if (rank_of(from.kind) > rank_of(p.kind)) return mismatch(numpy, o, p, why);
  if (p.kind == Kind::kInt || p.kind == Kind::kUInt) {
    int64_t value = 0;
    const int failed = integer_of(numpy, o, p.kind, p.size, &value);
    if (failed < 0) PyErr_Clear();
    if (failed < 0) return mismatch(numpy, o, p, why);
    if (failed && why) {
      PyObject* text = PyObject_Repr(o);
      why->add_str(text);
      why->add(" is out of range for ");
      add_type(*why, p);
      PyErr_Clear();
      Py_XDECREF(text);
    }
    if (failed) return Fit::kOverflow;
    if (PyLong_CheckExact(o) && p.size == 8 && (p.kind == Kind::kInt || value < 0))
      return Fit::kExact;
  }
  const bool exact = from.kind == p.kind && from.size == p.size && !numpy.is_array(o) &&
                     !(PyLong_Check(o) && !PyLong_CheckExact(o));
  return exact ? Fit::kExact : is_safe(from, p.kind, p.size) ? Fit::kSafe : Fit::kNarrows;
}

// What keeps an array of the right rank from being taken as it is; null when nothing does.
PYK_COLD inline const char* array_defect(const NumPy& numpy, PyArrayObject* a, const Param& p) {
  PyArray_Descr* dtype = PyArray_DESCR(a);
  const int flags = PyArray_FLAGS(a);
  if (p.record >= 0) {
    if (!lies_at(a, p.alignment)) return "is not aligned";
    if (p.written && have_common_bytes(a, p.size)) return "has records that overlap";
  } else if (kind_of(dtype) != p.elem || numpy.item_size(dtype) != p.size) {
    return "has another dtype";
  }
  if (!PyArray_ISNBO(dtype->byteorder)) return "has the other byte order";
  if (p.layout == 'C' && !(flags & NPY_ARRAY_C_CONTIGUOUS)) return "is not C-contiguous";
  if (p.layout == 'F' && !(flags & NPY_ARRAY_F_CONTIGUOUS)) return "is not Fortran-contiguous";
  if (p.alignment > 1 && !(flags & NPY_ARRAY_ALIGNED)) return "is not aligned";
  if (p.written && !(flags & NPY_ARRAY_WRITEABLE)) return "is read-only";
  return nullptr;
}

// Is it an element of a structured array that the parameter takes?
PYK_COLD inline bool is_one_record(const NumPy& numpy, PyObject* o, const Param& p) {
  if (p.record < 0 || p.rank != 0 || !numpy.is_scalar(o)) return false;
  PyArray_Descr* dtype = numpy.dtype_of_scalar(o);
  const bool fits = dtype && numpy.is_record(dtype, p.record);
  Py_XDECREF(reinterpret_cast<PyObject*>(dtype));
  PyErr_Clear();
  return fits;
}

PYK_COLD inline Fit fit_array(const NumPy& numpy, PyObject* o, const Param& p, Text* why) {
  if (is_one_record(numpy, o, p)) return Fit::kSafe;
  if (!numpy.is_array(o) || is_masked(o)) return mismatch(numpy, o, p, why);
  PyArrayObject* a = reinterpret_cast<PyArrayObject*>(o);
  PyArray_Descr* dtype = PyArray_DESCR(a);
  const Source from{kind_of(dtype), static_cast<int>(numpy.item_size(dtype))};
  const bool casts = p.record >= 0 ? numpy.is_record(dtype, p.record)
                                   : from.kind != Kind::kTuple && is_safe(from, p.elem, p.size);
  if (!casts || PyArray_NDIM(a) != p.rank) return mismatch(numpy, o, p, why);
  const char* defect = array_defect(numpy, a, p);
  if (!defect) return Fit::kExact;
  if (!p.written) return Fit::kSafe;
  if (!why) return Fit::kNever;
  add_given(numpy, why, o);
  why->add(" %s but the function may write to it, ", defect);
  add_expected(why, p);
  return Fit::kNever;
}

PYK_COLD inline Fit fit_tuple(const NumPy& numpy, PyObject* o, const Param& p, Text* why) {
  if (!PyTuple_Check(o)) return mismatch(numpy, o, p, why);
  if (PyTuple_Size(o) != p.count) {
    if (why) why->add("tuple of %zd given, ", PyTuple_Size(o));
    if (why) add_expected(why, p);
    return Fit::kNever;
  }
  Fit worst = Fit::kExact;
  for (int k = 0; k < p.count; ++k) {
    const size_t before = why ? why->size : 0;
    if (why) why->add("item %d: ", k);
    const Fit item = fit(numpy, PyTuple_GetItem(o, k), *p.items[k], why);
    if (item > worst) worst = item;
    if (item >= Fit::kOverflow) return item;
    if (why) why->data[why->size = before] = 0;
  }
  return worst;
}

// Likewise a frozenset, a list or dict of numba.typed: they can be gone through, and not be given
// what a function has made of them.
PYK_COLD inline bool is_like_container(PyObject* o, Kind kind) {
  if (is_container(o, kind) || (kind == Kind::kSet && PyAnySet_Check(o))) return true;
  const bool is_typed = kind != Kind::kSet && PyObject_HasAttrString(o, "_numba_type_") &&
                        (kind == Kind::kDict) == PyObject_HasAttrString(o, "keys");
  PyErr_Clear();
  return is_typed;
}

// A new tuple of its items, the entries of a dict as tuples; null with an exception.
PYK_COLD inline PyObject* items_of(PyObject* o, Kind kind) {
  if (is_container(o, kind)) return items_of_container(o);
  PyObject* items = kind == Kind::kDict ? PyMapping_Items(o) : Py_NewRef(o);
  PyObject* tuple = items ? PySequence_Tuple(items) : nullptr;
  Py_XDECREF(items);
  return tuple;
}

PYK_COLD inline Fit fit_container(const NumPy& numpy, PyObject* o, const Param& p, Text* why) {
  PyObject* items = is_like_container(o, p.kind) ? items_of(o, p.kind) : nullptr;
  if (!items) {
    PyErr_Clear();
    return mismatch(numpy, o, p, why);
  }
  const Param entry{Kind::kTuple, 0, Kind::kBool, 0, 'A', false, 2, p.items};
  const Param& item = p.kind == Kind::kDict ? entry : *p.items[0];
  const size_t before = why ? why->size : 0;
  Fit worst = is_container(o, p.kind) ? Fit::kExact : Fit::kSafe;
  for (Py_ssize_t k = 0; worst < Fit::kOverflow && k < PyTuple_Size(items); ++k) {
    if (why) why->data[why->size = before] = 0;
    if (why && p.kind == Kind::kList) why->add("item %zd: ", k);
    const Fit one = fit(numpy, PyTuple_GetItem(items, k), item, why);
    if (one > worst) worst = one;
  }
  Py_DECREF(items);
  if (worst >= Fit::kOverflow) return worst;
  if (why) why->data[why->size = before] = 0;
  if (!p.written || is_container(o, p.kind)) return worst;
  if (!why) return Fit::kNever;
  why->add_type_name(o);
  why->add(" given, but the function may change it, ");
  add_expected(why, p);
  return Fit::kNever;
}

PYK_COLD inline Fit fit_value(const NumPy& numpy, PyObject* o, const Param& p, Text* why) {
  const bool is_none = p.kind == Kind::kNone;
  if (is_none ? o == Py_None : is_text(o, p.text) || is_type_of(numpy, o, p.text))
    return Fit::kExact;
  if (!why) return Fit::kNever;
  PyObject* given = PyUnicode_Check(o) ? PyObject_Repr(o) : nullptr;
  if (given)
    why->add_str(given);
  else if (o == Py_None)
    why->add("None");
  else
    why->add_type_name(o);
  Py_XDECREF(given);
  PyErr_Clear();
  why->add(" given, compiled for ");
  add_type(*why, p);
  why->add(" only");
  return Fit::kNever;
}

// How well `o` fits. The reason is added to `why` (may be null) where it does not.
inline Fit fit(const NumPy& numpy, PyObject* o, const Param& p, Text* why) {
  switch (p.kind) {
    case Kind::kArray:
      return fit_array(numpy, o, p, why);
    case Kind::kTuple:
      return fit_tuple(numpy, o, p, why);
    case Kind::kList:
    case Kind::kSet:
    case Kind::kDict:
      return fit_container(numpy, o, p, why);
    case Kind::kOptional:
      return o == Py_None ? Fit::kExact : fit(numpy, o, *p.items[0], why);
    case Kind::kNone:
    case Kind::kString:
      return fit_value(numpy, o, p, why);
    default:
      return fit_scalar(numpy, o, p, why);
  }
}

// ---- the exact object --------------------------------------------------------------------------
template <class T>
PyObject* scalar_object(const NumPy& numpy, T value) {
  return numpy.make_scalar(&value, Number<T>::num);
}

PYK_COLD inline PyObject* exact_integer(const NumPy& numpy, PyObject* o, const Param& p) {
  int64_t value = 0;
  const int failed = integer_of(numpy, o, p.kind, p.size, &value);
  if (failed < 0) return nullptr;
  if (failed > 0) return fail(PyExc_OverflowError, "integer out of range");
  const bool is_signed = p.kind == Kind::kInt;
  switch (p.size) {
    case 1:
      return is_signed ? scalar_object(numpy, static_cast<int8_t>(value))
                       : scalar_object(numpy, static_cast<uint8_t>(value));
    case 2:
      return is_signed ? scalar_object(numpy, static_cast<int16_t>(value))
                       : scalar_object(numpy, static_cast<uint16_t>(value));
    case 4:
      return is_signed ? scalar_object(numpy, static_cast<int32_t>(value))
                       : scalar_object(numpy, static_cast<uint32_t>(value));
    default:
      return is_signed ? PyLong_FromLongLong(value)
                       : scalar_object(numpy, static_cast<uint64_t>(value));
  }
}

PYK_COLD inline PyObject* exact_complex(const NumPy& numpy, PyObject* o, const Param& p) {
  PyObject* z =
      PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&PyComplex_Type), o, nullptr);
  if (!z || p.size == 16) return z;
  pyk::complex<float> narrow{};
  narrow.re = static_cast<float>(PyComplex_RealAsDouble(z));
  narrow.im = static_cast<float>(PyComplex_ImagAsDouble(z));
  Py_DECREF(z);
  return scalar_object(numpy, narrow);
}

// A copy that lies as the parameter wants it.
PYK_COLD inline PyObject* copy_of_array(const NumPy& numpy, PyObject* a, const Param& p) {
  const int order = p.layout == 'C'   ? NPY_ARRAY_C_CONTIGUOUS
                    : p.layout == 'F' ? NPY_ARRAY_F_CONTIGUOUS
                                      : 0;
  // NumPy does not know where the fields of packed records want to lie.
  if (p.record >= 0)
    return numpy.convert_array(a, numpy.records[p.record], order | NPY_ARRAY_ENSURECOPY);
  return numpy.convert_array(a, numpy.dtypes[p.num], order);
}

// The memory of a record, as an array of rank 0.
PYK_COLD inline PyObject* exact_record(const NumPy& numpy, PyObject* o, const Param& p) {
  PyObject* a = numpy.array_of_record(o);
  if (!a) return nullptr;
  PyArrayObject* array = reinterpret_cast<PyArrayObject*>(a);
  const bool is_copy = PyArray_FLAGS(array) & NPY_ARRAY_OWNDATA;
  const char* defect = p.written && is_copy ? "is no element of an array and cannot be written to"
                                            : array_defect(numpy, array, p);
  if (!defect) return a;
  PyObject* made = nullptr;
  if (p.written)
    PyErr_Format(PyExc_TypeError, "a record %s", defect);
  else
    made = copy_of_array(numpy, a, p);
  Py_DECREF(a);
  return made;
}

PYK_COLD inline PyObject* exact_array(const NumPy& numpy, PyObject* o, const Param& p) {
  if (!numpy.is_array(o)) return exact_record(numpy, o, p);
  const bool fits = !array_defect(numpy, reinterpret_cast<PyArrayObject*>(o), p);
  return fits ? Py_NewRef(o) : copy_of_array(numpy, o, p);
}

// A new list, set or dict of exact items.
PYK_COLD inline PyObject* exact_container(const NumPy& numpy, PyObject* o, const Param& p) {
  PyObject* items = items_of(o, p.kind);
  const Py_ssize_t count = items ? PyTuple_Size(items) : 0;
  const Param entry{Kind::kTuple, 0, Kind::kBool, 0, 'A', false, 2, p.items};
  const Param& item = p.kind == Kind::kDict ? entry : *p.items[0];
  PyObject* list = items ? PyList_New(count) : nullptr;
  for (Py_ssize_t k = 0; list && k < count; ++k) {
    PyObject* one = exact(numpy, PyTuple_GetItem(items, k), item);
    if (!one || PyList_SetItem(list, k, one) != 0) Py_CLEAR(list);
  }
  Py_XDECREF(items);
  if (!list || p.kind == Kind::kList) return list;
  PyObject* type = reinterpret_cast<PyObject*>(p.kind == Kind::kSet ? &PySet_Type : &PyDict_Type);
  PyObject* made = PyObject_CallFunctionObjArgs(type, list, nullptr);
  Py_DECREF(list);
  return made;
}

// A new reference to what Slot::load takes for `o`, which fits; null with an exception.
inline PyObject* exact(const NumPy& numpy, PyObject* o, const Param& p) {
  switch (p.kind) {
    case Kind::kArray:
      return exact_array(numpy, o, p);
    case Kind::kBool: {
      const int truth = PyObject_IsTrue(o);
      return truth < 0 ? nullptr : PyBool_FromLong(truth);
    }
    case Kind::kInt:
    case Kind::kUInt:
      return exact_integer(numpy, o, p);
    case Kind::kFloat: {
      PyObject* f = PyNumber_Float(o);
      if (!f || p.size == 8) return f;
      const float narrow = static_cast<float>(PyFloat_AsDouble(f));
      Py_DECREF(f);
      return scalar_object(numpy, narrow);
    }
    case Kind::kComplex:
      return exact_complex(numpy, o, p);
    case Kind::kOptional:
      return o == Py_None ? Py_NewRef(o) : exact(numpy, o, *p.items[0]);
    case Kind::kNone:
    case Kind::kString:
      return Py_NewRef(o);
    case Kind::kList:
    case Kind::kSet:
    case Kind::kDict:
      return exact_container(numpy, o, p);
    case Kind::kTuple:
    case Kind::kRecord:
      break;
  }
  PyObject* tuple = PyTuple_New(p.count);
  for (int k = 0; tuple && k < p.count; ++k) {
    PyObject* item = exact(numpy, PyTuple_GetItem(o, k), *p.items[k]);
    if (item && PyTuple_SetItem(tuple, k, item) == 0) continue;
    Py_DECREF(tuple);
    return nullptr;
  }
  return tuple;
}

}  // namespace python
}  // namespace pyk
