// How functions that may raise end: every statement becomes what C++ says in one go.
//
//   return f(x) with a status of another type, return np.zeros(n)   ->   t = …; return t
//   f(x) whose result nobody wants                                   ->   unused = f(x)
//   the end of a function that may raise                             ->   return
//
// In:   functions whose effects are known.  Out: a raising call is the whole value of an Assign, of
// a Return of the same type, or an Eval without a result; a function with a status ends by a Return
// or by a loop whose error is the result. Tested by tests/golden/passes.
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::ExprKind;
using ir::Local;

namespace {

bool raises(const Expr* e) {
  const auto* call = ir::try_as<ir::Call>(e);
  return call && ir::may_raise(*call);
}

class Statuses {
 public:
  Statuses(ir::Program& program, ir::Function& f) : program_(program), f_(f) {
    block(f.body);
    const bool has_status = f.may_raise && f.kind != ir::FunctionKind::kKernel;
    if (has_status && !ir::ends(f.body)) end();
  }

 private:
  Local* temp(std::string_view name, const types::Type* type, Span span) {
    Local* local = ir::Builder{program_, span}.temp(name, type);
    local->owned = types::holds_array(type);  // what a call returns; `owners` ran before
    f_.locals.push_back(local);
    return local;
  }

  void block(ir::Block& b) {
    ir::Block all;
    for (ir::Stmt* s : b) {
      ir::for_each_block(s, [&](ir::Block& inner) { block(inner); });
      const ir::Builder build{program_, s->span};
      auto* r = ir::try_as<ir::Return>(s);
      auto* v = ir::try_as<ir::Eval>(s);
      const bool named = r && r->value && f_.may_raise &&
                         (ir::may_lack_memory(r->value) ||
                          (raises(r->value) && is_other(*ir::as<ir::Call>(r->value))));
      const bool unused = v && raises(v->value) && v->value->type != types::void_();
      if (named) {
        Local* value = temp("value", r->value->type, s->span);
        all.push_back(build.assign(value, r->value));
        r->value = build.load(value);
      }
      all.push_back(unused ? build.assign(temp("unused", v->value->type, s->span), v->value) : s);
    }
    b = std::move(all);
  }

  // The caller cannot hand on the call's status and result as they are.
  bool is_other(const ir::Call& call) const {
    return call.callee->result != f_.result || f_.kind == ir::FunctionKind::kKernel;
  }

  void end() {
    auto* loop = f_.body.empty() ? nullptr : ir::try_as<ir::For>(f_.body.back());
    if (loop && loop->keeps_error)
      loop->is_last = true;
    else
      f_.body.push_back(ir::Builder{program_, f_.body_span}.stmt<ir::Return>());
  }

  ir::Program& program_;
  ir::Function& f_;
};

}  // namespace

void statuses(ir::Program& program) {
  for (ir::Function* f : program.functions) Statuses(program, *f);
}

}  // namespace pyk2cu::emit
