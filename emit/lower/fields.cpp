// Records as structures of arrays: fields are arrays of their own, beside their records.
//
//   for i …: r = a[i]; s += field(r, 8)    ->    a_mass = field(a, 8); for i …: s += a_mass[i]
//
// What follows knows loops over arrays, and no records. A record that is assigned in one place is
// its array and the place in it; fields of arrays that are assigned once have a name from there on.
// In:   functions as they are inferred.  Out: fields are locals, but for those of arrays and
// records that are assigned several times, and of records that helpers are given.
// Tested by tests/golden/passes/fields.py and tests/run/test_records.py.
#include <algorithm>
#include <unordered_map>

#include "emit/lower/flow.h"
#include "emit/lower/lower.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"
#include "typeinfer/types/records.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

using types::holds_records;

// The view of a field; null: something else.
ir::Builtin* field_view(Expr* e) {
  auto* call = ir::try_as<ir::Builtin>(e);
  const bool is_field =
      call && (call->row->id == Id::pyk_field || call->row->id == Id::pyk_packed_field);
  return is_field ? call : nullptr;
}

class Fields {
 public:
  Fields(ir::Program& program, ir::Function& f) : program_(program), f_(f) {
    const auto times = ir::count_assignments(f.body);
    for (const Local* local : f.locals) {
      const bool is_shared = std::ranges::find(f.shared, local) != f.shared.end();
      if (!holds_records(local->type) || local->maybe_unbound || is_shared) continue;
      const auto found = times.find(local);
      const int assigned = found == times.end() ? 0 : found->second;
      if (assigned + (local->is_param ? 1 : 0) == 1) settled_.insert(local);
    }
  }

  void run() {
    if (settled_.empty()) return;
    ir::for_each_stmt(f_.body, [&](Stmt* s) {
      ir::for_each_expr(s, [&](Expr* e) {
        ir::for_each_subexpr(e, [&](Expr* part) {
          if (ir::Builtin* view = field_view(part)) combine(*view);
        });
      });
    });
    place_records(f_.body);
    if (!places_.empty()) {
      put_places();
      drop(f_.body, mentions_in(f_.body));
    }
    name_fields();
  }

 private:
  // Where a record is: an array that is assigned once, or records in the fields of one, and what
  // stays the same while the record does.
  struct At {
    Expr* array;
    std::vector<ir::Index> indices;
  };

  // The local whose records, or records inside of them, the expression shows; null: another one.
  Local* settled(Expr* records) const {
    if (ir::Builtin* view = field_view(records)) records = view->args[0];
    Local* local = ir::loaded(records);
    return local && settled_.contains(local) ? local : nullptr;
  }

  // A field of a record that is a field: field(field(a, 8), 4) -> field(a, 12)
  void combine(ir::Builtin& view) {
    ir::Builtin* outer = field_view(view.args[0]);
    if (!outer) return;
    combine(*outer);
    const ir::Builder build{program_, view.span};
    std::vector<Expr*> args(view.args.begin(), view.args.end());
    args[0] = outer->args[0];
    args[1] = build.integer(
        ir::constant(outer->args[1])->value.integer + ir::constant(args[1])->value.integer,
        types::int32());
    view.args = program_.list(args);
  }

  // ---- records that are elements of a named array ----

  void place_records(Block& block) {
    Block out;
    for (Stmt* s : block) {
      auto* loop = ir::try_as<ir::For>(s);
      if (loop) loops_.push_back(loop);
      ir::for_each_block(s, [&](Block& inner) { place_records(inner); });
      if (loop) loops_.pop_back();
      if (auto* a = ir::try_as<ir::Assign>(s)) place(*a, out);
      out.push_back(s);
    }
    block = std::move(out);
  }

  void place(ir::Assign& a, Block& before) {
    auto* view = ir::try_as<ir::View>(a.value);
    const bool is_one = view && holds_records(a.local->type) && a.local->type->rank == 0 &&
                        settled_.contains(a.local) && settled(view->array);
    if (!is_one) return;
    At at{view->array, {}};
    const ir::Builder build{program_, a.span};
    for (ir::Subscript& s : view->subscripts) {
      ir::Index& index = s.index;
      if (!ir::constant(index.value) && !is_turn(index.value, a.local)) {
        Local* local = f_.locals.emplace_back(build.temp("at", index.value->type));
        before.push_back(build.assign(local, index.value));
        index.value = build.load(local);
      }
      at.indices.push_back(index);
    }
    places_.emplace(a.local, std::move(at));
  }

  // The index of a loop around it, in which every turn gives the record anew before it is read?
  bool is_turn(const Expr* e, const Local* record) {
    const Local* index = ir::loaded(e);
    const auto loop =
        std::ranges::find_if(loops_, [&](const ir::For* one) { return one->index == index; });
    if (!index || loop == loops_.end()) return false;
    const auto [known, is_new] = facts_.try_emplace(*loop);
    if (is_new) {
      known->second.mentions = mentions_in(*(*loop)->body);
      known->second.flow = flow_of(*(*loop)->body);
    }
    if (all_.empty()) all_ = mentions_in(f_.body);
    return known->second.mentions[record] == all_[record] && !known->second.flow.exposes(record);
  }

  using Mentions = std::unordered_map<const Local*, size_t>;  // of records
  static Mentions mentions_in(const Block& block) {
    Mentions out;
    const auto count = [&](const Local* local) {
      if (local && holds_records(local->type)) ++out[local];
    };
    ir::for_each_stmt(block, [&](const Stmt* s) {
      ir::for_each_local(s, [&](const Local* local, ir::Access) { count(local); });
      ir::for_each_expr(s, [&](const Expr* top) {
        ir::for_each_subexpr(top, [&](const Expr* part) { count(ir::loaded(part)); });
      });
    });
    return out;
  }

