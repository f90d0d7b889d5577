// Names: what a version of a local holds.
//
// Each version has a type of its own; versions of one name and type live in one ir::Local, so that
// an edge needs code only where the type changes: before -> `x = 0` .. loop .. `x += 0.5`,
// after -> `x_2 = Convert(x)` in front of the loop.
// In:   scope::Versions, what assignments bind.  Out: what reads see; assignments to locals.
// Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "typeinfer/infer/growth.h"

namespace pyk2cu::infer {

// What a version of a name holds in this walk.
struct Held {
  Operand what{};  // of a Value the type, the rest is in `local`; an Error: not known (yet)
  ir::Local* local = nullptr;
  Span span{};                         // where it got its type
  std::array<ir::Local*, 3> bounds{};  // of a Range that several ways bring
  bool known() const { return !what.is_error(); }
};

// Makes `into` hold what both hold; false when no type does.
bool merge(Operand& into, const Operand& other, const types::Dialect& dialect);

class Names {
 public:
  Names(Emitter& emitter, const scope::Versions& versions, Growth& growth)
      : in_(emitter), versions_(versions), growth_(growth), held_(versions.all.size()) {}

  const scope::Versions& versions() const { return versions_; }
  Context& context() { return in_.context(); }

  // Reads the version that `e` sees; nothing when the function binds no such name.
  std::optional<Operand> read(const ast::Name& e);
  Operand stored(const ast::Node& at, Span span);  // what the last bind() there made
  // A function value takes along what its captures hold where it is read.
  Operand read_captures(Operand function, uint32_t reader, Span span);

  void bind(const ast::Node& at, Symbol name, Operand what, Span span);  // store_of(at) = what
  // A value becomes a parameter; a compile-time thing passes its run-time parts as parameters.
  void bind_param(scope::VersionId version, Symbol name, const Operand& arg, Span span);
  // A parameter that the text has no version of; what it holds.
  Operand make_param(Symbol name, Operand arg, Span span);
  // A flag per name that some path reads before it is assigned.
  void make_flags();

  // The index of a loop shows itself under this target: bind() there makes no copy.
  ir::Local* show_index(const ast::Name& target, const Type* type);
  void hide_index(const ast::Name& target) { indices_.erase(target.Node::id); }
  // The type that `locals=` gives a name, or null.
  const Type* declared(Symbol name) const;
  bool is_index(const ast::Expr& target) const { return indices_.contains(target.id); }

  const Held& held(scope::VersionId version) const { return held_[version]; }
  void set_held(scope::VersionId version, Held held) { held_[version] = std::move(held); }
  // Gives what a phi holds, a value or a range of a known type, locals to live in.
  void make_locals(scope::VersionId phi, Held& held);
  // The local of the version for values of this type.
  ir::Local* local_for(scope::VersionId version, const Type* type, Span span);

 private:
  ir::Local* new_local(Symbol name, const Type* type, Span span);
  void hold(scope::VersionId version, Operand what, Span span);
  Operand read_version(scope::VersionId id, uint32_t reader, Span span);
  void check_bound(const scope::Version& version, Span span);

  Emitter& in_;
  const scope::Versions& versions_;
  Growth& growth_;
  std::vector<Held> held_;  // by version
  std::map<std::pair<const void*, const Type*>, ir::Local*> locals_{};
  std::unordered_map<Symbol, ir::Local*> flags_{};
  std::unordered_map<uint32_t, ir::Local*> indices_{};  // by NodeId: targets that are For.index
};

}  // namespace pyk2cu::infer
