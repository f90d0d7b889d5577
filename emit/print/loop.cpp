// Loops: counted ones, `while`, and the OpenMP pragmas in front of them.
//
// In:   For, While, Break, Continue and LoopFacts.  Out: lines.
//   for (int64_t i = lo; i < hi; ++i)            #pragma omp parallel for reduction(+ : total)
// Tested by tests/golden/openmp.
#include <fmt/format.h>

#include "emit/lower/walk.h"
#include "emit/print/printer.h"
#include "emit/text/literal.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::ExprKind;
using ir::StmtKind;

namespace {

const char* reduction_operator(ir::ReduceOp op) {
  switch (op) {
    case ir::ReduceOp::kAdd:
      return "+";
    case ir::ReduceOp::kMul:
      return "*";
    case ir::ReduceOp::kMin:
      return "min";
    case ir::ReduceOp::kMax:
      return "max";
    case ir::ReduceOp::kAnd:
      return "&";
    case ir::ReduceOp::kOr:
      return "|";
    case ir::ReduceOp::kXor:
      return "^";
    case ir::ReduceOp::kLogicalAnd:
      return "&&";
    case ir::ReduceOp::kLogicalOr:
      return "||";
  }
  return "+";
}

// Work below which starting the other threads costs more than it saves (spec/emission.md 4.6).
constexpr int64_t kParallelWork = 32000;

// To one digit, as a person would write it: 1777 -> 2000.
int64_t rounded(int64_t n) {
  int64_t unit = 1;
  while (n / unit >= 10) unit *= 10;
  return (n + unit / 2) / unit * unit;
}

}  // namespace

// Cheap, and the same before every iteration.
bool Printer::is_invariant(Expr* e, const ir::For& loop) {
  bool same = true;
  for_each_subexpr(e, [&](Expr* part) {
    switch (part->kind) {
      case ExprKind::kConst:
      case ExprKind::kConvert:
      case ExprKind::kQuery:
      case ExprKind::kUnary:
      case ExprKind::kItem:
      case ExprKind::kLane:
        return;
      case ExprKind::kBinary:
        same = same && ir::as<ir::Binary>(part)->op <= ir::BinaryOp::kMul;
        return;
      case ExprKind::kLoad:
        same = same && !assigns(*loop.body, loaded(part));
        return;
      default:
        same = false;
    }
  });
  return same;
}

// The head of the loop; ends that would be computed anew in every iteration get a name before it.
void Printer::loop_head(const ir::For& s, std::string& head) {
  const std::string& i = names_.at(s.index);
  const std::string type = cpp_type(s.index->type);
  const ir::Const* step = constant(s.step);
  const LoopFacts* facts = file_.facts.loop(&s);
  const bool overflows = facts && facts->steps_over && !facts->parallel;
  const int sign = step                               ? (step->value.integer > 0 ? 1 : -1)
                   : facts && is_invariant(s.step, s) ? facts->step_sign
                                                      : 0;
  if (sign == 0 || overflows) {
    bool used = false;
    for_each_expr_in(*s.body, [&](Expr* e) { used = used || loaded(e) == s.index; });
    head = fmt::format("for ({}const {} {} : pyk::range<{}>({}, {}, {}))",
                       used ? "" : "[[maybe_unused]] ", type, i, type, text(s.lo), text(s.hi),
                       text(s.step));
    return;
  }
  std::string end = expr(s.hi).text;
  if (!is_invariant(s.hi, s)) {
    const std::string name = unique(i + "_end");
    out_.line(fmt::format("const {} {} = {};", type, name, end));
    end = name;
  } else {
    end = at(expr(s.hi), Prec::kShift);
  }
  std::string relation = sign > 0 ? "<" : ">";
  if (const ir::Const* last = constant(s.hi); last && sign < 0 && last->value.integer < 0x7fffffff)
    relation = ">=", end = int_literal(last->value.integer + 1, s.index->type).text;
  const bool one = is_int_const(s.step, sign);
  const bool negative = step && step->value.integer < 0;
  const std::string by =
      negative ? std::to_string(-step->value.integer) : at(expr(s.step), tighter(Prec::kAssign));
  const std::string advance =
      one ? (sign > 0 ? "++" : "--") + i : i + (negative ? " -= " : " += ") + by;
  head =
      fmt::format("for ({} {} = {}; {} {} {}; {})", type, i, text(s.lo), i, relation, end, advance);
}

std::string Printer::reduction_clause(const std::vector<ir::Reduction>& reductions) {
  std::string out;
  std::vector<std::pair<std::string, std::string>> groups;  // operator, names
  for (const ir::Reduction& r : reductions) {
    const std::string op = reduction_operator(r.op);
    auto it = groups.begin();
    while (it != groups.end() && it->first != op) ++it;
    if (it == groups.end()) it = groups.insert(it, {op, ""});
    it->second += (it->second.empty() ? "" : ", ") + names_.at(r.local);
  }
  for (const auto& [op, names] : groups) out += fmt::format(" reduction({} : {})", op, names);
  return out;
}

// OpenMP knows no sums and products of complex numbers.
void Printer::declare_complex_reductions(const ir::For& s) {
  std::set<std::string> done;
  for (const ir::Reduction& r : *s.reductions) {
    if (!r.local->type->is_complex()) continue;
    const char* op = reduction_operator(r.op);
    const std::string line = fmt::format(
        "#pragma omp declare reduction({0} : {1} : omp_out = omp_out {0} omp_in) "
        "initializer(omp_priv = {1}{{{2}, 0}})",
        op, cpp_type(r.local->type), *op == '+' ? 0 : 1);
    if (done.insert(line).second) out_.line(line);
  }
}

