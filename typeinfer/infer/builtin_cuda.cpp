// The names of numba.cuda that say where a thread stands: threadIdx, blockIdx, grid, gridsize…
//
// In:   qualified names and calls inside cuda.jit functions.  Out: ir::Lane.
// threadIdx and its kin are int32, grid and gridsize int64 (docs/typing.md#cuda). Outside a
// kernel every one of them is an error. Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

namespace {

ir::Expr* lane(Emitter& in, ir::LaneOp op, int axis, const Type* type, Span span) {
  return in.make(ir::Lane{{ir::ExprKind::kLane, type, span}, op, axis});
}

// cuda.grid(n): an int64, or a tuple of n.
Operand positions(Emitter& in, const Arguments& args, ir::LaneOp op) {
  if (!in.on_cuda()) {
    in.report(args.span, diag::CudaOnly, args.path);
    return error();
  }
  const ir::Const* n =
      args.args.size() == 1 && args.keywords.empty() ? args.args[0].constant() : nullptr;
  if (!n || !n->type->is_int() || n->value.integer < 1 || n->value.integer > 3) {
    return bad_arguments(in, args);
  }
  if (n->value.integer == 1) return to_operand(lane(in, op, 0, types::int64(), args.span));
  std::vector<ir::Expr*> items;
  for (int k = 0; k < int(n->value.integer); ++k) {
    items.push_back(lane(in, op, k, types::int64(), args.span));
  }
  return to_operand(in.make_tuple(std::move(items), args.span));
}

Operand grid(Emitter& in, const Arguments& args) { return positions(in, args, ir::LaneOp::kGrid); }
Operand gridsize(Emitter& in, const Arguments& args) {
  return positions(in, args, ir::LaneOp::kGridSize);
}

constexpr HandlerRow kHandlers[] = {
    {"numba.cuda.grid", grid},
    {"numba.cuda.gridsize", gridsize},
};

struct Register {
  std::string_view name;
  ir::LaneOp op;
};
constexpr Register kRegisters[] = {{"threadIdx", ir::LaneOp::kThread},
                                   {"blockIdx", ir::LaneOp::kBlock},
                                   {"blockDim", ir::LaneOp::kBlockDim},
                                   {"gridDim", ir::LaneOp::kGridDim}};

}  // namespace

std::optional<Operand> cuda_name(Emitter& in, const std::string& path, Span span) {
  constexpr std::string_view kPrefix = "numba.cuda.";
  if (!std::string_view(path).starts_with(kPrefix)) return std::nullopt;
  const std::string_view name = std::string_view(path).substr(kPrefix.size());
  ir::Expr* value = nullptr;
  for (const Register& r : kRegisters) {
    if (name.size() != r.name.size() + 2 || !name.starts_with(r.name)) continue;
    const size_t axis = std::string_view("xyz").find(name.back());
    if (axis == std::string_view::npos) return std::nullopt;
    value = lane(in, r.op, int(axis), types::int32(), span);
  }
  if (name == "laneid") value = lane(in, ir::LaneOp::kLaneId, 0, types::int32(), span);
  if (name == "warpsize") value = in.const_int(32, types::int32(), span);
  if (!value) return std::nullopt;
  if (!in.on_cuda()) {
    in.report(span, diag::CudaOnly, user_path(path));
    return error();
  }
  return to_operand(value);
}

std::span<const HandlerRow> cuda_handlers() { return kHandlers; }

}  // namespace pyk2cu::infer
