// prange loops become loops over cores: every variable that they write is classified.
//
//   private       assigned before it is read in every iteration, not read behind the loop
//   last_private  likewise, and read behind the loop: the last iteration's value
//   reduction     only accumulated into (reductions.cpp)
//   carried       anything else: PK5110
// Stores must hit elements of their own: an index that moves with the loop. Updates that do not
// become atomic; other stores get a lint. In: functions.  Out: For's clauses, Update::atomic; loops
// that stay serial say so. Tested by tests/golden/openmp and tests/run.
#include <algorithm>
#include <cmath>
#include <limits>

#include "emit/lower/costs.h"
#include "emit/lower/distinct.h"
#include "emit/lower/flow.h"
#include "emit/lower/interval.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lower.h"
#include "emit/lower/meetings.h"
#include "emit/lower/reductions.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

// Work below which starting the other threads costs more than it saves: about 10 microseconds.
constexpr int64_t kParallelWork = 32000;

// To one digit, as a person would write it: 1777 -> 2000.
int64_t rounded(int64_t n) {
  int64_t unit = 1;
  while (n / unit >= 10) unit *= 10;
  return (n + unit / 2) / unit * unit;
}

bool rounds(const ir::Reduction& r) {
  const bool sums = r.op == ir::ReduceOp::kAdd || r.op == ir::ReduceOp::kMul;
  return sums && (r.local->type->is_float() || r.local->type->is_complex());
}

class Parallel {
 public:
  Parallel(Lowering& lowering, ir::Function& f)
      : lowering_(lowering), program_(lowering.program), f_(f), effects_(f) {}

  void block(Block& b, bool inside) {
    Block all;
    for (Stmt* s : b) {
      auto* loop = ir::try_as<ir::For>(s);
      const bool asked = loop && loop->loop == ir::LoopKind::kParallel;
      extremes_.clear();
      if (asked && (inside || !classify(*loop))) loop->loop = ir::LoopKind::kSerial;
      Block behind;
      if (loop && loop->loop == ir::LoopKind::kParallel) begin_anew(*loop, all, behind);
      ir::for_each_block(s, [&](Block& inner) { block(inner, inside || asked); });
      all.push_back(s);
      all.insert(all.end(), behind.begin(), behind.end());
    }
    b = std::move(all);
  }

 private:
  // Fills in the clauses; false: it stays serial.
  bool classify(ir::For& s) {
    const ir::Const* step = ir::constant(s.step);
    if (!step || ir::has_exit(*s.body, &s)) return false;
    const Iterations iterations(s, effects_);
    variables(s, iterations);
    const auto& sums = s.reductions;
    if (lowering_.options.strict_fp && std::any_of(sums.begin(), sums.end(), rounds)) {
      s.reductions = {};  // the one order that does not hang on the threads
      s.last_private = {};
      return false;
    }
    s.form = step->value.integer > 0 ? ir::LoopForm::kUp : ir::LoopForm::kDown;
    s.copies = views(s, iterations);
    s.keeps_error = effects_.of(*s.body).raises;
    stores(s, iterations);
    costs(s);
    inner_loops(s);
    return true;
  }

  // OpenMP compares what every thread has found with what the variable held before, and loses a NaN
  // there. So the loop has a variable of its own: if (found > x) x = found.
  void begin_anew(ir::For& s, Block& before, Block& behind) {
    for (const auto& [local, op] : extremes_) {
      if (begins_with_number(before, local)) continue;
      ir::Cloner cloner(program_);
      Local* found = cloner.renew(local, f_);
      found->version = local->version + 1;
      const auto rename = [&, old = local](Local*& mentioned, ir::Access) {
        if (mentioned == old) mentioned = found;
      };
      ir::for_each_local(&s, rename);
      ir::for_each_stmt(*s.body, [&](Stmt* inner) {
        ir::for_each_local(inner, rename);
        ir::for_each_expr(inner, [&](Expr* e) {
          ir::for_each_subexpr(e, [&](Expr* part) { ir::for_each_local(part, rename); });
        });
      });
      const ir::Builder b{program_, s.span};
      const bool max = op == ir::ReduceOp::kMax;
      const double least = std::numeric_limits<double>::infinity() * (max ? -1 : 1);
      before.push_back(b.assign(found, b.floating(least, local->type)));
      Expr* better =
          b.compare(max ? ir::CompareOp::kGt : ir::CompareOp::kLt, b.load(found), b.load(local));
      behind.push_back(b.if_(better, b.block({b.assign(local, b.load(found))})));
    }
  }

