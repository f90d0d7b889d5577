// The graph of who mentions whom, by text alone. In, out: uncompiled.h.
#include "typeinfer/infer/uncompiled.h"

#include <algorithm>
#include <map>

#include "typeinfer/scope/versions.h"

namespace pyk2cu::infer {

using decorators::Definition;
using decorators::DefinitionKind;

namespace {

using Definitions = std::set<const Definition*>;

// `helpers.scale(x)` where `helpers` is a file beside this one
void find_members(const ast::Node& node, const decorators::ModuleInfo& module, Definitions& out) {
  const auto* attribute = ast::as<ast::Attribute>(node);
  const auto* base = attribute ? ast::as<ast::Name>(attribute->value) : nullptr;
  if (base) {
    const decorators::Binding& binding = module.find(base->id);
    if (binding.kind == decorators::Binding::Kind::kModule)
      out.insert(binding.module->find(attribute->attr).definition);
  }
  ast::for_each_child(node, [&](const ast::Node& child) { find_members(child, module, out); });
}

Definitions mentioned_by(const Definition& d) {
  const ast::Node& node =
      d.def ? static_cast<const ast::Node&>(*d.def) : static_cast<const ast::Node&>(*d.lambda);
  Definitions out;
  for (const Symbol name : scope::free_names(node)) out.insert(d.module->find(name).definition);
  find_members(node, *d.module, out);
  out.erase(nullptr);
  out.erase(&d);
  return out;
}

class Graph {
 public:
  // All that one of `from` mentions, directly or through others; of `from` only what another, or a
  // ring, leads to.
  Definitions below(const Definitions& from) {
    Definitions seen;
    std::vector<const Definition*> work(from.begin(), from.end());
    while (!work.empty()) {
      const Definition* d = work.back();
      work.pop_back();
      for (const Definition* next : edges(*d))
        if (seen.insert(next).second) work.push_back(next);
    }
    return seen;
  }

 private:
  const Definitions& edges(const Definition& d) {
    const auto [at, fresh] = edges_.try_emplace(&d);
    if (fresh) at->second = mentioned_by(d);
    return at->second;
  }

  std::map<const Definition*, Definitions> edges_{};
};

bool is_entry(const Definition& d) {
  return d.exported && d.signatures.empty() && decorators::is_entry(d.kind);
}

}  // namespace

Uncompiled sort_uncompiled(const decorators::Sources& sources, const Definitions& compiled) {
  Graph graph;
  std::vector<const Definition*> lazy;
  Definitions typed;
  for (const auto& d : sources.definitions) {
    const bool untyped = !compiled.contains(d.get()) && (is_entry(*d) || d->helper);
    if (untyped) lazy.push_back(d.get());
    if (!untyped && (d->decorator.valid() || compiled.contains(d.get()))) typed.insert(d.get());
  }
  Uncompiled out;
  const Definitions dropped = graph.below(typed);
  Definitions open;
  for (const Definition* d : lazy)
    if (!dropped.contains(d) && is_entry(*d)) open.insert(d);
  Definitions covered;  // by an entry point that is in the list
  const auto report = [&](const Definition* d) {
    if (!open.contains(d) || !covered.insert(d).second) return;
    out.without_types.push_back(d);
    covered.merge(graph.below({d}));
  };
  const Definitions called = graph.below(open);
  for (const Definition* d : lazy)
    if (!called.contains(d)) report(d);
  for (const Definition* d : lazy) report(d);  // what calls each other in a ring
  for (const Definition* d : lazy)
    if (!covered.contains(d)) out.left_out.push_back(d);
  return out;
}

}  // namespace pyk2cu::infer
