// The parser's own class; others call parse() of parser.h. One method per rule of Python's grammar.
//
// After a mistake the parser panics: the current token becomes kPanic, which no rule accepts, so
// that every rule ends at once and silently; what they return is thrown away. statement() then goes
// on behind the statement. So a rule never asks whether its parts succeeded. Tested by
// tests/unit/frontend/parse_*_test.cpp, tests/run/test_dump_ast.py.
#pragma once

#include <algorithm>
#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/diag/diagnostics.h"
#include "frontend/lex/token.h"

namespace pyk2cu::frontend {

using namespace ast;  // the parser makes nothing but nodes
using ast::Name;      // not the one of diagnostics.h

enum class TargetKind { kStar, kFor, kDelete };

class Parser {
 public:
  Parser(const SourceFile& file, Diagnostics& diags);
  Module run();

 private:
  static constexpr int kMaxDepth = 500;  // of rules within rules

  struct Depth {  // guards recursion
    explicit Depth(Parser& p) : parser(p) {
      if (++parser.depth_ > kMaxDepth) parser.too_deep();
    }
    ~Depth() { --parser.depth_; }
    Depth(const Depth&) = delete;
    Parser& parser;
  };
  struct Mark {
    const Token* tok;
    uint32_t nodes;
  };

  // ---- parser.cpp: tokens, mistakes, nodes ----
  Tok kind() const { return tok_->kind; }
  bool at(Tok k) const { return tok_->kind == k; }
  Tok ahead(int n = 1) const { return panic_ ? Tok::kPanic : tok_[n].kind; }
  bool at_name(std::string_view name) const { return at(Tok::kName) && text(*tok_) == name; }
  std::string_view text(const Token& t) const {
    return std::string_view(file_.text).substr(t.begin, t.end - t.begin);
  }
  void next() {
    if (!panic_) ++tok_;
  }
  bool accept(Tok k) {
    if (tok_->kind != k) return false;
    ++tok_;
    return true;
  }
  void expect(Tok k) {
    if (!accept(k)) fail();
  }
  void expect_forced(Tok k);  // says which token is missing
  uint32_t begin() const { return panic_ ? failed_at_->begin : tok_->begin; }
  uint32_t last_end() const;
  Span from(uint32_t first) const { return {file_.base + first, file_.base + last_end()}; }
  Span span(uint32_t first, uint32_t last) const { return {file_.base + first, file_.base + last}; }
  Span span(const Token& t) const { return span(t.begin, t.end); }
  int line(uint32_t offset) const;

  void fail();  // at the current token, which no rule expects
  void fail(Span where, std::string message, Mistake mistake = Mistake::kSyntax);
  void fail(const Node* where, std::string message, Mistake mistake = Mistake::kSyntax) {
    fail(where->span, std::move(message), mistake);
  }
  void too_deep();
  void panic();
  void report(Mistake mistake, Span where, const std::string& message);
  void report(const LexError& e);
  const LexError* error_in_line() const;
  void skip_soft_errors();
  void recover(const Token* start);
  Mark mark() const { return {tok_, nodes_}; }
  void rewind(Mark m);
  template <class Rule>
  bool would_parse(Rule rule);  // tries a rule without effect

  template <class T, class... A>
  T* make(Span where, A... fields) {
    const int height = 1 + std::max({0, height_of(fields)...});
    if (height > kMaxHeight) too_deep();
    const Node node{T::kKind, static_cast<uint16_t>(std::min(height, kMaxHeight)), where, nodes_++};
    if constexpr (std::same_as<typename T::Base, Node>) {
      return arena_.make<T>(node, fields...);
    } else {
      return arena_.make<T>(typename T::Base{node}, fields...);
    }
  }
  template <class T>
  static int height_of(const T& field) {
    if constexpr (std::is_pointer_v<T>) {
      return field ? field->height : 0;
    } else if constexpr (requires { field.data()[0]->height; }) {
      int most = 0;
      for (const auto* item : field) most = std::max<int>(most, item ? item->height : 0);
      return most;
    } else {
      return 0;
    }
  }
  template <class T>
  std::span<T> list(const std::vector<T>& items) {
    return arena_.copy(items);
  }
  Symbol name();  // expects one
  Symbol symbol(const Token& t) const;
  Expr* nothing();  // what an expression that failed returns

  // ---- statements.cpp ----
  void statements(std::vector<Stmt*>& out);
  void statement(std::vector<Stmt*>& out);
  void simple_statements(std::vector<Stmt*>& out);
  Stmt* simple_statement();
  Stmt* expression_statement();
  Stmt* assignment(uint32_t first, Expr* target);
  Stmt* annotated_assignment(uint32_t first, Expr* target, bool parenthesised);
  Stmt* augmented_assignment(uint32_t first, Expr* target, Operator op);
  Expr* annotated_rhs();
  Stmt* del_statement();
  Stmt* raise_statement();
  Stmt* assert_statement();
  Stmt* type_alias();
  Stmt* import_name();
  Stmt* import_from();
  Alias* import_alias(bool dotted);
  Symbol dotted_name();
  Symbols name_list();

