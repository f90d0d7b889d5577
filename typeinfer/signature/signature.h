// Signatures: what a user gives to a decorator to say types, evaluated as the Python expression it
// is.
//
//   "void(float32[:], f8)"   float64(float64)   (int32, int32)   [f4(f4), "f8(f8)"]   sig
//
// In:   an expression of the user's file (or text), and what the file's names mean.
// Out:  types. A mistake is a PK201x diagnostic with its caret at the wrong part, inside the string
//       too; the result is then empty, or null.
// Rule: Numba evaluates signature strings over the names of numba.types; so does this, and beside
//       them it accepts NumPy's scalar types. Nothing is run.
// Tested by tests/unit/typeinfer/signature_test.cpp, tests/fuzz/signature_fuzzer.cpp and
// tests/diag.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/base/source_map.h"
#include "frontend/base/symbol.h"
#include "frontend/diag/diagnostics.h"
#include "typeinfer/types/types.h"

namespace pyk2cu::signature {

struct Signature {
  const types::Type* result = nullptr;  // null: to be inferred; types::void_() for void and none
  std::vector<const types::Type*> params{};
  std::vector<Span> param_spans{};  // one per parameter
  Span result_span{}, span{};
};

// A named tuple class of the file.
struct FieldClass {
  Symbol name{};
  std::vector<Symbol> fields{};
};

// What the names at module level mean.
struct Names {
  // The value of the last module-level `name = expr`, or null.
  virtual const ast::Expr* find_assigned(Symbol name) const = 0;
  // Whose names that expression speaks, and their file; null: these.
  virtual const Names* home_of(Symbol) const { return nullptr; }
  virtual const SourceFile* file() const { return nullptr; }
  // "numba.float32" for an imported name, "numba" for a module alias, "" if unknown.
  virtual std::string qualified(Symbol name) const = 0;
  virtual bool is_function(Symbol) const { return false; }
  // The named tuple class that a name stands for, or null.
  virtual const FieldClass* find_fields(Symbol) const { return nullptr; }
  // The same, for names in strings and texts.
  virtual const FieldClass* find_in_text(Symbol) const { return nullptr; }
  // Likewise of find_assigned: of comments and options, not of strings that Numba reads too.
  virtual const ast::Expr* find_assigned_in_text(Symbol) const { return nullptr; }
  // Is it bound to something that is known only when the program runs?
  virtual bool is_host_value(Symbol) const { return false; }
  // typeof(expr): the type of its value, or null where that is not known from the text.
  virtual const types::Type* type_of_value(const ast::Expr&) const { return nullptr; }
  virtual ~Names() = default;
};

// The signatures that `expr` gives: a string, a type call, a tuple of types, or a list or tuple of
// these, or a name bound to one. `file` is the file that holds `expr`.
std::vector<Signature> evaluate(const ast::Expr& expr, const Names& names, const SourceFile& file,
                                Diagnostics& diags);

// One type: an annotation or a dtype= argument. Python's int, float, complex, bool, None, `T |
// None` and tuple[...] mean what annotations mean by them; a string is a type, or NumPy's name of a
// dtype. Null after a diagnostic.
const types::Type* evaluate_type(const ast::Expr& expr, const Names& names, const SourceFile& file,
                                 Diagnostics& diags);

// Signatures from text: --sig, kernels.sig, comments. `text` is a part of `file.text`, so that
// carets point there; text from elsewhere is taken to stand at the file's base. `around`: whose
// named tuple classes and types the text may name.
std::vector<Signature> parse(std::string_view text, const SourceFile& file, Diagnostics& diags,
                             const Names* around = nullptr);

// `f(float32[:])`, `f(float32[:]) -> float32`, `f = float64(float64)`, `f = [f4(f4), f8(f8)]`;
// `Class.f` or a line in place of `f`.
struct Named {
  Symbol name;  // none after a diagnostic
  Span name_span{};
  std::vector<Signature> signatures{};
};
Named parse_named(std::string_view text, const SourceFile& file, Diagnostics& diags,
                  const Names* around = nullptr);

// One type from text, or null: `parse_type(print(t)) == t`.
const types::Type* parse_type(std::string_view text, const SourceFile& file, Diagnostics& diags,
                              const Names* around = nullptr);

// Is `name` the last part of a type without parameters, of use here or not: float64, f8, void,
// none, unicode_type?
bool names_type(std::string_view name);

// Can compiled code hold values of this type? False after a diagnostic (PK2014) that names the
// part for which no C++ type stands.
bool has_form(const types::Type* type, Span span, Diagnostics& diags);

// In the users' spelling: `void(float32[:], float64)`, `(float64, int32)` when the result is open.
std::string print(const Signature& signature);

}  // namespace pyk2cu::signature
