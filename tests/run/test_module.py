"""The extension module as Python sees it: arguments, overloads, results, exceptions, launches."""
import copy
import gc
import inspect
import multiprocessing
import pickle
import re
import subprocess
import sys
import threading
import time
import traceback

import numpy as np
import pytest
from module_batch import OVERLOADS, RESULTS, WIDE, batch, tuples


class Sub(np.ndarray):
    pass


def message(f, *args, **kwargs):
    with pytest.raises(Exception) as caught:
        f(*args, **kwargs)
    return type(caught.value), str(caught.value)


# ---- numbers ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("value", [3, 3.0, True, np.float32(3), np.float64(3), np.int8(3), np.uint64(3), np.bool_(True),
                                   np.array(3.0), np.array(3), np.float16(3)])
def test_a_float_takes_every_real_number(value):
    assert batch.product(value, 2.0) == float(value) * 2 + 1


@pytest.mark.parametrize("value", ["3", None, 3j, [3], np.array([3.0]), np.complex64(3), object(), b"3", {}, np.str_("3"),
                                   np.datetime64("2020"), np.array("3")])
def test_a_float_refuses_what_is_no_real_number(value):
    kind, text = message(batch.product, value, 2.0)
    assert kind is TypeError
    assert text.startswith("product(): argument 1 `x`: ") and text.endswith(" given, float64 expected")


@pytest.mark.parametrize("value", [127, -128, np.int8(5), np.int64(5), np.uint8(127), True, np.bool_(False), np.array(5)])
def test_an_integer_takes_integers_in_range(value):
    result = batch.small(value)
    assert type(result) is int and result == int(value)


@pytest.mark.parametrize("value", [128, -129, 2**63, -2**63 - 1, 10**30, np.int64(128), np.uint64(2**63)])
def test_an_integer_out_of_range_overflows(value):
    kind, text = message(batch.small, value)
    assert kind is OverflowError and text.startswith("small(): argument 1 `n`: ")
    assert text.endswith(" is out of range for int8")


@pytest.mark.parametrize("value", [1.0, np.float32(1), 1j, "1", None])
def test_an_integer_refuses_floats(value):
    assert message(batch.small, value)[0] is TypeError


def test_unsigned_integers():
    assert batch.large(2**64 - 1) == 2**64 - 1
    assert batch.large(np.uint64(2**64 - 1)) == 2**64 - 1
    assert batch.large(0) == 0
    assert message(batch.large, -1)[0] is OverflowError
    assert message(batch.large, 2**64)[0] is OverflowError
    assert message(batch.large, np.int8(-1))[0] is OverflowError


class Index:
    def __index__(self):
        return 7


def test_objects_with_index_are_integers():
    assert batch.small(Index()) == 7


@pytest.mark.parametrize("value", [1 + 2j, 1, 2.5, True, np.complex64(1 + 2j), np.float32(2.5), np.complex128(3j), np.True_])
def test_complex_takes_every_number(value):
    result = batch.conjugate(value)
    assert type(result) is complex and result == complex(value).conjugate()


def test_bool():
    assert batch.invert(False) is True and batch.invert(True) is False
    assert batch.invert(np.bool_(True)) is False
    assert message(batch.invert, 1)[0] is TypeError
    assert message(batch.invert, 1.0)[0] is TypeError


def test_narrow_parameters():
    assert batch.mixed(1.5, 2, True, 1j) == 4.0
    assert batch.mixed(1, np.int64(2), False, 1j) == -3.0
    assert batch.mixed(np.float32(1.5), np.int32(2), np.True_, np.complex64(1j)) == 4.0
    assert message(batch.mixed, 1.0, 2**31, True, 0j)[0] is OverflowError
    assert "argument 2 `n`: float given, int32 expected" in message(batch.mixed, 1.0, 2.0, True, 0j)[1]


class Float(float):
    pass


def test_subclasses_of_numbers():
    assert batch.product(Float(2.0), 2.0) == 5.0
    assert batch.small(type("Int", (int,), {})(3)) == 3


def test_huge_integers_for_floats():
    assert batch.product(2**70, 1.0) == 2.0**70 + 1
    assert message(batch.product, 10**400, 1.0)[0] is OverflowError


# ---- arrays -------------------------------------------------------------------------------------------------------
class Subclass(np.ndarray):
    pass


