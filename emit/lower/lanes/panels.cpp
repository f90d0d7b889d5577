// Panels: see panels.h.
//
// An element has a panel where it is loaded for all lanes, in a loop that stands in that over the
// rows, perhaps under conditions: one of its subscripts counts with the lanes, another is that
// loop's variable, one of them is the last, the rest stay while the gang runs. Where that loop does
// not turn, the panel is empty. Where a condition or a jump may keep all lanes from the element, it
// is one of a matrix at the lane's own row: a slice of these ends where the array does. Lanes that
// have a row each cannot read the array by the panel's text: the loops over the rows are there
// twice then, with panels and without.
#include "emit/lower/lanes/panels.h"

#include <unordered_set>

#include "emit/lower/iterations.h"
#include "emit/lower/lanes/jam.h"
#include "emit/lower/lanes/tile.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

constexpr size_t kMost = 4;        // panels of a gang
constexpr int64_t kManyLoads = 8;  // for which a panel is worth its copies
constexpr int64_t kFewTurns = 32;  // of a loop along rows that stay in a cache

class Panels {
 public:
  Panels(ir::Program& program, ir::Function& f, const Gang& gang, Block& lanes, bool is_tile)
      : program_(program),
        f_(f),
        gang_(gang),
        lanes_(lanes),
        is_tile_(is_tile),
        is_left_(is_left(lanes)),
        jumps_(ir::any_stmt(lanes, [](const Stmt* s) { return ir::is_jump(s); })),
        assigned_(ir::assigned_in(lanes)) {
    ir::for_each_stmt(std::as_const(lanes), [&](const Stmt* s) {
      ir::for_each_place(s, [&](const ir::Place& place) {
        if (!place.local) stored_.insert(ir::loaded(place.array));
      });
    });
  }

  std::vector<MadePanel> run() {
    std::vector<size_t> twice;  // statements of lanes_ that ask whether there are copies
    for (size_t k = 0; k < lanes_.size(); ++k) {
      // Perhaps what is read behind, which copies miss.
      if (!gang_.is_apart && writes(lanes_[k])) break;
      auto* rows = ir::try_as<ir::For>(lanes_[k]);
      if (!rows) continue;
      rows_ = rows;
      asks_ = false;
      loops_along(*rows->body, !jumps_);
      if (asks_) twice.push_back(k);
    }
    if (given_) give(twice.front(), twice.back() + 1);
    Block front;
    std::vector<MadePanel> all;
    for (const Panel& panel : panels_) {
      front.push_back(panel.made);
      all.push_back({ir::loaded(panel.element->array), panel.rows});
    }
    lanes_.insert(lanes_.begin(), front.begin(), front.end());
    return all;
  }

 private:
  struct Panel {
    const ir::Element* element;  // as it was
    size_t axis, lanes;          // of its subscripts, that of the loop and that of the lanes
    const ir::For* along;        // the loop
    int64_t rows;                // that load it, or more, where there is a copy
    Local* local;
    Stmt* made;
    bool is_across() const { return lanes < axis; }  // a lane has a row
  };

  // By a jump to what stands around it.
  static bool is_left(const Block& lanes) {
    std::unordered_set<const Stmt*> loops;
    ir::for_each_stmt(lanes, [&](const Stmt* s) {
      if (ir::is_loop(s)) loops.insert(s);
    });
    return ir::any_stmt(lanes, [&](const Stmt* s) {
      const auto* left = ir::try_as<ir::Break>(s);
      const auto* next = ir::try_as<ir::Continue>(s);
      return ir::is_jump(s) && !(left && loops.contains(left->loop)) &&
             !(next && loops.contains(next->loop));
    });
  }

  // Elements of arrays.
  static bool writes(Stmt* s) {
    bool found = false;
    ir::for_each_stmt(ir::Block{s}, [&](const Stmt* part) {
      found = found || !ir::written_by(part).empty();
      ir::for_each_expr(part, [&](const Expr* e) {
        ir::for_each_subexpr(
            e, [&](const Expr* one) { found = found || !ir::written_by(one).empty(); });
      });
    });
    return found;
  }

