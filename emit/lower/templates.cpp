// Functions whose bodies say the same become one text.
//
//   sum2d for any strides, sum2d for contiguous arrays   ->   sum2d, of types with layout kAny
//   cnd, cnd with vector math                            ->   cnd, with functions of form kEither
//
// In:   lowered functions, callees first.  Out: of those that came from one definition and differ
// in one layout, or in the form of functions of libm, only the first is left; calls and entries
// name the instance that they mean. Tested by tests/golden/passes and every golden with arrays.
#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>

#include "emit/lower/lower.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::Form;
using ir::Function;
using ir::Instance;
using ir::Local;
using ir::Stmt;
using types::Layout;
using types::Type;

namespace {

// The layout in which two types differ, if it is all they differ in.
struct Difference {
  bool same = false;  // alike, layouts aside
  std::optional<std::pair<Layout, Layout>> layouts{};
};

Difference difference(const Type* a, const Type* b) {
  if (a == b) return {true, {}};
  if (a->is_array() && b->is_array() && types::with_layout(a, b->layout) == b)
    return {true, std::pair{a->layout, b->layout}};
  if (!a->is_tuple() || !b->is_tuple() || a->items.size() != b->items.size() || a->name != b->name)
    return {};
  Difference all{true, {}};
  for (size_t k = 0; k < a->items.size(); ++k) {
    const Difference one = difference(a->items[k], b->items[k]);
    if (!one.same || (all.layouts && one.layouts && all.layouts != one.layouts)) return {};
    if (one.layouts) all.layouts = one.layouts;
  }
  return all;
}

// The type with kAny wherever `a` and `b` differ.
const Type* either(const Type* a, const Type* b) {
  if (a == b) return a;
  if (a->is_array()) return types::with_layout(a, Layout::kAny);
  std::vector<const Type*> items;
  for (size_t k = 0; k < a->items.size(); ++k) items.push_back(either(a->items[k], b->items[k]));
  if (!a->name) return types::tuple(items);
  return types::named_tuple(a->name, {a->names.begin(), a->names.end()}, items);
}

// Compares two functions; what differs is noted, so that it can be made one.
class Pairing {
 public:
  Pairing(Function& a, Function& b) : a_(a), b_(b) {}

  bool matches() {
    if (a_.params.size() != b_.params.size() || a_.shared.size() != b_.shared.size()) return false;
    if (a_.options != b_.options || a_.may_raise != b_.may_raise) return false;
    for (size_t k = 0; k < a_.params.size(); ++k)
      if (a_.params[k].constant != b_.params[k].constant ||
          !same_local(a_.params[k].local, b_.params[k].local))
        return false;
    return same(a_.result, b_.result) && ir::equal(a_.body, b_.body, *this) && (layouts_ || forms_);
  }

  // ---- what equal() asks ------------------------------------------------------------------------
  bool same_types(const Expr* a, const Expr* b) {
    if (!same(a->type, b->type)) return false;
    if (a->type != b->type) exprs_.push_back({const_cast<Expr*>(a), b});
    return true;
  }
  bool same_local(const Local* a, const Local* b) {
    const auto known = locals_.find(a);
    if (known != locals_.end()) return known->second == b;
    const bool alike = a->name == b->name && a->is_temp == b->is_temp && a->owned == b->owned &&
                       a->written == b->written && a->maybe_unbound == b->maybe_unbound &&
                       a->lanes == b->lanes && a->lane_bits == b->lane_bits;
    if (!alike || !same(a->type, b->type) || !taken_.insert(b).second) return false;
    locals_[a] = b;
    return true;
  }
  bool same_function(const Function* a, const Function* b) {
    // Where both call `a`, one of them means another instance than its own.
    return a == b ? a != &a_ : a == &a_ && b == &b_;
  }
  bool same_loop(const Stmt* a, const Stmt* b) { return loops_.at(a) == b; }
  bool same_form(const Form& a, const Form& b) {
    if (a == b) return true;
    if (forms_ && *forms_ != std::pair{a, b}) return false;
    forms_ = std::pair{a, b};
    form_slots_.push_back(const_cast<Form*>(&a));
    return true;
  }
  bool same_instance(const Instance& a, const Instance& b) {
    if (a.layout != b.layout && !same_layouts(std::pair{a.layout, b.layout})) return false;
    if (a.form != b.form) {
      if (forms_ && *forms_ != std::pair{a.form, b.form}) return false;
      forms_ = std::pair{a.form, b.form};
    }
    if (a != b) instances_.push_back({const_cast<Instance*>(&a), b});
    return true;
  }
  void enter(const Stmt* a, const Stmt* b) { loops_[a] = b; }

