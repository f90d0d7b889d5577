// Sums of small numbers, added up in few bits at a time.
//
//   for i in range(n):             for first in range(0, n, 256):
//     s += image[i]          ->      part = uint16(0)
//                                    for i in range(first, first + min(256, n - first)):
//                                      part += image[i]
//                                    s += part
//
// C++ compilers compute a loop in as many numbers to a vector as its widest type has there: with a
// sum of 64 bits 4, with one of 16 bits 16, and with the count of what is true of bytes 32.
// `if a[i] != b[i]: n += 1` adds 1 or 0.
//
// In:   functions behind choices, which leave such loops one branch at most around a sum.
// Out: innermost loops over elements of at most 16 bits alone, which only add up integers, in
// blocks after which the least type that holds a sum is added to the whole. Tested by
// tests/golden/passes/blocks.py and tests/run/test_short_sums.py.
#include "emit/lower/blocks.h"

#include <algorithm>

#include "emit/lower/blends.h"
#include "emit/lower/flow.h"
#include "emit/lower/interval.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lower.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

constexpr int kNarrow = 16;     // bits of elements
constexpr int64_t kBlock = 64;  // elements to a multiple of which blocks are cut
constexpr int64_t kMostBlock = 1 << 16;

Interval range_of(Expr* e) {
  Known nothing;
  Observer nobody;
  return evaluate(e, nothing, nobody);
}

// Under the conversions that make it as wide as the sum.
Expr* unconverted(Expr* e) {
  auto* c = ir::try_as<ir::Convert>(e);
  return c && c->op == ir::ConvertOp::kExact && !c->operand->type->is_float()
             ? unconverted(c->operand)
             : e;
}

// if c: n += 1   ->   c; null: it is something else.
Expr* condition_of_sum(Stmt* s) {
  auto* branch = ir::try_as<ir::If>(s);
  return branch && branch->orelse->empty() && branch->body->size() == 1 &&
                 !ir::has_effect(branch->condition)
             ? branch->condition
             : nullptr;
}
Stmt* sum_in(Stmt* s) { return condition_of_sum(s) ? ir::as<ir::If>(s)->body->front() : s; }

class ShortSums {
 public:
  ShortSums(ir::Program& program, ir::Function& f) : program_(program), f_(f) {}

  void block(Block& b) {
    for (Stmt*& s : b) {
      auto* loop = ir::try_as<ir::For>(s);
      if (loop && fits(*loop)) s = in_blocks(*loop);
      if (s->kind != ir::StmtKind::kLanes && !(loop && loop->simd))
        ir::for_each_block(s, [&](Block& inner) {
          if (&inner != made_) block(inner);
        });
    }
  }

  // ---- which loops -----------------------------------------------------------------------------
  bool fits(const ir::For& loop) {
    if (!counts_by_one(loop) || loop.simd || loop.loop != ir::LoopKind::kSerial) return false;
    const auto turns = constant_turns(loop);
    if (turns && *turns < 2 * kBlock) return false;
    sums_.clear();
    bits_ = 0;
    const Flow flow = flow_of(*loop.body);
    bool fits = true;
    for (Stmt* s : *loop.body) fits = fits && takes(s, flow);
    for (const Sum& sum : sums_) fits = fits && is_summed_only(sum.whole, *loop.body);
    return fits && bits_ != 0 && !sums_.empty() && choose_type() &&
           !ir::reads_any(loop.hi, ir::assigned_in(*loop.body));
  }

 private:
  struct Sum {
    Local* whole;
    Expr* by;
    Expr* condition;  // under which it is added; null: always
    ir::BinaryOp op;
    const Stmt* stmt;  // that adds it
  };

  bool takes(Stmt* s, const Flow& flow) {
    Expr* condition = condition_of_sum(s);
    const auto* a = ir::try_as<ir::Assign>(s);
    const auto [local, value] = assigned(program_, sum_in(s));
    if (!local || local->lanes != 0 || local->maybe_unbound || ir::has_effect(value)) return false;
    if (!flow.exposes(local)) return a && is_narrow(value);
    const Step step = step_of(local, value);
    if (!step.before || ir::loaded(step.before) != local || step.op == ir::BinaryOp::kMul)
      return false;
    if (!is_whole(local) || !is_short(step.by) || (condition && !is_narrow(condition)))
      return false;
    sums_.push_back({local, step.by, condition, step.op, s});
    return true;
  }

