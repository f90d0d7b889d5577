// Constants of the text and of the module: see constants.h.
#include "typeinfer/infer/constants.h"

#include "typeinfer/infer/conversions.h"

namespace pyk2cu::infer {

Operand literal(Emitter& in, const ast::Constant& c) {
  using Tag = ast::ConstantValue;
  const ast::ConstantValue& v = c.value;
  switch (v.tag) {
    case Tag::kNone:
      return {None{}, c.span};
    case Tag::kEllipsis:
      return {Ellipsis{}, c.span};
    case Tag::kBool:
      return to_operand(in.const_bool(v.boolean, c.span));
    case Tag::kInt: {
      const bool fits = v.integer <= uint64_t(INT64_MAX);
      return to_operand(
          in.const_int(int64_t(v.integer), fits ? types::int64() : types::uint64(), c.span));
    }
    case Tag::kBigInt:
      in.report(c.span, diag::IntegerTooLarge).help("the largest is 18446744073709551615");
      return error();
    case Tag::kFloat:
      return to_operand(in.const_float(v.number, types::float64(), c.span));
    case Tag::kImaginary: {
      ir::Value z;
      z.kind = ir::Value::Kind::kComplex;
      z.number = {0, v.number};
      return to_operand(in.make(ir::Const{{ir::ExprKind::kConst, types::complex128(), c.span}, z}));
    }
    case Tag::kStr:
      return {Str{in.context().program().keep(std::string(v.text))}, c.span};
    case Tag::kBytes:
      in.not_supported(c.span, "a bytes literal");
      return error();
  }
  return error();
}

Operand constant(Emitter& in, const fold::Value& v, Symbol name, Span span) {
  using FoldKind = fold::Value::Kind;
  const Type* type = v.type && v.type->is_scalar() ? v.type : fold::type_of(v);
  if (v.kind != FoldKind::kType && v.type && !in.context().has_form(v.type, span)) return error();
  if (v.is_member) {
    in.report(span, diag::HostValue, name.str())
        .help(fmt::format("write its value: `{}.value`", name.str()));
    return error();
  }
  switch (v.kind) {
    case FoldKind::kDict:
    case FoldKind::kOpaque:
      break;
    case FoldKind::kFunction:
      return {Function{static_cast<const decorators::Definition*>(v.function)}, span};
    case FoldKind::kNone:
      return {None{}, span};
    case FoldKind::kEllipsis:
      return {Ellipsis{}, span};
    case FoldKind::kStr:
      return {Str{in.context().program().keep(v.text)}, span};
    case FoldKind::kType:
      return {DType{v.type}, span};
    case FoldKind::kBool:
      return to_operand(in.const_bool(v.integer != 0, span));
    case FoldKind::kInt:
      if (!type) break;
      return to_operand(in.const_int(int64_t(v.integer), type, span));
    case FoldKind::kFloat:
    case FoldKind::kComplex: {
      if (!type) break;
      ir::Expr* e = in.const_float(v.number.real(), type, span);
      ir::as<ir::Const>(e)->value.number = v.number;
      return to_operand(e);
    }
    case FoldKind::kArray: {
      const ir::GlobalArray* array = in.context().unit().global_array(name, v);
      const Type* array_type =
          types::array(array->type->elem, array->type->rank, types::Layout::kC, true);
      return to_operand(in.make(ir::Global{{ir::ExprKind::kGlobal, array_type, span}, array}));
    }
    case FoldKind::kTuple: {
      Pack pack;
      std::vector<ir::Expr*> values;
      for (const fold::Value& item : v.items) {
        pack.parts.push_back(constant(in, item, name, span));
        if (pack.parts.back().is_value()) values.push_back(pack.parts.back().value());
      }
      if (values.size() == pack.parts.size()) {
        ir::Expr* tuple = in.make_tuple(std::move(values), span);
        const bool named = v.class_name && type && !tuple->type->is_error();
        return to_operand(named ? cast(in, tuple, type) : tuple);
      }
      return {std::move(pack), span};
    }
  }
  in.report(span, diag::HostValue, name.str());
  return error();
}

}  // namespace pyk2cu::infer
