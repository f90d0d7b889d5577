// Whole functions: the comment with the source line, the head, the names, the body.
//
//   // kernels.py:12  def sum2d(a): …          float64(float64[:,:])
//   pyk::status sum2d(pyk::array<const double, 2, pyk::C> a, double& result) noexcept {
//
// In:   a lowered function.  Out: lines. Tested by tests/golden.
#include <fmt/format.h>

#include <algorithm>

#include "emit/lower/walk.h"
#include "emit/print/printer.h"

namespace pyk2cu::emit {

using ir::StmtKind;

int Sites::number(const ir::Raise* raise, const ir::Function* f) {
  const auto [it, is_new] = numbers_.try_emplace(raise, static_cast<int>(all_.size()) + 1);
  if (!is_new) return it->second;
  const size_t count = raise->args ? raise->args->size() : 0;
  for (size_t k = 0; k < all_.size(); ++k) {  // the contiguous variant raises at the same places
    const auto& [other, g] = all_[k];
    const bool same = other->span == raise->span && other->exception == raise->exception &&
                      g->name == f->name && (other->args ? other->args->size() : 0) == count;
    bool equal = same;
    for (size_t n = 0; equal && n < count; ++n) {
      const ir::Const *a = constant((*raise->args)[n]), *b = constant((*other->args)[n]);
      equal = (!a && !b) || (a && b && same_expr(a, b));
    }
    if (equal) return it->second = static_cast<int>(k) + 1;
  }
  all_.push_back({raise, f});
  return it->second;
}

bool FileContext::uses_lane(ir::Function* f) {
  const auto [it, is_new] = lanes_.try_emplace(f, false);
  if (!is_new) return it->second;
  bool found = false;
  for_each_expr_in(f->body, [&](ir::Expr* e) {
    found = found || e->kind == ir::ExprKind::kLane ||
            (e->kind == ir::ExprKind::kCall && uses_lane(ir::as<ir::Call>(e)->callee));
  });
  return lanes_[f] = found;
}

Printer::Printer(FileContext& file, ir::Function& f, Part part)
    : file_(file), f_(f), out_(file.out), part_(part) {
  if (part == Part::kWhole) declarations_ = place_declarations(f_);
  name_locals();
}

namespace {

struct Extent {  // of a name: statements in order of their text
  int begin = 0, end = 0;
};

// Where in the text each local is visible; loops of one function may use one name.
class Visibility {
 public:
  Visibility(ir::Function& f, const Declarations& declarations) : declarations_(declarations) {
    for (const ir::Param& p : f.params) extents_[p.local].push_back({0, 1 << 30});
    block(f.body);
  }

  const std::vector<Extent>& of(const ir::Local* local) { return extents_[local]; }

 private:
  void block(ir::Block& b) {
    std::vector<std::pair<const ir::Local*, int>> opened;
    for (ir::Stmt* s : b) {
      const int begin = ++next_;
      const auto before = declarations_.before.find(s);
      if (before != declarations_.before.end())
        for (const ir::Local* local : before->second) opened.push_back({local, begin});
      if (declarations_.at.count(s) != 0) opened.push_back({ir::as<ir::Assign>(s)->local, begin});
      for_each_block(s, [&](ir::Block& inner) { block(inner); });
      if (s->kind == StmtKind::kFor) extents_[ir::as<ir::For>(s)->index].push_back({begin, next_});
    }
    for (const auto& [local, begin] : opened) extents_[local].push_back({begin, next_});
  }

