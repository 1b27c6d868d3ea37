// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/device/device.hpp>
#include <ridge/device/host_options.hpp>

namespace ridge::backends::device_host {
[[nodiscard]] std::unique_ptr<device::device> make(device::host_options options);
}  // namespace ridge::backends::device_host

namespace ridge::harness {

// The real host device; tests may use a backend, the library may not.
inline std::unique_ptr<device::device> host_device_for_tests() { return backends::device_host::make({}); }

}  // namespace ridge::harness
