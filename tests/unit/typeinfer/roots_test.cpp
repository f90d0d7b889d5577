// Which functions are found, under which decorators, with which options and types.
#include "typeinfer/decorators/roots.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "frontend/diag/render.h"
#include "frontend/parse/load.h"
#include "frontend/parse/parser.h"

namespace pyk2cu::decorators {

namespace {

// Files in, one line per definition out: "f jit f8(f8)[opts] | …".
struct Setup {
  SourceMap sources{};
  Diagnostics diags{};
  std::vector<std::unique_ptr<ast::Module>> modules{};
  Settings settings{};
  Sources found{};

  void add(std::string path, std::string text) {
    const SourceFile& file = sources.add(std::move(path), std::move(text));
    modules.push_back(std::make_unique<ast::Module>(frontend::parse(file, diags)));
  }
  void sig(std::string text, std::string path = "--sig") {
    settings.signature_files.push_back(&sources.add(std::move(path), std::move(text)));
  }
  void run(size_t roots = 1) {
    std::vector<const ast::Module*> pointers;
    for (const auto& module : modules) pointers.push_back(module.get());
    const auto file = [&](const std::string& path) -> const ast::Module* {
      for (const ast::Module* module : pointers)
        if (module->file->path == path) return module;
      return nullptr;
    };
    const auto exists = [&](const std::string& path) { return file(path) != nullptr; };
    for (const auto& module : modules)
      for (ast::Module::Import& import : frontend::find_imports(*module)) {
        import.module = file(frontend::find_module(module->file->path, import, {}, exists));
        if (import.module) module->imports.push_back(import);
      }
    found = collect(pointers, roots, settings, diags);
  }
  std::string codes() const {
    std::string out;
    for (const Diagnostic* d : sorted(diags)) {
      if (!out.empty()) out += ' ';
      out += std::to_string(d->code);
    }
    return out;
  }
};

std::string describe(const Definition& d) {
  static const char* const kinds[] = {"plain",  "jit",       "kernel",
                                      "device", "vectorize", "guvectorize", "stencil"};
  std::string out(d.name.str());
  out += std::string(" ") + kinds[static_cast<int>(d.kind)];
  for (const auto& one : d.signatures) out += " " + signature::print(one);
  if (d.options.parallel) out += " +parallel";
  if (d.options.fastmath) out += " +fast";
  if (d.options.boundscheck) out += " +bounds";
  if (d.kind == DefinitionKind::kJit && d.options.error_model == ir::ErrorModel::kNumpy)
    out += " +numpy";
  if (d.options.dialect.rules == types::Rules::kNumpy && d.kind != DefinitionKind::kPlain)
    out += " +nep50";
  if (!d.exported && d.kind != DefinitionKind::kPlain) out += " -hidden";
  if (d.exported && d.kind == DefinitionKind::kPlain) out += " +root";
  return out;
}

std::string describe(const Sources& found) {
  std::string out;
  for (const auto& d : found.definitions) {
    if (!out.empty()) out += " | ";
    out += describe(*d);
  }
  return out;
}

const std::string kHead =
    "import numba\nimport numba as nb\nfrom numba import jit, njit, cuda, float64, float32, int32, "
    "void\nimport functools\n";

struct Row {
  const char *text, *found, *codes = "";
};

void check(std::span<const Row> rows, const std::string& head) {
  for (const auto& row : rows) {
    CAPTURE(row.text);
    Setup s;
    s.add("kernels.py", head + row.text);
    s.run();
    CHECK(describe(s.found) == row.found);
    CHECK(s.codes() == row.codes);
    if (s.codes() != row.codes) MESSAGE(render_text(s.diags, s.sources));
  }
}

}  // namespace

TEST_CASE("every spelling of a decorator") {
  const Row rows[] = {
      {"@njit\ndef f(x): return x\n", "f jit"},
      {"@jit\ndef f(x): return x\n", "f jit"},
      {"@jit()\ndef f(x): return x\n", "f jit"},
      {"@numba.jit(nopython=True)\ndef f(x): return x\n", "f jit"},
      {"@nb.njit('f8(f8)')\ndef f(x): return x\n", "f jit float64(float64)"},
      {"@njit(float64(float64))\ndef f(x): return x\n", "f jit float64(float64)"},
      {"@njit((float64, int32))\ndef f(x, y): return x\n", "f jit (float64, int32)"},
      {"@njit(['f8(f8)', 'f4(f4)'])\ndef f(x): return x\n",
       "f jit float64(float64) float32(float32)"},
      {"@njit([float64(float64), float32(float32)])\ndef f(x): return x\n",
       "f jit float64(float64) float32(float32)"},
      {"sig = 'f8(f8)'\n@njit(sig)\ndef f(x): return x\n", "f jit float64(float64)"},
      {"@cuda.jit\ndef k(a): pass\n", "k kernel"},
      {"@cuda.jit('void(float32[:], int32)')\ndef k(a, n): pass\n",
       "k kernel void(float32[:], int32)"},
      {"@cuda.jit(void(float32[:], int32))\ndef k(a, n): pass\n",
       "k kernel void(float32[:], int32)"},
      {"@numba.cuda.jit(device=True)\ndef d(x): return x\n", "d device -hidden"},
      {"@cuda.jit('f4(f4)', device=True, inline='always')\ndef d(x): return x\n",
       "d device float32(float32) -hidden"},
      {"from numba.cuda import jit as kernel\n@kernel\ndef k(a): pass\n", "k kernel"},
      {"from numba import njit as fast\n@fast\ndef f(x): return x\n", "f jit"},
      {"import numba.cuda as c\n@c.jit\ndef k(a): pass\n", "k kernel"},
      {"fast = njit(cache=True, fastmath=True)\n@fast\ndef f(x): return x\n", "f jit +fast"},
      {"fast = functools.partial(jit, nopython=True, parallel=True)\n@fast\ndef f(x): return x\n",
       "f jit +parallel"},
      {"from functools import partial\nfast = partial(njit, fastmath=True)\n"
       "@fast('f8(f8)')\ndef f(x): return x\n",
       "f jit float64(float64) +fast"},
      {"fast = njit\nfaster = fast(error_model='numpy')\n@faster\ndef f(x): return x\n",
       "f jit +numpy"},
      {"opts = dict(nopython=True, boundscheck=True)\n@jit(**opts)\ndef f(x): return x\n",
       "f jit +bounds"},
      {"opts = {'parallel': True}\n@njit('f8(f8)', **opts)\ndef f(x): return x\n",
       "f jit float64(float64) +parallel"},
      {"PAR = not False\n@njit(parallel=PAR)\ndef f(x): return x\n", "f jit +parallel"},
      {"@njit(fastmath={'nnan', 'ninf'})\ndef f(x): return x\n", "f jit"},
      {"@njit(fastmath={'fast'})\ndef f(x): return x\n", "f jit +fast"},
      {"@njit(\n  'f8(f8)',\n  cache=True,\n)\ndef f(x): return x\n", "f jit float64(float64)"},
  };
  check(rows, kHead);
}

TEST_CASE("call forms") {
  const Row rows[] = {
      {"def g(x): return x\nf = njit('f8(f8)')(g)\n", "g plain | f jit float64(float64)"},
      {"def g(x): return x\nf = jit(g)\n", "g plain | f jit"},
      {"def f(x): return x\nf = njit(f)\n", "f plain | f jit"},
      {"def g(x): return x\nf = njit(g, parallel=True)\n", "g plain | f jit +parallel"},
      {"def f(a): pass\nh = cuda.jit('void(f4[:])')(f)\n", "f plain | h kernel void(float32[:])"},
      {"sq = njit('f8(f8)')(lambda x: x * x)\n", "sq jit float64(float64)"},
      {"add = cuda.jit(device=True)(lambda a, b: a + b)\n", "add device -hidden"},
      {"def g(x): return x\na = njit('f8(f8)')(g)\nb = njit('f4(f4)')(g)\n",
       "g plain | a jit float64(float64) | b jit float32(float32)"},
      {"@njit\ndef g(x): return x\nf = cuda.jit('void(f4[:])')(g.py_func)\n",
       "g jit | f kernel void(float32[:])"},
      {"def g(x): return x\na = b = njit('f8(f8)')(g)\n", "g plain | a jit float64(float64)"},
      {"o = dict(parallel=True)\no = dict(o, fastmath=True)\n@njit(**o)\ndef f(x): return x\n",
       "f jit +parallel +fast"},
      {"o = {}\no['parallel'] = True\n@njit(**o)\ndef f(x): return x\n", "f jit +parallel"},
      {"o = {'parallel': True}\n@njit(**o)\ndef f(x): return x\no = "
       "{**o}\no.update(fastmath=True)\n"
       "@njit(**o)\ndef g(x): return x\n",
       "f jit +parallel | g jit +parallel +fast"},
      {"def g(x): return x\na, b = njit('f8(f8)')(g), njit(g)\n",
       "g plain | a jit float64(float64) | b jit"},
  };
  check(rows, kHead);
}

TEST_CASE("NumbaPro, old paths, star imports") {
  const Row rows[] = {
      {"from numbapro import cuda, jit, float32, void\n"
       "@cuda.jit(argtypes=[float32[:], float32], restype=void)\ndef k(a, b): pass\n",
       "k kernel void(float32[:], float32)"},
      {"from numbapro import *\n@jit('void(double[:])', target='gpu')\ndef k(a): pass\n",
       "k kernel void(float64[:])"},
      {"from numbapro import jit, f4\n@jit(argtypes=[f4], restype=f4, target='gpu', device=True, "
       "inline=True)\ndef d(a): return a\n",
       "d device float32(float32) -hidden"},
      {"from numba import *\n@jit(f8(f8))\ndef f(x): return x\n", "f jit float64(float64)"},
      {"from numba import *\n@cuda.autojit\ndef f(x): pass\n", "f kernel"},
      {"from numba.decorators import jit\n@jit\ndef f(x): pass\n", "f jit"},
      {"from numba.core.decorators import njit\n@njit\ndef f(x): pass\n", "f jit"},
      {"from numba.extending import register_jitable\n@register_jitable\ndef f(x): return x\n",
       "f plain"},
      {"import pyk2cu\n@pyk2cu.jit('f8(f8)')\ndef f(x): return x\n",
       "f jit float64(float64) +nep50"},
      {"import jax\n@jax.jit\ndef f(x): return x\n", ""},
      {"from torch import jit\n@jit\ndef f(x): return x\n", ""},
  };
  check(rows, "");
}

TEST_CASE("conditions, fallbacks, main guards") {
  const Row rows[] = {
      {"if True:\n    @njit\n    def f(x): return x\nelse:\n    def f(x, y): return x\n", "f jit"},
      {"import os\nif os.getpid() == 1:\n    @njit\n    def f(x): return x\n", "f jit"},
      {"import os\nif os.name == 'nt':\n    @njit\n    def f(x): return x\n", ""},
      {"if __name__ == '__main__':\n    @njit\n    def f(x): return x\n", ""},
      {"try:\n    from numba import njit as fast\nexcept ImportError:\n    def fast(f): return f\n"
       "@fast\ndef f(x): return x\n",
       "fast plain | f jit"},
      {"try:\n    import xyz\nexcept ImportError:\n    xyz = None\n@njit\ndef f(x): return x\n",
       "f jit"},
      {"with open('x') as h:\n    @njit\n    def f(x): return x\n", "f jit"},
  };
  check(rows, kHead);
}

TEST_CASE("other decorators") {
  const Row rows[] = {
      {"@trace\n@njit\ndef f(x): return x\n", "f jit", "2040"},
      {"@njit\n@trace\ndef f(x): return x\n", "", "2041"},
      {"@trace\ndef f(x): return x\n", ""},
      {"@numba.vectorize(['f8(f8)'])\ndef u(x): return x\n", "u vectorize float64(float64)"},
      {"@numba.guvectorize(['void(f8[:], f8[:])'], '(n)->(n)')\ndef u(x, y): pass\n",
       "u guvectorize void(float64[:], float64[:])"},
      {"@numba.stencil\ndef s(a): return a[0]\n", "s stencil"},
      {"@numba.stencil(cval=x)\ndef s(a): return a[0]\n", "s stencil -hidden", "2044"},
      {"@numba.generated_jit\ndef s(a): return a[0]\n", "", "2042"},
      {"from numba.experimental import jitclass\n@jitclass([])\nclass C: pass\n", "", "2042"},
      {"from numba.extending import overload\n@overload(len)\ndef o(a): return a[0]\n", "", "2042"},
      {"@numba.cfunc('f8(f8)')\ndef c(x): return x\n", "c jit float64(float64)"},
      {"@jit(forceobj=True)\ndef f(x): return x\n", "", "2046"},
      {"@njit(paralel=True)\ndef f(x): return x\n", "f jit", "2043"},
      {"@njit(error_model='nunpy')\ndef f(x): return x\n", "f jit", "2044"},
      {"@njit(locals={'a': float32})\ndef f(x): return x\n", "f jit"},
      {"@njit(locals={1: float32})\ndef f(x): return x\n", "f jit", "2044"},
      {"@njit('f8(f8, f8)')\ndef f(x): return x\n", "f jit -hidden", "2050"},
      {"@njit('f8(f8)')\ndef f(x, y=2.0): return x\n", "f jit float64(float64, float64)"},
      {"@njit('flot64(f8)')\ndef f(x): return x\n", "f jit -hidden", "2011"},
  };
  check(rows, kHead);
}

TEST_CASE("several functions of one name, methods, factories") {
  const Row rows[] = {
      {"@njit('f8(f8)')\ndef f(x): return x\n@njit('f8(f8)')\ndef f(x): return x + 1\n",
       "f jit float64(float64) -hidden | f jit float64(float64)", "2047"},
      {"def f(x): return x\n@njit('f8(f8)')\ndef f(x): return x + 1\n",
       "f plain | f jit float64(float64)"},
      {"class A:\n    @staticmethod\n    @njit('f8(f8)')\n    def m(x): return x\n"
       "    @njit\n    def n(self): return 1\n",
       "m jit float64(float64) | n jit -hidden"},
      {"def make(n):\n    scale = 2.0\n    @cuda.jit('void(f4[:])')\n    def k(a): a[0] = n\n"
       "    return k\n",
       "make plain | k kernel void(float32[:])"},
      {"def make(n):\n    @njit\n    def k(a): return a * n\n    return k\n",
       "make plain | k jit -hidden"},
  };
  check(rows, kHead);
}

TEST_CASE("decorators and factories of the host program") {
  const Row rows[] = {
      {"def my(*a, **k):\n    k.setdefault('parallel', True)\n    return njit(*a, **k)\n"
       "@my('f8(f8)', fastmath=True)\ndef f(x): return x\n",
       "my plain | f jit float64(float64) +parallel +fast"},
      {"def my(f):\n    return njit('f8(f8)')(f)\n@my\ndef f(x): return x\n",
       "my plain | f plain | f jit float64(float64)"},
      {"def same(f):\n    return f\n@same\n@njit('f8(f8)')\ndef f(x): return x\n",
       "same plain | f plain | f jit float64(float64)"},
      {"def my(n):\n    if x > n:\n        return njit\n    return jit\n"
       "@my(2)\ndef f(x): return x\n",
       "my plain", "2040"},
      {"def make(n):\n    @njit('f8(f8)')\n    def g(x): return x * n\n    return g\n"
       "two = make(2)\n",
       "make plain | g jit float64(float64) -hidden | two jit float64(float64)"},
      {"def forever(n): return forever(n + 1)\n@forever(1)\ndef f(x): return x\n", "forever plain"},
  };
  check(rows, kHead);
}

TEST_CASE("what names mean") {
  Setup s;
  s.add("kernels.py",
        "import math, numpy as np\nfrom numba import prange\nN = 4\nA = B = 3\nx, y = 1, 2\n"
        "z: int = 5\nsin = math.sin\nf4 = np.float32\nobj = open('x')\nt = (N, 2.5)\n"
        "c = 1\nc += 1\nif obj:\n    N2 = 3\nfor i in range(3):\n    w = 1\n"
        "g = 7\ndef host():\n    global g\n    g = 8\nN = 6\nclass K: pass\n");
  s.run();
  const auto kind = [&](const char* name) { return s.found.modules[0]->find(Symbol(name)).kind; };
  const auto value = [&](const char* name) {
    return static_cast<int>(s.found.modules[0]->find(Symbol(name)).value->integer);
  };
  using Kind = Binding::Kind;
  for (const char* name : {"N", "A", "B", "x", "y", "z", "c", "w", "i"})
    CHECK(kind(name) == Kind::kConstant);
  CHECK(value("N") == 6);
  CHECK(value("A") == 3);
  CHECK(value("y") == 2);
  CHECK(value("c") == 2);  // what the statements of the module leave
  CHECK(value("w") == 1);
  CHECK(value("i") == 2);
  for (const char* name : {"obj", "N2", "g", "K"}) CHECK(kind(name) == Kind::kHost);
  CHECK(kind("t") == Kind::kConstant);
  CHECK(kind("host") == Kind::kDefinition);
  CHECK(kind("nothing") == Kind::kUnknown);
  CHECK(s.found.modules[0]->find(Symbol("sin")).qualified == "math.sin");
  CHECK(s.found.modules[0]->find(Symbol("f4")).qualified == "numpy.float32");
  CHECK(s.found.modules[0]->find(Symbol("np")).qualified == "numpy");
  CHECK(s.found.modules[0]->find(Symbol("prange")).qualified == "numba.prange");
  CHECK(s.codes() == "");
}

TEST_CASE("files beside the file") {
  Setup s;
  s.add("dir/kernels.py",
        "from .util import helper, N, fast as quick\nimport more\nimport more as m\nfrom more "
        "import *\n"
        "@quick\ndef f(x): return helper(x)\n@m.fast2('f8(f8)')\ndef g(x): return x\n");
  s.add("dir/util.py",
        "from numba import njit\nN = 3\nfast = njit(fastmath=True)\n@njit('f8(f8)')\n"
        "def helper(x): return x\n");
  s.add("dir/more.py", "import numba\nM = 4\nfast2 = numba.njit\ndef plain(x): return x\n");
  s.run(1);
  CHECK(s.codes() == "");
  CHECK(describe(s.found) ==
        "f jit +fast | g jit float64(float64) | helper jit float64(float64) -hidden | plain plain");
  const ModuleInfo& info = *s.found.modules[0];
  CHECK(info.find(Symbol("helper")).kind == Binding::Kind::kDefinition);
  CHECK(info.find(Symbol("N")).kind == Binding::Kind::kConstant);
  CHECK(info.find(Symbol("M")).kind == Binding::Kind::kConstant);
  CHECK(info.find(Symbol("plain")).definition ==
        s.found.modules[2]->find(Symbol("plain")).definition);
  CHECK(info.find(Symbol("more")).kind == Binding::Kind::kModule);
  CHECK(info.find(Symbol("more")).module == s.found.modules[2].get());
}

TEST_CASE("two files that import each other") {
  Setup s;
  s.add("a.py", "import b\nfrom numba import njit\n@njit('f8(f8)')\ndef f(x): return b.g(x)\n");
  s.add("b.py", "import a\nfrom numba import njit\n@njit\ndef g(x): return x\n");
  s.run(2);
  CHECK(describe(s.found) == "f jit float64(float64) | g jit");
}

TEST_CASE("Pythran exports") {
  const Row rows[] = {
      {"# pythran export f(float64[:], int)\ndef f(a, n): return a[n]\n",
       "f plain (float64[:], int64) +root"},
      {"#pythran export f(float or int, float32[:,:] order(C))\ndef f(a, n): return a\n",
       "f plain (float64, float32[:,::1]) (int64, float32[:,::1]) +root"},
      {"# pythran export f(int, float?)\ndef f(a, b=1.0): return a\n",
       "f plain (int64, float64) (int64, float64) +root"},
      {"# pythran export f(float[][], (int, float)), g()\ndef f(a, b): return a\ndef g(): pass\n",
       "f plain (float64[:,:], Tuple((int64, float64))) +root | g plain () +root"},
      {"# pythran export f(float[:],\n#                  int)\ndef f(a, b): return a\n",
       "f plain (float64[:], int64) +root"},
      {"# pythran export f(float list)\ndef f(a): return a\n", "f plain", "2051"},
      {"# pythran export f(flaot)\ndef f(a): return a\n", "f plain", "2052"},
      {"# pythran export f(int\ndef f(a): return a\n", "f plain", "2052"},
      {"# pythran export g(int)\ndef f(a): return a\n", "f plain", "2048"},
  };
  check(rows, "");
}

TEST_CASE("types from beside the decorators") {
  const struct {
    const char *text, *sig, *sidecar, *found, *codes = "";
  } rows[] = {
      {"@njit\ndef f(x): return x\n", "f=float64(float64)", "", "f jit float64(float64)"},
      {"@njit\ndef f(x): return x\n", "f(float64)", "", "f jit (float64,)"},
      {"@njit\ndef f(x): return x\n", "float64 f(float64)", "", "f jit float64(float64)"},
      {"@njit\ndef f(x): return x\n", "f = [f4(f4), f8(f8)]", "",
       "f jit float32(float32) float64(float64)"},
      {"@njit\ndef f(x): return x\n", "f(float64)", "f(float32)", "f jit (float64,)"},
      {"@njit\ndef f(x): return x\n", "",
       "# types\nf(float32[:])  # one\n\nfloat64[:] f(float64[:])\n",
       "f jit (float32[:],) float64[:](float64[:])"},
      {"# pyk2cu: sig f(float32[:])\n@njit\ndef f(x): return x\n", "", "", "f jit (float32[:],)"},
      {"# pyk2cu: sig (float32[:])\n@njit\ndef f(x): return x\n", "", "", "f jit (float32[:],)"},
      {"# pyk2cu: sig float64(float32[:])\n# pyk2cu: sig (int32[:])\n# a function\n"
       "@njit(cache=True)\ndef f(x): return x\n",
       "", "", "f jit float64(float32[:]) (int32[:],)"},
      {"@njit\ndef f(x):  # pyk2cu: sig (f4)\n    return x\n", "", "", "f jit (float32,)"},
      {"@njit\ndef f(x):\n    # pyk2cu: sig float64(float64)\n    return x\n", "", "",
       "f jit float64(float64)"},
      {"# pyk2cu: sig void(f4)\n# pyk2cu: sig types.none(i4)\n@njit\ndef f(x): pass\n", "", "",
       "f jit void(float32) void(int32)"},
      {"# pyk2cu: sig (f4)\n", "", "", "", "2049"},
      {"@njit\ndef func(x): return x\n", "fnc(f8)", "", "func jit -hidden", "2048"},
      {"def f(x): return x\n", "f(f8)", "", "f plain (float64,) +root"},
      {"@njit('f4(f4)')\ndef f(x): return x\n", "f(f8)", "f(i4)",
       "f jit float32(float32) (float64,)"},
      {"@njit\ndef f(x: float, n: int) -> float: return x\n", "", "",
       "f jit float64(float64, int64)"},
      {"@njit\ndef f(x: float32, n: 'int32[:]'): return x\n", "", "", "f jit (float32, int32[:])"},
      {"import numpy as np\n@njit\ndef f(x: np.ndarray): return x\n", "", "", "f jit"},
      {"@njit\ndef f(x: float, n): return x\n", "", "", "f jit"},
      {"@njit\ndef f(): return 1\n", "", "", "f jit ()"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CAPTURE(row.sig);
    Setup s;
    s.add("kernels.py", kHead + row.text);
    if (*row.sig) s.sig(row.sig);
    if (*row.sidecar) s.sig(row.sidecar, "kernels.sig");
    s.run();
    CHECK(describe(s.found) == row.found);
    CHECK(s.codes() == row.codes);
    if (s.codes() != row.codes) MESSAGE(render_text(s.diags, s.sources));
  }
}

TEST_CASE("a line of types names functions by file, qualified name and line") {
  const std::string text =
      "class A:\n    @staticmethod\n    @njit\n    def g(x): return x\n"
      "class B:\n    @staticmethod\n    @njit\n    def g(x): return x\n"
      "def make():\n    @njit\n    def inner(x): return x\n    return inner\n"
      "def _h(x): return x\nh = njit(_h)\nk = njit(lambda x: x)\n";
  const struct {
    const char *sig, *path, *found, *codes = "";
  } rows[] = {
      {"A.g(f4)", "--sig", "A"},
      {"pkg.mod.B.g(f4)", "--sig", "B"},
      {"mod.py:make.inner(f4)", "--sig", "inner"},
      {"pkg/mod.py:12(f4)", "--sig", "B"},
      {"mod.py:14=f4(f4)", "--sig", "inner"},
      {"_h(f4)", "--sig", "h"},
      {"mod.py:19(f4)", "--sig", "k"},
      {"pkg/mod.py:\n  :10(f4)\n", "kernels.sig", "B"},
      {"mod.py: A.g(f4)\nA.g(f8)\n", "pkg/kernels.sig", "A", "2061"},
      {"A.g(f4)\n", "types.sig", "A"},
      {"A.q(f4)", "--sig", "", "2048"},
      {"no.py: A.g(f4)", "--sig", "", "2061"},
      {"A.g(f4)\nB.g(f4)\npkg/mod.py:\nA.g(f4)", "kernels.sig", "A", "2061"},
      {"no.py:\nA.g(f4)", "kernels.sig", "", "2061"},
      {"make.inner.deeper(f4)", "--sig", "", "2048"},
      {"numba.float32(f4)", "--sig", "", "2049"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.sig);
    Setup s;
    s.add("pkg/mod.py", kHead + text);
    s.sig(row.sig, row.path);
    s.run();
    std::string found;
    for (const auto& d : s.found.definitions) {
      if (d->signatures.empty()) continue;
      CHECK(signature::print(d->signatures[0]).find("float32") != std::string::npos);
      const auto line = std::count(s.sources.files()[0].text.begin(),
                                   s.sources.files()[0].text.begin() +
                                       (d->def ? d->def->span.begin : d->lambda->span.begin) - 1,
                                   '\n');
      const bool method = d->name == "g";
      found += method ? (line < 9 ? "A" : "B") : std::string(d->name.str());
    }
    CHECK(found == row.found);
    CHECK(s.codes() == row.codes);
    if (s.codes() != row.codes) MESSAGE(render_text(s.diags, s.sources));
  }
}

}  // namespace pyk2cu::decorators
