// The program as readable text. In, out: dump.h.
//
// nodes.def holds the text of most kinds; what needs more than the values of its fields is spelled
// here, and a kind without any text does not compile.
// Tested by tests/unit/typeinfer and the goldens of the passes.
#include "typeinfer/ir/dump.h"

#include <fmt/format.h>

#include <functional>

#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/fields.h"

namespace pyk2cu::ir {

namespace {

constexpr std::string_view kBinary[] = {"+",  "-",  "*", "/", "//", "%", "**",
                                        "<<", ">>", "&", "|", "^",  "@"};
constexpr std::string_view kUnary[] = {"+", "-", "~", "not "};
constexpr std::string_view kCompare[] = {"==", "!=", "<", "<=", ">", ">="};
constexpr std::string_view kConvert[] = {"exact", "round",  "wrap", "trunc",
                                         "truth", "layout", "tuple"};
constexpr std::string_view kQuery[] = {"len", "shape", "stride", "size", "itemsize", "nbytes"};
constexpr std::string_view kLane[] = {"thread",   "block", "blockdim", "griddim", "grid",
                                      "gridsize", "lane",  "blocks",   "threads"};
constexpr std::string_view kFill[] = {"empty", "zeros", "ones", "full"};
constexpr std::string_view kRooms[] = {"", "stack ", "result "};
constexpr std::string_view kReduce[] = {"+", "*", "min", "max", "&", "|", "^", "and", "or"};
constexpr std::string_view kForms[] = {"", "lanes ", "either "};
constexpr std::string_view kPrint[] = {"print", "printf"};
constexpr std::string_view kDeclares[] = {"", "var ", "const "};

std::string text(const Expr* e);

template <class List, class F>
std::string joined(const List& list, F&& of) {
  std::string out;
  for (const auto& item : list) out += (out.empty() ? "" : ", ") + std::string(of(item));
  return out;
}

std::string text(const Local* local) {
  std::string name(local->name.str());
  if (local->version > 1) name += "_" + std::to_string(local->version);
  return name;
}
std::string text(const Index& i) {
  return (i.wrap ? "wrap " : "") + std::string(i.check ? "check " : "") + text(i.value);
}
std::string text(const Subscript& s) {
  if (s.kind == Subscript::Kind::kNewAxis) return "None";
  if (s.kind == Subscript::Kind::kIndex) return text(s.index);
  return text(s.lo) + ":" + text(s.hi) + (s.step ? ":" + text(s.step) : "");
}
std::string text(const Place& p) {
  if (p.local) return text(p.local);
  return text(p.array) + "[" + joined(p.indices, [](auto& i) { return text(i); }) + "]";
}
// saxpy, or saxpy<float32, float32[:]> where others have the name; the symbol once there is one.
std::string symbol_of(const Function& f) {
  if (!f.symbol.empty()) return f.symbol;
  std::string name(f.name.str());
  if (!f.shares_name) return name;
  return name + "<" + joined(f.params, [](const Param& p) { return types::print(p.local->type); }) +
         ">";
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '\n' ? "\\n" : std::string(1, c);
  return out + "\"";
}

// The text of one field by its name.
struct FieldText {
  std::string_view wanted;
  std::string found{};

