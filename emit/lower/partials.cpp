// Arrays that all iterations of a prange add to, in parts of which each has its own.
//
//   for i in prange(n): s += a[i]     ->   partial = zeros((16,) + s.shape)
//                                          parallel for part in range(16):
//                                              s_part = partial[part]
//                                              for i in …: s_part += a[i]     its sixteenth
//                                          for part in range(16): s += partial[part]
//
// As reductions of numbers are; there are always as many parts, so that sums do not hang on the
// number of threads. Of loops that store nowhere else: what an iteration stores is its own, which
// is seen where the loop is the parallel one.
// In:   functions behind temps; of those that may lack memory already.  Out: such loops are serial,
// inside of a parallel one over the parts; in others sums that temps has put together are Updates.
// Tested by tests/golden/passes/partials.py and tests/run/test_partials.py.
#include <algorithm>

#include "emit/lower/lower.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

constexpr int64_t kParts = 16;

// s[k] = s[k] + e, s[k] += e: null: another statement.
struct Addition {
  const ir::Place* place = nullptr;
  bool is_product = false;    // + and - add up from 0, * multiplies from 1
  const Expr* old = nullptr;  // the array of the element that is read; null: an Update reads it
};

// Is the sum computed in numbers of the same kind, of more bits at most? Integers modulo 2^n may be
// added in any order and cut in the end; what is cut of a float each time may not.
bool is_of_kind(const Expr* sum, const types::Type* place) {
  return place->is_number() && sum->type->kind == place->kind;
}

std::optional<Addition> addition(const Stmt* s) {
  const auto made = [](const ir::Place& place, BinaryOp op, const Expr* value, const Expr* old) {
    const bool is_product = op == BinaryOp::kMul;
    const bool fits = (is_product || op == BinaryOp::kAdd || op == BinaryOp::kSub) &&
                      place.array->type->aligned && is_of_kind(value, place.type());
    return fits ? std::optional(Addition{&place, is_product, old}) : std::nullopt;
  };
  if (const auto* u = ir::try_as<ir::Update>(s))
    return u->place.local ? std::nullopt : made(u->place, u->op, u->value, nullptr);
  const auto* store = ir::try_as<ir::Store>(s);
  if (!store) return std::nullopt;
  // One conversion: of the sum to what the array holds, of the element to what it is added up in.
  const auto without = [](const Expr* e) {
    const auto* c = ir::try_as<ir::Convert>(e);
    return c ? c->operand : e;
  };
  const auto* sum = ir::try_as<ir::Binary>(without(store->value));
  const auto* widened = sum ? ir::try_as<ir::Convert>(sum->left) : nullptr;
  const bool is_exact = !widened || widened->op == ir::ConvertOp::kExact;
  const auto* old = sum && is_exact ? ir::try_as<ir::Element>(without(sum->left)) : nullptr;
  const bool same = old && ir::equal(old->array, store->place.array) &&
                    std::ranges::equal(old->indices, store->place.indices,
                                       [](const ir::Index& a, const ir::Index& b) {
                                         return a.wrap == b.wrap && ir::equal(a.value, b.value);
                                       });
  return same ? made(store->place, sum->op, sum, old->array) : std::nullopt;
}

// An array that all iterations add to, or multiply.
struct Sum {
  Local* array;
  bool is_product;
};

class Partials {
 public:
  Partials(ir::Program& program, ir::Function& f) : program_(program), f_(f) {}

  void block(Block& b) {
    Block out;
    for (Stmt* s : b) {
      auto* loop = ir::try_as<ir::For>(s);
      if (loop && loop->loop == ir::LoopKind::kParallel) {
        const std::vector<Sum> sums = f_.may_raise ? sums_of(*loop) : std::vector<Sum>();
        if (sums.empty()) make_updates(program_, *loop->body);  // which may be atomic
        sums.empty() ? out.push_back(s) : split(*loop, sums, out);
        continue;
      }
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      out.push_back(s);
    }
    b = std::move(out);
  }

