// SPDX-License-Identifier: Apache-2.0
#include "nvml_gpu_meter.hpp"

#include <memory>

namespace ridge::backends::measure_nvml {
namespace {

template <class T>
std::optional<double> known(const result<T>& answer) {
  return answer ? std::optional<double>(*answer) : std::nullopt;
}

std::optional<measure::gpu_state> state_of(const gpu::nvml_device& device) {
  measure::gpu_state state{.sm_clock_mhz = known(device.sm_clock_mhz()),
                           .power_w = known(device.power_w()),
                           .temperature_c = known(device.temperature_c())};
  if (const auto events = device.clock_events()) {
    state.throttled_by = events->throttling().words();
    state.idle = events->idle();
  }
  const bool silent = !state.sm_clock_mhz && !state.power_w && !state.temperature_c && !state.throttled_by;
  return silent ? std::nullopt : std::optional(std::move(state));
}

}  // namespace

nvml_gpu_meter::nvml_gpu_meter(result<gpu::nvml_device> device) {
  if (!device) {
    reason_ = "no state of a GPU: " + device.why().text();
  } else if (!state_of(*device)) {
    reason_ = "the driver reports nothing about GPU " + device->bus_id() + ": " +
              device->sm_clock_mhz().why().text();
  } else {
    device_ = *device;
  }
}

std::optional<measure::gpu_state> nvml_gpu_meter::read() {
  return device_ ? state_of(*device_) : std::nullopt;
}

// Opens the CUDA runtime to learn which GPU is current, so only the process that runs on the GPU calls it.
std::unique_ptr<measure::gpu_meter> make_gpu_meter() {
  return std::make_unique<nvml_gpu_meter>(gpu::nvml_device::current());
}

}  // namespace ridge::backends::measure_nvml
