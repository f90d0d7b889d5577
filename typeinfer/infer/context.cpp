// Reports and what a walk waits for: see context.h.
#include "typeinfer/infer/context.h"

namespace pyk2cu::infer {

Span Context::declared_at(const ir::Local* local) const {
  const std::vector<ir::Param>& params = instance_.function->params;
  if (params.size() > instance_.args.size()) return {};  // some argument is several parameters
  for (size_t k = 0; k < params.size(); ++k)
    if (params[k].local == local) return instance_.args[k].span;
  return {};
}

void Context::not_supported(Span span, std::string_view what, std::string_view help) {
  auto builder = report(span, diag::NotSupported, what);
  if (!help.empty()) builder.help(std::string(help));
}

void Context::wait_for(Symbol name, Span span) {
  pending();
  if (waiting_at_.valid() || list_at_.valid()) return;  // the first one explains the others
  waiting_for_ = name;
  waiting_at_ = span;
}

void Context::wait_for_items(Span span) {
  pending();
  if (!waiting_at_.valid() && !list_at_.valid()) list_at_ = span;
}

void Context::report_type_not_known() {
  const ir::Function& function = *instance_.function;
  if (list_at_.valid()) {
    report(list_at_, diag::ItemsNotKnown)
        .help("put something into it, by the name that it is given here");
    return;
  }
  report(waiting_at_.valid() ? waiting_at_ : function.span, diag::TypeNotKnown,
         waiting_for_ ? waiting_for_.str() : function.name.str())
      .help("assign a value of its type before it is read");
}

}  // namespace pyk2cu::infer
