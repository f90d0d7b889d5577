// Sets and dicts: displays, comprehensions, methods, entries, operators.
//
// In:   operands, evaluated already; the syntax tree where a function takes Expressions.
// Out:  operands; builtins of pyk/table.h, each preceded by the checks that Python makes.
// A key that is not there raises KeyError, memory that is not there MemoryError; so does a loop
// RuntimeError over what its body makes longer or shorter. Entries come in the order in which they
// were put in, in sets as well. What types they have is known as the items of lists are.
// Tested by tests/run/test_tables.py.
#pragma once

#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

Operand set_display(Expressions& in, const ast::Set& e, ListSite site);
Operand dict_display(Expressions& in, const ast::Dict& e, ListSite site);
Operand set_comprehension(Expressions& in, const ast::SetComp& e, ListSite site);
Operand dict_comprehension(Expressions& in, const ast::DictComp& e, ListSite site);
// set(), dict(), Dict(), Dict.empty(key_type, value_type); nothing for another function.
std::optional<Operand> table_made(Expressions& in, const Arguments& args, std::string_view path);

bool is_table_method(const Type* table, std::string_view name);
Operand table_method(Expressions& in, ir::Expr* table, const Arguments& args);
ir::Expr* table_length(Emitter& in, ir::Expr* table, Span span);
ir::Expr* table_contains(Emitter& in, ir::Expr* table, ir::Expr* key, Span span);
ir::Expr* table_equal(Emitter& in, ir::Expr* left, ir::Expr* right, Span span);
// a <= b and a < b, of sets.
ir::Expr* set_within(Emitter& in, ir::Expr* left, ir::Expr* right, bool less, Span span);
// a | b, a & b, a - b, a ^ b of sets. Null: no such operation.
ir::Expr* set_binary(Emitter& in, ast::Operator op, ir::Expr* left, ir::Expr* right, Span span);
bool set_update(Emitter& in, ast::Operator op, ir::Expr* set, ir::Expr* right, Span span);

// The place behind this one where something stands, -1 where there is none, which is in front of
// the first as well.
ir::Expr* table_next(Emitter& in, ir::Expr* table, ir::Expr* place, Span span);
// What stands at a place of a variable.
Operand entry_at(Emitter& in, ir::Expr* table, ir::Expr* place, Entries::Part part, Span span);
ir::Expr* list_of_entries(Emitter& in, const Entries& entries, Span span);  // one of its own
ir::Expr* table_moves(Emitter& in, ir::Expr* table, Span span);
// RuntimeError where the table has not as many entries as when the loop began, or they have moved;
// `moves` null: they were put in a list of its own.
void check_unchanged(Emitter& in, ir::Expr* table, ir::Expr* count, ir::Expr* moves, Span span);

// d[key]
Operand dict_item(Emitter& in, ir::Expr* dict, const Operand& key, Span span);
// `updated`: KeyError where nothing stands there.
Place dict_place(Emitter& in, ir::Expr* dict, const Operand& key, bool updated, ListSite site,
                 Span span);
ir::Expr* dict_load(Emitter& in, const Place& place, Span span);
void dict_store(Emitter& in, const Place& place, ir::Expr* value, Span span);
void dict_delete(Emitter& in, ir::Expr* dict, const Operand& key, Span span);

}  // namespace pyk2cu::infer
