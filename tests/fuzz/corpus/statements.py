match a:
    case {"x": [1, *rest], **kw} | Point(x=-1j, y=None) as p if (n := len(rest)) > 2: pass
type Pair[T: int = bool, *Ts, **P] = tuple[T, ...]
async def f[T](a, /, b: int = 1, *args, c=2, **kw) -> T:
    async with open(f"{a!r:>{b}}") as x, y as (z, *w): return await x
try: raise ValueError from None
except* (A, B) as e: lambda *, k=0: (yield)
else: del x[1:2, ...], y.z; global g
finally: print(rb'\x00', 0x_1F, 1_0e-3j, """t""" 'u', *[i for i in j if k], {**d, 'a': 1})
