// OpenMP around calls: how many threads a parallel loop gets, and none after a fork.
//
// In:   the environment, at import.  Out: Threads, part of a module's state; OpenMP<true>, which
//       lives as long as a parallel call.
// Rule: after a fork, the child of a process that has used OpenMP runs on one thread: libgomp would
//       hang. All generated modules of an interpreter share what they know about that, and what a
//       thread has chosen with numba.set_num_threads().
// Tested by tests/run/test_module_state.py, tests/run/test_threads.py, tests/run/test_toolchain.py.
#pragma once

#include <algorithm>

#include "pyk/parallel.h"
#include "pyk/python/python.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

// What became of OpenMP in this interpreter. It lies in a capsule in the interpreter's own
// dictionary, under a name that changes when this struct does.
struct Forks {
  bool used;         // by a generated module
  bool forked;       // since then: this is the child
  Py_tss_t* chosen;  // how many threads a thread has asked for, as a pointer; null: it has not
};
constexpr const char* kForks = "pyk.forks.2";

// Of one module; all null when nothing in it is parallel.
struct Threads {
  Forks* forks;
  PyObject* owner;  // the capsule
  int count;        // NUMBA_NUM_THREADS, or 0
  int before;       // what OpenMP had at import
  int most;         // as many as a function may choose
};

#ifdef _OPENMP
inline PyObject* after_fork_in_child(PyObject* capsule, PyObject*) {
  Forks* forks = static_cast<Forks*>(PyCapsule_GetPointer(capsule, kForks));
  if (forks) forks->forked = forks->forked || forks->used;
  return forks ? none() : nullptr;
}
inline void free_forks(Forks* forks) {
  if (forks) PyThread_tss_free(forks->chosen);
  PyMem_Free(forks);
}
inline void free_forks(PyObject* capsule) {
  free_forks(static_cast<Forks*>(PyCapsule_GetPointer(capsule, kForks)));
}
inline Forks* make_forks() {
  auto* const forks = static_cast<Forks*>(PyMem_Calloc(1, sizeof(Forks)));
  if (!forks) return nullptr;
  forks->chosen = PyThread_tss_alloc();
  if (forks->chosen && PyThread_tss_create(forks->chosen) == 0) return forks;
  free_forks(forks);
  return nullptr;
}

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
  Forks* forks = make_forks();
  PyCapsule_Destructor destroy = free_forks;
  PyObject* capsule = forks ? PyCapsule_New(forks, kForks, destroy) : PyErr_NoMemory();
  if (!capsule) {
    free_forks(forks);
  } else if (!watch_forks(capsule) || PyDict_SetItemString(shared, kForks, capsule) < 0) {
    Py_CLEAR(capsule);
  }
  return capsule;
}

// False with an exception.
PYK_COLD inline bool start_threads(Threads& threads) {
  threads.owner = find_forks();
  if (!threads.owner) return false;
  threads.forks = static_cast<Forks*>(PyCapsule_GetPointer(threads.owner, kForks));
  threads.count = wanted_threads();
  threads.before = omp_get_max_threads();
  threads.most = threads.count > 0 ? threads.count : std::max(omp_get_num_procs(), threads.before);
  return threads.forks != nullptr;
}

// Held during each call of a function with OpenMP inside. omp_set_num_threads() speaks for the
// calling thread, and for every library of the process that it enters: so the number is set for the
// call only and put back behind it. It is the one that this thread has chosen (set_num_threads);
// else NUMBA_NUM_THREADS, unless somebody has changed OpenMP's since import (threadpoolctl), whose
// number stays.
template <bool kParallel>
class OpenMP {
 public:
  explicit OpenMP(const Threads&) {}
};
template <>
class OpenMP<true> {
 public:
  explicit OpenMP(const Threads& threads) : forks_(*threads.forks), before_(omp_get_max_threads()) {
    __atomic_store_n(&forks_.used, true, __ATOMIC_RELAXED);
    was_chosen_ = chosen_threads =
        static_cast<int>(reinterpret_cast<intptr_t>(PyThread_tss_get(forks_.chosen)));
    call_threads = {threads.most, forks_.forked};
    if (forks_.forked)
      omp_set_num_threads(1);
    else if (chosen_threads > 0)
      omp_set_num_threads(chosen_threads);
    else if (threads.count > 0 && before_ == threads.before)
      omp_set_num_threads(threads.count);
  }
  ~OpenMP() {
    if (chosen_threads != was_chosen_)
      PyThread_tss_set(forks_.chosen, reinterpret_cast<void*>(intptr_t{chosen_threads}));
    if (!forks_.forked) omp_set_num_threads(before_);
  }
  OpenMP(const OpenMP&) = delete;

 private:
  Forks& forks_;
  int before_, was_chosen_ = 0;
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
