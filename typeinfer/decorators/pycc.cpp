// numba.pycc: functions exported under names and types of their own, into a module named here.
//
//   cc = CC('fast')
//   @cc.export('square_f4', 'f4(f4)')
//   @cc.export('square', 'f8(f8)')
//   def square(x): ...
//
// In:   a Maker of kind kPycc or kExport (maker.cpp).  Out: Definitions, Sources::module_name.
// Rule: each export is an entry of its own, and the module has no others.
// Tested by tests/run/test_pycc.py and tests/diag/PK207*.
#include "frontend/parse/module_name.h"
#include "typeinfer/decorators/collector.h"

namespace pyk2cu::decorators {

namespace {

// Takes the first positional argument out of the maker, or that of this name.
const ast::Expr* take_first(Maker& maker, std::string_view keyword) {
  if (!maker.signatures.empty()) {
    const ast::Expr* first = maker.signatures.front().expr;
    maker.signatures.erase(maker.signatures.begin());
    return first;
  }
  for (size_t i = 0; i < maker.options.size(); ++i) {
    if (maker.options[i].name != keyword) continue;
    const ast::Expr* value = maker.options[i].value;
    maker.options.erase(maker.options.begin() + static_cast<ptrdiff_t>(i));
    return value;
  }
  return nullptr;
}

std::string folded_text(const ast::Expr* expr, const ModuleInfo& names) {
  const auto value = expr ? fold::fold(*expr, UnitScope(names)) : std::nullopt;
  return value && value->kind == fold::Value::Kind::kStr ? std::string(value->text) : "";
}

}  // namespace

// CC('fast', source_module=…)
void Collector::name_extension(Unit& unit, Maker& maker) {
  const ast::Expr* name = take_first(maker, "extension_name");
  maker.extension = folded_text(name, *unit.info);
  if (maker.extension.empty() && unit.root)
    diags_.report(name ? name->span : maker.span, diag::PyccText, "the name of the module");
  if (!maker.extension.empty() && !frontend::importable(maker.extension).is_exact && unit.root)
    diags_.report(name->span, diag::BadModuleName, maker.extension);
  maker.signatures.clear();
  maker.options.clear();
}

// cc.target_cpu = "skylake"
void Collector::set_attribute(Unit& unit, const ast::Attribute& target) {
  const auto* base = ast::as<ast::Name>(target.value);
  const auto maker = base ? unit.makers.find(base->id) : unit.makers.end();
  if (maker == unit.makers.end() || maker->second.kind != MakerKind::kPycc || !unit.root) return;
  const char* instead = target.attr == "target_cpu"    ? "`--march` says for which processor"
                        : target.attr == "output_dir"  ? "`-o` says where the module goes"
                        : target.attr == "output_file" ? "the file is called as Python finds it"
                                                       : nullptr;
  if (instead) diags_.report(target.span, diag::PyccSetting, target.attr.str(), instead);
}

void Collector::export_as(Unit& unit, const Target& target, Maker maker) {
  const ast::Expr* name_expr = take_first(maker, "exported_name");
  const std::string name = folded_text(name_expr, *unit.info);
  if (name.empty()) {
    const Span span = name_expr ? name_expr->span : maker.span;
    if (unit.root) diags_.report(span, diag::PyccText, "the name of the export");
    return;
  }
  if (unit.root && !maker.extension.empty()) {
    if (!sources_.module_name.empty() && sources_.module_name != maker.extension) {
      diags_.report(maker.span, diag::PyccModules, maker.extension, sources_.module_name)
          .note(first_export_, diag::FirstExport)
          .help("put the exports of each module into a file of its own");
      return;
    }
    if (sources_.module_name.empty()) first_export_ = maker.span;
    sources_.module_name = maker.extension;
  }
  maker.kind = MakerKind::kJit;
  maker.path = "numba.pycc.CC.export";
  pycc_exports_.insert(define(unit, Symbol(name), target, maker));
}

// As in numba.pycc, such a module has its exports and nothing else.
void Collector::keep_exports_alone() {
  if (sources_.module_name.empty()) return;
  for (const auto& definition : sources_.definitions)
    if (!pycc_exports_.contains(definition.get())) definition->exported = false;
}

}  // namespace pyk2cu::decorators
