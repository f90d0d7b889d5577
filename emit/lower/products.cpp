// Products that are rounded before they are added to.
//
//   re = a * b - c * d                ->   re = rounded(a * b) - rounded(c * d)
//   im = a * d + c * b                     im = rounded(a * d) + rounded(c * b)
//
// Of a difference and a sum side by side GCC 12 makes one operation that rounds once, although it
// is told not to (-ffp-contract=off; tree-vect-slp-patterns.cc asks nobody), where they become
// elements of one array side by side. A function and what it calls are one text to it.
// In: functions, in their final form.  Out: Binary::rounds, where there are both and such elements,
// of the same function or of ones that it calls. Not where `fastmath` allows it. Tested by
// tests/golden/passes/products.py and tests/run/test_products.py.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "emit/lower/lower.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Binary;
using ir::BinaryOp;
using ir::Expr;
using ir::Stmt;

namespace {

constexpr size_t kMostPlaces = 100;  // of a function; of more, some are taken to be side by side

Binary* product(Expr* e) {
  auto* b = ir::try_as<Binary>(e);
  const bool fits =
      b && b->type->is_float() &&
      (b->op == BinaryOp::kMul || (b->op == BinaryOp::kPow && ir::is_int_const(b->right, 2)));
  return fits ? b : nullptr;
}

// What a function does, or one that it calls.
struct Does {
  bool minus = false, plus = false;  // from a product, to one
  bool beside = false;               // stores several elements of an array, or complex ones
  void add(const Does& other) {
    minus = minus || other.minus;
    plus = plus || other.plus;
    beside = beside || other.beside;
  }
};

struct Uses : Does {
  std::vector<Binary*> products{};
  std::unordered_set<ir::Function*> callees{};
};

// x + 2   ->   x, 2
std::pair<const Expr*, int64_t> split(const Expr* e) {
  if (const ir::Const* value = ir::constant(e)) return {nullptr, value->value.integer};
  const auto* b = ir::try_as<Binary>(e);
  const ir::Const* by = b ? ir::constant(b->right) : nullptr;
  if (by && b->op == BinaryOp::kAdd) return {b->left, by->value.integer};
  if (by && b->op == BinaryOp::kSub) return {b->left, -by->value.integer};
  return {e, 0};
}

// a[i, 0] and a[i, 1], a[2 * i] and a[2 * i + 1]
bool are_beside(const ir::Place& a, const ir::Place& b) {
  if (ir::loaded(a.array) != ir::loaded(b.array) || a.indices.size() != b.indices.size())
    return false;
  for (size_t k = 0; k + 1 < a.indices.size(); ++k)
    if (!ir::equal(a.indices[k].value, b.indices[k].value)) return false;
  const auto [one, at] = split(a.indices.back().value);
  const auto [other, there] = split(b.indices.back().value);
  return at != there && !one == !other && (!one || ir::equal(one, other));
}

void look(Uses& uses, BinaryOp op, std::initializer_list<Expr*> operands) {
  if (op != BinaryOp::kAdd && op != BinaryOp::kSub) return;
  for (Expr* operand : operands) {
    Binary* found = product(operand);
    if (!found) continue;
    (op == BinaryOp::kAdd ? uses.plus : uses.minus) = true;
    uses.products.push_back(found);
  }
}

Uses uses_of(ir::Function& f) {
  Uses uses;
  std::vector<const ir::Place*> stored;
  ir::for_each_stmt(f.body, [&](Stmt* s) {
    if (auto* u = ir::try_as<ir::Update>(s)) look(uses, u->op, {u->value});
    ir::for_each_place(s, [&](ir::Place& place) {
      if (place.local || uses.beside) return;
      const auto is = [&](const ir::Place* other) { return are_beside(*other, place); };
      uses.beside = place.type()->is_complex() || std::ranges::any_of(stored, is);
      if (stored.size() == kMostPlaces) uses.beside = true;
      stored.push_back(&place);
    });
  });
  ir::for_each_expr_in(f.body, [&](Expr* e) {
    if (auto* b = ir::try_as<Binary>(e)) look(uses, b->op, {b->left, b->right});
    if (auto* call = ir::try_as<ir::Call>(e)) uses.callees.insert(call->callee);
  });
  return uses;
}

}  // namespace

void products(ir::Program& program) {
  std::unordered_map<ir::Function*, Uses> all;
  for (ir::Function* f : program.functions) all[f] = uses_of(*f);
  // Callees come first; what calls itself adds nothing to what it has.
  std::unordered_map<ir::Function*, Does> reached;
  for (ir::Function* f : program.functions) {
    Does does = all[f];
    for (ir::Function* callee : all[f].callees) does.add(reached[callee]);
    reached[f] = does;
  }
  std::unordered_set<ir::Function*> marked;
  for (auto f = program.functions.rbegin(); f != program.functions.rend(); ++f) {
    const Does& does = reached[*f];
    const bool own = does.minus && does.plus && does.beside;
    if ((*f)->options.fastmath || !(own || marked.contains(*f))) continue;
    for (Binary* one : all[*f].products) one->rounds = true;
    marked.insert(all[*f].callees.begin(), all[*f].callees.end());
  }
}

}  // namespace pyk2cu::emit
