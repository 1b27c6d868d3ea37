// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ridge::host {

// What of the process lies in memory: now, and at most since its start or the last reset.
struct resident_memory {
  std::size_t now_bytes = 0;
  std::size_t peak_bytes = 0;
};

// From the text of /proc/self/status (VmRSS, VmHWM); nothing when either is missing.
[[nodiscard]] std::optional<resident_memory> parse_resident_memory(std::string_view status);

// Throws unavailable where procfs does not tell. The kernel batches its counts per thread: exact to about 256
// KiB.
[[nodiscard]] resident_memory read_resident_memory();

// Makes the peak equal to what is resident now (/proc/self/clear_refs); false where the system forbids it.
[[nodiscard]] bool reset_peak_resident();

}  // namespace ridge::host
