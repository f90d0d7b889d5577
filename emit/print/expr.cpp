// Expressions: one function per kind of node.
//
// In:   typed IR.  Out: Code of exactly the node's type, or one that C++ takes for it.
// Tested by tests/golden.
#include <fmt/format.h>

#include "emit/lower/walk.h"
#include "emit/print/printer.h"
#include "emit/text/literal.h"
#include "typeinfer/builtins/registry.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::ExprKind;
using types::Type;

Code Printer::expr(const Expr* e) {
  return ir::visit(*e, [&](const auto& node) { return visit(node); });
}

Code Printer::visit(const ir::Const& e) {
  using Kind = ir::Value::Kind;
  const ir::Value& v = e.value;
  switch (v.kind) {
    case Kind::kBool:
      if (e.type->is_bool()) return {v.integer ? "true" : "false"};
      [[fallthrough]];
    case Kind::kInt:
      if (e.type->is_float()) return float_literal(static_cast<double>(v.integer), e.type->bits);
      return int_literal(v.integer, e.type);
    case Kind::kFloat:
      if (!e.type->is_complex()) return float_literal(v.number.real(), e.type->bits);
      [[fallthrough]];
    case Kind::kComplex: {
      const int bits = e.type->bits / 2;
      return {fmt::format("{}{{{}, {}}}", cpp_type(e.type),
                          float_literal(v.number.real(), bits).text,
                          float_literal(v.number.imag(), bits).text)};
    }
    case Kind::kStr:
      return {string_literal(v.text)};
    case Kind::kNone:
      return {cpp_type(e.type) + "::none()", Prec::kPostfix};
  }
  return {};
}

Code Printer::visit(const ir::Load& e) { return {names_.at(e.local)}; }

Code Printer::visit(const ir::Global& e) { return {e.array->symbol}; }

// -1 of an extent n -> n - 1; i that may be negative -> pyk::wrap(i, n)
std::string Printer::index(const ir::Index& i, const std::string& extent) {
  const ir::Const* c = constant(i.value);
  if (c && i.wrap && c->value.integer < 0) return fmt::format("{} - {}", extent, -c->value.integer);
  // The index is converted by the array itself, whatever its integer type.
  const Expr* value = i.value;
  if (value->kind == ExprKind::kConvert && value->type->is_int() &&
      ir::as<ir::Convert>(value)->op == ir::ConvertOp::kExact &&
      ir::as<ir::Convert>(value)->operand->type->is_int())
    value = ir::as<ir::Convert>(value)->operand;
  const std::string code = expr(value).text;
  return i.wrap && !c ? fmt::format("pyk::wrap({}, {})", code, extent) : code;
}

Code Printer::element(const Expr* array, const std::vector<ir::Index>& indices) {
  const std::string base = at(expr(array), Prec::kPostfix);
  std::string out;
  for (size_t k = 0; k < indices.size(); ++k)
    out += (k ? ", " : "") + index(indices[k], fmt::format("{}.shape({})", base, k));
  return {base + "(" + out + ")", Prec::kPostfix};
}

Code Printer::visit(const ir::Element& e) { return element(e.array, *e.indices); }

// lo:hi:step -> pyk::slice(lo, hi, step), pyk::from(lo), pyk::until(hi), pyk::every(step), pyk::all
std::string Printer::subscript(const ir::Subscript& s, const std::string& extent) {
  using Kind = ir::Subscript::Kind;
  if (s.kind == Kind::kIndex) return index(s.index, extent);
  if (s.kind == Kind::kNewAxis) return "pyk::newaxis";
  const std::string step = s.step && !is_int_const(s.step, 1) ? ", " + text(s.step) : std::string();
  if (s.lo && s.hi) return fmt::format("pyk::slice({}, {}{})", text(s.lo), text(s.hi), step);
  if (s.lo) return fmt::format("pyk::from({}{})", text(s.lo), step);
  if (s.hi) return fmt::format("pyk::until({}{})", text(s.hi), step);
  return step.empty() ? "pyk::all" : fmt::format("pyk::every({})", step.substr(2));
}

