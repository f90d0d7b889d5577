// Exceptions of compiled functions: from a status to the Python exception that the source raises.
//
// In:   pyk::status and the module's table of raise sites.  Out: the exception is set, with a
//       traceback entry at the source's file, line and columns.
// Rule: the entry has the whole path where the source is found (source.h); else the name as it is,
//       which Python looks for in the current folder.
// Tested by tests/run/test_module.py and tests/run/test_reproducible.py.
#pragma once

#include "pyk/python/source.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

inline PyObject* raise_again(PyObject* e, PyObject*) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(e)), e);
  return nullptr;
}

// The code of an expression `_()` that stands at the given place of the given file; null on
// failure.
PYK_COLD inline PyObject* code_at(const pyk::site& site, const char* file) {
  const int begin = site.column > 400 || site.column < 1 ? 0 : site.column - 1;
  const int width = site.end_column - site.column;
  Text stub;
  stub.add("(\n%*s_(%*s))", begin, "", width > 3 && width < 1000 ? width - 3 : 0, "");
  PyObject* code = Py_CompileString(stub.data, file, Py_eval_input);
  PyObject* replace = code ? PyObject_GetAttrString(code, "replace") : nullptr;
  PyObject* no_args = PyTuple_New(0);
  PyObject* names = Py_BuildValue("{s:s,s:s,s:i}", "co_name", site.function, "co_qualname",
                                  site.function, "co_firstlineno", site.line - 1);
  PyObject* moved = replace && no_args && names ? PyObject_Call(replace, no_args, names) : nullptr;
  Py_XDECREF(names);
  Py_XDECREF(no_args);
  Py_XDECREF(replace);
  Py_XDECREF(code);
  return moved;
}

// Adds the traceback entry to the exception that is set. A stub is compiled whose only call lies at
// the columns of the site; evaluating it raises the exception again, and the interpreter itself
// makes the entry.
PYK_COLD inline void add_entry(const pyk::site& site, const State& state) {
  static const PyMethodDef method = {"_", raise_again, METH_NOARGS, nullptr};
  PyObject *type, *exception, *traceback;
  PyErr_Fetch(&type, &exception, &traceback);
  PyErr_NormalizeException(&type, &exception, &traceback);
  Text path;
  PyObject* code = code_at(site, find_source(state, site.file, path) ? path.data : site.file);
  PyObject* call = PyCFunction_NewEx(const_cast<PyMethodDef*>(&method), exception, nullptr);
  PyObject* globals = call ? Py_BuildValue("{s:O,s:{}}", "_", call, "__builtins__") : nullptr;
  if (code && globals) Py_XDECREF(PyEval_EvalCode(code, globals, globals));
  Py_XDECREF(globals);
  Py_XDECREF(call);
  Py_XDECREF(code);
  if (PyErr_ExceptionMatches(type)) {
    Py_XDECREF(type);
    Py_XDECREF(exception);
    Py_XDECREF(traceback);
  } else {
    PyErr_Restore(type, exception, traceback);
  }
}

PYK_COLD inline PyObject* object_of(const pyk::site_arg& arg) {
  switch (arg.kind) {
    case 's':
      return PyUnicode_FromString(arg.text);
    case 'i':
      return PyLong_FromLongLong(arg.integer);
    case 'u':
      return PyLong_FromUnsignedLongLong(static_cast<uint64_t>(arg.integer));
    case 'f':
      return PyFloat_FromDouble(arg.number);
    case 'b':
      return PyBool_FromLong(arg.integer != 0);
    default:
      return none();
  }
}

// The class of a site, a new reference: one of Python's own, or one that is imported when it is
// raised. Null, with an exception, where that fails.
PYK_COLD inline PyObject* exception_of(const char* name) {
  const char* colon = strchr(name, ':');
  if (!colon) {
    PyObject* known = PyDict_GetItemString(PyEval_GetBuiltins(), name);  // borrowed
    if (!known) known = PyExc_RuntimeError;
    Py_INCREF(known);
    return known;
  }
  PyObject* module_name = PyUnicode_FromStringAndSize(name, colon - name);
  PyObject* module = module_name ? PyImport_Import(module_name) : nullptr;
  PyObject* found = module ? PyObject_GetAttrString(module, colon + 1) : nullptr;
  Py_XDECREF(module);
  Py_XDECREF(module_name);
  return found;
}

// The exception's arguments: constants of the site, and what the thread kept when it raised.
PYK_COLD inline PyObject* arguments_of(const pyk::site& site, const pyk::raised_values& kept) {
  PyObject* args = PyTuple_New(site.count);
  int used = 0;
  for (int k = 0; args && k < site.count; ++k) {
    const bool at_run_time = site.args[k].kind == 'r' && used < kept.count;
    PyObject* arg = object_of(at_run_time ? kept[used++] : site.args[k]);
    if (!arg || PyTuple_SetItem(args, k, arg) < 0) Py_CLEAR(args);
  }
  return args;
}

// Sets the exception that a failed status stands for, without a place. Returns its site, or null:
// it has none.
PYK_COLD inline const pyk::site* set_exception(pyk::status status, const pyk::raised_values& kept,
                                               const Tables& tables) {
  if (status.code < 1 || !tables.sites) {
    PyErr_NoMemory();
    return nullptr;
  }
  const pyk::site& site = tables.sites[status.code - 1];
  PyObject* type = exception_of(site.exception);
  PyObject* args = type ? arguments_of(site, kept) : nullptr;
  if (args) PyErr_SetObject(type, args);
  const bool is_set = args != nullptr;
  Py_XDECREF(args);
  Py_XDECREF(type);
  return is_set && site.line > 0 ? &site : nullptr;
}

// Sets the exception that a failed status stands for. Returns null.
PYK_COLD inline PyObject* raise_status(pyk::status status, const State& state) {
  // A copy: making objects may collect garbage, and a finalizer may call what raises in turn.
  const pyk::raised_values kept = pyk::raised_args;
  const pyk::site* site = set_exception(status, kept, *state.tables);
  if (site) add_entry(*site, state);
  return nullptr;
}

}  // namespace python
}  // namespace pyk
