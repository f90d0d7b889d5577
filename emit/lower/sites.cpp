// The places where exceptions are raised.
//
// In:   Raises.  Out: Raise::site; variants of a function, and its forms for other targets, raise
// at the same sites. Before the program is copied for each target. Tested by
// tests/golden/functions.
#include <map>

#include "emit/lower/lower.h"
#include "typeinfer/ir/dump.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

void sites(ir::Program& program) {
  std::map<std::tuple<uint32_t, uint32_t, std::string>, const ir::Site*> known;
  for (ir::Function* f : program.functions)
    ir::for_each_stmt(f->body, [&](ir::Stmt* s) {
      auto* raise = ir::try_as<ir::Raise>(s);
      if (!raise) return;
      std::string what(raise->exception.str());
      for (const ir::Expr* arg : raise->args)
        what += ir::constant(arg) ? "," + ir::dump(*arg) : std::string(",?");
      const ir::Site*& site = known[{s->span.begin, s->span.end, what}];
      if (!site)
        site = program.make<ir::Site>(ir::Site{raise->exception, f->name, s->span, raise->args});
      raise->site = site;
    });
}

}  // namespace pyk2cu::emit
