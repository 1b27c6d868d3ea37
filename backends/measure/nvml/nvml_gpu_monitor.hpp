// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/gpu/nvml_device.hpp>
#include <ridge/measure/gpu_monitor.hpp>

#include "nvml_traffic.hpp"

namespace ridge::backends::measure_nvml {

// Reads all GPUs from the driver. It finds them by the bus addresses that the driver lists below /proc, so no
// CUDA runtime is opened. With MIG the readings are those of the whole GPU.
class nvml_gpu_monitor final : public measure::gpu_monitor {
 public:
  // `functions` outlives the monitor; `addresses` are those of the GPUs, "0000:1b:00.0".
  nvml_gpu_monitor(const result<gpu::nvml_functions>& functions, const std::vector<std::string>& addresses);
  std::string_view unavailable_because() const override { return reason_; }
  std::vector<measure::gpu_reading> read() override;

 private:
  const gpu::nvml_functions* functions_ = nullptr;
  std::vector<gpu::nvml_device> devices_{};
  std::vector<nvml_traffic> traffic_{};  // of each device
  std::string reason_{};
};

// Returns the bus addresses of the GPUs that a driver lists below `folder` ("/proc/driver/nvidia/gpus"),
// sorted; empty without it.
[[nodiscard]] std::vector<std::string> addresses_below(const std::string& folder);

}  // namespace ridge::backends::measure_nvml
