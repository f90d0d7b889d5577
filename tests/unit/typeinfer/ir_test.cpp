// What nodes.def generates does right by every kind of node: walkers, copies, equality, dump.
//
// Each kind gets a sample whose fields are filled by the form that nodes.def gives them, so that a
// new kind is tested without a line here. Tests typeinfer/ir/{fields,walk,clone,equal,builder}.h.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "tests/unit/ir_maker.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/dump.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

using namespace pyk2cu;

namespace {

// Fills the fields of one node and counts what it put there.
struct Filler {
  IrMaker& make;
  ir::Function* f;
  int operand_count = 0, local_count = 0, block_count = 0;

  ir::Expr* new_expr() {
    ++operand_count;
    return make.build.integer(100 + operand_count);
  }
  ir::Local* new_local() {
    ++local_count;
    return make.local(f, ("v" + std::to_string(local_count)).c_str(), types::int64());
  }
  ir::Stmt* new_stmt() {
    return make.build.stmt<ir::Print>(
        make.program.list(std::vector<ir::Expr*>{make.build.text("inside")}));
  }

  void operand(ir::Expr*& e, const char*) { e = new_expr(); }
  void maybe(ir::Expr*& e, const char*) { e = new_expr(); }
  void operands(ir::List<ir::Expr*>& list, const char*) {
    list = make.program.list(std::vector{new_expr(), new_expr()});
  }
  void types(ir::List<const types::Type*>& list, const char*) {
    list = make.program.list(std::vector{types::int64()});
  }
  void index(ir::Index& i, const char*) { i.value = new_expr(); }
  void indices(ir::List<ir::Index>& list, const char*) {
    list = make.program.list(std::vector<ir::Index>{{new_expr()}, {new_expr()}});
  }
  void subscripts(ir::List<ir::Subscript>& list, const char*) {
    ir::Subscript at, slice;
    at.index.value = new_expr();
    slice.kind = ir::Subscript::Kind::kSlice;
    slice.lo = new_expr(), slice.hi = new_expr(), slice.step = new_expr();
    list = make.program.list(std::vector{at, slice});
  }
  void place(ir::Place& p, const char*) {
    p.array = make.load(make.local(f, "a", vector()));
    ++operand_count;
    p.indices = make.program.list(std::vector<ir::Index>{{new_expr()}});
  }
  void uses(ir::Local*& l, const char*) { l = new_local(); }
  void sets(ir::Local*& l, const char*) { l = new_local(); }
  void locals(ir::List<ir::Local*>& list) {
    list = make.program.list(std::vector{new_local(), new_local()});
  }
  void reads(ir::List<ir::Local*>& list, const char*) { locals(list); }
  void shares(ir::List<ir::Local*>& list, const char*) { locals(list); }
  void declares(ir::List<ir::Local*>& list, const char*) { locals(list); }
  void reductions(ir::List<ir::Reduction>& list, const char*) {
    list = make.program.list(std::vector<ir::Reduction>{{ir::ReduceOp::kAdd, new_local()}});
  }
  void block(ir::Block*& b, const char*) {
    ++block_count;
    b = make.build.block({new_stmt()});
  }
  void jump(ir::Stmt*& loop, const char*) {
    loop = make.build.stmt<ir::While>(make.build.boolean(true), make.build.block());
  }
  void data(const builtins::Row*& row, const char*) {
    row = &builtins::row(builtins::Id::math_sin);
  }
  void data(ir::Function*& callee, const char*) { callee = f; }
  void data(const ir::GlobalArray*& array, const char*) {
    auto* made = make.program.make<ir::GlobalArray>();
    made->name = Symbol("table");
    made->type = vector(types::Layout::kC);
    array = made;
  }
  void data(auto&, const char*) {}
};

struct Sample {
  IrMaker make{};
  ir::Function* f = make.function("f");
  Filler filler{make, f};
  ir::Expr* expr = nullptr;  // one of both
  ir::Stmt* stmt = nullptr;

