"""Numba's decorators; without Numba, what leaves a function as it is. Compiled kernels need neither."""
try:
    from numba import njit, prange
except ModuleNotFoundError:
    prange = range

    def njit(*args, **options):
        return args[0] if args and callable(args[0]) else lambda function: function
