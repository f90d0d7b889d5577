import os

from numba.pycc import CC

cc = CC(os.environ["NAME"])
other = CC("kernels")
name = os.environ["NAME"]


@other.export(name, "f8(f8)")
def half(x):
    return x / 2
