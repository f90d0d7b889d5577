// Inference: one walk over a function's syntax tree types it and builds its IR.
//
// In:   a Definition and the types of its arguments (an Instance).  Out: ir::Function.
// `Infer` is one function in work; `Unit` is the program. The walk is repeated until the types that
// loops feed back are stable; what earlier walks built and reported is thrown away. So every method
// simply builds IR from the types known now; a type not known yet is types::error() ("pending"),
// which absorbs everything, silently.
// Statements go to stmt/loop/assign/match.cpp, functions to function/closure/program.cpp,
// expressions to expr/op/compare/subscript/attribute/call/builtin_call.cpp, shared tools to
// core.cpp. Tested by tests/unit/typeinfer/{infer_stmt,infer_expr}_test.cpp.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/diag/diagnostics.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/decorators/roots.h"
#include "typeinfer/ir/ir.h"
#include "typeinfer/scope/versions.h"

namespace pyk2cu::infer {

using types::Type;

struct Operand;

// What an expression means: a run-time value, or a thing that exists only while compiling.
struct Operand {
  enum class Kind : uint8_t {
    kError,      // reported already, or pending
    kValue,      // `value`; a literal or folded constant is an ir::Const there
    kFunction,   // `definition` (a module-level function, nested def or lambda) with `parts` =
                 // values of definition->captures, in order
    kQualified,  // an imported name or attribute path: `qualified` = "numpy", "math.sqrt",
                 // "builtins.len"
    kMethod,     // `name` of the object parts[0]: a.copy, z.conjugate
    kDType,      // np.float32, numba.int64, a.dtype: `type` is the scalar type
    kModule,     // a sibling file: `module`
    kRange,      // parts = lo, hi, step: values of type `type`; `parallel` for prange
    kEnumerate,  // parts = iterable, start
    kZip,        // parts = iterables
    kReversed,   // parts = iterable
    kFlat,       // parts = an array: its elements in C order, a.flat
    kSlice,      // parts = lower, upper, step (kNone where omitted)
    kStr,        // `text`
    kNone,
    kEllipsis,
    kPack,        // a tuple display of which some item is no run-time value: parts
    kFieldClass,  // a named tuple class: `fields`
  } kind = Kind::kError;
  ir::Expr* value = nullptr;
  const Type* type = nullptr;  // kValue: value->type
  const decorators::Definition* definition = nullptr;
  const decorators::ModuleInfo* module = nullptr;
  const decorators::FieldClass* fields = nullptr;
  bool parallel = false;
  Symbol name{};
  std::string qualified{};
  std::string_view text{};  // lives as long as the program
  std::vector<Operand> parts{};
  Span span{};

  bool is(Kind k) const { return kind == k; }
  bool is_value() const { return kind == Kind::kValue; }
  bool is_error() const { return kind == Kind::kError; }
  // The constant that the operand is, or null: `o.constant()->integer`.
  const ir::Const* constant() const {
    return is_value() && value->kind == ir::ExprKind::kConst ? ir::as<ir::Const>(value) : nullptr;
  }
};

// A nested def or lambda: a Definition that knows which names it takes from the function around it.
struct Closure : decorators::Definition {
  std::vector<Symbol> captures{};
  std::vector<const ast::Expr*> defaults{};  // evaluated where the function is defined
  // Of a function value (Operand::parts): what it captures, then its defaults.
};

// The parts of a function value that are defaults.
std::span<const Operand> defaults_of(const Operand& function);
// Is there anything among them that is computed when the program runs?
bool has_values(std::span<const Operand> operands);

// Where a store goes, its subexpressions evaluated already (so that `a[f()] += 1` calls f once).
struct Place {
  enum class Kind : uint8_t { kError, kElement, kView } kind = Kind::kError;
  ir::Expr* array = nullptr;         // kElement: a[indices]
  std::vector<ir::Index> indices{};  // kElement
  ir::Expr* view = nullptr;          // kView: the slice as an ir::View
  const Type* type = nullptr;        // kElement: the element type; kView: the view's array type
  Span span{};
};

enum class State : uint8_t { kNew, kInWork, kTentative, kDone, kFailed };

// One function compiled for one list of argument types.
struct Instance {
  const decorators::Definition* definition = nullptr;
  std::vector<Operand> args{};  // one per parameter (then captures); values carry only their type
  ir::Options options{};
  const Type* declared = nullptr;  // result type that the signature states, or null
  State state = State::kNew;
  const Type* result = nullptr;  // null: not known yet (recursion)
  int depth = 0;                 // in the stack of instances in work
  int lowest = 0;                // least depth of an instance in work that this one called
  bool recursive = false;        // called while in work
  ir::Function* function = nullptr;
  Diagnostics diags{};  // of the last walk
  std::vector<Instance*> callees{};
};

// The program in work: instances by key, names, settings.
class Unit {
 public:
  Unit(const decorators::Sources& sources, ir::Program& program)
      : sources_(sources), program_(program) {}

