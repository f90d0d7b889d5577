// The CPU: <module>.h declares the roots, the sources define them with OpenMP.
//
//   template <class L>
//   double sum2d(pyk::array<const double, 2, L> a) noexcept { … }
//   PYK_LAYOUTS(sum2d);
//
// In:   lowered functions.  Out: lines of both files.
// Tested by tests/golden/openmp.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "emit/pyext/module.h"
#include "emit/target/source_file.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

namespace {

// Of functions that are templates: the instances that entries name, and those that the functions of
// the file with the other fastmath call.
using Instances = std::unordered_map<const ir::Function*, std::vector<ir::Variant>>;

void add_instance(Instances& all, ir::Function* f, const ir::Instance& instance) {
  if (!f->any_layout && !f->any_form) return;
  std::vector<ir::Variant>& known = all[f];
  if (std::ranges::find(known, instance, &ir::Variant::instance) == known.end())
    known.push_back({.function = f, .instance = instance});
}

// What a call names: in a template, whose own instances are several, each that there may be.
void add_called(Instances& all, const ir::Call& call) {
  using types::Layout;
  const bool any = call.callee->any_layout && call.instance.layout == Layout::kAny;
  const bool either = call.callee->any_form && call.instance.form == ir::Form::kEither;
  std::vector<ir::Form> forms{call.instance.form};
  if (either) forms = {ir::Form::kScalar, ir::Form::kLanes};
  for (const ir::Form form : forms)
    for (const Layout layout :
         any ? std::vector{Layout::kC, Layout::kA} : std::vector{call.instance.layout})
      add_instance(all, call.callee, {layout, form});
}

Instances instances_of(const ir::Program& program) {
  Instances all;
  for (const ir::Entry& entry : program.entries)
    for (const ir::Overload& overload : entry.overloads)
      for (const ir::Variant& variant : overload.variants)
        add_instance(all, variant.function, variant.instance);
  for (const ir::Function* f : program.functions)
    ir::for_each_expr_in(f->body, [&](const ir::Expr* e) {
      const auto* call = ir::try_as<ir::Call>(e);
      if (call && call->callee->is_root && call->callee->is_relaxed() != f->is_relaxed())
        add_called(all, *call);
    });
  return all;
}

void instantiate(FileContext& file, const std::vector<ir::Variant>& instances) {
  using types::Layout;
  const ir::Function& f = *instances.front().function;
  const auto is_of = [&](size_t k, Layout layout) {
    return instances[k].instance.layout == layout;
  };
  if (!f.any_form && instances.size() == 2 && is_of(0, Layout::kC) && is_of(1, Layout::kA))
    return file.out.line(fmt::format("PYK_LAYOUTS({});", f.symbol));
  for (const ir::Variant& variant : instances)
    file.out.line(fmt::format("template decltype({0}) {0};", pyext::symbol_of(variant)));
}

// double sum2d(pyk::array<const double, 2, pyk::A> a) noexcept;
void declare_root(FileContext& file, const ir::Function& f) {
  Printer printer(file, f, Printer::Part::kHead);
  file.out.source(f.span);
  const Head head = printer.head(true);
  if (const std::string line = head.template_line(); !line.empty()) file.out.line(line);
  file.out.line(head.line() + " noexcept;");
}

}  // namespace

void print_host(FileContext& file, const Functions& functions) {
  print_globals(file, functions);
  const auto early = called_early(file, functions);
  if (!early.empty()) file.out.line("");
  for (const ir::Function* f : functions)
    if (early.contains(f)) Printer(file, *f, Printer::Part::kHead).declaration();
  const Instances instances = instances_of(file.program);
  for (const ir::Function* f : functions) {
    file.out.line("");
    Printer(file, *f).function();
    if (f->per_isa == file.per_isa && instances.contains(f)) instantiate(file, instances.at(f));
  }
}

void print_drivers(FileContext& file, const Functions& roots) {
  file.headers.insert("pyk/isa.h");
  file.out.line("");
  file.out.line("// Bodies, of which each instruction set has its own.");
  file.out.line("PYK_EACH_ISA(");
  file.out.indent();
  for (const ir::Function* f : roots) declare_root(file, *f);
  file.out.dedent();
  file.out.line(")");
  const Instances instances = instances_of(file.program);
  for (const ir::Function* f : roots) {
    file.out.line("");
    Printer(file, *f, Printer::Part::kHead).driver();
    if (instances.contains(f)) instantiate(file, instances.at(f));
  }
}

void print_roots(FileContext& file) {
  for (const ir::Function* f : file.program.functions)
    if (f->is_root) declare_root(file, *f);
}

}  // namespace pyk2cu::emit
