// `# pythran export f(float64[:], int)`
#include "typeinfer/decorators/collector.h"

namespace pyk2cu::decorators {

void Collector::give_pythran(Unit&) {}

}  // namespace pyk2cu::decorators
