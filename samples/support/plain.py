"""Runs a kernel file under plain CPython: decorators do nothing, `prange` is `range`, a kernel is a loop, a universal
function too (`f.pyfunc` is the function of one element). The function of a stencil takes one path, whatever its array holds.

`load(path)` imports the file with stand-ins for numba in place, so that no Numba is needed. A kernel object is
launched as `k[grid, block](…)` and runs its threads one after the other.
"""
import importlib.util
import itertools
import re
import sys
import types


class _Type:
    """Any type name: can be called, subscripted and read attributes of."""

    def __call__(self, *args, **kwargs):
        return self

    def __getitem__(self, key):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self


def _decorator(*args, **kwargs):
    if len(args) == 1 and isinstance(args[0], types.FunctionType) and not kwargs:
        return args[0]
    return lambda function: function


def _vectorize(*args, **kwargs):
    def element(function):
        import numpy
        return numpy.vectorize(function)
    return element(args[0]) if len(args) == 1 and isinstance(args[0], types.FunctionType) else element


def _guvectorize(*args, **kwargs):
    layout = args[-1].replace(" ", "")

    def make(function):
        import numpy

        def call(*inputs):
            groups = re.findall(r"\(([^)]*)\)", layout)
            cores = [[d for d in group.split(",") if d] for group in groups]
            inputs = [numpy.asarray(a) for a in inputs]
            sizes = {d: a.shape[a.ndim - len(core) + k] for a, core in zip(inputs, cores) for k, d in enumerate(core)}
            outer = numpy.broadcast_shapes(*(a.shape[:a.ndim - len(core)] for a, core in zip(inputs, cores)))
            inputs = [numpy.broadcast_to(a, outer + a.shape[a.ndim - len(core):]) for a, core in zip(inputs, cores)]
            outs = [numpy.zeros(outer + tuple(sizes[d] for d in core)) for core in cores[len(inputs):]]
            for at in numpy.ndindex(*outer):
                function(*(a[at] if core else a[at + (None,)] for a, core in zip(inputs + outs, cores)))
            return outs[0] if len(outs) == 1 else tuple(outs)

        call.pyfunc = function
        return call
    return make


class _FromPoint:
    """An array whose subscripts count from a point."""

    def __init__(self, array, point):
        self.array, self.point = array, point

    def __getitem__(self, index):
        items = index if isinstance(index, tuple) else (index,)
        return self.array[tuple(slice(i.start + at, i.stop + at) if isinstance(i, slice) else i + at
                                for i, at in zip(items, self.point, strict=True))]


class _Reach:
    """Keeps the indices of subscripts."""

    def __init__(self):
        self.seen = []

    def __getitem__(self, index):
        self.seen.append(index if isinstance(index, tuple) else (index,))
        return 1.0


def _stencil(*args, neighborhood=None, cval=None, standard_indexing=()):
    def make(function):
        names = function.__code__.co_varnames[:function.__code__.co_argcount]

        def call(*inputs, out=None):
            import numpy
            first, counted = inputs[0], [
                isinstance(a, numpy.ndarray) and name not in standard_indexing for name, a in zip(names, inputs)]
            ends = neighborhood
            if ends is None:
                reach = _Reach()
                function(*(reach if is_counted else a for a, is_counted in zip(inputs, counted)))
                ends = [(min(axis), max(axis)) for axis in zip(*reach.seen)]
            for a, is_counted in zip(inputs, counted):
                if is_counted and any(n < m for n, m in zip(a.shape, first.shape)):
                    raise ValueError("Secondary stencil array has some dimension smaller the same dimension in the "
                                     "first stencil input.")
            spans = [range(-min(0, low), n - max(0, high)) for n, (low, high) in zip(first.shape, ends)]
            points = list(itertools.product(*spans))

            def at_point(at):
                return function(*(_FromPoint(a, at) if is_counted else a for a, is_counted in zip(inputs, counted)))

            if out is None:
                kind = numpy.asarray(at_point(points[0]) if points else 0.0).dtype
                out = numpy.full(first.shape, 0 if cval is None else cval, kind)
            elif cval is not None:
                out[...] = cval
            for at in points:
                out[at] = at_point(at)
            return out

        return call
    return make(args[0]) if args and isinstance(args[0], types.FunctionType) else make


class _Dim3:
    x = y = z = 0


class _Kernel:
    def __init__(self, function, cuda):
        self.function, self.cuda = function, cuda

    def __getitem__(self, configuration):
        grid, block = ((tuple(d) if hasattr(d, "__len__") else (d,)) for d in configuration[:2])
        grid, block = grid + (1,) * (3 - len(grid)), block + (1,) * (3 - len(block))
        return lambda *args: self.run(grid, block, args)

    def run(self, grid, block, args):
        for name, value in (("gridDim", grid), ("blockDim", block)):
            dim = getattr(self.cuda, name)
            dim.x, dim.y, dim.z = value
        for b in itertools.product(*(range(n) for n in reversed(grid))):
            for t in itertools.product(*(range(n) for n in reversed(block))):
                self.cuda.blockIdx.z, self.cuda.blockIdx.y, self.cuda.blockIdx.x = b
                self.cuda.threadIdx.z, self.cuda.threadIdx.y, self.cuda.threadIdx.x = t
                self.function(*args)


def _cuda():
    cuda = types.ModuleType("numba.cuda")
    cuda.threadIdx, cuda.blockIdx, cuda.blockDim, cuda.gridDim = _Dim3(), _Dim3(), _Dim3(), _Dim3()

    def axes(count, one):
        values = tuple(one(axis) for axis in "xyz"[:count])
        return values[0] if count == 1 else values

    def part(dim, axis):
        return getattr(dim, axis)

    cuda.grid = lambda n: axes(n, lambda a: part(cuda.threadIdx, a) + part(cuda.blockIdx, a) * part(cuda.blockDim, a))
    cuda.gridsize = lambda n: axes(n, lambda a: part(cuda.blockDim, a) * part(cuda.gridDim, a))

    def jit(*args, device=False, **kwargs):
        if args and isinstance(args[0], types.FunctionType):
            return args[0] if device else _Kernel(args[0], cuda)
        return lambda function: function if device else _Kernel(function, cuda)

    cuda.jit = jit
    return cuda


def load(path, name=None):
    """The module of a kernel file, its functions being plain Python."""
    numba = types.ModuleType("numba")
    numba.jit = numba.njit = numba.cfunc = _decorator
    numba.vectorize, numba.guvectorize, numba.stencil = _vectorize, _guvectorize, _stencil
    numba.prange = range
    numba.literal_unroll = lambda items: items
    numba.cuda = _cuda()
    numba.__getattr__ = lambda attribute: _Type()
    hidden = {k: sys.modules.get(k) for k in ("numba", "numba.cuda")}
    sys.modules.update({"numba": numba, "numba.cuda": numba.cuda})
    try:
        spec = importlib.util.spec_from_file_location(name or f"plain_{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    finally:
        for key, value in hidden.items():
            if value is None:
                sys.modules.pop(key, None)
            else:
                sys.modules[key] = value