  template <class F>
  void put(const char* name, F&& of) {
    if (name == wanted) found = of();
  }
  template <class List>
  void put_list(const List& list, const char* name) {
    put(name, [&] { return joined(list, [](const auto& item) { return text(item); }); });
  }
  void operand(const Expr* e, const char* name) {
    put(name, [&] { return text(e); });
  }
  void maybe(const Expr* e, const char* name) {
    put(name, [&] { return text(e); });
  }
  void operands(const List<Expr*>& list, const char* name) { put_list(list, name); }
  void types(const List<const Type*>& list, const char* name) {
    put(name, [&] { return joined(list, [](const Type* t) { return types::print(t); }); });
  }
  void index(const Index& i, const char* name) {
    put(name, [&] { return text(i); });
  }
  void indices(const List<Index>& list, const char* name) { put_list(list, name); }
  void subscripts(const List<Subscript>& list, const char* name) { put_list(list, name); }
  void place(const Place& p, const char* name) {
    put(name, [&] { return text(p); });
  }
  void uses(const Local* l, const char* name) {
    put(name, [&] { return text(l); });
  }
  void sets(const Local* l, const char* name) {
    put(name, [&] { return text(l); });
  }
  void reads(const List<Local*>& list, const char* name) { put_list(list, name); }
  void shares(const List<Local*>& list, const char* name) { put_list(list, name); }
  void declares(const List<Local*>& list, const char* name) { put_list(list, name); }
  void reductions(const List<Reduction>&, const char*) {}
  void block(const Block*, const char*) {}
  void jump(const Stmt*, const char*) {}
  void data(int value, const char* name) {
    put(name, [&] { return std::to_string(value); });
  }
  void data(Symbol value, const char* name) {
    put(name, [&] { return std::string(value.str()); });
  }
  void data(Declares value, const char* name) {
    put(name, [&] { return std::string(kDeclares[size_t(value)]); });
  }
  void data(Room value, const char* name) {
    put(name, [&] { return std::string(kRooms[size_t(value)]); });
  }
  void data(PrintForm value, const char* name) {
    put(name, [&] { return std::string(kPrint[size_t(value)]); });
  }
  void data(const auto&, const char*) {}
};

// "({left} {op} {right})" with the fields in their places.
template <class Node>
std::string filled(const Node& node, std::string_view pattern) {
  std::string out;
  while (!pattern.empty()) {
    const size_t open = std::min(pattern.find('{'), pattern.size());
    out += pattern.substr(0, open);
    pattern.remove_prefix(open);
    if (pattern.empty()) break;
    const size_t close = pattern.find('}');
    FieldText field{pattern.substr(1, close - 1)};
    if constexpr (std::is_base_of_v<Expr, Node>)
      if (field.wanted == "type") field.found = types::print(node.type);
    visit_fields(node, field);
    out += field.found;
    pattern.remove_prefix(close + 1);
  }
  return out;
}

// ---- kinds that spell themselves ---------------------------------------------------------------

std::string number(const Const& e) {
  const Value& v = e.value;
  const bool is_unsigned = e.type->is_int() && !e.type->is_signed;
  if (v.kind == Value::Kind::kInt) {
    const std::string digits =
        is_unsigned ? fmt::format("{}", uint64_t(v.integer)) : fmt::format("{}", v.integer);
    return e.type == types::int64() ? digits : types::print(e.type) + "(" + digits + ")";
  }
  std::string digits = fmt::format("{}", v.number.real());
  if (digits.find_first_of(".en") == std::string::npos) digits += ".0";
  return e.type == types::float64() ? digits : types::print(e.type) + "(" + digits + ")";
}

std::string spelled(const Const& e) {
  const Value& v = e.value;
  switch (v.kind) {
    case Value::Kind::kNone:
      return "None";
    case Value::Kind::kBool:
      return v.integer ? "True" : "False";
    case Value::Kind::kInt:
    case Value::Kind::kFloat:
      return number(e);
    case Value::Kind::kComplex:
      return fmt::format("{}({}, {})", types::print(e.type), v.number.real(), v.number.imag());
    case Value::Kind::kStr:
      return quoted(v.text);
    case Value::Kind::kFormat:
      return fmt::format("format({}, {})", quoted(v.text), v.integer);
  }
  return "?";
}
std::string spelled(const Global& e) { return "global " + std::string(e.array->name.str()); }
std::string spelled(const Query& e) {
  const bool axis = e.axis >= 0 && (e.op == QueryOp::kShape || e.op == QueryOp::kStride);
  return fmt::format("{}{}({})", kQuery[size_t(e.op)], axis ? std::to_string(e.axis) : "",
                     text(e.operand));
}
std::string spelled(const NewArray& e) {
  return fmt::format("{}{}<{}>({}{}{})", kRooms[size_t(e.room)], kFill[size_t(e.fill)],
                     types::print(e.type), joined(e.shape, [](const Expr* x) { return text(x); }),
                     e.value ? "; " : "", text(e.value));
}
std::string spelled(const Unary& e) {
  return fmt::format("{}{}{}", e.plain ? "plain " : "", kUnary[size_t(e.op)], text(e.operand));
}
std::string spelled(const Binary& e) {
  return fmt::format("{}{}{}{}{}({} {} {})", kForms[size_t(e.form)], e.rounds ? "rounded " : "",
                     e.in_order ? "in_order " : "", e.natural ? "natural " : "",
                     e.plain ? "plain " : "", text(e.left), kBinary[size_t(e.op)], text(e.right));
}
std::string spelled(const Select& e) {
  constexpr std::string_view kNames[] = {"", "of_both ", "by_bits ", "by_place "};
  return fmt::format("{}({} if {} else {})", kNames[int(e.choice)], text(e.yes), text(e.condition),
                     text(e.no));
}
std::string spelled(const Compare& e) {
  return fmt::format("({} {} {})", text(e.left), kCompare[size_t(e.op)], text(e.right));
}
std::string spelled(const Logical& e) {
  return fmt::format("({} {} {})", text(e.left), e.is_and ? "and" : "or", text(e.right));
}
std::string spelled(const Convert& e) {
  return fmt::format("{}{}<{}>({})", kForms[size_t(e.form)], kConvert[size_t(e.op)],
                     types::print(e.type), text(e.operand));
}
std::string spelled(const Call& e) {
  std::string args = joined(e.args, [](const Expr* x) { return text(x); });
  for (const Local* local : e.shared) args += (args.empty() ? "&" : ", &") + text(local);
  return (e.is_safe ? "safe " : "") + symbol_of(*e.callee) + "(" + args + ")";
}
std::string spelled(const Builtin& e) {
  std::string name = std::string(kForms[size_t(e.form)]) + std::string(e.row->module()) + "." +
                     std::string(e.row->name);
  if (!e.type_args.empty())
    name += "<" + joined(e.type_args, [](const Type* t) { return types::print(t); }) + ">";
  return name + "(" + joined(e.args, [](const Expr* x) { return text(x); }) + ")";
}
std::string spelled(const Wrap& e) {
  return fmt::format("wrap<{}>({})", types::print(e.type), e.operand ? text(e.operand) : "None");
}
std::string spelled(const Lane& e) {
  return fmt::format("{}.{}", kLane[size_t(e.op)], "xyz"[e.axis % 3]);
}
std::string spelled(const Update& s) {
  return fmt::format("{}{} {}= {}{}", s.atomic ? "atomic " : "", text(s.place),
                     kBinary[size_t(s.op)], text(s.value), s.wraps ? " wrapping" : "");
}
std::string spelled(const If& s) {
  return fmt::format("{}if {}:", s.versions ? "version " : "", text(s.condition));
}
std::string clauses(const For& s) {
  constexpr std::string_view kSchedules[] = {"", " in small portions", " one by one",
                                             " as launched"};
  std::string out(kSchedules[size_t(s.schedule)]);
  const auto locals = [](const auto& list) {
    return joined(list, [](const Local* l) { return text(l); });
  };
  for (const Reduction& r : s.reductions)
    out += fmt::format(" {}:{}", kReduce[size_t(r.op)], text(r.local));
  if (!s.last_private.empty()) out += " last " + locals(s.last_private);
  if (!s.copies.empty()) out += " copies " + locals(s.copies);
  if (s.keeps_error) out += s.is_last ? " returns error" : " keeps error";
  if (s.worth) out += " if " + text(s.worth);
  return out;
}
std::string spelled(const For& s) {
  const std::string step = text(s.step);
  return fmt::format(
      "{}{}for {}: {} = {} .. {}{}{}{}:", s.loop == LoopKind::kParallel ? "parallel " : "",
      s.simd          ? "simd "
      : s.adds_freely ? "any order "
                      : "",
      text(s.index), types::print(s.index->type), text(s.lo), text(s.hi),
      step == "1" ? "" : " step " + step, s.form == LoopForm::kRange ? " as range" : "",
      clauses(s));
}
std::string spelled(const Lanes& s) {
  std::string out = fmt::format("{}lanes {} of ", s.simd ? "simd " : "", text(s.index));
  if (s.count) out += text(s.count) + " of ";
  out += std::to_string(s.width);
  for (const Reduction& r : s.reductions)
    out += fmt::format(" {}:{}", kReduce[size_t(r.op)], text(r.local));
  return out + ":";
}
std::string spelled(const Assign& s) {
  return fmt::format("{}{} = {}{}", kDeclares[size_t(s.declares)], text(s.local),
                     s.moves ? "move " : "", text(s.value));
}
std::string spelled(const Return& s) {
  const char* how = s.copies ? "copy " : s.moves ? "move " : "";
  return fmt::format("return{}{}{}", s.value ? " " : "", how, text(s.value));
}

// The text of nodes.def, or the kind's own where that is empty.
template <bool kSpellsItself, class Node>
std::string either(const Node& node, const char* pattern) {
  if constexpr (kSpellsItself)
    return spelled(node);
  else
    return filled(node, pattern);
}
#define PYK_EXPR(kind, pattern, fields) \
  std::string text_of(const kind& node) { return either < sizeof(pattern) == 1 > (node, pattern); }
#define PYK_STMT(kind, pattern, fields) PYK_EXPR(kind, pattern, fields)
#include "typeinfer/ir/nodes.def"

std::string text(const Expr* e) {
  if (!e) return "";
  return visit(*e, [](const auto& node) { return text_of(node); });
}

// The blocks of a statement, indented; the second one opens with its name.
struct BlockText {
  std::string& out;
  int depth;
  int blocks = 0;

