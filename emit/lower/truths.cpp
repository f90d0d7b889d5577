// Products of a float and a truth.
//
//   x * (a < b)   ->   x * number(a < b)     1.0 or 0.0, by its bits
//
// Of the conversion C++ compilers make a branch around the product, which is missed where nothing
// foresees the truth. In vectors it takes as long as the conversion does.
// In: functions in their final form.  Out: no conversions of truths as factors, but of constants.
// Tested by tests/golden/passes/truths.py and tests/run/test_truths.py.
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Expr;

namespace {

// A truth as a floating-point number.
ir::Convert* of_truth(Expr* e) {
  auto* convert = ir::try_as<ir::Convert>(e);
  const bool is = convert && convert->type->is_float() && convert->operand->type->is_bool();
  return is && convert->form == ir::Form::kScalar ? convert : nullptr;
}

}  // namespace

void truths(ir::Program& program, ir::Function& f) {
  ir::for_each_expr_in(f.body, [&](Expr* e) {
    auto* product = ir::try_as<ir::Binary>(e);
    if (!product || product->op != ir::BinaryOp::kMul || !product->type->is_float()) return;
    const bool left = of_truth(product->left), right = of_truth(product->right);
    Expr*& truth = left ? product->left : product->right;
    const Expr* other = left ? product->right : product->left;
    if (left == right || other->kind == ir::ExprKind::kConst) return;
    truth = ir::Builder{program, truth->span}.builtin(builtins::Id::pyk_number, truth->type,
                                                      {of_truth(truth)->operand}, {truth->type});
  });
}

}  // namespace pyk2cu::emit
