// Complex numbers into their parts: see complexes.h.
//
// What is used several times becomes a variable in front of the statement; that is arithmetic
// alone, which may be done where nobody needs it. Elements are read in front too, so not where a
// condition inside the expression decides about them.
#include "emit/lower/lanes/complexes.h"

#include <cmath>
#include <complex>
#include <unordered_map>
#include <utility>

#include "emit/lower/lanes/forms.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int kMostFactors = 8;  // of a power

bool is_complex(const Expr* e) { return e->type->is_complex(); }
bool is_phase(Id id) { return id == Id::cmath_phase || id == Id::numpy_angle; }
bool is_exponential(Id id) { return id == Id::cmath_exp || id == Id::numpy_exp; }

// z ** 3, whose exponent is a complex number: its whole value; 0: it is no product
int factors(const ir::Binary& e) {
  const ir::Const* c = ir::constant(e.right);
  if (!c || e.left->type != e.type || !c->type->is_complex()) return 0;
  const std::complex<double> n = c->value.number;
  const bool whole = n.imag() == 0 && n.real() == std::floor(n.real());
  return whole && n.real() >= 1 && n.real() <= kMostFactors ? int(n.real()) : 0;
}

// ---- is it known what all of them are made of? --------------------------------------------------
class Check {
 public:
  bool block(const Block& body) {
    ir::for_each_stmt(body, [&](const Stmt* s) { stmt(s); });
    return fits_ && found_;
  }

 private:
  void stmt(const Stmt* s) {
    const auto* update = ir::try_as<ir::Update>(s);
    if (update && update->place.type()->is_complex()) {
      fits_ = fits_ && update->place.local && update->op <= BinaryOp::kDiv &&
              update->value->type == update->place.local->type;
      return value(update->value, false);
    }
    const auto* assign = ir::try_as<ir::Assign>(s);
    if (assign && assign->local->type->is_complex()) {
      fits_ = fits_ && !assign->local->maybe_unbound;
      return value(assign->value, false);
    }
    ir::for_each_local(
        s, [&](const Local* local, ir::Access) { fits_ = fits_ && !local->type->is_complex(); });
    const bool repeats = s->kind == StmtKind::kWhile;
    ir::for_each_expr(s, [&](const Expr* e) {
      if (is_complex(e))
        s->kind == StmtKind::kStore ? value(e, false) : fail();
      else
        real(e, repeats);
    });
  }

  void fail() { fits_ = false; }

  // A complex expression. chosen: something in the statement decides whether it is evaluated.
  void value(const Expr* e, bool chosen) {
    found_ = true;
    switch (e->kind) {
      case ExprKind::kConst:
      case ExprKind::kLoad:
        return;
      case ExprKind::kElement:
        if (chosen || !ir::loaded(ir::as<ir::Element>(e)->array)) fail();
        return ir::for_each_operand(e, [&](const Expr* operand) { any(operand, chosen); });
      case ExprKind::kUnary:
        if (ir::as<ir::Unary>(e)->op == ir::UnaryOp::kInvert) fail();
        break;
      case ExprKind::kBinary: {
        const auto& b = *ir::as<ir::Binary>(e);
        if (b.op == BinaryOp::kPow && !factors(b)) return fail();
        if (b.op != BinaryOp::kPow && (b.op > BinaryOp::kDiv || b.left->type != b.right->type))
          return fail();
        break;
      }
      case ExprKind::kConvert:
        if (!ir::as<ir::Convert>(e)->operand->type->is_number()) return fail();
        break;
      case ExprKind::kSelect:
        any(ir::as<ir::Select>(e)->condition, chosen);
        value(ir::as<ir::Select>(e)->yes, true);
        return value(ir::as<ir::Select>(e)->no, true);
      case ExprKind::kBuiltin: {
        const auto& call = *ir::as<ir::Builtin>(e);
        const Id id = call.row->id;
        if (id != Id::pyk_complex && !is_conjugate(call) && !is_exponential(id)) return fail();
        break;
      }
      default:
        return fail();
    }
    ir::for_each_operand(e, [&](const Expr* operand) { any(operand, chosen); });
  }

  void any(const Expr* e, bool chosen) { is_complex(e) ? value(e, chosen) : part(e, chosen); }

  // Of a complex number: it may be needed twice, and then is computed in front of the statement.
  void part(const Expr* e, bool chosen) {
    if (chosen && !is_total(e)) return fail();
    real(e, chosen);
  }

