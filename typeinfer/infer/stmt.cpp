// Statements, except assignments, loops and match: see statements.h.
//
// Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include <algorithm>

#include "typeinfer/builtins/python.h"
#include "typeinfer/infer/assign.h"
#include "typeinfer/infer/list_parts.h"
#include "typeinfer/infer/lists.h"
#include "typeinfer/infer/messages.h"
#include "typeinfer/infer/statements.h"
#include "typeinfer/infer/tables.h"

namespace pyk2cu::infer {

using ir::ExprKind;
using ir::StmtKind;

// ---- what is not compiled ----------------------------------------------------------------------

namespace {

void refuse(Emitter& in, const ast::Stmt& s) {
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
      {ast::Kind::kDelete, "`del` of a variable",
       "leave the variable be: memory is freed by itself"},
      {ast::Kind::kTypeAlias, "`type`", "move it to the top of the file"},
  };
  for (const Refusal& refusal : kRefusals) {
    if (refusal.kind != s.kind) continue;
    const uint32_t keyword = uint32_t(refusal.what.rfind('`')) - 1;  // without its backticks
    return in.not_supported({s.span.begin, s.span.begin + keyword}, refusal.what, refusal.help);
  }
  in.not_supported(s.span, "this statement");
}

}  // namespace

// ---- which statement ---------------------------------------------------------------------------

void Statements::walk(ast::Stmts body) {
  for (const ast::Stmt* s : body) {
    if (!in_.joins().reachable()) return;
    stmt(*s);
  }
}

void Statements::stmt(const ast::Stmt& s) {
  switch (s.kind) {
    case ast::Kind::kAssign:
      return assign(in_, static_cast<const ast::Assign&>(s));
    case ast::Kind::kAnnAssign:
      return assign(in_, static_cast<const ast::AnnAssign&>(s));
    case ast::Kind::kAugAssign:
      return assign(in_, static_cast<const ast::AugAssign&>(s));
    case ast::Kind::kDelete:
      return remove(static_cast<const ast::Delete&>(s));
    case ast::Kind::kExprStmt:
      return expression(static_cast<const ast::ExprStmt&>(s));
    case ast::Kind::kIf:
      return if_(static_cast<const ast::If&>(s));
    case ast::Kind::kFor:
      return loops_.walk_for(static_cast<const ast::For&>(s));
    case ast::Kind::kWhile:
      return loops_.walk_while(static_cast<const ast::While&>(s));
    case ast::Kind::kMatch:
      return match(*this, static_cast<const ast::Match&>(s));
    case ast::Kind::kReturn:
      return return_(static_cast<const ast::Return&>(s));
    case ast::Kind::kRaise:
      return raise_(static_cast<const ast::Raise&>(s));
    case ast::Kind::kAssert:
      return assert_(static_cast<const ast::Assert&>(s));
    case ast::Kind::kBreak:
    case ast::Kind::kContinue:
      return loops_.leave(s);
    case ast::Kind::kPass:
      return;
    case ast::Kind::kGlobal:
      return global_(static_cast<const ast::Global&>(s));
    case ast::Kind::kFunctionDef:
      return nested_def(static_cast<const ast::FunctionDef&>(s));
    default:
      return refuse(out_, s);
  }
}

// `global x` says nothing where x is only read.
void Statements::global_(const ast::Global& s) {
  const auto& locals = in_.names().versions().locals;
  if (std::any_of(s.names.begin(), s.names.end(), [&](Symbol x) { return locals.contains(x); }))
    refuse(out_, s);
}

// ---- if ----------------------------------------------------------------------------------------

