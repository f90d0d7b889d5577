// Vector forms: see forms.h. Tested by tests/golden/lanes and tests/golden/gangs.
#include "emit/lower/lanes/forms.h"

#include <algorithm>

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

bool has_vector_form(const ir::Builtin& e, bool libm) {
  const bool real = std::all_of(e.args.begin(), e.args.end(),
                                [](const Expr* arg) { return arg->type->is_real(); });
  return real && (e.row->lanes == e.row->id || (!libm && has_own_form(e)));
}

bool has_vector_form(const ir::Binary& e) {
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
    case BinaryOp::kMod: {  // by a power of two: a mask
      const ir::Const* by = ir::constant(e.right);
      const int64_t n = by && e.type->is_int() ? by->value.integer : 0;
      return n > 0 && (n & (n - 1)) == 0;
    }
    default:
      return false;
  }
}

// Before AVX-512 no instruction converts between float64 and int64.
bool has_vector_form(const ir::Convert& e) {
  const Type* from = e.operand->type;
  const bool wide = from->is_int() && from->bits == 64 && e.type->is_float();
  return !wide && (e.op != ir::ConvertOp::kTrunc || e.type->bits <= 32);
}

// Does the operation of an update have vector instructions?
bool has_vector_form(const ir::Update& s) {
  ir::Binary as_expression{{ir::ExprKind::kBinary, s.value->type, s.span}, s.op, s.value, s.value};
  return !s.atomic && has_vector_form(as_expression);
}

bool is_of_angle(const ir::Builtin& e) {
  const Id id = e.row->lanes;
  return (id == Id::lanes_sin || id == Id::lanes_cos || id == Id::lanes_tan) && has_own_form(e);
}

void use_own_form(Expr* e, bool libm) {
  if (auto* convert = ir::try_as<ir::Convert>(e)) {
    if (convert->op == ir::ConvertOp::kTrunc && e->type->bits <= 32)
      convert->form = ir::Form::kLanes;
  } else if (auto* builtin = ir::try_as<ir::Builtin>(e)) {
    if (has_own_form(*builtin) && !libm) builtin->form = ir::Form::kLanes;
  }
}

}  // namespace pyk2cu::emit
