// The program: every exported function that has types becomes an entry with its overloads.
//
// In, out: typeinfer.h. Functions without types that typed ones call are compiled for those calls;
// such a lazy function is exported with the types of the calls. Tested as typeinfer.h says.
#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>
#include <unordered_map>

#include "typeinfer/decorators/defaults.h"
#include "typeinfer/infer/infer.h"
#include "typeinfer/infer/ufunc.h"
#include "typeinfer/infer/uncompiled.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/walk.h"
#include "typeinfer/propose/propose.h"
#include "typeinfer/typeinfer.h"

namespace pyk2cu::typeinfer {

using decorators::Definition;
using decorators::DefinitionKind;
using infer::Instance;
using infer::Operand;
using types::Type;

namespace {

Span name_span(const Definition& d) {
  if (!d.def) return d.lambda->span;
  const Span whole = d.def->span;
  const uint32_t begin = whole.begin + 4;  // after "def "
  return {begin, begin + uint32_t(d.def->name.str().size())};
}

bool has_overload(const ir::Entry& entry, const std::vector<const Type*>& params) {
  return std::ranges::find(entry.overloads, params, &ir::Overload::params) != entry.overloads.end();
}

class Builder {
 public:
  Builder(const decorators::Sources& sources, ir::Program& program, Diagnostics& diags)
      : sources_(sources), program_(program), diags_(diags), unit_(sources, program) {}

  void run() {
    for (const Diagnostic& said : diags_.all()) is_new(said);
    for (const auto& definition : sources_.definitions)
      if (definition->exported && !definition->signatures.empty()) typed(*definition);
    for (const auto& definition : sources_.definitions)
      if (definition->exported && definition->signatures.empty()) lazy(*definition);
    report_uncompiled();
    finish();
  }

  // One function, with what it calls.
  void run(const Definition& only) {
    if (only.kind == DefinitionKind::kDevice || only.kind == DefinitionKind::kPlain ||
        only.helper) {
      for (const signature::Signature& sig : only.signatures)
        report(*unit_.instantiate(only, operands(sig.params, sig.param_spans), only.options,
                                  sig.result),
               only);
    } else {
      typed(only);
    }
    finish();
  }

 private:
  void finish() {
    for (const auto& one : sources_.exceptions)
      if (one->obstacle.empty()) program_.exceptions.push_back({one->name, one->text, one->bases});
    std::stable_sort(
        program_.entries.begin(), program_.entries.end(),
        [](const ir::Entry& a, const ir::Entry& b) { return a.span.begin < b.span.begin; });
    for (const ir::Entry& entry : program_.entries)
      for (const ir::Overload& overload : entry.overloads)
        for (auto variant = overload.variants.rbegin(); variant != overload.variants.rend();
             ++variant)
          add_function(variant->function);
    mark_functions();
    ir::analyse(program_);
    check_changed();
  }

  // ---- entries ----
  void typed(const Definition& d) {
    if (d.kind == DefinitionKind::kDevice) return;
    if (infer::is_generator(d)) return refuse_generator(d);
    ir::Entry entry = make_entry(d);
    if (entry.ufunc && !infer::check_operands(d, *entry.ufunc, diags_)) return;
    for (const signature::Signature& sig : d.signatures) {
      const std::vector<const Type*>& params = sig.params;
      if (std::any_of(params.begin(), params.end(),
                      [](const Type* t) { return !t || t->is_error(); }))
        continue;
      if ((entry.ufunc || d.options.dialect.target == types::Target::kCuda) && takes_list(sig))
        continue;
      if (has_overload(entry, params)) continue;
      if (entry.ufunc)
        add_loop(entry, d, sig);
      else
        add_overload(entry, d, params, sig.param_spans, sig.result);
    }
    if (entry.ufunc && d.lazy) narrow_first(entry);
    if (!entry.overloads.empty()) program_.entries.push_back(std::move(entry));
  }

  // Said, where Python would have to pass one.
  bool takes_list(const signature::Signature& sig) {
    const auto list = std::ranges::find_if(sig.params, types::holds_container);
    if (list == sig.params.end()) return false;
    const auto k = size_t(list - sig.params.begin());
    const Span at = k < sig.param_spans.size() ? sig.param_spans[k] : sig.span;
    diags_.report(at, diag::UnsupportedType, types::print(*list))
        .help(
            "take an array, `float64[:]` say: lists, sets and dicts are for functions of the CPU");
    return true;
  }

