// The passes in their order: a table of contents of what emission decides.
//
// In:   ir::Program.  Out: a lowered copy of it for each target; `dumped`, what the programs were
// after the pass of options.dump_after. With options.verify the invariants are checked after every
// pass. Tested by tests/golden and tests/run.
#include "emit/lower/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/dump.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/verify.h"

namespace pyk2cu::emit {

namespace {

using Pass = std::function<void(ir::Program&)>;

constexpr const char* kNames[] = {
    "clone",       "generators", "variants",    "lists",      "fields",    "items",
    "single",      "transposed", "broadcasts",  "fused",      "bits",      "neighbourhoods",
    "slices",      "unroll",     "unswitch",    "signs",      "ranges",    "demanded",
    "bytes",       "narrow",     "effects",     "updates",    "temps",     "partials",
    "hoist",       "continues",  "sink",        "saturated",  "whole",     "halves",
    "parallel",    "gangs",      "scalars",     "rests",      "skips",     "lanes",
    "totals",      "dispatch",   "threads",     "owners",     "outline",   "products",
    "sums",        "zeros",      "reciprocals", "neighbours", "quotients", "counts",
    "compactions", "choices",    "blocks",      "truths",     "loops",     "statuses",
    "templates",   "kernels",    "declare",     "bindings",   "moves",     "stack"};

class Passes {
 public:
  Passes(Lowering& lowering, std::string_view target, std::string& dumped)
      : lowering_(lowering), target_(target), dumped_(dumped) {
    done("clone");
  }

  void run(std::string_view name, const Pass& pass) {
    pass(lowering_.program);
    done(name);
  }

 private:
  void done(std::string_view name) {
    const ir::Program& program = lowering_.program;
    if (lowering_.options.dump_after == name && !program.functions.empty())
      dumped_ += fmt::format("== {} after {}\n{}", target_, name, ir::dump(program));
    if (lowering_.options.verify)
      ir::verify(program, fmt::format("{}, {}", target_, name), lowering_.diags);
  }

