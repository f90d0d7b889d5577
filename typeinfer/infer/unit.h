// The program in work: one instance per function and argument types.
//
// In:   definitions, the types of arguments.  Out: Instances, inferred as far as recursion allows.
// Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/diag/diagnostics.h"
#include "typeinfer/infer/operand.h"
#include "typeinfer/scope/versions.h"

namespace pyk2cu::infer {

enum class State : uint8_t { kNew, kInWork, kTentative, kDone, kFailed };

// One function compiled for one list of argument types.
struct Instance {
  const decorators::Definition* definition = nullptr;
  std::vector<Operand> args{};  // one per parameter (then captures); values carry only their type
  ir::Options options{};
  const Type* declared = nullptr;  // result type that the signature states, or null
  State state = State::kNew;
  const Type* result = nullptr;  // null: not known yet (recursion)
  int depth = 0;                 // in the stack of instances in work
  int lowest = 0;                // least depth of an instance in work that this one called
  bool recursive = false;        // called while in work
  ir::Function* function = nullptr;
  Diagnostics diags{};  // of the last walk
  std::vector<Instance*> callees{};
  // Of a stencil's function of one point: its indices, in the walk in work; per axis the least and
  // the greatest index that its subscripts have, 0 among them; the parameters that they are of.
  std::vector<ir::Local*> point{};
  std::vector<std::pair<int64_t, int64_t>> reach{};
  std::vector<Symbol> from_point{};
};

bool is_generator(const decorators::Definition& definition);

// The program in work: instances by key, names, settings.
class Unit {
 public:
  Unit(const decorators::Sources& sources, ir::Program& program)
      : sources_(sources), program_(program) {}

  // The instance for these arguments, inferred as far as recursion allows. Never null.
  Instance* instantiate(const decorators::Definition& definition, std::vector<Operand> args,
                        const ir::Options& options, const Type* declared);
  const ir::GlobalArray* global_array(Symbol name, const fold::Value& value);
  const Closure* closure(const ast::Node& node, const Closure& prototype);
  ir::Program& program() { return program_; }
  const decorators::Sources& sources() const { return sources_; }
  const scope::Versions& versions(const decorators::Definition& definition);
  const std::vector<Instance*>& stack() const { return stack_; }
  const std::vector<Instance*>& instances() const { return order_; }  // as they were met
  const std::vector<Instance*>& instances_of(const decorators::Definition& definition) {
    return by_definition_[&definition];
  }

 private:
  void work(Instance& instance);

  const decorators::Sources& sources_;
  ir::Program& program_;
  std::map<std::vector<uintptr_t>, std::unique_ptr<Instance>> instances_;
  std::unordered_map<const ast::Node*, std::unique_ptr<Closure>> closures_;
  std::unordered_map<const ast::Node*, std::unique_ptr<scope::Versions>> versions_;
  std::unordered_multimap<size_t, const ir::GlobalArray*>
      globals_;  // by what they hold, of one name
  std::vector<Instance*> order_;
  std::unordered_map<const decorators::Definition*, std::vector<Instance*>> by_definition_;
  std::vector<Instance*> stack_;
};

}  // namespace pyk2cu::infer
