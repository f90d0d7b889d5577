// Jupyter notebooks: the code cells as one Python text.
//
// In:   the JSON of an .ipynb file.  Out: its code, magics blanked so that lines keep their places.
// Tested by tests/unit/frontend/load_test.cpp.
#include <nlohmann/json.hpp>

#include "frontend/parse/load.h"

namespace pyk2cu::frontend {

namespace {

// %%time and the like run their cell as Python; %%bash, %%writefile, %%html do not.
bool is_python_cell(std::string_view source) {
  while (!source.empty() && (source[0] == ' ' || source[0] == '\n')) source.remove_prefix(1);
  if (!source.starts_with("%%")) return true;
  const std::string_view magic = source.substr(2, source.substr(2).find_first_of(" \n"));
  for (std::string_view python : {"time", "timeit", "capture", "prun", "python", "python3"}) {
    if (magic == python) return true;
  }
  return false;
}

// `%matplotlib inline`, `!pip install x`, `?help`, `np.dot?` become `pass`.
void append_cell(std::string_view source, std::string& text) {
  while (!source.empty()) {
    const size_t end = source.find('\n');
    const std::string_view line = source.substr(0, end);
    const size_t first = line.find_first_not_of(" \t");
    const char opens = first == std::string_view::npos ? ' ' : line[first];
    const size_t last = line.find_last_not_of(" \t\r");
    const bool help = last != std::string_view::npos && line[last] == '?' &&
                      line.find_first_of("#'\"") == std::string_view::npos;
    if (opens == '%' || opens == '!' || opens == '?' || help) {
      text.append(line.substr(0, first)).append("pass");
    } else {
      text.append(line);
    }
    text += '\n';
    source = end == std::string_view::npos ? std::string_view() : source.substr(end + 1);
  }
}

}  // namespace

bool notebook_text(std::string_view json, std::string& text, std::string& error) {
  const auto root = nlohmann::json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded() || !root.is_object() || !root.contains("cells") ||
      !root["cells"].is_array()) {
    error = "it is not a notebook";
    return false;
  }
  int number = 0;
  for (const auto& cell : root["cells"]) {
    ++number;
    if (!cell.is_object() || cell.value("cell_type", nlohmann::json()) != "code") continue;
    std::string source;
    const auto lines = cell.value("source", nlohmann::json());
    if (lines.is_string()) source = lines.get<std::string>();
    if (lines.is_array()) {
      for (const auto& line : lines) {
        if (line.is_string()) source += line.get<std::string>();
      }
    }
    text += "# cell " + std::to_string(number) + "\n";
    if (is_python_cell(source)) append_cell(source, text);
  }
  return true;
}

}  // namespace pyk2cu::frontend
