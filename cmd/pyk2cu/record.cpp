// Recording: start the program, read what its processes noted, merge it into the sidecar.
//
// In: RecordOptions.  Out: an exit code; the sidecar; a summary on stderr.
// Tested by tests/run/test_record.py.
#include "cmd/pyk2cu/record.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cmd/pyk2cu/embedded.h"
#include "cmd/pyk2cu/process.h"
#include "cmd/pyk2cu/sidecar.h"
#include "cmd/pyk2cu/terminal.h"
#include "cmd/pyk2cu/write.h"
#include "frontend/base/counted.h"
#include "frontend/diag/render.h"
#include "frontend/parse/load.h"
#include "typeinfer/decorators/functions.h"
#include "typeinfer/decorators/roots.h"

namespace pyk2cu::cmd {

namespace fs = std::filesystem;

namespace {

// A temporary folder with the recorder and an empty log, while it lives.
class Workplace {
 public:
  Workplace() {
    std::string path = (fs::temp_directory_path() / "pyk2cu-record-XXXXXX").string();
    if (!mkdtemp(path.data())) throw std::runtime_error("cannot make " + path);
    folder_ = path;
    for (const EmbeddedFile& file : recorder())
      std::ofstream(folder_ / file.path, std::ios::binary) << file.text;
    std::ofstream(log(), std::ios::binary).flush();
  }
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Workplace(const Workplace&) = delete;

  const fs::path& folder() const { return folder_; }
  fs::path log() const { return folder_ / "log"; }

 private:
  fs::path folder_{};
};

struct Call {
  std::string key{}, file{}, name{};
  int line = 0;
  std::vector<std::string> types{};
};

// What the processes of the program noted (cmd/recorder/sitecustomize.py).
struct Log {
  bool python = false, numba = false, disabled = false;
  std::vector<Call> calls{};
  std::set<std::string> eager{};
  std::vector<std::string> errors{};
};

Log read_log(const fs::path& path) {
  Log log;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const auto entry = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!entry.is_object()) continue;  // of a process that was killed while it wrote
    if (entry.contains("python")) log.python = true;
    if (entry.contains("eager")) log.eager.insert(entry["eager"]);
    if (entry.contains("error")) log.errors.push_back(entry["error"]);
    if (entry.contains("numba")) {
      log.numba = true;
      log.disabled = log.disabled || entry["disabled"].get<bool>();
    }
    if (entry.contains("types"))
      log.calls.push_back(
          {entry["key"], entry["file"], entry["name"], entry["line"], entry["types"]});
  }
  std::erase_if(log.calls, [&](const Call& call) { return log.eager.contains(call.key); });
  return log;
}

// A file whose functions were called, as the compiler reads it.
struct File {
  Diagnostics diags{};
  frontend::Loaded loaded{};
  decorators::Sources sources{};
  std::vector<decorators::FunctionPlace> places{};
  const signature::Names* names = nullptr;
};

File read_source(const std::string& path, SourceMap& map) {
  File file;
  file.loaded = frontend::load({path}, {}, map, file.diags);
  if (file.loaded.roots == 0) return file;
  file.sources = decorators::collect(file.loaded.pointers(), file.loaded.roots, {}, file.diags);
  file.places = decorators::functions_of(*file.loaded.modules[0]);
  file.names = file.sources.modules[0].get();
  return file;
}

// The functions of the called one's name where it was called.
std::vector<const decorators::FunctionPlace*> find_called(const Call& call, const File& file) {
  const std::string last = call.name.substr(call.name.rfind('.') + 1);
  std::vector<const decorators::FunctionPlace*> found;
  for (const decorators::FunctionPlace& place : file.places) {
    const std::string own = place.name.substr(place.name.rfind('.') + 1);
    const bool here = place.first_line <= call.line && call.line <= place.line;
    if (here && (place.def ? own : "<lambda>") == last) found.push_back(&place);
  }
  return found;
}

