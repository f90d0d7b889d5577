"""A ufunc that NumPy makes of a function of scalars: the oracle for everything but the loops.

    reference = make(numba.njit(f), name="f", types=["ll->l", "dd->d"], identity=0)

The inner loops are Python: they read each element where NumPy points, call the function, and store the result.
Exceptions cannot leave such a loop: the first one is kept in `reference_ufunc.raised`.
"""
import ctypes

import numpy as np

try:
    from numpy._core import _multiarray_umath as umath
except ModuleNotFoundError:  # NumPy 1
    from numpy.core import _multiarray_umath as umath

LOOP = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_ssize_t),
                        ctypes.POINTER(ctypes.c_ssize_t), ctypes.c_void_p)
FROM_FUNC = 42  # PyUFunc_FromFuncAndDataAndSignatureAndIdentity in NumPy's table
raised = []
_alive = []


def _table():
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return (ctypes.c_void_p * 43).from_address(pointer(umath._UFUNC_API, None))


def _loop(function, dtypes):
    inputs = dtypes[:-1]

    def run(data, sizes, steps, _):
        views = [np.ndarray((), t, (ctypes.c_char * t.itemsize).from_address(data[k])) if sizes[0] else None
                 for k, t in enumerate(dtypes)]
        for i in range(sizes[0]):
            try:
                views = [np.ndarray((), t, (ctypes.c_char * t.itemsize).from_address(data[k] + i * steps[k]))
                         for k, t in enumerate(dtypes)]
                values = [v[()] for v in views[:len(inputs)]]
                with np.errstate(all="ignore"):
                    views[-1][...] = np.asarray(function(*values)).astype(dtypes[-1])
            except Exception as e:
                raised.append(e)
                return

    return LOOP(run)


def make(function, name, types, identity):
    """`types` as ufunc.types has them; identity: 0, 1, None or 'reorderable'."""
    all_dtypes = [[np.dtype(c) for c in t.replace("->", "")] for t in types]
    loops = [_loop(function, dtypes) for dtypes in all_dtypes]
    functions = (ctypes.c_void_p * len(loops))(*[ctypes.cast(f, ctypes.c_void_p).value for f in loops])
    nothing = (ctypes.c_void_p * len(loops))()
    numbers = bytes(d.num for dtypes in all_dtypes for d in dtypes)
    numbers = ctypes.create_string_buffer(numbers, len(numbers))
    label = name.encode()
    _alive.append((loops, functions, nothing, numbers, label))
    create = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int,
                               ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p,
                               ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(_table()[FROM_FUNC])
    code = {0: 0, 1: 1, None: -1, "reorderable": -2}[identity]
    return create(ctypes.cast(functions, ctypes.c_void_p), ctypes.cast(nothing, ctypes.c_void_p),
                  ctypes.cast(numbers, ctypes.c_void_p), len(loops), len(all_dtypes[0]) - 1, 1, code, label, None, 0,
                  None, None)
