// One function's text as unknowns and relations.
//
// In:   a definition; what is known of its callees.
// Out:  an unknown per parameter and for the result; every call of a function of the program.
// Tested by tests/run/test_check.py.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "typeinfer/decorators/roots.h"
#include "typeinfer/propose/guesses.h"

namespace pyk2cu::propose {

// What a function takes and returns, as far as it was read.
struct Known {
  std::vector<Evidence> params{};
  Evidence result{};
};

struct CallSite {
  const decorators::Definition* callee;
  std::vector<Id> args;  // -1: not given by position or name
};

// A function as it was read.
struct Reading {
  Guesses guesses{};
  std::vector<Id> params{};
  Id result = -1;
  std::vector<CallSite> calls{};
};

const ast::Name* shape_of(const ast::Expr& e);  // `a` of `a.shape`, or null

class Reader {
 public:
  using Callees = std::function<const Known&(const decorators::Definition&)>;

  Reader(const decorators::Definition& definition, Callees callees);

  Reading& out() { return out_; }

 private:
  // ---- statements
  void defaults();
  void body(std::span<ast::Stmt*> stmts);
  void statement(const ast::Stmt& stmt);
  void assign(const ast::Expr& target, Id value, const ast::Expr* from);
  void unpack(std::span<ast::Expr*> targets, Id value, const ast::Expr* from);
  void add_items(Id tuple, size_t count);  // until it has so many
  void augmented(const ast::AugAssign& stmt);
  void for_stmt(const ast::Expr& target, const ast::Expr& iter);
  void loop_call(const ast::Expr& target, const ast::Call& call, std::string_view path);
  void condition(const ast::Expr& test);

  // ---- expressions
  Id read(const ast::Expr& e);
  Id name(const ast::Name& e);
  Id constant(const ast::Constant& e);
  Id binary(const ast::BinOp& e);
  Id compare(const ast::Compare& e);
  Id attribute(const ast::Attribute& e);
  Id subscript(const ast::Subscript& e);
  struct Taken {
    int integers = 0, sliced = 0, added = 0;
    Id by = -1;  // the first of the integers
  };
  void index(const ast::Expr& e, Taken& taken);
  Id index_value(const ast::Expr& e);  // an integer, or an array of them
  void children(const ast::Node& node);

  // ---- calls (library.cpp: functions of NumPy, math, cuda and Python)
  Id call(const ast::Call& e);
  Id program_call(const ast::Call& e, const decorators::Definition& callee);
  Id library_call(const ast::Call& e, std::string_view path, const std::vector<Id>& args);
  Id array_function(const ast::Call& e, std::string_view name, const std::vector<Id>& args);
  Id grid(const ast::Call& e);
  Id constructor(const ast::Call& e, std::string_view path);
  Id method(const ast::Call& e, const ast::Attribute& function);
  void element_type(const ast::Call& e, Id result);

  std::string path_of(const ast::Expr& e) const;  // "numpy.sqrt", "range"; "" for what is local
  const decorators::Definition* callee_of(const ast::Expr& e) const;
  Id variable(Symbol name);
  Id integer();

  const decorators::Definition& definition_;
  Callees callees_;
  std::unordered_map<Symbol, Id> names_{};
  Reading out_{};
};

}  // namespace pyk2cu::propose
