// Programs built by hand, for the tests of what reads and changes them.
#pragma once

#include <string>

#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu {

inline const types::Type* vector(types::Layout layout = types::Layout::kA) {
  return types::array(types::float64(), 1, layout);
}

struct IrMaker {
  ir::Program program{};
  ir::Builder build{program, {}};

  ir::Function* function(const char* name, const types::Type* result = types::void_()) {
    ir::Function* f = program.make<ir::Function>();
    f->name = Symbol(name);
    f->symbol = name;
    f->result = result;
    f->is_root = true;
    program.functions.push_back(f);
    return f;
  }
  ir::Local* local(ir::Function* f, const char* name, const types::Type* type) {
    ir::Local made;
    made.name = Symbol(name);
    made.type = type;
    f->locals.push_back(program.make<ir::Local>(made));
    return f->locals.back();
  }
  ir::Local* param(ir::Function* f, const char* name, const types::Type* type) {
    ir::Local* made = local(f, name, type);
    made->is_param = true;
    f->params.push_back({.local = made});
    return made;
  }

  ir::Expr* load(ir::Local* l) { return build.load(l); }
  ir::Expr* element(ir::Local* array, ir::Expr* index) {
    return build.expr<ir::Element>(array->type->elem, load(array),
                                   program.list(std::vector<ir::Index>{{index, false}}));
  }
  ir::Place at(ir::Local* array, ir::Expr* index) {
    return {nullptr, load(array), program.list(std::vector<ir::Index>{{index, false}})};
  }
  ir::Expr* call(ir::Function* f, const std::vector<ir::Expr*>& args,
                 const std::vector<ir::Local*>& shared = {}) {
    return build.expr<ir::Call>(f->result, f, program.list(args), program.list(shared));
  }
  ir::Stmt* store(ir::Local* array, ir::Expr* index, ir::Expr* value) {
    return build.stmt<ir::Store>(at(array, index), value);
  }
  ir::Stmt* eval(ir::Expr* e) { return build.stmt<ir::Eval>(e); }
  ir::Stmt* give(ir::Expr* e) { return build.stmt<ir::Return>(e); }
  ir::Stmt* raise(const char* exception) {
    return build.stmt<ir::Raise>(Symbol(exception), ir::List<ir::Expr*>{});
  }
  ir::For* loop(ir::Local* index, ir::Expr* hi, std::initializer_list<ir::Stmt*> body = {},
                ir::LoopKind kind = ir::LoopKind::kSerial) {
    return build.stmt<ir::For>(index, build.integer(0), hi, build.integer(1), kind,
                               build.block(body));
  }
  ir::Entry& entry(ir::Function* f) {
    ir::Entry e;
    e.name = f->name;
    ir::Overload overload;
    overload.result = f->result;
    for (const ir::Param& p : f->params) {
      e.param_names.push_back(p.local->name);
      overload.params.push_back(p.local->type);
    }
    overload.variants.push_back({.function = f});
    e.overloads.push_back(overload);
    program.entries.push_back(e);
    return program.entries.back();
  }
};

}  // namespace pyk2cu
