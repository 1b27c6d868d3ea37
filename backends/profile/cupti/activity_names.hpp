// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <cupti.h>

namespace ridge::backends::profile_cupti {

// What Kineto calls things, so that its readers know them.

[[nodiscard]] const char* memory_name(unsigned memory);  // "Pinned"
[[nodiscard]] std::string copy_name(unsigned direction, unsigned from,
                                    unsigned to);  // "Memcpy HtoD (Pinned -> Device)"
[[nodiscard]] const char* wait_name(CUpti_ActivitySynchronizationType type);
[[nodiscard]] const char* overhead_name(CUpti_ActivityOverheadKind kind);

// Calls that only ask: they cost little, tell nothing, and frameworks make thousands of them a step.
[[nodiscard]] bool is_noise(std::string_view call);

// "cudaMemcpyAsync_ptsz_v7000" -> "cudaMemcpyAsync".
[[nodiscard]] std::string without_version(std::string name);

}  // namespace ridge::backends::profile_cupti
