// What the items of lists are, as far as the walks over a function have seen: [] does not say it.
//
//   a = []; a.append(1); a.append(0.5)        the lists that `a` is given hold float64
//
// In:   where a list comes from or is added to, and the types of what is put in.  Out: the type of
// all of them. Lives as long as a function is in work. Tested by tests/run/test_lists.py.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_set>
#include <utility>

#include "typeinfer/types/promote.h"

namespace pyk2cu::infer {

using types::Type;

// The variable that a list is given to (its name's key), or the expression that makes it; `depth`
// is 1 for the lists in that list. No key: nobody gives it a name.
struct ListSite {
  const void* key = nullptr;
  int depth = 0;

  explicit operator bool() const { return key != nullptr; }
  ListSite inside() const { return key ? ListSite{key, depth + 1} : ListSite{}; }
};

class ListTypes {
 public:
  // Null: nothing was put in so far.
  const Type* items(ListSite site) const {
    const auto found = items_.find({site.key, site.depth});
    return site && found != items_.end() ? found->second : nullptr;
  }
  // Did that change what is known?
  bool grow(ListSite site, const Type* type, types::Dialect dialect) {
    if (!site) return false;
    const Type*& known = items_[{site.key, site.depth}];
    const Type* both = known ? types::unify(known, type, dialect) : type;
    if (!both || both == known) return false;
    known = both;
    return true;
  }

  // Loops whose body changes how long the list is that they run over, by NodeId.
  bool changes_length(uint32_t loop) const { return changing_.contains(loop); }
  bool note_change(uint32_t loop) { return changing_.insert(loop).second; }

 private:
  std::map<std::pair<const void*, int>, const Type*> items_{};
  std::unordered_set<uint32_t> changing_{};
};

}  // namespace pyk2cu::infer
