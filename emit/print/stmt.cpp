// Statements: about one line of C++ for one line of Python.
//
// In:   lowered IR.  Out: lines in the Writer.
// Tested by tests/golden.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "emit/print/printer.h"
#include "emit/text/literal.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::ExprKind;
using ir::StmtKind;

namespace {

// How many elements it has, as the text says.
int64_t known_size(const ir::NewArray& array) {
  int64_t size = 1;
  for (const Expr* extent : array.shape) size *= ir::constant(extent)->value.integer;
  return size;
}

// The call whose status the statement has to look at, or null.
const ir::Call* raising(const Expr* e) {
  const auto* call = ir::try_as<ir::Call>(e);
  return call && ir::may_raise(*call) ? call : nullptr;
}

// An item in the format of C's printf.
std::string format_of(const Expr* item) {
  if (item->type->is_bool()) return "%s";
  if (item->type->is_float()) return "%f";
  if (item->type->is_int()) return item->type->is_signed ? "%lld" : "%llu";
  std::string out;
  for (const char c : ir::constant(item)->value.text) out += c == '%' ? "%%" : std::string(1, c);
  return out;
}

const char* update_operator(ir::BinaryOp op) {
  switch (op) {
    case ir::BinaryOp::kAdd:
      return " +=";
    case ir::BinaryOp::kSub:
      return " -=";
    case ir::BinaryOp::kMul:
      return " *=";
    case ir::BinaryOp::kDiv:
    case ir::BinaryOp::kFloorDiv:
      return " /=";
    case ir::BinaryOp::kMod:
      return " %=";
    case ir::BinaryOp::kAnd:
      return " &=";
    case ir::BinaryOp::kOr:
      return " |=";
    case ir::BinaryOp::kXor:
      return " ^=";
    case ir::BinaryOp::kPow:
    case ir::BinaryOp::kShl:
    case ir::BinaryOp::kShr:
    case ir::BinaryOp::kMatMul:
      break;  // the pass `updates` makes none of them
  }
  throw std::logic_error("an update by an operator that C++ has no assignment for");
}

}  // namespace

void Printer::source(Span span) {
  if (!span.valid()) return;
  out_.source(span);
  if (!file_.options.line_directives || !file_.program.sources) return;
  const Location at = file_.program.sources->locate(span.begin);
  // Whole paths: a debugger finds the file from whichever folder the C++ was compiled in.
  const std::string path =
      std::filesystem::absolute(std::string(at.path)).lexically_normal().generic_string();
  const std::string line = fmt::format("#line {} {}", at.line, string_literal(path));
  if (line == last_line_directive_) return;
  out_.raw(line);
  last_line_directive_ = line;
}

// In a kernel nobody can be told of an exception: the thread ends.
bool Printer::is_kernel() const { return f_.kind == ir::FunctionKind::kKernel; }

void Printer::stmts(const ir::Block& block) {
  for (const ir::Stmt* s : block) stmt(s);
}

void Printer::stmt(const ir::Stmt* s) {
  source(s->span);
  ir::visit(*s, [&](const auto& node) { visit(node); });
}

// ---- locals ------------------------------------------------------------------------------------

std::string Printer::local_type(const ir::Local* local) {
  if (local->lanes) {
    file_.headers.insert("pyk/lanes.h");
    const std::string item =
        local->lane_bits ? fmt::format("pyk::mask<int{}_t>", local->lane_bits) : type(local->type);
    return fmt::format("pyk::lane<{}, {}>", item, local->lanes);
  }
  if (local->owned) return type(local->type, Hold::kOwned);
  if (local->type->is_tuple() && file_.target == Target::kHost)
    return type(local->type, Hold::kOwned);
  const bool readonly = local->type->is_array() && !local->written;
  return type(local->type, readonly ? Hold::kConstView : Hold::kView);
}

// alignas(pyk::kAlignment) double row_room[64];   gives the name
std::string Printer::make_room(const ir::Local* local, int64_t elements) {
  file_.headers.insert("pyk/memory.h");
  const std::string name = fresh(cpp_identifier(local->name.str()) + "_room");
  out_.line(fmt::format("alignas(pyk::kAlignment) {} {}[{}];", type(local->type->elem), name,
                        std::max(elements, int64_t{1})));
  return name;
}

