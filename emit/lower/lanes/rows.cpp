// Rows: see rows.h.
//
// A local that is assigned once, a view of indices and whole axes, of an array that the body does
// not change, and of which nothing but elements and extents is asked. The indices are kept where
// the view stood, since what they are computed from may change before an element is asked for.
#include "emit/lower/lanes/rows.h"

#include <unordered_map>

#include "emit/lower/flow.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

namespace {

class Rows {
 public:
  Rows(ir::Program& program, ir::Function& f, Block& body)
      : program_(program), f_(f), body_(body), assigned_(ir::assigned_in(body)) {}

  void run() {
    find();
    drop_asked_otherwise();
    if (rows_.empty()) return;
    replace_views();
    ir::for_each_expr_in(body_, [&](Expr* e) {
      if (auto* element = ir::try_as<ir::Element>(e)) forward(element->array, element->indices);
      if (auto* query = ir::try_as<ir::Query>(e)) forward(*query);
    });
    ir::for_each_stmt(body_, [&](Stmt* s) {
      ir::for_each_place(s, [&](ir::Place& place) {
        if (!place.local) forward(place.array, place.indices);
      });
    });
  }

 private:
  struct Row {
    Local* base = nullptr;
    ir::List<ir::Subscript> subscripts{};
  };

  void find() {
    auto times = ir::count_assignments(body_);
    const Flow flow = flow_of(body_);
    ir::for_each_stmt(body_, [&](Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      const auto* view = a ? ir::try_as<ir::View>(a->value) : nullptr;
      if (!view || a->local->maybe_unbound || times[a->local] != 1) return;
      if (flow.exposes(a->local)) return;  // it may be the row of another iteration
      Local* base = ir::loaded(view->array);
      if (!base || assigned_.contains(base) || base->maybe_unbound) return;
      for (const ir::Subscript& part : view->subscripts)
        if (!is_index(part) && !is_whole(part)) return;
      rows_[a->local] = {base, view->subscripts};
    });
  }

  static bool is_index(const ir::Subscript& part) {
    return part.kind == ir::Subscript::Kind::kIndex;
  }
  static bool is_whole(const ir::Subscript& part) {
    return part.kind == ir::Subscript::Kind::kSlice && !part.lo && !part.hi && !part.step;
  }

  // What gets the view itself keeps it.
  void drop_asked_otherwise() {
    std::unordered_map<const Local*, int> named, known;
    const auto count = [&](const Expr* array) {
      if (const Local* local = ir::loaded(array)) ++known[local];
    };
    ir::for_each_expr_in(std::as_const(body_), [&](const Expr* e) {
      if (const Local* local = ir::loaded(e)) ++named[local];
      if (const auto* element = ir::try_as<ir::Element>(e)) count(element->array);
      if (const auto* query = ir::try_as<ir::Query>(e))
        if (query->op == ir::QueryOp::kShape || query->op == ir::QueryOp::kLen)
          count(query->operand);
    });
    ir::for_each_stmt(std::as_const(body_), [&](const Stmt* s) {
      ir::for_each_place(s, [&](const ir::Place& place) {
        if (!place.local) count(place.array);
      });
    });
    std::erase_if(rows_, [&](const auto& row) { return named[row.first] != known[row.first]; });
  }

  // row = a[i]   ->   at = i
  void replace_views() {
    ir::replace_stmts(body_, [&](Stmt* s, Block& out) {
      const auto* a = ir::try_as<ir::Assign>(s);
      const auto row = a ? rows_.find(a->local) : rows_.end();
      if (row == rows_.end()) return false;
      const ir::Builder build{program_, s->span};
      for (ir::Subscript& part : row->second.subscripts) {
        if (!is_index(part) || stays(part.index.value)) continue;
        f_.locals.push_back(build.temp("at", part.index.value->type));
        out.push_back(build.assign(f_.locals.back(), part.index.value));
        part.index.value = build.load(f_.locals.back());
      }
      return true;
    });
  }

  bool stays(const Expr* e) const {
    const Local* local = ir::loaded(e);
    return ir::constant(e) || (local && !assigned_.contains(local));
  }

  const Row* row_of(const Expr* array) const {
    const auto found = rows_.find(ir::loaded(array));
    return found == rows_.end() ? nullptr : &found->second;
  }

  void forward(Expr*& array, ir::List<ir::Index>& indices) {
    const Row* row = row_of(array);
    if (!row) return;
    const ir::Builder build{program_, array->span};
    std::vector<ir::Index> all;
    size_t next = 0;
    const auto rank = size_t(row->base->type->rank);
    for (const ir::Subscript& part : row->subscripts) {
      all.push_back(is_index(part) ? part.index : indices[next++]);
      if (is_index(part) && !ir::constant(part.index.value))
        all.back().value = build.load(ir::loaded(part.index.value));
    }
    while (all.size() < rank) all.push_back(indices[next++]);
    array = build.load(row->base);
    indices = program_.list(all);
  }

  void forward(ir::Query& query) {
    const Row* row = row_of(query.operand);
    if (!row) return;
    int axis = 0;
    int left = query.op == ir::QueryOp::kLen ? 0 : query.axis;  // whole axes before it
    for (const ir::Subscript& part : row->subscripts) {
      if (!is_index(part) && left-- == 0) break;
      ++axis;
    }
    if (left >= 0) axis += left;
    const ir::Builder build{program_, query.span};
    query.op = ir::QueryOp::kShape;
    query.axis = axis;
    query.operand = build.load(row->base);
  }

  ir::Program& program_;
  ir::Function& f_;
  Block& body_;
  const ir::LocalSet assigned_;
  std::unordered_map<const Local*, Row> rows_{};
};

}  // namespace

void forward_rows(ir::Program& program, ir::Function& f, Block& body) {
  Rows(program, f, body).run();
}

}  // namespace pyk2cu::emit
