// Folding expressions: one function per node kind; children first, then CPython's rule.
//
// In:   an expression and the constants around it.  Out: its value, or nothing.
// Tested by tests/unit/typeinfer/fold_test.cpp.
#include "typeinfer/fold/parts.h"

namespace pyk2cu::fold {

namespace {

// `x` of a comprehension over the names around it.
struct InnerScope : Scope {
  const Scope& outer;
  Symbol name;
  Value value{};

  InnerScope(const Scope& around, Symbol bound) : outer(around), name(bound) {}
  const Value* find(Symbol wanted) const override {
    return wanted == name ? &value : outer.find(wanted);
  }
  std::string qualified(Symbol wanted) const override {
    return wanted == name ? "." : outer.qualified(wanted);
  }
  std::optional<Fields> fields(const ast::Expr& path) const override { return outer.fields(path); }
  std::optional<Member> member(const ast::Attribute& path) const override {
    return outer.member(path);
  }
  const Value* list(Symbol wanted) const override {
    return wanted == name ? nullptr : outer.list(wanted);
  }
};

class Folder {
 public:
  explicit Folder(const Scope& scope) : scope_(scope) {}

  Result fold(const ast::Expr& expr) {
    using ast::Kind;
    switch (expr.kind) {
      case Kind::kConstant:
        return literal(*ast::as<ast::Constant>(expr));
      case Kind::kName:
        return name(*ast::as<ast::Name>(expr));
      case Kind::kAttribute:
        return attribute_of(*ast::as<ast::Attribute>(expr));
      case Kind::kUnaryOp: {
        const auto& e = *ast::as<ast::UnaryOp>(expr);
        const auto operand = fold(*e.operand);
        return operand ? unary(e.op, *operand) : Result();
      }
      case Kind::kBinOp: {
        const auto& e = *ast::as<ast::BinOp>(expr);
        const auto left = fold(*e.left);
        const auto right = left ? fold(*e.right) : Result();
        return right ? binary(e.op, *left, *right) : Result();
      }
      case Kind::kBoolOp:
        return bool_op(*ast::as<ast::BoolOp>(expr));
      case Kind::kCompare:
        return comparison(*ast::as<ast::Compare>(expr));
      case Kind::kIfExp: {
        const auto& e = *ast::as<ast::IfExp>(expr);
        const auto test = fold(*e.test);
        const auto known = test ? truth(*test) : std::nullopt;
        if (!known) return std::nullopt;
        return fold(*known ? *e.body : *e.orelse);
      }
      case Kind::kTuple:
        return items(ast::as<ast::Tuple>(expr)->elts);
      case Kind::kSubscript:
        return subscript(*ast::as<ast::Subscript>(expr));
      case Kind::kCall:
        return call(*ast::as<ast::Call>(expr));
      case Kind::kDict:
        return dict(*ast::as<ast::Dict>(expr));
      default:
        return std::nullopt;
    }
  }

  // Lists and comprehensions count as tuples here.
  Result any(const ast::Expr& expr) { return argument(expr); }

 private:
  Result literal(const ast::Constant& e) {
    using Tag = ast::ConstantValue;
    const ast::ConstantValue& c = e.value;
    switch (c.tag) {
      case Tag::kNone:
        return make_none();
      case Tag::kBool:
        return make_bool(c.boolean);
      case Tag::kInt:
        return make_int(static_cast<Int128>(c.integer));
      case Tag::kBigInt: {
        const Value digits = make_str(std::string(c.text));
        return call_builtin("int", {.positional = {digits}});
      }
      case Tag::kFloat:
        return make_float(c.number);
      case Tag::kImaginary:
        return make_complex({0.0, c.number});
      case Tag::kStr:
        return make_str(std::string(c.text));
      case Tag::kEllipsis: {
        Value v;
        v.kind = Kind::kEllipsis;
        return v;
      }
      case Tag::kBytes:
        return std::nullopt;
    }
    return std::nullopt;
  }

  Result name(const ast::Name& e) {
    if (const Value* value = scope_.find(e.id)) return *value;
    const std::string dotted = path(e);
    return dotted.starts_with("builtins.") || dotted.empty() ? Result() : constant(dotted);
  }

