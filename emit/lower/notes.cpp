// Notes about loops: see notes.h.
#include "emit/lower/notes.h"

namespace pyk2cu::emit {

namespace {

// f(float64[:], int64)
std::string signature_of(const ir::Function& f) {
  std::string params;
  for (const ir::Param& p : f.params) {
    const types::Type* type =
        types::replace_layout(p.local->type, types::Layout::kAny, types::Layout::kA);
    params += (params.empty() ? "" : ", ") + types::print(type);
  }
  return std::string(f.name.str()) + "(" + params + ")";
}

}  // namespace

void LoopNotes::call(const ir::Function& f, const ir::Stmt* loop, std::string what) {
  const auto known = places_.find({f.span.begin, loop->span.begin, signature_of(f)});
  if (known == places_.end()) return add(f, loop, {.what = std::move(what)});
  if (!keeps_) all_[known->second].what = std::move(what);
}

void LoopNotes::also(const ir::Function& f, const ir::Stmt* loop, const std::string& why) {
  const auto known = places_.find({f.span.begin, loop->span.begin, signature_of(f)});
  if (known == places_.end()) return add(f, loop, {.what = "vectors", .why = why});
  if (keeps_) return;
  std::string& all = all_[known->second].why;
  all += (all.empty() ? "" : "; ") + why;
}

void LoopNotes::add(const ir::Function& f, const ir::Stmt* loop, Verdict verdict) {
  LoopNote note{f.span,     std::string(f.name.str()), signature_of(f),
                loop->span, std::move(verdict.what),   std::move(verdict.why),
                verdict.at, std::move(verdict.help)};
  const auto [at, is_new] =
      places_.try_emplace({note.function.begin, note.loop.begin, note.signature}, all_.size());
  if (is_new)
    all_.push_back(std::move(note));
  else if (!keeps_)
    all_[at->second] = std::move(note);
}

}  // namespace pyk2cu::emit
