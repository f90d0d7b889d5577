// The text of a sidecar: adds lines, keeps all that stands there.
//
//   # what a person wrote stays where it is
//   pkg/mod.py:
//     Class.method(float64[::1])
//     # f(unicode_type): `unicode_type` cannot be an argument yet
//
// In:   the text so far, types that were recorded.  Out: the text with them, sorted into it.
// Rule: what is there already is not added again, also where it is written differently or is a
//       comment; a second run with the same types changes no byte.
// Tested by tests/run/test_record.py.
#pragma once

#include <string>
#include <vector>

#include "typeinfer/signature/signature.h"

namespace pyk2cu::cmd {

struct Recorded {
  std::string file{};    // from the sidecar's folder; "": the file beside the sidecar
  std::string name{};    // "f", "Class.method", ":12"
  std::string types{};   // "float64[::1], int64"
  std::string reason{};  // why it is a comment, else ""
  signature::Signature signature{};

  std::string text() const { return name + "(" + types + ")"; }
  std::string line() const { return reason.empty() ? text() : "# " + text() + ": " + reason; }
};

struct Merged {
  std::string text{};
  size_t added = 0;
};
Merged merge_sidecar(const std::string& old, const std::vector<Recorded>& entries);

}  // namespace pyk2cu::cmd
