// What the files of expressions share.
//
// In:   operands, evaluated already, where a function takes the Emitter; the syntax tree where it
// takes Expressions.  Out: IR expressions, or operands.
// Each group stands under the name of its file. All of them absorb error operands silently.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "typeinfer/infer/conditions.h"
#include "typeinfer/infer/constants.h"
#include "typeinfer/infer/conversions.h"
#include "typeinfer/infer/expressions.h"
#include "typeinfer/types/records.h"

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
  // What the choice is between, when both sides have been evaluated: may put others in their place.
  std::function<void(ir::Expr*& yes, ir::Expr*& no)> meet{};
};
ir::Expr* choose(Expressions& in, const Choice& choice);
// Operands evaluated from left to right; where they go, should they be lists.
std::vector<Operand> operands(Expressions& in, const std::vector<const ast::Expr*>& exprs,
                              ListSite site = {});
// How a message calls an operand that is no value: "the function `f`", "a range".
std::string describe(const Operand& o);
// The type of a value, "function" and the like for other operands: for lists of argument types.
std::string type_name(const Operand& o);
// The operand as an rvalue; reports when it has none.
ir::Expr* value_of(Emitter& in, const Operand& o, Span span);
// Refuses what is computed of whole arrays; `operands`: those that may be rows where numbers were
// meant.
ir::Expr* array_expression(Emitter& in, Span span, std::string_view what,
                           std::initializer_list<const ir::Expr*> operands = {});

// ---- op.cpp ------------------------------------------------------------------------------------
ir::Expr* binary(Emitter& in, ast::Operator op, ir::Expr* left, ir::Expr* right, Span span);
ir::Expr* unary(Emitter& in, ast::UnaryOperator op, ir::Expr* operand, Span span);
ir::Expr* divmod(Emitter& in, ir::Expr* left, ir::Expr* right, Span span);
Operand binary_operands(Emitter& in, ast::Operator op, const Operand& left, const Operand& right,
                        Span span);
bool python_errors(const Emitter& in);  // ZeroDivisionError and the like are raised
// NEP 50: a Python literal takes the type of what it meets; Numba's dialect types it alone.
void settle_literals(Emitter& in, ir::Expr*& left, ir::Expr*& right);
ir::Expr* make_binary(Emitter& in, types::BinaryOp op, ir::Expr* left, ir::Expr* right,
                      const Type* result, Span span);
// x ** n of an element of an array, as products: nothing is raised; null where they would be too
// many, or a reciprocal of integers.
ir::Expr* product_power(Emitter& in, ir::Expr* x, int64_t n, Span span);
std::string_view spelling(ast::Operator op);

// ---- compare.cpp -------------------------------------------------------------------------------
ir::Expr* compare(Emitter& in, ast::CompareOperator op, const Operand& left, const Operand& right,
                  Span span);
ir::Expr* compare_chain(Expressions& in, const ast::Compare& e);