 private:
  // The arrays that iterations only add to, all at the same places; none where the loop stores
  // anything else.
  static std::vector<Sum> sums_of(ir::For& loop) {
    std::vector<Sum> sums;
    const ir::Const* step = ir::constant(loop.step);
    bool fits = step && step->value.integer == 1;
    const ir::LocalSet assigned = ir::assigned_in(*loop.body), shared = shared_indices(loop);
    ir::for_each_stmt(*loop.body, [&](Stmt* s) {
      ir::for_each_place(s, [&](ir::Place& place) {
        if (place.local) return;
        Local* array = ir::loaded(place.array);
        if (array && assigned.contains(array)) return;
        const auto sum = addition(s);
        fits = fits && array && sum && is_shared(place, shared);
        if (!fits) return;
        const auto known = std::ranges::find(sums, array, &Sum::array);
        if (known == sums.end())
          sums.push_back({array, sum->is_product});
        else
          fits = known->is_product == sum->is_product;
      });
    });
    for (const Sum& sum : sums) fits = fits && is_only_added_to(loop, sum.array);
    return fits ? sums : std::vector<Sum>();
  }

  // Of loops inside that turn alike in every iteration.
  static ir::LocalSet shared_indices(const ir::For& loop) {
    const ir::LocalSet assigned = ir::assigned_in(*loop.body);
    ir::LocalSet indices;
    ir::for_each_stmt(std::as_const(*loop.body), [&](const Stmt* s) {
      const auto* one = ir::try_as<ir::For>(s);
      const auto varies = [&](const Expr* bound) {
        return ir::reads(bound, loop.index) || ir::reads_any(bound, assigned) ||
               ir::reads_memory(bound);
      };
      if (one && !varies(one->lo) && !varies(one->hi) && !varies(one->step))
        indices.insert(one->index);
    });
    return indices;
  }

  static bool is_shared(const ir::Place& place, const ir::LocalSet& indices) {
    return std::ranges::all_of(place.indices, [&](const ir::Index& i) {
      const Local* index = ir::loaded(i.value);
      return ir::constant(i.value) || (index && indices.contains(index));
    });
  }

  // Is the array mentioned elsewhere for its extents only?
  static bool is_only_added_to(const ir::For& loop, const Local* array) {
    std::vector<const Expr*> fine;  // loads
    const auto allow = [&](const Expr* e) {
      if (ir::loaded(e) == array) fine.push_back(e);
    };
    ir::for_each_stmt(std::as_const(*loop.body), [&](const Stmt* s) {
      if (const auto sum = addition(s)) {
        allow(sum->place->array);
        if (sum->old) allow(sum->old);
      }
      ir::for_each_expr(s, [&](const Expr* top) {
        ir::for_each_subexpr(top, [&](const Expr* e) {
          if (const auto* query = ir::try_as<ir::Query>(e)) allow(query->operand);
          const auto* call = ir::try_as<ir::Builtin>(e);
          const bool asks =
              call && (call->row->id == Id::pyk_fitted_to || call->row->id == Id::pyk_fitted ||
                       call->row->id == Id::pyk_broadcasts);
          for (size_t k = 1; asks && k < call->args.size(); ++k) allow(call->args[k]);
        });
      });
    });
    bool only = true;
    ir::for_each_stmt(std::as_const(*loop.body), [&](const Stmt* s) {
      ir::for_each_expr(s, [&](const Expr* top) {
        ir::for_each_subexpr(top, [&](const Expr* e) {
          const bool is_it = ir::loaded(e) == array;
          only = only && (!is_it || std::ranges::find(fine, e) != fine.end());
        });
      });
    });
    return only;
  }

  Local* made(std::string_view stem, const types::Type* type) {
    return f_.locals.emplace_back(ir::Builder{program_}.temp(stem, type));
  }

  // lo + (hi - lo) * part // 16
  Expr* bound(const ir::Builder& b, Local* first, Local* count, Expr* part) const {
    Expr* share = b.plain(BinaryOp::kFloorDiv, b.plain(BinaryOp::kMul, b.load(count), part),
                          b.integer(kParts));
    ir::as<ir::Binary>(share)->natural = true;
    return b.plain(BinaryOp::kAdd, b.load(first), share);
  }

