// Expressions: one function per kind of node.
//
// In:   typed IR.  Out: Code of exactly the node's type, or one that C++ takes for it.
// Tested by tests/golden.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "emit/print/printer.h"
#include "emit/text/literal.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/walk.h"

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
      return {fmt::format("{}{{{}, {}}}", type(e.type), float_literal(v.number.real(), bits).text,
                          float_literal(v.number.imag(), bits).text)};
    }
    case Kind::kStr:
    case Kind::kFormat:
      return {string_literal(v.text)};
    case Kind::kNone:
      return {type(e.type) + "::none()", Prec::kPostfix};
  }
  return {};
}

Code Printer::visit(const ir::Load& e) { return {variable(e.local)}; }

// pyk::any(alive)
Code Printer::visit(const ir::Any& e) {
  file_.headers.insert("pyk/lanes.h");
  return {"pyk::any(" + names_.at(e.local) + ")"};
}

// pyk::total(parts)
Code Printer::visit(const ir::Total& e) {
  file_.headers.insert("pyk/lanes.h");
  return {"pyk::total(" + names_.at(e.local) + ")", Prec::kPostfix};
}

Code Printer::visit(const ir::Global& e) { return {e.array->symbol}; }

// -1 of an extent n -> n - 1; i that may be negative -> pyk::wrap(i, n)
std::string Printer::index(const ir::Index& i, const std::string& extent) {
  const ir::Const* c = ir::constant(i.value);
  if (c && i.wrap && c->value.integer < 0) return fmt::format("{} - {}", extent, -c->value.integer);
  // The index is converted by the array itself, whatever its integer type.
  const Expr* value = i.value;
  const auto* convert = ir::try_as<ir::Convert>(value);
  if (convert && value->type->is_int() && convert->op == ir::ConvertOp::kExact &&
      convert->operand->type->is_int())
    value = convert->operand;
  const std::string code = expr(value).text;
  if (!i.wrap || c) return code;
  ListText args;
  args.add(code);
  args.add(extent);
  file_.headers.insert("pyk/array.h");
  return args.in("pyk::wrap(");
}

// Of a pyk::packed too.
std::string Printer::place(const Expr* array, const ir::List<ir::Index>& indices) {
  const std::string base = at(expr(array), Prec::kPostfix);
  ListText list;
  for (size_t k = 0; k < indices.size(); ++k)
    list.add(index(indices[k], fmt::format("{}.shape({})", base, k)));
  return list.in(base + "(");
}

Code Printer::element(const Expr* array, const ir::List<ir::Index>& indices) {
  const std::string part = array->type->aligned ? "" : ".value";  // of a pyk::packed
  return {place(array, indices) + part, Prec::kPostfix};
}

Code Printer::visit(const ir::Element& e) { return element(e.array, e.indices); }

// lo:hi:step -> pyk::slice(lo, hi, step), pyk::from(lo), pyk::until(hi), pyk::every(step), pyk::all
std::string Printer::subscript(const ir::Subscript& s, const std::string& extent) {
  using Kind = ir::Subscript::Kind;
  if (s.kind == Kind::kIndex) return index(s.index, extent);
  if (s.kind == Kind::kNewAxis) return "pyk::newaxis";
  const bool steps = s.step && !ir::is_int_const(s.step, 1);
  ListText args;
  for (const Expr* part : {s.lo, s.hi})
    if (part) args.add(text(part));
  if (steps) args.add(text(s.step));
  if (s.lo && s.hi) return args.in("pyk::slice(");
  if (s.lo) return args.in("pyk::from(");
  if (s.hi) return args.in("pyk::until(");
  return steps ? args.in("pyk::every(") : "pyk::all";
}

