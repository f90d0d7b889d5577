// The collector's own state: one Unit per scope that is read, and the steps over it.
//
// In:   parsed modules.  Out: Sources (roots.h). Statements are read in order, as Python would run
//       them; branches that fold are taken, others count as conditional (walk.cpp). Decorators are
//       values too: `fast = njit(cache=True)` makes a Maker that `@fast` applies (maker.cpp).
// Tested by tests/unit/typeinfer/roots_test.cpp.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "typeinfer/decorators/functions.h"
#include "typeinfer/decorators/roots.h"
#include "typeinfer/decorators/sharing.h"

namespace pyk2cu::decorators {

enum class MakerKind : uint8_t {
  kJit,
  kCuda,
  kHelper,  // register_jitable
  kPycc,    // numba.pycc.CC, which makes decorators (pycc.cpp)
  kExport,  // its method `export`
  kVectorize,
  kGuvectorize,
  kCfunc,
  kStencil,
  kUnsupported,  // known, but not compiled: jitclass, overload, intrinsic…
};

// A decorator with what it was given so far: `njit`, `njit(cache=True)`, `cuda.jit("void(f4[:])")`.
struct Maker {
  MakerKind kind = MakerKind::kJit;
  std::string path{};        // "numba.cuda.jit"
  bool numpy_rules = false;  // @pyk2cu.jit
  bool called = false;
  struct Argument {
    const ast::Expr* expr;
    const ModuleInfo* module;              // whose names it speaks
    const Definition* function = nullptr;  // no `expr`: the function under a decorator
  };
  std::vector<Argument> signatures{};
  struct Option {
    Symbol name;
    const ast::Expr* value;
    Span span;
    const ModuleInfo* module;
  };
  std::vector<Option> options{};
  Span span{};
  std::string extension{};  // kPycc, kExport: the module that is made
  bool lost = false;        // something that it was given is not known from the text

  std::string_view name() const;  // "jit"
};

// The function that a decorator is applied to.
struct Target {
  const ast::FunctionDef* def = nullptr;
  const ast::Lambda* lambda = nullptr;
  const ModuleInfo* module = nullptr;
  explicit operator bool() const { return def || lambda; }
};

// What a call of a host function gives: a decorator, maybe with its function, or else what a name
// bound to the result means.
struct Made {
  std::optional<Maker> maker{};
  Target target{};
  Binding binding{};
};

// Where given types come from; a lower one comes first.
enum Rank { kFlag = 1, kSidecar, kComment, kAnnotation };

// One scope that is read: a file, or a function of it that makes kernels.
struct Unit {
  ModuleInfo* info = nullptr;
  const SourceFile* file = nullptr;
  bool root = false;
  bool nested = false;
  int conditional = 0;  // > 0: inside statements that may not run, or run often
  Span condition{};     // of the `if` nearest to them
  std::unordered_map<Symbol, Maker> makers{};
  std::vector<const ast::FunctionDef*> factories{};  // read when the file is through
  std::unordered_set<Symbol> written_globals{};      // `global x` and assigned in some function
  bool holds_values = false;                         // arrays, lists, dicts whose items are known
  int64_t stored_elements = 0;                       // that its statements have read and written
  std::unique_ptr<Sharing> sharing{};                // of a file, once somebody asks
  enum class State : uint8_t { kNew, kReading, kDone } state = State::kNew;
  const Unit* outer = nullptr;  // of a nested one
  // Of a host function that is being called (host.cpp): its *args and **kwargs, its result.
  // keyword_rest holds dicts of options too, as they are here.
  bool called = false, finished = false;
  std::unordered_map<Symbol, std::vector<Maker::Argument>> rest{};
  std::unordered_map<Symbol, std::vector<Maker::Option>> keyword_rest{};
  std::optional<Made> made{};
  // ... and decorators with their functions that have names: made = njit(func). Surely those: not
  // of what is assigned under a condition, in a loop, by an inner function or in an expression.
  std::unordered_map<Symbol, Made> applied{};

  const Maker* maker_of(Symbol name) const;
  const std::vector<Maker::Argument>* rest_of(Symbol name) const;
  const std::vector<Maker::Option>* keyword_rest_of(Symbol name) const;
};

class Collector {
 public:
  Collector(const std::vector<const ast::Module*>& modules, size_t roots, const Settings& settings,
            Diagnostics& diags);
  Sources run();

