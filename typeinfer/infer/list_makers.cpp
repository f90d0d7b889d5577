// What makes lists: displays, comprehensions, list(); and extend(), which adds what they would
// hold.
//
// In, out: see lists.h. A comprehension is the loops that it says, around an append.
// Tested by tests/run/test_lists.py.
#include <algorithm>

#include "typeinfer/infer/assign.h"
#include "typeinfer/infer/list_parts.h"
#include "typeinfer/infer/sequence.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::infer {

using builtins::Id;
using ir::ExprKind;
using ir::StmtKind;

namespace {

bool refused(Expressions& in, Span span) {
  if (!in.emitter().on_cuda()) return false;
  in.emitter().not_supported(span, "a list",
                             "write a tuple, or make an array with `cuda.local.array`");
  return true;
}

// A list of this type; null: it is not known yet.
ir::Expr* empty_list(Emitter& in, const Type* elem, ir::Expr* room, Span span) {
  if (!elem) {
    in.context().wait_for_items(span);
    elem = types::void_();
  }
  return in.spill(list_builtin(in, Id::pyk_list_new, types::list(elem), {room}, span, elem),
                  "items");
}

}  // namespace

const Type* common_type(Emitter& in, const std::vector<ir::Expr*>& items, ListSite site) {
  ListTypes& known = in.context().lists();
  const Type* elem = known.items(site);
  for (const ir::Expr* item : items) {
    if (!can_stand_in_list(in, item->type, item->span)) return types::error();
    const Type* both = elem ? types::unify(elem, item->type, in.dialect()) : item->type;
    if (!both) {
      in.report(item->span, diag::CannotConvert, types::print(item->type), types::print(elem))
          .help("all items have one type");
      return types::error();
    }
    elem = both;
  }
  if (elem && known.grow(site, elem, in.dialect())) in.context().change();
  return elem;
}

const Type* known_type(Emitter& in, ListSite own, ListSite site) {
  const ListTypes& known = in.context().lists();
  const Type *a = known.items(own), *b = known.items(site);
  const Type* both = a && b ? types::unify(a, b, in.dialect()) : nullptr;
  return both ? both : a ? a : b;
}

Operand list_repeated(Expressions& in, const ast::BinOp& e, const ast::List& one, ListSite site) {
  Emitter& out = in.emitter();
  if (refused(in, e.span)) return error();
  const bool first = e.left == &one;
  const std::vector<const ast::Expr*> exprs{first ? one.elts[0] : e.left,
                                            first ? e.right : one.elts[0]};
  const std::vector<Operand> sides = operands(in, exprs, site.inside());
  ir::Expr* item = value_of(out, sides[first ? 0 : 1], one.span);
  ir::Expr* count = value_of(out, sides[first ? 1 : 0], e.span);
  if (is_error(item) || is_error(count)) return error();
  if (!count->type->is_int() && !count->type->is_bool()) {
    out.report(e.span, diag::CannotConvert, types::print(count->type), "int64");
    return error();
  }
  const Type* elem = common_type(out, {item}, site);
  if (!elem || elem->is_error()) return error();
  std::vector<ir::Expr*> args{cast(out, count, types::int64()), convert(out, item, elem, one.span)};
  return to_operand(out.spill(
      list_builtin(out, Id::pyk_list_full, types::list(elem), std::move(args), e.span, elem),
      "items"));
}

Operand list_display(Expressions& in, const ast::List& e, ListSite site) {
  Emitter& out = in.emitter();
  if (refused(in, e.span)) return error();
  std::vector<const ast::Expr*> exprs;
  for (const ast::Expr* item : e.elts) {
    if (ast::is<ast::Starred>(item)) {
      out.not_supported(item->span, "`*` in a list", "add the lists: `a + b`");
      return error();
    }
    exprs.push_back(item);
  }
  const std::vector<Operand> given = operands(in, exprs, site.inside());
  std::vector<ir::Expr*> items;
  for (size_t k = 0; k < given.size(); ++k) {
    items.push_back(value_of(out, given[k], exprs[k]->span));
    if (is_error(items.back())) return error();
  }
  const Type* elem = common_type(out, items, site);
  if (elem && elem->is_error()) return error();
  ir::Expr* none = out.const_int(0, types::int64(), e.span);
  if (items.empty() || !elem) return to_operand(empty_list(out, elem, none, e.span));
  for (ir::Expr*& item : items) item = convert(out, item, elem, item->span);
  return to_operand(out.spill(
      list_builtin(out, Id::pyk_list_of, types::list(elem), std::move(items), e.span, elem),
      "items"));
}

// ---- comprehensions ----------------------------------------------------------------------------

