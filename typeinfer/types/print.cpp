// Types as text: the users' signature spelling, and short names for C++ symbols.
//
// In:   a type.  Out: `float32[:,::1]`, `Tuple((int64, float64))`; f4_2c, t2_i8_f8.
// Rule: signature::parse(print(t)) == t for every type a signature can say.
// Tested by tests/unit/typeinfer/types_test.cpp and signature_test.cpp.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/ast/repr.h"
#include "typeinfer/types/records.h"
#include "typeinfer/types/types.h"

namespace pyk2cu::types {

namespace {

template <class F>
std::string join(std::span<const Type* const> items, std::string_view separator, F&& spell) {
  std::string out;
  for (const Type* item : items) {
    if (!out.empty()) out += separator;
    out += spell(item);
  }
  return out;
}

// The letters and digits of a text, for a symbol.
std::string word_of(std::string_view text) {
  constexpr size_t kMost = 24;
  std::string word;
  for (const char c : text.substr(0, kMost)) {
    const bool is_plain =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    word += is_plain ? c : '_';
  }
  return word;
}

// float32[:,::1], or Array(float32, 2, 'C', readonly=True) for what brackets cannot say.
std::string print_array(const Type* t) {
  if (t->rank == 0 && t->elem->is_record() && !t->readonly) return print(t->elem);
  if (t->rank == 0 || t->readonly || t->layout == Layout::kAny || !t->aligned ||
      t->elem->is_array()) {
    return fmt::format("Array({}, {}, '{}'{}{})", print(t->elem), t->rank, layout_letter(t->layout),
                       t->readonly ? ", readonly=True" : "", t->aligned ? "" : ", aligned=False");
  }
  std::string out = print(t->elem) + "[";
  for (int i = 0; i < t->rank; ++i) {
    const bool inner = t->layout == Layout::kC ? i + 1 == t->rank : i == 0;
    if (i > 0) out += ",";
    out += t->layout != Layout::kA && inner ? "::1" : ":";
  }
  return out + "]";
}

// UniTuple(int64, 2), Tuple((int64, float64)), Tuple((int64,)), NamedTuple((int64, int64), Point)
std::string print_tuple(const Type* t) {
  const std::string items = join(t->items, ", ", print);
  if (t->name)
    return fmt::format("NamedTuple(({}{}), {})", items, t->items.size() == 1 ? "," : "",
                       t->name.str());
  if (t->is_uniform_tuple())
    return fmt::format("UniTuple({}, {})", print(t->items[0]), t->items.size());
  return fmt::format("Tuple(({}))", items);
}

// NestedArray(float64, (3,))
std::string print_nested(const Type* t) {
  return fmt::format("NestedArray({}, ({},))", print(t->elem), fmt::join(t->numbers, ", "));
}

// Record([('x', float64, 0), ('name', 'U5', 8)], 28)
std::string print_record(const Type* t) {
  std::string fields;
  for (size_t k = 0; k < t->items.size(); ++k)
    fields += fmt::format("{}({}, {}, {})", k > 0 ? ", " : "", ast::repr_str(t->names[k].str()),
                          print(t->items[k]), t->numbers[k]);
  return fmt::format("Record([{}], {}{})", fields, record_size(t), is_c_struct(t) ? ", True" : "");
}

}  // namespace

char layout_letter(Layout layout) {
  constexpr char kLetters[] = {'C', 'F', 'A', 'L'};
  return kLetters[static_cast<size_t>(layout)];
}

std::string print(const Type* type) {
  switch (type->kind) {
    case Kind::kError:
      return "<error>";
    case Kind::kVoid:
      return "void";
    case Kind::kNone:
      return "none";
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
      return fmt::format("{}int{}", type->is_signed ? "" : "u", type->bits);
    case Kind::kFloat:
      return fmt::format("float{}", type->bits);
    case Kind::kComplex:
      return fmt::format("complex{}", type->bits);
    case Kind::kStr:
      return type->has_one_value() ? fmt::format("literal({})", ast::repr_str(type->name.str()))
                                   : "unicode_type";
    case Kind::kArray:
      return print_array(type);
    case Kind::kTuple:
      return print_tuple(type);
    case Kind::kOptional:
      return fmt::format("optional({})", print(type->elem));
    case Kind::kFunc:
      return "function";
    case Kind::kModule:
      return "module";
    case Kind::kList:
      return type->elem->kind == Kind::kVoid ? "list" : fmt::format("List({})", print(type->elem));
    case Kind::kSet:
      return type->lacks_items() ? "set" : fmt::format("Set({})", print(type->elem));
    case Kind::kDict:
      return type->lacks_items()
                 ? "dict"
                 : fmt::format("DictType({}, {})", print(key_of(type)), print(value_of(type)));
    case Kind::kDType:
      return fmt::format("dtype({})", print(type->elem));
    case Kind::kRange:
      return fmt::format("range({})", print(type->elem));
    case Kind::kSlice:
      return "slice";
    case Kind::kRecord:
      return print_record(type);
    case Kind::kNested:
      return print_nested(type);
    case Kind::kOpaque:
      return ast::repr_str(type->name.str());
    case Kind::kIter:
      break;
  }
  return "iterator";
}

std::string mangle(const Type* type) {
  const int bytes = type->bits / 8;
  switch (type->kind) {
    case Kind::kVoid:
      return "v";
    case Kind::kNone:
      return "n";
    case Kind::kBool:
      return "b1";
    case Kind::kInt:
      return fmt::format("{}{}", type->is_signed ? 'i' : 'u', bytes);
    case Kind::kFloat:
      return fmt::format("f{}", bytes);
    case Kind::kComplex:
      return fmt::format("c{}", bytes);
    case Kind::kStr:
      return type->has_one_value() ? "s_" + word_of(type->name.str()) : "s";
    case Kind::kArray: {
      const char letter = static_cast<char>(layout_letter(type->layout) - 'A' + 'a');
      return fmt::format("{}_{}{}{}{}", mangle(type->elem), type->rank, letter,
                         type->readonly ? "r" : "", type->aligned ? "" : "p");
    }
    case Kind::kTuple:
      return fmt::format("t{}{}{}", type->items.size(), type->items.empty() ? "" : "_",
                         join(type->items, "_", mangle));
    case Kind::kOptional:
      return "o_" + mangle(type->elem);
    case Kind::kList:
      return "l_" + mangle(type->elem);
    case Kind::kSet:
      return "set_" + mangle(type->elem);
    case Kind::kDict:
      return "dict_" + mangle(type->elem);
    case Kind::kDType:
      return "d_" + mangle(type->elem);
    case Kind::kRange:
      return "r_" + mangle(type->elem);
    case Kind::kFunc:
      return fmt::format("fn{}", type->id);
    case Kind::kModule:
      return fmt::format("m{}", type->id);
    case Kind::kIter:
      return fmt::format("it{}", type->id);
    case Kind::kSlice:
      return "sl";
    case Kind::kRecord:
      return fmt::format("rec{}", record_size(type));
    case Kind::kNested:
    case Kind::kOpaque:
    case Kind::kError:
      break;
  }
  return "e";
}

}  // namespace pyk2cu::types
