// Unification at joins (docs/typing.md#joins) and conversions between types.
//
// In:   two types.  Out: the type that holds both, or null; how one becomes the other.
// Rule: numbers unify as NumPy promotes them (uint64 with a signed one is float64), None with T is
//       optional(T), tuples by item, arrays of equal element and rank by layout.
// Tested by tests/unit/typeinfer/promote_test.cpp against tests/unit/typeinfer/numba_promotion.txt.
#include <algorithm>

#include "typeinfer/types/promote.h"

namespace pyk2cu::types {

namespace {

const Type* unify_tuples(const Type* a, const Type* b, Dialect dialect) {
  if (a->items.size() != b->items.size()) return nullptr;
  std::vector<const Type*> items;
  for (size_t i = 0; i < a->items.size(); ++i) {
    items.push_back(unify(a->items[i], b->items[i], dialect));
    if (!items.back()) return nullptr;
  }
  const bool same_class = a->name == b->name && std::ranges::equal(a->names, b->names);
  if (!same_class) return tuple(std::move(items));
  return named_tuple(a->name, {a->names.begin(), a->names.end()}, std::move(items));
}

const Type* unify_arrays(const Type* a, const Type* b) {
  if (a->elem != b->elem || a->rank != b->rank) return nullptr;
  const Layout layout = a->layout == b->layout ? a->layout : Layout::kA;
  return array(a->elem, a->rank, layout, a->readonly || b->readonly, a->aligned && b->aligned);
}

// Equal but for lists that are empty so far: nothing else has the same items under another type.
const Type* unify_lists(const Type* a, const Type* b) {
  if (a == b || b->kind == Kind::kVoid) return a;
  if (a->kind == Kind::kVoid) return b;
  if (a->is_container() && a->kind == b->kind) {
    const Type* items = unify_lists(a->elem, b->elem);
    return items ? around(a, items) : nullptr;
  }
  if (!a->is_tuple() || !b->is_tuple() || a->items.size() != b->items.size() || a->name)
    return nullptr;
  std::vector<const Type*> items;
  for (size_t i = 0; i < a->items.size(); ++i) {
    items.push_back(unify_lists(a->items[i], b->items[i]));
    if (!items.back()) return nullptr;
  }
  return tuple(std::move(items));
}

// Numba's conversion graph (numba/core/typeconv/rules.py) in closed form.
Conversion scalar_conversion(const Type* from, const Type* to) {
  if (from->is_bool()) return Conversion::kSafe;
  if (from->is_complex()) {
    if (!to->is_complex()) return Conversion::kNone;
    return to->bits > from->bits ? Conversion::kPromote : Conversion::kUnsafe;
  }
  if (to->is_bool()) return Conversion::kUnsafe;
  if (from->is_int() && to->is_int()) {
    if (to->bits <= from->bits) return Conversion::kUnsafe;
    if (to->is_signed == from->is_signed) return Conversion::kPromote;
    return to->is_signed ? Conversion::kSafe : Conversion::kUnsafe;
  }
  if (from->is_float()) {
    if (to->is_int()) return Conversion::kUnsafe;
    const int width = to->is_complex() ? to->bits / 2 : to->bits;
    if (width < from->bits) return Conversion::kUnsafe;
    return to->is_complex() ? Conversion::kSafe : Conversion::kPromote;
  }
  const int width = to->is_complex() ? to->bits / 2 : to->bits;
  if (width == 64) return Conversion::kSafe;
  const bool fits = from->bits == 8 ? width == 32 || from->is_signed
                                    : from->bits == 16 && from->is_signed && width == 32;
  return fits ? Conversion::kSafe : Conversion::kUnsafe;
}

Conversion tuple_conversion(const Type* from, const Type* to) {
  if (from->items.size() != to->items.size()) return Conversion::kNone;
  Conversion worst = Conversion::kExact;
  for (size_t i = 0; i < from->items.size(); ++i) {
    const Conversion step = conversion(from->items[i], to->items[i]);
    if (step == Conversion::kNone) return step;
    worst = std::max(worst, step);
  }
  return std::max(worst, Conversion::kSafe);
}

// A view may be seen as strided, as read-only and as unaligned, never the other way.
Conversion array_conversion(const Type* from, const Type* to) {
  if (from->elem != to->elem || from->rank != to->rank) return Conversion::kNone;
  if (to->layout != Layout::kA && to->layout != from->layout) return Conversion::kNone;
  if ((from->readonly && !to->readonly) || (!from->aligned && to->aligned))
    return Conversion::kNone;
  return Conversion::kSafe;
}

}  // namespace

const Type* unify(const Type* a, const Type* b, Dialect dialect) {
  if (a == b) return a;
  if (a->is_error() || b->is_error()) return error();
  if (a->is_scalar() && b->is_scalar()) return numpy_promote(a, b);
  if (a->is_none()) return optional(b);
  if (b->is_none()) return optional(a);
  if (a->is_optional() || b->is_optional()) {
    const Type* inner =
        unify(a->is_optional() ? a->elem : a, b->is_optional() ? b->elem : b, dialect);
    return inner ? optional(inner) : nullptr;
  }
  if (a->is_tuple() && b->is_tuple()) return unify_tuples(a, b, dialect);
  if (a->is_array() && b->is_array()) return unify_arrays(a, b);
  if (a->is_container() && a->kind == b->kind) return unify_lists(a, b);
  return nullptr;
}

const Type* unify_all(std::span<const Type* const> types, Dialect dialect) {
  std::vector<const Type*> sorted(types.begin(), types.end());
  const auto width = [](const Type* t) { return t->is_number() ? t->bits : 0; };
  std::ranges::stable_sort(sorted, {}, width);
  const Type* all = sorted.empty() ? nullptr : sorted[0];
  for (const Type* type : sorted)
    if (all) all = unify(all, type, dialect);
  return all;
}

Conversion conversion(const Type* from, const Type* to) {
  if (from == to) return Conversion::kExact;
  if (from->is_error() || to->is_error()) return Conversion::kExact;
  if (from->is_scalar() && to->is_scalar()) return scalar_conversion(from, to);
  if (to->is_optional()) {
    if (from->is_none()) return Conversion::kPromote;
    const Conversion inner = conversion(from->is_optional() ? from->elem : from, to->elem);
    return inner == Conversion::kNone ? inner : std::max(inner, Conversion::kPromote);
  }
  // Fails at run time when it is None.
  if (from->is_optional()) {
    const Conversion inner = conversion(from->elem, to);
    return inner == Conversion::kNone ? inner : std::max(inner, Conversion::kSafe);
  }
  if (from->is_tuple() && to->is_tuple()) return tuple_conversion(from, to);
  if (from->is_array() && to->is_array()) return array_conversion(from, to);
  // Until the walks know the items.
  if (from->is_container() && from->kind == to->kind && unify_lists(from, to))
    return Conversion::kExact;
  return Conversion::kNone;
}

bool is_safe_cast(const Type* from, const Type* to) {
  if (from == to) return true;
  if (!from->is_scalar() || !to->is_scalar()) return false;
  return numpy_promote(from, to) == to;
}

}  // namespace pyk2cu::types
