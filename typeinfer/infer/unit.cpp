// The program in work: one instance per function and argument types, recursion between them.
//
// A function is inferred when a call to it is met. A call to a function that is in work already is
// recursion: it sees the result type found so far, and whoever depends on that stays tentative
// (inferred again at the next call) until the function at the bottom is done.
// In, out: infer.h. Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include <algorithm>

#include "typeinfer/infer/infer.h"
#include "typeinfer/scope/yields.h"

namespace pyk2cu::infer {

namespace {

uintptr_t address(const void* p) { return reinterpret_cast<uintptr_t>(p); }

using Key = std::vector<uintptr_t>;

void append_key(const Operand& o, Key& key);

// What tells apart the operands of one kind.
struct KeyOf {
  Key& key;

  void operator()(const auto&) const {}
  void operator()(const Value& o) const { key.push_back(address(o.type)); }
  void operator()(const Function& o) const { key.push_back(address(o.definition)); }
  void operator()(const Qualified& o) const { key.push_back(address(Symbol(o.path).key())); }
  void operator()(const Method& o) const {
    key.push_back(address(o.name.key()));
    (*this)(o.object);
  }
  void operator()(const DType& o) const { key.push_back(address(o.type)); }
  void operator()(const TypeInfo& o) const { key.push_back(address(o.type)); }
  void operator()(const Module& o) const { key.push_back(address(o.info)); }
  void operator()(const Range& o) const {
    key.push_back(address(o.type()));
    key.push_back(o.parallel);
  }
  void operator()(const Flat& o) const { (*this)(o.array); }
  void operator()(const Entries& o) const {
    key.push_back(uint64_t(o.part));
    (*this)(o.table);
  }
  void operator()(const Str& o) const { key.push_back(address(Symbol(o.text).key())); }
  void operator()(const FieldClass& o) const { key.push_back(address(o.fields)); }
  void operator()(const Generated& o) const { key.push_back(address(o.function)); }
};

void append_key(const Operand& o, Key& key) {
  key.push_back(o.meaning.index());
  std::visit(KeyOf{key}, o.meaning);
  key.push_back(o.parts().size());
  for (const Operand& part : o.parts()) append_key(part, key);
}

// The functions of a caller are not the callee's own.
void pass(Operand& o) {
  if (o.is<Function>()) std::get<Function>(o.meaning).is_own = false;
  for (Operand& part : o.parts()) pass(part);
}

uintptr_t pack(const ir::Options& o) {
  return uintptr_t(o.dialect.rules) | uintptr_t(o.dialect.target) << 1 |
         uintptr_t(o.error_model) << 2 | uintptr_t(o.parallel) << 3 | uintptr_t(o.fastmath) << 4 |
         uintptr_t(o.boundscheck) << 5;
}

// `def name(params) -> result` without the colon.
Span header_of(const decorators::Definition& definition) {
  if (!definition.def) return definition.lambda->span;
  const Span whole = definition.def->span;
  const SourceFile& file = *definition.module->ast->file;
  const uint32_t body =
      definition.def->body.empty() ? whole.end : definition.def->body[0]->span.begin;
  const std::string_view text =
      std::string_view(file.text).substr(whole.begin - file.base, body - whole.begin);
  const size_t colon = text.rfind(':');
  return {whole.begin, whole.begin + uint32_t(colon == text.npos ? text.size() : colon)};
}

// A kernel that another calls is compiled as a device function there, as Numba has it.
ir::FunctionKind kind_of(const decorators::Definition& definition, const ir::Options& options,
                         bool is_called) {
  if (options.dialect.target != types::Target::kCuda) return ir::FunctionKind::kHost;
  return definition.kind == decorators::DefinitionKind::kKernel && !is_called
             ? ir::FunctionKind::kKernel
             : ir::FunctionKind::kDevice;
}

void mark_done(Instance& instance) {
  for (Instance* callee : instance.callees)
    if (callee->state == State::kTentative) {
      const bool failed = callee->definition->misread || callee->diags.has_errors();
      callee->state = failed ? State::kFailed : State::kDone;
      mark_done(*callee);
    }
}

}  // namespace

bool is_generator(const decorators::Definition& definition) {
  return definition.def && scope::yields(*definition.def);
}

Instance* Unit::instantiate(const decorators::Definition& definition, std::vector<Operand> args,
                            const ir::Options& options, const Type* declared) {
  const ir::FunctionKind kind = kind_of(definition, options, !stack_.empty());
  std::vector<uintptr_t> key{address(&definition), pack(options), address(declared),
                             uintptr_t(kind)};
  for (Operand& arg : args) {
    for_each_value(arg, [](Value& value) { value = Value(value.type); });
    pass(arg);
    append_key(arg, key);
  }
  std::unique_ptr<Instance>& slot = instances_[key];
  if (!slot) {
    slot = std::make_unique<Instance>();
    slot->definition = &definition;
    slot->args = std::move(args);
    slot->options = options;
    slot->declared = declared;
    slot->function = program_.make<ir::Function>();
    slot->function->name = definition.name;
    slot->function->span = header_of(definition);
    slot->function->body_span = definition.def ? definition.def->span : definition.lambda->span;
    slot->function->file = definition.module->ast->file;
    slot->function->kind = kind;
    slot->function->options = options;
    slot->function->is_generator = is_generator(definition);
    order_.push_back(slot.get());
    by_definition_[slot->definition].push_back(slot.get());
  }
  Instance& instance = *slot;
  if (instance.state == State::kInWork) {
    instance.recursive = true;
    if (instance.declared) instance.result = instance.declared;
    if (!stack_.empty()) stack_.back()->lowest = std::min(stack_.back()->lowest, instance.depth);
  } else if (instance.state == State::kNew || instance.state == State::kTentative) {
    work(instance);
  }
  return &instance;
}

void Unit::work(Instance& instance) {
  constexpr int kMaxDepth = 200;
  if (int(stack_.size()) > kMaxDepth) {
    instance.diags.report(instance.function->span, diag::RunawayRecursion,
                          instance.function->name.str());
    instance.state = State::kFailed;
    return;
  }
  instance.state = State::kInWork;
  instance.depth = instance.lowest = int(stack_.size());
  stack_.push_back(&instance);
  Infer(*this, instance).run();
  stack_.pop_back();
  const auto& misread = instance.definition->misread;
  if (misread && !misread->reported)
    instance.diags.report(misread->span, diag::BadOptionValue, misread->option, misread->why);
  const bool failed = misread || instance.diags.has_errors() ||
                      std::any_of(instance.callees.begin(), instance.callees.end(),
                                  [](const Instance* i) { return i->state == State::kFailed; });
  if (instance.lowest < instance.depth) {
    instance.state = State::kTentative;
    if (!stack_.empty()) stack_.back()->lowest = std::min(stack_.back()->lowest, instance.lowest);
    return;
  }
  instance.state = failed ? State::kFailed : State::kDone;
  mark_done(instance);
}

const ir::GlobalArray* Unit::global_array(Symbol name, const fold::Value& value) {
  const Type* type = fold::type_of(value);
  const size_t key = std::hash<std::string_view>()(value.bytes);
  const auto [first, last] = globals_.equal_range(key);
  for (auto it = first; it != last; ++it) {
    const ir::GlobalArray& array = *it->second;
    if (array.name == name && array.type == type && array.shape == value.shape &&
        array.bytes == value.bytes)
      return &array;
  }
  program_.globals.push_back(program_.make<ir::GlobalArray>(name, type, value.shape, value.bytes));
  globals_.emplace(key, program_.globals.back());
  return program_.globals.back();
}

const Closure* Unit::closure(const ast::Node& node, const Closure& prototype) {
  std::unique_ptr<Closure>& slot = closures_[&node];
  if (!slot) slot = std::make_unique<Closure>(prototype);
  return slot.get();
}

const scope::Versions& Unit::versions(const decorators::Definition& definition) {
  const ast::Node& node = definition.def ? static_cast<const ast::Node&>(*definition.def)
                                         : static_cast<const ast::Node&>(*definition.lambda);
  std::unique_ptr<scope::Versions>& slot = versions_[&node];
  if (!slot) {
    const auto closure = closures_.find(&node);
    const std::vector<Symbol> captures =
        closure == closures_.end() ? std::vector<Symbol>{} : closure->second->captures;
    slot = std::make_unique<scope::Versions>(scope::number_versions(node, captures));
  }
  return *slot;
}

}  // namespace pyk2cu::infer
