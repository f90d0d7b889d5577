// Texts with values filled in: f-strings, `%`, `.format`, str() and `+`, see messages.h.
#include "typeinfer/infer/messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "typeinfer/infer/conversions.h"
#include "typeinfer/infer/expr.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::infer {

namespace {

// Of a raise, counted flat, and of these not constant: pyk::max_args and max_kept.
constexpr size_t kMost = 12, kMostKept = 8;

const ast::Constant* literal_text(const ast::Expr& e) {
  const auto* c = ast::as<ast::Constant>(e);
  return c && c->value.tag == ast::ConstantValue::kStr ? c : nullptr;
}

// "text".format
const ast::Constant* formatted_text(const ast::Call& call) {
  const auto* method = ast::as<ast::Attribute>(*call.func);
  return method && method->attr == "format" ? literal_text(*method->value) : nullptr;
}

// One place of a `%` text: %[flags][width][.precision]type
struct Directive {
  std::string flags{}, width{}, precision{};
  char type = 0;

  // Its spelling for str.format; empty: there is none.
  std::string field() const {
    const auto has = [&](char flag) { return flags.find(flag) != flags.npos; };
    const bool left = has('-'), is_text = type == 's' || type == 'r';
    std::string spec;
    if (left && !width.empty()) spec += '<';
    if (is_text && !left && !width.empty()) spec += '>';
    if (!is_text) {  // of a text they mean nothing
      if (has('+') || has(' ')) spec += has('+') ? '+' : ' ';
      if (has('#')) spec += '#';
      if (has('0') && !left) spec += '0';
    }
    const bool is_whole = type == 'd' || type == 'x' || type == 'X' || type == 'o';
    if (is_whole && !precision.empty()) return "";
    spec += width + precision;
    const char* const conversion = type == 'r' ? "!r" : type == 's' ? "!s" : "";
    if (!is_text) spec += type;
    return "{" + std::string(spec.empty() && type == 's' ? "" : conversion) +
           (spec.empty() ? "" : ":" + spec) + "}";
  }
};

// Splits "n = %5d" into "n = " and a directive; false where there is no further one, or none that
// has a spelling for str.format (`bad`).
bool next_directive(std::string_view& rest, std::string& text, Directive& out, bool& bad) {
  for (;;) {
    const size_t at = rest.find('%');
    text += rest.substr(0, at);
    if (at == rest.npos) return false;
    rest.remove_prefix(at + 1);
    if (!rest.starts_with('%')) break;
    text += '%';
    rest.remove_prefix(1);
  }
  const auto take = [&](std::string_view some) {
    const size_t end = std::min(rest.find_first_not_of(some), rest.size());
    const std::string taken(rest.substr(0, end));
    rest.remove_prefix(end);
    return taken;
  };
  out.flags = take("-+ #0");
  out.width = take("0123456789");
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const std::string digits = take("0123456789");
    out.precision = "." + (digits.empty() ? "0" : digits);
  }
  take("hlL");
  out.type = rest.empty() ? 0 : rest[0];
  if (out.type == 'i' || out.type == 'u') out.type = 'd';
  constexpr std::string_view kTypes = "dsrfFeEgGxXo";
  bad = out.type == 0 || kTypes.find(out.type) == kTypes.npos;
  if (bad) return false;
  rest.remove_prefix(1);
  return true;
}

class ExceptionArguments {
 public:
  explicit ExceptionArguments(Expressions& in) : in_(in), out_(in.emitter()) {}

  void add(const ast::Expr& e) {
    if (!makes_text(e)) return plain(e);
    const size_t at = args_.size();
    args_.push_back(out_.const_str("", e.span));
    text_.clear();
    format_.clear();
    const bool fine = text(e);
    const size_t count = args_.size() - at - 1;
    if (!fine || (count > 0 && out_.on_cuda())) {
      if (fine)
        out_.not_supported(e.span, "a text made at run time, in a kernel", "give the text alone");
      args_.resize(at);
    } else {
      args_[at] = count == 0 ? out_.const_str(text_, e.span)
                             : ir::Builder{out_.context().program(), e.span}.format(format_, count);
    }
  }

