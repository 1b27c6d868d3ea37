// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include <ridge/profile/cpu_sampler.hpp>

namespace ridge::backends::profile_perf_event {

// A record of the kernel with its time by CLOCK_MONOTONIC; of a loss, when the loss was told.
struct timed_record {
  std::int64_t time_ns = 0;
  profile::sampler_record what{};
};

// What one record says, its header first, as the attributes of perf_attributes.hpp ask for it: samples with
// address, thread, time, period and call chain; all others followed by thread and time. nullopt: of no use
// here, or shorter than it must be.
[[nodiscard]] std::optional<timed_record> read_record(std::span<const std::byte> record);

// Gives each whole record between two positions of a ring, which count on past its size; a record that wraps
// around is put together. Stops at a length that cannot be.
void for_each_record(std::span<const std::byte> ring, std::uint64_t from, std::uint64_t to,
                     const std::function<void(std::span<const std::byte>)>& take);

}  // namespace ridge::backends::profile_perf_event