  // "numpy.float32", "builtins.len"; "" when the expression is no chain of names.
  std::string path(const ast::Expr& expr) {
    if (const auto* e = ast::as<ast::Name>(expr)) {
      if (scope_.find(e->id)) return "";
      const std::string qualified = scope_.qualified(e->id);
      if (qualified == ".") return "";
      return qualified.empty() ? "builtins." + std::string(e->id.str()) : qualified;
    }
    const auto* e = ast::as<ast::Attribute>(expr);
    if (!e) return "";
    if (const auto member = scope_.member(*e)) return member->qualified;
    const std::string base = path(*e->value);
    if (base.empty() || base.starts_with("builtins.")) return "";
    return base + "." + std::string(e->attr.str());
  }

  Result attribute_of(const ast::Attribute& e) {
    if (const auto member = scope_.member(e); member && member->value) return *member->value;
    const std::string dotted = path(e);
    if (!dotted.empty()) return constant(dotted);
    if (const auto* made = ast::as<ast::Call>(e.value)) {
      const std::string function = path(*made->func);
      if (function == "numpy.finfo" || function == "numpy.iinfo") {
        const auto type = made->args.size() == 1 ? argument(*made->args[0]) : Result();
        const types::Type* scalar = type ? to_dtype(*type) : nullptr;
        return scalar ? type_info(function, scalar, e.attr.str()) : Result();
      }
    }
    const auto self = fold(*e.value);
    return self ? attribute(*self, e.attr.str()) : Result();
  }

  Result bool_op(const ast::BoolOp& e) {
    Result value;
    for (const ast::Expr* operand : e.values) {
      value = fold(*operand);
      const auto known = value ? truth(*value) : std::nullopt;
      if (!known) return std::nullopt;
      if (*known == (e.op == ast::BoolOperator::kOr)) return value;
    }
    return value;
  }

  Result comparison(const ast::Compare& e) {
    auto left = fold(*e.left);
    Result value;
    for (size_t i = 0; i < e.ops.size(); ++i) {
      const bool membership =
          e.ops[i] == ast::CompareOperator::kIn || e.ops[i] == ast::CompareOperator::kNotIn;
      auto right = membership ? argument(*e.comparators[i]) : fold(*e.comparators[i]);
      if (!left || !right) return std::nullopt;
      value = compare_value(e.ops[i], *left, *right);
      const auto known = value ? truth(*value) : std::nullopt;
      if (!value || (e.ops.size() > 1 && !known)) return std::nullopt;
      if (i + 1 < e.ops.size() && !*known) return value;
      left = std::move(right);
    }
    return value;
  }

  Result items(std::span<ast::Expr*> elements) {
    std::vector<Value> values;
    Budget budget;
    for (const ast::Expr* element : elements) {
      const auto* starred = ast::as<ast::Starred>(element);
      auto value = starred ? argument(*starred->value) : fold(*element);
      if (!value || (starred && value->kind != Kind::kTuple) || !budget.take(*value))
        return std::nullopt;
      if (!starred) {
        values.push_back(std::move(*value));
      } else {
        values.insert(values.end(), value->items.begin(), value->items.end());
      }
    }
    return make_tuple(std::move(values));
  }

  Result dict(const ast::Dict& e) {
    Value made;
    made.kind = Kind::kDict;
    Budget budget;
    for (size_t i = 0; i < e.keys.size(); ++i) {
      const auto key = e.keys[i] ? fold(*e.keys[i]) : Result();
      auto value = key ? argument(*e.values[i]) : Result();
      const auto known = key ? compare(ast::CompareOperator::kIn, *key, made) : std::nullopt;
      if (!value) value.emplace().kind = Kind::kOpaque;
      if (!known || *known || !budget.take(*key) || !budget.take(*value)) return std::nullopt;
      made.items.push_back(*key);
      made.items.push_back(*value);
    }
    return made;
  }

  // No constants by themselves.
  static bool makes_list(std::string_view function) {
    return function == "builtins.range" || function == "builtins.list" ||
           function == "builtins.sorted";
  }

