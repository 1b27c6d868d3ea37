// SPDX-License-Identifier: Apache-2.0
#include "communication/participants.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace ridge::trace {
namespace {

// How many traces of the same rank began before this one; among equal times the first given is the first.
std::uint32_t cohort_of(std::span<const trace_start> starts, std::uint32_t wanted) {
  const auto& mine = starts[wanted];
  std::uint32_t earlier = 0;
  for (std::uint32_t i = 0; mine.rank >= 0 && i < starts.size(); ++i) {
    if (i == wanted || starts[i].rank != mine.rank) continue;
    const auto theirs = starts[i].began_ns;
    earlier += theirs < mine.began_ns || (theirs == mine.began_ns && i < wanted);
  }
  return earlier;
}

std::string label_of(const participant& p, bool one_device, bool one_trace) {
  const auto of = p.rank >= 0 ? fmt::format("rank {}", p.rank) : fmt::format("trace {}", p.trace);
  const auto again = p.cohort > 0 ? fmt::format(" (profile {})", p.cohort + 1) : "";
  if (p.rank < 0 && one_trace) return fmt::format("device {}", p.device);
  return one_device ? of + again : fmt::format("{}, device {}{}", of, p.device, again);
}

}  // namespace

trace_start start_of(const trace& t) {
  const auto first = std::ranges::min_element(t.works, {}, &device_work::start_ns);
  return {t.source.rank, t.epoch_ns + (first == t.works.end() ? 0 : first->start_ns)};
}

std::vector<participant> participants_in(const trace& t, std::uint32_t index,
                                         const std::function<bool(const device_work&)>& takes_part) {
  std::vector<participant> all;
  for (const auto device : t.working_devices())
    if (std::ranges::any_of(t.works_of(device), takes_part))
      all.push_back({.trace = index, .device = device, .rank = t.source.rank});
  return all;
}

void name_participants(std::span<participant> all, std::span<const trace_start> starts) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto& p = all[i];
    const auto same = [&](std::size_t other) { return other < all.size() && all[other].trace == p.trace; };
    p.cohort = cohort_of(starts, p.trace);
    p.label = label_of(p, !same(i + 1) && (i == 0 || !same(i - 1)), starts.size() == 1);
  }
}

std::vector<participant> participants_of(
    std::span<const trace> traces, const std::function<bool(std::uint32_t, const device_work&)>& takes_part) {
  std::vector<participant> all;
  std::vector<trace_start> starts;
  for (std::uint32_t i = 0; i < traces.size(); ++i) {
    std::ranges::move(participants_in(traces[i], i, [&](const auto& w) { return takes_part(i, w); }),
                      std::back_inserter(all));
    starts.push_back(start_of(traces[i]));
  }
  name_participants(all, starts);
  return all;
}

std::vector<std::uint32_t> cohorts_of(std::span<const participant> all) {
  std::vector<std::uint32_t> cohorts;
  for (const auto& p : all) cohorts.push_back(p.cohort);
  return cohorts;
}

}  // namespace ridge::trace
