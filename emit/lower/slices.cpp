// Windows that slide with a loop: elements of a slice, as those of the array.
//
//   for i in range(n - w + 1):              for i in range(n - w + 1):
//     a = x[i:i + w]                  ->      for k in range(w):
//     for k in range(a.shape[0]):               s += x[i + k] * b[k]
//       s += a[k] * b[k]
//
// Lanes then see neighbours, and loops that turn alike. Of a slice it must be known that it lies
// inside the array and does not run backwards: the part of that which is the same for all
// iterations is asked once, in front of the loop, which has two versions where there is something
// to ask. Sums, means, variances and extremes of such a slice are loops over its elements
// (folds.h).
//
// In: a program before unroll.  Out: loops without views of which only elements and extents were
// asked. Tested by tests/golden/passes/slices and tests/run/test_sliding.py.
#include <algorithm>

#include "emit/lower/constants.h"
#include "emit/lower/costs.h"
#include "emit/lower/flow.h"
#include "emit/lower/folds.h"
#include "emit/lower/lower.h"
#include "emit/lower/within.h"
#include "typeinfer/ir/clone.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

constexpr size_t kMostAsked = 8;  // in front of a loop
constexpr size_t kMostStmts = 200;
constexpr int kMostVersions = 16;  // in a function: each doubles a loop

// The call of that function of broadcasting (pyk/broadcast.h); null: it is none.
const ir::Builtin* broadcast_of(const Expr* e, Id id) {
  const auto* call = ir::try_as<ir::Builtin>(e);
  return call && call->row->id == id ? call : nullptr;
}

// How many elements there are, or along an axis.
bool is_extent(const ir::Query& query) {
  return query.op == ir::QueryOp::kLen || query.op == ir::QueryOp::kSize ||
         (query.op == ir::QueryOp::kShape && query.axis >= 0);
}

bool is_index(const ir::Subscript& part) { return part.kind == ir::Subscript::Kind::kIndex; }

// One loop, in which slices become what they are slices of.
class Sliding {
 public:
  Sliding(ir::Program& program, ir::Function& f, const Extents& extents, ir::For& loop,
          const ir::LocalSet& refused, const std::vector<const ir::Assign*>& before)
      : program_(program),
        f_(f),
        b_{program, loop.span},
        loop_(loop),
        assigned_(ir::assigned_in(&loop)),
        times_(ir::count_assignments(*loop.body)),
        refused_(refused),
        constants_(program),
        within_(program, extents, assigned_, loop.span) {
    for (const ir::Assign* a : before) within_.assign(*a);
  }

  // False: see failed(), or there is nothing to gain.
  bool run() {
    if (!within_.enter(loop_)) return false;
    find_candidates();
    if (candidates_.empty()) return false;
    block(*loop_.body);
    return failed_.empty() && !parts_.empty() && within_.count_asked() <= kMostAsked;
  }
  Expr* condition() { return within_.condition(); }
  // Views that have to stay: of which an element may count from the end.
  const ir::LocalSet& failed() const { return failed_; }

 private:
  // Along an axis of the array: an index, or where the slice begins and how long it is.
  struct Part {
    ir::Index index{};
    Expr *from = nullptr, *size = nullptr;  // null: an index; from 0
  };
  struct Parts {
    Local* array = nullptr;
    std::vector<Part> all{};
  };

  // Of which nothing but elements and extents is asked, none of them under --boundscheck.
  void find_candidates() {
    std::unordered_map<const Local*, int> named, known;
    const auto count = [&](const Expr* array, const ir::List<ir::Index>* indices) {
      const Local* local = ir::loaded(array);
      const bool checks = indices && std::ranges::any_of(*indices, &ir::Index::check);
      if (local && !checks) ++known[local];
    };
    ir::for_each_expr_in(std::as_const(*loop_.body), [&](const Expr* e) {
      if (const Local* local = ir::loaded(e)) ++named[local];
      if (const auto* at = ir::try_as<ir::Element>(e)) count(at->array, &at->indices);
      for (const Id id : {Id::pyk_broadcasts, Id::pyk_fitted})
        if (const auto* call = broadcast_of(e, id)) count(call->args[0], nullptr);
      const auto* query = ir::try_as<ir::Query>(e);
      if (query && is_extent(*query)) count(query->operand, nullptr);
    });
    ir::for_each_stmt(std::as_const(*loop_.body), [&](const Stmt* s) {
      ir::for_each_place(s, [&](const ir::Place& place) {
        if (!place.local) count(place.array, &place.indices);
      });
    });
    ir::for_each_stmt(std::as_const(*loop_.body), [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      if (!a || refused_.contains(a->local)) return;
      if (!slice_of(a->value) && !broadcast_of(a->value, Id::pyk_fitted)) return;
      if (times_.at(a->local) == 1 && named[a->local] == known[a->local])
        candidates_.insert(a->local);
    });
  }

