// x = x + e   ->   x += e        a[i] = a[i] + e   ->   a(i) += e
//
// In:   Assigns and Stores.  Out: Updates where C++ computes the same: the place is read as it is
// or by one exact conversion, the operation is C++'s own on that type, and its result goes back as
// it is or by one conversion that C++ makes by itself. np.int8(a[0]) + y cuts the value first: it
// is no update. Before temps, because an update reads its subscripts once. Tested by
// tests/run/test_updates.py and tests/run/test_rules.py.
#include "emit/lower/lower.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::ConvertOp;
using ir::Expr;
using types::Type;

namespace {

bool may_wrap(BinaryOp op) {
  return op == BinaryOp::kAdd || op == BinaryOp::kSub || op == BinaryOp::kMul;
}

bool has_operator(const ir::Binary& e) {
  switch (e.op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub:  // of few bits in C++'s int, whose low bits go back
      return !e.type->is_int() || e.plain || e.type->bits < 32;
    case BinaryOp::kMul:
      return !e.type->is_int() || e.plain;
    case BinaryOp::kDiv:
      return e.type->is_float() || e.type->is_complex();
    case BinaryOp::kFloorDiv:
    case BinaryOp::kMod:
      return e.type->is_int() && e.plain;
    case BinaryOp::kAnd:
    case BinaryOp::kOr:
    case BinaryOp::kXor:
      return true;
    default:
      return false;
  }
}

// A conversion that `place = e` makes by itself.
bool goes_back(const ir::Convert& c) {
  return (c.op == ConvertOp::kExact || c.op == ConvertOp::kRound || c.op == ConvertOp::kWrap) &&
         c.type->is_number() && c.operand->type->is_real();
}

struct Found {
  BinaryOp op{};
  Expr* value = nullptr;  // null: no update
  bool wraps = false;
};

// The update that `value` makes of a place of this type, which is_place() recognises.
template <class IsPlace>
Found match(Expr* value, const Type* type, IsPlace is_place, bool may_call_add_to) {
  if (!type->is_scalar()) return {};
  const auto* back = ir::try_as<ir::Convert>(value);
  if (back && goes_back(*back)) value = back->operand;
  const auto* e = ir::try_as<ir::Binary>(value);
  if (!e) return {};
  const Expr* old = e->left;
  if (const auto* c = ir::try_as<ir::Convert>(old); c && c->op == ConvertOp::kExact)
    old = c->operand;
  if (old->type != type || !is_place(old)) return {};
  if (may_wrap(e->op) && type->is_int() && e->type->is_int() && may_call_add_to)
    return {e->op, e->right, e->type != type || !e->plain};
  const bool widened = e->type->is_float() && type->is_float() && may_wrap(e->op);
  if (!has_operator(*e) || (e->type != type && !widened)) return {};
  return {e->op, e->right, false};
}

// The update that the statement is, or null.
ir::Stmt* update_of(ir::Program& program, ir::Stmt* s) {
  ir::Place place;
  Found found;
  if (auto* a = ir::try_as<ir::Assign>(s)) {
    place.local = a->local;
    const auto is_place = [&](const Expr* e) { return ir::loaded(e) == a->local; };
    found = match(a->value, a->local->type, is_place, false);
    if (found.value && ir::reads(found.value, a->local)) return nullptr;
  } else if (auto* store = ir::try_as<ir::Store>(s)) {
    place = store->place;
    const auto is_place = [&](const Expr* e) {
      const auto* element = ir::try_as<ir::Element>(e);
      if (!element || !ir::equal(element->array, place.array)) return false;
      for (size_t k = 0; k < place.indices.size(); ++k)
        if (!ir::equal(element->indices[k].value, place.indices[k].value)) return false;
      return true;
    };
    found = match(store->value, place.type(), is_place, place.array->type->aligned);
  }
  if (!found.value) return nullptr;
  return program.make<ir::Update>(ir::Update{
      {ir::StmtKind::kUpdate, s->span}, place, found.op, found.value, found.wraps, false});
}

void block(ir::Program& program, ir::Block& b) {
  for (ir::Stmt*& s : b) {
    ir::for_each_block(s, [&](ir::Block& inner) { block(program, inner); });
    if (ir::Stmt* update = update_of(program, s)) s = update;
  }
}

}  // namespace

void make_updates(ir::Program& program, ir::Block& b) { block(program, b); }

void updates(ir::Program& program) {
  for (ir::Function* f : program.functions) block(program, f->body);
}

}  // namespace pyk2cu::emit
