// Universal functions: NumPy's ufunc objects over compiled loops.
//
//   using hypot_loops = Loops<Loop<List<Core<>, Core<>, Core<>>, hypot_loop, hypot_loop_c>>;
//   ufunc<hypot_loops>("hypot", 2, 1, PyUFunc_None)
//
// In:   loops over views: the axis of the elements, then the core dimensions. The general one takes
//       any strides and runs in order; the others what their parameters say: layout C, or, of a
//       parameter without the axis of the elements, one operand for all of them.
// Out:  numpy.ufunc objects in the module, whose loops choose the first body that fits a call.
// Rule: NumPy calls loops without the GIL, and reduces by operands that overlap: all bodies but the
//       general one need operands that are apart. An exception is set once, that of the earliest
//       element; NumPy reports it when the loop returns; with where= it does not ask, and the call
//       ends in a SystemError whose cause is the exception.
// Included by generated modules that have ufuncs. Tested by tests/run/test_ufunc.py and
// tests/run/test_gufunc.py.
#pragma once

#include <fenv.h>

#include <algorithm>
#include <tuple>

#include "pyk/parallel.h"
#include "pyk/python/module.h"

#define NO_IMPORT_UFUNC
#include <numpy/ufuncobject.h>

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

// The core dimensions of an operand, by number.
template <int... D>
struct Core {
  static constexpr int rank = sizeof...(D);
  static constexpr int dims[rank + 1] = {D..., -1};
  static constexpr int most = std::max({-1, D...});
};

// ---- operands ----------------------------------------------------------------------------------

// What NumPy calls a loop with.
struct LoopCall {
  char** data;              // of each operand
  npy_intp count;           // of elements
  npy_intp const* extents;  // of the core dimensions
  npy_intp const* steps;    // of each operand; then of the core dimensions of each
};

struct Operand {
  int index, size;   // size: bytes of an item
  int rank;          // of the core
  const int* dims;   // rank
  int first_stride;  // in LoopCall::steps
  bool written;

  npy_intp extent(const LoopCall& call, int k) const { return call.extents[dims[k]]; }
  npy_intp stride(const LoopCall& call, int k) const { return call.steps[first_stride + k]; }
};

inline bool is_core_contiguous(const LoopCall& call, const Operand& o) {
  npy_intp expected = o.size;
  for (int k = o.rank; k-- > 0; expected *= o.extent(call, k))
    if (o.extent(call, k) != 1 && o.stride(call, k) != expected) return false;
  return true;
}
inline bool is_contiguous(const LoopCall& call, const Operand& o) {
  npy_intp bytes = o.size;
  for (int k = 0; k < o.rank; ++k) bytes *= o.extent(call, k);
  return (call.count == 1 || call.steps[o.index] == bytes) && is_core_contiguous(call, o);
}
inline bool is_fixed(const LoopCall& call, const Operand& o) { return call.steps[o.index] == 0; }

// The bytes from the first to behind the last one.
struct Memory {
  const char *begin, *end;
};
inline Memory memory_of(const LoopCall& call, const Operand& o) {
  Memory m{call.data[o.index], call.data[o.index] + o.size};
  const auto reach = [&](npy_intp extent, npy_intp stride) {
    if (extent == 0) m.end = m.begin;
    if (m.begin == m.end) return;
    (stride < 0 ? m.begin : m.end) += (extent - 1) * stride;
  };
  reach(call.count, call.steps[o.index]);
  for (int k = 0; k < o.rank; ++k) reach(o.extent(call, k), o.stride(call, k));
  return m;
}

// May elements be computed in any order? What one writes no other one reads or writes; a number may
// be replaced by its own result.
inline bool are_apart(const LoopCall& call, const Operand* operands, int count) {
  for (int w = 0; w < count; ++w) {
    const Operand& out = operands[w];
    if (!out.written) continue;
    if (is_fixed(call, out) && call.count > 1) return false;
    const Memory mine = memory_of(call, out);
    for (int k = 0; k < count; ++k) {
      const Operand& other = operands[k];
      if (k == w) continue;
      const bool in_place = call.data[k] == call.data[w] && call.steps[k] == call.steps[w] &&
                            other.rank + out.rank == 0;
      if (in_place) continue;
      const Memory theirs = memory_of(call, other);
      if (mine.begin < theirs.end && theirs.begin < mine.end) return false;
    }
  }
  return true;
}

