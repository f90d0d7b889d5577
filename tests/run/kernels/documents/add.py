from numba import njit, prange

@njit
def f1(a,b,c,N):
       for i in range(N):
           c[i] = a[i] + b[i]

@njit(parallel=True)
def add(a,b,c,N):
      for i in prange(N):
          c[i] = a[i] + b[i]
