"""Functions over structured arrays, which test_records.py compiles with pyk2cu and with Numba."""
import math

import numba
import numpy as np
from numba import boolean, float64, from_dtype, int64, njit, prange, types, void

particle = np.dtype([("x", np.float64), ("y", np.float64), ("mass", np.float32), ("id", np.int32)])
packed = np.dtype([("id", np.int32), ("x", np.float64), ("flag", np.bool_), ("pos", np.float32, 3), ("name", "S5")])
vec = np.dtype([("x", np.float32), ("y", np.float32)])
body = np.dtype([("at", vec), ("v", vec), ("m", "f8"), ("size", "i4"), ("tag", "u1", (2, 2)), ("z", "c16")], align=True)
placed = np.dtype({"names": ["b", "a"], "formats": ["<i2", np.float64], "offsets": [20, 8], "itemsize": 32})
P = from_dtype(particle)
Q = numba.from_dtype(packed)
B = from_dtype(body)
V = from_dtype(vec)
R = from_dtype(placed)


@njit(float64(P[:]))
def total(a):
    s = 0.0
    for i in range(a.shape[0]):
        s += a[i].x * a[i]["mass"]
    return s


@njit(void(P[::1], float64))
def move(a, dt):
    for i in range(len(a)):
        r = a[i]
        r.x += dt * r.mass
        r["y"] = r.x * 2.0
        a[i].id = i


@njit(float64(Q[:]))
def packed_sum(a):
    s = 0.0
    for r in a:
        if r.flag:
            s += r.x + r.pos[0] * r.pos[2] + r.id
    return s


@njit(void(Q[:], float64))
def packed_set(a, v):
    for i in range(a.size):
        a[i].x = v + i
        a["id"][i] += 3
        a.pos[i, 1] = v * i
        a[i].pos[2] += 1.5


@njit
def kinetic(p):
    return 0.5 * p.mass * (p.x ** 2 + p.y ** 2)


@njit(float64(P[:]), parallel=True)
def energy(a):
    e = 0.0
    for i in prange(a.shape[0]):
        e += kinetic(a[i])
    return e


@njit(P[:](int64))
def make(n):
    a = np.zeros(n, dtype=particle)
    for i in range(n):
        a[i].x = i
        a[i].id = 2 * i
    return a


@njit(float64(P))
def one(p):
    p.y = 5.0
    return p.x + p.mass


@njit(void(P[:], P[:]))
def copies(a, b):
    for i in range(min(len(a), len(b))):
        a[i] = b[len(b) - 1 - i]


@njit(float64(B[:]))
def nested(a):
    s = 0.0
    for b in a:
        s += b.at.x * b.v["y"] + b["at"]["y"] + b.tag[1, 0] + b.z.real
    return s


@njit(void(B[:], float64))
def nested_set(a, v):
    for i in range(len(a)):
        p = a[i].at
        p.x = v + i
        a[i].v.y += 2.5
        a[i].tag[0, 1] = i
        a[i].z = complex(i, v)
        a[i].at = a[i].v if i % 2 else a[0].at


@njit(int64(B[:]))
def sizes(a):
    s = 0
    for i in range(a.size):
        s += a[i].size + a["size"][i]
    return s


