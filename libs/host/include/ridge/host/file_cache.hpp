// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ridge::host {

// Writes the file's dirty pages back and asks the kernel to forget its cached ones. A request, not an order
// (tmpfs and pages mapped elsewhere stay): check with resident_fraction. Throws io_failure.
void drop_from_cache(const std::filesystem::path& path);

// Share of the file's pages in the page cache, 0 to 1; an empty file has 0. Throws io_failure.
[[nodiscard]] double resident_fraction(const std::filesystem::path& path);

// Whether this existing file can be read past the page cache (O_DIRECT, 4 KiB aligned). Throws nothing.
[[nodiscard]] bool supports_direct_io(const std::filesystem::path& path);

}  // namespace ridge::host
