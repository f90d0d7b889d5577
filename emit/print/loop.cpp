// Loops: counted ones, over elements, `while`, and the OpenMP pragmas in front of them.
//
// In:   For, ForEach, While.  Out: lines.
//   for (int64_t i = lo; i < hi; ++i)            #pragma omp parallel for reduction(+ : total)
// Tested by tests/golden/openmp.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "emit/print/printer.h"
#include "emit/text/literal.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Expr;
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

bool is_parallel(const ir::For& s) { return s.loop == ir::LoopKind::kParallel; }

// A block without braces: one statement that needs none, or one such loop.
bool is_plain(const ir::Block& body) {
  if (body.size() != 1) return false;
  const ir::Stmt* only = body.front();
  if (const auto* loop = ir::try_as<ir::For>(only))
    return !is_parallel(*loop) && !loop->simd && is_plain(*loop->body);
  if (const auto* loop = ir::try_as<ir::ForEach>(only)) return is_plain(*loop->body);
  if (const auto* update = ir::try_as<ir::Update>(only)) return !update->atomic;
  if (const auto* a = ir::try_as<ir::Assign>(only)) return !ir::may_lack_memory(a->value);
  if (const auto* branch = ir::try_as<ir::If>(only))
    return branch->orelse->empty() && is_plain(*branch->body);
  return only->kind == StmtKind::kStore || only->kind == StmtKind::kEval ||
         only->kind == StmtKind::kPrint || only->kind == StmtKind::kRaise ||
         only->kind == StmtKind::kBreak;
}

}  // namespace

// ---- heads and clauses -------------------------------------------------------------------------

std::string Printer::for_head(const ir::For& s) {
  const std::string index_type = type(s.index->type);
  const std::string lo = grouped(s.lo);
  if (s.form == ir::LoopForm::kRange) {
    ListText range;
    for (const Expr* e : {s.lo, s.hi, s.step}) range.add(text(e));
    const std::string values = range.in(fmt::format("pyk::range<{}>(", index_type));
    bool used = false;
    ir::for_each_expr_in(*s.body, [&](const Expr* e) { used = used || ir::loaded(e) == s.index; });
    file_.headers.insert("pyk/array.h");
    return fmt::format("for ({}const {} {} :{}{})", used ? "" : "[[maybe_unused]] ", index_type,
                       declare(s.index), mark::kBreak, values);
  }
  const bool up = s.form == ir::LoopForm::kUp;
  std::string end = at(expr(s.hi), Prec::kShift);
  const std::string step = at(expr(s.step), tighter(Prec::kAssign));
  const std::string& i = declare(s.index);
  const char* relation = up ? "<" : ">";
  const ir::Const* last = ir::constant(s.hi);
  if (last && !up && last->value.integer < 0x7fffffff)
    relation = ">=", end = int_literal(last->value.integer + 1, s.index->type).text;
  const ir::Const* by = ir::constant(s.step);
  const int64_t n = by ? by->value.integer : 0;
  const std::string advance = n == 1    ? "++" + i
                              : n == -1 ? "--" + i
                              : n < 0   ? fmt::format("{} -= {}", i, -n)
                                        : i + " += " + step;
  return fmt::format("for ({0} {1} = {2};{6}{1} {3} {4};{6}{5})", index_type, i, lo, relation,
                     group(end), advance, mark::kBreak);
}

std::string Printer::reduction_clauses(const ir::List<ir::Reduction>& reductions) {
  std::vector<std::pair<std::string, ListText>> groups;  // operator, names
  for (const ir::Reduction& r : reductions) {
    const std::string op = reduction_operator(r.op);
    auto it = groups.begin();
    while (it != groups.end() && it->first != op) ++it;
    if (it == groups.end()) it = groups.insert(it, {op, {}});
    it->second.add(names_.at(r.local));
  }
  std::string out;
  for (const auto& [op, names] : groups)
    out += mark::kBreak + fmt::format("reduction({} : {})", op, names.text());
  return out;
}

// OpenMP knows no sums and products of complex numbers.
void Printer::declare_complex_reductions(const ir::For& s) {
  std::set<std::string> done;
  for (const ir::Reduction& r : s.reductions) {
    if (!r.local->type->is_complex()) continue;
    const char* op = reduction_operator(r.op);
    const std::string line = fmt::format(
        "#pragma omp declare reduction({0} : {1} : omp_out = omp_out {0} omp_in){3}"
        "initializer(omp_priv = {1}{{{2}, 0}})",
        op, type(r.local->type), *op == '+' ? 0 : 1, mark::kBreak);
    if (done.insert(line).second) out_.line(line);
  }
}

