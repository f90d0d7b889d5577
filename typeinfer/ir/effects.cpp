// Effects of code: see effects.h.
//
// Memory is followed without regard to order: a local shows what any of its assignments shows.
// Two parameters may overlap; an allocation overlaps nothing but itself.
// Tested by tests/unit/typeinfer/effects_test.cpp.
#include "typeinfer/ir/effects.h"

#include <algorithm>
#include <unordered_set>

#include "typeinfer/builtins/registry.h"

namespace pyk2cu::ir {

namespace {

constexpr char kAnywhereTag = 0, kAnyListTag = 0;

bool is_known(const Function& f) { return f.is_analysed; }

bool reads_elements(const Param& p, const Function& f) { return p.read || !is_known(f); }
bool writes_elements(const Param& p, const Function& f) { return p.written || !is_known(f); }
bool returns_memory(const Param& p, const Function& f) { return p.returned || !is_known(f); }

// ---- what a node itself does -------------------------------------------------------------------
//
// Operands and blocks aside: see.reads(array), see.writes(array) with the array expressions whose
// elements it touches, see.raises(), see.has_state(). The one place that says so: a new kind of
// node does not compile before it is named here.

template <class See>
void describe_call(const Call& call, See& see) {
  const Function& callee = *call.callee;
  for (size_t k = 0; k < call.args.size() && k < callee.params.size(); ++k) {
    if (reads_elements(callee.params[k], callee)) see.reads(call.args[k]);
    if (writes_elements(callee.params[k], callee)) see.writes(call.args[k]);
  }
  if (may_raise(call)) see.raises();
  if (callee.has_state || !is_known(callee)) see.has_state();
}

template <class See>
void describe_builtin(const Builtin& call, See& see) {
  const bool copies = call.row->may_lack_memory();
  const bool reads =
      (copies || !types::holds_array(call.type)) && call.row->reads_elements();  // a.T: none
  if (copies) see.raises();
  for (const Expr* arg : call.args)
    if ((reads && types::holds_array(arg->type)) || types::holds_container(arg->type))
      see.reads(arg);
  if (call.row->writes() && !call.args.empty()) see.writes(call.args[0]);
  if (call.row->has_state()) see.has_state();
}

template <class See>
void describe(const Expr* e, See& see) {
  switch (e->kind) {
    case ExprKind::kElement:
      return see.reads(as<Element>(e)->array);
    case ExprKind::kNewArray:
      return see.raises();  // MemoryError
    case ExprKind::kCall:
      return describe_call(*as<Call>(e), see);
    case ExprKind::kBuiltin:
      return describe_builtin(*as<Builtin>(e), see);
    case ExprKind::kConst:
    case ExprKind::kLoad:
    case ExprKind::kGlobal:
    case ExprKind::kView:
    case ExprKind::kQuery:
    case ExprKind::kUnary:
    case ExprKind::kBinary:
    case ExprKind::kCompare:
    case ExprKind::kLogical:
    case ExprKind::kSelect:
    case ExprKind::kConvert:
    case ExprKind::kTuple:
    case ExprKind::kItem:
    case ExprKind::kItemAt:
    case ExprKind::kWrap:
    case ExprKind::kUnwrap:
    case ExprKind::kHasValue:
    case ExprKind::kLane:
    case ExprKind::kAny:
    case ExprKind::kTotal:
      return;
  }
}

template <class See>
void describe(const Stmt* s, See& see) {
  for_each_place(s, [&](const Place& place) {
    if (place.local) return;
    see.writes(place.array);
    if (s->kind != StmtKind::kStore) see.reads(place.array);
  });
  switch (s->kind) {
    case StmtKind::kForEach:
      return see.reads(as<ForEach>(s)->array);
    case StmtKind::kRaise:
      return see.raises();
    case StmtKind::kPrint:
    case StmtKind::kYield:  // whatever the loop over it does
      return see.has_state();
    case StmtKind::kAssign:
    case StmtKind::kStore:
    case StmtKind::kUpdate:
    case StmtKind::kIf:
    case StmtKind::kFor:
    case StmtKind::kWhile:
    case StmtKind::kGenerate:
    case StmtKind::kBreak:
    case StmtKind::kContinue:
    case StmtKind::kReturn:
    case StmtKind::kEval:
    case StmtKind::kDeclare:
    case StmtKind::kUnpack:
    case StmtKind::kLanes:
    case StmtKind::kGang:
    case StmtKind::kGiven:
    case StmtKind::kEach:
    case StmtKind::kSinCos:
      return;
  }
}

// What a node itself does, whatever the arrays are.
struct Own {
  bool reads_any = false, writes_any = false, may_raise = false, state = false;

