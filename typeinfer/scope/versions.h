// SSA versions of the local names of one function, computed from its text alone.
//
// In:   a def or lambda.  Out: for every place that assigns a name the version it makes, for every
// read the
//       version it sees, and for every join (after if, loop header, after a loop, after a
//       conditionally evaluated operand) the phi versions that somebody reads.
// An edge is a way into a join; inference says at which point of the IR it lies (Joins::edge):
//   (if, 0 | 1)        end of the body, end of the orelse (also when empty)
//   (loop, 0 | 1 | 2)  before the loop, end of the body, end of the (maybe empty) orelse
//   (break or continue statement, 0)
//   (match, k)         end of case k; kNoCase: no case matched
//   (operand, 0 | 1)   operand k >= 1 of and, or and comparison chains: evaluated, skipped
//   (IfExp, 0 | 1)     end of the body, end of the orelse
// Code after return, raise, break or continue is not seen, nor the inside of what is not compiled
// (`try`, `with`, comprehensions, …): the names that it binds get versions that nothing stores to.
// Tested by tests/unit/typeinfer/versions_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/base/symbol.h"
#include "typeinfer/scope/environments.h"

namespace pyk2cu::scope {

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
  // What a function takes along: by NodeId of the lambda, nested def, or Name that reads one, and
  // name.
  std::map<std::pair<uint32_t, const void*>, VersionId> captures{};
  std::vector<VersionId> capture_params{};  // versions of this function's own captures
  std::unordered_map<VersionId, const ast::Expr*> values{};  // x = e: what the version holds
  std::unordered_set<Symbol> locals{};                       // every name that the function binds
  std::unordered_set<Symbol> rebound{};        // names that are bound in more than one place
  bool imports_all = false;                    // `from m import *` in the body
  std::unordered_set<Symbol> guarded{};        // names with a read that may be unbound
  std::unordered_set<uint32_t> plain_index{};  // Names (NodeId), targets of for loops, that nothing
                                               // else binds in the loop and nothing reads after it
};

inline constexpr int kNoCase = 255;

// Names that `function` reads and does not bind itself, in order of first use: candidates for
// captures.
std::vector<Symbol> free_names(const ast::Node& function);
// The defaults of a function's parameters, in the order in which Python evaluates them.
std::vector<const ast::Expr*> defaults_of(const ast::Node& function);

// `function`: a FunctionDef or Lambda; `captures`: names that it takes from the function around it.
Versions number_versions(const ast::Node& function, const std::vector<Symbol>& captures = {});

}  // namespace pyk2cu::scope
