// Signatures: what users write, and where the carets stand when it is wrong.
#include "typeinfer/signature/signature.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "frontend/diag/render.h"
#include "frontend/parse/parser.h"

namespace pyk2cu::signature {

namespace {

// A file whose last statement is `x = <expr>`; names by a plain reading of its other statements.
struct File : Names {
  SourceMap sources;
  Diagnostics diags;
  ast::Module module;
  const SourceFile* file = nullptr;
  std::map<std::string, const ast::Expr*> values;
  std::map<std::string, std::string> imports;

  explicit File(const std::string& text) {
    file = &sources.add("t.py", text);
    module = frontend::parse(*file, diags);
    for (const ast::Stmt* stmt : module.body) read(*stmt);
  }
  void read(const ast::Stmt& stmt) {
    if (const auto* assign = ast::as<ast::Assign>(stmt)) {
      if (const auto* name = ast::as<ast::Name>(*assign->targets[0]))
        values[std::string(name->id.str())] = assign->value;
    } else if (const auto* import = ast::as<ast::Import>(stmt)) {
      for (const ast::Alias* alias : import->names)
        imports[std::string((alias->asname ? alias->asname : alias->name).str())] =
            alias->name.str();
    } else if (const auto* from = ast::as<ast::ImportFrom>(stmt)) {
      for (const ast::Alias* alias : from->names)
        imports[std::string((alias->asname ? alias->asname : alias->name).str())] =
            std::string(from->module.str()) + "." + std::string(alias->name.str());
    }
  }
  const ast::Expr* find_assigned(Symbol name) const override {
    const auto found = values.find(std::string(name.str()));
    return found == values.end() ? nullptr : found->second;
  }
  std::string qualified(Symbol name) const override {
    const auto found = imports.find(std::string(name.str()));
    return found == imports.end() ? "" : found->second;
  }
};

constexpr const char* kImports =
    "import numba as nb, numpy as np\n"
    "from numba import float32 as f4, float64, int32, void, types, optional\n"
    "from collections import namedtuple\nimport typing\n"
    "from typing import Optional\n"
    "Point = namedtuple('Point', 'x y')\n"
    "sig = 'void(f8[:])'\nargs = (float64, int32)\nN = 3\n";

std::string join(const std::vector<Signature>& all) {
  std::string out;
  for (const Signature& one : all) out += (out.empty() ? "" : "; ") + print(one);
  return out;
}

// "code: message @ text under the caret", of the first diagnostic.
std::string first(const Diagnostics& diags, const SourceMap& sources) {
  if (diags.all().empty()) return "";
  const Diagnostic& d = *sorted(diags).front();
  return code_name(d.code) + ": " + d.message + " @ " + std::string(sources.text(d.span));
}

std::string fix(const Diagnostics& diags) {
  for (const Diagnostic& d : diags.all())
    if (!d.fixes.empty()) return d.fixes[0].replacement;
  return "";
}

}  // namespace

TEST_CASE("signature strings") {
  const struct {
    const char *text, *expected;
  } rows[] = {
      {"void(f8[:], f8[::1])", "void(float64[:], float64[::1])"},
      {"(f8,f8)", "(float64, float64)"},
      {"()", "()"},
      {"f8()", "float64()"},
      {"(f8,)", "(float64,)"},
      {"int32(int32,int32,)", "int32(int32, int32)"},
      {"  void (\n f8 [ : ] , # first\n i4 )  ", "void(float64[:], int32)"},
      {"f8[:,::1](f8[::1,:])", "float64[:,::1](float64[::1,:])"},
      {"void(f8[::1,::1])", "void(float64[::1,:])"},
      {"void(f8[:,::1,:])", "void(float64[:,:,:])"},
      {"none(none)", "void(none)"},
      {"types.f8(types.int64)", "float64(int64)"},
      {"boolean(bool_, b1, bool)", "bool(bool, bool, bool)"},
      {"double(byte, size_t, intp, uintc)", "float64(uint8, uint64, int64, uint32)"},
      {"float16(f2)", "float16(float16)"},
      {"complex64(c8, complex128, c16)", "complex64(complex64, complex128, complex128)"},
      {"np.float64(f8)", "float64(float64)"},
      {"void(Tuple((f8, i4)), UniTuple(f8, 2), Tuple(()))",
       "void(Tuple((float64, int32)), UniTuple(float64, 2), Tuple(()))"},
      {"void(Tuple((f8,)))", "void(UniTuple(float64, 1))"},
      {"void(UniTuple(f8[:], 2))", "void(UniTuple(float64[:], 2))"},
      {"List(f8)(ListType(i8), List(f4, reflected=True))",
       "List(float64)(List(int64), List(float32))"},
      {"Set(i4)(DictType(i8, List(f4)))", "Set(int32)(DictType(int64, List(float32)))"},
      {"optional(f8)(Optional(i4))", "optional(float64)(optional(int32))"},
      {"void(Array(f8, 2, 'C', readonly=True))", "void(Array(float64, 2, 'C', readonly=True))"},
      {"void(Array(dtype=f8, ndim=1, layout='A', aligned=False))",
       "void(Array(float64, 1, 'A', aligned=False))"},
      {"void(Array(f8, 0, 'C'))", "void(Array(float64, 0, 'C'))"},
      {"void(Array(f8, 3, 'F'))", "void(float64[::1,:,:])"},
      {"[f4(f4), f8(f8)]", "float32(float32); float64(float64)"},
      {"void(*[f8] * 2, i4)", "void(float64, float64, int32)"},
      {"void(UniTuple(f8, 2)[1], UniTuple(i4, +2))", "void(float64, UniTuple(int32, 2))"},
      {"float_(py_int, np_double)", "float32(int64, float64)"},
  };
  for (const auto& row : rows) {
    SourceMap sources;
    Diagnostics diags;
    const SourceFile& file = sources.add("--sig", row.text);
    CAPTURE(row.text);
    CHECK(join(parse(file.text, file, diags)) == row.expected);
    CHECK_FALSE(diags.has_errors());
  }
}

TEST_CASE("signatures in a file: calls, tuples, lists, names, comprehensions") {
  const struct {
    const char *expr, *expected;
  } rows[] = {
      {"'f8(f8)'", "float64(float64)"},
      {"sig", "void(float64[:])"},
      {"args", "(float64, int32)"},
      {"float64(args[0], *args)", "float64(float64, float64, int32)"},
      {"float64(float64)", "float64(float64)"},
      {"nb.void(nb.float32[:, ::1], nb.types.int8)", "void(float32[:,::1], int8)"},
      {"(f4, f4[:])", "(float32, float32[:])"},
      {"[f4(f4), 'f8(f8)', (int32, int32)]", "float32(float32); float64(float64); (int32, int32)"},
      {"('f4(f4)', 'f8(f8)')", "float32(float32); float64(float64)"},
      {"[t(t) for t in (f4, float64)]", "float32(float32); float64(float64)"},
      {"[void(t[:], u) for t, u in [(f4, int32), (float64, nb.i8)]]",
       "void(float32[:], int32); void(float64[:], int64)"},
      {"[a(b) for a in (f4, float64) for b in (int32,)]", "float32(int32); float64(int32)"},
      {"np.float32(np.int8, np.byte)", "float32(int8, int8)"},
      {"void(types.UniTuple(float64, N))", "void(UniTuple(float64, 3))"},
      {"void(types.NamedTuple((float64, int32), Point))",
       "void(NamedTuple((float64, int32), Point))"},
      {"void(types.NamedUniTuple(float64, 2, Point))",
       "void(NamedTuple((float64, float64), Point))"},
      {"void(nb.typeof(1.5), nb.from_dtype(np.dtype('f4')))", "void(float64, float32)"},
      {"void(nb.extending.as_numba_type(int))", "void(int64)"},
      {"'void(' 'f8)'", "void(float64)"},
      {"'void(' + 'f8)'", "void(float64)"},
      {"'void(\\x66\\x38)'", "void(float64)"},
      {"r'void(f8)'", "void(float64)"},
      {"f'void({f4}[:], UniTuple(f8, {N}))'", "void(float32[:], UniTuple(float64, 3))"},
      {"[f'{t}({t}, {t})' for t in ('f4', 'f8')]",
       "float32(float32, float32); float64(float64, float64)"},
      {"'''void(\n  f8)'''", "void(float64)"},
      {"(float64,) * N", "(float64, float64, float64)"},
      {"[sig] + ['f8(f8)']", "void(float64[:]); float64(float64)"},
      {"[]", ""},
      {"None", ""},
      {"optional(f4)(f4)", "optional(float32)(float32)"},
  };
  for (const auto& row : rows) {
    File f(std::string(kImports) + "x = " + row.expr + "\n");
    CAPTURE(row.expr);
    const std::vector<Signature> all = evaluate(*f.values["x"], f, *f.file, f.diags);
    CHECK(join(all) == row.expected);
    CHECK(first(f.diags, f.sources) == "");
    for (const Signature& one : all) CHECK(one.params.size() == one.param_spans.size());
  }
}

namespace {

const struct {
  const char *expr, *message, *fix;
} kMistakes[] = {
    {"'f8[:][:](f8)'",
     "PK2016: `float64[:]` is an array already and cannot be the element type "
     "of another @ f8[:][:]",
     "[:,:]"},
    {"'f8[...](f8)'",
     "PK2015: `...` is not a dimension of an array type: write `:`, or `::1` "
     "for the contiguous one @ ...",
     ""},
    {"'void(f8[5])'",
     "PK2015: `5` is not a dimension of an array type: write `:`, or `::1` for "
     "the contiguous one @ 5",
     ":"},
    {"'str(f8)'", "PK2019: `str` is a class of Python, not a type of signatures @ str", ""},
    {"'void(int)'", "PK2019: `int` is a class of Python, not a type of signatures @ int", "int64"},
    {"'float(f8)'", "PK2019: `float` is a class of Python, not a type of signatures @ float",
     "float64"},
    {"'None(f8)'", "PK2013: `None` is a value, not a type @ None", "void"},
    {"'f8(None)'", "PK2013: `None` is a value, not a type @ None", "none"},
    {"'long(f8)'", "PK2011: `long` is not a type @ long", "int64"},
    {"'float128(f8)'", "PK2011: `float128` is not a type @ float128", "float64"},
    {"'void(flaot32[:])'", "PK2011: `flaot32` is not a type @ flaot32", "float32"},
    {"'void(Float64)'", "PK2011: `Float64` is not a type @ Float64", "float64"},
    {"'f8(f8(f8))'", "PK2013: `f8(f8)` is a signature, not a type @ f8(f8)", ""},
    {"'f8(f8)->f8'", "PK2010: `->` in a signature @ ->", ""},
    {"'f8(f8);'", "PK2010: `;` in a signature @ ;", ""},
    {"'f8'", "PK2012: `f8` is a type, not a signature @ f8", "(f8,)"},
    {"float64", "PK2012: `float64` is a type, not a signature @ float64", "(float64,)"},
    {"''", "PK2010: no types in a signature @ ", ""},
    {"types.ClassType(float64)(f4)",
     "PK2014: type `ClassType` is not supported yet @ types.ClassType", ""},
    {"'void(unicode_type)'", "PK2014: type `unicode_type` is not supported yet @ unicode_type", ""},
    {"void(types.Tuple)", "PK2013: `types.Tuple` is what makes types, not a type @ types.Tuple",
     ""},
    {"'void((f8, f8))'", "PK2013: `(f8, f8)` is a tuple, not a type @ (f8, f8)", "Tuple((f8, f8))"},
    {"'void(Tuple(f8, f8))'",
     "PK2017: `Tuple` takes one tuple of types: `Tuple((int64, "
     "float64))` @ Tuple(f8, f8)",
     ""},
    {"'void(UniTuple(f8, f8))'",
     "PK2017: `UniTuple` takes a type and a number: "
     "`UniTuple(float64, 3)` @ f8",
     ""},
    {"\"void(Array(f8, 2, 'X'))\"",
     "PK2017: `Array` takes one of the layouts 'C', 'F', 'A' @ "
     "'X'",
     ""},
    {"\"void(Array(f8, 2, 'C', writable=1))\"",
     "PK2017: `Array` takes no keyword `writable` @ writable=1", ""},
    {"\"void(Array(f8))\"", "PK2017: `Array` needs its argument `ndim` @ Array(f8)", ""},
    {"'void(f8, x=f8)'", "PK2010: a keyword argument in a signature @ x=f8", ""},
    {"'void(sig)'", "PK2011: `sig` is not a type @ sig", ""},
    {"void(f8)", "PK2011: `f8` is not a type @ f8", ""},
    {"nb.flot32(f4)", "PK2011: `flot32` is not a type @ nb.flot32", "float32"},
    {"3", "PK2012: `3` is a number, not a signature @ 3", ""},
    {"[[f4(f4)]]", "PK2012: `[f4(f4)]` is a list, not a signature @ [f4(f4)]", ""},
    {"make_signature()", "PK2011: `make_signature` is not a type @ make_signature", ""},
    {"[f4(f4) if N else f4]",
     "PK2020: cannot tell the type that `f4(f4) if N else f4` means "
     "without running the file @ f4(f4) if N else f4",
     ""},
    {"x", "PK2020: cannot tell the type that `x` means without running the file @ x", ""},
    {"'void(' 'f9)'", "PK2011: `f9` is not a type @ 'void(' 'f9)'", ""},
    {"'void(\\x66\\x39)'", "PK2011: `f9` is not a type @ 'void(\\x66\\x39)'", ""},
    {"f4(float64, 2)", "PK2013: `2` is a number, not a type @ 2", ""},
    {"f4('f8')", "PK2013: `'f8'` is a string, not a type @ 'f8'", "f8"},
    {"'void(f8[:, i4])'",
     "PK2015: `i4` is not a dimension of an array type: write `:`, or "
     "`::1` for the contiguous one @ i4",
     ":"},
    {"'void(UniTuple(f8, 2)[:])'",
     "PK2013: `UniTuple(f8, 2)[:]` is an array of tuples, not a type @ UniTuple(f8, 2)[:]", ""},
    {"'void[:](f8)'", "PK2013: `void[:]` is an array of nothing, not a type @ void[:]", ""},
};

}  // namespace

TEST_CASE("mistakes, with the caret at the wrong part") {
  for (const auto& row : kMistakes) {
    File f(std::string(kImports) + "x = " + row.expr + "\n");
    CAPTURE(row.expr);
    CHECK(evaluate(*f.values["x"], f, *f.file, f.diags).empty());
    CHECK(first(f.diags, f.sources) == std::string(row.message));
    CHECK(fix(f.diags) == std::string(row.fix));
    CHECK(f.diags.error_count() == 1);
  }
}

TEST_CASE("warnings about contiguity that says nothing") {
  for (const char* text : {"void(f8[:,::1,:])", "void(f8[::1,::1])", "void(f8[::2])"}) {
    SourceMap sources;
    Diagnostics diags;
    const SourceFile& file = sources.add("--sig", text);
    CHECK(parse(file.text, file, diags).size() == 1);
    REQUIRE(diags.all().size() == 1);
    CHECK(diags.all()[0].code == 2018);
  }
}

TEST_CASE("annotations and dtype arguments") {
  const struct {
    const char *expr, *expected;
  } rows[] = {
      {"int", "int64"},
      {"float", "float64"},
      {"bool", "bool"},
      {"complex", "complex128"},
      {"None", "none"},
      {"np.float32", "float32"},
      {"'float32'", "float32"},
      {"'<f4'", "float32"},
      {"'float64[:, ::1]'", "float64[:,::1]"},
      {"'float[:]'", "float64[:]"},
      {"float64[:]", "float64[:]"},
      {"'d'", "float64"},
      {"np.dtype('int16')", "int16"},
      {"int | None", "optional(int64)"},
      {"Optional[float]", "optional(float64)"},
      {"typing.Union[None, f4]", "optional(float32)"},
      {"tuple[int, float]", "Tuple((int64, float64))"},
      {"typing.Final[int]", "int64"},
      {"types.UniTuple(float64, 2)", "UniTuple(float64, 2)"},
  };
  for (const auto& row : rows) {
    File f(std::string(kImports) + "x = " + row.expr + "\n");
    CAPTURE(row.expr);
    const types::Type* type = evaluate_type(*f.values["x"], f, *f.file, f.diags);
    CHECK(first(f.diags, f.sources) == "");
    REQUIRE(type);
    CHECK(types::print(type) == row.expected);
  }
  for (const char* expr : {"np.ndarray", "list[int]", "int | float", "str", "'f9'", "unknown"}) {
    File f(std::string(kImports) + "x = " + expr + "\n");
    CAPTURE(expr);
    CHECK(evaluate_type(*f.values["x"], f, *f.file, f.diags) == nullptr);
    CHECK(f.diags.error_count() == 1);
  }
}

TEST_CASE("named signatures of comments and the command line") {
  const struct {
    const char *text, *name, *expected;
  } rows[] = {
      {"f(float32[:])", "f", "(float32[:],)"},
      {" f (float32[:], f8) ", "f", "(float32[:], float64)"},
      {"f()", "f", "()"},
      {"f(float32[:]) -> float32", "f", "float32(float32[:])"},
      {"f(f8) -> void", "f", "void(float64)"},
      {"f = float64(float64)", "f", "float64(float64)"},
      {"f=[f4(f4), f8(f8)]", "f", "float32(float32); float64(float64)"},
      {"float64(float64)", "float64", "(float64,)"},
      {"", "", ""},
      {"f", "", ""},
      {"f(f9)", "", ""},
      {"f(f8) -> f9", "", ""},
  };
  for (const auto& row : rows) {
    SourceMap sources;
    sources.add("other", "padding");
    const SourceFile& file = sources.add("--sig", std::string("# sig ") + row.text);
    Diagnostics diags;
    CAPTURE(row.text);
    const Named named = parse_named(std::string_view(file.text).substr(6), file, diags);
    CHECK(named.name.str() == row.name);
    CHECK(join(named.signatures) == row.expected);
    CHECK(diags.has_errors() == (*row.name == 0));
    for (const Signature& one : named.signatures)
      for (size_t i = 0; i < one.params.size(); ++i)
        CHECK(std::string(row.text).find(sources.text(one.param_spans[i])) != std::string::npos);
  }
}

TEST_CASE("parse(print(t)) == t") {
  std::vector<const types::Type*> all;
  for (const char* name : {"b1", "i1", "i8", "u1", "u8", "f2", "f4", "f8", "c8", "c16"})
    all.push_back(types::find_scalar(name));
  for (size_t i = 0, scalars = all.size(); i < scalars; ++i) {
    for (int rank = 0; rank < 4; ++rank)
      for (const auto layout : {types::Layout::kA, types::Layout::kC, types::Layout::kF})
        for (int flags = 0; flags < 4; ++flags)
          all.push_back(types::array(all[i], rank, layout, flags & 1, flags & 2));
    all.push_back(types::tuple({all[i]}));
    all.push_back(types::tuple({all[i], all[(i + 1) % scalars], all[scalars + i]}));
    all.push_back(types::tuple({all[i], all[i], all[i]}));
    all.push_back(types::optional(all.back()));
  }
  all.push_back(types::none());
  all.push_back(types::tuple({}));
  all.push_back(types::tuple({types::tuple({}), types::optional(types::int64())}));
  for (const types::Type* type : all) {
    SourceMap sources;
    Diagnostics diags;
    const SourceFile& file = sources.add("--sig", types::print(type));
    CAPTURE(file.text);
    CHECK(parse_type(file.text, file, diags) == type);
  }
}

TEST_CASE("names that double, and cycles, end") {
  std::string text = "from numba import f8\na0 = (f8, f8)\n";
  for (int i = 1; i < 60; ++i) text += fmt::format("a{} = a{} + a{}\n", i, i - 1, i - 1);
  File f(text + "x = a59\ny = z\nz = y\n");
  CHECK(evaluate(*f.values["x"], f, *f.file, f.diags).empty());
  CHECK(f.diags.has_errors());
  CHECK(evaluate(*f.values["y"], f, *f.file, f.diags).empty());
}

}  // namespace pyk2cu::signature