  // Does the local hold a literal number behind the block?
  static bool begins_with_number(const Block& b, const Local* local) {
    for (size_t k = b.size(); k-- > 0;) {
      const auto* a = ir::try_as<ir::Assign>(b[k]);
      if (a && a->local == local) {
        const ir::Const* c = ir::constant(a->value);
        return c && !std::isnan(c->value.number.real());
      }
      if (ir::assigned_in(b[k]).contains(local)) return false;
    }
    return false;
  }

  // ---- variables -------------------------------------------------------------------------------
  void variables(ir::For& s, const Iterations& iterations) {
    std::vector<std::pair<Local*, Span>> assigned;  // in order of the text
    ir::for_each_stmt(*s.body, [&](Stmt* inner) {
      ir::for_each_local(inner, [&](Local* local, ir::Access access) {
        const auto same = [&](const auto& known) { return known.first == local; };
        if (access != ir::Access::kRead && std::none_of(assigned.begin(), assigned.end(), same))
          assigned.push_back({local, inner->span});
      });
    });
    const Flow flow = flow_of(*s.body);
    if (!behind_) behind_.emplace(f_.body);
    const ir::LocalSet& behind = behind_->of(&s);
    bool continues = false;  // some iterations end before they have assigned all
    ir::for_each_stmt(*s.body, [&](const Stmt* inner) {
      const auto* jump = ir::try_as<ir::Continue>(inner);
      continues = continues || (jump && jump->loop == &s);
    });
    std::vector<ir::Reduction> reductions;
    std::vector<Local*> last;
    for (const auto& [local, span] : assigned) {
      if (!iterations.assigned().contains(local)) continue;
      const bool exposed = flow.exposes(local);
      if (!exposed && !behind.contains(local)) continue;  // private
      if (!exposed && flow.assigns(local) && !continues) {
        last.push_back(local);
        continue;
      }
      if (const auto reduced = reduction_of(*s.body, local)) {
        reductions.push_back({reduced->op, local});
        if (reduced->keeps && local->type->is_float()) extremes_.push_back({local, reduced->op});
        continue;
      }
      report_once(span, diag::ParallelCarried, local->name.str(),
                  "use `range` for this loop, or make every update of the variable one of "
                  "`+=`, `*=`, `min`, `max`, `&=`, `|=`, `^=`");
    }
    s.reductions = program_.list(reductions);
    s.last_private = program_.list(last);
  }

  template <class Row>
  void report_once(Span span, const Row& row, std::string_view name, const char* help,
                   const char* more = nullptr) {
    if (!lowering_.is_new(span, row.code)) return;
    auto builder = lowering_.report(f_, span, row, name);
    builder.help(help);
    if (more) builder.help(more);
  }

  // Compilers reach shared views through a pointer: extents and strides, reloaded after every
  // store, hide that elements lie side by side. A copy per thread costs nothing.
  ir::List<Local*> views(const ir::For& s, const Iterations& iterations) {
    std::vector<Local*> found;
    ir::for_each_expr_in(*s.body, [&](Expr* e) {
      Local* local = ir::loaded(e);
      if (!local || !local->type->is_array() || iterations.assigned().contains(local)) return;
      if (std::find(found.begin(), found.end(), local) == found.end()) found.push_back(local);
    });
    return program_.list(found);
  }

  // ---- stores ----------------------------------------------------------------------------------
  void stores(ir::For& s, const Iterations& iterations) {
    const Meetings meetings(s, effects_);
    ir::for_each_stmt(*s.body, [&](Stmt* inner) {
      if (auto* store = ir::try_as<ir::Store>(inner))
        if (!iterations.has_own(store->place)) conflict(s, *store, iterations, meetings);
      auto* update = ir::try_as<ir::Update>(inner);
      if (update && !update->place.local && !iterations.has_own(update->place))
        conflict(*update, meetings);
    });
    ir::for_each_stmt(*s.body, [&](Stmt* inner) {
      ir::for_each_place(inner, [&](const ir::Place& place) {
        if (!place.local && !meetings.is_chosen(*inner))
          neighbours(*inner, place, iterations, meetings);
      });
    });
    shared_places(s, meetings);
    atomic_arrays(s, meetings);
    values_first(s, meetings);
    ir::for_each_expr_in(std::as_const(*s.body), [&](const Expr* e) {
      for (const Expr* array : ir::written_by(e))
        if (meetings.is_of_thread(array))
          continue;
        else if (!(e->kind == ir::ExprKind::kCall ? iterations.has_own_items(array)
                                                  : iterations.has_own(array)))
          written_elsewhere(e, array, s, iterations);
        else
          perhaps_one(e, array, s, iterations);
    });
  }