// ---- subscript.cpp -----------------------------------------------------------------------------
// x of (x.shape[0], x.shape[1], …); null: the tuple is no shape.
const ir::Local* array_of_shape(const ir::Expr* tuple);
// To a message about an array that has not the `rank` that the source needs: where its type stands,
// and the type that would do.
void name_rank(Emitter& in, Diagnostics::Builder& builder, const ir::Local* array, int64_t rank);
Operand subscript(Expressions& in, const ast::Subscript& e);
Operand subscript_of(Emitter& in, const Operand& base, const Operand& index, Span span);
// Where a store goes, its subexpressions evaluated already (so that `a[f()] += 1` calls f once).
struct Place {
  enum class Kind : uint8_t { kError, kElement, kView, kPicked, kItem, kKey } kind = Kind::kError;
  ir::Expr* array =
      nullptr;  // kElement: a[indices]; kPicked: a[picks]; kItem: a list; kKey: a dict
  ir::Expr* picks = nullptr;         // kPicked: a mask, or indices; kItem: the index; kKey: the key
  ir::Expr* at = nullptr;            // kKey: where it stands; null: wherever it will
  ListSite site{};                   // kKey: of the dict
  int axis = 0;                      // kPicked: of the array
  std::vector<ir::Index> indices{};  // kElement
  ir::Expr* view = nullptr;          // kView: the slice as an ir::View
  const Type* type = nullptr;        // kElement: the element type; kView: the view's array type
  Span span{};
};
// Evaluates array and subscripts once. `updated`: what stands there is read first.
Place place(Expressions& in, const ast::Subscript& target, bool updated = false);
Place place_in(Emitter& in, ir::Expr* array, const Operand& index, Span span);
// The old value, for an augmented assignment: indices that read memory are held in temps first.
ir::Expr* load(Emitter& in, Place& place, Span span);
// array[index]: an element, or a view of one dimension less.
ir::Expr* row(Emitter& in, ir::Expr* array, ir::Expr* index, bool wrap, Span span);
ir::Expr* tuple_item(Emitter& in, ir::Expr* tuple, int index, Span span);
// A tuple of what is written out: (a, *b), and [a, b] where a loop goes over it.
Operand items_of(Expressions& in, std::span<ast::Expr* const> elts, Span span);

// ---- records.cpp ----------------------------------------------------------------------------
using types::holds_records;
// Field k of one record: its value, or the view of a field that holds several; of an array of
// records the view of all.
ir::Expr* field_of(Emitter& in, ir::Expr* array, size_t k, Span span);
std::optional<size_t> find_field(Emitter& in, const Type* array, std::string_view name, Span span);
// a["x"], r[0]; nothing where that means something else.
std::optional<Operand> field_at(Emitter& in, ir::Expr* array, const Operand& index, Span span);
Place place_of_field(ir::Expr* field, Span span);  // what field_of() made
Place place(Expressions& in, const ast::Attribute& target);
void store_record(Emitter& in, ir::Expr* to, ir::Expr* from, Span span);

// ---- flat.cpp ----------------------------------------------------------------------------------
// The elements of `array` in C order as an array of one dimension, or null: others lie otherwise.
ir::Expr* flat_view(Emitter& in, ir::Expr* array, Span span);
// a.flatten(): a copy of one dimension, in C order.
ir::Expr* flattened(Emitter& in, ir::Expr* array, Span span);
// A view of an array in C's order of another shape; ValueError where the number of elements is
// another one. An extent that is the constant -1 follows from the others.
ir::Expr* reshaped(Emitter& in, ir::Expr* array, std::vector<ir::Expr*> shape, Span span);
// The indices of element `index` of a.flat; both are named already, 0 <= index.
std::vector<ir::Index> unravel(Emitter& in, ir::Expr* array, ir::Expr* index);
std::vector<ir::Expr*> unravel(Emitter& in, const std::vector<ir::Expr*>& shape, ir::Expr* index);
Operand flat_item(Emitter& in, const Flat& flat, const Operand& index, Span span);
Operand range_item(Emitter& in, const Range& range, const Operand& index, Span span);
Place flat_place(Emitter& in, const Flat& flat, const Operand& index, Span span);

// ---- attribute.cpp -----------------------------------------------------------------------------
Operand attribute(Expressions& in, const ast::Attribute& e);
// An imported or builtin name: "numpy.float32" is a dtype, "math.pi" a constant, else Qualified.
Operand qualified(Emitter& in, const std::string& path, Span span);
ir::Expr* query(Emitter& in, ir::QueryOp op, ir::Expr* array, int axis, Span span);
ir::Expr* shape_of(Emitter& in, ir::Expr* array, Span span);
// The scalar type that an operand names (np.float32, numba.int64, int, "f4"), or null.
const Type* named_type(const Operand& o);
// A view with the axes reversed, or null when the runtime has none.
ir::Expr* transposed(Emitter& in, ir::Expr* array, Span span);

