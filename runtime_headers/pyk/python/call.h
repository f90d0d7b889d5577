// The call itself: overload<F, C, flags, shape>() makes the table row that calls a compiled
// function.
//
// In:   the function F as declared in <module>.h, its contiguous variant C or nullptr, what its
//       body is like.
// Out:  Overload: exact check of every argument, call, result or exception.
// The GIL is released for bodies that take more than about 2 us: releasing costs 42 ns when nobody
// wants it, and up to 100 us when another thread does. Tested by tests/run/test_module.py.
#pragma once

#include "pyk/cuda.h"
#include "pyk/python/callback.h"
#include "pyk/python/containers.h"
#include "pyk/python/error.h"
#include "pyk/python/function.h"
#include "pyk/python/openmp.h"
#include "pyk/python/result.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

// What the generator knows of a body.
enum : unsigned {
  kOnly = 1,      // no other overloads: Python numbers of the same kind are taken as they come
  kLoops = 2,     // runs over its arrays: releases the GIL when they are large
  kLong = 4,      // loops whose length no array tells: always releases the GIL
  kParallel = 8,  // OpenMP inside
};
constexpr int64_t kManyElements = 8192;

// The signature of a compiled function: parameters, result, does it return a status.
template <class Left, class... Rest>
struct SplitResult;  // status f(params..., T& result): the last one is the result
template <class... P, class Last>
struct SplitResult<List<P...>, Last> {
  static constexpr bool kHasResult =
      std::is_lvalue_reference_v<Last> && !std::is_const_v<std::remove_reference_t<Last>>;
  using Params = std::conditional_t<kHasResult, List<P...>, List<P..., std::decay_t<Last>>>;
  using Value = std::conditional_t<kHasResult, std::decay_t<Last>, Nothing>;
};
template <class... P, class First, class... Rest>
struct SplitResult<List<P...>, First, Rest...>
    : SplitResult<List<P..., std::decay_t<First>>, Rest...> {};
template <>
struct SplitResult<List<>> {
  static constexpr bool kHasResult = false;
  using Params = List<>;
  using Value = Nothing;
};

template <class F>
struct Traits;
template <class R, class... P>
struct Traits<R (*)(P...)> {
  static constexpr bool kRaises = false, kLaunched = false;
  using Params = List<std::decay_t<P>...>;
  using Value = std::conditional_t<std::is_void_v<R>, Nothing, R>;
};
template <class... P>
struct Traits<pyk::status (*)(P...)> : SplitResult<List<>, P...> {
  static constexpr bool kRaises = true, kLaunched = false;
};
template <class R, class... P>
struct Traits<R (*)(const pyk::launch&, P...)> : Traits<R (*)(P...)> {
  static constexpr bool kLaunched = true;
};
template <class... P>
struct Traits<pyk::status (*)(const pyk::launch&, P...)> : Traits<pyk::status (*)(P...)> {
  static constexpr bool kLaunched = true;
};
template <class R, class... P>
struct Traits<R (*)(P...) noexcept> : Traits<R (*)(P...)> {};

// Which arguments the function is given: all but those of one value. Changed: a container that it
// changes.
struct Given {};
struct Changed {};
template <class Places, class Params>
struct Placed;  // one type per argument: a parameter's, or Only<…>
template <class... P>
struct Placed<List<>, List<P...>> {
  using Type = List<P...>;
};
template <class First, class List>
struct Prepend;
template <class First, class... Rest>
struct Prepend<First, List<Rest...>> {
  using Type = List<First, Rest...>;
};
template <class... Places, class P, class... Params>
struct Placed<List<Given, Places...>, List<P, Params...>>
    : Prepend<P, typename Placed<List<Places...>, List<Params...>>::Type> {};
template <class... Places, class P, class... Params>
struct Placed<List<Changed, Places...>, List<P, Params...>>
    : Prepend<Changing<P>, typename Placed<List<Places...>, List<Params...>>::Type> {};
template <const char* kText, class... Places, class... Params>
struct Placed<List<Only<kText>, Places...>, List<Params...>>
    : Prepend<Only<kText>, typename Placed<List<Places...>, List<Params...>>::Type> {};

template <size_t I, class Indices, class... T>
struct GivenIndices {
  using Type = Indices;
};
template <size_t I, size_t... K, class T, class... Rest>
struct GivenIndices<I, std::index_sequence<K...>, T, Rest...>
    : GivenIndices<I + 1, std::index_sequence<K..., I>, Rest...> {};
template <size_t I, size_t... K, const char* kText, class... Rest>
struct GivenIndices<I, std::index_sequence<K...>, Only<kText>, Rest...>
    : GivenIndices<I + 1, std::index_sequence<K...>, Rest...> {};

template <size_t I, class T>
const SlotAt<I, T>& slot_at(const SlotAt<I, T>& slot) {
  return slot;
}

