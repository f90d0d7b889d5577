// Checks the invariants of ir.h. In, out: verify.h.
//
// Fields first (verify of every form of field: nothing is null, every local is known, jumps stay
// inside their loops), then the rule of each kind: types and places. A kind without a rule does not
// compile. Tested by tests/unit/typeinfer/verify_test.cpp.
#include "typeinfer/ir/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/dump.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::ir {

namespace {

// Invariant 7: is anything null? `missing` says what.
class Completeness {
 public:
  std::string missing{};
  Span span{};

  void check(const Block& b) {
    for (const Stmt* s : b) {
      if (!found(s, "statement")) return;
      span = s->span;
      visit(*s, [&](const auto& node) { visit_fields(node, *this); });
    }
  }

  // ---- fields: see fields.h --------------------------------------------------------------------
  void operand(const Expr* e, const char* name) {
    if (!found(e, name)) return;
    if (!e->type) missing = "an expression without a type";
    visit(*e, [&](const auto& node) { visit_fields(node, *this); });
  }
  void maybe(const Expr* e, const char* name) {
    if (e) operand(e, name);
  }
  void operands(const List<Expr*>& list, const char* name) {
    for (const Expr* e : list) operand(e, name);
  }
  void types(const List<const Type*>& list, const char* name) { each(list, name); }
  void index(const Index& i, const char* name) { operand(i.value, name); }
  void indices(const List<Index>& list, const char* name) {
    for (const Index& i : list) index(i, name);
  }
  void subscripts(const List<Subscript>& list, const char* name) {
    for (const Subscript& s : list) {
      if (s.kind == Subscript::Kind::kIndex) index(s.index, name);
      for (const Expr* part : {s.lo, s.hi, s.step}) maybe(part, name);
    }
  }
  void place(const Place& p, const char* name) {
    if (!p.local) operand(p.array, name);
    indices(p.indices, name);
  }
  void uses(const Local* l, const char* name) { found(l, name); }
  void sets(const Local* l, const char* name) { found(l, name); }
  void reads(const List<Local*>& list, const char* name) { each(list, name); }
  void shares(const List<Local*>& list, const char* name) { each(list, name); }
  void declares(const List<Local*>& list, const char* name) { each(list, name); }
  void reductions(const List<Reduction>& list, const char* name) {
    for (const Reduction& r : list) found(r.local, name);
  }
  void block(const Block* b, const char* name) {
    if (found(b, name)) check(*b);
  }
  void jump(const Stmt* loop, const char* name) { found(loop, name); }
  void data(Function* const& callee, const char* name) { found(callee, name); }
  void data(const builtins::Row* const& row, const char* name) { found(row, name); }
  void data(const GlobalArray* const& array, const char* name) { found(array, name); }
  void data(const auto&, const char*) {}

 private:
  template <class T>
  bool found(const T* what, const char* name) {
    if (!what && missing.empty()) missing = fmt::format("no `{}`", name);
    return what != nullptr;
  }
  void each(const auto& list, const char* name) {
    for (const auto* item : list) found(item, name);
  }
};

class Verifier {
 public:
  Verifier(const Function& function, const std::set<const Function*>& all, std::string_view after,
           Diagnostics& diags)
      : function_(function), functions_(all), after_(after), diags_(diags) {
    known_.insert(function.locals.begin(), function.locals.end());
  }

  bool run() {
    for (const Param& param : function_.params) parameter(param.local);
    for (const Local* local : function_.shared) parameter(local);
    check(function_.result != nullptr, function_.span, "the result has no type");
    Completeness complete;
    complete.check(function_.body);
    check(complete.missing.empty(), complete.span, complete.missing);
    if (!ok_) return false;
    for_each_stmt(function_.body, [&](const Stmt* s) {
      for_each_local(s, [&](const Local* l, Access access) {
        if (access == Access::kRead || s->kind == StmtKind::kDeclare) return;
        const bool is_first = assigned_.insert(l).second;
        check(is_first || !l->records, s->span, "a field of records that is assigned twice");
      });
    });
    block(function_.body);
    if (ok_ && function_.is_analysed) effects();
    return ok_;
  }