  void block(const Block* b, const char*) {
    if (blocks++ > 0 && b->empty()) return;
    if (blocks > 1) out += std::string(size_t(depth) * 2, ' ') + "else:\n";
    if (b->empty()) out += std::string(size_t(depth + 1) * 2, ' ') + "pass\n";
    for (const Stmt* s : *b) stmt(s, depth + 1);
  }
  void stmt(const Stmt* s, int at) {
    out += std::string(size_t(at) * 2, ' ') +
           visit(*s, [](const auto& node) { return text_of(node); }) + "\n";
    BlockText inner{out, at};
    visit(*s, [&](const auto& node) { visit_fields(node, inner); });
  }
  void operand(const auto&, const char*) {}
  void maybe(const auto&, const char*) {}
  void operands(const auto&, const char*) {}
  void types(const auto&, const char*) {}
  void index(const auto&, const char*) {}
  void indices(const auto&, const char*) {}
  void subscripts(const auto&, const char*) {}
  void place(const auto&, const char*) {}
  void uses(const auto&, const char*) {}
  void sets(const auto&, const char*) {}
  void reads(const auto&, const char*) {}
  void shares(const auto&, const char*) {}
  void declares(const auto&, const char*) {}
  void reductions(const auto&, const char*) {}
  void jump(const auto&, const char*) {}
  void data(const auto&, const char*) {}
};

std::string param_text(const Param& p) {
  return (p.constant ? "constant " : "") + std::string(p.local->written ? "written " : "") +
         text(p.local) + (p.written ? "!" : "") + ": " + types::print(p.local->type);
}

}  // namespace

std::string dump(const Expr& expr) { return text(&expr); }

std::string dump(const Function& f) {
  constexpr std::string_view kKinds[] = {"host", "kernel", "device"};
  std::string params = joined(f.params, param_text);
  for (const Local* local : f.shared)
    params += fmt::format("{}&{}: {}", params.empty() ? "" : ", ", text(local),
                          types::print(local->type));
  std::string out = fmt::format("{} {}({}) -> {}{}{}{}{}{}{}{}{}\n", kKinds[size_t(f.kind)],
                                symbol_of(f), params, types::print(f.result),
                                f.may_raise ? ", may raise" : "", f.has_state ? ", has state" : "",
                                f.launches ? ", launches" : "", f.is_inline ? ", inline" : "",
                                f.any_layout ? ", any layout" : "", f.any_form ? ", any form" : "",
                                f.per_isa ? ", per isa" : "", f.gathers ? ", gathers" : "");
  std::string locals;
  for (size_t k = f.params.size() + f.shared.size(); k < f.locals.size(); ++k)
    locals += fmt::format(
        "{}{}{}{}: {}", locals.empty() ? "" : ", ", f.locals[k]->owned ? "owned " : "",
        f.locals[k]->written ? "written " : "", text(f.locals[k]), types::print(f.locals[k]->type));
  if (!locals.empty()) out += "  locals " + locals + "\n";
  BlockText body{out, 0};
  for (const Stmt* s : f.body) body.stmt(s, 1);
  return out;
}

std::string dump(const Program& program) {
  std::string out;
  for (const Function* f : program.functions) {
    if (!out.empty()) out += "\n";
    out += dump(*f);
  }
  return out;
}

}  // namespace pyk2cu::ir