  std::vector<ir::Expr*> take(ast::Exprs from) {
    const auto kept =
        size_t(std::ranges::count_if(args_, [](auto* e) { return !ir::constant(e); }));
    const auto has_nul = [](const ir::Expr* e) {
      const ir::Const* c = ir::constant(e);
      return c && c->value.text.find('\0') != c->value.text.npos;
    };
    if (args_.size() > kMost || kept > kMostKept) {
      out_.not_supported(from[0]->span,
                         kept > kMostKept
                             ? fmt::format("an exception of more than {} values", kMostKept)
                             : fmt::format("an exception of more than {} texts and values", kMost),
                         "say less in the text");
      args_.clear();
    } else if (std::ranges::any_of(args_, has_nul)) {
      out_.not_supported(from[0]->span, "a NUL in the text of an exception", "leave it out");
      args_.clear();
    }
    return std::move(args_);
  }

 private:
  // str(x), repr(x)
  const ast::Call* text_call(const ast::Expr& e) {
    const auto* call = ast::as<ast::Call>(e);
    const auto* name = call ? ast::as<ast::Name>(*call->func) : nullptr;
    if (!name || call->args.size() != 1 || !call->keywords.empty()) return nullptr;
    const bool is_builtin =
        (name->id == "str" || name->id == "repr") &&
        !in_.names().versions().locals.contains(name->id) &&
        in_.context().module().find(name->id).kind == decorators::Binding::Kind::kUnknown;
    return is_builtin ? call : nullptr;
  }

  bool makes_text(const ast::Expr& e) {
    if (ast::is<ast::JoinedStr>(e) || text_call(e)) return true;
    if (const auto* call = ast::as<ast::Call>(e)) return formatted_text(*call) != nullptr;
    const auto* op = ast::as<ast::BinOp>(e);
    if (!op) return false;
    if (op->op == ast::Operator::kMod) return literal_text(*op->left) != nullptr;
    return op->op == ast::Operator::kAdd && (makes_text(*op->left) || makes_text(*op->right));
  }

  // The value of `e`, after those before it.
  Operand operand(const ast::Expr& e) {
    const Emitter::Mark m = out_.mark();
    Operand o = in_.operand(e);
    if (!o.is_error())
      for (ir::Expr*& earlier : args_) earlier = out_.settle(earlier, m);
    return o;
  }

  // A number, text or None; null of others.
  ir::Expr* number(const Operand& o, Span span) {
    if (o.is<None>()) {
      ir::Value none;
      none.kind = ir::Value::Kind::kNone;
      return out_.make(ir::Const{{ir::ExprKind::kConst, types::none(), span}, none});
    }
    if (o.is<Str>()) return out_.const_str(o.as<Str>().text, span);
    return o.is_value() && o.type()->is_real() ? o.value() : nullptr;
  }

  void plain(const ast::Expr& e) {
    const Operand o = operand(e);
    if (o.is_error()) return;
    if (ir::Expr* value = number(o, e.span))
      args_.push_back(value);
    else
      refuse(e.span, "this argument of an exception");
  }

  bool refuse(Span span, std::string_view what) {
    out_.not_supported(span, what, "strings and numbers are supported");
    return false;
  }

  // Adds what stands there as it is.
  bool literal(std::string_view text) {
    text_ += text;
    for (const char c : text) format_ += std::string(c == '{' || c == '}' ? 2 : 1, c);
    return true;
  }

  bool text(const ast::Expr& e) {
    if (const ast::Constant* c = literal_text(e)) return literal(c->value.text);
    if (const auto* joined = ast::as<ast::JoinedStr>(e)) {
      for (const ast::Expr* part : joined->values)
        if (!text(*part)) return false;
      return true;
    }
    if (const auto* value = ast::as<ast::FormattedValue>(e)) return filled_in(*value);
    if (const ast::Call* call = text_call(e)) {
      const bool is_str = ast::as<ast::Name>(*call->func)->id == "str";
      return field(*call->args[0], is_str ? "!s" : "!r", nullptr);
    }
    if (const auto* call = ast::as<ast::Call>(e); call && formatted_text(*call))
      return formatted(*call);
    const auto* op = ast::as<ast::BinOp>(e);
    if (op && op->op == ast::Operator::kAdd) return text(*op->left) && text(*op->right);
    if (op && op->op == ast::Operator::kMod && literal_text(*op->left)) return percent(*op);
    const Operand o = operand(e);
    if (o.is<Str>()) return literal(o.as<Str>().text);
    return !o.is_error() && refuse(e.span, "this part of a text");
  }