  // How many rows share a load, of the loop that panels are made for; 0: it is none. In a tile that
  // is the one over whole groups.
  int64_t sharing(const ir::For& rows) const {
    if (!stays(rows.lo) || !stays(rows.hi)) return 0;
    return is_tile_ ? (ir::is_int_const(rows.step, kRows) ? kRows : 0)
                    : (ir::is_int_const(rows.step, 1) ? 1 : 0);
  }

  void loops_along(const Block& b, bool is_sure) {
    for (Stmt* inner : b) {
      is_sure_ = is_sure;
      if (auto* loop = ir::try_as<ir::For>(inner)) along(*loop);
      if (inner->kind == ir::StmtKind::kIf)
        ir::for_each_block(inner, [&](const Block& side) { loops_along(side, false); });
    }
  }

  void along(const ir::For& loop) {
    if (!counts_up(loop)) return;
    along_ = &loop;
    for (Stmt* s : *loop.body)
      if (auto* all = ir::try_as<ir::Lanes>(s))
        for (Stmt* one : *all->body)
          if (one->kind != ir::StmtKind::kIf) ir::for_each_expr(one, [&](Expr*& e) { expr(e); });
  }

  void expr(Expr*& e) {
    if (e->kind == ir::ExprKind::kSelect || e->kind == ir::ExprKind::kLogical) return;
    auto* element = ir::try_as<ir::Element>(e);
    if (!element) return ir::for_each_operand(e, [&](Expr*& operand) { expr(operand); });
    const Panel* panel = panel_of(*element);
    if (!panel) return;
    const ir::Builder b{program_, e->span};
    Expr* row = element->indices[panel->axis].value;
    if (!ir::is_int_const(panel->along->lo, 0))
      row = b.plain(ir::BinaryOp::kSub, row, ir::Cloner(program_).expr(panel->along->lo));
    const ir::List<ir::Index> at = program_.list(
        std::vector<ir::Index>{{row, false, false}, {b.load(gang_.lane), false, false}});
    Expr* copy = b.expr<ir::Element>(e->type, b.load(panel->local), at, element->is_safe);
    e = panel->is_across() ? b.expr<ir::Select>(e->type, b.load(given()), copy, e) : copy;
  }

  // Whether there are copies of all rows that lanes have each their own of.
  Local* given() {
    asks_ = true;
    if (given_) return given_;
    f_.locals.push_back(ir::Builder{program_}.temp("known", types::boolean()));
    return given_ = f_.locals.back();
  }

  // These statements, with copies and without.
  void give(size_t from, size_t to) {
    const auto first = lanes_.begin() + ptrdiff_t(from), last = lanes_.begin() + ptrdiff_t(to);
    if (is_tile_) one_at_a_time(*first, *(last - 1));
    Block* loops = program_.make<Block>(Block(first, last));
    *first = ir::Builder{program_}.stmt<ir::Given>(given_, are_copies(), loops);
    lanes_.erase(first + 1, last);
  }

  // Without copies groups of rows share no vectors: they are left to the loop over single ones.
  void one_at_a_time(Stmt* groups, Stmt* singles) const {
    auto *grouped = ir::try_as<ir::For>(groups), *rest = ir::try_as<ir::For>(singles);
    if (!grouped || !rest || grouped == rest || !ir::equal(grouped->hi, rest->lo)) return;
    const ir::Builder b{program_, grouped->span};
    const auto if_given = [&](Expr* bound) {
      return b.expr<ir::Select>(types::int64(), b.load(given_), bound,
                                ir::Cloner(program_).expr(grouped->lo));
    };
    rest->lo = if_given(rest->lo);
    grouped->hi = if_given(grouped->hi);
  }

  Expr* are_copies() const {
    const ir::Builder b{program_};
    Expr* all = nullptr;
    for (const Panel& panel : panels_) {
      if (!panel.is_across()) continue;
      Expr* one = b.compare(ir::CompareOp::kGt, b.extent(b.load(panel.local), 0), b.integer(0));
      all = all ? b.logical(true, all, one) : one;
    }
    return all;
  }

