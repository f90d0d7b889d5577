// Checks the invariants of ir.h. In, out: verify.h.
#include "typeinfer/ir/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/dump.h"

namespace pyk2cu::ir {

namespace {

class Verifier {
 public:
  Verifier(const Function& function, std::string_view after, Diagnostics& diags)
      : function_(function), after_(after), diags_(diags) {
    known_.insert(function.locals.begin(), function.locals.end());
  }

  bool run() {
    for (const Param& param : function_.params)
      check(known_.contains(param.local), function_.span, "a parameter is not among the locals");
    check(function_.result != nullptr, function_.span, "the result has no type");
    block(function_.body);
    return ok_;
  }

  // ---- statements ----
  void operator()(const Assign& s) {
    local(s.local, s.span);
    whole(s.value, s.span);
    same(s.local->type, s.value, "an assigned value");
  }
  void operator()(const Store& s) {
    value(s.array);
    indices(*s.indices, s.array, s.span);
    value(s.value);
    if (s.array->type->is_array()) same(s.array->type->elem, s.value, "a stored value");
  }
  void operator()(const If& s) {
    boolean(s.condition);
    block(*s.body);
    block(*s.orelse);
  }
  void operator()(const For& s) {
    local(s.index, s.span);
    for (const Expr* e : {s.lo, s.hi, s.step}) {
      value(e);
      same(s.index->type, e, "a bound of a loop");
    }
    check(indices_.insert(s.index).second, s.span, "two loops share one index variable");
    loop(s, *s.body);
  }
  void operator()(const While& s) {
    boolean(s.condition);
    loop(s, *s.body);
  }
  void operator()(const Break& s) { jump(s.loop, s.span); }
  void operator()(const Continue& s) { jump(s.loop, s.span); }
  void operator()(const Return& s) {
    if (!s.value) {
      check(function_.result == types::void_(), s.span, "a return without a value");
      return;
    }
    whole(s.value, s.span);
    same(function_.result, s.value, "a returned value");
  }
  void operator()(const Raise& s) {
    check(function_.may_raise, s.span, "a raise in a function that cannot raise");
    for (const Expr* arg : *s.args) value(arg);
  }
  void operator()(const Eval& s) { whole(s.value, s.span); }
  void operator()(const Print& s) {
    for (const Expr* item : *s.items) value(item);
  }

  // ---- expressions ----
  void operator()(const Const& e) {
    check(!e.type->is_error(), e.span, "an expression of type error");
  }
  void operator()(const Load& e) {
    local(e.local, e.span);
    check(e.local->type == e.type, e.span, "a load of another type than its variable");
  }
  void operator()(const Global&) {}
  void operator()(const Element& e) {
    value(e.array);
    indices(*e.indices, e.array, e.span);
    if (e.array->type->is_array())
      check(e.array->type->elem == e.type, e.span, "an element of another type than its array's");
  }
  void operator()(const View& e) {
    value(e.array);
    check(e.type->is_array(), e.span, "a view that is no array");
    for (const Subscript& s : *e.subscripts) {
      if (s.kind == Subscript::Kind::kIndex) integer(s.index.value);
      for (const Expr* part : {s.lo, s.hi, s.step})
        if (part) value(part), same(types::int64(), part, "a bound of a slice");
    }
  }
  void operator()(const Query& e) { value(e.operand); }
  void operator()(const NewArray& e) {
    check(at_top_, e.span, "an allocation inside an expression");
    at_top_ = false;
    for (const Expr* extent : *e.shape) integer(extent);
    if (e.value) value(e.value);
  }
  void operator()(const Unary& e) { value(e.operand); }
  void operator()(const Binary& e) {
    value(e.left), value(e.right);
    const bool mixed = e.op == BinaryOp::kShl || e.op == BinaryOp::kShr || e.op == BinaryOp::kPow;
    if (!mixed) same(e.left->type, e.right, "an operand");
  }
  void operator()(const Compare& e) {
    value(e.left), value(e.right);
    same(e.left->type, e.right, "an operand of a comparison");
    check(e.type->is_bool(), e.span, "a comparison that is no bool");
  }
  void operator()(const Logical& e) { boolean(e.left), boolean(e.right); }
  void operator()(const Select& e) {
    boolean(e.condition);
    value(e.yes), value(e.no);
    same(e.type, e.yes, "a choice"), same(e.type, e.no, "a choice");
  }
  void operator()(const Convert& e) {
    value(e.operand);
    check(e.type != e.operand->type || e.op == ConvertOp::kLayout, e.span, "an idle conversion");
  }
  void operator()(const Call& e) {
    check(at_top_ || !e.callee->may_raise, e.span, "a call that may raise inside an expression");
    check(!e.callee->may_raise || function_.may_raise, e.span,
          "a call that may raise in a function that cannot");
    at_top_ = false;
    check(e.args->size() == e.callee->params.size(), e.span, "a wrong number of arguments");
    for (size_t k = 0; k < e.args->size() && k < e.callee->params.size(); ++k) {
      value((*e.args)[k]);
      same(e.callee->params[k].local->type, (*e.args)[k], "an argument");
    }
    check(e.type == e.callee->result, e.span, "a call of another type than its function's result");
  }
  void operator()(const Builtin& e) {
    check(at_top_ || !(e.row->flags & builtins::kEffect), e.span,
          "a builtin with effects inside an expression");
    at_top_ = false;
    for (const Expr* arg : *e.args) value(arg);
  }
  void operator()(const Tuple& e) {
    check(e.items->size() == e.type->items.size(), e.span,
          "a tuple of another length than its type");
    for (size_t k = 0; k < e.items->size() && k < e.type->items.size(); ++k) {
      value((*e.items)[k]);
      same(e.type->items[k], (*e.items)[k], "an item of a tuple");
    }
  }
  void operator()(const Item& e) {
    value(e.tuple);
    check(e.index >= 0 && size_t(e.index) < e.tuple->type->items.size(), e.span,
          "an item past the end of its tuple");
  }
  void operator()(const ItemAt& e) { value(e.tuple), integer(e.index.value); }
  void operator()(const Wrap& e) {
    check(e.type->is_optional(), e.span, "a wrapped value that is not optional");
    if (e.operand) value(e.operand), same(e.type->elem, e.operand, "a wrapped value");
  }
  void operator()(const Unwrap& e) {
    value(e.operand);
    check(e.operand->type->is_optional(), e.span, "unwrapping what is not optional");
  }
  void operator()(const HasValue& e) { value(e.operand); }
  void operator()(const Lane&) {}

