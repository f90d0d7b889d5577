// All functions of a module read in turn: callees before callers, then callers' arguments back.
//
// In, out: propose.h.
#include "typeinfer/propose/propose.h"

#include <set>

#include "typeinfer/decorators/defaults.h"
#include "typeinfer/propose/reader.h"

namespace pyk2cu::propose {

using decorators::Definition;
using types::Type;

struct Proposer::State {
  explicit State(const decorators::Sources& from) : sources(from) {}

  // What a function takes and returns; nothing while it is being read (recursion).
  const Known& known(const Definition& d) {
    const auto [at, is_new] = known_.try_emplace(&d);
    if (is_new) read(d);
    return known_.at(&d);
  }

  void read(const Definition& d) {
    if (!d.signatures.empty()) {
      Known& known = known_[&d];
      for (const Type* type : d.signatures.front().params) known.params.push_back({type});
      known.result.type = d.signatures.front().result;
      if (known.result.type) return;
    }
    Reader reader(d, [this](const Definition& callee) -> const Known& { return known(callee); });
    Reading& out = reader.out();
    Guesses& guesses = out.guesses;
    const auto hints = hints_.find(&d);
    for (size_t k = 0; hints != hints_.end() && k < out.params.size(); ++k)
      if (k < hints->second.size() && !guesses.is_told(out.params[k]))
        guesses.say(out.params[k], hints->second[k].type, hints->second[k].has_number);
    if (d.ufunc) limit_ranks(d, out);
    guesses.solve();
    Known made;
    Proposal proposal;
    for (size_t k = 0; k < out.params.size(); ++k) {
      const Id param = out.params[k];
      const Type* type = d.signatures.empty() ? guesses.type(param) : nullptr;
      made.params.push_back(guesses.evidence(param));
      proposal.params.push_back(type);
    }
    made.result = guesses.evidence(out.result);
    finish(d, out, proposal);
    note_calls(out);
    if (d.signatures.empty())
      known_[&d] = std::move(made);
    else
      known_[&d].result = made.result;
    proposals_[&d] = std::move(proposal);
  }

  // A universal function gets one number of each array, or as many dimensions as its layout says.
  static void limit_ranks(const Definition& d, Reading& out) {
    const bool is_core = d.kind == decorators::DefinitionKind::kGuvectorize;
    for (size_t k = 0; k < out.params.size(); ++k) {
      if (!is_core) out.guesses.at_most(out.params[k], 0);
      if (!is_core || k >= d.ufunc->cores.size()) continue;
      const int rank = int(d.ufunc->cores[k].size());
      const bool is_output = int(k) >= d.ufunc->inputs;
      out.guesses.at_most(out.params[k], std::max(rank, 1));
      out.guesses.at_least(out.params[k], is_output ? std::max(rank, 1) : rank);
    }
  }

  // *args is a tuple of two; a last parameter with a default may keep it, others say its type.
  void finish(const Definition& d, Reading& out, Proposal& proposal) {
    const ast::Arguments& args = d.arguments();
    if (d.stencil && d.parameters) proposal.params.pop_back();  // out=
    const std::vector<Symbol> names = parameter_names(d);
    const size_t positional = args.posonlyargs.size() + args.args.size();
    for (size_t k = 0; k < proposal.params.size(); ++k) {
      const bool is_rest = args.vararg && k == positional;
      const Type*& type = proposal.params[k];
      if (!is_rest || (type && type->items.size() > 1)) continue;
      const Type* item = type && type->is_tuple() ? type->items[0] : types::float64();
      type = types::tuple({item, item});
    }
    const size_t first = positional - args.defaults.size();
    while (!proposal.params.empty() && !proposal.params.back() && !args.vararg &&
           args.kwonlyargs.empty() && proposal.params.size() > first)
      proposal.params.pop_back();
    for (size_t k = 0; k < proposal.params.size(); ++k) {
      if (!proposal.params[k]) proposal.params[k] = type_of_default(d, k);
      if (proposal.params[k] || proposal.stuck) continue;
      proposal.stuck = names[k];
      const Form form = out.guesses.form(out.params[k]);
      proposal.why = form == Form::kFunction ? "a function"
                     : form == Form::kText   ? "text"
                                             : "an object";
    }
  }

  // Null: there is none, or it is no value that stands for others.
  static const Type* type_of_default(const Definition& d, size_t k) {
    const ast::Expr* fallback = decorators::default_of(d, k);
    const auto value = fallback ? decorators::default_value(d, *fallback) : std::nullopt;
    const Type* type = value ? decorators::type_of_default(*value) : nullptr;
    return type && !type->is_none() ? type : nullptr;
  }

  void note_calls(Reading& out) {
    for (const CallSite& site : out.calls) {
      std::vector<Evidence>& hints = hints_[site.callee];
      hints.resize(std::max(hints.size(), site.args.size()));
      for (size_t k = 0; k < site.args.size(); ++k)
        if (site.args[k] >= 0 && !hints[k].type) hints[k] = out.guesses.evidence(site.args[k]);
    }
  }

  const decorators::Sources& sources;
  std::map<const Definition*, Known> known_{};
  std::map<const Definition*, std::vector<Evidence>> hints_{};
  std::map<const Definition*, Proposal> proposals_{};
};

Proposer::Proposer(const decorators::Sources& sources) : state_(std::make_unique<State>(sources)) {
  constexpr int kRounds = 3;  // callers tell callees, and these tell theirs
  for (int round = 0; round < kRounds; ++round) {
    state_->known_.clear();
    for (const auto& definition : sources.definitions) state_->known(*definition);
  }
}

Proposer::~Proposer() = default;

const Proposal& Proposer::of(const Definition& definition) {
  state_->known(definition);
  return state_->proposals_[&definition];
}

std::string Proposer::types_text(const Definition& definition) {
  std::string text;
  for (const Type* type : of(definition).params)
    text += (text.empty() ? "" : ", ") + (type ? types::print(type) : std::string("?"));
  return "(" + text + ")";
}

std::string Proposer::text(const Definition& definition) {
  return std::string(definition.name.str()) + types_text(definition);
}

}  // namespace pyk2cu::propose
