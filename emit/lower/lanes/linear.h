// Integers as sums with constant factors: 2 * x - radius + 1.
//
// In:   expressions of a loop's body, whose variables and bounds are told as it is walked.
// Out:  what they are sums of, null where it is not known; whether a sum is never negative.
// Used by borders.cpp, safe_loads.cpp, inside.h and within.cpp. Tested by tests/run/test_borders.py
// and tests/run/test_sliding.py.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

// Of terms of at most kFar, sums do not overflow 64 bits.
constexpr int64_t kFar = int64_t{1} << 47, kMostFactor = 1 << 10;
constexpr size_t kMostTerms = 8;  // of a sum

struct Linear {
  std::map<int, int64_t> factors{};  // by term; none is 0
  int64_t constant = 0;
  uint64_t met = 0;  // the terms of all that was added up, those too that have fallen out: bits

  int64_t factor(int term) const {
    const auto at = factors.find(term);
    return at == factors.end() ? 0 : at->second;
  }
  // this + other * by; null: the numbers become large
  std::optional<Linear> plus(const Linear& other, int64_t by = 1) const;
  std::optional<Linear> minus(const Linear& other) const { return plus(other, -1); }
};

// Variables of a function that are an extent of a parameter wherever they have a value.
class Extents {
 public:
  explicit Extents(const ir::Function& f);
  // The query that a variable is; null: none.
  ir::Query* find(const ir::Local* local) const {
    const auto at = extents_.find(local);
    return at == extents_.end() ? nullptr : at->second;
  }

 private:
  std::unordered_map<const ir::Local*, ir::Query*> extents_{};
};

class Sums {
 public:
  struct Term {
    ir::Local* local = nullptr;  // the variable of a loop
    ir::Expr* value = nullptr;   // what does not change
    ir::Expr* meant = nullptr;   // in extents of arrays
    bool is_small = false;       // surely at most kFar, in the middle of a loop that asks for it
    bool is_positive = false;    // surely not negative
  };
  static constexpr size_t kMost = 48;  // terms that are told apart, of 64 bits

  // assigned: what may change where sums are asked for.
  Sums(ir::Program& program, const Extents& extents, ir::LocalSet assigned)
      : program_(program), extents_(extents), assigned_(std::move(assigned)) {}

  // One more that may change.
  void add_assigned(const ir::Local* local) { assigned_.insert(local); }
  // The variable of a loop, whose sums are known while it stands in scope; -1: there are too many.
  int add_variable(ir::Local* local);
  Linear of(int term) const { return {{{term, 1}}, 0, uint64_t{1} << term}; }
  Term& term(int k) { return terms_[size_t(k)]; }
  const Term& term(int k) const { return terms_[size_t(k)]; }
  int size() const { return int(terms_.size()); }
  std::optional<int> find(const ir::Local* variable) const;

  void call_small(ir::Expr* value);
  // Null: not an int64 that is a sum.
  std::optional<Linear> of(ir::Expr* e);

  // ---- names of sums, and what is known of sums: until the block ends ------------------------
  struct Name {
    const ir::Local* local;
    Linear value;
    ir::Expr* text;
  };
  struct Scope {
    size_t names, facts, variables;
  };
  Scope open() const { return {names_.size(), facts_.size(), scope_.size()}; }
  void close(const Scope& scope);
  void name(const ir::Local* local, const Linear& value, ir::Expr* text) {
    names_.push_back({local, value, text});
  }
  const Name* find_name(const ir::Local* local) const;
  void know(const std::optional<Linear>& not_negative) {
    if (not_negative) facts_.push_back(*not_negative);
  }
  // term >= limit, or term < limit, which may be the larger, the smaller, of others. Does a sum of
  // small terms bound it?
  bool know_limit(int term, ir::Expr* limit, bool is_lower);
  // lo <= term < hi
  void know_range(int term, ir::Expr* lo, ir::Expr* hi);
  // What a condition says that holds.
  void know_condition(ir::Expr* condition);

  // By what is known, of small terms only.
  bool is_never_negative(const Linear& value, int depth = 4) const;
  // Of small terms only.
  ir::Expr* text(const Linear& value, const ir::Builder& b) const;
  // Is it surely one that the array, a variable that does not change, has?
  bool is_inside(const ir::Element& element);

 private:
  std::optional<Linear> fixed(ir::Expr* e);
  ir::Expr* meaning(ir::Expr* e);
  bool is_small(const Linear& value) const;

  ir::Program& program_;
  const Extents& extents_;
  ir::LocalSet assigned_;
  std::vector<Term> terms_{};
  std::vector<int> scope_{};  // variables
  std::vector<Name> names_{};
  std::vector<Linear> facts_{};  // sums that are not negative
};

}  // namespace pyk2cu::emit