// pyk::stack_array<double, 1, pyk::C, 64> row{row_room};
void Printer::declare_on_stack(const ir::Local* local) {
  const types::Type* array = local->type;
  const int64_t elements = ir::kRoom / types::item_size(array->elem);
  const std::string room = make_room(local, elements);
  out_.line(fmt::format("pyk::stack_array<{}, {}, {}, {}> {}{{{}}};", type(array->elem),
                        array->rank, cpp_layout(array->layout), elements, declare(local), room));
}

// x, of a lane x[k]; a mask that is set: x.at[k]
std::string Printer::variable(const ir::Local* local, bool is_set) const {
  const std::string& name = names_.at(local);
  if (!local->lanes) return name;
  return name + (is_set && local->lane_bits ? ".at[" : "[") + names_.at(lanes_->index) + "]";
}

// double x, y;   pyk::array<double, 1, pyk::C> row{};
void Printer::visit(const ir::Declare& s) {
  const ir::Local& first = *s.locals.front();
  const bool braces = s.clear || !first.type->is_scalar();
  if (s.room == ir::Room::kStack) {
    for (const ir::Local* local : s.locals) declare_on_stack(local);
    return;
  }
  ListText list;
  for (const ir::Local* local : s.locals) list.add(declare(local) + (braces ? "{}" : ""));
  if (s.room == ir::Room::kResult) {
    const types::Type* array = first.type;
    const std::string head = local_type(&first) + " " + names_.at(&first);
    return out_.line(fmt::format("{} = pyk::offered<{}, {}, {}>({});", head, type(array->elem),
                                 array->rank, cpp_layout(array->layout), result_name_));
  }
  out_.line(local_type(&first) + " " + list.text() + ";");
}

// const auto [m, n] = a.shape();   const auto [a, b] = pyk::keep(f(x), x);
void Printer::visit(const ir::Unpack& s) {
  const std::string value = owned_value(s.value);
  ListText names;
  for (const ir::Local* local : s.locals) names.add(declare(local));
  out_.line(names.in("const auto [", "]") + " =" + mark::kBreak + value + ";");
}

// ---- assignments -------------------------------------------------------------------------------

// const double x = a(i); auto y = pyk::zeros<…>(n);
std::string Printer::assign_text(const ir::Assign& s) {
  const std::string value = s.moves          ? fmt::format("std::move({})", text(s.value))
                            : s.local->owned ? owned_value(s.value)
                                             : grouped(s.value);
  if (s.declares == ir::Declares::kNothing)
    return variable(s.local, true) + " =" + mark::kBreak + value + ";";
  const std::string& name = declare(s.local);
  const bool makes = s.value->kind == ExprKind::kNewArray;
  const bool constant = s.declares == ir::Declares::kConstant && !makes;
  const char* prefix = constant ? "const " : "";
  if (s.value->kind == ExprKind::kConst && s.local->type->is_complex())
    return fmt::format("{}{} {}{};", prefix, type(s.local->type), name,
                       value.substr(value.find('{')));
  const auto* call = ir::try_as<ir::Builtin>(s.value);
  const bool tells = makes || (call && call->row->tells_its_type());
  const bool deduce = !s.local->type->is_scalar() && (tells || (constant && !s.local->owned)) &&
                      s.value->kind != ExprKind::kConvert && !s.local->type->is_optional();
  return fmt::format("{}{} {} ={}{};", prefix, deduce ? "auto" : local_type(s.local), name,
                     mark::kBreak, value);
}

void Printer::visit(const ir::Assign& s) {
  if (const ir::Call* call = raising(s.value)) {
    out_.line(status_text(*call, names_.at(s.local)));
    const std::string keeps = s.local->owned ? keep_text(*call, names_.at(s.local)) : "";
    if (!keeps.empty()) out_.line(keeps);
    return;
  }
  const auto* made = ir::try_as<ir::NewArray>(s.value);
  const bool on_stack = made && made->room == ir::Room::kStack;
  const bool is_there = on_stack && has_known_shape(*made);
  if (on_stack)
    room_ = make_room(
        s.local, is_there ? known_size(*made) : ir::kRoom / types::item_size(made->type->elem));
  out_.line(assign_text(s));
  if (ir::may_lack_memory(s.value) && f_.may_raise && !is_there)
    out_.line(fmt::format("if (!{}.is_valid()) return pyk::no_memory;", names_.at(s.local)));
}

