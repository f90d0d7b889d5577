// Lists whose length no turn of a loop changes, as the arrays that their items are.
//
//   for …: total += list_item(a, k)    ->    a_items = list_view(a); for …: total += a_items[k]
//
// What follows knows loops over arrays. Of numbers only; a list that the loop makes longer, or that
// a helper gets which may do so, stays a list, and so does one that the loop assigns.
// In:   functions as they are inferred.  Out: items of such lists are Elements and Stores.
// Tested by tests/golden/passes (lists.py) and tests/run/test_lists.py.
#include <algorithm>

#include "emit/lower/lower.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::CompareOp;
using ir::Expr;
using ir::Local;
using ir::Stmt;
using types::Type;

namespace {

bool keeps_length(const ir::Builtin& call) {
  const Id id = call.row->id;
  return !call.row->writes() || id == Id::pyk_list_set || id == Id::pyk_list_sort ||
         id == Id::pyk_list_reverse || id == Id::pyk_heapify;
}

// Is there a list of type `list` in a value of the type?
bool may_hold(const Type* type, const Type* list) {
  if (type == list) return true;
  if (type->is_list() || type->is_optional()) return may_hold(type->elem, list);
  return type->is_tuple() &&
         std::ranges::any_of(type->items, [&](const Type* item) { return may_hold(item, list); });
}

// The list that a builtin is about, if that is a variable.
Local* list_of(const ir::Builtin& call) {
  Local* local = call.args.empty() ? nullptr : ir::loaded(call.args[0]);
  return local && local->type->is_list() && local->type->elem->is_scalar() ? local : nullptr;
}

class Views {
 public:
  Views(ir::Program& program, ir::Function& f) : program_(program), f_(f) { block(f.body); }

 private:
  void block(ir::Block& statements) {
    ir::Block out;
    for (Stmt* s : statements) {
      if (ir::is_loop(s)) loop(s, out);
      ir::for_each_block(s, [&](ir::Block& inner) { block(inner); });
      out.push_back(s);
    }
    statements = std::move(out);
  }

  void loop(Stmt* s, ir::Block& before) {
    for (Local* list : candidates(s)) {
      const ir::Builder b{program_, s->span};
      const Type* type = types::array(list->type->elem, 1, types::Layout::kC);
      Local* view = b.temp(std::string(list->name.str()) + "_items", type);
      f_.locals.push_back(view);
      before.push_back(b.assign(view, b.builtin(Id::pyk_list_view, type, {b.load(list)})));
      replace(s, list, view);
    }
  }

  // Lists of numbers with items that the loop asks for, none of which gets longer or shorter in it.
  static std::vector<Local*> candidates(Stmt* s) {
    std::vector<Local*> found;
    std::vector<const Type*> changed;
    const auto expr = [&](const Expr* e) {
      if (const auto* call = ir::try_as<ir::Call>(e))
        for (const Expr* arg : call->args)
          if (types::holds_list(arg->type)) changed.push_back(arg->type);
      const auto* builtin = ir::try_as<ir::Builtin>(e);
      if (!builtin) return;
      if (!builtin->args.empty() && builtin->args[0]->type->is_list() && !keeps_length(*builtin))
        changed.push_back(builtin->args[0]->type);
      Local* list = list_of(*builtin);
      const Id id = builtin->row->id;
      const bool item = id == Id::pyk_list_item || id == Id::pyk_list_set;
      if (list && item && std::ranges::find(found, list) == found.end()) found.push_back(list);
    };
    each_expr(s, expr);
    const ir::LocalSet assigned = ir::assigned_in(s);
    std::erase_if(found, [&](const Local* list) {
      return assigned.contains(list) || std::ranges::any_of(changed, [&](const Type* type) {
               return may_hold(type, list->type);
             });
    });
    return found;
  }

  template <class F>
  static void each_expr(Stmt* s, const F& f) {
    const auto own = [&](Stmt* one) {
      ir::for_each_expr(one, [&](Expr*& e) { ir::for_each_subexpr(e, f); });
    };
    own(s);
    ir::for_each_block(s, [&](ir::Block& inner) { ir::for_each_stmt(inner, own); });
  }

  void replace(Stmt* s, const Local* list, Local* view) {
    const auto own = [&](Stmt* one) {
      ir::for_each_expr(one, [&](Expr*& e) { replace(e, list, view); });
    };
    own(s);
    ir::for_each_block(s, [&](ir::Block& inner) {
      ir::for_each_stmt(inner, own);
      ir::replace_stmts(inner, [&](Stmt* one, ir::Block& out) {
        const auto* eval = ir::try_as<ir::Eval>(one);
        const auto* set = eval ? ir::try_as<ir::Builtin>(eval->value) : nullptr;
        if (!set || set->row->id != Id::pyk_list_set || list_of(*set) != list) return false;
        const ir::Builder b{program_, one->span};
        const ir::Place place{nullptr, b.load(view), indices(set->args[1])};
        out.push_back(b.stmt<ir::Store>(place, set->args[2]));
        return true;
      });
    });
  }

  void replace(Expr*& e, const Local* list, Local* view) {
    ir::for_each_operand(e, [&](Expr*& operand) { replace(operand, list, view); });
    const auto* call = ir::try_as<ir::Builtin>(e);
    if (!call || list_of(*call) != list) return;
    const ir::Builder b{program_, e->span};
    switch (call->row->id) {
      case Id::pyk_list_size:
        e = b.extent(b.load(view), 0);
        return;
      case Id::pyk_list_item:
        e = b.expr<ir::Element>(e->type, b.load(view), indices(call->args[1]));
        return;
      case Id::pyk_list_lacks:
        e = lacks(b, call->args[1], view);
        return;
      default:
        return;
    }
  }

  ir::List<ir::Index> indices(Expr* at) {
    const ir::Const* known = ir::constant(at);
    return program_.list(std::vector<ir::Index>{{at, !known || known->value.integer < 0, false}});
  }

  // at >= n or at < -n
  static Expr* lacks(const ir::Builder& b, Expr* at, Local* view) {
    Expr* n = b.extent(b.load(view), 0);
    if (const ir::Const* known = ir::constant(at)) {
      const int64_t k = known->value.integer;
      return b.compare(CompareOp::kLe, n, b.integer(k < 0 ? -(k + 1) : k));
    }
    Expr* least = b.expr<ir::Unary>(types::int64(), ir::UnaryOp::kNeg, n);
    return b.logical(false, b.compare(CompareOp::kGe, at, n), b.compare(CompareOp::kLt, at, least));
  }

  ir::Program& program_;
  ir::Function& f_;
};

}  // namespace

void lists(ir::Program& program, ir::Function& f) { Views(program, f); }

}  // namespace pyk2cu::emit
