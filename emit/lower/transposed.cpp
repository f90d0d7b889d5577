// Elements and extents of transposed arrays, as those of the arrays.
//
//   t = transpose(b); s += a[i, k] * t[k, j]; n = shape0(t)
//     ->   s += a[i, k] * b[j, k]; n = shape1(b)
//
// What follows has then one way to see rows and columns; panels know rows that lanes have each
// their own of.
// In:   functions as they are inferred, every element with its subscripts.  Out: the same values.
// Tested by tests/golden/passes/transposed.py and tests/run/test_transposed.py.
#include <unordered_map>

#include "emit/lower/lower.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

class Transposed {
 public:
  Transposed(ir::Program& program, ir::Function& f) : program_(program) {
    const auto times = ir::count_assignments(f.body);
    const auto assigned = [&](const Local* local) {
      const auto found = times.find(local);
      return found == times.end() ? 0 : found->second;
    };
    // Arrays that are the same wherever they can be read.
    ir::LocalSet stay;
    for (const Stmt* s : f.body)
      if (const auto* a = ir::try_as<ir::Assign>(s)) stay.insert(a->local);
    const auto stays = [&](const Local* local) {
      return local->is_param ? assigned(local) == 0 : assigned(local) == 1 && stay.contains(local);
    };
    ir::for_each_stmt(f.body, [&](Stmt* s) {
      auto* a = ir::try_as<ir::Assign>(s);
      auto* call = a && assigned(a->local) == 1 && !a->local->is_param
                       ? ir::try_as<ir::Builtin>(a->value)
                       : nullptr;
      Local* of = call && call->row->id == builtins::Id::pyk_transpose ? ir::loaded(call->args[0])
                                                                       : nullptr;
      if (of && stays(of)) of_[a->local] = of;
    });
    if (of_.empty()) return;
    ir::for_each_stmt(f.body, [&](Stmt* s) {
      ir::for_each_place(s, [&](ir::Place& place) {
        if (!place.local) turn(place.array, place.indices);
      });
      ir::for_each_expr(s, [&](Expr* top) {
        ir::for_each_subexpr(top, [&](Expr* e) {
          if (auto* element = ir::try_as<ir::Element>(e)) turn(element->array, element->indices);
          auto* query = ir::try_as<ir::Query>(e);
          if (query && (query->op == ir::QueryOp::kShape || query->op == ir::QueryOp::kStride))
            ask(*query);
        });
      });
    });
    while (drop_unread(f)) {
    }
  }

 private:
  // The array that the transposed one is of, itself perhaps a transposed one; null: there is none.
  Local* array_of(const Expr* e) const {
    const auto found = of_.find(ir::loaded(e));
    return found == of_.end() ? nullptr : found->second;
  }

  // Transposed arrays that nobody mentions any more; no: there are none.
  bool drop_unread(ir::Function& f) {
    ir::LocalSet read;
    ir::for_each_stmt(f.body, [&](const Stmt* s) {
      ir::for_each_local_of(s, [&](const Local* local, ir::Access access) {
        const auto* a = ir::try_as<ir::Assign>(s);
        if (access != ir::Access::kWrite || !a || a->local != local) read.insert(local);
      });
    });
    return std::erase_if(of_, [&](const auto& one) {
             const Local* local = one.first;
             if (read.contains(local)) return false;
             drop(f.body, local);
             return true;
           }) > 0;
  }
  static void drop(ir::Block& b, const Local* local) {
    std::erase_if(b, [&](Stmt* s) {
      ir::for_each_block(s, [&](ir::Block& inner) { drop(inner, local); });
      const auto* a = ir::try_as<ir::Assign>(s);
      return a && a->local == local;
    });
  }

  void turn(Expr*& array, ir::List<ir::Index>& indices) {
    while (Local* of = array_of(array)) {
      array = ir::Builder{program_, array->span}.load(of);
      indices = program_.list(std::vector<ir::Index>{indices.rbegin(), indices.rend()});
    }
  }

  void ask(ir::Query& query) {
    while (Local* of = query.axis >= 0 ? array_of(query.operand) : nullptr) {
      query.operand = ir::Builder{program_, query.span}.load(of);
      query.axis = int(of->type->rank) - 1 - query.axis;
    }
  }

  ir::Program& program_;
  std::unordered_map<const Local*, Local*> of_{};
};

}  // namespace

void transposed(ir::Program& program, ir::Function& f) { Transposed(program, f); }

}  // namespace pyk2cu::emit
