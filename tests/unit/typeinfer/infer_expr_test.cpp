// Types of expressions against Numba's (numba_expressions.txt), the IR of a few, and diagnostics.
//
// A line of the table is `variables ; expression ; type`, as tests/fuzz/expression_oracle.py wrote
// it; lines where this compiler differs on purpose are listed in kExceptions with the reason.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "frontend/diag/render.h"
#include "frontend/parse/parser.h"
#include "typeinfer/ir/dump.h"
#include "typeinfer/ir/verify.h"
#include "typeinfer/typeinfer.h"

namespace pyk2cu {

namespace {

const std::string kHead =
    "import cmath\nimport math\nimport operator\nimport numba as nb\nimport numpy as np\n"
    "from numba import *\nN = 3\nF = np.float32(2)\nT = (1, 2.5)\n"
    "TABLE = np.array([1.0, 2.0, 3.0])\n";

// One module compiled to IR.
struct Compiled {
  SourceMap sources{};
  Diagnostics diags{};
  std::unique_ptr<ast::Module> module{};
  decorators::Sources found{};
  ir::Program program{};

  explicit Compiled(std::string text, decorators::Settings settings = {}) {
    const SourceFile& file = sources.add("kernels.py", std::move(text));
    module = std::make_unique<ast::Module>(frontend::parse(file, diags));
    found = decorators::collect({module.get()}, 1, settings, diags);
    program = typeinfer::infer(found, diags);
    program.sources = &sources;
  }
  std::string messages() {
    RenderOptions plain;
    return render_text(diags, sources, plain);
  }
};

struct Case {
  std::string variables, expression, type, name;
};

std::vector<Case> read_table() {
  std::vector<Case> cases;
  std::ifstream in(PYK2CU_ROOT "/tests/unit/typeinfer/numba_expressions.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t a = line.find(" ; "), b = line.rfind(" ; ");
    cases.push_back({line.substr(0, a), line.substr(a + 3, b - a - 3), line.substr(b + 3),
                     fmt::format("f{}", cases.size())});
  }
  return cases;
}

// "a:int8 i:int64" -> @njit("(int8, int64)") def f0(a, i): return …
std::string source_of(const Case& c) {
  std::string types, names;
  std::istringstream words(c.variables);
  for (std::string word; words >> word;) {
    const size_t colon = word.find(':');
    types += (types.empty() ? "" : ", ") + word.substr(colon + 1);
    names += (names.empty() ? "" : ", ") + word.substr(0, colon);
  }
  return fmt::format("@njit(\"({})\")\ndef {}({}):\n    return {}\n", types, c.name, names,
                     c.expression);
}

// Lines (exact, or up to a `*`) whose type differs from Numba's on purpose.
struct Exception {
  std::string_view variables, expression, reason;
};
const Exception kExceptions[] = {
    {"a:boolean *", "float(a)", "accepted: float64"},
    {"a:boolean *", "complex(a)", "accepted: complex128"},
    {"a:boolean *", "a.real", "accepted: the value itself"},
    {"a:boolean *", "a.imag", "accepted: False"},
    {"a:boolean *", "a.conjugate()", "accepted: the value itself"},
    {"a:boolean[::1] *", "a.real", "accepted: the array itself"},
    {"a:complex64[::1] *", "a.real", "a view of parts is not supported yet"},
    {"*", "a[i] + 1", "array expressions are not supported yet"},
};

bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.ends_with('*')) return text.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern == text;
}

bool excepted(const Case& c) {
  for (const Exception& e : kExceptions) {
    if (matches(e.variables, c.variables) && matches(e.expression, c.expression)) return true;
  }
  return false;
}

std::string dump_of(const std::string& body, std::string signature) {
  signature.insert(signature.size() - 1, ",");  // "(int64)" would be a type, not a signature
  Compiled c(kHead + "@njit(\"" + signature + "\")\n" + body);
  CHECK(c.messages() == "");
  CHECK(ir::verify(c.program, "inference", c.diags));
  return c.program.functions.empty() ? "" : ir::dump(*c.program.functions.back());
}

}  // namespace

TEST_CASE("expressions have the types that Numba gives them") {
  const std::vector<Case> cases = read_table();
  REQUIRE(cases.size() > 1000);
  std::string text = kHead;
  for (const Case& c : cases) text += source_of(c);
  Compiled compiled(text);
  CHECK(ir::verify(compiled.program, "inference", compiled.diags));
  std::map<std::string_view, std::string> types;
  for (const ir::Entry& entry : compiled.program.entries) {
    types[entry.name.str()] = types::print(entry.overloads.at(0).general()->result);
  }
  int wrong = 0;
  for (const Case& c : cases) {
    const auto found = types.find(c.name);
    const std::string type = found == types.end() ? "error" : found->second;
    const bool same = type == c.type || (c.type == "none" && type == "void");
    if (same || excepted(c)) continue;
    if (++wrong <= 400)
      MESSAGE(fmt::format("{} ; {} ; {} ; {}", c.variables, c.expression, c.type, type));
  }
  CHECK(wrong == 0);
}