  const Panel* panel_of(const ir::Element& e) {
    const Local* array = ir::loaded(e.array);
    const size_t last = e.indices.size() - 1;
    if (!array || last == 0 || stored_.contains(array) || assigned_.contains(array) ||
        !e.type->is_real())
      return nullptr;
    std::optional<size_t> axis, lanes;
    for (size_t k = 0; k <= last; ++k) {
      const ir::Index& i = e.indices[k];
      if (i.wrap || i.check) return nullptr;
      if (stays_in_front(i.value)) continue;
      std::optional<size_t>& which = ir::loaded(i.value) == along_->index ? axis : lanes;
      if (which || (&which == &lanes && !first_of(i.value))) return nullptr;
      which = k;
    }
    if (!is_sure_ && !(last == 1 && axis && lanes && is_row_of_lane(e.indices[*lanes].value)))
      return nullptr;
    if (!axis || !lanes || (*axis != last && *lanes != last)) return nullptr;
    // A few rows side by side are in the cache anyhow; what a panel is not can be read only so.
    const bool is_c = e.array->type->layout == types::Layout::kC;
    if (*lanes == last && (turns_less(*along_, kFewTurns) || !is_c || !is_tile_)) return nullptr;
    const bool is_f = e.array->type->layout == types::Layout::kF;
    if (*lanes != last && (is_left_ || (is_f && *lanes == 0))) return nullptr;
    for (const Panel& made : panels_)
      if (is_same(made, e, *axis, *lanes)) return &made;
    return make(e, *axis, *lanes);
  }

  // The lane's iteration itself, which is not below 0.
  bool is_row_of_lane(const Expr* e) const {
    const auto* b = ir::try_as<ir::Binary>(e);
    return gang_.is_natural && b && b->op == ir::BinaryOp::kAdd &&
           ir::loaded(b->left) == gang_.first && first_of(e);
  }

  // From a constant on, one by one, to what is known in front.
  bool counts_up(const ir::For& loop) const {
    const ir::Const* lo = ir::constant(loop.lo);
    return lo && lo->value.integer >= 0 && ir::is_int_const(loop.step, 1) && stays(loop.hi);
  }

  // In front of the gang too, where no loop turns.
  bool stays_in_front(const Expr* e) const { return stays(e) && is_plain(e); }

  // It may be computed where nobody does.
  static bool is_plain(const Expr* e) {
    if (const auto* b = ir::try_as<ir::Binary>(e))
      return (b->op == ir::BinaryOp::kAdd || b->op == ir::BinaryOp::kSub) && is_plain(b->left) &&
             is_plain(b->right);
    return ir::constant(e) || ir::loaded(e);
  }

  bool stays(const Expr* e) const {
    return !ir::reads_any(e, assigned_) && !ir::reads_memory(e) && !ir::has_effect(e) &&
           !ir::reads(e, gang_.lane);
  }

  // What the subscript is of the first lane; null: it does not count with the lanes.
  Expr* first_of(const Expr* e) const {
    const auto* b = ir::try_as<ir::Binary>(e);
    if (!b || (b->op != ir::BinaryOp::kAdd && b->op != ir::BinaryOp::kSub)) return nullptr;
    ir::Cloner cloner(program_);
    const auto* lane = ir::try_as<ir::Convert>(b->right);
    if (b->op == ir::BinaryOp::kAdd && ir::loaded(b->left) == gang_.first && lane &&
        ir::loaded(lane->operand) == gang_.lane)
      return cloner.expr(b->left);
    const ir::Builder build{program_, e->span};
    const bool swapped = b->op == ir::BinaryOp::kAdd && stays_in_front(b->left);
    const Expr* other = swapped ? b->left : b->right;
    Expr* first = stays_in_front(other) ? first_of(swapped ? b->right : b->left) : nullptr;
    return first ? build.plain(b->op, first, cloner.expr(other)) : nullptr;
  }

