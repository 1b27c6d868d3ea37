// SPDX-License-Identifier: Apache-2.0
#include "communication/participants.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace ridge::trace {
namespace {

nanoseconds began(const trace& t) {
  const auto first = std::ranges::min_element(t.works, {}, &device_work::start_ns);
  return t.epoch_ns + (first == t.works.end() ? 0 : first->start_ns);
}

// How many traces of the same rank began before this one; among equal times the first given is the first.
std::uint32_t cohort_of(std::span<const trace> traces, std::uint32_t wanted) {
  const auto rank = traces[wanted].source.rank;
  std::uint32_t earlier = 0;
  for (std::uint32_t i = 0; rank >= 0 && i < traces.size(); ++i) {
    if (i == wanted || traces[i].source.rank != rank) continue;
    const auto theirs = began(traces[i]), mine = began(traces[wanted]);
    earlier += theirs < mine || (theirs == mine && i < wanted);
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

std::vector<participant> participants_of(
    std::span<const trace> traces, const std::function<bool(std::uint32_t, const device_work&)>& takes_part) {
  std::vector<participant> all;
  for (std::uint32_t i = 0; i < traces.size(); ++i) {
    const auto& t = traces[i];
    const auto first = all.size();
    for (const auto device : t.working_devices())
      if (std::ranges::any_of(t.works_of(device), [&](const auto& w) { return takes_part(i, w); }))
        all.push_back({.trace = i, .device = device, .rank = t.source.rank, .cohort = cohort_of(traces, i)});
    const auto one_device = all.size() - first == 1;
    for (auto at = first; at < all.size(); ++at)
      all[at].label = label_of(all[at], one_device, traces.size() == 1);
  }
  return all;
}

}  // namespace ridge::trace
