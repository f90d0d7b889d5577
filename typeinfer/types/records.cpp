// Record types: see records.h. Tested by tests/run/test_records.py.
#include "typeinfer/types/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace pyk2cu::types {

namespace {

// The number that a text is, or `otherwise` where it is empty; -1: none.
int64_t number_in(std::string_view text, int64_t otherwise) {
  int64_t value = otherwise;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool fine = text.empty() || (error == std::errc() && end == text.data() + text.size());
  return fine ? value : -1;
}

// "", "[s]": of dates.
bool is_unit(std::string_view text) {
  constexpr std::string_view kUnits[] = {"Y",  "M",  "W",  "D",  "h",  "m", "s",
                                         "ms", "us", "ns", "ps", "fs", "as"};
  if (text.empty()) return true;
  return text.starts_with('[') && text.ends_with(']') &&
         std::ranges::find(kUnits, text.substr(1, text.size() - 2)) != std::end(kUnits);
}

// Of what is opaque: bytes of one character or date, and how many there are.
struct Room {
  int64_t unit = 1, count = 0;
};
Room room_of(std::string_view dtype) {
  if (dtype.starts_with("M8") || dtype.starts_with("m8"))
    return {8, is_unit(dtype.substr(2)) ? 1 : -1};
  if (dtype == "f2" || dtype == "float16") return {2, 1};
  if (dtype.starts_with("S")) return {1, number_in(dtype.substr(1), -1)};
  if (dtype.starts_with("V")) return {1, number_in(dtype.substr(1), -1)};
  if (dtype.starts_with("U")) return {4, number_in(dtype.substr(1), -1)};
  return {1, -1};
}

int64_t rounded_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

// What the processor likes addresses of the numbers in it to be multiples of.
int64_t natural(const Type* field) {
  if (field->is_record()) return natural_alignment(field);
  if (field->kind == Kind::kNested) return natural(field->elem);
  if (field->kind == Kind::kOpaque) return 1;
  return std::max(1, item_size(field->is_complex() ? component(field) : field));
}

// What a field can be; half floats only take room. Null: no field.
const Type* as_field(const Type* type) {
  if (type->is_float() && type->bits == 16) return opaque("f2");
  const bool fits =
      type->is_element() || type->kind == Kind::kNested || type->kind == Kind::kOpaque;
  return fits ? type : nullptr;
}

}  // namespace

const Type* record(const std::vector<Field>& fields, int64_t size, bool c_struct) {
  std::vector<const Type*> items;
  std::vector<Symbol> names;
  std::vector<int64_t> numbers;
  if (fields.empty() || size < 0 || size > kMostBytes) return nullptr;
  for (Field field : fields) {
    field.type = as_field(field.type);
    if (!field.type) return nullptr;
    const int64_t unit = c_struct ? alignment_of(field.type) : 1;
    const bool fits = field.offset >= 0 && field.offset <= size - field_size(field.type) &&
                      field.offset % unit == 0 && size % unit == 0 &&
                      std::ranges::find(names, field.name) == names.end();
    if (!fits) return nullptr;
    items.push_back(field.type);
    names.push_back(field.name);
    numbers.push_back(field.offset);
  }
  numbers.push_back(size);
  numbers.push_back(c_struct ? 1 : 0);
  Type type;
  type.kind = Kind::kRecord;
  type.items = items;
  type.names = names;
  type.numbers = numbers;
  return intern(type);
}

const Type* laid_out(std::vector<Field> fields, bool c_struct) {
  int64_t size = 0, most = 1;
  for (Field& field : fields) {
    field.type = as_field(field.type);
    if (!field.type) return nullptr;
    const int64_t alignment = c_struct ? alignment_of(field.type) : 1;
    field.offset = rounded_up(size, alignment);
    size = std::min(field.offset + field_size(field.type), kMostBytes + 1);
    most = std::max(most, alignment);
  }
  return record(fields, rounded_up(size, most), c_struct);
}

