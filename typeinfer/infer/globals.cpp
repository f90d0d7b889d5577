// Names of the module and of Python itself.
//
// In:   a name that the function does not bind.  Out: a function, a constant, an imported name; an
// unknown one is reported with the nearest known name.
// Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include <algorithm>

#include "frontend/base/suggest.h"
#include "typeinfer/builtins/python.h"
#include "typeinfer/decorators/paths.h"
#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

namespace {

// What is written without its import now and then.
constexpr std::pair<std::string_view, std::string_view> kImports[] = {
    {"prange", "write `from numba import prange` at the top of the file"},
    {"cuda", "write `from numba import cuda` at the top of the file"},
    {"numba", "write `import numba` at the top of the file"},
    {"nb", "write `import numba as nb` at the top of the file"},
    {"np", "write `import numpy as np` at the top of the file"},
    {"math", "write `import math` at the top of the file"}};

Operand faulty(Emitter& in, const decorators::ModuleInfo& file, Symbol name, Span span) {
  const ast::Module& text = *file.ast;
  auto said = in.report(span, diag::FaultyFile, name.str(), text.file->path, text.fault);
  if (text.fault_at.valid()) said.note(text.fault_at, diag::FaultHere);
  return error();
}

// Says which part of its value is to blame, where that is not all of it.
Operand host_value(Emitter& in, const decorators::ModuleInfo& where, Symbol name, Span span) {
  auto said = in.report(span, diag::HostValue, name.str());
  said.note(where.find(name).span, diag::DefinedHere, name.str());
  const decorators::Assigned value = where.assigned_to(name);
  if (const Span condition = where.find(name).condition; condition.valid()) {
    said.note(condition, diag::ConditionUnknown);
  } else if (value.expr) {
    const ast::Expr& part = fold::unfolded(*value.expr, decorators::ModuleScope(*value.module));
    if (&part != value.expr) said.note(part.span, diag::PartUnknown);
  }
  said.help("pass it as an argument, or write a literal value at module level");
  return error();
}

// What a binding stands for; nothing where the name is unknown.
std::optional<Operand> bound(Emitter& out, const decorators::ModuleInfo& where, Symbol name,
                             Span span) {
  const decorators::Binding& binding = where.find(name);
  switch (binding.kind) {
    case decorators::Binding::Kind::kDefinition:
      return Operand{Function{binding.definition}, span};
    case decorators::Binding::Kind::kConstant:
      if (fold::is_partial(*binding.value)) return host_value(out, where, name, span);
      return constant(out, *binding.value, name, span);
    case decorators::Binding::Kind::kQualified:
      return qualified(out, binding.qualified, span);
    case decorators::Binding::Kind::kModule:
      return Operand{Module{binding.module}, span};
    case decorators::Binding::Kind::kHost:
      if (binding.fields) return Operand{FieldClass{binding.fields}, span};
      if (binding.module) return faulty(out, *binding.module, name, span);
      return host_value(out, where, name, span);
    case decorators::Binding::Kind::kUnknown:
      break;
  }
  return std::nullopt;
}

}  // namespace

Operand module_member(Emitter& in, const decorators::ModuleInfo& where, Symbol name, Span span) {
  if (!where.ast->fault.empty()) return faulty(in, where, name, span);
  if (const auto known = bound(in, where, name, span)) return *known;
  const std::vector<Symbol> symbols = where.all_names();
  std::vector<std::string_view> candidates;
  for (Symbol symbol : symbols) candidates.push_back(symbol.str());
  auto said = in.report(span, diag::UnknownMember, where.name, name.str());
  if (const auto near = closest(name.str(), candidates); !near.empty())
    said.help("did you mean `" + where.name + "." + std::string(near) + "`?");
  return error();
}

Operand global(Expressions& in, const decorators::ModuleInfo& where, Symbol name, Span span) {
  Emitter& out = in.emitter();
  const scope::Versions& versions = in.names().versions();
  if (const auto known = bound(out, where, name, span)) return *known;
  if (versions.imports_all) return error();  // said already
  if (builtins::is_python_function(name.str()))
    return qualified(out, "builtins." + std::string(name.str()), span);
  std::vector<Symbol> symbols = where.all_names();
  symbols.insert(symbols.end(), versions.locals.begin(), versions.locals.end());
  std::vector<std::string_view> candidates = builtins::python_functions();
  for (Symbol symbol : symbols) candidates.push_back(symbol.str());
  std::sort(candidates.begin(), candidates.end());
  auto builder = out.report(span, diag::UnknownName, name.str());
  for (const auto& [known, import] : kImports)
    if (name == known) return builder.help(std::string(import)), error();
  if (const auto near = closest(name.str(), candidates); !near.empty())
    builder.fix(span, std::string(near));
  return error();
}

}  // namespace pyk2cu::infer
