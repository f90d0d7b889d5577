// Lists: displays, comprehensions, methods, items, and what other operations make of them.
//
// In:   operands, evaluated already; the syntax tree where a function takes Expressions.
// Out:  operands; builtins of pyk/list.h, each preceded by the checks that Python makes.
// An item that is not there raises IndexError, memory that is not there MemoryError. The type of
// the items is what list_types.h knows; while it is not, the walk waits and says nothing.
// Tested by tests/run/test_lists.py.
#pragma once

#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

// [a, b]. `site`: where it goes.
Operand list_display(Expressions& in, const ast::List& e, ListSite site);
// [a] * n, n * [a]
Operand list_repeated(Expressions& in, const ast::BinOp& e, const ast::List& one, ListSite site);
Operand list_comprehension(Expressions& in, const ast::ListComp& e, ListSite site);
// list(iterable), List(), List.empty_list(type); nothing for another function.
std::optional<Operand> list_made(Expressions& in, const Arguments& args, std::string_view path);
// The arguments of a function of NumPy's: lists of numbers as arrays of their own; false after a
// report, and in walks that do not know their items. np.array makes its own of them.
bool lists_as_arrays(Emitter& in, Arguments& args, std::string_view path);
ir::Expr* array_of_list(Emitter& in, ir::Expr* list, Span span);
// What sum, min and max go over as loops, a list or an array of one dimension; null: another thing.
ir::Expr* line_of(Emitter& in, const Operand& o, Span span);
Operand list_size(Emitter& in, ir::Expr* list, Span span);  // len(list)
// What len() is of one whose items no walk knows yet.
Operand some_length(Emitter& in, Span span);
// sum and min or max of a list, or of an array of one dimension.
Operand sum_of(Emitter& in, ir::Expr* of, ir::Expr* start, Span span);
Operand extreme_of(Emitter& in, bool greatest, ir::Expr* of, Span span);

bool is_list_method(std::string_view name);
Operand list_method(Expressions& in, ir::Expr* list, const Arguments& args);
Operand list_item(Emitter& in, ir::Expr* list, const Operand& index, Span span);
ir::Expr* list_item_at(Emitter& in, ir::Expr* list, ir::Expr* index, Span span);  // is there
// As an expression that may be repeated while nothing is changed.
ir::Expr* list_named(Emitter& in, ir::Expr* list);
ir::Expr* list_length(Emitter& in, ir::Expr* list, Span span);
ir::Expr* list_contains(Emitter& in, ir::Expr* list, ir::Expr* item, Span span);
// a + b, a * n, n * a; a == b. Null: no such operation.
ir::Expr* list_binary(Emitter& in, ast::Operator op, ir::Expr* left, ir::Expr* right, Span span);
ir::Expr* list_equal(Emitter& in, ir::Expr* left, ir::Expr* right, Span span);
// `at`: where the iterable stands in the text; null: nowhere.
void list_extend(Expressions& in, ir::Expr* list, const Operand& more, const ast::Expr* at,
                 ListSite site, Span span);
// `updated`: what stands there is read first.
Place list_place(Emitter& in, ir::Expr* list, const Operand& index, bool updated, Span span);
// list[index] = value, of an index that is named already; del list[index].
ir::Expr* list_index(Emitter& in, ir::Expr* list, const Operand& index, std::string_view message,
                     Span span);
// Again, where what came in between may have taken it out.
void list_check(Emitter& in, ir::Expr* list, ir::Expr* at, Span span);
// list += more, list *= times: the list itself. False: no such update.
bool list_update(Expressions& in, const ast::AugAssign& s, ir::Expr* list, const Operand& right);
void list_store(Emitter& in, ir::Expr* list, ir::Expr* index, ir::Expr* value, Span span);
void list_delete(Emitter& in, ir::Expr* list, const Operand& index, Span span);

// Where a list goes that is assigned to this; a list that this expression reads comes from there.
ListSite site_of(const ast::Expr& e);
// Does anything in the block change how many items a list has, other than this one?
bool changes_lists(const ir::Block& block, const ir::Local* but = nullptr);

}  // namespace pyk2cu::infer