// Holds the GIL released while it lives, if asked to.
class Unlocked {
 public:
  explicit Unlocked(bool release) : state_(release ? PyEval_SaveThread() : nullptr) {}
  ~Unlocked() {
    if (state_) PyEval_RestoreThread(state_);
  }
  Unlocked(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

// A launch counts its threads, another call the elements of its arrays.
template <unsigned kFlags, bool kLaunched, class S>
bool should_release([[maybe_unused]] const S& slots, [[maybe_unused]] const pyk::launch* launch) {
  if constexpr ((kFlags & kLong) != 0)
    return true;
  else if constexpr (kLaunched)
    return launch->blocks() * launch->threads() >= kManyElements;
  else if constexpr ((kFlags & kLoops) != 0)
    return slots.size() >= kManyElements;
  else
    return false;
}

// Calls F with the slots' values; the value goes to `value`, the status (if any) is returned.
template <auto F, class SlotTypes, class ParamTypes>
struct Invoke;
template <auto F, class... S, class... P>
struct Invoke<F, List<S...>, List<P...>> {
  using T = Traits<decltype(F)>;
  using Value = typename T::Value;

  static pyk::status run(const Slots<S...>& s, const pyk::launch* launch, Value& value) {
    return at(s, launch, value, typename GivenIndices<0, std::index_sequence<>, S...>::Type());
  }

 private:
  template <size_t... I>
  static pyk::status at([[maybe_unused]] const Slots<S...>& s,
                        [[maybe_unused]] const pyk::launch* launch, [[maybe_unused]] Value& value,
                        std::index_sequence<I...>) {
    const auto call = [&](auto&&... last) {
      if constexpr (T::kLaunched)
        return F(*launch, slot_at<I>(s).template get<P>()..., last...);
      else
        return F(slot_at<I>(s).template get<P>()..., last...);
    };
    if constexpr (T::kRaises && std::is_same_v<Value, Nothing>)
      return call();
    else if constexpr (T::kRaises)
      return call(value);
    else if constexpr (std::is_same_v<Value, Nothing>)
      call();
    else
      value = call();
    return pyk::status{};
  }
};

template <class... P>
constexpr Glance first_glance() {
  const Glance glances[] = {glance_of(Describe<P>::value)..., kUnclear};
  return glances[0];
}

template <auto F, auto C, unsigned kFlags, class Shape, class ParamTypes>
struct Caller;
template <auto F, auto C, unsigned kFlags, class Shape, class... P>
struct Caller<F, C, kFlags, Shape, List<P...>> {
  static constexpr const Param* params[sizeof...(P) + 1] = {&Describe<P>::value..., nullptr};
  static constexpr Glance kFirst = first_glance<P...>();

  static bool call(Args args, Args given, const pyk::launch* launch, const State& state,
                   PyObject** result) {
    return load_and_call<Loading<kTakesNumbers, false>>(args, given, launch, state, result);
  }

  // The whole call: what it does not take at once goes the general way.
  static PyObject* vectorcall(PyObject* self, Args args, size_t n, PyObject* keywords) {
    PyObject* result;
    using How = Loading<kTakesNumbers, true>;
    if (!keywords && count_of(n) == sizeof...(P) &&
        PYK_LIKELY(load_and_call<How>(args, args, nullptr, *function_of(self)->state, &result)))
      return result;
    return dispatch(function_of(self), nullptr, args, n, keywords);
  }

 private:
  static constexpr bool kTakesNumbers = (kFlags & kOnly) != 0;

  template <class How>
  static inline __attribute__((always_inline)) bool load_and_call(Args args, Args given,
                                                                  const pyk::launch* launch,
                                                                  const State& state,
                                                                  PyObject** result) {
    Slots<P...> slots;
    if (!slots.template load<How>(args, state.numpy)) return false;
    share_all(slots, given);
    typename Traits<decltype(F)>::Value value{};
    pyk::status status{};
    {
      [[maybe_unused]] const OpenMP<(kFlags & kParallel) != 0> threads(state.threads);
      const Unlocked unlocked(
          should_release<kFlags, Traits<decltype(F)>::kLaunched>(slots, launch));
      status = run(slots, launch, value);
    }
    const Places<Slots<P...>> places(slots, args);
    const Owners owners{places.all, places.count, state};
    if (status) {
      *result = give_back(slots, owners) ? raise_status(status, state) : nullptr;
      return true;
    }
    PyObject* known = object_of_container(value, slots);
    *result = known ? Py_NewRef(known) : make_as<Shape>(value, owners);
    if (*result && !give_back(slots, owners)) Py_CLEAR(*result);
    return true;
  }

  template <class Value>
  static pyk::status run(const Slots<P...>& slots, const pyk::launch* launch, Value& value) {
    if constexpr (!std::is_same_v<decltype(C), std::nullptr_t>) {
      using Contiguous = typename Traits<decltype(C)>::Params;
      if (slots.contiguous()) return Invoke<C, List<P...>, Contiguous>::run(slots, launch, value);
    }
    using Params = typename Traits<decltype(F)>::Params;
    return Invoke<F, List<P...>, Params>::run(slots, launch, value);
  }
};

template <auto F, auto C = nullptr, unsigned kFlags = 0, class Shape = Plain, class Places = List<>>
constexpr Overload overload(const char* signature) {
  using Params = typename Placed<Places, typename Traits<decltype(F)>::Params>::Type;
  using Made = Caller<F, C, kFlags, Shape, Params>;
  constexpr bool kIsParallel = (kFlags & kParallel) != 0;
  constexpr Native c = native<F, Traits<decltype(F)>, kIsParallel>();
  Overload made{Made::call, Made::params, signature, kIsParallel};
  if constexpr (!Traits<decltype(F)>::kLaunched) made.vectorcall = Made::vectorcall;
  made.address = c.address;
  made.result = c.result;
  made.first = Made::kFirst;
  return made;
}

}  // namespace python
}  // namespace pyk