// What a line of types calls the function.
std::string name_of(const decorators::FunctionPlace& place, const File& file) {
  std::string name = place.name;
  for (const auto& d : file.sources.definitions)
    if (place.lambda && d->lambda == place.lambda) name = d->name.str();
  const auto same = std::ranges::count(file.places, name, &decorators::FunctionPlace::name);
  const bool only = same == (place.def ? 1 : 0);
  return only && !name.empty() ? name : fmt::format(":{}", place.line);
}

// Types that the compiler reads become the entry's signature, others the reason of a comment.
void read_types(const Call& call, const signature::Names* names, Recorded& entry) {
  for (const std::string& type : call.types) {
    entry.types += (entry.types.empty() ? "" : ", ") + type;
    SourceMap map;
    Diagnostics diags;
    const SourceFile& text = map.add("types", "f(" + type + ")");
    const auto read = signature::parse_named(text.text, text, diags, names);
    const bool fine = read.signatures.size() == 1 && read.signatures[0].params.size() == 1 &&
                      signature::has_form(read.signatures[0].params[0], {}, diags);
    if (fine) {
      entry.signature.params.push_back(read.signatures[0].params[0]);
    } else if (entry.reason.empty()) {
      entry.reason = fmt::format("`{}` cannot be an argument yet", type);
    }
  }
}

std::vector<Recorded> to_entries(const Log& log, const fs::path& sidecar, SourceMap& map) {
  std::map<std::string, File> files;
  std::vector<Recorded> entries;
  const fs::path folder = fs::weakly_canonical(fs::absolute(sidecar)).parent_path();
  const std::string stem = sidecar.stem().string();
  for (const Call& call : log.calls) {
    const auto [found, added] = files.try_emplace(call.file);
    if (added) found->second = read_source(call.file, map);
    Recorded entry;
    entry.file = fs::path(call.file).lexically_relative(folder).generic_string();
    if (entry.file == stem + ".py") entry.file.clear();
    const auto places = find_called(call, found->second);
    if (places.size() == 1) {
      entry.name = name_of(*places[0], found->second);
    } else {
      entry.name = call.name;
      for (size_t at; (at = entry.name.find(".<locals>")) != entry.name.npos;)
        entry.name.erase(at, 9);
      entry.reason = fmt::format("line {} has {} such function", call.line,
                                 places.empty() ? "no" : "more than one");
    }
    read_types(call, found->second.names, entry);
    entries.push_back(std::move(entry));
  }
  const auto place = [](const Recorded& one) { return std::tie(one.file, one.name, one.types); };
  std::ranges::sort(entries, {}, place);
  const auto twice = std::ranges::unique(entries, {}, place);
  entries.erase(twice.begin(), twice.end());
  return entries;
}

std::string_view why_nothing(const Log& log) {
  if (!log.python) return "no Python process of the program was seen (`-I`, `-E` and `-S` hide it)";
  if (!log.numba) return "the program did not import Numba";
  if (log.disabled) return "NUMBA_DISABLE_JIT is set";
  if (!log.eager.empty() || !log.errors.empty())
    return "Numba compiled no function without a signature in the files of the project";
  return "Numba compiled no function in the files of the project";
}

void print(const Diagnostics& diags, const SourceMap& sources) {
  fmt::print(stderr, "{}", render_text(diags, sources, {.color = wants_color(STDERR_FILENO)}));
}

void summarise(const RecordOptions& options, const std::vector<Recorded>& entries, size_t added,
               int exit_code) {
  std::set<std::pair<std::string, std::string>> functions;
  size_t comments = 0;
  for (const Recorded& entry : entries) {
    functions.emplace(entry.file, entry.name);
    comments += !entry.reason.empty();
  }
  fmt::print(stderr, "pyk2cu record: {}: {} of {}, {} new", options.sidecar,
             counted(entries.size(), "signature"), counted(functions.size(), "function"), added);
  if (comments > 0)
    fmt::print(stderr, "; {} as {}: the reason stands behind", comments,
               comments == 1 ? "a comment" : "comments");
  if (exit_code != 0) fmt::print(stderr, " (the program ended with {})", exit_code);
  fmt::print(stderr, "\n");
}

