// Compiles every decorated function by itself and notes what it stops at. In, out: check.h.
//
// Tested by tests/run/test_check.py.
#include "cmd/pyk2cu/check.h"
#include "cmd/pyk2cu/library.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <set>

#include "cmd/pyk2cu/functions.h"
#include "cmd/pyk2cu/package.h"
#include "cmd/pyk2cu/signatures.h"
#include "cmd/pyk2cu/terminal.h"
#include "cmd/pyk2cu/write.h"
#include "emit/emit.h"
#include "frontend/diag/render.h"
#include "frontend/parse/load.h"
#include "typeinfer/decorators/defaults.h"
#include "typeinfer/propose/propose.h"
#include "typeinfer/typeinfer.h"

namespace pyk2cu::cmd {
namespace {

using decorators::Definition;

// The function is not compiled for what stands above it.
bool is_of_decorator(const Diagnostic& one) {
  return one.code == diag::UnknownDecorator.code || one.code == diag::DecoratorBeneath.code ||
         one.code == diag::DecoratorLater.code;
}

// One file as a module of its own.
class FileCheck {
 public:
  // `mistakes`: messages about types that --sig gives.
  FileCheck(const std::string& path, const Options& options, CheckReport& report,
            std::set<std::string>& mistakes)
      : path_(path), options_(options), report_(report), mistakes_(mistakes) {}

  void run() {
    frontend::Loaded loaded =
        frontend::load({path_}, options_.include_dirs, sources_, diags_);
    if (is_broken(loaded.modules.empty() ? nullptr : loaded.modules.front()->file)) return;
    for (const auto& module : loaded.modules) places_.add(*module);
    decorators::Settings settings;
    const std::vector<const SourceFile*> given =
        read_signatures(options_.signatures, sources_, diags_);
    settings.signature_files = given;
    settings.signature_files.insert(settings.signature_files.end(), loaded.signature_files.begin(),
                                    loaded.signature_files.end());
    settings.shared_signatures = true;
    settings.boundscheck = options_.boundscheck;
    settings.semantics = options_.semantics;
    settings.library = add_library(loaded, sources_, diags_);
    Diagnostics said;
    decorators::Sources found =
        decorators::collect(loaded.pointers(), loaded.roots, settings, said);
    note_reached(found);
    const ast::Module* root = loaded.modules.front().get();
    own_places_.add(*root);
    std::vector<Products> functions;
    for (const auto& definition : found.definitions)
      if (definition->module->ast == root && is_wanted(*definition)) add(functions, *definition);
    for (const Products& one : functions) function(found, one, said);
    without_definition(said, *root->file);
    for (const Diagnostic& one : said.all()) {
      const SourceFile* file = one.span.valid() ? sources_.find(one.span.begin) : nullptr;
      const auto is_in = [&](const auto& files) {
        return std::ranges::find(files, file) != files.end();
      };
      if (one.severity != Severity::kError) continue;
      if (is_in(given))
        mistakes_.insert(
            render_text(one, sources_, {.color = wants_color(STDERR_FILENO, options_.color)}));
      else if (is_in(loaded.signature_files))
        add_broken(file->path, one);
    }
  }

 private:
  // A file that cannot be read or parsed is a row. Those that it imports have rows of their own.
  bool is_broken(const SourceFile* file) {
    for (const Diagnostic& one : diags_.all()) {
      const bool here = !one.span.valid() || sources_.find(one.span.begin) == file;
      if (one.severity != Severity::kError || !here) continue;
      add_broken(path_, one);
      return true;
    }
    return file == nullptr;
  }

  // A sidecar may belong to several files.
  void add_broken(const std::string& file, const Diagnostic& one) {
    const Blocker made = blocker(one);
    const bool known = std::ranges::any_of(report_.broken, [&](const BrokenFile& other) {
      return other.file == file && other.blocker.line == made.line &&
             other.blocker.message == made.message;
    });
    if (!known) report_.broken.push_back({file, made});
  }

  static bool is_wanted(const Definition& d) {
    return d.decorator.valid() || !d.signatures.empty();
  }

