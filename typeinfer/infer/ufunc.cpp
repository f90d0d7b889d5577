// Makes the loops of universal functions. In, out: ufunc.h.
#include "typeinfer/infer/ufunc.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/base/counted.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::infer {

using decorators::Definition;
using decorators::DefinitionKind;
using ir::Expr;
using ir::Function;
using ir::Local;
using types::Layout;
using types::Type;

namespace {

constexpr int kMostFixed = 3;  // inputs of a function that gets a variant per fixed input

// How one variant takes its operands.
struct Shape {
  Layout layout = Layout::kA;
  int fixed = -1;  // the operand that is the same for all elements
};

// One variant.
class LoopMaker {
 public:
  LoopMaker(ir::Program& program, const ir::Overload& core, const Shape& shape)
      : program_(program),
        b_{program, core.general()->span},
        shape_(shape),
        // Contiguous operands have contiguous cores.
        callee_(*(shape.layout == Layout::kC ? core.variants.front().function : core.general())) {}

  Function* make() {
    f_->name = callee_.name;
    f_->part = "loop";
    f_->span = callee_.span;
    f_->body_span = callee_.body_span;
    f_->file = callee_.file;
    f_->options = callee_.options;
    f_->result = types::void_();
    std::vector<Expr*> args;
    for (const ir::Param& p : callee_.params) args.push_back(operand(*p.local));
    auto* call = b_.expr<ir::Call>(callee_.result, &callee_, program_.list(args));
    ir::Block* body = b_.block();
    if (callee_.result == types::void_())
      body->push_back(b_.stmt<ir::Eval>(call));
    else
      store(*body, call);
    f_->locals.push_back(index_);
    // The first axis of what differs from element to element, an output where there is one, is
    // the loop's.
    const bool last_is_fixed = shape_.fixed == int(f_->params.size()) - 1;
    const ir::Param& moving = f_->params[f_->params.size() - (last_is_fixed ? 2 : 1)];
    Expr* count = b_.extent(b_.load(moving.local), 0);
    f_->body.push_back(
        b_.stmt<ir::For>(index_, b_.integer(0), count, b_.integer(1), ir::LoopKind::kSerial, body));
    ir::analyse(*f_);
    return f_;
  }

 private:
  Local* param(std::string_view name, const Type* type, bool is_temp) {
    Local* made = b_.temp(name, type);
    made->is_temp = is_temp;
    made->is_param = true;
    f_->params.push_back({.local = made});
    f_->locals.push_back(made);
    return made;
  }

  // The next parameter of the loop, and what one element gets of it.
  Expr* operand(const Local& element) {
    const Type* one = element.type;
    if (int(f_->params.size()) == shape_.fixed)
      return b_.load(param(element.name.str(), one, false));
    const Type* all = one->is_array() ? types::array(one->elem, one->rank + 1, shape_.layout,
                                                     one->readonly, one->aligned)
                                      : types::array(one, 1, shape_.layout);
    Local* whole = param(element.name.str(), all, false);
    if (!one->is_array()) return b_.expr<ir::Element>(one, b_.load(whole), at_index());
    ir::Subscript at, full;
    at.index = at_index()[0];
    full.kind = ir::Subscript::Kind::kSlice;
    std::vector<ir::Subscript> subscripts(size_t(one->rank) + 1, full);
    subscripts[0] = at;
    return b_.expr<ir::View>(one, b_.load(whole), program_.list(subscripts));
  }

  ir::List<ir::Index> at_index() {
    return program_.list(std::vector<ir::Index>{{b_.load(index_), false}});
  }

  // value = f(…); out[i] = value
  void store(ir::Block& body, Expr* call) {
    Local* out = param("out", types::array(call->type, 1, shape_.layout), true);
    Local* value = b_.temp("value", call->type);
    f_->locals.push_back(value);
    body.push_back(b_.assign(value, call));
    ir::Place place;
    place.array = b_.load(out);
    place.indices = at_index();
    body.push_back(b_.stmt<ir::Store>(place, b_.load(value)));
  }

  ir::Program& program_;
  const ir::Builder b_;
  const Shape shape_;
  Function& callee_;
  Function* const f_ = program_.make<Function>();
  Local* const index_ = b_.temp("i", types::int64());
};

}  // namespace

