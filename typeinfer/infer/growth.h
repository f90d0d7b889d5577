// Numba unifies the type of a name, and of every subexpression, with what earlier rounds of its
// inference gave it:
//   c = uint8(0); for …: c += c; c = c % 7      c += c: uint64, then int64: float64
//
// In:   what versions and expressions come to in each walk.  Out: values, converted where they
// grew. Lives as long as a function is in work. Tested by tests/run/test_rounds.py.
#pragma once

#include <unordered_map>

#include "typeinfer/infer/emitter.h"

namespace pyk2cu::infer {

class Growth {
 public:
  void begin_walk() { ++walk_; }
  bool in_first_walk() const { return walk_ == 1; }

  ir::Expr* of_version(Emitter& in, scope::VersionId version, ir::Expr* value) {
    return grown(in, versions_[version], value);
  }
  ir::Expr* of_expression(Emitter& in, const ast::Expr& e, ir::Expr* value) {
    return grown(in, expressions_[e.id], value);
  }

 private:
  // The type that the rounds have given a version or an expression so far.
  struct Known {
    const Type* type = nullptr;
    int walk = 0;          // the last one that made the value
    bool several = false;  // made more than once in a walk: copies of an unrolled loop
  };

  ir::Expr* grown(Emitter& in, Known& known, ir::Expr* value);

  int walk_ = 0;
  std::unordered_map<scope::VersionId, Known> versions_{};
  std::unordered_map<uint32_t, Known> expressions_{};  // by NodeId
};

}  // namespace pyk2cu::infer
