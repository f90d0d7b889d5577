// The named tuple classes that the results of a module need, and which tuple is of which class.
//
// In:   ir::Program.  Out: classes in the order of entry points, one per name and fields; the
//       Shape of pyk/python/result.h that a result type has.
// Tested by tests/unit/emit/pyext_test.cpp and tests/run/test_named_tuples.py.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::pyext {

class FieldClasses {
 public:
  explicit FieldClasses(const ir::Program& program);

  struct One {
    Symbol name{};
    std::vector<Symbol> fields{};
    bool is_attribute = true;  // of the module: no function and no class before has the name
    std::vector<const types::Type*> uses{};  // in results: they differ in the types of items
  };
  const std::vector<One>& all() const { return all_; }
  const One* find(const types::Type* type) const;  // null when it is no named tuple of a result

  // Named<0, Plain, Plain>, or "" for a type without named tuples in it
  std::string shape(const types::Type* type) const;
  // "x y"
  static std::string fields(const One& one);

 private:
  void add(const types::Type* type);

  std::vector<One> all_{};
};

}  // namespace pyk2cu::pyext
