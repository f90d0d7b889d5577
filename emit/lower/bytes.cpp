// Variables as small as the elements that they are of.
//
//   m = 0                                  m is uint8
//   if a[i - 1] > m: m = a[i - 1]    ->    if a[i - 1] > m: m = a[i - 1]
//   out[i] = m
//
//   code = 0                               code is uint8
//   if a[i - 1] > a[i]: code |= 4    ->    if a[i - 1] > a[i]: code |= 4
//
// Python's m and code are int64, for the 0. Where nothing but elements of 8 or 16 bits and truths
// is loaded and stored, what is made of them has no more bits than it needs: masks, sums and
// elements are vectors of one width, which no conversion takes apart.
// In:   functions behind ranges.  Out: variables of one turn of a loop retyped, computed in their
// type where that is exact, compared as what they are. Tested by tests/golden/passes/bytes and
// tests/run/test_unroll.py.
#include <algorithm>
#include <optional>

#include "emit/lower/flow.h"
#include "emit/lower/interval.h"
#include "emit/lower/invariants.h"
#include "emit/lower/lower.h"
#include "emit/lower/ranges.h"
#include "emit/lower/retypable.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::ConvertOp;
using ir::Expr;
using ir::Local;
using ir::Stmt;
using types::Type;

namespace {

constexpr int kMaxRounds = 16;  // of variables that hold what others hold

bool is_small(const Type* type) { return type->is_int() && type->bits <= 16; }
bool is_large(const Type* type) { return type->is_int() && type->bits > 16; }

// The type of few bits that has all these numbers; null: there is none.
const Type* type_of(const Interval& all) {
  for (const int bits : {8, 16})
    for (const bool is_signed : {false, true})
      if (const Type* type = types::integer(bits, is_signed); all.within(full(type))) return type;
  return nullptr;
}

// e = exact<int64>(x)   ->   x
const Expr* narrowest(const Expr* e) {
  const auto* c = ir::try_as<ir::Convert>(e);
  while (c && c->op == ConvertOp::kExact && is_large(c->type)) {
    e = c->operand;
    c = ir::try_as<ir::Convert>(e);
  }
  return e;
}

// Are their low bits those of the low bits of the operands?
bool is_of_low_bits(const Expr* e) {
  const auto* b = ir::try_as<ir::Binary>(e);
  if (!b) return false;
  return b->op == BinaryOp::kAdd || b->op == BinaryOp::kSub || b->op == BinaryOp::kMul ||
         b->op == BinaryOp::kAnd || b->op == BinaryOp::kOr || b->op == BinaryOp::kXor;
}

// Nothing but elements of few bits, and such.
bool touches_small(const Block& body) {
  bool all = true, found = false;
  const auto look = [&](const Type* type) {
    const bool small = type->is_bool() || is_small(type);
    all = all && small;
    found = found || small;
  };
  ir::for_each_stmt(body, [&](const Stmt* s) {
    ir::for_each_place(s, [&](const ir::Place& place) {
      if (!place.local) look(place.type());
    });
  });
  ir::for_each_expr_in(body, [&](const Expr* e) {
    if (e->kind == ir::ExprKind::kElement) look(e->type);
  });
  return all && found;
}

class Bytes {
 public:
  Bytes(ir::Program& program, ir::Function& f) : program_(program), f_(f), own_(retypable(f)) {
    ir::for_each_stmt(f.body, [&](const Stmt* s) {
      ir::for_each_local_of(s, [&](const Local* local, ir::Access) { ++mentions_[local]; });
    });
  }

  // The loops inside first: of them more touch small elements alone.
  void block(Block& b) {
    for (Stmt* s : b) {
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      if (auto* loop = ir::try_as<ir::For>(s)) turn(*loop->body);
    }
  }