std::string Printer::place(const ir::Place& p) {
  return p.local ? variable(p.local) : element(p.array, p.indices).text;
}

void Printer::visit(const ir::Store& s) { out_.line(*simple(&s)); }

// total += e; where a sum of integers may overflow: pyk::add_to(counts(i), e);
std::string Printer::update_text(const ir::Update& s) {
  const std::string target = place(s.place);
  const types::Type* place_type = s.place.type();
  // What C++ computes in is the wider of both: a value of another type is spelled with it.
  // What is rounded to it is said to be.
  const auto* convert = ir::try_as<ir::Convert>(s.value);
  const bool rounds = convert && convert->op == ir::ConvertOp::kRound &&
                      (convert->operand->type->is_float() || convert->operand->type->is_complex());
  const bool same = (s.value->type == place_type && !rounds) || !s.value->type->is_float();
  const std::string value = same ? grouped(s.value) : group(expr(s.value).text);
  if (s.atomic && place_type->is_complex()) {  // two numbers
    file_.headers.insert("pyk/parallel.h");
    ListText args;
    args.add(target);
    args.add(value);
    return args.in(s.op == ir::BinaryOp::kAdd ? "pyk::atomic_add(" : "pyk::atomic_sub(") + ";";
  }
  if (!s.wraps || s.atomic) return target + update_operator(s.op) + mark::kBreak + value + ";";
  file_.headers.insert("pyk/core.h");
  ListText args;
  args.add(target);
  args.add(value);
  return args.in(s.op == ir::BinaryOp::kAdd   ? "pyk::add_to("
                 : s.op == ir::BinaryOp::kSub ? "pyk::sub_from("
                                              : "pyk::mul_by(") +
         ";";
}

void Printer::visit(const ir::Update& s) {
  if (s.atomic && !s.place.type()->is_complex()) out_.line("#pragma omp atomic");
  out_.line(update_text(s));
}

// ---- leaving -----------------------------------------------------------------------------------

std::string Printer::raise_text(const ir::Raise& s) {
  file_.headers.insert("pyk/status.h");
  if (is_kernel()) return "return;";
  const std::string& site = file_.sites.name(s.site);
  if (file_.target == Target::kCuda) {
    file_.names_sites = true;
    return "return pyk::status{" + site + "};";
  }
  ListText args;
  args.add(site);
  // What the site does not know; a pass may know it by now.
  for (size_t k = 0; k < s.args.size(); ++k)
    if (!ir::constant(s.site->args[k])) args.add(expr(s.args[k]).text);
  return args.in("return pyk::raise(") + ";";
}

void Printer::visit(const ir::Raise& s) { out_.line(raise_text(s)); }

// Nothing when it takes more than one statement.
std::optional<std::string> Printer::return_text(const ir::Return& s) {
  if (is_kernel()) return "return;";
  if (const ir::Call* raised = raising(s.value)) {
    const bool has_value = raised->callee->result != types::void_();
    if (has_value && !keep_text(*raised, "").empty()) return std::nullopt;
    return "return " + call(*raised, has_value ? result_name_ : "") + ";";
  }
  if (f_.may_raise) {
    if (s.value && f_.result != types::void_()) return std::nullopt;
    return "return pyk::ok;";
  }
  if (!s.value || f_.result == types::void_()) return "return;";
  return "return " + owned_value(s.value) + ";";
}

void Printer::visit(const ir::Return& s) {
  if (const auto line = return_text(s)) return out_.line(*line);
  const ir::Local* moved = s.moves ? ir::array_of(s.value) : nullptr;
  if (s.copies) {
    out_.line(fmt::format("if (!pyk::copy_out({}, {})) return pyk::no_memory;", names_.at(moved),
                          result_name_));
  } else if (const ir::Call* raised = raising(s.value)) {
    out_.line(status_text(*raised, result_name_));
    out_.line(keep_text(*raised, result_name_));
  } else {
    const std::string value = moved ? "std::move(" + names_.at(moved) + ")" : owned_value(s.value);
    out_.line(result_name_ + " =" + mark::kBreak + value + ";");
  }
  out_.line("return pyk::ok;");
}