@pytest.mark.parametrize("a", [
    np.arange(6.0), np.arange(12.0)[::2], np.arange(6.0)[::-1], np.broadcast_to(2.0, 6), np.zeros(0), np.zeros(0)[::-1],
    np.ones((6, 6))[2], np.ones((6, 6))[:, 2], np.ones((6, 6)).T[3], np.arange(6.0).view(Subclass),
    np.zeros(3, [("a", "f8"), ("b", "i4", 3)])["a"][:0], np.ones(6, np.dtype("f8", metadata={"k": 1}))],
    ids=lambda a: f"{a.strides}{type(a).__name__}")
def test_any_strides_are_taken(a):
    assert batch.total(a) == float(np.sum(np.asarray(a)))


def test_read_only_arrays_are_read():
    a = np.arange(4.0)
    a.flags.writeable = False
    assert batch.total(a) == 6.0
    assert batch.scale(a.reshape(2, 2), out := np.zeros((2, 2)), 2.0) is None
    assert (out == [[0, 2], [4, 6]]).all()


def test_a_written_array_must_be_writable():
    out = np.broadcast_to(1.0, (2, 2))
    kind, text = message(batch.scale, np.ones((2, 2)), out, 1.0)
    assert kind is TypeError
    assert text == ("scale(): argument 2 `out`: float64 array of rank 2 is read-only but the function may write to it, "
                    "float64[:, :] expected")


def test_contiguous_parameters():
    a, b = np.ones((3, 4)), np.ones(3, "f4")
    assert batch.contiguous(a, b) == 2.0
    assert batch.contiguous(a.T, b) == batch.contiguous(a, np.ones(6, "f4")[::2]) == 2.0  # copies
    assert batch.contiguous(np.ones((4, 1)).T[:, :1], b) == 2.0  # extents of 1 have no stride


def test_strided_and_contiguous_bodies_agree():
    for layout in (lambda x: x, np.asfortranarray, lambda x: np.repeat(np.repeat(x, 2, 0), 2, 1)[::2, ::2],
                   lambda x: x[::-1, ::-1].copy()[::-1, ::-1]):
        a, out = layout(np.arange(12.0).reshape(3, 4)), layout(np.zeros((3, 4)))
        batch.scale(a, out, 3.0)
        assert (out == np.arange(12.0).reshape(3, 4) * 3).all()


# ---- overloads ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("x, y, kind", [(1, 2, int), (1.0, 2.0, float), (1, 2.5, float), (True, False, int),
                                        (np.float32(1), np.float32(2), float), (np.int64(1), 2, int), (1, 2**63, float),
                                        (np.int8(1), np.int8(2), int), (np.float32(1), 2.0, float)])
def test_exact_overloads_win_then_safe_ones(x, y, kind):
    result = batch.plus(x, y)
    assert type(result) is kind and result == kind(x + y)


def test_float32_overload_computes_in_float32():
    x, y = np.float32(0.1), np.float32(0.2)
    assert batch.plus(x, y) == float(x + y) != float(x) + float(y)


def test_array_overloads():
    for dtype in ("f8", "i8", "f4"):
        assert batch.last(np.arange(5).astype(dtype)) == 4
    assert batch.last(np.arange(5, dtype=np.longlong)) == 4
    assert batch.last(np.arange(5, dtype="i4")) == 4  # the first to which int32 casts safely: float64
    kind, text = message(batch.last, np.arange(5, dtype="c8"))
    assert kind is TypeError
    assert text == ("last() has no signature for these arguments\n"
                    "  float64(float64[:]): argument 1 `a`: complex64 array of rank 1 given, float64[:] expected\n"
                    "  int64(int64[:]): argument 1 `a`: complex64 array of rank 1 given, int64[:] expected\n"
                    "  float32(float32[:]): argument 1 `a`: complex64 array of rank 1 given, float32[:] expected")


def chosen(name, *args, **kwargs):
    result = getattr(batch, name)(*args, **kwargs)
    return [o for r, o in zip(RESULTS, OVERLOADS[name]) if np.uint64(WIDE).astype(r) == result]


