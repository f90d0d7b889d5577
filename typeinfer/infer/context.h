// What is compiled in a walk, by which rules, and what the walk says and waits for.
//
// In:   the program and the instance in work.  Out: options, reports, whether to walk again.
// Tested by tests/unit/typeinfer/{infer_stmt,infer_expr}_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>

#include "typeinfer/infer/list_types.h"
#include "typeinfer/infer/unit.h"

namespace pyk2cu::infer {

class Context {
 public:
  Context(Unit& unit, Instance& instance, ListTypes& lists)
      : unit_(unit), instance_(instance), lists_(lists) {}

  Unit& unit() { return unit_; }
  ir::Program& program() { return unit_.program(); }
  ir::Function& function() { return *instance_.function; }
  Instance& instance() { return instance_; }
  void add_callee(Instance* callee) { instance_.callees.push_back(callee); }

  const ir::Options& options() const { return instance_.options; }
  const types::Dialect& dialect() const { return instance_.options.dialect; }
  bool on_cuda() const { return dialect().target == types::Target::kCuda; }
  bool by_numba() const { return dialect().rules == types::Rules::kNumba; }
  const decorators::Definition& definition() const { return *instance_.definition; }
  const decorators::ModuleInfo& module() const { return *instance_.definition->module; }
  const std::unordered_map<Symbol, const Type*>& declared_locals() const {
    return instance_.definition->locals;
  }
  // Where the type of a parameter comes from: its place in a signature or in a call, if any.
  Span declared_at(const ir::Local* local) const;
  bool has_signature() const { return instance_.depth == 0; }

  template <class... P>
  Diagnostics::Builder report(Span span, const DiagRow<P...>& row,
                              std::type_identity_t<P>... args) {
    return instance_.diags.report(span, row, args...);
  }
  // PK5001 with the construct and a way out.
  void not_supported(Span span, std::string_view what, std::string_view help = {});
  // Can a value of this type exist at run time? False after PK2014.
  bool has_form(const Type* type, Span span) {
    return signature::has_form(type, span, instance_.diags);
  }

  // The type that an expression of the function's file spells; null after a report.
  const Type* spelled_type(const ast::Expr& e) {
    return signature::evaluate_type(e, module(), *function().file, instance_.diags);
  }

  size_t reports() const { return instance_.diags.all().size(); }  // of this walk
  // A type is not known yet: walk again. `name`: whose, at the place where it is asked for.
  void pending() { pending_ = true; }
  void wait_for(Symbol name, Span span);
  // The items of a list that is made here.
  void wait_for_items(Span span);
  bool waits_for_items() const { return list_at_.valid(); }
  ListTypes& lists() { return lists_; }
  void change() { changed_ = true; }  // what flows back has another type than the walk assumed
  // a.flat, a call of a generator: a name may hold it, and one loop may run over it: Python's
  // iterates only once.
  void renew(Span at) { exhausted_.erase(at.begin); }
  // False when a loop ran over it already.
  bool exhaust(Span at) { return exhausted_.insert(at.begin).second; }
  bool is_pending() const { return pending_; }
  bool is_changed() const { return changed_; }
  void report_type_not_known();  // of what the walk waited for first

 private:
  Unit& unit_;
  Instance& instance_;
  ListTypes& lists_;
  bool pending_ = false;
  bool changed_ = false;
  Symbol waiting_for_{};
  Span waiting_at_{};
  Span list_at_{};                            // of a list that nothing is put into
  std::unordered_set<uint32_t> exhausted_{};  // where what a loop ran over stands
};

}  // namespace pyk2cu::infer
