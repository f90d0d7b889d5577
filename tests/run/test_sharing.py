"""Arrays and lists of a module that something changes are no constants, whatever name it changes them by; what only
reads them leaves them what they are.
"""
import pytest
from conftest import run_pyk2cu

# One statement, or one way, each: T is changed where no loop or store of the module that is known does it.
CHANGED = {
    "view": "T = np.zeros(4)\nV = T.view()\nV[0] = 7",
    "transpose": "T = np.zeros((2, 2))\nV = T.transpose()\nV[0, 1] = 7",
    "squeeze": "T = np.zeros(4)\nV = np.squeeze(T)\nV[0] = 7",
    "astype": "T = np.zeros(4)\nV = T.astype(np.float64, copy=False)\nV[0] = 7",
    "asarray renamed": "from numpy import asarray as aa\nT = np.zeros(4)\nV = aa(T)\nV[0] = 7",
    "host identity": "T = np.zeros(4)\ndef same(x):\n    return x\nV = same(T)\nV[0] = 7",
    "max": "T = np.zeros(4)\nV = max([T], key=len)\nV[0] = 7",
    "max item": "T = np.zeros(4)\nmax([T], key=len)[0] = 7",
    "fill arg": "T = np.zeros(4)\ndef fill(t):\n    t[0] = 7\nfill(T)",
    "default": "T = np.zeros(4)\ndef g(t=T):\n    t[0] = 7\ng()",
    "default same": "T = np.zeros(4)\ndef g(T=T):\n    T[0] = 7\ng()",
    "nested store": "T = np.zeros((2, 2))\ndef g():\n    T[0][1] = 7\ng()",
    "local alias": "T = np.zeros(4)\ndef g():\n    t = T\n    t[0] = 7\ng()",
    "lambda": "T = np.zeros(4)\ng = lambda: T.fill(7)\ng()",
    "decorated": "T = np.zeros(4)\ndef deco(f):\n    return f\n@deco\ndef g():\n    T[0] = 7\ng()",
    "static method": "T = np.zeros(4)\nclass K:\n    @staticmethod\n    def g():\n        T[0] = 7\nK.g()",
    "add out": "T = np.zeros(4)\nnp.add(T, 1, out=T)",
    "copyto": "T = np.zeros(4)\nnp.copyto(T, 7)",
    "shuffle": "T = np.zeros(4)\nnp.random.shuffle(T)",
    "setitem": "import operator\nT = np.zeros(4)\noperator.setitem(T, 0, 7)",
    "iadd": "import operator\nT = np.zeros(4)\noperator.iadd(T, 7)",
    "nditer": "T = np.zeros(4)\nfor x in np.nditer(T, op_flags=['readwrite']):\n    x[...] = 7",
    "flat": "T = np.zeros(4)\nT.flat[1] = 7",
    "T": "T = np.zeros((2, 2))\nT.T[0, 1] = 7",
    "list item": "T = np.zeros(4)\n[T][0][0] = 7",
    "ifexp": "T = np.zeros(4)\n(T if True else None)[0] = 7",
    "globals": "T = np.zeros(4)\nglobals()['T'][0] = 7",
    "shape": "T = np.zeros(4)\nT.shape = (2, 2)",
    "append": "T = np.zeros(4)\nL = []\nL.append(T)\nL[0][0] = 7",
    "dict": "T = np.zeros(4)\ndict(a=T)['a'][0] = 1",
    "attribute": "T = np.zeros(4)\nclass H:\n    pass\nH.a = T\nH.a[0] = 7",
    "tuple loop": "T = np.zeros(4)\nfor q in (T,):\n    q.fill(7)",
    "class body": "T = np.zeros(4)\nclass K:\n    T[0] = 7",
    "module": "import other\nfrom other import T\nother.T[0] = 7",
    "module call": "import other\nfrom other import T\nother.T.fill(7)",
    "imported": "from other import T\nT.fill(7)",
    "ufunc at": "T = np.zeros(4)\nnp.add.at(T, 0, 1)",
    "compiled fill": "T = np.zeros(4)\n@njit('void(float64[:])')\ndef fill(t):\n    t[0] = 7\nfill(T)",
    "walrus": "T = np.zeros(4)\nprint(V := T)\nV[0] = 7",
    "comprehension": "T = np.zeros(4)\n[q.fill(7) for q in (T,)]",
    "with": "T = np.zeros(4)\nimport contextlib\nwith contextlib.nullcontext(T) as V:\n    V[0] = 7",
    "global alias": "T = np.zeros(4)\ndef g():\n    global V\n    V = T\ng()\nV[0] = 7",
    "while": "T = np.zeros(4)\nwhile T[0] < 1:\n    T[0] += 1",
    "try": "T = np.zeros(4)\ntry:\n    T[0] = float(input())\nexcept ValueError:\n    pass",
    "rows": "T = np.zeros(4)\nx, y = T.reshape(2, 2)\ny[0] = 7",
    "list fn": "l = [1.]\ndef g():\n    l.append(9.)\ng()\nT = np.array(l)",
    "dict list": "l = [1.]\nd = dict(a=l)\nd['a'].append(4.)\nT = np.array(l)",
    "del": "l = [1., 2.]\ndel l[0]\nT = np.array(l)",
    "sort list": "l = [2., 1.]\nl.sort()\nT = np.array(l)",
    "derived": "T = np.zeros(4)\ndef fill(t):\n    t[0] = 7\nfill(T)\nU = T * 2\nT = U",
    "setattr": "T = np.zeros(4)\nsetattr(T, 'shape', (2, 2))",
    "star": "T = np.zeros(4)\ndef fill(*a):\n    a[0][0] = 7\nfill(T)",
    "kwargs": "T = np.zeros(4)\ndef fill(**a):\n    a['t'][0] = 7\nfill(t=T)",
    "method arg": "T = np.zeros(4)\nclass K:\n    def fill(self, t):\n        t[0] = 7\nK().fill(T)",
    "two calls": "T = np.zeros(4)\ndef inner(t):\n    t[0] = 7\ndef outer(x):\n    inner(x)\nouter(T)",
    "augassign fn": "T = np.zeros(4)\ndef add(t):\n    t += 7\nadd(T)",
    "returned": "T = np.zeros(4)\ndef pick(a, b):\n    return b\npick(0, T)[0] = 7",
    "yielded": "T = np.zeros(4)\ndef gen():\n    yield T\nfor q in gen():\n    q[0] = 7",
    "starred": "T = np.zeros(4)\na, *b = T, T\nb[0][0] = 7",
    "namedtuple": "T = np.zeros(4)\nimport collections\nP = collections.namedtuple('P', 'a')\np = P(T)\np.a[0] = 7",
    "zip": "T = np.zeros(4)\nfor a, b in zip([T], [1]):\n    a[0] = 7",
    "items": "T = np.zeros(4)\nfor k, v in {'a': T}.items():\n    v[0] = 7",
    "partial": "import functools\nT = np.zeros(4)\nf = functools.partial(np.copyto, T)\nf(7)",
    "memoryview": "T = np.zeros(4)\nV = memoryview(T)\nV[0] = 7.0",
    "hsplit": "T = np.zeros(4)\na, b = np.hsplit(T, 2)\na[0] = 7",
    "vectorize": "from numba import vectorize\nT = np.zeros(4)\n@vectorize(['float64(float64)'])\ndef sq(x):\n    return x * x + 1\nsq(T, T)",
    "vec out": "from numba import vectorize\nT = np.zeros(4)\n@vectorize(['float64(float64)'])\ndef sq(x):\n    return x * x + 1\nsq(T, out=T)",
    "ufunc pos": "T = np.zeros(4)\nnp.multiply(T, 2, T)",
    "lambda call": "T = np.zeros(4)\n(lambda z: z.__setitem__(0, 9))(T)",
    "map": "T = np.zeros(4)\nlist(map(T.fill, [3.]))",
    "match": "T = np.zeros(4)\nmatch T:\n    case y:\n        y[1] = 3",
    "class field": "T = np.zeros(4)\nclass C:\n    t = T\nC.t[1] = 4",
    "rs": "T = np.zeros(4)\nnp.random.RandomState(0).shuffle(T)",
    "nan": "T = np.zeros(4)\nnp.nan_to_num(T, copy=False)",
    "iftest": "T = np.zeros(4)\nif T.fill(2) is None:\n    pass",
    "assert": "T = np.zeros(4)\nassert T.fill(2) is None",
    "assign call": "T = np.zeros(4)\nx = T.fill(2) or 3",
    "alias call": "T = np.zeros(4)\ny = T\nnp.add(y, 1, out=y)",
    "real": "T = np.zeros(4)\nT.real = 5",
    "loop rows": "T = np.zeros((2, 2))\nfor r in T:\n    r.fill(3)",
    "row fill": "T = np.zeros((2, 2))\nT[1].fill(3)",
    "next": "T = np.zeros(4)\nnext(iter([T]))[0] = 5",
    "decorator factory": "T = np.zeros(4)\ndef deco(t):\n    t[0] = 7\n    def inner(f):\n        return f\n    return inner\n@deco(T)\ndef g():\n    pass",
    "put in loop": "T = np.zeros(4)\ndef put(t, i):\n    t[i] = i\nfor i in range(3):\n    put(T, i)",
    "while call": "T = np.zeros(4)\nwhile T.fill(3):\n    pass",
    "guv": "from numba import guvectorize\nT = np.zeros(4)\n@guvectorize(['void(float64[:], float64[:])'], '(n)->(n)')\ndef g(a, r):\n    for i in range(a.size):\n        r[i] = a[i] + 1\ng(T, T)",
    "too much work": "T = np.zeros((300, 300))\nfor i in range(200):\n    T += 0.1",
}
# ... and here it is not.
READ = {
    "print": "T = np.arange(4.0)\nprint(T)\nprint(T.sum(), len(T))",
    "copy": "T = np.arange(4.0)\nV = T.copy()\nV[0] = 7",
    "sin": "T = np.arange(4.0)\nV = np.sin(T)\nV += 1",
    "arith": "T = np.arange(4.0)\nV = T * 2\nV[0] = 3",
    "len": "T = np.arange(4.0)\nN = len(T)\nN += 1",
    "shape": "T = np.arange(4.0)\nn = T.shape[0]\nn += 1",
    "second name": "T = np.arange(4.0)\nT[0] = 5\nU = T",
    "asarray": "L = [1.0, 2.0]\nT = np.asarray(L)\nT[0] = 3",
    "plot": "import matplotlib.pyplot as plt\nT = np.arange(4.0)\ndef show():\n    plt.plot(T)\nshow()",
    "main": "T = np.arange(4.0)\nif __name__ == '__main__':\n    T[0] = 7",
    "kernel": "T = np.arange(4.0)\n@njit('float64(float64[:])')\ndef g(t):\n    return t[0]\nprint(g(T))",
    "own": "T = np.arange(4.0)\ndef g(T):\n    T[0] = 7",
    "own2": "T = np.arange(4.0)\ndef g():\n    T = np.zeros(2)\n    T[0] = 7\n    return T",
    "tuple": "T = np.arange(4.0)\nP = (1, 2)\nfor p in P:\n    q = p",
    "dict": "D = {'a': 1.0, 'b': 2.0}\nT = np.array([D['a'], D['b']])",
    "list": "L = []\nfor i in range(4):\n    L.append(float(i))\nT = np.array(L)",
    "reversed name": "A = np.zeros(3)\nB = A\nT = np.arange(3.0)\nB[0] = 1",
    "result": "T = np.arange(4.0)\n@njit('float64[:](float64[:])')\ndef g(t):\n    return t * 2\nout = g(T)\nout[0] = 3",
    "scipy": "import scipy.special as sp\nT = np.arange(4.0)\ndef h():\n    return sp.gamma(T)\nx = h()",
    "class": "T = np.arange(4.0)\nclass K:\n    table = T\n    def get(self):\n        return self.table[0]",
    "method name": "T = np.arange(4.0)\nclass K:\n    def sum(self):\n        self.n = 1\n    def mean(self, a):\n        return a.mean()\nx = T.sum()\nK().mean(T)",
    "enumerate": "T = np.arange(4.0)\nfor i, t in enumerate(T):\n    print(i, t)",
    "format": "T = np.arange(4.0)\nprint(f'{T}')",
    "assert": "T = np.arange(4.0)\nassert T.size == 4",
    "save": "T = np.arange(4.0)\ndef save(f):\n    np.save(f, T)",
    "astype": "T = np.arange(4.0)\nU = T.astype(np.float32)\nU = U + 1",
    "loopread": "T = np.arange(4.0)\nS = 0.0\nfor i in range(4):\n    S += T[i]",
    "reshape const": "T = np.arange(6.0).reshape(2, 3)\nT[0, 0] = 4",
    "linspace": "T = np.linspace(0, 1, 5)\nT /= T.sum()",
    "helper in fn": "T = np.arange(4.0)\ndef norm(x):\n    x = x / x.sum()\n    x[0] = 1\n    return x\ny = norm(T * 1)",
}


def compiled(folder, text):
    (folder / "other.py").write_text("import numpy as np\nT = np.zeros(4)\n")
    (folder / "k.py").write_text(f"import numpy as np\nfrom numba import njit\n\n{text}\n\n\n@njit('float64(int64)')\ndef f(k):\n"
                                 "    return T.sum() + k\n")
    return run_pyk2cu("k.py", "-o", "out", cwd=folder)


@pytest.mark.parametrize("how", CHANGED)
def test_what_changes_an_array(how, tmp_path):
    said = compiled(tmp_path, CHANGED[how])
    assert said.returncode == 1 and "error[PK3044]: `T` is a value of the host program" in said.stderr, said.stdout + said.stderr


@pytest.mark.parametrize("how", READ)
def test_what_reads_an_array(how, tmp_path):
    said = compiled(tmp_path, READ[how])
    assert said.returncode == 0, said.stderr
