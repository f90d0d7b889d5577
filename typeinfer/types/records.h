// Record types: what an element of a structured array holds.
//
// In:   fields with their places, or fields that are put one behind the other as np.dtype does.
// Out:  interned types of kind kRecord: `items` are the types of the fields, `names` their names,
//       `numbers` their offsets in bytes, then the size of the whole and 1 where it is laid out as
//       a C struct (align=True).
// A field is a number, a record, an array of numbers of a fixed shape (kNested), or something that
// only takes room (kOpaque: text, dates).
// Tested by tests/run/test_records.py.
#pragma once

#include <optional>

#include "typeinfer/types/types.h"

namespace pyk2cu::types {

const Type* intern(const Type& type);  // the one type like this

struct Field {
  Symbol name;
  const Type* type = nullptr;
  int64_t offset = 0;
};

constexpr int64_t kMostBytes = 1 << 30;  // of a record

// Null where NumPy takes no such dtype: a field that is none, two names that are one, a field
// beyond the end, a C struct whose places are no multiples of what its fields need; and beyond
// kMostBytes.
const Type* record(const std::vector<Field>& fields, int64_t size, bool c_struct);
// Offsets as np.dtype(fields, align=c_struct) gives them; those given are not looked at.
const Type* laid_out(std::vector<Field> fields, bool c_struct);
const Type* nested(const Type* elem, const std::vector<int64_t>& extents);  // null likewise
// A field type of NumPy that there is no type for ("U5", "M8[s]"), or null: no such one.
const Type* opaque(std::string_view dtype);

int64_t record_size(const Type* record);
bool is_c_struct(const Type* record);
int64_t field_size(const Type* field);
// What addresses of the type are multiples of: of a C struct what its fields need, else 1.
int64_t alignment_of(const Type* field);
// The place of a field among the items.
std::optional<size_t> find_field(const Type* record, Symbol name);
// Do the elements of field k lie at multiples of their own alignment, where the record does?
bool is_field_aligned(const Type* record, size_t k);
// What records have to lie at multiples of, for that: at most 8.
int64_t natural_alignment(const Type* record);
// The field of each element of an array, or of one record: its type.
const Type* field_view(const Type* array, size_t k);
bool holds_records(const Type* type);  // an array of them, or one
// The type of values that a signature means: a record by itself is a view of rank 0.
const Type* as_value(const Type* type);
// NumPy's name of a number, in the machine's byte order: "f8", "?".
std::string dtype_name(const Type* scalar);

}  // namespace pyk2cu::types
