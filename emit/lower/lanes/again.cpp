// What a condition has read is read once: see again.h.
#include "emit/lower/lanes/again.h"

#include <algorithm>

#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

class Again {
 public:
  Again(ir::Program& program, ir::Function& f) : program_(program), f_(f) {}

  void block(Block& b) {
    Block all;
    for (Stmt* s : b) {
      if (auto* branch = ir::try_as<ir::If>(s)) once(*branch, all);
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      all.push_back(s);
    }
    b = std::move(all);
  }

 private:
  void once(ir::If& branch, Block& before) {
    if (ir::has_effect(branch.condition)) return;
    std::vector<Expr*> read;
    collect(branch.condition, read);
    for (Expr* element : read) {
      std::vector<Expr**> again;
      for (Block* side : {branch.body, branch.orelse}) find(*side, *element, again);
      if (again.empty()) continue;
      find(branch.condition, *element, again);
      const ir::Builder b{program_, element->span};
      Local* local = f_.locals.emplace_back(b.temp("read", element->type));
      before.push_back(b.assign(local, ir::Cloner(program_).expr(element)));
      for (Expr** e : again) *e = b.load(local);
    }
  }

  // Real elements that are read whatever the rest of the condition says.
  static void collect(Expr* e, std::vector<Expr*>& out) {
    if (e->kind == ExprKind::kElement) {
      const auto equal = [&](const Expr* other) { return ir::equal(e, other); };
      const bool plain = e->type->is_real() && ir::loaded(ir::as<ir::Element>(e)->array);
      if (plain && std::ranges::none_of(out, equal)) out.push_back(e);
      return;
    }
    const bool chooses = e->kind == ExprKind::kSelect || e->kind == ExprKind::kLogical;
    bool first = true;
    ir::for_each_operand(e, [&](Expr*& operand) {
      if (first || !chooses) collect(operand, out);
      first = false;
    });
  }

  static void find(Expr*& e, const Expr& element, std::vector<Expr**>& out) {
    if (ir::equal(e, &element)) return out.push_back(&e);
    ir::for_each_operand(e, [&](Expr*& operand) { find(operand, element, out); });
  }

  // Up to where anything is stored, or the place of the element is another.
  static bool find(Block& side, const Expr& element, std::vector<Expr**>& out) {
    for (Stmt* s : side) {
      const bool simple = s->kind == StmtKind::kAssign || s->kind == StmtKind::kStore ||
                          s->kind == StmtKind::kUpdate || s->kind == StmtKind::kIf;
      bool calls = false;
      ir::for_each_expr(s, [&](const Expr* e) { calls = calls || ir::has_effect(e); });
      if (!simple || calls) return false;
      ir::for_each_expr(s, [&](Expr*& e) { find(e, element, out); });
      bool goes_on = s->kind != StmtKind::kStore;
      ir::for_each_place(s, [&](const ir::Place& place) { goes_on = goes_on && place.local; });
      ir::for_each_local(s, [&](const Local* local, ir::Access access) {
        goes_on = goes_on && (access == ir::Access::kRead || !ir::reads(&element, local));
      });
      ir::for_each_block(s, [&](Block& inner) { goes_on = find(inner, element, out) && goes_on; });
      if (!goes_on) return false;
    }
    return true;
  }

  ir::Program& program_;
  ir::Function& f_;
};

}  // namespace

void read_once(ir::Program& program, ir::Function& f, Block& body) {
  Again(program, f).block(body);
}

}  // namespace pyk2cu::emit
