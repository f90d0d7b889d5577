// What the parts of Sharing have in common: words, and the parts of functions. Tested by
// tests/run/test_sharing.py.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "frontend/ast/ast.h"
#include "typeinfer/decorators/sharing.h"

namespace pyk2cu::decorators::sharing {

using Words = std::set<std::string_view>;

// Functions of NumPy that may give what they are given, or a view of it.
inline const Words kViews{"asarray",
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
                          "einsum",
                          "as_strided",
                          "sliding_window_view",
                          "nan_to_num",
                          "frombuffer",
                          "ix_",
                          "astype"};
// Those that change their first argument.
inline const Words kChangers{
    "copyto",         "put",         "place",       "putmask",     "fill_diagonal",
    "put_along_axis", "shuffle",     "setitem",     "delitem",     "heappush",
    "heappop",        "heapify",     "insort",      "setattr",     "delattr",
    "heapreplace",    "heappushpop", "insort_left", "insort_right"};
// Where functions of NumPy that are none of all elements take `out`; methods one place before.
inline const std::map<std::string_view, size_t> kOutAt{{"dot", 2},
                                                       {"matmul", 2},
                                                       {"outer", 2},
                                                       {"take", 3},
                                                       {"choose", 2},
                                                       {"compress", 3},
                                                       {"sum", 3},
                                                       {"prod", 3},
                                                       {"mean", 3},
                                                       {"std", 3},
                                                       {"var", 3},
                                                       {"max", 2},
                                                       {"min", 2},
                                                       {"amax", 2},
                                                       {"amin", 2},
                                                       {"ptp", 2},
                                                       {"any", 2},
                                                       {"all", 2},
                                                       {"argmax", 2},
                                                       {"argmin", 2},
                                                       {"cumsum", 3},
                                                       {"cumprod", 3},
                                                       {"clip", 3},
                                                       {"round", 2},
                                                       {"around", 2},
                                                       {"median", 2},
                                                       {"concatenate", 2},
                                                       {"stack", 2},
                                                       {"reduce", 3},
                                                       {"accumulate", 3},
                                                       {"standard_normal", 2},
                                                       {"random", 2}};
// Python's own that may give what they are given.
inline const Words kPassing{"list", "tuple",  "dict",    "set",       "max",       "min",
                            "next", "iter",   "zip",     "sorted",    "reversed",  "map",
                            "vars", "filter", "getattr", "enumerate", "memoryview"};
// Methods of arrays, lists, dicts and sets that change them, and those that give a part or a view.
inline const Words kChanging{"fill",
                             "sort",
                             "put",
                             "resize",
                             "itemset",
                             "partition",
                             "setfield",
                             "byteswap",
                             "append",
                             "extend",
                             "insert",
                             "pop",
                             "popitem",
                             "remove",
                             "clear",
                             "reverse",
                             "update",
                             "setdefault",
                             "add",
                             "discard",
                             "at",
                             "difference_update",
                             "appendleft",
                             "extendleft",
                             "intersection_update",
                             "symmetric_difference_update"};
inline const Words kShowing{"view",    "reshape", "ravel",    "transpose", "swapaxes",
                            "squeeze", "astype",  "diagonal", "get",       "pop",
                            "popitem", "values",  "items",    "setdefault"};

inline std::string_view last_of(std::string_view path) { return path.substr(path.rfind('.') + 1); }

inline bool is_numpys(std::string_view path) { return path.starts_with("numpy."); }

// += of module `operator`: iadd, …
inline bool is_in_place(std::string_view path) {
  return path.starts_with("operator.i") && !path.starts_with("operator.inv") &&
         !path.starts_with("operator.is_") && !path.starts_with("operator.index") &&
         !path.starts_with("operator.item");
}

inline const ast::Expr* as_expr(const ast::Node& node) {
  const bool is_one = node.kind >= ast::Kind::kBoolOp && node.kind <= ast::Kind::kSlice;
  return is_one ? static_cast<const ast::Expr*>(&node) : nullptr;
}

// What of an array is not its elements.
inline const Words kFacts{"flags", "dtype",   "shape",  "size",
                          "ndim",  "strides", "nbytes", "itemsize"};

// slice(1, 3), np.s_[1:3], None, np.newaxis
inline bool is_slice(const ast::Expr& e) {
  const auto* call = ast::as<ast::Call>(e);
  const auto* name = call ? ast::as<ast::Name>(*call->func) : nullptr;
  const auto* item = ast::as<ast::Subscript>(e);
  const auto* index = item ? ast::as<ast::Attribute>(*item->value) : nullptr;
  const auto* c = ast::as<ast::Constant>(e);
  const auto* path = ast::as<ast::Attribute>(e);
  return (name && name->id == "slice") ||
         (index && (index->attr == "s_" || index->attr == "index_exp")) ||
         (c && c->value.tag == ast::ConstantValue::kNone) || (path && path->attr == "newaxis");
}

inline bool is_function(const ast::Node& node) {
  return ast::is<ast::FunctionDef>(node) || ast::is<ast::AsyncFunctionDef>(node) ||
         ast::is<ast::Lambda>(node);
}
inline bool is_scope(const ast::Node& node) {
  return is_function(node) || ast::is<ast::ClassDef>(node);
}

inline const ast::Arguments* arguments_of(const ast::Node& node) {
  if (const auto* def = ast::as<ast::FunctionDef>(node)) return def->args;
  if (const auto* def = ast::as<ast::AsyncFunctionDef>(node)) return def->args;
  const auto* lambda = ast::as<ast::Lambda>(node);
  return lambda ? lambda->args : nullptr;
}

inline std::vector<const ast::Arg*> positional(const ast::Arguments& args) {
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
inline Symbol result_name() {
  static const Symbol name("return");
  return name;
}
inline Symbol self_name() {
  static const Symbol name("self");
  return name;
}

inline void add(Shown& all, const Shown& more) {
  for (const auto& [part, items] : more) {
    const auto [at, is_new] = all.try_emplace(part, items);
    if (!is_new) at->second = std::min(at->second, items);
  }
}

// x[0], x.a, of what x may be.
inline Shown item_of(const Shown& whole, int items) {
  Shown all;
  for (const auto& [part, before] : whole) {
    const auto& [name, kind] = part;
    const bool inside = kind == kOwn || kind == kHeld || kind == kHoldsHeld;
    if (inside) add(all, {{{name, kHeld}, before}});
    if (kind == kOwn) add(all, {{{name, kOwn}, before + items}});
    if (kind == kHolder) add(all, {{{name, kOwn}, before}});
  }
  return all;
}

// [x], list(x)
inline Shown holder_of(const Shown& part) {
  Shown all;
  for (const auto& [one, before] : part) {
    const bool deeper = one.second == kHeld || one.second == kHoldsHeld;
    add(all, {{{one.first, deeper ? kHoldsHeld : kHolder}, before}});
  }
  return all;
}

}  // namespace pyk2cu::decorators::sharing