Code Printer::visit(const ir::View& e) {
  const std::string base = at(expr(e.array), Prec::kPostfix);
  ListText args;
  args.add(base);
  size_t axis = 0;
  for (const ir::Subscript& s : e.subscripts) {
    args.add(subscript(s, fmt::format("{}.shape({})", base, axis)));
    axis += s.kind != ir::Subscript::Kind::kNewAxis;
  }
  for (; axis < e.array->type->rank; ++axis) args.add("pyk::all");
  return {args.in(fmt::format("pyk::view<{}>(", cpp_layout(e.type->layout))), Prec::kPostfix};
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

// np.zeros((m, n)) -> pyk::zeros<double, pyk::C>(m, n), zeros_at<double, pyk::C>(room, m, n),
// zeros_in<double, pyk::C>(result, m, n)
Code Printer::visit(const ir::NewArray& e) {
  file_.headers.insert("pyk/memory.h");
  static constexpr const char* kNames[] = {"empty", "zeros", "ones", "full"};
  static constexpr const char* kRooms[] = {"", "_at", "_in"};
  ListText args;
  if (e.room == ir::Room::kStack) args.add(room_);
  if (e.room == ir::Room::kResult) args.add(result_name_);
  if (e.value) args.add(text(e.value));
  for (const Expr* extent : e.shape) args.add(text(extent));
  return {args.in(fmt::format("pyk::{}{}<{}, {}>(", kNames[static_cast<int>(e.fill)],
                              kRooms[static_cast<int>(e.room)], type(e.type->elem),
                              cpp_layout(e.type->layout))),
          Prec::kPostfix};
}

// <pyk::C, true>: which instance of a template the call means
std::string Printer::instance(const ir::Call& e) {
  const ir::Function& callee = *e.callee;
  ListText list;
  if (callee.any_layout) list.add(cpp_layout(e.instance.layout));
  if (callee.any_form) {
    if (e.instance.form != ir::Form::kEither) file_.headers.insert("pyk/lanes.h");
    list.add(cpp_form(e.instance.form));
  }
  bool arrays = false;
  for (size_t k = 0; k < e.args.size(); ++k) {
    arrays = arrays || types::holds_array(callee.params[k].local->type);
    if (callee.params[k].constant) list.add(expr(e.args[k]).text);
  }
  if (file_.target == Target::kCuda && arrays) list.add("Index");
  return list.empty() ? "" : "<" + list.text() + ">";
}

// What stands in a list is held while the function runs, which may take it out.
std::string Printer::argument(const Expr* e) {
  if (ir::is_list_item(e) && types::holds_array(e->type))
    return type(e->type, Hold::kOwned) + "(" + text(e) + ")";
  const Expr* item = item_shown(e);
  return item ? share_text(e, item) : text(e);
}

std::string Printer::call(const ir::Call& e, const std::string& more) {
  ListText args;
  if (e.callee->launches) args.add("launch");
  for (size_t k = 0; k < e.args.size(); ++k)
    if (!e.callee->params[k].constant) args.add(argument(e.args[k]));
  for (const ir::Local* local : e.shared) args.add(names_.at(local));
  if (!more.empty()) args.add(more);
  const std::string name = e.callee->symbol + instance(e);
  // (fill)(a, 1): the program's own, not pyk::fill, which an array as an argument brings in.
  const bool all_numbers =
      more.empty() && e.shared.empty() &&
      std::ranges::all_of(e.args, [](const Expr* arg) { return arg->type->is_real(); });
  const bool may_be_pyk = !all_numbers && is_in_runtime(e.callee->symbol);
  return args.in((may_be_pyk ? "(" + name + ")" : name) + "(");
}

Code Printer::visit(const ir::Call& e) { return {call(e), Prec::kPostfix}; }

// Literals are spelled with their type where the function is a template over it.
std::string Printer::literal_argument(const Expr* e, bool exact) {
  if (!ir::constant(e) || !e->type->is_int() || !exact) return expr(e).text;
  return type(e->type) + "(" + expr(e).text + ")";
}

// The name that a function has in this form: pyk::math::exp, pyk::lanes::exp, M::exp
static std::string name_of(const ir::Builtin& e) {
  if (e.form == ir::Form::kScalar) return e.row->cpp_name();
  const builtins::Row& lanes = builtins::row(e.row->lanes);
  return e.form == ir::Form::kLanes ? lanes.cpp_name() : "M::" + std::string(lanes.name);
}

Code Printer::visit(const ir::Builtin& e) {
  const std::string_view module = e.row->module();
  const bool core = module == "builtins" || module == "operator";
  file_.headers.insert(e.form == ir::Form::kScalar ? builtins::header_of(*e.row) : "pyk/lanes.h");
  ListText types, args;
  for (const Type* t : e.type_args) types.add(type(t, Hold::kOwned));
  const bool of_list =
      e.type->is_container() || (!e.args.empty() && e.args[0]->type->is_container());
  for (const Expr* arg : e.args) {
    if (arg->type->is_complex()) file_.headers.insert("pyk/complex.h");
    const bool deduced = !of_list && !e.row->has_typed_parameters();
    const bool exact = deduced && (!core || e.args.size() == 1);
    if (deduced && arg->type->is_bool() && printed_type(arg) != arg->type)
      args.add(cast(arg->type, expr(arg)).text);  // x ^ y is an int
    else
      args.add(of_list && types::holds_array(arg->type) ? owned_value(arg)
                                                        : literal_argument(arg, exact));
  }
  if (e.row->is_constant()) return {e.row->cpp_name()};
  const std::string name = name_of(e) + (types.empty() ? "" : "<" + types.text() + ">");
  return {args.in(name + "("), Prec::kPostfix};
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
  bool deduced = e.items.size() > 1 && !types::holds_array(e.type);
  for (const Expr* item : e.items) deduced = deduced && has_own_type(item);
  ListText items;
  for (const Expr* item : e.items)
    items.add(deduced                          ? expr(item).text
              : types::holds_array(item->type) ? owned_value(item)
                                               : text(item));
  file_.headers.insert("pyk/tuple.h");
  if (deduced) return {items.in("pyk::tuple{", "}")};
  if (items.empty()) return {"pyk::tuple<>{}"};
  return {items.in(type(e.type, Hold::kOwned) + "("), Prec::kPostfix};
}

Code Printer::visit(const ir::Item& e) {
  const auto* extents = ir::try_as<ir::Query>(e.tuple);
  if (extents && extents->axis < 0) {
    const char* name = extents->op == ir::QueryOp::kShape ? "shape" : "stride";
    return {fmt::format("{}.{}({})", at(expr(extents->operand), Prec::kPostfix), name, e.index),
            Prec::kPostfix};
  }
  return {fmt::format("pyk::get<{}>({})", e.index, expr(e.tuple).text), Prec::kPostfix};
}

Code Printer::visit(const ir::ItemAt& e) {
  const size_t size = e.tuple->type->items.size();
  return {fmt::format("{}.at({})", at(expr(e.tuple), Prec::kPostfix),
                      index(e.index, std::to_string(size))),
          Prec::kPostfix};
}

Code Printer::visit(const ir::Wrap& e) {
  file_.headers.insert("pyk/optional.h");
  const Hold held = types::holds_array(e.type) ? Hold::kOwned : Hold::kView;
  if (!e.operand) return {type(e.type, held) + "::none()", Prec::kPostfix};
  if (!types::holds_array(e.operand->type))
    return {fmt::format("{}({})", type(e.type), grouped(e.operand)), Prec::kPostfix};
  return {fmt::format("{}({})", type(e.type, Hold::kOwned), owned_value(e.operand)),
          Prec::kPostfix};
}

Code Printer::visit(const ir::Unwrap& e) {
  return {at(expr(e.operand), Prec::kPostfix) + ".value", Prec::kPostfix};
}

Code Printer::visit(const ir::HasValue& e) {
  return {at(expr(e.operand), Prec::kPostfix) + ".has", Prec::kPostfix};
}

// cuda.threadIdx.x -> int32_t(threadIdx.x) on the device, launch.block_dim(0) where it launches
Code Printer::visit(const ir::Lane& e) {
  file_.headers.insert("pyk/cuda.h");
  if (file_.target == Target::kCuda) return device_lane(e);
  switch (e.op) {
    case ir::LaneOp::kBlockDim:
      return {fmt::format("launch.block_dim({})", e.axis), Prec::kPostfix};
    case ir::LaneOp::kGridDim:
      return {fmt::format("launch.grid_dim({})", e.axis), Prec::kPostfix};
    case ir::LaneOp::kBlocks:
      return {"launch.blocks()", Prec::kPostfix};
    case ir::LaneOp::kThreads:
      return {"launch.threads()", Prec::kPostfix};
    case ir::LaneOp::kThread:
    case ir::LaneOp::kBlock:
    case ir::LaneOp::kGrid:
    case ir::LaneOp::kGridSize:
    case ir::LaneOp::kLaneId:
      break;  // the pass `threads` has made numbers of them
  }
  throw std::logic_error("a place among the threads outside of a kernel");
}

Code Printer::device_lane(const ir::Lane& e) {
  static constexpr const char* kMembers[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
  switch (e.op) {
    case ir::LaneOp::kGrid:
      return {fmt::format("pyk::grid({})", e.axis), Prec::kPostfix};
    case ir::LaneOp::kGridSize:
      return {fmt::format("pyk::gridsize({})", e.axis), Prec::kPostfix};
    case ir::LaneOp::kLaneId:
      return {"pyk::lane_id()", Prec::kPostfix};
    default:
      return {fmt::format("int32_t({}.{})", kMembers[static_cast<int>(e.op)], "xyz"[e.axis]),
              Prec::kPostfix};
  }
}

}  // namespace pyk2cu::emit