  // ---- compound.cpp ----
  Stmt* compound_statement();  // null if none begins here
  Stmts block(std::string_view what, uint32_t head);
  Stmts else_block();
  void expect_colon();
  Stmt* if_statement();
  Stmt* while_statement();
  Stmt* for_statement(uint32_t first, bool is_async);
  Stmt* with_statement(uint32_t first, bool is_async);
  bool with_items_in_parentheses(std::vector<WithItem*>& items);
  WithItem* with_item();
  Stmt* try_statement();
  ExceptHandler* except_handler(bool& star);
  Stmt* decorated();
  Stmt* async_statement();
  Stmt* function(uint32_t first, Exprs decorators, bool is_async);
  Stmt* class_statement(uint32_t first, Exprs decorators);

  // ---- parameters.cpp ----
  Arguments* parameters(bool lambda);
  void star_parameter(struct ParameterLists& lists, bool lambda);
  void keyword_parameter(struct ParameterLists& lists, bool lambda);
  Arg* parameter(bool lambda, bool star);
  void parameter_order_error(const struct ParameterLists& lists, bool lambda);
  TypeParams type_params();
  TypeParam* type_param();

  // ---- match.cpp ----
  bool match_begins() const;
  Stmt* match_statement();
  MatchCase* case_block();
  Pattern* patterns();
  Pattern* pattern();
  Pattern* or_pattern();
  Pattern* closed_pattern();
  Pattern* star_pattern();
  Pattern* group_or_sequence();
  Pattern* sequence_in_brackets();
  Pattern* mapping_pattern();
  Pattern* name_pattern();
  Pattern* class_pattern(Expr* cls);
  Expr* literal(bool complex);
  Expr* name_or_attribute();
  Symbol capture_name();
  bool pattern_begins() const;

  // ---- expressions.cpp ----
  Expr* star_expressions(bool* is_bare_tuple = nullptr);
  Expr* star_expression();
  Expr* star_named_expression();
  Expr* named_expression();
  void misplaced_equal(Expr* left, const Token* first);
  Expr* expression();
  void after_expression(Expr* left, const Token* first);
  Expr* conditional(uint32_t first, Expr* body);
  Expr* lambda();
  Expr* disjunction();
  Expr* conjunction();
  Expr* inversion();
  Expr* comparison();
  bool compare_operator(CompareOperator& op);
  Expr* bitwise_or() { return binary(0); }
  Expr* binary(int min_precedence);
  Expr* factor();
  Expr* power();
  Expr* await_primary();
  Expr* primary();
  Expr* yield_expression();
  Expr* slices();
  Expr* slice();
  static bool begins_expression(Tok k);

  // ---- atoms.cpp ----
  Expr* atom();
  Expr* parenthesised();
  Expr* bracketed();
  Expr* braced();
  Expr* dict_rest(uint32_t first);
  bool dict_item(std::vector<Expr*>& keys, std::vector<Expr*>& values);
  Expr* set_rest(uint32_t first, Expr* head);
  Comprehensions comprehension_clauses();
  Comprehension* comprehension_clause();
  bool at_comprehension() const;
  void call_arguments(Exprs& args, Keywords& keywords);
  bool call_argument(struct CallArguments& out);
  void keyword_argument(struct CallArguments& out);
  void misplaced_generator(Expr* element, const struct CallArguments& out);

  // ---- targets.cpp ----
  Expr* target_list();  // what stands between `for` and `in`
  Expr* target_element();
  bool check_target(const Expr* target, TargetKind kind, bool single_equal = false);
  static bool equal_may_be_meant(const Expr* e, bool in_parentheses);
  const Expr* invalid_target(const Expr* target, TargetKind kind) const;
  static bool is_single_target(const Expr* e);
  static void set_context(Expr* target, Context ctx);
  static std::string_view describe(const Expr* e);

  // ---- literals.cpp, strings.cpp ----
  Expr* number();
  Expr* constant(Span where, ConstantValue value, Symbol prefix = {});
  Expr* strings();
  Expr* plain_string();
  void fstring(std::vector<Expr*>& pieces);
  void replacement_field(bool raw, std::vector<Expr*>& pieces);
  void field_text_expected(const char* expected);
  int conversion();
  Expr* format_spec(bool raw);
  Expr* join_pieces(Span where, const std::vector<Expr*>& pieces, bool is_fstring);
  Expr* string_piece(Span where, std::string_view source, bool raw);
  std::string debug_text(uint32_t first, uint32_t last) const;
  bool decode_text(std::string_view source, bool raw, bool bytes, Span where, std::string& out);
  bool decode_escape(std::string_view source, size_t& at, bool bytes, Span where, std::string& out);
  bool decode_hex(std::string_view source, size_t& at, size_t count, bool bytes, Span where,
                  std::string& out);
  bool named_character(std::string_view source, size_t& at, Span where, std::string& out);

  const SourceFile& file_;
  Diagnostics& diags_;
  TokenStream stream_;
  Arena arena_;
  const Token* tok_ = nullptr;
  const Token* failed_at_ = nullptr;
  uint32_t nodes_ = 0;
  int depth_ = 0;
  bool panic_ = false;
  bool silent_ = false;  // trying
  bool flufl_ = false;   // `from __future__ import barry_as_FLUFL` was read: <> instead of !=
};

template <class Rule>
bool Parser::would_parse(Rule rule) {
  if (silent_) return false;
  const Mark m = mark();
  silent_ = true;
  rule();
  const bool ok = !panic_;
  silent_ = false;
  rewind(m);
  return ok;
}

}  // namespace pyk2cu::frontend
