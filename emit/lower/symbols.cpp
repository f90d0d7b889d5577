// Names of functions and arrays in C++, decided once, before anything else.
//
//   saxpy                     the only signature of a function, or the only instance of a helper
//   saxpy__f4_f4              one of several
//   saxpy__c                  the same with contiguous arrays
//
// Entry points come first, so that they keep their names whatever helpers are called.
// In:   a program without symbols.  Out: symbols, unique in the module's namespace.
// Tested by tests/run/test_names.py and tests/golden.
#include <map>

#include "emit/lower/lower.h"
#include "emit/text/names.h"

namespace pyk2cu::emit {

namespace {

std::string mangled(Symbol name, const std::vector<const types::Type*>& params) {
  std::string symbol = std::string(name.str()) + "_";
  for (const types::Type* type : params) symbol += "_" + types::mangle(type);
  return symbol;
}

class Namer {
 public:
  explicit Namer(ir::Program& program) : program_(program) {}

  void run() {
    entries();
    contiguous();
    helpers();
    arrays();
  }

 private:
  std::string unique(std::string_view wanted) {
    return scope_.unique(cpp_identifier(wanted, NameFor::kFunction));
  }

  void entries() {
    for (const ir::Entry& entry : program_.entries)
      for (const ir::Overload& overload : entry.overloads) {
        std::string& symbol = overload.function->symbol;
        if (!symbol.empty()) continue;
        symbol = unique(entry.overloads.size() == 1 ? std::string(entry.name.str())
                                                    : mangled(entry.name, overload.params));
      }
  }

  void contiguous() {
    for (const ir::Entry& entry : program_.entries)
      for (const ir::Overload& overload : entry.overloads)
        if (overload.contiguous && overload.contiguous->symbol.empty())
          overload.contiguous->symbol = unique(overload.function->symbol + "__c");
  }

  void helpers() {
    std::map<uint32_t, int> instances;  // by the place of the definition
    for (const ir::Function* f : program_.functions) ++instances[f->span.begin];
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
      std::string name = unique(array->name.str());
      while (scope_.is_taken(name + "_items")) name = unique(array->name.str());
      scope_.reserve(name + "_items");
      array->symbol = name;
    }
  }

  ir::Program& program_;
  NameScope scope_{};
};

}  // namespace

void symbols(ir::Program& program) { Namer(program).run(); }

NameScope symbols_of(const ir::Program& program) {
  NameScope scope;
  for (const ir::Function* f : program.functions) scope.reserve(f->symbol);
  for (const ir::GlobalArray* array : program.globals) {
    scope.reserve(array->symbol);
    scope.reserve(array->symbol + "_items");
  }
  return scope;
}

}  // namespace pyk2cu::emit
