// What parallel loops need: portions of iterations; the first error, that of the lowest iteration.
//
//   pyk::first_error error;
//   #pragma omp parallel for
//   for (int64_t i = 0; i < n; ++i)
//     error.keep(i, [&] { …body, returns a status… }());
//   if (const auto status = error.get()) return status;
//
// Iterations after one that raised may be skipped, those before it run. Tested by tests/run.
#pragma once

#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "pyk/complex.h"
#include "pyk/status.h"

namespace pyk {

inline int64_t threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

// numba.get_num_threads(): of the parallel loops that this thread begins, or is in.
inline int64_t get_num_threads() { return threads(); }

// What Python has to say about the threads of a call (python/openmp.h), of the thread that makes
// it.
struct thread_rules {
  int most = 0;            // of set_num_threads(); 0: most_threads() finds out
  bool is_forked = false;  // this process has no threads but the one
};
inline thread_local thread_rules call_threads;
// What set_num_threads() was given last by this thread; 0: nothing yet.
inline thread_local int chosen_threads = 0;

// NUMBA_NUM_THREADS, unless OMP_NUM_THREADS says something; 0: neither, or no count.
inline int wanted_threads() {
  constexpr long kMost = 4096;
  const char* openmp = getenv("OMP_NUM_THREADS");
  const char* numba = getenv("NUMBA_NUM_THREADS");
  if ((openmp && *openmp) || !numba || *numba < '0' || *numba > '9') return 0;
  char* end = nullptr;
  const long count = strtol(numba, &end, 10);
  return *end == 0 && count >= 1 && count <= kMost ? static_cast<int>(count) : 0;
}
// numba.config.NUMBA_NUM_THREADS: as many as set_num_threads() takes.
inline int64_t most_threads() {
  if (call_threads.most > 0) return call_threads.most;
  if (const int wanted = wanted_threads()) return wanted;
#ifdef _OPENMP
  const int64_t cores = omp_get_num_procs(), now = threads();
  return cores < now ? now : cores;
#else
  return 1;
#endif
}
// 1 to most_threads(), for this thread and until it says another number.
inline void set_num_threads(int64_t count) {
  chosen_threads = int(count);
#ifdef _OPENMP
  omp_set_num_threads(call_threads.is_forked ? 1 : int(count));
#endif
}
// Of this thread, in the parallel loop that it is in: 0 to get_num_threads() - 1.
inline int64_t get_thread_id() {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

// How many neighbouring iterations of unequal cost a thread takes at a time: one of few, so that
// all threads have some; of many so many that taking them costs nothing beside them.
inline int64_t portion(int64_t count) {
  if (count < 8192) return count < 64 ? 1 : count < 1024 ? count / 64 : 16;
  const int64_t some = count / (32 * threads());
  return some < 16 ? 16 : some;
}
// Likewise of iterations that loop themselves.
inline int64_t small_portion(int64_t count) { return count < 512 ? 1 : count / 256; }

// How many rows of a tile are taken at a time, 1 or more: few of them stay in a cache while lanes
// move on; many of them, where each element is a long sum, share what lanes load. Cores get about
// equal portions, of whole groups of four.
inline int64_t tile_rows(int64_t rows, int64_t additions, bool parallel) {
  const int64_t most = additions < 32 ? 32 : parallel ? 64 : rows;
  if (!parallel || rows < 1) return most < 1 ? 1 : most;
  const int64_t rounds = (rows - 1) / most / threads() + 1;
  const int64_t even = (rows - 1) / (rounds * threads()) + 1;
  return (even - 1) / 4 * 4 + 4;
}

// z += x, where other threads do the same: of both parts by themselves.
template <class T, class X>
void atomic_add(complex<T>& z, const X& x) {
  const complex<T> by(x);
#ifdef _OPENMP
#pragma omp atomic
#endif
  z.re += by.re;
#ifdef _OPENMP
#pragma omp atomic
#endif
  z.im += by.im;
}
template <class T, class X>
void atomic_sub(complex<T>& z, const X& x) {
  atomic_add(z, -complex<T>(x));
}

class first_error {
 public:
  // Has an earlier iteration raised? Then this one need not run.
  bool is_before(int64_t iteration) const {
    return __atomic_load_n(&iteration_, __ATOMIC_RELAXED) < iteration;
  }
  void keep(int64_t iteration, status s) {
    if (s) store(iteration, s);
  }
  // After the loop: the status, its arguments moved to this thread.
  status get() const {
    if (status_) raised_args = args_;
    return status_;
  }

 private:
  // Out of the way: what it does with registers is no concern of the loop.
  __attribute__((noinline, cold)) void store(int64_t iteration, status s) {
    while (__atomic_exchange_n(&locked_, true, __ATOMIC_ACQUIRE)) {
    }
    if (!status_ || iteration < iteration_) {
      status_ = s;
      args_ = raised_args;
      __atomic_store_n(&iteration_, iteration, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&locked_, false, __ATOMIC_RELEASE);
  }

  int64_t iteration_ = INT64_MAX;
  status status_ = ok;
  raised_values args_{};
  bool locked_ = false;
};

}  // namespace pyk
