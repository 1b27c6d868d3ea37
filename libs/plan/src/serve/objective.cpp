// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/objective.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "time_text.hpp"

namespace ridge::plan::serve {
namespace {

using statistic = objective::statistic;

constexpr std::array<std::pair<std::string_view, latency_metric>, 12> metric_names{{
    {"ttft", latency_metric::ttft},
    {"tpot", latency_metric::tpot},
    {"itl", latency_metric::itl},
    {"e2e", latency_metric::e2e},
    {"queue", latency_metric::queue},
    {"e2el", latency_metric::e2e},
    {"latency", latency_metric::e2e},
    {"time_to_first_token", latency_metric::ttft},
    {"time_per_output_token", latency_metric::tpot},
    // aiperf's inter_token_latency is (e2e - ttft) / (output - 1) per request, hence a TPOT.
    {"inter_token_latency", latency_metric::tpot},
    {"request_latency", latency_metric::e2e},
    {"queue_time", latency_metric::queue},
}};

std::optional<latency_metric> metric_named(std::string_view name) {
  for (const auto& [known, metric] : metric_names) {
    if (known == name) return metric;
  }
  return std::nullopt;
}

// Reads "500ms", "2s" or "500": a number alone is in milliseconds, like every latency.
std::optional<double> limit_of(std::string_view text) {
  double unit = 1e-3;
  for (const auto& [name, s] :
       {std::pair(std::string_view("ms"), 1e-3), std::pair(std::string_view("us"), 1e-6),
        std::pair(std::string_view("ns"), 1e-9), std::pair(std::string_view("min"), 60.0),
        std::pair(std::string_view("s"), 1.0), std::pair(std::string_view("h"), 3600.0)}) {
    if (!text.ends_with(name)) continue;
    text.remove_suffix(name.size());
    unit = s;
    break;
  }
  const auto n = parse_number(trim(text));
  if (!n || !(*n > 0) || !(*n * unit < 1e10)) return std::nullopt;
  return *n * unit;
}

bool set_statistic(objective& o, std::string_view name) {
  if (name == "mean" || name == "avg") return o.limited_statistic = statistic::mean, true;
  if (name == "median") return o.limited_statistic = statistic::quantile, o.quantile = 0.5, true;
  if (name == "max") return o.limited_statistic = statistic::maximum, true;
  if (name == "each" || name == "all") return o.limited_statistic = statistic::each, true;
  if (!name.starts_with('p')) return false;
  const auto percent = parse_number(name.substr(1));
  if (!percent || !(*percent > 0) || !(*percent < 100)) return false;
  o.limited_statistic = statistic::quantile;
  o.quantile = *percent / 100;
  return true;
}

error no_objective(std::string_view text) {
  return {
      fmt::format("\"{}\" is not an objective", text),
      "write METRIC[:STATISTIC]<TIME, as in \"ttft:p95<500ms\" or \"tpot<40ms\"; metrics: ttft, tpot, itl, "
      "e2e, queue; statistics: mean, median, p95, max"};
}

std::optional<objective> parse_one(std::string_view text) {
  objective o;
  const auto below = text.find('<');
  const auto colon = text.find(':');
  const auto name = trim(text.substr(0, std::min(colon, below)));
  const auto metric = metric_named(name);
  if (!metric) return std::nullopt;
  o.metric = *metric;
  std::optional<double> limit;
  if (below == std::string_view::npos) {
    if (colon == std::string_view::npos) return std::nullopt;
    limit = limit_of(trim(text.substr(colon + 1)));
  } else {
    if (colon < below && !set_statistic(o, trim(text.substr(colon + 1, below - colon - 1))))
      return std::nullopt;
    auto value = text.substr(below + 1);
    if (value.starts_with('=')) value.remove_prefix(1);
    limit = limit_of(trim(value));
  }
  if (!limit) return std::nullopt;
  o.limit_s = *limit;
  return o;
}

std::string time_text(double s) { return s < 1 ? fmt::format("{:g}ms", s * 1e3) : fmt::format("{:g}s", s); }

std::string statistic_text(const objective& o) {
  switch (o.limited_statistic) {
    case statistic::each:
      return "";
    case statistic::mean:
      return ":mean";
    case statistic::quantile:
      return fmt::format(":p{:g}", o.quantile * 100);
    case statistic::maximum:
      return ":max";
  }
  return "";
}

}  // namespace

std::string_view name_of(latency_metric m) {
  switch (m) {
    case latency_metric::ttft:
      return "ttft";
    case latency_metric::tpot:
      return "tpot";
    case latency_metric::itl:
      return "itl";
    case latency_metric::e2e:
      return "e2e";
    case latency_metric::queue:
      return "queue";
  }
  return "?";
}

std::string objective::text() const {
  return fmt::format("{}{}<{}", name_of(metric), statistic_text(*this), time_text(limit_s));
}

result<std::vector<objective>> parse_objectives(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, ' ', ',');
  std::vector<objective> all;
  for (const auto part : split(spaced, ',')) {
    if (trim(part).empty()) continue;
    const auto one = parse_one(trim(part));
    if (!one) return no_objective(part);
    all.push_back(*one);
  }
  if (all.empty()) return no_objective(text);
  return all;
}

}  // namespace ridge::plan::serve