  template <class Node>
  explicit Own(const Node* node) {
    describe(node, *this);
  }
  void reads(const Expr*) { reads_any = true; }
  void writes(const Expr*) { writes_any = true; }
  void raises() { may_raise = true; }
  void has_state() { state = true; }
  bool is_observable() const { return writes_any || may_raise || state; }
};

struct Written {
  std::vector<const Expr*> arrays{};

  void reads(const Expr*) {}
  void writes(const Expr* array) { arrays.push_back(array); }
  void raises() {}
  void has_state() {}
};

}  // namespace

const Root kAnywhere = &kAnywhereTag;
const Root kAnyList = &kAnyListTag;

void Effects::operator|=(const Effects& other) {
  reads.insert(other.reads.begin(), other.reads.end());
  writes.insert(other.writes.begin(), other.writes.end());
  raises = raises || other.raises;
  has_state = has_state || other.has_state;
}

// f(Root) for the memory that an array expression may show.
template <class F>
void EffectAnalysis::for_each_root(const Expr* e, F&& f) const {
  if (!types::holds_array(e->type)) return;
  if (e->type->is_container()) {  // what was ever put in
    if (types::holds_container(e->type->elem)) f(kAnyList);
    if (types::holds_view(e->type->elem)) f(kAnywhere);
  }
  if (const Local* local = loaded(e)) {
    const auto it = shown_.find(local);
    if (it == shown_.end()) return f(kAnywhere);
    for (const Root root : it->second) f(root);
  } else if (const Global* global = try_as<Global>(e)) {
    f(global->array);
  } else if (e->kind == ExprKind::kNewArray || makes_memory(e)) {
    f(e);
    for_each_operand(e, [&](const Expr* operand) { for_each_root(operand, f); });
  } else if (const Call* call = try_as<Call>(e)) {
    f(call);
    for (size_t k = 0; k < call->args.size() && k < call->callee->params.size(); ++k)
      if (returns_memory(call->callee->params[k], *call->callee)) for_each_root(call->args[k], f);
  } else {
    for_each_operand(e, [&](const Expr* operand) { for_each_root(operand, f); });
  }
}

std::set<Root> EffectAnalysis::memory(const Expr* array) const {
  std::set<Root> all;
  for_each_root(array, [&](Root root) { all.insert(root); });
  return all;
}

std::set<Root> EffectAnalysis::returned() const {
  std::set<Root> all;
  for_each_stmt(function_.body, [&](const Stmt* s) {
    const Return* r = try_as<Return>(s);
    if (r && r->value) all.merge(memory(r->value));
  });
  return all;
}

EffectAnalysis::EffectAnalysis(const Function& f) : function_(f) {
  const auto own = [&](const Local* local) {
    if (types::holds_array(local->type)) shown_[local].insert(local);
  };
  for (const Param& p : f.params) own(p.local);
  for (const Local* local : f.shared) own(local);
  std::vector<std::pair<const Local*, const Expr*>> given;
  const auto give = [&](const Local* local, const Expr* value) {
    if (!types::holds_array(local->type)) return;
    shown_.try_emplace(local);
    given.push_back({local, value});
  };
  for_each_stmt(f.body, [&](const Stmt* s) {
    const Assign* a = try_as<Assign>(s);
    if (a) give(a->local, a->value);
    const Builtin* field = a && a->local->records ? try_as<Builtin>(a->value) : nullptr;
    if (field) fields_[a->local] = field;
    if (const Unpack* all = try_as<Unpack>(s))
      for (const Local* local : all->locals) give(local, all->value);
  });
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [local, value] : given) {
      std::set<Root>& known = shown_[local];
      for (const Root root : memory(value)) grown = known.insert(root).second || grown;
    }
  }
}