// Of a few iterations that differ in cost, a thread takes one at a time.
std::string Printer::schedule(const ir::For& s) {
  if (s.schedule == ir::Schedule::kLaunch) return "schedule(dynamic, launch.portion())";
  file_.headers.insert("pyk/parallel.h");
  const auto *from = s.lo, *to = s.hi;
  if (s.form == ir::LoopForm::kDown) std::swap(from, to);
  std::string count = ir::is_int_const(from, 0) ? grouped(to)
                                                : at(expr(to), Prec::kAdditive) + " - " +
                                                      at(expr(from), Prec::kMultiplicative);
  const ir::Const* step = ir::constant(s.step);
  const bool one = step && std::abs(step->value.integer) == 1;
  const std::string by = step ? std::to_string(std::abs(step->value.integer)) : grouped(s.step);
  return fmt::format("schedule(dynamic, pyk::{}({}))",
                     s.schedule == ir::Schedule::kOneByOne ? "small_portion" : "portion",
                     one ? count
                     : ir::is_int_const(from, 0)
                         ? fmt::format("{} / {}", at(expr(to), Prec::kMultiplicative), by)
                         : fmt::format("({}) / {}", count, by));
}

// Empty: none.
std::string Printer::pragma(const ir::For& s) {
  if (!is_parallel(s)) return s.simd ? "#pragma omp simd" + reduction_clauses(s.reductions) : "";
  std::string line = s.simd ? "#pragma omp parallel for simd" : "#pragma omp parallel for";
  const auto clause = [&](const std::string& what) { line += mark::kBreak + what; };
  const auto list = [&](const auto& locals) {
    ListText names;
    for (const ir::Local* local : locals) names.add(names_.at(local));
    return names.text();
  };
  if (s.schedule != ir::Schedule::kEven) clause(schedule(s));
  // What the last turn sets keeps its value when there is none.
  std::vector<const ir::Local*> copies(s.copies.begin(), s.copies.end());
  copies.insert(copies.end(), s.last_private.begin(), s.last_private.end());
  if (!copies.empty()) clause("firstprivate(" + list(copies) + ")");
  line += reduction_clauses(s.reductions);
  if (!s.last_private.empty()) clause("lastprivate(" + list(s.last_private) + ")");
  if (s.worth) clause("if (" + grouped(s.worth) + ")");
  return line;
}

// ---- loops -------------------------------------------------------------------------------------

// The block of a loop, with braces where it takes several statements.
void Printer::block(const std::string& head, const ir::Block& body, const ir::Stmt* loop) {
  const size_t declared = declared_.size();
  loops_.push_back(loop);
  if (is_plain(body) && !file_.options.line_directives) {
    out_.line(head);
    out_.indent();
    stmts(body);
    out_.dedent();
  } else {
    out_.open(head);
    stmts(body);
    out_.close();
  }
  loops_.pop_back();
  leave_scope(declared);
  const auto label = labels_.find(loop);
  if (label != labels_.end()) out_.line(label->second + ":;");
}

// for (…)
//   if (!error.is_before(i)) error.keep(i, f_each_i(i, a));
void Printer::collecting_loop(const ir::For& s) {
  file_.headers.insert("pyk/parallel.h");
  const std::string error = fresh("error");
  out_.line(fmt::format("pyk::first_error {};", error));
  if (const std::string line = pragma(s); !line.empty()) out_.line(line);
  const size_t declared = declared_.size();
  out_.line(for_head(s));
  const std::string i = (s.form == ir::LoopForm::kDown ? "-" : "") + names_.at(s.index);
  const auto* body = ir::as<ir::Call>(ir::as<ir::Eval>(s.body->front())->value);
  ListText args;
  args.add(i);
  args.add(call(*body));
  out_.indent();
  source(body->span);
  out_.joined(fmt::format("if (!{}.is_before({}))", error, i), args.in(error + ".keep(") + ";");
  out_.dedent();
  leave_scope(declared);
  if (s.is_last)
    out_.line(fmt::format("return {}.get();", error));
  else
    out_.line(fmt::format("if (const auto {0} = {1}.get()) return {0};", status_name_, error));
}

void Printer::visit(const ir::For& s) {
  const size_t declared = declared_.size();
  // What is declared for one loop is not for the next one, which may need the same.
  const bool declares = is_parallel(s) && std::ranges::any_of(s.reductions, [](const auto& r) {
                          return r.local->type->is_complex();
                        });
  if (declares) {
    out_.line("{");
    out_.indent();
    declare_complex_reductions(s);
  }
  if (is_parallel(s) && s.keeps_error) {
    collecting_loop(s);
  } else {
    if (const std::string line = pragma(s); !line.empty()) out_.line(line);
    block(for_head(s), *s.body, &s);
  }
  if (declares) out_.close();
  leave_scope(declared);
}

