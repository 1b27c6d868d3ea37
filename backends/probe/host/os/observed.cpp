// SPDX-License-Identifier: Apache-2.0
#include "os/observed.hpp"

#include <algorithm>

#include <ridge/base/expects.hpp>
#include <ridge/host/interference_reader.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::backends::probe_host {
namespace {

constexpr std::size_t least_for_interval = 6;
constexpr double group_s = 0.5e-3;

bool undisturbed_by_others(const host::thread_usage& a, const host::thread_usage& b, gives_way waiting) {
  if (a.cpu != b.cpu || a.steal_s != b.steal_s) return false;
  if (waiting == gives_way::yes) return true;
  return a.involuntary_switches == b.involuntary_switches && a.voluntary_switches == b.voluntary_switches;
}

void observe_group(const measure::clock& clock, std::size_t most, const std::function<double()>& once,
                   std::vector<double>& times) {
  const auto begin = clock.now();
  do {
    times.push_back(once());
  } while (times.size() < most && clock.seconds(clock.now() - begin) < group_s);
}

void add_percentiles(model::ceiling& row, const std::vector<double>& sorted) {
  struct place {
    const char* percentile;
    double share;
    std::size_t needs;
  };
  for (const auto& [at, share, needs] :
       {place{"p50", 0.5, 1}, place{"p90", 0.9, 10}, place{"p99", 0.99, 100}, place{"p99.9", 0.999, 1000}}) {
    if (sorted.size() >= needs) row.series.push_back({at, stats::sorted_quantile(sorted, share)});
  }
  row.series.push_back({"max", sorted.back()});
}

}  // namespace

observed observe(const measure::clock& clock, pace pace, gives_way waiting,
                 const std::function<double()>& once) {
  host::interference_reader reader;
  observed found;
  const auto begin = clock.now();
  const auto least = std::max(pace.least, least_for_interval);
  const auto time_left = [&] {
    const double s = clock.seconds(clock.now() - begin);
    return s < pace.time_s || (found.all.size() < least && s < 3 * pace.time_s);
  };
  while (found.all.size() < pace.most && (found.all.size() < least_for_interval || time_left())) {
    std::vector<double> group;
    const auto before = reader.read();
    observe_group(clock, pace.most - found.all.size(), once, group);
    if (undisturbed_by_others(before, reader.read(), waiting))
      found.calm.insert(found.calm.end(), group.begin(), group.end());
    found.all.insert(found.all.end(), group.begin(), group.end());
  }
  return found;
}

observed observe_calls(const measure::clock& clock, pace pace, gives_way waiting, batch& calls) {
  const auto once = [&] {
    const auto begin = clock.now();
    calls.times(calls.each);
    return clock.seconds(clock.now() - begin);
  };
  const double enough_s = 50 * clock.read_cost_s();
  once();
  while (once() < enough_s && calls.each < (1 << 20)) calls.each *= 2;
  return observe(clock, pace, waiting, [&] { return once() / calls.each; });
}

model::ceiling row_of_times(std::string id, std::string title, const observed& times, std::string variant) {
  model::ceiling row{
      .id = std::move(id), .description = std::move(title), .unit = "s", .variant = std::move(variant)};
  row.disturbed = times.calm.size() < least_for_interval;
  auto sorted = row.disturbed ? times.all : times.calm;
  std::ranges::sort(sorted);
  const auto middle = stats::quantile_with_interval(sorted, 0.5, 0.95);
  expects(middle.has_value(), "row_of_times: six observations or more");
  row.value = middle->value, row.ci = middle->ci;
  if (row.disturbed) {
    row.note = "the machine was busy: " + std::to_string(times.calm.size()) + " of " +
               std::to_string(times.all.size()) + " observations undisturbed_by_others";
  } else {
    sorted = times.all;
    std::ranges::sort(sorted);
  }
  add_percentiles(row, sorted);
  return row;
}

double time_of_row(probe::depth depth) {
  switch (depth) {
    case probe::depth::essential:
      return 5e-3;
    case probe::depth::quick:
      return 10e-3;
    case probe::depth::standard:
      return 60e-3;
    case probe::depth::deep:
      return 400e-3;
  }
  return 10e-3;
}

}  // namespace ridge::backends::probe_host
