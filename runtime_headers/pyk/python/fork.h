// After a fork, the child of a process that has used OpenMP runs on one thread: libgomp would hang.
//
// Tested by tests/run/test_module.py.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#endif

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

#ifdef _OPENMP
inline bool openmp_used, in_forked_child;

inline void after_fork_in_child() { in_forked_child = in_forked_child || openmp_used; }
inline void watch_forks() { pthread_atfork(nullptr, nullptr, after_fork_in_child); }
// Before each call of a function with OpenMP inside.
inline void prepare_openmp() {
  openmp_used = true;
  if (in_forked_child) omp_set_num_threads(1);
}
#else
inline void watch_forks() {}
inline void prepare_openmp() {}
#endif

}  // namespace python
}  // namespace pyk
