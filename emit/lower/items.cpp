// Arrays that are items of tuples, as arrays.
//
//   t = (np.zeros(n), m); for i …: t[0][i] = i    ->    t_0 = t[0]; for i …: t_0[i] = i
//
// What follows knows loops over arrays that have names. Of a tuple that is assigned in one place,
// or a parameter, an item that a loop behind that place mentions has a name from there on.
// In:   functions as they are inferred.  Out: such items are locals.
// Tested by tests/golden/passes/items.py and tests/run/test_named_tuples.py.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

bool holds_arrays(const types::Type* type) {
  return type->is_tuple() && std::ranges::any_of(type->items, [](const types::Type* item) {
           return item->is_array() || holds_arrays(item);
         });
}

// The tuple whose item, or an item of whose items, the array is; null: something else.
Local* tuple_of(const Expr* array) {
  if (!array->type->is_array()) return nullptr;
  const auto* item = ir::try_as<ir::Item>(array);
  while (item && ir::try_as<ir::Item>(item->tuple)) item = ir::as<ir::Item>(item->tuple);
  return item ? ir::loaded(item->tuple) : nullptr;
}

using Path = std::vector<int>;  // t[0][1]: 1, 0

Path path_of(const Expr* array) {
  Path path;
  for (const auto* item = ir::try_as<ir::Item>(array); item;
       item = ir::try_as<ir::Item>(item->tuple))
    path.push_back(item->index);
  return path;
}

class Items {
 public:
  Items(ir::Program& program, ir::Function& f) : program_(program), f_(f) {
    const auto times = ir::count_assignments(f.body);
    for (Local* local : f.locals) {
      const bool is_shared = std::ranges::find(f.shared, local) != f.shared.end();
      if (!holds_arrays(local->type) || local->maybe_unbound || is_shared) continue;
      const auto found = times.find(local);
      const int assigned = found == times.end() ? 0 : found->second;
      if (assigned + (local->is_param ? 1 : 0) == 1) loops_of_[local];
    }
  }

  void run() {
    if (loops_of_.empty()) return;
    find_homes(f_.body);
    find_uses(f_.body);
    if (items_.empty()) return;
    ir::for_each_stmt(f_.body,
                      [&](Stmt* s) { ir::for_each_expr(s, [&](Expr*& e) { put_in(e); }); });
    Block body;
    for (const ir::Param& p : f_.params) add_items(p.local, body);
    define(f_.body);
    f_.body.insert(f_.body.begin(), body.begin(), body.end());
  }

 private:
  using Loops = std::vector<const Stmt*>;

  // f(Stmt) for all statements, with the loops around them in loops_.
  template <class F>
  void walk(Block& block, F&& f) {
    for (Stmt* s : block) {
      f(s);
      const bool is_loop = s->kind == ir::StmtKind::kFor || s->kind == ir::StmtKind::kWhile;
      if (is_loop) loops_.push_back(s);
      ir::for_each_block(s, [&](Block& inner) { walk(inner, f); });
      if (is_loop) loops_.pop_back();
    }
  }

  void find_homes(Block& block) {
    walk(block, [&](Stmt* s) {
      const auto* assign = ir::try_as<ir::Assign>(s);
      const auto found = assign ? loops_of_.find(assign->local) : loops_of_.end();
      if (found != loops_of_.end()) found->second = loops_, assigned_.insert(assign->local);
    });
    std::erase_if(loops_of_, [&](const auto& one) {  // by a loop, or with others at once
      return !one.first->is_param && !assigned_.contains(one.first);
    });
  }

  void find_uses(Block& block) {
    walk(block, [&](Stmt* s) {
      ir::for_each_expr(s, [&](const Expr* e) {
        ir::for_each_subexpr(e, [&](const Expr* part) { note(part); });
      });
    });
  }

  void note(const Expr* e) {
    Local* tuple = tuple_of(e);
    const auto home = tuple ? loops_of_.find(tuple) : loops_of_.end();
    if (home == loops_of_.end() || loops_.empty()) return;
    if (std::ranges::find(home->second, loops_.back()) != home->second.end()) return;
    if (tuple->is_param && loops_.back()->kind == ir::StmtKind::kWhile) return;  // g++ sees them
    if (find(tuple, e)) return;
    const ir::Builder build{program_, e->span};
    Local* local = f_.locals.emplace_back(build.temp(stem(e), e->type));
    ir::Cloner copies(program_);
    named_[{tuple, path_of(e)}] = local;
    items_[tuple].push_back(build.assign(local, copies.expr(e)));
  }

  // The local that the item has; null: none.
  Local* find(const Local* tuple, const Expr* item) const {
    const auto found = named_.find({tuple, path_of(item)});
    return found == named_.end() ? nullptr : found->second;
  }

  // tree_parent, pair_0
  static std::string stem(const Expr* e) {
    const auto* item = ir::try_as<ir::Item>(e);
    if (!item) return std::string(ir::loaded(e)->name.str());
    const types::Type* type = item->tuple->type;
    const auto k = static_cast<size_t>(item->index);
    const bool is_named = k < type->names.size();
    return stem(item->tuple) + "_" +
           (is_named ? std::string(type->names[k].str()) : std::to_string(k));
  }

  void put_in(Expr*& e) {
    const Local* tuple = tuple_of(e);
    Local* local = tuple ? find(tuple, e) : nullptr;
    if (local)
      e = ir::Builder{program_, e->span}.load(local);
    else
      ir::for_each_operand(e, [&](Expr*& operand) { put_in(operand); });
  }

  void add_items(const Local* tuple, Block& out) {
    const auto found = items_.find(tuple);
    if (found == items_.end()) return;
    out.insert(out.end(), found->second.begin(), found->second.end());
  }

  void define(Block& block) {
    Block out;
    for (Stmt* s : block) {
      ir::for_each_block(s, [&](Block& inner) { define(inner); });
      out.push_back(s);
      if (const auto* a = ir::try_as<ir::Assign>(s)) add_items(a->local, out);
    }
    block = std::move(out);
  }

  ir::Program& program_;
  ir::Function& f_;
  Loops loops_{};
  std::unordered_map<const Local*, Loops> loops_of_{};  // of tuples: those around its assignment
  ir::LocalSet assigned_{};                             // by an Assign
  std::unordered_map<const Local*, std::vector<Stmt*>> items_{};  // the assignments of their names
  std::map<std::pair<const Local*, Path>, Local*> named_{};
};

}  // namespace

void items(ir::Program& program, ir::Function& f) { Items(program, f).run(); }

}  // namespace pyk2cu::emit
