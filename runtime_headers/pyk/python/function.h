// The callable objects of a module: vectorcall, overload choice, TypeErrors, attributes.
//
// In:   a Function and a call.  Out: the result of the overload that fits: exact types first in the
//       order of signatures, then safe conversions, then narrowing ones.
// Tested by tests/run/test_module.py, test_arguments.py and test_objects.py.
#pragma once

#include "pyk/python/bind.h"
#include "pyk/python/exporter.h"
#include "pyk/python/source.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

// New references, released together.
struct Held {
  PyObject* items[kMaxParams];
  int count = 0;

  Held() = default;
  Held(const Held&) = delete;
  ~Held() {
    while (count > 0) Py_DECREF(items[--count]);
  }
  // Takes over `item`; false when it is null.
  bool add(PyObject* item) {
    if (item) items[count++] = item;
    return item != nullptr;
  }
};

// `f(): argument 2 `x`: float32 array of rank 1 given, float64[:] expected`, or all candidates.
// `arrays` are the arguments as array_in() made them.
PYK_COLD inline PyObject* report_mismatch(const Function* f, Args args, Args arrays) {
  const Entry& e = *f->entry;
  Text text;
  bool overflow = true;
  text.add("%s()", e.name);
  if (e.overload_count > 1) text.add(" has no signature for these arguments");
  for (int k = 0; k < e.overload_count; ++k) {
    if (e.overload_count > 1) text.add("\n  %s", e.overloads[k].signature);
    for (int i = 0; i < e.param_count; ++i) {
      Text why;
      const Fit how = fit(f->state->numpy, arrays[i], *e.overloads[k].params[i], &why);
      if (how < Fit::kOverflow) continue;
      text.add(": argument %d `%s`: ", i + 1, e.params[i]);
      if (arrays[i] != args[i] && !PyTuple_Check(args[i]))
        text.add_type_name(args[i]), text.add(", a ");
      text.add("%s", why.data);
      overflow = overflow && how == Fit::kOverflow;
      break;
    }
  }
  return fail(overflow ? PyExc_OverflowError : PyExc_TypeError, text.data);
}

// The overload that the arguments fit best, the first of several; null when they fit none.
PYK_COLD inline const Overload* find_overload(const Function* f, Args args) {
  const Entry& e = *f->entry;
  const Overload* best = nullptr;
  Fit best_fit = Fit::kOverflow;
  for (int k = 0; k < e.overload_count; ++k) {
    Fit worst = Fit::kExact;
    for (int i = 0; i < e.param_count && worst < best_fit; ++i) {
      const Fit one = fit(f->state->numpy, args[i], *e.overloads[k].params[i], nullptr);
      if (one > worst) worst = one;
    }
    if (worst >= best_fit) continue;
    best = &e.overloads[k];
    best_fit = worst;
  }
  return best;
}

// The argument with ndarrays for exporters, where some overload takes an array. A new reference;
// null with an exception.
PYK_COLD inline PyObject* with_arrays(const Function* f, PyObject* arg, int i) {
  PyObject* array = Py_NewRef(arg);
  for (int k = 0; k < f->entry->overload_count && array == arg; ++k) {
    Py_DECREF(array);
    array = array_in(f->state->numpy, arg, *f->entry->overloads[k].params[i]);
  }
  return array;
}

// No overload has exactly these types: converts the arguments for the one that fits best.
__attribute__((noinline)) inline PyObject* call_inexact(const Function* f, Args args,
                                                        const pyk::launch* launch) {
  const int count = f->entry->param_count;
  Held arrays, converted;
  while (arrays.count < count)
    if (!arrays.add(with_arrays(f, args[arrays.count], arrays.count))) return nullptr;
  const Overload* best = find_overload(f, arrays.items);
  if (!best) return report_mismatch(f, args, arrays.items);
  while (converted.count < count) {
    const int i = converted.count;
    if (!converted.add(exact(f->state->numpy, arrays.items[i], *best->params[i]))) return nullptr;
  }
  PyObject* result = nullptr;
  if (best->call(converted.items, args, launch, *f->state, &result)) return result;
  return fail(PyExc_SystemError, "internal error: converted arguments do not fit");
}

inline Glance glance_at(const NumPy& numpy, PyObject* o) {
  if (!numpy.is_plain_array(o)) {
    if (has_type(o, &PyFloat_Type)) return glance_of_number(Kind::kFloat, 8);
    return has_type(o, &PyLong_Type) ? glance_of_number(Kind::kInt, 8) : kUnclear;
  }
  PyArrayObject* a = reinterpret_cast<PyArrayObject*>(o);
  const int num = PyArray_DESCR(a)->type_num;
  const bool is_long_long = num == NPY_LONGLONG || num == NPY_ULONGLONG;
  return glance_of_array(is_long_long ? num - (NPY_LONGLONG - NPY_LONG) : num, PyArray_NDIM(a));
}
static_assert(NPY_ULONGLONG - NPY_ULONG == NPY_LONGLONG - NPY_LONG);

