// Statements, loops, names and functions: Python in, the dump of the IR out.
//
// Tests typeinfer/infer/{assign,stmt,match,loop,sequence,names,joins,results,function,closure,unit,
// program}.cpp.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "frontend/parse/parser.h"
#include "typeinfer/ir/dump.h"
#include "typeinfer/ir/verify.h"
#include "typeinfer/typeinfer.h"

using namespace pyk2cu;

namespace {

struct Compiled {
  SourceMap sources;
  Diagnostics diags;
  std::string ir;  // without contiguous variants
  std::set<int> codes;
};

// Parses, collects, infers, verifies.
Compiled compile(const std::string& body) {
  Compiled out;
  const std::string text = "from numba import njit, cuda, prange\nimport numpy as np\n" + body;
  const SourceFile& file = out.sources.add("test.py", text);
  const ast::Module module = frontend::parse(file, out.diags);
  const decorators::Sources found = decorators::collect({&module}, 1, {}, out.diags);
  const ir::Program program = typeinfer::infer(found, out.diags);
  ir::verify(program, "inference", out.diags);
  std::set<const ir::Function*> contiguous;
  for (const ir::Entry& entry : program.entries)
    for (const ir::Overload& overload : entry.overloads)
      for (const ir::Variant& variant : overload.variants)
        if (!variant.guards.empty()) contiguous.insert(variant.function);
  for (const ir::Function* f : program.functions)
    if (!contiguous.contains(f)) out.ir += ir::dump(*f);
  for (const Diagnostic& d : out.diags.all()) {
    out.codes.insert(d.code);
  }
  return out;
}

std::string ir_of(const std::string& body) {
  const Compiled out = compile(body);
  CHECK(out.codes.empty());
  return out.ir;
}

}  // namespace

TEST_CASE("a loop-carried sum takes the type of what is added") {
  CHECK(ir_of("@njit('float64(int64)')\n"
              "def f(n):\n"
              "    s = 0\n"
              "    for i in range(n):\n"
              "        s += 0.5\n"
              "    return s\n") ==
        "host f(n: int64) -> float64\n"
        "  locals s: int64, s_2: float64, i: int64\n"
        "  s = 0\n"
        "  s_2 = round<float64>(s)\n"
        "  for i: int64 = 0 .. n:\n"
        "    s_2 = (s_2 + 0.5)\n"
        "  return s_2\n");
}

TEST_CASE("the loop variable keeps its last value, and assigning it does not steer the loop") {
  CHECK(ir_of("@njit('int64()')\n"
              "def f():\n"
              "    for i in range(10):\n"
              "        i *= 2\n"
              "    return i\n") ==
        "host f() -> int64\n"
        "  locals i: int64, i_at: int64\n"
        "  for i_at: int64 = 0 .. 10:\n"
        "    i = i_at\n"
        "    i = (i * 2)\n"
        "  return i\n");
}

TEST_CASE("what may be unbound raises on the CPU and is zero with a warning on CUDA") {
  const std::string body =
      "(n, out):\n"
      "    if n > 3:\n"
      "        q = 2.0\n"
      "    out[0] = q\n";
  CHECK(ir_of("@njit('void(int64, float64[::1])')\ndef f" + body) ==
        "host f(n: int64, out!: float64[::1]) -> void, may raise\n"
        "  locals q: float64, q_is_set: bool\n"
        "  q_is_set = False\n"
        "  if (n > 3):\n"
        "    q = 2.0\n"
        "    q_is_set = True\n"
        "  else:\n"
        "    q = 0.0\n"
        "  if not q_is_set:\n"
        "    raise UnboundLocalError(\"cannot access local variable 'q' where it is not associated "
        "with a value\")\n"
        "  out[0] = q\n");
  const Compiled cuda = compile("@cuda.jit('void(int64, float64[::1])')\ndef f" + body);
  CHECK(cuda.codes == std::set<int>{3048});
  CHECK(cuda.ir ==
        "kernel f(n: int64, out!: float64[::1]) -> void\n"
        "  locals q: float64\n"
        "  if (n > 3):\n"
        "    q = 2.0\n"
        "  else:\n"
        "    q = 0.0\n"
        "  out[0] = q\n");
}

