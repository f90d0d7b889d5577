// Array expressions: what is computed of arrays element by element, as loops.
//
//   a * b + 1   ->   array = empty(n)
//                    for i in range(n): array[i] = a[i] * b[i] + 1
//
// In:   operands, evaluated already, and the operation on their elements.  Out: a new array, which
// one nest of loops fills. A nest that is an operand of the next, with nothing between them,
// becomes part of it: no array is made for it. Rules: NumPy's broadcasting; an operand that is not
// of the shape of the result is copied into one that is, so that the loops go over arrays of one
// shape. The result lies in Fortran's order where all its arrays do, else in C's. Types are those
// of the loops of universal functions. Tested by tests/run/test_array_expressions.py.
#pragma once

#include <functional>
#include <vector>

#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

// What one element of the result is, of one element of each operand; an error after a report.
using OfElements = std::function<ir::Expr*(const std::vector<ir::Expr*>& elements)>;

// `operands`: scalars and arrays. Of arrays without dimensions alone: a scalar.
ir::Expr* elementwise(Emitter& in, std::vector<ir::Expr*> operands, const OfElements& f, Span span);
// The same into an array, of whose shape the result must be: target[:] = f(operands).
void elementwise_into(Emitter& in, ir::Expr* target, std::vector<ir::Expr*> operands,
                      const OfElements& f, Span span);

// view[…] = array. Of an array expression that ends the block no array is made where it reads
// nothing of the variable that the view is of.
void store_array(Emitter& in, ir::Expr* view, ir::Expr* array, Span span);
// The sum or the product of all elements of an array expression, for which no array is made; null:
// `array` is something else.
// `count`: becomes of how many elements.
ir::Expr* total_of(Emitter& in, ir::Expr* array, types::BinaryOp op, const Type* type, Span span,
                   ir::Expr** count = nullptr);

// A universal function: of arrays element by element, of scalars alone as they are.
ir::Expr* ufunc_of(Emitter& in, std::string_view name, std::vector<ir::Expr*> operands, Span span);
// a + b and the like where one of them is an array; -a.
ir::Expr* array_binary(Emitter& in, ast::Operator op, ir::Expr* left, ir::Expr* right, Span span);
ir::Expr* array_unary(Emitter& in, ast::UnaryOperator op, ir::Expr* operand, Span span);
// `text`: as messages call the operator.
ir::Expr* array_compare(Emitter& in, types::CompareOp op, std::string_view text, ir::Expr* left,
                        ir::Expr* right, Span span);
// a += b of an array: its elements, as NumPy's casting allows.
void array_update(Emitter& in, ast::Operator op, ir::Expr* target, ir::Expr* value, Span span);

// view[…] = number
void fill(Emitter& in, ir::Expr* view, ir::Expr* number, Span span);
// v[…] = from, of any shape that broadcasts; ValueError where it does not.
void copy_into(Emitter& in, ir::Expr* view, ir::Expr* from, std::string_view message, Span span);

}  // namespace pyk2cu::infer
