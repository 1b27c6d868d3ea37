// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include <ridge/gpu/nvml_device.hpp>
#include <ridge/measure/gpu_monitor.hpp>

namespace ridge::backends::measure_nvml {

// What one GPU moves between two readings: bytes over its NVLinks, from the driver's counters, and the share
// of its memory's bandwidth that is in use, which Hopper and later GPUs tell (GPM). What a driver or GPU does
// not tell stays absent; so does everything in the first reading, for a rate needs two.
class nvml_traffic final {
 public:
  // `functions` outlives the object.
  nvml_traffic(const gpu::nvml_functions& functions, const gpu::nvml_device& device);

  // Fills the rates of NVLink and of memory.
  void read(measure::gpu_reading& reading);

 private:
  struct counter {
    double kibibytes = 0;
    long long at_us = 0;  // the driver's time of the reading
  };
  using gpm_sample = std::unique_ptr<gpu::nvml_gpm_opaque, int (*)(gpu::nvml_gpm_sample)>;

  [[nodiscard]] std::optional<counter> counter_of(unsigned field) const;
  [[nodiscard]] std::optional<double> link_rate(unsigned field, std::optional<counter>& before) const;
  [[nodiscard]] bool offers_gpm() const;
  [[nodiscard]] gpm_sample new_sample() const;
  [[nodiscard]] std::optional<double> memory_share();
  [[nodiscard]] std::optional<double> memory_peak_bytes_per_s() const;

  const gpu::nvml_functions* functions_;
  gpu::nvml_handle handle_;
  std::optional<counter> sent_{}, received_{};
  gpm_sample before_, now_;  // both or neither
  bool sampled_ = false;     // whether before_ holds a sample
};

}  // namespace ridge::backends::measure_nvml
