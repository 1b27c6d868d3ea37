// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>
#include <ridge/stats/change_points.hpp>
#include <ridge/stats/median.hpp>

#include "noise_series.hpp"
#include "rows.hpp"

namespace ridge::selftest {
namespace {

constexpr std::size_t runs = 100;
constexpr std::size_t tolerance = 2;  // a change counts as found within so many runs

// A step by `effect` that lasts from run `first` to before run `end`.
struct planted {
  double effect = 0;
  std::size_t first = 60;
  std::size_t end = runs;
};

// What a search says of many series.
struct searched {
  int trials = 0;
  int alarmed = 0;      // series with any change
  int found = 0;        // series with a change where it was planted
  double median_s = 0;  // time of one search
};

// Seeds of the figures; the rules were chosen by looking at others.
std::uint64_t seed_of(noise kind, int trial) {
  return (static_cast<std::uint64_t>(kind) + 1) * 1'000'003 + static_cast<std::uint64_t>(trial) * 7919;
}

searched search_many(noise kind, const planted& change, const surroundings& surroundings) {
  searched seen{.trials = std::max(200, static_cast<int>(2000 * surroundings.scale))};
  std::vector<double> seconds;
  for (int trial = 0; trial < seen.trials; ++trial) {
    auto series = noise_series(kind, runs, seed_of(kind, trial));
    for (auto i = change.first; i < change.end; ++i) series[i] *= 1 + change.effect;
    const double start = harness::monotonic_seconds();
    const auto scan = stats::find_changes(series, {.seed = static_cast<std::uint64_t>(trial)});
    seconds.push_back(harness::monotonic_seconds() - start);
    if (!scan.changes.empty()) ++seen.alarmed;
    if (std::ranges::any_of(scan.changes, [&](const stats::change_point& c) {
          return c.index + tolerance >= change.first && c.index <= change.first + tolerance;
        }))
      ++seen.found;
  }
  seen.median_s = stats::median(seconds);
  return seen;
}

double percent(int part, int whole) { return 100.0 * part / whole; }

// A figure of the search: how much noise alone may alarm, or how much of a planted change must be found.
struct figure {
  const char* name;
  noise kind;
  planted change;
  double limit;
  const char* text;
};

row false_alarms(const figure& wanted, const surroundings& surroundings) {
  const auto seen = search_many(wanted.kind, wanted.change, surroundings);
  return {.name = wanted.name,
          .value = percent(seen.alarmed, seen.trials),
          .unit = "%",
          .limit = wanted.limit,
          .detail = fmt::format("of {} series of {} runs without a change, {}: said to change", seen.trials,
                                runs, wanted.text)};
}

row detections(const figure& wanted, const surroundings& surroundings) {
  const auto seen = search_many(wanted.kind, wanted.change, surroundings);
  return {.name = wanted.name,
          .value = percent(seen.found, seen.trials),
          .unit = "%",
          .limit = wanted.limit,
          .at_least = true,
          .detail = fmt::format("of {} series of {} runs, {}: found within {} runs", seen.trials, runs,
                                wanted.text, tolerance)};
}

row search_time(const surroundings& surroundings) {
  const auto still = search_many(noise::independent, {}, surroundings);
  const auto changed = search_many(noise::independent, {.effect = 0.03}, surroundings);
  return {
      .name = "changes_time",
      .value = 1000 * std::max(still.median_s, changed.median_s),
      .unit = "ms",
      .limit = 5,
      .detail = fmt::format("median of {} series of {} runs: {:.2f} ms without a change, {:.2f} ms with one",
                            still.trials, runs, 1000 * still.median_s, 1000 * changed.median_s)};
}

constexpr figure figures[] = {
    {"changes_independent", noise::independent, {}, 5, "independent noise of 1 %"},
    {"changes_tail", noise::tail, {}, 5, "one run in twenty far too slow"},
    {"changes_wandering", noise::wandering, {}, 16, "noise whose neighbours correlate by 0.7"},
    {"changes_two_modes", noise::two_modes, {}, 16, "two modes 2.4 % apart, each kept for 8 runs"},
    {"changes_step_2", noise::independent, {.effect = 0.02}, 90, "+2 % from run 60 on"},
    {"changes_step_3", noise::independent, {.effect = 0.03}, 99, "+3 % from run 60 on"},
    {"changes_modes_5", noise::two_modes, {.effect = 0.05}, 99, "two modes, +5 % from run 60 on"},
    {"changes_late", noise::independent, {.effect = 0.03, .first = 95}, 90, "+3 % in the last 5 runs"},
    {"changes_reverted",
     noise::independent,
     {.effect = 0.03, .first = 50, .end = 70},
     95,
     "+3 % in runs 50 to 69"},
};

}  // namespace

std::vector<std::string> change_rows() {
  std::vector<std::string> names;
  for (const auto& one : figures) names.emplace_back(one.name);
  names.emplace_back("changes_time");
  return names;
}

row change_figure(const std::string& name, const surroundings& surroundings) {
  const auto known = std::ranges::find(figures, name, &figure::name);
  if (known == std::end(figures)) return search_time(surroundings);
  return known->change.effect == 0 ? false_alarms(*known, surroundings) : detections(*known, surroundings);
}

}  // namespace ridge::selftest
