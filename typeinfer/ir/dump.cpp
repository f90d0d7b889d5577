// The program as readable text. In, out: dump.h.
#include "typeinfer/ir/dump.h"

#include <fmt/format.h>

#include "typeinfer/builtins/registry.h"

namespace pyk2cu::ir {

namespace {

std::string local_name(const Local& local) {
  std::string name(local.name.str());
  if (local.version > 1) name += "_" + std::to_string(local.version);
  return name;
}

constexpr std::string_view kBinary[] = {"+",  "-",  "*", "/", "//", "%", "**",
                                        "<<", ">>", "&", "|", "^",  "@"};
constexpr std::string_view kUnary[] = {"+", "-", "~", "not "};
constexpr std::string_view kCompare[] = {"==", "!=", "<", "<=", ">", ">="};
constexpr std::string_view kConvert[] = {"exact", "round",  "wrap", "trunc",
                                         "truth", "layout", "tuple"};
constexpr std::string_view kQuery[] = {"len", "shape", "stride", "size", "itemsize", "nbytes"};
constexpr std::string_view kLane[] = {"thread", "block",    "blockdim", "griddim",
                                      "grid",   "gridsize", "lane"};
constexpr std::string_view kFill[] = {"empty", "zeros", "ones", "full"};

template <class List, class F>
std::string joined(const List& list, F&& text) {
  std::string out;
  for (const auto& item : list) {
    if (!out.empty()) out += ", ";
    out += text(item);
  }
  return out;
}

// saxpy, or saxpy<float32, float32[:]> where others have the name; the symbol once there is one.
std::string name_of(const Function& f) {
  if (!f.symbol.empty()) return f.symbol;
  std::string name(f.name.str());
  if (!f.shares_name) return name;
  return name + "<" + joined(f.params, [](const Param& p) { return types::print(p.local->type); }) +
         ">";
}

struct ExprText {
  std::string operator()(const Const& e) const {
    const Value& v = e.value;
    switch (v.kind) {
      case Value::Kind::kNone:
        return "None";
      case Value::Kind::kBool:
        return v.integer ? "True" : "False";
      case Value::Kind::kInt: {
        const bool is_unsigned = e.type->is_int() && !e.type->is_signed;
        std::string text =
            is_unsigned ? fmt::format("{}", uint64_t(v.integer)) : fmt::format("{}", v.integer);
        return e.type == types::int64() ? text : types::print(e.type) + "(" + text + ")";
      }
      case Value::Kind::kFloat: {
        std::string text = fmt::format("{}", v.number.real());
        if (text.find_first_of(".en") == std::string::npos) text += ".0";
        return e.type == types::float64() ? text : types::print(e.type) + "(" + text + ")";
      }
      case Value::Kind::kComplex:
        return fmt::format("{}({}, {})", types::print(e.type), v.number.real(), v.number.imag());
      case Value::Kind::kStr:
        return fmt::format("\"{}\"", v.text);
    }
    return "?";
  }
  static std::string text(const Expr* e) { return e ? visit(*e, ExprText{}) : ""; }
  static std::string index(const Index& i) {
    return (i.wrap ? "wrap " : "") + std::string(i.check ? "check " : "") + text(i.value);
  }
  static std::string args(const std::vector<Expr*>& list) {
    return joined(list, [](const Expr* e) { return text(e); });
  }
  static std::string indices(const std::vector<Index>& list) { return joined(list, index); }

