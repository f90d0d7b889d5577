// Kernels: k[grid, block, stream, shared](...), k.configure(...), k.forall(n)(...) on the CPU twin.
//
// In:   a launch configuration with Numba's rules and messages.  Out: a small launcher object whose
//       vectorcall runs the twin over the whole grid.
// Tested by tests/run/test_module.py.
#pragma once

#include "pyk/cuda.h"
#include "pyk/python/function.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

struct Launcher {
  PyObject_HEAD Vectorcall call;
  pyk::launch launch;
  bool skip;         // forall(0): nothing to do
  PyObject* kernel;  // the Function
  PyObject* stream;  // kept alive; null when none was given
};
inline Launcher* launcher_of(PyObject* o) { return reinterpret_cast<Launcher*>(o); }

inline PyObject* call_launcher(PyObject* self, Args args, size_t n, PyObject* keywords) {
  const Launcher* l = launcher_of(self);
  if (l->skip) return none();
  return dispatch(function_of(l->kernel), &l->launch, args, n, keywords);
}
inline PyObject* launcher_call(PyObject* self, PyObject* args, PyObject* keywords) {
  return call_with(call_launcher, self, args, keywords);
}

constexpr const char* kNotConfigured =
    "\nKernel launch configuration was not specified. Use the syntax:\n\n"
    "kernel_function[blockspergrid, threadsperblock](arg0, arg1, ..., argn)\n\n"
    "See https://numba.readthedocs.io/en/stable/cuda/kernels.html#kernel-invocation for help.\n\n";

inline PyObject* call_unconfigured(PyObject*, Args, size_t, PyObject*) {
  return fail(PyExc_ValueError, kNotConfigured);
}

PYK_COLD inline bool report_dims(PyObject* type, const char* rule, const char* name,
                                 PyObject* dims) {
  PyObject* list = PyTuple_Check(dims) || PyList_Check(dims) ? PySequence_List(dims) : nullptr;
  PyErr_Format(type, "%s must be a sequence of %s, got %s%R%s", name, rule, list ? "" : "[",
               list ? list : dims, list ? "" : "]");
  Py_XDECREF(list);
  return false;
}

// A new reference to the integer that `item` is; null without an exception.
inline PyObject* integer_object(const NumPy& numpy, PyObject* item) {
  if (PyLong_CheckExact(item)) return Py_NewRef(item);
  PyObject* number = PyIndex_Check(item) && !numpy.is_array(item) ? PyNumber_Index(item) : nullptr;
  if (!number) PyErr_Clear();
  return number;
}

// One to three extents: an integer, or a tuple or list of integers.
inline bool read_dims(const NumPy& numpy, PyObject* dims, const char* name, uint32_t* extents) {
  const bool many = PyTuple_Check(dims) || PyList_Check(dims);
  const Py_ssize_t n = many ? PySequence_Size(dims) : 1;
  if (n > 3) return report_dims(PyExc_ValueError, "1, 2 or 3 integers", name, dims);
  extents[0] = extents[1] = extents[2] = 1;
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* item = many ? PySequence_GetItem(dims, i) : Py_NewRef(dims);
    PyObject* number = item ? integer_object(numpy, item) : nullptr;
    Py_XDECREF(item);
    if (!number) {
      PyErr_Clear();
      return report_dims(PyExc_TypeError, "integers", name, dims);
    }
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    if (overflow || value < 1 || value > 0x7fffffff)
      return report_dims(PyExc_ValueError, "positive 32-bit integers", name, dims);
    extents[i] = static_cast<uint32_t>(value);
  }
  return true;
}

PYK_COLD inline bool report_block(const uint32_t* block) {
  PyErr_Format(PyExc_ValueError, "blockdim (%u, %u, %u) has more than 1024 threads", block[0],
               block[1], block[2]);
  return false;
}

// The launcher for a configuration; grid or block None counts as absent.
inline PyObject* configure(PyObject* kernel, PyObject* grid, PyObject* block, PyObject* stream,
                           PyObject* shared) {
  if (grid == Py_None || block == Py_None) return fail(PyExc_ValueError, kNotConfigured);
  const State& state = *function_of(kernel)->state;
  pyk::launch launch{};
  if (!read_dims(state.numpy, grid, "griddim", launch.grid) ||
      !read_dims(state.numpy, block, "blockdim", launch.block))
    return nullptr;
  if (uint64_t{launch.block[0]} * launch.block[1] * launch.block[2] > 1024 &&
      !report_block(launch.block))
    return nullptr;
  if (shared) {
    const long long bytes = PyLong_AsLongLong(shared);
    if (bytes == -1 && PyErr_Occurred()) return nullptr;
    if (bytes < 0) return fail(PyExc_ValueError, "shared memory must not be negative");
  }
  if (!state.launcher) return fail(PyExc_RuntimeError, "the kernel's module is being deleted");
  Launcher* l = PyObject_GC_New(Launcher, state.launcher);
  if (!l) return nullptr;
  l->call = call_launcher;
  l->launch = launch;
  l->skip = false;
  l->kernel = Py_NewRef(kernel);
  l->stream = stream ? Py_NewRef(stream) : nullptr;
  PyObject_GC_Track(l);
  return reinterpret_cast<PyObject*>(l);
}

