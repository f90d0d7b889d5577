// What the files of sets and dicts share: tables.cpp, table_makers.cpp.
//
// In:   see tables.h.  Out: builtins of pyk/table.h; entries that fit a table.
#pragma once

#include "typeinfer/infer/list_parts.h"
#include "typeinfer/infer/tables.h"

namespace pyk2cu::infer {

// A table of the kind of `like`; `elem` null: its entries are not known yet.
ir::Expr* empty_table(Emitter& in, const Type* like, const Type* elem, Span span);
// The entry, a key or a tuple of key and value, as the table has it; the table at `site` grows
// where it does not. Null: not in this walk.
ir::Expr* table_fitted(Emitter& in, ir::Expr* table, ir::Expr* entry, ListSite site, Span span);
// The value as the dict has them; likewise.
ir::Expr* value_fitted(Emitter& in, ir::Expr* dict, ir::Expr* value, ListSite site, Span span);
// Puts in what the iterable has, a dict's entries or tuples of two into a dict. `at`: where it
// stands in the text; null: nowhere. `is_new`: nothing else shows the table.
void table_extend(Expressions& in, ir::Expr* table, const Operand& more, const ast::Expr* at,
                  ListSite site, bool is_new, Span span);

}  // namespace pyk2cu::infer
