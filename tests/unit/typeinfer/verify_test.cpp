// The verifier notices broken IR. Tests typeinfer/ir/verify.cpp.
#include "typeinfer/ir/verify.h"

#include <doctest/doctest.h>

#include <string>

using namespace pyk2cu;

namespace {

// A program with one function `f(x: int64) -> int64` whose body is made by `fill`.
template <class F>
std::string problem(F&& fill) {
  ir::Program program;
  auto* f = program.make<ir::Function>();
  f->name = Symbol("f");
  f->result = types::int64();
  auto* x = program.make<ir::Local>(Symbol("x"), 1, types::int64());
  f->params.push_back({x, false});
  f->locals.push_back(x);
  fill(program, *f, x);
  program.functions.push_back(f);
  Diagnostics diags;
  if (ir::verify(program, "test", diags)) return "";
  return diags.all().front().message;
}

ir::Expr* load(ir::Program& p, ir::Local* local) {
  return p.make<ir::Load>(ir::Load{{ir::ExprKind::kLoad, local->type, {}}, local});
}
ir::Stmt* give(ir::Program& p, ir::Expr* value) {
  return p.make<ir::Return>(ir::Return{{ir::StmtKind::kReturn, {}}, value});
}
ir::Expr* convert(ir::Program& p, ir::Expr* e, const types::Type* to) {
  return p.make<ir::Convert>(
      ir::Convert{{ir::ExprKind::kConvert, to, {}}, ir::ConvertOp::kRound, e});
}

}  // namespace

TEST_CASE("sound IR passes") {
  CHECK(problem([](auto& p, auto& f, auto* x) { f.body.push_back(give(p, load(p, x))); }) == "");
}

TEST_CASE("each broken invariant is named") {
  CHECK(problem([](auto& p, auto& f, auto* x) {
          f.body.push_back(give(p, convert(p, load(p, x), types::float64())));
        }).starts_with("internal error: a returned value of type float64 where int64 is due"));
  CHECK(problem([](auto& p, auto& f, auto* x) {
          f.body.push_back(give(p, convert(p, load(p, x), types::int64())));
        }).starts_with("internal error: an idle conversion"));
  CHECK(problem([](auto& p, auto& f, auto*) {
          auto* stranger = p.template make<ir::Local>(Symbol("y"), 1, types::int64());
          f.body.push_back(give(p, load(p, stranger)));
        }).starts_with("internal error: `y` is not among the locals"));
  CHECK(problem([](auto& p, auto& f, auto* x) {
          auto* args = p.template make<std::vector<ir::Expr*>>();
          f.body.push_back(p.template make<ir::Raise>(
              ir::Raise{{ir::StmtKind::kRaise, {}}, Symbol("ValueError"), args}));
          f.body.push_back(give(p, load(p, x)));
        }).starts_with("internal error: a raise in a function that cannot raise"));
  CHECK(problem([](auto& p, auto& f, auto* x) {
          f.body.push_back(
              p.template make<ir::Break>(ir::Break{{ir::StmtKind::kBreak, {}}, nullptr}));
          f.body.push_back(give(p, load(p, x)));
        }).starts_with("internal error: a jump out of a loop"));
}
