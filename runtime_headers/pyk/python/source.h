// The Python source of a module: where its files lie, and the functions that were compiled.
//
// In:   a file's name relative to its source root ("pkg/kernels.py").  Out: its whole path where it
//       lies beside the module, in the folder above it, or along sys.path; the source's function.
// Rule: a source is imported when somebody asks for a function of it, once per module object, and
//       under the name that Python would give it, yet without taking that name from the compiled
//       module in sys.modules. `__wrapped__` is there once it has been imported, by py_func or by
//       the program: inspect.signature() and help() look for it, and should not import anything.
//       What fails is an AttributeError, so that hasattr() says no.
// Tested by tests/run/test_objects.py, test_module.py and test_reproducible.py.
#pragma once

#include <sys/stat.h>

#include "pyk/python/entry.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

inline bool is_file(const char* path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

PYK_COLD inline bool is_in(const char* folder, const char* file, Text& path) {
  path = Text();
  path.add("%s/%s", folder, file);
  return is_file(path.data);
}

// The path that an object holds, a str or what os.fsencode takes; "" where it holds none.
PYK_COLD inline void read_path(PyObject* object, Text& path) {
  PyObject* bytes = nullptr;
  path = Text();
  if (object && PyUnicode_FSConverter(object, &bytes)) path.add("%s", PyBytes_AsString(bytes));
  PyErr_Clear();
  Py_XDECREF(bytes);
}

// Writes the path of a source file to `path`; false where it is not to be found.
PYK_COLD inline bool find_source(const State& state, const char* file, Text& path) {
  Text folder;
  PyObject* module = PyModule_GetFilenameObject(state.module);
  read_path(module, folder);
  Py_XDECREF(module);
  for (int above = 0; above < 2; ++above) {
    char* slash = strrchr(folder.data, '/');
    if (!slash) break;
    *slash = 0;
    if (is_in(folder.data, file, path)) return true;
  }
  PyObject* folders = PySys_GetObject("path");  // borrowed; anything, if somebody has changed it
  const Py_ssize_t count = folders && PyList_Check(folders) ? PyList_Size(folders) : 0;
  for (Py_ssize_t k = 0; k < count; ++k) {
    PyObject* item = PySequence_GetItem(folders, k);
    read_path(item, folder);
    Py_XDECREF(item);
    if (folder.size > 0 && is_in(folder.data, file, path)) return true;
  }
  PyErr_Clear();
  return false;
}

// import_source("/where/pkg/kernels.py", "pkg/kernels.py", 1, shared). A module that is imported
// already from that path is it; None where there is none and a new one is not wanted. One thread
// at a time, by a lock in `shared`, the interpreter's own dictionary, which a forked process makes
// anew: another one would be given the module while it is being made. A module that somebody is
// importing is waited for as Python waits. Where the thread that holds the lock waits in turn for
// what this one imports, this one gives up after a minute.
constexpr const char* kImport = R"(
def import_source(path, file, new, shared):
    import _thread, os
    lock = shared.setdefault("pyk.import.1 of " + str(os.getpid()), _thread.RLock())
    if not lock.acquire(timeout=60):
        raise ImportError("another thread imports a source and does not come to an end")
    try:
        return find_or_import(path, file, new)
    finally:
        lock.release()

def find_or_import(path, file, new):
    import importlib.util, os, sys
    name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    known = sys.modules.get(name)
    origin = getattr(known, "__file__", None)
    if origin and os.path.exists(origin) and os.path.samefile(origin, path):
        making = getattr(getattr(known, "__spec__", None), "_initializing", False)
        return importlib.import_module(name) if making else known
    if not new:
        return None
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    added = sys.modules.setdefault(name, module) is module
    try:
        spec.loader.exec_module(module)
    finally:
        if added and sys.modules.get(name) is module:
            del sys.modules[name]
    return module
)";

