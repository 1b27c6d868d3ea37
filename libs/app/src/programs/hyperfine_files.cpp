// SPDX-License-Identifier: Apache-2.0
#include "programs/hyperfine_files.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/model/json_writer.hpp>
#include <ridge/stats/quantile.hpp>

#include "programs/parameters.hpp"

namespace ridge::app {
namespace {

struct figures {
  double mean = 0, median = 0, user = 0, system = 0, least = 0, most = 0;
  std::optional<double> deviation{};
};

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> column(const program_result& result, double program_run::*value) {
  std::vector<double> all;
  for (const auto& run : result.runs) all.push_back(run.*value);
  return all;
}

figures figures_of(const program_result& result) {
  auto times = column(result, &program_run::wall_s);
  figures made{.mean = mean_of(times),
               .median = stats::median(times),
               .user = mean_of(column(result, &program_run::user_s)),
               .system = mean_of(column(result, &program_run::system_s))};
  const auto [least, most] = std::ranges::minmax(times);
  made.least = least;
  made.most = most;
  if (times.size() > 1) {
    double squares = 0;
    for (const double time : times) squares += (time - made.mean) * (time - made.mean);
    made.deviation = std::sqrt(squares / static_cast<double>(times.size() - 1));
  }
  return made;
}

void write_result(model::json_writer& json, const program_result& result) {
  const auto seen = figures_of(result);
  json.begin_object().field("command", result.name).field("mean", seen.mean).key("stddev");
  seen.deviation ? json.value(*seen.deviation) : json.null();
  json.field("median", seen.median).field("user", seen.user).field("system", seen.system);
  json.field("min", seen.least).field("max", seen.most).key("times").begin_array(true);
  for (const auto& run : result.runs) json.value(run.wall_s);
  json.end_array().key("memory_usage_byte").begin_array(true);
  for (const auto& run : result.runs) json.value(static_cast<std::uint64_t>(run.peak_bytes));
  json.end_array().key("exit_codes").begin_array(true);
  for (const auto& run : result.runs) json.value(run.status);
  json.end_array();
  if (!result.point.empty()) {
    json.key("parameters").begin_object();
    for (const auto& [name, value] : result.point)
      json.field(name, with_values('{' + name + '}', result.point));
    json.end_object();
  }
  json.end_object();
}

}  // namespace

std::string hyperfine_json(const std::vector<program_result>& results) {
  model::json_writer json(2);
  json.begin_object().key("results").begin_array();
  for (const auto& one : results) {
    if (!one.runs.empty()) write_result(json, one);
  }
  json.end_array().end_object();
  return std::move(json).take() + '\n';
}

std::string hyperfine_csv(const std::vector<program_result>& results) {
  std::string text = "command,mean,stddev,median,user,system,min,max";
  if (!results.empty())
    for (const auto& [name, _] : results.front().point) text += ",parameter_" + csv_cell(name);
  text += '\n';
  for (const auto& one : results) {
    if (one.runs.empty()) continue;
    const auto seen = figures_of(one);
    text += fmt::format("{},{},{},{},{},{},{},{}", csv_cell(one.name), seen.mean,
                        seen.deviation ? fmt::format("{}", *seen.deviation) : "", seen.median, seen.user,
                        seen.system, seen.least, seen.most);
    for (const auto& [name, _] : one.point) text += ',' + csv_cell(with_values('{' + name + '}', one.point));
    text += '\n';
  }
  return text;
}

}  // namespace ridge::app