 private:
  void turn(Block& body) {
    if (!touches_small(body)) return;
    choose(body);
    if (held_.empty()) return;
    ir::for_each_stmt(body, [&](Stmt* s) {
      auto* a = ir::try_as<ir::Assign>(s);
      const auto held = a ? held_.find(a->local) : held_.end();
      if (held != held_.end()) return as(a->value, held->second);
      ir::for_each_expr(s, [&](Expr*& e) { read(e); });
    });
    for (const auto& [local, type] : held_) local->type = type;
  }

  // ---- which ones ------------------------------------------------------------------------------
  void choose(Block& body) {
    held_.clear();
    intervals_.clear();
    std::unordered_map<const Local*, int> inside;
    std::vector<ir::Assign*> assigns;
    ir::for_each_stmt(body, [&](Stmt* s) {
      ir::for_each_local_of(s, [&](const Local* local, ir::Access) { ++inside[local]; });
      auto* a = ir::try_as<ir::Assign>(s);
      if (a && is_large(a->local->type) && own_.contains(a->local)) assigns.push_back(a);
    });
    if (assigns.empty()) return;
    const Flow flow = flow_of(body);
    std::erase_if(assigns, [&](const ir::Assign* a) {
      return flow.exposes(a->local) || inside.at(a->local) != mentions_.at(a->local);
    });
    for (const ir::Assign* a : assigns) intervals_[a->local] = {};
    settle(assigns);
    for (const auto& [local, all] : intervals_) held_[local] = type_of(*all);
  }

  // What the variables hold, by all that they are given. Those that hold more are none.
  void settle(const std::vector<ir::Assign*>& assigns) {
    bool changes = true;
    for (int round = 0; changes; ++round) {
      if (round == kMaxRounds) return intervals_.clear();
      changes = false;
      for (const ir::Assign* a : assigns) {
        const auto at = intervals_.find(a->local);
        if (at == intervals_.end()) continue;
        bool fits = true;
        std::optional<Interval> all = interval(a->value, fits);
        if (all && at->second) all = join(*all, *at->second);
        if (!all) all = at->second;
        if (!fits || (all && !type_of(*all))) {
          intervals_.erase(at);
          changes = true;
        } else if (all != at->second) {
          at->second = all;
          changes = true;
        }
      }
    }
    std::erase_if(intervals_, [](const auto& one) { return !one.second; });
  }

  // Nothing: not known yet.
  std::optional<Interval> interval(const Expr* e, bool& fits) {
    if (!fits_) fits_.emplace(fits_of(f_));
    if (const auto at = fits_->small.find(e); at != fits_->small.end()) return at->second;
    e = narrowest(e);
    if (is_small(e->type)) return full(e->type);
    if (const ir::Const* c = ir::constant(e); c && e->type->is_int()) return interval_of(*c);
    if (const Local* local = ir::loaded(e)) {
      const auto at = intervals_.find(const_cast<Local*>(local));
      fits = fits && at != intervals_.end();
      return fits ? at->second : std::nullopt;
    }
    const Expr *left = nullptr, *right = nullptr;
    if (const auto* select = ir::try_as<ir::Select>(e)) {
      left = select->yes;
      right = select->no;
    } else if (const auto* call = ir::try_as<ir::Builtin>(e); call && picks(*call)) {
      left = call->args[0];
      right = call->args[1];
    } else {
      fits = false;
      return std::nullopt;
    }
    const auto a = interval(left, fits), b = interval(right, fits);
    return a && b ? join(*a, *b) : a ? a : b;
  }

  static bool picks(const ir::Builtin& call) {
    return is_cut(call) && call.type_args.empty() && is_large(call.type);
  }
  bool are_within(const Expr* a, const Expr* b, const Type* type) {
    bool fits = true;
    const auto left = interval(a, fits), right = interval(b, fits);
    return fits && left && right && left->within(full(type)) && right->within(full(type));
  }

