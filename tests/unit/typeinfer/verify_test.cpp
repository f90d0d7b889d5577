// The verifier notices broken IR, each rule for itself. Tests typeinfer/ir/verify.cpp.
#include "typeinfer/ir/verify.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/unit/ir_maker.h"

using namespace pyk2cu;
using types::BinaryOp;

namespace {

// f(x: int64, a: float64[:]) -> int64, with `y` assigned before and a return at the end.
struct Sample : IrMaker {
  ir::Function* f = function("f", types::int64());
  ir::Local* x = param(f, "x", types::int64());
  ir::Local* a = param(f, "a", vector());
  ir::Local* y = local(f, "y", types::int64());

  Sample() { f->body = {build.assign(y, load(x))}; }
  void add(ir::Stmt* s) { f->body.push_back(s); }
};

// What the verifier says of a sample that `spoil` changed; "" when nothing.
template <class F>
std::string problem(F&& spoil) {
  Sample sample;
  spoil(sample);
  sample.add(sample.give(sample.load(sample.y)));
  Diagnostics diags;
  if (ir::verify(sample.program, "test", diags)) return "";
  const std::string message = diags.all().front().message;
  const std::string head = "internal error: ";
  REQUIRE(message.starts_with(head));
  return message.substr(head.size(), message.find(" (in") - head.size());
}

// Of a statement, an expression.
template <class F>
std::string stmt(F&& make) {
  return problem([&](Sample& s) { s.add(make(s)); });
}
template <class F>
std::string expr(F&& make) {
  return stmt([&](Sample& s) { return s.eval(make(s)); });
}

}  // namespace

TEST_CASE("sound IR passes") {
  CHECK(problem([](Sample&) {}) == "");
  CHECK(stmt([](Sample& s) { return s.store(s.a, s.load(s.x), s.build.floating(1)); }) == "");
}

TEST_CASE("nothing is null") {
  CHECK(stmt([](Sample& s) { return s.build.assign(s.y, nullptr); }) == "no `value`");
  CHECK(stmt([](Sample& s) {
          return s.build.stmt<ir::If>(s.build.boolean(true), s.build.block());
        }) == "no `orelse`");
  CHECK(problem([](Sample& s) { s.f->body.push_back(nullptr); }) == "no `statement`");
  CHECK(expr([](Sample& s) { return s.build.expr<ir::Load>(nullptr, s.x); }) ==
        "an expression without a type");
  CHECK(expr([](Sample& s) {
          return s.build.expr<ir::Unary>(types::int64(), types::UnaryOp::kNeg, nullptr);
        }) == "no `operand`");
}

TEST_CASE("locals") {
  CHECK(expr([](Sample& s) {
          return s.load(s.program.make<ir::Local>(Symbol("z"), 1, types::int64()));
        }) == "`z` is not among the locals");
  CHECK(expr([](Sample& s) { return s.load(s.local(s.f, "z", types::int64())); }) ==
        "`z` is never assigned");
  CHECK(stmt([](Sample& s) {
          ir::Local* i = s.local(s.f, "i", types::int64());
          s.add(s.loop(i, s.load(s.x)));
          return s.eval(s.load(i));
        }) == "`i` is read outside of its loop");
  CHECK(stmt([](Sample& s) {
          ir::Local* k = s.local(s.f, "k", types::int32());
          return s.build.stmt<ir::Lanes>(k, 0, nullptr, true, ir::List<ir::Reduction>{},
                                         s.build.block());
        }) == "lanes without a width or index");
  CHECK(stmt([](Sample& s) {
          ir::Local* x = s.local(s.f, "x", types::float64());
          x->lanes = 16;
          return s.build.assign(x, s.build.floating(1));
        }) == "a lane that is assigned outside of lanes");
  CHECK(stmt([](Sample& s) {
          ir::Local* i = s.local(s.f, "i", types::int64());
          s.add(s.loop(i, s.load(s.x)));
          return s.loop(i, s.load(s.x));
        }) == "two loops share one index variable");
  CHECK(problem([](Sample& s) { s.f->params[0].local->is_param = false; }) ==
        "a parameter that does not know it is one");
  CHECK(problem([](Sample& s) { s.f->is_declared = true; }) == "`y` is not declared here");
  CHECK(expr([](Sample& s) { return s.build.expr<ir::Load>(types::float64(), s.x); }) ==
        "a load of another type than its variable");
}

