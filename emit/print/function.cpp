// Whole functions: the comment with the source line, the head, the names, the body.
//
//   // kernels.py:12  def sum2d(a): …          float64(float64[:,:])
//   template <class L>
//   pyk::status sum2d(pyk::array<const double, 2, L> a, double& result) noexcept {
//
// In:   a lowered function.  Out: lines. Tested by tests/golden.
#include <fmt/format.h>

#include <algorithm>

#include "emit/print/printer.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

namespace {

// ZeroDivisionError -> division, IndexError -> index, NotImplementedError -> not_implemented
std::string stem_of(std::string_view exception) {
  if (exception == "ZeroDivisionError") return "division";
  exception.remove_prefix(exception.find(':') + 1);  // pkg.errors:Failed
  for (const std::string_view end : {"Error", "Exception"})
    if (exception.size() > end.size() && exception.ends_with(end))
      exception.remove_suffix(end.size());
  std::string stem;
  for (const char c : exception) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !stem.empty()) stem += '_';
    stem += upper ? char(c - 'A' + 'a') : c;
  }
  return stem;
}

}  // namespace

const std::string& Sites::name(const ir::Site* site) {
  const auto [it, is_new] = known_.try_emplace(site, all_.size());
  if (is_new) {
    std::string name = stem_of(site->exception.str());
    if (sources_ && site->span.valid())
      name += "_" + std::to_string(sources_->locate(site->span.begin).line);
    all_.push_back({site, "site::" + names_.unique(name)});
  }
  return all_[it->second].second;
}

std::string FileContext::type(const types::Type* type, Hold hold) {
  add_headers_of(type, hold, headers);
  return cpp_type(type, hold, target == Target::kCuda ? "Index" : "");
}

std::string Head::template_line() const {
  if (template_params.empty()) return "";
  ListText list;
  for (const std::string& param : template_params) list.add(param);
  return "template <" + list.text() + ">";
}

std::string Head::line() const { return result + " " + params.in(name + "("); }

Printer::Printer(FileContext& file, const ir::Function& f, Part part)
    : file_(file), f_(f), out_(file.out) {
  name_function(part);
}

// ---- names -------------------------------------------------------------------------------------

void Printer::name_function(Part part) {
  if (f_.any_layout) reserved_.insert("L");
  if (f_.any_form) reserved_.insert("M");
  if (file_.target == Target::kCuda) reserved_.insert({"L", "Index", "kDisjoint"});
  if (f_.launches) reserved_.insert("launch");
  const auto mention = [&](const ir::Local* local) {
    mentioned_.insert(local);
    if (!local->is_temp) stems_.insert(cpp_identifier(local->name.str()));
  };
  if (part == Part::kWhole) {
    for (const ir::Stmt* s : f_.body)
      ir::for_each_local_in(s, [&](const ir::Local* local, ir::Access) { mention(local); });
    ir::for_each_expr_in(f_.body, [&](const ir::Expr* e) {
      if (const auto* c = ir::try_as<ir::Call>(e)) reserved_.insert(c->callee->symbol);
      if (const auto* g = ir::try_as<ir::Global>(e)) reserved_.insert(g->array->symbol);
    });
  }
  for (const ir::Param& p : f_.params)
    if (!p.local->is_temp) stems_.insert(cpp_identifier(p.local->name.str()));
  for (const ir::Param& p : f_.params) declare(p.local);
  for (const ir::Local* local : f_.shared) declare(local);
  status_name_ = fresh("status");
  result_name_ = fresh("result");
}

const std::string& Printer::declare(const ir::Local* local) {
  const std::string stem = cpp_identifier(local->name.str());
  int& least = least_free_.try_emplace(stem, 1).first->second;
  int n = local->is_temp ? least : local->version;
  const auto numbered = [&] { return n > 1 ? fmt::format("{}_{}", stem, n) : stem; };
  const auto is_free = [&](const std::string& name) {
    return !taken_.contains(name) && !reserved_.contains(name) &&
           !(local->is_temp && stems_.contains(name));
  };
  std::string name = numbered();
  while (!is_free(name)) ++n, name = numbered();
  if (local->is_temp) least = n + 1;
  taken_.insert(name);
  declared_.push_back({local, &least, n});
  return names_[local] = std::move(name);
}

void Printer::leave_scope(size_t declared) {
  while (declared_.size() > declared) {
    const Declared& last = declared_.back();
    taken_.erase(names_.at(last.local));
    *last.least_free = std::min(*last.least_free, last.number);
    declared_.pop_back();
  }
}

std::string Printer::fresh(std::string_view wanted) {
  std::string name(wanted);
  for (int n = 2; taken_.contains(name) || stems_.contains(name) || reserved_.contains(name); ++n)
    name = fmt::format("{}_{}", wanted, n);
  reserved_.insert(name);
  return name;
}

// ---- heads -------------------------------------------------------------------------------------

