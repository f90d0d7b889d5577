// What the files of expressions share: helpers over Infer that are nobody else's business.
//
// In:   the function in work (Infer), operands.  Out: IR expressions, or operands.
// Each group stands under the name of its file. All of them absorb error operands silently.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "typeinfer/infer/infer.h"

namespace pyk2cu::infer {

// ---- expr.cpp ----------------------------------------------------------------------------------
// `yes()` where `condition` holds, else `no()`; only the one of them is evaluated. The join of
// names lies at `at`, with these edges of scope::Versions.
struct Choice {
  const ast::Expr& at;
  ir::Expr* condition;
  std::function<ir::Expr*()> yes, no;
  Span span;
  int yes_slot = 0, no_slot = 1;
};
ir::Expr* choose(Infer& in, const Choice& choice);
// The truth that is known while compiling, or null.
const bool* known(const ir::Expr* condition);
// Operands evaluated from left to right.
std::vector<Operand> operands(Infer& in, const std::vector<const ast::Expr*>& exprs);
// How a message calls an operand that is no value: "the function `f`", "a range".
std::string describe(const Operand& o);
// The type of a value, "function" and the like for other operands: for lists of argument types.
std::string type_name(const Operand& o);
ir::Expr* array_expression(Infer& in, Span span, std::string_view what);

// ---- op.cpp ------------------------------------------------------------------------------------
// The value inside an optional; raises TypeError when there is none.
ir::Expr* unwrap(Infer& in, ir::Expr* e, Span span);
ir::Expr* unary(Infer& in, ast::UnaryOperator op, ir::Expr* operand, Span span);
ir::Expr* divmod(Infer& in, ir::Expr* left, ir::Expr* right, Span span);
Operand binary_operands(Infer& in, ast::Operator op, const Operand& left, const Operand& right,
                        Span span);
bool python_errors(const Infer& in);  // ZeroDivisionError and the like are raised
// NEP 50: a Python literal takes the type of what it meets; Numba's dialect types it alone.
void settle_literals(Infer& in, ir::Expr*& left, ir::Expr*& right);
ir::Expr* make_binary(Infer& in, types::BinaryOp op, ir::Expr* left, ir::Expr* right,
                      const Type* result, Span span);
std::string_view spelling(ast::Operator op);

// ---- compare.cpp -------------------------------------------------------------------------------
ir::Expr* make_compare(Infer& in, types::CompareOp op, ir::Expr* left, ir::Expr* right, Span span);
// What a condition comes to that was typed like any other, or nothing.
std::optional<bool> decided(const ir::Expr* condition);
ir::Expr* compare_chain(Infer& in, const ast::Compare& e);

// ---- subscript.cpp -----------------------------------------------------------------------------
Operand subscript(Infer& in, const ast::Subscript& e);
Operand subscript_of(Infer& in, const Operand& base, const Operand& index, Span span);

// ---- flat.cpp ----------------------------------------------------------------------------------
// The elements of `array` in C order as an array of one dimension, or null: others lie otherwise.
ir::Expr* flat_view(Infer& in, ir::Expr* array, Span span);
// The indices of element `index` of a.flat; both are named already, 0 <= index.
std::vector<ir::Index> unravel(Infer& in, ir::Expr* array, ir::Expr* index);
Operand flat_item(Infer& in, const Flat& flat, const Operand& index, Span span);
Place flat_place(Infer& in, const Flat& flat, const Operand& index, Span span);

// ---- attribute.cpp -----------------------------------------------------------------------------
Operand attribute(Infer& in, const ast::Attribute& e);
ir::Expr* query(Infer& in, ir::QueryOp op, ir::Expr* array, int axis, Span span);
ir::Expr* shape_of(Infer& in, ir::Expr* array, Span span);
// The scalar type that an operand names (np.float32, numba.int64, int, "f4"), or null.
const Type* named_type(const Operand& o);
// A view with the axes reversed, or null when the runtime has none.
ir::Expr* transposed(Infer& in, ir::Expr* array, Span span);

// ---- call.cpp ----------------------------------------------------------------------------------
struct Arguments {
  std::string path{};  // as users write it: "math.sqrt", "f"
  std::vector<Operand> args{};
  std::vector<std::pair<Symbol, Operand>> keywords{};
  Span span{};
  const ast::Call* call = nullptr;

  const Operand* keyword(std::string_view name) const;
  Span name_span(Symbol name) const;  // of a keyword's name in the call
};
Operand method_call(Infer& in, const Operand& method, Arguments args);
Operand cast_call(Infer& in, const Type* to, const Arguments& args);
// Arguments by parameter names: positional ones first; nothing and a report when they do not fit.
// Parameters from `required` on may be absent (kError).
std::optional<std::vector<Operand>> by_name(Infer& in, const Arguments& args,
                                            const std::vector<std::string_view>& names,
                                            size_t required);
bool any_error(const Arguments& args);
bool has_array(const Arguments& args);
Operand bad_arguments(Infer& in, const Arguments& args);
// "math.sqrt", "np.zeros": how messages spell a qualified name.
std::string user_path(std::string_view path);

// ---- builtin_call.cpp --------------------------------------------------------------------------
Operand builtin_call(Infer& in, Arguments args, const std::string& path);
bool is_builtin(std::string_view path);  // something that builtin_call() handles
bool is_module_path(std::string_view path);
// The nearest known name in the same module, or "".
std::string nearest_builtin(std::string_view path);
Operand registry_call(Infer& in, const Arguments& args, const builtins::Row& row);

using Handler = Operand (*)(Infer& in, const Arguments& args);
struct HandlerRow {
  std::string_view path;
  Handler handler;
};
std::span<const HandlerRow> scalar_handlers();  // builtin_scalar.cpp
std::span<const HandlerRow> array_handlers();   // builtin_array.cpp
std::span<const HandlerRow> cuda_handlers();    // builtin_cuda.cpp
std::span<const HandlerRow> items_handlers();   // builtin_items.cpp
Operand tuple_index(Infer& in, ir::Expr* tuple, const Arguments& args);
Operand tuple_count(Infer& in, ir::Expr* tuple, const Arguments& args);
Operand copy_array(Infer& in, ir::Expr* array, const Arguments& args);
// cuda.threadIdx.x and friends; nothing when `path` is none of them.
std::optional<Operand> cuda_name(Infer& in, const std::string& path, Span span);

}  // namespace pyk2cu::infer
