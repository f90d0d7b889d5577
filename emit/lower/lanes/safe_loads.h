// Loads that hurt nobody: which elements lanes may read whatever conditions stand around them.
//
//   for i in range(len(a)):        a[i] is an element, whether the lane takes it or not
//     if m[i]: total += a[i]
//
// Of arrays with an element for each lane the elements of all of them are there, where all lanes
// come by and one of them needs its own.
//
// In:   the body of one iteration, what varies in it, what bounds its index and those of loops
// around.  Out: Element::is_safe. Used by region.cpp. Tested by tests/golden/gangs and
// tests/run/test_borders.py.
#pragma once

#include <vector>

#include "emit/lower/lanes/gang.h"
#include "emit/lower/lanes/linear.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

// What holds of a loop's index besides its ends: from <= it < below, the first of each as the
// source has it; small ones are at most kFar.
struct Limits {
  std::vector<ir::Expr*> from{}, below{}, small{};
};

// What is known where a loop stands.
struct Outside {
  const Extents* extents = nullptr;  // of the function
  ir::LocalSet read_behind{};        // variables, when it is over
  std::vector<ir::For*> around{};    // loops whose ends do not change meanwhile, outermost first
  Limits limits{};
  bool one_core = false;  // runs the function: see chosen.h
  bool often = false;     // it stands in another loop, or in a function that others call
};

// The condition `u and v` of an If becomes two where u is the same for all lanes, and so does
// `u or v` of one with a short body, where v loads what is there without u only. Has a body been
// copied for that? `shape` is another one's then.
bool mark_safe_loads(ir::Program& program, ir::Block& body, const Gang& gang, const ir::For& loop,
                     const Outside& outside, const Shape& shape);

// What only some lanes read, of few arrays, is there for all of them where the arrays are as long
// as the loop: the condition; null: there is nothing to ask. Of loops that are asked something
// anyway.
ir::Expr* ask_safe_loads(ir::Program& program, ir::Block& body, const Gang& gang,
                         const ir::For& loop, const Shape& shape);

}  // namespace pyk2cu::emit
