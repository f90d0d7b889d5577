// A set of locals, iterated in the order in which they came: the same on every run.
//
// Most sets of an analysis hold a handful: those are a list that is searched; larger ones have an
// index beside it. Tested by tests/unit/typeinfer/local_set_test.cpp.
#pragma once

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pyk2cu::ir {

struct Local;

class LocalSet {
 public:
  LocalSet() = default;
  LocalSet(LocalSet&&) = default;
  LocalSet(const LocalSet& other)
      : items_(other.items_),
        places_(other.places_ ? std::make_unique<Places>(*other.places_) : nullptr) {}
  LocalSet& operator=(LocalSet other) noexcept {
    items_.swap(other.items_);
    places_.swap(other.places_);
    return *this;
  }

  using const_iterator = std::vector<const Local*>::const_iterator;
  const_iterator begin() const { return items_.begin(); }
  const_iterator end() const { return items_.end(); }
  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  bool contains(const Local* local) const { return place_of(local) != kNowhere; }

  // Which of the items it is, until one is erased.
  static constexpr size_t kNowhere = ~size_t{0};
  size_t place_of(const Local* local) const {
    if (places_) {
      const auto found = places_->find(local);
      return found == places_->end() ? kNowhere : found->second;
    }
    const auto found = std::find(items_.begin(), items_.end(), local);
    return found == items_.end() ? kNowhere : size_t(found - items_.begin());
  }

  // Its place, and whether it is new.
  std::pair<size_t, bool> insert(const Local* local) {
    if (const size_t place = place_of(local); place != kNowhere) return {place, false};
    if (items_.empty()) items_.reserve(4);
    items_.push_back(local);
    if (places_) {
      places_->emplace(local, items_.size() - 1);
    } else if (items_.size() > kSearched) {
      places_ = std::make_unique<Places>();
      for (size_t k = 0; k < items_.size(); ++k) places_->emplace(items_[k], k);
    }
    return {items_.size() - 1, true};
  }
  void insert(const LocalSet& more) {
    for (const Local* local : more) insert(local);
  }
  // The last item takes the place of the one that goes.
  void erase(const Local* local) {
    const size_t place = place_of(local);
    if (place == kNowhere) return;
    if (places_) {
      (*places_)[items_.back()] = place;
      places_->erase(local);
    }
    items_[place] = items_.back();
    items_.pop_back();
  }
  void clear() { *this = {}; }

 private:
  using Places = std::unordered_map<const Local*, size_t>;
  static constexpr size_t kSearched = 12;  // so many items are searched one by one

  std::vector<const Local*> items_{};
  std::unique_ptr<Places> places_{};  // null while few
};

}  // namespace pyk2cu::ir