  // ---- statements ------------------------------------------------------------------------------
  void block(Block& b) {
    const Within::Scope scope = within_.open();
    Block out;
    for (Stmt* s : b) stmt(s, out);
    b = std::move(out);
    within_.close(scope);
  }

  void stmt(Stmt* s, Block& out) {
    ir::for_each_expr(s, [&](Expr*& e) {
      expr(e);
      if (folds_) constants_.fold(e);
    });
    if (const auto* branch = ir::try_as<ir::If>(s); branch && folds_)
      if (const ir::Const* c = ir::constant(branch->condition)) {
        for (Stmt* inner : c->value.integer ? *branch->body : *branch->orelse) stmt(inner, out);
        return;
      }
    ir::for_each_place(s, [&](ir::Place& place) {
      if (!place.local) forward(place.array, place.indices);
    });
    if (const auto* a = ir::try_as<ir::Assign>(s)) {
      if (candidates_.contains(a->local) && take(*a, out)) return;
      if (times_.at(a->local) == 1) within_.assign(*a);
    }
    out.push_back(s);
    const auto* inner = ir::try_as<ir::For>(s);
    const auto* branch = ir::try_as<ir::If>(s);
    bool is_first = true;
    ir::for_each_block(s, [&](Block& b) {
      const Within::Scope scope = within_.open();
      if (inner) within_.enter(*inner);
      if (branch) within_.hold(branch->condition, is_first);
      is_first = false;
      block(b);
      within_.close(scope);
    });
    if (branch && ir::ends(*branch->body)) within_.hold(branch->condition, false);
  }

  // a = x[i:i + w]   ->   where it begins
  bool take(const ir::Assign& a, Block& out) {
    if (const auto* call = broadcast_of(a.value, Id::pyk_fitted)) return take_fitted(a, *call);
    const auto& view = *ir::as<ir::View>(a.value);
    Local* array = ir::loaded(view.array);
    if (!array || assigned_.contains(array) || array->maybe_unbound) return false;
    std::vector<Expr*> ends;
    const Within::Asked before = within_.asked_so_far();
    const auto stays = [&] {
      within_.ask_only(before);
      return false;
    };
    for (int axis = 0; const ir::Subscript& part : view.subscripts) {
      if (part.kind == ir::Subscript::Kind::kNewAxis || part.index.check) return stays();
      if (part.step && !ir::is_int_const(part.step, 1)) return stays();
      Expr* end = is_index(part) ? nullptr : end_of(part, array, axis);
      if (end && !is_inside(part, end, array, axis)) return stays();
      ends.push_back(end);
      ++axis;
    }
    Parts parts{.array = array};
    for (size_t k = 0; k < size_t(array->type->rank); ++k) {
      const bool is_said = k < view.subscripts.size();
      if (is_said && is_index(view.subscripts[k])) {
        Part part{.index = view.subscripts[k].index};
        part.index.value = kept("at", part.index.value, out);
        parts.all.push_back(part);
        continue;
      }
      Expr* lo = is_said ? view.subscripts[k].lo : nullptr;
      Expr* size = is_said ? ends[k] : b_.extent(b_.load(array), int(k));
      if (lo) size = b_.plain(ir::BinaryOp::kSub, size, lo);
      Expr *plain = within_.sum(size, true), *from = lo ? within_.sum(lo, false) : b_.integer(0);
      parts.all.push_back({.from = from ? from : kept("at", lo, out),
                           .size = plain ? plain : kept("size", size, out)});
    }
    parts_.emplace(a.local, std::move(parts));
    return true;
  }

  // b = fitted(a, n), where a has n elements
  bool take_fitted(const ir::Assign& a, const ir::Builtin& call) {
    Local* from = ir::loaded(call.args[0]);
    if (!from || !fits(call)) return false;
    const auto found = parts_.find(from);
    Parts parts{.array = from};
    for (int axis = 0; found == parts_.end() && axis < from->type->rank; ++axis)
      parts.all.push_back({.from = b_.integer(0), .size = b_.extent(b_.load(from), axis)});
    parts_.emplace(a.local, found == parts_.end() ? parts : Parts(found->second));
    return true;
  }

  // Are the extents those of the array? Of one that is no array any more there is no other answer.
  bool fits(const ir::Builtin& call) {
    const Local* array = ir::loaded(call.args[0]);
    const auto found = parts_.find(array);
    if (!array || (found == parts_.end() && assigned_.contains(array))) return false;
    std::vector<Expr*> sizes;
    if (found == parts_.end())
      for (int axis = 0; axis < array->type->rank; ++axis)
        sizes.push_back(b_.extent(call.args[0], axis));
    else
      for (const Part& part : found->second.all)
        if (part.size) sizes.push_back(part.size);
    bool fits = sizes.size() + 1 == call.args.size();
    for (size_t k = 0; fits && k < sizes.size(); ++k)
      fits = within_.are_equal(sizes[k], call.args[k + 1]);
    if (!fits && found != parts_.end()) failed_.insert(array);
    return fits;
  }

