// Clips in front of conversions that clip anyhow.
//
//   v = x * 1.5                              v = x * 1.5
//   if v < 0: v = 0              ->          out[i] = trunc<uint8>(v)
//   if v > 255: v = 255
//   out[i] = trunc<uint8>(v)
//
//   wrap<uint8>(max(0, min(255, trunc<int64>(x))))   ->   trunc<uint8>(x)
//
// A float becomes an integer toward zero, the least or the largest where it is beyond, 0 where it
// is NaN: what clips it to no less than that says nothing. An int64 wraps: it has to be clipped to
// just that. C++ compilers make ways of it, and of int64 few vectors.
// In:   functions behind sink, which makes values of stores.  Out: the same values. Tested by
// tests/golden/passes/saturated.py and tests/run/test_saturated.py.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "emit/lower/known.h"
#include "emit/lower/lower.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::Block;
using ir::CompareOp;
using ir::ConvertOp;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

bool is_below(CompareOp op) { return op == CompareOp::kLt || op == CompareOp::kLe; }
bool is_above(CompareOp op) { return op == CompareOp::kGt || op == CompareOp::kGe; }

std::optional<double> number(const Expr* e) {
  const ir::Const* c = ir::constant(e);
  if (c && c->value.kind == ir::Value::Kind::kFloat) return c->value.number.real();
  if (c && c->value.kind == ir::Value::Kind::kInt) return double(c->value.integer);
  return std::nullopt;
}

// `then` in place of what compares so with `than`.
struct Asked {
  const Expr* what;
  CompareOp op;
  double than, then;
};
std::optional<Asked> asked(const Expr* condition, const Expr* value) {
  const auto* c = ir::try_as<ir::Compare>(condition);
  const auto than = c ? number(c->right) : std::nullopt, then = number(value);
  return than && then ? std::optional(Asked{c->left, c->op, *than, *then}) : std::nullopt;
}

// An integer of up to 32 bits.
bool is_small(const types::Type* type) { return type->is_int() && type->bits <= 32; }

// What becomes of a number on its way into a type of integers.
class Clip {
 public:
  explicit Clip(const types::Type* to) : lo_(double(full(to).lo)), hi_(double(full(to).hi)) {}

  // What is clipped in it, as the type will do in any case; the expression itself: nothing.
  Expr* inside(Expr* e) {
    while (Expr* next = peeled(e)) e = next;
    return e;
  }
  bool takes(const Asked& a) {
    const bool low = is_below(a.op) && a.than <= lo_ && a.then <= lo_;
    const bool high = is_above(a.op) && a.than >= hi_ && a.then >= hi_;
    low_ = low_ || low;
    high_ = high_ || high;
    const double end = low ? lo_ : hi_;
    if (low || high) is_exact_ = is_exact_ && a.than == end && a.then == end;
    return low || high;
  }
  // Is what comes out in the type, clipped at its ends and nowhere else?
  bool is_whole() const { return low_ && high_ && is_exact_; }

 private:
  Expr* peeled(Expr* e) {
    if (auto* c = ir::try_as<ir::Convert>(e)) {
      const types::Type *from = c->operand->type, *to = c->type;
      const bool widens = c->op == ConvertOp::kExact && from->is_float() && to->is_float();
      const bool to_whole = c->op == ConvertOp::kTrunc && to == types::int64();
      return widens || to_whole ? c->operand : nullptr;
    }
    if (auto* s = ir::try_as<ir::Select>(e)) return rest_of(*s);
    auto* call = ir::try_as<ir::Builtin>(e);
    const bool is_max = call && call->row == &builtins::row(Id::builtins_max);
    const bool is_min = call && call->row == &builtins::row(Id::builtins_min);
    if ((!is_max && !is_min) || call->args.size() != 2) return nullptr;
    for (size_t k : {0, 1}) {
      const auto than = number(call->args[1 - k]);
      if (!than || call->args[k]->type != e->type) continue;
      // min(255.0, nan) is 255.0, max(0.0, nan) 0.0: the first one, of what does not compare.
      if (k == 1 && e->type->is_float() && !(is_max && lo_ == 0)) continue;
      if (takes({e, is_max ? CompareOp::kLt : CompareOp::kGt, *than, *than})) return call->args[k];
    }
    return nullptr;
  }