  // field(r)[k] -> field(a)[i, k]
  void put(Expr*& array, ir::List<ir::Index>& indices) {
    ir::Builtin* view = field_view(array);
    const Local* record = view ? ir::loaded(view->args[0]) : nullptr;
    const auto found = record ? places_.find(record) : places_.end();
    if (found == places_.end()) return;
    const At& at = found->second;
    const ir::Builder build{program_, array->span};
    ir::Cloner copies(program_);
    std::vector<ir::Index> all;
    for (const ir::Index& i : at.indices) all.push_back({copies.expr(i.value), i.wrap, i.check});
    all.insert(all.end(), indices.begin(), indices.end());
    std::vector<Expr*> args(view->args.begin(), view->args.end());
    args[0] = copies.expr(at.array);
    const types::Type* from = view->type;
    const types::Type* type =
        types::array(from->elem, at.array->type->rank + from->rank, types::Layout::kA,
                     at.array->type->readonly, from->aligned);
    auto* whole = build.expr<ir::Builtin>(type, view->row, program_.list(args), view->type_args);
    combine(*whole);
    array = whole;
    indices = program_.list(all);
  }

  void put_places() {
    ir::for_each_stmt(f_.body, [&](Stmt* s) {
      ir::for_each_place(s, [&](ir::Place& place) {
        if (!place.local) put(place.array, place.indices);
      });
      ir::for_each_expr(s, [&](Expr* e) {
        ir::for_each_subexpr(e, [&](Expr* part) {
          if (auto* element = ir::try_as<ir::Element>(part)) put(element->array, element->indices);
        });
      });
    });
  }

  // Records that are mentioned nowhere but where they are assigned.
  void drop(Block& block, const Mentions& left) {
    std::erase_if(block, [&](Stmt* s) {
      ir::for_each_block(s, [&](Block& inner) { drop(inner, left); });
      const auto* a = ir::try_as<ir::Assign>(s);
      return a && places_.contains(a->local) && left.at(a->local) == 1;
    });
  }

  // ---- fields of named arrays ----

  void name_fields() {
    ir::for_each_stmt(f_.body,
                      [&](Stmt* s) { ir::for_each_expr(s, [&](Expr*& e) { name_in(e); }); });
    Block body;
    for (const ir::Param& p : f_.params) add_named(p.local, body);
    define(f_.body);
    f_.body.insert(f_.body.begin(), body.begin(), body.end());
  }

  void name_in(Expr*& e) {
    ir::for_each_operand(e, [&](Expr*& operand) { name_in(operand); });
    ir::Builtin* view = field_view(e);
    Local* records = view ? ir::loaded(view->args[0]) : nullptr;
    if (!records || !settled_.contains(records)) return;
    std::vector<Stmt*>& all = named_[records];
    const auto same = std::ranges::find_if(
        all, [&](Stmt* s) { return ir::equal(ir::as<ir::Assign>(s)->value, e); });
    const ir::Builder build{program_, e->span};
    if (same != all.end()) {
      e = build.load(ir::as<ir::Assign>(*same)->local);
      return;
    }
    Local* local = f_.locals.emplace_back(build.temp(stem(records, *view), e->type));
    local->records = records;
    all.push_back(build.assign(local, e));
    e = build.load(local);
  }

  // particles_x, particles_at_y
  static std::string stem(const Local* records, const ir::Builtin& view) {
    const types::Type* record = records->type->elem;
    int64_t offset = ir::constant(view.args[1])->value.integer;
    std::string name(records->name.str());
    for (bool found = true; found && record->is_record();) {
      found = false;
      for (size_t k = 0; k < record->items.size() && !found; ++k) {
        const int64_t begin = record->numbers[k];
        found = offset >= begin && offset < begin + types::field_size(record->items[k]);
        if (!found) continue;
        name += "_" + std::string(record->names[k].str());
        offset -= begin;
        const bool inside = record->items[k]->is_record() && view.type->elem != record->items[k];
        record = inside ? record->items[k] : types::void_();
      }
    }
    return name;
  }

  void add_named(const Local* records, Block& out) {
    const auto found = named_.find(records);
    if (found == named_.end()) return;
    out.insert(out.end(), found->second.begin(), found->second.end());
  }

  void define(Block& block) {
    Block out;
    for (Stmt* s : block) {
      ir::for_each_block(s, [&](Block& inner) { define(inner); });
      out.push_back(s);
      if (const auto* a = ir::try_as<ir::Assign>(s)) add_named(a->local, out);
    }
    block = std::move(out);
  }

  ir::Program& program_;
  ir::Function& f_;
  ir::LocalSet settled_{};               // of records, with one value: assigned once, or parameters
  std::vector<const ir::For*> loops_{};  // around
  struct Facts {
    Mentions mentions{};
    Flow flow{};
  };
  std::unordered_map<const ir::For*, Facts> facts_{};  // of loops
  Mentions all_{};                                     // of the function
  std::unordered_map<const Local*, At> places_{};
  std::unordered_map<const Local*, std::vector<Stmt*>> named_{};  // the fields' assignments
};

}  // namespace

void fields(ir::Program& program, ir::Function& f) { Fields(program, f).run(); }

}  // namespace pyk2cu::emit
