// SPDX-License-Identifier: Apache-2.0
#include "nvml_energy_meter.hpp"

#include <cerrno>
#include <memory>

#include <ridge/base/error.hpp>

namespace ridge::backends::measure_nvml {

nvml_energy_meter::nvml_energy_meter(result<gpu::nvml_device> device) {
  if (!device) {
    reason_ = "no energy counter of a GPU: " + device.why().text();
    return;
  }
  name_ = "GPU " + device->bus_id();
  const auto now = device->energy_mj();
  if (!now) {
    reason_ = "no energy counter of " + name_ + ": " + now.why().text();
    return;
  }
  last_mj_ = *now;
  device_ = *device;
}

double nvml_energy_meter::joules() {
  if (!device_) return 0;
  const auto now = device_->energy_mj();
  if (!now) throw io_failure("read", "the energy counter of " + name_, EIO, now.why().text());
  // The counter restarts when the driver is loaded again; the energy used meanwhile is lost.
  if (*now > last_mj_) joules_ += static_cast<double>(*now - last_mj_) * 1e-3;
  last_mj_ = *now;
  return joules_;
}

// Opens the CUDA runtime to learn which GPU is current, so only the process that runs on the GPU calls it.
std::unique_ptr<measure::energy_meter> make() {
  return std::make_unique<nvml_energy_meter>(gpu::nvml_device::current());
}

}  // namespace ridge::backends::measure_nvml
