// Binding of arguments to parameters: keywords, defaults, and CPython's messages when they do not
// fit.
//
// In:   a vectorcall's arguments.  Out: one borrowed object per parameter, or TypeError.
// Tested by tests/run/test_module.py.
#pragma once

#include "pyk/python/entry.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

constexpr int kMaxParams = 64;  // bits of a set of parameters

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
PYK_COLD inline int find_equal_param(const Function* f, PyObject* name) {
  const int count = f->entry->param_count;
  for (int i = 0; i < count; ++i)
    if (PyUnicode_Compare(f->names[i], name) == 0) return i;
  return -1;
}
inline int find_param(const Function* f, PyObject* name) {
  const int count = f->entry->param_count;
  for (int i = 0; i < count; ++i)
    if (f->names[i] == name) return i;
  return find_equal_param(f, name);
}

// Does every parameter get its argument in the order in which the call has them?
inline bool is_in_order(const Function* f, Py_ssize_t given, PyObject* keywords) {
  const Py_ssize_t named = keywords ? Py_SIZE(keywords) : 0;
  if (given + named != f->entry->param_count) return false;
  for (Py_ssize_t j = 0; j < named; ++j)
    if (f->state->numpy.item(keywords, j) != f->names[given + j]) return false;
  return true;
}

// The arguments that `*args` takes, as a tuple: a new reference, null with an exception.
inline PyObject* rest_of(const Function* f, Args args, Py_ssize_t given) {
  const Py_ssize_t first = f->entry->rest;
  PyObject* tuple = PyTuple_New(given > first ? given - first : 0);
  for (Py_ssize_t i = first; tuple && i < given; ++i)
    PyTuple_SetItem(tuple, i - first, Py_NewRef(args[i]));
  return tuple;
}

// Fills bound[0..param_count) with borrowed references; false with TypeError. `rest`: what `*args`
// holds, null where there is no such parameter.
__attribute__((noinline)) inline bool bind(const Function* f, Args args, Py_ssize_t given,
                                           PyObject* keywords, PyObject* rest, PyObject** bound) {
  const int count = f->entry->param_count;
  Args values = args + given;  // of the keywords
  uint64_t seen = 0;
  if (rest) {
    bound[f->entry->rest] = rest;
    seen |= uint64_t{1} << f->entry->rest;
    if (given > f->entry->rest) given = f->entry->rest;
  }
  if (given > count) return report_too_many(f, given);
  seen |= given < 64 ? (uint64_t{1} << given) - 1 : ~uint64_t{0};
  for (Py_ssize_t i = 0; i < given; ++i) bound[i] = args[i];
  const Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
  for (Py_ssize_t j = 0; j < named; ++j) {
    PyObject* name = PyTuple_GetItem(keywords, j);
    const int i = find_param(f, name);
    if (i < 0 || (seen >> i & 1)) return report_keyword(f, name, i >= 0);
    seen |= uint64_t{1} << i;
    bound[i] = values[j];
  }
  if (!rest && given + named == count) return true;
  bool complete = true;
  for (int i = 0; i < count; ++i) {
    if (!(seen >> i & 1)) bound[i] = f->defaults[i];
    complete = complete && bound[i];
  }
  return complete || report_missing(f, bound);
}

}  // namespace python
}  // namespace pyk
