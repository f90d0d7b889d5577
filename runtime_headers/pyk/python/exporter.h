// Arrays that other libraries hold: objects that are no ndarray but show their memory as one.
//
// In:   PyObject* (borrowed).  Out: array_of(): an ndarray over the object's memory, or the object
//       itself; array_in() does it for one parameter, tuples included.
// Rule: the buffer protocol first (memoryview, array.array, bytes, ctypes), then
//       `__array_interface__`, DLPack of the CPU, `__array__`. The first three share memory, so a
//       function may write to them; what `__array__` gives may be a copy and is read-only. Numbers,
//       text, lists and arrays on a device are no exporters; an exporter's own error is the
//       caller's.
// Tested by tests/run/test_arguments.py.
#pragma once

#include "pyk/python/argument.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

inline bool has_attribute(PyObject* o, const char* name) {
  return PyObject_HasAttrString(o, name) != 0;
}

// (1, 0) is the CPU's device.
PYK_COLD inline bool is_on_cpu(PyObject* o) {
  PyObject* device = PyObject_CallMethod(o, "__dlpack_device__", nullptr);
  long type = 0, id = 0;
  const bool known = device && PyArg_ParseTuple(device, "ll", &type, &id);
  PyErr_Clear();
  Py_XDECREF(device);
  return known && type == 1;
}

PYK_COLD inline PyObject* from_dlpack(PyObject* o) {
  PyObject* numpy = PyImport_ImportModule("numpy");
  PyObject* array = numpy ? PyObject_CallMethod(numpy, "from_dlpack", "O", o) : nullptr;
  Py_XDECREF(numpy);
  return array;
}

// What `__array__` gives, read-only: nobody would see what is written to a copy.
PYK_COLD inline PyObject* from_array_method(const NumPy& numpy, PyObject* o) {
  PyObject* array = numpy.as_array(o);
  PyObject* view = array ? numpy.read_only_view(array) : nullptr;
  Py_XDECREF(array);
  return view;
}

// A new reference; null with an exception.
PYK_COLD inline PyObject* array_of(const NumPy& numpy, PyObject* o) {
  const bool is_plain = o == Py_None || PyLong_Check(o) || PyFloat_Check(o) || PyComplex_Check(o) ||
                        PyUnicode_Check(o) || PyList_Check(o) || PyTuple_Check(o) ||
                        PyDict_Check(o) || PyType_Check(o);
  if (is_plain || numpy.is_array(o) || numpy.is_scalar(o)) return Py_NewRef(o);
  if (PyObject_CheckBuffer(o)) {  // by a memoryview: np.asarray(b"abc") would be text
    PyObject* memory = PyMemoryView_FromObject(o);
    PyObject* array = memory ? numpy.as_array(memory) : nullptr;
    Py_XDECREF(memory);
    return array;
  }
  if (has_attribute(o, "__array_interface__") || has_attribute(o, "__array_struct__"))
    return numpy.as_array(o);
  if (has_attribute(o, "__dlpack__") && has_attribute(o, "__dlpack_device__"))
    return is_on_cpu(o) ? from_dlpack(o) : Py_NewRef(o);
  return has_attribute(o, "__array__") ? from_array_method(numpy, o) : Py_NewRef(o);
}

// The object with ndarrays for the exporters that `p` may mean. A new reference; null with an
// exception.
PYK_COLD inline PyObject* array_in(const NumPy& numpy, PyObject* o, const Param& p) {
  if (p.kind == Kind::kArray) return array_of(numpy, o);
  if (p.kind == Kind::kOptional) return array_in(numpy, o, *p.items[0]);
  if (p.kind != Kind::kTuple || !PyTuple_Check(o) || PyTuple_Size(o) != p.count)
    return Py_NewRef(o);
  PyObject* items = PyTuple_New(p.count);
  bool same = true;
  for (int k = 0; items && k < p.count; ++k) {
    PyObject* item = array_in(numpy, PyTuple_GetItem(o, k), *p.items[k]);
    same = same && item == PyTuple_GetItem(o, k);
    if (!item || PyTuple_SetItem(items, k, item) < 0) Py_CLEAR(items);
  }
  if (!items || !same) return items;
  Py_DECREF(items);
  return Py_NewRef(o);
}

}  // namespace python
}  // namespace pyk
