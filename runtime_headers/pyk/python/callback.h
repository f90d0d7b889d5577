// Compiled functions of numbers as C calls them: `f.address` and `f.ctypes`, what @cfunc is for.
//
// In:   a compiled function.  Out: a function with plain C types around it.
// An exception has nowhere to go: it is reported as Python reports those of destructors, and the
// result is zero. Runs with or without the GIL, on any thread.
// Tested by tests/run/test_cfunc.py.
#pragma once

#include "pyk/python/describe.h"
#include "pyk/python/error.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

PYK_COLD inline void report_unraisable(pyk::status status) {
  const pyk::raised_values kept = pyk::raised_args;
  const PyGILState_STATE gil = PyGILState_Ensure();
  PyObject *type, *exception, *traceback;
  PyErr_Fetch(&type, &exception, &traceback);
  const pyk::site* site = set_exception(status, kept, module_tables, nullptr);
  PyObject* place = nullptr;
  if (site) {
    PyObject *raised, *value, *none;
    PyErr_Fetch(&raised, &value, &none);
    place = PyUnicode_FromFormat("%s (%s:%d)", site->function, site->file, site->line);
    if (!place) PyErr_Clear();
    PyErr_Restore(raised, value, none);
  }
  PyErr_WriteUnraisable(place);
  Py_XDECREF(place);
  PyErr_Restore(type, exception, traceback);
  PyGILState_Release(gil);
}

template <class... T>
struct List {};
struct Nothing;

template <class T>
struct IsNumber : std::is_arithmetic<T> {};
template <class F>
struct IsNumber<pyk::complex<F>> : std::true_type {};

template <auto F, class T, class Params>
struct Callback;
template <auto F, class T, class... P>
struct Callback<F, T, List<P...>> {
  using Value = typename T::Value;
  static constexpr bool kIsVoid = std::is_same_v<Value, Nothing>;
  static constexpr bool kIsPossible =
      !T::kLaunched && (kIsVoid || IsNumber<Value>::value) && (IsNumber<P>::value && ...);

  static std::conditional_t<kIsVoid, void, Value> call(P... arguments) {
    if constexpr (!T::kRaises) {
      return F(arguments...);
    } else if constexpr (kIsVoid) {
      if (const pyk::status status = F(arguments...)) report_unraisable(status);
    } else {
      Value value{};
      const pyk::status status = F(arguments..., value);
      if (!status) return value;
      report_unraisable(status);
      return Value{};
    }
  }
  static void* address() { return reinterpret_cast<void*>(&call); }
};

// How C calls an overload. `address` is null where C cannot; `result` where nothing is returned.
struct Native {
  void* (*address)();
  const Param* result;
};

template <auto F, class T, bool kIsParallel>
constexpr Native native() {
  using Made = Callback<F, T, typename T::Params>;
  if constexpr (!Made::kIsPossible || kIsParallel)
    return {nullptr, nullptr};
  else if constexpr (Made::kIsVoid)
    return {Made::address, nullptr};
  else
    return {Made::address, &Describe<typename T::Value>::value};
}

}  // namespace python
}  // namespace pyk
