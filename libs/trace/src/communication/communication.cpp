// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/communication.hpp>

#include <optional>

#include <ridge/trace/work_class.hpp>

#include "communication/communication_table.hpp"
#include "communication/covered.hpp"
#include "communication/instance_times.hpp"

namespace ridge::trace {
namespace {

// What the devices of the participants did, one entry per participant.
struct device_times {
  std::vector<interval_set> compute{}, communication{}, certain{};
};

std::vector<interval_set> compute_of(std::span<const trace> traces, std::span<const participant> participants,
                                     const communication_names& names) {
  std::vector<interval_set> compute;
  std::vector<work_class> classes;
  std::optional<std::uint32_t> classified;  // participants of one trace stand together
  for (const auto& p : participants) {
    const auto& t = traces[p.trace];
    if (classified != p.trace) classes = classes_of(t, names);
    classified = p.trace;
    compute.push_back(times_of(t, p.device, classes, work_class::compute));
  }
  return compute;
}

device_times times_of_devices(std::span<const trace> traces, const matched_collectives& matched,
                              const communication_names& names) {
  std::vector<std::vector<time_range>> all(matched.participants.size()), certain(all.size());
  for (const auto& instance : matched.instances) {
    for (const auto& part : instance.parts) {
      all[part.participant].push_back({part.start_ns, part.end_ns});
      if (!instance.heuristic) certain[part.participant].push_back({part.start_ns, part.end_ns});
    }
  }
  device_times times{.compute = compute_of(traces, matched.participants, names)};
  for (auto& ranges : all) times.communication.emplace_back(std::move(ranges));
  for (auto& ranges : certain) times.certain.emplace_back(std::move(ranges));
  return times;
}

rank_communication rank_of(const device_times& times, std::size_t i) {
  rank_communication rank;
  rank.busy_ns = times.communication[i].length_ns();
  rank.exposed_ns = times.communication[i].without(times.compute[i]).length_ns();
  rank.overlapped_ns = rank.busy_ns - rank.exposed_ns;
  rank.heuristic_ns = times.communication[i].without(times.certain[i]).length_ns();
  return rank;
}

void add_parts(communication_report& report, const collective_instance& instance,
               const instance_times& times) {
  for (std::size_t k = 0; k < instance.parts.size(); ++k) {
    const auto& part = instance.parts[k];
    auto& rank = report.ranks[part.participant];
    rank.summed_ns += part.duration_ns();
    const auto wait = times.parts[k].wait_ns;
    if (!wait) continue;
    rank.wait_ns = rank.wait_ns.value_or(0) + *wait;
    report.waiting->add(*times.latest, part.participant, *wait);
  }
}

}  // namespace

double busbw_factor(collective_kind kind, std::uint32_t ranks) {
  if (ranks < 2) return 1;
  const auto n = static_cast<double>(ranks);
  switch (kind) {
    case collective_kind::all_reduce:
      return 2 * (n - 1) / n;
    case collective_kind::all_gather:
    case collective_kind::reduce_scatter:
    case collective_kind::all_to_all:
    case collective_kind::dispatch:
    case collective_kind::combine:
      return (n - 1) / n;
    default:
      return 1;
  }
}

std::optional<double> rank_communication::overlap_percent() const {
  if (busy_ns == 0) return std::nullopt;
  return 100 * static_cast<double>(overlapped_ns) / static_cast<double>(busy_ns);
}

std::optional<double> communication_report::wait_share() const {
  nanoseconds waited = 0, summed = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!times[i].total_wait_ns) continue;
    waited += *times[i].total_wait_ns;
    for (const auto& part : matched.instances[i].parts) summed += part.duration_ns();
  }
  if (summed == 0) return std::nullopt;
  return static_cast<double>(waited) / static_cast<double>(summed);
}

communication_report communication_of(std::span<const trace> traces, const communication_names& names,
                                      const clock_alignment& clocks) {
  communication_report report{.matched = match_collectives(traces, names)};
  const auto& participants = report.matched.participants;
  const auto& instances = report.matched.instances;
  const auto devices = times_of_devices(traces, report.matched, names);
  for (std::size_t i = 0; i < participants.size(); ++i) report.ranks.push_back(rank_of(devices, i));
  for (const auto& instance : instances) {
    const auto times = times_of_instance(instance, participants, devices.compute, clocks);
    if (times.latest && !report.waiting)
      report.waiting.emplace(static_cast<std::uint32_t>(participants.size()));
    add_parts(report, instance, times);
    report.implausible += is_implausible(times) ? 1U : 0U;
    report.incomplete += instance.complete() == false ? 1U : 0U;
    report.unsized += instance.bytes ? 0U : 1U;
    report.times.push_back(times);
  }
  report.operations = operations_of(instances, report.times);
  report.sizes = sizes_of(instances);
  report.several_ranks = participants.size() > 1;
  return report;
}

}  // namespace ridge::trace