 private:
  // walk.cpp: statements
  void read(Unit& unit);
  void read_factories(Unit& unit);
  void read_factory(Unit& parent, const ast::FunctionDef& def);
  void walk(Unit& unit, std::span<ast::Stmt*> body);
  void statement(Unit& unit, const ast::Stmt& stmt);
  void simple_statement(Unit& unit, const ast::Stmt& stmt);
  void expression_statement(Unit& unit, const ast::ExprStmt& stmt);
  void assign_all(Unit& unit, std::span<ast::Expr*> targets, const ast::Expr& value);
  void if_stmt(Unit& unit, const ast::If& stmt);
  void try_body(Unit& unit, std::span<ast::Stmt*> body, std::span<ast::ExceptHandler*> handlers,
                std::span<ast::Stmt*> orelse, std::span<ast::Stmt*> finalbody);
  void maybe(Unit& unit, std::span<ast::Stmt*> body);  // may run any number of times
  void function(Unit& unit, const ast::FunctionDef& def, bool bind = true);
  void class_body(Unit& unit, const ast::ClassDef& def);
  void assign(Unit& unit, const ast::Expr& target, const ast::Expr& value);
  void assign_name(Unit& unit, const ast::Name& target, const ast::Expr& value);
  static void forget_applied(Unit& unit, Symbol name);
  std::optional<Made> applied_by(Unit& unit, Symbol name, const ast::Expr& value);
  void assign_items(Unit& unit, std::span<ast::Expr*> targets, const ast::Expr& value);
  Binding binding_of(Unit& unit, Symbol name, const ast::Expr& value);
  void forget_changed(Unit& unit, const ast::Expr& target, bool keeps_options = false);
  static void forget_list(Unit& unit, Symbol name);
  void forget(Unit& unit, const ast::Expr& target);  // an object of the host program from here on
  void bind(Unit& unit, Symbol name, Binding binding);

  // fields.cpp: named tuple classes
  const FieldClass* field_class(const Unit& unit, const ast::Expr& expr);
  const FieldClass* field_class(const Unit& unit, const ast::ClassDef& def);
  const fold::Value* folded(const Unit& unit, const ast::Expr& expr);
  const FieldClass* keep(FieldClass made);
  const ModuleInfo* enumeration(Unit& unit, const ast::ClassDef& def);

  // imports.cpp
  void import(Unit& unit, const ast::Import& stmt);
  ModuleInfo* submodule(Unit& unit, ModuleInfo* package, Symbol name, Unit* file, Span span);
  void import_from(Unit& unit, const ast::ImportFrom& stmt);
  bool import_name(Unit& unit, Symbol name, const Unit& other, Symbol of);
  void import_star(Unit& unit, const ast::ImportFrom& stmt, Unit* sibling, Span span);
  Unit* find_sibling(const Unit& from, std::string_view dotted, int level);
  Unit* unit_of(const ModuleInfo* info);

  // maker.cpp: expressions that are decorators, and what they are applied to
  std::optional<Maker> find_maker(Unit& unit, const ast::Expr& expr);
  std::optional<Maker> call_maker(Unit& unit, const ast::Call& call);
  Target find_target(Unit& unit, const ast::Expr& expr);
  // `njit(sig)(f)`, `cuda.jit(f, device=True)`: the decorator and its function.
  struct Applied {
    Maker maker;
    Target target;
  };
  std::optional<Applied> find_applied(Unit& unit, const ast::Expr& expr);
  Target function_argument(Unit& unit, const ast::Call& call);
  void add_arguments(Unit& unit, Maker& maker, std::span<ast::Expr*> args,
                     std::span<ast::Keyword*> keywords, size_t skip);
  std::string dotted(const Unit& unit, const ast::Expr& expr) const;

  // pycc.cpp: numba.pycc
  void name_extension(Unit& unit, Maker& maker);
  void set_attribute(Unit& unit, const ast::Attribute& target);
  void export_as(Unit& unit, const Target& target, Maker maker);
  void keep_exports_alone();

  // host.cpp: what functions of the host program make
  struct Passed {
    std::vector<Maker::Argument> positional{};
    std::vector<Maker::Option> options{};
    void set(const Maker::Option& option);
  };
  struct Decorated {
    std::optional<Maker> maker{};
    bool known = false;           // without a maker: the decorator gives the function itself,
    Definition* plain = nullptr;  // which is this
  };
  bool read_arguments(Unit& unit, std::span<ast::Expr*> args, std::span<ast::Keyword*> keywords,
                      Passed& passed);
  bool read_options(Unit& unit, const ast::Expr& value, Passed& passed);
  bool change_options(Unit& unit, const ast::Expr& target, const ast::Expr* value);
  const Definition* find_host(const Unit& unit, const ast::Expr& expr);
  void pass(Unit& to, Symbol name, const Maker::Argument& argument);
  bool pass_all(Unit& callee, const ast::Arguments& params, const ModuleInfo& home, Passed passed);
  void bind_rest(Unit& callee, Symbol name, const std::vector<Maker::Argument>& rest);
  std::optional<Made> call_host(const Definition& function, Passed passed);
  std::optional<Made> host_call(Unit& unit, const ast::Expr& expr);
  void finish(Unit& unit, const ast::Expr* value);
  Decorated decorate(Unit& unit, const ast::Expr& decorator, const ast::FunctionDef& def);
  bool mentions_maker(Unit& unit, const ast::Node& node);
  bool may_compile(Unit& unit, const ast::Expr& decorator);

