// The extension module: types, entry points, init. PYK_MODULE(name, entries, sites) is all that the
// generated file needs beside its tables.
//
// Multi-phase init; NumPy exists once per process, so its pointers are plain statics. Named tuple
// classes belong to one module object: its state is an array of them.
// Tested by tests/run/test_module.py and tests/run/test_named_tuples.py.
#pragma once

#include "pyk/python/call.h"
#include "pyk/python/function.h"
#include "pyk/python/launch.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

inline const Entry* all_entries;
inline int entry_count;
inline const FieldClass* all_classes;
inline int class_count;

template <class F>
void* slot(F* function) {
  return reinterpret_cast<void*>(function);
}

// Inside a package the name is pkg.module.Function: pickling depends on it.
inline PyTypeObject* make_type(PyObject* module, const char* name, size_t size,
                               PyType_Slot* slots) {
  Text full;
  full.add("%s.%s", PyModule_GetName(module), name);
  PyType_Spec spec{};
  spec.name = full.data;
  spec.basicsize = static_cast<int>(size);
  spec.flags = static_cast<unsigned>(Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION |
                                     Py_TPFLAGS_HAVE_VECTORCALL);
  spec.slots = slots;
  return reinterpret_cast<PyTypeObject*>(PyType_FromModuleAndSpec(module, &spec, nullptr));
}

inline PyTypeObject* make_function_type(PyObject* module) {
  PyType_Slot slots[] = {{Py_tp_call, slot(function_call)},
                         {Py_tp_members, function_members},
                         {Py_tp_getset, function_attributes},
                         {Py_tp_methods, function_methods},
                         {Py_tp_repr, slot(function_repr)},
                         {Py_tp_dealloc, slot(function_dealloc)},
                         {0, nullptr}};
  return make_type(module, "Function", sizeof(Function), slots);
}
inline PyTypeObject* make_kernel_type(PyObject* module) {
  PyType_Slot slots[] = {
      {Py_tp_call, slot(function_call)},         {Py_tp_members, function_members},
      {Py_tp_getset, function_attributes},       {Py_tp_methods, kernel_methods},
      {Py_mp_subscript, slot(kernel_subscript)}, {Py_tp_repr, slot(function_repr)},
      {Py_tp_dealloc, slot(function_dealloc)},   {0, nullptr}};
  return make_type(module, "Kernel", sizeof(Function), slots);
}
inline PyTypeObject* make_launcher_type(PyObject* module) {
  PyType_Slot slots[] = {{Py_tp_call, slot(launcher_call)},
                         {Py_tp_members, launcher_members},
                         {Py_tp_getset, launcher_attributes},
                         {Py_tp_dealloc, slot(launcher_dealloc)},
                         {0, nullptr}};
  return make_type(module, "Launcher", sizeof(Launcher), slots);
}

// ---- named tuple classes -----------------------------------------------------------------------
inline PyObject** classes_of(PyObject* module) {
  return static_cast<PyObject**>(PyModule_GetState(module));
}
inline int traverse_classes(PyObject* module, visitproc visit, void* arg) {
  PyObject** classes = classes_of(module);
  for (int k = 0; classes && k < class_count; ++k) Py_VISIT(classes[k]);
  return 0;
}
inline int clear_classes(PyObject* module) {
  PyObject** classes = classes_of(module);
  for (int k = 0; classes && k < class_count; ++k) Py_CLEAR(classes[k]);
  return 0;
}
inline void free_classes(void* module) { clear_classes(static_cast<PyObject*>(module)); }

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
inline bool is_taken(int index) {
  const char* name = all_classes[index].name;
  for (int k = 0; k < index; ++k)
    if (strcmp(all_classes[k].name, name) == 0) return true;
  for (int k = 0; k < entry_count; ++k)
    if (strcmp(all_entries[k].name, name) == 0) return true;
  return false;
}

inline int add_classes(PyObject* module) {
  PyObject** classes = classes_of(module);
  for (int k = 0; k < class_count; ++k) {
    classes[k] = make_class(module, all_classes[k]);
    if (!classes[k]) return -1;
    if (!is_taken(k) && PyModule_AddObjectRef(module, all_classes[k].name, classes[k]) < 0)
      return -1;
  }
  return 0;
}

