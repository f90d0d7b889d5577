// Statements: about one line of C++ for one line of Python.
//
// In:   lowered IR.  Out: lines in the Writer.
// Tested by tests/golden.
#include <fmt/format.h>

#include <filesystem>

#include "emit/lower/walk.h"
#include "emit/print/printer.h"
#include "emit/text/literal.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::ExprKind;
using ir::StmtKind;
using types::Type;

namespace {

const ir::Call* raising(const Expr* e) {
  const bool call = e && e->kind == ExprKind::kCall && ir::as<ir::Call>(e)->callee->may_raise;
  return call ? ir::as<ir::Call>(e) : nullptr;
}

const char* update_operator(ir::BinaryOp op) {
  switch (op) {
    case ir::BinaryOp::kAdd:
      return " += ";
    case ir::BinaryOp::kSub:
      return " -= ";
    case ir::BinaryOp::kMul:
      return " *= ";
    case ir::BinaryOp::kDiv:
    case ir::BinaryOp::kFloorDiv:
      return " /= ";
    case ir::BinaryOp::kMod:
      return " %= ";
    case ir::BinaryOp::kAnd:
      return " &= ";
    case ir::BinaryOp::kOr:
      return " |= ";
    case ir::BinaryOp::kXor:
      return " ^= ";
    default:
      return " ?= ";
  }
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

void Printer::stmts(const ir::Block& block) {
  for (size_t i = 0; i < block.size(); ++i) {
    if (const size_t used = unpacking(block, i)) {
      i += used - 1;
      continue;
    }
    stmt(block[i]);
  }
}

void Printer::stmt(const ir::Stmt* s) {
  source(s->span);
  declare_before(s);
  ir::visit(*s, [&](const auto& node) { visit(node); });
}

std::string Printer::local_type(const ir::Local* local) const {
  if (local->owned) return cpp_type(local->type, Hold::kOwned);
  const std::string index = file_.target == Target::kCuda ? "Index" : "";
  const bool readonly = local->type->is_array() && file_.facts.written.count(local) == 0;
  if (local->type->is_tuple() && !index.empty()) return cpp_type(local->type, Hold::kView, index);
  if (local->type->is_tuple()) return cpp_type(local->type, Hold::kOwned);
  return cpp_type(local->type, readonly ? Hold::kConstView : Hold::kView, index);
}

void Printer::declare_before(const ir::Stmt* s) {
  const auto it = declarations_.before.find(s);
  if (it == declarations_.before.end()) return;
  for (const ir::Local* local : it->second) {
    const bool clear = declarations_.cleared.count(local) != 0;
    const bool class_type = !local->type->is_scalar();
    out_.line(fmt::format("{} {}{};", local_type(local), names_.at(local),
                          clear || class_type ? "{}" : ""));
  }
}

// The local whose memory a view shows: of a[1:], of a.T or a.imag; null if `e` is none.
static const ir::Local* view_root(const Expr* e) {
  if (e->kind != ExprKind::kView && e->kind != ExprKind::kBuiltin) return nullptr;
  if (!e->type->is_array()) return nullptr;
  while (e->kind == ExprKind::kView || e->kind == ExprKind::kBuiltin)
    e = e->kind == ExprKind::kView ? ir::as<ir::View>(e)->array
                                   : (*ir::as<ir::Builtin>(e)->args)[0];
  return loaded(e);
}

// Views of what `local` must keep alive share its owner.
std::string Printer::owned_value(const Expr* e, const ir::Local* local) {
  const ir::Local* root = view_root(e);
  if (local->owned && root && root->owned)
    return fmt::format("pyk::share({}, {})", expr(e).text, names_.at(root));
  return text(e);
}

// const double x = a(i); auto y = pyk::zeros<…>(n); total += x;
std::string Printer::assign_line(const ir::Assign& s) {
  const std::string& name = names_.at(s.local);
  const auto update = file_.facts.updates.find(&s);
  if (update != file_.facts.updates.end())
    return update_line(name, s.local->type, update->second, false);
  const bool declares = declarations_.at.count(&s) != 0;
  const std::string value = owned_value(s.value, s.local);
  if (!declares) return fmt::format("{} = {};", name, value);
  const bool constant = declarations_.constants.count(&s) != 0;
  if (s.value->kind == ExprKind::kConst && s.local->type->is_complex())
    return fmt::format("{}{} {};", constant ? "const " : "", cpp_type(s.local->type),
                       name + value.substr(value.find('{')));
  const bool makes = s.value->kind == ExprKind::kNewArray;
  const bool deduce = !s.local->type->is_scalar() && (makes || (constant && !s.local->owned)) &&
                      !(s.value->kind == ExprKind::kConvert) && !s.local->type->is_optional();
  return fmt::format("{}{} {} = {};", constant && !makes ? "const " : "",
                     deduce ? "auto" : local_type(s.local), name, value);
}

// total += e; where a sum of integers may overflow: pyk::add_to(counts(i), e);
std::string Printer::update_line(const std::string& target, const Type* type, const Update& u,
                                 bool atomic) {
  const bool convert = u.value->kind == ExprKind::kConvert;
  const std::string value =
      convert ? implicit(u.value).text : operands(u.value, u.value, type).right.text;
  if (!u.wraps || atomic) return fmt::format("{}{}{};", target, update_operator(u.op), value);
  const char* name = u.op == ir::BinaryOp::kAdd   ? "add_to"
                     : u.op == ir::BinaryOp::kSub ? "sub_from"
                                                  : "mul_by";
  return fmt::format("pyk::{}({}, {});", name, target, value);
}

std::string Printer::store_line(const ir::Store& s) {
  const std::string target = element(s.array, *s.indices).text;
  const auto update = file_.facts.updates.find(&s);
  if (update != file_.facts.updates.end())
    return update_line(target, s.array->type->elem, update->second,
                       file_.facts.atomic.count(&s) != 0);
  return fmt::format("{} = {};", target, text(s.value));
}

std::string Printer::raise_line(const ir::Raise& s) {
  const int site = file_.sites.number(&s, &f_);
  if (file_.target == Target::kCuda)
    return f_.kind == ir::FunctionKind::kKernel ? "return;"
                                                : fmt::format("return pyk::status{{{}}};", site);
  std::string args;
  if (s.args)
    for (const Expr* arg : *s.args)
      if (!constant(arg)) args += ", " + expr(arg).text;
  return fmt::format("return pyk::raise({}{});", site, args);
}

// Nothing when it takes more than one line.
std::optional<std::string> Printer::return_line(const ir::Return& s) {
  const bool kernel = f_.kind == ir::FunctionKind::kKernel && file_.target == Target::kCuda;
  if (const ir::Call* call = raising(s.value)) {
    if (call->callee->result != f_.result || kernel) return std::nullopt;
    const std::string args = call_args(*call);
    return fmt::format("return {}({}{}{});", call->callee->symbol, args, args.empty() ? "" : ", ",
                       result_name_);
  }
  const bool has_value = s.value && cpp_type(f_.result) != "void";
  if (kernel) return "return;";
  if (f_.may_raise) {
    if (has_value) return std::nullopt;
    return "return pyk::ok;";
  }
  if (!has_value) return "return;";
  return "return " + text(s.value) + ";";
}

std::optional<std::string> Printer::one_line(const ir::Stmt* s) {
  if (declarations_.before.count(s) != 0 || file_.facts.atomic.count(s) != 0) return std::nullopt;
  switch (s->kind) {
    case StmtKind::kAssign:
      if (raising(ir::as<ir::Assign>(s)->value) || declarations_.at.count(s) != 0 ||
          ir::as<ir::Assign>(s)->value->kind == ExprKind::kNewArray)
        return std::nullopt;
      return assign_line(*ir::as<ir::Assign>(s));
    case StmtKind::kStore:
      return store_line(*ir::as<ir::Store>(s));
    case StmtKind::kReturn:
      return return_line(*ir::as<ir::Return>(s));
    case StmtKind::kRaise:
      return raise_line(*ir::as<ir::Raise>(s));
    case StmtKind::kBreak:
      if (loops_.empty() || loops_.back() != ir::as<ir::Break>(s)->loop) return std::nullopt;
      return "break;";
    case StmtKind::kContinue:
      if (loops_.empty() || loops_.back() != ir::as<ir::Continue>(s)->loop) return std::nullopt;
      if (const LoopFacts* facts = file_.facts.loop(loops_.back());
          facts && facts->parallel && facts->may_raise)
        return "return pyk::ok;";
      return "continue;";
    case StmtKind::kEval:
      if (raising(ir::as<ir::Eval>(s)->value)) return std::nullopt;
      return expr(ir::as<ir::Eval>(s)->value).text + ";";
    default:
      return std::nullopt;
  }
}

// if (const auto status = f(x, y)) return status;
void Printer::raising_call(const ir::Call& call, const std::string& target) {
  Code code = visit(call);
  if (!target.empty()) {
    code.text.pop_back();
    code.text += (code.text.back() == '(' ? "" : ", ") + target + ")";
  }
  if (file_.target == Target::kCuda && f_.kind == ir::FunctionKind::kKernel)
    return out_.line(fmt::format("if ({}) return;", code.text));
  out_.line(
      fmt::format("if (const auto {} = {}) return {};", status_name_, code.text, status_name_));
}

void Printer::visit(const ir::Assign& s) {
  if (const ir::Call* call = raising(s.value)) return raising_call(*call, names_.at(s.local));
  out_.line(assign_line(s));
  if (s.value->kind == ExprKind::kNewArray && f_.may_raise)
    out_.line(fmt::format("if (!{}.is_valid()) return pyk::no_memory;", names_.at(s.local)));
}

void Printer::visit(const ir::Store& s) {
  if (file_.facts.atomic.count(&s) != 0) out_.line("#pragma omp atomic");
  out_.line(store_line(s));
}

void Printer::visit(const ir::Return& s) {
  if (const auto line = return_line(s)) return out_.line(*line);
  const bool kernel = f_.kind == ir::FunctionKind::kKernel && file_.target == Target::kCuda;
  if (const ir::Call* call = raising(s.value)) {
    const std::string value = unique("value");
    const bool has_value = cpp_type(call->callee->result) != "void";
    if (has_value)
      out_.line(fmt::format("{} {}{{}};", cpp_type(call->callee->result, Hold::kOwned), value));
    raising_call(*call, has_value ? value : "");
    if (has_value && !kernel) out_.line(fmt::format("{} = {};", result_name_, value));
  } else {
    out_.line(fmt::format("{} = {};", result_name_, text(s.value)));
    if (s.value->kind == ExprKind::kNewArray)
      out_.line(fmt::format("if (!{}.is_valid()) return pyk::no_memory;", result_name_));
  }
  out_.line(kernel ? "return;" : "return pyk::ok;");
}

void Printer::visit(const ir::Raise& s) { out_.line(raise_line(s)); }

void Printer::visit(const ir::Eval& s) {
  const ir::Call* call = raising(s.value);
  if (!call) return out_.line(expr(s.value).text + ";");
  const std::string type = cpp_type(call->callee->result, Hold::kOwned);
  if (type == "void") return raising_call(*call, "");
  const std::string unused = unique("unused");
  out_.open("");
  out_.line(fmt::format("{} {}{{}};", type, unused));
  raising_call(*call, unused);
  out_.close();
}

void Printer::visit(const ir::Print& s) {
  file_.headers.insert("pyk/print.h");
  std::string items;
  for (const Expr* item : *s.items) items += (items.empty() ? "" : ", ") + expr(item).text;
  out_.line(fmt::format("pyk::print({});", items));
}

void Printer::visit(const ir::If& s) { if_chain(s); }

// if (…) x; | if (…) { … } else if (…) { … } else { … }
void Printer::if_chain(const ir::If& s) {
  const bool has_else = s.orelse && !s.orelse->empty();
  const std::string condition = "if (" + text(s.condition) + ")";
  if (!has_else && s.body->size() == 1) {
    const auto only = one_line((*s.body)[0]);
    if (only && condition.size() + only->size() < 80) return out_.line(condition + " " + *only);
  }
  out_.open(condition);
  stmts(*s.body);
  const ir::Block* orelse = s.orelse;
  while (orelse && orelse->size() == 1 && (*orelse)[0]->kind == StmtKind::kIf &&
         declarations_.before.count((*orelse)[0]) == 0) {
    const auto& next = *ir::as<ir::If>((*orelse)[0]);
    source(next.span);
    out_.reopen("else if (" + text(next.condition) + ")");
    stmts(*next.body);
    orelse = next.orelse;
  }
  if (orelse && !orelse->empty()) {
    out_.reopen("else");
    stmts(*orelse);
  }
  out_.close();
}

namespace {

// Item k of a tuple or of a shape that `s` assigns, or null.
const Expr* unpacked_item(const ir::Stmt* s, size_t k) {
  if (s->kind != StmtKind::kAssign) return nullptr;
  const Expr* value = ir::as<ir::Assign>(s)->value;
  const bool same = value->type == ir::as<ir::Assign>(s)->local->type;
  if (same && value->kind == ExprKind::kItem &&
      ir::as<ir::Item>(value)->index == static_cast<int>(k))
    return ir::as<ir::Item>(value)->tuple;
  if (same && value->kind == ExprKind::kQuery && ir::as<ir::Query>(value)->axis >= 0 &&
      ir::as<ir::Query>(value)->op == ir::QueryOp::kShape &&
      ir::as<ir::Query>(value)->axis == static_cast<int>(k))
    return ir::as<ir::Query>(value)->operand;
  return nullptr;
}

}  // namespace

bool Printer::has_openmp_loop() const {
  bool found = false;
  for_each_stmt(f_.body, [&](ir::Stmt* s) {
    const LoopFacts* facts = s->kind == StmtKind::kFor ? file_.facts.loop(s) : nullptr;
    found |= facts && (facts->parallel || facts->simd);
  });
  return found;
}

// t = f(); x = t[0]; y = t[1]   ->   const auto [x, y] = f();
// m = a.shape[0]; n = a.shape[1]   ->   const auto [m, n] = a.shape();
// Not beside OpenMP loops: Clang cannot capture structured bindings there.
size_t Printer::unpacking(const ir::Block& block, size_t i) {
  size_t first = i;
  const Expr* source_tuple = nullptr;
  const ir::Local* temp = nullptr;
  if (block[i]->kind == StmtKind::kAssign) {
    const auto& head = *ir::as<ir::Assign>(block[i]);
    if (head.local->is_temp && head.local->type->is_tuple() && is_plain_assign(&head) &&
        declarations_.at.count(&head) != 0) {
      temp = head.local;
      source_tuple = head.value;
      ++first;
    }
  }
  if (first >= block.size()) return 0;
  const Expr* tuple = unpacked_item(block[first], 0);
  if (!tuple || (temp && loaded(tuple) != temp)) return 0;
  const bool shape = tuple->type->is_array();
  const size_t count = shape ? tuple->type->rank : tuple->type->items.size();
  if (count < 2 || first + count > block.size()) return 0;
  std::string names;
  for (size_t k = 0; k < count; ++k) {
    const ir::Stmt* s = block[first + k];
    const Expr* from = unpacked_item(s, k);
    if (!from || !same_expr(from, tuple) || declarations_.constants.count(s) == 0 ||
        declarations_.before.count(s) != 0)
      return 0;
    names += (k ? ", " : "") + names_.at(ir::as<ir::Assign>(s)->local);
  }
  if (temp) {
    size_t uses = 0;
    for_each_expr_in(f_.body, [&](Expr* e) { uses += loaded(e) == temp; });
    if (uses != count) return 0;
  }
  if (has_openmp_loop()) return 0;
  source(block[i]->span);
  const std::string value = temp    ? text(source_tuple)
                            : shape ? at(expr(tuple), Prec::kPostfix) + ".shape()"
                                    : text(tuple);
  out_.line(fmt::format("const auto [{}] = {};", names, value));
  return first - i + count;
}

}  // namespace pyk2cu::emit
