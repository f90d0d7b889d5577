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

// The class of a site, a new reference: "ValueError", one of Python's own; "pkg.errors:Failed",
// imported when it is raised; ":Failed", the module's, which C callbacks do not know (null): they
// get one of that name. Null, with an exception, where that fails.
PYK_COLD inline PyObject* exception_of(const char* name, const State* own, const Tables& tables) {
  const char* colon = strchr(name, ':');
  for (int k = 0; colon == name && own && k < count_exceptions(tables); ++k)
    if (strcmp(tables.exceptions[k].name, name + 1) == 0 && own->exceptions[k])
      return Py_NewRef(own->exceptions[k]);
  if (colon == name) {
    Text full;
    full.add("%s.%s", tables.name, colon + 1);
    return PyErr_NewException(full.data, PyExc_Exception, nullptr);
  }
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

// The arguments of a site one after the other: constants, and what the thread kept when it raised.
struct SiteArgs {
  const pyk::site& site;
  const pyk::raised_values& kept;
  int at = 0, used = 0;

  PyObject* next() {
    const pyk::site_arg& arg = site.args[at++];
    if (arg.kind == 't') return filled(arg);
    const bool at_run_time = arg.kind == 'r' && used < kept.count;
    return object_of(at_run_time ? kept[used++] : arg);
  }
  PyObject* several(Py_ssize_t count) {
    PyObject* made = PyTuple_New(count);
    for (Py_ssize_t k = 0; made && k < count; ++k) {
      PyObject* one = next();
      if (!one || PyTuple_SetItem(made, k, one) < 0) Py_CLEAR(made);
    }
    return made;
  }
  // text.format(*values)
  PyObject* filled(const pyk::site_arg& arg) {
    PyObject* values = several(static_cast<Py_ssize_t>(arg.integer));
    PyObject* text = values ? PyUnicode_FromString(arg.text) : nullptr;
    PyObject* format = text ? PyObject_GetAttrString(text, "format") : nullptr;
    PyObject* made = format ? PyObject_Call(format, values, nullptr) : nullptr;
    Py_XDECREF(format);
    Py_XDECREF(text);
    Py_XDECREF(values);
    return made;
  }
};

PYK_COLD inline PyObject* arguments_of(const pyk::site& site, const pyk::raised_values& kept) {
  return SiteArgs{site, kept}.several(argument_count(site));
}

// Sets the exception that a failed status stands for, without a place. Returns its site, or null:
// it has none. `own`: null where it is not known.
PYK_COLD inline const pyk::site* set_exception(pyk::status status, const pyk::raised_values& kept,
                                               const Tables& tables, const State* own) {
  if (status.code < 1 || !tables.sites) {
    PyErr_NoMemory();
    return nullptr;
  }
  const pyk::site& site = tables.sites[status.code - 1];
  PyObject* type = exception_of(site.exception, own, tables);
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
  const pyk::site* site = set_exception(status, kept, *state.tables, &state);
  if (site) add_entry(*site, state);
  return nullptr;
}

}  // namespace python
}  // namespace pyk
