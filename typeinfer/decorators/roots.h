// What a set of parsed files offers to the compiler: functions under decorators, names of modules.
//
// In:   parsed modules, types given beside them (--sig, kernels.sig, `# pyk2cu: sig` comments).
// Out:  Sources: one ModuleInfo per file, whose Bindings say what each module-level name means,
//       more for functions that make kernels, and the Definitions in source order.
// Rule: nothing is executed: imports and assignments are read as text.
// Tested by tests/unit/typeinfer/roots_test.cpp.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/diag/diagnostics.h"
#include "typeinfer/fold/value.h"
#include "typeinfer/ir/ir.h"
#include "typeinfer/signature/signature.h"

namespace pyk2cu::decorators {

struct ModuleInfo;

enum class DefinitionKind : uint8_t {
  kPlain,        // undecorated: a helper when a typed function calls it by `register_jitable` rules
  kJit,          // @jit, @njit, @generated-free CPU function
  kKernel,       // @cuda.jit
  kDevice,       // @cuda.jit(device=True)
  kVectorize,    // @vectorize
  kGuvectorize,  // @guvectorize
  kStencil,      // @stencil
};

constexpr bool is_ufunc(DefinitionKind kind) {
  return kind == DefinitionKind::kVectorize || kind == DefinitionKind::kGuvectorize;
}
// Is it one that Python calls by name?
constexpr bool is_entry(DefinitionKind kind) {
  return kind != DefinitionKind::kPlain && kind != DefinitionKind::kDevice;
}

// An option that is an error: reported where the file is compiled, else where the function is used.
struct Misread {
  Span span{};
  std::string option{}, why{};
  bool reported = true;
};

struct Definition;

// What @stencil makes of a function of one point: one of whole arrays.
struct Stencil {
  const Definition* point = nullptr;  // takes the indices of the point behind the arguments
  // Least and greatest index per axis; empty: those of the subscripts.
  std::vector<std::pair<int64_t, int64_t>> neighborhood{};
  std::vector<Symbol> standard{};     // parameters whose subscripts do not count from the point
  std::optional<fold::Value> cval{};  // of the border; where it is not given, 0 in a new array
};

// One `def` under one decorator (call forms `f = njit(sig)(g)` make one too, named f).
struct Definition {
  Symbol name;  // what Python sees
  DefinitionKind kind = DefinitionKind::kPlain;
  const ast::FunctionDef* def = nullptr;  // null for a lambda
  const ast::Lambda* lambda = nullptr;
  const ModuleInfo* module = nullptr;
  ir::Options options{};
  std::optional<ir::Ufunc> ufunc{};                         // @vectorize, @guvectorize
  std::optional<Stencil> stencil{};                         // @stencil
  const Stencil* point_of = nullptr;                        // of a stencil's function of one point
  const ast::Arguments* parameters = nullptr;               // where they are not those of the text
  Span decorator{};                                         // for notes
  std::vector<signature::Signature> signatures{};           // empty: lazy
  std::unordered_map<Symbol, const types::Type*> locals{};  // locals=: types of names
  std::optional<Misread> misread{};                         // compiled, but fails
  bool exported = true;  // false: only called from other functions (imported helpers)
  bool helper = false;   // made for compiled callers: a device function, register_jitable
  bool lazy = false;     // calls with other types than `signatures` compile more

