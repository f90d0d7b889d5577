// Texts, dicts, named tuples and functions as constants.
//
// In:   Values and folded arguments.  Out: CPython's value; nothing when CPython would raise.
// Tested by tests/unit/typeinfer/fold_test.cpp.
#include <algorithm>

#include "typeinfer/fold/parts.h"

namespace pyk2cu::fold {

Value of_function(const void* definition) {
  Value v;
  v.kind = Kind::kFunction;
  v.function = definition;
  return v;
}

namespace {
bool is_constant(const Value& v) { return v.kind != Kind::kOpaque; }
}  // namespace

bool is_partial(const Value& v) {
  return v.kind == Kind::kDict && !std::ranges::all_of(v.items, is_constant);
}

Result dict_item(const Value& dict, const Value& key) {
  for (size_t i = 0; i + 1 < dict.items.size(); i += 2) {
    const auto equal = compare(ast::CompareOperator::kEq, dict.items[i], key);
    if (!equal) return std::nullopt;
    if (*equal) return is_constant(dict.items[i + 1]) ? Result(dict.items[i + 1]) : Result();
  }
  return std::nullopt;
}

Result construct(const Fields& made, const Arguments& args) {
  const size_t count = made.fields.size();
  if (args.positional.size() > count) return std::nullopt;
  Value tuple = make_tuple(args.positional);
  std::vector<bool> given(count, false);
  std::fill_n(given.begin(), tuple.items.size(), true);
  tuple.items.resize(count);
  for (const auto& [name, value] : args.named) {
    const auto at = std::find(made.fields.begin(), made.fields.end(), Symbol(name));
    const auto i = static_cast<size_t>(at - made.fields.begin());
    if (i == count || given[i]) return std::nullopt;
    tuple.items[i] = value;
    given[i] = true;
  }
  for (size_t i = 0; i < count; ++i) {
    if (given[i]) continue;
    if (!made.defaults[i]) return std::nullopt;
    tuple.items[i] = *made.defaults[i];
  }
  tuple.class_name = made.name;
  tuple.names = made.fields;
  return tuple;
}

namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<int8_t>(c) >= 0; });
}

Result text_method(const std::string& self, std::string_view name, const Arguments& args) {
  const auto& p = args.positional;
  if (!args.named.empty() || !is_ascii(self)) return std::nullopt;
  const bool one_text = p.size() == 1 && p[0].kind == Kind::kStr;
  const auto each = [&](int (*change)(int)) {
    std::string text = self;
    for (char& c : text) c = static_cast<char>(change(c));
    return make_str(std::move(text));
  };
  if (name == "upper" && p.empty()) return each(std::toupper);
  if (name == "lower" && p.empty()) return each(std::tolower);
  if (!one_text) return std::nullopt;
  const std::string& other = p[0].text;
  if (name == "startswith") return make_bool(self.starts_with(other));
  if (name == "endswith") return make_bool(self.ends_with(other));
  if (name == "find" || name == "index") {
    const size_t at = self.find(other);
    if (at != self.npos) return make_int(static_cast<Int128>(at));
    return name == "find" ? make_int(-1) : Result();
  }
  if (name != "count") return std::nullopt;
  if (other.empty()) return make_int(static_cast<Int128>(self.size() + 1));
  Int128 count = 0;
  for (size_t at = self.find(other); at != self.npos; at = self.find(other, at + other.size()))
    ++count;
  return make_int(count);
}

Result dict_method(const Value& self, std::string_view name, const Arguments& args) {
  const auto& p = args.positional;
  if (!args.named.empty()) return std::nullopt;
  if (name == "get" && (p.size() == 1 || p.size() == 2)) {
    const auto there = compare(ast::CompareOperator::kIn, p[0], self);
    if (!there) return std::nullopt;
    return *there ? dict_item(self, p[0]) : p.size() == 2 ? Result(p[1]) : make_none();
  }
  const bool keys = name == "keys", values = name == "values";
  if (!p.empty() || !(keys || values || name == "items")) return std::nullopt;
  if (!keys && is_partial(self)) return std::nullopt;
  std::vector<Value> out;
  for (size_t i = 0; i + 1 < self.items.size(); i += 2) {
    if (keys || values)
      out.push_back(self.items[values ? i + 1 : i]);
    else
      out.push_back(make_tuple({self.items[i], self.items[i + 1]}));
  }
  return make_tuple(std::move(out));
}

}  // namespace

Result object_method(const Value& self, std::string_view name, const Arguments& args) {
  if (self.kind == Kind::kStr) return text_method(self.text, name, args);
  if (self.kind == Kind::kDict) return dict_method(self, name, args);
  return std::nullopt;
}

Result object_attribute(const Value& self, std::string_view name) {
  for (size_t i = 0; i < self.names.size(); ++i)
    if (self.names[i] == name) return self.items[i];
  if (!self.class_name || self.kind == Kind::kTuple) return std::nullopt;
  if (name == "name") return make_str(std::string(self.class_name.str()));
  if (name != "value") return std::nullopt;
  Value plain = self;
  plain.class_name = {};
  plain.is_member = false;
  return plain;
}

// bin(5), hex(255), oct(8)
Result digits(Int128 value, std::string_view function) {
  const unsigned shift = function == "bin" ? 1 : function == "oct" ? 3 : 4;
  auto rest = static_cast<unsigned __int128>(value < 0 ? -value : value);
  std::string text;
  do {
    text.insert(text.begin(),
                "0123456789abcdef"[static_cast<unsigned>(rest) & ((1u << shift) - 1)]);
    rest >>= shift;
  } while (rest != 0);
  const std::string_view prefix = shift == 1 ? "0b" : shift == 3 ? "0o" : "0x";
  return make_str((value < 0 ? "-" : "") + std::string(prefix) + text);
}

}  // namespace pyk2cu::fold
