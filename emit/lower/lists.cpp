// Lists whose length no turn of a loop changes, as the arrays that their items are.
//
//   for …: total += list_item(a, k)    ->    a_items = list_view(a); for …: total += a_items[k]
//
// What follows knows loops over arrays. Of numbers only: variables, and lists at a place in a list,
// a[i][k] in a loop over k. A list that the loop makes longer, or that a helper gets which may do
// so, stays a list, and so does one that the loop assigns.
// In:   functions as they are inferred.  Out: items of such lists are Elements and Stores.
// Tested by tests/golden/passes (lists.py) and tests/run/test_lists.py.
#include <algorithm>

#include "emit/lower/lower.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::CompareOp;
using ir::Expr;
using ir::Local;
using ir::Stmt;
using types::Type;

namespace {

// Is there a list of type `list` in a value of the type?
bool may_hold(const Type* type, const Type* list) {
  if (type == list) return true;
  if (type->is_container() || type->is_optional()) return may_hold(type->elem, list);
  return type->is_tuple() &&
         std::ranges::any_of(type->items, [&](const Type* item) { return may_hold(item, list); });
}

// The list of numbers that a builtin is about: a variable, or an item of one at a variable or
// constant; else null.
const Expr* list_of(const ir::Builtin& call) {
  const Expr* list = call.args.empty() ? nullptr : call.args[0];
  if (!list || !list->type->is_list() || !list->type->elem->is_scalar()) return nullptr;
  if (ir::loaded(list)) return list;
  const auto* item = ir::try_as<ir::Builtin>(list);
  const bool named = item && item->row->id == Id::pyk_list_item && ir::loaded(item->args[0]) &&
                     (ir::loaded(item->args[1]) || ir::constant(item->args[1]));
  return named ? list : nullptr;
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
    for (const Expr* found : candidates(s)) {
      Expr* list = ir::Cloner(program_).expr(found);
      const ir::Builder b{program_, s->span};
      const Type* type = types::array(list->type->elem, 1, types::Layout::kC);
      const auto* item = ir::try_as<ir::Builtin>(list);
      const Local* local = ir::loaded(item ? item->args[0] : list);
      Local* view = b.temp(std::string(local->name.str()) + (item ? "_row" : "_items"), type);
      f_.locals.push_back(view);
      Expr* items = item ? b.builtin(Id::pyk_list_row, type, {item->args[0], item->args[1]})
                         : b.builtin(Id::pyk_list_view, type, {list});
      before.push_back(b.assign(view, items));
      replace(s, list, view);
    }
  }

  // Lists of numbers with items that the loop asks for, none of which gets longer or shorter in it.
  static std::vector<const Expr*> candidates(Stmt* s) {
    std::vector<const Expr*> found;
    std::vector<const Type*> changed, stored;  // lists that get longer or shorter; other items
    const auto expr = [&](const Expr* e) {
      if (const auto* call = ir::try_as<ir::Call>(e))
        for (const Expr* arg : call->args)
          if (types::holds_container(arg->type)) changed.push_back(arg->type);
      const auto* builtin = ir::try_as<ir::Builtin>(e);
      if (!builtin) return;
      if (!builtin->args.empty() && builtin->args[0]->type->is_container() &&
          builtin->row->writes())
        (builtin->row->changes_length() ? changed : stored).push_back(builtin->args[0]->type);
      const Expr* list = list_of(*builtin);
      const Id id = builtin->row->id;
      const bool item = id == Id::pyk_list_item || id == Id::pyk_list_set;
      const auto same = [&](const Expr* known) { return ir::equal(known, list); };
      if (list && item && std::ranges::none_of(found, same)) found.push_back(list);
    };
    each_expr(s, expr);
    const ir::LocalSet assigned = ir::assigned_in(s);
    const auto is_in = [](const std::vector<const Type*>& types, const Type* list) {
      return std::ranges::any_of(types, [&](const Type* type) { return may_hold(type, list); });
    };
    std::erase_if(found, [&](const Expr* list) {
      const auto* item = ir::try_as<ir::Builtin>(list);
      const Type* outer = item ? item->args[0]->type : nullptr;
      return ir::reads_any(list, assigned) || is_in(changed, list->type) ||
             (outer && (is_in(changed, outer) || is_in(stored, outer)));
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

  void replace(Stmt* s, const Expr* list, Local* view) {
    const auto own = [&](Stmt* one) {
      ir::for_each_expr(one, [&](Expr*& e) { replace(e, list, view); });
    };
    own(s);
    ir::for_each_block(s, [&](ir::Block& inner) {
      ir::for_each_stmt(inner, own);
      ir::replace_stmts(inner, [&](Stmt* one, ir::Block& out) {
        const auto* eval = ir::try_as<ir::Eval>(one);
        const auto* set = eval ? ir::try_as<ir::Builtin>(eval->value) : nullptr;
        if (!set || set->row->id != Id::pyk_list_set || !is_of(*set, list)) return false;
        const ir::Builder b{program_, one->span};
        const ir::Place place{nullptr, b.load(view), indices(set->args[1])};
        out.push_back(b.stmt<ir::Store>(place, set->args[2]));
        return true;
      });
    });
  }

  static bool is_of(const ir::Builtin& call, const Expr* list) {
    const Expr* of = list_of(call);
    return of && ir::equal(of, list);
  }

  void replace(Expr*& e, const Expr* list, Local* view) {
    ir::for_each_operand(e, [&](Expr*& operand) { replace(operand, list, view); });
    const auto* call = ir::try_as<ir::Builtin>(e);
    if (!call || !is_of(*call, list)) return;
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
