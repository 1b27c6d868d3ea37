// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <cupti.h>

namespace ridge::backends::profile_cupti {

// The names that Kineto uses, so that its readers know them.

[[nodiscard]] const char* memory_name(unsigned memory);  // "Pinned"
[[nodiscard]] std::string copy_name(unsigned direction, unsigned source,
                                    unsigned destination);  // "Memcpy HtoD (Pinned -> Device)"
[[nodiscard]] const char* wait_name(CUpti_ActivitySynchronizationType type);
[[nodiscard]] const char* overhead_name(CUpti_ActivityOverheadKind kind);

// Returns whether a call is only a query: such calls cost little, and frameworks make thousands of them per
// step.
[[nodiscard]] bool is_noise(std::string_view call);

// Returns the function's name: "cudaMemcpyAsync_ptsz_v7000" gives "cudaMemcpyAsync".
[[nodiscard]] std::string without_version(std::string name);

}  // namespace ridge::backends::profile_cupti
