// Loops: while; for over ranges, arrays, tuples, enumerate, zip and reversed; their orelse.
//
//   for i in range(n): B         -> For i = 0; i < n; i += 1 { B }
//   ... where B assigns i, or i is read later -> For i_at = ... { i = i_at; B }
//   for x in a: B                -> For k = 0; k < len(a) { x = a[k]; B }
//   for x in (1, 2.5): B         -> B twice
//   while c: B                   -> While c { B }, or While true { S; if (!c) Break; B } when
//                                   evaluating c takes statements S
//   orelse with break            -> broke = false; loop { .. broke = true; Break .. }; if (!broke)
//   orelse
// In, out: infer.h. Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include <algorithm>

#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

using ir::BinaryOp;
using ir::CompareOp;
using ir::ExprKind;
using ir::StmtKind;

constexpr const char* kIterables = "it runs over ranges, arrays, tuples, enumerate, zip, reversed";

// ---- small tools -------------------------------------------------------------------------------

ir::Expr* Infer::plain(BinaryOp op, ir::Expr* left, ir::Expr* right) {
  if (left->kind == ExprKind::kConst && right->kind == ExprKind::kConst) {
    const int64_t a = ir::as<ir::Const>(left)->value.integer;
    const int64_t b = ir::as<ir::Const>(right)->value.integer;
    if (op == BinaryOp::kAdd) return const_int(int64_t(uint64_t(a) + uint64_t(b)), left->type);
    if (op == BinaryOp::kSub) return const_int(int64_t(uint64_t(a) - uint64_t(b)), left->type);
  }
  const bool zero_right =
      right->kind == ExprKind::kConst && ir::as<ir::Const>(right)->value.integer == 0;
  if (zero_right && (op == BinaryOp::kAdd || op == BinaryOp::kSub)) return left;
  return make(ir::Binary{{ExprKind::kBinary, left->type, left->span}, op, left, right});
}

ir::Expr* Infer::ordered(CompareOp op, ir::Expr* left, ir::Expr* right) {
  return make(ir::Compare{{ExprKind::kCompare, types::boolean(), left->span}, op, left, right});
}

// Is the name bound anywhere in these statements?
bool Infer::rebinds(ast::Stmts body, Symbol name) const {
  if (body.empty()) return false;
  const Span span = pyk2cu::join(body.front()->span, body.back()->span);
  return std::any_of(
      versions_->all.begin(), versions_->all.end(), [&](const scope::Version& version) {
        return version.name == name && version.kind == scope::Version::Kind::kAssign &&
               version.at->span.begin >= span.begin && version.at->span.end <= span.end;
      });
}

const ast::Name* Infer::plain_index(const ast::Expr* target) const {
  const auto* name = ast::as<ast::Name>(target);
  return name && versions_->plain_index.contains(name->Node::id) ? name : nullptr;
}

// How many items a range has: 0 when it is empty.
ir::Expr* Infer::range_count(ir::Expr* lo, ir::Expr* hi, ir::Expr* step, Span span) {
  const Type* t = lo->type;
  const auto count = [&](ir::Expr* from, ir::Expr* to, ir::Expr* by) {
    if (by->kind == ExprKind::kConst && ir::as<ir::Const>(by)->value.integer == 1)
      return make(ir::Select{{ExprKind::kSelect, t, span},
                             ordered(CompareOp::kLt, from, to),
                             plain(BinaryOp::kSub, to, from),
                             const_int(0, t)});
    ir::Expr* gap = plain(BinaryOp::kSub, plain(BinaryOp::kSub, to, from), const_int(1, t, span));
    ir::Expr* steps = plain(BinaryOp::kAdd, plain(BinaryOp::kFloorDiv, gap, by), const_int(1, t));
    return make(ir::Select{
        {ExprKind::kSelect, t, span}, ordered(CompareOp::kLt, from, to), steps, const_int(0, t)});
  };
  ir::Expr* backward = plain(BinaryOp::kSub, const_int(0, t, span), step);
  if (step->kind != ExprKind::kConst)
    return make(ir::Select{{ExprKind::kSelect, t, span},
                           ordered(CompareOp::kGt, step, const_int(0, t, span)),
                           count(lo, hi, step),
                           count(hi, lo, backward)});
  const int64_t by = ir::as<ir::Const>(step)->value.integer;
  if (by == 1 && lo->kind == ExprKind::kConst && ir::as<ir::Const>(lo)->value.integer == 0)
    return hi->type->is_signed ? make(ir::Select{{ExprKind::kSelect, t, span},
                                                 ordered(CompareOp::kGt, hi, const_int(0, t, span)),
                                                 hi,
                                                 const_int(0, t, span)})
                               : hi;
  return by > 0 ? count(lo, hi, step) : count(hi, lo, backward);
}