namespace {

const ast::NamedExpr* walrus_in(const ast::Node& node) {
  if (const auto* found = ast::as<ast::NamedExpr>(node)) return found;
  const ast::NamedExpr* inside = nullptr;
  ast::for_each_child(node, [&](const ast::Node& child) {
    if (!inside) inside = walrus_in(child);
  });
  return inside;
}

class Collector {
 public:
  Collector(Expressions& in, const Comprehension& what)
      : in_(in), out_(in.emitter()), what_(what), generators_(what.generators) {}

  Operand make() {
    Sequence first;
    if (!sequence(*generators_[0], first)) return error();
    const bool all = generators_.size() == 1 && generators_[0]->ifs.empty();
    if (all && first.count) first.count = out_.once(first.count, "count");
    list_ = what_.start(all && first.count ? first.count : out_.const_int(0));
    loop(0, first);
    return failed_ ? error() : to_operand(list_);
  }

 private:
  bool sequence(const ast::Comprehension& part, Sequence& made) {
    const auto* list = ast::as<ast::List>(part.iter);
    const Operand over = list && !list->elts.empty() ? items_of(in_, list->elts, list->span)
                                                     : in_.operand(*part.iter);
    if (over.is_error()) return false;
    const auto may = [&](Span at) { return out_.context().exhaust(at); };
    return SequenceMaker(in_, *part.iter, *part.target, {}, may).make(over, made);
  }

  void loop(size_t k, const Sequence& sequence) {
    const ast::Comprehension& part = *generators_[k];
    ListTypes& lists = out_.context().lists();
    if (sequence.generator || lists.changes_length(part.iter->Node::id))
      return over_turns(k, sequence);
    const auto* name = ast::as<ast::Name>(part.target);
    // for i in range(n): the index of the loop itself
    const bool shown = name && sequence.is_index && !in_.names().declared(name->id);
    ir::Local* index = shown ? in_.names().show_index(*name, types::int64())
                             : out_.temp(name ? std::string(name->id.str()) + "_at" : "k",
                                         types::int64(), part.target->span);
    ir::Block* body = out_.into_block([&] {
      assign(in_, *part.target, sequence.item(out_.load(index, part.target->span)),
             part.target->span);
      filtered(k, 0);
    });
    if (shown) in_.names().hide_index(*name);
    if (sequence.goes_on && changes_lists(*body, ir::loaded(list_)) &&
        lists.note_change(part.iter->Node::id))
      out_.context().change();
    emit_count(out_, index, 0, sequence.count, body, what_.e.span);
  }

  // Over a list that what is evaluated makes longer or shorter, or what a generator yields.
  void over_turns(size_t k, const Sequence& sequence) {
    const ast::Comprehension& part = *generators_[k];
    in_turn(out_, sequence, part.target->span, [&](ir::Stmt*, ir::Expr* at) {
      assign(in_, *part.target, sequence.item(at), part.target->span);
      filtered(k, 0);
    });
  }

  // Behind the filters from number `which` on.
  void filtered(size_t k, size_t which) {
    const ast::Comprehension& part = *generators_[k];
    if (which == part.ifs.size()) return inside(k);
    ir::Expr* holds = in_.condition(*part.ifs[which]);
    if (is_error(holds)) {
      failed_ = true;
      return;
    }
    ir::Block* body = out_.into_block([&] { filtered(k, which + 1); });
    out_.emit(
        out_.make(ir::If{{StmtKind::kIf, what_.e.span}, holds, body, out_.make(ir::Block{})}));
  }

  void inside(size_t k) {
    if (k + 1 < generators_.size()) {
      Sequence next;
      if (sequence(*generators_[k + 1], next)) return loop(k + 1, next);
      failed_ = true;
      return;
    }
    failed_ = !what_.add(list_) || failed_;
  }

  Expressions& in_;
  Emitter& out_;
  const Comprehension& what_;
  const ast::Comprehensions generators_;
  ir::Expr* list_ = nullptr;
  bool failed_ = false;
};

}  // namespace

Operand comprehension(Expressions& in, const Comprehension& what) {
  if (refused(in, what.e.span)) return error();
  if (const ast::NamedExpr* walrus = walrus_in(what.e)) {
    in.emitter().not_supported(walrus->span, "`:=` in a comprehension", "write a loop");
    return error();
  }
  return Collector(in, what).make();
}

Operand list_comprehension(Expressions& in, const ast::ListComp& e, ListSite site) {
  Emitter& out = in.emitter();
  const auto start = [&](ir::Expr* room) {
    return empty_list(out, known_type(out, {&e, 0}, site), room, e.span);
  };
  const auto add = [&](ir::Expr* list) {
    in.expect_list(site.inside());
    ir::Expr* item = in.value(*e.elt);
    if (is_error(item)) return false;
    item = list_fitted(out, list, item, {&e, 0}, e.elt->span);
    if (item) list_grow(out, Id::pyk_list_append, {list, item}, e.elt->span);
    return true;
  };
  return comprehension(in, {e, e.generators, start, add});
}

