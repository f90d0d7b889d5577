// Loading: which files are read, in which order, and notebooks.
#include "frontend/parse/load.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "frontend/parse/module_name.h"

namespace pyk2cu::frontend {

namespace {

namespace fs = std::filesystem;

// A folder of files that is gone at the end.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("pyk2cu_load_" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
  }
  std::string at(const std::string& name) const { return (path / name).generic_string(); }
};

std::string names(const Folder& folder, const Loaded& loaded) {
  std::string out;
  for (const auto& module : loaded.modules) {
    out +=
        (out.empty() ? "" : " ") + fs::relative(module->file->path, folder.path).generic_string();
  }
  return out;
}

}  // namespace

TEST_CASE("imports are followed to files of the source tree") {
  const Folder folder;
  folder.write("pkg/__init__.py", "");
  folder.write("pkg/kernels.py",
               "import numpy, os.path, nothing\nfrom .util import f\nfrom pkg import other\n"
               "def g():\n    from . import late\nimport more.deep as d\n");
  folder.write("pkg/util.py", "import pkg.kernels\n");
  folder.write("pkg/other.py", "");
  folder.write("pkg/late.py", "");
  folder.write("pkg/numpy.py", "");
  folder.write("lib/more/deep.py", "");
  folder.write("pkg/kernels.sig", "f(float64)\n");
  SourceMap sources;
  Diagnostics diags;
  const Loaded loaded = load({folder.at("pkg/kernels.py")}, {folder.at("lib")}, sources, diags);
  CHECK(diags.all().empty());
  CHECK(loaded.roots == 1);
  CHECK(names(folder, loaded) ==
        "pkg/kernels.py pkg/util.py pkg/__init__.py pkg/other.py pkg/late.py lib/more/deep.py");
  REQUIRE(loaded.signature_files.size() == 1);
  CHECK(loaded.signature_files[0]->text == "f(float64)\n");
}

TEST_CASE("a file that is not there is said once, the others are read") {
  const Folder folder;
  folder.write("a.py", "x = 1\n");
  SourceMap sources;
  Diagnostics diags;
  const Loaded loaded =
      load({folder.at("none.py"), folder.at("a.py"), folder.at("a.py")}, {}, sources, diags);
  CHECK(loaded.roots == 1);
  CHECK(diags.error_count() == 1);
  CHECK(diags.all()[0].code == 1002);
}

TEST_CASE("notebooks are their code cells") {
  const char* const json = R"({"cells": [
    {"cell_type": "markdown", "source": ["# text"]},
    {"cell_type": "code",
     "source": ["%matplotlib inline\n", "import numpy\n", "if x:\n", "    !ls"]},
    {"cell_type": "code", "source": "%%bash\nls -l"},
    {"cell_type": "code", "source": "%%time\nnumpy.sin?\ny = 2 # ?"}]})";
  std::string text, error;
  REQUIRE(notebook_text(json, text, error));
  CHECK(
      text ==
      "# cell 2\npass\nimport numpy\nif x:\n    pass\n# cell 3\n# cell 4\npass\npass\ny = 2 # ?\n");
  for (const char* bad : {"", "[]", "{}", R"({"cells": 3})", "{\"cells\": ["}) {
    CHECK_FALSE(notebook_text(bad, text, error));
  }
}

TEST_CASE("generated files name sources from where Python imports them") {
  const Folder folder;
  folder.write("pkg/__init__.py", "");
  folder.write("pkg/sub/__init__.py", "");
  folder.write("pkg/sub/k.py", "from ..util import f\nimport extra\nimport beside\n");
  folder.write("pkg/util.py", "");
  folder.write("pkg/sub/beside.py", "");
  folder.write("lib/extra.py", "");
  SourceMap sources;
  Diagnostics diags;
  const Loaded loaded =
      load({folder.at("pkg/sub/../sub/k.py")}, {folder.at("lib")}, sources, diags);
  std::string names;
  for (const auto& module : loaded.modules) names += module->file->name + " ";
  CHECK(names == "pkg/sub/k.py pkg/util.py lib/extra.py ");  // never the own folder of a package
  CHECK(sources.locate(loaded.modules[0]->file->base).name == "pkg/sub/k.py");
}

TEST_CASE("a module has a name that import can say") {
  CHECK(module_name("a/b/kernels.py") == "kernels");
  CHECK(module_name("a/b/__init__.py") == "b");
  const struct {
    const char *asked, *name;
    bool is_exact;
  } rows[] = {
      {"kernels", "kernels", true}, {"größe", "größe", true},   {"ﬁlter", "filter", true},
      {"_x1", "_x1", true},         {"match", "match", true},   {"my-kernels", "my_kernels", false},
      {"2d", "_2d", false},         {"class", "class_", false}, {"ｃlass", "class_", false},
      {"a b.c", "a_b_c", false},    {"-", "_", false},          {"", "_", false},
      {"\xffx", "_", false},        {"x\xff", "x_", false},     {"x²", "x_", false}};
  for (const auto& row : rows) {
    CHECK_MESSAGE(importable(row.asked).text == row.name, row.asked);
    CHECK_MESSAGE(importable(row.asked).is_exact == row.is_exact, row.asked);
  }
}

}  // namespace pyk2cu::frontend
