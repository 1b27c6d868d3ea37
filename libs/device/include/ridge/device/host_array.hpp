// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/device/array.hpp>

namespace ridge::device {

// Arrays in host memory with their guards; the content is undefined. `pinned` counts as ordinary.
// red_zones: at least 128 patterned bytes on both sides of a payload aligned to max(64, alignment), to 2 MiB
// with huge_pages, where the kernel is asked for them. pages: an unmapped page on both sides; the payload
// ends at the second one, or up to alignment - 1 patterned bytes before it where its size is no multiple of
// the alignment. Throws failure when the machine refuses the memory. Bug: an alignment that is no power of
// two, or above 4096.
[[nodiscard]] std::unique_ptr<array> allocate_on_host(const array_request& request);

}  // namespace ridge::device