  // The instance for these arguments, inferred as far as recursion allows. Never null.
  Instance* instantiate(const decorators::Definition& definition, std::vector<Operand> args,
                        const ir::Options& options, const Type* declared);
  const ir::GlobalArray* global_array(Symbol name, const fold::Value& value);
  const Closure* closure(const ast::Node& node, const Closure& prototype);
  ir::Program& program() { return program_; }
  const decorators::Sources& sources() const { return sources_; }
  const scope::Versions& versions(const decorators::Definition& definition);
  const std::vector<Instance*>& stack() const { return stack_; }
  const std::vector<Instance*>& instances() const { return order_; }  // as they were met
  const std::vector<Instance*>& instances_of(const decorators::Definition& definition) {
    return by_definition_[&definition];
  }

 private:
  void work(Instance& instance);

  const decorators::Sources& sources_;
  ir::Program& program_;
  std::map<std::vector<uintptr_t>, std::unique_ptr<Instance>> instances_;
  std::unordered_map<const ast::Node*, std::unique_ptr<Closure>> closures_;
  std::unordered_map<const ast::Node*, std::unique_ptr<scope::Versions>> versions_;
  std::unordered_map<const fold::Value*, const ir::GlobalArray*> globals_;
  std::vector<Instance*> order_;
  std::unordered_map<const decorators::Definition*, std::vector<Instance*>> by_definition_;
  std::vector<Instance*> stack_;
};

// One function in work.
class Infer {
 public:
  Infer(Unit& unit, Instance& instance);
  void run();  // walks until stable; fills instance.function, result, diags

  // ---- expressions: expr.cpp and its siblings ------------------------------------------------
  // The meaning of an expression. Parts that may raise or have effects are emitted as statements
  // into the current block, in Python's order of evaluation (see settle()).
  Operand operand(const ast::Expr& e);
  ir::Expr* value(const ast::Expr& e);              // an rvalue; reports when it has none
  ir::Expr* value_of(const Operand& o, Span span);  // likewise of an operand
  // A bool: the truth of e. A Const when the other branch is not even typed; what merely folds is a
  // comparison of constants: see decided().
  ir::Expr* condition(const ast::Expr& e);
  // What e is to CPython's compiler: a test that jumps, or a value that is tested afterwards.
  enum class As : uint8_t { kJump, kValue };
  ir::Expr* condition_of(const ast::Expr& e, const Operand& o, As as);  // `o`: what e means
  struct EarlyTruth {
    bool is_true = false;
    bool by_version = false;  // not known before names were split into versions
  };
  std::optional<EarlyTruth> early_truth(const ast::Expr& e, As as) const;  // early.cpp
  std::optional<EarlyTruth> early_compare(ast::CompareOperator op, const ast::Expr& left,
                                          const ast::Expr& right) const;
  ir::Expr* folded_late(ir::Expr* condition);  // a Const in that form
  void note_instance_check(const ast::Call& call, bool outcome) {
    instance_checks_[call.Node::id] = outcome;
  }
  ir::Expr* truth(ir::Expr* e, Span span);  // bool(e)
  ir::Expr* binary(ast::Operator op, ir::Expr* left, ir::Expr* right, Span span);
  ir::Expr* compare(ast::CompareOperator op, const Operand& left, const Operand& right, Span span);
  Operand call(const ast::Call& e);
  // An imported or builtin name: "numpy.float32" is a dtype, "math.pi" a constant, else kQualified.
  Operand qualified(const std::string& path, Span span);
  Place place_in(ir::Expr* array, const Operand& index, Span span);
  Place place(const ast::Subscript& target);  // evaluates array and subscripts once
  // The old value, for an augmented assignment: indices that read memory are held in temps first.
  ir::Expr* load(Place& place, Span span);
  // array[index]: an element, or a view of one dimension less.
  ir::Expr* row(ir::Expr* array, ir::Expr* index, bool wrap, Span span);
  ir::Expr* tuple_item(ir::Expr* tuple, int index, Span span);

