// One iteration becomes a gang: see gang.h.
//
//   x = e           ->   Lanes { x[k] = e }, joined with its neighbours; x uniform: as it is
//   if c: x = e     ->   taken[k] = c; x[k] = taken[k] ? e : x[k]            cheap sides
//                        if (any(taken)) { … }                               others
//   while c: …      ->   while (true) { alive[k] &= c; if (!any(alive)) break; … }
//   break           ->   alive[k] = alive[k] & !taken[k]
//
// A mask says which lanes run here; none: all, those without an iteration too, which may compute
// but not touch memory. Lanes that have left are alive nowhere inside of what they left. Before
// anything that must not happen when no lane is left, a loop asks whether one is.
// Tested by tests/golden/gangs and tests/run/test_gangs.py.
#include "emit/lower/lanes/gang.h"

#include <algorithm>

#include "emit/lower/lanes/inline.h"
#include "emit/lower/lanes/lane_code.h"
#include "emit/lower/lanes/scopes.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

bool is_of_all(const Gang& gang, const Shape& shape, const ir::List<ir::Index>& indices) {
  if (ir::loaded(indices.back().value) != gang.lane) return false;
  const auto alike = [&](const ir::Index& i) { return !shape.varies(i.value); };
  return std::all_of(indices.begin(), indices.end() - 1, alike);
}

bool Gang::moves_by_one(const Expr* e, const Shape& shape) const {
  if (ir::loaded(e) == index || ir::loaded(e) == lane) return true;
  const auto* b = ir::try_as<ir::Binary>(e);
  if (!b || (b->op != ir::BinaryOp::kAdd && b->op != ir::BinaryOp::kSub)) return false;
  if (!shape.varies(b->right)) return moves_by_one(b->left, shape);
  return b->op == ir::BinaryOp::kAdd && !shape.varies(b->left) && moves_by_one(b->right, shape);
}

namespace {

constexpr int kCheap = 20;  // operations that cost less than asking whether any lane needs them

// Do some lanes leave the loop in the statement, others not?
bool may_leave(const Stmt* s, const Stmt* loop, const Shape& shape) {
  const auto leaves = [&](const Stmt* inner) {
    const auto* jump = ir::try_as<ir::Break>(inner);
    return jump && jump->loop == loop && shape.parts(jump);
  };
  bool found = leaves(s);
  ir::for_each_block(s, [&](const Block& b) { found = found || ir::any_stmt(b, leaves); });
  return found;
}

// min, max and abs are an instruction or two.
int work_of(const ir::Builtin& e) {
  if (has_own_form(e)) return kCheap + 1;
  return is_of_parts(e) ? 0 : e.row->module() == "builtins" ? 2 : kCheap / 2;
}

class Masks {
 public:
  Masks(ir::Program& program, ir::Function& f, const Gang& gang, const Shape& shape)
      : program_(program),
        f_(f),
        gang_(gang),
        shape_(shape),
        scopes_(shape),
        code_(program, f, gang, shape, scopes_) {}

  Block* run(const Block& body) {
    Block* all = ir::Builder{program_}.block();
    code_.runs().begin(all);
    block(std::span(body).first(gang_.failed ? gang_.commits : body.size()));
    if (gang_.failed && code_.fits()) {
      const ir::Builder b = build();
      Block* stores = b.block();
      code_.runs().put(b.if_(b.expr<ir::Any>(types::boolean(), gang_.failed), gang_.redo, stores));
      code_.runs().begin(stores);
      block(std::span(body).subspan(gang_.commits));
    }
    code_.runs().flush();
    return code_.fits() ? all : nullptr;
  }
  // The statement that was looked at last.
  Span last() const { return span_; }

 private:
  void block(std::span<Stmt* const> b) {
    for (Stmt* s : b) {
      if (!code_.fits()) return;
      span_ = s->span;
      stmt(s);
    }
  }

  void stmt(Stmt* s) {
    switch (s->kind) {
      case StmtKind::kAssign:
        return assign(*ir::as<ir::Assign>(s));
      case StmtKind::kUpdate:
        return update(*ir::as<ir::Update>(s));
      case StmtKind::kStore:
        before(s);
        return code_.memory(s, scopes_.mask());
      case StmtKind::kEach:
        return code_.runs().put(s);
      case StmtKind::kIf:
        return branch(*ir::as<ir::If>(s));
      case StmtKind::kFor:
        return turning([&] { counted(*ir::as<ir::For>(s)); });
      case StmtKind::kWhile:
        if (runs_once(s)) return loop(*ir::as<ir::While>(s));
        return turning([&] { loop(*ir::as<ir::While>(s)); });
      case StmtKind::kBreak:
        return leave(s, ir::as<ir::Break>(s)->loop, Scope::Kind::kLoop);
      case StmtKind::kContinue:
        return leave(s, ir::as<ir::Continue>(s)->loop, Scope::Kind::kTurn);
      case StmtKind::kEval:
        if (ir::has_effect(ir::as<ir::Eval>(s)->value)) code_.fail();
        return;
      default:
        return code_.fail();
    }
  }

