// Quotients and remainders of integers that several statements ask for: computed once.
//
//   rho[i % n, j % n] += a              rest = i % n
//   rho[i % n, (j + 1) % n] += b   ->   rho[rest, j % n] += a
//                                       rho[rest, (j + 1) % n] += b
//
// Rounding down takes several ways, and so does the shorter division of small numbers: C++
// compilers see no common expression in them, and keep none across what is stored in between.
//
// In:   functions in their final form.  Out: of divisions of variables, by what is no constant,
// which a statement makes in any case and which it or those behind it make again before one of the
// variables changes, a variable in front of it. What lanes do has its own.
// Tested by tests/golden/passes/quotients.py and tests/run/test_quotients.py.
#include <algorithm>
#include <vector>

#include "emit/lower/evaluated.h"
#include "emit/lower/lanes/forms.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Binary;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr size_t kNear = 64;  // statements behind the first one that are looked at

class Quotients {
 public:
  Quotients(ir::Program& program, ir::Function& f) : program_(program), f_(f) {}

  void block(Block& b) {
    for (size_t k = 0; k < b.size(); ++k) {
      Stmt* s = b[k];
      if (is_of_lanes(s)) continue;
      for (const Binary* division : made_by(s))
        if (Stmt* named = share(*division, b, k)) {
          b.insert(b.begin() + ptrdiff_t(k), named);
          ++k;
        }
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
    }
  }

 private:
  static bool is_of_lanes(const Stmt* s) {
    const auto* loop = ir::try_as<ir::For>(s);
    return s->kind == StmtKind::kLanes || s->kind == StmtKind::kEach ||
           (loop && (loop->simd || loop->loop == ir::LoopKind::kParallel));
  }

  static bool divides(const Expr* e) {
    const auto* b = ir::try_as<Binary>(e);
    return b && divides_integers(*b) && !ir::constant(b->right) && b->form == ir::Form::kScalar &&
           !ir::reads_memory(e) && !ir::has_effect(e);
  }

  // The divisions that a statement makes in any case, the larger ones first.
  static std::vector<const Binary*> made_by(const Stmt* s) {
    std::vector<const Binary*> all;
    if (ir::is_loop(s)) return all;
    const auto look = [&](const Expr* whole) {
      any_evaluated(whole, [&](const Expr* e) {
        const auto is = [&](const Binary* other) { return ir::equal(other, e); };
        if (divides(e) && std::ranges::none_of(all, is)) all.push_back(ir::as<Binary>(e));
        return false;
      });
    };
    ir::for_each_expr(s, look);
    return all;
  }

  static bool assigns_any(const Stmt* s, const ir::LocalSet& locals) {
    return std::ranges::any_of(ir::assigned_in(s),
                               [&](const Local* local) { return locals.contains(local); });
  }

  // Calls f(Expr*&) with each such expression in the statement, and in those inside.
  template <class F>
  static void each_in(Stmt* s, const Expr* division, const F& f) {
    ir::for_each_expr(s, [&](Expr*& whole) { each_in(whole, division, f); });
    ir::for_each_block(s, [&](Block& inner) {
      for (Stmt* one : inner) each_in(one, division, f);
    });
  }
  template <class F>
  static void each_in(Expr*& e, const Expr* division, const F& f) {
    if (ir::equal(e, division)) return f(e);
    ir::for_each_operand(e, [&](Expr*& operand) { each_in(operand, division, f); });
  }

  // The statement that names the division, with that name wherever it is made again; null: it is
  // made once.
  Stmt* share(const Binary& division, Block& b, size_t first) {
    const ir::Builder build{program_, division.span};
    const auto* source = ir::as<Binary>(ir::Cloner(program_).expr(&division));
    ir::LocalSet variables;
    ir::for_each_subexpr(source, [&](const Expr* e) {
      if (const Local* local = ir::loaded(e)) variables.insert(local);
    });
    size_t end = first;
    int times = 0;
    for (; end < std::min(b.size(), first + kNear); ++end) {
      Stmt* s = b[end];
      const bool changes = assigns_any(s, variables);
      const bool holds_others = ir::is_loop(s) || s->kind == StmtKind::kIf || is_of_lanes(s);
      if ((changes && holds_others) || contains_lanes(s)) break;
      each_in(s, source, [&](const Expr*) { ++times; });
      if (changes) {  // behind its values
        ++end;
        break;
      }
    }
    if (times < 2) return nullptr;
    const char* name = source->op == ir::BinaryOp::kMod ? "rest" : "quotient";
    f_.locals.push_back(build.temp(name, source->type));
    Local* local = f_.locals.back();
    for (size_t k = first; k < end; ++k)
      each_in(b[k], source, [&](Expr*& e) { e = build.load(local); });
    return build.assign(local, ir::Cloner(program_).expr(source));
  }

  static bool contains_lanes(Stmt* s) {
    bool found = is_of_lanes(s);
    ir::for_each_block(s, [&](const Block& inner) {
      found = found || ir::any_stmt(inner, [](const Stmt* one) { return is_of_lanes(one); });
    });
    return found;
  }

  ir::Program& program_;
  ir::Function& f_;
};

}  // namespace

void quotients(ir::Program& program, ir::Function& f) { Quotients(program, f).block(f.body); }

}  // namespace pyk2cu::emit