// ---- call.cpp ----------------------------------------------------------------------------------
Operand call(Expressions& in, const ast::Call& e, ListSite site);
struct Arguments {
  std::string path{};  // as users write it: "math.sqrt", "f"
  std::vector<Operand> args{};
  std::vector<std::pair<Symbol, Operand>> keywords{};
  Span span{};
  const ast::Call* call = nullptr;
  ListSite list{};  // where the result goes, if it is a list

  const Operand* keyword(std::string_view name) const;
  Span name_span(Symbol name) const;  // of a keyword's name in the call
};
// A function of a module with arguments, keywords and defaults.
Operand call_function(Expressions& in, const Operand& function, const Arguments& args);
Operand method_call(Expressions& in, const Operand& method, Arguments args);
Operand cast_call(Emitter& in, const Type* to, const Arguments& args);
// Arguments by parameter names: positional ones first; nothing and a report when they do not fit.
// Parameters from `required` on may be absent (kError).
std::optional<std::vector<Operand>> by_name(Emitter& in, const Arguments& args,
                                            const std::vector<std::string_view>& names,
                                            size_t required);
bool any_error(const Arguments& args);
bool has_array(const Arguments& args);
Operand bad_arguments(Emitter& in, const Arguments& args);
// "math.sqrt", "np.zeros": how messages spell a qualified name.
std::string user_path(std::string_view path);

// ---- globals.cpp -------------------------------------------------------------------------------
// A name of a module, or one of Python's own.
Operand global(Expressions& in, const decorators::ModuleInfo& where, Symbol name, Span span);
Operand module_member(Emitter& in, const decorators::ModuleInfo& where, Symbol name, Span span);

// ---- closure.cpp -------------------------------------------------------------------------------
// `args`: one operand per parameter of the definition, in its order, defaults filled in.
Operand invoke(Emitter& in, const Operand& function, std::vector<Operand> args, Span span);
// A lambda or nested def, its captures as they are now.
Operand make_function(Expressions& in, const ast::Node& function, Symbol name);

// ---- builtin_call.cpp --------------------------------------------------------------------------
Operand builtin_call(Expressions& in, Arguments args, const std::string& path);
bool is_builtin(std::string_view path);                  // something that builtin_call() handles
bool is_in_library(Emitter& in, std::string_view path);  // a function in Python: builtin_call.cpp
bool is_module_path(std::string_view path);
// The nearest known name in the same module, or "".
std::string nearest_builtin(std::string_view path);
Operand registry_call(Emitter& in, const Arguments& args, const builtins::Row& row);
ir::Expr* most_threads(Emitter& in, Span span);  // numba.config.NUMBA_NUM_THREADS

// a.sum() as np.sum(a): the method that args.path names.
Operand array_method(Expressions& in, ir::Expr* array, Arguments args);

using Handler = Operand (*)(Emitter& in, const Arguments& args);
struct HandlerRow {
  std::string_view path;
  Handler handler;
};
std::span<const HandlerRow> scalar_handlers();  // builtin_scalar.cpp
std::span<const HandlerRow> array_handlers();   // builtin_array.cpp
std::span<const HandlerRow> cuda_handlers();    // builtin_cuda.cpp
std::span<const HandlerRow> items_handlers();   // builtin_items.cpp
std::span<const HandlerRow> reduce_handlers();  // builtin_reduce.cpp
std::span<const HandlerRow> series_handlers();  // builtin_series.cpp
Operand tuple_index(Emitter& in, ir::Expr* tuple, const Arguments& args);
Operand tuple_count(Emitter& in, ir::Expr* tuple, const Arguments& args);

// ---- views.cpp ---------------------------------------------------------------------------------
// x.view(dtype), of an array or a number.
Operand view_as(Emitter& in, ir::Expr* x, const Arguments& args);

// ---- builtin_array.cpp -------------------------------------------------------------------------
bool on_host(Emitter& in, const Arguments& args);  // false, reported, in a kernel
// A new array in a temporary. `value`: of Fill::kValue, else null.
ir::Expr* new_array(Emitter& in, ir::Fill fill, const Type* type, std::vector<ir::Expr*> shape,
                    ir::Expr* value, Span span);
