// Innermost loops for the lanes of vector registers: vector math, strips of checked iterations.
//
//   math.exp(x)   ->   pyk::lanes::exp(x), a call of cnd(x)   ->   cnd__lanes(x)
//
// g++ vectorises what is left when nothing in a loop is a call, a branch out or a table. Not with
// --fp=strict, which wants libm, nor with fastmath, which would reassociate pyk/lanes.h.
// In: a program.  Out: loops changed, functions added. Tested by tests/golden/lanes.
#include "emit/lower/lanes.h"

#include <algorithm>
#include <array>

#include "emit/lower/clone.h"
#include "emit/lower/loops.h"
#include "emit/lower/lower.h"
#include "emit/lower/walk.h"
#include "emit/print/declare.h"
#include "typeinfer/builtins/registry.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;
using types::Type;

namespace {

constexpr int kMaxDepth = 4;       // of helpers that call helpers
constexpr int64_t kFewTurns = 64;  // a loop that surely has fewer is left alone

const builtins::Row kExp{"lanes", "exp", "F(F)", builtins::kPure};
const builtins::Row kLog{"lanes", "log", "F(F)", builtins::kPure};
const builtins::Row kConvert{"lanes", "convert", "", builtins::kPure};

// The vector form of a scalar function of libm, or null.
const builtins::Row* vector_row(const ir::Builtin& e) {
  const std::string_view module = e.row->module, name = e.row->name;
  if ((module != "math" && module != "numpy") || e.args->size() != 1) return nullptr;
  if (!e.type->is_float() || (*e.args)[0]->type != e.type) return nullptr;
  return name == "exp" ? &kExp : name == "log" ? &kLog : nullptr;
}

bool has_vector_form(const ir::Builtin& e) {
  static constexpr std::array kNames{"abs", "absolute", "fabs", "sqrt", "min", "max", "square"};
  const std::string_view module = e.row->module, name = e.row->name;
  if (module != "builtins" && module != "math" && module != "numpy") return false;
  for (const Expr* arg : *e.args)
    if (!arg->type->is_real()) return false;
  return vector_row(e) || std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool has_vector_form(const ir::Binary& e) {
  switch (e.op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
    case BinaryOp::kMul:
    case BinaryOp::kAnd:
    case BinaryOp::kOr:
    case BinaryOp::kXor:
      return true;
    case BinaryOp::kDiv:
      return e.type->is_float();
    case BinaryOp::kPow: {
      const ir::Const* exponent = constant(e.right);
      return e.type->is_float() && e.left->type == e.type && exponent && exponent->type->is_int() &&
             exponent->value.integer >= 0 && exponent->value.integer <= 8;
    }
    default:
      return false;
  }
}

// Before AVX-512 no instruction converts between float64 and int64.
bool has_vector_form(const ir::Convert& e) {
  const Type* from = e.operand->type;
  const bool wide = from->is_int() && from->bits == 64 && e.type->is_float();
  return !wide && (e.op != ir::ConvertOp::kTrunc || e.type->bits <= 32);
}

class Rules {
 public:
  // `loop`: null in a helper, which sees scalars only.
  explicit Rules(ir::For* loop, int depth = 0) : loop_(loop), depth_(depth) {}

  bool block(Block& body, bool top) {
    return std::all_of(body.begin(), body.end(), [&](Stmt* s) { return stmt(s, top); });
  }

 private:
  bool stmt(Stmt* s, bool top) {
    bool fits = true;
    switch (s->kind) {
      case StmtKind::kAssign:
        fits = ir::as<ir::Assign>(s)->local->type->is_real();
        break;
      case StmtKind::kStore:
        if (!loop_ || !top) return false;
        fits = side_by_side(ir::as<ir::Store>(s)->array, *ir::as<ir::Store>(s)->indices, false);
        return fits && expr(ir::as<ir::Store>(s)->value);
      case StmtKind::kIf: {
        auto& branch = *ir::as<ir::If>(s);
        if (loop_ && top && is_check(s)) return expr(branch.condition);
        fits = block(*branch.body, false) && (!branch.orelse || block(*branch.orelse, false));
        break;
      }
      case StmtKind::kReturn:
        fits = !loop_ && ir::as<ir::Return>(s)->value;
        break;
      default:
        return false;
    }
    for_each_expr(s, [&](Expr*& e) { fits = fits && expr(e); });
    return fits;
  }

  bool expr(Expr* e) {
    bool fits = false;
    switch (e->kind) {
      case ExprKind::kConst:
      case ExprKind::kLoad:
        return e->type->is_real();
      case ExprKind::kQuery:
        return loop_ && is_known(e, *loop_->body, loop_->index);
      case ExprKind::kElement:
        return loop_ && e->type->is_real() &&
               side_by_side(ir::as<ir::Element>(e)->array, *ir::as<ir::Element>(e)->indices, true);
      case ExprKind::kUnary:
      case ExprKind::kCompare:
      case ExprKind::kLogical:
      case ExprKind::kSelect:
        fits = true;
        break;
      case ExprKind::kBinary:
        fits = has_vector_form(*ir::as<ir::Binary>(e));
        break;
      case ExprKind::kConvert:
        fits = has_vector_form(*ir::as<ir::Convert>(e));
        break;
      case ExprKind::kBuiltin:
        fits = has_vector_form(*ir::as<ir::Builtin>(e));
        break;
      case ExprKind::kCall:
        fits = helper(*ir::as<ir::Call>(e));
        break;
      default:
        return false;
    }
    fits = fits && e->type->is_real();
    for_each_operand(e, [&](Expr*& operand) { fits = fits && expr(operand); });
    return fits;
  }

  bool helper(const ir::Call& e) const {
    ir::Function& callee = *e.callee;
    if (callee.may_raise || callee.kind != ir::FunctionKind::kHost || callee.options.fastmath)
      return false;
    return depth_ < kMaxDepth && Rules(nullptr, depth_ + 1).block(callee.body, true);
  }

  // a[k, i + 1]: neighbours of one row, or, when it is only read, one element.
  bool side_by_side(Expr* array, const std::vector<ir::Index>& indices, bool read) const {
    if (!loaded(array) || assigns(*loop_->body, loaded(array))) return false;
    if (array->type->layout != types::Layout::kC || indices.empty()) return false;
    const auto fixed = [&](const ir::Index& i) {
      return is_known(i.value, *loop_->body, loop_->index);
    };
    if (!std::all_of(indices.begin(), indices.end() - 1, fixed)) return false;
    return !indices.back().wrap &&
           (is_shifted(indices.back().value) || (read && fixed(indices.back())));
  }

  bool is_shifted(Expr* e) const {
    if (loaded(e) == loop_->index) return true;
    if (e->kind != ExprKind::kBinary) return false;
    const auto& b = *ir::as<ir::Binary>(e);
    const bool sum = b.op == BinaryOp::kAdd || b.op == BinaryOp::kSub;
    return sum && loaded(b.left) == loop_->index && constant(b.right);
  }

  ir::For* loop_;
  int depth_;
};

// Is there anything in it, or in what it calls, that lanes call by another name?
bool calls_vector_math(Block& body) {
  bool found = false;
  for_each_expr_in(body, [&](Expr* e) {
    if (e->kind == ExprKind::kBuiltin) found = found || vector_row(*ir::as<ir::Builtin>(e));
    if (e->kind == ExprKind::kConvert)
      found = found || ir::as<ir::Convert>(e)->op == ir::ConvertOp::kTrunc;
    if (e->kind == ExprKind::kCall)
      found = found || calls_vector_math(ir::as<ir::Call>(e)->callee->body);
  });
  return found;
}

class Lanes {
 public:
  Lanes(ir::Program& program, Facts& facts, bool strict_fp)
      : program_(program), facts_(facts), strict_fp_(strict_fp), names_(symbols_of(program)) {}

  void run() {
    for (ir::Function* f : program_.functions) {
      if (f->kind != ir::FunctionKind::kHost || f->options.fastmath) continue;
      function_ = f;
      around_.clear();
      changed_ = false;
      block(f->body);
      if (changed_) temps(program_, *f, facts_);
    }
    add_forms();
  }

 private:
  void block(Block& b) {
    for (size_t k = 0; k < b.size(); ++k) {
      Stmt* s = b[k];
      if (s->kind == StmtKind::kFor &&
          fills_lanes(*ir::as<ir::For>(s), reductions_of(*ir::as<ir::For>(s)))) {
        loop(b, *ir::as<ir::For>(s));
      } else {
        nested(b, s);
      }
      // Strips put what they need to know in front.
      k = static_cast<size_t>(std::find(b.begin(), b.end(), s) - b.begin());
    }
  }

  void nested(Block& b, Stmt* s) {
    const bool is_loop = s->kind == StmtKind::kFor || s->kind == StmtKind::kWhile;
    if (is_loop) around_.push_back({&b, s});
    for_each_block(s, [&](Block& inner) { block(inner); });
    if (is_loop) around_.pop_back();
  }

  // Those that several lanes may share in.
  std::vector<ir::Reduction> reductions_of(const ir::For& s) const {
    const LoopFacts* facts = facts_.loop(&s);
    if (!facts || strict_fp_) return {};
    if (facts->simd) return facts->simd_reductions;
    return facts->parallel && !facts->dynamic && s.reductions ? *s.reductions
                                                              : std::vector<ir::Reduction>();
  }

  void loop(Block& b, ir::For& s) {
    if (!std::any_of(s.body->begin(), s.body->end(), is_check)) {
      vector_math(*s.body);
      const bool reduces = !reductions_of(s).empty();
      if (reduces && facts_.loops[&s].parallel && stores_its_own(s, Aliasing::kPossible))
        facts_.loops[&s].simd = true;
      return;
    }
    around_.push_back({&b, &s});
    const Strips made = strips(program_, *function_, facts_, s, around_);
    around_.pop_back();
    if (!made.checks) return;
    changed_ = true;
    vector_math(*made.checks);
    vector_math(*made.plain);
  }

  void vector_math(Block& body) {
    for_each_stmt(body, [&](Stmt* s) {
      for_each_expr(s, [&](Expr*& e) { vector_math(e); });
      const auto update = facts_.updates.find(s);
      if (update != facts_.updates.end()) vector_math(update->second.value);
    });
  }

  void vector_math(Expr*& e) {
    for_each_operand(e, [&](Expr*& operand) { vector_math(operand); });
    if (e->kind == ExprKind::kConvert && ir::as<ir::Convert>(e)->op == ir::ConvertOp::kTrunc) {
      using Exprs = std::vector<Expr*>;
      using Types = std::vector<const Type*>;
      e = program_.make<ir::Builtin>(
          ir::Builtin{{ExprKind::kBuiltin, e->type, e->span},
                      &kConvert,
                      program_.make<Exprs>(Exprs{ir::as<ir::Convert>(e)->operand}),
                      program_.make<Types>(Types{e->type})});
    } else if (e->kind == ExprKind::kBuiltin && !strict_fp_) {
      if (const builtins::Row* row = vector_row(*ir::as<ir::Builtin>(e)))
        ir::as<ir::Builtin>(e)->row = row;
    } else if (e->kind == ExprKind::kCall) {
      ir::Function*& callee = ir::as<ir::Call>(e)->callee;
      if (calls_vector_math(callee->body)) callee = form_of(callee);
    }
  }

  // The helper with vector math in it.
  ir::Function* form_of(ir::Function* f) {
    const auto [it, is_new] = forms_.try_emplace(f, nullptr);
    if (!is_new) return it->second;
    auto* form = program_.make<ir::Function>(*f);
    form->symbol = names_.unique(f->symbol + "__lanes");
    form->is_root = false;
    form->locals.clear();
    Cloner cloner(program_, *form, facts_);
    for (ir::Param& p : form->params) {
      p.local = cloner.renew(p.local);
      p.local->is_param = true;
    }
    form->body = *cloner.block(f->body);
    vector_math(form->body);
    return forms_[f] = form;
  }

  void add_forms() {
    std::vector<ir::Function*> all;
    for (ir::Function* f : program_.functions) {
      all.push_back(f);
      const auto form = forms_.find(f);
      if (form != forms_.end()) all.push_back(form->second);
    }
    program_.functions = std::move(all);
  }

  ir::Program& program_;
  Facts& facts_;
  bool strict_fp_;
  NameScope names_;
  ir::Function* function_ = nullptr;
  bool changed_ = false;
  std::vector<Around> around_{};
  std::unordered_map<ir::Function*, ir::Function*> forms_{};
};

}  // namespace

bool is_check(const Stmt* s) {
  if (s->kind != StmtKind::kIf) return false;
  const auto& branch = *ir::as<ir::If>(s);
  return branch.body->size() == 1 && branch.body->front()->kind == StmtKind::kRaise &&
         (!branch.orelse || branch.orelse->empty());
}

bool fills_lanes(ir::For& loop, const std::vector<ir::Reduction>& reductions) {
  if (!is_int_const(loop.step, 1) || loop.index->type != types::int64()) return false;
  const ir::Const *lo = constant(loop.lo), *hi = constant(loop.hi);
  if (lo && hi && hi->value.integer - lo->value.integer < kFewTurns) return false;
  if (!Rules(&loop).block(*loop.body, true)) return false;
  bool own = true;
  for_each_stmt(*loop.body, [&](Stmt* s) {
    if (s->kind != StmtKind::kAssign) return;
    const Local* local = ir::as<ir::Assign>(s)->local;
    const bool reduces = std::any_of(reductions.begin(), reductions.end(),
                                     [&](const ir::Reduction& r) { return r.local == local; });
    own = own && (reduces || !flow_of(*loop.body, local).exposed);
  });
  return own;
}

void lanes(ir::Program& program, Facts& facts, bool strict_fp) {
  Lanes(program, facts, strict_fp).run();
}

}  // namespace pyk2cu::emit
