// dump(): the text of CPython 3.13's ast.dump(), generated from nodes.def.
//
// In:   a tree.  Out: text, on one line or indented.  Empty lists and absent fields are left out.
// Tested by tests/unit/frontend/dump_test.cpp, tests/run/test_dump_ast.py.
#include <string>

#include "frontend/ast/ast.h"
#include "frontend/ast/repr.h"

namespace pyk2cu::ast {
namespace {

constexpr std::string_view kOperators[] = {"Add",    "Sub",    "Mult",    "MatMult", "Div",
                                           "Mod",    "Pow",    "LShift",  "RShift",  "BitOr",
                                           "BitXor", "BitAnd", "FloorDiv"};
constexpr std::string_view kCompareOperators[] = {"Eq",  "NotEq", "Lt",    "LtE", "Gt",
                                                  "GtE", "Is",    "IsNot", "In",  "NotIn"};
constexpr std::string_view kUnaryOperators[] = {"Invert", "Not", "UAdd", "USub"};
constexpr std::string_view kBoolOperators[] = {"And", "Or"};
constexpr std::string_view kContexts[] = {"Load", "Store", "Del"};

// A node is written in one pass; whether its fields go on lines of their own is known only
// afterwards, so they are collected first.
class Dumper {
 public:
  explicit Dumper(int indent) : indent_(indent) {}

  struct Text {
    std::string text;
    bool simple;  // CPython: "may stand on one line with its neighbours"
  };

  Text node(const Node& n, int level) {
    Fields fields{*this, indent_ < 0 ? 0 : level + 1};
    switch (n.kind) {
#define F(type, name) fields.add(#name, self.name, false);
#define O(type, name) fields.add(#name, self.name, true);
#define PYK_NODE(kind, group, ...)                                   \
  case Kind::k##kind: {                                              \
    [[maybe_unused]] const kind& self = static_cast<const kind&>(n); \
    __VA_ARGS__ break;                                               \
  }
#define PYK_PRODUCT(kind, py_name, ...) PYK_NODE(kind, Node, __VA_ARGS__)
#include "frontend/ast/nodes.def"
#undef PYK_NODE
#undef PYK_PRODUCT
#undef F
#undef O
    }
    return fields.close(name_of(n.kind));
  }

  Text module(const Module& m) {
    Fields fields{*this, indent_ < 0 ? 0 : 1};
    fields.add("body", m.body, false);
    return fields.close("Module");
  }

 private:
  struct Fields {
    Dumper& dumper;
    int level;
    std::vector<std::string> shown{};
    bool all_simple = true;

    template <class T>
    void add(std::string_view name, const T& value, bool optional) {
      if (absent(value, optional)) return;
      Text t = dumper.value(value, level);
      all_simple = all_simple && t.simple;
      shown.push_back(std::string(name) + "=" + std::move(t.text));
    }
    template <class T>
    static bool absent(const T& value, bool optional) {
      if constexpr (requires { value.empty(); }) {
        return value.empty();
      } else if constexpr (std::is_pointer_v<T>) {
        return value == nullptr;
      } else if constexpr (std::is_same_v<T, Symbol>) {
        return optional && !value;
      } else {
        return false;
      }
    }
    Text close(std::string_view kind) {
      std::string out(kind);
      const bool one_line = all_simple && shown.size() <= 3;
      const std::string separator = one_line ? ", " : dumper.separator(level);
      out += '(';
      if (!one_line) out += dumper.prefix(level);
      for (size_t i = 0; i < shown.size(); ++i) {
        if (i) out += separator;
        out += shown[i];
      }
      return {out + ')', one_line && shown.empty()};
    }
  };

  std::string prefix(int level) const {
    return indent_ < 0 ? "" : "\n" + std::string(static_cast<size_t>(level * indent_), ' ');
  }
  std::string separator(int level) const { return indent_ < 0 ? ", " : "," + prefix(level); }

  Text value(const Node* n, int level) { return n ? node(*n, level) : Text{"None", true}; }
  Text value(Symbol s, int) { return {repr_str(s.str()), true}; }
  Text value(int n, int) { return {std::to_string(n), true}; }
  Text value(const ConstantValue& v, int) { return {repr(v), true}; }
  template <class E>
    requires std::is_enum_v<E>
  Text value(E op, int) {
    return {std::string(name_of(op)) + "()", true};
  }
  template <class T>
  Text value(std::span<T> items, int level) {
    if (items.empty()) return {"[]", true};
    const int inner = indent_ < 0 ? 0 : level + 1;
    std::string out = "[" + prefix(inner);
    for (size_t i = 0; i < items.size(); ++i) {
      if (i) out += separator(inner);
      out += value(items[i], inner).text;
    }
    return {out + "]", false};
  }

  int indent_;
};

}  // namespace

std::string_view name_of(Operator op) { return kOperators[static_cast<size_t>(op)]; }
std::string_view name_of(CompareOperator op) { return kCompareOperators[static_cast<size_t>(op)]; }
std::string_view name_of(UnaryOperator op) { return kUnaryOperators[static_cast<size_t>(op)]; }
std::string_view name_of(BoolOperator op) { return kBoolOperators[static_cast<size_t>(op)]; }
std::string_view name_of(Context ctx) { return kContexts[static_cast<size_t>(ctx)]; }

std::string_view name_of(Kind kind) {
  if (kind == Kind::kExprStmt) return "Expr";
  switch (kind) {
#define PYK_NODE(kind_, group, ...) \
  case Kind::k##kind_:              \
    return #kind_;
#define PYK_PRODUCT(kind_, py_name, ...) \
  case Kind::k##kind_:                   \
    return #py_name;
#include "frontend/ast/nodes.def"
#undef PYK_NODE
#undef PYK_PRODUCT
  }
  return {};
}

std::string dump(const Module& module, int indent) { return Dumper(indent).module(module).text; }
std::string dump(const Node& node, int indent) { return Dumper(indent).node(node, 0).text; }

}  // namespace pyk2cu::ast
