// The table and the JSON of `pyk2cu check`. In, out: check.h.
//
// Tested by tests/run/test_check.py.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cmd/pyk2cu/check.h"
#include "frontend/base/counted.h"
#include "frontend/base/utf8.h"
#include "frontend/diag/diagnostics.h"

namespace pyk2cu::cmd {
namespace {

struct Totals {
  int functions = 0, compile = 0, need_signature = 0, proposals = 0, proposals_compile = 0,
      stop = 0;
};

Totals totals_of(const CheckReport& report) {
  Totals t;
  for (const CheckedFunction& row : report.functions) {
    ++t.functions;
    t.compile += row.has_types && row.compiles();
    t.need_signature += !row.has_types;
    t.proposals += !row.proposal.empty();
    t.proposals_compile += !row.has_types && row.compiles();
    t.stop += !row.blockers.empty();
  }
  return t;
}

std::string_view status_of(const CheckedFunction& row) {
  if (!row.blockers.empty()) return "stops";
  return row.has_types ? "compiles" : "needs_signature";
}

std::string place_of(const Blocker& one, const std::string& here) {
  if (one.line == 0) return "";
  if (one.file == here) return fmt::format("line {}", one.line);
  return fmt::format("{}:{}", one.file, one.line);
}

std::string describe(const Blocker& one, const CheckedFunction& row) {
  const std::string place = place_of(one, row.file);
  std::string text = one.message;
  if (!place.empty()) text = fmt::format("{}: {}", place, text);
  if (!one.function.empty() && one.function != row.name)
    text = fmt::format("`{}`, {}", one.function, text);
  return fmt::format("{} [{}]", text, code_name(one.code));
}

// Cuts a line to the width of the terminal; `…` stands where something was cut.
std::string clip(const std::string& line, int width) {
  if (width < 20) return line;
  std::string out;
  int cells = 0;
  for (size_t at = 0; at < line.size();) {
    const size_t from = at;
    cells += display_width(next_code_point(line, at));
    if (cells > width - 1 && at < line.size()) return out + "…";
    out += line.substr(from, at - from);
  }
  return out;
}

class Table {
 public:
  Table(int width, bool color) : width_(width), color_(color) {}

  std::string render(const CheckReport& report) {
    size_t widest = 0;
    for (const CheckedFunction& row : report.functions) widest = std::max(widest, row.name.size());
    names_ = int(std::min<size_t>(widest, width_ > 0 ? std::max(12, width_ / 4) : 40));
    files(report);
    summary(report);
    return std::move(out_);
  }

 private:
  static constexpr std::string_view kBold = "1", kGood = "32", kOpen = "33", kBad = "31";

  void line(const std::string& text, std::string_view tone = "") {
    const std::string shown = clip(text, width_);
    out_ +=
        color_ && !tone.empty() ? fmt::format("\x1b[{}m{}\x1b[0m\n", tone, shown) : shown + "\n";
  }

  void files(const CheckReport& report) {
    std::string file;
    for (const CheckedFunction& row : report.functions) {
      if (row.file != file) line(row.file, kBold);
      file = row.file;
      function(row);
    }
    for (const BrokenFile& one : report.broken) {
      line(one.file, kBold);
      const std::string place = place_of(one.blocker, one.file);
      line(fmt::format("       cannot be read: {}{}{} [{}]", place, place.empty() ? "" : ": ",
                       one.blocker.message, code_name(one.blocker.code)),
           kBad);
    }
  }

