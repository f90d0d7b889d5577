// The type stub <module>.pyi: what editors and type checkers know of the module.
//
//   def saxpy(a: float, x: npt.NDArray[np.float32], out: npt.NDArray[np.float32]) -> None: ...
#include <fmt/format.h>

#include <algorithm>

#include "emit/project/project.h"
#include "emit/pyext/classes.h"
#include "emit/pyext/module.h"

namespace pyk2cu::project {
namespace {

using types::Kind;

using Classes = pyext::FieldClasses;

struct Uses {  // what the hints name, which is to be imported
  bool any = false, numpy = false;
};

std::string hint(const types::Type* type, const Classes& classes, Uses& uses) {
  switch (type->kind) {
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
      return "int";
    case Kind::kFloat:
      return "float";
    case Kind::kComplex:
      return "complex";
    case Kind::kStr:
      return "str";
    case Kind::kVoid:
    case Kind::kNone:
      return "None";
    case Kind::kOptional:
      return hint(type->elem, classes, uses) + " | None";
    case Kind::kArray:
      uses.numpy = true;
      return fmt::format("npt.NDArray[np.{}]",
                         type->elem->is_bool() ? "bool_" : types::print(type->elem));
    case Kind::kTuple: {
      const Classes::One* named = type->name ? classes.find(type) : nullptr;
      if (named && named->is_attribute) return std::string(named->name.str());
      std::string text;
      for (const types::Type* item : type->items)
        text += (text.empty() ? "" : ", ") + hint(item, classes, uses);
      return "tuple[" + (text.empty() ? "()" : text) + "]";
    }
    default:
      uses.any = true;
      return "Any";
  }
}

// class Point(NamedTuple): ...; a field that holds different types is Any.
std::string class_text(const Classes::One& one, const Classes& classes, Uses& uses) {
  std::string text = fmt::format("\nclass {}(NamedTuple):\n", one.name.str());
  for (size_t i = 0; i < one.fields.size(); ++i) {
    std::string type = hint(one.uses[0]->items[i], classes, uses);
    for (const types::Type* use : one.uses)
      if (hint(use->items[i], classes, uses) != type) type = "Any";
    uses.any = uses.any || type == "Any";
    text += fmt::format("    {}: {}\n", one.fields[i].str(), type);
  }
  return one.fields.empty() ? text + "    pass\n" : text;
}

std::string quoted(std::string_view text) {
  std::string result = "\"\"\"";
  for (char c : text) {
    if (c == '\\' || c == '"') result += '\\';
    result += c;
  }
  return result + "\"\"\"";
}

std::string params_of(const ir::Entry& entry, const ir::Overload& overload, const Classes& classes,
                      Uses& uses) {
  std::string text;
  for (size_t i = 0; i < entry.param_names.size(); ++i) {
    text += i > 0 ? ", " : "";
    text +=
        fmt::format("{}: {}", entry.param_names[i].str(), hint(overload.params[i], classes, uses));
    if (i < entry.defaults.size() && entry.defaults[i].present) text += " = ...";
  }
  return text;
}

// One head per overload; those that Python's types cannot tell apart (float32, float64) are one.
std::vector<std::string> heads_of(const ir::Entry& entry, const Classes& classes, Uses& uses) {
  std::vector<std::string> heads, params;
  for (const ir::Overload& overload : entry.overloads) {
    const std::string text = params_of(entry, overload, classes, uses);
    if (std::find(params.begin(), params.end(), text) != params.end()) continue;
    params.push_back(text);
    heads.push_back(fmt::format("def {}({}) -> {}:", entry.name.str(), text,
                                hint(overload.result, classes, uses)));
  }
  return heads;
}

// (x, y)
std::string parameter_list(const ir::Entry& entry) {
  std::vector<std::string_view> names;
  for (Symbol name : entry.param_names) names.push_back(name.str());
  return fmt::format("({})", fmt::join(names, ", "));
}

// A kernel is subscripted first; its launcher takes the arguments.
std::string kernel_text(const ir::Entry& entry) {
  return fmt::format("{}: Kernel  # {}\n", entry.name.str(), parameter_list(entry));
}

constexpr std::string_view kKernel = R"(
_Dims = int | tuple[int, ...] | list[int]

class Launcher:
    griddim: tuple[int, int, int]
    blockdim: tuple[int, int, int]
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...

class Kernel:
    signatures: list[str]
    def __getitem__(self, key: tuple[_Dims, _Dims] | tuple[_Dims, _Dims, Any]
                    | tuple[_Dims, _Dims, Any, int]) -> Launcher: ...
    def configure(self, griddim: _Dims, blockdim: _Dims, stream: Any = ...,
                  sharedmem: int = ...) -> Launcher: ...
    def forall(self, ntasks: int, tpb: int = ..., stream: Any = ...,
               sharedmem: int = ...) -> Launcher: ...
)";

}  // namespace

std::string stub_text(const ir::Program& program) {
  const Classes classes(program);
  std::string body, tuples;
  bool kernels = false, overloads = false;
  Uses uses;
  for (const Classes::One& one : classes.all())
    if (one.is_attribute) tuples += class_text(one, classes, uses);
  for (const ir::Entry& entry : program.entries) {
    if (entry.kind == ir::FunctionKind::kKernel) {
      kernels = true;
      body += kernel_text(entry);
      continue;
    }
    if (entry.ufunc) {
      uses.numpy = true;
      body += fmt::format("{}: np.ufunc  # {}\n", entry.name.str(), parameter_list(entry));
      continue;
    }
    const std::vector<std::string> heads = heads_of(entry, classes, uses);
    overloads = overloads || heads.size() > 1;
    for (const std::string& head : heads) {
      if (heads.size() > 1) body += "@overload\n";
      body += head + (entry.doc.empty() ? " ...\n" : "\n    " + quoted(entry.doc) + "\n");
    }
  }
  std::string text =
      fmt::format("# generated by pyk2cu: types of the module `{}`\n", program.module_name);
  std::vector<std::string_view> typing;
  if (kernels || uses.any) typing.push_back("Any");
  if (!tuples.empty()) typing.push_back("NamedTuple");
  if (overloads) typing.push_back("overload");
  if (!typing.empty()) text += fmt::format("from typing import {}\n\n", fmt::join(typing, ", "));
  if (uses.numpy) text += "import numpy as np\nimport numpy.typing as npt\n";
  if (kernels) text += kKernel;
  return text + tuples + "\n" + body;
}

}  // namespace pyk2cu::project