  // define.cpp: definitions
  Definition* define(Unit& unit, Symbol name, const Target& target, const Maker& maker);
  const Definition* rename(Unit& unit, Symbol name, const Definition& made);
  Definition* define_plain(Unit& unit, const ast::FunctionDef& def);
  void warn_unsupported(Unit& unit, Symbol name, const Maker& maker, Span span);
  void apply_option(Unit& unit, Definition& definition, const Maker& maker,
                    const Maker::Option& option);
  void report_option(Unit& unit, const Maker& maker, const Maker::Option& option);
  std::optional<bool> flag(const Maker::Option& option);
  bool fast(const Maker::Option& option);
  void error_model(Unit& unit, Definition& definition, const Maker::Option& option);
  void misread(const Unit& unit, Definition& definition, Span span, std::string_view option,
               std::string_view why);
  void types_of_locals(const Unit& unit, Definition& definition, const Maker::Option& option);
  void add_signatures(Definition& definition, const Maker& maker);
  bool add_argtypes(Definition& definition, const Maker::Option& types,
                    const Maker::Option* result);
  void finish_exports();
  void refuse_equal_parameters();

  // given.cpp: types from beside the source
  void give_types();
  void give_comments(Unit& unit);
  std::vector<Definition*> definitions_at(const Unit& unit, Span comment);
  using Units = std::vector<const Unit*>;
  void give(const Units& units, std::string_view line, const SourceFile& file, int rank,
            const std::vector<Definition*>& here);
  void excuse(const std::vector<Definition*>& meant);
  void add_given(Definition& definition, std::vector<signature::Signature> signatures, int rank);
  void give_annotations(Definition& definition);
  void check_types(Definition& definition);
  void check_counts(Definition& definition);

  // stores.cpp: constants that statements of the module change
  bool run_stores(Unit& unit, const ast::Stmt& stmt);
  const Sharing& sharing(Unit& unit);
  bool shares(Unit& unit, Symbol name, uint32_t at);
  bool is_changed_later(Unit& unit, Symbol name, const fold::Value* value);
  void forget_changes(Unit& unit, const ast::Stmt& stmt);
  void forget_changes_of(Unit& unit, const ast::Node& part);
  void forget_value(ModuleInfo& info, Symbol name);

  // exceptions.cpp: classes that are raised
  std::string exception_name(const Unit& unit, const ast::ClassDef& def);
  const ExceptionClass* exception_class(const Unit& unit, const ast::ClassDef& def);
  void find_obstacles();

  // targets.cpp: whom a line of types speaks of
  struct Meant {
    std::vector<Definition*> definitions{};
    const FunctionPlace* other = nullptr;  // a function of the text that is not compiled
    explicit operator bool() const { return !definitions.empty() || other; }
  };
  void give_file(const SourceFile& file);
  void check_owner(std::string_view line, const SourceFile& file);
  Units own_units(const SourceFile& file) const;
  Units units_at(std::string_view path, const SourceFile& file);
  Meant find_meant(const Units& units, std::string_view name);
  std::vector<Definition*> named(const Units& units, Symbol name);
  const std::vector<FunctionPlace>& places_of(const Unit& unit);
  void prefer_decorated(std::vector<Definition*>& definitions) const;
  void report_unknown(const Units& units, std::string_view name, const Meant& meant,
                      const SourceFile& file);

  // pythran.cpp: `# pythran export f(float64[:], int)`
  void give_pythran(Unit& unit);
  void give_export(Unit& unit, std::string_view line, Span span);

  const std::vector<const ast::Module*>& modules_;
  size_t roots_;
  const Settings& settings_;
  Diagnostics& diags_;
  Sources sources_{};
  std::vector<std::unique_ptr<Unit>> units_{};  // of the files first, in their order
  std::unordered_map<const Definition*, Unit*> home_{};
  std::unordered_set<const Definition*> broken_{};  // signatures were given, but none was right
  std::unordered_map<const Definition*, int> given_rank_{};  // which source gave the types
  Span first_export_{};  // of numba.pycc, which named the module
  std::unordered_set<const Definition*> pycc_exports_{};
  std::unordered_set<const ast::FunctionDef*> evaluated_{};  // host functions whose calls are known
  std::map<std::pair<const Unit*, const ast::Expr*>, std::optional<Made>> host_calls_{};
  int depth_ = 0, calls_ = 0;  // of host functions
  std::map<const SourceFile*, std::vector<FunctionPlace>> places_{};
};

// Is it, or does it hold, an array or a dict, which may change under its name?
bool may_change(const fold::Value& value);

// What folds at a place of a unit: its constants so far, `__name__`, imported names.
class UnitScope : public fold::Scope {
 public:
  explicit UnitScope(const ModuleInfo& info);
  const fold::Value* find(Symbol name) const override;
  std::string qualified(Symbol name) const override;
  const fold::Value* list(Symbol name) const override;
  std::optional<fold::Member> member(const ast::Attribute& path) const override;
  std::optional<fold::Fields> fields(const ast::Expr& path) const override;

 private:
  const ModuleInfo& info_;
  mutable fold::Value function_{};  // the last one that was found
  fold::Value module_name_{};
  fold::Value false_{};
};

}  // namespace pyk2cu::decorators
