// Children write to an unlinked temporary file each, so that no pipe can fill up and stall one.
//
// In: argument vectors.  Out: Finished. Tested by tests/run/test_toolchain.py and test_record.py.
#include "cmd/pyk2cu/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

extern char** environ;

namespace pyk2cu::cmd {
namespace {

struct Child {
  pid_t pid = -1;
  std::FILE* output = nullptr;
  size_t index = 0;
};

// Returns 0 or an errno.
int start(const std::vector<std::string>& command, Child& child) {
  child.output = std::tmpfile();
  if (!child.output) return errno;
  std::vector<char*> args;
  for (const std::string& arg : command) args.push_back(const_cast<char*>(arg.c_str()));
  args.push_back(nullptr);
  const int file = fileno(child.output);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, file, 1);
  posix_spawn_file_actions_adddup2(&actions, file, 2);
  const int failed = posix_spawnp(&child.pid, args[0], &actions, nullptr, args.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

std::string read_output(std::FILE* file) {
  std::string text;
  char part[4096];
  std::rewind(file);
  while (const size_t n = std::fread(part, 1, sizeof part, file)) text.append(part, n);
  std::fclose(file);
  return text;
}

int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::vector<Finished> run_processes(const std::vector<std::vector<std::string>>& commands, int jobs,
                                    const std::function<void(size_t)>& done) {
  const size_t limit =
      jobs > 0 ? static_cast<size_t>(jobs) : std::max(1u, std::thread::hardware_concurrency());
  std::vector<Finished> results(commands.size());
  std::vector<Child> running;
  size_t next = 0;
  while (next < commands.size() || !running.empty()) {
    while (next < commands.size() && running.size() < limit) {
      Child child{-1, nullptr, next};
      if (const int failed = start(commands[next], child)) {
        if (child.output) std::fclose(child.output);
        results[next] = {127, std::strerror(failed)};
        done(next);
      } else {
        running.push_back(child);
      }
      ++next;
    }
    if (running.empty()) continue;
    int status = 0;
    const pid_t pid = waitpid(-1, &status, 0);
    for (size_t i = 0; i < running.size(); ++i) {
      if (running[i].pid != pid) continue;
      const Child child = running[i];
      running.erase(running.begin() + static_cast<ptrdiff_t>(i));
      results[child.index] = {exit_code_of(status), read_output(child.output)};
      done(child.index);
      break;
    }
  }
  return results;
}

namespace {

volatile pid_t attached_child = 0;
void pass_on(int signal_number) {
  if (attached_child > 0) kill(attached_child, signal_number);
}

// While a child runs: the terminal's signals reach it by themselves, others are passed on. They
// wait until ready() says that there is a child. What is ignored, by nohup say, stays ignored.
class SignalsOfChild {
 public:
  SignalsOfChild() {
    sigemptyset(&defaults_);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &mask_);
    for (size_t i = 0; i < std::size(kSignals); ++i) {
      struct sigaction action{};
      action.sa_handler = kSignals[i] == SIGTERM || kSignals[i] == SIGHUP ? pass_on : SIG_IGN;
      sigaction(kSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler == SIG_IGN) continue;
      sigaction(kSignals[i], &action, nullptr);
      sigaddset(&defaults_, kSignals[i]);
    }
  }
  ~SignalsOfChild() {
    ready();
    for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  void ready() const { sigprocmask(SIG_SETMASK, &mask_, nullptr); }
  const sigset_t& defaults() const { return defaults_; }
  const sigset_t& mask() const { return mask_; }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  struct sigaction before_[4]{};
  sigset_t defaults_{}, mask_{};
};

}  // namespace

Attached run_attached(const std::vector<std::string>& command,
                      const std::vector<std::pair<std::string, std::string>>& variables) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : variables) texts.push_back(name + "=" + value);
  std::vector<char*> args, environment;
  for (const std::string& arg : command) args.push_back(const_cast<char*>(arg.c_str()));
  args.push_back(nullptr);
  for (std::string& text : texts) environment.push_back(text.data());
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    const bool set = std::any_of(variables.begin(), variables.end(), [&](const auto& one) {
      return text.substr(0, text.find('=')) == one.first;
    });
    if (!set) environment.push_back(*entry);
  }
  environment.push_back(nullptr);
  const SignalsOfChild signals;
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &signals.mask());
  posix_spawnattr_setsigdefault(&attributes, &signals.defaults());
  pid_t pid = -1;
  Attached result;
  result.started =
      posix_spawnp(&pid, args[0], nullptr, &attributes, args.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  if (result.started) return result;
  attached_child = pid;
  signals.ready();
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  attached_child = 0;
  result.exit_code = exit_code_of(status);
  return result;
}

Finished run_process(const std::vector<std::string>& command) {
  return std::move(run_processes({command}, 1, [](size_t) {})[0]);
}

std::string find_program(const std::string& name) {
  const auto is_program = [](const std::string& path) {
    struct stat info;
    return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
           access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != name.npos) return is_program(name) ? name : "";
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const size_t end = rest.find(':');
    const std::string file = std::string(rest.substr(0, end)) + "/" + name;
    if (is_program(file)) return file;
    rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
  }
  return "";
}

std::vector<std::string> split_command(const std::string& text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (char c : text) {
    if (quote ? c == quote : c == '\'' || c == '"') {
      quote = quote ? 0 : c;
    } else if (!quote && (c == ' ' || c == '\t')) {
      in_word = false;
      continue;
    } else {
      if (!in_word) words.emplace_back();
      words.back() += c;
    }
    if (!in_word && quote) words.emplace_back();
    in_word = true;
  }
  return words;
}

std::string shell_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) {
    const bool plain = word.find_first_of(" \t\"'$()&|;<>*?`\\") == word.npos && !word.empty();
    text += text.empty() ? "" : " ";
    text += plain ? word : "'" + word + "'";
  }
  return text;
}

}  // namespace pyk2cu::cmd
