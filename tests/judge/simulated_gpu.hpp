// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/device/device.hpp>

namespace ridge::judge {

// What the judge needs of a GPU, in host memory: ranges that other processes map, writable whatever they ask
// for, as where a driver knows no read-only mappings.
[[nodiscard]] std::unique_ptr<device::device> open_simulated_gpu();

}  // namespace ridge::judge
