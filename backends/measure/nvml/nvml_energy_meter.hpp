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

// Energy of one GPU's board, memory included, by the driver's counter (Volta and later). It includes the work
// of other programs; with MIG it is that of the whole GPU. Power readings of A100 and H100 cover a quarter of
// the time (arXiv:2312.02741), and the counter may use the same sensor, so that it is suited to seconds of
// steady load.
class nvml_energy_meter final : public measure::energy_meter {
 public:
  explicit nvml_energy_meter(result<gpu::nvml_device> device);
  std::string_view unavailable_because() const override { return reason_; }
  std::string_view name() const override { return name_; }
  double joules() override;
  // NVML's documentation gives no resolution; this is the interval seen on Hopper, which the test on a GPU
  // checks.
  double resolution_s() const override { return 0.1; }

 private:
  std::optional<gpu::nvml_device> device_{};
  std::string name_{};
  std::string reason_{};
  std::uint64_t last_mj_ = 0;
  double joules_ = 0;
};

}  // namespace ridge::backends::measure_nvml