// Grid and block extents, products of them, and variables that hold nothing else.
bool Infer::surely_positive(const ir::Expr* e) const {
  if (e->kind == ExprKind::kConst) return ir::as<ir::Const>(e)->value.integer > 0;
  if (e->kind == ExprKind::kConvert) return surely_positive(ir::as<ir::Convert>(e)->operand);
  if (e->kind == ExprKind::kLane) {
    const ir::LaneOp op = ir::as<ir::Lane>(e)->op;
    return op == ir::LaneOp::kBlockDim || op == ir::LaneOp::kGridDim || op == ir::LaneOp::kGridSize;
  }
  if (e->kind == ExprKind::kBinary) {
    const auto& op = *ir::as<ir::Binary>(e);
    return op.op == BinaryOp::kMul && surely_positive(op.left) && surely_positive(op.right);
  }
  if (e->kind != ExprKind::kLoad) return false;
  const ir::Local* local = ir::as<ir::Load>(e)->local;
  const auto bindings = std::count_if(
      versions_->all.begin(), versions_->all.end(), [&](const scope::Version& version) {
        return version.name == local->name && version.kind != scope::Version::Kind::kUndefined;
      });
  if (bindings != 1) return false;
  for (const ir::Stmt* s : function_->body)
    if (s->kind == StmtKind::kAssign && ir::as<ir::Assign>(s)->local == local)
      return surely_positive(ir::as<ir::Assign>(s)->value);
  return false;
}

void Infer::check_step(ir::Expr* step, Span span) {
  const bool known = step->kind == ExprKind::kConst;
  if (known && ir::as<ir::Const>(step)->value.integer != 0) return;
  ir::Expr* zero_step = known ? const_bool(true, span)
                              : ordered(CompareOp::kEq, step, const_int(0, step->type, span));
  raise_if(zero_step, "ValueError", "range() arg 3 must not be zero", span);
}

// ---- the end of every loop ---------------------------------------------------------------------

// `ends`: the loop can end by itself, not only by break. Then the orelse runs.
void Infer::finish_loop(const ast::Node& s, ast::Stmts orelse, bool ends, Loop loop) {
  reachable_ = ends;
  ir::Block* tail = into_block([&] {
    stmts(orelse);
    edge(scope::edge_key(s, 2));
  });
  reachable_ = reachable_ || !loop.breaks.empty();
  join(s);
  if (tail->empty()) return;
  if (loop.breaks.empty() || !loop.stmt) {
    block_->insert(block_->end(), tail->begin(), tail->end());
    return;
  }
  ir::Local* broke = temp("broke", types::boolean(), s.span);
  const auto set = [&](bool v) {
    return make(ir::Assign{{StmtKind::kAssign, s.span}, broke, const_bool(v, s.span)});
  };
  for (const auto& [block, jump] : loop.breaks)
    block->insert(std::find(block->begin(), block->end(), jump), set(true));
  block_->insert(std::find(block_->begin(), block_->end(), loop.stmt), set(false));
  emit(make(ir::If{{StmtKind::kIf, s.span}, negate(load(broke, s.span)), tail, block_of({})}));
}