TEST_CASE("statements") {
  const std::string is_float = " of type float64 where int64 is due: 1.0";
  CHECK(stmt([](Sample& s) { return s.build.assign(s.y, s.build.floating(1)); }) ==
        "an assigned value" + is_float);
  CHECK(stmt([](Sample& s) { return s.give(s.build.floating(1)); }) ==
        "a returned value" + is_float);
  CHECK(stmt([](Sample& s) { return s.build.stmt<ir::Return>(); }) == "a return without a value");
  CHECK(stmt([](Sample& s) {
          return s.loop(s.local(s.f, "i", types::int64()), s.build.floating(1));
        }) == "a bound of a loop" + is_float);
  CHECK(stmt([](Sample& s) { return s.build.stmt<ir::Store>(ir::Place{s.y}, s.load(s.x)); }) ==
        "a store to a local");
  CHECK(stmt([](Sample& s) { return s.store(s.a, s.load(s.x), s.build.integer(1)); }) ==
        "a stored value of type int64 where float64 is due: 1");
  CHECK(stmt([](Sample& s) { return s.store(s.a, s.build.floating(1), s.build.floating(1)); }) ==
        "an index that is no integer");
  CHECK(stmt([](Sample& s) {
          return s.build.stmt<ir::Store>(ir::Place{nullptr, s.load(s.a)}, s.build.floating(1));
        }) == "a wrong number of indices");
  CHECK(stmt([](Sample& s) {
          return s.build.stmt<ir::Update>(s.at(s.a, s.load(s.x)), BinaryOp::kAdd,
                                          s.build.integer(1));
        }) == "an update that computes in a type which its place does not fit");
  CHECK(stmt([](Sample& s) { return s.build.if_(s.load(s.x), s.build.block()); }) ==
        "a condition of type int64 where bool is due: x");
  CHECK(stmt([](Sample& s) { return s.build.stmt<ir::While>(s.load(s.x), s.build.block()); }) ==
        "a condition of type int64 where bool is due: x");
  CHECK(stmt([](Sample& s) {
          return s.build.stmt<ir::ForEach>(s.local(s.f, "i", types::int64()), s.load(s.x),
                                           s.build.block());
        }) == "a loop over what is no array of one dimension");
}

TEST_CASE("jumps") {
  CHECK(stmt([](Sample& s) { return s.build.stmt<ir::Break>(); }) == "no `loop`");
  CHECK(stmt([](Sample& s) {
          ir::For* other = s.loop(s.local(s.f, "i", types::int64()), s.load(s.x));
          s.add(other);
          return s.build.stmt<ir::Break>(other);
        }) == "a jump out of a loop that is not around it");
  CHECK(stmt([](Sample& s) {
          ir::For* outer = s.loop(s.local(s.f, "i", types::int64()), s.load(s.x));
          ir::For* inner = s.loop(s.local(s.f, "j", types::int64()), s.load(s.x),
                                  {s.build.stmt<ir::Continue>(outer)});
          outer->body->push_back(inner);
          return outer;
        }) == "a continue of an outer loop");
}