  Lowering& lowering_;
  std::string_view target_;
  std::string& dumped_;
};

Pass each(void (*pass)(ir::Program&, ir::Function&)) {
  return [pass](ir::Program& program) {
    for (ir::Function* f : program.functions) pass(program, *f);
  };
}

void analyse(ir::Program& program) { ir::analyse(program); }

// What every target begins with.
void begin(Passes& passes, Lowering& lowering, bool narrows) {
  // Loops over generators, with the generators' statements in them. First: no pass knows them.
  passes.run("generators", [&](ir::Program&) { generators(lowering); });
  // Contiguous callers call contiguous callees.
  passes.run("variants", variants);
  // Lists whose length stays, as arrays. First, so that all that follows sees arrays.
  passes.run("lists", each(lists));
  // Fields of records, as arrays. Likewise.
  passes.run("fields", each(fields));
  // Arrays in tuples, as arrays. Likewise.
  passes.run("items", each(items));
  // Every element has a subscript.
  passes.run("single", each(single));
  // Elements of transposed arrays, as those of the arrays.
  passes.run("transposed", each(transposed));
  // Operands of extent 1 along an axis, where they are.
  passes.run("broadcasts", each(broadcasts));
  // Array expressions in one loop, where all go over the same elements.
  passes.run("fused", each(fused));
  // Loops that count bits, as one instruction. Before all that rewrites arithmetic.
  passes.run("bits", each(bits));
  // Functions of places into the loops that call them. Before all that asks where places are.
  if (narrows) passes.run("neighbourhoods", neighbourhoods);
  // Elements of windows that slide, as those of the array. Before unroll, which asks where they
  // lie.
  if (narrows) passes.run("slices", [&](ir::Program&) { slices(lowering); });
  // Loops over a window, written out. Before ranges, which then knows every turn.
  if (narrows) passes.run("unroll", [&](ir::Program&) { unroll(lowering); });
  // What loops ask in every turn alike, in front of them. Before ranges, which knows more of each.
  if (narrows) passes.run("unswitch", each(unswitch));
  // uint64 whose sign nobody asks for, as int64. Before ranges, which knows more of that.
  if (narrows) passes.run("signs", each(signs));
  // Proves indices non-negative and arithmetic free of overflow; drops checks that cannot fail.
  // First: the checks that it drops held temporaries apart.
  passes.run("ranges", ranges);
  // int64 of which the low bits are asked for. Behind ranges: what fits is left to narrow.
  if (narrows) passes.run("demanded", each(demanded));
  // Variables as small as the elements that they are of. Before narrow, which is for the rest.
  if (narrows) passes.run("bytes", each(bytes));
  // int64 that fits 32 bits is computed there: twice as many to a vector, and division is quick.
  if (narrows) passes.run("narrow", each(narrow));
  // What cannot raise any more needs no status; its calls may stand inside expressions.
  passes.run("effects", analyse);
  // x = x + e -> x += e. Before temps: an update reads its subscripts once.
  passes.run("updates", updates);
  // Folds temporaries used once back into the statement that uses them.
  passes.run("temps", each(temps));
}

// What every target ends with: from here on, only how it is said.
void end(Passes& passes, bool kernels_only) {
  // What g++ would contract. Behind lanes, which rewrite expressions.
  if (!kernels_only) passes.run("products", products);
  // Sums whose order counts, which g++ would take apart again. Behind lanes too.
  if (!kernels_only) passes.run("sums", each(sums));
  // Sums that may be -0.0, which g++ would add 0 to.
  if (!kernels_only) passes.run("zeros", each(zeros));
  // Products in place of divisions. Behind products, which tells GCC which of them to round.
  if (!kernels_only) passes.run("reciprocals", each(reciprocals));
  // Remainders by the end of a loop. Behind lanes, which take the ends off.
  if (!kernels_only) passes.run("neighbours", each(neighbours));
  // Divisions of integers that are made again. Behind neighbours, which look at them.
  if (!kernels_only) passes.run("quotients", each(quotients));
  // What chains of branches count. Behind lanes, and before choices, which ask what is left.
  if (!kernels_only) passes.run("counts", each(counts));
  // Elements that are picked, without a branch. Behind skips, which look for one.
  if (!kernels_only) passes.run("compactions", each(compactions));
  // What no processor foresees, without a branch. Behind lanes, which have none.
  if (!kernels_only) passes.run("choices", each(choices));
  // Sums of bytes in few bits. Behind choices, which leave no branches.
  if (!kernels_only) passes.run("blocks", each(blocks));
  // Truths as factors, by bits. Behind all that asks what is converted.
  if (!kernels_only) passes.run("truths", each(truths));
  // Which ends of loops need a name.
  passes.run("loops", loops);
  // How functions that may raise end.
  passes.run("statuses", statuses);
  // One text for functions that say the same. Before declare, which is done once for it.
  passes.run("templates", templates);
  if (kernels_only) passes.run("kernels", kernels);
  // Where locals are declared. Behind all that makes locals.
  passes.run("declare", declare);
  // Statements that C++ joins. Behind declare: constants only.
  passes.run("bindings", bindings);
  // Arrays given away where they are mentioned last. Behind declare: no constants.
  if (!kernels_only) passes.run("moves", each(moves));
}

void lower_cpu(Lowering& lowering, std::string& dumped) {
  Passes passes(lowering, "cpu", dumped);
  begin(passes, lowering, lowering.options.lanes);
  // Arrays that iterations of a prange add to, in parts. Behind temps, which leaves sums whole.
  passes.run("partials", each(partials));
  // Functions of what stays the same, in front of loops. Behind temps, which would undo it.
  if (lowering.options.lanes) passes.run("hoist", each(hoist));
  // Early ends of turns as branches, which have two sides.
  if (lowering.options.lanes) passes.run("continues", each(continues));
  // One store for the sides of a branch, without a mask. Behind temps, which would undo it.
  if (lowering.options.lanes) passes.run("sink", each(sink));
  // Clips in front of conversions that clip. Behind sink, which makes values of stores.
  passes.run("saturated", each(saturated));
  // Conditions without ways, of elements that are there. Before lanes, which would make masks.
  if (lowering.options.lanes) passes.run("whole", each(whole));
  // Sums of complex numbers in parts, which are sums as all others. Before lanes, made of such.
  if (lowering.options.lanes) passes.run("halves", each(halves));
  // prange -> parallel loops; needs final expressions to see equal subscripts.
  passes.run("parallel", [&](ir::Program&) { parallel(lowering); });
  // Loops that part or loop inside, many iterations side by side.
  if (lowering.options.lanes) passes.run("gangs", [&](ir::Program&) { gangs(lowering); });
  // Elements that stay while a loop turns, in variables. Behind gangs, which take whole nests.
  if (lowering.options.lanes) passes.run("scalars", [&](ir::Program&) { scalars(lowering); });
  // Divisions of what stays the same, in front of loops. Behind gangs, which ask what they are.
  if (lowering.options.lanes) passes.run("rests", each(rests));
  // Turns that do nothing, many at once. Behind all that makes vectors of whole loops.
  if (lowering.options.lanes) passes.run("skips", [&](ir::Program&) { skips(lowering); });
  // Innermost loops for vector registers. Behind parallel, which says what iterations share.
  if (lowering.options.lanes) passes.run("lanes", [&](ir::Program&) { lanes(lowering); });
  // Sums without an order, several at a time. Behind lanes, which has turns side by side.
  if (lowering.options.lanes) passes.run("totals", each(totals));
  // Which functions have bodies for several instruction sets. Before bodies of loops become calls.
  if (lowering.options.march.empty()) passes.run("dispatch", dispatch);
  // Which array locals own memory, which are written through. Behind all that moves arrays.
  passes.run("owners", owners);
  // Bodies that may raise become functions.
  passes.run("outline", outline);
  end(passes, false);
  // Small arrays in the frame. Behind moves, which says what is copied.
  passes.run("stack", stack);
}

void lower_twin(Lowering& lowering, std::string& dumped) {
  Passes passes(lowering, "twin", dumped);
  begin(passes, lowering, false);
  // Kernels -> loops over blocks and threads. Behind ranges, which know what threadIdx can be.
  passes.run("threads", threads);
  passes.run("effects", analyse);
  passes.run("owners", owners);
  passes.run("outline", outline);
  end(passes, false);
}

void lower_cuda(Lowering& lowering, std::string& dumped) {
  Passes passes(lowering, "cuda", dumped);
  begin(passes, lowering, false);
  passes.run("owners", owners);
  end(passes, true);
}

}  // namespace

std::vector<std::string> pass_names() { return {std::begin(kNames), std::end(kNames)}; }

// Of all sums of floats and complex numbers.
static void keep_order(ir::Function& f) {
  f.options.fastmath = false;
  ir::for_each_stmt(f.body, [](ir::Stmt* s) {
    if (auto* loop = ir::try_as<ir::For>(s)) loop->adds_freely = false;
  });
}

Lowered lower(const ir::Program& program, const Options& options, Diagnostics& diags,
              std::string& dumped) {
  Lowered all;
  const auto lowered = [&](bool kernels_only, auto&& how) {
    const auto is_wanted = [&](const ir::Entry& entry) {
      return (entry.kind == ir::FunctionKind::kKernel) == kernels_only;
    };
    Lowering lowering{ir::clone(program, is_wanted), options, diags};
    if (options.strict_fp)
      for (ir::Function* f : lowering.program.functions) keep_order(*f);
    powers(lowering.program);
    choose_math(lowering.program, options);
    how(lowering, dumped);
    all.failed.merge(lowering.failed);
    for (LoopNote& note : lowering.notes.take()) all.loops.push_back(std::move(note));
    return std::move(lowering.program);
  };
  all.cpu = lowered(false, lower_cpu);
  all.twin = lowered(true, lower_twin);
  all.cuda = lowered(true, lower_cuda);
  auto function = all.cpu.entries.begin(), kernel = all.twin.entries.begin();
  for (const ir::Entry& entry : program.entries)
    all.entries.push_back(entry.kind == ir::FunctionKind::kKernel ? &*kernel++ : &*function++);
  return all;
}

}  // namespace pyk2cu::emit
