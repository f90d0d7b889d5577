// The types of the compiled language: interned, immutable, compared by pointer.
//
// In:   make functions of `Types`.  Out: `const Type*`, valid for the whole process.
// print() spells a type as users write signatures, and signature::parse() reads it back
// (`parse(print(t)) == t`). Tested by tests/unit/typeinfer/types_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/base/symbol.h"

namespace pyk2cu::types {

enum class Kind : uint8_t {
  kError,     // absorbs follow-up diagnostics
  kVoid,      // no value: the result of a procedure
  kNone,      // the type of None; joins with T to Optional(T)
  kBool,      // one byte
  kInt,       // int8..int64, uint8..uint64
  kFloat,     // float16 (storage only), float32, float64
  kComplex,   // complex64, complex128
  kStr,       // compile-time strings only; of a known one `name` is the text and `id` is 1
  kArray,     // elem[rank], layout C, F or A
  kTuple,     // items, optionally named
  kOptional,  // T or None
  kList,      // a list of `elem`, which all that hold it share; void: not known yet
  kSet,       // a set of `elem`, shared as a list; void: not known yet
  kDict,      // a dict whose entries are `elem`, a tuple of key and value; likewise
  kFunc,      // a compile-time function value: `def`, lambda or builtin (infer's own index in `id`)
  kModule,    // a compile-time module value
  kDType,     // a compile-time type value: np.float32, numba.int64; `elem` is the type it names
  kRange,     // range(...) as a value; `elem` is the int type of its items
  kSlice,     // slice(...) as a value
  kIter,      // enumerate/zip/reversed as a value: only iterable
  kRecord,    // an element of a structured array; a record by itself is an array of rank 0
  kNested,    // a field that is an array: elem, and in `numbers` its extents
  kOpaque,    // a field that nothing can be done with: `name` is NumPy's name, "U5"
};

// Contiguous row-major, column-major, any strides; kAny: in emitted text that serves several
// layouts.
enum class Layout : uint8_t { kC, kF, kA, kAny };

struct Type {
  Kind kind = Kind::kError;
  // kInt, kFloat, kComplex: total bits (complex128: 128). kBool: 8.
  uint8_t bits = 0;
  bool is_signed = false;  // kInt
  // kArray
  Layout layout = Layout::kA;
  uint8_t rank = 0;
  bool readonly = false;
  bool aligned = true;
  const Type* elem = nullptr;            // kArray, kOptional, kList, kSet, kDict, kDType, kRange
  std::span<const Type* const> items{};  // kTuple, kRecord
  std::span<const Symbol> names{};       // kRecord; kTuple: fields of a named one
  std::span<const int64_t> numbers{};    // kNested: extents; kRecord: see records.h
  Symbol name{};                         // kTuple: class name of a named tuple
  uint32_t id = 0;                       // kFunc, kModule, kIter
  size_t leaves = 1;                     // kTuple: numbers and arrays inside, in all

