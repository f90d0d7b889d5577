// OpenMP around calls: how many threads a parallel loop gets, and none after a fork.
//
// In:   the environment, at import.  Out: OpenMP<true>, which lives as long as a parallel call.
// Rule: after a fork, the child of a process that has used OpenMP runs on one thread: libgomp would
//       hang.
// Tested by tests/run/test_module.py and tests/run/test_toolchain.py.
#pragma once

#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#endif

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

#ifdef _OPENMP
inline bool openmp_used, in_forked_child;
inline int thread_count, default_count;  // NUMBA_NUM_THREADS, or 0; what OpenMP had at import

inline void after_fork_in_child() { in_forked_child = in_forked_child || openmp_used; }
inline void watch_forks() { pthread_atfork(nullptr, nullptr, after_fork_in_child); }

// NUMBA_NUM_THREADS, unless OMP_NUM_THREADS says something. What is no count is ignored.
inline void read_thread_count() {
  constexpr long kMost = 4096;
  const char* openmp = getenv("OMP_NUM_THREADS");
  const char* numba = getenv("NUMBA_NUM_THREADS");
  thread_count = 0;
  default_count = omp_get_max_threads();
  if ((openmp && *openmp) || !numba || *numba < '0' || *numba > '9') return;
  char* end = nullptr;
  const long count = strtol(numba, &end, 10);
  if (*end == 0 && count >= 1 && count <= kMost) thread_count = static_cast<int>(count);
}

// Held during each call of a function with OpenMP inside. omp_set_num_threads() speaks for the
// calling thread, and for every library of the process that it enters: so the number is set for the
// call only and put back behind it, and where somebody has changed it since import (threadpoolctl),
// theirs stays.
template <bool kParallel>
class OpenMP {};
template <>
class OpenMP<true> {
 public:
  OpenMP() {
    openmp_used = true;
    if (in_forked_child) {
      omp_set_num_threads(1);
    } else if (thread_count > 0 && omp_get_max_threads() == default_count) {
      before_ = default_count;
      omp_set_num_threads(thread_count);
    }
  }
  ~OpenMP() {
    if (before_ > 0) omp_set_num_threads(before_);
  }
  OpenMP(const OpenMP&) = delete;

 private:
  int before_ = 0;
};
#else
inline void watch_forks() {}
inline void read_thread_count() {}
template <bool kParallel>
class OpenMP {};
#endif

}  // namespace python
}  // namespace pyk