  const ast::Arguments& arguments() const {
    return parameters ? *parameters : def ? *def->args : *lambda->args;
  }
};

// PK2053 at its `**kwargs`.
void report_keyword_rest(const Definition& definition, Diagnostics& diags);

// What a module-level name means.
// A named tuple class; null defaults where a value must be given.
struct FieldClass : signature::FieldClass {
  std::vector<const fold::Value*> defaults{};  // as many as fields
};

// An exception class of a compiled file. The extension module defines it anew from its text.
struct ExceptionClass {
  Symbol name{};
  std::string text{};   // class Failed(ValueError): …
  std::string bases{};  // "ValueError", for the stub
  const ast::ClassDef* def = nullptr;
  const ModuleInfo* module = nullptr;
  std::string obstacle{};  // why it cannot be defined alone: "uses `helper`"
};

struct Binding {
  enum class Kind : uint8_t {
    kUnknown,     // no such name
    kDefinition,  // a function that can be compiled: `definition`
    kConstant,    // folds: `value`
    kQualified,   // an imported thing: `qualified` = "numpy", "math.sqrt", "numba.prange"
    kModule,      // a sibling file: `module`
    kHost,        // exists, but does not fold (an object of the host program): `span` says where;
                  // `module`: the file with errors that it comes from
  } kind = Kind::kUnknown;
  const Definition* definition = nullptr;
  const fold::Value* value = nullptr;  // kHost: what a list holds now
  std::string qualified{};
  const ModuleInfo* module = nullptr;
  const FieldClass* fields = nullptr;         // kHost: of a named tuple class
  const ExceptionClass* exception = nullptr;  // kHost: of an exception class of a compiled file
  Span span{};
  Span condition{};  // kHost: of the `if` that decides which value it has
};

// The last `name = expr`, and whose names it speaks.
struct Assigned {
  const ast::Expr* expr = nullptr;
  const ModuleInfo* module = nullptr;
};

struct ModuleInfo : signature::Names {
  const ast::Module* ast = nullptr;
  std::string name;                   // "kernels"
  const ModuleInfo* outer = nullptr;  // of a function's names: those around it
  std::unordered_map<Symbol, Binding> bindings{};

  const Binding& find(Symbol name) const;  // kUnknown when absent
  // What `util.name` means, `util` being a sibling file; null where it is none.
  const Binding* member(const ast::Attribute& path) const;
  const ModuleInfo* module_of(const ast::Expr& path) const;  // the sibling file `a.util`, or null
  const Binding* meaning(const ast::Expr& path) const;       // of a name or member, or null
  Assigned assigned_to(Symbol name) const;
  const ast::Expr* find_assigned(Symbol wanted) const override { return assigned_to(wanted).expr; }
  const signature::Names* home_of(Symbol wanted) const override {
    return assigned_to(wanted).module;
  }
  const SourceFile* file() const override { return ast->file; }
  bool is_host_value(Symbol wanted) const override {
    return find(wanted).kind == Binding::Kind::kHost;
  }
  const types::Type* type_of_value(const ast::Expr& expr) const override;
  std::string qualified(Symbol name) const override;
  bool is_function(Symbol name) const override;
  const signature::FieldClass* find_fields(Symbol name) const override;
  std::vector<Symbol> all_names() const;  // for did-you-mean

  std::unordered_map<Symbol, Assigned> assigned{};
};

// What folds in a compiled function: the constants of its module and imported names.
struct ModuleScope : fold::Scope {
  explicit ModuleScope(const ModuleInfo& info) : module(info) {}
  const fold::Value* find(Symbol name) const override;
  std::string qualified(Symbol name) const override { return module.qualified(name); }
  std::optional<fold::Member> member(const ast::Attribute& path) const override;
  std::optional<fold::Fields> fields(const ast::Expr& path) const override;
  const ModuleInfo& module;
};

struct Sources {
  std::vector<std::unique_ptr<ModuleInfo>> modules{};
  std::vector<std::unique_ptr<Definition>> definitions{};  // source order
  std::vector<std::unique_ptr<Definition>> points{};       // of stencils
  Arena arena{};                                           // of parameters that no text has
  std::vector<std::unique_ptr<fold::Value>> values{};
  std::vector<std::unique_ptr<FieldClass>> field_classes{};
  std::vector<std::unique_ptr<ExceptionClass>> exceptions{};  // source order
  std::vector<const SourceFile*> used_signature_files{};      // those that named a function
  std::vector<const ModuleInfo*> library{};                   // of NumPy's functions in Python
  std::string module_name{};  // as the source wants it (numba.pycc.CC); empty: the file's
};

struct Settings {
  // --sig 'f=float64(float64)' and lines of kernels.sig, as files of the source map.
  std::vector<const SourceFile*> signature_files{};
  bool boundscheck = false;
  std::string semantics{};  // "", "numba" or "numpy"
  // --sig speaks to several modules: a name that this one lacks may be another's.
  bool shared_signatures = false;
  std::vector<const ast::Module*> library{};  // modules whose functions are for those of NumPy
};

// `modules`: the files of the command line first, then the sibling modules they import.
Sources collect(const std::vector<const ast::Module*>& modules, size_t roots,
                const Settings& settings, Diagnostics& diags);

}  // namespace pyk2cu::decorators
