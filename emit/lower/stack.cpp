// Small arrays in the frame of the function that makes them, or where their caller wants them.
//
//   c = cross(a, b)   ->   double c_room[64];                          offers room for the result
//                          pyk::stack_array<double, 1, pyk::C, 64> c{c_room};
//                          cross(a, b, c)
//   r = np.zeros(3)   ->   auto r = pyk::zeros_in<double, pyk::C>(result, 3);   takes it
//   return r
//   t = np.empty(3)   ->   double t_room[3];                           is not returned
//                          auto t = pyk::empty_at<double, pyk::C>(t_room, 3);
//   s = step(s)       ->   step(s, value); s = std::move(value);       one after another, copied
//                                                                      if they are small
//
// An array may be where it is gone at the end of a block if nothing that outlives the block shows
// it: no variable declared outside, no tuple, list or result. Arrays whose shape is known are
// there; others if they are made again and again, in a loop or in a function that others call: what
// is large takes memory all the same.
// In: functions with declarations and moves, callees first.  Out: NewArray::room, Declare::room,
// Return::copies. Not in functions that call themselves, whose frames are many.
// Tested by tests/golden/passes/stack.py and tests/run/test_stack.py.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "emit/lower/lifetimes.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

constexpr int64_t kMostBytes = 1024;       // of an array whose shape is known
using ir::kRoom;                           // of others, and of results
constexpr int64_t kLeastFit = 8;           // elements along axes that are not known, or no room
constexpr int64_t kMostOfFrame = 8 << 10;  // of all arrays of a function

using Functions = std::unordered_set<const ir::Function*>;

// Bytes of what has one element along each axis whose extent is not known.
int64_t least_bytes_of(const ir::NewArray& made) {
  int64_t bytes = types::item_size(made.type->elem);
  for (const Expr* extent : made.shape)
    if (const ir::Const* known = ir::constant(extent))
      bytes *= std::clamp(known->value.integer, int64_t{1}, kRoom);
  return bytes;
}

// Bytes of the elements, kMostBytes + 1 for all that are more; none where the shape is not known.
std::optional<int64_t> bytes_of(const ir::NewArray& made) {
  if (!ir::has_known_shape(made)) return std::nullopt;
  int64_t bytes = types::item_size(made.type->elem);
  for (const Expr* extent : made.shape) {
    const int64_t count = ir::constant(extent)->value.integer;
    bytes =
        count < 0 || count > kMostBytes ? kMostBytes + 1 : std::min(bytes * count, kMostBytes + 1);
  }
  return bytes;
}

class Stack {
 public:
  Stack(ir::Program& program, ir::Function& f, bool is_called, const Functions& takers)
      : program_(program), f_(f), is_called_(is_called), lives_(f), takers_(takers) {}

  // Does it take the room that a caller offers?
  bool takes_room() {
    bool takes = std::ranges::any_of(lives_.arrays().handed_on, [&](const ir::Call* call) {
      return takers_.contains(call->callee) && call->callee->result == f_.result;
    });
    if (ir::Assign* a = result()) {
      auto* array = ir::try_as<ir::NewArray>(a->value);
      if (array)
        array->room = ir::Room::kResult;
      else
        result_ = a->local;
      takes = true;
    }
    return takes;
  }

  void fill_frame() {
    for (const auto& assigned : lives_.arrays().variables)
      if (is_often(assigned) && has_left(kRoom)) variables_.insert(assigned.front().by->local);
    for (const Held& made : lives_.arrays().made) make(made);
    for (const Held& given : lives_.arrays().given)
      if (takes(given.by->value) && is_local(given.by->local) && has_left(kRoom))
        offered_.insert(given.by->local);
  }

  // Does it copy a variable to where the caller wants the result?
  bool write() {
    bool copies = false;
    if (variables_.empty() && offered_.empty() && !result_) return false;
    ir::replace_stmts(f_.body, [&](Stmt* s, Block& out) {
      if (auto* d = ir::try_as<ir::Declare>(s)) return declare(*d, out);
      auto* leaves = ir::try_as<ir::Return>(s);
      if (leaves && leaves->moves)
        leaves->copies = variables_.contains(ir::array_of(leaves->value));
      copies = copies || (leaves && leaves->copies);
      auto* a = ir::try_as<ir::Assign>(s);
      return a && variables_.contains(a->local) && assign(*a, out);
    });
    return copies;
  }

 private:
  using Held = Lifetimes::Held;

  // May it be made again and again?
  bool is_often(const std::vector<Held>& all) const {
    return is_called_ || std::ranges::any_of(all, &Held::in_loop);
  }

  // Gone with its block, and not in a variable that has a block of memory.
  bool is_local(const Local* local) const {
    const Local* to = lives_.moved_to(local);
    return lives_.stays(local) && !lives_.is_returned(local) && (!to || variables_.contains(to));
  }

  bool takes(const Expr* call) const { return takers_.contains(ir::as<ir::Call>(call)->callee); }

  bool has_left(int64_t bytes) {
    if (used_ + bytes > kMostOfFrame) return false;
    used_ += bytes;
    return true;
  }

  void make(const Held& made) {
    auto& array = *ir::as<ir::NewArray>(made.by->value);
    const int64_t most = lives_.moved_to(made.by->local) ? kRoom : kMostBytes;
    const std::optional<int64_t> bytes = bytes_of(array);
    const bool fits =
        bytes ? *bytes <= most : is_often({made}) && least_bytes_of(array) * kLeastFit <= kRoom;
    if (fits && array.room == ir::Room::kHeap && is_local(made.by->local) &&
        has_left(bytes.value_or(kRoom)))
      array.room = ir::Room::kStack;
  }