  // ---- names: names.cpp ----------------------------------------------------------------------
  Operand name(const ast::Name& e);                // reads the version that `e` sees
  Operand stored(const ast::Node& at, Span span);  // what the last bind() there made
  void bind(const ast::Node& at, Symbol name, Operand what, Span span);  // store_of(at) = what
  // Marks that control leaves along an edge of scope::Versions (only for joins: see versions.h).
  void edge(uint64_t key, ir::Stmt* before = nullptr);
  void enter_loop(const ast::Node& loop);  // header phis become current
  void join(const ast::Node& at);          // phis after `at` become current
  bool has_join(const ast::Node& at) const;
  Operand constant(const fold::Value& value, Symbol name, Span span);
  Operand global(const decorators::ModuleInfo& where, Symbol name,
                 Span span);  // module-level or builtin

  // ---- calls of functions of the program: closure.cpp ----------------------------------------
  // `args`: one operand per parameter of the definition, in its order, defaults filled in.
  Operand invoke(const Operand& function, std::vector<Operand> args, Span span);
  // A lambda or nested def, its captures as they are now.
  Operand make_closure(const ast::Lambda& lambda);
  Operand make_function(const ast::Node& function, Symbol name);

  // a.flat. A name may hold it, and one loop may run over it: Python's iterates only once.
  Operand flat_of(ir::Expr* array, Span span);

  // ---- statements ----------------------------------------------------------------------------
  void stmts(ast::Stmts body);
  void stmt(const ast::Stmt& s);
  void assign(const ast::Expr& target, const Operand& what, Span span);  // any target form
  void store(const Place& place, ir::Expr* value, Span span);

  // ---- tools: core.cpp -----------------------------------------------------------------------
  template <class T>
  T* make(T node) {
    return unit_.program().make<T>(std::move(node));
  }
  template <class T>
  ir::List<T> list(const std::vector<T>& items) {
    return unit_.program().list(items);
  }
  ir::Block* block_of(std::initializer_list<ir::Stmt*> stmts) { return make(ir::Block(stmts)); }
  ir::Expr* const_int(int64_t v, const Type* type = types::int64(), Span span = {});
  ir::Expr* const_bool(bool v, Span span = {});
  ir::Expr* const_float(double v, const Type* type = types::float64(), Span span = {});
  ir::Expr* const_str(std::string_view text, Span span = {});
  ir::Expr* zero(const Type* type, Span span = {});  // 0, False, (0, 0.0), None
  ir::Expr* load(ir::Local* local, Span span);       // not checked for being bound
  ir::Expr* make_tuple(std::vector<ir::Expr*> items, Span span);
  ir::Expr* negate(ir::Expr* condition);  // not c, folded
  ir::Expr* logical(bool is_and, ir::Expr* left, ir::Expr* right, Span span);
  Operand to_operand(ir::Expr* value);  // kValue or kError; None and Str unwrapped
  Operand error();                      // reported already, or pending
  ir::Expr* error(Span span);           // an expression of type error
  static bool is_error(const ir::Expr* e) { return e->type->is_error(); }

