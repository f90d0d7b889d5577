// NumPy's grammar of layouts, checked here so that a mistake has its place in the user's file.
//
//   layout := [group ("," group)*] ["->" [group ("," group)*]]     group := "(" [dim ("," dim)*]
//   ")" dim := (NAME | INT) ["?"]     blanks, and commas behind the last one, mean nothing
//
// In, out: ufunc.h.
#include "typeinfer/decorators/ufunc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace pyk2cu::decorators {

namespace {

class LayoutParser {
 public:
  LayoutParser(std::string_view text, ir::Ufunc& ufunc) : text_(text), ufunc_(ufunc) {}

  // What is wrong with it; empty: nothing.
  std::string run() {
    ufunc_.inputs = groups();
    const bool arrow = error_.empty() && take("->");
    if (arrow) ufunc_.outputs = groups();
    blanks();
    if (error_.empty() && at_ < text_.size()) fail(fmt::format("`{}` is unexpected", text_[at_]));
    if (error_.empty() && ufunc_.inputs == 0) fail("there is no input");
    if (error_.empty() && arrow && ufunc_.outputs == 0)
      fail("there is no output behind `->`; where inputs alone are written to, leave it out");
    ufunc_.layout = made();
    return error_;
  }

 private:
  struct Dim {
    std::string_view name;
    bool optional;
  };

  void blanks() {
    while (at_ < text_.size() && std::isspace(uint8_t(text_[at_])) != 0) ++at_;
  }
  bool take(std::string_view token) {
    blanks();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void fail(std::string why) {
    if (error_.empty()) error_ = std::move(why);
  }

  int groups() {
    int count = 0;
    while (error_.empty() && take("(")) {
      group();
      ++count;
      if (!take(",")) break;
    }
    return count;
  }

  void group() {
    std::vector<int>& core = ufunc_.cores.emplace_back();
    while (error_.empty() && !take(")")) {
      if (!core.empty() && !comma_) return fail("a `,` or `)` is missing");
      dim(core);
      comma_ = take(",");
    }
    comma_ = false;
  }

  void dim(std::vector<int>& core) {
    blanks();
    const size_t begin = at_;
    const auto is_word = [](char c) { return c == '_' || std::isalnum(uint8_t(c)) != 0; };
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name.empty())
      return fail(at_ < text_.size() ? fmt::format("`{}` is no dimension", text_[at_])
                                     : "a `)` is missing");
    const bool frozen = std::isdigit(uint8_t(name[0])) != 0;
    const auto is_digit = [](char c) { return std::isdigit(uint8_t(c)) != 0; };
    if (frozen &&
        (!std::all_of(name.begin(), name.end(), is_digit) || name.size() > 9 || name[0] == '0'))
      return fail(fmt::format("`{}` is neither a name nor a size", name));
    const bool optional = take("?");
    const auto same = [&](const Dim& known) { return known.name == name; };
    const auto known = std::find_if(dims_.begin(), dims_.end(), same);
    if (known != dims_.end() && known->optional != optional)
      return fail(fmt::format("`{}` has a `?` in one place and none in another", name));
    core.push_back(int(known - dims_.begin()));
    if (known == dims_.end()) dims_.push_back({name, optional});
  }

  // Without blanks, as NumPy reads it.
  std::string made() const {
    std::string text;
    for (size_t k = 0; k < ufunc_.cores.size(); ++k) {
      const bool first_output = int(k) == ufunc_.inputs;
      text += first_output ? "->" : k > 0 ? "," : "";
      text += "(";
      for (size_t d = 0; d < ufunc_.cores[k].size(); ++d) {
        const Dim& dim = dims_[size_t(ufunc_.cores[k][d])];
        text += (d > 0 ? "," : "") + std::string(dim.name) + (dim.optional ? "?" : "");
      }
      text += ")";
    }
    return text;
  }

