// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ridge::host {

// Returns the files whose executable pages this process has written, by /proc/self/smaps: code that is not
// what the file holds any more. Empty where the kernel does not tell. Takes some milliseconds.
[[nodiscard]] std::vector<std::string> files_with_changed_code();

// Returns the memory without a file's name that this process shares with the children it forks.
[[nodiscard]] std::vector<std::span<std::byte>> shared_memory();

// Children that are forked from now on do not have this memory: reading at its address faults in them. False,
// with the reason in errno, where that cannot be: the memory is gone.
bool hide_from_children(std::span<std::byte> memory);

}  // namespace ridge::host
