// Iterations that end early: see turns.h.
#include "emit/lower/lanes/turns.h"

#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Stmt;

Block* end_turns(const ir::Builder& build, const ir::For& loop, Block* body) {
  bool turns = false;
  ir::for_each_stmt(*body, [&](const Stmt* s) {
    const auto* jump = ir::try_as<ir::Continue>(s);
    turns = turns || (jump && jump->loop == &loop);
  });
  if (!turns) return body;
  auto* once = build.stmt<ir::While>(build.boolean(true), body);
  ir::replace_stmts(*body, [&](Stmt* s, Block& out) {
    const auto* jump = ir::try_as<ir::Continue>(s);
    if (!jump || jump->loop != &loop) return false;
    out.push_back(ir::Builder{build.program, s->span}.stmt<ir::Break>(once));
    return true;
  });
  if (!ir::ends(*body)) body->push_back(build.stmt<ir::Break>(once));
  return build.block({once});
}

}  // namespace pyk2cu::emit