inline bool call_exact(const Function* f, const pyk::launch* launch, Args args, PyObject** result) {
  const Entry& e = *f->entry;
  if (e.overload_count == 1 || e.param_count == 0)
    return e.overloads->call(args, args, launch, *f->state, result);
  const Glance first = glance_at(f->state->numpy, args[0]);
  for (const Overload* o = e.overloads; o != e.overloads + e.overload_count; ++o) {
    if (o->first != first && o->first != kUnclear && first != kUnclear) continue;
    if (o->call(args, args, launch, *f->state, result)) return true;
  }
  return false;
}

__attribute__((noinline)) inline PyObject* dispatch(const Function* f, const pyk::launch* launch,
                                                    Args args, size_t n, PyObject* keywords) {
  const Py_ssize_t given = count_of(n);
  const bool has_rest = f->entry->rest >= 0;
  PyObject *bound[kMaxParams], *rest = nullptr, *result = nullptr;
  if (has_rest && !(rest = rest_of(f, args, given))) return nullptr;
  if (has_rest || !is_in_order(f, given, keywords)) {
    const bool is_bound = bind(f, args, given, keywords, rest, bound);
    args = is_bound ? bound : nullptr;
  }
  if (args && !call_exact(f, launch, args, &result)) result = call_inexact(f, args, launch);
  Py_XDECREF(rest);
  return result;
}

inline PyObject* call_generally(PyObject* self, Args args, size_t n, PyObject* keywords) {
  return dispatch(function_of(self), nullptr, args, n, keywords);
}

// Of a function with several overloads: the first that the first argument is clearly for goes on
// from here, without a way back.
inline PyObject* call_function(PyObject* self, Args args, size_t n, PyObject* keywords) {
  const Function* f = function_of(self);
  const Entry& e = *f->entry;
  if (!keywords && count_of(n) == e.param_count && e.param_count > 0) {
    const Glance first = glance_at(f->state->numpy, args[0]);
    for (const Overload* o = e.overloads; o != e.overloads + e.overload_count; ++o) {
      if (o->first == kUnclear || first == kUnclear) break;
      if (o->first == first) return o->vectorcall(self, args, n, keywords);
    }
  }
  return call_generally(self, args, n, keywords);
}

// tp_call, for f(*args, **kwargs) of old-style callers: makes a vectorcall of it.
PYK_COLD inline PyObject* call_with(Vectorcall call, PyObject* self, PyObject* args,
                                    PyObject* keywords) {
  const Py_ssize_t given = PyTuple_Size(args), named = keywords ? PyDict_Size(keywords) : 0;
  PyObject* names = named ? PyTuple_New(named) : nullptr;
  PyObject** all = static_cast<PyObject**>(PyMem_Malloc(sizeof(PyObject*) * (given + named + 1)));
  PyObject* result = nullptr;
  if (all && (names || !named)) {
    for (Py_ssize_t i = 0; i < given; ++i) all[i] = PyTuple_GetItem(args, i);
    Py_ssize_t at = 0, j = 0;
    PyObject *name, *value;
    while (named && PyDict_Next(keywords, &at, &name, &value)) {
      PyTuple_SetItem(names, j, Py_NewRef(name));
      all[given + j++] = value;
    }
    result = call(self, all, static_cast<size_t>(given), names);
  }
  PyMem_Free(all);
  Py_XDECREF(names);
  return result;
}
inline PyObject* function_call(PyObject* self, PyObject* args, PyObject* keywords) {
  return call_with(function_of(self)->call, self, args, keywords);
}

// ---- as C calls it -----------------------------------------------------------------------------
// Null with AttributeError where C cannot call it.
PYK_COLD inline const Overload* native_overload(const Function* f) {
  const Entry& e = *f->entry;
  if (e.overload_count == 1 && e.overloads[0].address) return &e.overloads[0];
  PyErr_Format(PyExc_AttributeError, "C has no way to call `%s`: it %s", e.name,
               e.overload_count > 1         ? "has several signatures"
               : e.overloads[0].is_parallel ? "runs on several threads or asks for them"
                                            : "takes or returns more than numbers");
  return nullptr;
}

inline PyObject* get_address(PyObject* self, void*) {
  const Overload* overload = native_overload(function_of(self));
  return overload ? PyLong_FromVoidPtr(overload->address()) : nullptr;
}

