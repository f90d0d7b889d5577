// Builds the IR of one function: nodes, statements of the current block, temporaries, and the order
// of evaluation between them.
//
// In:   what the files of expressions and statements ask for.  Out: nodes in the program's arena,
// statements at the end of the current block, locals of the function.
// Tested by tests/unit/typeinfer/{infer_stmt,infer_expr}_test.cpp.
#pragma once

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "typeinfer/infer/context.h"
#include "typeinfer/infer/nests.h"
#include "typeinfer/ir/builder.h"

namespace pyk2cu::infer {

class Emitter;
// Functions read copies of arrays whose elements are at any address; reports one that writes.
void settle_packed(Emitter& in, ir::Builtin& call);

class Emitter {
 public:
  explicit Emitter(Context& context) : context_(context), block_(&context.function().body) {}

  // ---- nodes ----
  template <class T>
  T* make(T node) {
    if constexpr (std::is_same_v<T, ir::Builtin>) settle_packed(*this, node);
    return context_.program().make<T>(std::move(node));
  }
  template <class T>
  ir::List<T> list(const std::vector<T>& items) {
    return context_.program().list(items);
  }
  ir::Expr* const_int(int64_t v, const Type* type = types::int64(), Span span = {});
  ir::Expr* const_bool(bool v, Span span = {});
  ir::Expr* const_float(double v, const Type* type = types::float64(), Span span = {});
  ir::Expr* const_str(std::string_view text, Span span = {});
  ir::Expr* load(ir::Local* local, Span span);  // not checked for being bound
  ir::Expr* make_tuple(std::vector<ir::Expr*> items, Span span);
  bool fits(size_t leaves, Span span);  // false, reported, for a tuple of too many values
  ir::Expr* error(Span span);           // an expression of type error

  // ---- statements at the end of the current block ----
  void emit(ir::Stmt* s) { block_->push_back(s); }
  void emit_all(const ir::Block& stmts);
  void emit_assign(ir::Local* local, ir::Expr* value, Span span);
  void emit_eval(ir::Expr* e);
  // if (condition) raise exception(message); nothing for a constant false.
  void raise_if(ir::Expr* condition, std::string_view exception, std::string_view message,
                Span span);

  // ---- locals ----
  ir::Local* variable(Symbol name, const Type* type, Span span);  // the next version of the name
  ir::Local* temp(std::string_view stem, const Type* type, Span span = {});
  ir::Expr* spill(ir::Expr* e, std::string_view stem = "t");  // temp = e; reads temp
  // `e` in a form that may be repeated: constants and loads stay, else spilled.
  ir::Expr* once(ir::Expr* e, std::string_view stem = "t");
  // If `e` reads a temp that the last statement of the block set, takes that statement back and
  // yields its value (so that `x = f()` needs no temp); else `e`.
  ir::Expr* reclaim(ir::Expr* e);
  // Runs f; in it reclaim() takes nothing back unless `may`.
  template <class F>
  void reclaim_only_if(bool may, F&& f) {
    const bool outer = std::exchange(reclaiming_, reclaiming_ && may);
    f();
    reclaiming_ = outer;
  }

  // ---- order of evaluation ----
  // Take a mark after evaluating an operand, evaluate the next ones, then settle() the operand:
  // when statements with effects came in between, it is spilled before them.
  //   l = value(left); m = mark(); r = value(right); l = settle(l, m);
  struct Mark {
    ir::Block* block;
    const ir::Stmt* last;  // others may be put in front of it; null: the block was empty
    bool operator==(const Mark&) const = default;
  };
  Mark mark() const { return {block_, block_->empty() ? nullptr : block_->back()}; }
  ir::Expr* settle(ir::Expr* e, Mark m);

  Nests& nests() { return nests_; }

  // ---- blocks ----
  ir::Block& block() { return *block_; }
  // Runs f with a new block as the current one.
  template <class F>
  ir::Block* into_block(F&& f) {
    ir::Block* block = make(ir::Block{});
    in_block(block, f);
    return block;
  }
  template <class F>
  void in_block(ir::Block* block, F&& f) {
    ir::Block* outer = std::exchange(block_, block);
    f();
    block_ = outer;
  }

  // ---- of the function: see Context ----
  Context& context() { return context_; }
  const types::Dialect& dialect() const { return context_.dialect(); }
  const ir::Options& options() const { return context_.options(); }
  bool on_cuda() const { return context_.on_cuda(); }
  template <class... P>
  Diagnostics::Builder report(Span span, const DiagRow<P...>& row,
                              std::type_identity_t<P>... args) {
    return context_.report(span, row, args...);
  }
  void not_supported(Span span, std::string_view what, std::string_view help = {}) {
    context_.not_supported(span, what, help);
  }

 private:
  Context& context_;
  ir::Block* block_;
  bool reclaiming_ = true;
  std::unordered_map<Symbol, int> versions_made_{};
  Nests nests_{};
};

inline bool is_error(const ir::Expr* e) { return e->type->is_error(); }
// `if true:`, so that a block of which jumps and ways out are known stays one; when the function is
// done its statements stand there without it.
ir::Stmt* keep_block(Emitter& in, ir::Block* block, Span span);
void drop_kept_blocks(ir::Block& body);
// Puts `stmts` before the statement `at` of the block; null: at its end.
void insert_before(ir::Block& block, const ir::Stmt* at, const ir::Block& stmts);

}  // namespace pyk2cu::infer
