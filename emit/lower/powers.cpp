// Powers under fastmath, as products and roots.
//
//   r2 ** -1.5       ->   1.0 / (r2 * sqrt(r2))
//   x ** 3.0         ->   x * x * x
//   10.0 ** (d / 10) ->   exp2(d / 10 * log2(10))
//
// pow takes as long as twenty products, and no power of these is less exact but where `fastmath`
// allows it: in the last bit, and of what is not finite. LLVM, and with it Numba, does the same.
// In: functions under fastmath, before all other passes.  Out: such calls replaced; a base that is
// no variable has one. Tested by tests/run/test_fast_powers.py.
#include <cmath>

#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::BinaryOp;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

constexpr int kMostQuarters = 32;  // x ** 8.0

class Powers {
 public:
  Powers(ir::Program& program, ir::Function& f) : program_(program), f_(f) {}

  void block(ir::Block& b) {
    ir::Block all;
    for (Stmt* s : b) {
      ir::for_each_expr(s, [&](Expr*& e) { expr(e, s, s->kind != ir::StmtKind::kWhile, all); });
      ir::for_each_block(s, [&](ir::Block& inner) { block(inner); });
      all.push_back(s);
    }
    b = std::move(all);
  }

 private:
  // `always`: it is evaluated whenever the statement is, and once.
  void expr(Expr*& e, Stmt* s, bool always, ir::Block& front) {
    const bool chooses = e->kind == ir::ExprKind::kLogical || e->kind == ir::ExprKind::kSelect;
    bool first = true;
    ir::for_each_operand(e, [&](Expr*& part) {
      expr(part, s, always && (first || !chooses), front);
      first = false;
    });
    const auto* call = ir::try_as<ir::Builtin>(e);
    if (!call || call->row->lanes != Id::lanes_pow || !e->type->is_float()) return;
    Expr *base = call->args[0], *exponent = call->args[1];
    if (base->type != e->type || exponent->type != e->type) return;
    if (const ir::Const* c = ir::constant(base)) {
      const double value = c->value.number.real();
      if (e->type->bits == 64 && value > 0 && value != 1 && value != 2 && std::isfinite(value))
        e = power_of(value, exponent, s->span);
    } else if (const ir::Const* by = ir::constant(exponent)) {
      const double quarters = by->value.number.real() * 4;
      if (quarters == std::rint(quarters) && std::abs(quarters) <= kMostQuarters)
        if (Expr* made = in_quarters(base, int(quarters), s, always, front)) e = made;
    }
  }

  Expr* power_of(double base, Expr* exponent, Span span) const {
    const ir::Builder b{program_, span};
    const types::Type* type = exponent->type;
    Expr* bits = b.plain(BinaryOp::kMul, exponent, b.floating(std::log2(base), type));
    return b.builtin(Id::math_exp2, type, {bits});
  }

  // x ** (n / 4); null: x would be computed where it is not.
  Expr* in_quarters(Expr* x, int n, const Stmt* s, bool always, ir::Block& front) {
    const ir::Builder b{program_, s->span};
    Local* local = ir::loaded(x);
    if (!local) {
      if (!always) return nullptr;
      f_.locals.push_back(b.temp("base", x->type));
      local = f_.locals.back();
      front.push_back(b.assign(local, x));
    }
    const unsigned size = unsigned(std::abs(n));
    const auto root = [&](Expr* of) { return b.builtin(Id::math_sqrt, x->type, {of}); };
    Expr* all = size >= 4 ? product(b, local, size / 4) : nullptr;
    const auto times = [&](Expr* factor) {
      all = all ? b.plain(BinaryOp::kMul, all, factor) : factor;
    };
    if (size & 2) times(root(b.load(local)));
    if (size & 1) times(root(root(b.load(local))));
    if (!all) all = b.floating(1, x->type);
    return n < 0 ? b.plain(BinaryOp::kDiv, b.floating(1, x->type), all) : all;
  }

  // By squares, which C++ compilers compute once.
  static Expr* product(const ir::Builder& b, Local* local, unsigned n) {
    if (n == 1) return b.load(local);
    Expr* halves = b.plain(BinaryOp::kMul, product(b, local, n / 2), product(b, local, n / 2));
    return n % 2 ? b.plain(BinaryOp::kMul, halves, b.load(local)) : halves;
  }

  ir::Program& program_;
  ir::Function& f_;
};

}  // namespace

void powers(ir::Program& program) {
  for (ir::Function* f : program.functions)
    if (f->options.fastmath && f->kind == ir::FunctionKind::kHost)
      Powers(program, *f).block(f->body);
}

}  // namespace pyk2cu::emit