@pytest.mark.parametrize("name, value, first", [
    ("by_number", 3, "int64"), ("by_number", 3.0, "float64"), ("by_number", 2**63, "uint64"), ("by_number", np.float64(3), "float64"),
    ("by_number", np.int32(3), "int32"), ("by_number", np.uint64(3), "uint64"), ("by_number", np.longlong(3), "int64"),
    ("by_rest", 3.0, "float64"), ("by_rest", None, "optional(float64)"), ("by_rest", np.ones(2), "float64[:]"), ("by_rest", 3, "int64"),
    ("by_rank", np.ones((2, 2)), "float64[:, ::1]"), ("by_rank", np.ones((2, 2), order="F"), "float64[:, :]"),
    ("by_rank", np.ones((2, 2))[:, ::-1], "float64[:, :]"), ("by_rank", np.ones(2), "float64[:]"),
    ("by_rank", np.ones(2, np.longlong), "int64[:]"), ("by_rank", np.ones(2).view(Sub), "float64[:]"),
    ("by_rank", np.ones(2, ">f8"), "float64[:]")])
def test_the_first_exact_overload_is_called(name, value, first):
    assert chosen(name, value, 0) == chosen(name, x=value, y=0) == [(first, "int64")]


def test_later_arguments_choose_among_overloads():
    for value, second in [(1, "int64"), (1.0, "float64"), (np.float32(1), "float32"), (1j, "complex128"), (np.int8(1), "int64")]:
        assert chosen("by_second", 1.0, value) == [("float64", second)]
    assert message(batch.by_second, 1.0, None)[0] is TypeError


def test_complex_fits_no_overload():
    assert message(batch.plus, 1j, 2)[0] is TypeError


# ---- binding: messages are CPython's own ----------------------------------------------------------------------------
def like_product(x, y=2.5):
    pass


def like_triple(n, x):
    pass


def like_scale(a, out, factor):
    pass


CALLS = [((), {}), ((1, 2, 3), {}), ((1, 2, 3, 4, 5), {}), ((1,), {"z": 2}), ((1,), {"x": 2}), ((), {"y": 2}),
         ((1, 2), {"y": 2}), ((), {"q": 1, "n": 2}), ((1,), {"factor": 2}), ((), {"factor": 2})]


@pytest.mark.parametrize("args, kwargs", CALLS)
@pytest.mark.parametrize("name", ["product", "triple", "scale"])
def test_binding_messages(name, args, kwargs):
    plain = globals()["like_" + name]
    try:
        plain(*args, **kwargs)
    except TypeError as error:
        assert message(getattr(batch, name), *args, **kwargs) == (TypeError, str(error).replace("like_", ""))


def test_keywords_and_defaults():
    assert batch.product(2.0) == 6.0
    assert batch.product(y=1.0, x=3.0) == 4.0
    assert batch.product(3.0, y=1.0) == 4.0
    assert batch.product(**{"".join(["x"]): 3.0}) == 8.5
    assert batch.product(*(3.0,), **{"y": 1.0}) == 4.0


# ---- results ------------------------------------------------------------------------------------------------------
def test_results_are_python_objects():
    assert batch.triple(2, 1.5) == (2, 1.5, True)
    assert [type(v) for v in batch.triple(2, 1.5)] == [int, float, bool]
    assert batch.scale(np.ones((1, 1)), np.ones((1, 1)), 1.0) is None
    assert batch.maybe(None) is None and batch.maybe(1.5) == 2.5 and batch.maybe(1) == 2.0


def test_tuples():
    assert batch.norm2((1.0, 2.0, 2.0)) == 9.0
    assert batch.norm2((1, 2.0, np.float32(2))) == 9.0
    assert message(batch.norm2, (1.0, 2.0)) == (
        TypeError, "norm2(): argument 1 `v`: tuple of 2 given, Tuple((float64, float64, float64)) expected")
    assert message(batch.norm2, (1.0, "a", 2.0))[1].startswith("norm2(): argument 1 `v`: item 1: str given, float64")
    assert message(batch.norm2, [1.0, 2.0, 2.0])[0] is TypeError


def test_new_arrays():
    for n in (0, 1, 5, 1000, 100_000):
        a = batch.squares(n)
        assert type(a) is np.ndarray and a.dtype == np.float64 and a.flags.c_contiguous and a.flags.writeable
        assert a.flags.aligned and (a == np.arange(n, dtype=float) ** 2).all()
    a = batch.squares(5)
    b = a[1:]
    del a
    gc.collect()
    assert (b == [1, 4, 9, 16]).all()
    b += 1


