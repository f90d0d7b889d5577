// The tables of a module: its entry points and their overloads, and the objects Python sees.
//
// In:   the generated tables.  Out: types shared by binding, calling and the module.
// Tested by tests/run/test_module.py and tests/run/test_objects.py.
#pragma once

#include "pyk/python/convert.h"
#include "pyk/python/state.h"

namespace pyk {
struct launch;
}

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

struct Overload {
  // False when the arguments are not exactly of this overload's types; else the result (null: an
  // exception is set) is in *result. `given`: as the caller gave them, of which `args` may be
  // copies. `launch` is null but for kernels.
  bool (*call)(Args args, Args given, const pyk::launch* launch, const State& state,
               PyObject** result);
  const Param* const* params;
  const char* signature;
  bool is_parallel;
  Vectorcall vectorcall = nullptr;  // the call of a function that is not a kernel, this one first
  void* (*address)() = nullptr;     // of the function as C calls it, where it takes numbers only
  const Param* result = nullptr;    // of that function; null where it returns nothing
  Glance first = kUnclear;          // of its first parameter
};

// The value of a parameter that has a default.
struct Default {
  enum Kind : uint8_t {
    kRequired,
    kNone,
    kBool,
    kInt,
    kUInt,
    kFloat,
    kComplex,
    kStr,
    kTuple,
    kArray
  } kind = kRequired;
  int64_t integer = 0;  // kTuple: how many items; kArray: axes
  double real = 0, imag = 0;
  const char* text = nullptr;
  const Param* scalar = nullptr;   // of a NumPy scalar: its type
  const Default* items = nullptr;  // kTuple
  const void* data = nullptr;      // kArray: its elements, C order
  const npy_intp* shape = nullptr;
  int num = 0;  // NumPy's type number of an element

  template <class T, int kSize, int kRank>
  static constexpr Default array(const T (&items)[kSize], const npy_intp (&shape)[kRank]) {
    Default made{kArray, kRank};
    made.data = items;
    made.shape = shape;
    made.num = Number<T>::num;
    return made;
  }
};

struct Entry {
  const char* name;
  const char* source;  // the file, relative to its source root; may be empty
  const char* doc;     // may be null
  const char* const* params;
  const Default* defaults;  // as many as params, or null: none has one
  int param_count;
  const Overload* overloads;
  int overload_count;
  bool is_kernel = false;
  int rest = -1;  // place of the parameter `*args`
};

// What `module.f` is. `names` holds interned strings, `defaults` values or null per parameter.
struct Function {
  PyObject_HEAD Vectorcall call;
  const Entry* entry;
  State* state;
  PyObject* module;     // which holds the state
  PyObject* weakrefs;   // null, or a list
  PyObject** names;     // param_count
  PyObject** defaults;  // param_count
};

inline Function* function_of(PyObject* o) { return reinterpret_cast<Function*>(o); }

inline PyObject* object_of(const NumPy& numpy, const Default& value);

PYK_COLD inline PyObject* python_object_of(const NumPy& numpy, const Default& value) {
  switch (value.kind) {
    case Default::kBool:
      return PyBool_FromLong(value.integer != 0);
    case Default::kInt:
      return PyLong_FromLongLong(value.integer);
    case Default::kUInt:
      return PyLong_FromUnsignedLongLong(static_cast<uint64_t>(value.integer));
    case Default::kFloat:
      return PyFloat_FromDouble(value.real);
    case Default::kComplex:
      return PyComplex_FromDoubles(value.real, value.imag);
    case Default::kStr:
      return PyUnicode_FromString(value.text);
    case Default::kTuple: {
      PyObject* tuple = PyTuple_New(value.integer);
      for (Py_ssize_t k = 0; tuple && k < value.integer; ++k) {
        PyObject* item = object_of(numpy, value.items[k]);
        if (!item || PyTuple_SetItem(tuple, k, item) < 0) Py_CLEAR(tuple);
      }
      return tuple;
    }
    case Default::kArray:  // one for all calls: nobody may write it
      return numpy.make_array(numpy.dtypes[value.num], static_cast<int>(value.integer), value.shape,
                              nullptr, const_cast<void*>(value.data), false);
    default:
      return none();
  }
}

inline PyObject* object_of(const NumPy& numpy, const Default& value) {
  PyObject* object = python_object_of(numpy, value);
  if (!object || !value.scalar) return object;
  PyObject* scalar = exact(numpy, object, *value.scalar);
  Py_DECREF(object);
  return scalar;
}

}  // namespace python
}  // namespace pyk