  // lists[i].append(x), dicts[i][k] = x: those at two places may be one, which two threads that
  // make it longer leave broken.
  void perhaps_one(const Expr* e, const Expr* array, const ir::For& s,
                   const Iterations& iterations) {
    std::vector<const ir::Builtin*> items = iterations.items_shown(array);
    std::erase_if(items,
                  [&](const ir::Builtin* item) { return iterations.has_own_items(item->args[0]); });
    if (items.empty()) return;
    const auto* builtin = ir::try_as<ir::Builtin>(e);
    const std::string_view name = name_of(items.front()->args[0]);
    if (!array->type->is_container() || (builtin && !builtin->row->changes_length()))
      scattered(e->span, name);
    else if (!are_apart(items, s, iterations))
      report_once(e->span, diag::ParallelConflict, name,
                  "make the items in the function, each anew as in `[[] for _ in range(n)]`, and "
                  "let an iteration come to its own alone: `a[i]`, `i` from 0 on");
  }

  // Are the items each another one, and does the iteration come to no other item of such lists?
  bool are_apart(const std::vector<const ir::Builtin*>& items, const ir::For& s,
                 const Iterations& iterations) const {
    const Expr* at = items.front()->args[1];
    bool apart = iterations.moves(at) && is_at_least_zero(at, s);
    for (const ir::Builtin* item : items) {
      const Local* lists = ir::loaded(item->args[0]);
      apart = apart && lists && !iterations.assigned().contains(lists) &&
              ir::equal(item->args[1], at) && holds_distinct_items(f_, lists);
    }
    const types::Type *list = items.front()->args[0]->type, *type = list->elem;
    ir::for_each_expr_in(std::as_const(*s.body), [&](const Expr* e) {
      const Local* local = ir::loaded(e);
      if (local && local->type == type) apart = apart && iterations.assigned().contains(local);
      const auto* builtin = ir::try_as<ir::Builtin>(e);
      if (!builtin || builtin->args.empty() || builtin->args[0]->type != list) return;
      using builtins::Id;
      const Id id = builtin->row->id;
      apart = apart && (id == Id::pyk_list_size || id == Id::pyk_list_lacks ||
                        (id == Id::pyk_list_item && ir::equal(builtin->args[1], at)));
    });
    return apart;
  }

  // Of an iteration's index, from 0 on, and what is added to it.
  static bool is_at_least_zero(const Expr* e, const ir::For& s) {
    if (const ir::Const* c = ir::constant(e)) return c->value.integer >= 0;
    const auto* binary = ir::try_as<ir::Binary>(e);
    if (binary && (binary->op == BinaryOp::kAdd || binary->op == BinaryOp::kMul) && binary->plain)
      return is_at_least_zero(binary->left, s) && is_at_least_zero(binary->right, s);
    const ir::Const *lo = ir::constant(s.lo), *step = ir::constant(s.step);
    return ir::loaded(e) == s.index && lo && lo->value.integer >= 0 && step &&
           step->value.integer > 0;
  }

  // Are items of lists of this type asked for?
  static bool is_read(const types::Type* list, const ir::For& s) {
    bool found = false;
    ir::for_each_expr_in(std::as_const(*s.body), [&](const Expr* e) {
      const auto* builtin = ir::try_as<ir::Builtin>(e);
      found = found || (builtin && builtin->row->id != builtins::Id::pyk_list_set &&
                        builtin->row->id != builtins::Id::pyk_list_lacks &&
                        !builtin->args.empty() && builtin->args[0]->type == list);
    });
    return found;
  }