void Statements::if_(const ast::If& s) {
  ir::Expr* c = in_.condition(*s.test);
  if (c->kind == ExprKind::kConst && !is_error(c)) {
    const bool taken = ir::as<ir::Const>(c)->value.integer != 0;
    const std::optional<Early::Truth> early = in_.early().truth(*s.test, Early::As::kJump);
    if (early && early->by_version) in_.joins().note_dropped_by_version(s);
    walk(taken ? s.body : s.orelse);
    in_.joins().edge(scope::edge_key(s, taken ? 0 : 1));
    return in_.joins().join(s);
  }
  const auto branch = [&](ast::Stmts body, int slot) {
    return out_.into_block([&] {
      walk(body);
      in_.joins().edge(scope::edge_key(s, slot));
    });
  };
  ir::Block* body = branch(s.body, 0);
  const bool body_ends = in_.joins().set_reachable(true);
  ir::Block* orelse = branch(s.orelse, 1);
  if (body_ends) in_.joins().set_reachable(true);
  in_.joins().join(s);
  if (is_error(c) || (body->empty() && orelse->empty())) return;
  if (const std::optional<bool> is_true = decided(c)) {
    ir::Block* taken = *is_true ? body : orelse;
    if (!taken->empty()) out_.emit(keep_block(out_, taken, s.span));
    return;
  }
  if (body->empty()) {
    c = negate(out_, c);
    std::swap(body, orelse);
  }
  out_.emit(out_.make(ir::If{{StmtKind::kIf, s.span}, c, body, orelse}));
}

// ---- leaving -----------------------------------------------------------------------------------

void Statements::return_(const ast::Return& s) {
  const Operand what = s.value ? in_.operand(*s.value) : Operand{None{}};
  results_.add(what, s.span, s.value ? s.value->span : s.span);
}

// ---- exceptions --------------------------------------------------------------------------------

namespace {

void raise_now(Emitter& in, Symbol exception, std::vector<ir::Expr*> args, Span span) {
  in.emit(in.make(ir::Raise{{StmtKind::kRaise, span}, exception, in.list(std::move(args))}));
}

}  // namespace

// "ValueError", "pkg.errors:Failed", ":Failed" of the extension module; "" of anything else.
// Reports a class that the module cannot have.
std::string Statements::exception_class(const ast::Expr& made) {
  const decorators::ModuleInfo& module = out_.context().module();
  const ast::Expr* root = &made;
  while (const auto* path = ast::as<ast::Attribute>(root)) root = path->value;
  const auto* name = ast::as<ast::Name>(root);
  if (!name || in_.names().versions().locals.contains(name->id)) return "";
  const decorators::Binding* binding = module.meaning(made);
  using Kind = decorators::Binding::Kind;
  if (binding && binding->exception && !binding->exception->obstacle.empty())
    out_.not_supported(
        made.span,
        fmt::format("raising a class of the same file that {}", binding->exception->obstacle),
        "move the class to another file and import it from there");
  if (binding && binding->kind == Kind::kHost) return binding->qualified;
  std::string path;
  if (binding && binding->kind == Kind::kQualified) path = binding->qualified;
  const auto* plain = ast::as<ast::Name>(made);
  if (plain && binding->kind == Kind::kUnknown) path = "builtins." + std::string(plain->id.str());
  if (path.empty() && !plain) {
    const Operand what = in_.operand(made);
    if (const auto* known = std::get_if<Qualified>(&what.meaning)) path = known->path;
  }
  const size_t dot = path.rfind('.');
  if (dot == path.npos) return "";
  const std::string last = path.substr(dot + 1);
  if (path.starts_with("builtins.")) return builtins::is_python_exception(last) ? last : "";
  return builtins::sounds_like_exception(last) ? path.substr(0, dot) + ":" + last : "";
}