@njit(float64(B[:, :]))
def plane(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s += a[i, j].m * a[i][j].at.x
    return s


@njit(void(B[:]))
def swap(a):
    for i in range(len(a) // 2):
        j = len(a) - 1 - i
        t = a[i].m
        a[i].m = a[j].m
        a[j].m = t
        a[i].at.x, a[j].at.x = a[j].at.x, a[i].at.x


@njit
def push(b, dt):
    b.at.x += b.v.x * dt
    b.at.y += b.v.y * dt
    return b.at.x


@njit(float64(B[:], float64))
def pushes(a, dt):
    s = 0.0
    for i in range(len(a)):
        s += push(a[i], dt)
    return s


@njit(float64(B[:]))
def views(a):
    x = a["m"]
    y = a.at.x
    return x.sum() + y.max() + np.sum(a["size"]) + np.mean(a["m"] * 2.0 + y)


@njit(void(B[:], float64))
def whole(a, v):
    a["m"][:] = v
    a["size"][:] = 3
    a["m"][:] = a["m"] * 2.0
    a["at"]["x"][:] = a["m"]


@njit(float64(B[:]))
def slices(a):
    b = a[1:-1]
    s = 0.0
    for r in b[::2]:
        s += r.m
    c = a[::-1]
    if len(c) > 0:
        s += c[0].m
    return s + len(b)


@njit(B[:](B[:]))
def part(a):
    return a[1:3]


@njit(B(B[:], int64))
def pick(a, i):
    return a[i]


@njit(types.UniTuple(float64, 2)(B[:]))
def best(a):
    k = 0
    for i in range(1, len(a)):
        if a[i].m > a[k].m:
            k = i
    r = a[k]
    q = a[0]
    if r.size > 10:
        q = r
    return r.m, q.m


@njit(float64(int64))
def local(n):
    a = np.zeros(n, body)
    b = np.empty_like(a)
    c = a.copy()
    for i in range(n):
        a[i].m = i
        b[i] = a[i]
        c[n - 1 - i].m = b[i].m
    s = 0.0
    for i in range(n):
        s += c[i].m * (i + 1)
    return s


@njit(void(B[:], B[:]))
def aliased(a, b):
    for i in range(1, len(a)):
        a[i].m = b[i - 1].m + 1


@njit(float64(B[:]), parallel=True)
def par(a):
    s = 0.0
    for i in prange(len(a)):
        r = a[i]
        r.m = math.sqrt(abs(r.at.x)) + r.v.x
        s += r.m
        if r.size > 50:
            r.size -= 50
    return s


@njit(float64(V[:], float64[:]))
def nbody(p, out):
    n = len(p)
    for i in range(n):
        f = 0.0
        for j in range(n):
            dx = p[j].x - p[i].x
            dy = p[j].y - p[i].y
            r2 = dx * dx + dy * dy + 1e-3
            f += 1.0 / math.sqrt(r2)
        out[i] = f
    return out[0] if n else 0.0


@njit(int64(B[:], int64))
def early(a, k):
    for i in range(len(a)):
        r = a[i]
        if r.size == k:
            return i
        r.size = 1
    return -1


@njit(float64(B[:], int64))
def carried(a, n):
    s = 0.0
    r = a[0]
    for i in range(1, n):
        s += r.m
        if a[i].m > r.m:
            r = a[i]
    return s + r.m


@njit(void(B[:], int64[:]))
def indirect(a, idx):
    for k in range(len(idx)):
        r = a[idx[k]]
        r.m += 1.0
        r.size += 1


@njit(float64(R[:]))
def offsets(a):
    s = 0.0
    for i in range(len(a)):
        a[i].b += 1
        s += a[i].a * a[i].b
    return s


@njit(boolean(B[:], B[:]))
def any_larger(a, b):
    for x in a:
        for y in b:
            if x.m > y.m and x.at.x < y.at.x:
                return True
    return False


@njit(void(B[:], B[:]))
def swaps_do_not(a, b):
    for i in range(min(len(a), len(b))):
        t = a[i]
        a[i] = b[i]
        b[i] = t


@njit(void(B[:], int64))
def shifts(a, n):
    k = 0
    r = a[k]
    while k < n:
        r.m += k
        k += 1
        r.size -= 1
        if k < n:
            r = a[k]


@njit(float64(V[:], V[:], float64[:]))
def nearest(points, centres, out):
    s = 0.0
    for i in range(len(points)):
        best = np.inf
        for c in centres:
            d = (points[i].x - c.x) ** 2 + (points[i].y - c.y) ** 2
            if d < best:
                best = d
        out[i] = best
        s += best
    return s


@njit(int64(P[:], int64))
def walks(a, limit):
    """Divergent: each particle bounces until it is slow."""
    total = 0
    for i in range(len(a)):
        x, n = a[i].x, 0
        while x > 1.0 and n < limit:
            x = x * 0.5 if a[i].mass > 50 else x - 1.5
            n += 1
        a[i].id = n
        total += n
    return total
