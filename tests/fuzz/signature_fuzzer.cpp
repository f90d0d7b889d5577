// libFuzzer on signatures: no text may crash, hang or break a rule.
//
// In:   bytes; the first chooses the entry (--sig text, comment, type, a file that uses it).
// Out:  nothing; aborts when a result is half made or a caret stands outside the file.
// Build: cmake -DPYK2CU_FUZZERS=ON with clang++; run: signature_fuzzer -max_len=400 CORPUS
#include <cstdint>
#include <cstdlib>
#include <string>

#include "frontend/diag/render.h"
#include "frontend/parse/parser.h"
#include "typeinfer/signature/signature.h"

namespace pyk2cu {

namespace {

struct NoNames : signature::Names {
  const ast::Expr* find_assigned(Symbol) const override { return nullptr; }
  std::string qualified(Symbol name) const override { return "numba." + std::string(name.str()); }
};

void check(bool holds) {
  if (!holds) std::abort();
}

void check(const std::vector<signature::Signature>& all) {
  for (const signature::Signature& one : all) {
    check(one.params.size() == one.param_spans.size());
    for (const types::Type* type : one.params) check(type != nullptr);
    signature::print(one);
  }
}

void evaluate_file(const SourceFile& file, Diagnostics& diags) {
  const ast::Module module = frontend::parse(file, diags);
  const NoNames names;
  for (const ast::Stmt* stmt : module.body) {
    const auto* expr = ast::as<ast::ExprStmt>(stmt);
    if (!expr) continue;
    check(signature::evaluate(*expr->value, names, file, diags));
    signature::evaluate_type(*expr->value, names, file, diags);
  }
}

}  // namespace

}  // namespace pyk2cu

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pyk2cu;
  if (size == 0) return 0;
  SourceMap sources;
  sources.add("first.py", "x = 1\n");
  const SourceFile& file =
      sources.add("t.py", std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  Diagnostics diags;
  switch (data[0] % 4) {
    case 0:
      check(signature::parse(file.text, file, diags));
      break;
    case 1:
      check(signature::parse_named(file.text, file, diags).signatures);
      break;
    case 2:
      if (const types::Type* type = signature::parse_type(file.text, file, diags)) {
        const SourceFile& again = sources.add("again", types::print(type));
        Diagnostics more;
        check(signature::parse_type(again.text, again, more) == type);
      }
      break;
    default:
      evaluate_file(file, diags);
  }
  for (const Diagnostic& d : diags.all()) {
    check(d.span.begin >= file.base && d.span.end >= d.span.begin);
    check(d.span.end <= file.base + file.text.size());
  }
  render_text(diags, sources);
  render_json(diags, sources);
  return 0;
}