// ---- bodies ------------------------------------------------------------------------------------
template <class P>
struct OperandType {  // a number, the same for all elements
  using Item = P;
  static constexpr int rank = 0;
  static constexpr bool written = false, contiguous = false;
  static P make(const LoopCall& call, const Operand& o, bool) {
    return element_of<const P>::at(reinterpret_cast<const P*>(call.data[o.index]));
  }
};
template <class T, int N, class L>
struct OperandType<pyk::array<T, N, L>> {
  using Item = std::remove_const_t<T>;
  static constexpr int rank = N;
  static constexpr bool written = !std::is_const_v<T>;
  static constexpr bool contiguous = kLayoutLetter<L> == 'C';

  static pyk::array<T, N, L> make(const LoopCall& call, const Operand& o, bool fixed) {
    pyk::array<T, N, L> view{};
    view.data = reinterpret_cast<T*>(call.data[o.index]);
    int axis = 0;
    const auto add = [&](npy_intp extent, [[maybe_unused]] npy_intp stride) {
      view.extents[axis] = extent;
      if constexpr (!contiguous) view.strides[axis] = stride;
      ++axis;
    };
    if (!fixed) add(call.count, call.steps[o.index]);
    for (int k = 0; k < o.rank; ++k) add(o.extent(call, k), o.stride(call, k));
    if (axis < N) add(1, o.size);  // a core of no dimensions that the function reads as x[0]
    return view;
  }
};

// One compiled loop. G: the parameters of the general one of its signature.
template <auto F, class G, class Params = typename Traits<decltype(F)>::Params>
struct LoopBody;
template <auto F, class... G, class... P>
struct LoopBody<F, List<G...>, List<P...>> {
  template <class One, class General>
  static constexpr bool fixed = OperandType<One>::rank != OperandType<General>::rank;

  static bool fits(const LoopCall& call, const Operand* operands) {
    int k = 0;
    return (fits_one<P, G>(call, operands[k++]) && ...);
  }
  static pyk::status run(const LoopCall& call, const Operand* operands) {
    return run(call, operands, std::index_sequence_for<P...>());
  }

 private:
  template <class One, class General>
  static bool fits_one(const LoopCall& call, const Operand& o) {
    if (fixed<One, General>)
      return is_fixed(call, o) && (!OperandType<One>::contiguous || is_core_contiguous(call, o));
    return !OperandType<One>::contiguous || is_contiguous(call, o);
  }
  template <size_t... I>
  static pyk::status run(const LoopCall& call, const Operand* operands, std::index_sequence<I...>) {
    if constexpr (Traits<decltype(F)>::kRaises)
      return F(OperandType<P>::make(call, operands[I], fixed<P, G>)...);
    else
      F(OperandType<P>::make(call, operands[I], fixed<P, G>)...);
    return pyk::status{};
  }
};

// Work below which threads do not pay, in operations: about 10 microseconds.
constexpr double kParallelWork = 32000;

// Elements that a core takes at once: whole cache lines of any type.
inline npy_intp part_of(npy_intp count) {
  constexpr npy_intp kLine = 64;
#ifdef _OPENMP
  const npy_intp threads = omp_get_max_threads();
#else
  const npy_intp threads = 1;
#endif
  const npy_intp part = (count + threads - 1) / threads;
  return part < kLine ? part : (part + kLine - 1) / kLine * kLine;
}

// ---- strips of operands that are not contiguous ----
constexpr npy_intp kStrip = 256;
constexpr npy_intp kFewStaged = 16;  // elements that need no vectors
constexpr int kStagedWork = 12;      // operations that pay for copying an element
inline bool is_contiguous_or_fixed(const LoopCall& call, const Operand* operands, int count) {
  for (int k = 0; k < count; ++k) {
    const Operand& o = operands[k];
    if (!(is_contiguous(call, o) || (is_fixed(call, o) && !o.written))) return false;
  }
  return true;
}

template <class T>
struct Stage {
  alignas(64) T items[kStrip];
  bool used;

  Stage() {}  // as std::tuple would clear it
};
template <class... T>
struct Tuple;
template <class... T>
struct Tuple<List<T...>> {
  using type = std::tuple<T...>;
};

