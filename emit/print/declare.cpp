// Placement of declarations: see declare.h.
//
// A local belongs to the block that holds all its uses, or, when no value passes between the
// statements of that block, to blocks further inside. It is declared at its first assignment if
// that one stands in the block itself, else without a value before the statement that holds it.
// Tested by tests/golden/functions.
#include "emit/print/declare.h"

#include <algorithm>
#include <functional>

#include "emit/lower/walk.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

bool evaluates(Stmt* s, const Local* local) {
  bool found = false;
  for_each_expr(s, [&](ir::Expr*& e) { found = found || reads(e, local); });
  return found;
}

// The locals that each statement assigns or reads, itself or in its blocks; sorted.
class Touched {
 public:
  explicit Touched(Block& body) {
    for (Stmt* s : body) add(s);
  }

  bool operator()(const Stmt* s, const Local* local) const {
    const std::vector<const Local*>& all = of_.at(s);
    return std::binary_search(all.begin(), all.end(), local, std::less<>());
  }

 private:
  const std::vector<const Local*>& add(Stmt* s) {
    std::vector<const Local*> all;
    if (s->kind == StmtKind::kAssign) all.push_back(ir::as<ir::Assign>(s)->local);
    for_each_expr(s, [&](ir::Expr*& e) {
      for_each_subexpr(e, [&](ir::Expr* part) {
        if (const Local* local = loaded(part)) all.push_back(local);
      });
    });
    for_each_block(s, [&](Block& block) {
      for (Stmt* inner : block) {
        const std::vector<const Local*>& more = add(inner);
        all.insert(all.end(), more.begin(), more.end());
      }
    });
    std::sort(all.begin(), all.end(), std::less<>());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return of_[s] = std::move(all);
  }

  std::unordered_map<const Stmt*, std::vector<const Local*>> of_{};
};

bool has_parallel_loop(Stmt* s) {
  bool found = s->kind == StmtKind::kFor && ir::as<ir::For>(s)->loop == ir::LoopKind::kParallel;
  for_each_block(s, [&](Block& block) {
    for (Stmt* inner : block) found = found || has_parallel_loop(inner);
  });
  return found;
}

int count_assigns(Block& block, const Local* local) {
  int n = 0;
  for_each_stmt(block, [&](Stmt* s) {
    n += s->kind == StmtKind::kAssign && ir::as<ir::Assign>(s)->local == local;
  });
  return n;
}

class Placer {
 public:
  Placer(Declarations& out, const Touched& touches, Local* local)
      : out_(out), touches_(touches), local_(local) {}

  void place(Block& block) {
    std::vector<Stmt*> here;  // statements that touch the local
    for (Stmt* s : block)
      if (touches_(s, local_)) here.push_back(s);
    std::vector<Stmt*> ours;
    for (size_t i = 0; i < here.size(); ++i) {
      if (is_isolated(here, i) && (here.size() == 1 || ours.empty() || has_parallel_loop(here[i])))
        for_each_block(here[i], [&](Block& inner) { place(inner); });
      else
        ours.push_back(here[i]);
    }
    if (!ours.empty()) declare(ours.front(), block);
  }

 private:
  // Nothing flows into here[i], and nothing that it assigns is read behind it in this block.
  bool is_isolated(const std::vector<Stmt*>& here, size_t i) const {
    if (here[i]->kind == StmtKind::kAssign || evaluates(here[i], local_)) return false;
    if (flow_of(here[i], local_).exposed) return false;
    for (size_t k = i + 1; k < here.size(); ++k) {
      const Flow flow = flow_of(here[k], local_);
      if (flow.exposed) return false;
      if (flow.assigned) break;
    }
    return true;
  }

  void declare(Stmt* first, Block& block) {
    if (first->kind == StmtKind::kAssign && is_plain_assign(first)) {
      out_.at.insert(first);
      if (count_assigns(block, local_) == 1) out_.constants.insert(first);
      return;
    }
    out_.before[first].push_back(local_);
    if (flow_of(first, local_).exposed) out_.cleared.insert(local_);
  }

  Declarations& out_;
  const Touched& touches_;
  Local* local_;
};

}  // namespace

bool is_plain_assign(const Stmt* s) {
  const ir::Expr* value = ir::as<ir::Assign>(s)->value;
  return value->kind != ir::ExprKind::kCall || !ir::as<ir::Call>(value)->callee->may_raise;
}

Flow flow_of(Block& block, const Local* local) {
  Flow flow;
  for (Stmt* s : block) {
    const Flow one = flow_of(s, local);
    if (one.exposed && !flow.assigned) flow.exposed = true;
    flow.assigned = flow.assigned || one.assigned;
  }
  return flow;
}

Flow flow_of(Stmt* s, const Local* local) {
  Flow flow;
  flow.exposed = evaluates(s, local);
  switch (s->kind) {
    case StmtKind::kAssign:
      flow.assigned = ir::as<ir::Assign>(s)->local == local;
      return flow;
    case StmtKind::kReturn:
    case StmtKind::kRaise:
    case StmtKind::kBreak:
    case StmtKind::kContinue:
      flow.assigned = true;
      return flow;  // nothing behind it runs
    case StmtKind::kIf: {
      const Flow yes = flow_of(*ir::as<ir::If>(s)->body, local);
      Block* orelse = ir::as<ir::If>(s)->orelse;
      const Flow no = orelse ? flow_of(*orelse, local) : Flow{};
      flow.exposed = flow.exposed || yes.exposed || no.exposed;
      flow.assigned = yes.assigned && no.assigned;
      return flow;
    }
    case StmtKind::kFor:
    case StmtKind::kWhile:
      for_each_block(
          s, [&](Block& body) { flow.exposed = flow.exposed || flow_of(body, local).exposed; });
      return flow;
    default:
      return flow;
  }
}

Declarations place_declarations(ir::Function& f) {
  Declarations out;
  std::unordered_set<const Local*> seen;
  std::unordered_set<const Local*> indices;
  std::vector<Local*> locals;
  for_each_stmt(f.body, [&](Stmt* s) {
    if (s->kind == StmtKind::kFor) indices.insert(ir::as<ir::For>(s)->index);
    if (s->kind != StmtKind::kAssign) return;
    Local* local = ir::as<ir::Assign>(s)->local;
    if (seen.insert(local).second) locals.push_back(local);
  });
  const Touched touches(f.body);
  for (Local* local : locals) {
    if (local->is_param || indices.count(local) != 0) continue;
    Placer(out, touches, local).place(f.body);
  }
  return out;
}

}  // namespace pyk2cu::emit