  // `e` as a value of type `to`: assignment, arguments, returns. Folds constants. Reports
  // PK3005 and yields an error when there is no such conversion.
  ir::Expr* convert(ir::Expr* e, const Type* to, Span span);
  // Like convert, for operands of an operation that is known to be possible: never reports.
  ir::Expr* cast(ir::Expr* e, const Type* to);

  void emit(ir::Stmt* s) { block_->push_back(s); }
  ir::Local* temp(std::string_view stem, const Type* type, Span span = {});
  ir::Expr* spill(ir::Expr* e, std::string_view stem = "t");  // temp = e; reads temp
  // `e` in a form that may be repeated: constants and loads stay, else spilled.
  ir::Expr* once(ir::Expr* e, std::string_view stem = "t");
  void emit_assign(ir::Local* local, ir::Expr* value, Span span);
  void emit_eval(ir::Expr* e);
  // If `e` reads a temp that the last statement of the block set, takes that statement back and
  // yields its value (so that `x = f()` needs no temp); else `e`.
  ir::Expr* reclaim(ir::Expr* e);
  // if (condition) raise exception(message); nothing for a constant false.
  void raise_if(ir::Expr* condition, std::string_view exception, std::string_view message,
                Span span);

  // Order of evaluation: take a mark after evaluating an operand, evaluate the next ones, then
  // settle() the operand: when statements with effects came in between, it is spilled before them.
  //   l = value(left); m = mark(); r = value(right); l = settle(l, m);
  struct Mark {
    ir::Block* block;
    size_t size;
  };
  Mark mark() const { return {block_, block_->size()}; }
  bool emitted_since(Mark m) const { return block_->size() != m.size; }
  ir::Expr* settle(ir::Expr* e, Mark m);
  // Runs f with a new block as the current one.
  template <class F>
  ir::Block* into_block(F&& f) {
    ir::Block* block = unit_.program().make<ir::Block>();
    ir::Block* outer = std::exchange(block_, block);
    f();
    block_ = outer;
    return block;
  }
  template <class F>
  void in_block(ir::Block* block, F&& f) {
    ir::Block* outer = std::exchange(block_, block);
    f();
    block_ = outer;
  }

  Diagnostics& diags() { return instance_.diags; }
  // Where the type of a parameter comes from: its place in a signature or in a call, if any.
  Span declared_at(const ir::Local* local) const;
  bool has_signature() const { return instance_.depth == 0; }
  template <class... P>
  Diagnostics::Builder report(Span span, const DiagRow<P...>& row,
                              std::type_identity_t<P>... args) {
    return diags().report(span, row, args...);
  }
  // PK5001 with the construct and a way out.
  void not_supported(Span span, std::string_view what, std::string_view help = {});
  // Can a value of this type exist at run time? False after PK2014.
  bool has_form(const Type* type, Span span) { return signature::has_form(type, span, diags()); }
  void pending() { pending_ = true; }  // a type is not known yet: walk again

  const types::Dialect& dialect() const { return instance_.options.dialect; }
  const ir::Options& options() const { return instance_.options; }
  bool on_cuda() const { return dialect().target == types::Target::kCuda; }
  const decorators::ModuleInfo& module() const { return *instance_.definition->module; }
  Unit& unit() { return unit_; }
  ir::Function& function() { return *function_; }

  // Is the code at this point reachable? False after return, raise, break, continue.
  bool reachable() const { return reachable_; }

 private:
  // What a version of a name holds in this walk.
  struct Held {
    Operand what{};  // kValue: type only, the value is in `local`; kError: not known (yet)
    ir::Local* local = nullptr;
    Span span{};  // where it got its type
    bool known() const { return !what.is_error(); }
  };
  struct PendingCopy {  // an edge into a join that comes later
    scope::VersionId phi, from;
    Held held;
    ir::Block* block;
    ir::Stmt* before;  // null: at the end of the block
  };
  struct Loop {
    ir::Stmt* stmt = nullptr;  // null: a loop that was unrolled
    std::vector<std::pair<ir::Block*, ir::Stmt*>> breaks{};
  };
  struct Returned {
    ir::Block* block;
    ir::Return* stmt;
    Operand what;
  };

