// Lanes of a gang: see width.h.
#include "emit/lower/lanes/width.h"

#include "typeinfer/builtins/registry.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Stmt;
using ir::StmtKind;

double vector_bits(const std::string& march) {
  return march == "x86-64" || march == "x86-64-v2" ? 128 : 256;
}

namespace {

constexpr int kInRegisters = 256;  // bytes
constexpr int kLeastLanes = 8;

bool touches_bytes(const Block& body) {
  bool found = false;
  ir::for_each_stmt(body, [&](const Stmt* s) {
    ir::for_each_place(s, [&](const ir::Place& place) {
      found = found || (!place.local && place.type()->bits == 8);
    });
    ir::for_each_expr(s, [&](const Expr* e) {
      ir::for_each_subexpr(e, [&](const Expr* part) {
        found = found || (part->kind == ir::ExprKind::kElement && part->type->bits == 8);
      });
    });
  });
  return found;
}

}  // namespace

void choose_width(Gang& gang, const Shape& shape, const Block& body) {
  bool wide = false, narrow = false, wide_int = false, narrow_int = false, parts = false;
  const auto look = [&](auto&& self, const Expr* e) -> void {  // at values, not at addresses
    if (e->kind == ir::ExprKind::kElement || !shape.varies(e)) return;
    if (e->type->is_float())
      (e->type->bits == 64 ? wide : narrow) = true;
    else if (e->type->is_int() && e->kind != ir::ExprKind::kConvert)
      (e->type->bits == 64 ? wide_int : narrow_int) = true;
    ir::for_each_operand(e, [&](const Expr* operand) { self(self, operand); });
  };
  ir::for_each_stmt(body, [&](const Stmt* s) {
    if (const auto* store = ir::try_as<ir::Store>(s))
      look(look, store->value);
    else if (const auto* update = ir::try_as<ir::Update>(s))
      look(look, update->value);
    else
      ir::for_each_expr(s, [&](const Expr* e) { look(look, e); });
  });
  ir::for_each_stmt(body, [&](const Stmt* s) { parts = parts || shape.turns(s).part(); });
  // Integers count where there are no floats: of counters beside them there are few.
  const bool small = !wide && (narrow || (narrow_int && !wide_int));
  gang.mask_bits = small ? 32 : 64;
  // A vector of bytes holds 64, and g++ asks for whole ones of the narrowest elements.
  const bool is_wide = small || (!parts && touches_bytes(body));
  gang.width = is_wide ? kMostLanes : parts ? 16 : 32;
  // Sums that lanes hand on from gang to gang stay in registers, half of all that there are.
  int bytes = 0;
  for (const Extreme& e : gang.extremes)
    if (e.op == ir::ReduceOp::kAdd) bytes += e.own->type->bits / 8;
  const auto is_idle = [&] { return gang.turns && *gang.turns <= gang.width / 2; };
  while (gang.width > kLeastLanes && (bytes * gang.width > kInRegisters || is_idle()))
    gang.width /= 2;
}

bool is_whole(const Gang& gang, const Block& body) {
  bool plain = !gang.extremes.empty() && !gang.failed;
  ir::for_each_stmt(body, [&](const Stmt* s) { plain = plain && !ir::is_loop(s); });
  return plain;
}

bool counts_inside(const Block& lanes) {
  const auto counts = [](const Stmt* s) {
    const auto* run = ir::try_as<ir::Lanes>(s);
    return run && run->count;
  };
  bool dear = false;
  ir::for_each_stmt(lanes, [&](const Stmt* s) {
    const auto* run = ir::try_as<ir::Lanes>(s);
    dear =
        dear || s->kind == StmtKind::kEach || s->kind == StmtKind::kSinCos || (run && !run->simd);
  });
  ir::for_each_expr_in(lanes, [&](const Expr* e) {
    const auto* call = ir::try_as<ir::Builtin>(e);
    dear = dear || (call && call->row->module() != "builtins");
  });
  const auto turns = [](const Stmt* s) {
    return s->kind == StmtKind::kFor || s->kind == StmtKind::kWhile;
  };
  if (!ir::any_stmt(lanes, turns)) return !dear && ir::any_stmt(lanes, counts);
  return ir::any_stmt(lanes, [&](const Stmt* s) {
    bool found = false;
    if (turns(s))
      ir::for_each_block(s, [&](const Block& b) { found = found || ir::any_stmt(b, counts); });
    return found;
  });
}

bool hands_on_inside(const Block& lanes) {
  bool found = false;
  const auto note = [&](const Block& body) {
    ir::LocalSet counted;  // assigned by the lanes that are left alone
    ir::for_each_stmt(body, [&](const Stmt* s) {
      const auto* run = ir::try_as<ir::Lanes>(s);
      if (run && run->count) counted.insert(ir::assigned_in(*run->body));
    });
    ir::for_each_stmt(body, [&](const Stmt* s) {
      const auto* run = ir::try_as<ir::Lanes>(s);
      if (!run || run->count || !run->simd) return;
      ir::for_each_expr_in(*run->body,
                           [&](const Expr* e) { found = found || ir::reads_any(e, counted); });
    });
  };
  ir::for_each_stmt(lanes, [&](const Stmt* s) {
    if (s->kind == StmtKind::kFor) ir::for_each_block(s, note);
  });
  return found;
}

}  // namespace pyk2cu::emit
