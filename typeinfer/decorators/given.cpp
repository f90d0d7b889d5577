// Types from beside the decorators: --sig, kernels.sig, comments, annotations.
//
//   f(float32[:], int64)     f(float64) -> float64     f = [f4(f4), f8(f8)]     float64 f(float64)
//   # pyk2cu: sig (float32[:])          above or inside a function: without its name
//
// targets.cpp says which functions a line speaks of.
//
// In:   signature files, comments and annotations of the files read.
// Out:  signatures of definitions.
// Rule: the first source in this order that names a function gives its types: --sig, kernels.sig,
//       comments, annotations; several lines of one source are overloads. Signatures in a decorator
//       stay, and those of --sig come after them.
// Tested by tests/unit/typeinfer/roots_test.cpp and tests/diag/PK2048, PK2049, PK2050.
#include <algorithm>

#include "frontend/base/counted.h"
#include "typeinfer/decorators/collector.h"
#include "typeinfer/decorators/defaults.h"
#include "typeinfer/decorators/lines.h"

namespace pyk2cu::decorators {

namespace {

std::string_view text_of(const SourceFile& file, Span span) {
  return std::string_view(file.text).substr(span.begin - file.base, span.size());
}

bool same_types(const signature::Signature& a, const signature::Signature& b) {
  return a.params == b.params;
}

// How many types a signature may give: those of the last parameters that have defaults may be
// left out. `*args` is one parameter, a tuple.
struct Counts {
  size_t least = 0, most = 0;
};

Counts parameter_counts(const Definition& d) {
  const ast::Arguments& args = d.arguments();
  const size_t positional = args.posonlyargs.size() + args.args.size();
  Counts counts{positional - args.defaults.size(), positional};
  if (args.vararg) counts.least = ++counts.most;
  for (const ast::Expr* fallback : args.kw_defaults) {
    ++counts.most;
    if (!fallback) counts.least = counts.most;
  }
  return counts;
}

// `(f4)` means one parameter here, though Python reads it as a type in parentheses.
std::vector<signature::Signature> parse_nameless(std::string_view text, const SourceFile& file,
                                                 const signature::Names* around,
                                                 Diagnostics& diags) {
  const std::string_view inner = single_item(text);
  if (inner.empty()) return signature::parse(text, file, diags, around);
  const types::Type* type = signature::parse_type(inner, file, diags, around);
  if (!type) return {};
  signature::Signature made;
  made.params.push_back(type);
  const auto begin = file.base + static_cast<uint32_t>(inner.data() - file.text.data());
  made.param_spans.push_back({begin, begin + static_cast<uint32_t>(inner.size())});
  return {made};
}

}  // namespace

void Collector::give_types() {
  for (const SourceFile* file : settings_.signature_files) {
    if (!file->path.ends_with(".sig")) give_file(*file);
  }
  for (const SourceFile* file : settings_.signature_files) {
    if (file->path.ends_with(".sig")) give_file(*file);
  }
  for (size_t i = 0; i < modules_.size(); ++i) {
    if (!units_[i]->root) continue;
    give_comments(*units_[i]);
    give_pythran(*units_[i]);
  }
  for (const auto& definition : sources_.definitions) {
    give_annotations(*definition);
    check_types(*definition);
    check_counts(*definition);
  }
}

void Collector::give_comments(Unit& unit) {
  for (Span span : unit.info->ast->comments) {
    const std::string_view comment = text_of(*unit.file, span);
    const std::string_view line = sig_comment(comment);
    if (line.empty()) continue;
    give({&unit}, line, *unit.file, kComment, definitions_at(unit, span));
  }
}

// The definitions that a nameless comment speaks of: of the function right below it, or around it.
std::vector<Definition*> Collector::definitions_at(const Unit& unit, Span comment) {
  const std::string& text = unit.file->text;
  const auto in_file = [&](const Definition& d) {
    return d.def && home_.at(&d)->file == unit.file;
  };
  const ast::FunctionDef* found = nullptr;
  if (stands_alone(text, comment.begin - unit.file->base)) {
    const uint32_t next = unit.file->base + next_code(text, comment.end - unit.file->base);
    for (const auto& d : sources_.definitions) {
      if (!in_file(*d)) continue;
      const auto& decorators = d->def->decorator_list;
      const bool below = d->def->span.begin == next ||
                         (!decorators.empty() && text[next - unit.file->base] == '@' &&
                          decorators[0]->span.begin > next && decorators[0]->span.begin < next + 8);
      if (below) found = d->def;
    }
  }
  for (const auto& d : sources_.definitions) {
    if (found || !in_file(*d)) continue;
    const uint32_t begin =
        d->def->decorator_list.empty() ? d->def->span.begin : d->def->decorator_list[0]->span.begin;
    if (begin > comment.begin || d->def->span.end < comment.begin) continue;
    found = d->def;
  }
  std::vector<Definition*> result;
  for (const auto& d : sources_.definitions) {
    if (found && d->def == found) result.push_back(d.get());
  }
  prefer_decorated(result);
  return result;
}

void Collector::give(const Units& units, std::string_view line, const SourceFile& file, int rank,
                     const std::vector<Definition*>& here) {
  const SigLine parts = split_sig(line);
  const auto offset = static_cast<uint32_t>(line.data() - file.text.data());
  const Span span{file.base + offset, file.base + offset + static_cast<uint32_t>(line.size())};
  std::vector<Definition*> targets = here;
  std::vector<signature::Signature> signatures;
  Meant meant;
  if (!parts.name.empty()) meant = find_meant(units, parts.name);
  // `float64(float64)`: a type where a name could stand
  const std::string_view last = parts.name.substr(parts.name.rfind('.') + 1);
  const bool is_named = !here.empty() && here[0]->module->find_assigned(Symbol(last));
  const bool is_type = !meant && parts.may_be_type && (signature::names_type(last) || is_named);
  const bool nameless = parts.name.empty() || is_type;
  if (!nameless) {
    if (meant.definitions.empty()) return report_unknown(units, parts.name, meant, file);
    targets = meant.definitions;
  } else if (here.empty()) {
    diags_.report(span, diag::NamelessTypes);
    return;
  }
  const signature::Names* around = targets.empty() ? nullptr : targets[0]->module;
  if (nameless) {
    signatures = parse_nameless(line, file, around, diags_);
  } else if (parts.result.empty()) {
    signatures = signature::parse_named(line, file, diags_, around).signatures;
  } else {
    const types::Type* result = signature::parse_type(parts.result, file, diags_, around);
    if (!result) return excuse(targets);
    const auto tail = line.substr(static_cast<size_t>(parts.name.data() - line.data()));
    signatures = signature::parse_named(tail, file, diags_, around).signatures;
    for (auto& one : signatures) one.result = result->is_none() ? types::void_() : result;
  }
  for (auto& one : signatures) {
    if (!one.span.valid()) one.span = span;
  }
  if (signatures.empty()) excuse(targets);
  if (!targets.empty()) sources_.used_signature_files.push_back(&file);
  for (Definition* target : targets) add_given(*target, signatures, rank);
}

// Types were meant for them and are wrong: that they have none is no mistake of their own.
void Collector::excuse(const std::vector<Definition*>& meant) {
  for (Definition* definition : meant) {
    if (definition->signatures.empty()) broken_.insert(definition);
  }
}

void Collector::add_given(Definition& definition, std::vector<signature::Signature> signatures,
                          int rank) {
  if (signatures.empty()) return;
  const Unit& home = *home_.at(&definition);
  const auto known = given_rank_.find(&definition);
  const bool decorated = !definition.signatures.empty() && known == given_rank_.end();
  if (decorated && rank != kFlag) return;
  if (known != given_rank_.end() && known->second < rank) return;
  given_rank_[&definition] = rank;
  if (!decorated) definition.lazy = true;
  for (auto& one : signatures) {
    const bool there = std::any_of(definition.signatures.begin(), definition.signatures.end(),
                                   [&](const auto& other) { return same_types(one, other); });
    if (!there) definition.signatures.push_back(std::move(one));
  }
  // What a factory makes has its name outside: `two = power(2)`.
  definition.exported = home.root && !home.called && definition.kind != DefinitionKind::kDevice;
}

// A lazy function whose parameters are all annotated with types; without parameters there is
// nothing left to say.
void Collector::give_annotations(Definition& definition) {
  const bool typed = is_entry(definition.kind) && definition.kind != DefinitionKind::kGuvectorize;
  if (!typed || !definition.def || !definition.signatures.empty()) return;
  if (broken_.contains(&definition) || !home_.at(&definition)->root) return;
  if (definition.def->args->vararg || definition.def->args->kwarg) return;
  const ast::Arguments& args = *definition.def->args;
  std::vector<const ast::Arg*> params;
  for (const ast::Arg* arg : args.posonlyargs) params.push_back(arg);
  for (const ast::Arg* arg : args.args) params.push_back(arg);
  for (const ast::Arg* arg : args.kwonlyargs) params.push_back(arg);
  signature::Signature made;
  made.span = definition.def->span;
  const size_t before = diags_.all().size();
  for (const ast::Arg* arg : params) {
    const types::Type* type = arg->annotation
                                  ? signature::evaluate_type(*arg->annotation, *definition.module,
                                                             *definition.module->ast->file, diags_)
                                  : nullptr;
    if (!type) {
      diags_.truncate(before);
      return;
    }
    made.params.push_back(type);
    made.param_spans.push_back(arg->annotation->span);
  }
  if (definition.def->returns && !params.empty()) {
    made.result = signature::evaluate_type(*definition.def->returns, *definition.module,
                                           *definition.module->ast->file, diags_);
    made.result_span = definition.def->returns->span;
    if (made.result && made.result->is_none()) made.result = types::void_();
    diags_.truncate(before);
  }
  add_given(definition, {made}, kAnnotation);
}

// Signatures with a type that cannot be compiled go.
void Collector::check_types(Definition& definition) {
  const bool had_types = !definition.signatures.empty();
  std::erase_if(definition.signatures, [&](const signature::Signature& one) {
    bool fine = true;
    const auto check = [&](const types::Type* type, Span span) {
      fine = signature::has_form(type, span.valid() ? span : one.span, diags_) && fine;
    };
    for (size_t k = 0; k < one.params.size(); ++k)
      check(one.params[k], k < one.param_spans.size() ? one.param_spans[k] : one.span);
    if (one.result && one.result->is_str()) {
      diags_.report(one.result_span, diag::UnsupportedType, types::print(one.result))
          .help("return a number that stands for the string");
      return true;
    }
    if (one.result) check(one.result, one.result_span);
    return !fine;
  });
  if (had_types && definition.signatures.empty()) broken_.insert(&definition);
}

// Signatures of too many or too few types go, and all of them where nothing can be compiled.
void Collector::check_counts(Definition& definition) {
  if (definition.signatures.empty()) return;
  const ast::Arguments& args = definition.arguments();
  if (args.kwarg) {
    report_keyword_rest(definition, diags_);
    definition.signatures.clear();
  }
  const auto [least, most] = parameter_counts(definition);
  const size_t rest = args.posonlyargs.size() + args.args.size();
  const std::string rest_help =
      fmt::format("`*{}` is one parameter, a tuple: `UniTuple(float64, 2)` for two values",
                  args.vararg ? args.vararg->arg.str() : "");
  std::erase_if(definition.signatures, [&](const signature::Signature& one) {
    const size_t given = one.params.size();
    if (given < least || given > most) {
      std::string takes = counted(most, "parameter");
      if (least != most) takes = fmt::format("{} to {}", least, takes);
      auto said = diags_.report(one.span, diag::ParameterCount, definition.name.str(), takes,
                                fmt::format("{} {}", given, given == 1 ? "type is" : "types are"));
      if (args.vararg) said.help(rest_help);
      return true;
    }
    const types::Type* tuple = args.vararg ? one.params[rest] : nullptr;
    if (!tuple || tuple->is_tuple()) return false;
    diags_
        .report(rest < one.param_spans.size() ? one.param_spans[rest] : one.span,
                diag::RestNotTuple, args.vararg->arg.str(), types::print(tuple))
        .help(rest_help);
    return true;
  });
  std::erase_if(definition.signatures,
                [&](signature::Signature& one) { return !add_defaults(definition, one, diags_); });
  if (definition.signatures.empty()) {
    broken_.insert(&definition);
  } else {
    broken_.erase(&definition);
  }
}

void report_keyword_rest(const Definition& definition, Diagnostics& diags) {
  const ast::Arg& rest = *definition.arguments().kwarg;
  const std::string_view name =
      definition.name ? definition.name.str() : std::string_view("lambda");
  diags.report(rest.span, diag::KeywordRest, name, rest.arg.str())
      .help("name the parameters and give them defaults: `scale=1.0`");
}

}  // namespace pyk2cu::decorators
