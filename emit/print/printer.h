// The printer: IR to C++, one function per node. It decides nothing; the passes have.
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
#include "emit/print/type.h"
#include "emit/text/code.h"
#include "emit/text/names.h"
#include "emit/text/writer.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

enum class Target : unsigned char { kHost, kCuda };

// The places that raise, in the order in which the module first mentions them.
class Sites {
 public:
  explicit Sites(const SourceMap* sources) : sources_(sources) {}
  // site::division_25
  const std::string& name(const ir::Site* site);
  const std::vector<std::pair<const ir::Site*, std::string>>& all() const { return all_; }

 private:
  const SourceMap* sources_;
  std::unordered_map<const ir::Site*, size_t> known_;
  std::vector<std::pair<const ir::Site*, std::string>> all_;
  NameScope names_;
};

// What the functions of one file share.
struct FileContext {
  const ir::Program& program;
  const Options& options;
  Target target;
  Sites& sites;
  Writer out{};
  std::set<std::string> headers{};  // "pyk/math.h"
  bool names_sites = false;         // of the module's header
  bool per_isa = false;             // bodies for one instruction set: other roots are helpers here

  // The C++ type, whose headers the file then needs.
  std::string type(const types::Type* type, Hold hold = Hold::kView);
};

// The parts of a function's head: template <class L> static inline pyk::status f(…) noexcept
struct Head {
  std::vector<std::string> template_params{};  // "class L", "bool kCheck"
  std::string result, name;
  ListText params{};

  std::string template_line() const;  // empty: no template
  std::string line() const;           // with marks; without template line, `noexcept` and the like
};

class Printer {
 public:
  enum class Part : uint8_t { kWhole, kHead };  // kHead: names for the parameters only
  Printer(FileContext& file, const ir::Function& f, Part part = Part::kWhole);

  // The comment, the head and the body.
  void function();
  // The function that calls the body for the processor.
  void driver();
  // Only `static inline T f(…);`.
  void declaration();
  void print_comment();
  const char* linkage() const;
  Head head(bool with_names);
  void body();
  const std::string& name(const ir::Local* local) const { return names_.at(local); }
  std::string param_type(const ir::Param& p);

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
  Code visit(const ir::Any& e);
  Code visit(const ir::Total& e);

  std::string type(const types::Type* t, Hold hold = Hold::kView) { return file_.type(t, hold); }
  // The value where C++ converts by itself: initialisers, assignments, typed parameters.
  Code implicit(const ir::Expr* e);
  std::string text(const ir::Expr* e) { return implicit(e).text; }
  std::string grouped(const ir::Expr* e) { return group(text(e)); }
  Code element(const ir::Expr* array, const ir::List<ir::Index>& indices);
  std::string place(const ir::Expr* array, const ir::List<ir::Index>& indices);
  std::string index(const ir::Index& i, const std::string& extent);
  std::string subscript(const ir::Subscript& s, const std::string& extent);
  // f<pyk::C>(a, b): `more` is one argument more, or empty.
  std::string argument(const ir::Expr* e);
  static const ir::Expr* item_shown(const ir::Expr* e);
  std::string share_text(const ir::Expr* view, const ir::Expr* owner);
  std::string call(const ir::Call& e, const std::string& more = {});
  std::string instance(const ir::Call& e);
  std::string literal_argument(const ir::Expr* e, bool exact);
  Code device_lane(const ir::Lane& e);

  // ---- arithmetic.cpp ------------------------------------------------------------------------
  // The type that C++ gives to the printed expression: of small literals int32.
  const types::Type* printed_type(const ir::Expr* e) const;
  std::string mask_of(const ir::Select& e);
  Code either(const ir::Select& e);
  bool has_own_type(const ir::Expr* e) const;
  // Operands of an operator that computes in `type`, casts dropped that C++ makes by itself.
  struct Pair {
    Code left, right;
  };
  Pair operands(const ir::Expr* left, const ir::Expr* right, const types::Type* type);
  Code runtime(
      const std::string& call);  // pyk::neg(x), of core.h or, for complex numbers, complex.h
  Code call2(const char* function, const ir::Binary& e);
  Code power(const ir::Binary& e);
  Code bitwise(const ir::Binary& e);
  Code cast(const types::Type* to, const Code& operand);