// One buffer for each operand.
template <class... T>
class Stages {
 public:
  template <size_t I>
  void begin(const LoopCall& call, const Operand& o) {
    auto& stage = std::get<I>(stages_);
    stage.used = !is_contiguous(call, o);
    if (!stage.used || !is_fixed(call, o) || o.written) return;
    std::fill_n(stage.items, std::min(kStrip, call.count), *at<I>(call, o, 0));
  }
  // Where the strip is: what is there now, of an output too, of which an exception may leave a
  // part.
  template <size_t I>
  char* get(const LoopCall& call, const Operand& o, npy_intp first, npy_intp n) {
    auto& stage = std::get<I>(stages_);
    if (!stage.used) return reinterpret_cast<char*>(at<I>(call, o, first));
    if (!is_fixed(call, o) || o.written)
      for (npy_intp k = 0; k < n; ++k) stage.items[k] = *at<I>(call, o, first + k);
    return reinterpret_cast<char*>(stage.items);
  }
  template <size_t I>
  void put(const LoopCall& call, const Operand& o, npy_intp first, npy_intp n) {
    auto& stage = std::get<I>(stages_);
    if (!stage.used || !o.written) return;
    for (npy_intp k = 0; k < n; ++k) *at<I>(call, o, first + k) = stage.items[k];
  }

 private:
  template <size_t I>
  static auto* at(const LoopCall& call, const Operand& o, npy_intp k) {
    using Item = std::tuple_element_t<I, std::tuple<T...>>;
    return reinterpret_cast<Item*>(call.data[o.index] + k * call.steps[o.index]);
  }

  std::tuple<Stage<T>...> stages_;
};

// NumPy goes on with its next strip when a loop has raised, and turns floating-point flags into a
// warning before it looks for an exception: what follows an exception neither computes nor leaves
// flags.
inline thread_local bool loop_has_raised = false;

// Is an exception of an earlier strip of the same call still set?
PYK_COLD inline bool is_raising() {
  const PyGILState_STATE gil = PyGILState_Ensure();
  loop_has_raised = PyErr_Occurred() != nullptr;
  PyGILState_Release(gil);
  return loop_has_raised;
}

PYK_COLD inline void raise_in_loop(pyk::status status, const State& state) {
  const PyGILState_STATE gil = PyGILState_Ensure();
  if (!PyErr_Occurred()) raise_status(status, state);
  PyGILState_Release(gil);
  loop_has_raised = true;
  feclearexcept(FE_ALL_EXCEPT);
}

enum : unsigned {
  kShared = 1,   // cores share the elements
  kThreads = 2,  // the function of one element has threads of its own
  kSilent = 4,   // floating-point flags say nothing of it: vectors may compute what it does not
  kInputs = 8,   // inputs are written to
};

// Operations of one element (of one item of its core dimensions), and of the above.
template <int kOperations, unsigned kTraits = 0>
struct Cost {
  static constexpr int operations = kOperations;
  static constexpr bool shared = (kTraits & kShared) != 0, threads = (kTraits & kThreads) != 0,
                        silent = (kTraits & kSilent) != 0, writes_inputs = (kTraits & kInputs) != 0;
};

// The loop of one signature: its general body and those that are tried before, in order, the one
// for contiguous operands first.
template <class Cores, class Cost, auto General, auto... Special>
struct Loop;
template <class... C, class Cost, auto General, auto Contiguous, auto... Special>
struct Loop<List<C...>, Cost, General, Contiguous, Special...> {
  using Params = typename Traits<decltype(General)>::Params;
  static constexpr int count = sizeof...(C);
  static constexpr int dimensions = std::max({C::most...}) + 1;
  static constexpr bool parallel = Cost::shared || Cost::threads;

  static void run(char** data, npy_intp const* sizes, npy_intp const* steps, void* state) {
    const LoopCall call{data, sizes[0], sizes + 1, steps};
    const State& module = *static_cast<const State*>(state);
    if (loop_has_raised && is_raising()) return;
    [[maybe_unused]] const int before = Cost::silent ? fetestexcept(FE_ALL_EXCEPT) : 0;
    pyk::status status{};
    {
      [[maybe_unused]] const OpenMP<Cost::threads> limited(module.threads);
      if (!are_apart(call, table.operands, count))
        status = Cost::writes_inputs ? in_turn(call)
                                     : LoopBody<General, Params>::run(call, table.operands);
      else if (Cost::shared && worth_of(call) > kParallelWork)
        status = shared(call, module.threads);
      else
        status = best(call);
    }
    if constexpr (Cost::silent)
      if (const int raised = fetestexcept(FE_ALL_EXCEPT) & ~before) feclearexcept(raised);
    if (status) raise_in_loop(status, module);
  }
  static constexpr char type(int k) { return table.types[k]; }