  // ---- masks -----------------------------------------------------------------------------------
  ir::Builder build() const { return {program_, span_}; }

  Local* mask_named(std::string_view name) {
    f_.locals.push_back(build().temp(name, types::boolean()));
    return f_.locals.back();
  }

  // The lanes that run here; null: all.
  Expr* running() const {
    if (Local* known = scopes_.mask()) return build().load(known);
    if (!gang_.count) return nullptr;
    return build().compare(types::CompareOp::kLt, code_.lane(), build().load(gang_.count));
  }

  static Expr* both(const ir::Builder& b, Expr* left, Expr* right) {
    if (!left) return right;
    return b.expr<ir::Binary>(types::boolean(), types::BinaryOp::kAnd, left, right);
  }

  // ---- values ----------------------------------------------------------------------------------
  void assign(ir::Assign& s) {
    if (!shape_.varies(s.local) && !gang_.find_gathered(s.local)) return uniform(&s);
    before(&s);
    if (const Gathered* g = gang_.find_gathered(s.local))
      return code_.gather(&s, scopes_.mask(), *g);
    if (!s.local->type->is_real()) return code_.fail();
    code_.assign(s, scopes_.mask(), scopes_.see_outside(s.local));
  }

  // x += e   ->   x = x + e
  void update(ir::Update& s) {
    Local* local = s.place.local;
    if (local && !shape_.varies(local) && !gang_.find_gathered(local)) return uniform(&s);
    before(&s);
    if (!local) return code_.memory(&s, scopes_.mask());
    if (const Gathered* g = gang_.find_gathered(local)) return code_.gather(&s, scopes_.mask(), *g);
    if (!local->type->is_real() || !s.value->type->is_real()) return code_.fail();
    const ir::Builder b = build();
    const types::Type* type = s.value->type;  // float64, of a float32: see updates.cpp
    Expr* old = b.load(local);
    if (local->type != type) old = b.expr<ir::Convert>(type, ir::ConvertOp::kExact, old);
    Expr* value = b.expr<ir::Binary>(type, s.op, old, s.value, false, !s.wraps);
    if (local->type != type) value = b.expr<ir::Convert>(local->type, ir::ConvertOp::kRound, value);
    code_.assign(*ir::as<ir::Assign>(b.assign(local, value)), scopes_.mask(),
                 scopes_.see_outside(local));
  }

  // A statement that is the same for all lanes.
  void uniform(Stmt* s) {
    bool reads = false;
    ir::for_each_expr(s, [&](const Expr* e) { reads = reads || code_.is_guarded(e); });
    if (!reads) return code_.runs().uniform(s);
    ask();
    if (scopes_.has_somebody()) return code_.runs().uniform(s);
    const ir::Builder b = build();
    code_.runs().put(b.if_(b.expr<ir::Any>(types::boolean(), scopes_.mask()), b.block({s})));
  }

  // In front of what holds expressions of lanes: those that are the same for all may be computed
  // there if some lane needs them.
  void before(Stmt* s) {
    bool alike = false;
    ir::for_each_expr(s, [&](const Expr* e) {
      ir::for_each_subexpr(e, [&](const Expr* part) {
        alike = alike || (!shape_.varies(part) && code_.is_guarded(part));
      });
    });
    if (alike) ask();
  }

  // ---- branches --------------------------------------------------------------------------------
  void branch(ir::If& s) {
    if (ir::Assign* extreme = extreme_of(s)) return assign(*extreme);
    before(&s);
    split(s);
    if (!shape_.varies(s.condition)) return uniform_branch(s);
    const bool cheap =
        is_cheap(*s.body) && is_cheap(*s.orelse) && work(*s.body) + work(*s.orelse) <= kCheap;
    const ir::Builder b = build();
    Local* taken = mask_named("taken");
    Local* other = s.orelse->empty() ? nullptr : mask_named("other");
    const bool plain = !scopes_.mask() && cheap && !acts(*s.body) && !acts(*s.orelse);
    Expr* asked = plain ? nullptr : running();
    Local* holds = code_.condition(taken, asked, s.condition, other != nullptr);
    if (other) {
      Expr* rest = b.expr<ir::Unary>(types::boolean(), types::UnaryOp::kNot, b.load(holds));
      code_.plain_assign(other, plain ? rest : both(b, running(), rest));
    }
    side(s, *s.body, taken, cheap);
    if (other) side(s, *s.orelse, other, cheap);
  }

