// Operators: where C++ computes what Python means, its operator; elsewhere a pyk:: function.
//
// In:   Unary, Binary, Compare, Logical, Select, Convert.  Out: Code with as few casts and
// parentheses as C++'s own conversions and precedence allow.
// Tested by tests/golden.
#include <fmt/format.h>

#include <cmath>

#include "emit/print/printer.h"
#include "emit/text/literal.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::CompareOp;
using ir::constant;
using ir::ConvertOp;
using ir::Expr;
using ir::ExprKind;
using ir::loaded;
using types::Type;

namespace {

// C++'s usual arithmetic conversions on two real types.
const Type* usual(const Type* a, const Type* b) {
  if (a->is_float() || b->is_float()) {
    const bool wide = (a->is_float() && a->bits == 64) || (b->is_float() && b->bits == 64);
    return wide ? types::float64() : types::float32();
  }
  const auto promoted = [](const Type* t) { return t->bits < 32 ? types::int32() : t; };
  a = promoted(a), b = promoted(b);
  if (a->bits != b->bits) return a->bits > b->bits ? a : b;
  return a->is_signed ? b : a;
}

const ir::Convert* numeric_convert(const Expr* e) {
  if (e->kind != ExprKind::kConvert) return nullptr;
  const auto* c = ir::as<ir::Convert>(e);
  const bool kind =
      c->op == ConvertOp::kExact || c->op == ConvertOp::kRound || c->op == ConvertOp::kWrap;
  return kind && c->type->is_real() && c->operand->type->is_real() ? c : nullptr;
}

// 0.0, or an integer 0 that becomes it; not -0.0.
bool is_positive_zero(const Expr* e) {
  if (const ir::Convert* c = numeric_convert(e)) return is_positive_zero(c->operand);
  const ir::Const* c = constant(e);
  if (!c || !e->type->is_real()) return false;
  const double value = c->value.number.real();
  return e->type->is_float() ? value == 0 && !std::signbit(value) : c->value.integer == 0;
}

// The x of 0.0 - x, -x + 0.0 and 0.0 + -x; null: it is none of these.
const Expr* taken_from_zero(const ir::Binary& e) {
  if (!e.type->is_float()) return nullptr;
  if (e.op == BinaryOp::kSub && is_positive_zero(e.left)) return e.right;
  const auto negated = [](const Expr* operand) -> const Expr* {
    const auto* sign = ir::try_as<ir::Unary>(operand);
    return sign && sign->op == types::UnaryOp::kNeg ? sign->operand : nullptr;
  };
  if (e.op != BinaryOp::kAdd) return nullptr;
  if (is_positive_zero(e.left)) return negated(e.right);
  return is_positive_zero(e.right) ? negated(e.left) : nullptr;
}

struct Operator {
  const char* text;  // " +": the line may be broken behind it
  Prec prec;
};

Operator operator_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd:
      return {" +", Prec::kAdditive};
    case BinaryOp::kSub:
      return {" -", Prec::kAdditive};
    case BinaryOp::kMul:
      return {" *", Prec::kMultiplicative};
    case BinaryOp::kDiv:
    case BinaryOp::kFloorDiv:
      return {" /", Prec::kMultiplicative};
    case BinaryOp::kMod:
      return {" %", Prec::kMultiplicative};
    case BinaryOp::kShl:
      return {" <<", Prec::kShift};
    case BinaryOp::kShr:
      return {" >>", Prec::kShift};
    case BinaryOp::kAnd:
      return {" &", Prec::kBitAnd};
    case BinaryOp::kOr:
      return {" |", Prec::kBitOr};
    case BinaryOp::kXor:
      return {" ^", Prec::kBitXor};
    default:
      return {" @", Prec::kMultiplicative};
  }
}

Operator operator_of(CompareOp op) {
  switch (op) {
    case CompareOp::kEq:
      return {" ==", Prec::kEquality};
    case CompareOp::kNe:
      return {" !=", Prec::kEquality};
    case CompareOp::kLt:
      return {" <", Prec::kRelational};
    case CompareOp::kLe:
      return {" <=", Prec::kRelational};
    case CompareOp::kGt:
      return {" >", Prec::kRelational};
    case CompareOp::kGe:
      return {" >=", Prec::kRelational};
  }
  return {" ==", Prec::kEquality};
}

// -200 is not what -uint8_t(200) is.
bool needs_its_type(const Type* type) {
  return type->is_int() && (!type->is_signed || type->bits < 32);
}

}  // namespace

