// Types as C++ text: see type.h.
//
// In:   types.  Out: text.
// Tested by tests/golden.
#include "emit/print/type.h"

#include <fmt/format.h>

#include <stdexcept>

namespace pyk2cu::emit {

using types::Kind;
using types::Type;

const char* cpp_layout(types::Layout layout) {
  switch (layout) {
    case types::Layout::kC:
      return "pyk::C";
    case types::Layout::kF:
      return "pyk::F";
    case types::Layout::kA:
      return "pyk::A";
  }
  return "";
}

bool holds_array(const Type* type) {
  if (type->is_array()) return true;
  if (type->is_optional()) return holds_array(type->elem);
  if (type->is_tuple())
    for (const Type* item : type->items)
      if (holds_array(item)) return true;
  return false;
}

namespace {

// Inference lets no such type through: to print another one instead would be silent nonsense.
std::logic_error without_spelling(const Type* type) {
  return std::logic_error("type `" + types::print(type) + "` has no C++ spelling");
}

}  // namespace

std::string cpp_type(const Type* type, Hold hold, const std::string& index) {
  switch (type->kind) {
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
      return fmt::format("{}int{}_t", type->is_signed ? "" : "u", type->bits);
    case Kind::kFloat:
      if (type->bits != 32 && type->bits != 64) break;
      return type->bits == 32 ? "float" : "double";
    case Kind::kComplex:
      return type->bits == 64 ? "pyk::complex<float>" : "pyk::complex<double>";
    case Kind::kVoid:
    case Kind::kNone:
      return "void";
    case Kind::kArray: {
      const bool readonly = hold == Hold::kConstView || (hold == Hold::kView && type->readonly);
      return fmt::format("pyk::{}<{}{}, {}, {}{}>", hold == Hold::kOwned ? "owned" : "array",
                         readonly ? "const " : "", cpp_type(type->elem), type->rank,
                         cpp_layout(type->layout), index.empty() ? "" : ", " + index);
    }
    case Kind::kTuple: {
      std::string items;
      for (const Type* item : type->items) {
        if (item->is_none()) throw without_spelling(type);
        if (!items.empty()) items += ", ";
        items += cpp_type(item, hold == Hold::kConstView ? Hold::kView : hold, index);
      }
      return "pyk::tuple<" + items + ">";
    }
    case Kind::kOptional:
      return "pyk::optional<" + cpp_type(type->elem, hold, index) + ">";
    case Kind::kError:
    case Kind::kStr:
    case Kind::kFunc:
    case Kind::kModule:
    case Kind::kDType:
    case Kind::kRange:
    case Kind::kSlice:
    case Kind::kIter:
      break;
  }
  throw without_spelling(type);
}

}  // namespace pyk2cu::emit
