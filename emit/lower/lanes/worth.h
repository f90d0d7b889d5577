// Does a gang gain anything over one iteration after the other?
//
// In:   the body of an iteration and what of it varies.  Out: yes or no. Tested by
// tests/golden/gangs.
#pragma once

#include "emit/lower/lanes/gang.h"

namespace pyk2cu::emit {

// `abandoned`: the loop that raising lanes leave; null: none raises.
bool pays(const ir::For& loop, const ir::Block& body, const Gang& gang, const Shape& shape,
          const ir::Stmt* abandoned);

}  // namespace pyk2cu::emit
