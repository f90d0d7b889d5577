// The loops of array expressions: see nests.h.
#include "typeinfer/infer/nests.h"

#include <algorithm>
#include <unordered_set>

#include "typeinfer/infer/emitter.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::infer {

void Nests::add(Emitter& in, Nest nest, size_t begin, size_t locals) {
  const auto& all = in.context().function().locals;
  const ir::Local* result = nest.result;
  ends_[in.block().back()] = result;
  made_.insert_or_assign(result, Made{std::move(nest),
                                      in.block()[begin],
                                      in.block().back(),
                                      {all.begin() + int64_t(locals), all.end()}});
}

std::optional<Nest> Nests::take(Emitter& in, const ir::Expr* e) {
  const auto found = made_.find(ir::loaded(e));
  ir::Block& block = in.block();
  if (found == made_.end() || block.empty() || block.back() != found->second.last)
    return std::nullopt;
  const auto first = std::find(block.begin(), block.end(), found->second.first);
  if (first == block.end()) return std::nullopt;
  Made made = std::move(found->second);
  made_.erase(found);
  ends_.erase(block.back());
  block.erase(first, block.end());
  const std::unordered_set<const ir::Local*> own(made.locals.begin(), made.locals.end());
  std::erase_if(in.context().function().locals,
                [&](const ir::Local* one) { return own.contains(one); });
  return std::move(made.nest);
}

ir::Expr* Nests::once_ahead(Emitter& in, ir::Expr* e, std::string_view stem) const {
  ir::Block& block = in.block();
  size_t at = block.size();
  std::unordered_set<const ir::Local*> results;
  while (at > 0) {
    const auto end = ends_.find(block[at - 1]);
    const auto nest = end == ends_.end() ? made_.end() : made_.find(end->second);
    if (nest == made_.end() || nest->second.last != block[at - 1]) break;
    while (at > 0 && block[--at] != nest->second.first) continue;
    results.insert(nest->first);
  }
  bool stays = ir::has_effect(e) || (effects_ > 0 && ir::reads_memory(e));
  ir::for_each_subexpr(std::as_const(e), [&](const ir::Expr* part) {
    stays = stays || results.contains(ir::loaded(part));
  });
  if (at == block.size() || stays) return in.once(e, stem);
  const ir::Block behind(block.begin() + int64_t(at), block.end());
  block.resize(at);
  ir::Expr* held = in.once(e, stem);
  in.emit_all(behind);
  return held;
}

}  // namespace pyk2cu::infer
