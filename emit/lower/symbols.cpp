// Names of functions and arrays in C++, decided once, before anything else.
//
//   saxpy                     the only signature of a function, or the only instance of a helper
//   saxpy_f4_f4               one of several
//   saxpy_c                   the same with contiguous arrays
//   hypot_loop                the loop of a ufunc, which calls `hypot`
//
// Entry points come first, so that they keep their names whatever helpers are called.
// In:   a program without symbols.  Out: symbols, unique in the module's namespace.
// Tested by tests/run/test_names.py and tests/golden.
#include <fmt/format.h>

#include <unordered_map>

#include "emit/lower/lower.h"
#include "emit/text/names.h"

namespace pyk2cu::emit {

namespace {

std::string mangled(Symbol name, const std::vector<const types::Type*>& params) {
  std::string symbol(name.str());
  for (const types::Type* type : params) symbol += "_" + types::mangle(type);
  return symbol;
}

class Namer {
 public:
  explicit Namer(ir::Program& program) : program_(program) {}

  void run() {
    entries();
    variants();
    helpers();
    arrays();
  }

 private:
  std::string unique(std::string_view wanted) {
    return unique_symbol(program_, cpp_identifier(wanted, NameFor::kFunction));
  }

  void entries() {
    for (const ir::Entry& entry : program_.entries)
      for (const ir::Overload& overload : entry.overloads) {
        std::string& symbol = overload.general()->symbol;
        if (!symbol.empty()) continue;
        const std::string stem = wanted_symbol(entry, overload);
        symbol = unique(entry.ufunc ? stem + "_loop" : stem);
      }
  }

  void variants() {
    for (const ir::Entry& entry : program_.entries)
      for (const ir::Overload& overload : entry.overloads)
        for (const ir::Variant& variant : overload.variants)
          if (variant.function->symbol.empty())
            variant.function->symbol = unique(overload.general()->symbol + suffix(entry, variant));
  }

  // _c: contiguous; _c_y: with one y for all elements.
  static std::string suffix(const ir::Entry& entry, const ir::Variant& variant) {
    using Kind = ir::Guard::Kind;
    std::string text;
    for (const ir::Guard& guard : variant.guards) {
      if (guard.kind == Kind::kContiguous && !text.starts_with("_c")) text = "_c" + text;
      if (guard.kind == Kind::kFixed)
        text += "_" + std::string(entry.param_names[size_t(guard.param)].str());
    }
    return text;
  }

  void helpers() {
    std::unordered_map<uint32_t, int> instances;  // by the place of the definition
    for (const ir::Function* f : program_.functions)
      if (f->part.empty()) ++instances[f->span.begin];
    for (ir::Function* f : program_.functions) {
      if (!f->symbol.empty()) continue;
      std::vector<const types::Type*> params;
      for (const ir::Param& param : f->params) params.push_back(param.local->type);
      f->symbol = unique(instances[f->span.begin] == 1 ? std::string(f->name.str())
                                                       : mangled(f->name, params));
    }
  }

  // An array has a second variable beside it: `table` and `table_items`.
  void arrays() {
    for (ir::GlobalArray* array : program_.globals) {
      do array->symbol = unique(array->name.str());
      while (program_.symbols.contains(array->symbol + "_items"));
      program_.symbols[array->symbol + "_items"] = 1;
    }
  }

  ir::Program& program_;
};

}  // namespace

std::string wanted_symbol(const ir::Entry& entry, const ir::Overload& overload) {
  return entry.overloads.size() == 1 ? std::string(entry.name.str())
                                     : mangled(entry.name, overload.params);
}

void symbols(ir::Program& program) { Namer(program).run(); }

std::string unique_symbol(ir::Program& program, std::string_view wanted) {
  std::string symbol(wanted);
  int& n = program.symbols[symbol];
  if (n++ == 0) return symbol;
  do symbol = fmt::format("{}_{}", wanted, n++);
  while (!program.symbols.try_emplace(symbol, 1).second);
  return symbol;
}

}  // namespace pyk2cu::emit
