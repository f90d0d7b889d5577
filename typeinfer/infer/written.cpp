// Which array parameters a function may store through. In, out: written.h.
//
// Flow-insensitive: every local that an array value was assigned from is a source of it.
#include "typeinfer/infer/written.h"

#include <map>
#include <set>

#include "typeinfer/builtins/registry.h"

namespace pyk2cu::infer {

namespace {

struct Operands {
  const std::function<void(const ir::Expr*)>& f;

  void index(const ir::Index& i) const {
    if (i.value) f(i.value);
  }
  void some(std::initializer_list<const ir::Expr*> list) const {
    for (const ir::Expr* e : list)
      if (e) f(e);
  }
  void all(const std::vector<ir::Expr*>& list) const {
    for (const ir::Expr* e : list)
      if (e) f(e);
  }
  void operator()(const ir::Const&) const {}
  void operator()(const ir::Load&) const {}
  void operator()(const ir::Global&) const {}
  void operator()(const ir::Element& e) const {
    some({e.array});
    for (const ir::Index& i : *e.indices) index(i);
  }
  void operator()(const ir::View& e) const {
    some({e.array});
    for (const ir::Subscript& s : *e.subscripts) some({s.index.value, s.lo, s.hi, s.step});
  }
  void operator()(const ir::Query& e) const { some({e.operand}); }
  void operator()(const ir::NewArray& e) const {
    all(*e.shape);
    some({e.value});
  }
  void operator()(const ir::Unary& e) const { some({e.operand}); }
  void operator()(const ir::Binary& e) const { some({e.left, e.right}); }
  void operator()(const ir::Compare& e) const { some({e.left, e.right}); }
  void operator()(const ir::Logical& e) const { some({e.left, e.right}); }
  void operator()(const ir::Select& e) const { some({e.condition, e.yes, e.no}); }
  void operator()(const ir::Convert& e) const { some({e.operand}); }
  void operator()(const ir::Call& e) const { all(*e.args); }
  void operator()(const ir::Builtin& e) const { all(*e.args); }
  void operator()(const ir::Tuple& e) const { all(*e.items); }
  void operator()(const ir::Item& e) const { some({e.tuple}); }
  void operator()(const ir::ItemAt& e) const { some({e.tuple, e.index.value}); }
  void operator()(const ir::Wrap& e) const { some({e.operand}); }
  void operator()(const ir::Unwrap& e) const { some({e.operand}); }
  void operator()(const ir::HasValue& e) const { some({e.operand}); }
  void operator()(const ir::Lane&) const {}
};

bool holds_array(const ir::Type* type) {
  if (type->is_array()) return true;
  if (type->is_optional()) return holds_array(type->elem);
  for (const ir::Type* item : type->items)
    if (holds_array(item)) return true;
  return false;
}

class Marker {
 public:
  explicit Marker(ir::Function& function) : function_(function) {}

  void run() {
    block(function_.body);
    for (bool grown = true; grown;) {
      grown = false;
      for (const ir::Local* local : std::set<const ir::Local*>(written_))
        for (const ir::Local* source : sources_[local]) grown |= written_.insert(source).second;
    }
    for (ir::Param& param : function_.params) param.written = written_.contains(param.local);
  }

  // ---- statements ----
  void block(const ir::Block& b) {
    for (const ir::Stmt* s : b) ir::visit(*s, *this);
  }
  void operator()(const ir::Assign& s) {
    if (holds_array(s.local->type))
      roots(s.value, [&](const ir::Local* root) { sources_[s.local].insert(root); });
    calls(s.value);
  }
  void operator()(const ir::Store& s) {
    write(s.array);
    calls(s.value);
  }
  void operator()(const ir::If& s) { calls(s.condition), block(*s.body), block(*s.orelse); }
  void operator()(const ir::For& s) { calls(s.lo), calls(s.hi), calls(s.step), block(*s.body); }
  void operator()(const ir::While& s) { calls(s.condition), block(*s.body); }
  void operator()(const ir::Break&) {}
  void operator()(const ir::Continue&) {}
  void operator()(const ir::Return& s) { calls(s.value); }
  void operator()(const ir::Raise&) {}
  void operator()(const ir::Eval& s) { calls(s.value); }
  void operator()(const ir::Print&) {}

 private:
  // The locals that an array value may be a view of.
  void roots(const ir::Expr* e, const std::function<void(const ir::Local*)>& f) {
    if (!holds_array(e->type) && e->kind != ir::ExprKind::kElement) return;
    if (e->kind == ir::ExprKind::kLoad) return f(ir::as<ir::Load>(e)->local);
    for_each_operand(e, [&](const ir::Expr* operand) { roots(operand, f); });
  }
  void write(const ir::Expr* array) {
    roots(array, [&](const ir::Local* root) { written_.insert(root); });
  }
  void calls(const ir::Expr* e) {
    if (!e) return;
    if (e->kind == ir::ExprKind::kCall) {
      const auto& call = *ir::as<ir::Call>(e);
      for (size_t k = 0; k < call.args->size() && k < call.callee->params.size(); ++k)
        if (call.callee->params[k].written || call.callee == &function_) write((*call.args)[k]);
    }
    if (e->kind == ir::ExprKind::kBuiltin) {
      const auto& call = *ir::as<ir::Builtin>(e);
      if ((call.row->flags & builtins::kEffect) && !call.args->empty()) write((*call.args)[0]);
    }
    for_each_operand(e, [&](const ir::Expr* operand) { calls(operand); });
  }

  ir::Function& function_;
  std::map<const ir::Local*, std::set<const ir::Local*>> sources_{};
  std::set<const ir::Local*> written_{};
};

}  // namespace

void for_each_operand(const ir::Expr* e, const std::function<void(const ir::Expr*)>& f) {
  if (e) ir::visit(*e, Operands{f});
}

void mark_written(ir::Function& function) { Marker(function).run(); }

}  // namespace pyk2cu::infer