// ctypes.c_double, …; None for null.
PYK_COLD inline PyObject* ctypes_of(PyObject* ctypes, const Param* param) {
  if (!param) return none();
  const int bits = 8 * param->size;
  Text name;
  if (param->kind == Kind::kBool)
    name.add("c_bool");
  else if (param->kind == Kind::kFloat)
    name.add(bits == 32 ? "c_float" : "c_double");
  else if (param->kind == Kind::kComplex)
    return fail(PyExc_TypeError, "ctypes has no complex numbers; `.address` is there");
  else
    name.add(param->kind == Kind::kInt ? "c_int%d" : "c_uint%d", bits);
  return PyObject_GetAttrString(ctypes, name.data);
}

// ctypes.CFUNCTYPE(result, *params)(address)
inline PyObject* get_ctypes(PyObject* self, void*) {
  const Function* f = function_of(self);
  const Overload* overload = native_overload(f);
  PyObject* ctypes = overload ? PyImport_ImportModule("ctypes") : nullptr;
  if (!ctypes) return nullptr;
  PyObject* list = PyTuple_New(f->entry->param_count + 1);
  for (int i = -1; list && i < f->entry->param_count; ++i) {
    PyObject* type = ctypes_of(ctypes, i < 0 ? overload->result : overload->params[i]);
    if (!type || PyTuple_SetItem(list, i + 1, type) < 0) Py_CLEAR(list);
  }
  PyObject* make = list ? PyObject_GetAttrString(ctypes, "CFUNCTYPE") : nullptr;
  PyObject* type = make ? PyObject_Call(make, list, nullptr) : nullptr;
  PyObject* address = type ? PyLong_FromVoidPtr(overload->address()) : nullptr;
  PyObject* made = address ? PyObject_CallFunctionObjArgs(type, address, nullptr) : nullptr;
  Py_XDECREF(address);
  Py_XDECREF(type);
  Py_XDECREF(make);
  Py_XDECREF(list);
  Py_DECREF(ctypes);
  return made;
}

// ---- attributes --------------------------------------------------------------------------------
inline PyObject* get_name(PyObject* self, void*) {
  return PyUnicode_FromString(function_of(self)->entry->name);
}
inline PyObject* get_doc(PyObject* self, void*) {
  const char* doc = function_of(self)->entry->doc;
  return doc ? PyUnicode_FromString(doc) : none();
}
inline PyObject* get_signatures(PyObject* self, void*) {
  const Entry& e = *function_of(self)->entry;
  PyObject* list = PyList_New(0);
  for (int k = 0; list && k < e.overload_count; ++k) {
    PyObject* text = PyUnicode_FromString(e.overloads[k].signature);
    if (!text || PyList_Append(list, text) < 0) Py_CLEAR(list);
    Py_XDECREF(text);
  }
  return list;
}

// "(x, y=1.0)"
inline PyObject* get_text_signature(PyObject* self, void*) {
  const Function* f = function_of(self);
  Text text;
  text.add("(");
  for (int i = 0; i < f->entry->param_count; ++i) {
    text.add(i > 0 ? ", %s" : "%s", f->entry->params[i]);
    if (!f->defaults[i]) continue;
    PyObject* value = PyObject_Repr(f->defaults[i]);
    text.add("=");
    text.add_str(value);
    Py_XDECREF(value);
  }
  text.add(")");
  return PyUnicode_FromString(text.data);
}

// inspect.Parameter(name, POSITIONAL_OR_KEYWORD, default=…); VAR_POSITIONAL of `*args`, behind it
// KEYWORD_ONLY
PYK_COLD inline PyObject* make_parameter(PyObject* inspect, const Function* f, int i) {
  PyObject* type = PyObject_GetAttrString(inspect, "Parameter");
  const int rest = f->entry->rest;
  const int kind = rest < 0 || i < rest ? 1 : i == rest ? 2 : 3;
  PyObject* args = Py_BuildValue("(si)", f->entry->params[i] + (i == rest), kind);
  PyObject* options = PyDict_New();
  PyObject* parameter = nullptr;
  if (type && args && options &&
      (!f->defaults[i] || PyDict_SetItemString(options, "default", f->defaults[i]) == 0))
    parameter = PyObject_Call(type, args, options);
  Py_XDECREF(options);
  Py_XDECREF(args);
  Py_XDECREF(type);
  return parameter;
}

