// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ridge::host {

// Writes the dirty pages of the file back and asks the kernel to forget its cached ones. The kernel need not
// comply (tmpfs and pages mapped elsewhere stay): check with resident_fraction. Throws io_failure.
void drop_from_cache(const std::filesystem::path& path);

// Returns the share of the file that lies in the page cache, 0 to 1; 0 for an empty file. Throws io_failure.
[[nodiscard]] double resident_fraction(const std::filesystem::path& path);

// Returns whether this existing file can be read without the page cache (O_DIRECT, 4 KiB aligned). Throws
// nothing.
[[nodiscard]] bool supports_direct_io(const std::filesystem::path& path);

}  // namespace ridge::host
