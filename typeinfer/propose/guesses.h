// What the uses of values say about their types: unknowns, and relations between them.
//
// In:   one unknown per variable or expression, what uses say of it, how unknowns depend on one
//       another.
// Out:  the least type that all uses allow: rank and element of an array, a scalar's kind.
// Rule: evidence only grows (a lattice per unknown), so solve() ends; ranks stop at kMaxRank.
// Tested by tests/run/test_check.py.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "typeinfer/types/types.h"

namespace pyk2cu::propose {

using Id = int;

// What numbers a use speaks of; stronger evidence wins.
enum class Number : uint8_t {
  kOpen,      // float64
  kTruth,     // a condition: bool
  kNamedInt,  // is called like a count: int64
  kInt,       // compared or combined with integers: int64
  kFloat,     // combined with floats
  kComplex,
  kBool,   // its default says so
  kIndex,  // an index or a bound of range(): int64
};

enum class Form : uint8_t {
  kOpen,  // a scalar, or an array where its rank is not 0
  kTuple,
  kFunction,  // the forms from here on have no type to propose
  kText,
  kObject,
};

// What is known of a value elsewhere in the program.
struct Evidence {
  const types::Type* type = nullptr;  // null: nothing, or no type (`form`)
  bool has_number = true;             // false: of an array, only the rank
  Form form = Form::kOpen;
};

class Guesses {
 public:
  static constexpr int kMaxRank = 7;

  Id fresh();
  Id join(Id a, Id b);  // one value, or values of one type
  void at_least(Id id, int rank);
  void at_most(Id id, int rank);  // told before anything else
  void say(Id id, Number number);
  void say(Id id, Form form);
  void say(Id id, const types::Type* type, bool has_number = true);  // known from elsewhere
  void say(Id id, const Evidence& evidence);
  Evidence evidence(Id id);
  void dtype(Id id, const types::Type* elem);
  Id element(Id id);
  std::vector<Id>& items(Id id) { return nodes_[find(id)].items; }  // of a tuple

  // part = whole[`taken` integers, `sliced` slices, `added` new axes]; `by`: the first of the
  // integers, which may be an array of them, or -1.
  void subscript(Id whole, Id part, int taken, int sliced, int added, Id by = -1);
  // part = whole[index], of an array or of a tuple
  void item(Id whole, Id part, int index);
  // result = op(operands), element by element
  void elementwise(Id result, Id operand);
  // Both sides of a comparison; `from` stored into `to`.
  void compared(Id a, Id b) { relations_.push_back({Relation::kCompared, a, b}); }
  void stored(Id from, Id to) { relations_.push_back({Relation::kStored, from, to}); }
  // An operand of integer arithmetic: an index when the result is one, an integer when the result
  // is told to be one.
  void arithmetic(Id result, Id operand) {
    relations_.push_back({Relation::kArithmetic, result, operand});
  }
  void solve();

  int rank(Id id) { return nodes_[find(id)].rank; }
  Form form(Id id) { return nodes_[find(id)].form; }
  bool is_told(Id id);  // some use says more than a name does
  // Null: a function, text or an object.
  const types::Type* type(Id id, int depth = 0);

 private:
  struct Node {
    Id parent = -1;
    int rank = 0;
    int most = kMaxRank;
    bool contiguous = false;  // some callee takes no other
    Number number = Number::kOpen;
    Form form = Form::kOpen;
    Id element = -1;
    std::vector<Id> items{};
    const types::Type* scalar = nullptr;  // told exactly
  };
  struct Relation {
    enum Kind : uint8_t { kSubscript, kElementwise, kCompared, kStored, kArithmetic } kind;
    Id a, b;
    int taken = 0, sliced = 0, added = 0;
    Id by = -1;
    int item = -1;  // the index, where it is one constant
  };

  Id find(Id id);
  Id scalar(Id id);
  bool is_integer(Id id);
  bool is_demanded_integer(Id id);
  bool raise(Id id, int rank);
  bool raise(Id id, Number number);
  bool apply(const Relation& relation);
  bool apply_ranks(const Relation& relation);
  bool apply_subscript(const Relation& relation);
  void find_tuples();
  bool flow(Id from, Id to);

  std::vector<Node> nodes_{};
  std::vector<Relation> relations_{};
};

}  // namespace pyk2cu::propose
