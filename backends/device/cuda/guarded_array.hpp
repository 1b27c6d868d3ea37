// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/device/device.hpp>

namespace ridge::backends::device_cuda {

// Arrays of the current CUDA device, whose number is `ordinal`, or of the GPU that the request names; that
// one is opened with peer access to the current device, which stays current. Payloads are aligned to max(256,
// alignment) between red zones.
//   ordinary                 device memory, guarded by red zones or by unmapped granules
//   pinned                   page-locked host memory, always between red zones
//   small_pages, huge_pages  pageable host memory: device::allocate_on_host
// Throws failure when the memory is refused. damage() waits for the device. Bug: an alignment that is no
// power of two, or above 4096.
[[nodiscard]] std::unique_ptr<device::array> allocate(const device::array_request& request, int ordinal);

}  // namespace ridge::backends::device_cuda