TEST_CASE("expressions") {
  const auto binary = [](Sample& s, const types::Type* type, ir::Expr* right) {
    return s.build.expr<ir::Binary>(type, BinaryOp::kAdd, s.load(s.x), right);
  };
  CHECK(expr([&](Sample& s) { return binary(s, types::int64(), s.build.floating(1)); }) ==
        "an operand of type float64 where int64 is due: 1.0");
  CHECK(expr([&](Sample& s) { return binary(s, types::float64(), s.build.floating(1)); }) ==
        "an operand of type int64 where float64 is due: x");
  CHECK(expr([](Sample& s) {
          return s.build.compare(types::CompareOp::kLt, s.load(s.x), s.build.floating(1));
        }) == "an operand of a comparison of type float64 where int64 is due: 1.0");
  CHECK(expr([](Sample& s) {
          return s.build.expr<ir::Logical>(types::boolean(), true, s.load(s.x),
                                           s.build.boolean(true));
        }) == "an operand of type int64 where bool is due: x");
  CHECK(expr([](Sample& s) {
          return s.build.expr<ir::Convert>(types::int64(), ir::ConvertOp::kExact, s.load(s.x));
        }) == "an idle conversion");
  CHECK(expr([](Sample& s) {
          return s.build.expr<ir::Element>(types::int64(), s.load(s.a),
                                           s.program.list(std::vector<ir::Index>{{s.load(s.x)}}));
        }) == "an element of another type than its array's");
  CHECK(expr([](Sample& s) { return s.build.extent(s.load(s.a), 1); }) ==
        "a query of an axis that is not there");
  CHECK(expr([](Sample& s) { return s.build.extent(s.load(s.x), 0); }) ==
        "a query of what has no extents");
  CHECK(expr([](Sample& s) {
          return s.build.expr<ir::Tuple>(types::tuple({types::int64()}), ir::List<ir::Expr*>{});
        }) == "a tuple of another length than its type");
  CHECK(expr([](Sample& s) { return s.build.expr<ir::Unwrap>(types::int64(), s.load(s.x)); }) ==
        "unwrapping what is not optional");
  CHECK(expr([](Sample& s) {
          return s.build.expr<ir::Builtin>(types::float64(),
                                           &builtins::row(builtins::Id::math_lgamma),
                                           s.program.list(std::vector{s.build.floating(1)}),
                                           ir::List<const types::Type*>{}, ir::Form::kLanes);
        }) == "a form that the function does not have");
}

TEST_CASE("calls") {
  const auto callee = [](Sample& s, bool with_param) {
    ir::Function* g = s.function("g", types::int64());
    if (with_param) s.param(g, "z", types::float64());
    g->body = {s.give(s.build.integer(1))};
    return g;
  };
  CHECK(expr([&](Sample& s) { return s.call(callee(s, true), {}); }) ==
        "a wrong number of arguments");
  CHECK(expr([&](Sample& s) { return s.call(callee(s, true), {s.load(s.x)}); }) ==
        "an argument of type int64 where float64 is due: x");
  CHECK(expr([&](Sample& s) { return s.call(callee(s, false), {}, {s.y}); }) ==
        "a wrong number of shared variables");
  CHECK(expr([&](Sample& s) {
          ir::Function* g = callee(s, false);
          s.program.functions.pop_back();
          return s.call(g, {});
        }) == "a call of a function that is not in the program");
  CHECK(expr([&](Sample& s) {
          ir::Expr* e = s.call(callee(s, false), {});
          e->type = types::float64();
          return e;
        }) == "a call of another type than its function's result");
  CHECK(expr([&](Sample& s) {
          ir::Function* g = callee(s, true);
          g->params[0].constant = true;
          ir::Local* z = s.local(s.f, "z", types::float64());
          s.add(s.build.assign(z, s.build.floating(1)));
          return s.call(g, {s.load(z)});
        }) == "an argument that is no constant");
}

TEST_CASE("declarations") {
  const auto declared = [](ir::Declares how, auto&& then) {
    return problem([&](Sample& s) {
      s.f->is_declared = true;
      auto* first = static_cast<ir::Assign*>(s.f->body.front());
      first->declares = how;
      s.add(then(s));
    });
  };
  const auto assign = [](Sample& s) { return s.build.assign(s.y, s.load(s.x)); };
  const auto update = [](Sample& s) {
    return s.build.stmt<ir::Update>(ir::Place{s.y}, BinaryOp::kAdd, s.load(s.x));
  };
  CHECK(declared(ir::Declares::kVariable, assign) == "");
  CHECK(declared(ir::Declares::kVariable, update) == "");
  CHECK(declared(ir::Declares::kConstant, assign) == "`y` is a constant and assigned");
  CHECK(declared(ir::Declares::kConstant, update) == "`y` is a constant and assigned");
  CHECK(declared(ir::Declares::kVariable, [](Sample& s) {
          return s.build.stmt<ir::Declare>(s.program.list(std::vector<ir::Local*>{s.y}));
        }) == "`y` is declared twice");
}

