// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ridge::host {

// The resident memory of the process: now, and at most since its start or the last reset.
struct resident_memory {
  std::size_t now_bytes = 0;
  std::size_t peak_bytes = 0;
};

// Reads the text of /proc/self/status (VmRSS, VmHWM); returns nothing when either is missing.
[[nodiscard]] std::optional<resident_memory> parse_resident_memory(std::string_view status);

// Returns the resident memory of this process; throws unavailable where procfs does not tell. The kernel
// batches its counts per thread, so they are exact to about 256 KiB.
[[nodiscard]] resident_memory read_resident_memory();

// Sets the peak to what is resident now (/proc/self/clear_refs); returns false where the system forbids it.
[[nodiscard]] bool reset_peak_resident();

}  // namespace ridge::host
