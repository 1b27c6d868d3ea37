// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include <ridge/profile/cpu_sampler.hpp>

namespace ridge::backends::profile_perf_event {

// A record of the kernel with its time on CLOCK_MONOTONIC; for a loss, the time of its report.
struct timed_record {
  std::int64_t time_ns = 0;
  profile::sampler_record record{};
};

// Parses one record, header first, as the attributes of perf_attributes.hpp request it: samples with address,
// thread, time, period and call chain; all others followed by thread and time. nullopt where it is not used
// here or is too short.
[[nodiscard]] std::optional<timed_record> read_record(std::span<const std::byte> record);

// Passes each whole record between two positions of a ring to `take`; positions count on past the ring's
// size, and a record that wraps around is put together. Stops at an impossible length.
void for_each_record(std::span<const std::byte> ring, std::uint64_t tail, std::uint64_t head,
                     const std::function<void(std::span<const std::byte>)>& take);

}  // namespace ridge::backends::profile_perf_event