  // What is made of one function of the text: itself, or one for each call of its factory.
  using Products = std::vector<Definition*>;

  static Span place_of(const Definition& d) { return d.def ? d.def->span : d.lambda->span; }

  static void add(std::vector<Products>& functions, Definition& d) {
    const auto same = [&](const Products& one) { return place_of(*one.front()) == place_of(d); };
    const auto at = std::ranges::find_if(functions, same);
    if (at == functions.end())
      functions.push_back({&d});
    else
      at->push_back(&d);
  }

  // Functions that those with types call get theirs from these calls.
  void note_reached(const decorators::Sources& found) {
    Diagnostics ignored;
    const ir::Program program = typeinfer::infer(found, ignored);
    for (const ir::Function* f : program.functions) reached_.insert(f->body_span.begin);
  }

  void function(decorators::Sources& found, const Products& products, const Diagnostics& said) {
    const Definition& first = *products.front();
    const Span whole = place_of(first);
    CheckedFunction row;
    row.file = path_;
    row.line = sources_.locate(whole.begin).line;
    const FunctionPlace* place = first.def ? places_.find({whole.begin, whole.begin + 1}) : nullptr;
    row.name = place && place->def == whole ? place->name : std::string(first.name.str());
    rows_.insert(row.name);
    for (const Diagnostic& one : said.all())
      if (one.severity == Severity::kError && place && places_.find(one.span) == place)
        row.blockers.push_back(blocker(one));
    const bool is_reached = reached_.contains(whole.begin);
    const auto is_open = [](const Definition* d) { return d->signatures.empty(); };
    row.from_calls = is_reached && std::ranges::all_of(products, is_open);
    row.has_types = is_reached || std::ranges::none_of(products, is_open);
    Products open;
    for (Definition* d : products) {
      if (!row.blockers.empty()) break;
      if (!is_open(d)) row.blockers = blockers_of(found, *d);
      if (is_open(d) && !is_reached) open.push_back(d);
    }
    if (row.blockers.empty() && !open.empty()) propose(found, open, row);
    report_.functions.push_back(std::move(row));
  }

  // The types that are proposed for one of them must do for all: they are given by one line.
  void propose(decorators::Sources& found, const Products& open, CheckedFunction& row) {
    if (!proposer_) proposer_ = std::make_unique<propose::Proposer>(found);
    const propose::Proposal& proposal = proposer_->of(*open.front());
    if (proposal.stuck) {
      row.no_proposal = fmt::format("`{}` is {}", proposal.stuck.str(), proposal.why);
      return;
    }
    row.proposal = line_name(row) + proposer_->types_text(*open.front());
    for (Definition* d : open) {
      signature::Signature made;
      made.params = proposal.params;
      made.span = d->decorator.valid() ? d->decorator : d->def->span;
      const bool lazy = std::exchange(d->lazy, true), exported = std::exchange(d->exported, true);
      d->signatures.push_back(made);
      if (row.blockers.empty()) row.blockers = blockers_with(found, *d);
      d->signatures.clear();
      d->lazy = lazy;
      d->exported = exported;
    }
  }

  // With a signature that may leave defaults out.
  std::vector<Blocker> blockers_with(const decorators::Sources& found, Definition& d) {
    Diagnostics diags;
    if (decorators::add_defaults(d, d.signatures.back(), diags)) return blockers_of(found, d);
    return {blocker(diags.all().front())};
  }

  // What --sig calls the function: its name, or its line where several have the name.
  std::string line_name(const CheckedFunction& row) const {
    return own_places_.count(row.name) > 1 ? fmt::format(":{}", row.line) : row.name;
  }

  // What keeps a function, or one that it calls, from being compiled.
  std::vector<Blocker> blockers_of(const decorators::Sources& found, const Definition& d) {
    Diagnostics diags;
    try {
      ir::Program program = typeinfer::infer_one(found, d, diags);
      program.sources = &sources_;
      if (!diags.has_errors() && !program.entries.empty()) emit::emit(program, {}, diags);
    } catch (const std::exception& error) {
      return {{9000, fmt::format("internal error: {}", error.what()), path_, 0, 0, ""}};
    }
    std::vector<Blocker> blockers;
    for (const Diagnostic* one : sorted(diags))
      if (one->severity == Severity::kError) blockers.push_back(blocker(*one));
    return blockers;
  }

