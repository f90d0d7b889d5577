// What Numba knows of a condition before it infers types: it drops branches by that, and types the
// others, also those that merely fold.
//
//   n = 3; if n > 2:        dropped: both sides are a literal, a constant of the module, or a name
//                           that one was assigned to; `if FLAGS & 4:`, `if DEBUG:` likewise
//   if n + 1 > 2:           typed: a side is an operation
//   def f(x=None): if x is None:       dropped when x has the type of None, else typed
//   if a.ndim == 2:         dropped: the rank of an argument, and len() of a tuple, are constants
//   if isinstance(x, int):  dropped: Numba infers as far as that first
//
// In:   conditions as they stand in the text, the versions that names see.  Out: truths, or
// nothing. Other rules than Numba's drop whatever folds. Tested by tests/run/test_pruning.py.
#pragma once

#include <optional>
#include <unordered_map>

#include "typeinfer/infer/joins.h"

namespace pyk2cu::infer {

class Early {
 public:
  Early(const Context& context, const Names& names, const Joins& joins)
      : context_(context), names_(names), joins_(joins) {}

  // What an expression is to CPython's compiler: a test that jumps, or a value that is tested
  // afterwards.
  enum class As : uint8_t { kJump, kValue };
  struct Truth {
    bool is_true = false;
    bool by_version = false;  // not known before names were split into versions
  };
  std::optional<Truth> truth(const ast::Expr& e, As as) const;
  std::optional<Truth> compare(ast::CompareOperator op, const ast::Expr& left,
                               const ast::Expr& right) const;
  // What isinstance() came to.
  void note_instance_check(const ast::Call& call, bool outcome) {
    instance_checks_[call.Node::id] = outcome;
  }

 private:
  struct Known {
    std::optional<fold::Value> constant{};
    scope::VersionId argument = scope::kNoVersion;  // the parameter that it is
    bool by_version = false;  // known of one version of a name that has several
  };
  Known known_of(const ast::Expr& e) const;
  Known known_version(scope::VersionId version) const;
  std::optional<fold::Value> size(const ast::Expr& e) const;
  std::optional<Truth> jumps(const ast::Expr& e, As as) const;
  const ast::Expr* operation(const ast::Expr& name) const;
  std::optional<Truth> negated(const ast::Expr& operand) const;

  const Context& context_;
  const Names& names_;
  const Joins& joins_;
  std::unordered_map<uint32_t, bool> instance_checks_{};  // by NodeId
};

}  // namespace pyk2cu::infer
