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

// What stands in a profile besides what was seen of the processors.
struct profile_facts {
  std::vector<std::string> command{};
  std::string host{};
  gpu_facts gpu{};
  std::vector<std::string> event_files{};  // one JSON event a line, without a comma at its end
};

struct event_counts {
  std::uint64_t kernels = 0, copies = 0, fills = 0, calls = 0, ranges = 0;
};

// One profile as Chrome JSON, the shape that PyTorch's profiler writes: ui.perfetto.dev, `ridge trace` and
// others open it. Samples stand in `samples` and `stackFrames`; time off the processor as events of the
// category off_cpu. Lines of the event files that are not whole are left out: a collector that was killed may
// have cut its last one.
event_counts write_profile(const profile_facts& facts, const profiled_program& seen,
                           const std::function<void(std::string_view)>& out);

}  // namespace ridge::profile
