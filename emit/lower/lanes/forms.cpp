// Vector forms: see forms.h. Tested by tests/golden/lanes and tests/golden/gangs.
#include "emit/lower/lanes/forms.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "emit/lower/parity.h"
#include "typeinfer/builtins/registry.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::BinaryOp;
using ir::Expr;
using types::Type;

bool has_own_form(const ir::Builtin& e) {
  if (e.row->lanes == Id::none || e.row->lanes == e.row->id || !e.type->is_float()) return false;
  const builtins::Row& lanes = builtins::row(e.row->lanes);
  return e.args.size() == size_t(lanes.takes) &&
         std::all_of(e.args.begin(), e.args.end(),
                     [&](const Expr* arg) { return arg->type == e.type; });
}

bool has_own_form(const ir::Binary& e) {
  return divides_integers(e) && !ir::constant(e.right) && e.type->bits <= 32;
}

bool has_vector_form(const ir::Builtin& e, const Forms& forms) {
  const bool real = std::all_of(e.args.begin(), e.args.end(),
                                [](const Expr* arg) { return arg->type->is_real(); });
  return (real || is_of_parts(e)) &&
         (e.row->lanes == e.row->id || (!forms.libm && has_own_form(e)));
}

namespace {

bool is_power_of_2(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

// Shifts by what is known to be less than the width, and rounding down where that is a shift.
bool has_shift(const ir::Binary& e) {
  if (!e.plain) return false;
  const bool signs = e.op == BinaryOp::kShr && e.type->is_signed && e.type->bits == 64;
  return ir::constant(e.right) || !signs;
}

// By a constant: a mask, a shift, or a product; of floating-point numbers by 1, 2, 4, …: exact.
bool has_division(const ir::Binary& e, const Forms& forms) {
  const ir::Const* by = ir::constant(e.right);
  if (e.type->is_float()) {
    const double power = by ? by->value.number.real() : 0.0;
    return power >= 1.0 && power <= 4294967296.0 && std::exp2(std::ilogb(power)) == power;
  }
  if (!e.type->is_int()) return false;
  if (!by) return forms.integers && has_own_form(e);
  return e.type->bits <= 32 || is_power_of_2(by->value.integer);
}

}  // namespace

bool divides_integers(const ir::Binary& e) {
  const bool divides = e.op == BinaryOp::kFloorDiv || e.op == BinaryOp::kMod;
  return divides && e.type->is_int();
}

bool divides_all(const ir::Binary& e, const Forms& forms) {
  const auto* product = ir::try_as<ir::Binary>(e.left);
  const bool large = product && product->op == BinaryOp::kMul && !ir::constant(product->left) &&
                     !ir::constant(product->right);
  return forms.integers && divides_integers(e) && e.type->bits == 64 && !large &&
         !has_division(e, forms);
}

bool raises_all(const ir::Binary& e) {
  return e.op == BinaryOp::kPow && e.type->is_float() && e.left->type == e.type &&
         e.right->type->is_int() && !ir::constant(e.right);
}

bool has_vector_form(const ir::Binary& e, const Forms& forms) {
  switch (e.op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
    case BinaryOp::kMul:
    case BinaryOp::kAnd:
    case BinaryOp::kOr:
    case BinaryOp::kXor:
      return true;
    case BinaryOp::kDiv:
      return e.type->is_float();
    case BinaryOp::kPow: {
      const ir::Const* exponent = ir::constant(e.right);
      return e.type->is_float() && e.left->type == e.type && exponent && exponent->type->is_int() &&
             exponent->value.integer >= 0 && exponent->value.integer <= 8;
    }
    case BinaryOp::kFloorDiv:
    case BinaryOp::kMod:
      return has_division(e, forms);
    case BinaryOp::kShl:
    case BinaryOp::kShr:
      return has_shift(e);
    default:
      return false;
  }
}

namespace {

// Before AVX-512 no instruction converts between floats and integers of 64 bits.
bool is_wide(const ir::Convert& e) {
  const Type *from = e.operand->type, *to = e.type;
  return (from->is_int() && from->bits == 64 && to->is_float()) ||
         (from->is_float() && to->is_int() && to->bits == 64);
}

}  // namespace

bool has_own_form(const ir::Convert& e) { return is_wide(e) || e.op == ir::ConvertOp::kTrunc; }

bool has_vector_form(const ir::Convert& e, const Forms& forms) {
  return forms.integers || !is_wide(e);
}

// Does the operation of an update have vector instructions?
bool has_vector_form(const ir::Update& s, const Forms& forms) {
  ir::Binary as_expression{{ir::ExprKind::kBinary, s.value->type, s.span}, s.op, s.value, s.value};
  return !s.atomic && !has_own_form(as_expression) && has_vector_form(as_expression, forms);
}

bool is_of_parts(const ir::Builtin& e) {
  const Id id = e.row->id;
  return id == Id::pyk_complex || id == Id::pyk_real || id == Id::pyk_imag;
}

bool is_conjugate(const ir::Builtin& e) {
  return e.row->id == Id::pyk_conj || e.row->id == Id::numpy_conjugate;
}

bool is_of_angle(const ir::Builtin& e) {
  const Id id = e.row->lanes;
  return (id == Id::lanes_sin || id == Id::lanes_cos || id == Id::lanes_tan) && has_own_form(e);
}

namespace {

bool asks_angles_in(const ir::Block& body, std::unordered_set<const ir::Function*>& asked) {
  bool found = false;
  ir::for_each_expr_in(body, [&](const Expr* e) {
    const auto* builtin = ir::try_as<ir::Builtin>(e);
    const auto* call = ir::try_as<ir::Call>(e);
    const bool is_new = call && asked.insert(call->callee).second;
    found = found || (builtin && is_of_angle(*builtin)) ||
            (is_new && asks_angles_in(call->callee->body, asked));
  });
  return found;
}

}  // namespace

bool asks_angles(const ir::Block& body) {
  std::unordered_set<const ir::Function*> asked;
  return asks_angles_in(body, asked);
}

void use_own_form(Expr* e, const Forms& forms) {
  if (auto* convert = ir::try_as<ir::Convert>(e)) {
    if (has_own_form(*convert) && (forms.integers || !is_wide(*convert)))
      convert->form = ir::Form::kLanes;
  } else if (auto* binary = ir::try_as<ir::Binary>(e)) {
    if (has_own_form(*binary) && forms.integers) binary->form = ir::Form::kLanes;
  } else if (auto* builtin = ir::try_as<ir::Builtin>(e)) {
    if (has_own_form(*builtin) && !forms.libm) builtin->form = ir::Form::kLanes;
  }
}

// As a comparison with a bit g++ 12 makes it a conversion of that bit, which it does not vectorise.
Expr* parity(const ir::Builder& b, const Expr* e) {
  const Parity asked = parity_of(e);
  if (!asked.of) return nullptr;
  Expr* odd = b.builtin(builtins::Id::lanes_is_odd, types::boolean(), {asked.of});
  return asked.wants_odd ? odd : b.expr<ir::Unary>(types::boolean(), types::UnaryOp::kNot, odd);
}

}  // namespace pyk2cu::emit
