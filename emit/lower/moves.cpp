// Arrays that are given away where they are mentioned last.
//
//   b = array        ->   b = std::move(array);        nobody counts owners, and the memory of what
//   return array     ->   result = std::move(array);   `b` held before is free at once
//
// In: functions with declarations; Local::owned.  Out: Assign::moves, Return::moves. Only of what
// nothing else shows: of which no more than elements and extents were asked for, by the function
// or by one that it was handed to.
// Tested by tests/golden/passes/moves.py and tests/run/test_views_of_own.py.
#include <unordered_map>

#include "emit/lower/lower.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

// How often each local is mentioned, and how often as no more than elements and extents.
struct Mentions {
  std::unordered_map<const Local*, int> all{}, parts{};

  explicit Mentions(const Block& block) {
    ir::for_each_stmt(block, [&](const Stmt* s) {
      if (s->kind == ir::StmtKind::kDeclare) return;
      ir::for_each_local_of(s, [&](const Local* local, ir::Access) { ++all[local]; });
      ir::for_each_place(s, [&](const ir::Place& place) {
        if (!place.local) part(place.array);
      });
    });
    ir::for_each_expr_in(block, [&](const Expr* e) {
      if (const auto* element = ir::try_as<ir::Element>(e)) part(element->array);
      if (const auto* query = ir::try_as<ir::Query>(e)) part(query->operand);
      if (const auto* call = ir::try_as<ir::Call>(e)) arguments(*call);
    });
  }

 private:
  void part(const Expr* array) {
    if (const Local* local = ir::loaded(array)) ++parts[local];
  }
  // What a list holds is handed to more than the function.
  void arguments(const ir::Call& call) {
    for (const Expr* arg : call.args)
      if (types::holds_container(arg->type)) return;
    for (size_t k = 0; k < call.args.size(); ++k)
      if (!call.callee->params[k].returned) part(call.args[k]);
  }
};

// The array of its own that the value is; null: it is something else.
const Local* own(const Expr* value) {
  const Local* local = value ? ir::array_of(value) : nullptr;
  return local && local->owned && !local->is_param ? local : nullptr;
}

// The array whose value the statement hands on; null: it does something else.
const Local* handed_on(const Stmt* s) {
  const auto* a = ir::try_as<ir::Assign>(s);
  return a && a->local->owned && a->local->type->is_array() ? own(a->value) : nullptr;
}

class Moves {
 public:
  explicit Moves(ir::Function& f) : mentions_(f.body) {
    ir::for_each_stmt(f.body, [&](Stmt* s) {
      auto* a = ir::try_as<ir::Assign>(s);
      if (a && a->declares != ir::Declares::kNothing) declared_[a->local] = a;
    });
    ir::for_each_stmt(f.body, [&](Stmt* s) {
      auto* leaves = ir::try_as<ir::Return>(s);
      const Local* local = leaves && f.may_raise ? own(leaves->value) : nullptr;
      if (!local) return;
      leaves->moves = true;
      give(local);
    });
    block(f.body);
  }

 private:
  void block(Block& b) {
    std::unordered_map<const Local*, size_t> made;  // in this block, where
    for (size_t k = 0; k < b.size(); ++k) {
      ir::for_each_block(b[k], [&](Block& inner) { block(inner); });
      auto* a = ir::try_as<ir::Assign>(b[k]);
      if (!a) continue;
      const Local* from = handed_on(a);
      const auto at = made.find(from);
      if (from && at != made.end() &&
          is_last(from, Block(b.begin() + long(at->second), b.begin() + long(k) + 1))) {
        a->moves = true;
        give(from);
      }
      made.emplace(a->local, k);
    }
  }

  // It is assigned, handed on, and else only its elements are asked for: all of that up to here.
  bool is_last(const Local* from, const Block& between) {
    const Mentions here(between);
    const int all = here.all.at(from);
    const auto parts = here.parts.find(from);
    return all == mentions_.all.at(from) &&
           all == 2 + (parts == here.parts.end() ? 0 : parts->second);
  }

  // What is given away is no constant.
  void give(const Local* local) {
    const auto found = declared_.find(local);
    if (found != declared_.end()) found->second->declares = ir::Declares::kVariable;
  }

  const Mentions mentions_;
  std::unordered_map<const Local*, ir::Assign*> declared_{};
};

}  // namespace

void moves(ir::Program&, ir::Function& f) { Moves{f}; }

}  // namespace pyk2cu::emit