inline PyObject* kernel_subscript(PyObject* self, PyObject* key) {
  const Py_ssize_t n = PyTuple_Check(key) ? PyTuple_Size(key) : 0;
  if (n < 2 || n > 4)
    return fail(PyExc_ValueError, "must specify at least the griddim and blockdim");
  return configure(self, PyTuple_GetItem(key, 0), PyTuple_GetItem(key, 1),
                   n > 2 ? PyTuple_GetItem(key, 2) : nullptr,
                   n > 3 ? PyTuple_GetItem(key, 3) : nullptr);
}

inline PyObject* kernel_configure(PyObject* self, PyObject* args, PyObject* keywords) {
  static const char* const names[] = {"griddim", "blockdim", "stream", "sharedmem", nullptr};
  PyObject *grid, *block, *stream = nullptr, *shared = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|OO", const_cast<char**>(names), &grid,
                                   &block, &stream, &shared))
    return nullptr;
  return configure(self, grid, block, stream, shared);
}

constexpr int kThreadsPerBlock = 256;  // of forall, where the caller leaves the choice to us

inline PyObject* kernel_forall(PyObject* self, PyObject* args, PyObject* keywords) {
  static const char* const names[] = {"ntasks", "tpb", "stream", "sharedmem", nullptr};
  long long tasks = 0;
  int threads = 0;
  PyObject *stream = nullptr, *shared = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "L|iOO", const_cast<char**>(names), &tasks,
                                   &threads, &stream, &shared))
    return nullptr;
  if (tasks < 0)
    return PyErr_Format(PyExc_ValueError, "Can't create ForAll with negative task count: %lld",
                        tasks);
  if (threads <= 0) threads = kThreadsPerBlock;
  const long long blocks = tasks > 0 ? (tasks + threads - 1) / threads : 1;
  PyObject* grid = PyLong_FromLongLong(blocks);
  PyObject* block = PyLong_FromLong(threads);
  PyObject* launcher = grid && block ? configure(self, grid, block, stream, shared) : nullptr;
  Py_XDECREF(grid);
  Py_XDECREF(block);
  if (launcher) launcher_of(launcher)->skip = tasks == 0;
  return launcher;
}

inline PyObject* dims_object(const uint32_t* d) { return Py_BuildValue("(III)", d[0], d[1], d[2]); }
inline PyObject* get_grid(PyObject* self, void*) {
  return dims_object(launcher_of(self)->launch.grid);
}
inline PyObject* get_block(PyObject* self, void*) {
  return dims_object(launcher_of(self)->launch.block);
}
inline const PyGetSetDef launcher_attributes[] = {
    {"griddim", get_grid, nullptr, nullptr, nullptr},
    {"blockdim", get_block, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

inline int launcher_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(reinterpret_cast<PyObject*>(Py_TYPE(self)));
  Py_VISIT(launcher_of(self)->kernel);
  Py_VISIT(launcher_of(self)->stream);
  return 0;
}

inline void launcher_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  PyTypeObject* type = Py_TYPE(self);
  Py_DECREF(launcher_of(self)->kernel);
  Py_XDECREF(launcher_of(self)->stream);
  PyObject_GC_Del(self);
  Py_DECREF(reinterpret_cast<PyObject*>(type));
}

inline const PyMemberDef launcher_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Launcher, call), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};
inline const PyMethodDef kernel_methods[] = {
    {"__reduce__", function_reduce, METH_NOARGS, nullptr},
    {"configure", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(kernel_configure)),
     METH_VARARGS | METH_KEYWORDS, "configure(griddim, blockdim, stream=0, sharedmem=0)"},
    {"forall", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(kernel_forall)),
     METH_VARARGS | METH_KEYWORDS, "forall(ntasks, tpb=0, stream=0, sharedmem=0)"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace python
}  // namespace pyk
