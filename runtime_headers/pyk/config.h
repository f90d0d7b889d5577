// Attributes and type helpers that every pyk header shares.
//
// PYK_HD   marks a member function that runs on the host and on the device.
// PYK_INLINE opens a function that is always inlined.
// PYK_INLINE_ROOT  opens one that other files call too.
// PYK_FN   opens a free function: host and device, internal linkage, so that code built for one ISA
//          is never merged into another's. Device code sees no STL container, no exception.
// PYK_LOADS_APART  opens one whose loads are no operands of others: of the masked minimum
//          of two vectors of bytes in memory g++ 12 makes one that AVX-512 has not, and gives up.
// PYK_FUSED, PYK_FUSE  open a function, and its body, whose multiply-adds are one operation each if
//          the processor has one; not with --fp=strict, which defines PYK_SUMS_IN_ORDER.
// PYK_LIKELY(c)  is c, which nearly always holds. Compilers take the way behind a dozen checks for
// one
//          that hardly anybody goes, and make no vectors there: every check of ours says so.
// PYK_HIDDEN  marks a variable that the files of one module share and no other module sees.
// Tested by every other header's tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#if defined(__CUDACC__)
#define PYK_HD __host__ __device__
#else
#define PYK_HD
#endif
#if defined(__GNUC__) || defined(__clang__)
#define PYK_FN [[maybe_unused]] PYK_HD static inline
#define PYK_NOINLINE __attribute__((noinline))
#define PYK_HIDDEN __attribute__((visibility("hidden")))
#define PYK_INLINE __attribute__((always_inline)) static inline
#define PYK_INLINE_ROOT __attribute__((always_inline, used)) inline
#define PYK_INLINED __attribute__((always_inline))  // of a lambda
#define PYK_LIKELY(...) __builtin_expect(bool(__VA_ARGS__), 1)
#define PYK_COLD __attribute__((noinline, cold))  // error paths stay out of the way
#else
#define PYK_FN PYK_HD static inline
#define PYK_NOINLINE
#define PYK_HIDDEN
#define PYK_INLINE static inline
#define PYK_INLINE_ROOT
#define PYK_INLINED
#define PYK_LIKELY(...) bool(__VA_ARGS__)
#define PYK_COLD
#endif
#if defined(__GNUC__) && !defined(__clang__) && defined(__AVX512BW__)
#define PYK_LOADS_APART __attribute__((optimize("no-tree-ter")))
#else
#define PYK_LOADS_APART
#endif
#if defined(__clang__) && !defined(PYK_SUMS_IN_ORDER)
#define PYK_FUSED
#define PYK_FUSE _Pragma("clang fp contract(fast)")
#elif defined(__GNUC__) && !defined(__clang__) && !defined(PYK_SUMS_IN_ORDER)
#define PYK_FUSED __attribute__((optimize("fp-contract=fast")))
#define PYK_FUSE
#else
#define PYK_FUSED
#define PYK_FUSE
#endif

namespace pyk {

// The C++ type of a mixed expression; what keeps casts out of generated code.
template <class... Ts>
using common = typename std::common_type<Ts...>::type;

// The unsigned type in which integer arithmetic of T wraps: at least 32 bits, so that nothing is
// promoted to a signed type behind our back.
template <class T>
struct wrapping_of {
  using type = typename std::conditional<sizeof(T) == 8, uint64_t, uint32_t>::type;
};
template <class T>
using wrapping = typename wrapping_of<T>::type;

template <class T>
constexpr bool is_integer = std::is_integral<T>::value;
template <class T>
constexpr bool is_float = std::is_floating_point<T>::value;
template <class T>
constexpr bool is_signed = std::is_signed<T>::value;
template <class T>
constexpr bool is_real = std::is_arithmetic<T>::value;

// float stays; everything else computes in double.
template <class T>
using floating = typename std::conditional<std::is_same<T, float>::value, float, double>::type;

// Limits as constants, which device code may read (it may not call std::numeric_limits).
template <class T>
constexpr T lowest = std::numeric_limits<T>::lowest();
template <class T>
constexpr T largest = std::numeric_limits<T>::max();
template <class T>
constexpr int digits_of = std::numeric_limits<T>::digits;
template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

template <bool condition>
using when = typename std::enable_if<condition, int>::type;

}  // namespace pyk
