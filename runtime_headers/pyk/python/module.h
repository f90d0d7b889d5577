// The extension module: types, entry points, init. init(tables) is all that the generated file
// needs beside its tables.
//
// Multi-phase init. Every import makes a module object of its own, with State, types and functions
// of its own; NumPy decides in how many interpreters of a process that can be, since it refuses to
// be loaded twice.
// Tested by tests/run/test_module.py, test_module_state.py and test_named_tuples.py.
#pragma once

#include "pyk/python/call.h"
#include "pyk/python/function.h"
#include "pyk/python/launch.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

template <class F>
void* slot(F* function) {
  return reinterpret_cast<void*>(function);
}
// CPython reads these tables and never writes them.
template <class T>
void* slot(const T* table) {
  return const_cast<T*>(table);
}

// Inside a package the name is pkg.module.Function: pickling depends on it.
inline PyTypeObject* make_type(PyObject* module, const char* name, size_t size, PyType_Slot* slots,
                               unsigned long flags = 0) {
  Text full;
  full.add("%s.%s", PyModule_GetName(module), name);
  PyType_Spec spec{};
  spec.name = full.data;
  spec.basicsize = static_cast<int>(size);
  spec.flags = static_cast<unsigned>(Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION |
                                     Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_HAVE_GC | flags);
  spec.slots = slots;
  return reinterpret_cast<PyTypeObject*>(PyType_FromModuleAndSpec(module, &spec, nullptr));
}

inline PyTypeObject* make_function_type(PyObject* module) {
  PyType_Slot slots[] = {{Py_tp_call, slot(function_call)},
                         {Py_tp_members, slot(function_members)},
                         {Py_tp_getset, slot(function_attributes)},
                         {Py_tp_methods, slot(function_methods)},
                         {Py_tp_repr, slot(function_repr)},
                         {Py_tp_traverse, slot(function_traverse)},
                         {Py_tp_dealloc, slot(function_dealloc)},
                         {Py_tp_descr_get, slot(function_get)},
                         {0, nullptr}};
  return make_type(module, "Function", sizeof(Function), slots, Py_TPFLAGS_METHOD_DESCRIPTOR);
}
inline PyTypeObject* make_kernel_type(PyObject* module) {
  PyType_Slot slots[] = {{Py_tp_call, slot(function_call)},
                         {Py_tp_members, slot(function_members)},
                         {Py_tp_getset, slot(function_attributes)},
                         {Py_tp_methods, slot(kernel_methods)},
                         {Py_mp_subscript, slot(kernel_subscript)},
                         {Py_tp_repr, slot(function_repr)},
                         {Py_tp_traverse, slot(function_traverse)},
                         {Py_tp_dealloc, slot(function_dealloc)},
                         {0, nullptr}};
  return make_type(module, "Kernel", sizeof(Function), slots);
}
inline PyTypeObject* make_launcher_type(PyObject* module) {
  PyType_Slot slots[] = {
      {Py_tp_call, slot(launcher_call)},         {Py_tp_members, slot(launcher_members)},
      {Py_tp_getset, slot(launcher_attributes)}, {Py_tp_traverse, slot(launcher_traverse)},
      {Py_tp_dealloc, slot(launcher_dealloc)},   {0, nullptr}};
  return make_type(module, "Launcher", sizeof(Launcher), slots);
}

