// Bodies of parallel loops that may raise become functions: an exception leaves by their status.
//
//   for i in prange(n): …raise…   ->   parallel for i … : f_each_i(i, …), keeps the first error
//
// In:   parallel loops that keep an error.  Out: their bodies are one call each; reductions and
// last values are passed by reference. Tested by tests/golden/openmp and tests/run.
#include "emit/lower/lower.h"
#include "emit/lower/parts.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Local;

namespace {

class Outline {
 public:
  Outline(ir::Program& program, ir::Function& f) : program_(program), f_(f) {}

  std::vector<ir::Function*> run() {
    block(f_.body);
    return std::move(made_);
  }

 private:
  void block(ir::Block& b) {
    for (ir::Stmt* s : b) {
      auto* loop = ir::try_as<ir::For>(s);
      if (loop && loop->loop == ir::LoopKind::kParallel && loop->keeps_error)
        body_of(*loop);
      else
        ir::for_each_block(s, [&](ir::Block& inner) { block(inner); });
    }
  }

  void body_of(ir::For& s) {
    std::vector<Local*> shared;
    for (const ir::Reduction& r : s.reductions) shared.push_back(r.local);
    shared.insert(shared.end(), s.last_private.begin(), s.last_private.end());
    const std::string stem =
        s.index->is_temp ? "portion" : "each_" + std::string(s.index->name.str());
    const PartName name{stem, s.index->is_temp ? "a portion" : "one iteration", s.span, &s};
    const Part part = make_part(program_, f_, name, *s.body, {s.index}, shared);
    const ir::Builder build{program_, s.span};
    std::vector<ir::Expr*> args;
    for (Local* local : part.args) args.push_back(build.load(local));
    ir::Expr* call = build.expr<ir::Call>(types::void_(), part.function, program_.list(args),
                                          program_.list(part.shared));
    s.body = build.block({build.stmt<ir::Eval>(call)});
    made_.push_back(part.function);
  }

  ir::Program& program_;
  ir::Function& f_;
  std::vector<ir::Function*> made_{};
};

}  // namespace

void outline(ir::Program& program) {
  std::vector<ir::Function*> all;
  for (ir::Function* f : program.functions) {
    const std::vector<ir::Function*> made = Outline(program, *f).run();
    all.insert(all.end(), made.begin(), made.end());
    all.push_back(f);
  }
  program.functions = std::move(all);
}

}  // namespace pyk2cu::emit
