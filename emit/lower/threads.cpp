// The CPU twin of kernels: a kernel becomes a host function that runs its threads, block by block.
//
//   kernel saxpy(a, x): i = grid.x …
//   ->
//   host saxpy_thread(thread_x, block_x, block_dim_x, a, x): i = block_x * block_dim_x + thread_x …
//   host saxpy(a, x), launched: parallel for block: for every thread: saxpy_thread(…)
//
// Device functions get as parameters what they ask of where they run. Kernels without barriers
// only. In: kernels and device functions, ranges known.  Out: host functions. Tested by
// tests/golden/cuda and tests/run/test_cuda.py.
#include <array>
#include <map>

#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Expr;
using ir::Function;
using ir::LaneOp;
using ir::Local;

namespace {

// threadIdx.x and the like, in the order of parameters.
struct Coordinate {
  LaneOp op;
  int axis;

  auto operator<=>(const Coordinate&) const = default;
};
using Coordinates = std::map<Coordinate, Local*>;  // and the local that holds each

std::string name_of(const Coordinate& c) {
  constexpr std::string_view kNames[] = {"thread", "block", "block_dim", "grid_dim"};
  return std::string(kNames[size_t(c.op)]) + "_" + "xyz"[c.axis];
}

// What one of the language's lane values is computed from.
std::vector<Coordinate> parts_of(const ir::Lane& e) {
  switch (e.op) {
    case LaneOp::kGrid:
      return {{LaneOp::kThread, e.axis}, {LaneOp::kBlock, e.axis}, {LaneOp::kBlockDim, e.axis}};
    case LaneOp::kGridSize:
      return {{LaneOp::kBlockDim, e.axis}, {LaneOp::kGridDim, e.axis}};
    case LaneOp::kLaneId:
      return {{LaneOp::kThread, 0},
              {LaneOp::kThread, 1},
              {LaneOp::kThread, 2},
              {LaneOp::kBlockDim, 0},
              {LaneOp::kBlockDim, 1}};
    default:
      return {{e.op, e.axis}};
  }
}

class Threads {
 public:
  explicit Threads(ir::Program& program) : program_(program) {}

  void run() {
    std::vector<std::pair<Function*, Function*>> all;  // the kernel, if it is one, and its body
    for (Function* f : program_.functions) {           // callees first
      const bool kernel = f->kind == ir::FunctionKind::kKernel;
      all.push_back({kernel ? f : nullptr, kernel ? thread_of(*f) : f});
    }
    for (bool grown = true; grown;) {  // again where functions call themselves
      grown = false;
      for (const auto& [kernel, body] : all) grown = ask(*body) || grown;
    }
    for (const auto& [kernel, body] : all) take(*body);
    program_.functions.clear();
    for (const auto& [kernel, body] : all) {
      block(body->body, asked_.at(body));
      body->kind = ir::FunctionKind::kHost;
      program_.functions.push_back(body);
      if (!kernel) continue;
      drive(*kernel, *body);
      program_.functions.push_back(kernel);
    }
  }

 private:
  // The kernel's body as a function of its own.
  Function* thread_of(Function& f) {
    Function* body = ir::clone(f, program_);
    body->symbol = unique_symbol(program_, f.symbol + "_thread");
    body->part = "one thread";
    body->body_span = f.span;
    body->is_root = false;
    return body;
  }

  static Local* new_local(ir::Program& program, Function& f, std::string_view name,
                          const types::Type* type) {
    return ir::Builder{program, f.span}.temp(name, type);
  }

  // What the function asks about where it runs, itself or in what it calls. True: more than before.
  bool ask(const Function& f) {
    Coordinates& asked = asked_[&f];
    const size_t before = asked.size();
    ir::for_each_expr_in(f.body, [&](const Expr* e) {
      if (const auto* lane = ir::try_as<ir::Lane>(e))
        for (const Coordinate& c : parts_of(*lane)) asked[c] = nullptr;
      const auto* call = ir::try_as<ir::Call>(e);
      const auto callee = call ? asked_.find(call->callee) : asked_.end();
      if (callee == asked_.end() || &callee->second == &asked) return;
      for (const auto& [c, local] : callee->second) asked[c] = nullptr;
    });
    return asked.size() > before;
  }

