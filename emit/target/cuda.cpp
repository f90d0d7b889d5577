// The GPU: kernels that take raw pointers and extents, and build views of them inside.
//
//   template <class Index>
//   __global__ void saxpy(float a, const float* __restrict__ x_data, Index x_extent, …) {
//     const pyk::array<const float, 1, pyk::C, Index> x{{x_data, {x_extent}}};
//
// Each is instantiated for 32-bit and 64-bit offsets; the launch chooses (spec/emission.md).
// In:   kernels and device functions.  Out: lines. Tested by tests/golden/cuda.
#include <fmt/format.h>

#include "emit/lower/walk.h"
#include "emit/target/source_file.h"

namespace pyk2cu::emit {

namespace {

struct KernelParams {
  std::string list, types, views;
  bool has_array = false;
};

// x -> const float* __restrict__ x_data, Index x_extent0, Index x_extent1, Index x_stride0, …
void add_array(KernelParams& out, const Printer& printer, const ir::Param& p) {
  const types::Type* type = p.local->type;
  const std::string& name = printer.name(p.local);
  const std::string view = printer.param_type(p);
  const bool readonly = view.find("<const ") != std::string::npos;
  const std::string pointer =
      fmt::format("{}{}* __restrict__", readonly ? "const " : "", cpp_type(type->elem));
  std::string extents, strides;
  out.list += pointer + " " + name + "_data";
  out.types += pointer;
  const auto numbers = [&](const char* what) {
    std::string all;
    for (int k = 0; k < type->rank; ++k) {
      const std::string one = fmt::format("{}_{}{}", name, what, k);
      out.list += ", Index " + one;
      out.types += ", Index";
      all += (k ? ", " : "") + one;
    }
    return all;
  };
  extents = numbers("extent");
  if (type->layout == types::Layout::kA) strides = ", {" + numbers("stride") + "}";
  out.views +=
      fmt::format("const {} {}{{{{{}_data, {{{}}}}}{}}};\n", view, name, name, extents, strides);
  out.has_array = true;
}

KernelParams kernel_params(const Printer& printer, const ir::Function& f) {
  KernelParams out;
  for (const ir::Param& p : f.params) {
    if (!out.list.empty()) out.list += ", ", out.types += ", ";
    if (p.local->type->is_array()) {
      add_array(out, printer, p);
      continue;
    }
    out.has_array = out.has_array || holds_array(p.local->type);
    out.list += printer.param_type(p) + " " + printer.name(p.local);
    out.types += printer.param_type(p);
  }
  return out;
}

std::string with_index(std::string types, const std::string& index) {
  for (size_t at; (at = types.find("Index")) != std::string::npos;) types.replace(at, 5, index);
  return types;
}

void kernel(FileContext& file, ir::Function& f) {
  Writer& out = file.out;
  Printer printer(file, f);
  const KernelParams params = kernel_params(printer, f);
  out.source(f.span);
  printer.print_comment();
  if (params.has_array) out.line("template <class Index>");
  out.line(fmt::format("__global__ void {}({}) {{", f.symbol, params.list));
  out.indent();
  for (size_t begin = 0; begin < params.views.size();) {
    const size_t end = params.views.find('\n', begin);
    out.line(std::string_view(params.views).substr(begin, end - begin));
    begin = end + 1;
  }
  out.dedent();
  printer.body();
  out.source({});
  out.line("}");
  if (!params.has_array) return;
  for (const char* index : {"int32_t", "int64_t"})
    out.line(fmt::format("template __global__ void {}<{}>({});", f.symbol, index,
                         with_index(params.types, index)));
}

void device_function(FileContext& file, ir::Function& f) {
  Writer& out = file.out;
  Printer printer(file, f);
  bool has_array = false;
  for (const ir::Param& p : f.params) has_array = has_array || holds_array(p.local->type);
  out.source(f.span);
  printer.print_comment();
  if (has_array) out.line("template <class Index>");
  out.line("static __device__ " + printer.head(true) + " {");
  printer.body();
  out.source({});
  out.line("}");
}

}  // namespace

void print_cuda(FileContext& file, const std::vector<ir::Function*>& functions) {
  print_globals(file, functions);
  for (ir::Function* f : functions) {
    file.out.line("");
    if (f->kind == ir::FunctionKind::kKernel)
      kernel(file, *f);
    else
      device_function(file, *f);
  }
}

}  // namespace pyk2cu::emit
