// How compiled functions report a Python exception: by a status, never by a C++ exception.
//
// `return pyk::raise(site::value_12, n);` names a row of the module's table of sites and keeps the
// values that only the run knows; the wrapper builds the exception from both. Status 0 is success.
// In:   site numbers from 1, scalars.  Out: status, and this thread's raised_args.
// Tested by tests/run and tests/unit/emit.
#pragma once

#include "pyk/config.h"

namespace pyk {

// An argument of an exception: a constant, or 'r' for the next of raised_args.
struct site_arg {
  char kind;  // s text, t text that the next `integer` arguments fill in, as str.format does,
              // i integer, u unsigned, f float, b bool, n None, r at run time
  const char* text;  // kinds s, t, UTF-8
  int64_t integer;   // kinds i, u, b, t
  double number;     // kind f
};
constexpr site_arg text(const char* value) { return {'s', value, 0, 0}; }
constexpr site_arg format(const char* value, int64_t count) { return {'t', value, count, 0}; }
constexpr site_arg constant(int64_t value) { return {'i', nullptr, value, 0}; }
constexpr site_arg constant(double value) { return {'f', nullptr, 0, value}; }
constexpr site_arg constant(bool value) { return {'b', nullptr, value, 0}; }
constexpr site_arg none_arg() { return {'n', nullptr, 0, 0}; }
constexpr site_arg at_run_time() { return {'r', nullptr, 0, 0}; }

constexpr int max_args = 12;
constexpr int max_kept = 8;  // of them, those at run time

// Where an exception is raised. Lines and columns count from 1; the end column is one past.
struct site {
  const char* exception;  // class: "ZeroDivisionError"; "pkg.errors:Failed" is imported, ":Failed"
                          // is the module's own
  const char* function;
  const char* file;
  int line, column, end_column;
  int count;  // of args
  site_arg args[max_args];
};

// How many arguments Python sees.
inline int argument_count(const site& at) {
  int count = 0;
  for (int k = 0; k < at.count; ++k, ++count)
    if (at.args[k].kind == 't') k += static_cast<int>(at.args[k].integer);
  return count;
}

struct [[nodiscard]] status {
  int32_t code;
  PYK_HD constexpr explicit operator bool() const { return !PYK_LIKELY(code == 0); }
};
constexpr status ok{0};
constexpr status no_memory{-1};  // MemoryError; has no site

// Small: of modules that draw random numbers (pyk/random.h) all thread-local memory is in a block
// that a process has little room for.
struct raised_values {
  int32_t count;
  char kinds[max_kept];    // i, u, f, b
  int64_t bits[max_kept];  // of a float, those of the double

  site_arg operator[](int k) const {
    site_arg arg{kinds[k], nullptr, bits[k], 0};
    if (arg.kind == 'f') __builtin_memcpy(&arg.number, &bits[k], sizeof arg.number);
    return arg;
  }
};
// One per thread and module: set where a body raises, read by the wrapper that called it before
// anything else can run on the thread.
inline PYK_HIDDEN thread_local raised_values raised_args{};

namespace detail {
inline void keep(char kind, int64_t bits) {
  raised_args.kinds[raised_args.count] = kind;
  raised_args.bits[raised_args.count++] = bits;
}
inline void keep(bool v) { keep('b', v); }
inline void keep(double v) {
  int64_t bits;
  __builtin_memcpy(&bits, &v, sizeof bits);
  keep('f', bits);
}
inline void keep(float v) { keep(double{v}); }
inline void keep(uint64_t v) { keep('u', static_cast<int64_t>(v)); }
template <class I>
void keep(I v) {
  keep('i', static_cast<int64_t>(v));
}
}  // namespace detail

namespace detail {
// A call that no compiler leaves out, on a way that all take for a rare one.
[[maybe_unused]] PYK_COLD static void rarely() { __asm__ volatile(""); }

template <class... Args>
PYK_COLD void keep_all(Args... args) {
  static_assert(sizeof...(Args) <= max_args, "too many arguments");
  raised_args.count = 0;
  (keep(args), ...);
}
}  // namespace detail

// Callers see that the status is not 0, so that no result is taken for set.
PYK_INLINE status raise(int32_t site) {
  detail::rarely();
  return {site};
}
template <class... Args>
PYK_INLINE status raise(int32_t site, Args... args) {
  detail::keep_all(args...);
  return {site};
}

// Of a call that raises nothing, as its caller knows: pyk::surely(f<false>(i, a));
PYK_FN void surely(status) {}

}  // namespace pyk