  // if e > x: x = e   ->   x = e if e > x else x     of x that iterations hand on
  ir::Assign* extreme_of(const ir::If& s) {
    bool asks = false, in_turn = false;
    ir::for_each_subexpr(s.condition, [&](const Expr* part) {
      const Local* local = ir::loaded(part);
      in_turn = in_turn || gang_.find_gathered(local);
      asks = asks || in_turn || (local && gang_.is_extreme(local));
    });
    if (!asks) return nullptr;
    const bool single = s.body->size() == 1 && s.orelse->empty();
    const auto* assign = single ? ir::try_as<ir::Assign>(s.body->front()) : nullptr;
    if (!assign || !ir::reads(s.condition, assign->local)) {
      if (in_turn) code_.fail();  // a helper was called there
      return nullptr;
    }
    const ir::Assign& only = *assign;
    const ir::Builder b = build();
    Expr* value = b.expr<ir::Select>(only.value->type, s.condition, only.value, b.load(only.local));
    return ir::as<ir::Assign>(b.assign(only.local, value));
  }

  void side(const ir::If& s, const Block& body, Local* lanes, bool cheap) {
    if (body.empty()) return;
    const auto inside = [&] {
      scopes_.open({Scope::Kind::kIf, &s, &body, lanes});
      block(body);
      scopes_.close();
    };
    if (cheap) return inside();
    ask();
    const ir::Builder b = build();
    Block* made = b.block();
    code_.runs().flush();
    code_.runs().put(b.if_(b.expr<ir::Any>(types::boolean(), lanes), made));
    within(made, inside);
  }

  // `statements` go into `made`.
  template <class F>
  void within(Block* made, F&& statements) {
    Block* around = code_.runs().begin(made);
    statements();
    if (Scope* turning = scopes_.innermost(); turning && !turning->once) ask();
    code_.runs().flush();
    code_.runs().begin(around);
  }

  void uniform_branch(ir::If& s) {
    if (code_.is_guarded(s.condition)) {
      ask();
      if (!scopes_.has_somebody()) return code_.fail();
    }
    code_.runs().flush();
    const ir::Builder b = build();
    Block *yes = b.block(), *no = b.block();
    code_.runs().put(b.if_(s.condition, yes, no));
    Scope* turning = scopes_.innermost();
    Scope* inside = scopes_.all().empty() ? nullptr : &scopes_.last();
    if (inside) ++inside->choices;
    const bool asked = turning && turning->asks;
    within(yes, [&] { block(*s.body); });
    const bool left = turning && turning->asks;
    if (turning) turning->asks = asked;
    within(no, [&] { block(*s.orelse); });
    if (turning) turning->asks = turning->asks || left || asked;
    if (inside) --inside->choices;
  }

  // if u and v: …   ->   if u: if v: …     u uniform;  if v: if u: …   ->   if u: if v: …
  void split(ir::If& s) {
    if (!s.orelse->empty()) return;
    const ir::Builder b = build();
    if (auto* both = ir::try_as<ir::Logical>(s.condition); both && both->is_and) {
      Expr *left = both->left, *right = both->right;
      // The left side is asked first in any case, if somebody is there to ask.
      const bool l = !shape_.varies(left) && (!code_.is_guarded(left) || scopes_.has_somebody());
      const bool r = is_easy(right);
      if (l == r || !shape_.varies(s.condition)) return;
      auto* inner = ir::as<ir::If>(b.if_(l ? right : left, s.body));
      s.condition = l ? left : right;
      s.body = b.block({inner});
      return;
    }
    auto* inner = s.body->size() == 1 ? ir::try_as<ir::If>(s.body->front()) : nullptr;
    if (!inner || !inner->orelse->empty() || !shape_.varies(s.condition)) return;
    split(*inner);
    if (!is_easy(inner->condition)) return;
    std::swap(s.condition, inner->condition);
  }

  // Uniform, and nobody minds when it is asked.
  bool is_easy(const Expr* e) const { return !shape_.varies(e) && !code_.is_guarded(e); }

  // Does it matter who runs it?
  bool acts(const Block& b) const {
    bool found = false;
    ir::for_each_stmt(b,
                      [&](const Stmt* s) { found = found || ir::is_jump(s) || gang_.gathers(s); });
    return found;
  }