  // Can it be computed where nobody needs it?
  static bool is_total(const Expr* e) {
    bool total = true;
    ir::for_each_subexpr(e, [&](const Expr* part) {
      const auto* b = ir::try_as<ir::Binary>(part);
      const bool divides = b && b->op > BinaryOp::kMul && !b->type->is_float();
      total =
          total && !divides && part->kind != ExprKind::kElement && part->kind != ExprKind::kCall;
    });
    return total && !ir::has_effect(e);
  }

  void real(const Expr* e, bool chosen) {
    bool complex = false;
    ir::for_each_operand(e, [&](const Expr* operand) { complex = complex || is_complex(operand); });
    if (complex && !asks_parts(e)) return fail();
    const bool chooses = e->kind == ExprKind::kLogical || e->kind == ExprKind::kSelect;
    bool first = true;
    ir::for_each_operand(e, [&](const Expr* operand) {
      const bool decided = chosen || (chooses && !first);
      is_complex(operand) ? value(operand, decided) : real(operand, decided);
      first = false;
    });
  }

  static bool asks_parts(const Expr* e) {
    if (const auto* convert = ir::try_as<ir::Convert>(e))
      return convert->op == ir::ConvertOp::kTruth;
    const auto* compare = ir::try_as<ir::Compare>(e);
    if (compare) return compare->op == ir::CompareOp::kEq || compare->op == ir::CompareOp::kNe;
    const auto* call = ir::try_as<ir::Builtin>(e);
    if (!call || call->args.size() != 1) return false;
    const Id id = call->row->id;
    return id == Id::builtins_abs || id == Id::numpy_absolute || id == Id::pyk_real ||
           id == Id::pyk_imag || id == Id::numpy_real || id == Id::numpy_imag || is_phase(id);
  }

  bool fits_ = true, found_ = false;
};

// ---- the parts ---------------------------------------------------------------------------------
struct Parts {
  Expr *re, *im;
};

class Complexes {
 public:
  Complexes(ir::Program& program, ir::Function& f) : program_(program), f_(f) {}

  void run(Block& body, const ir::LocalSet& whole) {
    for (const Local* local : ir::assigned_in(body)) {
      if (!local->type->is_complex() || whole.contains(local)) continue;
      const types::Type* type = types::component(local->type);
      const std::string name(local->name.str());
      parts_[local] = {make(name + "_re", type), make(name + "_im", type)};
    }
    block(body);
  }

 private:
  Local* make(std::string_view name, const types::Type* type) {
    f_.locals.push_back(ir::Builder{program_}.temp(name, type));
    return f_.locals.back();
  }

  void block(Block& b) {
    Block all;
    for (Stmt* s : b) {
      Block* around = std::exchange(ahead_, &all);
      stmt(s);
      ahead_ = around;
    }
    b = std::move(all);
  }

  void stmt(Stmt* s) {
    build_.span = s->span;
    if (auto* a = ir::try_as<ir::Assign>(s); a && parts_.contains(a->local))
      return assign(a->local, value(a->value));
    auto* update = ir::try_as<ir::Update>(s);
    if (update && update->place.type()->is_complex()) {
      Local* local = update->place.local;
      if (update->op == BinaryOp::kAdd || update->op == BinaryOp::kSub)
        return add(local, update->op, value(update->value));
      return assign(local, binary(update->op, load(local), value(update->value)));
    }
    if (auto* loop = ir::try_as<ir::While>(s); loop && !ir::constant(loop->condition)) {
      Block first;
      Block* around = std::exchange(ahead_, &first);
      real(loop->condition);
      ahead_ = around;
      block(*loop->body);
      if (!first.empty()) {  // while c: …   ->   while true: …c…; if not c: break; …
        const ir::Builder b{program_, s->span};
        first.push_back(b.if_(b.negated(loop->condition), b.block({b.stmt<ir::Break>(loop)})));
        loop->body->insert(loop->body->begin(), first.begin(), first.end());
        loop->condition = b.boolean(true);
      }
    } else {
      ir::for_each_expr(s, [&](Expr*& e) {
        if (is_complex(e)) {
          const types::Type* type = e->type;
          const Parts z = value(e);
          e = build().builtin(Id::pyk_complex, type, {z.re, z.im}, {types::component(type)});
        } else {
          real(e);
        }
      });
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
    }
    ahead_->push_back(s);
  }

  void assign(Local* local, const Parts& z) {
    const ir::Builder b = build();
    const auto& [re, im] = parts_.at(local);
    Expr* second = ir::reads(z.im, re) ? stored(z.im) : z.im;
    ahead_->push_back(b.assign(re, z.re));
    ahead_->push_back(b.assign(im, second));
  }

