// Statements and expressions as relations between unknowns. In, out: reader.h.
#include "typeinfer/propose/reader.h"

#include "typeinfer/decorators/defaults.h"
#include "typeinfer/propose/propose.h"

namespace pyk2cu::propose {

namespace {

// Names that people give to integers.
bool is_count(std::string_view name) {
  static constexpr std::string_view kWhole[] = {
      "i",    "j",    "k",     "l",     "m",     "n",     "N",    "M",     "K",
      "ii",   "jj",   "ind",   "idx",   "index", "axis",  "seed", "count", "start",
      "stop", "end",  "size",  "dim",   "ndim",  "step",  "rank", "row",   "column",
      "col",  "left", "right", "depth", "width", "height"};
  static constexpr std::string_view kParts[] = {
      "idx",  "index", "indices", "ind", "inds",   "num",   "len",    "count",
      "size", "n",     "indptr",  "dim", "offset", "iters", "labels", "neighbors"};
  if (std::ranges::find(kWhole, name) != std::end(kWhole)) return true;
  if (std::ranges::find(kParts, name) != std::end(kParts)) return name != "n";
  const size_t last = name.rfind('_'), first = name.find('_');
  if (first == name.npos || first == 0) return false;
  return std::ranges::find(kParts, name.substr(last + 1)) != std::end(kParts) ||
         std::ranges::find(kParts, name.substr(0, first)) != std::end(kParts);
}

bool is_bitwise(ast::Operator op) {
  using enum ast::Operator;
  return op == kLShift || op == kRShift || op == kBitAnd || op == kBitOr || op == kBitXor;
}

bool is_text(const ast::Expr* e) {
  const auto* c = ast::as<ast::Constant>(e);
  return c &&
         (c->value.tag == ast::ConstantValue::kStr || c->value.tag == ast::ConstantValue::kBytes);
}

const ast::Constant* whole_number(const ast::Expr* e) {
  const auto* c = ast::as<ast::Constant>(e);
  return c && c->value.tag == ast::ConstantValue::kInt ? c : nullptr;
}

}  // namespace

Reader::Reader(const decorators::Definition& definition, Callees callees)
    : definition_(definition), callees_(std::move(callees)) {
  for (const Symbol name : parameter_names(definition)) {
    out_.params.push_back(variable(name));
    if (is_count(name.str())) out_.guesses.say(out_.params.back(), Number::kNamedInt);
  }
  out_.result = out_.guesses.fresh();
  if (const ast::Arg* rest = definition.arguments().vararg)
    out_.guesses.say(names_[rest->arg], Form::kTuple);
  defaults();
  if (definition.def) {
    body(definition.def->body);
  } else {
    out_.guesses.join(out_.result, read(*definition.lambda->body));
  }
}

void Reader::defaults() {
  const ast::Arguments& args = definition_.arguments();
  const size_t positional = args.posonlyargs.size() + args.args.size();
  const auto one = [&](Id param, const ast::Expr* value) {
    using Kind = fold::Value::Kind;
    const auto folded = fold::fold(*value, decorators::ModuleScope(*definition_.module));
    if (!folded) return;
    if (folded->kind == Kind::kBool) out_.guesses.say(param, Number::kBool);
    if (folded->kind == Kind::kInt) out_.guesses.say(param, Number::kInt);
    if (folded->kind == Kind::kFloat) out_.guesses.say(param, Number::kFloat);
    if (folded->kind == Kind::kComplex) out_.guesses.say(param, Number::kComplex);
    if (folded->kind == Kind::kStr) out_.guesses.say(param, Form::kText);
    if (folded->kind == Kind::kArray || folded->kind == Kind::kTuple)
      out_.guesses.say(param, fold::type_of(*folded));
  };
  for (size_t k = 0; k < args.defaults.size(); ++k)
    one(out_.params[positional - args.defaults.size() + k], args.defaults[k]);
  for (size_t k = 0; k < args.kw_defaults.size(); ++k)
    if (args.kw_defaults[k])
      one(out_.params[out_.params.size() - args.kw_defaults.size() + k], args.kw_defaults[k]);
}

Id Reader::variable(Symbol name) {
  const auto [at, is_new] = names_.try_emplace(name, 0);
  if (is_new) at->second = out_.guesses.fresh();
  return at->second;
}

Id Reader::integer() {
  const Id made = out_.guesses.fresh();
  out_.guesses.say(made, Number::kIndex);
  return made;
}

// ---- statements ---------------------------------------------------------------------------------

void Reader::body(std::span<ast::Stmt*> stmts) {
  for (const ast::Stmt* stmt : stmts) statement(*stmt);
}

void Reader::statement(const ast::Stmt& stmt) {
  if (const auto* assignment = ast::as<ast::Assign>(stmt)) {
    const Id value = read(*assignment->value);
    for (const ast::Expr* target : assignment->targets) assign(*target, value, assignment->value);
  } else if (const auto* annotated = ast::as<ast::AnnAssign>(stmt)) {
    if (annotated->value) assign(*annotated->target, read(*annotated->value), annotated->value);
  } else if (const auto* update = ast::as<ast::AugAssign>(stmt)) {
    augmented(*update);
  } else if (const auto* loop = ast::as<ast::For>(stmt)) {
    for_stmt(*loop->target, *loop->iter);
    body(loop->body);
    body(loop->orelse);
  } else if (const auto* repeat = ast::as<ast::While>(stmt)) {
    condition(*repeat->test);
    body(repeat->body);
    body(repeat->orelse);
  } else if (const auto* choice = ast::as<ast::If>(stmt)) {
    condition(*choice->test);
    body(choice->body);
    body(choice->orelse);
  } else if (const auto* result = ast::as<ast::Return>(stmt)) {
    if (result->value) out_.guesses.elementwise(out_.result, read(*result->value));
  } else if (!ast::is<ast::ClassDef>(stmt)) {
    children(stmt);
  }
}

// A parameter that is assigned anew is another value from there on.
void Reader::assign(const ast::Expr& target, Id value, const ast::Expr* from) {
  if (const auto* name = ast::as<ast::Name>(target)) {
    const auto known = names_.find(name->id);
    const bool is_param =
        known != names_.end() && std::ranges::find(out_.params, known->second) != out_.params.end();
    if (is_param && !(from && ast::is<ast::Constant>(from))) {
      names_[name->id] = value;
    } else {
      out_.guesses.join(variable(name->id), value);
    }
  } else if (const auto* tuple = ast::as<ast::Tuple>(target)) {
    unpack(tuple->elts, value, from);
  } else if (const auto* list = ast::as<ast::List>(target)) {
    unpack(list->elts, value, from);
  } else if (const auto* sub = ast::as<ast::Subscript>(target)) {
    out_.guesses.stored(value, subscript(*sub));
  } else {
    read(target);
  }
}

void Reader::add_items(Id tuple, size_t count) {
  for (size_t k = out_.guesses.items(tuple).size(); k < count; ++k) {
    const Id item = out_.guesses.fresh();
    out_.guesses.items(tuple).push_back(item);
  }
}

// m, n = a.shape   a, b = b, a   x, y = pair
void Reader::unpack(std::span<ast::Expr*> targets, Id value, const ast::Expr* from) {
  const ast::Name* array = from ? shape_of(*from) : nullptr;
  if (array) out_.guesses.at_least(name(*array), int(targets.size()));
  const auto* given = from ? ast::as<ast::Tuple>(from) : nullptr;
  if (array || (given && given->elts.size() == targets.size())) {
    for (size_t k = 0; k < targets.size(); ++k)
      assign(*targets[k], array ? integer() : read(*given->elts[k]), nullptr);
    return;
  }
  out_.guesses.say(value, Form::kTuple);
  add_items(value, targets.size());
  const std::vector<Id> items = out_.guesses.items(value);
  for (size_t k = 0; k < targets.size(); ++k) {
    const auto* star = ast::as<ast::Starred>(targets[k]);
    assign(star ? *star->value : *targets[k], items[k], nullptr);
  }
}

void Reader::augmented(const ast::AugAssign& stmt) {
  const Id target = read(*stmt.target), value = read(*stmt.value);
  out_.guesses.elementwise(target, value);
  out_.guesses.arithmetic(target, value);
  if (is_bitwise(stmt.op)) {
    out_.guesses.say(target, Number::kIndex);
    out_.guesses.say(value, Number::kIndex);
  }
}

void Reader::for_stmt(const ast::Expr& target, const ast::Expr& iter) {
  if (const auto* c = ast::as<ast::Call>(iter)) {
    const std::string path = path_of(*c->func);
    const std::string_view last = std::string_view(path).substr(path.rfind('.') + 1);
    if (last == "enumerate" || last == "zip" || last == "reversed" || last == "range" ||
        last == "prange" || last == "pndindex" || last == "ndindex")
      return loop_call(target, *c, last);
  }
  if (const auto* tuple = ast::as<ast::Tuple>(iter)) {
    for (const ast::Expr* item : tuple->elts) assign(target, read(*item), nullptr);
    return;
  }
  const Id part = out_.guesses.fresh();
  out_.guesses.subscript(read(iter), part, 1, 0, 0);
  assign(target, part, nullptr);
}

// range(n)   enumerate(a)   zip(a, b)   reversed(a)   np.ndindex(a.shape)
void Reader::loop_call(const ast::Expr& target, const ast::Call& call, std::string_view path) {
  std::vector<const ast::Expr*> targets{&target};
  const auto* tuple = ast::as<ast::Tuple>(target);
  const bool pairs = path == "enumerate" || path == "zip";
  if (tuple && path != "range" && path != "prange")
    targets.assign(tuple->elts.begin(), tuple->elts.end());
  if (path == "enumerate") {
    assign(*targets.front(), integer(), nullptr);
    if (!call.args.empty() && targets.size() == 2) for_stmt(*targets[1], *call.args[0]);
  } else if (pairs || path == "reversed") {
    for (size_t k = 0; k < std::min(call.args.size(), targets.size()); ++k)
      for_stmt(*targets[k], *call.args[k]);
  } else {
    for (const ast::Expr* arg : call.args) {
      if (const ast::Name* array = shape_of(*arg)) {
        out_.guesses.at_least(name(*array), int(targets.size()));
      } else {
        index_value(*arg);
      }
    }
    for (const ast::Expr* one : targets) assign(*one, integer(), nullptr);
  }
}

// `if flag:`, `not flag`, `flag and x > 0`
void Reader::condition(const ast::Expr& test) {
  if (const auto* logical = ast::as<ast::BoolOp>(test)) {
    for (const ast::Expr* value : logical->values) condition(*value);
  } else if (const auto* unary = ast::as<ast::UnaryOp>(test);
             unary && unary->op == ast::UnaryOperator::kNot) {
    condition(*unary->operand);
  } else {
    const Id value = read(test);
    if (ast::is<ast::Name>(test)) out_.guesses.say(value, Number::kTruth);
  }
}

// ---- expressions --------------------------------------------------------------------------------

void Reader::children(const ast::Node& node) {
  ast::for_each_child(node, [&](const ast::Node& child) {
    if (child.kind <= ast::Kind::kContinue) {
      statement(static_cast<const ast::Stmt&>(child));
    } else if (child.kind <= ast::Kind::kSlice) {
      read(static_cast<const ast::Expr&>(child));
    } else {
      children(child);
    }
  });
}

Id Reader::read(const ast::Expr& e) {
  if (const auto* x = ast::as<ast::Name>(e)) return name(*x);
  if (const auto* x = ast::as<ast::Constant>(e)) return constant(*x);
  if (const auto* x = ast::as<ast::BinOp>(e)) return binary(*x);
  if (const auto* x = ast::as<ast::Compare>(e)) return compare(*x);
  if (const auto* x = ast::as<ast::Attribute>(e)) return attribute(*x);
  if (const auto* x = ast::as<ast::Subscript>(e)) return subscript(*x);
  if (const auto* x = ast::as<ast::Call>(e)) return call(*x);
  if (const auto* x = ast::as<ast::UnaryOp>(e)) {
    const Id operand = read(*x->operand);  // -a is what a is
    return x->op == ast::UnaryOperator::kNot ? out_.guesses.fresh() : operand;
  }
  if (const auto* x = ast::as<ast::IfExp>(e)) {
    condition(*x->test);
    return out_.guesses.join(read(*x->body), read(*x->orelse));
  }
  if (const auto* x = ast::as<ast::Tuple>(e)) {
    std::vector<Id> items;
    for (const ast::Expr* item : x->elts) items.push_back(read(*item));
    const Id made = out_.guesses.fresh();
    out_.guesses.say(made, Form::kTuple);
    out_.guesses.items(made) = items;
    return made;
  }
  if (ast::is<ast::BoolOp>(e)) condition(e);
  if (const auto* x = ast::as<ast::Comprehension>(static_cast<const ast::Node&>(e)))
    for_stmt(*x->target, *x->iter);
  if (!ast::is<ast::Lambda>(e) && !ast::is<ast::BoolOp>(e)) children(e);
  return out_.guesses.fresh();
}

Id Reader::name(const ast::Name& e) {
  if (const auto known = names_.find(e.id); known != names_.end()) return known->second;
  const decorators::Binding& binding = definition_.module->find(e.id);
  if (binding.kind == decorators::Binding::Kind::kUnknown) return variable(e.id);
  const Id made = out_.guesses.fresh();
  if (binding.kind == decorators::Binding::Kind::kConstant)
    out_.guesses.say(made, fold::type_of(*binding.value));
  return made;
}

Id Reader::constant(const ast::Constant& e) {
  using Tag = ast::ConstantValue::Tag;
  const Id made = out_.guesses.fresh();
  if (e.value.tag == Tag::kFloat) out_.guesses.say(made, Number::kFloat);
  if (e.value.tag == Tag::kImaginary) out_.guesses.say(made, Number::kComplex);
  if (e.value.tag == Tag::kBool) out_.guesses.say(made, Number::kBool);
  return made;
}

Id Reader::binary(const ast::BinOp& e) {
  using enum ast::Operator;
  const Id made = out_.guesses.fresh(), left = read(*e.left), right = read(*e.right);
  if (e.op == kMatMult) {
    out_.guesses.at_least(left, 1);
    out_.guesses.at_least(right, 1);
    return made;
  }
  const bool whole = is_bitwise(e.op);
  if ((e.op == kMod || e.op == kFloorDiv) && whole_number(e.right))
    out_.guesses.say(left, Number::kInt);
  for (const Id operand : {left, right}) {
    if (whole) out_.guesses.say(operand, Number::kInt);
    out_.guesses.elementwise(made, operand);
    if (e.op != kDiv && e.op != kPow) out_.guesses.arithmetic(made, operand);
  }
  if (e.op == kDiv) out_.guesses.say(made, Number::kFloat);
  return made;
}

Id Reader::compare(const ast::Compare& e) {
  const Id made = out_.guesses.fresh();
  Id left = read(*e.left);
  for (size_t k = 0; k < e.comparators.size(); ++k) {
    const ast::Expr* other = e.comparators[k];
    const Id right = read(*other);
    const bool equality =
        e.ops[k] == ast::CompareOperator::kEq || e.ops[k] == ast::CompareOperator::kNotEq;
    if (is_text(other) && ast::is<ast::Name>(e.left)) out_.guesses.say(left, Form::kText);
    const ast::Constant* number = whole_number(other);
    if (equality && number && number->value.integer > 1) out_.guesses.say(left, Number::kInt);
    out_.guesses.compared(left, right);
    left = right;
  }
  out_.guesses.say(made, Number::kBool);
  return made;
}

const ast::Name* shape_of(const ast::Expr& e) {
  const auto* attribute = ast::as<ast::Attribute>(e);
  return attribute && attribute->attr == "shape" ? ast::as<ast::Name>(attribute->value) : nullptr;
}

Id Reader::attribute(const ast::Attribute& e) {
  const std::string path = path_of(e);
  const Id made = out_.guesses.fresh();
  if (path.starts_with("numba.cuda.")) return integer();
  if (!path.empty()) {
    if (path.starts_with("numpy.") || path.starts_with("math."))
      out_.guesses.say(made, Number::kFloat);
    return made;
  }
  const Id object = read(*e.value);
  const std::string_view attr = e.attr.str();
  if (attr == "T" || attr == "flat") {
    out_.guesses.at_least(object, attr == "T" ? 2 : 1);
    return attr == "T" ? object : made;
  }
  if (attr == "real" || attr == "imag") {
    out_.guesses.elementwise(made, object);
    return made;
  }
  const bool whole = attr == "size" || attr == "ndim" || attr == "itemsize" || attr == "nbytes";
  if (whole || attr == "shape" || attr == "strides" || attr == "dtype") {
    out_.guesses.at_least(object, 1);
    return whole ? integer() : made;
  }
  if (ast::is<ast::Name>(e.value)) out_.guesses.say(object, Form::kObject);
  return made;
}

Id Reader::index_value(const ast::Expr& e) {
  const Id value = read(e);
  out_.guesses.say(value, Number::kIndex);
  return value;
}

void Reader::index(const ast::Expr& e, Taken& at) {
  const auto* c = ast::as<ast::Constant>(e);
  if (const auto* slice = ast::as<ast::Slice>(e)) {
    ++at.sliced;
    for (const ast::Expr* bound : {slice->lower, slice->upper, slice->step})
      if (bound) index_value(*bound);
  } else if (c && c->value.tag == ast::ConstantValue::kNone) {
    ++at.added;
  } else if (path_of(e) == "numpy.newaxis") {
    ++at.added;
  } else if (!c || c->value.tag != ast::ConstantValue::kEllipsis) {
    if (ast::is<ast::Compare>(e)) {  // a mask
      ++at.sliced;
      read(e);
    } else {
      ++at.integers;
      const Id value = index_value(e);
      if (at.by < 0) at.by = value;
    }
  }
}

Id Reader::subscript(const ast::Subscript& e) {
  const Id made = out_.guesses.fresh();
  if (const ast::Name* array = shape_of(*e.value)) {
    const ast::Constant* axis = whole_number(e.slice);
    out_.guesses.at_least(name(*array), axis ? int(axis->value.integer) + 1 : 1);
    if (!axis) index_value(*e.slice);
    return integer();
  }
  const Id whole = read(*e.value);
  const ast::Constant* at = whole_number(e.slice);
  if (out_.guesses.form(whole) == Form::kTuple && at && at->value.integer < 64) {
    add_items(whole, at->value.integer + 1);
    return out_.guesses.items(whole)[at->value.integer];
  }
  if (at && at->value.integer < 64) {
    out_.guesses.item(whole, made, int(at->value.integer));
    return made;
  }
  Taken taken;
  if (const auto* tuple = ast::as<ast::Tuple>(e.slice)) {
    for (const ast::Expr* item : tuple->elts) index(*item, taken);
  } else {
    index(*e.slice, taken);
  }
  out_.guesses.subscript(whole, made, taken.integers, taken.sliced, taken.added, taken.by);
  return made;
}

std::string Reader::path_of(const ast::Expr& e) const {
  if (const auto* name = ast::as<ast::Name>(e)) {
    if (names_.contains(name->id)) return "";
    const decorators::Binding& binding = definition_.module->find(name->id);
    if (binding.kind == decorators::Binding::Kind::kQualified) return binding.qualified;
    return binding.kind == decorators::Binding::Kind::kUnknown ? std::string(name->id.str()) : "";
  }
  const auto* attribute = ast::as<ast::Attribute>(e);
  if (!attribute) return "";
  const std::string base = path_of(*attribute->value);
  return base.empty() ? "" : base + "." + std::string(attribute->attr.str());
}

}  // namespace pyk2cu::propose