  // ---- fields: see fields.h --------------------------------------------------------------------
  void operand(const Expr* e, const char*) { expr(e); }
  void maybe(const Expr* e, const char* name) {
    if (e) operand(e, name);
  }
  void operands(const List<Expr*>& list, const char* name) {
    for (const Expr* e : list) operand(e, name);
  }
  void types(const List<const Type*>&, const char*) {}
  void index(const Index& i, const char* name) {
    operand(i.value, name);
    check(i.value->type->is_int() || i.value->type->is_bool(), span_,
          "an index that is no integer");
  }
  void indices(const List<Index>& list, const char* name) {
    for (const Index& i : list) index(i, name);
  }
  void subscripts(const List<Subscript>& list, const char* name) {
    for (const Subscript& s : list) {
      if (s.kind == Subscript::Kind::kIndex) index(s.index, name);
      for (const Expr* part : {s.lo, s.hi, s.step})
        if (part) operand(part, name), same(types::int64(), part, "a bound of a slice");
    }
  }
  void place(const Place& p, const char* name) {
    if (p.local) return uses(p.local, name), changed(p.local);
    operand(p.array, name);
    indices(p.indices, name);
    subscripted(*p.array, p.indices);
  }
  void uses(const Local* l, const char*) {
    local(l);
    if (l->is_param || !known_.contains(l)) return;
    if (indices_.contains(l))
      check(open_.contains(l), span_, fmt::format("`{}` is read outside of its loop", name_of(l)));
    else
      check(assigned_.contains(l), span_, fmt::format("`{}` is never assigned", name_of(l)));
    declared(l);
  }
  void sets(const Local* l, const char*) { local(l); }
  void reads(const List<Local*>& list, const char* name) {
    for (const Local* l : list) uses(l, name);
  }
  void shares(const List<Local*>& list, const char* name) {
    for (const Local* l : list) uses(l, name), changed(l);
  }
  void declares(const List<Local*>& list, const char*) {
    for (const Local* l : list) local(l), declare(l, Declares::kVariable);
  }
  void reductions(const List<Reduction>& list, const char* name) {
    for (const Reduction& r : list) uses(r.local, name), changed(r.local);
  }
  void block(const Block* b, const char*) { block(*b); }
  void jump(const Stmt* loop, const char*) {
    check(std::find(loops_.begin(), loops_.end(), loop) != loops_.end(), span_,
          "a jump out of a loop that is not around it");
  }
  void data(const auto&, const char*) {}

