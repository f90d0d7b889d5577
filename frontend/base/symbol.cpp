// The process-wide table behind Symbol: one string_view per distinct name, never freed.
//
// In: text.  Out: the address that stands for it.  Tested by tests/unit/frontend/base_test.cpp.
#include "frontend/base/symbol.h"

#include <mutex>
#include <unordered_set>

#include "frontend/base/arena.h"

namespace pyk2cu {

Symbol::Symbol(std::string_view text) {
  static std::mutex lock;
  static Arena arena;
  static std::unordered_set<std::string_view> table;
  const std::lock_guard guard(lock);
  auto found = table.find(text);
  if (found == table.end()) found = table.insert(arena.copy(text)).first;
  text_ = &*found;
}

}  // namespace pyk2cu
