// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/profile/gpu_facts.hpp>
#include <ridge/profile/profile_session.hpp>

namespace ridge::profile {

// The contents of a profile besides the samples of the processors.
struct profile_facts {
  std::vector<std::string> command{};
  std::string host{};
  gpu_facts gpu{};
  std::vector<std::string> event_files{};  // one JSON event per line, without a comma at its end
};

// Numbers of events in a profile.
struct event_counts {
  std::uint64_t kernels = 0, copies = 0, fills = 0, calls = 0, ranges = 0;
};

// Writes a profile to `out` as Chrome JSON in the form of PyTorch's profiler, which ui.perfetto.dev, `ridge
// trace` and others open, and returns its counts. Samples are in `samples` and `stackFrames`; time off the
// processor is events of the category off_cpu. Incomplete lines of the event files are left out: a collector
// that was killed may have cut its last one.
event_counts write_profile(const profile_facts& facts, const profiled_program& seen,
                           const std::function<void(std::string_view)>& out);

}  // namespace ridge::profile
