// Sets of locals beside std::set, small and large, with erasures.
#include "typeinfer/ir/local_set.h"

#include <doctest/doctest.h>

#include <random>
#include <set>

#include "typeinfer/ir/ir.h"

using pyk2cu::ir::Local;
using pyk2cu::ir::LocalSet;

TEST_CASE("a set of locals holds what std::set holds, whatever its size") {
  std::vector<Local> locals(60);
  for (const int range : {5, 12, 13, 60}) {
    std::mt19937 random{uint32_t(range)};
    LocalSet set;
    std::set<const Local*> expected;
    for (int step = 0; step < 2000; ++step) {
      const Local* local = &locals[random() % uint32_t(range)];
      if (random() % 3 == 0) {
        set.erase(local);
        expected.erase(local);
      } else {
        CHECK(set.insert(local).second == expected.insert(local).second);
      }
      CHECK(set.size() == expected.size());
      CHECK(set.contains(local) == expected.contains(local));
      CHECK(std::set<const Local*>(set.begin(), set.end()) == expected);
    }
    for (const Local& local : locals) CHECK(set.contains(&local) == expected.contains(&local));
    set.clear();
    CHECK(set.empty());
    CHECK_FALSE(set.contains(&locals[0]));
  }
}

TEST_CASE("a set of locals is iterated in the order of insertion") {
  std::vector<Local> locals(40);
  LocalSet set, more;
  for (int k = 39; k >= 0; k -= 2) set.insert(&locals[size_t(k)]);
  for (const Local& local : locals) more.insert(&local);
  set.insert(more);
  std::vector<const Local*> expected;
  for (int k = 39; k >= 0; k -= 2) expected.push_back(&locals[size_t(k)]);
  for (int k = 0; k < 40; k += 2) expected.push_back(&locals[size_t(k)]);
  CHECK(std::vector<const Local*>(set.begin(), set.end()) == expected);
}