  // ---- rewriting -------------------------------------------------------------------------------
  // The low bits of the value, in a type of few bits.
  void as(Expr*& e, const Type* type) {
    const ir::Builder b{program_, e->span};
    Expr* from = const_cast<Expr*>(narrowest(e));
    if (const ir::Const* c = ir::constant(from); c && c->type->is_int()) {
      e = interval_of(*c).within(full(type)) ? b.integer(c->value.integer, type)
                                             : b.expr<ir::Convert>(type, ConvertOp::kWrap, from);
      return;
    }
    if (Local* local = ir::loaded(from); local && held_.contains(local))
      from = b.expr<ir::Load>(held_.at(local), local);
    else if (is_small(from->type))
      read(from);
    auto* select = ir::try_as<ir::Select>(from);
    auto* call = ir::try_as<ir::Builtin>(from);
    if (is_small(from->type)) {
      e = from->type == type ? from
                             : b.expr<ir::Convert>(type, ir::conversion(from->type, type), from);
    } else if (is_of_low_bits(from)) {
      auto& binary = *ir::as<ir::Binary>(from);
      as(binary.left, type);
      as(binary.right, type);
      e = b.plain(binary.op, binary.left, binary.right);
    } else if (select && is_large(from->type)) {
      read(select->condition);
      as(select->yes, type);
      as(select->no, type);
      select->type = type;
      e = select;
    } else if (call && picks(*call) && are_within(call->args[0], call->args[1], type)) {
      for (Expr*& arg : call->args) as(arg, type);
      call->type = type;
      e = call;
    } else {
      read(from);
      e = b.expr<ir::Convert>(type, ir::conversion(from->type, type), from);
    }
  }

  void read(Expr*& e) {
    const ir::Builder b{program_, e->span};
    if (Local* local = ir::loaded(e); local && held_.contains(local)) {
      const Type* wide = e->type;
      e = b.expr<ir::Convert>(wide, ir::conversion(held_.at(local), wide),
                              b.expr<ir::Load>(held_.at(local), local));
      return;
    }
    if (auto* compare = ir::try_as<ir::Compare>(e)) {
      if (const Type* type = compared(*compare)) {
        as(compare->left, type);
        as(compare->right, type);
        return;
      }
    }
    auto* convert = ir::try_as<ir::Convert>(e);
    if (convert && is_large(convert->operand->type) && convert->type->is_real()) {
      Local* local = ir::loaded(const_cast<Expr*>(narrowest(convert->operand)));
      if (const auto held = held_.find(local); held != held_.end()) {  // uint8(m), m uint8
        Expr* from = b.expr<ir::Load>(held->second, local);
        e = from->type == e->type
                ? from
                : b.expr<ir::Convert>(e->type, ir::conversion(from->type, e->type), from);
        return;
      }
    }
    ir::for_each_operand(e, [&](Expr*& operand) { read(operand); });
  }

  // The type that both sides can be compared in, if there is a variable in it that is held.
  const Type* compared(const ir::Compare& e) {
    bool fits = e.left->type->is_int() && e.right->type->is_int(), any = false;
    const auto look = [&](const Expr* part) {
      const Local* local = ir::loaded(part);
      any = any || (local && held_.contains(const_cast<Local*>(local)));
    };
    ir::for_each_subexpr(e.left, look);
    ir::for_each_subexpr(e.right, look);
    if (!fits || !any) return nullptr;
    const auto left = interval(e.left, fits), right = interval(e.right, fits);
    return fits && left && right ? type_of(join(*left, *right)) : nullptr;
  }

  ir::Program& program_;
  ir::Function& f_;
  const ir::LocalSet own_;
  std::optional<Fits> fits_{};  // once somebody asks
  std::unordered_map<const Local*, int> mentions_{};
  // Of one turn: what the variables hold, nothing while it is not known; their types.
  std::unordered_map<Local*, std::optional<Interval>> intervals_{};
  std::unordered_map<Local*, const Type*> held_{};
};

}  // namespace

void bytes(ir::Program& program, ir::Function& f) { Bytes(program, f).block(f.body); }

}  // namespace pyk2cu::emit
