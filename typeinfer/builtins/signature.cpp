// The signature column of the registry's rows. See signature.h.
//
// alternative: [tag ':'] result '(' [item (',' item)*] ')'
// result:      item | 'Tuple' '(' item (',' item)* ')' | 'void'
// item:        class letter | name of a scalar type
// Tested by tests/unit/typeinfer/registry_test.cpp.
#include "typeinfer/builtins/signature.h"

#include <optional>

namespace pyk2cu::builtins {
namespace {

using types::Type;

struct Binding {
  const Type* match;
  const Type* compute;
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t at = text.find(separator);
    parts.push_back(trim(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

void add(std::vector<Binding>& to, const Type* type) { to.push_back({type, type}); }

// The members of a class letter; none if it is not one.
std::vector<Binding> members(char letter, bool widen) {
  std::vector<Binding> all;
  const auto has = [letter](std::string_view letters) {
    return letters.find(letter) != std::string_view::npos;
  };
  if (letter == 'F' && widen) {
    all.push_back({types::int64(), types::float64()});
    all.push_back({types::uint64(), types::float64()});
  }
  if (has("IRT")) {
    for (const int bits : {8, 16, 32, 64}) {
      add(all, types::integer(bits, true));
      add(all, types::integer(bits, false));
    }
  }
  if (has("FRXT")) {
    add(all, types::float32());
    add(all, types::float64());
  }
  if (has("CXT")) {
    add(all, types::complex64());
    add(all, types::complex128());
  }
  return all;
}

struct Alternative {
  std::vector<std::string_view> results;  // one, or the items of a tuple
  bool is_tuple = false;
  std::vector<std::string_view> params;
  char letter = 0;  // the class letter, if there is one
};

std::optional<Alternative> parse(std::string_view text) {
  Alternative out;
  if (text.empty() || text.back() != ')') return {};
  const size_t open = text.rfind('(');
  if (open == std::string_view::npos) return {};
  const std::string_view inside = trim(text.substr(open + 1, text.size() - open - 2));
  if (!inside.empty()) out.params = split(inside, ',');
  std::string_view result = trim(text.substr(0, open));
  constexpr std::string_view kTuple = "Tuple(";
  if (result.starts_with(kTuple) && result.back() == ')') {
    out.is_tuple = true;
    out.results = split(result.substr(kTuple.size(), result.size() - kTuple.size() - 1), ',');
  } else {
    out.results = {result};
  }
  for (const auto* list : {&out.params, &out.results}) {
    for (const std::string_view item : *list) {
      if (item.size() != 1) continue;
      if (members(item[0], false).empty() || (out.letter && out.letter != item[0])) return {};
      out.letter = item[0];
    }
  }
  return out;
}

const Type* named(std::string_view name) {
  return name == "void" ? types::void_() : types::find_scalar(name);
}

// Null: some name is not a type.
std::optional<Overload> bind(const Alternative& alternative, Binding letter) {
  Overload out;
  for (const std::string_view item : alternative.params) {
    const Type* match = item.size() == 1 ? letter.match : named(item);
    const Type* compute = item.size() == 1 ? letter.compute : match;
    if (!match) return {};
    out.params.push_back(match);
    out.compute.push_back(compute);
  }
  std::vector<const Type*> results;
  for (const std::string_view item : alternative.results) {
    const Type* type = item.size() == 1 ? letter.compute : named(item);
    if (!type) return {};
    results.push_back(type);
  }
  out.result = alternative.is_tuple ? types::tuple(std::move(results)) : results.front();
  return out;
}

// Strips "cuda:" and its like; false: the alternative is for another target or dialect.
bool applies(std::string_view& text, types::Dialect dialect) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return true;
  const std::string_view tag = trim(text.substr(0, colon));
  text = trim(text.substr(colon + 1));
  if (tag == "cpu") return dialect.target == types::Target::kCpu;
  if (tag == "cuda") return dialect.target == types::Target::kCuda;
  if (tag == "numpy") return dialect.rules == types::Rules::kNumpy;
  if (tag == "numba") return dialect.rules == types::Rules::kNumba;
  text = {};  // an unknown tag does not parse
  return true;
}

}  // namespace

std::vector<Overload> overloads(std::string_view signature, types::Dialect dialect, bool widen,
                                std::string* error) {
  std::vector<Overload> all;
  for (const std::string_view part : split(signature, ';')) {
    std::string_view text = part;
    if (!applies(text, dialect)) continue;
    const auto alternative = parse(text);
    std::vector<Binding> bindings{{nullptr, nullptr}};
    if (alternative && alternative->letter) bindings = members(alternative->letter, widen);
    for (const Binding binding : bindings) {
      auto overload = alternative ? bind(*alternative, binding) : std::nullopt;
      if (!overload) {
        if (error) *error = part;
        return {};
      }
      all.push_back(std::move(*overload));
    }
  }
  return all;
}

}  // namespace pyk2cu::builtins
