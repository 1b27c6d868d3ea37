// SPDX-License-Identifier: Apache-2.0
#include "input/plan_points.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include <ridge/base/csv_reader.hpp>
#include <ridge/base/text.hpp>
#include <ridge/plan/packed_file.hpp>

namespace ridge::app_plan {
namespace {

constexpr std::array<std::string_view, 7> worker_names{"workers", "n",     "gpus", "threads",
                                                       "ranks",   "cores", "nodes"};
constexpr std::array<std::string_view, 4> rate_names{"throughput", "tokens_per_s", "rate", "samples_per_s"};
constexpr std::array<std::string_view, 4> time_names{"time", "step_s", "seconds", "time_s"};

struct columns {
  std::size_t workers = 0, value = 0;
  bool is_time = false;
};

template <std::size_t N>
std::optional<std::size_t> column_of(const csv_reader& header, const std::array<std::string_view, N>& names) {
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (std::ranges::find(names, trim(header.cell(i))) != names.end()) return i;
  }
  return {};
}

result<columns> columns_of(const csv_reader& header, const std::string& file) {
  const auto workers = column_of(header, worker_names);
  const auto rate = column_of(header, rate_names), time = column_of(header, time_names);
  if (!workers || (!rate && !time))
    return error{
        fmt::format("{}: line 1 names no column of {}", file, workers ? "throughput or time" : "workers"),
        "begin with a header such as \"workers,throughput\" or \"gpus,step_s\""};
  return columns{.workers = *workers, .value = rate ? *rate : *time, .is_time = !rate};
}

// A line of nothing but spaces.
bool blank(const csv_reader& row) { return row.size() == 1 && trim(row.cell(0)).empty(); }

// The beginning of a line, long enough to find it.
std::string quoted_line(std::string_view line) {
  constexpr std::size_t most = 60;
  return line.size() > most ? std::string(line.substr(0, most)) + "..." : std::string(line);
}

std::optional<double> number_at(const csv_reader& row, std::size_t column) {
  return column < row.size() ? number_of_cell(row.cell(column)) : std::nullopt;
}

}  // namespace

std::optional<double> number_of_cell(std::string_view text) {
  text = trim(text);
  double v = 0;
  const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (why != std::errc{} || end != text.data() + text.size()) return {};
  return v;
}

result<stats::scaling_point> scaling_point_of(const std::string& text) {
  const auto parts = split(text, ':');
  const auto n = parts.size() == 2 ? number_of_cell(parts[0]) : std::nullopt;
  const auto x = parts.size() == 2 ? number_of_cell(parts[1]) : std::nullopt;
  if (!n || !x)
    return error{fmt::format("\"{}\" is not a point", text), "write WORKERS:THROUGHPUT, such as 8:21000"};
  return stats::scaling_point{*n, *x};
}

result<std::vector<stats::scaling_point>> read_scaling_points(const std::filesystem::path& file) {
  constexpr auto remedy = "give a CSV file with columns workers and throughput";
  const auto text = plan::packed_file(file);
  if (!text) return error{text.why().message, remedy};
  csv_reader row(*text, csv_cells::within_a_line);
  if (!row.next()) return error{fmt::format("{}: empty", file.string()), remedy};
  const auto places = columns_of(row, file.string());
  if (!places) return places.why();
  std::vector<stats::scaling_point> all;
  while (row.next()) {
    if (blank(row)) continue;
    const auto n = number_at(row, places->workers), v = number_at(row, places->value);
    if (!n || !v || *v <= 0)
      return error{
          fmt::format("{}: line {}: \"{}\" has no number in a column that needs one above zero",
                      file.string(), row.line(),
                      quoted_line(std::string_view(*text).substr(row.offset(), row.end_column() - 1))),
          "mend or remove the line"};
    all.push_back({*n, places->is_time ? 1 / *v : *v});
  }
  return all;
}

result<std::vector<double>> numbers_of(const std::string& text, const std::string& option) {
  std::vector<double> all;
  for (const auto part : split(text, ',')) {
    const auto v = number_of_cell(part);
    if (!v)
      return error{fmt::format("{}: \"{}\" is not a number", option, part),
                   "write numbers between commas: 64,128"};
    all.push_back(*v);
  }
  return all;
}

}  // namespace ridge::app_plan
