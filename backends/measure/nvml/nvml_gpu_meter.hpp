// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/gpu/nvml_device.hpp>
#include <ridge/measure/gpu_meter.hpp>

namespace ridge::backends::measure_nvml {

// Reads the state of the GPU from the driver by four or five queries. Power is that of this moment where the
// driver offers it, else the mean of the last second.
class nvml_gpu_meter final : public measure::gpu_meter {
 public:
  explicit nvml_gpu_meter(result<gpu::nvml_device> device);
  std::string_view unavailable_because() const override { return reason_; }
  std::optional<measure::gpu_state> read() override;

 private:
  std::optional<gpu::nvml_device> device_{};
  std::string reason_{};
};

}  // namespace ridge::backends::measure_nvml
