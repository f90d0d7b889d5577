// Prints the C interface: see c_api.h.
//
//   int32_t kernels_total(const pyk_f8_1d *a, double *result);
//
// Every function returns a status and hands its result over through a pointer, so that an edit of
// the source that makes a function raise changes no caller.
// Tested by tests/run/test_c_api.py.
#include "emit/pyext/c_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "emit/print/type.h"
#include "emit/pyext/module.h"
#include "emit/text/code.h"
#include "emit/text/names.h"
#include "emit/text/writer.h"

namespace pyk2cu::pyext {
namespace {

using types::Kind;
using types::Type;

bool is_plain(const Type* type) {
  return type->is_bool() || type->is_int() || (type->is_float() && type->bits >= 32);
}
bool is_nothing(const Type* type) { return type->kind == Kind::kVoid || type->is_none(); }
bool is_number(const Type* type) { return is_plain(type) || type->is_complex(); }

// What C can say: numbers, arrays of them, tuples of both, numbers or None.
bool has_c_type(const Type* type, bool arrays = true) {
  if (type->is_array()) return arrays && type->rank > 0 && is_number(type->elem);
  if (type->is_optional()) return is_number(type->elem);
  if (!type->is_tuple()) return is_number(type);
  for (const Type* item : type->items)
    if (!has_c_type(item, arrays)) return false;
  return !type->items.empty();
}

bool is_available(const ir::Overload& overload) {
  for (const Type* param : overload.params)
    if (!param->has_one_value() && !has_c_type(param)) return false;
  const Type* result = overload.general()->result;
  return is_nothing(result) || has_c_type(result, result->is_array());
}

// f8, c16, f8_2d, t2_f8_i8, o_f8
std::string short_name(const Type* type) {
  if (type->is_array()) return fmt::format("{}_{}d", types::mangle(type->elem), type->rank);
  if (type->is_optional()) return "o_" + short_name(type->elem);
  if (!type->is_tuple()) return types::mangle(type);
  std::string name = fmt::format("t{}", type->items.size());
  for (const Type* item : type->items) name += "_" + short_name(item);
  return name;
}

std::string c_type(const Type* type) {
  return is_plain(type) ? emit::cpp_type(type) : "pyk_" + short_name(type);
}

// A parameter beside the macros of whoever includes the header, which are in capitals, and its
// types.
std::string c_param(std::string_view python) {
  std::string name = emit::cpp_identifier(python, emit::NameFor::kNamespace);
  const bool small = std::ranges::any_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
  return !small || name.starts_with("pyk_") ? name + "_" : name;
}

constexpr std::string_view kHead = R"(//
// Every function returns 0, or a status that {0}_explain() turns into text; results
// come through the last pointers. Structs describe arrays: the first element, extents, strides in
// bytes, of any sign (`float64[:,::1]` wants those of C order). Arrays are only read unless a
// comment says otherwise. A returned array lies in memory of its own, to be given back by
// {0}_free(owner), or, where `owner` is null, in that of an argument.
//
// Nothing here needs Python. Link with {1}.c.cpp and the other sources but {1}.module.cpp
// (CMake: the target {0}_c); or, in a process of Python, ctypes.CDLL({1}.__file__).
#ifndef {2}
#define {2}

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) && !defined(PYK_C_API)
#define PYK_C_API __attribute__((visibility("default")))
#elif !defined(PYK_C_API)
#define PYK_C_API
#endif
)";

class Printer {
 public:
  Printer(const ir::Program& program, const emit::Lowered& lowered, bool has_sites)
      : program_(program),
        lowered_(lowered),
        prefix_(emit::ascii_name(program.module_name)),
        space_("::" + emit::namespace_name(program.module_name)),
        has_sites_(has_sites) {
    names_.reserve(prefix_ + "_explain");
    names_.reserve(prefix_ + "_free");
  }

  std::vector<emit::OutputFile> files() {
    for (size_t i = 0; i < program_.entries.size(); ++i)
      for (size_t k = 0; k < program_.entries[i].overloads.size(); ++k)
        function(program_.entries[i], program_.entries[i].overloads[k],
                 lowered_.entries[i]->overloads[k]);
    const std::string& name = program_.module_name;
    return {{name + ".c.h", emit::FileKind::kHeader, header()},
            {name + ".c.cpp", emit::FileKind::kCpuSource, source()}};
  }

 private:
  // ---- types of C ------------------------------------------------------------------------------
  void declare(const Type* type) {
    if (is_plain(type)) return;
    if (type->elem) declare(type->elem);
    for (const Type* item : type->items) declare(item);
    const std::string name = "pyk_" + short_name(type);
    if (!declared_.insert(name).second) return;
    std::string fields;
    if (type->is_array()) {
      fields = fmt::format("{} *data; int64_t shape[{}], strides[{}];", c_type(type->elem),
                           type->rank, type->rank);
    } else if (type->is_optional()) {
      fields = fmt::format("bool has; {} value;", c_type(type->elem));
    } else if (type->is_complex()) {
      fields = fmt::format("{} re, im;", type->bits == 64 ? "float" : "double");
    } else {
      for (size_t i = 0; i < type->items.size(); ++i)
        fields += fmt::format("{}{} f{};", i > 0 ? " " : "", c_type(type->items[i]), i);
    }
    const std::string guard = "PYK_C_" + short_name(type);
    types_ += fmt::format("#ifndef {0}\n#define {0}\ntypedef struct {{ {1} }} {2};\n#endif\n",
                          guard, fields, name);
  }