def test_an_argument_comes_back_as_itself():
    a, b = np.arange(4.0), np.arange(5.0)
    assert batch.either(a, b, True) is a and batch.either(a, b, False) is b
    assert batch.either(a[::2], b, False) is b
    assert batch.tail(a, 0) is a


def test_an_argument_comes_back_as_itself_inside_a_tuple():
    a = np.arange(4.0)
    back, size = tuples.with_size(a)
    assert back is a and size == 4
    assert tuples.with_size(b := a[::2])[0] is b


@pytest.mark.parametrize("a", [np.arange(6.0), np.arange(12.0)[::2], np.arange(6.0)[::-1]], ids=["C", "step", "back"])
def test_views_of_arguments(a):
    v = batch.tail(a, 2)
    assert (v == a[2:]).all() and v.strides == a.strides
    assert v.base is (a if a.base is None else a.base)
    assert np.shares_memory(v, a) and v.flags.writeable
    a.flags.writeable = False
    assert not batch.tail(a, 2).flags.writeable


def test_a_view_keeps_its_argument_alive():
    v = batch.tail(np.arange(100_000.0), 99_990)
    gc.collect()
    junk = [np.full(100_000, -1.0) for _ in range(4)]
    assert (v == np.arange(99_990.0, 100_000.0)).all() and junk


# ---- exceptions ---------------------------------------------------------------------------------------------------
def test_exceptions_have_class_arguments_and_place():
    with pytest.raises(ZeroDivisionError, match="^division by zero$") as caught:
        batch.divide(1.0, 0.0)
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    lines = batch.source.split("\n")
    assert frame.name == "divide" and frame.filename.endswith("module_kernels.py")
    assert lines[frame.lineno - 1] == "    return x / y"
    assert lines[frame.lineno - 1].encode()[frame.colno:frame.end_colno] == b"x / y"
    with pytest.raises(ValueError) as caught:
        batch.check(-1)
    assert caught.value.args == ("negative", 2, 2.5)
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert lines[frame.lineno - 1].strip().startswith('raise ValueError("negative"')
    with pytest.raises(IndexError) as caught:
        batch.check(101)
    assert caught.value.args == ()


def test_exceptions_chain_like_python():
    with pytest.raises(ZeroDivisionError) as caught:
        try:
            raise KeyError(1)
        except KeyError:
            batch.divide(1.0, 0.0)
    assert isinstance(caught.value.__context__, KeyError)


# ---- kernels ------------------------------------------------------------------------------------------------------
def test_launch():
    for grid, block in ((3, 4), ((3,), (4,)), ([1], [10]), (np.int64(10), 1), ((2, 1, 1), (5, 1))):
        out = np.zeros(10, "f4")
        assert batch.fill[grid, block](out, 0.5) is None
        assert (out == np.arange(10) + 0.5).all()
    out = np.zeros((5, 7), "i4")
    batch.grid2[(2, 3), (3, 3)](out)
    assert (out == np.arange(5)[:, None] * 100 + np.arange(7)).all()
    batch.fill[1, 4, 0, 0](out := np.zeros(4, "f4"), value=1)
    assert (out == [1, 2, 3, 4]).all()


def test_forall_and_configure():
    out = np.zeros(1000, "f4")
    batch.fill.forall(1000)(out, 0.0)
    assert (out == np.arange(1000)).all()
    assert batch.fill.forall(0)(out, 1.0) is None and out[0] == 0
    batch.fill.forall(1000, tpb=64)(out, 2.0)
    assert out[0] == 2
    launcher = batch.fill.configure(8, 128, stream=0)
    assert launcher.griddim == (8, 1, 1) and launcher.blockdim == (128, 1, 1)
    launcher(out, 3.0)
    assert out[999] == 1002


