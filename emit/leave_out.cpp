// Takes functions with errors out of a program: see emit.h.
//
// In:   a program, functions.  Out: the program without the overloads that reach one of them.
// Tested by tests/run/test_keep_going.py.
#include <unordered_map>
#include <vector>

#include "emit/emit.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

namespace {

using Functions = std::unordered_map<const ir::Function*, const ir::Function*>;

// The functions that fail, each with itself; and those that call them, each with the one it calls.
Functions affected(const ir::Program& program, const std::set<uint32_t>& failed) {
  std::unordered_map<const ir::Function*, std::vector<const ir::Function*>> callers;
  Functions found;
  std::vector<const ir::Function*> open;
  for (const ir::Function* f : program.functions) {
    ir::for_each_expr_in(f->body, [&](const ir::Expr* e) {
      if (const auto* call = ir::try_as<ir::Call>(e)) callers[call->callee].push_back(f);
    });
    if (!failed.contains(f->span.begin)) continue;
    found[f] = f;
    open.push_back(f);
  }
  while (!open.empty()) {
    const ir::Function* callee = open.back();
    open.pop_back();
    for (const ir::Function* f : callers[callee])
      if (found.try_emplace(f, callee).second) open.push_back(f);
  }
  return found;
}

}  // namespace

bool leave_out(ir::Program& program, const std::set<uint32_t>& failed) {
  bool any = false;
  const Functions found = affected(program, failed);
  for (ir::Entry& entry : program.entries) {
    const ir::Function* callee = nullptr;  // that a function without errors reaches
    bool is_own = false;
    std::erase_if(entry.overloads, [&](const ir::Overload& overload) {
      const auto at = found.find(overload.general());
      if (at == found.end()) return false;
      any = true;
      if (at->second != at->first) callee = at->second;
      is_own = is_own || at->second == at->first;
      return true;
    });
    using Why = ir::LeftOut::Why;
    if (callee)
      program.left_out.push_back({entry.name, entry.span, Why::kCallee, callee->name});
    else if (is_own)
      program.left_out.push_back({entry.name, entry.span, Why::kOwnErrors});
  }
  std::erase_if(program.entries, [](const ir::Entry& entry) { return entry.overloads.empty(); });
  return any;
}

}  // namespace pyk2cu::emit
