// The printer: IR to C++, one function per node. It decides nothing; Facts and Declarations say
// how.
//
// In:   a lowered function, the target.  Out: text in a Writer.
// Expressions are in expr.cpp, arithmetic in arithmetic.cpp, statements in stmt.cpp, loops in
// loop.cpp, whole functions in function.cpp. Tested by tests/golden.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emit/emit.h"
#include "emit/lower/facts.h"
#include "emit/print/declare.h"
#include "emit/print/type.h"
#include "emit/text/code.h"
#include "emit/text/names.h"
#include "emit/text/writer.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

enum class Target : unsigned char { kOpenMP, kCuda, kTwin };

// The places that raise, numbered from 1 over the whole module.
class Sites {
 public:
  int number(const ir::Raise* raise, const ir::Function* f);
  const std::vector<std::pair<const ir::Raise*, const ir::Function*>>& all() const { return all_; }

 private:
  std::unordered_map<const ir::Raise*, int> numbers_;
  std::vector<std::pair<const ir::Raise*, const ir::Function*>> all_;
};

// What the functions of one file share.
struct FileContext {
  FileContext(const ir::Program& of, const Facts& found, const Options& given, Target to,
              Sites& all)
      : program(of), facts(found), options(given), target(to), sites(all) {}

  const ir::Program& program;
  const Facts& facts;
  const Options& options;
  Target target;
  Sites& sites;
  Writer out{};
  std::set<std::string> headers{};  // "pyk/math.h"

  // Does the function ask where in the grid it runs, itself or in what it calls?
  bool uses_lane(ir::Function* f);

 private:
  std::unordered_map<const ir::Function*, bool> lanes_{};
};

class Printer {
 public:
  enum class Part : uint8_t { kWhole, kHead };  // kHead: names for the parameters only
  Printer(FileContext& file, ir::Function& f, Part part = Part::kWhole);

  // The comment, the head and the body.
  void function();
  // Only `static inline T f(…);`.
  void declaration();
  void print_comment();
  std::string head(bool with_names);  // without `static inline` and the like
  std::string comment() const;        // kernels.py:12  def sum2d(a): …       float64(…)
  std::string param_list(bool with_names);
  std::string args() const;  // the parameters' names, to pass them on
  void body();
  const std::string& name(const ir::Local* local) const { return names_.at(local); }
  std::string unique(std::string_view wanted) { return scope_.unique(wanted); }
  std::string param_type(const ir::Param& p) const;

  Code expr(const ir::Expr* e);

 private:
  // ---- expr.cpp: one per kind ----------------------------------------------------------------
  Code visit(const ir::Const& e);
  Code visit(const ir::Load& e);
  Code visit(const ir::Global& e);
  Code visit(const ir::Element& e);
  Code visit(const ir::View& e);
  Code visit(const ir::Query& e);
  Code visit(const ir::NewArray& e);
  Code visit(const ir::Unary& e);
  Code visit(const ir::Binary& e);
  Code visit(const ir::Compare& e);
  Code visit(const ir::Logical& e);
  Code visit(const ir::Select& e);
  Code visit(const ir::Convert& e);
  Code visit(const ir::Call& e);
  Code visit(const ir::Builtin& e);
  Code visit(const ir::Tuple& e);
  Code visit(const ir::Item& e);
  Code visit(const ir::ItemAt& e);
  Code visit(const ir::Wrap& e);
  Code visit(const ir::Unwrap& e);
  Code visit(const ir::HasValue& e);
  Code visit(const ir::Lane& e);

  // The value where C++ converts by itself: initialisers, assignments, typed parameters.
  Code implicit(const ir::Expr* e);
  std::string text(const ir::Expr* e) { return implicit(e).text; }
  Code element(const ir::Expr* array, const std::vector<ir::Index>& indices);
  std::string index(const ir::Index& i, const std::string& extent);
  std::string subscript(const ir::Subscript& s, const std::string& extent);
  std::string call_args(const ir::Call& e);
  std::string literal_argument(const ir::Expr* e, bool exact);

  // ---- arithmetic.cpp ------------------------------------------------------------------------
  // The type that C++ gives to the printed expression: of small literals int32.
  const types::Type* printed_type(const ir::Expr* e) const;
  bool has_own_type(const ir::Expr* e) const;
  // Operands of an operator that computes in `type`, casts dropped that C++ makes by itself.
  struct Pair {
    Code left, right;
  };
  Pair operands(const ir::Expr* left, const ir::Expr* right, const types::Type* type);
  Code call2(const char* function, const ir::Binary& e);
  Code power(const ir::Binary& e);
  Code bitwise(const ir::Binary& e);
  Code cast(const types::Type* to, const Code& operand);

  // ---- stmt.cpp, loop.cpp --------------------------------------------------------------------
  void stmts(const ir::Block& block);
  void stmt(const ir::Stmt* s);
  void visit(const ir::Assign& s);
  void visit(const ir::Store& s);
  void visit(const ir::If& s);
  void visit(const ir::For& s);
  void visit(const ir::While& s);
  void visit(const ir::Break& s);
  void visit(const ir::Continue& s);
  void visit(const ir::Return& s);
  void visit(const ir::Raise& s);
  void visit(const ir::Eval& s);
  void visit(const ir::Print& s);

  // The statement as one line, when it is one: `total += a(i, j);`
  std::optional<std::string> one_line(const ir::Stmt* s);
  std::string assign_line(const ir::Assign& s);
  std::string store_line(const ir::Store& s);
  std::string update_line(const std::string& target, const types::Type* type, const Update& u,
                          bool atomic);
  std::optional<std::string> return_line(const ir::Return& s);
  std::string raise_line(const ir::Raise& s);
  void declare_before(const ir::Stmt* s);
  void raising_call(const ir::Call& call, const std::string& target);
  std::string local_type(const ir::Local* local) const;
  std::string owned_value(const ir::Expr* e, const ir::Local* local);
  bool has_openmp_loop() const;
  size_t unpacking(const ir::Block& block, size_t i);  // const auto [m, n] = …: statements used
  void if_chain(const ir::If& s);
  void body_of(const std::string& head, const ir::Block& body);
  bool is_compact(const ir::Block& body);
  void loop_head(const ir::For& s, std::string& head);
  std::string index_name(const ir::For& s);
  void pragmas(const ir::For& s);
  void declare_complex_reductions(const ir::For& s);
  std::string reduction_clause(const std::vector<ir::Reduction>& reductions);
  bool returns_status(const ir::Stmt* s) const;
  void raising_body(const ir::For& s);
  bool is_invariant(ir::Expr* e, const ir::For& loop);
  void source(Span span);

  void name_locals();
  std::string body_comment() const;

  FileContext& file_;
  ir::Function& f_;
  Writer& out_;
  Part part_;
  std::unordered_set<const ir::Local*> mentioned_;  // in the body
  Declarations declarations_;
  NameScope scope_;
  std::unordered_map<const ir::Local*, std::string> names_;
  std::unordered_map<const ir::Stmt*, std::string> labels_;  // loops left from inside another
  std::string status_name_ = "status", result_name_ = "result";
  int in_parallel_ = 0;
  std::vector<const ir::Stmt*> loops_;
  std::string last_line_directive_;
};

}  // namespace pyk2cu::emit
