// Joins make phis; afterwards the trivial ones are replaced and those that nobody reads dropped.
//
// In, out: versions.h. Tested by tests/unit/typeinfer/versions_test.cpp.
#include <algorithm>
#include <unordered_set>

#include "typeinfer/scope/bound.h"
#include "typeinfer/scope/numbering.h"

namespace pyk2cu::scope {

void Numbering::join(const ast::Node& at, const std::vector<Way>& ways) {
  reachable_ = !ways.empty();
  if (ways.empty()) return;
  std::vector<uint32_t> differing;
  for (size_t k = 1; k < ways.size(); ++k)
    environments_.for_each_difference(
        ways[0].env, ways[k].env,
        [&](uint32_t name, VersionId, VersionId) { differing.push_back(name); });
  std::ranges::sort(differing);
  differing.erase(std::ranges::unique(differing).begin(), differing.end());
  env_ = ways[0].env;
  for (uint32_t name : differing) {
    const VersionId phi = add(Version::Kind::kPhi, names_[name], &at);
    for (const Way& way : ways) flow(phi, way.key, environments_.get(way.env, name));
    phi_places_.push_back({&at, phi});
    env_ = environments_.set(env_, name, phi);
  }
}

void Numbering::replace_trivial() {
  same_as_.resize(out_.all.size());
  for (VersionId v = 0; v < same_as_.size(); ++v) same_as_[v] = v;
  for (bool changed = true; changed;) {
    changed = false;
    for (VersionId v = 0; v < out_.all.size(); ++v) {
      if (out_.all[v].kind != Version::Kind::kPhi || resolve(v) != v) continue;
      VersionId only = kNoVersion;
      bool trivial = true;
      for (VersionId in : out_.all[v].incoming) {
        in = resolve(in);
        if (in == v || in == only) continue;
        if (only != kNoVersion) trivial = false;
        only = in;
      }
      if (!trivial || only == kNoVersion) continue;
      same_as_[v] = only;
      changed = true;
    }
  }
}

void Numbering::mark_live() {
  std::vector<VersionId> work;
  const auto touch = [&](VersionId v) {
    v = resolve(v);
    if (out_.all[v].live) return;
    out_.all[v].live = true;
    work.push_back(v);
  };
  for (const Read& r : reads_) touch(r.version);
  while (!work.empty()) {
    const VersionId v = work.back();
    work.pop_back();
    for (VersionId& in : out_.all[v].incoming) touch(in = resolve(in));
  }
}

void Numbering::mark_undefined() {
  for (Version& v : out_.all) v.maybe_undefined = v.kind == Version::Kind::kUndefined;
  for (bool changed = true; changed;) {
    changed = false;
    for (Version& v : out_.all)
      for (VersionId in : v.incoming)
        if (!v.maybe_undefined && out_.all[resolve(in)].maybe_undefined)
          v.maybe_undefined = changed = true;
  }
  for (const auto& [id, version] : out_.reads) {
    const Version& v = out_.all[version];
    if (v.kind == Version::Kind::kPhi && v.maybe_undefined) out_.guarded.insert(v.name);
  }
}

// A loop's target may be the C++ loop's own index if only the loop sees it.
void Numbering::find_plain_indices() {
  std::unordered_set<VersionId> flowing;
  for (const Version& v : out_.all)
    if (v.kind == Version::Kind::kPhi && v.live)
      for (VersionId in : v.incoming) flowing.insert(resolve(in));
  std::unordered_map<VersionId, Span> read_in;  // from the first read to the last
  for (const Read& r : reads_) {
    const auto [it, first] = read_in.try_emplace(resolve(r.version), r.span);
    if (!first) it->second = pyk2cu::join(it->second, r.span);
  }
  for (const ast::For* loop : for_loops_) {
    if (loop->body.empty()) continue;
    const Span body = pyk2cu::join(loop->body.front()->span, loop->body.back()->span);
    std::vector<Symbol> rebound;
    bound_names(*loop->target, rebound);
    for (const ast::Stmt* s : loop->body) bound_names(*s, rebound);
    const auto check = [&](const ast::Expr& e) {
      const auto* name = ast::as<ast::Name>(e);
      if (!name || std::count(rebound.begin(), rebound.end(), name->id) != 1) return;
      const auto stored = out_.stores.find(name->Node::id);
      if (stored == out_.stores.end() || flowing.contains(stored->second)) return;
      const auto read = read_in.find(stored->second);
      const bool outside =
          read != read_in.end() && (read->second.begin < body.begin || read->second.end > body.end);
      if (outside) return;
      out_.plain_index.insert(name->Node::id);
    };
    check(*loop->target);
    if (const auto* tuple = ast::as<ast::Tuple>(loop->target))
      for (const ast::Expr* item : tuple->elts) check(*item);
  }
}

void Numbering::finish() {
  std::unordered_set<Symbol> once;
  for (const Version& v : out_.all) {
    const bool binds = v.kind == Version::Kind::kAssign || v.kind == Version::Kind::kParam;
    if (binds && !once.insert(v.name).second) out_.rebound.insert(v.name);
  }
  replace_trivial();
  mark_live();
  for (auto& [id, version] : out_.reads) version = resolve(version);
  for (auto& [key, version] : out_.captures) version = resolve(version);
  mark_undefined();
  find_plain_indices();
  const auto kept = [&](VersionId v) { return resolve(v) == v && out_.all[v].live; };
  for (const auto& [key, f] : flows_)
    if (kept(f.phi)) out_.edges[key].push_back({f.phi, resolve(f.from)});
  for (const auto& [at, phi] : phi_places_)
    if (kept(phi)) (out_.all[phi].header ? out_.headers : out_.joins)[at->id].push_back(phi);
}

}  // namespace pyk2cu::scope
