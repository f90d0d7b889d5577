// Where control is in the body of a gang: branches that lanes part at, loops, turns of loops.
//
// In:   what is entered and left.  Out: which lanes run here, who would see what they assign.
// Tested by tests/golden/gangs.
#pragma once

#include <algorithm>
#include <deque>

#include "emit/lower/lanes/shape.h"

namespace pyk2cu::emit {

// Where control is, from the outside in.
struct Scope {
  enum class Kind : uint8_t { kIf, kLoop, kTurn } kind;
  const ir::Stmt* stmt;      // of the body
  const ir::Block* block;    // of the If
  ir::Local* mask;           // its lanes; null: those of the scope around
  ir::Stmt* made = nullptr;  // the loop that it became
  bool once = false;         // ... which does not turn
  bool asks = false;         // lanes have left since somebody asked whether any is left
  int choices = 0;           // uniform branches inside, around where control is
};

class Scopes {
 public:
  explicit Scopes(const Shape& shape) : shape_(shape) {}

  // Scopes stay where they are while others come and go.
  std::deque<Scope>& all() { return all_; }
  Scope& last() { return all_.back(); }
  void open(const Scope& scope) { all_.push_back(scope); }
  void close() { all_.pop_back(); }

  // Null: all lanes, those without an iteration too.
  ir::Local* mask() const {
    for (auto scope = all_.rbegin(); scope != all_.rend(); ++scope)
      if (scope->mask) return scope->mask;
    return nullptr;
  }

  // The innermost loop; null: none.
  Scope* innermost() {
    for (auto scope = all_.rbegin(); scope != all_.rend(); ++scope)
      if (scope->kind == Scope::Kind::kLoop) return &*scope;
    return nullptr;
  }

  // Is some lane of the mask surely there?
  bool has_somebody() const {
    for (auto scope = all_.rbegin(); scope != all_.rend(); ++scope) {
      if (scope->asks) return false;
      if (scope->kind == Scope::Kind::kLoop) return true;
    }
    return true;
  }

  // Would lanes that are not in the mask see that the local is assigned here?
  bool see_outside(const ir::Local* local) const {
    return std::ranges::any_of(all_, [&](const Scope& scope) {
      if (scope.kind == Scope::Kind::kIf) return shape_.escapes_block(*scope.block, local);
      if (scope.kind == Scope::Kind::kTurn) return shape_.escapes_turn(scope.stmt, local);
      return shape_.turns(scope.stmt).part() && shape_.escapes_loop(scope.stmt, local);
    });
  }

 private:
  const Shape& shape_;
  std::deque<Scope> all_{};
};

}  // namespace pyk2cu::emit
