// Calls of functions of the program, and function values: lambdas and nested defs.
//
// A function value exists only while compiling. Calling it calls an instance of its body; what it
// takes from the function around it is passed as further arguments.
//   def f(a): g = lambda x: x + a; return g(1)   ->   g(int64 x, T a); f: return g(1, a)
// In, out: infer.h. Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include <algorithm>

#include "typeinfer/infer/elementwise.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::infer {

using ir::ExprKind;

namespace {

std::string describe(const std::vector<Operand>& args) {
  std::string text;
  for (const Operand& arg : args) {
    if (!text.empty()) text += ", ";
    const Type* type = argument_type(arg);
    text += type ? types::print(type) : "compile-time";
  }
  return text;
}

// Does NumPy take the loop of this signature: are all casts safe?
bool is_loop_for(const signature::Signature& sig, const std::vector<Operand>& args) {
  if (sig.params.size() != args.size()) return false;
  for (size_t k = 0; k < args.size(); ++k)
    if (!args[k].is_value() || !types::is_safe_cast(args[k].type(), sig.params[k])) return false;
  return true;
}

// How far the arguments are from a signature; negative: they do not fit.
int distance(const signature::Signature& sig, const std::vector<Operand>& args) {
  if (sig.params.size() != args.size()) return -1;
  int sum = 0;
  for (size_t k = 0; k < args.size(); ++k) {
    const Type* type = argument_type(args[k]);
    if (!type) return -1;
    if (type == sig.params[k]) continue;
    const types::Conversion how = types::conversion(type, sig.params[k]);
    if (how == types::Conversion::kNone) return -1;
    sum += how == types::Conversion::kUnsafe ? 1000 : how == types::Conversion::kSafe ? 10 : 1;
  }
  return sum;
}

}  // namespace

// ---- function values ---------------------------------------------------------------------------

namespace {

// Puts its values into locals of their own.
void keep(Emitter& in, Operand& o) {
  for_each_value(o, [&](Value& value) {
    if (value.expr->kind != ExprKind::kConst) value = Value(in.spill(value.expr, "value"));
  });
}

}  // namespace

Operand make_function(Expressions& in, const ast::Node& function, Symbol name) {
  Closure prototype;
  prototype.name = name;
  prototype.def = ast::as<ast::FunctionDef>(function);
  prototype.lambda = ast::as<ast::Lambda>(function);
  prototype.module = &in.context().module();
  prototype.options = in.context().options();
  prototype.exported = false;
  for (Symbol free : scope::free_names(function))
    if (in.names().versions().captures.contains({function.id, free.key()}))
      prototype.captures.push_back(free);
  prototype.defaults = scope::defaults_of(function);
  const Closure* closure = in.context().unit().closure(function, prototype);
  const Operand unbound{None{}};  // until read_captures() finds it assigned
  Function made{closure, std::vector<Operand>(closure->captures.size(), unbound), true};
  for (const ast::Expr* fallback : closure->defaults) {
    made.parts.push_back(in.operand(*fallback));
    keep(in.emitter(), made.parts.back());
  }
  return in.names().read_captures({std::move(made), function.span}, function.id, function.span);
}

// ---- calls -------------------------------------------------------------------------------------