  // ---- stmt.cpp, loop.cpp --------------------------------------------------------------------
  void stmts(const ir::Block& block);
  void stmt(const ir::Stmt* s);
  void visit(const ir::Assign& s);
  void visit(const ir::Store& s);
  void visit(const ir::Update& s);
  void visit(const ir::If& s);
  void visit(const ir::For& s);
  void visit(const ir::ForEach& s);
  void visit(const ir::While& s);
  void visit(const ir::Generate&);  // none is left, nor a Yield
  void visit(const ir::Yield&);
  void visit(const ir::Break& s);
  void visit(const ir::Continue& s);
  void visit(const ir::Return& s);
  void visit(const ir::Raise& s);
  void visit(const ir::Eval& s);
  void visit(const ir::Print& s);
  void visit(const ir::Declare& s);
  void visit(const ir::Unpack& s);
  void visit(const ir::Lanes& s);
  void visit(const ir::Gang& s);
  void visit(const ir::Given& s);
  void visit(const ir::Each& s);
  void visit(const ir::SinCos& s);

  // The statement as one C++ statement without a declaration, or nothing when it is more.
  std::optional<std::string> simple(const ir::Stmt* s);
  std::string assign_text(const ir::Assign& s);
  std::string update_text(const ir::Update& s);
  std::string raise_text(const ir::Raise& s);
  std::optional<std::string> return_text(const ir::Return& s);
  std::string status_text(const ir::Call& call, const std::string& target);
  std::string local_type(const ir::Local* local);
  std::string make_room(const ir::Local* local, int64_t elements);
  void declare_on_stack(const ir::Local* local);
  std::string variable(const ir::Local* local, bool is_set = false) const;
  std::string place(const ir::Place& p);
  std::string owned_value(const ir::Expr* e);
  std::string keep_text(const ir::Call& call, const std::string& target);
  void block(const std::string& head, const ir::Block& body, const ir::Stmt* loop);
  std::string for_head(const ir::For& s);
  std::string schedule(const ir::For& s);
  std::string pragma(const ir::For& s);
  void declare_complex_reductions(const ir::For& s);
  std::string reduction_clauses(const ir::List<ir::Reduction>& reductions);
  void collecting_loop(const ir::For& s);
  void source(Span span);
  bool is_kernel() const;

  // ---- names: function.cpp -------------------------------------------------------------------
  // Scopes follow the blocks of the text; names of source variables keep their spelling.
  void name_function(Part part);
  const std::string& declare(const ir::Local* local);
  void leave_scope(size_t declared);
  std::string fresh(std::string_view wanted);  // free here, for what the printer itself names
  std::string body_comment() const;

  FileContext& file_;
  const ir::Function& f_;
  Writer& out_;
  std::unordered_set<const ir::Local*> mentioned_;  // in the body
  std::string room_{};                              // of the array that is printed
  std::unordered_set<std::string> reserved_;         // functions and arrays that the body names
  std::unordered_set<std::string> stems_;            // of source variables
  std::unordered_set<std::string> taken_;            // names in scope
  std::unordered_map<std::string, int> least_free_;  // by stem: no temp may have a lower number
  struct Declared {
    const ir::Local* local;
    int* least_free;
    int number;
  };
  std::vector<Declared> declared_;  // in order, for leave_scope
  std::unordered_map<const ir::Local*, std::string> names_;
  std::unordered_map<const ir::Stmt*, std::string> labels_;  // loops left from inside another
  std::vector<const ir::Stmt*> loops_;
  const ir::Lanes* lanes_ = nullptr;  // around what is being printed
  std::string status_name_ = "status", result_name_ = "result";
  std::string last_line_directive_;
};

}  // namespace pyk2cu::emit