  // ---- making one ------------------------------------------------------------------------------
  //
  // `a` becomes the text of both; the instances that `a` and `b` were.
  std::pair<Instance, Instance> merge() {
    for (const auto& [e, other] : exprs_) e->type = either(e->type, other->type);
    for (const auto& [local, other] : locals_)
      if (local->type != other->type)
        const_cast<Local*>(local)->type = either(local->type, other->type);
    for (Form* form : form_slots_) *form = Form::kEither;
    for (const auto& [instance, other] : instances_) {
      if (instance->layout != other.layout) instance->layout = Layout::kAny;
      if (instance->form != other.form) instance->form = Form::kEither;
    }
    a_.result = either(a_.result, b_.result);
    a_.any_layout = a_.any_layout || layouts_;
    a_.any_form = a_.any_form || forms_;
    a_.is_root = a_.is_root || b_.is_root;
    a_.per_isa = a_.per_isa || b_.per_isa;
    a_.is_inline = a_.is_inline || b_.is_inline;
    Instance first, second;
    if (layouts_) first.layout = layouts_->first, second.layout = layouts_->second;
    if (forms_) first.form = forms_->first, second.form = forms_->second;
    return {first, second};
  }

 private:
  bool same_layouts(std::pair<Layout, Layout> found) {
    if (layouts_ && *layouts_ != found) return false;
    layouts_ = found;
    return true;
  }
  bool same(const Type* a, const Type* b) {
    const Difference d = difference(a, b);
    return d.same && (!d.layouts || same_layouts(*d.layouts));
  }

  Function &a_, &b_;
  std::optional<std::pair<Layout, Layout>> layouts_{};
  std::optional<std::pair<Form, Form>> forms_{};
  std::unordered_map<const Local*, const Local*> locals_{};
  std::unordered_set<const Local*> taken_{};
  std::unordered_map<const Stmt*, const Stmt*> loops_{};
  std::vector<std::pair<Expr*, const Expr*>> exprs_{};
  std::vector<Form*> form_slots_{};
  std::vector<std::pair<Instance*, Instance>> instances_{};
};

class Templates {
 public:
  explicit Templates(ir::Program& program) : program_(program) {}

  void run() {
    // What comes from the same lines.
    std::map<std::tuple<uint32_t, uint32_t, std::string_view>, std::vector<Function*>> groups;
    std::vector<Function*> left;
    for (Function* f : program_.functions) {
      retarget(*f);
      std::vector<Function*>& group = groups[{f->span.begin, f->body_span.begin, f->part}];
      if (!merged_into(group, *f)) {
        group.push_back(f);
        left.push_back(f);
      }
    }
    for (Function* f : left) retarget(*f);  // recursion: callees that came later
    program_.functions = std::move(left);
    for (ir::Entry& entry : program_.entries)
      for (ir::Overload& overload : entry.overloads)
        for (ir::Variant& variant : overload.variants) {
          const auto [function, instance] = now_.contains(variant.function)
                                                ? now_.at(variant.function)
                                                : std::pair{variant.function, Instance{}};
          variant.function = function;
          variant.instance = instance;
        }
  }

 private:
  bool merged_into(const std::vector<Function*>& group, Function& f) {
    for (Function* first : group) {
      if (first->any_layout || first->any_form) continue;  // a text serves two
      retarget(*first);                                    // callees that became one text since
      Pairing pairing(*first, f);
      if (!pairing.matches()) continue;
      const auto [one, two] = pairing.merge();
      now_[first] = {first, one};
      now_[&f] = {first, two};
      return true;
    }
    return false;
  }

  // Calls of functions that are instances now.
  void retarget(Function& f) {
    ir::for_each_expr_in(f.body, [&](Expr* e) {
      auto* call = ir::try_as<ir::Call>(e);
      if (!call || call->callee == &f) return;
      const auto it = now_.find(call->callee);
      if (it == now_.end() || !done_.insert(call).second) return;
      call->callee = it->second.first;
      call->instance = it->second.second;
    });
  }

  ir::Program& program_;
  std::unordered_map<const Function*, std::pair<Function*, Instance>> now_{};
  std::unordered_set<const ir::Call*> done_{};
};

}  // namespace

void templates(ir::Program& program) { Templates(program).run(); }

}  // namespace pyk2cu::emit