  // The statement, or one that evaluates the expression.
  ir::Stmt* as_stmt() { return stmt ? stmt : make.eval(expr); }
};

// Calls check(name, sample) for every kind in nodes.def.
template <class F>
void for_each_kind(F&& check) {
#define PYK_EXPR(kind, text, fields)                         \
  {                                                          \
    Sample sample;                                           \
    auto* node = sample.make.build.expr<ir::kind>(vector()); \
    ir::visit_fields(*node, sample.filler);                  \
    sample.expr = node;                                      \
    check(#kind, sample);                                    \
  }
#define PYK_STMT(kind, text, fields)                 \
  {                                                  \
    Sample sample;                                   \
    auto* node = sample.make.build.stmt<ir::kind>(); \
    ir::visit_fields(*node, sample.filler);          \
    sample.stmt = node;                              \
    check(#kind, sample);                            \
  }
#include "typeinfer/ir/nodes.def"
}

std::string dump(const Sample& sample, ir::Stmt* s) {
  ir::Function f = *sample.f;
  f.body = {s};
  return ir::dump(f);
}

std::vector<ir::Expr*> operands_of(ir::Stmt* s) {
  std::vector<ir::Expr*> all;
  ir::for_each_expr(s, [&](ir::Expr* e) { all.push_back(e); });
  return all;
}
std::vector<ir::Expr*> operands_of(const Sample& sample) {
  if (sample.stmt) return operands_of(sample.stmt);
  std::vector<ir::Expr*> all;
  ir::for_each_operand(sample.expr, [&](ir::Expr* e) { all.push_back(e); });
  return all;
}

bool same(const ir::Stmt* a, const ir::Stmt* b) {
  ir::Identity identity;
  return ir::equal(a, b, identity);
}

}  // namespace

TEST_CASE("walkers visit every operand, local and block once") {
  for_each_kind([](const char* kind, Sample& sample) {
    CAPTURE(kind);
    const auto operands = operands_of(sample);
    CHECK(operands.size() == size_t(sample.filler.operand_count));
    CHECK(std::set(operands.begin(), operands.end()).size() == operands.size());
    int locals = 0, blocks = 0;
    const auto count = [&](const ir::Local*, ir::Access) { ++locals; };
    if (sample.stmt) {
      ir::for_each_local(sample.stmt, count);
      ir::for_each_block(sample.stmt, [&](ir::Block& b) { blocks += int(b.size()); });
    } else {
      ir::for_each_local(sample.expr, count);
    }
    CHECK(locals == sample.filler.local_count);
    CHECK(blocks == sample.filler.block_count);
  });
}

TEST_CASE("a copy says the same and shares nothing") {
  for_each_kind([](const char* kind, Sample& sample) {
    CAPTURE(kind);
    ir::Stmt* original = sample.as_stmt();
    ir::Cloner cloner(sample.make.program);
    ir::Stmt* copy = cloner.stmt(original);
    CHECK(same(original, copy));
    CHECK(dump(sample, original) == dump(sample, copy));
    std::set<const ir::Expr*> of_original;
    ir::for_each_expr(original, [&](ir::Expr* e) {
      ir::for_each_subexpr(e, [&](ir::Expr* part) { of_original.insert(part); });
    });
    ir::for_each_expr(copy, [&](ir::Expr* e) {
      ir::for_each_subexpr(e, [&](ir::Expr* part) { CHECK_FALSE(of_original.contains(part)); });
    });
    ir::for_each_block(copy, [&](ir::Block& b) { b.clear(); });
    ir::for_each_block(original, [&](ir::Block& b) { CHECK(b.size() == 1); });
  });
}

TEST_CASE("constants are equal where their bits are") {
  IrMaker make;
  const auto same = [&](double a, double b) {
    return ir::equal(make.build.floating(a), make.build.floating(b));
  };
  CHECK(same(0.0, 0.0));
  CHECK_FALSE(same(0.0, -0.0));
  CHECK(same(std::nan(""), std::nan("")));
  CHECK_FALSE(same(1.0, 2.0));
}

TEST_CASE("nodes that differ in one operand, local or block are not equal") {
  for_each_kind([](const char* kind, Sample& sample) {
    CAPTURE(kind);
    for (int k = 0; k < sample.filler.operand_count; ++k) {
      ir::Cloner cloner(sample.make.program);
      ir::Stmt* copy = cloner.stmt(sample.as_stmt());
      int at = 0;
      const auto replace = [&](ir::Expr*& e) {
        if (at++ == k) e = sample.make.build.integer(7);
      };
      if (sample.stmt)
        ir::for_each_expr(copy, replace);
      else
        ir::for_each_operand(ir::as<ir::Eval>(copy)->value, replace);
      CHECK_FALSE(same(sample.as_stmt(), copy));
      CHECK(dump(sample, sample.as_stmt()) != dump(sample, copy));
    }
    for (int k = 0; k < sample.filler.local_count; ++k) {
      ir::Cloner cloner(sample.make.program);
      int at = 0;
      const auto renew = [&](ir::Local* local, ir::Access) {
        if (at++ == k) cloner.renew(local, *sample.f);
      };
      ir::for_each_local_of(sample.as_stmt(), renew);
      CHECK_FALSE(same(sample.as_stmt(), cloner.stmt(sample.as_stmt())));
    }
    for (int k = 0; k < sample.filler.block_count; ++k) {
      ir::Cloner cloner(sample.make.program);
      ir::Stmt* copy = cloner.stmt(sample.as_stmt());
      int at = 0;
      ir::for_each_block(copy, [&](ir::Block& b) {
        if (at++ == k) b.push_back(sample.make.eval(sample.make.build.integer(7)));
      });
      CHECK_FALSE(same(sample.as_stmt(), copy));
      CHECK(dump(sample, sample.as_stmt()) != dump(sample, copy));
    }
  });
}

TEST_CASE("a dump shows every operand, local and block") {
  for_each_kind([](const char* kind, Sample& sample) {
    CAPTURE(kind);
    const std::string text = dump(sample, sample.as_stmt());
    const std::string body = text.substr(text.find('\n'));
    for (int k = 1; k <= sample.filler.operand_count; ++k)
      if (sample.filler.operand_count > 0 && std::string(kind) != "Store" &&
          std::string(kind) != "Update")
        CHECK(body.find(std::to_string(100 + k)) != body.npos);
    if (sample.filler.block_count > 0) CHECK(body.find("inside") != body.npos);
  });
}

TEST_CASE("a jump out of a copied loop leaves the copy") {
  IrMaker make;
  ir::Function* f = make.function("f");
  ir::For* loop = make.loop(make.local(f, "i", types::int64()), make.build.integer(3));
  loop->body->push_back(make.build.stmt<ir::Break>(loop));
  ir::Cloner cloner(make.program);
  auto* copy = ir::as<ir::For>(cloner.stmt(loop));
  CHECK(ir::as<ir::Break>(copy->body->front())->loop == copy);
  CHECK(ir::as<ir::Break>(loop->body->front())->loop == loop);
}

TEST_CASE("a copied program calls its own functions") {
  IrMaker make;
  ir::Function* g = make.function("g");
  ir::Function* f = make.function("f");
  f->body = {make.eval(make.call(g, {})), make.eval(make.call(f, {}))};
  make.entry(f);
  const ir::Program copy = ir::clone(make.program, [](const ir::Entry&) { return true; });
  REQUIRE(copy.functions.size() == 2);
  std::vector<const ir::Function*> called;
  ir::for_each_expr_in(copy.functions[1]->body, [&](const ir::Expr* e) {
    if (const auto* call = ir::try_as<ir::Call>(e)) called.push_back(call->callee);
  });
  CHECK(called == std::vector<const ir::Function*>{copy.functions[0], copy.functions[1]});
  CHECK(copy.entries[0].overloads[0].general() == copy.functions[1]);
  CHECK(copy.functions[0] != g);
}

TEST_CASE("building folds conditions") {
  IrMaker make;
  ir::Function* f = make.function("f");
  ir::Expr* c = make.load(make.param(f, "c", types::boolean()));
  CHECK(ir::equal(make.build.negated(make.build.negated(c)), c));
  CHECK(ir::equal(make.build.logical(true, make.build.boolean(true), c), c));
  CHECK(ir::equal(make.build.logical(false, make.build.boolean(false), c), c));
}