 private:
  void check(bool holds, Span span, std::string_view what) {
    if (holds) return;
    ok_ = false;
    diags_.report(span.valid() ? span : function_.span, diag::Internal,
                  fmt::format("{} (in `{}`, after {})", what, function_.name.str(), after_));
  }
  void same(const Type* type, const Expr* e, std::string_view what) {
    if (e->type != type)
      check(false, e->span,
            fmt::format("{} of type {} where {} is due: {}", what, types::print(e->type),
                        types::print(type), dump(*e)));
  }
  void value(const Expr* e) {
    at_top_ = false;
    if (!e) return check(false, function_.span, "a missing operand");
    if (!e->type) return check(false, e->span, "an expression without a type");
    visit(*e, *this);
  }
  void whole(const Expr* e, Span span) {
    if (!e) return check(false, span, "a statement without its value");
    at_top_ = true;
    visit(*e, *this);
    at_top_ = false;
  }
  void boolean(const Expr* e) {
    value(e);
    if (e) same(types::boolean(), e, "a condition");
  }
  void integer(const Expr* e) {
    value(e);
    if (e) check(e->type->is_int() || e->type->is_bool(), e->span, "an index that is no integer");
  }
  void indices(const std::vector<Index>& list, const Expr* array, Span span) {
    check(array->type->is_array(), span, "an element of what is no array");
    check(list.size() == array->type->rank, span, "a wrong number of indices");
    for (const Index& index : list) integer(index.value);
  }
  void local(const Local* l, Span span) {
    check(l && known_.contains(l), span,
          fmt::format("`{}` is not among the locals", l ? l->name.str() : "?"));
  }
  void block(const Block& b) {
    for (const Stmt* s : b) visit(*s, *this);
  }
  void loop(const Stmt& s, const Block& body) {
    loops_.push_back(&s);
    block(body);
    loops_.pop_back();
  }
  void jump(const Stmt* loop, Span span) {
    check(std::find(loops_.begin(), loops_.end(), loop) != loops_.end(), span,
          "a jump out of a loop that is not around it");
  }

  const Function& function_;
  std::string_view after_;
  Diagnostics& diags_;
  std::set<const Local*> known_{}, indices_{};
  std::vector<const Stmt*> loops_{};
  bool at_top_ = false;
  bool ok_ = true;
};

}  // namespace

bool verify(const Program& program, std::string_view after, Diagnostics& diags) {
  bool ok = true;
  std::set<const Function*> seen;
  for (const Function* f : program.functions) {
    ok = Verifier(*f, after, diags).run() && ok;
    seen.insert(f);
  }
  for (const Entry& entry : program.entries)
    for (const Overload& overload : entry.overloads)
      if (!seen.contains(overload.function)) {
        diags.report(entry.span, diag::Internal, "an entry whose function is not in the program");
        ok = false;
      }
  return ok;
}

}  // namespace pyk2cu::ir
