from numba.pycc import CC

one = CC("one")
other = CC("other")


@one.export("half", "f8(f8)")
def half(x):
    return x / 2


@other.export("third", "f8(f8)")
def third(x):
    return x / 3