void Infer::while_(const ast::While& s) {
  enter_loop(s);
  auto* loop = make(ir::While{{StmtKind::kWhile, s.span}, nullptr, nullptr});
  loops_.push_back({loop, {}});
  bool ends = true, never = false;
  loop->body = into_block([&] {
    ir::Expr* c = condition(*s.test);
    const bool known = c->kind == ExprKind::kConst && !is_error(c);
    ends = !known || !ir::as<ir::Const>(c)->value.integer;
    never = known && ends;
    if (never) return;
    const std::optional<bool> outcome = decided(c);
    if (!block_->empty() && ends) {
      ir::Stmt* stop = make(ir::Break{{StmtKind::kBreak, s.test->span}, loop});
      if (!outcome) {
        stop =
            make(ir::If{{StmtKind::kIf, s.test->span}, negate(c), block_of({stop}), block_of({})});
      }
      if (outcome != true) emit(stop);
      c = const_bool(true, s.test->span);
    } else if (outcome) {
      c = const_bool(*outcome, s.test->span);
    }
    loop->condition = c;
    stmts(s.body);
    edge(scope::edge_key(s, 1));
  });
  Loop done = std::move(loops_.back());
  loops_.pop_back();
  if (never) {  // what evaluating the condition took
    for (ir::Stmt* taken : *loop->body) emit(taken);
  } else {
    emit(loop);
  }
  leave_while(s);
  finish_loop(s, s.orelse, ends, std::move(done));
}

// ---- for ---------------------------------------------------------------------------------------

void Infer::for_(const ast::For& s) {
  const Operand iterable = operand(*s.iter);
  if (iterable.is_error()) {  // said already: type the rest as far as it goes
    enter_loop(s);
    into_block([&] {
      loops_.push_back({make(ir::While{{StmtKind::kWhile, s.span}, nullptr, nullptr}), {}});
      assign(*s.target, error(), s.span);
      stmts(s.body);
      loops_.pop_back();
    });
    reachable_ = true;
    edge(scope::edge_key(s, 2));
    return join(s);
  }
  if (iterable.is<Range>()) return for_range(s, iterable.as<Range>());
  if (iterable.is_value() && iterable.type()->is_tuple() && !iterable.type()->is_uniform_tuple())
    return for_tuple(s, iterable.value());
  Sequence sequence;
  if (!make_sequence(iterable, s, sequence)) {
    return skip_loop(s);
  }
  ir::Expr* zero_index = const_int(0, types::int64(), s.iter->span);
  counted(s, zero_index, sequence.count, const_int(1, types::int64(), s.iter->span), sequence,
          false);
}

void Infer::for_range(const ast::For& s, const Range& range) {
  ir::Expr *lo = range.lo.expr, *hi = range.hi.expr, *step = range.step.expr;
  if (!surely_positive(step) && !(step->kind == ExprKind::kConst && on_cuda())) {
    step = once(step, "step");
    if (on_cuda()) {  // step 0: an empty loop
      lo = once(lo, "first");
      ir::Expr* stuck = ordered(CompareOp::kEq, step, const_int(0, step->type, s.iter->span));
      hi = make(ir::Select{{ExprKind::kSelect, hi->type, s.iter->span}, stuck, lo, hi});
    } else {
      check_step(step, s.iter->span);
    }
  }
  Sequence sequence;
  sequence.index_name = plain_index(s.target);
  sequence.item = [this](ir::Expr* index) { return to_operand(index); };
  counted(s, lo, hi, step, sequence, range.parallel);
}

// The loop does not run: only its orelse does.
void Infer::skip_loop(const ast::For& s) {
  enter_loop(s);
  finish_loop(s, s.orelse, true, {});
}

void Infer::counted(const ast::For& s, ir::Expr* lo, ir::Expr* hi, ir::Expr* step,
                    const Sequence& sequence, bool parallel) {
  enter_loop(s);
  const ast::Name* shown = sequence.index_name;
  const auto* target = ast::as<ast::Name>(s.target);
  ir::Local* index = nullptr;
  if (shown) {
    index = new_version(shown->id, lo->type, shown->span);
    indices_[shown->Node::id] = index;
  } else {
    const std::string stem = target ? std::string(target->id.str()) + "_at" : "k";
    index = temp(stem, lo->type, s.target->span);
  }
  auto* loop = make(
      ir::For{{StmtKind::kFor, s.span}, index, lo, hi, step, ir::LoopKind::kSerial, block_of({})});
  const size_t returns_before = returns_.size();
  loops_.push_back({loop, {}});
  loop->body = into_block([&] {
    assign(*s.target, sequence.item(load(index, s.target->span)), s.target->span);
    stmts(s.body);
    edge(scope::edge_key(s, 1));
  });
  Loop done = std::move(loops_.back());
  loops_.pop_back();
  if (shown) indices_.erase(shown->Node::id);
  const bool leaves = !done.breaks.empty() || returns_.size() != returns_before;
  if (parallel && options().parallel && leaves)
    report(s.iter->span, diag::SerialPrange, done.breaks.empty() ? "`return`" : "`break`");
  if (parallel && options().parallel && !leaves) loop->loop = ir::LoopKind::kParallel;
  emit(loop);
  finish_loop(s, s.orelse, true, std::move(done));
}

