// Whom a line of types speaks of.
//
//   f(float64)     Class.method(float64)     factory.inner(float64)     mod.f(float64)
//   pkg/mod.py: f(float64)     pkg/mod.py:12(float64)     pkg/mod.py:     (a section)
//
// In:   a line of --sig or a sidecar, the files that are read.  Out: definitions.
// Rule: --sig speaks to all files of the command line; kernels.sig to kernels.py, and to other
//       files by their paths from its own folder; a sidecar of another name that has no file beside
//       it to all. A name is that of a definition, else a qualified one, else one behind its
//       module's.
// Tested by tests/unit/typeinfer/roots_test.cpp, tests/run/test_record.py and tests/diag/PK2048,
// PK2060, PK2061.
#include <algorithm>
#include <filesystem>

#include "frontend/base/suggest.h"
#include "frontend/parse/load.h"
#include "typeinfer/decorators/collector.h"
#include "typeinfer/decorators/lines.h"

namespace pyk2cu::decorators {

namespace fs = std::filesystem;

namespace {

bool is_sidecar(const SourceFile& file) { return file.path.ends_with(".sig"); }

// "/pkg/mod" of pkg/mod.py and of pkg/mod/__init__.py
std::string module_path(const std::string& path) {
  std::string stem = frontend::whole_path(path).replace_extension().generic_string();
  constexpr std::string_view kPackage = "/__init__";
  if (stem.ends_with(kPackage)) stem.resize(stem.size() - kPackage.size());
  return stem;
}

}  // namespace

void Collector::give_file(const SourceFile& file) {
  Units units = own_units(file);
  bool own = true;  // in front of the first section
  std::string_view rest = file.text;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    const std::string_view line = strip_comment(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (line.empty()) continue;
    const FileLine parts = split_file(line);
    const Units here = parts.file.empty() ? units : units_at(parts.file, file);
    if (parts.rest.empty()) {
      units = here;
      own = false;
    } else if (!here.empty()) {
      give(here, parts.rest, file, is_sidecar(file) ? kSidecar : kFlag, {});
    } else if (own && parts.file.empty()) {
      check_owner(parts.rest, file);
      own = false;
    }
  }
}

// The lines in front speak to kernels.py, which may be no file of this run, but is a file.
void Collector::check_owner(std::string_view line, const SourceFile& file) {
  fs::path owner = file.path;
  std::error_code ignored;
  if (fs::exists(owner.replace_extension(".ipynb"), ignored)) return;
  if (fs::exists(owner.replace_extension(".py"), ignored)) return;
  const auto offset = static_cast<uint32_t>(line.data() - file.text.data());
  const uint32_t begin = file.base + offset;
  diags_
      .report({begin, begin + static_cast<uint32_t>(line.size())}, diag::UnknownFile,
              owner.filename().string())
      .help("write the file in front: `pkg/mod.py: " + std::string(line) + "`");
}

// The files that lines without one speak to.
Collector::Units Collector::own_units(const SourceFile& file) const {
  Units all;
  const fs::path stem = frontend::whole_path(file.path).replace_extension();
  for (const auto& unit : units_) {
    if (!unit->root || unit->nested) continue;
    if (is_sidecar(file) && frontend::whole_path(unit->file->path).replace_extension() == stem)
      return {unit.get()};
    all.push_back(unit.get());
  }
  return is_sidecar(file) && stem.filename() == "kernels" ? Units() : all;
}

// The files that a path means: from the folder of the sidecar, or from any folder for --sig.
Collector::Units Collector::units_at(std::string_view path, const SourceFile& file) {
  const fs::path folder = is_sidecar(file) ? fs::path(file.path).parent_path() : fs::path();
  const fs::path wanted = frontend::whole_path(folder / path);
  Units exact, ending;
  for (const auto& unit : units_) {
    if (!unit->root || unit->nested) continue;
    if (frontend::whole_path(unit->file->path) == wanted) exact.push_back(unit.get());
    if (frontend::whole_path(unit->file->path).generic_string().ends_with("/" + std::string(path)))
      ending.push_back(unit.get());
  }
  if (!exact.empty()) return exact;
  if (!is_sidecar(file) && !ending.empty()) return ending;
  std::error_code ignored;
  const bool elsewhere =
      is_sidecar(file) ? fs::exists(wanted, ignored) : settings_.shared_signatures;
  if (elsewhere) return {};
  const auto offset = static_cast<uint32_t>(path.data() - file.text.data());
  const uint32_t begin = file.base + offset;
  diags_.report({begin, begin + static_cast<uint32_t>(path.size())}, diag::UnknownFile, path);
  return {};
}

const std::vector<FunctionPlace>& Collector::places_of(const Unit& unit) {
  const auto [entry, added] = places_.try_emplace(unit.file);
  if (added) entry->second = functions_of(*unit.info->ast);
  return entry->second;
}

// Of a function and what a decorator makes of it, the latter is meant.
void Collector::prefer_decorated(std::vector<Definition*>& definitions) const {
  const auto plain = [](const Definition* d) { return d->kind == DefinitionKind::kPlain; };
  if (!std::ranges::all_of(definitions, plain)) std::erase_if(definitions, plain);
}

// Of each file the last definition of a name, at module level if there is one.
std::vector<Definition*> Collector::named(const Units& units, Symbol name) {
  std::vector<Definition*> result;
  for (const Unit* unit : units) {
    Definition* last = nullptr;
    for (const auto& definition : sources_.definitions) {
      const Unit& home = *home_.at(definition.get());
      if (!home.root || definition->name != name || home.file != unit->file) continue;
      if (!last || !home.nested || home_.at(last)->nested) last = definition.get();
    }
    if (last) result.push_back(last);
  }
  return result;
}

Collector::Meant Collector::find_meant(const Units& units, std::string_view name) {
  Meant meant{.definitions = named(units, Symbol(name))};
  const bool all_plain = std::ranges::all_of(
      meant.definitions, [](const Definition* d) { return d->kind == DefinitionKind::kPlain; });
  if (!all_plain) return meant;
  for (const Unit* unit : units) {
    for (const FunctionPlace* place : find_functions(places_of(*unit), name)) {
      meant.other = place;
      for (const auto& d : sources_.definitions) {
        const bool same = place->def ? d->def == place->def : d->lambda == place->lambda;
        const bool known = std::ranges::find(meant.definitions, d.get()) != meant.definitions.end();
        if (same && !known && home_.at(d.get())->root) meant.definitions.push_back(d.get());
      }
    }
  }
  prefer_decorated(meant.definitions);
  for (size_t dot = name.find('.'); !meant && dot != name.npos; dot = name.find('.', dot + 1)) {
    std::string module = "/" + std::string(name.substr(0, dot));
    std::ranges::replace(module, '.', '/');
    Units inside;
    for (const Unit* unit : units)
      if (module_path(unit->file->path).ends_with(module)) inside.push_back(unit);
    if (!inside.empty()) meant = find_meant(inside, name.substr(dot + 1));
  }
  return meant;
}

void Collector::report_unknown(const Units& units, std::string_view name, const Meant& meant,
                               const SourceFile& file) {
  const auto offset = static_cast<uint32_t>(name.data() - file.text.data());
  const Span span{file.base + offset, file.base + offset + static_cast<uint32_t>(name.size())};
  if (meant.other) {
    const Span def = meant.other->def ? meant.other->def->span : meant.other->lambda->span;
    sources_.used_signature_files.push_back(&file);
    diags_.report(span, diag::NotCompiled, name).note({def.begin, def.begin + 3}, diag::StandsHere);
    return;
  }
  if (settings_.shared_signatures && !is_sidecar(file)) return;  // the driver reports it
  if (name.find_first_not_of("0123456789") == name.npos) {
    diags_.report(span, diag::UnknownFunction, "line " + std::string(name));
    return;
  }
  std::vector<std::string_view> names;
  for (const auto& definition : sources_.definitions) {
    const Unit& home = *home_.at(definition.get());
    const bool here = std::ranges::any_of(units, [&](auto* u) { return u->file == home.file; });
    if (home.root && here) names.push_back(definition->name.str());
  }
  for (const Unit* unit : units)
    for (const FunctionPlace& place : places_of(*unit)) names.push_back(place.name);
  auto report = diags_.report(span, diag::UnknownFunction, name);
  const std::string_view near = closest(name, names);
  if (near.empty()) return;
  report.fix(span, std::string(near));
  excuse(named(units, Symbol(near)));
}

}  // namespace pyk2cu::decorators