TEST_CASE("IR of expressions") {
  struct Row {
    const char *signature, *names, *expression, *expected;
  };
  const Row rows[] = {
      {"(float32[:], int64)", "x, i", "2 * x[i + 1]", "(2.0 * exact<float64>(x[wrap (i + 1)]))"},
      {"(int64, uint32)", "i, u", "i + u", "(i + exact<int64>(u))"},
      {"(int64)", "i", "2 ** -1", "0.5"},
      {"(int64, int64)", "i, j", "i // 2 % 8", "((i // 2) % 8)"},
      {"(float64)", "x", "x ** 2", "(x * x)"},
      {"(float64)", "x", "x ** 3", "(x * (x * x))"},
      {"(int64)", "i", "0 < i < 9", "((0 < i) and (i < 9))"},
      {"(int64)", "i", "i or 2", "(i if truth<bool>(i) else 2)"},
      {"(int64)", "i", "1 if i > 2 else 2.5", "(1.0 if (i > 2) else 2.5)"},
      {"(int64)", "i", "i is None", "False"},
      {"(int64)", "i", "i in (1, 2)", "((i == 1) or (i == 2))"},
      {"(int64, int64)", "i, j", "(i, j) == (1, 2)", "((i == 1) and (j == 2))"},
      {"(int64, int64)", "i, j", "(i, j)[-1]", "j"},
      {"(float64[:, :])", "a", "a[1][2]", "a[1, 2]"},
      {"(float64[:, :], uint32)", "a, u", "a[u, -1]", "a[u, wrap -1]"},
      {"(float64[:, :])", "a", "len(a) * a.ndim", "(len(a) * 2)"},
  };
  for (const Row& row : rows) {
    const std::string text = dump_of(
        fmt::format("def f({}):\n    return {}\n", row.names, row.expression), row.signature);
    CHECK_MESSAGE(text.find(fmt::format("\n  return {}\n", row.expected)) != std::string::npos,
                  text);
  }
}

TEST_CASE("what may raise is checked first") {
  struct Row {
    const char *signature, *expression, *expected;
  };
  const Row rows[] = {
      {"(int64, int64)", "a // b",
       "if (b == 0):\n    raise ZeroDivisionError(\"integer division by zero\")"},
      {"(float64, float64)", "a % b",
       "if (b == 0.0):\n    raise ZeroDivisionError(\"modulo by zero\")"},
      {"(int64, int64)", "a / b", "raise ZeroDivisionError(\"division by zero\")"},
      {"(complex128, complex128)", "a / b",
       "raise ZeroDivisionError(\"complex division by zero\")"},
      {"(int64, int64)", "divmod(a, b)", "raise ZeroDivisionError(\"integer divmod by zero\")"},
      {"(int64, int64)", "a ** b",
       "raise ZeroDivisionError(\"0 cannot be raised to a negative power\")"},
      {"(int64, int64)", "(a, a)[b]", "raise IndexError(\"tuple index out of range\")"},
      {"(int64[:], int64)", "a[::b][0]", "raise ValueError(\"slice step cannot be zero\")"},
      {"(int64, int64)", "np.zeros(a)[b]", "raise ValueError(\"negative dimensions not allowed\")"},
      {"(int64, int64)", "(a if b else None) + 1", "raise TypeError(\"expected int64, got None\")"},
  };
  for (const Row& row : rows) {
    const std::string text =
        dump_of(fmt::format("def f(a, b):\n    return {}\n", row.expression), row.signature);
    CHECK_MESSAGE(text.find(row.expected) != std::string::npos, text);
  }
}

TEST_CASE("the numpy error model does not raise") {
  Compiled c(kHead +
             "@njit(\"(int64, int64)\", error_model=\"numpy\")\ndef f(a, b):\n"
             "    return a // b + a % b\n");
  REQUIRE(c.program.functions.size() == 1);
  CHECK(!c.program.functions[0]->may_raise);
}

TEST_CASE("CUDA types differ where Numba's do") {
  Compiled c(kHead +
             "@cuda.jit(\"void(float32[:], float32)\")\ndef k(out, x):\n"
             "    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x\n"
             "    out[i] = math.floor(x) + max(x, out[0])\n");
  CHECK(c.messages() == "");
  REQUIRE(!c.program.functions.empty());
  const std::string text = ir::dump(*c.program.functions[0]);
  CHECK_MESSAGE(text.find("numpy.fmax(x, out[0])") != std::string::npos, text);
  CHECK_MESSAGE(text.find("i = (exact<int64>(thread.x) + ") != std::string::npos, text);
}

}  // namespace pyk2cu