  static bool is_named(const Type* type) {
    return (type->is_tuple() && type->name) || std::ranges::any_of(type->items, is_named);
  }
  // What Python passes is given back as a whole: lists, sets, dicts and named tuples inside it
  // would be others afterwards.
  void check_changed() {
    for (const ir::Entry& entry : program_.entries)
      for (const ir::Overload& overload : entry.overloads)
        for (size_t k = 0; k < overload.params.size(); ++k) {
          const Type* type = overload.params[k];
          if (type->has_one_value() || !types::holds_container(type)) continue;
          const bool is_plain =
              type->is_container() && !types::holds_container(type->elem) && !is_named(type->elem);
          const ir::Param& param = overload.general()->params[size_t(overload.place_of(k))];
          if (is_plain || !param.written) continue;
          const Span at = k < overload.param_spans.size() ? overload.param_spans[k] : entry.span;
          diags_.report(at, diag::UnsupportedType, types::print(type))
              .help(
                  "the function changes it: take what is inside as an argument of its own, or "
                  "return what is new");
        }
  }

  static std::vector<Operand> operands(const std::vector<const Type*>& params,
                                       const std::vector<Span>& spans) {
    std::vector<Operand> args;
    for (const Type* type : params) {
      const Span span = args.size() < spans.size() ? spans[args.size()] : Span{};
      if (type->is_none()) {
        args.push_back({infer::None{}, span});
      } else if (type->is_str()) {
        args.push_back({infer::Str{type->name.str()}, span});
      } else {
        args.push_back({infer::Value(type), span});
      }
    }
    return args;
  }

  void add_overload(ir::Entry& entry, const Definition& d, const std::vector<const Type*>& params,
                    const std::vector<Span>& spans, const Type* result) {
    Instance* instance = unit_.instantiate(d, operands(params, spans), d.options, result);
    report(*instance, d);
    if (instance->state != infer::State::kDone) return note_left_out(d, *instance);
    instances_[instance->function] = instance;
    ir::Overload overload{params, instance->result, spans, {{{}, instance->function}}};
    add_contiguous(overload, d, params, spans, *instance);
    entry.overloads.push_back(overload);
    const bool makes_array = d.stencil && params.back()->is_none() && instance->result->is_array();
    if (!makes_array) return;
    std::vector<const Type*> into = params;  // out=
    into.back() = types::with_layout(instance->result, types::Layout::kA);
    if (!has_overload(entry, into)) add_overload(entry, d, into, spans, nullptr);
  }

  // NumPy takes the first loop that the inputs can be cast to safely. Types that were seen or
  // proposed have no order of their own: narrow ones come first.
  static void narrow_first(ir::Entry& entry) {
    const auto element = [](const Type* type) { return type->is_array() ? type->elem : type; };
    const auto fits = [&](const ir::Overload& from, const ir::Overload& to) {
      for (int k = 0; k < entry.ufunc->inputs; ++k)
        if (!types::is_safe_cast(element(from.params[size_t(k)]), element(to.params[size_t(k)])))
          return false;
      return true;
    };
    std::vector<ir::Overload> sorted;
    for (const ir::Overload& one : entry.overloads) {
      const auto wider = std::find_if(sorted.begin(), sorted.end(), [&](const ir::Overload& other) {
        return fits(one, other) && !fits(other, one);
      });
      sorted.insert(wider, one);
    }
    entry.overloads = std::move(sorted);
  }

  // A loop over elements that calls the function of one element.
  void add_loop(ir::Entry& entry, const Definition& d, const signature::Signature& sig) {
    if (!infer::check_types(d, *entry.ufunc, sig, diags_)) return;
    std::vector<const Type*> params;
    for (const Type* type : sig.params)
      params.push_back(type->is_array() ? types::with_layout(type, types::Layout::kA) : type);
    const Type* declared = d.kind == DefinitionKind::kGuvectorize ? types::void_() : sig.result;
    Instance* instance =
        unit_.instantiate(d, operands(params, sig.param_spans), d.options, declared);
    report(*instance, d);
    if (instance->state != infer::State::kDone) return note_left_out(d, *instance);
    if (!infer::check_result(d, *instance->function, diags_)) return;
    instances_[instance->function] = instance;
    ir::Overload core{params, instance->result, sig.param_spans, {{{}, instance->function}}};
    add_contiguous(core, d, params, sig.param_spans, *instance);
    ir::Overload loops = infer::make_loops(program_, *entry.ufunc, core);
    loops.params = sig.params;
    entry.overloads.push_back(std::move(loops));
  }