  // By a helper, say. A number that it gets and that is another one in every iteration may well be
  // the subscript.
  void written_elsewhere(const Expr* e, const Expr* array, const ir::For& s,
                         const Iterations& iterations) {
    const auto* builtin = ir::try_as<ir::Builtin>(e);
    const bool stores = builtin && builtin->row->id == builtins::Id::pyk_list_set;
    const bool moved =
        stores && iterations.moves(builtin->args[1]) &&
        (!types::holds_array(array->type->elem) || is_at_least_zero(builtin->args[1], s));
    if (moved && (!types::holds_array(array->type->elem) || !is_read(array->type, s))) return;
    if (stores && !types::holds_array(array->type->elem)) return scattered(e->span, name_of(array));
    if (array->type->is_container())  // by a helper too: it may get longer
      return report_once(e->span, diag::ParallelConflict, name_of(array),
                         "make it inside of the loop, or an array with a place for each "
                         "iteration");
    bool moves = false;
    ir::for_each_operand(e, [&](const Expr* arg) {
      moves = moves || (arg->type->is_int() && iterations.moves(arg));
    });
    if (moves) return;
    const bool reads_it = have_common(effects_.of(e).reads, effects_.memory(array));
    if (reads_it && !varies(e, s, iterations))
      report_once(e->span, diag::ParallelConflict, name_of(array), kAdvice);
    else
      scattered(e->span, name_of(array));
  }

  // a[i] = a[i - 1] + 1: what another iteration stores.
  void neighbours(Stmt& s, const ir::Place& place, const Iterations& iterations,
                  const Meetings& meetings) {
    bool meets = false;
    ir::for_each_expr(&s, [&](const Expr* e) {
      ir::for_each_subexpr(e, [&](const Expr* part) {
        const auto* read = ir::try_as<ir::Element>(part);
        meets = meets || (read && ir::equal(read->array, place.array) &&
                          iterations.meet(place.indices, read->indices));
      });
    });
    if (meets) report_race(place, s, meetings, kOtherArray);
  }

  // An update of one's own element that other places of the body may meet in another iteration:
  // a[i] += 1; a[i + 1] += 1. None does where all have one axis along which they move alike.
  void shared_places(ir::For& s, const Meetings& meetings) {
    std::vector<std::pair<ir::Root, std::vector<const ir::Place*>>> by_memory;
    ir::for_each_stmt(*s.body, [&](Stmt* inner) {
      ir::for_each_place(inner, [&](const ir::Place& place) {
        if (place.local) return;
        for (const ir::Root root : effects_.memory(place.array)) {
          const auto is_it = [&](const auto& one) { return one.first == root; };
          auto found = std::ranges::find_if(by_memory, is_it);
          if (found == by_memory.end()) found = by_memory.insert(found, {root, {}});
          found->second.push_back(&place);
        }
      });
    });
    const Iterations iterations(s, effects_);
    for (const auto& [root, places] : by_memory) {
      if (places.size() < 2 || have_common_axis(places, iterations)) continue;
      ir::for_each_stmt(*s.body, [&](Stmt* inner) {
        auto* update = ir::try_as<ir::Update>(inner);
        if (update && !update->place.local && effects_.memory(update->place.array).contains(root) &&
            !iterations.has_own(update->place.array))
          conflict(*update, meetings);
      });
    }
  }

  static bool have_common_axis(const std::vector<const ir::Place*>& places,
                               const Iterations& iterations) {
    const ir::Place& first = *places.front();
    for (size_t axis = 0; axis < first.indices.size(); ++axis) {
      const Expr* index = first.indices[axis].value;
      const auto has_it = [&](const ir::Place* place) {
        return place->indices.size() == first.indices.size() &&
               ir::equal(place->indices[axis].value, index);
      };
      if (iterations.moves(index) && std::ranges::all_of(places, has_it)) return true;
    }
    return false;
  }

  static bool have_common(const std::set<ir::Root>& a, const std::set<ir::Root>& b) {
    return std::ranges::any_of(a, [&](ir::Root root) { return b.contains(root); });
  }

  // Is it another one in every iteration, as far as the locals in it say?
  static bool varies(const Expr* e, const ir::For& s, const Iterations& iterations) {
    bool found = false;
    ir::for_each_subexpr(e, [&](const Expr* part) {
      const Local* local = ir::loaded(part);
      found = found || (local && (local == s.index || iterations.assigned().contains(local)));
    });
    return found;
  }