LAUNCHES = [
    (lambda k: k(1), ValueError, "Kernel launch configuration was not specified"),
    (lambda k: k[None, 1], ValueError, "Kernel launch configuration was not specified"),
    (lambda k: k[1, None], ValueError, "Kernel launch configuration was not specified"),
    (lambda k: k[1,], ValueError, "must specify at least the griddim and blockdim"),
    (lambda k: k[1, 2, 3, 4, 5], ValueError, "must specify at least the griddim and blockdim"),
    (lambda k: k[(1, 2, 3, 4), 1], ValueError, "griddim must be a sequence of 1, 2 or 3 integers, got [1, 2, 3, 4]"),
    (lambda k: k[1, [1, 1, 1, 1]], ValueError, "blockdim must be a sequence of 1, 2 or 3 integers, got [1, 1, 1, 1]"),
    (lambda k: k["a", 1], TypeError, "griddim must be a sequence of integers, got ['a']"),
    (lambda k: k[1.5, 1], TypeError, "griddim must be a sequence of integers, got [1.5]"),
    (lambda k: k[1, (1, 2.0)], TypeError, "blockdim must be a sequence of integers, got [1, 2.0]"),
    (lambda k: k[0, 1], ValueError, "griddim must be a sequence of positive 32-bit integers, got [0]"),
    (lambda k: k[1, -1], ValueError, "blockdim must be a sequence of positive 32-bit integers, got [-1]"),
    (lambda k: k[1, 1025], ValueError, "blockdim (1025, 1, 1) has more than 1024 threads"),
    (lambda k: k[1, 1, 0, -1], ValueError, "shared memory must not be negative"),
    (lambda k: k.forall(-1), ValueError, "Can't create ForAll with negative task count: -1"),
    (lambda k: k[1, 1](np.zeros(3, "f4")), TypeError, "fill() missing 1 required positional argument: 'value'"),
    (lambda k: k[1, 1](np.zeros(3), 1.0), TypeError, "fill(): argument 1 `out`: float64 array of rank 1 given, float32[:] expected"),
]


@pytest.mark.parametrize("call, kind, text", LAUNCHES, ids=[t for _, _, t in LAUNCHES])
def test_launch_errors(call, kind, text):
    with pytest.raises(kind, match=re.escape(text)):
        call(batch.fill)


# ---- objects ------------------------------------------------------------------------------------------------------
def test_attributes():
    f = batch.product
    assert f.__name__ == f.__qualname__ == "product" and f.__module__ == "module_kernels"
    assert f.__doc__ == "The product, plus one." and batch.total.__doc__ is None
    assert f.signatures == ["float64(float64, float64)"] and len(batch.plus.signatures) == 3
    assert str(inspect.signature(f)) == "(x, y=2.5)" == f.__text_signature__
    assert str(inspect.signature(batch.fill)) == "(out, value)"
    assert repr(f) == "<compiled function module_kernels.product>"
    assert callable(f) and not isinstance(f, type)
    with pytest.raises(TypeError):
        type(f)()
    with pytest.raises(AttributeError):
        f.anything = 1


@pytest.mark.parametrize("name", ["product", "plus", "fill"])
def test_pickle_and_copy_are_by_name(name):
    f = getattr(batch, name)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(f, protocol)) is f
    assert copy.copy(f) is f and copy.deepcopy(f) is f
    assert {f: 1}[f] == 1


def test_inside_a_package(tmp_path):
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("")
    for so in batch.directory.glob("module_kernels.*.so"):
        (package / so.name).write_bytes(so.read_bytes())
    code = ("import pickle; from pkg import module_kernels as m; f = m.product; assert f.__module__ == 'pkg.module_kernels';"
            "assert pickle.loads(pickle.dumps(f)) is f; print(f(2.0), type(f))")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "6.0 <class 'pkg.module_kernels.Function'>\n", done.stderr


# ---- threads and processes ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name, argument", [
    ("long_loop", 300_000_000), ("total", np.broadcast_to(np.ones(1), 300_000_000))])  # a large array of one element
def test_long_calls_let_other_threads_run(name, argument):
    done = []
    worker = threading.Thread(target=lambda: done.append(getattr(batch, name)(argument)))
    worker.start()
    steps = 0
    while worker.is_alive():
        time.sleep(0.001)
        steps += 1
    assert done and steps > 20


def test_many_threads_at_once():
    a = np.arange(20_000.0)
    errors = []

    def work():
        for _ in range(200):
            if batch.total(a) != 199990000.0 or batch.product(2.0, 3.0) != 7.0:
                errors.append("wrong value")
            try:
                batch.divide(1.0, 0.0)
            except ZeroDivisionError:
                continue
            errors.append("no exception")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors


def in_child(queue):
    queue.put(batch.parallel_total(np.ones(300_000)))


def test_a_forked_child_runs_parallel_code():
    assert batch.parallel_total(np.ones(300_000)) == 300_000.0
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=30) == 300_000.0
    child.join(timeout=30)
    assert child.exitcode == 0