  void note_left_out(const Definition& d, const Instance& instance) {
    using Why = ir::LeftOut::Why;
    if (instance.diags.has_errors())
      return program_.left_out.push_back({d.name, name_span(d), Why::kOwnErrors});
    for (const Instance* callee : instance.callees)
      if (callee->state != infer::State::kDone)
        return program_.left_out.push_back(
            {d.name, name_span(d), Why::kCallee, callee->definition->name});
  }

  // The same source compiled with every `A` array parameter as C contiguous.
  void add_contiguous(ir::Overload& overload, const Definition& d, std::vector<const Type*> params,
                      const std::vector<Span>& spans, const Instance& general) {
    std::vector<ir::Guard> guards;
    for (size_t k = 0; k < params.size(); ++k) {
      if (!params[k]->is_array() || params[k]->layout != types::Layout::kA) continue;
      params[k] = types::with_layout(params[k], types::Layout::kC);
      guards.push_back({ir::Guard::Kind::kContiguous, overload.place_of(k)});
    }
    if (guards.empty()) return;
    Instance* variant = unit_.instantiate(d, operands(params, spans), d.options, general.declared);
    // What it returns of its arguments is contiguous there: as the general one has it.
    const bool infers = variant->state == infer::State::kDone && !general.declared;
    if (infers && general.result->is_array() && variant->result->is_array())
      variant = unit_.instantiate(d, operands(params, spans), d.options, general.result);
    if (variant->state != infer::State::kDone || variant->result != general.result) return;
    instances_[variant->function] = variant;
    overload.variants.insert(overload.variants.begin(), {guards, variant->function});
  }

  void lazy(const Definition& d) {
    if (!decorators::is_entry(d.kind)) return;
    if (infer::is_generator(d)) return;
    ir::Entry entry = make_entry(d);
    const std::vector<Instance*> known = unit_.instances_of(d);
    for (const Instance* instance : known) {
      if (instance->options.dialect != d.options.dialect) continue;
      std::vector<const Type*> params;
      for (const Operand& arg : instance->args)
        if (const Type* type = infer::argument_type(arg)) params.push_back(type);
      if (params.size() != instance->args.size() || !reached_.contains(instance)) continue;
      if (d.stencil && has_overload(entry, params)) continue;             // the one with out=
      if (std::ranges::any_of(params, types::holds_container)) continue;  // Python passes none
      // A kernel that others call as a device function, whose value they use.
      const bool returns = instance->result && instance->result != types::void_();
      if (d.kind == DefinitionKind::kKernel && returns) continue;
      if (entry.ufunc)
        add_loop(entry, d, {nullptr, params, {}, {}, entry.span});
      else
        add_overload(entry, d, params, {}, nullptr);
    }
    if (entry.ufunc) narrow_first(entry);
    if (!entry.overloads.empty()) program_.entries.push_back(std::move(entry));
  }

  void report_uncompiled() {
    std::set<const Definition*> compiled;  // or tried: a call that failed was reported there
    for (const Instance* instance : unit_.instances()) compiled.insert(instance->definition);
    const infer::Uncompiled uncompiled = infer::sort_uncompiled(sources_, compiled);
    report_no_types(uncompiled.without_types);
    if (!diags_.has_errors() && !program_.entries.empty()) report_left_out(uncompiled.left_out);
    report_in_loops();
  }

  void refuse_generator(const Definition& d) {
    program_.left_out.push_back({d.name, name_span(d), ir::LeftOut::Why::kOwnErrors});
    diags_.report(name_span(d), diag::GeneratorCalled, d.name.str())
        .help(
            "loop over it in another compiled function, which may return an array of what it "
            "yields; without a signature it is compiled for that loop");
  }

  // One message for each file.
  void report_no_types(const std::vector<const Definition*>& without_types) {
    std::vector<std::vector<const Definition*>> files;
    for (const Definition* d : without_types) {
      if (infer::is_generator(*d)) {
        refuse_generator(*d);
        continue;
      }
      program_.left_out.push_back({d->name, name_span(*d), ir::LeftOut::Why::kNoTypes});
      if (d->arguments().kwarg) {
        decorators::report_keyword_rest(*d, diags_);
      } else if (files.empty() || files.back().front()->module != d->module) {
        files.push_back({d});
      } else {
        files.back().push_back(d);
      }
    }
    for (const auto& functions : files) {
      if (functions.size() > 1) {
        report_without_types(functions);
      } else {
        report_without_types(*functions.front());
      }
    }
  }

