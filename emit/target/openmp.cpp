// The CPU: <module>.h declares the roots, <module>.cpp defines them with OpenMP.
//
// In:   lowered functions.  Out: lines of both files.
// Tested by tests/golden/openmp.
#include <fmt/format.h>

#include "emit/lower/walk.h"
#include "emit/target/source_file.h"

namespace pyk2cu::emit {

namespace {

// Helpers that are called before they are defined: recursion.
std::unordered_set<const ir::Function*> called_early(const std::vector<ir::Function*>& functions) {
  std::unordered_set<const ir::Function*> defined, early;
  for (ir::Function* f : functions) {
    for_each_expr_in(f->body, [&](ir::Expr* e) {
      if (e->kind != ir::ExprKind::kCall) return;
      const ir::Function* callee = ir::as<ir::Call>(e)->callee;
      if (callee != f && !callee->is_root && defined.count(callee) == 0) early.insert(callee);
    });
    defined.insert(f);
  }
  return early;
}

}  // namespace

void print_openmp(FileContext& file, const std::vector<ir::Function*>& functions) {
  print_globals(file, functions);
  const auto early = called_early(functions);
  if (!early.empty()) file.out.line("");
  for (ir::Function* f : functions)
    if (early.count(f) != 0) Printer(file, *f, Printer::Part::kHead).declaration();
  for (ir::Function* f : functions) {
    file.out.line("");
    Printer(file, *f).function();
  }
}

// double sum2d(pyk::array<const double, 2, pyk::A> a) noexcept;
void print_header(FileContext& file) {
  bool raises = false;
  for (const ir::Function* f : file.program.functions) raises = raises || f->may_raise;
  if (raises) {
    file.out.line("");
    file.out.line("extern const pyk::site sites[];");
  }
  file.out.line("");
  for (ir::Function* f : file.program.functions) {
    if (!f->is_root) continue;
    Printer printer(file, *f, Printer::Part::kHead);
    file.out.source(f->span);
    std::string head = printer.head(true);
    if (f->kind == ir::FunctionKind::kKernel) {
      const size_t open = head.find('(') + 1;
      head.insert(open,
                  head[open] == ')' ? "const pyk::launch& launch" : "const pyk::launch& launch, ");
    }
    file.out.line(head + " noexcept;");
  }
}

}  // namespace pyk2cu::emit
