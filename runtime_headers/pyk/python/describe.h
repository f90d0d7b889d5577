// What a parameter accepts, as data: the cold side of argument checks.
//
// In:   the C++ types of a compiled function.  Out: `Describe<T>::value`, a Param, from which fit()
//       (convert.h) judges arguments and add_type() writes `float64[:, ::1]`.
// Tested by tests/run/test_module.py.
#pragma once

#include "pyk/array.h"
#include "pyk/complex.h"
#include "pyk/memory.h"
#include "pyk/optional.h"
#include "pyk/python/numpy.h"
#include "pyk/record.h"
#include "pyk/tuple.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

// In the order of safe kinds: a value never goes down the ladder bool < int < float < complex.
enum class Kind : uint8_t {
  kBool,
  kInt,
  kUInt,
  kFloat,
  kComplex,
  kArray,
  kTuple,
  kOptional,
  kNone,    // None
  kString,  // one string
  kRecord,  // only as elements of arrays
  kList,
  kSet,
  kDict,
};

struct Param {
  Kind kind;
  int size = 0;                         // scalar, or element of an array: bytes
  Kind elem = Kind::kBool;              // kArray
  uint8_t rank = 0;                     // kArray
  char layout = 'A';                    // kArray: 'C', 'F', 'A'
  bool written = false;                 // kArray, kList, kSet, kDict
  uint8_t count = 0;                    // of items
  const Param* const* items = nullptr;  // kTuple: count; kOptional, kList, kSet: 1; kDict: 2
  uint8_t num = 0;                      // kArray: NumPy's type number of an element
  const char* text = nullptr;           // kString: UTF-8; of records: their type
  int16_t record = -1;                  // of records: which one of the module's
  int8_t alignment = 1;                 // of records: what they lie at multiples of
};

// What is told of an object at a glance: the number or the array whose parameters it fits exactly.
// An object and a parameter with other glances do not fit exactly, unless one of them is unclear.
using Glance = uint32_t;
constexpr Glance kUnclear = 0;
constexpr Glance glance_of_number(Kind kind, int size) {
  return static_cast<Glance>(size << 16 | static_cast<int>(kind) << 8 | 1);
}
constexpr Glance glance_of_array(int num, int rank) {
  return static_cast<Glance>(num << 16 | rank << 8 | 2);
}
constexpr Glance glance_of(const Param& p) {
  if (p.kind == Kind::kArray) return glance_of_array(p.num, p.rank);
  if (p.kind == Kind::kUInt && p.size == 8) return glance_of_number(Kind::kInt, 8);  // 2**63
  return p.kind < Kind::kArray ? glance_of_number(p.kind, p.size) : kUnclear;
}

template <class T>
struct Describe;
template <class T>
struct Number;  // kind, NumPy's type number and scalar type of a C++ number