Code Printer::visit(const ir::View& e) {
  const std::string base = at(expr(e.array), Prec::kPostfix);
  std::string out = base;
  size_t axis = 0;
  for (const ir::Subscript& s : *e.subscripts) {
    out += ", " + subscript(s, fmt::format("{}.shape({})", base, axis));
    axis += s.kind != ir::Subscript::Kind::kNewAxis;
  }
  for (; axis < e.array->type->rank; ++axis) out += ", pyk::all";
  return {fmt::format("pyk::view<{}>({})", cpp_layout(e.type->layout), out), Prec::kPostfix};
}

Code Printer::visit(const ir::Query& e) {
  const std::string base = at(expr(e.operand), Prec::kPostfix);
  const auto member = [&](const char* name) {
    return Code{fmt::format("{}.{}({})", base, name, e.axis < 0 ? "" : std::to_string(e.axis)),
                Prec::kPostfix};
  };
  switch (e.op) {
    case ir::QueryOp::kLen:
      if (e.operand->type->is_tuple()) return {std::to_string(e.operand->type->items.size())};
      return {base + ".shape(0)", Prec::kPostfix};
    case ir::QueryOp::kShape:
      return member("shape");
    case ir::QueryOp::kStride:
      return member(e.axis < 0 ? "stride_tuple" : "stride");
    case ir::QueryOp::kSize:
      return {base + ".size()", Prec::kPostfix};
    case ir::QueryOp::kItemSize:
      return {std::to_string(types::item_size(e.operand->type->elem))};
    case ir::QueryOp::kNBytes:
      return {base + ".nbytes()", Prec::kPostfix};
  }
  return {};
}

// np.zeros((m, n)) -> pyk::zeros<double, pyk::C>(m, n)
Code Printer::visit(const ir::NewArray& e) {
  file_.headers.insert("pyk/memory.h");
  static constexpr const char* kNames[] = {"empty", "zeros", "ones", "full"};
  std::string args = e.value ? text(e.value) : std::string();
  for (const Expr* extent : *e.shape) args += (args.empty() ? "" : ", ") + text(extent);
  return {fmt::format("pyk::{}<{}, {}>({})", kNames[static_cast<int>(e.fill)],
                      cpp_type(e.type->elem), cpp_layout(e.type->layout), args),
          Prec::kPostfix};
}

std::string Printer::call_args(const ir::Call& e) {
  std::string out;
  if (file_.target == Target::kTwin && file_.uses_lane(e.callee)) out = "lane";
  for (const Expr* arg : *e.args) out += (out.empty() ? "" : ", ") + text(arg);
  return out;
}

Code Printer::visit(const ir::Call& e) {
  std::string index;
  if (file_.target == Target::kCuda)
    for (const ir::Param& p : e.callee->params)
      if (holds_array(p.local->type)) index = "<Index>";
  return {fmt::format("{}{}({})", e.callee->symbol, index, call_args(e)), Prec::kPostfix};
}

// Literals are spelled with their type where the function is a template over it.
std::string Printer::literal_argument(const Expr* e, bool exact) {
  const ir::Const* c = constant(e);
  if (!c || !e->type->is_int() || !exact) return expr(e).text;
  return cpp_type(e->type) + "(" + expr(e).text + ")";
}

Code Printer::visit(const ir::Builtin& e) {
  const bool core = e.row->module == "builtins" || e.row->module == "operator";
  file_.headers.insert(e.row->header());
  std::string types;
  if (e.type_args)
    for (const Type* type : *e.type_args) types += (types.empty() ? "" : ", ") + cpp_type(type);
  std::string args;
  for (const Expr* arg : *e.args)
    args += (args.empty() ? "" : ", ") + literal_argument(arg, !core || e.args->size() == 1);
  if (e.row->is_constant()) return {e.row->cpp_name()};
  return {fmt::format("{}{}({})", e.row->cpp_name(), types.empty() ? "" : "<" + types + ">", args),
          Prec::kPostfix};
}

