// Unknowns in classes of equal ones, and the fixed point of their relations. In, out: guesses.h.
#include "typeinfer/propose/guesses.h"

#include <map>
#include <set>

namespace pyk2cu::propose {

using types::Type;

Id Guesses::fresh() {
  nodes_.push_back({});
  return Id(nodes_.size()) - 1;
}

Id Guesses::find(Id id) {
  while (nodes_[id].parent >= 0) id = nodes_[id].parent;
  return id;
}

Id Guesses::join(Id a, Id b) {
  a = find(a);
  b = find(b);
  if (a == b) return a;
  const Node from = nodes_[b];
  nodes_[b].parent = a;
  Node& to = nodes_[a];
  to.most = std::min(to.most, from.most);
  to.rank = std::min(std::max(to.rank, from.rank), to.most);
  to.contiguous |= from.contiguous;
  to.number = std::max(to.number, from.number);
  to.form = std::max(to.form, from.form);
  if (!to.scalar) to.scalar = from.scalar;
  if (to.items.empty()) to.items = from.items;
  const Id mine = to.element;
  if (mine < 0) to.element = from.element;
  if (mine >= 0 && from.element >= 0) join(mine, from.element);
  return a;
}

// The element of an array, or the unknown itself.
Id Guesses::scalar(Id id) { return rank(id) > 0 ? find(element(id)) : find(id); }

bool Guesses::raise(Id id, int rank) {
  Node& node = nodes_[find(id)];
  rank = std::min(rank, node.most);
  if (rank <= node.rank || node.form != Form::kOpen) return false;
  node.rank = rank;
  return true;
}

bool Guesses::raise(Id id, Number number) {
  id = scalar(id);
  if (number <= nodes_[id].number) return false;
  nodes_[id].number = number;
  return true;
}

void Guesses::at_least(Id id, int rank) { raise(id, rank); }
void Guesses::at_most(Id id, int rank) {
  Node& node = nodes_[find(id)];
  node.most = std::min(node.most, rank);
  node.rank = std::min(node.rank, node.most);
}
void Guesses::say(Id id, Number number) { raise(id, number); }

void Guesses::say(Id id, Form form) {
  Node& node = nodes_[find(id)];
  node.form = std::max(node.form, form);
}

void Guesses::say(Id id, const Type* type, bool has_number) {
  if (!type) return;
  if (type->is_array()) {
    raise(id, type->rank);
    nodes_[find(id)].contiguous |= type->layout == types::Layout::kC;
    if (has_number) dtype(id, type->elem);
  } else if (type->is_scalar()) {
    dtype(id, type);
  } else if (type->is_tuple()) {
    say(id, Form::kTuple);
    if (!items(id).empty()) return;
    for (const Type* item : type->items) {
      const Id one = fresh();
      say(one, item);
      items(id).push_back(one);
    }
  }
}

void Guesses::say(Id id, const Evidence& evidence) {
  if (evidence.form > Form::kTuple) say(id, evidence.form);
  say(id, evidence.type, evidence.has_number);
}

Evidence Guesses::evidence(Id id) {
  if (!is_told(id)) return {};
  const Node number = nodes_[scalar(id)];
  return {type(id), rank(id) == 0 || number.scalar || number.number > Number::kNamedInt, form(id)};
}

void Guesses::dtype(Id id, const Type* elem) {
  id = scalar(id);
  if (elem && elem->is_scalar()) nodes_[id].scalar = elem;
}

Id Guesses::element(Id id) {
  id = find(id);
  if (nodes_[id].element < 0) {
    const Id made = fresh();
    nodes_[id].element = made;
    nodes_[made].number = nodes_[id].number;
    nodes_[made].scalar = nodes_[id].scalar;
  }
  return nodes_[id].element;
}

void Guesses::subscript(Id whole, Id part, int taken, int sliced, int added, Id by) {
  relations_.push_back({Relation::kSubscript, whole, part, taken, sliced, added, by});
}

void Guesses::item(Id whole, Id part, int index) {
  relations_.push_back({Relation::kSubscript, whole, part, 1, 0, 0, -1, index});
}

void Guesses::elementwise(Id result, Id operand) {
  relations_.push_back({Relation::kElementwise, result, operand});
}

bool Guesses::is_integer(Id id) {
  const Node& node = nodes_[scalar(id)];
  return node.scalar ? node.scalar->is_int()
                     : node.number == Number::kInt || node.number == Number::kIndex;
}

// Told to be an integer by what takes it, not by one of its operands.
bool Guesses::is_demanded_integer(Id id) {
  const Node& node = nodes_[find(id)];
  return node.number == Number::kIndex || (node.scalar && node.scalar->is_int());
}

// The kind of number that `from` holds reaches `to`.
bool Guesses::flow(Id from, Id to) {
  if (is_integer(from)) return raise(to, Number::kInt);
  const Node& node = nodes_[scalar(from)];
  const bool real = node.number == Number::kFloat || node.number == Number::kComplex;
  return real && raise(to, node.number);
}

bool Guesses::apply_ranks(const Relation& r) {
  if (form(r.a) != Form::kOpen || form(r.b) != Form::kOpen) return false;
  if (r.kind == Relation::kElementwise) return raise(r.a, rank(r.b));
  if (r.kind == Relation::kStored) return raise(r.b, rank(r.a));  // an array, into a slice
  if (r.kind != Relation::kSubscript) return false;
  bool changed = raise(r.a, r.taken + r.sliced);
  const int added = r.added + (r.by >= 0 ? rank(r.by) : 0);
  if (rank(r.b) > 0) changed |= raise(r.a, rank(r.b) + r.taken - added);
  return raise(r.b, rank(r.a) - r.taken + added) || changed;
}

bool Guesses::apply_subscript(const Relation& r) {
  if (form(r.a) != Form::kOpen || form(r.b) != Form::kOpen) return false;
  if (nodes_[find(r.b)].contiguous) nodes_[find(r.a)].contiguous = true;
  const Id whole = scalar(r.a), part = scalar(r.b);
  if (whole == part) return false;
  join(whole, part);
  return true;
}

bool Guesses::apply(const Relation& r) {
  switch (r.kind) {
    case Relation::kSubscript:
      return apply_subscript(r);
    case Relation::kElementwise:
      return form(r.b) == Form::kOpen && flow(r.b, r.a);
    case Relation::kCompared:
      return flow(r.a, r.b) | flow(r.b, r.a);
    case Relation::kStored:
      return flow(r.a, r.b);
    case Relation::kArithmetic:
      return is_demanded_integer(r.a) && rank(r.a) == 0 && rank(r.b) == 0 &&
             raise(r.b, Number::kIndex);
  }
  return false;
}

// What is only indexed by constants, and whose items are arrays of several types, is a tuple:
// `graph[0][i]` and `graph[1][i]` of which one is float32 and the other int32.
void Guesses::find_tuples() {
  std::map<Id, std::map<int, Id>> found;  // items by index
  std::set<Id> others;
  for (const Relation& r : relations_) {
    if (r.kind == Relation::kSubscript && r.item < 0) others.insert(find(r.a));
    if (r.kind == Relation::kElementwise) others.insert(find(r.b));
  }
  for (const Relation& r : relations_) {
    if (r.kind != Relation::kSubscript || r.item < 0 || others.contains(find(r.a))) continue;
    const auto [at, is_new] = found[find(r.a)].try_emplace(r.item, r.b);
    if (!is_new) join(at->second, r.b);
  }
  for (const auto& [whole, items] : found) {
    std::set<const Type*> elements;
    for (const auto& [index, part] : items)
      if (const Type* told = nodes_[scalar(part)].scalar; told && rank(part) > 0)
        elements.insert(told);  // a number may be converted, an array may not
    if (elements.size() < 2 || form(whole) != Form::kOpen) continue;
    say(whole, Form::kTuple);
    for (int k = 0; k <= items.rbegin()->first; ++k) {
      const auto known = items.find(k);
      const Id part = known != items.end() ? known->second : fresh();
      nodes_[find(whole)].items.push_back(part);
    }
  }
}

// Ranks first: only then is it known what is an element.
void Guesses::solve() {
  constexpr int kRounds = 64;  // each round raises something; long chains need one per link
  bool changed = true;
  for (int round = 0; changed && round < kRounds; ++round) {
    changed = false;
    for (const Relation& relation : relations_) changed |= apply_ranks(relation);
  }
  for (const bool all : {false, true}) {
    changed = true;
    for (int round = 0; changed && round < kRounds; ++round) {
      changed = false;
      for (const Relation& relation : relations_)
        if (all || relation.item < 0) changed |= apply(relation);
    }
    if (!all) find_tuples();
  }
}

bool Guesses::is_told(Id id) {
  const Node& node = nodes_[find(id)];
  return node.rank > 0 || node.scalar || node.form != Form::kOpen ||
         node.number > Number::kNamedInt;
}

const Type* Guesses::type(Id id, int depth) {
  const Node node = nodes_[find(id)];
  if (node.form > Form::kTuple || depth > 4) return nullptr;
  if (node.form == Form::kTuple) {
    std::vector<const Type*> made;
    for (const Id item : node.items) {
      made.push_back(type(item, depth + 1));
      if (!made.back()) return nullptr;
    }
    return made.empty() ? nullptr : types::tuple(made);
  }
  if (node.rank > 0) {
    const Type* elem = type(element(id), depth + 1);
    return types::array(elem && elem->is_scalar() ? elem : types::float64(), node.rank,
                        node.contiguous ? types::Layout::kC : types::Layout::kA);
  }
  const bool is_index = node.number == Number::kIndex;
  if (node.scalar && (node.scalar->is_int() || !is_index)) return node.scalar;
  switch (node.number) {
    case Number::kOpen:
    case Number::kFloat:
      return types::float64();
    case Number::kTruth:
    case Number::kBool:
      return types::boolean();
    case Number::kNamedInt:
    case Number::kInt:
    case Number::kIndex:
      return types::int64();
    case Number::kComplex:
      return types::complex128();
  }
  return types::float64();
}

}  // namespace pyk2cu::propose
