// Sequences: see sequence.h. Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include "typeinfer/infer/sequence.h"

#include <algorithm>

#include "typeinfer/infer/lists.h"
#include "typeinfer/infer/tables.h"

namespace pyk2cu::infer {

using ir::BinaryOp;
using ir::CompareOp;
using ir::ExprKind;

namespace {

constexpr const char* kIterables =
    "it runs over ranges, arrays, lists, sets, dicts, tuples, enumerate, zip, reversed, "
    "np.ndindex, np.ndenumerate";

// On equal integer types.
ir::Expr* plain(Emitter& in, BinaryOp op, ir::Expr* left, ir::Expr* right) {
  if (left->kind == ExprKind::kConst && right->kind == ExprKind::kConst) {
    const int64_t a = ir::as<ir::Const>(left)->value.integer;
    const int64_t b = ir::as<ir::Const>(right)->value.integer;
    if (op == BinaryOp::kAdd) return in.const_int(int64_t(uint64_t(a) + uint64_t(b)), left->type);
    if (op == BinaryOp::kSub) return in.const_int(int64_t(uint64_t(a) - uint64_t(b)), left->type);
  }
  const bool zero_right =
      right->kind == ExprKind::kConst && ir::as<ir::Const>(right)->value.integer == 0;
  if (zero_right && (op == BinaryOp::kAdd || op == BinaryOp::kSub)) return left;
  return in.make(ir::Binary{{ExprKind::kBinary, left->type, left->span}, op, left, right});
}

}  // namespace

bool LoopNames::rebinds(Symbol name) const {
  const auto binds = [&](Span span) {
    return std::ranges::any_of(versions.all, [&](const scope::Version& version) {
      return version.name == name && version.kind == scope::Version::Kind::kAssign &&
             version.at->span.begin >= span.begin && version.at->span.end <= span.end;
    });
  };
  return !body.empty() &&
         (binds(target.span) || binds(join(body.front()->span, body.back()->span)));
}

ir::Expr* ordered(Emitter& in, CompareOp op, ir::Expr* left, ir::Expr* right) {
  return in.make(ir::Compare{{ExprKind::kCompare, types::boolean(), left->span}, op, left, right});
}

const ast::Name* plain_index(const scope::Versions& versions, const ast::Expr* target) {
  const auto* name = ast::as<ast::Name>(target);
  return name && versions.plain_index.contains(name->Node::id) ? name : nullptr;
}

void in_turn(Emitter& in, const Sequence& sequence, Span span,
             const std::function<void(ir::Stmt* loop, ir::Expr* at)>& body) {
  const auto number = [&](int64_t v) { return in.const_int(v, types::int64(), span); };
  ir::Local* next = in.temp("next", types::int64(), span);
  ir::Local* at = in.temp("at", types::int64(), span);
  const bool counts = !sequence.generator || sequence.counts;
  if (counts) in.emit_assign(next, number(0), span);
  const auto take = [&] {
    in.emit_assign(at, in.load(next, span), span);
    in.emit_assign(next, plain(in, BinaryOp::kAdd, in.load(at, span), number(1)), span);
  };
  if (sequence.generator) {
    auto* loop = in.make(ir::Generate{
        {ir::StmtKind::kGenerate, span}, sequence.yielded, sequence.generator, nullptr});
    loop->body = in.into_block([&] {
      if (counts) take();
      body(loop, counts ? in.load(at, span) : number(0));
    });
    return in.emit(loop);
  }
  const auto goes_on = [&](ir::Local* index) { return sequence.goes_on(in.load(index, span)); };
  auto* loop = in.make(ir::While{{ir::StmtKind::kWhile, span},
                                 sequence.check ? in.const_bool(true, span) : goes_on(next),
                                 nullptr});
  loop->body = in.into_block([&] {
    take();
    if (sequence.check) {  // behind the last turn too
      sequence.check();
      ir::Block* end =
          in.into_block([&] { in.emit(in.make(ir::Break{{ir::StmtKind::kBreak, span}, loop})); });
      in.emit(in.make(
          ir::If{{ir::StmtKind::kIf, span}, negate(in, goes_on(at)), end, in.make(ir::Block{})}));
    }
    body(loop, in.load(at, span));
  });
  in.emit(loop);
}

void check_step(Emitter& in, ir::Expr* step, Span span) {
  const bool known = step->kind == ExprKind::kConst;
  if (known && ir::as<ir::Const>(step)->value.integer != 0) return;
  ir::Expr* zero_step = known
                            ? in.const_bool(true, span)
                            : ordered(in, CompareOp::kEq, step, in.const_int(0, step->type, span));
  in.raise_if(zero_step, "ValueError", "range() arg 3 must not be zero", span);
}

ir::Expr* held(Emitter& in, const LoopNames& names, ir::Expr* e, std::string_view stem) {
  e = in.once(e, stem);
  const auto* load = ir::try_as<ir::Load>(e);
  return load && names.rebinds(load->local->name) ? in.spill(e, stem) : e;
}

ir::Expr* SequenceMaker::held(ir::Expr* e, std::string_view stem) {
  return infer::held(in_, names_, e, stem);
}

// How many items a range has: 0 when it is empty.
ir::Expr* range_count(Emitter& in, ir::Expr* lo, ir::Expr* hi, ir::Expr* step, Span span) {
  const Type* t = lo->type;
  const auto count = [&](ir::Expr* from, ir::Expr* to, ir::Expr* by) {
    if (by->kind == ExprKind::kConst && ir::as<ir::Const>(by)->value.integer == 1)
      return in.make(ir::Select{{ExprKind::kSelect, t, span},
                                ordered(in, CompareOp::kLt, from, to),
                                plain(in, BinaryOp::kSub, to, from),
                                in.const_int(0, t)});
    ir::Expr* gap =
        plain(in, BinaryOp::kSub, plain(in, BinaryOp::kSub, to, from), in.const_int(1, t, span));
    ir::Expr* steps =
        plain(in, BinaryOp::kAdd, plain(in, BinaryOp::kFloorDiv, gap, by), in.const_int(1, t));
    return in.make(ir::Select{{ExprKind::kSelect, t, span},
                              ordered(in, CompareOp::kLt, from, to),
                              steps,
                              in.const_int(0, t)});
  };
  ir::Expr* backward = plain(in, BinaryOp::kSub, in.const_int(0, t, span), step);
  if (step->kind != ExprKind::kConst)
    return in.make(ir::Select{{ExprKind::kSelect, t, span},
                              ordered(in, CompareOp::kGt, step, in.const_int(0, t, span)),
                              count(lo, hi, step),
                              count(hi, lo, backward)});
  const int64_t by = ir::as<ir::Const>(step)->value.integer;
  if (by == 1 && lo->kind == ExprKind::kConst && ir::as<ir::Const>(lo)->value.integer == 0)
    return hi->type->is_signed
               ? in.make(ir::Select{{ExprKind::kSelect, t, span},
                                    ordered(in, CompareOp::kGt, hi, in.const_int(0, t, span)),
                                    hi,
                                    in.const_int(0, t, span)})
               : hi;
  return by > 0 ? count(lo, hi, step) : count(hi, lo, backward);
}

ir::Expr* range_length(Emitter& in, const Range& range, Span span) {
  const auto part = [&](const Value& bound) {
    return in.once(cast(in, bound.expr, types::int64()), "part");
  };
  ir::Expr *lo = part(range.lo), *hi = part(range.hi), *step = part(range.step);
  check_step(in, step, span);
  return range_count(in, lo, hi, step, span);
}

// r[i]: IndexError outside, as Python; on the GPU nothing is checked.
Operand range_item(Emitter& in, const Range& range, const Operand& index, Span span) {
  ir::Expr* i = index.is_value() ? unwrap(in, index.value(), span) : nullptr;
  if (!i || !i->type->is_int()) {
    in.report(index.span.valid() ? index.span : span, diag::BadIndex,
              i ? "`" + types::print(i->type) + "`" : describe(index));
    return error();
  }
  const Type* t = types::int64();
  ir::Expr* given = in.once(cast(in, i, t), "index");
  ir::Expr* length = in.once(range_length(in, range, span), "length");
  ir::Expr* from_end = plain(in, BinaryOp::kAdd, given, length);
  const auto* constant = ir::try_as<ir::Const>(given);
  ir::Expr* at = constant && constant->value.integer >= 0 ? given : from_end;
  if (!constant)
    at = in.make(ir::Select{{ExprKind::kSelect, t, span},
                            ordered(in, CompareOp::kLt, given, in.const_int(0, t)),
                            from_end,
                            given});
  at = in.once(at, "at");
  if (!in.on_cuda()) {
    ir::Expr* low = ordered(in, CompareOp::kLt, at, in.const_int(0, t));
    ir::Expr* high = ordered(in, CompareOp::kGe, at, length);
    in.raise_if(logical(in, false, low, high, span), "IndexError",
                "range object index out of range", span);
  }
  ir::Expr* far = plain(in, BinaryOp::kMul, at, cast(in, range.step.expr, t));
  return to_operand(
      cast(in, plain(in, BinaryOp::kAdd, cast(in, range.lo.expr, t), far), range.type()));
}

// The arguments are evaluated once, in front of the loop.
Sequence generated(Emitter& in, const Generated& made, Span target) {
  std::vector<ir::Expr*> args;
  for (Operand part : made.parts)
    for_each_value(part, [&](const Value& value) { args.push_back(value.expr); });
  const Type* type = made.function->result;
  Sequence out;
  out.generator =
      in.make(ir::Call{{ExprKind::kCall, type, made.at}, made.function, in.list(std::move(args))});
  out.yielded = in.temp("item", type, target);
  out.item = [&in, item = out.yielded](ir::Expr* index) {
    return to_operand(in.load(item, index->span));
  };
  return out;
}

// ---- sequences ---------------------------------------------------------------------------------

bool SequenceMaker::make(const Operand& iterable, Sequence& out) {
  if (iterable.is_value()) return of_value(iterable, out);
  if (iterable.is<Flat>()) return of_flat(iterable.as<Flat>(), out);
  if (iterable.is<Entries>())
    return of_entries(iterable.as<Entries>().table.expr, iterable.as<Entries>().part, out);
  if (iterable.is<Generated>()) return of_generated(iterable.as<Generated>(), out);
  if (iterable.is<Grid>()) return of_grid(iterable.as<Grid>(), out);
  if (iterable.is<Zip>()) return of_zip(iterable, out);
  if (iterable.is<Enumerate>()) return of_enumerate(iterable, out);
  if (iterable.is<Range>()) return of_range(iterable.as<Range>(), out);
  if (iterable.is<Reversed>()) return of_reversed(iterable, out);
  if (iterable.is<Pack>()) {
    in_.report(iter_.span, diag::NotIterable, "a tuple that holds texts, functions or the like")
        .help("write its passes out, or loop over a tuple of numbers");
  } else if (!iterable.is_error()) {
    in_.report(iter_.span, diag::NotIterable, "this expression").help(kIterables);
  }
  return false;
}

bool SequenceMaker::of_range(const Range& range, Sequence& out) {
  const auto part = [&](const Value& bound) {
    return held(cast(in_, bound.expr, types::int64()), "part");
  };
  ir::Expr *lo = part(range.lo), *hi = part(range.hi), *step = part(range.step);
  check_step(in_, step, iter_.span);
  const Type* type = range.type();
  const auto is_const = [](const ir::Expr* e, int64_t v) {
    return e->kind == ExprKind::kConst && ir::as<ir::Const>(e)->value.integer == v;
  };
  out.is_index = type == types::int64() && is_const(lo, 0) && is_const(step, 1);
  out.count = range_count(in_, lo, hi, step, iter_.span);
  out.item = [&in = in_, lo, step, type](ir::Expr* index) {
    const bool unit = step->kind == ExprKind::kConst && ir::as<ir::Const>(step)->value.integer == 1;
    ir::Expr* far = unit ? index : plain(in, BinaryOp::kMul, index, step);
    const bool from_zero =
        lo->kind == ExprKind::kConst && ir::as<ir::Const>(lo)->value.integer == 0;
    return to_operand(cast(in, from_zero ? far : plain(in, BinaryOp::kAdd, lo, far), type));
  };
  return true;
}

bool SequenceMaker::of_reversed(const Operand& iterable, Sequence& out) {
  Sequence inner;
  const Operand& of = iterable.parts()[0];
  if (of.is<Zip>() || of.is<Enumerate>() || of.is<Generated>()) {
    in_.report(iter_.span, diag::NotIterable, "what has no reverse order")
        .help("write `zip(reversed(a), reversed(b))`, or loop over a range of indices");
    return false;
  }
  if (of.is<Entries>() || (of.is_value() && of.type()->is_table())) {
    if (!of_listed_entries(of, inner)) return false;
  } else if (!make(of, inner)) {
    return false;
  }
  ir::Expr* count = held(inner.count, "count");
  if (inner.goes_on)
    out.goes_on = [&in = in_, inner, count](ir::Expr* index) {
      ir::Expr* left = plain(in, BinaryOp::kSub, count, index);
      ir::Expr* last =
          plain(in, BinaryOp::kSub, left, in.const_int(1, types::int64(), index->span));
      return logical(in, true, ordered(in, CompareOp::kLt, index, count), inner.goes_on(last),
                     index->span);
    };
  out.count = count;
  out.check = inner.check;
  out.item = [&in = in_, inner, count](ir::Expr* index) {
    ir::Expr* last = plain(in, BinaryOp::kSub, count, in.const_int(1, types::int64(), index->span));
    return inner.item(plain(in, BinaryOp::kSub, last, index));
  };
  return true;
}

bool SequenceMaker::of_value(const Operand& iterable, Sequence& out) {
  const Type* type = iterable.type();
  const bool array = type->is_array() && type->rank > 0;
  if (type->is_list()) return of_list(iterable.value(), out);
  if (type->is_table()) return of_entries(iterable.value(), Entries::Part::kKeys, out);
  if (type->is_optional() && type->elem->is_container()) {
    ir::Expr* value = unwrap(in_, iterable.value(), iter_.span);
    return type->elem->is_list() ? of_list(value, out)
                                 : of_entries(value, Entries::Part::kKeys, out);
  }
  if (!array && !type->is_uniform_tuple()) {
    auto builder =
        in_.report(iter_.span, diag::NotIterable, "a value of type `" + types::print(type) + "`");
    const SourceFile& file = *in_.context().function().file;
    const Span at = iter_.span;
    if (type->is_int()) {
      builder.fix(at, "range(" + std::string(file.text, at.begin - file.base, at.size()) + ")");
    }
    builder.help(kIterables);
    return false;
  }
  ir::Expr* values = held(iterable.value(), "items");
  if (array) {
    out.count = in_.make(
        ir::Query{{ExprKind::kQuery, types::int64(), iter_.span}, ir::QueryOp::kLen, values, 0});
    out.item = [&in = in_, values](ir::Expr* index) {
      return to_operand(row(in, values, index, false, index->span));
    };
    return true;
  }
  out.count = in_.const_int(int64_t(type->items.size()), types::int64(), iter_.span);
  out.item = [&in = in_, values, type](ir::Expr* index) {
    ir::Index at;
    at.value = index;
    at.wrap = false;
    return to_operand(
        in.make(ir::ItemAt{{ExprKind::kItemAt, type->items[0], index->span}, values, at}));
  };
  return true;
}

bool SequenceMaker::of_list(ir::Expr* list, Sequence& out) {
  if (list->type->elem->kind == types::Kind::kVoid) return false;
  list = held(list, "items");
  out.goes_on = [&in = in_, list](ir::Expr* index) {
    return ordered(in, CompareOp::kLt, index, list_length(in, list, index->span));
  };
  out.count = list_length(in_, list, iter_.span);
  out.item = [&in = in_, list](ir::Expr* index) {
    return to_operand(list_item_at(in, list, index, index->span));
  };
  return true;
}

// From place to place, in turn.
bool SequenceMaker::of_entries(ir::Expr* table, Entries::Part part, Sequence& out) {
  if (table->type->lacks_items()) return false;
  table = held(table, "items");
  ir::Expr* count = in_.once(table_length(in_, table, iter_.span), "count");
  ir::Expr* moves = in_.spill(table_moves(in_, table, iter_.span), "moves");
  ir::Local* place = in_.temp("place", types::int64(), iter_.span);
  in_.emit_assign(place, in_.const_int(-1, types::int64(), iter_.span), iter_.span);
  out.count = count;
  out.goes_on = [&in = in_, count](ir::Expr* index) {
    return ordered(in, CompareOp::kLt, index, count);
  };
  out.check = [&in = in_, table, count, moves, at = iter_.span] {
    check_unchanged(in, table, count, moves, at);
  };
  out.item = [&in = in_, table, place, part](ir::Expr* index) {
    const Span at = index->span;
    in.emit_assign(place, table_next(in, table, in.load(place, at), at), at);
    return entry_at(in, table, in.load(place, at), part, at);
  };
  return true;
}

// A list of its own, which can be gone through backward.
bool SequenceMaker::of_listed_entries(const Operand& iterable, Sequence& out) {
  Entries entries = iterable.is<Entries>() ? iterable.as<Entries>()
                                           : Entries{Value(iterable.value()), Entries::Part::kKeys};
  ir::Expr* table = entries.table.expr;
  if (table->type->lacks_items()) return false;
  entries.table = Value(held(table, "items"));
  table = entries.table.expr;
  if (!of_list(list_of_entries(in_, entries, iter_.span), out)) return false;
  out.count = held(out.count, "count");
  out.check = [&in = in_, table, count = out.count, at = iter_.span] {
    check_unchanged(in, table, count, nullptr, at);
  };
  return true;
}

// a.flat: the array of one dimension that it is, or an index for each axis.
bool SequenceMaker::of_flat(const Flat& flat, Sequence& out) {
  if (!may_iterate_(flat.at)) {
    in_.report(iter_.span, diag::NotYet, "a second loop over one `.flat`")
        .help("write `a.flat` in each of the loops");
    return false;
  }
  if (ir::Expr* view = flat_view(in_, flat.array.expr, iter_.span))
    return of_value(to_operand(view), out);
  ir::Expr* array = held(flat.array.expr, "items");
  out.count = in_.make(
      ir::Query{{ExprKind::kQuery, types::int64(), iter_.span}, ir::QueryOp::kSize, array, 0});
  out.item = [&in = in_, array](ir::Expr* index) {
    index = in.once(index, "k");
    return to_operand(in.make(ir::Element{{ExprKind::kElement, array->type->elem, index->span},
                                          array,
                                          in.list(unravel(in, array, index))}));
  };
  return true;
}

bool SequenceMaker::of_generated(const Generated& made, Sequence& out) {
  const bool may_be_named = !names_.body.empty() && made.captures.empty();
  if (made.is_named && !(may_be_named && may_iterate_(made.at))) {
    in_.not_supported(
        iter_.span,
        may_be_named ? "a second loop over one generator" : "a generator in a variable here",
        "call the generator where the loop over it is");
    return false;
  }
  for (const Symbol name : made.captures) {
    if (!names_.rebinds(name)) continue;
    in_.not_supported(
        iter_.span, fmt::format("a loop that changes `{}`, which its generator reads,", name.str()),
        "give it to the generator as an argument");
    return false;
  }
  out = generated(in_, made, names_.target.span);
  return true;
}

// The smaller of two counts, a constant where both are.
ir::Expr* SequenceMaker::fewer(ir::Expr* a, ir::Expr* b) {
  const auto *first = ir::try_as<ir::Const>(a), *second = ir::try_as<ir::Const>(b);
  if (first && second) return second->value.integer < first->value.integer ? b : a;
  a = held(a, "count");
  b = held(b, "count");
  return in_.make(ir::Select{
      {ExprKind::kSelect, types::int64(), iter_.span}, ordered(in_, CompareOp::kLt, b, a), b, a});
}

// np.ndindex, np.ndenumerate: a loop for each axis; one index for all, where they are left early.
bool SequenceMaker::of_grid(const Grid& grid, Sequence& out) {
  std::vector<ir::Expr*> shape;
  out.count = in_.const_int(1, types::int64(), iter_.span);
  for (ir::Expr* extent : grid.extents) {
    shape.push_back(held(extent, "extent"));
    out.count = plain(in_, BinaryOp::kMul, out.count, shape.back());
  }
  ir::Expr* array = grid.array ? held(grid.array, "items") : nullptr;
  out.at = [&in = in_, array, span = iter_.span](std::vector<ir::Expr*> at) {
    std::vector<ir::Index> indices;
    for (ir::Expr* i : at) indices.push_back({i, false, false});
    Operand tuple = to_operand(in.make_tuple(std::move(at), span));
    if (!array) return tuple;
    Pack pack;
    pack.parts.push_back(std::move(tuple));
    pack.parts.push_back(to_operand(in.make(
        ir::Element{{ExprKind::kElement, array->type->elem, span}, array, in.list(indices)})));
    return Operand{std::move(pack), span};
  };
  out.item = [&in = in_, shape, at = out.at](ir::Expr* index) {
    std::vector<ir::Expr*> all = unravel(in, shape, in.once(index, "k"));
    for (ir::Expr*& i : all) i = in.once(i, "i");
    return at(std::move(all));
  };
  out.extents = std::move(shape);
  return true;
}

bool SequenceMaker::of_zip(const Operand& iterable, Sequence& out) {
  std::vector<Sequence> parts(iterable.parts().size());
  for (size_t k = 0; k < parts.size(); ++k) {
    if (!make(iterable.parts()[k], parts[k])) return false;
    if (parts[k].generator) {
      in_.not_supported(iter_.span, "a generator in `zip`",
                        "make a list of what it yields: `list(…)`");
      return false;
    }
    parts[k].count = held(parts[k].count, "count");
    if (k == 0) {
      out.count = parts[0].count;
      continue;
    }
    out.count = fewer(out.count, parts[k].count);
  }
  if (parts.empty()) out.count = in_.const_int(0, types::int64(), iter_.span);
  if (std::ranges::any_of(parts, [](const Sequence& part) { return bool(part.goes_on); }))
    out.goes_on = [&in = in_, parts](ir::Expr* index) {
      ir::Expr* all = nullptr;
      for (const Sequence& part : parts) {
        ir::Expr* one =
            part.goes_on ? part.goes_on(index) : ordered(in, CompareOp::kLt, index, part.count);
        all = all ? logical(in, true, all, one, index->span) : one;
      }
      return all;
    };
  if (std::ranges::any_of(parts, [](const Sequence& part) { return bool(part.check); }))
    out.check = [parts] {
      for (const Sequence& part : parts)
        if (part.check) part.check();
    };
  out.item = [parts](ir::Expr* index) {
    Pack pack;
    for (const Sequence& part : parts) pack.parts.push_back(part.item(index));
    return Operand{std::move(pack), index->span};
  };
  return true;
}

bool SequenceMaker::of_enumerate(const Operand& iterable, Sequence& out) {
  Sequence inner;
  if (!make(iterable.parts()[0], inner)) return false;
  ir::Expr* start = in_.const_int(0, types::int64(), iter_.span);
  if (iterable.parts()[1].is_value())
    start = held(cast(in_, iterable.parts()[1].value(), types::int64()), "start");
  const bool from_zero =
      start->kind == ExprKind::kConst && ir::as<ir::Const>(start)->value.integer == 0;
  const auto* target = ast::as<ast::Tuple>(names_.target);
  if (from_zero && target && target->elts.size() == 2)
    out.index_name = plain_index(names_.versions, target->elts[0]);
  out.count = inner.count;
  out.goes_on = inner.goes_on;
  out.generator = inner.generator;
  out.yielded = inner.yielded;
  out.counts = inner.generator != nullptr;
  out.check = inner.check;
  out.item = [&in = in_, inner, start, from_zero](ir::Expr* index) {
    Pack pack;
    pack.parts.push_back(to_operand(from_zero ? index : plain(in, BinaryOp::kAdd, start, index)));
    pack.parts.push_back(inner.item(index));
    return Operand{std::move(pack), index->span};
  };
  return true;
}

ir::Expr* tuple_item(Emitter& in, ir::Expr* tuple, int index, Span span) {
  if (is_error(tuple)) return in.error(span);
  if (tuple->kind == ir::ExprKind::kTuple) {
    return ir::as<ir::Tuple>(tuple)->items[size_t(index)];
  }
  return in.make(
      ir::Item{{ir::ExprKind::kItem, tuple->type->items[size_t(index)], span}, tuple, index});
}

}  // namespace pyk2cu::infer
