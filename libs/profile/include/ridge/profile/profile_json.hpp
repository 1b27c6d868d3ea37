// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/profile/cpu_profile.hpp>

namespace ridge::profile {

struct profile_facts {
  std::vector<std::string> command{};
  std::string host{};
  std::string sampler_unit{};           // "" where no processor was sampled
  std::int64_t unix_minus_clock_ns = 0;  // Unix time less CLOCK_MONOTONIC
  std::int64_t start_ns = 0, end_ns = 0;  // of the command, by CLOCK_MONOTONIC
  int exit_code = 0;
};

// One profile as Chrome JSON, the shape that PyTorch's profiler writes: ui.perfetto.dev, `ridge trace` and others
// open it. Samples stand in `samples` and `stackFrames`; time off the processor as events of the category off_cpu;
// `events` are the lines that the GPU's collector wrote, one event each, without a comma at their end.
void write_profile(const profile_facts& facts, const cpu_profile& cpu, const std::vector<std::string>& event_files,
                   const std::function<void(std::string_view)>& out);

}  // namespace ridge::profile
