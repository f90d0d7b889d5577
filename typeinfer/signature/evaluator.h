// The evaluator behind signature.h: Python expressions over types.
//
// In:   expressions of a file or of a text in it.  Out: values: types, signatures, tuples, numbers.
// evaluator.cpp walks expressions, names.cpp knows what names mean, makers.cpp calls Tuple, Array…,
// annotations.cpp Python's own generics, signature.cpp is the door.
// Tested by tests/unit/typeinfer/signature_test.cpp.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "typeinfer/signature/signature.h"

namespace pyk2cu::signature {

struct Value {
  enum class Kind : uint8_t {
    kError,       // said already
    kType,        // `type`
    kSignature,   // `signature`
    kTuple,       // `items`
    kList,        // `items`
    kInt,         // `integer`
    kBool,        // `integer`
    kFloat,       //
    kComplex,     //
    kStr,         // `text`, from `literal` when it is written as one
    kNone,        //
    kPath,        // a thing known by its name only: `text` = "numpy", "numba.Tuple", "float"
    kFieldClass,  // a namedtuple class: `name`, `fields`
  } kind = Kind::kError;
  Span span{};
  const types::Type* type = nullptr;
  Signature signature{};
  std::vector<Value> items{};
  long long integer = 0;
  std::string text{};
  const ast::Constant* literal = nullptr;
  Symbol name{};
  std::vector<Symbol> fields{};

  bool is(Kind k) const { return kind == k; }
  bool is_error() const { return kind == Kind::kError; }
};

struct NoNames : Names {
  const ast::Expr* find_assigned(Symbol) const override { return nullptr; }
  std::string qualified(Symbol) const override { return {}; }
};

// What the name of an attribute of numba or numba.types stands for; null: nothing known.
enum class NumbaName : uint8_t { kUnknown, kScalar, kNone, kMaker, kUnsupported, kModule };
NumbaName classify_numba_name(std::string_view name);
// Every name that a signature may use, for "did you mean".
std::span<const std::string_view> type_names();
// What to write for Python's int, float, complex, str; "" for other names.
std::string_view numba_name_of_class(std::string_view python_class);

// How to write the container of that name, Python's or another: "write `List(int64)`"; "" for
// others.
std::string_view help_on_container(std::string_view name);

// What to write where a function is given for a type.
inline constexpr std::string_view kFunctionHelp =
    "a function is compiled for each function that it takes: write one that calls it with what it "
    "is to take, and give types to that";

class Evaluator {
 public:
  Evaluator(const Names& names, const SourceFile& file, Diagnostics& diags, bool annotation)
      : names_(&names), file_(&file), diags_(diags), annotation_(annotation) {}

  Value evaluate(const ast::Expr& expr);
  // The value of a text at `span.begin`; its spans are those of the file.
  Value evaluate_text(std::string_view text, uint32_t base);
  // A string literal, or a string that was computed.
  Value evaluate_string(const Value& string);

  const types::Type* to_type(const Value& value);  // null after a diagnostic
  // Likewise, of what functions take and give: a record is a view of one.
  const types::Type* to_value_type(const Value& value);
  void to_signatures(const Value& value, std::vector<Signature>& out);

  // The text that a span covers, for messages.
  std::string spell(Span span) const;

 private:
  using Args = std::vector<Value>;
  struct Keyword {
    Symbol name;
    Value value;
    Span span;
  };
  struct Call {
    std::string name;  // as in messages: "UniTuple"
    Span span;
    Args args;
    std::vector<Keyword> keywords;
  };

  // evaluator.cpp
  Value constant(const ast::Constant& e);
  static std::optional<std::string> shown(const Value& value);
  Value format(const ast::JoinedStr& e);
  Value format(const std::string& pattern, const std::vector<Value>& given, bool percent,
               Span span);
  Value attribute(const ast::Attribute& e);
  Value subscript(const ast::Subscript& e);
  Value array_of(const types::Type* elem, const ast::Subscript& e);
  Value binary(const ast::BinOp& e);
  Value comprehension(const ast::Expr& elt, std::span<ast::Comprehension*> generators, Span span);
  Value sequence(ast::Exprs elts, Span span, Value::Kind kind);
  void append(const ast::Expr& elt, std::vector<Value>& items);
  bool bind(const ast::Expr& target, const Value& value);
  bool check_dimension(const ast::Expr& dim, bool& contiguous);

  // names.cpp
  Value name(const ast::Name& e);
  Value assigned(const ast::Expr& expr, Symbol name, Span span);
  Value resolve(std::string path, Span span);
  Value resolve_numba(std::string_view name, Span span);
  Value unknown(std::string_view name, Span span);

  // text.cpp, signature.cpp
  const ast::Expr* parse_window(const SourceFile& text);
  const types::Type* path_type(const Value& value);

  // makers.cpp
  Value call(const ast::Call& e);
  Value make(const std::string& path, Call& call);
  Value make_signature(const types::Type* result, Span result_span, Call& call, size_t first);
  Value make_tuple(Call& call);
  Value make_uniform_tuple(Call& call, bool named);
  Value make_named_tuple(Call& call);
  Value make_optional(Call& call);
  Value make_list(Call& call);
  const types::Type* to_key_type(const Value& value);
  Value make_set(Call& call);
  Value make_dict(Call& call);
  Value make_literal(Call& call);
  Value make_array(Call& call);
  Value make_field_class(Call& call);
  Value make_dtype(Call& call);
  Value make_nested(Call& call);
  Value make_record(Call& call);
  Value type_of(const Value& value);
  bool take_keywords(Call& call, std::span<const std::string_view> parameters, size_t least);

  // annotations.cpp
  Value generic(const std::string& path, const ast::Subscript& e);
  Value optional_of(Value a, Value b, Span span);
  const types::Type* python_class(std::string_view name) const;

  Value error(Span span) const { return {.kind = Value::Kind::kError, .span = span}; }
  Value typed(const types::Type* type, Span span) const {
    return {.kind = Value::Kind::kType, .span = span, .type = type};
  }
  Value bad_arguments(const Call& call, std::string_view why);
  std::string_view describe(const Value& value) const;

  // Where to say it: the whole literal when the text was computed or holds escapes.
  Span at(Span span) const { return outer_.valid() ? outer_ : span; }
  template <class... P>
  Diagnostics::Builder report(Span span, const DiagRow<P...>& row,
                              std::type_identity_t<P>... args) {
    return diags_.report(at(span), row, args...);
  }
  bool can_fix() const { return !outer_.valid(); }

  const Names* names_;
  const SourceFile* file_;  // holds the spans of what is being evaluated
  Diagnostics& diags_;
  bool annotation_;       // Python's classes are types here
  bool in_text_ = false;  // names are those of numba.types
  Span outer_{};          // spans of the text mean nothing: this stands for all of them
  int steps_ = 0;
  int depth_ = 0;                                  // texts within texts
  std::vector<std::pair<Symbol, Value>> bound_{};  // loop names of comprehensions
  std::vector<Symbol> resolving_{};                // names being looked up, against cycles
  std::deque<SourceFile> windows_{};               // texts that were parsed, and their trees
  std::deque<ast::Module> modules_{};
};

}  // namespace pyk2cu::signature