  // 0 if x < 0 else …x…
  Expr* rest_of(const ir::Select& s) {
    const auto asks = asked(s.condition, s.yes);
    if (!asks || ir::has_effect(asks->what)) return nullptr;
    Clip with = *this;
    Expr* rest = with.inside(s.no);
    if (!ir::equal(rest, asks->what) || !with.takes(*asks)) return nullptr;
    *this = with;
    return rest;
  }

  double lo_, hi_;
  bool low_ = false, high_ = false, is_exact_ = true;
};

class Saturated {
 public:
  Saturated(ir::Program& program, ir::Function& f) : program_(program), f_(f) {
    for (const Stmt* s : f.body) count(s, 1);
  }

  void block(Block& b) {
    for (Stmt*& s : b) {
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      if (const auto value = value_of(s); value && s->kind == ir::StmtKind::kIf) {
        count(s, -1);
        s = ir::Builder{program_, s->span}.assign(value->local, value->value);
        count(s, 1);
      }
      ir::for_each_expr(s, [](Expr* whole) {
        ir::for_each_subexpr(whole, [](Expr* e) {
          if (auto* c = ir::try_as<ir::Convert>(e)) conversion(*c);
        });
      });
    }
    for (size_t k = 0; k < b.size(); ++k)
      if (auto* a = ir::try_as<ir::Assign>(b[k])) variable(b, k, *a);
  }

 private:
  struct Given {
    Local* local;
    Expr* value;
  };

  void count(const Stmt* s, int by) {
    ir::for_each_local_in(s, [&](const Local* local, ir::Access) { mentions_[local] += by; });
  }

  // ---- in one expression -----------------------------------------------------------------------
  static void conversion(ir::Convert& c) {
    const bool wraps = c.op == ConvertOp::kWrap;
    if ((c.op != ConvertOp::kTrunc && !wraps) || !is_small(c.type)) return;
    Clip clip(c.type);
    Expr* inside = clip.inside(c.operand);
    if (inside == c.operand || !inside->type->is_float() || (wraps && !clip.is_whole())) return;
    c.op = ConvertOp::kTrunc;
    c.operand = inside;
  }

  // ---- branches --------------------------------------------------------------------------------
  // if v < 0: r = 0; else: r = trunc<uint8>(v)   ->   r = trunc<uint8>(v)
  std::optional<Given> value_of(Stmt* s) const {
    if (auto* a = ir::try_as<ir::Assign>(s)) return Given{a->local, a->value};
    const auto* branch = ir::try_as<ir::If>(s);
    const auto yes = branch ? value_of(*branch->body) : std::nullopt;
    const auto no = yes ? value_of(*branch->orelse) : std::nullopt;
    if (!no || yes->local != no->local) return std::nullopt;
    const auto asks = asked(branch->condition, yes->value);
    const auto* c = ir::try_as<ir::Convert>(no->value);
    const bool fits = asks && c && c->op == ConvertOp::kTrunc && is_small(c->type) &&
                      ir::loaded(c->operand) && ir::loaded(c->operand) == ir::loaded(asks->what);
    return fits && Clip(c->type).takes(*asks) ? no : std::nullopt;
  }

  // Of a side, which hands it on in a variable of its own.
  std::optional<Given> value_of(const Block& b) const {
    if (b.size() == 1) return value_of(b[0]);
    const auto first = b.size() == 2 ? value_of(b[0]) : std::nullopt;
    const auto* a = first ? ir::try_as<ir::Assign>(b[1]) : nullptr;
    if (!a || ir::loaded(a->value) != first->local) return std::nullopt;
    int mentions = 0;
    for (const Stmt* s : b)
      ir::for_each_local_in(
          s, [&](const Local* local, ir::Access) { mentions += local == first->local; });
    return mentions == mentions_.at(first->local) ? std::optional(Given{a->local, first->value})
                                                  : std::nullopt;
  }