  // The type that Numba's rounds have given a version or an expression so far: see grown().
  struct Growth {
    const Type* type = nullptr;
    int walk = 0;          // the last one that made the value
    bool several = false;  // made more than once in a walk: copies of an unrolled loop
  };

  // expr.cpp
  Operand meaning(const ast::Expr& e);

  // early.cpp: what Numba knows before it infers types
  struct Early {
    std::optional<fold::Value> constant{};
    scope::VersionId argument = scope::kNoVersion;  // the parameter that it is
    bool by_version = false;  // known of one version of a name that has several
  };
  Early early(const ast::Expr& e) const;
  Early early_version(scope::VersionId version) const;
  std::optional<fold::Value> early_size(const ast::Expr& e) const;
  std::optional<EarlyTruth> early_jumps(const ast::Expr& e, As as) const;
  const ast::Expr* early_operation(const ast::Expr& e) const;
  std::optional<EarlyTruth> early_not(const ast::Expr& operand) const;

  // names.cpp
  ir::Local* local_for(Symbol name, const Type* type, Span span);
  ir::Local* new_version(Symbol name, const Type* type, Span span);
  ir::Expr* grown(Growth& growth, ir::Expr* value);
  void hold(scope::VersionId version, Operand what, Span span);
  Operand read(scope::VersionId version, uint32_t reader, Span span);
  Operand kept(Operand o);     // with values in locals of their own
  Operand renewed(Operand o);  // with values read anew
  Operand read_captures(Operand function, uint32_t reader, Span span);
  void check_bound(const scope::Version& version, Span span);
  void set_flag(Symbol name, Span span);
  Operand stable(Operand what);
  bool merge(Operand& into, const Operand& other);
  void feed_back(scope::VersionId phi, const Held& from, Span span);
  void copy_into(const Held& phi, const Held& from, Span span);
  void expect_literals(scope::VersionId phi, Held& fed);
  void leave_while(const ast::While& loop);
  void place_copies(scope::VersionId phi);
  void report_cannot_unify(scope::VersionId phi, const Held& a, const Held& b);

  // core.cpp
  ir::Expr* convert_optional(ir::Expr* e, const Type* to);

  // assign.cpp
  void assign(const ast::Assign& s);
  void assign(const ast::AnnAssign& s);
  void assign(const ast::AugAssign& s);
  void assign_display(ast::Exprs targets, ast::Exprs values, Span span);
  void unpack(ast::Exprs targets, const Operand& what, Span span);
  void assign_items(ast::Exprs targets, std::vector<Operand> items, Span span);
  std::vector<Operand> array_items(ir::Expr* array, size_t count, Span span);

  // stmt.cpp
  void if_(const ast::If& s);
  void return_(const ast::Return& s);
  void raise_(const ast::Raise& s);
  void assert_(const ast::Assert& s);
  void leave(const ast::Stmt& s);
  void expression(const ast::ExprStmt& s);
  void nested_def(const ast::FunctionDef& s);
  void raise_now(Symbol exception, std::vector<ir::Expr*> args, Span span);
  void refuse(const ast::Stmt& s);
  std::vector<ir::Expr*> exception_args(ast::Exprs args);

  // match.cpp
  void match(const ast::Match& s);
  ir::Expr* matches(const ast::Pattern& pattern, const Operand& subject);
  void match_case(const ast::Match& s, size_t k, const Operand& subject);
  void bind_pattern(const ast::Pattern& pattern, const Operand& subject);
  std::vector<Operand> sequence_items(const Operand& subject, Span span);