  // Of elements of few bits, and nothing that C++ compilers would need wide vectors for.
  bool is_narrow(const Expr* e) {
    if (ir::constant(e)) return true;
    const types::Type* type = e->type;
    if (!type->is_bool() && !(type->is_int() && type->bits <= 32)) return false;
    if (ir::loaded(e)) return type->is_bool() || type->bits <= kNarrow;
    if (const auto* element = ir::try_as<ir::Element>(e)) {
      const int bits = type->is_bool() ? 8 : type->bits;
      bits_ = std::max(bits_, bits);
      return bits <= kNarrow && std::ranges::none_of(element->indices, [](const ir::Index& i) {
               return i.wrap || ir::reads_memory(i.value);
             });
    }
    bool narrow = e->kind == ir::ExprKind::kBinary || e->kind == ir::ExprKind::kUnary ||
                  e->kind == ir::ExprKind::kCompare || e->kind == ir::ExprKind::kLogical ||
                  e->kind == ir::ExprKind::kSelect || e->kind == ir::ExprKind::kConvert;
    if (const auto* b = ir::try_as<ir::Binary>(e)) narrow = b->op <= ir::BinaryOp::kMul;
    ir::for_each_operand(e, [&](const Expr* part) { narrow = narrow && is_narrow(part); });
    return narrow;
  }

  // Likewise, made as wide as the sum.
  bool is_short(Expr* e) {
    e = unconverted(e);
    if (const auto* s = ir::try_as<ir::Select>(e))
      return is_narrow(s->condition) && is_short(s->yes) && is_short(s->no);
    return is_narrow(e);
  }

  static Interval most_of(Expr* e) {
    e = unconverted(e);
    const auto* s = ir::try_as<ir::Select>(e);
    return s ? join(most_of(s->yes), most_of(s->no)) : range_of(e);
  }

  bool is_summed_only(const Local* whole, const Block& body) const {
    int mentions = 0;
    for (const Stmt* s : body)
      ir::for_each_local_in(s, [&](const Local* local, ir::Access) { mentions += local == whole; });
    const auto is_it = [&](const Sum& sum) { return sum.whole == whole; };
    const bool updates = std::ranges::any_of(body, [&](Stmt* s) {
      const auto* u = ir::try_as<ir::Update>(sum_in(s));
      return u && u->place.local == whole;
    });
    return std::ranges::count_if(sums_, is_it) == 1 && mentions == (updates ? 1 : 2);
  }

  // The least type, and how many turns it holds.
  bool choose_type() {
    Interval all{0, 0};
    for (const Sum& sum : sums_) {
      const Interval by = most_of(sum.by);  // 0 is among `all`
      all = join(all, sum.op == ir::BinaryOp::kSub ? Interval{-by.hi, -by.lo} : by);
    }
    const bool is_signed = all.lo < 0;
    for (const int bits : {8, 16, 32}) {
      if (bits < bits_) continue;
      type_ = types::integer(bits, is_signed);
      const Interval room = full(type_);
      turns_ = kMostBlock;
      if (all.hi > 0) turns_ = std::min(turns_, int64_t(room.hi / all.hi));
      if (all.lo < 0) turns_ = std::min(turns_, int64_t(room.lo / all.lo));
      turns_ = turns_ / kBlock * kBlock;
      if (turns_ >= 2 * kBlock) return true;
    }
    return false;
  }

