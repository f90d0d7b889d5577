// Collects and prints structured dtypes: see records.h.
#include "emit/pyext/records.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "emit/print/type.h"
#include "emit/text/literal.h"
#include "typeinfer/types/records.h"

namespace pyk2cu::pyext {

using types::Type;

RecordTables::RecordTables(const ir::Program& program) {
  for (const ir::Entry& entry : program.entries) {
    for (const ir::Overload& overload : entry.overloads) {
      for (const Type* param : overload.params) add(param);
      add(overload.result);
    }
  }
  count_ = all_.size();
  for (size_t k = 0; k < all_.size(); ++k)
    for (const Type* field : all_[k]->items)
      if (field->is_record()) add_record(field);
}

void RecordTables::add(const Type* type) {
  if (type->is_tuple())
    for (const Type* item : type->items) add(item);
  if (type->is_optional() || type->is_container()) add(type->elem);
  if (type->is_array() && type->elem->is_record()) add_record(type->elem);
}

void RecordTables::add_record(const Type* record) {
  if (std::ranges::find(all_, record) == all_.end()) all_.push_back(record);
}

size_t RecordTables::place_of(const Type* record) const {
  return size_t(std::ranges::find(all_, record) - all_.begin());
}

void RecordTables::traits(emit::Writer& out) const {
  for (size_t k = 0; k < count_; ++k)
    out.line(fmt::format("PYK_RECORD({}, {}, {:#x}, {}, {});", types::record_size(all_[k]),
                         types::natural_alignment(all_[k]), emit::record_key(all_[k]), k,
                         emit::string_literal(types::print(all_[k]))));
}

namespace {

std::string format_of(const Type* field) {
  if (field->kind == types::Kind::kOpaque) return std::string(field->name.str());
  if (field->kind != types::Kind::kNested) return types::dtype_name(field);
  return fmt::format("({},){}", fmt::join(field->numbers, ","), types::dtype_name(field->elem));
}

}  // namespace

// const Field record_0_fields[] = {{"x", "f8", 0}, {"at", nullptr, 8, &record_1}};
// const Record record_0{record_0_fields, 2, 12, false};
void RecordTables::table(size_t k, std::vector<bool>& done, emit::Writer& out) const {
  if (done[k]) return;
  done[k] = true;
  const Type* record = all_[k];
  std::vector<std::string> rows;
  for (size_t i = 0; i < record->items.size(); ++i) {
    const Type* field = record->items[i];
    const std::string name = emit::string_literal(record->names[i].str());
    if (field->is_record()) table(place_of(field), done, out);  // those inside first
    rows.push_back(field->is_record()
                       ? fmt::format("{{{}, nullptr, {}, &record_{}}}", name, record->numbers[i],
                                     place_of(field))
                       : fmt::format("{{{}, {}, {}}}", name, emit::string_literal(format_of(field)),
                                     record->numbers[i]));
  }
  out.line(fmt::format("const Field record_{}_fields[] = {{{}}};", k, fmt::join(rows, ", ")));
  out.line(fmt::format("const Record record_{0}{{record_{0}_fields, {1}, {2}, {3}}};", k,
                       record->items.size(), types::record_size(record),
                       types::is_c_struct(record)));
}

void RecordTables::tables(emit::Writer& out) const {
  std::vector<bool> done(all_.size());
  for (size_t k = 0; k < all_.size(); ++k) table(k, done, out);
  std::string list;
  for (size_t k = 0; k < count_; ++k) list += fmt::format("&record_{}, ", k);
  out.line(fmt::format("const Record* const records[] = {{{}nullptr}};", list));
  out.line("");
}

}  // namespace pyk2cu::pyext