  // ---- statements ------------------------------------------------------------------------------
  void rule(const Assign& s) {
    same(s.local->type, s.value, "an assigned value");
    check(!s.local->lanes || in_lanes_, s.span, "a lane that is assigned outside of lanes");
    const Local* records = s.local->records;
    const auto* field = try_as<Builtin>(s.value);
    check(!records || (field && loaded(field->args[0]) == records), s.span,
          "a field that is not of its records");
    if (s.declares != Declares::kNothing) declare(s.local, s.declares);
    declared(s.local);
    if (s.declares == Declares::kNothing) changed(s.local);
  }
  void rule(const Store& s) {
    check(!s.place.local, s.span, "a store to a local");
    if (s.place.array && s.place.array->type->is_array())
      same(s.place.array->type->elem, s.value, "a stored value");
  }
  void rule(const Update& s) {
    const Type* type = s.place.type();
    check(type->is_scalar() && s.value->type->is_scalar(), s.span, "an update of no scalar");
    const bool fits = types::conversion(type, s.value->type) <= types::Conversion::kSafe;
    check(fits || (type->is_int() && s.value->type->is_int()), s.span,
          "an update that computes in a type which its place does not fit");
  }
  void rule(const If& s) { same(types::boolean(), s.condition, "a condition"); }
  void rule(const For& s) {
    for (const Expr* e : {s.lo, s.hi, s.step}) same(s.index->type, e, "a bound of a loop");
    if (s.worth) same(types::boolean(), s.worth, "a condition");
  }
  void rule(const ForEach& s) {
    check(s.array->type->is_array() && s.array->type->rank == 1, s.span,
          "a loop over what is no array of one dimension");
  }
  void rule(const Generate& s) {
    const auto* call = try_as<Call>(s.generator);
    check(call && call->callee->is_generator, s.span, "a loop over what is no generator");
    same(s.item->type, s.generator, "what a generator yields");
  }
  void rule(const Yield& s) {
    check(function_.is_generator, s.span, "a yield outside of a generator");
    same(function_.result, s.value, "a value that is yielded");
  }
  void rule(const While& s) { same(types::boolean(), s.condition, "a condition"); }
  void rule(const Lanes& s) {
    check(s.width > 0 && s.index->type == types::int32(), s.span, "lanes without a width or index");
    if (s.count) same(s.index->type, s.count, "a number of lanes");
    for_each_stmt(*s.body, [&](const Stmt* inner) {
      check(!is_loop(inner) && !is_jump(inner), inner->span, "a loop or a jump inside lanes");
    });
  }
  void rule(const Each& s) {
    same(s.local->type, s.value, "a value of all lanes");
    const auto* call = try_as<Builtin>(s.value);
    const auto* binary = try_as<Binary>(s.value);
    const bool draws = call && call->args.empty();
    const bool divides = binary && binary->type->is_int() && !binary->plain && !binary->natural &&
                         (binary->op == BinaryOp::kFloorDiv || binary->op == BinaryOp::kMod) &&
                         is_of_all(binary->left) && is_of_all(binary->right);
    const bool raises = binary && binary->op == BinaryOp::kPow && binary->type->is_float() &&
                        binary->right->type->is_int() && is_of_all(binary->left) &&
                        is_of_all(binary->right);
    check(draws || divides || raises || (call && call->args.size() == 1 && loaded(call->args[0])),
          s.span, "neither a function of a local nor a division, a power or a random number");
  }
  void rule(const SinCos& s) {
    same(s.sine->type, s.angle, "the sine of all lanes");
    same(s.cosine->type, s.angle, "the cosine of all lanes");
    check(loaded(s.angle) && s.sine != s.cosine && s.angle->type->is_float(), s.span,
          "sine and cosine of no local, or in one");
  }
  // A local of lanes, or one number for all of them
  static bool is_of_all(const Expr* e) {
    if (const Local* local = loaded(e); local && local->lanes) return true;
    bool alike = !reads_memory(e);
    for_each_subexpr(e, [&](const Expr* part) {
      const Local* local = loaded(part);
      alike = alike && !(local && local->lanes);
    });
    return alike;
  }
  void rule(const Gang& s) {
    check(s.width > 0 && s.count->type == types::int32(), s.span, "a gang without width or count");
    same(types::int64(), s.left, "lanes that are left");
    check(!has_exit(*s.body, &s), s.span, "a gang that is left from inside");
  }
  void rule(const Given& s) {
    check(s.known->type == types::boolean(), s.span, "what is given is no bool");
    same(types::boolean(), s.condition, "what is given");
    check(!has_exit(*s.body, &s), s.span, "what is given is left from inside");
  }
  void rule(const Break&) {}
  void rule(const Continue& s) {
    check(!loops_.empty() && loops_.back() == s.loop, s.span, "a continue of an outer loop");
  }
  void rule(const Return& s) {
    if (s.value) return same(function_.result, s.value, "a returned value");
    // The end of a function with a status, which a value may have left before.
    const bool at_end =
        function_.may_raise && !function_.body.empty() && function_.body.back() == &s;
    check(function_.result == types::void_() || function_.is_generator || at_end, s.span,
          "a return without a value");
  }
  void rule(const Raise& s) {
    check(function_.may_raise || !function_.is_analysed, s.span,
          "a raise in a function that cannot raise");
  }
  void rule(const Eval&) {}
  void rule(const Print& s) {
    for (const Expr* item : s.items)
      check(s.form == PrintForm::kLine || item->type->is_real() ||
                (item->type->is_str() && constant(item)),
            s.span, "a formatted item that is neither a number nor literal text");
  }
  void rule(const Declare&) {}
  void rule(const Unpack& s) {
    const Type& from = *s.value->type;  // of extents, as many as the array has axes
    const bool extents = s.value->kind == ExprKind::kQuery;
    check(extents || (from.is_tuple() && from.items.size() == s.locals.size()), s.span,
          "unpacking into another number of variables");
    for (size_t k = 0; k < s.locals.size() && !extents && k < from.items.size(); ++k)
      check(s.locals[k]->type == from.items[k], s.span, "unpacking into another type");
  }