  bool is_error() const { return kind == Kind::kError; }
  bool is_bool() const { return kind == Kind::kBool; }
  bool is_int() const { return kind == Kind::kInt; }
  bool is_float() const { return kind == Kind::kFloat; }
  bool is_complex() const { return kind == Kind::kComplex; }
  bool is_inexact() const { return is_float() || is_complex(); }  // as NumPy says: it rounds
  bool is_real() const { return is_bool() || is_int() || is_float(); }
  bool is_number() const { return is_int() || is_float() || is_complex(); }  // no bool
  bool is_scalar() const { return is_bool() || is_number(); }
  bool is_array() const { return kind == Kind::kArray; }
  bool is_tuple() const { return kind == Kind::kTuple; }
  bool is_optional() const { return kind == Kind::kOptional; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_set() const { return kind == Kind::kSet; }
  bool is_dict() const { return kind == Kind::kDict; }
  bool is_table() const { return is_set() || is_dict(); }
  bool is_container() const { return is_list() || is_table(); }  // shared by all names for it
  bool lacks_items() const { return is_container() && elem->kind == Kind::kVoid; }  // not known yet
  bool is_record() const { return kind == Kind::kRecord; }
  bool is_element() const { return is_scalar() || is_record(); }  // what arrays are of
  bool is_none() const { return kind == Kind::kNone; }
  bool is_str() const { return kind == Kind::kStr; }
  // None, a known string: no argument stands for it in C++.
  bool has_one_value() const { return is_none() || (is_str() && id == 1); }
  bool is_uniform_tuple() const;  // all items of one type, at least one
};

// ---- the interning table -----------------------------------------------------------------------
const Type* error();
const Type* void_();
const Type* none();
const Type* boolean();
const Type* integer(int bits, bool is_signed);
const Type* floating(int bits);
const Type* complex(int bits);  // 64 or 128
const Type* str();
const Type* literal(Symbol text);  // the string, as a type
const Type* array(const Type* elem, int rank, Layout layout, bool readonly = false,
                  bool aligned = true);
const Type* tuple(std::vector<const Type*> items);
const Type* named_tuple(Symbol name, std::vector<Symbol> fields, std::vector<const Type*> items);
const Type* optional(const Type* of);  // of an optional: itself
const Type* list(const Type* of);
const Type* set(const Type* of);
const Type* dict(const Type* entry);  // a tuple of key and value; void: not known yet
const Type* around(const Type* container, const Type* elem);  // a container of the same kind
const Type* key_of(const Type* table);
const Type* value_of(const Type* dict);
const Type* func(uint32_t id);
const Type* module(uint32_t id);
const Type* dtype(const Type* of);
const Type* range(const Type* item);
const Type* slice();
const Type* iter(uint32_t id);

// `t = (t, t)` doubles a type with every line; nobody means one with more leaves.
inline constexpr size_t kMostLeaves = 1 << 16;

inline const Type* int64() { return integer(64, true); }
inline const Type* int32() { return integer(32, true); }
inline const Type* uint64() { return integer(64, false); }
inline const Type* float32() { return floating(32); }
inline const Type* float64() { return floating(64); }
inline const Type* complex64() { return complex(64); }
inline const Type* complex128() { return complex(128); }

const Type* with_layout(const Type* array, Layout layout);
// The type with layout `to` wherever `from` stands, in tuples and optionals too.
const Type* replace_layout(const Type* type, Layout from, Layout to);
const Type* with_rank(const Type* array, int rank);
const Type* with_elem(const Type* array, const Type* elem);
char layout_letter(Layout layout);           // 'C', 'F', 'A', 'L' for any
const Type* component(const Type* complex);  // float32 of complex64
int item_size(const Type* scalar);           // bytes of an array element
// The part of a type that no C++ type stands for (float16, a tuple with None in it, what exists
// only while compiling), or null. None and a known string by themselves have none to stand for.
const Type* part_without_form(const Type* type);
// An array or a container, or a tuple or optional with one in it: what shares memory.
bool holds_array(const Type* type);
bool holds_container(const Type* type);
bool holds(const Type* type, const Type* part);  // is it that part, or has it one somewhere inside?
// Can sets and dicts look it up? Numbers but complex ones, tuples of them.
bool is_key(const Type* type);
bool holds_view(const Type* type);  // an array, in a list too

// In the users' signature spelling: `float32[:,::1]`, `Tuple((int64, float64))`, `none`,
// `literal('sum')`.
std::string print(const Type* type);
// Short and stable, for C++ symbols: f4, i8, u1, b1, c16, f4_2c (rank 2, C), t2_i8_f8.
std::string mangle(const Type* type);

// The scalar type that a signature, dtype or constructor name means ("f4", "double", "intp",
// "bool_"), or null: docs/typing.md#names-of-types.
const Type* find_scalar(std::string_view name);
std::span<const std::string_view> scalar_names();  // all that find_scalar knows

// The scalar type of an attribute of the numpy module ("float32", "double"; `byte` is int8), or
// null; and of a dtype string ("f4", "<i8", "float", "d"), or null (big-endian ones among others).
const Type* find_numpy_scalar(std::string_view name);
const Type* find_dtype(std::string_view text);

}  // namespace pyk2cu::types
