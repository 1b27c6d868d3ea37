// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <ridge/device/array_store.hpp>

namespace ridge::backends::device_cuda {

// Implement device::share and device::map_shared for the GPU `ordinal`, which has a context: physical memory
// that the driver hands out as a file descriptor. A mapping that was asked for read-only is writable where
// the driver grants no other.
[[nodiscard]] std::unique_ptr<device::shared_range> share(std::size_t bytes, int ordinal);
[[nodiscard]] std::span<std::byte> map_shared(int descriptor, std::size_t bytes, bool read_only, int ordinal);

}  // namespace ridge::backends::device_cuda
