// What people are told of a loop, and where in the source.
//
// In:   loops, variables.  Out: words and places for `pyk2cu explain`. Tested by
// tests/run/test_explain.py and tests/run/test_loop_report.py.
#pragma once

#include <string>

#include "emit/lower/iterations.h"
#include "emit/lower/notes.h"

namespace pyk2cu::emit {

extern const char* const kStraight;

std::string named(const ir::Local* local);
double rounded(double cycles);                               // to two digits: an estimate
Span place_of(const ir::Local* local, const ir::For& loop);  // where the source assigns it
Span exit_of(const ir::For& loop);                           // where it is left before its end
// Straight code: which array do iterations share?
Verdict meeting(const ir::Block& body, const Iterations& iterations, Span loop);

}  // namespace pyk2cu::emit
