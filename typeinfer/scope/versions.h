// SSA versions of the local names of one function, computed from its text alone.
//
// In:   a def or lambda.  Out: for every place that assigns a name the version it makes, for every
// read the
//       version it sees, and for every join (after if, loop header, after a loop, after a
//       conditionally evaluated operand) the phi versions that somebody reads.
// An edge is a way into a join; inference says at which point of the IR it lies (Infer::edge):
//   after(if_node, 0 | 1)      end of the body, end of the orelse (also when empty)
//   loop: 0 before the loop, 1 end of the body, 2 normal end, 3 end of the orelse
//   after(break or continue statement, 0)
//   match: case k is edge k; falling through all of them is edge 255
//   operands of and/or (values[k], k >= 1), of a comparison chain (comparators[k], k >= 1): join at
//   that operand;
//       0 evaluated, 1 skipped.  IfExp: join at the IfExp; 0 body, 1 orelse
// Code after return, raise, break or continue is not seen.
// Tested by tests/unit/typeinfer/versions_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/base/symbol.h"

namespace pyk2cu::scope {

using VersionId = uint32_t;
inline constexpr VersionId kNoVersion = ~0u;

struct Version {
  enum class Kind : uint8_t { kUndefined, kParam, kAssign, kPhi } kind = Kind::kUndefined;
  Symbol name{};
  const ast::Node* at = nullptr;      // the binding node; for phis the joining node
  bool live = false;                  // kPhi: somebody reads it
  bool maybe_undefined = false;       // kUndefined, or a phi that an undefined version flows into
  bool header = false;                // kPhi of a loop header
  std::vector<VersionId> incoming{};  // kPhi
};

struct Flow {  // along an edge, `from` flows into `phi`
  VersionId phi = kNoVersion, from = kNoVersion;
};

inline uint64_t edge_key(const ast::Node& node, int slot) {
  return uint64_t(node.id) * 256 + uint64_t(slot);
}

struct Versions {
  std::vector<Version> all{};
  std::unordered_map<uint32_t, VersionId>
      reads{};  // by NodeId of a Name (load), AugAssign target too
  std::unordered_map<uint32_t, VersionId> stores{};         // by NodeId of the binding node
  std::unordered_map<uint64_t, std::vector<Flow>> edges{};  // live phis only
  std::unordered_map<uint32_t, std::vector<VersionId>>
      headers{};                                                 // by NodeId of the loop: live phis
  std::unordered_map<uint32_t, std::vector<VersionId>> joins{};  // by NodeId: live phis after it
  // Versions of captured names, by NodeId of the lambda, nested def, or Name that reads a function.
  std::unordered_map<uint64_t, VersionId> captures{};  // key: NodeId << 32 | index of the capture
  std::unordered_set<Symbol> locals{};                 // every name that the function binds
  std::unordered_set<Symbol> guarded{};                // names with a read that may be unbound
  std::unordered_set<uint32_t>
      assigned_in_body{};  // For loops (NodeId) whose body rebinds the target
  bool has_return_value = false;
};

// Names that `function` reads and does not bind itself: candidates for captures, in order of first
// use.
std::vector<Symbol> free_names(const ast::Node& function);

Versions number_versions(const ast::Node& function);  // a FunctionDef or Lambda

}  // namespace pyk2cu::scope
