// Panels: see panels.h.
//
// An element has a panel where it is loaded in any case, in a loop that stands in that over the
// rows: the last of its subscripts counts with the lanes, one of the others is that loop's
// variable, the rest stay while the gang runs. Where that loop does not turn, the panel is empty.
#include "emit/lower/lanes/panels.h"

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

constexpr size_t kMost = 4;  // panels of a gang

class Panels {
 public:
  Panels(ir::Program& program, ir::Function& f, const Gang& gang, Block& lanes)
      : program_(program), f_(f), gang_(gang), lanes_(lanes), assigned_(ir::assigned_in(lanes)) {
    ir::for_each_stmt(std::as_const(lanes), [&](const Stmt* s) {
      ir::for_each_place(s, [&](const ir::Place& place) {
        if (!place.local) stored_.insert(ir::loaded(place.array));
      });
    });
  }

  std::vector<const Local*> run() {
    for (Stmt* s : Block(lanes_))
      if (auto* rows = ir::try_as<ir::For>(s); rows && (is_jammed(*rows) || !panels_.empty())) {
        rows_ = rows;
        for (Stmt* inner : *rows->body)
          if (auto* loop = ir::try_as<ir::For>(inner)) along(*loop);
      }
    Block front;
    std::vector<const Local*> arrays;
    for (const Panel& panel : panels_) {
      front.push_back(panel.made);
      arrays.push_back(ir::loaded(panel.element->array));
    }
    lanes_.insert(lanes_.begin(), front.begin(), front.end());
    return arrays;
  }

 private:
  struct Panel {
    const ir::Element* element;  // as it was
    size_t axis;                 // of its subscripts, that of the loop
    const ir::For* along;        // the loop
    Local* local;
    Stmt* made;
  };

  // The loop over whole groups of rows.
  static bool is_jammed(const ir::For& loop) { return ir::is_int_const(loop.step, kRows); }

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
    e = b.expr<ir::Element>(e->type, b.load(panel->local), at, element->is_safe);
  }

  const Panel* panel_of(const ir::Element& e) {
    const Local* array = ir::loaded(e.array);
    const size_t last = e.indices.size() - 1;
    if (!array || last == 0 || e.array->type->layout != types::Layout::kC ||
        stored_.contains(array) || assigned_.contains(array) || !e.type->is_real())
      return nullptr;
    std::optional<size_t> axis;
    for (size_t k = 0; k < last; ++k) {
      const ir::Index& i = e.indices[k];
      if (i.wrap || i.check) return nullptr;
      if (is_known(i.value)) continue;
      if (axis || ir::loaded(i.value) != along_->index) return nullptr;
      axis = k;
    }
    const ir::Index& lane = e.indices[last];
    if (!axis || lane.wrap || lane.check || !first_of(lane.value)) return nullptr;
    for (const Panel& known : panels_)
      if (is_same(known, e, *axis)) return &known;
    return make(e, *axis);
  }

  // From a constant on, one by one, to what is known in front; not a few times.
  bool counts_up(const ir::For& loop) const {
    const ir::Const *lo = ir::constant(loop.lo), *hi = ir::constant(loop.hi);
    const bool few = lo && hi && hi->value.integer - lo->value.integer < kManyRows;
    return lo && lo->value.integer >= 0 && !few && ir::is_int_const(loop.step, 1) && stays(loop.hi);
  }

  // In front of the gang too, where no loop turns.
  bool is_known(const Expr* e) const { return stays(e) && is_plain(e); }

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
    const bool swapped = b->op == ir::BinaryOp::kAdd && is_known(b->left);
    const Expr* other = swapped ? b->left : b->right;
    Expr* first = is_known(other) ? first_of(swapped ? b->right : b->left) : nullptr;
    return first ? build.plain(b->op, first, cloner.expr(other)) : nullptr;
  }

  bool is_same(const Panel& known, const ir::Element& e, size_t axis) const {
    const ir::Element& one = *known.element;
    bool same = ir::loaded(one.array) == ir::loaded(e.array) && known.axis == axis &&
                one.indices.size() == e.indices.size() && ir::equal(known.along->lo, along_->lo) &&
                ir::equal(known.along->hi, along_->hi);
    for (size_t k = 0; same && k < e.indices.size(); ++k)
      same = k == axis || ir::equal(one.indices[k].value, e.indices[k].value);
    return same;
  }

  const Panel* make(const ir::Element& e, size_t axis) {
    if (panels_.size() == kMost || !is_jammed(*rows_) || !stays(rows_->lo) || !stays(rows_->hi))
      return nullptr;
    const ir::Builder b{program_, e.span};
    ir::Cloner cloner(program_);
    std::vector<ir::Subscript> parts;
    for (size_t k = 0; k + 1 < e.indices.size(); ++k)
      parts.push_back(k == axis ? slice(cloner.expr(along_->lo), cloner.expr(along_->hi))
                                : ir::Subscript{.index = {cloner.expr(e.indices[k].value)}});
    Expr* width = b.integer(gang_.width);
    Expr* count = gang_.count ? b.expr<ir::Convert>(types::int64(), ir::ConvertOp::kExact,
                                                    b.load(gang_.count))
                              : width;
    Expr* first = first_of(e.indices.back().value);
    parts.push_back(slice(first, b.plain(ir::BinaryOp::kAdd, cloner.expr(first), count)));
    const types::Type *array = e.array->type, *elem = array->elem;
    Expr* view = b.expr<ir::View>(types::array(elem, 2, types::Layout::kA, array->readonly),
                                  cloner.expr(e.array), program_.list(parts));
    Expr* many = b.compare(ir::CompareOp::kGe, turns_of(b, *rows_), b.integer(kManyRows));
    const types::Type* type = types::array(elem, 2, types::Layout::kC, array->readonly);
    f_.locals.push_back(b.temp(std::string(ir::loaded(e.array)->name.str()) + "_panel", type));
    Local* local = f_.locals.back();
    Expr* panel = b.builtin(builtins::Id::lanes_panel, type, {view, width, many});
    panels_.push_back({&e, axis, along_, local, b.assign(local, panel)});
    return &panels_.back();
  }

  static ir::Subscript slice(Expr* lo, Expr* hi) {
    return {.kind = ir::Subscript::Kind::kSlice, .lo = lo, .hi = hi};
  }

  ir::Program& program_;
  ir::Function& f_;
  const Gang& gang_;
  Block& lanes_;
  const ir::LocalSet assigned_;
  ir::LocalSet stored_{};
  ir::For* rows_ = nullptr;         // of these
  const ir::For* along_ = nullptr;  // inside of it, around what is looked at
  std::vector<Panel> panels_{};
};

}  // namespace

std::vector<const Local*> make_panels(ir::Program& program, ir::Function& f, const Gang& gang,
                                      Block& lanes) {
  return Panels(program, f, gang, lanes).run();
}

}  // namespace pyk2cu::emit
