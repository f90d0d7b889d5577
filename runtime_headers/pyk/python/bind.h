// Binding of arguments to parameters: keywords, defaults, and CPython's messages when they do not
// fit.
//
// In:   a vectorcall's arguments.  Out: one borrowed object per parameter, or TypeError.
// Tested by tests/run/test_module.py.
#pragma once

#include "pyk/python/entry.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

constexpr int kMaxParams = 64;

PYK_COLD inline bool report_missing(const Function* f, PyObject* const* bound) {
  const Entry& e = *f->entry;
  int missing = 0, seen = 0;
  for (int i = 0; i < e.param_count; ++i) missing += bound[i] == nullptr;
  Text text;
  text.add("%s() missing %d required positional argument%s: ", e.name, missing,
           missing == 1 ? "" : "s");
  for (int i = 0; i < e.param_count; ++i) {
    if (bound[i]) continue;
    ++seen;
    if (seen > 1) text.add(seen < missing ? ", " : missing == 2 ? " and " : ", and ");
    text.add("'%s'", e.params[i]);
  }
  PyErr_SetString(PyExc_TypeError, text.data);
  return false;
}

PYK_COLD inline bool report_too_many(const Function* f, Py_ssize_t given) {
  const Entry& e = *f->entry;
  int required = 0;
  for (int i = 0; i < e.param_count; ++i) required += f->defaults[i] == nullptr;
  Text text;
  text.add("%s() takes ", e.name);
  if (required < e.param_count) text.add("from %d to ", required);
  text.add("%d positional argument%s but %zd %s given", e.param_count,
           e.param_count == 1 ? "" : "s", given, given == 1 ? "was" : "were");
  PyErr_SetString(PyExc_TypeError, text.data);
  return false;
}

PYK_COLD inline bool report_keyword(const Function* f, PyObject* name, bool known) {
  PyErr_Format(PyExc_TypeError,
               known ? "%s() got multiple values for argument '%U'"
                     : "%s() got an unexpected keyword argument '%U'",
               f->entry->name, name);
  return false;
}

// Names are interned, so identity finds nearly all of them, comparison the rest.
inline int find_param(const Function* f, PyObject* name) {
  const int count = f->entry->param_count;
  for (int i = 0; i < count; ++i)
    if (f->names[i] == name) return i;
  for (int i = 0; i < count; ++i)
    if (PyUnicode_Compare(f->names[i], name) == 0) return i;
  return -1;
}

// Fills bound[0..param_count) with borrowed references; false with TypeError.
__attribute__((noinline)) inline bool bind(const Function* f, Args args, Py_ssize_t given,
                                           PyObject* keywords, PyObject** bound) {
  const int count = f->entry->param_count;
  if (given > count) return report_too_many(f, given);
  for (Py_ssize_t i = 0; i < count; ++i) bound[i] = i < given ? args[i] : nullptr;
  for (Py_ssize_t j = 0, n = keywords ? PyTuple_Size(keywords) : 0; j < n; ++j) {
    PyObject* name = PyTuple_GetItem(keywords, j);
    const int i = find_param(f, name);
    if (i < 0 || bound[i]) return report_keyword(f, name, i >= 0);
    bound[i] = args[given + j];
  }
  bool complete = true;
  for (int i = 0; i < count; ++i) {
    if (!bound[i]) bound[i] = f->defaults[i];
    complete = complete && bound[i];
  }
  return complete || report_missing(f, bound);
}

}  // namespace python
}  // namespace pyk
