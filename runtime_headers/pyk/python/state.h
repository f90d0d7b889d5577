// What a module is made of: constant tables, and the state that belongs to one module object.
//
// In:   the generated tables.  Out: Tables; State, of which every import has its own: functions
//       hold a pointer to it and a reference to the module that it lies in.
// Tested by tests/run/test_module_state.py.
#pragma once

#include "pyk/isa.h"
#include "pyk/python/numpy.h"
#include "pyk/python/openmp.h"
#include "pyk/status.h"

namespace pyk {
namespace [[gnu::visibility("hidden")]] python {

struct Entry;
struct State;

// A named tuple class that results need: {"Point", "x y"}. The table ends with nulls.
struct FieldClass {
  const char* name;
  const char* fields;
};

// An exception class of the source, which the module defines from its text. An array of them ends
// with nulls.
struct ExceptionClass {
  const char* name;
  const char* text;
};

// The dtype of structured arrays. A field is of a dtype that NumPy knows by name, or a record.
struct Record;
struct Field {
  const char* name;
  const char* format;
  int64_t offset;
  const Record* record = nullptr;
};
struct Record {
  const Field* fields;
  int count;
  int64_t size;
  bool is_c_struct;
};

// All that the generator has to say about a module.
struct Tables {
  using AddUfuncs = bool (*)(PyObject* module, State& state);

  constexpr explicit Tables(const char* module_name) : name(module_name) {}  // nothing was compiled
  template <size_t N>
  constexpr Tables(const char* module_name, const Entry (&all)[N],
                   const pyk::site* raise_sites = nullptr,
                   const FieldClass* tuple_classes = nullptr, AddUfuncs ufuncs = nullptr,
                   const processor* chosen = nullptr, const Record* const* dtypes = nullptr,
                   const ExceptionClass* raised = nullptr)
      : Tables(module_name, nullptr, raise_sites, tuple_classes, ufuncs, chosen, dtypes, raised) {
    entries = all;
    entry_count = static_cast<int>(N);
  }
  constexpr Tables(const char* module_name, std::nullptr_t, const pyk::site* raise_sites = nullptr,
                   const FieldClass* tuple_classes = nullptr, AddUfuncs ufuncs = nullptr,
                   const processor* chosen = nullptr, const Record* const* dtypes = nullptr,
                   const ExceptionClass* raised = nullptr)
      : name(module_name),
        sites(raise_sites),
        classes(tuple_classes),
        add_ufuncs(ufuncs),
        cpu(chosen),
        records(dtypes),
        exceptions(raised) {}

  const char* name;
  const Entry* entries = nullptr;
  int entry_count = 0;
  const pyk::site* sites = nullptr;            // null when nothing raises
  const FieldClass* classes = nullptr;         // null when no result has a named tuple
  AddUfuncs add_ufuncs = nullptr;              // null in a module without; see ufunc.h
  const processor* cpu = nullptr;              // null when all bodies are for one instruction set
  const Record* const* records = nullptr;      // ends with null; null when there are none
  const ExceptionClass* exceptions = nullptr;  // null when the source has none
};

// Those of the module that includes this, which defines them.
extern const Tables module_tables;

// Zero until the module has been executed; then constant but for `sources` and what Threads counts.
struct State {
  const Tables* tables;
  PyObject* module;  // borrowed: the state lies in it
  NumPy numpy;
  PyTypeObject* launcher;  // null in a module without kernels
  PyObject** classes;      // of tables->classes, as many
  PyObject** exceptions;   // of tables->exceptions, as many
  void** ufunc_data;       // of every loop: this state
  PyObject* sources;       // file -> module, of those imported for py_func; null: none
  Threads threads;
};

inline State& state_of(PyObject* module) { return *static_cast<State*>(PyModule_GetState(module)); }

template <class Row>
int count_named(const Row* table) {
  int count = 0;
  while (table && table[count].name) ++count;
  return count;
}
inline int count_classes(const Tables& tables) { return count_named(tables.classes); }
inline int count_exceptions(const Tables& tables) { return count_named(tables.exceptions); }

}  // namespace python
}  // namespace pyk