// ---- the state ---------------------------------------------------------------------------------
inline int traverse_module(PyObject* module, visitproc visit, void* arg) {
  State& state = state_of(module);
  Py_VISIT(reinterpret_cast<PyObject*>(state.launcher));
  Py_VISIT(state.sources);
  for (int k = 0; state.classes && state.classes[k]; ++k) Py_VISIT(state.classes[k]);
  for (int k = 0; state.exceptions && state.exceptions[k]; ++k) Py_VISIT(state.exceptions[k]);
  return 0;
}
// What can be part of a cycle. Functions may be called after this, while the collector works.
inline int clear_module(PyObject* module) {
  State& state = state_of(module);
  Py_CLEAR(state.launcher);
  Py_CLEAR(state.sources);
  for (int k = 0; state.tables && state.classes && k < count_classes(*state.tables); ++k)
    Py_CLEAR(state.classes[k]);
  for (int k = 0; state.tables && state.exceptions && k < count_exceptions(*state.tables); ++k)
    Py_CLEAR(state.exceptions[k]);
  return 0;
}
inline void free_module(void* module) {
  State& state = state_of(static_cast<PyObject*>(module));
  clear_module(static_cast<PyObject*>(module));
  PyMem_Free(state.classes);
  PyMem_Free(state.exceptions);
  PyMem_Free(state.ufunc_data);
  Py_CLEAR(state.threads.owner);
  for (int k = 0; state.numpy.records && state.numpy.records[k]; ++k) {
    Py_DECREF(reinterpret_cast<PyObject*>(state.numpy.records[k]));
    Py_XDECREF(reinterpret_cast<PyObject*>(state.numpy.seen[k]));
  }
  PyMem_Free(state.numpy.records);
  state.numpy.records = nullptr;
  state.numpy.release();
}

// ---- structured dtypes -------------------------------------------------------------------------
// {"names": …, "formats": …, "offsets": …, "itemsize": …, "aligned": …}, as np.dtype takes it
inline PyObject* spec_of(const Record& r) {
  PyObject* names = PyList_New(0);
  PyObject* formats = PyList_New(0);
  PyObject* offsets = PyList_New(0);
  bool fine = names && formats && offsets;
  const auto append = [&](PyObject* list, PyObject* item) {
    fine = fine && item && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
  };
  for (int k = 0; fine && k < r.count; ++k) {
    const Field& field = r.fields[k];
    append(names, PyUnicode_FromString(field.name));
    append(formats, field.record ? spec_of(*field.record) : PyUnicode_FromString(field.format));
    append(offsets, PyLong_FromLongLong(field.offset));
  }
  PyObject* aligned = r.is_c_struct ? Py_True : Py_False;
  PyObject* spec =
      fine ? Py_BuildValue("{sOsOsOsLsO}", "names", names, "formats", formats, "offsets", offsets,
                           "itemsize", static_cast<long long>(r.size), "aligned", aligned)
           : nullptr;
  Py_XDECREF(names);
  Py_XDECREF(formats);
  Py_XDECREF(offsets);
  return spec;
}

// ---- named tuple classes -----------------------------------------------------------------------
// collections.namedtuple(name, fields, module=module.__name__)
inline PyObject* make_class(PyObject* module, const FieldClass& c) {
  PyObject* collections = PyImport_ImportModule("collections");
  PyObject* make = collections ? PyObject_GetAttrString(collections, "namedtuple") : nullptr;
  PyObject* args = Py_BuildValue("(ss)", c.name, c.fields);
  PyObject* name = PyModule_GetNameObject(module);
  PyObject* options = name ? Py_BuildValue("{sO}", "module", name) : nullptr;
  PyObject* made = make && args && options ? PyObject_Call(make, args, options) : nullptr;
  Py_XDECREF(options);
  Py_XDECREF(name);
  Py_XDECREF(args);
  Py_XDECREF(make);
  Py_XDECREF(collections);
  return made;
}

// A function, or a class before it, has the name already.
inline bool is_taken(const Tables& tables, int index) {
  const char* name = tables.classes[index].name;
  for (int k = 0; k < index; ++k)
    if (strcmp(tables.classes[k].name, name) == 0) return true;
  for (int k = 0; k < tables.entry_count; ++k)
    if (strcmp(tables.entries[k].name, name) == 0) return true;
  return false;
}

inline bool fail_without_memory() {
  PyErr_NoMemory();
  return false;
}

inline bool add_classes(PyObject* module, State& state) {
  const Tables& tables = *state.tables;
  const int count = count_classes(tables);
  state.classes =
      static_cast<PyObject**>(PyMem_Calloc(static_cast<size_t>(count) + 1, sizeof(PyObject*)));
  if (!state.classes) return fail_without_memory();
  for (int k = 0; k < count; ++k) {
    const FieldClass& c = tables.classes[k];
    state.classes[k] = make_class(module, c);
    if (!state.classes[k]) return false;
    if (is_taken(tables, k)) continue;
    if (PyModule_AddObjectRef(module, c.name, state.classes[k]) < 0) return false;
  }
  return true;
}