  void report_without_types(const Definition& d) {
    const std::string example = proposer().text(d);
    diags_.report(name_span(d), diag::NoTypes, "`" + std::string(d.name.str()) + "` has", "its")
        .help("write `# pyk2cu: sig " + example + "` above it, or pass --sig '" + example +
              "', or give the decorator a signature; `--keep-going` leaves it out");
  }

  void report_without_types(const std::vector<const Definition*>& functions) {
    const SourceFile& file = *functions.front()->module->ast->file;
    const std::string sidecar =
        std::filesystem::path(file.path).replace_extension(".sig").filename().string();
    std::string text = fmt::format(
        "a file `{}` beside it may hold their types; these are proposed from use, so check them:",
        sidecar);
    for (const Definition* d : functions) {
      const uint32_t at = name_span(*d).begin - file.base;
      const auto line = std::ranges::upper_bound(file.lines, at) - file.lines.begin();
      const propose::Proposal& proposal = proposer().of(*d);
      text +=
          fmt::format("\n{}{}  # line {}", proposal.stuck ? "# " : "", proposer().text(*d), line);
      if (proposal.stuck) text += fmt::format(": `{}` is {}", proposal.stuck.str(), proposal.why);
    }
    diags_.report(name_span(*functions[0]), diag::NoTypes, list_names(functions) + " have", "their")
        .help(text)
        .help(
            "a comment `# pyk2cu: sig …` above a function, or a signature in its decorator, do "
            "the same");
  }

  // `a`, `b` and `c`; of many, the first three.
  static std::string list_names(const std::vector<const Definition*>& functions) {
    const size_t count = functions.size(), shown = count > 4 ? 3 : count;
    std::string names;
    for (size_t k = 0; k < shown; ++k) {
      names += k == 0 ? "" : k + 1 == count ? " and " : ", ";
      names += "`" + std::string(functions[k]->name.str()) + "`";
    }
    if (shown < count) names += fmt::format(" and {} others", count - shown);
    return names;
  }

  // One note for all of them.
  void report_left_out(const std::vector<const Definition*>& left_out) {
    if (left_out.empty()) return;
    const bool one = left_out.size() == 1;
    auto said = diags_.report(name_span(*left_out[0]), diag::LeftOut,
                              list_names(left_out) + (one ? " is" : " are"), one ? "it" : "them");
    for (const Definition* d : left_out) {
      if (d->helper) continue;
      const std::string example = proposer().text(*d);
      said.help("types of its own put it into the module: `# pyk2cu: sig " + example + "`");
      break;
    }
  }

  // Generators that are compiled, of which the module has no functions.
  void report_in_loops() {
    std::vector<const Definition*> all;
    for (const auto& d : sources_.definitions) {
      const auto is_reached = [&](const Instance* one) { return reached_.contains(one); };
      if (d->exported && infer::is_generator(*d) &&
          std::ranges::any_of(unit_.instances_of(*d), is_reached))
        all.push_back(d.get());
    }
    if (all.empty()) return;
    const bool one = all.size() == 1;
    diags_.report(name_span(*all[0]), diag::InLoops, list_names(all) + (one ? " is" : " are"),
                  one ? "it" : "them");
  }

  ir::Entry make_entry(const Definition& d) {
    ir::Entry entry;
    entry.name = d.name;
    entry.kind =
        d.kind == DefinitionKind::kKernel ? ir::FunctionKind::kKernel : ir::FunctionKind::kHost;
    entry.span = d.def ? d.def->span : d.lambda->span;
    entry.param_names = decorators::parameter_names(d);
    entry.rest = decorators::rest_of(d);
    entry.ufunc = d.ufunc;
    for (size_t k = 0; k < entry.param_names.size(); ++k)
      entry.defaults.push_back(default_of(d, k, entry.param_names[k]));
    if (d.def && !d.def->body.empty())
      if (const auto* s = ast::as<ast::ExprStmt>(d.def->body[0]))
        if (const auto* doc = ast::as<ast::Constant>(s->value);
            doc && doc->value.tag == ast::ConstantValue::kStr)
          entry.doc = program_.keep(std::string(doc->value.text));
    return entry;
  }