  // ---- variables -------------------------------------------------------------------------------
  // Takes the clips of a variable out that conversions to one type alone read.
  void variable(Block& b, size_t at, ir::Assign& first) {
    Local* local = first.local;
    if (local->is_param || local->lanes != 0 || local->maybe_unbound || !local->type->is_real() ||
        ir::reads(first.value, local) || std::ranges::find(f_.shared, local) != f_.shared.end())
      return;
    std::vector<size_t> clips;
    for (size_t k = at + 1; k < b.size() && mentions_[local] > 2; ++k)
      if (changes(b[k], local)) clips.push_back(k);
    if (clips.empty()) return;
    const std::vector<ir::Convert*> uses = uses_of(local, b, clips.back());
    int mentions = int(uses.size());
    for (const size_t k : clips) mentions += mentions_in(b[k], local);
    if (uses.empty() || mentions_[local] != mentions + 1) return;
    const ir::Convert& use = *uses.front();
    const auto is_same = [&](const ir::Convert* one) {
      return one->type == use.type && one->op == use.op;
    };
    if (!is_small(use.type) || !std::ranges::all_of(uses, is_same)) return;
    Clip clip(use.type);
    for (const size_t k : clips)
      if (!is_taken(b[k], local, clip)) return;
    Expr* inside = clip.inside(first.value);
    const bool wraps = use.op == ConvertOp::kWrap;
    if ((use.op != ConvertOp::kTrunc && !wraps) || (wraps && !clip.is_whole())) return;
    if (!inside->type->is_float()) return;
    if (inside != first.value) {
      f_.locals.push_back(ir::Builder{program_, first.span}.temp(local->name.str(), inside->type));
      first.local = f_.locals.back();
      first.value = inside;
    }
    for (ir::Convert* one : uses) {
      one->op = ConvertOp::kTrunc;
      one->operand = ir::Builder{program_, one->span}.load(first.local);
    }
    for (size_t k = clips.size(); k-- > 0;) b.erase(b.begin() + ptrdiff_t(clips[k]));
    mentions_[first.local] = int(uses.size()) + 1;
  }

  static bool changes(const Stmt* s, const Local* local) {
    const auto* branch = ir::try_as<ir::If>(s);
    const auto* a =
        ir::try_as<ir::Assign>(branch && branch->body->size() == 1 ? branch->body->front() : s);
    return a && a->local == local;
  }
  // if v < c: v = d [elif v > …: v = …]; v = max(v, c)
  static bool is_taken(Stmt* s, const Local* local, Clip& clip) {
    if (!changes(s, local)) return false;
    if (auto* a = ir::try_as<ir::Assign>(s)) return ir::loaded(clip.inside(a->value)) == local;
    const auto* branch = ir::as<ir::If>(s);
    const auto asks = asked(branch->condition, ir::as<ir::Assign>(branch->body->front())->value);
    if (!asks || ir::loaded(asks->what) != local || !clip.takes(*asks)) return false;
    const Block& other = *branch->orelse;
    return other.empty() || (other.size() == 1 && is_taken(other.front(), local, clip));
  }

  // Conversions of the variable behind a statement.
  static std::vector<ir::Convert*> uses_of(const Local* local, Block& b, size_t behind) {
    std::vector<ir::Convert*> uses;
    for (size_t k = behind + 1; k < b.size(); ++k) {
      const auto look = [&](Expr* e) {
        auto* c = ir::try_as<ir::Convert>(e);
        if (c && ir::loaded(c->operand) == local) uses.push_back(c);
      };
      ir::for_each_expr(b[k], [&](Expr* whole) { ir::for_each_subexpr(whole, look); });
      ir::for_each_block(b[k], [&](Block& inner) { ir::for_each_expr_in(inner, look); });
    }
    return uses;
  }

  static int mentions_in(const Stmt* s, const Local* local) {
    int mentions = 0;
    ir::for_each_local_in(s, [&](const Local* one, ir::Access) { mentions += one == local; });
    return mentions;
  }

  ir::Program& program_;
  ir::Function& f_;
  std::unordered_map<const Local*, int> mentions_{};
};

}  // namespace

void saturated(ir::Program& program, ir::Function& f) { Saturated(program, f).block(f.body); }

}  // namespace pyk2cu::emit
