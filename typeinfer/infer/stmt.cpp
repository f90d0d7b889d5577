// Statements, except assignments, loops and match.
//
// In, out: infer.h. What Numba and we do not compile is refused with PK5001, naming a way out.
// Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include <algorithm>

#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

using ir::ExprKind;
using ir::StmtKind;

void Infer::stmts(ast::Stmts body) {
  for (const ast::Stmt* s : body) {
    if (!reachable_) return;
    stmt(*s);
  }
}

void Infer::stmt(const ast::Stmt& s) {
  switch (s.kind) {
    case ast::Kind::kAssign:
      return assign(static_cast<const ast::Assign&>(s));
    case ast::Kind::kAnnAssign:
      return assign(static_cast<const ast::AnnAssign&>(s));
    case ast::Kind::kAugAssign:
      return assign(static_cast<const ast::AugAssign&>(s));
    case ast::Kind::kExprStmt:
      return expression(static_cast<const ast::ExprStmt&>(s));
    case ast::Kind::kIf:
      return if_(static_cast<const ast::If&>(s));
    case ast::Kind::kFor:
      return for_(static_cast<const ast::For&>(s));
    case ast::Kind::kWhile:
      return while_(static_cast<const ast::While&>(s));
    case ast::Kind::kMatch:
      return match(static_cast<const ast::Match&>(s));
    case ast::Kind::kReturn:
      return return_(static_cast<const ast::Return&>(s));
    case ast::Kind::kRaise:
      return raise_(static_cast<const ast::Raise&>(s));
    case ast::Kind::kAssert:
      return assert_(static_cast<const ast::Assert&>(s));
    case ast::Kind::kBreak:
    case ast::Kind::kContinue:
      return leave(s);
    case ast::Kind::kPass:
      return;
    case ast::Kind::kFunctionDef:
      return nested_def(static_cast<const ast::FunctionDef&>(s));
    default:
      return refuse(s);
  }
}

// ---- what is not compiled ----------------------------------------------------------------------

void Infer::refuse(const ast::Stmt& s) {
  struct Refusal {
    ast::Kind kind;
    std::string_view what, help;
  };
  static constexpr Refusal kRefusals[] = {
      {ast::Kind::kWith, "`with`", "do what needs the context manager in the caller"},
      {ast::Kind::kAsyncWith, "`async with`", "keep asynchronous code outside of the kernel"},
      {ast::Kind::kAsyncFor, "`async for`", "keep asynchronous code outside of the kernel"},
      {ast::Kind::kAsyncFunctionDef, "`async def`", "write a plain `def`"},
      {ast::Kind::kTry, "`try`", "test for the error with `if` before it happens"},
      {ast::Kind::kTryStar, "`try`", "test for the error with `if` before it happens"},
      {ast::Kind::kImport, "`import`", "import at the top of the file"},
      {ast::Kind::kImportFrom, "`import`", "import at the top of the file"},
      {ast::Kind::kClassDef, "`class`", "use tuples, or arrays for each field"},
      {ast::Kind::kGlobal, "`global`", "pass the value in and return the new one"},
      {ast::Kind::kNonlocal, "`nonlocal`", "return the new value instead"},
      {ast::Kind::kDelete, "`del`", "leave the variable be: memory is freed by itself"},
      {ast::Kind::kTypeAlias, "`type`", "move it to the top of the file"},
  };
  for (const Refusal& refusal : kRefusals) {
    if (refusal.kind != s.kind) continue;
    const uint32_t keyword = uint32_t(refusal.what.size()) - 2;  // without its backticks
    return not_supported({s.span.begin, s.span.begin + keyword}, refusal.what, refusal.help);
  }
  not_supported(s.span, "this statement");
}

// ---- if ----------------------------------------------------------------------------------------

void Infer::if_(const ast::If& s) {
  ir::Expr* c = condition(*s.test);
  if (c->kind == ExprKind::kConst && !is_error(c)) {
    const bool taken = ir::as<ir::Const>(c)->value.integer != 0;
    const std::optional<EarlyTruth> early = early_truth(*s.test, As::kJump);
    if (early && early->by_version) dropped_by_version_.insert(s.Node::id);
    stmts(taken ? s.body : s.orelse);
    edge(scope::edge_key(s, taken ? 0 : 1));
    return join(s);
  }
  const auto branch = [&](ast::Stmts body, int slot) {
    return into_block([&] {
      stmts(body);
      edge(scope::edge_key(s, slot));
    });
  };
  ir::Block* body = branch(s.body, 0);
  const bool body_ends = std::exchange(reachable_, true);
  ir::Block* orelse = branch(s.orelse, 1);
  reachable_ = reachable_ || body_ends;
  join(s);
  if (is_error(c) || (body->empty() && orelse->empty())) return;
  if (const std::optional<bool> is_true = decided(c)) {
    const ir::Block* taken = *is_true ? body : orelse;
    block_->insert(block_->end(), taken->begin(), taken->end());
    return;
  }
  if (body->empty()) {
    c = negate(c);
    std::swap(body, orelse);
  }
  emit(make(ir::If{{StmtKind::kIf, s.span}, c, body, orelse}));
}

// ---- leaving -----------------------------------------------------------------------------------