  // Where the function runs becomes parameters, in front of its own.
  void take(Function& f) {
    std::vector<ir::Param> params;
    std::vector<Local*> locals;
    for (auto& [c, local] : asked_.at(&f)) {
      local = new_local(program_, f, name_of(c), types::int32());
      local->is_param = true;
      params.push_back({local});
      locals.push_back(local);
    }
    f.locals.insert(f.locals.begin(), locals.begin(), locals.end());
    f.params.insert(f.params.begin(), params.begin(), params.end());
  }

  void block(ir::Block& b, const Coordinates& here) {
    for (ir::Stmt* s : b) {
      ir::for_each_expr(s, [&](Expr*& e) { replace(e, here); });
      ir::for_each_block(s, [&](ir::Block& inner) { block(inner, here); });
    }
  }

  void replace(Expr*& e, const Coordinates& here) {
    ir::for_each_operand(e, [&](Expr*& operand) { replace(operand, here); });
    const ir::Builder build{program_, e->span};
    if (auto* call = ir::try_as<ir::Call>(e)) {
      std::vector<Expr*> args;
      for (const auto& [c, local] : asked_.at(call->callee)) args.push_back(build.load(here.at(c)));
      args.insert(args.end(), call->args.begin(), call->args.end());
      call->args = program_.list(args);
    }
    const auto* lane = ir::try_as<ir::Lane>(e);
    if (!lane) return;
    const auto value = [&](LaneOp op, int axis) { return build.load(here.at({op, axis})); };
    const auto wide = [&](Expr* x) {
      return build.expr<ir::Convert>(types::int64(), ir::ConvertOp::kExact, x);
    };
    switch (lane->op) {
      case LaneOp::kGrid:
        e = build.plain(BinaryOp::kAdd,
                        build.plain(BinaryOp::kMul, wide(value(LaneOp::kBlock, lane->axis)),
                                    wide(value(LaneOp::kBlockDim, lane->axis))),
                        wide(value(LaneOp::kThread, lane->axis)));
        return;
      case LaneOp::kGridSize:
        e = build.plain(BinaryOp::kMul, wide(value(LaneOp::kBlockDim, lane->axis)),
                        wide(value(LaneOp::kGridDim, lane->axis)));
        return;
      case LaneOp::kLaneId: {  // x fastest
        Expr* row = build.plain(
            BinaryOp::kAdd, value(LaneOp::kThread, 1),
            build.plain(BinaryOp::kMul, value(LaneOp::kThread, 2), value(LaneOp::kBlockDim, 1)));
        Expr* thread = build.plain(BinaryOp::kAdd, value(LaneOp::kThread, 0),
                                   build.plain(BinaryOp::kMul, row, value(LaneOp::kBlockDim, 0)));
        e = build.plain(BinaryOp::kMod, thread, build.integer(32, types::int32()));
        return;
      }
      default:
        e = value(lane->op, lane->axis);
    }
  }