// Whether the C++ type of the printed expression is surely that of the IR.
bool Printer::has_own_type(const Expr* e) const {
  switch (e->kind) {
    case ExprKind::kLoad:
    case ExprKind::kElement:
    case ExprKind::kItem:
    case ExprKind::kItemAt:
    case ExprKind::kQuery:
    case ExprKind::kCall:
      return true;
    case ExprKind::kConst:
      return !e->type->is_int() && !e->type->is_complex();
    case ExprKind::kBinary: {
      const auto* binary = ir::as<ir::Binary>(e);
      const auto same = [&](const Expr* side) {
        return side->type == e->type && has_own_type(side);
      };
      const bool wide = e->type->is_float() || (e->type->is_int() && e->type->bits == 64);
      return wide && (same(binary->left) || same(binary->right));
    }
    default:
      return false;
  }
}

// (a, b) -> pyk::tuple{a, b}; spelled in full where an item would be deduced as another type
Code Printer::visit(const ir::Tuple& e) {
  bool deduced = e.items->size() > 1 && !holds_array(e.type);
  std::string items;
  for (const Expr* item : *e.items) {
    deduced = deduced && has_own_type(item);
    items += (items.empty() ? "" : ", ") + text(item);
  }
  if (deduced) {
    items.clear();
    for (const Expr* item : *e.items) items += (items.empty() ? "" : ", ") + expr(item).text;
    return {"pyk::tuple{" + items + "}"};
  }
  if (items.empty()) return {"pyk::tuple<>{}"};
  return {cpp_type(e.type, Hold::kOwned) + "(" + items + ")", Prec::kPostfix};
}

Code Printer::visit(const ir::Item& e) {
  const Expr* t = e.tuple;
  if (t->kind == ExprKind::kQuery && ir::as<ir::Query>(t)->axis < 0) {
    const char* name = ir::as<ir::Query>(t)->op == ir::QueryOp::kShape ? "shape" : "stride";
    return {fmt::format("{}.{}({})", at(expr(ir::as<ir::Query>(t)->operand), Prec::kPostfix), name,
                        e.index),
            Prec::kPostfix};
  }
  return {fmt::format("pyk::get<{}>({})", e.index, expr(t).text), Prec::kPostfix};
}

Code Printer::visit(const ir::ItemAt& e) {
  const size_t size = e.tuple->type->items.size();
  return {fmt::format("{}.at({})", at(expr(e.tuple), Prec::kPostfix),
                      index(e.index, std::to_string(size))),
          Prec::kPostfix};
}

Code Printer::visit(const ir::Wrap& e) {
  file_.headers.insert("pyk/optional.h");
  if (!e.operand) return {cpp_type(e.type) + "::none()", Prec::kPostfix};
  return {fmt::format("{}({})", cpp_type(e.type), text(e.operand)), Prec::kPostfix};
}

Code Printer::visit(const ir::Unwrap& e) {
  return {at(expr(e.operand), Prec::kPostfix) + ".value", Prec::kPostfix};
}

Code Printer::visit(const ir::HasValue& e) {
  return {at(expr(e.operand), Prec::kPostfix) + ".has", Prec::kPostfix};
}

// cuda.threadIdx.x -> int32_t(threadIdx.x) on the device, int32_t(lane.threadIdx.x) in the twin
Code Printer::visit(const ir::Lane& e) {
  static constexpr const char* kMembers[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
  const bool device = file_.target == Target::kCuda;
  file_.headers.insert("pyk/cuda.h");
  switch (e.op) {
    case ir::LaneOp::kThread:
    case ir::LaneOp::kBlock:
    case ir::LaneOp::kBlockDim:
    case ir::LaneOp::kGridDim:
      return {fmt::format("{}({}{}.{})", cpp_type(e.type), device ? "" : "lane.",
                          kMembers[static_cast<int>(e.op)], "xyz"[e.axis]),
              Prec::kPostfix};
    case ir::LaneOp::kGrid:
      return {fmt::format("{}grid({})", device ? "pyk::" : "lane.", e.axis), Prec::kPostfix};
    case ir::LaneOp::kGridSize:
      return {fmt::format("{}gridsize({})", device ? "pyk::" : "lane.", e.axis), Prec::kPostfix};
    case ir::LaneOp::kLaneId:
      return {fmt::format("int32_t({}threadIdx.x % 32)", device ? "" : "lane."), Prec::kPostfix};
  }
  return {};
}

}  // namespace pyk2cu::emit
