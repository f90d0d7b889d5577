// Lowering: what is decided before anything is printed.
//
// In:   the typed program.  Out: a program per target, lowered: printing one of them decides
// nothing any more. lower.cpp is the list of passes, one file each. Tested by tests/golden/passes.
#pragma once

#include <set>
#include <tuple>

#include "emit/emit.h"
#include "emit/lower/notes.h"
#include "frontend/diag/diagnostics.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

// A program on its way through the passes.
struct Lowering {
  ir::Program program;
  const Options& options;
  Diagnostics& diags;
  std::set<std::tuple<uint32_t, uint32_t, int>> reported{};  // where, which code
  std::set<uint32_t> failed{};  // functions with errors, by the begin of their spans
  LoopNotes notes{};

  // Variants of a function have the same text: each of its places is reported once.
  bool is_new(Span span, int code) { return reported.insert({span.begin, span.end, code}).second; }
  template <class... P>
  Diagnostics::Builder report(const ir::Function& f, Span span, const DiagRow<P...>& row,
                              std::type_identity_t<P>... args) {
    if (row.severity == Severity::kError) failed.insert(f.span.begin);
    return diags.report(span, row, args...);
  }
};

struct Lowered {
  ir::Program cpu, twin, cuda;  // host functions, kernels as they run on the CPU, kernels
  // What Python calls, in the order of the source: entries of cpu, and of twin where they are
  // kernels.
  std::vector<const ir::Entry*> entries{};
  std::set<uint32_t> failed{};  // functions with errors, by the begin of their spans
  std::vector<LoopNote> loops{};
};
// `dumped`: what the programs were after the pass of options.dump_after.
Lowered lower(const ir::Program& program, const Options& options, Diagnostics& diags,
              std::string& dumped);

// ---- the passes, in their order ----------------------------------------------------------------
void privates(ir::Program& program);
void sites(ir::Program& program);
void symbols(ir::Program& program);
// What the function of an overload is called where nothing else has the name; a loop's ends with
// _loop.
std::string wanted_symbol(const ir::Entry& entry, const ir::Overload& overload);
// A symbol that nothing in the program has yet.
std::string unique_symbol(ir::Program& program, std::string_view wanted);
void threads(ir::Program& program);
void generators(Lowering& lowering);
void variants(ir::Program& program);
void lists(ir::Program& program, ir::Function& f);
void fields(ir::Program& program, ir::Function& f);
void items(ir::Program& program, ir::Function& f);
void partials(ir::Program& program, ir::Function& f);
void make_updates(ir::Program& program, ir::Block& b);  // what `updates` does to each function
void single(ir::Program& program, ir::Function& f);
void transposed(ir::Program& program, ir::Function& f);
void broadcasts(ir::Program& program, ir::Function& f);
void fused(ir::Program& program, ir::Function& f);
void bits(ir::Program& program, ir::Function& f);
void neighbourhoods(ir::Program& program);
void slices(Lowering& lowering);
void unroll(Lowering& lowering);
void unswitch(ir::Program& program, ir::Function& f);
void signs(ir::Program& program, ir::Function& f);
void ranges(ir::Program& program);
void demanded(ir::Program& program, ir::Function& f);
void bytes(ir::Program& program, ir::Function& f);
void narrow(ir::Program& program, ir::Function& f);
void updates(ir::Program& program);
void temps(ir::Program& program, ir::Function& f);
void hoist(ir::Program& program, ir::Function& f);
void rests(ir::Program& program, ir::Function& f);
void powers(ir::Program& program);
void choose_math(ir::Program& program, const Options& options);
void continues(ir::Program& program, ir::Function& f);
void continues_in_lanes(ir::Program& program, ir::Block& body);
// Of a loop that runs once (lanes/inline.h): is the body what its statements do without the loop?
bool breaks_at_ends(ir::Program& program, ir::While& once);
void sink(ir::Program& program, ir::Function& f);
void saturated(ir::Program& program, ir::Function& f);
void whole(ir::Program& program, ir::Function& f);
void parallel(Lowering& lowering);
void gangs(Lowering& lowering);
void scalars(Lowering& lowering);
void skips(Lowering& lowering);
void lanes(Lowering& lowering);
void halves(ir::Program& program, ir::Function& f);
void totals(ir::Program& program, ir::Function& f);
void dispatch(ir::Program& program);
void owners(ir::Program& program);
void outline(ir::Program& program);
void products(ir::Program& program);
void sums(ir::Program& program, ir::Function& f);
void zeros(ir::Program& program, ir::Function& f);
void reciprocals(ir::Program& program, ir::Function& f);
void neighbours(ir::Program& program, ir::Function& f);
void quotients(ir::Program& program, ir::Function& f);
void counts(ir::Program& program, ir::Function& f);
void compactions(ir::Program& program, ir::Function& f);
void choices(ir::Program& program, ir::Function& f);
void blocks(ir::Program& program, ir::Function& f);
void truths(ir::Program& program, ir::Function& f);
void loops(ir::Program& program);
void statuses(ir::Program& program);
void templates(ir::Program& program);
void kernels(ir::Program& program);
void declare(ir::Program& program);
void bindings(ir::Program& program);
void moves(ir::Program& program, ir::Function& f);
void stack(ir::Program& program);

}  // namespace pyk2cu::emit
