// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <ridge/trace/collectives.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// The rank of a trace and the Unix time of its first device work: what tells several profiles of one rank
// apart.
struct trace_start {
  int rank = -1;
  nanoseconds began_ns = 0;
};

[[nodiscard]] trace_start start_of(const trace& t);

// Returns the devices of one trace of which some work takes part, without their cohorts and labels.
[[nodiscard]] std::vector<participant> participants_in(
    const trace& t, std::uint32_t index, const std::function<bool(const device_work&)>& takes_part);

// Sets cohorts and labels; `starts` holds one entry per trace.
void name_participants(std::span<participant> all, std::span<const trace_start> starts);

// Returns the devices of all traces of which some work takes part.
[[nodiscard]] std::vector<participant> participants_of(
    std::span<const trace> traces, const std::function<bool(std::uint32_t, const device_work&)>& takes_part);

// Returns the cohort of each participant.
[[nodiscard]] std::vector<std::uint32_t> cohorts_of(std::span<const participant> all);

}  // namespace ridge::trace