  std::string operator()(const Load& e) const { return local_name(*e.local); }
  std::string operator()(const Global& e) const {
    return "global " + std::string(e.array->name.str());
  }
  std::string operator()(const Element& e) const {
    return text(e.array) + "[" + indices(*e.indices) + "]";
  }
  std::string operator()(const View& e) const {
    return "view<" + types::print(e.type) + ">(" + text(e.array) + "[" +
           joined(*e.subscripts,
                  [](const Subscript& s) -> std::string {
                    if (s.kind == Subscript::Kind::kNewAxis) return "None";
                    if (s.kind == Subscript::Kind::kIndex) return index(s.index);
                    return text(s.lo) + ":" + text(s.hi) + (s.step ? ":" + text(s.step) : "");
                  }) +
           "])";
  }
  std::string operator()(const Query& e) const {
    const bool axis = e.op == QueryOp::kShape || e.op == QueryOp::kStride;
    return fmt::format("{}{}({})", kQuery[int(e.op)], axis ? std::to_string(e.axis) : "",
                       text(e.operand));
  }
  std::string operator()(const NewArray& e) const {
    return fmt::format("{}<{}>({}{}{})", kFill[int(e.fill)], types::print(e.type), args(*e.shape),
                       e.value ? "; " : "", text(e.value));
  }
  std::string operator()(const Unary& e) const {
    return fmt::format("{}{}", kUnary[int(e.op)], text(e.operand));
  }
  std::string operator()(const Binary& e) const {
    return fmt::format("({} {} {})", text(e.left), kBinary[int(e.op)], text(e.right));
  }
  std::string operator()(const Compare& e) const {
    return fmt::format("({} {} {})", text(e.left), kCompare[int(e.op)], text(e.right));
  }
  std::string operator()(const Logical& e) const {
    return fmt::format("({} {} {})", text(e.left), e.is_and ? "and" : "or", text(e.right));
  }
  std::string operator()(const Select& e) const {
    return fmt::format("({} if {} else {})", text(e.yes), text(e.condition), text(e.no));
  }
  std::string operator()(const Convert& e) const {
    return fmt::format("{}<{}>({})", kConvert[int(e.op)], types::print(e.type), text(e.operand));
  }
  std::string operator()(const Call& e) const {
    return fmt::format("{}({})", name_of(*e.callee), args(*e.args));
  }
  std::string operator()(const Builtin& e) const {
    std::string name = std::string(e.row->module) + "." + std::string(e.row->name);
    if (e.type_args && !e.type_args->empty())
      name += "<" + joined(*e.type_args, [](const Type* t) { return types::print(t); }) + ">";
    return fmt::format("{}({})", name, args(*e.args));
  }
  std::string operator()(const Tuple& e) const { return "tuple(" + args(*e.items) + ")"; }
  std::string operator()(const Item& e) const {
    return fmt::format("{}.{}", text(e.tuple), e.index);
  }
  std::string operator()(const ItemAt& e) const {
    return fmt::format("{}.[{}]", text(e.tuple), index(e.index));
  }
  std::string operator()(const Wrap& e) const {
    return fmt::format("wrap<{}>({})", types::print(e.type), e.operand ? text(e.operand) : "None");
  }
  std::string operator()(const Unwrap& e) const { return "unwrap(" + text(e.operand) + ")"; }
  std::string operator()(const HasValue& e) const { return "has(" + text(e.operand) + ")"; }
  std::string operator()(const Lane& e) const {
    return fmt::format("{}.{}", kLane[int(e.op)], "xyz"[e.axis % 3]);
  }
};

struct StmtText {
  std::string& out;
  int depth = 1;

  void line(const std::string& text) const {
    out.append(size_t(depth) * 2, ' ');
    out += text + "\n";
  }
  void block(const Block& b) const {
    const StmtText inner{out, depth + 1};
    if (b.empty()) inner.line("pass");
    for (const Stmt* s : b) visit(*s, inner);
  }
  static std::string text(const Expr* e) { return ExprText::text(e); }

  void operator()(const Assign& s) const { line(local_name(*s.local) + " = " + text(s.value)); }
  void operator()(const Store& s) const {
    line(fmt::format("{}[{}] = {}", text(s.array), ExprText::indices(*s.indices), text(s.value)));
  }
  void operator()(const If& s) const {
    line("if " + text(s.condition) + ":");
    block(*s.body);
    if (s.orelse->empty()) return;
    line("else:");
    block(*s.orelse);
  }
  void operator()(const For& s) const {
    const std::string step = text(s.step);
    line(fmt::format(
        "{} {}: {} = {} .. {}{}:", s.loop == LoopKind::kParallel ? "parallel for" : "for",
        local_name(*s.index), types::print(s.index->type), text(s.lo), text(s.hi),
        step == "1" ? "" : " step " + step));
    block(*s.body);
  }
  void operator()(const While& s) const {
    line("while " + text(s.condition) + ":");
    block(*s.body);
  }
  void operator()(const Break&) const { line("break"); }
  void operator()(const Continue&) const { line("continue"); }
  void operator()(const Return& s) const { line(s.value ? "return " + text(s.value) : "return"); }
  void operator()(const Raise& s) const {
    line(fmt::format("raise {}({})", s.exception.str(), ExprText::args(*s.args)));
  }
  void operator()(const Eval& s) const { line(text(s.value)); }
  void operator()(const Print& s) const { line("print " + ExprText::args(*s.items)); }
};

}  // namespace

std::string dump(const Expr& expr) { return ExprText::text(&expr); }

std::string dump(const Function& f) {
  constexpr std::string_view kKinds[] = {"host", "kernel", "device"};
  std::string out = fmt::format("{} {}({}) -> {}{}\n", kKinds[int(f.kind)],
                                f.symbol.empty() ? std::string(f.name.str()) : f.symbol,
                                joined(f.params,
                                       [](const Param& p) {
                                         return local_name(*p.local) + (p.written ? "!" : "") +
                                                ": " + types::print(p.local->type);
                                       }),
                                types::print(f.result), f.may_raise ? ", may raise" : "");
  std::string locals;
  for (size_t k = f.params.size(); k < f.locals.size(); ++k)
    locals += fmt::format("{}{}: {}", locals.empty() ? "" : ", ", local_name(*f.locals[k]),
                          types::print(f.locals[k]->type));
  if (!locals.empty()) out += "  locals " + locals + "\n";
  for (const Stmt* s : f.body) visit(*s, StmtText{out});
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