void Printer::pragmas(const ir::For& s) {
  const LoopFacts* facts = file_.facts.loop(&s);
  if (!facts) return;
  if (facts->strips)
    out_.line("// in strips: all checks first, then, if none fails, the loop without them");
  if (facts->simd && !facts->parallel) {
    out_.line("#pragma omp simd" + reduction_clause(facts->simd_reductions));
    return;
  }
  if (!facts->parallel) return;
  declare_complex_reductions(s);
  std::string line = facts->simd ? "#pragma omp parallel for simd" : "#pragma omp parallel for";
  if (facts->dynamic)
    line += facts->work.size() > 1 ? " schedule(dynamic)" : " schedule(dynamic, 16)";
  const auto list = [&](const auto& locals) {
    std::string names;
    for (const ir::Local* local : locals) names += (names.empty() ? "" : ", ") + names_.at(local);
    return names;
  };
  if (!facts->views.empty()) line += " firstprivate(" + list(facts->views) + ")";
  if (s.reductions) line += reduction_clause(*s.reductions);
  if (s.last_private && !s.last_private->empty())
    line += " lastprivate(" + list(*s.last_private) + ")";
  const int64_t threshold = rounded(kParallelWork / std::max<int64_t>(facts->weight, 1));
  if (!facts->work.empty() && threshold > 1) {
    std::string work;
    for (const Expr* factor : facts->work)
      work += (work.empty() ? "" : " * ") + at(expr(factor), Prec::kMultiplicative);
    line += fmt::format(" if ({} > {})", work, threshold);
  }
  out_.line(line);
}

// Without braces: one simple statement, or one such loop.
bool Printer::is_compact(const ir::Block& body) {
  if (body.size() != 1) return false;
  const ir::Stmt* only = body[0];
  if (only->kind == StmtKind::kFor) {
    const auto& loop = *ir::as<ir::For>(only);
    const LoopFacts* facts = file_.facts.loop(only);
    const bool plain = !facts || (!facts->parallel && !facts->simd);
    return plain && declarations_.before.count(only) == 0 && is_invariant(loop.hi, loop) &&
           !file_.options.line_directives && labels_.count(only) == 0 && is_compact(*loop.body);
  }
  loops_.push_back(nullptr);
  const auto line = one_line(only);
  loops_.pop_back();
  return line && line->size() < 90 && !file_.options.line_directives;
}

void Printer::body_of(const std::string& head, const ir::Block& body) {
  if (is_compact(body)) {
    out_.line(head);
    out_.indent();
    stmts(body);
    out_.dedent();
    return;
  }
  out_.open(head);
  stmts(body);
  out_.close();
}

// The last statement of the function, a parallel loop that may raise: its error is the result.
bool Printer::returns_status(const ir::Stmt* s) const {
  if (f_.body.empty() || s != f_.body.back() || s->kind != StmtKind::kFor) return false;
  const LoopFacts* facts = file_.facts.loop(s);
  return facts && facts->parallel && facts->may_raise;
}

// error.keep(i, [&]() -> pyk::status { … return pyk::ok; }());
void Printer::raising_body(const ir::For& s) {
  const std::string error = unique("error");
  const std::string& i = names_.at(s.index);
  file_.headers.insert("pyk/parallel.h");
  out_.line(fmt::format("pyk::first_error {};", error));
  std::string head;
  loop_head(s, head);
  pragmas(s);
  out_.open(head);
  out_.line(fmt::format("if ({}.is_before({})) continue;", error, i));
  out_.open(fmt::format("{}.keep({}, [&]() -> pyk::status", error, i));
  stmts(*s.body);
  out_.line("return pyk::ok;");
  out_.close("}());");
  out_.close();
  if (returns_status(&s))
    out_.line(fmt::format("return {}.get();", error));
  else
    out_.line(
        fmt::format("if (const auto {} = {}.get()) return {};", status_name_, error, status_name_));
}

void Printer::visit(const ir::For& s) {
  const LoopFacts* facts = file_.facts.loop(&s);
  loops_.push_back(&s);
  if (facts && facts->parallel && facts->may_raise) {
    raising_body(s);
  } else {
    std::string head;
    loop_head(s, head);
    pragmas(s);
    body_of(head, *s.body);
  }
  loops_.pop_back();
  const auto label = labels_.find(&s);
  if (label != labels_.end()) out_.line(label->second + ":;");
}

void Printer::visit(const ir::While& s) {
  loops_.push_back(&s);
  body_of("while (" + text(s.condition) + ")", *s.body);
  loops_.pop_back();
  const auto label = labels_.find(&s);
  if (label != labels_.end()) out_.line(label->second + ":;");
}

// Out of an outer loop: goto its end.
void Printer::visit(const ir::Break& s) {
  if (!loops_.empty() && loops_.back() == s.loop) return out_.line("break;");
  std::string& label = labels_[s.loop];
  if (label.empty()) label = unique("done");
  out_.line("goto " + label + ";");
}

void Printer::visit(const ir::Continue& s) {
  if (const auto line = one_line(&s)) return out_.line(*line);
  out_.line("continue;");
}

}  // namespace pyk2cu::emit
