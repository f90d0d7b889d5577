#include "emit/lower/lower.h"
namespace pyk2cu::emit { void parallel(ir::Program&, ir::Function&, Facts&, Diagnostics&) {} }
