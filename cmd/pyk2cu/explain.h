// What the command prints about itself: a diagnostic's page, the list of builtins.
//
// In: a code "PK3007".  Out: text on stdout, an exit code.
#pragma once

#include <string>

namespace pyk2cu::cmd {

int explain(const std::string& code);
int list_builtins();

}  // namespace pyk2cu::cmd