bool check_operands(const Definition& d, const ir::Ufunc& ufunc, Diagnostics& diags) {
  const ast::Arguments& args = d.arguments();
  const Span at = d.def ? d.def->span : d.lambda->span;
  if (args.vararg || !args.kwonlyargs.empty()) {
    diags.report(at, diag::NotYet, "`*` among the parameters of a universal function");
    return false;
  }
  const size_t count = args.posonlyargs.size() + args.args.size();
  if (d.kind == DefinitionKind::kVectorize) {
    if (count > 0) return true;
    diags.report(at, diag::OperandCount, d.name.str(), "no parameter", "of a universal function",
                 "at least one input");
    return false;
  }
  if (count == ufunc.cores.size()) return true;
  diags.report(at, diag::OperandCount, d.name.str(), counted(count, "parameter"), ufunc.layout,
               counted(ufunc.cores.size(), "operand"));
  return false;
}

bool check_types(const Definition& d, const ir::Ufunc& ufunc, const signature::Signature& sig,
                 Diagnostics& diags) {
  bool fine = true;
  for (size_t k = 0; k < sig.params.size(); ++k) {
    const Type* type = sig.params[k];
    const Span span = k < sig.param_spans.size() ? sig.param_spans[k] : sig.span;
    const ast::Arguments& args = d.arguments();
    const size_t first = args.posonlyargs.size();
    const ast::Arg* arg = k < first ? args.posonlyargs[k] : args.args[k - first];
    const auto refuse = [&](std::string_view why) {
      diags.report(span, diag::BadUfuncOperand, arg->arg.str(), d.name.str(), types::print(type),
                   why);
      fine = false;
    };
    if (d.kind == DefinitionKind::kVectorize) {
      if (!type->is_scalar()) refuse("it gets one number of each array");
      continue;
    }
    const size_t rank = ufunc.cores[k].size();
    const bool output = int(k) >= ufunc.inputs;
    if (type->is_array() && type->elem->is_scalar()) {
      if (size_t(type->rank) != std::max<size_t>(rank, 1))
        refuse(fmt::format("the layout gives it {}", counted(rank, "dimension")));
    } else if (!type->is_scalar()) {
      refuse("it is a number or an array of numbers");
    } else if (output) {
      refuse("an output is an array, of one element where the layout says `()`");
    } else if (rank > 0) {
      refuse(fmt::format("the layout gives it {}", counted(rank, "dimension")));
    }
  }
  if (d.kind == DefinitionKind::kGuvectorize && sig.result && sig.result != types::void_() &&
      !sig.result->is_none()) {
    diags.report(sig.result_span.valid() ? sig.result_span : sig.span, diag::BadUfuncOperand,
                 "return", d.name.str(), types::print(sig.result),
                 "results are written to the last parameters");
    fine = false;
  }
  return fine;
}

bool check_result(const Definition& d, const Function& core, Diagnostics& diags) {
  if (d.kind == DefinitionKind::kGuvectorize || core.result->is_scalar()) return true;
  diags.report(core.span, diag::BadUfuncOperand, "return", d.name.str(), types::print(core.result),
               "its result is one number");
  return false;
}

ir::Overload make_loops(ir::Program& program, const ir::Ufunc& ufunc, const ir::Overload& core) {
  using GuardKind = ir::Guard::Kind;
  ir::Overload loops;
  loops.params = core.params;
  loops.result = core.result;
  loops.param_spans = core.param_spans;
  const int operands = ufunc.inputs + ufunc.outputs;
  const auto add = [&](const Shape& shape) {
    ir::Variant variant;
    for (int k = 0; k < operands; ++k) {
      if (k == shape.fixed)
        variant.guards.push_back({GuardKind::kFixed, k});
      else if (shape.layout == Layout::kC && k < int(core.params.size()))
        variant.guards.push_back({GuardKind::kContiguous, k});
    }
    if (shape.layout == Layout::kC) variant.guards.push_back({GuardKind::kDisjoint});
    variant.function = LoopMaker(program, core, shape).make();
    loops.variants.push_back(std::move(variant));
  };
  add({Layout::kC});
  if (operands > 2 && ufunc.inputs <= kMostFixed)
    for (int k = 0; k < ufunc.inputs; ++k)
      if (std::find(ufunc.writable.begin(), ufunc.writable.end(), k) == ufunc.writable.end())
        add({Layout::kC, k});
  add({});
  return loops;
}

}  // namespace pyk2cu::infer
