// Loops: see loops.h. Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include <algorithm>

#include "typeinfer/infer/assign.h"
#include "typeinfer/infer/lists.h"
#include "typeinfer/infer/loops.h"
#include "typeinfer/infer/statements.h"

namespace pyk2cu::infer {

using ir::BinaryOp;
using ir::CompareOp;
using ir::ExprKind;
using ir::StmtKind;

namespace {

// Grid and block extents, products of them, and variables that hold nothing else.
bool surely_positive(const Names& names, const ir::Function& function, const ir::Expr* e) {
  if (e->kind == ExprKind::kConst) return ir::as<ir::Const>(e)->value.integer > 0;
  if (e->kind == ExprKind::kConvert)
    return surely_positive(names, function, ir::as<ir::Convert>(e)->operand);
  if (e->kind == ExprKind::kLane) {
    const ir::LaneOp op = ir::as<ir::Lane>(e)->op;
    return op == ir::LaneOp::kBlockDim || op == ir::LaneOp::kGridDim || op == ir::LaneOp::kGridSize;
  }
  if (e->kind == ExprKind::kBinary) {
    const auto& op = *ir::as<ir::Binary>(e);
    return op.op == BinaryOp::kMul && surely_positive(names, function, op.left) &&
           surely_positive(names, function, op.right);
  }
  if (e->kind != ExprKind::kLoad) return false;
  const ir::Local* local = ir::as<ir::Load>(e)->local;
  const auto bindings = std::count_if(
      names.versions().all.begin(), names.versions().all.end(), [&](const scope::Version& version) {
        return version.name == local->name && version.kind != scope::Version::Kind::kUndefined;
      });
  if (bindings != 1) return false;
  for (const ir::Stmt* s : function.body)
    if (s->kind == StmtKind::kAssign && ir::as<ir::Assign>(s)->local == local)
      return surely_positive(names, function, ir::as<ir::Assign>(s)->value);
  return false;
}

}  // namespace

// ---- the end of every loop ---------------------------------------------------------------------

void Loops::finish(const ast::Node& s, ast::Stmts orelse, bool ends, const Loop& loop) {
  in_.joins().set_reachable(ends);
  ir::Block* tail = out_.into_block([&] {
    statements_.walk(orelse);
    in_.joins().edge(scope::edge_key(s, 2));
  });
  if (!loop.breaks.empty()) in_.joins().set_reachable(true);
  in_.joins().join(s);
  if (tail->empty()) return;
  if (loop.breaks.empty() || !loop.stmt) {
    out_.emit(keep_block(out_, tail, s.span));
    return;
  }
  ir::Local* broke = out_.temp("broke", types::boolean(), s.span);
  const auto set = [&](bool v) {
    return out_.make(ir::Assign{{StmtKind::kAssign, s.span}, broke, out_.const_bool(v, s.span)});
  };
  for (const auto& [block, jump] : loop.breaks) insert_before(*block, jump, {set(true)});
  insert_before(out_.block(), loop.stmt, {set(false)});
  out_.emit(out_.make(ir::If{{StmtKind::kIf, s.span},
                             negate(out_, out_.load(broke, s.span)),
                             tail,
                             out_.make(ir::Block{})}));
}

void Loops::walk_while(const ast::While& s) {
  in_.joins().enter_loop(s);
  auto* loop = out_.make(ir::While{{StmtKind::kWhile, s.span}, nullptr, nullptr});
  loops_.push_back({loop, {}});
  bool ends = true, never = false;
  loop->body = out_.into_block([&] {
    ir::Expr* c = in_.condition(*s.test);
    const bool known = c->kind == ExprKind::kConst && !is_error(c);
    ends = !known || !ir::as<ir::Const>(c)->value.integer;
    never = known && ends;
    if (never) return;
    const std::optional<bool> outcome = decided(c);
    if (!out_.block().empty() && ends) {
      ir::Stmt* stop = out_.make(ir::Break{{StmtKind::kBreak, s.test->span}, loop});
      if (!outcome) {
        stop = out_.make(ir::If{{StmtKind::kIf, s.test->span},
                                negate(out_, c),
                                out_.make(ir::Block{stop}),
                                out_.make(ir::Block{})});
      }
      if (outcome != true) out_.emit(stop);
      c = out_.const_bool(true, s.test->span);
    } else if (outcome) {
      c = out_.const_bool(*outcome, s.test->span);
    }
    loop->condition = c;
    statements_.walk(s.body);
    in_.joins().edge(scope::edge_key(s, 1));
  });
  Loop done = std::move(loops_.back());
  loops_.pop_back();
  if (never) {  // what evaluating the condition took
    out_.emit_all(*loop->body);
  } else {
    out_.emit(loop);
  }
  in_.joins().leave_while(s);
  finish(s, s.orelse, ends, done);
}

void Loops::leave(const ast::Stmt& s) {
  const bool breaks = s.kind == ast::Kind::kBreak;
  if (loops_.empty()) {
    out_.report(s.span, diag::SyntaxError,
                breaks ? "'break' outside loop" : "'continue' not properly in loop");
    in_.joins().set_reachable(false);
    return;
  }
  Loop& loop = loops_.back();
  if (!loop.stmt) {
    out_.not_supported(s.span, "leaving a loop over a tuple of several types",
                       "make the items of the tuple one type, or write the iterations out");
    in_.joins().set_reachable(false);
    return;
  }
  if (breaks) {
    ir::Stmt* jump = out_.make(ir::Break{{StmtKind::kBreak, s.span}, loop.stmt});
    out_.emit(jump);
    in_.joins().edge(scope::edge_key(s, 0), jump);
    loop.breaks.push_back({&out_.block(), jump});
  } else {
    in_.joins().edge(scope::edge_key(s, 0));
    out_.emit(out_.make(ir::Continue{{StmtKind::kContinue, s.span}, loop.stmt}));
  }
  in_.joins().set_reachable(false);
}

// Does no loop around this one run over it, and did none before?
bool Loops::may_iterate(Span at) {
  const auto encloses = [&](const Loop& loop) {
    return loop.stmt && !(loop.stmt->span.begin <= at.begin && at.end <= loop.stmt->span.end);
  };
  const bool fresh = out_.context().exhaust(at);
  return fresh && std::none_of(loops_.begin(), loops_.end(), encloses);
}

// ---- for ---------------------------------------------------------------------------------------

// Does a `break` leave the loop whose body this is?
static bool is_left(ast::Stmts body) {
  return std::ranges::any_of(body, [](const ast::Stmt* s) {
    if (s->kind == ast::Kind::kBreak) return true;
    if (const auto* branch = ast::as<ast::If>(*s))
      return is_left(branch->body) || is_left(branch->orelse);
    if (const auto* loop = ast::as<ast::For>(*s)) return is_left(loop->orelse);
    if (const auto* loop = ast::as<ast::While>(*s)) return is_left(loop->orelse);
    const auto* match = ast::as<ast::Match>(*s);
    return match && std::ranges::any_of(match->cases,
                                        [](const ast::MatchCase* c) { return is_left(c->body); });
  });
}

void Loops::walk_for(const ast::For& s) {
  const auto* list = ast::as<ast::List>(s.iter);
  const Operand iterable =
      list && !list->elts.empty() ? items_of(in_, list->elts, list->span) : in_.operand(*s.iter);
  if (iterable.is_error()) {  // said already: type the rest as far as it goes
    in_.joins().enter_loop(s);
    out_.into_block([&] {
      loops_.push_back({out_.make(ir::While{{StmtKind::kWhile, s.span}, nullptr, nullptr}), {}});
      assign(in_, *s.target, error(), s.span);
      statements_.walk(s.body);
      loops_.pop_back();
    });
    in_.joins().set_reachable(true);
    in_.joins().edge(scope::edge_key(s, 2));
    return in_.joins().join(s);
  }
  if (iterable.is<Range>()) return for_range(s, iterable.as<Range>());
  if (iterable.is_value() && iterable.type()->is_tuple() && !iterable.type()->is_uniform_tuple())
    return for_tuple(s, iterable.value());
  Sequence sequence;
  const auto may = [&](Span at) { return may_iterate(at); };
  if (!SequenceMaker(in_, *s.iter, *s.target, s.body, may).make(iterable, sequence)) {
    return skip(s);
  }
  if (sequence.generator || out_.context().lists().changes_length(s.Node::id))
    return over_turns(s, sequence);
  if (sequence.extents.size() > 1 && !is_left(s.body)) return over_axes(s, sequence);
  ir::Expr* zero_index = out_.const_int(0, types::int64(), s.iter->span);
  counted(s, zero_index, sequence.count, out_.const_int(1, types::int64(), s.iter->span), sequence,
          false);
}

void Loops::for_range(const ast::For& s, const Range& range) {
  ir::Expr *lo = range.lo.expr, *hi = range.hi.expr, *step = range.step.expr;
  if (!surely_positive(in_.names(), in_.context().function(), step) &&
      !(step->kind == ExprKind::kConst && out_.on_cuda())) {
    step = out_.once(step, "step");
    if (out_.on_cuda()) {  // step 0: an empty loop
      lo = out_.once(lo, "first");
      ir::Expr* stuck =
          ordered(out_, CompareOp::kEq, step, out_.const_int(0, step->type, s.iter->span));
      hi = out_.make(ir::Select{{ExprKind::kSelect, hi->type, s.iter->span}, stuck, lo, hi});
    } else {
      check_step(out_, step, s.iter->span);
    }
  }
  Sequence sequence;
  sequence.index_name = plain_index(in_.names().versions(), s.target);
  sequence.item = to_operand;
  counted(s, lo, hi, step, sequence, range.parallel);
}

void Loops::skip(const ast::For& s) {
  in_.joins().enter_loop(s);
  finish(s, s.orelse, true, {});
}

void Loops::counted(const ast::For& s, ir::Expr* lo, ir::Expr* hi, ir::Expr* step,
                    const Sequence& sequence, bool parallel) {
  in_.joins().enter_loop(s);
  const ast::Name* shown = sequence.index_name;
  if (shown && in_.names().declared(shown->id)) shown = nullptr;  // it may have another type
  const auto* target = ast::as<ast::Name>(s.target);
  ir::Local* index = nullptr;
  if (shown) {
    index = in_.names().show_index(*shown, lo->type);
  } else {
    const std::string stem = target ? std::string(target->id.str()) + "_at" : "k";
    index = out_.temp(stem, lo->type, s.target->span);
  }
  auto* loop = out_.make(ir::For{{StmtKind::kFor, s.span},
                                 index,
                                 lo,
                                 hi,
                                 step,
                                 ir::LoopKind::kSerial,
                                 out_.make(ir::Block{})});
  const size_t returns_before = results_.count();
  loops_.push_back({loop, {}});
  loop->body = out_.into_block([&] {
    assign(in_, *s.target, sequence.item(out_.load(index, s.target->span)), s.target->span);
    statements_.walk(s.body);
    in_.joins().edge(scope::edge_key(s, 1));
  });
  Loop done = std::move(loops_.back());
  loops_.pop_back();
  if (shown) in_.names().hide_index(*shown);
  if (sequence.goes_on && changes_lists(*loop->body) &&
      out_.context().lists().note_change(s.Node::id))
    out_.context().change();
  const bool leaves = !done.breaks.empty() || results_.count() != returns_before;
  if (parallel && out_.options().parallel && leaves)
    out_.report(s.iter->span, diag::SerialPrange,
                !done.breaks.empty()                    ? "`break`"
                : in_.context().function().is_generator ? "`yield`"
                                                        : "`return`");
  if (parallel && out_.options().parallel && !leaves) loop->loop = ir::LoopKind::kParallel;
  out_.emit(loop);
  finish(s, s.orelse, true, done);
}

// A loop for every axis; the body stands in the last one.
void Loops::over_axes(const ast::For& s, const Sequence& sequence) {
  in_.joins().enter_loop(s);
  std::vector<ir::Expr*> at;
  Loop done;
  const std::function<void(size_t)> loops = [&](size_t axis) {
    ir::Local* index = out_.temp("i", types::int64(), s.target->span);
    auto* loop = out_.make(ir::For{{StmtKind::kFor, s.span},
                                   index,
                                   out_.const_int(0, types::int64(), s.iter->span),
                                   sequence.extents[axis],
                                   out_.const_int(1, types::int64(), s.iter->span),
                                   ir::LoopKind::kSerial,
                                   out_.make(ir::Block{})});
    at.push_back(out_.load(index, s.target->span));
    loop->body = out_.into_block([&] {
      if (axis + 1 < sequence.extents.size()) return loops(axis + 1);
      loops_.push_back({loop, {}});
      assign(in_, *s.target, sequence.at(at), s.target->span);
      statements_.walk(s.body);
      in_.joins().edge(scope::edge_key(s, 1));
      done = std::move(loops_.back());
      loops_.pop_back();
    });
    out_.emit(loop);
  };
  loops(0);
  finish(s, s.orelse, true, done);
}

// Over a list that the body makes longer or shorter: k = 0; while k < len(list): …
// And over what a generator yields.
void Loops::over_turns(const ast::For& s, const Sequence& sequence) {
  in_.joins().enter_loop(s);
  in_turn(out_, sequence, s.target->span, [&](ir::Stmt* loop, ir::Expr* at) {
    loops_.push_back({loop, {}});
    assign(in_, *s.target, sequence.item(at), s.target->span);
    statements_.walk(s.body);
    in_.joins().edge(scope::edge_key(s, 1));
  });
  Loop done = std::move(loops_.back());
  loops_.pop_back();
  finish(s, s.orelse, true, done);
}

// A tuple of several types: the body once for each item.
void Loops::for_tuple(const ast::For& s, ir::Expr* tuple) {
  in_.joins().enter_loop(s);
  const LoopNames names{in_.names().versions(), *s.target, s.body};
  if (auto* made = ir::try_as<ir::Tuple>(tuple))
    for (ir::Expr*& item : made->items) item = held(out_, names, item, "item");
  else
    tuple = held(out_, names, tuple, "items");
  loops_.push_back({nullptr, {}});
  for (size_t k = 0; k < tuple->type->items.size() && in_.joins().reachable(); ++k) {
    ir::Expr* item = tuple->kind == ExprKind::kTuple
                         ? ir::as<ir::Tuple>(tuple)->items[k]
                         : tuple_item(out_, tuple, int(k), s.iter->span);
    assign(in_, *s.target, to_operand(item), s.target->span);
    statements_.walk(s.body);
    in_.joins().edge(scope::edge_key(s, 1));
  }
  const bool ends = in_.joins().reachable();
  Loop done = std::move(loops_.back());
  loops_.pop_back();
  finish(s, s.orelse, ends, done);
}

}  // namespace pyk2cu::infer