  void function(const CheckedFunction& row) {
    const std::string head = fmt::format("{:>5}  {:{}}  ", row.line, row.name, names_);
    if (row.blockers.empty() && row.has_types)
      return line(head + (row.from_calls ? "compiles as it is, with the types of its calls"
                                         : "compiles as it is"),
                  kGood);
    const bool open = !row.has_types;
    if (open && row.proposal.empty() && row.blockers.empty())
      return line(
          fmt::format("{}needs a signature; none can be proposed: {}", head, row.no_proposal),
          kOpen);
    if (row.blockers.empty())
      return line(fmt::format("{}needs a signature; compiles with `{}`", head, row.proposal),
                  kOpen);
    line(fmt::format("{}stops at {}", head, describe(row.blockers[0], row)), kBad);
    if (row.blockers.size() > 1)
      line(fmt::format("{:{}}and at {} more", "", head.size(), row.blockers.size() - 1), kBad);
    if (open && !row.proposal.empty())
      line(fmt::format("{:{}}needs a signature; tried `{}`", "", head.size(), row.proposal), kOpen);
  }

  void summary(const CheckReport& report) {
    const Totals t = totals_of(report);
    if (!out_.empty()) out_ += "\n";
    line(fmt::format("{} in {}: as is {}, with a signature {}, stopped {}",
                     counted(t.functions, "function"), counted(report.files, "file"), t.compile,
                     t.functions - t.compile - t.stop, t.stop),
         kBold);
    if (t.proposals > 0)
      line(fmt::format("{} of {} proposed signatures compile", t.proposals_compile, t.proposals));
    if (!report.broken.empty()) line(counted(report.broken.size(), "file") + " cannot be read");
    unlocks(report);
  }

  void unlocks(const CheckReport& report) {
    constexpr size_t kShown = 10;
    const std::vector<Unlock> ranks = rank_unlocks(report);
    if (ranks.empty()) return;
    out_ += "\n";
    line("what would unlock most (functions that it alone stops, of all that it stops):", kBold);
    for (size_t k = 0; k < std::min(ranks.size(), kShown); ++k) {
      const Unlock& one = ranks[k];
      line(fmt::format("{:>5} of {:<4} {} [{}], as in {}:{}", one.alone, one.all, one.message,
                       code_name(one.code), one.example.file, one.example.line));
    }
    if (ranks.size() > kShown) line(fmt::format("      and {} others", ranks.size() - kShown));
  }

  int width_;
  bool color_;
  int names_ = 0;
  std::string out_;
};

using Json = nlohmann::ordered_json;

Json to_json(const Blocker& one) {
  Json out{{"code", code_name(one.code)},
           {"message", one.message},
           {"file", one.file},
           {"line", one.line},
           {"column", one.column}};
  out["function"] = one.function.empty() ? Json() : Json(one.function);
  return out;
}

Json to_json(const CheckedFunction& row) {
  Json out{{"file", row.file},
           {"line", row.line},
           {"function", row.name},
           {"status", status_of(row)},
           {"has_types", row.has_types}};
  out["proposal"] = row.proposal.empty() ? Json() : Json(row.proposal);
  out["compiles"] = row.compiles();
  if (!row.no_proposal.empty()) out["no_proposal"] = row.no_proposal;
  out["blockers"] = Json::array();
  for (const Blocker& one : row.blockers) out["blockers"].push_back(to_json(one));
  return out;
}

}  // namespace

std::string render_check_table(const CheckReport& report, int width, bool color) {
  return Table(width, color).render(report);
}

std::string render_check_json(const CheckReport& report) {
  const Totals t = totals_of(report);
  Json out{{"functions", Json::array()}, {"broken_files", Json::array()}};
  for (const CheckedFunction& row : report.functions) out["functions"].push_back(to_json(row));
  for (const BrokenFile& one : report.broken)
    out["broken_files"].push_back({{"file", one.file}, {"blocker", to_json(one.blocker)}});
  out["totals"] = {{"files", report.files},
                   {"functions", t.functions},
                   {"compile", t.compile},
                   {"need_signature", t.need_signature},
                   {"proposals", t.proposals},
                   {"proposals_compile", t.proposals_compile},
                   {"stop", t.stop}};
  out["unlocks"] = Json::array();
  for (const Unlock& one : rank_unlocks(report))
    out["unlocks"].push_back({{"code", code_name(one.code)},
                              {"message", one.message},
                              {"alone", one.alone},
                              {"all", one.all},
                              {"example", to_json(one.example)}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace pyk2cu::cmd