inline PyObject* get_signature(PyObject* self, void*) {
  const Function* f = function_of(self);
  PyObject* inspect = PyImport_ImportModule("inspect");
  PyObject* list = inspect ? PyList_New(0) : nullptr;
  for (int i = 0; list && i < f->entry->param_count; ++i) {
    PyObject* parameter = make_parameter(inspect, f, i);
    if (!parameter || PyList_Append(list, parameter) < 0) Py_CLEAR(list);
    Py_XDECREF(parameter);
  }
  PyObject* result = list ? PyObject_CallMethod(inspect, "Signature", "(O)", list) : nullptr;
  Py_XDECREF(list);
  Py_XDECREF(inspect);
  return result;
}

inline PyObject* function_repr(PyObject* self) {
  PyObject* module = PyObject_GetAttrString(self, "__module__");
  if (!module) return nullptr;
  const Entry& e = *function_of(self)->entry;
  PyObject* text = PyUnicode_FromFormat("<compiled %s %U.%s>", e.is_kernel ? "kernel" : "function",
                                        module, e.name);
  Py_DECREF(module);
  return text;
}

// A function in a class is a method, as Numba's are: types.MethodType(self, object).
inline PyObject* function_get(PyObject* self, PyObject* object, PyObject*) {
  if (!object || object == Py_None) return Py_NewRef(self);
  PyObject* types = PyImport_ImportModule("types");
  PyObject* bound = types ? PyObject_CallMethod(types, "MethodType", "OO", self, object) : nullptr;
  Py_XDECREF(types);
  return bound;
}

// Pickled, copied and compared by name.
inline PyObject* function_reduce(PyObject* self, PyObject*) { return get_name(self, nullptr); }

// The module that a function keeps and the function in the module's dictionary are a cycle.
inline int function_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(reinterpret_cast<PyObject*>(Py_TYPE(self)));
  Py_VISIT(function_of(self)->module);
  return 0;
}

inline void function_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Function* f = function_of(self);
  if (f->weakrefs) PyObject_ClearWeakRefs(self);
  PyTypeObject* type = Py_TYPE(self);
  for (int i = 0; i < f->entry->param_count; ++i) {
    if (f->names) Py_XDECREF(f->names[i]);
    if (f->defaults) Py_XDECREF(f->defaults[i]);
  }
  PyMem_Free(f->names);
  PyMem_Free(f->defaults);
  Py_DECREF(f->module);
  PyObject_GC_Del(self);
  Py_DECREF(reinterpret_cast<PyObject*>(type));
}

inline const PyMemberDef function_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Function, call), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Function, weakrefs), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};
inline const PyGetSetDef function_attributes[] = {
    {"__name__", get_name, nullptr, nullptr, nullptr},
    {"__qualname__", get_name, nullptr, nullptr, nullptr},
    {"__doc__", get_doc, nullptr, nullptr, nullptr},
    {"__signature__", get_signature, nullptr, nullptr, nullptr},
    {"__text_signature__", get_text_signature, nullptr, nullptr, nullptr},
    {"__wrapped__", get_wrapped, nullptr, nullptr, nullptr},
    {"py_func", get_py_func, nullptr, "the function of the Python source, which is imported",
     nullptr},
    {"address", get_address, nullptr, "of the function as C calls it", nullptr},
    {"ctypes", get_ctypes, nullptr, "the function as C calls it, for ctypes and SciPy", nullptr},
    {"signatures", get_signatures, nullptr, "the compiled signatures, in order", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
inline const PyMethodDef function_methods[] = {
    {"__reduce__", function_reduce, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};

// A new Function of `type` for `entry`; null with an exception.
inline PyObject* make_function(PyTypeObject* type, const Entry& entry, Vectorcall call,
                               State& state) {
  Function* f = PyObject_GC_New(Function, type);
  if (!f) return nullptr;
  const size_t count = static_cast<size_t>(entry.param_count) + 1;
  f->call = call;
  f->entry = &entry;
  f->state = &state;
  f->module = Py_NewRef(state.module);
  f->weakrefs = nullptr;
  f->names = static_cast<PyObject**>(PyMem_Calloc(count, sizeof(PyObject*)));
  f->defaults = static_cast<PyObject**>(PyMem_Calloc(count, sizeof(PyObject*)));
  PyObject_GC_Track(f);
  for (int i = 0; f->names && f->defaults && i < entry.param_count; ++i) {
    f->names[i] = PyUnicode_InternFromString(entry.params[i]);
    if (entry.defaults && entry.defaults[i].kind != Default::kRequired)
      f->defaults[i] = object_of(state.numpy, entry.defaults[i]);
  }
  if (f->names && f->defaults && !PyErr_Occurred()) return reinterpret_cast<PyObject*>(f);
  const bool reported = PyErr_Occurred();
  Py_DECREF(reinterpret_cast<PyObject*>(f));
  return reported ? nullptr : PyErr_NoMemory();
}

}  // namespace python
}  // namespace pyk
