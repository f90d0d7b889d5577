// What values show, hold and are a part of: see sharing.h. Tested by tests/run/test_sharing.py.
#include <algorithm>

#include "typeinfer/decorators/sharing.h"
#include "typeinfer/decorators/sharing_parts.h"

namespace pyk2cu::decorators {

using namespace sharing;

namespace {

// a[1:], a[...], a[None]: a view. By a list, a mask: a copy. Else by a number, or an array.
enum class By : uint8_t { kSlice, kCopy, kNumber };
By by(const ast::Expr& index) {
  if (ast::is<ast::Slice>(index) || ast::is<ast::Attribute>(index) || is_slice(index))
    return By::kSlice;
  if (ast::is<ast::List>(index) || ast::is<ast::Compare>(index) || ast::is<ast::ListComp>(index))
    return By::kCopy;
  const auto* c = ast::as<ast::Constant>(index);
  const bool is_number =
      c && (c->value.tag == ast::ConstantValue::kInt || c->value.tag == ast::ConstantValue::kStr);
  return c && !is_number ? By::kSlice : By::kNumber;
}

}  // namespace

Sharing::Shown Sharing::shown(const ast::Expr& e, Scope scope) const {
  if (const auto* name = ast::as<ast::Name>(e))
    return {{{meant(name->id, scope, e.span.begin), kOwn}, 0}};
  if (const auto* call = ast::as<ast::Call>(e)) return shown_by_call(*call, scope);
  if (const auto* path = ast::as<ast::Attribute>(e)) {
    const auto* module = ast::as<ast::Name>(*path->value);
    if (module && is_global(module->id, scope) && paths_.is_module(module->id)) {
      const std::string whole = std::string(module->id.str()) + "." + std::string(path->attr.str());
      return {{{{nullptr, Symbol(whole)}, kOwn}, 0}};
    }
    if (kFacts.contains(path->attr.str())) return {};
    return item_of(shown(*path->value, scope), 0);
  }
  if (const auto* item = ast::as<ast::Subscript>(e)) return shown_by_item(*item, scope);
  if (const auto* chosen = ast::as<ast::IfExp>(e)) {
    Shown all = shown(*chosen->body, scope);
    add(all, shown(*chosen->orelse, scope));
    return all;
  }
  if (const auto* sum = ast::as<ast::BinOp>(e)) {  // [x] * 2, names + [x]
    const auto is_display = [](auto&& self, const ast::Expr& one) -> bool {
      const auto* inner = ast::as<ast::BinOp>(one);
      return ast::is<ast::List>(one) || ast::is<ast::Dict>(one) || ast::is<ast::ListComp>(one) ||
             (inner && (self(self, *inner->left) || self(self, *inner->right)));
    };
    if (!is_display(is_display, e)) return {};
    Shown all = shown(*sum->left, scope);
    add(all, shown(*sum->right, scope));
    return all;
  }
  const bool is_new_one = ast::is<ast::UnaryOp>(e) || ast::is<ast::Compare>(e) ||
                          ast::is<ast::Constant>(e) || ast::is<ast::Lambda>(e) ||
                          ast::is<ast::JoinedStr>(e);
  Shown all;
  if (is_new_one) return all;
  const bool is_same = ast::is<ast::BoolOp>(e) || ast::is<ast::NamedExpr>(e) ||
                       ast::is<ast::Starred>(e) || ast::is<ast::Await>(e);
  ast::for_each_child(e, [&](const ast::Node& part) {
    if (const auto* one = as_expr(part))
      add(all, is_same ? shown(*one, scope) : holder_of(shown(*one, scope)));
  });
  return all;
}

// x of x[i], and of globals()["x"]
Sharing::Shown Sharing::shown_by_item(const ast::Subscript& item, Scope scope) const {
  const auto* call = ast::as<ast::Call>(*item.value);
  const auto* function = call ? ast::as<ast::Name>(*call->func) : nullptr;
  const auto* text = ast::as<ast::Constant>(*item.slice);
  if (function && function->id == "globals" && text && text->value.tag == ast::ConstantValue::kStr)
    return {{{{nullptr, Symbol(text->value.text)}, kOwn}, 0}};
  int numbers = 0;
  std::vector<const ast::Expr*> parts{item.slice};
  if (const auto* several = ast::as<ast::Tuple>(*item.slice))
    parts.assign(several->elts.begin(), several->elts.end());
  for (const ast::Expr* part : parts) {
    const auto* known = ast::as<ast::Name>(*part);
    const By how = known && known_.slices.contains(known->id) ? By::kSlice : by(*part);
    if (how == By::kCopy) return {};
    numbers += how == By::kNumber;
  }
  return item_of(shown(*item.value, scope), numbers);
}

Sharing::Shown Sharing::shown_by_call(const ast::Call& call, Scope scope) const {
  Shown of_callees;
  for (const Scope callee : callees_of(call, scope)) {
    const Symbol name = ast::is<ast::ClassDef>(*callee) ? self_name() : result_name();
    add(of_callees, {{{{callee, name}, kOwn}, 0}});
  }
  if (!of_callees.empty()) return of_callees;
  const std::string path = paths_.dotted(*call.func);
  const auto* name = ast::as<ast::Name>(*call.func);
  const auto* method = ast::as<ast::Attribute>(*call.func);
  Shown given;
  for (const ast::Expr* arg : call.args) add(given, shown(*arg, scope));
  for (const ast::Keyword* keyword : call.keywords) add(given, shown(*keyword->value, scope));
  const auto has = [&](std::string_view keyword) {
    return std::ranges::any_of(call.keywords,
                               [&](const ast::Keyword* k) { return k->arg == keyword; });
  };
  if (!path.empty()) {
    const bool is_view = is_numpys(path) &&
                         (kViews.contains(last_of(path)) || (path == "numpy.array" && has("copy")));
    const bool holds = path == "types.SimpleNamespace" || path == "argparse.Namespace" ||
                       path == "collections.deque" || path == "collections.OrderedDict";
    if (holds) {
      Shown all = holder_of(given);
      add(all, holder_of(item_of(given, 1)));
      return all;
    }
    // Some give several views, in a list.
    if (is_view) add(given, holder_of(given));
    return is_view ? given : Shown();
  }
  if (name && is_global(name->id, scope) && !module_names_.contains(name->id)) {
    if (!kPassing.contains(name->id.str())) return {};
    if (name->id == "memoryview") return given;
    if (name->id == "dict" && call.args.empty()) return holder_of(given);
    Shown all = holder_of(item_of(given, 1));  // list(x), zip(x, y): of their items
    add(all, item_of(given, 1));               // next(x), max(x)
    return all;
  }
  if (method) {
    if (!kShowing.contains(method->attr.str())) return {};
    if (method->attr == "astype" && !has("copy")) return {};
    Shown all = item_of(shown(*method->value, scope), 0);
    add(all, holder_of(all));  // of values() and items()
    add(all, given);
    return all;
  }
  add(given, holder_of(given));  // of a function that it was given, or a class
  return given;
}

bool Sharing::is_new(const ast::Expr& value) const { return shown(value, nullptr).empty(); }

// The functions, methods, or the class of the file that it may call.
std::vector<Sharing::Scope> Sharing::callees_of(const ast::Call& call, Scope scope) const {
  if (ast::is<ast::Lambda>(*call.func)) return {call.func};
  if (const auto* name = ast::as<ast::Name>(*call.func)) {
    for (Scope around = scope; around; around = inner_.at(around).outer)
      if (const auto own = known_.nested.find({around, name->id}); own != known_.nested.end())
        return {own->second};
    if (!is_global(name->id, scope)) return {};
    const auto found = known_.functions.find(name->id);
    if (found != known_.functions.end()) return found->second;
    const auto type = known_.classes.find(name->id);
    return type != known_.classes.end() ? std::vector<Scope>{type->second.first}
                                        : std::vector<Scope>{};
  }
  const auto* method = ast::as<ast::Attribute>(*call.func);
  const auto found = method ? known_.methods.find(method->attr) : known_.methods.end();
  return found != known_.methods.end() ? found->second : std::vector<Scope>{};
}

// A function of a file beside this one, or one that a variable is: it may change what it is given.
bool Sharing::is_unknown(const ast::Call& call, Scope scope) const {
  if (!callees_of(call, scope).empty() || !paths_.dotted(*call.func).empty()) return false;
  if (const auto* path = ast::as<ast::Attribute>(*call.func)) {
    const auto* module = ast::as<ast::Name>(*path->value);
    return module && is_global(module->id, scope) && paths_.is_module(module->id);
  }
  if (ast::is<ast::Subscript>(*call.func)) return true;
  const auto* name = ast::as<ast::Name>(*call.func);
  return name && (!is_global(name->id, scope) || known_.imported.contains(name->id));
}

}  // namespace pyk2cu::decorators
