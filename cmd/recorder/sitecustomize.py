"""Notes the argument types for which Numba compiles the functions of a project.

`pyk2cu record` puts this file on PYTHONPATH. It appends one JSON object a line to $PYK2CU_RECORD_LOG, each
when it happens, so that nothing is lost where a process forks, is killed or leaves by os._exit:

    {"python": pid}                                         a Python process began
    {"numba": "0.60.0", "disabled": false}                  it imported Numba
    {"key": k, "file": f, "line": n, "name": q, "types": [t, ...]}    a function was compiled
    {"eager": k}                                            the function k has signatures of its own
    {"error": text}                                         something could not be noted

Python 3.8 and later, any Numba with `numba.core`. An error in here never reaches the program.
Tested by tests/run/test_record.py.
"""
import os
import sys

# read now: the program may change its environment
LOG = os.environ.get("PYK2CU_RECORD_LOG", "")
PROJECT = os.path.join(os.environ.get("PYK2CU_RECORD_PROJECT", ""), "")


def note(**entry):
    import json
    append(json.dumps(entry))


def append(line):
    try:
        log = os.open(LOG, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(log, (line + "\n").encode())  # whole: other processes append, too
        finally:
            os.close(log)
    except OSError:
        pass


def guarded(function):
    """What goes wrong in here is noted, and no concern of the program."""
    def call(*args):
        try:
            return function(*args)
        except Exception as error:
            try:
                note(error="%s: %s" % (type(error).__name__, error))
            except Exception:
                pass  # at the end of the stack or of memory
            return None
    return call


# ---- dispatchers ------------------------------------------------------------------------------------
count = 0
noted = set()


def key_of(dispatcher):
    """Its name in the log, or "" of what is no lazy function of the project."""
    global count
    known = vars(dispatcher).get("_pyk2cu_key")
    # a forked child notes for itself: whether a function is eager is said by the process that made it
    if known is None:
        count += 1
        known = "%d.%d" % (os.getpid(), count) if in_project(dispatcher.py_func.__code__.co_filename) else ""
        dispatcher._pyk2cu_key = known
    return known


def in_project(path):
    path = os.path.realpath(path)
    if not PROJECT or not path.startswith(PROJECT) or not os.path.isfile(path):
        return False
    return not {"site-packages", "dist-packages"}.intersection(path[len(PROJECT):].split(os.sep))


@guarded
def note_types(dispatcher, types):
    key = key_of(dispatcher)
    if not key:
        return
    code = dispatcher.py_func.__code__
    texts = [spell(one) for one in types]
    while texts and texts[-1] is None:
        texts.pop()  # defaults that the caller left alone
    texts = [text or spell_default(one) for text, one in zip(texts, types)]
    entry = dict(key=key, file=os.path.realpath(code.co_filename), line=code.co_firstlineno,
                 name=getattr(code, "co_qualname", dispatcher.py_func.__qualname__), types=texts)
    known = repr(sorted(entry.items()))
    if known not in noted:
        noted.add(known)
        note(**entry)


@guarded
def note_eager(dispatcher):
    if key_of(dispatcher):
        note(eager=key_of(dispatcher))


@guarded
def note_inner(dispatcher):
    """Dispatchers that the compiler makes, of @overload and of closures, are no functions of the user."""
    from numba.core.compiler_lock import global_compiler_lock
    if global_compiler_lock.is_locked():
        dispatcher._pyk2cu_key = ""


# ---- types in the notation of signatures --------------------------------------------------------------
def spell(one):
    """The text of a type, None for a default that was not given. What has no notation is spelled as Numba does."""
    from numba.core import types
    if isinstance(one, types.Omitted):
        return None
    one = types.unliteral(one)  # of the constant that a compiled caller passes, the type counts
    if isinstance(one, types.Array):
        return spell_array(one)
    if isinstance(one, (types.NamedTuple, types.NamedUniTuple)):
        return "NamedTuple(%s, %s)" % (spell_items(one), one.instance_class.__name__)
    if isinstance(one, types.UniTuple):
        return "UniTuple(%s, %d)" % (spell_item(one.dtype), one.count)
    if isinstance(one, types.BaseTuple):
        return "Tuple(%s)" % spell_items(one)
    if isinstance(one, types.Optional):
        return "optional(%s)" % spell_item(one.type)
    if isinstance(one, types.Boolean):
        return "boolean"
    if isinstance(one, (types.DType, types.NumberClass)) and isinstance(one.dtype, (types.Number, types.Boolean)):
        return "literal('%s')" % one.dtype  # count(x, np.int64): for its name
    if isinstance(one, types.Record):
        return spell_record(one)
    if isinstance(one, types.NestedArray):
        return "NestedArray(%s, (%s,))" % (spell_item(one.dtype), ", ".join(map(str, one.shape)))
    if isinstance(one, types.Dispatcher):
        return "Dispatcher(%s)" % one.dispatcher.py_func.__name__
    import re
    # without addresses, which each run has of its own: <f at 0x7f12>, jitclass.Grid#7f12<x:int64>
    text = re.sub(r" at 0x[0-9a-f]+|(?<=\w)#[0-9a-f]+(?=<)", "", str(one))
    return re.sub(r"\s*\n\s*", " ", text).strip()


def spell_item(one):
    return spell(one) or "omitted"


def spell_items(one):
    items = [spell_item(item) for item in one.types]
    return "(%s%s)" % (", ".join(items), "," if len(items) == 1 else "")


def spell_array(one):
    """float64[:,::1]; with flags or without dimensions Array(float64, 0, 'C', readonly=True)."""
    dtype = spell_item(one.dtype)
    if not one.ndim or not one.mutable or not one.aligned or type(one).__name__ not in ("Array", "CUDAArray"):
        flags = ", readonly=True" * (not one.mutable) + ", aligned=False" * (not one.aligned)
        return "Array(%s, %d, '%s'%s)" % (dtype, one.ndim, one.layout, flags)
    dims = [":"] * one.ndim
    if one.layout == "C":
        dims[-1] = "::1"
    elif one.layout == "F":
        dims[0] = "::1"
    return "%s[%s]" % (dtype, ",".join(dims))


def spell_record(one):
    """Record([('x', float64, 0), ('name', 'U5', 8)], 28); True at the end: laid out as a C struct."""
    from numba.np.numpy_support import as_dtype
    fields = []
    for name, field in one.fields.items():
        dtype = as_dtype(field.type)
        opaque = dtype.kind in "SUMmV" and not dtype.names and not dtype.subdtype
        text = repr(dtype.str.lstrip("<|=")) if opaque else spell_item(field.type)
        fields.append("(%r, %s, %d)" % (name, text, field.offset))
    return "Record([%s], %d%s)" % (", ".join(fields), one.size, ", True" * bool(one.aligned))


def spell_default(one):
    """Of a default before an argument that was given: the type of its value."""
    from numba import typeof
    return spell_item(typeof(one.value))


# ---- hooks: module -> what is done to it once it is imported --------------------------------------------
def after(owner, name, notice):
    """Calls notice(self, result, args) after each call of the method `name` of the class `owner`."""
    import functools
    original = getattr(owner, name, None)
    if original is None:
        return

    @functools.wraps(original)
    def method(self, *args, **keywords):
        result = original(self, *args, **keywords)
        notice(self, result, args)
        return result
    setattr(owner, name, method)


def hook_dispatcher(module):
    from numba import __version__
    from numba.core import config
    note(numba=__version__, disabled=bool(config.DISABLE_JIT))
    after(module.Dispatcher, "__init__", lambda self, result, args: note_inner(self))
    # not of the base class: loops that Numba lifts out of a function derive from it, too
    after(module.Dispatcher, "add_overload",
          lambda self, result, args: note_types(self, args[0].signature.args))
    after(module.Dispatcher, "disable_compile", lambda self, result, args: note_eager(self))


def hook_ufuncbuilder(module):
    after(module.UFuncDispatcher, "_compile_core",
          lambda self, result, args: note_types(self, result.signature.args))
    after(module._BaseUFuncBuilder, "disable_compile", lambda self, result, args: note_eager(self.nb_func))


def hook_ufunc(owner):
    after(owner, "disable_compile", lambda self, result, args: note_eager(self._dispatcher))


def hook_cuda(module):
    from numba.core.dispatcher import Dispatcher
    if not issubclass(module.CUDADispatcher, Dispatcher):  # of the package numba-cuda
        after(module.CUDADispatcher, "disable_compile", lambda self, result, args: note_eager(self))
    after(module.CUDADispatcher, "add_overload", lambda self, result, args: note_types(self, args[1]))
    after(module.CUDADispatcher, "specialize",
          lambda self, result, args: [note_types(self, types) for types in result.overloads])


def hook_simulator(module):
    @guarded
    def note_launch(kernel, result, args):
        if kernel._device:
            return
        from numba import typeof
        note_types(kernel, [typeof(getattr(arg, "_ary", arg)) for arg in args])
    after(module.FakeCUDAKernel, "__call__", note_launch)


HOOKS = {
    "numba.core.dispatcher": hook_dispatcher,
    "numba.np.ufunc.ufuncbuilder": hook_ufuncbuilder,
    "numba.np.ufunc.dufunc": lambda module: hook_ufunc(module.DUFunc),
    "numba.np.ufunc.gufunc": lambda module: hook_ufunc(module.GUFunc),
    "numba.cuda.dispatcher": hook_cuda,
    "numba.cuda.simulator.kernel": hook_simulator,
}


class Loader:
    """The loader of a module that is hooked: does what the real one does, then calls the hook."""

    def __init__(self, real, hook):
        self.real, self.hook = real, hook

    def __getattr__(self, name):
        return getattr(self.real, name)

    def create_module(self, spec):
        return self.real.create_module(spec)

    def exec_module(self, module):
        module.__loader__ = module.__spec__.loader = self.real
        self.real.exec_module(module)
        guarded(self.hook)(module)


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in HOOKS:
            return None
        for finder in sys.meta_path:
            find = None if finder is Finder else getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find else None
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = Loader(spec.loader, HOOKS[name])
                return spec
        return None


# ---- start --------------------------------------------------------------------------------------------
def run_users_own():
    """The sitecustomize that Python would have found without this one."""
    # these are there already: what is imported here could stand for a file of the program
    from _frozen_importlib import module_from_spec
    from _frozen_importlib_external import PathFinder
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if path != here]
    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec is None or spec.loader is None:
        # what site expects of a sitecustomize that is not there
        raise ImportError("No module named 'sitecustomize'", name="sitecustomize")
    module = module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


if LOG:
    sys.meta_path.insert(0, Finder)
    append('{"python": %d}' % os.getpid())
run_users_own()
