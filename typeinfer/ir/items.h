// The items of a module's array, which is frozen when the program is compiled.
//
// In:   its bytes, which item.  Out: the number. Tested by tests/golden/module and
// tests/run/test_unroll.py.
#pragma once

#include <cstring>
#include <string>

#include "typeinfer/types/types.h"

namespace pyk2cu::ir {

template <class T>
T read_item(const std::string& bytes, size_t k) {
  T value;
  std::memcpy(&value, bytes.data() + k * sizeof(T), sizeof(T));
  return value;
}

// Of an integer of any width, as Value::integer has it.
inline int64_t read_integer(const std::string& bytes, size_t k, const types::Type* type) {
  switch (type->bits) {
    case 8:
      return type->is_signed ? read_item<int8_t>(bytes, k) : read_item<uint8_t>(bytes, k);
    case 16:
      return type->is_signed ? read_item<int16_t>(bytes, k) : read_item<uint16_t>(bytes, k);
    case 32:
      return type->is_signed ? read_item<int32_t>(bytes, k)
                             : int64_t{read_item<uint32_t>(bytes, k)};
    default:
      return read_item<int64_t>(bytes, k);
  }
}

}  // namespace pyk2cu::ir