// Does its folder take the sidecar? Asked before the program runs, which may be long.
bool can_write(const fs::path& sidecar, const fs::path& folder, Diagnostics& diags) {
  std::error_code error;
  const auto refuse = [&](const std::string& why) {
    diags.report({}, diag::CannotWrite, sidecar.string(), why);
    return false;
  };
  if (!fs::is_directory(folder, error))
    return refuse(error && error != std::errc::no_such_file_or_directory
                      ? error.message()
                      : "no such directory: " + folder.string());
  if (fs::is_directory(sidecar, error)) return refuse("it is a directory");
  if (fs::is_symlink(sidecar, error) && !fs::exists(sidecar, error))
    return refuse("it is a link to what is not there");
  std::string probe = (folder / ".pyk2cu-XXXXXX").string();
  const int file = mkstemp(probe.data());
  if (file < 0) return refuse(std::strerror(errno));
  close(file);
  fs::remove(probe, error);
  return true;
}

// The sidecar of now with the entries, whole or not at all. False after a diagnostic.
bool update(const fs::path& sidecar, const fs::path& folder, const std::vector<Recorded>& entries,
            size_t& added, Diagnostics& diags) {
  const DirectoryLock lock(folder.string());
  const std::optional<std::string> old = read_file(sidecar);
  const Merged merged = merge_sidecar(old.value_or(""), entries);
  added = merged.added;
  if (added == 0) return true;
  std::error_code error;
  fs::path target = fs::is_symlink(sidecar, error) ? fs::canonical(sidecar, error) : sidecar;
  const fs::path temporary = target.parent_path() / ("." + target.filename().string() + ".new");
  std::ofstream out(temporary, std::ios::binary);
  out << merged.text;
  out.close();
  if (old) fs::permissions(temporary, fs::status(target).permissions(), error);
  if (out) fs::rename(temporary, target, error);
  if (out && !error) return true;
  diags.report({}, diag::CannotWrite, sidecar.string(), error ? error.message() : "disk full?");
  fs::remove(temporary, error);
  return false;
}

std::vector<std::pair<std::string, std::string>> variables(const Workplace& place,
                                                           const fs::path& project) {
  const char* path = std::getenv("PYTHONPATH");
  const std::string more = path && *path ? ":" + std::string(path) : "";
  return {{"PYTHONPATH", place.folder().string() + more},
          {"PYK2CU_RECORD_LOG", place.log().string()},
          {"PYK2CU_RECORD_PROJECT", project.string()}};
}

}  // namespace

int record(const RecordOptions& options) {
  SourceMap sources;
  Diagnostics diags;
  const fs::path sidecar = options.sidecar;
  const fs::path folder = sidecar.has_parent_path() ? sidecar.parent_path() : fs::path(".");
  if (!options.project.empty() && !fs::is_directory(options.project)) {
    diags.report({}, diag::UnreadableFile, options.project, "no such directory");
    print(diags, sources);
    return kUsage;
  }
  if (!can_write(sidecar, folder, diags)) {
    print(diags, sources);
    return kToolchain;
  }
  const fs::path project =
      fs::canonical(options.project.empty() ? folder : fs::path(options.project));
  const Workplace place;
  const Attached ran = run_attached(options.command, variables(place, project));
  if (ran.started) {
    diags.report({}, diag::NotStarted, options.command[0], std::strerror(ran.started));
    print(diags, sources);
    return ran.started == ENOENT ? 127 : 126;
  }
  const Log log = read_log(place.log());
  const std::vector<Recorded> entries = to_entries(log, sidecar, sources);
  size_t added = 0;
  const bool written = update(sidecar, folder, entries, added, diags);
  if (entries.empty()) diags.report({}, diag::NothingRecorded, why_nothing(log));
  if (!log.errors.empty()) diags.report({}, diag::RecorderFailed, log.errors[0]);
  print(diags, sources);
  if (!options.quiet && written && !entries.empty())
    summarise(options, entries, added, ran.exit_code);
  return written ? ran.exit_code : kToolchain;
}

}  // namespace pyk2cu::cmd