 private:
  // A call for each element: NumPy may hand on one and the same array as an input for all of them,
  // and the general body may take several elements side by side.
  static pyk::status in_turn(const LoopCall& call) {
    pyk::status status{};
    for (npy_intp k = 0; k < call.count && !status; ++k) {
      char* data[count];
      for (int o = 0; o < count; ++o) data[o] = call.data[o] + k * call.steps[o];
      status = LoopBody<General, Params>::run({data, 1, call.extents, call.steps}, table.operands);
    }
    return status;
  }
  static pyk::status best(const LoopCall& call) {
    pyk::status status{};
    if (attempt<Contiguous>(call, status) || (attempt<Special>(call, status) || ...)) return status;
    if constexpr (dimensions == 0) {
      const bool pays =
          Cost::operations >= kStagedWork || is_contiguous_or_fixed(call, table.operands, count);
      if (pays && call.count >= kFewStaged) return staged(call, std::make_index_sequence<count>());
    }
    return LoopBody<General, Params>::run(call, table.operands);
  }

  // A strip at a time, in the cache: operands that are not contiguous are copied to where they are.
  template <size_t... I>
  static pyk::status staged(const LoopCall& call, std::index_sequence<I...>) {
    Stages<typename OperandAt<I>::Item...> stages;
    (stages.template begin<I>(call, table.operands[I]), ...);
    npy_intp steps[count] = {table.operands[I].size...};
    for (npy_intp first = 0; first < call.count; first += kStrip) {
      const npy_intp left = call.count - first, n = left < kStrip ? left : kStrip;
      char* data[count] = {stages.template get<I>(call, table.operands[I], first, n)...};
      const pyk::status status =
          LoopBody<Contiguous, Params>::run({data, n, call.extents, steps}, table.operands);
      (stages.template put<I>(call, table.operands[I], first, n), ...);
      if (status) return status;
    }
    return pyk::status{};
  }
  template <size_t I>
  using OperandAt = OperandType<std::tuple_element_t<I, typename Tuple<Params>::type>>;

  template <auto F>
  static bool attempt(const LoopCall& call, pyk::status& status) {
    using Body = LoopBody<F, Params>;
    if (!Body::fits(call, table.operands)) return false;
    status = Body::run(call, table.operands);
    return true;
  }

  // ---- shared among cores ----
  static double worth_of(const LoopCall& call) {
    double worth = static_cast<double>(call.count) * Cost::operations;
    for (int d = 0; d < dimensions; ++d) worth *= static_cast<double>(call.extents[d]);
    return worth;
  }
  static pyk::status shared(const LoopCall& call, const Threads& threads) {
    const OpenMP<Cost::shared> limited(threads);
    const npy_intp part = part_of(call.count);
    const npy_intp parts = (call.count + part - 1) / part;
    pyk::first_error error;
    int raised =
        fetestexcept(FE_ALL_EXCEPT);  // for NumPy's error state: so far, then of all threads
#pragma omp parallel reduction(| : raised)
    {
      feclearexcept(FE_ALL_EXCEPT);  // other calls leave flags in the threads
#pragma omp for schedule(static)
      for (npy_intp p = 0; p < parts; ++p) {
        char* data[count];
        for (int k = 0; k < count; ++k) data[k] = call.data[k] + p * part * call.steps[k];
        const npy_intp left = call.count - p * part;
        error.keep(p, best({data, left < part ? left : part, call.extents, call.steps}));
      }
      raised |= fetestexcept(FE_ALL_EXCEPT);
    }
    feraiseexcept(raised);
    return error.get();
  }

  struct Table {
    Operand operands[count];
    char types[count];
  };
  template <class... P>
  static constexpr Table make(List<P...>) {
    Table t{{Operand{0, sizeof(typename OperandType<P>::Item), C::rank, C::dims, 0,
                     OperandType<P>::written}...},
            {static_cast<char>(Number<typename OperandType<P>::Item>::num)...}};
    int stride = count;
    for (int k = 0; k < count; ++k) {
      t.operands[k].index = k;
      t.operands[k].first_stride = stride;
      stride += t.operands[k].rank;
    }
    return t;
  }
  static constexpr Table table = make(Params());
};

// ---- ufuncs ------------------------------------------------------------------------------------

// The loops of all signatures, in their order: NumPy takes the first one that the inputs can be
// cast to safely.
template <class First, class... Rest>
struct Loops {
  static constexpr int count = 1 + sizeof...(Rest);
  static constexpr int operands = First::count;
  static constexpr bool parallel = (First::parallel || ... || Rest::parallel);
  static constexpr PyUFuncGenericFunction functions[] = {First::run, Rest::run...};
  struct Types {
    char of[count * operands];
  };
  static constexpr Types make_types() {
    Types all{};
    int at = 0;
    const auto add = [&](auto type) {
      for (int k = 0; k < operands; ++k) all.of[at++] = type(k);
    };
    add(First::type);
    (add(Rest::type), ...);
    return all;
  }
  static constexpr Types types = make_types();
};

