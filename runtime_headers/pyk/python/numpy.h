// NumPy's C API as a value: each module object holds the table that NumPy has given it.
//
// NumPy's headers would keep the table in a static variable and hide it behind macros that name
// that variable. Here it is a member of the same name, which the macros find inside the members of
// NumPy. The variable itself is declared and never defined: a use of it does not link.
// In:   the interpreter's NumPy, at import.  Out: NumPy, passed by reference to what needs it.
// Tested by tests/run/test_module.py and tests/run/test_module_state.py.
#pragma once

#include "pyk/python/python.h"

#define NPY_TARGET_VERSION NPY_1_23_API_VERSION
#define NPY_NO_DEPRECATED_API NPY_1_23_API_VERSION
#define NO_IMPORT_ARRAY
#include <numpy/arrayobject.h>

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

struct NumPy {
  void** PyArray_API;
  unsigned version;                        // of the API
  PyArray_Descr* dtypes[NPY_CDOUBLE + 1];  // the singleton per type number: settles type and byte
                                           // order of nearly every array

  // Of structured arrays that the module's functions know (module.h), and for each the first equal
  // dtype of an argument, or null: most programs have one object for all.
  PyArray_Descr **records, **seen;

  bool floats_in_place;  // has_floats_in_place(), asked once
  Py_ssize_t items_at;   // find_items(), asked once

  // PyFloat_AsDouble of an object whose type is float itself.
  double read_float(PyObject* o) const {
    if (PYK_LIKELY(floats_in_place)) return *reinterpret_cast<const double*>(o + 1);
    return PyFloat_AsDouble(o);
  }

  // PyTuple_GetItem of an item that is there.
  PyObject* item(PyObject* tuple, Py_ssize_t k) const {
    if (PYK_LIKELY(items_at != 0))
      return reinterpret_cast<PyObject**>(reinterpret_cast<char*>(tuple) + items_at)[k];
    return PyTuple_GetItem(tuple, k);
  }

  bool is_array(PyObject* o) const { return PyArray_Check(o); }
  bool is_plain_array(PyObject* o) const { return Py_TYPE(o) == &PyArray_Type; }
  bool is_scalar(PyObject* o) const { return PyArray_IsScalar(o, Generic); }
  bool is_bool_scalar(PyObject* o) const { return PyArray_IsScalar(o, Bool); }

  // The value of a scalar object, to where `value` points.
  void read_scalar(PyObject* o, void* value) const { PyArray_ScalarAsCtype(o, value); }
  PyArray_Descr* dtype_of_scalar(PyObject* o) const { return PyArray_DescrFromScalar(o); }
  PyObject* make_scalar(const void* value, int num) const {
    return PyArray_Scalar(const_cast<void*>(value), dtypes[num], nullptr);
  }

  bool is_record(PyArray_Descr* dtype, int record) const {
    if (PYK_LIKELY(dtype == __atomic_load_n(&seen[record], __ATOMIC_ACQUIRE))) return true;
    return is_equal_record(dtype, record);
  }
  // An array of rank 0 that shows the memory of a record; a copy where the record has memory of its
  // own.
  PyObject* array_of_record(PyObject* o) const { return PyArray_FromScalar(o, nullptr); }
  // What NumPy gives for an element: of an array of rank 0 (stolen) its item.
  PyObject* item_of(PyObject* array) const {
    return array ? PyArray_Return(reinterpret_cast<PyArrayObject*>(array)) : nullptr;
  }

  npy_intp item_size(const PyArray_Descr* dtype) const {
    return version >= NPY_2_0_API_VERSION
               ? reinterpret_cast<const _PyArray_DescrNumPy2*>(dtype)->elsize
               : reinterpret_cast<const PyArray_DescrProto*>(dtype)->elsize;
  }

  // The dtype of numbers that it is, or whose class; borrowed, null: neither.
  PyArray_Descr* dtype_of_numbers(PyObject* o) const {
    const auto* type = reinterpret_cast<PyTypeObject*>(o);
    for (PyArray_Descr* dtype : dtypes)
      if (o == reinterpret_cast<PyObject*>(dtype) || type == dtype->typeobj) return dtype;
    const int num = type == &PyBool_Type      ? NPY_BOOL
                    : type == &PyLong_Type    ? NPY_LONG
                    : type == &PyFloat_Type   ? NPY_DOUBLE
                    : type == &PyComplex_Type ? NPY_CDOUBLE
                                              : -1;
    return num < 0 ? nullptr : dtypes[num];
  }
  // np.dtype(spec): a new reference.
  PyArray_Descr* make_dtype(PyObject* spec) const {
    PyArray_Descr* dtype = nullptr;
    return PyArray_DescrConverter(spec, &dtype) ? dtype : nullptr;
  }