  void add(Local* local, BinaryOp op, const Parts& z) {
    const ir::Builder b = build();
    const auto& [re, im] = parts_.at(local);
    Expr* second = ir::reads(z.im, re) ? stored(z.im) : z.im;
    ahead_->push_back(b.stmt<ir::Update>(ir::Place{re}, op, z.re));
    ahead_->push_back(b.stmt<ir::Update>(ir::Place{im}, op, second));
  }

  ir::Builder build() const { return build_; }

  // ---- expressions -----------------------------------------------------------------------------
  // Of a value that is used several times.
  Expr* kept(Expr* e) {
    const Local* local = ir::loaded(e);
    return ir::constant(e) || (local && !local->type->is_complex()) ? e : stored(e);
  }
  Expr* stored(Expr* e) {
    Local* made = make("part", e->type);
    ahead_->push_back(build().assign(made, e));
    return build().load(made);
  }
  Parts kept(const Parts& z) { return {kept(z.re), kept(z.im)}; }

  // Another one of what is kept.
  Expr* again(const Expr* e) {
    if (const Local* local = ir::loaded(e)) return build().load(const_cast<Local*>(local));
    return build().floating(ir::constant(e)->value.number.real(), e->type);
  }

  Expr* real_binary(BinaryOp op, Expr* left, Expr* right) {
    return build().expr<ir::Binary>(left->type, op, left, right, false, false);
  }

  Parts load(Local* local) {
    const auto at = parts_.find(local);
    if (at != parts_.end())
      return {build().load(at->second.first), build().load(at->second.second)};
    const types::Type* type = types::component(local->type);
    return {build().builtin(Id::pyk_real, type, {build().load(local)}),
            build().builtin(Id::pyk_imag, type, {build().load(local)})};
  }

  Parts value(Expr* e) {
    const ir::Builder b = build();
    const types::Type* type = types::component(e->type);
    if (const ir::Const* c = ir::constant(e)) {
      const std::complex<double> z = c->value.number;
      return {b.floating(z.real(), type), b.floating(z.imag(), type)};
    }
    if (Local* local = ir::loaded(e)) return load(local);
    switch (e->kind) {
      case ExprKind::kElement: {
        ir::for_each_operand(e, [&](Expr*& operand) {
          if (!operand->type->is_array()) real(operand);
        });
        Expr* other = ir::Cloner(program_).expr(e);
        return {b.builtin(Id::pyk_real, type, {e}), b.builtin(Id::pyk_imag, type, {other})};
      }
      case ExprKind::kUnary: {
        const auto& unary = *ir::as<ir::Unary>(e);
        const Parts z = value(unary.operand);
        if (unary.op == ir::UnaryOp::kPos) return z;
        return {negated(z.re), negated(z.im)};
      }
      case ExprKind::kBinary: {
        auto& binary_of = *ir::as<ir::Binary>(e);
        if (binary_of.op == BinaryOp::kPow) return power(value(binary_of.left), factors(binary_of));
        const Parts left = value(binary_of.left);
        return binary(binary_of.op, left, value(binary_of.right));
      }
      case ExprKind::kConvert:
        return converted(ir::as<ir::Convert>(e)->operand, type);
      case ExprKind::kSelect: {
        auto& select = *ir::as<ir::Select>(e);
        real(select.condition);
        Expr* condition = stored(select.condition);
        const Parts yes = value(select.yes), no = value(select.no);
        return {b.expr<ir::Select>(type, condition, yes.re, no.re),
                b.expr<ir::Select>(type, again(condition), yes.im, no.im)};
      }
      default: {
        auto& call = *ir::as<ir::Builtin>(e);
        if (is_conjugate(call)) {
          const Parts z = value(call.args[0]);
          return {z.re, negated(z.im)};
        }
        if (is_exponential(call.row->id)) return exponential(converted(call.args[0], type));
        for (Expr*& arg : call.args) real(arg);
        return {to(call.args[0], type), to(call.args[1], type)};
      }
    }
  }

  Expr* negated(Expr* e) { return build().expr<ir::Unary>(e->type, ir::UnaryOp::kNeg, e); }

  Expr* to(Expr* e, const types::Type* type) {
    if (e->type == type) return e;
    return build().expr<ir::Convert>(type, ir::conversion(e->type, type), e);
  }

  Parts converted(Expr* from, const types::Type* type) {
    if (is_complex(from)) {
      const Parts z = value(from);
      return {to(z.re, type), to(z.im, type)};
    }
    real(from);
    return {to(from, type), build().floating(0, type)};
  }

