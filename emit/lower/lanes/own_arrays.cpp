// Arrays of iterations: see own_arrays.h.
//
// A local is one where the body assigns it new arrays, or other such locals, and asks for nothing
// but elements and extents. Lanes that are not there have elements too, so that loads and stores at
// a place that all lanes have in common need no mask where no mask is on.
#include "emit/lower/lanes/own_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "emit/lower/interval.h"
#include "emit/lower/lanes/once.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

namespace {

constexpr double kMostBytes = 16 << 20;  // of the arrays of a gang

// row[:] = x
const ir::Builtin* fill_of(const Stmt* s) {
  const auto* alone = ir::try_as<ir::Eval>(s);
  const auto* call = alone ? ir::try_as<ir::Builtin>(alone->value) : nullptr;
  return call && call->row->id == builtins::Id::pyk_fill ? call : nullptr;
}

class Find {
 public:
  Find(ir::Program& program, Block& body, const Local* index)
      : program_(program), body_(body), index_(index) {}

  OwnArrays run() {
    ir::for_each_stmt(body_, [&](Stmt* s) {
      auto* a = ir::try_as<ir::Assign>(s);
      if (auto* made = a ? ir::try_as<ir::NewArray>(a->value) : nullptr) {
        own_.made.push_back(made);
        own_.locals.insert(a->local);
      }
    });
    if (own_.made.empty()) return std::move(own_);
    add_names();
    const auto other = [&](const Local* local) { return asked_otherwise(local); };
    if (std::ranges::any_of(own_.locals, other)) return std::move(own_);
    const ir::LocalSet assigned = ir::assigned_in(body_);
    const Once once(body_);
    for (const ir::NewArray* made : own_.made)
      if (!add_size(*made, once, assigned)) break;
    return std::move(own_);
  }

 private:
  // x = row
  void add_names() {
    bool found = true;
    while (std::exchange(found, false))
      ir::for_each_stmt(body_, [&](Stmt* s) {
        const auto* a = ir::try_as<ir::Assign>(s);
        const Local* from = a ? ir::loaded(a->value) : nullptr;
        if (!from || !own_.locals.contains(from) || own_.locals.contains(a->local)) return;
        own_.locals.insert(a->local);
        found = true;
      });
  }

  bool asked_otherwise(const Local* local) {
    int named = 0, known = 0;
    const Span here = place_of(local);
    const auto fail = [&](Span at, const char* why) {
      own_.why =
          fmt::format("`{}`, which every iteration makes for itself, {}", local->name.str(), why);
      own_.at = at;
      return true;
    };
    if (local->maybe_unbound || local->is_param) return fail(here, "may have no value");
    const auto is = [&](const Expr* e) { return ir::loaded(e) == local; };
    bool fits = true;
    Span at = here;
    ir::for_each_stmt(std::as_const(body_), [&](const Stmt* s) {
      const int before = named - known;
      ir::for_each_local(s, [&](const Local* one, ir::Access access) {
        if (one != local || access == ir::Access::kRead) return;
        const auto* a = ir::try_as<ir::Assign>(s);
        fits = fits && a &&
               (a->value->kind == ExprKind::kNewArray ||
                (ir::loaded(a->value) && own_.locals.contains(ir::loaded(a->value))));
      });
      ir::for_each_place(s, [&](const ir::Place& p) { known += !p.local && is(p.array); });
      if (const auto* a = ir::try_as<ir::Assign>(s)) known += is(a->value);
      if (const auto* filled = fill_of(s)) known += is(filled->args[0]);
      ir::for_each_expr(s, [&](const Expr* e) {
        ir::for_each_subexpr(e, [&](const Expr* part) {
          named += is(part);
          if (const auto* element = ir::try_as<ir::Element>(part)) known += is(element->array);
          const auto* query = ir::try_as<ir::Query>(part);
          if (query && (query->op == ir::QueryOp::kShape || query->op == ir::QueryOp::kLen))
            known += is(query->operand);
        });
      });
      if (named - known != before) at = s->span;
    });
    if (!fits) return fail(here, "also names another array");
    return named != known && fail(at, "is used as a whole");
  }

  Span place_of(const Local* local) const {
    Span at{};
    ir::for_each_stmt(std::as_const(body_), [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      if (a && a->local == local && !at.valid()) at = s->span;
    });
    return at;
  }

  // Its bytes, if they are known in front of the loop.
  bool add_size(const ir::NewArray& made, const Once& once, const ir::LocalSet& assigned) {
    const ir::Builder b{program_, made.span};
    Expr* bytes = b.floating(types::item_size(made.type->elem));
    for (const Expr* extent : made.shape) {
      Expr* known = ir::Cloner(program_).expr(extent);
      once.replace(program_, known);
      if (ir::reads_any(known, assigned) || ir::reads(known, index_) || ir::reads_memory(known) ||
          ir::has_effect(known)) {
        own_.why =
            "every iteration makes an array of its own, whose size is not known in front of the "
            "loop";
        own_.at = made.span;
        return false;
      }
      Expr* number = b.expr<ir::Convert>(types::float64(), ir::ConvertOp::kRound, anywhere(known));
      bytes = b.plain(ir::BinaryOp::kMul, bytes, number);
    }
    own_.bytes.push_back(bytes);
    return true;
  }