namespace {

// A function that has signatures is called through the one nearest to the arguments, a universal
// one through the first that they can be cast to.
const signature::Signature* choose_signature(Emitter& in, const decorators::Definition& definition,
                                             std::vector<Operand>& args, Span span) {
  const signature::Signature* best = nullptr;
  int least = 0;
  for (const signature::Signature& sig : definition.signatures) {
    if (definition.ufunc) {
      if (!best && is_loop_for(sig, args)) best = &sig;
    } else if (const int d = distance(sig, args); d >= 0 && (!best || d < least)) {
      best = &sig;
      least = d;
    }
  }
  if (!best) {
    auto builder =
        in.report(span, diag::NoMatchingSignature, definition.name.str(), describe(args));
    for (const signature::Signature& sig : definition.signatures)
      builder.help("there is `" + signature::print(sig) + "`");
    return nullptr;
  }
  for (size_t k = 0; k < args.size(); ++k)
    if (!best->params[k]->has_one_value())
      args[k] = to_operand(convert(in, value_of(in, args[k], span), best->params[k], span));
  return best;
}

ir::Options callee_options(const Context& context, const decorators::Definition& definition) {
  ir::Options o = context.options();
  if (definition.stencil) {  // Numba takes it into parallel functions alone
    if (!o.parallel) o.error_model = definition.options.error_model;
    return o;
  }
  const bool own_rules =
      definition.kind == decorators::DefinitionKind::kJit || definition.ufunc.has_value();
  if (!own_rules || context.on_cuda()) {
    const bool nested = definition.def != nullptr && !definition.exported;
    o.parallel = o.parallel && nested;
    return o;
  }
  o.error_model = definition.options.error_model;
  o.parallel = definition.options.parallel;
  o.fastmath = definition.options.fastmath;
  o.boundscheck = definition.options.boundscheck;
  return o;
}

bool has_arrays(const std::vector<Operand>& args) {
  return std::any_of(args.begin(), args.end(),
                     [](const Operand& arg) { return arg.is_value() && arg.type()->is_array(); });
}

// A `@vectorize` function of arrays: of their elements.
Operand invoke_for_all(Emitter& in, const Operand& function, const std::vector<Operand>& args,
                       Span span) {
  if (in.on_cuda())
    return to_operand(array_expression(in, span, "a `@vectorize` function of arrays"));
  std::vector<ir::Expr*> values;
  for (const Operand& arg : args) {
    values.push_back(unwrap(in, value_of(in, arg, span), span));
    if (is_error(values.back())) return error();
  }
  return to_operand(elementwise(
      in, std::move(values),
      [&](const std::vector<ir::Expr*>& elements) {
        std::vector<Operand> one;
        for (ir::Expr* e : elements) one.push_back(to_operand(e));
        return value_of(in, invoke(in, function, std::move(one), span), span);
      },
      span));
}

Operand refuse_recursion(Emitter& in, Span span) {
  in.not_supported(span, "a generator that calls itself", "keep what is open in a list of its own");
  return error();
}

// Nothing runs before a loop goes over it.
Operand generator_call(Emitter& in, ir::Function& function, const Type* yielded,
                       std::vector<Operand> args, std::vector<Symbol> captures, Span span) {
  if (yielded == types::void_()) {
    in.not_supported(span, "a generator that never yields", "leave the loop out");
    return error();
  }
  in.context().renew(span);
  return {Generated{&function, std::move(args), span, std::move(captures)}, span};
}

}  // namespace

Operand invoke(Emitter& in, const Operand& function, std::vector<Operand> args, Span span) {
  const decorators::Definition& definition = *function.as<Function>().definition;
  const std::span<const Operand> parts = function.parts();
  if (std::any_of(args.begin(), args.end(), has_error)) return error();
  if (definition.kind == decorators::DefinitionKind::kGuvectorize) {
    in.not_supported(span, "a call of a `@guvectorize` function");
    return error();
  }
  if (definition.ufunc && has_arrays(args)) return invoke_for_all(in, function, args, span);
  const Type* declared = nullptr;
  const bool exact = std::any_of(definition.signatures.begin(), definition.signatures.end(),
                                 [&](const auto& sig) { return distance(sig, args) == 0; });
  if (!definition.signatures.empty() && (exact || !definition.lazy)) {
    const signature::Signature* chosen = choose_signature(in, definition, args, span);
    if (!chosen) return error();
    declared = chosen->result;
  }
  if (std::any_of(parts.begin(), parts.end(), has_error)) return error();
  args.insert(args.end(), parts.begin(),
              parts.end() - std::ptrdiff_t(defaults_of(function).size()));
  if (std::ranges::any_of(args, holds_generated)) {
    in.not_supported(span, "a generator as an argument",
                     "pass what it is made of, and call the generator where the loop over it is");
    return error();
  }
  std::vector<ir::Expr*> values;
  for (Operand& arg : args)
    for_each_value(arg, [&](const Value& value) { values.push_back(value.expr); });
  const bool yields = is_generator(definition);
  if (yields) declared = nullptr;  // says what Python sees of it
  const std::vector<Operand> given = yields ? args : std::vector<Operand>{};
  Instance* callee = in.context().unit().instantiate(
      definition, std::move(args), callee_options(in.context(), definition), declared);
  in.context().add_callee(callee);
  if (callee->state == State::kFailed) return error();
  if (yields && callee->state == State::kInWork) return refuse_recursion(in, span);
  if (!callee->result) {
    in.context().wait_for(definition.name, span);
    return error();
  }
  if (callee->result->is_error()) return error();
  if (yields) {
    const auto captures =
        parts.empty() ? std::vector<Symbol>{} : static_cast<const Closure&>(definition).captures;
    return generator_call(in, *callee->function, callee->result, given, captures, span);
  }
  auto* node = in.make(ir::Call{
      {ExprKind::kCall, callee->result, span}, callee->function, in.list(std::move(values))});
  if (callee->result == types::void_()) {
    in.emit_eval(node);
    return {None{}, span};
  }
  return to_operand(ir::has_effect(node) ? in.spill(node, "value") : node);
}

}  // namespace pyk2cu::infer
