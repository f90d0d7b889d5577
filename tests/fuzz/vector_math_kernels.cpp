// Every function of pyk/lanes in a plain loop, built once for each instruction set.
//
// In:   -DSET=plain|v3|v4 and the -march that it names.
// Out:  kernels_plain() and so on: the table that vector_math.cpp measures.
#include "pyk/lanes.h"
#include "vector_math.h"

namespace {

template <class T, T (*function)(T)>
void loop1(const T* x, const T*, T* y, int n) {
#pragma omp simd
  for (int i = 0; i < n; ++i) y[i] = function(x[i]);
}

template <class T, T (*function)(T, T)>
void loop2(const T* a, const T* b, T* y, int n) {
#pragma omp simd
  for (int i = 0; i < n; ++i) y[i] = function(a[i], b[i]);
}

}  // namespace

#define PYK_ONE(name)                                            \
  static float name##_f(float x) { return pyk::lanes::name(x); } \
  static double name##_d(double x) { return pyk::lanes::name(x); }
#define PYK_TWO(name)                                                        \
  static float name##_f(float a, float b) { return pyk::lanes::name(a, b); } \
  static double name##_d(double a, double b) { return pyk::lanes::name(a, b); }
#include "pyk/lanes/functions.h"

#define PASTE(a, b) a##b
#define NAME(set) PASTE(kernels_, set)
const Kernel* NAME(SET)() {
  static const Kernel table[] = {
#define PYK_ONE(name) {#name, loop1<float, name##_f>, loop1<double, name##_d>},
#define PYK_TWO(name) {#name, loop2<float, name##_f>, loop2<double, name##_d>},
#include "pyk/lanes/functions.h"
      {nullptr, nullptr, nullptr}};
  return table;
}