  bool filled_in(const ast::FormattedValue& e) {
    constexpr int kStr = 's', kRepr = 'r', kAscii = 'a';
    const char* const conversion = e.conversion == kRepr    ? "!r"
                                   : e.conversion == kStr   ? "!s"
                                   : e.conversion == kAscii ? "!a"
                                                            : "";
    return field(*e.value, conversion, e.format_spec);
  }

  // {value!r:spec}; the places inside the spec are filled by the values after it.
  bool field(const ast::Expr& e, std::string_view conversion, const ast::Expr* spec) {
    if (makes_text(e) && conversion != "!r" && conversion != "!a" && !spec) return text(e);
    const Operand o = operand(e);
    if (o.is_error()) return false;
    if (o.is<Str>() && conversion != "!r" && conversion != "!a" && !spec)
      return literal(o.as<Str>().text);
    if (o.is<Pack>() || (o.is_value() && o.type()->is_tuple()))
      return spec ? refuse(e.span, "a tuple with a format") : tuple(o, e.span);
    ir::Expr* value = number(o, e.span);
    if (!value) return refuse(e.span, "this value in a text");
    args_.push_back(value);
    format_ += "{" + std::string(conversion);
    if (spec) {
      format_ += ":";
      const auto* joined = ast::as<ast::JoinedStr>(*spec);
      for (const ast::Expr* part : joined ? joined->values : ast::Exprs()) {
        const auto* inner = ast::as<ast::FormattedValue>(*part);
        if (inner ? !filled_in(*inner) : !text(*part)) return false;
      }
    }
    format_ += "}";
    return true;
  }

  // (1, 2.5)
  bool tuple(const Operand& o, Span span) {
    ir::Expr* whole = out_.spill(value_of(out_, o, span), "value");
    if (is_error(whole)) return false;
    const size_t count = whole->type->items.size();
    format_ += "(";
    for (size_t k = 0; k < count; ++k) {
      if (!whole->type->items[k]->is_real()) return refuse(span, "this value in a text");
      args_.push_back(tuple_item(out_, out_.load(ir::loaded(whole), span), int(k), span));
      format_ += k > 0 ? ", {!r}" : "{!r}";
    }
    format_ += count == 1 ? ",)" : ")";
    return true;
  }

  // What stands behind a `%`: a tuple's items, wherever the tuple comes from, or the one value.
  struct Filling {
    Operand value;
    const ast::Expr* made;  // by this expression; null: it is of a tuple's value
  };
  std::optional<std::vector<Filling>> fillings(const ast::Expr& e) {
    std::vector<Filling> all;
    if (const auto* several = ast::as<ast::Tuple>(e)) {
      for (const ast::Expr* one : several->elts) all.push_back({error(), one});
      return all;
    }
    if (makes_text(e)) return {{{error(), &e}}};
    const Operand o = operand(e);
    if (o.is_error()) return std::nullopt;
    if (o.is<Pack>()) {
      for (const Operand& part : o.parts()) all.push_back({part, nullptr});
      return all;
    }
    if (!o.is_value() || !o.type()->is_tuple()) return {{{o, nullptr}}};
    ir::Expr* whole = out_.spill(o.value(), "value");
    for (size_t k = 0; k < whole->type->items.size(); ++k)
      all.push_back(
          {to_operand(tuple_item(out_, out_.load(ir::loaded(whole), e.span), int(k), e.span)),
           nullptr});
    return all;
  }

