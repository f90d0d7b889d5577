// Distinct items: see distinct.h. An item is another one each time where it is made in the block
// that puts it in, and put in there only.
// Tested by tests/run/test_updates.py.
#include "emit/lower/distinct.h"

#include <algorithm>
#include <unordered_map>

#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::Expr;

namespace {

class Items {
 public:
  Items(const ir::Function& f, const types::Type* list) : list_(list) {
    block(f.body);
    for (const auto& [local, times] : given_)
      are_distinct_ = are_distinct_ && times == 1 && !is_other_.contains(local);
  }
  bool are_distinct() const { return are_distinct_; }

 private:
  // Locals that the block has given memory of their own so far.
  using Fresh = ir::LocalSet;

  void block(const ir::Block& b) {
    Fresh fresh;
    for (const ir::Stmt* s : b) {
      ir::for_each_expr(s, [&](const Expr* e) {
        ir::for_each_subexpr(e, [&](const Expr* part) { expr(part, fresh); });
      });
      ir::for_each_block(s, [&](const ir::Block& inner) { block(inner); });
      const auto* assign = ir::try_as<ir::Assign>(s);
      if (assign && ir::makes_memory(assign->value))
        fresh.insert(assign->local);
      else if (assign)
        is_other_.insert(assign->local);
    }
  }

  void expr(const Expr* e, const Fresh& fresh) {
    if (const auto* call = ir::try_as<ir::Call>(e)) {  // it may put in what it likes
      are_distinct_ = are_distinct_ && !types::holds(call->type, list_);
      for (const Expr* arg : call->args)
        are_distinct_ = are_distinct_ && !types::holds(arg->type, list_);
      return;
    }
    const auto* builtin = ir::try_as<ir::Builtin>(e);
    if (!builtin) return;
    const bool is_list = !builtin->args.empty() && builtin->args[0]->type == list_;
    const Id id = builtin->row->id;
    const bool puts = id == Id::pyk_list_of || id == Id::pyk_list_append ||
                      id == Id::pyk_list_insert || id == Id::pyk_list_set;
    if (puts && (is_list || builtin->type == list_)) {
      for (size_t k = is_list ? 1 : 0; k < builtin->args.size(); ++k) put(builtin->args[k], fresh);
    } else if (is_list || builtin->type == list_) {
      const bool copies =
          builtin->row->changes_length() && id != Id::pyk_list_pop && id != Id::pyk_list_clear;
      are_distinct_ =
          are_distinct_ && !copies && (builtin->type != list_ || id == Id::pyk_list_new);
    }
  }

  void put(const Expr* item, const Fresh& fresh) {
    if (item->type != list_->elem || ir::makes_memory(item)) return;
    const ir::Local* local = ir::loaded(item);
    if (local) ++given_[local];
    are_distinct_ = are_distinct_ && local && fresh.contains(local);
  }

  const types::Type* list_;
  bool are_distinct_ = true;
  std::unordered_map<const ir::Local*, int> given_{};
  ir::LocalSet is_other_{};  // was given something else too
};

}  // namespace

bool holds_distinct_items(const ir::Function& f, const ir::Local* lists) {
  const auto is_it = [&](const ir::Param& p) { return types::holds(p.local->type, lists->type); };
  return std::ranges::none_of(f.params, is_it) && Items(f, lists->type).are_distinct();
}

}  // namespace pyk2cu::emit