// A tuple of several types: the body once for each item.
void Infer::for_tuple(const ast::For& s, ir::Expr* tuple) {
  enter_loop(s);
  if (tuple->kind != ExprKind::kTuple) tuple = once(tuple, "items");
  loops_.push_back({nullptr, {}});
  for (size_t k = 0; k < tuple->type->items.size() && reachable_; ++k) {
    ir::Expr* item = tuple->kind == ExprKind::kTuple ? ir::as<ir::Tuple>(tuple)->items[k]
                                                     : tuple_item(tuple, int(k), s.iter->span);
    assign(*s.target, to_operand(item), s.target->span);
    stmts(s.body);
    edge(scope::edge_key(s, 1));
  }
  const bool ends = reachable_;
  Loop done = std::move(loops_.back());
  loops_.pop_back();
  finish_loop(s, s.orelse, ends, std::move(done));
}

// ---- sequences ---------------------------------------------------------------------------------

bool Infer::make_sequence(const Operand& iterable, const ast::For& s, Sequence& out) {
  if (iterable.is_value()) return sequence_of_value(iterable, s, out);
  if (iterable.is<Flat>()) return sequence_of_flat(iterable.as<Flat>(), s, out);
  if (iterable.is<Zip>()) return sequence_of_zip(iterable, s, out);
  if (iterable.is<Enumerate>()) return sequence_of_enumerate(iterable, s, out);
  if (iterable.is<Range>()) return sequence_of_range(iterable.as<Range>(), s, out);
  if (iterable.is<Reversed>()) return sequence_of_reversed(iterable, s, out);
  if (!iterable.is_error())
    report(s.iter->span, diag::NotIterable, "this expression").help(kIterables);
  return false;
}

bool Infer::sequence_of_range(const Range& range, const ast::For& s, Sequence& out) {
  const auto part = [&](const Value& bound) {
    return once(cast(bound.expr, types::int64()), "part");
  };
  ir::Expr *lo = part(range.lo), *hi = part(range.hi), *step = part(range.step);
  check_step(step, s.iter->span);
  const Type* type = range.type();
  out.count = range_count(lo, hi, step, s.iter->span);
  out.item = [this, lo, step, type](ir::Expr* index) {
    const bool unit = step->kind == ExprKind::kConst && ir::as<ir::Const>(step)->value.integer == 1;
    ir::Expr* far = unit ? index : plain(BinaryOp::kMul, index, step);
    const bool from_zero =
        lo->kind == ExprKind::kConst && ir::as<ir::Const>(lo)->value.integer == 0;
    return to_operand(cast(from_zero ? far : plain(BinaryOp::kAdd, lo, far), type));
  };
  return true;
}

bool Infer::sequence_of_reversed(const Operand& iterable, const ast::For& s, Sequence& out) {
  Sequence inner;
  if (!make_sequence(iterable.parts()[0], s, inner)) return false;
  ir::Expr* count = once(inner.count, "count");
  out.count = count;
  out.item = [this, inner, count](ir::Expr* index) {
    ir::Expr* last = plain(BinaryOp::kSub, count, const_int(1, types::int64(), index->span));
    return inner.item(plain(BinaryOp::kSub, last, index));
  };
  return true;
}

