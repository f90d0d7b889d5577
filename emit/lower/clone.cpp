// Copies of pieces of a program: see clone.h.
//
// In:   nodes.  Out: new nodes; each is first copied whole, then its operands are replaced.
// Tested by tests/golden/lanes.
#include "emit/lower/clone.h"

#include "emit/lower/walk.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

Local* Cloner::renew(const Local* old) {
  Local* local = program_.make<Local>(*old);
  local->is_param = false;
  into_.locals.push_back(local);
  return locals_[old] = local;
}

void Cloner::renew_assigned(Block& from) {
  for_each_stmt(from, [&](Stmt* s) {
    const Local* local = s->kind == ir::StmtKind::kAssign ? ir::as<ir::Assign>(s)->local
                         : s->kind == ir::StmtKind::kFor  ? ir::as<ir::For>(s)->index
                                                          : nullptr;
    if (local && locals_.count(local) == 0) renew(local);
  });
}

namespace {

// Lists that the node holds by pointer become its own.
template <class T>
void own(ir::Program& program, std::vector<T>*& list) {
  if (list) list = program.make<std::vector<T>>(*list);
}

struct OwnLists {
  ir::Program& program;

  void operator()(ir::Element& e) const { own(program, e.indices); }
  void operator()(ir::View& e) const { own(program, e.subscripts); }
  void operator()(ir::NewArray& e) const { own(program, e.shape); }
  void operator()(ir::Call& e) const { own(program, e.args); }
  void operator()(ir::Builtin& e) const { own(program, e.args); }
  void operator()(ir::Tuple& e) const { own(program, e.items); }
  void operator()(ir::Store& s) const { own(program, s.indices); }
  void operator()(ir::Raise& s) const { own(program, s.args); }
  void operator()(ir::Print& s) const { own(program, s.items); }
  template <class Node>
  void operator()(Node&) const {}
};

}  // namespace

Expr* Cloner::expr(Expr* from) {
  if (!from) return nullptr;
  Expr* to = ir::visit(*from, [&](const auto& node) -> Expr* {
    auto* copy = program_.make<std::decay_t<decltype(node)>>(node);
    OwnLists{program_}(*copy);
    return copy;
  });
  if (const Local* local = loaded(to)) {
    const auto it = locals_.find(local);
    if (it != locals_.end()) ir::as<ir::Load>(to)->local = it->second;
  }
  for_each_operand(to, [&](Expr*& operand) { operand = expr(operand); });
  if (facts_.plain.count(from) != 0) facts_.plain.insert(to);
  exprs_[from] = to;
  return to;
}

Stmt* Cloner::stmt(Stmt* from) {
  Stmt* to = ir::visit(*from, [&](const auto& node) -> Stmt* {
    auto* copy = program_.make<std::decay_t<decltype(node)>>(node);
    OwnLists{program_}(*copy);
    return copy;
  });
  const auto renamed = [&](Local*& local) {
    const auto it = locals_.find(local);
    if (it != locals_.end()) local = it->second;
  };
  if (to->kind == ir::StmtKind::kAssign) renamed(ir::as<ir::Assign>(to)->local);
  if (to->kind == ir::StmtKind::kFor) renamed(ir::as<ir::For>(to)->index);
  for_each_expr(to, [&](Expr*& e) { e = expr(e); });
  if (to->kind == ir::StmtKind::kIf) {
    auto& branch = *ir::as<ir::If>(to);
    branch.body = block(*branch.body);
    if (branch.orelse) branch.orelse = block(*branch.orelse);
  }
  if (to->kind == ir::StmtKind::kFor) ir::as<ir::For>(to)->body = block(*ir::as<ir::For>(to)->body);
  if (to->kind == ir::StmtKind::kWhile)
    ir::as<ir::While>(to)->body = block(*ir::as<ir::While>(to)->body);
  const auto update = facts_.updates.find(from);
  if (update != facts_.updates.end()) {
    Update copy = update->second;
    const auto known = exprs_.find(copy.value);
    copy.value = known == exprs_.end() ? expr(copy.value) : known->second;
    facts_.updates[to] = copy;
  }
  if (facts_.atomic.count(from) != 0) facts_.atomic.insert(to);
  return to;
}

Block* Cloner::block(Block& from) {
  renew_assigned(from);
  auto* to = program_.make<Block>();
  for (Stmt* s : from) to->push_back(stmt(s));
  return to;
}

}  // namespace pyk2cu::emit
