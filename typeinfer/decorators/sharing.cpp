// Who shares memory with whom: see sharing.h.
#include "typeinfer/decorators/sharing.h"

#include <algorithm>

#include "typeinfer/builtins/registry.h"
#include "typeinfer/scope/bound.h"

namespace pyk2cu::decorators {

namespace {

using Words = std::set<std::string_view>;

// Functions of NumPy that may give what they are given, or a view of it.
const Words kViews{"asarray",
                   "asanyarray",
                   "ascontiguousarray",
                   "asfortranarray",
                   "require",
                   "reshape",
                   "ravel",
                   "transpose",
                   "matrix_transpose",
                   "permute_dims",
                   "swapaxes",
                   "moveaxis",
                   "rollaxis",
                   "squeeze",
                   "expand_dims",
                   "atleast_1d",
                   "atleast_2d",
                   "atleast_3d",
                   "broadcast_to",
                   "broadcast_arrays",
                   "split",
                   "array_split",
                   "hsplit",
                   "vsplit",
                   "dsplit",
                   "diag",
                   "diagonal",
                   "real",
                   "imag",
                   "flip",
                   "fliplr",
                   "flipud",
                   "rot90",
                   "nditer",
                   "as_strided",
                   "sliding_window_view",
                   "nan_to_num",
                   "frombuffer",
                   "ix_",
                   "astype"};
// Those that change their first argument.
const Words kChangers{"copyto",         "put",     "place",   "putmask", "fill_diagonal",
                      "put_along_axis", "shuffle", "setitem", "delitem", "heappush",
                      "heappop",        "heapify", "insort",  "setattr", "delattr"};
// Python's own that may give what they are given.
const Words kPassing{"list", "tuple",  "dict",    "set",       "max",       "min",
                     "next", "iter",   "zip",     "sorted",    "reversed",  "map",
                     "vars", "filter", "getattr", "enumerate", "memoryview"};
// Methods of arrays, lists, dicts and sets that change them, and those that give a part or a view.
const Words kChanging{
    "fill",       "sort",     "put",      "resize", "itemset",          "partition",
    "setfield",   "setflags", "byteswap", "append", "extend",           "insert",
    "pop",        "popitem",  "remove",   "clear",  "reverse",          "update",
    "setdefault", "add",      "discard",  "at",     "difference_update"};
const Words kShowing{"view",    "reshape", "ravel",    "transpose", "swapaxes",
                     "squeeze", "astype",  "diagonal", "get",       "pop",
                     "popitem", "values",  "items",    "setdefault"};

std::string_view last_of(std::string_view path) { return path.substr(path.rfind('.') + 1); }

bool is_numpys(std::string_view path) { return path.starts_with("numpy."); }

// += of module `operator`: iadd, …
bool is_in_place(std::string_view path) {
  return path.starts_with("operator.i") && !path.starts_with("operator.inv") &&
         !path.starts_with("operator.is_") && !path.starts_with("operator.index") &&
         !path.starts_with("operator.item");
}

const ast::Expr* as_expr(const ast::Node& node) {
  const bool is_one = node.kind >= ast::Kind::kBoolOp && node.kind <= ast::Kind::kSlice;
  return is_one ? static_cast<const ast::Expr*>(&node) : nullptr;
}

template <class S>
void add(S& all, S more) {
  all.merge(more);
}

bool is_scope(const ast::Node& node) {
  return ast::is<ast::FunctionDef>(node) || ast::is<ast::AsyncFunctionDef>(node) ||
         ast::is<ast::Lambda>(node);
}

const ast::Arguments* arguments_of(const ast::Node& node) {
  if (const auto* def = ast::as<ast::FunctionDef>(node)) return def->args;
  if (const auto* def = ast::as<ast::AsyncFunctionDef>(node)) return def->args;
  const auto* lambda = ast::as<ast::Lambda>(node);
  return lambda ? lambda->args : nullptr;
}

std::vector<const ast::Arg*> positional(const ast::Arguments& args) {
  std::vector<const ast::Arg*> all(args.posonlyargs.begin(), args.posonlyargs.end());
  all.insert(all.end(), args.args.begin(), args.args.end());
  return all;
}

template <class F>
void for_each_arg(const ast::Arguments& args, F&& f) {
  for (const ast::Arg* arg : positional(args)) f(arg->arg);
  for (const ast::Arg* arg : args.kwonlyargs) f(arg->arg);
  if (args.vararg) f(args.vararg->arg);
  if (args.kwarg) f(args.kwarg->arg);
}

// What functions give back is a name of theirs that no program has.
Symbol result_name() {
  static const Symbol name("return");
  return name;
}

}  // namespace

Sharing::Sharing(const ast::Module& file, Paths paths) : paths_(std::move(paths)) {
  std::vector<Symbol> names;
  for (const ast::Stmt* stmt : file.body) scope::bound_names(*stmt, names);
  module_names_.insert(names.begin(), names.end());
  for (const ast::Stmt* stmt : file.body) scopes(*stmt, nullptr, nullptr);
  for (const ast::Stmt* stmt : file.body) edges(*stmt, nullptr, stmt->span.end);
  find_changers();
}

// Statements that cannot run, as `if __name__ == "__main__"` of a module that is imported, are no
// parts.
template <class F>
void Sharing::for_each_part(const ast::Node& node, F&& f) const {
  const auto* branch = ast::as<ast::If>(node);
  if (!branch) return ast::for_each_child(node, f);
  f(static_cast<const ast::Node&>(*branch->test));
  if (paths_.runs(*branch, true))
    for (const ast::Stmt* s : branch->body) f(static_cast<const ast::Node&>(*s));
  if (paths_.runs(*branch, false))
    for (const ast::Stmt* s : branch->orelse) f(static_cast<const ast::Node&>(*s));
}

// ---- names -------------------------------------------------------------------------------------

void Sharing::scopes(const ast::Node& node, Scope around, const ast::FunctionDef* def) {
  const auto* made = ast::as<ast::FunctionDef>(node);
  if (made && !around) functions_[made->name] = made;
  if (const auto* type = ast::as<ast::ClassDef>(node))
    for (const ast::Stmt* s : type->body)
      if (const auto* method = ast::as<ast::FunctionDef>(*s)) methods_[method->name] = method;
  Scope inside = around;
  if (is_scope(node)) {
    inside = &node;
    if (made && !def) def = made;
    Inner inner{.outer = around, .def = def, .args = arguments_of(node)};
    std::vector<Symbol> names;
    std::unordered_set<Symbol> others;
    const auto declared = [&](auto&& self, const ast::Node& part) -> void {
      if (const auto* global = ast::as<ast::Global>(part))
        others.insert(global->names.begin(), global->names.end());
      if (const auto* outer = ast::as<ast::Nonlocal>(part))
        others.insert(outer->names.begin(), outer->names.end());
      if (!is_scope(part)) ast::for_each_child(part, [&](const ast::Node& c) { self(self, c); });
    };
    ast::for_each_child(node, [&](const ast::Node& part) {
      if (part.kind == ast::Kind::kArguments) return;
      scope::bound_names(part, names);
      declared(declared, part);
    });
    for (const Symbol name : names)
      if (!others.contains(name)) inner.own.insert(name);
    for_each_arg(*inner.args, [&](Symbol name) { inner.own.insert(name); });
    inner_.emplace(&node, std::move(inner));
  }
  ast::for_each_child(node, [&](const ast::Node& part) { scopes(part, inside, def); });
}

Sharing::Name Sharing::meant(Symbol name, Scope scope) const {
  for (; scope; scope = inner_.at(scope).outer)
    if (inner_.at(scope).own.contains(name)) break;
  return {scope, name};
}

// ---- edges -------------------------------------------------------------------------------------

void Sharing::link(const Name& from, const Names& to, uint32_t at) {
  for (const Name& one : to) {
    if (one == from) continue;
    shows_[from].push_back({one, at});
    shown_by_[one].push_back({from, at});
  }
}

void Sharing::bind(const ast::Expr& target, const Names& shown_names, Scope scope, uint32_t at) {
  if (shown_names.empty()) return;
  if (const auto* name = ast::as<ast::Name>(target))
    return link(meant(name->id, scope), shown_names, at);
  if (ast::is<ast::Subscript>(target) || ast::is<ast::Attribute>(target)) {
    Names holders;
    base_of(target, scope, holders);
    for (const Name& holder : holders) link(holder, shown_names, at);
    return;
  }
  ast::for_each_child(target, [&](const ast::Node& part) {
    if (const auto* one = as_expr(part)) bind(*one, shown_names, scope, at);
  });
}

void Sharing::edges(const ast::Node& node, Scope scope, uint32_t at) {
  if (is_scope(node)) {
    const ast::Arguments& args = *arguments_of(node);
    const auto all = positional(args);
    const size_t first = all.size() - args.defaults.size();
    for (size_t k = 0; k < args.defaults.size(); ++k)
      link({&node, all[first + k]->arg}, shown(*args.defaults[k], scope), 0);
    for (size_t k = 0; k < args.kwonlyargs.size(); ++k)
      if (args.kw_defaults[k])
        link({&node, args.kwonlyargs[k]->arg}, shown(*args.kw_defaults[k], scope), 0);
    scope = &node;
    at = 0;
    if (const auto* lambda = ast::as<ast::Lambda>(node))
      link({scope, result_name()}, shown(*lambda->body, scope), at);
  }
  if (const auto* s = ast::as<ast::Assign>(node))
    for (const ast::Expr* target : s->targets) bind(*target, shown(*s->value, scope), scope, at);
  if (const auto* s = ast::as<ast::AnnAssign>(node); s && s->value)
    bind(*s->target, shown(*s->value, scope), scope, at);
  if (const auto* s = ast::as<ast::NamedExpr>(node))
    bind(*s->target, shown(*s->value, scope), scope, at);
  if (const auto* s = ast::as<ast::For>(node)) bind(*s->target, shown(*s->iter, scope), scope, at);
  if (const auto* s = ast::as<ast::Comprehension>(node))
    bind(*s->target, shown(*s->iter, scope), scope, at);
  if (const auto* s = ast::as<ast::WithItem>(node); s && s->optional_vars) {
    bind(*s->optional_vars, shown(*s->context_expr, scope), scope, at);
    if (const auto* made = ast::as<ast::Call>(*s->context_expr))
      for (const ast::Expr* arg : made->args)
        bind(*s->optional_vars, shown(*arg, scope), scope, at);
  }
  if (const auto* s = ast::as<ast::Yield>(node); s && s->value)
    link({scope, result_name()}, shown(*s->value, scope), at);
  if (const auto* s = ast::as<ast::Return>(node); s && s->value)
    link({scope, result_name()}, shown(*s->value, scope), at);
  if (const auto* call = ast::as<ast::Call>(node)) edges_of_call(*call, scope, at);
  if (const auto* s = ast::as<ast::Match>(node)) {
    std::vector<Symbol> names;
    for (const ast::MatchCase* one : s->cases) scope::bound_names(*one->pattern, names);
    for (const Symbol name : names) link(meant(name, scope), shown(*s->subject, scope), at);
  }
  if (const auto* type = ast::as<ast::ClassDef>(node))
    for (const ast::Stmt* s : type->body)
      if (const auto* field = ast::as<ast::Assign>(*s))
        link(meant(type->name, scope), shown(*field->value, scope), at);
  for_each_part(node, [&](const ast::Node& part) {
    const bool is_statement = !scope && part.kind < ast::Kind::kBoolOp;
    edges(part, scope, is_statement ? std::max(at, part.span.end) : at);
  });
}

void Sharing::edges_of_call(const ast::Call& call, Scope scope, uint32_t at) {
  if (const ast::FunctionDef* callee = callee_of(call, scope))
    link_arguments(callee, *callee->args, call, scope, at);
  if (const auto* lambda = ast::as<ast::Lambda>(*call.func))
    link_arguments(lambda, *lambda->args, call, scope, at);
  // L.append(A)
  const auto* method = ast::as<ast::Attribute>(*call.func);
  if (!method || !kChanging.contains(method->attr.str())) return;
  for (const Name& holder : shown(*method->value, scope))
    for (const ast::Expr* arg : call.args) link(holder, shown(*arg, scope), at);
}

// The function of the file that it calls, or the method of one of its classes.
const ast::FunctionDef* Sharing::callee_of(const ast::Call& call, Scope scope) const {
  if (const auto* name = ast::as<ast::Name>(*call.func)) {
    const auto found = functions_.find(name->id);
    return found != functions_.end() && !meant(name->id, scope).scope ? found->second : nullptr;
  }
  const auto* method = ast::as<ast::Attribute>(*call.func);
  const auto found = method ? methods_.find(method->attr) : methods_.end();
  return found != methods_.end() ? found->second : nullptr;
}

void Sharing::link_arguments(Scope callee, const ast::Arguments& args, const ast::Call& call,
                             Scope scope, uint32_t at) {
  auto all = positional(args);
  if (ast::is<ast::Attribute>(*call.func) && !all.empty() && all[0]->arg == "self")
    all.erase(all.begin());
  for (size_t k = 0; k < call.args.size(); ++k) {
    const Names given = shown(*call.args[k], scope);
    if (ast::is<ast::Starred>(*call.args[k]))
      for (const ast::Arg* arg : all) link({callee, arg->arg}, given, at);
    else if (k < all.size())
      link({callee, all[k]->arg}, given, at);
    else if (args.vararg)
      link({callee, args.vararg->arg}, given, at);
  }
  for (const ast::Keyword* keyword : call.keywords) {
    const Names given = shown(*keyword->value, scope);
    for_each_arg(args, [&](Symbol name) {
      const bool is_rest = args.kwarg && name == args.kwarg->arg;
      if (!keyword->arg || keyword->arg == name || is_rest) link({callee, name}, given, at);
    });
  }
}

// ---- values ------------------------------------------------------------------------------------

Sharing::Names Sharing::shown(const ast::Expr& e, Scope scope) const {
  if (const auto* name = ast::as<ast::Name>(e)) return {meant(name->id, scope)};
  if (const auto* call = ast::as<ast::Call>(e)) return shown_by_call(*call, scope);
  if (const auto* path = ast::as<ast::Attribute>(e)) {
    const auto* module = ast::as<ast::Name>(*path->value);
    if (module && !meant(module->id, scope).scope && paths_.is_module(module->id))
      return {
          {nullptr, Symbol(std::string(module->id.str()) + "." + std::string(path->attr.str()))}};
    return shown(*path->value, scope);
  }
  if (const auto* item = ast::as<ast::Subscript>(e)) return shown_by_item(*item, scope);
  const bool is_new_one = ast::is<ast::BinOp>(e) || ast::is<ast::UnaryOp>(e) ||
                          ast::is<ast::Compare>(e) || ast::is<ast::Constant>(e) ||
                          ast::is<ast::Lambda>(e) || ast::is<ast::JoinedStr>(e);
  Names all;
  if (is_new_one) return all;
  const auto* chosen = ast::as<ast::IfExp>(e);
  ast::for_each_child(e, [&](const ast::Node& part) {
    const auto* one = as_expr(part);
    if (one && !(chosen && one == chosen->test)) add(all, shown(*one, scope));
  });
  return all;
}

// x of x[i], and of globals()["x"]
Sharing::Names Sharing::shown_by_item(const ast::Subscript& item, Scope scope) const {
  const auto* call = ast::as<ast::Call>(*item.value);
  const auto* function = call ? ast::as<ast::Name>(*call->func) : nullptr;
  const auto* text = ast::as<ast::Constant>(*item.slice);
  if (function && function->id == "globals" && text && text->value.tag == ast::ConstantValue::kStr)
    return {{nullptr, Symbol(text->value.text)}};
  return shown(*item.value, scope);
}

Sharing::Names Sharing::shown_by_call(const ast::Call& call, Scope scope) const {
  if (const ast::FunctionDef* callee = callee_of(call, scope)) return {{callee, result_name()}};
  Names all;
  const auto add_arguments = [&] {
    for (const ast::Expr* arg : call.args) add(all, shown(*arg, scope));
    for (const ast::Keyword* keyword : call.keywords) add(all, shown(*keyword->value, scope));
  };
  const std::string path = paths_.dotted(*call.func);
  const auto* name = ast::as<ast::Name>(*call.func);
  const auto* method = ast::as<ast::Attribute>(*call.func);
  if (!path.empty()) {
    const bool is_copy =
        path == "numpy.array" &&
        std::ranges::none_of(call.keywords, [](const ast::Keyword* k) { return k->arg == "copy"; });
    if (is_numpys(path) && (kViews.contains(last_of(path)) || (path == "numpy.array" && !is_copy)))
      add_arguments();
  } else if (name && meant(name->id, scope).scope) {
    add_arguments();  // of a function that it was given
  } else if (name) {
    if (module_names_.contains(name->id) || kPassing.contains(name->id.str())) add_arguments();
  } else if (method && kShowing.contains(method->attr.str())) {
    all = shown(*method->value, scope);
    add_arguments();
  } else if (!method) {
    add_arguments();
  }
  return all;
}

bool Sharing::is_new(const ast::Expr& value) const { return shown(value, nullptr).empty(); }

// ---- changes -----------------------------------------------------------------------------------

// x of x[i], x.T[i], (x if c else y)[i], x.shape
void Sharing::base_of(const ast::Expr& target, Scope scope, Names& out) const {
  if (const auto* item = ast::as<ast::Subscript>(target))
    return add(out, shown_by_item(*item, scope));
  const auto* path = ast::as<ast::Attribute>(target);
  if (!path) return;
  add(out, shown(target, scope));  // other.TABLE
}

void Sharing::changes(const ast::Node& node, Scope scope, Names& out) const {
  if (is_scope(node)) return;
  const auto store = [&](auto&& self, const ast::Expr& target) -> void {
    base_of(target, scope, out);
    if (ast::is<ast::Tuple>(target) || ast::is<ast::List>(target) || ast::is<ast::Starred>(target))
      ast::for_each_child(target, [&](const ast::Node& part) {
        if (const auto* one = as_expr(part)) self(self, *one);
      });
  };
  if (const auto* s = ast::as<ast::Assign>(node))
    for (const ast::Expr* target : s->targets) store(store, *target);
  if (const auto* s = ast::as<ast::AnnAssign>(node); s && s->value) store(store, *s->target);
  if (const auto* s = ast::as<ast::Delete>(node))
    for (const ast::Expr* target : s->targets) store(store, *target);
  if (const auto* s = ast::as<ast::For>(node)) store(store, *s->target);
  if (const auto* s = ast::as<ast::WithItem>(node); s && s->optional_vars)
    store(store, *s->optional_vars);
  if (const auto* s = ast::as<ast::AugAssign>(node)) add(out, shown(*s->target, scope));
  if (const auto* call = ast::as<ast::Call>(node)) changes_of_call(*call, scope, out);
  if (const auto* method = ast::as<ast::Attribute>(node)) {
    const std::string_view name = method->attr.str();
    const bool is_own = name.starts_with("__") && name.ends_with("__");
    if ((is_own || kChanging.contains(name)) && paths_.dotted(*method).empty())
      add(out, shown(*method->value, scope));
  }
  for_each_part(node, [&](const ast::Node& part) { changes(part, scope, out); });
}

void Sharing::changes_of_call(const ast::Call& call, Scope scope, Names& out) const {
  const auto* method = ast::as<ast::Attribute>(*call.func);
  const auto* name = ast::as<ast::Name>(*call.func);
  const std::string path = paths_.dotted(*call.func);
  const std::string_view last = method ? method->attr.str() : name ? name->id.str() : "";
  const std::string_view function = path.empty() ? last : last_of(path);
  const bool first =
      kChangers.contains(function) || is_in_place(path) || (is_numpys(path) && function == "at");
  const bool in_place = function == "nan_to_num" && !call.keywords.empty();
  if ((first || in_place) && !call.args.empty()) add(out, shown(*call.args[0], scope));
  // np.multiply(a, 2, a); square(a, a) of one argument
  const ast::FunctionDef* callee = callee_of(call, scope);
  const size_t most = callee && !callee->args->vararg ? positional(*callee->args).size()
                      : is_numpys(path)               ? 2
                                                      : SIZE_MAX;
  const auto* row = callee || path.empty() ? nullptr : builtins::find(path);
  if (callee || (row && row->is_ufunc()))
    for (size_t k = most; k < call.args.size(); ++k) add(out, shown(*call.args[k], scope));
  // partial(np.copyto, a)
  const bool passes = std::ranges::any_of(call.args, [&](const ast::Expr* arg) {
    return kChangers.contains(last_of(paths_.dotted(*arg)));
  });
  if (passes)
    for (const ast::Expr* arg : call.args) add(out, shown(*arg, scope));
  for (const ast::Keyword* keyword : call.keywords)
    if (keyword->arg == "out") add(out, shown(*keyword->value, scope));
}

void Sharing::find_changers() {
  for (const auto& [scope, inner] : inner_) {
    Names all;
    ast::for_each_child(*scope, [&](const ast::Node& part) { changes(part, scope, all); });
    Names globals, locals;
    for (const Name& one : all) (one.scope ? locals : globals).insert(one);
    for (const Symbol name : closure(globals, UINT32_MAX)) changers_[name].push_back(inner.def);
    for (const Symbol name : closure(locals, UINT32_MAX)) changers_[name].push_back(nullptr);
  }
}

const std::vector<const ast::FunctionDef*>& Sharing::changers(Symbol name) const {
  static const std::vector<const ast::FunctionDef*> none;
  const auto found = changers_.find(name);
  return found == changers_.end() ? none : found->second;
}

std::vector<Symbol> Sharing::changed_by(const ast::Node& node) const {
  Names all;
  changes(node, nullptr, all);
  return closure(all, node.span.end);
}

std::vector<Symbol> Sharing::with(Symbol name, uint32_t at) const {
  return closure({{nullptr, name}}, at);
}

// What these show, and all that shows any of it.
std::vector<Symbol> Sharing::closure(const Names& first, uint32_t at) const {
  const auto grow = [&](Names all, const std::map<Name, std::vector<Edge>>& edges) {
    std::vector<Name> left(all.begin(), all.end());
    while (!left.empty()) {
      const Name one = left.back();
      left.pop_back();
      const auto found = edges.find(one);
      if (found == edges.end()) continue;
      for (const Edge& edge : found->second)
        if (edge.at <= at && all.insert(edge.to).second) left.push_back(edge.to);
    }
    return all;
  };
  std::vector<Symbol> names;
  for (const Name& one : grow(grow(first, shows_), shown_by_))
    if (!one.scope) names.push_back(one.name);
  return names;
}

}  // namespace pyk2cu::decorators
