// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/fleet.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include <ridge/base/expects.hpp>
#include <ridge/base/text.hpp>
#include <ridge/trace/steps.hpp>

#include "communication/participants.hpp"
#include "timeline/integer_median.hpp"
#include "timeline/robust_z.hpp"

namespace ridge::trace {
namespace {

constexpr std::size_t least_members = 4;
constexpr double far_out = 3.5;

std::size_t at(fleet_measure m) { return static_cast<std::size_t>(m); }

bool names_sm_clock(std::string_view counter) {
  std::string plain;
  for (const auto c : counter) plain += c == '_' ? ' ' : lower_case(c);
  return plain.find("sm clock") != std::string::npos || plain.find("gpc clock") != std::string::npos ||
         plain.find("gpu clock") != std::string::npos;
}

std::optional<std::int64_t> clock_of(const trace& t, std::int32_t device) {
  for (std::uint32_t s = 0; s < t.counters.size(); ++s) {
    if (t.counters[s].device != device || !names_sm_clock(t.names[t.counters[s].name])) continue;
    std::vector<std::int64_t> values;
    for (const auto& v : t.counter_values)
      if (v.series == s && std::isfinite(v.value)) values.push_back(std::llround(v.value));
    if (!values.empty()) return median(std::move(values), middle::between);
  }
  return std::nullopt;
}

device_partition partition_of(const trace& t, std::int32_t device, std::span<const work_class> classes,
                              const fleet_window& window) {
  if (window.window) {
    const std::vector<time_range> one{*window.window};
    return partition_windows(t, classes, device, one).front();
  }
  const auto all = partition_devices(t, classes);
  return *std::ranges::find(all, device, &device_partition::device);
}

// Returns a measure of all members; empty where some do not have it.
std::vector<std::int64_t> column(const std::vector<fleet_member>& members, fleet_measure m) {
  std::vector<std::int64_t> values;
  for (const auto& member : members)
    if (const auto v = member.value(m)) values.push_back(*v);
  if (values.size() != members.size()) values.clear();
  return values;
}

void add_outliers(fleet_report& report, fleet_measure m, nanoseconds median_step) {
  const auto values = column(report.members, m);
  if (values.empty()) return;
  const auto middle_value = median(values, middle::between);
  const auto z = robust_z(values);
  const auto least = (m == fleet_measure::clock ? middle_value : median_step) / 100;
  for (std::uint32_t i = 0; i < values.size(); ++i)
    if (std::abs(z[i]) > far_out && std::abs(values[i] - middle_value) > least)
      report.outliers.push_back({i, m, values[i], middle_value, z[i]});
}

// Returns the state that holds most of the member's excess over the others.
slow_member slow_of(const fleet_report& report, const fleet_outlier& own) {
  slow_member slow{.member = own.member, .excess_ns = own.value - own.median, .robust_z = own.robust_z};
  for (const auto m : {fleet_measure::compute, fleet_measure::exposed_copies, fleet_measure::idle}) {
    const auto values = column(report.members, m);
    const auto excess = values[own.member] - median(values, middle::between);
    if (excess <= slow.state_excess_ns) continue;
    slow.state = m;
    slow.state_excess_ns = excess;
  }
  return slow;
}

void find_outliers(fleet_report& report) {
  const auto median_step = median(column(report.members, fleet_measure::step), middle::between);
  for (int m = 0; m < fleet_measure_count; ++m)
    add_outliers(report, static_cast<fleet_measure>(m), median_step);
  std::ranges::stable_sort(report.outliers, std::ranges::greater{},
                           [](const fleet_outlier& o) { return std::abs(o.robust_z); });
  const auto slowest = std::ranges::find_if(report.outliers, [](const fleet_outlier& o) {
    return o.measure == fleet_measure::own_time && o.robust_z > 0;
  });
  if (slowest != report.outliers.end()) report.slowest = slow_of(report, *slowest);
}

}  // namespace

std::string_view name(fleet_measure m) {
  constexpr std::array<std::string_view, fleet_measure_count> names{
      "step", "own time", "compute", "exposed communication", "exposed copies", "idle", "clock"};
  return names.at(at(m));
}

std::optional<std::int64_t> fleet_member::value(fleet_measure m) const { return values.at(at(m)); }

std::vector<fleet_window> steady_windows_of(std::span<const trace> traces) {
  std::vector<fleet_window> windows;
  for (const auto& t : traces) windows.push_back(steady_window_of(t));
  return windows;
}

fleet_window steady_window_of(const trace& t) {
  const auto found = steps_of(t);
  const auto steady = found.steady();
  if (steady.empty()) return {};
  return {window_of(steady), static_cast<std::int64_t>(steady.size())};
}

fleet_member member_of(const trace& t, const participant& who, std::span<const work_class> classes,
                       const fleet_window& window) {
  expects(window.steps > 0, "member_of: a window of at least one step");
  fleet_member member{
      .who = who, .times = partition_of(t, who.device, classes, window), .steps = window.steps};
  const auto& p = member.times;
  const auto set = [&](fleet_measure m, nanoseconds total) { member.values[at(m)] = total / window.steps; };
  set(fleet_measure::step, p.window.length_ns());
  set(fleet_measure::own_time, p.window.length_ns() - p.exposed_communication_ns);
  set(fleet_measure::compute, p.compute_ns);
  set(fleet_measure::exposed_communication, p.exposed_communication_ns);
  set(fleet_measure::exposed_copies, p.exposed_copy_ns);
  set(fleet_measure::idle, p.idle_ns);
  member.values[at(fleet_measure::clock)] = clock_of(t, who.device);
  return member;
}

fleet_report compare_members(std::vector<fleet_member> members) {
  fleet_report report{.members = std::move(members)};
  std::ranges::stable_sort(report.members, {}, [](const fleet_member& m) {
    return std::tuple(m.who.rank < 0, m.who.rank, m.who.trace, m.who.device);
  });
  report.too_few = report.members.size() < least_members;
  if (!report.too_few) find_outliers(report);
  return report;
}

fleet_report fleet_of(std::span<const trace> traces, const communication_names& names,
                      std::span<const fleet_window> windows) {
  expects(windows.empty() || windows.size() == traces.size(), "fleet_of: one window a trace");
  const auto works = [](std::uint32_t, const device_work& w) { return w.kind == category::kernel; };
  std::vector<fleet_member> members;
  std::vector<work_class> classes;
  std::optional<std::uint32_t> classified;  // participants of one trace stand together
  for (const auto& who : participants_of(traces, works)) {
    if (classified != who.trace) classes = classes_of(traces[who.trace], names);
    classified = who.trace;
    members.push_back(
        member_of(traces[who.trace], who, classes, windows.empty() ? fleet_window{} : windows[who.trace]));
  }
  return compare_members(std::move(members));
}

}  // namespace ridge::trace
