// Child processes: one whose output is wanted, or many side by side.
//
// In:   command lines as argument vectors; no shell is involved.  Out: exit codes and output text.
// Tested by tests/run/test_toolchain.py and test_record.py.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace pyk2cu::cmd {

struct Finished {
  int exit_code = -1;    // 128 + n after signal n; 127: could not be started
  std::string output{};  // stdout and stderr together
};

Finished run_process(const std::vector<std::string>& command);

// Runs a command on this process's own input and output, with these variables set beside the
// others; signals of the terminal and SIGTERM are its business. `started` is 0 or an errno.
struct Attached {
  int started = 0;
  int exit_code = -1;
};
Attached run_attached(const std::vector<std::string>& command,
                      const std::vector<std::pair<std::string, std::string>>& variables);

// Runs the commands, at most `jobs` at a time (0: one per core); `done(i)` after each, from this
// thread.
std::vector<Finished> run_processes(const std::vector<std::vector<std::string>>& commands, int jobs,
                                    const std::function<void(size_t)>& done);

// The file that a command name means: itself when it holds a slash, else looked up on PATH. Empty:
// none.
std::string find_program(const std::string& name);

// `'a b' c` -> {"a b", "c"}: how CXX and the like are written.
std::vector<std::string> split_command(const std::string& text);
std::string shell_text(const std::vector<std::string>& command);

}  // namespace pyk2cu::cmd