std::string Printer::body_comment() const {
  const SourceMap* sources = file_.program.sources;
  // As users write the one for any strides.
  const auto spelled = [](const types::Type* type) {
    return types::print(types::replace_layout(type, types::Layout::kAny, types::Layout::kA));
  };
  std::string types;
  for (const ir::Param& p : f_.params)
    types += (types.empty() ? "" : ", ") + spelled(p.local->type);
  const std::string signature = spelled(f_.result) + "(" + types + ")";
  if (!sources || !f_.span.valid()) return "// " + std::string(f_.name.str()) + "  " + signature;
  const uint32_t begin = (f_.part.empty() ? f_.span : f_.body_span).begin;
  const Location at = sources->locate(begin);
  std::string_view line = sources->line_text(begin);
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\\' || line.back() == '\r'))
    line.remove_suffix(1);
  const size_t slash = at.path.rfind('/');
  const std::string_view file =
      slash == std::string_view::npos ? at.path : at.path.substr(slash + 1);
  const std::string what = f_.part.empty() ? "" : std::string(f_.part) + " of ";
  std::string out = fmt::format("// {}{}:{}  {}", what, file, at.line, line);
  if (!line.empty() && line.back() == ':') out += " …";
  if (!f_.part.empty()) return out;
  if (out.size() > 96) return out;
  const size_t column = std::max<size_t>(out.size() + 4, 48);
  if (column + signature.size() > 102) return out + "\n//     " + signature;
  return out + std::string(column - out.size(), ' ') + signature;
}

void Printer::print_comment() {
  const std::string comment = body_comment();
  for (size_t begin = 0; begin <= comment.size();) {
    const size_t end = std::min(comment.find('\n', begin), comment.size());
    out_.line(std::string_view(comment).substr(begin, end - begin));
    begin = end + 1;
  }
}

std::string Printer::param_type(const ir::Param& p) {
  if (p.local->type->is_container()) return "const " + type(p.local->type) + "&";
  if (!p.local->type->is_array()) return type(p.local->type);
  return type(p.local->type, p.local->written ? Hold::kView : Hold::kConstView);
}

namespace {

bool has_arrays(const ir::Function& f) {
  return std::any_of(f.params.begin(), f.params.end(),
                     [](const ir::Param& p) { return types::holds_array(p.local->type); });
}

}  // namespace

Head Printer::head(bool with_names) {
  Head head;
  if (f_.any_layout) head.template_params.push_back("class L");
  if (f_.any_form) {
    head.template_params.push_back("class M");
    file_.headers.insert("pyk/lanes.h");
  }
  if (file_.target == Target::kCuda && has_arrays(f_))
    head.template_params.push_back("class Index");
  head.name = f_.symbol;
  const std::string result = type(f_.result, Hold::kOwned);
  head.result = f_.may_raise ? "pyk::status" : result;
  if (f_.may_raise) file_.headers.insert("pyk/status.h");
  const auto named = [&](const std::string& what, const std::string& name) {
    return with_names ? what + " " + name : what;
  };
  if (f_.launches) {
    file_.headers.insert("pyk/cuda.h");
    head.params.add(named("const pyk::launch&", "launch"));
  }
  for (const ir::Param& p : f_.params) {
    if (p.constant) {
      head.template_params.push_back(named("bool", names_.at(p.local)));
      continue;
    }
    const bool unused = with_names && !mentioned_.empty() && !mentioned_.contains(p.local);
    head.params.add((unused ? "[[maybe_unused]] " : "") + named(param_type(p), names_.at(p.local)));
  }
  for (const ir::Local* local : f_.shared)
    head.params.add(named(local_type(local) + "&", names_.at(local)));
  if (f_.may_raise && result != "void") head.params.add(named(result + "&", result_name_));
  return head;
}

void Printer::body() {
  out_.indent();
  stmts(f_.body);
  out_.dedent();
}

const char* Printer::linkage() const {
  if (f_.is_root && f_.per_isa == file_.per_isa) return f_.is_inline ? "PYK_INLINE_ROOT " : "";
  return f_.is_inline ? "PYK_INLINE " : "static inline ";
}

// void f(pyk::array<double, 1, L> a) noexcept { return PYK_BODY(f<L>)(a); }
void Printer::driver() {
  out_.source(f_.span);
  print_comment();
  const Head h = head(true);
  if (const std::string line = h.template_line(); !line.empty()) out_.line(line);
  out_.line(h.line() + " noexcept {");
  out_.indent();
  ListText instance, args;
  if (f_.any_layout) instance.add("L");
  if (f_.any_form) instance.add("M");
  for (const ir::Param& p : f_.params) args.add(names_.at(p.local));
  if (f_.may_raise && f_.result != types::void_()) args.add(result_name_);
  const std::string body = instance.empty() ? f_.symbol : f_.symbol + instance.in("<", ">");
  out_.line(args.in("return PYK_BODY(" + body + ")(", ");"));
  out_.dedent();
  out_.source({});
  out_.line("}");
}

void Printer::declaration() {
  const Head h = head(false);
  if (const std::string line = h.template_line(); !line.empty()) out_.line(line);
  out_.line(linkage() + h.line() + " noexcept;");
}

void Printer::function() {
  out_.source(f_.span);
  print_comment();
  const Head h = head(true);
  if (const std::string line = h.template_line(); !line.empty()) out_.line(line);
  const std::string apart = f_.loads_apart ? "PYK_LOADS_APART " : "";
  out_.line(apart + linkage() + h.line() + " noexcept {");
  body();
  out_.source({});
  out_.line("}");
}

}  // namespace pyk2cu::emit
