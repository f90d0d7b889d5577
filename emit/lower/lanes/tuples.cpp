// Tuples into their items: see tuples.h.
//
// A local is split where the body assigns it tuples that are written out, or other such locals, and
// asks for nothing but its items.
#include "emit/lower/lanes/tuples.h"

#include <algorithm>
#include <unordered_map>

#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

namespace {

class Tuples {
 public:
  Tuples(ir::Program& program, ir::Function& f, Block& body)
      : program_(program), f_(f), body_(body) {}

  // Tuples of tuples one level after the other.
  void run() {
    for (find(); !parts_.empty(); find()) split();
  }

 private:
  void split() {
    make_locals();
    ir::replace_stmts(body_, [&](Stmt* s, Block& out) { return replace(s, out); });
    ir::for_each_stmt(body_,
                      [&](Stmt* s) { ir::for_each_expr(s, [&](Expr*& e) { take_items(e); }); });
  }

  // ---- which ones ------------------------------------------------------------------------------
  void find() {
    parts_.clear();
    for (const Local* local : ir::assigned_in(body_)) {
      const bool flat = local->type->is_tuple() && !local->maybe_unbound && !local->is_param &&
                        std::ranges::all_of(local->type->items, [](const types::Type* type) {
                          return type->is_real() || type->is_tuple();
                        });
      if (flat) parts_[local];
    }
    while (!parts_.empty() && drop_one()) {
    }
  }

  // Of a split local, or of a tuple that is written out?
  bool gives_items(const Expr* value) const {
    const Local* from = ir::loaded(value);
    return value->kind == ExprKind::kTuple || (from && parts_.contains(from));
  }

  // Takes out one that something else is done with; another may hang on it.
  bool drop_one() {
    const Local* odd = nullptr;
    std::unordered_map<const Local*, int> named, known;
    ir::for_each_expr_in(std::as_const(body_), [&](const Expr* e) {
      if (const Local* local = ir::loaded(e)) ++named[local];
      const auto* item = ir::try_as<ir::Item>(e);
      if (const Local* local = item ? ir::loaded(item->tuple) : nullptr) ++known[local];
    });
    ir::for_each_stmt(std::as_const(body_), [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      const bool splits = a && parts_.contains(a->local);
      if (splits && !gives_items(a->value)) odd = a->local;
      if (const Local* from = splits ? ir::loaded(a->value) : nullptr) ++known[from];
      ir::for_each_local(s, [&](const Local* local, ir::Access) {
        if (parts_.contains(local) && !(a && a->local == local)) odd = local;
      });
    });
    for (const auto& [local, parts] : parts_)
      if (named[local] != known[local]) odd = local;
    return odd && parts_.erase(odd) > 0;
  }

  // ---- what becomes of them --------------------------------------------------------------------
  void make_locals() {
    const ir::Builder build{program_};
    ir::for_each_stmt(std::as_const(body_), [&](const Stmt* s) {  // in the order of the text
      const auto* a = ir::try_as<ir::Assign>(s);
      const auto found = a ? parts_.find(a->local) : parts_.end();
      if (found == parts_.end() || !found->second.empty()) return;
      for (const types::Type* type : a->local->type->items) {
        f_.locals.push_back(build.temp(a->local->name.str(), type));
        found->second.push_back(f_.locals.back());
      }
    });
  }

  bool replace(Stmt* s, Block& out) {
    const auto* a = ir::try_as<ir::Assign>(s);
    const auto found = a ? parts_.find(a->local) : parts_.end();
    if (found == parts_.end()) return false;
    const std::vector<Local*>& parts = found->second;
    const ir::Builder build{program_, s->span};
    if (const Local* from = ir::loaded(a->value)) {
      for (size_t k = 0; k < parts.size(); ++k)
        out.push_back(build.assign(parts[k], build.load(parts_.at(from)[k])));
      return true;
    }
    const auto& items = ir::as<ir::Tuple>(a->value)->items;
    // t = (t[1], t[0]): all items are known before one is assigned.
    const bool meets = ir::reads(a->value, a->local);
    std::vector<Expr*> values(items.begin(), items.end());
    for (size_t k = 0; k < values.size() && meets; ++k) {
      f_.locals.push_back(build.temp("item", values[k]->type));
      out.push_back(build.assign(f_.locals.back(), values[k]));
      values[k] = build.load(f_.locals.back());
    }
    for (size_t k = 0; k < values.size(); ++k) out.push_back(build.assign(parts[k], values[k]));
    return true;
  }

  void take_items(Expr*& e) {
    ir::for_each_operand(e, [&](Expr*& operand) { take_items(operand); });
    const auto* item = ir::try_as<ir::Item>(e);
    const auto found = item ? parts_.find(ir::loaded(item->tuple)) : parts_.end();
    if (found == parts_.end()) return;
    const ir::Builder build{program_, e->span};
    e = build.load(found->second[size_t(item->index)]);
  }

  ir::Program& program_;
  ir::Function& f_;
  Block& body_;
  std::unordered_map<const Local*, std::vector<Local*>> parts_{};
};

}  // namespace

void split_tuples(ir::Program& program, ir::Function& f, Block& body) {
  Tuples(program, f, body).run();
}

}  // namespace pyk2cu::emit