  // The one array that becomes the result; null: none, or one of several.
  ir::Assign* result() const {
    if (!is_called_ || !f_.may_raise || !f_.result->is_array() || f_.result->rank == 0)
      return nullptr;
    ir::Assign* found = nullptr;
    for (const auto* all : {&lives_.arrays().made, &lives_.arrays().given})
      for (const Held& held : *all) {
        if (!lives_.is_returned(held.by->local)) continue;
        if (found) return nullptr;
        found = held.by;
      }
    if (!found || found->local->type->elem != f_.result->elem || !lives_.stays(found->local) ||
        lives_.moved_to(found->local))
      return nullptr;
    const auto* array = ir::try_as<ir::NewArray>(found->value);
    const std::optional<int64_t> bytes = array ? bytes_of(*array) : kRoom;
    if (!array && !takes(found->value)) return nullptr;
    const bool is_read = std::ranges::any_of(lives_.arrays().handed_on, [&](const ir::Call* call) {
      return lives_.is_shown_in(found->local, call);
    });
    return is_read || bytes.value_or(0) > kRoom ? nullptr : found;
  }

  // What offers room is declared by itself.
  bool declare(const ir::Declare& d, Block& out) {
    std::map<ir::Room, std::vector<Local*>> by_room;
    for (Local* local : d.locals)
      by_room[local == result_                                         ? ir::Room::kResult
              : offered_.contains(local) || variables_.contains(local) ? ir::Room::kStack
                                                                       : ir::Room::kHeap]
          .push_back(local);
    if (by_room.size() == 1 && by_room.contains(ir::Room::kHeap)) return false;
    const ir::Builder build{program_, d.span};
    for (const auto& [room, locals] : by_room)
      out.push_back(build.stmt<ir::Declare>(program_.list(locals), d.clear, room));
    return true;
  }

  // x = f(y)   ->   value = f(y); x = move(value)      x has elements of its own
  bool assign(ir::Assign& a, Block& out) {
    const ir::Builder build{program_, a.span};
    const bool declares = a.declares != ir::Declares::kNothing;
    if (declares)
      out.push_back(build.stmt<ir::Declare>(program_.list(std::vector<Local*>{a.local}), false,
                                            ir::Room::kStack));
    a.declares = ir::Declares::kNothing;
    auto* array = ir::try_as<ir::NewArray>(a.value);
    const bool calls = a.value->kind == ir::ExprKind::kCall;
    if (!array && !calls) {
      if (declares) out.push_back(&a);
      return declares;
    }
    Local* value = build.temp("value", a.value->type);
    value->owned = true;
    f_.locals.push_back(value);
    const std::optional<int64_t> bytes = array ? bytes_of(*array) : kRoom;
    const bool fits = (calls ? takes(a.value) : bytes.value_or(kRoom) <= kRoom) && has_left(kRoom);
    const ir::Room room = fits ? ir::Room::kStack : ir::Room::kHeap;
    if (calls)
      out.push_back(
          build.stmt<ir::Declare>(program_.list(std::vector<Local*>{value}), false, room));
    auto* first = ir::as<ir::Assign>(build.assign(value, a.value));
    if (array) {
      array->room = room;
      first->declares = ir::Declares::kVariable;
    }
    out.push_back(first);
    a.value = build.load(value);
    a.moves = true;
    out.push_back(&a);
    return true;
  }

  ir::Program& program_;
  ir::Function& f_;
  const bool is_called_;
  const Lifetimes lives_;
  const Functions& takers_;
  ir::LocalSet variables_{}, offered_{};  // that have room in the frame, and offer it
  const Local* result_ = nullptr;         // that offers what the caller does
  int64_t used_ = 0;
};

// The functions that a function calls.
Functions callees_of(const ir::Function& f) {
  Functions all;
  ir::for_each_expr_in(f.body, [&](const Expr* e) {
    if (const auto* call = ir::try_as<ir::Call>(e)) all.insert(call->callee);
  });
  return all;
}

// Functions that may call themselves, and what calls such.
Functions recursive_of(const ir::Program& program,
                       const std::unordered_map<const ir::Function*, Functions>& calls) {
  Functions above, found;
  for (const ir::Function* f : program.functions) {  // callees first
    const bool is_recursive = std::ranges::any_of(calls.at(f), [&](const ir::Function* callee) {
      return !above.contains(callee) || found.contains(callee);
    });
    if (is_recursive) found.insert(f);
    above.insert(f);
  }
  return found;
}

}  // namespace

void stack(ir::Program& program) {
  std::unordered_map<const ir::Function*, Functions> calls;
  Functions called, takers;
  for (const ir::Function* f : program.functions) {
    calls[f] = callees_of(*f);
    called.insert(calls[f].begin(), calls[f].end());
  }
  const Functions recursive = recursive_of(program, calls);
  for (ir::Function* f : program.functions) {
    Stack frame(program, *f, called.contains(f), takers);
    if (frame.takes_room()) takers.insert(f);
    if (!recursive.contains(f)) frame.fill_frame();
    if (frame.write()) takers.insert(f);
  }
}

}  // namespace pyk2cu::emit