  // What a function may be given besides constants: lists and comprehensions count as tuples,
  // int and float as dtypes.
  Result argument(const ast::Expr& expr) {
    if (const auto* sum = ast::as<ast::BinOp>(expr)) {  // [0.5] + [0.125] * 4
      const auto left = argument(*sum->left);
      const auto right = left ? argument(*sum->right) : Result();
      return right ? binary(sum->op, *left, *right) : Result();
    }
    if (const auto* list = ast::as<ast::List>(expr)) return list_items(list->elts);
    if (const auto* tuple = ast::as<ast::Tuple>(expr)) return list_items(tuple->elts);
    if (const auto* e = ast::as<ast::ListComp>(expr)) return comprehension(*e->elt, e->generators);
    if (const auto* e = ast::as<ast::GeneratorExp>(expr)) {
      return comprehension(*e->elt, e->generators);
    }
    if (const auto* made = ast::as<ast::Call>(expr)) {
      const std::string function = path(*made->func);
      const auto arguments = makes_list(function) ? read(*made) : std::nullopt;
      if (function == "builtins.list" && arguments) return call_builtin("tuple", *arguments);
      if (makes_list(function) && arguments)
        return call_builtin(std::string_view(function).substr(9), *arguments);
    }
    if (const auto* e = ast::as<ast::Name>(expr)) {
      if (const Value* list = scope_.list(e->id)) return *list;
      const std::string dotted = path(*e);
      if (dotted.starts_with("builtins.")) return constant(dotted);
    }
    return fold(expr);
  }

  // b"ACGT": its numbers
  static Result numbers_of(const ast::Expr& expr) {
    const auto* literal = ast::as<ast::Constant>(expr);
    if (!literal || literal->value.tag != ast::ConstantValue::kBytes) return std::nullopt;
    const std::string_view bytes = literal->value.text;
    if (bytes.size() > kMostItems / 16) return std::nullopt;
    std::vector<Value> numbers;
    for (const char c : bytes) numbers.push_back(make_int(static_cast<unsigned char>(c)));
    return make_tuple(std::move(numbers));
  }

  // What a loop of a comprehension goes over: of a text its letters.
  Result iterated(const ast::Expr& expr) {
    if (auto numbers = numbers_of(expr)) return numbers;
    auto value = argument(expr);
    if (!value || value->kind != Kind::kStr) return value;
    if (!is_ascii(value->text) || value->text.size() > kMostItems / 16) return std::nullopt;
    std::vector<Value> letters;
    for (const char c : value->text) letters.push_back(make_str(std::string(1, c)));
    return make_tuple(std::move(letters));
  }

  Result list_items(std::span<ast::Expr*> elements) {
    std::vector<Value> values;
    Budget budget;
    for (const ast::Expr* element : elements) {
      if (ast::is<ast::Starred>(element)) return items(elements);
      auto value = argument(*element);
      if (!value || !budget.take(*value)) return std::nullopt;
      values.push_back(std::move(*value));
    }
    return make_tuple(std::move(values));
  }

  Result comprehension(const ast::Expr& element, std::span<ast::Comprehension*> generators) {
    std::vector<Value> values;
    Budget budget;
    if (!generate(element, generators, values, budget)) return std::nullopt;
    return make_tuple(std::move(values));
  }

  bool generate(const ast::Expr& element, std::span<ast::Comprehension*> generators,
                std::vector<Value>& out, Budget& budget) {
    if (generators.empty()) {
      auto value = argument(element);
      if (!value || !budget.take(*value)) return false;
      out.push_back(std::move(*value));
      return out.size() <= kMostItems / 16;
    }
    const ast::Comprehension& loop = *generators[0];
    const auto* target = ast::as<ast::Name>(loop.target);
    const auto over = target ? iterated(*loop.iter) : Result();
    if (!over || over->kind != Kind::kTuple) return false;
    InnerScope inner(scope_, target->id);
    for (const Value& item : over->items) {
      inner.value = item;
      Folder folder(inner);
      bool wanted = true;
      for (const ast::Expr* condition : loop.ifs) {
        const auto value = folder.fold(*condition);
        const auto known = value ? truth(*value) : std::nullopt;
        if (!known) return false;
        wanted = wanted && *known;
      }
      if (wanted && !folder.generate(element, generators.subspan(1), out, budget)) return false;
    }
    return true;
  }

