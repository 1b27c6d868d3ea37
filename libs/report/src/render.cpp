// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/render.hpp>

#include <array>

#include <ridge/model/json.hpp>

namespace ridge::report {
namespace {
constexpr std::array<std::string_view, 7> words{"table", "md", "csv", "json", "jsonl", "gbench", "nvbench"};
}  // namespace

std::string_view name(format f) { return words[static_cast<std::size_t>(f)]; }

std::optional<format> named_format(std::string_view word) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return static_cast<format>(i);
  }
  return std::nullopt;
}

std::string render(const model::run& run, format kind, const options& options) {
  switch (kind) {
    case format::markdown:
      return markdown(run);
    case format::csv:
      return csv(run);
    case format::json:
      return model::to_json(run) + '\n';
    case format::jsonl:
      return json_lines(run);
    case format::google_benchmark:
      return google_benchmark(run);
    case format::nvbench:
      return nvbench(run);
    case format::table:
      break;
  }
  return console(run, options);
}

}  // namespace ridge::report