  // May it be computed for lanes that do not need it?
  bool is_cheap(const Block& b) const {
    return std::ranges::all_of(b, [&](const Stmt* s) {
      bool fits = true;
      ir::for_each_expr(s, [&](const Expr* e) { fits = fits && !code_.is_guarded(e); });
      if (const auto* inner = ir::try_as<ir::If>(s))
        return fits && shape_.varies(inner->condition) && is_cheap(*inner->body) &&
               is_cheap(*inner->orelse);
      if (const auto* u = ir::try_as<ir::Update>(s)) return fits && u->place.local != nullptr;
      if (ir::is_jump(s)) return shape_.parts(s);
      return fits && s->kind == StmtKind::kAssign;
    });
  }

  static int work(const Block& b) {
    int count = 0;
    ir::for_each_expr_in(b, [&](const Expr* e) {
      count += e->kind == ExprKind::kBinary || e->kind == ExprKind::kCompare ||
               e->kind == ExprKind::kSelect || e->kind == ExprKind::kUnary;
      if (const auto* builtin = ir::try_as<ir::Builtin>(e)) count += work_of(*builtin);
    });
    return count;
  }

  // ---- leaving ---------------------------------------------------------------------------------
  void leave(Stmt* s, const Stmt* target, Scope::Kind what) {
    const auto at = std::ranges::find_if(scopes_.all(), [&](const Scope& scope) {
      return scope.stmt == target && scope.kind == Scope::Kind::kLoop;
    });
    const ir::Builder b = build();
    if (!shape_.parts(s)) {
      if (what == Scope::Kind::kLoop) return code_.runs().put(b.stmt<ir::Break>(at->made));
      ask();
      return code_.runs().put(b.stmt<ir::Continue>(at->made));
    }
    Local* going = scopes_.mask();
    // Is there anything behind the jump, in this turn or the next, under the mask of those that go?
    const Scope& last = scopes_.last();
    const bool goes_on = last.kind != Scope::Kind::kIf || last.choices > 0;
    for (auto scope = scopes_.all().end(); scope-- != at;) {
      const bool stays = scope == at && what == Scope::Kind::kTurn;
      if (stays) continue;
      if (scope->mask && scope->mask != going)
        code_.plain_assign(
            scope->mask,
            both(b, b.load(scope->mask),
                 b.expr<ir::Unary>(types::boolean(), types::UnaryOp::kNot, b.load(going))));
      scope->asks = true;
    }
    if (goes_on) code_.plain_assign(going, b.boolean(false));
  }

  // Goes on only if a lane is left in the innermost loop.
  void ask() {
    Scope* turning = scopes_.innermost();
    if (!turning || !turning->asks) return;
    turning->asks = false;
    Local* left = nullptr;  // of the lanes that turn
    for (const Scope& scope : scopes_.all()) {
      if (scope.mask) left = scope.mask;
      if (&scope == turning) break;
    }
    if (!left) return;
    code_.runs().flush();
    const ir::Builder b = build();
    Expr* none = b.negated(b.expr<ir::Any>(types::boolean(), left));
    code_.runs().put(b.if_(none, b.block({b.stmt<ir::Break>(turning->made)})));
  }

  // ---- loops -----------------------------------------------------------------------------------
  // A loop turns only if some lane is there.
  template <class F>
  void turning(F&& loop) {
    ask();
    if (scopes_.has_somebody()) return loop();
    const ir::Builder b = build();
    Block* made = b.block();
    code_.runs().put(b.if_(b.expr<ir::Any>(types::boolean(), scopes_.mask()), made));
    Block* around = code_.runs().begin(made);
    loop();
    code_.runs().flush();
    code_.runs().begin(around);
  }

  // The lanes of a loop that some leave, or that turn more often than others.
  Local* alive(const Stmt* s, bool own) {
    const Shape::Turns& turns = shape_.turns(s);
    if (!own && !turns.left) return nullptr;
    Local* lanes = mask_named("alive");
    code_.plain_assign(lanes, running());
    return lanes;
  }

  template <class F>
  void turns(const Stmt* s, Stmt* made, Local* lanes, Block* body, F&& statements) {
    scopes_.open({Scope::Kind::kLoop, s, nullptr, lanes, made, runs_once(s)});
    Block* around = code_.runs().begin(body);
    statements();
    if (!scopes_.last().once) ask();
    code_.runs().flush();
    code_.runs().begin(around);
    scopes_.close();
  }

  // The body of a turn, some of whose lanes may go on with the next one.
  void turn(const Stmt* s, const Block& body) {
    if (!shape_.turns(s).continues) return block(body);
    Local* here = mask_named("here");
    code_.plain_assign(here, running());
    scopes_.open({Scope::Kind::kTurn, s, nullptr, here});
    block(body);
    scopes_.close();
  }

