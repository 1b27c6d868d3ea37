// SPDX-License-Identifier: Apache-2.0
#include "nvml_traffic.hpp"

#include <utility>

namespace ridge::backends::measure_nvml {
namespace {

int free_nothing(gpu::nvml_gpm_sample) { return gpu::nvml_success; }

}  // namespace

nvml_traffic::nvml_traffic(const gpu::nvml_functions& functions, const gpu::nvml_device& device)
    : functions_(&functions),
      handle_(device.handle()),
      before_(nullptr, free_nothing),
      now_(nullptr, free_nothing) {
  // With MIG the driver refuses samples of the whole GPU, and taking them has been seen to spoil other
  // queries.
  const auto mig = device.mig_mode();
  if ((mig && *mig) || !offers_gpm()) return;
  before_ = new_sample();
  now_ = new_sample();
  if (!before_ || !now_) before_.reset(), now_.reset();
}

bool nvml_traffic::offers_gpm() const {
  const auto& f = *functions_;
  if (f.gpm_support == nullptr || f.gpm_allocate == nullptr || f.gpm_free == nullptr ||
      f.gpm_sample == nullptr || f.gpm_metrics == nullptr)
    return false;
  gpu::nvml_gpm_support support;
  return f.gpm_support(handle_, &support) == gpu::nvml_success && support.supported != 0;
}

nvml_traffic::gpm_sample nvml_traffic::new_sample() const {
  gpu::nvml_gpm_sample made = nullptr;
  if (functions_->gpm_allocate(&made) != gpu::nvml_success) made = nullptr;
  return {made, functions_->gpm_free};
}

std::optional<nvml_traffic::counter> nvml_traffic::counter_of(unsigned field) const {
  gpu::nvml_field_value asked{.field = field, .scope = gpu::nvml_all_links};
  if (functions_->fields == nullptr || functions_->fields(handle_, 1, &asked) != gpu::nvml_success ||
      asked.code != gpu::nvml_success)
    return std::nullopt;
  const auto kibibytes = gpu::number_in(asked);
  return kibibytes ? std::optional(counter{*kibibytes, asked.timestamp_us}) : std::nullopt;
}

std::optional<double> nvml_traffic::link_rate(unsigned field, std::optional<counter>& before) const {
  const auto now = counter_of(field);
  const auto last = std::exchange(before, now);
  // The counters restart when the driver is loaded again.
  if (!now || !last || now->at_us <= last->at_us || now->kibibytes < last->kibibytes) return std::nullopt;
  constexpr double bytes = 1024, second_us = 1e6;
  return (now->kibibytes - last->kibibytes) * bytes * second_us /
         static_cast<double>(now->at_us - last->at_us);
}

std::optional<double> nvml_traffic::memory_share() {
  if (!now_ || functions_->gpm_sample(handle_, now_.get()) != gpu::nvml_success) {
    sampled_ = false;
    return std::nullopt;
  }
  std::optional<double> share;
  if (sampled_) {
    const auto asked = std::make_unique<gpu::nvml_gpm_request>();
    asked->before = before_.get();
    asked->after = now_.get();
    asked->count = 1;
    auto& metric = asked->metrics.front();
    metric.id = gpu::nvml_gpm_memory_bandwidth;
    constexpr double percent = 0.01;
    if (functions_->gpm_metrics(asked.get()) == gpu::nvml_success && metric.code == gpu::nvml_success &&
        metric.value >= 0)
      share = percent * metric.value;
  }
  std::swap(before_, now_);
  sampled_ = true;
  return share;
}

// Two transfers a clock over the width of the bus, as the driver counts clocks of every kind of memory.
std::optional<double> nvml_traffic::memory_peak_bytes_per_s() const {
  unsigned mhz = 0, bits = 0;
  const auto& f = *functions_;
  if (f.max_clock == nullptr || f.max_clock(handle_, gpu::nvml_clock_memory, &mhz) != gpu::nvml_success ||
      f.memory_bits == nullptr || f.memory_bits(handle_, &bits) != gpu::nvml_success || mhz == 0 || bits == 0)
    return std::nullopt;
  return 2.0 * mhz * 1e6 * bits / 8;
}

void nvml_traffic::read(measure::gpu_reading& reading) {
  reading.link_sent_bytes_per_s = link_rate(gpu::nvml_field_nvlink_sent, sent_);
  reading.link_received_bytes_per_s = link_rate(gpu::nvml_field_nvlink_received, received_);
  reading.memory_bandwidth_share = memory_share();
  if (!reading.memory_bandwidth_share) return;
  if (const auto peak = memory_peak_bytes_per_s())
    reading.memory_bytes_per_s = *reading.memory_bandwidth_share * *peak;
}

}  // namespace ridge::backends::measure_nvml