  void scattered(Span span, std::string_view array) {
    report_once(span, diag::ParallelScatter, array, kAdvice,
                "if the elements differ all the same, say `# pyk2cu: ignore[PK7010]` on this "
                "line");
  }

  // Where one update of an array is atomic, all are: an iteration's own element may be the other's.
  void atomic_arrays(ir::For& s, const Meetings& meetings) {
    std::vector<ir::Update*> updates;
    std::vector<const Expr*> shared;
    ir::for_each_stmt(*s.body, [&](Stmt* inner) {
      auto* update = ir::try_as<ir::Update>(inner);
      if (!update || update->place.local) return;
      updates.push_back(update);
      if (update->atomic) shared.push_back(update->place.array);
    });
    if (shared.empty()) return;
    for (ir::Update* update : updates) {
      const std::set<ir::Root> memory = effects_.memory(update->place.array);
      const auto meets = [&](const Expr* e) { return have_common(effects_.memory(e), memory); };
      if (!update->atomic && std::any_of(shared.begin(), shared.end(), meets))
        conflict(*update, meetings);
    }
  }

  // a[k] += 1 - a[k]   ->   value = 1 - a[k]; a[k] += value     of which the second is atomic:
  // OpenMP takes no values that read what is updated.
  void values_first(ir::For& s, const Meetings& meetings) {
    ir::replace_stmts(*s.body, [&](Stmt* inner, Block& out) {
      auto* update = ir::try_as<ir::Update>(inner);
      if (!update || !update->atomic || !meetings.reads(update->value, update->place)) return false;
      const ir::Builder b{program_, update->span};
      Local* value = b.temp("value", update->value->type);
      f_.locals.push_back(value);
      out.push_back(b.assign(value, update->value));
      update->value = b.load(value);
      return false;
    });
  }

  static std::string_view name_of(const Expr* array) {
    if (const Local* local = ir::loaded(array)) return local->name.str();
    const auto* builtin = ir::try_as<ir::Builtin>(array);
    if (builtin && builtin->row->is_item()) return name_of(builtin->args[0]);
    return array->type->is_list()   ? "the list"
           : array->type->is_set()  ? "the set"
           : array->type->is_dict() ? "the dict"
                                    : "the array";
  }

  // Several iterations read and store one element: surely, or where subscripts turn out equal.
  void report_race(const ir::Place& place, const Stmt& at, const Meetings& meetings,
                   const char* advice) {
    const std::string_view name = name_of(place.array);
    if (meetings.may_differ(place, at) && !place.array->type->is_container())
      report_once(at.span, diag::ParallelUpdate, name, advice,
                  "if the elements differ all the same, say `# pyk2cu: ignore[PK7011]` on this "
                  "line");
    else
      report_once(at.span, diag::ParallelConflict, name, advice);
  }

  void conflict(ir::Update& update, const Meetings& meetings) {
    if (meetings.is_of_thread(update.place)) return;
    const bool adds = update.op == BinaryOp::kAdd || update.op == BinaryOp::kSub;
    const types::Type* type = update.place.type();
    update.atomic = type->is_real()
                        ? update.op != BinaryOp::kFloorDiv && update.op != BinaryOp::kMod
                        : type->is_complex() && adds;
    if (!update.atomic) return report_race(update.place, update, meetings, kOwnElement);
    if (meetings.reads(update.value, update.place))
      report_race(update.place, update, meetings, kNotRead);
  }

  void conflict(ir::For& s, ir::Store& store, const Iterations& iterations,
                const Meetings& meetings) {
    if (meetings.is_of_thread(store.place)) return;
    // A flag that any iteration may set, to the same value, is no race to warn of.
    if (meetings.reads(store.value, store.place))
      report_race(store.place, store, meetings, kAdvice);
    else if (ir::reads_memory(store.value) || varies(store.value, s, iterations))
      scattered(store.span, name_of(store.place.array));
  }

