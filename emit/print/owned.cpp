// Whose memory a value keeps alive.
//
//   return b[1:]               ->   result = pyk::share(pyk::view<pyk::C>(b, pyk::from(1)), b);
//   return f(b, c)             ->   result = pyk::keep(f(b, c), b, c);
//
// A view of what a local owns shares its block, or the memory would be gone with the local. What a
// function returns of its arguments it does not know the owner of: the caller looks which one it
// is. Elsewhere views are plain.
//
// In: functions in their final form.  Out: text. Tested by tests/run/test_views_of_own.py.
#include <algorithm>

#include "emit/print/printer.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::ExprKind;

namespace {

using Locals = std::vector<const ir::Local*>;

// The locals of the function that own what the value may show. What a loop's body was given
// outlives it, as all parameters do.
Locals owners_of(const ir::Function& f, const Expr* e) {
  Locals all;
  ir::for_each_shown(e, [&](const ir::Local* local) {
    const bool given = std::ranges::find(f.params, local, &ir::Param::local) != f.params.end();
    const bool known = std::ranges::find(all, local) != all.end();
    if (local->owned && !given && !known) all.push_back(local);
  });
  return all;
}

// A view of a local, of views of it: of a[1:], a.T, a.imag.
bool is_view_of(const Expr* e, const ir::Local* local) {
  if (const auto* view = ir::try_as<ir::View>(e)) return is_view_of(view->array, local);
  if (const auto* call = ir::try_as<ir::Builtin>(e)) return is_view_of(call->args[0], local);
  return ir::loaded(e) == local;
}

}  // namespace

// The array in a list that the array is a view of, or null.
const Expr* Printer::item_shown(const Expr* e) {
  if (!e->type->is_array()) return nullptr;
  const Expr* item = nullptr;
  ir::for_each_subexpr(e, [&](const Expr* part) {
    if (!item && part->type->is_array() && ir::is_list_item(part)) item = part;
  });
  return item;
}

std::string Printer::share_text(const Expr* view, const Expr* owner) {
  file_.headers.insert("pyk/memory.h");
  ListText args;
  args.add(expr(view).text);
  args.add(expr(owner).text);
  return args.in("pyk::share(");
}

std::string Printer::owned_value(const Expr* e) {
  const Locals owners = owners_of(f_, e);
  const Expr* plain = e;  // but for its layout
  while (const auto* convert = ir::try_as<ir::Convert>(plain)) plain = convert->operand;
  // The items of a tuple, and what may be None, are printed so themselves.
  if (owners.empty() || ir::loaded(plain) || e->kind == ExprKind::kTuple ||
      e->kind == ExprKind::kWrap || e->type->is_container() || ir::is_list_item(plain))
    return grouped(e);
  if (const Expr* item = item_shown(e)) return share_text(e, item);
  file_.headers.insert("pyk/memory.h");
  const bool shares = owners.size() == 1 && owners[0]->type->is_array() && is_view_of(e, owners[0]);
  ListText args;
  args.add(expr(e).text);
  for (const ir::Local* owner : owners) args.add(names_.at(owner));
  return args.in(shares ? "pyk::share(" : "pyk::keep(");
}

// Behind a call that may raise, which sets the target; nothing: it shows no memory of a local.
std::string Printer::keep_text(const ir::Call& call, const std::string& target) {
  const Locals owners = owners_of(f_, &call);
  if (owners.empty()) return "";
  file_.headers.insert("pyk/memory.h");
  ListText args;
  args.add(target);
  for (const ir::Local* owner : owners) args.add(names_.at(owner));
  return args.in("pyk::keep_in(") + ";";
}

}  // namespace pyk2cu::emit