TEST_CASE("swapping and simultaneous assignment read everything first") {
  CHECK(ir_of("@njit('int64(int64, float64[::1])')\n"
              "def f(n, a):\n"
              "    x, y = 0, 1\n"
              "    for i in range(n):\n"
              "        x, y = y, x + y\n"
              "    a[x], a[y] = a[y], a[x]\n"
              "    return x\n") ==
        "host f(n: int64, a!: float64[::1]) -> int64\n"
        "  locals x: int64, y: int64, i: int64, old: int64, old_2: float64\n"
        "  x = 0\n"
        "  y = 1\n"
        "  for i: int64 = 0 .. n:\n"
        "    old = (x + y)\n"
        "    x = y\n"
        "    y = old\n"
        "  old_2 = a[wrap x]\n"
        "  a[wrap x] = a[wrap y]\n"
        "  a[wrap y] = old_2\n"
        "  return x\n");
}

TEST_CASE("orelse of a loop runs unless it was left by break") {
  CHECK(ir_of("@njit('int64(int64[::1], int64)')\n"
              "def f(a, x):\n"
              "    for i, v in enumerate(a):\n"
              "        if v == x:\n"
              "            break\n"
              "    else:\n"
              "        return -1\n"
              "    return 1\n") ==
        "host f(a: int64[::1], x: int64) -> int64\n"
        "  locals i: int64, v: int64, broke: bool\n"
        "  broke = False\n"
        "  for i: int64 = 0 .. len(a):\n"
        "    v = a[i]\n"
        "    if (v == x):\n"
        "      broke = True\n"
        "      break\n"
        "  if not broke:\n"
        "    return -1\n"
        "  return 1\n");
}

TEST_CASE("recursion, mutual recursion and recursion without an end") {
  CHECK(ir_of("@njit\n"
              "def fact(n):\n"
              "    if n <= 1:\n"
              "        return 1\n"
              "    return n * fact(n - 1)\n"
              "@njit('int64(int64)')\n"
              "def f(n):\n"
              "    return fact(n)\n")
            .starts_with("host fact(n: int64) -> int64\n"));
  const std::string mutual = ir_of(
      "@njit\ndef even(n):\n    if n == 0:\n        return True\n    return odd(n - 1)\n"
      "@njit\ndef odd(n):\n    if n == 0:\n        return False\n    return even(n - 1)\n"
      "@njit('boolean(int64)')\ndef f(n):\n    return even(n)\n");
  CHECK(mutual.find("odd(n: int64) -> bool") != std::string::npos);
  CHECK(compile("@njit\ndef g(n):\n    return g(n - 1)\n"
                "@njit('int64(int64)')\ndef f(n):\n    return g(n)\n")
            .codes.contains(3043));
}

TEST_CASE("closures pass what they capture") {
  CHECK(ir_of("@njit('float64(float64)')\n"
              "def f(x):\n"
              "    k = 2.0\n"
              "    scale = lambda y: y * k\n"
              "    k = 3.0\n"
              "    return scale(x)\n") ==
        "host lambda_(y: float64, k: float64) -> float64\n"
        "  return (y * k)\n"
        "host f(x: float64) -> float64\n"
        "  locals k: float64\n"
        "  k = 2.0\n"
        "  k = 3.0\n"
        "  return lambda_(x, k)\n");
  CHECK(ir_of("@njit\ndef apply(g, x):\n    return g(x)\n"
              "@njit('float64(float64, float64)')\n"
              "def f(x, a):\n"
              "    return apply(lambda t: t + a, x)\n")
            .find("return apply(a, x)") != std::string::npos);
}

TEST_CASE("paths without return make the result optional, and None tests fold by type") {
  CHECK(ir_of("@njit\ndef g(x):\n    if x > 0:\n        return x\n"
              "@njit('boolean(float64)')\ndef f(x):\n    return g(x) is None\n")
            .starts_with("host g(x: float64) -> optional(float64)\n"
                         "  if (x > 0.0):\n"
                         "    return wrap<optional(float64)>(x)\n"
                         "  return wrap<optional(float64)>(None)\n"));
}

TEST_CASE("match becomes a chain of ifs") {
  CHECK(ir_of("@njit('int64(int64)')\n"
              "def f(x):\n"
              "    match x:\n"
              "        case 1:\n"
              "            return 10\n"
              "        case 2 | 3:\n"
              "            return 20\n"
              "        case y if y > 100:\n"
              "            return y\n"
              "        case _:\n"
              "            return 0\n") ==
        "host f(x: int64) -> int64\n"
        "  locals y: int64\n"
        "  if (x == 1):\n"
        "    return 10\n"
        "  else:\n"
        "    if ((x == 2) or (x == 3)):\n"
        "      return 20\n"
        "    else:\n"
        "      y = x\n"
        "      if (y > 100):\n"
        "        return y\n"
        "      else:\n"
        "        return 0\n");
}