  // In front of what is written in its place, under a name of its own.
  Expr* kept(const char* name, Expr* value, Block& out) {
    const Local* local = ir::loaded(value);
    const bool is_index = local && within_.is_variable(local);
    if (ir::constant(value) || is_index || (local && !assigned_.contains(local))) return value;
    f_.locals.push_back(b_.temp(name, value->type));
    within_.add_assigned(f_.locals.back());
    auto* assign = b_.stmt<ir::Assign>(f_.locals.back(), ir::Cloner(program_).expr(value));
    out.push_back(assign);
    within_.assign(*assign);
    return b_.load(f_.locals.back());
  }

  // Where a slice ends that does not run over the array's end.
  Expr* end_of(const ir::Subscript& part, Local* array, int axis) {
    const ir::Const* c = part.hi ? ir::constant(part.hi) : nullptr;
    if (part.hi && !(c && c->value.integer < 0)) return part.hi;
    Expr* extent = b_.extent(b_.load(array), axis);
    return c ? b_.plain(ir::BinaryOp::kSub, extent, b_.integer(-c->value.integer)) : extent;
  }

  bool is_inside(const ir::Subscript& part, Expr* end, Local* array, int axis) {
    Expr *zero = b_.integer(0), *lo = part.lo ? part.lo : zero;
    if (lo->type != types::int64() || end->type != types::int64()) return false;
    return (!part.lo || within_.at_most(zero, lo)) && within_.at_most(lo, end) &&
           (!part.hi || within_.at_most(end, b_.extent(b_.load(array), axis)));
  }

  // ---- expressions -----------------------------------------------------------------------------
  void expr(Expr*& e) {
    ir::for_each_operand(e, [&](Expr*& operand) { expr(operand); });
    if (auto* element = ir::try_as<ir::Element>(e)) forward(element->array, element->indices);
    if (auto* query = ir::try_as<ir::Query>(e)) ask(e, *query);
    const auto* both = broadcast_of(e, Id::pyk_extent_of_both);
    if (both && within_.are_equal(both->args[0], both->args[1])) replace(e, both->args[0]);
    const auto* asked = broadcast_of(e, Id::pyk_broadcasts);
    if (asked && fits(*asked)) replace(e, b_.boolean(true));
  }
  void replace(Expr*& e, Expr* by) {
    e = by;
    folds_ = true;
  }

  void forward(Expr*& array, ir::List<ir::Index>& indices) {
    const auto found = parts_.find(ir::loaded(array));
    if (found == parts_.end()) return;
    std::vector<ir::Index> all;
    size_t next = 0;
    for (const Part& part : found->second.all) {
      all.push_back(part.size ? indices[next++] : part.index);
      if (!part.size) {
        all.back().value = again(part.index.value);
        continue;
      }
      Expr* value = from_front(all.back(), part.size);
      if (!value)
        failed_.insert(found->first);
      else if (ir::is_int_const(value, 0))
        all.back().value = again(part.from);
      else if (ir::is_int_const(part.from, 0))
        all.back().value = value;
      else
        all.back().value = b_.plain(ir::BinaryOp::kAdd, again(part.from), value);
      all.back().wrap = false;
    }
    array = b_.load(found->second.array);
    indices = program_.list(all);
  }

  // An index that does not count from the end; null: it may.
  Expr* from_front(const ir::Index& i, Expr* size) {
    Expr* value = i.value;
    if (value->type != types::int64())
      value =
          b_.expr<ir::Convert>(types::int64(), ir::conversion(value->type, types::int64()), value);
    if (!i.wrap) return value;
    const ir::Const* c = ir::constant(value);
    if (c && c->value.integer < 0)
      return b_.plain(ir::BinaryOp::kSub, again(size), b_.integer(-c->value.integer));
    return within_.at_most(b_.integer(0), value) ? value : nullptr;
  }

  void ask(Expr*& e, const ir::Query& query) {
    const auto found = parts_.find(ir::loaded(query.operand));
    if (found == parts_.end()) return;
    int left = query.op == ir::QueryOp::kLen ? 0 : query.axis;
    Expr* all = nullptr;
    for (const Part& part : found->second.all) {
      if (!part.size || (query.op != ir::QueryOp::kSize && left-- != 0)) continue;
      Expr* size = again(part.size);
      all = all ? b_.plain(ir::BinaryOp::kMul, all, size) : size;
    }
    e = all;
  }
  Expr* again(Expr* e) { return ir::Cloner(program_).expr(e); }