// Runs their text, for which the names of the module are global.
inline bool add_exceptions(PyObject* module, State& state) {
  const ExceptionClass* const all = state.tables->exceptions;
  const auto count = static_cast<size_t>(count_exceptions(*state.tables));
  state.exceptions = static_cast<PyObject**>(PyMem_Calloc(count + 1, sizeof(PyObject*)));
  if (!state.exceptions) return fail_without_memory();
  for (size_t k = 0; k < count; ++k) {
    PyObject* names = PyDict_New();
    PyObject* code =
        names ? Py_CompileString(all[k].text, state.tables->name, Py_file_input) : nullptr;
    PyObject* done = code ? PyEval_EvalCode(code, PyModule_GetDict(module), names) : nullptr;
    PyObject* made = done ? PyDict_GetItemString(names, all[k].name) : nullptr;  // borrowed
    Py_XINCREF(made);
    state.exceptions[k] = made;
    Py_XDECREF(done);
    Py_XDECREF(code);
    Py_XDECREF(names);
    if (!made || PyModule_AddObjectRef(module, all[k].name, made) < 0) return false;
  }
  return true;
}

inline bool add_records(State& state) {
  int count = 0;
  while (state.tables->records[count]) ++count;
  state.numpy.records = static_cast<PyArray_Descr**>(
      PyMem_Calloc(2 * static_cast<size_t>(count) + 1, sizeof(PyArray_Descr*)));
  if (!state.numpy.records) return fail_without_memory();
  state.numpy.seen = state.numpy.records + count + 1;
  for (int k = 0; k < count; ++k) {
    PyObject* spec = spec_of(*state.tables->records[k]);
    state.numpy.records[k] = spec ? state.numpy.make_dtype(spec) : nullptr;
    Py_XDECREF(spec);
    if (!state.numpy.records[k]) return false;
  }
  return true;
}

// ---- init --------------------------------------------------------------------------------------
inline bool add_entries(PyObject* module, State& state, PyTypeObject* function,
                        PyTypeObject* kernel) {
  for (int k = 0; k < state.tables->entry_count; ++k) {
    const Entry& e = state.tables->entries[k];
    const Vectorcall call = e.rest >= 0             ? call_generally
                            : e.overload_count == 1 ? e.overloads->vectorcall
                                                    : call_function;
    PyObject* f = e.is_kernel ? make_function(kernel, e, call_unconfigured, state)
                              : make_function(function, e, call, state);
    const int failed = f ? PyModule_AddObjectRef(module, e.name, f) : -1;
    Py_XDECREF(f);
    if (failed) return false;
  }
  return true;
}

// ImportError: `kernels` needs NumPy, which cannot be loaded here: … (a second interpreter, say)
PYK_COLD inline bool load_numpy(const char* name, NumPy& numpy) {
  if (numpy.load()) return true;
  if (!PyErr_ExceptionMatches(PyExc_ImportError)) return false;
  PyObject *type, *cause, *traceback;
  PyErr_Fetch(&type, &cause, &traceback);
  PyErr_NormalizeException(&type, &cause, &traceback);
  if (traceback) PyException_SetTraceback(cause, traceback);
  Py_DECREF(type);
  Py_XDECREF(traceback);
  PyErr_Format(PyExc_ImportError, "`%s` needs NumPy, which cannot be loaded here: %S", name, cause);
  PyObject* error;
  PyErr_Fetch(&type, &error, &traceback);
  PyErr_NormalizeException(&type, &error, &traceback);
  PyException_SetContext(error, Py_NewRef(cause));
  PyException_SetCause(error, cause);
  PyErr_Restore(type, error, traceback);
  return false;
}