  ir::Program& program_;
  Block& body_;
  const Local* index_;
  OwnArrays own_{};
};

// row = full(n, x)   ->   row = empty(n); for j in range(n): row[j] = x     x of each lane
// row[:] = x         ->   for j in range(n): row[j] = x
class Fill {
 public:
  Fill(ir::Program& program, ir::Function& f, const OwnArrays& own)
      : program_(program), f_(f), own_(own) {}

  void run(Block& body) {
    ir::replace_stmts(body, [&](Stmt* s, Block& out) { return replace(s, out); });
  }

 private:
  bool replace(Stmt* s, Block& out) {
    if (const auto* filled = fill_of(s)) {
      Local* array = ir::loaded(filled->args[0]);
      if (!array || !own_.locals.contains(array)) return false;
      const ir::Builder b{program_, s->span};
      axes(b, array, b.load(keep(b, filled->args[1], out)), {}, out);
      return true;
    }
    auto* a = ir::try_as<ir::Assign>(s);
    auto* made = a ? ir::try_as<ir::NewArray>(a->value) : nullptr;
    if (!made || !made->value || ir::constant(made->value)) return false;
    Expr* value = std::exchange(made->value, nullptr);
    made->fill = ir::Fill::kUninitialized;
    const ir::Builder b{program_, s->span};
    Local* kept = keep(b, value, out);  // which may read what the local held
    out.push_back(s);
    axes(b, a->local, b.load(kept), {}, out);
    return true;
  }

  Local* keep(const ir::Builder& b, Expr* value, Block& out) {
    f_.locals.push_back(b.temp("value", value->type));
    Local* kept = f_.locals.back();
    out.push_back(b.assign(kept, value));
    return kept;
  }

  void axes(const ir::Builder& b, Local* array, Expr* value, std::vector<ir::Index> at,
            Block& out) {
    const auto axis = int(at.size());
    if (axis == array->type->rank) {
      ir::Place place{nullptr, b.load(array), program_.list(at)};
      out.push_back(b.stmt<ir::Store>(place, value));
      return;
    }
    f_.locals.push_back(b.temp("i", types::int64()));
    Local* index = f_.locals.back();
    at.push_back({b.load(index), false, false});
    Block* inside = b.block();
    out.push_back(b.stmt<ir::For>(index, b.integer(0), b.extent(b.load(array), axis), b.integer(1),
                                  ir::LoopKind::kSerial, inside));
    axes(b, array, value, std::move(at), *inside);
  }

  ir::Program& program_;
  ir::Function& f_;
  const OwnArrays& own_;
};

class Widen {
 public:
  Widen(ir::Program& program, const OwnArrays& own, Local* lane)
      : program_(program), own_(own), lane_(lane) {}

  void run(Block& body) {
    for (const Local* local : own_.locals) ranks_[local] = local->type->rank;
    ir::for_each_expr_in(body, [&](Expr* e) {
      if (auto* element = ir::try_as<ir::Element>(e)) add_lane(element->array, element->indices);
    });
    ir::for_each_stmt(body, [&](Stmt* s) {
      ir::for_each_place(s, [&](ir::Place& place) {
        if (!place.local) add_lane(place.array, place.indices);
      });
    });
    for (const Local* local : own_.locals) const_cast<Local*>(local)->type = wider(local->type);
    ir::for_each_expr_in(body, [&](Expr* e) {
      if (const Local* local = ir::loaded(e); local && own_.locals.contains(local))
        e->type = local->type;
    });
    for (ir::NewArray* made : own_.made) made->type = wider(made->type);
  }

 private:
  static const types::Type* wider(const types::Type* array) {
    return types::array(array->elem, array->rank + 1, types::Layout::kC);
  }

  void add_lane(const Expr* array, ir::List<ir::Index>& indices) {
    const auto rank = ranks_.find(ir::loaded(array));
    if (rank == ranks_.end() || int(indices.size()) != rank->second) return;
    std::vector<ir::Index> all(indices.begin(), indices.end());
    all.push_back({ir::Builder{program_}.load(lane_), false, false});
    indices = program_.list(all);
  }

  ir::Program& program_;
  const OwnArrays& own_;
  Local* lane_;
  std::unordered_map<const Local*, int> ranks_{};  // as the source has them
};

}  // namespace

const char* const kOwnArray =
    "keep its items in variables, or make one array in front of the loop, with a row for each "
    "iteration";

OwnArrays own_arrays(ir::Program& program, ir::Function& f, Block& body, const Local* index) {
  OwnArrays own = Find(program, body, index).run();
  if (own.why.empty() && !own.made.empty()) Fill(program, f, own).run(body);
  return own;
}

void widen(ir::Program& program, Block& body, OwnArrays& own, Local* lane) {
  if (!own.made.empty()) Widen(program, own, lane).run(body);
}

void give_lanes(const ir::Builder& build, OwnArrays& own, int width) {
  for (ir::NewArray* made : own.made) {
    std::vector<Expr*> shape(made->shape.begin(), made->shape.end());
    shape.push_back(build.integer(width));
    made->shape = build.program.list(shape);
  }
}

Expr* are_small(const ir::Builder& build, const OwnArrays& own, int width) {
  Expr* sum = nullptr;
  ir::Cloner cloner(build.program);
  for (const Expr* bytes : own.bytes) {
    Expr* one = cloner.expr(bytes);
    sum = sum ? build.plain(ir::BinaryOp::kAdd, sum, one) : one;
  }
  if (!sum) return nullptr;
  return build.compare(ir::CompareOp::kLe, sum, build.floating(kMostBytes / width));
}

}  // namespace pyk2cu::emit