void Statements::raise_(const ast::Raise& s) {
  const auto* call = ast::as<ast::Call>(s.exc);
  if (!s.exc) {
    out_.not_supported(s.span, "`raise` without an exception", "name the exception again");
    return in_.joins().set_reachable(false), void();
  }
  const ast::Expr& made = call ? *call->func : *s.exc;
  const std::string exception = exception_class(made);
  if (exception.empty()) {
    const auto* name = ast::as<ast::Name>(made);
    const std::string what = name ? fmt::format("`{}`", name->id.str()) : "this expression";
    out_.report(made.span, diag::NotAnException, what)
        .help("raise one of Python's own: `raise ValueError(\"text\", number)`");
  } else if (call && !call->keywords.empty()) {
    out_.not_supported(call->keywords[0]->span, "a keyword argument of an exception",
                       "pass it by its place");
  } else {
    raise_now(out_, Symbol(exception),
              call ? exception_args(in_, call->args) : std::vector<ir::Expr*>{}, s.span);
  }
  in_.joins().set_reachable(false);
}

void Statements::assert_(const ast::Assert& s) {
  ir::Expr* c = in_.condition(*s.test);
  if (is_error(c)) return;
  const bool holds = decided(c) == true;
  ir::Block* body = out_.into_block([&] {
    std::vector<ir::Expr*> args;
    if (s.msg) {
      ast::Expr* message = s.msg;
      args = exception_args(in_, ast::Exprs(&message, 1));
    }
    if (!holds) raise_now(out_, Symbol("AssertionError"), std::move(args), s.span);
  });
  if (holds) return;
  out_.emit(
      out_.make(ir::If{{StmtKind::kIf, s.span}, negate(out_, c), body, out_.make(ir::Block{})}));
}

// ---- expressions and functions -----------------------------------------------------------------

// del a[i]
void Statements::remove(const ast::Delete& s) {
  for (const ast::Expr* target : s.targets) {
    const auto* item = ast::as<ast::Subscript>(target);
    if (!item) return refuse(out_, s);
    const std::vector<Operand> parts = operands(in_, {item->value, item->slice});
    if (parts[0].is_error()) continue;
    ir::Expr* list = value_of(out_, parts[0], item->value->span);
    if (is_error(list)) continue;
    if (list->type->is_dict()) {
      dict_delete(out_, list, parts[1], s.span);
      continue;
    }
    if (!list->type->is_list())
      return out_.not_supported(item->span, "`del` of what is in no list or dict");
    list_delete(out_, list, parts[1], s.span);
  }
}

void Statements::expression(const ast::ExprStmt& s) {
  if (ast::is<ast::Constant>(s.value)) return;
  if (const auto* yields = ast::as<ast::Yield>(s.value)) {
    const Operand what = yields->value ? in_.operand(*yields->value) : Operand{None{}};
    return results_.add_yield(what, s.span, yields->value ? yields->value->span : s.span);
  }
  if (const auto* yields = ast::as<ast::YieldFrom>(s.value)) return yield_all(*yields);
  const Operand what = in_.operand(*s.value);
  if (!what.is_value()) return;
  ir::Expr* e = out_.reclaim(what.value());
  if (e != what.value() && e->kind != ExprKind::kNewArray) out_.emit_eval(e);
}

// yield from items: for item in items: yield item
void Statements::yield_all(const ast::YieldFrom& e) {
  const Operand items = in_.operand(*e.value);
  if (items.is_error()) return;
  const auto sequence = sequence_of(in_, items, *e.value);
  if (!sequence) return;
  const auto one = [&](ir::Expr* at) { results_.add_yield(sequence->item(at), e.span, e.span); };
  if (sequence->generator || sequence->goes_on)
    return in_turn(out_, *sequence, e.span, [&](ir::Stmt*, ir::Expr* at) { one(at); });
  count_to(out_, sequence->count, e.span, [&](ir::Local* at) { one(out_.load(at, e.span)); }, "k");
}

void Statements::nested_def(const ast::FunctionDef& s) {
  if (!s.decorator_list.empty()) {
    out_.not_supported(s.decorator_list[0]->span, "a decorator on a nested function",
                       "move the function to the top of the file, or drop the decorator");
    return;
  }
  in_.names().bind(s, s.name, make_function(in_, s, s.name), s.span);
}

}  // namespace pyk2cu::infer
