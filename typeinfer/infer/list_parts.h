// What the files of lists share: lists.cpp, list_makers.cpp, list_functions.cpp.
//
// In:   see lists.h.  Out: builtins of pyk/list.h; items that fit a list.
#pragma once

#include "typeinfer/builtins/registry.h"
#include "typeinfer/infer/lists.h"
#include "typeinfer/infer/sequence.h"

namespace pyk2cu::infer {

// `type_arg`: the C++ template argument, of what makes a list from nothing.
ir::Expr* list_builtin(Emitter& in, builtins::Id id, const Type* type, std::vector<ir::Expr*> args,
                       Span span, const Type* type_arg = nullptr);
// A builtin that adds to the list args[0] and says whether there was memory for it.
void list_grow(Emitter& in, builtins::Id id, std::vector<ir::Expr*> args, Span span);
// Nothing was put into it in the walks so far: its items have no type.
bool is_empty_so_far(const ir::Expr* list);
// IndexError where there is no item.
void list_not_empty(Emitter& in, ir::Expr* list, std::string_view message, Span span);
bool is_ordered(const Type* type);  // has it an order that Python's sort knows?
// list.sort(reverse=…), of an operand that may be absent; false, reported: it has no order.
bool list_sort(Emitter& in, ir::Expr* list, const Operand& reverse, Span span);
// Is a value of the one type stored as the other where that one is declared, as Numba does? Only
// what changes its domain is not: a float that becomes an integer.
bool is_stored_as(const Type* from, const Type* to);
// False, reported, for what no list holds.
bool can_stand_in_list(Emitter& in, const Type* type, Span span);
// The item as the list holds it; the list at `site` grows where it does not. Null: not in this
// walk.
ir::Expr* list_fitted(Emitter& in, ir::Expr* list, ir::Expr* item, ListSite site, Span span);

// The type that all of the items, or entries, and what the site is known to hold have; null: it is
// not known yet; error: reported.
const Type* common_type(Emitter& in, const std::vector<ir::Expr*>& items, ListSite site);
// What was put into what the expression at `own` makes, and into the variable that it goes to.
const Type* known_type(Emitter& in, ListSite own, ListSite site);
// Nothing, after a report, for what no loop runs over.
std::optional<Sequence> sequence_of(Expressions& in, const Operand& iterable, const ast::Expr& at);

// list(f(n)) of a generator: one of its own; an error where another loop ran over it.
ir::Expr* list_of_generated(Emitter& in, const Generated& made, Span span);

// [… for … in …], {… for … in …}: loops around what adds to the container.
struct Comprehension {
  const ast::Expr& e;
  ast::Comprehensions generators;
  std::function<ir::Expr*(ir::Expr* room)> start{};  // the container
  std::function<bool(ir::Expr* container)> add{};    // false: not in this walk
};
Operand comprehension(Expressions& in, const Comprehension& what);

}  // namespace pyk2cu::infer
