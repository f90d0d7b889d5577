// Collects the named tuples in the types of results.
#include "emit/pyext/classes.h"

#include <algorithm>

namespace pyk2cu::pyext {

FieldClasses::FieldClasses(const ir::Program& program) {
  for (const ir::Entry& entry : program.entries)
    for (const ir::Overload& overload : entry.overloads) add(overload.result);
  std::vector<Symbol> taken;
  for (const ir::Entry& entry : program.entries) taken.push_back(entry.name);
  for (One& one : all_) {
    one.is_attribute = std::find(taken.begin(), taken.end(), one.name) == taken.end();
    taken.push_back(one.name);
  }
}

void FieldClasses::add(const types::Type* type) {
  if (type->is_optional() || type->is_container()) return add(type->elem);
  if (!type->is_tuple()) return;
  for (const types::Type* item : type->items) add(item);
  if (!type->name) return;
  if (!find(type))
    all_.push_back({.name = type->name, .fields = {type->names.begin(), type->names.end()}});
  std::vector<const types::Type*>& uses = all_[size_t(find(type) - all_.data())].uses;
  if (std::find(uses.begin(), uses.end(), type) == uses.end()) uses.push_back(type);
}

const FieldClasses::One* FieldClasses::find(const types::Type* type) const {
  const auto same = [&](const One& one) {
    return one.name == type->name && std::ranges::equal(one.fields, type->names);
  };
  const auto found = std::find_if(all_.begin(), all_.end(), same);
  return found == all_.end() ? nullptr : &*found;
}

std::string FieldClasses::shape(const types::Type* type) const {
  if (type->is_optional() || type->is_container()) return shape(type->elem);
  if (!type->is_tuple()) return "";
  std::string items;
  bool plain = true;
  for (const types::Type* item : type->items) {
    const std::string inner = shape(item);
    plain = plain && inner.empty();
    items += (items.empty() ? "" : ", ") + (inner.empty() ? "Plain" : inner);
  }
  if (!type->name) return plain ? "" : "Items<" + items + ">";
  const std::string index = std::to_string(find(type) - all_.data());
  return "Named<" + index + (items.empty() ? "" : ", ") + items + ">";
}

std::string FieldClasses::fields(const One& one) {
  std::string text;
  for (const Symbol field : one.fields)
    text += (text.empty() ? "" : " ") + std::string(field.str());
  return text;
}

}  // namespace pyk2cu::pyext