const Type* nested(const Type* elem, const std::vector<int64_t>& extents) {
  const bool fits = elem->is_scalar() && !(elem->is_float() && elem->bits == 16);
  if (!fits || extents.empty() || extents.size() > 32) return nullptr;
  int64_t size = item_size(elem);
  for (const int64_t extent : extents) {
    if (extent < 0 || extent > kMostBytes / std::max<int64_t>(size, 1)) return nullptr;
    size *= extent;
  }
  Type type;
  type.kind = Kind::kNested;
  type.elem = elem;
  type.numbers = extents;
  return intern(type);
}

const Type* opaque(std::string_view dtype) {
  if (dtype.starts_with('<') || dtype.starts_with('|') || dtype.starts_with('='))
    dtype.remove_prefix(1);
  const std::string name =
      dtype.starts_with('a') ? "S" + std::string(dtype.substr(1)) : std::string(dtype);
  const Room room = room_of(name);
  if (room.count < 0 || room.count > kMostBytes / room.unit) return nullptr;
  Type type;
  type.kind = Kind::kOpaque;
  type.name = Symbol(name);
  return intern(type);
}

int64_t record_size(const Type* record) { return record->numbers[record->items.size()]; }
bool is_c_struct(const Type* record) { return record->numbers.back() != 0; }

int64_t field_size(const Type* field) {
  if (field->kind == Kind::kOpaque) {
    const Room room = room_of(field->name.str());
    return room.unit * room.count;
  }
  if (field->kind != Kind::kNested) return item_size(field);
  int64_t size = field_size(field->elem);
  for (const int64_t extent : field->numbers) size *= extent;
  return size;
}

int64_t alignment_of(const Type* field) {
  if (field->kind == Kind::kOpaque) return room_of(field->name.str()).unit;
  if (field->kind == Kind::kNested) return alignment_of(field->elem);
  if (!field->is_record()) return natural(field);
  int64_t most = 1;
  if (is_c_struct(field))
    for (const Type* item : field->items) most = std::max(most, alignment_of(item));
  return most;
}

std::optional<size_t> find_field(const Type* record, Symbol name) {
  const auto at = std::ranges::find(record->names, name);
  if (at == record->names.end()) return std::nullopt;
  return size_t(at - record->names.begin());
}

bool is_field_aligned(const Type* record, size_t k) {
  const int64_t unit = natural(record->items[k]);
  return record->numbers[k] % unit == 0 && record_size(record) % unit == 0;
}

int64_t natural_alignment(const Type* record) {
  int64_t most = 1;
  for (size_t k = 0; k < record->items.size(); ++k)
    if (is_field_aligned(record, k)) most = std::max(most, natural(record->items[k]));
  return most;
}

const Type* field_view(const Type* array, size_t k) {
  const Type* record = array->elem;
  const Type* field = record->items[k];
  const bool is_nested = field->kind == Kind::kNested;
  const int own = is_nested ? int(field->numbers.size()) : 0;
  // Of one record the field lies in one piece.
  const Layout layout = array->rank == 0 ? Layout::kC : Layout::kA;
  return types::array(is_nested ? field->elem : field, array->rank + own, layout, array->readonly,
                      array->aligned && is_field_aligned(record, k));
}

bool holds_records(const Type* type) { return type->is_array() && type->elem->is_record(); }

const Type* as_value(const Type* type) {
  return type->is_record() ? types::array(type, 0, Layout::kC) : type;
}

std::string dtype_name(const Type* scalar) {
  if (scalar->is_bool()) return "?";
  const char letter = scalar->is_float()     ? 'f'
                      : scalar->is_complex() ? 'c'
                      : scalar->is_signed    ? 'i'
                                             : 'u';
  return fmt::format("{}{}", letter, item_size(scalar));
}

}  // namespace pyk2cu::types
