// What vector_math.cpp and vector_math_kernels.cpp share: a loop per function and precision.
#pragma once

struct Kernel {
  const char* name;
  void (*of_float)(const float*, const float*, float*, int);
  void (*of_double)(const double*, const double*, double*, int);
};

const Kernel* kernels_plain();
const Kernel* kernels_v3();
const Kernel* kernels_v4();