  // ---- values ----------------------------------------------------------------------------------
  // A struct of C as an argument of the compiled function.
  static std::string from_c(const Type* type, const std::string& value) {
    if (is_plain(type)) return value;
    if (type->is_array()) return "pyk::c::ref(" + value + ")";
    if (type->is_complex())
      return fmt::format("{}{{{}.re, {}.im}}", emit::cpp_type(type), value, value);
    if (type->is_optional())
      return fmt::format("{0}.has ? {1}({2}) : {1}::none()", value, emit::cpp_type(type),
                         from_c(type->elem, value + ".value"));
    std::string items;
    for (size_t i = 0; i < type->items.size(); ++i)
      items += (i > 0 ? ", " : "") + from_c(type->items[i], fmt::format("{}.f{}", value, i));
    return "{" + items + "}";
  }
  static std::string to_c(const Type* type, const std::string& value) {
    if (is_plain(type)) return value;
    if (type->is_complex()) return fmt::format("{{{}.re, {}.im}}", value, value);
    if (type->is_optional())
      return fmt::format("{{{}.has, {}}}", value, to_c(type->elem, value + ".value"));
    std::string items;
    for (size_t i = 0; i < type->items.size(); ++i)
      items +=
          (i > 0 ? ", " : "") + to_c(type->items[i], fmt::format("pyk::get<{}>({})", i, value));
    return "{" + items + "}";
  }

  // `(*p).f0` is `p->f0`.
  static std::string simplified(std::string text, const std::string& pointer) {
    const std::string item = "(*" + pointer + ").";
    for (size_t at; (at = text.find(item)) != text.npos;)
      text.replace(at, item.size(), pointer + "->");
    return text;
  }

  // The arrays of a parameter, those inside tuples too.
  static void find_arrays(const Type* type, const std::string& value,
                          std::vector<std::pair<const Type*, std::string>>& arrays) {
    if (type->is_array()) arrays.emplace_back(type, value);
    for (size_t i = 0; i < type->items.size(); ++i)
      find_arrays(type->items[i], fmt::format("{}.f{}", value, i), arrays);
  }

  // ---- functions -------------------------------------------------------------------------------
  struct Signature {
    std::vector<std::string> params{}, args{};  // of the function in C, of the compiled one
    std::vector<std::string> arrays{};
    std::string checks{}, written{};
  };

  void add_param(Signature& to, const Type* type, const std::string& name, size_t index) {
    declare(type);
    to.params.push_back(is_plain(type) ? c_type(type) + " " + name
                                       : "const " + c_type(type) + " *" + name);
    std::string value = is_plain(type) ? name : "*" + name;
    if (!is_plain(type) && !type->is_array()) value = "(" + value + ")";
    to.args.push_back(simplified(from_c(type, value), name));
    std::vector<std::pair<const Type*, std::string>> arrays;
    find_arrays(type, value, arrays);
    for (const auto& [array, where] : arrays) {
      to.arrays.push_back(simplified(where, name));
      if (array->layout != types::Layout::kC && array->layout != types::Layout::kF) continue;
      to.checks += fmt::format("  if (!pyk::c::is_dense<{}>({})) return pyk::c::bad_layout({});\n",
                               emit::cpp_layout(array->layout), to.arrays.back(), index);
    }
  }

  Signature signature(const ir::Entry& entry, const ir::Overload& overload,
                      const ir::Function& lowered) {
    Signature made;
    emit::NameScope taken;
    for (const char* name : {"grid", "block", "result", "owner", "value", "status", "launch"})
      taken.reserve(name);
    if (entry.kind == ir::FunctionKind::kKernel)
      made.params = {"const int32_t grid[3]", "const int32_t block[3]"};
    // Those of a universal function are the arrays that its loop runs over, the outputs last.
    const size_t count = entry.ufunc ? lowered.params.size() : overload.params.size();
    for (size_t i = 0; i < count; ++i) {
      const int place = entry.ufunc ? int(i) : overload.place_of(i);
      if (place < 0) continue;
      const ir::Param& param = lowered.params[size_t(place)];
      const Symbol given = entry.ufunc ? param.local->name : entry.param_names[i];
      const Type* type = entry.ufunc ? param.local->type : overload.params[i];
      const std::string name = taken.unique(c_param(given.str()));
      add_param(made, type, name, i);
      if (param.written && type->is_array())
        made.written += (made.written.empty() ? "  writes " : ", ") + name;
    }
    const Type* result = lowered.result;
    if (is_nothing(result)) return made;
    declare(result);
    made.params.push_back(c_type(result) + " *result");
    if (result->is_array()) made.params.push_back("void **owner");
    return made;
  }