// Says for which instruction set the module's functions run: __pyk2cu_cpu__ is "x86-64-v3", say.
// ImportError where there is none.
PYK_COLD inline bool add_processor(PyObject* module, const processor& cpu) {
  if (cpu.problem)
    PyErr_Format(PyExc_ImportError, "`%s` needs %s", PyModule_GetName(module), cpu.problem);
  if (cpu.problem || cpu.level == 0) return !cpu.problem;
  constexpr const char* kNames[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};
  return PyModule_AddStringConstant(module, "__pyk2cu_cpu__", kNames[cpu.level - 2]) == 0;
}

// The definition that CPython keeps, and where the module's tables are.
struct Definition {
  PyModuleDef base;
  PyModuleDef_Slot slots[4];
  const Tables* tables;

  explicit Definition(const Tables& all);
};

inline int execute(PyObject* module) {
  State& state = state_of(module);
  const Tables& tables = *reinterpret_cast<Definition*>(PyModule_GetDef(module))->tables;
  state.tables = &tables;
  state.module = module;
  if (!load_numpy(PyModule_GetName(module), state.numpy)) return -1;
  if (tables.cpu && !add_processor(module, *tables.cpu)) return -1;
  bool kernels = false, parallel = false;
  for (int k = 0; k < tables.entry_count; ++k) {
    const Entry& e = tables.entries[k];
    kernels = kernels || e.is_kernel;
    for (int i = 0; i < e.overload_count; ++i) parallel = parallel || e.overloads[i].is_parallel;
  }
  if (parallel && !start_threads(state.threads)) return -1;
  if (!add_classes(module, state)) return -1;
  if (tables.exceptions && !add_exceptions(module, state)) return -1;
  if (tables.records && !add_records(state)) return -1;
  PyTypeObject* function = make_function_type(module);
  PyTypeObject* kernel = kernels ? make_kernel_type(module) : nullptr;
  state.launcher = kernels ? make_launcher_type(module) : nullptr;
  const bool made = function && (!kernels || (kernel && state.launcher)) &&
                    add_entries(module, state, function, kernel);
  Py_XDECREF(reinterpret_cast<PyObject*>(function));
  Py_XDECREF(reinterpret_cast<PyObject*>(kernel));
  const bool whole = made && (!tables.add_ufuncs || tables.add_ufuncs(module, state));
  return whole ? 0 : -1;
}

// Slots that the interpreter does not know it rejects: their numbers stand here, since the headers
// of 3.11 have no names for them.
inline Definition::Definition(const Tables& all)
    : base{PyModuleDef_HEAD_INIT, all.name,     nullptr,    sizeof(State), nullptr, slots,
           traverse_module,       clear_module, free_module},
      slots{{Py_mod_exec, slot(execute)}},
      tables(&all) {
  constexpr int kMultipleInterpreters = 3, kGil = 4;
  if (Py_Version >= 0x030C0000)
    slots[1] = {kMultipleInterpreters, reinterpret_cast<void*>(2)};  // each with a GIL of its own
  if (Py_Version >= 0x030D0000) slots[2] = {kGil, reinterpret_cast<void*>(1)};  // not used
}

// Rows of the table of entries. `params` ends with null, `defaults` has as many items as it.
template <size_t P, size_t O>
constexpr Entry function(const char* name, const char* source, const char* const (&params)[P],
                         const Overload (&overloads)[O], const char* doc = nullptr,
                         const Default* defaults = nullptr) {
  static_assert(P <= kMaxParams, "too many parameters");
  Entry entry{
      name, source, doc, params, defaults, static_cast<int>(P) - 1, overloads, static_cast<int>(O)};
  for (int i = 0; i < entry.param_count; ++i)
    if (params[i][0] == '*') entry.rest = i;
  return entry;
}
template <size_t P, size_t O>
constexpr Entry kernel(const char* name, const char* source, const char* const (&params)[P],
                       const Overload (&overloads)[O], const char* doc = nullptr,
                       const Default* defaults = nullptr) {
  Entry entry = function(name, source, params, overloads, doc, defaults);
  entry.is_kernel = true;
  return entry;
}

inline PyObject* init(const Tables& tables) {
  static Definition definition(tables);
  return PyModuleDef_Init(&definition.base);
}

}  // namespace python
}  // namespace pyk
