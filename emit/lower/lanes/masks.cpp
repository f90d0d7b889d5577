// Masks of a gang: see masks.h.
#include "emit/lower/lanes/masks.h"

#include <algorithm>
#include <set>
#include <vector>

#include "emit/lower/compared.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

constexpr int64_t kTurns = 8;  // of a loop
constexpr int64_t kMostTurns = 1 << 15;
constexpr double kClear = 0.7;    // of the instructions that the usual width takes
constexpr int kVectorBits = 256;  // of most processors

int bits_of(const types::Type* type) { return type->is_bool() ? 8 : type->bits; }

// Of conditions it is what they are computed of.
int compared_bits(const ir::Compare& e) {
  const auto bits = [](const Expr* side) {
    const bool is_condition =
        side->type->is_bool() && !ir::loaded(side) && side->kind != ir::ExprKind::kElement;
    return ir::constant(side) || is_condition ? 0 : bits_of(side->type);
  };
  return std::max(bits(compared(e.left, e.right)), bits(compared(e.right, e.left)));
}

class MaskWidths {
 public:
  MaskWidths(const ir::LocalSet& locals, int lanes) : lanes_(lanes) {
    for (const Local* local : locals)
      if (local->type->is_bool()) group_[local] = local;
  }

  std::unordered_map<const Local*, int> run(const Block& body, int usual) {
    if (group_.empty()) return {};
    block(body, 1);  // who meets whom
    runs_.clear();
    block(body, 1);
    std::unordered_map<const Local*, int> best, widths;
    for (const auto& [group, runs] : runs_) best[group] = best_of(runs, usual);
    for (const auto& [local, own] : group_) {
      const auto found = best.find(root(local));
      widths[local] = found == best.end() ? usual : found->second;
    }
    return widths;
  }

 private:
  // What a condition is computed of: widths of what it compares, and masks.
  struct Sources {
    std::set<int> compared{};
    std::set<const Local*> masks{};
    void add(const Sources& other) {
      compared.insert(other.compared.begin(), other.compared.end());
      masks.insert(other.masks.begin(), other.masks.end());
    }
  };
  // Of all masks that meet: what stands beside them in one run of lanes.
  struct Beside {
    int64_t weight = 1;
    std::set<int> compared{}, chosen{};
  };

  const Local* root(const Local* local) {
    const Local*& above = group_.at(local);
    if (above != local) above = root(above);
    return above;
  }

  void block(const Block& body, int64_t weight) {
    for (const Stmt* s : body) {
      if (s->kind == ir::StmtKind::kLanes) {
        inside_.clear();
        now_.clear();
        for (const Stmt* inner : *ir::as<ir::Lanes>(s)->body) stmt(inner, {});
        for (auto& [group, beside] : now_) {
          beside.weight = weight;
          runs_[group].push_back(std::move(beside));
        }
      } else {
        const int64_t inner = ir::is_loop(s) && weight < kMostTurns ? weight * kTurns : weight;
        ir::for_each_block(s, [&](const Block& b) { block(b, inner); });
      }
    }
  }

  // `under`: the conditions around.
  void stmt(const Stmt* s, const Sources& under) {
    ir::for_each_expr(s, [&](const Expr* e) { chosen(e); });
    ir::for_each_place(s, [&](const ir::Place& place) { choose(under, bits_of(place.type())); });
    if (const auto* a = ir::try_as<ir::Assign>(s)) {
      if (a->local->type->is_bool()) return assign(*a);
      return choose(under, bits_of(a->local->type));
    }
    if (const auto* store = ir::try_as<ir::Store>(s); store && store->value->type->is_bool())
      choose(sources(store->value), 8);
    const auto* branch = ir::try_as<ir::If>(s);
    if (!branch) return;  // lanes hold no loops
    Sources inside = under;
    inside.add(sources(branch->condition));
    ir::for_each_block(s, [&](const Block& b) {
      for (const Stmt* inner : b) stmt(inner, inside);
    });
  }

  void assign(const ir::Assign& a) {
    Sources of = sources(a.value);
    if (!group_.contains(a.local)) return inside_[a.local].add(of);
    of.masks.insert(a.local);
    for (const Local* mask : of.masks) group_[root(mask)] = root(a.local);
    meet(of).compared.insert(of.compared.begin(), of.compared.end());
  }

  // Numbers of which conditions choose one, and what conditions become.
  void chosen(const Expr* e) {
    ir::for_each_subexpr(e, [&](const Expr* part) {
      if (!part->type->is_real() || part->type->is_bool()) return;
      const auto* select = ir::try_as<ir::Select>(part);
      const auto* convert = ir::try_as<ir::Convert>(part);
      if (select)
        choose(sources(select->condition), bits_of(part->type));
      else if (convert && convert->operand->type->is_bool())
        choose(sources(convert->operand), bits_of(part->type));
    });
  }

  void choose(const Sources& by, int bits) {
    if (!by.masks.empty()) meet(by).chosen.insert(bits);
  }

  // They meet in this run.
  Beside& meet(const Sources& of) {
    const Local* first = *of.masks.begin();
    for (const Local* mask : of.masks) group_[root(mask)] = root(first);
    return now_[root(first)];
  }

  Sources sources(const Expr* e) {
    Sources of;
    ir::for_each_subexpr(e, [&](const Expr* part) {
      if (const auto* compare = ir::try_as<ir::Compare>(part)) {
        const int bits = compared_bits(*compare);
        if (bits > 0) of.compared.insert(bits);
      }
      const Local* local = ir::loaded(part);
      if (!local) return;
      if (group_.contains(local)) of.masks.insert(local);
      if (const auto known = inside_.find(local); known != inside_.end()) of.add(known->second);
    });
    return of;
  }

  int64_t vectors_of(int width) const { return std::max(1, lanes_ * width / kVectorBits); }

  // Instructions that make elements of some bits of those of others: two vectors are packed to one,
  // one is unpacked to two, by halves.
  int64_t conversion(int from, int to) const {
    int64_t steps = 0;
    for (; from > to; from /= 2) steps += vectors_of(from / 2);
    for (; from < to; from *= 2) steps += vectors_of(from * 2);
    return steps;
  }

  // An instruction for every vector of a mask, and those that convert it.
  int64_t cost(const std::vector<Beside>& runs, int width) const {
    int64_t sum = 0;
    for (const Beside& beside : runs) {
      int64_t vectors = vectors_of(width);
      for (const int bits : beside.compared) vectors += conversion(bits, width);
      for (const int bits : beside.chosen) vectors += conversion(width, bits);
      sum += beside.weight * vectors;
    }
    return sum;
  }

  int best_of(const std::vector<Beside>& runs, int usual) const {
    int best = usual;
    double least = kClear * double(cost(runs, usual));
    for (const int width : {64, 32, 16, 8}) {
      const int64_t own = cost(runs, width);
      if (double(own) < least) best = width, least = double(own);
    }
    return best;
  }

  const int lanes_;
  std::unordered_map<const Local*, const Local*> group_{};  // of masks: one of those that they meet
  std::unordered_map<const Local*, Sources> inside_{};      // booleans of one run
  std::unordered_map<const Local*, Beside> now_{};          // of this run, by group
  std::unordered_map<const Local*, std::vector<Beside>> runs_{};
};

}  // namespace

std::unordered_map<const Local*, int> mask_widths(const Block& body, const ir::LocalSet& locals,
                                                  int usual, int lanes) {
  return MaskWidths(locals, lanes).run(body, usual);
}

}  // namespace pyk2cu::emit
