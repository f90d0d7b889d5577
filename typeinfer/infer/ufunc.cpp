// Makes the loops of universal functions. In, out: ufunc.h.
#include "typeinfer/infer/ufunc.h"

#include <fmt/format.h>

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

std::string counted(size_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

// How one variant takes its operands.
struct Shape {
  Layout layout = Layout::kA;
  int fixed = -1;  // the operand that is the same for all elements
};

class LoopMaker {
 public:
  LoopMaker(ir::Program& program, const ir::Ufunc& ufunc, const ir::Overload& core)
      : program_(program), ufunc_(ufunc), core_(core), b_{program, core.general()->span} {}

  Function* make(const Shape& shape) {
    shape_ = shape;
    // Contiguous operands have contiguous cores.
    const bool whole = shape.layout == Layout::kC;
    callee_ = whole ? core_.variants.front().function : core_.general();
    const Function& element = *callee_;
    f_ = program_.make<Function>();
    f_->name = element.name;
    f_->part = "loop";
    f_->span = element.span;
    f_->body_span = element.body_span;
    f_->file = element.file;
    f_->options = element.options;
    f_->result = types::void_();
    Local* index = local("i", types::int64(), true);
    std::vector<Expr*> args;
    for (size_t k = 0; k < element.params.size(); ++k) args.push_back(operand(k, index));
    auto* call = b_.expr<ir::Call>(element.result, callee_, program_.list(args));
    ir::Block* body = b_.block();
    if (element.result == types::void_())
      body->push_back(b_.stmt<ir::Eval>(call));
    else
      store(*body, call, index);
    f_->locals.push_back(index);
    f_->locals.insert(f_->locals.end(), temps_.begin(), temps_.end());
    f_->body.push_back(b_.stmt<ir::For>(index, b_.integer(0), b_.extent(b_.load(longest()), 0),
                                        b_.integer(1), ir::LoopKind::kSerial, body));
    ir::analyse(*f_);
    return f_;
  }

 private:
  Local* local(std::string_view name, const Type* type, bool is_temp) {
    Local made;
    made.name = Symbol(name);
    made.type = type;
    made.span = b_.span;
    made.is_temp = is_temp;
    return program_.make<Local>(made);
  }

  Local* param(std::string_view name, const Type* type, bool is_temp) {
    Local* made = local(name, type, is_temp);
    made->is_param = true;
    ir::Param p;
    p.local = made;
    f_->params.push_back(p);
    f_->locals.push_back(made);
    return made;
  }

  // Parameter k of the loop, and what one element gets of it.
  Expr* operand(size_t k, Local* index) {
    const Local& element = *callee_->params[k].local;
    const bool fixed = int(k) == shape_.fixed;
    const Type* one = element.type;
    const Type* all = fixed             ? one
                      : one->is_array() ? types::array(one->elem, one->rank + 1, shape_.layout,
                                                       one->readonly, one->aligned)
                                        : types::array(one, 1, shape_.layout);
    Local* whole = param(element.name.str(), all, false);
    if (fixed) return b_.load(whole);
    if (one->is_array()) {
      ir::Subscript at;
      at.index = {b_.load(index), false};
      std::vector<ir::Subscript> subscripts{at};
      ir::Subscript full;
      full.kind = ir::Subscript::Kind::kSlice;
      subscripts.resize(size_t(one->rank) + 1, full);
      return b_.expr<ir::View>(one, b_.load(whole), program_.list(subscripts));
    }
    return element_of(whole, index);
  }

  Expr* element_of(Local* array, Local* index) {
    const std::vector<ir::Index> indices{{b_.load(index), false}};
    return b_.expr<ir::Element>(array->type->elem, b_.load(array), program_.list(indices));
  }

  // value = f(…); out[i] = value
  void store(ir::Block& body, Expr* call, Local* index) {
    Local* out = param("out", types::array(call->type, 1, shape_.layout), true);
    Local* value = local("value", call->type, true);
    temps_.push_back(value);
    body.push_back(b_.assign(value, call));
    ir::Place place;
    place.array = b_.load(out);
    place.indices = program_.list(std::vector<ir::Index>{{b_.load(index), false}});
    body.push_back(b_.stmt<ir::Store>(place, b_.load(value)));
  }

  // The operand whose first axis is the loop's: an output, or else an input that is not fixed.
  Local* longest() const {
    size_t k = f_->params.size() - 1;
    if (int(k) == shape_.fixed) --k;
    return f_->params[k].local;
  }

  ir::Program& program_;
  const ir::Ufunc& ufunc_;
  const ir::Overload& core_;
  const ir::Builder b_;
  Shape shape_{};
  Function* callee_ = nullptr;
  Function* f_ = nullptr;
  std::vector<Local*> temps_{};
};

}  // namespace

void set_operands(ir::Ufunc& ufunc, const ir::Entry& entry) {
  ufunc.inputs = int(entry.param_names.size());
  ufunc.outputs = 1;
  ufunc.cores.assign(size_t(ufunc.inputs) + 1, {});
}

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
  LoopMaker maker(program, ufunc, core);
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
    variant.function = maker.make(shape);
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