  // ---- costs -----------------------------------------------------------------------------------
  // Columns of one or two bytes, of which a line of memory holds those of many iterations: threads
  // that take a few at a time wait for one another's lines.
  static bool writes_narrow_columns(const ir::For& s) {
    bool found = false;
    const auto look = [&](const types::Type* array, const Expr* last) {
      found = found || (array->layout == types::Layout::kC && array->rank > 1 &&
                        array->elem->bits <= 16 && ir::loaded(last) == s.index);
    };
    ir::for_each_stmt(std::as_const(*s.body), [&](const Stmt* inner) {
      ir::for_each_place(inner, [&](const ir::Place& place) {
        if (!place.local) look(place.array->type, place.indices.back().value);
      });
      for (const Expr* written : ir::written_by(inner))
        if (const auto* view = ir::try_as<ir::View>(written);
            view && view->subscripts.back().kind == ir::Subscript::Kind::kIndex)
          look(view->array->type, view->subscripts.back().index.value);
    });
    return found;
  }

  void costs(ir::For& s) {
    const LoopCost cost = cost_of(s);
    const bool nested = cost.ranges.size() > 1;
    if (cost.uneven && !writes_narrow_columns(s))
      s.schedule = nested ? ir::Schedule::kOneByOne : ir::Schedule::kSmall;
    const int64_t threshold = rounded(kParallelWork / std::max<int64_t>(cost.weight, 1));
    if (cost.ranges.empty() || cost.is_open || threshold <= 1) return;
    const ir::Builder b{program_, s.span};
    ir::Cloner cloner(program_);
    Expr* product = nullptr;
    for (const auto& [lo, hi] : cost.ranges) {
      Expr* turns = cloner.expr(hi);
      if (!ir::constant(lo)) turns = b.plain(BinaryOp::kSub, turns, cloner.expr(lo));
      turns = anywhere(turns);  // in front of the loops whose ends it names
      if (nested)               // no product is too large for a float
        turns = b.expr<ir::Convert>(types::float64(), ir::ConvertOp::kRound, turns);
      else if (turns->type != types::int64())
        turns = b.expr<ir::Convert>(types::int64(), ir::ConvertOp::kWrap, turns);
      product = product ? b.plain(BinaryOp::kMul, product, turns) : turns;
    }
    Expr* least = nested ? b.floating(double(threshold)) : b.integer(threshold);
    s.worth = b.compare(ir::CompareOp::kGt, product, least);
  }

  // ---- lanes -----------------------------------------------------------------------------------
  // Innermost loops that accumulate into a reduction variable may do so in several lanes.
  void inner_loops(ir::For& outer) {
    ir::for_each_stmt(*outer.body, [&](Stmt* inner) {
      if (auto* loop = ir::try_as<ir::For>(inner)) lane_loop(outer, *loop);
    });
  }

  void lane_loop(const ir::For& outer, ir::For& s) {
    if (!ir::is_int_const(s.step, 1)) return;
    const Iterations iterations(s, effects_);
    std::vector<ir::Reduction> reductions;
    for (const ir::Reduction& r : outer.reductions)
      if (iterations.assigned().contains(r.local) && r.local->type->is_float())
        reductions.push_back(r);
    if (reductions.empty() || !iterations.are_straight()) return;
    const Flow flow = flow_of(*s.body);
    for (const Local* local : iterations.assigned()) {
      const bool reduces = std::any_of(reductions.begin(), reductions.end(),
                                       [&](const ir::Reduction& r) { return r.local == local; });
      if (!reduces && flow.exposes(local)) return;
    }
    s.simd = true;
    s.reductions = program_.list(reductions);
  }

  static constexpr const char* kOwnElement = "index it with the variable of the `prange` loop";
  static constexpr const char* kOtherArray = "store into another array than the one that is read";
  static constexpr const char* kAdvice =
      "index it with the variable of the `prange` loop, or update it by `+=`";
  static constexpr const char* kNotRead =
      "index it with the variable of the `prange` loop, or add what reads no element of it";

  Lowering& lowering_;
  ir::Program& program_;
  ir::Function& f_;
  const ir::EffectAnalysis effects_;
  std::vector<std::pair<Local*, ir::ReduceOp>> extremes_{};  // of floats, of this loop
  std::optional<ReadBehind> behind_{};                       // once a loop asks
};

}  // namespace

void parallel(Lowering& lowering) {
  for (ir::Function* f : lowering.program.functions) Parallel(lowering, *f).block(f->body, false);
}

}  // namespace pyk2cu::emit
