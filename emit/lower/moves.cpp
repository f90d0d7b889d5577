// Arrays that are given away where they are mentioned last.
//
//   b = array        ->   b = std::move(array);        nobody counts owners, and the memory of what
//   return array     ->   result = std::move(array);   `b` held before is free at once
//
// In: functions with declarations; Local::owned.  Out: Assign::moves, Return::moves. Of variables
// only where nothing else shows them: no more than elements and extents were asked for, by the
// function or by one that they were handed to. A function that returns is through with all.
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

// How often each local is mentioned, and how often as no more than elements and extents; between
// which statements, in the order of the text.
class Mentions {
 public:
  explicit Mentions(const Block& body) { block(body); }

  // Is it assigned and handed on, and else no more than its elements asked for, all of that in the
  // statements from the first to the last?
  bool are_parts(const Local* local, const Stmt* first, const Stmt* last) const {
    const Of& of = of_.at(local);
    return of.all == of.parts + 2 && at_.at(first).first <= of.first &&
           of.last <= at_.at(last).second;
  }

 private:
  struct Of {
    int all = 0, parts = 0, first = 0, last = 0;
  };

  void block(const Block& b) {
    for (const Stmt* s : b) {
      const int first = ++now_;
      if (s->kind != ir::StmtKind::kDeclare) stmt(s);
      ir::for_each_block(s, [&](const Block& inner) { block(inner); });
      at_[s] = {first, now_};
    }
  }

  void stmt(const Stmt* s) {
    ir::for_each_local_of(s, [&](const Local* local, ir::Access) {
      Of& of = of_[local];
      if (of.all++ == 0) of.first = now_;
      of.last = now_;
    });
    ir::for_each_place(s, [&](const ir::Place& place) {
      if (!place.local) part(place.array);
    });
    ir::for_each_expr(s, [&](const Expr* e) {
      ir::for_each_subexpr(e, [&](const Expr* sub) {
        if (const auto* element = ir::try_as<ir::Element>(sub)) part(element->array);
        if (const auto* query = ir::try_as<ir::Query>(sub)) part(query->operand);
        if (const auto* call = ir::try_as<ir::Call>(sub)) arguments(*call);
      });
    });
  }

  void part(const Expr* array) {
    if (const Local* local = ir::loaded(array)) ++of_[local].parts;
  }
  // What a list holds is handed to more than the function.
  void arguments(const ir::Call& call) {
    for (const Expr* arg : call.args)
      if (types::holds_container(arg->type)) return;
    for (size_t k = 0; k < call.args.size(); ++k)
      if (!call.callee->params[k].returned) part(call.args[k]);
  }

  std::unordered_map<const Local*, Of> of_{};
  std::unordered_map<const Stmt*, std::pair<int, int>> at_{};
  int now_ = 0;
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
    std::unordered_map<const Local*, const Stmt*> made;  // in this block
    for (Stmt* s : b) {
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      auto* a = ir::try_as<ir::Assign>(s);
      if (!a) continue;
      const Local* from = handed_on(a);
      const auto at = made.find(from);
      if (from && at != made.end() && mentions_.are_parts(from, at->second, a)) {
        a->moves = true;
        give(from);
      }
      made.emplace(a->local, a);
    }
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