  // ---- expressions -----------------------------------------------------------------------------
  void rule(const Const& e) { check(!e.type->is_error(), e.span, "an expression of type error"); }
  void rule(const Load& e) {
    check(e.local->type == e.type, e.span, "a load of another type than its variable");
    check(!e.local->lanes || in_lanes_, e.span, "a load of a lane outside of lanes");
  }
  void rule(const Global&) {}
  void rule(const Element& e) {
    subscripted(*e.array, e.indices);
    if (e.array->type->is_array())
      check(e.array->type->elem == e.type, e.span, "an element of another type than its array's");
  }
  void rule(const View& e) {
    check(e.type->is_array() && e.array->type->is_array() && e.type->elem == e.array->type->elem,
          e.span, "a view of other elements than its array's");
    int taken = 0, rank = e.array->type->rank;  // by indices and slices; left
    for (const Subscript& s : e.subscripts) {
      taken += s.kind != Subscript::Kind::kNewAxis;
      rank += (s.kind == Subscript::Kind::kNewAxis) - (s.kind == Subscript::Kind::kIndex);
    }
    check(taken <= e.array->type->rank && rank == e.type->rank, e.span, "a view of another rank");
  }
  void rule(const Query& e) {
    const bool array = e.operand->type->is_array();
    check(array || e.operand->type->is_tuple(), e.span, "a query of what has no extents");
    check(!array || e.axis < std::max<int>(e.operand->type->rank, 1), e.span,
          "a query of an axis that is not there");
  }
  void rule(const NewArray& e) {
    check(e.shape.size() == e.type->rank, e.span, "an allocation of another rank");
  }
  void rule(const Unary& e) { check(e.operand->type == e.type, e.span, "an operand of a sign"); }
  void rule(const Binary& e) {
    const bool free = e.op == BinaryOp::kPow || e.op == BinaryOp::kShl || e.op == BinaryOp::kShr;
    if (free) return;
    same(e.type, e.left, "an operand");
    same(e.type, e.right, "an operand");
  }
  void rule(const Compare& e) {
    same(e.left->type, e.right, "an operand of a comparison");
    check(e.type->is_bool(), e.span, "a comparison that is no bool");
  }
  void rule(const Logical& e) {
    same(types::boolean(), e.left, "an operand");
    same(types::boolean(), e.right, "an operand");
  }
  void rule(const Select& e) {
    same(types::boolean(), e.condition, "a condition");
    same(e.type, e.yes, "a choice");
    same(e.type, e.no, "a choice");
    check(!has_effect(e.yes) && !has_effect(e.no), e.span, "an effect in one side of a choice");
    const auto *yes = try_as<Element>(e.yes), *no = try_as<Element>(e.no);
    const bool places = yes && no && yes->array->type->aligned == no->array->type->aligned;
    check(e.choice != Choice::kPlace || places, e.span, "a choice of places that are none");
  }
  void rule(const Convert& e) {
    const Type *to = e.type, *from = e.operand->type;
    check(to != from || e.op == ConvertOp::kLayout, e.span, "an idle conversion");
    check(is_conversion(e.op, *from, *to), e.span,
          fmt::format("a conversion of {} that is none to {}: {}", types::print(from),
                      types::print(to), dump(e)));
  }
  // Does the operation make of the one type the other?
  static bool is_conversion(ConvertOp op, const Type& from, const Type& to) {
    const bool whole = from.is_int() || from.is_bool();
    switch (op) {
      case ConvertOp::kExact:
        if (to.is_int())
          return whole &&
                 (from.is_bool() || (from.is_signed ? to.is_signed && from.bits <= to.bits
                                                    : from.bits <= to.bits - to.is_signed));
        return (to.is_float() || to.is_complex()) && from.is_scalar();
      case ConvertOp::kRound:
        return (to.is_float() || to.is_complex()) && from.is_scalar();
      case ConvertOp::kWrap:
        return whole && (to.is_int() || to.is_bool());
      case ConvertOp::kTrunc:
        return from.is_float() && to.is_int();
      case ConvertOp::kTruth:
        return to.is_bool() && from.is_scalar();
      case ConvertOp::kLayout:
        return from.is_array() && to.is_array() && from.elem == to.elem && from.rank == to.rank;
      case ConvertOp::kTuple:
        return from.is_tuple() && to.is_tuple() && from.items.size() == to.items.size();
    }
    return false;
  }
  void rule(const Call& e) {
    const Function& callee = *e.callee;
    check(functions_.contains(&callee), e.span, "a call of a function that is not in the program");
    check(e.args.size() == callee.params.size(), e.span, "a wrong number of arguments");
    for (size_t k = 0; k < e.args.size() && k < callee.params.size(); ++k) {
      same(instance_type(e, callee.params[k].local->type), e.args[k], "an argument");
      check(!callee.params[k].constant || constant(e.args[k]) || parameter_is_constant(e.args[k]),
            e.span, "an argument that is no constant");
    }
    check(e.shared.size() == callee.shared.size(), e.span, "a wrong number of shared variables");
    check(e.type == instance_type(e, callee.result), e.span,
          "a call of another type than its function's result");
  }
  // Of the instance of the callee that is called.
  static const Type* instance_type(const Call& e, const Type* type) {
    if (!e.callee->any_layout) return type;
    return types::replace_layout(type, types::Layout::kAny, e.instance.layout);
  }
  void rule(const Builtin& e) {
    check(e.form == Form::kScalar || e.row->lanes != builtins::Id::none, e.span,
          "a form that the function does not have");
  }
  void rule(const Tuple& e) {
    check(e.items.size() == e.type->items.size(), e.span,
          "a tuple of another length than its type");
    for (size_t k = 0; k < e.items.size() && k < e.type->items.size(); ++k)
      same(e.type->items[k], e.items[k], "an item of a tuple");
  }
  void rule(const Item& e) {
    const bool extents = e.tuple->kind == ExprKind::kQuery;
    check(extents || (e.index >= 0 && size_t(e.index) < e.tuple->type->items.size()), e.span,
          "an item past the end of its tuple");
  }
  void rule(const ItemAt& e) {
    check(e.tuple->type->is_uniform_tuple(), e.span, "an item of a tuple of several types");
  }
  void rule(const Wrap& e) {
    check(e.type->is_optional(), e.span, "a wrapped value that is not optional");
    if (e.operand) same(e.type->elem, e.operand, "a wrapped value");
  }
  void rule(const Unwrap& e) {
    check(e.operand->type->is_optional(), e.span, "unwrapping what is not optional");
  }
  void rule(const HasValue& e) {
    check(e.operand->type->is_optional(), e.span, "asking for the value of what is not optional");
  }
  void rule(const Lane&) {}
  void rule(const Any& e) {
    check(e.local->lanes > 0 && e.local->type->is_bool(), e.span, "any of what has no lanes");
  }
  void rule(const Total& e) {
    check(e.local->lanes > 0 && e.local->type == e.type, e.span, "the total of what has no lanes");
  }