  bool is_same(const Panel& made, const ir::Element& e, size_t axis, size_t lanes) const {
    const ir::Element& one = *made.element;
    bool same = ir::loaded(one.array) == ir::loaded(e.array) && made.axis == axis &&
                made.lanes == lanes && one.indices.size() == e.indices.size() &&
                ir::equal(made.along->lo, along_->lo) && ir::equal(made.along->hi, along_->hi);
    for (size_t k = 0; same && k < e.indices.size(); ++k)
      same = k == axis || ir::equal(one.indices[k].value, e.indices[k].value);
    return same;
  }

  const Panel* make(const ir::Element& e, size_t axis, size_t lanes) {
    const int64_t shared = sharing(*rows_), rows = kManyLoads * (lanes < axis ? 1 : shared);
    if (panels_.size() == kMost || shared == 0) return nullptr;
    const ir::Builder b{program_, e.span};
    ir::Cloner cloner(program_);
    std::vector<ir::Subscript> parts;
    Expr* width = b.integer(gang_.width);
    Expr* count = gang_.count ? b.expr<ir::Convert>(types::int64(), ir::ConvertOp::kExact,
                                                    b.load(gang_.count))
                              : width;
    Expr* first = first_of(e.indices[lanes].value);
    for (size_t k = 0; k < e.indices.size(); ++k)
      parts.push_back(
          k == axis    ? slice(cloner.expr(along_->lo), cloner.expr(along_->hi))
          : k == lanes ? slice(first, b.plain(ir::BinaryOp::kAdd, cloner.expr(first), count))
                       : ir::Subscript{.index = {cloner.expr(e.indices[k].value), false, false}});
    const types::Type *array = e.array->type, *elem = array->elem;
    Expr* view = b.expr<ir::View>(types::array(elem, 2, types::Layout::kA, array->readonly),
                                  cloner.expr(e.array), program_.list(parts));
    Expr* many = b.compare(ir::CompareOp::kGe, turns_of(b, *rows_), b.integer(rows));
    // A slice takes ends below 0 for others.
    if (along_->hi->kind != ir::ExprKind::kQuery)
      many = b.logical(
          true, many,
          b.compare(ir::CompareOp::kLt, cloner.expr(along_->lo), cloner.expr(along_->hi)));
    const types::Type* type = types::array(elem, 2, types::Layout::kC, array->readonly);
    f_.locals.push_back(b.temp(std::string(ir::loaded(e.array)->name.str()) + "_panel", type));
    Local* local = f_.locals.back();
    const auto which = lanes < axis ? builtins::Id::lanes_panel_across : builtins::Id::lanes_panel;
    Expr* panel = b.builtin(which, type, {view, width, many});
    panels_.push_back({&e, axis, lanes, along_, rows, local, b.assign(local, panel)});
    return &panels_.back();
  }

  static ir::Subscript slice(Expr* lo, Expr* hi) {
    return {.kind = ir::Subscript::Kind::kSlice, .lo = lo, .hi = hi};
  }

  ir::Program& program_;
  ir::Function& f_;
  const Gang& gang_;
  Block& lanes_;
  const bool is_tile_;
  const bool is_left_;   // which what is given cannot be
  const bool jumps_;     // some loop is left early, or a turn of it
  bool is_sure_ = true;  // the loop that is looked at is reached in every turn over the rows
  const ir::LocalSet assigned_;
  ir::LocalSet stored_{};
  ir::For* rows_ = nullptr;         // of these
  bool asks_ = false;               // do they ask whether there are copies of rows of lanes?
  Local* given_ = nullptr;          // whether there are; null: nobody asks
  const ir::For* along_ = nullptr;  // inside of it, around what is looked at
  std::vector<Panel> panels_{};
};

}  // namespace

std::vector<MadePanel> make_panels(ir::Program& program, ir::Function& f, const Gang& gang,
                                   Block& lanes, bool is_tile) {
  return Panels(program, f, gang, lanes, is_tile).run();
}

}  // namespace pyk2cu::emit