// #pragma omp simd
// for (int32_t k = 0; k < 16; ++k) { … }
void Printer::visit(const ir::Lanes& s) {
  const size_t declared = declared_.size();
  if (s.simd) out_.line("#pragma omp simd" + reduction_clauses(s.reductions));
  const std::string end = s.count ? grouped(s.count) : std::to_string(s.width);
  const std::string& k = declare(s.index);
  lanes_ = &s;
  block(fmt::format("for ({0} {1} = 0;{3}{1} < {2};{3}++{1})", type(s.index->type), k, end,
                    mark::kBreak),
        *s.body, &s);
  lanes_ = nullptr;
  leave_scope(declared);
}

// pyk::lanes::gang<32>(n - j, [&](const auto count) PYK_INLINED { … });
void Printer::visit(const ir::Gang& s) {
  file_.headers.insert("pyk/lanes.h");
  const size_t declared = declared_.size();
  const std::string left = expr(s.left).text;
  out_.open(fmt::format("pyk::lanes::gang<{}>({}, [&](const auto {}) PYK_INLINED", s.width, left,
                        declare(s.count)));
  stmts(*s.body);
  out_.close("});");
  leave_scope(declared);
}

// pyk::lanes::given(a.shape(1) == 3, [&](const auto known) PYK_INLINED { … });
void Printer::visit(const ir::Given& s) {
  file_.headers.insert("pyk/lanes.h");
  const size_t declared = declared_.size();
  const std::string condition = expr(s.condition).text;
  out_.open(fmt::format("pyk::lanes::given({}, [&](const auto {}) PYK_INLINED", condition,
                        declare(s.known)));
  stmts(*s.body);
  out_.close("});");
  leave_scope(declared);
}

// pyk::lanes::sin(angle, value);   pyk::lanes::mod(value, n, rest);   pyk::random::random(value);
void Printer::visit(const ir::Each& s) {
  if (const auto* division = ir::try_as<ir::Binary>(s.value)) {
    file_.headers.insert("pyk/lanes.h");
    ListText args;
    for (const Expr* operand : {division->left, division->right}) {
      const ir::Local* local = ir::loaded(operand);
      args.add(local && local->lanes ? names_.at(local) : expr(operand).text);
    }
    args.add(names_.at(s.local));
    const char* name = division->op == ir::BinaryOp::kPow        ? "powers"
                       : division->op == ir::BinaryOp::kFloorDiv ? "floordiv"
                                                                 : "mod";
    return out_.line(fmt::format("pyk::lanes::{}", name) + args.in("(") + ";");
  }
  const auto* call = ir::as<ir::Builtin>(s.value);
  if (call->args.empty()) {
    file_.headers.insert(builtins::header_of(*call->row));
    return out_.line(fmt::format("{}({});", call->row->cpp_name(), names_.at(s.local)));
  }
  file_.headers.insert("pyk/lanes.h");
  out_.line(fmt::format("pyk::lanes::{}({}, {});", builtins::row(call->row->lanes).name,
                        names_.at(ir::loaded(call->args[0])), names_.at(s.local)));
}

// pyk::lanes::sin_cos(angle, sine, cosine);
void Printer::visit(const ir::SinCos& s) {
  file_.headers.insert("pyk/lanes.h");
  out_.line(fmt::format("pyk::lanes::sin_cos({}, {}, {});", names_.at(ir::loaded(s.angle)),
                        names_.at(s.sine), names_.at(s.cosine)));
}

// for (const double x : a)     Of complex numbers no constants: GCC warns of the copies.
void Printer::visit(const ir::ForEach& s) {
  const size_t declared = declared_.size();
  const std::string array = expr(s.array).text;
  const bool constant = s.declares == ir::Declares::kConstant && !s.item->type->is_complex();
  const char* prefix = constant ? "const " : "";
  const std::string item_type = type(s.item->type);
  block(fmt::format("for ({}{} {} : {})", prefix, item_type, declare(s.item), array), *s.body, &s);
  leave_scope(declared);
}

void Printer::visit(const ir::Generate&) {
  throw std::logic_error("a loop over a generator, which the pass `generators` takes apart");
}
void Printer::visit(const ir::Yield&) {
  throw std::logic_error("a yield, which the pass `generators` takes away");
}

void Printer::visit(const ir::While& s) {
  block("while (" + grouped(s.condition) + ")", *s.body, &s);
}

}  // namespace pyk2cu::emit