  Result subscript(const ast::Subscript& e) {
    const auto* named = ast::as<ast::Name>(e.value);
    const Value* known = named ? scope_.find(named->id) : nullptr;  // not copied
    const Result made = known ? Result() : argument(*e.value);
    const Value* base = known ? known : made ? &*made : nullptr;
    if (!base) return std::nullopt;
    if (base->kind == Kind::kArray) {
      if (const auto along = picks(*base, *e.slice)) return array_picked(*base, *along);
      if (auto more = with_axes(*base, *e.slice)) return more;
    }
    if (const auto* slice = ast::as<ast::Slice>(e.slice)) return sliced(*base, *slice);
    const auto index = fold(*e.slice);
    if (!index) return std::nullopt;
    if (base->kind == Kind::kArray) {
      if (index->kind == Kind::kTuple) return array_subscript(*base, index->items);
      return array_subscript(*base, {&*index, 1});
    }
    if (base->kind == Kind::kDict) return dict_item(*base, *index);
    if (base->kind == Kind::kType) return std::nullopt;  // float32[:]
    const auto at = to_int64(*index);
    if (!at) return std::nullopt;
    const bool text = base->kind == Kind::kStr;
    if (!text && base->kind != Kind::kTuple) return std::nullopt;
    const auto size = static_cast<int64_t>(text ? base->text.size() : base->items.size());
    const int64_t position = *at < 0 ? *at + size : *at;
    if (position < 0 || position >= size) return std::nullopt;
    if (!text) return base->items[static_cast<size_t>(position)];
    if (!is_ascii(base->text)) return std::nullopt;
    return make_str(base->text.substr(static_cast<size_t>(position), 1));
  }

  // Of slices, and of one array or list of indices or truths, among integers; nothing: of others.
  std::optional<std::vector<Picked>> picks(const Value& array, const ast::Expr& subscript) {
    std::vector<const ast::Expr*> parts{&subscript};
    const auto* several = ast::as<ast::Tuple>(subscript);
    if (several) parts.assign(several->elts.begin(), several->elts.end());
    if (parts.size() > array.shape.size()) return std::nullopt;
    std::vector<Picked> along;
    int lists = 0, slices = 0;  // beside integers NumPy puts the axis of a list elsewhere
    for (size_t axis = 0; axis < parts.size(); ++axis) {
      Picked& picked = along.emplace_back();
      const int64_t size = array.shape[axis];
      if (const auto* slice = ast::as<ast::Slice>(parts[axis])) {
        const auto range = range_of(*slice, size);
        if (!range) return std::nullopt;
        ++slices;
        for (Int128 i = range->first; range->step < 0 ? i > range->last : i < range->last;
             i += range->step)
          picked.at.push_back(int64_t(i));
        continue;
      }
      const auto index = argument(*parts[axis]);
      if (!index || !pick(*index, size, picked)) return std::nullopt;
      lists += !picked.is_one;
    }
    const bool mixed = lists > 0 && size_t(lists + slices) < along.size();
    return mixed || lists > 1 || lists + slices == 0 ? std::nullopt : std::optional(along);
  }

  // a[:, None], a[None]: an axis more among whole ones.
  Result with_axes(const Value& array, const ast::Expr& subscript) {
    std::vector<const ast::Expr*> parts{&subscript};
    const auto* several = ast::as<ast::Tuple>(subscript);
    if (several) parts.assign(several->elts.begin(), several->elts.end());
    std::vector<int64_t> shape;
    size_t axis = 0;
    for (const ast::Expr* part : parts) {
      const auto* slice = ast::as<ast::Slice>(part);
      const bool whole = slice && !slice->lower && !slice->upper && !slice->step;
      const auto value = slice ? Result() : fold(*part);
      const bool is_new = value && value->kind == Kind::kNone;
      if (is_new == whole || (whole && axis >= array.shape.size())) return std::nullopt;
      shape.push_back(is_new ? 1 : array.shape[axis++]);
    }
    while (axis < array.shape.size()) shape.push_back(array.shape[axis++]);
    return reshape(array, std::move(shape));
  }