  void function(const ir::Entry& entry, const ir::Overload& overload, const ir::Overload& lowered) {
    const std::string python = fmt::format("{}  {}{}", entry.name.str(), signature_of(overload),
                                           entry.ufunc ? ", of all elements" : "");
    if (!is_available(overload)) {
      functions_ += "\n// not for C: " + python + "\n";
      return;
    }
    const bool is_kernel = entry.kind == ir::FunctionKind::kKernel;
    Signature made = signature(entry, overload, *lowered.general());
    if (made.params.empty()) made.params = {"void"};
    const std::string symbol =
        entry.ufunc
            ? emit::cpp_identifier(emit::wanted_symbol(entry, overload), emit::NameFor::kFunction)
            : overload.general()->symbol;
    const std::string name = emit::unreserved(prefix_ + "_" + symbol, emit::NameFor::kFunction);
    const std::string head =
        fmt::format("int32_t {}({})", names_.unique(name), fmt::join(made.params, ", "));
    functions_ += fmt::format("\n// {}{}\nPYK_C_API {};\n", python, made.written, head);
    bodies_ += fmt::format("\n{} {{\n{}", head, made.checks);
    if (is_kernel) {
      made.args.insert(made.args.begin(), "launch");
      bodies_ += "  const pyk::launch launch = pyk::c::launch_of<pyk::launch>(grid, block);\n";
    }
    if (lowered.variants.size() > 1 && !entry.ufunc) {  // loops want operands that are apart, too
      std::string dense;
      for (const std::string& array : made.arrays)
        dense += (dense.empty() ? "" : " && ") + fmt::format("pyk::c::is_dense<pyk::C>({})", array);
      bodies_ += fmt::format("  if ({}) {{\n", dense);
      call(lowered.variants.front(), made.args, "    ");
      bodies_ += "  }\n";
    }
    call(lowered.variants.back(), made.args, "  ");
    bodies_ += "}\n";
  }

  // One variant's call, and its result.
  void call(const ir::Variant& variant, std::vector<std::string> args, std::string_view indent) {
    const ir::Function& f = *variant.function;
    const auto line = [&](const std::string& text) {
      bodies_ += std::string(indent) + text + "\n";
    };
    const std::string type =
        is_nothing(f.result) ? "" : emit::plain(emit::cpp_type(f.result, emit::Hold::kOwned));
    if (f.any_layout && type.find("L>") != type.npos)
      line(fmt::format("using L = {};", emit::cpp_layout(variant.instance.layout)));
    if (f.may_raise && !type.empty()) {
      line(type + " value{};");
      args.push_back("value");
    }
    const std::string made =
        fmt::format("{}::{}({})", space_, symbol_of(variant), fmt::join(args, ", "));
    if (f.may_raise) {
      line("const pyk::status status = " + made + ";");
      line("if (status) return status.code;");
    } else {
      line((type.empty() ? "" : type + " value = ") + made + ";");
    }
    if (f.result->is_array())
      line("*owner = pyk::c::hand_over(*result, value);");
    else if (!type.empty())
      line("*result = " + to_c(f.result, "value") + ";");
    line("return 0;");
  }

  // ---- files -----------------------------------------------------------------------------------
  std::string header() const {
    const std::string guard = "PYK_C_API_OF_" + prefix_;
    std::string text = fmt::format(
        "// generated by pyk2cu: the functions of the module `{}` for C, C++ and ctypes\n",
        program_.module_name);
    text += fmt::format(kHead, prefix_, program_.module_name, guard);
    text += "\n" + types_ + (types_.empty() ? "" : "\n");
    text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    text += functions_;
    text += fmt::format(
        "\n// What the status of this thread's last call means: as snprintf does.\n"
        "PYK_C_API size_t {0}_explain(int32_t status, char *text, size_t size);\n\n"
        "PYK_C_API void {0}_free(void *owner);\n",
        prefix_);
    return text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  }

  std::string source() const {
    const std::string& name = program_.module_name;
    std::string text =
        fmt::format("// generated by pyk2cu: the functions of the module `{}` for C\n", name);
    text +=
        fmt::format("#include \"{0}.c.h\"\n\n#include \"{0}.h\"\n#include \"pyk/c_api.h\"\n", name);
    text += bodies_;
    text += fmt::format(
        "\nsize_t {0}_explain(int32_t status, char* text, size_t size) {{\n"
        "  return pyk::c::explain({1}, status, text, size);\n}}\n\n"
        "void {0}_free(void* owner) {{ pyk::release(static_cast<pyk::memory*>(owner)); }}\n",
        prefix_, has_sites_ ? space_ + "::sites" : "nullptr");
    return text;
  }

  const ir::Program& program_;
  const emit::Lowered& lowered_;
  const std::string prefix_, space_;
  const bool has_sites_;
  emit::NameScope names_{};
  std::unordered_set<std::string> declared_{};
  std::string types_{}, functions_{}, bodies_{};
};

}  // namespace

std::vector<emit::OutputFile> make_c_api(const ir::Program& program, const emit::Lowered& lowered,
                                         bool has_sites) {
  return Printer(program, lowered, has_sites).files();
}

}  // namespace pyk2cu::pyext
