// CPython for generated modules: includes, limited API, text buffer for messages.
//
// One binary serves CPython >= 3.11 and NumPy >= 1.26; free-threaded Pythons get the full API.
// Included by generated <module>.module.cpp files only, once per module. Nothing in these headers
// is a variable that changes: what a module remembers is in its State (state.h).
// Tested by tests/run/test_module.py.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <pyconfig.h>
#if !defined(Py_LIMITED_API) && !defined(Py_GIL_DISABLED)
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <structmember.h>  // __vectorcalloffset__ member

#include "pyk/config.h"

#ifndef Py_TPFLAGS_HAVE_VECTORCALL  // honoured by 3.9+, declared for the limited API only by 3.12
#define Py_TPFLAGS_HAVE_VECTORCALL (1UL << 11)
#endif

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

using Args = PyObject* const*;
using Vectorcall = PyObject* (*)(PyObject*, Args, size_t, PyObject*);

// None for the interpreter to keep. Never Py_RETURN_NONE: headers of 3.12 and early 3.13 return it
// without a reference, and 3.11 ends in "deallocating None". No reference from 3.12 on: headers of
// 3.11 count beyond 2**32 - 1, where None is mortal again, and 3.13 never counts it right again.
inline PyObject* none() {
  if (Py_Version < 0x030C0000) Py_INCREF(Py_None);
  return Py_None;
}

// The number of arguments; the top bit is a flag (PyVectorcall_NARGS, which the 3.11 API lacks).
inline Py_ssize_t count_of(size_t n) {
  return static_cast<Py_ssize_t>(n & ~(static_cast<size_t>(1) << (8 * sizeof n - 1)));
}

// Text of a message, cut off when it gets too long.
struct Text {
  char data[2000];
  size_t size = 0;

  Text() { data[0] = 0; }
  __attribute__((format(printf, 2, 3))) void add(const char* format, ...) {
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(data + size, sizeof data - size, format, args);
    va_end(args);
    if (n > 0) size += static_cast<size_t>(n);
    if (size >= sizeof data) size = sizeof data - 1;
    while (size > 0 && n > 0 && (data[size - 1] & 0xC0) == 0x80 && data[size] == 0 &&
           size == sizeof data - 1)
      --size;  // no half of a character at the cut
    data[size] = 0;
  }
  // Adds str(o) and swallows errors; o may be null.
  void add_str(PyObject* o) {
    PyObject* text = o ? PyObject_Str(o) : nullptr;
    PyObject* bytes = text ? PyUnicode_AsUTF8String(text) : nullptr;
    if (bytes)
      add("%s", PyBytes_AsString(bytes));
    else
      PyErr_Clear();
    Py_XDECREF(bytes);
    Py_XDECREF(text);
  }
  void add_type_name(PyObject* o) {
    PyObject* name = PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(o)), "__name__");
    add_str(name);
    if (!name) PyErr_Clear();
    Py_XDECREF(name);
  }
};

PYK_COLD inline PyObject* fail(PyObject* type, const char* text) {
  PyErr_SetString(type, text);
  return nullptr;
}

}  // namespace python
}  // namespace pyk
