// Types as C++ text: see type.h.
//
// In:   types.  Out: text.
// Tested by tests/golden.
#include "emit/print/type.h"

#include <fmt/format.h>

#include <stdexcept>

#include "emit/text/code.h"
#include "typeinfer/types/records.h"

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
    case types::Layout::kAny:
      return "L";
  }
  return "";
}

const char* cpp_form(ir::Form form) {
  switch (form) {
    case ir::Form::kScalar:
      return "pyk::libm";
    case ir::Form::kLanes:
      return "pyk::lane_math";
    case ir::Form::kEither:
      return "M";
  }
  return "";
}

namespace {

// Inference lets no such type through: to print another one instead would be silent nonsense.
std::logic_error without_spelling(const Type* type) {
  return std::logic_error("type `" + types::print(type) + "` has no C++ spelling");
}

}  // namespace

std::string cpp_element(const Type* array) {
  const std::string name = cpp_type(array->elem);
  return array->aligned || array->elem->is_record() ? name : "pyk::packed<" + name + ">";
}

static std::string cpp_table(const Type* type, const std::string& index) {
  const auto held = [&](const Type* part) { return cpp_type(part, Hold::kOwned, index); };
  if (type->is_set()) return "pyk::set<" + held(type->elem) + ">";
  return "pyk::dict<" +
         group(held(types::key_of(type)) + "," + mark::kBreak + held(types::value_of(type))) + ">";
}

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
      const bool kept = hold == Hold::kOwned;  // not on the device, whose arrays have an Index
      return fmt::format("pyk::{}<{}{}, {}, {}{}>",
                         !kept           ? "array"
                         : index.empty() ? "owned"
                                         : "borrowed",
                         readonly ? "const " : "", cpp_element(type), type->rank,
                         cpp_layout(type->layout), index.empty() ? "" : ", " + index);
    }
    case Kind::kTuple: {
      std::string items;
      for (const Type* item : type->items) {
        if (item->is_none()) throw without_spelling(type);
        if (!items.empty()) items += std::string(",") + mark::kBreak;
        items += cpp_type(item, hold == Hold::kConstView ? Hold::kView : hold, index);
      }
      return "pyk::tuple<" + group(items) + ">";
    }
    case Kind::kOptional:
      return "pyk::optional<" + cpp_type(type->elem, hold, index) + ">";
    case Kind::kList:
      return "pyk::list<" + cpp_type(type->elem, Hold::kOwned, index) + ">";
    case Kind::kSet:
    case Kind::kDict:
      return cpp_table(type, index);
    case Kind::kStr:
      return "const char*";
    case Kind::kRecord:
      return fmt::format("pyk::record<{}, {}, {:#x}>", types::record_size(type),
                         types::natural_alignment(type), record_key(type));
    case Kind::kNested:
    case Kind::kOpaque:
    case Kind::kError:
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

uint32_t record_key(const Type* record) {
  uint32_t key = 2166136261;  // FNV-1a
  for (const char c : types::print(record)) key = (key ^ uint8_t(c)) * 16777619;
  return key;
}

void add_headers_of(const Type* type, Hold hold, std::set<std::string>& headers) {
  switch (type->kind) {
    case Kind::kComplex:
      headers.insert("pyk/complex.h");
      return;
    case Kind::kArray:
      headers.insert(hold == Hold::kOwned ? "pyk/memory.h" : "pyk/array.h");
      if (!type->aligned) headers.insert("pyk/record.h");
      return add_headers_of(type->elem, hold, headers);
    case Kind::kRecord:
      headers.insert("pyk/record.h");
      return;
    case Kind::kTuple:
      headers.insert("pyk/tuple.h");
      for (const Type* item : type->items) add_headers_of(item, hold, headers);
      return;
    case Kind::kList:
      headers.insert("pyk/list.h");
      return add_headers_of(type->elem, Hold::kOwned, headers);
    case Kind::kSet:
    case Kind::kDict:
      headers.insert("pyk/table.h");
      return add_headers_of(type->elem, Hold::kOwned, headers);
    case Kind::kOptional:
      headers.insert("pyk/optional.h");
      return add_headers_of(type->elem, hold, headers);
    default:
      return;
  }
}

}  // namespace pyk2cu::emit