// What the node does by itself, in terms of memory.
struct EffectAnalysis::See {
  const EffectAnalysis& analysis;
  Effects& out;

  void reads(const Expr* array) {
    analysis.for_each_root(array, [&](Root root) { out.reads.insert(root); });
  }
  void writes(const Expr* array) {
    analysis.for_each_root(array, [&](Root root) { out.writes.insert(root); });
  }
  void raises() { out.raises = true; }
  void has_state() { out.has_state = true; }
};

Effects EffectAnalysis::of(const Expr* e) const {
  Effects out;
  See see{*this, out};
  for_each_subexpr(e, [&](const Expr* part) { describe(part, see); });
  return out;
}

void EffectAnalysis::add_stmt(const Stmt* s, Effects& out) const {
  See see{*this, out};
  for_each_expr(s, [&](const Expr* e) {
    for_each_subexpr(e, [&](const Expr* part) { describe(part, see); });
  });
  for_each_block(s, [&](const Block& block) {
    for (const Stmt* inner : block) add_stmt(inner, out);
  });
  describe(s, see);
}

Effects EffectAnalysis::of(const Stmt* s) const {
  Effects out;
  add_stmt(s, out);
  return out;
}

Effects EffectAnalysis::of(const Block& block) const {
  Effects out;
  for (const Stmt* s : block) add_stmt(s, out);
  return out;
}

bool EffectAnalysis::may_overlap(const std::set<Root>& a, const std::set<Root>& b) const {
  const auto is_foreign = [&](Root root) {  // given by the caller
    const auto is_param = [&](const Param& p) { return p.local == root; };
    return root == kAnywhere ||
           std::any_of(function_.params.begin(), function_.params.end(), is_param) ||
           std::find(function_.shared.begin(), function_.shared.end(), root) !=
               function_.shared.end();
  };
  const auto is_unknown = [](Root root) { return root == kAnywhere || root == kAnyList; };
  for (const Root x : a)
    for (const Root y : b)
      if (x == y || is_unknown(x) || is_unknown(y) || (is_foreign(x) && is_foreign(y))) return true;
  return false;
}

namespace {

// The bytes that a field takes in each record.
struct Bytes {
  int64_t begin, end;
};
Bytes bytes_of(const Builtin& field) {
  const int64_t begin = constant(field.args[1])->value.integer;
  int64_t size = types::item_size(field.type->elem);
  for (size_t k = 2; k < field.args.size(); ++k) size *= constant(field.args[k])->value.integer;
  return {begin, begin + size};
}

}  // namespace

bool EffectAnalysis::may_overlap(const Expr* a, const Expr* b) const {
  const Local *x = loaded(a), *y = loaded(b);
  const bool are_fields = x && y && x->records && x->records == y->records;
  if (are_fields) {
    const auto one = fields_.find(x), other = fields_.find(y);
    if (one != fields_.end() && other != fields_.end()) {
      const Bytes p = bytes_of(*one->second), q = bytes_of(*other->second);
      if (p.end <= q.begin || q.end <= p.begin) return false;
    }
  }
  return may_overlap(memory(a), memory(b));
}

bool EffectAnalysis::interfere(const Effects& a, const Effects& b) const {
  return (a.has_state && b.has_state) || may_overlap(a.writes, b.reads) ||
         may_overlap(a.writes, b.writes) || may_overlap(a.reads, b.writes);
}

// ---- functions ---------------------------------------------------------------------------------

