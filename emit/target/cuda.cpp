// The GPU: kernels that take raw pointers and extents, and build views of them inside.
//
//   template <class L, class Index, bool kDisjoint>
//   __global__ void saxpy(float a, pyk::pointer<const float, kDisjoint> x_data,
//                         pyk::extents<Index, 1> x_extents, …) {
//     const auto x = pyk::view_of<L>(x_data, x_extents);
//
// Structs of pointers would lose the read-only path of loads. Each kernel is made for the variants
// of its entry; the launch chooses.
// In:   kernels and device functions.  Out: lines. Tested by tests/golden/cuda.
#include <fmt/format.h>

#include <algorithm>

#include "emit/target/source_file.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

namespace {

using ir::Guard;

bool has_guard(const ir::Variant& variant, Guard::Kind kind) {
  return std::any_of(variant.guards.begin(), variant.guards.end(),
                     [&](const Guard& guard) { return guard.kind == kind; });
}

std::vector<const ir::Variant*> variants_of(const ir::Program& program, const ir::Function& f) {
  std::vector<const ir::Variant*> all;
  for (const ir::Entry& entry : program.entries)
    for (const ir::Overload& overload : entry.overloads)
      for (const ir::Variant& variant : overload.variants)
        if (variant.function == &f) all.push_back(&variant);
  return all;
}

struct KernelHead {
  std::vector<std::string> template_params;
  ListText params;
  std::vector<std::string> views;  // lines at the top of the body
  bool depends_on_overlap = false;
};

KernelHead kernel_head(FileContext& file, Printer& printer, const ir::Function& f) {
  KernelHead head;
  const auto variants = variants_of(file.program, f);
  head.depends_on_overlap = std::any_of(variants.begin(), variants.end(), [](const auto* v) {
    return has_guard(*v, Guard::Kind::kDisjoint);
  });
  bool arrays = false;
  const ir::LocalSet assigned = ir::assigned_in(f.body);
  for (const ir::Param& p : f.params) {
    const types::Type* type = p.local->type;
    const std::string& name = printer.name(p.local);
    arrays = arrays || types::holds_array(type);
    if (!type->is_array()) {
      head.params.add(printer.param_type(p) + " " + name);
      continue;
    }
    const std::string elem = (p.local->written ? "" : "const ") + file.type(type->elem);
    head.params.add(head.depends_on_overlap
                        ? fmt::format("pyk::pointer<{}, kDisjoint> {}_data", elem, name)
                        : fmt::format("{}* __restrict__ {}_data", elem, name));
    head.params.add(fmt::format("pyk::extents<Index, {}> {}_extents", type->rank, name));
    head.views.push_back(fmt::format("{2}auto {0} = pyk::view_of<{1}>({0}_data, {0}_extents);",
                                     name, cpp_layout(type->layout),
                                     assigned.contains(p.local) ? "" : "const "));
  }
  if (f.any_layout) head.template_params.push_back("class L");
  if (arrays) head.template_params.push_back("class Index");
  if (head.depends_on_overlap) head.template_params.push_back("bool kDisjoint");
  return head;
}

// PYK_INSTANCE(saxpy<pyk::C, int32_t, true>);
void instantiate(FileContext& file, const ir::Function& f, const KernelHead& head) {
  for (const ir::Variant* variant : variants_of(file.program, f)) {
    ListText args;
    if (f.any_layout) args.add(cpp_layout(variant->instance.layout));
    args.add(has_guard(*variant, Guard::Kind::kFits32) ? "int32_t" : "int64_t");
    if (head.depends_on_overlap)
      args.add(has_guard(*variant, Guard::Kind::kDisjoint) ? "true" : "false");
    file.out.line(fmt::format("PYK_INSTANCE({}<{}>);", f.symbol, plain(args.text())));
  }
}

void kernel(FileContext& file, const ir::Function& f) {
  Writer& out = file.out;
  Printer printer(file, f);
  const KernelHead head = kernel_head(file, printer, f);
  out.source(f.span);
  printer.print_comment();
  Head line{head.template_params, "__global__ void", f.symbol, head.params};
  if (const std::string text = line.template_line(); !text.empty()) out.line(text);
  out.line(line.line() + " {");
  out.indent();
  for (const std::string& view : head.views) out.line(view);
  out.dedent();
  printer.body();
  out.source({});
  out.line("}");
  if (!head.template_params.empty()) instantiate(file, f, head);
}

void declare_device_function(FileContext& file, const ir::Function& f) {
  const Head head = Printer(file, f, Printer::Part::kHead).head(false);
  if (const std::string text = head.template_line(); !text.empty()) file.out.line(text);
  file.out.line("static __device__ " + head.line() + ";");
}

void device_function(FileContext& file, const ir::Function& f) {
  Writer& out = file.out;
  Printer printer(file, f);
  out.source(f.span);
  printer.print_comment();
  const Head head = printer.head(true);
  if (const std::string text = head.template_line(); !text.empty()) out.line(text);
  out.line("static __device__ " + head.line() + " {");
  printer.body();
  out.source({});
  out.line("}");
}

}  // namespace

void print_cuda(FileContext& file, const Functions& functions) {
  file.headers.insert("pyk/cuda.h");
  print_globals(file, functions);
  const auto early = called_early(file, functions);
  if (!early.empty()) file.out.line("");
  for (const ir::Function* f : functions)
    if (early.contains(f)) declare_device_function(file, *f);
  for (const ir::Function* f : functions) {
    file.out.line("");
    if (f->kind == ir::FunctionKind::kKernel)
      kernel(file, *f);
    else
      device_function(file, *f);
  }
}

}  // namespace pyk2cu::emit