  static bool pick(const Value& index, int64_t size, Picked& out) {
    const bool is_list = index.kind == Kind::kTuple, is_array = index.kind == Kind::kArray;
    if (is_array && index.shape.size() != 1) return false;
    out.is_one = !is_list && !is_array;
    std::vector<Value> items{index};
    if (is_list) items = index.items;
    if (is_array) items.clear();
    for (size_t k = 0; is_array && k < array_size(index); ++k)
      items.push_back(array_item(index, k));
    const bool is_mask = !items.empty() && items[0].kind == Kind::kBool;
    if (is_mask && (out.is_one || int64_t(items.size()) != size)) return false;
    for (size_t k = 0; k < items.size(); ++k) {
      const auto given = to_int64(items[k]);
      if (!given || (items[k].kind == Kind::kBool) != is_mask) return false;
      if (is_mask && *given == 0) continue;
      const int64_t at = is_mask ? int64_t(k) : *given < 0 ? *given + size : *given;
      if (at < 0 || at >= size) return false;
      out.at.push_back(at);
    }
    return true;
  }

  static bool is_ascii(const std::string& text) {
    for (char c : text) {
      if (static_cast<unsigned char>(c) > 127) return false;
    }
    return true;
  }

  // sequence[lower:upper:step], as PySlice_AdjustIndices
  Result sliced(const Value& base, const ast::Slice& slice) {
    const bool text = base.kind == Kind::kStr;
    if (!text && base.kind != Kind::kTuple) return std::nullopt;
    if (text && !is_ascii(base.text)) return std::nullopt;
    const auto range =
        range_of(slice, static_cast<int64_t>(text ? base.text.size() : base.items.size()));
    if (!range) return std::nullopt;
    Value result = text ? make_str("") : make_tuple({});
    for (Int128 i = range->first; range->step < 0 ? i > range->last : i < range->last;
         i += range->step) {
      if (text) result.text += base.text[static_cast<size_t>(i)];
      if (!text) result.items.push_back(base.items[static_cast<size_t>(i)]);
    }
    return result;
  }

  struct Range {
    int64_t first, last, step;
  };
  std::optional<Range> range_of(const ast::Slice& slice, int64_t size) {
    bool failed = false;
    // the value of a part, or what it is when left out or None
    const auto part = [&](const ast::Expr* expr, int64_t otherwise, bool& given) -> int64_t {
      const auto value = expr ? fold(*expr) : Result(make_none());
      given = !value || value->kind != Kind::kNone;
      if (!given) return otherwise;
      if (!value || !to_int64(*value)) {
        failed = true;
        return otherwise;
      }
      return static_cast<int64_t>(value->integer);
    };
    bool has_lower = false, has_upper = false, has_step = false;
    const int64_t lower = part(slice.lower, 0, has_lower);
    const int64_t upper = part(slice.upper, 0, has_upper);
    const int64_t step = part(slice.step, 1, has_step);
    if (failed || step == 0 || step == INT64_MIN) return std::nullopt;
    const auto clamp = [&](int64_t at) {
      if (at < 0) at = at + size < 0 ? (step < 0 ? -1 : 0) : at + size;
      return at >= size ? (step < 0 ? size - 1 : size) : at;
    };
    const int64_t first = has_lower ? clamp(lower) : (step < 0 ? size - 1 : 0);
    const int64_t last = has_upper ? clamp(upper) : (step < 0 ? -1 : size);
    return Range{first, last, step};
  }