// ---- list(…), extend ---------------------------------------------------------------------------

namespace {

// Appends what the iterable has, one by one; `list`: a name. False: not in this walk.
bool append_all(Emitter& in, ir::Expr* list, const Sequence& sequence, ListSite site, Span span) {
  bool fits = true;
  const auto append = [&](ir::Expr* index) {
    ir::Expr* item = value_of(in, sequence.item(index), span);
    item = list_fitted(in, list, item, site, span);
    fits = item != nullptr;
    if (item) list_grow(in, Id::pyk_list_append, {list, item}, span);
  };
  if (sequence.generator) {
    in_turn(in, sequence, span, [&](ir::Stmt*, ir::Expr* index) { append(index); });
  } else {
    count_to(
        in, sequence.count, span, [&](ir::Local* index) { append(in.load(index, span)); }, "k");
  }
  return fits;
}

}  // namespace

ir::Expr* list_of_generated(Emitter& in, const Generated& made, Span span) {
  if (made.is_named) {
    in.not_supported(span, "a generator in a variable here",
                     "call the generator where the loop over it is");
    return in.error(span);
  }
  const Type* elem = made.function->result;
  if (!can_stand_in_list(in, elem, span)) return in.error(span);
  const Sequence sequence = generated(in, made, span);
  ir::Expr* list = empty_list(in, elem, in.const_int(0, types::int64(), span), span);
  in_turn(in, sequence, span, [&](ir::Stmt*, ir::Expr* index) {
    list_grow(in, Id::pyk_list_append, {list, sequence.item(index).value()}, span);
  });
  return list;
}

std::optional<Sequence> sequence_of(Expressions& in, const Operand& iterable, const ast::Expr& at) {
  Sequence sequence;
  const auto may = [&](Span where) { return in.context().exhaust(where); };
  if (!SequenceMaker(in, at, at, {}, may).make(iterable, sequence)) return std::nullopt;
  if (sequence.count) sequence.count = in.emitter().once(sequence.count, "count");
  return sequence;
}

namespace {

// sorted(iterable, reverse=…): a list, sorted.
Operand sorted(Expressions& in, const Arguments& args) {
  Emitter& out = in.emitter();
  const auto bound = by_name(out, args, {"iterable", "reverse"}, 1);
  if (!bound) return error();
  Arguments of = args;
  of.keywords.clear();
  of.args = {(*bound)[0]};
  const auto made = list_made(in, of, "builtins.list");
  if (!made || !made->is_value()) return error();
  ir::Expr* list = out.once(made->value(), "items");
  return list_sort(out, list, (*bound)[1], args.span) ? to_operand(list) : error();
}

}  // namespace

std::optional<Operand> list_made(Expressions& in, const Arguments& args, std::string_view path) {
  Emitter& out = in.emitter();
  const bool typed = path.starts_with("numba.typed.");
  const bool empty_of = path.ends_with(".empty_list");
  if (path == "builtins.sorted") return sorted(in, args);
  const bool plain =
      path == "builtins.list" || path == "numba.typed.List" || path == "numba.typed.typedlist.List";
  if (!plain && !(typed && empty_of)) return std::nullopt;
  if (refused(in, args.span)) return error();
  ir::Expr* none = out.const_int(0, types::int64(), args.span);
  if (empty_of) {
    const Type* elem = args.args.size() >= 1 ? named_type(args.args[0]) : nullptr;
    if (!elem) return bad_arguments(out, args);
    return to_operand(empty_list(out, elem, none, args.span));
  }
  if (args.args.empty() && args.keywords.empty())
    return to_operand(empty_list(out, common_type(out, {}, args.list), none, args.span));
  if (args.args.size() != 1 || !args.keywords.empty() || !args.call)
    return bad_arguments(out, args);
  const auto sequence = sequence_of(in, args.args[0], *args.call->args[0]);
  if (!sequence) return error();
  const ListSite own{args.call, 0};
  ir::Expr* list = empty_list(out, known_type(out, own, args.list),
                              sequence->count ? sequence->count : none, args.span);
  return append_all(out, list, *sequence, own, args.span) ? to_operand(list) : error();
}

void list_extend(Expressions& in, ir::Expr* list, const Operand& more, const ast::Expr* at,
                 ListSite site, Span span) {
  Emitter& out = in.emitter();
  if (more.is_error()) return;
  if (more.type() == list->type)
    return list_grow(out, Id::pyk_list_extend, {list, more.value()}, span);
  const auto sequence = at ? sequence_of(in, more, *at) : std::nullopt;
  if (sequence) append_all(out, list, *sequence, site, span);
}

}  // namespace pyk2cu::infer