  ir::Default default_of(const Definition& d, size_t k, Symbol name) {
    const ast::Expr* fallback = decorators::default_of(d, k);
    if (!fallback) return {};
    const std::optional<fold::Value> value = decorators::default_value(d, *fallback);
    if (value && decorators::type_of_default(*value)) return to_default(*value, name);
    diags_.report(fallback->span, diag::DefaultLost, name.str(),
                  value                           ? "no value that an argument can have here"
                  : ast::is<ast::List>(*fallback) ? "a list, which calls would share"
                                                  : "not known from the text",
                  d.name.str());
    return {};
  }

  ir::Default to_default(const fold::Value& v, Symbol name) {
    using FoldKind = fold::Value::Kind;
    using ValueKind = ir::Value::Kind;
    const bool is_array = v.kind == FoldKind::kArray;
    ir::Default out{.present = true, .type = fold::type_of(v)};
    out.is_numpy = v.type && !is_array;
    if (is_array) out.array = program_.make<ir::GlobalArray>(name, out.type, v.shape, v.bytes);
    out.value.integer = int64_t(v.integer);
    out.value.number = v.number;
    out.value.kind = v.kind == FoldKind::kBool      ? ValueKind::kBool
                     : v.kind == FoldKind::kInt     ? ValueKind::kInt
                     : v.kind == FoldKind::kFloat   ? ValueKind::kFloat
                     : v.kind == FoldKind::kComplex ? ValueKind::kComplex
                     : v.kind == FoldKind::kStr     ? ValueKind::kStr
                                                    : ValueKind::kNone;
    if (v.kind == FoldKind::kStr) out.value.text = program_.keep(v.text);
    for (const fold::Value& item : v.items) out.items.push_back(to_default(item, name));
    return out;
  }

  propose::Proposer& proposer() {
    if (!proposer_) proposer_ = std::make_unique<propose::Proposer>(sources_);
    return *proposer_;
  }

  // ---- what is reached ----
  void report(const Instance& instance, const Definition& root) {
    if (!reached_.insert(&instance).second) return;
    for (const Instance* callee : instance.callees) report(*callee, root);
    const auto& library = sources_.library;  // of its functions the caller has said it
    const bool own = std::ranges::find(library, instance.definition->module) != library.end();
    if (own) return void(instances_[instance.function] = &instance);
    for (const Diagnostic& said : instance.diags.all())
      if (is_new(said)) diags_.append(said, instance.definition == &root ? "" : root.name.str());
    instances_[instance.function] = &instance;
  }

  // What a function says for one list of types it need not say again for another.
  bool is_new(const Diagnostic& said) {
    return said_.emplace(said.code, said.span.begin, said.span.end, said.message).second;
  }

  void add_function(ir::Function* function) {
    if (!added_.insert(function).second) return;
    if (const auto known = instances_.find(function); known != instances_.end()) {
      for (const Instance* callee : known->second->callees) {
        instances_[callee->function] = callee;
        add_function(callee->function);
      }
    } else {  // a loop, which calls the function of one element
      ir::for_each_expr_in(function->body, [&](ir::Expr* e) {
        if (auto* call = ir::try_as<ir::Call>(e)) add_function(call->callee);
      });
    }
    program_.functions.push_back(function);
  }

  void mark_functions() {
    for (const ir::Entry& entry : program_.entries)
      for (const ir::Overload& overload : entry.overloads)
        for (const ir::Variant& variant : overload.variants) variant.function->is_root = true;
    std::unordered_map<Symbol, int> count;
    for (const ir::Function* f : program_.functions) ++count[f->name];
    for (ir::Function* f : program_.functions) f->shares_name = count[f->name] > 1;
  }

  const decorators::Sources& sources_;
  ir::Program& program_;
  Diagnostics& diags_;
  infer::Unit unit_;
  std::unique_ptr<propose::Proposer> proposer_{};
  std::set<const Instance*> reached_{};
  std::set<std::tuple<int, uint32_t, uint32_t, std::string>> said_{};
  std::map<const ir::Function*, const Instance*> instances_{};
  std::set<const ir::Function*> added_{};
};

}  // namespace

ir::Program infer(const decorators::Sources& sources, Diagnostics& diags) {
  ir::Program program;
  if (!sources.modules.empty()) program.module_name = sources.modules.front()->name;
  Builder(sources, program, diags).run();
  return program;
}

ir::Program infer_one(const decorators::Sources& sources, const Definition& definition,
                      Diagnostics& diags) {
  ir::Program program;
  program.module_name = definition.module->name;
  Builder(sources, program, diags).run(definition);
  return program;
}

}  // namespace pyk2cu::typeinfer