PYK_COLD inline PyObject* import_source(const char* path, const char* file, bool is_new) {
  PyObject* code = Py_CompileString(kImport, "<pyk2cu>", Py_file_input);
  PyObject* globals = code ? PyDict_New() : nullptr;
  const bool ready =
      globals && PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins()) == 0;
  PyObject* done = ready ? PyEval_EvalCode(code, globals, globals) : nullptr;
  PyObject* import = done ? PyDict_GetItemString(globals, "import_source") : nullptr;  // borrowed
  PyObject* name = import ? PyUnicode_DecodeFSDefault(path) : nullptr;
  PyObject* shared = PyInterpreterState_GetDict(PyInterpreterState_Get());  // borrowed
  PyObject* module = name && shared
                         ? PyObject_CallFunction(import, "OsiO", name, file, int{is_new}, shared)
                     : name ? PyErr_NoMemory()
                            : nullptr;
  Py_XDECREF(name);
  Py_XDECREF(done);
  Py_XDECREF(globals);
  Py_XDECREF(code);
  return module;
}

// AttributeError: `f` has no Python source here: …; what has been raised is its cause.
PYK_COLD inline PyObject* fail_without_source(const Entry& e, const char* why) {
  PyObject *type, *cause, *traceback;
  PyErr_Fetch(&type, &cause, &traceback);
  PyErr_NormalizeException(&type, &cause, &traceback);
  if (cause && traceback) PyException_SetTraceback(cause, traceback);
  Text text;
  text.add("`%s` has no Python function here: ", e.name);
  text.add(why, e.source);
  if (cause) text.add(": "), text.add_type_name(cause), text.add(": "), text.add_str(cause);
  PyErr_SetString(PyExc_AttributeError, text.data);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  if (!cause) return nullptr;
  PyObject* error;
  PyErr_Fetch(&type, &error, &traceback);
  PyErr_NormalizeException(&type, &error, &traceback);
  PyException_SetCause(error, cause);  // steals
  PyErr_Restore(type, error, traceback);
  return nullptr;
}

// The module of a source file, imported where it has not been and `import` says so. Borrowed; null
// with an exception.
PYK_COLD inline PyObject* find_module(State& state, const Entry& e, bool import) {
  if (!state.sources && !(state.sources = PyDict_New())) return nullptr;
  PyObject* known = PyDict_GetItemString(state.sources, e.source);  // borrowed
  if (known) return known;
  Text path;
  if (!*e.source || !find_source(state, e.source, path))
    return fail_without_source(
        e, "`%s` is neither beside the module, nor in the folder above it, nor along sys.path");
  PyObject* module = import_source(path.data, e.source, import);
  if (!module && !PyErr_ExceptionMatches(PyExc_Exception)) return nullptr;  // KeyboardInterrupt
  if (!module) return fail_without_source(e, "importing `%s` failed");
  if (module == Py_None) {
    Py_DECREF(module);
    return fail_without_source(e, "`%s` has not been imported yet, which `py_func` does");
  }
  known = PyDict_GetItemString(state.sources, e.source);  // another thread was faster
  const int failed = known ? 0 : PyDict_SetItemString(state.sources, e.source, module);
  Py_DECREF(module);
  return failed ? nullptr : known ? known : module;
}

// The function that stands in the source, out of Numba's wrapper. A new reference; null with an
// exception.
PYK_COLD inline PyObject* find_py_func(PyObject* self, bool import) {
  const Function* f = function_of(self);
  const Entry& e = *f->entry;
  PyObject* module = find_module(*f->state, e, import);
  if (!module) return nullptr;
  PyObject* found = PyObject_GetAttrString(module, e.name);
  const bool compiled = found && Py_TYPE(found) == Py_TYPE(self);
  if (!found || compiled) {
    Py_XDECREF(found);
    return fail_without_source(e, compiled ? "`%s` imports the compiled one under that name"
                                           : "`%s` does not define it at its top level");
  }
  PyObject* inner = PyObject_GetAttrString(found, "py_func");
  if (!inner) PyErr_Clear();
  if (!inner) return found;
  Py_DECREF(found);
  return inner;
}
inline PyObject* get_py_func(PyObject* self, void*) { return find_py_func(self, true); }
inline PyObject* get_wrapped(PyObject* self, void*) { return find_py_func(self, false); }

}  // namespace python
}  // namespace pyk
