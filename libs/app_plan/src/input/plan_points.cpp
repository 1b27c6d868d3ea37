// SPDX-License-Identifier: Apache-2.0
#include "input/plan_points.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::app_plan {
namespace {

std::optional<double> number(std::string_view text) {
  text = trim(text);
  double v = 0;
  const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (why != std::errc{} || end != text.data() + text.size()) return {};
  return v;
}

constexpr std::array<std::string_view, 7> worker_names{"workers", "n",     "gpus", "threads",
                                                       "ranks",   "cores", "nodes"};
constexpr std::array<std::string_view, 4> rate_names{"throughput", "tokens_per_s", "rate", "samples_per_s"};
constexpr std::array<std::string_view, 4> time_names{"time", "step_s", "seconds", "time_s"};

struct columns {
  std::size_t workers = 0, value = 0;
  bool is_time = false;
};

template <std::size_t N>
std::optional<std::size_t> column_of(const std::vector<std::string_view>& header,
                                     const std::array<std::string_view, N>& names) {
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (std::ranges::find(names, trim(header[i])) != names.end()) return i;
  }
  return {};
}

result<columns> columns_of(const std::string& header, const std::string& file) {
  const auto names = split(header, ',');
  const auto workers = column_of(names, worker_names);
  const auto rate = column_of(names, rate_names), time = column_of(names, time_names);
  if (!workers || (!rate && !time))
    return error{
        fmt::format("{}: line 1 names no column of {}", file, workers ? "throughput or time" : "workers"),
        "begin with a header such as \"workers,throughput\" or \"gpus,step_s\""};
  return columns{.workers = *workers, .value = rate ? *rate : *time, .is_time = !rate};
}

}  // namespace

result<stats::scaling_point> scaling_point_of(const std::string& text) {
  const auto parts = split(text, ':');
  const auto n = parts.size() == 2 ? number(parts[0]) : std::nullopt;
  const auto x = parts.size() == 2 ? number(parts[1]) : std::nullopt;
  if (!n || !x)
    return error{fmt::format("\"{}\" is no point", text), "write WORKERS:THROUGHPUT, such as 8:21000"};
  return stats::scaling_point{*n, *x};
}

result<std::vector<stats::scaling_point>> read_scaling_points(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!in || !std::getline(in, line))
    return error{fmt::format("cannot read {}", file.string()),
                 "give a CSV file with columns workers and throughput"};
  const auto places = columns_of(line, file.string());
  if (!places) return places.why();
  std::vector<stats::scaling_point> all;
  for (int number_of_line = 2; std::getline(in, line); ++number_of_line) {
    if (trim(line).empty()) continue;
    const auto cells = split(line, ',');
    const auto last = std::max(places->workers, places->value);
    const auto n = cells.size() > last ? number(cells[places->workers]) : std::nullopt;
    const auto v = cells.size() > last ? number(cells[places->value]) : std::nullopt;
    if (!n || !v || *v <= 0)
      return error{fmt::format("{}: line {}: \"{}\" has no number in a column that needs one above zero",
                               file.string(), number_of_line, line),
                   "mend or remove the line"};
    all.push_back({*n, places->is_time ? 1 / *v : *v});
  }
  return all;
}

result<std::vector<double>> numbers_of(const std::string& text, const std::string& option) {
  std::vector<double> all;
  for (const auto part : split(text, ',')) {
    const auto v = number(part);
    if (!v)
      return error{fmt::format("{}: \"{}\" is no number", option, part),
                   "write numbers between commas: 64,128"};
    all.push_back(*v);
  }
  return all;
}

}  // namespace ridge::app_plan
