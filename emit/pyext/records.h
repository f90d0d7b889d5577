// The structured dtypes that a module's functions take and give.
//
// In:   ir::Program.  Out: lines of the generated module: for each record type that an overload
//       names its fields (pyk/python/state.h), and what ties the C++ type to them.
// Tested by tests/run/test_records.py.
#pragma once

#include <vector>

#include "emit/text/writer.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::pyext {

class RecordTables {
 public:
  explicit RecordTables(const ir::Program& program);

  bool empty() const { return count_ == 0; }
  void traits(emit::Writer& out) const;  // in namespace pyk::python
  void tables(emit::Writer& out) const;  // in the nameless namespace inside

 private:
  void add(const types::Type* type);
  void add_record(const types::Type* record);
  void table(size_t k, std::vector<bool>& done, emit::Writer& out) const;
  size_t place_of(const types::Type* record) const;

  std::vector<const types::Type*> all_{};  // those that overloads name first
  size_t count_ = 0;                       // of those: others are inside of them
};

}  // namespace pyk2cu::pyext