  std::optional<Arguments> read(const ast::Call& e) {
    Arguments arguments;
    Budget budget;
    const bool is_buffer = path(*e.func) == "numpy.frombuffer";
    for (const ast::Expr* given : e.args) {
      const auto* starred = ast::as<ast::Starred>(given);
      auto value = is_buffer ? numbers_of(*given) : Result();
      if (!value) value = argument(starred ? *starred->value : *given);
      if (!value || (starred && value->kind != Kind::kTuple) || !budget.take(*value))
        return std::nullopt;
      if (starred) {
        for (const Value& item : value->items) arguments.positional.push_back(item);
      } else {
        arguments.positional.push_back(std::move(*value));
      }
    }
    for (const ast::Keyword* keyword : e.keywords) {
      auto value = keyword->arg ? argument(*keyword->value) : Result();
      if (!value || !budget.take(*value)) return std::nullopt;
      arguments.named.emplace_back(keyword->arg.str(), std::move(*value));
    }
    return arguments;
  }

  Result call(const ast::Call& e) {
    if (const auto made = scope_.fields(*e.func)) {
      const auto arguments = read(e);
      return arguments ? construct(*made, *arguments) : Result();
    }
    const std::string function = path(*e.func);
    const std::string_view view = function;
    const auto within = [&](std::string_view module) { return view.starts_with(module); };
    if (makes_list(view)) return std::nullopt;
    const bool library =
        within("builtins.") || within("math.") || within("numpy.") || within("numba.");
    if (library) {
      const auto arguments = read(e);
      if (!arguments) return std::nullopt;
      if (within("builtins.")) return call_builtin(view.substr(9), *arguments);
      if (within("math.")) return call_math(view.substr(5), *arguments);
      if (within("numpy.")) return call_numpy(view.substr(6), *arguments);
      return call_numba(view.substr(6), *arguments);
    }
    const auto* method = ast::as<ast::Attribute>(e.func);
    if (!method) return std::nullopt;
    const auto self = fold(*method->value);
    const auto arguments = self ? read(e) : std::nullopt;
    return arguments ? call_method(*self, method->attr.str(), *arguments) : Result();
  }

  const Scope& scope_;
};

}  // namespace

std::optional<Value> fold(const ast::Expr& expr, const Scope& scope) {
  return Folder(scope).fold(expr);
}

std::optional<Value> fold_list(const ast::Expr& expr, const Scope& scope) {
  return Folder(scope).any(expr);
}

const ast::Expr& unfolded(const ast::Expr& expr, const Scope& scope) {
  const bool binds = ast::is<ast::Lambda>(expr) || ast::is<ast::ListComp>(expr) ||
                     ast::is<ast::GeneratorExp>(expr) || ast::is<ast::SetComp>(expr) ||
                     ast::is<ast::DictComp>(expr) || ast::is<ast::Attribute>(expr);
  if (binds) return expr;
  const auto* call = ast::as<ast::Call>(expr);
  const ast::Expr* found = nullptr;
  ast::for_each_child(expr, [&](const ast::Node& child) {
    const auto* keyword = ast::as<ast::Keyword>(child);
    const ast::Node& node = keyword ? static_cast<const ast::Node&>(*keyword->value) : child;
    const bool is_expr = node.kind > ast::Kind::kContinue && node.kind < ast::Kind::kSlice &&
                         node.kind != ast::Kind::kStarred;
    if (found || !is_expr || (call && &node == call->func)) return;
    const auto& part = static_cast<const ast::Expr&>(node);
    if (!Folder(scope).any(part)) found = &unfolded(part, scope);
  });
  return found ? *found : expr;
}

const types::Type* type_of(const Value& value) {
  switch (value.kind) {
    case Kind::kNone:
      return types::none();
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kFloat:
    case Kind::kComplex:
      return value.type ? value.type : natural_type(value);
    case Kind::kStr:
      return types::str();
    case Kind::kTuple: {
      std::vector<const types::Type*> items;
      for (const Value& item : value.items) {
        const types::Type* type = type_of(item);
        if (!type) return nullptr;
        items.push_back(type);
      }
      if (value.class_name) return types::named_tuple(value.class_name, value.names, items);
      return types::tuple(std::move(items));
    }
    case Kind::kArray:
      return value.type;
    case Kind::kType:
      return value.type ? types::dtype(value.type) : nullptr;
    case Kind::kEllipsis:
    case Kind::kDict:
    case Kind::kFunction:
    case Kind::kOpaque:
      return nullptr;
  }
  return nullptr;
}

}  // namespace pyk2cu::fold
