// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/profile/cpu_sampler.hpp>

namespace ridge::backends::profile_perf_event {

// Returns a sampler that uses the kernel's perf events: hardware cycles where there are counters, else the
// kernel's clock of the processor. An error names the setting that forbids it.
[[nodiscard]] result<std::unique_ptr<profile::cpu_sampler>> make(pid_t process,
                                                                 const profile::sampler_settings& settings);

}  // namespace ridge::backends::profile_perf_event
