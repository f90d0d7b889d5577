// Named tuple classes: namedtuple("Point", "x y"), NamedTuple("P", [("x", int)]), class
// P(NamedTuple); enumerations.
//
// In:   what a module-level name is assigned, or a class.  Out: its name, fields and those of the
//       defaults that fold; null when it is no such class.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp and tests/run/test_named_tuples.py.
#include "typeinfer/decorators/collector.h"

namespace pyk2cu::decorators {

namespace {

using FoldKind = fold::Value::Kind;

// "x y", "x, y"
void add_words(std::string_view text, std::vector<Symbol>& fields) {
  constexpr std::string_view kBetween = " ,\t\n\r\f\v";
  for (size_t at = 0; (at = text.find_first_not_of(kBetween, at)) != text.npos;) {
    const size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    fields.emplace_back(text.substr(at, end - at));
    at = end;
  }
}

std::span<ast::Expr* const> items_of(const ast::Expr& expr) {
  if (const auto* list = ast::as<ast::List>(expr)) return list->elts;
  if (const auto* tuple = ast::as<ast::Tuple>(expr)) return tuple->elts;
  return {};
}

}  // namespace

const fold::Value* Collector::folded(const Unit& unit, const ast::Expr& expr) {
  auto value = fold::fold(expr, UnitScope(*unit.info));
  if (!value) return nullptr;
  sources_.values.push_back(std::make_unique<fold::Value>(std::move(*value)));
  return sources_.values.back().get();
}

const FieldClass* Collector::keep(FieldClass made) {
  made.defaults.resize(made.fields.size());
  sources_.field_classes.push_back(std::make_unique<FieldClass>(std::move(made)));
  return sources_.field_classes.back().get();
}

const FieldClass* Collector::field_class(const Unit& unit, const ast::Expr& expr) {
  const auto* call = ast::as<ast::Call>(expr);
  if (!call || call->args.size() != 2) return nullptr;
  const std::string path = dotted(unit, *call->func);
  const bool typed = path == "typing.NamedTuple";
  if (!typed && path != "collections.namedtuple") return nullptr;
  const fold::Value* name = folded(unit, *call->args[0]);
  if (!name || name->kind != FoldKind::kStr) return nullptr;
  FieldClass made;
  made.name = Symbol(name->text);
  for (const ast::Expr* item : items_of(*call->args[1])) {
    const std::span<ast::Expr* const> pair = items_of(*item);
    if (typed && pair.size() != 2) return nullptr;
    const fold::Value* field = folded(unit, typed ? *pair[0] : *item);
    if (!field || field->kind != FoldKind::kStr) return nullptr;
    made.fields.emplace_back(field->text);
  }
  if (made.fields.empty()) {
    const fold::Value* words = folded(unit, *call->args[1]);
    if (words && words->kind == FoldKind::kStr) add_words(words->text, made.fields);
  }
  for (const ast::Keyword* keyword : call->keywords) {
    if (keyword->arg == "rename") return nullptr;
    const std::span<ast::Expr* const> values = items_of(*keyword->value);
    if (keyword->arg != "defaults" || values.size() > made.fields.size()) continue;
    made.defaults.resize(made.fields.size() - values.size());
    for (const ast::Expr* value : values) made.defaults.push_back(folded(unit, *value));
  }
  return keep(std::move(made));
}

// class P(NamedTuple): x: int; y: float = 0.0     class P(namedtuple("P", "x y")): ...
const FieldClass* Collector::field_class(const Unit& unit, const ast::ClassDef& def) {
  if (def.bases.size() != 1) return nullptr;
  if (const FieldClass* base = field_class(unit, *def.bases[0])) {
    FieldClass made = *base;
    made.name = def.name;
    return keep(std::move(made));
  }
  if (dotted(unit, *def.bases[0]) != "typing.NamedTuple") return nullptr;
  FieldClass made;
  made.name = def.name;
  for (const ast::Stmt* stmt : def.body) {
    const auto* field = ast::as<ast::AnnAssign>(stmt);
    const auto* name = field ? ast::as<ast::Name>(*field->target) : nullptr;
    if (!name) continue;
    made.fields.push_back(name->id);
    made.defaults.push_back(field->value ? folded(unit, *field->value) : nullptr);
  }
  return keep(std::move(made));
}

// class Color(IntEnum): RED = 1; its members are those of a file called Color. Null: no such class.
const ModuleInfo* Collector::enumeration(Unit& unit, const ast::ClassDef& def) {
  if (def.bases.size() != 1) return nullptr;
  const std::string base = dotted(unit, *def.bases[0]);
  const bool flags = base == "enum.IntFlag" || base == "enum.Flag";
  const bool numbers = base == "enum.IntEnum" || base == "enum.IntFlag";
  if (!numbers && !flags && base != "enum.Enum") return nullptr;
  auto made = std::make_unique<ModuleInfo>();
  made->ast = unit.info->ast;
  made->name = def.name.str();
  made->outer = unit.info;
  __int128 last = 0;
  for (const ast::Stmt* stmt : def.body) {
    const auto* assign = ast::as<ast::Assign>(stmt);
    const auto* name = assign ? ast::as<ast::Name>(assign->targets[0]) : nullptr;
    if (!name || assign->targets.size() != 1) continue;
    const auto* call = ast::as<ast::Call>(assign->value);
    fold::Value value{.kind = FoldKind::kInt};
    __int128 next = 1;
    while (flags && next <= last) next *= 2;
    value.integer = flags ? next : last + 1;
    Binding binding{.kind = Binding::Kind::kHost, .span = name->span};
    const bool is_auto = call && dotted(unit, *call->func) == "enum.auto";
    auto folded = is_auto ? std::optional(value) : fold::fold(*assign->value, UnitScope(*made));
    if (folded) {
      last = std::max(last, folded->integer);
      folded->class_name = name->id;
      folded->is_member = !numbers;
      binding.kind = Binding::Kind::kConstant;
      sources_.values.push_back(std::make_unique<fold::Value>(std::move(*folded)));
      binding.value = sources_.values.back().get();
    }
    made->bindings[name->id] = binding;
  }
  made->outer = nullptr;
  return sources_.modules.emplace_back(std::move(made)).get();
}

}  // namespace pyk2cu::decorators
