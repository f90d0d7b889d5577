// Makes nodes of the IR.
//
// In:   a program, the span that new nodes get, operands.  Out: nodes in the program, folded where
// that needs no rule of the language: not not c, True and c.
// Tested by tests/unit/typeinfer/ir_test.cpp.
#pragma once

#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::ir {

// What makes a number of the one type one of another.
ConvertOp conversion(const Type* from, const Type* to);

// Of numbers that are no NaN: of which of two always one holds.
CompareOp opposite(CompareOp op);

struct Builder {
  Program& program;
  Span span{};

  // expr<Item>(type, tuple, 2), stmt<Break>(loop): the fields in the order of nodes.def.
  template <class T, class... Fields>
  T* expr(const Type* type, Fields... fields) const {
    return program.make<T>(T{{T::kKind, type, span}, fields...});
  }
  template <class T, class... Fields>
  T* stmt(Fields... fields) const {
    return program.make<T>(T{{T::kKind, span}, fields...});
  }

  Expr* integer(int64_t value, const Type* type = types::int64()) const;
  Expr* boolean(bool value) const;
  Expr* floating(double value, const Type* type = types::float64()) const;  // complex too
  Expr* zero(const Type* type) const;  // of a real number; false
  Expr* text(std::string_view utf8) const;
  Expr* format(std::string_view utf8, size_t count) const;     // filled by the next `count`
  Local* temp(std::string_view stem, const Type* type) const;  // of no function yet
  Expr* load(Local* local) const { return expr<Load>(local->type, local); }

  Expr* negated(Expr* condition) const;
  Expr* logical(bool is_and, Expr* left, Expr* right) const;
  Expr* compare(CompareOp op, Expr* left, Expr* right) const {
    return expr<Compare>(types::boolean(), op, left, right);
  }
  // In the machine's own arithmetic, on equal types.
  Expr* plain(BinaryOp op, Expr* left, Expr* right) const {
    return expr<Binary>(left->type, op, left, right, false, true);
  }
  Expr* builtin(builtins::Id id, const Type* type, const std::vector<Expr*>& args,
                const std::vector<const Type*>& type_args = {}) const {
    return expr<Builtin>(type, &builtins::row(id), program.list(args), program.list(type_args));
  }
  Expr* extent(Expr* array, int axis) const;  // of a field: that of its records

  Block* block(std::initializer_list<Stmt*> stmts = {}) const {
    return program.make<Block>(Block(stmts));
  }
  Stmt* assign(Local* local, Expr* value) const { return stmt<Assign>(local, value); }
  // What the update makes of a local; null: of an element, or of a type that it does not compute
  // in.
  Binary* updated(const Update& u) const {
    Local* local = u.place.local;
    if (!local || local->type != u.value->type) return nullptr;
    return expr<Binary>(local->type, u.op, load(local), u.value);
  }
  Stmt* if_(Expr* condition, Block* body, Block* orelse = nullptr) const {
    return stmt<If>(condition, body, orelse ? orelse : block());
  }
  // Both do the same, the first one faster; null: nothing.
  Stmt* versions(Expr* condition, Block* body, Block* orelse) const {
    return stmt<If>(condition, body, orelse ? orelse : block(), true);
  }
};

}  // namespace pyk2cu::ir