  ir::Program& program_;
  ir::Function& f_;
  const ir::Builder b_;
  ir::For& loop_;
  const ir::LocalSet assigned_;
  std::unordered_map<const Local*, int> times_;
  const ir::LocalSet& refused_;
  Constants constants_;
  Within within_;
  bool folds_ = false;  // something has become a constant
  ir::LocalSet candidates_{}, failed_{};
  std::unordered_map<const Local*, Parts> parts_{};
};

// What a function assigns once, before all loops that follow.
class Before {
 public:
  explicit Before(const ir::Function& f) : f_(f), times_(ir::count_assignments(f.body)) {}

  void add(const Stmt* s) {
    const auto* a = ir::try_as<ir::Assign>(s);
    if (!a || a->local->is_param || times_.at(a->local) != 1 || !is_own(a->local)) return;
    bool stays = true;
    ir::for_each_subexpr(a->value, [&](const Expr* e) {
      const Local* local = ir::loaded(e);
      stays = stays && (!local || (times(local) == (local->is_param ? 0 : 1) && is_own(local)));
    });
    if (stays) all_.push_back(a);
  }
  const std::vector<const ir::Assign*>& all() const { return all_; }

 private:
  int times(const Local* local) const {
    const auto at = times_.find(local);
    return at == times_.end() ? 0 : at->second;
  }

  bool is_own(const Local* local) const {
    return std::ranges::find(f_.shared, local) == f_.shared.end();
  }

  const ir::Function& f_;
  const std::unordered_map<const Local*, int> times_;
  std::vector<const ir::Assign*> all_{};
};

class Slices {
 public:
  Slices(ir::Program& program, ir::Function& f, bool keeps_order)
      : program_(program),
        f_(f),
        keeps_order_(keeps_order),
        extents_(f),
        behind_(f.body),
        before_(f) {}

  void run() { block(f_.body, true); }

 private:
  void block(Block& b, bool is_outermost) {
    for (Stmt*& s : b) {
      if (is_outermost) before_.add(s);
      auto* loop = ir::try_as<ir::For>(s);
      if (Stmt* made = loop ? versions(*loop) : nullptr)
        s = made;
      else
        ir::for_each_block(s, [&](Block& inner) { block(inner, false); });
    }
  }

  // Null: it has no such slices.
  Stmt* versions(ir::For& loop) {
    const ir::LocalSet& read_behind = behind_.of(&loop);
    bool found = false;
    ir::for_each_expr_in(std::as_const(*loop.body),
                         [&](const Expr* e) { found = found || slice_of(e); });
    if (!found || !ir::is_int_const(loop.step, 1) || count_stmts(*loop.body) > kMostStmts ||
        versions_ == kMostVersions)
      return nullptr;
    const size_t locals = f_.locals.size();
    ir::For* copy = copy_with_own(program_, f_, loop, read_behind);
    fold_slices(program_, f_, *copy, keeps_order_);
    ir::LocalSet refused = kept_longer(*copy, read_behind);
    while (true) {
      auto* trial = ir::as<ir::For>(ir::Cloner(program_).stmt(copy));
      Sliding sliding(program_, f_, extents_, *trial, refused, before_.all());
      if (sliding.run()) return chosen(loop, *trial, sliding.condition());
      if (sliding.failed().empty()) break;
      for (const Local* local : sliding.failed()) refused.insert(local);
    }
    f_.locals.resize(locals);
    return nullptr;
  }

  // Views that are read behind the loop, or by the next iteration.
  static ir::LocalSet kept_longer(const ir::For& loop, const ir::LocalSet& read_behind) {
    ir::LocalSet found;
    const Flow flow = flow_of(*loop.body);
    ir::for_each_stmt(*loop.body, [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      if (a && slice_of(a->value) && (read_behind.contains(a->local) || flow.exposes(a->local)))
        found.insert(a->local);
    });
    return found;
  }

  Stmt* chosen(ir::For& loop, ir::For& copy, Expr* condition) {
    const ir::Builder b{program_, loop.span};
    versions_ += condition ? 1 : 0;
    return condition ? b.versions(condition, b.block({&copy}), b.block({&loop})) : &copy;
  }

  ir::Program& program_;
  ir::Function& f_;
  const bool keeps_order_;
  const Extents extents_;
  const ReadBehind behind_;
  Before before_;
  int versions_ = 0;
};

}  // namespace

void slices(Lowering& lowering) {
  for (ir::Function* f : lowering.program.functions)
    Slices(lowering.program, *f, lowering.options.strict_fp).run();
}

}  // namespace pyk2cu::emit