namespace {

// One round: what holds when the callees are as they are said to be.
void summarise(Function& f) {
  const EffectAnalysis analysis(f);
  const Effects all = analysis.of(f.body);
  const std::set<Root> returned = analysis.returned();
  const auto shows = [](const std::set<Root>& roots, const Local* local) {
    return roots.contains(local) || roots.contains(kAnywhere) ||
           (roots.contains(kAnyList) && types::holds_container(local->type));
  };
  for (Param& p : f.params) {
    const bool holds = types::holds_array(p.local->type);
    p.read = holds && shows(all.reads, p.local);
    p.written = holds && shows(all.writes, p.local);
    p.returned = holds && shows(returned, p.local);
  }
  f.may_raise = all.raises;
  f.has_state = all.has_state;
}

// Nothing is assumed at first, so that recursion ends with the least that holds.
void forget(Function& f) {
  for (Param& p : f.params) p.read = p.written = p.returned = false;
  f.may_raise = f.has_state = false;
  f.is_analysed = true;
}

std::vector<bool> summary_of(const Function& f) {
  std::vector<bool> flags{f.may_raise, f.has_state};
  for (const Param& p : f.params) flags.insert(flags.end(), {p.read, p.written, p.returned});
  return flags;
}

// Rounds over functions, callees before callers; again while recursion brings something new.
void settle(const std::vector<Function*>& functions) {
  std::unordered_set<const Function*> to_do(functions.begin(), functions.end());
  bool recursive = false;
  for (Function* f : functions) forget(*f);
  for (Function* f : functions) {
    summarise(*f);
    for_each_expr_in(std::as_const(f->body), [&](const Expr* e) {
      const Call* call = try_as<Call>(e);
      recursive = recursive || (call && to_do.contains(call->callee));
    });
    to_do.erase(f);
  }
  for (bool changed = recursive; changed;) {
    changed = false;
    for (Function* f : functions) {
      const std::vector<bool> before = summary_of(*f);
      summarise(*f);
      changed = changed || before != summary_of(*f);
    }
  }
}

}  // namespace

void analyse(Function& f) { settle({&f}); }

void analyse(Program& program) { settle(program.functions); }

namespace {

// Is `part` surely evaluated when `e` is, and nothing besides it reads memory?
bool is_alone(const Expr* e, const Expr* part) {
  if (e == part) return true;
  if (e->kind == ExprKind::kLogical || e->kind == ExprKind::kSelect) return false;
  if (reads_itself(e)) return false;
  bool alone = true;
  for_each_operand(e, [&](const Expr* operand) { alone = alone && is_alone(operand, part); });
  return alone;
}

}  // namespace

bool is_in_order(const Stmt* s) {
  std::vector<const Expr*> all, found;
  for_each_expr(s, [&](const Expr* e) {
    all.push_back(e);
    for_each_subexpr(e, [&](const Expr* part) {
      if (Own(part).is_observable()) found.push_back(part);
    });
  });
  if (found.empty()) return true;
  const Expr* value = nullptr;  // evaluated as a whole, then assigned, returned or dropped
  if (const Assign* a = try_as<Assign>(s)) value = a->value;
  if (const Return* r = try_as<Return>(s)) value = r->value;
  if (const Eval* v = try_as<Eval>(s)) value = v->value;
  if (const Generate* loop = try_as<Generate>(s)) value = loop->generator;
  if (found.size() > 1) return false;
  if (found[0] == value) return true;
  if (Own(found[0]).may_raise) return false;
  if (const Store* store = try_as<Store>(s); store && store->value == found[0]) return true;
  const Update* update = try_as<Update>(s);
  if (update && !update->wraps && update->value == found[0]) return true;
  if (is_loop(s)) return false;  // not once
  return std::all_of(all.begin(), all.end(), [&](const Expr* e) { return is_alone(e, found[0]); });
}

bool may_raise(const Call& call) {
  return (call.callee->may_raise && !call.is_safe) || !is_known(*call.callee);
}

bool is_observable(const Call& call) { return Own(&call).is_observable(); }

std::vector<const Expr*> written_by(const Expr* e) {
  Written see;
  describe(e, see);
  return see.arrays;
}

std::vector<const Expr*> written_by(const Stmt* s) {
  Written see;
  describe(s, see);
  return see.arrays;
}

bool has_effect(const Expr* e) {
  bool found = false;
  for_each_subexpr(e, [&](const Expr* part) { found = found || Own(part).is_observable(); });
  return found;
}

bool reads_itself(const Expr* e) {
  const Own own(e);
  return own.reads_any || own.state;
}

bool reads_memory(const Expr* e) {
  bool found = false;
  for_each_subexpr(e, [&](const Expr* part) { found = found || reads_itself(part); });
  return found;
}

}  // namespace pyk2cu::ir