  const Declarations& declarations_;
  std::unordered_map<const ir::Local*, std::vector<Extent>> extents_;
  int next_ = 0;
};

bool overlap(const std::vector<Extent>& a, const std::vector<Extent>& b) {
  for (const Extent& x : a)
    for (const Extent& y : b)
      if (x.begin <= y.end && y.begin <= x.end) return true;
  return false;
}

}  // namespace

// Source names first, so that they keep their spelling; then what the compiler made.
void Printer::name_locals() {
  for_each_expr_in(f_.body, [&](ir::Expr* e) {
    if (e->kind == ir::ExprKind::kCall) scope_.reserve(ir::as<ir::Call>(e)->callee->symbol);
    if (e->kind == ir::ExprKind::kGlobal) scope_.reserve(ir::as<ir::Global>(e)->array->symbol);
  });
  scope_.reserve("Index");
  if (f_.kind != ir::FunctionKind::kHost)
    for (const char* name : {"lane", "launch", "block", "error"}) scope_.reserve(name);
  std::vector<const ir::Local*> all;
  const auto add = [&](const ir::Local* local) {
    if (local && std::find(all.begin(), all.end(), local) == all.end()) all.push_back(local);
  };
  for (const ir::Param& p : f_.params) add(p.local);
  const auto mention = [&](const ir::Local* local) {
    if (local && mentioned_.insert(local).second) add(local);
  };
  if (part_ == Part::kWhole)
    for_each_stmt(f_.body, [&](ir::Stmt* s) {
      if (s->kind == StmtKind::kFor) mention(ir::as<ir::For>(s)->index);
      if (s->kind == StmtKind::kAssign) mention(ir::as<ir::Assign>(s)->local);
      for_each_expr(s, [&](ir::Expr*& e) {
        for_each_subexpr(e, [&](ir::Expr* part) { mention(loaded(part)); });
      });
    });
  std::stable_sort(all.begin(), all.end(), [](const ir::Local* a, const ir::Local* b) {
    const auto rank = [](const ir::Local* l) { return l->is_temp ? 1000 : l->version; };
    return rank(a) < rank(b);
  });
  Visibility visible(f_, declarations_);
  std::unordered_map<std::string, std::vector<Extent>> taken;
  for (const ir::Local* local : all) {
    const std::string stem = cpp_identifier(local->name.str());
    const std::vector<Extent>& here = visible.of(local);
    int n = local->is_temp ? 1 : local->version;
    const auto numbered = [&] { return stem + "_" + std::to_string(n); };
    std::string name = n > 1 ? numbered() : stem;
    while (scope_.is_taken(name) || overlap(here, taken[name])) ++n, name = numbered();
    names_[local] = name;
    std::vector<Extent>& extents = taken[name];
    extents.insert(extents.end(), here.begin(), here.end());
  }
  for (const auto& [name, extents] : taken) scope_.reserve(name);
  status_name_ = scope_.unique("status");
  result_name_ = scope_.unique("result");
}

std::string Printer::comment() const {
  const SourceMap* sources = file_.program.sources;
  std::string types;
  for (const ir::Param& p : f_.params)
    types += (types.empty() ? "" : ", ") + types::print(p.local->type);
  const std::string signature = types::print(f_.result) + "(" + types + ")";
  if (!sources || !f_.span.valid()) return "// " + std::string(f_.name.str()) + "  " + signature;
  const Location at = sources->locate(f_.span.begin);
  std::string_view line = sources->line_text(f_.span.begin);
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\\' || line.back() == '\r'))
    line.remove_suffix(1);
  const size_t slash = at.path.rfind('/');
  const std::string_view file =
      slash == std::string_view::npos ? at.path : at.path.substr(slash + 1);
  std::string out = fmt::format("// {}:{}  {}", file, at.line, line);
  if (!line.empty() && line.back() == ':') out += " …";
  if (out.size() > 96) return out;
  const size_t column = std::max<size_t>(out.size() + 4, 48);
  if (column + signature.size() > 102) return out + "\n//     " + signature;
  return out + std::string(column - out.size(), ' ') + signature;
}

std::string Printer::param_type(const ir::Param& p) const {
  const std::string index = file_.target == Target::kCuda ? "Index" : "";
  if (!p.local->type->is_array()) return cpp_type(p.local->type, Hold::kView, index);
  const bool written = p.written || file_.facts.written.count(p.local) != 0;
  return cpp_type(p.local->type, written ? Hold::kView : Hold::kConstView, index);
}

std::string Printer::param_list(bool with_names) {
  std::string out;
  for (const ir::Param& p : f_.params) {
    const bool unused = part_ == Part::kWhole && mentioned_.count(p.local) == 0;
    if (!out.empty()) out += ", ";
    if (with_names && unused) out += "[[maybe_unused]] ";
    out += param_type(p);
    if (with_names) out += " " + names_.at(p.local);
  }
  return out;
}

std::string Printer::args() const {
  std::string out;
  for (const ir::Param& p : f_.params) out += (out.empty() ? "" : ", ") + names_.at(p.local);
  return out;
}

std::string Printer::head(bool with_names) {
  const std::string result = cpp_type(f_.result, Hold::kOwned);
  std::string params = param_list(with_names);
  if (file_.target == Target::kTwin && f_.kind == ir::FunctionKind::kDevice && file_.uses_lane(&f_))
    params.insert(0, params.empty() ? "const pyk::thread& lane" : "const pyk::thread& lane, ");
  if (!f_.may_raise) return fmt::format("{} {}({})", result, f_.symbol, params);
  if (result != "void") {
    params += (params.empty() ? "" : ", ") + result + "&";
    if (with_names) params += " " + result_name_;
  }
  return fmt::format("pyk::status {}({})", f_.symbol, params);
}

void Printer::body() {
  out_.indent();
  stmts(f_.body);
  source(f_.body_span);
  const bool kernel = f_.kind == ir::FunctionKind::kKernel && file_.target == Target::kCuda;
  const bool returned = ends(f_.body) || (!f_.body.empty() && returns_status(f_.body.back()));
  if (f_.may_raise && !returned && !kernel) out_.line("return pyk::ok;");
  out_.dedent();
}

void Printer::declaration() { out_.line(head(false) + ";"); }

namespace {

void comment_lines(Writer& out, const std::string& comment) {
  size_t begin = 0;
  while (begin <= comment.size()) {
    const size_t end = std::min(comment.find('\n', begin), comment.size());
    out.line(std::string_view(comment).substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace

void Printer::print_comment() { comment_lines(out_, comment()); }

void Printer::function() {
  out_.source(f_.span);
  print_comment();
  out_.line(fmt::format("{}{} noexcept {{", f_.is_root ? "" : "static inline ", head(true)));
  body();
  out_.source({});
  out_.line("}");
}

}  // namespace pyk2cu::emit
