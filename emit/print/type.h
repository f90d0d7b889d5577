// C++ spellings of types.
//
// In:   types.  Out: `int64_t`, `pyk::array<const double, 2, pyk::C>`, `pyk::tuple<…>`; the runtime
// headers that they need. Tested by tests/golden.
#pragma once

#include <set>
#include <string>

#include "typeinfer/ir/ir.h"
#include "typeinfer/types/types.h"

namespace pyk2cu::emit {

// How an array is held: a view to write through or not, or one that may own its memory.
enum class Hold : unsigned char { kView, kConstView, kOwned };

// Throws std::logic_error, an internal error, for a type that C++ has no spelling for.
// `index` is the type that offsets are computed in; empty for the default, int64_t.
std::string cpp_type(const types::Type* type, Hold hold = Hold::kView,
                     const std::string& index = {});
// Of an array's elements: `double`, and `pyk::packed<double>` at any address.
std::string cpp_element(const types::Type* array);
// What tells records of equal size apart in C++.
uint32_t record_key(const types::Type* record);
const char* cpp_layout(types::Layout layout);  // pyk::C, pyk::F, pyk::A; L of any
const char* cpp_form(ir::Form form);           // pyk::libm, pyk::lane_math; M of either
void add_headers_of(const types::Type* type, Hold hold, std::set<std::string>& headers);

}  // namespace pyk2cu::emit
