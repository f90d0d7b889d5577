// `# pythran export f(float64[:], int)`: the common part of Pythran's grammar.
//
//   export    := NAME "(" [type ("," type)*] ")"         type := one ("or" one)* ["?"]
//   one       := dtype ("[" (":" | "::" | "") ("," …)* "]")* ["order" "(" ("C"|"F") ")"]
//                | "(" type ("," type)* ")" | "None"
//
// In:   comments of a file.  Out: signatures of its functions, `or` and `?` multiplied out.
// Rule: an array without order(…) is any layout: variants for contiguous ones are made anyway.
// Tested by tests/unit/typeinfer/roots_test.cpp and tests/diag/PK205*.
#include <cctype>

#include "typeinfer/decorators/collector.h"
#include "typeinfer/decorators/lines.h"

namespace pyk2cu::decorators {

namespace {

using types::Type;
constexpr size_t kMostOverloads = 128;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool done() {
    skip();
    return text_.empty();
  }
  bool accept(std::string_view token) {
    skip();
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  bool accept_word(std::string_view wanted) {
    const std::string_view before = text_;
    if (word() == wanted) return true;
    text_ = before;
    return false;
  }
  std::string_view word() {
    skip();
    size_t n = 0;
    while (n < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[n])) || text_[n] == '_'))
      ++n;
    const std::string_view result = text_.substr(0, n);
    text_.remove_prefix(n);
    return result;
  }

  // What is not understood: the message, and whether the text is at fault or we are.
  std::string wrong{}, unsupported{};

  // The alternatives of one parameter; null among them: left out.
  std::vector<const Type*> type() {
    std::vector<const Type*> all;
    do {
      const auto one = alternative();
      if (failed()) return {};
      all.insert(all.end(), one.begin(), one.end());
    } while (accept_word("or"));
    if (accept("?")) all.push_back(nullptr);
    return all;
  }
  bool failed() const { return !wrong.empty() || !unsupported.empty(); }

 private:
  void skip() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_[0])))
      text_.remove_prefix(1);
  }

  std::vector<const Type*> alternative() {
    if (accept("(")) return tuple();
    if (accept("[")) {  // grouping
      auto inner = type();
      if (!accept("]")) wrong = "`]` is missing";
      return inner;
    }
    const std::string_view name = word();
    if (name == "None") return {types::none()};
    const Type* scalar = find(name);
    if (!scalar) {
      const bool known =
          name == "str" || name == "slice" || name == "float128" || name == "complex256";
      if (name.empty()) wrong = "a type is missing";
      if (!name.empty())
        (known ? unsupported : wrong) = fmt::format("`{}`{}", name, known ? "" : " is no type");
      return {};
    }
    for (std::string_view word : {"list", "set", "dict", "type"}) {
      if (accept_word(word)) unsupported = "a " + std::string(word);
    }
    if (accept("*")) unsupported = "a pointer";
    if (accept(":")) unsupported = "a dict";
    if (accept("(")) unsupported = "a function type";
    return array(scalar);
  }

  static const Type* find(std::string_view name) {
    if (name == "int") return types::int64();
    if (name == "float") return types::float64();
    if (name == "complex") return types::complex128();
    if (name == "byte") return types::integer(8, true);
    if (name == "bool") return types::boolean();
    for (std::string_view known :
         {"int8", "int16", "int32", "int64", "intc", "intp", "uint8", "uint16", "uint32", "uint64",
          "uintc", "uintp", "float32", "float64", "complex64", "complex128"}) {
      if (name == known) return types::find_scalar(name);
    }
    return nullptr;
  }

  std::vector<const Type*> tuple() {
    std::vector<const Type*> items;
    while (!accept(")")) {
      const auto one = type();
      if (failed()) return {};
      if (one.size() != 1 || !one[0]) {
        unsupported = "a tuple of alternatives";
        return {};
      }
      items.push_back(one[0]);
      if (accept(",")) continue;
      if (accept(")")) break;
      wrong = "`)` is missing";
      return {};
    }
    return {types::tuple(std::move(items))};
  }

  std::vector<const Type*> array(const Type* scalar) {
    int rank = 0;
    while (accept("[")) {
      do {
        ++rank;
        if (!accept("::") && !accept(":")) (void)word();  // a fixed extent
      } while (accept(","));
      if (!accept("]")) wrong = "`]` is missing";
    }
    for (std::string_view kind : {"list", "set"}) {
      if (accept_word(kind)) unsupported = "a " + std::string(kind);
    }
    if (rank == 0) return {scalar};
    types::Layout layout = types::Layout::kA;
    if (accept_word("order")) {
      const bool open = accept("(");
      const std::string_view order = word();
      if (!open || !accept(")") || (order != "C" && order != "F")) wrong = "order is C or F";
      layout = order == "F" ? types::Layout::kF : types::Layout::kC;
    }
    return {types::array(scalar, rank, layout)};
  }

  std::string_view text_;
};