  // Functions whose decorator is refused.
  void without_definition(const Diagnostics& said, const SourceFile& file) {
    for (const Diagnostic& one : said.all()) {
      if (!is_of_decorator(one) || sources_.find(one.span.begin) != &file) continue;
      const FunctionPlace* place = places_.find(one.span);
      if (!place || !rows_.insert(place->name).second) continue;
      CheckedFunction row;
      row.file = path_;
      row.line = sources_.locate(place->def.begin).line;
      row.name = place->name;
      row.has_types = true;
      row.blockers.push_back(blocker(one));
      report_.functions.push_back(std::move(row));
    }
  }

  Blocker blocker(const Diagnostic& one) const {
    const Location at = sources_.locate(one.span.begin);
    const FunctionPlace* place = places_.find(one.span);
    return {one.code, one.message, std::string(at.path),
            at.line,  at.column,   place ? place->name : ""};
  }

  const std::string& path_;
  const Options& options_;
  CheckReport& report_;
  std::set<std::string>& mistakes_;
  SourceMap sources_{};
  Diagnostics diags_{};
  FunctionPlaces places_{}, own_places_{};  // of all files; of this one
  std::unique_ptr<propose::Proposer> proposer_{};
  std::set<uint32_t> reached_{};  // begins of functions
  std::set<std::string> rows_{};
};

// Columns of the terminal; 0 when the table goes elsewhere.
int terminal_width() {
  if (isatty(STDOUT_FILENO) == 0) return 0;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  return columns ? std::atoi(columns) : 80;
}

}  // namespace

std::vector<Unlock> rank_unlocks(const CheckReport& report) {
  std::vector<Unlock> ranks;
  for (const CheckedFunction& row : report.functions) {
    std::vector<const Blocker*> distinct;
    for (const Blocker& one : row.blockers) {
      const auto same = [&](const Blocker* b) {
        return b->code == one.code && b->message == one.message;
      };
      if (std::ranges::none_of(distinct, same)) distinct.push_back(&one);
    }
    for (const Blocker* one : distinct) {
      auto at = std::ranges::find_if(ranks, [&](const Unlock& known) {
        return known.code == one->code && known.message == one->message;
      });
      if (at == ranks.end()) at = ranks.insert(at, {one->code, one->message, 0, 0, *one});
      ++at->all;
      at->alone += distinct.size() == 1;
    }
  }
  std::ranges::stable_sort(ranks, [](const Unlock& a, const Unlock& b) {
    return std::pair(a.alone, a.all) > std::pair(b.alone, b.all);
  });
  return ranks;
}

int check(const Options& options) {
  SourceMap sources;
  Diagnostics diags;
  read_signatures(options.signatures, sources, diags);
  for (const std::string& given : options.files)
    if (!is_directory(given) && !read_file(given))
      diags.report({}, diag::UnreadableFile, given, "no such file, or not readable");
  if (diags.has_errors()) {
    const bool color = wants_color(STDERR_FILENO, options.color);
    fmt::print(stderr, "{}", render_text(diags, sources, {.color = color}));
    return kUserError;
  }
  CheckReport report;
  std::set<std::string> mistakes;
  for (const std::string& given : options.files) {
    std::vector<PackageFile> files{{given, ""}};
    if (is_directory(given)) files = find_python_files(given);
    for (const PackageFile& file : files) {
      ++report.files;
      FileCheck(file.path, options, report, mistakes).run();
    }
  }
  const bool json = options.format == "json";
  fmt::print("{}", json ? render_check_json(report)
                        : render_check_table(report, terminal_width(),
                                             wants_color(STDOUT_FILENO, options.color)));
  for (const std::string& message : mistakes) fmt::print(stderr, "{}", message);
  return mistakes.empty() ? kOk : kUserError;
}

}  // namespace pyk2cu::cmd