  // ---- in blocks -------------------------------------------------------------------------------
  Stmt* in_blocks(ir::For& loop) {
    const ir::Builder b{program_, loop.span};
    const auto temp = [&](std::string_view stem, const types::Type* type) {
      f_.locals.push_back(b.temp(stem, type));
      return f_.locals.back();
    };
    ir::Cloner cloner(program_);
    Block* outer = b.block();
    Local* first = temp("first", types::int64());
    Local* end = temp("end", types::int64());
    auto* blocks = program_.make<ir::For>(loop);
    blocks->index = first;
    blocks->step = b.integer(turns_);
    blocks->body = outer;
    // What follows the last block may be no int64 where nobody knows where the loop ends.
    const bool known = range_of(loop.hi).hi <= full(types::int64()).hi - kMostBlock;
    blocks->form = known ? ir::LoopForm::kUp : ir::LoopForm::kRange;
    Expr* left = b.plain(ir::BinaryOp::kSub, cloner.expr(loop.hi), b.load(first));
    Expr* size = b.builtin(builtins::Id::builtins_min, types::int64(), {b.integer(turns_), left});
    outer->push_back(b.assign(end, b.plain(ir::BinaryOp::kAdd, b.load(first), size)));
    Block behind;
    for (const Sum& sum : sums_) {
      Local* part = temp("part", type_);
      outer->push_back(b.assign(part, b.zero(type_)));
      for (Stmt*& s : *loop.body)
        if (s == sum.stmt) s = b.assign(part, b.plain(sum.op, b.load(part), addend(sum)));
      Expr* whole = converted(b.load(part), sum.whole->type);
      behind.push_back(b.assign(sum.whole, b.expr<ir::Binary>(sum.whole->type, ir::BinaryOp::kAdd,
                                                              b.load(sum.whole), whole)));
    }
    loop.lo = b.load(first);
    loop.hi = b.load(end);
    outer->push_back(&loop);
    outer->insert(outer->end(), behind.begin(), behind.end());
    made_ = outer;
    return blocks;
  }

  Expr* converted(Expr* e, const types::Type* type) const {
    if (e->type == type) return e;
    return ir::Builder{program_, e->span}.expr<ir::Convert>(type, ir::conversion(e->type, type), e);
  }

  Expr* addend(const Sum& sum) const {
    if (!sum.condition) return narrowed(sum.by);
    const ir::Builder b{program_, sum.by->span};
    return narrowed(b.expr<ir::Select>(sum.by->type, sum.condition, sum.by, b.zero(sum.by->type)));
  }

  // What is added, in the type of the part.
  Expr* narrowed(Expr* e) const {
    e = unconverted(e);
    const ir::Builder b{program_, e->span};
    if (const ir::Const* c = ir::constant(e)) return b.integer(c->value.integer, type_);
    auto* s = ir::try_as<ir::Select>(e);
    if (!s) return converted(e, type_);
    if (ir::is_int_const(unconverted(s->yes), 1) && ir::is_int_const(unconverted(s->no), 0))
      return converted(s->condition, type_);
    return b.expr<ir::Select>(type_, s->condition, narrowed(s->yes), narrowed(s->no), s->choice);
  }

  ir::Program& program_;
  ir::Function& f_;
  std::vector<Sum> sums_{};  // of the loop at hand
  int bits_ = 0;             // of its widest element
  const types::Type* type_ = nullptr;
  int64_t turns_ = 0;
  const Block* made_ = nullptr;
};

}  // namespace

std::vector<const ir::For*> short_sums(ir::Program& program, ir::Function& f, const Block& body) {
  ShortSums sums(program, f);
  std::vector<const ir::For*> found;
  bool all = true;
  ir::for_each_stmt(body, [&](const Stmt* s) {
    bool innermost = ir::is_loop(s);
    ir::for_each_block(s, [&](const Block& inner) {
      innermost =
          innermost && !ir::any_stmt(inner, [](const Stmt* deeper) { return ir::is_loop(deeper); });
    });
    if (!innermost) return;
    const auto* loop = ir::try_as<ir::For>(s);
    all = all && loop && sums.fits(*loop);
    if (all) found.push_back(loop);
  });
  return all ? found : std::vector<const ir::For*>{};
}

void blocks(ir::Program& program, ir::Function& f) { ShortSums(program, f).block(f.body); }

}  // namespace pyk2cu::emit
