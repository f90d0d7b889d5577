// Environments beside plain vectors: what was handed out never changes.
#include "typeinfer/scope/environments.h"

#include <doctest/doctest.h>

#include <random>
#include <tuple>

using pyk2cu::scope::Env;
using pyk2cu::scope::Environments;
using pyk2cu::scope::VersionId;

TEST_CASE("environments keep what they hold and differ where vectors do") {
  for (const uint32_t names : {1u, 15u, 16u, 17u, 300u, 5000u}) {
    std::mt19937 random(names);
    Environments environments;
    std::vector<VersionId> plain;
    Env env = 0;
    for (uint32_t k = 0; k < names; ++k) {
      plain.push_back(uint32_t(random()));
      env = environments.append(env, plain.back());
    }
    std::vector<std::pair<Env, std::vector<VersionId>>> all{{env, plain}};
    for (int step = 0; step < 60; ++step) {
      auto [from, values] = all[random() % all.size()];
      for (int change = 0; change < 3; ++change) {
        const uint32_t name = uint32_t(random() % names);
        values[name] = uint32_t(random() % 4);
        from = environments.set(from, name, values[name]);
      }
      all.emplace_back(from, values);
    }
    for (const auto& [a, x] : all) {
      for (uint32_t k = 0; k < names; ++k) REQUIRE(environments.get(a, k) == x[k]);
      const auto& [b, y] = all[random() % all.size()];
      std::vector<std::tuple<uint32_t, VersionId, VersionId>> found, expected;
      environments.for_each_difference(
          a, b, [&](uint32_t name, VersionId p, VersionId q) { found.emplace_back(name, p, q); });
      for (uint32_t k = 0; k < names; ++k)
        if (x[k] != y[k]) expected.emplace_back(k, x[k], y[k]);
      CHECK(found == expected);
    }
  }
}

TEST_CASE("environments without names do not differ") {
  Environments environments;
  environments.for_each_difference(0, 0, [](uint32_t, VersionId, VersionId) { CHECK(false); });
}
