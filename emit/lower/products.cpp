// Products that are rounded before they are added to.
//
//   re = a * b - c * d                ->   re = rounded(a * b) - rounded(c * d)
//   im = a * d + c * b                     im = rounded(a * d) + rounded(c * b)
//
// Of a difference and a sum side by side GCC 12 makes one operation that rounds once, although it
// is told not to (-ffp-contract=off; tree-vect-slp-patterns.cc asks nobody), where they become
// elements of one array side by side. A function and what it calls are one text to it; names,
// tuples and helpers do not keep it from seeing the product.
// In: functions, in their final form.  Out: Binary::rounds of all products of floats, in functions
// that may store elements of an array side by side and take something away, in what those call and
// in what calls them; none where `fastmath` allows it. Tested by tests/golden/passes/products.py
// and tests/run/test_products.py.
#include <algorithm>
#include <cmath>
#include <ranges>
#include <unordered_map>
#include <unordered_set>

#include "emit/lower/iterations.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Binary;
using ir::BinaryOp;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

constexpr int64_t kUnrolled = 16;  // turns of a loop that C++ compilers may write out

bool is_product(const Binary& b) {
  return b.type->is_float() &&
         (b.op == BinaryOp::kMul || (b.op == BinaryOp::kPow && ir::is_int_const(b.right, 2)));
}

// Locals that may have several values where C++ compilers see one copy of a text: indices of loops
// that are written out, what is assigned at several places, and what is computed of these.
ir::LocalSet changing_in(const ir::Block& body) {
  ir::LocalSet once, changing;
  std::vector<const ir::Assign*> assigns;
  ir::for_each_stmt(body, [&](const Stmt* s) {
    const auto* loop = ir::try_as<ir::For>(s);
    if (loop && turns_less(*loop, kUnrolled + 1)) changing.insert(loop->index);
    const auto* u = ir::try_as<ir::Update>(s);
    if (u && u->place.local) changing.insert(u->place.local);
    const auto* a = ir::try_as<ir::Assign>(s);
    if (!a) return;
    assigns.push_back(a);
    if (!once.insert(a->local).second) changing.insert(a->local);
  });
  for (size_t before = ~size_t{0}; before != changing.size();) {
    before = changing.size();
    for (const ir::Assign* a : assigns)
      if (ir::reads_any(a->value, changing)) changing.insert(a->local);
  }
  return changing;
}

// Elements of floats that a function stores to.
class Stores {
 public:
  explicit Stores(const ir::Block& body) : changing_(changing_in(body)) {
    Turn turn;
    block(body, turn);
  }

  // Are there several of an array side by side, or complex ones? In one turn of a loop those whose
  // last subscripts differ, or one whose last subscript changes in there.
  bool are_beside() const { return beside_; }

 private:
  using Turn = std::unordered_map<const Local*, const Expr*>;  // the last subscript

  void block(const ir::Block& b, Turn& turn) {
    for (const Stmt* s : b) {
      ir::for_each_place(s, [&](const ir::Place& p) { place(p, turn); });
      Turn inner;
      ir::for_each_block(
          s, [&](const ir::Block& part) { block(part, ir::is_loop(s) ? inner : turn); });
    }
  }

  void place(const ir::Place& p, Turn& turn) {
    if (p.local || !(p.type()->is_float() || p.type()->is_complex())) return;
    const Local* array = ir::loaded(p.array);
    const Expr* last = p.indices.back().value;
    const Expr* known = turn.emplace(array, last).first->second;
    beside_ = beside_ || !array || p.type()->is_complex() || !ir::equal(known, last) ||
              ir::reads_any(last, changing_);
  }

  const ir::LocalSet changing_;
  bool beside_ = false;
};

// Does it take floats away, or change a sign? C++ compilers make differences of x + -y and x + -1.
bool subtracts(const ir::Function& f) {
  bool found = false;
  ir::for_each_stmt(f.body, [&](const Stmt* s) {
    const auto* u = ir::try_as<ir::Update>(s);
    found = found || (u && u->op == BinaryOp::kSub && !u->value->type->is_int());
  });
  ir::for_each_expr_in(f.body, [&](const Expr* e) {
    if (!e->type->is_float() && !e->type->is_complex()) return;
    const auto* b = ir::try_as<Binary>(e);
    const auto* u = ir::try_as<ir::Unary>(e);
    const ir::Const* c = ir::constant(e);
    found = found || e->type->is_complex() || (b && b->op == BinaryOp::kSub) ||
            (u && u->op == types::UnaryOp::kNeg) || (c && std::signbit(c->value.number.real()));
  });
  return found;
}

// x *= y   ->   x = rounded(x * y)
void update(ir::Program& program, Stmt*& s) {
  const auto* u = ir::try_as<ir::Update>(s);
  if (!u || u->op != BinaryOp::kMul || !u->value->type->is_float()) return;
  const ir::Builder b{program, s->span};
  if (Expr* product = b.updated(*u)) s = b.assign(u->place.local, product);
}

void updates_in(ir::Program& program, ir::Block& block) {
  for (Stmt*& s : block) {
    ir::for_each_block(s, [&](ir::Block& inner) { updates_in(program, inner); });
    update(program, s);
  }
}

}  // namespace

void products(ir::Program& program) {
  using Functions = std::unordered_set<ir::Function*>;
  std::unordered_map<ir::Function*, Functions> callees;
  Functions beside, minus, marked;  // by themselves or by what they call; callees come first
  for (ir::Function* f : program.functions) {
    ir::for_each_expr_in(f->body, [&](Expr* e) {
      if (auto* call = ir::try_as<ir::Call>(e)) callees[f].insert(call->callee);
    });
    const auto any = [&](const Functions& which) {
      return std::ranges::any_of(callees[f], [&](ir::Function* g) { return which.contains(g); });
    };
    if (Stores(f->body).are_beside() || any(beside)) beside.insert(f);
    if (subtracts(*f) || any(minus)) minus.insert(f);
    if (beside.contains(f) && minus.contains(f)) marked.insert(f);
  }
  for (ir::Function* f : program.functions | std::views::reverse) {
    if (f->is_relaxed() || !marked.contains(f)) continue;
    marked.insert(callees[f].begin(), callees[f].end());
    updates_in(program, f->body);
    ir::for_each_expr_in(f->body, [&](Expr* e) {
      if (auto* b = ir::try_as<Binary>(e); b && is_product(*b)) b->rounds = true;
    });
  }
}

}  // namespace pyk2cu::emit