  // "bad %d of %s" % (n, m)
  bool percent(const ast::BinOp& e) {
    const auto values = fillings(*e.right);
    if (!values) return false;
    std::string_view rest = literal_text(*e.left)->value.text;
    size_t used = 0;
    bool bad = false;
    for (;;) {
      std::string before;
      Directive directive;
      const bool found = next_directive(rest, before, directive, bad);
      literal(before);
      if (!found) break;
      if (used == values->size()) return refuse(e.span, "a text with more places than values");
      if (!directed((*values)[used++], directive, e.right->span)) return false;
    }
    if (bad) return refuse(e.left->span, "this `%` in a text");
    return used == values->size() || refuse(e.span, "a text with fewer places than values");
  }

  bool directed(const Filling& filling, const Directive& directive, Span right) {
    const Span span = filling.made ? filling.made->span : right;
    const std::string form = directive.field();
    if (form.empty()) return refuse(span, "the `%` of this value");
    if (filling.made && form == "{}" && makes_text(*filling.made)) return text(*filling.made);
    const Operand o = filling.made ? operand(*filling.made) : filling.value;
    if (o.is_error()) return false;
    const bool is_text = directive.type == 's' || directive.type == 'r';
    if (form == "{}" && (o.is<Pack>() || (o.is_value() && o.type()->is_tuple())))
      return tuple(o, span);
    ir::Expr* value = number(o, span);
    if (!value || (!is_text && !o.is_value())) return refuse(span, "this value in a text");
    constexpr std::string_view kWhole = "dxXo";
    if (o.is_value() && o.type()->is_float() && kWhole.find(directive.type) != kWhole.npos)
      return refuse(span, "an integer's `%` of a float");
    if (!is_text && o.type()->is_bool()) value = convert(out_, value, types::int64(), span);
    if (is_error(value)) return false;
    args_.push_back(value);
    format_ += form;
    return true;
  }

  // "bad {} of {n:3d}".format(n, n=m): places in their order are those of the arguments.
  bool formatted(const ast::Call& call) {
    std::string_view rest = formatted_text(call)->value.text;
    size_t used = 0;
    while (!rest.empty()) {
      const size_t at = std::min(rest.find_first_of("{}"), rest.size());
      literal(rest.substr(0, at));
      rest.remove_prefix(at);
      if (rest.starts_with("{{") || rest.starts_with("}}")) {
        literal(rest.substr(0, 1));
        rest.remove_prefix(2);
        continue;
      }
      if (rest.empty()) break;
      const size_t end = rest.find('}');
      if (end == rest.npos || rest[0] == '}') return refuse(call.span, "this text");
      const std::string_view inside = rest.substr(1, end - 1);
      rest.remove_prefix(end + 1);
      const size_t name_end = std::min(inside.find_first_of("!:"), inside.size());
      const ast::Expr* value = argument(call, inside.substr(0, name_end), used);
      const std::string form(inside.substr(name_end));
      if (!value || form.find_first_of("{") != form.npos)
        return refuse(call.span, "this place of a text");
      if (!field(*value, form, nullptr)) return false;
    }
    return used == call.args.size() + call.keywords.size() ||
           refuse(call.span, "an argument that the text has no place for");
  }

  // The next one, or that of the name; null: there is none, or it is used in another order.
  static const ast::Expr* argument(const ast::Call& call, std::string_view name, size_t& used) {
    const size_t next = used++;
    const size_t count = call.args.size();
    if (name.empty() || name == std::to_string(next))
      return next < count && !ast::is<ast::Starred>(*call.args[next]) ? call.args[next] : nullptr;
    const size_t k = next - std::min(next, count);
    const bool fits = next >= count && k < call.keywords.size();
    return fits && call.keywords[k]->arg == name ? call.keywords[k]->value : nullptr;
  }

  Expressions& in_;
  Emitter& out_;
  std::vector<ir::Expr*> args_{};
  std::string text_{}, format_{};  // of the text in work, without places and with them
};

}  // namespace

std::vector<ir::Expr*> exception_args(Expressions& in, ast::Exprs args) {
  ExceptionArguments made(in);
  for (const ast::Expr* arg : args) made.add(*arg);
  return made.take(args);
}

}  // namespace pyk2cu::infer