TEST_CASE("views and unpacked tuples") {
  const auto view = [](std::vector<ir::Subscript::Kind> kinds, int rank) {
    return expr([&](Sample& s) {
      std::vector<ir::Subscript> list;
      for (const auto kind : kinds) list.push_back({kind, {s.load(s.x), false}});
      return s.build.expr<ir::View>(types::array(types::float64(), rank, types::Layout::kA),
                                    s.load(s.a), s.program.list(list));
    });
  };
  using Kind = ir::Subscript::Kind;
  CHECK(view({Kind::kSlice}, 1) == "");
  CHECK(view({Kind::kNewAxis, Kind::kSlice}, 2) == "");
  CHECK(view({Kind::kIndex}, 1) == "a view of another rank");
  CHECK(view({Kind::kSlice, Kind::kIndex}, 0) == "a view of another rank");
  const auto unpack = [](const types::Type* second, size_t count) {
    return stmt([&](Sample& s) {
      std::vector<ir::Local*> locals{s.local(s.f, "p", types::int64()), s.local(s.f, "q", second),
                                     s.local(s.f, "r", second)};
      locals.resize(count);
      ir::Expr* tuple = s.build.expr<ir::Tuple>(
          types::tuple({types::int64(), types::float64()}),
          s.program.list(std::vector<ir::Expr*>{s.load(s.x), s.build.floating(1)}));
      return s.build.stmt<ir::Unpack>(s.program.list(locals), tuple);
    });
  };
  CHECK(unpack(types::float64(), 2) == "");
  CHECK(unpack(types::float64(), 3) == "unpacking into another number of variables");
  CHECK(unpack(types::int64(), 2) == "unpacking into another type");
}

TEST_CASE("effects stand alone and are known") {
  const auto raising = [](Sample& s) {
    ir::Function* g = s.function("g", types::int64());
    g->is_analysed = g->may_raise = true;
    return g;
  };
  CHECK(stmt([&](Sample& s) {
          ir::Expr* twice = s.build.plain(BinaryOp::kAdd, s.call(raising(s), {}), s.load(s.x));
          return s.build.assign(s.y, twice);
        }) == "an effect inside an expression");
  CHECK(problem([&](Sample& s) {
          s.f->is_analysed = true;
          s.add(s.build.if_(s.build.boolean(true), s.build.block({s.raise("ValueError")})));
        }) == "a raise in a function that cannot raise");
  CHECK(problem([&](Sample& s) {
          s.f->is_analysed = true;
          s.add(s.store(s.a, s.load(s.x), s.build.floating(1)));
        }) == "`a` is written and does not know it");
  CHECK(problem([&](Sample& s) {
          s.f->is_analysed = true;
          s.add(s.eval(s.element(s.a, s.load(s.x))));
        }) == "`a` is read and does not know it");
  CHECK(problem([&](Sample& s) {
          s.f->is_analysed = true;
          s.f->result = vector();
          s.add(s.give(s.load(s.a)));
          s.y = s.a;
        }) == "`a` is returned and does not know it");
}

TEST_CASE("entries name functions of the program") {
  Sample s;
  s.add(s.give(s.load(s.y)));
  s.entry(s.f);
  Diagnostics diags;
  CHECK(ir::verify(s.program, "test", diags));
  s.program.entries[0].overloads[0].variants[0].guards = {{ir::Guard::Kind::kContiguous, 1}};
  CHECK_FALSE(ir::verify(s.program, "test", diags));
  CHECK(diags.all().back().message ==
        "internal error: an entry without a variant for all arguments (of `f`)");
}