  std::string_view text_;
  ir::Ufunc& ufunc_;
  size_t at_ = 0;
  bool comma_ = false;  // behind the dimension before
  std::vector<Dim> dims_{};
  std::string error_{};
};

std::optional<fold::Value> folded(const ast::Expr& expr, const ModuleInfo& module) {
  return fold::fold(expr, UnitScope(module));
}

bool is_text(const std::optional<fold::Value>& value) {
  return value && value->kind == fold::Value::Kind::kStr;
}

// What a list or tuple of the text, or one value, folds to; nothing where a part does not.
std::optional<std::vector<fold::Value>> all_folded(const ast::Expr& expr,
                                                   const ModuleInfo& module) {
  std::span<ast::Expr* const> items;
  if (const auto* list = ast::as<ast::List>(expr)) items = list->elts;
  if (const auto* tuple = ast::as<ast::Tuple>(expr)) items = tuple->elts;
  std::vector<fold::Value> values;
  if (!ast::is<ast::List>(expr) && !ast::is<ast::Tuple>(expr)) {
    const auto one = folded(expr, module);
    if (!one) return std::nullopt;
    return std::vector{*one};
  }
  for (const ast::Expr* item : items) {
    const auto one = folded(*item, module);
    if (!one) return std::nullopt;
    values.push_back(*one);
  }
  return values;
}

void bad_value(const Maker::Option& option, const char* rule, Diagnostics& diags) {
  diags.report(option.value->span, diag::BadOptionValue, option.name.str(), rule);
}

bool take_layout(Definition& definition, Maker& maker, Diagnostics& diags) {
  const Maker::Argument* last = maker.signatures.empty() ? nullptr : &maker.signatures.back();
  const auto value = last ? folded(*last->expr, *last->module) : std::nullopt;
  if (!is_text(value) || maker.signatures.size() > 2) {
    diags.report(last ? last->expr->span : maker.span, diag::BadLayout,
                 "a text such as \"(n),(n)->()\" is missing behind the signatures");
    maker.signatures.clear();
    return false;
  }
  const std::string problem = LayoutParser(value->text, *definition.ufunc).run();
  const Span at = last->expr->span;
  maker.signatures.pop_back();
  if (problem.empty()) return true;
  diags.report(at, diag::BadLayout, problem);
  maker.signatures.clear();
  return false;
}

void read_identity(ir::Ufunc& ufunc, const Maker::Option& option, Diagnostics& diags) {
  using Kind = fold::Value::Kind;
  using Identity = ir::Ufunc::Identity;
  const auto value = folded(*option.value, *option.module);
  const bool number = value && (value->kind == Kind::kInt || value->kind == Kind::kBool);
  if (value && value->kind == Kind::kNone)
    ufunc.identity = Identity::kNone;
  else if (number && (value->integer == 0 || value->integer == 1))
    ufunc.identity = value->integer == 0 ? Identity::kZero : Identity::kOne;
  else if (is_text(value) && value->text == "reorderable")
    ufunc.identity = Identity::kReorderable;
  else
    bad_value(option, "it is 0, 1, None or 'reorderable'", diags);
}

void read_writable(Definition& definition, const Maker::Option& option, Diagnostics& diags) {
  using Kind = fold::Value::Kind;
  const auto values = all_folded(*option.value, *option.module);
  const ast::Arguments& args = definition.arguments();
  const auto number_of = [&](const fold::Value& value) {
    if (value.kind == Kind::kInt) return int(value.integer);
    for (size_t k = 0; value.kind == Kind::kStr && k < args.args.size(); ++k)
      if (args.args[k]->arg == std::string_view(value.text)) return int(k);
    return -1;
  };
  constexpr const char* kRule = "it lists parameters, by name or by number";
  if (!values) return bad_value(option, kRule, diags);
  for (const fold::Value& value : *values) {
    const int number = number_of(value);
    if (number < 0 || number >= int(args.args.size())) return bad_value(option, kRule, diags);
    definition.ufunc->writable.push_back(number);
  }
}

void read_target(ir::Ufunc& ufunc, const Maker::Option& option, bool root, Diagnostics& diags) {
  const auto values = all_folded(*option.value, *option.module);
  constexpr const char* kRule = "it is 'cpu', 'parallel' or 'cuda'";
  if (!values && root) return bad_value(option, kRule, diags);
  for (const fold::Value& value : values.value_or(std::vector<fold::Value>())) {
    const std::string_view target = is_text(value) ? std::string_view(value.text) : "";
    const bool gpu = target == "cuda" || target == "gpu";
    if (gpu && root)
      diags.report(option.span, diag::OptionLater, fmt::format("target='{}'", target));
    if (gpu || target == "parallel" || target == "stream")
      ufunc.parallel = true;
    else if (target != "cpu" && root)
      return bad_value(option, kRule, diags);
  }
}

}  // namespace

bool make_ufunc(Definition& definition, Maker& maker, bool root, Diagnostics& diags) {
  definition.options.error_model = ir::ErrorModel::kNumpy;
  ir::Ufunc& ufunc = definition.ufunc.emplace();
  if (maker.path.starts_with("numba.cuda.")) {
    ufunc.parallel = true;
    if (root) diags.report(maker.span, diag::OptionLater, "target='cuda'");
  }
  for (const Maker::Option& option : maker.options) {
    const std::string_view name = option.name.str();
    if (name == "identity") read_identity(ufunc, option, diags);
    if (name == "writable_args") read_writable(definition, option, diags);
    if (name == "target" || name == "_target" || name == "target_backend")
      read_target(ufunc, option, root, diags);
  }
  if (maker.kind == MakerKind::kGuvectorize) return take_layout(definition, maker, diags);
  // Element by element: from the parameters to the result.
  const ast::Arguments& args = definition.arguments();
  ufunc.inputs = int(args.posonlyargs.size() + args.args.size());
  ufunc.outputs = 1;
  ufunc.cores.resize(size_t(ufunc.inputs) + 1);
  return true;
}

}  // namespace pyk2cu::decorators
