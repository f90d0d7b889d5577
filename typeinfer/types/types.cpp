// The interning table: one Type object per distinct type, made on first use, never freed.
//
// In:   the parts of a type.  Out: its one address.
// Rule: arrays of rank 0 and 1 have no F layout (they are C), so that equal memory is equal type.
// Tested by tests/unit/typeinfer/types_test.cpp.
#include "typeinfer/types/types.h"

#include <algorithm>
#include <mutex>
#include <tuple>
#include <unordered_set>

#include "frontend/base/arena.h"
#include "typeinfer/types/records.h"

namespace pyk2cu::types {

namespace {

// The parts that make a type what it is, without the sequences.
auto head(const Type& t) {
  return std::tuple(t.kind, t.bits, t.is_signed, t.layout, t.rank, t.readonly, t.aligned, t.elem,
                    t.name.key(), t.id);
}

struct Hash {
  size_t operator()(const Type* t) const {
    size_t h = 0;
    const auto mix = [&h](size_t value) { h = (h ^ value) * 0x9E3779B97F4A7C15ull + (h >> 29); };
    std::apply(
        [&](const auto&... part) {
          (mix(std::hash<std::remove_cvref_t<decltype(part)>>()(part)), ...);
        },
        head(*t));
    for (const Type* item : t->items) mix(std::hash<const void*>()(item));
    for (const Symbol name : t->names) mix(std::hash<Symbol>()(name));
    for (const int64_t number : t->numbers) mix(std::hash<int64_t>()(number));
    return h;
  }
};

struct Equal {
  bool operator()(const Type* a, const Type* b) const {
    return head(*a) == head(*b) && std::ranges::equal(a->items, b->items) &&
           std::ranges::equal(a->names, b->names) && std::ranges::equal(a->numbers, b->numbers);
  }
};

}  // namespace

const Type* intern(const Type& type) {
  static std::mutex lock;
  static Arena arena;
  static std::unordered_set<const Type*, Hash, Equal> table;
  const std::lock_guard guard(lock);
  const auto found = table.find(&type);
  if (found != table.end()) return *found;
  Type* made = arena.make<Type>(type);
  made->items = arena.copy(std::vector<const Type*>(type.items.begin(), type.items.end()));
  made->names = arena.copy(std::vector<Symbol>(type.names.begin(), type.names.end()));
  made->numbers = arena.copy(std::vector<int64_t>(type.numbers.begin(), type.numbers.end()));
  return *table.insert(made).first;
}

namespace {

const Type* simple(Kind kind, int bits = 0, bool is_signed = false) {
  Type type;
  type.kind = kind;
  type.bits = static_cast<uint8_t>(bits);
  type.is_signed = is_signed;
  return intern(type);
}

const Type* numbered(Kind kind, uint32_t id) {
  Type type;
  type.kind = kind;
  type.id = id;
  return intern(type);
}

const Type* around(Kind kind, const Type* elem) {
  Type type;
  type.kind = kind;
  type.elem = elem;
  type.leaves = elem->leaves;
  return intern(type);
}

}  // namespace

bool Type::is_uniform_tuple() const {
  return is_tuple() && !items.empty() &&
         std::ranges::all_of(items, [&](const Type* item) { return item == items[0]; });
}

const Type* error() {
  static const Type* const type = simple(Kind::kError);
  return type;
}

const Type* void_() {
  static const Type* const type = simple(Kind::kVoid);
  return type;
}

const Type* none() {
  static const Type* const type = simple(Kind::kNone);
  return type;
}

const Type* boolean() {
  static const Type* const type = simple(Kind::kBool, 8);
  return type;
}

const Type* integer(int bits, bool is_signed) {
  static const Type* const types[2][4] = {
      {simple(Kind::kInt, 8), simple(Kind::kInt, 16), simple(Kind::kInt, 32),
       simple(Kind::kInt, 64)},
      {simple(Kind::kInt, 8, true), simple(Kind::kInt, 16, true), simple(Kind::kInt, 32, true),
       simple(Kind::kInt, 64, true)}};
  const int width = bits >= 64 ? 3 : bits >= 32 ? 2 : bits >= 16 ? 1 : 0;
  return types[is_signed ? 1 : 0][width];
}

const Type* floating(int bits) {
  static const Type* const types[] = {simple(Kind::kFloat, 16, true),
                                      simple(Kind::kFloat, 32, true),
                                      simple(Kind::kFloat, 64, true)};
  return types[bits >= 64 ? 2 : bits >= 32 ? 1 : 0];
}

const Type* complex(int bits) {
  static const Type* const types[] = {simple(Kind::kComplex, 64, true),
                                      simple(Kind::kComplex, 128, true)};
  return types[bits >= 128 ? 1 : 0];
}

const Type* str() {
  static const Type* const type = simple(Kind::kStr);
  return type;
}

const Type* literal(Symbol text) {
  Type type;
  type.kind = Kind::kStr;
  type.name = text;
  type.id = 1;
  return intern(type);
}

const Type* slice() {
  static const Type* const type = simple(Kind::kSlice);
  return type;
}

const Type* array(const Type* elem, int rank, Layout layout, bool readonly, bool aligned) {
  if (elem->is_error()) return elem;
  Type type;
  type.kind = Kind::kArray;
  type.elem = elem;
  type.rank = static_cast<uint8_t>(rank);
  type.layout = rank == 0 || (rank == 1 && layout == Layout::kF) ? Layout::kC : layout;
  type.readonly = readonly;
  type.aligned = aligned;
  return intern(type);
}

const Type* tuple(std::vector<const Type*> items) { return named_tuple({}, {}, std::move(items)); }

const Type* named_tuple(Symbol name, std::vector<Symbol> fields, std::vector<const Type*> items) {
  Type type;
  type.kind = Kind::kTuple;
  type.items = items;
  type.names = fields;
  type.name = name;
  type.leaves = 0;
  for (const Type* item : type.items) type.leaves += item->leaves;
  type.leaves = std::max<size_t>(type.leaves, 1);
  return intern(type);
}

const Type* optional(const Type* of) {
  if (of->is_optional() || of->is_none() || of->is_error()) return of;
  return around(Kind::kOptional, of);
}

const Type* list(const Type* of) { return of->is_error() ? of : around(Kind::kList, of); }
const Type* set(const Type* of) { return of->is_error() ? of : around(Kind::kSet, of); }
const Type* dict(const Type* entry) {
  return entry->is_error() ? entry : around(Kind::kDict, entry);
}
const Type* around(const Type* container, const Type* elem) {
  return elem->is_error() ? elem : around(container->kind, elem);
}
const Type* key_of(const Type* table) {
  return table->is_set() ? table->elem : table->elem->items[0];
}
const Type* value_of(const Type* dict) { return dict->elem->items[1]; }
const Type* func(uint32_t id) { return numbered(Kind::kFunc, id); }
const Type* module(uint32_t id) { return numbered(Kind::kModule, id); }
const Type* iter(uint32_t id) { return numbered(Kind::kIter, id); }
const Type* dtype(const Type* of) { return around(Kind::kDType, of); }
const Type* range(const Type* item) { return around(Kind::kRange, item); }

const Type* with_layout(const Type* array, Layout layout) {
  return types::array(array->elem, array->rank, layout, array->readonly, array->aligned);
}

const Type* replace_layout(const Type* type, Layout from, Layout to) {
  if (type->is_array()) return type->layout == from ? with_layout(type, to) : type;
  if (type->is_optional()) return optional(replace_layout(type->elem, from, to));
  if (!type->is_tuple()) return type;
  std::vector<const Type*> items;
  for (const Type* item : type->items) items.push_back(replace_layout(item, from, to));
  return type->name ? named_tuple(type->name, {type->names.begin(), type->names.end()}, items)
                    : tuple(items);
}

const Type* with_rank(const Type* array, int rank) {
  return types::array(array->elem, rank, array->layout, array->readonly, array->aligned);
}

const Type* with_elem(const Type* array, const Type* elem) {
  return types::array(elem, array->rank, array->layout, array->readonly, array->aligned);
}

const Type* component(const Type* complex) { return floating(complex->bits / 2); }

bool holds_array(const Type* type) {
  if (type->is_array() || type->is_container()) return true;
  if (type->is_optional()) return holds_array(type->elem);
  if (!type->is_tuple()) return false;
  return std::any_of(type->items.begin(), type->items.end(), holds_array);
}

bool holds_container(const Type* type) {
  if (type->is_container()) return true;
  if (type->is_optional()) return holds_container(type->elem);
  return type->is_tuple() && std::any_of(type->items.begin(), type->items.end(), holds_container);
}

bool holds(const Type* type, const Type* part) {
  if (type == part) return true;
  if (type->elem && holds(type->elem, part)) return true;
  return std::any_of(type->items.begin(), type->items.end(),
                     [&](const Type* item) { return holds(item, part); });
}

bool is_key(const Type* type) {
  if (type->is_tuple()) return std::ranges::all_of(type->items, is_key);
  return type->is_bool() || type->is_int() || (type->is_float() && type->bits > 16);
}

bool holds_view(const Type* type) {
  if (type->is_array()) return true;
  if (type->is_optional() || type->is_container()) return holds_view(type->elem);
  return type->is_tuple() && std::any_of(type->items.begin(), type->items.end(), holds_view);
}

int item_size(const Type* scalar) {
  if (scalar->is_record()) return int(record_size(scalar));
  if (!scalar->is_tuple()) return scalar->bits / 8;
  int size = 0;
  for (const Type* item : scalar->items) size += item_size(item);
  return size;
}

const Type* part_without_form(const Type* type) {
  switch (type->kind) {
    case Kind::kError:
    case Kind::kVoid:
    case Kind::kNone:
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kComplex:
      return nullptr;
    case Kind::kFloat:
      return type->bits == 16 ? type : nullptr;
    case Kind::kStr:
      return type->has_one_value() ? nullptr : type;
    case Kind::kOptional:
      if (type->elem->is_str()) return type;
      [[fallthrough]];
    case Kind::kList:
    case Kind::kSet:
    case Kind::kDict:
      return part_without_form(type->elem);
    case Kind::kArray:
      return type->elem->is_record() ? nullptr : part_without_form(type->elem);
    case Kind::kTuple:
      for (const Type* item : type->items) {
        if (item->has_one_value()) return type;
        if (const Type* part = part_without_form(item)) return part;
      }
      return nullptr;
    default:
      return type;
  }
}

}  // namespace pyk2cu::types
