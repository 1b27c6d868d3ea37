// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/gpu/nvml_device.hpp>
#include <ridge/measure/energy_meter.hpp>

namespace ridge::backends::measure_nvml {

// The energy of the board of one GPU, including its memory, by the counter of the driver (Volta and later).
// Work of other programs on it counts too; with MIG it is the whole GPU. Power readings of A100 and H100
// cover a quarter of the time (arXiv:2312.02741), and the counter may use the same sensor: it is good for
// seconds of steady load.
class nvml_energy_meter final : public measure::energy_meter {
 public:
  explicit nvml_energy_meter(result<gpu::nvml_device> device);
  std::string_view unavailable_because() const override { return reason_; }
  std::string_view name() const override { return name_; }
  double joules() override;
  // The documentation of NVML states no resolution; this value is known of Hopper, and the test on a GPU
  // checks it.
  double resolution_s() const override { return 0.1; }

 private:
  std::optional<gpu::nvml_device> device_{};
  std::string name_{};
  std::string reason_{};
  std::uint64_t last_mj_ = 0;
  double joules_ = 0;
};

}  // namespace ridge::backends::measure_nvml