struct Ufunc {
  const char* name;
  const char* doc;  // may be null
  int inputs, outputs, identity;
  const char* layout;  // null: element by element
  unsigned writable;   // a bit per input that is written to
  int count;           // of loops
  const PyUFuncGenericFunction* loops;
  const char* types;
  bool is_parallel;
};

template <class L>
constexpr Ufunc ufunc(const char* name, int inputs, int outputs, int identity,
                      const char* doc = nullptr, const char* layout = nullptr,
                      unsigned writable = 0) {
  return {name,     doc,      inputs,       outputs,     identity,   layout,
          writable, L::count, L::functions, L::types.of, L::parallel};
}

// NumPy's C API for ufuncs, as a value: see numpy.h.
struct UfuncAPI {
  void** PyUFunc_API;

  // `data`: one pointer per loop, that of the module's state. NumPy prefers a loop of just the
  // inputs' types where it is given all of them at once; of those that come to an element-wise
  // ufunc later it takes the first that fits, as for the functions of Numba.
  PyObject* make(const Ufunc& u, void** data) const {
    auto* functions = const_cast<PyUFuncGenericFunction*>(u.loops);
    auto* types = const_cast<char*>(u.types);
    const bool later = u.layout == nullptr;
    PyObject* object = PyUFunc_FromFuncAndDataAndSignatureAndIdentity(
        functions, data, types, later ? 0 : u.count, u.inputs, u.outputs, u.identity, u.name, u.doc,
        0, u.layout, nullptr);
    if (object && later) {
      auto* made = reinterpret_cast<PyUFuncObject*>(object);
      made->functions = functions;
      made->data = data;
      made->types = types;
      made->ntypes = u.count;
    }
    return object;
  }
};

// Pickled by reference: __module__ and __qualname__ say where it is found. NumPy < 2.2 has no place
// for them, and looks in sys.modules.
PYK_COLD inline void name_ufunc(PyObject* object, PyObject* module, const char* name) {
  PyObject* module_name = PyModule_GetNameObject(module);
  PyObject* text = PyUnicode_FromString(name);
  const bool named = module_name && text &&
                     PyObject_SetAttrString(object, "__module__", module_name) == 0 &&
                     PyObject_SetAttrString(object, "__qualname__", text) == 0;
  if (!named) PyErr_Clear();
  Py_XDECREF(text);
  Py_XDECREF(module_name);
}

PYK_COLD inline bool add_ufunc(PyObject* module, const UfuncAPI& api, const Ufunc& u, void** data) {
  PyObject* object = api.make(u, data);
  if (!object) return false;
  auto* made = reinterpret_cast<PyUFuncObject*>(object);
  made->obj = Py_NewRef(module);  // which holds the state that the loops read
  // Results of several numbers may be read, and need not be written all over: what NumPy copies
  // begins with what was there.
  constexpr npy_uint32 kKept = NPY_ITER_READWRITE | NPY_ITER_UPDATEIFCOPY;
  for (int k = 0; k < u.inputs; ++k)
    if ((u.writable >> k & 1) != 0) made->op_flags[k] = kKept;
  for (int k = u.inputs; u.layout && k < u.inputs + u.outputs; ++k)
    made->op_flags[k] = kKept | NPY_ITER_ALLOCATE;
  name_ufunc(object, module, u.name);
  const bool added = PyModule_AddObjectRef(module, u.name, object) == 0;
  Py_DECREF(object);
  return added;
}

// Adds the module's ufuncs; false with an exception.
template <size_t N>
PYK_COLD bool add_ufuncs(PyObject* module, State& state, const Ufunc (&ufuncs)[N]) {
  const UfuncAPI api{find_numpy("_UFUNC_API")};
  if (!api.PyUFunc_API) return false;
  int most = 0;
  bool parallel = false;
  for (const Ufunc& u : ufuncs) {
    most = u.count > most ? u.count : most;
    parallel = parallel || u.is_parallel;
  }
  if (parallel && !state.threads.forks && !start_threads(state.threads)) return false;
  state.ufunc_data = static_cast<void**>(PyMem_Calloc(static_cast<size_t>(most), sizeof(void*)));
  if (!state.ufunc_data) return fail_without_memory();
  for (int k = 0; k < most; ++k) state.ufunc_data[k] = &state;
  for (const Ufunc& u : ufuncs)
    if (!add_ufunc(module, api, u, state.ufunc_data)) return false;
  return true;
}

}  // namespace python
}  // namespace pyk