  // An array over memory that somebody else owns.
  PyObject* make_array(PyArray_Descr* dtype, int rank, const npy_intp* dims,
                       const npy_intp* strides, void* data, bool writeable) const {
    Py_INCREF(reinterpret_cast<PyObject*>(dtype));  // stolen
    return PyArray_NewFromDescr(&PyArray_Type, dtype, rank, dims, strides, data,
                                writeable ? NPY_ARRAY_WRITEABLE : 0, nullptr);
  }
  // Takes over the reference to `base`, also when it fails.
  bool set_base(PyObject* array, PyObject* base) const {
    return PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(array), base) == 0;
  }

  // np.asarray(o), np.asarray(a)[...] that refuses writes, and a native array of the type whose
  // layout has these flags: a copy where `a` is none. New references; null with an exception.
  PyObject* as_array(PyObject* o) const {
    return PyArray_FromAny(o, nullptr, 0, 0, NPY_ARRAY_ENSUREARRAY, nullptr);
  }
  PyObject* read_only_view(PyObject* a) const {
    PyObject* view = PyArray_View(reinterpret_cast<PyArrayObject*>(a), nullptr, nullptr);
    if (view) PyArray_CLEARFLAGS(reinterpret_cast<PyArrayObject*>(view), NPY_ARRAY_WRITEABLE);
    return view;
  }
  PyObject* convert_array(PyObject* a, PyArray_Descr* dtype, int flags) const {
    Py_INCREF(reinterpret_cast<PyObject*>(dtype));  // stolen
    return PyArray_FromArray(
        reinterpret_cast<PyArrayObject*>(a), dtype,
        flags | NPY_ARRAY_ALIGNED | NPY_ARRAY_NOTSWAPPED | NPY_ARRAY_ENSUREARRAY);
  }

  PYK_COLD bool is_equal_record(PyArray_Descr* dtype, int record) const {
    if (dtype != records[record] && !PyArray_EquivTypes(dtype, records[record])) return false;
    PyArray_Descr* none = nullptr;
    if (__atomic_compare_exchange_n(&seen[record], &none, dtype, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
      Py_INCREF(reinterpret_cast<PyObject*>(dtype));
    return true;
  }

  bool load();  // false with an exception
  void release();

 private:
  bool has_usable_version();
};

// Does the value of a float lie right behind the object's header? It does in every CPython so far,
// and is then read without a call, of which the limited API makes two in f(x, y): 3 ns of 26.
PYK_COLD inline bool has_floats_in_place() {
  const double value = -1.0 / 3.0;
  PyObject* type = reinterpret_cast<PyObject*>(&PyFloat_Type);
  PyObject* size = PyObject_GetAttrString(type, "__basicsize__");
  PyObject* o = PyFloat_FromDouble(value);
  const bool is_large = size && PyLong_AsLong(size) >= long{sizeof(PyObject) + sizeof value};
  const bool in_place = o && is_large && memcmp(o + 1, &value, sizeof value) == 0;
  PyErr_Clear();
  Py_XDECREF(o);
  Py_XDECREF(size);
  return in_place;
}

// Where the items of a tuple begin, counted from the object; 0 where that is not plain to see. They
// are read there for each keyword of a call: 2 ns less.
PYK_COLD inline Py_ssize_t find_items() {
  PyObject* size =
      PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyTuple_Type), "__basicsize__");
  PyObject* tuple = PyTuple_Pack(2, Py_None, reinterpret_cast<PyObject*>(&PyTuple_Type));
  Py_ssize_t at = size ? PyLong_AsSsize_t(size) : 0;
  PyObject* const items[] = {Py_None, reinterpret_cast<PyObject*>(&PyTuple_Type)};
  const bool is_there = tuple && at >= Py_ssize_t{sizeof(PyVarObject)} && at <= 64 &&
                        memcmp(reinterpret_cast<char*>(tuple) + at, items, sizeof items) == 0;
  PyErr_Clear();
  Py_XDECREF(tuple);
  Py_XDECREF(size);
  return is_there ? at : 0;
}

// A table of this interpreter's NumPy; null with an exception.
PYK_COLD inline void** find_numpy(const char* table_name) {
  PyObject* module = PyImport_ImportModule("numpy._core._multiarray_umath");
  if (!module && PyErr_ExceptionMatches(PyExc_ModuleNotFoundError)) {
    PyErr_Clear();
    module = PyImport_ImportModule("numpy.core._multiarray_umath");  // NumPy 1
  }
  PyObject* capsule = module ? PyObject_GetAttrString(module, table_name) : nullptr;
  void* table = capsule ? PyCapsule_GetPointer(capsule, nullptr) : nullptr;
  Py_XDECREF(capsule);
  Py_XDECREF(module);
  return static_cast<void**>(table);
}

inline bool NumPy::has_usable_version() {
  version = PyArray_GetNDArrayCFeatureVersion();
  if (PyArray_GetNDArrayCVersion() <= NPY_VERSION && version >= NPY_FEATURE_VERSION) return true;
  PyErr_Format(PyExc_ImportError, "its C API has versions 0x%x and 0x%x",
               PyArray_GetNDArrayCVersion(), version);
  return false;
}

PYK_COLD inline bool NumPy::load() {
  PyArray_API = find_numpy("_ARRAY_API");
  if (!PyArray_API || !has_usable_version()) return false;
  floats_in_place = has_floats_in_place();
  items_at = find_items();
  for (int num = 0; num <= NPY_CDOUBLE; ++num) {
    dtypes[num] = PyArray_DescrFromType(num);
    if (!dtypes[num]) return false;
  }
  return true;
}

PYK_COLD inline void NumPy::release() {
  for (PyArray_Descr*& dtype : dtypes) {
    Py_XDECREF(reinterpret_cast<PyObject*>(dtype));
    dtype = nullptr;
  }
}

}  // namespace python
}  // namespace pyk