bool Infer::sequence_of_value(const Operand& iterable, const ast::For& s, Sequence& out) {
  const Type* type = iterable.type();
  const bool array = type->is_array() && type->rank > 0;
  if (!array && !type->is_uniform_tuple()) {
    auto builder =
        report(s.iter->span, diag::NotIterable, "a value of type `" + types::print(type) + "`");
    const SourceFile& file = *function_->file;
    const Span at = s.iter->span;
    if (type->is_int()) {
      builder.fix(at, "range(" + std::string(file.text, at.begin - file.base, at.size()) + ")");
    }
    builder.help(kIterables);
    return false;
  }
  ir::Expr* values = once(iterable.value(), "items");
  if (values->kind == ExprKind::kLoad && rebinds(s.body, ir::as<ir::Load>(values)->local->name))
    values = spill(values, "items");
  if (array) {
    out.count = make(
        ir::Query{{ExprKind::kQuery, types::int64(), s.iter->span}, ir::QueryOp::kLen, values, 0});
    out.item = [this, values](ir::Expr* index) {
      return to_operand(row(values, index, false, index->span));
    };
    return true;
  }
  out.count = const_int(int64_t(type->items.size()), types::int64(), s.iter->span);
  out.item = [this, values, type](ir::Expr* index) {
    ir::Index at;
    at.value = index;
    at.wrap = false;
    return to_operand(
        make(ir::ItemAt{{ExprKind::kItemAt, type->items[0], index->span}, values, at}));
  };
  return true;
}

// a.flat: the array of one dimension that it is, or an index for each axis.
bool Infer::sequence_of_flat(const Flat& flat, const ast::For& s, Sequence& out) {
  const auto encloses = [&](const Loop& loop) {
    return loop.stmt &&
           !(loop.stmt->span.begin <= flat.at.begin && flat.at.end <= loop.stmt->span.end);
  };
  if (!exhausted_.insert(flat.at.begin).second ||
      std::any_of(loops_.begin(), loops_.end(), encloses)) {
    report(s.iter->span, diag::NotYet, "a second loop over one `.flat`")
        .help("write `a.flat` in each of the loops");
    return false;
  }
  if (ir::Expr* view = flat_view(*this, flat.array.expr, s.iter->span))
    return sequence_of_value(to_operand(view), s, out);
  ir::Expr* array = once(flat.array.expr, "items");
  if (array->kind == ExprKind::kLoad && rebinds(s.body, ir::as<ir::Load>(array)->local->name))
    array = spill(array, "items");
  out.count = make(
      ir::Query{{ExprKind::kQuery, types::int64(), s.iter->span}, ir::QueryOp::kSize, array, 0});
  out.item = [this, array](ir::Expr* index) {
    index = once(index, "k");
    return to_operand(make(ir::Element{{ExprKind::kElement, array->type->elem, index->span},
                                       array,
                                       list(unravel(*this, array, index))}));
  };
  return true;
}

bool Infer::sequence_of_zip(const Operand& iterable, const ast::For& s, Sequence& out) {
  std::vector<Sequence> parts(iterable.parts().size());
  for (size_t k = 0; k < parts.size(); ++k) {
    if (!make_sequence(iterable.parts()[k], s, parts[k])) return false;
    if (k == 0) {
      out.count = parts[0].count;
      continue;
    }
    ir::Expr* a = once(out.count, "count");
    ir::Expr* b = once(parts[k].count, "count");
    out.count = make(ir::Select{
        {ExprKind::kSelect, types::int64(), s.iter->span}, ordered(CompareOp::kLt, b, a), b, a});
  }
  if (parts.empty()) out.count = const_int(0, types::int64(), s.iter->span);
  out.item = [parts](ir::Expr* index) {
    Pack pack;
    for (const Sequence& part : parts) pack.parts.push_back(part.item(index));
    return Operand{std::move(pack), index->span};
  };
  return true;
}

bool Infer::sequence_of_enumerate(const Operand& iterable, const ast::For& s, Sequence& out) {
  Sequence inner;
  if (!make_sequence(iterable.parts()[0], s, inner)) return false;
  ir::Expr* start = const_int(0, types::int64(), s.iter->span);
  if (iterable.parts()[1].is_value())
    start = once(cast(iterable.parts()[1].value(), types::int64()), "start");
  const bool from_zero =
      start->kind == ExprKind::kConst && ir::as<ir::Const>(start)->value.integer == 0;
  const auto* target = ast::as<ast::Tuple>(s.target);
  if (from_zero && target && target->elts.size() == 2)
    out.index_name = plain_index(target->elts[0]);
  out.count = inner.count;
  out.item = [this, inner, start, from_zero](ir::Expr* index) {
    Pack pack;
    pack.parts.push_back(to_operand(from_zero ? index : plain(BinaryOp::kAdd, start, index)));
    pack.parts.push_back(inner.item(index));
    return Operand{std::move(pack), index->span};
  };
  return true;
}

}  // namespace pyk2cu::infer
