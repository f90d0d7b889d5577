// Structured dtypes on constants: np.dtype([("x", "f8"), …]), Record.make_c_struct, NestedArray.
//
// In:   folded arguments.  Out: a record type (types/records.h), or nothing where NumPy would
//       raise, and where a field is of a type that NumPy alone knows (titles, sub-dtypes by name).
// Tested by tests/run/test_records.py.
#include "typeinfer/types/records.h"

#include <algorithm>

#include "typeinfer/fold/parts.h"

namespace pyk2cu::fold {

using types::Field;
using types::Type;

namespace {

const Type* field_type(const Value& v, bool c_struct);

// The extents that a field has as well: 3 or (3, 2).
const Type* with_shape(const Type* elem, const Value& shape) {
  std::vector<int64_t> extents;
  if (const auto one = to_int64(shape)) {
    if (*one == 1) return nullptr;  // ('x', 'f8', 1) is a number to some releases of NumPy
    extents.push_back(*one);
  } else if (shape.kind == Kind::kTuple) {
    for (const Value& item : shape.items) {
      const auto extent = to_int64(item);
      if (!extent) return nullptr;
      extents.push_back(*extent);
    }
  } else {
    return nullptr;
  }
  return !elem || extents.empty() ? elem : types::nested(elem, extents);
}

// "(3,2)f8", "3f8"
const Type* shaped_text(std::string_view text) {
  const size_t end = text.starts_with('(') ? text.find(')') : text.find_first_not_of("0123456789");
  if (end == text.npos || end == 0) return nullptr;
  const bool several = text[end] == ')';
  std::vector<Value> extents;
  Int128 extent = -1;
  for (const char c : text.substr(0, end)) {
    if (c >= '0' && c <= '9') {
      extent = (extent < 0 ? 0 : extent) * 10 + (c - '0');
      if (extent > types::kMostBytes) return nullptr;
    } else if (c == ',') {
      extents.push_back(make_int(extent));
      extent = -1;
    } else if (c != '(' && c != ' ') {
      return nullptr;
    }
  }
  if (extent >= 0) extents.push_back(make_int(extent));
  const Type* elem = types::find_dtype(text.substr(several ? end + 1 : end));
  if (!elem || extents.empty()) return nullptr;
  return with_shape(elem, several ? make_tuple(extents) : extents[0]);
}

const Type* text_type(std::string_view text) {
  if (const Type* type = types::find_dtype(text)) return type;
  if (const Type* type = shaped_text(text)) return type;
  return types::opaque(text);
}

const Type* field_type(const Value& v, bool c_struct) {
  if (v.kind == Kind::kStr) return text_type(v.text);
  if (const Type* type = to_dtype(v)) return type;
  if (v.kind == Kind::kType) return v.type;
  if (v.kind != Kind::kTuple || v.items.empty()) return nullptr;
  if (v.items.size() == 2 && v.items[0].kind != Kind::kTuple && v.items[1].kind != Kind::kStr &&
      v.items[1].kind != Kind::kType)
    return with_shape(field_type(v.items[0], c_struct), v.items[1]);  // ("f8", (3,))
  return record_of(v, c_struct);
}

// [("x", "f8"), ("pos", np.float32, 3)]
const Type* of_list(const Value& list, bool c_struct) {
  std::vector<Field> fields;
  for (const Value& item : list.items) {
    const bool fits = item.kind == Kind::kTuple &&
                      (item.items.size() == 2 || item.items.size() == 3) &&
                      item.items[0].kind == Kind::kStr;
    if (!fits) return nullptr;
    const Type* type = field_type(item.items[1], c_struct);
    if (type && item.items.size() == 3) type = with_shape(type, item.items[2]);
    if (!type) return nullptr;
    const std::string& name = item.items[0].text;
    fields.push_back({Symbol(name.empty() ? "f" + std::to_string(fields.size()) : name), type});
  }
  return types::laid_out(fields, c_struct);
}

const Value* entry(const Value& dict, std::string_view key) {
  for (size_t k = 0; k + 1 < dict.items.size(); k += 2)
    if (dict.items[k].kind == Kind::kStr && dict.items[k].text == key) return &dict.items[k + 1];
  return nullptr;
}

// {"names": …, "formats": …, "offsets": …, "itemsize": …}
const Type* of_dict(const Value& dict, bool c_struct) {
  const Value *names = entry(dict, "names"), *formats = entry(dict, "formats");
  const Value *offsets = entry(dict, "offsets"), *size = entry(dict, "itemsize");
  constexpr std::string_view kKeys[] = {"names", "formats", "offsets", "itemsize", "aligned"};
  for (size_t k = 0; k < dict.items.size(); k += 2)
    if (std::ranges::find(kKeys, dict.items[k].text) == std::end(kKeys)) return nullptr;  // titles
  if (const Value* aligned = entry(dict, "aligned")) c_struct = c_struct || aligned->integer != 0;
  const bool lists = names && formats && names->kind == Kind::kTuple &&
                     formats->kind == Kind::kTuple && !names->items.empty() &&
                     names->items.size() == formats->items.size();
  if (!lists || (offsets && offsets->items.size() != names->items.size())) return nullptr;
  std::vector<Field> fields;
  int64_t end = 0, most = 1;
  for (size_t k = 0; k < names->items.size(); ++k) {
    const Type* type = field_type(formats->items[k], c_struct);
    const auto offset = offsets ? to_int64(offsets->items[k]) : int64_t(0);
    if (!type || names->items[k].kind != Kind::kStr || !offset || *offset < 0) return nullptr;
    fields.push_back({Symbol(names->items[k].text), type, *offset});
    end = std::max(end, *offset + types::field_size(type));
    most = std::max(most, c_struct ? types::alignment_of(type) : 1);
  }
  if (!offsets) {
    const Type* plain = types::laid_out(fields, c_struct);
    if (!plain) return nullptr;
    end = types::record_size(plain);
    for (size_t k = 0; k < fields.size(); ++k) fields[k].offset = plain->numbers[k];
  }
  const int64_t whole = size ? to_int64(*size).value_or(-1) : (end + most - 1) / most * most;
  return whole < end ? nullptr : types::record(fields, whole, c_struct);
}

}  // namespace

const Type* record_of(const Value& spec, bool c_struct) {
  if (spec.kind == Kind::kType && spec.type && spec.type->is_record()) return spec.type;
  if (spec.kind == Kind::kTuple) return of_list(spec, c_struct);
  if (spec.kind == Kind::kDict) return of_dict(spec, c_struct);
  if (spec.kind != Kind::kStr || spec.text.find(',') == spec.text.npos) return nullptr;
  std::vector<Field> fields;  // "f8, i4"
  for (size_t at = 0; at <= spec.text.size();) {
    int depth = 0;
    size_t end = at;
    for (; end < spec.text.size() && (depth > 0 || spec.text[end] != ','); ++end)
      depth += spec.text[end] == '(' ? 1 : spec.text[end] == ')' ? -1 : 0;
    std::string_view word = std::string_view(spec.text).substr(at, end - at);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    const Type* type = word.empty() ? nullptr : text_type(word);
    if (!type) return nullptr;
    fields.push_back({Symbol("f" + std::to_string(fields.size())), type});
    at = end + 1;
  }
  return fields.size() < 2 ? nullptr : types::laid_out(fields, c_struct);
}

Result call_dtype(const Arguments& args) {
  if (!args.only(3, {"align", "dtype", "obj", "copy"})) return std::nullopt;
  const Value* spec = args.get(0, "dtype");
  if (!spec) spec = args.get(0, "obj");
  const Value* align = args.get(1, "align");
  if (!spec) return std::nullopt;
  if (const Type* type = to_dtype(*spec)) return make_type(type);
  const Type* type = record_of(*spec, align && align->integer != 0);
  return type ? make_type(type) : Result();
}

// numba.types.NestedArray(float32, (3,))
Result call_nested(const Arguments& args) {
  const Value *elem = args.get(0, "dtype"), *shape = args.get(1, "shape");
  if (!elem || !shape || !args.only(2, {"dtype", "shape"})) return std::nullopt;
  const Type* type = with_shape(to_dtype(*elem), *shape);
  return type ? make_type(type) : Result();
}

}  // namespace pyk2cu::fold