  Parts binary(BinaryOp op, Parts a, Parts b) {
    if (op == BinaryOp::kAdd || op == BinaryOp::kSub)
      return {real_binary(op, a.re, b.re), real_binary(op, a.im, b.im)};
    a = kept(a);
    b = kept(b);
    if (op == BinaryOp::kMul) return product(a, b);
    const auto part = [&](Id id) {
      return build().builtin(id, a.re->type, {again(a.re), again(a.im), again(b.re), again(b.im)});
    };
    return {part(Id::lanes_quotient_real), part(Id::lanes_quotient_imag)};
  }

  // Of kept parts
  Parts product(const Parts& a, const Parts& b) {
    const auto times = [&](const Expr* x, const Expr* y) {
      return real_binary(BinaryOp::kMul, again(x), again(y));
    };
    return {real_binary(BinaryOp::kSub, times(a.re, b.re), times(a.im, b.im)),
            real_binary(BinaryOp::kAdd, times(a.re, b.im), times(a.im, b.re))};
  }

  // As pyk::cmath::phase: in float64.
  Expr* phase(const Parts& z) {
    const types::Type* wide = types::float64();
    return build().builtin(Id::math_atan2, wide, {to(z.im, wide), to(z.re, wide)});
  }

  // As pyk::cmath::exp: in float64.
  Parts exponential(Parts z) {
    const ir::Builder b = build();
    const types::Type *type = z.re->type, *wide = types::float64();
    z = kept(Parts{to(z.re, wide), to(z.im, wide)});
    Expr* less = stored(b.builtin(Id::lanes_exp_argument, wide, {again(z.re)}));
    Expr* size = stored(b.builtin(Id::math_exp, wide, {less}));
    const auto part = [&](Id id, Id of_angle) {
      Expr* along = stored(b.builtin(of_angle, wide, {again(z.im)}));
      return to(b.builtin(id, wide, {again(z.re), again(z.im), again(size), along}), type);
    };
    Expr* re = part(Id::lanes_exp_real, Id::math_cos);
    return {re, part(Id::lanes_exp_imag, Id::math_sin)};
  }

  // As whole_power of pyk/complex.h: 1 is a factor too, which matters to infinities and zeros.
  Parts power(Parts z, int n) {
    const types::Type* type = z.re->type;
    Parts result{build().floating(1, type), build().floating(0, type)};
    for (;; n /= 2) {
      z = kept(z);
      if (n % 2 == 1) result = kept(product(result, z));
      if (n == 1) return result;
      z = product(z, z);
    }
  }

  void real(Expr*& e) {
    const ir::Builder b = build();
    auto* call = ir::try_as<ir::Builtin>(e);
    if (call && !call->args.empty() && is_complex(call->args[0])) {
      const Parts z = value(call->args[0]);
      const Id id = call->row->id;
      if (id == Id::pyk_real || id == Id::numpy_real)
        e = z.re;
      else if (id == Id::pyk_imag || id == Id::numpy_imag)
        e = z.im;
      else if (is_phase(id))
        e = to(phase(z), e->type);
      else
        e = b.builtin(Id::math_hypot, e->type, {z.re, z.im});
      return;
    }
    auto* compare = ir::try_as<ir::Compare>(e);
    if (compare && is_complex(compare->left)) {
      const Parts left = value(compare->left), right = value(compare->right);
      e = b.logical(compare->op == ir::CompareOp::kEq, b.compare(compare->op, left.re, right.re),
                    b.compare(compare->op, left.im, right.im));
      return;
    }
    auto* truth = ir::try_as<ir::Convert>(e);
    if (truth && is_complex(truth->operand)) {
      const Parts z = value(truth->operand);
      e = b.logical(false, b.compare(ir::CompareOp::kNe, z.re, b.floating(0, z.re->type)),
                    b.compare(ir::CompareOp::kNe, z.im, b.floating(0, z.im->type)));
      return;
    }
    ir::for_each_operand(e, [&](Expr*& operand) { real(operand); });
  }

  ir::Program& program_;
  ir::Function& f_;
  ir::Builder build_{program_};
  Block* ahead_ = nullptr;  // of the statement
  std::unordered_map<const Local*, std::pair<Local*, Local*>> parts_{};
};

}  // namespace

bool has_functions_of_parts(const Block& body) {
  bool found = false;
  ir::for_each_expr_in(body, [&](const Expr* e) {
    const auto* call = ir::try_as<ir::Builtin>(e);
    found = found || (call && !call->args.empty() && is_complex(call->args[0]) &&
                      (is_exponential(call->row->id) || is_phase(call->row->id)));
  });
  return found;
}

bool split_complexes(ir::Program& program, ir::Function& f, Block& body,
                     const ir::LocalSet& whole) {
  if (!Check().block(body)) return false;
  Complexes(program, f).run(body, whole);
  return true;
}

}  // namespace pyk2cu::emit
