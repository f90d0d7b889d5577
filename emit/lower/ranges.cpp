#include "emit/lower/lower.h"
namespace pyk2cu::emit { void ranges(ir::Program&, ir::Function&, Facts&) {} }
