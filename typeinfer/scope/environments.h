// Which version every local name has, at many points of a function at once.
//
// In:   indices of names, in declaration order.  Out: handles of environments that never change.
// A handle is copied for nothing, a change copies one path of a tree, and two environments are
// compared without looking into what they share: branches and loops cost what they bind, not what
// the function binds. Tested by tests/unit/typeinfer/environments_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace pyk2cu::scope {

using VersionId = uint32_t;

class Environments {
 public:
  using Env = uint32_t;  // the root of a tree

  // `env`, the latest environment, with one name more; earlier ones are no longer to be used.
  Env append(Env env, VersionId version) {
    if (size_ == 0) {
      env = add({});
    } else if (size_ == capacity()) {
      Node root{};
      root.fill(kNone);
      root[0] = env;
      env = add(root);
      ++depth_;
    }
    return set(env, size_++, version);
  }

  VersionId get(Env env, uint32_t name) const {
    for (int level = depth_; level > 0; --level) env = nodes_[env][slot(name, level)];
    return nodes_[env][slot(name, 0)];
  }
  Env set(Env env, uint32_t name, VersionId version) { return set(env, name, version, depth_); }

  // Calls visit(name, version in a, version in b) where they differ, in order of the names.
  template <class Visit>
  void for_each_difference(Env a, Env b, const Visit& visit) const {
    if (size_) compare(a, b, depth_, 0, visit);
  }

 private:
  static constexpr int kBits = 4;
  static constexpr uint32_t kNone = ~0u;
  using Node = std::array<uint32_t, 1 << kBits>;  // of inner nodes: nodes; of leaves: versions

  static uint32_t slot(uint32_t name, int level) {
    return name >> (level * kBits) & ((1u << kBits) - 1);
  }
  uint32_t capacity() const { return 1u << ((depth_ + 1) * kBits); }
  uint32_t add(const Node& node) {
    nodes_.push_back(node);
    return uint32_t(nodes_.size() - 1);
  }
  Env set(Env env, uint32_t name, VersionId version, int level) {
    Node copy{};
    if (env == kNone) {
      copy.fill(level == 0 ? 0 : kNone);
    } else {
      copy = nodes_[env];
    }
    uint32_t& changed = copy[slot(name, level)];
    changed = level == 0 ? version : set(changed, name, version, level - 1);
    return add(copy);
  }
  template <class Visit>
  void compare(Env a, Env b, int level, uint32_t first, const Visit& visit) const {
    if (a == b) return;
    for (uint32_t k = 0; k < (1u << kBits); ++k) {
      const uint32_t name = first | k << (level * kBits);
      const uint32_t x = nodes_[a][k], y = nodes_[b][k];
      if (level > 0) {
        compare(x, y, level - 1, name, visit);
      } else if (x != y && name < size_) {
        visit(name, x, y);
      }
    }
  }

  std::vector<Node> nodes_;
  uint32_t size_ = 0;
  int depth_ = 0;
};

using Env = Environments::Env;

}  // namespace pyk2cu::scope
