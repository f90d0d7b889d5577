// pyk::set, pyk::dict: Python's, of keys and values of one type each; host only.
//
//   const auto d = pyk::table_new<pyk::dict<int64_t, double>>();    if (!d.is_valid()) …no memory
//   if (!pyk::table_put(d, key, value)) …no memory
//   const int64_t at = pyk::table_find(d, key);    at < 0: it is not there; else table_value(d, at)
//
// What is in one stands in a list in the order in which it came, beside which there is a hash table
// of places in that list (open addressing, linear probing, at most half full). What is taken out
// leaves a hole in the list until there are more holes than entries. Like lists they are shared: a
// copy is another name for it. A loop goes from place to place, over holes: table_next().
// Tested by tests/run/test_tables.py.
#pragma once

#include "pyk/list.h"

namespace pyk {

// A set: Entry is Key. A dict: Entry is tuple<Key, Value>.
template <class Entry, class Key>
struct table {
  struct body {
    int64_t count;        // of owners
    list<Entry> entries;  // and holes; no other owner has it
    uint8_t* is_hole;     // of each entry; null: there is none
    int64_t holes;
    int64_t first;    // in front of which there are holes only
    int64_t moves;    // how often entries have got another place
    uint32_t* slots;  // 0, or the place of an entry and 1
    int64_t room;     // of slots
    int64_t mask;     // slots but one, a power of two less 1
    int shift;        // which leaves as many bits of a hash as the mask has
  };
  body* at = nullptr;

  table() = default;
  explicit table(body* made) : at(made) {}
  table(const table& other) : at(other.at) {
    if (at) __atomic_fetch_add(&at->count, 1, __ATOMIC_RELAXED);
  }
  table(table&& other) noexcept : at(other.at) { other.at = nullptr; }
  table& operator=(table other) noexcept {
    std::swap(at, other.at);
    return *this;
  }
  ~table() {
    if (!at || __atomic_sub_fetch(&at->count, 1, __ATOMIC_ACQ_REL) != 0) return;
    at->entries.~list<Entry>();
    free(at->is_hole);
    free(at->slots);
    free(at);
  }

