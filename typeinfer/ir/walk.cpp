// Questions about pieces of IR that many ask: see walk.h.
//
// In:   expressions and blocks.  Out: yes or no, or the locals.
// Tested by tests/unit/typeinfer/ir_test.cpp.
#include "typeinfer/ir/walk.h"

#include "typeinfer/builtins/registry.h"

namespace pyk2cu::ir {

LocalSet assigned_in(const Stmt* s) {
  LocalSet found;
  for_each_local_in(s, [&](Local* local, Access access) {
    if (access == Access::kWrite || access == Access::kReadWrite) found.insert(local);
  });
  return found;
}

LocalSet assigned_in(const Block& block) {
  LocalSet found;
  for (const Stmt* s : block) found.insert(assigned_in(s));
  return found;
}

std::unordered_map<const Local*, int> count_assignments(const Block& block) {
  std::unordered_map<const Local*, int> times;
  for_each_stmt(block, [&](const Stmt* s) {
    for_each_local_of(s, [&](const Local* local, Access access) {
      if (access != Access::kRead) ++times[local];
    });
  });
  return times;
}

bool makes_memory(const Expr* e) {
  const auto* builtin = try_as<Builtin>(e);
  return builtin && builtin->row->makes_memory();
}

bool is_list_item(const Expr* e) {
  const auto* builtin = try_as<Builtin>(e);
  return builtin && builtin->row->is_item() && types::holds_array(builtin->type);
}

bool may_lack_memory(const Expr* e) {
  const auto* builtin = try_as<Builtin>(e);
  return e->kind == ExprKind::kNewArray || (builtin && builtin->row->may_lack_memory());
}

bool reads(const Expr* e, const Local* local) {
  bool found = false;
  for_each_subexpr(e, [&](const Expr* part) { found = found || loaded(part) == local; });
  return found;
}

bool reads_any(const Expr* e, const LocalSet& locals) {
  bool found = false;
  for_each_subexpr(e, [&](const Expr* part) { found = found || locals.contains(loaded(part)); });
  return found;
}

bool ends(const Block& block) {
  if (block.empty()) return false;
  const Stmt* last = block.back();
  if (const If* branch = try_as<If>(last)) return ends(*branch->body) && ends(*branch->orelse);
  return is_jump(last);
}

bool has_exit(const Block& body, const Stmt* loop) {
  bool found = false;
  for_each_stmt(body, [&](const Stmt* s) {
    const Break* jump = try_as<Break>(s);
    found = found || s->kind == StmtKind::kReturn || (jump && jump->loop == loop);
  });
  return found;
}

}  // namespace pyk2cu::ir
