// OpenMP around calls: how many threads a parallel loop gets, and none after a fork.
//
// In:   the environment, at import.  Out: Threads, part of a module's state; OpenMP<true>, which
//       lives as long as a parallel call.
// Rule: after a fork, the child of a process that has used OpenMP runs on one thread: libgomp would
//       hang. All generated modules of an interpreter share what they know about that.
// Tested by tests/run/test_module_state.py and tests/run/test_toolchain.py.
#pragma once

#include <stdlib.h>

#include "pyk/python/python.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

// What became of OpenMP in this interpreter. It lies in a capsule in the interpreter's own
// dictionary, under a name that changes when this struct does.
struct Forks {
  bool used;    // by a generated module
  bool forked;  // since then: this is the child
};
constexpr const char* kForks = "pyk.forks.1";

// Of one module; all null when nothing in it is parallel.
struct Threads {
  Forks* forks;
  PyObject* owner;  // the capsule
  int count;        // NUMBA_NUM_THREADS, or 0
  int before;       // what OpenMP had at import
};

#ifdef _OPENMP
inline PyObject* after_fork_in_child(PyObject* capsule, PyObject*) {
  Forks* forks = static_cast<Forks*>(PyCapsule_GetPointer(capsule, kForks));
  if (forks) forks->forked = forks->forked || forks->used;
  return forks ? none() : nullptr;
}
inline void free_forks(PyObject* capsule) { PyMem_Free(PyCapsule_GetPointer(capsule, kForks)); }

// os.register_at_fork(after_in_child=…)
PYK_COLD inline bool watch_forks(PyObject* capsule) {
  static const PyMethodDef method = {"after_fork_in_child", after_fork_in_child, METH_NOARGS,
                                     nullptr};
  PyObject* os = PyImport_ImportModule("os");
  PyObject* watch = os ? PyObject_GetAttrString(os, "register_at_fork") : nullptr;
  PyObject* call = PyCFunction_NewEx(const_cast<PyMethodDef*>(&method), capsule, nullptr);
  PyObject* options = call ? Py_BuildValue("{sO}", "after_in_child", call) : nullptr;
  PyObject* none_given = PyTuple_New(0);
  PyObject* done =
      watch && options && none_given ? PyObject_Call(watch, none_given, options) : nullptr;
  Py_XDECREF(none_given);
  Py_XDECREF(options);
  Py_XDECREF(call);
  Py_XDECREF(watch);
  Py_XDECREF(os);
  Py_XDECREF(done);
  return done != nullptr;
}

// The capsule that the modules of this interpreter share, made by the first; null with an
// exception.
PYK_COLD inline PyObject* find_forks() {
  PyObject* shared = PyInterpreterState_GetDict(PyInterpreterState_Get());  // borrowed
  if (!shared) return PyErr_NoMemory();
  PyObject* known = PyDict_GetItemString(shared, kForks);  // borrowed
  if (known) return Py_NewRef(known);
  void* forks = PyMem_Calloc(1, sizeof(Forks));
  PyObject* capsule = forks ? PyCapsule_New(forks, kForks, free_forks) : PyErr_NoMemory();
  if (!capsule) {
    PyMem_Free(forks);
  } else if (!watch_forks(capsule) || PyDict_SetItemString(shared, kForks, capsule) < 0) {
    Py_CLEAR(capsule);
  }
  return capsule;
}

// NUMBA_NUM_THREADS, unless OMP_NUM_THREADS says something. What is no count is ignored.
inline int wanted_threads() {
  constexpr long kMost = 4096;
  const char* openmp = getenv("OMP_NUM_THREADS");
  const char* numba = getenv("NUMBA_NUM_THREADS");
  if ((openmp && *openmp) || !numba || *numba < '0' || *numba > '9') return 0;
  char* end = nullptr;
  const long count = strtol(numba, &end, 10);
  return *end == 0 && count >= 1 && count <= kMost ? static_cast<int>(count) : 0;
}

// False with an exception.
PYK_COLD inline bool start_threads(Threads& threads) {
  threads.owner = find_forks();
  if (!threads.owner) return false;
  threads.forks = static_cast<Forks*>(PyCapsule_GetPointer(threads.owner, kForks));
  threads.count = wanted_threads();
  threads.before = omp_get_max_threads();
  return threads.forks != nullptr;
}

// Held during each call of a function with OpenMP inside. omp_set_num_threads() speaks for the
// calling thread, and for every library of the process that it enters: so the number is set for the
// call only and put back behind it, and where somebody has changed it since import (threadpoolctl,
// the function itself), theirs stays.
template <bool kParallel>
class OpenMP {
 public:
  explicit OpenMP(const Threads&) {}
};
template <>
class OpenMP<true> {
 public:
  explicit OpenMP(const Threads& threads) {
    __atomic_store_n(&threads.forks->used, true, __ATOMIC_RELAXED);
    if (threads.forks->forked) {
      omp_set_num_threads(1);
    } else if (threads.count > 0 && omp_get_max_threads() == threads.before) {
      before_ = threads.before;
      count_ = threads.count;
      omp_set_num_threads(threads.count);
    }
  }
  ~OpenMP() {
    if (before_ > 0 && omp_get_max_threads() == count_) omp_set_num_threads(before_);
  }
  OpenMP(const OpenMP&) = delete;

 private:
  int before_ = 0, count_ = 0;
};
#else
inline bool start_threads(Threads&) { return true; }
template <bool kParallel>
class OpenMP {
 public:
  explicit OpenMP(const Threads&) {}
};
#endif

}  // namespace python
}  // namespace pyk
