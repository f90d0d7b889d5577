// Pieces of a function that become functions of their own: see parts.h.
//
// Parameters stand in the order in which the body first mentions them.
// Tested by tests/golden/lanes and tests/golden/openmp.
#include "emit/lower/parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "emit/lower/flow.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Local;

namespace {

bool holds(const std::vector<Local*>& list, const Local* local) {
  return std::find(list.begin(), list.end(), local) != list.end();
}

// A turn of the loop that ends early ends the part.
void end_turns(ir::Program& program, ir::Block& body, const ir::Stmt& loop) {
  ir::replace_stmts(body, [&](ir::Stmt* s, ir::Block& out) {
    const auto* jump = ir::try_as<ir::Continue>(s);
    if (!jump || jump->loop != &loop) return false;
    out.push_back(ir::Builder{program, s->span}.stmt<ir::Return>(nullptr));
    return true;
  });
}

}  // namespace

Part make_part(ir::Program& program, const ir::Function& f, const PartName& name,
               const ir::Block& body, const std::vector<Local*>& first,
               const std::vector<Local*>& shared) {
  Part part;
  part.args = first;
  part.shared = shared;
  const Flow flow = flow_of(body);
  for (const ir::Stmt* s : body)
    ir::for_each_local_in(s, [&](Local* local, ir::Access) {
      if (flow.exposes(local) && !holds(part.args, local) && !holds(shared, local))
        part.args.push_back(local);
    });
  auto* made = program.make<ir::Function>();
  made->name = f.name;
  made->part = program.keep(name.what);
  made->span = f.span;
  made->body_span = name.of;
  made->file = f.file;
  made->kind = f.kind;
  made->options = f.options;
  made->own_math = f.own_math;
  made->launches = f.launches;
  made->symbol = unique_symbol(program, fmt::format("{}_{}", f.symbol, name.stem));
  made->result = types::void_();
  ir::Cloner cloner(program);
  for (const Local* local : part.args) {
    Local* param = cloner.renew(local, *made);
    param->is_param = true;
    param->maybe_unbound = false;
    made->params.push_back({param});
  }
  for (const Local* local : shared) {
    made->shared.push_back(cloner.renew(local, *made));
    made->shared.back()->is_param = true;
  }
  for (const ir::Stmt* s : body)
    ir::for_each_local_in(s, [&](Local* local, ir::Access) {
      if (cloner.mapped(local) == local) cloner.renew(local, *made);
    });
  made->body = *cloner.block(body);
  if (name.loop) end_turns(program, made->body, *name.loop);
  ir::analyse(*made);
  part.function = made;
  return part;
}

}  // namespace pyk2cu::emit
