// Which functions are compiled for several instruction sets: those that loop over arrays, and those
// that call such functions.
//
// In:   the lowered program.  Out: Function::per_isa of roots, Function::gathers. Not with --march,
// which names the one instruction set. Tested by tests/golden/dispatch and
// tests/run/test_dispatch.py.
#include <algorithm>
#include <unordered_set>

#include "emit/lower/lower.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

namespace {

bool touches_elements(const ir::Block& body) {
  bool found = false;
  ir::for_each_expr_in(
      body, [&](const ir::Expr* e) { found = found || e->kind == ir::ExprKind::kElement; });
  ir::for_each_stmt(body, [&](const ir::Stmt* s) {
    ir::for_each_place(s, [&](const ir::Place& place) { found = found || !place.local; });
  });
  return found;
}

// Functions in their form for lanes: C++ compilers make vectors of them without an array, too.
bool computes_in_lanes(const ir::Block& body) {
  bool found = false;
  ir::for_each_expr_in(body, [&](const ir::Expr* e) {
    const auto* call = ir::try_as<ir::Builtin>(e);
    found = found || (call && call->form == ir::Form::kLanes);
  });
  return found;
}

// Loops over arrays, and loops of lanes whatever they compute.
bool has_loops_for_vectors(const ir::Function& f) {
  bool found = false;
  ir::for_each_stmt(f.body, [&](const ir::Stmt* s) {
    found = found || s->kind == ir::StmtKind::kLanes || s->kind == ir::StmtKind::kEach ||
            s->kind == ir::StmtKind::kSinCos;
    if (!ir::is_loop(s)) return;
    ir::for_each_block(s, [&](const ir::Block& body) {
      found = found || touches_elements(body) || computes_in_lanes(body);
    });
    ir::for_each_expr(s, [&](const ir::Expr* e) { found = found || ir::reads_memory(e); });
  });
  // Functions of whole arrays, whose loops are in the headers.
  ir::for_each_expr_in(f.body, [&](const ir::Expr* e) {
    const auto* call = ir::try_as<ir::Builtin>(e);
    const auto is_array = [](const ir::Expr* arg) { return arg->type->is_array(); };
    found = found || (call && std::ranges::any_of(call->args, is_array));
  });
  return found;
}

// Do lanes read elements of rows of their own, or from where nobody knows before?
bool gathers(const ir::List<ir::Index>& indices, const ir::Local* lane, const ir::LocalSet& own) {
  for (size_t k = 0; k < indices.size(); ++k) {
    const ir::Expr* index = indices[k].value;
    bool found = ir::reads_memory(index) || ir::reads_any(index, own);
    ir::for_each_subexpr(index, [&](const ir::Expr* part) {
      const ir::Local* local = ir::loaded(part);
      const bool rows = local == lane && k + 1 < indices.size();
      found = found || (local && (local->lanes > 0 || rows));
    });
    if (found) return true;
  }
  return false;
}

bool gathers(const ir::Function& f) {
  bool found = false;
  ir::for_each_stmt(f.body, [&](const ir::Stmt* s) {
    const auto* lanes = ir::try_as<ir::Lanes>(s);
    const auto* loop = ir::try_as<ir::For>(s);
    if (found || !(loop || (lanes && lanes->simd))) return;
    const ir::Block& body = lanes ? *lanes->body : *loop->body;
    const ir::LocalSet own = lanes ? ir::assigned_in(body) : ir::LocalSet();
    ir::for_each_expr_in(body, [&](const ir::Expr* e) {
      const auto* from = ir::try_as<ir::Element>(e);
      found = found || (from && gathers(from->indices, lanes ? lanes->index : nullptr, own));
    });
  });
  return found;
}

}  // namespace

void dispatch(ir::Program& program) {
  std::unordered_set<const ir::Function*> wanted;
  for (const ir::Function* f : program.functions)
    if (has_loops_for_vectors(*f)) wanted.insert(f);
  const auto calls_one = [&](const ir::Function& f) {
    bool found = false;
    ir::for_each_expr_in(f.body, [&](const ir::Expr* e) {
      const auto* call = ir::try_as<ir::Call>(e);
      found = found || (call && wanted.contains(call->callee));
    });
    return found;
  };
  for (size_t known = 0; known != wanted.size();) {
    known = wanted.size();
    for (const ir::Function* f : program.functions)
      if (!wanted.contains(f) && calls_one(*f)) wanted.insert(f);
  }
  for (ir::Function* f : program.functions) {
    f->per_isa = f->is_root && wanted.contains(f);
    f->gathers = gathers(*f);
  }
}

}  // namespace pyk2cu::emit
