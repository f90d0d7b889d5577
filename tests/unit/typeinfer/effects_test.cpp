// Effects of functions and statements. Tests typeinfer/ir/effects.h.
#include "typeinfer/ir/effects.h"

#include <doctest/doctest.h>

#include "tests/unit/ir_maker.h"

using namespace pyk2cu;
using types::BinaryOp;

namespace {

// f(a, b: float64[:], x: float64), with a view `v` of `a`.
struct Sample : IrMaker {
  ir::Function* f = function("f");
  ir::Local* a = param(f, "a", vector());
  ir::Local* b = param(f, "b", vector());
  ir::Local* x = param(f, "x", types::float64());
  ir::Local* v = local(f, "v", vector());
  ir::Local* y = local(f, "y", types::float64());

  ir::Stmt* view_of_a() {
    ir::Subscript all;
    all.kind = ir::Subscript::Kind::kSlice;
    return build.assign(
        v, build.expr<ir::View>(vector(), load(a), program.list(std::vector<ir::Subscript>{all})));
  }
  ir::Expr* zero() { return build.integer(0); }
  ir::Expr* one() { return build.floating(1); }
  ir::Expr* builtin(const char* name, const std::vector<ir::Expr*>& args) {
    const builtins::Row* row = builtins::find(name);
    REQUIRE(row);
    return build.expr<ir::Builtin>(types::float64(), row, program.list(args));
  }
};

}  // namespace

TEST_CASE("what functions do with the elements of parameters") {
  Sample s;
  SUBCASE("nothing") {
    s.f->body = {s.build.assign(s.y, s.load(s.x))};
    ir::analyse(*s.f);
    CHECK_FALSE((s.f->params[0].read || s.f->params[0].written || s.f->may_raise));
  }
  SUBCASE("a load reads, a store writes") {
    s.f->body = {s.store(s.a, s.zero(), s.element(s.b, s.zero()))};
    ir::analyse(*s.f);
    CHECK(s.f->params[0].written);
    CHECK_FALSE(s.f->params[0].read);
    CHECK(s.f->params[1].read);
    CHECK_FALSE(s.f->params[1].written);
  }
  SUBCASE("an update reads and writes") {
    s.f->body = {s.build.stmt<ir::Update>(s.at(s.a, s.zero()), BinaryOp::kAdd, s.one())};
    ir::analyse(*s.f);
    CHECK(s.f->params[0].written);
    CHECK(s.f->params[0].read);
  }
  SUBCASE("through a view") {
    s.f->body = {s.view_of_a(), s.store(s.v, s.zero(), s.one())};
    ir::analyse(*s.f);
    CHECK(s.f->params[0].written);
    CHECK_FALSE(s.f->params[1].written);
  }
  SUBCASE("through a call") {
    ir::Function* g = s.function("g");
    ir::Local* z = s.param(g, "z", vector());
    g->body = {s.store(z, s.zero(), s.one()), s.raise("ValueError")};
    s.f->body = {s.eval(s.call(g, {s.load(s.b)}))};
    ir::analyse(s.program);
    CHECK_FALSE(s.f->params[0].written);
    CHECK(s.f->params[1].written);
    CHECK(s.f->may_raise);
  }
  SUBCASE("through recursion") {
    s.f->body = {s.eval(s.call(s.f, {s.load(s.b), s.load(s.a), s.load(s.x)})),
                 s.store(s.a, s.zero(), s.one())};
    ir::analyse(s.program);
    CHECK(s.f->params[0].written);
    CHECK(s.f->params[1].written);  // the inner call stores to its first array, which is b
  }
  SUBCASE("a returned array shows its memory") {
    s.f->result = vector();
    s.f->body = {s.view_of_a(), s.give(s.load(s.v))};
    ir::analyse(*s.f);
    CHECK(s.f->params[0].returned);
    CHECK_FALSE(s.f->params[1].returned);
  }
}

TEST_CASE("state and exceptions") {
  Sample s;
  const auto of = [&](std::initializer_list<ir::Stmt*> body) {
    s.f->body = body;
    return ir::EffectAnalysis(*s.f).of(s.f->body);
  };
  CHECK(of({s.eval(s.builtin("random.random", {}))}).has_state);
  CHECK(of({s.build.stmt<ir::Print>(ir::List<ir::Expr*>{})}).has_state);
  CHECK_FALSE(of({s.eval(s.builtin("math.sin", {s.one()}))}).is_observable());
  CHECK(of({s.raise("ValueError")}).raises);
  ir::Expr* memory = s.build.expr<ir::NewArray>(vector(types::Layout::kC), ir::Fill::kZero,
                                                s.program.list(std::vector{s.zero()}));
  CHECK(of({s.build.assign(s.v, memory)}).raises);
}

TEST_CASE("which effects interfere") {
  Sample s;
  ir::Stmt* fresh = s.build.assign(
      s.v,
      s.build.expr<ir::NewArray>(vector(), ir::Fill::kZero, s.program.list(std::vector{s.zero()})));
  ir::Stmt* store_v = s.store(s.v, s.zero(), s.one());
  ir::Stmt* store_a = s.store(s.a, s.zero(), s.one());
  ir::Expr* read_b = s.element(s.b, s.zero());
  ir::Expr* read_v = s.element(s.v, s.zero());
  s.f->body = {fresh, store_v, store_a, s.eval(read_b), s.eval(read_v)};
  const ir::EffectAnalysis analysis(*s.f);
  const auto interfere = [&](const ir::Stmt* st, const ir::Expr* e) {
    return analysis.interfere(analysis.of(st), analysis.of(e));
  };
  CHECK(interfere(store_a, read_b));        // callers may pass one array twice
  CHECK_FALSE(interfere(store_a, read_v));  // nobody else has what is allocated here
  CHECK_FALSE(interfere(store_v, read_b));
  CHECK(interfere(store_v, read_v));
}

TEST_CASE("an effect stands where C++ orders it") {
  Sample s;
  ir::Function* g = s.function("g", types::float64());
  ir::Local* z = s.param(g, "z", vector());
  g->body = {s.store(z, s.zero(), s.one()), s.give(s.one())};
  ir::analyse(*g);
  const auto call = [&] { return s.call(g, {s.load(s.a)}); };
  const auto plus = [&](ir::Expr* l, ir::Expr* r) { return s.build.plain(BinaryOp::kAdd, l, r); };
  CHECK(ir::is_in_order(s.build.assign(s.y, call())));
  CHECK(ir::is_in_order(s.build.assign(s.y, plus(call(), s.load(s.x)))));
  CHECK_FALSE(ir::is_in_order(s.build.assign(s.y, plus(call(), s.element(s.b, s.zero())))));
  CHECK_FALSE(ir::is_in_order(s.build.assign(s.y, plus(call(), call()))));
  // its value comes before what stands in its place
  CHECK(ir::is_in_order(s.build.stmt<ir::Update>(s.at(s.a, s.zero()), BinaryOp::kAdd, call())));
  ir::Expr* condition = s.build.compare(types::CompareOp::kLt, call(), s.one());
  ir::Expr* skipped = s.build.expr<ir::Logical>(
      types::boolean(), true, s.build.compare(types::CompareOp::kLt, s.load(s.x), s.one()),
      condition);
  CHECK(ir::is_in_order(s.build.if_(condition, s.build.block())));
  CHECK_FALSE(ir::is_in_order(s.build.if_(skipped, s.build.block())));
}