#define PYK_NUMBER(T, kind_, NUM, Name)                                                      \
  template <>                                                                                \
  struct Number<T> {                                                                         \
    static constexpr Kind kind = Kind::kind_;                                                \
    static constexpr int num = NUM;                                                          \
    static PyTypeObject* scalar_type(void** PyArray_API) { return &Py##Name##ArrType_Type; } \
  };                                                                                         \
  template <>                                                                                \
  struct Describe<T> {                                                                       \
    static constexpr Param value{Kind::kind_, sizeof(T)};                                    \
  };
// Specialized by the generated file for each record that a function takes or gives: its place in
// the module's table, and the type as signatures spell it.
template <class T>
struct RecordOf {
  static constexpr int16_t index = -1;
  static constexpr const char* text = nullptr;
};
#define PYK_RECORD(kSize, kAlignment, kKey, kIndex, kText) \
  template <>                                              \
  struct RecordOf<pyk::record<kSize, kAlignment, kKey>> {  \
    static constexpr int16_t index = kIndex;               \
    static constexpr const char* text = kText;             \
  }
template <int kSize, int kAlignment, unsigned kKey>
struct Number<pyk::record<kSize, kAlignment, kKey>> {
  static constexpr Kind kind = Kind::kRecord;
  static constexpr int num = NPY_VOID;
};

template <class T>
struct Number<pyk::packed<T>> : Number<T> {};

PYK_NUMBER(bool, kBool, NPY_BOOL, Bool)
PYK_NUMBER(int8_t, kInt, NPY_BYTE, Byte)
PYK_NUMBER(int16_t, kInt, NPY_SHORT, Short)
PYK_NUMBER(int32_t, kInt, NPY_INT, Int)
PYK_NUMBER(int64_t, kInt, NPY_LONG, Long)
PYK_NUMBER(uint8_t, kUInt, NPY_UBYTE, UByte)
PYK_NUMBER(uint16_t, kUInt, NPY_USHORT, UShort)
PYK_NUMBER(uint32_t, kUInt, NPY_UINT, UInt)
PYK_NUMBER(uint64_t, kUInt, NPY_ULONG, ULong)
PYK_NUMBER(float, kFloat, NPY_FLOAT, Float)
PYK_NUMBER(double, kFloat, NPY_DOUBLE, Double)
PYK_NUMBER(pyk::complex<float>, kComplex, NPY_CFLOAT, CFloat)
PYK_NUMBER(pyk::complex<double>, kComplex, NPY_CDOUBLE, CDouble)
#undef PYK_NUMBER
static_assert(sizeof(long) == 8 && sizeof(bool) == 1, "64-bit Unix");

template <class L>
constexpr char kLayoutLetter = 'A';
template <>
constexpr char kLayoutLetter<pyk::C> = 'C';
template <>
constexpr char kLayoutLetter<pyk::F> = 'F';

template <class T, int N, class L>
struct Describe<pyk::array<T, N, L>> {
  using Elem = std::remove_const_t<T>;
  static constexpr Param value{Kind::kArray,
                               sizeof(Elem),
                               Number<Elem>::kind,
                               N,
                               kLayoutLetter<L>,
                               !std::is_const_v<T>,
                               0,
                               nullptr,
                               Number<Elem>::num,
                               RecordOf<Elem>::text,
                               RecordOf<Elem>::index,
                               alignof(Elem)};
};
template <class T, int N, class L>
struct Describe<pyk::owned<T, N, L>> : Describe<pyk::array<T, N, L>> {};

template <class... T>
struct Describe<pyk::tuple<T...>> {
  static constexpr const Param* items[sizeof...(T) + 1] = {&Describe<T>::value..., nullptr};
  static constexpr Param value{Kind::kTuple, 0, Kind::kBool, 0, 'A', false, sizeof...(T), items};
};
template <class T>
struct Describe<pyk::optional<T>> {
  static constexpr const Param* items[1] = {&Describe<T>::value};
  static constexpr Param value{Kind::kOptional, 0, Kind::kBool, 0, 'A', false, 1, items};
};

// A parameter that C++ has none for: None (null) or one string, which the function is compiled for.
template <const char* kText>
struct Only {};
template <const char* kText>
struct Describe<Only<kText>> {
  static constexpr Param value{
      kText ? Kind::kString : Kind::kNone, 0, Kind::kBool, 0, 'A', false, 0, nullptr, 0, kText};
};

inline void add_scalar(Text& text, Kind kind, int size) {
  const int bits = 8 * size;
  switch (kind) {
    case Kind::kBool:
      return text.add("bool");
    case Kind::kInt:
      return text.add("int%d", bits);
    case Kind::kUInt:
      return text.add("uint%d", bits);
    case Kind::kFloat:
      return text.add("float%d", bits);
    default:
      return text.add("complex%d", bits);
  }
}

// In the users' signature spelling.
PYK_COLD inline void add_type(Text& text, const Param& p) {
  if (p.kind == Kind::kArray) {
    if (p.record >= 0)
      text.add("%s", p.text);
    else
      add_scalar(text, p.elem, p.size);
    if (p.record >= 0 && p.rank == 0) return;
    text.add("[");
    for (int k = 0; k < p.rank; ++k) {
      const bool unit = (p.layout == 'C' && k == p.rank - 1) || (p.layout == 'F' && k == 0);
      text.add(k > 0 ? ", %s" : "%s", unit ? "::1" : ":");
    }
    if (p.rank == 0) text.add("()");
    text.add("]");
  } else if (p.kind == Kind::kTuple) {
    text.add("Tuple((");
    for (int k = 0; k < p.count; ++k) {
      if (k > 0) text.add(", ");
      add_type(text, *p.items[k]);
    }
    text.add(p.count == 1 ? ",))" : "))");
  } else if (p.kind == Kind::kOptional) {
    text.add("Optional(");
    add_type(text, *p.items[0]);
    text.add(")");
  } else if (p.kind == Kind::kList || p.kind == Kind::kSet) {
    text.add(p.kind == Kind::kList ? "List(" : "Set(");
    add_type(text, *p.items[0]);
    text.add(")");
  } else if (p.kind == Kind::kDict) {
    text.add("DictType(");
    add_type(text, *p.items[0]);
    text.add(", ");
    add_type(text, *p.items[1]);
    text.add(")");
  } else if (p.kind == Kind::kNone) {
    text.add("None");
  } else if (p.kind == Kind::kString) {
    text.add("'%s'", p.text);
  } else {
    add_scalar(text, p.kind, p.size);
  }
}

}  // namespace python
}  // namespace pyk