// ---- init --------------------------------------------------------------------------------------
inline int add_entries(PyObject* module, PyTypeObject* function, PyTypeObject* kernel) {
  PyObject* const* classes = classes_of(module);
  for (int k = 0; k < entry_count; ++k) {
    const Entry& e = all_entries[k];
    PyObject* f = e.is_kernel ? make_function(kernel, e, call_unconfigured, classes)
                              : make_function(function, e, call_function, classes);
    const int failed = f ? PyModule_AddObjectRef(module, e.name, f) : -1;
    Py_XDECREF(f);
    if (failed) return -1;
  }
  return 0;
}

inline int execute(PyObject* module) {
  if (PyArray_ImportNumPyAPI() < 0) return -1;
  for (int num = 0; num <= NPY_CDOUBLE; ++num) {
    Py_XDECREF(reinterpret_cast<PyObject*>(dtypes[num]));
    dtypes[num] = PyArray_DescrFromType(num);
  }
  watch_forks();
  bool kernels = false, parallel = false;
  for (int k = 0; k < entry_count; ++k) {
    const Entry& e = all_entries[k];
    kernels = kernels || e.is_kernel;
    for (int i = 0; i < e.overload_count; ++i) parallel = parallel || e.overloads[i].is_parallel;
  }
  if (parallel) read_thread_count();
  if (add_classes(module) < 0) return -1;
  PyTypeObject* function = make_function_type(module);
  PyTypeObject* kernel = kernels ? make_kernel_type(module) : nullptr;
  if (kernels) launcher_type = make_launcher_type(module);
  int failed = !function || (kernels && (!kernel || !launcher_type)) ? -1 : 0;
  if (!failed) failed = add_entries(module, function, kernel);
  Py_XDECREF(reinterpret_cast<PyObject*>(function));
  Py_XDECREF(reinterpret_cast<PyObject*>(kernel));
  return failed;
}

// Rows of the table of entries. `params` ends with null, `defaults` has as many items as it.
template <size_t P, size_t O>
constexpr Entry function(const char* name, const char* const (&params)[P],
                         const Overload (&overloads)[O], const char* doc = nullptr,
                         const Default* defaults = nullptr) {
  static_assert(P <= kMaxParams, "too many parameters");
  return {name, doc, params, defaults, static_cast<int>(P) - 1, overloads, static_cast<int>(O),
          false};
}
template <size_t P, size_t O>
constexpr Entry kernel(const char* name, const char* const (&params)[P],
                       const Overload (&overloads)[O], const char* doc = nullptr,
                       const Default* defaults = nullptr) {
  Entry entry = function(name, params, overloads, doc, defaults);
  entry.is_kernel = true;
  return entry;
}

inline PyObject* init(const char* name, const Entry* entries, int count,
                      const pyk::site* raise_sites, const FieldClass* classes) {
  static PyModuleDef_Slot slots[3] = {{Py_mod_exec, slot(execute)}, {0, nullptr}, {0, nullptr}};
  static PyModuleDef definition = {
      PyModuleDef_HEAD_INIT, name, nullptr, 0, nullptr, slots, nullptr, nullptr, nullptr};
  all_classes = classes;
  for (class_count = 0; classes && classes[class_count].name;) ++class_count;
  if (class_count > 0) {
    definition.m_size = static_cast<Py_ssize_t>(sizeof(PyObject*)) * class_count;
    definition.m_traverse = traverse_classes;
    definition.m_clear = clear_classes;
    definition.m_free = free_classes;
  }
  all_entries = entries;
  entry_count = count;
  sites = raise_sites;
  // {Py_mod_gil, Py_MOD_GIL_NOT_USED}: 3.11 and 3.12 reject a slot they do not know.
  if (Py_Version >= 0x030D0000) slots[1] = {4, reinterpret_cast<void*>(1)};
  return PyModuleDef_Init(&definition);
}

}  // namespace python
}  // namespace pyk

#define PYK_MODULE(name, entries, sites) PYK_MODULE_WITH(name, entries, sites, nullptr)
#define PYK_MODULE_WITH(name, entries, sites, classes)                                    \
  PyMODINIT_FUNC PyInit_##name() {                                                        \
    return pyk::python::init(#name, entries, sizeof(entries) / sizeof(entries[0]), sites, \
                             classes);                                                    \
  }
