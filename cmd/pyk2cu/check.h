// `pyk2cu check`: what each function of a package needs in order to be compiled.
//
// In:   files and directories.  Out: a table, or JSON, on stdout; nothing is written.
// Rule: a function that has types is compiled by them; one without, by those that are proposed from
//       its text (typeinfer/propose). Whatever a file holds makes a row, never an end: the exit
//       code is 0 when the check itself ran, and 1 for a path that cannot be read and for mistakes
//       in what --sig gives.
// Tested by tests/run/test_check.py.
#pragma once

#include <string>
#include <vector>

#include "cmd/pyk2cu/options.h"

namespace pyk2cu::cmd {

// What a function stops at.
struct Blocker {
  int code = 0;
  std::string message{};
  std::string file{};
  int line = 0, column = 0;
  std::string function{};  // that holds the place; a callee of the row's function maybe
};

struct CheckedFunction {
  std::string file{};
  int line = 0;
  std::string name{};
  bool has_types = false;  // a signature, or calls from functions that have one
  bool from_calls = false;
  std::string proposal{};  // `f(float64[:], int64)`; empty: it has types, or none can be proposed
  std::string no_proposal{};  // why
  std::vector<Blocker> blockers{};

  bool compiles() const { return blockers.empty() && (has_types || !proposal.empty()); }
};

struct BrokenFile {
  std::string file{};
  Blocker blocker{};
};

// A construct, and how many functions it stops: alone, and together with others.
struct Unlock {
  int code = 0;
  std::string message{};
  int alone = 0, all = 0;
  Blocker example{};
};

struct CheckReport {
  int files = 0;
  std::vector<CheckedFunction> functions{};
  std::vector<BrokenFile> broken{};
};

std::vector<Unlock> rank_unlocks(const CheckReport& report);                       // most first
std::string render_check_table(const CheckReport& report, int width, bool color);  // 0: any width
std::string render_check_json(const CheckReport& report);

int check(const Options& options);

}  // namespace pyk2cu::cmd