  // loop.cpp
  struct Sequence {  // what a loop runs over: how many items, and the item at an index
    ir::Expr* count = nullptr;
    std::function<Operand(ir::Expr*)> item{};
    const ast::Name* index_name = nullptr;  // the target that is the index itself
  };
  void while_(const ast::While& s);
  void for_(const ast::For& s);
  void for_range(const ast::For& s, const Operand& range);
  void for_tuple(const ast::For& s, ir::Expr* tuple);
  void counted(const ast::For& s, ir::Expr* lo, ir::Expr* hi, ir::Expr* step,
               const Sequence& sequence, bool parallel);
  void skip_loop(const ast::For& s);
  bool make_sequence(const Operand& iterable, const ast::For& s, Sequence& out);
  bool sequence_of_value(const Operand& iterable, const ast::For& s, Sequence& out);
  bool sequence_of_flat(const Operand& iterable, const ast::For& s, Sequence& out);
  bool sequence_of_zip(const Operand& iterable, const ast::For& s, Sequence& out);
  bool sequence_of_enumerate(const Operand& iterable, const ast::For& s, Sequence& out);
  ir::Expr* range_count(ir::Expr* lo, ir::Expr* hi, ir::Expr* step, Span span);
  void check_step(ir::Expr* step, Span span);
  bool surely_positive(const ir::Expr* e) const;
  const ast::Name* plain_index(const ast::Expr* target) const;
  void finish_loop(const ast::Node& s, ast::Stmts orelse, bool ends, Loop loop);
  bool rebinds(ast::Stmts body, Symbol name) const;
  ir::Expr* plain(ir::BinaryOp op, ir::Expr* left, ir::Expr* right);  // on equal integer types
  ir::Expr* ordered(ir::CompareOp op, ir::Expr* left, ir::Expr* right);

  // closure.cpp
  const signature::Signature* choose_signature(const decorators::Definition& definition,
                                               std::vector<Operand>& args, Span span);
  ir::Options callee_options(const decorators::Definition& definition) const;

  // function.cpp
  void walk();
  void reset();
  void bind_params();
  void bind_param(scope::VersionId version, Symbol name, Operand& arg, Span span);
  void make_flags();
  void finish_returns();
  const Type* result_type();
  void finish_locals();
  void report_unsettled(bool runaway);

  Unit& unit_;
  Instance& instance_;
  ir::Function* function_ = nullptr;
  ir::Block* block_ = nullptr;
  const scope::Versions* versions_ = nullptr;
  bool reachable_ = true;
  bool pending_ = false;
  bool changed_ = false;
  bool reclaiming_ = true;    // reclaim() may take statements back
  bool unwound_ = false;      // the body ends without return on some path
  std::vector<Held> held_{};  // by version
  std::vector<Growth> grown_{};
  std::unordered_map<uint32_t, Growth> grown_expressions_{};  // by NodeId
  int walks_ = 0;
  std::unordered_set<uint32_t> exhausted_{};  // where a `.flat` stands that a loop ran over
  std::vector<Held> fed_back_{};              // loop header phis: unified over the walks so far
  std::unordered_map<uint32_t, bool> instance_checks_{};  // by NodeId: what isinstance() came to
  std::unordered_map<scope::VersionId, scope::VersionId> only_way_{};  // into a phi: see join()
  std::unordered_set<uint32_t> dropped_by_version_{};  // ifs (NodeId): EarlyTruth::by_version
  std::vector<PendingCopy> copies_{};
  std::vector<Loop> loops_{};
  std::vector<Returned> returns_{};
  std::map<std::pair<const void*, const Type*>, ir::Local*> locals_{};
  std::unordered_map<Symbol, int> versions_made_{};
  std::unordered_map<Symbol, ir::Local*> flags_{};
  std::unordered_map<uint32_t, ir::Local*> indices_{};  // by NodeId: targets that are For.index
  Symbol waiting_for_{};                                // the name that a pending() was about
  Span waiting_at_{};                                   // and where it was read
};

}  // namespace pyk2cu::infer
