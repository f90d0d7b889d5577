// What gangs are worth: see worth.h.
//
// A vector does the operations of several lanes at once, but elements that do not lie side by side
// are fetched one by one: operations must outnumber them. Tested by tests/golden/gangs.
#include "emit/lower/lanes/worth.h"

#include "emit/lower/lanes/forms.h"
#include "emit/lower/lanes/inline.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int64_t kFewTurns = 8;  // iterations that no gang is made for
constexpr int kInLoop = 8;        // turns that a loop inside is taken to make
constexpr int kOfFunction = 16;   // operations in a function of libm
constexpr int kOpsOfGather = 4;   // operations side by side that make up for one element fetched

class Weigher {
 public:
  Weigher(const Gang& gang, const Shape& shape, const Stmt* abandoned)
      : gang_(gang), shape_(shape), abandoned_(abandoned) {}

  bool pays(const Block& body) {
    block(body, 1);
    const bool gains = loops_ || parts_ || (functions_ && gathers_ == 0);
    return gains && ops_ >= kOpsOfGather * gathers_;
  }

 private:
  void block(const Block& b, int64_t weight) {
    for (const Stmt* s : b) {
      const bool turns = ir::is_loop(s) && !runs_once(s);
      loops_ = loops_ || turns;
      parts_ = parts_ || (s != abandoned_ && shape_.turns(s).part());
      ir::for_each_expr(s, [&](const Expr* e) { expr(e, weight); });
      ir::for_each_place(s, [&](const ir::Place& place) {
        if (!place.local) element(place.array, place.indices, weight);
      });
      if (s->kind == StmtKind::kUpdate) ops_ += weight;
      if (weight > 1) gathers_ += adds_to_sum(s) ? weight : 0;
      const int64_t inside = turns && weight < kInLoop * kInLoop ? weight * kInLoop : weight;
      ir::for_each_block(s, [&](const Block& inner) { block(inner, inside); });
    }
  }

  // One lane after the other.
  bool adds_to_sum(const Stmt* s) const {
    bool found = false;
    ir::for_each_local(s, [&](const ir::Local* local, ir::Access access) {
      for (const Gathered& g : gang_.gathered)
        found = found || (access != ir::Access::kRead && g.reduction.local == local);
    });
    return found && !ir::is_loop(s);
  }

  void expr(const Expr* e, int64_t weight) {
    ir::for_each_subexpr(e, [&](const Expr* part) {
      if (!shape_.varies(part)) return;
      if (const auto* at = ir::try_as<ir::Element>(part)) element(at->array, at->indices, weight);
      ops_ += part->kind == ExprKind::kBinary || part->kind == ExprKind::kCompare ? weight : 0;
      const auto* call = ir::try_as<ir::Builtin>(part);
      if (!call) return;
      const bool function = has_own_form(*call);
      functions_ = functions_ || function;
      ops_ += weight * (function ? kOfFunction : has_vector_form(*call) ? 1 : 0);
    });
  }

  void element(const Expr* array, const ir::List<ir::Index>& indices, int64_t weight) {
    bool varies = false;
    for (size_t k = 0; k + 1 < indices.size(); ++k)
      varies = varies || shape_.varies(indices[k].value);
    const ir::Index& last = indices.back();
    if (!varies && !shape_.varies(last.value)) return;
    const bool rows = array->type->layout == types::Layout::kC;
    if (varies || !rows || last.wrap || !moves_by_one(last.value)) gathers_ += weight;
  }

  // The loop's index, plus or minus what is the same for all lanes.
  bool moves_by_one(const Expr* e) const {
    if (ir::loaded(e) == gang_.index) return true;
    const auto* b = ir::try_as<ir::Binary>(e);
    if (!b || (b->op != BinaryOp::kAdd && b->op != BinaryOp::kSub)) return false;
    if (!shape_.varies(b->right)) return moves_by_one(b->left);
    return b->op == BinaryOp::kAdd && !shape_.varies(b->left) && moves_by_one(b->right);
  }

  const Gang& gang_;
  const Shape& shape_;
  const Stmt* abandoned_;
  int64_t ops_ = 0, gathers_ = 0;
  bool loops_ = false, parts_ = false, functions_ = false;
};

}  // namespace

bool pays(const ir::For& loop, const Block& body, const Gang& gang, const Shape& shape,
          const Stmt* abandoned) {
  const ir::Const *lo = ir::constant(loop.lo), *hi = ir::constant(loop.hi);
  if (lo && hi && hi->value.integer - lo->value.integer < kFewTurns) return false;
  return Weigher(gang, shape, abandoned).pays(body);
}

}  // namespace pyk2cu::emit