  bool is_valid() const { return PYK_LIKELY(at != nullptr); }
};

template <class Key>
using set = table<Key, Key>;
template <class Key, class Value>
using dict = table<tuple<Key, Value>, Key>;

namespace detail {

// Multiplicative hashing (Knuth 6.4): the first bits of the product are the good ones.
inline uint64_t mixed(uint64_t x) { return x * 0x9e3779b97f4a7c15u; }
// Equal keys have equal hashes: 0.0 and -0.0 as well.
template <class T>
uint64_t hash_of(T key) {
  if constexpr (std::is_floating_point<T>::value) {
    const double wide = double(key);
    uint64_t bits = 0;
    memcpy(&bits, &wide, sizeof bits);
    if (bits << 1 == 0) bits = 0;
    return mixed(bits ^ (bits >> 32));
  } else {
    return mixed(uint64_t(key));
  }
}
inline uint64_t hash_of(const tuple<>&) { return 0; }
template <class Head, class... Tail>
uint64_t hash_of(const tuple<Head, Tail...>& key) {
  const uint64_t rest = hash_of(key.tail), all = hash_of(key.head) + (rest >> 29) + 3 * rest;
  return mixed(all ^ (all >> 32));
}

template <class Entry, class Key>
const Key& key_of(const table<Entry, Key>&, const Entry& entry) {
  if constexpr (std::is_same<Entry, Key>::value)
    return entry;
  else
    return entry.head;
}

template <class Entry, class Key>
const Key& key_at(const table<Entry, Key>& t, int64_t at) {
  return key_of(t, t.at->entries.at->items[at]);
}

// Where a key of this hash stands, if nothing else does.
template <class Entry, class Key>
int64_t home_of(const table<Entry, Key>& t, const Key& key) {
  return int64_t(hash_of(key) >> t.at->shift);
}
// The slot of the key, or the empty one where it would be.
template <class Entry, class Key>
int64_t slot_of(const table<Entry, Key>& t, const Key& key) {
  const auto& at = *t.at;
  int64_t slot = home_of(t, key);
  while (at.slots[slot] != 0 && !(key_at(t, at.slots[slot] - 1) == key))
    slot = (slot + 1) & at.mask;
  return slot;
}

template <class T>
bool is_negative(T x) {
  if constexpr (std::is_signed<T>::value)
    return x < 0;
  else
    return false;
}
// The key that equals what is looked up, a number of another type; false: there is none.
template <class Key, class Other>
bool as_key(const Other& looked_up, Key& key) {
  constexpr double kAbove = 2 * (double(largest<Key> / 2) + 1);  // of integers
  if constexpr (std::is_floating_point<Key>::value && !std::is_floating_point<Other>::value) {
    using Wide = typename std::conditional<std::is_signed<Other>::value, int64_t, uint64_t>::type;
    key = Key(looked_up);
    return double(key) < 2 * (double(largest<Wide> / 2) + 1) && Wide(key) == Wide(looked_up);
  } else if constexpr (std::is_floating_point<Other>::value &&
                       !std::is_floating_point<Key>::value) {
    if (!(double(looked_up) >= double(lowest<Key>) && double(looked_up) < kAbove)) return false;
    key = Key(looked_up);
    return Other(key) == looked_up;
  } else {
    key = Key(looked_up);
    return Other(key) == looked_up && is_negative(key) == is_negative(looked_up);
  }
}
inline bool as_key(const tuple<>&, tuple<>&) { return true; }
template <class Head, class... Tail, class Other, class... Others>
bool as_key(const tuple<Other, Others...>& looked_up, tuple<Head, Tail...>& key) {
  return as_key(looked_up.head, key.head) && as_key(looked_up.tail, key.tail);
}

template <class Entry, class Key>
bool is_hole(const table<Entry, Key>& t, int64_t place) {
  return t.at->is_hole && t.at->is_hole[place];
}

// A NaN equals no key, itself neither: it stands in no slot, where all of them would be in a row.
template <class Key>
bool equals_itself(const Key& key) {
  const Key& again = key;
  return key == again;
}

template <class Entry, class Key>
void settle(const table<Entry, Key>& t) {  // all places, into empty slots
  auto& at = *t.at;
  memset(at.slots, 0, size_t(at.mask + 1) * sizeof(uint32_t));
  for (int64_t i = at.first; i < at.entries.at->size; ++i) {
    if (is_hole(t, i) || !equals_itself(key_at(t, i))) continue;
    int64_t slot = home_of(t, key_at(t, i));
    while (at.slots[slot] != 0) slot = (slot + 1) & at.mask;
    at.slots[slot] = uint32_t(i + 1);
  }
}

constexpr int64_t kFewestSlots = 8;

// How many of the slots that there are are in use: a power of two.
template <class Entry, class Key>
void use_slots(const table<Entry, Key>& t, int64_t slots) {
  t.at->mask = slots - 1;
  t.at->shift = __builtin_clzll(uint64_t(slots - 1));
}

// Where there are holes no more, and no more slots in use than so many entries need.
template <class Entry, class Key>
void close_holes(const table<Entry, Key>& t) {
  auto& at = *t.at;
  auto& entries = *at.entries.at;
  int64_t size = 0;
  for (int64_t i = 0; i < entries.size; ++i) {
    if (is_hole(t, i)) continue;
    if (i != size) entries.items[size] = std::move(entries.items[i]);
    ++size;
  }
  std::destroy(entries.items + size, entries.items + entries.size);
  entries.size = size;
  free(at.is_hole);
  at.is_hole = nullptr;
  at.holes = at.first = 0;
  ++at.moves;
  int64_t slots = at.mask + 1;
  while (slots > kFewestSlots && slots > 8 * size) slots /= 2;
  use_slots(t, slots);
  settle(t);
}

// Slots for so many entries.
template <class Entry, class Key>
bool slots_for(const table<Entry, Key>& t, int64_t count) {
  auto& at = *t.at;
  if (2 * count <= at.mask + 1) return true;
  if (count > (int64_t{1} << 31)) return false;
  int64_t slots = at.mask + 1;
  while (slots < 2 * count) slots *= 2;
  if (slots > at.room) {
    auto* const made = static_cast<uint32_t*>(malloc(size_t(slots) * sizeof(uint32_t)));
    if (!made) return false;
    free(at.slots);
    at.slots = made;
    at.room = slots;
  }
  use_slots(t, slots);
  settle(t);
  return true;
}

template <class Entry, class Key>
PYK_NOINLINE bool make_room(const table<Entry, Key>& t) {
  auto& at = *t.at;
  if (4 * at.holes > at.entries.at->size) close_holes(t);
  const int64_t size = at.entries.at->size;
  if (!slots_for(t, size + 1)) return false;
  if (size < at.entries.at->room) return true;
  if (!list_grow(at.entries, 1)) return false;
  if (at.is_hole) close_holes(t);
  return slots_for(t, at.entries.at->size + 1);
}

// A new key, whose slot this is.
template <class Entry, class Key>
bool add_entry(const table<Entry, Key>& t, int64_t slot, Entry entry) {
  auto& at = *t.at;
  const int64_t size = at.entries.at->size;
  if (size == at.entries.at->room || 2 * (size + 1) > at.mask + 1) {
    if (!make_room(t)) return false;
    slot = slot_of(t, key_of(t, entry));
  }
  if (at.is_hole) at.is_hole[at.entries.at->size] = 0;
  list_append(at.entries, std::move(entry));
  const Key& key = key_at(t, at.entries.at->size - 1);
  if (equals_itself(key)) at.slots[slot] = uint32_t(at.entries.at->size);
  return true;
}

// The slot, if it was not, is empty from now on: what was pushed behind it by what stood there
// moves up.
template <class Entry, class Key>
void empty_slot(const table<Entry, Key>& t, int64_t slot) {
  auto& at = *t.at;
  if (at.slots[slot] == 0) return;
  for (int64_t next = (slot + 1) & at.mask; at.slots[next] != 0; next = (next + 1) & at.mask) {
    const int64_t home = home_of(t, key_at(t, at.slots[next] - 1));
    if (((next - home) & at.mask) < ((next - slot) & at.mask)) continue;
    at.slots[slot] = at.slots[next];
    slot = next;
  }
  at.slots[slot] = 0;
}

}  // namespace detail

template <class Table>
Table table_new() {
  using body = typename Table::body;
  Table t(static_cast<body*>(malloc(sizeof(body))));
  if (!t.at) return {};
  new (static_cast<void*>(t.at)) body{1, {}, nullptr, 0, 0, 0, nullptr, detail::kFewestSlots, 0, 0};
  detail::use_slots(t, detail::kFewestSlots);
  t.at->entries = list_new<typename std::decay<decltype(*t.at->entries.at->items)>::type>();
  t.at->slots = static_cast<uint32_t*>(calloc(detail::kFewestSlots, sizeof(uint32_t)));
  return t.at->entries.is_valid() && t.at->slots ? t : Table();
}

template <class Entry, class Key>
int64_t table_moves(const table<Entry, Key>& t) {
  return t.at->moves;
}
template <class Entry, class Key>
int64_t table_size(const table<Entry, Key>& t) {
  return t.at->entries.at->size - t.at->holes;
}
// The place of the key, until another one is added or taken out; -1: it is not there.
template <class Entry, class Key, class Other>
int64_t table_find(const table<Entry, Key>& t, const Other& looked_up) {
  if constexpr (std::is_same<Other, Key>::value) {
    return int64_t(t.at->slots[detail::slot_of(t, looked_up)]) - 1;
  } else {
    Key key{};
    return detail::as_key(looked_up, key) ? table_find(t, key) : -1;
  }
}
template <class Key, class Value>
const Value& table_value(const dict<Key, Value>& t, int64_t at) {
  return t.at->entries.at->items[at].tail.head;
}
template <class Key, class Value>
void table_set(const dict<Key, Value>& t, int64_t at, const detail::same_t<Value>& value) {
  t.at->entries.at->items[at].tail.head = value;
}
// d[key] = value. False, as of all that add: there is no memory.
template <class Key, class Value>
bool table_put(const dict<Key, Value>& t, const detail::same_t<Key>& key,
               const detail::same_t<Value>& value) {
  const int64_t slot = detail::slot_of(t, key);
  if (t.at->slots[slot] != 0) return table_set(t, int64_t(t.at->slots[slot]) - 1, value), true;
  return detail::add_entry(t, slot, tuple<Key, Value>(key, value));
}
template <class Key>
bool table_add(const set<Key>& t, const detail::same_t<Key>& key) {
  const int64_t slot = detail::slot_of(t, key);
  return t.at->slots[slot] != 0 || detail::add_entry(t, slot, key);
}

// Takes out what is at the place: false, and it stays, where there is no memory.
template <class Entry, class Key>
bool table_drop(const table<Entry, Key>& t, int64_t place) {
  auto& at = *t.at;
  auto& entries = *at.entries.at;
  const bool is_last = place == entries.size - 1;
  if (!is_last && !at.is_hole) {
    at.is_hole = static_cast<uint8_t*>(calloc(size_t(entries.room), 1));
    if (!at.is_hole) return false;
  }
  int64_t slot = detail::home_of(t, detail::key_at(t, place));
  while (at.slots[slot] != 0 && at.slots[slot] != uint32_t(place + 1)) slot = (slot + 1) & at.mask;
  detail::empty_slot(t, slot);
  if (is_last) {
    do list_pop(at.entries, -1);
    while (entries.size > 0 && detail::is_hole(t, entries.size - 1) && at.holes-- > 0);
    at.first = std::min(at.first, entries.size);
    return true;
  }
  at.is_hole[place] = 1;
  ++at.holes;
  if constexpr (!std::is_trivially_destructible<Entry>::value) entries.items[place] = Entry();
  while (detail::is_hole(t, at.first)) ++at.first;
  if (2 * at.holes > entries.size) detail::close_holes(t);
  return true;
}
// The place behind this one where something stands; from -1: the first. -1: there is none.
template <class Entry, class Key>
int64_t table_next(const table<Entry, Key>& t, int64_t place) {
  const auto& at = *t.at;
  place = std::max(place + 1, at.first);
  while (place < at.entries.at->size && detail::is_hole(t, place)) ++place;
  return place < at.entries.at->size ? place : -1;
}
// The place of what came last; -1: nothing is there.
template <class Entry, class Key>
int64_t table_last(const table<Entry, Key>& t) {
  return t.at->entries.at->size - 1;
}
template <class Entry, class Key>
const Entry& table_entry(const table<Entry, Key>& t, int64_t at) {
  return t.at->entries.at->items[at];
}
template <class Entry, class Key>
const Key& table_key(const table<Entry, Key>& t, int64_t at) {
  return detail::key_at(t, at);
}
template <class Entry, class Key>
void table_clear(const table<Entry, Key>& t) {
  auto& at = *t.at;
  list_clear(at.entries);
  detail::close_holes(t);
}

// Lists of their own.
template <class Entry, class Key>
list<Key> table_keys(const table<Entry, Key>& t) {
  list<Key> made = list_new<Key>(table_size(t));
  if (!made.is_valid()) return made;
  for (int64_t i = table_next(t, -1); i >= 0; i = table_next(t, i))
    list_append(made, table_key(t, i));
  return made;
}
template <class Key, class Value>
list<Value> table_values(const dict<Key, Value>& t) {
  list<Value> made = list_new<Value>(table_size(t));
  if (!made.is_valid()) return made;
  for (int64_t i = table_next(t, -1); i >= 0; i = table_next(t, i))
    list_append(made, table_value(t, i));
  return made;
}
template <class Key, class Value>
list<tuple<Key, Value>> table_items(const dict<Key, Value>& t) {
  list<tuple<Key, Value>> made = list_new<tuple<Key, Value>>(table_size(t));
  if (!made.is_valid()) return made;
  for (int64_t i = table_next(t, -1); i >= 0; i = table_next(t, i))
    list_append(made, table_entry(t, i));
  return made;
}

template <class Entry, class Key>
bool table_update(const table<Entry, Key>& t, const table<Entry, Key>& more) {
  if (t.at == more.at) return true;
  for (int64_t i = table_next(more, -1); i >= 0; i = table_next(more, i)) {
    if constexpr (std::is_same<Entry, Key>::value) {
      if (!table_add(t, table_key(more, i))) return false;
    } else {
      if (!table_put(t, table_key(more, i), table_value(more, i))) return false;
    }
  }
  return true;
}
template <class Entry, class Key>
table<Entry, Key> table_copy(const table<Entry, Key>& t) {
  auto made = table_new<table<Entry, Key>>();
  return made.is_valid() && table_update(made, t) ? made : table<Entry, Key>();
}

// ---- of two sets --------------------------------------------------------------------------------
// The keys of a that are in b, or that are not.
template <class Key>
set<Key> table_chosen(const set<Key>& a, const set<Key>& b, bool in_b) {
  set<Key> made = table_new<set<Key>>();
  if (!made.is_valid()) return made;
  for (int64_t i = table_next(a, -1); i >= 0; i = table_next(a, i)) {
    const Key& key = table_key(a, i);
    if ((table_find(b, key) >= 0) == in_b && !table_add(made, key)) return {};
  }
  return made;
}
template <class Key>
set<Key> table_and(const set<Key>& a, const set<Key>& b) {
  return table_size(b) < table_size(a) ? table_chosen(b, a, true) : table_chosen(a, b, true);
}
template <class Key>
set<Key> table_minus(const set<Key>& a, const set<Key>& b) {
  return table_chosen(a, b, false);
}
template <class Key>
set<Key> table_or(const set<Key>& a, const set<Key>& b) {
  set<Key> made = table_copy(a);
  return made.is_valid() && table_update(made, b) ? made : set<Key>();
}
template <class Key>
set<Key> table_xor(const set<Key>& a, const set<Key>& b) {
  const set<Key> one = table_minus(a, b), other = table_minus(b, a);
  return one.is_valid() && other.is_valid() && table_update(one, other) ? one : set<Key>();
}
// t -= other, t ^= other: key by key.
template <class Key>
bool table_take(const set<Key>& t, const set<Key>& other) {
  if (t.at == other.at) return table_clear(t), true;
  for (int64_t i = table_next(other, -1); i >= 0; i = table_next(other, i)) {
    const int64_t at = table_find(t, table_key(other, i));
    if (at >= 0 && !table_drop(t, at)) return false;
  }
  return true;
}
template <class Key>
bool table_flip(const set<Key>& t, const set<Key>& other) {
  if (t.at == other.at) return table_clear(t), true;
  for (int64_t i = table_next(other, -1); i >= 0; i = table_next(other, i)) {
    const int64_t at = table_find(t, table_key(other, i));
    if (!(at >= 0 ? table_drop(t, at) : table_add(t, table_key(other, i)))) return false;
  }
  return true;
}
// t becomes what `made` is, as t &= other, and the other way round.
template <class Key>
void table_become(const set<Key>& t, const set<Key>& made) {
  if (t.at == made.at) return;
  std::swap(*t.at, *made.at);
  std::swap(t.at->count, made.at->count);
  ++t.at->moves;
}

// Is all of a in b? Of dicts: with equal values.
template <class Entry, class Key>
bool table_within(const table<Entry, Key>& a, const table<Entry, Key>& b) {
  if (table_size(a) > table_size(b)) return false;
  for (int64_t i = table_next(a, -1); i >= 0; i = table_next(a, i)) {
    const int64_t at = table_find(b, table_key(a, i));
    if (at < 0 || !(table_entry(b, at) == table_entry(a, i))) return false;
  }
  return true;
}
template <class Entry, class Key>
bool table_equal(const table<Entry, Key>& a, const table<Entry, Key>& b) {
  return table_size(a) == table_size(b) && table_within(a, b);
}
template <class Key>
bool table_disjoint(const set<Key>& a, const set<Key>& b) {
  if (table_size(b) < table_size(a)) return table_disjoint(b, a);
  for (int64_t i = table_next(a, -1); i >= 0; i = table_next(a, i))
    if (table_find(b, table_key(a, i)) >= 0) return false;
  return true;
}

namespace detail {

template <class Entry, class Key>
memory* block_at(const table<Entry, Key>& owner, const void* at) {
  return owner.at ? block_at(owner.at->entries, at) : nullptr;
}
template <class Entry, class Key>
nobody but_no_list(const table<Entry, Key>&) {
  return {};
}

}  // namespace detail

template <class Entry, class Key, class... Owners>
void keep_in(table<Entry, Key>& t, const Owners&... owners) {
  if (t.at) keep_in(t.at->entries, owners...);
}

}  // namespace pyk