const Type* Printer::printed_type(const Expr* e) const {
  if (!e->type->is_real()) return e->type;
  switch (e->kind) {
    case ExprKind::kConst: {
      const int64_t v = ir::as<ir::Const>(e)->value.integer;
      return e->type->is_int() && v >= -0x7fffffff && v <= 0x7fffffff ? types::int32() : e->type;
    }
    case ExprKind::kSelect:
      return usual(printed_type(ir::as<ir::Select>(e)->yes),
                   printed_type(ir::as<ir::Select>(e)->no));
    case ExprKind::kBinary: {  // C++ computes & | ^ of bools in int, and 7 << 1 in the type of 7
      const auto* binary = ir::as<ir::Binary>(e);
      const bool shift = binary->op == BinaryOp::kShl || binary->op == BinaryOp::kShr;
      if (shift) return e->type;
      return e->type->is_bool() ? types::int32() : e->type;
    }
    case ExprKind::kUnary:
      if (!e->type->is_int() || needs_its_type(e->type)) return e->type;
      return printed_type(ir::as<ir::Unary>(e)->operand);
    case ExprKind::kBuiltin: {  // min(3, 4) is an int
      const auto* call = ir::as<ir::Builtin>(e);
      const bool chooses = call->row->range == builtins::Range::kLeast ||
                           call->row->range == builtins::Range::kGreatest;
      if (!chooses || !e->type->is_int() || call->args.empty()) return e->type;
      const Type* type = printed_type(call->args[0]);
      for (const Expr* arg : call->args) type = usual(type, printed_type(arg));
      return type;
    }
    default:
      return e->type;
  }
}

Code Printer::cast(const Type* to, const Code& operand) {
  return {type(to) + "(" + group(operand.text) + ")", Prec::kPostfix};
}

Printer::Pair Printer::operands(const Expr* left, const Expr* right, const Type* type) {
  const auto stripped = [&](const Expr* e, const Type* other) -> const Expr* {
    const ir::Convert* c = numeric_convert(e);
    if (!c || (other->is_int() && printed_type(c->operand)->is_int() && c->op == ConvertOp::kWrap &&
               c->operand->type->is_signed != type->is_signed))
      return nullptr;
    return usual(printed_type(c->operand), other) == type ? c->operand : nullptr;
  };
  if (!type->is_real()) return {expr(left), expr(right)};
  const Expr* l = stripped(left, printed_type(right));
  const Expr* r = stripped(right, printed_type(left));
  if (r && (!l || numeric_convert(left))) return {expr(left), expr(r)};
  if (l) return {expr(l), expr(right)};
  Pair pair{expr(left), expr(right)};
  const bool too_narrow = type->bits >= 32 && type->is_number() &&
                          usual(printed_type(left), printed_type(right)) != type;
  if (too_narrow) pair.left = cast(type, pair.left);
  return pair;
}

Code Printer::visit(const ir::Unary& e) {
  const bool bare = needs_its_type(e.type) && printed_type(e.operand) != e.type;
  const Code operand = bare ? cast(e.type, expr(e.operand)) : expr(e.operand);
  const bool nested = first_of(operand) == '-';
  switch (e.op) {
    case types::UnaryOp::kPos:
      return operand;
    case types::UnaryOp::kNot:
      return {"!" + at(operand, Prec::kUnary), Prec::kUnary};
    case types::UnaryOp::kInvert:
      if (e.type->is_bool()) return {"!" + at(operand, Prec::kUnary), Prec::kUnary};
      if (e.type->bits < 32) return cast(e.type, {"~" + at(operand, Prec::kUnary), Prec::kUnary});
      return {"~" + at(operand, Prec::kUnary), Prec::kUnary};
    case types::UnaryOp::kNeg:
      if (e.type->is_int() && !e.plain) return runtime("neg(" + group(operand.text) + ")");
      return {"-" + (nested ? "(" + group(operand.text) + ")" : at(operand, Prec::kUnary)),
              Prec::kUnary};
  }
  return operand;
}

Code Printer::runtime(const std::string& call) {
  file_.headers.insert("pyk/core.h");
  return {"pyk::" + call, Prec::kPostfix};
}

// pyk::add(a, b), pyk::lanes::mod(a, b), M::mod(a, b)
Code Printer::call2(const char* function, const ir::Binary& e) {
  const Pair p = operands(e.left, e.right, e.type);
  const auto exact = [&](const Expr* operand, const Code& code) {
    const bool narrow = e.type->is_int() && e.type->bits < 32;
    return constant(operand) && narrow ? cast(e.type, code).text : code.text;
  };
  ListText args;
  args.add(exact(e.left, p.left));
  args.add(exact(e.right, p.right));
  if (e.form == ir::Form::kScalar) return runtime(args.in(std::string(function) + "("));
  file_.headers.insert("pyk/lanes.h");
  const std::string module = e.form == ir::Form::kLanes ? "pyk::lanes::" : "M::";
  return {args.in(module + function + "("), Prec::kPostfix};
}