  void counted(ir::For& s) {
    const ir::Const* step = ir::constant(s.step);
    if (!step || s.loop != ir::LoopKind::kSerial || !s.index->type->is_int()) return code_.fail();
    if (shape_.turns(&s).varying) return counted_by_lanes(s, *step);
    const ir::Builder b = build();
    Local* lanes = alive(&s, false);
    auto* made = program_.make<ir::For>(s);
    made->body = b.block();
    code_.runs().flush();
    code_.runs().put(made);
    turns(&s, made, lanes, made->body, [&] { turn(&s, *s.body); });
  }

  // for i in range(lo, hi): …   ->   i = lo; end[k] = hi; alive[k] = i < end[k];
  //                                  while (any(alive)) { …; i += step; alive[k] &= i < end[k]; }
  void counted_by_lanes(ir::For& s, const ir::Const& step) {
    if (s.form == ir::LoopForm::kRange) return code_.fail();
    const ir::Builder b = build();
    f_.locals.push_back(b.temp(std::string(s.index->name.str()) + "_end", s.hi->type));
    Local* end = f_.locals.back();
    code_.varying_assign(end, s.hi, scopes_.mask());
    const bool varies = shape_.varies(s.index);
    if (varies)
      code_.varying_assign(s.index, s.lo, scopes_.mask());
    else
      code_.runs().uniform(b.assign(s.index, s.lo));
    const auto goes_on = [&] {
      const bool up = step.value.integer > 0;
      return b.compare(up ? types::CompareOp::kLt : types::CompareOp::kGt, b.load(s.index),
                       b.load(end));
    };
    Local* lanes = mask_named("alive");
    code_.plain_assign(lanes, both(b, running(), goes_on()));
    auto* made = b.stmt<ir::While>(b.expr<ir::Any>(types::boolean(), lanes), b.block());
    code_.runs().flush();
    code_.runs().put(made);
    turns(&s, made, lanes, made->body, [&] {
      turn(&s, *s.body);
      scopes_.last().asks = false;  // the loop does
      Expr* next = b.plain(types::BinaryOp::kAdd, b.load(s.index), s.step);
      if (varies)
        code_.plain_assign(s.index, next);
      else
        code_.runs().uniform(b.assign(s.index, next));
      code_.plain_assign(lanes, both(b, b.load(lanes), goes_on()));
    });
  }

  void loop(ir::While& s) {
    const ir::Builder b = build();
    const bool varying = shape_.turns(&s).varying;
    const bool late = runs_once(&s) && !gang_.interleaved.empty();
    Local* lanes = late ? nullptr : alive(&s, varying);
    auto* made = b.stmt<ir::While>(varying ? b.boolean(true) : s.condition, b.block());
    code_.runs().flush();
    code_.runs().put(made);
    if (runs_once(&s)) return once(s, made, lanes);
    turns(&s, made, lanes, made->body, [&] {
      if (varying) {
        code_.condition(lanes, b.load(lanes), s.condition, false);
        scopes_.last().asks = true;
        ask();
      }
      turn(&s, *s.body);
    });
  }

  // Where nothing leaves it but at its end its statements stand for it. Without a mask all that
  // come by are there until one may leave: loads for as many as there are, not behind a mask, which
  // vectors of bytes from rows cannot have.
  void once(const ir::While& s, ir::While* made, Local* lanes) {
    turns(&s, made, lanes, made->body, [&] {
      bool masked = lanes != nullptr;
      for (Stmt* const& inner : std::span(*s.body).first(s.body->size() - 1)) {
        if (!masked && may_leave(inner, &s, shape_)) {
          scopes_.last().mask = alive(&s, false);
          masked = true;
        }
        block(std::span(&inner, 1));
      }
    });
    bool left = false;
    ir::for_each_stmt(*made->body, [&](const Stmt* inner) {
      const auto* jump = ir::try_as<ir::Break>(inner);
      left = left || (jump && jump->loop == made);
    });
    if (left)
      made->body->push_back(build().stmt<ir::Break>(made));
    else
      code_.runs().replace(made, *made->body);
  }

  ir::Program& program_;
  ir::Function& f_;
  const Gang& gang_;
  const Shape& shape_;
  Scopes scopes_;
  LaneCode code_;
  Span span_{};
};

}  // namespace

Block* gang_of(ir::Program& program, ir::Function& f, const Gang& gang, const Shape& shape,
               const Block& body, Span& blocker) {
  Masks masks(program, f, gang, shape);
  Block* made = masks.run(body);
  if (!made) blocker = masks.last();
  return made;
}

}  // namespace pyk2cu::emit
