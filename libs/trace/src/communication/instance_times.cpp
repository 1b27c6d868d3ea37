// SPDX-License-Identifier: Apache-2.0
#include "communication/instance_times.hpp"

#include <algorithm>
#include <optional>

#include "communication/covered.hpp"

namespace ridge::trace {
namespace {

// The largest uncertainty between two of the instance's traces; nullopt: some clock is not known.
std::optional<nanoseconds> uncertainty_of(const collective_instance& instance,
                                          std::span<const participant> participants,
                                          const clock_alignment& clocks) {
  const auto first = participants[instance.parts.front().participant].trace;
  nanoseconds largest = 0;
  for (const auto& part : instance.parts) {
    const auto between = clocks.uncertainty_ns(first, participants[part.participant].trace);
    if (!between) return std::nullopt;
    largest = std::max(largest, *between);
  }
  return largest;
}

void add_skews(instance_times& times, const collective_instance& instance,
               std::span<const participant> participants, const clock_alignment& clocks) {
  times.skew_uncertainty_ns = uncertainty_of(instance, participants, clocks);
  if (!times.skew_uncertainty_ns) return;
  std::vector<nanoseconds> starts, ends;
  for (const auto& part : instance.parts) {
    const auto trace = participants[part.participant].trace;
    const auto common = [&](nanoseconds t) {
      return trace < clocks.maps.size() ? clocks.maps[trace].to_common(t) : t;
    };
    starts.push_back(common(part.start_ns));
    ends.push_back(common(part.end_ns));
  }
  times.start_skew_ns = std::ranges::max(starts) - std::ranges::min(starts);
  times.end_skew_ns = std::ranges::max(ends) - std::ranges::min(ends);
  times.gap_ns = std::max<nanoseconds>(0, std::ranges::max(starts) - std::ranges::min(ends));
}

void add_waits(instance_times& times, const collective_instance& instance) {
  const auto shortest = std::ranges::min_element(instance.parts, {}, &collective_part::duration_ns);
  times.transfer_ns = shortest->duration_ns();
  times.latest = shortest->participant;
  times.total_wait_ns = 0;
  for (std::size_t i = 0; i < instance.parts.size(); ++i) {
    const auto wait = instance.parts[i].duration_ns() - shortest->duration_ns();
    times.parts[i].wait_ns = wait;
    *times.total_wait_ns += wait;
  }
}

void add_rates(instance_times& times, const collective_instance& instance) {
  if (!instance.bytes || *times.transfer_ns <= 0) return;
  const auto ranks = std::max(instance.group_size, static_cast<std::uint32_t>(instance.parts.size()));
  times.algorithm_rate = static_cast<double>(*instance.bytes) * 1e9 / static_cast<double>(*times.transfer_ns);
  times.bus_rate = *times.algorithm_rate * busbw_factor(instance.kind, ranks);
}

}  // namespace

instance_times times_of_instance(const collective_instance& instance,
                                 std::span<const participant> participants,
                                 std::span<const interval_set> compute, const clock_alignment& clocks) {
  instance_times times;
  for (const auto& part : instance.parts) {
    const auto hidden = covered_ns(compute[part.participant], {part.start_ns, part.end_ns});
    times.parts.push_back({.exposed_ns = part.duration_ns() - hidden});
  }
  if (instance.parts.size() < 2) return times;
  add_waits(times, instance);
  add_rates(times, instance);
  add_skews(times, instance, participants, clocks);
  return times;
}

bool is_implausible(const instance_times& times) {
  return times.gap_ns && *times.gap_ns > times.skew_uncertainty_ns.value_or(0);
}

}  // namespace ridge::trace
