// The type stub <module>.pyi: what editors and type checkers know of the module.
//
//   def saxpy(a: float, x: npt.NDArray[np.float32], out: npt.NDArray[np.float32]) -> None: ...
//
// Tested by tests/run/test_stub.py.
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
  bool any = false, numpy = false, literal = false;
  std::string_view builtins{};  // "builtins." where the module hides one of them
};

// Does the module have a name that the hints use for a type of Python?
bool hides_builtins(const ir::Program& program, const Classes& classes) {
  constexpr std::string_view kUsed[] = {"bool", "int", "float", "complex", "str", "tuple", "list"};
  const auto is_used = [&](Symbol name) { return std::ranges::count(kUsed, name.str()) > 0; };
  return std::ranges::any_of(program.entries, [&](const auto& e) { return is_used(e.name); }) ||
         std::ranges::any_of(classes.all(), [&](const auto& one) { return is_used(one.name); });
}

std::string hint(const types::Type* type, const Classes& classes, Uses& uses) {
  const auto builtin = [&](std::string_view name) {
    return fmt::format("{}{}", uses.builtins, name);
  };
  switch (type->kind) {
    case Kind::kBool:
      return builtin("bool");
    case Kind::kInt:
      return builtin("int");
    case Kind::kFloat:
      return builtin("float");
    case Kind::kComplex:
      return builtin("complex");
    case Kind::kStr: {  // literal('sum')
      uses.literal = true;
      const std::string text = types::print(type);
      const size_t open = text.find('(');
      return fmt::format("Literal[{}]", text.substr(open + 1, text.size() - open - 2));
    }
    case Kind::kVoid:
    case Kind::kNone:
      return "None";
    case Kind::kOptional:
      return hint(type->elem, classes, uses) + " | None";
    case Kind::kArray:
      uses.numpy = true;
      if (type->elem->is_record()) return type->rank == 0 ? "np.void" : "npt.NDArray[np.void]";
      return fmt::format("npt.NDArray[np.{}]",
                         type->elem->is_bool() ? "bool_" : types::print(type->elem));
    case Kind::kList:
      return builtin("list") + "[" + hint(type->elem, classes, uses) + "]";
    case Kind::kSet:
      return builtin("set") + "[" + hint(type->elem, classes, uses) + "]";
    case Kind::kDict:
      return builtin("dict") + "[" + hint(types::key_of(type), classes, uses) + ", " +
             hint(types::value_of(type), classes, uses) + "]";
    case Kind::kTuple: {
      const Classes::One* named = type->name ? classes.find(type) : nullptr;
      if (named && named->is_attribute) return std::string(named->name.str());
      std::string text;
      for (const types::Type* item : type->items)
        text += (text.empty() ? "" : ", ") + hint(item, classes, uses);
      return builtin("tuple") + "[" + (text.empty() ? "()" : text) + "]";
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

// Of the values of `*args`: of all of them, or Any.
std::string hint_of_items(const types::Type* tuple, const Classes& classes, Uses& uses) {
  if (tuple->is_uniform_tuple()) return hint(tuple->items[0], classes, uses);
  uses.any = true;
  return "Any";
}

std::string params_of(const ir::Entry& entry, const ir::Overload& overload, const Classes& classes,
                      Uses& uses) {
  std::string text;
  for (size_t i = 0; i < entry.param_names.size(); ++i) {
    text += i > 0 ? ", " : "";
    const std::string_view name = entry.param_names[i].str();
    if (int(i) == entry.rest) {
      text += fmt::format("*{}: {}", name, hint_of_items(overload.params[i], classes, uses));
      continue;
    }
    text += fmt::format("{}: {}", name, hint(overload.params[i], classes, uses));
    if (i < entry.defaults.size() && entry.defaults[i].present) text += " = ...";
  }
  return text;
}

// How much a type takes in, for type checkers: an int is a float. Of tuples, item by item.
void add_widths(const types::Type* type, std::vector<int>& widths) {
  const bool is_optional = type->is_optional();
  if (is_optional) type = type->elem;
  for (const types::Type* item : type->items) add_widths(item, widths);
  constexpr int kOptional = 4;
  const int width = type->is_complex() ? 3 : type->is_float() ? 2 : type->is_int() ? 1 : 0;
  widths.push_back(width + (is_optional ? kOptional : 0));
}

constexpr int kAnything = 9;

// Narrow types first: a type checker takes the first overload that fits.
std::vector<const ir::Overload*> narrow_first(const ir::Entry& entry) {
  std::vector<std::pair<std::vector<int>, const ir::Overload*>> order;
  for (const ir::Overload& overload : entry.overloads) {
    std::vector<int> widths;
    for (size_t i = 0; i < overload.params.size(); ++i) {
      const types::Type* param = overload.params[i];
      if (int(i) != entry.rest)
        add_widths(param, widths);
      else if (param->is_uniform_tuple())
        add_widths(param->items[0], widths);
      else
        widths.push_back(kAnything);
    }
    order.emplace_back(std::move(widths), &overload);
  }
  std::ranges::stable_sort(order, {}, [](const auto& one) -> const auto& { return one.first; });
  std::vector<const ir::Overload*> overloads;
  for (const auto& [widths, overload] : order) overloads.push_back(overload);
  return overloads;
}

// One head per overload; those that Python's types cannot tell apart (float32, float64) are one,
// which gives what any of them gives.
std::vector<std::string> heads_of(const ir::Entry& entry, const Classes& classes, Uses& uses) {
  struct Head {
    std::string params;
    std::vector<std::string> results{};
  };
  std::vector<Head> heads;
  for (const ir::Overload* overload : narrow_first(entry)) {
    const std::string params = params_of(entry, *overload, classes, uses);
    auto head = std::ranges::find(heads, params, &Head::params);
    if (head == heads.end()) head = heads.insert(head, {params});
    const std::string result = hint(overload->result, classes, uses);
    if (std::ranges::find(head->results, result) == head->results.end())
      head->results.push_back(result);
  }
  std::vector<std::string> texts;
  for (const Head& head : heads)
    texts.push_back(fmt::format("def {}({}) -> {}:", entry.name.str(), head.params,
                                fmt::join(head.results, " | ")));
  return texts;
}

// (x, y)
std::string parameter_list(const ir::Entry& entry) {
  std::vector<std::string> names;
  for (size_t i = 0; i < entry.param_names.size(); ++i) {
    const std::string star = int(i) == entry.rest ? "*" : "";
    names.push_back(star + std::string(entry.param_names[i].str()));
  }
  return fmt::format("({})", fmt::join(names, ", "));
}

// A kernel is subscripted first; its launcher takes the arguments.
std::string kernel_text(const ir::Entry& entry) {
  return fmt::format("{}: Kernel  # {}\n", entry.name.str(), parameter_list(entry));
}

constexpr std::string_view kKernel = R"(
_Dims = {0}int | {0}tuple[{0}int, ...] | {0}list[{0}int]

class Launcher:
    griddim: {0}tuple[{0}int, {0}int, {0}int]
    blockdim: {0}tuple[{0}int, {0}int, {0}int]
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...

class Kernel:
    signatures: {0}list[{0}str]
    def __getitem__(self, key: {0}tuple[_Dims, _Dims] | {0}tuple[_Dims, _Dims, Any]
                    | {0}tuple[_Dims, _Dims, Any, {0}int]) -> Launcher: ...
    def configure(self, griddim: _Dims, blockdim: _Dims, stream: Any = ...,
                  sharedmem: {0}int = ...) -> Launcher: ...
    def forall(self, ntasks: {0}int, tpb: {0}int = ..., stream: Any = ...,
               sharedmem: {0}int = ...) -> Launcher: ...
)";

}  // namespace

std::string stub_text(const ir::Program& program) {
  const Classes classes(program);
  std::string body, tuples;
  bool kernels = false, overloads = false;
  Uses uses;
  if (hides_builtins(program, classes)) uses.builtins = "builtins.";
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
  if (uses.literal) typing.push_back("Literal");
  if (!tuples.empty()) typing.push_back("NamedTuple");
  if (overloads) typing.push_back("overload");
  // One of float32 arrays and one of float64 arrays overlap, for mypy.
  if (overloads) text += "# mypy: disable-error-code=\"overload-overlap\"\n";
  if (!uses.builtins.empty()) text += "import builtins\n";
  if (!typing.empty()) text += fmt::format("from typing import {}\n\n", fmt::join(typing, ", "));
  if (uses.numpy) text += "import numpy as np\nimport numpy.typing as npt\n";
  if (kernels) text += fmt::format(kKernel, uses.builtins);
  std::string exceptions;
  for (const ir::ExceptionClass& one : program.exceptions)
    exceptions += fmt::format("\nclass {}({}): ...\n", one.name.str(), one.bases);
  return text + tuples + exceptions + "\n" + body;
}

}  // namespace pyk2cu::project