// Every choice of one alternative per parameter; a null ends the parameters.
void multiply(const std::vector<std::vector<const Type*>>& choices,
              std::vector<const Type*>& so_far, std::vector<std::vector<const Type*>>& out) {
  if (out.size() >= kMostOverloads) return;
  if (so_far.size() == choices.size()) {
    out.push_back(so_far);
    return;
  }
  for (const Type* type : choices[so_far.size()]) {
    if (!type) {
      out.push_back(so_far);
      continue;
    }
    so_far.push_back(type);
    multiply(choices, so_far, out);
    so_far.pop_back();
  }
}

// "export …" of a comment "# pythran export …", else "".
std::string_view pythran_comment(std::string_view comment) {
  comment = trim(comment.substr(1));
  if (!comment.starts_with("pythran")) return "";
  comment = trim(comment.substr(7));
  return comment.starts_with("export") ? trim(comment.substr(6)) : "";
}

int depth_of(std::string_view text) {
  int depth = 0;
  for (char c : text) depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
  return depth;
}

}  // namespace

void Collector::give_pythran(Unit& unit) {
  const auto& comments = unit.info->ast->comments;
  const auto text_of = [&](Span span) {
    return std::string_view(unit.file->text).substr(span.begin - unit.file->base, span.size());
  };
  for (size_t i = 0; i < comments.size(); ++i) {
    std::string line(pythran_comment(text_of(comments[i])));
    if (line.empty()) continue;
    Span span = comments[i];
    while (i + 1 < comments.size() && (depth_of(line) > 0 || line.ends_with(','))) {
      span = join(span, comments[++i]);
      line += " " + std::string(trim(text_of(comments[i]).substr(1)));
    }
    give_export(unit, line, span);
  }
}

void Collector::give_export(Unit& unit, std::string_view line, Span span) {
  Reader in(line);
  while (!in.done()) {
    const bool capsule = in.accept_word("capsule");
    const bool ufunc = !capsule && in.accept_word("ufunc");
    const std::string name(in.word());
    if (name.empty()) return;  // whatever follows is prose
    if (!in.accept("(")) {     // a constant of the module
      if (!in.accept(",")) return;
      continue;
    }
    std::vector<std::vector<const Type*>> choices;
    while (!in.failed() && !in.accept(")")) {
      choices.push_back(in.type());
      if (!in.accept(",") && !in.failed()) {
        if (!in.accept(")")) in.wrong = "`)` is missing";
        break;
      }
    }
    if (!in.wrong.empty()) {
      diags_.report(span, diag::PythranSyntax, in.wrong);
      return;
    }
    if (capsule) in.unsupported = "`capsule`";
    if (ufunc) in.unsupported = "`ufunc`";
    if (!in.unsupported.empty()) {
      diags_.report(span, diag::PythranType, in.unsupported);
      return;
    }
    const auto targets = named({&unit}, Symbol(name));
    if (targets.empty()) diags_.report(span, diag::UnknownFunction, name);
    std::vector<std::vector<const Type*>> overloads;
    std::vector<const Type*> none;
    multiply(choices, none, overloads);
    for (Definition* target : targets) {
      std::vector<signature::Signature> signatures;
      for (auto& params : overloads) {
        signature::Signature one{.params = std::move(params), .span = span};
        one.param_spans.assign(one.params.size(), span);
        signatures.push_back(std::move(one));
      }
      add_given(*target, std::move(signatures), 3);
    }
    in.accept(",");
  }
}

}  // namespace pyk2cu::decorators
