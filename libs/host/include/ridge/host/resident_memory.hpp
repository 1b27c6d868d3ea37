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

// The memory of a process as others see it.
struct memory_of_process {
  // Pages that it has written and shares with no other process, swapped ones too, and those of mappings that
  // share what is written; exact. A forked child has none of the first until it writes.
  std::size_t written_bytes = 0;
  std::size_t resident_bytes = 0;  // all pages that it holds
  std::size_t file_bytes = 0;      // the part of them that belongs to files
  std::size_t peak_bytes = 0;      // most resident bytes since its start or the last reset
};

// Reads the memory of the process `id` from /proc; nothing where the kernel does not tell. Takes about 10 ms
// per GB that the process holds.
[[nodiscard]] std::optional<memory_of_process> read_memory_of(int id);
// Reads the text of a file /proc/ID/smaps: the bytes of written pages. Nothing where it tells none.
[[nodiscard]] std::optional<std::size_t> parse_written_bytes(std::string_view smaps);
// Sets the peak of the process `id` to what is resident now; returns false where the system forbids it.
[[nodiscard]] bool reset_peak_resident_of(int id);
// Returns the most bytes that this process has held since the last reset; a system call, without files. Exact
// to about 256 KiB.
[[nodiscard]] std::size_t peak_resident_bytes();

}  // namespace ridge::host
