// What people are told of a loop: see words.h.
//
// Tested by tests/run/test_explain.py and tests/run/test_loop_report.py.
#include "emit/lower/lanes/words.h"

#include <fmt/format.h>

#include <cmath>

#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

std::string named(const Local* local) { return "`" + std::string(local->name.str()) + "`"; }

double rounded(double cycles) {
  double unit = 1;
  while (cycles / unit >= 100) unit *= 10;
  return std::round(cycles / unit) * unit;
}

Span place_of(const Local* local, const ir::For& loop) {
  Span at = loop.span;
  bool found = false;
  ir::for_each_stmt(*loop.body, [&](const Stmt* s) {
    ir::for_each_local(s, [&](const Local* one, ir::Access access) {
      if (found || access == ir::Access::kRead || one->name != local->name) return;
      at = s->span;
      found = true;
    });
  });
  return at;
}

Span exit_of(const ir::For& loop) {
  Span at = loop.span;
  ir::for_each_stmt(*loop.body, [&](const Stmt* s) {
    const auto* jump = ir::try_as<ir::Break>(s);
    if ((jump && jump->loop == &loop) || s->kind == StmtKind::kReturn) at = s->span;
  });
  return at;
}

const char* const kStraight =
    "straight code, which C++ compilers vectorise where elements lie side by side";

// The first that one stores to elsewhere than at its own elements.
Verdict meeting(const Block& body, const Iterations& iterations, Span loop) {
  const ir::Place* met = nullptr;
  Span at = loop;
  bool elsewhere = false;
  ir::for_each_stmt(body, [&](const Stmt* s) {
    ir::for_each_place(s, [&](const ir::Place& place) {
      const bool is_own = place.local || iterations.has_own(place);
      if (place.local || elsewhere || (met && is_own)) return;
      met = &place;
      at = s->span;
      elsewhere = !is_own;
    });
  });
  const Local* array = met ? ir::loaded(met->array) : nullptr;
  return {.why = fmt::format("an iteration may touch elements of {} that another one writes",
                             array ? named(array) : "an array"),
          .at = at,
          .help = "where it does not, say so: `prange` with parallel=True"};
}

}  // namespace pyk2cu::emit