// Appends a dimension, which is checked to be none below 0; false after a report.
bool add_dimension(Emitter& in, const Operand& o, std::vector<ir::Expr*>& shape,
                   const Arguments& args);
// Does the function take displays of lists: np.array?
bool takes_lists(std::string_view path);
std::vector<ir::Expr*> extents(Emitter& in, ir::Expr* array, Span span);
// The dtype argument; `missing` when it is absent. Null after a report.
const Type* dtype_argument(Emitter& in, const Operand& o, const Type* missing,
                           const Arguments& args);
// What the index of a loop over an axis is called: i, j, k, l.
std::string axis_name(size_t axis);
// for index in range(first, n): body
ir::For* emit_count(Emitter& in, ir::Local* index, int64_t first, ir::Expr* n, ir::Block* body,
                    Span span);
// for i in range(n): body(i)
ir::For* count_to(Emitter& in, ir::Expr* n, Span span, const std::function<void(ir::Local*)>& body,
                  std::string_view stem = "i");
// array[at], of indices that loops count; and its store, which takes a value of the elements' type.
ir::Expr* element_at(Emitter& in, ir::Expr* array, const std::vector<ir::Local*>& at, Span span);
void store_at(Emitter& in, ir::Expr* array, const std::vector<ir::Local*>& at, ir::Expr* value,
              Span span);
// for i..: to[at, i, …] = from[at, i, …]
void copy_elements(Emitter& in, ir::Expr* to, ir::Expr* from, std::vector<ir::Local*> at,
                   Span span);
ir::Expr* copy_as(Emitter& in, ir::Expr* array, const Type* type, Span span);
Operand copy_array(Emitter& in, ir::Expr* array, const Arguments& args);

// ---- builtin_reduce.cpp, builtin_series.cpp ----------------------------------------------------
const Type* accumulator(const Type* elem);  // what NumPy sums elements of this type in
// The arguments by these names; nothing, refused, where there are others: they make arrays.
std::optional<std::vector<Operand>> of_array(Emitter& in, const Arguments& args,
                                             const std::vector<std::string_view>& names,
                                             size_t required = 1);
// An array, or null: elements are numbers.
ir::Expr* array_of(Emitter& in, const Operand& o, Span span);
// value in array: does an element equal the number?
ir::Expr* contains(Emitter& in, ir::Expr* array, ir::Expr* value, Span span);
// PK5002 for the function or the method of these arguments.
Operand refuse_arrays(Emitter& in, const Arguments& args);
Operand fill_array(Emitter& in, ir::Expr* array, const Arguments& args);
Operand sort_array(Emitter& in, ir::Expr* array, const Arguments& args);

// ---- picked.cpp --------------------------------------------------------------------------------
// a[mask], a[indices], a[:, indices]: of which axis of which view; nothing where the index holds no
// array, or in a form that is not supported.
struct Picks {
  ir::Expr *array, *index;
  int axis = 0;
};
std::optional<Picks> picks(Emitter& in, ir::Expr* array, const Operand& index, Span span);
ir::Expr* picked(Emitter& in, const Picks& of, Span span);
void store_picked(Emitter& in, const Picks& of, ir::Expr* value, Span span);

// ---- array_functions.cpp -----------------------------------------------------------------------
std::span<const HandlerRow> function_handlers();
std::span<const HandlerRow> strided_handlers();
std::span<const HandlerRow> list_handlers();  // list_functions.cpp
// left @ right, as np.dot has it: of vectors and matrices.
ir::Expr* matrix_product(Emitter& in, std::string_view what, ir::Expr* left, ir::Expr* right,
                         Span span);

// cuda.threadIdx.x and friends; nothing when `path` is none of them.
std::optional<Operand> cuda_name(Emitter& in, const std::string& path, Span span);

}  // namespace pyk2cu::infer