// if (const auto status = f(x, y)) return status;
std::string Printer::status_text(const ir::Call& raised, const std::string& target) {
  const std::string code = call(raised, target);
  if (is_kernel()) return "if (" + code + ") return;";
  return fmt::format("if (const auto {0} = {1}) return {0};", status_name_, group(code));
}

void Printer::visit(const ir::Eval& s) { out_.line(*simple(&s)); }

void Printer::visit(const ir::Print& s) {
  file_.headers.insert("pyk/print.h");
  ListText items;
  if (s.form == ir::PrintForm::kFormat) {
    std::string format;
    for (const Expr* item : s.items) format += format_of(item);
    items.add(string_literal(format));
  }
  for (const Expr* item : s.items)
    if (s.form == ir::PrintForm::kLine || !item->type->is_str()) items.add(expr(item).text);
  const bool line = s.form == ir::PrintForm::kLine;
  out_.line(items.in(line ? "pyk::print(" : "pyk::print_format(") + ";");
}

// ---- one statement -----------------------------------------------------------------------------

std::optional<std::string> Printer::simple(const ir::Stmt* s) {
  switch (s->kind) {
    case StmtKind::kAssign: {
      const auto& a = *ir::as<ir::Assign>(s);
      if (a.declares != ir::Declares::kNothing || ir::may_lack_memory(a.value)) return std::nullopt;
      const ir::Call* call = raising(a.value);
      if (call && a.local->owned && !keep_text(*call, "").empty()) return std::nullopt;
      return call ? status_text(*call, names_.at(a.local)) : assign_text(a);
    }
    case StmtKind::kStore: {
      const auto& store = *ir::as<ir::Store>(s);
      return place(store.place) + " =" + mark::kBreak + grouped(store.value) + ";";
    }
    case StmtKind::kUpdate:
      if (ir::as<ir::Update>(s)->atomic) return std::nullopt;
      return update_text(*ir::as<ir::Update>(s));
    case StmtKind::kReturn:
      return return_text(*ir::as<ir::Return>(s));
    case StmtKind::kRaise:
      return raise_text(*ir::as<ir::Raise>(s));
    case StmtKind::kBreak:
    case StmtKind::kContinue: {
      const bool breaks = s->kind == StmtKind::kBreak;
      const ir::Stmt* loop = breaks ? ir::as<ir::Break>(s)->loop : ir::as<ir::Continue>(s)->loop;
      if (!loops_.empty() && loops_.back() == loop) return breaks ? "break;" : "continue;";
      std::string& label = labels_[loop];  // out of an outer loop: to its end
      if (label.empty()) label = fresh("done");
      return "goto " + label + ";";
    }
    case StmtKind::kEval: {
      const auto* value = ir::as<ir::Eval>(s)->value;
      if (const ir::Call* call = raising(value)) return status_text(*call, "");
      const auto* safe = ir::try_as<ir::Call>(value);
      if (safe && safe->is_safe) return "pyk::surely(" + group(expr(value).text) + ");";
      return expr(value).text + ";";
    }
    default:
      return std::nullopt;
  }
}

void Printer::visit(const ir::Break& s) { out_.line(*simple(&s)); }
void Printer::visit(const ir::Continue& s) { out_.line(*simple(&s)); }

// if (…) x; | if (…) { … } else if (…) { … } else { … }
void Printer::visit(const ir::If& s) {
  const std::string condition = "if (" + grouped(s.condition) + ")";
  if (s.orelse->empty() && s.body->size() == 1) {
    const size_t declared = declared_.size();
    if (const auto only = simple(s.body->front())) return out_.joined(condition, *only);
    leave_scope(declared);
  }
  const auto side = [&](const ir::Block& b) {
    const size_t declared = declared_.size();
    stmts(b);
    leave_scope(declared);
  };
  out_.open(condition);
  side(*s.body);
  const ir::Block* orelse = s.orelse;
  while (orelse->size() == 1 && orelse->front()->kind == StmtKind::kIf) {
    const auto& next = *ir::as<ir::If>(orelse->front());
    source(next.span);
    out_.reopen("else if (" + grouped(next.condition) + ")");
    side(*next.body);
    orelse = next.orelse;
  }
  if (!orelse->empty()) {
    out_.reopen("else");
    side(*orelse);
  }
  out_.close();
}

}  // namespace pyk2cu::emit