// x ** 2 -> x * x, x ** 5 -> pyk::pow<5>(x), x ** n -> pyk::pow(x, n)
Code Printer::power(const ir::Binary& e) {
  const ir::Const* exponent = constant(e.right);
  // 2 ** k is an int64, not an int
  const bool narrow = e.left->type->is_int() && printed_type(e.left) != e.left->type;
  const Code base = narrow ? cast(e.left->type, expr(e.left)) : expr(e.left);
  const bool chain = exponent && exponent->type->is_int() && exponent->value.integer >= -64 &&
                     exponent->value.integer <= 64;
  if (chain && exponent->value.integer == 2 && e.left->type->is_float() && loaded(e.left))
    return {base.text + " *" + mark::kBreak + base.text, Prec::kMultiplicative};
  if (chain && e.left->type == e.type)
    return runtime(fmt::format("pow<{}>({})", exponent->value.integer, group(base.text)));
  ListText args;
  args.add(base.text);
  args.add(expr(e.right).text);
  return runtime(args.in("pow("));
}

Code Printer::bitwise(const ir::Binary& e) {
  const Operator op = operator_of(e.op);
  const bool shift = e.op == BinaryOp::kShl || e.op == BinaryOp::kShr;
  // C++ shifts in the type of what is shifted, whatever the other operand is.
  const auto shifted = [&] {
    return printed_type(e.left)->bits < e.type->bits ? cast(e.type, expr(e.left)) : expr(e.left);
  };
  if (shift && !e.plain) {
    ListText args;
    args.add(shifted().text);
    args.add(expr(e.right).text);
    return runtime(args.in(e.op == BinaryOp::kShl ? "shl(" : "shr("));
  }
  const Pair p = shift ? Pair{shifted(), expr(e.right)} : operands(e.left, e.right, e.type);
  const Prec left = p.left.prec == op.prec && !shift ? op.prec : Prec::kUnary;
  const Code code{at(p.left, left) + op.text + mark::kBreak + at(p.right, Prec::kUnary), op.prec};
  return e.type->is_int() && e.type->bits < 32 ? cast(e.type, code) : code;
}

Code Printer::visit(const ir::Binary& e) {
  // What divides 64 bits asks first whether 32 will do.
  const bool asks = file_.target == Target::kHost && e.type->bits == 64 && !constant(e.right) &&
                    (e.op == BinaryOp::kFloorDiv || e.op == BinaryOp::kMod);
  const bool plain = !e.type->is_int() || (e.plain && !asks);
  if (e.rounds) {
    ir::Binary product = e;
    product.rounds = false;
    return runtime("rounded(" + visit(product).text + ")");
  }
  if (e.in_order) {
    ir::Binary sum = e;
    sum.in_order = false;
    return runtime("in_order(" + visit(sum).text + ")");
  }
  if (const Expr* x = taken_from_zero(e)) return runtime("zero_minus(" + group(expr(x).text) + ")");
  switch (e.op) {
    case BinaryOp::kAdd:
      if (!plain) return call2("add", e);
      break;
    case BinaryOp::kSub:
      if (!plain) return call2("sub", e);
      break;
    case BinaryOp::kMul:
      if (!plain) return call2("mul", e);
      break;
    case BinaryOp::kFloorDiv:
      if (!plain || !e.type->is_int() || e.form != ir::Form::kScalar) return call2("floordiv", e);
      break;
    case BinaryOp::kMod:
      if (!plain || !e.type->is_int() || e.form != ir::Form::kScalar) return call2("mod", e);
      break;
    case BinaryOp::kPow:
      return power(e);
    case BinaryOp::kShl:
    case BinaryOp::kShr:
    case BinaryOp::kAnd:
    case BinaryOp::kOr:
    case BinaryOp::kXor:
      return bitwise(e);
    default:
      break;
  }
  const Operator op = operator_of(e.op);
  const Pair p = operands(e.left, e.right, e.type);
  return {at(p.left, op.prec) + op.text + mark::kBreak + at(p.right, tighter(op.prec)), op.prec};
}

Code Printer::visit(const ir::Compare& e) {
  const Operator op = operator_of(e.op);
  const Pair p = operands(e.left, e.right, e.left->type);
  return {
      group(at(p.left, Prec::kShift)) + op.text + mark::kBreak + group(at(p.right, Prec::kShift)),
      op.prec};
}

Code Printer::visit(const ir::Logical& e) {
  const Prec prec = e.is_and ? Prec::kAnd : Prec::kOr;
  const auto side = [&](const Expr* operand) {
    const Code code = expr(operand);
    // a && b inside || gets parentheses: compilers and readers ask for them
    const bool parens = code.prec < prec || (!e.is_and && code.prec == Prec::kAnd);
    if (parens) return "(" + group(code.text) + ")";
    return code.prec == prec ? code.text : group(code.text);
  };
  return {side(e.left) + (e.is_and ? " &&" : " ||") + mark::kBreak + side(e.right), prec};
}