void Infer::leave(const ast::Stmt& s) {
  const bool breaks = s.kind == ast::Kind::kBreak;
  if (loops_.empty()) {
    report(s.span, diag::SyntaxError,
           breaks ? "'break' outside loop" : "'continue' not properly in loop");
    reachable_ = false;
    return;
  }
  Loop& loop = loops_.back();
  if (!loop.stmt) {
    not_supported(s.span, "leaving a loop over a tuple of several types",
                  "make the items of the tuple one type, or write the iterations out");
    reachable_ = false;
    return;
  }
  if (breaks) {
    ir::Stmt* jump = make(ir::Break{{StmtKind::kBreak, s.span}, loop.stmt});
    emit(jump);
    edge(scope::edge_key(s, 0), jump);
    loop.breaks.push_back({block_, jump});
  } else {
    edge(scope::edge_key(s, 0));
    emit(make(ir::Continue{{StmtKind::kContinue, s.span}, loop.stmt}));
  }
  reachable_ = false;
}

void Infer::return_(const ast::Return& s) {
  Operand what{None{}};
  if (s.value) what = operand(*s.value);
  if (what.is<Pack>() || what.is<Str>()) what = to_operand(value_of(what, s.span));
  what.span = s.value ? s.value->span : s.span;
  if (what.is_value()) what.set_value(reclaim(what.value()));
  auto* node = make(ir::Return{{StmtKind::kReturn, s.span}, what.value()});
  emit(node);
  returns_.push_back({block_, node, what});
  reachable_ = false;
}

// ---- exceptions --------------------------------------------------------------------------------

namespace {

constexpr std::string_view kExceptions[] = {
    "ArithmeticError", "AssertionError",      "AttributeError",
    "BaseException",   "BufferError",         "EOFError",
    "Exception",       "FloatingPointError",  "IndexError",
    "KeyError",        "LookupError",         "MemoryError",
    "NameError",       "NotImplementedError", "OSError",
    "OverflowError",   "RecursionError",      "ReferenceError",
    "RuntimeError",    "StopIteration",       "SystemError",
    "TimeoutError",    "TypeError",           "UnboundLocalError",
    "ValueError",      "ZeroDivisionError"};

bool is_exception(std::string_view name) {
  return std::find(std::begin(kExceptions), std::end(kExceptions), name) != std::end(kExceptions);
}

}  // namespace

void Infer::raise_now(Symbol exception, std::vector<ir::Expr*> args, Span span) {
  emit(make(ir::Raise{{StmtKind::kRaise, span}, exception, list(std::move(args))}));
}

std::vector<ir::Expr*> Infer::exception_args(ast::Exprs args) {
  std::vector<ir::Expr*> out;
  for (const ast::Expr* arg : args) {
    const Mark m = mark();
    const Operand o = operand(*arg);
    if (o.is_error()) continue;
    for (ir::Expr*& earlier : out) earlier = settle(earlier, m);
    if (o.is<Str>()) {
      out.push_back(const_str(o.as<Str>().text, arg->span));
    } else if (o.is_value() && o.type()->is_scalar()) {
      out.push_back(o.value());
    } else {
      not_supported(arg->span, "this argument of an exception",
                    "strings and numbers are supported");
    }
  }
  return out;
}

void Infer::raise_(const ast::Raise& s) {
  const auto* call = ast::as<ast::Call>(s.exc);
  const auto* name = ast::as<ast::Name>(call ? call->func : s.exc);
  if (!s.exc) {
    not_supported(s.span, "`raise` without an exception", "name the exception again");
  } else if (!name || !is_exception(name->id.str()) || (call && !call->keywords.empty())) {
    const Span at = call ? call->func->span : s.exc->span;
    report(at, diag::NotAnException,
           name ? fmt::format("`{}`", name->id.str()) : std::string("this expression"))
        .help("raise one of Python's own: `raise ValueError(\"text\", number)`");
  } else {
    raise_now(name->id, call ? exception_args(call->args) : std::vector<ir::Expr*>{}, s.span);
  }
  reachable_ = false;
}

void Infer::assert_(const ast::Assert& s) {
  ir::Expr* c = condition(*s.test);
  if (is_error(c)) return;
  const bool holds = decided(c) == true;
  ir::Block* body = into_block([&] {
    std::vector<ir::Expr*> args;
    if (s.msg) {
      ast::Expr* message = s.msg;
      args = exception_args(ast::Exprs(&message, 1));
    }
    if (!holds) raise_now(Symbol("AssertionError"), std::move(args), s.span);
  });
  if (holds) return;
  emit(make(ir::If{{StmtKind::kIf, s.span}, negate(c), body, block_of({})}));
}

// ---- expressions and functions -----------------------------------------------------------------

void Infer::expression(const ast::ExprStmt& s) {
  if (ast::is<ast::Constant>(s.value)) return;
  const Operand what = operand(*s.value);
  if (!what.is_value()) return;
  ir::Expr* e = reclaim(what.value());
  if (e != what.value() && e->kind != ExprKind::kNewArray) emit_eval(e);
}

void Infer::nested_def(const ast::FunctionDef& s) {
  if (!s.decorator_list.empty()) {
    not_supported(s.decorator_list[0]->span, "a decorator on a nested function",
                  "move the function to the top of the file, or drop the decorator");
    return;
  }
  bind(s, s.name, make_function(s, s.name), s.span);
}

}  // namespace pyk2cu::infer