  // ---- the loops over blocks and threads -------------------------------------------------------
  //
  // The kernel becomes the host function that runs `thread` for all threads of the launch.
  void drive(Function& f, Function& thread) {
    const ir::Builder build{program_, f.span};
    const Coordinates& asked = asked_.at(&thread);
    f.kind = ir::FunctionKind::kHost;
    f.launches = true;
    f.locals.resize(f.params.size());
    f.body.clear();
    Local* block = own(f, "block", types::int64());
    Coordinates at;
    for (const LaneOp op : {LaneOp::kBlockDim, LaneOp::kGridDim})
      for (int axis = 0; axis < 3; ++axis) {
        const bool counts = op == LaneOp::kBlockDim || divides(asked, axis);
        if (counts || asked.contains({op, axis})) at[{op, axis}] = nullptr;
      }
    for (auto& [c, local] : at) {
      local = own(f, name_of(c), types::int32());
      f.body.push_back(build.assign(local, build.expr<ir::Lane>(types::int32(), c.op, c.axis)));
    }
    ir::Block* body = build.block();
    for (int axis = 0; axis < 3; ++axis)
      if (asked.contains({LaneOp::kBlock, axis})) {
        Local*& local = at[{LaneOp::kBlock, axis}];
        local = own(f, name_of({LaneOp::kBlock, axis}), types::int32());
        body->push_back(build.assign(local, block_index(build, block, axis, at)));
      }
    body->push_back(loop_over_threads(build, f, thread, at, 2));
    auto* loop = build.stmt<ir::For>(block, build.integer(0), lanes_of(build, LaneOp::kBlocks),
                                     build.integer(1), ir::LoopKind::kParallel, body);
    loop->schedule = ir::Schedule::kLaunch;
    loop->keeps_error = f.may_raise;
    loop->worth = build.compare(types::CompareOp::kGt,
                                build.plain(BinaryOp::kMul, lanes_of(build, LaneOp::kBlocks),
                                            lanes_of(build, LaneOp::kThreads)),
                                build.integer(kFewThreads));
    f.body.push_back(loop);
  }

  static constexpr int64_t kFewThreads = 4096;  // not worth waking other cores

  // Is the extent of the grid along the axis needed to tell where a block stands?
  static bool divides(const Coordinates& asked, int axis) {
    if (axis == 2) return false;
    for (const auto& [c, local] : asked)
      if (c.op == LaneOp::kBlock && c.axis >= axis) return true;
    return false;
  }

  Local* own(Function& f, std::string_view name, const types::Type* type) {
    f.locals.push_back(new_local(program_, f, name, type));
    return f.locals.back();
  }

  static Expr* lanes_of(const ir::Builder& build, LaneOp op) {
    return build.expr<ir::Lane>(types::int64(), op, 0);
  }

  // block % grid_dim.x, block / grid_dim.x % grid_dim.y, block / grid_dim.x / grid_dim.y
  Expr* block_index(const ir::Builder& build, Local* block, int axis, const Coordinates& at) {
    const auto extent = [&](int k) {
      return build.expr<ir::Convert>(types::int64(), ir::ConvertOp::kExact,
                                     build.load(at.at({LaneOp::kGridDim, k})));
    };
    Expr* index = build.load(block);
    for (int k = 0; k < axis; ++k) index = build.plain(BinaryOp::kFloorDiv, index, extent(k));
    if (axis < 2) index = build.plain(BinaryOp::kMod, index, extent(axis));
    return build.expr<ir::Convert>(types::int32(), ir::ConvertOp::kWrap, index);
  }

  // for thread_z …: for thread_y …: for thread_x …: f_thread(…)
  ir::Stmt* loop_over_threads(const ir::Builder& build, Function& f, Function& thread,
                              Coordinates& at, int axis) {
    if (axis < 0) {
      std::vector<Expr*> args;
      for (const auto& [c, local] : asked_.at(&thread)) args.push_back(build.load(at.at(c)));
      for (const ir::Param& p : f.params) args.push_back(build.load(p.local));
      return build.stmt<ir::Eval>(
          build.expr<ir::Call>(types::void_(), &thread, program_.list(args)));
    }
    Local* index = own(f, name_of({LaneOp::kThread, axis}), types::int32());
    at[{LaneOp::kThread, axis}] = index;
    Expr* end = build.load(at.at({LaneOp::kBlockDim, axis}));
    ir::Stmt* inner = loop_over_threads(build, f, thread, at, axis - 1);
    return build.stmt<ir::For>(index, build.integer(0, types::int32()), end,
                               build.integer(1, types::int32()), ir::LoopKind::kSerial,
                               build.block({inner}));
  }

  ir::Program& program_;
  std::map<const Function*, Coordinates> asked_{};
};

}  // namespace

void threads(ir::Program& program) { Threads(program).run(); }

}  // namespace pyk2cu::emit