// What blend chooses by: of floats like those chosen a comparison in vector registers.
std::string Printer::mask_of(const ir::Select& e) {
  const auto* c = ir::try_as<ir::Compare>(e.condition);
  const auto fits = [&](const Expr* side) {
    return printed_type(side) == e.type || (side->type == e.type && constant(side));
  };
  if (!c || !e.type->is_float() || !fits(c->left) || !fits(c->right)) return expr(e.condition).text;
  const Operator op = operator_of(c->op);
  return runtime("compared(" + expr(c->left).text + ")").text + op.text + mark::kBreak +
         group(at(expr(c->right), Prec::kShift));
}

// pyk::either(c, left(k), right(k))
Code Printer::either(const ir::Select& e) {
  const auto &yes = *ir::as<ir::Element>(e.yes), &no = *ir::as<ir::Element>(e.no);
  ListText args;
  args.add(expr(e.condition).text);
  for (const ir::Element* one : {&yes, &no}) args.add(place(one->array, one->indices));
  Code code = runtime(args.in("either("));
  if (!yes.array->type->aligned) code.text += ".value";
  return code;
}

Code Printer::visit(const ir::Select& e) {
  if (e.choice == ir::Choice::kPlace) return either(e);
  const auto side = [&](const Expr* operand) {
    const Code code = expr(operand);
    const bool exact = printed_type(operand) == e.type || !e.type->is_real() ||
                       usual(printed_type(e.yes), printed_type(e.no)) == e.type ||
                       constant(operand);
    return exact ? code : cast(e.type, code);
  };
  if (e.choice != ir::Choice::kBranch) {
    ListText args;
    args.add(e.choice == ir::Choice::kBits && !lanes_ ? mask_of(e) : expr(e.condition).text);
    args.add(side(e.yes).text);
    args.add(side(e.no).text);
    return runtime(args.in(lanes_                          ? "lanes::choose("
                           : e.choice == ir::Choice::kBits ? "blend("
                                                           : "choose("));
  }
  return {group(at(expr(e.condition), Prec::kOr)) + mark::kBreak + "? " +
              group(at(side(e.yes), Prec::kOr)) + mark::kBreak + ": " +
              at(side(e.no), Prec::kTernary),
          Prec::kTernary};
}

Code Printer::visit(const ir::Convert& e) {
  const Type* from = e.operand->type;
  switch (e.op) {
    case ConvertOp::kExact:
    case ConvertOp::kRound:
    case ConvertOp::kWrap:
      if (e.type == from) return expr(e.operand);
      if (e.type->is_real() && from->is_real() && e.form == ir::Form::kScalar)
        return cast(e.type, expr(e.operand));
      break;
    case ConvertOp::kTruth:
      if (from->is_bool()) return expr(e.operand);
      if (from->is_real())
        return {group(at(expr(e.operand), Prec::kShift)) + " != 0", Prec::kEquality};
      return runtime("truth(" + group(expr(e.operand).text) + ")");
    case ConvertOp::kTrunc:
      break;
    case ConvertOp::kLayout: {
      return {fmt::format("pyk::as<{}{}, {}>({})", e.type->readonly ? "const " : "",
                          type(e.type->elem), cpp_layout(e.type->layout), expr(e.operand).text),
              Prec::kPostfix};
    }
    case ConvertOp::kTuple: {
      ListText items;
      const auto* written = ir::try_as<ir::Tuple>(e.operand);
      for (size_t i = 0; i < from->items.size(); ++i)
        items.add(!written ? fmt::format("pyk::get<{}>({})", i, expr(e.operand).text)
                  : types::holds_array(from->items[i]) ? owned_value(written->items[i])
                                                       : text(written->items[i]));
      const ir::Local* local = ir::loaded(e.operand);  // the items of all others hold their memory
      const Hold hold = local && !local->owned ? Hold::kView : Hold::kOwned;
      return {items.in(type(e.type, hold) + "("), Prec::kPostfix};
    }
  }
  static constexpr const char* kFunctions[] = {"pyk::convert", "pyk::lanes::convert",
                                               "M::template convert"};
  file_.headers.insert(e.form == ir::Form::kScalar ? "pyk/core.h" : "pyk/lanes.h");
  return {fmt::format("{}<{}>({})", kFunctions[size_t(e.form)], type(e.type),
                      group(expr(e.operand).text)),
          Prec::kPostfix};
}

Code Printer::implicit(const Expr* e) {
  if (e->kind == ExprKind::kConvert && ir::as<ir::Convert>(e)->op == ConvertOp::kLayout)
    return implicit(ir::as<ir::Convert>(e)->operand);
  const ir::Convert* c = numeric_convert(e);
  if (c && !c->type->is_bool()) return expr(c->operand);
  return expr(e);
}

}  // namespace pyk2cu::emit