 private:
  void check(bool holds, Span span, std::string_view what) {
    if (holds) return;
    ok_ = false;
    diags_.report(span.valid() ? span : function_.span, diag::Internal,
                  fmt::format("{} (in `{}`, after {})", what, function_.name.str(), after_));
  }
  void same(const Type* type, const Expr* e, std::string_view what) {
    if (e && e->type != type)
      check(false, e->span,
            fmt::format("{} of type {} where {} is due: {}", what, types::print(e->type),
                        types::print(type), dump(*e)));
  }
  static std::string_view name_of(const Local* l) { return l->name.str(); }
  void local(const Local* l) {
    check(known_.contains(l), span_, fmt::format("`{}` is not among the locals", name_of(l)));
  }
  void parameter(const Local* l) {
    check(known_.contains(l), function_.span, "a parameter is not among the locals");
    check(l->is_param, function_.span, "a parameter that does not know it is one");
  }
  bool parameter_is_constant(const Expr* e) const {
    return std::any_of(function_.params.begin(), function_.params.end(),
                       [&](const Param& p) { return p.constant && p.local == loaded(e); });
  }
  // Once declarations are placed, what is mentioned is declared around it.
  void declared(const Local* l) {
    if (!function_.is_declared || l->is_param || open_.contains(l)) return;
    check(declaration_of(l) != Declares::kNothing, span_,
          fmt::format("`{}` is not declared here", name_of(l)));
  }
  void declare(const Local* l, Declares how) {
    check(declaration_of(l) == Declares::kNothing, span_,
          fmt::format("`{}` is declared twice", name_of(l)));
    scopes_.back()[l] = how;
  }
  void changed(const Local* l) {
    check(declaration_of(l) != Declares::kConstant, span_,
          fmt::format("`{}` is a constant and assigned", name_of(l)));
  }
  Declares declaration_of(const Local* l) const {
    for (size_t k = scopes_.size(); k-- > 0;)
      if (const auto it = scopes_[k].find(l); it != scopes_[k].end()) return it->second;
    return Declares::kNothing;
  }
  void subscripted(const Expr& array, const List<Index>& list) {
    check(array.type->is_array(), span_, "an element of what is no array");
    check(list.size() == array.type->rank, span_, "a wrong number of indices");
  }