  void split(ir::For& loop, const std::vector<Sum>& sums, Block& out) {
    const ir::Builder b{program_, loop.span};
    Local *first = made("first", types::int64()), *count = made("count", types::int64());
    Local* part = made("part", types::int64());
    out.push_back(b.assign(first, loop.lo));
    Expr* turns = b.plain(BinaryOp::kSub, loop.hi, b.load(first));
    out.push_back(
        b.assign(count, b.builtin(Id::builtins_max, types::int64(), {turns, b.integer(0)})));
    Block* body = b.block();
    Block all;
    for (const auto& [sum, product] : sums) {
      const types::Type* type = sum->type;
      Local* partial = made(std::string(sum->name.str()) + "_parts",
                            types::array(type->elem, type->rank + 1, types::Layout::kC));
      Local* own = made(std::string(sum->name.str()) + "_part",
                        types::array(type->elem, type->rank, types::Layout::kC));
      std::vector<Expr*> shape{b.integer(kParts)};
      for (int axis = 0; axis < type->rank; ++axis) shape.push_back(b.extent(b.load(sum), axis));
      out.push_back(b.assign(
          partial, b.expr<ir::NewArray>(partial->type, product ? ir::Fill::kOne : ir::Fill::kZero,
                                        program_.list(shape), static_cast<Expr*>(nullptr))));
      std::vector<ir::Subscript> row(size_t(type->rank) + 1);
      for (ir::Subscript& s : row) s.kind = ir::Subscript::Kind::kSlice;
      row[0].kind = ir::Subscript::Kind::kIndex;
      row[0].index = {b.load(part), false, false};
      body->push_back(
          b.assign(own, b.expr<ir::View>(own->type, b.load(partial), program_.list(row))));
      rename(*loop.body, sum, own);
      Local* again = made("part", types::int64());
      Block* adds = b.block();
      add(b, product ? BinaryOp::kMul : BinaryOp::kAdd, sum, partial, {}, again, *adds);
      all.push_back(b.stmt<ir::For>(again, b.integer(0), b.integer(kParts), b.integer(1),
                                    ir::LoopKind::kSerial, adds));
    }
    body->push_back(&loop);
    Expr* next = b.plain(BinaryOp::kAdd, b.load(part), b.integer(1));
    loop.lo = bound(b, first, count, b.load(part));
    loop.hi = bound(b, first, count, next);
    loop.loop = ir::LoopKind::kSerial;
    out.push_back(b.stmt<ir::For>(part, b.integer(0), b.integer(kParts), b.integer(1),
                                  ir::LoopKind::kParallel, body));
    out.insert(out.end(), all.begin(), all.end());
  }

  static void rename(Block& body, const Local* from, Local* to) {
    ir::for_each_stmt(body, [&](Stmt* s) {
      ir::for_each_expr(s, [&](Expr* top) {
        ir::for_each_subexpr(top, [&](Expr* e) {
          if (ir::loaded(e) == from) ir::as<ir::Load>(e)->local = to, e->type = to->type;
        });
      });
    });
  }

  // sum[i, j] += partial[again, i, j], over all of sum
  void add(const ir::Builder& b, BinaryOp op, Local* sum, Local* partial, std::vector<ir::Index> at,
           Local* again, Block& out) {
    const auto axis = int(at.size());
    if (axis < sum->type->rank) {
      Local* index = made("k", types::int64());
      at.push_back({b.load(index), false, false});
      Block* inside = b.block();
      add(b, op, sum, partial, at, again, *inside);
      out.push_back(b.stmt<ir::For>(index, b.integer(0), b.extent(b.load(sum), axis), b.integer(1),
                                    ir::LoopKind::kSerial, inside));
      return;
    }
    const types::Type* type = sum->type->elem;
    std::vector<ir::Index> from{{b.load(again), false, false}};
    from.insert(from.end(), at.begin(), at.end());
    Expr* one = b.expr<ir::Element>(type, b.load(partial), program_.list(from), false, false);
    out.push_back(b.stmt<ir::Update>(ir::Place{nullptr, b.load(sum), program_.list(at)}, op, one,
                                     type->is_int(), false));
  }

  ir::Program& program_;
  ir::Function& f_;
};

}  // namespace

void partials(ir::Program& program, ir::Function& f) {
  if (f.options.parallel) Partials(program, f).block(f.body);
}

}  // namespace pyk2cu::emit
