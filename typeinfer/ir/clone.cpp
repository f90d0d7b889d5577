// Copies of pieces of a program: see clone.h.
//
// In:   nodes.  Out: new nodes; each is first copied whole, then every field becomes the copy's
// own. Tested by tests/unit/typeinfer/ir_test.cpp.
#include "typeinfer/ir/clone.h"

#include <unordered_set>
#include <vector>

namespace pyk2cu::ir {

// Makes the fields of a copied node its own.
struct Cloner::Fields {
  Cloner& cloner;

  void operand(Expr*& e, const char*) { e = cloner.expr(e); }
  void maybe(Expr*& e, const char*) { e = cloner.expr(e); }
  void operands(List<Expr*>& list, const char* name) {
    own(list);
    for (Expr*& e : list) operand(e, name);
  }
  void types(List<const Type*>& list, const char*) { own(list); }
  void index(Index& i, const char* name) { operand(i.value, name); }
  void indices(List<Index>& list, const char* name) {
    own(list);
    for (Index& i : list) index(i, name);
  }
  void subscripts(List<Subscript>& list, const char* name) {
    own(list);
    for (Subscript& s : list)
      for (Expr** part : {&s.index.value, &s.lo, &s.hi, &s.step}) operand(*part, name);
  }
  void place(Place& p, const char* name) {
    if (p.local) return local(p.local);
    operand(p.array, name);
    indices(p.indices, name);
  }
  void uses(Local*& l, const char*) { local(l); }
  void sets(Local*& l, const char*) { local(l); }
  void reads(List<Local*>& list, const char*) { locals(list); }
  void shares(List<Local*>& list, const char*) { locals(list); }
  void declares(List<Local*>& list, const char*) { locals(list); }
  void reductions(List<Reduction>& list, const char*) {
    own(list);
    for (Reduction& r : list) local(r.local);
  }
  void block(Block*& b, const char*) { b = cloner.block(*b); }
  void jump(Stmt*& loop, const char*) {
    const auto it = cloner.loops_.find(loop);
    if (it != cloner.loops_.end()) loop = it->second;
  }
  void data(Function*& f, const char*) {
    const auto it = cloner.functions_.find(f);
    if (it != cloner.functions_.end()) f = it->second;
  }
  void data(auto&, const char*) {}

 private:
  template <class T>
  void own(List<T>& list) {
    list = cloner.program_.list(std::vector<T>(list.begin(), list.end()));
  }
  void local(Local*& l) { l = cloner.mapped(l); }
  void locals(List<Local*>& list) {
    own(list);
    for (Local*& l : list) local(l);
  }
};

Local* Cloner::renew(const Local* old, Function& function) {
  Local* local = program_.make<Local>(*old);
  local->is_param = false;
  local->records = mapped(local->records);
  function.locals.push_back(local);
  return locals_[old] = local;
}

void Cloner::renew_assigned(const Block& block, Function& function) {
  const auto each = [&](const Local* local, Access access) {
    if (access != Access::kRead && !locals_.contains(local)) renew(local, function);
  };
  for (const Stmt* s : block) for_each_local_in(s, each);
}

Expr* Cloner::expr(const Expr* from) {
  if (!from) return nullptr;
  return visit(*from, [&](const auto& node) -> Expr* {
    auto* copy = program_.make<std::remove_cvref_t<decltype(node)>>(node);
    Fields fields{*this};
    visit_fields(*copy, fields);
    return copy;
  });
}

Stmt* Cloner::stmt(const Stmt* from) {
  return visit(*from, [&](const auto& node) -> Stmt* {
    auto* copy = program_.make<std::remove_cvref_t<decltype(node)>>(node);
    loops_[from] = copy;  // before what is inside, which may jump
    Fields fields{*this};
    visit_fields(*copy, fields);
    return copy;
  });
}

Block* Cloner::block(const Block& from) {
  auto* to = program_.make<Block>();
  to->reserve(from.size());
  for (const Stmt* s : from) to->push_back(stmt(s));
  return to;
}

namespace {

// The copy of a function whose locals and body are still to be made.
Function* head_of(const Function& from, Program& program, Cloner& cloner) {
  auto* to = program.make<Function>(from);
  to->locals.clear();
  to->body.clear();
  for (const Local* local : from.locals) cloner.renew(local, *to)->is_param = local->is_param;
  for (Param& p : to->params) p.local = cloner.mapped(p.local);
  for (Local*& l : to->shared) l = cloner.mapped(l);
  return to;
}

}  // namespace

Function* clone(const Function& from, Program& program) {
  Cloner cloner(program);
  Function* to = head_of(from, program, cloner);
  to->body = *cloner.block(from.body);
  return to;
}

Program clone(const Program& from, const std::function<bool(const Entry&)>& wanted) {
  Program to;
  to.module_name = from.module_name;
  to.sources = from.sources;
  to.globals = from.globals;
  to.symbols = from.symbols;
  for (const Entry& entry : from.entries)
    if (wanted(entry)) to.entries.push_back(entry);
  std::unordered_set<const Function*> needed;
  std::vector<const Function*> open;  // needed, not looked into yet
  const auto need = [&](const Function* f) {
    if (needed.insert(f).second) open.push_back(f);
  };
  for (const Entry& entry : to.entries)
    for (const Overload& overload : entry.overloads)
      for (const Variant& variant : overload.variants) need(variant.function);
  while (!open.empty()) {
    const Function* f = open.back();
    open.pop_back();
    for_each_expr_in(f->body, [&](const Expr* e) {
      if (const auto* call = try_as<Call>(e)) need(call->callee);
    });
  }
  Cloner cloner(to);
  std::unordered_map<const Function*, Function*> copies;
  for (const Function* f : from.functions) {
    if (!needed.contains(f)) continue;
    Function* copy = head_of(*f, to, cloner);
    copies[f] = copy;
    cloner.map(f, copy);
    to.functions.push_back(copy);
  }
  for (const Function* f : from.functions)
    if (needed.contains(f)) copies.at(f)->body = *cloner.block(f->body);
  for (Entry& entry : to.entries)
    for (Overload& overload : entry.overloads)
      for (Variant& variant : overload.variants) variant.function = copies.at(variant.function);
  return to;
}

}  // namespace pyk2cu::ir