  void expr(const Expr* e) {
    visit(*e, [&](const auto& node) {
      visit_fields(node, *this);
      if (ok_) rule(node);
    });
  }

  void stmt(const Stmt* s) {
    span_ = s->span;
    const For* counted = try_as<For>(s);
    const ForEach* each = try_as<ForEach>(s);
    const bool loop = is_loop(s);
    const Lanes* lanes = try_as<Lanes>(s);
    const Gang* gang = try_as<Gang>(s);
    const Given* given = try_as<Given>(s);
    const Local* index = counted ? counted->index
                         : each  ? each->item
                         : lanes ? lanes->index
                         : gang  ? gang->count
                         : given ? given->known
                                 : nullptr;
    if (counted)
      check(indices_.insert(index).second, s->span, "two loops share one index variable");
    if (index) open_.insert(index);
    if (loop && !lanes) loops_.push_back(s);
    const bool of_lanes = lanes || s->kind == StmtKind::kEach || s->kind == StmtKind::kSinCos;
    if (of_lanes) check(!std::exchange(in_lanes_, true), s->span, "lanes inside lanes");
    visit(*s, [&](const auto& node) {
      visit_fields(node, *this);
      span_ = s->span;
      if (ok_) rule(node);
    });
    if (ok_) check(is_in_order(s), s->span, "an effect inside an expression");
    if (loop && !lanes) loops_.pop_back();
    if (of_lanes) in_lanes_ = false;
    if (index) open_.erase(index);
  }

  void block(const Block& b) {
    scopes_.emplace_back();
    for (const Stmt* s : b) stmt(s);
    scopes_.pop_back();
  }

  // What the function is said to do covers what it does.
  void effects() {
    const EffectAnalysis analysis(function_);
    const Effects all = analysis.of(function_.body);
    const std::set<Root> returned = analysis.returned();
    check(function_.may_raise || !all.raises, function_.span, "an unknown raise");
    check(function_.has_state || !all.has_state, function_.span, "unknown hidden state");
    for (const Param& p : function_.params) {
      const auto shows = [&](const std::set<Root>& roots) {
        return types::holds_array(p.local->type) &&
               (roots.contains(p.local) || roots.contains(kAnywhere));
      };
      check(p.written || !shows(all.writes), p.local->span,
            fmt::format("`{}` is written and does not know it", name_of(p.local)));
      check(p.read || !shows(all.reads), p.local->span,
            fmt::format("`{}` is read and does not know it", name_of(p.local)));
      check(p.returned || !shows(returned), p.local->span,
            fmt::format("`{}` is returned and does not know it", name_of(p.local)));
    }
  }

  const Function& function_;
  const std::set<const Function*>& functions_;
  std::string_view after_;
  Diagnostics& diags_;
  std::set<const Local*> known_{}, assigned_{}, indices_{}, open_{};  // open: loops around
  std::vector<std::map<const Local*, Declares>> scopes_{};            // what each block declares
  std::vector<const Stmt*> loops_{};
  Span span_{};
  bool in_lanes_ = false;
  bool ok_ = true;
};

bool check_variants(const Entry& entry, const Overload& overload,
                    const std::set<const Function*>& functions, Diagnostics& diags) {
  bool ok = true;
  const auto check = [&](bool holds, std::string_view what) {
    if (holds) return;
    diags.report(entry.span, diag::Internal, fmt::format("{} (of `{}`)", what, entry.name.str()));
    ok = false;
  };
  check(!overload.variants.empty() && overload.variants.back().guards.empty(),
        "an entry without a variant for all arguments");
  for (const Variant& variant : overload.variants) {
    check(functions.contains(variant.function), "an entry whose function is not in the program");
    for (const Guard& guard : variant.guards)
      check(guard.param < int(overload.params.size()), "a guard of no parameter");
  }
  return ok;
}

}  // namespace

bool verify(const Program& program, std::string_view after, Diagnostics& diags) {
  bool ok = true;
  const std::set<const Function*> functions(program.functions.begin(), program.functions.end());
  for (const Function* f : program.functions)
    ok = Verifier(*f, functions, after, diags).run() && ok;
  for (const Entry& entry : program.entries)
    for (const Overload& overload : entry.overloads)
      ok = check_variants(entry, overload, functions, diags) && ok;
  return ok;
}

}  // namespace pyk2cu::ir
