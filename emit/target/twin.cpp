// The CPU twin of the kernels: every thread of the grid in turn, blocks over cores.
//
//   static inline void saxpy_thread(const pyk::thread& lane, float a, …) { …the kernel's body… }
//   void saxpy(const pyk::launch& launch, float a, …) noexcept { …all blocks, all threads… }
//
// In:   kernels without barriers and the device functions that they call.  Out: lines.
// Tested by tests/golden/twin and tests/run/test_cuda.py.
#include <fmt/format.h>

#include "emit/lower/lower.h"
#include "emit/lower/walk.h"
#include "emit/target/source_file.h"

namespace pyk2cu::emit {

namespace {

void replace_first(std::string& text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
}

std::string with_lane(std::string head) {
  const size_t open = head.find('(') + 1;
  head.insert(open, head[open] == ')' ? "const pyk::thread& lane" : "const pyk::thread& lane, ");
  return head;
}

void grid(FileContext& file, Printer& printer, const ir::Function& f, const std::string& thread) {
  Writer& out = file.out;
  std::string head = printer.head(true);
  const std::string args = printer.args();
  const std::string call = fmt::format("{}(lane{}{})", thread, args.empty() ? "" : ", ", args);
  head.insert(head.find('(') + 1,
              args.empty() ? "const pyk::launch& launch" : "const pyk::launch& launch, ");
  out.line("");
  out.open(head + " noexcept");
  if (f.may_raise) out.line("pyk::first_error error;");
  out.line(
      "#pragma omp parallel for schedule(dynamic, launch.portion()) "
      "if (launch.blocks() * launch.threads() > 4096)");
  out.open("for (int64_t block = 0; block < launch.blocks(); ++block)");
  out.open("pyk::for_each_thread(launch, block, [&](const pyk::thread& lane)");
  out.line(f.may_raise ? "error.keep(block, " + call + ");" : call + ";");
  out.close("});");
  out.close();
  if (f.may_raise) out.line("return error.get();");
  out.close();
}

}  // namespace

void print_twin(FileContext& file, const std::vector<ir::Function*>& functions) {
  print_globals(file, functions);
  file.headers.insert("pyk/cuda.h");
  NameScope names = symbols_of(file.program);
  for (ir::Function* f : functions) {
    file.out.line("");
    Printer printer(file, *f);
    if (f->kind != ir::FunctionKind::kKernel) {
      printer.function();
      continue;
    }
    if (f->may_raise) file.headers.insert("pyk/parallel.h");
    const std::string thread = names.unique(f->symbol + "_thread");
    std::string head = with_lane(printer.head(true));
    replace_first(head, " " + f->symbol + "(", " " + thread + "(");
    bool uses_lane = false;
    for_each_expr_in(f->body, [&](ir::Expr* e) {
      uses_lane = uses_lane || e->kind == ir::ExprKind::kLane ||
                  (e->kind == ir::ExprKind::kCall && file.uses_lane(ir::as<ir::Call>(e)->callee));
    });
    if (!uses_lane) replace_first(head, "const pyk::thread& lane", "const pyk::thread&");
    file.out.source(f->span);
    printer.print_comment();
    file.out.line("static inline " + head + " {");
    printer.body();
    file.out.source({});
    file.out.line("}");
    grid(file, printer, *f, thread);
  }
}

}  // namespace pyk2cu::emit
