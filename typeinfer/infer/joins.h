// Joins: where ways through a function meet, what a name holds is what all ways bring.
//
// In:   the edges of scope::Versions as the walk passes them.  Out: what phis hold; copies into
// their locals at the ends of the ways, made once the type is known: at the join, or, for the
// header of a loop, in the next walk.
// Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "typeinfer/infer/names.h"

namespace pyk2cu::infer {

// What the walks over a function leave to the next one.
struct Rounds {
  Growth growth{};
  ListTypes lists{};
  std::vector<Held> fed_back{};  // by version: loop header phis, unified over the walks so far
};

class Joins {
 public:
  Joins(Emitter& emitter, Names& names, Rounds& rounds)
      : in_(emitter), names_(names), rounds_(rounds) {}

  // Is the code at this point reachable? False after return, raise, break, continue.
  bool reachable() const { return reachable_; }
  // Yields what held before.
  bool set_reachable(bool now) { return std::exchange(reachable_, now); }

  // Marks that control leaves along an edge of scope::Versions (only for joins: see versions.h).
  void edge(uint64_t key, ir::Stmt* before = nullptr);
  void enter_loop(const ast::Node& loop);  // header phis become current
  void leave_while(const ast::While& loop);
  bool has_join(const ast::Node& at) const;
  void join(const ast::Node& at);  // phis after `at` become current
  // The `if` was dropped by what was not known before names were split into versions.
  void note_dropped_by_version(const ast::If& s) { dropped_by_version_.insert(s.Node::id); }
  // The version that all ways into a phi bring, or kNoVersion.
  scope::VersionId only_way(scope::VersionId phi) const;

 private:
  struct PendingCopy {  // an edge into a join that comes later
    scope::VersionId phi, from;
    Held held;
    ir::Block* block;
    ir::Stmt* before;  // null: at the end of the block
  };

  const scope::Version& version(scope::VersionId id) const { return names_.versions().all[id]; }
  // The ways into the header of a loop, from before it.
  const std::vector<scope::Flow>* flows(uint64_t key) const;
  void feed_back(scope::VersionId phi, const Held& from, Span span);
  void copy_into(const Held& phi, const Held& from, Span span);
  void copy_bounds(const Held& phi, const Range& from, Span span);
  void clear(const Held& phi);
  void expect_literals(scope::VersionId phi, Held& fed);
  Held joined(scope::VersionId phi, const ast::Node& at);
  void place_copies(scope::VersionId phi);
  void report_cannot_unify(scope::VersionId phi, const Held& a, const Held& b);

  Emitter& in_;
  Names& names_;
  Rounds& rounds_;
  bool reachable_ = true;
  std::vector<PendingCopy> copies_{};
  std::unordered_map<scope::VersionId, scope::VersionId> only_way_{};  // into a phi: see join()
  std::unordered_set<uint32_t> dropped_by_version_{};                  // ifs, by NodeId
};

}  // namespace pyk2cu::infer