TEST_CASE("loops over tuples of several types are written out") {
  CHECK(ir_of("@njit('float64(int64)')\n"
              "def f(n):\n"
              "    s = 0.0\n"
              "    for v in (1, 2.5, n):\n"
              "        s += v\n"
              "    return s\n") ==
        "host f(n: int64) -> float64\n"
        "  locals s: float64, v: int64, v_2: float64\n"
        "  s = 0.0\n"
        "  v = 1\n"
        "  s = (s + round<float64>(v))\n"
        "  v_2 = 2.5\n"
        "  s = (s + v_2)\n"
        "  v = n\n"
        "  s = (s + round<float64>(v))\n"
        "  return s\n");
}

TEST_CASE("a walrus in the condition of a while is evaluated each time") {
  CHECK(ir_of("@njit('int64(int64)')\n"
              "def f(n):\n"
              "    s = 0\n"
              "    while (k := n - s) > 3:\n"
              "        s += k\n"
              "    return s\n") ==
        "host f(n: int64) -> int64\n"
        "  locals s: int64, k: int64\n"
        "  s = 0\n"
        "  while True:\n"
        "    k = (n - s)\n"
        "    if (k <= 3):\n"
        "      break\n"
        "    s = (s + k)\n"
        "  return s\n");
}

TEST_CASE("written parameters are found through views and calls") {
  const std::string ir = ir_of(
      "@njit\ndef g(a, b):\n    a[0] = b[0]\n"
      "@njit('void(float64[:,::1], float64[::1], float64[::1])')\n"
      "def f(x, y, z):\n"
      "    row = x[1]\n"
      "    g(row, y)\n"
      "    w = z\n");
  CHECK(ir.find("host f(x!: float64[:,::1], y: float64[::1], z: float64[::1])") !=
        std::string::npos);
}

TEST_CASE("prange is parallel only where the function says so") {
  const std::string body = "(a):\n    for i in prange(len(a)):\n        a[i] = 0.0\n";
  CHECK(ir_of("@njit('void(float64[::1])', parallel=True)\ndef f" + body).find("parallel for") !=
        std::string::npos);
  CHECK(ir_of("@njit('void(float64[::1])')\ndef f" + body).find("parallel for") ==
        std::string::npos);
}

TEST_CASE("strided parameters give a contiguous variant") {
  const Compiled out = compile("@njit('void(float64[:])')\ndef f(a):\n    a[0] = 1.0\n");
  CHECK(out.codes.empty());
  CHECK(out.ir == "host f<float64[:]>(a!: float64[:]) -> void\n  a[0] = 1.0\n");
}

TEST_CASE("mistakes have codes") {
  const struct {
    const char* body;
    int code;
  } rows[] = {
      {"    return nope\n", 3001},
      {"    y = q\n    q = 1\n    return y\n", 3040},
      {"    if n > 3:\n        x = (1, 2)\n    else:\n        x = 3.0\n    return x\n", 3041},
      {"    if n > 3:\n        return (1, 2)\n    return 1.0\n", 3005},
      {"    x, y = 1, 2, 3\n    return x\n", 3045},
      {"    x, y = n\n    return x\n", 3052},
      {"    for k in n:\n        pass\n    return 0\n", 3046},
      {"    with n as m:\n        pass\n    return 0\n", 5001},
      {"    del n\n    return 0\n", 5001},
      {"    raise n\n", 3050},
      {"    x, *y = (1, 2, 3)\n    return x\n", 5001},
      {"    return HOST[0]\n", 3044},
  };
  for (const auto& row : rows) {
    CAPTURE(row.body);
    CHECK(compile("HOST = [1]\n@njit('int64(int64)')\ndef f(n):\n" + std::string(row.body))
              .codes.contains(row.code));
  }
  CHECK(compile("@njit\ndef f(n):\n    return n\n").codes == std::set<int>{2001});
  CHECK(compile("@njit('int64(int64)')\ndef f(n, m):\n    return n\n").codes ==
        std::set<int>{2050});
}

TEST_CASE("one bad function does not take the others down") {
  const Compiled out = compile(
      "@njit('int64(int64)')\ndef bad(n):\n    return nope\n"
      "@njit('int64(int64)')\ndef good(n):\n    return n\n");
  CHECK(out.codes == std::set<int>{3001});
  CHECK(out.ir == "host good(n: int64) -> int64\n  return n\n");
}
