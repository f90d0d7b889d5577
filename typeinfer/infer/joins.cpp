// Edges, phis, loop headers: see joins.h. Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include "typeinfer/infer/joins.h"

#include <algorithm>

#include "typeinfer/infer/constants.h"
#include "typeinfer/infer/conversions.h"
#include "typeinfer/ir/clone.h"

namespace pyk2cu::infer {

scope::VersionId Joins::only_way(scope::VersionId phi) const {
  const auto way = only_way_.find(phi);
  return way == only_way_.end() ? scope::kNoVersion : way->second;
}

const std::vector<scope::Flow>* Joins::flows(uint64_t key) const {
  const auto found = names_.versions().edges.find(key);
  return found == names_.versions().edges.end() ? nullptr : &found->second;
}

void Joins::report_cannot_unify(scope::VersionId phi, const Held& a, const Held& b) {
  const auto type_name = [](const Operand& o) {
    return o.is_value()    ? types::print(o.type())
           : o.is<None>()  ? "None"
           : o.is<Range>() ? "range"
                           : "a compile-time value";
  };
  const std::string_view name = version(phi).name.str();
  in_.report(b.span, diag::CannotUnify, name, type_name(a.what), type_name(b.what))
      .note(a.span, diag::AssignedHere, name, type_name(a.what));
}

// ---- copies ------------------------------------------------------------------------------------

// phi = from, in the current block, unless both are one local.
void Joins::copy_into(const Held& phi, const Held& from, Span span) {
  if (phi.bounds[0]) {
    if (from.what.is<Range>()) copy_bounds(phi, from.what.as<Range>(), span);
    return;
  }
  if (!phi.local || !phi.known() || phi.local == from.local) return;
  ir::Expr* value = nullptr;
  if (from.local) {
    value = cast(in_, in_.load(from.local, span), phi.local->type);
  } else if (from.what.is<None>()) {
    value = zero(in_, phi.local->type, span);
  }
  if (value) in_.emit_assign(phi.local, value, span);
}

void Joins::copy_bounds(const Held& phi, const Range& from, Span span) {
  const Value* const values[] = {&from.lo, &from.hi, &from.step};
  for (size_t k = 0; k < phi.bounds.size(); ++k) {
    const auto* load = ir::try_as<ir::Load>(values[k]->expr);
    if (load && load->local == phi.bounds[k]) continue;
    ir::Expr* value = ir::Cloner(in_.context().program()).expr(values[k]->expr);
    in_.emit_assign(phi.bounds[k], cast(in_, value, phi.bounds[k]->type), span);
  }
}

// Where a way brings nothing known: something defined.
void Joins::clear(const Held& phi) {
  for (ir::Local* bound : phi.bounds)
    if (bound) in_.emit_assign(bound, zero(in_, bound->type, phi.span), phi.span);
  if (!phi.local) return;
  if (ir::Expr* value = zero(in_, phi.what.type(), phi.span))
    in_.emit_assign(phi.local, value, phi.span);
}

void Joins::place_copies(scope::VersionId phi) {
  const Held& held = names_.held(phi);
  for (const PendingCopy& copy : copies_) {
    if (copy.phi != phi || (held.local && copy.held.local == held.local)) continue;
    const ir::Block* code = in_.into_block([&] {
      if (copy.held.known()) {
        copy_into(held, copy.held, copy.held.span);
      } else {
        clear(held);
      }
    });
    insert_before(*copy.block, copy.before, *code);
  }
}

namespace {

// Of a value or the bounds of a range, or null.
const Type* type_of(const Operand& o) { return o.is<Range>() ? o.as<Range>().type() : o.type(); }

}  // namespace

// ---- loops -------------------------------------------------------------------------------------

// Along a way into a loop header, whose types are those of earlier walks.
void Joins::feed_back(scope::VersionId phi, const Held& from, Span span) {
  if (!from.known()) return;
  Held& fed = rounds_.fed_back[phi];
  const Operand before = fed.what;
  if (!merge(fed.what, from.what, in_.dialect())) {
    report_cannot_unify(phi, fed, from);
    return;
  }
  if (!fed.span.valid() || before.is_error()) fed.span = from.span;
  if (before.meaning.index() != fed.what.meaning.index() || type_of(before) != type_of(fed.what))
    in_.context().change();
  const Held& held = names_.held(phi);
  if (held.known() && type_of(held.what) == type_of(fed.what)) copy_into(held, from, span);
}

// A literal that the body assigns has its type before anything else: Numba's first round knows it.
void Joins::expect_literals(scope::VersionId phi, Held& fed) {
  if (names_.declared(version(phi).name)) return;
  for (const scope::VersionId from : version(phi).incoming) {
    const auto value = names_.versions().values.find(from);
    if (value == names_.versions().values.end()) continue;
    const auto* constant = ast::as<ast::Constant>(value->second);
    if (!constant) continue;
    const Operand what = literal(in_, *constant);
    if (what.is_value() && fed.what.is_value()) merge(fed.what, what, in_.dialect());
  }
}

void Joins::enter_loop(const ast::Node& loop) {
  const auto* ways = flows(scope::edge_key(loop, 0));
  if (!ways) return;
  for (const scope::Flow& flow : *ways) {
    if (!version(flow.phi).header) continue;
    const Held from = names_.held(flow.from);
    Held& fed = rounds_.fed_back[flow.phi];
    if (!merge(fed.what, from.what, in_.dialect())) report_cannot_unify(flow.phi, fed, from);
    if (!fed.span.valid()) fed.span = from.span;
    if (rounds_.growth.in_first_walk()) expect_literals(flow.phi, fed);
    Held held = fed;
    if (!held.what.is_value() && !held.what.is<Range>()) {
      if (held.known() && from.known()) held.what = from.what;
      names_.set_held(flow.phi, std::move(held));
      continue;
    }
    names_.make_locals(flow.phi, held);
    names_.set_held(flow.phi, held);
    if (from.known()) {
      copy_into(held, from, from.span);
    } else {
      clear(held);
    }
  }
}

// CPython tests a while loop at its end: behind it, the types are those that came back this time.
// Of a for loop they are those of the header. When they differ this walk is thrown away anyway.
void Joins::leave_while(const ast::While& loop) {
  const auto* ways = flows(scope::edge_key(loop, 0));
  if (!ways) return;
  for (const scope::Flow& flow : *ways) {
    Held held = names_.held(flow.phi);
    const Held& fed = rounds_.fed_back[flow.phi];
    if (!version(flow.phi).header || !fed.what.is_value() || held.what.type() == fed.what.type())
      continue;
    held.what = fed.what;
    held.local = names_.local_for(flow.phi, fed.what.type(), fed.span);
    names_.set_held(flow.phi, std::move(held));
  }
}

// ---- edges and joins ---------------------------------------------------------------------------

void Joins::edge(uint64_t key, ir::Stmt* before) {
  if (!reachable_) return;
  const auto* ways = flows(key);
  if (!ways) return;
  for (const scope::Flow& flow : *ways) {
    const Held& from = names_.held(flow.from);
    if (version(flow.phi).header) {
      feed_back(flow.phi, from, from.span);
    } else {
      copies_.push_back({flow.phi, flow.from, from, &in_.block(), before});
    }
  }
}

bool Joins::has_join(const ast::Node& at) const { return names_.versions().joins.contains(at.id); }

// What all ways into the phi bring, without its local.
Held Joins::joined(scope::VersionId phi, const ast::Node& at) {
  Held held;
  bool unified = true;
  std::optional<scope::VersionId> only;  // that all ways bring
  for (const PendingCopy& copy : copies_) {
    if (copy.phi != phi) continue;
    const scope::VersionId behind = only_way(copy.from);
    const scope::VersionId from = behind == scope::kNoVersion ? copy.from : behind;
    only = !only || *only == from ? from : scope::kNoVersion;
    if (!copy.held.known() || !unified) continue;
    const Held before = held;
    unified = merge(held.what, copy.held.what, in_.dialect());
    if (!unified) report_cannot_unify(phi, before, copy.held);
    if (!before.known()) held.span = copy.held.span;
  }
  only_way_.erase(phi);
  if (only && *only != scope::kNoVersion && !dropped_by_version_.contains(at.id))
    only_way_[phi] = *only;
  if (!unified) held.what = error();
  return held;
}

void Joins::join(const ast::Node& at) {
  const auto phis = names_.versions().joins.find(at.id);
  if (phis == names_.versions().joins.end()) return;
  for (const scope::VersionId phi : phis->second) {
    Held held = joined(phi, at);
    names_.make_locals(phi, held);
    names_.set_held(phi, held);
    if (held.local || held.bounds[0]) place_copies(phi);
    std::erase_if(copies_, [&](const PendingCopy& copy) { return copy.phi == phi; });
  }
}

}  // namespace pyk2cu::infer
