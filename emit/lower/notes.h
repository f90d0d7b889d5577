// What becomes of loops, noted by the passes that decide it, for `pyk2cu explain`.
//
// In:   a function, its loop, words.  Out: LoopNote. Of a loop that is noted again the last note
// stands. Tested by tests/run/test_loop_report.py.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "emit/bundle.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

// What a loop has become; why, because of which place, and what to do about it.
struct Verdict {
  std::string what = "one by one";
  std::string why{};
  Span at{};
  std::string help{};
};

class LoopNotes {
 public:
  void add(const ir::Function& f, const ir::Stmt* loop, Verdict verdict);
  // One more reason, behind those that were noted.
  void also(const ir::Function& f, const ir::Stmt* loop, const std::string& why);
  // f() in a slower version of loops: what was noted of the faster one stands.
  template <class F>
  void of_slower(F&& f) {
    const bool before = std::exchange(keeps_, true);
    f();
    keeps_ = before;
  }
  // Another name for what it has become; the reason that was noted stays.
  void call(const ir::Function& f, const ir::Stmt* loop, std::string what);
  std::vector<LoopNote> take() { return std::move(all_); }

 private:
  bool keeps_ = false;
  std::vector<LoopNote> all_{};
  std::map<std::tuple<uint32_t, uint32_t, std::string>, size_t> places_{};  // of loops, in all_
};

}  // namespace pyk2cu::emit
